import CoreRunLoop

/// A small program that shows one behavior of run loops and checks it.
protocol Sample: Sendable {
    /// The name on the command line.
    var name: String { get }

    /// A line for the list.
    var summary: String { get }

    /// Whether the sample uses the main loop; others run on their own thread.
    var needsMainThread: Bool { get }

    /// Runs the sample, and records events and expectations in `trace`.
    func run(_ trace: Trace) throws
}

extension Sample {
    var needsMainThread: Bool { false }
}

/// All samples, in the order of the tour.
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

    static func line(of sample: any Sample) -> String {
        let width = all.map(\.name.count).max() ?? 0
        return "\(padded(sample.name, to: width)) \(sample.summary)"
    }

    /// Runs a sample and writes its trace; a brief run that passes writes one line.
    ///
    /// - Returns: Whether all expectations were met.
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
    /// The mode of a user interface while it tracks a finger or a pointer.
    static let tracking: RLRunLoopMode = "tracking"
}
