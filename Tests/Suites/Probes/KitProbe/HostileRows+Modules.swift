import CoreRunLoop
import Foundation
import RunLoopConcurrency
import RunLoopKit
import RunLoopTesting

@MainActor private let loop: RLRunLoopRef = RLRunLoopGetMain()

@MainActor func threadRows() -> [HostileRow] {
    [
        HostileRow("RLThread.stackSize", Hostile.integers + [-4096, 4096, 16384]) {
            let thread = RLThread {
                RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: false) { _ in }
                RLRunLoop.current.run(for: .milliseconds(5))
            }
            thread.stackSize = $0
            thread.start()
            thread.join()
        },
        HostileRow("RLPermanentThread.init(name:stackSize:)", Hostile.integers) {
            let thread = RLPermanentThread(stackSize: $0)
            thread.execute(waitUntilDone: true) {}
            thread.stop()
            thread.join()
        },
        HostileRow("RLPermanentThread.init(name:stackSize:)", Hostile.strings) {
            let thread = RLPermanentThread(name: $0)
            thread.execute(waitUntilDone: true) {}
            thread.stop()
            thread.join()
        },
        HostileRow("RLThread.name", Hostile.strings) {
            let thread = RLThread {}
            thread.name = $0
            thread.start()
            thread.join()
            RLThread.current.name = $0
        },
        HostileRow("RLThread.threadPriority", Hostile.seconds) {
            RLThread.current.threadPriority = $0
            if !(0...1).contains(RLThread.current.threadPriority) { exit(EXIT_FAILURE) }
        },
        HostileRow("RLThread.sleep(forTimeInterval:)", Hostile.seconds.filter { !($0 > 1) }) {
            // The sleep is the subject.
            RLThread.sleep(forTimeInterval: $0)
        },
        HostileRow(
            "RLThread.sleep(until:)",
            Hostile.dates.filter { !($0.timeIntervalSinceNow > 1) }
        ) {
            // The sleep is the subject.
            RLThread.sleep(until: $0)
        },
        HostileRow("RLThreadDictionary.setValue(_:forKey:)", Hostile.strings) {
            RLThread.current.threadDictionary.setValue(1, forKey: $0)
        },
        HostileRow("RLThreadDictionary.value(forKey:)", Hostile.strings) {
            _ = RLThread.current.threadDictionary.value(forKey: $0)
        },
    ]
}

@MainActor func clockRows() -> [HostileRow] {
    func clock() -> RLTestClock { RLTestClock(for: .loops([loop])) }
    return [
        HostileRow("RLTestClock.init(for:startingAt:isAutomatic:)", Hostile.dates) {
            _ = RLTestClock(for: .loops([loop]), startingAt: $0)
        },
        HostileRow("RLTestClock.advance(by:mode:)", Hostile.durations) { clock().advance(by: $0) },
        HostileRow("RLTestClock.advance(to:mode:)", Hostile.dates) { clock().advance(to: $0) },
        HostileRow("RLTestClock.jump(by:)", Hostile.durations) { clock().jump(by: $0) },
        HostileRow("RLTestClock.date", Hostile.dates) { clock().date = $0 },
        HostileRow("RLTestClock.nanoseconds", Hostile.integers.map(Int64.init)) {
            clock().nanoseconds = $0
        },
        .async("RLTestClock.advance(by:)", Hostile.durations) { duration in
            RLRunLoop.main.perform(afterDelay: 1e8) {}
            await RLTestClock(for: .loops([RLRunLoopGetMain()])).advance(by: duration)
        },
        .async("RLTestClock.advance(to:)", Hostile.dates) { date in
            RLRunLoop.main.perform(afterDelay: 1e8) {}
            await RLTestClock(for: .loops([RLRunLoopGetMain()])).advance(to: date)
        },
        .async("RLTestClock.advance(by:on:)", Hostile.durations) { duration in
            RLRunLoop.main.perform(afterDelay: 1e8) {}
            await RLTestClock(for: .loops([RLRunLoopGetMain()])).advance(
                by: duration,
                on: RLRunLoopGetMain()
            )
        },
        HostileRow("RLTestExpectation.init(_:count:)", Hostile.integers) {
            RLTestExpectation("x", count: $0).fulfill()
        },
        HostileRow("RLTestExpectation.wait(for:timeout:enforceOrder:mode:)", Hostile.durations) {
            let expectation = RLTestExpectation("x")
            if $0 > .seconds(1) { expectation.fulfill() }
            try RLTestExpectation.wait(for: [expectation], timeout: $0)
        },
        .async("RLTestExpectation.fulfillment(of:timeout:enforceOrder:)", Hostile.durations) {
            let expectation = RLTestExpectation("x")
            if $0 > .seconds(1) { expectation.fulfill() }
            try await RLTestExpectation.fulfillment(of: [expectation], timeout: $0)
        },
        HostileRow("RLRunLoopClock.Instant.advanced(by:)", Hostile.durations) {
            _ = RLRunLoopClock(loop: loop).now.advanced(by: $0)
        },
        .async("RLRunLoopClock.sleep(for:tolerance:)", Hostile.durations) { duration in
            let sleep = Task { @MainActor in
                // The subject is the sleep.
                try await RLRunLoopClock().sleep(for: duration, tolerance: duration)
            }
            if duration > .seconds(1) { sleep.cancel() }
            _ = await sleep.result
        },
        .async("RLRunLoopClock.sleep(until:tolerance:)", Hostile.durations) { duration in
            let time = RLRunLoopClock(loop: RLRunLoopGetMain())
            let sleep = Task { @MainActor in
                // The subject is the sleep.
                try await time.sleep(until: time.now.advanced(by: duration))
            }
            if duration > .seconds(1) { sleep.cancel() }
            _ = await sleep.result
        },
    ]
}

