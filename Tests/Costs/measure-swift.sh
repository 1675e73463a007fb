#!/usr/bin/env bash
# Counts the instructions of what users do most, by the C functions and by the Swift layers, and prints
# them beside each other. The first rows of measure.sh, with the same tool.
#
# usage: Tests/Costs/measure-swift.sh

set -euo pipefail
cd "$(dirname "$0")/../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain

folder=.build-costs
mkdir -p "$folder"
# As SwiftPM compiles the engine for the Swift layers.
"$compiler" -O2 -g0 -fno-omit-frame-pointer -std=gnu17 -fblocks -ICSupport/CRunLoop/include \
    Tests/Costs/costs.c CSupport/CRunLoop/*.c -lbsd -ldispatch -lBlocksRuntime -o "$folder/costs-framed"
swift build -c release --product swift-costs >&2
swift_costs=$folder/swift-costs
# Older versions of valgrind cannot read the debug information.
strip --strip-debug -o "$swift_costs" "$(swift build -c release --show-bin-path)/swift-costs"

instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 |
        sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p'
}

# What one costs, from the difference of two thousand and one thousand; nothing if there is no such thing.
cost() {
    local program=$1 less more
    shift
    if [[ $program == "$swift_costs" ]] && ! "$program" 1 "$@" 2>/dev/null; then return; fi
    less=$(instructions "$program" 1000 "$@")
    more=$(instructions "$program" 2000 "$@")
    if [[ -z $less || -z $more ]]; then
        echo "no count from: $*" >&2
        return 1
    fi
    echo $(((more - less + 500) / 1000))
}

# A count, and how it compares to that of C.
cell() {
    if [[ -z $2 ]]; then
        echo '–'
    else
        awk -v base="$1" -v count="$2" 'BEGIN { printf "%d (%.2f)", count, count / base }'
    fi
}

echo '| one of | C | closures | contexts | RunLoopKit |'
echo '|---|---|---|---|---|'
while read -r what name; do
    base=$(cost "$folder/costs-framed" "$what" 1)
    row="| $name | $base |"
    for layer in closures contexts kit; do
        count=$(cost "$swift_costs" "$layer" "$what")
        row+=" $(cell "$base" "$count") |"
    done
    echo "$row"
done <<'ROWS'
sources an empty pass
self a block that queues itself, a pass
value the same, with a captured value
once a source signalled and run
hot a source that signals itself, a pass
churn a timer removed and one added
move a timer moved
ticks a tick of a repeating timer
ROWS
