// A file for Apple's platforms with only its import changed.

import CoreFoundation

final class Countdown {
    private(set) var left: Int
    private var timer: CFRunLoopTimer?
    private let source: CFRunLoopSource

    init(from start: Int) {
        left = start
        var context = CFRunLoopSourceContext(
            version: 0,
            info: nil,
            retain: nil,
            release: nil,
            copyDescription: nil,
            equal: nil,
            hash: nil,
            schedule: { _, _, _ in print("scheduled") },
            cancel: { _, _, _ in print("canceled") },
            perform: { _ in print("performed") }
        )
        source = CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context)
    }

    func start(in mode: CFRunLoopMode) {
        CFRunLoopAddSource(CFRunLoopGetCurrent(), source, mode)
        CFRunLoopSourceSignal(source)
        timer = CFRunLoopTimerCreateWithHandler(
            kCFAllocatorDefault,
            CFAbsoluteTimeGetCurrent(),
            0.001,
            0,
            0
        ) { timer in
            self.tick(timer)
        }
        CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, mode)
    }

    private func tick(_ timer: CFRunLoopTimer?) {
        left -= 1
        print(left)
        guard left == 0 else { return }
        CFRunLoopTimerInvalidate(timer)
        CFRunLoopSourceInvalidate(source)
    }
}

func report(_ result: CFRunLoopRunResult) {
    switch result {
    case .finished: print("finished")
    case .stopped: print("stopped")
    case .timedOut: print("timed out")
    case .handledSource: print("handled a source")
    @unknown default: print("something new")
    }
}

let mode = CFRunLoopMode("com.example.countdown" as CFString)
let countdown = Countdown(from: 3)

var activities = 0
let observer = CFRunLoopObserverCreateWithHandler(
    nil,
    CFRunLoopActivity.entry.rawValue | CFRunLoopActivity.exit.rawValue,
    true,
    0
) { observer, activity in
    activities += 1
    if activity == .exit { CFRunLoopObserverInvalidate(observer) }
}
CFRunLoopAddObserver(CFRunLoopGetMain(), observer, mode)

CFRunLoopPerformBlock(CFRunLoopGetMain(), mode.rawValue) {
    countdown.start(in: mode)
}
CFRunLoopWakeUp(CFRunLoopGetMain())
CFRunLoopRunInMode(mode, 0, false)
report(CFRunLoopRunInMode(mode, 60, false))
print(activities, CFRunLoopObserverIsValid(observer), CFEqual(mode.rawValue, "other" as CFString))
