// swift-tools-version: 6.2

import PackageDescription

let cSettings: [CSetting] = [
    .treatAllWarnings(as: .error),
    .enableWarning("all"),
    .enableWarning("extra"),
    .enableWarning("thread-safety"),
    .define("RL_TESTING", .when(configuration: .debug)),
]

let swiftSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
]

// The samples are written as for Apple's platforms, whose CoreFoundation knows no Sendable
// closures.
let sampleSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v5),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "CoreRunLoop",
    products: [
        .library(name: "CRunLoop", targets: ["CRunLoop"]),
        .library(name: "CoreRunLoop", targets: ["CoreRunLoop"]),
        .library(name: "RunLoopKit", targets: ["RunLoopKit"]),
        .library(name: "RunLoopFoundation", targets: ["RunLoopFoundation"]),
        .library(name: "RunLoopConcurrency", targets: ["RunLoopConcurrency"]),
        .library(name: "RunLoopDiagnostics", targets: ["RunLoopDiagnostics"]),
        .library(name: "RunLoopNetworking", targets: ["RunLoopNetworking"]),
        .library(name: "CRunLoopHosts", targets: ["CRunLoopHosts"]),
        .library(name: "RunLoopHosts", targets: ["RunLoopHosts"]),
        .library(name: "CFCompatibility", targets: ["CFCompatibility"]),
        .library(name: "CFHeaders", targets: ["CFHeaders"]),
        .executable(name: "runloop", targets: ["runloop"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0")
    ],
    targets: [
        .target(
            name: "CRunLoop",
            path: "CSupport/CRunLoop",
            cSettings: cSettings + [.headerSearchPath(".")],
            linkerSettings: [
                .linkedLibrary("bsd"),
                .linkedLibrary("dispatch"),
                .linkedLibrary("BlocksRuntime"),
            ]
        ),
        .target(
            name: "CFHeaders",
            dependencies: ["CRunLoop"],
            path: "CSupport/CFHeaders",
            cSettings: cSettings
        ),
        .target(name: "CoreRunLoop", dependencies: ["CRunLoop"], swiftSettings: swiftSettings),
        .target(
            name: "CFCompatibility",
            dependencies: ["CoreRunLoop"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "CRunLoopKit",
            dependencies: ["CRunLoop"],
            path: "CSupport/CRunLoopKit",
            cSettings: cSettings
        ),
        .target(
            name: "RunLoopKit",
            dependencies: ["CRunLoopKit", "CoreRunLoop"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "CRunLoopConcurrency",
            dependencies: ["CRunLoop"],
            path: "CSupport/CRunLoopConcurrency",
            cSettings: cSettings
        ),
        .target(
            name: "RunLoopConcurrency",
            dependencies: ["CRunLoopConcurrency", "RunLoopKit"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "CRunLoopDiagnostics",
            dependencies: ["CRunLoop"],
            path: "CSupport/CRunLoopDiagnostics",
            cSettings: cSettings
        ),
        .target(
            name: "RunLoopDiagnostics",
            dependencies: ["CRunLoopDiagnostics", "RunLoopKit"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "RunLoopNetworking",
            dependencies: ["RunLoopKit"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "RunLoopFoundation",
            dependencies: ["RunLoopKit"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "CRunLoopHosts",
            dependencies: ["CRunLoop"],
            path: "CSupport/CRunLoopHosts",
            cSettings: cSettings
        ),
        .target(
            name: "RunLoopHosts",
            dependencies: ["CRunLoopHosts", "RunLoopKit"],
            swiftSettings: swiftSettings
        ),
        .systemLibrary(name: "CLinux", path: "CSupport/CLinux"),
        // The workloads of Tests/Benchmarks with two of its loops, for `runloop bench`.
        .target(
            name: "BenchKit",
            dependencies: ["CRunLoop"],
            path: "Tests/Benchmarks/Sources/Engines",
            sources: [
                "floor.c",
                "ours.c",
                "post_office.c",
                "serving.workloads.c",
                "space.workloads.c",
                "timers.workloads.c",
                "waking.workloads.c",
                "workloads.c",
            ],
            cSettings: cSettings
        ),
        .executableTarget(
            name: "runloop",
            dependencies: [
                "BenchKit",
                "CLinux",
                "CoreRunLoop",
                "RunLoopConcurrency",
                "RunLoopDiagnostics",
                "RunLoopHosts",
                "RunLoopKit",
                "RunLoopNetworking",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "samples-c-cf",
            dependencies: ["CFHeaders"],
            path: "Sources/Samples/CFSpelled/C",
            cSettings: cSettings
        ),
        .executableTarget(
            name: "samples-c-rl",
            dependencies: ["CRunLoop"],
            path: "Sources/Samples/Renamed/C",
            cSettings: cSettings
        ),
        .executableTarget(
            name: "samples-swift-cf",
            dependencies: ["CFCompatibility"],
            path: "Sources/Samples/CFSpelled/Swift",
            swiftSettings: sampleSettings
        ),
        .executableTarget(
            name: "samples-swift-rl",
            dependencies: ["CoreRunLoop"],
            path: "Sources/Samples/Renamed/Swift",
            swiftSettings: sampleSettings
        ),
        .executableTarget(
            name: "ported-file",
            dependencies: ["CFCompatibility"],
            path: "Tests/Probes/PortedFile",
            swiftSettings: swiftSettings
        ),
        .target(
            name: "ScenarioKit",
            dependencies: ["CRunLoop"],
            path: "Tests/Support/ScenarioKit",
            exclude: ["standalone"],
            cSettings: cSettings + [.define("_GNU_SOURCE")]
        ),
        .executableTarget(
            name: "scenario-runner",
            dependencies: ["ScenarioKit"],
            path: "Tests/Probes/ScenarioRunner",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["ScenarioKit", "scenario-runner"],
            swiftSettings: swiftSettings
        ),
        .target(
            name: "CompletenessKit",
            dependencies: ["CRunLoop"],
            path: "Tests/Support/CompletenessKit",
            cSettings: cSettings
        ),
        .testTarget(
            name: "CoreRunLoopTests",
            dependencies: ["CompletenessKit", "CoreRunLoop", "ThreadKit"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "RunLoopKitTests",
            dependencies: ["CRunLoopKit", "ProcessKit", "RunLoopKit", "ThreadKit", "kit-probe"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "RunLoopConcurrencyTests",
            dependencies: [
                "CLinux", "ProcessKit", "RunLoopConcurrency", "ThreadKit", "async-main-probe",
            ],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "RunLoopDiagnosticsTests",
            dependencies: ["ProcessKit", "RunLoopDiagnostics", "ThreadKit", "diagnostics-probe"],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "diagnostics-probe",
            dependencies: ["CLinux", "RunLoopDiagnostics"],
            path: "Tests/Probes/DiagnosticsProbe",
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "RunLoopNetworkingTests",
            dependencies: ["ProcessKit", "RunLoopNetworking", "ThreadKit", "kit-probe"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "RunLoopHostsTests",
            dependencies: ["CLinux", "CRunLoopHosts", "RunLoopHosts", "ThreadKit"],
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "async-main-probe",
            dependencies: ["CRunLoopConcurrency", "RunLoopConcurrency"],
            path: "Tests/Probes/AsyncMainProbe",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "kit-probe",
            dependencies: ["RunLoopFoundation", "RunLoopNetworking"],
            path: "Tests/Probes/KitProbe",
            swiftSettings: swiftSettings
        ),
        .executableTarget(
            name: "swift-costs",
            dependencies: ["RunLoopKit"],
            path: "Tests/Costs/swift",
            swiftSettings: swiftSettings
        ),
        .target(name: "ThreadKit", path: "Tests/Support/ThreadKit", swiftSettings: swiftSettings),
        .testTarget(
            name: "RunLoopToolTests",
            dependencies: ["ProcessKit", "runloop"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "CFCompatibilityTests",
            dependencies: ["CFCompatibility"],
            swiftSettings: swiftSettings
        ),
        .testTarget(
            name: "SampleTests",
            dependencies: [
                "ProcessKit",
                "ported-file",
                "samples-c-cf",
                "samples-c-rl",
                "samples-swift-cf",
                "samples-swift-rl",
            ],
            exclude: ["Fixtures"],
            swiftSettings: swiftSettings
        ),
        .target(name: "ProcessKit", path: "Tests/Support/ProcessKit", swiftSettings: swiftSettings),
    ],
    cLanguageStandard: .gnu17
)
