public import FoundationEssentials

/// A message from one port to another.
///
/// Foundation: PortMessage.
open class RLPortMessage {
    /// In a message to send, the destination; in a received message, the port for a reply.
    ///
    /// Foundation: sendPort.
    open internal(set) var sendPort: RLPort?

    /// In a message to send, the port for a reply; in a received message, the port that received
    /// it.
    ///
    /// Foundation: receivePort.
    open internal(set) var receivePort: RLPort?

    /// The components of the message, such as data and ports.
    ///
    /// Nil in the sender's message if the components need not be `Sendable` (module
    /// `RunLoopFoundation`), because such components belong to the receiver.
    ///
    /// Foundation: components.
    open var components: [Any]? {
        switch content {
        case .sendable(let list): list
        case .received(let list): list
        case .given, .sent: nil
        }
    }

    private enum Content {
        case sendable([any Sendable]?)
        case given(GivenComponents)
        case sent
        case received([Any])
    }

    private var content: Content

    /// A number that identifies the kind of message to the receiver.
    ///
    /// Foundation: msgid.
    open var msgid: UInt32 = 0

    /// Creates a message.
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
        content = .sendable(components)
    }

    /// Creates a message, like ``init(sendPort:receivePort:components:)``.
    ///
    /// Foundation: PortMessage.init(send:receive:components:).
    public convenience init(
        send sendPort: RLPort?,
        receive replyPort: RLPort?,
        components: [any Sendable]?
    ) {
        self.init(sendPort: sendPort, receivePort: replyPort, components: components)
    }

    /// Creates a message that can be sent only once, because its components need not be `Sendable`.
    package convenience init(sendPort: RLPort?, receivePort: RLPort?, given: GivenComponents) {
        self.init(sendPort: sendPort, receivePort: receivePort, components: nil)
        content = .given(given)
    }

    convenience init(
        from sendPort: RLPort?,
        to receivePort: RLPort,
        sent components: [any Sendable]?
    ) {
        self.init(sendPort: sendPort, receivePort: receivePort, components: components)
        if let given = components?.first as? GivenComponents { content = .received(given.list) }
    }

    /// Returns the components; stops the process if they are not known to be `Sendable`.
    package final func sendableComponents(for call: StaticString) -> [any Sendable]? {
        if case .sendable(let list) = content { return list }
        stopProcess(
            "\(call)",
            "a component of message \(msgid) is not known to be Sendable: send "
                + "`[any Sendable]`, or receive with a delegate"
        )
    }

    /// Sends the message, and blocks while the port's queue is full.
    ///
    /// Foundation: send(before:).
    ///
    /// - Parameter limitDate: The time limit for blocking.
    /// - Returns: Whether the message was sent. False if the message has no destination, if the
    ///   port is invalid, or if the time limit has passed.
    @discardableResult
    open func send(before limitDate: Date) -> Bool {
        guard let sendPort else {
            hint(
                "RLPortMessage.send(before:)",
                "message \(msgid) is not sent, as its sendPort is nil: pass the destination"
            )
            return false
        }
        let components: [any Sendable]?
        switch content {
        case .given(let given): components = [given]
        case .sent:
            stopProcess(
                "RLPortMessage.send(before:)",
                "message \(msgid) was already sent, and its components belong to the receiver: create "
                    + "another message, or pass the components as `[any Sendable]`"
            )
        default: components = sendableComponents(for: "RLPortMessage.send(before:)")
        }
        let isSent = sendPort.send(
            before: limitDate,
            msgid: msgid,
            components: components,
            from: receivePort
        )
        if isSent, case .given = content { content = .sent }
        return isSent
    }
}

/// Components of a message that need not be `Sendable`, and that the sender must not use any more.
package struct GivenComponents: @unchecked Sendable {
    // Proof: only the receiver's message returns the components.
    fileprivate let list: [Any]

    /// Wraps components that the caller received as `sending`.
    package init(_ list: [Any]) {
        self.list = list
    }
}

extension RLPortMessage: RLObjectProtocol {}

extension RLPortMessage: CustomStringConvertible {
    /// The message's number, the number of its components, and its ports.
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
