// URLs of files: each function is a call of the one with `RL` in its name.

public import CoreRunLoop

/// The URL of a file.
public typealias CFURL = RLURLRef
/// How a path is written.
public typealias CFURLPathStyle = RLURLPathStyle

extension CFURLPathStyle {
    /// With slashes, the only style here.
    @inlinable public static var cfurlposixPathStyle: CFURLPathStyle { kRLURLPOSIXPathStyle }
}

/// The type number of URLs.
@discardableResult
@inlinable
public func CFURLGetTypeID() -> CFTypeID {
    RLURLGetTypeID()
}

/// Makes the URL of a file from its path.
@discardableResult
@inlinable
public func CFURLCreateWithFileSystemPath(
    _ allocator: CFAllocator!,
    _ filePath: CFString!,
    _ pathStyle: CFURLPathStyle,
    _ isDirectory: Bool
) -> CFURL! {
    RLURLCreateWithFileSystemPath(allocator, filePath, pathStyle, isDirectory)
}

/// As CFURLCreateWithFileSystemPath, with a path of `bufLen` bytes of UTF-8; any others yield nil.
@discardableResult
@inlinable
public func CFURLCreateFromFileSystemRepresentation(
    _ allocator: CFAllocator!,
    _ buffer: UnsafePointer<UInt8>!,
    _ bufLen: CFIndex,
    _ isDirectory: Bool
) -> CFURL! {
    RLURLCreateFromFileSystemRepresentation(allocator, buffer, bufLen, isDirectory)
}

/// Makes the URL of a file from its text, such as `file:///tmp/a%20file`.
@discardableResult
@inlinable
public func CFURLCreateWithString(
    _ allocator: CFAllocator!,
    _ URLString: CFString!,
    _ baseURL: CFURL!
) -> CFURL! {
    RLURLCreateWithString(allocator, URLString, baseURL)
}

/// The text of a URL, not retained.
@discardableResult
@inlinable
public func CFURLGetString(_ anURL: CFURL!) -> CFString! {
    RLURLGetString(anURL)
}

/// The path of a URL, without a slash at its end, which the caller owns; nil for a style that is
/// not kCFURLPOSIXPathStyle.
@discardableResult
@inlinable
public func CFURLCopyFileSystemPath(_ anURL: CFURL!, _ pathStyle: CFURLPathStyle) -> CFString! {
    RLURLCopyFileSystemPath(anURL, pathStyle)
}

/// Copies the path of a URL, UTF-8 with a NUL, into a buffer.
@discardableResult
@inlinable
public func CFURLGetFileSystemRepresentation(
    _ url: CFURL!,
    _ resolveAgainstBase: Bool,
    _ buffer: UnsafeMutablePointer<UInt8>!,
    _ maxBufLen: CFIndex
) -> Bool {
    RLURLGetFileSystemRepresentation(url, resolveAgainstBase, buffer, maxBufLen)
}

/// Whether a URL ends with a slash, as that of a directory.
@discardableResult
@inlinable
public func CFURLHasDirectoryPath(_ anURL: CFURL!) -> Bool {
    RLURLHasDirectoryPath(anURL)
}
