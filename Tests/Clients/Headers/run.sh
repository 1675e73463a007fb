#!/usr/bin/env bash
# Every public header in every language that clients write, by every compiler that is here, without a
# warning: each alone, all at once, and in files that use what CoreFoundation's headers give. Those that CMake
# installs are taken from an installed tree, with the flags of pkg-config.
#
# usage: Tests/Clients/Headers/run.sh

set -euo pipefail
cd "$(dirname "$0")/../../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain
# The toolchain has CoreFoundation's own headers, which would take the place of one that is not installed.
unset C_INCLUDE_PATH CPLUS_INCLUDE_PATH

folder=.build-headers
here=Tests/Clients/Headers
prefix=$PWD/$folder/prefix
strict=(-Wall -Wextra -Wcast-qual -pedantic -Werror -fsyntax-only)
every_mode="c11 c17 gnu17 c2x c++11 c++14 c++17 c++20 c++2b"
usual_modes="gnu17 c++17"

fail() {
    echo "headers: $*" >&2
    exit 1
}

# The compilers for C that are here. Debian has all of them (CSupport/bootstrap.sh --ci).
compilers=("$compiler")
for candidate in clang-14 gcc; do
    if command -v "$candidate" >/dev/null; then
        compilers+=("$candidate")
    else
        echo "headers: going without $candidate, which is not here"
    fi
done

# That of the same family for a language; clang takes both.
compiler_for() {
    if [[ $* == "c++ gcc" ]]; then echo g++; else echo "$2"; fi
}

# One command a line; all of them run below, as many at once as there are processors.
commands=$folder/commands
command_line() {
    printf '%q ' "$@" >>"$commands"
    printf '\n' >>"$commands"
}

# A file in some modes, by every compiler: in_modes MODES FILE FLAG...
in_modes() {
    local modes=$1 file=$2 each mode language own
    shift 2
    for each in "${compilers[@]}"; do
        for mode in $modes; do
            language=c own=()
            if [[ $mode == c++* ]]; then language=c++; fi
            # The tests' own files are of both languages.
            if [[ $language == c++ && $file == "$folder"/a* ]]; then own=(-Wold-style-cast); fi
            command_line "$(compiler_for "$language" "$each")" "-std=$mode" "${strict[@]}" "${own[@]}" "$@" \
                -x "$language" "$file"
        done
    done
}

# The flags that pkg-config prints for a package in the installed tree.
flags_of() {
    PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags "$1"
}

for tool in cmake pkg-config; do
    command -v "$tool" >/dev/null || fail "$tool is missing: CSupport/bootstrap.sh --packaging"
done
rm -rf "$folder"
mkdir -p "$folder/alone"
cmake -S CSupport -B "$folder/build" -DCMAKE_C_COMPILER="$compiler" -DCMAKE_INSTALL_LIBDIR=lib >"$folder/log"
cmake --install "$folder/build" --prefix "$prefix" --component headers >>"$folder/log"

# Ours, with those of the libraries that CMake does not install, CF's, and what stands beside those.
read -ra ours <<<"$(flags_of crunloop)"
for neighbor in CSupport/{,Extras/}CRunLoop?*/include; do ours+=("-I$neighbor"); done
read -ra cf <<<"$(flags_of crunloop-cf)"
read -ra apple <<<"$(flags_of crunloop-apple)"

# Each header alone, also with blocks, and all of ours at once; each that has only a line which refuses it is below.
alone() {
    file=$folder/alone/${2//\//_}.c
    printf '%s\n' "#include <$2>" "extern int nothing_else;" >"$file"
    in_modes "$1" "$file" "${@:3}"
}
for header in CSupport/{,Extras/}CRunLoop?*/include/*.h CSupport/CRunLoop/include/CRunLoop/*.h; do
    alone "$usual_modes" "${header#*/include/}" "${ours[@]}"
    command_line "$compiler" -std=gnu17 -fblocks "${strict[@]}" "${ours[@]}" "$file"
    echo "#include <${header#*/include/}>" >>"$folder/all.c"
