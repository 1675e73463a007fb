import FoundationEssentials
import Testing

@testable import runloop

/// The figures of a process that is looked into, which may be anything: it is another program.
@Suite("Readings of another process")
struct ReadingsTests {
    /// What is said of a process, with a number for each figure, in order.
    private static func json(_ figures: [String]) -> Data {
        var rest = figures[...]
        func figure(_ name: String) -> String { "\"\(name)\": \(rest.popFirst() ?? "1")" }
        func object(_ names: [String], _ others: String) -> String {
            "{" + (names.map(figure) + [others]).joined(separator: ", ") + "}"
        }
        let function = {
            object(["calls", "nanoseconds", "longest"], #""name": "f", "kind": "k""#)
        }
        let timer = {
            object(
                [
                    "interval", "calls", "due", "overdue", "firings", "latenessTotal",
                    "latenessWorst",
                ],
                #""address": "a", "name": "t", "modes": ["m"]"#
            )
        }
        // Two functions of one name are added.
        let functions = [function(), function()].joined(separator: ", ")
        let timers = timer()
        let wakeUps = object(["timer", "descriptor", "wakeUp", "mainQueue"], figure("timeout"))
        let loop = object(
            [
                "time", "lostEvents", "nanosecondsInPhase", "longest", "runs", "passes", "sleeps",
                "nanosecondsAsleep", "nanosecondsRunning",
            ],
            #""thread": 7, "isMain": false, "isTraced": true, "phase": "timer", "#
                + #""isInCallback": true, "functions": ["# + functions
                + #"], "timers": ["# + timers + #"], "wakeUps": "# + wakeUps
        )
        return Data(
            object(["time", "omittedLoops"], #""process": 1, "loops": ["# + loop + "]").utf8
        )
    }

    private static let figureCount = 2 + 9 + 5 + 7 + 2 * 3

    @Test("of any figures are shown") func figures() throws {
        let extremes = [
            "0", "1", "-1", "\(Int.max)", "\(Int.min)", "\(UInt64.max)", "9007199254740993",
        ]
        var numbers = SplitMix(state: 42)
        var shown = 0
        for round in 0..<4000 {
            let pair = (0..<2).map { _ in
                Self.json(
                    (0..<Self.figureCount).map { _ in
                        // Few of them, as a counter below zero is not taken at all.
                        numbers.next() % 12 == 0 ? extremes[Int(numbers.next() % 7)] : "\(round)"
                    }
                )
            }
            let readings = pair.compactMap { try? JSONDecoder().decode(Readings.self, from: $0) }
            guard readings.count == 2 else { continue }
            let rates = Rates(from: readings[0], to: readings[1])
            #expect(TopTable(rates).plainLines.count > 4)
            var screen = TopScreen()
            screen.rates = rates
            #expect(screen.lines(height: 24).count == 24)
            shown += 1
        }
        #expect(shown > 100)
    }
}

/// The same numbers each time.
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
