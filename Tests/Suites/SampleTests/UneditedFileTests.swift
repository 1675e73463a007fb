import Glibc
import ProcessKit
import Testing

@Suite("A C file in CF's spelling")
struct UneditedFileTests {
    @Test(
        "compiles unedited and runs",
        arguments: ["unedited", "unedited-by-option", "unedited-in-c++"]
    )
    func unedited(program: String) throws {
        let process = try ChildProcess(path: Fixtures.built().path(program), [])

        #expect(process.exitCode == 0)
        #expect(process.output == "2\n1\n0\nfinished\n")
    }

    @Test(
        "runs on our engine beside the real CoreFoundation",
        arguments: ["beside_the_real_one", "beside_the_real_one-by-option"]
    )
    func beside(program: String) throws {
        let process = try ChildProcess(path: Fixtures.built().path(program), [])

        #expect(process.exitCode == 0)
        #expect(process.output == "two main loops\nand this is ours\nit runs\n")
    }

    @Test(
        "becomes an object file without a symbol of CoreFoundation",
        arguments: ["unedited", "unedited-by-option", "beside_the_real_one"]
    )
    func symbols(program: String) throws {
        let symbols = try Symbols(of: Fixtures.built().path("\(program).o"))

        #expect(symbols.ours.contains("RLRunLoopRunInMode"))
        // Names that the file itself defines are unchanged.
        #expect(symbols.theirs == [])
    }

    @Test(
        "prints the same on the real CoreFoundation",
        arguments: Gallery.samples.filter { $0.language == .c }
    )
    func reference(sample: Gallery.Sample) throws {
        let program = try Fixtures.built().path("samples-on-the-real-one")
        let process = try ChildProcess(path: program, [sample.name])
        let expected = try #require(sample.expectedOutput)

        #expect(process.exitCode == 0)
        // CoreFoundation's Linux build has no tolerance (D9 in Docs/Deviations.md).
        let output = process.output.split(separator: "at most 0 s late")
            .joined(separator: "at most 5 s late")
        #expect(output == expected)
    }
}

/// The programs that build.sh makes, built once for all tests.
struct Fixtures: Sendable {
    struct Failure: Error {
        let output: String
    }

    private static let result = Result { try Fixtures() }

    static func built() throws -> Fixtures {
        try result.get()
    }

    private let folder: String

    private init() throws {
        let products = try ChildProcess.pathOfProduct("fixtures")
        mkdir(products, 0o755)
        let build = try Gallery.runScript("Tests/Suites/SampleTests/Fixtures/build.sh", products)
        guard build.exitCode == 0 else { throw Failure(output: build.output) }
        folder = products
    }

    func path(_ program: String) -> String {
        "\(folder)/\(program)"
    }
}
