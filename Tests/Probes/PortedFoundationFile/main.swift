// A file as it stands on systems with Foundation's run loop.

import Foundation
import RunLoopKit

final class Reminder {
    private let loop: RLRunLoop
    private var timer: RLTimer?
    private(set) var left: Int

    init(_ count: Int, on loop: RLRunLoop) {
        left = count
        self.loop = loop
    }

    func start() {
        let timer = RLTimer(timeInterval: 0.001, repeats: true) { [weak self] timer in
            guard let self else { return }
            self.left -= 1
            print(
                "Timer of RunLoop.current: \(self.left) left of \(timer.isValid ? "a" : "no") Timer"
            )
            if self.left == 0 { timer.invalidate() }
        }
        loop.add(timer, forMode: RLRunLoop.Mode.common)
        self.timer = timer
    }
}

let reminder = Reminder(3, on: RLRunLoop.current)
reminder.start()
RLRunLoop.current.perform { print("performed in \(RLRunLoop.current.currentMode == .default)") }
while reminder.left > 0,
    RLRunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
{}

let isDone = DispatchSemaphore(value: 0)
let thread = RLThread {
    print("Thread: \(RLThread.isMainThread), \(RLRunLoop.current === RLRunLoop.main)")
    isDone.signal()
}
thread.start()
isDone.wait()

let notification = RLNotification(name: RLNotification.Name("Notification of a Port"))
print(notification.name.rawValue)
print(RLRunLoop.main.limitDate(forMode: RLRunLoop.Mode("Stream")) == nil)
