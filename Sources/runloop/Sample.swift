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
        LogFollowerSample(),
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

    /// Runs a sample and writes what it does.
    ///
    /// - Returns: Whether everything was as expected.
    static func run(_ sample: any Sample) -> Bool {
        write("== \(sample.name): \(sample.summary)")
        let trace = Trace()
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
        write(trace.failures.isEmpty ? "   ok" : "   NOT as expected")
        write("")
        return trace.failures.isEmpty
    }
}

extension RLRunLoopMode {
    /// The mode of a user interface that follows a finger or a pointer.
    static let tracking: RLRunLoopMode = "tracking"
}
