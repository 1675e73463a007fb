/// CoreFoundation's run loop in Apple's Swift spelling, on the engine of this package.
///
/// A Swift file that was written for Apple's systems compiles after its line
/// `import CoreFoundation` has become `import CFCompatibility`: types lose `Ref`, functions take
/// implicitly unwrapped arguments and closures that need not be `Sendable`.
///
/// ```swift
/// import CFCompatibility
///
/// let timer = CFRunLoopTimerCreateWithHandler(
///     kCFAllocatorDefault, CFAbsoluteTimeGetCurrent() + 1, 0, 0, 0
/// ) { timer in
///     CFRunLoopStop(CFRunLoopGetCurrent())
/// }
/// CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, .defaultMode)
/// CFRunLoopRun()
/// ```
///
/// Each type and function is the declaration with `RL` in its name, so that files with both
/// spellings can be mixed. The page on porting lists the differences, such as a cast of a string
/// that is not a literal.
@_exported public import CRunLoop.CFDeclarations
@_exported public import CoreRunLoop
// Importing CoreFoundation imports these on Apple's systems.
@_exported public import Dispatch

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#endif
