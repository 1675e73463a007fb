import ArgumentParser
import CLinux
import CoreRunLoop
import Glibc

/// The counterpart of a Mach port on Apple's systems: an eventfd, which becomes ready when it is
/// sent to and which the loop acknowledges by itself.
struct EventPort: Sendable {
    let descriptor: RLRunLoopPort

    init() throws {
        descriptor = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else {
            throw ValidationError("An eventfd cannot be made: \(String(cString: strerror(errno))).")
        }
    }

    /// Makes the port ready.
    func send() {
        eventfd_write(descriptor, 1)
    }

    func close() {
        _ = Glibc.close(descriptor)
    }
}
