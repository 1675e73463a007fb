public import CoreRunLoop

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

        /// Makes a mode from its name.
        public init(rawValue: String) {
            self.init(RLRunLoopMode(rawValue))
        }

        /// Makes a mode from its name.
        public init(_ rawValue: String) {
            self.init(rawValue: rawValue)
        }

        /// Makes a mode from the engine's.
        public init(_ mode: RLRunLoopMode) {
            self.mode = mode
        }

        /// The mode in which a loop usually runs.
        ///
        /// Foundation: RunLoop.Mode.default.
        public static let `default` = Mode(.defaultMode)

        /// Stands for all common modes when something is added, removed or performed.
        ///
        /// A loop cannot run in it.
        ///
        /// Foundation: RunLoop.Mode.common.
        public static let common = Mode(.commonModes)

        /// For the time in which the user drags or scrolls: only what keeps up with that is added
        /// to it.
        ///
        /// It is an ordinary mode; make it common with `RLRunLoopAddCommonMode` if wanted.
        ///
        /// Foundation: RunLoop.Mode.tracking of UIKit.
        public static let tracking = Mode("RLTrackingRunLoopMode")

        /// The same for desktop programs.
        ///
        /// Foundation: RunLoop.Mode.eventTracking of AppKit.
        public static let eventTracking = Mode("RLEventTrackingRunLoopMode")

        /// For the time in which a modal panel waits for its answer.
        ///
        /// Foundation: RunLoop.Mode.modalPanel of AppKit.
        public static let modalPanel = Mode("RLModalPanelRunLoopMode")
    }
}

extension RLRunLoop.Mode: ExpressibleByStringLiteral {
    /// Makes a mode from a string literal.
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
