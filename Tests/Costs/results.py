#!/usr/bin/env -S python3 -B
"""Runs the benchmarks, and writes Tests/Costs/Benchmarks/RESULTS.md and the figures of Docs/Performance.md; and the README's.

usage: Tests/Costs/results.py run     measures, for an hour, on a quiet machine; needs the network, for SwiftNIO
       Tests/Costs/results.py echo    measures five small echo servers, and writes the README's table
       Tests/Costs/results.py page    writes the page's figures out of RESULTS.md
       Tests/Costs/results.py check   fails if the page or the README has others
"""

import datetime
import os
import platform
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time

PACKAGE = "Tests/Costs/Benchmarks"
RESULTS = f"{PACKAGE}/RESULTS.md"
PAGE = "Docs/Performance.md"
BEGIN, END = "<!-- Tests/Costs/results.py writes this -->\n", "<!-- written so far -->\n"

# The page's columns, and its rows with their name and size in the file.
SERVED = ["RLSocket", "version 2", "RLReadStream", "RLInputStream"]
ECHO, GUEST = "echo of 64 B: processor time", "connection that comes and goes: processor time"
REQUEST = "request and reply between processes: processor time"
TABLES = [
    (
        ["floor", "ours", "CF", "Foundation", "NIO", "ours / best peer"],
        [
            ("wake a thread and be woken, one processor", "wake round trip, one core, p50", "1"),
            ("signal one of 10,000 sources and run", "signal and run once", "10,000"),
            ("a pass that finds nothing", "empty poll pass", "1"),
            ("fire one of 100,000 timers", "fire a due timer", "100,000"),
            ("replace one of 100,000 timers", "churn one of the timers", "100,000"),
            ("a closure from one of 4 threads", "closures posted by threads", "4"),
        ],
    ),
    (
        ["floor", "libuv", "CFSocket", "SwiftNIO", *SERVED],
        [
            ("echo of 64 B, 100 connections", ECHO, "100"),
            ("echo of 64 B, 10,000 connections", ECHO, "10,000"),
            ("a connection that comes and goes", GUEST, "100"),
        ],
    ),
    (
        ["floor", "ZeroMQ", "RLMessagePort"],
        [
            ("request to another process and reply, 64 B", REQUEST, "64"),
            ("request to another process and reply, 1 MiB", REQUEST, "1,048,576"),
        ],
    ),
    (
        ["libcurl on epoll", "RLHTTPLoopClient", "RLHTTPClient", "AsyncHTTPClient, futures", "URLSession"],
        [("fetch of 1 KiB by HTTP, connection kept", "HTTP fetch, one at a time: processor time", "1,024")],
    ),
]


def read(path):
    with open(path) as file:
        return file.read()


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


def with_part(text, part, number=0):
    """A text with a part in place of the one between the marks."""
    pieces = re.split(f"(?<={BEGIN})(.*?)(?={END})", text, flags=re.S)
    pieces[2 * number + 1] = part
    return "".join(pieces)


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def figures(text):
    """From names and sizes of rows to their cells by column, of all tables of a text."""
    rows, head = {}, []
    for line in text.split("\n"):
        if not line.startswith("|"):
            head = []
        elif not head:
            head = cells(line)
        elif not line.startswith("|---"):
            name, size, *values = cells(line)
            rows[name, size] = dict(zip(head[2:], values))
    return rows


def spread(rows, names):
    """The least and the greatest ratio to the floor of our ways to serve."""
    ratios = [re.search(r"\((.*)\)", rows[name][way]).group(1) for name in names for way in SERVED]
    return f"{min(ratios, key=float)} to {max(ratios, key=float)} times"


