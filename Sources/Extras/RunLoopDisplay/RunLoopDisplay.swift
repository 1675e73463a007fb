/// A callback for each frame of a display, on a run loop, modeled on `CADisplayLink`.
///
/// - ``RLDisplayLink`` calls a closure at the frames of an ideal display, or at the vertical blanks
///   of a real display.
/// - ``RLFrameRateRange`` limits the rate of calls.
///
/// The module re-exports `RunLoopKit`.
@_exported public import RunLoopKit
