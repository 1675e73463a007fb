// Serving connections.

import Programs

extension Program {
    /// Programs that serve the connections of another process.
    static var servers: [Program] {
        [
            Program("echo of 64 B", [1, 100, 1000, 10_000]) { measure_echo($0, 64, $1) },
            Program("echo of 16 KiB", [100]) { measure_echo($0, 16384, $1) },
            Program("connection that comes and goes", [100]) { measure_accepting($0, $1) },
        ]
    }

    private init(_ title: String, _ sizes: [Int], measure: @escaping (server, Int) -> report) {
        let servers: [(name: String, serve: server?)] = [
            ("floor", floor_server), ("libuv", libuv_server), ("CFSocket", cf_socket_server),
            ("RLSocket", socket_server), ("version 2", descriptor_server),
            ("RLReadStream", stream_server), ("RLInputStream", serveByRunLoopKit),
        ]
        self.init(
            title: title,
            units: ["ns", "B"],
            figures: ["processor time", "memory of a connection"],
            sizes: sizes,
            ways: servers.compactMap { name, serve in
                guard let serve else { return nil }
                return Way(name: name) { size in
                    let report = measure(serve, size)
                    return [report.processor_ns, report.bytes]
                }
            }
        )
    }
}
