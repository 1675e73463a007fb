import RunLoopKit

/// The error of a display whose vertical blanks are unavailable.
///
/// Core Animation has no counterpart.
public struct RLDisplayDeviceError: Error, Hashable, Sendable {
    /// The path of the requested device.
    public let path: String

    /// The error number, as in `<errno.h>`: `ENOENT` if there is no such device, `EACCES` without
    /// permission (usually given to the group `video`), `ENOTTY` if the device is not a display,
    /// `EINVAL` if the display does not exist or is off, `EOPNOTSUPP` if its driver does not report
    /// vertical blanks.
    public let code: Int32

    init(path: String, code: Int32) {
        self.path = path
        self.code = code
    }
}

extension RLDisplayDeviceError: CustomStringConvertible {
    /// The path and the error in words.
    public var description: String {
        "the display device \(path) cannot be followed: \(describeError(code))"
    }
}
