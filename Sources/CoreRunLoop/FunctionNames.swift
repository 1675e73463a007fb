// Shortens the demangled names of Swift functions for descriptions and backtraces.

/// Removes the file discriminators of private functions; called by `swift_runtime.c`.
@_cdecl("rl_swift_leave_out_files")
func leaveOutFiles(_ name: UnsafeMutablePointer<CChar>) {
    shorten(name, by: withoutFiles)
}

/// Removes types and attributes; called by `swift_runtime.c`.
@_cdecl("rl_swift_leave_out_types")
func leaveOutTypes(_ name: UnsafeMutablePointer<CChar>) {
    shorten(name, by: withoutTypes)
}

/// Replaces a C string in place by its shortened form, which is never longer.
private func shorten(_ name: UnsafeMutablePointer<CChar>, by leaveOut: (String) -> String) {
    guard let whole = String(validatingCString: name) else { return }
    let short = leaveOut(whole)
    short.withCString { name.update(from: $0, count: short.utf8.count + 1) }
}

/// Shortens `app.(f in _8A…)` to `app.f`, and `app.A.(in _8A…).init` to `app.A.init`.
package func withoutFiles(_ name: String) -> String {
    var shown = ""
    var rest = name[...]
    while let end = rest.firstIndex(of: ")") {
        let part = rest[...end]
        rest = rest[part.endIndex...]
        guard let begin = part.lastIndex(of: "("),
            let function = privateFunction(part[begin...].dropFirst().dropLast())
        else {
            shown += part
            continue
        }
        shown += part[..<begin] + function
        if function.isEmpty, rest.first == "." { rest.removeFirst() }
    }
    return shown + rest
}

/// Shortens `f in _8A…` to `f`, and `in _8A…` to nothing; returns nil for any other text.
private func privateFunction(_ text: Substring) -> Substring? {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    guard let file = parts.last, !file.isEmpty,
        file.utf8.allSatisfy("0123456789ABCDEF".utf8.contains)
    else { return nil }
    let before = text.dropLast(file.count + 1)
    if before == "in " { return "" }
    return before.hasSuffix(" in ") ? before.dropLast(4) : nil
}

/// Shortens `closure #1 @Sendable (A.B) -> () in A.f(b: A.B) -> C` to `closure #1 in A.f`: the
/// types may have hundreds of characters.
private func withoutTypes(_ name: String) -> String {
    guard name.contains(" -> ") else { return name }
    var shown: [UInt8] = []
    var rest = name.utf8[...]
    var last: UInt8?
    var depth = 0
    var isResult = false
    while let next = rest.first {
        if depth == 0 {
            if rest.starts(with: " -> ".utf8) { isResult = true }
            if rest.starts(with: " in ".utf8) { isResult = false }
            if rest.starts(with: " @".utf8) {
                rest = rest.dropFirst().drop { $0 != UInt8(ascii: " ") }
                continue
            }
        }
        if "(<".utf8.contains(next) { depth += 1 }
        let isType = depth > 0 || isResult || rest.starts(with: " (".utf8)
        if !isType { shown.append(next) }
        // The `>` of an arrow closes no bracket.
        let closes =
            next == UInt8(ascii: ")") || next == UInt8(ascii: ">") && last != UInt8(ascii: "-")
        if closes, depth > 0 { depth -= 1 }
        last = next
        rest.removeFirst()
    }
    return String(decoding: shown, as: UTF8.self)
}
