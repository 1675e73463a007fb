// swift-tools-version: 6.2

import PackageDescription

// --- What repeats --------------------------------------------------------------------------------

/// Whether warnings stop the build, as they do in `.ci/run`; not in packages that depend on this
/// one by a path, which a newer compiler would stop otherwise.
let isStrict = Context.environment["RL_STRICT"] != nil

let cSettings: [CSetting] =
    (isStrict ? [.treatAllWarnings(as: .error)] : []) + [
        .enableWarning("all"),
        .enableWarning("extra"),
        .enableWarning("thread-safety"),
        .define("RL_TESTING", .when(configuration: .debug)),
    ]

let swiftSettings: [SwiftSetting] =
    (isStrict ? [.treatAllWarnings(as: .error)] : []) + [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]

// The samples are written as for Apple's platforms, whose CoreFoundation knows no Sendable
// closures.
let sampleSettings: [SwiftSetting] =
    (isStrict ? [.treatAllWarnings(as: .error)] : []) + [.swiftLanguageMode(.v5)]

/// A library in C, in a folder with its name.
func cLibrary(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    in folder: String = "CSupport",
    exclude: [String] = [],
    settings: [CSetting] = [],
    linking systemLibraries: [String] = []
) -> Target {
    // Clients' threads may have small stacks. A sanitizer makes frames larger.
    let smallFrames = isStrict && folder.hasPrefix("CSupport") && part != "sanitized"
    return .target(
        name: name,
        dependencies: dependencies,
        path: "\(folder)/\(name)",
        exclude: exclude,
        cSettings: cSettings + settings
            + (smallFrames ? [.enableWarning("frame-larger-than=8192")] : []),
        linkerSettings: systemLibraries.map { .linkedLibrary($0) }
    )
}

/// A library in Swift, in a folder with its name.
func swiftLibrary(
    _ name: String,
    _ dependencies: [Target.Dependency] = [],
    in folder: String = "Sources"
) -> Target {
    inSwift(.target(name: name, dependencies: dependencies, path: "\(folder)/\(name)"))
}

/// Scenarios in C, each a program of its own: compiled for one of the engines.
func scenarios(
    _ name: String,
    path: String,
    exclude: [String] = [],
    headers: String,
    settings: [CSetting]
) -> Target {
    .target(
        name: name,
        dependencies: ["CHarness"] + onEngine,
        path: path,
        exclude: exclude,
        publicHeadersPath: headers,
        cSettings: cSettings + settings
            + [.define("_GNU_SOURCE"), .disableWarning("unused-parameter")]
    )
}

/// A program in Swift.
func program(
    _ name: String,
    _ dependencies: [Target.Dependency],
    path: String,
    exclude: [String] = [],
    sources: [String]? = nil
) -> Target {
    inSwift(
        .executableTarget(
            name: name,
            dependencies: dependencies,
            path: path,
            exclude: exclude,
            sources: sources
        )
    )
}

/// Tests in Swift, in a folder with their name.
func suites(
    _ name: String,
    _ dependencies: [Target.Dependency],
    in folder: String = "Tests/Suites",
    path: String? = nil,
    exclude: [String] = []
) -> Target {
    inSwift(
        .testTarget(
            name: name,
            dependencies: dependencies,
            path: path ?? "\(folder)/\(name)",
            exclude: exclude
        )
    )
}

func inSwift(_ target: Target) -> Target {
    target.swiftSettings = swiftSettings
    return target
}

/// Which part of the package `.ci/run` builds.
///
/// `core` is the run loop without the extras, and its tests; `release` is what others use, without
/// the tests; `sanitized` is the libraries with the tests that are useful with a
/// sanitizer. Without the variable it is everything.
let part = Context.environment["RL_PART"]

// --- What others use -----------------------------------------------------------------------------

/// The engine's rooms, which are one product: the loop, and what stands on it.
let engine = ["CRunLoop", "CRunLoopValues", "CRunLoopStreams", "CRunLoopPorts"]
let onEngine = engine.map { Target.Dependency.byName(name: $0) }

