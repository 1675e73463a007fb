import CRunLoopDiagnostics
import Glibc
import RunLoopKit

/// An item of a mode at a moment, without a reference to it.
struct LoopItem {
    let address: UInt
    let kind: RLRunLoopItemKind
    let descriptor: CInt
    let callouts: UInt32
    /// The function that is called, or 0.
    let callout: UInt
    /// What to poll the descriptor for.
    let pollEvents: CShort

    init(_ state: RLRunLoopItemState) {
        address = UInt(bitPattern: state.item)
        kind = state.kind
        descriptor = state.descriptor
        callouts = state.callouts
        callout = UInt(bitPattern: state.callout)
        var events: CInt = 0
        if state.events.contains(.read) { events |= POLLIN }
        if state.events.contains(.write) { events |= POLLOUT }
        if state.events.contains(.priority) { events |= POLLPRI }
        pollEvents = CShort(events)
    }
}

extension RLRunLoopRef {
    /// The items of a mode.
    func items(of mode: RLRunLoopMode) -> [LoopItem] {
        var items: [LoopItem] = []
        visitItems(of: mode) { items.append(LoopItem($0)) }
        return items
    }

    /// An item as `po` shows it; nil if it is not in the mode any more.
    func describeItem(_ address: UInt, of mode: RLRunLoopMode) -> String? {
        var description: String?
        visitItems(of: mode) { state in
            guard UInt(bitPattern: state.item) == address else { return }
            description = RLCopyDescription(state.item).map { String($0) }
        }
        return description
    }
}
