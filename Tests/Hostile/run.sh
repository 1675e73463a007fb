#!/usr/bin/env bash
# Runs the hostile programs for so many minutes, each time with more rounds.
#
# usage: Tests/Hostile/run.sh MINUTES [SANITIZER]
#
# MINUTES may have a fraction. SANITIZER is none, address or thread; without it the three share the time.
# What is built before does not count. The executor's memory is looked at for as long as a share of it.

set -euo pipefail
cd "$(dirname "$0")/../.."

if (($# == 0)); then
    sed -n '/^# usage/s/^# //p' "$0" >&2
    exit 2
fi
if (($# == 1)); then
    share=$(awk -v minutes="$1" 'BEGIN { print minutes / 3 }')
    for sanitizer in none address thread; do "$0" "$share" "$sanitizer"; done
    exit
fi
sanitizer=$2
seconds=$(awk -v minutes="$1" 'BEGIN { print int(minutes * 60 + 0.5) }')

suppressions() {
    if [[ -e $1 ]]; then echo ":suppressions=$PWD/$1"; fi
}

flags=()
case $sanitizer in
none) ;;
address) flags=(--sanitize address --scratch-path .build-asan) ;;
thread) flags=(--sanitize thread --scratch-path .build-tsan) ;;
*) echo "unknown sanitizer $sanitizer" >&2 && exit 2 ;;
esac
export ASAN_OPTIONS=detect_leaks=1:detect_stack_use_after_return=1
LSAN_OPTIONS=report_objects=1:print_suppressions=0$(suppressions .ci/lsan.supp)
TSAN_OPTIONS=halt_on_error=1:die_after_fork=0:second_deadlock_stack=1$(suppressions .ci/tsan.supp)
export LSAN_OPTIONS TSAN_OPTIONS

swift build --build-tests "${flags[@]}" | tail -1
began=$SECONDS
rounds=1
runs=0
while ((runs == 0 || SECONDS - began < seconds)); do
    RL_HOSTILE_ROUNDS=$rounds RL_YIELD_SECONDS=$(((seconds + 9) / 10)) \
        timeout --kill-after=20 $((seconds + 600)) \
        swift test --disable-xctest --skip-build "${flags[@]}" --filter '^HostileTests\.'
    runs=$((runs + 1))
    if ((rounds < 64)); then rounds=$((rounds * 2)); fi
done
echo "$runs runs with $sanitizer sanitizer in $((SECONDS - began)) s: nothing found"
