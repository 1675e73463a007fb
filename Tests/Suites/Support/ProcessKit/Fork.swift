public import Glibc

/// Forks.
///
/// Swift does not offer it by name, as few functions may be called in a child. Those that tests
/// call are meant to work there.
public func forkProcess() -> pid_t {
    unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)()
}
