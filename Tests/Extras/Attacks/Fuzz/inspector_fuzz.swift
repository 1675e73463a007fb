// Fuzzes both sides of the inspector's protocol: the requests of viewers, and the replies of
// processes. The first byte selects the side.

import Foundation

/// The entry point of libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzInspector(_ input: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: input, count: size)
    guard let first = bytes.first else { return 0 }
    if first & 1 == 0 { ask(bytes.dropFirst()) } else { show(bytes.dropFirst()) }
    return 0
}

private func ask(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    do throws(InspectorRefusal) {
        let request = try InspectorRequest(version: InspectorRequest.version, bytes: bytes)
        let viewer = try request.viewer()
        let threshold = try request.number("threshold", in: 5...60_000, default: 250)
        precondition(bytes.count <= InspectorRequest.mostBytes)
        precondition(1...64 ~= viewer.utf8.count && 5...60_000 ~= threshold)
    } catch {
        precondition(!error.reason.isEmpty)
    }
}

/// Compares two readings, separated by a newline, as `runloop top --json` does.
private func show(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
    let readings = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1).compactMap {
        try? JSONDecoder().decode(Readings.self, from: Data($0))
    }
    guard let first = readings.first, let last = readings.last else { return }
    let rates = try? JSONEncoder().encode(Rates(from: first, to: last))
    precondition(rates != nil)
}
