import CHarness
import CRunLoop.Wrapping
import CRunLoopDiagnostics
import Glibc
import ProcessKit
import Testing
import ThreadKit

@testable import RunLoopDiagnostics

/// Places in the source, for this process and others.
@Suite("The place of a function in its source") struct SymbolizerTests {
    @Test("is in a backtrace: the file, and the line of each call") func backtrace() throws {
        let line = #line + 1
        let backtrace = onFreshThread { backtraceOfThisThread() }
        let frames = try #require(backtrace ?? nil).frames
        let caller = frames.firstIndex { $0.symbol?.contains("backtraceOfThisThread") ?? false }
        let frame = frames[try #require(caller, "\(frames)") + 1]
        #expect(frame.file == #filePath && frame.line == line)
        #expect(!frame.isInlined)
        #expect("\(frame)".hasSuffix(" at \(#filePath):\(line)"))
    }

    @Test("has a frame for each function that is inlined, before that which it is inlined into")
    func inlined() throws {
        let harness = SourceText("Tests/Scenarios/kit/CHarness/harness.c")
        let backtrace = onFreshThread { () -> RLBacktrace? in
            RLBacktrace.allowOnCurrentThread()
            let taken = Guarded<RLBacktrace?>(nil)
            call_inlined { taken.withLock { $0 = backtraceOfThisThread() } }
            return taken.withLock { $0 }
        }
        let text = try #require(backtrace ?? nil)
        let place = try #require(text.frames.firstIndex { $0.symbol == "call_from_within" })
        let (inner, outer) = (text.frames[place], text.frames[place + 1])

        #expect(inner.isInlined && !outer.isInlined)
        #expect(outer.symbol == "call_inlined" && inner.address == outer.address)
        #expect(inner.line == harness.line(of: "/* called from within */"))
        #expect(outer.line == harness.line(of: "/* inlined */"))
        // The number belongs to the frame on the stack.
        let lines = text.description.split(separator: "\n")
        #expect(
            lines[place].hasPrefix("    ")
                && lines[place].contains("[inlined] call_from_within at ")
        )
        #expect(lines[place + 1].first?.isNumber ?? false)
    }

    @Test("is unknown for an address without code, and then only the address is shown")
    func nowhere() {
        let frame = RLBacktrace.Frame(address: 3)
        #expect(frame.place == nil && frame.symbol == nil && frame.image == nil)
        #expect(Symbolizer(ofProcess: getpid()).places(at: [3]).isEmpty)
    }

    /// The ways to build a program in C.
    enum Build: String, CaseIterable {
        case debug = "-g"
        case optimized = "-g -O2"
        case separate = "-g -O1"
        case buildID = "-g -O1 -Wl,--build-id"
        case compressed = "-g -gz=zlib"
        case fixed = "-g -no-pie"
        case without = "-g0"
    }

    @Test(
        "is found in another process, however it was built, by LLVM's symbolizer and by addr2line",
        arguments: Build.allCases,
        ["llvm-symbolizer", "addr2line"]
    )
    func otherProcess(build: Build, name: String) throws {
        let folder = try Folder()
        try folder.compile(build.rawValue)
        if build == .separate || build == .buildID { try folder.separate() }
        let process = try BackgroundProcess(program: folder.path + "/program", [])
        let words = process.readLine()?.split(separator: " ") ?? []
        try #require(words.count == 3)
        let number = try #require(Int32(words[0]))
        let symbolizer = Symbolizer(ofProcess: number, program: try path(of: name))
        let function = try #require(UInt(words[1], radix: 16))
        let call = try #require(UInt(words[2], radix: 16))

        let places = symbolizer.places(at: [function, call])

        #expect(symbolizer.problem == nil)
        guard build != .without else {
            #expect(places.values.allSatisfy { $0.allSatisfy { $0.line == nil } })
            return
        }
        #expect(places[function]?.last?.function == "reload")
        #expect((7...9).contains(places[function]?.last?.line ?? 0))
        let calls = places[call] ?? []
        #expect(calls.map(\.function) == ["where", "reload"])
        #expect(calls.map(\.line) == [5, 9])
        #expect(calls.map(\.isInlined) == [true, false])
        // Processes without names send addresses.
        let line = ReportLine(
            text: "  10  program  ",
            function: nil,
            address: call,
            isOnStack: true
        )
        let report = line.lines(calls)
        #expect(report.first?.hasPrefix("      program  [inlined] where at ") ?? false, "\(report)")
        #expect(
            report.last?.contains(#/^  10  program  reload at .*program.c:9$/#) ?? false,
            "\(report)"
        )
    }