done
for header in CSupport/CFHeaders/include/CoreFoundation/*.h; do
    if ! grep -q '^#error "[A-Za-z_]*\.h is not part of' "$header"; then
        alone "c11 c++11" "${header#*/include/}" "${cf[@]}"
        echo "#include <${header#*/include/}>" >>"$folder/all-cf.c"
    fi
done
in_modes "$every_mode" "$folder/all.c" "${ours[@]}"
for header in CSupport/AppleHeaders/include/{*,*/*}.h; do
    alone "c11 c++11" "${header#*/include/}" "${apple[@]}"
    echo "#include <${header#*/include/}>" >>"$folder/all-apple.c"
done
# After the macros of other libraries, all at once: a word that is a macro fails in any header.
in_modes "$usual_modes" "$folder/all.c" "${ours[@]}" -include "$here/macros.h"
in_modes "$usual_modes" "$folder/all-cf.c" "${cf[@]}" -include "$here/macros.h"
in_modes "$usual_modes" "$folder/all-apple.c" "${apple[@]}" -include "$here/macros.h"
# Those that are found on the system, with blocks, beside ours.
printf '#include <%s>\n' dispatch/dispatch.h Block.h CoreServices/CoreServices.h Availability.h >"$folder/found.c"
for language in c c++; do
    command_line "$compiler" -fblocks -Wall -Wextra -Werror -fsyntax-only "${apple[@]}" -x "$language" "$folder/found.c"
done

