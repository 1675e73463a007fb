/// Shows the activity of run loops and the causes of delays.
///
/// - ``RLStallMonitor`` reports callbacks that take too long, with a backtrace.
/// - ``RLRunLoopDump`` shows all loops of the process at a moment, also at a signal.
/// - ``RLInspector`` lets the tool `runloop` inspect the process.
/// - ``RLRunLoopTracer`` records the activity of loops, for Perfetto and as a picture.
///
/// The module re-exports `RunLoopKit`.
@_exported public import RunLoopKit
