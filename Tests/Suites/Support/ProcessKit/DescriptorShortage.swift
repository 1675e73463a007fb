import Glibc

/// Holds all descriptors that the process may have, so that the next call fails with `EMFILE`.
///
/// For processes of their own: the shortage and the lower limit affect all threads. Do not use the
/// cooperative pool meanwhile, not even by waiting for a task's value: if jobs of the pool wait for
/// a thread, libdispatch opens files of `/proc` each second, and crashes without a descriptor.
public final class DescriptorShortage {
    private var taken: [CInt] = []

    /// Lowers the limit, and takes the descriptors that are left.
    public init() {
        var limit = rlimit(rlim_cur: 256, rlim_max: 256)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        while true {
            let copy = dup(STDERR_FILENO)
            if copy < 0 { break }
            taken.append(copy)
        }
        precondition(errno == EMFILE && !taken.isEmpty, "Descriptors are left.")
    }

    /// Closes the descriptors; the lower limit stays.
    public func end() {
        for descriptor in taken { close(descriptor) }
        taken = []
    }
}

/// The number of open descriptors below 256.
public func countDescriptors() -> Int {
    (0..<256 as Range<CInt>).count { fcntl($0, F_GETFD) >= 0 }
}
