#!/usr/bin/env bash
# Builds the engine, the adapters and their tests by hand, and runs the tests.
#
# usage: Tests/Clients/Hosts/run.sh [SANITIZERS [TEST...]]
#
# SANITIZERS are those of clang's -fsanitize, or none. Without names all tests run.

set -euo pipefail
cd "$(dirname "$0")/../../.."

sanitizers=${1:-none}
shift || true

# shellcheck source=.ci/toolchain
source .ci/toolchain

folder=.build-hosts/$sanitizers
read -ra peers <<<"$(pkg-config --cflags glib-2.0 libuv)"
read -ra libraries <<<"$(pkg-config --libs glib-2.0 libuv)"
build_engine "$sanitizers" "${debug_flags[@]}"
flags=(
    "${test_flags[@]}" "${debug_flags[@]}" -ICSupport/CRunLoopHosts/include "${peers[@]/#-I/-isystem}"
    "${sanitizing[@]}"
)
compile "$folder/adapters" "${flags[@]}" -- CSupport/CRunLoopHosts/*.c
compile "$folder/tests" "${flags[@]}" -- Tests/Clients/Hosts/*.c "${harness_sources[@]}"
link_program "$folder/program" "${sanitizing[@]}" "${engine_objects[@]}" "$folder"/{adapters,tests}/*.o "${libraries[@]}" \
    -Wl,--wrap=syscall -Wl,--wrap=write
timeout --kill-after=20 300 "$folder/program" "$@"
