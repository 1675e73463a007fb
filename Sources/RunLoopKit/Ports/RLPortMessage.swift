public import FoundationEssentials

/// What one port sends to another.
///
/// Foundation: PortMessage.
public final class RLPortMessage {
    /// Of a message to be sent, where it goes; of one that was received, where an answer is to go.
    ///
    /// Foundation: sendPort.
    public let sendPort: RLPort?

    /// Of a message to be sent, where an answer is to go; of one that was received, where it came
    /// to.
    ///
    /// Foundation: receivePort.
    public let receivePort: RLPort?

    /// What it consists of.
    ///
    /// Foundation: components.
    public let components: [any Sendable]?

    /// What it is about: for the receiver to know.
    ///
    /// Foundation: msgid.
    public var msgid: UInt32 = 0

    /// Makes a message.
    ///
    /// Foundation: PortMessage.init(sendPort:receivePort:components:).
    ///
    /// - Parameters:
    ///   - sendPort: Where it goes.
    ///   - receivePort: Where an answer is to go.
    ///   - components: What it consists of.
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
    ///   - sendPort: Where it goes.
    ///   - replyPort: Where an answer is to go.
    ///   - components: What it consists of.
    public convenience init(
        send sendPort: RLPort?,
        receive replyPort: RLPort?,
        components: [any Sendable]?
    ) {
        self.init(sendPort: sendPort, receivePort: replyPort, components: components)
    }

    /// Sends the message, and waits while the port's queue is full.
    ///
    /// Foundation: send(before:).
    ///
    /// - Parameter limitDate: How long to wait.
    /// - Returns: Whether it was sent: false if there is no port, or it is invalid, or the time was
    ///   up.
    @discardableResult
    public func send(before limitDate: Date) -> Bool {
        sendPort?.send(before: limitDate, msgid: msgid, components: components, from: receivePort)
            ?? false
    }
}
