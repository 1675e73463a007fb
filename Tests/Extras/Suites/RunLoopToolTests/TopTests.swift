import FoundationEssentials
import Glibc
import ProcessKit
import Testing

@testable import runloop

@Suite("The command 'runloop top'")
struct TopTests {
    @Test(
        "writes lines where there is no terminal, of a stripped program too",
        arguments: [false, true]
    )
    func plain(isStripped: Bool) throws {
        let folder = try PortFolder()
        defer { withExtendedLifetime(folder) {} }
        let program = try Inspected("inspected-busy", isStripped: isStripped, in: folder)

        let top = try ChildProcess(
            "top",
            program.number,
            "--samples",
            "2",
            "--interval",
            "0.5"
        )

        #expect(top.exitCode == 0)
        let titles = top.lines.filter { $0.hasPrefix("process \(program.number) (") }
        #expect(titles.count == 2)
        #expect(titles.allSatisfy { $0.contains("): 2 run loops, load ") })
        #expect(top.output.contains(#/  main \d+ +default +\d+\.\d% +\d+(\.\d)?% +\d/#))
        #expect(top.output.contains(#/  worker \d+ +default +0\.0% /#))
        #expect(
            top.output.contains(
                #/% +\d+ +\d+(\.\d)?[um]?s  timer +Inspected.swift:\d+  closure #1 in beBusy/#
            )
        )
        // The timer's row: its interval and its lateness.
        #expect(
            top.output.contains(
                #/ 1\.0ms +[\d.]+ +[\d.]+[um]?s +[\d.]+[um]?s  Inspected.swift:\d+  closure #1/#
            )
        )
        // There are no escape sequences.
        #expect(!top.output.contains("\u{1B}"))
    }

    @Test("writes a sample as JSON in one line on a terminal too")
    func jsonOnTerminal() throws {
        let program = try Inspected("inspected-busy")
        let terminal = try PseudoTerminal(
            path: ChildProcess.pathOfProduct("runloop"),
            ["top", program.number, "--json", "--samples", "1", "--interval", "0.1"],
            width: 60,
            height: 24
        )

        #expect(terminal.waitForEnd() == 0)
        #expect(terminal.output.hasPrefix("{"))
        #expect(terminal.output.split(separator: "\r\n").count == 1)
    }

    @Test("writes a sample as JSON in a line")
    func json() throws {
        let program = try Inspected("inspected-busy")
        let tool = try ChildProcess.pathOfProduct("runloop")
        let script = """
            import json, subprocess, sys
            words = ["top", sys.argv[2], "--json", "--samples", "2", "--interval", "0.5"]
            lines = subprocess.check_output([sys.argv[1]] + words).splitlines()
            top = json.loads(lines[1])
            main = next(loop for loop in top["loops"] if loop["isMain"])
            timer = next(one for one in main["timers"] if one["interval"] == 0.001)
            function = main["functions"][0]
            print(len(lines), len(top["loops"]), top["process"] == int(sys.argv[2]))
            print(0 < main["busy"] < 1, main["passesPerSecond"] > 0, main["isTraced"])
            print(main["wakeUpsPerSecond"]["timer"] > 0, function["callsPerSecond"] > 0)
            print(function["name"], timer["name"], timer["meanLateness"] >= 0)
            print(*function["place"].values(), *timer["place"].values())
            """
        let check = try ChildProcess(
            path: "/usr/bin/python3",
            ["-c", script, tool, program.number]
        )
        let line = Inspected.source.line(of: "{ _ in", after: "func beBusy()")
        let place = "\(Inspected.source.path) \(line)"

        #expect(
            check.output == """
                2 2 True
                True True True
                True True
                closure #1 in beBusy closure #1 in beBusy True
                \(place) \(place)

                """
        )
    }

    @Test(
        "names the callback that hangs, also if it began before",
        arguments: [
            (
                "inspected-hung", "a timer", "closure #1 in hangInTimer", "{ _ in waitForEver()"
            ),
            (
                "inspected-hung-socket", "a port or descriptor", "closure #1 in hangInSocket",
                "  waitForEver()"
            ),
        ]
    )
    func hung(probe: String, phase: String, callback: String, line text: String) throws {
        let program = try Inspected(probe)

        // Until the callback has lasted for a quarter of a second.
        let path = try ChildProcess.pathOfProduct("runloop")
        let top = try BackgroundProcess(
            program: path,
            ["top", program.number, "--interval", "0.1"]
        )
        let line = lines(of: top).first { $0.contains("hangs: ") }

        let place = "Inspected.swift:\(Inspected.source.line(of: text))"
        let note = " in \(phase)  \(place)  \(callback)"
        #expect(line?.contains(#/hangs: [\d.]+m?s /#) ?? false, "\(line ?? "nothing")")
        #expect(line?.hasSuffix(note) ?? false, "\(line ?? "nothing")")
    }

    @Test("names the item that spins, and its place")
    func spinning() throws {
        let program = try Inspected("inspected-spinning")

        let path = try ChildProcess.pathOfProduct("runloop")
        let top = try BackgroundProcess(
            program: path,
            ["top", program.number, "--interval", "0.2"]
        )
        let line = lines(of: top).first { $0.contains("spins: ") } ?? "nothing"

        let place = Inspected.source.line(of: "{ _ in ringBell()", after: "func spinOnPipe()")
        let spin = #/spins: Inspected.swift:(\d+)  a port or descriptor is always ready in /#
        #expect(line.firstMatch(of: spin)?.output.1 == "\(place)", "\(line)")
        #expect(line.hasSuffix(" in closure #1 in spinOnPipe"), "\(line)")
    }

    @Test("ends with a line and a status when the process does")
    func endOfProcess() throws {
        var program: Inspected? = try Inspected("inspected-busy")
        let number = program?.number ?? ""
        let tool = try ChildProcess.pathOfProduct("runloop")
        let top = try BackgroundProcess(
            program: "/bin/sh",
            ["-c", "'\(tool)' top \(number) --interval 0.1 2>&1; echo $?"]
        )
        #expect(top.readLine()?.hasPrefix("process \(number)") ?? false)
        program = nil

        let last = Array(lines(of: top).suffix(2))
        #expect(last == ["runloop: process \(number) has ended", "70"])
        withExtendedLifetime(program) {}
    }

    @Test("measures a loop by the time between its own readings, not those of the process")
    func loopTimes() throws {
        // The second reading took a tenth of a second longer after the loop's counters.
        let before = try readings(time: 1_000_000_000, loopTime: 1_000_000_000, asleep: 0)
        let after = try readings(time: 2_100_000_000, loopTime: 2_000_000_000, asleep: 900_000_000)

        let loop = try #require(Rates(from: before, to: after).loops.first)

        #expect(loop.asleep == 0.9)
        #expect(loop.passesPerSecond == 0)
    }

    @Test(
        "shows a loop as spinning whose sleeps are short, however much of the time they take",
        arguments: [(passes: 650_000, isSpinning: true), (passes: 60_000, isSpinning: false)]
    )
    func shortSleeps(passes: Int, isSpinning: Bool) throws {
        let before = try readings(time: 1, loopTime: 1, asleep: 0, passes: 0)
        let after = try readings(
            time: 1_000_000_001,
            loopTime: 1_000_000_001,
            asleep: 640_000_000,
            passes: passes
        )

        let loop = try #require(Rates(from: before, to: after).loops.first)

        #expect(loop.spin == (isSpinning ? "a timer is always due in tick" : nil))
    }

    private func readings(
        time: Int,
        loopTime: Int,
        asleep: Int,
        phase: String = "sleep",
        function: String? = nil,
        passes: Int = 5
    ) throws -> Readings {
        let functions =
            passes == 5
            ? "[]"
            : """
            [{"name": "save", "kind": "timer", "calls": 1, "nanoseconds": 0, "longest": 0},
            {"name": "tick", "kind": "timer", "calls": \(passes), "nanoseconds": 0, "longest": 0},
            {"name": "look", "kind": "block", "calls": \(2 * passes), "nanoseconds": 0, "longest": 0}]
            """
        let names = function.map { name in
            """
            "callback": "\(name)", "longestFunction": "\(name)",
            """
        }
        let text = """
            {"process": 1, "time": \(time), "omittedLoops": 0, "loops": [{"thread": 1, "time": \(loopTime),
            "isMain": true, "isTraced": true, "lostEvents": 0, "phase": "\(phase)", \(names ?? "")
            "isInCallback": \(function != nil), "nanosecondsInPhase": 357000000, "longest": 357000001, "runs": 1, "passes": \(passes), "sleeps": 5,
            "nanosecondsAsleep": \(asleep), "nanosecondsRunning": 0, "functions": \(functions), "timers": [],
            "callbacks": {"observer": 0, "block": 0, "source0": 0, "source1": 0, "timer": \(passes), "mainQueue": 0},
            "wakeUps": {"timer": 0, "descriptor": 0, "wakeUp": 0, "mainQueue": 0, "timeout": 0}}]}
            """
        return try JSONDecoder().decode(Readings.self, from: Data(text.utf8))
    }

    @Test("shows where a loop hangs, and where it was longest, in 80 columns too")
    func narrowNotes() throws {
        let before = try readings(time: 1, loopTime: 1, asleep: 0)
        let name = "reloadTheWholeDocumentAndAllOfItsWindowsAfterAChange"
        let after = try readings(
            time: 2,
            loopTime: 2,
            asleep: 0,
            phase: "a timer",
            function: "\(name) and all that is in it",
            passes: 100
        )
        let place = Rates.Place(file: "/home/me/app/Document.swift", line: 42)
        var screen = TopScreen()
        screen.rates = Rates(from: before, to: after) { text, _ in (text, place) }

        func line(_ word: String) -> String {
            screen.lines(height: 24, width: 80).first { $0.text.contains(word) }?.text ?? ""
        }

        #expect(line("hangs: ").hasPrefix("    hangs: 357ms in a timer  Document.swift:42  rel"))
        #expect(line("hangs: ").count == 80)
        #expect(line("spins: ") == "    spins: Document.swift:42  a timer is always due in tick")
        #expect(screen.press(.enter) == .contents)
        #expect(line("longest: ").hasPrefix("    longest: Document.swift:42  reload"))
        #expect(line("longest: ").count == 80)
    }

    @Test("shows a timer that is overdue as due now, and so late at worst")
    func overdue() {
        func columns(due: Double?, worst: Double?) -> [Substring] {
            let timer = Rates.Timer(
                name: "tick",
                place: nil,
                modes: [],
                interval: 0,
                due: due,
                callsPerSecond: 0,
                meanLateness: worst,
                worstLateness: worst
            )
            return TopTable.row(of: timer).split(separator: " ")
        }
        #expect(columns(due: -2.5, worst: nil) == ["now", "once", "0", "-", "2.5s", "tick"])
        #expect(columns(due: -2.5, worst: 3) == ["now", "once", "0", "3.0s", "3.0s", "tick"])
        #expect(columns(due: 2.5, worst: 0) == ["2.5s", "once", "0", "0", "0", "tick"])
        #expect(columns(due: nil, worst: nil) == ["-", "once", "0", "-", "-", "tick"])
    }

    @Test("rejects invalid intervals and samples")
    func arguments() throws {
        #expect(try ChildProcess("top", "1", "--interval", "0").exitCode == 64)
        #expect(try ChildProcess("top", "1", "--samples", "0").exitCode == 64)
        #expect(try ChildProcess("top").exitCode == 64)
    }

    private func lines(of process: BackgroundProcess) -> some Sequence<String> {
        sequence(state: process) { $0.readLine() }
    }
}

