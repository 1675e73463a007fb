// A program like new apps, whose default isolation is the main actor.

import FoundationEssentials
import Glibc
import RunLoopKit

final class Player: RLObject, RLStreamDelegate, RLPortDelegate, RLCommitting {
    private(set) var count = 0
    private let input = RLInputStream(data: Data([1]))
    private let port = RLPort()
    private let queue = RLIdleQueue()

    func tick() { note("tick") }
    func play(_ song: String) { note("play \(song)") }

    func stream(_ stream: RLStream, handle event: RLStream.Event) {
        if event == .hasBytesAvailable {
            note("stream")
            stream.close()
        }
    }

    func handle(_ message: RLPortMessage) { note("message \(message.msgid)") }
    func commitChanges() { note("commit") }

    /// Passes an item of each kind to the main loop.
    func start() {
        RLTimer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in self.note("timer") }
        RLTimer.scheduledTimer(
            timeInterval: 0,
            target: self,
            selector: .tick,
            userInfo: nil,
            repeats: false
        )
        let loop: RLRunLoop = .main
        loop.observe(.exit, repeats: false) { _, _ in self.note("observer") }
        loop.perform(afterDelay: 0) { self.note("delayed") }
        RLRunLoop.main.perform { self.note("performed") }
        perform(.tick, afterDelay: 0)
        perform(.play, with: "later", afterDelay: 0)
        performSelector(onMainThread: .play, with: "on main", waitUntilDone: false)
        RLTransaction.current.setNeedsCommit(self)
        RLTransaction.current.addCompletion { self.note("committed") }
        queue.add { self.note("idle") }
        input.delegate = self
        input.schedule(in: .main, forMode: .default)
        input.open()
        port.setDelegate(self)
        loop.add(port, forMode: .default)
        port.send(before: .distantFuture, msgid: 7)
        RLRunLoop.main.observe(signals: [SIGUSR1]) { source, _ in
            self.note("signal")
            source.invalidate()
        }
        kill(getpid(), SIGUSR1)
        var ends: [CInt] = [0, 0]
        pipe(&ends)
        close(ends[1])
        RLRunLoop.main.observe(descriptor: ends[0]) { source, _ in
            self.note("descriptor")
            source.invalidate()
        }
        RLRunLoop.main.addSource { source in
            self.note("source")
            source.invalidate()
        }
        .signal()
    }

    private func note(_ what: String) {
        count += 1
        print(what)
        // The exit observer has not been called yet.
        if count == 15 { RLRunLoop.main.stop() }
    }
}

extension RLSelector where Target == Player {
    static let tick = RLSelector("tick", Player.tick)
    static let play = RLSelector("play:", Player.play)
}

let player = Player()
if CommandLine.arguments.count > 1 {
    // The process aborts on purpose: the runtime's crash report would take long.
    signal(SIGABRT, SIG_DFL)
    // A worker must not call a method of the main actor.
    let worker = RLPermanentThread(name: "worker")
    player.perform(.tick, on: worker, waitUntilDone: true)
} else {
    player.start()
    RLRunLoop.main.runUntilStopped()
}
