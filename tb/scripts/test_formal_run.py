# SPDX-License-Identifier: Apache-2.0
"""test_formal_run.py - formal.py around its engines: which checks the lists have, what each tool is asked and what is made of its answer,
what is kept and taken again, what is told and written."""
from __future__ import annotations

import json
import pathlib
from collections.abc import Sequence
from typing import Any

import pytest

import formal
import formal_tasks

PROOFS = """# a list
PAIR = lfsr lfsr_props
*lfsr-{W}-{S} | PAIR lfsr | lfsr_formal | W=2,3 S=RR,FO | pdr bmc:4 | proved | a register
+late | fifo_fast | fifo_formal | | cadical:2 | proved | a queue
reached | lfsr_props | lfsr_formal | | cover:3 reach:5 | covered | what can be
equal | lfsr | equal_formal | | ind:1 | falsified | the same
"""
BUGS = """*tap | rtl/lfsr.v | old | new | lfsr-2-rr | bmc:6 | 0,3 | a tap
whole | rtl/fast/fifo_fast.v | fast | slow | late | z3:2 | all | a queue
"""
FILES = {"rtl/flit.vh": "`define FATFLY_RR 0\n`define FATFLY_FO 1\n", "rtl/lfsr.v": "old\n", "rtl/fast/fifo_fast.v": "fast\n", "tb/formal/check.v": "check\n",
         "tb/formal/lfsr_props.v": "  // bad[0]: zero\n// bad[2]: the third\n// cover[1]: a cover\n", "tb/formal/more.vh": "more\n"}


class Programs:
    """In place of what runs: what was called, and what each call answers."""

    def __init__(self, *answers: tuple[int | None, str]) -> None:
        self.answers, self.calls, self.limits = list(answers), list[str](), list[float]()
        self.stopped, self.clock = False, 0.0

    def run(self, words: Sequence[object], log: pathlib.Path, limit: float) -> int | None:
        code, text = self.answers.pop(0)
        self.calls.append(f"{log.name}: {' '.join(map(str, words))}")
        self.limits.append(limit)
        log.write_text(f"$ the command asserted in frame 99\n{text}\n")
        return code

    def spent(self) -> float:
        self.clock += 10.0
        return self.clock

    def stop(self) -> None:
        self.stopped = True


