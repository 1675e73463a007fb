// An echo server with a timer on Foundation and Dispatch, which ends at SIGTERM.

import Foundation

func serve(_ handle: CInt) {
    let source = DispatchSource.makeReadSource(fileDescriptor: handle, queue: .main)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    source.setEventHandler {
        let count = recv(handle, &bytes, bytes.count, 0)
        if count > 0, send(handle, bytes, count, Int32(MSG_NOSIGNAL)) == count { return }
        source.cancel()
    }
    source.setCancelHandler { close(handle) }
    source.activate()
}

let listening = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
var address = sockaddr_in()
address.sin_family = sa_family_t(AF_INET)
address.sin_port = (in_port_t(CommandLine.arguments[1]) ?? 0).bigEndian
address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
let size = socklen_t(MemoryLayout.size(ofValue: address))
let isBound = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listening, $0, size) == 0 }
}
guard isBound, listen(listening, 128) == 0 else { exit(1) }

let guests = DispatchSource.makeReadSource(fileDescriptor: listening, queue: .main)
guests.setEventHandler { serve(accept(listening, nil, nil)) }
guests.activate()
signal(SIGTERM, SIG_IGN)
let ends = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
ends.setEventHandler { exit(0) }
ends.activate()
_ = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in print("still here") }
RunLoop.main.run()
