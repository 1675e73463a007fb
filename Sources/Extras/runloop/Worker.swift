import CRunLoop.Wrapping
import Glibc

/// A thread, with a run loop of its own if it asks for one.
final class Worker {
    private var thread = pthread_t()

    /// Starts a thread.
    init(_ body: @escaping @Sendable () -> Void) {
        // The new thread takes over the reference to its box.
        let box = Unmanaged.passRetained(Body(body))
        let failure = RLThreadCreate(
            &thread,
            nil,
            { info in
                guard let info else { return nil }
                Unmanaged<Body>.fromOpaque(info).takeRetainedValue().body()
                return nil
            },
            box.toOpaque()
        )
        precondition(failure == 0, "A thread cannot be started: error \(failure).")
    }

    /// Waits until the thread ended, the teardown of its loop included.
    func join() {
        pthread_join(thread, nil)
    }

    private final class Body: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
}

/// A number of the calling thread that no other living thread has.
func currentThreadNumber() -> UInt {
    pthread_self()
}

/// Keeps the calling thread busy, or rather away from its loop, for some milliseconds.
func block(milliseconds: Int) {
    usleep(UInt32(milliseconds * 1000))
}
