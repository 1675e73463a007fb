#!/usr/bin/env -S python3 -B
"""Counts the costs of operations: instructions by valgrind, system calls by strace, allocations and bytes of the heap.

usage: Tests/Costs/count.py engine   the C engine; fails above a limit
       Tests/Costs/count.py swift    the Swift layers; fails above a limit
       Tests/Costs/count.py app      the requests of an app beside other libraries; writes the table of
                                     Docs/Performance.md; needs the network, for SwiftNIO
       Tests/Costs/count.py awaited  the events that async code waits for, likewise; writes the other table there

A cost is the difference between 2000 and 1000 times, divided by 1000.
The load of the machine changes it only where threads wait for each other.
"""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = ".build-costs"
PEERS = "Tests/Costs/Benchmarks"
PAGE = Path("Docs/Performance.md")
BEGIN, END = "<!-- Tests/Costs/count.py {} writes this table -->\n", "<!-- until here -->\n"

# Instructions and bytes may be 1.3 times those of the engine when it was last tuned (35f21ea),
# which leaves room for changes. Allocations, system calls and growth with the count may not grow.
# Two limits belong to two counts.
ENGINE = """
an empty pass, {} idle sources | sources | 1 100 10000 | instructions 361; allocations 0; system calls 0
an empty pass of the main loop | main | 1 | system calls 0.1
an empty pass, {} far timers | timers | 1 100000 | instructions 377; allocations 0; system calls 0
a timer removed and one added, of {} | churn | 1 100000 | instructions 1037 1148; allocations 0
a timer moved, of {} | move | 1 100000 | instructions 329 380
a timer added to {} | add | 1 100000 | instructions 968
an observer removed and one added, of {} | observers | 1 10000 | instructions 1081
an empty pass, {} tolerant timers | tolerant | 1 100000 | instructions 780
the same, an exact timer of {} moves each time | tolerant-move | 1 100000 | instructions 1200 1720
an empty pass in a callback, of {} due timers | nested | 1 10000 | instructions 710
a mode found by its name, of {} | find-mode | 10 10000 | instructions 490
a common source comes and goes, {} modes | common | 10 10000 | instructions 1890
a timer leaves a mode and enters again, in {} modes | everywhere | 10 10000 | instructions 2000
an empty pass, {} refused sources | refused | 10 10000 | instructions 2700; system calls 17
an empty pass, one refused source of {} | one-refused | 10 500 | instructions 920
an empty pass, traced | traced | 1 | instructions 1523; allocations 0; system calls 0
a due timer added, fired and gone | due | 1 | instructions 1900
a source signalled and run, of {} | once | 1 10000 | instructions 937
a source that signals itself | hot | 1 | instructions 660
a block that queues itself | self | 1 | instructions 843
a pass with a descriptor | port | 1 | system calls 1
a port rung, a pass, its answer | rung | 1 | system calls 3
one of 100 ready ports, and the write that rings it | ready | 1 | system calls 2.03; instructions 1030
an echo of 100 at once, both ends, RLSocket | echo-sockets | 1 | system calls 4.1
an echo of 100 at once, both ends, version 2 | echo-sources | 1 | system calls 4.1
an echo of 100 at once, both ends, streams | echo-streams | 1 | system calls 4.1
the same with events for room to write | echo-clients | 1 | system calls 4.22
a message to another process, both sides | one-way | 1 | system calls 3.6
a request and its reply, both sides | requests | 1 | system calls 9
a request of 100 KB and its reply | large-requests | 1 | system calls 17
a run of 100 us | limit | 1 | system calls 2
a tick of a repeating timer | ticks | 1 | system calls 2.1
a wake-up and its answer | trips | 1 | system calls 4.1
a block posted by another thread | posts | 1 | system calls 0.02
a loop | keep-loops | 1 | bytes 1539
a source | keep-sources | 1 | bytes 208
a timer and its place in the heap | keep-timers | 1 | bytes 203.2
"""

