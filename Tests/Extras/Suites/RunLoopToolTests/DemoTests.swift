import Glibc
import ProcessKit
import RunLoopSamples
import Testing

@Suite("The command 'runloop demo'")
struct DemoTests {
    @Test("runs every sample, and has a line for each that did as it should")
    func tour() throws {
        let demo = try ChildProcess("demo")

        #expect(demo.exitCode == 0)
        #expect(demo.lines.dropLast(2).map(String.init) == Samples.all.map(Samples.line))
        #expect(demo.output.contains("\nAll \(Samples.all.count) samples as expected. "))
    }

    @Test("runs the named sample", arguments: Samples.all.map(\.name))
    func one(name: String) throws {
        let demo = try ChildProcess("demo", name)

        #expect(demo.exitCode == 0)
        #expect(demo.output.hasPrefix("== \(name): "))
        #expect(demo.output.hasSuffix("As expected.\n"))
    }

    @Test("has a file for each sample, which uses no other but that of its trace")
    func files() throws {
        let names = try ChildProcess(path: "/bin/ls", ["Sources/Samples/Tour"]).lines
            .filter { $0.hasSuffix("Sample.swift") && $0 != "Sample.swift" }
            .map { String($0.dropLast(".swift".count)) }
        #expect(names.count == Samples.all.count)
        for name in names {
            let path = "Sources/Samples/Tour/\(name).swift"
            let source = try ChildProcess(path: "/bin/cat", [path]).output
            // No other declaration may be visible to other files.
            let kinds = "class|struct|enum|actor|func|let|var|protocol|typealias"
            let shared = source.matches(
                of: try Regex("(?m)^(?:@\\S+ )*(?:final )?(?:\(kinds)) (\\w+)")
            )
            #expect(shared.map { $0.output[1].substring.map(String.init) } == [name])
            #expect(!source.contains("CLinux"))
            for other in names where other != name {
                #expect(!source.contains(try Regex("\\b\(other)\\b")), "\(name) uses \(other)")
            }
        }
    }

    @Test("shows the activities in the order and with the numbers of CF")
    func observers() throws {
        let demo = try ChildProcess("demo", "observers")

        let numbers = demo.lines.compactMap { $0.split(separator: " ").dropFirst().first }
            .compactMap { Int($0) }
        #expect(numbers == [1, 2, 4, 32, 64, 2, 4, 2, 4, 32, 64, 128])
    }

    @Test("keeps the clients of the echo server running, for top to show")
    func lasting() throws {
        let path = try ChildProcess.pathOfProduct("runloop")
        let demo = try BackgroundProcess(program: path, ["demo", "echo", "--seconds", "600"])
        let lines = sequence(state: demo) { $0.readLine() }
        let hint = lines.first { $0.contains("runloop top ") } ?? ""
        let number = hint.split(separator: " ").last.map(String.init) ?? ""
        #expect(lines.contains { $0.contains("all clients are connected") })

        let top = try ChildProcess("top", number, "--samples", "2", "--interval", "2")

        #expect(top.exitCode == 0)
        let last = top.output.split(separator: "process \(number) (").last ?? ""
        // The classes of server and clients, and the function of the timer that paces them.
        for name in ["EchoSession", "EchoClient", "EchoHall.clientIsOpen"] {
            #expect(last.contains(name), "\(last)")
        }
        #expect(!last.contains("EngineStream"), "\(last)")
        #expect(!last.contains("spins:"), "\(last)")
        withExtendedLifetime(demo) {}
    }

    @Test("ends the lasting echo sample as expected, and has none of other samples")
    func lastingEnd() throws {
        let demo = try ChildProcess("demo", "echo", "--seconds", "0.2")

        #expect(demo.exitCode == 0)
        #expect(demo.output.contains("  0 clients got others\n"))
        #expect(try ChildProcess("demo", "ping-pong", "--seconds", "1").exitCode == 64)
        #expect(try ChildProcess("demo", "echo", "--seconds", "-1").exitCode == 64)
    }

    @Test("rejects an unknown name, and names the list")
    func unknown() throws {
        let demo = try ChildProcess("demo", "nonsense")

        #expect(demo.exitCode != 0)
        #expect(demo.output.contains("There is no sample named 'nonsense'."))
        #expect(demo.output.contains("runloop demo --list"))
    }

