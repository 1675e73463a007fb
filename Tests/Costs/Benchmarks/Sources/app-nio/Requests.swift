// Requests of an app to SwiftNIO's loop, which measure-app.sh counts. They are those of
// Tests/Costs/swift, under the same names.

import Dispatch
import Foundation
import NIOPosix

// Set before anything runs; used by one thread at a time.
nonisolated(unsafe) var left = 0

private let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
private let loop = group.next()
private let other = group.next()
private let isOver = DispatchSemaphore(value: 0)

@Sendable private func countDown() {
    left -= 1
    if left == 0 { isOver.signal() }
}

@Sendable private func postAgain() {
    countDown()
    if left > 0 { loop.execute { postAgain() } }
}

/// Has the loop do something while it is kept from what was asked before.
private func whileBusy(_ ask: () -> Void) {
    let mayGoOn = DispatchSemaphore(value: 0)
    loop.execute { mayGoOn.wait() }
    ask()
    mayGoOn.signal()
    isOver.wait()
}

enum Requests {
    static let all: [String: @Sendable (Int) -> Void] = [
        "self": { _ in
            loop.execute { postAgain() }
            isOver.wait()
        },
        "due": { times in
            loop.execute {
                for _ in 0..<times { loop.scheduleTask(in: .zero) { countDown() } }
            }
            isOver.wait()
        },
        "ticks": { _ in
            loop.execute {
                loop.scheduleRepeatedTask(initialDelay: .zero, delay: .microseconds(100)) { _ in
                    countDown()
                }
            }
            isOver.wait()
        },
        "perform": { times in
            whileBusy { for _ in 0..<times { loop.execute { countDown() } } }
        },
        "wait": { times in
            for _ in 0..<times { try? loop.submit {}.wait() }
        },
        "echo": countEchoes(connections: 1),
        "echoes": countEchoes(connections: 64),
        "request": { times in
            for _ in 0..<times {
                loop.execute { other.execute { isOver.signal() } }
                isOver.wait()
            }
        },
    ]
}
