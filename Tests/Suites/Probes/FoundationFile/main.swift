// A file for systems with Foundation's run loop.

import Foundation

final class Reminder {
    private let loop: RunLoop
    private var timer: Timer?
    private(set) var left: Int

    init(_ count: Int, on loop: RunLoop) {
        left = count
        self.loop = loop
    }

    func start() {
        let timer = Timer(timeInterval: 0.001, repeats: true) { [weak self] timer in
            guard let self else { return }
            self.left -= 1
            print(
                "Timer of RunLoop.current: \(self.left) left of \(timer.isValid ? "a" : "no") Timer"
            )
            if self.left == 0 { timer.invalidate() }
        }
        loop.add(timer, forMode: RunLoop.Mode.common)
        self.timer = timer
    }
}

let reminder = Reminder(3, on: RunLoop.current)
reminder.start()
RunLoop.current.perform { print("performed in \(RunLoop.current.currentMode == .default)") }
while reminder.left > 0,
    RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
{}

let isDone = DispatchSemaphore(value: 0)
let thread = Thread {
    print("Thread: \(Thread.isMainThread), \(RunLoop.current === RunLoop.main)")
    isDone.signal()
}
thread.start()
isDone.wait()

let notification = Notification(name: Notification.Name("Notification of a Port"))
print(notification.name.rawValue)
print(RunLoop.main.limitDate(forMode: RunLoop.Mode("Stream")) == nil)
