# SPDX-License-Identifier: Apache-2.0
"""test_caches.py - what scripts keep is not taken once that which it was made of has changed: sources, options, tools."""
import argparse
import pathlib
import shutil
from typing import Any

import coverage_ci
import judges
import mutate_tools
import pytest
import synth

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
    usual = {"seed": 1, "each": 2, "narrow": False, "units": False}
    before = judges.key(argparse.Namespace(**usual))
    for other in ({"seed": 2}, {"each": 3}, {"narrow": True}, {"units": True}):
        assert judges.key(argparse.Namespace(**usual | other)) != before, other
    for name in ("cmodel/a.c", "sim/b.c", "tb/c.sh", "scripts/d.py", "rtl/e.v", "Makefile"):
        (tmp_path / name).write_text("other")
        after = judges.key(argparse.Namespace(**usual))
        assert after != before, name
        before = after
    (tmp_path / "docs/page.md").write_text("other")
    assert judges.key(argparse.Namespace(**usual)) == before


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
