// Output of the tool: whole lines, at once, so that a reader of a pipe sees them as they happen.

import ArgumentParser
import FoundationEssentials
import Glibc
import RunLoopKit

/// The exit statuses that `ExitCode` does not have: numbers of `sysexits.h`.
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

/// Writes some text, whose lines are folded where the terminal ends, if it goes to one.
///
/// Another process may have sent it: only ends of lines and tabs reach the terminal as they are.
func write(_ text: String) {
    for line in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
        let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
        put(columns.map { printable(String($0)) }.joined(separator: "\t"))
    }
    flush()
}

/// Writes a line, as `write`, in which names may have anything.
func writeLine(_ line: String) {
    put(printable(line))
    flush()
}

private func put(_ line: String) {
    print(widthOfTerminal.map { folded(line, to: $0) } ?? line)
}

private func flush() {
    // Output that nobody gets is no success.
    if fflush(nil) != 0 { complain("cannot write: \(lastError)", ExitStatus.cannotWrite) }
}

/// Writes a value as JSON that people can read too.
func writeJSON(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Not folded: its strings must not be broken.
    print(printableJSON(try encoder.encode(value)))
    flush()
}

/// Writes a value as JSON in a line, however long that is.
func writeJSONLine(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    print(printableJSON(try encoder.encode(value)))
    flush()
}

/// JSON in which no string reaches the terminal as anything but text: the encoder escapes only what
/// JSON has to.
private func printableJSON(_ data: Data) -> String {
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: data, as: UTF8.self).unicodeScalars {
        let isPlain = scalar == "\n" || (" "..."~").contains(scalar)
        if isPlain || printable(String(scalar)) == String(scalar) {
            result.append(scalar)
        } else {
            // All of these have four digits.
            result += "\\u".unicodeScalars
            result += String(0x10000 | scalar.value, radix: 16).dropFirst().unicodeScalars
        }
    }
    return String(result)
}

/// Tells people something beside the output.
func note(_ text: String) {
    _ = "runloop: \(printable(text))\n".withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
}

/// Ends the tool with a line.
private func complain(_ text: String, _ status: ExitCode) -> Never {
    note(text)
    // Without the flush of exit(3), which would fail again.
    _exit(status.rawValue)
}

/// The C library's text for the last call that failed.
var lastError: String {
    String(cString: strerror(errno))
}

/// Says that figures are those of a debug build, if they are.
func warnOfDebugBuild() {
    #if DEBUG
        note("this is a debug build, and slow: measure by `swift run -c release runloop bench`")
    #endif
}

/// A file that is made before the work whose result it is to get, so that an error comes first.
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

    /// Writes all of it, and closes the file.
    func write(_ text: String) throws {
        let isWritten = fputs(text, file) >= 0
        guard fclose(file) == 0, isWritten else {
            note("'\(path)' cannot be written: \(lastError)")
            throw ExitStatus.cannotWrite
        }
    }
}

/// The number of columns of the terminal for the output; nil if that goes elsewhere.
private var widthOfTerminal: Int? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) != 0, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else {
        return nil
    }
    return size.ws_col >= 40 ? Int(size.ws_col) : nil
}

/// A line in pieces that fit, each on a line of its own; they end between words where they can.
///
/// Pieces after the first begin under its first word.
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

/// The value of an optional that is empty only if the system lacks something.
func unwrap<Value>(_ value: Value?, _ reason: String) throws -> Value {
    guard let value else { throw ValidationError(reason) }
    return value
}
