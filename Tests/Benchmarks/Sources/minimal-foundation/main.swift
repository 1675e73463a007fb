// The least program with Foundation's loop: one timer, then the end. A timer does not end a run.

import Foundation

Timer.scheduledTimer(withTimeInterval: 0, repeats: false) { _ in exit(0) }
RunLoop.main.run()
