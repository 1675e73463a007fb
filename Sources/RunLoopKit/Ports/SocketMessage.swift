import FoundationEssentials
import Glibc

/// The format of messages: a magic number, the length of the rest, the message's number, the reply
/// address, and the components, in network byte order.
enum SocketMessage {
    static let mostBytes = 64 * 1024 * 1024
    static let magic: UInt32 = 0x524C_5031

    enum Kind: UInt8 {
        case data = 0
        case port = 1
    }

    /// Encodes a message; logs a warning and returns nil if a component cannot be sent.
    static func encode(
        msgid: UInt32,
        components: [any Sendable]?,
        replyPort: RLPort?
    ) -> Data? {
        var body = Data()
        append(msgid, to: &body)
        switch replyPort {
        case nil: append(0, to: &body)
        case let port as RLSocketPort: append(signature: port.signature, to: &body)
        default: return refuse("its reply port must be an RLSocketPort")
        }
        append(UInt32(components?.count ?? 0), to: &body)
        for component in components ?? [] {
            switch component {
            case let data as Data:
                body.append(Kind.data.rawValue)
                append(UInt32(clamping: data.count), to: &body)
                body.append(data)
            case let port as RLSocketPort:
                body.append(Kind.port.rawValue)
                append(signature: port.signature, to: &body)
            default:
                return refuse("each component must be Data or an RLSocketPort")
            }
        }
        guard body.count <= mostBytes else { return refuse("it must have 64 MiB at most") }
        var bytes = Data()
        append(magic, to: &bytes)
        append(UInt32(body.count), to: &bytes)
        return bytes + body
    }

    private static func refuse(_ fault: String) -> Data? {
        warn("RLSocketPort.send", "the message is not sent: \(fault)")
        return nil
    }

    private static func append(_ number: UInt32, to data: inout Data) {
        withUnsafeBytes(of: number.bigEndian) { data.append(contentsOf: $0) }
    }

    private static func append(signature: SocketSignature, to data: inout Data) {
        append(UInt32(12 + signature.address.count), to: &data)
        for number in [signature.family, signature.type, signature.protocol] {
            append(UInt32(bitPattern: number), to: &data)
        }
        data.append(signature.address)
    }
}
