import FoundationEssentials
import Testing

@testable import runloop

/// The readings of an inspected process, which are untrusted.
@Suite("Readings of another process")
struct ReadingsTests {
    @Test("of any figures are shown") func figures() throws {
        var generator = SplitMix(state: 42)
        for _ in 0..<4000 {
            let before = try Self.readings(&generator)
            let rates = Rates(from: before, to: try Self.readings(&generator))
            #expect(TopTable(rates).plainLines.count > 4)
            var screen = TopScreen()
            screen.rates = rates
            #expect(screen.lines(height: 24).count == 24)
        }
    }

    /// Readings with random extreme values that the viewer can parse.
    private static func readings(_ generator: inout SplitMix) throws -> Readings {
        let signed = ["0", "-1", "\(Int.max)", "\(Int.min)"]
        let unsigned = ["0", "1", "\(UInt64.max)", "9007199254740993"]
        func object(_ figures: [String], _ others: String...) -> String {
            let fields = figures.map { name in
                let extremes = ["time", "due", "omittedLoops"].contains(name) ? signed : unsigned
                let choice = Int(generator.next() % 12)
                return "\"\(name)\": \(choice < extremes.count ? extremes[choice] : "1000000")"
            }
            return "{" + (fields + others).joined(separator: ", ") + "}"
        }
        func function() -> String {
            object(["calls", "nanoseconds", "longest"], #""name": "f", "kind": "k""#)
        }
        let timer = object(
            ["interval", "calls", "due", "overdue", "firings", "latenessTotal", "latenessWorst"],
            #""address": "a", "name": "t", "modes": ["m"]"#
        )
        let wakeUps = object(["timer", "descriptor", "wakeUp", "mainQueue", "timeout"])
        let callbacks = object(["observer", "block", "source0", "source1", "timer", "mainQueue"])
        // Functions with the same name are added up.
        let loop = object(
            [
                "time", "lostEvents", "nanosecondsInPhase", "longest", "runs", "passes", "sleeps",
                "nanosecondsAsleep", "nanosecondsRunning",
            ],
            """
            "thread": 7, "isMain": false, "isTraced": true, "phase": "timer", "isInCallback": true,
            "functions": [\(function()), \(function())], "timers": [\(timer)], "wakeUps": \(wakeUps),
            "callbacks": \(callbacks)
            """
        )
        let process = object(["time", "omittedLoops"], #""process": 1, "loops": [\#(loop)]"#)
        return try JSONDecoder().decode(Readings.self, from: Data(process.utf8))
    }
}

/// A random number generator with a fixed seed.
private struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("A function in a table")
struct PlacedNameTests {
    private let place = Rates.Place(file: "/home/me/app/DocumentController.swift", line: 1042)

    @Test("stands behind its place, and is cut in the middle")
    func name() {
        let all = TopTable.placed("closure #1 in reload", place, width: 80)
        #expect(all == "DocumentController.swift:1042  closure #1 in reload")
        let some = TopTable.placed("closure #1 in reload", place, width: 45)
        #expect(some == "DocumentController.swift:1042  closu…n reload")
        #expect(TopTable.placed("closure #1 in reload", nil, width: 10) == "clo…reload")
    }

    @Test("never loses the line, however narrow the table is", arguments: 12..<60)
    func line(width: Int) {
        let text = TopTable.placed("closure #1 in reload", place, width: width)
        #expect(text.count <= width)
        #expect(text.contains(":1042"), "\(text)")
    }
}
