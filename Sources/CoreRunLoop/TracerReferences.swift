// Conformances of tracers and recordings: see References.swift.

public import CRunLoop

// `@unchecked`: reference counts are atomic, and any thread may call any function.

/// A tracer of run loops, compared by identity.
extension RLRunLoopTracerRef: RLReference, @retroactive @unchecked Sendable {}
extension RLRunLoopTracerRef: @retroactive Hashable {}
extension RLRunLoopTracerRef: @retroactive CustomStringConvertible {}
extension RLRunLoopTracerRef: @retroactive CustomDebugStringConvertible {}

/// The activity of one loop while it was traced, compared by identity.
extension RLRunLoopRecordingRef: RLReference, @retroactive @unchecked Sendable {}
extension RLRunLoopRecordingRef: @retroactive Hashable {}
extension RLRunLoopRecordingRef: @retroactive CustomStringConvertible {}
extension RLRunLoopRecordingRef: @retroactive CustomDebugStringConvertible {}