    @Test(
        "is found in a library that was loaded after the first look-up, also behind a mapping of its file",
        arguments: ["", "-DMAPS_FILE"]
    )
    func loadedLater(option: String) throws {
        let loader = try Loader(of: ["library.so"], "-g \(option)")
        #expect(loader.file(at: 3) == nil)
        #expect(loader.file(at: try loader.loadNext()) == "program.c")
    }

    @Test("is in the library that was loaded in place of another one") func unloaded() throws {
        let loader = try Loader(of: ["library.so", "other.so"])
        let address = try loader.loadNext()
        #expect(loader.file(at: address) == "program.c")

        try #require(try loader.loadNext() == address)
        #expect(loader.file(at: address) == "other.c")
    }

    @Test("is not read from a file that has replaced the library's file") func replaced() throws {
        let loader = try Loader(of: ["library.so"])
        let address = try loader.loadNext()
        try loader.folder.run("mv other.so library.so")
        // Without privileges, the deleted file cannot be opened.
        let file = loader.file(at: address)
        #expect(file == nil || file == "program.c")
    }

    @Test("remains known after the process has ended") func ended() throws {
        let loader = try Loader(of: ["library.so"])
        let address = try loader.loadNext()
        #expect(loader.file(at: address) != nil)
        loader.kill()
        #expect(loader.file(at: address) == "program.c")
    }

    @Test("is unknown for a process that does not exist") func gone() {
        #expect(Symbolizer(ofProcess: 0x7FFF_FFF0).places(at: [3]).isEmpty)
    }

    @Test("is looked up to the end by a canceled thread, as backtraces and dumps are taken")
    func canceledThread() async {
        await #expect(processExitsWith: .success) { useWhileCanceled() }
    }

    @Test("is in the report of a monitor with `findsLines`")
    func stall() throws {
        // On a busy machine a lookup may exceed its limit.
        var output = ""
        for _ in 0..<10 where !output.contains("main.swift:") {
            output = try ChildProcess(product: "diagnostics-probe", ["stall-lines"]).output
        }
        #expect(output.contains("main.swift:"), "\(output)")
    }

    @Test(
        "is missing in a report, which is still made, if the symbolizer is useless",
        arguments: Fake.allCases
    )
    func stallWithout(fake: Fake) throws {
        let folder = try Folder()
        if fake != .missing { try folder.add(fake) }
        let probe = try ChildProcess.pathOfProduct("diagnostics-probe")
        let child = try ChildProcess(
            path: "/usr/bin/env",
            ["PATH=" + folder.path, "/bin/sh", "-c", "'\(probe)' stall-lines 2>&1"]
        )
        #expect(child.output.contains("holdUp"), "\(child.output)")
        #expect(!child.output.contains("main.swift:"), "\(child.output)")
        let advice = "RunLoopKit: RLStallMonitor.init: \(Symbolizer.advice)\n"
        #expect(child.output.contains(advice) == (fake == .missing), "\(child.output)")
    }
}

/// Unusable symbolizers.
enum Fake: String, CaseIterable {
    case missing = ""
    case hanging = "exec /bin/sleep 1000"
    /// A child keeps the pipe open.
    case leaving = "/bin/sleep 10 & exit 0"
    case flooding = "exec /usr/bin/yes 0x1"
    case crashing = "echo 0x1; kill -SEGV $$"
    case babbling = "echo main.swift:1"
    case ending = "exit 1"
}

