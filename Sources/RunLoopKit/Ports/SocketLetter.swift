import FoundationEssentials
import Glibc

/// The messages of socket ports as bytes: a length, a number, where to answer, and components.
///
/// All numbers are in network order, as the two hosts may differ.
enum SocketLetter {
    static let mostBytes = 64 * 1024 * 1024
    private static let magic: UInt32 = 0x524C_5031
    private static let headerSize = 8

    private enum Kind: UInt8 {
        case data = 0
        case port = 1
    }

    /// The bytes of a message; nil, with a line, if it has something that cannot be sent.
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
        default: return refuse("a reply port that is no RLSocketPort")
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
                return refuse("a component that is neither Data nor an RLSocketPort")
            }
        }
        guard body.count <= mostBytes else { return refuse("more than 64 MiB") }
        var bytes = Data()
        append(magic, to: &bytes)
        append(UInt32(body.count), to: &bytes)
        return bytes + body
    }

    private static func refuse(_ what: String) -> Data? {
        warn("RLSocketPort.send", "\(what) cannot be sent to another process")
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

    enum Progress {
        /// More has to come.
        case incomplete
        case letter(Mailbox.Letter)
        /// What came is no message.
        case broken
    }

    /// Takes a message from the front of what a peer has sent.
    static func takeFirst(of bytes: inout Data, from peer: Data) -> Progress {
        var reader = Reader(bytes: bytes)
        guard bytes.count >= headerSize else {
            return magicBytes.starts(with: bytes.prefix(4)) ? .incomplete : .broken
        }
        guard reader.number() == magic, let length = reader.number(), length <= mostBytes else {
            return .broken
        }
        guard let body = reader.data(length) else { return .incomplete }
        bytes = Data(bytes.dropFirst(headerSize + Int(length)))
        return decode(body, peer).map(Progress.letter) ?? .broken
    }

    private static let magicBytes = withUnsafeBytes(of: magic.bigEndian) { Data($0) }

    private static func decode(_ body: Data, _ peer: Data) -> Mailbox.Letter? {
        var reader = Reader(bytes: body)
        guard let msgid = reader.number(), let reply = reader.part(), let count = reader.number()
        else { return nil }
        var sender = Mailbox.Reply.nowhere
        if !reply.isEmpty {
            guard let signature = signature(reply) else { return nil }
            sender = .other(RLSocketPort(remote: signature.seen(by: peer)))
        }
        var components: [any Sendable] = []
        for _ in 0..<count {
            guard let kind = reader.byte(), let part = reader.part() else { return nil }
            switch Kind(rawValue: kind) {
            case .data: components.append(part)
            case .port:
                guard let signature = signature(part) else { return nil }
                components.append(RLSocketPort(remote: signature.seen(by: peer)))
            case nil: return nil
            }
        }
        guard reader.isAtEnd else { return nil }
        return Mailbox.Letter(msgid: msgid, components: components, reply: sender)
    }

    private static func signature(_ bytes: Data) -> SocketSignature? {
        var reader = Reader(bytes: bytes)
        guard let family = reader.number(), let type = reader.number(),
            let `protocol` = reader.number()
        else { return nil }
        return SocketSignature(
            family: Int32(bitPattern: family),
            type: Int32(bitPattern: type),
            protocol: Int32(bitPattern: `protocol`),
            address: reader.rest
        )
    }

    /// Takes parts off the front of bytes; nil where they end too early.
    private struct Reader {
        private(set) var rest: Data

        init(bytes: Data) {
            rest = bytes
        }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func data(_ count: UInt32) -> Data? {
            guard rest.count >= Int(count) else { return nil }
            defer { rest = rest.dropFirst(Int(count)) }
            return Data(rest.prefix(Int(count)))
        }

        mutating func byte() -> UInt8? {
            data(1)?.first
        }

        mutating func number() -> UInt32? {
            data(4)?.reduce(0) { $0 << 8 | UInt32($1) }
        }

        mutating func part() -> Data? {
            number().flatMap { data($0) }
        }
    }
}
