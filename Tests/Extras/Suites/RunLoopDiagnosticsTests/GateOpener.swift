import ThreadKit

/// Opens a gate when the last reference to it goes.
final class GateOpener: Sendable {
    private let gate: Gate

    init(_ gate: Gate) {
        self.gate = gate
    }

    deinit {
        gate.open()
    }
}
