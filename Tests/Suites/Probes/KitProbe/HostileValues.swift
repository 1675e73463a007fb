import CoreRunLoop
import Foundation
import RunLoopConcurrency
import RunLoopKit

/// A public function and its calls, one for each hostile value of its parameter.
struct HostileRow {
    let name: String
    let calls: [(value: String, call: @MainActor () throws -> Void)]

    init<Value: Sendable>(
        _ name: String,
        _ values: [Value],
        _ call: @escaping @MainActor (Value) throws -> Void
    ) {
        self.name = name
        calls = values.map { value in
            (Self.describe(value), { @MainActor in try call(value) })
        }
    }

    /// Descriptions of extreme durations and dates trap, and descriptions of long values take long.
    private static func describe(_ value: some Any) -> String {
        switch value {
        case let value as Duration: "\(value.components)"
        case let value as Date: "\(value.timeIntervalSinceReferenceDate)"
        case let value as String: "\(value.prefix(40))"
        case let value as [UInt8]: "\(value.count) bytes"
        default: "\(value)"
        }
    }

    /// A row with an async function, which the main loop runs to its end.
    static func async<Value: Sendable>(
        _ name: String,
        _ values: [Value],
        _ call: @escaping @MainActor @Sendable (Value) async throws -> Void
    ) -> HostileRow {
        HostileRow(name, values) { value in
            try RLRunLoop.current.runToCompletion { try await call(value) }
        }
    }
}

enum Hostile {
    static let seconds: [Double] = [.nan, .infinity, -.infinity, 1e300, -1e300, -1, 0, 1e-3]
    static let floats = seconds.map { Float($0) }
    static let dates =
        seconds.map { Date(timeIntervalSinceReferenceDate: $0) } + [.distantFuture, .distantPast]
    static let durations: [Duration] = [
        .seconds(Int64.min), .seconds(Int64.max), .nanoseconds(-1), .zero, .nanoseconds(1),
    ]
    static let instants = durations.map { ContinuousClock.now.advanced(by: $0) }
    static let integers: [Int] = [.min, -1, 0, 1, .max]
    static let numbers: [Int32] = [.min, -1, 0, 1, .max]
    static let ports: [UInt16] = [0, 1, .max]
    static let words: [UInt32] = [0, 1, .max]
    static let strings = ["", "a\0b", String(repeating: "x", count: 1_000_000)]
    static let bytes = [[], [UInt8](repeating: 0, count: 1_000_000)]
}

/// Makes all calls from a number on, and prints each one first.
///
/// If a call aborts, the test restarts behind it.
func callWithHostileValues() {
    for number in [SIGABRT, SIGILL, SIGTRAP] { signal(number, SIG_DFL) }
    let first = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 0
    MainActor.assumeIsolated {
        var number = 0
        for row in hostileRows() {
            for (value, call) in row.calls {
                defer { number += 1 }
                if number < first { continue }
                printUnbuffered("\(number) \(row.name): \(value)")
                // A longer call hangs.
                alarm(120)
                // Ends runs without a limit when they are about to sleep.
                let stopper = RLRunLoopObserverCreate(activities: .beforeWaiting, repeats: false) {
                    _,
                    _ in
                    RLRunLoopStop(RLRunLoopGetCurrent())
                }
                RLRunLoopAddObserver(RLRunLoopGetCurrent(), stopper, .commonModes)
                do { try call() } catch {}
                RLRunLoopObserverInvalidate(stopper)
                RLRunLoop.current.run(mode: .default, before: .distantPast)
            }
        }
    }
    printUnbuffered("end")
}

/// Prints without a buffer, which an abort would discard.
private func printUnbuffered(_ line: String) {
    let bytes = Array("\(line.replacing("\0", with: "<NUL>"))\n".utf8)
    write(STDOUT_FILENO, bytes, bytes.count)
}
