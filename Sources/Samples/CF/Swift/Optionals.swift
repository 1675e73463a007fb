// Functions accept optional arguments, so results need no unwrapping: a loop, a port that receives
// a one-way message, and a stream that closes its socket.

import CFCompatibility
import Glibc

private let text = "com.example.one-way-\(getpid())"

private func makeServer() -> CFMessagePort? {
    let name = CFStringCreateWithCString(nil, text, CFStringBuiltInEncodings.UTF8.rawValue)
    let answer: CFMessagePortCallBack = { _, number, _, _ in
        print("message \(number)")
        CFRunLoopStop(CFRunLoopGetCurrent())
        return nil
    }
    return CFMessagePortCreateLocal(nil, name, answer, nil, nil)
}

private func sendOneWay(_ number: Int32) {
    let name = CFStringCreateWithCString(nil, text, CFStringBuiltInEncodings.UTF8.rawValue)
    let remote = CFMessagePortCreateRemote(nil, name)
    let data = CFDataCreate(nil, [1, 2, 3], 3)
    let status = CFMessagePortSendRequest(remote, number, data, 10, 0, nil, nil)
    print("sent: \(status == 0)")
}

private func readFromSocket() {
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
        return perror("pair")
    }
    var stream: CFReadStream?
    CFStreamCreatePairWithSocket(nil, ends[0], &stream, nil)
    CFReadStreamSetProperty(stream, kCFStreamPropertyShouldCloseNativeSocket, kCFBooleanTrue)
    print("opened: \(CFReadStreamOpen(stream))")
    _ = write(ends[1], "abc", 3)
    var bytes: [UInt8] = [0, 0, 0, 0]
    print("read: \(CFReadStreamRead(stream, &bytes, 4))")
    CFReadStreamClose(stream)
    var byte: UInt8 = 0
    print("closed at the other end, too: \(read(ends[1], &byte, 1) == 0)")
    close(ends[1])
}

func sampleOptionals() {
    let loop = CFRunLoopGetCurrent()
    print("the main loop: \(CFEqual(loop, CFRunLoopGetMain()))")
    print("a loop: \(CFGetTypeID(loop) == CFRunLoopGetTypeID())")
    let server = makeServer()
    let source = CFMessagePortCreateRunLoopSource(nil, server, 0)
    CFRunLoopAddSource(loop, source, .defaultMode)
    sendOneWay(7)
    print("stopped: \(CFRunLoopRunInMode(.defaultMode, 60, false) == .stopped)")
    CFMessagePortInvalidate(server)
    readFromSocket()
}
