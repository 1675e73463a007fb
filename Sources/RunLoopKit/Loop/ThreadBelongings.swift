// Content that belongs to the thread of a loop, and is released there, whoever keeps it.

import CRunLoop.Wrapping
@_spi(Boxes) import CoreRunLoop
import Synchronization

/// Something of a thread that other threads may keep longer, such as a transaction.
package protocol ThreadBelonging: AnyObject {
    /// Releases what the client gave, and ends all waits for it; on the thread, which is ending.
    func letGo()
}

/// The content that belongs to the thread of a loop.
package final class ThreadBelongings: Sendable {
    private struct State {
        // Of these there are many, so that each knows its place.
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

    /// Adds something, and keeps it until it is removed or the thread ends.
    ///
    /// - Returns: Whether it was added: false if the thread has ended, or is about to.
    @discardableResult
    package func insert(_ belonging: any ThreadBelonging) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.others[ObjectIdentifier(belonging)] = belonging }
            return !state.isClosed
        }
    }

    /// Removes something that was added, and that the caller keeps.
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

    /// Lets go of something that was added, on the thread of the loop: at once, or in its next pass
    /// in a common mode.
    func letGo(of belonging: any ThreadBelonging, on loop: RLRunLoopRef) {
        if RLRunLoopIsCurrent(loop) {
            remove(belonging)
            return belonging.letGo()
        }
        // Its thread lets go of everything as it ends.
        if RLRunLoopHasEnded(loop) { return }
        // Proof: only the thread uses it from here on.
        nonisolated(unsafe) let belonging = belonging
        RLRunLoopPerformBlock(loop, .commonModes) { [self] in
            remove(belonging)
            belonging.letGo()
        }
        RLRunLoopWakeUp(loop)
    }

    /// Lets go of everything, as the thread ends.
    func letGo() {
        state.withLock { $0.isClosed = true }
        // Letting go of one may remove others.
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

/// The info of an engine's item that has a wrapper: content of the client's that belongs to the
/// thread of a loop, whoever keeps the item.
///
/// The engine uses the box by ``beginUse`` and ``endUse``. The content is released on its thread:
/// with the last use or, if the item is kept longer than the thread, when that ends.
class ThreadBox: ContextBox {
    // In the list, whose lock guards it.
    fileprivate final var place = 0
    private final var belongings: ThreadBelongings?
    // Number of the engine's references. Together they hold one reference to the box.
    private let uses = Atomic(0)

    /// Gives the content to the thread of a loop.
    ///
    /// - Returns: Whether the thread takes it: false if it has ended.
    @discardableResult
    final func belong(to owner: RLRunLoop) -> Bool {
        if belongings === owner.belongings { return true }
        belongings?.remove(self)
        loop = owner.loop
        belongings = owner.belongings
        return owner.belongings.insert(self)
    }

    /// Takes the content from its thread, which is the caller's, until it is given to another one.
    final func leaveThread() {
        belongings.take()?.remove(self)
        loop = nil
    }

    /// Releases the content, and does nothing the second time.
    func releaseContent() {}

    /// Releases the content, of which there is nothing more to expect: its thread ends.
    func letGo() {
        releaseContent()
    }

    /// The `retain` of contexts.
    static let beginUse: @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer? = { info in
        guard let info else { return nil }
        let box = Unmanaged<ThreadBox>.fromOpaque(info)
        let isFirst = box._withUnsafeGuaranteedRef {
            $0.uses.wrappingAdd(1, ordering: .relaxed).oldValue == 0
        }
        if isFirst { _ = box.retain() }
        return info
    }

    /// Keeps the content from being released until ``endUse``; false if its last use has ended.
    ///
    /// To be held where the box changes threads: another thread may end the last use.
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

    /// The `release` of contexts.
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
                    // Elsewhere the box's thread has ended, and lets go of the content.
                    if box.belongsToCallingThread { box.endLastUse() }
                }
                box.release()
            }
            return false
        }
        // The reference of all uses together.
        if isOver { box.release() }
    }

    private func endLastUse() {
        belongings.take()?.remove(self)
        releaseContent()
    }

    /// Releases the content: now, or soon if the thread is another one.
    final func releaseContentOnItsThread() {
        if belongsToCallingThread { return releaseContent() }
        // Held until then.
        ContextBox.release(Unmanaged.passRetained(self).toOpaque()) { info in
            guard let info else { return }
            let box = Unmanaged<ThreadBox>.fromOpaque(info).takeRetainedValue()
            // Elsewhere the thread has ended, and has let go of it.
            if box.belongsToCallingThread { box.releaseContent() }
        }
    }

    /// Stops the process if the calling thread is not the one that the box belongs to.
    ///
    /// The compiler keeps the box's content on its thread, but not the engine's item.
    final func checkItsThread(_ call: StaticString, _ remedy: @autoclosure () -> String) {
        if belongsToCallingThread { return }
        stopProcess(
            "\(call)",
            "what it calls is not for thread \(describeCurrentThread()): it belongs to the thread that "
                + "made it, and the engine's reference has brought it here; \(remedy()), whose closures "
                + "are @Sendable"
        )
    }
}
