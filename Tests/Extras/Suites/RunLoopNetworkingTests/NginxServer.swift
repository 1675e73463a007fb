import FoundationEssentials
import Glibc
import ProcessKit
import RunLoopNetworking
import ServerKit

/// The distribution's nginx, with a directory of its own.
final class NginxServer: Sendable {
    struct Failure: Error {}

    /// Whether the packages nginx-light and tinyproxy are installed.
    static let isInstalled = find("nginx") != nil && find("tinyproxy") != nil

    private static func find(_ program: String) -> String? {
        ["/usr/sbin/\(program)", "/usr/bin/\(program)"].first { access($0, X_OK) == 0 }
    }

    let port: Int
    let securePort: Int
    let proxyPort: Int
    private let folder: String
    // Accepts nginx's connections, and never reads.
    private let silentBackend = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    private let processes: [BackgroundProcess]

    init() throws {
        var template = Array("/tmp/RunLoopNetworking.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil, let nginx = Self.find("nginx"),
            let proxy = Self.find("tinyproxy")
        else { throw Failure() }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let silentPort = bindToFreePort(silentBackend), listen(silentBackend, 16) == 0
        else { throw Failure() }
        let reserved = (0..<3).compactMap { _ in ReservedPort() }
        guard reserved.count == 3 else { throw Failure() }
        let ports = reserved.map(\.number)
        (port, securePort, proxyPort) = (ports[0], ports[1], ports[2])
        mkdir("\(folder)/files", 0o755)
        let files = [
            "server.pem": Certificates.server,
            "users": "user:{PLAIN}password\n",
            "files/small.txt": String(repeating: "x", count: 1024),
            "files/large.txt": String(repeating: "0123456789abcdef", count: 65536),
            "nginx.conf": Self.configuration(folder, port, securePort, silentPort),
            "proxy.conf": "Port \(proxyPort)\nListen 127.0.0.1\nMaxClients 100\nAllow 127.0.0.1\n",
        ]
        for (name, content) in files {
            try Data(content.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        processes = [
            try BackgroundProcess(
                program: nginx,
                ["-p", folder, "-c", "\(folder)/nginx.conf", "-e", "/dev/null"]
            ),
            try BackgroundProcess(program: proxy, ["-d", "-c", "\(folder)/proxy.conf"]),
        ]
        for port in ports { try Self.waitForListener(port) }
        withExtendedLifetime(reserved) {}
    }

    deinit {
        close(silentBackend)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func waitForListener(_ port: Int) throws {
        for _ in 0..<10000 {
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = in_port_t(port).bigEndian
            address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if result == 0 { return }
            // Time is the subject: nginx does not report that it listens.
            usleep(10000)
        }
        throw Failure()
    }

    func request(_ path: String, isSecured: Bool = false) throws -> RLHTTPRequest {
        let start = isSecured ? "https://127.0.0.1:\(securePort)/" : "http://127.0.0.1:\(port)/"
        guard let url = URL(string: start + path) else { throw Failure() }
        var request = RLHTTPRequest(url: url)
        if isSecured { request.security.authorities = [Data(Certificates.authority.utf8)] }
        return request
    }

    private static func configuration(
        _ folder: String,
        _ port: Int,
        _ securePort: Int,
        _ silentPort: Int
    ) -> String {
        """
        daemon off;
        master_process off;
        pid \(folder)/pid;
        worker_rlimit_nofile 8192;
        events { worker_connections 4096; }
        http {
            access_log off;
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            default_type text/plain;
            keepalive_requests 100000;
            gzip on;
            gzip_types text/plain;
            gzip_min_length 1;
            server {
                listen 127.0.0.1:\(port) backlog=4096;
                listen 127.0.0.1:\(securePort) ssl http2 backlog=4096;
                ssl_certificate \(folder)/server.pem;
                ssl_certificate_key \(folder)/server.pem;
                root \(folder)/files;
                location /protocol { return 200 "$server_protocol $connection"; }
                location /circle { return 302 /circle; }
                location /moved { return 301 /small.txt; }
                location /private {
                    auth_basic "private";
                    auth_basic_user_file \(folder)/users;
                    try_files /small.txt =404;
                }
                location /slow { limit_rate 256; try_files /small.txt =404; }
                location /silent { proxy_pass http://127.0.0.1:\(silentPort); }
                location /broken { proxy_pass http://127.0.0.1:1; }
                location /files { alias \(folder)/files; dav_methods PUT DELETE; }
            }
        }
        """
    }
}
