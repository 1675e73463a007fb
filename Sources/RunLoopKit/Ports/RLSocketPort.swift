public import CoreRunLoop
public import FoundationEssentials
import Glibc

/// A port for messages between processes and hosts, over stream sockets.
///
/// A local port listens on a socket; its delegate receives messages in the run loop to which the
/// port is added. A remote port sends messages to a local port:
///
/// ```swift
/// guard let port = RLSocketPort(tcpPort: 4711) else { return }
/// port.setDelegate(delegate)
/// RLRunLoop.current.add(port, forMode: .default)
///
/// // In another process:
/// let remote = RLSocketPort(remoteWithTCPPort: 4711, host: "localhost")
/// remote?.send(before: .distantFuture, msgid: 1, components: [Data("hello".utf8)], from: nil)
/// ```
///
/// The components of a message must be `Data` or socket ports, up to 64 MiB in total. The reply
/// port must be a local socket port. The message format is this library's own and incompatible with
/// Foundation's ports. Messages are not encrypted or authenticated: listen only where you trust all
/// peers. A peer that sends malformed bytes is disconnected.
///
/// Foundation: SocketPort.
open class RLSocketPort: RLPort, @unchecked Sendable {
    // Proof: the mutable state is in `state` and `connection`, which have locks.
    private struct State {
        var sockets: [RLSocketRef] = []
        // The modes to which the sockets of later connections are added.
        var places: [Place] = []
    }

    private struct Place: Hashable {
        let loop: RLRunLoopRef
        let mode: RLRunLoop.Mode
    }

    let signature: SocketSignature
    private let state = Locked(State())
    // Nil for a local port.
    private let connection: SocketConnection?
    private let handle: RLSocketNativeHandle

    /// Creates a port that listens on a free TCP port at all IPv4 addresses of this host.
    ///
    /// ``address`` contains the TCP port. If listening fails, the port is invalid.
    ///
    /// Foundation: SocketPort.init().
    public override init() {
        let listening = Self.listen(at: .everywhere(port: 0))
        signature = listening?.signature ?? .everywhere(port: 0)
        connection = nil
        handle = listening?.socket ?? -1
        super.init()
        if listening != nil {
            begin()
        } else {
            warn(
                "RLSocketPort.init()",
                "cannot listen on a TCP port, so the port is invalid: "
                    + "\(describeError(errno)): check the limit of open files"
            )
            invalidate()
        }
    }

    /// Creates a port that listens on a TCP port at all IPv4 addresses of this host.
    ///
    /// With 0, the system chooses a free TCP port. Returns nil if the TCP port is in use.
    ///
    /// Foundation: SocketPort.init(tcpPort:).
    public convenience init?(tcpPort port: UInt16) {
        let place = SocketSignature.everywhere(port: port)
        self.init(
            protocolFamily: place.family,
            socketType: place.type,
            protocol: place.protocol,
            address: place.address
        )
    }

    /// Creates a port that listens at an address.
    ///
    /// Returns nil if the address is in use, or if `type` is not a stream type.
    ///
    /// Foundation: SocketPort.init(protocolFamily:socketType:protocol:address:).
    public init?(
        protocolFamily family: Int32,
        socketType type: Int32,
        protocol: Int32,
        address: Data
    ) {
        let signature = SocketSignature(
            family: family,
            type: type,
            protocol: `protocol`,
            address: address
        )
        guard let listening = Self.listen(at: signature) else { return nil }
        self.signature = listening.signature
        connection = nil
        handle = listening.socket
        super.init()
        begin()
    }

    /// Creates a port from a listening socket.
    ///
    /// The port owns the socket, and closes it when the port is invalidated. Returns nil if the
    /// socket is not a stream socket.
    ///
    /// Foundation: SocketPort.init(protocolFamily:socketType:protocol:socket:).
    public init?(
        protocolFamily family: Int32,
        socketType type: Int32,
        protocol: Int32,
        socket: RLSocketNativeHandle
    ) {
        guard type == CInt(SOCK_STREAM.rawValue),
            let signature = SocketSignature(
                of: socket,
                family: family,
                type: type,
                protocol: `protocol`
            )
        else { return nil }
        self.signature = signature
        connection = nil
        handle = socket
        super.init()
        begin()
    }