/// A room above the loop sees the loop's private headers and its own; of values, the public ones.
func upperRoom(_ name: String, _ others: [Target.Dependency] = []) -> Target {
    cLibrary(
        name,
        ["CRunLoop"] + others,
        settings: [.headerSearchPath("../CRunLoop"), .headerSearchPath(".")]
    )
}

/// Each is a product with its name.
let coreProducts = [
    "CRunLoop", "CoreRunLoop", "CFHeaders", "AppleHeaders", "CFCompatibility", "RunLoopKit",
    "RunLoopConcurrency", "RunLoopTesting", "RunLoopTestTraits", "RunLoopXCTest",
]
let extraProducts = [
    "RunLoopDisplay", "RunLoopDiagnostics", "RunLoopNetworking", "RunLoopFoundation",
    "CRunLoopHosts",
    "RunLoopHosts",
]

let coreLibraries: [Target] = [
    cLibrary(
        "CRunLoop",
        settings: [.headerSearchPath(".")],
        linking: ["dispatch", "BlocksRuntime", "m"]
    ),
    upperRoom("CRunLoopValues"),
    upperRoom("CRunLoopStreams", ["CRunLoopValues"]),
    upperRoom("CRunLoopPorts", ["CRunLoopValues"]),
    // The Swift runtime for the engine and for all modules in Swift.
    cLibrary("CRunLoopConcurrency", ["CRunLoop"]),
    swiftLibrary("CoreRunLoop", onEngine + ["CRunLoopConcurrency"]),

    cLibrary("CFHeaders", onEngine),
    cLibrary("AppleHeaders", ["CFHeaders"]),
    swiftLibrary("CFCompatibility", ["CoreRunLoop"]),

    swiftLibrary("RunLoopKit", ["CoreRunLoop"]),
    swiftLibrary("RunLoopConcurrency", ["CRunLoopConcurrency", "RunLoopKit"]),

    swiftLibrary("RunLoopTesting", ["CRunLoop", "CRunLoopConcurrency", "RunLoopKit"]),
    swiftLibrary("RunLoopTestTraits", ["RunLoopConcurrency", "RunLoopTesting"]),
    swiftLibrary("RunLoopXCTest", ["RunLoopTesting"]),

    // No product: what the tool and some tests need of the kernel's headers.
    .systemLibrary(name: "CLinux", path: "CSupport/CLinux"),
]

/// The core imports none of these.
let extraLibraries: [Target] = [
    swiftLibrary("RunLoopFoundation", ["RunLoopKit"], in: "Sources/Extras"),

    cLibrary("CRunLoopDisplay", ["CRunLoop"], in: "CSupport/Extras"),
    swiftLibrary("RunLoopDisplay", ["CRunLoopDisplay", "RunLoopKit"], in: "Sources/Extras"),

    cLibrary("CRunLoopNetworking", ["CRunLoop"], in: "CSupport/Extras"),
    swiftLibrary("RunLoopNetworking", ["CRunLoopNetworking", "RunLoopKit"], in: "Sources/Extras"),

    cLibrary("CRunLoopDiagnostics", ["CRunLoop"], in: "CSupport/Extras"),
    swiftLibrary(
        "RunLoopDiagnostics",
        ["CRunLoopDiagnostics", "RunLoopKit"],
        in: "Sources/Extras"
    ),

    cLibrary("CRunLoopHosts", onEngine, in: "CSupport/Extras"),
    swiftLibrary("RunLoopHosts", ["CRunLoopHosts", "RunLoopKit"], in: "Sources/Extras"),
]

