import ArgumentParser
import CoreRunLoop
import FoundationEssentials
import Glibc
import RunLoopDiagnostics

final class InspectedProcess {
    /// The identifier of messages that `RunLoopDiagnostics` expects.
    static let version: Int32 = 1

    let number: pid_t
    let viewer = "\(getpid())"
    // The time-out in seconds. Replies with long traces take some seconds.
    private let patience: Double
    private let port: RLMessagePortRef
    private var isSilent = false
    private(set) lazy var symbolizer = Symbolizer(ofProcess: number)
    private var places: [UInt: [SourcePlace]] = [:]
    private var hasReportedProblem = false

    init(_ number: pid_t, patience: Double = 10) throws(InspectionFailure) {
        let port = RLMessagePortCreateRemote("runloop.inspect.\(number)")
        guard let port else { throw InspectionFailure(noPortOf: number) }
        self.number = number
        self.patience = patience
        self.port = port
    }

    static func all(patience: Double) -> [InspectedProcess] {
        numbersOfOwnProcesses().sorted().compactMap { number in
            RLMessagePortCreateRemote("runloop.inspect.\(number)") == nil
                ? nil : try? InspectedProcess(number, patience: patience)
        }
    }

    /// Sends a request and returns the reply; throws if there is no reply.
    func ask<Reply: Decodable>(
        _ request: String,
        for type: Reply.Type = Reply.self
    ) throws(InspectionFailure) -> Reply {
        var data: RLDataRef?
        let result = RLMessagePortSendRequest(
            port,
            Self.version,
            RLDataCreate(Array(request.utf8)),
            patience,
            patience,
            "runloop.inspect.reply",
            &data
        )
        isSilent = false
        guard result == kRLMessagePortSuccess, let data else { throw failure(result) }
        let bytes = Data([UInt8](data))
        if let reply = try? JSONDecoder().decode(Reply.self, from: bytes) { return reply }
        if let refusal = try? JSONDecoder().decode(Refusal.self, from: bytes) {
            throw .refused(number, refusal.error)
        }
        throw .refused(number, "its answer is not understood: is it of another version?")
    }

    func askAsViewer<Reply: Decodable>(
        _ verb: String,
        _ values: String = "",
        for type: Reply.Type = Reply.self
    ) throws(InspectionFailure) -> Reply {
        try ask("\(verb) viewer=\(viewer) \(values)", for: type)
    }

    /// Unregisters this viewer, unless the process has stopped replying: another request would time
    /// out.
    func leave() {
        if !isSilent { _ = try? askAsViewer("leave", for: Empty.self) }
    }

    private struct Refusal: Decodable {
        let error: String
    }

    private func failure(_ result: Int32) -> InspectionFailure {
        switch result {
        case kRLMessagePortSendTimeout, kRLMessagePortReceiveTimeout:
            isSilent = isAlive(number)
            return isSilent ? .silent(number) : .ended(number)
        default: return isAlive(number) ? .closed(number) : .ended(number)
        }
    }
}

extension InspectedProcess {
    /// Looks up all addresses of a reply at once, and reports a missing symbolizer.
    @discardableResult
    func findPlaces(_ addresses: [String?]) -> [UInt: [SourcePlace]] {
        places = symbolizer.places(at: addresses.compactMap(addressNumber))
        reportProblem()
        return places
    }

    func reportProblem() {
        guard !hasReportedProblem, let problem = symbolizer.problem else { return }
        hasReportedProblem = true
        note(problem)
    }

    /// Returns the name and the place of a function.
    ///
    /// The name is the process's, or the symbolizer's if the process knows only an offset in a file,
    /// such as `image+0x12`. The place is nil if the symbolizer does not know the file and line.
    func place(_ text: String?, _ address: String?) -> (text: String?, place: Rates.Place?) {
        guard let place = addressNumber(address).flatMap({ places[$0]?.last }) else {
            return (text, nil)
        }
        let isUnnamed = text?.wholeMatch(of: /\S+\+0x[0-9a-f]+/) != nil
        let named = isUnnamed ? place.shortName ?? text : text
        guard let file = place.file, let line = place.line else { return (named, nil) }
        return (named, Rates.Place(file: file, line: line))
    }

