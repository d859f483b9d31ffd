# SPDX-License-Identifier: Apache-2.0
"""test_mutate_run.py - mutate.py around its tools: what Yosys is asked of a shape, which mutants are drawn and planted, which of them meet which
case, and what becomes of each; calls, stores and the judge of mutate_tools.py."""
from __future__ import annotations

import argparse
import collections
import os
import pathlib
import pickle
import signal
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

import mutate
import mutate_tools
from mutate_tools import Trouble

FAST, REF, TREE = "s2of3-v2-q5-w33-gp-fcfs", "s1of3-v1-q2-w32-rp-rr-ref", "n16-v1-q2-w32-rp-rr"
ROUTER, TORUS, MESH = "torus4n6-v3-q2-w32-nhop-rot", "torus4-v3-q2-w32-nhop-rr", "mesh4n5-v1-q2-w32-ecube-rot"


@pytest.fixture(name="o")
def options(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> argparse.Namespace:
    for folder in ("rtl/fast", "rtl/cube", "work"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("rtl/b.v", "rtl/a.v", "rtl/fast/c.v", "rtl/cube/d.v", "rtl/e.vh"):
        (tmp_path / name).touch()
    monkeypatch.setattr(mutate, "HERE", str(tmp_path))
    monkeypatch.delenv("VERILATED", raising=False)
    return argparse.Namespace(work=str(tmp_path / "work"), db=str(tmp_path / "a.db"), key="k", seed=3, sample=0, module=None, weak=False, task=None, sides=["rtl"], jobs=2,
                              build=str(tmp_path / "build"), mine=[])


class Calls:
    """In place of call(): what was asked; the file that is named at `makes` gets a text."""

    def __init__(self, makes: dict[str, str]) -> None:
        self.makes, self.asked, self.options = makes, list[list[str]](), list[dict[str, Any]]()

    def __call__(self, words: Sequence[str], what: str, **more: Any) -> str:
        self.asked.append([*words])
        self.options.append(more)
        for name, text in self.makes.items():
            pathlib.Path(name).parent.mkdir(parents=True, exist_ok=True)
            pathlib.Path(name).write_text(text)
        return what


# -- shapes -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("shape, top, values", [
    (FAST, "switch", {"VCS": "2", "DEPTH": "5", "FLIT_W": "33", "SCAN": 4, "PROBE": 1, "PATH": 2, "LEVEL": "2", "LEVELS": "3"}),
    (REF, "switch", {"VCS": "1", "DEPTH": "2", "FLIT_W": "32", "SCAN": 0, "PROBE": 1, "PATH": 1, "IMPL": 1, "LEVEL": "1", "LEVELS": "3"}),
    (TREE, "network", {"VCS": "1", "DEPTH": "2", "FLIT_W": "32", "SCAN": 0, "PROBE": 1, "PATH": 1, "LEVELS": 2}),
    ("n64-v1-q2-w32-fp-rot", "network", {"VCS": "1", "DEPTH": "2", "FLIT_W": "32", "SCAN": 3, "PROBE": 1, "PATH": 0, "LEVELS": 3}),
    (ROUTER, "cube_one", {"VCS": "3", "DEPTH": "2", "FLIT_W": "32", "SCAN": 3, "PROBE": 1, "K": "4", "TORUS": 1, "NHOP": 1, "NODE": "6"}),
    (TORUS, "cube_network", {"VCS": "3", "DEPTH": "2", "FLIT_W": "32", "SCAN": 0, "PROBE": 1, "K": "4", "TORUS": 1, "NHOP": 1}),
    (MESH, "cube_one", {"VCS": "1", "DEPTH": "2", "FLIT_W": "32", "SCAN": 3, "PROBE": 1, "K": "4", "TORUS": 0, "NHOP": 0, "NODE": "5"})])
def test_parameters(shape: str, top: str, values: dict[str, Any]) -> None:
    assert mutate.parameters(shape) == (top, values)


