/// The importance of the work of a thread: ``RLThread/qualityOfService``.
///
/// Linux has no such classes. A thread of a low class begins with a higher niceness, so that it
/// gets less of a busy processor; that needs no privileges. Threads of the other classes begin with
/// the niceness of the thread that starts them: a lower one would need privileges.
///
/// Foundation: QualityOfService.
public enum RLQualityOfService: Int, Sendable {
    /// Work that the user sees moving: the niceness is not changed.
    case userInteractive = 33
    /// Work that the user waits for: the niceness is not changed.
    case userInitiated = 25
    /// Work that takes a while: a niceness of at least 5.
    case utility = 17
    /// Work that the user does not notice: a niceness of at least 10.
    case background = 9
    /// Not specified: the niceness is not changed.
    case `default` = -1

    /// The least niceness of a thread; nil for any.
    var niceness: CInt? {
        switch self {
        case .utility: 5
        case .background: 10
        case .userInteractive, .userInitiated, .default: nil
        }
    }
}
