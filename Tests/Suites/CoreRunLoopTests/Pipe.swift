import Glibc

/// A pipe that carries one character at a time.
struct Pipe: Sendable {
    struct Failure: Error {
        let number: CInt
    }

    let readEnd: CInt
    let writeEnd: CInt

    init() throws {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Failure(number: errno) }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    func write() {
        _ = Glibc.write(writeEnd, "x", 1)
    }

    @discardableResult
    func read() -> String {
        var byte: UInt8 = 0
        return Glibc.read(readEnd, &byte, 1) == 1 ? String(UnicodeScalar(byte)) : ""
    }

    /// Whether the read end gets closed, for which this waits.
    ///
    /// Programs that other tests start inherit it until they are executed. And another descriptor
    /// may reuse its number at once.
    var losesReader: Bool {
        var end = pollfd(fd: writeEnd, events: 0, revents: 0)
        return poll(&end, 1, 100_000) == 1 && CInt(end.revents) & POLLERR != 0
    }

    func close() {
        _ = Glibc.close(readEnd)
        _ = Glibc.close(writeEnd)
    }
}
