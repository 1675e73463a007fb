import CoreRunLoop
import Foundation
import RunLoopConcurrency
import RunLoopKit
import RunLoopTesting

// Without a row, as they store their values, or pass them to a function that has a row:
//
// - RLConnection.chunks(upToCount:on:mode:): calls RLInputStream.chunks(upToCount:on:mode:)
// - RLConnection.read(upToCount:on:mode:): calls RLInputStream.read(upToCount:on:mode:)
// - RLLineLengthError.init(maximumLength:): an error
// - RLRunLoopClock.Instant.duration(to:): a difference of durations
// - RLStreamTLSError.init(code:description:): an error
// - RLSystemError.init(code:to:): an error

private final class Target: RLObject {
    func act() {}
    static let selector = RLSelector<Target>("act", Target.act)
}

@MainActor private let loop: RLRunLoopRef = RLRunLoopGetMain()
@MainActor private let target = Target()

/// Functions that take a date, interval, size, count, port or string.
///
/// `.ci/surface` compares the names with the symbol graphs.
@MainActor func hostileRows() -> [HostileRow] {
    timerRows() + runRows() + streamRows() + threadRows() + clockRows() + extraRows() + engineRows()
}

@MainActor private func timerRows() -> [HostileRow] {
    [
        HostileRow("RLTimer.init(timeInterval:repeats:block:)", Hostile.seconds) {
            let timer = RLTimer(timeInterval: $0, repeats: true) { $0.invalidate() }
            RLRunLoop.current.add(timer, forMode: .common)
        },
        HostileRow("RLTimer.init(timeInterval:repeats:block:)", Hostile.durations) {
            RLRunLoop.current.add(
                RLTimer(timeInterval: $0, repeats: false) { _ in },
                forMode: .common
            )
        },
        HostileRow("RLTimer.init(fire:interval:repeats:block:)", Hostile.dates) {
            let timer = RLTimer(fire: $0, interval: 1, repeats: true) { $0.invalidate() }
            RLRunLoop.current.add(timer, forMode: .common)
        },
        HostileRow("RLTimer.init(fireAt:interval:target:selector:userInfo:repeats:)", Hostile.dates)
        {
            _ = RLTimer(
                fireAt: $0,
                interval: 1,
                target: target,
                selector: Target.selector,
                userInfo: nil,
                repeats: false
            )
        },
        HostileRow("RLTimer.init(timeInterval:target:selector:userInfo:repeats:)", Hostile.seconds)
        {
            _ = RLTimer(
                timeInterval: $0,
                target: target,
                selector: Target.selector,
                userInfo: nil,
                repeats: false
            )
        },
        HostileRow("RLTimer.scheduledTimer(withTimeInterval:repeats:block:)", Hostile.seconds) {
            RLTimer.scheduledTimer(withTimeInterval: $0, repeats: false) { _ in }
        },
        HostileRow("RLTimer.scheduledTimer(withTimeInterval:repeats:block:)", Hostile.durations) {
            RLTimer.scheduledTimer(withTimeInterval: $0, repeats: false) { _ in }
        },
        HostileRow(
            "RLTimer.scheduledTimer(timeInterval:target:selector:userInfo:repeats:)",
            Hostile.seconds
        ) {
            RLTimer.scheduledTimer(
                timeInterval: $0,
                target: target,
                selector: Target.selector,
                userInfo: nil,
                repeats: false
            )
        },
        HostileRow("RLTimer.fireDate", Hostile.dates) {
            RLTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { $0.invalidate() }
                .fireDate = $0
        },
        HostileRow("RLTimer.tolerance", Hostile.seconds) {
            let timer = RLTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in }
            timer.tolerance = $0
            if !(timer.tolerance >= 0) { exit(EXIT_FAILURE) }
            timer.invalidate()
        },
        HostileRow("RLTimer.fires(every:tolerance:on:mode:)", Hostile.durations) {
            _ = RLTimer.fires(every: $0, tolerance: $0, on: loop)
        },
        HostileRow("RLObject.perform(_:with:afterDelay:inModes:)", Hostile.seconds) {
            target.perform(Target.selector, afterDelay: $0)
        },
        HostileRow("RLRunLoop.perform(afterDelay:inModes:block:)", Hostile.seconds) {
            RLRunLoop.current.perform(afterDelay: $0) {}
        },
        HostileRow("RLRunLoop.perform(_:target:argument:order:modes:)", Hostile.integers) {
            RLRunLoop.current.perform(
                Target.selector,
                target: target,
                argument: nil,
                order: $0,
                modes: [.default]
            )
        },
        HostileRow("RLSelector.init(_:_:)", Hostile.strings) {
            RLRunLoop.current.perform(
                RLSelector<Target>($0, Target.act),
                target: target,
                argument: nil,
                order: 0,
                modes: [.default]
            )
        },
    ]
}

