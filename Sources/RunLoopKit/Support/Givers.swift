// The code that gives a loop what need not be `Sendable`: which actor's it may be.

package import CRunLoop.Wrapping

/// An executor that runs its jobs on the thread of a loop.
package protocol LoopExecutor: AnyObject {
    /// The loop.
    var loop: RLRunLoopRef { get }
}

/// Stops the process, with a line that names the call, the actor and the way out, if an actor gives
/// the calling thread's loop something whose jobs run on other threads too.
///
/// To be called where something is kept that need not be `Sendable`. The runtime knows more than a
/// parameter `isolation: (any Actor)? = #isolation` would: functions that belong to no actor keep
/// what an actor calls them with, and properties and overridden methods have no such parameters.
@inline(__always) package func checkGiver(_ call: StaticString) {
    if let executor = RLSwiftGetExecutor() { checkGiver(call, executor) }
}

@inline(never) private func checkGiver(_ call: StaticString, _ executor: UnsafeRawPointer) {
    // An executor's reference is its object and a witness table.
    let main = unsafeBitCast(MainActor.sharedUnownedExecutor, to: (UInt, UInt).self).0
    if UInt(bitPattern: executor) == main { return }
    // The job that runs keeps it.
    let object = Unmanaged<AnyObject>.fromOpaque(executor).takeUnretainedValue()
    if let executor = object as? any LoopExecutor, RLRunLoopIsCurrent(executor.loop) { return }
    stopProcess(
        "\(call)",
        "called by code of \(type(of: object)), an actor or executor that does not run on the thread of "
            + "a loop: what is given would be used on thread \(describeCurrentThread()) beside the "
            + "actor's jobs; give it on the main actor or on an actor with an RLRunLoopExecutor, or use "
            + "the functions of CoreRunLoop, whose closures are @Sendable"
    )
}
