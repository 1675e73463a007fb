import CHarness
import CRunLoop.Testing
import CRunLoop.Wrapping
import Glibc
import ProcessKit
import Testing
import ThreadKit

@testable import RunLoopDiagnostics

/// Places in the source, of this process and of others.
@Suite("The place of a function in its source") struct SourceLinesTests {
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
        let harness = SourceText("Tests/Support/CHarness/harness.c")
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
        // The number is that of the frame on the stack.
        let lines = text.description.split(separator: "\n")
        #expect(
            lines[place].hasPrefix("    ")
                && lines[place].contains("[inlined] call_from_within at ")
        )
        #expect(lines[place + 1].first?.isNumber ?? false)
    }

    @Test("of a function by its address is where it is declared") func declaration() {
        let function: @convention(c) () -> Int64 = clock_ns
        let frame = RLBacktrace.Frame(address: unsafeBitCast(function, to: UInt.self))
        let file = SourceText("Tests/Support/CHarness/harness.c")
        #expect(frame.line == file.line(of: "int64_t clock_ns(void)"), "\(frame)")
        #expect(frame.file?.hasSuffix("Tests/Support/CHarness/harness.c") ?? false, "\(frame)")
    }

    @Test("is not known of what is no code, and then the address is all there is") func nowhere() {
        let frame = RLBacktrace.Frame(address: 3)
        #expect(frame.place == nil && frame.symbol == nil && frame.image == nil)
    }

    /// Programs in C, as they come.
    enum Build: String, CaseIterable {
        case debug = "-g"
        case optimized = "-g -O2"
        case separate = "-g -O1"
        case buildID = "-g -O1 -Wl,--build-id"
        case split = "-gdwarf-4 -gsplit-dwarf"
        case compressed = "-g -gz=zlib"
        case fixed = "-g -no-pie"
        case without = "-g0"
    }

    @Test("is found in another process, however it was built", arguments: Build.allCases)
    func otherProcess(build: Build) throws {
        let folder = try Folder()
        try folder.compile(build.rawValue)
        if build == .separate || build == .buildID { try folder.separate() }
        let process = try BackgroundProcess(program: folder.path + "/program", [])
        let words = process.readLine()?.split(separator: " ") ?? []
        try #require(words.count == 3)
        let lines = SourceLines(ofProcess: try #require(Int32(words[0])))

        let function = lines.place(at: try #require(UInt(words[1], radix: 16)))
        let calls = lines.places(at: try #require(UInt(words[2], radix: 16)))

        guard build != .without else {
            #expect(function == nil && calls.isEmpty)
            return
        }
        #expect(function?.function == "reload" && function?.shortText == "program.c:7")
        #expect(calls.map(\.function) == ["where", "reload"])
        #expect(calls.map(\.line) == [5, 9])
        #expect(calls.map(\.isInlined) == [true, false])
        #expect(calls.last.map { $0.offset > 0 } ?? false)
        // A process without names writes addresses.
        let mark = PlaceMark.text(try #require(UInt(words[2], radix: 16)))
        let report = PlaceMark.fillIn("  0   program  \(mark)0x12 + 34", lines)
        #expect(report.contains(#/\n  0   program  reload \+ \d+ at .*program.c:9$/#), "\(report)")
    }

    @Test(
        "is found of what was loaded since the first look, also behind a mapping of its file",
        arguments: ["", "-DMAPS_FILE"]
    )
    func loadedLater(option: String) throws {
        let loader = try Loader(of: ["library.so"], "-g \(option)")
        #expect(loader.lines.place(at: 3) == nil)
        #expect(loader.lines.place(at: try loader.loadNext())?.shortText == "program.c:7")
    }

    @Test("is that of the library that took the place of another one") func unloaded() throws {
        let loader = try Loader(of: ["library.so", "other.so"])
        let address = try loader.loadNext()
        #expect(loader.lines.place(at: address)?.shortText == "program.c:7")

        try #require(try loader.loadNext() == address)
        loader.lines.update()
        #expect(loader.lines.place(at: address)?.shortText == "other.c:8")
    }

    @Test("is not that in a file with which the library's was replaced") func replaced() throws {
        let loader = try Loader(of: ["library.so"])
        let address = try loader.loadNext()
        // Has what is loaded looked at.
        #expect(loader.lines.place(at: 3) == nil)
        try loader.folder.run("mv other.so library.so")
        // The kernel may let nobody open the one that is deleted.
        let place = loader.lines.place(at: address)
        #expect(place == nil || place?.shortText == "program.c:7")
    }

    @Test("stays known of a process that has ended") func ended() throws {
        let loader = try Loader(of: ["library.so"])
        let address = try loader.loadNext()
        #expect(loader.lines.place(at: address) != nil)
        loader.kill()
        loader.lines.update()
        #expect(loader.lines.place(at: address)?.shortText == "program.c:7")
    }

    @Test("is not known of a process that has gone") func gone() {
        #expect(SourceLines(ofProcess: 0x7FFF_FFF0).place(at: 3) == nil)
    }

    @Test("is left out where there is no libdw, and names stay") func withoutLibrary() throws {
        let folder = try Folder()
        // What the linker finds first is no library.
        fclose(fopen(folder.path + "/libdw.so.1", "w"))
        let probe = try ChildProcess.pathOfProduct("diagnostics-probe")
        let child = try ChildProcess(
            path: "/usr/bin/env",
            ["LD_LIBRARY_PATH=" + folder.path, probe, "dump"]
        )
        #expect(child.output.contains("askForDump"), "\(child.output)")
        #expect(!child.output.contains("main.swift:"))
        #expect(child.output.hasSuffix("ended\n"))
    }

    @Test("is in a dump") func dump() throws {
        let child = try ChildProcess(product: "diagnostics-probe", ["dump"])
        let probe = SourceText("Tests/Probes/DiagnosticsProbe/main.swift")
        let call = probe.place(of: "print(askForDump(from: readEnd))")
        #expect(child.output.contains(" at \(call)\n"), "\(child.output)")
    }

    @Test("is looked up to the end by a canceled thread, as backtraces and dumps are taken")
    func canceledThread() async {
        await #expect(processExitsWith: .success) { useWhileCanceled() }
    }

    @Test("stands in a text for a viewer as a mark, which is replaced") func marks() {
        let text = "a \(PlaceMark.text(0x7F00)) b \(PlaceMark.text(3))\nc \u{2068}xyz\u{2069}"
        let filled = PlaceMark.replace(in: text) { "<\($0)>" }
        #expect(filled == "a <32512> b <3>\nc \u{2068}xyz\u{2069}")
        // Names may have such characters too, as those that Foundation puts together.
        let names = "\u{2068}Ann\u{2069} \u{2068} \(PlaceMark.text(3))\u{2068}"
        let named = PlaceMark.replace(in: names) { "<\($0)>" }
        #expect(named == "\u{2068}Ann\u{2069} \u{2068} <3>\u{2068}")
        let report = "head\n  0   app  \(PlaceMark.text(3))main + 4\n"
        let lines = SourceLines(ofProcess: getpid())
        #expect(PlaceMark.fillIn(report, lines) == "head\n  0   app  main + 4\n")
        let event = #"{"address":"0x3","source":"\#(PlaceMark.text(3))"}"#
        #expect(PlaceMark.fillIn(event, form: "json", lines) == #"{"address":"0x3"}"#)
    }
}

@inline(never) private func backtraceOfThisThread() -> RLBacktrace? {
    RLBacktrace.allowOnCurrentThread()
    return try? RLBacktrace(ofThread: RLThreadGetNumber(), timeout: .seconds(10))
}

/// Has threads use what they would leave with a lock held, if they were canceled in it.
private func useWhileCanceled() {
    let uses: [@Sendable () -> Void] = [
        { precondition(SourceLines(ofProcess: getpid()).place(at: 3) == nil) },
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

/// A process that loads libraries, each in place of the one before.
private struct Loader {
    let folder: Folder
    let lines: SourceLines
    private let process: BackgroundProcess
    private let number: Int32

    /// Of `library.so`, whose function is at line 7 of `program.c`, and `other.so`, whose function
    /// is at line 8 of `other.c`.
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
        lines = SourceLines(ofProcess: number)
    }

    /// Has the next library loaded, and returns the address of its function.
    func loadNext() throws -> UInt {
        process.tell("load")
        let address = process.readLine().flatMap { UInt($0, radix: 16) }
        return try #require(address)
    }

    /// Kills the process, and waits until its memory is gone.
    func kill() {
        Glibc.kill(number, SIGKILL)
        while process.readLine() != nil {}
    }
}

/// A folder for a program, which goes with it.
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

    /// Leaves the debug information in a file of its own.
    func separate() throws {
        try run(
            "objcopy --only-keep-debug program program.debug && strip program"
                + " && objcopy --add-gnu-debuglink=program.debug program"
        )
    }

    func run(_ command: String) throws {
        let done = try ChildProcess(path: "/bin/sh", ["-c", "cd \(path) && \(command)"])
        try #require(done.exitCode == 0, "\(command): \(done.output)")
    }

    /// Says its number, the address of a function, and one in what is inlined into it.
    ///
    /// At each line it unloads a library and loads the next one.
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
