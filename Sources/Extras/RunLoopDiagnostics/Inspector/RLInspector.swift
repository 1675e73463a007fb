import CRunLoopDiagnostics
import Glibc
import RunLoopKit

/// Allows the tool `runloop` of the same user to inspect this process while it runs.
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
/// If the environment variable `RUNLOOP_INSPECT` is `1`, the inspector starts automatically in a
/// program that links this module.
///
/// The inspector opens a message port with the name `runloop.inspect.PID`, to which only processes
/// of the same user can connect. The inspector's own thread replies, even while other threads hang.
/// See <doc:Inspecting>; `InspectorRequest.swift` documents the protocol. After a fork, the child
/// has no inspector until it calls ``start()``.
///
/// All functions are thread-safe.
///
/// Foundation has no counterpart.
public enum RLInspector {
    private static let current = Locked<InspectorServer?>(nil)
    /// A port that is being closed still owns the name, so starts and stops exclude each other.
    private static let changes = Locked(())

    /// Opens the port and starts the thread.
    ///
    /// Idempotent.
    ///
    /// - Returns: Whether the inspector runs. If it does not, a line on standard error has the
    ///   reason.
    @discardableResult
    public static func start() -> Bool {
        changes.withLock { _ in
            if isRunning { return true }
            let server = InspectorServer()
            current.withLock { $0 = server }
            return server != nil
        }
    }

    /// Closes the port, stops the tracing for viewers, and waits for the thread to end.
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

    /// Whether the inspector runs in this process.
    public static var isRunning: Bool {
        current.withLock { $0?.process == getpid() }
    }
}

/// Called by the constructor in CRunLoopDiagnostics if `RUNLOOP_INSPECT` is `1`.
@_cdecl("rl_inspector_start")
func startInspectorOfEnvironment() {
    RLInspector.start()
}
