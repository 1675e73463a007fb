// A Swift object as the info of a source. The source retains the object as long as the source
// exists.

import CFCompatibility

private let mode = CFRunLoopMode("com.example.mailbox" as CFString)

private final class Mailbox {
    var letters: [String] = []

    func read() {
        for letter in letters { print("a letter: \(letter)") }
        letters.removeAll()
    }

    deinit {
        print("the mailbox is gone")
    }

    static func mailbox(_ info: UnsafeRawPointer?) -> Mailbox? {
        // The source retains the mailbox.
        info.map { Unmanaged<Mailbox>.fromOpaque($0).takeUnretainedValue() }
    }
}

private func makeSource(_ mailbox: Mailbox) -> CFRunLoopSource {
    var context = CFRunLoopSourceContext(
        version: 0,
        info: Unmanaged.passUnretained(mailbox).toOpaque(),
        retain: { info in
            // Balanced by `release`.
            info.map { UnsafeRawPointer(Unmanaged<Mailbox>.fromOpaque($0).retain().toOpaque()) }
        },
        release: { info in
            // Balances `retain`.
            if let info { Unmanaged<Mailbox>.fromOpaque(info).release() }
        },
        copyDescription: nil,
        equal: { $0 == $1 },
        hash: { info in CFHashCode(bitPattern: info) },
        schedule: { _, loop, _ in print("scheduled: \(loop != nil)") },
        cancel: { _, loop, _ in print("canceled: \(loop != nil)") },
        perform: { info in Mailbox.mailbox(info)?.read() }
    )
    return CFRunLoopSourceCreate(kCFAllocatorDefault, 0, &context)
}

private func deliver(to source: CFRunLoopSource, _ letters: String...) {
    var context = CFRunLoopSourceContext()
    CFRunLoopSourceGetContext(source, &context)
    Mailbox.mailbox(context.info)?.letters += letters
    CFRunLoopSourceSignal(source)
}

func sampleUnmanagedSource() {
    let source = makeSource(Mailbox())
    let twin = makeSource(Mailbox())
    // Swift may release an object after its last use. Keep both sources alive to the end.
    withExtendedLifetime((source, twin)) {
        print("equal to itself: \(CFEqual(source, source)), to another: \(CFEqual(source, twin))")

        CFRunLoopAddSource(CFRunLoopGetCurrent(), source, mode)
        deliver(to: source, "hello", "and good-bye")
        CFRunLoopRunInMode(mode, 60, true)
        CFRunLoopSourceInvalidate(source)
        print("valid: \(CFRunLoopSourceIsValid(source))")
    }
}
