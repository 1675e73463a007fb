import CRunLoopDiagnostics
import Glibc
import RunLoopKit

/// Lets the same user's tool `runloop` inspect this process while it runs.
///
/// ```swift
/// RLInspector.start()
/// ```
///
/// ```
/// $ runloop list
/// $ runloop top 1234
/// ```
///
/// A program that links this module starts the inspector by itself if the environment variable
/// `RUNLOOP_INSPECT` is `1`.
///
/// The inspector opens a message port with the name `runloop.inspect.PID`, to which only processes
/// of the same user can connect. A thread of its own answers, also while other loops hang.
/// See <doc:Inspecting>; `InspectorRequest.swift` documents the protocol. The child of a fork has
/// no inspector until it calls this.
///
/// All functions may be called from any thread.
///
/// Ours, no Foundation counterpart.
public enum RLInspector {
    private static let current = Locked<InspectorServer?>(nil)
    /// Held during a start and a stop: a port that is being closed still owns the name.
    private static let changes = Locked(())

    /// Opens the port and starts the thread.
    ///
    /// Idempotent.
    ///
    /// - Returns: Whether this process can be inspected now. If not, a line on standard error has
    ///   the reason.
    @discardableResult
    public static func start() -> Bool {
        changes.withLock { _ in
            if isRunning { return true }
            let server = InspectorServer()
            current.withLock { $0 = server }
            return server != nil
        }
    }

    /// Closes the port, removes everything that was installed for viewers, and waits for the
    /// thread's end.
    ///
    /// Does nothing if the inspector was not started.
    public static func stop() {
        changes.withLock { _ in
            let server = current.withLock { server in
                defer { server = nil }
                return server
            }
            if let server, server.process == getpid() { server.stop() }
        }
    }

    /// Whether this process can be looked into.
    public static var isRunning: Bool {
        current.withLock { $0?.process == getpid() }
    }
}

/// Called by the constructor in CRunLoopDiagnostics if the environment asks for it.
@_cdecl("rl_inspector_start")
func startInspectorOfEnvironment() {
    RLInspector.start()
}
