#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The rules of docs/architecture.md, kept.

Usage: layers.py [FOLDER]   the tree to look at; by default this one

Fails on an include against the layers, on files that include each other in a circle, in cmodel and sim; on a
function of more than 80 lines and on a file of more than 800, there and in scripts.
"""
import ast
import os
import re
import sys
from collections.abc import Iterator

# A layer includes itself and those before it.
LIBRARY = ["switch", "network", "topology", "traffic", "theory", "measure", "engine", "api"]
ALLOWED = {layer: set(LIBRARY[:k + 1]) for k, layer in enumerate(LIBRARY)}
ALLOWED["python"] = {"switch", "python"}
ALLOWED["base"] = {"base", "switch"}
ALLOWED["cli"] = {*LIBRARY, "base", "cli"}
ALLOWED["sim"] = {*LIBRARY, "base", "cli", "sim"}
FUNCTION, FILE = 80, 800


def layer_of(path: str) -> str | None:
    parts = path.split("/")
    return parts[1] if parts[0] == "cmodel" and len(parts) == 3 else parts[0] if parts[0] == "sim" else None


def sources(root: str) -> Iterator[str]:
    for top in ("cmodel", "sim"):
        for folder, _, files in os.walk(os.path.join(root, top)):
            for name in sorted(files):
                if name.endswith((".c", ".h", ".cpp")):
                    yield os.path.relpath(os.path.join(folder, name), root)


def lengths(path: str, lines: list[str]) -> Iterator[str]:
    """What is too long."""
    if len(lines) > FILE:
        yield f"{path}: {len(lines)} lines; allowed: {FILE}"
    start = 0
    for k, line in enumerate(lines, 1):
        if line.startswith("{"):
            start = k
        elif line.startswith("}") and start:
            if k - start + 1 > FUNCTION:
                yield f"{path}:{start}: a function of {k - start + 1} lines; allowed: {FUNCTION}"
            start = 0


def scripts(root: str) -> Iterator[str]:
    """What is too long in the Python of scripts/."""
    for folder, _, files in os.walk(os.path.join(root, "scripts")):
        for name in sorted(f for f in files if f.endswith(".py")):
            path = os.path.relpath(os.path.join(folder, name), root)
            with open(os.path.join(root, path), encoding="utf-8") as text:
                source = text.read()
            yield from lengths(path, [""] * len(source.splitlines()))
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno >= FUNCTION:
                    yield f"{path}:{node.lineno}: {node.name}() has {(node.end_lineno or 0) - node.lineno + 1} lines; allowed: {FUNCTION}"


def circle(edges: dict[str, set[str]]) -> list[str]:
    """Modules that include each other in a circle, or []."""
    done: set[str] = set()
    way: list[str] = []

    def visit(module: str) -> list[str]:
        if module in way:
            return way[way.index(module):] + [module]
        if module in done:
            return []
        way.append(module)
        for other in sorted(edges.get(module, ())):
            found = visit(other)
            if found:
                return found
        way.pop()
        done.add(module)
        return []

    for module in sorted(edges):
        found = visit(module)
        if found:
            return found
    return []


def faults(root: str) -> Iterator[str]:
    files = list(sources(root))
    where = {os.path.basename(f): f for f in files if f.endswith(".h")}
    edges: dict[str, set[str]] = {}
    for path in files:
        with open(os.path.join(root, path), encoding="utf-8") as text:
            lines = text.read().splitlines()
        yield from lengths(path, lines)
        layer, module = layer_of(path), os.path.splitext(path)[0]
        for k, line in enumerate(lines, 1):
            match = re.match(r'#include "([^"]+)"', line)
            header = where.get(match[1]) if match else None
            if not header:
                continue
            if layer_of(header) and layer and layer_of(header) not in ALLOWED[layer]:
                yield f"{path}:{k}: {layer} includes {header}; allowed: {', '.join(sorted(ALLOWED[layer]))}"
            if os.path.splitext(header)[0] != module:
                edges.setdefault(module, set()).add(os.path.splitext(header)[0])
    found = circle(edges)
    if found:
        yield "a circle of includes: " + " -> ".join(found)


def main() -> int:
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), "..", "..")
    found = [*faults(root), *scripts(root)]
    print("\n".join(found) or "cmodel and sim keep the layers")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
