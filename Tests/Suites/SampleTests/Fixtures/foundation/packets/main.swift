// Like clients of message brokers: a queue runs the loop of the streams, other queues write
// packets, and `deinit` closes the streams on the thread that releases the session.
import Foundation

final class Session: NSObject, StreamDelegate {
    private let inputStream: InputStream
    private let outputStream: OutputStream
    private let queue = DispatchQueue(label: "session", qos: .background)
    private var loop: RunLoop?
    private let isOpen = DispatchSemaphore(value: 0)
    private let onBytes: (Int) -> Void

    init?(port: Int, onBytes: @escaping (Int) -> Void) {
        var input: InputStream?
        var output: OutputStream?
        Stream.getStreamsToHost(
            withName: "127.0.0.1",
            port: port,
            inputStream: &input,
            outputStream: &output
        )
        guard let input, let output else { return nil }
        inputStream = input
        outputStream = output
        self.onBytes = onBytes
        super.init()
        input.delegate = self
        output.delegate = self
        queue.async { [weak self] in
            let loop = RunLoop.current
            self?.begin(in: loop)
            loop.run()
        }
        isOpen.wait()
    }

    private func begin(in loop: RunLoop) {
        self.loop = loop
        for stream in [inputStream, outputStream] as [Stream] {
            stream.schedule(in: loop, forMode: .default)
            stream.open()
        }
    }

    deinit {
        guard let loop else { return }
        inputStream.close()
        inputStream.remove(from: loop, forMode: .default)
        outputStream.close()
        outputStream.remove(from: loop, forMode: .default)
    }

    func send(_ packet: [UInt8]) -> Bool {
        guard outputStream.streamStatus == .open, outputStream.hasSpaceAvailable else {
            return false
        }
        return outputStream.write(packet, maxLength: packet.count) == packet.count
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        if event == .openCompleted && stream === outputStream { isOpen.signal() }
        guard event == .hasBytesAvailable else { return }
        var bytes = [UInt8](repeating: 0, count: 64)
        onBytes(inputStream.read(&bytes, maxLength: bytes.count))
    }
}

let server = EchoServer()
let areBack = DispatchSemaphore(value: 0)
var received = 0
var session = Session(port: server.port) { count in
    received += count
    if received == 300 { areBack.signal() }
}
for number in 0..<100 {
    DispatchQueue.global().async { [session] in
        while session?.send([1, 2, UInt8(number)]) == false { sched_yield() }
    }
}
areBack.wait()
print("\(received) bytes are back")
session = nil
server.waitForEnd()
print("the session has closed its streams")
