#!/usr/bin/env bash
# Has Spin explore the models: as they are, in which nothing may be wrong, and with one thing left out, which
# must be found. The lines `Must hold` and `Must fail` of a model name what is defined for each.
#
# usage: Tests/Models/run.sh [MODEL...]

set -euo pipefail
cd "$(dirname "$0")/../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain

models=("$@")
if (($# == 0)); then models=(Tests/Models/*.pml); fi
folder=$PWD/.build-models
rm -rf "$folder"
passed=0
failed=0

# Explores all states; the log tells what was found.
explore() {
    local model=$1 into=$2
    shift 2
    mkdir -p "$into"
    cp "$model" "$into/model.pml"
    (
        cd "$into"
        spin -a "${@/#/-D}" model.pml >spin.log &&
            "$compiler" -O2 -w -DSAFETY -DNOFAIR -DMEMLIM=3000 -DCOLLAPSE pan.c -o pan &&
            timeout --kill-after=5 300 ./pan -m1000000 >pan.log 2>&1
    )
}

judge() {
    local expected=$1 model=$2 into=$3 what=$4 states errors outcome=wrong
    states=$(awk '/states, stored/ { print $1 }' "$into/pan.log" 2>/dev/null || true)
    errors=$(sed -n 's/.*errors: //p' "$into/pan.log" 2>/dev/null || true)
    if [[ $expected == hold && $errors == 0 ]] &&
        ! grep -qE 'Search not completed|depth too small|out of memory' "$into/pan.log"
    then
        outcome=holds
    elif [[ $expected == fail && -n $errors && $errors != 0 ]]; then
        outcome="found: $(sed -nE '/^pan:[0-9]+: .* \(at depth/ { s/^pan:[0-9]+: (.*) \(at depth.*/\1/p; q }' "$into/pan.log")"
    fi
    printf '%-6s %-42s %9s states  %s\n' "$(basename "$model" .pml)" "$what" "${states:-no}" "$outcome"
    if [[ $outcome == wrong ]]; then
        failed=$((failed + 1))
        cat "$into"/*.log
        # The way to what is wrong, step by step.
        if [[ -e $into/model.pml.trail ]]; then
            (cd "$into" && spin -t -p -g "${@:5}" model.pml) | tail -100
        fi
    else
        passed=$((passed + 1))
    fi
}

# What must hold and what must fail in a model, with what is defined for each.
definitions() {
    sed -n 's/^ \* Must \(hold\|fail\): /\1 /p' "$1"
}

# On all processors, and judged in order when all are explored.
for model in "${models[@]}"; do
    number=0
    while read -r _ defines; do
        read -ra words <<<"$defines"
        into=$folder/$(basename "$model" .pml)-$((number += 1))
        in_background explore "$model" "$into" "${words[@]}"
    done < <(definitions "$model")
done
wait
for model in "${models[@]}"; do
    number=0
    while read -r expected defines; do
        read -ra words <<<"$defines"
        into=$folder/$(basename "$model" .pml)-$((number += 1))
        judge "$expected" "$model" "$into" "$defines" "${words[@]/#/-D}"
    done < <(definitions "$model")
done
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
