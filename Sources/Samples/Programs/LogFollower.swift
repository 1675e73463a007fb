// A log follower: prints a file and the bytes that are appended, like `tail -n +1 -F`.
//
//     log-follower FILE
//
// The file may be truncated, rotated or missing, and the path may contain symbolic links. The
// program ends on SIGTERM or Control-C.

import Glibc
import RunLoopKit

@MainActor final class Follower {
    private let path: String
    private var file: CInt = -1
    private var offset = 0

    init(_ path: String) {
        self.path = path
    }

    /// Prints new bytes, and follows rotations of the file.
    func catchUp() {
        readToEnd()
        while let successor = openSuccessor() {
            if file >= 0 {
                // Print the bytes that were written between the last read and the rotation.
                readToEnd()
                close(file)
            }
            file = successor
            offset = 0
            readToEnd()
        }
    }

    /// Opens the file at the path; returns nil if there is none, or if it is open already.
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
        if status.st_size < offset { offset = 0 }
        withUnsafeTemporaryAllocation(byteCount: 65536, alignment: 1) { buffer in
            while case let count = pread(file, buffer.baseAddress, buffer.count, off_t(offset)),
                count > 0
            {
                let written = write(STDOUT_FILENO, buffer.baseAddress, count)
                if written < 0 { return }
                offset += written
            }
        }
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 2 else {
    print("usage: \(arguments[0]) FILE")
    exit(EXIT_FAILURE)
}
let follower = Follower(arguments[1])
do {
    // Start watching before the file is read, so no change is missed.
    let watch = try RLFileWatch(path: arguments[1])
    watch.observe(in: .current) { events in
        follower.catchUp()
        // The directory was removed, so no more events will occur.
        if events.contains(.ended) { RLRunLoop.main.stop(withCode: EXIT_FAILURE) }
    }
} catch {
    print("\(arguments[0]): \(error)")
    exit(EXIT_FAILURE)
}
RLRunLoop.main.observe(signals: [SIGINT, SIGTERM]) { _, _ in RLRunLoop.main.stop() }
follower.catchUp()
exit(RLRunLoop.main.runUntilStopped())
