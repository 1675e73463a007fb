import CRunLoop.Wrapping
import CoreRunLoop
public import FoundationEssentials
import Glibc

/// A thread with a run loop.
///
/// ```swift
/// let thread = RLThread {
///     RLTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in poll() }
///     RLRunLoop.current.run()
/// }
/// thread.start()
/// thread.perform { print("on the thread") }
/// ```
///
/// All members except ``threadDictionary`` are thread-safe. Members that Foundation's Thread does
/// not have are in ``RLLoopThread``, so that subclasses may have members with the same names.
///
/// The thread blocks the signals that are sent to the process. The signals stay blocked in programs
/// that the thread executes: unblock them in such programs with `posix_spawnattr_setsigmask`.
///
/// Foundation: Thread.
open class RLThread: RLLoopThread, @unchecked Sendable {
    // Proof: the mutable state is in `condition`, which has a lock. `storedDictionary` is used only
    // by the thread itself and, at the end, by the object's last owner.
    struct State {
        var phase = Phase.new
        var isCancelled = false
        var name: String?
        var stackSize = 0
        var qualityOfService = RLQualityOfService.default
        var priority = 0.5
        // Whether the thread was created by other code.
        var isAdopted = false
        // Nil until `start` has set the handle. The thread may run earlier.
        var handle: pthread_t?
        // Whether a thread is joining or has joined this thread.
        var isJoined = false
        var hasEnded = false
        // Whether the observers of the thread's end were notified or are being notified.
        var isEnding = false
        var number: pid_t = 0
        var queue: PerformQueue?
    }

    enum Phase {
        case new, starting, executing, finished
    }

    let condition = Condition(State())
    private let block: (@Sendable () -> Void)?
    private let storedDictionary = RLThreadDictionary()

    /// Creates a thread that runs ``main()``, which subclasses override, when it is started.
    ///
    /// Foundation: Thread.init().
    public init() {
        self.block = nil
    }

    /// Creates a thread that runs a block when it is started.
    ///
    /// Foundation: Thread.init(block:).
    public init(block: @escaping @Sendable () -> Void) {
        self.block = block
    }

    /// Creates an object for a thread that other code created.
    private convenience init(adoptingThreadOf loop: RLRunLoopRef) {
        self.init()
        condition.withLock { state in
            state.isAdopted = true
            state.phase = .executing
            state.number = threadNumber(of: loop)
            state.queue = PerformQueue(forOtherThreads: loop)
            if loop === RLRunLoopGetMain() { state.name = processName }
        }
    }

    deinit {
        let (isNew, handle) = condition.withLock { state in
            (state.phase == .new, state.isJoined ? nil : state.handle)
        }
        if isNew {
            hint(
                "RLThread.init",
                "the thread was released without having been started: call start()"
            )
        }
        if let handle { pthread_detach(handle) }
    }

    /// Starts the thread.
    ///
    /// A thread can be started only once. If the thread was already cancelled, it is finished
    /// immediately and runs no code.
    ///
    /// Foundation: start().
    open func start() {
        let stackSize = condition.withLock { state -> Int? in
            if state.phase != .new {
                stopProcess(
                    "RLThread.start()",
                    "the thread was already started: create another thread"
                )
            }
            state.phase = state.isCancelled ? .finished : .starting
            state.isJoined = state.isCancelled
            state.hasEnded = state.isCancelled
            return state.isCancelled ? nil : state.stackSize
        }
        guard let stackSize else { return }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        if stackSize > 0 { pthread_attr_setstacksize(&attributes, stackSize) }
        var handle = pthread_t()
        let thread = Unmanaged.passRetained(self)
        let result = RLThreadCreate(&handle, &attributes, { RLThread.enter($0) }, thread.toOpaque())
        pthread_attr_destroy(&attributes)
        if result != 0 {
            thread.release()
            stopProcess("RLThread.start()", describeError(result))
        }
        condition.withLock { $0.handle = handle }
    }

