#!/usr/bin/env -S python3 -B
"""Runs the benchmarks, and writes Tests/Costs/Benchmarks/RESULTS.md and the figures of Docs/Performance.md; and the README's.

usage: Tests/Costs/results.py run [TITLE]   measures, for an hour, on a quiet machine; with a title only its rows
       Tests/Costs/results.py echo          measures four small echo servers, and writes the README's table
       Tests/Costs/results.py page          writes the page's figures and picture out of RESULTS.md
       Tests/Costs/results.py check         fails if the page, its picture or the README has others
"""

import datetime
import math
import os
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

PACKAGE = "Tests/Costs/Benchmarks"
RESULTS = Path(PACKAGE, "RESULTS.md")
PAGE, PICTURE, README = Path("Docs/Performance.md"), Path("Docs/Pictures/echo.svg"), Path("README.md")
BEGIN, END = "<!-- Tests/Costs/results.py writes this -->\n", "<!-- written so far -->\n"

# The page's columns, and its rows with their names and sizes in the file.
SERVED = ["RLSocket", "version 2", "RLReadStream", "RLInputStream"]
ECHO, GUEST = "echo of 64 B: processor time", "connection that comes and goes: processor time"
TABLES = [
    (
        ["floor", "ours", "CF", "ours / best peer"],
        [
            ("wake-up of a thread and back, one processor", "wake round trip, one core, p50", "1"),
            ("signal one of 10,000 sources and run its callback", "signal and run once", "10,000"),
            ("a pass without events", "empty poll pass", "1"),
            ("fire one of 100,000 timers", "fire a due timer", "100,000"),
            ("replace one of 100,000 timers", "churn one of the timers", "100,000"),
            ("a closure from one of 4 threads", "closures posted by threads", "4"),
        ],
    ),
    (
        ["floor", "libuv", "CFSocket", *SERVED],
        [
            ("echo of 64 B, 100 connections", ECHO, "100"),
            ("echo of 64 B, 10,000 connections", ECHO, "10,000"),
            ("a connection, accepted and closed", GUEST, "100"),
        ],
    ),
    (
        ["libcurl on epoll", "RLHTTPLoopClient", "RLHTTPClient"],
        [("HTTP request of 1 KiB, kept-alive connection", "HTTP fetch, one at a time: processor time", "1,024")],
    ),
]


def with_part(text, part, number=0):
    """Replaces the part of a text between two marks."""
    pieces = re.split(f"(?<={BEGIN})(.*?)(?={END})", text, flags=re.S)
    pieces[2 * number + 1] = part
    return "".join(pieces)


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def figures(text):
    """Maps the names and sizes of rows to their cells by column, for all tables of a text."""
    rows, head = {}, []
    for line in text.split("\n"):
        if not line.startswith("|"):
            head = []
        elif not head:
            head = cells(line)
        elif not line.startswith(("|---", "| ---")):
            name, size, *values = cells(line)
            rows[name, size] = dict(zip(head[2:], values))
    return rows


def spread(rows, names):
    """The least and the greatest ratio of our variants to the floor."""
    ratios = [re.search(r"\((.*)\)", rows[name][way]).group(1) for name in names for way in SERVED]
    return f"{min(ratios, key=float)} to {max(ratios, key=float)} times"


def page_part(rows):
    """The tables of the page, and the ratios in its text."""
    lines = []
    for columns, names in TABLES:
        lines += [f"| operation | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
        for title, name, size in names:
            row = [rows[name, size][column].removesuffix(" (1.00)" if column == columns[0] else "") for column in columns]
            lines.append(f"| {title} | {' | '.join(row)} |")
        lines.append("")
    few = spread(rows, [(ECHO, size) for size in ["100", "1,000"]])
    lines.append(
        f"Our servers, the last four columns of the second table, take {few} the floor's processor\n"
        f"time with 100 to 1,000 connections, {spread(rows, [(ECHO, '10,000')])} with 10,000, and {spread(rows, [(GUEST, '100')])} to\n"
        "accept and close a connection."
    )
    return "\n".join(lines) + "\n"


# --- Measuring -----------------------------------------------------------------------------------

PEERS = ["GLib", "libuv", "libev", "libevent", "sd-event"]
# Runs of loops and of programs.
RUNS, PATIENCE = (3, 9), 20


def run_once(title, way, size):
    """The figures of a run in a process of its own; None if it does not end in time."""
    command = [f"{PACKAGE}/.build/release/measure", title.replace(" µs", " us"), way, str(size)]
    try:
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=PATIENCE).stdout
    except subprocess.TimeoutExpired:
        return None
    return [float(figure) for figure in output.split()]


