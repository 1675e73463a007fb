public import CoreRunLoop
import Synchronization

extension RLRunLoop {
    /// The name of a mode; any string.
    ///
    /// Foundation: RunLoop.Mode.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// The mode for the functions of the engine.
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

        /// Creates a mode from the engine's.
        public init(_ mode: RLRunLoopMode) {
            self.mode = mode
        }

        /// The mode in which a loop usually runs.
        ///
        /// Foundation: RunLoop.Mode.default.
        public static let `default` = Mode(.defaultMode)

        /// The name that represents all common modes, in functions that add and remove items or
        /// perform blocks.
        ///
        /// A loop cannot run in it.
        ///
        /// Foundation: RunLoop.Mode.common.
        public static let common = Mode(.commonModes)

        /// The mode while the user drags or scrolls.
        ///
        /// It is a common mode of the main loop, as in UIKit: items in ``common`` are served
        /// meanwhile, items in ``default`` are not. On the loop of another thread it is an ordinary
        /// mode until `RLRunLoopAddCommonMode` makes it common.
        ///
        /// Foundation: RunLoop.Mode.tracking of UIKit.
        public static var tracking: Mode { tracked.mode }

        /// The mode while the user drags or scrolls in a desktop program.
        ///
        /// It is a common mode of the main loop, as in AppKit.
        ///
        /// Foundation: RunLoop.Mode.eventTracking of AppKit.
        public static var eventTracking: Mode { eventTracked.mode }

        /// The mode while a modal panel is open.
        ///
        /// It is a common mode of the main loop, as in AppKit.
        ///
        /// Foundation: RunLoop.Mode.modalPanel of AppKit.
        public static var modalPanel: Mode { panel.mode }

        private static let tracked = PresetMode("RLTrackingRunLoopMode")
        private static let eventTracked = PresetMode("RLEventTrackingRunLoopMode")
        private static let panel = PresetMode("RLModalPanelRunLoopMode")
    }
}

// The standard library's comparison of raw values would convert both modes to strings.
extension RLRunLoop.Mode {
    /// Whether two names have the same characters.
    public static func == (first: RLRunLoop.Mode, second: RLRunLoop.Mode) -> Bool {
        first.mode == second.mode
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(mode)
    }
}

// Migration hints for the names of the engine and of Swift 3.
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

/// A mode that is common on the main loop.
///
/// It becomes common when a program first uses it: each common mode adds to the cost of adding
/// common items, and most programs only need the default mode.
private final class PresetMode: Sendable {
    private let stored: RLRunLoop.Mode
    private let isCommon = Atomic(false)

    init(_ name: String) {
        stored = RLRunLoop.Mode(rawValue: name)
    }

    var mode: RLRunLoop.Mode {
        // Not in a constant's initializer: making a mode common calls the schedule callbacks of
        // sources, which may use the mode. Several threads may do this concurrently, which is
        // idempotent.
        if !isCommon.load(ordering: .acquiring) {
            RLRunLoopAddCommonMode(RLRunLoopGetMain(), stored.mode)
            isCommon.store(true, ordering: .releasing)
        }
        return stored
    }
}
