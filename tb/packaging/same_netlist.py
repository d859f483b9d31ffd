#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""same_netlist.py - are two flat RTLIL files the same, but for source files and the order of lines?

Usage: same_netlist.py FILE FILE.  Exit code 0 the same, 1 not.  Yosys numbers the names that it
makes up, and puts the place in the source into them; the numbers must agree, too.
"""
import re
import sys


def records(name):
    """Wires, cells with their connections, and connections, sorted."""
    with open(name) as f:
        text = re.sub(r"[^\s$]*\.vh?:\d+(\.\d+-\d+\.\d+)?", "FILE", f.read())
    found, part = [], []
    for line in text.splitlines():
        if line.startswith(("autoidx", "attribute", "#")):
            continue
        part.append(line)
        if line.startswith(("  wire", "  connect", "  memory", "  end")):
            found.append("\n".join(part))
            part = []
    return sorted(found + part)


first, second = records(sys.argv[1]), records(sys.argv[2])
if first != second:
    ours, theirs = set(first) - set(second), set(second) - set(first)
    print(f"{len(ours)} and {len(theirs)} of {len(first)} and {len(second)} parts differ")
    print("\n".join(sorted(ours)[:2] + sorted(theirs)[:2]))
    sys.exit(1)
if len(first) < 100:
    print(f"only {len(first)} parts, which cannot be")
    sys.exit(1)
print(f"{len(first)} parts, the same")
