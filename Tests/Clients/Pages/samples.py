#!/usr/bin/env -S python3 -B
"""Compiles the code of all pages and comments, and runs the Swift of the pages.

usage: Tests/Clients/Pages/samples.py BUILD FLAG...    BUILD is the folder of a build, FLAG goes to the Swift compiler

Every piece of Swift in the pages, catalogs and comments must compile, and every piece of C in the pages; a piece with
lines `// error: text` must fail with these texts. Comments above a piece of a page add to it: `<!-- with` code `-->`
declares what the piece takes from its surroundings, `<!-- then` code `-->` uses its functions and types. A piece with
`<!-- not compiled: reason -->` is left out.

Each piece of Swift runs in a process of its own, and then the main loop for a moment; `<!-- awaits -->` marks a piece
that awaits outside of a task, `<!-- not run: reason -->` a piece that cannot run here. A server answers `http`
requests to every host, and the arguments of the process are addresses there.
"""

import concurrent.futures
import dataclasses
import glob
import http.server
import os
import re
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.ci"))

from reading import INCLUDE, MODULES, catalog, import_flags, read, toolchain  # noqa: E402

FOLDER = ".build-samples"
CONTEXT = "Tests/Clients/Pages/surroundings.swift"
GUIDES = ["README.md", *sorted(glob.glob("Docs/**/*.md", recursive=True))]


# --- The pieces ----------------------------------------------------------------------------------


@dataclasses.dataclass
class Piece:
    """Code of a page, and the contents of the comments above it by their first words."""

    path: str
    line: int
    code: str
    notes: dict

    @property
    def name(self):
        return re.sub(r"\W", "_", os.path.basename(self.path)[:-3]) + f"_{self.line}"

    @property
    def errors(self):
        return re.findall(r"^// error: (.*)$", self.code, re.M)

    @property
    def is_run(self):
        return "not run:" not in self.notes and not self.errors


def pieces(language, paths):
    """The pieces of code in a language that are compiled."""
    comment = r"^<!-- (with\n|then\n|not compiled: |not run: |awaits )((?:(?!-->).)*)-->\n+"
    for path in paths:
        text = read(path)
        for match in re.finditer(rf"((?:{comment})*)^```{language}\n(.*?)^```$", text, re.M | re.S):
            notes = {kind.strip(): rest for kind, rest in re.findall(comment, match.group(1), re.M | re.S)}
            if "not compiled:" not in notes:
                yield Piece(path, text.count("\n", 0, match.start(4)) + 1, match.group(4), notes)


def in_function(piece):
    """A piece as a function, or with one if its declarations belong to a file; and its imports."""
    texts = piece.notes.get("with", ""), piece.code, piece.notes.get("then", "")
    imports = set(re.findall(r"^import (\w+)$", "\n".join(texts), re.M))
    # Blank lines keep the numbers of the others.
    context, code, use = [re.sub(r"^import \w+$", "", text, flags=re.M) for text in texts]
    code = f'#sourceLocation(file: "{piece.path}", line: {piece.line})\n{code}#sourceLocation()\n'
    if re.search(r"^(extension|@main|@Suite|@Test)\b", code, re.M):
        return f"{context}{code}func {piece.name}() throws {{\n{use}}}\n", imports
    awaits = "awaits" in piece.notes or not piece.is_run and "await" in code
    effects = "async throws" if awaits else "throws"
    return f"{piece.notes.get('isolation', '')}func {piece.name}() {effects} {{\n{context}{code}{use}}}\n", imports


def write_swift(name, shown, imports, after=""):
    """A file of pieces, with a page's imports."""
    functions, found = zip(*map(in_function, shown))
    source = f"{FOLDER}/{name}.swift"
    with open(source, "w") as file:
        file.writelines(f"import {module}\n" for module in sorted(set(imports).union(*found)))
        file.writelines([*functions, after])
    return source


# --- Compiling -----------------------------------------------------------------------------------


def compiler(build, *flags):
    # A reader uses what a sample makes.
    return [
        toolchain("swiftc"), "-swift-version", "6", "-suppress-warnings", "-parse-as-library",
        *import_flags(f"{build}/Modules"), *flags,
    ]


