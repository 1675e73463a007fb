"""Generates the manual page of the tool `runloop` from the output of `--experimental-dump-help`.

usage: manual.py TOOL VERSION runloop.1.gz
"""

import gzip
import json
import re
import subprocess
import sys


def roff(text):
    """Returns the text, escaped so that roff prints it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq")
    return re.sub(r"^(?=\.)", r"\\&", text, flags=re.M)


def paragraphs(text):
    return "\n.PP\n".join(roff(each) for each in text.split("\n\n"))


def names_of(argument):
    """Returns the names of an option, the short name first; empty for a positional argument."""
    names = sorted(argument.get("names", []), key=lambda name: name["kind"] == "long")
    return [("--" if name["kind"] == "long" else "-") + name["name"] for name in names]


def value_of(argument):
    """Returns the placeholder of an option's value, in italics; empty for a flag."""
    return "" if argument["kind"] == "flag" else f"\\fI{roff(argument['valueName'])}\\fR"


def usage_of(argument):
    names = names_of(argument)
    word = " ".join(filter(None, [names and f"\\fB{roff(names[-1])}\\fR", value_of(argument)]))
    word += " ..." if argument["isRepeating"] else ""
    return f"[{word}]" if argument["isOptional"] else word


def lines_of_argument(argument):
    names = [f"\\fB{roff(name)}\\fR" for name in names_of(argument)]
    yield ".TP"
    yield " ".join(filter(None, [", ".join(names), value_of(argument)]))
    default = argument.get("defaultValue")
    text = argument.get("abstract", "") + (f" (default: {default})" if default else "")
    yield paragraphs(text + ("\n\n" + argument["discussion"] if "discussion" in argument else ""))


def own_arguments(command):
    """Returns the arguments of a command, without those that all commands have."""
    return [each for each in command.get("arguments", []) if each["shouldDisplay"] and each["valueName"] not in COMMON]


def lines_of_command(command):
    yield f".SS {roff(command['commandName'])}"
    yield roff(command["abstract"])
    if "discussion" in command:
        yield ".PP\n" + paragraphs(command["discussion"])
    for argument in own_arguments(command):
        yield from lines_of_argument(argument)


def lines_of_page(tool, version):
    name, abstract = tool["commandName"], tool["abstract"].rstrip(".")
    commands = [each for each in tool["subcommands"] if each["shouldDisplay"]]
    yield f'.TH {name.upper()} 1 "" "CoreRunLoop {version}" "User Commands"'
    # Disables hyphenation, as the page contains words to type.
    yield f".nh\n.SH NAME\n{name} \\- {roff(abstract[0].lower() + abstract[1:])}\n.SH SYNOPSIS"
    for command in commands:
        yield " ".join([f"\\fB{name} {command['commandName']}\\fR", *map(usage_of, own_arguments(command))]) + "\n.br"
    yield ".SH OPTIONS"
    for argument in tool["arguments"]:
        yield from lines_of_argument(argument)
    yield ".SH COMMANDS"
    for command in commands:
        yield from lines_of_command(command)
    yield '.SH "EXIT STATUS"\n' + paragraphs(tool["discussion"])


COMMON = ("version", "help")

if __name__ == "__main__":
    known = json.loads(subprocess.check_output([sys.argv[1], "--experimental-dump-help"]))
    page = "\n".join(lines_of_page(known["command"], sys.argv[2])) + "\n"
    with open(sys.argv[3], "wb") as file:
        file.write(gzip.compress(page.encode(), mtime=0))
