// The reasons for which a run ends, and that a loop can be run again after each of them.

import CoreRunLoop

private let mode = RLRunLoopMode(RLStringCreate("com.example.stopping"))

private func run(_ seconds: RLTimeInterval, untilSourceHandled: Bool = false) {
    switch RLRunLoopRunInMode(mode, seconds, untilSourceHandled) {
    case .finished: print("-> finished")
    case .stopped: print("-> stopped")
    case .timedOut: print("-> timed out")
    case .handledSource: print("-> handled a source")
    @unknown default: print("-> something new")
    }
}

func sampleStopAndRerun() {
    let loop = RLRunLoopGetCurrent()
    print("an empty mode")
    run(60)

    var context = RLRunLoopSourceContext()
    context.perform = { _ in print("the source performs") }
    let source = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context)
    RLRunLoopAddSource(loop, source, mode)
    print("a source that nobody signals")
    run(0.001)

    print("a source that is signalled")
    RLRunLoopSourceSignal(source)
    run(60, untilSourceHandled: true)

    for round in 1...2 {
        print("a block that stops the loop, round \(round)")
        RLRunLoopPerformBlock(loop, mode.rawValue) {
            RLRunLoopStop(RLRunLoopGetCurrent())
        }
        run(60)
    }

    print("a stop while the loop does not run")
    RLRunLoopStop(loop)
    run(0)

    RLRunLoopSourceInvalidate(source)
    print("nothing left")
    run(60)
}
