# SPDX-License-Identifier: Apache-2.0
"""test_provers.py - what outside provers say, by stand-ins: only the words, or the exit code, of a proof count as one.

Each stand-in is a short shell script; its k-th call gives the k-th answer, later calls the last one.
"""

from __future__ import annotations

import pathlib
import shlex
from collections.abc import Callable

import pytest

import formal
import formal_gates
import formal_sat
import mutate_equal
import mutate_reach
from mutate_tools import Trouble


def says(text: str, code: int = 0) -> str:
    return f"printf '%s\\n' {shlex.quote(text)}; exit {code}"


NOTHING, FAILS, CRASH, SLEEPS = "exit 0", "exit 1", "kill -SEGV $$", "exec sleep 60"
NO_ANSWER = {"nothing": NOTHING, "fails": FAILS, "crash": CRASH, "a remark": says("Warning: no answer"), "out of memory": says("error: out of memory", 1)}

# CaDiCaL's exit codes are those of the SAT competitions.
SAT, UNSAT, UNKNOWN = says("s SATISFIABLE\nv 1 0", 10), says("s UNSATISFIABLE", 20), says("c UNKNOWN")

# As ABC 1.01 says it.
PROVED = says("Invariant F[1] : 2 clauses with 2 flops (out of 2) (cex = 0, ave = 2.00)\nProperty proved.  Time =     0.01 sec")
ASSERTED = says('Output 0 of miter "b" was asserted in frame 2.  Time =     0.01 sec')
TIMEOUT = says("Reached timeout (30 seconds) in frame 4.")
LIMIT = says("Reached resource limit in frame 4.")
NONE_FOUND = says("No output asserted in 4 frames. Resource limit reached (conf limit 0). Time =     0.02 sec")
REACHED = says("m : i/o =    2/    1  lat =    2\nOutput 0 was asserted in frame  2 (solved 1 out of 1 outputs).")
REACHED_NOT_ALL = says("m : i/o =    2/    2  lat =    2\nOutput 0 was asserted in frame  2 (solved 1 out of 2 outputs).")


def cut(answer: str) -> str:
    """The first letters of an answer, then a crash."""
    return f"printf %s {shlex.quote(shlex.split(answer)[2][:8])}; {CRASH}"


