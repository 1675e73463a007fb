public import Glibc

/// Starts a program with only its standard descriptors open, and with no signal blocked.
///
/// - Parameters:
///   - program: A path, or a name to search for in `PATH`.
///   - arguments: The arguments after the program's name.
///   - flags: Additional flags for `posix_spawnattr_setflags`.
///   - redirect: Sets up the standard descriptors.
/// - Returns: The process ID; the caller reaps the process.
/// - Throws: The failure of `posix_spawnp`.
public func spawnProgram(
    _ program: String,
    _ arguments: [String],
    flags: CShort = 0,
    redirect: (inout posix_spawn_file_actions_t) -> Void
) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    redirect(&actions)
    closeOthers(&actions)

    // Threads that run tests block signals, and the child would inherit the mask.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, CShort(POSIX_SPAWN_SETSIGMASK) | flags)

    let words = ([program] + arguments).map { strdup($0) } + [nil]
    defer {
        for word in words { free(word) }
    }
    var child = pid_t()
    let failure = posix_spawnp(&child, program, &actions, &attributes, words, environ)
    guard failure == 0 else {
        throw ChildProcess.Failure(call: "posix_spawnp", number: failure)
    }
    return child
}

/// Closes all descriptors of a started program except the standard ones.
///
/// Inherited descriptors of concurrent tests would remain open: a test that waits for EOF of a pipe
/// would wait for the end of the program.
private func closeOthers(_ actions: inout posix_spawn_file_actions_t) {
    typealias Function =
        @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt
    // Glibc's module omits GNU extensions.
    let address = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np")
    let addCloseFrom = unsafeBitCast(address, to: Function?.self)
    let failure = addCloseFrom?(&actions, STDERR_FILENO + 1)
    precondition(failure == 0, "Descriptors cannot be closed: error \(failure ?? ENOSYS).")
}
