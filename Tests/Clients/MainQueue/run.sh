#!/usr/bin/env bash
# What the main loop believes of the main queue (CSupport/CRunLoop/run/main_queue_tail.h): the tail of its
# list is found where it is and nowhere else, and work is served whatever the word says.
#
# usage: Tests/Clients/MainQueue/run.sh

set -euo pipefail
cd "$(dirname "$0")/../../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain

folder=.build-main-queue
mkdir -p "$folder"
build_engine address,undefined "${debug_flags[@]}"
flags=("${test_flags[@]}" "${debug_flags[@]}" "${sanitizing[@]}")
mapfile -t tail < <(printf '%s\n' "${engine_objects[@]}" | grep main_queue_tail.o)
mapfile -t others < <(printf '%s\n' "${engine_objects[@]}" | grep -v main_queue_tail.o)
link_program "$folder/finding" "${flags[@]}" Tests/Clients/MainQueue/finding.c "${tail[@]}"
link_program "$folder/believing" "${flags[@]}" Tests/Clients/MainQueue/believing.c "${others[@]}"

passed=0
failed=0
for program in finding believing; do
    while read -ra words; do
        if timeout 60 "$folder/$program" "${words[@]}"; then
            passed=$((passed + 1))
        else
            echo "FAILED: $program ${words[*]}"
            failed=$((failed + 1))
        fi
    done < <("$folder/$program" list)
done
echo "$passed passed, $failed failed"
((failed == 0))