@Suite("The screen of 'runloop top'")
struct TopScreenTests {
    @Test("shows loops, callbacks and timers, and gives the terminal back")
    func overview() throws {
        let program = try Inspected("inspected-busy")
        let terminal = try top(program)

        let lines = try terminal.frame { frame in
            frame.contains { $0.contains(#/timer {15}Inspected.swift:\d+  closure #1 in beBusy/#) }
        }
        try #require(lines.count == 24)
        #expect(lines[0].hasPrefix("runloop top: process \(program.number) ("))
        #expect(lines[1].hasPrefix("  LOOP "))
        #expect(lines[2].hasPrefix("> main \(program.number) "))
        #expect(lines[3].hasPrefix("  worker "))
        #expect(lines[23].hasPrefix("up/down pick  return open  s order: busy"))
        #expect(lines.allSatisfy { $0.count <= 100 })

        terminal.press("q")
        #expect(terminal.waitForEnd() == 0)
        #expect(terminal.output.hasSuffix("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"))
    }

    @Test("does not take the arrows of a key that is held for Escape") func held() throws {
        let program = try Inspected("inspected-busy")
        let terminal = try top(program)
        try terminal.frame { $0.count > 3 && $0[3].hasPrefix("  worker ") }
        terminal.press("\r")
        try terminal.frame { $0.contains { $0.hasPrefix("  MODE drawer: 1 item") } }

        // The keys are pending together.
        terminal.press(String(repeating: "\u{1B}[B", count: 30) + "p")
        let page = try terminal.frame { $0[0].hasSuffix("[paused]") }

        #expect(page.last?.hasPrefix("up/down scroll") ?? false)
        terminal.press("qq")
        #expect(terminal.waitForEnd() == 0)
    }

    @Test("stays while the process is stopped, whatever is pressed") func stopped() throws {
        let folder = try PortFolder()
        let program = try Inspected("inspected-busy", environment: [folder.variable])
        let tool = try ChildProcess.pathOfProduct("runloop")
        let terminal = try PseudoTerminal(
            path: "/usr/bin/env",
            [folder.variable, tool, "top", program.number, "--interval", "0.1"],
            width: 100,
            height: 24
        )
        try terminal.frame { $0.count > 3 && $0[3].hasPrefix("  worker ") }
        kill(try #require(pid_t(program.number)), SIGSTOP)
        // After the time-out of the reply.
        try terminal.frame { $0.contains { $0.hasSuffix("does not answer: is it stopped?") } }

        terminal.press("\r")
        try terminal.frame { $0.last?.hasPrefix("up/down scroll") ?? false }
        kill(try #require(pid_t(program.number)), SIGCONT)
        try terminal.frame { $0.contains { $0.hasPrefix("  MODE drawer: 1 item") } }
        terminal.press("qq")
        #expect(terminal.waitForEnd() == 0)
    }

    @Test("takes samples at the given interval") func interval() throws {
        let program = try Inspected("inspected-busy")
        // Time is the subject.
        let start = ContinuousClock.now
        let terminal = try PseudoTerminal(
            path: ChildProcess.pathOfProduct("runloop"),
            ["top", program.number, "--interval", "3", "--samples", "2"],
            width: 100,
            height: 24
        )

        #expect(terminal.waitForEnd() == 0)
        #expect(ContinuousClock.now - start >= .seconds(3))
    }

    @Test("picks a loop, opens it, changes the order and stands still")
    func keys() throws {
        let program = try Inspected("inspected-busy")
        let terminal = try top(program)
        try terminal.frame { $0.count > 3 && $0[3].hasPrefix("  worker ") }

        terminal.press("\u{1B}[B")
        try terminal.frame { $0[3].hasPrefix("> worker ") }
        terminal.press("k")
        try terminal.frame { $0[2].hasPrefix("> main ") }
        terminal.press("s")
        try terminal.frame { $0.last?.contains("s order: passes") ?? false }

        terminal.press("\r")
        let page = try terminal.frame { $0.contains { $0.hasPrefix("  MODE drawer: 1 item") } }
        #expect(page.contains { $0.hasPrefix("  source0 ") })
        #expect(page.last?.hasPrefix("up/down scroll") ?? false)
        terminal.press("q")
        try terminal.frame { $0.last?.hasPrefix("up/down pick") ?? false }

        terminal.press("p")
        try terminal.frame { $0[0].hasSuffix("[paused]") }
        terminal.press(" ")
        try terminal.frame { !$0[0].hasSuffix("[paused]") }
        // The interrupt character ends it too.
        terminal.press("\u{3}")
        #expect(terminal.waitForEnd() == 0)
        #expect(terminal.output.hasSuffix("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"))
    }

    @Test("shows entries that contain the filter, and all keys on a page")
    func filter() throws {
        let program = try Inspected("inspected-busy")
        let terminal = try top(program)
        try terminal.frame { $0.contains { $0.contains("closure #1 in beBusy") } }

        terminal.press("/WORKEX\u{7F}")
        let typed = try terminal.frame { $0.last?.hasPrefix("show names with: WORKE_") ?? false }
        #expect(typed[2].hasPrefix("> worker "))
        #expect(!typed.contains { $0.contains("main") || $0.contains("closure #1 in beBusy") })
        terminal.press("\r")
        try terminal.frame { $0[0].hasSuffix("  [WORKE]") }
        terminal.press("/\u{1B}")
        try terminal.frame { $0.count > 3 && $0[2].hasPrefix("  main ") }

        terminal.press("?")
        try terminal.frame { $0.contains { $0.contains("Control-Z") } }
        terminal.press("q")
        try terminal.frame { $0.last?.hasPrefix("up/down pick") ?? false }
        terminal.press("q")
        #expect(terminal.waitForEnd() == 0)
    }

    @Test("gives the terminal to the shell while it is stopped")
    func suspended() throws {
        let program = try Inspected("inspected-busy")
        let tool = try ChildProcess.pathOfProduct("runloop")
        let script = "set -m; '\(tool)' top \(program.number) --interval 0.1; echo ${?}; fg"
        let terminal = try PseudoTerminal(
            path: "/bin/bash",
            ["-c", script],
            width: 100,
            height: 24
        )
        try terminal.frame { $0.count == 24 }

        terminal.press("\u{1A}")
        // The exit status after SIGTSTP.
        try terminal.text("148\r\n")
        #expect(terminal.output.contains("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"))
        // Lines of wide characters may be too long, and must not wrap.
        try terminal.text("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[H")
        terminal.press("q")
        #expect(terminal.waitForEnd() == 0)
    }

    @Test("does not suspend without a shell that would continue it")
    func orphaned() throws {
        let program = try Inspected("inspected-busy")
        let terminal = try top(program)
        try terminal.frame { $0.count == 24 }

        terminal.press("\u{1A}")
        try terminal.text("\u{1B}[?1049l\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[H")
        terminal.press("q")
        #expect(terminal.waitForEnd() == 0)
    }

    @Test("writes lines on a terminal without cursor control")
    func dumb() throws {
        let program = try Inspected("inspected-busy")
        let tool = try ChildProcess.pathOfProduct("runloop")
        let terminal = try PseudoTerminal(
            path: "/usr/bin/env",
            ["TERM=dumb", tool, "top", program.number, "--samples", "1", "--interval", "0.1"],
            width: 80,
            height: 24
        )

        #expect(terminal.waitForEnd() == 0)
        #expect(terminal.output.hasPrefix("process \(program.number) ("))
        #expect(!terminal.output.contains("\u{1B}"))
    }

    @Test(
        "fits a window of any size",
        arguments: [(40, 8), (1, 1), (1000, 500)] as [(UInt16, UInt16)]
    )
    func resized(width: UInt16, height: UInt16) throws {
        let program = try Inspected("inspected-busy")
        let terminal = try top(program)
        try terminal.frame { $0.count == 24 }

        terminal.resize(width: width, height: height)

        let lines = try terminal.frame { $0.count == height }
        #expect(lines.allSatisfy { $0.count <= width })
        #expect(height < 2 || lines.last?.hasPrefix("up/down pick") ?? false)
        terminal.press("q")
        #expect(terminal.waitForEnd() == 0)
    }

    @Test("is left with a line when the process ends")
    func endOfProcess() throws {
        var program: Inspected? = try Inspected("inspected-busy")
        let number = program?.number ?? ""
        let terminal = try top(#require(program))
        try terminal.frame { $0.count > 3 && $0[3].hasPrefix("  worker ") }

        program = nil

        #expect(terminal.waitForEnd() == 70)
        let last = "\u{1B}[?1049lrunloop: process \(number) has ended\r\n"
        #expect(terminal.output.hasSuffix(last))
        withExtendedLifetime(program) {}
    }

    @Test(
        "reads the keys of a terminal",
        arguments: [
            ("q", [Terminal.Key.character("q")]),
            ("\u{1B}[A\u{1B}[1;5B", [.up, .down]),
            ("\u{1B}OA\r", [.up, .enter]),
            ("\u{1B}[5~\u{1B}[6~\u{1B}[3~\u{7F}", [.pageUp, .pageDown, .backspace]),
            ("\u{1B}", [.escape]),
            ("\u{15}ü€", [.character("ü"), .character("€")]),
            ("\u{1B}[", []),
        ]
    )
    func keyBytes(bytes: String, keys: [Terminal.Key]) {
        #expect(Terminal.keys(in: Array(bytes.utf8)[...]) == keys)
    }

    private func top(_ program: Inspected) throws -> PseudoTerminal {
        try PseudoTerminal(
            path: ChildProcess.pathOfProduct("runloop"),
            ["top", program.number, "--interval", "0.1"],
            width: 100,
            height: 24
        )
    }
}
