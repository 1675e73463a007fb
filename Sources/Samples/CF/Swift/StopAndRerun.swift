// The reasons why a run ends. The loop can run again after each end.

import CFCompatibility

private let mode = CFRunLoopMode("com.example.stopping" as CFString)

private func run(_ seconds: CFTimeInterval, untilSourceHandled: Bool = false) {
    switch CFRunLoopRunInMode(mode, seconds, untilSourceHandled) {
    case .finished: print("-> finished")
    case .stopped: print("-> stopped")
    case .timedOut: print("-> timed out")
    case .handledSource: print("-> handled a source")
    @unknown default: print("-> something new")
    }
}

func sampleStopAndRerun() {
    let loop = CFRunLoopGetCurrent()
    print("an empty mode")
    run(60)

    var context = CFRunLoopSourceContext()
    context.perform = { _ in print("the source performs") }
    let source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context)
    CFRunLoopAddSource(loop, source, mode)
    print("a source that nobody signals")
    run(0.001)

    print("a source that is signalled")
    CFRunLoopSourceSignal(source)
    run(60, untilSourceHandled: true)

    for round in 1...2 {
        print("a block that stops the loop, round \(round)")
        CFRunLoopPerformBlock(loop, mode.rawValue) {
            CFRunLoopStop(CFRunLoopGetCurrent())
        }
        run(60)
    }

    print("a stop while the loop does not run")
    CFRunLoopStop(loop)
    run(0)

    CFRunLoopSourceInvalidate(source)
    print("nothing left")
    run(60)
}