let tools: [Target] = [
    program(
        "runloop",
        [
            "BenchKit", "CLinux", "CoreRunLoop", "RunLoopConcurrency", "RunLoopDiagnostics",
            "RunLoopDisplay", "RunLoopHosts", "RunLoopKit", "RunLoopNetworking", "RunLoopSamples",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        path: "Sources/Extras/runloop"
    ),
    // The samples of `runloop demo`, as in another package: without what only this one can use.
    inSwift(
        .target(
            name: "RunLoopSamples",
            dependencies: [
                "RunLoopConcurrency", "RunLoopDiagnostics", "RunLoopDisplay", "RunLoopHosts",
                "RunLoopNetworking", "RunLoopTesting",
            ],
            path: "Sources/Samples/Tour",
            packageAccess: false
        )
    ),
    // The workloads of Tests/Costs/Benchmarks with two of its loops, for `runloop bench`.
    .target(
        name: "BenchKit",
        dependencies: onEngine,
        path: "Tests/Costs/Benchmarks/Sources/Engines",
        sources: [
            "floor.c", "ours.c", "post_office.c", "serving.workloads.c", "space.workloads.c",
            "timers.workloads.c", "waking.workloads.c", "workloads.c",
        ],
        cSettings: cSettings
    ),
]

// --- Samples: files to copy from, which tests run ------------------------------------------------

/// Whole programs, each a file; `GTKHost.swift` is compiled by its test.
let programs = [
    "CGTK", "ChatServer.swift", "Countdown.swift", "Downloader.swift", "GTKHost.swift",
    "LogFollower.swift", "MainActorApp.swift", "PeriodicJob.swift", "Proxy.swift",
    "Supervisor.swift", "TerminalMultiplexer.c", "WorkQueue.swift",
]

func sample(
    _ name: String,
    _ file: String,
    _ dependencies: [Target.Dependency],
    settings: [SwiftSetting] = []
) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: "Sources/Samples/Programs",
        exclude: programs.filter { $0 != file },
        cSettings: cSettings + [.define("_GNU_SOURCE")],
        swiftSettings: swiftSettings + settings
    )
}

/// The default of new apps: code without an isolation of its own belongs to the main actor.
let onMainActor = SwiftSetting.defaultIsolation(MainActor.self)

let coreSamples: [Target] = [
    sample("chat-server", "ChatServer.swift", ["RunLoopKit"]),
    sample("countdown", "Countdown.swift", ["RunLoopKit"]),
    sample("log-follower", "LogFollower.swift", ["RunLoopKit"]),
    sample("proxy", "Proxy.swift", ["RunLoopConcurrency"]),
    sample("supervisor", "Supervisor.swift", ["RunLoopConcurrency"]),
    sample("terminal-multiplexer", "TerminalMultiplexer.c", ["CRunLoop"]),
    sample("work-queue", "WorkQueue.swift", ["RunLoopKit"]),

    // Many small ones in CF's spelling; tests rename them.
    .executableTarget(
        name: "samples-c-cf",
        dependencies: ["CFHeaders"],
        path: "Sources/Samples/CF/C",
        cSettings: cSettings
    ),
    .executableTarget(
        name: "samples-apple-cf",
        dependencies: ["AppleHeaders"],
        path: "Sources/Samples/CF/Apple",
        cSettings: cSettings
    ),
    .executableTarget(
        name: "samples-swift-cf",
        dependencies: ["CFCompatibility"],
        path: "Sources/Samples/CF/Swift",
        swiftSettings: sampleSettings
    ),
]

let extraSamples: [Target] = [
    sample("downloader", "Downloader.swift", ["RunLoopNetworking"]),
    sample("periodic-job", "PeriodicJob.swift", ["RunLoopConcurrency", "RunLoopNetworking"]),
]

let sampleTests: [Target] = [
    suites(
        "ProgramTests",
        [
            "ProcessKit", "RunLoopKit", "RunLoopTestTraits", "ServerKit", "chat-server",
            "countdown", "downloader", "log-follower", "periodic-job", "proxy", "supervisor",
            "terminal-multiplexer", "work-queue",
        ]
    ),
    suites(
        "SampleTests",
        [
            "CFCompatibility", "ProcessKit", "RunLoopKit", "foundation-file", "samples-apple-cf",
            "samples-c-cf", "samples-swift-cf", "xctest-probe",
        ],
        exclude: ["Fixtures"]
    ),

    // On Foundation's run loop; a test ports it to ours.
    .executableTarget(
        name: "foundation-file",
        path: "Tests/Suites/Probes/FoundationFile",
        swiftSettings: sampleSettings
    ),
    // As the lists of tests that SwiftPM makes, which Swift 6 takes for races.
    .executableTarget(
        name: "xctest-probe",
        dependencies: ["DeferralKit", "RunLoopXCTest"],
        path: "Tests/Suites/Probes/XCTestProbe",
        swiftSettings: sampleSettings
    ),
]

