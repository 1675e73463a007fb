import CRunLoop.Wrapping
import Glibc
import RunLoopKit

/// Starts a thread that has no run loop, so that no dump of all loops shows it.
///
/// Nobody joins it: it ends when its function returns.
func startBackgroundThread(name: String, _ body: @escaping @Sendable () -> Void) {
    // The new thread takes over the reference to its box.
    let box = Unmanaged.passRetained(ThreadBody(name: name, body: body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let failure = RLThreadCreate(
        &thread,
        &attributes,
        { info in
            guard let info else { return nil }
            let body = Unmanaged<ThreadBody>.fromOpaque(info).takeRetainedValue()
            setKernelName(body.name)
            body.body()
            return nil
        },
        box.toOpaque()
    )
    if failure != 0 {
        box.release()
        stopProcess("RunLoopDiagnostics", "no thread can be started: error \(failure)")
    }
}

private final class ThreadBody: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}
