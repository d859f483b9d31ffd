#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gates.py - the gates that formal_gates.py makes are those that Yosys makes of the same netlist.

Usage: gates.py PROOF...       names of tb/formal/proofs.txt
For each proof the netlist is read once, and becomes an AIGER file in two ways: by formal_gates.py, and by `techmap; aigmap;
write_aiger` of Yosys, with zeros for undefined bits and for those that $shiftx reads beyond its word.  Inputs and registers are
matched by the names of their wires.  Then each property, each constraint and the next value of each register must be the same:
the same gates, or no input tells them apart (CaDiCaL).  Prints a line for each proof and `N passed, N failed`.
"""
from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts/formal"), str(ROOT / "scripts")]
import formal  # noqa: E402  pylint: disable=wrong-import-position
import formal_gates  # noqa: E402  pylint: disable=wrong-import-position
import formal_sat  # noqa: E402  pylint: disable=wrong-import-position
from lib import aig  # noqa: E402  pylint: disable=wrong-import-position

Ends = list[tuple[str, int, int]]      # what it is, literal of ours, literal of Yosys


def read(check: formal.Check, folder: pathlib.Path) -> tuple[formal_gates.Netlist, formal_sat.Model, list[list[str]]]:
    """A netlist as gates of ours, as a model of Yosys, and the rows of that one's map."""
    for name, text in formal.sources(check).items():
        (folder / name).write_text(text)
    files = [pathlib.Path(f).name for f in check.files]
    lines = [*formal.words(check, files), "write_json model.json", "check -assert", "chtype -set $shift t:$shiftx", "simplemap", "techmap",
             "setundef -undriven -zero", "aigmap",
             "write_aiger -I -B -L -zinit -vmap yosys.aim yosys.aig"]
    (folder / "both.ys").write_text("\n".join(lines) + "\n")
    subprocess.run([formal.YOSYS, "-q", "-s", "both.ys"], cwd=folder, check=True)
    rows = [line.split(" ", 3) for line in (folder / "yosys.aim").read_text().splitlines()]
    return (formal_gates.read(folder / "model.json", check.top, True),
            formal_sat.File((folder / "yosys.aig").read_bytes()).model(), rows)


def leaves(ours: formal_gates.Netlist, theirs: formal_sat.Model, rows: list[list[str]]) -> list[int]:
    """For each variable of Yosys that is an input or a register: the literal of ours that it is."""
    bits = {(name, k): bit for name, wire in ours.names.items() for k, bit in enumerate(wire["bits"])}
    state = {bit: 2 * (1 + ours.inputs + k) for k, (bit, _) in enumerate(ours.registers, 1)}
    found: dict[int, int] = {0: 0}
    for row in rows:
        bit = bits.get((row[3].lstrip("\\"), int(row[2])))
        at = int(row[1])
        if bit is None:
            continue
        if row[0] == "wire" and at % 2 == 0 and at >> 1 <= theirs.inputs and bit in ours.index:
            found[at >> 1] = ours.value[bit]
        elif row[0] == "init":
            found[at + 1] = 2 * ours.free[bit] >> 1
        elif row[0] in ("latch", "invlatch"):
            found[1 + theirs.inputs + at] = state[bit]
    lost = [v for v in range(1, 1 + theirs.inputs + len(theirs.after)) if v not in found]
    # Registers of Yosys's own: one that is low in the first cycle, one that is always low where there is no other.
    for v in lost:
        if v > theirs.inputs and theirs.after[v - 1 - theirs.inputs] < 2:
            found[v] = 2 * (1 + ours.inputs) if theirs.after[v - 1 - theirs.inputs] else 0
    missing = [v for v in lost if v not in found]
    if missing:
        raise formal_sat.Wrong(f"{len(missing)} inputs or registers of Yosys have no counterpart")
    return [found[v] for v in range(1 + theirs.inputs + len(theirs.after))]


def ends(ours: formal_gates.Netlist, theirs: formal_sat.Model, rows: list[list[str]]) -> Ends:
    """What must be equal, in one graph."""
    mine = ours.model()
    value = leaves(ours, theirs, rows)
    other = {literal: after for literal, after in zip(value[1 + theirs.inputs:], theirs.after, strict=True)}
    for a, b in theirs.gates:
        value.append(ours.graph.both(value[a >> 1] ^ (a & 1), value[b >> 1] ^ (b & 1)))
    if len(mine.bad) != len(theirs.bad) or len(mine.held) != len(theirs.held):
        raise formal_sat.Wrong("another number of properties or constraints")
    pairs = [("property", a, b) for a, b in zip(mine.bad, theirs.bad, strict=True)]
    pairs += [("constraint", a, b) for a, b in zip(mine.held, theirs.held, strict=True)]
    for k, after in enumerate(mine.after):
        if 2 * (1 + mine.inputs + k) in other:
            pairs.append((f"register {k}", after, other[2 * (1 + mine.inputs + k)]))
        elif k:
            raise formal_sat.Wrong(f"register {k} is not in Yosys's")
    return [(what, a, value[b >> 1] ^ (b & 1)) for what, a, b in pairs]


def differ(graph: formal_gates.Words, pairs: Ends, folder: pathlib.Path) -> bool:
    """Can an input tell a pair apart?"""
    apart = graph.some([graph.differ(a, b) for _, a, b in pairs])
    if apart < 2:
        return bool(apart)
    name, clauses = graph.clauses([apart])
    aig.write_cnf(folder / "differ.cnf", len(name), clauses + [(aig.variable(name, apart),)])
    code = subprocess.run(["cadical", "-q", "-n", "differ.cnf"], cwd=folder, check=False, stdout=subprocess.DEVNULL).returncode
    if code not in (10, 20):
        raise formal_sat.Wrong(f"cadical ended with code {code}")
    return code == 10


def compare(check: formal.Check) -> tuple[bool, str]:
    """Whether both are the same, in words."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        try:
            ours, theirs, rows = read(check, folder)
            pairs = ends(ours, theirs, rows)
            rest = [p for p in pairs if p[1] != p[2]]
            if rest and differ(ours.graph, rest, folder):
                bad = next(p for p in rest if differ(ours.graph, [p], folder))
                return False, f"{bad[0]} is not that of Yosys"
        except (formal_sat.Wrong, subprocess.CalledProcessError) as e:
            return False, str(e)
    return True, f"{len(pairs)} ends are the same, {len(pairs) - len(rest)} as gates"


def main(names: list[str]) -> int:
    known = formal.proofs()
    wrong = [n for n in names if n not in known]
    if wrong or not names:
        print(f"gates.py: no proof {wrong[0] if wrong else ''}; formal.py --list has their names", file=sys.stderr)
        return 2
    failed = 0
    for name in names:
        good, words = compare(known[name][0])
        failed += not good
        print(f"{'PASS' if good else 'FAIL'} {name}: {words}")
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
