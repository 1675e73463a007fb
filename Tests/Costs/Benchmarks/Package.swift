// swift-tools-version: 6.2

import Foundation
import PackageDescription

// Compares the installed loops only; `CSupport/bootstrap.sh --benchmarks` installs them.
func isInstalled(_ header: String) -> Bool {
    let folders = ["", "/x86_64-linux-gnu", "/aarch64-linux-gnu"].map { "/usr/include\($0)" }
    return (folders + ["/usr/local/include"]).contains {
        FileManager.default.fileExists(atPath: "\($0)/\(header)")
    }
}

// libev is last: it has functions with the same names as libevent's.
let libraries: [(header: String, library: String)] = [
    ("uv.h", "uv"),
    ("event2/event.h", "event"),
    ("event2/event.h", "event_pthreads"),
    ("systemd/sd-event.h", "systemd"),
    ("curl/curl.h", "curl"),
    ("ev.h", "ev"),
]
let peers = libraries.filter { isInstalled($0.header) }.map(\.library)
let hasGLib = isInstalled("glib-2.0/glib.h")

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "CoreRunLoop", path: "../../.."),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    ],
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
            name: "measure",
            dependencies: [
                "Engines",
                "Programs",
                .product(name: "CoreRunLoop", package: "CoreRunLoop"),
                .product(name: "RunLoopKit", package: "CoreRunLoop"),
                .product(name: "RunLoopNetworking", package: "CoreRunLoop"),
            ]
        ),
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
            name: "app",
            dependencies: [.product(name: "NIOPosix", package: "swift-nio")]
        ),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .gnu17
)
