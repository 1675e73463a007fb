import Glibc
import RunLoopKit

var left = 3
RLTimer.scheduledTimer(withTimeInterval: 0.5, repeats: true) { _ in
    left -= 1
    print("\(left) to go")
    if left == 0 { RLRunLoop.main.stop() }
}

let worker = RLPermanentThread(name: "worker")
worker.execute {
    let sum = (1...1000).reduce(0, +)
    RLRunLoop.main.perform { print("the worker's sum is \(sum)") }
}

exit(RLRunLoop.main.runUntilStopped())
