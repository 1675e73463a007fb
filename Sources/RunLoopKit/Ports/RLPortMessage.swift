public import FoundationEssentials

/// A message from one port to another.
///
/// Foundation: PortMessage.
open class RLPortMessage {
    /// In a message to send, its destination; in a received one, the port for a reply.
    ///
    /// Foundation: sendPort.
    open internal(set) var sendPort: RLPort?

    /// In a message to send, the port for a reply; in a received one, the port that received it.
    ///
    /// Foundation: receivePort.
    open internal(set) var receivePort: RLPort?

    /// The components of the message, such as data and ports.
    ///
    /// Foundation: components.
    open internal(set) var components: [any Sendable]?

    /// A number that identifies the kind of message to the receiver.
    ///
    /// Foundation: msgid.
    open var msgid: UInt32 = 0

    /// Makes a message.
    ///
    /// Foundation: PortMessage.init(sendPort:receivePort:components:).
    ///
    /// - Parameters:
    ///   - sendPort: The destination.
    ///   - receivePort: The port for a reply.
    ///   - components: The components of the message, such as data and ports.
    public init(sendPort: RLPort?, receivePort: RLPort?, components: [any Sendable]?) {
        self.sendPort = sendPort
        self.receivePort = receivePort
        self.components = components
    }

    /// Makes a message.
    ///
    /// Foundation: PortMessage.init(send:receive:components:).
    ///
    /// - Parameters:
    ///   - sendPort: The destination.
    ///   - replyPort: The port for a reply.
    ///   - components: The components of the message, such as data and ports.
    public convenience init(
        send sendPort: RLPort?,
        receive replyPort: RLPort?,
        components: [any Sendable]?
    ) {
        self.init(sendPort: sendPort, receivePort: replyPort, components: components)
    }

    /// Sends the message.
    ///
    /// Blocks while the port's queue is full.
    ///
    /// Foundation: send(before:).
    ///
    /// - Parameter limitDate: The time limit for blocking.
    /// - Returns: Whether it was sent. False if there is no port, the port is invalid, or the time
    ///   was up.
    @discardableResult
    open func send(before limitDate: Date) -> Bool {
        guard let sendPort else {
            hint(
                "RLPortMessage.send(before:)",
                "message \(msgid) is not sent, as its sendPort is nil: give the port to which it is "
                    + "to go"
            )
            return false
        }
        return sendPort.send(
            before: limitDate,
            msgid: msgid,
            components: components,
            from: receivePort
        )
    }
}

extension RLPortMessage: RLObjectProtocol {}

extension RLPortMessage: CustomStringConvertible {
    /// The message's number, how many components it has, and its ports.
    public var description: String {
        let ports = [("to", sendPort), ("from", receivePort)]
            .map { "\($0) \($1.map(String.init(describing:)) ?? "nobody")" }
        return describe(
            self,
            "msgid \(msgid), \(components?.count ?? 0) component(s), "
                + ports.joined(separator: ", ")
        )
    }
}
