import CRunLoopDiagnostics
import Glibc
import RunLoopKit

/// Lets the tool `runloop` of the same user look into this process while it runs.
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
/// A program that links this module does the same by itself if the environment variable
/// `RUNLOOP_INSPECT` is `1` when it starts.
///
/// A message port with the name `runloop.inspect.PID` is open meanwhile, to which only processes of
/// the same user can connect, and a thread of its own answers, also when other loops hang. Loops
/// are not told of it. <doc:Inspecting> has what is asked and answered. In the child of a fork,
/// nothing is open until it calls this.
///
/// All functions may be called from any thread.
public enum RLInspector {
    private static let current = Locked<InspectorServer?>(nil)
    /// Held from the beginning of a start or a stop to its end: a port that is being closed still
    /// has the name.
    private static let changes = Locked(())

    /// Opens the port and starts the thread; does nothing if they are there.
    ///
    /// - Returns: Whether this process can be looked into now. If not, a line on standard error
    ///   says why no port can be had.
    @discardableResult
    public static func start() -> Bool {
        changes.withLock { _ in
            if isRunning { return true }
            let server = InspectorServer()
            current.withLock { $0 = server }
            return server != nil
        }
    }

    /// Closes the port, ends what was installed for viewers, and waits for the thread's end.
    ///
    /// Does nothing if nothing is open.
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
