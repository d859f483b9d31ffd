# SPDX-License-Identifier: Apache-2.0
"""test_mutate_c.py - mutate_c.py: which mutants a source in C has, and, by a stand-in for the compilers and one for the judge, what becomes of
each: no file of it is taken for another, and nothing is killed or proven that was not compiled."""
from __future__ import annotations

import argparse
import pathlib
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

import mutate_c
import mutate_tools

SOURCE = """/* x = 1; */
#define N 3 \\
  + 4
static const int table[2] = { 1, 2 };
unsigned f(uint8_t *p, const struct s *q)
{
    unsigned a = *p & 0x0F, *b = &a;
    if (a == 07 && !q->n) {
        go(a, b[1], "a, b; c"); // a++
        return -1;
    }
    for (unsigned k = 0; k < 2u; k++)
        *b = (uint8_t)*p;
    while (g(a) || ~a)
        continue;
    a <<= 1;
    return sizeof *q * 2;
}
void network_probe(void) { x = 1; }
"""
MUTANTS = [
    ("&", "|"), ("0x0F", "0x10"), ("0x0F", "0xe"), ("a == 07 && !q->n", "!(a == 07 && !q->n)"), ("==", "!="), ("&&", "||"), ("!", ""),
    ('go(a, b[1], "a, b; c")', ""), ('a, b[1], "a, b; c"', 'b[1], a, "a, b; c"'), ('a, b[1], "a, b; c"', 'a, "a, b; c", b[1]'), ("1", "2"), ("1", "0"), ("1", "2"), ("1", "0"),
    ("0", "1"), ("<", "<="), ("<", ">"), ("2u", "3u"), ("2u", "1u"), ("++", "--"), ("*b = (uint8_t)*p", ""), ("g(a) || ~a", "!(g(a) || ~a)"), ("||", "&&"), ("~", ""),
    ("continue", ""), ("a <<= 1", ""), ("<<=", ">>="), ("1", "2"), ("1", "0"), ("*", "+"), ("2", "3"), ("2", "1"),
    ("*", "+"), ("*", "+")]      # behind sizeof and the head of a loop: no compiler takes those