@MainActor private func runRows() -> [HostileRow] {
    [
        HostileRow("RLRunLoop.run(until:)", Hostile.dates) {
            // Such a run ignores stops.
            if $0.timeIntervalSinceNow < 1 || $0.timeIntervalSinceNow.isNaN {
                RLRunLoop.current.run(until: $0)
            }
        },
        HostileRow("RLRunLoop.run(until:)", Hostile.instants.filter { $0 < .now }) {
            RLRunLoop.current.run(until: $0)
        },
        HostileRow("RLRunLoop.run(for:)", Hostile.durations.filter { $0 < .seconds(1) }) {
            RLRunLoop.current.run(for: $0)
        },
        HostileRow("RLRunLoop.run(mode:before:)", Hostile.dates) {
            RLRunLoop.current.run(mode: .default, before: $0)
        },
        HostileRow("RLRunLoop.run(mode:for:)", Hostile.durations) {
            RLRunLoop.current.run(mode: .default, for: $0)
        },
        HostileRow("RLRunLoop.acceptInput(forMode:before:)", Hostile.dates) {
            RLRunLoop.current.acceptInput(forMode: .default, before: $0)
        },
        HostileRow("RLMainRunLoop.run(mode:before:)", Hostile.dates) {
            RLRunLoop.main.run(mode: .default, before: $0)
        },
        HostileRow("RLMainRunLoop.run(until:)", [Date(timeIntervalSinceNow: .nan), .distantPast]) {
            RLRunLoop.main.run(until: $0)
        },
        HostileRow("RLRunLoop.pump(for:mode:)", Hostile.durations.filter { $0 < .seconds(1) }) {
            RLRunLoop.current.pump(for: $0)
        },
        HostileRow("RLRunLoop.busyPollInterval", Hostile.seconds) {
            RLRunLoop.current.busyPollInterval = $0
            let interval = RLRunLoop.current.busyPollInterval
            RLRunLoop.current.busyPollInterval = 0
            if !(interval >= 0) { exit(EXIT_FAILURE) }
        },
        HostileRow("RLRunLoop.stop(withCode:)", Hostile.numbers) {
            RLRunLoop.current.stop(withCode: $0)
            if RLRunLoop.current.runUntilStopped() != $0 { exit(EXIT_FAILURE) }
        },
        HostileRow("RLMainRunLoop.stop(withCode:)", Hostile.numbers) {
            RLRunLoop.main.stop(withCode: $0)
            if RLRunLoop.main.runUntilStopped() != $0 { exit(EXIT_FAILURE) }
        },
        HostileRow("RLRunLoop.Mode.init(_:)", Hostile.strings) {
            RLRunLoop.current.run(mode: RLRunLoop.Mode($0), before: .distantPast)
        },
        HostileRow("RLRunLoop.observe(_:in:repeats:order:handler:)", Hostile.integers) {
            RLRunLoop.current.observe(.entry, order: $0) { observer, _ in observer.invalidate() }
        },
        HostileRow("RLRunLoop.observe(signals:in:handler:)", Hostile.numbers) {
            RLRunLoop.current.observe(signals: [$0]) { _, _ in }.invalidate()
        },
        HostileRow("RLRunLoop.observe(process:reaps:in:handler:)", Hostile.numbers) {
            RLRunLoop.current.observe(process: $0) { _, _ in }.invalidate()
        },
        HostileRow("RLProcessEnd.init(waitStatus:)", Hostile.numbers) {
            _ = "\(RLProcessEnd(waitStatus: $0))"
        },
        HostileRow("RLRunLoop.observe(descriptor:_:in:handler:)", Hostile.numbers) {
            RLRunLoop.current.observe(descriptor: $0) { source, _ in source.invalidate() }
                .invalidate()
        },
        HostileRow("RLRunLoop.addSource(in:order:handler:)", Hostile.integers) {
            RLRunLoop.current.addSource(order: $0) { _ in }.invalidate()
        },
        HostileRow("RLIdleQueue.init(modes:sliceBudget:)", Hostile.durations) {
            RLIdleQueue(sliceBudget: $0).add {}
        },
        HostileRow("RLIdleQueue.sliceBudget", Hostile.durations) {
            let queue = RLIdleQueue()
            queue.sliceBudget = $0
            queue.add {}
        },
        HostileRow("RLFileWatch.init(path:events:)", Hostile.strings) {
            _ = try RLFileWatch(path: $0)
        },
        HostileRow("RLNotification.Name.init(_:)", Hostile.strings) {
            _ = RLNotification.Name($0)
        },
    ]
}

