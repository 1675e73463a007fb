// What the samples' servers and clients have in common: two streams of one connection.

import RunLoopKit

/// The streams of an accepted connection, which close its socket when both are closed.
func streams(ofAccepted handle: CInt) -> (input: RLInputStream, output: RLOutputStream)? {
    guard let pair = RLStreamCreatePair(withSocket: handle) else { return nil }
    let input = RLInputStream(pair.reader)
    input.setProperty(true, forKey: .shouldCloseNativeSocketKey)
    return (input, RLOutputStream(pair.writer))
}

/// Opens both streams of a connection, whose events come in the calling thread's loop.
func openStreams(_ streams: [RLStream], for delegate: any RLStreamDelegate) {
    for stream in streams {
        stream.delegate = delegate
        stream.schedule(in: .current, forMode: .default)
        stream.open()
    }
}