    /// Creates a port that sends to a TCP port of a host.
    ///
    /// Blocks while the host name is resolved. Returns nil if the host does not exist.
    ///
    /// Foundation: SocketPort.init(remoteWithTCPPort:host:).
    ///
    /// - Parameters:
    ///   - port: The TCP port.
    ///   - host: A host name or address; nil for this host.
    public convenience init?(remoteWithTCPPort port: UInt16, host: String?) {
        guard let signature = SocketSignature.ofHost(host ?? "localhost", port: port) else {
            return nil
        }
        self.init(remote: signature)
    }

    /// Creates a port that sends to an address.
    ///
    /// Foundation: SocketPort.init(remoteWithProtocolFamily:socketType:protocol:address:).
    public init(
        remoteWithProtocolFamily family: Int32,
        socketType type: Int32,
        protocol: Int32,
        address: Data
    ) {
        let signature = SocketSignature(
            family: family,
            type: type,
            protocol: `protocol`,
            address: address
        )
        self.signature = signature
        connection = SocketConnection(to: signature)
        handle = -1
        super.init()
    }

    convenience init(remote signature: SocketSignature) {
        self.init(
            remoteWithProtocolFamily: signature.family,
            socketType: signature.type,
            protocol: signature.protocol,
            address: signature.address
        )
    }

    private func begin() {
        let listener = RLSocketCreateWithNative(
            handle,
            callBackTypes: .acceptCallBack
        ) { [weak self] _, event in
            if case .accepted(let handle, let address) = event {
                self?.accept(handle, Data([UInt8](address)))
            }
        }
        state.withLock { $0.sockets = [listener].compactMap { $0 } }
    }

    deinit {
        let sockets = state.withLock { $0.sockets }
        for socket in sockets { RLSocketInvalidate(socket) }
    }

