#!/usr/bin/env bash
# Runs the hostile programs for a number of minutes, each time with more rounds.
#
# usage: Tests/Attacks/Hostile/run.sh MINUTES [SANITIZER]
#
# MINUTES may have a fraction. SANITIZER is none, address or thread; without it the three share the time.
# What is built before does not count. The executor's memory is looked at for as long as a share of it.

set -euo pipefail
cd "$(dirname "$0")/../../.."

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

# shellcheck source=.ci/sanitizer-options
source .ci/sanitizer-options

flags=()
case $sanitizer in
none) ;;
address | thread)
    export RL_PART=sanitized
    flags=(--sanitize "$sanitizer" --scratch-path ".build-$sanitizer")
    ;;
*) echo "unknown sanitizer $sanitizer" >&2 && exit 2 ;;
esac
swift build --build-tests "${flags[@]}" | tail -1
began=$SECONDS
rounds=1
runs=0
while ((runs == 0 || SECONDS - began < seconds)); do
    RL_HOSTILE_ROUNDS=$rounds RL_YIELD_SECONDS=$(((seconds + 9) / 10)) \
        timeout --kill-after=20 $((seconds + 600)) \
        swift test --disable-xctest --skip-build "${flags[@]}" --filter '^Hostile(Extras)?Tests\.'
    runs=$((runs + 1))
    if ((rounds < 64)); then rounds=$((rounds * 2)); fi
done
echo "$runs runs with $sanitizer sanitizer in $((SECONDS - began)) s: nothing found"
