import Glibc
import RunLoopKit
import Synchronization

/// The terminal while a program has all of its screen, and gets keys as they are pressed.
final class Terminal {
    /// What the program is told.
    enum Event {
        case key(Key)
        /// The window has another size.
        case resized
        /// A signal asks the program to end.
        case ended
        /// The time is up.
        case timeout
    }

    enum Key: Equatable {
        case up, down, enter, escape
        case character(Character)
    }

    private static let signals = [SIGWINCH, SIGINT, SIGTERM, SIGHUP]

    private var before = termios()
    private var signalsBefore = sigset_t()
    private var keys: [Key] = []

    /// Takes the screen; what was on it is there again at the end.
    init() {
        _ = isResized.load(ordering: .relaxed)
        _ = isEnded.load(ordering: .relaxed)
        tcgetattr(STDIN_FILENO, &before)
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        raw.c_oflag &= ~tcflag_t(OPOST)
        // A stopped program would leave the terminal as it is.
        withUnsafeMutableBytes(of: &raw.c_cc) { $0[Int(VSUSP)] = 0 }
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
        takeSignals()
        put("\u{1B}[?1049h\u{1B}[?25l")
    }

    /// Gives the screen back.
    func close() {
        put("\u{1B}[?25h\u{1B}[?1049l")
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        for signal in Self.signals { Glibc.signal(signal, SIG_DFL) }
        pthread_sigmask(SIG_SETMASK, &signalsBefore, nil)
    }

    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
        else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Shows lines in place of those that were there.
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

    /// Waits for something to happen.
    func wait(seconds: Double) -> Event {
        if isEnded.load(ordering: .relaxed) { return .ended }
        if isResized.exchange(false, ordering: .relaxed) { return .resized }
        if !keys.isEmpty { return .key(keys.removeFirst()) }
        // Of standard input, whose number is 0.
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

    /// Handlers interrupt the wait, and nothing else.
    private func takeSignals() {
        var blocked = sigset_t()
        sigemptyset(&blocked)
        for number in Self.signals {
            sigaddset(&blocked, number)
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                if number == SIGWINCH {
                    isResized.store(true, ordering: .relaxed)
                } else {
                    isEnded.store(true, ordering: .relaxed)
                }
            }
            sigaction(number, &action, nil)
        }
        pthread_sigmask(SIG_BLOCK, &blocked, &signalsBefore)
    }

    /// The keys that were pressed; nil if there will be no more.
    private func readKeys() -> [Key]? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return Self.keys(in: bytes[..<count])
    }

    /// Keys from what a terminal sends.
    static func keys(in bytes: ArraySlice<UInt8>) -> [Key] {
        var keys: [Key] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case 0x1B where rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O"):
                rest.removeFirst()
                // What stands before the letter does not matter.
                let letter = rest.firstIndex { 0x40...0x7E ~= $0 }
                guard let letter else { return keys }
                if rest[letter] == UInt8(ascii: "A") { keys.append(.up) }
                if rest[letter] == UInt8(ascii: "B") { keys.append(.down) }
                rest = rest[(letter + 1)...]
            case 0x1B: keys.append(.escape)
            case 0x0A, 0x0D: keys.append(.enter)
            default: keys.append(.character(Character(Unicode.Scalar(byte))))
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

private let isResized = Atomic(false)
private let isEnded = Atomic(false)
