import ProcessKit
import Testing

@Suite("A Swift file that says CF")
struct PortedFileTests {
    private let original = Gallery.text(of: "Tests/SampleTests/Fixtures/unedited.swift")
    private let ported = Gallery.text(of: "Tests/Probes/PortedFile/main.swift")

    @Test("is ported by a change of its import")
    func change() throws {
        let before = try #require(original).split(separator: "\n")
        let after = try #require(ported).split(separator: "\n")
        let changes = zip(before, after).filter { $0 != $1 }

        #expect(before.count == after.count)
        #expect(changes.map(\.0) == ["import CoreFoundation"])
        #expect(changes.map(\.1) == ["import CFCompatibility"])
    }

    @Test("runs")
    func output() throws {
        let process = try ChildProcess(product: "ported-file", [])

        #expect(process.exitCode == 0)
        #expect(
            process.output == """
                scheduled
                performed
                2
                1
                0
                canceled
                finished
                2 false false

                """
        )
    }
}