@MainActor private let scratch: UnsafeMutablePointer<UInt8> = {
    let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: 1_000_000)
    scratch.initialize(repeating: 0, count: 1_000_000)
    return scratch
}()

@MainActor private func streamRows() -> [HostileRow] {
    let sizes = [Int.min, -1, 0, 1, 1_000_000]
    return [
        HostileRow("RLInputStream.init(fileAtPath:)", Hostile.strings) {
            RLInputStream(fileAtPath: $0)?.open()
        },
        HostileRow("RLInputStream.read(_:maxLength:)", sizes) {
            let input = RLInputStream(data: Data([1]))
            input.open()
            _ = input.read(scratch, maxLength: $0)
        },
        HostileRow("RLInputStream.lines(maximumLength:on:mode:)", Hostile.integers) {
            _ = RLInputStream(data: Data([1])).lines(maximumLength: $0)
        },
        HostileRow("RLInputStream.chunks(upToCount:on:mode:)", Hostile.integers) {
            _ = RLInputStream(data: Data([1])).chunks(upToCount: $0)
        },
        .async("RLInputStream.read(upToCount:on:mode:)", Hostile.integers) { count in
            _ = try await RLInputStream(data: Data([1])).read(upToCount: count)
        },
        HostileRow("RLLineReader.init(_:maximumLength:line:whenOver:)", Hostile.integers) {
            _ = RLLineReader(RLInputStream(data: Data([1])), maximumLength: $0) { _ in
            } whenOver: { _ in
            }
        },
        HostileRow("RLOutputStream.init(toBuffer:capacity:)", sizes) {
            RLOutputStream(toBuffer: scratch, capacity: $0).open()
        },
        HostileRow("RLOutputStream.init(toFileAtPath:append:)", Hostile.strings) {
            RLOutputStream(toFileAtPath: $0, append: true)?.open()
        },
        HostileRow("RLOutputStream.write(_:maxLength:)", sizes) {
            let output = RLOutputStream(toBuffer: scratch, capacity: 4)
            output.open()
            _ = output.write(scratch, maxLength: $0)
        },
        .async("RLOutputStream.write(contentsOf:on:mode:)", Hostile.bytes) { bytes in
            let output = RLOutputStream.toMemory()
            try await output.write(contentsOf: bytes)
        },
        .async("RLOutputStream.write(contentsOf:on:mode:)", [0, 4]) { capacity in
            let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: 4)
            defer { buffer.deallocate() }
            let output = RLOutputStream(toBuffer: buffer, capacity: capacity)
            do {
                try await output.write(contentsOf: [UInt8](repeating: 1, count: capacity))
                try await output.write(contentsOf: [1])
                exit(EXIT_FAILURE)
            } catch let error as POSIXError where error.code == .ENOSPC {}
        },
        HostileRow(
            "RLStream.getStreamsToHost(withName:port:inputStream:outputStream:)",
            Hostile.integers
        ) {
            var input: RLInputStream?
            var output: RLOutputStream?
            RLStream.getStreamsToHost(
                withName: "127.0.0.1",
                port: $0,
                inputStream: &input,
                outputStream: &output
            )
        },
        HostileRow(
            "RLStream.getStreamsToHost(withName:port:inputStream:outputStream:)",
            Hostile.strings
        ) {
            var input: RLInputStream?
            RLStream.getStreamsToHost(withName: $0, port: 1, inputStream: &input, outputStream: nil)
            input?.open()
        },
        HostileRow(
            "RLStream.getBoundStreams(withBufferSize:inputStream:outputStream:)",
            Hostile.integers
        ) {
            var input: RLInputStream?
            RLStream.getBoundStreams(withBufferSize: $0, inputStream: &input, outputStream: nil)
        },
        HostileRow("RLStream.PropertyKey.init(_:)", Hostile.strings) {
            _ = RLInputStream(data: Data([1])).property(forKey: RLStream.PropertyKey($0))
        },
        HostileRow("RLListener.init(host:port:)", Hostile.strings) { host in
            do {
                _ = try RLListener(host: host, port: 0)
                if host.contains("\0") { exit(EXIT_FAILURE) }
            } catch {}
        },
        HostileRow("RLListener.init(host:port:)", Hostile.ports) {
            _ = try RLListener(host: "127.0.0.1", port: $0)
        },
        HostileRow("RLSocketPort.init(tcpPort:)", Hostile.ports) { _ = RLSocketPort(tcpPort: $0) },
        HostileRow("RLSocketPort.init(remoteWithTCPPort:host:)", ["a\0b", "127.0.0.1\0b"]) {
            if RLSocketPort(remoteWithTCPPort: 1, host: $0) != nil { exit(EXIT_FAILURE) }
        },
        HostileRow("RLSocketPort.init(remoteWithTCPPort:host:)", Hostile.ports) {
            _ = RLSocketPort(remoteWithTCPPort: $0, host: "127.0.0.1")
        },
        HostileRow(
            "RLSocketPort.init(protocolFamily:socketType:protocol:address:)",
            Hostile.numbers
        ) {
            _ = RLSocketPort(protocolFamily: $0, socketType: $0, protocol: $0, address: Data([1]))
        },
        HostileRow("RLSocketPort.init(protocolFamily:socketType:protocol:socket:)", Hostile.numbers)
        {
            _ = RLSocketPort(protocolFamily: $0, socketType: $0, protocol: $0, socket: -1)
        },
        HostileRow(
            "RLSocketPort.init(remoteWithProtocolFamily:socketType:protocol:address:)",
            Hostile.numbers
        ) {
            _ = RLSocketPort(
                remoteWithProtocolFamily: $0,
                socketType: $0,
                protocol: $0,
                address: Data([1])
            )
        },
        HostileRow("RLPort.send(before:components:from:reserved:)", Hostile.dates) {
            RLPort().send(before: $0)
        },
        HostileRow("RLPort.send(before:components:from:reserved:)", Hostile.integers) {
            RLPort().send(before: .distantPast, reserved: $0)
        },
        HostileRow("RLPort.send(before:msgid:components:from:reserved:)", Hostile.words) {
            RLPort().send(before: .distantPast, msgid: $0)
        },
        HostileRow("RLPortMessage.send(before:)", Hostile.dates) {
            RLPortMessage(sendPort: RLPort(), receivePort: nil, components: nil).send(before: $0)
        },
        HostileRow("RLSocketPort.send(before:msgid:components:from:reserved:)", Hostile.dates) {
            _ = RLSocketPort(tcpPort: 0)?.send(before: $0, msgid: 1)
        },
    ]
}
