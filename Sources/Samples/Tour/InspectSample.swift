import Dispatch
import FoundationEssentials
import Glibc
import RunLoopDiagnostics
import RunLoopKit

/// Inspects this process while one of its loops hangs, as `runloop dump` does.
struct InspectSample: Sample {
    let name = "inspect"
    let summary = "a process that others inspect: they see which loop hangs, and in which function"

    func run(_ trace: Trace) throws {
        trace.check(connect() == nil, "nobody can look into a process that has not asked for it")
        RLInspector.start()
        let (isAwaited, paper) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let printer = RLPermanentThread(name: "printer")
        printer.execute {
            RLBacktrace.allowOnCurrentThread()
            isAwaited.signal()
            waitForPaper(paper)
        }
        isAwaited.wait()

        // On a busy machine, a thread may take its backtrace too late, so retry.
        var (lines, function) = ([String](), String?.none)
        for _ in 0..<20 where function == nil {
            lines = Array(dump().drop { !$0.contains("(printer)") })
            function = lines.first { $0.contains("waitForPaper") }
        }
        trace.remark(lines.first ?? "no line")
        trace.remark(function ?? "no function")
        if lines.first?.contains("is in ") == true {
            trace.event("the printer's loop is in a callback")
        }
        trace.check(function != nil, "the viewer sees the function that waits")

        paper.signal()
        printer.stop()
        printer.join()
        RLInspector.stop()
        if connect() == nil { trace.event("the port is closed again") }
        trace.expect(["the printer's loop is in a callback", "the port is closed again"])
    }

    private func connect() -> RLMessagePortRef? {
        RLMessagePortCreateRemote("runloop.inspect.\(getpid())")
    }

    private func dump() -> [String] {
        struct Reply: Decodable {
            struct Line: Decodable {
                let text: String
                let function: String?
            }
            let lines: [Line]
        }
        var data: RLDataRef?
        let request = RLDataCreate(Array("dump".utf8))
        guard let port = connect(),
            RLMessagePortSendRequest(port, 1, request, 10, 10, "viewer", &data) == 0, let data,
            let reply = try? JSONDecoder().decode(Reply.self, from: Data([UInt8](data)))
        else { return [] }
        return reply.lines.map { $0.text + ($0.function ?? "") }
    }
}

@inline(never) private func waitForPaper(_ paper: DispatchSemaphore) {
    paper.wait()
}
