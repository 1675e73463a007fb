// Counts the words of files. An app as new ones are: its code belongs to the main actor unless it
// says otherwise (`.defaultIsolation(MainActor.self)` in the manifest).
//
// usage: example-main-actor-app FILE...

import Glibc
import RunLoopKit

let counter = WordCounter(paths: Array(CommandLine.arguments.dropFirst()))
counter.start()
exit(RLRunLoop.main.runUntilStopped())
