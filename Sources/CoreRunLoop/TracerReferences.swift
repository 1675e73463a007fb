// Conforms tracers and recordings to Swift's protocols: see References.swift.

public import CRunLoop

// `@unchecked`: reference counts are atomic, and any thread may call any function.

/// A tracer of run loops, compared by identity.
extension RLRunLoopTracerRef: RLReference, @retroactive @unchecked Sendable {}
extension RLRunLoopTracerRef: @retroactive Hashable {}
extension RLRunLoopTracerRef: @retroactive CustomStringConvertible {}
extension RLRunLoopTracerRef: @retroactive CustomDebugStringConvertible {}

/// The recorded activity of one traced loop, compared by identity.
extension RLRunLoopRecordingRef: RLReference, @retroactive @unchecked Sendable {}
extension RLRunLoopRecordingRef: @retroactive Hashable {}
extension RLRunLoopRecordingRef: @retroactive CustomStringConvertible {}
extension RLRunLoopRecordingRef: @retroactive CustomDebugStringConvertible {}
