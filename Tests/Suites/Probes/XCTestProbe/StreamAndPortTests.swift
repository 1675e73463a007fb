// Streams and ports in XCTest.

import Glibc
import RunLoopXCTest
import XCTest

final class StreamTests: RLTestCase {
    private func readAll(_ stream: RLInputStream) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            if count <= 0 { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    func testReadsDataToItsEnd() {
        let stream = RLInputStream(data: Data("some words".utf8))
        XCTAssertEqual(stream.streamStatus, .notOpen)
        stream.open()
        XCTAssertTrue(stream.hasBytesAvailable)
        XCTAssertEqual(readAll(stream), Array("some words".utf8))
        XCTAssertEqual(stream.streamStatus, .atEnd)
        stream.close()
        XCTAssertEqual(stream.streamStatus, .closed)
    }

    func testWritesIntoMemory() {
        let stream = RLOutputStream.toMemory()
        stream.open()
        XCTAssertEqual(stream.write(Array("words".utf8), maxLength: 5), 5)
        let written = stream.property(forKey: .dataWrittenToMemoryStreamKey) as? Data
        XCTAssertEqual(written, Data("words".utf8))
        stream.close()
    }

    func testWritesAndReadsAFile() throws {
        let path = FileManager.default.temporaryDirectory.path + "/XCTestProbe-\(getpid())"
        defer { unlink(path) }
        let output = try XCTUnwrap(RLOutputStream(toFileAtPath: path, append: false))
        output.open()
        XCTAssertEqual(output.write(Array("file".utf8), maxLength: 4), 4)
        output.close()
        let input = try XCTUnwrap(RLInputStream(fileAtPath: path))
        input.open()
        XCTAssertEqual(readAll(input), Array("file".utf8))
        input.close()
    }

    func testNotifiesItsDelegate() {
        let ended = expectation(description: "ended")
        let reader = StreamReader { event in if event == .endEncountered { ended.fulfill() } }
        let stream = RLInputStream(data: Data("12345".utf8))
        stream.delegate = reader
        stream.schedule(in: .current, forMode: .default)
        stream.open()
        wait(for: [ended], timeout: 100)
        XCTAssertEqual(reader.bytes, Array("12345".utf8))
        XCTAssertEqual(reader.events.first, .openCompleted)
        stream.close()
    }

    func testReportsAMissingFile() throws {
        let stream = try XCTUnwrap(RLInputStream(fileAtPath: "/nowhere/at/all"))
        stream.open()
        XCTAssertEqual(stream.streamStatus, .error)
        XCTAssertNotNil(stream.streamError)
        stream.close()
    }

    static let all = [
        testCase([
            ("testReadsDataToItsEnd", testReadsDataToItsEnd),
            ("testWritesIntoMemory", testWritesIntoMemory),
            ("testWritesAndReadsAFile", testWritesAndReadsAFile),
            ("testNotifiesItsDelegate", testNotifiesItsDelegate),
            ("testReportsAMissingFile", testReportsAMissingFile),
        ])
    ]
}

final class PortTests: RLTestCase {
    func testListensOnAFreePort() throws {
        let port = try XCTUnwrap(RLSocketPort(tcpPort: 0))
        XCTAssertTrue(port.isValid && port.socket >= 0)
        XCTAssertEqual(port.protocolFamily, AF_INET)
        port.invalidate()
        XCTAssertFalse(port.isValid)
    }

    /// NSPT-3.
    func testIsEqualToOthersToItsAddress() throws {
        let first = try XCTUnwrap(RLSocketPort(remoteWithTCPPort: 4711, host: "127.0.0.1"))
        let second = try XCTUnwrap(RLSocketPort(remoteWithTCPPort: 4711, host: "127.0.0.1"))
        let listener = RLSocketPort()
        XCTAssertTrue(first == second && first.isEqual(second))
        XCTAssertEqual(first.hash, second.hash)
        XCTAssertNotEqual(first, listener)
        XCTAssertNotEqual(listener, RLSocketPort())
        listener.invalidate()
    }

    func testTakesMessages() {
        let taken = expectation(description: "taken")
        let port = RLSocketPort()
        let reader = PortReader { message in
            XCTAssertEqual(message.msgid, 7)
            XCTAssertEqual(message.components?.first as? Data, Data("hello".utf8))
            taken.fulfill()
        }
        port.setDelegate(reader)
        RLRunLoop.current.add(port, forMode: .default)
        let remote = RLSocketPort(
            remoteWithProtocolFamily: port.protocolFamily,
            socketType: port.socketType,
            protocol: port.protocol,
            address: port.address
        )
        let hello: [any Sendable] = [Data("hello".utf8)]
        XCTAssertTrue(remote.send(before: .distantFuture, msgid: 7, components: hello))
        wait(for: [taken], timeout: 100)
        remote.invalidate()
        port.invalidate()
    }

    func testNotifiesOfItsEnd() {
        let port = RLPort()
        let notified = expectation(description: "notified")
        let token = RLNotificationCenter.default.addObserver(
            forName: RLPort.didBecomeInvalidNotification,
            object: port
        ) { _ in notified.fulfill() }
        port.invalidate()
        wait(for: [notified], timeout: 100)
        RLNotificationCenter.default.removeObserver(token)
    }

    func testTakesMessagesOfThreads() {
        let taken = expectation(description: "taken")
        let port = RLPort()
        let reader = PortReader { message in
            XCTAssertTrue(RLThread.isMainThread)
            XCTAssertEqual(message.msgid, 1)
            taken.fulfill()
        }
        port.setDelegate(reader)
        RLRunLoop.current.add(port, forMode: .default)
        RLThread.detachNewThread { port.send(before: .distantFuture, msgid: 1) }
        wait(for: [taken], timeout: 100)
        RLRunLoop.current.remove(port, forMode: .default)
        port.invalidate()
    }

    static let all = [
        testCase([
            ("testListensOnAFreePort", testListensOnAFreePort),
            ("testIsEqualToOthersToItsAddress", testIsEqualToOthersToItsAddress),
            ("testTakesMessages", testTakesMessages),
            ("testNotifiesOfItsEnd", testNotifiesOfItsEnd),
            ("testTakesMessagesOfThreads", testTakesMessagesOfThreads),
        ])
    ]
}

private final class StreamReader: RLStreamDelegate {
    private(set) var events: [RLStream.Event] = []
    private(set) var bytes: [UInt8] = []
    private let onEvent: (RLStream.Event) -> Void

    init(_ onEvent: @escaping (RLStream.Event) -> Void) {
        self.onEvent = onEvent
    }

    func stream(_ stream: RLStream, handle event: RLStream.Event) {
        events.append(event)
        if event == .hasBytesAvailable, let input = stream as? RLInputStream {
            var buffer = [UInt8](repeating: 0, count: 2)
            let count = input.read(&buffer, maxLength: buffer.count)
            bytes += buffer.prefix(max(0, count))
        }
        onEvent(event)
    }
}

private final class PortReader: RLPortDelegate {
    private let take: (RLPortMessage) -> Void

    init(_ take: @escaping (RLPortMessage) -> Void) {
        self.take = take
    }

    func handle(_ message: RLPortMessage) {
        take(message)
    }
}
