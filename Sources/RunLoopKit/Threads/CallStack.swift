import CoreRunLoop
import Glibc

/// The functions of `execinfo.h`, which Swift's Glibc module does not import.
enum CallStack {
    private typealias Backtrace =
        @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, CInt) -> CInt
    private typealias BacktraceSymbols =
        @convention(c) (UnsafePointer<UnsafeMutableRawPointer?>, CInt)
        -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?

    @inline(never)
    static func addresses(skipping count: Int) -> [UnsafeMutableRawPointer?] {
        guard let backtrace = loadedFunction("backtrace", as: Backtrace.self) else { return [] }
        var frames = [UnsafeMutableRawPointer?](repeating: nil, count: 256)
        let found = Int(backtrace(&frames, CInt(frames.count)))
        return Array(frames[min(count, found)..<found])
    }

    static func symbols(of frames: [UnsafeMutableRawPointer?]) -> [String] {
        guard let name = loadedFunction("backtrace_symbols", as: BacktraceSymbols.self),
            let lines = name(frames, CInt(frames.count))
        else { return [] }
        defer { free(lines) }
        return frames.indices.map { lines[$0].map { String(cString: $0) } ?? "" }
    }
}

/// Looks up a function by name; returns nil if the function is not loaded.
func loadedFunction<Function>(_ name: String, as type: Function.Type) -> Function? {
    // The caller guarantees the function's type.
    dlsym(nil, name).map { unsafeBitCast($0, to: type) }
}
