"""The files that give CF's names, made from the engine's public headers:

- in CRunLoop/CFCompatibility.h, a macro for each name, and the include guards of CF's own headers
- CSupport/CFHeaders, a header for each of CF's
- CRunLoop/CFDeclarations.h, declarations for Swift, each with the symbol of the engine's own
- CSupport/CMake/symbols.h, an alias for each symbol, for the library with CF's own ones
- Tests/Scenarios/kit/reference.h, CF's symbol for each, by which scenarios run on the real CF
"""

import os
import re
import subprocess

from reading import INCLUDE, library_folder, read

COMPATIBILITY = INCLUDE + "CRunLoop/CFCompatibility.h"
STAND_INS = "CSupport/CFHeaders/include/CoreFoundation/"
DECLARATIONS = INCLUDE + "CRunLoop/CFDeclarations.h"
SYMBOLS = "CSupport/CMake/symbols.h"
REFERENCE = "Tests/Scenarios/kit/reference.h"


def cf_name(name):
    """Also within: kRLNumberRLIndexType is kCFNumberCFIndexType."""
    return re.sub(r"(?<![A-Z])RL(?=[A-Z])", "CF", name)


# --- Headers for C -------------------------------------------------------------------------------

# In what all of ours include, under no name of its own.
WITHIN = {"CFAvailability.h", "CoreFoundation.h"}
# What Apple's systems have and Linux does not.
APPLES = {
    "CFCGTypes.h", "CFFileDescriptor.h", "CFFileSecurity.h", "CFStringTokenizer.h", "CFXMLNode.h", "CFXMLParser.h",
}
STAND_IN = """/* Replaces CoreFoundation's {name}; see CRunLoop/CFCompatibility.h. */

#include <CRunLoop/CFCompatibility.h>
"""
REFUSAL = """/* CoreRunLoop does not provide this header of CoreFoundation. */

#error "{name} is not part of CoreRunLoop: see Docs/Porting.md"
"""


def is_here(header):
    """One that is here leads to CFCompatibility.h, any other says that it is not."""
    return header in WITHIN or os.path.exists(INCLUDE + "CRunLoop/RL" + header.removeprefix("CF"))


def macros(headers, shared):
    found = (re.search(r"#if.*\b(__COREFOUNDATION_\w+__)", read(path)) for path in headers.values())
    guards = {match.group(1) for match in found if match} | {"__COREFOUNDATION_CFFILEDESCRIPTOR__"}
    text = replaced(read(COMPATIBILITY), "Guards", [f"#define {guard} 1\n" for guard in sorted(guards)])
    return replaced(text, "Names", [f"#define {cf_name(name)} {name}\n" for name in shared])


def replaced(text, mark, lines):
    before, begin, rest = text.partition(f"/* {mark}: begin. */\n")
    _, end, after = rest.partition(f"/* {mark}: end. */\n")
    return before + begin + "".join(lines) + end + after


# --- Declarations for Swift ----------------------------------------------------------------------

OPENING = """/*
 * CF's names for Swift, for the module CFCompatibility. In C, these names are macros. The
 * declarations have the engine's symbols, so Swift's importer gives the names Apple's types, and no
 * code forwards calls. `.ci/names write` generates this file from the engine's headers.
 *
 * The umbrella header does not include this file, and the file is empty in C.
 */

#ifndef CRUNLOOP_CFDECLARATIONS_H
#define CRUNLOOP_CFDECLARATIONS_H

#if defined(__swift__)

#include <CRunLoop/CRunLoop.h>

/* Apple's importer has a separate type for pointers to Boolean. */
/** A Boolean of one byte, as in C. */
typedef struct {
    /** Nonzero if true. */
    unsigned char _value;
} CFDarwinBoolean RL_SWIFT_NAME(DarwinBoolean);

/* The generated lines may be too long for clang-format. */
/* clang-format off */
"""
CLOSING = """/* clang-format on */

#endif

#endif
"""
# Swift has these as types of its own, or cannot import a macro by a typedef.
NOT_FOR_TYPEDEF = re.compile(r"RL(TypeRef|PropertyListRef|RunLoopMode|NotificationName|StringBuiltInEncodings|Mutable\w+)")
# Any object, a function's variable arguments, and a queue are other types in Swift than in C.
NOT_FOR_DECLARATION = re.compile(
    r"RLTypeRef|RLPropertyListRef|RLNotificationName|RL_REFINED_FOR_SWIFT|va_list|\.\.\.|dispatch_queue_s"
)
NAMED_MODES = {"kRLRunLoopDefaultMode", "kRLRunLoopCommonModes"}


def exported_declarations(paths):
    """From names to what the headers say of them, on one line and without the semicolon."""
    found = {}
    for path in paths:
        text = re.sub(r"/\*.*?\*/", "", read(path), flags=re.S)
        text = re.sub(r"^[ \t]*#(?:\\\n|.)*$", "", text, flags=re.M)
        for piece in text.split(";"):
            _, mark, declaration = piece.rpartition("RL_EXPORT")
            if mark:
                declaration = " ".join(declaration.split())
                name = re.search(r"(\w+)\s*\(", declaration) or re.search(r"\b(kRL\w+)", declaration)
                found[name.group(1)] = declaration
    return found


