// Like scheduling packages: a timer waits for the distant future, any thread moves its date
// forward, and `deinit` invalidates it on the thread that releases the plan.
import Foundation

final class Plan {
    private let timer: Timer

    init(_ action: @escaping () -> Void) {
        timer = Timer(fire: .distantFuture, interval: .greatestFiniteMagnitude, repeats: true) {
            _ in
            action()
        }
        RunLoop.current.add(timer, forMode: .common)
    }

    deinit {
        timer.invalidate()
    }

    func executeNow() {
        timer.fireDate = Date()
    }

    func suspend() {
        timer.fireDate = .distantFuture
    }
}

final class Action {
    private(set) var count = 0

    func run() {
        count += 1
    }

    deinit {
        print("the action is released on the main thread: \(Thread.isMainThread)")
        exit(0)
    }
}

var plan: Plan?
func schedule() -> () -> Int {
    let action = Action()
    plan = Plan { action.run() }
    return { [unowned action] in action.count }
}
let count = schedule()
for expected in 1...20 {
    DispatchQueue.global().async { [plan] in plan?.executeNow() }
    while count() < expected {
        RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
    }
}
print("the plan was executed \(count()) times")
// The loop of a program has more than one timer.
Timer.scheduledTimer(withTimeInterval: 3600, repeats: true) { _ in }
DispatchQueue.global().async { [plan] in plan?.suspend() }
DispatchQueue.global().async { plan = nil }
RunLoop.current.run()
