// A GTK program in which the main run loop, the main queue and the main actor work: the example of
// Docs/Hosting.md. `.ci/run gtk` compiles it, and runs it on a virtual display.

import CGTK
import Dispatch
import Glibc
import RunLoopHosts

@main
@MainActor
enum Example {
    static let mainLoop = g_main_loop_new(nil, 0)
    static var happened: Set<String> = []

    static func main() {
        guard gtk_init_check() != 0 else {
            print("there is no display")
            exit(EXIT_FAILURE)
        }
        let window = gtk_window_new()
        gtk_window_present(UnsafeMutableRawPointer(window)?.assumingMemoryBound(to: GtkWindow.self))

        let adapter = RLHostAdapter.glib()
        beginEverything()
        g_main_loop_run(mainLoop)
        adapter.invalidate()
        print(happened.sorted().joined(separator: ", "))
    }

    /// Schedules four events; the last event belongs to GTK and needs no adapter.
    static func beginEverything() {
        DispatchQueue.main.async { happens("main queue") }
        Task {
            await Task.yield()
            happens("main actor")
        }
        RLTimer.scheduledTimer(withTimeInterval: 0.002, repeats: false) { _ in
            MainActor.assumeIsolated { happens("run loop's timer") }
        }
        let timeout: GSourceFunc = { _ in
            MainActor.assumeIsolated { Example.happens("GTK's timeout") }
            return 0
        }
        g_timeout_add(2, timeout, nil)
    }

    /// Records an event; the fourth event ends the program.
    static func happens(_ event: String) {
        happened.insert(event)
        if happened.count == 4 { g_main_loop_quit(mainLoop) }
    }
}
