#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""man.py - writes docs/fatfly.1 and scripts/docs/fatfly.bash from what `fatfly --help` and
`fatfly COMMAND --options` print, so that the manual says what the program says.

usage: man.py [--check] [FATFLY]     FATFLY: the program, default $BUILD/fatfly or build/fatfly
--check writes nothing and fails if a file is not what would be written.
Exit codes: 0 done, 1 a file differs (--check), 2 usage, 3 help that cannot be read, 4 no program.
"""
from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from typing import NoReturn

MAN, BASH = "docs/fatfly.1", "scripts/docs/fatfly.bash"

EXAMPLES = [
    ("fatfly run", "30 static runs of 64 processors that send to random ones."),
    ("fatfly run --nodes 256 --discipline store --pattern complement --path fp",
     "A cell of Greenberg and Oh's table I."),
    ("fatfly run --topology torus --radix 16 --path negative-hop --length 4 --load 0.1",
     "Boppana and Chalasani's torus."),
    ("fatfly run --nodes 1024 --load 0.02 --scan fcfs --path rg --format csv",
     "A point of a latency-load curve, for a program."),
    ("fatfly saturation --nodes 256", "The load at which that network saturates, within 2 %."),
    ("fatfly sweep loads.cfg && fatfly plot build/sweeps/loads.sqlite --output loads.svg",
     "A whole curve; interrupted, the first command goes on where it was."),
    ("fatfly sweep loads.cfg --task 3/16", "The third of 16 shares of it, on any machine."),
    ("fatfly sweep loads.cfg --slurm --submit", "All shares and the joining of them as jobs of Slurm."),
    ("fatfly merge build/sweeps/loads.sqlite build/sweeps/loads.*-of-16.sqlite", "Joins them."),
    ("fatfly model --nodes 1024 --length 32", "What the analytical model says about it."),
    ("fatfly estimate --nodes 64 --min-throughput 0.02 --plot front.svg",
     "The smallest network of 64 processors that carries so much, on an iCE40."),
]


def stop(code: int, text: str) -> NoReturn:
    print("man.py: " + text, file=sys.stderr)
    sys.exit(code)


def ask(program: str, *args: str) -> list[str]:
    try:
        done = subprocess.run([program, *args], capture_output=True, text=True, timeout=60)
    except OSError as error:
        stop(4, f"{program}: {error.strerror}; build it with: make build/fatfly")
    if done.returncode:
        stop(3, f"{program} {' '.join(args)} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout.splitlines()


class Command:
    """What `fatfly COMMAND --options` says: usage, paragraphs before and after, options by group."""

    def __init__(self, name: str, what: str, lines: Iterable[str]) -> None:
        self.name, self.what, self.usage = name, what, ""
        self.about, self.notes = [], []
        self.columns = []  # (name, help)
        self.options = []  # (group, name, value, words for completion, help)
        for line in lines:
            kind, *rest = line.split("\t")
            if kind == "option" and len(rest) == 5:
                self.options.append(tuple(rest))
            elif kind == "column" and len(rest) == 2:
                self.columns.append(tuple(rest))
            elif kind == "usage":
                self.usage = rest[0]
            elif kind in ("about", "notes"):
                getattr(self, kind).append(" ".join(rest[0].split()))
            else:
                stop(3, f"fatfly {name} --options: {line}")
        if not self.options or not self.usage:
            stop(3, f"fatfly {name} --options shows no option")


def paragraphs(lines: Iterable[str]) -> list[str]:
    text = re.sub(r"(?m)^exit codes: ", r"\n\g<0>", "\n".join(lines)).strip("\n")
    return [" ".join(p.split()) for p in re.split(r"\n\s*\n", text) if p.strip()]


def read_program(program: str) -> tuple[list[str], str, list[Command]]:
    top = ask(program, "--help")
    version = ask(program, "--version")[0].split()[-1]
    commands = []
    for line in top:
        m = re.match(r"  ([a-z]+) {2,}(\S.*)", line)
        if m:
            commands.append(Command(m.group(1), m.group(2), ask(program, m.group(1), "--options")))
    if not commands:
        stop(3, "fatfly --help shows no command")
    return top, version, commands


# -- the manual page ------------------------------------------------------------------------------

def roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha")
    text = text.replace("~", "\\(ti").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + text if text.startswith(".") else text


def roff_head(name: str, value: str) -> str:
    """Name bold, value italic; a long list of names may be broken at its bars."""
    return f"\\fB{roff('--' + name)}\\fR" + (f" \\fI{roff(value)}\\fR" if value else "").replace("|", "|\\:")


def exit_codes(top: Sequence[str]) -> list[list[str]]:
    """(code, meaning) of the line `exit codes: 0 done, 1 ...`."""
    text = [p for p in paragraphs(top) if p.startswith("exit codes: ")]
    if not text:
        stop(3, "fatfly --help shows no exit codes")
    return [item.split(" ", 1)
            for item in re.split(r", (?=\d )", text[0].split("exit codes: ")[1])]


def manual(top: Sequence[str], version: str, commands: Sequence[Command]) -> str:
    about = next(p for p in paragraphs(top[1:]) if p.startswith("fatfly is"))
    out = ['.\\" SPDX-License-Identifier: Apache-2.0',
           '.\\" Written by scripts/docs/man.py from what the program prints; do not edit.',
           f'.TH FATFLY 1 "" "fatfly {roff(version)}" "User Commands"',
           ".nh",
           ".ad l",
           ".SH NAME",
           "fatfly \\- butterfly fat\\-tree networks of wormhole switches, cycle by cycle",
           ".SH SYNOPSIS"]
    for command in commands:
        words = command.usage.split(" ", 2)
        out += [".br"] * (command is not commands[0])
        out.append(f"\\fB{words[0]} {words[1]}\\fR " + roff(words[2]))
    out += [".SH DESCRIPTION", roff(about)]
    for command in commands:
        out += [".TP", f"\\fB{command.name}\\fR", roff(command.what)]
    for command in commands:
        out.append(f".SH FATFLY {command.name.upper()}")
        for k, text in enumerate(command.about):
            out += [".PP"] * (k > 0) + [roff(text)]
        group = ""
        for heading, name, value, _, text in command.options:
            if heading != group:
                out += [".SS " + roff(heading[0].upper() + heading[1:])]
            group = heading
            out += [".TP", roff_head(name, value), roff(text)]
        for text in command.notes:
            if text.startswith("exit codes: "):
                text = "E" + text[1:] + "."
            out += [".PP", roff(text)]
        out += [".SS Columns"] if command.columns else []
        for name, text in command.columns:
            out += [".TP", f"\\fB{roff(name)}\\fR", roff(text)]
    out += [".SH EXIT STATUS"]
    for code, meaning in exit_codes(top):
        out += [".TP", f"\\fB{code}\\fR", roff(meaning)]
    out += [".SH EXAMPLES"]
    for line, what in EXAMPLES:
        out += [".TP", f"\\fB{roff(line)}\\fR", roff(what)]
    out += [".SH SEE ALSO",
            "The library: fatfly.h, and \\fBpkg\\-config \\-\\-cflags \\-\\-libs fatfly\\fR.",
            ".PP",
            "R. I. Greenberg and H.\\-C. Oh, Universal wormhole routing, IEEE Transactions on "
            "Parallel and Distributed Systems 8(3), 1997.",
            ".PP",
            "R. I. Greenberg and L. Guan, An improved analytical model for wormhole routed networks "
            "with application to butterfly fat\\-trees, ICPP 1997."]
    return "\n".join(out) + "\n"


# -- completion -----------------------------------------------------------------------------------

def bash(commands: Sequence[Command]) -> str:
    names = " ".join(command.name for command in commands)
    out = ["# SPDX-License-Identifier: Apache-2.0",
           "# fatfly.bash - completion for bash; written by scripts/docs/man.py from what the program prints, "
           "do not edit.",
           "# shellcheck shell=bash disable=SC2207 # words of the program, without spaces",
           "",
           "# Options of a command, then how to complete the value of one.",
           "_fatfly_options() {",
           "  case $1 in"]
    for command in commands:
        options = " ".join("--" + name for _, name, *_ in command.options)
        out.append(f"  {command.name}) echo \"{options} --help\" ;;")
    out += ["  esac", "}", "", "_fatfly_value() {", "  case $1:$2 in"]
    for command in commands:
        how = {}
        for _, name, _, way, _ in command.options:
            if way:
                how.setdefault(way, []).append(f"{command.name}:--{name}")
        for way in sorted(how):
            out.append(f"  {' | '.join(how[way])}) echo \"{way}\" ;;")
    out += ["  esac", "}", "",
            "_fatfly() {",
            "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} how kind",
            "  local command=${COMP_WORDS[1]}",
            "  how=''",
            "  COMPREPLY=()",
            "  if [ \"$COMP_CWORD\" = 1 ]; then",
            f"    COMPREPLY=($(compgen -W \"{names} --help --version\" -- \"$cur\"))",
            "    return",
            "  fi",
            "  # bash takes --name=value for three words.",
            "  [ \"$cur\" = = ] && cur=''",
            "  [ \"$prev\" = = ] && prev=${COMP_WORDS[COMP_CWORD - 2]}",
            "  [[ $prev == --* ]] && how=$(_fatfly_value \"$command\" \"$prev\")",
            "  if [[ -z $how && $cur == -* ]]; then",
            "    how=\"words $(_fatfly_options \"$command\")\"",
            "  elif [ -z \"$how\" ]; then",
            "    how=files",
            "  fi",
            "  kind=${how%% *}",
            "  case $kind in",
            "  words) COMPREPLY=($(compgen -W \"${how#words }\" -- \"$cur\")) ;;",
            "  cases) COMPREPLY=($(compgen -W \"$(\"${COMP_WORDS[0]}\" cosim --list 2>/dev/null)\" "
            "-- \"$cur\")) ;;",
            "  files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- \"$cur\") ;;",
            "  folders) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ;;",
            "  esac",
            "}",
            "complete -F _fatfly fatfly"]
    return "\n".join(out) + "\n"


def main() -> int:
    args = sys.argv[1:]
    check = "--check" in args
    args = [a for a in args if a != "--check"]
    if len(args) > 1 or any(a.startswith("-") for a in args):
        stop(2, "usage: man.py [--check] [FATFLY]")
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    program = args[0] if args else os.path.join(os.environ.get("BUILD", "build"), "fatfly")
    top, version, commands = read_program(os.path.abspath(program))
    bad = 0
    for path, text in (MAN, manual(top, version, commands)), (BASH, bash(commands)):
        try:
            with open(path, encoding="utf-8") as file:
                same = file.read() == text
        except FileNotFoundError:
            same = False
        if not same and check:
            print(f"{path} is not what the program says; write it with: scripts/docs/man.py")
            bad = 1
        elif not same:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            print(f"wrote {path}")
    return bad


if __name__ == "__main__":
    sys.exit(main())
