// Messages whose components are in an `NSArray`.

public import Foundation
public import RunLoopKit

extension RLPort {
    /// Sends a message with the number 0 and the components in an `NSArray`.
    ///
    /// The call transfers the contents of the array to the receiver: afterwards, the sender must
    /// not use components that are not `Sendable`. The compiler does not check this.
    ///
    /// Foundation: send(before:components:from:reserved:).
    ///
    /// - Parameters:
    ///   - limitDate: The time limit for blocking.
    ///   - components: The contents of the message, such as data and ports; copied.
    ///   - replyPort: The port for a reply.
    ///   - reserved: Ignored.
    /// - Returns: Whether the message was sent.
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

    /// Sends a message with a number and the components in an `NSArray`.
    ///
    /// Otherwise like ``send(before:components:from:reserved:)``.
    ///
    /// Foundation: send(before:msgid:components:from:reserved:).
    ///
    /// - Parameters:
    ///   - limitDate: The time limit for blocking.
    ///   - msgid: A number that identifies the kind of message to the receiver; truncated to 32
    ///     bits.
    ///   - components: The contents of the message, such as data and ports.
    ///   - replyPort: The port for a reply.
    ///   - reserved: Ignored.
    /// - Returns: Whether the message was sent.
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
    /// Creates a message from components that need not be `Sendable`.
    ///
    /// The call transfers the components to the receiver: the compiler rejects later uses of
    /// components that are not `Sendable`.
    ///
    /// Foundation: PortMessage.init(sendPort:receivePort:components:).
    ///
    /// - Parameters:
    ///   - sendPort: The destination.
    ///   - receivePort: The port for a reply.
    ///   - components: The components of the message, such as data and ports.
    @_disfavoredOverload
    public convenience init(sendPort: RLPort?, receivePort: RLPort?, components: sending [Any]?) {
        self.init(to: sendPort, receivePort, components)
    }

    /// Creates a message from components that need not be `Sendable`.
    ///
    /// The call transfers the components to the receiver: the compiler rejects later uses of
    /// components that are not `Sendable`.
    ///
    /// Foundation: PortMessage.init(send:receive:components:).
    ///
    /// - Parameters:
    ///   - sendPort: The destination.
    ///   - replyPort: The port for a reply.
    ///   - components: The components of the message, such as data and ports.
    @_disfavoredOverload
    public convenience init(
        send sendPort: RLPort?,
        receive replyPort: RLPort?,
        components: sending [Any]?
    ) {
        self.init(to: sendPort, replyPort, components)
    }

    private convenience init(
        to sendPort: RLPort?,
        _ replyPort: RLPort?,
        _ components: sending [Any]?
    ) {
        if let components, sendable(components) == nil {
            self.init(
                sendPort: sendPort,
                receivePort: replyPort,
                given: GivenComponents(components)
            )
        } else {
            self.init(
                sendPort: sendPort,
                receivePort: replyPort,
                components: components.flatMap(sendable)
            )
        }
    }
}

/// Makes the components `Sendable`: by convention, the sender does not use them afterwards.
private func given(_ components: [Any]) -> [any Sendable] {
    sendable(components) ?? [GivenComponents(components)]
}

/// Returns nil if a component is not known to be `Sendable`.
private func sendable(_ components: [Any]) -> [any Sendable]? {
    let parts = components.compactMap { $0 as? any RLNotificationPart }
    return parts.count == components.count ? parts : nil
}
