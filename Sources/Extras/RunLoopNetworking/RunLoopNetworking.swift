/// HTTP by libcurl on a run loop: requests that run on one thread for all, in the run-loop modes
/// that each was given.
///
/// - ``RLHTTPClient`` is for async code.
/// - ``RLHTTPRequestOperation`` sends a request, reports to a queue, and can be cancelled.
/// - `RLPermanentThread.networkRequestThread` is the thread on which it does.
///
/// The module re-exports `RunLoopKit`.
@_exported public import RunLoopKit
