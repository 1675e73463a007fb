import CRunLoop.Wrapping
import Glibc
import RunLoopDiagnostics
import Testing
import ThreadKit

extension Tracing {
    /// In all of these, a function of a library is between the loop and the client's function.
    @Suite("A trace names the client's functions") struct CalloutNamesTests {
        @Test("of a descriptor") func descriptor() throws {
            let ends = try Ends()
            let names = try namesOfCallbacks { loop in
                let object = RLFileDescriptorCreate(ends.read, closeOnInvalidate: false) { _, _ in }
                RLFileDescriptorEnableCallBacks(object, kRLFileDescriptorReadCallBack)
                let source = RLFileDescriptorCreateRunLoopSource(nil, object, 0)
                RLRunLoopAddSource(loop, source, "mode")
                ends.fill()
                RLRunLoopRunInMode("mode", 10, true)
                RLFileDescriptorInvalidate(object)
            }
            #expect(names == ["closure #1 in closure #1 in Tracing.CalloutNamesTests.descriptor"])
        }

        @Test("of a socket") func socket() throws {
            let ends = try Ends()
            let names = try namesOfCallbacks { loop in
                let socket = RLSocketCreateWithNative(ends.read, callBackTypes: .readCallBack) {
                    socket,
                    _ in
                    RLSocketInvalidate(socket)
                }
                RLSocketSetSocketFlags(socket, 0)
                let source = RLSocketCreateRunLoopSource(nil, socket, 0)
                RLRunLoopAddSource(loop, source, "mode")
                ends.fill()
                RLRunLoopRunInMode("mode", 10, true)
            }
            #expect(names == ["closure #1 in closure #1 in Tracing.CalloutNamesTests.socket"])
        }

        @Test("of streams") func streams() throws {
            let names = try namesOfCallbacks { loop in
                guard let pair = RLStreamCreateBoundPair(bufferSize: 16) else { return }
                RLReadStreamSetClient(pair.reader, events: .openCompleted) { _, _ in }
                RLReadStreamScheduleWithRunLoop(pair.reader, loop, "mode")
                RLReadStreamOpen(pair.reader)
                RLRunLoopRunInMode("mode", 10, true)
                RLWriteStreamSetClient(pair.writer, events: .openCompleted) { _, _ in }
                RLWriteStreamScheduleWithRunLoop(pair.writer, loop, "mode")
                RLWriteStreamOpen(pair.writer)
                RLRunLoopRunInMode("mode", 10, true)
            }
            #expect(
                names
                    == [1, 2].map {
                        "closure #\($0) in closure #1 in Tracing.CalloutNamesTests.streams"
                    }
            )
        }

