// This module has virtual time for tests: a clock that the test advances, functions that run the
// loop until it is idle, and expectations that serve the loop.

@_exported public import RunLoopKit
