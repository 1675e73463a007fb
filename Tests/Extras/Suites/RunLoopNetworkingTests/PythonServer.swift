import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopNetworking
import ServerKit

/// A foreign server: Python's http.server, with a page for each behavior of a server.
final class PythonServer: Sendable {
    struct Failure: Error {}

    private let process: BackgroundProcess
    let port: Int
    private let isSecured: Bool

    /// Starts a server.
    ///
    /// With a certificate and its key in PEM it uses TLS. With frames, in hexadecimal digits, it
    /// uses HTTP/2 and only sends these frames.
    init(certificate: String? = nil, frames: String? = nil) throws {
        isSecured = certificate != nil
        let arguments = ["-u", "-c", script] + [certificate, frames].compactMap { $0 }
        process = try BackgroundProcess(program: "python3", arguments)
        guard let line = process.readLine(), let port = Int(line) else { throw Failure() }
        self.port = port
    }

    func url(_ path: String) throws -> URL {
        let scheme = isSecured ? "https" : "http"
        guard let url = URL(string: "\(scheme)://127.0.0.1:\(port)/\(path)") else {
            throw Failure()
        }
        return url
    }

    func request(_ path: String) throws -> RLHTTPRequest {
        var request = RLHTTPRequest(url: try url(path))
        if isSecured { request.security.authorities = [Data(Certificates.authority.utf8)] }
        return request
    }

    func resumePage() {
        process.write("go")
    }

    /// The next line of a page; for a closed connection, `gone` and the page.
    func nextWord() -> String {
        process.readLine() ?? "the server has ended"
    }
}

