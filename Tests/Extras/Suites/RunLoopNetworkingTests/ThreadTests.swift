import FetchKit
import FoundationEssentials
import ProcessKit
import RunLoopNetworking
import Testing
import ThreadKit

@Suite("The network thread") struct NetworkThreadTests {
    @Test("reads nothing while its loop runs in another mode") func modes() throws {
        let server = try PythonServer()
        let worker = RLPermanentThread(name: "worker")
        let other: RLRunLoop.Mode = "other"
        let fetch = Fetch(try server.request("pieces"), on: worker, modes: [.default])
        fetch.operation.start()
        server.resumePage()
        #expect(server.nextWord() == "piece 0")
        fetch.waitForProgress()

        let isElsewhere = Gate()
        worker.execute {
            RLRunLoop.current.perform(inModes: [other]) { isElsewhere.open() }
            let keeper = RLRunLoopSourceCreate(perform: {})
            RLRunLoopAddSource(RLRunLoopGetCurrent(), keeper, other.mode)
            RLRunLoopRunInMode(other.mode, .infinity, false)
        }
        isElsewhere.wait()
        server.resumePage()
        #expect(server.nextWord() == "piece 1")
        // The loop runs in the other mode, and could continue the request.
        for _ in 0..<10 { worker.execute(waitUntilDone: true, modes: [other]) {} }
        #expect(fetch.progress.map(\.receivedLength).max() == 1000)
        #expect(fetch.operation.state == .executing)

        worker.execute(modes: [other]) { RLRunLoopStop(RLRunLoopGetCurrent()) }
        server.resumePage()
        #expect(fetch.waitForCompletion()?.body.count == 3000)
    }

    @Test("cancels only in the modes of an operation") func cancelInModes() throws {
        let server = try PythonServer()
        let worker = RLPermanentThread(name: "worker")
        let other: RLRunLoop.Mode = "other"
        let fetch = Fetch(try server.request("silent"), on: worker, modes: [other])
        fetch.operation.start()
        worker.execute(waitUntilDone: true) {}
        #expect(fetch.operation.state == .ready)
        worker.execute {
            while fetch.operation.state != .cancelled {
                RLRunLoopRunInMode(other.mode, .infinity, true)
            }
        }
        #expect(server.nextWord() == "asked")
        fetch.operation.cancel()
        fetch.waitForCompletion()
        #expect(fetch.error == .cancelled)
        #expect(server.nextWord() == "gone silent")
    }

    @Test("that ends fails its running and its queued operations") func threadEnds() throws {
        let server = try PythonServer()
        let worker = RLPermanentThread(name: "worker")
        let running = Fetch(try server.request("half"), on: worker)
        let waiting = Fetch(try server.request("kept"), on: worker, modes: ["never"])
        let late = Fetch(try server.request("kept"), on: worker)
        waiting.operation.start()
        running.operation.start()
        running.waitForProgress()
        worker.stop()
        worker.join()
        late.operation.start()
        for fetch in [running, waiting, late] {
            fetch.waitForCompletion()
            #expect(fetch.results == [.failure(.threadEnded)])
            #expect(fetch.operation.state == .finished)
            fetch.operation.cancel()
        }
        #expect(server.nextWord() == "gone half")
    }
}

@Suite("The main thread") struct MainThreadTests {
    @Test("is where closures are called, by its loop, in any common mode") func completion() throws
    {
        let server = try PythonServer()
        let url = try server.url("large?409600").absoluteString
        let run = try ChildProcess(product: "extras-probe", ["network", url])
        #expect(run.exitCode == 0)
        #expect(
            run.lines == [
                "finished, nothing called", "all, main thread: true, mode RLTrackingRunLoopMode",
                "completion 409600, main thread: true, mode RLTrackingRunLoopMode", "completed", "",
            ]
        )
    }

    @Test("calls a closure of a class of the main actor") func mainActor() throws {
        let run = try ChildProcess(product: "extras-probe", ["main-actor"])
        #expect(run.exitCode == 0 && run.lines.first == "fetched: false", "\(run.output)")
    }
}
