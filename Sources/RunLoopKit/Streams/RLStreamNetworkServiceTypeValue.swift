import CoreRunLoop

/// The purpose of a stream over a socket, which is the value of
/// ``RLStream/PropertyKey/networkServiceType``.
///
/// The header `RLStream.h` has a table of the code points.
///
/// Foundation: StreamNetworkServiceTypeValue.
public struct RLStreamNetworkServiceTypeValue: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String

    /// Creates a value from its name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    private init(_ name: RLStringRef!) {
        self.init(rawValue: String(name))
    }

    /// Signaling of voice calls over IP; code point CS5.
    ///
    /// Foundation: voIP.
    public static let voIP = Self(kRLStreamNetworkServiceTypeVoIP)

    /// The video of a conference; code point AF41.
    ///
    /// Foundation: video.
    public static let video = Self(kRLStreamNetworkServiceTypeVideo)

    /// Background transfers; code point CS1.
    ///
    /// Foundation: background.
    public static let background = Self(kRLStreamNetworkServiceTypeBackground)

    /// The voice of a call; code point EF.
    ///
    /// Foundation: voice.
    public static let voice = Self(kRLStreamNetworkServiceTypeVoice)

    /// Signaling of calls; code point CS5.
    ///
    /// Foundation: callSignaling.
    public static let callSignaling = Self(kRLStreamNetworkServiceTypeCallSignaling)
}
