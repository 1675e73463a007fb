#!/usr/bin/env bash
# Looks into a program with the commands for gdb, and for lldb if there is one that knows Python: stopped at
# a breakpoint, as a core file, and with damaged memory.
#
# usage: Tests/Clients/Debuggers/run.sh BUSY       the program, as CMake builds it

set -euo pipefail
cd "$(dirname "$0")/../../.."

# shellcheck source=.ci/toolchain
source .ci/toolchain

busy=$1
folder=.build-debuggers
commands=CSupport/Debuggers/crunloop_debugger.py
passed=0
mkdir -p "$folder"

fail() {
    echo "debuggers: $*" >&2
    exit 1
}

use_gdb() {
    timeout 600 gdb -nx -batch -iex "set debuginfod enabled off" -iex "set confirm off" -ex "source $commands" "$@" \
        >"$folder/gdb.log" 2>&1 || { cat "$folder/gdb.log"; fail "gdb failed"; }
}

# The output of the commands: all lines of the debuggers between the marks.
between_marks() {
    sed -n '/^--- begin/,/^--- end/p' "$1" | grep -v '^---'
}

# Without what differs from run to run.
settled() {
    sed -E -e 's/0x[0-9a-f]+/0x/g' -e 's/thread [0-9]+/thread N/' -e 's/^[0-9]+/N/' \
        -e 's/next [0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}\.[0-9]{3}/next DATE/' \
        -e 's|at [^ ]*busy\.c:[0-9]+|at busy.c|' -e 's/ +/ /g'
}

same() {
    diff "$2" "$3" >"$folder/difference" || { cat "$folder/difference"; fail "$1: expected '<', got '>'"; }
    passed=$((passed + 1))
}

command -v gdb >/dev/null || fail "gdb is missing: CSupport/bootstrap.sh --ci"

# --- Stopped -------------------------------------------------------------------------------------

cat >"$folder/expected" <<'TEXT'
THREAD DEBUGGER LOOP PHASE MODE SOURCES OBSERVERS TIMERS BLOCKS
N main gdb 1 0x Timer kRLRunLoopDefaultMode 2 1 8 1
N gdb 2 0x Waiting Editing 0 1 1 0
run loop 0x of main thread N (gdb 1): Timer in mode kRLRunLoopDefaultMode, calls tick at busy.c
 mode kRLRunLoopDefaultMode (common)
 source 0 0x order 0: work at busy.c
 source 2 0x descriptor 40, signalled: read_pipe at busy.c
 observer 0x Entry Exit, order -5: observe at busy.c
 timer 0x next DATE, every 1000 s, is called: tick at busy.c
 mode Editing
 source 0 0x order 0: work at busy.c
 timer 0x next DATE, every 1 s: never at busy.c
 timer 0x next DATE, every 2 s: never at busy.c
 timer 0x next DATE, every 3 s: never at busy.c
 timer 0x next DATE, every 4 s: never at busy.c
 timer 0x next DATE, every 5 s: never at busy.c
 timer 0x next DATE, every 6 s: never at busy.c
 timer 0x next DATE, every 60 s: block __main_block_invoke at busy.c
 block 0x __main_block_invoke_2 at busy.c
run loop 0x of thread N (gdb 2): Waiting in mode Editing
 mode kRLRunLoopDefaultMode (common)
 mode Editing
 observer 0x BeforeWaiting, order 3: is_asleep at busy.c
 timer 0x next DATE: never at busy.c
TEXT

look=(-ex "echo --- begin\n" -ex "runloop list" -ex "runloop dump" -ex "echo --- end\n")
use_gdb -ex "break look_at_me" -ex run "${look[@]}" -ex "generate-core-file $folder/core" -ex kill "$busy"
between_marks "$folder/gdb.log" >"$folder/stopped"
settled <"$folder/stopped" >"$folder/result"
same "a stopped program" "$folder/expected" "$folder/result"

