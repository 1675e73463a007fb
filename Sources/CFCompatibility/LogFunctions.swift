// Messages on standard error: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// How important a message is.
public typealias CFLogLevel = RLLogLevel

/// Nothing works.
@inlinable public var kCFLogLevelEmergency: Int { kRLLogLevelEmergency }
/// To be mended at once.
@inlinable public var kCFLogLevelAlert: Int { kRLLogLevelAlert }
/// A failure of what others need.
@inlinable public var kCFLogLevelCritical: Int { kRLLogLevelCritical }
/// A failure.
@inlinable public var kCFLogLevelError: Int { kRLLogLevelError }
/// Something will fail unless it is seen to.
@inlinable public var kCFLogLevelWarning: Int { kRLLogLevelWarning }
/// Normal, and worth knowing.
@inlinable public var kCFLogLevelNotice: Int { kRLLogLevelNotice }
/// Normal.
@inlinable public var kCFLogLevelInfo: Int { kRLLogLevelInfo }
/// For those who look for mistakes.
@inlinable public var kCFLogLevelDebug: Int { kRLLogLevelDebug }

/// Writes a message that is no format to standard error.
@inlinable
public func CFLog1(_ lev: CFLogLevel, _ message: CFString!) {
    RLLog1(lev, message)
}
