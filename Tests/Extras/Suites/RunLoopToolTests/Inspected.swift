import Glibc
import ProcessKit
import Testing

/// A program of `diagnostics-probe` that the tool inspects.
struct Inspected {
    /// The source file of its functions.
    static let source = SourceText("Tests/Extras/Suites/Probes/DiagnosticsProbe/Inspected.swift")

    let process: BackgroundProcess
    /// The lines that it printed before it was ready.
    private(set) var lines: [String] = []
    private(set) var number = ""

    /// Starts the program, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - probe: The name of the program.
    ///   - environment: The environment variables.
    ///   - path: The path of a copy of `diagnostics-probe`; nil for the original.
    /// - Throws: The reason for which it does not start.
    init(_ probe: String, environment: [String] = [], at path: String? = nil) throws {
        let path = try path ?? ChildProcess.pathOfProduct("diagnostics-probe")
        let words = ["-u", "RUNLOOP_INSPECT"] + environment + [path, probe]
        process = try BackgroundProcess(program: "/usr/bin/env", words)
        waitUntilReady()
        try #require(!number.isEmpty, "\(probe) has ended before it was ready")
    }

    /// Starts the original, or a copy in a directory with its debug information in a separate file.
    init(_ probe: String, isStripped: Bool, in folder: PortFolder) throws {
        try self.init(probe, at: isStripped ? Self.strippedProbe(in: folder) : nil)
    }

    private static func strippedProbe(in folder: PortFolder) throws -> String {
        let probe = try ChildProcess.pathOfProduct("diagnostics-probe")
        let copy = folder.path + "/diagnostics-probe"
        let command =
            "objcopy --only-keep-debug '\(probe)' \(copy).debug && strip -o \(copy) '\(probe)'"
            + " && objcopy --add-gnu-debuglink=\(copy).debug \(copy)"
        let done = try ChildProcess(path: "/bin/sh", ["-c", command])
        try #require(done.exitCode == 0, "\(done.output)")
        return copy
    }

    /// Writes a line to the program, and waits until it is ready again.
    mutating func write(_ line: String) {
        process.write(line)
        waitUntilReady()
    }

    private mutating func waitUntilReady() {
        while let line = process.readLine() {
            guard line.hasPrefix("ready ") else {
                lines.append(line)
                continue
            }
            number = String(line.dropFirst("ready ".count))
            return
        }
    }
}

/// A directory for the ports of a program, hidden from other tests that list processes.
final class PortFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/corerunloop-test-XXXXXX".utf8CString)
        let made = mkdtemp(&template)
        path = String(cString: try #require(made))
    }

    deinit {
        _ = try? ChildProcess(path: "/bin/rm", ["-r", path])
    }

    /// The environment variable for the program and its viewers.
    var variable: String { "XDG_RUNTIME_DIR=" + path }
}
