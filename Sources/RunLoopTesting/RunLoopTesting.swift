// Virtual time for tests: a clock that the test advances, runs until the loop is idle, and
// expectations that serve the loop.

@_exported public import RunLoopKit
