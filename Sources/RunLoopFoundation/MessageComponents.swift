// Components of messages in the arrays in which Foundation's clients have them.

public import Foundation
public import RunLoopKit

extension RLPort {
    /// Sends a message with number 0, whose components are in an array of Foundation's.
    ///
    /// The contents of the array belong to the receiver from now on, though the compiler does not
    /// check that: objects that are not `Sendable` must not be used by the sender any more.
    ///
    /// Foundation: send(before:components:from:reserved:).
    ///
    /// - Parameters:
    ///   - limitDate: Until when to wait.
    ///   - components: What the message consists of, such as data and ports. The message has what
    ///     is in it now.
    ///   - replyPort: Where to send an answer.
    ///   - reserved: Ignored.
    /// - Returns: Whether it was sent.
    @_disfavoredOverload
    @discardableResult
    public func send(
        before limitDate: Date,
        components: sending NSArray?,
        from replyPort: RLPort?,
        reserved: Int
    ) -> Bool {
        send(
            before: limitDate,
            components: components.map { given(Array($0)) },
            from: replyPort,
            reserved: reserved
        )
    }

    /// Sends a message, whose components are in an array of Foundation's.
    ///
    /// As for ``send(before:components:from:reserved:)``.
    ///
    /// Foundation: send(before:msgid:components:from:reserved:).
    ///
    /// - Parameters:
    ///   - limitDate: Until when to wait.
    ///   - msgid: A number for the receiver, of which the message has 32 bits.
    ///   - components: What the message consists of, such as data and ports.
    ///   - replyPort: Where to send an answer.
    ///   - reserved: Ignored.
    /// - Returns: Whether it was sent.
    @_disfavoredOverload
    @discardableResult
    public func send(
        before limitDate: Date,
        msgid: Int,
        components: sending NSArray?,
        from replyPort: RLPort?,
        reserved: Int
    ) -> Bool {
        send(
            before: limitDate,
            msgid: UInt32(truncatingIfNeeded: msgid),
            components: components.map { given(Array($0)) },
            from: replyPort,
            reserved: reserved
        )
    }
}

extension RLPortMessage {
    /// Makes a message of components that need not be `Sendable`.
    ///
    /// They belong to the receiver from now on: the compiler refuses to use those that are not
    /// `Sendable` any more.
    ///
    /// Foundation: PortMessage.init(sendPort:receivePort:components:).
    ///
    /// - Parameters:
    ///   - sendPort: Where it goes.
    ///   - receivePort: Where to send an answer.
    ///   - components: The components of the message, such as data and ports.
    @_disfavoredOverload
    public convenience init(sendPort: RLPort?, receivePort: RLPort?, components: sending [Any]?) {
        self.init(
            sendPort: sendPort,
            receivePort: receivePort,
            components: components.map(given)
        )
    }

    /// Makes a message of components that need not be `Sendable`.
    ///
    /// They belong to the receiver from now on: the compiler refuses to use those that are not
    /// `Sendable` any more.
    ///
    /// Foundation: PortMessage.init(send:receive:components:).
    ///
    /// - Parameters:
    ///   - sendPort: Where it goes.
    ///   - replyPort: Where to send an answer.
    ///   - components: The components of the message, such as data and ports.
    @_disfavoredOverload
    public convenience init(
        send sendPort: RLPort?,
        receive replyPort: RLPort?,
        components: sending [Any]?
    ) {
        self.init(
            sendPort: sendPort,
            receivePort: replyPort,
            components: components.map(given)
        )
    }
}

/// Components that the sender gives away, as Foundation's clients promise by convention.
private func given(_ components: [Any]) -> [any Sendable] {
    // A marker protocol adds nothing to an existential, but no cast may name one.
    unsafeBitCast(components, to: [any Sendable].self)
}
