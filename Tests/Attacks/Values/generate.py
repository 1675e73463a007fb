#!/usr/bin/env -S python3 -B
"""Writes a call of each public C function with each hostile value of each parameter, for values.c.

usage: generate.py OUTPUT

The functions are those of the headers' symbol graph, and a parameter's values those of its type. A new function has
its calls without a change here; a new type needs a value in SAMPLES.
"""

import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../.ci"))
OUTPUT = os.path.abspath(sys.argv[1])

from reading import INCLUDE, c_symbols  # noqa: E402

SECONDS = ["NAN", "INFINITY", "-INFINITY", "1e300", "-1e300", "-1.0", "0.0", "1.0"]


def integers(bits, is_signed=True):
    low = f"INT{bits}_MIN" if is_signed else "0"
    high = f"INT{bits}_MAX" if is_signed else f"UINT{bits}_MAX"
    return [low, "-1", "0", "1", high] if is_signed else [low, "1", high]


RANGES = [
    f"RLRangeMake({location}, {length})"
    for location in ("INT64_MIN", "-1", "0", "1", "INT64_MAX")
    for length in ("INT64_MIN", "-1", "0", "INT64_MAX")
]
STRINGS = ["sample_string(\"a\\0b\", 3)", "sample_string(million, 1000000)", "RLSTR(\"\")"]
# The first value is valid, all others are hostile.
VALUES = {
    "RLTimeInterval": ["0.001", *SECONDS],
    "RLAbsoluteTime": ["1e9", *SECONDS],
    "RLIndex": ["1", *integers(64)],
    "SInt64": ["1", *integers(64)],
    "SInt32": ["1", *integers(32)],
    "int": ["1", *integers(32)],
    "UInt64": ["1", *integers(64, False)],
    "unsigned long": ["1", *integers(64, False)],
    "UInt32": ["1", *integers(32, False)],
    "UInt16": ["1", *integers(16, False)],
    "RLRange": ["RLRangeMake(0, 1)", *RANGES],
    "RLStringRef": ["RLSTR(\"sample\")", *STRINGS],
    "RLRunLoopMode": ["kRLRunLoopDefaultMode", *STRINGS],
    "RLErrorDomain": ["kRLErrorDomainPOSIX", *STRINGS],
    "const char *": ["\"sample\"", "\"\"", "million"],
    "RLGregorianDate": [
        "((RLGregorianDate){2001, 1, 1, 0, 0, 0})",
        *(f"((RLGregorianDate){{{year}, 127, -128, 127, -128, {second}}})" for year in integers(32) for second in SECONDS),
    ],
    "RLGregorianUnits": [
        "((RLGregorianUnits){1, 1, 1, 1, 1, 1})",
        *(f"((RLGregorianUnits){{{n}, {n}, {n}, {n}, {n}, {s}}})" for n in integers(32) for s in SECONDS),
    ],
}
# The size of a client's buffer is limited: a count after a pointer.
SIZES = ["1", "INT64_MIN", "-1", "0", "1000000"]
MEMORY = re.compile(
    r"(?:UInt8|UniChar|char|SInt32|RLRunLoopTraceEntry|void \*const|void \* const|const void \*) ?\*$|const void \*\*$"
)
SAMPLES = {
    "RLAllocatorRef": "NULL",
    "RLArrayRef": "sample_array()",
    "RLMutableArrayRef": "(RLMutableArrayRef)(uintptr_t)sample_array()",
    "RLDataRef": "sample_data()",
    "RLMutableDataRef": "(RLMutableDataRef)(uintptr_t)sample_data()",
    "RLDictionaryRef": "sample_dictionary()",
    "RLSetRef": "sample_set()",
    "RLMutableStringRef": "sample_mutable_string()",
    "RLTypeRef": "RLSTR(\"sample\")",
    "RLRunLoopRef": "RLRunLoopGetCurrent()",
    "RLRunLoopTimerRef": "sample_timer()",
    "RLRunLoopSourceRef": "sample_source()",
    "RLRunLoopObserverRef": "sample_observer()",
    "RLHostRef": "RLHostCreateWithName(NULL, RLSTR(\"127.0.0.1\"))",
    "RLNotificationCenterRef": "RLNotificationCenterGetLocalCenter()",
    "RLSocketRef": "sample_socket()",
    "RLMessagePortRef": "sample_message_port()",
    "RLMachPortRef": "sample_mach_port()",
    "RLMachPortName": "RLMachPortGetPort(sample_mach_port())",
    "const RLMachMessageHeader *": "&(RLMachMessageHeader){.size = sizeof(RLMachMessageHeader)}",
    "RLReadStreamRef": "sample_reader()",
    "RLWriteStreamRef": "sample_writer()",
    "RLStreamRef": "sample_reader()",
    "RLFileDescriptorRef": "sample_descriptor()",
    "RLRunLoopRecordingRef": "sample_recording()",
    "RLTestClockRef": "sample_clock()",
    "RLTimeZoneRef": "NULL",
    "RLURLRef": "sample_url()",
    "const RLSocketSignature *": "sample_signature()",
    "const RLArrayCallBacks *": "&kRLTypeArrayCallBacks",
    "const RLSetCallBacks *": "&kRLTypeSetCallBacks",
    "const RLDictionaryKeyCallBacks *": "&kRLTypeDictionaryKeyCallBacks",
    "const RLDictionaryValueCallBacks *": "&kRLTypeDictionaryValueCallBacks",
    "RLRunLoopSourceContext *": "&(RLRunLoopSourceContext){0}",
    "const void **": "objects",
    "const void * const*": "objects",
    "const UInt8 *": "memory",
    "UInt8 *": "memory",
    "RLMutualWaitParties": "(RLMutualWaitParties){0}",
    "RLStringInlineBuffer *": "sample_inline_buffer()",
    "void *": "memory",
    "const void *": "RLSTR(\"sample\")",
}
# The memory of an allocator is no array of bytes.
EXPRESSIONS = {("RLAllocatorReallocate", "ptr"): "NULL", ("RLAllocatorDeallocate", "ptr"): "NULL"}
# Flags without a size, and the client's pointers.
PLAIN = re.compile(r"Boolean$|UInt8$|RL\w*(?:Flags|Encoding|Events|Type|Kind|Activity|Options|Class|State|Format|ID|Style|Level|Behavior)$")
SKIPPED = {
    # The client guarantees valid strings and bytes.
    "RLSymbolCopyName": "reads the symbols of an address, which takes no value of these kinds",
}


