import CRunLoop.Wrapping
import CRunLoopDiagnostics
import Glibc
import RunLoopKit

/// The port to which viewers connect, and the thread that replies.
final class InspectorServer: Sendable {
    private enum Stage {
        case open
        case closing
        case ended
    }

    // The process that opened the port. A forked child has neither the port nor the thread.
    let process = getpid()

    private let port: RLMessagePortRef
    /// Created together with the port, because `stop` may be called before the thread has started.
    private let source: RLRunLoopSourceRef
    private let stage = Condition(Stage.open)
    private let loop = Condition<RLRunLoopRef?>(nil)

    static func portName(of process: pid_t) -> String {
        "runloop.inspect.\(process)"
    }

    /// Returns nil if the name is taken or the port cannot be opened.
    init?() {
        let service = Locked(InspectorService())
        service.withLock { opened in
            opened.onTick = { [weak service] in service?.withLock { $0.tick() } }
        }
        let port = RLMessagePortCreateLocal(Self.portName(of: process)) { _, number, data in
            let request = [UInt8](data)
            return RLDataCreate(service.withLock { $0.answer(number, request) })
        }
        guard let port, let source = RLMessagePortCreateRunLoopSource(nil, port, 0) else {
            return nil
        }
        self.port = port
        self.source = source
        startBackgroundThread(name: "rl-inspector") { self.serve(service) }
    }

    /// Stops the thread; unless the caller is this thread, also waits for its end.
    func stop() {
        stage.withLock { if $0 == .open { $0 = .closing } }
        RLMessagePortInvalidate(port)
        let loop = loop.wait { $0 }
        RLRunLoopStop(loop)
        if RLRunLoopIsCurrent(loop) { return }
        // Repeats the stop, as a run that is about to begin ignores an earlier stop.
        while stage.wait(seconds: 0.01, until: { $0 == .ended ? true : nil }) == nil {
            RLRunLoopStop(loop)
        }
    }

    private func serve(_ service: Locked<InspectorService>) {
        let own = RLRunLoopGetCurrent()
        RLDiagnosticsHideThread(RLThreadGetNumber())
        RLRunLoopAddSource(own, source, .defaultMode)
        loop.withLock { $0 = own }
        while stage.withLock({ $0 == .open }) {
            RLRunLoopRunInMode(.defaultMode, 1e10, false)
        }
        // The run may have ended before `stop` invalidated the port.
        RLMessagePortInvalidate(port)
        // Another thread in `stop` may not have removed it yet.
        RLRunLoopRemoveSource(own, source, .defaultMode)
        service.withLock { $0.close() }
        RLDiagnosticsHideThread(0)
        stage.withLock { $0 = .ended }
    }
}
