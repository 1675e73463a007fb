import Dispatch
import Glibc
import RunLoopTesting
import Testing
import ThreadKit

@Suite("An expectation") struct ExpectationTests {
    @Test("is fulfilled by what the loop serves while a test waits") func served() {
        onFreshThread {
            let reply = RLTestExpectation("reply")
            let ticks = RLTestExpectation("ticks", count: 3)
            RLRunLoop.current.perform { reply.fulfill() }
            let timer = RLTimer.scheduledTimer(withTimeInterval: 0.001, repeats: true) { _ in
                ticks.fulfill()
            }
            #expect(throws: Never.self) {
                try RLTestExpectation.wait(for: [reply, ticks], enforceOrder: true)
            }
            timer.invalidate()
            #expect(reply.fulfillmentCount == 1 && ticks.fulfillmentCount >= 3)
            #expect(ticks.isFulfilled)
        }
    }

    @Test("is fulfilled by other threads, before or while a test waits") func otherThreads() {
        onFreshThread {
            let early = RLTestExpectation("early")
            let late = RLTestExpectation("late")
            early.fulfill()
            let worker = RLPermanentThread()
            RLRunLoop.current.perform { worker.execute { late.fulfill() } }
            #expect(throws: Never.self) {
                try RLTestExpectation.wait(for: [early, late], timeout: .seconds(100))
            }
            worker.stop()
            worker.join()
        }
    }

    @Test("is named if it is missing, or comes out of order") func missing() {
        onFreshThread {
            let first = RLTestExpectation("first")
            let second = RLTestExpectation("second", count: 2)
            second.fulfill()
            #expect {
                try RLTestExpectation.wait(for: [first, second], timeout: .milliseconds(5))
            } throws: { error in
                let error = error as? RLUnfulfilledExpectations
                return error?.missing == ["first", "second"]
                    && error?.description.hasSuffix("\"first\" (0 of 1), \"second\" (1 of 2)")
                        == true
            }
            RLRunLoop.current.perform {
                second.fulfill()
                first.fulfill()
            }
            #expect {
                try RLTestExpectation.wait(for: [first, second], enforceOrder: true)
            } throws: { error in
                (error as? RLUnfulfilledExpectations)?.missing == ["second", "first"]
            }
        }
    }

    @Test("waits in real time while a clock of the test stands still") func besideClock() {
        onFreshThread {
            let clock = RLTestClock()
            let timer = RLTestExpectation("timer")
            let reply = RLTestExpectation("reply")
            RLRunLoop.current.perform(afterDelay: 1) { timer.fulfill() }
            let worker = RLPermanentThread()
            worker.execute { reply.fulfill() }
            #expect(throws: Never.self) {
                try RLTestExpectation.wait(for: [reply], timeout: .seconds(100))
            }
            #expect(throws: RLUnfulfilledExpectations.self) {
                try RLTestExpectation.wait(for: [timer], timeout: .milliseconds(2))
            }
            clock.advance(by: .seconds(1))
            #expect(timer.isFulfilled)
            worker.stop()
            worker.join()
            clock.end()
        }
    }

    @Test("is given up in time although every thread of the global queues waits") func busyQueues()
        async
    {
        await #expect(processExitsWith: .success) {
            let gate = Gate()
            // libdispatch has at most 255 threads for them.
            for _ in 1...300 { DispatchQueue.global().async { gate.wait() } }
            let hasGivenUp = onFreshThread {
                let never = RLTestExpectation("never")
                let end = Result { try RLTestExpectation.wait(for: [never], timeout: .zero) }
                return (try? end.get()) == nil
            }
            exit(hasGivenUp == true ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    @Test("may be waited for by a task") func tasks() async throws {
        let done = RLTestExpectation("done", count: 2)
        let worker = RLPermanentThread()
        for _ in 1...2 { worker.execute { done.fulfill() } }
        try await RLTestExpectation.fulfillment(of: [done], timeout: .seconds(100))
        await #expect(throws: RLUnfulfilledExpectations.self) {
            try await RLTestExpectation.fulfillment(
                of: [RLTestExpectation("never")],
                timeout: .milliseconds(2)
            )
        }
        worker.stop()
        worker.join()
    }

    @Test("needs no other framework: a run until idle serves all work") func idle() {
        onFreshThread {
            let log = Log<String>()
            RLRunLoop.current.perform {
                log.add("block")
                RLRunLoop.current.perform(afterDelay: 0) { log.add("timer") }
            }
            RLRunLoop.current.perform(afterDelay: 1000) { log.add("far") }
            RLRunLoop.current.runUntilIdle()
            #expect(log.entries == ["block", "timer"])
        }
    }
}