def page_part(rows):
    """The tables of the page, and what a reader would compute from them."""
    lines = []
    for columns, names in TABLES:
        lines += [f"| one of | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
        for title, name, size in names:
            row = [rows[name, size][column].removesuffix(" (1.00)" if column == columns[0] else "") for column in columns]
            lines.append(f"| {title} | {' | '.join(row)} |")
        lines.append("")
    few = spread(rows, [(ECHO, size) for size in ["1", "100", "1,000"]])
    lines.append(
        f"Our four ways to serve, on the right, take {few} the floor's processor time with up to 1,000\n"
        f"connections, {spread(rows, [(ECHO, '10,000')])} with 10,000, and {spread(rows, [(GUEST, '100')])} for connections "
        "that come and go."
    )
    return "\n".join(lines) + "\n"


def benchmarks(*arguments):
    command = ["swift", "run", "-c", "release", "--package-path", PACKAGE, "benchmarks", *arguments]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    print(output)
    return re.sub(r"(?<=\| )\d{4,}(?= \|)", lambda size: f"{int(size[0]):,}", output).strip() + "\n"


def measure():
    where = f"{datetime.date.today():%B %Y}, Linux {platform.release().split('-')[0]}, {os.cpu_count()} processors."
    loops = benchmarks("compare", "--brief", "--runs", "3", "--plot", "Docs/Pictures/growth.svg")
    # The first table and the remarks: other tables have the Swift layers alone, and what is off unless asked for.
    table, _, rest = loops.partition("\n\n")
    remarks = "".join(f"\n{line}\n" for line in rest.split("\n") if line.startswith("\\*"))
    programs = benchmarks("programs", "--plot", "Docs/Pictures/echo.svg")
    text = with_part(read(RESULTS), f"{where}\n\n{table}\n{remarks}")
    write(RESULTS, with_part(text, f"{where}\n\n{programs}", 1))


def echo_figures(program):
    """The cells of a server's column: a new process each time, as its start is measured, too."""
    with socket.create_server(("127.0.0.1", 0)) as any_server:
        port = any_server.getsockname()[1]
    server = subprocess.Popen([program, str(port)], stdout=subprocess.DEVNULL)
    processor_clock = ~server.pid << 3 | 2
    for _ in range(1000):
        time.sleep(0.01)
        connection = socket.socket()
        if connection.connect_ex(("127.0.0.1", port)) == 0:
            break
        connection.close()

    def spend(echoes):
        before = time.clock_gettime_ns(processor_clock)
        for _ in range(echoes):
            connection.sendall(bytes(64))
            assert len(connection.recv(64, socket.MSG_WAITALL)) == 64
        return (time.clock_gettime_ns(processor_clock) - before) / 1e6

    spend(1)
    start = time.clock_gettime_ns(processor_clock) / 1e6
    echoes = spend(10_000)
    status = dict(re.findall(r"(\w+):\s+(\d+)", read(f"/proc/{server.pid}/status")))
    libraries = set(re.findall(r"/\S+\.so\S*", read(f"/proc/{server.pid}/maps")))
    connection.close()
    server.send_signal(signal.SIGTERM)
    assert server.wait(10) == 0
    return int(status["Threads"]), int(status["VmRSS"]) / 1024, sum(map(os.path.getsize, libraries)) / 1e6, start, echoes


def link_without_swift(program):
    """SwiftPM links Swift's libraries to programs in C, too."""
    libraries = os.path.join(os.path.dirname(shutil.which("swift")), "../lib/swift/linux")
    paths = [f"-L{libraries}", f"-Wl,-rpath,{os.path.realpath(libraries)}"]
    linked = ["-Wl,--as-needed,--gc-sections", "-ldispatch", "-lBlocksRuntime", "-luv", "-lm"]
    subprocess.run(["clang", f"@{program}.product/Objects.LinkFileList", *paths, *linked, "-o", program], check=True)


def measure_echo():
    programs = []
    for server in ["kit", "engine", "foundation", "nio", "libuv"]:
        build = ["swift", "build", "-c", "release", "--package-path", PACKAGE, "--product", f"echo-{server}"]
        subprocess.run(build, check=True, stdout=sys.stderr)
        programs.append(f"{PACKAGE}/.build/release/echo-{server}")
        if server in ("engine", "libuv"):
            link_without_swift(programs[-1])
    # In turn, so that what else the machine does befalls them all.
    rounds = [[echo_figures(program) for program in programs] for _ in range(9)]
    columns = [[statistics.median(values) for values in zip(*runs)] for runs in zip(*rounds)]
    rows = [
        ("threads", "{:.0f}"),
        ("resident", "{:.1f} MB"),
        ("shared libraries", "{:.0f} MB"),
        ("processor time until the first echo", "{:.0f} ms"),
        ("processor time of 10,000 echoes", "{:.0f} ms"),
    ]
    lines = ["| | `RunLoopKit` | in C | Foundation and Dispatch | SwiftNIO | libuv |", "|---" * 6 + "|"]
    for (title, style), values in zip(rows, zip(*columns)):
        lines.append(f"| {title} | {' | '.join(map(style.format, values))} |")
    write("README.md", with_part(read("README.md"), "\n".join(lines) + "\n"))


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    if sys.argv[1:] not in (["run"], ["echo"], ["page"], ["check"]):
        print(__doc__)
        return 2
    if sys.argv[1] == "echo":
        measure_echo()
        return 0
    if sys.argv[1] == "run":
        measure()
    page = read(PAGE)
    part = page_part(figures(read(RESULTS)))
    if sys.argv[1] != "check":
        write(PAGE, with_part(page, part))
    elif page != with_part(page, part):
        sys.exit(f"{PAGE}: not the figures of {RESULTS}: Tests/Costs/results.py page")
    for ratio in re.findall(r"[\d.]+ to [\d.]+\s+times", read("README.md")):
        if " ".join(ratio.split()) not in part:
            sys.exit(f"README.md: {ratio} does not stand in {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
