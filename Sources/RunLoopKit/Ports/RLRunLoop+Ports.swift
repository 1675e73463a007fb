import CoreRunLoop

/// The ports of a loop, with their modes.
///
/// A lock protects them, because a port may become invalid on any thread.
final class PortRecords: ThreadBelonging, Sendable {
    // Compares ports by identity, because each of several equal ports has its own sources.
    private struct Place: Hashable {
        let port: ObjectIdentifier
        let mode: RLRunLoop.Mode
    }

    private struct State {
        var ports: [Place: RLPort] = [:]
        var token: RLNotificationCenter.Token?
    }

    private let state = Locked(State())

    deinit {
        state.withLock { $0.token.map(RLNotificationCenter.default.removeObserver) }
    }

    func letGo() {
        let left = state.withLock { state in
            defer { state.ports = [:] }
            return state.ports
        }
        withExtendedLifetime(left) {}
    }

    /// Adds a port; returns false if the port is already in the mode.
    func insert(_ port: RLPort, _ mode: RLRunLoop.Mode) -> Bool {
        state.withLock { state in
            if state.token == nil { state.token = watchInvalidation() }
            let place = Place(port: ObjectIdentifier(port), mode: mode)
            return state.ports.updateValue(port, forKey: place) == nil
        }
    }

    /// Removes a port; returns false if the port is not in the mode.
    func remove(_ port: RLPort, _ mode: RLRunLoop.Mode) -> Bool {
        let place = Place(port: ObjectIdentifier(port), mode: mode)
        return state.withLock { $0.ports.removeValue(forKey: place) != nil }
    }

    private func watchInvalidation() -> RLNotificationCenter.Token {
        RLNotificationCenter.default.addObserver(
            forName: RLPort.didBecomeInvalidNotification
        ) { [weak self] notification in
            // The notification's sender retains the port.
            guard let self, let port = notification.object as? RLPort else { return }
            state.withLock { state in state.ports = state.ports.filter { $0.value !== port } }
        }
    }
}

extension RLRunLoop {
    /// Adds a port to a mode, or to all common modes, and retains the port.
    ///
    /// A no-op if the port is invalid or already in the mode. Thread-safe.
    ///
    /// Foundation: RunLoop.add(_:forMode:).
    public func add(_ port: RLPort, forMode mode: Mode) {
        warnIfEnded(loop, "RLRunLoop.add(_:forMode:)")
        guard port.isValid else { return }
        if ports.insert(port, mode) {
            port.schedule(in: self, forMode: mode)
        }
    }

    /// Removes a port from a mode, or from all common modes.
    ///
    /// A no-op if the port was not added there. Thread-safe.
    ///
    /// Foundation: RunLoop.remove(_:forMode:).
    public func remove(_ port: RLPort, forMode mode: Mode) {
        if ports.remove(port, mode) {
            port.remove(from: self, forMode: mode)
        }
    }
}
