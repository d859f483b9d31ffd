#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""uses.py - the Verilog uses the parameter PROBE to show registers, and for nothing else, whatever the shape.

Usage: uses.py [RTL]        a folder of Verilog (rtl)
No macro but a name of flit.vh or the gate table of Icarus (gate.v) decides what is built, since simulators and synthesis define others.
probe.py compares netlists of some shapes; this reads the sources, which are those of all shapes.  PROBE may be declared, handed
on by its own name, and be the condition of `if (PROBE != 0)`, `if (PROBE == 0)` or of a loop up to it.  A block under such a
condition drives what it declares itself, and the outputs of DRIVEN.  What comes out of a probe_o goes to other probes alone:
outside of such blocks it enters no register, no input of a module and no output but probe_o.  A line for each other use; exit
code 1.
"""
from __future__ import annotations

import pathlib
import re
import sys

# Beside probe_o, by module; probe.py sees in its shapes that nothing but a probe comes of them.
DRIVEN = {"cube_port": {"probe"}, "port_fast": {"odd"}, "port_pair": {"probe"}, "port_one": {"fresh_o"}}
MACROS = {("flit", "FATFLY_FLIT_VH"), ("gate", "FATFLY_GATE_TABLE")}
PLAIN = (r"parameter +integer +PROBE\b", r"\.PROBE *\( *PROBE *\)")
OPENS = r"(?:\bif *\( *PROBE *[!=]= *0 *\)|\bfor *\( *o = 0; *o < PROBE; *o = o \+ 1 *\)) *begin\b"
DECLARED = r"\b(?:wire|reg|integer|genvar|localparam)\b(?: *\b(?:wire|reg|integer|signed)\b)?(?: *\[[^\]]*\])? *([^;=]+)"


def code(text: str) -> str:
    """Without comments and the words in quotes; every line where it was."""
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.S)
    return re.sub(r"//[^\n]*", "", re.sub(r'"[^"\n]*"', '""', text))


def block_end(text: str, at: int) -> int:
    """Behind the `end` of the block whose `begin` ends at that place, and of its else, and of that of the else's."""
    depth = 1
    for m in re.compile(r"\b(begin|end|case|endcase)\b").finditer(text, at):
        depth += 1 if m[1] in ("begin", "case") else -1
        if depth == 0:
            more = re.compile(r"\s*else\b[^;]*?\bbegin\b").match(text, m.end())
            return block_end(text, more.end()) if more else m.end()
    raise ValueError("a block without an end")


def drives(block: str) -> set[str]:
    """What a block drives that it does not declare."""
    own = {name.strip().split("[")[0].strip() for found in re.findall(DECLARED, block) for name in found.split(",")}
    driven = set(re.findall(r"\bassign +(\w+)", block)) | set(re.findall(r"(?:^|[;)]|\belse\b|\bbegin\b(?: *: *\w+)?)\s*(\w+)(?: *\[[^\]]*\])* *<=", block))
    driven |= {name for pins in re.findall(r"\.\w+_o *\(([^()]*)\)", block) for name in re.findall(r"\b[a-z]\w*", pins)}
    return driven - own


def wrong_uses(module: str, text: str) -> list[tuple[int, str]]:
    """Line and what is wrong there."""
    found, good = [], [m.span() for p in PLAIN for m in re.finditer(p, text)]
    for m in re.finditer(OPENS, text):
        good.append(m.span())
        more = drives(text[m.start():block_end(text, m.end())]) - {"probe_o"} - DRIVEN.get(module, set())
        if more:
            found.append((m.start(), f"a block under PROBE drives {', '.join(sorted(more))}"))
    for m in re.finditer(r"\bPROBE\b", text):
        if not any(a <= m.start() < b for a, b in good):
            found.append((m.start(), "PROBE in an expression"))
    for m in re.finditer(r"`(?:ifdef|ifndef|elsif) +(\w+)", text):
        if (module, m[1]) not in MACROS:
            found.append((m.start(), f"the macro {m[1]} decides"))
    return sorted((text.count("\n", 0, at) + 1, what) for at, what in found)


