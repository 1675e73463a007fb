#!/usr/bin/env bash
# Has Spin explore the models: as they are, in which nothing may be wrong, and with one thing left out, which
# must be found. The lines `Must hold` and `Must fail` of a model name what is defined for each.
#
# Without arguments, has the explorer run the engine's own files as well, as they are and with the mutations of
# Explorer/mutations.
#
# usage: Tests/Models/run.sh [MODEL...]

set -euo pipefail
cd "$(dirname "$0")/../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain

models=("$@")
explores_code=false
if (($# == 0)); then
    explores_code=true
    models=(Tests/Models/*.pml)
fi
folder=$PWD/.build-models
rm -rf "$folder"
passed=0
failed=0

# Starts a command in the background, once fewer of them run than there are processors; `wait` waits for all.
in_background() {
    while (($(jobs -pr | wc -l) >= $(nproc))); do wait -n || true; done
    "$@" &
}

# Explores all states; the log has the results. Optimizing takes longer than it saves, except for the largest model.
explore() {
    local model=$1 into=$2
    shift 2
    mkdir -p "$into"
    cp "$model" "$into/model.pml"
    (
        cd "$into"
        spin -a "${@/#/-D}" model.pml >spin.log &&
            "$compiler" -O0 -w -DSAFETY -DNOFAIR -DMEMLIM=3000 -DCOLLAPSE pan.c -o pan &&
            timeout --kill-after=5 1500 ./pan -m1000000 >pan.log 2>&1
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

# --- The engine's own files ----------------------------------------------------------------------

explorer=Tests/Models/Explorer

# The explorer, a file of scenarios, what it explores, and what it needs of the engine besides.
sources_of() {
    printf '%s\n' "$explorer"/{explore,memory}.c "$explorer/$1.explore.c"
    sed -nE 's/^ \* (Explores|With): //p' "$explorer/$1.explore.c"
}

# Compiles a file of the explorer or the engine, or the changed copy of it, into the folder.
compile_code() {
    local into=$1 subject=$2 file=$3
    local source=$file
    if [[ -e $into/$file ]]; then source=$into/$file; fi
    "$compiler" "-I$into/CSupport/CRunLoop" "${engine_flags[@]}" "${warnings[@]}" -D_GNU_SOURCE -O1 \
        -fsanitize=address -fsanitize-address-use-after-return=never -ffunction-sections -fdata-sections \
        "-DEXPLORES_$subject" "-I$explorer" -include "$explorer/explore.h" \
        -c "$source" -o "$into/$(basename "$file" .c).o"
}

# Compiles all that a subject needs, as it is.
compile_subject() {
    local subject=$1 file
    mkdir -p "$folder/$subject"
    while read -r file; do
        compile_code "$folder/$subject" "$subject" "$file" || return 0
    done >"$folder/$subject/compile.log" 2>&1 < <(sources_of "$subject")
}

# Compiles what is changed, which is all if others include it, and links it with the rest. What the scenarios do
# not call needs no stand-in.
build_code() {
    local into=$1 subject=$2 change=$3 file object sources objects=()
    mapfile -t sources < <(sources_of "$subject")
    for file in "${sources[@]}"; do
        object=$(basename "$file" .c).o
        if [[ $change == "$file" || ($change && " ${sources[*]} " != *" $change "*) ]]; then
            compile_code "$into" "$subject" "$file" || return 1
            objects+=("$into/$object")
        else
            objects+=("$folder/$subject/$object")
        fi
    done
    "$compiler" -fsanitize=address -fuse-ld=lld -Wl,--gc-sections,--unresolved-symbols=ignore-all \
        "${objects[@]}" -o "$into/explore"
}

explore_code() {
    local into=$1 subject=$2 scenario=$3 change=$4 status=0
    build_code "$into" "$subject" "$change" >"$into/compile.log" 2>&1 || return 0
    ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=16 timeout --kill-after=5 1500 "$into/explore" "$scenario" \
        >"$into/explore.log" 2>"$into/errors.log" || status=$?
    echo "$status" >"$into/status"
}

# Copies the file into the folder with a change, which must change something.
mutate() {
    local into=$1 file=$2 change=$3
    mkdir -p "$into/$(dirname "$file")"
    sed -E "$change" "$file" >"$into/$file"
    if cmp -s "$file" "$into/$file"; then
        echo "$file has changed: '$change' finds nothing in it. Mend $explorer/mutations."
        exit 1
    fi
}

judge_code() {
    local expected=$1 into=$2 subject=$3 what=$4 status outcome=wrong
    status=$(cat "$into/status" 2>/dev/null || true)
    if [[ $expected == hold && $status == 0 ]]; then
        outcome="holds: $(tail -1 "$into/explore.log")"
    elif [[ $expected == fail && $status == 1 ]]; then
        outcome="found: $(tail -1 "$into/explore.log")"
    fi
    printf '%-10s %-34s %s\n' "$subject" "$what" "$outcome"
    if [[ $outcome == wrong ]]; then
        failed=$((failed + 1))
        cat "$into"/*.log
    else
        passed=$((passed + 1))
    fi
}

# Calls a function with what is expected, a folder, the subject, the scenario, a name, and a file and its change.
for_each_exploration() {
    local subject scenario name file change
    for file in "$explorer"/*.explore.c; do
        subject=$(basename "$file" .explore.c)
        while read -r scenario; do
            "$1" hold "$folder/$subject-$scenario" "$subject" "$scenario" "$scenario" '' ''
        done < <(sed -nE 's/^    \{"([a-z_]+)", [0-9]+, .*/\1/p' "$file")
    done
    while read -r subject scenario name file change; do
        "$1" fail "$folder/$subject-$name" "$subject" "$scenario" "$name" "$file" "$change"
    done < <(grep -vE '^(#|$)' "$explorer/mutations")
}

begin_exploration() {
    mkdir -p "$2"
    if [[ -n $6 ]]; then mutate "$2" "$6" "$7"; fi
    in_background explore_code "$2" "$3" "$4" "$6"
}

end_exploration() {
    judge_code "$1" "$2" "$3" "$5"
}

if $explores_code; then
    for file in "$explorer"/*.explore.c; do in_background compile_subject "$(basename "$file" .explore.c)"; done
    wait
    for_each_exploration begin_exploration
    wait
    for_each_exploration end_exploration
fi
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
