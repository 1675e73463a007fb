// The ports that are in a loop.

import CoreRunLoop

/// Which ports are in which modes of a loop.
///
/// A port may become invalid on any thread.
final class PortRecords: Sendable {
    struct Record: Hashable, Sendable {
        let port: RLPort
        let mode: RLRunLoop.Mode

        // Each of several equal ports has sources of its own.
        static func == (first: Record, second: Record) -> Bool {
            first.port === second.port && first.mode == second.mode
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(port))
            hasher.combine(mode)
        }
    }

    private let records = Locked<Set<Record>>([])
    private let token = Locked<RLNotificationCenter.Token?>(nil)

    deinit {
        token.withLock { $0.map(RLNotificationCenter.default.removeObserver) }
    }

    /// Whether the record is new.
    func insert(_ record: Record) -> Bool {
        watchInvalidation()
        return records.withLock { $0.insert(record).inserted }
    }

    /// Whether there was one.
    func remove(_ record: Record) -> Bool {
        records.withLock { $0.remove(record) != nil }
    }

    private func watchInvalidation() {
        token.withLock { token in
            if token != nil { return }
            token = RLNotificationCenter.default.addObserver(
                forName: RLPort.didBecomeInvalidNotification
            ) { [weak self] notification in
                guard let self, let port = notification.object as? RLPort else { return }
                records.withLock { records in records = records.filter { $0.port !== port } }
            }
        }
    }
}

extension RLRunLoop {
    /// Adds a port to a mode, or to all common modes, and keeps it.
    ///
    /// Adding it again does nothing, and so does adding an invalid one.
    ///
    /// Foundation: RunLoop.add(_:forMode:).
    public func add(_ port: RLPort, forMode mode: Mode) {
        noteForeignUse(of: loop, "RLRunLoop.add(_:forMode:)")
        guard port.isValid else { return }
        if ports.insert(PortRecords.Record(port: port, mode: mode)) {
            port.schedule(in: self, forMode: mode)
        }
    }

    /// Removes a port from a mode, or from all common modes, if it was added to it.
    ///
    /// Foundation: RunLoop.remove(_:forMode:).
    public func remove(_ port: RLPort, forMode mode: Mode) {
        noteForeignUse(of: loop, "RLRunLoop.remove(_:forMode:)")
        if ports.remove(PortRecords.Record(port: port, mode: mode)) {
            port.remove(from: self, forMode: mode)
        }
    }
}
