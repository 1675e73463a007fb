// A server on the streams of RunLoopKit.

import CoreRunLoop
import Programs
import RunLoopKit

/// A connection, which retains itself until it closes.
private final class Connection: RLStreamDelegate {
    private let service: UnsafeMutablePointer<service>
    private let input: RLInputStream
    private let output: RLOutputStream
    private var held: Connection?

    init(_ service: UnsafeMutablePointer<service>, _ handle: RLSocketNativeHandle) {
        guard let (reader, writer) = RLStreamCreatePair(withSocket: handle) else {
            fatalError("no streams for a connection")
        }
        self.service = service
        input = RLInputStream(reader)
        output = RLOutputStream(writer)
        held = self
        input.setProperty(true, forKey: .shouldCloseNativeSocketKey)
        input.delegate = self
        input.schedule(in: .current, forMode: .default)
        input.open()
        output.open()
        service.pointee.connection_count += 1
    }

    func stream(_ stream: RLStream, handle event: RLStream.Event) {
        switch event {
        case .openCompleted: break
        case .hasBytesAvailable: answer()
        default: close()
        }
    }

    private func answer() {
        service.pointee.buffer.withMemoryRebound(to: UInt8.self, capacity: service.pointee.capacity)
        {
            let count = input.read($0, maxLength: service.pointee.capacity)
            guard count > 0, service.pointee.is_echo else { return }
            precondition(output.write($0, maxLength: count) == count)
        }
    }

    private func close() {
        input.close()
        output.close()
        held = nil
        if service_remove(service) { RLRunLoopStop(RLRunLoopGetCurrent()) }
    }
}

/// `@unchecked`: the loop's thread is the only one.
private struct Serving: @unchecked Sendable {
    let service: UnsafeMutablePointer<service>
}

func serveByRunLoopKit(_ service: UnsafeMutablePointer<service>?) {
    guard let service else { return }
    let serving = Serving(service: service)
    let socket = RLSocketCreateWithNative(
        service.pointee.listening_fd,
        callBackTypes: .acceptCallBack
    ) { _, event in
        guard case .accepted(let handle, _) = event else { return }
        _ = Connection(serving.service, handle)
    }
    RLRunLoopAddSource(
        RLRunLoopGetCurrent(),
        RLSocketCreateRunLoopSource(kRLAllocatorDefault, socket, 0),
        .defaultMode
    )
    RLRunLoopRun()
}
