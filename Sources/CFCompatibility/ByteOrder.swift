// Byte swaps, which C takes from <endian.h>.

/// The number with its bytes reversed.
@inlinable public func CFSwapInt16(_ number: UInt16) -> UInt16 { number.byteSwapped }
/// The big-endian form of a number.
@inlinable public func CFSwapInt16HostToBig(_ number: UInt16) -> UInt16 { number.bigEndian }
/// The number that a big-endian value represents.
@inlinable public func CFSwapInt16BigToHost(_ number: UInt16) -> UInt16 {
    UInt16(bigEndian: number)
}
/// The little-endian form of a number.
@inlinable public func CFSwapInt16HostToLittle(_ number: UInt16) -> UInt16 { number.littleEndian }
/// The number that a little-endian value represents.
@inlinable public func CFSwapInt16LittleToHost(_ number: UInt16) -> UInt16 {
    UInt16(littleEndian: number)
}

/// The number with its bytes reversed.
@inlinable public func CFSwapInt32(_ number: UInt32) -> UInt32 { number.byteSwapped }
/// The big-endian form of a number.
@inlinable public func CFSwapInt32HostToBig(_ number: UInt32) -> UInt32 { number.bigEndian }
/// The number that a big-endian value represents.
@inlinable public func CFSwapInt32BigToHost(_ number: UInt32) -> UInt32 {
    UInt32(bigEndian: number)
}
/// The little-endian form of a number.
@inlinable public func CFSwapInt32HostToLittle(_ number: UInt32) -> UInt32 { number.littleEndian }
/// The number that a little-endian value represents.
@inlinable public func CFSwapInt32LittleToHost(_ number: UInt32) -> UInt32 {
    UInt32(littleEndian: number)
}

/// The number with its bytes reversed.
@inlinable public func CFSwapInt64(_ number: UInt64) -> UInt64 { number.byteSwapped }
/// The big-endian form of a number.
@inlinable public func CFSwapInt64HostToBig(_ number: UInt64) -> UInt64 { number.bigEndian }
/// The number that a big-endian value represents.
@inlinable public func CFSwapInt64BigToHost(_ number: UInt64) -> UInt64 {
    UInt64(bigEndian: number)
}
/// The little-endian form of a number.
@inlinable public func CFSwapInt64HostToLittle(_ number: UInt64) -> UInt64 { number.littleEndian }
/// The number that a little-endian value represents.
@inlinable public func CFSwapInt64LittleToHost(_ number: UInt64) -> UInt64 {
    UInt64(littleEndian: number)
}
