// Tests that need no waiting: a clock that a test owns, runs until nothing is left to do, and
// expectations that serve the run loop.

@_exported public import RunLoopKit
