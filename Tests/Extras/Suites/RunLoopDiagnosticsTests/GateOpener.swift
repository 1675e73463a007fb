import ThreadKit

/// Opens a gate in `deinit`.
final class GateOpener: Sendable {
    private let gate: Gate

    init(_ gate: Gate) {
        self.gate = gate
    }

    deinit {
        gate.open()
    }
}
