import Foundation

/// One run of a program that makes one pass and prints its resident size in pages.
struct Life {
    /// From the start of a shell that starts the program to the end of both.
    let milliseconds: Double
    let residentKilobytes: Int

    init(_ path: String) throws {
        let began = DispatchTime.now().uptimeNanoseconds
        guard let output = popen("exec '\(path)'", "r") else {
            throw CocoaError(.executableNotLoadable)
        }
        var line = [CChar](repeating: 0, count: 64)
        let hasLine = fgets(&line, Int32(line.count), output) != nil
        guard pclose(output) == 0, hasLine else { throw CocoaError(.executableRuntimeMismatch) }
        milliseconds = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e6
        residentKilobytes = atol(line) * sysconf(Int32(_SC_PAGESIZE)) / 1024
    }
}