def run(*command):
    if subprocess.run(command).returncode != 0:
        sys.exit(f"samples: {os.path.basename(command[0])} failed")


def link(name, sources, build, flags):
    """A program of the sources, on the objects of a build."""
    objects = [path for module in [*MODULES, "CRunLoop*"] for path in glob.glob(f"{build}/{module}.build/**/*.o", recursive=True)]
    run(*compiler(build, *flags), *sources, *objects, "-ldispatch", "-lBlocksRuntime", "-o", f"{FOLDER}/{name}")
    return f"{FOLDER}/{name}"


def check_errors(piece, build, imports):
    """Whether the compiler refuses a piece with the texts of the page."""
    command = [*compiler(build, "-typecheck"), write_swift(f"error-{piece.name}", [piece], imports)]
    result = subprocess.run(command, capture_output=True, text=True)
    # Not in the excerpts from the source, which have the comments.
    errors = "".join(re.findall(r":\d+: error: .*", result.stderr))
    for error in piece.errors:
        if error not in errors:
            sys.exit(f"{piece.path}:{piece.line}: the compiler's errors lack `{error}`:\n{result.stderr}")


def compile_comments(build):
    """Compiles the samples in the comments of the sources, each after the part of CONTEXT for its file."""
    everywhere, *sections = re.split(r"^// ((?:\S+\.swift ?)+)$", read(CONTEXT), flags=re.M)
    context = {name: text for names, text in zip(sections[::2], sections[1::2]) for name in names.split()}
    shown = []
    for path in sorted(glob.glob("Sources/[CR]*/**/*.swift", recursive=True)):
        text = read(path)
        for match in re.finditer(r"^ */// ```swift\n(.*?)^ */// ```$", text, re.M | re.S):
            code = re.sub(r"^ */// ?", "", match.group(1), flags=re.M).replace("…", "")
            notes = {}
            if not re.search(r"^(extension|@Suite)", code, re.M):
                # In a scope of its own a sample may have the names of its surroundings. The isolation is that of code at
                # the top level of a program.
                before = context.get(os.path.basename(path), "") + "do {\n"
                notes = {"with": before, "then": "}\n", "isolation": "@MainActor "}
            if re.search(r"^[^{\n]*\bawait\b", code, re.M):
                notes["awaits"] = ""
            shown.append(Piece(path, text.count("\n", 0, match.start(1)) + 1, code, notes))
    source = write_swift("comments", shown, ["FoundationEssentials", "Glibc", "Testing", *MODULES], everywhere)
    run(*compiler(build, "-typecheck"), source)
    print(f"samples: {len(shown)} in comments compile")


def compile_c():
    """Compiles the pieces of C: programs, functions, and statements of one."""
    programs = list(pieces("c", GUIDES))
    for piece in programs:
        command = [
            toolchain("clang"), "-x", "c", "-std=gnu17", "-fblocks", "-fsyntax-only", "-Wall", "-Werror",
            "-Wno-unused", f"-I{INCLUDE}", "-ICSupport/CFHeaders/include",
            *[f"-I{folder}" for folder in glob.glob("CSupport/**/CRunLoop?*/include", recursive=True)], "-",
        ]
        includes = "".join(re.findall(r"^#include .*\n", piece.code, re.M))
        place = f'#line {piece.line} "{piece.path}"\n'
        text = place + piece.code
        if not re.search(r"^\{$", piece.code, re.M):
            statements = re.sub(r"^#include .*$", "", piece.code, flags=re.M)
            text = f"{includes}static void piece(void)\n{{\n{place}{statements}}}\n"
        if subprocess.run(command, input=piece.notes.get("with", "") + text, text=True).returncode != 0:
            sys.exit(f"samples: the C in {piece.path} does not compile")
    print(f"samples: {len(programs)} in C compile")


# --- Running -------------------------------------------------------------------------------------

