/// Run loops and other event loops on one thread.
///
/// - ``RLHostAdapter`` serves a run loop in GLib's main loop, in a libuv loop, or in any loop that
///   polls descriptors.
/// - ``RLGLibService`` is the reverse: a run loop serves GLib's main context.
///
/// The module builds without either library, and looks them up in the process at run time. The
/// module re-exports `RunLoopKit`.
@_exported public import RunLoopKit
