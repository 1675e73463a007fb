/// Run loops as objects, modeled on Foundation's `RunLoop` and `Timer`.
///
/// - ``RLRunLoop`` is a thread's run loop, and ``RLTimer`` is a timer in a loop.
/// - ``RLObject`` performs a method later, or on another thread.
/// - ``RLThread`` is a thread with a loop, and ``RLPermanentThread`` is a thread that waits for
///   tasks.
/// - ``RLInputStream`` and ``RLOutputStream`` report events to a delegate.
/// - ``RLNotificationQueue`` posts notifications at the end of a pass or when the loop is idle.
/// - ``RLTransaction`` commits the changes of a pass, and ``RLIdleQueue`` works while the loop is
///   idle.
///
/// The module re-exports `CoreRunLoop`, whose references any thread may use. Most objects of this
/// module are confined to their thread.
@_exported public import CoreRunLoop
