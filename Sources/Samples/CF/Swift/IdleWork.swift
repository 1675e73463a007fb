// Work for idle times. An observer with a high order does a small piece of work before the loop
// sleeps, and wakes the loop for the next piece. Sources are served between the pieces.

import CFCompatibility

private let idleMode = CFRunLoopMode("com.example.idle" as CFString)

private final class IdleWorker {
    private var jobs: [() -> Void] = []
    private var observer: CFRunLoopObserver?

    func start() {
        observer = CFRunLoopObserverCreateWithHandler(
            kCFAllocatorDefault,
            CFRunLoopActivity.beforeWaiting.rawValue,
            true,
            2_000_000
        ) { observer, _ in
            self.workALittle(observer)
        }
        CFRunLoopAddObserver(CFRunLoopGetCurrent(), observer, idleMode)
    }

    func add(_ job: @escaping () -> Void) {
        jobs.append(job)
    }

    private func workALittle(_ observer: CFRunLoopObserver?) {
        guard !jobs.isEmpty else {
            CFRunLoopObserverInvalidate(observer)
            CFRunLoopStop(CFRunLoopGetCurrent())
            return
        }
        jobs.removeFirst()()
        // The loop is about to sleep: request the next pass.
        CFRunLoopWakeUp(CFRunLoopGetCurrent())
    }
}

func sampleIdleWork() {
    var context = CFRunLoopSourceContext()
    context.perform = { _ in print("an event") }
    let source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context)
    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, idleMode)

    let redraw = CFRunLoopObserverCreateWithHandler(
        kCFAllocatorDefault,
        CFRunLoopActivity.beforeWaiting.rawValue,
        true,
        0
    ) { _, _ in
        print("the screen is redrawn")
    }
    CFRunLoopAddObserver(CFRunLoopGetCurrent(), redraw, idleMode)

    let worker = IdleWorker()
    worker.start()
    worker.add {
        print("idle job 1, during which something happens")
        CFRunLoopSourceSignal(source)
    }
    worker.add { print("idle job 2") }
    worker.add { print("idle job 3") }

    CFRunLoopSourceSignal(source)
    let result = CFRunLoopRunInMode(idleMode, 60, false)
    print("stopped: \(result == .stopped)")

    CFRunLoopObserverInvalidate(redraw)
    CFRunLoopSourceInvalidate(source)
}
