import FoundationEssentials
import Glibc
import ProcessKit
import Testing

/// Starts a program of `Sources/Samples/Programs`, connected to the test through its standard input
/// and output.
private func start(_ name: String, _ arguments: String...) throws -> BackgroundProcess {
    try BackgroundProcess(program: ChildProcess.pathOfProduct(name), arguments)
}

extension BackgroundProcess {
    /// Reads lines until one contains a text.
    fileprivate func waitForLine(with text: String) throws {
        while true {
            let line = try #require(readLine(), "no line has \(text)")
            if line.contains(text) { return }
        }
    }
}

@Suite("The terminal multiplexer") struct TerminalMultiplexerTests {
    @Test("shows one command, gives it the keys, and shows another at a key") func panes() throws {
        let screen = try start(
            "terminal-multiplexer",
            "cat",
            "test -t 0 && echo in a terminal; read line; echo \"read $line\"; exit 3"
        )
        try screen.waitForLine(with: "[1] cat")
        screen.write("some words")
        // The terminal's echo, and then cat's output.
        try screen.waitForLine(with: "some words")
        try screen.waitForLine(with: "some words")
        screen.write("\u{1}2typed")
        try screen.waitForLine(with: "[2] test")
        try screen.waitForLine(with: "in a terminal")
        try screen.waitForLine(with: "read typed")
        // The command in the other window has ended.
        try screen.waitForLine(with: "[1] cat")
        screen.write("\u{1}q")
        #expect(try screen.exitCode() == 128 + SIGHUP)
    }

    @Test("hangs up on its commands at SIGTERM, and ends when they have") func signals() throws {
        let command = "trap 'echo hung up; exit 4' HUP; echo ready; while :; do sleep 0.01; done"
        let screen = try start("terminal-multiplexer", command)
        try screen.waitForLine(with: "ready\r")
        screen.receive(SIGTERM)
        try screen.waitForLine(with: "hung up\r")
        #expect(try screen.exitCode() == 4)
    }
}

/// A web server that prints its port, and runs until EOF of its standard input.
private let webServer = """
    import http.server, sys, threading
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200); self.send_header("Content-Length", "0"); self.end_headers()
        def log_message(self, *words): pass
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.readline()
    """

@Suite("The periodic job") struct PeriodicJobTests {
    @Test("reports a server that goes away, and ends at SIGTERM") func server() throws {
        let server = try BackgroundProcess(program: "python3", ["-c", webServer])
        let port = try #require(server.readLine())
        let job = try start("periodic-job", "http://127.0.0.1:\(port)/", "0.05")
        #expect(job.readLine() == "well")
        server.write("end")
        try job.waitForLine(with: "failing(")
        job.receive(SIGTERM)
        try job.waitForLine(with: "ended")
        #expect(try job.exitCode() == 0)
    }
}

@Suite("The supervisor") struct SupervisorProgramTests {
    @Test("ends its command by a signal that is blocked in itself") func signals() throws {
        let supervisor = try start("supervisor", "1000", "sh", "-c", "echo ready; exec sleep 1000")
        try supervisor.waitForLine(with: "ready")
        supervisor.receive(SIGTERM)
        try supervisor.waitForLine(with: "sent signal \(SIGTERM)")
        try supervisor.waitForLine(with: "ended by signal \(SIGTERM)")
        #expect(try supervisor.exitCode() == 1)
    }
}

/// A directory for the files of a test, deleted with the object.
private final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/examples-XXXXXX".utf8CString)
        path = String(cString: try #require(mkdtemp(&template)))
    }

    deinit {
        _ = try? ChildProcess(path: "/bin/rm", ["-r", path])
    }
}

@Suite("The chat server") struct ChatServerTests {
    @Test("gives each guest's lines to all, by TLS, and ends at SIGTERM") func guests() throws {
        let folder = try Folder()
        let pem = "\(folder.path)/server.pem"
        let certificate = try ChildProcess(
            path: "/usr/bin/env",
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost", "-addext",
                "subjectAltName=DNS:localhost", "-keyout", pem, "-out", "\(pem).crt",
            ]
        )
        #expect(certificate.exitCode == 0, "\(certificate.output)")
        _ = try ChildProcess(path: "/bin/sh", ["-c", "cat \(pem).crt >> \(pem)"])

        let server = try start("chat-server", "0", pem)
        let line = try #require(server.readLine())
        let port = try #require(line.split(separator: ":").last)
        let guests = try ["ada", "bob"].map { name in
            let guest = try BackgroundProcess(
                program: "openssl",
                [
                    "s_client", "-quiet", "-verify_return_error", "-verify_quiet", "-CAfile",
                    "\(pem).crt", "-connect", "localhost:\(port)",
                ]
            )
            guest.write(name)
            #expect(guest.readLine() == "\(name) enters")
            return guest
        }
        #expect(guests[0].readLine() == "bob enters")
        guests[1].write("hello")
        for guest in guests { #expect(guest.readLine() == "bob: hello") }
        server.receive(SIGTERM)
        #expect(try server.exitCode() == 0)
    }
}

