# SPDX-License-Identifier: Apache-2.0
"""test_trials.py - sim/trials.py with a stand-in for the command, right or wrong in one thing: what each kind of trial asks, that answers that
agree pass and those that do not are told, and what a trial leaves."""
from __future__ import annotations

import csv
import hashlib
import io
import itertools
import json
import os
import pathlib
import re
import sys
from collections.abc import Callable
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts/sim"), str(ROOT / "tb/spec"), str(ROOT / "tb/events")]
import drawn  # noqa: E402  (the paths above)
import events  # noqa: E402
import trials  # noqa: E402
from lib.programs import Programs  # noqa: E402


def script(file: pathlib.Path, text: str) -> pathlib.Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def trial(folder: pathlib.Path, turn: int = 1, number: int = 1) -> trials.Trial:
    return trials.Trial(Programs(), folder, folder, turn, number)


# -- programs -------------------------------------------------------------------------------------

def test_calls(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each has a log of its own; one that is ended after a limit of its own has no exit code, one that takes too long is a failure."""
    t = trial(tmp_path)
    program = script(tmp_path / "a b", 'echo "$# $1"; echo more >&2; exit "$1"')
    assert t.call([program, "3"]) == (3, "1 3\nmore\n") and t.call([program, "0", "x"]) == (0, "2 0\nmore\n")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["1.log", "2.log", "a b"]
    slow = script(tmp_path / "slow", "exec sleep 9")
    assert t.call([slow], 0.01)[0] is None
    monkeypatch.setattr(trials, "LONGEST", 0.01)
    with pytest.raises(trials.Differs, match=rf"^it takes more than 0.01 s: {slow} word$"):
        t.call([slow, "word"])
    assert t.r.random() == trial(tmp_path).r.random() != trial(tmp_path, 2).r.random() != trial(tmp_path, 1, 2).r.random()


@pytest.mark.parametrize("code, says, want", [
    (0, "fine\n", (0, "table", "fine\n")), (1, "a\nb\n", (1, "table", "a\nb\n")), (2, "fatfly run: no\n", (2, "table", "fatfly run: no\n")),
    (3, "fatfly run: no\n", (2, "table", "fatfly run: no\n")),
    (2, "fatfly run: no\nmore\n", "a refusal that is not one line: 'fatfly run: no\\nmore': fatfly run --a 1"),
    (3, "no\n", "a refusal that is not one line: 'no': fatfly run --a 1"),
    (2, "", "a refusal that is not one line: '': fatfly run --a 1"), (4, "x\nlast \n", "exit code 4: last: fatfly run --a 1"),
    (139, "", "exit code 139: no word: fatfly run --a 1")])
def test_runs(code: int, says: str, want: Any, tmp_path: pathlib.Path) -> None:
    """Exit code, the table and messages; a refusal of either code is one line."""
    (tmp_path / "says").write_text(says)
    script(tmp_path / "fatfly", f'[ "$1 $2 $3 $4" = "run --a 1 --output" ] && echo -n table >"$5"; cat {tmp_path}/says; exit {code}')
    (tmp_path / "out").write_text("old")
    if isinstance(want, str):
        with pytest.raises(trials.Differs, match=f"^{re.escape(want)}$"):
            trial(tmp_path).run(["--a", "1"])
    else:
        assert trial(tmp_path).run(["--a", "1"]) == want
        assert trial(tmp_path).run(["--b", "1"])[1] == ""


def test_same() -> None:
    trials.same({"a": 1, "cpu_s": 1, "b": None}, {"a": 1, "wall_s": 2}, "x")
    for want, got, said in (({"a": 1}, {"a": 2}, "x: a is 2, was 1"), ({"a": 1}, {}, "x: a is None, was 1"), ({}, {"a": 1}, "x: a is 1, was None"),
                            ({"wall_s": 1, "d": 3}, {"wall_s": 2, "d": 4}, "x: d is 4, was 3")):
        with pytest.raises(trials.Differs, match=f"^{said}$"):
            trials.same(want, got, "x")


# -- runs -----------------------------------------------------------------------------------------

class Runs(trials.Trial):
    """Of the options it takes all but some, each refused alone; `log` is what `fatfly events` says of a log."""

    def __init__(self, home: pathlib.Path, refused: list[str], hops: int = 1, log: tuple[int, str] = (0, ""), deadlock: bool = False) -> None:
        super().__init__(Programs(), home / "build", home, 1, 1)
        self.refused, self.hops, self.log, self.deadlock = refused, hops, log, deadlock
        self.asked: list[list[str]] = []
        self.called: list[list[str]] = []

    def run(self, words: list[str]) -> tuple[int, str, str]:
        self.asked.append(list(words))
        for name in self.refused:
            if f"--{name}" in words:
                return 2, "", f"fatfly run: {'--' * (name != 'depth')}{name.replace('-', '_') if name == 'depth' else name} of this: no\n"
        if self.deadlock:
            return 1, "", "deadlock\n"
        return 0, json.dumps({"digest": "dd", "flit_hops": self.hops}), ""

    def call(self, words: Any, limit: float | None = None) -> tuple[int | None, str]:
        self.called.append([str(word) for word in words])
        return self.log


OPTIONS = {"nodes": "4", "depth": "2", "vcs": "2", "lengths": "mix", "runs": "3", "seed": "7"}


@pytest.fixture(name="options")
def options_(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    options = dict(OPTIONS)
    monkeypatch.setattr(drawn, "options_of", lambda r, home: options)
    monkeypatch.setattr(events, "tried", lambda check, *words: "")
    return options


def test_what_a_run_asks(options: dict[str, str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused is left out until the rest is taken; then each other way, and a log of one run, which is read in three ways."""
    tried: list[Any] = []
    monkeypatch.setattr(events, "tried", lambda check, *words: tried.append((check.__name__, words)) or "")
    t = Runs(tmp_path, ["vcs", "depth"])
    assert trials.try_run(t) == "dd" and options == {"nodes": "4", "lengths": "mix", "runs": "3", "seed": "7"}
    usual = "--nodes 4 --lengths mix --runs 3 --seed 7 --format json".split()
    one = "--nodes 4 --lengths mix --runs 1 --seed 7".split()
    threads = t.asked[6][-1]
    assert t.asked[2:] == [usual, [*usual, "--engine", "cycle"], [*usual, "--engine", "fast"], [*usual, "--threads", "1"], [*usual, "--threads", threads],
                           [*usual, "--parts", "2"],
                           ["--config", f"{tmp_path}/run.cfg", "--format", "json"], [*one, "--format", "json"], [*one, "--format", "json", "--events", f"{tmp_path}/log.csv"]]
    assert len(t.asked) == 11 and threads in "234" and (tmp_path / "run.cfg").read_text() == drawn.settings_of(options)
    assert t.called == [[f"{tmp_path}/build/fatfly", "events", f"{tmp_path}/log.csv"]]
    table = {"digest": "dd", "flit_hops": 1}
    assert tried == [("read_anew", (tmp_path / "log.csv", table)), ("asked_wrong", (one, tmp_path / "log.csv", table))]


def test_runs_without_a_log_or_a_file(options: dict[str, str], tmp_path: pathlib.Path) -> None:
    """Of more than 100,000 moves there is no log; a seed of 10^18 and more is in no file; a deadlock has no table."""
    for hops, logs in ((100_000, 1), (100_001, 0)):
        t = Runs(tmp_path, [], hops)
        assert trials.try_run(t) == "dd" and sum("--events" in words for words in t.asked) == len(t.called) == logs
    for seed, files in ((10 ** 18 - 1, 1), (10 ** 18, 0)):
        options["seed"] = str(seed)
        t = Runs(tmp_path, [])
        assert trials.try_run(t) == "dd" and sum("--config" in words for words in t.asked) == files
    t = Runs(tmp_path, [], deadlock=True)
    assert trials.try_run(t) == "deadlock" and len(t.called) == 1


def test_runs_that_are_refused(options: dict[str, str], tmp_path: pathlib.Path) -> None:
    """An option that is not there cannot be left out; then it is no trial."""
    t = Runs(tmp_path, ["format"])
    assert trials.try_run(t) == "refused: fatfly run: --format of this: no" and len(t.asked) == 1 and options == OPTIONS


def test_logs_that_are_wrong(options: dict[str, str], tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = "; fatfly run --nodes 4 --depth 2 --vcs 2 --lengths mix --runs 1 --seed 7"
    for log, said in (((1, "a\nwrong row 3\nwrong row 4\nend\n"), "wrong row 3"), ((1, "a\nlast\n"), "last")):
        with pytest.raises(trials.Differs, match=f"^the log contradicts itself: {said}{one}$"):
            trials.try_run(Runs(tmp_path, [], log=log))
    for which in ("read_anew", "asked_wrong"):
        monkeypatch.setattr(events, "tried", lambda check, *words, which=which: f"of {which}" if check.__name__ == which else "")
        with pytest.raises(trials.Differs, match=f"^of {which}{one}$"):
            trials.try_run(Runs(tmp_path, []))
    assert options == OPTIONS


# -- sweeps ---------------------------------------------------------------------------------------

class Sweeps(trials.Trial):
    """A command whose results are lines of a file: a point and its digest; wrong in one thing."""

    def __init__(self, home: pathlib.Path, number: int, wrong: str = "") -> None:
        super().__init__(Programs(), home / "build", home, 1, number)
        self.wrong, self.kills = wrong, 0
        self.axes: dict[str, list[str]] = {}
        self.asked: list[str] = []

    def rows(self, plan: pathlib.Path) -> list[str]:
        self.axes = {name: [value.strip('"') for value in values.split(", ")] for name, values in re.findall(r"^(\w+) = \[(.*)\];$", plan.read_text(), re.M)}
        return [json.dumps(dict(zip(self.axes, point))) for point in itertools.product(*self.axes.values())]

    def call(self, words: Any, limit: float | None = None) -> tuple[int | None, str]:
        program, command, *rest = (str(word) for word in words)
        assert program == f"{self.build}/fatfly"
        self.asked.append(command)
        if command == "sweep":
            return self.sweep(rest, limit)
        if command == "merge":
            files = [pathlib.Path(name) for name in rest[1:]]
            pathlib.Path(rest[0]).write_text("".join(file.read_text() for file in files if self.wrong != "share" or file != files[0]))
        if command == "export":
            rows = sorted(set(pathlib.Path(rest[0]).read_text().splitlines()))
            assert rest[1] == "--output"
            pathlib.Path(rest[2]).write_text(self.table([json.loads(row) for row in rows]))
        return (5, "it\nbroke\n") if self.wrong == command else (0, "")

    def sweep(self, words: list[str], limit: float | None) -> tuple[int | None, str]:
        rows, db = self.rows(pathlib.Path(words[0])), pathlib.Path(words[words.index("--db") + 1])
        if "--task" in words:
            k, n = map(int, words[words.index("--task") + 1].split("/"))
            assert words[words.index("--local") + 1] == str(self.home) and 1 <= k <= n
            if rows[k - 1::n]:
                db.with_name(f"part.{k}-of-{n}.sqlite").write_text("\n".join(rows[k - 1::n]) + "\n")
            return 0, ""
        if "--threads" in words:
            assert words[words.index("--threads") + 1] in "123" and db.name == "whole.sqlite"
            db.write_text("\n".join(rows))
            return (4, "no\n") if self.wrong == "whole" else (0, "")
        assert db.name == "killed.sqlite"
        if limit and self.kills < 2:
            self.kills += 1
            db.write_text(rows[0] + "\n")
            return None, ""
        db.write_text("\n".join(rows[1:] if self.wrong == "killed" else rows) + "\n")
        return (9, "x\nbroke\n") if self.wrong == "kill" else (0, "")

    def table(self, points: list[dict[str, str]]) -> str:
        out = io.StringIO()
        names = [name for name in self.axes if name not in ("cycles", "warmup")]
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([*names, "digest", "latency_mean", "empty", "cpu_s"])
        for point in points:
            writer.writerow([*(point[name] for name in names), hashlib.sha256(json.dumps(point, sort_keys=True).encode()).hexdigest()[:8], "5", "", str(len(self.asked))])
        return "\n".join(line.rpartition(",")[0] for line in out.getvalue().splitlines()) + "\n"

    def run(self, words: list[str]) -> tuple[int, str, str]:
        options = dict(zip([word.removeprefix("--").replace("-", "_") for word in words[::2]], words[1::2]))
        assert options.pop("format") == "csv" and set(options) == set(self.axes), (options, self.axes)
        text = self.table([options])
        if self.wrong == "point":
            text = re.sub(",5,$", ",6,", text.rstrip()) + "\n"
        head, row = text.splitlines()
        return (1, "", "no\nway\n") if self.wrong == "alone" else (0, f"{head},more\n{row},7\n", "")


def test_sweeps(tmp_path: pathlib.Path) -> None:
    """The table of one sweep, of its shares and of one that was killed; each setting is drawn, with each of its values."""
    seen: dict[str, set[str]] = {}
    counts: dict[str, set[int]] = {}
    shares = set()
    for number in range(35):
        t = Sweeps(tmp_path, number)
        points, digest = re.fullmatch(r"(\d+) points ([0-9a-f]{8})", trials.try_sweep(t)).groups()  # type: ignore[union-attr]
        want = 1
        for name, values in t.axes.items():
            seen.setdefault(name, set()).update(values)
            counts.setdefault(name, set()).add(len(values))
            want *= len(values)
        assert int(points) == want and digest in t.table([json.loads(row) for row in t.rows(tmp_path / "plan.cfg")])
        assert ("load" in t.axes) == ("cycles" in t.axes) == ("warmup" in t.axes) != ("runs" in t.axes) == ("pattern" in t.axes)
        shares.add(t.asked.count("sweep") - t.kills - 2)
        for file in tmp_path.glob("*.sqlite"):
            file.unlink()
    seeds = seen.pop("seed")
    assert seen == {"nodes": {"4", "16", "64"}, "length": {"1", "3", "8", "20"}, "load": {"0.01", "0.1", "0.3", "0.8"}, "cycles": {"200", "3000"}, "warmup": {"100"},
                    "runs": {"1", "2", "30"},
                    "pattern": {"random", "complement", "many-to-1"}, "path": set(drawn.FAT_TREE_PATHS), "scan": set(drawn.SCANS), "vcs": {"1", "2", "4"},
                    "depth": {"1", "2", "5"}}
    assert 2 ** 29 < max(map(int, seeds)) < 2 ** 31 and shares == {2, 3, 4}
    assert counts == {"nodes": {1, 2, 3}, "load": {1, 2, 3}, **{name: {1, 2} for name in ("length", "pattern", "path", "scan", "vcs", "depth")},
                      **{name: {1} for name in ("seed", "cycles", "warmup", "runs")}}


@pytest.mark.parametrize("wrong, said", [("share", r"\d shares that are merged give another table than one sweep"),
                                         ("killed", "a sweep that was killed and went on gives another table"),
                                         ("kill", "exit code 9 after a kill: broke"), ("alone", "exit code 1 of a point alone: way"),
                                         ("whole", r"exit code 4: no: fatfly sweep .*/plan.cfg --db .*"),
                                         ("merge", "exit code 5: broke: fatfly merge .*"), ("export", "exit code 5: broke: fatfly export .*"),
                                         ("point", "fatfly run .*, a point of the sweep: latency_mean is 6, was 5")])
def test_sweeps_that_differ(wrong: str, said: str, tmp_path: pathlib.Path) -> None:
    for number in (1, 2, 5):
        with pytest.raises(trials.Differs, match=f"^{said}$"):
            trials.try_sweep(Sweeps(tmp_path, number, wrong))
        for file in tmp_path.glob("*.sqlite"):
            file.unlink()


# -- others ---------------------------------------------------------------------------------------

class Calls(trials.Trial):
    """Keeps what is called and answers it."""

    def __init__(self, home: pathlib.Path, number: int, answer: Callable[[list[str]], tuple[int, str]]) -> None:
        super().__init__(Programs(), home / "build", home, 1, number)
        self.answer = answer
        self.called: list[list[str]] = []

    def call(self, words: Any, limit: float | None = None) -> tuple[int | None, str]:
        self.called.append([str(word) for word in words])
        return self.answer(self.called[-1])


def test_unit_tests(tmp_path: pathlib.Path) -> None:
    """Any that runs and has a source, in the root, with a seed of 64 bits; it fails by the line that says where."""
    with pytest.raises(trials.Missing, match=f"^{tmp_path}/build/unit has no tests; build them with: make unit$"):
        trials.try_unit(Calls(tmp_path, 1, lambda words: (0, "")))
    for name in ("test_worm", "test_gg", "test_none_such", "test_gg.o", "other"):
        script(tmp_path / "build/unit" / name, "")
    (tmp_path / "build/unit/test_pool").write_text("")
    seen, seeds = set(), []
    for number in range(40):
        t = Calls(tmp_path, number, lambda words: (0, ""))
        said = trials.try_unit(t)
        (env, folder, root, name, seed), = t.called
        assert (env, folder, root) == ("env", "-C", str(ROOT)) and said == f"{pathlib.Path(name).name} {seed}"
        seen.add(name)
        seeds.append(int(seed))
    assert seen == {f"{tmp_path}/build/unit/test_{name}" for name in ("worm", "gg")} and len(set(seeds)) == 40 and 2 ** 60 < max(seeds) < 2 ** 64 and min(seeds) > 0
    for text, at in (("x\ntest.c:12: no\nERROR: y\n", "test.c:12: no"), ("a\n==1==ERROR: leak\nb\n", "==1==ERROR: leak"),
                     ("a\nb: runtime error: c\nd\n", "b: runtime error: c"), ("a\nb\n", "b")):
        with pytest.raises(trials.Differs, match=rf"^test_(worm|gg) \d+: exit code 7: {re.escape(at)}$"):
            trials.try_unit(Calls(tmp_path, 1, lambda words, text=text: (7, text)))


def test_specifications(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Switches, networks and routers, each for as many cycles as its size allows."""
    with pytest.raises(trials.Missing, match=f"^{tmp_path}/build/spec/drive is not there; build it with: make {tmp_path}/build/spec/drive$"):
        trials.try_spec(Calls(tmp_path, 1, lambda words: (0, "")))
    script(tmp_path / "build/spec/drive", "")
    monkeypatch.setattr(trials.cube, "every", lambda: ["torus4n5-v2-q2-w32-ecube-rot:77", "mesh3n0-v9-q2-w32-nhop-rr:55"])
    kinds: dict[str, set[str]] = {}
    seeds, cubes, scans = [], set(), set()
    for number in range(400):
        t = Calls(tmp_path, number, lambda words: (0, ""))
        said = trials.try_spec(t)
        (*first, seed, shape), = t.called
        assert first == [sys.executable, "-B", f"{ROOT}/tb/spec/compare.py", "--build", f"{tmp_path}/build", "--seed"]
        name, _, cycles = shape.partition(":")
        assert said == f"{name} {seed}"
        if match := re.fullmatch(r"(torus4n5-v2|mesh3n0-v9)-q(\d+)-w(\d+)-(ecube|nhop)-(\w+)", name):
            assert (match[1], match[4], cycles) in (("torus4n5-v2", "ecube", "77"), ("mesh3n0-v9", "nhop", "55"))
            cubes.add((int(match[2]), int(match[3])))
            scans.add(match[5])
        else:
            kinds.setdefault(name.split("-")[0] if name[0] == "n" else "s", set()).add(cycles)
        seeds.append(int(seed))
    assert kinds.pop("n1024", {"72"}) == {"72"} and kinds == {"s": {"2048"}, "n4": {"2048"}, "n16": {"1024"}, "n64": {"384"},
                                                              "n256": {"128"}} | {k: {"72"} for k in kinds if k not in ("s", "n4", "n16", "n64", "n256")}
    assert {q for q, _ in cubes} == set(range(1, 17)) and min(w for _, w in cubes) < 20 and max(w for _, w in cubes) > 60 and all(16 <= w <= 64 for _, w in cubes) and \
        scans == {"rot", "rr", "fo"}
    assert 90 < seeds.count(0) < 180 and 2 ** 31 < max(seeds) < 2 ** 32 and 60 < sum(1 for _ in cubes) < 130
    with pytest.raises(trials.Differs, match=r"^it differs \(seed \d+\)$"):
        trials.try_spec(Calls(tmp_path, 1, lambda words: (1, "a\nit differs\n")))


class Faults(Calls):
    """Co-simulation with a fault: it stops at the cycle of it, or as `wrong` says."""

    def __init__(self, home: pathlib.Path, number: int, wrong: str = "") -> None:
        super().__init__(home, number, self.cosim)
        self.wrong, self.fault = wrong, []

    def cosim(self, words: list[str]) -> tuple[int, str]:
        case = dict(re.findall(r'^(\w+) = "?([^";]*)', (self.home / "case.cfg").read_text(), re.M))
        fault = words[1].removeprefix("FAULTY=").split()
        assert words == ["env", words[1], "FAULTY_OF=", f"{self.build}/fatfly", "cosim", "--sim", f"{ROOT}/sim", "--build", str(self.home), "--config", f"{self.home}/case.cfg",
                         "--rtl", f"{self.build}/judge/faulty.so", "--shrink", "0"]
        if fault == "none 0 0 0 0".split():
            return {"first": (1, "x\nno\n"), "row": (0, "no row\n")}.get(self.wrong, (0, "name 1 2 3 4\ncase   400 1 30 7\n"))
        self.fault = fault
        what, _, _, resets, at = fault
        assert resets == ("17" if "level" in case else "2" if case["depth"] == "2" else "1") and 0 <= int(at) < 400
        if self.wrong == "later" or self.wrong == "of a flit" and what in drawn.OF_A_FLIT:
            at = str(int(at) + 1)
        return {"code": 0, "crash": 2}.get(self.wrong, 1), "fine\n" if self.wrong == "silent" else f"a\nthe two sides differ at cycle {at}: b\n"


def test_judges(tmp_path: pathlib.Path) -> None:
    """Without its fault a case passes; with it, it stops in its cycle, or, of a flit, in any."""
    with pytest.raises(trials.Missing, match=f"^{tmp_path}/build/judge/faulty.so is not there; build it with: make {tmp_path}/build/judge/faulty.so$"):
        trials.try_judge(Faults(tmp_path, 1))
    script(tmp_path / "build/judge/faulty.so", "")
    resets = set()
    for number in range(60):
        t = Faults(tmp_path, number, "of a flit")
        said = trials.try_judge(t)
        assert re.fullmatch(r"(s\d+of\d+|n\d+)-v\d-q\d+-w\d+-\w+-\w+ " + "-".join(t.fault), said) and len(t.called) == 2
        resets.add(t.fault[3])
    assert resets == {"17", "2", "1"}
    for wrong, said in (("first", "without a fault: exit code 1: no"), ("row", "without a fault: exit code 0: no row"),
                        ("code", ".* of 400 cycles, 30 flits: exit code 0, the two sides differ at cycle .*"),
                        ("crash", ".*: exit code 2, the two sides differ at cycle .*"), ("silent", rf"(\w+ \d+ \d+ \d+ \d+) of 400 cycles, 30 flits: exit code 1, not seen; "
                                      rf"repeat: FAULTY='\1' FAULTY_OF= {tmp_path}/build/fatfly cosim "
                                      rf"--config {tmp_path}/case.cfg --rtl {tmp_path}/build/judge/faulty.so --shrink 0")):
        with pytest.raises(trials.Differs, match=f"^{said}"):
            trials.try_judge(Faults(tmp_path, 3, wrong))
    later = 0
    for number in range(20):
        t = Faults(tmp_path, number, "later")
        if (late := number) < 20:
            try:
                trials.try_judge(t)
            except trials.Differs:
                later += t.fault[0] not in drawn.OF_A_FLIT
            else:
                assert t.fault[0] in drawn.OF_A_FLIT, late
    assert later > 5


# -- a trial --------------------------------------------------------------------------------------

def test_a_trial(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a kind by its weight, or that which is named, in an empty folder; what cannot be read is a failure."""
    assert {kind: weight for kind, (weight, _) in trials.KINDS.items()} == {"run": 8, "sweep": 1, "unit": 2, "judge": 1, "spec": 2}
    seen: list[tuple[str, Any]] = []
    home = tmp_path / "a/b"
    programs = Programs()

    def kind_of(name: str) -> Callable[[trials.Trial], str]:
        def run(t: trials.Trial) -> str:
            assert list(home.iterdir()) == [] and (t.programs, t.build, t.home) == (programs, tmp_path, home)
            (home / "file").write_text("")
            seen.append((name, t.r.random()))
            return f"of {name}"
        return run

    monkeypatch.setattr(trials, "KINDS", {name: (weight, kind_of(name)) for name, (weight, _) in trials.KINDS.items()})
    for number in range(120):
        assert trials.trial(programs, tmp_path, home, 5, number) == f"5,{number},{seen[-1][0]},of {seen[-1][0]}"
    names = [name for name, _ in seen]
    for name, weight in (("run", 8), ("sweep", 1), ("unit", 2), ("judge", 1), ("spec", 2)):
        assert abs(names.count(name) - 120 * weight / 14) < 5 * (120 * weight / 14 * (1 - weight / 14)) ** 0.5
    first = seen[0]
    trials.trial(programs, tmp_path, home, 5, 0, first[0])
    assert seen[-1] == first and trials.trial(programs, tmp_path, home, 5, 0, "spec") == "5,0,spec,of spec"
    trials.trial(programs, tmp_path, home, 6, 0, "run")
    assert seen[-1][1] != first[1] and len({draw for _, draw in seen}) > 120
    for error, said in ((ValueError("x"), "ValueError: x"), (KeyError("k"), "KeyError: 'k'"), (TypeError("t"), "TypeError: t"), (ZeroDivisionError("z"), "ZeroDivisionError: z")):
        def wrong(t: trials.Trial, error: Exception = error) -> str:
            raise error
        monkeypatch.setitem(trials.KINDS, "run", (8, wrong))
        with pytest.raises(trials.Differs, match=f"^what run wrote cannot be read: {said}$"):
            trials.trial(programs, tmp_path, home, 5, 0, "run")


def test_the_command(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The first trials of a turn, or one; the first that differs ends it."""
    asked: list[Any] = []
    wrong: dict[int, BaseException] = {}

    def one(programs: Programs, build: pathlib.Path, home: pathlib.Path, turn: int, number: int, kind: str) -> str:
        assert isinstance(programs, Programs)
        asked.append((build, home, turn, number, kind))
        if number in wrong:
            raise wrong[number]
        return f"line {number}"

    monkeypatch.setattr(trials, "trial", one)

    def told(*words: str) -> tuple[int, str, str]:
        asked.clear()
        monkeypatch.setattr(sys, "argv", ["trials.py", "--build", str(tmp_path), *words])
        return (trials.main(), *capsys.readouterr())

    assert told("7", "--most", "3") == (0, "line 0\nline 1\nline 2\n", "") and asked == [(tmp_path, tmp_path / "trials/7", 7, k, "") for k in range(3)]
    assert told("7", "0", "--kind", "spec") == (0, "line 0\n", "") and asked == [(tmp_path, tmp_path / "trials/7spec", 7, 0, "spec")]
    assert told("0")[0] == 0 and len(asked) == 100
    wrong[1] = trials.Differs("5, was 6")
    assert told("7", "--most", "3") == (1, f"line 0\nFAILED turn 7 trial 1: 5, was 6\nkept: {tmp_path}/trials/7\n", "") and len(asked) == 2
    for error, said in ((trials.Missing("no tests"), "no tests"), (OSError(13, "not allowed"), "[Errno 13] not allowed"), (KeyboardInterrupt(), "interrupted")):
        wrong[1] = error
        assert told("7") == (4, "line 0\n", f"trials.py: {said}\n")
    for words in (("7", "--most", "0"), ("x",), (), ("7", "--kind", "none")):
        with pytest.raises(SystemExit) as end:
            told(*words)
        assert end.value.code == 2 and not asked
        capsys.readouterr()
    monkeypatch.setenv("BUILD", f"{tmp_path}/x/..")
    monkeypatch.setattr(sys, "argv", ["trials.py", "3", "2"])
    wrong.clear()
    asked.clear()
    assert trials.main() == 0 and asked == [(tmp_path, tmp_path / "trials/3", 3, 2, "")] and os.listdir(tmp_path) == []
