// A log follower: prints the lines of a file, and those that are added, as `tail -n +1 -F` does.
//
//     log-follower FILE
//
// The file may be truncated, rotated, or not there yet. It ends at SIGTERM and Control-C.

import Glibc
import RunLoopKit

/// The open file, and its last line, whose end is not written yet.
@MainActor final class Follower {
    private let path: String
    private var file: CInt = -1
    private var offset = 0
    private var rest: [UInt8] = []

    /// A longer line is printed in pieces.
    private static let longestLine = 65536

    init(_ path: String) {
        self.path = path
    }

    /// Prints what is new; an event too many does no harm.
    func catchUp() {
        readToEnd()
        while let successor = openSuccessor() {
            if file >= 0 {
                // Written between the last read and the rotation.
                readToEnd()
                close(file)
            }
            begin(successor)
            readToEnd()
        }
        fflush(nil)
    }

    private func begin(_ successor: CInt) {
        printRest()
        file = successor
        offset = 0
    }

    /// The file at the path, unless it is the open one.
    private func openSuccessor() -> CInt? {
        let successor = open(path, O_RDONLY | O_CLOEXEC)
        if successor < 0 { return nil }
        var opened = stat()
        var found = stat()
        if fstat(successor, &found) == 0, fstat(file, &opened) == 0,
            found.st_dev == opened.st_dev, found.st_ino == opened.st_ino
        {
            close(successor)
            return nil
        }
        return successor
    }

    private func readToEnd() {
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0 else { return }
        if status.st_size < offset {
            printRest()
            offset = 0
        }
        var buffer = [UInt8](repeating: 0, count: Self.longestLine)
        while case let count = pread(file, &buffer, buffer.count, off_t(offset)), count > 0 {
            offset += count
            rest += buffer.prefix(count)
            printLines()
        }
    }

    private func printLines() {
        let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines.dropLast() { print(String(decoding: line, as: UTF8.self)) }
        rest = Array(lines.last ?? [])
        if rest.count >= Self.longestLine { printRest() }
    }

    private func printRest() {
        if !rest.isEmpty { print(String(decoding: rest, as: UTF8.self)) }
        rest = []
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 2 else {
    print("usage: \(arguments[0]) FILE")
    exit(EXIT_FAILURE)
}
let follower = Follower(arguments[1])
do {
    // Before the file is read, so that nothing is missed in between.
    let watch = try RLFileWatch(path: arguments[1])
    watch.observe(in: .current) { events in
        follower.catchUp()
        // Its directory is gone: nothing more can come.
        if events.contains(.ended) { RLRunLoop.main.stop(withCode: EXIT_FAILURE) }
    }
} catch {
    print("\(arguments[0]): \(error)")
    exit(EXIT_FAILURE)
}
RLRunLoop.main.observe(signals: [SIGINT, SIGTERM]) { _, _ in RLRunLoop.main.stop() }
follower.catchUp()
exit(RLRunLoop.main.runUntilStopped())
