/// CoreFoundation's run loop API in Apple's Swift spelling, implemented by this package.
///
/// To compile a Swift file that was written for Apple's systems, replace `import CoreFoundation`
/// with `import CFCompatibility`. As on Apple's systems, type names have no `Ref`, and functions
/// take implicitly unwrapped arguments and closures that need not be `Sendable`.
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
/// Each type and function is the same as its counterpart with the prefix `RL`, so both spellings
/// can be mixed. Docs/Porting.md lists the differences, such as casts of strings that are not
/// literals.
@_exported public import CRunLoop.CFDeclarations
@_exported public import CoreRunLoop
// On Apple's systems, importing CoreFoundation also imports these modules.
@_exported public import Dispatch

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#endif
