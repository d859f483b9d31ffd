# SPDX-License-Identifier: Apache-2.0
"""test_scores.py - what is said of mutants: tables and scores from what became of each, who is moved to another shape, and what an
enumeration proves."""

from __future__ import annotations

import argparse
import collections
import csv
import pathlib
import random
import re
import statistics
from typing import Any

import pytest

import judges
import mutate
import mutate_c
import mutate_tools

STATES = ("stillborn", "killed", "killed", "killed", "equivalent", "survived")


def store_of(folder: pathlib.Path, rows: list[dict[str, Any]]) -> mutate_tools.Store:
    store = mutate_tools.Store(str(folder / "mutants.db"))
    with store.db:
        store.db.executemany("insert into mutant values (:side,:shape,:id,:module,'w',:state,:how,:cycles)", rows)
    return store


def cells(said: str) -> list[list[str]]:
    """Of a table in Markdown, without its head."""
    return [[cell.strip().strip("`").replace(",", "") for cell in line.strip("|").split("|")] for line in said.splitlines() if line.startswith("|")][2:]


@pytest.mark.parametrize("seed", range(5))
def test_the_table_of_mutants(seed: int, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each cell, from random ends.  Cycles have one to six digits."""
    r, rows = random.Random(seed), []
    for side, module, shape, first in (("rtl", "fifo", "s1", 1), ("rtl", "fifo", "s2", 1), ("rtl", "port", "s1", 25), ("c", "switch/scan.c", "switch/scan.c", 1)):
        for number in range(first, first + 24):
            state = r.choice(STATES)
            how = r.choice(("one", "two", "three", mutate.PROOF)) if state == "killed" else None
            rows.append({"side": side, "module": module, "shape": shape, "id": number, "state": state, "how": how,
                         "cycles": 10 ** r.randrange(6) * r.randrange(1, 9) if state == "killed" else None})
    store = store_of(tmp_path, rows)
    passed, failed = mutate.report(argparse.Namespace(sides=["rtl", "c"], work=str(tmp_path)), store)
    said = capsys.readouterr().out
    count = collections.Counter(row["state"] for row in rows)
    assert (passed, failed) == (count["killed"] + count["equivalent"], count["survived"])
    assert len(re.findall("^FAIL survived", said, re.M)) == failed
    medians: dict[tuple[str, str], dict[float, set[str]]] = {}
    with open(tmp_path / "mutation.csv", encoding="utf-8", newline="") as text:
        for row in csv.DictReader(text):
            mine = [m for m in rows if (m["side"], m["module"], m["shape"]) == (row["side"], row["module"], row["shape"])]
            of = collections.Counter("proof" if m["how"] == mutate.PROOF else m["state"] for m in mine)
            assert [int(row[c]) for c in ("mutants", "killed", "by_proof", "equivalent", "survived")] == [
                len(mine) - of["stillborn"], of["killed"], of["proof"], of["equivalent"], of["survived"]]
            by: dict[str, list[int]] = collections.defaultdict(list)
            for m in mine:
                if m["state"] == "killed" and m["how"] != mutate.PROOF:
                    by[m["how"]].append(m["cycles"])
            least = min(statistics.median(c) for c in by.values() if 10 * len(c) >= of["killed"])
            assert statistics.median(by[row["fastest_case"]]) == least
            middle = statistics.median([c for of_case in by.values() for c in of_case])
            assert row["median_cycles_to_kill"] == f"{middle:.0f}"
            medians.setdefault((row["side"], row["module"]), {}).setdefault(float(f"{middle:.0f}"), set()).add(row["fastest_case"])
    table = {tuple(line[:2]): line[2:] for line in cells(said)}
    for (side, module), of_shape in medians.items():
        line = table[side, f"rtl/{module}.v" if side == "rtl" else module]
        assert float(line[6]) == min(of_shape) and line[5] in of_shape[min(of_shape)]
    for side, name in table:
        mine = [m for m in rows if m["side"] == side and name in ("all", m["module"], f"rtl/{m['module']}.v")]
        of = collections.Counter("proof" if m["how"] == mutate.PROOF else m["state"] for m in mine)
        assert list(map(int, table[side, name][:5])) == [len(mine) - of["stillborn"], *(of[s] for s in ("killed", "proof", "equivalent", "survived"))]


@pytest.mark.parametrize("seed", range(5))
def test_the_table_of_judges(seed: int, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judges, "changes", lambda file, narrow: range(len(file)))
    r, files = random.Random(seed), ["sim/a.c", "cmodel/b.c", "sim/none.c"]
    hows = {"stillborn": [""], "equivalent": ["object code"], "survived": [""], "killed": ["unit one", "unit two", "step three"]}
    rows = [{"side": "judges", "module": file, "shape": file, "id": k, "state": state, "how": r.choice(hows[state]), "cycles": None}
            for file in files[:2] for k in range(1, 30) for state in [r.choice(STATES)]]
    passed, failed = judges.report(argparse.Namespace(narrow=False, work=tmp_path), store_of(tmp_path, rows), files)
    said = capsys.readouterr().out

    def want(*mine: str) -> list[int]:
        of = collections.Counter(f"{row['state']} {row['how'][:4]}" if row["state"] == "killed" else row["state"] for row in rows if row["shape"] in mine)
        return [sum(map(len, mine)), of.total(), *(of[s] for s in ("stillborn", "killed unit", "killed step", "equivalent", "survived"))]

    assert {line[0]: list(map(int, line[1:])) for line in cells(said)} == {**{file: want(file) for file in files}, "sum": want(*files)}
    assert [passed, failed] == [sum(want(*files)[3:6]), want(*files)[6]] and len(re.findall("^FAIL survived", said, re.M)) == failed


def test_survivors_in_other_shapes(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A survivor meets the mutant of its own place, its bit and its control bit, and only in a shape that has the place as often."""
    def command(module: str, cell: int, port: str, bit: int, control: int) -> str:
        return f"mutate -mode cnot1 -module {module} -cell $and$fifo.v:7${cell} -port {port} -portbit {bit} -ctrlbit {control} -src fifo.v:7"

    shapes = {"here": {"fifo": (10, 9, 200)}, "same": {"$paramod\\fifo\\Q=4": (7, 1000, 30)}, "fewer": {"fifo": (1, 2)},
              "twice": {"$paramod\\fifo\\Q=2": (5, 6, 7), "$paramod\\fifo\\Q=3": (15, 16, 17)}}

    def listing(shape: str, _folder: str) -> mutate.Listing:
        found: mutate.Listing = {}
        for module, numbers in shapes[shape].items():
            for port, bit in (("A", 0), ("A", 1), ("B", 0)):
                rows = [command(module, number, port, bit, 3) for number in sorted(numbers)]
                found.setdefault(mutate.place(rows[0]), {})[module] = rows
        return found

    built: dict[str, list[mutate.Mutant]] = {}
    homes: dict[str, dict[int, tuple[str, int]]] = {}
    monkeypatch.setattr(mutate, "listing", listing)
    monkeypatch.setattr(mutate, "keyed", lambda *_: None)
    monkeypatch.setattr(mutate, "call", lambda *_: "")
    monkeypatch.setattr(mutate, "cases_of", lambda _: ["case"])
    monkeypatch.setattr(mutate, "build_rtl", lambda o, shape, folder, moved: built.update({shape: moved}))

    def tried(o: argparse.Namespace, _store: object, shape: str, folder: str, numbers: list[int], case: str, cycles: int, home: dict[int, tuple[str, int]]) -> None:
        assert (folder, numbers, case, cycles) == (f"{o.work}/{shape}/moved", list(home), "case", mutate.SHORT)
        homes[shape] = home

    monkeypatch.setattr(mutate, "try_rtl", tried)
    o = argparse.Namespace(db=str(tmp_path / "a.db"), work=str(tmp_path), key="k")
    every = [("here", n, command("fifo", cell, port, bit, n)) for n, (cell, port, bit) in enumerate(
        ((c, p, b) for c in shapes["here"]["fifo"] for p, b in (("A", 0), ("A", 1), ("B", 0))), 1)]
    known: dict[str, mutate.Listing] = {}
    for shape in shapes:
        mutate.elsewhere(o, shape, every, known)
    assert set(built) == set(homes) == {"same", "twice"}
    for shape, moved in built.items():
        got = sorted((homes[shape][k], what.split(" -src ")[0]) for k, _, what in moved)
        want = sorted((("here", n), command(module, sorted(numbers)[sorted(shapes["here"]["fifo"]).index(int(mutate.words(what)["cell"].split("$")[-1]))],
                                            mutate.words(what)["port"], int(mutate.words(what)["portbit"]), n).split(" -src ")[0])
                      for _, n, what in every for module, numbers in shapes[shape].items())
        assert got == want, shape


@pytest.mark.parametrize("file, whole", [("switch/arbiter.c", True), ("switch/scan.c", True), ("switch/port.c", False)])
def test_what_the_enumeration_proves(file: str, whole: bool, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of files all of whose inputs it goes through; of port.c not those of four channels (docs/arbiter.md)."""
    assert set(mutate_c.ARBITER) == {"switch/arbiter.c", "switch/scan.c", "switch/port.c"}
    store = mutate_tools.Store(str(tmp_path / "a.db"))
    store.add("c", file, [(file, "told"), (file, "not told")])
    monkeypatch.setattr(mutate_c, "whole_arbiter", lambda o, file, number: ("scan-rr", 77) if number == 1 else None)
    mutate_c.arbiter_file(argparse.Namespace(db=store.file), file)
    rows = store.db.execute("select state, how, cycles from mutant order by id").fetchall()
    assert rows == [("killed", "arbiter-core", 77), ("equivalent", "every case", None) if whole else ("new", None, None)]


@pytest.mark.parametrize("side, other", [("rtl", "c"), ("c", "rtl")])
def test_the_other_side_is_left_out(side: str, other: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the tables, the survivors and the score."""
    store = store_of(tmp_path, [{"side": of, "module": f"of-{of}", "shape": "s", "id": k, "state": state, "how": "case", "cycles": 5}
                                for of in ("rtl", "c") for k, state in enumerate(("killed", "survived", "equivalent"))])
    assert mutate.report(argparse.Namespace(sides=[side], work=str(tmp_path)), store) == (2, 1)
    said = capsys.readouterr().out + (tmp_path / "mutation.csv").read_text()
    assert f"of-{side}" in said and f"of-{other}" not in said and said.count("FAIL survived") == 1