def parameters(text):
    """The types and names between the parentheses of a declaration."""
    depth, parts = 0, [""]
    for character in text:
        depth += (character in "(<") - (character in ")>")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    for part in parts:
        part = re.sub(r"\s+", " ", part).strip()
        if part in ("", "void"):
            continue
        match = re.fullmatch(r"([^(]*?)\s*(\w+)", part)
        yield match.groups() if match else (part, part)


def sample(function, kind, name):
    if (function, name) in EXPRESSIONS:
        return EXPRESSIONS[function, name]
    if name.endswith("eallocator"):
        return "kRLAllocatorNull"
    if kind in VALUES:
        return VALUES[kind][0]
    if kind in SAMPLES:
        return SAMPLES[kind]
    if "(^)" in kind:
        return "(void *)^{}"
    if "(*)" in kind or kind.endswith(("CallBack", "Callback", "Function")):
        return "NULL" if kind.endswith("CallBack") else "(void *)do_nothing"
    if kind.endswith("*"):
        return "(void *)memory"
    if PLAIN.search(kind):
        return "0"
    sys.exit(f"generate.py: {function}: a value for parameter `{name}` of type {kind} is needed in SAMPLES")


def hostile(kind, before):
    if kind == "RLIndex" and before and MEMORY.search(before):
        return SIZES[1:]
    return VALUES.get(kind, [None])[1:]


def main():
    headers = sorted(glob.glob(f"{INCLUDE}CRunLoop/RL*.h"))
    cases, calls = [], []
    for symbol in c_symbols(headers):
        text = re.search(r"\((.*)\)", symbol.declaration, re.S)
        if symbol.kind != "c.func" or not text or symbol.name in SKIPPED or "static" in symbol.declaration:
            continue
        kinds = list(parameters(text.group(1)))
        values = [hostile(kind, kinds[i - 1][0] if i else None) for i, (kind, _) in enumerate(kinds)]
        if not any(values) or "..." in text.group(1) or any("va_list" in kind for kind, _ in kinds):
            continue
        samples = [sample(symbol.name, *parameter) for parameter in kinds]
        for i, (kind, _) in enumerate(kinds[:-1]):
            # Text of the greatest size.
            if kind == "const char *" and kinds[i + 1][0] == "RLIndex":
                samples[i] = "million"
        for i, hostiles in enumerate(values):
            for value in hostiles:
                arguments = ", ".join([*samples[:i], value, *samples[i + 1:]])
                shown = f"{symbol.name}({kinds[i][1]}: {value})".replace("\\", "\\\\").replace('"', '\\"')
                calls.append(f"static void call{len(calls)}(void)\n{{\n    (void){symbol.name}({arguments});\n}}\n")
                cases.append(f'    {{"{shown}", call{len(cases)}}},')
    with open(OUTPUT, "w", encoding="utf-8") as file:
        file.write('#include "values.h"\n\n' + "\n".join(calls))
        file.write("\nconst struct value_case value_cases[] = {\n" + "\n".join(cases) + "\n    {0},\n};\n")


main()
