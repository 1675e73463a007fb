// The tool's output. Each write is flushed, so the reader of a pipe receives it at once.

import ArgumentParser
import FoundationEssentials
import Glibc
import RunLoopKit

/// The exit statuses of `sysexits.h` that `ExitCode` lacks.
enum ExitStatus {
    static let noSuchProcess = ExitCode(66)
    static let notInspectable = ExitCode(69)
    static let ended = ExitCode(70)
    static let silent = ExitCode(75)
    static let refused = ExitCode(76)
    static let notPermitted = ExitCode(77)
    static let cannotMakeFile = ExitCode(73)
    static let cannotWrite = ExitCode(74)
}

// Writes lines, and folds long lines on a terminal. Escapes control characters except newlines and
// tabs, because the text may come from another process.
func write(_ text: String) {
    for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
        put(columns.map { printable(String($0)) }.joined(separator: "\t"))
    }
    flush()
}

/// Writes one line; also escapes newlines.
func writeLine(_ line: String) {
    put(printable(line))
    flush()
}

private func put(_ line: String) {
    print(widthOfTerminal.map { folded(line, to: $0) } ?? line)
}

private func flush() {
    // A failed write is an error of the tool.
    if fflush(nil) != 0 { complain("cannot write: \(lastError)", ExitStatus.cannotWrite) }
}

func writeJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Long lines are not folded: a line break within a string would be invalid.
    print(printableJSON(try encoder.encode(value)))
    flush()
}

func writeJSONLine(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(printableJSON(try encoder.encode(value)))
    flush()
}

/// Escapes control characters, which the encoder leaves in strings and which a terminal would obey.
private func printableJSON(_ data: Data) -> String {
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: data, as: UTF8.self).unicodeScalars {
        let isPlain = scalar == "\n" || (" "..."~").contains(scalar)
        if isPlain || printable(String(scalar)) == String(scalar) {
            result.append(scalar)
        } else {
            // Each of these characters has four hexadecimal digits.
            result += "\\u".unicodeScalars
            result += String(0x10000 | scalar.value, radix: 16).dropFirst().unicodeScalars
        }
    }
    return String(result)
}

func note(_ text: String) {
    _ = "runloop: \(printable(text))\n".withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
}

private func complain(_ text: String, _ status: ExitCode) -> Never {
    note(text)
    // exit(3) would flush, and fail again.
    _exit(status.rawValue)
}

var lastError: String {
    String(cString: strerror(errno))
}

func warnOfDebugBuild() {
    #if DEBUG
        note("this is a debug build, and slow: measure by `swift run -c release runloop bench`")
    #endif
}

/// A file for output, which is opened before the work, so that an error is reported first.
struct OutputFile {
    private let file: UnsafeMutablePointer<FILE>
    private let path: String

    init(_ path: String) throws {
        guard let file = fopen(path, "we") else {
            note("'\(path)' cannot be created: \(lastError)")
            throw ExitStatus.cannotMakeFile
        }
        self.file = file
        self.path = path
    }

    func write(_ text: String) throws {
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else {
            note("'\(path)' cannot be written: \(lastError)")
            throw ExitStatus.cannotWrite
        }
    }
}

private var widthOfTerminal: Int? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) != 0, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else {
        return nil
    }
    return size.ws_col >= 40 ? Int(size.ws_col) : nil
}

// Folds between words if possible. Indents continuation lines by four more columns.
func folded(_ line: some StringProtocol, to width: Int) -> String {
    let indent = String(line.prefix { $0 == " " || $0 == "\t" }) + "    "
    let columns = indent.reduce(0) { $1 == "\t" ? ($0 / 8 + 1) * 8 : $0 + 1 }
    var rest = line[...]
    var pieces: [String] = []
    while !rest.isEmpty {
        let room = max(pieces.isEmpty ? width - columns + indent.count : width - columns, 20)
        var end = rest.index(rest.startIndex, offsetBy: room, limitedBy: rest.endIndex)
        if let cut = end, cut < rest.endIndex, let space = rest[..<cut].lastIndex(of: " "),
            rest[..<space].contains(where: { $0 != " " && $0 != "\t" })
        {
            end = rest.index(after: space)
        }
        pieces.append((pieces.isEmpty ? "" : indent) + rest[..<(end ?? rest.endIndex)])
        rest = rest[(end ?? rest.endIndex)...]
    }
    return pieces.joined(separator: "\n")
}

func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

/// Unwraps an optional that is nil only if the system lacks a resource.
func unwrap<Value>(_ value: Value?, _ reason: String) throws -> Value {
    guard let value else { throw ValidationError(reason) }
    return value
}
