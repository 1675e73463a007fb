/// CoreFoundation's run-loop API for Swift, with `RL` instead of `CF`.
///
/// This module re-exports the engine, `CRunLoop`, and adds declarations that Swift's importer of C
/// cannot provide:
///
/// - `RLRunLoopRef`, `RLRunLoopSourceRef`, `RLRunLoopObserverRef`, `RLRunLoopTimerRef`,
///   `RLStringRef` and `RLArrayRef` are the engine's own objects. Swift retains and releases them
///   by itself; there is no wrapper around them. ``RLReference`` has their common members.
/// - ``RLRunLoopMode`` is a value that can be written as a string literal.
/// - `RLRunLoopActivity` is an option set, `RLRunLoopRunResult` an enumeration.
/// - Observers, timers, sources and blocks can be made from closures.
///
/// Every function may be called from any thread on any loop; only running is bound to a thread,
/// since a thread runs its own loop. Functions that block are unavailable from async functions.
///
/// ```swift
/// let timer = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent() + 1) { _ in print("Hi") }
/// RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, .defaultMode)
/// RLRunLoopRun()
/// ```
///
/// - Note: Swift 6.3's compiler crashes on an optional of a structure whose only stored property is
///   one of these references. A second stored property, or an enumeration or a class instead of
///   the structure, avoids that.
@_exported public import CRunLoop