    private static func enter(_ info: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let info else { return nil }
        // The thread-specific value owns the reference from `start`. A reference on this stack
        // frame would leak if the thread calls `exit`.
        pthread_setspecific(currentKey, info)
        Unmanaged<RLThread>.fromOpaque(info)._withUnsafeGuaranteedRef { thread in
            thread.settle()
            thread.main()
            thread.finish()
        }
        return nil
    }

    private func settle() {
        let queue = PerformQueue(forOtherThreads: RLRunLoopGetCurrent())
        let (name, niceness) = condition.withLock { state in
            state.number = RLThreadGetNumber()
            state.queue = queue
            return (state.name, state.qualityOfService.niceness)
        }
        if let name { setKernelName(name) }
        if let niceness { setLeastNiceness(niceness) }
        condition.withLock { $0.phase = .executing }
    }

    private func finish() {
        let isFirst = condition.withLock { state in
            defer { state.isEnding = true }
            return !state.isEnding
        }
        // An observer may call `exit`, which calls this function again.
        if isFirst {
            RLNotificationCenter.default.post(name: Self.willExitNotification, object: self)
        }
        storedDictionary.empty()
        condition.withLock { $0.phase = .finished }
    }

    /// The function that the thread runs.
    ///
    /// By default, it calls the block with which the thread was created.
    ///
    /// Foundation: main().
    open func main() {
        block?()
    }

    /// Sets ``isCancelled``.
    ///
    /// The thread must check ``isCancelled`` itself. The call does not wake the thread's loop.
    ///
    /// Foundation: cancel().
    open func cancel() {
        condition.withLock { $0.isCancelled = true }
    }

    /// The queue; if the thread is starting, waits for the queue.
    final var queue: PerformQueue? {
        condition.wait { state -> PerformQueue?? in
            switch state.phase {
            case .new: return .some(nil)
            case .starting: return nil
            default: return .some(state.queue)
            }
        }
    }

    /// Whether the thread has begun to run and has not finished.
    ///
    /// Foundation: isExecuting.
    open var isExecuting: Bool {
        condition.withLock { $0.phase == .executing }
    }

    /// Whether the thread has finished, or was started after its cancellation.
    ///
    /// Foundation: isFinished.
    open var isFinished: Bool {
        condition.withLock { $0.phase == .finished }
    }

    /// Whether ``cancel()`` was called.
    ///
    /// Foundation: isCancelled.
    open var isCancelled: Bool {
        condition.withLock { $0.isCancelled }
    }

    /// Whether this is the main thread.
    ///
    /// Foundation: isMainThread.
    open var isMainThread: Bool {
        self === RLThread.main
    }

    /// The name that debuggers show.
    ///
    /// The kernel stores the first 15 bytes of the name. Set the name before the thread starts, or
    /// on the thread itself. The initial name of ``main`` is the name of the process.
    ///
    /// Foundation: name.
    open var name: String? {
        get { condition.withLock { $0.name } }
        set {
            let number = condition.withLock { state in
                state.name = newValue
                return state.number
            }
            hint(
                "RLThread.name",
                ifForeign: number != 0 && number != RLThreadGetNumber(),
                for: "the name",
                of: number,
                "the kernel and debuggers keep the former one; set it before start(), or on the thread"
            )
            if let newValue, number == RLThreadGetNumber() { setKernelName(newValue) }
        }
    }

