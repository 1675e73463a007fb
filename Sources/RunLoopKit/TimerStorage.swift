// What a timer does. It lies in the engine's timer, which has the room: no object of its own has to be
// made, found and counted.

import CRunLoop.Wrapping
import CRunLoopKit
import CoreRunLoop
import Glibc
import Synchronization

/// The block of a timer and what belongs to it, at the end of the engine's timer.
///
/// A timer's wrapper is kept while the timer is in a loop, by the loop. Otherwise wrappers come and go:
/// one is made for the block if nobody holds one.
///
/// The action goes when the timer is invalid and nobody holds the storage; the rest stays as long as
/// the timer. That is why they lie one behind the other, each by itself.
struct TimerStorage {
    /// The size in bytes.
    static let size = MemoryLayout<TimerAction>.stride + 2 * MemoryLayout<UInt>.stride

    private let action: UnsafeMutablePointer<TimerAction>
    private let waiters: UnsafeMutablePointer<TimerWaiters>
    private let wrapper: UnsafeMutablePointer<WrapperReference>

    /// The storage at an address that the engine tells.
    init(_ address: UnsafeMutableRawPointer) {
        action = address.assumingMemoryBound(to: TimerAction.self)
        let rest = address + MemoryLayout<TimerAction>.stride
        waiters = rest.assumingMemoryBound(to: TimerWaiters.self)
        wrapper = (rest + MemoryLayout<UInt>.stride).assumingMemoryBound(to: WrapperReference.self)
    }

    /// Fills new storage in.
    func initialize(_ action: consuming TimerAction, _ wrapper: RLTimer) {
        self.action.initialize(to: action)
        waiters.initialize(to: TimerWaiters())
        self.wrapper.initialize(to: WrapperReference())
        remember(wrapper)
    }

    /// What the engine calls.
    static let functions = StorageFunctions(
        RLRunLoopStorageFunctions(
            release: { storage in
                UnsafeMutableRawPointer(mutating: storage).map { TimerStorage($0).release() }
            },
            keep: { storage in storage.map { TimerStorage($0).keepWrapper() } ?? false },
            letGo: { storage in storage.map { TimerStorage($0).letGoOfWrapper() } }
        )
    )

    /// Retains the wrapper, if there is one.
    ///
    /// The engine holds locks meanwhile.
    private func keepWrapper() -> Bool {
        guard let kept = wrapper.pointee.retain() else { return false }
        kept._withUnsafeGuaranteedRef { $0.companion?.keep() }
        return true
    }

    /// Undoes ``keepWrapper()``.
    private func letGoOfWrapper() {
        guard let kept = wrapper.pointee.kept else { return }
        kept._withUnsafeGuaranteedRef { $0.companion?.letGo() }
        kept.release()
    }

    /// Gives up what the client gave; for the engine.
    private func release() {
        action.deinitialize(count: 1)
        waiters.pointee.end()
    }

    /// Calls the block; for who holds the storage.
    func run(_ timer: RLRunLoopTimerRef) {
        // The first word of a closure is its function.
        RLRunLoopNoteCalloutFunction(
            UnsafeRawPointer(action).load(as: UnsafeRawPointer?.self)
        )
        call(action.pointee, wrapper.pointee.load() ?? RLTimer(timer, self))
        waiters.pointee.resume()
    }

    /// What was given with a target; for who holds the storage.
    var userInfo: Any? {
        action.pointee.userInfo?.value
    }

    /// Has someone told of the next firing; for who holds the storage.
    func addWaiter(_ waiter: TimerWaiter) {
        waiters.pointee.add(waiter)
    }

    /// Forgets someone who does not wait any more; for who holds the storage.
    func removeWaiter(_ waiter: TimerWaiter) {
        waiters.pointee.remove(waiter)
    }

    /// The wrapper that the block would get, if there is one.
    var currentWrapper: RLTimer? {
        wrapper.pointee.load()
    }

    /// Has the block get this wrapper, unless there is another one.
    func remember(_ wrapper: RLTimer) {
        self.wrapper.pointee.store(wrapper)
    }

    /// A wrapper is about to go.
    func forget(_ wrapper: RLTimer) {
        self.wrapper.pointee.clear(of: wrapper)
    }
}

/// What the client gave.
///
/// The engine's timer is its only owner: the block is called where it lies, and need not be retained
/// for the call.
struct TimerAction: ~Copyable {
    let block: (RLTimer) -> Void
    let userInfo: UserInfo?
}

/// Borrowed, so that nothing is copied out.
@inline(__always)
private func call(_ action: borrowing TimerAction, _ timer: RLTimer) {
    action.block(timer)
}

/// An object that is made of a timer, and is kept with the timer's wrapper.
final class TimerCompanion {
    private weak var object: AnyObject?
    private var kept: AnyObject?

