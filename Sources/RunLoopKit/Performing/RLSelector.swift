import CRunLoop.Wrapping
import CoreRunLoop

/// A method with its name, instead of Objective-C's selectors.
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
    /// Arguments are ignored. Performing the method of an actor on a thread on which that does not
    /// run stops the process with a message: for the main actor, on any but the main thread.
    public init(
        _ name: String,
        _ method: @escaping @Sendable (Target) -> @isolated(any) () -> Void
    ) {
        self.name = name
        self.invoke = { target, _ in
            let method = method(target)
            Self.check(method.isolation, name)
            // The isolation was checked. `assumeIsolated` would also check the executor, which
            // differs in runs that an actor's job makes.
            unsafeBitCast(Isolated(method: method), to: Plain.self).method()
        }
    }

    /// Names a method with one parameter.
    ///
    /// Performing it with an argument of another type stops the process with a message, and so does
    /// performing the method of an actor on a thread on which that does not run.
    public init<Argument>(
        _ name: String,
        _ method: @escaping @Sendable (Target) -> @isolated(any) (Argument) -> Void
    ) {
        self.name = name
        self.invoke = { target, argument in
            let method = method(target)
            Self.check(method.isolation, name)
            let argument: Argument = Self.convert(argument, for: name)
            // See above.
            unsafeBitCast(IsolatedWithArgument(method: method), to: PlainWithArgument.self)
                .method(argument)
        }
    }

    // Structures: a cast of the function itself would allocate another closure.

    private struct Isolated { let method: @isolated(any) () -> Void }
    private struct Plain { let method: () -> Void }
    private struct IsolatedWithArgument<Argument> {
        let method: @isolated(any) (Argument) -> Void
    }
    private struct PlainWithArgument<Argument> { let method: (Argument) -> Void }

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

    /// Stops the process if an actor does not run on the calling thread.
    private static func check(_ actor: (any Actor)?, _ name: String) {
        guard let actor, !runsHere(actor) else { return }
        let isMain = actor is MainActor
        stopProcess(
            "perform",
            "selector \(name) of \(Target.self) is a method of \(isMain ? "the main actor" : "\(actor)"), "
                + "and is performed on thread \(describeCurrentThread()): "
                + (isMain ? "use performSelector(onMainThread:)" : "await it in a task")
        )
    }

    /// Whether two selectors have the same name.
    public static func == (first: RLSelector, second: RLSelector) -> Bool {
        first.name == second.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
