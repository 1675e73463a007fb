// Programs of the extras that need the main thread or Foundation. The first argument selects one;
// the tests compare their output.

import CRunLoop.Testing
import Foundation
import RunLoopFoundation
import RunLoopKit
import RunLoopNetworking

let probes: [String: () -> Void] = [
    "foundation-timers": serveFoundationTimers,
    "foundation-unserved": forgetFoundation,
    "join-poster": joinPoster,
    "network": fetchOnMain,
    "unchecked": fetchUnchecked,
    "main-actor": { MainActor.assumeIsolated(useMainActor) },
    "give": give,
    "hostile-values": callWithHostileValues,
]

guard CommandLine.arguments.count >= 2, let probe = probes[CommandLine.arguments[1]] else {
    print(probes.keys.sorted().joined(separator: "\n"))
    exit(EXIT_FAILURE)
}
probe()

/// Timers of both kinds on the main loops of both kinds, run by ours.
func serveFoundationTimers() {
    var fired = 0
    let service = RLRunLoop.current.serveFoundation()
    _ = Timer.scheduledTimer(withTimeInterval: 0.002, repeats: true) { timer in
        let count = MainActor.assumeIsolated {
            fired += 1
            print("Foundation's timer \(fired)")
            return fired
        }
        if count == 3 { timer.invalidate() }
    }
    let guardian = RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: false) { _ in }
    while fired < 3 { RLRunLoop.main.run(until: Date(timeIntervalSinceNow: 0.001)) }
    service.cancel()
    guardian.invalidate()
    print("nothing left: \(!RLRunLoop.main.run(mode: .init("empty"), before: .distantPast))")
}

/// Foundation's timers and sources without service, which debug builds report before a sleep.
func forgetFoundation() {
    // A limit for hangs.
    alarm(300)
    RLTestingSetHintHandler { line in
        print(line.map { String(cString: $0) } ?? "")
        RLRunLoopStop(RLRunLoopGetCurrent())
    }
    let forgotten = Timer.scheduledTimer(withTimeInterval: 3600, repeats: false) { _ in }
    RLRunLoop.main.run(mode: .default, before: .distantFuture)
    // With the service there is no report.
    let service = RLRunLoop.current.serveFoundation()
    Thread.detachNewThread(stopSleepingMainLoop)
    RLRunLoop.main.run(mode: .default, before: .distantFuture)
    service.cancel()
    forgotten.invalidate()
    Thread.detachNewThread(forgetPort)
    RLRunLoop.main.run()
}

private func stopSleepingMainLoop() {
    var statistics = RLRunLoopStatistics()
    repeat {
        sched_yield()
        RLRunLoopGetStatistics(RLRunLoopGetMain(), &statistics)
    } while statistics.phase != kRLRunLoopPhaseWaiting
    RLRunLoopStop(RLRunLoopGetMain())
}

/// A port in Foundation's loop of a thread that runs ours.
private func forgetPort() {
    let port = SocketPort(tcpPort: 0)
    port.map { RunLoop.current.add($0, forMode: .default) }
    let own = RLPort()
    RLRunLoop.current.add(own, forMode: .default)
    RLRunLoop.current.run(mode: .default, before: .distantFuture)
    withExtendedLifetime(port) { exit(EXIT_SUCCESS) }
}

/// Joins, on the main thread, a worker that waits for an observer on the main operation queue.
func joinPoster() {
    // A limit for hangs.
    alarm(300)
    let name = RLNotification.Name("done")
    RLNotificationCenter.default.addObserver(forName: name, queue: OperationQueue.main) { _ in
        print("observed, main thread: \(RLThread.isMainThread)")
    }
    RLTimer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in
        let worker = RLPermanentThread(name: "worker")
        worker.execute { RLNotificationCenter.default.post(name: name, object: nil) }
        worker.stop()
        worker.join()
        print("joined")
        RLRunLoop.main.stop()
    }
    RLRunLoopRun()
}

/// A request whose closures the main loop calls, in a common mode that is not the default one; the
/// second argument is the URL.
func fetchOnMain() {
    guard let url = URL(string: CommandLine.arguments.last ?? "") else { return }
    let place: @Sendable () -> String = {
        let mode = RLRunLoopCopyCurrentMode(RLRunLoopGetMain())?.description ?? "none"
        return "main thread: \(Thread.isMainThread), mode \(mode)"
    }
    let operation = RLHTTPRequestOperation(
        RLHTTPRequest(url: url),
        progress: { progress in
            if progress.receivedLength == progress.expectedLength { print("all, \(place())") }
        },
        completion: { result in
            print("completion \((try? result.get())?.body.count ?? -1), \(place())")
            RLRunLoopStop(RLRunLoopGetMain())
        }
    )
    operation.start()
    while operation.state != .finished {}
    print("finished, nothing called")
    // Keeps the mode nonempty.
    let guardian = RLTimer(timeInterval: 1000, repeats: false) { _ in }
    RLRunLoop.current.add(guardian, forMode: .tracking)
    RLRunLoopRunInMode(RLRunLoop.Mode.tracking.mode, .infinity, false)
    guardian.invalidate()
    print("completed")
}

/// A request that trusts any certificate, as libcurl with GnuTLS cannot be given an authority.
func fetchUnchecked() {
    guard let url = URL(string: CommandLine.arguments.last ?? "") else { return }
    var request = RLHTTPRequest(url: url)
    request.security.validatesCertificateChain = false
    RLHTTPLoopClient().send(request) { result in
        print(result.map(\.body.count))
        RLRunLoopStop(RLRunLoopGetCurrent())
    }
    RLRunLoopRun()
}

/// A class like those of apps, which passes a closure that uses it to a request.
@MainActor final class Reader {
    func fetch(_ url: URL) {
        let operation = RLHTTPRequestOperation(RLHTTPRequest(url: url)) { result in
            self.take("fetched: \((try? result.get()) != nil)")
        }
        operation.start()
    }

    private func take(_ what: String) {
        print(what)
        RLRunLoopStop(RLRunLoopGetMain())
    }
}

@MainActor func useMainActor() {
    let guardian = RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: false) { _ in }
    if let url = URL(string: "https://localhost/") { Reader().fetch(url) }
    RLRunLoopRun()
    guardian.invalidate()
}
