import Foundation
import Glibc

/// One run of a program, from start to end.
struct Life {
    let milliseconds: Double
    let residentKilobytes: Int

    init(_ path: String) throws {
        var identifier = pid_t()
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
        defer { free(arguments[0]) }
        let began = DispatchTime.now().uptimeNanoseconds
        guard posix_spawn(&identifier, path, nil, nil, &arguments, environ) == 0 else {
            throw CocoaError(.executableNotLoadable)
        }
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(identifier, &status, 0, &usage) == identifier, status == 0 else {
            throw CocoaError(.executableRuntimeMismatch)
        }
        milliseconds = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e6
        residentKilobytes = usage.ru_maxrss
    }
}
