import RunLoopKit

/// A view in a terminal: changed many times in a pass, drawn once.
struct CommitSample: Sample {
    let name = "commit"
    let summary = "a view that is drawn once per pass, however often it was changed"

    func run(_ trace: Trace) throws {
        let loop = RLRunLoop.current
        let view = ProgressView(trace)
        var touches = 0
        let recognizer = loop.observe(.beforeWaiting, order: 0) { _, _ in
            if touches == 0 { return }
            trace.event("the recognizer, at order 0, sums up \(touches) touches")
            view.progress = min(view.progress + 10 * touches, 100)
            touches = 0
        }
        let changeLast = {
            view.progress = 100
            trace.event("changed for the last time")
        }
        let touch = {
            touches += 2
            trace.event("touched twice")
            loop.perform(afterDelay: 0.002, block: changeLast)
        }
        loop.perform(afterDelay: 0) {
            for percent in 1...50 { view.progress = percent }
            trace.event("changed 50 times")
            loop.perform(afterDelay: 0.002, block: touch)
        }
        RLTransaction.current.addCompletion { trace.event("committed") }
        loop.run()
        recognizer.invalidate()

        trace.expect([
            "committed",
            "changed 50 times",
            "[##########..........]  50 %",
            "touched twice",
            "the recognizer, at order 0, sums up 2 touches",
            "[##############......]  70 %",
            "changed for the last time",
            "[####################] 100 %",
            "the view, done, changes its title in its commit",
            "[####################] done ",
        ])
        trace.check(view.changes == 53 && view.drawings == 4, "53 changes were drawn 4 times")
    }
}

private final class ProgressView: RLCommitting {
    private let trace: Trace
    private(set) var changes = 0
    private(set) var drawings = 0

    var progress = 0 {
        didSet { setNeedsDisplay() }
    }

    private var title: String? {
        didSet { setNeedsDisplay() }
    }

    init(_ trace: Trace) {
        self.trace = trace
    }

    private func setNeedsDisplay() {
        changes += 1
        RLTransaction.current.setNeedsCommit(self)
    }

    func commitChanges() {
        drawings += 1
        let bar = String(repeating: "#", count: progress / 5)
        let rest = String(repeating: ".", count: 20 - bar.count)
        let percent = String(repeating: " ", count: progress < 100 ? 1 : 0) + "\(progress) %"
        trace.event("[\(bar)\(rest)] \(title ?? percent)")
        guard progress == 100, title == nil else { return }
        trace.event("the view, done, changes its title in its commit")
        title = "done "
    }
}