@pytest.fixture(name="root")
def a_tree(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    for name, text in {**FILES, formal.PROOFS: PROOFS, formal.BUGS: BUGS}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(formal, "ROOT", tmp_path)
    monkeypatch.setattr(formal, "BUILD", tmp_path / "build")
    monkeypatch.setattr(formal_tasks, "commit", lambda: "abc")
    monkeypatch.setattr(formal_tasks, "RESULTS", tmp_path / "none.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def programs(monkeypatch: pytest.MonkeyPatch, *answers: tuple[int | None, str]) -> Programs:
    made = Programs(*answers)
    monkeypatch.setattr(formal, "PROGRAMS", made)
    return made


def check(engine: str, expect: str = "proved") -> formal.Check:
    return formal.Check("c", ["tb/formal/check.v", "rtl/lfsr.v", "tb/formal/lfsr_props.v"], "lfsr_formal", [("W", "2"), ("S", "1")], engine, expect, "x")


# -- the lists ------------------------------------------------------------------------------------

def test_every_proof(root: pathlib.Path) -> None:
    """A line stands for every choice of values, each by every engine; the first engine of a line with * is quick."""
    del root
    known = formal.proofs()
    assert list(known) == ["lfsr-2-rr", "lfsr-2-fo", "lfsr-3-rr", "lfsr-3-fo", "late", "reached", "equal"]
    assert [(c.label, c.depth, c.quick, c.slow, c.kind, c.expect, c.words) for n in ("lfsr-3-fo", "late", "reached", "equal") for c in known[n]] == [
        ("lfsr-3-fo/pdr", 0, True, False, "property", "proved", "a register"), ("lfsr-3-fo/bmc", 4, False, False, "property", "proved", "a register"),
        ("late/cadical", 2, False, True, "property", "proved", "a queue"), ("reached/cover", 3, False, False, "cover", "covered", "what can be"),
        ("reached/reach", 5, False, False, "cover", "covered", "what can be"), ("equal/ind", 1, False, False, "equality", "falsified", "the same")]
    one = known["lfsr-3-fo"][1]
    assert (one.files, one.top, one.params) == (["tb/formal/check.v", "rtl/lfsr.v", "tb/formal/lfsr_props.v"], "lfsr_formal", [("W", "3"), ("S", "1")])
    assert (one.edit, one.bits, one.proof) == (None, None, "lfsr-3-fo")


def test_every_bug(root: pathlib.Path) -> None:
    del root
    known = formal.bugs(formal.proofs())
    (tap,), (whole,) = known["tap"], known["whole"]
    assert list(known) == ["tap", "whole"] and (tap.label, tap.depth, tap.kind, tap.expect, tap.quick) == ("tap/bmc", 6, "bug", "falsified", True)
    assert (tap.edit, tap.bits, tap.proof, tap.params, tap.top) == (("rtl/lfsr.v", "old", "new"), 9, "lfsr-2-rr", [("W", "2"), ("S", "0")], "lfsr_formal")
    assert (whole.bits, whole.quick, whole.label, whole.words) == (None, False, "whole/z3", "a queue")
    texts = formal.sources(tap)
    assert texts == {"check.v": "check\n", "lfsr.v": "new\n", "lfsr_props.v": FILES["tb/formal/lfsr_props.v"], "more.vh": "more\n", "flit.vh": FILES["rtl/flit.vh"]}
    assert formal.sources(formal.proofs()["lfsr-2-rr"][0])["lfsr.v"] == "old\n"


@pytest.mark.parametrize("old, new", [
    ("covered | what", "proved | what"), ("| proved | a queue", "| covered | a queue"), ("| proved | a queue", "| proven | a queue"), ("cover:3 ", "cover:0 "),
    ("cover:3 ", "cover "), ("pdr bmc", "pdr:3 bmc"), ("pdr bmc", "pdx bmc"), ("S=RR,FO", "S=RR,FX"), ("S=RR,FO", "S="), ("S=RR,FO", "S"), ("-{S}", ""),
    ("+late", "+equal"), ("fifo_fast |", "fifo_fats |"), ("| a queue", "")])
def test_wrong_proofs(old: str, new: str, root: pathlib.Path) -> None:
    assert PROOFS.count(old) == 1
    (root / formal.PROOFS).write_text(PROOFS.replace(old, new))
    with pytest.raises(formal.Wrong) as wrong:
        formal.proofs()
    assert wrong.value.code == 3


@pytest.mark.parametrize("old, new", [("whole |", "tap |"), ("| late |", "| later |"), ("rtl/fast/fifo_fast.v", "rtl/lfsr.v"), ("| all", "| none"), ("0,3", "0,"),
    ("z3:2", "z4:2")])
def test_wrong_bugs(old: str, new: str, root: pathlib.Path) -> None:
    assert BUGS.count(old) == 1
    (root / formal.BUGS).write_text(BUGS.replace(old, new))
    with pytest.raises(formal.Wrong) as wrong:
        formal.bugs(formal.proofs())
    assert wrong.value.code == 3


@pytest.mark.parametrize("text", ["none", "old old"])
def test_the_text_of_a_bug_stands_there_once(text: str, root: pathlib.Path) -> None:
    (root / "rtl/lfsr.v").write_text(text)
    with pytest.raises(formal.Wrong, match=f"stands {text.count('old')} times"):
        formal.sources(formal.bugs(formal.proofs())["tap"][0])


def test_probes(root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formal, "PROBE", "probe.py")
    for code in (0, 1):
        (root / "probe.py").write_text(f"import sys\nprint('one\\ntwo' * (sys.argv[1:] == ['--list']))\nsys.exit({code})\n")
        if code:
            with pytest.raises(formal.Wrong):
                formal.probes()
        else:
            known = formal.probes()
            assert list(known) == ["probe-one", "probe-two"] and [(c.label, c.kind, c.top, c.expect) for c in known["probe-two"]] == [("probe-two/probe", "probe", "two", "same")]
            assert known["probe-one"][0].files == ["rtl/fast/fifo_fast.v", "rtl/flit.vh", "rtl/lfsr.v", "probe.py"]


@pytest.mark.parametrize("words, labels", [
    ("", " ".join(f"lfsr-{w}-{s}/{e}" for w in "23" for s in ("rr", "fo") for e in ("pdr", "bmc")) + " reached/cover reached/reach equal/ind tap/bmc whole/z3"),
    ("--quick", "lfsr-2-rr/pdr lfsr-2-fo/pdr lfsr-3-rr/pdr lfsr-3-fo/pdr tap/bmc"), ("--quick --proofs --only *-rr", "lfsr-2-rr/pdr lfsr-3-rr/pdr"),
    ("--bugs", "tap/bmc whole/z3"), ("--only late --only tap", "late/cadical tap/bmc"), ("--slow --only l*e", "late/cadical"),
    ("--only */bmc --proofs", "lfsr-2-rr/bmc lfsr-2-fo/bmc lfsr-3-rr/bmc lfsr-3-fo/bmc"),
    ("--slow --proofs --only [le]*[eld]", "late/cadical equal/ind"), ("--only nothing", "2"), ("--bugs --only late", "2"), ("--proofs --only tap", "2"),
    ("--only late --only nothing", "2"),
    ("--proofs --bugs", "2"), ("-j 0", "2"), ("-j 1 --timeout 0", "2"), ("--timeout -1", "2"), ("--task 3/2", "2"), ("--task ", "2"), ("--task x", "2")])
def test_which_checks_run(words: str, labels: str, root: pathlib.Path) -> None:
    del root
    split = words.split(" ") if words else []
    if labels == "2":
        with pytest.raises(formal.Wrong) as wrong:
            formal.chosen(formal.arguments(split))
        assert wrong.value.code == 2
    else:
        assert [c.label for c in formal.chosen(formal.arguments(split))] == labels.split()


def test_with_slow_and_probe(root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del root
    monkeypatch.setattr(formal, "probes", lambda: {"probe-x": [check("probe", "same")]})
    both = formal.chosen(formal.arguments(["--slow", "--probe"]))
    assert len(both) == 15 and [c.label for c in both if c.slow] == ["late/cadical"] and both[-1].engine == "probe"


def test_a_bug_called_as_a_proof(root: pathlib.Path) -> None:
    (root / formal.BUGS).write_text(BUGS.replace("whole", "equal"))
    with pytest.raises(formal.Wrong, match="equal is the name of a proof, too"):
        formal.chosen(formal.arguments([]))


# -- what the tools are asked -----------------------------------------------------------------------

def test_versions(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tool that is there, tells its version, and is not too old."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(formal, "TOOLS", {"tool": (["-V", "now"], r"Tool (\d+)\.(\d+)", (1, 5), "tools"), "other": (["-h"], None, None, "others")})
    def stand(name: str, text: str) -> None:
        (tmp_path / name).write_text(f"#!/bin/sh\n[ \"$*\" = '{'-V now' if name == 'tool' else '-h'}' ] && {text}\n")
        (tmp_path / name).chmod(0o755)
    stand("other", "echo 'I help' >&2")
    for text, good in (("Tool 1.5", True), ("Tool 1.4", False), ("Tool 0.9", False), ("Tool 2.0", True), ("Tool 1.10", True), ("Tool", False)):
        stand("tool", f"echo ' {text} x '")
        if good:
            assert formal.versions(["tool", "other"]) == {"tool": f"{text} x", "other": "I help"}
        else:
            with pytest.raises(formal.Wrong) as wrong:
                formal.versions(["tool", "other"])
            assert wrong.value.code == 4
    (tmp_path / "other").unlink()
    with pytest.raises(formal.Wrong, match="other is missing; Debian has it in others"):
        formal.versions(["other"])


MODULES = """read_verilog -formal{flags} check.v
read_verilog -defer -I. lfsr.v lfsr_props.v
hierarchy -check -top lfsr_formal -chparam W 2 -chparam S 1
setattr -mod -unset keep_hierarchy *
proc
memory_share
memory_collect
memory_map
dffunmap
opt_expr
opt_merge t:$*dff* t:$*DFF* %u %n
opt_clean
"""
GATES = "techmap\nopt_expr\nopt_merge t:$*dff* t:$*DFF* %u %n\nopt_clean\n"
WORDS = f"techmap {formal.formal_gates.OTHERS}\n" * 3 + "flatten\nchformal -cover -remove\nwrite_json model.json\n"
FLAT = "flatten\nchformal -{drop} -remove\nopt_expr\nopt_clean\ncheck -assert\nsetundef -undriven -anyseq\nopt_clean\n"
SMT = MODULES + GATES + FLAT + "write_smt2 -wires model.smt2\n"
SCRIPTS = {**{engine: MODULES + WORDS for engine in ("pdr", "scorr", "bmc:5", "reach:5", "cadical:5")}, "z3:5": SMT, "cvc5:5": SMT, "cover:5": SMT, "probe": "lfsr_formal",
           "ind:5": MODULES + FLAT + "sat -tempinduct -prove-asserts -set-assumes -maxsteps 5 -show-public -dump_vcd trace.vcd\n"}


@pytest.mark.parametrize("engine", SCRIPTS)
@pytest.mark.parametrize("bits", [None, 0, 9])
def test_what_yosys_reads(engine: str, bits: int | None) -> None:
    """Whole: every engine's model, the properties that are asserted, and covers for reach and cover alone."""
    assert set(formal.ENGINES) == {name.partition(":")[0] for name in SCRIPTS} - {"probe"}
    c = check(engine)
    c.bits = bits
    flags = " -DFORMAL_REACH" * (c.engine == "reach") + (f" -DFORMAL_BITS=64'd{bits}" if bits is not None else "")
    want = SCRIPTS[engine].replace("{flags}", flags).replace("{drop}", "assert" if c.engine == "cover" else "cover")
    assert formal.script(c, ["check.v", "lfsr.v", "lfsr_props.v"]) == want


INVARIANT = "Invariant F[3] : 2 clauses with 5 flops (out of 7)\nProperty proved."
HIT = "m : i/o =    9/    3\nOutput 0 was asserted in frame  2 (x).\nOutput  2 was asserted in frame  4 (x)."
INDUCED = "Trying induction in step 5..\nTrying induction in step 4..\nTrying induction in step 3..\nTemporal induction successful."
SMT_OK, SMT_BAD = "Checking assertions in step 4..\nStatus: passed", "Checking assertions in step 2..\nChecking assertions in step 3..\nBMC failed!\nStatus: FAILED"
COVERS = "Reached cover statement at a in step 2.\nReached cover statement in step 10.\nReached cover statement at b in step 7.\nStatus: PASSED"
# Engine; what it answers, call by call; what is made of it.
SAYS: list[tuple[str, list[tuple[int | None, str]], str, str]] = [
    ("pdr", [(0, INVARIANT)], "proved", "invariant of 2 clauses in frame 3"), ("scorr", [(0, "Property proved.")], "proved", "by simplification"),
    ("pdr", [(0, "was asserted in frame 12 x")], "falsified", "in step 12"), ("bmc:5", [(0, "was asserted in frame 3 x\nProperty proved")], "falsified", "in step 3"),
    ("bmc:5", [(0, "No output asserted in 5 frames")], "unfound", "no counterexample in 5 steps"),
    ("bmc:5", [(0, "Explored all reachable")], "unfound", "no counterexample in 5 steps"), ("pdr", [(0, "one\nError: two\nthree")], "error", "Error: two"),
    ("pdr", [(0, "one\n  two  \n\n")], "error", "two"), ("pdr", [(0, "")], "error", "it said nothing"), ("pdr", [(None, INVARIANT)], "timeout", "more than 50 s"),
    ("reach:5", [(None, HIT)], "timeout", "more than 50 s"), ("reach:5", [(0, HIT)], "uncovered", "not reached in 5 steps: cover[1] a cover"),
    ("reach:5", [(0, HIT.replace("/    3", "/    2"))], "covered", "2 covers, the last in step 4"),
    ("reach:5", [(0, HIT.replace("/    3", "/    4"))], "uncovered", "not reached in 5 steps: cover[1] a cover; cover[3]"),
    ("reach:5", [(0, "x")], "uncovered", "not reached in 5 steps: "), ("cover:5", [(0, COVERS)], "covered", "3 covers, the last in step 10"),
    ("cover:5", [(1, COVERS)], "error", "Status: PASSED"), ("cover:5", [(0, "Status: PASSED")], "error", "Status: PASSED"),
    ("cover:5", [(1, COVERS + "\nUnreached cover statement at d.\nStatus: FAILED")], "uncovered", "Unreached cover statement at d."),
    ("cover:5", [(None, COVERS)], "timeout", "more than 50 s"), ("z3:5", [(0, SMT_OK), (0, INDUCED)], "proved", "induction over 2 steps"),
    ("cvc5:5", [(0, SMT_OK), (0, "Temporal induction successful.")], "proved", "induction over 5 steps"), ("z3:5", [(1, SMT_BAD)], "falsified", "in step 3"),
    ("z3:5", [(0, SMT_BAD)], "falsified", "in step 3"), ("z3:5", [(1, SMT_OK)], "error", "Status: passed"), ("z3:5", [(1, "BMC failed!")], "error", "BMC failed!"),
    ("z3:5", [(None, SMT_OK)], "timeout", "more than 50 s"), ("z3:5", [(0, SMT_OK), (None, INDUCED)], "timeout", "more than 50 s"),
    ("z3:5", [(0, SMT_OK), (1, "Temporal induction failed!")], "unknown", "not inductive over 5 steps"),
    ("z3:5", [(0, SMT_OK), (1, INDUCED)], "error", "Temporal induction successful."),
    ("ind:5", [(0, "Trying induction with length 1\nTrying induction with length 2\nInduction step proven: SUCCESS!")], "proved", "induction over 2 steps"),
    ("ind:5", [(0, "Trying induction with length 3\nSAT temporal induction proof finished - model found for base case: FAIL!")], "falsified", "in step 2"),
    ("ind:5", [(0, "Reached maximum number of time steps -> proof failed.")], "unknown", "not inductive over 5 steps"), ("ind:5", [(0, "x")], "error", "x"),
    ("ind:5", [(1, "Induction step proven: SUCCESS!")], "error", "Induction step proven: SUCCESS!"), ("ind:5", [(None, "x")], "timeout", "more than 50 s"),
    ("cadical:5", [(20, ""), (20, "")], "proved", "induction over 5 steps"), ("cadical:5", [(10, "v 1 0")], "falsified", "in step 2"),
    ("cadical:5", [(20, ""), (10, "")], "unknown", "not inductive over 5 steps"), ("cadical:5", [(0, "c wrong")], "error", "c wrong"),
    ("cadical:5", [(20, ""), (0, "c later")], "error", "c later"), ("cadical:5", [(None, "")], "timeout", "more than 50 s"),
    ("cadical:5", [(20, ""), (None, "")], "timeout", "more than 50 s"), ("probe", [(0, "x")], "same", ""), ("probe", [(1, "x")], "other", "x"),
    ("probe", [(None, "x")], "timeout", "more than 50 s")]
SMTBMC = f"{formal.SMTBMC} -s z3 --unroll --noprogress -t 5"
ABC_ASKS = f"{formal.ABC} -c read_aiger model.aig; fold; strash; print_stats; X; write_cex -a trace.aiw"
ASKED: dict[str, list[str]] = {"pdr": [ABC_ASKS.replace("X", "pdr")], "scorr": [ABC_ASKS.replace("X", "scorr; dc2; pdr")], "bmc:5": [ABC_ASKS.replace("X", "bmc3 -F 5")],
         "reach:5": [ABC_ASKS.replace("X", "bmc3 -a -x -F 5")], "cover:5": [f"{SMTBMC} -c --dump-vcd trace%.vcd model.smt2"], "ind:5": [],
         "z3:5": [f"{SMTBMC} --dump-vcd trace.vcd model.smt2", f"{SMTBMC} -i model.smt2"], "cadical:5": ["cadical -q start.cnf", "cadical -q step.cnf"]}
ASKED["cvc5:5"] = [line.replace("-s z3", "-s cvc5") for line in ASKED["z3:5"]]


@pytest.mark.parametrize("engine, answers, status, said", SAYS)
def test_what_engines_are_asked_and_say(engine: str, answers: list[tuple[int | None, str]], status: str, said: str, root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Yosys reads the model first, but sat -tempinduct asks it then; the limit is that of the check, and what is left of it."""
    made = programs(monkeypatch, *([] if engine in ("probe", "ind:5") else [(0, "Yosys")]), *answers)
    monkeypatch.setattr(formal, "gates", lambda c, folder: folder)
    class File:
        def __init__(self, data: bytes) -> None:
            assert data == b"aig"
        def model(self) -> str:
            return "model"
    monkeypatch.setattr(formal.formal_sat, "File", File)
    monkeypatch.setattr(formal.formal_sat, "start", lambda model, depth: ("cycles", {7: 1, 8: 2}, [(1,), (-1, 2)]) if (model, depth) == ("model", 5) else None)
    monkeypatch.setattr(formal.formal_sat, "step", lambda model, depth: ("cycles", {7: 1}, [(1,)]) if (model, depth) == ("model", 5) else None)
    monkeypatch.setattr(formal.formal_sat, "witness", lambda model, cycles, name, text: (2, f"{model} {cycles} {len(name)} {text.strip()}"))
    (root / "model.aig").write_bytes(b"aig")
    c = check(engine, "covered" if engine[:5] in ("cover", "reach") else "proved")
    assert formal.attempt(c, root, {"a.v": "text"}, 50, lambda: None) == (status, said)
    assert made.calls[0].startswith("model.log: ")
    if engine == "probe":
        assert made.calls[0].endswith(f"-B {root / formal.PROBE} --jobs 1 lfsr_formal") and made.limits == [50]
        return
    assert made.calls[0] == f"model.log: {formal.YOSYS} {'-Q' if engine == 'ind:5' else '-q'} -s model.ys"
    asked = [line.partition(": ")[2] for line in made.calls[1:]]
    assert asked == ASKED[engine][:len(asked)] and len(asked) == len(answers) - (engine == "ind:5")
    assert made.limits[:1] == [50] and all(48 < limit <= 50 for limit in made.limits)
    assert (root / "a.v").read_text() == "text" and (root / "model.ys").read_text() == formal.script(c, ["check.v", "lfsr.v", "lfsr_props.v"])
    if status == "falsified" and engine == "cadical:5":
        assert (root / "trace.aiw").read_text() == "model cycles 2 v 1 0"
    assert not list(root.glob("*.cnf"))


@pytest.mark.parametrize("code, status", [(None, "timeout"), (1, "error")])
def test_yosys_that_fails(code: int | None, status: str, root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine is asked."""
    programs(monkeypatch, (code, "ERROR: no module\nthe end"))
    assert formal.attempt(check("pdr"), root, {}, 50, lambda: None) == (status, "ERROR: no module" if code else "more than 50 s")


def test_what_is_known_is_not_asked(root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the gates are there; what they refuse is told."""
    made: list[str] = []
    monkeypatch.setattr(formal, "gates", lambda c, folder: made.append(c.label))
    programs(monkeypatch, (0, ""))
    assert formal.attempt(check("bmc:5"), root, {}, 50, lambda: {"status": "proved", "words": "before"}) == ("proved", "before") and made == ["c/bmc"]
    def refuse(c: formal.Check, folder: pathlib.Path) -> None:
        raise formal.formal_sat.Wrong(f"no rule {c.label} {folder.name == root.name}")
    monkeypatch.setattr(formal, "gates", refuse)
    programs(monkeypatch, (0, ""))
    assert formal.attempt(check("bmc:5"), root, {}, 50, lambda: None) == ("error", "no rule c/bmc True")


# -- traces -----------------------------------------------------------------------------------------

def test_which_properties_break(tmp_path: pathlib.Path) -> None:
    """By the last value of bad_i that has a bit high; of the first variable of that name."""
    vcd = tmp_path / "a.vcd"
    head = "$var wire 1 # clk $end\n$var wire 3 ! u.bad_i [2:0] $end\n$var wire 3 % bad_i $end\n"
    for body, want in (("b001 !\nb100 !\nb000 !\nb010 %\n", ["bad[2] the third"]), ("b001 !\nb111 !\n", ["bad[0] zero", "bad[1]", "bad[2] the third"]),
                       ("b000 !\n1#\n", []), ("bx1x !\nbxxx !\n", ["bad[1]"]), ("1!\n0!\n", ["bad[0] zero"])):
        vcd.write_text(head + body)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(formal, "ROOT", tmp_path)
            for name, text in FILES.items():
                (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / name).write_text(text)
            assert formal.broken(check("pdr"), vcd) == want, body


@pytest.mark.parametrize("clock", [False, True])
def test_yosys_plays_a_trace(clock: bool, root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = programs(monkeypatch, (0, ""))
    c = check("pdr")
    assert formal.trace(c, root) is None and not made.calls
    (root / "trace1.vcd").touch()
    (root / "trace0.vcd").touch()
    (root / "trace.aiw").touch()
    (root / "lfsr_formal.v").write_text("input clk_i," if clock else "input clk_in,")
    assert formal.trace(c, root) == root / "trace0.vcd" and made.calls == [f"trace.log: {formal.YOSYS} -q -s trace.ys"]
    want = formal.words(c, ["check.v", "lfsr.v", "lfsr_props.v"]) + ["add -input clk_i 1"] * (not clock)
    assert (root / "trace.ys").read_text().splitlines() == [*want, "sim -clock clk_i -r trace.aiw -map model.aim -vcd trace.vcd"]


# -- what is kept -----------------------------------------------------------------------------------

SAID = {tool: f"{tool} 1" for tools in formal.NEEDS.values() for tool in tools}


def runs(c: formal.Check, monkeypatch: pytest.MonkeyPatch, status: str, *, gates: bytes = b"aig", words: str = "w", said: dict[str, str] = SAID) -> tuple[dict[str, Any], bool]:
    """The result, and whether the engine was asked."""
    asked: list[bool] = []
    def attempt(_c: formal.Check, folder: pathlib.Path, texts: dict[str, str], limit: float, known: Any) -> tuple[str, str]:
        assert limit == 50 and "check.v" in texts
        (folder / "model.aig").write_bytes(gates)
        if (old := known()) is not None:
            return old["status"], old["words"]
        asked.append(True)
        return status, words
    monkeypatch.setattr(formal, "attempt", attempt)
    return formal.run(c, said, 50), bool(asked)


@pytest.mark.parametrize("status", ["proved", "falsified", "covered", "same", "unfound", "unknown", "timeout", "error", "uncovered", "other"])
def test_which_results_are_kept(status: str, root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that are final, of the same sources and tools; never one whose time is unknown."""
    monkeypatch.setattr(formal, "PROGRAMS", Programs())
    monkeypatch.setattr(formal, "trace", lambda c, folder: None)
    final = status in ("proved", "falsified", "covered", "same")
    c = check("pdr", "falsified")        # nothing is answered of gates
    one, asked = runs(c, monkeypatch, status)
    file = root / "build/proofs/c/pdr/result.json"
    kept = json.loads(file.read_text())
    assert asked and kept == one and "cached" not in one and (one["status"], one["words"]) == (status, "w")
    assert 0 <= one["seconds"] < 5 and 10 <= one["cpu"] < 12
    two, asked = runs(c, monkeypatch, status)
    assert asked != final and two.get("cached", False) == final
    for name, value in (("cpu", -1), ("key", "x"), ("status", "unfound")):
        file.write_text(json.dumps(kept | {name: value}))
        assert runs(c, monkeypatch, status)[1], name
    file.write_text(json.dumps(kept | {"cpu": 0}))
    assert runs(c, monkeypatch, status)[1] != final
    for text in ("{", "{}"):
        file.write_text(text)
        assert runs(c, monkeypatch, status)[1], text
    assert [p.name for p in (root / "build/proofs/c").iterdir()] == ["pdr"]


@pytest.mark.parametrize("expect", ["proved", "covered", "falsified"])
@pytest.mark.parametrize("status", ["proved", "covered", "falsified", "timeout"])
def test_which_answers_are_taken_again(expect: str, status: str, root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the Verilog has changed and the gates have not; those that were expected, but no counterexample.  Its time is the longer one."""
    monkeypatch.setattr(formal, "PROGRAMS", Programs())
    monkeypatch.setattr(formal, "trace", lambda c, folder: None)
    c, file, good = check("pdr", expect), root / "build/proofs/c/pdr/result.json", status == expect != "falsified"
    assert runs(c, monkeypatch, status)[1]
    old = json.loads(file.read_text())
    for cpu in (3.0, 77.0):
        file.write_text(json.dumps(old | {"cpu": cpu}))
        (root / "rtl/lfsr.v").write_text(f"{cpu}\n")
        result, asked = runs(c, monkeypatch, status, words="w" if good else "new")
        assert asked != good and result["status"] == status and "cached" not in result
        assert 10 <= result["cpu"] < 12 if not good or cpu < 10 else result["cpu"] == cpu
    (root / "rtl/lfsr.v").write_text("other gates\n")
    assert runs(c, monkeypatch, status, gates=b"other")[1]
    for name, value in (("cpu", -1), ("question", "x"), ("status", "unfound")):
        file.write_text(json.dumps(json.loads(file.read_text()) | {name: value}))
        (root / "rtl/lfsr.v").write_text(f"{name}\n")
        assert runs(c, monkeypatch, status, gates=b"other")[1], name


@pytest.mark.parametrize("bug", [False, True])
def test_what_is_kept_of_a_counterexample(bug: bool, root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a proof its trace and what breaks; a bug has a folder of its own, and no trace."""
    monkeypatch.setattr(formal, "PROGRAMS", Programs())
    monkeypatch.setattr(formal, "trace", lambda c, folder: folder / "t.vcd")
    monkeypatch.setattr(formal, "broken", lambda c, vcd: [vcd.name])
    c = formal.bugs(formal.proofs())["tap"][0] if bug else check("pdr")
    result, _ = runs(c, monkeypatch, "falsified")
    assert (result["trace"], result["broken"]) == (("", []) if bug else ("t.vcd", ["t.vcd"]))
    assert json.loads((root / "build" / ("bugs/tap/bmc" if bug else "proofs/c/pdr") / "result.json").read_text()) == result
    assert "trace" not in runs(check("bmc:2"), monkeypatch, "unfound")[0]


def test_nothing_is_left_of_what_is_interrupted(root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formal, "PROGRAMS", Programs())
    runs(check("pdr"), monkeypatch, "timeout")
    def attempt(*_: Any) -> None:
        raise KeyboardInterrupt
    monkeypatch.setattr(formal, "attempt", attempt)
    with pytest.raises(KeyboardInterrupt):
        formal.run(check("pdr"), SAID, 50)
    assert [str(p.relative_to(root)) for p in sorted(root.glob("build/**/*")) if p.is_file()] == ["build/proofs/c/pdr/model.aig", "build/proofs/c/pdr/result.json"]


# -- what is told -----------------------------------------------------------------------------------

def test_a_line(root: pathlib.Path) -> None:
    del root
    c, result = check("pdr"), {"status": "proved", "words": "w", "seconds": 1.234}
    assert formal.line(c, result, True) == f"PASS {'c/pdr':<32}    1.23 s proved: w"
    assert formal.line(c, result | {"words": "", "cached": True}, True) == f"PASS {'c/pdr':<32}    1.23 s cached proved"
    c.expect = "covered"
    assert formal.line(c, result, False) == f"FAIL {'c/pdr':<32}    1.23 s proved: w; expected: covered\n    see build/proofs/c/pdr"
    c.edit = ("a", "b", "c")
    assert formal.line(c, result | {"broken": ["x", "y"], "trace": "t.vcd"}, False) == (
        f"FAIL {'c/pdr':<32}    1.23 s proved: w; expected: covered\n    broken: x\n    broken: y\n    see build/bugs/c/pdr/t.vcd")


def main(words: str, monkeypatch: pytest.MonkeyPatch, bad: str = "") -> int:
    """Where every check but one ends as it should."""
    monkeypatch.setattr(formal, "versions", lambda names: {name: name for name in names})
    def run(c: formal.Check, said: dict[str, str], limit: float) -> dict[str, Any]:
        assert set(formal.NEEDS[c.engine]) <= set(said)
        return {"key": "k", "status": "error" if c.label == bad else c.expect, "words": f"{limit:.0f}", "seconds": 2.0, "cpu": 3.0, "extra": 1}
    monkeypatch.setattr(formal, "run", run)
    return formal.main(words.split())


@pytest.mark.parametrize("bad", ["", "late/cadical"])
def test_all_of_it(bad: str, root: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each check, how many passed, the exit code, and the manifest, whatever the order in which they end."""
    assert main("--only late --only equal --only tap --timeout 7 -j 2", monkeypatch, bad) == (1 if bad else 0)
    said = capsys.readouterr().out.splitlines()
    assert [line[:4] for line in said if line.startswith(("PASS", "FAIL"))].count("FAIL") == bool(bad) and f"PASS {'tap/bmc':<32}    2.00 s falsified: 7" in said
    assert said[-1] == (f"{2 if bad else 3} passed, {1 if bad else 0} failed")
    left = json.loads((root / "build/checks.json").read_text())
    assert left["every"] == list(left["checks"]) == ["late/cadical", "equal/ind", "tap/bmc"] and left["jobs"] == 2 and 0 <= left["wall"] < 5 and left["commit"] == "abc"
    status = "error" if bad else "proved"
    assert left["checks"]["late/cadical"] == {"kind": "property", "expect": "proved", "status": status, "words": "7", "seconds": 2.0, "cpu": 3.0, "key": "k"}


def test_a_share(root: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Two shares are all, and neither has what the other has; each has a manifest of its own."""
    (root / "none.csv").write_text("check,kind,expect,status,cpu_s\nlate/cadical,property,proved,proved,50\n")
    parts = []
    for k in (1, 2):
        assert main(f"--only late --only equal --only tap --task {k}/2", monkeypatch) == 0
        left = json.loads((root / f"build/checks.{k}-of-2.json").read_text())
        assert left["every"] == ["late/cadical", "equal/ind", "tap/bmc"]
        parts.append(list(left["checks"]))
    assert parts == [["late/cadical"], ["equal/ind", "tap/bmc"]]
    assert main("--only tap --task 2/2 --list", monkeypatch) == 0 and capsys.readouterr().out.splitlines()[-1] == "2 passed, 0 failed"


def test_the_list(root: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert main("--list --only late --only tap", monkeypatch) == 0 and not (root / "build").exists()
    assert capsys.readouterr().out == f"{'late/cadical':<32} {'proved':<10} a queue\n{'tap/bmc':<32} {'falsified':<10} a tap\n"


def test_what_is_done_is_told_when_one_breaks_off(root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formal, "versions", lambda names: {})
    made = programs(monkeypatch)
    def run(c: formal.Check, *_: Any) -> dict[str, Any]:
        if c.label == "tap/bmc":
            raise KeyboardInterrupt
        return {"key": "k", "status": c.expect, "words": "", "seconds": 2.0, "cpu": 3.0}
    monkeypatch.setattr(formal, "run", run)
    with pytest.raises(KeyboardInterrupt):
        formal.main("--only late --only tap -j 1".split())
    assert made.stopped and list(json.loads((root / "build/checks.json").read_text())["checks"]) == ["late/cadical"]


def test_a_bug_without_its_text_is_told_first(root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "rtl/lfsr.v").write_text("none\n")
    with pytest.raises(formal.Wrong, match="stands 0 times"):
        main("--only late --only tap", monkeypatch)
    assert not (root / "build").exists()


def test_what_a_step_tells(root: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many are done, and which are under way."""
    del root
    screen, shown, one, two = formal.Screen(3), list[str](), check("pdr"), check("bmc:2")
    monkeypatch.setattr(screen.progress, "show", shown.append)
    screen.begin(one)
    screen.begin(two)
    screen.end(one, {"status": "proved", "words": "", "seconds": 1.0})
    screen.end(two, {"status": "error", "words": "", "seconds": 1.0})
    assert shown == ["[0/3] c/pdr", "[0/3] c/pdr, c/bmc", "[1/3] c/bmc", "[2/3] "] and screen.passed == 1


def test_the_nearest_name() -> None:
    assert formal.nearest("fifo-q22", ["lfsr", "fifo-q2", "fifo"]) == "; nearest: fifo-q2" and formal.nearest("zzz", ["lfsr"]) == ""