PIN = r"\.([a-z]\w*) *\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)"
WIRE = r"(?:\bassign|\bwire\b(?: *\[[^\]]*\])?) *\w+ *(?:\[[^=]*\])? *=(?!=)"


def outside(text: str) -> str:
    """With blanks for what lies under PROBE, every line where it was."""
    at = 0
    while m := re.compile(OPENS).search(text, at):
        at = block_end(text, m.end())
        text = text[:m.start()] + re.sub(r"[^\n]", " ", text[m.start():at]) + ";" + text[at:]
    return text


def leaks(module: str, text: str) -> list[tuple[int, str]]:
    """Line and signal, where something comes of a probe that is no probe."""
    text = outside(text)
    outputs = set(re.findall(r"\boutput +(?:wire|reg) *(?:\[[^\]]*\])? *(\w+)", text))
    shown = {name for pin, net in re.findall(PIN, text) if pin == "probe_o" for name in re.findall(r"\b[a-z]\w*", re.sub(r"\[[^\]]*\]", "", net))}
    shown |= {name for name in DRIVEN.get(module, set()) - outputs if len(re.findall(rf"\bwire\b[^;=]*\b{name}\b", text)) == 1}
    parts = [(m.start(), m[0]) for m in re.finditer(r"[^;]+", text)]
    found: dict[int, str] = {}
    grown = -1
    while len(shown) > grown:
        grown, found = len(shown), {}
        read = re.compile(rf"(?<!nettype )\b({'|'.join(sorted(shown))})\b")
        for at, part in parts if shown else []:
            wire = re.search(WIRE, part)
            if re.search(r"\bwire +unused\w* *=", part) or not read.search(part):
                continue
            if re.search(PIN, part):       # an instance: what it drives is no use
                rest = re.sub(PIN, lambda m: "" if m[1].endswith("_o") else m[0], part)
            elif wire:                     # ... and what is driven from a probe is a probe
                if read.search(part, wire.end()):
                    shown |= set(re.findall(r"(\w+) *(?:\[[^=]*\])? *=(?!=)", part[wire.start():]))
                rest = part[:wire.start()]
            elif re.search(r"\b(?:wire|output)\b[^=]*$", part):
                rest = part[:part.rfind("wire")]
            else:
                rest = part
            if read.search(rest) and (m := read.search(part)):
                found[at + m.start()] = m[1]
    shown_at = [(text.index("endmodule"), name) for name in shown & outputs - {"probe_o"}]
    return [(text.count("\n", 0, at) + 1, f"{name}, of a PROBE, is used") for at, name in [*found.items(), *shown_at]] + [
        (text.count("\n", 0, m.start()) + 1, f"{m[0]}, of a PROBE, is used") for m in re.finditer(r"\b\w+\.\w*probe\w*", text)]


def pragmas(text: str) -> list[tuple[int, str]]:
    """Comments by which a tool leaves out text."""
    return [(text.count("\n", 0, m.start()) + 1, f"the macro {m[0]} decides") for m in re.finditer(r"translate_o\w+|synthesis_o\w+", text)]


def main() -> int:
    rtl = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "rtl")
    files = sorted(rtl.rglob("*.v")) + sorted(rtl.rglob("*.vh"))
    uses = wrong = 0
    for file in files:
        raw = file.read_text(encoding="utf-8")
        text = code(raw)
        uses += len(re.findall(r"\bPROBE\b", text))
        for line, what in wrong_uses(file.stem, text) + leaks(file.stem, text) + pragmas(raw):
            print(f"{file.relative_to(rtl)}:{line}: {what}; allowed: to show registers at probe_o")
            wrong += 1
    if uses < 50:
        print(f"uses.py: {uses} uses of PROBE in {len(files)} files of {rtl}; allowed: the Verilog of the switch")
        return 1
    if not wrong:
        print(f"PROBE shows registers and does nothing else: {uses} uses in {len(files)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
