// The main loop serves the main dispatch queue, but only in its common modes.

import CFCompatibility
import Dispatch

private let ownMode = CFRunLoopMode("com.example.own" as CFString)

private func makeTimer(_ title: String) -> CFRunLoopTimer {
    CFRunLoopTimerCreateWithHandler(
        kCFAllocatorDefault,
        CFAbsoluteTimeGetCurrent(),
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
    CFRunLoopAddTimer(CFRunLoopGetMain(), makeTimer("a timer of that mode"), ownMode)
    CFRunLoopRunInMode(ownMode, 60, false)

    print("a run in the default mode")
    DispatchQueue.main.async {
        let isMain = CFRunLoopGetCurrent() === CFRunLoopGetMain()
        print("another, in the main loop: \(isMain)")
        CFRunLoopPerformBlock(CFRunLoopGetMain(), CFRunLoopMode.commonModes.rawValue) {
            print("a block of the loop")
            CFRunLoopStop(CFRunLoopGetMain())
        }
    }
    CFRunLoopRun()

    let thread = WorkerThread {
        DispatchQueue.main.async {
            print("a block from another thread")
            CFRunLoopStop(CFRunLoopGetCurrent())
        }
    }
    thread.start()
    CFRunLoopRun()
    thread.join()
}
