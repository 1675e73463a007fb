#!/usr/bin/env bash
# Builds the engine and the soak by hand and runs it for so many minutes.
#
# usage: Tests/Soak/run.sh MINUTES [SANITIZERS [SEED]]
#
# MINUTES may have a fraction. SANITIZERS are those of clang's -fsanitize, or none; without them the three
# usual builds share the time: plain, with the address and undefined-behavior ones, with the thread one.

set -euo pipefail
cd "$(dirname "$0")/../.."

if (($# == 0)); then
    sed -n '/^# usage/s/^# //p' "$0" >&2
    exit 2
fi
minutes=$1
if (($# == 1)); then
    share=$(awk -v minutes="$minutes" 'BEGIN { print minutes / 3 }')
    for sanitizers in none address,undefined thread; do
        Tests/Soak/run.sh "$share" "$sanitizers"
    done
    exit
fi
sanitizers=$2
seconds=$(awk -v minutes="$minutes" 'BEGIN { print int(minutes * 60 + 0.5) }')

# shellcheck source=.ci/toolchain
source .ci/toolchain

folder=.build-soak/$sanitizers
flags=(
    -std=gnu17 -fblocks -g -fno-omit-frame-pointer -pthread -Wall -Wextra -Werror
    -ICSupport/CRunLoop -ICSupport/CRunLoop/include
)
sanitizing=()
if [[ $sanitizers == none ]]; then
    flags+=(-O2)
else
    sanitizing=("-fsanitize=$sanitizers" -fno-sanitize-recover=all)
    flags+=(-O1 -DRL_TESTING "${sanitizing[@]}")
fi

# One object for each source that is newer, or for all if a header is or one has gone; on all cores. The last
# argument of the inner command is the source.
mkdir -p "$folder"
sources=(CSupport/CRunLoop/*/*.c Tests/Soak/*.c)
printf '%s\n' "$compiler" "${flags[@]}" "${sources[@]}" >"$folder/wanted"
newer_headers=$(find CSupport/CRunLoop Tests/Soak -name '*.h' -newer "$folder/built" 2>&1 || true)
if [[ -n $newer_headers ]] || ! cmp -s "$folder/wanted" "$folder/built"; then
    rm -f "$folder"/*.o
fi
stale=()
for source in "${sources[@]}"; do
    object=$folder/$(basename "$source" .c).o
    if [[ ! $object -nt $source ]]; then stale+=("$source"); fi
done
if ((${#stale[@]} > 0)); then
    rm -f "$folder/built"
    # shellcheck disable=SC2016
    printf '%s\0' "${stale[@]}" |
        into=$folder xargs -0 -n 1 -P "$(nproc)" bash -c \
            'exec "${@:1:$#-1}" -c "${!#}" -o "$into/$(basename "${!#}" .c).o"' \
            "$compiler" "$compiler" "${flags[@]}"
    # The linker warns of hundreds of the sanitizer's own symbols.
    "$compiler" "${sanitizing[@]}" -pthread "$folder"/*.o -o "$folder/program" \
        -lbsd -ldispatch -lBlocksRuntime "-Wl,-rpath,$library_folder/linux" 2>"$folder/link.log" ||
        { cat "$folder/link.log"; exit 1; }
    cp "$folder/wanted" "$folder/built"
fi

export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1
export LSAN_OPTIONS=report_objects=1:print_suppressions=0
export TSAN_OPTIONS=halt_on_error=1:die_after_fork=0:second_deadlock_stack=1
# What a thread keeps for its next allocations would count as in use.
export GLIBC_TUNABLES=glibc.malloc.tcache_count=0
echo "soak with $sanitizers: $seconds s"
timeout --kill-after=20 $((seconds * 2 + 180)) "$folder/program" "$seconds" "${@:3}"
