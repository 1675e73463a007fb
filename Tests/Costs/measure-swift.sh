#!/usr/bin/env bash
# Counts the instructions of what users do most, by the C functions and by the Swift layers, and prints
# them beside each other. The first rows of measure.sh, with the same tool. Fails if one of the Swift
# layers costs more than it may.
#
# usage: Tests/Costs/measure-swift.sh

set -euo pipefail
cd "$(dirname "$0")/../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain

folder=.build-costs
# As SwiftPM compiles the engine for the Swift layers.
flags=("${engine_flags[@]}" "${harness_flags[@]}" "${warnings[@]}" -O2 -g0 -fno-omit-frame-pointer)
compile "$folder/framed" "${flags[@]}" -- "${engine_sources[@]}" Tests/Costs/costs.c \
    "${harness_sources[@]}"
link_program "$folder/costs-framed" "$folder"/framed/*.o
swift build -c release --product swift-costs >&2
swift_costs=$folder/swift-costs
# Older versions of valgrind cannot read the debug information.
strip --strip-debug -o "$swift_costs" "$(swift build -c release --show-bin-path)/swift-costs"

instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 |
        sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p'
}

# What one costs, from the difference of two thousand and one thousand.
cost() {
    local program=$1 less more
    shift
    instructions "$program" 1000 "$@" >"$folder/less" &
    more=$(instructions "$program" 2000 "$@")
    wait $!
    less=$(cat "$folder/less")
    if [[ -z $less || -z $more ]]; then
        echo "no count from: $*" >&2
        return 1
    fi
    echo $(((more - less + 500) / 1000))
}

checks=0
failures=0

# What is made may cost 1.8 times, what is fired or passed 1.3 times what it did when closures lay in the
# engine's own memory: the layers are to be thin.

# Prints a cell: what one costs by a Swift layer, how that compares to C, and what it may cost. A dash for what
# the layer does not have.
check() {
    local layer=$1 what=$2 base=$3 most=$4 count
    if [[ $most == - ]]; then
        printf ' – |'
        return
    fi
    count=$(cost "$swift_costs" "$layer" "$what")
    printf ' %d (%s), %d |' "$count" \
        "$(awk -v base="$base" -v count="$count" 'BEGIN { printf "%.2f", count / base }')" "$most"
    checks=$((checks + 1))
    if ((count > most)); then
        echo "$what by $layer: too many instructions" >&2
        failures=$((failures + 1))
    fi
}

echo '| one of | C | closures, at most | contexts, at most | RunLoopKit, at most |'
echo '|---|---|---|---|---|'
while read -r what closures contexts kit name; do
    base=$(cost "$folder/costs-framed" "$what" 1)
    printf '| %s | %d |' "$name" "$base"
    check closures "$what" "$base" "$closures"
    check contexts "$what" "$base" "$contexts"
    check kit "$what" "$base" "$kit"
    echo
done <<'ROWS'
sources 382 - 429 an empty pass
self 1112 1033 1407 a block that queues itself, a pass
value 1492 1033 1818 the same, with a captured value
once 1047 1036 1154 a source signalled and run
hot 750 724 - a source that signals itself, a pass
churn 1900 1542 3135 a timer removed and one added
due 3612 2935 5131 a due timer added, fired and gone
move 331 - 336 a timer moved
ticks 2470 2319 2589 a tick of a repeating timer
ROWS
echo "$((checks - failures)) passed, $failures failed"
((failures == 0))
