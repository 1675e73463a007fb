// Conforms descriptors, sockets, hosts and streams to Swift's protocols: see References.swift.

public import CRunLoop

// `@unchecked`: reference counts are atomic, and these objects have internal locks, so any thread
// may call any function on them.

/// A descriptor with callbacks, compared by identity.
extension RLFileDescriptorRef: RLReference, @retroactive @unchecked Sendable {}
extension RLFileDescriptorRef: @retroactive Hashable {}
extension RLFileDescriptorRef: @retroactive CustomStringConvertible {}
extension RLFileDescriptorRef: @retroactive CustomDebugStringConvertible {}

/// A socket with callbacks, compared by identity.
extension RLSocketRef: RLReference, @retroactive @unchecked Sendable {}
extension RLSocketRef: @retroactive Hashable {}
extension RLSocketRef: @retroactive CustomStringConvertible {}
extension RLSocketRef: @retroactive CustomDebugStringConvertible {}

/// A host, compared by identity.
extension RLHostRef: RLReference, @retroactive @unchecked Sendable {}
extension RLHostRef: @retroactive Hashable {}
extension RLHostRef: @retroactive CustomStringConvertible {}
extension RLHostRef: @retroactive CustomDebugStringConvertible {}

/// A read stream, compared by identity.
extension RLReadStreamRef: RLReference, @retroactive @unchecked Sendable {}
extension RLReadStreamRef: @retroactive Hashable {}
extension RLReadStreamRef: @retroactive CustomStringConvertible {}
extension RLReadStreamRef: @retroactive CustomDebugStringConvertible {}

/// A write stream, compared by identity.
extension RLWriteStreamRef: RLReference, @retroactive @unchecked Sendable {}
extension RLWriteStreamRef: @retroactive Hashable {}
extension RLWriteStreamRef: @retroactive CustomStringConvertible {}
extension RLWriteStreamRef: @retroactive CustomDebugStringConvertible {}
