#!/usr/bin/env bash
# Builds the engine for other processors, with another C library and by the distribution's own compiler, without
# warnings, and runs the scenarios that need no libdispatch where this machine can run or emulate them.
#
# usage: Tests/Clients/Architectures/run.sh [aarch64|armhf|distribution|i386|musl]...
#
# Without names it takes all of them. RL_ARCHITECTURES_ALL=1 runs all scenarios wherever they can be
# run; without it an emulator runs some, and armhf is compiled only.

set -euo pipefail
cd "$(dirname "$0")/../../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain
unset C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH

top=.build-architectures
flags=("${test_flags[@]}" -DRL_TESTING -O1 -nostdlibinc)
kit_flags+=(-D_TIME_BITS=64 -D_FILE_OFFSET_BITS=64 -DSCENARIO_WITHOUT_DISPATCH)
native_kit_sources=("${kit_sources[@]}")
kit_sources+=(Tests/Clients/Architectures/blocks_runtime.c)

# What an emulator shows without all scenarios: those whose names begin so.
some=(any_ autorel batch block busy common data desc fire hosted locks main mode nested number
    observer port ready run source stop string timer wake)

# What cannot be shown, as the scenarios' own traces tell: that the kernel refuses a call, to an emulator
# that knows no filters; that the test answers one, where it does not know how the C library makes them; TLS,
# as Debian's cross packages have no OpenSSL.
unshown='not so: (has_filter|knows_calls|has_openssl)'

# What QEMU 7.2 does otherwise than the kernel. A descriptor that comes with a message and finds no room
# stays open; and 32-bit ARM has only the old time-outs of sockets, and an answer to the new question.
emulated='malformed_requests'
emulated_armhf='socket_invalidation_ends_sending socket_sends_as_handle'

# A static program opens no libraries, and musl's realloc(3) keeps no alignment, which is there for speed.
static='name_in_replaced_file message_bytes_in_lines'

fail() {
    echo "architectures: $*" >&2
    exit 1
}

# A folder of links to what is the same for every processor and C library.
link_headers() {
    local folder=$1 header
    shift
    rm -rf "$folder"
    mkdir -p "$folder"
    for header; do
        if [[ ! -e $header ]]; then fail "$header is missing: CSupport/bootstrap.sh --architectures"; fi
        ln -s "$header" "$folder/"
    done
}

# The names of the scenarios that failed, but for those that cannot be shown.
failures_in() {
    awk -v unshown="$unshown" '/^rl [a-z0-9_]+ \(/ { name = $2 }
        /^  but was:/ && $0 !~ unshown { print name }' "$1"
}

# Whether a scenario passes in one of two further tries.
passes_alone() {
    local try
    for try in 2 3; do
        if SCENARIO_RUNNER=$1 timeout --kill-after=20 90 "$1" check rl "$2" </dev/null; then
            echo "$2 passed when tried for the ${try}. time"
            return
        fi
    done 2>/dev/null
    return 1
}

