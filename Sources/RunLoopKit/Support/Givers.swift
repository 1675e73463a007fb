// The code that gives a loop what need not be `Sendable`: which actor's or task's it may be.

package import CRunLoop.Wrapping
import CRunLoopConcurrency

/// An executor that runs its jobs on the thread of a loop.
package protocol LoopExecutor: AnyObject {
    /// The loop.
    var loop: RLRunLoopRef { get }
}

/// Stops the process, with a line that names the call, the giver and the remedy, if an actor whose
/// jobs run on other threads too, or a task outside any actor, gives something to the calling
/// thread's loop.
///
/// Call it before something is kept that need not be `Sendable`. The runtime knows more than a
/// parameter `isolation: (any Actor)? = #isolation` would: functions that belong to no actor keep
/// what an actor calls them with, and properties and overridden methods have no such parameters.
@inline(__always) package func checkGiver(_ call: StaticString) {
    if RLJobsMayBeRunning() || isInMainQueueElsewhere() { checkGiver(inJob: call) }
}

@inline(never) private func checkGiver(inJob call: StaticString) {
    // First of all, as it decides the layouts for all other calls.
    let knowsJobs = knowsExecutors
    checkMainActor(call)
    guard knowsJobs, RLJobsMayBeRunning(), !RLJobsAreOfMainActor() else { return }
    let executor = RLJobsGetExecutor()
    let preferred = withUnsafeCurrentTask { $0?.unownedTaskExecutor }
    // The job that runs keeps it.
    let object = object(executor ?? preferred.flatMap { pointer(of: $0) })
    if isOfCallingThread(object) { return }
    let giver =
        if let object, executor != nil {
            "code of \(type(of: object)), an actor or executor that does not run on the thread of a loop"
        } else {
            "a task of no actor, which goes on on any thread"
        }
    stopProcess(
        "\(call)",
        "called by \(giver): what is given would be used on thread \(describeCurrentThread()) beside "
            + "it; give it on the main actor, on an actor with an RLRunLoopExecutor or on a thread of "
            + "your own, or use the functions of CoreRunLoop, whose closures are @Sendable"
    )
}

/// Stops the process, with a line that names the remedy, if the calling code may be the main
/// actor's and does not run on the main thread.
///
/// After `dispatchMain()` any thread of Dispatch runs the main queue, and a `sync` runs its block
/// on the thread that waits.
package func checkMainActor(_ call: StaticString) {
    guard isInMainQueueElsewhere() || RLJobsAreOfMainActor() && !isMainThread() else { return }
    stopProcess(
        "\(call)",
        "the main actor runs on thread \(describeCurrentThread()), as dispatchMain() has ended the "
            + "main thread: call RLRunLoop.main.run() instead, or import RunLoopConcurrency for an "
            + "async main"
    )
}

func runsHere(_ actor: any Actor) -> Bool {
    if actor is MainActor { return isMainThread() }
    return isOfCallingThread(object(pointer(of: actor.unownedExecutor)))
}

/// Whether the calling thread does work of the main queue without being the main thread.
///
/// This also holds for jobs of the main actor there.
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

/// The pointer to the object of an executor's reference; nil if the layout is unknown.
private func pointer(of executor: some Any) -> UnsafeRawPointer? {
    guard knowsExecutors else { return nil }
    return withUnsafeBytes(of: executor) { RLExecutorGetObject($0.baseAddress) }
}

/// Whether the runtime's executors have the known layout.
///
/// If not, jobs are not checked.
private let knowsExecutors = withUnsafeBytes(of: MainActor.sharedUnownedExecutor) { bytes in
    let isKnown = RLExecutorsCheckLayout(bytes.baseAddress, bytes.count)
    if !isKnown {
        warn(
            "MainActor.sharedUnownedExecutor",
            "has an unknown layout, so that tasks and actors are not checked when a loop keeps an "
                + "object of theirs: use Swift 6.2 or 6.3"
        )
    }
    return isKnown
}
