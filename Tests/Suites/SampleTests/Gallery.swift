import Glibc
import ProcessKit

/// The samples for tests: programs by language and spelling, with their outputs.
enum Gallery {
    enum Language: String, CaseIterable, Sendable {
        case c
        /// C with the headers that accompany CoreFoundation's on Apple's systems.
        case apple
        case swift

        /// The program; the package has it in CF's spelling, from which the other one is generated.
        func program(_ spelling: Spelling) throws -> String {
            let name = "samples-\(rawValue)-\(spelling.rawValue)"
            return switch spelling {
            case .cf: try ChildProcess.pathOfProduct(name)
            case .rl: try Fixtures.built().path(name)
            }
        }
    }

    enum Spelling: String, CaseIterable, Sendable {
        case cf
        case rl
    }

    struct Sample: Sendable, CustomStringConvertible {
        let language: Language
        let name: String

        var description: String { "\(name) (\(language))" }

        func run(_ spelling: Spelling) throws -> ChildProcess {
            try ChildProcess(path: language.program(spelling), [name])
        }

        var expectedOutput: String? {
            Gallery.text(of: "Sources/Samples/CF/Expected/\(name).txt")
        }
    }

    static let samples: [Sample] = Language.allCases.flatMap { language in
        names(language, .cf).map { Sample(language: language, name: $0) }
    }

    static func names(_ language: Language, _ spelling: Spelling) -> [String] {
        let list = try? ChildProcess(path: language.program(spelling), [])
        return list?.lines.filter { !$0.isEmpty }.map(String.init) ?? []
    }

    /// The root of the package, four levels above this file.
    static let root: String = {
        let folders = #filePath.split(separator: "/").dropLast(4)
        return "/" + folders.joined(separator: "/")
    }()

    static func text(of path: String) -> String? {
        guard let file = fopen("\(root)/\(path)", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF {
            bytes.append(UInt8(byte))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Runs a script that builds programs, which may take minutes.
    static func runScript(_ path: String, _ arguments: String...) throws -> ChildProcess {
        let end = Deadline(after: .seconds(900))
        return try ChildProcess(path: "\(root)/\(path)", arguments, until: end)
    }
}
