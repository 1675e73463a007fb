import CompletenessKit
import Testing

@Suite("The API in C is complete:")
struct CCompletenessTests {
    @Test("the program that names every function and constant has them all, each once")
    func symbols() {
        let symbols = listedSymbols()

        #expect(!symbols.isEmpty)
        #expect(symbols.filter { $0.address == nil }.map(\.name) == [])
        #expect(Set(symbols.map(\.name)).count == symbols.count)
        #expect(Set(symbols.map(\.address)).count == symbols.count)
    }

    private func listedSymbols() -> [(name: String, address: UnsafeRawPointer?)] {
        var count = 0
        let symbols = UnsafeBufferPointer(start: completeness_symbols(&count), count: count)
        return symbols.map { (String(cString: $0.name), $0.address) }
    }
}
