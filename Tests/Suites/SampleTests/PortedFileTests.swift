import ProcessKit
import Testing

@Suite("A Swift file in CF's spelling")
struct PortedFileTests {
    @Test("runs when its import is changed")
    func output() throws {
        let process = try ChildProcess(path: Fixtures.built().path("ported-file"), [])

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
