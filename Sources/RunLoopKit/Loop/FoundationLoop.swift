import CRunLoop.Wrapping
@_spi(Boxes) import CoreRunLoop
import Glibc

/// A source in the common modes of Foundation's main run loop.
///
/// CoreFoundation's functions are looked up at run time, so the library is not linked.
struct FoundationLoop: @unchecked Sendable {
    // Proof: all properties are constant, and CoreFoundation's functions are thread-safe.
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

    /// Returns nil if Foundation is not loaded.
    ///
    /// The main thread calls `perform` after each signal.
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
        // CFRunLoopSourceContext has the same layout.
        var context = RLRunLoopSourceContext()
        let performer = Performer(perform)
        context.info = performer.info
        context.retain = ContextBox.retain
        context.release = ContextBox.release
        context.perform = { info in
            guard let info else { return }
            // Swift retains the performer during the call. The performer may invalidate the source,
            // which releases the performer.
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

    func signal() {
        signalSource(source)
        wakeUp(loop)
    }

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

#if DEBUG
    /// Functions that check whether Foundation's run loop of the calling thread has work.
    private struct RestingFoundationLoop: @unchecked Sendable {
        // Proof: all properties are constant, and the functions use the calling thread's loop.
        typealias GetLoop = @convention(c) (pthread_t) -> UnsafeRawPointer?
        typealias IsEmpty = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt8
        typealias GetNextDate =
            @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> RLAbsoluteTime
        typealias CopyMode = @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer?
        typealias Release = @convention(c) (UnsafeRawPointer) -> Void

        /// Unlike the public functions, this function creates no loop.
        let getLoop: GetLoop
        /// Never true for the main loop on the main thread.
        let isEmpty: IsEmpty
        let getNextDate: GetNextDate
        let copyMode: CopyMode
        let release: Release
        let defaultMode: UnsafeRawPointer

        init?() {
            guard let getLoop = loadedFunction("_CFRunLoopGet0b", as: GetLoop.self),
                let isEmpty = loadedFunction("_CFRunLoopFinished", as: IsEmpty.self),
                let getNextDate = loadedFunction(
                    "CFRunLoopGetNextTimerFireDate",
                    as: GetNextDate.self
                ),
                let copyMode = loadedFunction("CFRunLoopCopyCurrentMode", as: CopyMode.self),
                let release = loadedFunction("CFRelease", as: Release.self),
                let defaultMode = dlsym(nil, "kCFRunLoopDefaultMode")?
                    .load(as: UnsafeRawPointer?.self)
            else { return nil }
            self.getLoop = getLoop
            self.isEmpty = isEmpty
            self.getNextDate = getNextDate
            self.copyMode = copyMode
            self.release = release
            self.defaultMode = defaultMode
        }

        /// Describes an item that Foundation's loop cannot serve while `loop` sleeps.
        func missed(by loop: RLRunLoopRef, for seconds: RLTimeInterval) -> StaticString? {
            guard let other = getLoop(pthread_self()) else { return nil }
            if let mode = copyMode(other) {
                // Foundation's loop is running.
                release(mode)
                return nil
            }
            let date = getNextDate(other, defaultMode)
            if date != 0 {
                // A timer in the far future probably only keeps a loop alive.
                let patience = 0.25
                let farOff: RLTimeInterval = 86400
                let left = max(date - RLAbsoluteTimeGetCurrent(), 0)
                guard left < farOff && left + patience < seconds else { return nil }
                return """
                    a timer in Foundation's run loop of that thread: call \
                    RLRunLoop.current.serveFoundation() of RunLoopFoundation, or add the timer to \
                    this run loop
                    """
            }
            let isMain = loop == RLRunLoopGetMain()
            guard !isMain && seconds == .infinity && isEmpty(other, defaultMode) == 0 else {
                return nil
            }
            return """
                a source in Foundation's run loop of that thread: call \
                RLRunLoop.current.serveFoundation() of RunLoopFoundation, or add the source to this \
                run loop
                """
        }
    }

    private let restingFoundationLoop = RestingFoundationLoop()
#endif

extension FoundationLoop {
    /// In debug builds, logs a warning once if a loop sleeps while Foundation's loop of the same
    /// thread has work.
    static let checksSleeps: Void = {
        #if DEBUG
            guard restingFoundationLoop != nil else { return }
            RLRunLoopSetSleepCheck { loop, seconds in
                guard let loop else { return nil }
                let missed = restingFoundationLoop?.missed(by: loop, for: seconds)
                return missed.map {
                    UnsafeRawPointer($0.utf8Start).assumingMemoryBound(to: CChar.self)
                }
            }
        #endif
    }()
}
