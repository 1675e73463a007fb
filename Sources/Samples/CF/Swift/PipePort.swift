// A version 1 source in Swift. On Apple's systems, its port is a Mach port; on Linux, the port is a
// descriptor, here the reading end of a pipe. The source's callback reads the pipe, because the
// loop does not.

import CFCompatibility
import Glibc

private let mode = CFRunLoopMode("com.example.pipe" as CFString)

private final class Reader {
    let end: CInt
    var source: CFRunLoopSource?

    init(end: CInt) {
        self.end = end
    }

    func readOne() {
        var byte: UInt8 = 0
        guard read(end, &byte, 1) == 1 else {
            print("the other end was closed")
            CFRunLoopSourceInvalidate(source)
            return
        }
        print("received \(byte)")
    }

    static func reader(_ info: UnsafeMutableRawPointer?) -> Reader? {
        // The sample retains the reader as long as the loop runs.
        info.map { Unmanaged<Reader>.fromOpaque($0).takeUnretainedValue() }
    }
}

private func makeSource(_ reader: Reader) -> CFRunLoopSource {
    var context = CFRunLoopSourceContext1()
    context.version = 1
    context.info = Unmanaged.passUnretained(reader).toOpaque()
    context.getPort = { info in Reader.reader(info)?.end ?? -1 }
    context.perform = { info in Reader.reader(info)?.readOne() }
    return withUnsafeMutablePointer(to: &context) { context in
        context.withMemoryRebound(to: CFRunLoopSourceContext.self, capacity: 1) { context in
            CFRunLoopSourceCreate(kCFAllocatorDefault, 0, context)
        }
    }
}

func samplePipePort() {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return perror("pipe") }
    let reader = Reader(end: ends[0])
    let source = makeSource(reader)
    reader.source = source
    CFRunLoopAddSource(CFRunLoopGetCurrent(), source, mode)

    let writer = WorkerThread {
        for byte: UInt8 in 1...3 {
            _ = withUnsafeBytes(of: byte) { write(ends[1], $0.baseAddress, 1) }
        }
        close(ends[1])
    }
    writer.start()
    let result = CFRunLoopRunInMode(mode, 60, false)
    writer.join()
    close(ends[0])
    print("finished: \(result == .finished)")
}
