/// Run loops and other event loops on one thread.
///
/// - ``RLHostAdapter`` has GLib's main loop, libuv's, or any that polls descriptors serve a run
///   loop.
/// - ``RLGLibService`` is the other way round: a run loop serves what is in GLib's main context.
///
/// Neither library is needed to build this module; they are found in the process at run time.
/// The module re-exports `RunLoopKit`.
@_exported public import RunLoopKit
