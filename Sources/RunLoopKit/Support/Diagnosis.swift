// One line on standard error for what is wrong, in the engine's manner.

import CRunLoop.Wrapping
import CoreRunLoop
package import Glibc

/// Text as a line of a terminal can show it: names of threads, modes and programs can have any
/// characters, and those that control a terminal or end a line become visible.
package func printable(_ text: String) -> String {
    let printable = text.withCString { RLTextCopyPrintable($0, text.utf8.count) }
    defer { free(printable) }
    return printable.map { String(cString: $0) } ?? ""
}

/// Prints a line that says that something will not work as asked.
package func warn(_ call: String, _ text: String) {
    let line = "RunLoopKit: \(printable("\(call): \(text)"))\n"
    // In one call, so that lines of several threads do not mix.
    _ = line.withCString { RLWriteWithoutSignal(STDERR_FILENO, $0, strlen($0)) }
}

/// Prints what the client did wrong and stops the process.
package func stopProcess(_ call: String, _ text: String) -> Never {
    warn(call, text)
    abort()
}

/// The words for a number of `errno`, and its name: `Connection refused (ECONNREFUSED)`.
package func describeError(_ number: CInt) -> String {
    String(cString: strerror(number)) + (POSIXErrorCode(rawValue: number).map { " (\($0))" } ?? "")
}

/// Has debug builds report, once for each call, a use that is allowed but does nothing.
@inline(__always) package func hint(_ call: StaticString, _ text: @autoclosure () -> String) {
    #if DEBUG
        let isFirst = hintedCalls.withLock { $0.insert("\(call)").inserted }
        if isFirst { warn("\(call)", text()) }
    #endif
}

#if DEBUG
    package let hintedCalls = Locked<Set<String>>([])
#endif

/// Has debug builds report, once for each call, that another thread, the given one, may change
/// meanwhile what it asks for.
@inline(__always) package func hint(
    _ call: StaticString,
    ifForeign isForeign: @autoclosure () -> Bool,
    for object: StaticString,
    of thread: @autoclosure () -> pid_t,
    _ remedy: StaticString
) {
    #if DEBUG
        guard isForeign() else { return }
        hint(
            call,
            "called on thread \(describeCurrentThread()) for \(object) of thread "
                + "\(describeThread(thread())), which may change it meanwhile: \(remedy)"
        )
    #endif
}

/// The form of an object's description: `<RLPort 0x7f3a4c000b70: 2 messages>`.
package func describe(_ object: AnyObject, _ state: String) -> String {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    return "<\(type(of: object)) 0x\(String(address, radix: 16)): \(state)>"
}

/// The number and the name of the calling thread, for people.
package func describeCurrentThread() -> String {
    describeThread(RLThreadGetNumber())
}

/// The number and, while it lives, the name of a thread of this process, for people.
package func describeThread(_ thread: pid_t) -> String {
    "\(thread)" + (nameOfThread(thread).map { " (\($0))" } ?? "")
}

/// The name of a thread that lives, which can have any characters.
package func nameOfThread(_ thread: pid_t) -> String? {
    guard let file = fopen("/proc/self/task/\(thread)/comm", "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 32)
    // The kernel adds a newline.
    let count = fread(&bytes, 1, bytes.count, file) - 1
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
}

/// The name of the process: that of its program.
var processName: String? {
    CommandLine.arguments.first.map { path in
        path.split(separator: "/").last.map(String.init) ?? path
    }
}

/// Names the calling thread for debuggers and the kernel, which keeps the first 15 bytes.
package func setKernelName(_ name: String) {
    // The C library's function for it is not visible to Swift.
    guard let file = fopen("/proc/thread-self/comm", "w") else { return }
    defer { fclose(file) }
    fwrite(Array(name.utf8.prefix(15)), 1, min(name.utf8.count, 15), file)
}

/// Gives the calling thread a niceness, unless it has that or a higher one.
func setLeastNiceness(_ niceness: CInt) {
    // In the kernel each thread has its niceness, and a number that counts as a process's.
    let thread = id_t(RLThreadGetNumber())
    let kind = CInt(PRIO_PROCESS.rawValue)
    if getpriority(kind, thread) < niceness { setpriority(kind, thread, niceness) }
}

/// Stops the process, with a line that names the call, both threads and the remedy, unless the
/// calling thread is a loop's own.
///
/// The compiler keeps wrappers on their thread where it can. This catches the other uses.
package func checkThread(
    of loop: RLRunLoopRef,
    _ call: StaticString,
    remedy: @autoclosure () -> String = "use getRLRunLoop() and the RLRunLoop functions"
) {
    if RLRunLoopIsCurrent(loop) { return }
    stopForeignUse(call, of: "loop", thread: threadNumber(of: loop), remedy())
}

/// Stops the process as ``checkThread(of:_:remedy:)`` does, unless the thread of the loop has
/// ended.
///
/// Nothing can race with such a loop, and it takes nothing: a line says so.
///
/// - Returns: Whether the loop is the caller's.
@discardableResult
func checkThreadUnlessEnded(
    of loop: RLRunLoopRef,
    _ call: StaticString,
    _ remedy: @autoclosure () -> String = "use getRLRunLoop() and the RLRunLoop functions"
) -> Bool {
    if RLRunLoopIsCurrent(loop) { return true }
    guard warnIfEnded(loop, call) else {
        checkThread(of: loop, call, remedy: remedy())
        return false
    }
    return false
}

/// Prints a line if the thread of a loop has ended, so that the call has no effect.
@discardableResult
func warnIfEnded(_ loop: RLRunLoopRef, _ call: StaticString) -> Bool {
    guard RLRunLoopHasEnded(loop), !RLRunLoopIsCurrent(loop) else { return false }
    warn(
        "\(call)",
        "called on thread \(describeCurrentThread()) for the run loop of a thread that has ended: "
            + "it has no effect"
    )
    return true
}

/// The kernel's number of a loop's thread.
func threadNumber(of loop: RLRunLoopRef) -> pid_t {
    var numbers = RLRunLoopStatistics()
    RLRunLoopGetStatistics(loop, &numbers)
    return numbers.threadID
}

/// Stops a process that uses a wrapper on another thread than its own.
func stopForeignUse(
    _ call: StaticString,
    of object: String,
    thread: pid_t,
    _ remedy: String
) -> Never {
    stopProcess(
        "\(call)",
        "called on thread \(describeCurrentThread()), but the \(object) is that of thread "
            + "\(describeThread(thread)): \(remedy), which may be called from any thread"
    )
}
