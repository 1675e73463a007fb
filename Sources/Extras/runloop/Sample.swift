import CoreRunLoop

/// A small program that shows one thing about run loops and checks that it is so.
protocol Sample: Sendable {
    /// The word by which it is chosen on the command line.
    var name: String { get }

    /// One line for the list.
    var summary: String { get }

    /// Whether it uses the main thread's loop; the others get a thread of their own.
    var needsMainThread: Bool { get }

    /// Does it, telling `trace` what happens and what should have happened.
    func run(_ trace: Trace) throws
}

extension Sample {
    var needsMainThread: Bool { false }
}

/// The samples there are, in the order of the tour.
enum Samples {
    static let all: [any Sample] = [
        ObserverLogSample(),
        SequenceSample(),
        MainQueueSample(),
        ModesSample(),
        CommandsSample(),
        PingPongSample(),
        KeepAliveSample(),
        MissedFiringsSample(),
        NestedRunSample(),
        ThreadExitSample(),
        WrapperTimerSample(),
        VirtualTimeSample(),
        PermanentThreadSample(),
        PerformSample(),
        PortConversationSample(),
        MessagePortSample(),
        SignalsSample(),
        EchoSample(),
        StreamFetchSample(),
        HTTPFetchSample(),
        HTTPSFetchSample(),
        StallSample(),
        TraceSample(),
        DumpSample(),
        InspectSample(),
        PinnedActorSample(),
        MainActorSample(),
        AutoreleaseSample(),
        CommitSample(),
        DisplayLinkSample(),
        IdleSample(),
        InterplaySample(),
        HostEpollSample(),
    ]

    static func named(_ name: String) -> (any Sample)? {
        all.first { $0.name == name }
    }

    /// The sample's line in lists.
    static func line(of sample: any Sample) -> String {
        let width = all.map(\.name.count).max() ?? 0
        return "\(padded(sample.name, to: width)) \(sample.summary)"
    }

    /// Runs a sample and writes what it does or, if it is to be brief and all was as expected, a
    /// line.
    ///
    /// - Returns: Whether everything was as expected.
    static func run(_ sample: any Sample, isBrief: Bool = false) -> Bool {
        if !isBrief { write("== \(sample.name): \(sample.summary)") }
        let trace = Trace(isBrief: isBrief)
        let body: @Sendable () -> Void = {
            do {
                try sample.run(trace)
            } catch {
                trace.fail("it ended early: \(error)")
            }
        }
        if sample.needsMainThread {
            body()
        } else {
            Worker(body).join()
        }
        let isOK = trace.failures.isEmpty
        if isBrief && isOK {
            write(line(of: sample))
            return true
        }
        trace.lines.forEach(write)
        write(isOK ? "   ok" : "   \(sample.name): NOT as expected")
        write("")
        return isOK
    }
}

extension RLRunLoopMode {
    /// The mode of a user interface that follows a finger or a pointer.
    static let tracking: RLRunLoopMode = "tracking"
}
