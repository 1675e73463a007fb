@_spi(Boxes) import CoreRunLoop
import Glibc

/// A source in the main run loop of the Foundation that is in the process, in its common modes.
///
/// Nothing is linked: CoreFoundation's functions are found by their names.
struct FoundationLoop: @unchecked Sendable {
    // Proof: no property changes, and CoreFoundation's functions may be called on any thread.
    private typealias GetMain = @convention(c) () -> UnsafeRawPointer
    private typealias Create =
        @convention(c) (UnsafeRawPointer?, Int, UnsafePointer<RLRunLoopSourceContext>)
        -> UnsafeRawPointer
    private typealias Add =
        @convention(c) (UnsafeRawPointer, UnsafeRawPointer, UnsafeRawPointer) -> Void
    private typealias Call = @convention(c) (UnsafeRawPointer) -> Void

    private let loop: UnsafeRawPointer
    private let source: UnsafeRawPointer
    private let signalSource: Call
    private let wakeUp: Call
    private let invalidateSource: Call
    private let release: Call

    /// Makes the source, and adds it; nil if Foundation is not there.
    ///
    /// - Parameter perform: Called on the main thread when the source was signalled.
    init?(perform: @escaping () -> Void) {
        guard let getMain = loadedFunction("CFRunLoopGetMain", as: GetMain.self),
            let create = loadedFunction("CFRunLoopSourceCreate", as: Create.self),
            let add = loadedFunction("CFRunLoopAddSource", as: Add.self),
            let signal = loadedFunction("CFRunLoopSourceSignal", as: Call.self),
            let wakeUp = loadedFunction("CFRunLoopWakeUp", as: Call.self),
            let invalidate = loadedFunction("CFRunLoopSourceInvalidate", as: Call.self),
            let release = loadedFunction("CFRelease", as: Call.self),
            let common = dlsym(nil, "kCFRunLoopCommonModes")?
                .load(as: UnsafeRawPointer?.self)
        else { return nil }
        // Laid out as CFRunLoopSourceContext.
        var context = RLRunLoopSourceContext()
        let performer = Performer(perform)
        context.info = performer.info
        context.retain = ContextBox.retain
        context.release = ContextBox.release
        context.perform = { info in
            guard let info else { return }
            // The source holds the performer, which may end the source.
            Unmanaged<Performer>.fromOpaque(info).takeUnretainedValue().perform()
        }
        loop = getMain()
        source = withExtendedLifetime(performer) { create(nil, 0, &context) }
        signalSource = signal
        self.wakeUp = wakeUp
        invalidateSource = invalidate
        self.release = release
        add(loop, source, common)
    }

    /// Has the source performed.
    func signal() {
        signalSource(source)
        wakeUp(loop)
    }

    /// Removes the source, for good.
    func end() {
        invalidateSource(source)
        release(source)
    }
}

private final class Performer: ContextBox {
    let perform: () -> Void

    init(_ perform: @escaping () -> Void) {
        self.perform = perform
    }
}