    @Test("lists the samples")
    func list() throws {
        let demo = try ChildProcess("demo", "--list")

        #expect(demo.exitCode == 0)
        let names = demo.lines.map { line in String(line.prefix { $0 != " " }) }
        #expect(names == Samples.all.map(\.name) + [""])
        let columns = zip(demo.lines, Samples.all).map { line, sample in
            line.firstRange(of: sample.summary).map { line[..<$0.lowerBound].count }
        }
        #expect(Set(columns).count == 1)
    }
}

@Suite("The tool")
struct ToolTests {
    @Test("prints its version, which is that of the library for C")
    func version() throws {
        let version = try ChildProcess("--version")

        #expect(version.exitCode == 0)
        let name = version.output.split(separator: "\n").first.map(String.init) ?? ""
        let recipe = try ChildProcess(path: "/bin/cat", ["CSupport/CMakeLists.txt"]).output
        #expect(recipe.contains("project(CRunLoop VERSION \(name) "))
    }

    @Test("fails if its output cannot be written")
    func fullDevice() throws {
        let tool = try ChildProcess.pathOfProduct("runloop")
        let line = "'\(tool)' demo --list > /dev/full"
        let demo = try ChildProcess(path: "/bin/sh", ["-c", line])

        #expect(demo.exitCode == 74)
        #expect(demo.output == "runloop: cannot write: No space left on device\n")
    }

    @Test("documents its exit codes in its help")
    func help() throws {
        let help = try ChildProcess("--help")

        #expect(help.output.contains("The exit status is 0"))
        #expect(try ChildProcess("bench", "--nonsense").exitCode == 64)
    }
}

@Suite("The command 'runloop dump'")
struct DumpTests {
    @Test("prints the description of a loop with something in it")
    func description() throws {
        let dump = try ChildProcess("dump")

        #expect(dump.exitCode == 0)
        for field in [
            "RLRunLoop", "wakeup port", "current mode", "common modes", "common mode items",
            "name = tracking", "sources0", "sources1", "observers", "timers", "order = -1",
        ] {
            #expect(dump.output.contains(field), "\(field) is missing")
        }
    }

    @Test("names the functions that the loop calls, also those that are not exported")
    func names() throws {
        let dump = try ChildProcess("dump")

        let callouts = dump.output.matches(of: /callout = (.*?) \(0x/).map(\.output.1)
        #expect(callouts.count >= 4)
        #expect(callouts.allSatisfy { !$0.contains("?") }, "\(callouts)")
    }

    @Test("writes the same as JSON")
    func json() throws {
        let tool = try ChildProcess.pathOfProduct("runloop")
        let program = """
            import json, subprocess, sys
            dump = json.loads(subprocess.check_output([sys.argv[1], "dump", "--json"]))
            kinds = sorted(item["kind"] for item in dump["modes"]["tracking"])
            print(kinds, dump["statistics"]["runs"])
            functions = [item["function"] for mode in dump["modes"].values() for item in mode]
            print(all("runloop.DumpCommand.populate" in name for name in functions) or functions)
            """
        let check = try ChildProcess(path: "/usr/bin/python3", ["-c", program, tool])

        #expect(check.output == "['source0', 'source1', 'timer'] 1\nTrue\n")
    }

    @Test("prints the loop's statistics")
    func statistics() throws {
        let dump = try ChildProcess("dump")

        let rows = dump.lines.drop { !$0.hasPrefix("statistics of the loop of thread ") }
        #expect(rows.contains { $0.hasPrefix("    runs ") && $0.hasSuffix(" 1") })
        #expect(rows.contains { $0.hasPrefix("    source 0 calls ") && $0.hasSuffix(" 1") })
        #expect(rows.contains { $0.hasPrefix("    block calls ") && $0.hasSuffix(" 1") })
    }
}

@Suite("The command 'runloop bench'")
struct BenchTests {
    @Test("measures the chosen workloads on both loops")
    func one() throws {
        // The median of three: a sanitizer sometimes opens a file.
        let bench = try ChildProcess("bench", "--runs", "3", "--only", "descriptors of a loop")

        #expect(bench.exitCode == 0)
        // A loop that has slept has a wake-up port and an epoll set; the floor also has a timer
        // port.
        #expect(bench.output.contains(/descriptors of a loop +1 +2\.0 +- +3\.0 +0\.67/))
    }

