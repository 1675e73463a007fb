// Writes diagnostics to standard error in the engine's format.

import CRunLoop.Wrapping
import CoreRunLoop
package import Glibc

/// Escapes control characters: names of threads, modes and programs may contain any characters.
package func printable(_ text: String) -> String {
    let printable = text.withCString { RLTextCopyPrintable($0, text.utf8.count) }
    defer { free(printable) }
    return printable.map { String(cString: $0) } ?? ""
}

/// Logs a warning that an operation does not work as requested.
package func warn(_ call: String, _ text: String) {
    let line = "RunLoopKit: \(printable("\(call): \(text)"))\n"
    // Writes the line with one system call, so that lines of several threads do not mix.
    _ = line.withCString { RLWriteWithoutSignal(STDERR_FILENO, $0, strlen($0)) }
}

package func stopProcess(_ call: String, _ text: String) -> Never {
    warn(call, text)
    abort()
}

/// Returns the description and the name of an `errno` value: `Connection refused (ECONNREFUSED)`.
package func describeError(_ number: CInt) -> String {
    String(cString: strerror(number)) + (POSIXErrorCode(rawValue: number).map { " (\($0))" } ?? "")
}

/// In debug builds, logs a warning about a call that is legal but useless, once for each function.
@inline(__always) package func hint(_ call: StaticString, _ text: @autoclosure () -> String) {
    #if DEBUG
        let isFirst = hintedCalls.withLock { $0.insert("\(call)").inserted }
        if isFirst { warn("\(call)", text()) }
    #endif
}

#if DEBUG
    package let hintedCalls = Locked<Set<String>>([])
#endif

/// In debug builds, warns once per function about a racy read of another thread's object.
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

/// Formats a description: `<RLPort 0x7f3a4c000b70: 2 messages>`.
package func describe(_ object: AnyObject, _ state: String) -> String {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    return "<\(type(of: object)) 0x\(String(address, radix: 16)): \(state)>"
}

package func describeCurrentThread() -> String {
    describeThread(RLThreadGetNumber())
}

/// Returns the ID of a thread of this process, with its name if it still runs, for diagnostics.
package func describeThread(_ thread: pid_t) -> String {
    "\(thread)" + (nameOfThread(thread).map { " (\($0))" } ?? "")
}

/// Returns the kernel's name of a thread, which may contain any characters.
package func nameOfThread(_ thread: pid_t) -> String? {
    guard let file = fopen("/proc/self/task/\(thread)/comm", "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 32)
    // Excludes the kernel's newline.
    let count = fread(&bytes, 1, bytes.count, file) - 1
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
}

var processName: String? {
    CommandLine.arguments.first.map { path in
        path.split(separator: "/").last.map(String.init) ?? path
    }
}

/// Sets the kernel's name of the calling thread: the first 15 bytes of `name`.
package func setKernelName(_ name: String) {
    // `pthread_setname_np` is not imported.
    guard let file = fopen("/proc/thread-self/comm", "w") else { return }
    defer { fclose(file) }
    fwrite(Array(name.utf8.prefix(15)), 1, min(name.utf8.count, 15), file)
}

func setLeastNiceness(_ niceness: CInt) {
    // On Linux niceness is per thread, and `PRIO_PROCESS` accepts thread IDs.
    let thread = id_t(RLThreadGetNumber())
    let kind = CInt(PRIO_PROCESS.rawValue)
    if getpriority(kind, thread) < niceness { setpriority(kind, thread, niceness) }
}

/// Stops the process if the calling thread is not the loop's.
///
/// The compiler detects most such calls; this check detects the others.
package func checkThread(
    of loop: RLRunLoopRef,
    _ call: StaticString,
    remedy: @autoclosure () -> String =
        "pass getRLRunLoop() to C functions, such as RLRunLoopPerformBlock"
) {
    if RLRunLoopIsCurrent(loop) { return }
    stopForeignUse(call, of: "loop", thread: threadNumber(of: loop), remedy())
}

/// Like ``checkThread(of:_:remedy:)``, but only logs a warning if the loop's thread has ended.
///
/// A loop that has ended cannot race with the call. Returns whether the loop is the calling
/// thread's loop.
@discardableResult
func checkThreadUnlessEnded(
    of loop: RLRunLoopRef,
    _ call: StaticString,
    _ remedy: @autoclosure () -> String =
        "pass getRLRunLoop() to C functions, such as RLRunLoopPerformBlock"
) -> Bool {
    if RLRunLoopIsCurrent(loop) { return true }
    guard warnIfEnded(loop, call) else {
        checkThread(of: loop, call, remedy: remedy())
        return false
    }
    return false
}

/// Logs a warning if the thread of a loop has ended, because the call then has no effect.
@discardableResult
func warnIfEnded(_ loop: RLRunLoopRef, _ call: StaticString) -> Bool {
    guard RLRunLoopHasEnded(loop), !RLRunLoopIsCurrent(loop) else { return false }
    warn(
        "\(call)",
        "called on thread \(describeCurrentThread()) for the run loop of a thread that "
            + "has ended: the call is ignored; keep that thread running"
    )
    return true
}

func threadNumber(of loop: RLRunLoopRef) -> pid_t {
    var numbers = RLRunLoopStatistics()
    RLRunLoopGetStatistics(loop, &numbers)
    return numbers.threadID
}

func stopForeignUse(
    _ call: StaticString,
    of object: String,
    thread: pid_t,
    _ remedy: String
) -> Never {
    stopProcess(
        "\(call)",
        "called on thread \(describeCurrentThread()), but the \(object) belongs to thread "
            + "\(describeThread(thread)): \(remedy), which may be called from any thread"
    )
}
