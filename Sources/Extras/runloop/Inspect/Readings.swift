/// Counters since the loops' creation, or since the tracing began with the first viewer.
struct Readings: Decodable {
    let process: Int32
    let name: String?
    let program: String?
    /// The time in nanoseconds of the monotonic clock.
    let time: Int
    let loops: [Loop]
    let omittedLoops: Int

    struct Loop: Decodable {
        let thread: Int32
        let time: Int
        let name: String?
        let isMain: Bool
        let isTraced: Bool
        let lostEvents: UInt64
        let mode: String?
        let phase: String
        let isInCallback: Bool
        let nanosecondsInPhase: UInt64
        let callback: String?
        /// The address of the function; nil in replies of older versions.
        let callbackAddress: String?
        let longest: UInt64
        let longestFunction: String?
        let longestAddress: String?
        let runs: UInt64
        let passes: UInt64
        let sleeps: UInt64
        let nanosecondsAsleep: UInt64
        let nanosecondsRunning: UInt64
        let wakeUps: WakeUps<UInt64>
        let callbacks: Callbacks
        let functions: [Function]
        let timers: [Timer]
    }

    struct Callbacks: Decodable {
        let observer: UInt64
        let block: UInt64
        let source0: UInt64
        let source1: UInt64
        let timer: UInt64
        let mainQueue: UInt64
    }

    struct Function: Decodable {
        let name: String
        let address: String?
        let kind: String
        let calls: UInt64
        let nanoseconds: UInt64
        let longest: UInt64
    }

    struct Timer: Decodable {
        let address: String
        let name: String
        let functionAddress: String?
        let modes: [String]
        let interval: UInt64
        let calls: UInt64
        let due: Int?
        let overdue: UInt64
        let firings: UInt64
        let latenessTotal: UInt64
        let latenessWorst: UInt64
    }
}

struct WakeUps<Figure: Codable>: Codable {
    let timer: Figure
    let descriptor: Figure
    let wakeUp: Figure
    let mainQueue: Figure
    let timeout: Figure
}

extension WakeUps<Double> {
    var all: Double { timer + descriptor + wakeUp + mainQueue + timeout }
}

extension Readings.Loop {
    var addresses: [String?] {
        [callbackAddress, longestAddress] + functions.map(\.address)
            + timers.map(\.functionAddress)
    }
}

struct LoopContents: Decodable {
    let modes: [Mode]

    struct Mode: Decodable {
        let name: String
        let items: [Item]
        let omittedItems: Int
    }

    struct Item: Decodable {
        let kind: String
        let name: String?
        let functionAddress: String?
        let descriptor: Int32?
        let calls: UInt64
    }
}
