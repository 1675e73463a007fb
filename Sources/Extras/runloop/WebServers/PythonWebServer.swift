import Glibc

/// Python's http.server, in a process of its own.
final class PythonWebServer: WebServer {
    let name = "Python's http.server"
    let port: Int
    private let process: pid_t
    private let output: CInt

    /// Nil if there is no Python.
    init?() {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        output = ends[0]
        let child = Self.spawn(["python3", "-u", "-c", script], writingTo: ends[1])
        close(ends[1])
        process = child ?? -1
        port = Int(Self.readLine(from: ends[0])) ?? 0
        if port == 0 {
            stop()
            return nil
        }
    }

    func waitForHangUp() -> Bool {
        Self.readLine(from: output) == "hung up"
    }

    func stop() {
        close(output)
        guard process > 0 else { return }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    private static func spawn(_ words: [String], writingTo end: CInt) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var child = pid_t()
        let arguments = words.map { strdup($0) } + [nil]
        defer {
            for argument in arguments { free(argument) }
        }
        let failure = posix_spawnp(&child, words[0], &actions, nil, arguments, environ)
        return failure == 0 ? child : nil
    }

    private static func readLine(from end: CInt) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(end, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }
}

private let script = """
    import http.server

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *arguments):
            pass

        def begin(self, name, value):
            self.send_response(200)
            self.send_header(name, value)
            self.end_headers()

        def do_GET(self):
            if self.path == "/text":
                self.begin("Content-Length", "\(WebPages.text.utf8.count)")
                self.wfile.write(b"\(WebPages.text)")
            elif self.path == "/chunks":
                self.begin("Transfer-Encoding", "chunked")
                for piece in [\(WebPages.chunks.map { "b'\($0)'" }.joined(separator: ", "))]:
                    self.wfile.write(b"%x\\r\\n%s\\r\\n" % (len(piece), piece))
                self.wfile.write(b"0\\r\\n\\r\\n")
            else:
                self.begin("Content-Length", "\(WebPages.halfLength * 2)")
                self.wfile.write(b"x" * \(WebPages.halfLength))
                self.connection.recv(1)
                self.close_connection = True
                print("hung up", flush=True)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
    """