// --- Tests, what they share, and the programs that they start ------------------------------------

// Those whose threads and memory are ours. The scenarios are in C, and CMake builds them.
let coreTests: [Target] = [
    suites("CoreRunLoopTests", ["CoreRunLoop", "ThreadKit"]),
    suites(
        "RunLoopKitTests",
        [
            "ProcessKit", "RunLoopKit", "RunLoopTesting", "ServerKit", "ThreadKit", "kit-probe",
            "main-actor-app", "main-actor-probe",
        ]
    ),
    suites(
        "RunLoopConcurrencyTests",
        ["CLinux", "ProcessKit", "RunLoopConcurrency", "ThreadKit", "async-main-probe"]
    ),
    suites("RunLoopTestingTests", ["RunLoopConcurrency", "RunLoopTestTraits", "ThreadKit"]),
    suites(
        "HostileTests",
        ["CLinux", "RunLoopConcurrency", "RunLoopKit", "ThreadKit"],
        path: "Tests/Attacks/Hostile",
        exclude: ["run.sh"]
    ),
    swiftLibrary("DeferralKit", ["RunLoopConcurrency", "RunLoopKit"], in: "Tests/Suites/Support"),
    swiftLibrary("ThreadKit", in: "Tests/Suites/Support"),
    swiftLibrary("ProcessKit", ["CHarness"], in: "Tests/Suites/Support"),
    swiftLibrary("ServerKit", in: "Tests/Suites/Support"),
    cLibrary("CHarness", in: "Tests/Scenarios/kit"),

    program(
        "async-main-probe",
        ["CRunLoopConcurrency", "RunLoopConcurrency"],
        path: "Tests/Suites/Probes/AsyncMainProbe"
    ),
    program(
        "kit-probe",
        ["RunLoopConcurrency", "RunLoopTesting"],
        path: "Tests/Suites/Probes/KitProbe"
    ),
    sample("main-actor-app", "MainActorApp.swift", ["RunLoopKit"], settings: [onMainActor]),
    .executableTarget(
        name: "main-actor-probe",
        dependencies: ["RunLoopKit"],
        path: "Tests/Suites/Probes/MainActorProbe",
        swiftSettings: swiftSettings + [onMainActor]
    ),
]

let extraTests: [Target] = [
    suites(
        "ExtrasTests",
        ["ProcessKit", "RunLoopFoundation", "ThreadKit", "extras-probe"],
        in: "Tests/Extras/Suites"
    ),
    suites(
        "RunLoopDisplayTests",
        ["CRunLoopDisplay", "RunLoopDisplay", "RunLoopTesting", "ThreadKit"],
        in: "Tests/Extras/Suites"
    ),
    suites(
        "RunLoopDiagnosticsTests",
        ["CHarness", "ProcessKit", "RunLoopDiagnostics", "ThreadKit", "diagnostics-probe"],
        in: "Tests/Extras/Suites"
    ),
    suites(
        "RunLoopNetworkingTests",
        ["FetchKit", "ProcessKit", "RunLoopNetworking", "ServerKit", "ThreadKit", "extras-probe"],
        in: "Tests/Extras/Suites"
    ),
    suites(
        "RunLoopHostsTests",
        ["CLinux", "CRunLoopHosts", "DeferralKit", "RunLoopHosts", "RunLoopTesting", "ThreadKit"],
        in: "Tests/Extras/Suites"
    ),
    suites(
        "HostileExtrasTests",
        [
            "CHarness", "CLinux", "FetchKit", "RunLoopConcurrency", "RunLoopDiagnostics",
            "RunLoopDisplay",
            "RunLoopKit", "RunLoopNetworking", "ServerKit", "ThreadKit",
        ],
        path: "Tests/Extras/Attacks/Hostile"
    ),
    swiftLibrary(
        "FetchKit",
        ["RunLoopNetworking", "ThreadKit"],
        in: "Tests/Extras/Suites/Support"
    ),

    program(
        "diagnostics-probe",
        ["CLinux", "ProcessKit", "RunLoopConcurrency", "RunLoopDiagnostics", "RunLoopNetworking"],
        path: "Tests/Extras/Suites/Probes/DiagnosticsProbe"
    ),
    program(
        "extras-probe",
        [
            "RunLoopConcurrency", "RunLoopDiagnostics", "RunLoopDisplay", "RunLoopFoundation",
            "RunLoopNetworking", "RunLoopTesting",
        ],
        path: "Tests/Extras/Suites/Probes/ExtrasProbe"
    ),
]

