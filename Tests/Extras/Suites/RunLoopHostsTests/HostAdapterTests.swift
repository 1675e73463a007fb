import CLinux
import CRunLoopHosts
import Glibc
import RunLoopHosts
import Testing
import ThreadKit

@Suite("Host adapters") struct HostAdapterTests {
    /// Waits for events of an epoll set, and returns their number and the payload.
    private static func wait(_ set: Int32, _ milliseconds: Int32) -> (count: Int32, payload: UInt64)
    {
        var event = epoll_event()
        let count = epoll_wait(set, &event, 1, milliseconds)
        return (count, event.data.u64)
    }

    private static func after(_ seconds: Double, _ body: @escaping () -> Void) {
        RLTimer.scheduledTimer(withTimeInterval: seconds, repeats: false) { _ in body() }
    }

    @Test("an epoll set reports a run loop's work at once, until the adapter is invalid")
    func epoll() {
        let fired = onFreshThread {
            let set = epoll_create1(Int32(EPOLL_CLOEXEC))
            defer { close(set) }
            var fired: [String] = []
            let adapter = RLHostAdapter.epoll(set, payload: 7)
            #expect(adapter.isValid && Self.wait(set, 0).count == 0)

            Self.after(0.001) { fired.append("timer") }
            #expect(Self.wait(set, 10_000) == (1, 7))
            #expect(!adapter.serve() && Self.wait(set, 0).count == 0)

            RLRunLoop.current.perform {}
            #expect(Self.wait(set, 0) == (1, 7))
            adapter.serve()
            Self.after(0) {
                fired.append("last")
                adapter.invalidate()
            }
            #expect(Self.wait(set, 10_000) == (1, 7))
            adapter.serve()
            Self.after(0) { fired.append("not served") }
            #expect(!adapter.isValid && adapter.descriptor == -1 && !adapter.serve())
            #expect(Self.wait(set, 0).count == 0)
            return fired
        }
        #expect(fired == ["timer", "last"])
    }

    @Test("a host of any kind polls the descriptor, also for a mode of its own") func polled() {
        let fired = onFreshThread {
            var fired = 0
            let adapter = RLHostAdapter.polled(mode: .init("mode"))
            let timer = RLTimer(timeInterval: 0, repeats: false) { _ in fired += 1 }
            RLRunLoop.current.add(timer, forMode: .init("mode"))
            var query = pollfd(fd: adapter.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&query, 1, 10_000) == 1)
            adapter.serve()
            return fired
        }
        #expect(fired == 1)
    }

    @Test("an adapter lasts without its object, and ends with its thread") func thread() {
        let isOver = onFreshThread {
            RLHostAdapter.polled()
            #expect(RLHostAdapterCreateWithDescriptor(nil) == nil)
            #expect(RLRunLoopGetPollDescriptor() >= 0)
            RLRunLoopEndHosting()
            RLHostAdapter.polled()
            return RLRunLoopGetPollDescriptor() >= 0
        }
        #expect(isOver == true)
    }

    @Test("a library that is not in the process hosts nothing, and is not loaded") func absent() {
        onFreshThread {
            #expect(RLHostAdapterCreateWithGLib(nil, nil) == nil)
            #expect(RLGLibSourceCreate(nil) == nil)
            withUnsafeTemporaryAllocation(byteCount: 16, alignment: 16) { loop in
                #expect(RLHostAdapterCreateWithUV(OpaquePointer(loop.baseAddress), nil) == nil)
            }
            #expect(RLRunLoopGetPollDescriptor() == -1)
        }
    }
}