@MainActor func extraRows() -> [HostileRow] {
    [
        HostileRow("RLRunLoopActivities(_:_:mode:limit:)", Hostile.integers) {
            _ = RLRunLoopActivities(loop, .entry, limit: $0)
        },
        HostileRow("RLDescriptorReadiness.init(_:_:on:mode:)", Hostile.numbers) {
            _ = RLDescriptorReadiness($0, .read, on: loop).makeAsyncIterator()
        },
        HostileRow("RLSignals(_:on:mode:)", Hostile.numbers) { _ = RLSignals([$0], on: loop) },
        .async("RLWaitForProcess(_:on:mode:)", Hostile.numbers) { number in
            let wait = Task { @MainActor in _ = try await RLWaitForProcess(number) }
            // Process 1 always exists.
            wait.cancel()
            _ = await wait.result
        },
    ]
}

@MainActor func engineRows() -> [HostileRow] {
    [
        HostileRow("RLRunLoopRunInMode(_:_:_:)", Hostile.seconds) {
            RLRunLoopRunInMode(.defaultMode, $0, true)
        },
        HostileRow("RLRunLoopTimerCreate(fireDate:interval:order:handler:)", Hostile.seconds) {
            _ = RLRunLoopTimerCreate(fireDate: $0, interval: $0) { _ in }
        },
        HostileRow("RLRunLoopMode.init(_:)", Hostile.strings) {
            RLRunLoopRunInMode(RLRunLoopMode($0), 0, true)
        },
        HostileRow("RLStringCreate(_:)", Hostile.strings) {
            if String(RLStringCreate($0)) != $0 { exit(EXIT_FAILURE) }
        },
        HostileRow("RLReference.init(_:)", Hostile.strings) {
            if String(RLStringCreate($0)) != $0 { exit(EXIT_FAILURE) }
        },
        HostileRow("RLDataCreate(_:)", Hostile.bytes) { _ = RLDataCreate($0) },
        HostileRow("RLNumberCreate(_:)", Hostile.integers) {
            if RLNumberCreate($0).description.isEmpty { exit(EXIT_FAILURE) }
        },
        HostileRow("RLMessagePortCreateLocal(_:receive:)", Hostile.strings) {
            _ = RLMessagePortCreateLocal($0) { _, _, _ in nil }
        },
        HostileRow("RLMessagePortCreateRemote(_:)", Hostile.strings) {
            _ = RLMessagePortCreateRemote($0)
        },
        HostileRow("RLStreamCreatePair(toHost:port:)", Hostile.words) {
            _ = RLStreamCreatePair(toHost: "127.0.0.1", port: $0)
        },
        HostileRow("RLStreamCreateBoundPair(bufferSize:)", Hostile.integers) {
            _ = RLStreamCreateBoundPair(bufferSize: $0)
        },
        HostileRow("RLSignalSourceCreate(order:signals:perform:)", Hostile.numbers) {
            _ = RLSignalSourceCreate(signals: [$0]) { _, _ in }
        },
        HostileRow("RLProcessSourceCreate(order:process:reaps:perform:)", Hostile.numbers) {
            _ = RLProcessSourceCreate(process: $0) { _, _ in }
        },
        HostileRow("RLFileSourceCreate(order:perform:)", Hostile.integers) {
            _ = RLFileSourceCreate(order: $0) { _, _, _ in }
        },
        HostileRow("RLRunLoopSourceCreate(order:descriptor:events:perform:)", Hostile.numbers) {
            _ = RLRunLoopSourceCreate(descriptor: $0, events: { .read }) { _ in }
        },
        HostileRow(
            "RLSocketCreate(protocolFamily:socketType:protocol:callBackTypes:handler:)",
            Hostile.numbers
        ) {
            _ = RLSocketCreate(
                protocolFamily: $0,
                socketType: $0,
                protocol: $0,
                callBackTypes: []
            ) { _, _ in }
        },
    ]
}
