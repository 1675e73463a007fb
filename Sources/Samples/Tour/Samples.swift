import RunLoopKit

/// All samples, in the order of the tour.
public enum Samples {
    /// The samples, in the order of the tour.
    public static let all: [any Sample] = [
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
        HostPollSample(),
    ]

    /// Returns the sample with a name, or nil if there is none.
    public static func named(_ name: String) -> (any Sample)? {
        all.first { $0.name == name }
    }

    /// The sample `echo`, with clients that send messages for a number of seconds.
    public static func echo(seconds: Double) -> any Sample {
        EchoSample(seconds: seconds)
    }

    /// Returns the sample's name and summary, aligned in columns.
    public static func line(of sample: any Sample) -> String {
        let width = all.map(\.name.count).max() ?? 0
        let padding = String(repeating: " ", count: max(0, width - sample.name.count))
        return "\(sample.name)\(padding) \(sample.summary)"
    }

    /// Runs a sample and writes its trace.
    ///
    /// A brief run that passes writes only one line.
    ///
    /// - Returns: Whether all expectations were met.
    public static func run(
        _ sample: any Sample,
        isBrief: Bool = false,
        write: @escaping @Sendable (String) -> Void
    ) -> Bool {
        if !isBrief { write("== \(sample.name): \(sample.summary)") }
        let trace = Trace(isBrief: isBrief, write: write)
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
            let thread = RLThread(block: body)
            thread.start()
            thread.join()
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
