// How the tool writes: whole lines, at once, so that a reader of a pipe sees them as they happen.

import ArgumentParser
import Glibc

func write(_ line: String) {
    print(line)
    fflush(nil)
}

func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

/// The value of an optional that is empty only if the system lacks something.
func unwrap<Value>(_ value: Value?, _ reason: String) throws -> Value {
    guard let value else { throw ValidationError(reason) }
    return value
}
