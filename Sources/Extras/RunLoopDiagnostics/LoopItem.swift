import RunLoopKit

/// An item of a mode at a moment, without a reference to it.
struct LoopItem {
    let address: UInt
    let kind: RLRunLoopItemKind
    let descriptor: CInt
    let callouts: UInt32
    /// The function that is called, or 0.
    let callout: UInt
    /// The closure that the function calls, if it is known.
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
