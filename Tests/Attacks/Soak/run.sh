#!/usr/bin/env bash
# Builds the engine and the soak by hand and runs it for so many minutes.
#
# usage: Tests/Attacks/Soak/run.sh MINUTES [SANITIZERS [SEED [KIND]]]
#
# Then races run for half as long. With KIND, only those for objects of that kind run. MINUTES may have
# a fraction. SANITIZERS are those of clang's -fsanitize, or none; without them the three usual builds share
# the time: plain, with the address and undefined-behavior ones, with the thread one.

set -euo pipefail
cd "$(dirname "$0")/../../.."

if (($# == 0)); then
    sed -n '/^# usage/s/^# //p' "$0" >&2
    exit 2
fi
minutes=$1
if (($# == 1)); then
    share=$(awk -v minutes="$minutes" 'BEGIN { print minutes / 3 }')
    for sanitizers in none address,undefined thread; do
        Tests/Attacks/Soak/run.sh "$share" "$sanitizers"
    done
    exit
fi
sanitizers=$2
seconds=$(awk -v minutes="$minutes" 'BEGIN { print int(minutes * 60 + 0.5) }')

# shellcheck source=.ci/toolchain
source .ci/toolchain

folder=.build-soak/$sanitizers
if [[ $sanitizers == none ]]; then own_flags=(-O2); else own_flags=("${debug_flags[@]}"); fi
build_engine "$sanitizers" "${own_flags[@]}"
flags=("${test_flags[@]}" "${own_flags[@]}" "${sanitizing[@]}")
compile "$folder/objects" "${flags[@]}" -- Tests/Attacks/Soak/*.c "${harness_sources[@]}"
link_program "$folder/program" "${sanitizing[@]}" "${engine_objects[@]}" "$folder"/objects/*.o

# What a thread keeps for its next allocations would count as in use.
export GLIBC_TUNABLES=glibc.malloc.tcache_count=0
echo "soak with $sanitizers: $seconds s, races: half as long"
timeout --kill-after=20 $((seconds * 3 + 360)) "$folder/program" "$seconds" "${@:3}"
