// A chat server: each line that a guest writes is sent to all guests. With a certificate, the
// server uses TLS.
//
//     chat-server PORT [CERTIFICATE.pem]
//
// The first line of a guest is the guest's name. The server ends on SIGTERM or Control-C.

import FoundationEssentials
import Glibc
import RunLoopKit

/// The guests, who receive lines after they have sent their names.
@MainActor final class Room {
    private var guests: [ObjectIdentifier: Guest] = [:]
    private let tls: RLStreamTLSSettings?

    init(tls: RLStreamTLSSettings?) {
        self.tls = tls
    }

    func admit(_ connection: RLConnection) {
        let guest = Guest(connection, in: self)
        guests[ObjectIdentifier(guest)] = guest
        guest.open(tls: tls)
    }

    func broadcast(_ line: String) {
        for guest in guests.values { guest.send(line) }
    }

    func dismiss(_ guest: Guest) {
        guard guests.removeValue(forKey: ObjectIdentifier(guest)) != nil else { return }
        guest.close()
        if let name = guest.name { broadcast("\(name) leaves") }
    }

    func dismissAll() {
        for guest in guests.values { dismiss(guest) }
    }
}

@MainActor final class Guest: @MainActor RLStreamDelegate {
    private(set) var name: String?

    private let connection: RLConnection
    private unowned let room: Room
    private var reader: RLLineReader?
    private var waiting: [UInt8] = []

    /// The maximum number of unwritten bytes; a guest with more unwritten bytes is disconnected.
    private static let mostWaiting = 1 << 20

    init(_ connection: RLConnection, in room: Room) {
        self.connection = connection
        self.room = room
    }

    func open(tls: RLStreamTLSSettings?) {
        // Set TLS before the streams are opened. The property applies to both streams.
        if let tls { connection.input.setProperty(tls, forKey: .sslSettingsKey) }
        reader = RLLineReader(connection.input, maximumLength: 1024) { [unowned self] line in
            receive(line)
        } whenOver: { [unowned self] _ in
            room.dismiss(self)
        }
        connection.output.delegate = self
        for stream in [connection.input, connection.output] as [RLStream] {
            stream.schedule(in: .current, forMode: .common)
            stream.open()
        }
    }

    private func receive(_ line: String) {
        if let name {
            room.broadcast("\(name): \(line)")
        } else {
            name = line
            room.broadcast("\(line) enters")
        }
    }

    func send(_ line: String) {
        if name == nil { return }
        waiting += Array("\(line)\n".utf8)
        if waiting.count > Self.mostWaiting { return room.dismiss(self) }
        flush()
    }

    private func flush() {
        while !waiting.isEmpty, connection.output.hasSpaceAvailable {
            let count = connection.output.write(waiting, maxLength: waiting.count)
            if count <= 0 { return }
            waiting.removeFirst(count)
        }
    }

    func stream(_ stream: RLStream, handle event: RLStream.Event) {
        switch event {
        case .hasSpaceAvailable: flush()
        case .errorOccurred: room.dismiss(self)
        default: break
        }
    }

    func close() {
        connection.close()
    }
}

let arguments = CommandLine.arguments
guard arguments.count > 1, let port = UInt16(arguments[1]) else {
    print("usage: \(arguments[0]) PORT [CERTIFICATE.pem]")
    exit(EXIT_FAILURE)
}
var tls: RLStreamTLSSettings?
if arguments.count > 2 {
    tls = RLStreamTLSSettings()
    tls?.isServer = true
    // The file contains the certificate, its chain, and its key.
    tls?.certificates = [try Data(contentsOf: URL(filePath: arguments[2]))]
}

let room = Room(tls: tls)
let listener = try RLListener(host: "localhost", port: port)
listener.accept(in: .current) { connection in room.admit(connection) }
RLRunLoop.main.observe(signals: [SIGINT, SIGTERM]) { _, _ in
    listener.invalidate()
    room.dismissAll()
    RLRunLoop.main.stop()
}
print("listening at \(listener.addresses.joined(separator: ", "))")
fflush(nil)
exit(RLRunLoop.main.runUntilStopped())
