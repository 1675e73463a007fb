import Glibc
import ProcessKit
import RunLoopDiagnostics
import Testing
import ThreadKit

extension Tracing {
    @Suite("An exported trace") struct TraceExportTests {
        /// Quotes, a backslash, control characters, markup, and multi-byte characters.
        private static let awkward = "\"a\\b\"\t\u{01}\u{7F}<&>é–🏃"

        @Test("is JSON that another parser reads, with beginnings and ends that nest") func json()
            throws
        {
            let trace = try traceOfNestedRuns(in: RLRunLoopMode(Self.awkward))
            // Python checks the output, which shares no code with this package.
            let output = try python(
                """
                import json, sys
                trace = json.load(open(sys.argv[1], encoding="utf-8"))
                assert trace["displayTimeUnit"] in ("ms", "ns")
                last, open_slices, names = {}, {}, []
                for event in trace["traceEvents"]:
                    assert isinstance(event["pid"], int) and isinstance(event["tid"], int)
                    if event["ph"] == "M":
                        names.append(event["name"])
                        continue
                    assert event["ts"] >= last.get(event["tid"], 0), event
                    last[event["tid"]] = event["ts"]
                    stack = open_slices.setdefault(event["tid"], [])
                    if event["ph"] == "B":
                        assert event["name"] and event["cat"], event
                        stack.append(event)
                    elif event["ph"] == "E":
                        assert stack.pop()["ts"] <= event["ts"]
                    else:
                        assert event["ph"] == "i" and event["s"] == "t", event
                assert not any(open_slices.values()), open_slices
                slices = [event for event in trace["traceEvents"] if event["ph"] == "B"]
                assert {"process_name", "thread_name"} <= set(names)
                print([event["cat"] for event in slices])
                print(ascii(slices[0]["args"]["mode"]))
                print(sorted(slices[1]["args"])[:2])
                print(slices[1]["args"]["source"].split("/")[-1].split(":")[0])
                """,
                trace.located(by: Symbolizer(ofProcess: getpid()))
                    .chromeJSON()
            )
            #expect(
                output.split(separator: "\n") == [
                    "['run', 'block', 'run', 'timer', 'sleep']",
                    #"'"a\\b"\t\x01\x7f<&>\xe9\u2013\U0001f3c3'"#,
                    "['address', 'image']", "TraceExportTests.swift",
                ]
            )
        }

