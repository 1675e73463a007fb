import Glibc
import ProcessKit
import Testing

/// A program of `diagnostics-probe` that the tool looks into.
struct Inspected {
    /// Where its functions are.
    static let source = SourceText("Tests/Extras/Suites/Probes/DiagnosticsProbe/Inspected.swift")

    let process: BackgroundProcess
    /// What it said before it was ready.
    private(set) var lines: [String] = []
    private(set) var number = ""

    /// Starts it, and waits until it is ready.
    ///
    /// - Parameters:
    ///   - probe: Which one.
    ///   - environment: Its variables.
    ///   - path: A copy of `diagnostics-probe`, or nil for itself.
    /// - Throws: What keeps it from starting.
    init(_ probe: String, environment: [String] = [], at path: String? = nil) throws {
        let path = try path ?? ChildProcess.pathOfProduct("diagnostics-probe")
        let words = ["-u", "RUNLOOP_INSPECT"] + environment + [path, probe]
        process = try BackgroundProcess(program: "/usr/bin/env", words)
        waitUntilReady()
        try #require(!number.isEmpty, "\(probe) has ended before it was ready")
    }

    /// Starts the probe itself, or a copy in a folder whose debug information is in a file of its
    /// own.
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

    /// Tells it a line, and waits until it has done so.
    mutating func tell(_ line: String) {
        process.tell(line)
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

/// A folder for the ports of a program that other tests are not to find when they list processes.
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

    /// For the environment of the program, and of those that look into it.
    var variable: String { "XDG_RUNTIME_DIR=" + path }
}
