import FoundationEssentials

/// Parses the messages of a peer of a socket port from chunks of any size.
///
/// Each component is copied once, to its final location: copying a large message as a whole would
/// block the loop.
struct SocketMessageReader {
    enum Progress {
        case incomplete
        case message(RLPort.Message)
        /// The bytes are malformed.
        case broken
    }

    /// The parts of a message in order; the last three repeat for each component.
    private enum Part {
        case magic, length, number, replyLength, reply, count
        case kind, componentLength, component
    }

    private struct Broken: Error {}

    private let peer: Data
    private var part = Part.magic
    // The bytes of the current part so far, and the part's full length.
    private var bytes = Data()
    private var partLength = 4
    // The remaining length of the message after this part.
    private var left = 0
    private var msgid: UInt32 = 0
    private var sender = RLPort.Reply.nowhere
    private var kind = SocketMessage.Kind.data
    private var componentsLeft: UInt32 = 0
    private var components: [any Sendable] = []

    init(from peer: Data) {
        self.peer = peer
    }

    /// Consumes bytes from a chunk, at most up to the end of a message.
    mutating func take(from chunk: inout ArraySlice<UInt8>) -> Progress {
        do {
            while true {
                let piece = chunk.prefix(partLength - bytes.count)
                bytes.append(contentsOf: piece)
                chunk = chunk.dropFirst(piece.count)
                guard bytes.count == partLength else {
                    return canBeMagic ? .incomplete : .broken
                }
                var whole = Data()
                swap(&whole, &bytes)
                if let message = try end(whole) { return .message(message) }
            }
        } catch {
            return .broken
        }
    }

    /// Whether the bytes so far can be the beginning of a message.
    private var canBeMagic: Bool {
        if case .magic = part {
            withUnsafeBytes(of: SocketMessage.magic.bigEndian) { $0.starts(with: bytes) }
        } else {
            true
        }
    }

    /// Processes a complete part, and returns the message after the last part.
    private mutating func end(_ whole: Data) throws(Broken) -> RLPort.Message? {
        switch part {
        case .magic:
            guard number(whole) == SocketMessage.magic else { throw Broken() }
            left = 4
            try expect(.length, 4)
        case .length:
            left = Int(number(whole))
            guard left <= SocketMessage.mostBytes else { throw Broken() }
            try expect(.number, 4)
        case .number:
            msgid = number(whole)
            try expect(.replyLength, 4)
        case .replyLength:
            try expect(.reply, number(whole))
        case .reply:
            if !whole.isEmpty { sender = .other(try port(whole)) }
            try expect(.count, 4)
        case .count:
            componentsLeft = number(whole)
            return try endOrExpectComponent()
        case .kind:
            guard let kind = SocketMessage.Kind(rawValue: whole[0]) else { throw Broken() }
            self.kind = kind
            try expect(.componentLength, 4)
        case .componentLength:
            try expect(.component, number(whole))
        case .component:
            components.append(kind == .data ? whole : try port(whole))
            return try endOrExpectComponent()
        }
        return nil
    }

    private mutating func expect(_ part: Part, _ length: UInt32) throws(Broken) {
        guard length <= left else { throw Broken() }
        left -= Int(length)
        self.part = part
        partLength = Int(length)
    }

    private mutating func endOrExpectComponent() throws(Broken) -> RLPort.Message? {
        if componentsLeft > 0 {
            componentsLeft -= 1
            try expect(.kind, 1)
            return nil
        }
        guard left == 0 else { throw Broken() }
        let message = RLPort.Message(msgid: msgid, components: components, reply: sender)
        self = SocketMessageReader(from: peer)
        return message
    }

    private func number(_ bytes: Data) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Decodes a peer's address, which consists of three numbers and a `sockaddr`.
    private func port(_ bytes: Data) throws(Broken) -> RLSocketPort {
        guard bytes.count >= 12 else { throw Broken() }
        let numbers = stride(from: 0, to: 12, by: 4).map { number(bytes[$0..<$0 + 4]) }
        let signature = SocketSignature(
            family: Int32(bitPattern: numbers[0]),
            type: Int32(bitPattern: numbers[1]),
            protocol: Int32(bitPattern: numbers[2]),
            address: Data(bytes.dropFirst(12))
        )
        return RLSocketPort(remote: signature.seen(by: peer))
    }
}
