import CoreRunLoop
import Dispatch
import Glibc
import Synchronization

/// `tail -F` as a source: a log file that grows, is truncated, and is rotated.
struct LogFollowerSample: Sample {
    let name = "log-follower"
    let summary = "follows a log file through truncation and rotation, told by inotify"

    func run(_ trace: Trace) throws {
        let folder = try TemporaryFolder()
        let log = Log(folder.path + "/log")
        log.write("one\n")
        let milestones = Milestones(["and its other half", "(truncated)", "four"])
        let follower = LogFollower(folder.path + "/log") { line in
            trace.event(line)
            milestones.reach(line)
        }
        try follower.begin(in: folder.path)

        let writer = Worker { write(log, waitingAt: milestones) }
        RLRunLoopRun()
        writer.join()

        trace.expect([
            "one", "two", "half a line", "and its other half", "(truncated)", "three",
            "last of the old file", "later than the rotation", "(another file)", "four",
            "(another file)", "five", "quit",
        ])
    }
}

/// The changes of the file.
///
/// The writer waits where two steps at once could not be told from one; elsewhere the follower has
/// to keep up.
private func write(_ log: Log, waitingAt milestones: Milestones) {
    log.write("two\nhalf a ")
    log.write("line\nand its other half\n")
    milestones.wait(for: "and its other half")

    log.truncate()
    milestones.wait(for: "(truncated)")
    log.write("three\n")

    // As logrotate does it: the program writes to the old file until it opens the new one.
    log.write("last of the old file\n")
    log.rename(to: "log.1")
    log.write("later than the rotation\n")
    log.reopen()
    log.write("four\n")
    milestones.wait(for: "four")

    // As editors do it: a file that is complete takes the place of the old one.
    log.replace(by: "five\nquit\n")
}

/// Reads what is new in a file whenever something has happened in its folder.
///
/// Events are hints, and the file is what counts: events that come late, twice, or never, after an
/// overflow, do no harm.
private final class LogFollower: Sendable {
    private struct State {
        var file: CInt = -1
        var offset: off_t = 0
        var rest: [UInt8] = []
    }

    private let path: String
    private let tell: @Sendable (String) -> Void
    private let state = Mutex(State())

    init(_ path: String, _ tell: @escaping @Sendable (String) -> Void) {
        self.path = path
        self.tell = tell
    }

    deinit {
        let file = state.withLock { $0.file }
        if file >= 0 { close(file) }
    }

    /// Reads what is there, and all that follows while the thread's loop runs, until a line "quit".
    func begin(in folder: String) throws {
        let source = try unwrap(
            RLFileSourceCreate { [self] source, _, _ in
                if catchUp().contains("quit") { RLRunLoopSourceInvalidate(source) }
            },
            "Files cannot be watched."
        )
        // Of the folder, as the file itself may be another one at any time.
        let watch = RLFileSourceAddWatch(source, folder, [.modify, .create, .movedTo])
        _ = try unwrap(watch > 0 ? watch : nil, "The folder cannot be watched.")
        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
        _ = catchUp()
    }

    /// Tells what is new.
    private func catchUp() -> [String] {
        let news = state.withLock { state in
            var news = read(&state)
            while let file = openSuccessor(of: state.file) {
                // Whatever was written before the name changed hands.
                news += read(&state)
                if state.file >= 0 {
                    close(state.file)
                    news.append("(another file)")
                }
                state = State(file: file)
                news += read(&state)
            }
            return news
        }
        news.forEach(tell)
        return news
    }

    /// The complete lines that are new in the open file.
    private func read(_ state: inout State) -> [String] {
        var news: [String] = []
        if size(of: state.file) < state.offset {
            state.offset = 0
            state.rest = []
            news.append("(truncated)")
        }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = pread(state.file, &buffer, buffer.count, state.offset)
            guard count > 0 else { return news }
            state.offset += count
            var lines = (state.rest + buffer.prefix(count)).split(
                separator: UInt8(ascii: "\n"),
                omittingEmptySubsequences: false
            )
            state.rest = Array(lines.removeLast())
            news += lines.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The file that has the name, unless that is the one that is open.
    private func openSuccessor(of file: CInt) -> CInt? {
        var ours = stat()
        var named = stat()
        guard stat(path, &named) == 0 else { return nil }
        if fstat(file, &ours) == 0 && ours.st_ino == named.st_ino { return nil }
        let successor = open(path, O_RDONLY | O_CLOEXEC)
        return successor >= 0 ? successor : nil
    }

    private func size(of file: CInt) -> off_t {
        var status = stat()
        return fstat(file, &status) == 0 ? status.st_size : 0
    }
}

/// The program that logs, on one thread at a time.
private final class Log: Sendable {
    private let path: String
    private let file = Mutex<CInt>(-1)

    init(_ path: String) {
        self.path = path
        reopen()
    }

    deinit {
        _ = close(file.withLock { $0 })
    }

    func write(_ text: String) {
        file.withLock { _ = Glibc.write($0, text, text.utf8.count) }
    }

    func truncate() {
        file.withLock { _ = ftruncate($0, 0) }
    }

    func rename(to name: String) {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        Glibc.rename(path, "/" + folder + "/" + name)
    }

    func reopen() {
        file.withLock { file in
            if file >= 0 { close(file) }
            file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        }
    }

    func replace(by text: String) {
        Log(path + ".new").write(text)
        Glibc.rename(path + ".new", path)
    }
}

/// Lines for which the writer waits.
private struct Milestones: Sendable {
    private let doors: [String: DispatchSemaphore]

    init(_ lines: [String]) {
        doors = .init(uniqueKeysWithValues: lines.map { ($0, DispatchSemaphore(value: 0)) })
    }

    func reach(_ line: String) {
        doors[line]?.signal()
    }

    func wait(for line: String) {
        doors[line]?.wait()
    }
}

/// A folder that is removed in the end, with the files in it.
private final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/corerunloop-demo-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
        path = try unwrap(made, "A folder cannot be made.")
    }

    deinit {
        for name in ["log", "log.1"] { unlink(path + "/" + name) }
        rmdir(path)
    }
}
