import Glibc
import ProcessKit
import RunLoopDiagnostics
import Testing

@testable import runloop

@Suite("The recording of a process")
struct RecordTests {
    @Test(
        "is summed up, drawn and written by 'runloop trace', of a stripped program too",
        arguments: [false, true]
    )
    func trace(isStripped: Bool) throws {
        let folder = try PortFolder()
        defer { withExtendedLifetime(folder) {} }
        let program = try Inspected("inspected-busy", isStripped: isStripped, in: folder)
        let (picture, events) = (folder.path + "/trace.svg", folder.path + "/trace.json")

        let trace = try ChildProcess(
            "trace",
            program.number,
            "--seconds",
            "1",
            "--svg",
            picture,
            "--json",
            events
        )

        #expect(trace.exitCode == 0)
        #expect(trace.output.contains("main loop \(program.number) “diagnostics-pro”: "))
        let line = Inspected.source.line(of: "{ _ in", after: "func beBusy()")
        #expect(trace.output.contains(" × timer closure #1 in beBusy at Inspected.swift:\(line): "))
        let script = """
            import json, sys
            events = json.load(open(sys.argv[1]))["traceEvents"]
            times = [event["ts"] for event in events if event["ph"] in "BE"]
            print(len(times) > 5, max(times) - min(times) <= 1e6)
            print(*{event["args"]["source"] for event in events if "source" in event.get("args", {})})
            """
        let check = try ChildProcess(path: "/usr/bin/python3", ["-c", script, events])
        #expect(check.output == "True True\n\(Inspected.source.path):\(line)\n")
        let lines = try ChildProcess(path: "/bin/cat", [picture]).output
        #expect(lines.hasPrefix("<svg ") && lines.hasSuffix("</svg>\n"))
        #expect(lines.contains("closure #1 in beBusy at Inspected.swift:\(line)\n"))
        #expect(!lines.contains("\u{2068}"))
    }

    @Test("names the work of an executor on a loop")
    func jobs() throws {
        let trace = try ChildProcess("trace", "pinned-actor")

        #expect(trace.output.contains("observer Swift concurrency jobs: "))
        #expect(!trace.output.contains("RLRunLoopExecutor"))
    }

    @Test(
        "is drawn as a flame graph of callbacks, with the lines at which they were seen",
        arguments: [false, true]
    )
    func flameGraph(isStripped: Bool) throws {
        let folder = try PortFolder()
        defer { withExtendedLifetime(folder) {} }
        let program = try Inspected("inspected-stalling", isStripped: isStripped, in: folder)
        let picture = folder.path + "/flame.svg"

        let trace = try ChildProcess(
            "trace",
            program.number,
            "--seconds",
            "3",
            "--flame",
            picture
        )

        #expect(trace.exitCode == 0)
        let script = """
            import sys, xml.etree.ElementTree as tree
            name = "{http://www.w3.org/2000/svg}"
            frames = {}
            for frame in tree.parse(sys.argv[1]).getroot().findall(name + "svg"):
                key = frame.find(name + "text").text
                frames[key] = (float(frame.get("y")), float(frame.get("width")))
                print(frame.find(name + "title").text.replace("\\n", "; "))
            inner, outer = frames["takeLong"], frames["closure #1 in stallAgainAndAgain"]
            print("nested:", inner[0] < outer[0] and 0 < inner[1] <= outer[1])
            """
        let output = try ChildProcess(path: "/usr/bin/python3", ["-c", script, picture]).output
        let line = Inspected.source.line(of: "usleep", after: "func takeLong()")
        #expect(output.hasPrefix("all callbacks; "), "\(output)")
        #expect(output.contains("\ntakeLong; "), "\(output)")
        #expect(output.contains("; Inspected.swift:\(line): "), "\(output)")
        #expect(output.hasSuffix("nested: True\n"), "\(output)")
    }

    @Test("is refused for the reasons of the other commands")
    func refusals() throws {
        #expect(try ChildProcess("trace", "99999999").exitCode == 66)
        #expect(try ChildProcess("stalls", "99999999").exitCode == 66)
        #expect(try ChildProcess("stalls", "1", "--threshold", "1").exitCode == 64)
        #expect(try ChildProcess("trace", "1", "--seconds", "0").exitCode == 64)
        #expect(try ChildProcess("trace", "nested", "--flame", "/dev/null").exitCode == 64)
    }

    @Test("has the callbacks that take too long, by 'runloop stalls'")
    func stalls() throws {
        let program = try Inspected("inspected-stalling")
        let tool = try ChildProcess.pathOfProduct("runloop")
        let stalls = try BackgroundProcess(
            program: tool,
            ["stalls", program.number, "--threshold", "20"]
        )
        // A callback that was already running when the monitor started has no number.
        var head = stalls.readLine()
        while head.map({ !$0.hasPrefix("stall ") }) ?? false { head = stalls.readLine() }
        var line = stalls.readLine()
        while line.map({ !$0.contains("  takeLong") && !$0.contains(".takeLong") }) ?? false {
            line = stalls.readLine()
        }
        let place = Inspected.source.place(of: "usleep", after: "func takeLong()")

        #expect(head?.contains(/^stall \d+: thread \d+ .*stalled for/) ?? false, "\(head ?? "")")
        #expect(line?.hasSuffix(" at \(place)") ?? false, "\(line ?? "nothing")")
    }

