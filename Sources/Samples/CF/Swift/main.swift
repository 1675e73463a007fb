// Runs the sample that the argument names, or lists all samples.

import Glibc

let samples: [(name: String, run: () -> Void)] = [
    ("observer-handler", sampleObserverHandler),
    ("common-modes", sampleCommonModes),
    ("stop-and-rerun", sampleStopAndRerun),
    ("watchdog", sampleWatchdog),
    ("state-machine", sampleStateMachine),
    ("main-queue", sampleMainQueue),
    ("idle-work", sampleIdleWork),
    ("one-shot-observers", sampleOneShotObservers),
    ("unmanaged-source", sampleUnmanagedSource),
    ("pipe-port", samplePipePort),
    ("optionals", sampleOptionals),
]

if CommandLine.arguments.count < 2 {
    for sample in samples { print(sample.name) }
} else if let sample = samples.first(where: { $0.name == CommandLine.arguments[1] }) {
    sample.run()
} else {
    print("there is no sample named '\(CommandLine.arguments[1])'")
    exit(1)
}
