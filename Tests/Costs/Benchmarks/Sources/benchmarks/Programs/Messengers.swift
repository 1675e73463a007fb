// Sending messages to another process.

import Programs

extension Program {
    /// Two processes on one processor, of which one sends messages to the other.
    static var messengers: [Program] {
        [
            Program("request and reply between processes", isAnswered: true),
            Program("message one way between processes", isAnswered: false),
        ]
    }

    private static var messagingWays: [(name: String, messenger: messenger)] {
        [
            ("floor", floor_messenger),
            ("ZeroMQ", zeromq_messenger),
            ("RLMessagePort", port_messenger),
        ]
    }

    private init(_ title: String, isAnswered: Bool) {
        self.title = title
        sizes = [64, 1 << 16, 1 << 20, 1 << 25]
        areBytes = true
        figures = Figure.ofReports
        ways = Self.messagingWays.filter { $0.messenger.receive != nil }.map { name, messenger in
            Way(name: name) { size in
                guard let report = report_create() else { return [] }
                var messenger = messenger
                measure_messages(&messenger, size, isAnswered, report)
                return report.pointee.figures
            }
        }
    }
}
