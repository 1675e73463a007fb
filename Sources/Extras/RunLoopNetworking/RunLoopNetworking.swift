/// HTTP with libcurl on a run loop: all requests run on one thread, each in its own run-loop modes.
///
/// - ``RLHTTPClient`` serves async code.
/// - ``RLHTTPRequestOperation`` sends one request, reports to a queue, and can be cancelled.
/// - `RLPermanentThread.networkRequestThread` runs the operations.
///
/// The module re-exports `RunLoopKit`.
@_exported public import RunLoopKit
