# SPDX-License-Identifier: Apache-2.0
"""test_turns.py - sim/soak.py with stand-ins for its programs: what a run is drawn from, what is kept of a turn, of a failure and in the record,
and how a soak ends."""
from __future__ import annotations

import argparse
import csv
import errno
import hashlib
import pathlib
import re
import shutil
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts/sim"), str(ROOT / "tb/spec"), str(ROOT / "tb/events")]
import soak  # noqa: E402  (the paths above)
import trials  # noqa: E402

SHAPE = "s1of3-v1-q2-w32-rp-rr"


# -- what is drawn --------------------------------------------------------------------------------

def settings(text: str) -> dict[str, str]:
    return {name: value.strip('"') for name, value in re.findall(r"^(\w+) = (.*);$", text, re.M)}


@pytest.mark.parametrize("shape, switches, head", [
    ("s2of3-v2-q4-w33-fp-fo", 1, {"level": "2", "levels": "3", "vcs": "2", "depth": "4", "flit_bits": "33", "path": "fp", "scan": "fo", "verilog": "fast"}),
    ("n64-v4-q16-w64-rg-rot-bare", 28, {"nodes": "64", "vcs": "4", "depth": "16", "flit_bits": "64", "path": "rg", "scan": "rot", "verilog": "bare"}),
    ("n16-v1-q1-w16-rp-rr-ref", 6, {"nodes": "16", "vcs": "1", "verilog": "reference"}), ("n4-v1-q1-w16-rp-rr-ref-bare", 1, {"nodes": "4", "verilog": "bare-reference"})])
