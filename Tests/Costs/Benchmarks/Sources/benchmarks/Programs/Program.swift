import Foundation

/// What programs do with a loop, and the ways to do it that are compared.
struct Program {
    let title: String
    /// How many connections there are, or how many bytes a message has.
    let sizes: [Int]
    var areBytes = false
    let figures: [Figure]
    let ways: [Way]

    static var all: [Program] { servers + securedServers + messengers + threads + actors + fetches }
}

extension Program {
    /// A size in words.
    func name(ofSize size: Int) -> String {
        guard areBytes else { return "\(size)" }
        if size >= 1 << 20 { return "\(size >> 20) MiB" }
        return size >= 1 << 10 ? "\(size >> 10) KiB" : "\(size) B"
    }
}

/// One of several things that are measured at once.
struct Figure {
    let name: String
    let unit: String
}

extension Figure {
    static let ofTimes = [
        Figure(name: "processor time", unit: "ns"),
        Figure(name: "latency, p50", unit: "ns"),
        Figure(name: "latency, p99", unit: "ns"),
    ]

    /// What reports tell.
    static let ofReports =
        ofTimes + [
            Figure(name: "system calls", unit: ""),
            Figure(name: "memory of a connection", unit: "B"),
        ]
}

/// One way to do it.
struct Way {
    let name: String
    /// The figures at a size, one for each of the program's; not a number where there is none.
    let measure: (Int) -> [Double]
}