let compatibilityTests: [Target] = [
    suites("CFCompatibilityTests", ["CFCompatibility", "RunLoopKit", "ThreadKit"])
]

// CMake builds the scenarios, too: without any of Swift, and for the sanitizers.
let conformanceTests: [Target] = [
    suites("ConformanceTests", ["ProcessKit", "scenario-runner"]),

    scenarios(
        "ScenarioKit",
        path: "Tests/Scenarios",
        exclude: [
            "kit/CHarness", "kit/ScenarioRunner", "kit/standalone", "reference",
            "tls/make_certificates.sh",
        ],
        headers: "kit/include",
        settings: [.headerSearchPath("kit")]
    ),
    // The files that the reference runs, too, by links to their folders. SwiftPM asks for a folder
    // of headers.
    scenarios(
        "ScenariosOnReference",
        path: "Tests/Scenarios/reference",
        headers: "random",
        settings: [
            .headerSearchPath("../kit"), .headerSearchPath("../kit/include"),
            .define("SCENARIO_ON_REFERENCE"),
        ]
    ),
    program(
        "scenario-runner",
        ["ScenarioKit", "ScenariosOnReference"],
        path: "Tests/Scenarios/kit/ScenarioRunner"
    ),
]

let toolTests: [Target] = [
    suites(
        "RunLoopToolTests",
        ["CoreRunLoop", "ProcessKit", "RunLoopSamples", "diagnostics-probe", "runloop"],
        in: "Tests/Extras/Suites"
    )
]

// With the clients of the programs that it is compared with.
let costs = program(
    "swift-costs",
    ["RunLoopConcurrency"],
    path: "Tests/Costs",
    exclude: [
        "allocations.c", "costs.c", "count.py", "crowds.c", "exchanges.c", "results.py",
        "Benchmarks/Package.swift", "Benchmarks/RESULTS.md",
    ]
        + [
            "CGLib", "Engines", "Programs", "echo-engine", "echo-foundation", "echo-kit",
            "echo-libuv", "measure", "app/AwaitedDispatch.swift", "app/AwaitedNIO.swift",
            "app/NIO.swift", "app/Requests.swift", "app/main.swift",
        ].map { "Benchmarks/Sources/\($0)" },
    sources: ["Swift", "Benchmarks/Sources/app/Clients.swift"]
)

let targets: [Target] =
    switch part {
    case "core": coreLibraries + coreTests + compatibilityTests
    case "release": coreLibraries + extraLibraries + tools + [costs]
    case "sanitized": coreLibraries + extraLibraries + coreTests + extraTests
    default:
        coreLibraries + coreSamples + coreTests + compatibilityTests + conformanceTests
            + extraLibraries + tools + extraSamples + extraTests + toolTests + sampleTests + [costs]
    }
let hasTools = part != "sanitized" && part != "core"

let package = Package(
    name: "CoreRunLoop",
    products: (coreProducts + (part == "core" ? [] : extraProducts)).map {
        .library(name: $0, targets: $0 == "CRunLoop" ? engine : [$0])
    }
        + (hasTools ? [.executable(name: "runloop", targets: ["runloop"])] : []),
    dependencies: part == "core"
        ? [] : [.package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")],
    targets: targets,
    cLanguageStandard: .gnu17
)
