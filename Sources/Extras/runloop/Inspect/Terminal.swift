import Glibc
import RunLoopKit
import Synchronization

/// The full-screen mode of the terminal, with unbuffered keys.
final class Terminal {
    enum Event {
        case key(Key)
        /// The window was resized, or the program was continued. The screen must be redrawn.
        case changed
        case suspended
        /// A signal requests termination.
        case ended
        case timeout
    }

    enum Key: Equatable {
        case up, down, pageUp, pageDown, enter, escape, backspace
        case character(Character)
    }

    private static let signals = [SIGWINCH, SIGCONT, SIGTSTP, SIGINT, SIGTERM, SIGHUP]

    /// Whether standard input and output are a terminal with cursor control.
    static var isScreen: Bool {
        let name = getenv("TERM").map { String(cString: $0) }
        return name != "dumb" && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    }

    private var before = termios()
    private var signalsBefore = sigset_t()
    private var keys: [Key] = []

    init() {
        // Runs the lazy initializer here, because a signal handler must not run it.
        pendingSignals.store(0, ordering: .relaxed)
        tcgetattr(STDIN_FILENO, &before)
        pthread_sigmask(SIG_BLOCK, nil, &signalsBefore)
        takeSignals()
        takeScreen()
    }

    func close() {
        giveScreenBack()
        for signal in Self.signals { Glibc.signal(signal, SIG_DFL) }
        pthread_sigmask(SIG_SETMASK, &signalsBefore, nil)
    }

    /// Stops the process; without job control, the kernel ignores the signal.
    func suspend() {
        giveScreenBack()
        signal(SIGTSTP, SIG_DFL)
        raise(SIGTSTP)
        var stop = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &stop, nil)
        takeSignals()
        takeScreen()
    }

    private func takeScreen() {
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        raw.c_oflag &= ~tcflag_t(OPOST)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &raw)
        // Disables line wrapping: lines with wide characters are cut off.
        put("\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l")
    }

    private func giveScreenBack() {
        put("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before)
    }

    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    func show(_ lines: [TopScreen.Line]) {
        let (width, height) = size
        let shown = lines.prefix(height).map { line in
            let text = clipped(printable(line.text), to: width)
            switch line.style {
            case .plain: return text + "\u{1B}[K"
            case .bold: return "\u{1B}[1m\(text)\u{1B}[0m\u{1B}[K"
            case .reverse: return "\u{1B}[7m\(padded(text, to: width))\u{1B}[0m"
            }
        }
        put("\u{1B}[H" + shown.joined(separator: "\r\n") + "\u{1B}[J")
    }

    func wait(seconds: Double) -> Event {
        if let event = eventOfSignal() { return event }
        if !keys.isEmpty { return .key(keys.removeFirst()) }
        // The set contains descriptor 0, standard input.
        var input = fd_set()
        input.__fds_bits.0 = 1
        let whole = max(0, seconds.rounded(.down))
        var time = timespec(tv_sec: Int(whole), tv_nsec: Int(max(0, seconds - whole) * 1e9))
        var none = sigset_t()
        sigemptyset(&none)
        let count = pselect(1, &input, nil, nil, &time, &none)
        if count == 0 { return .timeout }
        if count < 0 { return self.wait(seconds: seconds) }
        guard let read = readKeys() else { return .ended }
        keys += read
        return keys.isEmpty ? .timeout : .key(keys.removeFirst())
    }

    private func eventOfSignal() -> Event? {
        let pending = pendingSignals.exchange(0, ordering: .relaxed)
        func isPending(_ signal: CInt) -> Bool { pending & (1 << UInt(signal)) != 0 }
        if [SIGINT, SIGTERM, SIGHUP].contains(where: isPending) { return .ended }
        if isPending(SIGTSTP) { return .suspended }
        // The shell used the terminal while the program was stopped.
        if isPending(SIGCONT) { takeScreen() }
        return isPending(SIGCONT) || isPending(SIGWINCH) ? .changed : nil
    }

    /// Blocks the signals except during the wait.
    private func takeSignals() {
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for number in Self.signals {
            sigaddset(&blocked, number)
            var action = sigaction()
            action.__sigaction_handler.sa_handler = {
                pendingSignals.bitwiseOr(1 << UInt($0), ordering: .relaxed)
            }
            sigaction(number, &action, nil)
        }
        pthread_sigmask(SIG_BLOCK, &blocked, nil)
    }

    /// Returns the pressed keys, or nil at EOF.
    private func readKeys() -> [Key]? {
        // Reads many bytes at once, because the rest of an arrow key's code would be parsed as
        // other keys.
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return Self.keys(in: bytes[..<count])
    }

    static func keys(in bytes: ArraySlice<UInt8>) -> [Key] {
        var keys: [Key] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case 0x1B where rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O"):
                rest.removeFirst()
                let end = rest.firstIndex { 0x40...0x7E ~= $0 }
                guard let end else { return keys }
                // Numbers before a letter are modifiers, which are ignored.
                switch Character(Unicode.Scalar(rest[end])) {
                case "A": keys.append(.up)
                case "B": keys.append(.down)
                case "~" where rest.first == UInt8(ascii: "5"): keys.append(.pageUp)
                case "~" where rest.first == UInt8(ascii: "6"): keys.append(.pageDown)
                default: break
                }
                rest = rest[(end + 1)...]
            case 0x1B: keys.append(.escape)
            case 0x0A, 0x0D: keys.append(.enter)
            case 0x08, 0x7F: keys.append(.backspace)
            case ..<0x20: break
            default:
                let more = rest.prefix { 0x80...0xBF ~= $0 }
                rest = rest.dropFirst(more.count)
                keys += String(decoding: [byte] + more, as: UTF8.self).map(Key.character)
            }
        }
        return keys
    }

    private func put(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count)
            }
            if count < 0 && errno != EINTR && errno != EAGAIN { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}

/// A bit for each pending signal.
private let pendingSignals = Atomic<UInt>(0)
