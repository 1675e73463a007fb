// The code that gives a loop what need not be `Sendable`: which actor's or task's it may be.

package import CRunLoop.Wrapping

/// An executor that runs its jobs on the thread of a loop.
package protocol LoopExecutor: AnyObject {
    /// The loop.
    var loop: RLRunLoopRef { get }
}

/// Stops the process, with a line that names the call, the giver and the way out, if the calling
/// thread's loop is given something by an actor whose jobs run on other threads too, or by a task
/// of no actor, which goes on on any thread.
///
/// To be called where something is kept that need not be `Sendable`. The runtime knows more than a
/// parameter `isolation: (any Actor)? = #isolation` would: functions that belong to no actor keep
/// what an actor calls them with, and properties and overridden methods have no such parameters.
@inline(__always) package func checkGiver(_ call: StaticString) {
    if RLSwiftIsInJob() { checkGiver(inJob: call) }
}

@inline(never) private func checkGiver(inJob call: StaticString) {
    let executor = RLSwiftGetExecutor()
    if executor == pointer(of: MainActor.sharedUnownedExecutor) { return }
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

/// Whether an actor's jobs run on the calling thread.
func runsHere(_ actor: any Actor) -> Bool {
    if actor is MainActor { return RLRunLoopIsCurrent(RLRunLoopGetMain()) }
    return isOfCallingThread(object(pointer(of: actor.unownedExecutor)))
}

private func isOfCallingThread(_ executor: AnyObject?) -> Bool {
    (executor as? any LoopExecutor).map { RLRunLoopIsCurrent($0.loop) } ?? false
}

private func object(_ pointer: UnsafeRawPointer?) -> AnyObject? {
    pointer.map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
}

/// The pointer to the object of an executor's reference, which is that and a witness table.
private func pointer(of executor: some Any) -> UnsafeRawPointer? {
    precondition(MemoryLayout.size(ofValue: executor) == 2 * MemoryLayout<UInt>.size)
    return withUnsafeBytes(of: executor) { $0.load(as: UnsafeRawPointer?.self) }
}
