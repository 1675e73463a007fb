import Glibc

/// A program in its own process, which runs and communicates with the test.
public final class BackgroundProcess: Sendable {
    private let program: String
    private let child: pid_t
    private let end: CInt

    /// Starts a program, which is searched for in `PATH`.
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
        self.program = program
    }

    deinit {
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
        close(end)
    }

    /// The process ID.
    public var number: CInt { child }

    /// Sends the process a signal.
    public func receive(_ signal: CInt) {
        kill(child, signal)
    }

    /// Waits for the end of the process, and kills it at the deadline.
    ///
    /// - Returns: The exit code, or 128 plus the number of the signal, as in a shell.
    /// - Throws: `ETIMEDOUT` after the deadline.
    public func exitCode(until deadline: Deadline = Deadline()) throws -> CInt {
        guard deadline.awaitEnd(of: child) else {
            kill(child, SIGKILL)
            throw ChildProcess.Failure(call: program, number: ETIMEDOUT)
        }
        // Not reaped here: its number must remain unique until `deinit` kills the process.
        var information = siginfo_t()
        waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT)
        let status = information._sifields._sigchld.si_status
        return information.si_code == CLD_EXITED ? status : 128 + status
    }

    /// Writes a line to its standard input.
    public func write(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = send(end, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// Waits for the next line of its standard output; nil at EOF or after the deadline.
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
