import CRunLoop.Wrapping
import Glibc
import ProcessKit
import RunLoopKit
import Testing

@testable import runloop

@Suite("Names that would control the terminal")
struct HostileNameTests {
    private let folder: PortFolder
    private let program: Inspected

    /// Hostile names for the program's file, and so its main thread, and for its other thread and
    /// its mode.
    init() throws {
        folder = try PortFolder()
        let path = folder.path + "/\u{1B}[2J\r\n\u{9B}3J\u{202E}"
        _ = try ChildProcess(
            path: "/bin/cp",
            [ChildProcess.pathOfProduct("diagnostics-probe"), path]
        )
        program = try Inspected("inspected-named", environment: [folder.variable], at: path)
    }

    @Test("are shown by 'list' in their line") func list() throws {
        let list = try run("list")

        #expect(list.exitCode == 0)
        try #require(list.lines.count == 3)
        let shown = #"\u{1b}[2J\r\n\u{9b}3J\u{202e}"#
        #expect(list.lines[1].hasSuffix("  \(folder.path)/\(shown)"), "\(list.lines[1])")
        expectHarmless(list.output)
    }

    @Test("are shown by 'top' in their lines") func top() throws {
        let top = try run("top", program.number, "--samples", "2", "--interval", "0.1")

        #expect(top.exitCode == 0)
        #expect(top.output.contains(#"  \u{1b}[2J\r\n"#))
        for line in top.lines where !line.isEmpty {
            #expect(line.hasPrefix("process ") || line.hasPrefix("  "), "\(line)")
        }
        expectHarmless(top.output)
    }

    @Test("are shown by the screen of 'top' in their lines") func screen() throws {
        let terminal = try PseudoTerminal(
            path: "/usr/bin/env",
            [folder.variable, tool(), "top", program.number, "--interval", "0.1"],
            width: 100,
            height: 30
        )
        let overview = try terminal.frame { $0.contains { $0.contains(#"  \u{1b}[2J\r\n"#) } }
        #expect(overview.count == 30)
        terminal.press("\r")
        let page = try terminal.frame { frame in
            frame.contains { $0.hasPrefix(#"  MODE mode\u{1b}[2J\r\n\u{9b}3J\u{202e}--- end"#) }
        }
        #expect(page.count == 30)
        terminal.press("p")
        terminal.press("qq")
        #expect(terminal.waitForEnd() == 0)
        // The output after the found frame has the same names.
        let controls = terminal.output.replacing(/\u{1B}\[(\?\d+[hl]|[0-9]*m|[HKJ])/, with: "")
            .replacing("\r\n", with: "\n").replacing("\r", with: "")
        expectHarmless(controls)
    }

    @Test("are shown by 'dump' in their lines") func dump() throws {
        let dump = try run("dump", program.number)

        #expect(dump.exitCode == 0)
        #expect(dump.lines.count { $0 == "--- end of run loops" } == 1)
        let mode = #"  mode mode\u{1b}[2J\r\n\u{9b}3J\u{202e}--- end of run loops: 0 version-0"#
        #expect(dump.lines.contains { $0.hasPrefix(mode) })
        #expect(dump.lines.contains { $0.contains(#" (\u{1b}[2J\r\n"#) && $0.hasPrefix("thread ") })
        expectHarmless(dump.output)
    }

    @Test("are shown by 'trace' in their lines") func trace() throws {
        let trace = try run("trace", program.number, "--seconds", "2")

        #expect(trace.exitCode == 0)
        #expect(trace.lines[0].hasPrefix(#"main loop \#(program.number) “\u{1b}[2J\r\n"#))
        expectHarmless(trace.output)
    }

    @Test("are shown by 'stalls' in their lines") func stalls() throws {
        let stalls = try BackgroundProcess(
            program: "/usr/bin/env",
            [folder.variable, tool(), "stalls", program.number, "--threshold", "20"]
        )
        let place = #", mode mode\u{1b}[2J\r\n\u{9b}3J\u{202e}--- end of run loops"#
        var lines: [String] = []
        repeat {
            try lines.append(#require(stalls.readLine()))
        } while !lines.contains { $0.hasPrefix("stall ") && $0.contains(place) }

        for line in lines where !line.isEmpty {
            #expect(line.hasPrefix("stall") || line.hasPrefix("  "))
        }
        expectHarmless(lines.joined(separator: "\n"))
    }

    @Test("are escaped in JSON", arguments: [["list"], ["top", "--samples", "1"]])
    func json(words: [String]) throws {
        let numbers = words[0] == "list" ? [] : [program.number]
        let script = """
            import json, subprocess, sys
            text = subprocess.check_output(sys.argv[1:]).decode()
            found = json.loads(text)
            name = (found[0] if isinstance(found, list) else found)["name"]
            print(ascii(name), text.isascii())
            """
        let check = try ChildProcess(
            path: "/usr/bin/env",
            [folder.variable, "python3", "-c", script, tool()] + words + ["--json"] + numbers
        )

        // The kernel keeps the first 15 bytes.
        #expect(check.output == #"'\x1b[2J\r\n\x9b3J\u202e' True"# + "\n")
    }

    private func tool() throws -> String { try ChildProcess.pathOfProduct("runloop") }

    private func run(_ words: String...) throws -> ChildProcess {
        try ChildProcess(path: "/usr/bin/env", [folder.variable, tool()] + words)
    }

    private func expectHarmless(_ output: String, _ location: SourceLocation = #_sourceLocation) {
        let harmful = output.unicodeScalars.filter {
            $0 != "\n" && $0.properties.generalCategory == .control || $0 == "\u{202E}"
        }
        #expect(harmful.isEmpty, sourceLocation: location)
    }
}

@Suite("Printable text")
struct PrintableTests {
    @Test(
        "has no control characters, ends of lines or turns of direction",
        arguments: [
            ("", ""), ("worker ä 🧵 \\", "worker ä 🧵 \\"), ("a\tb\r\nc", #"a\tb\r\nc"#),
            ("\u{0}\u{1B}\u{7F}", #"\u{0}\u{1b}\u{7f}"#),
            ("\u{80}\u{9F}\u{A0}", #"\u{80}\u{9f}"# + "\u{A0}"),
            (
                "\u{61C}\u{200E}\u{2028}\u{202A}\u{2069}",
                #"\u{61c}\u{200e}\u{2028}\u{202a}\u{2069}"#
            ),
            ("👩‍💻", "👩‍💻"), ("a\u{0}", #"a\u{0}"#),
        ]
    )
    func text(text: String, shown: String) {
        #expect(printable(text) == shown)
    }

    @Test(
        "shows bytes that are not UTF-8",
        arguments: [
            ([0x9B], #"\x9b"#), ([0xC3, 0x61], #"\xc3a"#), ([0xC0, 0x9B], #"\xc0\x9b"#),
            ([0xE0, 0x80, 0x9B], #"\xe0\x80\x9b"#), ([0xED, 0xA0, 0x80], #"\xed\xa0\x80"#),
            ([0xF0, 0x9F], #"\xf0\x9f"#), ([0xF4, 0x90, 0x80, 0x80], #"\xf4\x90\x80\x80"#),
        ] as [([UInt8], String)]
    )
    func bytes(bytes: [UInt8], shown: String) {
        let characters = bytes.map { CChar(bitPattern: $0) } + [0]
        let text = RLTextCopyPrintable(characters, bytes.count)
        defer { free(text) }
        #expect(text.map { String(cString: $0) } == shown)
    }
}
