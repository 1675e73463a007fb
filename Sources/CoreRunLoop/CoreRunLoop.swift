/// CoreFoundation's run-loop API for Swift, with `RL` instead of `CF`.
///
/// This module re-exports the engine, `CRunLoop`, and adds declarations that Swift's importer of C
/// cannot provide:
///
/// - `RLRunLoopRef`, `RLRunLoopSourceRef`, `RLRunLoopObserverRef`, `RLRunLoopTimerRef`,
///   `RLStringRef` and `RLArrayRef` are the engine's own objects, without wrappers. Swift retains
///   and releases them automatically. ``RLReference`` declares their common members.
/// - ``RLRunLoopMode`` is a value that can be written as a string literal.
/// - `RLRunLoopActivity` is an option set, and `RLRunLoopRunResult` is an enumeration.
/// - Observers, timers, sources and blocks can be created from closures.
///
/// Any thread may call any function with any loop, except that a thread can only run its own loop.
/// Functions that block are unavailable in async functions.
///
/// ```swift
/// let timer = RLRunLoopTimerCreate(fireDate: RLAbsoluteTimeGetCurrent() + 1) { _ in print("Hi") }
/// RLRunLoopAddTimer(RLRunLoopGetCurrent(), timer, .defaultMode)
/// RLRunLoopRun()
/// ```
///
/// - Note: Swift 6.3's compiler crashes on an optional of a structure whose only stored property is
///   one of these references. To avoid the crash, add a second stored property, or use an
///   enumeration or a class.
@_exported public import CRunLoop
