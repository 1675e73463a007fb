import ArgumentParser
import Glibc

/// A child process, killed when the last reference is released.
final class Subprocess: Sendable {
    let number: pid_t
    let output: CInt

    /// Starts a program with no signal blocked.
    init(_ path: String, _ arguments: [String]) throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw ValidationError("A pipe cannot be made: \(lastError).")
        }
        // Close-on-exec: another child would keep the pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
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
        close(ends[1])
        guard failure == 0 else {
            close(ends[0])
            throw ValidationError(
                "\(path) cannot be started: \(String(cString: strerror(failure)))."
            )
        }
        number = process
        output = ends[0]
    }

    deinit {
        close(output)
        if waitpid(number, nil, WNOHANG) == 0 {
            kill(number, SIGKILL)
            waitpid(number, nil, 0)
        }
    }
}
