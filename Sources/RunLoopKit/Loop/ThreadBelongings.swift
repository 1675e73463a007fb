// This file confines content to a loop's thread: the thread releases the content, whichever thread
// holds the last reference.

import CRunLoop.Wrapping
@_spi(Boxes) import CoreRunLoop
import Synchronization

/// An object that belongs to a thread and that other threads may retain for longer, such as a
/// transaction.
package protocol ThreadBelonging: AnyObject {
    /// Releases the client's objects and ends all waits. Called on the ending thread.
    func letGo()
}

package final class ThreadBelongings: Sendable {
    private struct State {
        // Most objects are boxes, which are in an array: each box stores its index.
        var boxes: [ThreadBox] = []
        var others: [ObjectIdentifier: any ThreadBelonging] = [:]
        var isClosed = false

        mutating func remove(_ box: ThreadBox) {
            guard box.place < boxes.count, boxes[box.place] === box else { return }
            let last = boxes.removeLast()
            if last === box { return }
            last.place = box.place
            boxes[box.place] = last
        }
    }

    private let state = Locked(State())

    /// Retains the object until its removal or the end of the thread; returns false if the thread
    /// has ended or is ending.
    @discardableResult
    package func insert(_ belonging: any ThreadBelonging) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.others[ObjectIdentifier(belonging)] = belonging }
            return !state.isClosed
        }
    }

    package func remove(_ belonging: any ThreadBelonging) {
        state.withLock { _ = $0.others.removeValue(forKey: ObjectIdentifier(belonging)) }
    }

    fileprivate func insert(_ box: ThreadBox) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            box.place = state.boxes.count
            state.boxes.append(box)
            return true
        }
    }

    fileprivate func remove(_ box: ThreadBox) {
        state.withLock { $0.remove(box) }
    }

    /// Releases the content of an object on the loop's thread.
    ///
    /// If the caller is on this thread, the release is immediate; otherwise the loop's next pass in
    /// a common mode releases the content.
    func letGo(of belonging: any ThreadBelonging, on loop: RLRunLoopRef) {
        if RLRunLoopIsCurrent(loop) {
            remove(belonging)
            return belonging.letGo()
        }
        // The thread that is ending releases everything.
        if RLRunLoopHasEnded(loop) { return }
        // Proof: only the loop's thread uses the object from here on.
        nonisolated(unsafe) let belonging = belonging
        RLRunLoopPerformBlock(loop, .commonModes) { [self] in
            remove(belonging)
            belonging.letGo()
            // Otherwise a run with only this block would sleep in its empty mode (BLK-12).
            RLRunLoopWakeUp(loop)
        }
        RLRunLoopWakeUp(loop)
    }

    /// Releases everything when the thread ends.
    func letGo() {
        state.withLock { $0.isClosed = true }
        // Each release may remove other objects.
        while let box = takeBox() { box.letGo() }
        while let other = takeOther() { other.letGo() }
    }

    private func takeBox() -> ThreadBox? {
        var taken: ThreadBox?
        state.withLock { taken = $0.boxes.popLast() }
        return taken
    }

    private func takeOther() -> (any ThreadBelonging)? {
        var taken: (any ThreadBelonging)?
        state.withLock { taken = $0.others.popFirst()?.value }
        return taken
    }
}

/// The info of an item that has a wrapper: content that is confined to a loop's thread.
///
/// Any thread may hold the item. The engine retains and releases the box with ``beginUse`` and
/// ``endUse``. The loop's thread releases the content: at the last release or, if the item outlives
/// the thread, when the thread ends.
class ThreadBox: ContextBox {
    // The index in the list, guarded by the list's lock.
    fileprivate final var place = 0
    private final var belongings: ThreadBelongings?
    // The number of references that the engine holds. Together they own one reference to the box.
    private let uses = Atomic(0)

    /// Confines the content to the thread of a loop; returns false if the thread has ended.
    @discardableResult
    final func belong(to owner: RLRunLoop) -> Bool {
        if belongings === owner.belongings { return true }
        belongings?.remove(self)
        loop = owner.loop
        belongings = owner.belongings
        return owner.belongings.insert(self)
    }

    /// Ends the confinement to the calling thread, until `belong(to:)` is called again.
    final func leaveThread() {
        belongings.take()?.remove(self)
        loop = nil
    }

    /// Releases the content; idempotent.
    func releaseContent() {}

    /// Releases the content when its thread ends.
    func letGo() {
        releaseContent()
    }

    /// The `retain` function for contexts.
    static let beginUse: @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer? = { info in
        guard let info else { return nil }
        let box = Unmanaged<ThreadBox>.fromOpaque(info)
        let isFirst = box._withUnsafeGuaranteedRef {
            $0.uses.wrappingAdd(1, ordering: .relaxed).oldValue == 0
        }
        if isFirst { _ = box.retain() }
        return info
    }

    /// Begins a use, unless the last use has ended.
    ///
    /// While the box changes threads, another thread may end the last use.
    final func beginUseUnlessOver() -> Bool {
        var count = uses.load(ordering: .relaxed)
        while count > 0 {
            let (isDone, found) = uses.weakCompareExchange(
                expected: count,
                desired: count + 1,
                ordering: .acquiringAndReleasing
            )
            if isDone { return true }
            count = found
        }
        return false
    }

    /// The `release` function for contexts.
    static let endUse: @convention(c) (UnsafeRawPointer?) -> Void = { info in
        guard let info else { return }
        let box = Unmanaged<ThreadBox>.fromOpaque(info)
        let isOver = box._withUnsafeGuaranteedRef { box in
            if box.uses.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue != 0 {
                return false
            }
            if box.belongsToCallingThread {
                box.endLastUse()
                return true
            }
            ContextBox.release(info) { info in
                guard let info else { return }
                let box = Unmanaged<ThreadBox>.fromOpaque(info)
                box._withUnsafeGuaranteedRef { box in
                    // False after the end of the box's thread, which releases the content itself.
                    if box.belongsToCallingThread { box.endLastUse() }
                }
                box.release()
            }
            return false
        }
        // Releases the reference that all uses owned together.
        if isOver { box.release() }
    }

    private func endLastUse() {
        belongings.take()?.remove(self)
        releaseContent()
    }

    final func releaseContentOnItsThread() {
        if belongsToCallingThread { return releaseContent() }
        // The call on the box's thread releases this reference.
        ContextBox.release(Unmanaged.passRetained(self).toOpaque()) { info in
            guard let info else { return }
            let box = Unmanaged<ThreadBox>.fromOpaque(info).takeRetainedValue()
            // False after the end of the box's thread, which has released the content.
            if box.belongsToCallingThread { box.releaseContent() }
        }
    }

    /// Stops the process on a wrong thread: the compiler confines only the wrapper, not the item.
    final func checkItsThread(_ call: StaticString, _ remedy: @autoclosure () -> String) {
        if belongsToCallingThread { return }
        stopProcess(
            "\(call)",
            "fired on thread \(describeCurrentThread()), but its closure is confined to "
                + "the thread that created it: \(remedy())"
        )
    }
}