@Suite("A program that is run for its output") struct ProgramTests {
    @Test("is abandoned if it is useless, and is not started again", arguments: Fake.allCases)
    func useless(fake: Fake) throws {
        let folder = try Folder()
        let count = "echo once >>\(folder.path)/starts; "
        if fake != .missing { try folder.add(fake, after: count) }
        let symbolizer = Symbolizer(
            ofProcess: getpid(),
            program: folder.path + "/llvm-symbolizer",
            patience: .seconds(fake == .hanging ? 10 : 100)
        )
        let function: @convention(c) () -> Int64 = clock_ns
        let address = unsafeBitCast(function, to: UInt.self)
        #expect(symbolizer.places(at: [address]).isEmpty)
        #expect(symbolizer.places(at: [address]).isEmpty)
        let path = "\(folder.path)/llvm-symbolizer"
        #expect(
            symbolizer.problem
                == "no files and lines: \(path) failed: run it by hand to see the error"
        )
        let starts = try ChildProcess(path: "/bin/sh", ["-c", "cat '\(folder.path)'/starts* 2>&-"])
        #expect(starts.output == (fake == .missing ? "" : "once\n"))
    }

    @Test(
        "gets no descriptor, no blocked and no ignored signal, on kernels without close_range, too",
        arguments: [true, false]
    )
    func surroundings(hasCloseRange: Bool) throws {
        let folder = try Folder()
        try folder.add(text: "/bin/ls /proc/self/fd; /bin/grep Sig /proc/self/status")
        let descriptors = [3, 100, 500].map { fcntl(2, F_DUPFD, $0) }
        defer { for descriptor in descriptors { close(descriptor) } }
        let program = folder.path + "/llvm-symbolizer"
        let output = onFreshThread { () -> String? in
            // No other test uses this signal.
            signal(SIGVTALRM, SIG_IGN)
            defer { signal(SIGVTALRM, SIG_DFL) }
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            // The filter ends with this thread.
            if !hasCloseRange, !refuse_system_call(436, UInt32(EACCES)) { return nil }
            return run(program)
        }
        let words = (output ?? "")?.split(whereSeparator: \.isWhitespace) ?? []
        // The last descriptor belongs to the opened directory.
        #expect(words.starts(with: ["0", "1", "2", "3", "SigQ:"]), "\(words)")
        for name in ["SigBlk:", "SigIgn:"] {
            let index = try #require(words.firstIndex { $0 == name })
            let signals = UInt64(words[index + 1], radix: 16) ?? .max
            // Except the two of the C library.
            #expect(signals & ~(3 << 31) == 0, "\(words)")
        }
    }

    @Test("has written all when it ends, although its child has the pipe") func leaving() async {
        await #expect(processExitsWith: .success) {
            let folder = try Folder()
            try folder.add(text: "/bin/sleep 1000 & echo $!")
            for action in [SIG_DFL, SIG_IGN] {
                signal(SIGCHLD, action)
                let output = run(folder.path + "/llvm-symbolizer")
                let child = output.flatMap { pid_t($0.dropLast()) }
                precondition(child.map { kill($0, SIGKILL) } == 0)
            }
            signal(SIGCHLD, SIG_DFL)
        }
    }

    // In most rounds, SIGPIPE would end the program first if its output were closed too early.
    @Test(
        "has a session of its own, whose processes end together if it is abandoned",
        arguments: 0..<20
    )
    func session(round: Int) throws {
        let folder = try Folder()
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        try folder.add(
            text: """
                exec 3>'\(pipe)'
                echo $$ $(cut -d ' ' -f 5,6 /proc/$$/stat) >&3
                (sleep 600; echo survived >&3) &
                /usr/bin/yes
                echo survived $? >&3
                """
        )
        // The output exceeds the limit.
        #expect(run(folder.path + "/llvm-symbolizer") == nil)
        // Reads until no process holds the other end.
        _ = fcntl(reader, F_SETFL, 0)
        var bytes = [UInt8](repeating: 0, count: 1000)
        var length = 0
        while case let count = read(reader, &bytes[length], 1000 - length), count > 0 {
            length += count
        }
        let words = String(decoding: bytes[..<length], as: UTF8.self)
            .split(whereSeparator: \.isWhitespace)
        // The process, the group and the session.
        #expect(words.count == 3 && Set(words).count == 1, "\(words)")
    }

    @Test("is reaped, and the client is not notified of its end") func reaped() async {
        await #expect(processExitsWith: .success) {
            // A client that waits for all of its children.
            signal(SIGCHLD) { _ in abort() }
            let waiting = RLThread { while waitpid(-1, nil, 0) >= 0 || errno == EINTR {} }
            waiting.start()
            for _ in 0..<20 { precondition(run("/bin/echo") == "\n") }
            precondition(waitpid(-1, nil, WNOHANG | __WALL) == -1 && errno == ECHILD)
            waiting.join()
        }
    }

    @Test("may be run by a process without descriptors, or without the standard ones")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            close(0)
            close(1)
            precondition(run("/bin/echo") == "\n")
            let limit = rlimit(rlim_cur: 0, rlim_max: 0)
            withUnsafePointer(to: limit) { _ = setrlimit(__rlimit_resource_t(7), $0) }
            precondition(run("/bin/echo") == nil)
            // The leak checker could open no file at the end.
            _exit(0)
        }
    }

    @Test("is looked for in folders that a path names from the root, LLVM's first") func path()
        throws
    {
        let (one, other) = (try Folder(), try Folder())
        try one.run("touch llvm-symbolizer addr2line && chmod +x addr2line")
        try other.run("touch llvm-symbolizer-14 llvm-symbolizer-21 && chmod +x llvm-*")
        let (first, second) = (one.path, other.path)
        #expect(Symbolizer.find(in: "\(first):\(second)") == second + "/llvm-symbolizer-21")
        #expect(Symbolizer.find(in: ":.:\(first)") == first + "/addr2line")
        #expect(Symbolizer.find(in: "tmp") == nil)
        #expect(Symbolizer.find(in: nil) == nil)
    }

    @Test("is not looked for by a set-user-ID program", .enabled(if: geteuid() == 0))
    func setUserID() throws {
        let folder = try Folder()
        try folder.add(text: "echo >'\(folder.path)/started'")
        let probe = try ChildProcess.pathOfProduct("diagnostics-probe")
        try folder.run(
            "chmod 777 . && cp '\(probe)' probe && chown 65534 probe && chmod 4755 probe"
        )
        let child = try ChildProcess(
            path: "/usr/bin/env",
            ["PATH=" + folder.path, "/bin/sh", "-c", "'\(folder.path)/probe' stall-lines 2>&1"]
        )
        #expect(child.output.contains(Symbolizer.advice), "\(child.output)")
        #expect(access(folder.path + "/started", F_OK) != 0)
    }

    @Test("may write anything", arguments: ["", "0xg\n", "f\nmain.c:1\n", "0x1\nf\n"])
    func output(text: String) {
        #expect(Symbolizer.places(in: text) == nil)
    }
}

