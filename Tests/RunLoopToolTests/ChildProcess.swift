import Glibc

/// The `runloop` executable as a process of its own, run to its end.
struct ChildProcess {
    struct Failure: Error {
        let call: String
        let number: CInt
    }

    let output: String
    let exitCode: CInt

    /// Runs the executable that was built together with the tests.
    init(_ arguments: String...) throws {
        let directory = try Self.pathOfThisProcess().split(separator: "/").dropLast()
        let path = "/" + directory.joined(separator: "/") + "/runloop"
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(call: "pipe", number: errno) }

        let child = try Self.spawn(path, arguments, writingTo: ends[1], closing: ends[0])
        close(ends[1])
        output = Self.readAll(from: ends[0])
        close(ends[0])
        exitCode = try Self.wait(for: child)
    }

    var lines: [Substring] {
        output.split(separator: "\n", omittingEmptySubsequences: false)
    }

    private static func pathOfThisProcess() throws -> String {
        guard let path = realpath("/proc/self/exe", nil) else {
            throw Failure(call: "realpath", number: errno)
        }
        defer { free(path) }
        return String(cString: path)
    }

    private static func spawn(
        _ path: String,
        _ arguments: [String],
        writingTo end: CInt,
        closing otherEnd: CInt
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, end, STDERR_FILENO)
        posix_spawn_file_actions_addclose(&actions, otherEnd)

        var child = pid_t()
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        defer {
            for word in words { free(word) }
        }
        let failure = posix_spawn(&child, path, &actions, nil, words, environ)
        guard failure == 0 else { throw Failure(call: "posix_spawn", number: failure) }
        return child
    }

    private static func readAll(from end: CInt) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(end, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
    }

    private static func wait(for child: pid_t) throws -> CInt {
        var status: CInt = 0
        guard waitpid(child, &status, 0) == child else {
            throw Failure(call: "waitpid", number: errno)
        }
        // As a shell has it: the exit code, or 128 and the number of the signal.
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
