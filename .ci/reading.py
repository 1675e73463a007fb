"""What the checks read with: the toolchain's tools, the symbols of C and Swift, code without its comments, and
the tables of pages.

usage: import reading    in a script of this folder, which then works in the root of the repository
"""

import dataclasses
import functools
import glob
import json
import os
import re
import subprocess
import tempfile

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

INCLUDE = "CSupport/CRunLoop/include/"
# In the order of the site. The module that re-exports the engine comes first: its links go to the engine's symbols too.
ALL_MODULES = [
    "CoreRunLoop", "RunLoopKit", "RunLoopConcurrency", "RunLoopNetworking", "RunLoopDiagnostics",
    "RunLoopDisplay", "RunLoopHosts", "RunLoopFoundation", "RunLoopTesting", "RunLoopTestTraits", "RunLoopXCTest",
    "CFCompatibility",
]
CATALOGS = "Sources/*/{}.docc" if os.environ.get("RL_PART") == "core" else "Sources/**/{}.docc"
# Without the extras, where only the core is built.
MODULES = [module for module in ALL_MODULES if glob.glob(CATALOGS.format(module), recursive=True)]


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def list_files(*patterns):
    """Everything that is committed or would be, and has such a path."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *patterns],
        check=True, capture_output=True, text=True,
    ).stdout
    return sorted({path for path in listed.split("\0") if os.path.isfile(path)})


def conclude(check, problems, told):
    """The last words of a check, and its exit status."""
    for problem in problems:
        print(problem)
    print(f"{check}: {told}")
    return 1 if problems else 0


# --- The toolchain -------------------------------------------------------------------------------


@functools.cache
def target_information():
    """Of the toolchain that `swift` belongs to."""
    information = subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True, text=True)
    return json.loads(information.stdout)


def library_folder():
    return target_information()["paths"]["runtimeResourcePath"]


def toolchain(tool):
    path = os.path.normpath(os.path.join(library_folder(), "../../bin", tool))
    return path if os.path.exists(path) else tool


def import_flags(modules):
    """Flags with which the compiled modules of a build can be imported."""
    maps = [f"{INCLUDE}module.modulemap"]
    # The build makes those of the C parts of other modules.
    maps += sorted(glob.glob(f"{modules}/../CRunLoop?*.build/module.modulemap"))
    flags = [flag for path in maps for flag in ("-Xcc", f"-fmodule-map-file={path}")]
    return ["-I", modules, "-I", INCLUDE, *flags]


def catalog(module):
    return glob.glob(CATALOGS.format(module), recursive=True)[0]


# --- Symbols -------------------------------------------------------------------------------------


@dataclasses.dataclass
class Symbol:
    """One of a symbol graph, which clang makes of headers and Swift's compiler of modules."""

    name: str
    kind: str
    comment: str
    declaration: str
    identifier: str
    is_extension: bool
    parent: "Symbol | None"
    path: str
    line: int

    @property
    def place(self):
        return f"{self.path}:{self.line}: {self.name}"


def symbols_in(graph):
    with open(graph) as file:
        content = json.load(file)
    symbols = {entry["identifier"]["precise"]: symbol_of(entry) for entry in content["symbols"]}
    for link in content["relationships"]:
        if link["kind"] == "memberOf" and link["source"] in symbols:
            symbols[link["source"]].parent = symbols.get(link["target"])
    for symbol in symbols.values():
        # An enumeration without a name is no symbol: clang calls it as its first constant.
        if nameless := re.match(r"c:@Ea@(\w+)@", symbol.identifier):
            symbol.parent = symbols[f"c:@Ea@{nameless.group(1)}@{nameless.group(1)}"]
    return list(symbols.values())


def symbol_of(entry):
    comment = "\n".join(line["text"] for line in entry.get("docComment", {}).get("lines", []))
    declaration = "".join(part["spelling"] for part in entry.get("declarationFragments", []))
    location = entry.get("location", {"uri": "", "position": {"line": 0}})
    kind = entry["kind"]["identifier"]
    is_swift = kind.startswith("swift.")
    return Symbol(
        ".".join(entry["pathComponents"]) if is_swift else entry["names"]["title"], kind, comment, declaration,
        entry["identifier"]["precise"], "swiftExtension" in entry, None, location["uri"].removeprefix("file://"), location["position"]["line"] + 1,
    )


def extract_c(headers, graph, *flags):
    """Writes the symbol graph of C headers."""
    subprocess.run(
        [
            toolchain("clang"), "-extract-api", "-x", "c-header", "-std=gnu17", "-fblocks", f"-I{INCLUDE}", *flags,
            "--product-name=CRunLoop", *headers, "-o", graph,
        ],
        check=True,
    )


def c_symbols(headers, *flags):
    with tempfile.NamedTemporaryFile(suffix=".json") as graph:
        extract_c(headers, graph.name, *flags)
        return symbols_in(graph.name)


# --- Code and comments ---------------------------------------------------------------------------

# What stands between parentheses, with some of them within.
WITHIN = r"[^()]*"
for _ in range(6):
    WITHIN = rf"(?:[^()]|\({WITHIN}\))*"
COMMENT = r"(?P<comment>//[^\n]*|/\*.*?\*/)"
# In Swift, what a string fills in may have strings of its own.
STRINGS = {
    "c": r'"(?:\\.|[^"\\\n])*"',
    "swift": rf'"(?:\\\({WITHIN}\)|\\.|[^"\\\n])*"',
}
TOKENS = {
    "c": re.compile(rf"{COMMENT}|{STRINGS['c']}|(?<!\w)'(?:\\.|[^'\\\n])*'", re.S),
    "swift": re.compile(
        rf'{COMMENT}|(?P<signs>#+)""".*?"""(?P=signs)|(?P<sign>#+)"[^\n]*?"(?P=sign)|"""(?:\\.|.)*?"""|{STRINGS["swift"]}',
        re.S,
    ),
}


def language(path):
    return "swift" if path.endswith(".swift") else "c"


def blank(text):
    """As many characters and lines as the text, but all of them blank."""
    return re.sub(r"[^\n]", " ", text)


def code_and_comments(path, text):
    """Two layers of the length of the text: where one has something, the other is blank; strings are in neither."""
    tokens = TOKENS[language(path)]
    code = tokens.sub(lambda token: blank(token.group()), text)
    comments, done = [], 0
    for token in tokens.finditer(text):
        if token["comment"]:
            comments += [blank(text[done:token.start()]), token.group()]
            done = token.end()
    return code, "".join(comments) + blank(text[done:])


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


# --- Pages ---------------------------------------------------------------------------------------


def rows(page):
    """Of each row of a table: the line, the titles of the columns, and the cells."""
    titles = None
    for number, line in enumerate(read(page).splitlines(), 1):
        if not line.startswith("|"):
            titles = None
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if titles is None:
            titles = cells
        elif not set(line.strip()) <= set("|-: "):
            yield number, titles, cells


def quoted(text):
    """What stands between grave accents."""
    return re.findall(r"`([^`]+)`", text)
