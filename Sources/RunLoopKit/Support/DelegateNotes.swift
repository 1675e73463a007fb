import CRunLoop

/// Tells the tracer which method of a delegate a callback calls: the only one of a protocol for
/// classes.
///
/// A reference with such a protocol for its type has two words: the object, and the table by which
/// its class conforms. There the method follows a word about the conformance. Were it otherwise, a
/// trace would show a wrong name, or none.
///
/// - Parameter delegate: The delegate, `as any` of the protocol: else it is passed with its class.
func noteMethod<Delegate>(of delegate: Delegate) {
    withUnsafeBytes(of: delegate) { words in
        let size = MemoryLayout<UnsafeRawPointer>.size
        guard words.count == 2 * size else { return }
        let table = words.load(fromByteOffset: size, as: UnsafePointer<UnsafeRawPointer?>.self)
        RLRunLoopNoteCalloutFunction(table[1])
    }
}
