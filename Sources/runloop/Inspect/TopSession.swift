/// `top` on a terminal: samples, keys and the screen, until the user leaves or the process ends.
final class TopSession {
    private let watch: ProcessWatch
    private let samples: Int?
    private var screen = TopScreen()

    init(_ watch: ProcessWatch, samples: Int?) {
        self.watch = watch
        self.samples = samples
    }

    func run() throws {
        let terminal = Terminal()
        defer { terminal.close() }
        var count = 0
        // The first figures come soon.
        var due = secondsNow() + min(watch.interval, 0.2)
        while true {
            terminal.show(screen.lines(height: terminal.size.height))
            switch terminal.wait(seconds: due - secondsNow()) {
            case .key(let key):
                switch screen.press(key) {
                case .quit: return
                case .contents: try refreshContents()
                case .nothing: break
                }
            case .ended: return
            case .resized: break
            case .timeout:
                guard secondsNow() >= due else { continue }
                try refresh()
                count += 1
                if count == samples {
                    return terminal.show(screen.lines(height: terminal.size.height))
                }
                // Who is silent for some seconds is taken for gone.
                due = secondsNow() + min(watch.interval, 2)
            }
        }
    }

    /// Takes a sample, also while the screen stands still: it says that somebody is there.
    private func refresh() throws {
        do {
            let rates = try watch.take()
            screen.note = nil
            if screen.isPaused { return }
            screen.rates = rates
            try refreshContents()
        } catch InspectionFailure.silent(let number) {
            screen.note = InspectionFailure.silent(number).line
        }
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