private func path(of name: String) throws -> String {
    let found = try ChildProcess(path: "/bin/sh", ["-c", "command -v \(name)"]).output
    return try #require(found.split(separator: "\n").first.map(String.init))
}

private func run(_ path: String) -> String? {
    var length = 0
    let text = path.withCString { path in
        RLProgramCopyOutput(path, [path, nil], 100_000, 60, &length)
    }
    defer { free(text) }
    return text.map {
        String(decoding: UnsafeRawBufferPointer(start: $0, count: length), as: UTF8.self)
    }
}

@inline(never) private func backtraceOfThisThread() -> RLBacktrace? {
    RLBacktrace.allowOnCurrentThread()
    let taken = try? RLBacktrace(ofThread: RLThreadGetNumber(), timeout: .seconds(10))
    return taken?.located(by: Symbolizer(ofProcess: getpid()))
}

/// Cancels threads during calls that hold locks.
private func useWhileCanceled() {
    let uses: [@Sendable () -> Void] = [
        { precondition(Symbolizer(ofProcess: getpid()).places(at: [3]).isEmpty) },
        { _ = backtraceOfThisThread() },
        { _ = RLRunLoopDump() },
    ]
    for use in uses {
        let isUsed = Guarded(false)
        call_on_thread {
            pthread_cancel(pthread_self())
            use()
            isUsed.withLock { $0 = true }
        }
        precondition(isUsed.withLock { $0 })
    }
}

/// A process that loads libraries one after the other, each in the place of its predecessor.
private struct Loader {
    let folder: Folder
    private let symbolizer: Symbolizer
    private let process: BackgroundProcess
    private let number: Int32