def medians(title, ways, size, late):
    """Maps each variant to the medians of its figures. The variants alternate, and each run begins with another one."""
    runs = {way: [] for way in ways}
    for turn in range(RUNS["ours" not in ways]):
        for way in ways[turn % len(ways):] + ways[:turn % len(ways)]:
            figures = None if (title, way) in late else run_once(title, way, size)
            if figures is None:
                late.add((title, way))
            else:
                runs[way].append(figures)
    return {way: [statistics.median(values) for values in zip(*figures)] for way, figures in runs.items()}


def written(value, unit):
    for least, name in ((1e9, "s"), (1e6, "ms"), (1e3, "µs")):
        if unit == "ns" and value >= least:
            value, unit = value / least, name
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}".strip()


def ratio(value, base):
    return f"{value / base:.2f}" if value is not None and base else "–"


def rows_of(title, names, units, ways, size, found, late):
    """The lines of a benchmark at a size: with ratios in columns of their own for loops, otherwise in brackets."""
    for index, (name, unit) in enumerate(zip(names, units * len(names))):
        values = {way: found[way][index] for way in ways if len(found[way]) > index and found[way][index] == found[way][index]}
        if not values:
            continue
        if "ours" in ways:
            head, columns = f"{title}, {name}" if name else title, ["floor", "ours", "CF"]
            texts = [written(values[way], unit) if way in values else "– *" if (title, way) in late else "–" for way in columns]
            best = min((way for way in PEERS if way in values), key=values.get, default=None)
            ours, of_best = values.get("ours"), f" ({best})" if best else ""
            texts += [ratio(ours, values.get("CF")), ratio(ours, values.get(best)) + of_best, ratio(ours, values.get("floor"))]
        else:
            head = f"{title}: {name}"
            texts = [f"{written(values[way], unit)} ({ratio(values[way], values.get(ways[0]))})" if way in values else "–" for way in ways]
        yield f"| {head} | {size:,} | {' | '.join(texts)} |"


def measure(wanted):
    """The tables of loops and of programs, of the benchmarks whose titles contain the given words."""
    subprocess.run(["swift", "build", "-c", "release", "--package-path", PACKAGE, "--product", "measure"], check=True)
    listing = subprocess.run([f"{PACKAGE}/.build/release/measure", "list"], check=True, stdout=subprocess.PIPE, text=True).stdout
    tables, columns, late = [[], []], None, set()
    for line in listing.splitlines():
        title, *parts = line.replace(" us", " µs").split("\t")
        names, units, ways = [parts[index].split(";") for index in (0, 1, 3)]
        sizes = [int(size) for size in parts[2].split()]
        table = tables["ours" not in ways]
        if wanted not in title:
            continue
        if ways != columns:
            shown = ["floor", "ours", "CF", "ours / CF", "ours / best peer", "ours / floor"] if "ours" in ways else ways
            table += ["", f"| what | size | {' | '.join(shown)} |", "|---" * (len(shown) + 2) + "|"]
            columns = ways
        for size in sizes:
            if "ours" not in ways or size in (1, 100_000, sizes[-1]):
                lines = list(rows_of(title, names, units, ways, size, medians(title, ways, size, late), late))
                print("\n".join(lines), flush=True)
                table += lines
    return ["\n".join(table).strip() + "\n" for table in tables]


def measure_some(wanted):
    """Replaces the rows with a title in the file."""
    text = RESULTS.read_text()
    for row in "\n".join(measure(wanted)).split("\n"):
        key = re.match(r"\| \S[^|]* \| [\d,]+ \| ", row)
        if key:
            text = re.sub(f"^{re.escape(key.group())}.*$", lambda _: row, text, flags=re.M)
    RESULTS.write_text(text)


def measure_all():
    where = f"{datetime.date.today():%B %Y}, {os.cpu_count()} processors."
    loops, programs = measure("")
    text = with_part(RESULTS.read_text(), f"{where}\n\n{loops}")
    RESULTS.write_text(with_part(text, f"{where}\n\n{programs}", 1))


# --- The picture ---------------------------------------------------------------------------------

