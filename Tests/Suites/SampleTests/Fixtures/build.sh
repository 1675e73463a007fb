#!/usr/bin/env bash
# Builds what the pages on porting show: C files in CF's spelling, files renamed by CSupport/rename.sh alone, and the
# samples on the real CoreFoundation.
#
# usage: Tests/Suites/SampleTests/Fixtures/build.sh FOLDER       FOLDER lies in the folder of a debug build of the package

set -euo pipefail
folder=$1
build=$(dirname "$folder")
cd "$(dirname "$0")/../../../.."
# shellcheck source=.ci/toolchain
source .ci/toolchain

ours=("${client_flags[@]}" "${warnings[@]}")
stand_ins=-ICSupport/CFHeaders/include
fixtures=Tests/Suites/SampleTests/Fixtures

# With the folder that stands in for CoreFoundation's, and with an option in its place. The headers
# of the real one are within reach in the second case.
compile_unedited() {
    "$compiler" "${ours[@]}" $stand_ins -c "$fixtures/$1.c" -o "$folder/$1.o"
    "$compiler" "${ours[@]}" -include CRunLoop/CFCompatibility.h -I"$library_folder" \
        -c "$fixtures/$1.c" -o "$folder/$1-by-option.o"
}

compile_unedited unedited
compile_unedited beside_the_real_one
"$compiler" "${ours[@]}" -std=gnu++17 $stand_ins -x c++ -c $fixtures/unedited.c \
    -o "$folder/unedited-in-c++.o"

build_engine
for object in "$folder"/*.o; do
    link_program "${object%.o}" "$object" "${engine_objects[@]}"
done

link_program "$folder/samples-on-the-real-one" -std=gnu17 -fblocks -w -I"$library_folder" \
    Sources/Samples/CF/C/*.c -lFoundation

# --- Renamed -------------------------------------------------------------------------------------

# Copies files into a folder and renames them there: renamed NAME LANGUAGE FILE...
renamed() {
    local copies=$folder/$1.sources
    rm -rf "$copies"
    mkdir "$copies"
    cp "${@:3}" "$copies"
    if [[ $2 != as-it-is ]]; then CSupport/rename.sh "$2" "$copies"; fi
}

# The Swift code of a page below a heading.
code_below() {
    awk -v heading="## $2" '$0 == heading { below = 1 } below && /^```$/ { exit } inside; below && /^```swift/ { inside = 1 }' "$1"
}

modules=(
    -module-cache-path "$folder/cache" -I "$build/Modules" -I CSupport/CRunLoop/include
    -Xcc "-fmodule-map-file=$build/CRunLoopConcurrency.build/module.modulemap"
)

# Links a program of renamed files in Swift with modules of the build: link_swift NAME MODULE...
link_swift() {
    local objects=() room source module
    # By the sources: a build keeps the objects of those that are gone.
    for room in CRunLoop{,Values,Streams,Ports}; do
        for source in "CSupport/$room"/*/*.c; do objects+=("$build/$room.build/${source#CSupport/*/}.o"); done
    done
    objects+=("$build"/CRunLoopConcurrency.build/*.o)
    for module in "${@:2}"; do
        mapfile -t -O ${#objects[@]} objects < <(find Sources -path "*/$module/*.swift" -printf "$build/$module.build/%f.o\n")
    done
    swiftc -swift-version 5 ${RL_STRICT:+-warnings-as-errors} "${swift_sanitizing[@]}" \
        "${modules[@]}" \
        "$folder/$1.sources"/*.swift "${objects[@]}" "${engine_libraries[@]}" -o "$folder/$1"
}

# The objects of a build with a sanitizer want its functions.
case $(nm "$build"/CRunLoop.build/run/pass.c.o) in
    *__asan_*) swift_sanitizing=(-sanitize=address) ;;
    *__tsan_*) swift_sanitizing=(-sanitize=thread) ;;
    *) swift_sanitizing=() ;;
esac

renamed samples-c-rl c Sources/Samples/CF/C/*
link_program "$folder/samples-c-rl" "${ours[@]}" "$folder"/samples-c-rl.sources/*.c "${engine_objects[@]}"

renamed samples-apple-rl c Sources/Samples/CF/Apple/*
link_program "$folder/samples-apple-rl" "${ours[@]}" -ICSupport/AppleHeaders/include \
    "$folder"/samples-apple-rl.sources/*.c "${engine_objects[@]}"

renamed samples-swift-rl swift Sources/Samples/CF/Swift/*
link_swift samples-swift-rl CoreRunLoop

# With another import, and Foundation's classes by their names here.
renamed ported-file as-it-is $fixtures/unedited.swift
sed -i 's/^import CoreFoundation$/import CFCompatibility/' "$folder"/ported-file.sources/*
link_swift ported-file CoreRunLoop CFCompatibility

renamed ported-foundation-file foundation Tests/Suites/Probes/FoundationFile/main.swift
link_swift ported-foundation-file CoreRunLoop RunLoopKit

# Programs as they are, beside the file of the guide: unedited NAME FILE...
unedited() {
    local names=$folder/$1.sources/names.swift
    renamed "$1" as-it-is "${@:2}"
    {
        echo '@_exported import CFCompatibility'
        code_below Sources/RunLoopKit/RunLoopKit.docc/FromFoundation.md 'With an additional file'
    } >"$names"
    if ! grep -q '^typealias Timer = RLTimer$' "$names"; then
        echo "the guide has no file of aliases" >&2
        exit 1
    fi
}

clients=$fixtures/foundation
unedited unedited-foundation-file Tests/Suites/Probes/FoundationFile/main.swift
unedited packets $clients/EchoServer.swift $clients/packets/main.swift
unedited plans $clients/plans/main.swift
unedited transport $clients/EchoServer.swift $clients/transport/main.swift
for program in unedited-foundation-file packets plans transport; do
    link_swift $program CoreRunLoop CFCompatibility RunLoopKit
done

# A library with that file, and a program that imports it beside Foundation.
unedited alias-library $clients/library/Library.swift
swiftc -swift-version 5 -parse-as-library -emit-module -module-name AliasLibrary "${modules[@]}" \
    "$folder"/alias-library.sources/*.swift -emit-module-path "$folder/AliasLibrary.swiftmodule"
swiftc -swift-version 5 -typecheck "${modules[@]}" -I "$folder" $clients/client/main.swift
