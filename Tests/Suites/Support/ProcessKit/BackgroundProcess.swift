import Glibc

/// A program as a process of its own that goes on while the test does, and that the test talks to.
public final class BackgroundProcess: Sendable {
    private let child: pid_t
    private let end: CInt

    /// Starts a program, which is looked for as a shell does.
    ///
    /// Its standard error is this process's.
    public init(program: String, _ arguments: [String]) throws {
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw ChildProcess.Failure(call: "socketpair", number: errno)
        }
        defer { close(ends[1]) }
        do {
            child = try spawnProgram(program, arguments) { actions in
                posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
                posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
            }
        } catch {
            close(ends[0])
            throw error
        }
        end = ends[0]
    }

    deinit {
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
        close(end)
    }

    /// The number of the process.
    public var number: CInt { child }

    /// Has it receive a signal.
    public func receive(_ signal: CInt) {
        kill(child, signal)
    }

    /// Waits for its end.
    ///
    /// - Returns: As a shell has it: the exit code, or 128 and the number of the signal.
    public func exitCode() -> CInt {
        // It is not reaped here, so that its number stays its own until it is killed.
        var information = siginfo_t()
        waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT)
        let status = information._sifields._sigchld.si_status
        return information.si_code == CLD_EXITED ? status : 128 + status
    }

    /// Writes a line to its standard input.
    public func tell(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = send(end, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// Waits for the next line of its standard output; nil if there are no more, or it does not
    /// come.
    ///
    /// For one thread at a time.
    public func readLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        let deadline = Deadline()
        while deadline.awaitReadable(end), read(end, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }
}
