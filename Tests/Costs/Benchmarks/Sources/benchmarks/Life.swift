import Foundation

/// One run of a program that makes one pass and prints its resident size in pages and the time of
/// the pass, in nanoseconds of the monotonic clock.
struct Life {
    /// From before the program is started.
    let millisecondsToFirstPass: Double
    let residentKilobytes: Int

    init(_ path: String) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        defer { posix_spawn_file_actions_destroy(&actions) }

        let began = DispatchTime.now().uptimeNanoseconds
        var process: pid_t = 0
        var arguments = [strdup(path), nil]
        defer { free(arguments[0]) }
        let error = posix_spawn(&process, path, &actions, nil, &arguments, environ)
        close(ends[1])
        guard error == 0 else { throw CocoaError(.executableNotLoadable) }

        var line = [UInt8](repeating: 0, count: 64)
        let count = read(ends[0], &line, line.count)
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process, status == 0, count > 0 else {
            throw CocoaError(.executableRuntimeMismatch)
        }
        let numbers = String(decoding: line.prefix(count), as: UTF8.self)
            .split { " \n".contains($0) }.compactMap { Int($0) }
        guard numbers.count == 2 else { throw CocoaError(.executableRuntimeMismatch) }
        residentKilobytes = numbers[0] * sysconf(Int32(_SC_PAGESIZE)) / 1024
        millisecondsToFirstPass = Double(numbers[1] - Int(began)) / 1e6
    }
}
