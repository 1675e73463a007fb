import RunLoopKit

/// A snapshot of an item of a mode, without a reference to the item.
struct LoopItem {
    let address: UInt
    let kind: RLRunLoopItemKind
    let descriptor: CInt
    let callouts: UInt32
    /// The item's function, or 0.
    let callout: UInt
    /// The closure that the function calls; nil if it is unknown.
    let closure: UInt?

    init(_ state: RLRunLoopItemState) {
        address = UInt(bitPattern: state.item)
        kind = state.kind
        descriptor = state.descriptor
        callouts = state.callouts
        callout = UInt(bitPattern: state.callout)
        closure = state.closure
    }
}
