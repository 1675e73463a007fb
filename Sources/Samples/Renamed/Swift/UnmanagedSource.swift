// An object of the client's in a context of C functions: the source retains it when it is made and
// releases it when it is destroyed.

import CoreRunLoop

private let mode = RLRunLoopMode(RLStringCreate("com.example.mailbox"))

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
        // The source holds a reference from `retain` on.
        info.map { Unmanaged<Mailbox>.fromOpaque($0).takeUnretainedValue() }
    }
}

private func makeSource(_ mailbox: Mailbox) -> RLRunLoopSourceRef {
    var context = RLRunLoopSourceContext(
        version: 0,
        info: Unmanaged.passUnretained(mailbox).toOpaque(),
        retain: { info in
            // Balanced by `release`.
            info.map { UnsafeRawPointer(Unmanaged<Mailbox>.fromOpaque($0).retain().toOpaque()) }
        },
        release: { info in
            // The reference that `retain` added.
            if let info { Unmanaged<Mailbox>.fromOpaque(info).release() }
        },
        copyDescription: nil,
        equal: { $0 == $1 },
        hash: { info in RLHashCode(bitPattern: info) },
        schedule: { _, loop, _ in print("scheduled: \(loop != nil)") },
        cancel: { _, loop, _ in print("canceled: \(loop != nil)") },
        perform: { info in Mailbox.mailbox(info)?.read() }
    )
    return RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context)
}

private func deliver(to source: RLRunLoopSourceRef, _ letters: String...) {
    var context = RLRunLoopSourceContext()
    RLRunLoopSourceGetContext(source, &context)
    Mailbox.mailbox(context.info)?.letters += letters
    RLRunLoopSourceSignal(source)
}

func sampleUnmanagedSource() {
    let source = makeSource(Mailbox())
    let twin = makeSource(Mailbox())
    // Swift may give an object up after its last use; these are to live to the end.
    withExtendedLifetime((source, twin)) {
        print("equal to itself: \(RLEqual(source, source)), to another: \(RLEqual(source, twin))")

        RLRunLoopAddSource(RLRunLoopGetCurrent(), source, mode)
        deliver(to: source, "hello", "and good-bye")
        RLRunLoopRunInMode(mode, 60, true)
        RLRunLoopSourceInvalidate(source)
        print("valid: \(RLRunLoopSourceIsValid(source))")
    }
}
