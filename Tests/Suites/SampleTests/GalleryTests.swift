import ProcessKit
import Testing

@Suite("The gallery")
struct GalleryTests {
    @Test("has at least eight samples in each language", arguments: Gallery.Language.allCases)
    func enough(language: Gallery.Language) {
        #expect(Set(Gallery.names(language, .cf)).count >= 8)
    }

    @Test("has the same samples in both spellings", arguments: Gallery.Language.allCases)
    func spellings(language: Gallery.Language) {
        #expect(Gallery.names(language, .cf) == Gallery.names(language, .rl))
    }

    @Test(
        "prints what is expected, in both spellings",
        arguments: Gallery.samples,
        Gallery.Spelling.allCases
    )
    func output(sample: Gallery.Sample, spelling: Gallery.Spelling) throws {
        let expected = try #require(sample.expectedOutput)
        let process = try sample.run(spelling)

        #expect(process.exitCode == 0)
        #expect(process.output == expected)
        #expect(!expected.isEmpty)
    }

    @Test("refuses a name that no sample has", arguments: Gallery.Language.allCases)
    func unknown(language: Gallery.Language) throws {
        let process = try ChildProcess(path: language.program(.cf), ["nonsense"])

        #expect(process.exitCode == 1)
        #expect(process.output == "there is no sample named 'nonsense'\n")
    }

    @Test(
        "has no symbol of CoreFoundation in its CF-spelled programs in C",
        arguments: [Gallery.Language.c, .apple]
    )
    func symbols(language: Gallery.Language) throws {
        let symbols = try Symbols(of: language.program(.cf))

        #expect(symbols.ours.contains("RLRunLoopGetCurrent"))
        #expect(symbols.theirs == [])
    }
}
