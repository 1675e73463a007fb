public import Glibc

/// A program as a process of its own, run to its end.
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

    /// Runs the executable at a path.
    public init(path: String, _ arguments: [String]) throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(call: "pipe", number: errno) }

        let child = try Self.spawn(path, arguments, writingTo: ends[1])
        close(ends[1])
        output = Self.readAll(from: ends[0])
        close(ends[0])
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

    private static func spawn(
        _ path: String,
        _ arguments: [String],
        writingTo end: CInt
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, end, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, end, STDERR_FILENO)
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
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        defer {
            for word in words { free(word) }
        }
        let failure = posix_spawn(&child, path, &actions, &attributes, words, environ)
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
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

/// Leaves a program that is started nothing but its standard descriptors.
///
/// Those of other tests, which run meanwhile, would else stay open in it: who waits for the other
/// end of a pipe to be closed would wait for the end of the program too.
public func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
    typealias Function =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt
    // Glibc's module leaves GNU's own functions out.
    let address = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
    let addCloseFrom = unsafeBitCast(address, to: Function?.self)
    let failure = addCloseFrom?(&actions, STDERR_FILENO + 1)
    precondition(failure == 0, "Descriptors cannot be closed: error \(failure ?? ENOSYS).")
}
