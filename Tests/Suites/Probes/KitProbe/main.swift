// Programs that need the main thread or Foundation beside RunLoopKit. The first argument selects
// one; the tests compare their output.

import CRunLoop.Testing
import Foundation
import FoundationNetworking
import RunLoopKit

let probes: [String: () -> Void] = [
    "main-queue": serveMainQueue,
    "hosted": beServedInFoundation,
    "hosted-for-good": beServedForGood,
    "url-session": awaitURLSession,
    "next-fire": awaitTimers,
    "perform-on-main": performOnMain,
    "compete": compete,
    "delay": delay,
    "drag": drag,
    "synced-delegate": setDelegateInSync,
    "give": give,
    "watch": watchFile,
    "mutual-waits": waitMutually,
    "join-poster": joinPoster,
    "join-in-main-queue": joinInMainQueue,
    "hostile-values": callWithHostileValues,
    "main-actor": { MainActor.assumeIsolated(useMainActor) },
]

guard CommandLine.arguments.count >= 2, let probe = probes[CommandLine.arguments[1]] else {
    print(probes.keys.sorted().joined(separator: "\n"))
    exit(EXIT_FAILURE)
}
probe()

/// Prints the error of a watch, if there is one.
func watchFile() {
    do { _ = try RLFileWatch(path: "/tmp/file") } catch { print("\(error.code): \(error)") }
}

/// The work that the main queue delivers to the main thread while our loop runs.
func serveMainQueue() {
    DispatchQueue.main.async { print("main queue, main thread: \(Thread.isMainThread)") }
    OperationQueue.main.addOperation { print("operation, main thread: \(Thread.isMainThread)") }
    Task { @MainActor in
        print("main actor, main thread: \(Thread.isMainThread)")
        RLRunLoopStop(RLRunLoopGetMain())
    }
    RLRunLoopRun()
    DispatchQueue.main.async { print("drained") }
    print("before")
    while RLRunLoop.drainMainQueue() {}
    print("after")
}

/// Our timers and sources, while Foundation's loop runs.
func beServedInFoundation() {
    var isOver = false
    let source = RLRunLoopSourceCreate { print("source, main thread: \(Thread.isMainThread)") }
    RLRunLoopAddSource(RLRunLoopGetMain(), source, .defaultMode)
    let hosting = RLRunLoop.current.serveInMainQueue()
    var fired = 0
    RLTimer.scheduledTimer(withTimeInterval: 0.002, repeats: true) { timer in
        fired += 1
        print("timer \(fired)")
        guard fired == 3 else { return }
        timer.invalidate()
        Thread.detachNewThread {
            RLRunLoopSourceSignal(source)
            RLRunLoopPerformBlock(RLRunLoopGetMain(), .defaultMode) {
                MainActor.assumeIsolated {
                    print("block")
                    isOver = true
                }
            }
            RLRunLoopWakeUp(RLRunLoopGetMain())
        }
    }
    while !isOver { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    hosting.cancel()
    RunLoop.main.run(until: Date(timeIntervalSinceNow: 0.001))
    print("again by itself: \(RLRunLoop.main.run(mode: .default, before: .distantPast))")
}

/// The main queue serves the loop, although nothing references the service.
func beServedForGood() {
    RLRunLoop.current.serveInMainQueue()
    var fired = 0
    RLTimer.scheduledTimer(withTimeInterval: 0.002, repeats: true) { timer in
        fired += 1
        print("timer \(fired)")
        if fired == 3 { timer.invalidate() }
    }
    // A limit for hangs.
    let limit = Date(timeIntervalSinceNow: 60)
    while fired < 3 && Date() < limit { _ = RunLoop.main.run(mode: .default, before: limit) }
}

/// A callback of URLSession for a refused connection.
func awaitURLSession() {
    let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: .main)
    guard let url = URL(string: "http://127.0.0.1:1/") else { return }
    session.dataTask(with: url) { _, _, error in
        print("answered with an error: \(error != nil), main thread: \(Thread.isMainThread)")
        RLRunLoopStop(RLRunLoopGetMain())
    }
    .resume()
    RLRunLoopRun()
}

/// A task of the main actor that waits for timers of the main loop.
func awaitTimers() {
    Task { @MainActor in
        // The timer fires as soon as the loop runs, which the wait below starts.
        let once = makeTimer(0)
        print("fired: \(await once.nextFire())")
        let endless = makeTimer(1000)
        let reference = endless.getRLRunLoopTimer()
        RLThread.detachNewThread { RLRunLoopTimerInvalidate(reference) }
        print("fired: \(await endless.nextFire())")
        var count = 0
        for await _ in RLTimer.fires(every: .milliseconds(1)) {
            count += 1
            if count == 3 { break }
        }
        print("sequence: \(count)")
        RLRunLoopStop(RLRunLoopGetMain())
    }
    RLRunLoopRun()
}

@MainActor func makeTimer(_ seconds: TimeInterval) -> RLTimer {
    RLTimer.scheduledTimer(withTimeInterval: seconds, repeats: false) { _ in }
}

