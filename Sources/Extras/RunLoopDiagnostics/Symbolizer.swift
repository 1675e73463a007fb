import CRunLoopDiagnostics
import Glibc
import RunLoopKit

package struct SourcePlace: Hashable, Sendable {
    /// The function's name; nil if it is unknown.
    package let function: String?
    /// The path of the source file, as given to the compiler; nil if it is unknown.
    package let file: String?
    /// The line; nil if it is unknown.
    package let line: Int?
    /// Whether the compiler has inlined the function into the function of the next place.
    package let isInlined: Bool

    /// The file and the line, as in `/home/me/app/Document.swift:42`; nil if they are unknown.
    package var text: String? {
        guard let file, let line else { return nil }
        return "\(file):\(line)"
    }

    /// The file and the line, as in `Document.swift:42`; nil if they are unknown.
    package var shortText: String? { text?.split(separator: "/").last.map(String.init) }

    package var shortName: String? { function.map { printable(TraceNames.shortened($0)) } }
}

/// Runs a symbolizer, which is not started again after it has failed or timed out.
package final class Symbolizer: Sendable {
    private struct Mapping {
        let range: Range<UInt>
        let offset: UInt
        /// The device, the inode and the path, which identify the file.
        let file: String
        let path: String
    }

    /// An address relative to its file, independent of where the file is loaded.
    private struct FileAddress: Hashable {
        let file: String
        let address: UInt
    }

    private struct State {
        var mappings: [Mapping] = []
        var files: [String: (path: String, isFixed: Bool)] = [:]
        var known: [FileAddress: [SourcePlace]] = [:]
        var hasFailed = false
    }

    /// The message if no symbolizer is installed.
    package static let advice =
        "no files and lines: install llvm-symbolizer (Debian: llvm) or addr2line (binutils)"

    /// The symbolizer of the toolchain or the system; nil if none is installed.
    package static let installed = find(in: RLProgramGetSearchPath().map { String(cString: $0) })

    private static let addressesPerStart = 1000
    private static let mostBytes = 4 << 20

    private let process: Int32
    private let program: String?
    private let patience: Duration
    private let state = Locked(State())

    package init(
        ofProcess process: Int32,
        program: String? = Symbolizer.installed,
        patience: Duration = .seconds(60)
    ) {
        self.process = process
        self.program = program
        self.patience = patience
    }

    /// The reason why no files and lines are found; nil if there is no known problem.
    package var problem: String? {
        guard let program else { return Self.advice }
        return state.withLock { $0.hasFailed }
            ? "no files and lines: \(program) failed: run it by hand to see the error" : nil
    }

    /// The functions at each known address, innermost first; the last function is not inlined.
    package func places(at addresses: some Sequence<UInt>) -> [UInt: [SourcePlace]] {
        guard let program else { return [:] }
        // Cancellation of this thread would leave the lock held.
        var before: CInt = 0
        pthread_setcancelstate(CInt(PTHREAD_CANCEL_DISABLE), &before)
        defer { pthread_setcancelstate(before, nil) }
        return state.withLock { state in
            // After the process has ended, the last mappings are used.
            let mappings = Self.mappings(of: process)
            if !mappings.isEmpty { state.mappings = mappings }
            var wanted: [UInt: FileAddress] = [:]
            for address in Set(addresses) { wanted[address] = find(address, &state) }
            lookUp(Set(wanted.values), program, &state)
            return wanted.compactMapValues { key in
                state.known[key].flatMap { $0.isEmpty ? nil : $0 }
            }
        }
    }

    /// Converts an address in memory to an address in its file; nil if the file is not readable.
    private func find(_ address: UInt, _ state: inout State) -> FileAddress? {
        guard let index = state.mappings.firstIndex(where: { $0.range.contains(address) }) else {
            return nil
        }
        let mapping = state.mappings[index]
        state.files[mapping.file] = state.files[mapping.file] ?? open(mapping)
        guard let file = state.files[mapping.file],
            let offset = file.isFixed ? address : Self.offset(address, index, state.mappings)
        else { return nil }
        return FileAddress(file: mapping.file, address: offset)
    }

    private func lookUp(_ wanted: Set<FileAddress>, _ program: String, _ state: inout State) {
        let end = nanoseconds() + patience.nanoseconds
        let unknown = wanted.filter { state.known[$0] == nil }
        for (name, all) in Dictionary(grouping: unknown, by: \.file) {
            guard let file = state.files[name] else { continue }
            for start in stride(from: 0, to: all.count, by: Self.addressesPerStart) {
                if state.hasFailed { return }
                let some = all[start...].prefix(Self.addressesPerStart)
                let found = Self.run(program, file.path, some.map(\.address), until: end)
                for key in some { state.known[key] = found?[key.address] }
                state.hasFailed = found == nil
            }
        }
    }

    // MARK: The program

    // Prefers the newest `llvm-symbolizer`. In a set-user-ID program the path is nil.
    static func find(in path: String?) -> String? {
        guard let path else { return nil }
        let names =
            ["llvm-symbolizer"] + (13...30).reversed().map { "llvm-symbolizer-\($0)" }
            + ["addr2line"]
        let folders = path.split(separator: ":").filter { $0.hasPrefix("/") }
        for name in names {
            for folder in folders where access("\(folder)/\(name)", X_OK) == 0 {
                return "\(folder)/\(name)"
            }
        }
        return nil
    }

    private static func run(
        _ program: String,
        _ file: String,
        _ addresses: [UInt],
        until end: Int64
    ) -> [UInt: [SourcePlace]]? {
        // With these options, `llvm-symbolizer` behaves like `addr2line`.
        let isLLVM = program.split(separator: "/").last?.hasPrefix("llvm-") ?? false
        let options = isLLVM ? ["--output-style=GNU", "--no-demangle"] : []
        let words =
            [program] + options + ["-a", "-f", "-i", "-e", file]
            + addresses.map { "0x" + String($0, radix: 16) }
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        var length = 0
        let text = RLProgramCopyOutput(
            program,
            copies.map { UnsafePointer($0) } + [nil],
            mostBytes,
            Double(end - nanoseconds()) / 1e9,
            &length
        )
        defer { free(text) }
        guard let text else { return nil }
        let output = UnsafeRawBufferPointer(start: text, count: length)
        let found = places(in: String(decoding: output, as: UTF8.self))
        return addresses.allSatisfy { found?[$0] != nil } ? found : nil
    }

    /// Parses the output: after an address, each function has a line with its name and a line with
    /// its file and line number.
    static func places(in output: String) -> [UInt: [SourcePlace]]? {
        let lines = output.split(separator: "\n")
        var result: [UInt: [SourcePlace]] = [:]
        var next = 0
        while next < lines.count {
            guard lines[next].hasPrefix("0x"),
                let address = UInt(lines[next].dropFirst(2), radix: 16)
            else { return nil }
            next += 1
            var found: [(name: Substring, place: Substring)] = []
            while next + 1 < lines.count, !lines[next].hasPrefix("0x") {
                found.append((lines[next], lines[next + 1]))
                next += 2
            }
            if next + 1 == lines.count, !lines[next].hasPrefix("0x") { return nil }
            let places = found.indices.map { index in
                place(found[index].name, found[index].place, isInlined: index + 1 < found.count)
            }
            let isKnown = places.last.map { $0.function != nil || $0.line != nil } ?? false
            result[address] = isKnown ? places : []
        }
        return result.isEmpty ? nil : result
    }

    private static func place(
        _ name: Substring,
        _ text: Substring,
        isInlined: Bool
    ) -> SourcePlace {
        // The forms are `/home/me/main.c:42 (discriminator 3)`, `main.c:?` and `??:0`.
        let colon = text.lastIndex(of: ":") ?? text.endIndex
        let line = Int(text[colon...].dropFirst().prefix { $0.isNumber }) ?? 0
        let readable = name == "??" ? nil : RLSymbolCopyReadableName(String(name))
        defer { free(readable) }
        return SourcePlace(
            function: readable.map { String(cString: $0) },
            file: line > 0 ? String(text[..<colon]) : nil,
            line: line > 0 ? line : nil,
            isInlined: isInlined
        )
    }

    // MARK: Loaded files

    private static func mappings(of process: Int32) -> [Mapping] {
        contents(of: "/proc/\(process)/maps").split(separator: "\n").compactMap { line in
            // The path is the sixth word, and may contain spaces.
            let words = line.split(separator: " ", maxSplits: 5)
            guard words.count == 6, let path = words[5].firstIndex(of: "/") else { return nil }
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard ends.count == 2, ends[0] < ends[1], let offset = UInt(words[2], radix: 16) else {
                return nil
            }
            return Mapping(
                range: ends[0]..<ends[1],
                offset: offset,
                file: "\(words[3]) \(words[4]) \(words[5][path...])",
                path: String(words[5][path...])
            )
        }
    }

    /// Finds the file in the root directory of the process, which may be in a container.
    ///
    /// If the file was deleted or replaced, finds the file in `map_files`, which requires
    /// privileges.
    ///
    /// - Returns: The path, and whether addresses in the file equal addresses in memory; nil if the
    ///   file is not readable.
    private func open(_ mapping: Mapping) -> (path: String, isFixed: Bool)? {
        let folder = "/proc/\(process)"
        let range =
            String(mapping.range.lowerBound, radix: 16) + "-"
            + String(mapping.range.upperBound, radix: 16)
        let path =
            mapping.path.hasSuffix(" (deleted)")
            ? "\(folder)/map_files/\(range)" : "\(folder)/root\(mapping.path)"
        var status = stat()
        // Opening a device may have side effects.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let file = fopen(path, "re")
        else { return nil }
        defer { fclose(file) }
        // The beginning of the ELF header, up to the type in its last two bytes.
        var head = [UInt8](repeating: 0, count: 18)
        guard fread(&head, 1, head.count, file) == head.count,
            head.starts(with: [0x7F, 0x45, 0x4C])
        else { return nil }
        let type = head[16...].withUnsafeBytes { $0.loadUnaligned(as: UInt16.self) }
        return (path, type == ET_EXEC)
    }

    /// Returns the offset of an address from the beginning of its file, which the loader maps
    /// first.
    private static func offset(_ address: UInt, _ index: Int, _ mappings: [Mapping]) -> UInt? {
        let begin = mappings[...index].last {
            $0.file == mappings[index].file && $0.offset == 0
        }
        return begin.map { address - $0.range.lowerBound }
    }
}

private func contents(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var text: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = fread(&part, 1, part.count, file)
        if count == 0 { return String(decoding: text, as: UTF8.self) }
        text += part[..<count]
    }
}
