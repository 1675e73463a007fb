import Glibc
import ProcessKit
import Testing

@Suite("The children of tests") struct ChildrenTests {
    @Test("end after some minutes") func limit() {
        let child = forkProcess()
        if child == 0 { _exit(alarm(0) > 0 ? 0 : 1) }
        var status: CInt = -1
        waitpid(child, &status, 0)
        #expect(status == 0)
    }

    @Test("end with the process of tests") func end() throws {
        let variable = "CHILDREN_TESTS_LEAVE"
        if getenv(variable) != nil { leaveChild() }
        // A leader of a group, as SwiftPM starts it. The child keeps the output open.
        let process = try ChildProcess(
            path: "/usr/bin/setsid",
            [
                "env", "\(variable)=1", "/proc/\(getpid())/exe", "--testing-library",
                "swift-testing", "--filter", "ChildrenTests/end",
            ]
        )
        #expect(process.exitCode == 128 + SIGKILL)
        #expect(process.output.contains("leaves a child"))
    }

    @Test("are killed after the deadline, also without output") func deadline() throws {
        let background = try BackgroundProcess(program: "cat", [])
        #expect(throws: ChildProcess.Failure(call: "cat", number: ETIMEDOUT)) {
            try background.exitCode(until: Deadline(after: .zero))
        }
        #expect(try background.exitCode() == 128 + SIGKILL)

        let script = "exec >&- 2>&-; kill -STOP $$"
        #expect(throws: ChildProcess.Failure(call: "/bin/sh", number: ETIMEDOUT)) {
            try ChildProcess(
                path: "/bin/sh",
                ["-c", script],
                until: Deadline(after: .milliseconds(100))
            )
        }
    }
}

private func leaveChild() {
    let child = forkProcess()
    while child == 0 { pause() }
    print("leaves a child")
    fflush(nil)
    kill(getpid(), SIGKILL)
}