# A Swift layer is thin: creation may cost 1.8 times, and firing or passing 1.3 times its cost when
# closures moved into the engine's memory (35f21ea). Replacing a timer of RunLoopKit may cost 1.9
# times, as its thread is checked.
LAYERS = """
an empty pass | sources | closures 382; kit 429
a block that queues itself, a pass | self | closures 1112; contexts 1033; kit 1407
the same, with a captured value | value | closures 1492; contexts 1033; kit 1818
a source signalled and run | once | closures 1047; contexts 1036; kit 1154
a source that signals itself, a pass | hot | closures 750; contexts 724
a timer removed and one added | churn | closures 1900; contexts 1542; kit 3310
a due timer made, added, fired and gone | due | closures 3612; contexts 2935; kit 5131
the same, kept by its maker: made, added and gone | made | closures 2194; contexts 1915; kit 3479
the same, kept by its maker: fired | fired | closures 1100; contexts 827; kit 1282
a timer moved | move | closures 331; kit 380
a tick of a repeating timer | ticks | closures 2470; contexts 2319; kit 2589
"""
KIT = """
a closure for another thread | perform | allocations 3; instructions 4200; all system calls 0
the same, waited for | wait | allocations 6; instructions 12000; all system calls 5
a message of a port | message | allocations 1; all system calls 3
a request to the port of another thread, and its answer | request | allocations 2; all system calls 7
a tick of RLTimer.fires, main actor | fires | allocations 2; all system calls 6
a tick of a repeating timer | ticks | all system calls 2
a due timer made, added, fired and gone | due | all system calls 0
an event of a stream | event | all system calls 0
an echo by a connection of a listener, with its client | echo | allocations 0; all system calls 6
the same, awaited by an actor of the loop | echo-awaited | all system calls 7
a notification to one observer | notify | instructions 940; allocations 0
the same, one of a hundred names | names | instructions 1200
the same, one of a thousand objects | objects | instructions 1400
a perform after a delay | delay | instructions 10400; allocations 4
an object marked, a pass that commits it | commit | instructions 9900; allocations 2
a notification enqueued, a pass that posts it | enqueue | instructions 16500; allocations 4
"""
# Events for an actor of a loop's thread. A block of the loop sends it, which takes a write, or makes a connection,
# which takes three system calls.
AWAITED = """
a tick of RLTimer.fires | fires | instructions 8300; allocations 2; all system calls 2
a line of a stream | lines | instructions 11700; allocations 3; all system calls 4
a chunk of a stream | chunks | instructions 10900; allocations 4; all system calls 4
a descriptor that is ready, and its read | descriptors | instructions 8400; allocations 2; all system calls 4
a connection accepted and closed | accepts | instructions 17600; allocations 9; all system calls 6
a message of a port | messages | instructions 12100; allocations 3; all system calls 3
"""
# One of sixteen thousand may cost twice the instructions of one of a thousand.
GROWTH = """
delayed performs | delayed
delayed performs, cancelled one by one | cancelled
ordered performs, every other one cancelled | ordered
notifications, each enqueued twice and posted once | merged
performs in two modes by turns, and in both | modes
performs that are waited for, beside as many of another mode | beside
"""
APP = """
an empty pass | sources
a block that queues itself | self
a due timer: made, added, fired and released | due
a tick of a repeating timer | ticks
the same, as an element of `RLTimer.fires` | fires
a delayed perform that is due | delay
a closure for a busy thread | perform
the same, and a wait until it has run | wait
a message to a port of the same thread | message
a request to another thread, and its reply | request
an echo of 64 bytes over TCP, both ends | echo
the same, by 64 connections in turn | echoes
a notification to one observer | notify
the same, with 100 observed names | names
the same, with 1,000 observed objects | objects
a notification enqueued and posted | enqueue
an object marked and committed | commit
"""


def rows(table):
    return [[cell.strip() for cell in line.split("|")] for line in table.strip().split("\n")]


def limits(text):
    """Parses `tool limit [limit]; ...` into tools and their limits."""
    return [(match[1].strip(), [float(most) for most in match[2].split()]) for match in re.finditer(r"([a-z ]*[a-z]) ([\d. ]+)", text)]


# --- Tools ---------------------------------------------------------------------------------------


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout


def number(pattern, text):
    return int(re.search(pattern, text, re.M)[1].replace(",", ""))


