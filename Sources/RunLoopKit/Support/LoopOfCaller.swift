import CRunLoop.Wrapping
import CoreRunLoop

/// The loop that the calling thread runs, as in callbacks and actors of that loop; on threads that
/// run none, such as Swift's own, the main loop.
package func loopOfCaller() -> RLRunLoopRef {
    if let loop = RLRunLoopGetRunning() { return loop }
    return RLRunLoopGetMain()
}