@pytest.mark.parametrize("shape", [FAST, ROUTER])
def test_what_yosys_elaborates(shape: str, o: argparse.Namespace, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "f"
    calls = Calls({f"{folder}/modules": "\n3 modules:\n  switch\n\n  $paramod\\fifo\\Q=5\n", f"{folder}/base.il.part": "il"})
    monkeypatch.setattr(mutate, "call", calls)
    assert mutate.elaborate(shape, str(folder)) == ["switch", "$paramod\\fifo\\Q=5"] and (folder / "base.il").read_text() == "il" and not (folder / "base.il.part").exists()
    top, values = mutate.parameters(shape)
    files = "a.v b.v fast/c.v" + " cube/d.v" * (shape == ROUTER)
    assert calls.options == [{"cwd": f"{tmp_path}/rtl"}] and calls.asked == [["yosys", "-q", "-p", "\n".join([
        f"read_verilog -I. {files}", f"chparam {' '.join(f'-set {k} {v}' for k, v in values.items())} {top}", f"hierarchy -check -top {top}", "proc", "opt_expr", "opt_clean",
        f"hierarchy -top {top}", f"tee -o {folder}/modules ls", f"write_rtlil {folder}/base.il.part"])]]


@pytest.mark.parametrize("shape, count, only, want", [
    (FAST, 66, None, {"$paramod\\fifo_fast\\A=1": 9, "$paramod\\fifo_fast\\A=2": 9, "port_fast": 30, "lfsr": 6, "gather": 12}),
    (FAST, 40, "fifo_fast", {"$paramod\\fifo_fast\\A=1": 20, "$paramod\\fifo_fast\\A=2": 20}),
    (FAST, 1, None, {"$paramod\\fifo_fast\\A=1": 1, "$paramod\\fifo_fast\\A=2": 1, "port_fast": 1, "lfsr": 1, "gather": 1}), (ROUTER, 20, None, {"cube_port": 20})])
def test_which_mutants_are_drawn(shape: str, count: int, only: str | None, want: dict[str, int], o: argparse.Namespace, tmp_path: pathlib.Path,
                                 monkeypatch: pytest.MonkeyPatch) -> None:
    """By the part of its module in all; copies of a module share it; more are asked for than are taken, as those of the probe are left out."""
    modules = ["switch", "cube_one", "$paramod\\fifo_fast\\A=1", "port_fast", "$paramod\\fifo_fast\\A=2", "lfsr", "gather", *(["cube_port"] * (shape == ROUTER))]
    monkeypatch.setattr(mutate, "elaborate", lambda shape, folder: modules)
    asked: list[str] = []
    def yosys(script: list[str], what: str) -> None:
        assert what == shape and script[:2] == [f"read_rtlil {tmp_path}/base.il", "select -set design o:* o:probe_o %d %ci*"]
        for line in script[2:]:
            words = line.split()
            asked.append(line)
            rows = [f"mutate -module {words[6]} -n {k} -port {'probe_o' if k % 5 == 0 else 'A'} -x" for k in range(int(words[2]))]
            pathlib.Path(words[words.index("-o") + 1]).write_text("\n".join(rows) + "\n")
    monkeypatch.setattr(mutate, "yosys", yosys)
    found = mutate.choose(shape, str(tmp_path), o.seed, count, only)
    assert collections.Counter(line.split()[2] for _, line in found) == want and all(kind == mutate.plain(line.split()[2]) and "probe_o" not in line for kind, line in found)
    assert asked == [f"mutate -list {2 * n + 20} -seed 3 -module {m} -o {tmp_path}/list{k} @design" for k, (m, n) in enumerate((m, want[m]) for m in modules if m in want)]
    numbers = [line.split()[4] for _, line in found if line.split()[2] in ("port_fast", "cube_port")]
    assert numbers == [str(k) for k in range(60) if k % 5][:0 if only else want.get("port_fast", count)]


@pytest.mark.parametrize("name, want", [("fifo", "fifo"), ("$paramod\\fifo\\Q=4", "fifo"), ("$paramod$0f3\\port", "port")])
def test_plain_names(name: str, want: str) -> None:
    assert mutate.plain(name) == want


def test_what_is_planted(o: argparse.Namespace, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each by its number, without what Yosys does not take again; once as modules, once flat."""
    calls, folder = Calls({}), tmp_path / "f"
    monkeypatch.setattr(mutate, "call", calls)
    mutate.plant(FAST, str(folder), [(7, "fifo", "mutate -mode inv -module fifo -src a.v:3 -wire w -wirebit 2"), (9, "port", "mutate -mode const0 -ctrlbit 5 -module port")])
    assert (folder / "flat").is_dir() and calls.asked == [["yosys", "-q", f"{folder}/mutate.ys"]]
    assert (folder / "mutate.ys").read_text() == f"""read_rtlil {folder}/base.il
mutate -ctrl mutant 16 7 -mode inv -module fifo
mutate -ctrl mutant 16 9 -mode const0 -ctrlbit 5 -module port
opt_clean
splitnets -driver
write_verilog -noattr {folder}/switch.v
setattr -mod -unset keep_hierarchy
flatten
opt_clean
splitnets -driver
write_verilog -noattr {folder}/flat/switch.v
"""


@pytest.mark.parametrize("runtime", [False, True])
def test_a_library_of_mutants(runtime: bool, o: argparse.Namespace, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has its name once it passes without a mutant, and is then not built again."""
    folder = tmp_path / "work" / FAST
    calls, judged, good = Calls({f"{folder}/new.so": "library"}), list[Any](), [False]
    if runtime:
        (tmp_path / "build").mkdir()
        (tmp_path / "build/verilated.o").touch()
    def judge(*words: Any, **more: Any) -> Iterator[tuple[int, str, int]]:
        judged.append((*words, more))
        if not good[0]:
            raise Trouble(1, "without a mutant")
        yield 1, "passed", 2
    monkeypatch.setattr(mutate, "call", calls)
    monkeypatch.setattr(mutate, "judge", judge)
    with pytest.raises(Trouble):
        mutate.build_rtl(o, FAST, str(folder), [])
    assert not (folder / "rtl.so").exists()
    good[0] = True
    for _ in range(2):
        mutate.build_rtl(o, FAST, str(folder), [(1, "fifo", "mutate -mode inv")])
    assert (folder / "rtl.so").read_text() == "library" and len(judged) == 2 and len(calls.asked) == 4
    assert judged[1] == (o, f"switch-{FAST}", "rtl", "-", [], mutate.SHORT, {"plain": f"{folder}/new.so"})
    assert calls.asked[3] == [f"{tmp_path}/scripts/sim/verilate.sh", FAST, f"{folder}/new.so", f"{folder}/flat"]
    env = calls.options[3]["env"]
    assert env["MUTANTS"] == "1" and env.get("VERILATED") == (f"{o.build}/verilated.o {o.build}/verilated_threads.o" if runtime else None)
    os.environ.pop("VERILATED", None)


def test_which_cases(o: argparse.Namespace, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a shape; each of them is in the regression."""
    assert mutate.cases_of(FAST) == [f"switch-{FAST}"] and mutate.cases_of(ROUTER) == [f"router-{ROUTER}"]
    assert len(mutate.cases_of(TREE)) == 4 and len(mutate.cases_of(TORUS)) == 2
    (tmp_path / "build").mkdir()
    (tmp_path / "build/fatfly").write_text(f"#!/bin/sh\n[ \"$*\" = 'cosim --sim {tmp_path}/sim --list' ] && echo switch-{FAST}; echo {mutate.cases_of(TORUS)[0]}\n")
    (tmp_path / "build/fatfly").chmod(0o755)
    mutate.check_cases(o, [FAST])
    for shape in (ROUTER, TORUS):
        with pytest.raises(Trouble) as trouble:
            mutate.check_cases(o, [FAST, shape])
        assert trouble.value.code == 1 and f"{shape}: no case {mutate.cases_of(shape)[shape == TORUS]} in the regression" in str(trouble.value)
    assert "; nearest: cube-torus4" in str(trouble.value)
    with pytest.raises(Trouble) as trouble:
        mutate.check_built(o)
    assert trouble.value.code == 4
    (tmp_path / "build/mutate").mkdir()
    (tmp_path / "build/mutate/judge").touch()
    mutate.check_built(o)


# -- what becomes of a mutant -----------------------------------------------------------------------

class Told:
    """In place of judge(): a mutant is told by the case of its name; what was asked."""

    def __init__(self, told: dict[int, str]) -> None:
        self.told, self.asked = told, list[tuple[str, list[int], int]]()

    def __call__(self, o: argparse.Namespace, case: str, side: str, other: str, rows: list[tuple[int, str]], cycles: int = 0, plain: str = "") -> Iterator[tuple[int, str, int]]:
        assert (side, other) == ("rtl", "-") and {lib for _, lib in rows} <= {plain} and plain.endswith("/rtl.so")
        self.asked.append((case, [n for n, _ in rows], cycles))
        for number, _ in rows:
            yield number, "mismatch" if self.told.get(number) == case else "passed", 100 + number


@pytest.fixture(name="shapes")
def without_tools(o: argparse.Namespace, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """What is elaborated and built; no shape needs more."""
    made: list[tuple[str, ...]] = []
    def elaborate(shape: str, folder: str) -> None:
        made.append(("elaborate", shape))
        pathlib.Path(folder, "base.il").touch()
    monkeypatch.setattr(mutate, "elaborate", elaborate)
    monkeypatch.setattr(mutate, "choose", lambda shape, folder, seed, count, only: [("fifo", f"{shape} {seed} {count} {only} {k}") for k in range(6)])
    monkeypatch.setattr(mutate, "build_rtl", lambda o, shape, folder, rows: made.append(("build", shape, folder, str(len(rows)))))
    return made


def became(o: argparse.Namespace, shape: str) -> list[tuple[str, str | None, int | None]]:
    return mutate_tools.Store(o.db).db.execute("select state, how, cycles from mutant where shape=? order by id", (shape,)).fetchall()


@pytest.mark.parametrize("weak", [False, True])
def test_mutants_of_a_shape(weak: bool, o: argparse.Namespace, shapes: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    """A short run, proofs of what is left, every case to the end, then the states that are reached; each only of what the one before has left."""
    o.weak, (first, last, *_) = weak, mutate.cases_of(TREE)
    told = Told({1: first, 4: last})
    monkeypatch.setattr(mutate, "judge", told)
    def equal(folder: str, top: str, numbers: list[int]) -> dict[int, str]:
        assert (folder, top, numbers) == (f"{o.work}/{TREE}", "network", [2, 3, 4, 5, 6])
        return {2: "structure", 3: "sat"}
    monkeypatch.setattr(mutate.mutate_equal, "equivalent", equal)
    mutate.rtl_shape(o, TREE, 70)
    gone = ("survived", None, None)
    assert became(o, TREE) == [("killed", first, 101), ("equivalent", "structure", None), ("equivalent", "sat", None), gone, gone, gone]
    assert mutate_tools.Store(o.db).get("rtl", TREE)[2] == (3, "fifo", f"{TREE} 3 70 None 2")
    assert shapes == [("elaborate", TREE), ("build", TREE, f"{o.work}/{TREE}", "6")]
    assert told.asked == [(first, [1, 2, 3, 4, 5, 6], mutate.WEAK if weak else mutate.SHORT)]
    mutate.rtl_shape(o, TREE, 70)               # nothing is new
    assert len(told.asked) == 1
    mutate.full_cases(o, TREE)
    assert told.asked[1:] == [(case, [4, 5, 6] if k < 2 else [5, 6], 0) for k, case in enumerate(mutate.cases_of(TREE))] and became(o, TREE)[3] == ("killed", last, 104)
    asked: list[int] = []
    def reach(folder: str, top: str, shape: str, number: int) -> bool:
        asked.append(number)
        assert (folder, top, shape) == (f"{o.work}/{TREE}", "network", TREE)
        return number == 5
    monkeypatch.setattr(mutate.mutate_reach, "equivalent", reach)
    monkeypatch.setattr(mutate.mutate_reach, "told", lambda folder, top, shape, number: None)
    mutate.reached(o, TREE)
    assert asked == [5, 6] and became(o, TREE)[4:] == [("equivalent", "reach", None), gone]
    mutate.full_cases(o, FAST)                  # no survivor: nothing is built
    assert len(shapes) == 3


@pytest.mark.parametrize("shape, proof", [(mutate.FAST[1], True), (mutate.REFERENCE[0], False), (ROUTER, False)])
def test_what_the_proof_of_the_fast_switch_tells(shape: str, proof: bool, o: argparse.Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a fast switch alone; a network's own mutants are not asked for."""
    store = mutate_tools.Store(o.db)
    store.add("rtl", shape, [("fifo", "a"), ("network", "b"), ("cube_network", "c"), ("fifo", "d")])
    for number in range(1, 5):
        store.settle("rtl", shape, number, "survived")
    monkeypatch.setattr(mutate.mutate_reach, "equivalent", lambda *_: False)
    def told(folder: str, top: str, of: str, number: int) -> int | None:
        return 0 if (folder, top, of, number) == (f"{o.work}/{shape}", mutate.parameters(shape)[0], shape, 1) else None
    monkeypatch.setattr(mutate.mutate_reach, "told", told)
    mutate.reached(o, shape)
    gone = ("survived", None, None)
    assert became(o, shape) == [("killed", mutate.PROOF, 0) if proof else gone, gone, gone, gone]


def test_what_was_made_before_goes(o: argparse.Namespace, shapes: list[tuple[str, ...]], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Libraries and graphs of other mutants in the same folder; a module that a shape lacks has none."""
    mutate_tools.keyed(f"{o.work}/{FAST}", o.key)
    folder = tmp_path / "work" / FAST
    for name in ("rtl.so", "netlist.aag", "base.il"):
        (folder / name).touch()
    monkeypatch.setattr(mutate, "choose", lambda *_: [])
    mutate.rtl_shape(o, FAST, 5)
    assert sorted(p.name for p in folder.iterdir()) == ["base.il", "key"] and not shapes
    mutate.ready(o, mutate_tools.Store(o.db), FAST)
    assert shapes == [("build", FAST, str(folder), "0")]


def test_mutants_that_were_moved(o: argparse.Namespace, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told of them is kept at home."""
    store = mutate_tools.Store(o.db)
    for shape in (FAST, REF):
        store.add("rtl", shape, [("fifo", "a"), ("fifo", "b")])
    monkeypatch.setattr(mutate, "judge", Told({1: "case"}))
    mutate.try_rtl(o, store, TREE, str(tmp_path), [1, 2], "case", 9, {1: (REF, 2), 2: (FAST, 1)})
    assert became(o, FAST) == [("new", None, None)] * 2 and became(o, REF) == [("new", None, None), ("killed", "case", 101)]


def test_every_mutation_of_a_shape(o: argparse.Namespace, shapes: list[tuple[str, ...]], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By places in the source: those of one place in the order of their cells' numbers; tables by the module's whole name."""
    def row(module: str, cell: str, port: str = "A") -> str:
        return f"mutate -mode inv -module {module} -cell {cell} -port {port} -portbit 1 -src a.v:7"
    rows = [row("fifo", "$and$fifo.v:7$20"), row("fifo", "$and$fifo.v:7$9"), row("$paramod\\fifo\\Q=4", "$and$fifo.v:7$3"), row("fifo", "$and$fifo.v:7$10", "B"),
            row("fifo", "named"),
            row("$paramod\\gate\\T=1", "$or$1"), row("$paramod\\gate\\T=2", "$or$2")]
    asked: list[Any] = []
    def yosys(script: list[str], what: str) -> None:
        asked.append((script, what))
        (tmp_path / "f/every").write_text("\n".join(rows) + "\n")
    monkeypatch.setattr(mutate, "yosys", yosys)
    folder = str(tmp_path / "f")
    for _ in range(2):
        assert mutate.listing(FAST, folder) == {
            ("fifo", "inv", "$and$fifo.v:7", "A", "1"): {"fifo": [rows[1], rows[0]], "$paramod\\fifo\\Q=4": [rows[2]]},
            ("fifo", "inv", "$and$fifo.v:7", "B", "1"): {"fifo": [rows[3]]},
            ("fifo", "inv", "named", "A", "1"): {"fifo": [rows[4]]}, ("$paramod\\gate\\T=1", "inv", "$or", "A", "1"): {"$paramod\\gate\\T=1": [rows[5]]},
            ("$paramod\\gate\\T=2", "inv", "$or", "A", "1"): {"$paramod\\gate\\T=2": [rows[6]]}}
    assert shapes == [("elaborate", FAST)] and not (tmp_path / "f/every").exists()
    assert asked[0] == ([f"read_rtlil {folder}/base.il", "select -set design o:* o:probe_o %d %ci*", f"mutate -list 10000000 -o {folder}/every @design"], FAST)


@pytest.mark.parametrize("changed, homes, counts, elsewhere, after", [
    ({}, [FAST, ROUTER], [mutate.PER_SHAPE, mutate.PER_CUBE], [TREE, FAST, ROUTER, TORUS], True), ({"weak": True}, [FAST, ROUTER], [mutate.PER_SHAPE, mutate.PER_CUBE],
    [], False),
    ({"sample": 9}, [FAST, ROUTER], [9, 9], [TREE, FAST], True), ({"sample": 9, "sides": ["rtl", "c"]}, [FAST, ROUTER], [4, 4], [TREE, FAST], True),
    ({"sample": 1, "sides": ["rtl", "c"]}, [FAST], [1], [TREE, FAST], True), ({"task": "1/2"}, [FAST, ROUTER], [mutate.PER_SHAPE, mutate.PER_CUBE], [], False)])
def test_all_shapes(changed: dict[str, Any], homes: list[str], counts: list[int], elsewhere: list[str], after: bool, o: argparse.Namespace,
                    monkeypatch: pytest.MonkeyPatch) -> None:
    """Survivors of trees meet trees, those of cubes meet cubes; a share leaves them, a sample meets two shapes."""
    o = argparse.Namespace(**{**vars(o), **changed, "mine": [("rtl", s) for s in homes] + [("c", "file")]})
    store = mutate_tools.Store(o.db)
    for shape in homes:
        store.add("rtl", shape, [("fifo", f"{shape} 1"), ("fifo", f"{shape} 2")])
        store.settle("rtl", shape, 2, "survived")
    steps, met = list[Any](), list[Any]()
    monkeypatch.setattr(mutate, "shapes_of", lambda o: [TREE, FAST, ROUTER, TORUS])
    monkeypatch.setattr(mutate, "side_by_side", lambda o, store, text, function, *lists: steps.append((function, *lists)))
    monkeypatch.setattr(mutate, "elsewhere", lambda o, shape, homeless, known: met.append((shape, homeless)))
    monkeypatch.setattr(mutate, "progress", lambda *_: None)
    mutate.run_rtl(o, store)
    assert steps == [(mutate.rtl_shape, homes, counts)] + [(mutate.full_cases, homes), (mutate.reached, homes)] * after
    assert met == [(shape, [(home, 2, f"{home} 2")]) for shape in elsewhere for home in homes if (home == ROUTER) == (shape in (ROUTER, TORUS))]


def test_which_shapes_and_files(o: argparse.Namespace) -> None:
    """A module has the shapes that have it; a sample one shape, and all files."""
    def names(**changed: Any) -> list[tuple[str, str]]:
        return mutate.batches(argparse.Namespace(**{**vars(o), **changed}))
    files = [("c", f) for f in mutate.mutate_c.FILES]
    assert names() == [("rtl", s) for s in mutate.SHAPES] and names(sides=["rtl", "c"]) == [("rtl", s) for s in mutate.SHAPES] + files
    assert names(sides=["c"], module="switch/scan.c") == [("c", "switch/scan.c")] and names(sample=5, sides=["rtl", "c"]) == [("rtl", mutate.SHAPES[0])] + files
    assert names(module="lead") == [("rtl", s) for s in mutate.ONLY_IN["lead"]] and names(module="pick") == [("rtl", s) for s in mutate.TREES]


def test_the_key_of_the_sources(o: argparse.Namespace, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each file that is named, by its name and its text."""
    monkeypatch.setattr(mutate, "SOURCES", ("rtl/*", "rtl/fast/*"))
    keys = [mutate.source_key(o)]
    assert mutate.source_key(o) == keys[0]
    for name in ("rtl/a.v", "rtl/e.vh", "rtl/fast/c.v"):
        (tmp_path / name).write_text("changed")
        keys.append(mutate.source_key(o))
    (tmp_path / "rtl/a.v").rename(tmp_path / "rtl/z.v")
    keys.append(mutate.source_key(o))
    assert len(set(keys)) == 5
    (tmp_path / "rtl/cube/d.v").write_text("not named")
    assert mutate.source_key(o) == keys[-1]


def noted(o: argparse.Namespace, name: str, number: int) -> None:
    if number == 3:
        raise Trouble(4, f"{name} fails")
    pathlib.Path(o.work, name).write_text(f"{number} {os.getpgrp() == os.getpid()}")


def test_side_by_side(o: argparse.Namespace, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each row in a process that leads a group; what one raises is told."""
    store, shown = mutate_tools.Store(o.db), list[str]()
    store.add("rtl", "x", [("m", "w")] * 3)
    store.settle("rtl", "x", 2, "survived")
    store.settle("rtl", "x", 3, "killed")
    monkeypatch.setattr(mutate.PROGRESS, "show", shown.append)
    mutate.side_by_side(o, store, "words", noted, ["a", "b"], [1, 2])
    assert [(tmp_path / "work" / name).read_text() for name in "ab"] == ["1 True", "2 True"] and shown[-1] == "[2/3] 1 survived  words"
    with pytest.raises(Trouble, match="c fails"):
        mutate.side_by_side(o, store, "words", noted, ["c", "d"], [3, 4])


@pytest.mark.parametrize("words, sides, code", [("", "rtl c", 1), ("--rtl", "rtl", 1), ("--c", "c", 0), ("--c --task 1/2", "c", 0), ("--module fifo --sample 3", "rtl", 1),
    ("--task 2/2", "rtl c", 0),
                                                ("--module switch/scan.c", "c", 0), ("--merge x", "", 7), ("--module nothing", "", 2), ("--jobs 0", "", 2),
                                                ("--task 3/2", "", 2), ("--task 1/2 --merge x", "", 2)])
def test_the_command(words: str, sides: str, code: int, o: argparse.Namespace, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch,
                     capsys: pytest.CaptureFixture[str]) -> None:
    """Which sides run, in which store, and the exit code: survivors are failures but in a share, which leaves them."""
    ran: list[str] = []
    for name in ("check_built", "check_cases"):
        monkeypatch.setattr(mutate, name, lambda *_: None)
    monkeypatch.setattr(mutate.shutil, "which", lambda name: name)
    monkeypatch.setattr(mutate, "run_rtl", lambda o, store: ran.append("rtl"))
    monkeypatch.setattr(mutate.mutate_c, "run", lambda o, store, side_by_side: ran.append("c"))
    monkeypatch.setattr(mutate.mutate_tasks, "merge", lambda o, store, keys, mine: 7 if (list(keys), o.merge, mine == o.mine) == (["rtl", "c"], ["x"], True) else 8)
    monkeypatch.setattr(mutate, "report", lambda o, store: (5, int("rtl" in ran)))
    monkeypatch.setenv("BUILD", str(tmp_path / "b"))
    before = [signal.getsignal(s) for s in (signal.SIGINT, signal.SIGTERM)]
    try:
        assert mutate.main(words.split()) == code and ran == sides.split()
    finally:
        for number, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
            signal.signal(number, handler)
    said, files = capsys.readouterr().out, [str(p.relative_to(tmp_path / "b")) for p in sorted((tmp_path / "b").rglob("*.db"))]
    if sides:
        share = "".join(f".{k}-of-2" for k in "12" if f"{k}/2" in words)
        assert files == [f"mutate/{'sample' if 'sample' in words else 'full'}/mutants{share}.db"]
        left = int("rtl" in sides)
        assert said == (f"share {words[-3:]}: 5 passed, {left} left: {tmp_path}/b/{files[0]}\n" if share else f"5 passed, {left} failed\n")
        store = mutate_tools.Store(str(tmp_path / "b" / files[0]))
        assert [row[0] for row in store.db.execute("select side from source order by 1 desc")] == sides.split()


# -- tools --------------------------------------------------------------------------------------------

def test_calls(tmp_path: pathlib.Path) -> None:
    """The output of what succeeds; of what fails the code and the last line, of errors before others."""
    assert mutate_tools.call(["sh", "-c", "pwd; echo x >&2"], "what", cwd=tmp_path) == f"{tmp_path}\n"
    for script, said in (("echo a; echo b; echo c; exit 3", "what: sh ended with code 3: c"),
                         ("echo a; echo b >&2; echo c >&2; echo d >&2; exit 1", "what: sh ended with code 1: d"),
                         ("exit 9", "what: sh ended with code 9: ")):
        with pytest.raises(Trouble) as trouble:
            mutate_tools.call(["sh", "-c", script], "what")
        assert (trouble.value.code, str(trouble.value)) == (4, said)
    with pytest.raises(Trouble, match="none-such: not on this machine") as trouble:
        mutate_tools.call(["none-such"], "what")
    again = pickle.loads(pickle.dumps(trouble.value))        # as it comes from another process
    assert (again.code, again.text, str(again)) == (4, trouble.value.text, str(trouble.value))
    with pytest.raises(Trouble) as trouble:
        mutate_tools.Parser().parse_args(["--wrong"])
    assert trouble.value.code == 2


def test_a_store(tmp_path: pathlib.Path) -> None:
    store = mutate_tools.Store(str(tmp_path / "a.db"))
    store.add("rtl", "one", [("m", "first"), ("n", "second"), ("n", "third")])
    store.add("rtl", "two", [("m", "w")])
    store.add("c", "one", [("m", "w")])
    store.settle("rtl", "one", 2, "killed", "case", 7)
    store.settle("rtl", "one", 3, "survived")
    assert store.get("rtl", "one") == [(1, "m", "first"), (2, "n", "second"), (3, "n", "third")] and store.get("rtl", "one", "killed") == [(2, "n", "second")]
    assert store.count(["rtl"]) == {"new": 2, "killed": 1, "survived": 1} and store.count(["rtl", "c"])["new"] == 3 and store.count([]) == {}
    assert store.db.execute("select state, how, cycles from mutant where side='rtl' and shape='one'").fetchall() == [("new", None, None), ("killed", "case", 7),
        ("survived", None, None)]


JUDGE = """#!/bin/sh
echo "$*" >LOG
while read -r n lib; do echo "$n $lib" >>LOG; case $lib in good) echo $n passed 9 ;; bad) echo $n mismatch $((n + 40)) ;; end) exit 3 ;; esac; done
exec >&-
sleep 0.1   # what has said all ends by itself
"""


def test_a_judge(o: argparse.Namespace, tmp_path: pathlib.Path) -> None:
    """Each as it ends; a library without a mutant goes first, and a case that fails with it kills nothing."""
    (tmp_path / "build/mutate").mkdir(parents=True)
    log, program = tmp_path / "log", tmp_path / "build/mutate/judge"
    program.write_text(JUDGE.replace("LOG", str(log)))
    program.chmod(0o755)
    def asked(rows: list[tuple[int, str]], cycles: int = 0, plain: str = "") -> list[tuple[int, str, int]]:
        return list(mutate_tools.judge(o, "case", "c", "other", rows, cycles, plain))
    ends = [(3, "passed", 9), (5, "mismatch", 45)]
    assert asked([(3, "good"), (5, "bad")]) == ends and asked([]) == []
    assert asked([(3, "good"), (5, "bad")], 7, "good") == ends
    assert log.read_text() == f"{mutate_tools.HERE}/sim case c other 7 {mutate_tools.SECONDS[True]}\n0 good\n3 good\n5 bad\n"
    asked([(3, "good")], 0)
    assert log.read_text() == f"{mutate_tools.HERE}/sim case c other 0 {mutate_tools.SECONDS[False]}\n3 good\n"
    with pytest.raises(Trouble, match="case: without a mutant, mismatch at cycle 40") as trouble:
        asked([(3, "good")], 0, "bad")
    assert trouble.value.code == 1
    with pytest.raises(Trouble, match="judge: ended with code 3 in case case") as trouble:
        asked([(3, "good"), (4, "end")])
    assert trouble.value.code == 4
