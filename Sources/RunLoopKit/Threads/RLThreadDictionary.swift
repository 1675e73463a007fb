import CRunLoop.Wrapping

/// Thread-local values by key: ``RLThread/threadDictionary``.
///
/// It is a reference type: all code on the thread shares one dictionary.
///
/// ```swift
/// let dictionary = RLThread.current.threadDictionary
/// dictionary["ThreadShouldExitNow"] = false
/// while dictionary["ThreadShouldExitNow"] as? Bool == false {
///     RLRunLoop.current.run(mode: .default, before: .distantFuture)
/// }
/// ```
///
/// It is confined to its thread and is emptied there when the thread ends. Its use on another
/// thread stops the process with a line.
///
/// Foundation: NSMutableDictionary, as far as thread dictionaries are used.
public final class RLThreadDictionary {
    private var values: [AnyHashable: Any] = [:]
    // A number that no later thread gets, set on the thread before other code can have the
    // dictionary.
    private var thread: UInt64?

    init() {}

    /// Makes it the calling thread's.
    func belongHere() {
        if thread == nil { thread = RLThreadGetSerialNumber() }
    }

    /// The compiler lets a reference be sent whole to another thread.
    private func checkThread() {
        if thread == RLThreadGetSerialNumber() { return }
        stopProcess(
            "RLThreadDictionary",
            "used on thread \(describeCurrentThread()), which is another one: ask for "
                + "RLThread.current.threadDictionary on each thread"
        )
    }

    /// The value of a key; setting nil removes it.
    ///
    /// Foundation: subscript(_:).
    public subscript(key: AnyHashable) -> Any? {
        get {
            checkThread()
            return values[key]
        }
        set {
            checkThread()
            guard let newValue else { return removeObject(forKey: key) }
            let replaced = values.updateValue(newValue, forKey: key)
            // Released only now, as its end may use the dictionary.
            withExtendedLifetime(replaced) {}
        }
    }

    /// The value of a key.
    ///
    /// Foundation: object(forKey:).
    public func object(forKey key: AnyHashable) -> Any? {
        self[key]
    }

    /// The value of a key.
    ///
    /// Foundation: value(forKey:).
    public func value(forKey key: String) -> Any? {
        self[key]
    }

    /// Sets the value of a key.
    ///
    /// Foundation: setObject(_:forKey:).
    public func setObject(_ value: Any, forKey key: AnyHashable) {
        self[key] = value
    }

    /// Sets the value of a key; nil removes it.
    ///
    /// Foundation: setValue(_:forKey:).
    public func setValue(_ value: Any?, forKey key: String) {
        self[key] = value
    }

    /// Removes a key and its value.
    ///
    /// Does nothing if there is none.
    ///
    /// Foundation: removeObject(forKey:).
    public func removeObject(forKey key: AnyHashable) {
        checkThread()
        guard let index = values.index(forKey: key) else { return }
        let removed = values.remove(at: index)
        withExtendedLifetime(removed) {}
    }

    /// Removes everything.
    ///
    /// Foundation: removeAllObjects().
    public func removeAllObjects() {
        checkThread()
        empty()
    }

    /// Removes everything, at the thread's end or when the last owner of the thread's object lets
    /// go of it.
    func empty() {
        let removed = values
        values = [:]
        withExtendedLifetime(removed) {}
    }

    /// The number of keys that have values.
    ///
    /// Foundation: count.
    public var count: Int {
        checkThread()
        return values.count
    }

    /// The keys that have values, in no particular order.
    ///
    /// Foundation: allKeys.
    public var allKeys: [AnyHashable] {
        checkThread()
        return Array(values.keys)
    }

    /// The values, in the order of ``allKeys``.
    ///
    /// Foundation: allValues.
    public var allValues: [Any] {
        checkThread()
        return Array(values.values)
    }
}

/// It is for its own thread.
@available(*, unavailable)
extension RLThreadDictionary: Sendable {}
