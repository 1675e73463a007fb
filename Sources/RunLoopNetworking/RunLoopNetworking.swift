/// A network request thread: requests that run on one thread for all, in the run-loop modes that
/// each was given, and report to the main queue.
///
/// - ``RLHTTPRequestOperation`` fetches something by HTTP/1.1 and can be cancelled.
/// - `RLPermanentThread.networkRequestThread` is the thread on which it does.
///
/// The module re-exports `RunLoopKit`.
@_exported public import RunLoopKit
