import Glibc
import ProcessKit
import Testing

@Suite("The commands that inspect processes")
struct InspectTests {
    @Test("list a program that was started with the variable, and no other")
    func environment() throws {
        let open = try Inspected("inspected", environment: ["RUNLOOP_INSPECT=1"])
        let closed = try Inspected("inspected")
        let off = try Inspected("inspected", environment: ["RUNLOOP_INSPECT=0"])

        let list = try ChildProcess("list")

        #expect(list.exitCode == 0)
        let row = list.lines.first { numberOf($0) == open.number }.map(String.init) ?? ""
        let pattern = /^ *\d+ +1 +\d+(\.\d)?% +diagnostics-pro +\/.*\/diagnostics-probe$/
        #expect(row.contains(pattern), "\(row)")
        #expect(!list.lines.contains { numberOf($0) == closed.number })
        #expect(!list.lines.contains { numberOf($0) == off.number })
    }

    @Test("have no port and no thread in a program that did not start the inspector")
    func nothingOpen() throws {
        let open = try Inspected("inspected", environment: ["RUNLOOP_INSPECT=1"])
        let closed = try Inspected("inspected")

        // The thread that answers has its name.
        #expect(try ChildProcess("dump", open.number).exitCode == 0)
        #expect(threads(of: open).contains("rl-inspector"))
        #expect(!threads(of: closed).contains("rl-inspector"))
        // Both have the test's sockets.
        #expect(try sockets(of: open) > sockets(of: closed))
    }

    @Test("start and stop with the program's calls")
    func switched() throws {
        var program = try Inspected("inspected-switched")
        #expect(program.lines == ["false true true"])
        #expect(try ChildProcess("dump", program.number).exitCode == 0)

        program.write("stop")
        #expect(try ChildProcess("dump", program.number).exitCode == 69)
        #expect(!threads(of: program).contains("rl-inspector"))

        program.write("start")
        #expect(try ChildProcess("dump", program.number).exitCode == 0)
        #expect(program.lines == ["false true true", "stop false", "start true"])
    }

    @Test("stop before their thread has run its loop, without a hint")
    func briefly() throws {
        let program = try ChildProcess(product: "diagnostics-probe", ["inspected-briefly"])
        #expect(program.exitCode == 0 && program.output.isEmpty, "\(program.output)")
    }

    @Test("start only after they have stopped, if threads do both at the same time")
    func reopened() throws {
        let program = try Inspected("inspected-reopened")

        let dump = try ChildProcess("dump", program.number)
        #expect(dump.exitCode == 0)
        // A stale entry would expose its successor's loop.
        #expect(!dump.output.contains("rl-inspector"))
    }

    @Test("report that a stopped process does not answer, after waiting for it once")
    func stopped() throws {
        let folder = try PortFolder()
        let tool = try ChildProcess.pathOfProduct("runloop")
        let program = try Inspected("inspected-busy", environment: [folder.variable])
        let number = try #require(pid_t(program.number))
        kill(number, SIGSTOP)
        let line = "runloop: process \(program.number) does not answer: is it stopped?"

        // Time is the subject: the time-out is ten seconds.
        let start = ContinuousClock.now
        let stalls = try ChildProcess(
            path: "/usr/bin/env",
            [folder.variable, tool, "stalls", program.number]
        )
        #expect(ContinuousClock.now - start < .seconds(19))
        #expect(stalls.lines.first.map(String.init) == line)
        #expect(stalls.exitCode == 75)
        let list = try ChildProcess(path: "/usr/bin/env", [folder.variable, tool, "list"])
        #expect(list.lines.map(String.init).contains(line))
        #expect(list.exitCode == 0)
        kill(number, SIGCONT)
    }

