// Work for idle times: an observer that comes last before the loop sleeps does a little and sees to
// it that the loop comes by again. Events of sources go before it.

import CoreRunLoop

private let idleMode = RLRunLoopMode(RLStringCreate("com.example.idle"))

private final class IdleWorker {
    private var jobs: [() -> Void] = []
    private var observer: RLRunLoopObserverRef?

    func start() {
        observer = RLRunLoopObserverCreateWithHandler(
            kRLAllocatorDefault,
            RLRunLoopActivity.beforeWaiting.rawValue,
            true,
            2_000_000
        ) { observer, _ in
            self.workALittle(observer)
        }
        RLRunLoopAddObserver(RLRunLoopGetCurrent(), observer, idleMode)
    }

    func add(_ job: @escaping () -> Void) {
        jobs.append(job)
    }

    private func workALittle(_ observer: RLRunLoopObserverRef?) {
        guard !jobs.isEmpty else {
            RLRunLoopObserverInvalidate(observer)
            RLRunLoopStop(RLRunLoopGetCurrent())
            return
        }
        jobs.removeFirst()()
        // The sleep that comes now is to end at once.
        RLRunLoopWakeUp(RLRunLoopGetCurrent())
    }
}

func sampleIdleWork() {
    var context = RLRunLoopSourceContext()
    context.perform = { _ in print("an event") }
    let source = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context)
    RLRunLoopAddSource(RLRunLoopGetCurrent(), source, idleMode)

    let redraw = RLRunLoopObserverCreateWithHandler(
        kRLAllocatorDefault,
        RLRunLoopActivity.beforeWaiting.rawValue,
        true,
        0
    ) { _, _ in
        print("the screen is redrawn")
    }
    RLRunLoopAddObserver(RLRunLoopGetCurrent(), redraw, idleMode)

    let worker = IdleWorker()
    worker.start()
    worker.add {
        print("idle job 1, during which something happens")
        RLRunLoopSourceSignal(source)
    }
    worker.add { print("idle job 2") }
    worker.add { print("idle job 3") }

    RLRunLoopSourceSignal(source)
    let result = RLRunLoopRunInMode(idleMode, 60, false)
    print("stopped: \(result == .stopped)")

    RLRunLoopObserverInvalidate(redraw)
    RLRunLoopSourceInvalidate(source)
}
