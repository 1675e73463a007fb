import CRunLoop.Wrapping
import Glibc
import RunLoopKit

/// Starts a detached thread that has no run loop, and that dumps omit, unless `body` uses a loop.
func startBackgroundThread(name: String, _ body: @escaping @Sendable () -> Void) {
    // The new thread consumes the reference.
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
        stopProcess(
            "RunLoopDiagnostics",
            "cannot start a thread: \(describeError(failure)): raise the limit of threads or "
                + "of memory"
        )
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
