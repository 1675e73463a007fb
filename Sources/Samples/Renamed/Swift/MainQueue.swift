// The main dispatch queue and the main loop: the loop serves the queue, in its common modes only.

import CoreRunLoop
import Dispatch

private let ownMode = RLRunLoopMode(RLStringCreate("com.example.own"))

private func makeTimer(_ title: String) -> RLRunLoopTimerRef {
    RLRunLoopTimerCreateWithHandler(
        kRLAllocatorDefault,
        RLAbsoluteTimeGetCurrent(),
        0,
        0,
        0
    ) { _ in
        print(title)
    }
}

func sampleMainQueue() {
    DispatchQueue.main.async { print("a block of the main queue") }

    print("a run in a mode of our own")
    RLRunLoopAddTimer(RLRunLoopGetMain(), makeTimer("a timer of that mode"), ownMode)
    RLRunLoopRunInMode(ownMode, 60, false)

    print("a run in the default mode")
    DispatchQueue.main.async {
        let isMain = RLRunLoopGetCurrent() === RLRunLoopGetMain()
        print("another, in the main loop: \(isMain)")
        RLRunLoopPerformBlock(RLRunLoopGetMain(), RLRunLoopMode.commonModes.rawValue) {
            print("a block of the loop")
            RLRunLoopStop(RLRunLoopGetMain())
        }
    }
    RLRunLoopRun()

    let thread = WorkerThread {
        DispatchQueue.main.async {
            print("a block from another thread")
            RLRunLoopStop(RLRunLoopGetCurrent())
        }
    }
    thread.start()
    RLRunLoopRun()
    thread.join()
}
