import CoreRunLoop
import Foundation
import RunLoopConcurrency
import RunLoopDiagnostics
import RunLoopDisplay
import RunLoopKit
import RunLoopNetworking

// Without a row, as they store their values, or pass them to a function that has a row:
//
// - RLDisplayLink.init(target:selector:refreshRate:): calls RLDisplayLink.init(refreshRate:handler:)
// - RLDisplayLink.frameInterval: deprecated, and clamps its number
// - RLDisplayLink.preferredFramesPerSecond: deprecated, and clamps its number
// - RLHTTPClient.download(_:toFile:progress:): its RLOutputStream opens the path
// - RLHTTPLoopClient.send(_:toFile:progress:completion:): its RLOutputStream opens the path
// - RLHTTPResponse.value(forField:): compares strings
// - RLHostAdapter.epoll(_:payload:mode:options:): epoll_ctl(2) checks the descriptor
// - RLHostAdapter.glib(_:priority:mode:options:): GLib takes every priority
// - RLRunLoop.serveFoundation(foundationMode:in:every:): the interval of an RLTimer

/// A port without a listener.
private let closedPort = URL(string: "http://127.0.0.1:1/") ?? URL(fileURLWithPath: "/")

/// Functions of the extras that take a date, interval, size, count, port or string.
///
/// `.ci/surface` compares the names with the symbol graphs.
@MainActor func hostileRows() -> [HostileRow] {
    [
        HostileRow("RLDisplayLink.init(refreshRate:handler:)", Hostile.integers) {
            RLDisplayLink(refreshRate: $0) { _ in }.invalidate()
        },
        HostileRow("RLDisplayLink.init(device:pipe:handler:)", Hostile.integers) {
            try RLDisplayLink(device: "/dev/null", pipe: $0) { _ in }.invalidate()
        },
        HostileRow("RLDisplayLink.init(device:pipe:handler:)", Hostile.strings) {
            try RLDisplayLink(device: $0) { _ in }.invalidate()
        },
        HostileRow("RLFrameRateRange.init(minimum:maximum:preferred:)", Hostile.floats) {
            _ = RLFrameRateRange(minimum: 1, maximum: $0, preferred: $0)
        },
        HostileRow(
            "RLBacktrace.init(ofThread:timeout:)",
            Hostile.durations.filter { $0 < .seconds(1) }
        ) {
            _ = try RLBacktrace(ofThread: getpid(), timeout: $0)
        },
        HostileRow("RLBacktrace.init(ofThread:timeout:)", Hostile.numbers) {
            _ = try RLBacktrace(ofThread: $0)
        },
        HostileRow("RLBacktrace.Frame.init(address:)", [UInt.min, 1, .max]) {
            _ = RLBacktrace.Frame(address: $0)
        },
        HostileRow("RLRunLoopDump.take(at:handler:)", Hostile.numbers) {
            try RLRunLoopDump.take(at: $0) { _ in }
        },
        HostileRow("RLRunLoopDump.write(at:to:)", Hostile.numbers) {
            try RLRunLoopDump.write(at: $0, to: $0)
        },
        HostileRow("RLRunLoopDump.end(at:)", Hostile.numbers) { RLRunLoopDump.end(at: $0) },
        HostileRow("RLRunLoopTracer.init(capacity:calloutsOnly:)", Hostile.integers) {
            _ = RLRunLoopTracer(capacity: $0)
        },
        HostileRow(
            "RLRunLoopTrace.svg(title:width:foldsIdleTimes:showsObservers:)",
            Hostile.integers
        ) {
            _ = RLRunLoopTracer(capacity: 16).snapshot().svg(width: $0)
        },
        HostileRow(
            "RLRunLoopTrace.svg(title:width:foldsIdleTimes:showsObservers:)",
            Hostile.strings
        ) {
            _ = RLRunLoopTracer(capacity: 16).snapshot().svg(title: $0)
        },
        HostileRow("RLRunLoopTrace.summary(most:)", Hostile.integers) {
            _ = RLRunLoopTracer(capacity: 16).snapshot().summary(most: $0)
        },
        HostileRow(
            "RLStallMonitor.Configuration.init(threshold:count:longThreshold:interval:modes:findsLines:)",
            Hostile.durations
        ) {
            let configuration = RLStallMonitor.Configuration(
                threshold: $0,
                longThreshold: $0,
                interval: $0
            )
            RLStallMonitor(configuration) { _ in }.stop()
        },
        HostileRow(
            "RLStallMonitor.Configuration.init(threshold:count:longThreshold:interval:modes:findsLines:)",
            Hostile.integers
        ) {
            RLStallMonitor(RLStallMonitor.Configuration(count: $0)) { _ in }.stop()
        },
        HostileRow("RLHTTPBodyStream.init(length:open:)", Hostile.integers) {
            _ = RLHTTPBodyStream(length: $0) { nil }
        },
        HostileRow("RLHTTPField.init(name:value:)", Hostile.strings) {
            _ = RLHTTPField(name: $0, value: $0)
        },
        HostileRow("RLHTTPLimits.init(headLength:fieldCount:bodyLength:)", Hostile.integers) {
            _ = RLHTTPLimits(headLength: $0, fieldCount: $0, bodyLength: $0)
        },
        .async("RLHTTPRequest.init(method:url:fields:body:)", Hostile.strings) {
            let request = RLHTTPRequest(method: $0, url: closedPort)
            _ = try await RLHTTPClient().response(for: request)
        },
        .async(
            "RLHTTPRequest.init(url:fields:timeoutIntervalForRequest:timeoutIntervalForResource:limits:)",
            Hostile.durations
        ) {
            let request = RLHTTPRequest(
                url: closedPort,
                timeoutIntervalForRequest: $0,
                timeoutIntervalForResource: $0
            )
            _ = try await RLHTTPClient().response(for: request)
        },
    ]
}
