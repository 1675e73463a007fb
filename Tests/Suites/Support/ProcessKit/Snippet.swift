import Glibc

/// A small program to be checked by the compiler against the built modules.
public struct Snippet: Sendable, CustomStringConvertible {
    /// A failure of the compiler that is not due to the program.
    public struct Failure: Error {
        let output: String
    }

    /// The subject of the program.
    public let description: String
    /// The expected error.
    public let diagnosis: String
    private let module: String
    private let lines: String
    private let mode: String

    /// Makes a program that imports a module, in a language mode of Swift.
    public init(
        _ description: String,
        _ lines: String,
        _ diagnosis: String,
        importing module: String = "RunLoopKit",
        mode: String = "6"
    ) {
        self.description = description
        self.diagnosis = diagnosis
        self.module = module
        self.lines = lines
        self.mode = mode
    }

    /// The lines of the compiler that contain `error:`.
    public func errors() throws -> [String] {
        let products = try ChildProcess.pathOfProduct("")
        let root = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
        let folder = products + "snippets"
        mkdir(folder, 0o777)
        let path = "\(folder)/\(UInt64.random(in: .min ... .max)).swift"
        try write(to: path)
        defer { unlink(path) }
        let checked = try ChildProcess(
            path: "/usr/bin/env",
            [
                // Region isolation is checked after the types.
                "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", mode,
                "-I", products + "Modules",
                "-Xcc", "-I\(root)/CSupport/CRunLoop/include",
                "-Xcc", "-fmodule-map-file=\(products)CRunLoopConcurrency.build/module.modulemap",
                "-module-cache-path", folder + "/cache", path,
            ]
        )
        let errors = checked.lines.filter { $0.hasPrefix(path) && $0.contains("error:") }.map(
            String.init
        )
        if checked.exitCode != 0 && errors.isEmpty { throw Failure(output: checked.output) }
        return errors
    }

    /// Wraps the code in a function, as in a library: top-level code would belong to the main
    /// actor.
    private func write(to path: String) throws {
        guard let file = fopen(path, "w") else { throw Failure(output: "no file \(path)") }
        fputs(
            "import FoundationEssentials\nimport \(module)\n\nfunc program() {\n\(lines)\n}\n",
            file
        )
        fclose(file)
    }
}