# Ends a process whose piece hangs; the signal needs no thread, which would take those of a piece.
RUNNER = """
@main struct Samples {{
    static func main() throws {{
        alarm(300)
        switch String(cString: getenv("SAMPLE")) {{
{cases}
        default: fatalError("no such piece")
        }}
        RLRunLoopRunInMode(.defaultMode, 0.1, false)
        exit(0)
    }}

    static func wait(for sample: @escaping @Sendable () async throws -> Void) {{
        Task {{
            do {{ try await sample() }} catch {{ print(error); exit(1) }}
            RLRunLoopStop(RLRunLoopGetMain())
        }}
        RLRunLoopRun()
    }}
}}
"""


class Site(http.server.BaseHTTPRequestHandler):
    """The proxy of all pieces, which answers for every host."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        body = b"a line\n" * 10000
        self.send_response(200)
        self.send_header("Content-Length", len(body))
        self.end_headers()
        self.wfile.write(body)

    def do_PUT(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()


def run_piece(piece, program, proxy):
    addresses = [f"http://www.example.org/{number}.txt" for number in range(12)]
    # The runtime's backtraces take longer than they are worth.
    environment = {"SAMPLE": piece.name, "SWIFT_BACKTRACE": "enable=no", "http_proxy": proxy}
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(f"{FOLDER}/authority.pem"), f"{folder}/authority.pem")
        return subprocess.run(
            [os.path.abspath(program), *addresses], capture_output=True, text=True, stdin=subprocess.DEVNULL,
            env=os.environ | environment, timeout=600, cwd=folder,
        )


def run_pieces(linked):
    """Whether each piece ends with success and no line of a debug build."""
    with open("Tests/Suites/Support/ServerKit/Certificates.swift") as source, open(f"{FOLDER}/authority.pem", "w") as file:
        file.write(re.sub(r"^ +", "", re.search(r"-{5}BEGIN.*?-{5}END.*?\n", source.read(), re.S).group(), flags=re.M))
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site)
    # A piece may close its connections early.
    site.handle_error = lambda *arguments: None
    threading.Thread(target=site.serve_forever, daemon=True).start()
    # Most of them wait for their timers.
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda each: run_piece(*each, f"http://127.0.0.1:{site.server_port}"), linked))
    failed = 0
    for (piece, _), result in zip(linked, results):
        if result.returncode != 0 or re.search(r"^(CRunLoop|CoreRunLoop|RunLoop\w+): ", result.stderr, re.M):
            failed += 1
            print(f"{piece.path}:{piece.line}: ended with {result.returncode}\n{result.stdout}{result.stderr}")
    print(f"{len(linked) - failed} passed, {failed} failed")
    return 1 if failed else 0


# --- The program ---------------------------------------------------------------------------------


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    build, *flags = sys.argv[1:]
    os.makedirs(FOLDER, exist_ok=True)
    imports = {path: ["Glibc", module] for module in MODULES for path in sorted(glob.glob(f"{catalog(module)}/*.md"))}
    imports |= {path: ["FoundationEssentials", "Glibc", *MODULES] for path in GUIDES}
    sources, programs, shown = [], [], []
    for path in imports:
        together = []
        for piece in pieces("swift", [path]):
            if piece.errors:
                check_errors(piece, build, imports[path])
            elif "@main" in piece.code:
                source = write_swift(piece.name, [piece], imports[path])
                programs.append((piece, link(piece.name, [source], build, flags)))
            else:
                together.append(piece)
        if together:
            sources.append(write_swift(re.sub(r"\W", "_", path), together, imports[path]))
            shown += together
    cases = "\n".join(f'        case "{piece.name}": {call(piece)}' for piece in shown if piece.is_run)
    with open(f"{FOLDER}/runner.swift", "w") as file:
        file.write("import CoreRunLoop\nimport Glibc\n" + RUNNER.format(cases=cases))
    program = link("samples", [f"{FOLDER}/runner.swift", *sources], build, flags)
    print(f"samples: {len(shown) + len(programs)} in Swift compile")
    compile_comments(build)
    compile_c()
    return run_pieces(programs + [(piece, program) for piece in shown if piece.is_run])


def call(piece):
    return f"wait(for: {piece.name})" if "awaits" in piece.notes else f"try {piece.name}()"


if __name__ == "__main__":
    sys.exit(main())