class Stand:
    """Makes stand-ins, which PATH begins with."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder

    def __call__(self, name: str, *answers: str) -> str:
        file, calls = self.folder / name, self.folder / f"{name}.calls"
        calls.write_text("")
        cases = "".join(f"{k}) {answer} ;;\n" for k, answer in enumerate(answers[:-1], 1))
        file.write_text(f"#!/bin/sh\necho \"$*\" >>'{calls}'\ncase $(wc -l <'{calls}') in\n{cases}*) {answers[-1]} ;;\nesac\n")
        file.chmod(0o755)
        return str(file)


@pytest.fixture(name="stand")
def stand_ins(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> Stand:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return Stand(folder)


# -- mutants: a netlist whose mutant 1 is another one ------------------------------------------------

# out_valid_o = input & ~mutant[0]
NETLIST = "\n".join(["aag 19 18 0 1 1", *(str(2 * k) for k in range(1, 19)), "38", "38 4 7", "i0 rst_i", "i1 in_i",
                     *(f"i{k + 2} mutant[{k}]" for k in range(16)), "o0 out_valid_o", "c", ""])


@pytest.fixture(name="netlist")
def written_netlist(tmp_path: pathlib.Path) -> pathlib.Path:
    (tmp_path / "netlist.aag").write_text(NETLIST)
    return tmp_path


def proves(ask: Callable[[], object]) -> bool:
    """A prover without an answer may be told as trouble."""
    try:
        return bool(ask())
    except Trouble:
        return False


@pytest.mark.parametrize("answer, want", [(UNSAT, True), (SAT, False), (UNKNOWN, False)], ids=["unsat", "sat", "unknown"])
def test_equal_by_cadical(answer: str, want: bool, stand: Stand, netlist: pathlib.Path) -> None:
    stand("cadical", answer)
    assert mutate_equal.equivalent(str(netlist), "switch", [1]) == ({1: "sat"} if want else {})


@pytest.mark.parametrize("answer", NO_ANSWER.values(), ids=NO_ANSWER)
def test_not_equal_without_cadical(answer: str, stand: Stand, netlist: pathlib.Path) -> None:
    stand("cadical", answer)
    assert not proves(lambda: mutate_equal.equivalent(str(netlist), "switch", [1]))


def unseen(stand: Stand, netlist: pathlib.Path, answers: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(mutate_reach, "ABC", stand("abc", *answers))
    device = mutate_reach.Device(f"{netlist}/netlist.aag", 1, 16, ())
    return mutate_reach.unseen(device, f"{netlist}/reach.aig", 1)


@pytest.mark.parametrize("answers, want", [
    ((PROVED,), True), ((ASSERTED,), False), ((TIMEOUT,), False), ((LIMIT,), False),
    ((TIMEOUT, PROVED), True), ((TIMEOUT, TIMEOUT, PROVED), True),
    ((TIMEOUT, ASSERTED, PROVED), True), ((TIMEOUT, NOTHING, PROVED), True),    # with some registers free a difference says nothing
    ((TIMEOUT, ASSERTED, ASSERTED), False), ((TIMEOUT, ASSERTED, TIMEOUT), False), ((TIMEOUT, NOTHING, TIMEOUT), False)], ids=str.split(
        "proved asserted timeout limit second third despite-few despite-nothing asserted-last never few-and-never"))
def test_unseen_by_abc(answers: tuple[str, ...], want: bool, stand: Stand, netlist: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert unseen(stand, netlist, answers, monkeypatch) == want


@pytest.mark.parametrize("before", [(), (TIMEOUT,), (TIMEOUT, TIMEOUT)], ids=["first", "second", "third"])
def test_not_unseen_without_abc(before: tuple[str, ...], stand: Stand, netlist: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for answer in (*NO_ANSWER.values(), cut(PROVED), PROVED.replace("exit 0", CRASH), PROVED.replace("exit 0", "exit 1")):
        assert not proves(lambda: unseen(stand, netlist, (*before, answer), monkeypatch)), answer


@pytest.mark.parametrize("answer, want", [(ASSERTED, 2), (NONE_FOUND, None), *((a, None) for a in NO_ANSWER.values())], ids=["told", "not told", *NO_ANSWER])
def test_told_by_abc(answer: str, want: int | None, stand: Stand, netlist: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which cycle tells a mutant, of a switch that is no more than that netlist."""
    monkeypatch.setattr(mutate_reach, "ABC", stand("abc", answer))
    monkeypatch.setattr(mutate_reach, "Switch", lambda file, vcs, flit_w, *_: mutate_reach.Device(file, vcs, flit_w, ()))
    try:
        assert mutate_reach.told(str(netlist), "switch", "s1of3-v1-q1-w16-fp-rr", 1) == want
    except Trouble:
        assert answer in NO_ANSWER.values()


# -- proofs ------------------------------------------------------------------------------------------

SMT_PASSED, SMT_FAILED = says("Solver: x\nChecking assertions in step 1..\nStatus: PASSED"), says("Checking assertions in step 1..\nBMC failed!\nStatus: FAILED", 1)
STEP_PASSED, STEP_FAILED = says("Trying induction in step 2..\nTemporal induction successful.\nStatus: PASSED"), says("Temporal induction failed!\nStatus: FAILED", 1)
COVERED = says("Reached cover statement at c in step 2.\nStatus: PASSED")
UNCOVERED = says("Reached cover statement at c in step 2.\nUnreached cover statement at d.\nStatus: FAILED", 1)
SMT_UNKNOWN = says("Unexpected response from solver: unknown", 1)
IND_PROVED = says("Trying induction with length 1\nInduction step proven: SUCCESS!")
IND_FAILED = says("Trying induction with length 1\nSAT temporal induction proof finished - model found for base case: FAIL!")
IND_UNKNOWN = says("Trying induction with length 1\nReached maximum number of time steps -> proof failed.")

