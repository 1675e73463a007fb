import Glibc

/// Why a display's vertical blanks cannot be followed.
public struct RLDisplayDeviceError: Error, Hashable, Sendable {
    /// The device that was asked for.
    public let path: String

    /// The system's number for the reason, as in `<errno.h>`.
    ///
    /// `ENOENT` without such a device, `EACCES` without permission (the group is `video`, mostly),
    /// `ENOTTY` if it is no display, `EINVAL` if the display does not exist or is off, `EOPNOTSUPP`
    /// if its driver does not tell of vertical blanks.
    public let code: Int32

    init(path: String, code: Int32) {
        self.path = path
        self.code = code
    }
}

extension RLDisplayDeviceError: CustomStringConvertible {
    /// A line for people.
    public var description: String {
        "the display device \(path) cannot be followed: \(String(cString: strerror(code)))"
    }
}
