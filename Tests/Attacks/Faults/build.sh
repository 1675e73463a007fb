#!/usr/bin/env bash
# Builds the workload with the engine whose calls can fail.
#
# usage: Tests/Attacks/Faults/build.sh FOLDER [SANITIZERS]
#
# Leaves in the folder `program`, `sites` (the address that each call returns to, the call, and where it
# is) and `calls` (what the engine takes from outside and no wrapper stands before).

set -euo pipefail
cd "$(dirname "$0")/../../.."
folder=$1
sanitizers=${2:-}

# shellcheck source=.ci/toolchain
source .ci/toolchain

sanitizing=()
if [[ -n $sanitizers ]]; then
    sanitizing=("-fsanitize=${sanitizers/undefined/undefined,float-cast-overflow}" -fno-sanitize-recover=all)
fi
extras=()
workload=(Tests/Attacks/Faults/*.c)
peers=()
libraries=()
if [[ -d Tests/Extras ]]; then
    extras=(CSupport/Extras/CRunLoop{Hosts,Display}/*.c)
    workload+=(Tests/Extras/Attacks/Faults/*.c)
    read -ra peers <<<"-ICSupport/Extras/CRunLoopHosts/include -ICSupport/Extras/CRunLoopDisplay/include \
        -ITests/Attacks/Faults $(pkg-config --cflags glib-2.0 libuv | sed 's/-I/-isystem/g')"
    read -ra libraries <<<"$(pkg-config --libs glib-2.0 libuv)"
fi
# A tail call would return to another function, and a position-independent address identifies no call.
flags=(
    "${test_flags[@]}" "${peers[@]}"
    -D_FILE_OFFSET_BITS=64 -DRL_TESTING -DRL_WITHOUT_HINTS -O1 -fno-optimize-sibling-calls -fno-pie
    "${sanitizing[@]}"
)
compile "$folder/engine" "${flags[@]}" -- "${engine_sources[@]}" "${extras[@]}"
compile "$folder/workload" "${flags[@]}" -- "${workload[@]}" "${harness_sources[@]}"

# The engine's calls become those of the wrappers; those for large files have names of their own.
ld -r -o "$folder/engine.o" "$folder"/engine/*.o
nm --defined-only "$folder/workload/wrappers.o" | sed -n 's/.* T fault_call_//p' >"$folder/wrappers"
nm -u "$folder/engine.o" | sed -n 's/^ *[UwW] //p' >"$folder/needed"
aliases=()
while read -r call; do
    name=${call%64}
    if ! grep -qx -e "$call" -e "$name" "$folder/wrappers"; then
        echo "$call" >&3
        continue
    fi
    echo "$call fault_call_$call"
    if [[ $call != "$name" ]]; then aliases+=("-Wl,--defsym=fault_call_$call=fault_call_$name"); fi
done <"$folder/needed" >"$folder/renames" 3>"$folder/calls"
objcopy --redefine-syms="$folder/renames" "$folder/engine.o"

link_program "$folder/program" "${sanitizing[@]}" -no-pie -Wl,--emit-relocs "$folder/engine.o" \
    "$folder"/workload/*.o "${aliases[@]}" "${libraries[@]}"

# Each call to a wrapper, by the address after it, four bytes behind the place of the relocation.
readelf --wide --relocs "$folder/program" |
    awk '/R_(X86_64_(PLT32|PC32)|AARCH64_CALL26)/ && $5 ~ /^fault_call_/ {
        sub(/64$/, "", $5); print $1, substr($5, 12) }' | sort -u >"$folder/places"
paste -d ' ' "$folder/places" <(cut -d ' ' -f 1 "$folder/places" |
    addr2line -e "$folder/program" |
    sed -E "s/ \(discriminator.*//; s|^$PWD/CSupport/(Extras/\|CRunLoop(Streams\|Ports)?/)?||") |
    while read -r place call line; do
        printf '%x %s %s\n' $((16#$place + 4)) "$call" "$line"
    done >"$folder/sites"
