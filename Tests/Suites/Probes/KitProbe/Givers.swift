import Dispatch
import Foundation
import RunLoopConcurrency
import RunLoopKit

/// An actor on the global executor that passes its state to loops.
actor Giver {
    private let gifts: Gifts

    init(_ gifts: sending Gifts) {
        self.gifts = gifts
    }

    func give(_ call: String) { gifts.give(call) }
}

/// An actor on a loop that passes its state to that loop.
actor PinnedGiver {
    private let gifts: Gifts
    nonisolated let executor: RLRunLoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ gifts: sending Gifts, _ executor: RLRunLoopExecutor) {
        self.gifts = gifts
        self.executor = executor
    }

    func give(_ call: String) { gifts.give(call) }
}

// Only the main queue uses it.
private struct SendableGifts: @unchecked Sendable {
    let gifts: Gifts
}

/// Passes the state on the main queue, which libdispatch serves after the end of the main thread.
private func giveOnMainQueue(_ call: String, _ state: SendableGifts) {
    let kind = CommandLine.arguments[3]
    RLThread.detachNewThread {
        switch kind {
        case "main-job", "ended-main":
            Task { @MainActor in
                state.gifts.give(call); exit(EXIT_SUCCESS)
            }
            while true { pause() }
        case "main-work":
            DispatchQueue.main.async {
                state.gifts.give(call); exit(EXIT_SUCCESS)
            }
            while true { pause() }
        default:
            DispatchQueue.main.sync {
                MainActor.assumeIsolated { state.gifts.give(call) }
            }
            exit(EXIT_SUCCESS)
        }
    }
}

/// Makes the call that the second argument names, in the context that the third names; without
/// arguments it prints the names of all calls.
func give() {
    guard CommandLine.arguments.count > 3 else { return print(Gifts.calls.joined(separator: "\n")) }
    // The process aborts on purpose: the runtime's crash report would take long.
    signal(SIGABRT, SIG_DFL)
    let call = CommandLine.arguments[2]
    let gifts = Gifts()
    let thread = RLPermanentThread()
    switch CommandLine.arguments[3] {
    case "actor":
        let giver = Giver(gifts)
        Task.detached {
            await giver.give(call); exit(EXIT_SUCCESS)
        }
    case "task":
        Task.detached {
            gifts.give(call); exit(EXIT_SUCCESS)
        }
    case "pinned-actor":
        let giver = PinnedGiver(gifts, RLRunLoopExecutor(loop: thread.runLoop))
        Task.detached {
            await giver.give(call); exit(EXIT_SUCCESS)
        }
    case "pinned-task":
        let executor = RLRunLoopExecutor(loop: thread.runLoop)
        Task.detached(executorPreference: executor) {
            gifts.give(call); exit(EXIT_SUCCESS)
        }
    case "main-job", "main-work", "main-sync":
        giveOnMainQueue(call, SendableGifts(gifts: gifts))
        alarm(300)
        dispatchMain()
    case "ended-main":
        giveOnMainQueue(call, SendableGifts(gifts: gifts))
        alarm(300)
        pthread_exit(nil)
    default: return print("no such giver")
    }
    // A limit for hangs.
    alarm(300)
    withExtendedLifetime(thread) {
        while true { pause() }
    }
}
