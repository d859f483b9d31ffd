# SPDX-License-Identifier: Apache-2.0
"""test_caches.py - what scripts keep is not taken once that which it was made of has changed: sources, options, tools."""
import argparse
import itertools
import pathlib
import shutil
from typing import Any

import coverage_ci
import judges
import mutate
import mutate_tools
import pytest
import synth
import tried

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("file", ["tb/digest/digests.txt", "cmodel/measure/measure.c", "cmodel/measure/measure.h", "cmodel/theory/interval.c",
                                  "cmodel/theory/interval.h", "cmodel/cli/point.c"])
def test_samples_of_intervals(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, file: str) -> None:
    for folder in ("tb/digest", "cmodel/measure", "cmodel/theory", "cmodel/cli"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.setattr(coverage_ci, "ROOT", tmp_path)
    before = coverage_ci.results()
    assert coverage_ci.results() == before and coverage_ci.header("tree64-random").endswith(before)
    (tmp_path / file).write_text((tmp_path / file).read_text() + "\n")
    assert coverage_ci.results() != before


def test_mutants_of_judges(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judges, "HERE", str(tmp_path))
    for name in ("cmodel/a.c", "sim/b.c", "tb/c.sh", "scripts/d.py", "rtl/e.v", "Makefile", "docs/page.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    usual = {"seed": 1, "each": 2, "narrow": False, "units": False, "python": False}
    before = judges.key(argparse.Namespace(**usual))
    for other in ({"seed": 2}, {"each": 3}, {"narrow": True}, {"units": True}, {"python": True}):
        assert judges.key(argparse.Namespace(**usual | other)) != before, other
    for name in ("cmodel/a.c", "sim/b.c", "tb/c.sh", "scripts/d.py", "rtl/e.v", "Makefile"):
        (tmp_path / name).write_text("other")
        after = judges.key(argparse.Namespace(**usual))
        assert after != before, name
        before = after
    (tmp_path / "docs/page.md").write_text("other")
    assert judges.key(argparse.Namespace(**usual)) == before


@pytest.mark.parametrize("sample", [0, 8])
def test_mutants_of_the_design(monkeypatch: pytest.MonkeyPatch, sample: int) -> None:
    """By what draws them; tb/mutate has the sources.  Of which sides a sample is, its size depends on."""
    monkeypatch.setattr(mutate, "SOURCES", ())
    usual: dict[str, Any] = {"seed": 1, "sample": sample, "module": None, "weak": False, "sides": ["rtl", "c"]}
    others = [{"seed": 2}, {"sample": 9}, {"module": "fifo"}, {"weak": True}, *([{"sides": ["c"]}] if sample else [])]
    assert len({mutate.source_key(argparse.Namespace(**usual | other)) for other in [{}, *others]}) == 1 + len(others)


def test_store_of_mutants(tmp_path: pathlib.Path) -> None:
    store = mutate_tools.Store(str(tmp_path / "a.db"))
    for side, key, kept in (("rtl", "1", 0), ("c", "1", 0), ("rtl", "1", 1), ("rtl", "2", 0), ("c", "1", 1)):
        store.begin(side, key)
        assert len(store.get(side, "shape")) == kept, (side, key)
        if not kept:
            store.add(side, "shape", [("fifo", "a change")])


def test_folders_of_mutants(tmp_path: pathlib.Path) -> None:
    folder = tmp_path / "folder"
    for key, kept in (("1", False), ("1", True), ("2", False), ("1", False)):
        mutate_tools.keyed(str(folder), key)
        assert (folder / "made").exists() == kept
        (folder / "made").touch()


def test_cells_and_placements(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "cells.json"
    assert synth.kept(file, "a") is None
    synth.keep(file, "a", {"lut": 7})
    assert synth.kept(file, "b") is None and (synth.kept(file, "a") or {})["lut"] == 7
    file.write_text(file.read_text()[:-1])
    assert synth.kept(file, "a") is None
    keys: set[Any] = {synth.sha(*parts) for parts in (("net", "1", "--a"), ("Net", "1", "--a"), ("net", "2", "--a"), ("net", "1", "--b"), ("net", "1", "--a", "--b"), ("net", "1--a"))}
    assert len(keys) == 6


@pytest.fixture(name="flow")
def flow_of_copies(tmp_path: pathlib.Path) -> synth.Flow:
    """Copies of the sources, and tools that nobody calls."""
    for name in ("rtl", "tb/synth"):
        shutil.copytree(ROOT / name, tmp_path / name)
    flow = synth.Flow.__new__(synth.Flow)
    vars(flow).update(rtl=tmp_path / "rtl", bench=tmp_path / "tb/synth", folder=tmp_path / "kept", options="", yosys_version="yosys 0.23",
                      place={"ice40": (["nextpnr-ice40"], "nextpnr 0.4"), "ecp5": (["nextpnr-ecp5"], "nextpnr 0.4")})
    return flow


def point(flow: synth.Flow, name: str = "s1of3-v1-q2-w32-rp-rr", family: str = "ice40", row: synth.Row | None = None) -> synth.Point:
    made = synth.Point(flow, row, synth.parse(name), family, 8)
    made.cells = {"netlist": "0123"}
    return made


def test_each_thing_that_cells_are_made_of(flow: synth.Flow) -> None:
    """Design, family, options, Yosys, and the text of each source and harness; not how many placements there are to be."""
    name = "torus8n27-v2-q2-w32-ecube-rot"    # reads all sources
    keys = [point(flow, name).key]
    assert synth.Point(flow, None, synth.parse(name), "ice40", 0).key == keys[0] == point(flow, name).key
    keys += [point(flow, name.replace("q2", "q3")).key, *(point(flow, name, family).key for family in ("ecp5", "xilinx", "gowin", "gates"))]
    for setting, value in (("options", "-noabc"), ("yosys_version", "yosys 0.24")):
        old = getattr(flow, setting)
        setattr(flow, setting, value)
        keys.append(point(flow, name).key)
        setattr(flow, setting, old)
    for file in [flow.rtl / source for source in synth.parse(name).sources] + sorted(flow.bench.glob("*.v")):
        text = file.read_text()
        file.write_text(text + "\n")
        keys.append(point(flow, name).key)
        file.write_text(text)
    assert len(set(keys)) == len(keys) > 30 and point(flow, name).key == keys[0]


def test_each_thing_that_placements_are_made_of(flow: synth.Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Netlist, nextpnr, and each of its options: of the family, of the design and of the user."""
    monkeypatch.delenv("PNR_OPTS", raising=False)
    keys = [point(flow).place_key, point(flow, family="ecp5").place_key, point(flow, "n16-v1-q2-w32-rp-rr", "ecp5").place_key]
    other = point(flow)
    other.cells = {"netlist": "0124"}
    keys.append(other.place_key)
    for options in ("--seed 9", "--placer sa", "--placer heap"):
        monkeypatch.setenv("PNR_OPTS", options)
        keys.append(point(flow).place_key)
    monkeypatch.delenv("PNR_OPTS")
    monkeypatch.setitem(synth.PLACE, "ice40", synth.PLACE["ice40"].replace("150", "151"))
    keys.append(point(flow).place_key)
    monkeypatch.undo()
    flow.place["ice40"] = (["nextpnr-ice40"], "nextpnr 0.5")
    assert len({*keys, point(flow).place_key}) == len(keys) + 1


@pytest.mark.parametrize("changed, taken", [
    ({}, True), ({"seeds": "9"}, True), ({"seeds": "7"}, False), ({"seeds": "7", "unrouted": "8"}, True), ({"seeds": "", "unrouted": "0"}, False),
    ({"netlist": "0124"}, False), ({"netlist": "012"}, False), ({"tools": "yosys 0.23"}, False), ({"tools": "yosys 0.23, nextpnr 0.5"}, False),
    ({"tools": "yosys 0.23, nextpnr 0.40"}, False), ({"tools": "yosys 0.23, nextpnr 0.4.1"}, False), ({"tools": "yosys 0.230, nextpnr 0.4"}, False),
    ({"tools": "yosys 0.24, nextpnr 0.4"}, False), ({"seeds": "", "path": "does not fit: 9 LUT of 8"}, True), ({"seeds": "", "path": "not routed"}, False)])
def test_rows_of_a_table_that_are_taken(flow: synth.Flow, changed: dict[str, str], taken: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the same tools placed of the same netlist, as often at least."""
    monkeypatch.delenv("PNR_OPTS", raising=False)
    row = dict.fromkeys(synth.COLUMNS, "") | {"netlist": "0123", "seeds": "8", "tools": "yosys 0.23, nextpnr 0.4", "path": "a -> b"} | changed
    one = point(flow, row=row)
    one.adopt()
    assert (one.adopted is row) == taken and one.seeds == (0 if taken else 8)
    monkeypatch.setenv("PNR_OPTS", "--placer sa")
    one = point(flow, row=row)
    one.adopt()
    assert one.adopted is None


def test_cells_of_a_row_that_was_placed(flow: synth.Flow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for no placements keeps those that are there."""
    monkeypatch.delenv("PNR_OPTS", raising=False)
    for tools, taken in (("yosys 0.23, nextpnr 0.4", True), ("yosys 0.23, nextpnr 9", True), ("yosys 0.2, nextpnr 0.4", False)):
        row = dict.fromkeys(synth.COLUMNS, "") | {"netlist": "0123", "seeds": "8", "tools": tools}
        one = synth.Point(flow, row, synth.parse("s1of3-v1-q2-w32-rp-rr"), "ice40", 0)
        one.cells = {"netlist": "0123"}
        one.adopt()
        assert (one.adopted is row) == taken, tools


FIELDS = {"way": ("kept", "one"), "config": ("s1of3-v1-q2-w32-rp-rr", "s2of3-v1-q2-w32-rp-rr", "n4-v1-q2-w32-rp-rr"), "family": ("ice40", "ecp5", "xilinx")}
ROWS = [dict(zip(FIELDS, values)) for values in itertools.product(*FIELDS.values())]


@pytest.mark.parametrize("new", [ROWS[:1], ROWS[4:6], ROWS[-1:], ROWS[2:17:5]], ids=len)
def test_rows_of_other_points_stay(tmp_path: pathlib.Path, new: list[synth.Row], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each row that is not of a point that was run, and those of these points once; in a table of ways, too."""
    def row(of: synth.Row, columns: list[str], rtl: str) -> synth.Row:
        return dict.fromkeys(columns, "") | of | {"rtl": rtl}

    ways = [row(r, tried.COLUMNS, "old") for r in ROWS]
    file = tmp_path / "tried.csv"
    file.write_text(synth.csv_text(ways, tried.COLUMNS))
    monkeypatch.setattr(tried, "with_kept", lambda _: [tried.Way(name, "", [], None) for name in FIELDS["way"]])
    monkeypatch.setattr(tried, "points", lambda way, got: [row(r, tried.COLUMNS, "new") for r in new if r["way"] == way.name])
    tried.main(["--csv", str(file)])
    capsys.readouterr()
    made = synth.read_table(file, tried.COLUMNS)
    assert sorted(made, key=str) == sorted([row(r, tried.COLUMNS, "new" if r in new else "old") for r in ROWS], key=str)
    points = [{k: r[k] for k in ("config", "family")} for r in ROWS if r["way"] == "kept"]
    some = [{k: r[k] for k in ("config", "family")} for r in new]
    merged = synth.merged([row(r, synth.COLUMNS, "old") for r in points], [row(r, synth.COLUMNS, "new") for r in some])
    assert sorted(merged, key=str) == sorted([row(r, synth.COLUMNS, "new" if r in some else "old") for r in points], key=str)