    /// The size of the thread's stack in bytes; 0 means the system's default.
    ///
    /// Other sizes are rounded up to whole pages and to at least 128 KiB. A size of more than half
    /// the range of `Int` stops the process with a message. If there is not enough memory for the
    /// stack, starting the thread stops the process. The size takes effect when the thread starts.
    ///
    /// Foundation: stackSize.
    open var stackSize: Int {
        get { condition.withLock { $0.stackSize } }
        set {
            if newValue > Int.max / 2 {
                stopProcess(
                    "RLThread.stackSize",
                    "\(newValue) bytes are too many: set fewer bytes, or 0 for the default"
                )
            }
            let page = Int(getpagesize())
            // Timers and a run need 24 KiB in a debug build; sanitizers and TLS need more.
            let least = max(newValue, 128 * 1024, sysconf(CInt(_SC_THREAD_STACK_MIN)))
            let size = newValue == 0 ? 0 : least
            condition.withLock { $0.stackSize = (size + page - 1) / page * page }
            hintAfterStart("RLThread.stackSize")
        }
    }

    /// The importance of the thread's work, which determines the thread's initial niceness.
    ///
    /// Set the value before the thread starts; later values are stored without effect. For ``main``
    /// and for threads that were created by other code, the initial value is
    /// ``RLQualityOfService/default``.
    ///
    /// Foundation: qualityOfService.
    open var qualityOfService: RLQualityOfService {
        get { condition.withLock { $0.qualityOfService } }
        set {
            condition.withLock { $0.qualityOfService = newValue }
            hintAfterStart("RLThread.qualityOfService")
        }
    }

    @inline(__always) private func hintAfterStart(_ call: StaticString) {
        #if DEBUG
            if condition.withLock({ $0.phase == .new }) { return }
            hint(
                call,
                "has no effect, as the thread was already started: set it before start()"
            )
        #endif
    }

    /// A priority from 0 to 1; the initial value is 0.5.
    ///
    /// Other numbers are clamped, and NaN becomes 0. The priority has no effect on scheduling: set
    /// ``qualityOfService`` instead.
    ///
    /// Foundation: threadPriority.
    open var threadPriority: Double {
        get { condition.withLock { $0.priority } }
        set {
            let priority = newValue > 0 ? min(newValue, 1) : 0
            condition.withLock { $0.priority = priority }
        }
    }

    /// A dictionary for thread-local data.
    ///
    /// The dictionary is confined to the thread: reading this property on another thread stops the
    /// process with a message. The thread empties the dictionary when it ends, after
    /// ``willExitNotification``.
    ///
    /// The compiler does not confine values from the dictionary: do not send them to another
    /// thread.
    ///
    /// Foundation: threadDictionary.
    open var threadDictionary: RLThreadDictionary {
        checkGiver("RLThread.threadDictionary")
        return ownDictionary
    }

    /// The dictionary for values of this library; does not check the caller's isolation.
    package final var ownDictionary: RLThreadDictionary {
        // The class is `Sendable`, but the dictionary is not: only this check confines the
        // dictionary.
        if self !== RLThread.current {
            stopProcess(
                "RLThread.threadDictionary",
                "called on thread \(describeCurrentThread()) for the dictionary of "
                    + "another thread: use RLThread.current.threadDictionary on each thread"
            )
        }
        storedDictionary.belongHere()
        return storedDictionary
    }

    /// The calling thread, even if it was created by other code.
    ///
    /// Foundation: Thread.current.
    @available(*, noasync)
    open class var current: RLThread {
        if let known = pthread_getspecific(currentKey) {
            return Unmanaged<RLThread>.fromOpaque(known).takeUnretainedValue()
        }
        guard let loop = RLRunLoopGetCurrent() else {
            stopProcess(
                "RLThread.current",
                "this thread is ending and has no run loop: do not use it in destructors of "
                    + "thread-specific values"
            )
        }
        let made = loop === RLRunLoopGetMain() ? ofMainLoop : RLThread(adoptingThreadOf: loop)
        pthread_setspecific(currentKey, Unmanaged.passRetained(made).toOpaque())
        return made
    }

    /// The main thread.
    ///
    /// Foundation: Thread.main.
    open class var main: RLThread { ofMainLoop }

    /// The main thread.
    ///
    /// Foundation: Thread.mainThread, the name on Linux.
    open class var mainThread: RLThread { main }