COLORS = {"floor": "#888", "libuv": "#e69f00", "CFSocket": "#0072b2", "RLSocket": "#d62728", "version 2": "#009e73"}
COLORS |= {"RLReadStream": "#cc79a7", "RLInputStream": "#56b4e9"}
SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 450 320" font-family="sans-serif" font-size="12">
<style>
.paper{{fill:#fff}}text:not([fill]){{fill:#1b1f24}}.grid{{stroke:#ddd}}
@media (prefers-color-scheme:dark){{.paper{{fill:#14181d}}text:not([fill]){{fill:#dfe5ea}}.grid{{stroke:#39414a}}}}
</style>
<rect width="100%" height="100%" class="paper"/>
<text x="62" y="20" font-weight="bold">echo of 64 B: processor time, by connections</text>
{}
</svg>
"""


def picture(rows):
    """The processor time of echoes by the number of connections, on logarithmic scales."""
    sizes, parts, lowest = ["1", "100", "1,000", "10,000"], [], 0
    across = {size: 62 + 67.5 * math.log10(float(size.replace(",", ""))) for size in sizes}
    # Microseconds by variant; a variant has none at a size that it does not finish.
    times = {way: [float(cell.split()[0]) for size in sizes if (cell := rows[ECHO, size][way]) != "–"] for way in COLORS}
    least, most = (edge(map(edge, times.values())) for edge in (min, max))

    def down(microseconds):
        return 270 - 230 * math.log(microseconds / least) / math.log(most / least)

    for value in (2, 5, 10, 20, 50, 100, 200):
        if least <= value <= most:
            y = down(value)
            parts.append(f'<line x1="62" x2="332" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
            parts.append(f'<text x="56" y="{y + 4:.1f}" text-anchor="end">{value} µs</text>')
    parts += [f'<text x="{x:.1f}" y="304" text-anchor="middle">{size}</text>' for size, x in across.items()]
    lines = {way: list(zip(across.values(), map(down, values))) for way, values in times.items()}
    for way, points in sorted(lines.items(), key=lambda line: line[1][-1][1]):
        x, y = points[-1]
        lowest = max(y, lowest + 13)
        width = 3 if way == "RLSocket" else 1.8
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{COLORS[way]}" stroke-width="{width}"/>')
        parts.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="342" y2="{lowest:.1f}" stroke="{COLORS[way]}"/>')
        parts.append(f'<text x="346" y="{lowest + 4:.1f}" fill="{COLORS[way]}">{way}</text>')
    return SVG.format("\n".join(parts))


def echo_figures(program):
    """The cells of a server's column: a new process each time, as its start is measured, too."""
    with socket.create_server(("127.0.0.1", 0)) as any_server:
        port = any_server.getsockname()[1]
    server = subprocess.Popen([program, str(port)], stdout=subprocess.DEVNULL)
    processor_clock = ~server.pid << 3 | 2
    for _ in range(1000):
        # Servers of other libraries report nothing when they listen.
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
    status = dict(re.findall(r"(\w+):\s+(\d+)", Path(f"/proc/{server.pid}/status").read_text()))
    libraries = set(re.findall(r"/\S+\.so\S*", Path(f"/proc/{server.pid}/maps").read_text()))
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
    for server in ["kit", "engine", "foundation", "libuv"]:
        build = ["swift", "build", "-c", "release", "--package-path", PACKAGE, "--product", f"echo-{server}"]
        subprocess.run(build, check=True, stdout=sys.stderr)
        programs.append(f"{PACKAGE}/.build/release/echo-{server}")
        if server in ("engine", "libuv"):
            link_without_swift(programs[-1])
    # Alternating, so that other load affects all programs alike.
    rounds = [[echo_figures(program) for program in programs] for _ in range(9)]
    columns = [[statistics.median(values) for values in zip(*runs)] for runs in zip(*rounds)]
    rows = [
        ("threads", "{:.0f}"),
        ("resident", "{:.1f} MB"),
        ("shared libraries", "{:.0f} MB"),
        ("processor time until the first echo", "{:.0f} ms"),
        ("processor time of 10,000 echoes", "{:.0f} ms"),
    ]
    lines = ["| | `RunLoopKit` | in C | Foundation and Dispatch | libuv |", "|---" * 5 + "|"]
    for (title, style), values in zip(rows, zip(*columns)):
        lines.append(f"| {title} | {' | '.join(map(style.format, values))} |")
    README.write_text(with_part(README.read_text(), "\n".join(lines) + "\n"))


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    command, *arguments = sys.argv[1:] or [""]
    if command not in ("run", "echo", "page", "check") or len(arguments) > (command == "run"):
        sys.exit(__doc__)
    if command == "echo":
        return measure_echo()
    if command == "run":
        measure_some(arguments[0]) if arguments else measure_all()
    rows, page = figures(RESULTS.read_text()), PAGE.read_text()
    part = page_part(rows)
    if command != "check":
        PAGE.write_text(with_part(page, part))
        return PICTURE.write_text(picture(rows))
    if page != with_part(page, part) or PICTURE.read_text() != picture(rows):
        sys.exit(f"{PAGE}: not the figures of {RESULTS}: Tests/Costs/results.py page")
    for ratio in re.findall(r"[\d.]+ to [\d.]+\s+times", README.read_text()):
        if " ".join(ratio.split()) not in part:
            sys.exit(f"README.md: {ratio} does not stand in {PAGE}")


if __name__ == "__main__":
    main()
