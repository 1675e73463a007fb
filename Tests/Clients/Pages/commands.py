#!/usr/bin/env -S python3 -B
"""Runs the commands that README.md, Docs/Start.md and Docs/InC.md show, as they stand there.

usage: Tests/Clients/Pages/commands.py

A command is a block of `sh`, or a piece of code in the text that begins as one of COMMAND does. Each has a row in
RUNS, which states how it runs here; one without a row fails, and so does a row whose command is gone. They run beside
a link to the clone, with stand-ins for what would change the machine: `sudo` runs its command, `ldconfig` nothing,
and DESTDIR takes what is installed. Those that take long are run by other stages, which are looked for their words.
"""

import os
import pty
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.ci"))

from reading import target_information  # noqa: E402

FOLDER = os.path.abspath(".build-commands")
ROOT = os.path.abspath(".")
PAGES = ["README.md", "Docs/Start.md", "Docs/InC.md"]
COMMAND = re.compile(r"(swift|cmake|cpack|gcc|clang|sudo|\.ci/run|[\w./]+/bootstrap\.sh)( |$)")
TICKS = "2 to go\n1 to go\n0 to go\n"
LIBRARY = f"{FOLDER}/installed/usr/local/lib"
PROCESS = "4711"


def commands(text):
    """The commands of a page, in their order."""
    parts = re.split(r"^```(\w*)\n(.*?)^```$", text, flags=re.M | re.S)
    for at in range(0, len(parts), 3):
        for code in re.findall(r"`([^`]+)`", parts[at]):
            code = " ".join(code.split())
            # A name alone, in a sentence, is none.
            if COMMAND.match(code) and code not in ("swift", "cmake", "gcc", "clang", ".ci/run"):
                yield code
        if at + 2 < len(parts) and parts[at + 1] == "sh":
            yield parts[at + 2]


def program(page, heading):
    """The program in C below a heading."""
    with open(page) as file:
        section = file.read().split(f"\n## {heading}\n")[1]
    return re.search(r"^```c\n(.*?)^```$", section, re.M | re.S).group(1)


def shell(command, folder=None, more="", **environment):
    """What a command prints, run as a user would who has what it rests on."""
    toolchain = os.path.dirname(os.path.dirname(target_information()["paths"]["runtimeResourcePath"]))
    inherited = {name: value for name, value in os.environ.items() if name != "RL_STRICT"}
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command + more], cwd=folder or f"{FOLDER}/clone", text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=1800,
        env=inherited | {
            "PATH": f"{FOLDER}/bin:" + os.environ["PATH"], "HOME": f"{FOLDER}/home", "T": toolchain,
            "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count()), "CMAKE_BUILD_TYPE": "Debug",
        } | environment,
    )
    if result.returncode != 0:
        sys.exit(f"commands: ended with {result.returncode}: {command}\n{result.stdout[-4000:]}")
    return result.stdout


# --- How each runs -------------------------------------------------------------------------------


def prints(words, **how):
    """It runs, and its output has the words."""

    def check(command):
        output = shell(command, **how)
        if words not in output:
            sys.exit(f"commands: no `{words}` in what this prints: {command}\n{output[-4000:]}")

    return check


def elsewhere(path, words):
    """Another stage runs it, by these words of a file."""

    def check(command):
        with open(path) as file:
            if words not in file.read():
                sys.exit(f"commands: {path} has no `{words}` any more, by which this ran: {command}")

    return check