def instructions(*command, flags=()):
    text = output("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *flags, *command)
    return number(r"Collected *: *(\d+)", text)


def running_instructions(*command):
    """The instructions of loops while they run."""
    functions = ["RLRunLoopRunInMode", "RLRunLoopRunUnlessEmpty"]
    return instructions(*command, flags=[f"--toggle-collect={name}" for name in functions])


def allocations(*command):
    return number(r"^(\d+) allocations$", output("env", f"LD_PRELOAD={FOLDER}/allocations.so", *command))


def heap_bytes(*command):
    """The bytes of the heap as the C library counts them, with an overhead of at least eight for each block."""
    return number(r"^(\d+) bytes$", output(*command))


def all_system_calls(*command, without=()):
    with tempfile.NamedTemporaryFile(dir=FOLDER) as file:
        output("strace", "-f", "-c", "-U", "calls,name", "-S", "calls", "-o", file.name, *command)
        counts = re.findall(r"^ *(\d+) (\w+)$", file.read().decode(), re.M)
    return sum(int(count) for count, name in counts if name not in {"total", *without})


def system_calls(*command):
    """The system calls except futex and sched_yield, whose number varies."""
    return all_system_calls(*command, without={"futex", "sched_yield"})


TOOLS = {
    "instructions": instructions, "allocations": allocations, "bytes": heap_bytes, "system calls": system_calls,
    "all system calls": all_system_calls,
}


def cost(tool, program, *words):
    return (tool(program, "2000", *words) - tool(program, "1000", *words)) / 1000


def least_cost(most, *arguments):
    """On a busy machine threads may wait for each other more often: counts again above the limit."""
    for _ in range(10):
        count = cost(*arguments)
        if round(count, 3) <= most:
            break
    return count


# --- Programs ------------------------------------------------------------------------------------


def build_counter():
    """Builds the library that counts allocations."""
    subprocess.run(["bash", "-euo", "pipefail", "-c", f"""
        source .ci/toolchain
        "$compiler" "${{warnings[@]}}" -O2 -shared -fPIC Tests/Costs/allocations.c -o {FOLDER}/allocations.so"""], check=True)


def build_c():
    """Builds the program in C with the toolchain's compiler, without debug information: see `build_swift`."""
    subprocess.run(["bash", "-euo", "pipefail", "-c", f"""
        source .ci/toolchain
        compile {FOLDER}/plain "${{engine_flags[@]}}" "${{harness_flags[@]}}" "${{test_warnings[@]}}" -O2 -g0 -- \\
            "${{engine_sources[@]}}" Tests/Costs/{{costs,crowds,exchanges}}.c "${{harness_sources[@]}}"
        link_program {FOLDER}/costs {FOLDER}/plain/*.o"""], check=True, stdout=sys.stderr)
    return f"{FOLDER}/costs"


def build_swift(product, *flags):
    """Builds a program for release, without the debug information, which older versions of valgrind cannot read."""
    build = ["swift", "build", "-c", "release", *flags]
    subprocess.run([*build, "--product", product], check=True, stdout=sys.stderr)
    folder = subprocess.run([*build, "--show-bin-path"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    subprocess.run(["strip", "--strip-debug", "-o", f"{FOLDER}/{product}", f"{folder}/{product}"], check=True)
    return f"{FOLDER}/{product}"


# --- Checks --------------------------------------------------------------------------------------


class Checks:
    """Costs with their limits: counted on all processors, printed in order."""

    def __init__(self):
        self.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        self.checks = []

    def add(self, name, kind, most, *arguments):
        """Counts at once if the count does not depend on other processes, otherwise at the end and alone."""
        is_alone = "system calls" in kind or arguments[-1] in ("perform", "wait")
        count = None if is_alone else self.pool.submit(cost, *arguments)
        self.checks.append((name, kind, most, count, arguments))

    def judge(self, is_rounded=False):
        self.pool.shutdown()
        # On one processor, threads wait for each other equally often in each run.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
        failures = []
        print(f"{'one of':60} {'':22} {'costs':>10} {'at most':>10}")
        for name, kind, most, count, arguments in self.checks:
            count = count.result() if count else least_cost(most + (0.499 if is_rounded else 0), *arguments)
            count = round(count) if is_rounded else round(count, 3)
            print(f"{name:60} {kind:22} {count:10g} {most:10g}", flush=True)
            if count > most:
                failures.append(f"{name}: too many {kind}")
        print("\n".join(failures), end="\n" if failures else "", file=sys.stderr)
        print(f"{len(self.checks) - len(failures)} passed, {len(failures)} failed")
        return 1 if failures else 0


def count_engine():
    program = build_c()
    checks = Checks()
    for name, what, counts, text in rows(ENGINE):
        for tool, most in limits(text):
            for index, count in enumerate(counts.split()):
                checks.add(name.format(count), tool, most[min(index, len(most) - 1)], TOOLS[tool], program, what, count)
    return checks.judge()


def layer_cost(tool, program, *words):
    """The cost of an operation; for retained timers, firing while the loop runs, or creation and release without it."""
    *before, what = words
    kept = [*before, "kept"]
    if what == "fired":
        return cost(running_instructions, program, *kept)
    if what == "made":
        return cost(tool, program, *kept) - cost(running_instructions, program, *kept)
    return cost(tool, program, *words)


def growth(program, what):
    """The instructions of one of sixteen thousand, in hundredths of those of one of a thousand."""
    nothing, few, many = [instructions(program, count, "growth", what) for count in ("0", "1000", "16000")]
    return -(-100 * ((many - nothing) // 16000) // ((few - nothing) // 1000))


def count_swift():
    program = build_swift("swift-costs")
    checks = Checks()
    for name, what, text in rows(LAYERS):
        for layer, (most,) in limits(text):
            count = checks.pool.submit(layer_cost, instructions, program, layer, what)
            checks.checks.append((f"{name}, {layer}", "instructions", most, count, ()))
    for name, what, text in rows(KIT):
        for tool, (most,) in limits(text):
            checks.add(name, tool, most, TOOLS[tool], program, "kit", what)
    for name, what, text in rows(AWAITED):
        for tool, (most,) in limits(text):
            checks.add(f"{name}, awaited", tool, most, TOOLS[tool], program, "actor", what)
    for name, what in rows(GROWTH):
        count = checks.pool.submit(growth, program, what)
        checks.checks.append((name, "percent of a thousand", 200, count, ()))
    return checks.judge(is_rounded=True)


# --- The table of the page -----------------------------------------------------------------------


def cell(program, layer, what):
    if subprocess.run([program, "1", layer, what], capture_output=True).returncode != 0:
        return "–"
    counts = [cost(TOOLS[tool], program, layer, what) for tool in ("instructions", "allocations", "all system calls")]
    return f"{round(counts[0], -2):,.0f} / {counts[1]:.0f} / {counts[2]:.0f}"


def write_table(command, names, our_layers, peers):
    """Writes a table of the page, with a column for each of the named layers of two programs."""
    ours, theirs = build_swift("swift-costs"), build_swift("app", "--package-path", PEERS)
    layers = {**dict.fromkeys(our_layers, ours), **dict.fromkeys(peers, theirs)}
    lines = [f"| operation | {' | '.join([*our_layers.values(), *peers.values()])} |", "|---" * (len(layers) + 1) + "|"]
    for name, what, *_ in names:
        lines.append(f"| {name} | {' | '.join(cell(program, layer, what) for layer, program in layers.items())} |")
        print(lines[-1], flush=True)
    begin = BEGIN.format(command)
    before, rest = PAGE.read_text().split(begin)
    PAGE.write_text(before + begin + "\n".join(lines) + "\n" + END + rest.split(END, 1)[1])


def count_app():
    peers = {"foundation": "Foundation", "dispatch": "Dispatch", "nio": "SwiftNIO"}
    write_table("app", rows(APP), {"kit": "RunLoopKit"}, peers)


def count_awaited():
    peers = {"dispatch-streams": "`AsyncStream` of Dispatch", "nio-channels": "`NIOAsyncChannel`"}
    names = [*rows(AWAITED), ("an echo of 64 bytes over TCP", "echoes")]
    write_table("awaited", names, {"actor": "an actor of the loop", "main": "the main actor"}, peers)


COMMANDS = {"engine": count_engine, "swift": count_swift, "app": count_app, "awaited": count_awaited}

if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    if len(sys.argv) != 2 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    os.makedirs(FOLDER, exist_ok=True)
    build_counter()
    sys.exit(COMMANDS[sys.argv[1]]())
