public import CoreRunLoop
import Synchronization

extension RLRunLoop {
    /// The name of a mode; any string.
    ///
    /// Foundation: RunLoop.Mode.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// The mode as the engine's functions use it.
        public let mode: RLRunLoopMode

        /// The name.
        public var rawValue: String {
            mode.description
        }

        /// Creates a mode from its name.
        public init(rawValue: String) {
            self.init(RLRunLoopMode(rawValue))
        }

        /// Creates a mode from its name.
        public init(_ rawValue: String) {
            self.init(rawValue: rawValue)
        }

        /// Creates a mode from a mode of the engine.
        public init(_ mode: RLRunLoopMode) {
            self.mode = mode
        }

        /// The mode in which a loop usually runs.
        ///
        /// Foundation: RunLoop.Mode.default.
        public static let `default` = Mode(.defaultMode)

        /// A placeholder for all common modes, for functions that add and remove items or perform
        /// blocks.
        ///
        /// A loop cannot run in this mode.
        ///
        /// Foundation: RunLoop.Mode.common.
        public static let common = Mode(.commonModes)

        /// The mode in which the main loop runs while the user drags or scrolls.
        ///
        /// On the main loop, this mode is common, as in UIKit: the loop then serves items in
        /// ``common``, but not items in ``default``. On other loops, the mode is an ordinary mode
        /// until `RLRunLoopAddCommonMode` makes it common.
        ///
        /// Foundation: RunLoop.Mode.tracking of UIKit.
        public static var tracking: Mode { tracked.mode }

        /// The mode in which the main loop of a desktop program runs while the user drags or
        /// scrolls.
        ///
        /// On the main loop, this mode is common, as in AppKit.
        ///
        /// Foundation: RunLoop.Mode.eventTracking of AppKit.
        public static var eventTracking: Mode { eventTracked.mode }

        /// The mode in which the main loop runs while a modal panel is open.
        ///
        /// On the main loop, this mode is common, as in AppKit.
        ///
        /// Foundation: RunLoop.Mode.modalPanel of AppKit.
        public static var modalPanel: Mode { panel.mode }

        private static let tracked = PresetMode("RLTrackingRunLoopMode")
        private static let eventTracked = PresetMode("RLEventTrackingRunLoopMode")
        private static let panel = PresetMode("RLModalPanelRunLoopMode")
    }
}

// Without this extension, the standard library would compare raw values, which converts both modes
// to strings.
extension RLRunLoop.Mode {
    /// Returns whether two names have the same characters.
    public static func == (first: RLRunLoop.Mode, second: RLRunLoop.Mode) -> Bool {
        first.mode == second.mode
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(mode)
    }
}

// Fix-its for programs that use the names of the engine or of Swift 3.
extension RLRunLoop.Mode {
    /// The engine's name of the default mode.
    @available(*, unavailable, renamed: "default")
    public static var defaultMode: RLRunLoop.Mode { .default }

    /// The engine's name of the common modes.
    @available(*, unavailable, renamed: "common")
    public static var commonModes: RLRunLoop.Mode { .common }

    /// The name of Foundation's default mode in Swift 3.
    @available(*, unavailable, renamed: "default")
    public static var defaultRunLoopMode: RLRunLoop.Mode { .default }
}

extension RLRunLoop.Mode: ExpressibleByStringLiteral {
    /// Creates a mode from a string literal.
    public init(stringLiteral name: String) {
        self.init(rawValue: name)
    }
}

extension RLRunLoop.Mode: CustomStringConvertible {
    /// The name.
    public var description: String {
        rawValue
    }
}

/// A predefined mode that is common on the main loop.
///
/// The mode becomes common on first use: each common mode increases the cost of adding common
/// items, and most programs only need the default mode.
private final class PresetMode: Sendable {
    private let stored: RLRunLoop.Mode
    private let isCommon = Atomic(false)

    init(_ name: String) {
        stored = RLRunLoop.Mode(rawValue: name)
    }

    var mode: RLRunLoop.Mode {
        // The initializer of a constant cannot contain this code, because the call makes sources
        // call their `schedule` callbacks, which may use the mode. Several threads may make the
        // call, because the call is idempotent.
        if !isCommon.load(ordering: .acquiring) {
            RLRunLoopAddCommonMode(RLRunLoopGetMain(), stored.mode)
            isCommon.store(true, ordering: .releasing)
        }
        return stored
    }
}