def look_into(command):
    """Lists processes, and shows one of them on a terminal until a key ends that."""
    inspected = subprocess.Popen(
        ["swift", "run", "diagnostics-probe", "inspected"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env=os.environ | {"RUNLOOP_INSPECT": "1"},
    )
    inspected.stdout.readline()
    number, terminal = pty.fork()
    if number == 0:
        os.execvp("bash", ["bash", "-euc", command.replace(PROCESS, str(inspected.pid))])
    signal.alarm(1200)
    seen, has_asked = b"", False
    while bytes_read := read_terminal(terminal):
        seen += bytes_read
        # The screen's heading comes after the list.
        if not has_asked and b"LOOP" in seen:
            os.write(terminal, b"q")
            has_asked = True
    status = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
    signal.alarm(0)
    inspected.stdin.close()
    inspected.wait()
    if status != 0 or not has_asked or str(inspected.pid).encode() not in seen:
        sys.exit(f"commands: ended with {status}: {command}\n{seen.decode()[-4000:]}")


def read_terminal(terminal):
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


RUNS = {
    "CSupport/bootstrap.sh && swift run countdown": elsewhere(".ci/run", 'readme_command "swift run countdown"'),
    "swift run runloop demo": elsewhere(".ci/run", 'readme_command "swift run runloop demo"'),
    "CSupport/bootstrap.sh --tests && swift test": elsewhere(".ci/run", 'readme_command "swift test"'),
    "swift run runloop dump": prints("statistics of the loop", folder=ROOT),
    "swift run -c release runloop bench": prints(
        "looking first", folder=ROOT, more=" --runs 1 --largest 100", RL_PART="release", RL_STRICT="1"
    ),
    "swift run runloop list": look_into,
    ".ci/run docs": elsewhere(".ci/run", "demo docs commands"),
    "CSupport/bootstrap.sh": prints(""),
    "../CoreRunLoop/CSupport/bootstrap.sh": prints("", folder=f"{FOLDER}/beside"),
    "cmake -S CSupport -B build && cmake --build build && sudo": prints(
        TICKS, more="./program", PKG_CONFIG_PATH=f"{LIBRARY}/pkgconfig", LD_LIBRARY_PATH=LIBRARY,
        DESTDIR=f"{FOLDER}/installed",
    ),
    "cpack -G DEB": elsewhere("Tests/Clients/Packaging/run.sh", "cpack -G DEB"),
    "clang -std=gnu17": prints(TICKS, more="./program"),
    "T=$(dirname": prints(TICKS),
    "swift run": elsewhere("Tests/Clients/Packaging/dependent.sh", "swift build"),
    "swift -print-target-info": prints("runtimeResourcePath"),
}


# --- The program ---------------------------------------------------------------------------------


def set_up():
    shutil.rmtree(FOLDER, ignore_errors=True)
    for name in ["bin", "home", "clone", "beside"]:
        os.makedirs(f"{FOLDER}/{name}")
    for name, does in [("sudo", 'exec "$@"'), ("ldconfig", "exit 0")]:
        with open(f"{FOLDER}/bin/{name}", "w") as file:
            file.write(f"#!/bin/sh\n{does}\n")
        os.chmod(f"{FOLDER}/bin/{name}", 0o755)
    os.symlink(ROOT, f"{FOLDER}/CoreRunLoop")
    os.symlink(f"{ROOT}/CSupport", f"{FOLDER}/clone/CSupport")
    for name, text in [
        ("program", program("README.md", "In C")), ("countdown", program("Docs/Start.md", "C, written for CFRunLoop")),
    ]:
        with open(f"{FOLDER}/clone/{name}.c", "w") as file:
            file.write(text)


def main():
    if len(sys.argv) != 1:
        print(__doc__)
        return 2
    set_up()
    shown = {}
    for page in PAGES:
        with open(page) as file:
            for command in commands(file.read()):
                shown.setdefault(command, page)
    rows = {command: max((row for row in RUNS if is_row(row, command)), default="", key=len) for command in shown}
    for command, page in shown.items():
        if not rows[command]:
            sys.exit(f"commands: {page}: this has no row in RUNS: {command}")
    if unused := RUNS.keys() - set(rows.values()):
        sys.exit(f"commands: no page shows {', '.join(unused)}")
    for command in shown:
        print(f"commands: {command.rstrip()}", flush=True)
        shutil.rmtree(f"{FOLDER}/clone/build", ignore_errors=True)
        RUNS[rows[command]](command)
    print(f"{len(shown)} passed, 0 failed")
    return 0


def is_row(row, command):
    """A piece of code in the text is its row; a block begins with it."""
    return command.startswith(row) if command.endswith("\n") else command == row


if __name__ == "__main__":
    sys.exit(main())
