public import Glibc

/// Forks.
///
/// Swift's import of `fork` is unavailable, as few functions are safe in a child. The functions
/// that tests call are safe.
///
/// `CHarness` ends a child that lives longer than five minutes, or than the process of tests.
public func forkProcess() -> pid_t {
    unsafeBitCast(dlsym(nil, "fork"), to: (@convention(c) () -> pid_t).self)()
}
