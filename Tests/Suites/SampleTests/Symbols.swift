import ProcessKit

/// The symbols that an object file or a program defines or imports.
struct Symbols {
    let all: [Substring]

    init(of path: String) throws {
        let listing = try ChildProcess(path: "/usr/bin/env", ["nm", "--format=posix", path])
        all = listing.lines.compactMap { $0.split(separator: " ").first }
    }

    var ours: [Substring] { all.filter { $0.hasPrefix("RL") || $0.hasPrefix("kRL") } }

    /// CoreFoundation's symbols, including private ones.
    var theirs: [Substring] {
        all.filter { symbol in
            ["CF", "kCF", "_CF", "__CF", "__kCF"].contains { symbol.hasPrefix($0) }
        }
    }
}
