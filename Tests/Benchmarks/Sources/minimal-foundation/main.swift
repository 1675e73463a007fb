// The least program with Foundation's loop: one timer, then the end. Prints its resident size in
// pages: the kernel's own figure of a child's size is never less than its parent's.

import Foundation

// A timer does not end a run.
let timer = Timer(timeInterval: 0, repeats: false) { _ in
    guard let status = fopen("/proc/self/statm", "r") else { exit(1) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), status) != nil else { exit(1) }
    let words = line.split(separator: CChar(UInt8(ascii: " ")))
    puts(words.count > 1 ? Array(words[1]) + [0] : [0])
    exit(0)
}
RunLoop.main.add(timer, forMode: .default)
RunLoop.main.run()
