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

# The line of the page that renames the given files, as users copy it.
line_for() {
    grep -m 1 -E "^sed .* $1" Docs/Porting.md
}

rename() {
    local language=$1 line
    line=$(line_for "$2")
    cp -r "$samples/CFSpelled/$language" "$renamed/$language"
    (cd "$renamed/$language" && bash -c "$line")
}

rename C '\*\.c'
rename Swift '\*\.swift'

if [[ ${1:-} == check ]]; then
    diff -r "$renamed" "$samples/Renamed"
else
    rm -rf "$samples/Renamed"
    mkdir "$samples/Renamed"
    cp -r "$renamed"/* "$samples/Renamed"
fi