# Runs the scenarios whose names begin so, and compares what failed with what may: run_scenarios NAME
# RUNNER MAY-FAIL BEGINNING...
run_scenarios() {
    local name=$1 runner=$2 may_fail=$3 log=$top/$1/log beginning failed good
    shift 3
    : >"$log"
    for beginning; do
        # Its exit status tells of any failure, the log of which.
        SCENARIO_RUNNER=$runner timeout --kill-after=20 900 "$runner" check rl "$beginning" \
            </dev/null >>"$log" 2>"$top/$name/errors" || true
    done
    if (($(grep -cE '^[0-9]+ passed, [0-9]+ failed$' "$log") != $#)); then
        cat "$log"
        tail -5 "$top/$name/errors"
        fail "$name: the scenarios came to no end"
    fi
    for failed in $(failures_in "$log"); do
        if [[ " $may_fail " == *" $failed "* ]]; then continue; fi
        grep -A 2 "^rl $failed (" "$log"
        # An emulator is so slow that a short limit may be over before its time.
        if [[ -z $may_fail ]] || ! passes_alone "$runner" "$failed"; then fail "$name: $failed failed"; fi
    done
    good=$(awk '/^[0-9]+ passed/ { good += $1 } END { print good }' "$log")
    if ((good == 0)); then fail "$name: no scenario was run"; fi
    echo "$name: $good scenarios passed, $(grep -cE "$unshown" "$log" || true) cannot be shown"
}

# Writes a script that runs a program, by an emulator if need be; tells whether it need not.
make_runner() {
    local runner=$1 program=$2 emulator=$3 is_native=true
    if ! "$program" list >/dev/null 2>&1; then
        is_native=false
        if ! command -v "$emulator" >/dev/null; then
            fail "$emulator is missing: CSupport/bootstrap.sh --architectures"
        fi
        program="$emulator $program"
    fi
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nexec %s "$@"\n' "$program" >"$runner"
    chmod +x "$runner"
    $is_native
}

# A processor with the C library that Debian has for it: NAME TRIPLET LOADER EMULATOR FLAG...
try_processor() {
    local name=$1 triplet=$2 loader=$3 emulator=$4 root=/usr/$2 folder=$PWD/$top/$1 everything=("")
    shift 4
    if [[ ! -e $root/lib/Scrt1.o || ! -e $root/lib/libgcc_s.so.1 ]]; then
        fail "no C library for $triplet: CSupport/bootstrap.sh --architectures"
    fi
    link_headers "$folder/headers" /usr/include/bsd
    local target=("--target=$triplet" -DRL_HAS_DISPATCH=0 "$@" -isystem "$folder/headers"
        -isystem "$root/include")
    compile "$folder/engine" "${flags[@]}" "${target[@]}" -- "${engine_sources[@]}"
    echo "$name: the engine compiles"
    if [[ $name == armhf && -z ${RL_ARCHITECTURES_ALL-} ]]; then return; fi

    compile "$folder/kit" "${flags[@]}" "${kit_flags[@]}" "${target[@]}" -- "${kit_sources[@]}"
    "$compiler" "--target=$triplet" -fuse-ld=lld -nostdlib -pie "$root"/lib/{Scrt1,crti}.o \
        "$folder"/{engine,kit}/*.o "-L$root/lib" -lm -lc "$root"/lib/{libgcc_s.so.1,crtn.o} \
        "-Wl,--dynamic-linker=$root/lib/$loader,-rpath,$root/lib" -o "$folder/program"
    if make_runner "$folder/runner" "$folder/program" "$emulator"; then
        run_scenarios "$name" "$folder/runner" "" "${everything[@]}"
        return
    fi
    if [[ $name == armhf ]]; then emulated+=" $emulated_armhf"; fi
    if [[ -z ${RL_ARCHITECTURES_ALL-} ]]; then everything=("${some[@]}"); fi
    run_scenarios "$name" "$folder/runner" "$emulated" "${everything[@]}"
}

try_aarch64() {
    # The functions that outlined atomics stand for are in the compiler's own library, which is not needed
    # otherwise.
    try_processor aarch64 aarch64-linux-gnu ld-linux-aarch64.so.1 qemu-aarch64 -mno-outline-atomics
}

try_armhf() {
    local level=-O1
    if [[ -z ${RL_ARCHITECTURES_ALL-} ]]; then level=-O0; fi
    try_processor armhf arm-linux-gnueabihf ld-linux-armhf.so.3 qemu-arm "$level"
}

try_i386() {
    try_processor i386 i686-linux-gnu ld-linux.so.2 qemu-i386
}

# Linked statically.
try_musl() {
    local processor triplet library folder=$PWD/$top/musl
    processor=$(uname -m)
    triplet=$processor-linux-musl
    library=/usr/lib/$triplet
    link_headers "$folder/headers" /usr/include/{bsd,linux,asm-generic} \
        "/usr/include/$processor-linux-gnu/asm"
    if [[ ! -e /usr/include/$triplet/stdio.h || ! -e $library/libc.a ]]; then
        fail "no musl: CSupport/bootstrap.sh --architectures"
    fi
    local target=("--target=$triplet" -DRL_HAS_DISPATCH=0 -O0 -isystem "/usr/include/$triplet"
        -isystem "$folder/headers")
    compile "$folder/engine" "${flags[@]}" "${target[@]}" -- "${engine_sources[@]}"
    compile "$folder/kit" "${flags[@]}" "${kit_flags[@]}" "${target[@]}" -include Tests/Clients/Architectures/musl.h -- \
        "${kit_sources[@]}"
    "$compiler" "--target=$triplet" -fuse-ld=lld -nostdlib -static "$library"/{crt1,crti}.o \
        "$folder"/{engine,kit}/*.o "-L$library" -lc "$library/crtn.o" -o "$folder/program"
    run_scenarios musl "$folder/program" "$static" ""
}

# This processor as it is without Swift: clang 14 and Debian's blocks runtime, and no libdispatch.
try_distribution() {
    local folder=$PWD/$top/distribution compiler=clang-14
    unset LD_LIBRARY_PATH
    command -v "$compiler" >/dev/null || fail "no clang 14: CSupport/bootstrap.sh --architectures"
    local wanted=("${test_flags[@]}" -DRL_TESTING -DRL_HAS_DISPATCH=0 -O1)
    compile "$folder/engine" "${wanted[@]}" -- "${engine_sources[@]}"
    compile "$folder/kit" "${wanted[@]}" "${kit_flags[@]}" -- "${native_kit_sources[@]}"
    "$compiler" -pthread "$folder"/{engine,kit}/*.o -lBlocksRuntime -lm -o "$folder/program"
    if ldd "$folder/program" | grep -E 'not found|dispatch|swift'; then fail "distribution: needs what Swift brings"; fi
    run_scenarios distribution "$folder/program" "" ""
}

# One of them, with a last line that says so if all is well.
try() {
    "try_$1"
    echo "$1: done"
}

if (($# == 0)); then set -- aarch64 i386 distribution armhf musl; fi
for name; do
    if [[ $(type -t "try_$name") != function ]]; then fail "unknown: $name"; fi
done
mkdir -p "$top"
for name; do
    in_background try "$name" >"$top/$name.log" 2>&1
done
wait
passed=0
failed=0
for name; do
    cat "$top/$name.log"
    if [[ $(tail -n 1 "$top/$name.log") != "$name: done" ]]; then failed=$((failed + 1)); fi
    good=$(sed -n "s/^$name: \([0-9]*\) scenarios passed.*/\1/p" "$top/$name.log")
    passed=$((passed + ${good:-0}))
done
echo "$passed passed, $failed failed"
((failed == 0))
