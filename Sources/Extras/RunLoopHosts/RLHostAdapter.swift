import CRunLoopHosts
public import CoreRunLoop
public import RunLoopKit

/// Serves the calling thread's run loop inside another event loop, its host.
///
/// ```swift
/// let adapter = RLHostAdapter.glib()
/// defer { adapter.invalidate() }
/// ```
///
/// The host then serves timers, sources and blocks of the run loop, without a helper thread and
/// without polling: an idle host sleeps. With the main run loop, the host also serves the main
/// dispatch queue and Swift's main actor.
///
/// A run loop has one adapter at a time. The adapter is valid until it is invalidated or its thread
/// ends; you need not retain the object. An adapter is confined to the run loop's thread. Creating
/// a second adapter, or an adapter for a library that is not loaded, stops the process with a
/// message.
///
/// Foundation has no counterpart.
public final class RLHostAdapter {
    private let reference: RLHostAdapterRef

    /// Adopts the reference; stops the process if the reference is nil.
    private init(_ reference: RLHostAdapterRef?, _ call: String) {
        guard let reference else {
            stopProcess(call, "cannot host the run loop: the line above states the cause")
        }
        self.reference = reference
    }

    deinit {
        RLHostAdapterRelease(reference)
    }

    /// Serves the run loop in a GLib context, such as GTK's.
    ///
    /// A nested `g_main_loop_run` in a callback of the run loop also serves the run loop.
    ///
    /// - Parameters:
    ///   - context: The `GMainContext` that this thread runs; nil for the thread's default context.
    ///   - priority: The priority among GLib's sources, 0 for `G_PRIORITY_DEFAULT`. Lower values
    ///     are served first.
    ///   - mode: The mode in which the run loop is served; must not be `RLRunLoop.Mode.common`.
    ///   - options: Whether the main dispatch queue is left to the host.
    /// - Returns: The adapter, which need not be retained.
    @available(*, noasync)
    @discardableResult
    public static func glib(
        _ context: OpaquePointer? = nil,
        priority: Int32 = 0,
        mode: RLRunLoop.Mode = .default,
        options: RLRunLoopHostingOptions = []
    ) -> RLHostAdapter {
        let reference = withOptions(mode, options, priority: priority) {
            RLHostAdapterCreateWithGLib(context, $0)
        }
        return RLHostAdapter(reference, "RLHostAdapter.glib(_:priority:mode:options:)")
    }

    /// Serves the run loop in a libuv loop.
    ///
    /// By default, `uv_run` returns only after `uv_stop` or when the adapter is invalid. Invalidate
    /// the adapter before `uv_loop_close`.
    ///
    /// - Parameters:
    ///   - loop: The `uv_loop_t` that this thread runs, such as `uv_default_loop()`.
    ///   - mode: The mode in which the run loop is served; must not be `RLRunLoop.Mode.common`.
    ///   - options: Whether the main dispatch queue is left to the host.
    /// - Returns: The adapter, which need not be retained.
    @available(*, noasync)
    @discardableResult
    public static func uv(
        _ loop: UnsafeMutableRawPointer,
        mode: RLRunLoop.Mode = .default,
        options: RLRunLoopHostingOptions = []
    ) -> RLHostAdapter {
        let reference = withOptions(mode, options) {
            RLHostAdapterCreateWithUV(OpaquePointer(loop), $0)
        }
        return RLHostAdapter(reference, "RLHostAdapter.uv(_:mode:options:)")
    }

    /// Adds the run loop's descriptor to an epoll set.
    ///
    /// Call ``serve()`` when `epoll_wait` returns an event with the payload.
    ///
    /// - Parameters:
    ///   - set: The epoll set.
    ///   - payload: The value of `epoll_event.data.u64`.
    ///   - mode: The mode in which the run loop is served; must not be `RLRunLoop.Mode.common`.
    ///   - options: Whether the main dispatch queue is left to the host.
    /// - Returns: The adapter, which need not be retained.
    @available(*, noasync)
    @discardableResult
    public static func epoll(
        _ set: Int32,
        payload: UInt64,
        mode: RLRunLoop.Mode = .default,
        options: RLRunLoopHostingOptions = []
    ) -> RLHostAdapter {
        let reference = withOptions(mode, options) {
            RLHostAdapterCreateWithEpoll(set, payload, $0)
        }
        return RLHostAdapter(reference, "RLHostAdapter.epoll(_:payload:mode:options:)")
    }

    /// Serves the run loop in a host of any kind.
    ///
    /// The host waits until ``descriptor`` is readable and then calls ``serve()``.
    ///
    /// - Parameters:
    ///   - mode: The mode in which the run loop is served; must not be `RLRunLoop.Mode.common`.
    ///   - options: Whether the main dispatch queue is left to the host.
    /// - Returns: The adapter, which need not be retained.
    @available(*, noasync)
    @discardableResult
    public static func polled(
        mode: RLRunLoop.Mode = .default,
        options: RLRunLoopHostingOptions = []
    ) -> RLHostAdapter {
        let reference = withOptions(mode, options) { RLHostAdapterCreateWithDescriptor($0) }
        return RLHostAdapter(reference, "RLHostAdapter.polled(mode:options:)")
    }

    /// A descriptor that is readable while the run loop has work; -1 if the adapter is invalid.
    ///
    /// Poll the descriptor level-triggered. Do not read or close the descriptor.
    public var descriptor: Int32 {
        RLHostAdapterGetDescriptor(reference)
    }

    /// Serves the run loop without blocking.
    ///
    /// Adapters for GLib and libuv call this method themselves.
    ///
    /// - Returns: Whether there is more work, so the descriptor is still readable.
    @available(*, noasync)
    @discardableResult
    public func serve() -> Bool {
        RLHostAdapterServe(reference)
    }

    /// Ends the hosting: the host no longer serves the run loop.
    ///
    /// May be called in callbacks of either loop. Idempotent.
    public func invalidate() {
        RLHostAdapterInvalidate(reference)
    }

    /// Whether the host serves the run loop.
    public var isValid: Bool {
        RLHostAdapterIsValid(reference)
    }

    private static func withOptions(
        _ mode: RLRunLoop.Mode,
        _ options: RLRunLoopHostingOptions,
        priority: Int32 = 0,
        _ body: (UnsafePointer<RLHostAdapterOptions>) -> RLHostAdapterRef?
    ) -> RLHostAdapterRef? {
        withExtendedLifetime(mode) {
            var all = RLHostAdapterOptions()
            all.mode = mode.mode.rawValue
            all.options = options
            all.priority = priority
            return body(&all)
        }
    }
}

extension RLHostAdapter: CustomStringConvertible {
    /// The address, and whether the host serves the run loop.
    public var description: String {
        describe(self, isValid ? "serves" : "ended")
    }
}
