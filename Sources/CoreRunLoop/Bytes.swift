public import CRunLoop

/// Creates a data object with a copy of some bytes.
///
/// CF: a bridging cast to CFData.
///
/// - Complexity: O(n) in the number of bytes.
public func RLDataCreate(_ bytes: [UInt8]) -> RLDataRef {
    RLDataCreate(nil, bytes, bytes.count)
}

extension RLReference where Self == RLDataRef {
    /// Creates a data object with a copy of some bytes, such as Foundation's `Data`.
    ///
    /// CF: a bridging cast to CFData.
    ///
    /// - Complexity: O(n) in the number of bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        self = RLDataCreate(Array(bytes))
    }
}

extension RLDataRef {
    /// Calls a closure with a pointer to the bytes.
    ///
    /// The pointer is valid until the closure returns; do not change the data before that.
    ///
    /// CF: CFDataGetBytePtr.
    public func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The object owns the bytes.
        defer { withExtendedLifetime(self) {} }
        let bytes = UnsafeRawBufferPointer(
            start: RLDataGetBytePtr(self),
            count: RLDataGetLength(self)
        )
        return try body(bytes)
    }
}

extension RangeReplaceableCollection where Element == UInt8 {
    /// Creates a collection, such as an array or Foundation's `Data`, with a copy of the bytes of a
    /// data object.
    ///
    /// CF: a bridging cast from CFData.
    ///
    /// - Complexity: O(n) in the number of bytes.
    public init(_ data: RLDataRef) {
        self = data.withUnsafeBytes { Self($0) }
    }
}
