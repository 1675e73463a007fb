import Foundation
import RunLoopKit

/// The calls with which a loop keeps an object.
///
/// `calls` has their symbols, which `.ci/surface` compares with the symbol graphs, and the name in
/// the diagnostic if that is another one.
final class Gifts {
    private final class State: RLStreamDelegate, RLPortDelegate, RLCommitting, RLObject {
        var count = 0
        func add() { count += 1 }
        func handle(_ message: RLPortMessage) { count += 1 }
        func commitChanges() { count += 1 }
    }

    static let calls = [
        "RLTimer.init(timeInterval:repeats:block:) RLTimer.init",
        "RLTimer.init(timeInterval:target:selector:userInfo:repeats:) RLTimer.init",
        "RLTimer.scheduledTimer(withTimeInterval:repeats:block:) RLTimer.init",
        "RLRunLoop.add(_:forMode:)",
        "RLTimer.init(fire:interval:repeats:block:) RLTimer.init",
        "RLTimer.init(fireAt:interval:target:selector:userInfo:repeats:) RLTimer.init",
        "RLTimer.scheduledTimer(timeInterval:target:selector:userInfo:repeats:) RLTimer.init",
        "RLRunLoop.observe(_:in:repeats:order:handler:)",
        "RLRunLoop.observe(signals:in:handler:)",
        "RLRunLoop.observe(descriptor:_:in:handler:)",
        "RLRunLoop.observe(process:reaps:in:handler:)",
        "RLRunLoop.addSource(in:order:handler:)",
        "RLRunLoop.perform(afterDelay:inModes:block:)",
        "RLRunLoop.perform(_:target:argument:order:modes:)",
        "RLObject.perform(_:with:afterDelay:inModes:)",
        "RLPort.setDelegate(_:)",
        "RLStream.delegate",
        "RLStream.schedule(in:forMode:)",
        "RLTransaction.setNeedsCommit(_:) RLTransaction.setNeedsCommit",
        "RLTransaction.setNeedsCommit(_:by:) RLTransaction.setNeedsCommit",
        "RLTransaction.addCompletion(_:) RLTransaction.addCompletion",
        "RLIdleQueue.add(_:)",
        "RLNotificationQueue.init(post:)",
        "RLNotificationQueue.enqueue(_:postingStyle:) RLNotificationQueue.enqueue",
        "RLNotificationQueue.enqueue(_:postingStyle:coalesceMask:forModes:) RLNotificationQueue.enqueue",
        "RLListener.accept(in:forMode:handler:)",
        "RLLineReader.init(_:maximumLength:line:whenOver:) RLLineReader.init",
        "RLFileWatch.observe(in:forMode:handler:)",
        "RLThread.threadDictionary",
    ]

    private let state = State()
    private let tick = RLSelector("add", State.add)
    private let timer = RLTimer(timeInterval: 1, repeats: true) { _ in }

    func give(_ call: String) {
        let state = state
        let loop = RLRunLoop.current
        switch call {
        case "RLTimer.init(timeInterval:repeats:block:)":
            _ = RLTimer(timeInterval: 1, repeats: true) { _ in state.add() }
        case "RLTimer.init(timeInterval:target:selector:userInfo:repeats:)":
            _ = RLTimer(
                timeInterval: 1,
                target: state,
                selector: tick,
                userInfo: state,
                repeats: true
            )
        case "RLTimer.scheduledTimer(withTimeInterval:repeats:block:)":
            RLTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in state.add() }
        case "RLTimer.init(fire:interval:repeats:block:)":
            _ = RLTimer(fire: Date(), interval: 1, repeats: true) { _ in state.add() }
        case "RLTimer.init(fireAt:interval:target:selector:userInfo:repeats:)":
            _ = RLTimer(
                fireAt: Date(),
                interval: 1,
                target: state,
                selector: tick,
                userInfo: state,
                repeats: true
            )
        case "RLTimer.scheduledTimer(timeInterval:target:selector:userInfo:repeats:)":
            RLTimer.scheduledTimer(
                timeInterval: 1,
                target: state,
                selector: tick,
                userInfo: state,
                repeats: true
            )
        case "RLRunLoop.add(_:forMode:)": loop.add(timer, forMode: .default)
        case "RLRunLoop.observe(_:in:repeats:order:handler:)":
            loop.observe(.exit) { _, _ in state.add() }
        case "RLRunLoop.observe(signals:in:handler:)":
            loop.observe(signals: [SIGUSR1]) { _, _ in state.add() }
        case "RLRunLoop.observe(descriptor:_:in:handler:)":
            loop.observe(descriptor: STDIN_FILENO) { _, _ in state.add() }
        case "RLRunLoop.observe(process:reaps:in:handler:)":
            loop.observe(process: getpid()) { _, _ in state.add() }
        case "RLRunLoop.addSource(in:order:handler:)": loop.addSource { _ in state.add() }
        case "RLRunLoop.perform(afterDelay:inModes:block:)":
            loop.perform(afterDelay: 1) { state.add() }
        case "RLRunLoop.perform(_:target:argument:order:modes:)":
            loop.perform(tick, target: state, modes: [.default])
        case "RLObject.perform(_:with:afterDelay:inModes:)": state.perform(tick, afterDelay: 1)
        case "RLPort.setDelegate(_:)": RLPort().setDelegate(state)
        case "RLStream.delegate": RLInputStream(data: Data()).delegate = state
        case "RLStream.schedule(in:forMode:)":
            RLInputStream(data: Data()).schedule(in: loop, forMode: .default)
        case "RLTransaction.setNeedsCommit(_:)": RLTransaction.current.setNeedsCommit(state)
        case "RLTransaction.setNeedsCommit(_:by:)":
            RLTransaction.current.setNeedsCommit(state) { state.add() }
        case "RLTransaction.addCompletion(_:)": RLTransaction.current.addCompletion { state.add() }
        case "RLIdleQueue.add(_:)": RLIdleQueue().add { state.add() }
        case "RLNotificationQueue.init(post:)": _ = RLNotificationQueue { _ in state.add() }
        case "RLNotificationQueue.enqueue(_:postingStyle:)":
            let note = RLNotification(name: .init("saved"), object: state)
            RLNotificationQueue.default.enqueue(note, postingStyle: .asap)
        case "RLNotificationQueue.enqueue(_:postingStyle:coalesceMask:forModes:)":
            let note = RLNotification(name: .init("saved"), object: state)
            RLNotificationQueue.default.enqueue(
                note,
                postingStyle: .asap,
                coalesceMask: [],
                forModes: nil
            )
        case "RLListener.accept(in:forMode:handler:)":
            guard let listener = try? RLListener(port: 0) else { return }
            listener.accept(in: loop) { _ in state.add() }
        case "RLLineReader.init(_:maximumLength:line:whenOver:)":
            _ = RLLineReader(RLInputStream(data: Data())) { _ in
                state.add()
            } whenOver: { _ in
            }
        case "RLFileWatch.observe(in:forMode:handler:)":
            guard let watch = try? RLFileWatch(path: "/tmp/file") else { return }
            watch.observe(in: loop) { _ in state.add() }
        case "RLThread.threadDictionary": RLThread.current.threadDictionary["state"] = state
        default: print("no such call")
        }
    }
}
