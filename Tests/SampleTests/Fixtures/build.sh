#!/usr/bin/env bash
# Builds C files that say CF, as Docs/Porting.md has it, and the samples on the real CoreFoundation.
#
# usage: Tests/SampleTests/Fixtures/build.sh FOLDER

set -euo pipefail
folder=$1
cd "$(dirname "$0")/../../.."
# shellcheck source=.ci/toolchain
source .ci/toolchain

libraries=("-Wl,-rpath,${library_folder:?}/linux" -lbsd -ldispatch -lBlocksRuntime)
warnings=(-Wall -Wextra -Werror)
include=CSupport/CRunLoop/include
fixtures=Tests/SampleTests/Fixtures

# With the folder that stands in for CoreFoundation's, and with an option in its place. The headers
# of the real one are within reach in the second case.
compile_unedited() {
    "$compiler" -std=gnu17 -fblocks "${warnings[@]}" -I$include -ICSupport/CFHeaders/include \
        -c "$fixtures/$1.c" -o "$folder/$1.o"
    "$compiler" -std=gnu17 -fblocks "${warnings[@]}" -I$include \
        -include CRunLoop/CFCompatibility.h -I"$library_folder" \
        -c "$fixtures/$1.c" -o "$folder/$1-by-option.o"
}

compile_unedited unedited
compile_unedited beside_the_real_one
"$compiler" -std=gnu++17 -fblocks "${warnings[@]}" -I$include -ICSupport/CFHeaders/include \
    -x c++ -c $fixtures/unedited.c -o "$folder/unedited-in-c++.o"

mkdir -p "$folder/engine"
for source in CSupport/CRunLoop/*/*.c; do
    printf '%s\0' "$source"
done | compiler=$compiler folder=$folder include=$include xargs -0 -n 1 -P "$(nproc)" bash -c \
    '"$compiler" -std=gnu17 -fblocks -ICSupport/CRunLoop -I"$include" -c "$1" -o "$folder/engine/$(basename "$1").o"' -
for object in "$folder"/*.o; do
    "$compiler" "$object" "$folder"/engine/*.o "${libraries[@]}" -o "${object%.o}"
done

"$compiler" -std=gnu17 -fblocks -w -I"$library_folder" Sources/Samples/CFSpelled/C/*.c \
    "${libraries[@]}" -lFoundation -o "$folder/samples-on-the-real-one"
