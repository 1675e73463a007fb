// Observers that are called once: many changes in one pass, but one layout before the loop sleeps.

import CoreRunLoop

private let layoutMode = RLRunLoopMode(RLStringCreate("com.example.layout"))

private final class View {
    private var changes = 0
    private var layout: RLRunLoopObserverRef?

    func setNeedsLayout() {
        changes += 1
        guard layout == nil else { return }
        layout = RLRunLoopObserverCreateWithHandler(
            kRLAllocatorDefault,
            RLRunLoopActivity.beforeWaiting.rawValue | RLRunLoopActivity.exit.rawValue,
            false,
            0
        ) { observer, _ in
            self.layOut(observer)
        }
        print("repeats: \(RLRunLoopObserverDoesRepeat(layout))")
        RLRunLoopAddObserver(RLRunLoopGetCurrent(), layout, layoutMode)
    }

    private func layOut(_ observer: RLRunLoopObserverRef?) {
        print("one layout for \(changes) changes")
        print("valid: \(RLRunLoopObserverIsValid(observer))")
        changes = 0
        layout = nil
    }
}

func sampleOneShotObservers() {
    let view = View()
    for round in 1...2 {
        RLRunLoopPerformBlock(RLRunLoopGetCurrent(), layoutMode.rawValue) {
            print("round \(round)")
            for _ in 1...3 { view.setNeedsLayout() }
        }
        RLRunLoopRunInMode(layoutMode, 0, false)
    }
    print("a run without changes")
    RLRunLoopRunInMode(layoutMode, 0, false)
}