        @Test("is a picture in well-formed XML, without scripts or anything from outside")
        func svg() throws {
            let trace = try traceOfNestedRuns(in: RLRunLoopMode(Self.awkward))
            let output = try python(
                """
                import sys, xml.etree.ElementTree as tree
                root = tree.parse(sys.argv[1]).getroot()
                space = "{http://www.w3.org/2000/svg}"
                assert root.tag == space + "svg"
                width, height = float(root.get("width")), float(root.get("height"))
                bars = []
                for element in root.iter():
                    assert element.tag not in (space + "script", space + "image", space + "a")
                    assert not any(name.startswith("on") or "href" in name for name in element.keys())
                    if element.tag == space + "rect" and element.get("class") != "paper":
                        x, y = float(element.get("x")), float(element.get("y"))
                        w, h = float(element.get("width")), float(element.get("height"))
                        assert 0 <= x and x + w <= width and 0 <= y and y + h <= height
                        assert w > 0 and h > 0 and element.find(space + "title").text
                        bars.append((element.get("class"), element.find(space + "title").text))
                    if element.tag == space + "text":
                        assert 0 <= float(element.get("x")) <= width
                # The legend has one of each; so the bars are what comes twice.
                kinds = [kind for kind, _ in bars]
                print([kind for kind in ("run", "block", "timer", "sleep") if kinds.count(kind) > 1])
                print(ascii([title for kind, title in bars if kind == "run"][1].split("\\n")[0]))
                """,
                trace.svg(title: Self.awkward)
            )
            #expect(
                output.split(separator: "\n") == [
                    "['run', 'block', 'timer', 'sleep']",
                    // XML cannot represent the control characters; the tab is escaped earlier, as
                    // it would change lines.
                    #"'run in "a\\b"\ufffd\ufffd\ufffd<&>\xe9\u2013\U0001f3c3'"#,
                ]
            )
        }

        @Test("leaves out the calls of observers if it is to, and folds their times")
        func observers() throws {
            let tracer = RLRunLoopTracer()
            onFreshThread {
                let loop: RLRunLoopRef = RLRunLoopGetCurrent()
                let observer = RLRunLoopObserverCreate(activities: .beforeSources) { _, _ in
                    _ = RLRunLoopRunInMode("nested", 0, false)
                }
                RLRunLoopAddObserver(loop, observer, .defaultMode)
                RLRunLoopPerformBlock(loop, .defaultMode) {}
                tracer.start(loop)
                RLRunLoopRunInMode(.defaultMode, 0, false)
            }
            let trace = tracer.snapshot()
            #expect(trace.svg().contains("class=\"observer\""))
            let picture = trace.svg(showsObservers: false)
            #expect(!picture.contains("class=\"observer\""))
            #expect(picture.contains("class=\"block\""))
        }

        @Test("is as wide as wanted, whatever the times are") func scale() throws {
            let trace = try traceOfNestedRuns(in: "mode")
            for folds in [false, true] {
                let picture = trace.svg(width: 500, foldsIdleTimes: folds)
                #expect(picture.contains("width=\"500\""))
            }
            // An empty trace is valid too.
            #expect(RLRunLoopTracer().snapshot().svg().contains("<svg"))
            #expect(RLRunLoopTracer().snapshot().chromeJSON().contains("traceEvents"))
            #expect(RLRunLoopTracer().snapshot().summary() == "")
        }

        @Test("sums up the called functions, the longest first") func totals() throws {
            let tracer = RLRunLoopTracer()
            onFreshThread {
                let loop: RLRunLoopRef = RLRunLoopGetCurrent()
                tracer.start(loop)
                for _ in 0..<3 {
                    RLRunLoopPerformBlock(loop, "mode") { withExtendedLifetime(loop) {} }
                }
                RLRunLoopPerformBlock(loop, "mode") {
                    // The callback's duration is the subject.
                    usleep(20_000)
                }
                RLRunLoopRunInMode("mode", 0, false)
                tracer.stop(loop)
            }
            let totals = tracer.snapshot().totals()
            // On a busy machine the other three may take longer.
            #expect(totals.map(\.count).sorted() == [1, 3])
            #expect(totals.map(\.total) == totals.map(\.total).sorted(by: >))
            #expect(totals.allSatisfy { $0.count == 3 || $0.total >= 20_000_000 })
            #expect(totals.allSatisfy { $0.longest <= $0.total })
            let summary = tracer.snapshot().summary()
            #expect(summary.contains("1 run, 1 pass, 4 callbacks, 0 sleeps"), "\(summary)")
            #expect(summary.contains("3 × block closure #1 in"), "\(summary)")
        }

        @Test("names the most frequent reasons for wake-ups, and counts the rest")
        func wakeReasons() throws {
            let tracer = RLRunLoopTracer()
            let ports = (0..<9).map { _ in RLRunLoopPortCreate() }
            onFreshThread {
                let loop: RLRunLoopRef = RLRunLoopGetCurrent()
                let sources = ports.map { RLRunLoopSourceCreate(port: $0) {} }
                for source in sources { RLRunLoopAddSource(loop, source, "mode") }
                tracer.start(loop)
                for port in [ports[8]] + ports {
                    RLRunLoopPortSignal(port)
                    RLRunLoopRunInMode("mode", 10, true)
                }
                tracer.stop(loop)
                for source in sources { RLRunLoopSourceInvalidate(source) }
            }
            for port in ports { close(port) }
            let most = [(ports[8], 2)] + ports.prefix(5).map { ($0, 1) }
            let woken = most.map { "descriptor \($0.0) × \($0.1)" }.joined(separator: ", ")
            let summary = tracer.snapshot().summary()
            #expect(summary.contains("  woken by \(woken), 3 others × 3\n"), "\(summary)")
        }

        /// A run with a block that makes a run with a timer, and then a sleep.
        private func traceOfNestedRuns(in mode: RLRunLoopMode) throws -> RLRunLoopTrace {
            let tracer = RLRunLoopTracer()
            onFreshThread {
                let loop: RLRunLoopRef = RLRunLoopGetCurrent()
                RLRunLoopAddSource(loop, RLRunLoopSourceCreate(perform: {}), mode)
                tracer.start(loop)
                RLRunLoopPerformBlock(loop, mode) {
                    let timer = RLRunLoopTimerCreate(fireDate: 0) { _ in }
                    RLRunLoopAddTimer(loop, timer, "inner")
                    RLRunLoopRunInMode("inner", 0, false)
                }
                RLRunLoopRunInMode(mode, 0.001, false)
                tracer.stop(loop)
            }
            return tracer.snapshot()
        }

        /// The output of a Python program that reads a file with a text.
        private func python(_ program: String, _ text: String) throws -> String {
            var path = Array("/tmp/rl-trace-XXXXXX".utf8CString)
            let descriptor = mkstemp(&path)
            let name = String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            defer { unlink(name) }
            let bytes = Array(text.utf8)
            #expect(write(descriptor, bytes, bytes.count) == bytes.count)
            close(descriptor)
            let child = try ChildProcess(path: "/usr/bin/python3", ["-c", program, name])
            #expect(child.exitCode == 0, "\(child.output)")
            return child.output
        }
    }
}