    /// Whether the calling thread is the main thread.
    ///
    /// Foundation: Thread.isMainThread.
    open class var isMainThread: Bool {
        RLThreadGetNumber() == getpid()
    }

    /// Returns true.
    ///
    /// Foundation's function returns whether the process ever had another thread.
    ///
    /// Foundation: Thread.isMultiThreaded().
    open class func isMultiThreaded() -> Bool {
        true
    }

    /// Starts a thread that performs a block.
    ///
    /// Foundation: Thread.detachNewThread(_:).
    open class func detachNewThread(_ block: @escaping @Sendable () -> Void) {
        RLThread(block: block).start()
    }

    /// Ends the calling thread immediately, and ends its loop properly.
    ///
    /// References that functions on the stack hold are leaked. Prefer a return from ``main()``.
    ///
    /// Foundation: Thread.exit().
    @available(*, noasync)
    open class func exit() -> Never {
        current.finish()
        pthread_exit(nil)
    }

    /// Sleeps until a date, without running the loop.
    ///
    /// Foundation: Thread.sleep(until:).
    @available(*, noasync)
    open class func sleep(until date: Date) {
        sleep(forTimeInterval: date.timeIntervalSinceNow)
    }

    /// Sleeps for some seconds, without running the loop.
    ///
    /// Foundation: Thread.sleep(forTimeInterval:).
    @available(*, noasync)
    open class func sleep(forTimeInterval seconds: TimeInterval) {
        guard seconds > 0 else { return }
        var left = timespec(seconds: seconds)
        var rest = timespec()
        // A signal handler interrupts the call.
        while nanosleep(&left, &rest) != 0 && errno == EINTR { left = rest }
    }

    /// The return addresses on the calling thread's stack, the innermost first.
    ///
    /// Empty if the C library does not provide the addresses (musl).
    ///
    /// Foundation: Thread.callStackReturnAddresses, with NSNumber.
    open class var callStackReturnAddresses: [UInt] {
        CallStack.addresses(skipping: 2).map { UInt(bitPattern: $0) }
    }

    /// A line for each function on the calling thread's stack, the innermost first.
    ///
    /// The functions of a program have names only if it is linked with `-rdynamic`.
    ///
    /// Foundation: Thread.callStackSymbols.
    open class var callStackSymbols: [String] {
        CallStack.symbols(of: CallStack.addresses(skipping: 2))
    }
}

extension RLThread: CustomStringConvertible {
    /// The thread's name, number and state.
    public var description: String {
        condition.withLock { state in
            let phase =
                switch state.phase {
                case .new: "not started"
                case .starting: "starting"
                case .executing: state.isCancelled ? "executing, cancelled" : "executing"
                case .finished: "finished"
                }
            let name = state.name.map { "\"\($0)\"" } ?? "no name"
            return describe(self, "\(name), thread \(state.number), \(phase)")
        }
    }
}

extension RLThread: RLObjectProtocol {}

extension RLThread {
    /// The name of the notification that ``RLNotificationCenter/default`` posts on a thread that is
    /// about to end.
    ///
    /// The object is the thread. Observers can still use the thread's loop.
    ///
    /// Foundation: NSThreadWillExit.
    public static let willExitNotification = RLNotification.Name("RLThreadWillExitNotification")

    fileprivate static let ofMainLoop = RLThread(adoptingThreadOf: RLRunLoopGetMain())

    fileprivate static let currentKey: pthread_key_t = {
        var key = pthread_key_t()
        let result = pthread_key_create(&key) { info in
            guard let info else { return }
            // Takes over the reference of the thread-specific value.
            let thread = Unmanaged<RLThread>.fromOpaque(info).takeRetainedValue()
            // Needed for a thread that was created by other code, because the object may outlive
            // the thread.
            thread.storedDictionary.empty()
        }
        if result != 0 {
            stopProcess(
                "RLThread",
                "no pthread key is left: delete unused keys with pthread_key_delete"
            )
        }
        return key
    }()
}
