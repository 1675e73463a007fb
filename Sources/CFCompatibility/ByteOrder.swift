// Byte swapping. C has these functions from <endian.h>.

/// Returns a number with its bytes reversed.
@inlinable public func CFSwapInt16(_ number: UInt16) -> UInt16 { number.byteSwapped }
/// Converts a number to big-endian form.
@inlinable public func CFSwapInt16HostToBig(_ number: UInt16) -> UInt16 { number.bigEndian }
/// Converts a number from big-endian form.
@inlinable public func CFSwapInt16BigToHost(_ number: UInt16) -> UInt16 {
    UInt16(bigEndian: number)
}
/// Converts a number to little-endian form.
@inlinable public func CFSwapInt16HostToLittle(_ number: UInt16) -> UInt16 { number.littleEndian }
/// Converts a number from little-endian form.
@inlinable public func CFSwapInt16LittleToHost(_ number: UInt16) -> UInt16 {
    UInt16(littleEndian: number)
}

/// Returns a number with its bytes reversed.
@inlinable public func CFSwapInt32(_ number: UInt32) -> UInt32 { number.byteSwapped }
/// Converts a number to big-endian form.
@inlinable public func CFSwapInt32HostToBig(_ number: UInt32) -> UInt32 { number.bigEndian }
/// Converts a number from big-endian form.
@inlinable public func CFSwapInt32BigToHost(_ number: UInt32) -> UInt32 {
    UInt32(bigEndian: number)
}
/// Converts a number to little-endian form.
@inlinable public func CFSwapInt32HostToLittle(_ number: UInt32) -> UInt32 { number.littleEndian }
/// Converts a number from little-endian form.
@inlinable public func CFSwapInt32LittleToHost(_ number: UInt32) -> UInt32 {
    UInt32(littleEndian: number)
}

/// Returns a number with its bytes reversed.
@inlinable public func CFSwapInt64(_ number: UInt64) -> UInt64 { number.byteSwapped }
/// Converts a number to big-endian form.
@inlinable public func CFSwapInt64HostToBig(_ number: UInt64) -> UInt64 { number.bigEndian }
/// Converts a number from big-endian form.
@inlinable public func CFSwapInt64BigToHost(_ number: UInt64) -> UInt64 {
    UInt64(bigEndian: number)
}
/// Converts a number to little-endian form.
@inlinable public func CFSwapInt64HostToLittle(_ number: UInt64) -> UInt64 { number.littleEndian }
/// Converts a number from little-endian form.
@inlinable public func CFSwapInt64LittleToHost(_ number: UInt64) -> UInt64 {
    UInt64(littleEndian: number)
}
