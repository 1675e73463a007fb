public import FoundationEssentials

internal import CoreRunLoop

/// The TLS settings of a stream over a socket, which are the value of
/// ``RLStream/PropertyKey/sslSettingsKey``.
///
/// The defaults are suitable for a client: the server's certificate chain is verified with the
/// system's certificate authorities, and its name must match the host of the connection.
///
/// CF: the dictionary of kCFStreamPropertySSLSettings.
public struct RLStreamTLSSettings: Hashable, Sendable {
    /// The name that the peer's certificate must have.
    public enum PeerName: Hashable, Sendable {
        /// The host to which the stream connects.
        ///
        /// A stream over a connected socket has no host and rejects this case.
        case host
        /// A host name, or an address in text form.
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
    /// If false, the peer is not authenticated.
    ///
    /// CF: kCFStreamSSLValidatesCertificateChain.
    public var validatesCertificateChain = true

    /// The certificate authorities to trust instead of the system's authorities, in PEM.
    ///
    /// If empty, the system's authorities are trusted.
    ///
    /// If a server sets authorities, it requires a certificate from its clients.
    public var authorities: [Data] = []

    /// The certificates and the private key of this side, in PEM: its own certificate first, then
    /// the chain to its authority.
    ///
    /// The key must not be encrypted. A server needs certificates; a client uses them if the server
    /// requests a certificate.
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

/// An error of a stream with TLS.
///
/// CF: an error whose domain is kCFErrorDomainOSStatus and whose code is from Security.
public struct RLStreamTLSError: Error, Hashable, Sendable {
    /// The code, such as `kRLStreamErrorSSLHostNameMismatch`.
    public let code: Int

    /// A description of the error.
    public let description: String

    /// Creates an error from its code and description.
    public init(code: Int, description: String) {
        self.code = code
        self.description = description
    }

    /// Returns whether two errors have the same code.
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
