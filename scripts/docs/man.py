#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""man.py - writes docs/fatfly.1 and scripts/docs/fatfly.bash from what `fatfly --help` and
`fatfly COMMAND --help` print, so that the manual says what the program says.

usage: man.py [--check] [FATFLY]     FATFLY: the program, default $BUILD/fatfly or build/fatfly
--check writes nothing and fails if a file is not what would be written.
Exit codes: 0 done, 1 a file differs (--check), 2 usage, 3 help that cannot be read, 4 no program.
"""
import os
import re
import subprocess
import sys

MAN, BASH = "docs/fatfly.1", "scripts/docs/fatfly.bash"

# What help does not say in a form that can be read: words to complete a value from.
WORDS = {
    "nodes": "4 16 64 256 1024 4096 16384 65536 262144 1048576",
    "topology": "fat-tree torus mesh butterfly wrapped-butterfly graph:",
    "vcs": "1 2 4",
    "depth": "1 2 4 8 16",
    "FORMAT": "table csv json",
}

EXAMPLES = [
    ("fatfly run", "30 static runs of 64 processors that send to random ones."),
    ("fatfly run --nodes 256 --discipline store --pattern complement --path fp",
     "A cell of Greenberg and Oh's table I."),
    ("fatfly run --topology torus --radix 16 --path negative-hop --length 4 --load 0.1",
     "Boppana and Chalasani's torus."),
    ("fatfly run --nodes 1024 --load 0.02 --scan fcfs --path rg --format csv",
     "A point of a latency-load curve, for a program."),
    ("fatfly sweep loads.cfg && fatfly plot build/sweeps/loads.sqlite --output loads.svg",
     "A whole curve; interrupted, the first command goes on where it was."),
    ("fatfly model --nodes 1024 --length 32", "What the analytical model says about it."),
    ("fatfly estimate --nodes 64 --min-throughput 0.02 --plot front.svg",
     "The smallest network of 64 processors that carries so much, on an iCE40."),
]


def stop(code, text):
    print("man.py: " + text, file=sys.stderr)
    sys.exit(code)


def ask(program, *args):
    try:
        done = subprocess.run([program, *args], capture_output=True, text=True, timeout=60)
    except OSError as error:
        stop(4, f"{program}: {error.strerror}; build it with: make build/fatfly")
    if done.returncode:
        stop(3, f"{program} {' '.join(args)} ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout.splitlines()


class Option:
    def __init__(self, head):
        self.head = head  # "--from C --to C"
        self.help = ""

    def names(self):
        """(name, value) of each option that the head names."""
        return re.findall(r"--([a-z][a-z0-9-]*)(?: ([^\s,-][^\s,]*(?:,[A-Z]\S*)?))?", self.head)


def help_column(lines):
    """Where the text about options begins."""
    columns = [m.end() for m in (re.match(r"  --.*?\S {2,}(?=\S)", line) for line in lines) if m]
    if not columns:
        stop(3, "no option is followed by its help")
    return max(set(columns), key=columns.count)


class Command:
    """The help of a command: usage, paragraphs before and after, options by group."""

    def __init__(self, name, lines):
        self.name = name
        self.usage = re.sub(r"^usage: ", "", lines[0])
        if not lines[0].startswith(f"usage: fatfly {name}"):
            stop(3, f"fatfly {name} --help does not begin with its usage")
        self.groups = []  # [heading, [Option]]
        self.before, self.after = [], []
        column = help_column(lines)
        for line in lines[1:]:
            option = re.match(r"  --", line)
            if option:
                if not self.groups:
                    self.groups.append(["", []])
                self.take_option(line, column)
            elif line.startswith("   ") and self.groups:
                self.take_more(line.strip())
            elif self.groups or self.heading_follows(lines, line):
                self.take_text(line, lines)
            else:
                self.before.append(line)
        if not any(options for _, options in self.groups):
            stop(3, f"fatfly {name} --help shows no option")

    @staticmethod
    def heading_follows(lines, line):
        """A line at the margin right before an option is the heading of a group."""
        k = lines.index(line)
        return bool(line) and k + 1 < len(lines) and lines[k + 1].startswith("  --")

    def take_option(self, line, column):
        short = len(line) > column and line[column - 1] == " " and line[column] != " "
        option = Option(line[2:column].rstrip() if short else line.strip())
        option.help = line[column:] if short else ""
        self.groups[-1][1].append(option)

    def take_more(self, text):
        option = self.groups[-1][1][-1]
        if option.head.endswith("|") and not option.help:
            option.head += text
        else:
            option.help += (" " if option.help else "") + text

    def take_text(self, line, lines):
        if not self.after and self.heading_follows(lines, line):
            self.groups.append([line.rstrip(":"), []])
        else:
            self.after.append(line)

    def all_names(self):
        return [pair for _, options in self.groups for option in options
                for pair in option.names()]


def paragraphs(lines):
    text = re.sub(r"(?m)^exit codes: ", r"\n\g<0>", "\n".join(lines)).strip("\n")
    return [" ".join(p.split()) for p in re.split(r"\n\s*\n", text) if p.strip()]


def read_program(program):
    top = ask(program, "--help")
    version = ask(program, "--version")[0].split()[-1]
    commands = []
    for line in top:
        m = re.match(r"  ([a-z]+) {2,}(\S.*)", line)
        if m:
            command = Command(m.group(1), ask(program, m.group(1), "--help"))
            command.what = m.group(2)
            commands.append(command)
    if not commands:
        stop(3, "fatfly --help shows no command")
    return top, version, commands


# -- the manual page ------------------------------------------------------------------------------

def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha")
    text = text.replace("~", "\\(ti").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + text if text.startswith(".") else text


def roff_head(option):
    """Names bold, values italic."""
    def value(m):
        return "\\fB" + roff(m.group(1)) + "\\fR" + (" \\fI" + roff(m.group(2)) + "\\fR"
                                                     if m.group(2) else "")
    head, end = "", 0
    for m in re.finditer(r"(--[a-z][a-z0-9-]*)(?: ([^\s,-][^\s,]*(?:,[A-Z]\S*)?))?", option.head):
        head += roff(option.head[end:m.start()]) + value(m)
        end = m.end()
    # A long list of names may be broken at its bars.
    return (head + roff(option.head[end:])).replace("|", "|\\:")


def exit_codes(top):
    """(code, meaning) of the line `exit codes: 0 done, 1 ...`."""
    text = [p for p in paragraphs(top) if p.startswith("exit codes: ")]
    if not text:
        stop(3, "fatfly --help shows no exit codes")
    return [item.split(" ", 1)
            for item in re.split(r", (?=\d )", text[0].split("exit codes: ")[1])]


def manual(top, version, commands):
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
        for k, text in enumerate(paragraphs(command.before)):
            out += [".PP"] * (k > 0) + [roff(text)]
        for heading, options in command.groups:
            out += [".SS " + roff(heading[0].upper() + heading[1:])] if heading else []
            for option in options:
                out += [".TP", roff_head(option), roff(option.help)]
        for text in paragraphs(command.after):
            if text.startswith("exit codes: "):
                text = "E" + text[1:] + "."
            out += [".PP", roff(text)]
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

def completion(name, value):
    """How bash completes the value of an option; None: it has none, "": nothing is known."""
    if not value:
        return None
    if name in WORDS:
        return "words " + WORDS[name]
    if value in WORDS:
        return "words " + WORDS[value]
    names = [word for word in value.split("|") if re.fullmatch(r"[a-z][a-z0-9-]*", word)]
    if names:
        return "words " + " ".join(names)
    if re.match(r"(FILE|DB|LIB)\b", value):
        return "files"
    if value == "DIR":
        return "folders"
    if name == "case":
        return "cases"
    return ""


def bash(commands):
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
        options = " ".join("--" + name for name, _ in command.all_names())
        out.append(f"  {command.name}) echo \"{options} --help\" ;;")
    out += ["  esac", "}", "", "_fatfly_value() {", "  case $1:$2 in"]
    for command in commands:
        how = {}
        for name, value in command.all_names():
            way = completion(name, value)
            if way is not None:
                how.setdefault(way, []).append(f"{command.name}:--{name}")
        for way in sorted(how):
            out.append(f"  {' | '.join(how[way])}) echo \"{way or 'nothing'}\" ;;")
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
            "  files) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- \"$cur\")) ;;",
            "  folders) compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -d -- \"$cur\")) ;;",
            "  esac",
            "}",
            "complete -F _fatfly fatfly"]
    return "\n".join(out) + "\n"


def main():
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
