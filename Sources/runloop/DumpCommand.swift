import ArgumentParser
import CoreRunLoop

/// `runloop dump`: prints what a loop with something in it looks like to a debugger.
struct DumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Prints the description of a populated loop, and its statistics."
    )

    func run() throws {
        let loop = try unwrap(RLRunLoopGetMain(), "There is no main loop.")
        let port = try EventPort()
        populate(loop, with: port)
        RLRunLoopRunInMode(.defaultMode, 0.01, false)

        write(loop.description)
        write("")
        writeStatistics(of: loop)
        port.close()
    }

    private func populate(_ loop: RLRunLoopRef, with port: EventPort) {
        let observer = RLRunLoopObserverCreate(activities: [.beforeWaiting, .exit]) { _, _ in }
        let timer = RLRunLoopTimerCreate(
            fireDate: RLAbsoluteTimeGetCurrent(),
            interval: 0.002
        ) { _ in }
        let signal = RLRunLoopSourceCreate(order: -1) {}
        let reader = RLRunLoopSourceCreate(port: port.descriptor) {}

        RLRunLoopAddCommonMode(loop, .tracking)
        RLRunLoopAddObserver(loop, observer, .defaultMode)
        RLRunLoopAddTimer(loop, timer, .commonModes)
        RLRunLoopAddSource(loop, signal, .commonModes)
        RLRunLoopAddSource(loop, reader, .tracking)
        RLRunLoopPerformBlock(loop, .defaultMode) {}
        RLRunLoopSourceSignal(signal)
    }

    private func writeStatistics(of loop: RLRunLoopRef) {
        var statistics = RLRunLoopStatistics()
        RLRunLoopGetStatistics(loop, &statistics)
        let rows: [(String, UInt64)] = [
            ("runs", statistics.runs),
            ("passes", statistics.passes),
            ("sleeps", statistics.sleeps),
            ("wake-ups by token", statistics.wakeUpsByToken),
            ("wake-ups by timer", statistics.wakeUpsByTimer),
            ("wake-ups by descriptor", statistics.wakeUpsByDescriptor),
            ("wake-ups by main queue", statistics.wakeUpsByMainQueue),
            ("wake-ups by timeout", statistics.wakeUpsByTimeout),
            ("observer calls", statistics.observerCallouts),
            ("block calls", statistics.blockCallouts),
            ("source 0 calls", statistics.source0Callouts),
            ("source 1 calls", statistics.source1Callouts),
            ("timer calls", statistics.timerCallouts),
            ("main queue drains", statistics.mainQueueCallouts),
            ("microseconds asleep", statistics.nanosecondsAsleep / 1000),
            ("microseconds running", statistics.nanosecondsRunning / 1000),
        ]
        write("statistics of the loop of thread \(statistics.threadID):")
        for (name, value) in rows {
            write("    \(padded(name, to: 24)) \(value)")
        }
    }
}
