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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        closeOthers(&actions)

        // Threads that run tests block signals, and the child would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK))

        var child = pid_t()
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        defer {
            for word in words { free(word) }
        }
        let failure = posix_spawnp(&child, program, &actions, &attributes, words, environ)
        close(ends[1])
        guard failure == 0 else {
            close(ends[0])
            throw ChildProcess.Failure(call: "posix_spawnp", number: failure)
        }
        self.child = child
        end = ends[0]
    }

    deinit {
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
        close(end)
    }

    /// Writes a line to its standard input.
    public func tell(_ line: String) {
        let bytes = Array("\(line)\n".utf8)
        _ = send(end, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// Waits for the next line of its standard output; nil if there are no more.
    ///
    /// For one thread at a time.
    public func readLine() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(end, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }
}
