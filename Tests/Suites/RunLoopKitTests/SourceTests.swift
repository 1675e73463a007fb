import CoreRunLoop
import Glibc
import ProcessKit
import RunLoopKit
import Testing
import ThreadKit

/// Sources whose handlers need not be `Sendable`.
@Suite("A source of a loop") struct SourceTests {
    @Test("calls its handler once for signals of any thread") func signal() {
        onFreshThread {
            var calls = 0
            let source = RLRunLoop.current.addSource { source in
                calls += 1
                if calls == 2 { source.invalidate() }
            }
            for count in 1...2 {
                let other = RLThread {
                    source.signal()
                    source.signal()
                }
                other.start()
                #expect(RLRunLoop.current.run(mode: .default, before: .distantFuture))
                other.join()
                #expect(calls == count && source.isValid == (count == 1))
            }
            #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
        }
    }

    @Test("calls its handler for signals to the process") func signals() {
        onFreshThread {
            // No other test uses this signal.
            let number: CInt = 61
            var received: [CInt] = []
            let source = RLRunLoop.current.observe(signals: [number]) { _, signal in
                received.append(signal.number)
                RLRunLoop.current.stop()
            }
            kill(getpid(), number)
            RLRunLoop.current.runUntilStopped()
            #expect(received == [number])
            source.invalidate()
        }
    }

    @Test("calls its handler while a descriptor is ready") func descriptor() {
        onFreshThread {
            var ends: [CInt] = [0, 0]
            pipe(&ends)
            var read: [UInt8] = []
            RLRunLoop.current.observe(descriptor: ends[0]) { source, ready in
                var byte: UInt8 = 0
                if Glibc.read(ends[0], &byte, 1) == 1 {
                    read.append(byte)
                } else {
                    #expect(ready.contains(.hangUp))
                    source.invalidate()
                    RLRunLoop.current.stop()
                }
            }
            write(ends[1], [1, 2] as [UInt8], 2)
            close(ends[1])
            RLRunLoop.current.runUntilStopped()
            #expect(read == [1, 2])
            close(ends[0])
        }
    }

    @Test("calls its handler at the end of a process, once") func processes() throws {
        let ends: [(String, RLProcessEnd)] = [
            ("exit 7", .exited(7)), ("kill -TERM $$", .signaled(SIGTERM)),
        ]
        for (script, expected) in ends {
            let child = try spawnProgram("sh", ["-c", script]) { _ in }
            onFreshThread {
                var seen: [RLProcessEnd] = []
                let source = RLRunLoop.current.observe(process: child) { source, end in
                    #expect(!source.isValid)
                    seen.append(end)
                    RLRunLoop.current.stop()
                }
                #expect(source.isValid)
                RLRunLoop.current.runUntilStopped()
                #expect(seen == [expected])
                #expect(waitpid(child, nil, WNOHANG) == -1 && errno == ECHILD)
                #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
            }
        }
        #expect("\(RLProcessEnd.signaled(9))" == "ended by signal 9")
    }

    @Test("of a process is invalid if there is no such process, and leaves a child if invalidated")
    func processesWithoutEnd() throws {
        let log = Log<String>()
        let child = try spawnProgram("cat", []) { actions in
            posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        }
        let former = try spawnProgram("true", []) { _ in }
        #expect(waitpid(former, nil, 0) == former)
        onFreshThread {
            let none = RLRunLoop.current.observe(process: former) { [token = Token(log)] _, _ in
                token.hold()
            }
            #expect(!none.isValid && log.entries == ["released"])
            let source = RLRunLoop.current.observe(process: child) { _, _ in
                Issue.record("the source is invalid")
            }
            source.invalidate()
            #expect(waitpid(child, nil, 0) == child)
            #expect(!RLRunLoop.current.run(mode: .default, before: .distantPast))
        }
    }

    @Test("releases its handler on its thread when it is invalidated elsewhere")
    func release() {
        let log = Log<String>()
        onFreshThread {
            let loop = RLRunLoop.current
            let token = Token(log)
            // A retain cycle of the handler and its source, broken by the invalidation.
            var kept: RLRunLoopSource?
            kept = loop.addSource { _ in withExtendedLifetime(kept) { token.hold() } }
            let source = kept
            let other = RLThread {
                source?.invalidate()
                log.add("invalidated")
            }
            other.start()
            other.join()
            loop.perform {}
            loop.run(mode: .default, before: .distantPast)
        }
        #expect(log.entries == ["invalidated", "released"])
    }
}