    init(_ object: AnyObject) {
        self.object = object
    }

    func keep() {
        kept = object
    }

    func letGo() {
        // What it holds may ask for it.
        let object = kept
        kept = nil
        withExtendedLifetime(object) {}
    }
}

/// What the client gave with a target.
///
/// In an object, as most timers have none.
final class UserInfo {
    let value: Any

    init(_ value: Any) {
        self.value = value
    }
}

/// Those who wait for a timer to fire: an object that is made for the first of them.
private struct TimerWaiters: ~Copyable {
    private typealias List = Locked<[TimerWaiter]>

    // The list, retained; 0 if there is none.
    private let list = Atomic<UInt>(0)

    private borrowing func look() -> List? {
        let address = list.load(ordering: .acquiring)
        // Retained until the end, which nobody comes to who holds the storage.
        return UnsafeRawPointer(bitPattern: address).map {
            Unmanaged<List>.fromOpaque($0).takeUnretainedValue()
        }
    }

    borrowing func add(_ waiter: TimerWaiter) {
        if look() == nil {
            let made = Unmanaged.passRetained(List([]))
            let address = UInt(bitPattern: made.toOpaque())
            let (isKept, _) = list.compareExchange(
                expected: 0,
                desired: address,
                ordering: .acquiringAndReleasing
            )
            // Another thread was faster.
            if !isKept { made.release() }
        }
        look()?.withLock { $0.append(waiter) }
    }

    borrowing func remove(_ waiter: TimerWaiter) {
        look()?.withLock { $0.removeAll { $0 === waiter } }
    }

    /// The timer has fired.
    borrowing func resume() {
        if let list = look() { Self.resume(list, returning: true) }
    }

    /// It never will.
    borrowing func end() {
        guard let list = look() else { return }
        Self.resume(list, returning: false)
        self.list.store(0, ordering: .relaxed)
        // The reference that `add` made.
        Unmanaged.passUnretained(list).release()
    }

    private static func resume(_ list: List, returning hasFired: Bool) {
        let resumed = list.withLock { waiters in
            defer { waiters = [] }
            return waiters
        }
        for waiter in resumed { waiter.end(hasFired) }
    }
}

/// A weak reference to a wrapper.
///
/// Swift's own would make an object for each wrapper that it refers to. Here a wrapper that goes takes
/// itself out, and waits while someone is looking at it: so whoever looks finds either nothing or an
/// object, which may be on its way out, so that it is retained only if it can be.
private struct WrapperReference: ~Copyable {
    // The address, 1 more while someone looks at it; 0 if there is none.
    private let address = Atomic<UInt>(0)

    private static func address(of wrapper: RLTimer) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(wrapper).toOpaque())
    }

    /// Replaces the address, when nobody looks at it, and if it is the expected one; whether it did.
    private borrowing func replace(_ expected: UInt, by desired: UInt) -> Bool {
        var seen = address.load(ordering: .relaxed)
        while true {
            if seen & ~1 != expected { return false }
            if seen & 1 != 0 {
                sched_yield()
                seen = address.load(ordering: .relaxed)
                continue
            }
            let (isReplaced, now) = address.compareExchange(
                expected: seen,
                desired: desired,
                ordering: .acquiringAndReleasing
            )
            if isReplaced { return true }
            seen = now
        }
    }

    /// Another one that is there stays.
    borrowing func store(_ wrapper: RLTimer) {
        _ = replace(0, by: Self.address(of: wrapper))
    }

    borrowing func clear(of wrapper: RLTimer) {
        _ = replace(Self.address(of: wrapper), by: 0)
    }

    /// The wrapper that somebody has retained, and so no other one has taken the place of.
    var kept: Unmanaged<RLTimer>? {
        UnsafeRawPointer(bitPattern: address.load(ordering: .relaxed) & ~1).map {
            Unmanaged.fromOpaque($0)
        }
    }

    borrowing func load() -> RLTimer? {
        retain()?.takeRetainedValue()
    }

    /// The wrapper with a reference for the caller.
    borrowing func retain() -> Unmanaged<RLTimer>? {
        var seen = address.load(ordering: .relaxed)
        while true {
            if seen == 0 { return nil }
            if seen & 1 != 0 {
                sched_yield()
                seen = address.load(ordering: .relaxed)
                continue
            }
            let (isLookedAt, now) = address.compareExchange(
                expected: seen,
                desired: seen | 1,
                ordering: .acquiring
            )
            if isLookedAt { break }
            seen = now
        }
        // It cannot be freed before it has taken itself out.
        let wrapper = UnsafeMutableRawPointer(bitPattern: seen)
        let isRetained = RLTryRetainSwiftObject(wrapper)
        address.store(seen, ordering: .releasing)
        guard isRetained, let wrapper else { return nil }
        return Unmanaged.fromOpaque(wrapper)
    }
}
