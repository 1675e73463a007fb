/// Run loops and other event loops on one thread.
///
/// - ``RLHostAdapter`` serves a run loop in GLib's main loop, in libuv's, or in any loop that
///   polls descriptors.
/// - ``RLGLibService`` is the reverse: a run loop serves GLib's main context.
///
/// Neither library is needed to build this module; they are found in the process at run time.
/// The module re-exports `RunLoopKit`.
@_exported public import RunLoopKit
