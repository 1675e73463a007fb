#!/usr/bin/env bash
# Writes the renamed samples anew, by nothing but the sed lines of Docs/Porting.md.
#
# usage: Sources/Samples/rename.sh          writes them
#        Sources/Samples/rename.sh check    shows where they are not what renaming makes

set -euo pipefail
cd "$(dirname "$0")/../.."

samples=$PWD/Sources/Samples
renamed=$(mktemp -d)
trap 'rm -rf "$renamed"' EXIT

# The line of the page below a heading, as users copy it.
line_below() {
    awk -v heading="## $1" '$0 == heading { below = 1 } below && /^sed / { print; exit }' Docs/Porting.md
}

rename() {
    local language=$1 line
    line=$(line_below "$2")
    cp -r "$samples/CFSpelled/$language" "$renamed/$language"
    (cd "$renamed/$language" && bash -c "$line")
}

rename C "C, renamed"
rename Swift "Swift, renamed"

if [[ ${1:-} == check ]]; then
    diff -r "$renamed" "$samples/Renamed"
else
    rm -rf "$samples/Renamed"
    mkdir "$samples/Renamed"
    cp -r "$renamed"/* "$samples/Renamed"
fi
