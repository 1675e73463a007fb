#!/usr/bin/env bash
# Counts what a polling pass costs: instructions by valgrind, allocations by valgrind, system calls
# by strace. Counts do not depend on the machine's load. Fails if a pass costs more than it may.
#
# usage: Tests/Costs/measure.sh

set -euo pipefail
cd "$(dirname "$0")/../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain

most_instructions=1000
folder=.build-costs
mkdir -p "$folder"
# Without debug information, which older versions of valgrind cannot read.
"$compiler" -O2 -g0 -std=gnu17 -fblocks -ICSupport/CRunLoop/include \
    Tests/Costs/costs.c CSupport/CRunLoop/*.c -lbsd -ldispatch -lBlocksRuntime -o "$folder/costs"

instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$folder/costs" "$@" 2>&1 |
        sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p'
}

allocations() {
    valgrind --tool=memcheck "$folder/costs" "$@" 2>&1 |
        sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' | tr -d ,
}

system_calls() {
    strace -f -c -U calls -S calls -o "$folder/calls" "$folder/costs" "$@"
    awk '$1 ~ /^[0-9]+$/ { last = $1 } END { print last }' "$folder/calls"
}

# What a thousand passes more cost. A tool that counted nothing has failed.
difference() {
    local less more
    less=$("$1" 1000 "$2" "$3")
    more=$("$1" 2000 "$2" "$3")
    if [[ -z $less || -z $more ]]; then
        echo "no count from: $*" >&2
        return 1
    fi
    echo $((more - less))
}

failures=0
printf '%-16s %14s %12s %14s\n' 'a pass with' instructions allocations 'system calls'
for what in 'sources 1' 'sources 100' 'sources 10000' 'timers 1' 'timers 100000'; do
    read -r kind count <<<"$what"
    cost=$(difference instructions "$kind" "$count")
    cost=$((cost / 1000))
    allocated=$(difference allocations "$kind" "$count")
    called=$(difference system_calls "$kind" "$count")
    printf '%-16s %14d %12d %14d\n' "$count $kind" "$cost" "$allocated" "$called"
    if ((cost > most_instructions || allocated > 0 || called > 0)); then failures=$((failures + 1)); fi
done
echo "$((5 - failures)) passed, $failures failed"
((failures == 0))
