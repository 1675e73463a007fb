import ArgumentParser
import Glibc

/// A child process with pipes to its standard input and output; killed when the last reference is
/// released.
final class Subprocess: Sendable {
    let number: pid_t
    /// Its input, closed by `closeInput` or `deinit`.
    private let input: CInt
    let output: CInt

    /// Starts a program with no signal blocked.
    init(_ path: String, _ arguments: [String]) throws {
        let (inputEnd, input) = try Subprocess.makePipe()
        let (output, outputEnd) = try Subprocess.makePipe()
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, inputEnd, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, outputEnd, STDOUT_FILENO)
        var attributes = posix_spawnattr_t()
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_init(&attributes)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        var process = pid_t()
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let failure = posix_spawn(&process, path, &actions, &attributes, words, environ)
        for word in words { free(word) }
        posix_spawnattr_destroy(&attributes)
        posix_spawn_file_actions_destroy(&actions)
        close(inputEnd)
        close(outputEnd)
        guard failure == 0 else {
            close(input)
            close(output)
            throw ValidationError(
                "\(path) cannot be started: \(String(cString: strerror(failure)))."
            )
        }
        number = process
        self.input = input
        self.output = output
    }

    /// Starts a part of a sample; see `PartCommand`.
    convenience init(part: String, _ arguments: String...) throws {
        try self.init("/proc/self/exe", ["part", part] + arguments)
    }

    deinit {
        close(input)
        close(output)
        // If a source has reaped the process, it is no longer a child, and `waitpid` fails.
        if waitpid(number, nil, WNOHANG) == 0 {
            kill(number, SIGKILL)
            waitpid(number, nil, 0)
        }
    }

    func send() {
        Glibc.write(input, "\n", 1)
    }

    /// Waits for a byte.
    ///
    /// - Returns: Whether a byte came before EOF.
    func receive() -> Bool {
        var byte: UInt8 = 0
        return read(output, &byte, 1) == 1
    }

    private static func makePipe() throws -> (reading: CInt, writing: CInt) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ValidationError("A pipe cannot be made: \(String(cString: strerror(errno))).")
        }
        // Close-on-exec: another child would keep the pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// Describes a wait status in words.
func describeEnd(_ status: Int32?) -> String {
    guard let status else { return "ended somehow" }
    let signal = status & 0x7F
    return signal == 0 ? "ended with \(status >> 8 & 0xFF)" : "was killed by signal \(signal)"
}