    func written(_ lines: [ReportLine]) -> String {
        let places = findPlaces(lines.map(\.address))
        return lines.flatMap { line in
            line.lines(addressNumber(line.address).flatMap { places[$0] } ?? [])
        }.joined(separator: "\n")
    }
}

/// Parses the form `0x55d0c2a4`.
func addressNumber(_ text: String?) -> UInt? {
    guard let text, text.hasPrefix("0x") else { return nil }
    return UInt(text.dropFirst(2), radix: 16)
}

struct Empty: Decodable {}

enum InspectionFailure: Error {
    case noSuchProcess(pid_t)
    case foreign(pid_t)
    case notInspectable(pid_t)
    /// The inspector has stopped, but the process lives.
    case closed(pid_t)
    case silent(pid_t)
    case ended(pid_t)
    case refused(pid_t, String)

    init(noPortOf number: pid_t) {
        if !isAlive(number) {
            self = .noSuchProcess(number)
        } else if owner(of: number) != geteuid() {
            self = .foreign(number)
        } else {
            self = .notInspectable(number)
        }
    }

    var line: String {
        switch self {
        case .noSuchProcess(let number): "there is no process \(number)"
        case .foreign(let number): "process \(number) is another user's"
        case .notInspectable(let number):
            "process \(number) cannot be looked into: "
                + (isAskedToBeInspected(number)
                    ? "it has RUNLOOP_INSPECT=1, but links no RunLoopDiagnostics, or has stopped it"
                    : "link RunLoopDiagnostics, and start it with RUNLOOP_INSPECT=1 or have it "
                        + "call RLInspector.start()")
        case .closed(let number): "process \(number) lets nobody look into it any more"
        case .silent(let number): "process \(number) does not answer: is it stopped?"
        case .ended(let number): "process \(number) has ended"
        case .refused(let number, let reason): "process \(number) refuses: \(reason)"
        }
    }

    var exitCode: ExitCode {
        switch self {
        case .noSuchProcess: ExitStatus.noSuchProcess
        case .foreign: ExitStatus.notPermitted
        case .notInspectable: ExitStatus.notInspectable
        case .closed, .ended: ExitStatus.ended
        case .silent: ExitStatus.silent
        case .refused: ExitStatus.refused
        }
    }
}

/// Prints a failure of the body, and throws its exit code.
func inspecting(_ body: () throws -> Void) throws {
    do {
        try body()
    } catch let failure as InspectionFailure {
        note(failure.line)
        throw failure.exitCode
    }
}

/// Returns whether a process is alive; exiting processes and zombies are not.
private func isAlive(_ number: pid_t) -> Bool {
    guard let file = fopen("/proc/\(number)/stat", "re") else { return false }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 512)
    let count = fread(&line, 1, line.count, file)
    // The name in parentheses may contain any character. The state, five IDs and the flags follow
    // the name.
    guard let end = line[..<count].lastIndex(of: UInt8(ascii: ")")) else { return false }
    let words = line[..<count].dropFirst(end + 1).split(separator: UInt8(ascii: " ")).map {
        String(decoding: $0, as: UTF8.self)
    }
    guard words.count > 6, let flags = UInt32(words[6]) else { return false }
    // PF_EXITING is set before the files and the port are closed; the state changes later.
    let isExiting = flags & 0x4 != 0
    return !isExiting && words[0] != "Z" && words[0] != "X"
}

/// Whether the process was started with `RUNLOOP_INSPECT`.
private func isAskedToBeInspected(_ number: pid_t) -> Bool {
    guard let file = fopen("/proc/\(number)/environ", "re") else { return false }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var byte = fgetc(file)
    while byte != EOF {
        bytes.append(UInt8(truncatingIfNeeded: byte))
        byte = fgetc(file)
    }
    return bytes.split(separator: 0).contains { $0.elementsEqual("RUNLOOP_INSPECT=1".utf8) }
}

private func owner(of number: pid_t) -> uid_t? {
    var status = stat()
    return stat("/proc/\(number)", &status) == 0 ? status.st_uid : nil
}

private func numbersOfOwnProcesses() -> [pid_t] {
    guard let folder = opendir("/proc") else { return [] }
    defer { closedir(folder) }
    var numbers: [pid_t] = []
    while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard let number = pid_t(name), owner(of: number) == geteuid() else { continue }
        numbers.append(number)
    }
    return numbers
}
