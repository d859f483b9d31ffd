#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""same_netlist.py - are two flat RTLIL files the same, but for source files and the order of lines?

Usage: same_netlist.py FILE FILE.  Exit code 0 the same, 1 not.  Yosys numbers the names that it
makes up, by an order that other names of modules change, and puts the place in the source into
them.  So a name with a number is told by where it stands: all parts that have it, and, ROUNDS
times over, what else these have.
"""
from __future__ import annotations

import collections
import hashlib
import re
import sys
from collections.abc import Sequence

ROUNDS = 6
MADE_UP = re.compile(r"\$\S*\$\d+\S*")


def records(name: str) -> list[str]:
    """Wires, cells with their connections, and connections, sorted."""
    with open(name) as f:
        text = re.sub(r"(?<![^\s$])[^\s$]*\.vh?:\d+(\.\d+-\d+\.\d+)?", "FILE", f.read())
    found, part = [], []
    for line in text.splitlines():
        if line.startswith(("autoidx", "attribute", "#")):
            continue
        part.append(line)
        if line.startswith(("  wire", "  connect", "  memory", "  end")):
            found.append("\n".join(part))
            part = []
    return named(found + part)


def named(parts: Sequence[str]) -> list[str]:
    """The parts, each made-up name in them told by its place."""
    tell = collections.defaultdict(str)
    for _ in range(ROUNDS):
        places = collections.defaultdict(list)
        for part in parts:
            text = MADE_UP.sub(lambda m: f"<{tell[m[0]]}>", part)
            for place, m in enumerate(MADE_UP.finditer(part)):
                places[m[0]].append(f"{place} {text}")
        tell = collections.defaultdict(str, {
            name: hashlib.sha256("\n".join(sorted(p)).encode()).hexdigest()[:16]
            for name, p in places.items()})
    return sorted(MADE_UP.sub(lambda m: f"<{re.sub('[0-9]+', '', m[0])} {tell[m[0]]}>", p) for p in parts)


first, second = records(sys.argv[1]), records(sys.argv[2])
if first != second:
    ours = collections.Counter(first) - collections.Counter(second)
    theirs = collections.Counter(second) - collections.Counter(first)
    print(f"{len(ours)} and {len(theirs)} of {len(first)} and {len(second)} parts differ")
    print("\n".join(sorted(ours)[:2] + sorted(theirs)[:2]))
    sys.exit(1)
if len(first) < 100:
    print(f"only {len(first)} parts, which cannot be")
    sys.exit(1)
print(f"{len(first)} parts, the same")
