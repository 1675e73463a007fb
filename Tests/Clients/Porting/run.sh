#!/usr/bin/env bash
# Ports programs by Docs/Porting.md and by nothing else: builds each in both spellings, as it is and after
# renaming, and on the real CoreFoundation where that can build it, and compares what they print.
#
# usage: Tests/Clients/Porting/run.sh [FOLDER]...
#
# A folder has the sources of a program, or of several in folders of their own; what the program prints, in a
# file `expected`; and a file `recipe` of lines `key: value`:
#
#     files: main.c other.cpp       what to compile
#     flags: -std=gnu17 -DNAME      for the compiler; C++ by its suffix
#     libraries: -lm                for the linker
#     arguments: one two            for the program
#     real: no, and why             the real CoreFoundation cannot build it, or prints something else
#     gcc: no, and why              gcc cannot, as the program has blocks
#
# Without a folder it takes those beside this file.

set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folders=()
for folder; do folders+=("$(cd "$folder" && pwd)"); done
cd "$here/../../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain

build=$PWD/.build-porting
engine=$build/engine.a
libraries=("-Wl,-rpath,$library_folder/linux" "${engine_libraries[@]}" -pthread)
ours=("-I$PWD/CSupport/CRunLoop/include" "-I$PWD/CSupport/CFHeaders/include" "-isystem$library_folder")
if ((${#folders[@]} == 0)); then folders=("$here"); fi
passed=0

fail() {
    echo "porting: $*" >&2
    exit 1
}

# The value of a key in the recipe of the folder.
value_of() {
    sed -nE "s/^$1:[[:space:]]*//p" recipe
}

# Compiles the files of the recipe and links them: build_program COMPILER PROGRAM FLAG... -- LIBRARY...
build_program() {
    local with=$1 program=$2 flags=() objects=() linker=$compiler file
    shift 2
    if [[ $with == "$compiler" ]]; then flags=(-fblocks); fi
    while [[ $1 != -- ]]; do
        flags+=("$1")
        shift
    done
    shift
    read -ra own_flags <<<"$(value_of flags)"
    read -ra own_libraries <<<"$(value_of libraries)"
    mkdir -p "$(dirname "$program")"
    for file in $(value_of files); do
        case $file in *.cc | *.cpp | *.cxx | *.mm) linker=${compiler}++ ;; esac
        objects+=("$program-${file//\//-}.o")
        "$with" -pthread -Werror "${own_flags[@]}" "${flags[@]}" -c "$file" -o "${objects[-1]}"
    done
    "$linker" "${objects[@]}" "${own_libraries[@]}" "$@" "${libraries[@]}" -o "$program"
}

# Runs a program and compares: check WHAT PROGRAM EXPECTED
check() {
    local arguments output
    read -ra arguments <<<"$(value_of arguments)"
    if ! output=$(timeout --kill-after=5 300 "$2" "${arguments[@]}" 2>&1); then
        fail "$1: it failed, and printed: $output"
    fi
    diff <(printf '%s\n' "$output") "$3" || fail "$1: it printed something else"
    passed=$((passed + 1))
}

# Whether an object file defines or wants a symbol of CoreFoundation's.
refuse_symbols() {
    local symbols
    symbols=$(nm --format=posix "$1"-*.o | grep -oE '^_{0,2}k?CF[A-Z]\w*' || true)
    if [[ -n $symbols ]]; then fail "$1: has ${symbols//$'\n'/, }"; fi
}

port() {
    local folder=$1 name=${1##*/} program
    program=$build/$name
    rm -rf "$program"
    mkdir -p "$program"
    cp -r "$folder" "$program/renamed"

    cd "$folder"
    build_program "$compiler" "$program/as-it-is" "${ours[@]}" -- "$engine"
    check "$name as it is" "$program/as-it-is" "$folder/expected"
    refuse_symbols "$program/as-it-is"
    if [[ $(value_of gcc) != no* ]] && command -v g++ >/dev/null; then
        build_program gcc "$program/by-gcc" "${ours[@]}" -- "$engine"
        check "$name by gcc" "$program/by-gcc" "$folder/expected"
    fi
    if [[ $(value_of real) != no* ]]; then
        build_program "$compiler" "$program/on-the-real-one" "-isystem$library_folder" -- -lFoundation
        check "$name on the real one" "$program/on-the-real-one" "$folder/expected"
    fi

    "$rename" c "$program/renamed"
    cd "$program/renamed"
    build_program "$compiler" "$program/renamed-program" "-I$here/../../../CSupport/CRunLoop/include" -- "$engine"
    check "$name renamed" "$program/renamed-program" "$folder/expected"
    cd "$here/../../.."
    echo "$name: the same in every spelling"
}

# The script itself, over texts with what it must and must not rename: check_texts LANGUAGE SUFFIX
check_texts() {
    local texts=$here/renamed/$1 copy=$build/renamed/$1
    rm -rf "$copy"
    mkdir -p "$copy"
    cp "$texts/before.txt" "$copy/file.$2"
    "$rename" "$1" "$copy"
    diff "$copy/file.$2" "$texts/after.txt" || fail "rename.sh: $1 is renamed otherwise"
    passed=$((passed + 1))
}

check_suffixes() {
    local suffix copy=$build/suffixes
    rm -rf "$copy"
    mkdir -p "$copy/below"
    for suffix in c cc cpp cxx h hh hpp m mm; do echo CFIndex >"$copy/below/file.$suffix"; done
    "$rename" c "$copy"
    if [[ $(grep -l RLIndex "$copy"/below/* | wc -l) != 9 ]]; then fail "rename.sh: a suffix is left out"; fi
    passed=$((passed + 1))
}

# Every name is renamed as the headers have it: check_names LANGUAGE, from lines `name renamed`
check_names() {
    local copy=$build/names
    rm -rf "$copy"
    mkdir -p "$copy"
    cat >"$build/names.txt"
    cut -d ' ' -f 1 "$build/names.txt" >"$copy/file.$1"
    "$rename" "$1" "$copy"
    diff "$copy/file.$1" <(cut -d ' ' -f 2 "$build/names.txt") || fail "rename.sh: a name of .$1 is renamed otherwise"
    passed=$((passed + 1))
}

build_engine
mkdir -p "$build"
rm -f "$engine"
ar rcs "$engine" "${engine_objects[@]}"
rename=$PWD/CSupport/rename.sh
if [[ ${folders[*]} == "$here" ]]; then
    check_texts c cc
    check_texts swift swift
    check_texts foundation swift
    check_suffixes
    check_names c < <(sed -nE 's/^#define (k?CF\w+ k?RL\w+)$/\1/p' CSupport/CRunLoop/include/CRunLoop/CFCompatibility.h)
    check_names swift < <(
        sed -nE 's/^public typealias (CF\w+) = (RL\w+)$/\1 \2/p' Sources/CFCompatibility/*.swift
        sed -nE 's/^typedef (RL\w+) (CF\w+);$/\2 \1/p' CSupport/CRunLoop/include/CRunLoop/CFDeclarations.h
    )
    echo "rename.sh: it renames what it should"
fi
for folder in "${folders[@]}"; do
    recipes=("$folder/recipe")
    if [[ ! -e ${recipes[0]} ]]; then recipes=("$folder"/*/recipe); fi
    if [[ ! -e ${recipes[0]} ]]; then fail "$folder: no recipe"; fi
    for recipe in "${recipes[@]}"; do port "$(dirname "$recipe")"; done
done
echo "$passed passed, 0 failed"
