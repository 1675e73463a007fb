/// The importance of a thread's work, which is the value of ``RLThread/qualityOfService``.
///
/// Linux has no quality-of-service classes. A thread of a low class starts with a higher niceness,
/// which requires no privileges, and receives a smaller share of a busy processor. Threads of the
/// other classes inherit the niceness of the thread that starts them, because a lower niceness
/// requires privileges.
///
/// Foundation: QualityOfService.
public enum RLQualityOfService: Int, Sendable {
    /// Animations and other work that the user watches; the niceness is not changed.
    case userInteractive = 33
    /// Work that the user waits for; the niceness is not changed.
    case userInitiated = 25
    /// Work that takes some time; the niceness is at least 5.
    case utility = 17
    /// Work that the user does not notice; the niceness is at least 10.
    case background = 9
    /// An unspecified importance; the niceness is not changed.
    case `default` = -1

    var niceness: CInt? {
        switch self {
        case .utility: 5
        case .background: 10
        case .userInteractive, .userInitiated, .default: nil
        }
    }
}
