import Dispatch
import RunLoopKit
import Synchronization

/// The custom input source of Apple's Threading Programming Guide: a source with a queue of
/// commands.
///
/// Any thread adds commands, and the loop's thread performs them.
struct CommandsSample: Sample {
    let name = "commands"
    let summary = "a custom source with a queue of commands that another thread fills"

    func run(_ trace: Trace) throws {
        let source = CommandSource(trace)
        let done = DispatchSemaphore(value: 0)
        source.onPerform { done.signal() }

        let ready = DispatchSemaphore(value: 0)
        let worker = RLThread {
            source.addToCurrentLoop()
            ready.signal()
            RLRunLoopRun()
            trace.event("the loop has nothing left and ends")
        }
        worker.start()
        ready.wait()

        source.add(["open"])
        source.fire()
        done.wait()
        source.add(["read", "close", "quit"])
        source.fire()
        worker.join()

        trace.expect([
            "schedule: in mode kRLRunLoopDefaultMode",
            "perform: open",
            "perform: read, close, quit",
            "cancel: in mode kRLRunLoopDefaultMode",
            "the loop has nothing left and ends",
        ])
    }
}

private final class CommandSource: Sendable {
    private struct State {
        var source: RLRunLoopSourceRef?
        var loop: RLRunLoopRef?
        var commands: [String] = []
        var performed: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private let trace: Trace

    init(_ trace: Trace) {
        self.trace = trace
        var context = RLRunLoopSourceContext()
        // As in the guide, the source does not retain its object: the sample keeps the object
        // alive.
        context.info = Unmanaged.passUnretained(self).toOpaque()
        context.schedule = { info, loop, mode in CommandSource.of(info)?.enter(loop, mode) }
        context.cancel = { info, loop, mode in CommandSource.of(info)?.leave(mode) }
        context.perform = { info in CommandSource.of(info)?.perform() }
        let source = RLRunLoopSourceCreate(kRLAllocatorDefault, 0, &context)
        state.withLock { $0.source = source }
    }

    private static func of(_ info: UnsafeMutableRawPointer?) -> CommandSource? {
        // `init` has stored a pointer to this object.
        info.map { Unmanaged<CommandSource>.fromOpaque($0).takeUnretainedValue() }
    }

    func onPerform(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.performed = handler }
    }

    func addToCurrentLoop() {
        RLRunLoopAddSource(RLRunLoopGetCurrent(), state.withLock { $0.source }, .defaultMode)
    }

    func add(_ commands: [String]) {
        state.withLock { $0.commands += commands }
    }

    func fire() {
        let (source, loop) = state.withLock { ($0.source, $0.loop) }
        RLRunLoopSourceSignal(source)
        RLRunLoopWakeUp(loop)
    }

    private func enter(_ loop: RLRunLoopRef?, _ mode: RLStringRef?) {
        state.withLock { $0.loop = loop }
        trace.event("schedule: in mode \(mode.map(String.init) ?? "")")
    }

    private func leave(_ mode: RLStringRef?) {
        trace.event("cancel: in mode \(mode.map(String.init) ?? "")")
    }

    private func perform() {
        let (commands, performed) = state.withLock { state in
            defer { state.commands = [] }
            return (state.commands, state.performed)
        }
        trace.event("perform: \(commands.joined(separator: ", "))")
        if commands.last == "quit" { RLRunLoopSourceInvalidate(state.withLock { $0.source }) }
        performed?()
    }
}
