import CoreRunLoop
import Glibc
import Testing
import ThreadKit

@Suite("Sources of system events from closures")
struct EventSourceTests {
    @Test("report a child's end with its status")
    func childEnd() {
        var process: pid_t = 0
        let arguments: [UnsafeMutablePointer<CChar>?] = [
            strdup("sh"), strdup("-c"), strdup("exit 7"), nil,
        ]
        defer { arguments.forEach { free($0) } }
        #expect(posix_spawn(&process, "/bin/sh", nil, nil, arguments, environ) == 0)

        let child = process
        let status = onFreshThread {
            let status = Kept<Int32?>(nil)
            let source = RLProcessSourceCreate(process: child) { source, ended in
                #expect(!RLRunLoopSourceIsValid(source))
                status.value = ended
            }
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
            #expect(RLRunLoopRunInMode(.defaultMode, 100, true) == .handledSource)
            return status.value
        }
        #expect(status == 7 << 8)
    }

    @Test("report files by name")
    func files() throws {
        let folder = try #require(strdup("/tmp/corerunloop-test-XXXXXX"))
        defer { free(folder) }
        #expect(mkdtemp(folder) != nil)
        let path = String(cString: folder)
        defer { rmdir(path) }

        let names = onFreshThread {
            let names = Kept<[String]>([])
            let source = RLFileSourceCreate { _, event, name in
                #expect(event.events.contains(.create))
                names.value.append(name ?? "none")
            }
            #expect(RLFileSourceAddWatch(source, path, .create) > 0)
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
            mkdir(path + "/a", 0o700)
            rmdir(path + "/a")
            RLRunLoopRunInMode(.defaultMode, 10, true)
            RLRunLoopSourceInvalidate(source)
            return names.value
        }
        #expect(names == ["a"])
    }

    @Test("report signals")
    func signals() {
        // No other test uses this signal.
        let number: CInt = 60
        let values = onFreshThread {
            let values = Kept<[Int32]>([])
            let source = RLSignalSourceCreate(signals: [number]) { source, event in
                values.value.append(event.number)
            }
            RLRunLoopAddSource(RLRunLoopGetCurrent(), source, .defaultMode)
            // The other threads of the test runner do not block the signal: each may receive it
            // once before, also between the wake-up of the loop and its read.
            kill(getpid(), number)
            while values.value.isEmpty { RLRunLoopRunInMode(.defaultMode, 1000, true) }
            return values.value
        }
        #expect(values == [number])
    }
}

/// A value that a source's closure sets.
///
/// `@unchecked`: the loop calls the closure on the thread that reads the value.
private final class Kept<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}