def test_every_mutant_of_a_source(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not of comments, texts, tables, types and declarations, nor of functions that only show; each with its line."""
    found = [(SOURCE[start:end], new) for start, end, new, _ in mutate_c.changes(SOURCE)]
    assert sorted(MUTANTS) == sorted(found)
    (tmp_path / "cmodel").mkdir()
    (tmp_path / "cmodel/a.c").write_text(SOURCE)
    monkeypatch.setattr(mutate_c, "HERE", str(tmp_path))
    every = list(mutate_c.mutants("a.c"))
    assert [c[:3] for c in every] == list(dict.fromkeys(c[:3] for c in mutate_c.changes(SOURCE)))
    said = {what for *_, what in every}
    assert {'8: f: && to || | if (a == 07 || !q->n) {', '8: f: if (a == 07 && !q->n) negated | if (!(a == 07 && !q->n)) {', "8: f: ! dropped | if (a == 07 && q->n) {",
            '9: f: dropped: go(a, b[1], "a, b; c") | ; // a++', '9: f: go() with a and b[1] swapped | go(b[1], a, "a, b; c"); // a++',
            "7: f: 0x0F to 0xe | unsigned a = *p & 0xe, *b = &a;", "13: f: dropped: *b = (uint8_t)*p | ;"} <= said


@pytest.mark.parametrize("text, step, want", [("3", 1, "4"), ("3", -1, "2"), ("0", -1, None), ("1", -1, "0"), ("0", 1, "1"), ("0x1F", 1, "0x20"), ("0XfuL", -1, "0xeuL"),
    ("07", 1, None),
                                              ("1.5", 1, None), ("1e3", 1, None), ("10u", 1, "11u")])
def test_other_numbers(text: str, step: int, want: str | None) -> None:
    assert mutate_c.other_number(text, step) == want


@pytest.mark.parametrize("text, binary", [("a & b", True), ("3 * b", True), ("a[1] - b", True), ("(a) + b", True), ("(uint8_t)*b", False), ("(int)-b", False), ("int *b", False),
                                          ("struct s *b", False), ("uint8_t *b", False), ("return -b", False), ("= &b", False), ("case -1", False), ("enum e *b", False)])
def test_operators_between_two(text: str, binary: bool) -> None:
    toks = mutate_c.tokens("; ; " + text)
    k = max(n for n, t in enumerate(toks) if t.text in "&*-+")
    assert mutate_c.is_binary(toks, k) == binary


# -- compilers: an object is the source without comments; clang -O3 sees through what is marked SAME ----------------------

class Compilers:
    """In place of subprocess.run(): gcc and clang do this, what else there is runs."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.others = subprocess.run

    def __call__(self, words: Sequence[str], **options: Any) -> subprocess.CompletedProcess[Any]:
        if words[0] not in ("gcc", "clang"):
            return self.others(words, **options)
        self.asked.append([*words])
        root, out = pathlib.Path(options.get("cwd", "/")), pathlib.Path(words[words.index("-o") + 1] if "-o" in words else "")
        if "-shared" in words:
            out.write_text("linked")
            return subprocess.CompletedProcess(words, 0, "", "")
        unit = root / (words[words.index("-c") + 1] if "-c" in words else words[-1])
        text, bad = unit.read_text(), "TRAP" if "-fsanitize=undefined" in words else "BAD"
        headers = re.findall(r'#include "(.*)"', text)
        if "-MM" in words:
            return subprocess.CompletedProcess(words, 0, f"x.o: {unit}" + "".join(f" \\\n h/{h}" for h in headers), "")
        if bad in text or "BAD" in text:
            return subprocess.CompletedProcess(words, 1, "", "no")
        text = re.sub(r"\s*//.*", "", "".join((root / "cmodel/switch" / h).read_text() for h in headers) + text)
        out.write_text(re.sub("SAME|y = 1", "same", text) if words[:2] == ["clang", "-O3"] else text)
        return subprocess.CompletedProcess(words, 0, "", "")


FILES = {"cmodel/switch/a.c": '#include "b.h"\nvoid f(void)\n{\n    x = 1;\n    y = 1;\n}\n', "cmodel/switch/b.h": "void g(void)\n{\n    z = 1;\n}\n",
         "cmodel/network/c.c": "void h(void)\n{\n    w = 5;\n}\n", "cmodel/switch/cube.c": "void k(void)\n{\n    v = 7;\n}\n", "sim/dut.c": "dut\n",
         "tb/mutate/fence.c": "fence\n"}


@pytest.fixture(name="o")
def a_repository(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[argparse.Namespace]:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    compilers = Compilers()
    monkeypatch.setattr(subprocess, "run", compilers)
    for name, value in {"HERE": str(tmp_path), "TREES": ["switch/a.c", "switch/b.h", "network/c.c"], "CUBES": ["switch/cube.c"],
                        "UNITS": ["switch/a.c", "network/c.c", "sim/dut.c"],
                        "CUBE_UNITS": ["switch/a.c", "switch/cube.c"], "FILES": ["switch/a.c", "switch/b.h", "network/c.c", "switch/cube.c"], "TRUE_HASH": {}}.items():
        monkeypatch.setattr(mutate_c, name, value)
    mutate_c.read_by.cache_clear()
    mutate_c.units_of.cache_clear()
    yield argparse.Namespace(work=str(tmp_path / "work"), db=str(tmp_path / "a.db"), key="k", sample=0, seed=1, build=str(tmp_path / "build"), module=None, weak=False, jobs=2,
                             compilers=compilers, mine=[("c", f) for f in mutate_c.FILES])
    mutate_c.read_by.cache_clear()
    mutate_c.units_of.cache_clear()


def with_changes(monkeypatch: pytest.MonkeyPatch, news: dict[str, list[tuple[str, str]]]) -> None:
    """Of each file these mutants: a text of it, and another."""
    def mutants(file: str) -> list[mutate_c.Change]:
        source = FILES[f"cmodel/{file}"]
        return [(source.index(old), source.index(old) + len(old), new, f"{old} to {new}") for old, new in news.get(file, [])]
    monkeypatch.setattr(mutate_c, "mutants", mutants)


def states(o: argparse.Namespace) -> dict[str, list[tuple[str, str | None, int | None]]]:
    found: dict[str, list[tuple[str, str | None, int | None]]] = {}
    for file, *row in mutate_tools.Store(o.db).db.execute("select shape, state, how, cycles from mutant order by shape, id"):
        found.setdefault(file, []).append((row[0], row[1], row[2]))
    return found


def side_by_side(o: argparse.Namespace, _store: object, _text: str, function: Callable[..., None], *lists: Sequence[Any]) -> None:
    for row in zip(*lists, strict=True):
        function(o, *row)


CHANGES = {"switch/a.c": [("x = 1", "x = 2"), ("y = 1", "BAD"), ("x = 1;", "x = 1; // no change"), ("y = 1", "SAME"), ("y = 1", "TRAP")], "switch/b.h": [("z = 1", "z = 2"),
    ("z = 1", "z  = 1 //")],
           "network/c.c": [("w = 5", "w = 6")], "switch/cube.c": [("v = 7", "v = 8"), ("v = 7", "v = 6")]}


def test_what_is_compiled(o: argparse.Namespace, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same code is equivalent, no code stillborn; of any other a library, linked from what the change touches and from true objects."""
    with_changes(monkeypatch, CHANGES)
    store = mutate_tools.Store(o.db)
    for file in mutate_c.FILES:
        store.add("c", file, [(file, c[3]) for c in mutate_c.chosen(file, o)])
    mutate_c.compile_once(o, ["switch/a.c", "network/c.c", "sim/dut.c", "switch/cube.c"])
    assert [mutate_c.units_of(f) for f in mutate_c.FILES] == [["switch/a.c"], ["switch/a.c"], ["network/c.c"], ["switch/cube.c"]]
    once = tmp_path / "work/c/true"
    assert (once / "tree.so").exists() and (once / "cube.so").exists() and (once / "fence.o").read_text() == "fence\n"
    assert set(mutate_c.TRUE_HASH) == {(u, "gcc", "-O2") for u in ("switch/a.c", "network/c.c", "sim/dut.c", "switch/cube.c")} and len(set(mutate_c.TRUE_HASH.values())) == 4
    o.compilers.asked.clear()
    for file in mutate_c.FILES:
        mutate_c.build_file(o, file)
    new, same, bad = ("new", None, None), ("equivalent", "object code", None), ("stillborn", None, None)
    assert states(o) == {"switch/a.c": [new, bad, same, new, bad], "switch/b.h": [new, new], "network/c.c": [new], "switch/cube.c": [new, new]}
    for file, numbers in (("switch/a.c", [1, 4]), ("switch/b.h", [1, 2]), ("network/c.c", [1]), ("switch/cube.c", [1, 2])):
        root = tmp_path / "work/c" / file.replace("/", "_")
        assert sorted(int(p.stem) for p in root.glob("*.so")) == numbers and (root / "cmodel" / file).read_text() == FILES[f"cmodel/{file}"]
    linked = [words for words in o.compilers.asked if "-shared" in words]
    assert len(linked) == 7 and all(words[:3] == ["gcc", "-shared", "-Wl,-Bsymbolic,--wrap=calloc,--wrap=free"] for words in linked)
    objects = [[pathlib.Path(w).name for w in words if w.endswith(".o")] for words in linked]
    assert objects == [["switch_a.c.o", "true_network_c.c.o", "true_sim_dut.c.o", "fence.o"]] * 4 + [["true_switch_a.c.o", "network_c.c.o", "true_sim_dut.c.o", "fence.o"]] + [
        ["true_switch_a.c.o", "switch_cube.c.o", "fence.o"]] * 2
    o.compilers.asked.clear()
    mutate_c.build_file(o, "network/c.c")       # its library is there
    assert not o.compilers.asked
    for file in mutate_c.FILES:
        mutate_c.prove_file(o, file)
    assert states(o) == {"switch/a.c": [new, bad, same, same, bad], "switch/b.h": [new, new], "network/c.c": [new], "switch/cube.c": [new, new]}


def test_a_unit_that_does_not_compile(o: argparse.Namespace, tmp_path: pathlib.Path) -> None:
    (tmp_path / "sim/dut.c").write_text("BAD")
    with pytest.raises(mutate_tools.Trouble) as trouble:
        mutate_c.prepare(str(tmp_path / "x"), ["sim/dut.c"])
    assert trouble.value.code == 4
    with pytest.raises(mutate_tools.Trouble, match="none: not on this machine"):
        mutate_c.compile_unit(str(tmp_path), ["none"], "sim/dut.c")


@pytest.mark.parametrize("sample, count", [(0, 50), (10, 1), (2800, 50), (1400, 25), (140, 2), (100000, 50)])
def test_samples(sample: int, count: int, o: argparse.Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a sample is for C, which has 1400 mutants; drawn by the seed and the file, in order."""
    every = [(k, k, "", "") for k in range(50)]
    monkeypatch.setattr(mutate_c, "mutants", lambda file: iter(every))
    o.sample = sample
    drawn = mutate_c.chosen("a", o)
    assert len(drawn) == count and drawn == sorted(set(drawn)) and drawn == mutate_c.chosen("a", o)
    if sample == 1400:
        other = argparse.Namespace(**{**vars(o), "seed": 2})
        assert drawn not in (mutate_c.chosen("b", o), mutate_c.chosen("a", other))


# -- cases ------------------------------------------------------------------------------------------

class Judge:
    """In place of judge(): what each call was asked; a mutant is told in the case of its name."""

    def __init__(self, told: dict[tuple[str, int], str]) -> None:
        self.told = told
        self.asked: list[tuple[str, str, str, list[str], int, str]] = []

    def __call__(self, o: argparse.Namespace, case: str, side: str, other: str, rows: Sequence[tuple[int, str]], cycles: int = 0,
                 plain: str = "") -> Iterator[tuple[int, str, int]]:
        self.asked.append((case, side, other, [pathlib.Path(lib).relative_to(o.work).as_posix() for _, lib in rows], cycles, pathlib.Path(plain).name))
        for number, lib in rows:
            path = pathlib.Path(lib)
            end = self.told.get((path.parent.name, int(path.stem))) == case
            yield number, "mismatch" if end else "passed", 100 + int(path.stem)


@pytest.mark.parametrize("weak, sample, arbiter", [(False, 0, True), (True, 0, False), (False, 2800, True), (False, 0, False)])
def test_all_of_it(weak: bool, sample: int, arbiter: bool, o: argparse.Namespace, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short cases, the arbiter's enumeration, proofs, then every case to the end; what none tells has survived."""
    with_changes(monkeypatch, CHANGES)
    o.weak, o.sample = weak, sample
    judge = Judge({("switch_a.c", 1): "first", ("switch_b.h", 1): "second", ("switch_b.h", 2): "fat-late",
                   ("switch_cube.c", 1): "router-first", ("switch_cube.c", 2): "router-late"})
    monkeypatch.setattr(mutate_c, "judge", judge)
    monkeypatch.setattr(mutate_c, "FIRST", ["first", "second"])
    monkeypatch.setattr(mutate_c, "CUBES_FIRST", ["router-first"])
    monkeypatch.setattr(mutate_c, "rtl_library", lambda o, case: f"{case}.so")
    monkeypatch.setattr(mutate_c, "ARBITER", {"network/c.c": ("scan-",)} if arbiter else {})
    monkeypatch.setattr(mutate_c, "COMPLETE", [])
    monkeypatch.setattr(mutate_c, "whole_arbiter", lambda o, file, number: ("scan", 7))
    call = mutate_c.call
    def listed(words: Sequence[str], what: str, **more: Any) -> str:
        if words[0] != f"{o.build}/fatfly":
            return call(words, what, **more)
        assert words[1:] == ["cosim", "--sim", f"{tmp_path}/sim", "--list"]
        return "fat-late router-late other-late"
    monkeypatch.setattr(mutate_c, "call", listed)
    mutate_c.run(o, mutate_tools.Store(o.db), side_by_side)
    same, bad, gone, long = ("equivalent", "object code", None), ("stillborn", None, None), ("survived", None, None), not weak and not sample
    def killed(by: str, cycle: int) -> tuple[str, str, int]:
        return "killed", by, cycle
    assert states(o) == {
        "switch/a.c": [killed("first", 101), bad, same, same, bad],
        "switch/b.h": [killed("second", 101) if not weak else gone, killed("fat-late", 102) if long else gone],
        "network/c.c": [killed("arbiter-core", 7) if arbiter and long else gone], "switch/cube.c": [killed("router-first", 101), killed("router-late", 102) if long else gone]}
    trees = ["c/switch_a.c/1.so", "c/switch_a.c/4.so", "c/switch_b.h/1.so", "c/switch_b.h/2.so", "c/network_c.c/1.so"]
    cycles = 20 if weak else mutate_c.SHORT
    assert judge.asked[:2] == [("first", "c", "first.so", trees[::2], cycles, "tree.so"), ("first", "c", "first.so", trees[1::2], cycles, "tree.so")]
    cubes = [row for row in judge.asked if row[0] == "router-first"]
    assert cubes == [("router-first", "c", "router-first.so", [f"c/switch_cube.c/{k}.so"], cycles, "cube.so") for k in (1, 2)]
    late = [row for row in judge.asked if row[0].endswith("late")]
    left = ["c/switch_b.h/2.so"] + ["c/network_c.c/1.so"] * (not arbiter)
    assert late == ([("fat-late", "c", "fat-late.so", [lib], mutate_c.LONG, "tree.so") for lib in left] + [
        ("router-late", "c", "router-late.so", ["c/switch_cube.c/2.so"], mutate_c.LONG, "cube.so")] if long else [])
    count = len(judge.asked)
    o.compilers.asked.clear()
    mutate_c.run(o, mutate_tools.Store(o.db), side_by_side)      # once more: nothing is new
    assert len(judge.asked) == count and not any("-shared" in words for words in o.compilers.asked)


def test_libraries_of_the_verilog(o: argparse.Namespace, tmp_path: pathlib.Path) -> None:
    (tmp_path / "build/rtl").mkdir(parents=True)
    (tmp_path / "build/fatfly").write_text(f'#!/bin/sh\n[ "$*" = "cosim --build {o.build} --sim {tmp_path}/sim --shapes --case x" ] && echo shape\n')
    (tmp_path / "build/fatfly").chmod(0o755)
    with pytest.raises(mutate_tools.Trouble, match="shape.so: no such library"):
        mutate_c.rtl_library(o, "x")
    (tmp_path / "build/rtl/shape.so").touch()
    assert mutate_c.rtl_library(o, "x") == f"{o.build}/rtl/shape.so"
    assert mutate_c.files_of(o) == mutate_c.FILES and mutate_c.files_of(argparse.Namespace(module="network/c.c")) == ["network/c.c"]


@pytest.mark.parametrize("says, want", [
    ("exit 0", None), ("echo 'scan-two, 77, x'; case $2 in scan-two) exit 1 ;; esac", ("scan-two", 77)), ("case $2 in scan-two) exit 1 ;; esac", ("scan-two", 0)),
    ("kill -SEGV $$", ("scan-one", 0)), ("exit 2", 4), ("exit 127", 4), ("echo 'ERROR: LD_PRELOAD cannot be' >&2", 4)])
def test_the_enumeration_of_the_arbiter(says: str, want: tuple[str, int] | int | None, o: argparse.Namespace, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the mutant before the true model, in the parts about its file; where the program does not run nothing is proven."""
    (tmp_path / "build/mutate").mkdir(parents=True)
    program = tmp_path / "build/mutate/arbiter_all"
    monkeypatch.setattr(mutate_c, "library", lambda o, file, number: "")       # nothing to load
    program.write_text(f"#!/bin/sh\n[ \"$1\" = --list ] && exec echo port-one scan-one scan-two\necho $* >>{tmp_path}/parts\necho told >&2\n{says}\n")
    program.chmod(0o755)
    if isinstance(want, int):
        with pytest.raises(mutate_tools.Trouble) as trouble:
            mutate_c.whole_arbiter(o, "switch/scan.c", 1)
        assert trouble.value.code == want
    else:
        assert mutate_c.whole_arbiter(o, "switch/scan.c", 1) == want
    asked = (tmp_path / "parts").read_text().splitlines()
    assert asked == ["--only scan-one", "--only scan-two"][:len(asked)] and (want is not None or len(asked) == 2)
    program.write_text("#!/bin/sh\n[ \"$1\" = --list ] && exec echo port-one\n")
    with pytest.raises(mutate_tools.Trouble, match="no part is about switch/scan.c"):
        mutate_c.whole_arbiter(o, "switch/scan.c", 1)
