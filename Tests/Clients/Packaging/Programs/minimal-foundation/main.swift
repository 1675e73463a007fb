// The least program with Foundation's loop: one timer, then the end. Prints its resident size in
// pages, as the kernel's own figure of a child's size is never less than its parent's, and when the
// timer fired.

import Foundation

// A timer does not end a run.
let timer = Timer(timeInterval: 0, repeats: false) { _ in
    var fired = timespec()
    clock_gettime(CLOCK_MONOTONIC, &fired)
    guard let status = fopen("/proc/self/statm", "r") else { exit(1) }
    var line = [UInt8](repeating: 0, count: 128)
    let count = fread(&line, 1, line.count, status)
    let words = line.prefix(count).split(separator: UInt8(ascii: " "))
    guard words.count > 1 else { exit(1) }
    print(String(decoding: words[1], as: UTF8.self), fired.tv_sec * 1_000_000_000 + fired.tv_nsec)
    exit(0)
}
RunLoop.main.add(timer, forMode: .default)
RunLoop.main.run()
