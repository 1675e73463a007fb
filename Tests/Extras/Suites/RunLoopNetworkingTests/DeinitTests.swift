import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopNetworking
import Testing
import ThreadKit

/// Uses of a client that release the last reference to an object, whose `deinit` uses the client
/// again.
///
/// If both uses access a property at once, a debug build stops the process.
enum Use: String, CaseIterable, Codable {
    case completesTask, closesBody, discardsWorkInFork

    /// Passes an object to `hold`, and returns a function that returns whether the object is gone.
    ///
    /// The object's `deinit` calls `again` and runs the loop.
    private func lastHeld(again: @escaping () -> Void, by hold: (Mourner) -> Void) -> () -> Bool {
        var isGone = false
        hold(
            Mourner {
                again()
                RLRunLoopRunInMode(.defaultMode, 0, false)
                isGone = true
            }
        )
        return { isGone }
    }

    fileprivate func run(_ request: RLHTTPRequest) -> Bool {
        let client = RLHTTPLoopClient()
        var task: RLHTTPTask?
        var count = 0
        let isGone = lastHeld {
            task?.cancel()
            task?.pause()
            task?.resume()
            client.send(request) { _ in count += 1 }
        } by: { last in
            var request = request
            switch self {
            case .completesTask:
                task = client.send(request, progress: { _ in last.hold() }) { _ in count += 1 }
            case .closesBody:
                nonisolated(unsafe) var stream: RLInputStream? = HeldStream(last)
                request.body = .stream(RLHTTPBodyStream { stream.take() })
                task = client.send(request) { _ in count += 1 }
            case .discardsWorkInFork:
                request.method = "\n"
                client.send(request) { _ in last.hold() }
            }
        }
        if self == .discardsWorkInFork {
            let child = forkProcess()
            if child > 0 {
                var status: CInt = 0
                return waitpid(child, &status, 0) == child && status == 0
            }
            client.send(request) { _ in count += 1 }
        }
        while count < 2 { RLRunLoop.current.run(mode: .default, before: .distantFuture) }
        return isGone()
    }
}

private final class HeldStream: RLInputStream {
    private let last: Mourner

    init(_ last: Mourner) {
        self.last = last
        super.init(data: Data("body".utf8))
    }
}

@Suite("The deinit of an object that a client held", .timeLimit(.minutes(5))) struct DeinitTests {
    @Test("may use the client again", arguments: Use.allCases)
    func again(use: Use) async {
        await #expect(processExitsWith: .success) { [use] in
            onFreshThread {
                guard let url = URL(string: "http://127.0.0.1:1/") else { exit(1) }
                _exit(use.run(RLHTTPRequest(url: url)) ? 0 : 1)
            }
        }
    }
}
