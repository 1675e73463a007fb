import CHarness
import CRunLoop.Wrapping
import RunLoopDiagnostics
import Testing
import ThreadKit

@Suite("A backtrace continues") struct FrameTests {
    @Test("through functions for which there are no tables, as in Swift's static libraries")
    func withoutTables() {
        let names = onFreshThread { () -> [String] in
            RLBacktrace.allowOnCurrentThread()
            let taken = Log<RLBacktrace>()
            callFromAfar {
                let own = try? RLBacktrace(ofThread: RLThreadGetNumber(), timeout: .seconds(10))
                if let own { taken.add(own) }
            }
            return taken.entries.first?.frames.compactMap(\.symbol) ?? []
        }
        #expect(names?.contains("call_without_tables") == true, "\(names ?? [])")
        #expect(names?.contains { $0.contains("callFromAfar") } == true, "\(names ?? [])")
    }
}

/// Calls a closure through a function without unwind tables.
@inline(never)
private func callFromAfar(_ body: @escaping () -> Void) {
    call_without_tables(body)
    withExtendedLifetime(body) {}
}
