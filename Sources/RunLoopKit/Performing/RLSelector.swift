import CRunLoop.Wrapping
import CoreRunLoop

/// A method and its name, as a replacement for Objective-C's selectors.
///
/// Declare a selector beside the method, and pass it where Foundation takes a selector:
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
/// Two selectors of a class are equal if they have the same name.
public struct RLSelector<Target: AnyObject>: Hashable, Sendable {
    /// The name, which identifies the requests that a cancellation affects.
    public let name: String

    package let invoke: @Sendable (Target, Any?) -> Void

    /// Creates a selector for a method without parameters.
    ///
    /// An argument of the request is ignored. If the method is isolated to an actor, perform it
    /// only on a thread that runs this actor, such as the main thread for the main actor. On any
    /// other thread, performing the method stops the process with a message.
    public init(
        _ name: String,
        _ method: @escaping @Sendable (Target) -> @isolated(any) () -> Void
    ) {
        self.name = name
        self.invoke = { target, _ in
            let method = method(target)
            Self.check(method.isolation, name)
            // The isolation was checked. `assumeIsolated` would also check the executor, which
            // differs if the job of another actor runs the loop.
            unsafeBitCast(Isolated(method: method), to: Plain.self).method()
        }
    }

    /// Creates a selector for a method with one parameter.
    ///
    /// Performing the method with an argument of another type stops the process with a message. If
    /// the method is isolated to an actor, perform it only on a thread that runs this actor; on any
    /// other thread, the process stops too.
    public init<Argument>(
        _ name: String,
        _ method: @escaping @Sendable (Target) -> @isolated(any) (Argument) -> Void
    ) {
        self.name = name
        self.invoke = { target, argument in
            let method = method(target)
            Self.check(method.isolation, name)
            let argument: Argument = Self.convert(argument, for: name)
            // See `init` for a method without parameters.
            unsafeBitCast(IsolatedWithArgument(method: method), to: PlainWithArgument.self)
                .method(argument)
        }
    }

    // Structures avoid an allocation: casting the function itself would allocate another closure.

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
            "RLSelector",
            "selector \(name) of \(Target.self) takes \(Argument.self), but the argument "
                + "is \(given): pass an argument of that type"
        )
    }

    private static func check(_ actor: (any Actor)?, _ name: String) {
        guard let actor, !runsHere(actor) else { return }
        let isMain = actor is MainActor
        stopProcess(
            "RLSelector",
            "selector \(name) of \(Target.self) is isolated to \(isMain ? "the main actor" : "\(actor)"), "
                + "but was performed on thread \(describeCurrentThread()): "
                + (isMain ? "use performSelector(onMainThread:)" : "await it in a task")
        )
    }

    /// Returns whether two selectors have the same name.
    public static func == (first: RLSelector, second: RLSelector) -> Bool {
        first.name == second.name
    }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
    }
}
