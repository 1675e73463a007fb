#!/usr/bin/env bash
# A package that depends on this one: that it builds, also with library evolution, and how large its programs get
# beside one with Foundation's loop. The table of Docs/Deployment.md is what this prints.
#
# usage: Tests/Clients/Packaging/dependent.sh [check]
#
# The programs are Tests/Clients/Packaging/Programs/minimal-*: one timer, then the end. With `check` it builds them in a
# debug build with -enable-library-evolution, sees that nothing is built that they do not use, and runs them; then
# the tests of Docs/TestingYourCode.md, of Swift Testing and of XCTest.

set -euo pipefail
cd "$(dirname "$0")/../../.."

# As dependents have it: warnings of ours do not stop them.
unset RL_STRICT

top=$PWD
folder=$top/.build-dependent
programs=(minimal-engine minimal-kit minimal-foundation)

# One package with the programs and the tests, of which `swift build` builds the programs only.
make_package() {
    local target
    rm -rf "$folder"/{Sources,Tests}
    mkdir -p "$folder/Sources" "$folder/Tests"/{Traits,XCTest}
    for program in "${programs[@]}"; do cp -r "Tests/Clients/Packaging/Programs/$program" "$folder/Sources"; done
    for target in Traits XCTest; do
        sample "final class Reminder {" | sed '/^let clock/,$d' >"$folder/Tests/$target/Reminder.swift"
    done
    sample "@Suite(.runLoop)" >"$folder/Tests/Traits/ReminderTests.swift"
    sample ": RLTestCase {" >"$folder/Tests/XCTest/ReminderTests.swift"
    cat >"$folder/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

func library(_ name: String) -> Target.Dependency {
    .product(name: name, package: "CoreRunLoop")
}

let package = Package(
    name: "dependent",
    dependencies: [.package(name: "CoreRunLoop", path: "$top")],
    targets: [
        .executableTarget(name: "minimal-engine", dependencies: [library("CRunLoop")]),
        .executableTarget(name: "minimal-kit", dependencies: [library("RunLoopKit")]),
        .executableTarget(name: "minimal-foundation"),
        .testTarget(name: "Traits", dependencies: [library("RunLoopTestTraits")]),
        .testTarget(name: "XCTest tests", dependencies: [library("RunLoopXCTest")], path: "Tests/XCTest"),
    ]
)
MANIFEST
}

# The first sample of the page on testing that has the given words.
sample() {
    awk -v words="$1" '
        /^```/ { if (index(text, words)) { printf "%s", text; exit } text = ""; next }
        { text = text $0 "\n" }
    ' Docs/TestingYourCode.md
}

# In a scratch folder: swift_package build|test SCRATCH FLAG...
swift_package() {
    swift "$1" --package-path "$folder" --scratch-path "$folder/$2" "${@:3}" >"$folder/log" 2>&1 ||
        { cat "$folder/log"; exit 1; }
}

kilobytes() {
    awk -v bytes="$1" 'BEGIN { printf "%.0f KB", bytes / 1e3 }'
}

megabytes() {
    awk -v bytes="$1" 'BEGIN { printf "%.1f MB", bytes / 1e6 }'
}

# The bytes of the shared libraries that a program loads and the C library is not part of.
bytes_of_libraries() {
    local bytes=0 path
    while read -r path; do
        bytes=$((bytes + $(stat --dereference --format %s "$path")))
    done < <(ldd "$1" | awk '$2 == "=>" { print $3 }' |
        grep -vE '/(libc|libm|libpthread|libdl|librt|libutil|libgcc_s|libstdc\+\+)\.so')
    echo "$bytes"
}

print_row() {
    local program=$1 dynamic=$folder/$1.dynamic static=$folder/$1.static pages
    strip -s -o "$dynamic" "$folder/shared/release/$program"
    strip -s -o "$static" "$folder/static/release/$program"
    pages=$("$dynamic" | cut -d ' ' -f 1)
    echo "| \`$program\` | $(kilobytes "$(stat --format %s "$dynamic")") |" \
        "$(megabytes "$(bytes_of_libraries "$dynamic")") | $(megabytes "$(stat --format %s "$static")") |" \
        "$(megabytes $((pages * $(getconf PAGESIZE))))" \|
}

make_package
if [[ ${1-} == check ]]; then
    evolution=(-Xswiftc -enable-library-evolution)
    swift_package build evolution "${evolution[@]}"
    debug=$folder/evolution/debug
    built=$(find -L "$debug" -path '*.build/*.o' -printf '%P\n' | sed 's|\.build/.*||' | LC_ALL=C sort -u |
        grep -v ^minimal_ | xargs)
    if [[ $built != "CRunLoop CRunLoopConcurrency CRunLoopPorts CRunLoopStreams CRunLoopValues CoreRunLoop RunLoopKit" ]]; then
        echo "dependent: built too much or too little: $built" >&2
        exit 1
    fi
    for program in "${programs[@]}"; do "$debug/$program" >/dev/null; done
    echo "dependent: builds with library evolution, and nothing but $built"
    swift_package test evolution "${evolution[@]}"
    grep 'Executed 2 tests, with 0 failures' "$folder/log" | tail -1
    grep 'Test run with 1 test in 1 suite passed' "$folder/log"
    exit
fi
swift_package build shared -c release
swift_package build static -c release --static-swift-stdlib
echo "| program | itself | shared libraries | statically linked | resident |"
echo "|---|---|---|---|---|"
for program in "${programs[@]}"; do print_row "$program"; done