    @Test("show where a main loop hangs")
    func hung() throws {
        let program = try Inspected("inspected-hung")
        let wait = Inspected.source.place(of: "pause()", after: "func waitForEver()")

        // The program is ready before it waits, and a busy machine may run it late.
        var dump = try ChildProcess("dump", program.number)
        for _ in 0..<100 where !dump.output.contains(" at \(wait)\n") {
            dump = try ChildProcess("dump", program.number)
        }

        #expect(dump.exitCode == 0)
        #expect(dump.output.hasPrefix("--- process \(program.number): 1 run loop\n"))
        let place = "thread \(program.number) (diagnostics-pro), main: is in a timer"
        #expect(dump.output.contains(place))
        let call = Inspected.source.place(of: "waitForEver()", after: "func hangInTimer()")
        #expect(
            dump.output.contains(
                #/\n  \d+ +diagnostics-probe  [^\n]*\.waitForEver\(\) -> \(\) \+ \d+ at /#
            )
        )
        #expect(dump.output.contains(" at \(wait)\n"), "\(dump.output)")
        #expect(dump.output.contains(" at \(call)\n"))
        #expect(dump.output.hasSuffix("--- end of run loops\n"))
        // The inspector's own loop is hidden.
        #expect(!dump.output.contains("rl-inspector"))
    }

    @Test("report a missing symbolizer, and name functions all the same")
    func withoutSymbolizer() throws {
        let program = try Inspected("inspected-hung")
        let tool = try ChildProcess.pathOfProduct("runloop")
        let advice = "runloop: no files and lines: install llvm-symbolizer "
        for words in [["dump"], ["top", "--samples", "1"], ["stalls", "--seconds", "0"]] {
            let child = try ChildProcess(
                path: "/usr/bin/env",
                ["PATH=/nowhere", tool, words[0], program.number] + words.dropFirst()
            )
            #expect(child.lines.count { $0.hasPrefix(advice) } == 1, "\(child.output)")
            #expect(child.output.contains("hangInTimer"), "\(child.output)")
            #expect(!child.output.contains("Inspected.swift:"), "\(child.output)")
        }
    }

    @Test("find nothing open in the child of a fork, until it starts the inspector")
    func forked() throws {
        let program = try Inspected("inspected-fork")

        #expect(program.lines == ["child false true"])
        let dump = try ChildProcess("dump", program.number)
        #expect(dump.output.hasPrefix("--- process \(program.number): "))
    }

    @Test("write the list as JSON")
    func json() throws {
        let program = try Inspected("inspected", environment: ["RUNLOOP_INSPECT=1"])
        let tool = try ChildProcess.pathOfProduct("runloop")
        let script = """
            import json, subprocess, sys
            rows = json.loads(subprocess.check_output([sys.argv[1], "list", "--json"]))
            row = next(row for row in rows if row["process"] == int(sys.argv[2]))
            print(sorted(row), row["loops"], row["load"] < 0.5)
            """
        let check = try ChildProcess(
            path: "/usr/bin/python3",
            ["-c", script, tool, program.number]
        )

        #expect(check.output == "['load', 'loops', 'name', 'process', 'program'] 1 True\n")
    }

    @Test("report in a line why a process cannot be inspected")
    func refusals() throws {
        let closed = try Inspected("inspected")

        let notAsked = try ChildProcess("dump", closed.number)
        #expect(notAsked.exitCode == 69)
        #expect(
            notAsked.output
                == "runloop: process \(closed.number) cannot be looked into: link RunLoopDiagnostics, "
                + "and start it with RUNLOOP_INSPECT=1 or have it call RLInspector.start()\n"
        )
        let unlinked = try BackgroundProcess(
            program: "/usr/bin/env",
            ["RUNLOOP_INSPECT=1", "/bin/sh", "-c", "echo $$; read line"]
        )
        let other = try #require(unlinked.readLine())
        #expect(
            try ChildProcess("top", other).output
                == "runloop: process \(other) cannot be looked into: it has RUNLOOP_INSPECT=1, but "
                + "links no RunLoopDiagnostics, or has stopped it\n"
        )
        // Process IDs are smaller.
        let missing = try ChildProcess("dump", "99999999")
        #expect(missing.exitCode == 66)
        #expect(missing.output == "runloop: there is no process 99999999\n")
        #expect(try ChildProcess("dump", "nonsense").exitCode == 64)
    }

    @Test("are refused by processes of other users")
    func otherUser() throws {
        // Only root can start one; for other users, the first process is root's.
        let words = ["--reuid=65534", "--clear-groups", "sh", "-c", "echo $$; read line"]
        let other =
            geteuid() == 0 ? try BackgroundProcess(program: "setpriv", words) : nil
        let look = try ChildProcess("dump", other?.readLine() ?? "1")

        #expect(look.exitCode == 77)
        #expect(look.output.hasSuffix(" is another user's\n"))
    }

    private func numberOf(_ row: Substring) -> String? {
        row.split(separator: " ").first.map(String.init)
    }

    private func threads(of program: Inspected) -> [Substring] {
        let line = "cat /proc/\(program.number)/task/*/comm"
        return (try? ChildProcess(path: "/bin/sh", ["-c", line]).lines) ?? []
    }

    private func sockets(of program: Inspected) throws -> Int {
        let folder = "/proc/\(program.number)/fd"
        let list = try ChildProcess(path: "/bin/ls", ["-l", folder])
        return list.lines.count { $0.contains("socket:") }
    }
}