func performOnMain() {
    let clerk = MainClerk()
    RLThread.detachNewThread {
        clerk.performSelector(onMainThread: .write, with: "waiting", waitUntilDone: true)
        print("waited")
        RLThread.main.perform(modes: [.tracking]) { print("never") }
        RLRunLoop.main.perform { print("block") }
        clerk.performSelector(onMainThread: .write, with: "later", waitUntilDone: false)
        RLThread.main.perform { RLRunLoopStop(RLRunLoopGetMain()) }
    }
    RLRunLoopRun()
}

final class MainClerk: RLObject, Sendable {
    func write(_ word: String) {
        print("\(word), main thread: \(RLThread.isMainThread)")
    }
}

extension RLSelector where Target == MainClerk {
    static let write = RLSelector("write:", MainClerk.write)
}

/// The order in which the main thread serves events that are ready at the same time.
func compete() {
    let loop = RLRunLoopGetMain()
    let rest = RLRunLoop.current.observe(.beforeWaiting) { _, _ in print("before waiting") }
    let source = RLRunLoopSourceCreate { print("source") }
    RLRunLoopAddSource(loop, source, .defaultMode)
    RLRunLoopSourceSignal(source)
    DispatchQueue.main.async {
        print("main queue 1")
        DispatchQueue.main.async {
            print("main queue 2, added by 1")
            RLRunLoopStop(loop)
        }
        RLRunLoop.main.perform { print("block of the main queue") }
    }
    RLRunLoop.current.perform(afterDelay: 0) { print("delayed perform") }
    let timer = RLTimer(fire: .distantPast, interval: 0, repeats: false) { _ in print("timer") }
    RLRunLoop.current.add(timer, forMode: .default)
    RLRunLoop.main.perform { print("block") }
    RLRunLoopRun()
    rest.invalidate()
    RLRunLoopSourceInvalidate(source)
}

/// A delayed perform and `asyncAfter` with equal delays, in and after tracking mode.
func delay() {
    let loop = RLRunLoopGetMain()
    let tracking: RLRunLoopMode = "KitProbeTrackingMode"
    DispatchQueue.main.asyncAfter(deadline: .now() + 0.005) {
        print("asyncAfter in \(RLRunLoop.main.currentMode?.rawValue ?? "none")")
        DispatchQueue.main.async { RLRunLoopStop(loop) }
    }
    RLRunLoop.current.perform(afterDelay: 0.001) {
        print("perform in \(RLRunLoop.main.currentMode?.rawValue ?? "none")")
        RLRunLoopStop(loop)
    }
    // While it is not common, tracking mode does not serve the main queue.
    let keeper = RLRunLoopSourceCreate {}
    RLRunLoopAddSource(loop, keeper, tracking)
    RLRunLoopRunInMode(tracking, 0.02, false)
    print("tracking is not common: nothing")
    RLRunLoopAddCommonMode(loop, tracking)
    RLRunLoopRunInMode(tracking, 1000, false)
    print("tracking is common: the queue, not the perform")
    RLRunLoopRun()
}

/// Timers in tracking mode: tracking modes are common on the main loop only.
func drag() {
    let loop = RLRunLoop.current
    func note(_ name: String) { print("\(name) in \(loop.currentMode?.rawValue ?? "none")") }
    let common = RLTimer(fire: .distantPast, interval: 0.001, repeats: true) { _ in
        note("common")
        RLRunLoopStop(loop.getRLRunLoop())
    }
    let plain = RLTimer(fire: .distantPast, interval: 1000, repeats: false) { _ in note("default") }
    loop.add(common, forMode: .common)
    loop.add(plain, forMode: .default)
    // Its callback names a mode that is just becoming common.
    let curious = RLRunLoopSourceCreate(
        schedule: { _, mode in
            if mode == RLRunLoop.Mode.modalPanel.mode { print("scheduled for panels") }
        },
        perform: {}
    )
    RLRunLoopAddSource(loop.getRLRunLoop(), curious, .commonModes)
    for mode: RLRunLoop.Mode in [.tracking, .eventTracking, .modalPanel] {
        loop.run(mode: mode, before: .distantFuture)
    }
    common.invalidate()
    loop.run(mode: .default, before: .distantPast)
    let other = RLThread {
        let timer = RLTimer(fire: .distantPast, interval: 0, repeats: false) { _ in print("other") }
        RLRunLoop.current.add(timer, forMode: .common)
        print("elsewhere: \(RLRunLoop.current.run(mode: .tracking, before: .distantPast))")
        timer.invalidate()
    }
    other.start()
    other.join()
}

/// A delegate that is set in `sync` on the main thread, for a stream that the queue serves: the
/// process must abort with a diagnostic.
func setDelegateInSync() {
    final class Listener: RLStreamDelegate {
        func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {
            print("notified")
            exit(EXIT_SUCCESS)
        }
    }
    // A limit for hangs.
    alarm(300)
    // The process aborts on purpose: the runtime's crash report would take long.
    for number in [SIGABRT, SIGILL, SIGTRAP] { signal(number, SIG_DFL) }
    let queue = DispatchQueue(label: "events")
    let input = RLInputStream(data: Data([1]))
    let listener = Listener()
    queue.sync {
        input.delegate = listener
        RLReadStreamSetDispatchQueue(input, queue)
        input.open()
    }
    withExtendedLifetime(listener) {
        while true { pause() }
    }
}