@Suite("The work queue") struct WorkQueueTests {
    @Test("adds up each file, and reports unreadable ones") func files() throws {
        let folder = try Folder()
        for name in ["a", "b"] {
            try "\(name)\(name)".write(
                toFile: "\(folder.path)/\(name)",
                atomically: false,
                encoding: .utf8
            )
        }
        let queue = try start("work-queue", "/nonexistent", "\(folder.path)/b", "\(folder.path)/a")
        #expect(queue.readLine() == "unreadable /nonexistent")
        #expect(queue.readLine() == "194 \(folder.path)/a")
        #expect(queue.readLine() == "196 \(folder.path)/b")
        #expect(try queue.exitCode() == 0)
    }

    @Test("ends at Control-C with what is done") func cancelling() throws {
        let folder = try Folder()
        let pipe = "\(folder.path)/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        let queue = try start("work-queue", pipe)
        // `open` returns when a worker has opened the other end.
        let end = open(pipe, O_WRONLY | O_CLOEXEC)
        #expect(write(end, "abc", 3) == 3)
        // The worker reads, and waits for more.
        var left: CInt = 1
        while ioctl(end, UInt(FIONREAD), &left) == 0, left > 0 { sched_yield() }
        queue.receive(SIGINT)
        #expect(queue.readLine() == "stopping: 1 to finish")
        close(end)
        #expect(queue.readLine() == "294 \(pipe)")
        #expect(try queue.exitCode() == 130)
    }
}

@Suite("The log follower") struct LogFollowerTests {
    @Test("follows a file that is made, truncated and rotated") func rotation() throws {
        let folder = try Folder()
        let path = "\(folder.path)/log"
        let follower = try start("log-follower", path)
        func add(_ text: String) {
            let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            #expect(write(file, text, text.utf8.count) == text.utf8.count)
            close(file)
        }
        add("one\nhalf a ")
        #expect(follower.readLine() == "one")
        add("line\n")
        #expect(follower.readLine() == "half a line")
        #expect(truncate(path, 0) == 0)
        add("two\n")
        #expect(follower.readLine() == "two")

        // Like logrotate: the program writes to the old file until it opens the new one.
        let old = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        #expect(rename(path, "\(path).1") == 0)
        #expect(write(old, "late\n", 5) == 5)
        close(old)
        #expect(follower.readLine() == "late")
        add("three\n")
        #expect(follower.readLine() == "three")
        follower.receive(SIGTERM)
        #expect(try follower.exitCode() == 0)
    }

    /// A step of a rotation; returns the line that it adds, if any.
    typealias Step = @Sendable (LogFolder) throws -> String?

    /// Ways to rotate a log; in some the program still writes to the old file.
    static let rotations: [(String, String, [Step])] = [
        ("created late", "log", [{ $0.add("one", to: "log") }, { $0.add("two", to: "log") }]),
        (
            "renamed", "log",
            [
                { $0.add("one", to: "log") },
                { try $0.move("log", to: "old", lastLine: "late") },
                { $0.add("two", to: "log") }, { $0.add("three", to: "log") },
            ]
        ),
        (
            "truncated", "log",
            [
                { $0.add("a long line", to: "log") },
                { folder in
                    truncate(folder.path("log"), 0)
                    return folder.add("two", to: "log")
                },
            ]
        ),
        (
            "replaced", "log",
            [
                { $0.add("one", to: "log") },
                { folder in
                    let line = folder.add("two", to: "new")
                    rename(folder.path("new"), folder.path("log"))
                    return line
                },
                { $0.add("three", to: "log") },
            ]
        ),
        (
            "behind a link that is replaced", "current",
            [
                { folder in
                    folder.link("current", to: "monday")
                    return folder.add("one", to: "monday")
                },
                { folder in
                    folder.link("current", to: "tuesday")
                    return folder.add("two", to: "tuesday")
                },
                { $0.add("three", to: "tuesday") },
            ]
        ),
        (
            "renamed behind a link", "current",
            [
                { folder in
                    mkdir(folder.path("real"), 0o700)
                    folder.link("current", to: "real/log")
                    return folder.add("one", to: "real/log")
                },
                { try $0.move("real/log", to: "real/old", lastLine: "late") },
                { $0.add("two", to: "real/log") }, { $0.add("three", to: "real/log") },
            ]
        ),
        (
            "created late behind a link", "current",
            [
                { folder in
                    folder.link("current", to: "real/log")
                    return nil
                },
                { folder in
                    mkdir(folder.path("real"), 0o700)
                    return folder.add("one", to: "real/log")
                },
                { $0.add("two", to: "real/log") },
            ]
        ),
        (
            "in a directory that is a link", "current/log",
            [
                { folder in
                    for name in ["first", "second"] { mkdir(folder.path(name), 0o700) }
                    folder.link("current", to: "first")
                    return folder.add("one", to: "first/log")
                },
                { folder in
                    let line = folder.add("two", to: "second/log")
                    folder.link("current", to: "second")
                    return line
                },
                { $0.add("three", to: "second/log") },
            ]
        ),
    ]