# Files in CF's spelling: with the folder of stand-ins, with the option alone, and renamed.
mkdir "$folder/renamed"
cp "$here"/*.[ch] "$folder/renamed"
CSupport/rename.sh c "$folder/renamed"
option=(-include CRunLoop/CFCompatibility.h)
for file in declared_before declared_after; do
    in_modes "$every_mode" "$here/$file.c" "${cf[@]}"
    in_modes "$usual_modes" "$folder/renamed/$file.c" "${ours[@]}"
done
in_modes "$every_mode" "$here/words.c" "${cf[@]}"
in_modes "$usual_modes" "$folder/renamed/words.c" "${ours[@]}" "${option[@]}"
in_modes "$usual_modes" "$here/words.c" "${ours[@]}" "${option[@]}" -isystem "$library_folder"
in_modes "$usual_modes" "$here/declared_after.c" "${ours[@]}" "${option[@]}" -isystem "$library_folder"

count=$(wc -l <"$commands")
# shellcheck disable=SC2016
xargs -P "$(nproc)" -d '\n' -n 1 bash -c 'eval "$1" || { echo "headers: $1" >&2; exit 255; }' _ \
    <"$commands" || fail "a file does not compile without a warning"

# What the companions do: in C and C++, by two compilers and under the thread sanitizer. Their programs print the same.
# try NAME EXPECTED COMPILER FLAG... [PROGRAM'S SOURCE]
try() {
    local name=$1 expected=$2
    shift 2
    "$@" -Wall -Wextra -Werror -pthread "${apple[@]}" -o "$folder/$name" || fail "$name: does not compile"
    "$folder/$name" 2>&1 | sed -E "s|file: .*/|file: |; s/line: [0-9]+/line: N/" >"$folder/$name.log"
    diff "$expected" "$folder/$name.log" || fail "$name: prints something else"
    count=$((count + 1))
}
for each in "$compiler" gcc; do
    if ! command -v "$each" >/dev/null; then continue; fi
    for language in c c++; do
        using=("$(compiler_for "$language" "$each")" -x "$language")
        name=${each##*/}-$language
        try "companions-$name" "$here/companions.expected" "${using[@]}" "$here/companions.c"
        try "debug-$name" "$here/assertions.debug" "${using[@]}" -DDEBUG=1 "$here/assertions.c"
        try "production-$name" "$here/assertions.production" "${using[@]}" "$here/assertions.c"
        try "own-$name" "$here/assertions.own" "${using[@]}" -DDEBUG=1 -DOWN_MESSAGE "$here/assertions.c"
    done
done
try companions-thread "$here/companions.expected" "$compiler" -g -fsanitize=thread "$here/companions.c" \
    "-Wl,-rpath,$library_folder/linux" "${engine_libraries[@]}"
cat >"$folder/underscores.c" <<'PROGRAM'
#define __ASSERT_MACROS_DEFINE_VERSIONS_WITHOUT_UNDERSCORES 0
#include <AssertMacros.h>
static int check(int value) { __Require(value, bail); return 1; bail: return 0; }
static int require(int value) { __Verify(value); return value; }
int main(void) { return check(1) == 1 && require(2) == 2 ? 0 : 1; }
PROGRAM
try underscores /dev/null "$compiler" "$folder/underscores.c"

# A missing header is an error of one line, whether or not the toolchain has a header with this name.
(cd CSupport/CFHeaders/include && grep -l '#error' CoreFoundation/*.h) |
    sed 's/.*/#include <&>/' >"$folder/refused.c"
refused=$(wc -l <"$folder/refused.c")
for each in "${compilers[@]}"; do
    no_limit=-ferror-limit=0
    if [[ $each == gcc ]]; then no_limit=-fmax-errors=0; fi
    for by_option in "" yes; do
        errors=$("$each" -fsyntax-only "$no_limit" "${cf[@]}" ${by_option:+"${option[@]}"} \
            -isystem "$library_folder" "$folder/refused.c" 2>&1 |
            grep -c 'error:.* is not part of CoreRunLoop' || true)
        if ((errors != refused)); then fail "$each: $errors of $refused headers are refused"; fi
    done
done

# By the option alone, where the toolchain's folder comes first, the toolchain's headers count as included: what is
# not here is an unknown name in the file that uses it, and nothing comes from theirs.
cat >"$folder/unknown.c" <<'PROGRAM'
#include <CoreFoundation/CFBag.h>
#include <CoreFoundation/CFTree.h>
CFBagRef bag;
CFTreeRef tree;
PROGRAM
for each in "${compilers[@]}"; do
    errors=$("$each" -fsyntax-only "${ours[@]}" "${option[@]}" -isystem "$library_folder" \
        "$folder/unknown.c" 2>&1 | grep -E '(error|warning):' | sed 's/:.*//' | sort | uniq -c | xargs || true)
    if [[ $errors != "2 $folder/unknown.c" ]]; then fail "$each: by the option alone: $errors"; fi
done

# The C library's headers that CoreFoundation's umbrella header brings, but for those that RLCHeaders.h
# leaves out and what comes with them.
brought() {
    "$compiler" -std=gnu17 -fblocks -fsyntax-only -H "$@" 2>&1 |
        sed -nE 's|^\.+ /usr/include/(.*-linux-gnu/)?||p' | grep -vE '^(bits|asm|asm-generic|gnu|linux)/' | sort -u
}
printf '#include <CoreFoundation/CoreFoundation.h>\n' >"$folder/umbrella.c"
missing=$(comm -23 <(brought "-I$library_folder" "$folder/umbrella.c") \
    <(brought "${cf[@]}" "$folder/umbrella.c") | grep -vE '^(fts|termios|sys/(sysmacros|ttydefaults))\.h$' || true)
if [[ -n $missing ]]; then fail "the umbrella header does not bring ${missing//$'\n'/, }"; fi

# The numbers of libcurl that CRunLoopNetworking writes out, against its headers; those of our own and of newer
# versions than the distributions have are left out.
curl=CSupport/Extras/CRunLoopNetworking
{
    printf '#include <CRunLoopNetworking.h>\n#include "curl.h"\n#include <curl/curl.h>\n'
    grep -ohE '\bRL_CURL[A-Za-z0-9_]+ =' "$curl"/curl.h "$curl"/include/*.h | sed -E 's/^RL_(.*) =$/\1/' |
        grep -vE '^(CURLVERSION_NOW|CURLE_TOO_LARGE)$' |
        sed 's/.*/_Static_assert(RL_& == (long)&, "&");/'
} >"$folder/curl.c"
if echo '#include <curl/curl.h>' | "$compiler" -fsyntax-only -x c - 2>/dev/null; then
    "$compiler" -std=gnu17 -fsyntax-only -Wall -Werror -Wno-deprecated-declarations "${ours[@]}" "-I$curl" \
        "$folder/curl.c" || fail "a number of libcurl is another one in its headers"
    count=$((count + 1))
else
    echo "headers: going without <curl/curl.h>, which is not here"
fi

echo "$count passed, 0 failed"
