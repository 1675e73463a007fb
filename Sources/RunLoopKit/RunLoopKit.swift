/// Run loops as objects, modelled on Foundation's `RunLoop` and `Timer`.
///
/// - ``RLRunLoop`` is a thread's loop for that thread, ``RLTimer`` a timer in it.
/// - ``RLObject`` performs a method later, or on another thread.
/// - ``RLThread`` is a thread that owns a loop, ``RLPermanentThread`` one that waits for tasks.
/// - ``RLInputStream`` and ``RLOutputStream`` report events to a delegate.
/// - ``RLNotificationQueue`` posts when the loop has time.
/// - ``RLTransaction`` commits the changes of a pass, ``RLIdleQueue`` works when there is nothing
///   else to do.
///
/// The module re-exports `CoreRunLoop`, whose references may be used from any thread; objects of
/// this module belong to their thread.
@_exported public import CoreRunLoop
