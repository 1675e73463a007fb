// One-shot observers. Many changes in one pass cause one layout before the loop sleeps.

import CFCompatibility

private let layoutMode = CFRunLoopMode("com.example.layout" as CFString)

private final class View {
    private var changes = 0
    private var layout: CFRunLoopObserver?

    func setNeedsLayout() {
        changes += 1
        guard layout == nil else { return }
        layout = CFRunLoopObserverCreateWithHandler(
            kCFAllocatorDefault,
            CFRunLoopActivity.beforeWaiting.rawValue | CFRunLoopActivity.exit.rawValue,
            false,
            0
        ) { observer, _ in
            self.layOut(observer)
        }
        print("repeats: \(CFRunLoopObserverDoesRepeat(layout))")
        CFRunLoopAddObserver(CFRunLoopGetCurrent(), layout, layoutMode)
    }

    private func layOut(_ observer: CFRunLoopObserver?) {
        print("one layout for \(changes) changes")
        print("valid: \(CFRunLoopObserverIsValid(observer))")
        changes = 0
        layout = nil
    }
}

func sampleOneShotObservers() {
    let view = View()
    for round in 1...2 {
        CFRunLoopPerformBlock(CFRunLoopGetCurrent(), layoutMode.rawValue) {
            print("round \(round)")
            for _ in 1...3 { view.setNeedsLayout() }
        }
        CFRunLoopRunInMode(layoutMode, 0, false)
    }
    print("a run without changes")
    CFRunLoopRunInMode(layoutMode, 0, false)
}
