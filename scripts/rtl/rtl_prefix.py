#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rtl_prefix.py - the RTL for use beside other RTL: every module name gets a prefix.

The sources that rtl/fatfly.f lists call their modules switch, port, fifo and the like.  This
writes copies whose modules begin with fatfly_rtl_ (or --prefix), each in a file of its own name,
and all of them in one file, fatfly_all.v, which includes nothing.  Modules whose names begin with
fatfly_ already, like the one with AXI4-Stream ports, keep them.  Nothing but module names and the
name of flit.vh changes.  tb/packaging/test_packaging.sh proves that with Yosys.
"""
from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from collections.abc import Mapping
from typing import NoReturn

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|`\w+|[A-Za-z_][\w$]*|\d[\w\']*|\s+|.', re.S)
WORD = re.compile(r"[A-Za-z_][\w$]*\Z")


def fail(code: int, text: str) -> NoReturn:
    print(f"rtl_prefix.py: {text}", file=sys.stderr)
    sys.exit(code)


def read(name: str) -> str:
    try:
        with open(os.path.join(ROOT, name)) as f:
            return f.read()
    except OSError as e:
        fail(3, f"{name}: {e.strerror}")


def listed() -> tuple[list[str], list[str]]:
    """Sources and include folders of rtl/fatfly.f."""
    lines = [line.strip() for line in read("rtl/fatfly.f").splitlines()]
    lines = [line for line in lines if line and not line.startswith("//")]
    folders = [line[len("+incdir+"):] for line in lines if line.startswith("+incdir+")]
    return [line for line in lines if not line.startswith("+")], folders


def blank(token: str) -> bool:
    return token.isspace() or token.startswith(("//", "/*"))


def rename(text: str, names: Mapping[str, str], headers: Mapping[str, str]) -> str:
    """A module name stands after `module`, or before #( or the name of an instance."""
    tokens = TOKEN.findall(text)
    solid = [i for i, token in enumerate(tokens) if not blank(token)]
    for before, here, after in zip([None] + solid, solid, solid[1:] + [None]):
        token = tokens[here]
        if before is not None and tokens[before] == "`include":
            if token.strip('"') in headers:
                tokens[here] = f'"{headers[token.strip(chr(34))]}"'
        elif token in names and after is not None:
            declared = before is not None and tokens[before] == "module"
            if declared or tokens[after] == "#" or WORD.match(tokens[after]):
                tokens[here] = names[token]
    return "".join(tokens)


def modules(text: str) -> list[str]:
    solid = [token for token in TOKEN.findall(text) if not blank(token)]
    return [b for a, b in zip(solid, solid[1:]) if a == "module"]


def inlined(text: str, bodies: dict[str, str]) -> str:
    """The text with each header in place where it is first included."""
    def body(match: re.Match[str]) -> str:
        return bodies.pop(match.group(1), "")
    return re.sub(r'^`include "([^"]+)"\n', body, text, flags=re.M)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--prefix", default="fatfly_rtl_", help="of module names (fatfly_rtl_)")
    parser.add_argument("--out", default=os.path.join(os.environ.get("BUILD", "build"), "rtl-dist"),
                        help="folder to write (build/rtl-dist)")
    args = parser.parse_args()
    if not re.match(r"[A-Za-z_]\w*\Z", args.prefix, re.ASCII):
        fail(2, f"--prefix {args.prefix}: not the beginning of a Verilog name (letters, digits, _)")

    sources, folders = listed()
    texts = {name: read(name) for name in sources}
    found = [name for text in texts.values() for name in modules(text)]
    names = {m: m if m.startswith("fatfly_") else args.prefix + m for m in found}
    clash = sorted(m for m in found if list(names.values()).count(names[m]) > 1)
    if clash:
        fail(2, f"--prefix {args.prefix}: {' and '.join(clash)} would both be {names[clash[0]]}")

    headers = {}
    for folder in folders:
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            if name.endswith(".vh"):
                headers[name] = name if name.startswith("fatfly_") else args.prefix + name
                texts[f"{folder}/{name}"] = read(f"{folder}/{name}")
    files = {}
    for name, text in texts.items():
        base = os.path.basename(name)
        stem = os.path.splitext(base)[0]
        files[headers.get(base) or names.get(stem, stem) + ".v"] = rename(text, names, headers)
    bodies = {new: files[new] for new in headers.values()}
    whole = "".join(inlined(files[names[os.path.splitext(os.path.basename(n))[0]] + ".v"], bodies)
                    for n in sources)
    left = sorted(m for m in modules(whole) if m not in names.values())
    if left or "`include" in whole:
        fail(3, f"rtl/fatfly.f: {', '.join(left) or 'a header'} is not understood")
    files["fatfly_all.v"] = ("// SPDX-License-Identifier: Apache-2.0\n"
                             "// fatfly_all.v - written by scripts/rtl/rtl_prefix.py of fatfly.\n"
                             "/* verilator lint_off DECLFILENAME */\n" + whole +
                             "/* verilator lint_on DECLFILENAME */\n")

    out = os.path.realpath(args.out)
    if os.path.exists(out) and not os.path.exists(os.path.join(out, "fatfly_all.v")):
        fail(2, f"--out {args.out}: is there and is not of this script; it would be replaced")
    new = f"{out}.{os.getpid()}.part"
    try:
        os.makedirs(new)
    except OSError as e:
        fail(4, f"{args.out}: {e.strerror}")
    try:
        for name, text in files.items():
            with open(os.path.join(new, name), "w") as f:
                f.write(text)
        shutil.rmtree(out, ignore_errors=True)
        os.rename(new, out)
    except OSError as e:
        shutil.rmtree(new, ignore_errors=True)
        fail(4, f"{args.out}: {e.strerror}")
    print(f"{args.out}: {len(names)} modules, all of them in {args.out}/fatfly_all.v")


if __name__ == "__main__":
    main()
