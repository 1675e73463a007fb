import RunLoopKit

/// A snapshot of an item, which is not retained.
struct LoopItem {
    let address: UInt
    let kind: RLRunLoopItemKind
    let descriptor: CInt
    let callouts: UInt32
    /// The address of the item's function, or 0 if the item has no function.
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
