import RunLoopKit

/// The perform functions: a method is performed later, on another thread, or is cancelled.
struct PerformSample: Sample {
    let name = "perform"
    let summary = "methods performed after a delay, cancelled, and on another thread"

    func run(_ trace: Trace) throws {
        let player = Player(trace)
        player.perform(.play, with: "the second song", afterDelay: 0.06)
        player.perform(.play, with: "the first song", afterDelay: 0.03)
        player.perform(.play, with: "a song that is cancelled", afterDelay: 0.045)
        player.perform(.stop, afterDelay: 0)
        Player.cancelPreviousPerformRequests(
            withTarget: player,
            selector: .play,
            object: "a song that is cancelled"
        )
        trace.event("nothing is performed before the loop runs")
        RLRunLoop.current.run()

        let stage = RLPermanentThread(name: "stage")
        stage.execute { player.play("a song on another thread") }
        stage.execute(waitUntilDone: true) { player.stop() }
        stage.stop()
        stage.join()
        trace.expect([
            "nothing is performed before the loop runs", "stop", "play the first song",
            "play the second song", "play a song on another thread", "stop",
        ])
    }
}

private final class Player: RLObject, Sendable {
    private let trace: Trace

    init(_ trace: Trace) {
        self.trace = trace
    }

    func play(_ song: String) {
        trace.event("play \(song)")
    }

    func stop() {
        trace.event("stop")
    }
}

extension RLSelector where Target == Player {
    fileprivate static let play = RLSelector("play:", Player.play)
    fileprivate static let stop = RLSelector("stop", Player.stop)
}
