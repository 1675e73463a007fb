import Glibc
import RunLoopKit

/// Calls actions after the end of the calling thread's loop.
enum ThreadEnd {
    private final class Actions {
        var list: [() -> Void] = []
    }

    // The loop's destructor sets the value of this key. So the destructor of the key runs after the
    // loop's destructor, in the same or the next round of destructors.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let failure = pthread_key_create(&key) { actions in
            guard let actions else { return }
            // Takes over the thread's reference.
            let taken = Unmanaged<Actions>.fromOpaque(actions).takeRetainedValue()
            for action in taken.list { action() }
        }
        if failure != 0 {
            stopProcess(
                "RLRunLoopExecutor",
                "no pthread key is left: delete unused keys with pthread_key_delete"
            )
        }
        return key
    }()

    /// Adds an action; call this function while the loop of the calling thread is ending.
    static func afterLoop(_ action: @escaping () -> Void) {
        guard let known = pthread_getspecific(key) else {
            let actions = Actions()
            actions.list.append(action)
            // The destructor consumes this reference.
            pthread_setspecific(key, Unmanaged.passRetained(actions).toOpaque())
            return
        }
        // Unretained: the thread owns a reference.
        Unmanaged<Actions>.fromOpaque(known).takeUnretainedValue().list.append(action)
    }
}
