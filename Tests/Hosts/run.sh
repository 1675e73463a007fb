#!/usr/bin/env bash
# Builds the engine, the adapters and their tests by hand, and runs the tests.
#
# usage: Tests/Hosts/run.sh [SANITIZERS [TEST...]]
#
# SANITIZERS are those of clang's -fsanitize, or none. Without names all tests run.

set -euo pipefail
cd "$(dirname "$0")/../.."

sanitizers=${1:-none}
shift || true

# shellcheck source=.ci/toolchain
source .ci/toolchain

folder=.build-hosts/$sanitizers
read -ra peers <<<"$(pkg-config --cflags glib-2.0 libuv)"
read -ra libraries <<<"$(pkg-config --libs glib-2.0 libuv)"
flags=(
    -std=gnu17 -fblocks -O1 -g -fno-omit-frame-pointer -pthread -Wall -Wextra -Werror
    -ICSupport/CRunLoop -ICSupport/CRunLoop/include -ICSupport/CRunLoopHosts/include "${peers[@]/#-I/-isystem}"
)
sanitizing=()
if [[ $sanitizers != none ]]; then
    sanitizing=("-fsanitize=$sanitizers" -fno-sanitize-recover=all)
fi

# One object for each source, on all cores. The last argument of the inner command is the source.
mkdir -p "$folder"
# shellcheck disable=SC2016
printf '%s\0' CSupport/CRunLoop/*/*.c CSupport/CRunLoopHosts/*.c Tests/Hosts/*.c |
    into=$folder xargs -0 -n 1 -P "$(nproc)" bash -c \
        'exec "${@:1:$#-1}" -c "${!#}" -o "$into/$(basename "${!#}" .c).o"' \
        "$compiler" "$compiler" "${flags[@]}" "${sanitizing[@]}"
# The linker warns of hundreds of the sanitizer's own symbols.
"$compiler" "${sanitizing[@]}" -pthread "$folder"/*.o -o "$folder/program" "${libraries[@]}" \
    -lbsd -ldispatch -lBlocksRuntime -Wl,--wrap=syscall "-Wl,-rpath,$library_folder/linux" 2>"$folder/link.log" ||
    { cat "$folder/link.log"; exit 1; }

export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1
export LSAN_OPTIONS=report_objects=1:print_suppressions=0
export TSAN_OPTIONS=halt_on_error=1:die_after_fork=0:second_deadlock_stack=1
timeout --kill-after=20 300 "$folder/program" "$@"
