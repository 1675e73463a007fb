public import FoundationEssentials

internal import CoreRunLoop

/// The TLS settings of a stream over a socket: ``RLStream/PropertyKey/sslSettingsKey``.
///
/// The defaults are right for a client: the server's certificates are verified against the system's
/// authorities, and its name against the host of the connection.
///
/// CF: the dictionary that is kCFStreamPropertySSLSettings.
public struct RLStreamTLSSettings: Hashable, Sendable {
    /// The name that the peer's certificate must have.
    public enum PeerName: Hashable, Sendable {
        /// The host to which the stream connects.
        ///
        /// A stream over a connected socket has no host and refuses this.
        case host
        /// A name, or the text of an address.
        case named(String)
        /// Any name.
        case any
    }

    /// The name that the peer's certificate must have.
    ///
    /// CF: kCFStreamSSLPeerName.
    public var peerName = PeerName.host

    /// Whether the peer's certificates and name are verified.
    ///
    /// If not, anyone can be the peer.
    ///
    /// CF: kCFStreamSSLValidatesCertificateChain.
    public var validatesCertificateChain = true

    /// The authorities to trust instead of the system's, in PEM; empty for the system's.
    ///
    /// A server with authorities requires a certificate from its clients.
    public var authorities: [Data] = []

    /// Our own certificates and their key, in PEM: our certificate first, then the chain to its
    /// authority.
    ///
    /// The key is not encrypted. A server needs them; a client uses them if the server asks for
    /// one.
    ///
    /// CF: kCFStreamSSLCertificates.
    public var certificates: [Data] = []

    /// Whether this is the server's side.
    ///
    /// CF: kCFStreamSSLIsServer.
    public var isServer = false

    /// Creates the settings of a client.
    public init() {}
}

/// The failure of a secured stream.
///
/// CF: an error whose domain is kCFErrorDomainOSStatus, with a code of Security's.
public struct RLStreamTLSError: Error, Hashable, Sendable {
    /// The code, one of `kRLStreamErrorSSLHostNameMismatch` and its siblings.
    public let code: Int

    /// The failure in a sentence.
    public let description: String

    /// Creates an error from its code and a sentence.
    public init(code: Int, description: String) {
        self.code = code
        self.description = description
    }

    /// Two errors are equal if their codes are.
    public static func == (first: Self, second: Self) -> Bool {
        first.code == second.code
    }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
    }
}

extension RLStreamTLSError: CustomStringConvertible {}

extension RLStreamTLSSettings {
    var dictionary: RLDictionaryRef {
        let settings: RLMutableDictionaryRef =
            withUnsafePointer(to: kRLTypeDictionaryKeyCallBacks) { keys in
                withUnsafePointer(to: kRLTypeDictionaryValueCallBacks) { values in
                    RLDictionaryCreateMutable(nil, 0, keys, values)
                }
            }
        func set(_ key: RLStringRef, _ value: some RLReference) {
            RLDictionarySetValue(settings, key, value)
        }
        func set(_ key: RLStringRef, _ value: Bool) {
            let object: RLBooleanRef = value ? kRLBooleanTrue : kRLBooleanFalse
            set(key, object)
        }
        switch peerName {
        case .host: break
        case .named(let name): set(kRLStreamSSLPeerName, RLStringCreate(name))
        case .any: if let null = kRLNull { set(kRLStreamSSLPeerName, null) }
        }
        set(kRLStreamSSLValidatesCertificateChain, validatesCertificateChain)
        set(kRLStreamSSLIsServer, isServer)
        if !authorities.isEmpty { set(kRLStreamSSLAuthorities, Self.array(of: authorities)) }
        if !certificates.isEmpty { set(kRLStreamSSLCertificates, Self.array(of: certificates)) }
        return settings
    }

    private static func array(of texts: [Data]) -> RLArrayRef {
        let array: RLMutableArrayRef = withUnsafePointer(to: kRLTypeArrayCallBacks) {
            RLArrayCreateMutable(nil, 0, $0)
        }
        for text in texts { RLArrayAppendValue(array, RLDataCreate([UInt8](text))) }
        return array
    }
}
