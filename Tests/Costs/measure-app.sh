#!/usr/bin/env bash
# Counts what an app pays for the most usual requests, by RunLoopKit, Foundation, Dispatch and SwiftNIO, and writes the
# table of Docs/Performance.md. Needs the network, for SwiftNIO, and some minutes.
#
# usage: Tests/Costs/measure-app.sh

set -euo pipefail
cd "$(dirname "$0")/../.."
# shellcheck source=Tests/Costs/counting.sh
source Tests/Costs/counting.sh

folder=.build-costs
peers=Tests/Costs/Benchmarks
mkdir -p "$folder"
swift build -c release --product swift-costs >&2
for product in app-foundation app-nio; do swift build -c release --package-path "$peers" --product "$product" >&2; done

# Older versions of valgrind cannot read the debug information.
bare() {
    strip --strip-debug -o "$folder/$1" "$(swift build -c release "${@:2}" --show-bin-path)/$1"
}
bare swift-costs
bare app-foundation --package-path "$peers"
bare app-nio --package-path "$peers"

# Prints a cell: instructions, allocations and system calls of one, in hundreds of instructions.
cell() {
    local program=$folder/$1 layer=$2 what=$3
    if [[ -z $("$program" 1 "$layer" "$what" 2>&1 >/dev/null || echo none) ]]; then
        local count
        count=$(difference instructions "$program" "$layer" "$what")
        printf ' %s / %s / %s |' "$(((count + 50) / 100))00" "$(difference allocations "$program" "$layer" "$what")" \
            "$(difference system_calls "$program" "$layer" "$what")"
    else
        printf ' – |'
    fi
}

table=$folder/app.md
{
    echo '| one of | RunLoopKit | Foundation | Dispatch | SwiftNIO |'
    echo '|---|---|---|---|---|'
    while read -r what name; do
        printf '| %s |' "$name"
        cell swift-costs kit "$what"
        cell app-foundation foundation "$what"
        cell app-foundation dispatch "$what"
        cell app-nio nio "$what"
        echo
    done <<'ROWS'
sources an empty pass
self a block that queues itself, and the pass that runs it
due a timer that is due: made, added, fired and gone
ticks a tick of a repeating timer
fires the same, as an element of `RLTimer.fires`
delay a perform after a delay that is over
perform a closure for another thread, which is busy
wait the same, waited for
message a message to a port of the same thread
request a request to another thread, and its answer
echo an echo of 64 bytes over TCP, with its client
echoes the same, by 64 connections in turn
notify a notification to one observer
names the same, one of 100 names
objects the same, one of 1,000 objects
enqueue a notification enqueued, and the pass that posts it
commit an object marked, and the pass that commits it
ROWS
} >"$table"
python3 - "$table" <<'END'
import re, sys

PAGE = "Docs/Performance.md"
with open(sys.argv[1]) as file:
    table = file.read()
table = re.sub(r"\d{4,}", lambda number: f"{int(number[0]):,}", table)
with open(PAGE) as file:
    page = file.read()
BEGIN, END = "<!-- Tests/Costs/measure-app.sh writes this table -->\n", "<!-- until here -->\n"
before, rest = page.split(BEGIN)
_, after = rest.split(END)
with open(PAGE, "w") as file:
    file.write(before + BEGIN + table + END + after)
END
cat "$table"