    @Test("prints what tail prints", arguments: rotations.indices) func sameAsTail(_ index: Int)
        throws
    {
        let (name, path, steps) = Self.rotations[index]
        let folder = try LogFolder()
        // The first step of a link makes its directories, which a follower needs.
        let first = try path == "log" ? nil : steps[0](folder)
        let follower = try start("log-follower", folder.path(path))
        // With polling, as tail itself does for links: with inotify it misses changes of
        // directories.
        let tail = try BackgroundProcess(
            program: "tail",
            ["-n", "+1", "-s", "0.02", "---disable-inotify", "-F", folder.path(path)]
        )
        func expect(_ line: String?) throws {
            guard let line else { return }
            #expect(
                try [#require(tail.readLine()), #require(follower.readLine())] == [line, line],
                "\(name)"
            )
        }
        try expect(first)
        for step in steps.dropFirst(path == "log" ? 0 : 1) { try expect(step(folder)) }
        follower.receive(SIGTERM)
        #expect(try follower.exitCode() == 0)
    }
}

final class LogFolder {
    private let folder: Folder

    init() throws {
        folder = try Folder()
    }

    func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    func add(_ line: String, to name: String) -> String {
        let file = open(path(name), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        #expect(write(file, "\(line)\n", line.utf8.count + 1) == line.utf8.count + 1)
        close(file)
        return line
    }

    /// Creates a link, or replaces an existing one atomically.
    func link(_ name: String, to target: String) {
        symlink(target, path("link"))
        rename(path("link"), path(name))
    }

    /// Renames a log, and appends a line to the renamed file.
    func move(_ name: String, to other: String, lastLine: String) throws -> String {
        let file = open(path(name), O_WRONLY | O_APPEND | O_CLOEXEC)
        defer { close(file) }
        #expect(rename(path(name), path(other)) == 0)
        #expect(write(file, "\(lastLine)\n", lastLine.utf8.count + 1) > 0)
        return lastLine
    }
}

/// A web server for downloads, until EOF of its standard input: `/left` and `/right` wait for each
/// other, and `/slow` does not end.
private let fileServer = """
    import http.server, sys, threading
    both = threading.Barrier(2)
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            name = self.path[1:]
            if name in ("left", "right"): both.wait()
            if name == "missing": return self.send_error(404)
            self.send_response(200)
            self.send_header("Content-Length", "1000000" if name == "slow" else str(len(name)))
            self.end_headers()
            self.wfile.write(name.encode())
            self.wfile.flush()
            if name == "slow": self.rfile.read(1)
        def log_message(self, *words): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.readline()
    """

@Suite("The downloader") struct DownloaderTests {
    private let folder: Folder
    private let server: BackgroundProcess
    private let address: String

    init() throws {
        folder = try Folder()
        server = try BackgroundProcess(program: "python3", ["-c", fileServer])
        address = "http://127.0.0.1:\(try #require(server.readLine()))"
    }

    private func content(of name: String) -> String? {
        try? String(contentsOfFile: "\(folder.path)/\(name)", encoding: .utf8)
    }

    @Test("gets files at a time, and fails if one is missing") func files() throws {
        let pair = try start("downloader", folder.path, "\(address)/left", "\(address)/right")
        let lines = [pair.readLine(), pair.readLine()]
        #expect(Set(lines) == ["left: 4 bytes", "right: 5 bytes"])
        #expect(try pair.exitCode() == 0)
        #expect(content(of: "left") == "left" && content(of: "right") == "right")

        let missing = try start("downloader", folder.path, "\(address)/missing")
        #expect(missing.readLine() == "missing: 404 Not Found")
        #expect(try missing.exitCode() == 1)
        #expect(content(of: "missing") == nil && content(of: "missing.part") == nil)
    }

    @Test("ends at Control-C with what is there") func cancelling() throws {
        let program = try start("downloader", folder.path, "\(address)/slow", "\(address)/file")
        #expect(program.readLine() == "file: 4 bytes")
        program.receive(SIGINT)
        #expect(program.readLine() == "slow: the request was cancelled")
        #expect(try program.exitCode() == 130)
        #expect(content(of: "file") == "file" && content(of: "slow") == nil)
    }
}

@Suite("The program of README.md") struct CountdownTests {
    @Test("is the one that is built, and prints what the page shows") func page() throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let page = try String(contentsOfFile: "\(root)/README.md", encoding: .utf8)
        let source = try String(
            contentsOfFile: "\(root)/Sources/Samples/Programs/Countdown.swift",
            encoding: .utf8
        )
        let program = try ChildProcess(product: "countdown", [])
        #expect(program.exitCode == 0)
        #expect(page.contains("```swift\n\(source)```\n"))
        #expect(page.contains("```\n\(program.output)```\n"))
    }
}
