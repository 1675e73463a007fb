import CRunLoop.Wrapping

/// A dictionary of thread-local values, which ``RLThread/threadDictionary`` returns.
///
/// The dictionary is a reference type: all code on the thread shares one dictionary.
///
/// ```swift
/// let dictionary = RLThread.current.threadDictionary
/// dictionary["ThreadShouldExitNow"] = false
/// while dictionary["ThreadShouldExitNow"] as? Bool == false {
///     RLRunLoop.current.run(mode: .default, before: .distantFuture)
/// }
/// ```
///
/// The dictionary is confined to its thread, which empties it when the thread ends. Use on another
/// thread stops the process with a message.
///
/// Foundation: NSMutableDictionary, with the functions that are useful for thread dictionaries.
public final class RLThreadDictionary {
    private var values: [AnyHashable: Any] = [:]
    // A unique number of the thread, which is set before other code can get the dictionary.
    private var thread: UInt64?

    init() {}

    func belongHere() {
        if thread == nil { thread = RLThreadGetSerialNumber() }
    }

    /// Stops the process on another thread: the compiler permits sending the reference there.
    private func checkThread() {
        if thread == RLThreadGetSerialNumber() { return }
        stopProcess(
            "RLThreadDictionary",
            "called on thread \(describeCurrentThread()) for the dictionary of another "
                + "thread: use RLThread.current.threadDictionary on each thread"
        )
    }

    /// The value for a key, or nil if the key has no value.
    ///
    /// Setting nil removes the key.
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
            // The replaced value is released last: its destructor may use the dictionary.
            withExtendedLifetime(replaced) {}
        }
    }

    /// Returns the value for a key, or nil if the key has no value.
    ///
    /// Foundation: object(forKey:).
    public func object(forKey key: AnyHashable) -> Any? {
        self[key]
    }

    /// Returns the value for a key, or nil if the key has no value.
    ///
    /// Foundation: value(forKey:).
    public func value(forKey key: String) -> Any? {
        self[key]
    }

    /// Sets the value for a key.
    ///
    /// Foundation: setObject(_:forKey:).
    public func setObject(_ value: Any, forKey key: AnyHashable) {
        self[key] = value
    }

    /// Sets the value for a key.
    ///
    /// Nil removes the key.
    ///
    /// Foundation: setValue(_:forKey:).
    public func setValue(_ value: Any?, forKey key: String) {
        self[key] = value
    }

    /// Removes a key and its value, if the key has a value.
    ///
    /// Foundation: removeObject(forKey:).
    public func removeObject(forKey key: AnyHashable) {
        checkThread()
        guard let index = values.index(forKey: key) else { return }
        let removed = values.remove(at: index)
        withExtendedLifetime(removed) {}
    }

    /// Removes all keys and values.
    ///
    /// Foundation: removeAllObjects().
    public func removeAllObjects() {
        checkThread()
        empty()
    }

    /// Removes all keys and values; called also at the end of the thread.
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

@available(*, unavailable)
extension RLThreadDictionary: Sendable {}
