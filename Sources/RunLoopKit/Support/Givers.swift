// Checks that code that passes non-`Sendable` objects to a loop is isolated to the loop's thread.

package import CRunLoop.Wrapping
import CRunLoopConcurrency

/// An executor that runs its jobs on the thread of a loop.
package protocol LoopExecutor: AnyObject {
    var loop: RLRunLoopRef { get }
}

/// Stops the process if the calling code belongs to an actor whose jobs also run on other threads,
/// or to a task outside any actor.
///
/// Call the function before the loop retains an object that need not be `Sendable`. A parameter
/// `isolation: (any Actor)? = #isolation` would not be enough: nonisolated functions hide their
/// caller's actor, and properties and overridden methods cannot have such a parameter.
@inline(__always) package func checkGiver(_ call: StaticString) {
    if RLJobsMayBeRunning() || isInMainQueueElsewhere() { checkGiver(inJob: call) }
}

@inline(never) private func checkGiver(inJob call: StaticString) {
    // Checked first, because the other calls depend on the layout of executors.
    let knowsJobs = knowsExecutors
    checkMainActor(call)
    guard knowsJobs, RLJobsMayBeRunning(), !RLJobsAreOfMainActor() else { return }
    let executor = RLJobsGetExecutor()
    let preferred = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
    // The running job retains the executor.
    let object = object(executor ?? preferred.flatMap { pointer(of: $0) })
    if isOfCallingThread(object) { return }
    let giver =
        if let object, executor != nil {
            "code of \(type(of: object)), whose jobs do not run on the thread of a loop"
        } else {
            "a task outside any actor, which may resume on any thread"
        }
    stopProcess(
        "\(call)",
        "called by \(giver): call it on the main actor or an actor with an "
            + "RLRunLoopExecutor, or use functions of CoreRunLoop"
    )
}

/// Stops the process if the caller may be isolated to the main actor but is on another thread.
///
/// After `dispatchMain()`, any libdispatch thread serves the main queue, and `sync` runs its block
/// on the waiting thread.
package func checkMainActor(_ call: StaticString) {
    guard isInMainQueueElsewhere() || RLJobsAreOfMainActor() && !isMainThread() else { return }
    stopProcess(
        "\(call)",
        "the main actor runs on thread \(describeCurrentThread()), as dispatchMain() or "
            + "an async main ended the main thread: call RLRunLoop.main.run() instead of "
            + "dispatchMain(), or import RunLoopConcurrency for the async main"
    )
}

func runsHere(_ actor: any Actor) -> Bool {
    if actor is MainActor { return isMainThread() }
    return isOfCallingThread(object(pointer(of: actor.unownedExecutor)))
}

private func isInMainQueueElsewhere() -> Bool {
    !isMainThread() && SynchronousQueue.isMainQueueCurrent
}

private func isMainThread() -> Bool {
    RLRunLoopIsCurrent(RLRunLoopGetMain())
}

private func isOfCallingThread(_ executor: AnyObject?) -> Bool {
    (executor as? any LoopExecutor).map { RLRunLoopIsCurrent($0.loop) } ?? false
}

private func object(_ pointer: UnsafeRawPointer?) -> AnyObject? {
    pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
}

/// Returns the pointer to an executor's object, or nil if the layout of the reference is unknown.
private func pointer(of executor: some Any) -> UnsafeRawPointer? {
    guard knowsExecutors else { return nil }
    return withUnsafeBytes(of: executor) { RLExecutorGetObject($0.baseAddress) }
}

/// Whether the runtime's executors have the known layout; if false, jobs are not checked.
let knowsExecutors = withUnsafeBytes(of: MainActor.sharedUnownedExecutor) { bytes in
    let isKnown = RLExecutorsCheckLayout(bytes.baseAddress, bytes.count)
    if !isKnown {
        warn(
            "MainActor.sharedUnownedExecutor",
            "has an unknown layout, so the library cannot detect objects that tasks pass to a loop "
                + "of another thread: use Swift 6.2 or 6.3"
        )
    }
    return isKnown
}
