// swift-tools-version: 6.2

import Foundation
import PackageDescription

// The measured loops that are not there are left out. `CSupport/bootstrap.sh --benchmarks` installs
// them.
func isInstalled(_ header: String) -> Bool {
    let folders = ["", "/x86_64-linux-gnu", "/aarch64-linux-gnu"].map { "/usr/include\($0)" }
    return (folders + ["/usr/local/include"]).contains {
        FileManager.default.fileExists(atPath: "\($0)/\(header)")
    }
}

// libev goes last: it has functions of libevent's, under the same names.
let libraries: [(header: String, library: String)] = [
    ("uv.h", "uv"),
    ("event2/event.h", "event"),
    ("event2/event.h", "event_pthreads"),
    ("systemd/sd-event.h", "systemd"),
    ("zmq.h", "zmq"),
    ("openssl/ssl.h", "ssl"),
    ("openssl/ssl.h", "crypto"),
    ("curl/curl.h", "curl"),
    ("ev.h", "ev"),
]
let peers = libraries.filter { isInstalled($0.header) }.map(\.library)
let hasGLib = isInstalled("glib-2.0/glib.h")

// Brings the C++ code of TLS, which takes minutes to compile.
let hasAsyncHTTPClient =
    ProcessInfo.processInfo.environment["BENCHMARKS_ASYNC_HTTP_CLIENT"] != nil

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "CoreRunLoop", path: "../../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.1.0"),
    ]
        + (hasAsyncHTTPClient
            ? [.package(url: "https://github.com/swift-server/async-http-client", from: "1.20.0")]
            : []),
    targets: [
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0"),
        .target(
            name: "Engines",
            dependencies: [.product(name: "CRunLoop", package: "CoreRunLoop")]
                + (hasGLib ? ["CGLib"] : []),
            linkerSettings: (["Foundation"] + peers).map { .linkedLibrary($0) }
        ),
        .target(
            name: "Programs",
            dependencies: ["Engines", .product(name: "CRunLoop", package: "CoreRunLoop")]
        ),
        .executableTarget(
            name: "benchmarks",
            dependencies: [
                "Engines",
                "Programs",
                .product(name: "CoreRunLoop", package: "CoreRunLoop"),
                .product(name: "RunLoopConcurrency", package: "CoreRunLoop"),
                .product(name: "RunLoopKit", package: "CoreRunLoop"),
                .product(name: "RunLoopNetworking", package: "CoreRunLoop"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Histogram", package: "hdrhistogram-swift"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
                + (hasAsyncHTTPClient
                    ? [.product(name: "AsyncHTTPClient", package: "async-http-client")] : [])
        ),
        .executableTarget(
            name: "minimal-engine",
            dependencies: [.product(name: "CRunLoop", package: "CoreRunLoop")]
        ),
        .executableTarget(
            name: "minimal-kit",
            dependencies: [.product(name: "RunLoopKit", package: "CoreRunLoop")]
        ),
        .executableTarget(name: "minimal-foundation"),
        .executableTarget(
            name: "echo-engine",
            dependencies: [.product(name: "CRunLoop", package: "CoreRunLoop")]
        ),
        .executableTarget(
            name: "echo-kit",
            dependencies: [.product(name: "RunLoopKit", package: "CoreRunLoop")]
        ),
        .executableTarget(name: "echo-foundation"),
        .executableTarget(
            name: "echo-libuv",
            linkerSettings: isInstalled("uv.h") ? [.linkedLibrary("uv")] : []
        ),
        .executableTarget(
            name: "echo-nio",
            dependencies: [.product(name: "NIOPosix", package: "swift-nio")]
        ),
        .executableTarget(name: "app-foundation"),
        .executableTarget(
            name: "app-nio",
            dependencies: [.product(name: "NIOPosix", package: "swift-nio")]
        ),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu17
)
