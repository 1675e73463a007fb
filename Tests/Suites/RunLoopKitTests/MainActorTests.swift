import FoundationEssentials
import ProcessKit
import RunLoopKit
import Testing

@Suite("On the main actor") struct MainActorTests {
    @Test("a class has its methods performed by the main loop, its timers and observers")
    func callbacks() throws {
        let run = try ChildProcess(product: "kit-probe", ["main-actor"])
        #expect(run.exitCode == 0, "\(run.output)")
        #expect(
            run.lines.dropLast() == [
                "performed", "performed in a mode", "of another thread", "timer", "observer",
                "in a nested run", "stopped: 7",
            ]
        )
    }

    @Test("a program whose default it is gives the main loop everything, with no word more")
    func isDefault() throws {
        let run = try ChildProcess(product: "main-actor-probe", [])
        #expect(run.exitCode == 0, "\(run.output)")
        #expect(
            run.lines.dropLast().sorted() == [
                "commit", "committed", "delayed", "descriptor", "idle", "message 7", "observer",
                "performed", "play later", "play on main", "signal", "source", "stream", "tick",
                "tick", "timer",
            ]
        )
    }

    @Test("an app whose default it is has streams, ports, timers and work of a worker serve it")
    func app() throws {
        let folder = try ChildProcess.pathOfProduct("")
        let words = folder + "main-actor-words.txt", noText = folder + "main-actor-no-text"
        try Data("one two\nthree".utf8).write(to: URL(filePath: words))
        try Data([0xFF]).write(to: URL(filePath: noText))
        let run = try ChildProcess(
            product: "main-actor-app",
            [words, noText, folder + "missing", words]
        )
        #expect(run.exitCode == 1, "\(run.output)")
        let lines = run.lines.dropLast().filter { !$0.hasSuffix("file(s) to go") }
        #expect(lines.suffix(2) == ["longest word: three", "total: 6"])
        #expect(
            lines.dropLast(2).sorted() == [
                "\(noText): unreadable", "\(words): 3", "\(words): 3",
                "\(folder)missing: unreadable",
            ]
        )
    }

    @Test("a method that a worker is to perform stops the process") func selector() throws {
        let run = try ChildProcess(product: "main-actor-probe", ["worker"])
        #expect(run.exitCode == 128 + 6)
        #expect(
            run.output.hasPrefix(
                "RunLoopKit: RLSelector: selector tick of Player is isolated to the main actor, but "
                    + "was performed on thread "
            ),
            "\(run.output)"
        )
    }

    @Test("what a loop keeps may be given, in a job that the main loop runs")
    func givesInJob() async {
        await useInJob()
    }

    @MainActor private func useInJob() {
        var count = 0
        let timer = RLTimer.scheduledTimer(withTimeInterval: 1000, repeats: true) { _ in count += 1
        }
        let loop: RLRunLoop = .main
        let observer = loop.observe(.exit) { _, _ in count += 1 }
        loop.perform(afterDelay: 1000) { count += 1 }.cancel()
        RLTransaction.current.addCompletion { count += 1 }
        RLTransaction.current.flush()
        observer.invalidate()
        timer.fire()
        timer.invalidate()
        #expect(count == 2)
    }
}
