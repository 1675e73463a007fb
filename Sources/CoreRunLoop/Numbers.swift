public import CRunLoop

/// Creates a number of the engine.
///
/// CF: a bridging cast to CFNumber.
public func RLNumberCreate(_ value: Int) -> RLNumberRef {
    withUnsafePointer(to: value) { RLNumberCreate(nil, .longType, $0) }
}

extension Int {
    /// Creates an integer from a number; nil if the number has a fraction or is out of range.
    public init?(exactly number: RLNumberRef) {
        var value = 0
        guard RLNumberGetValue(number, .longType, &value) else { return nil }
        self = value
    }
}