    @Test("has the callback that already hangs, by 'runloop stalls'")
    func hung() throws {
        let program = try Inspected("inspected-hung")
        let tool = try ChildProcess.pathOfProduct("runloop")
        let place = Inspected.source.place(of: "pause()", after: "func waitForEver()")
        // Until the callback has lasted for the threshold, and waits.
        var output = ""
        for _ in 0..<100 where !output.contains(" at \(place)\n") {
            output = try ChildProcess(
                path: tool,
                ["stalls", program.number, "--threshold", "50", "--seconds", "0"]
            ).output
        }

        #expect(output.contains("stall: thread \(program.number)"))
        #expect(output.contains("has been in a timer for "))
        #expect(output.contains(#/waitForEver\(\) -> \(\) \+ \d+ at (.+)\n/#), "\(output)")
        #expect(output.contains(" at \(place)\n"), "\(output)")
    }
}

@Suite("A flame graph") struct FlameGraphTests {
    @Test("is well-formed and has whole names, whatever is in them") func names() throws {
        let names = [
            #"operator<<(A &, "b") 'c' ]]></script>&amp;"#,
            "\u{0}\u{1B}[2J\u{9B}\n\u{202E}\u{FFFF}", String(repeating: "W", count: 300),
        ]

        let frames = try frames(names.map { (1, [$0]) })

        #expect(frames.count == 5)
        for name in names {
            let shown = printable(name).replacing("\u{FFFF}", with: "\u{FFFD}")
            let frame = "f own|\(shown)|\(shown)/1 samples, 33.3%"
            #expect(frames.contains(Substring(frame)), "\(frames)")
        }
    }

    @Test("has functions without their names, or hidden, until there is room for them")
    func small() throws {
        let frames = try frames([(9899, ["large"]), (100, ["narrow"]), (1, ["rare"])])

        #expect(frames.contains("f bare own|narrow|narrow/100 samples, 1.0%"), "\(frames)")
        #expect(frames.contains("f none own|rare|rare/1 samples, 0.0%"), "\(frames)")
    }

    @Test("distinguishes the program's functions from others, which may be more")
    func owners() throws {
        let frames = try frames([
            (2, ["lib.sleep", "lib.wait", "save"]), (1, ["lib.run", "load"]),
        ])

        let kinds = frames.map { $0.split(separator: "|").prefix(2).joined(separator: " ") }
        #expect(
            kinds == [
                "f other all callbacks", "f other thread 1 (main)", "f own save",
                "f other lib.wait",
                "f other lib.sleep", "f own load", "f other lib.run",
            ]
        )
    }

    @Test("has one box for functions without name and file, as in the kernel's page") func unknown()
        throws
    {
        let frames = try frames([(1, ["0x7ffe1", "save"]), (2, ["0x7ffe2", "save"])])

        let boxes = frames.filter { $0.contains("[unknown]") }
        #expect(boxes == ["f other|[unknown]|[unknown]/3 samples, 100%"])
    }

    @Test("is cut off where stacks are deeper than any that are taken") func depth() throws {
        let calls = [String](repeating: "recurse", count: 30_000)
        let text = picture([(1, ["innermost"] + calls + ["main"])])

        #expect(text.contains(">main</text>"))
        #expect(text.contains(">recurse</text>"))
        #expect(!text.contains(">innermost</text>"))
    }

    @Test("reports that there are no samples") func nothing() throws {
        let text = picture([])

        #expect(text.contains(">0 samples, 100 a second; no stack of a callback was seen<"))
        #expect(try frames([]).isEmpty)
    }

    /// The class, text and title of each box, with a slash for a newline.
    private func frames(_ stacks: [(count: Int, names: [String])]) throws -> [Substring] {
        let script = """
            import sys, xml.etree.ElementTree as tree
            name = "{http://www.w3.org/2000/svg}"
            for frame in tree.fromstring(sys.argv[1]).findall(name + "svg"):
                kind = frame.get("class") + " " + frame.find(name + "rect").get("class")
                title = frame.find(name + "title").text.replace("\\n", "/")
                print(kind, frame.find(name + "text").text, title, sep="|")
            """
        let check = try ChildProcess(path: "/usr/bin/python3", ["-c", script, picture(stacks)])
        try #require(check.exitCode == 0, "\(check.output)")
        return check.output.split(separator: "\n")
    }

    /// Draws stacks of functions, the innermost first, with their numbers of samples.
    private func picture(_ stacks: [(count: Int, names: [String])]) -> String {
        let names = Set(stacks.flatMap(\.names))
        let addresses = Dictionary(uniqueKeysWithValues: zip(names, 1...).map { ($0, "0x\($1)") })
        let samples = StackSamples(
            lost: 0,
            stacks: stacks.map { stack in
                .init(
                    thread: 1,
                    name: "main",
                    count: stack.count,
                    frames: stack.names.map { addresses[$0] ?? "" }
                )
            },
            functions: addresses.map { name, address in
                .init(
                    address: address,
                    name: name,
                    image: name.hasPrefix("0x")
                        ? nil : name.hasPrefix("lib.") ? "/lib/lib.so" : "/app"
                )
            }
        )
        return FlameGraph(samples, [:]).svg(title: "title", width: 1100)
    }
}
