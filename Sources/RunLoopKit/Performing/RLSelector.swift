import CRunLoop.Wrapping
import CoreRunLoop

/// A method by name, in place of Objective-C's selectors.
///
/// Declare one beside the method, and pass it where Foundation takes a selector:
///
/// ```swift
/// extension RLSelector where Target == Radio {
///     static let tick = RLSelector("tick", Radio.tick)
///     static let play = RLSelector("play:", Radio.play)
/// }
///
/// func begin(_ radio: Radio) {
///     radio.perform(.tick, afterDelay: 1)
///     radio.perform(.play, with: "song", afterDelay: 2)
/// }
/// ```
///
/// Two selectors of a class are equal if their names are.
public struct RLSelector<Target: AnyObject>: Hashable, Sendable {
    /// The name, which identifies requests to cancel.
    public let name: String

    package let invoke: @Sendable (Target, Any?) -> Void

    /// Names a method without parameters.
    ///
    /// Arguments are ignored.
    public init(_ name: String, _ method: @escaping @Sendable (Target) -> () -> Void) {
        self.name = name
        self.invoke = { target, _ in method(target)() }
    }

    /// Names a method with one parameter.
    ///
    /// Performing it with an argument of another type stops the process with a line.
    public init<Argument>(
        _ name: String,
        _ method: @escaping @Sendable (Target) -> (Argument) -> Void
    ) {
        self.name = name
        self.invoke = { target, argument in
            method(target)(Self.convert(argument, for: name))
        }
    }

    /// Names a method of the main actor without parameters.
    ///
    /// Arguments are ignored. Performing it on another thread than the main one stops the process
    /// with a line.
    public init(
        _ name: String,
        _ method: @escaping @Sendable (Target) -> @MainActor () -> Void
    ) {
        self.name = name
        self.invoke = { target, _ in
            Self.checkMainThread(name)
            // On the main thread, as checked. `assumeIsolated` would also check the executor, which
            // is another one in a run that an actor's job makes.
            unsafeBitCast(method(target), to: (() -> Void).self)()
        }
    }

    /// Names a method of the main actor with one parameter.
    ///
    /// Performing it on another thread than the main one stops the process with a line, and so does
    /// an argument of another type.
    public init<Argument>(
        _ name: String,
        _ method: @escaping @Sendable (Target) -> @MainActor (Argument) -> Void
    ) {
        self.name = name
        self.invoke = { target, argument in
            Self.checkMainThread(name)
            let argument: Argument = Self.convert(argument, for: name)
            // As above.
            unsafeBitCast(method(target), to: ((Argument) -> Void).self)(argument)
        }
    }

    private static func convert<Argument>(_ argument: Any?, for name: String) -> Argument {
        if let argument = argument as? Argument ?? Optional<Any>.none as? Argument {
            return argument
        }
        let given = argument.map { "\(type(of: $0))" } ?? "nil"
        stopProcess(
            "perform",
            "selector \(name) of \(Target.self) takes \(Argument.self), not \(given)"
        )
    }

    private static func checkMainThread(_ name: String) {
        if RLRunLoopIsCurrent(RLRunLoopGetMain()) { return }
        stopProcess(
            "perform",
            "selector \(name) of \(Target.self) is a method of the main actor, and is performed on "
                + "thread \(describeCurrentThread()): use performSelector(onMainThread:)"
        )
    }

    /// Whether two selectors have the same name.
    public static func == (first: RLSelector, second: RLSelector) -> Bool {
        first.name == second.name
    }

    /// Feeds a hasher with the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