    private static func listen(at signature: SocketSignature)
        -> (socket: CInt, signature: SocketSignature)?
    {
        guard signature.type == CInt(SOCK_STREAM.rawValue), let socket = signature.makeSocket()
        else { return nil }
        var reuses: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &reuses, size)
        let isBound = signature.withAddress { bind(socket, $0, $1) } == 0
        guard isBound, Glibc.listen(socket, 64) == 0,
            let bound = SocketSignature(
                of: socket,
                family: signature.family,
                type: signature.type,
                protocol: signature.protocol
            )
        else {
            close(socket)
            return nil
        }
        return (socket, bound)
    }

    /// The family of the sockets, such as `PF_INET`.
    ///
    /// Foundation: protocolFamily.
    open var protocolFamily: Int32 { signature.family }

    /// The type of the sockets, such as `SOCK_STREAM`.
    ///
    /// Foundation: socketType.
    open var socketType: Int32 { signature.type }

    /// The protocol of the sockets, such as `IPPROTO_TCP`.
    ///
    /// Foundation: protocol.
    open var `protocol`: Int32 { signature.protocol }

    /// A `sockaddr`: the address at which a local port listens, or to which a remote port sends.
    ///
    /// Foundation: address.
    open var address: Data { signature.address }

    /// The socket with which a local port listens or a remote port sends; -1 if there is none.
    ///
    /// Foundation: socket.
    open var socket: RLSocketNativeHandle { connection?.descriptor ?? handle }

    /// Returns whether the other object is this port, or both are remote ports that send to the
    /// same address with the same kind of socket.
    ///
    /// Unlike in Foundation, invalidation does not change equality, because the port may be a
    /// member of a set.
    ///
    /// Foundation: isEqual(_:).
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? RLSocketPort else { return false }
        let areRemote = connection != nil && other.connection != nil
        return self === other || areRemote && signature == other.signature
    }

    /// A hash that is the same for all remote ports that send to the same address.
    ///
    /// Foundation: hash.
    open override var hash: Int {
        connection == nil ? super.hash : signature.hashValue
    }

    /// Sends a message to the port, and blocks until the message was passed to the system.
    ///
    /// Foundation: send(before:msgid:components:from:reserved:).
    ///
    /// - Returns: Whether the message was passed to the system. False if no port listens at the
    ///   address, or if the time limit has passed. If a component cannot be sent, the function logs
    ///   a warning and returns false.
    @discardableResult
    open override func send(
        before limitDate: Date,
        msgid: UInt32,
        components: [any Sendable]? = nil,
        from replyPort: RLPort? = nil,
        reserved: Int = 0
    ) -> Bool {
        guard let connection else {
            return super.send(
                before: limitDate,
                msgid: msgid,
                components: components,
                from: replyPort,
                reserved: reserved
            )
        }
        guard isValid,
            let bytes = SocketMessage.encode(
                msgid: msgid,
                components: components,
                replyPort: replyPort
            )
        else { return false }
        return connection.send(bytes, before: limitDate)
    }

    /// Invalidates the port, closes its connections, and stops listening.
    open override func invalidate() {
        super.invalidate()
        connection?.close()
        let sockets = state.withLock { state in
            defer { state = State() }
            return state.sockets
        }
        for socket in sockets { RLSocketInvalidate(socket) }
    }

    /// Adds the port to a mode of a loop.
    open override func schedule(in runLoop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        super.schedule(in: runLoop, forMode: mode)
        let place = Place(loop: runLoop.loop, mode: mode)
        let sockets = state.withLock { state in
            state.places.append(place)
            return state.sockets
        }
        for socket in sockets { Self.add(socket, to: place) }
    }

    /// Removes the port from a mode of a loop.
    open override func remove(from runLoop: RLRunLoop, forMode mode: RLRunLoop.Mode) {
        super.remove(from: runLoop, forMode: mode)
        let place = Place(loop: runLoop.loop, mode: mode)
        let sockets = state.withLock { state in
            state.places.removeAll { $0 == place }
            return state.sockets
        }
        for socket in sockets {
            let source = RLSocketCreateRunLoopSource(nil, socket, 600)
            if let source { RLRunLoopRemoveSource(place.loop, source, mode.mode) }
        }
    }

    private static func add(_ socket: RLSocketRef, to place: Place) {
        let source = RLSocketCreateRunLoopSource(nil, socket, 600)
        if let source { RLRunLoopAddSource(place.loop, source, place.mode.mode) }
    }

    /// Accepts a connection, on the loop's thread.
    private func accept(_ handle: RLSocketNativeHandle, _ peer: Data) {
        let reader = Locked(SocketMessageReader(from: peer))
        let connection = RLSocketCreateWithNative(handle, callBackTypes: .dataCallBack) {
            [weak self] socket, event in
            guard case .data(let chunk, _) = event, let self, RLDataGetLength(chunk) > 0 else {
                self?.forget(socket)
                return
            }
            var rest = [UInt8](chunk)[...]
            while true {
                let progress = reader.withLock { $0.take(from: &rest) }
                switch progress {
                case .incomplete: return
                case .message(let message): hand(message)
                case .broken:
                    warn(
                        "RLSocketPort",
                        "a peer sent bytes that are not an RLSocketPort message, and its "
                            + "connection is closed: only RLSocketPorts can connect to this "
                            + "port"
                    )
                    RLSocketInvalidate(socket)
                    forget(socket)
                    return
                }
            }
        }
        guard let connection else { return }
        let places: [Place]? = state.withLock { state in
            guard isOpen else { return nil }
            state.sockets.append(connection)
            return state.places
        }
        guard let places else { return RLSocketInvalidate(connection) }
        for place in places { Self.add(connection, to: place) }
    }

    private func forget(_ socket: RLSocketRef) {
        state.withLock { $0.sockets.removeAll { $0 === socket } }
    }
}