def first_sentence(comment):
    text = re.sub(r" *(CF: .*|- [A-Z]\w+: .*)$", "", " ".join(comment.split()))
    sentence = re.match(r"(.*?[.;])(?= |$)", text)
    return cf_name((sentence.group(1) if sentence else text).rstrip(".;") + ".")


def swift_declaration(name, symbol, declarations):
    """A line for a name that a declaration can give to Swift, or nothing."""
    if symbol.kind in ("c.typealias", "c.struct", "c.enum") and not NOT_FOR_TYPEDEF.fullmatch(name):
        return [f"typedef {name} {cf_name(name).removesuffix('Ref')};"]
    declaration = declarations.get(name, "...")
    if symbol.kind not in ("c.var", "c.func") or name in NAMED_MODES or NOT_FOR_DECLARATION.search(declaration):
        return []
    # A closure of CF's is not Sendable.
    declaration = declaration.replace("RL_SWIFT_SENDABLE ", "")
    signature, attributes = re.fullmatch(r"(.*?)((?: RL_\w+)*)", declaration).groups()
    # `const` twice is an error where a reference is a macro, as for Swift.
    return swift_overloads(re.sub(rf"\b{name}\b", cf_name(name), signature, count=1), name, attributes)


def swift_overloads(signature, name, attributes):
    line = f'extern {signature} __asm__("{name}"){attributes};'
    if "Boolean *" not in signature:
        return [line]
    # Programs may have a Bool of Swift's, too.
    labels = "_:" * (signature.count(",") + 1)
    taking = re.sub(rf"\b{cf_name(name)}\b", f"{cf_name(name)}WithDarwinBoolean", signature, count=1)
    return [
        line.replace(";", " RL_SWIFT_SECOND_CHOICE;"),
        f'extern {taking.replace("Boolean *", "CFDarwinBoolean *")} __asm__("{name}"){attributes} '
        f"RL_SWIFT_NAME({cf_name(name)}({labels}));",
    ]


def swift_header(shared):
    declarations = exported_declarations({symbol.path for symbol in shared.values()})
    lines = [OPENING]
    for name, symbol in shared.items():
        for line in swift_declaration(name, symbol, declarations):
            lines.append(f"/** {first_sentence(symbol.comment)} */\n{line}\n")
    return "".join([*lines, CLOSING])


# --- Symbols -------------------------------------------------------------------------------------

ALIASES = """/*
 * CF's own symbols, as aliases of the engine's. `.ci/names write` generates this file. The build of
 * libCRunLoopCF includes it in each source file: the assembler makes an alias of each symbol that
 * the source file defines.
 */

#define ALIAS(name, symbol) ".globl " #name "\\n.set " #name ", " #symbol "\\n"

/* The generated lines may be too long for clang-format. */
/* clang-format off */
__asm__(
{lines});
/* clang-format on */

#undef ALIAS
"""


def symbol_aliases(shared):
    names = [name for name, symbol in shared.items() if symbol.kind in ("c.func", "c.var")]
    exported = exported_declarations({shared[name].path for name in names})
    lines = [f"ALIAS({cf_name(name)}, {name})\n" for name in names if name in exported]
    return ALIASES.format(lines="".join(lines))


RENAMES = """/*
 * Maps RL names to the CoreFoundation of the toolchain: to the symbols that its libFoundation
 * exports. `.ci/names write` makes this file. Where SCENARIO_ON_REFERENCE is defined, gadgets.h
 * includes it before the engine's headers, which declare functions and types as CF's do.
 */

{lines}
/* Not exported; the objects of the reference are Swift objects, whose references can be counted. */
#pragma redefine_extname RLGetRetainCount swift_retainCount
"""


def reference_names(shared):
    output = subprocess.run(
        ["nm", "--dynamic", "--defined-only", "--format=posix", f"{library_folder()}/linux/libFoundation.so"],
        check=True, capture_output=True, text=True,
    ).stdout
    exported = {line.split(" ")[0] for line in output.splitlines()}
    names = [name for name, symbol in shared.items() if symbol.kind in ("c.func", "c.var")]
    return RENAMES.format(lines="".join(
        f"#pragma redefine_extname {name} {cf_name(name)}\n" for name in names if cf_name(name) in exported
    ))


# --- All of them ---------------------------------------------------------------------------------


def wanted_files(headers, shared):
    """From paths to texts. `headers`: from the names of CF's headers to their paths; `shared`: the names in both."""
    files = {STAND_INS + name: (STAND_IN if is_here(name) else REFUSAL).format(name=name) for name in headers.keys() | APPLES}
    files[COMPATIBILITY] = macros(headers, shared)
    files[DECLARATIONS] = swift_header(shared)
    files[SYMBOLS] = symbol_aliases(shared)
    files[REFERENCE] = reference_names(shared)
    return files
