// Declarations that samples in comments take from their surroundings. `samples.py` puts those below
// the name of a file before each sample of that file, and the first ones beside all samples.

final class Loader: RLObject, Sendable {
    func run() {}
}

extension RLSelector where Target == Loader {
    static let runLoopEntry = RLSelector("run", Loader.run)
}

final class Radio: RLObject {
    func tick() {}
    func play(_ song: String) {}
}

final class Reminder {
    let count = 1
    func stop() {}
}

final class SampleDelegate: RLPortDelegate, RLStreamDelegate {
    func handle(_ message: RLPortMessage) {}
}

func tick() {}
func commit() {}
func work() {}
func poll() {}
func draw(for time: TimeInterval) {}
func show<Value>(_ value: Value) {}
func receive(_ descriptor: CInt) {}
func download() async throws -> String { "" }
func greet(_ connection: RLConnection) async throws {}
func write(_ text: String, to path: String) {}

// Autorelease.swift RLAutoreleasePool.swift
let buffer = RLStringCreate("buffer")

// ProcessEnds.swift RLRunLoop+Sources.swift
let child: CInt = 1

// Sequences.swift
let socket: CInt = 0
let loop = RLThread.main.runLoop ?? RLPermanentThread().runLoop

// RLDisplayLink.swift
final class Scene { func advance(to time: TimeInterval) {} }
let scene = Scene()

// ServingFoundation.swift
import Foundation

// RLIdleQueue.swift
final class Page { func prepare() {} }
let pages: [Page] = []

// RLPort.swift RLSocketPort.swift
let delegate = SampleDelegate()

// RLStream.swift
let reader = SampleDelegate()

// RLLineReader.swift RLOutputStream.swift RLStreamChunks.swift RLStreamLines.swift
let connection = (input: RLInputStream(data: Data()), output: RLOutputStream(toMemory: ()))
let (input, output) = connection
let request: [UInt8] = []
struct Hash { func update(_ bytes: [UInt8]) {} }
let hash = Hash()
var reader: RLLineReader?

// RLListener.swift
final class Client { init(_ input: RLInputStream, _ output: RLOutputStream) {} }
nonisolated(unsafe) var clients: [Client] = []
let listener = try RLListener(host: "localhost", port: 0)

// RLPermanentThread.swift
let data = Data()
@Sendable func parse(_ data: Data) {}

// RLThread+Selectors.swift
let loader = Loader()

// RLHTTPClient.swift RLHTTPLoopClient.swift RLHTTPRequestOperation.swift
let url = URL(filePath: "/")

// RLLoopLeftovers.swift
func useTimers() {}

// RLTestExpectation.swift
let client = RLHTTPLoopClient()
let request = RLHTTPRequest(url: URL(filePath: "/"))

// RLFileWatch.swift
let watch = try RLFileWatch(path: "/tmp")
func readToEnd() {}
func openAgain() {}
func readSettings() {}

// RLTestClock.swift
struct Poller { func run() async throws {} }
let poller = Poller()
let clock = RLTestClock()