    /// Creates `library.so`, with a function in `program.c`, and `other.so`, with a function in
    /// `other.c`.
    init(of libraries: [String], _ options: String = "-g") throws {
        folder = try Folder()
        try folder.compile("-g -shared -fPIC -DLIBRARY", to: "library.so")
        try folder.compile("-g -shared -fPIC -DLIBRARY", "other", to: "other.so")
        try folder.compile(options)
        let path = folder.path
        process = try BackgroundProcess(
            program: path + "/program",
            libraries.map { path + "/" + $0 }
        )
        let word = process.readLine()?.split(separator: " ").first
        number = try #require(word.flatMap { Int32($0) })
        symbolizer = Symbolizer(ofProcess: number)
    }

    /// The name of the file with the function at an address.
    func file(at address: UInt) -> String? {
        let file = symbolizer.places(at: [address])[address]?.last?.file
        return file?.split(separator: "/").last.map(String.init)
    }

    /// Loads the next library, and returns the address of its function.
    func loadNext() throws -> UInt {
        process.write("load")
        let address = process.readLine().flatMap { UInt($0, radix: 16) }
        return try #require(address)
    }

    /// Kills the process, and waits until its memory is unmapped.
    func kill() {
        Glibc.kill(number, SIGKILL)
        while process.readLine() != nil {}
    }
}

/// A directory for a program, deleted with the object.
private final class Folder {
    let path: String

    init() throws {
        var template = Array("/tmp/corerunloop-test-XXXXXX".utf8CString)
        let made = mkdtemp(&template)
        path = String(cString: try #require(made))
        let file = try #require(fopen(path + "/program.c", "w"))
        fputs(Self.program, file)
        fclose(file)
        try run("(echo; cat program.c) >other.c")
    }

    deinit {
        _ = try? ChildProcess(path: "/bin/rm", ["-r", path])
    }

    func compile(_ options: String, _ source: String = "program", to name: String = "program")
        throws
    {
        try run("clang -D_GNU_SOURCE \(options) \(source).c -o \(name)")
    }

    /// Moves the debug information into a separate file.
    func separate() throws {
        try run(
            "objcopy --only-keep-debug program program.debug && strip program"
                + " && objcopy --add-gnu-debuglink=program.debug program"
        )
    }

    /// Adds a symbolizer that runs a script.
    func add(_ fake: Fake, after beginning: String = "") throws {
        try add(text: beginning + fake.rawValue)
    }

    func add(text: String) throws {
        let file = try #require(fopen(path + "/llvm-symbolizer", "w"))
        fputs("#!/bin/sh\n\(text)\n", file)
        fclose(file)
        try run("chmod +x llvm-symbolizer")
    }

    func run(_ command: String) throws {
        let done = try ChildProcess(path: "/bin/sh", ["-c", "cd \(path) && \(command)"])
        try #require(done.exitCode == 0, "\(command): \(done.output)")
    }

    /// Prints its process ID, the address of a function, and an address in an inlined function.
    ///
    /// At each line of input it unloads a library and loads the next one.
    private static let program = """
        #include <dlfcn.h>
        #include <stdio.h>
        #include <unistd.h>
        __attribute__((noinline)) char *here(void) { __asm__(""); return __builtin_return_address(0); }
        static inline __attribute__((always_inline)) char *where(void) { return here() - 1; }

        __attribute__((noinline)) char *reload(void)
        {
            return where();
        }
        #ifndef LIBRARY
        #include <fcntl.h>
        #include <sys/mman.h>

        /* Maps all of a file right before where it is loaded, as one does that reads its names. */
        static void map_file(const char *path, char *loaded)
        {
            int fd = open(path, O_RDONLY);
            size_t size = ((size_t)lseek(fd, 0, SEEK_END) + 4095) / 4096 * 4096;
            mmap(loaded - size, size, PROT_READ, MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd, 0);
            close(fd);
        }

        int main(int count, char **words)
        {
            char line[8];
            void *library = NULL;
            printf("%d %lx %lx\\n", (int)getpid(), (long)reload, (long)reload());
            fflush(stdout);
            while (count > 1 && fgets(line, sizeof line, stdin)) {
                if (library) dlclose(library);
                library = *++words ? dlopen(*words, RTLD_NOW) : NULL;
                void *function = library ? dlsym(library, "reload") : NULL;
        #ifdef MAPS_FILE
                Dl_info info;
                if (dladdr(function, &info)) map_file(*words, info.dli_fbase);
        #endif
                printf("%lx\\n", (long)function);
                fflush(stdout);
            }
            while (getchar() != EOF) {}
        }
        #endif
        """
}
