import Dispatch
import Glibc

/// A program as a process of its own, run to its end, for which it has five minutes.
public struct ChildProcess {
    /// A system call that failed.
    public struct Failure: Error {
        let call: String
        let number: CInt
    }

    /// What it wrote, to standard output and standard error alike.
    public let output: String
    /// As a shell has it: the exit code, or 128 and the number of the signal that ended it.
    public let exitCode: CInt

    /// Runs an executable product that was built together with the tests.
    public init(product: String, _ arguments: [String]) throws {
        try self.init(path: Self.pathOfProduct(product), arguments)
    }

    /// Runs an executable product, and keeps no thread from other tasks meanwhile.
    public static func ended(product: String, _ arguments: [String]) async throws -> ChildProcess {
        try await withCheckedThrowingContinuation { continuation in
            // A queue of its own has a thread of its own.
            DispatchQueue(label: product).async {
                continuation.resume(with: Result { try ChildProcess(product: product, arguments) })
            }
        }
    }

    /// Runs the executable at a path.
    public init(path: String, _ arguments: [String]) throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(call: "pipe", number: errno) }

        let child = try spawnProgram(path, arguments) { actions in
            posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
            posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
        }
        close(ends[1])
        defer { close(ends[0]) }
        let end = Deadline()
        guard let output = Self.readAll(from: ends[0], until: end) else {
            kill(child, SIGKILL)
            _ = try Self.wait(for: child)
            throw Failure(call: path, number: ETIMEDOUT)
        }
        self.output = output
        exitCode = try Self.wait(for: child)
    }

    /// The lines of the output; the last one is empty if the output ends as lines do.
    public var lines: [Substring] {
        output.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Where an executable product that was built together with the tests lies.
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

    /// What is written until nobody can write any more; nil if that lasts too long.
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
