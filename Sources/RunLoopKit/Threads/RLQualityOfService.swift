/// The importance of the work of a thread: ``RLThread/qualityOfService``.
///
/// Linux has no such classes. A thread of a low class starts with a higher niceness, which needs no
/// privileges, and gets less of a busy processor. Threads of the other classes start with the
/// niceness of the thread that starts them, because a lower one would need privileges.
///
/// Foundation: QualityOfService.
public enum RLQualityOfService: Int, Sendable {
    /// Animations and other work that the user watches: the niceness is not changed.
    case userInteractive = 33
    /// Work that the user waits for: the niceness is not changed.
    case userInitiated = 25
    /// Work that takes a while: a niceness of at least 5.
    case utility = 17
    /// Work that the user does not notice: a niceness of at least 10.
    case background = 9
    /// Not specified: the niceness is not changed.
    case `default` = -1

    /// The minimum niceness of a thread; nil for no minimum.
    var niceness: CInt? {
        switch self {
        case .utility: 5
        case .background: 10
        case .userInteractive, .userInitiated, .default: nil
        }
    }
}
