import Dispatch
import Glibc

/// Runs a program in its own process to its end, up to five minutes.
public struct ChildProcess {
    /// A failed system call, or a program that has reached its deadline.
    public struct Failure: Error, Equatable {
        let call: String
        let number: CInt

        /// Makes a failure with an errno number.
        public init(call: String, number: CInt) {
            self.call = call
            self.number = number
        }
    }

    /// The combined output to standard output and standard error.
    public let output: String
    /// The exit code, or 128 plus the number of the signal that ended it, as in a shell.
    public let exitCode: CInt

    /// Runs an executable product that was built together with the tests.
    public init(product: String, _ arguments: [String]) throws {
        try self.init(path: Self.pathOfProduct(product), arguments)
    }

    /// Runs an executable product up to 15 minutes without occupying a thread of the tasks' pool.
    public static func ended(product: String, _ arguments: [String]) async throws -> ChildProcess {
        try await withCheckedThrowingContinuation { continuation in
            // A queue of its own has its own thread.
            DispatchQueue(label: product).async {
                continuation.resume(
                    with: Result {
                        let end = Deadline(after: .seconds(900))
                        return try ChildProcess(path: pathOfProduct(product), arguments, until: end)
                    }
                )
            }
        }
    }

    /// Runs the executable at a path, and kills it at the deadline.
    public init(path: String, _ arguments: [String], until end: Deadline = Deadline()) throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(call: "pipe", number: errno) }

        let child = try spawnProgram(path, arguments) { actions in
            posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        }
        close(ends[1])
        defer { close(ends[0]) }
        guard let output = Self.readAll(from: ends[0], until: end), end.awaitEnd(of: child) else {
            kill(child, SIGKILL)
            _ = try Self.wait(for: child)
            throw Failure(call: path, number: ETIMEDOUT)
        }
        self.output = output
        exitCode = try Self.wait(for: child)
    }

    /// The lines of the output; the last one is empty if the output ends with a newline.
    public var lines: [Substring] {
        output.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The path of an executable product that was built together with the tests.
    public static func pathOfProduct(_ product: String) throws -> String {
        let directory = try pathOfThisProcess().split(separator: "/").dropLast()
        return "/" + directory.joined(separator: "/") + "/" + product
    }

    private static func pathOfThisProcess() throws -> String {
        guard let path = realpath("/proc/self/exe", nil) else {
            throw Failure(call: "realpath", number: errno)
        }
        defer { free(path) }
        return String(cString: path)
    }

    /// Reads until EOF; nil after the deadline.
    private static func readAll(from end: CInt, until deadline: Deadline) -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while deadline.awaitReadable(end) {
            let count = read(end, &buffer, buffer.count)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
        return nil
    }

    private static func wait(for child: pid_t) throws -> CInt {
        var status: CInt = 0
        guard waitpid(child, &status, 0) == child else {
            throw Failure(call: "waitpid", number: errno)
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
