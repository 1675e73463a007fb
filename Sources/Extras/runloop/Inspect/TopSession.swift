/// Runs `top` on a terminal, until the user quits or the process ends.
final class TopSession {
    private let watch: ProcessWatch
    private let samples: Int?
    private var screen: TopScreen

    init(_ watch: ProcessWatch, samples: Int?) {
        self.watch = watch
        self.samples = samples
        screen = TopScreen(places: watch.process.place)
    }

    func run() throws {
        let terminal = Terminal()
        defer { terminal.close() }
        var count = 0
        // Even with a long interval, the first sample is due soon.
        var due = secondsNow() + min(watch.interval, 0.2)
        while true {
            show(on: terminal)
            switch terminal.wait(seconds: min(due, watch.latestQuestion) - secondsNow()) {
            case .key(let key):
                switch screen.press(key) {
                case .quit: return
                case .contents: try ask(refreshContents)
                case .nothing: break
                }
            case .ended: return
            case .suspended: terminal.suspend()
            case .changed: break
            case .timeout:
                guard secondsNow() >= due else {
                    if secondsNow() >= watch.latestQuestion { try ask(watch.stay) }
                    continue
                }
                try ask(refresh)
                count += 1
                if count == samples {
                    return show(on: terminal)
                }
                due = secondsNow() + watch.interval
            }
        }
    }

    private func show(on terminal: Terminal) {
        let (width, height) = terminal.size
        terminal.show(screen.lines(height: height, width: width))
    }

    /// Performs a request; if there is no reply, the screen shows a note.
    private func ask(_ body: () throws -> Void) throws {
        do {
            try body()
            screen.note = nil
        } catch InspectionFailure.silent(let number) {
            screen.note = InspectionFailure.silent(number).line
        }
    }

    private func refresh() throws {
        let rates = try watch.take()
        if screen.isPaused { return }
        screen.rates = rates
        try refreshContents()
    }

    private func refreshContents() throws {
        guard screen.isOpen, let thread = screen.selection else { return }
        do {
            screen.contents = try watch.process.ask("items thread=\(thread)")
        } catch InspectionFailure.refused {
            // The loop has ended; the process has not.
            screen.contents = nil
        }
    }
}