def test_what_a_run_is_drawn_from(shape: str, switches: int, head: dict[str, str]) -> None:
    """The shape, a seed, stalls, and an open loop, or of a network static rounds; each value is met, and each share about as often as it says."""
    seen: dict[str, list[str]] = {}
    runs = [soak.draw(shape, 5, run) for run in range(700)]
    assert runs[3] == soak.draw(shape, 5, 3) != soak.draw(shape, 6, 3) and runs[3] != soak.draw(shape, 3, 5)
    for text, cut in runs:
        got = settings(text)
        assert head.items() <= got.items() and len(got) == text.count(";") and int(got["seed"]) < 10 ** 18
        cycles, length = cut // 2, int(got["length"])
        assert "pattern" not in got or got["rounds"] == str(max(1, cycles // (8 * length))) and "nodes" in got and "load" not in got and "lengths" not in got
        assert "pattern" in got or got["cycles"] == str(cycles) and "rounds" not in got
        assert "lengths" not in got or length > 1 and got["lengths"] == "uniform"
        for name, value in {**got, "cut": str(cut), "fixed": str("lengths" not in got and "load" in got and length > 1)}.items():
            seen.setdefault(name, []).append(value)
    longest = 3_000_000 // switches
    values = {"cut": {2 * min(n, longest) for n in (3000, 40_000, 400_000)}, "stall": {0, 10, 30, 60, 85}, "length": {1, 2, 3, 5, 9, 16, 40}, "load": {0.02, 0.1, 0.3, 0.6, 1.0},
              "reset_every": {20, 100, 500, 3000}}
    for name, want in values.items():
        assert {float(value) for value in seen[name]} == want, name
    shares = {"reset_every": 0.7, "fixed": (1 - 0.2 * ("nodes" in head)) * 6 / 7 * 0.3, "pattern": 0.2 * ("nodes" in head)}
    for name, share in shares.items():
        found = seen.get(name, []).count("True") if name == "fixed" else len(seen.get(name, []))
        assert abs(found - 700 * share) <= 5 * (700 * share * (1 - share)) ** 0.5, name
    assert set(seen.get("pattern", [])) == (set(soak.PATTERNS) if "nodes" in head else set())


@pytest.mark.parametrize("shape", ["", "trial", "n256-v1-q1-w32-rp-rr", "s1of3-v1-q2-w32-rp-rr-bare-ref", "s1of3-v1-q2-w32-rp", "n8-v1-q1-w32-rp-rr"])
def test_shapes_that_are_none(shape: str) -> None:
    with pytest.raises(soak.Wrong, match=f"^--shape {shape}; allowed: a switch or a network of 4 to 64 processors") as wrong:
        soak.draw(shape, 0, 0)
    assert wrong.value.code == 2


def test_what_is_built() -> None:
    """Each kind by its weight; of networks of 64 processors never a reference."""
    assert (soak.KINDS, soak.SUFFIX) == ({"bare": 4, "reference": 3, "fast": 2, "bare-reference": 1},
                                         {"bare": "-bare", "reference": "-ref", "fast": "", "bare-reference": "-ref-bare"})
    for lists, weights in ((([f"n64-{SHAPE[6:]}"], [f"n64-{SHAPE[6:]}"]), {"-bare": 4, "": 2}),
                           (([f"n16-{SHAPE[6:]}"], [SHAPE]), {"-bare": 4, "-ref": 3, "": 2, "-ref-bare": 1})):
        names = [soak.shape_of(turn, lists) for turn in range(0, 1200, 2)]
        ends = [re.sub("^.*-rr", "", name) for name in names]
        assert set(ends) == set(weights)
        for end, weight in weights.items():
            share = weight / sum(weights.values())
            assert abs(ends.count(end) - 600 * share) < 5 * (600 * share * (1 - share)) ** 0.5


def test_times() -> None:
    assert [soak.seconds(text) for text in ("90", "1.5s", "10m", "2h", "0.001")] == [90, 1.5, 600, 7200, 0.001]
    for text in ("", "0", "0.0m", "-1", "1d", "1 m", "m", ".5", "1e3"):
        with pytest.raises(soak.Wrong, match=rf"^--time {text}; allowed: a number above 0 with s, m or h$") as wrong:
            soak.seconds(text)
        assert wrong.value.code == 2


# -- files ----------------------------------------------------------------------------------------

def test_files(tmp_path: pathlib.Path) -> None:
    file, columns = tmp_path / "a.csv", ("x", "y")
    rows = [{"x": "1", "y": "a,b"}, {"x": "2", "y": ""}]
    assert soak.read(file, columns) == []
    soak.write(file, columns, rows)
    assert file.read_text() == 'x,y\n1,"a,b"\n2,\n' and soak.read(file, columns) == rows and len(list(tmp_path.iterdir())) == 1 and soak.total_of(rows, "x") == 3
    for text in ("", "x\n1\n", "y,x\n1,2\n", "x,y\n1\n", "x,y\n1,2,3\n", "x,y,z\n1,2,3\n"):
        file.write_text(text)
        with pytest.raises(soak.Wrong, match=f"^{file}:1: not a file of soak.py; needed: the columns x,y$") as wrong:
            soak.read(file, columns)
        assert wrong.value.code == 3


class Programs:
    """Stands in for the programs: each call is kept; `answer` says what a run gives."""

    def __init__(self) -> None:
        self.asked: list[tuple[list[str], float | None]] = []
        self.stopped, self.answer = False, self.right

    def right(self, words: list[str], log: pathlib.Path) -> int | None:
        if "cosim" in words:
            name = pathlib.Path(words[words.index("--config") + 1]).stem
            log.write_text(f"$\n{name}x  1 1 1 1  ffffffffffffffff 1\n{name}   1234 5 6 7  0123456789abcdef 99\nmore\n5678 switch-cycles compared\n")
        return 0

    def run(self, words: list[Any], log: pathlib.Path, limit: float | None = None) -> int | None:
        self.asked.append(([str(word) for word in words], limit))
        log.write_text("$\n")
        return self.answer(self.asked[-1][0], log)

    def stop(self) -> None:
        self.stopped = True


Make = Callable[..., tuple[soak.Soak, Programs]]


@pytest.fixture(name="make")
def make_(tmp_path: pathlib.Path) -> Make:
    """A soak of so many seconds, with the options of the command."""
    def make(limit: float = 100, **options: Any) -> tuple[soak.Soak, Programs]:
        usual = {"folder": str(tmp_path / "soak"), "record": str(tmp_path / "record.csv"), "build": str(tmp_path / "build"), "room": 0, "shape": SHAPE, "rtl": None,
                 "turn": 50.0, "shrink": 20}
        s = soak.Soak(argparse.Namespace(**usual | options), limit)
        s.programs = Programs()  # type: ignore[assignment]
        (s.folder / "worker0").mkdir(exist_ok=True)
        return s, s.programs  # type: ignore[return-value]
    return make


def table(file: pathlib.Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text().splitlines()))


def test_what_is_kept_of_turns(make: Make, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line a turn, whose digest is of all its runs; a line a soak, whose turns are from the first to the last; those of others stay, in order of time."""
    others = [dict.fromkeys(soak.RECORD, "1") | {"began": began, "last_turn": "9", "switch_cycles": "1000000", "trials": "30"} for began in ("2999", "1999")]
    soak.write(tmp_path / "record.csv", soak.RECORD, others)
    s, _ = make()
    s.keep(12, SHAPE, ["a", "b"], 3_000_000, 2.0)
    s.keep(9, soak.TRIALS, ["c", "d", "e"], 0, 1.0)
    s.keep(10, SHAPE, [], 5, 1.0)
    said = [line[9:] for line in capsys.readouterr().out.splitlines()]
    assert said == [f"turn 12: {SHAPE}, 2 runs, 3,000,000 switch-cycles, 1.50 million a second; 5,000,000 so far", "turn 9: 3 trials; 63 so far"]
    digests = [hashlib.sha256(text.encode()).hexdigest()[:16] for text in ("a\nb", "c\nd\ne")]
    usual = {"began": s.began, "commit": s.commit}
    turns = [usual | {"turn": "12", "shape": SHAPE, "runs": "2", "switch_cycles": "3000000", "trials": "0", "digest": digests[0]},
             usual | {"turn": "9", "shape": "trials", "runs": "0", "switch_cycles": "0", "trials": "3", "digest": digests[1]}]
    assert table(s.folder / "turns.csv") == turns
    digest = hashlib.sha256(f"9,{s.began},{s.commit},trials,0,0,3,{digests[1]}\n12,{s.began},{s.commit},{SHAPE},2,3000000,0,{digests[0]}".encode()).hexdigest()[:16]
    mine = usual | {"first_turn": "9", "last_turn": "12", "runs": "2", "switch_cycles": "3000000", "trials": "3", "digest": digest}
    assert table(tmp_path / "record.csv") == [others[1], mine, others[0]] == s.record
    again, _ = make()
    assert again.next == 13 and again.turns == s.turns and again.record == s.record
    again.write_record()
    assert table(tmp_path / "record.csv") == s.record and re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", s.began) and s.commit


def test_room_on_disk(make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=499_999_999))
    with pytest.raises(soak.Wrong, match=f"^{tmp_path}/soak: 499 MB free; needed: 500 MB ") as wrong:
        make(room=500)
    assert wrong.value.code == 4 and make(room=499)


def test_when_it_is_over(make: Make) -> None:
    assert make(0)[0].over() and not make(100)[0].over()
    for change in (lambda s: s.failed.append("x"), lambda s: s.ill.append("x"), lambda s: s.programs.stop()):
        s, _ = make()
        change(s)
        assert s.over()


# -- runs and turns -------------------------------------------------------------------------------

def test_a_run(make: Make, tmp_path: pathlib.Path) -> None:
    """The command with its options, a limit, and the line of the run's own name."""
    s, programs = make(10)
    home = s.folder / "worker0"
    assert s.play(7, 3, SHAPE, tmp_path / "lib.so", home) == (f"7,3,{SHAPE},1234,0123456789abcdef", 5678) and not list(home.glob("*.cfg")) and not s.failed
    (words, limit), = programs.asked
    text, cut = soak.draw(SHAPE, 7, 3)
    assert words == [f"{tmp_path}/build/fatfly", "cosim", "--sim", f"{ROOT}/sim", "--build", str(home), "--config", f"{home}/turn7-run3.cfg", "--rtl", f"{tmp_path}/lib.so",
                     "--max-cycles", str(cut), "--shrink", "20"]
    assert limit == pytest.approx(10 + 120 + 60, abs=2) and text
    assert make(5000)[0].o.shrink == 20
    for time_left, most in ((5000, 600), (0, 180)):
        s, programs = make(time_left)
        s.play(7, 3, SHAPE, tmp_path / "lib.so", home)
        assert programs.asked[0][1] == pytest.approx(most, abs=2)


@pytest.mark.parametrize("code, said, why", [
    (1, "the two sides differ\nmore\n", "the two sides differ"), (None, "x\n", "it takes more than 220 s"), (9, "x\nlast \n", "exit code 9: last"),
    (-11, "", "exit code -11: no word"),
    (0, "nothing\n", "exit code 0: nothing"), (0, "turn7-run3 1 2 3 4  0123456789abcdef 1\n", "exit code 0: turn7-run3 1 2 3 4  0123456789abcdef 1"),
    (0, "9 switch-cycles compared\n", "exit code 0: 9 switch-cycles compared"), (1, "turn7-run3 1 2 3 4  0123456789abcdef 1\n9 switch-cycles compared\n",
                                                                                 "turn7-run3 1 2 3 4  0123456789abcdef 1")])
def test_a_run_that_fails(code: int | None, said: str, why: str, make: Make, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its configuration, what it said and what co-simulation left of it are kept, also where that folder is there already."""
    monkeypatch.setattr(soak, "GRACE", 100)
    s, programs = make(60)
    monkeypatch.setattr(time, "monotonic", lambda: s.end - 60)
    home, kept = s.folder / "worker0", s.folder / "failures/turn7-run3"
    (home / "cosim").mkdir()
    for name in ("turn7-run3.vcd", "turn7-run3.txt", "turn7-run33.txt"):
        (home / "cosim" / name).write_text(name)

    def wrong(words: list[str], log: pathlib.Path) -> int | None:
        log.write_text(f"$\n{said}")
        return code

    programs.answer = wrong
    for k in (1, 2):
        assert s.play(7, 3, SHAPE, tmp_path / "lib.so", home) is None
        assert s.failed == [f"FAILED turn 7 run 3, {SHAPE}: {why}\nkept: {kept}"] * k
    assert sorted(file.name for file in kept.iterdir()) == ["run.log", "turn7-run3.cfg", "turn7-run3.txt", "turn7-run3.vcd"] and \
        (kept / "turn7-run3.cfg").read_text() == soak.draw(SHAPE, 7, 3)[0]


@pytest.mark.parametrize("code", [2, 3, 4])
def test_a_run_that_is_refused(code: int, make: Make, tmp_path: pathlib.Path) -> None:
    s, programs = make()
    programs.answer = lambda words, log: log.write_text("$\nfirst\nno such\n") and code
    with pytest.raises(soak.Wrong, match=f"^turn7-run3 of {SHAPE} could not run: no such$") as wrong:
        s.play(7, 3, SHAPE, tmp_path / "lib.so", s.folder / "worker0")
    assert wrong.value.code == 4 and not s.failed


def test_libraries(make: Make, tmp_path: pathlib.Path) -> None:
    """Built for a turn, within what is left of the time, or that which is named."""
    s, programs = make(30)
    home = s.folder / "worker0"
    assert s.library(SHAPE, home) == home / f"{SHAPE}.so"
    (words, limit), = programs.asked
    assert words == [f"{ROOT}/scripts/sim/verilate.sh", SHAPE, f"{home}/{SHAPE}.so"] and limit == pytest.approx(30, abs=2)
    programs.answer = lambda words, log: None
    assert s.library(SHAPE, home) is None
    for said, last in (("a\nb \n", "b"), ("", "no word")):
        programs.answer = lambda words, log, said=said: log.write_text(f"$\n{said}") and 1
        with pytest.raises(soak.Wrong, match=f"^{SHAPE} does not build: {last}$") as wrong:
            s.library(SHAPE, home)
        assert wrong.value.code == 4
    s, programs = make(rtl=f"{tmp_path}/x/../lib.so")
    assert s.library(SHAPE, home) == tmp_path / "lib.so" and not programs.asked


def clock(monkeypatch: pytest.MonkeyPatch, programs: Programs, each: float) -> None:
    """Each program takes so many seconds."""
    begin = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: begin + each * len(programs.asked))


@pytest.mark.parametrize("rtl", [None, "lib.so"])
def test_a_turn_of_runs(rtl: str | None, make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """Runs one after another until a turn is over, whose library is removed if it was built; one that fails ends it, and those before it are kept."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lib.so").write_text("")
    s, programs = make(1000, rtl=rtl)
    built = s.folder / "worker0" / f"{SHAPE}.so"
    built.write_text("")
    clock(monkeypatch, programs, 10)
    s.turn(s.folder / "worker0")
    assert built.exists() == bool(rtl) and (tmp_path / "lib.so").exists()
    assert [(row["turn"], row["shape"], row["runs"], row["switch_cycles"]) for row in table(s.folder / "turns.csv")] == [("1", SHAPE, "5", str(5 * 5678))]
    assert [words[words.index("--config") + 1][-14:] for words, _ in programs.asked if "cosim" in words] == [f"turn1-run{k}.cfg" for k in range(5)]

    def third(words: list[str], log: pathlib.Path) -> int | None:
        return 1 if "run2.cfg" in " ".join(words) else programs.right(words, log)

    programs.answer = third
    s.turn(s.folder / "worker0")
    assert [row["runs"] for row in table(s.folder / "turns.csv")] == ["5", "2"] and len(s.failed) == 1 and "turn 2 run 2" in s.failed[0]


def test_a_turn_without_time(make: Make) -> None:
    s, programs = make(1000)
    programs.answer = lambda words, log: None
    s.turn(s.folder / "worker0")
    assert not s.turns and len(programs.asked) == 1 and s.next == 2


def test_a_turn_of_trials(make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """Trials until the turn is over; the first that differs ends it, and its folder is kept in place of one of before."""
    asked: list[Any] = []
    s, programs = make(1000, shape=soak.TRIALS)

    def trial(*words: Any) -> str:
        asked.append(words)
        programs.asked.append(([], None))
        folder = words[2]
        folder.mkdir(exist_ok=True)
        (folder / "file").write_text("")
        if len(asked) == 8:
            raise trials.Differs("5, was 6")
        if len(asked) == 9:
            raise trials.Missing("no unit tests")
        return f"line {len(asked)}"

    monkeypatch.setattr(trials, "trial", trial)
    clock(monkeypatch, programs, 10)
    kept, home = s.folder / "failures/turn2-trial2", s.folder / "worker0"
    kept.mkdir(parents=True)
    (kept / "old").write_text("")
    s.turn(home)
    assert asked == [(programs, tmp_path / "build", home / "trial", 1, k) for k in range(5)]
    s.turn(home)
    assert [(row["turn"], row["trials"], row["runs"]) for row in table(s.folder / "turns.csv")] == [("1", "5", "0"), ("2", "2", "0")]
    assert s.failed == [f"FAILED turn 2 trial 2: 5, was 6\nkept: {kept}; again: scripts/sim/trials.py 2 2"] and [file.name for file in kept.iterdir()] == ["file"]
    s.failed.clear()
    with pytest.raises(soak.Wrong, match="^no unit tests$") as wrong:
        s.turn(home)
    assert wrong.value.code == 4


def test_a_thread(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn after turn in an empty folder of its own; what ends it is kept for the end of the soak."""
    for error, said in ((soak.Wrong(4, "no tool"), "no tool"), (OSError(errno.ENOSPC, "x", "f"), "f: no room on disk"), (OSError(errno.EDQUOT, "x"), "{}: no room on disk"),
                        (OSError(errno.EACCES, "not allowed", "f"), "f: not allowed"), (KeyboardInterrupt(), None)):
        s, _ = make()
        home = s.folder / "worker3"
        home.mkdir(exist_ok=True)
        (home / "old").write_text("")
        homes: list[Any] = []

        def turn(at: pathlib.Path, homes: list[Any] = homes, error: BaseException = error) -> None:
            homes.append((at, list(at.iterdir())))
            if len(homes) == 3:
                raise error

        monkeypatch.setattr(s, "turn", turn)
        s.work(3)
        assert homes == [(home, [])] * 3 and [(e.code, str(e)) for e in s.ill] == ([(4, said.replace("{}", str(s.folder)))] if said else [])


# -- the command ----------------------------------------------------------------------------------

def run(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["soak.py", "--folder", str(tmp_path / "soak"), "--record", str(tmp_path / "record.csv"), "--room", "0", "--jobs", "1", "--time", "1s",
                                      *words])
    monkeypatch.setattr(soak, "interruptible", lambda: None)
    return soak.main()


@pytest.mark.parametrize("turns, failed, ill, code, last", [
    (1, [], [], 0, None), (1, ["FAILED one", "FAILED two"], [], 1, "FAILED two"), (0, [], [], 1, "FAILED nothing was compared in 1s"), (0, [], ["no tool"], 4, ""),
    (1, [], ["no tool"], 4, None),
    (1, ["FAILED one"], ["no tool"], 1, "FAILED one"), (0, ["FAILED one"], [], 1, "FAILED one"), (0, ["FAILED one"], ["no tool"], 4, "")])
def test_how_a_soak_ends(turns: int, failed: list[str], ill: list[str], code: int, last: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
                         tmp_path: pathlib.Path) -> None:
    """Exit code and the last lines, by what was compared, what failed and what could not run."""
    old = dict.fromkeys(soak.RECORD, "1") | {"began": "1999", "switch_cycles": "5000", "trials": "7000"}
    soak.write(tmp_path / "record.csv", soak.RECORD, [old])
    workers: list[int] = []

    def work(self: soak.Soak, worker: int) -> None:
        workers.append(worker)
        if worker == 0:
            for k in range(turns):
                self.keep(self.claim(), SHAPE, ["a", "b"], 4000, 1.0)
                self.keep(self.claim(), soak.TRIALS, ["a"] * 1500, 0, 1.0)
            self.failed += failed
            self.ill += [soak.Wrong(4, text) for text in ill]

    monkeypatch.setattr(soak.Soak, "work", work)
    assert run(monkeypatch, tmp_path, "--shape", SHAPE, "--jobs", "3") == code and sorted(workers) == [0, 1, 2]
    out, err = capsys.readouterr()
    lines = out.splitlines()
    total = (f"this soak: {2 * turns} turns, {2 * turns} runs, {4000 * turns:,} switch-cycles compared, {1500 * turns:,} trials; {5000 + 4000 * turns:,} switch-cycles and "
             f"{7000 + 1500 * turns:,} trials in {tmp_path}/record.csv")
    assert (lines[-1] if lines else "") == (total if last is None else last) and (total in lines) == (last != "")
    assert err == "".join(f"soak.py: {text}\n" for text in ill if code == 4) and lines[-len(failed):] == (failed if last != "" and failed else lines[-len(failed):])
    assert table(tmp_path / "record.csv")[0] == old


def test_an_interrupted_soak(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path) -> None:
    sleep = time.sleep
    began: list[soak.Soak] = []

    def work(self: soak.Soak, worker: int) -> None:
        self.keep(self.claim(), SHAPE, ["a"], 4000, 1.0)
        began.append(self)
        while not self.programs.stopped:
            sleep(0.002)

    def interrupted(_: float) -> None:
        while not began:
            sleep(0.002)
        raise KeyboardInterrupt

    monkeypatch.setattr(soak.Soak, "work", work)
    monkeypatch.setattr(soak.time, "sleep", interrupted)
    assert run(monkeypatch, tmp_path, "--shape", SHAPE) == 4
    assert capsys.readouterr().err == "soak.py: interrupted; what was compared is kept\n" and table(tmp_path / "record.csv")[0]["runs"] == "1"


@pytest.mark.parametrize("words, code, said", [
    ("--time x", 2, "--time x; allowed: a number above 0 with s, m or h"), ("--jobs 0", 2, "--jobs 0 --turn 120; allowed: 1 or more, above 0"),
    ("--turn 0", 2, "--jobs 1 --turn 0; allowed: 1 or more, above 0"),
    ("--rtl x", 2, "--rtl without --shape; allowed: the library of the shape that is named"), ("--rtl x --shape trials", 2,
                                                                                               "--rtl without --shape; allowed: the library of the shape that is named"),
    ("--shape s", 2, "--shape s; allowed: a switch or a network of 4 to 64 processors, as fatfly cosim --shapes has them"),
    ("--shape trials --folder /dev/null/x", 4, "/dev/null/x: Not a directory")])
def test_what_is_refused(words: str, code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path) -> None:
    assert run(monkeypatch, tmp_path, *words.split()) == code and capsys.readouterr().err == f"soak.py: {said}\n" and not (tmp_path / "record.csv").exists()


@pytest.mark.parametrize("error, said", [(OSError(errno.ENOSPC, "x", "f"), "f: no room on disk"), (OSError(errno.EDQUOT, "x", "f"), "f: no room on disk"),
                                         (OSError(errno.EACCES, "not allowed", "f"), "f: not allowed"),
                                         (KeyboardInterrupt(), "interrupted")])
def test_what_was_wrong(error: BaseException, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: pathlib.Path) -> None:
    def ends(o: argparse.Namespace) -> int:
        assert (o.time, o.turn, o.shrink, o.room, o.jobs, o.shape, o.rtl) == ("1s", 120, 20, 0, 1, None, None)
        raise error

    monkeypatch.setattr(soak, "soak", ends)
    assert run(monkeypatch, tmp_path) == 4 and capsys.readouterr().err == f"soak.py: {said}\n"
