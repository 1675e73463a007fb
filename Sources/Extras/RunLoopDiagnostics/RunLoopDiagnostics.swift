/// Shows the activity of run loops and the causes of delays.
///
/// - ``RLStallMonitor`` reports callbacks that take too long, with a backtrace.
/// - ``RLRunLoopDump`` shows the current state of all loops of the process, on request or when a
///   signal arrives.
/// - ``RLInspector`` lets the tool `runloop` inspect the process.
/// - ``RLRunLoopTracer`` records the activity of loops, and exports it to Perfetto or as a picture.
///
/// The module re-exports `RunLoopKit`.
@_exported public import RunLoopKit
