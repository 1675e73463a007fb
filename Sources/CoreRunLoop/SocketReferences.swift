// What Swift code expects of descriptors and sockets: see References.swift.

public import CRunLoop

// `@unchecked`: their reference counts are atomic, and they lock themselves, so that every function
// may be called on them from any thread.

/// A descriptor with callbacks; equal only to itself.
extension RLFileDescriptorRef: RLReference, @retroactive @unchecked Sendable {}
extension RLFileDescriptorRef: @retroactive Hashable {}
extension RLFileDescriptorRef: @retroactive CustomStringConvertible {}
extension RLFileDescriptorRef: @retroactive CustomDebugStringConvertible {}

/// A socket with callbacks; equal only to itself.
extension RLSocketRef: RLReference, @retroactive @unchecked Sendable {}
extension RLSocketRef: @retroactive Hashable {}
extension RLSocketRef: @retroactive CustomStringConvertible {}
extension RLSocketRef: @retroactive CustomDebugStringConvertible {}
