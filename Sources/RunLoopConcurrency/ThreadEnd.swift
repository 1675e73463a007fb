import Glibc
import RunLoopKit

/// Actions for when the calling thread, which is ending, has no run loop any more.
enum ThreadEnd {
    private final class Actions {
        var list: [() -> Void] = []
    }

    // Its destructor is called after that of the loop, which puts this value there: in the same
    // round of destructors or in the next.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let failure = pthread_key_create(&key) { actions in
            guard let actions else { return }
            // The reference that the thread had.
            let taken = Unmanaged<Actions>.fromOpaque(actions).takeRetainedValue()
            for action in taken.list { action() }
        }
        if failure != 0 {
            stopProcess("RLRunLoopExecutor", "no thread-specific key is left")
        }
        return key
    }()

    /// Does something after the end of the thread's loop, which is under way.
    static func afterLoop(_ action: @escaping () -> Void) {
        guard let known = pthread_getspecific(key) else {
            let actions = Actions()
            actions.list.append(action)
            // The thread keeps a reference, which the destructor takes.
            pthread_setspecific(key, Unmanaged.passRetained(actions).toOpaque())
            return
        }
        // The thread keeps it.
        Unmanaged<Actions>.fromOpaque(known).takeUnretainedValue().list.append(action)
    }
}
