#!/usr/bin/env bash
# Builds C files that say CF, as Docs/Porting.md has it, and the samples on the real CoreFoundation.
#
# usage: Tests/SampleTests/Fixtures/build.sh FOLDER

set -euo pipefail
folder=$1
cd "$(dirname "$0")/../../.."
# shellcheck source=.ci/toolchain
source .ci/toolchain

ours=("${client_flags[@]}" "${warnings[@]}")
stand_ins=-ICSupport/CFHeaders/include
fixtures=Tests/SampleTests/Fixtures

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

compile "$folder/engine" "${engine_flags[@]}" "${warnings[@]}" -- "${engine_sources[@]}"
for object in "$folder"/*.o; do
    link_program "${object%.o}" "$object" "$folder"/engine/*.o
done

link_program "$folder/samples-on-the-real-one" -std=gnu17 -fblocks -w -I"$library_folder" \
    Sources/Samples/CFSpelled/C/*.c -lFoundation