    @Test("compares the loop while it is traced with itself")
    func traced() throws {
        let bench = try ChildProcess(
            "bench",
            "--runs",
            "3",
            "--only",
            "descriptors of a loop",
            "--traced"
        )

        #expect(bench.exitCode == 0)
        #expect(bench.output.contains(/traced +not traced +ratio/))
        // Tracing needs no descriptors.
        #expect(bench.output.contains(/descriptors of a loop +1 +2\.0 +2\.0 +1\.0/))
    }

    @Test("has dashes for workloads that need more processors")
    func looking() throws {
        let bench = try ChildProcess("bench", "--runs", "1", "--only", "looking first")

        #expect(bench.exitCode == 0)
        // All columns have figures, or none.
        let row = /looking first +1 +([0-9.]+ ns +[0-9.]+ ns +[0-9.]+ ns +[0-9.]+|- +- +- +-)/
        #expect(bench.output.contains(row))
    }

    @Test("names the limit of descriptors where a workload needs more")
    func descriptors() throws {
        let bench =
            "'\(try ChildProcess.pathOfProduct("runloop"))' bench --runs 1 --only '100 ready'"
        let limited = try ChildProcess(path: "/bin/sh", ["-c", "ulimit -n 64; exec \(bench)"])

        #expect(limited.exitCode == 0)
        let row = /100 ready descriptors, each +1000 +needs 10\d\d descriptors, and the limit is 64/
        #expect(limited.output.contains(row))
    }

    @Test("rejects a choice without workloads")
    func none() throws {
        #expect(try ChildProcess("bench", "--runs", "0").exitCode == 64)
        let bench = try ChildProcess("bench", "--only", "nosuch")
        #expect(bench.exitCode == 64)
        #expect(bench.output.contains("No workload's name contains 'nosuch'. There are:"))
        #expect(bench.output.contains("  descriptors of a loop"))
    }

    @Test("writes figures as JSON")
    func json() throws {
        let tool = try ChildProcess.pathOfProduct("runloop")
        let program = """
            import json, subprocess, sys
            arguments = ["bench", "--json", "--runs", "1", "--only", "descriptors of a loop"]
            process = subprocess.run([sys.argv[1]] + arguments, capture_output=True, text=True)
            table = json.loads(process.stdout)
            row = table["rows"][0]
            print(row["workload"], row["size"], row["figures"]["ours"], row["figures"]["floor"])
            print((table["build"] == "debug") == ("this is a debug build" in process.stderr))
            """
        let check = try ChildProcess(path: "/usr/bin/python3", ["-c", program, tool])

        #expect(check.output == "descriptors of a loop 1 2 3\nTrue\n")
    }
}

@Suite("The command 'runloop trace'")
struct TraceCommandTests {
    @Test("runs a sample, sums up the activity of its loops and writes the requested files")
    func files() throws {
        let base = "/tmp/rl-trace-command-\(getpid())"
        let (picture, events) = (base + ".svg", base + ".json")
        defer {
            unlink(picture)
            unlink(events)
        }
        let trace = try ChildProcess("trace", "nested", "--svg", picture, "--json", events)

        #expect(trace.exitCode == 0)
        #expect(trace.output.contains("   ok\n"))
        #expect(trace.output.contains("2 runs, "))
        let function = "closure #3 in NestedRunSample.run at NestedRunSample.swift:"
        #expect(trace.output.contains("1 × block \(function)"))
        let program =
            "import json, sys; print(len(json.load(open(sys.argv[1]))['traceEvents']) > 20)"
        let check = try ChildProcess(path: "/usr/bin/python3", ["-c", program, events])
        #expect(check.output == "True\n")
        let lines = try ChildProcess(path: "/bin/cat", [picture]).output
        #expect(lines.hasPrefix("<svg ") && lines.hasSuffix("</svg>\n"))
        #expect(lines.contains("run in modal"))
    }

    @Test("reports why a file cannot be written, and rejects invalid arguments")
    func refusals() throws {
        let unwritable = try ChildProcess("trace", "nested", "--svg", "/nowhere/f.svg")
        #expect(unwritable.exitCode == 73)
        // Before the sample runs.
        #expect(
            unwritable.output
                == "runloop: '/nowhere/f.svg' cannot be created: No such file or directory\n"
        )
        #expect(try ChildProcess("trace", "nonsense").exitCode != 0)
        #expect(try ChildProcess("trace", "nested", "--capacity", "1").exitCode != 0)
    }
}