# Engine: the program; what it answers, call by call, where all is well; what else it may say in each of these calls.
ANSWERS: dict[str, tuple[str, list[str], list[list[str]]]] = {
    "pdr": ("abc", [PROVED], [[ASSERTED, TIMEOUT, LIMIT]]),
    "scorr": ("abc", [PROVED], [[ASSERTED, TIMEOUT, LIMIT]]),
    "bmc": ("abc", [NONE_FOUND], [[ASSERTED, TIMEOUT]]),
    "reach": ("abc", [REACHED], [[NONE_FOUND, REACHED_NOT_ALL, TIMEOUT]]),
    "ind": ("yosys", [IND_PROVED], [[IND_FAILED, IND_UNKNOWN]]),
    "cadical": ("cadical", [UNSAT, UNSAT], [[SAT, UNKNOWN], [SAT, UNKNOWN]]),
    "z3": ("yosys-smtbmc", [SMT_PASSED, STEP_PASSED], [[SMT_FAILED, SMT_UNKNOWN], [STEP_FAILED, SMT_UNKNOWN]]),
    "cvc5": ("yosys-smtbmc", [SMT_PASSED, STEP_PASSED], [[SMT_FAILED, SMT_UNKNOWN], [STEP_FAILED, SMT_UNKNOWN]]),
    "cover": ("yosys-smtbmc", [COVERED], [[UNCOVERED, SMT_UNKNOWN]]),
}
GOOD = {"bmc": "unfound", "reach": "covered", "cover": "covered"}    # any other: proved


def attempt(engine: str, answers: list[str], stand: Stand, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch, limit: float = 20) -> str:
    """The status of a made-up check: an input that is the property, and gates that Yosys did not make."""
    def gates(_check: formal.Check, where: pathlib.Path) -> formal_sat.Model:
        model = formal_sat.Model(1, [], [2], [], [])
        formal_gates.write_aiger(where / "model.aig", model)
        return model

    for name, program in (("YOSYS", "yosys"), ("ABC", "abc"), ("SMTBMC", "yosys-smtbmc"), ("", "cadical")):
        path = stand(program, *(answers if program == ANSWERS[engine][0] else [NOTHING]))
        if name:
            monkeypatch.setattr(formal, name, path)
    monkeypatch.setattr(formal, "gates", gates)
    depth = "" if engine in formal.ALONE else ":2"
    check = formal.Check("c", ["tb/formal/check.v"], "check", [], engine + depth, GOOD.get(engine, "proved"), "x")
    where = folder / "check"
    where.mkdir(exist_ok=True)
    return formal.attempt(check, where, {}, limit, lambda: None)[0]


def test_every_engine_is_here() -> None:
    assert set(ANSWERS) == set(formal.ENGINES)


@pytest.mark.parametrize("engine", ANSWERS)
def test_the_answer_that_proves(engine: str, stand: Stand, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert attempt(engine, ANSWERS[engine][1], stand, tmp_path, monkeypatch) == GOOD.get(engine, "proved")


@pytest.mark.parametrize("engine", ANSWERS)
def test_any_other_answer_proves_nothing(engine: str, stand: Stand, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of that of each call."""
    _, good, others = ANSWERS[engine]
    for k, more in enumerate(others):
        for answer in [*more, *NO_ANSWER.values(), cut(good[k])]:
            status = attempt(engine, [*good[:k], answer, *good[k + 1:]], stand, tmp_path, monkeypatch)
            assert status not in ("proved", "covered", "unfound"), f"call {k}: {answer}: {status}"


@pytest.mark.parametrize("engine", ANSWERS)
def test_an_engine_that_takes_too_long(engine: str, stand: Stand, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = ANSWERS[engine][1]
    answers = [*good[:-1], SLEEPS]
    assert attempt(engine, answers, stand, tmp_path, monkeypatch, 0.2) == "timeout"


@pytest.mark.parametrize("code, want", [("", "same"), ("sys.exit(0)", "same"), ("sys.exit(1)", "other"), ("sys.exit(2)", "other"), ("sys.exit(4)", "other"), ("x", "other"),
                                        ("os.kill(os.getpid(), 11)", "other"), ("time.sleep(60)", "timeout")])
def test_a_probe(code: str, want: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only where tb/probe ends well the Verilog is the same without one."""
    (tmp_path / "probe.py").write_text(f"import os, sys, time\n{code}\n")
    monkeypatch.setattr(formal, "PROBE", str(tmp_path / "probe.py"))
    check = formal.Check("c", [], "s1of3-v1-q2-w32-rp-rr", [], "probe", "same", "x")
    assert formal.attempt(check, tmp_path, {}, 0.5 if want == "timeout" else 20, lambda: None)[0] == want
