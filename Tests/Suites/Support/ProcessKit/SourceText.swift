import Glibc

/// A source file of this package, in which tests find lines by their text.
public struct SourceText: Sendable {
    /// The absolute path, as given to the compiler.
    public let path: String
    private let lines: [Substring]

    /// Reads a file.
    ///
    /// - Parameter path: The path relative to the package's directory.
    public init(_ path: String) {
        let root = #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        self.path = "/\(root)/\(path)"
        var text: [UInt8] = []
        if let file = fopen(self.path, "re") {
            var byte = fgetc(file)
            while byte != EOF {
                text.append(UInt8(byte))
                byte = fgetc(file)
            }
            fclose(file)
        }
        lines = String(decoding: text, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Finds the first line that contains a text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - beginning: The search begins at the first line that contains this text.
    /// - Returns: The number of the line, or 0.
    public func line(of text: String, after beginning: String = "") -> Int {
        let start = lines.firstIndex { beginning.isEmpty || $0.contains(beginning) }
        let found = start.flatMap { lines[$0...].firstIndex { $0.contains(text) } }
        return found.map { $0 + 1 } ?? 0
    }

    /// The path and the line, as in `/home/me/app/main.swift:42`.
    public func place(of text: String, after beginning: String = "") -> String {
        "\(path):\(line(of: text, after: beginning))"
    }
}
