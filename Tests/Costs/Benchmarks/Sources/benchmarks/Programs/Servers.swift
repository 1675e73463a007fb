// Serving connections.

import Programs

extension Program {
    /// Programs that serve connections of another process.
    static var servers: [Program] {
        [
            Program("echo of 64 B", connections: [1, 100, 1000, 10_000]) {
                measure_echo($0, $1, 64, $2, $3)
            },
            Program("echo of 16 KiB", connections: [100]) { measure_echo($0, $1, 16384, $2, $3) },
            Program("connection that comes and goes", connections: [100]) {
                measure_accepting($0, $1, $2, $3)
                return true
            },
            Program("MiB received on one connection", connections: [1]) {
                measure_bulk($0, $1, $3)
                return true
            },
        ]
    }

    /// Programs that serve connections by TLS.
    static var securedServers: [Program] {
        let ways: [(name: String, serve: server?, thread: serving_thread)] = [
            ("floor", floor_tls_server, ON_OWN_THREAD),
            ("RLReadStream", stream_tls_server, ON_OWN_THREAD),
            ("RLReadStream on main", stream_tls_server, ON_MAIN_THREAD),
        ]
        return [
            Program("TLS handshake", connections: [1], ways) {
                measure_handshakes($0, $1, $3)
                return true
            },
            Program("MiB received by TLS", connections: [1], ways) {
                measure_secured_bulk($0, $1, $3)
                return true
            },
        ]
    }

    private static var servingWays: [(name: String, serve: server?, thread: serving_thread)] {
        [
            ("floor", floor_server, ON_OWN_THREAD),
            ("libuv", libuv_server, ON_OWN_THREAD),
            ("CFSocket", cf_socket_server, ON_OWN_THREAD),
            ("SwiftNIO", serveByNIO, ON_OWN_THREAD),
            ("RLSocket", socket_server, ON_OWN_THREAD),
            ("RLSocket on main", socket_server, ON_MAIN_THREAD),
            ("version 2", descriptor_server, ON_OWN_THREAD),
            ("version 2 on main", descriptor_server, ON_MAIN_THREAD),
            ("RLReadStream", stream_server, ON_OWN_THREAD),
            ("RLReadStream on main", stream_server, ON_MAIN_THREAD),
            ("RLInputStream", serveByRunLoopKit, ON_OWN_THREAD),
        ]
    }

    private init(
        _ title: String,
        connections sizes: [Int],
        _ servers: [(name: String, serve: server?, thread: serving_thread)] = servingWays,
        measure: @escaping (server, serving_thread, Int, UnsafeMutablePointer<report>) -> Bool
    ) {
        self.title = title
        self.sizes = sizes
        figures = Figure.ofReports
        ways = servers.compactMap { name, serve, thread in
            guard let serve else { return nil }
            return Way(name: name) { size in
                guard let report = report_create() else { return [] }
                return measure(serve, thread, size, report) ? report.pointee.figures : []
            }
        }
    }
}

extension report {
    var figures: [Double] {
        let latencies = percentiles(
            of: UnsafeBufferPointer(start: latencies_ns, count: latency_count),
            [50, 99]
        )
        return [processor_ns] + latencies + [system_calls, bytes]
    }
}