# --- As a core file ------------------------------------------------------------------------------

use_gdb "${look[@]}" "$busy" "$folder/core"
between_marks "$folder/gdb.log" >"$folder/result"
same "a core file" "$folder/stopped" "$folder/result"

number=$(sed -n 's/.* of thread \([0-9]*\) .*/\1/p' "$folder/stopped")
use_gdb -ex "echo --- begin\n" -ex "runloop dump $number" -ex "echo --- end\n" "$busy" "$folder/core"
between_marks "$folder/gdb.log" >"$folder/result"
same "the loop of one thread" <(sed -n "/ of thread $number /,\$p" "$folder/stopped") "$folder/result"

# Debian's lldb looks for its module in the wrong folder.
for module in /usr/lib/llvm-*/lib/python3*/dist-packages/lldb/__init__.py; do
    if [[ -e $module ]]; then PYTHONPATH=$(dirname "$(dirname "$module")") && export PYTHONPATH; fi
done
for lldb in "$(dirname "$compiler")/lldb" lldb lldb-{14..21} none; do
    if [[ $("$lldb" -b -o "script print(6 * 7)" 2>/dev/null || true) == *42* ]]; then break; fi
done
if [[ $lldb == none ]]; then
    echo "debuggers: no lldb that knows Python, its commands go untested"
else
    timeout 600 "$lldb" -b --no-lldbinit -o "command script import $commands" -o "script print('--- begin')" \
        -o "runloop list" -o "runloop dump" -o "script print('--- end')" -c "$folder/core" "$busy" \
        >"$folder/lldb.log" 2>&1 || { cat "$folder/lldb.log"; fail "lldb failed"; }
    between_marks "$folder/lldb.log" | grep -v '^(lldb)' | settled | sed -E 's/lldb ([0-9])/gdb \1/' >"$folder/result"
    same "a core file in lldb" "$folder/expected" "$folder/result"
fi

# --- With damaged memory -------------------------------------------------------------------------

# A list of modes that leads nowhere, and one that leads to its beginning; a tree of loops that leads nowhere;
# and more timers than there is memory for, also in the debugger.
first="((struct rl_loop *)other_loop)->modes.tqh_first"
left="((struct rl_loop *)other_loop)->table_node.rbe_left"
timers="$first->link.tqe_next->timers"
(
    ulimit -v 2000000
    use_gdb -ex "break look_at_me" -ex run -ex "set var \$next = $first->link.tqe_next" \
        -ex "set var $first->link.tqe_next = (void *)16" -ex "echo --- begin\n" -ex "runloop dump" \
        -ex "set var $first->link.tqe_next = $first" -ex "runloop list" \
        -ex "set var $first->link.tqe_next = \$next" -ex "set var \$left = $left" -ex "set var $left = (void *)16" \
        -ex "runloop list" -ex "set var $left = \$left" -ex "set var $timers.heap.count = 20000000" \
        -ex "runloop list" -ex "runloop dump 1" -ex "echo --- end\n" -ex kill "$busy"
)
between_marks "$folder/gdb.log" | settled >"$folder/result"
{
    sed -n '/^run loop 0x of main/,/^ block/p' "$folder/expected"
    echo "run loop 0x of thread N (gdb 2): Waiting in mode Editing"
    echo " mode kRLRunLoopDefaultMode (common)"
    echo "run loop 0x: there is no memory at 0x"
    sed -n '1,2p' "$folder/expected"
    echo "N gdb 2 0x Waiting Editing 0 0 0 0"
    sed -n '1,3p' "$folder/expected"
    echo "run loop 0x: there is no memory at 0x"
    sed -n '1,2p' "$folder/expected"
    echo "run loop 0x: there is no memory at 0x"
    echo "runloop dump: there is no run loop of a thread N; \`runloop list\` shows the threads that have one"
} >"$folder/wanted"
same "damaged memory" "$folder/wanted" "$folder/result"
echo "$passed passed, 0 failed"