        @Test("of sources of events") func events() throws {
            let names = try namesOfCallbacks { loop in
                let signals = RLSignalSourceCreate(signals: [SIGUSR2]) { _, _ in }
                RLRunLoopAddSource(loop, signals, "mode")
                pthread_kill(pthread_self(), SIGUSR2)
                RLRunLoopRunInMode("mode", 10, true)
                RLRunLoopSourceInvalidate(signals)

                let processes = RLProcessSourceCreate(process: makeChild()) { _, _ in }
                RLRunLoopAddSource(loop, processes, "mode")
                RLRunLoopRunInMode("mode", 100, true)

                guard let folder = strdup("/tmp/corerunloop-test-XXXXXX") else { return }
                defer { free(folder) }
                #expect(mkdtemp(folder) != nil)
                let path = String(cString: folder)
                let files = RLFileSourceCreate { _, _, _ in }
                #expect(RLFileSourceAddWatch(files, path, .create) > 0)
                RLRunLoopAddSource(loop, files, "mode")
                mkdir(path + "/a", 0o700)
                RLRunLoopRunInMode("mode", 10, true)
                RLRunLoopSourceInvalidate(files)
                rmdir(path + "/a")
                rmdir(path)
            }
            #expect(
                names
                    == [1, 2, 3].map {
                        "closure #\($0) in closure #1 in Tracing.CalloutNamesTests.events"
                    }
            )
        }

        @Test("of ports") func ports() throws {
            let names = try namesOfCallbacks { loop in
                let mach = RLMachPortCreate { _, _ in }
                guard let mach else { return }
                RLRunLoopAddSource(loop, RLMachPortCreateRunLoopSource(nil, mach, 0), "mode")
                RLMachPortSend(mach, messageID: 1, timeout: 0)
                RLRunLoopRunInMode("mode", 10, true)
                RLMachPortInvalidate(mach)

                let name = "corerunloop.names.\(getpid())"
                let local = RLMessagePortCreateLocal(name) { _, _, _ in
                    RLRunLoopStop(RLRunLoopGetCurrent())
                    return nil
                }
                RLRunLoopAddSource(loop, RLMessagePortCreateRunLoopSource(nil, local, 0), "mode")
                let remote = RLMessagePortCreateRemote(name)
                #expect(RLMessagePortSendRequest(remote, 1, nil, 10, 0, nil, nil) == 0)
                RLRunLoopRunInMode("mode", 10, false)
                RLMessagePortInvalidate(local)
            }
            let wanted = [1, 2].map {
                "closure #\($0) in closure #1 in Tracing.CalloutNamesTests.ports"
            }
            // A message port also accepts connections, with a function of its own.
            #expect(names.filter { $0.contains("CalloutNamesTests") } == wanted)
        }

        @Test("of delegates of streams and ports: the delegate's class")
        func delegates() throws {
            let names = try namesOfCallbacks { _ in
                var input: RLInputStream?
                var output: RLOutputStream?
                RLStream.getBoundStreams(
                    withBufferSize: 16,
                    inputStream: &input,
                    outputStream: &output
                )
                let reader = Reader()
                input?.delegate = reader
                input?.schedule(in: .current, forMode: "mode")
                input?.open()
                RLRunLoop.current.run(mode: "mode", before: .distantFuture)
                input?.close()
                input?.remove(from: .current, forMode: "mode")

                let port = RLPort()
                port.setDelegate(reader)
                RLRunLoop.current.add(port, forMode: "mode")
                port.send(before: .distantFuture, components: nil, from: nil, reserved: 0)
                RLRunLoop.current.run(mode: "mode", before: .distantFuture)
                port.invalidate()
            }
            #expect(names == ["Reader", "Reader"])
        }

        @Test("of work that a thread performs") func performing() throws {
            let tracer = RLRunLoopTracer()
            let thread = RLPermanentThread(name: "performer")
            thread.execute(waitUntilDone: true) {}
            #expect(tracer.start(thread.runLoop))
            thread.execute(waitUntilDone: true) {}
            tracer.stop()
            thread.stop()
            thread.join()
            let recording = try #require(tracer.snapshot().recordings.first)
            // The first one may not have ended when the tracing began.
            let names = names(in: recording).filter { $0.contains("CalloutNamesTests") }
            #expect(names == ["closure #2 in Tracing.CalloutNamesTests.performing"])
        }

        /// The functions that a loop of a fresh thread calls during a closure.
        private func namesOfCallbacks(
            _ body: @escaping @Sendable (RLRunLoopRef) -> Void
        ) throws -> [String] {
            names(in: try traced(body))
        }

        private func names(in recording: RLRunLoopTrace.Recording) -> [String] {
            recording.spans.compactMap { span in
                if case .callout(let callout) = span.kind { callout.name } else { nil }
            }
        }
    }
}

private final class Reader: RLStreamDelegate, RLPortDelegate {
    func stream(_ aStream: RLStream, handle eventCode: RLStream.Event) {}
    func handle(_ message: RLPortMessage) {}
}

/// Two ends of a socket pair, closed in `deinit`.
private final class Ends: Sendable {
    let read: CInt
    private let write: CInt

    init() throws {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        (read, write) = (ends[0], ends[1])
    }

    deinit {
        close(read)
        close(write)
    }

    /// Makes the read end readable.
    func fill() {
        #expect(Glibc.write(write, "x", 1) == 1)
    }
}

/// Starts a process that ends at once.
private func makeChild() -> pid_t {
    var process: pid_t = 0
    let words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    defer { words.forEach { free($0) } }
    #expect(posix_spawnp(&process, "true", nil, nil, words, environ) == 0)
    return process
}
