import Glibc
import ProcessKit

/// A program on its own terminal; the test reads the screen and presses keys.
final class PseudoTerminal {
    /// The program has not shown the expected screen in two minutes.
    struct Failure: Error {
        let lastFrame: [String]
    }

    private let master: CInt
    /// Nil once the process has been reaped.
    private var child: pid_t?
    private(set) var output = ""

    /// Starts a program with a controlling terminal of the given size.
    init(path: String, _ arguments: [String], width: UInt16, height: UInt16) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: CInt = 0
        var number: CInt = 0
        // TIOCSPTLCK and TIOCGPTN, which Swift does not import.
        guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0,
            ioctl(master, 0x8004_5430, &number) == 0
        else { throw Failure(lastFrame: ["no terminal"]) }
        let name = "/dev/pts/\(number)"
        let newSession: CShort = 0x80
        child = try spawnProgram(path, arguments, flags: newSession) { actions in
            // The first terminal that a session leader opens becomes its controlling terminal.
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, name, O_RDWR, 0)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        }
        resize(width: width, height: height)
    }

    /// Reaps the process: exit tests of Swift Testing poll for zombies, and would find it
    /// repeatedly.
    deinit {
        if let child {
            kill(child, SIGKILL)
            waitpid(child, nil, 0)
        }
        close(master)
    }

    func resize(width: UInt16, height: UInt16) {
        var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func press(_ keys: String) {
        write(master, keys, keys.utf8.count)
    }

    func text(_ text: String) throws {
        let end = time(nil) + 120
        while !output.contains(text) {
            guard time(nil) < end, readMore() else { throw Failure(lastFrame: [output]) }
        }
    }

    /// Waits until the screen meets a condition, and returns its lines.
    @discardableResult
    func frame(where isWanted: ([String]) -> Bool) throws -> [String] {
        let end = time(nil) + 120
        while time(nil) < end {
            let frames = self.frames
            if let found = frames.last(where: isWanted) {
                // Later output belongs to other screens.
                output = ""
                return found
            }
            guard readMore() else { break }
        }
        throw Failure(lastFrame: frames.last ?? [output])
    }

    /// Reads to EOF, or kills the program after a minute; returns the exit code.
    func waitForEnd() -> CInt {
        let end = time(nil) + 60
        while time(nil) < end, readMore() {}
        var status: CInt = 0
        if let child, time(nil) >= end { kill(child, SIGKILL) }
        if let child { waitpid(child, &status, 0) }
        child = nil
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// The complete screens of the output, without colors.
    private var frames: [[String]] {
        output.split(separator: "\u{1B}[H", omittingEmptySubsequences: false).dropFirst()
            .compactMap { frame in
                guard let end = frame.firstRange(of: "\u{1B}[J") else { return nil }
                return frame[..<end.lowerBound].replacing(/\u{1B}\[[0-9;?]*[a-zA-Z]/, with: "")
                    .split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
            }
    }

    private func hasMore(within milliseconds: CInt) -> Bool {
        var waiting = pollfd(fd: master, events: CShort(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }

    private func readMore() -> Bool {
        guard hasMore(within: 1000) else { return true }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let length = read(master, &bytes, bytes.count)
        // The other side is closed.
        guard length > 0 else { return false }
        // Characters may be split between reads; the expected texts are ASCII.
        output += String(decoding: bytes[..<length], as: UTF8.self)
        return true
    }
}