private let script = #"""
    import hashlib, http.server, os, socket, ssl, struct, sys, tempfile, threading, zlib

    turns = threading.Semaphore(0)
    lock = threading.Lock()
    connections = 0
    executions = 0

    def report(word):
        with lock:
            print(word, flush=True)

    def content(length):
        return bytes((i * 31 >> 3) & 255 for i in range(4096)) * (length // 4096)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        page = "nothing"

        def log_message(self, *arguments):
            pass

        def setup(self):
            global connections
            with lock:
                connections += 1
            super().setup()

        def handle(self):
            if len(sys.argv) <= 2:
                return super().handle()
            self.connection.sendall(bytes.fromhex(sys.argv[2]))
            while self.connection.recv(4096):
                pass

        def finish(self):
            try:
                super().finish()
            except OSError:
                pass
            if self.page != "raw":
                report("gone " + self.page)

        def do_GET(self):
            self.page, _, argument = self.path.strip("/").partition("?")
            try:
                getattr(self, "serve_" + self.page, self.serve_nothing)(argument)
            except OSError:
                self.close_connection = True

        # Refuses to be asked for leave to send a body: at once, or when it comes all the same.
        def handle_expect_100(self):
            if not self.path.endswith(("?refused", "?late")):
                return super().handle_expect_100()
            if self.path.endswith("?late"):
                self.rfile.read(1)
            self.head(417, Content_Length=0)
            if self.path.endswith("?late"):
                # Bytes that nobody reads have the kernel reset the connection, also before its answer is read.
                self.rfile.read(int(self.headers["Content-Length"]) - 1)
            return False

        def do_POST(self):
            self.do_GET()

        def do_PATCH(self):
            self.do_GET()

        def do_LINK(self):
            self.do_GET()

        def do_PUT(self):
            self.do_GET()

        def do_DELETE(self):
            self.do_GET()

        def do_HEAD(self):
            self.do_GET()

        # What has been sent after the head, which is read first.
        def sent(self):
            if self.headers["Transfer-Encoding"] != "chunked":
                return self.rfile.read(int(self.headers["Content-Length"] or 0))
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body

        def head(self, code, **fields):
            self.send_response(code)
            for name, value in fields.items():
                self.send_header(name.replace("_", "-"), str(value))
            self.end_headers()
            self.wfile.flush()

        def raw(self, data):
            self.wfile.write(data)
            self.wfile.flush()
            self.close_connection = True

        def serve_nothing(self, argument):
            body = b"there is no such page"
            self.head(404, Content_Length=len(body))
            self.wfile.write(body)

        # The connection is kept, whatever the client asked for.
        def serve_kept(self, argument):
            self.head(200, Content_Length=5, Content_Type="text/plain", X_Twice="a", x_tWICE="b")
            self.wfile.write(b"hello")
            self.close_connection = False

        def serve_echo(self, argument):
            self.sent()
            body = (self.requestline + "\n" + str(self.headers)).encode()
            self.head(200, Content_Length=len(body))
            self.wfile.write(body)

        # How many connections there have been.
        def serve_count(self, argument):
            body = str(connections).encode()
            self.head(200, Content_Length=len(body))
            self.wfile.write(body)

        # Closes the connection in place of an answer.
        def serve_unanswered(self, argument):
            global executions
            self.sent()
            with lock:
                executions += 1
            self.close_connection = True

        # How many requests of that page there have been.
        def serve_executions(self, argument):
            body = str(executions).encode()
            self.head(200, Content_Length=len(body))
            self.wfile.write(body)

        # The method, the type and the bytes of what has been sent.
        def serve_post(self, argument):
            sent = self.sent()
            body = f"{self.command} {self.headers['Content-Type']} ".encode() + sent
            self.head(200, Content_Length=len(body))
            self.wfile.write(body)

        # A response with the code that is named, to whatever has been sent.
        def serve_status(self, argument):
            self.sent()
            self.head(int(argument), Content_Length=0)

        # A server that asks for credentials by the method Digest.
        def serve_digest(self, argument):
            self.sent()
            given = self.headers["Authorization"] or ""
            digest = lambda text: hashlib.md5(text.encode()).hexdigest()
            proof = digest(":".join([digest("user:realm:password"), "once",
                                     digest(f"{self.command}:{self.path}")]))
            code = 200 if f'response="{proof}"' in given else 401
            self.head(code, Content_Length=0,
                      WWW_Authenticate='Digest realm="realm", nonce="once"')

        # To the page that is named, with all of the request.
        def serve_again(self, argument):
            self.sent()
            self.head(307, Content_Length=0, Location="/" + argument)

        # To what the request has sent, with the code that is named.
        def serve_moved(self, argument):
            self.sent()
            self.head(int(argument), Content_Length=0, Location="/echo")

        # Resets the connection when the test lets it continue.
        def serve_reset(self, argument):
            self.serve_kept(argument)
            turns.acquire()
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            os.close(self.connection.detach())
            self.close_connection = True

        # So many times, to this page.
        def serve_down(self, argument):
            left = int(argument)
            self.head(302 if left else 200, Content_Length=0, Location=f"/down?{left - 1}")

        # As a proxy it answers with the status that is the host's port; with 1 it closes the connection.
        def do_CONNECT(self):
            code = int(self.path.rpartition(":")[2])
            if code > 1:
                self.head(code, Content_Length=0)
            self.close_connection = True

        # To the same page under another name of this host.
        def serve_elsewhere(self, argument):
            place = f"http://localhost:{self.server.server_port}/echo"
            self.head(302, Content_Length=0, Location=place)

        def serve_large(self, argument):
            body = content(int(argument))
            self.head(200, Content_Length=len(body))
            self.wfile.write(body)

        def serve_chunked(self, argument):
            self.head(200, Transfer_Encoding="Chunked")
            body, size = content(int(argument)), 1
            while body:
                piece, body = body[:size], body[size:]
                self.wfile.write(b"%X;name=value\r\n%s\r\n" % (len(piece), piece))
                size = size * 3 + 1
            self.wfile.write(b"0\r\nX-Trailer: at the end\r\n\r\n")
            self.close_connection = False

        def serve_unlimited(self, argument):
            self.head(200)
            self.raw(content(int(argument)))

        # So many MiB of zeros, compressed.
        def serve_zeros(self, argument):
            packer = zlib.compressobj(9, zlib.DEFLATED, 31)
            body = b"".join(packer.compress(bytes(1 << 20)) for _ in range(int(argument)))
            body += packer.flush()
            self.head(200, Content_Length=len(body), Content_Encoding="gzip")
            self.wfile.write(body)

        def serve_interim(self, argument):
            self.raw(b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n"
                     b"HTTP/1.1 204 None\r\nContent-Length: 5\r\n\r\n")

        def serve_early(self, argument):
            self.head(200, Content_Length=1000)
            self.raw(b"too little")

        def serve_garbage(self, argument):
            self.raw(b"\x00\x01\x02 this is not HTTP")

        def serve_endless(self, argument):
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            while True:
                self.wfile.write(b"X-More: " + b"x" * 1000 + b"\r\n")

        # Sends until nobody takes more; then all the rest.
        def serve_much(self, argument):
            body, sent = content(int(argument)), 0
            self.head(200, Content_Length=len(body))
            self.connection.settimeout(0.3)
            try:
                while sent < len(body):
                    sent += self.connection.send(body[sent:sent + 65536])
            except TimeoutError:
                report("full")
            self.connection.settimeout(None)
            self.connection.sendall(body[sent:])

        # All of the body but a byte.
        def serve_lacking(self, argument):
            self.head(200, Content_Length=int(argument) + 1)
            self.raw(content(int(argument)))
            self.connection.recv(1)

        # Bytes in hexadecimal digits, and the end of the connection: with TLS with its own end or without.
        def serve_raw(self, argument):
            end, _, data = argument.partition(",")
            self.sent()
            self.raw(bytes.fromhex(data))
            if end == "notified":
                self.connection.unwrap()

        # One line of so many bytes in the head, or behind the body.
        def serve_line(self, argument):
            self.raw(b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * int(argument) + b"\r\n\r\n")

        def serve_trailer(self, argument):
            self.head(200, Transfer_Encoding="chunked")
            self.raw(b"1\r\nx\r\n0\r\nX-Long: " + b"x" * int(argument) + b"\r\n\r\n")

        # A field whose value continues in the next line.
        def serve_folded(self, argument):
            self.raw(b"HTTP/1.1 204 None\r\nX-Long: one\r\n \t two\r\nX-Short: x\r\n\r\n")

        # To another server.
        def serve_to(self, argument):
            self.head(302, Content_Length=0, Location=argument)

        # Half of the body, and nothing more until the client hangs up.
        def serve_half(self, argument):
            self.head(200, Content_Length=20000)
            self.raw(content(8192) + b"x" * 1808)
            self.connection.recv(1)

        def serve_silent(self, argument):
            report("asked")
            self.connection.recv(1)
            self.close_connection = True

        # One piece for each turn.
        def serve_pieces(self, argument):
            self.head(200, Content_Length=3000)
            for number in range(3):
                turns.acquire()
                self.wfile.write(b"%d" % number * 1000)
                self.wfile.flush()
                report("piece %d" % number)

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 200

        # Clients that leave, or refuse its certificate, are what tests are about.
        def handle_error(self, request, address):
            if not isinstance(sys.exc_info()[1], OSError):
                super().handle_error(request, address)

    server = Server(("127.0.0.1", 0), Handler)
    if len(sys.argv) > 1:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        with tempfile.NamedTemporaryFile("w") as file:
            file.write(sys.argv[1])
            file.flush()
            context.load_cert_chain(file.name)
        if len(sys.argv) > 2:
            context.set_alpn_protocols(["h2"])
        server.socket = context.wrap_socket(server.socket, server_side=True,
                                            do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    report(server.server_port)
    for line in sys.stdin:
        turns.release()
    os._exit(0)
    """#
