// What functions return goes into the next one as it is, be it an optional or not: an address, a
// loop, a one-way message that waits for no reply, and a stream whose socket is closed with it.

import CoreRunLoop
import Glibc

private let text = "com.example.one-way-\(getpid())"

private func makeServer() -> RLMessagePortRef? {
    let name = RLStringCreateWithCString(nil, text, RLStringBuiltInEncodings.UTF8.rawValue)
    let answer: RLMessagePortCallBack = { _, number, _, _ in
        print("message \(number)")
        RLRunLoopStop(RLRunLoopGetCurrent())
        return nil
    }
    return RLMessagePortCreateLocal(nil, name, answer, nil, nil)
}

private func sendOneWay(_ number: Int32) {
    let name = RLStringCreateWithCString(nil, text, RLStringBuiltInEncodings.UTF8.rawValue)
    let remote = RLMessagePortCreateRemote(nil, name)
    let data = RLDataCreate(nil, [1, 2, 3], 3)
    let status = RLMessagePortSendRequest(remote, number, data, 10, 0, nil, nil)
    print("sent: \(status == 0)")
}

private func readFromSocket() {
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
        return perror("pair")
    }
    var stream: RLReadStreamRef?
    RLStreamCreatePairWithSocket(nil, ends[0], &stream, nil)
    RLReadStreamSetProperty(stream, kRLStreamPropertyShouldCloseNativeSocket, kRLBooleanTrue)
    print("opened: \(RLReadStreamOpen(stream))")
    _ = write(ends[1], "abc", 3)
    var bytes: [UInt8] = [0, 0, 0, 0]
    print("read: \(RLReadStreamRead(stream, &bytes, 4))")
    RLReadStreamClose(stream)
    var byte: UInt8 = 0
    print("closed at the other end, too: \(read(ends[1], &byte, 1) == 0)")
    close(ends[1])
}

func sampleOptionals() {
    let loop = RLRunLoopGetCurrent()
    print("the main loop: \(RLEqual(loop, RLRunLoopGetMain()))")
    print("a loop: \(RLGetTypeID(loop) == RLRunLoopGetTypeID())")
    let server = makeServer()
    let source = RLMessagePortCreateRunLoopSource(nil, server, 0)
    RLRunLoopAddSource(loop, source, .defaultMode)
    sendOneWay(7)
    print("stopped: \(RLRunLoopRunInMode(.defaultMode, 60, false) == .stopped)")
    RLMessagePortInvalidate(server)
    readFromSocket()
}
