# Sourced by the scripts here: what one of something costs that a program does a number of times. Valgrind's counts
# do not depend on the machine's load.
# shellcheck shell=bash
# shellcheck disable=SC2154 # `folder` is the script's, for what is written meanwhile.

instructions() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 |
        sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p'
}

allocations() {
    valgrind --tool=memcheck "$@" 2>&1 |
        sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' | tr -d ,
}

system_calls() {
    strace -f -c -U calls,name -S calls -o "$folder/calls-$2" "$@" >/dev/null
    awk '$2 == "total" { print $1 }' "$folder/calls-$2"
}

# The cost of one, from the difference of two thousand and one thousand; rounded.
difference() {
    local tool=$1 program=$2 less more
    shift 2
    "$tool" "$program" 1000 "$@" >"$folder/less" &
    more=$("$tool" "$program" 2000 "$@")
    wait $!
    less=$(cat "$folder/less")
    if [[ -z $less || -z $more ]]; then
        echo "no count from: $*" >&2
        return 1
    fi
    echo $(((more - less + 500) / 1000))
}
