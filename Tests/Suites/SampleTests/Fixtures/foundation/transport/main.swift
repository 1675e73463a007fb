// Like web socket transports: a queue receives the streams' events, any thread writes, and another
// one disconnects.
import Foundation

final class Transport: NSObject, StreamDelegate {
    private let workQueue = DispatchQueue(label: "transport")
    private var inputStream: InputStream?
    private var outputStream: OutputStream?
    private let isOpen = DispatchSemaphore(value: 0)
    private let onText: (String) -> Void

    init(onText: @escaping (String) -> Void) {
        self.onText = onText
    }

    func connect(port: Int) {
        CFStreamCreatePairWithSocketToHost(
            nil,
            CFString("127.0.0.1"),
            UInt32(port),
            &inputStream,
            &outputStream
        )
        guard let inputStream, let outputStream else { return }
        inputStream.delegate = self
        outputStream.delegate = self
        CFReadStreamSetDispatchQueue(inputStream, workQueue)
        CFWriteStreamSetDispatchQueue(outputStream, workQueue)
        inputStream.open()
        outputStream.open()
        isOpen.wait()
    }

    func disconnect() {
        if let inputStream {
            inputStream.delegate = nil
            CFReadStreamSetDispatchQueue(inputStream, nil)
            inputStream.close()
        }
        if let outputStream {
            outputStream.delegate = nil
            CFWriteStreamSetDispatchQueue(outputStream, nil)
            outputStream.close()
        }
        inputStream = nil
        outputStream = nil
    }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = outputStream?.write(bytes, maxLength: bytes.count)
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .openCompleted where stream === outputStream: isOpen.signal()
        case .hasBytesAvailable:
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = inputStream?.read(&bytes, maxLength: bytes.count) ?? 0
            onText(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self))
        default: break
        }
    }
}

let server = EchoServer()
let isBack = DispatchSemaphore(value: 0)
let transport = Transport { text in
    print("\(text) on the main thread: \(Thread.isMainThread)")
    isBack.signal()
}
transport.connect(port: server.port)
DispatchQueue.global().async { transport.write("hello") }
isBack.wait()
transport.disconnect()
server.waitForEnd()
print("the transport has disconnected")
