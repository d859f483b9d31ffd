# SPDX-License-Identifier: Apache-2.0
"""test_numbers.py - statistics, fits and counts of the scripts against closed forms, printed tables, and slow ways to compute them."""

from __future__ import annotations

import argparse
import csv
import fractions
import hashlib
import itertools
import math
import pathlib
import random
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import coverage_ci
import judge_bc
import judge_bc_links
import judge_cmsv
import judging
import paper
import paper_bc
import paper_beyond
import paper_cmsv
import paper_gg
import paper_go
import paper_leighton
import paper_tools
import readings_gg
import synth
import synth_page
from paper_page import Page
from paper_tools import Curve, Value

F = fractions.Fraction


class Points:
    """Stands in for a sweep."""

    def __init__(self, *rows: dict[str, Any]) -> None:
        self.rows = list(rows)

    def one(self, **where: Any) -> dict[str, Any]:
        found, = self.all(**where)
        return found

    def values(self, column: str, **where: Any) -> list[Any]:
        return list(dict.fromkeys(r[column] for r in self.all(**where)))

    def all(self, **where: Any) -> list[dict[str, Any]]:
        return [r for r in self.rows if all(r[k] == v for k, v in where.items())]


# -- intervals --------------------------------------------------------------------------------------

@pytest.mark.parametrize("tail, degrees, t", [
    (0.025, 1, 12.706), (0.005, 1, 63.657), (0.005, 2, 9.925), (0.005, 5, 4.032), (0.005, 9, 3.250), (0.025, 10, 2.228), (0.005, 29, 2.756),
    (0.05, 30, 1.697), (0.005, 120, 2.617), (0.0005, 7, 5.408)])
def test_students_quantiles(tail: float, degrees: int, t: float) -> None:
    """As printed in tables."""
    assert abs(paper_tools.student(tail, degrees) - t) < 6e-4


@pytest.mark.parametrize("tail", [0.4, 0.1, 0.005, 1e-7])
def test_students_closed_forms(tail: float) -> None:
    """Of one, two and four degrees of freedom."""
    alpha = 4 * tail * (1 - tail)
    q = math.cos(math.acos(math.sqrt(alpha)) / 3) / math.sqrt(alpha)
    for degrees, t in ((1, 1 / math.tan(math.pi * tail)), (2, (1 - 2 * tail) * math.sqrt(2 / alpha)), (4, 2 * math.sqrt(q - 1))):
        assert math.isclose(paper_tools.student(tail, degrees), t, rel_tol=1e-7)
        assert math.isclose(paper_tools.student_tail(t, degrees), tail, rel_tol=1e-7)


def test_mean_and_deviation() -> None:
    """1 to 10: the variance is 55 / 6, Student's quantile 3.2498."""
    found = paper_tools.mean_of(range(1, 11))
    assert found.mean == 5.5 and math.isclose(found.half, 3.249836 * math.sqrt(55 / 60), rel_tol=1e-6)
    assert math.isclose(paper_tools.deviation(found, 10), math.sqrt(55 / 6))
    assert math.isclose(paper_tools.deviation(Value(7, 1), 30), math.sqrt(30) / 2.756386, rel_tol=1e-6)
    assert paper_tools.mean_of([3.0]).mean == 3 and math.isnan(paper_tools.mean_of([3.0]).half)
    runs = judge_bc.Runs([0.1, 0.2, 0.3])
    assert math.isclose(runs.mean, 0.2) and math.isclose(runs.half, 9.924843 * 0.1 / math.sqrt(3), rel_tol=1e-6)
    assert runs.shown() == "0.2000 ± 0.5730" and judge_bc.Runs([1.0] * 4).shown().endswith("(ten runs, 1.000 to 1.000)")


def test_values() -> None:
    a, b = Value(12, 3), Value(6, 4)
    assert ((a - b).mean, (a - b).half) == (6, 5) and (a.low, a.high) == (9, 15)
    ratio = a / b
    assert ratio.mean == 2 and math.isclose(ratio.half, 2 * math.sqrt(1 / 16 + 4 / 9))
    assert (b.scaled(-2, 1).mean, b.scaled(-2, 1).half) == (-11, 8)
    assert paper_tools.gain(b, a).mean == 50 and paper_tools.over(a, b).mean == 100
    assert math.isclose(paper_tools.gain(b, a).half, 100 * (b / a).half) and math.isclose(paper_tools.over(a, b).half, 100 * ratio.half)
    row = {"load": 0, "latency_mean": 1, "latency_ci99": 2, "last_arrival_mean": 3, "last_arrival_ci99": ""}
    assert (paper_tools.latency(row).mean, paper_tools.latency(row).half) == (3, 0)
    row["load"] = 0.1
    assert (paper_tools.latency(row).mean, paper_tools.latency(row).half) == (1, 2)
    assert (paper_leighton.steps({**row, "load": 0}).mean, paper_leighton.steps(row).half) == (4, 2)


def at_least(p: fractions.Fraction, hits: int, count: int) -> fractions.Fraction:
    return sum((math.comb(count, k) * p ** k * (1 - p) ** (count - k) for k in range(hits, count + 1)), F(0))


@pytest.mark.parametrize("hits, count, tail, printed", [
    (1, 10, 0.025, (0.0025, 0.4450)), (5, 10, 0.025, (0.1871, 0.8129)), (9, 10, 0.025, (0.5550, 0.9975)), (2, 10, 0.005, (0.0109, 0.6482)),
    (10, 20, 0.025, (0.2720, 0.7280)), (4, 20, 0.05, (0.0714, 0.4010)), (147, 150, 0.025, None), (49, 50, 0.025, None)])
def test_clopper_and_pearson(hits: int, count: int, tail: float, printed: tuple[float, float] | None) -> None:
    """As printed, and by what it is: so many hits or more, and so many or fewer, have the chance of a tail at its ends."""
    low, high = coverage_ci.binomial(hits, count, tail)
    assert math.isclose(at_least(F(low), hits, count), tail, rel_tol=1e-9)
    assert math.isclose(1 - at_least(F(high), hits + 1, count), tail, rel_tol=1e-9)
    assert not printed or (abs(low - printed[0]) < 6e-5 and abs(high - printed[1]) < 6e-5)
    assert math.isclose(coverage_ci.binomial(count - hits, count, tail)[0], 1 - high, rel_tol=1e-9)


def test_none_and_all() -> None:
    for count in (1, 3, 50, 300):
        end = 0.025 ** (1 / count)
        for found, want in ((coverage_ci.binomial(0, count), (0, 1 - end)), (coverage_ci.binomial(count, count), (end, 1))):
            assert found[0] == pytest.approx(want[0], abs=1e-12) and found[1] == pytest.approx(want[1], abs=1e-12)


def test_what_intervals_cover(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Truths of 100 and 200, ten samples: 3 without an interval; of the others one is below, one above and two end at the truth."""
    monkeypatch.setattr(coverage_ci, "BUILD", tmp_path)
    pairs = [(90, 99.5), (100.5, 120), (80, 100), (100, 110), (90, 110), (95, 105), (99, 101)]
    monkeypatch.setitem(coverage_ci.SITUATIONS, "some", ("--nodes 4", "", "", ""))
    lines = [coverage_ci.header("some"), "100,,200,,,"]
    lines += [",".join(["stable", "1", str(a), str(b), *[""] * 3, "1", str(2 * a), str(2 * b), *[""] * 9]) for a, b in pairs]
    lines += [",".join(["stable", *["1", "", ""] * 6])] * 3
    (tmp_path / "some.csv").write_text("\n".join(lines) + "\n")
    mean, half = coverage_ci.summary("some")
    assert coverage_ci.sampled("some") == 10 and coverage_ci.sampled("tree64-random") == 0
    assert (mean["of"], half["of"], mean["truth"], half["truth"]) == ("mean", "p50", "100", "200")
    width = sum(b - a for a, b in pairs) / 2 / 7 / 100
    low, high = coverage_ci.binomial(5, 7)
    for row in (mean, half):
        assert (row["samples"], row["given"], row["covered"], row["too_low"]) == ("10", "7", "5", "1")
        assert row["share"] == "0.7143" and row["half_width"] == f"{width:.4f}"
        assert (row["low95"], row["high95"]) == (f"{low:.4f}", f"{high:.4f}") == ("0.2904", "0.9633")


def test_ends_of_an_interval() -> None:
    row = {"latency_low": "1", "latency_high": "2", "last_arrival_low": "3", "last_arrival_high": "4", "latency_p95_low": "5",
           "latency_p95_high": "6", "latency_p99_low": "", "latency_p99_high": ""}
    assert [coverage_ci.ends(row, kind) for kind in ("mean", "last", "p95", "p99")] == [(1, 2), (3, 4), (5, 6), None]
    assert coverage_ci.column("last") == "last_arrival_mean" and coverage_ci.column("p50") == "latency_p50"
    assert [coverage_ci.seeds_of(n) for n in ("tree64-random", "mesh36-0.28", "torus64-0.15")] == [300, 100, 1000]


def test_samples_of_another_program(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Samples are gone on with, and counted, where the program gives what it gave."""
    asked = []

    def point(options: str, seed: int) -> dict[str, str]:
        asked.append(seed)
        return {coverage_ci.column(kind): "1" for kind in coverage_ci.KINDS} | {"verdict": "stable"} | {
            stem + end: "" for kind in coverage_ci.KINDS for stem in ({"mean": "latency", "last": "last_arrival"}.get(kind, f"latency_{kind}"),)
            for end in ("_low", "_high")}

    monkeypatch.setattr(coverage_ci, "BUILD", tmp_path)
    monkeypatch.setattr(coverage_ci, "point", point)
    name, samples = "tree256-complement", coverage_ci.SEEDS
    for _ in range(2):
        coverage_ci.run(name)
        assert (coverage_ci.sampled(name), len(asked)) == (samples, 1 + samples)
    monkeypatch.setattr(coverage_ci, "results", lambda: "another program")
    assert coverage_ci.sampled(name) == 0
    coverage_ci.run(name)
    assert (coverage_ci.sampled(name), len(asked)) == (samples, 2 + 2 * samples)


def test_published_intervals(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a new sample the table is that of the page, and its shares and their intervals are those of the counts."""
    result = tmp_path / "intervals.csv"
    text = coverage_ci.RESULT.read_text(encoding="ascii")
    result.write_text(text, encoding="ascii")
    monkeypatch.setenv("INTERVALS", "there")
    monkeypatch.setattr(coverage_ci, "RESULT", result)
    monkeypatch.setattr(coverage_ci, "BUILD", tmp_path)
    coverage_ci.table()
    shown = capsys.readouterr().out
    assert result.read_text(encoding="ascii") == text
    assert shown.partition("\n\n")[0] + "\n" in (coverage_ci.ROOT / "docs/intervals.md").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    held = [r for r in rows if r["situation"] in coverage_ci.HELD_OUT and r["of"] in ("mean", "last")]
    assert f"held out: all: {sum(int(r['covered']) for r in held)} of {sum(int(r['given']) for r in held)}\n" in shown
    for row in rows:
        hits, count = int(row["covered"]), int(row["given"])
        if count:
            low, high = coverage_ci.binomial(hits, count)
            assert (row["share"], row["low95"], row["high95"]) == (f"{hits / count:.4f}", f"{low:.4f}", f"{high:.4f}"), row
    assert sum(bool(row["share"]) for row in rows) > 100


def test_verdicts_near_saturation(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What is accepted is 0.25: loads to 0.99 of it are stable, those above saturated, and of the tenth seed undecided; a second call asks nothing."""
    asked = []

    def point(options: str, seed: int) -> dict[str, str]:
        asked.append(options)
        load, whole = float(options.split("--load ")[1].split()[0]), 1.0 if "neighbour" in options else 0.25
        return {"verdict": "undecided" if seed % 10 == 0 else "stable" if load < 0.992 * whole else "saturated", "accepted_load": "0.25"}

    monkeypatch.setattr(coverage_ci, "BUILD", tmp_path / "build")
    monkeypatch.setattr(coverage_ci, "RESULT", tmp_path / "intervals.csv")
    monkeypatch.setattr(coverage_ci, "point", point)
    for _ in range(2):
        coverage_ci.power()
        shown = capsys.readouterr().out
        assert len(asked) == 4 + 10 * (6 * 5 + 3 * 2)
        assert "| tree16 | 100000 | 9/1/0 | 9/1/0 | 0/1/9 | 0/1/9 | 0/1/9 | 0/1/9 |" in shown
        assert "| source-link16 | 1000000 | 9/1/0 | 9/1/0 | 0/1/9 | - | - | - |" in shown
    monkeypatch.setattr(coverage_ci, "results", lambda: "another program")
    coverage_ci.power()
    assert len(asked) == 2 * (4 + 10 * (6 * 5 + 3 * 2))
    rows = list(csv.DictReader((tmp_path / "power.csv").read_text().splitlines()))
    assert {r["runs"] for r in rows} == {"10"} and all(sum(int(r[w]) for w in ("stable", "undecided", "saturated")) == 10 for r in rows)


@pytest.mark.parametrize("new, old, given, hits, stable, passed", [
    (147, 146, 100, 97, 0, "YYYY"), (146, 0, 150, 150, 0, "NYYY"), (150, 147, 103, 100, 0, "YNYY"), (150, 9, 99, 99, 0, "YYNY"), (150, 9, 100, 96, 0, "YYNY"), (150, 9, 150, 146, 1, "YYYN")])
def test_the_check_of_intervals(new: int, old: int, given: int, hits: int, stable: int, passed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Of 150 intervals of last arrivals and of open loops so many cover, and so many would by the old rule; short runs have none."""
    def point(options: str, seed: int) -> dict[str, str]:
        truth = seed == coverage_ci.TRUTH_SEED
        if "complement" in options:
            end = 10.0 if seed <= new else 9.75
            return {"last_arrival_mean": "10" if truth else "9", "last_arrival_low": "8", "last_arrival_high": str(end), "last_arrival_ci99": "1" if seed <= old else "0.5"}
        low = "5" if seed <= hits else "5.5"
        return {"latency_mean": "5", "latency_low": low if seed <= given else "", "latency_high": "7", "verdict": "stable" if "1500" in options and seed <= stable else "undecided"}

    monkeypatch.setattr(coverage_ci, "point", point)
    assert coverage_ci.main(["check"]) == ("N" in passed)
    said = capsys.readouterr().out.splitlines()
    assert [line[:4] for line in said[:4]] == [{"Y": "PASS", "N": "FAIL"}[one] for one in passed] and said[4] == f"{passed.count('Y')} passed, {passed.count('N')} failed"
    assert f"static complement: {new} of 150 intervals cover" in said[0] and f"open loop: {hits} of {given} intervals cover" in said[2]


def test_commands_of_intervals(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Those that are named, or all; a wrong name is told before any is sampled."""
    asked: list[str] = []
    for command in ("run", "table", "power"):
        monkeypatch.setattr(coverage_ci, command, lambda *names, command=command: asked.extend(names or [command]))
    assert coverage_ci.main(["run", "mesh36-0.28", "tree16-0.30"]) == coverage_ci.main(["table"]) == coverage_ci.main(["power"]) == 0
    assert asked == ["mesh36-0.28", "tree16-0.30", "table", "power"]
    assert coverage_ci.main(["run", "mesh36-0.28", "mesh36"]) == 2 and len(asked) == 4 and "coverage_ci.py: mesh36; allowed: tree64-random, " in capsys.readouterr().err
    assert coverage_ci.main([]) == coverage_ci.main(["check", "all"]) == 2 and len(asked) == 4
    assert coverage_ci.main(["run"]) == 0 and asked[4:] == list(coverage_ci.SITUATIONS)


# -- fits -------------------------------------------------------------------------------------------

def test_anscombe() -> None:
    """His first set: y = 3.00 + 0.500 x, standard error of the slope 0.118, R^2 0.667."""
    x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    assert [round(v, 4) for v in paper_tools.line_fit(x, y)] == [3.0001, 0.5001, 0.1179, 0.6665]


def normal_equations(x: list[int], y: list[int]) -> tuple[fractions.Fraction, ...]:
    """Intercept, slope, variance of the slope and R^2, by Cramer's rule."""
    n, sx, sy = len(x), F(sum(x)), F(sum(y))
    xx, xy = F(sum(u * u for u in x)), F(sum(u * v for u, v in zip(x, y)))
    wide = n * xx - sx * sx
    a, b = (xx * sy - sx * xy) / wide, (n * xy - sx * sy) / wide
    rest = sum((v - a - b * u) ** 2 for u, v in zip(x, y))
    return a, b, rest / (n - 2) * n / wide, 1 - rest / (sum(v * v for v in y) - sy * sy / n)


def test_lines_by_normal_equations() -> None:
    draw = random.Random(1)
    for n in (3, 4, 5, 10, 100):
        x, y = draw.sample(range(1, 200), n), [draw.randrange(1, 200) for _ in range(n)]
        a, b, error, square = paper_tools.line_fit(x, y)
        want = normal_equations(x, y)
        assert all(math.isclose(u, v, rel_tol=1e-9) for u, v in zip((a, b, error ** 2, square), want))
        if abs(want[0]) > 500:    # beyond what 2^a may be
            continue
        k, p, of_p = paper_tools.power_fit_logs([2.0 ** u for u in x], [2.0 ** v for v in y])
        assert all(math.isclose(u, v, rel_tol=1e-9) for u, v in zip((math.log2(k), p, of_p ** 2), want))
        p, half = (lambda v: (v.mean, v.half))(judging.growth([2.0 ** u for u in x], [2.0 ** v for v in y]))
        assert math.isclose(p, want[1], rel_tol=1e-9) and math.isclose(half, paper_tools.student(0.005, n - 2) * math.sqrt(want[2]), rel_tol=1e-9)
    assert math.isnan(paper_tools.line_fit([1, 2], [3, 5])[2]) and paper_tools.line_fit([1, 2], [3, 5])[:2] == (1, 2)
    assert paper_tools.line_fit([1, 2, 4], [3, 3, 3]) == (3, 0, 0, 1)
    with pytest.raises(ArithmeticError, match="3 points at 2.5 have no slope"):
        paper_tools.line_fit([2.5, 2.5, 2.5], [1, 2, 3])


def of_power(x: list[float], y: list[float], p: float) -> tuple[float, float]:
    """The best k for an exponent, and the sum of squares."""
    k = sum(v * u ** p for u, v in zip(x, y)) / sum(u ** (2 * p) for u in x)
    return k, sum((v - k * u ** p) ** 2 for u, v in zip(x, y))


@pytest.mark.parametrize("power, scale, n", [(0.5, 12, 5), (1.4, 0.3, 8), (-0.7, 900, 6), (2.2, 3, 20)])
def test_powers(power: float, scale: float, n: int) -> None:
    """No neighbour is better; the error of p is that of a line through the residuals, and does not depend on units."""
    draw = random.Random(n)
    x = [4.0 ** (k / 2) for k in range(2, 2 + n)]
    exact = paper_tools.power_fit(x, [scale * u ** power for u in x])
    assert math.isclose(exact[0], scale, rel_tol=1e-6) and math.isclose(exact[1], power, rel_tol=1e-6) and exact[2] < 1e-6
    y = [scale * u ** power * (1 + 0.02 * draw.uniform(-1, 1)) for u in x]
    k, p, error = paper_tools.power_fit(x, y)
    least = of_power(x, y, p)
    assert math.isclose(k, least[0]) and all(of_power(x, y, p + d)[1] > least[1] for d in (-1e-3, 1e-3, 0.1, -0.1))
    # Of small residuals: twice their mean square over the curvature of the sum of squares in p.
    step = 0.01 * error + 1e-5
    curve = (of_power(x, y, p + step)[1] - 2 * least[1] + of_power(x, y, p - step)[1]) / step ** 2
    assert math.isclose(error, math.sqrt(2 * least[1] / (n - 2) / curve), rel_tol=0.05)
    for other in (paper_tools.power_fit([9 * u for u in x], y), paper_tools.power_fit(x, [0.01 * v for v in y])):
        assert math.isclose(other[1], p, rel_tol=1e-5) and math.isclose(other[2], error, rel_tol=1e-4)
    assert math.isnan(paper_tools.power_fit([1, 2], [3, 5])[2])


def test_fits_of_cmsv() -> None:
    """Six sizes, two seeds each: 3 x^0.5 times 2 and 1 / 2, which leave the mean of the logarithms alone."""
    rows = [{"topology": "torus", "nodes": 4.0 ** k, "length": 4, "measured": 4.0 ** k, "cycles": 3 * 2.0 ** k * by} for k in range(2, 8) for by in (2, 0.5)]
    fit = paper_cmsv.Fit(rows, paper_cmsv.cycles, lambda r: r["nodes"])
    logs = [math.log(3) - k * math.log(2) for k in range(2, 8)]
    assert math.isclose(fit.constant, math.exp(sum(logs) / 6)) and math.isclose(fit.power, 0.5)
    assert math.isclose(fit.half, 4.032143 * math.log(2) * math.sqrt(17.5 / 5 / 6), rel_tol=1e-6) and fit.power_half < 1e-6
    assert math.isclose(fit.least, 3 / 2 / 128) and math.isclose(fit.most, 3 * 2 / 4) and fit.holds and fit.growth() == "0.50 ± 0.00"
    assert [round(x / y, 6) for x, y in paper_cmsv.spread(fit)] == [round(4.0 ** k / (3 * 2.0 ** k), 6) for k in range(2, 8)]
    low, high = (fit.constant * math.exp(s * fit.half) for s in (-1, 1))
    assert fit.text() == f"{fit.constant:.2f} ({low:.2f} .. {high:.2f})"
    grows = paper_cmsv.Fit(rows, lambda r: r["nodes"] ** 2, lambda r: r["nodes"])
    assert not grows.holds and math.isclose(grows.power, 2)
    ledger = paper_cmsv.Ledger()
    assert ledger.add("one", "time", "B = 1", rows[:6], paper_cmsv.cycles, lambda r: r["nodes"]) is None
    ledger.add("one", "time", "B = 1", rows, paper_cmsv.cycles, lambda r: r["nodes"])
    ledger.add("one", "time", "B = 2", rows, lambda r: r["nodes"] ** 2, lambda r: r["nodes"])
    assert ledger.all_hold("one") == ["B = 2"] and ledger.all_hold("other") == [] and "| B = 1 | time | 12 | " in ledger.table("one", "limit")
    assert paper_cmsv.share(rows[:3], rows) == "3 of 12" and len(paper_cmsv.ended([{"last_arrival_mean": ""}, {"last_arrival_mean": 1}])) == 1


# -- terms of theorems ------------------------------------------------------------------------------

ROW: dict[str, Any] = {"measured": 65536, "nodes": 256, "congestion_mean": 8, "dilation": 16, "length": 4, "link_bandwidth": 2, "depth": 4, "discipline": "cmsv2", "rounds": 7,
       "cycles": 9}
LNLN = math.log(math.log(128))    # C D = 128; log n = 16, log log n = 4


@pytest.mark.parametrize("term, want", [
    ("rounds_2", 16), ("lemma", 32 * math.e), ("time_2", 224), ("time_1", 288 + 256 / LNLN), ("last_1", 8), ("bandwidth_1", 10 * math.log(128) / LNLN),
    ("time_store", 272), ("time_protocol", 24 * math.log(128) / LNLN + 128), ("rounds_butterfly", 128 * math.sqrt(2) + 4),
    ("time_butterfly", 1024 * math.sqrt(2) + 48), ("time_4", 2560), ("phase_4", 96), ("time_5", 512), ("bandwidth", 2), ("cycles", 9), ("rounds", 7)])
def test_terms_by_hand(term: str, want: float) -> None:
    assert math.isclose(getattr(paper_cmsv, term)(ROW), want)


def test_ends_of_terms() -> None:
    assert paper_cmsv.bandwidth({**ROW, "discipline": "cmsv-store"}) == 4 and paper_cmsv.lg(1) == 1 and paper_cmsv.lg(8) == 3
    assert math.isclose(paper_cmsv.lnln(2), math.log(math.log(16))) and paper_cmsv.of({**ROW, "dilation": 1}) == (65536, 8, 1, 4, 16)
    assert math.isclose(paper_cmsv.lemma({**ROW, "congestion_mean": 0.01}), 16) and paper_cmsv.last_1({**ROW, "measured": 1}) == 2
    assert math.isclose(paper_cmsv.rounds_2({**ROW, "length": 1}), 10)    # l = 2 L


@pytest.mark.parametrize("nodes, bound, reversal", [(2, 1, 1), (8, 4, 4), (32, 10, 8), (1024, 62, 25)])
def test_leighton(nodes: int, bound: int, reversal: int) -> None:
    assert (paper_leighton.bound(nodes), paper_leighton.reversal(nodes), 2 ** paper_leighton.log2(nodes)) == (bound, reversal, nodes)


def test_counts_of_boppana_and_chalasani() -> None:
    for k, n in itertools.product((2, 4, 8, 10), (1, 2, 3)):    # the longest of the shortest ways, every other hop a negative one
        longest = max(sum(min(x, k - x) for x in to) for to in itertools.product(range(k), repeat=n))
        assert judge_bc.negative_hop_channels(k, n) == (longest + 1) // 2 + 1
    first, words = judge_bc.fewer("berman")
    assert all(judge_bc.negative_hop_channels(k, n) >= 10 * n - 4 > judge_bc.negative_hop_channels(k - 2, n) for n, k in first.items())
    assert len(words) == 3 and words[0] == f"k < {first[2]} for n = 2"
    far = sum(min(abs(x - u), 16 - abs(x - u)) + min(abs(y - v), 16 - abs(y - v)) for x, y in ((0, 0), (5, 9)) for u in range(16) for v in range(16))
    assert math.isclose(judge_bc.HOPS, far / 2 / 255)
    assert judge_bc.in_order([["a", "2", "1", "3"], ["b", "1", "2", "3"], ["c", "3", "2", "2"]]) == 1


@pytest.mark.parametrize("radix", [4, 5, 8])
def test_worms_over_a_link(radix: int) -> None:
    """Of a square torus, and of a hypercube: the hops of one worm of each node to each other, over all links."""
    hops = [sum(min(x, radix - x) for x in to) for to in itertools.product(range(radix), repeat=2)]
    row = {"topology": "torus", "radix": radix, "nodes": radix ** 2, "measured": radix ** 2}
    assert math.isclose(judge_cmsv.expected(row), sum(hops) / (radix ** 2 - 1) / 4)
    ones = [bin(k).count("1") for k in range(2 ** radix)]
    row = {"topology": "hypercube", "radix": 2, "nodes": 2 ** radix, "measured": 2 ** radix}
    assert math.isclose(judge_cmsv.expected(row), sum(ones) / (2 ** radix - 1) / radix)


# -- curves and verdicts ----------------------------------------------------------------------------

def test_curves() -> None:
    line = [(0.0, 10.0, 0.0), (0.1, 20.0, 0.0), (0.3, 60.0, 0.0)]
    assert [paper_bc.at(line, x) for x in (0, 0.05, 0.1, 0.2, 0.3, 0.31)] == pytest.approx([10, 15, 20, 40, 60, None])
    flat = Curve("flat", [(0.05, 30.0, 0.0), (0.25, 30.0, 0.0)])
    assert paper_bc.crossing(Curve("rises", line), flat) == pytest.approx(0.15, abs=1.1e-4)
    assert paper_bc.crossing(flat, Curve("rises", line)) == 0.05 and paper_bc.crossing(flat, Curve("above", [(0.0, 31.0, 0.0), (0.3, 31.0, 0.0)])) is None
    rows = [{"utilisation": u, "saturated": s, "load": u, "path": "e-cube", "latency_mean": 1, "latency_ci99": ""} for u, s in ((0.2, 0), (0.1, 0), (0.3, 1))]
    assert (paper_bc.carried(rows), paper_bc.reached(rows), paper_bc.carried(rows[2:])) == (0.2, 0.3, 0)
    assert paper_bc.curve(Points(*rows), "e-cube", 0).points == [(0.1, 1, 0), (0.2, 1, 0)]


LOOKS = [{"style": style, "dash": dash, "model": model} for style in (None, 2, 9) for dash in (False, True) for model in (False, True)]


@pytest.mark.parametrize("ends", [(), (0.25,)])
@pytest.mark.parametrize("only", [False, True])
def test_panels(ends: tuple[float, ...], only: bool) -> None:
    """Each curve has its points, a line or points, and bars if it has half-widths; curves side by side look different."""
    drawn = [Curve(f"curve {k}", [(x, x * k + 1 / 3, *ends) for x in (1, 4, 1e6)], **look) for k, look in enumerate(LOOKS)]
    script = "\n".join(paper_tools.panel_script(paper_tools.Panel("title", "x", "y", drawn, points_only=only), 3))
    plot = script.rpartition("\nplot ")[2].split(", \\\n  ")
    for k, curve in enumerate(drawn):
        block, = re.findall(rf"^\$d3_{k} << EOD\n(.*?)\nEOD$", script, re.M | re.S)
        assert [tuple(map(float, line.split())) for line in block.split("\n")] == [pytest.approx(point, rel=1e-5) for point in curve.points]
        told = [one for one in plot if one.startswith(f"$d3_{k} ")]
        line, = (one for one in told if one.endswith(f' title "curve {k}"'))
        assert f" with {'lines' if curve.model else 'points' if only else 'linespoints'} " in line and (" dt 2" in line) == curve.dash
        bars = [one for one in told if one != line]
        assert len(bars) == (1 if ends and not curve.model else 0) and all(" using 1:2:3 with yerrorbars " in one and one.endswith(" notitle") for one in bars)
        assert plot.index(line) == plot.index(told[0]) + len(bars)  # bars below points
        assert {re.findall(r'lc rgb "(.*?)"', one)[0] for one in told} == {paper_tools.COLOURS[(k if curve.style is None else curve.style) % 8]}
    assert sum(one.startswith("$d3_") for one in plot) == len(plot)
    for dash in (False, True):
        beside = "\n".join(paper_tools.panel_script(paper_tools.Panel("", "", "", [Curve("", [(1, 1)], dash=dash)] * 8), 0)).rpartition("\nplot ")[2]
        assert len(set(re.findall(r'lc rgb "(\S+)"', beside))) == 8 and len(set(re.findall(r"lc rgb \S+ dt \d pt (\d+)", beside))) >= 4 + 4 * (not dash)


def test_axes_of_panels() -> None:
    """What is asked for is set, and what is not has gone from the panel before."""
    curve = [Curve("one", [(1, 2)])]
    plain = paper_tools.panel_script(paper_tools.Panel("the title", "the x", "the y", curve), 0)
    asked: dict[str, Any] = {"log": "xy", "base": {"x": 4}, "ticks": [("16", 16), ("4^{3}", 64)], "yticks": [1, 2.5], "xrange": "1:70", "yrange": "0.5:*",
                             "lines": [16, 20], "levels": [1.5]}
    full = paper_tools.panel_script(paper_tools.Panel("the title", "the x", "the y", curve, **asked), 0)
    for said in ('set title "the title"', 'set xlabel "the x"', 'set ylabel "the y"'):
        assert said in plain and said in full
    before = ["unset logscale", "set xtics autofreq", "set ytics autofreq", "unset arrow"]
    assert [line for line in plain if line in before] == before == [line for line in full if line in before]
    assert "set xrange [*:*]" in plain and "set yrange [*:*]" in plain and not [line for line in plain if re.match(r"set (logscale|arrow|[xy]tics \()", line)]
    after = full[max(map(full.index, before)) + 1:]
    for said in ("set logscale x 4", "set logscale y 10", 'set xtics ("16" 16, "4^{3}" 64)', "set ytics (1, 2.5)", "set xrange [1:70]", "set yrange [0.5:*]"):
        assert said in after
    arrows = [line.split(" nohead")[0] for line in full if line.startswith("set arrow")]
    assert arrows == ["set arrow from first 16, graph 0 to first 16, graph 1", "set arrow from first 20, graph 0 to first 20, graph 1",
                      "set arrow from graph 0, first 1.5 to graph 1, first 1.5"]
    scripts = ["\n".join(paper_tools.panel_script(paper_tools.Panel("", "", "", curve * n), 0)) for n in range(1, 13)]
    margins = [float(re.findall(r"set bmargin (\S+)", script)[0]) for script in scripts]
    assert all((margins[n] > margins[n - 1]) == (n % 3 == 0) for n in range(1, 12))  # a row for three


def test_verdicts() -> None:
    kinds = [judging.verdict(good, 3, "").kind for good in range(4)]
    assert kinds == ["differs", "agrees in part", "agrees in part", "agrees"]
    for good, of in ((0, 0), (4, 3), (-1, 3)):
        with pytest.raises(ValueError, match=f"{good} of {of} cases agree: none ran"):
            judging.verdict(good, of, "none ran")
    assert judging.bounded(Value(1.2, 0.2)) and not judging.bounded(Value(1.3, 0.2)) and judging.span([3, 1, 2], 1) == "1.0 to 3.0"
    assert [(v.mean, v.half) for v in map(judging.value, ("299.9 ± 3.6", "8.8 ± 2.3 %", "5"))] == [(299.9, 3.6), (8.8, 2.3), (5, 0)]
    assert paper.counts_of(["agrees", "agrees in part", "differs by 1", "agrees"]) == [2, 1, 1]
    assert paper.summary(2, 1, 1).startswith("Of 4 published results and statements 2 agree, 1 agree in part and 1 differ")
    one, two = judge_bc.Runs([1.0, 1.01, 1.02]), judge_bc.Runs([2.0, 2.01, 2.02])
    wide = judge_bc.Runs([1.0, 2.0, 3.0])
    assert [judge_bc.best_at({"a": a, "b": b}, "a") for a, b in ((two, one), (one, two), (two, wide))] == ["agrees", "differs", "agrees in part"]
    said = paper_go.together({("worm", "random", 16): 3.0, ("store", "random", 16): -4.0, ("store", "random", 64): 1.0})
    assert "3 random cells add up to 26.0; chance alone gives 3 ± 2.4." in said and "N = 16, the other 2 add up to 10.0; chance alone gives 2 ± 2.0." in said


@pytest.mark.parametrize("path", list(judge_bc.HOT))
def test_places_of_a_hot_node(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """All places carry up to 0.2 of the utilisation, or one of them more."""
    more = {255: 1.0}
    most = judge_bc.HOT[path][0][-2]

    def hot_run(torus: str, path: str, node: int, load: float, measured: int, before: int, seed: int) -> dict[str, float]:
        carried = min(load, more.get(node, 1.0) * most)
        return {"utilisation": 0.2 * carried * (1 + seed % 3 / 1000), "accepted_load": carried}

    monkeypatch.setattr(judge_bc, "hot_run", hot_run)
    kinds = []
    for more in ({}, {255: 1.3}, {0: 1.3}):
        kind, found, spread = judge_bc.alike("", path)
        assert {round(v.mean / most, 3) for p, v in found.items() if judge_bc.PLACES[p] not in more} == {0.2}
        told, whole, high = judge_bc.best("", path)
        assert set(whole) == set(high) == set(judge_bc.PLACES)
        kinds.append((kind, told, round(spread.mean)))
    far = round(100 * (min(judge_bc.HOT[path][0][-1] / most, 1.3) - 1))
    assert [k[:2] for k in kinds] == [("agrees", "agrees in part"), ("differs", "agrees"), ("differs", "differs")]
    assert [k[2] for k in kinds] == [0, far, far]


def verdicts(chapter: Callable[..., Any], name: str, *rows: dict[str, Any], quick: bool = True) -> dict[str, str]:
    """What a chapter of docs/results.md says of these points."""
    page = Page("", "", True)
    page.quick, page.plot = quick, lambda *words: None
    page.sweeps = {name: Points(*rows)}
    chapter(page)
    return {claim: said for claim, _, _, said in page.verdicts}


@pytest.mark.parametrize("power, said", [(0.21, "agrees"), (0.02, "differs by -0.200"), (0.4, "differs by +0.180")])
def test_the_power_of_table_2(power: float, said: str) -> None:
    """Latency / c that is flat, or steep, is not GO's."""
    rows = [{"nodes": 4 ** k, "seed": seed, "runs": 1000, "congestion_mean": 5, "latency_per_congestion": 32 * k ** power * (1 + (seed % 2 - 0.5) / 100)}
            for k in range(2, 7) for seed in range(10)]
    assert verdicts(paper_go.table_2, "table2", *rows) == {"latency / c grows as k log4^p N, p about 0.22": said}


def test_longer_queues() -> None:
    """Of all that were run: one of 16 flits gains more than little."""
    def of(last: float) -> str:
        rows = [{"nodes": n, "discipline": how, "depth": q, "load": 0, "last_arrival_mean": 100 - q / 2 - last * (q == 16) * n / 256, "last_arrival_ci99": 0.5}
                for n in (64, 256) for how in ("worm", "store") for q in (1, 2, 3, 4, 6, 8, 16)]
        return verdicts(paper_go.depths, "depths", *rows)["WORM: queues above q = 2 gain little, random"]
    assert of(0) == "agrees" and of(4) == "agrees up to q = 8 (at most 3.0 %), differs with q = 16, by up to 11.1 % (q = 16, N = 256)"


@pytest.mark.parametrize("last, said", [(61, "agrees"), (62, "**differs**")])
def test_the_bound_of_leighton(last: int, said: str) -> None:
    """62 steps for N = 1024: an arrival of 61, counted from 0, is the last that is allowed."""
    row = {"nodes": 1024, "topology": "butterfly", "depth": "unbounded", "pattern": "transpose", "runs": 1, "last_arrival_max": last}
    assert list(verdicts(lambda page: paper_leighton.bounded_by(page, page.sweep("leighton")), "leighton", row).values()) == [said]


@pytest.mark.parametrize("power, said", [(1.0, "agrees"), (1.2, "agrees as far as round 0 alone goes; the ratio grows with the term, exponent 1.20 ± 0.00")])
def test_theorem_1_8(power: float, said: str) -> None:
    rows = [{**ROW, "topology": "torus", "nodes": 4.0 ** k, "measured": 4.0 ** k, "dilation": 2.0 ** k, "congestion_mean": 2.0 ** k, "depth": "unbounded", "delay_range": 1,
             "rounds": 1, "last_arrival_mean": 1} for k in range(3, 9)]
    rows = [{**row, "cycles": paper_cmsv.time_protocol(row) ** power} for row in rows]
    assert list(verdicts(lambda page: paper_cmsv.protocol(page, paper_cmsv.Ledger()), "cmsv-protocol", *rows).values()) == [said]


@pytest.mark.parametrize("most, said", [((0.10, 0.114, 0.113), "agrees"), ((0.10, 0.11, 0.114), paper_bc.EDGE), ((0.10, 0.12, 0.15), "differs")])
def test_at_the_last_load(most: tuple[float, ...], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A maximum at the last load that was offered decides nothing."""
    monkeypatch.setattr(paper_bc, "SATURATION", {"bc-hotspot": {"north-last": 0.114}})
    monkeypatch.setattr(paper_bc, "PATHS", ["north-last"])
    monkeypatch.setattr(paper_bc, "TRAFFIC", [("bc-hotspot", "4 % to (15, 15)")])
    rows = [{"path": "north-last", "load": k, "utilisation": u, "saturated": 1} for k, u in enumerate(most)]
    assert list(verdicts(paper_bc.saturation_table, "bc-hotspot", *rows, quick=False).values()) == [said]


@pytest.mark.parametrize("half, kind", [(0.3, True), (0.8, None), (2.0, None)])
def test_too_few_points_for_an_exponent(half: float, kind: bool | None) -> None:
    p = Value(0.55, half)
    assert judging.undecided(p) == (kind is None)
    if kind is None:
        with pytest.raises(ArithmeticError, match="decides nothing"):
            judging.bounded(p)
    else:
        assert judging.bounded(p) == kind


def test_points_of_a_sweep(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "nodes,path,load,digest\n64,rp,0.5,0012\n64,gp,,0e10\n256,rp,0.5,ff\n"
    asked = []
    monkeypatch.setattr(paper_tools, "fatfly", lambda *words: asked.append(words) or text)
    sweep = paper_tools.Sweep("folder", "some")
    assert asked[0][:2] == ("export", "folder/some.sqlite") and [r["digest"] for r in sweep.rows] == ["0012", "0e10", "ff"]
    assert (sweep.one(nodes=64, path="gp")["load"], len(sweep.all(path="rp")), sweep.values("nodes"), sweep.values("nodes", load=0.5)) == ("", 2, [64, 256], [64, 256])
    assert sweep.digest() == hashlib.sha256(b"0012\n0e10\nff").hexdigest()[:16]
    for where in ({"path": "rp"}, {"nodes": 4}):
        with pytest.raises(LookupError, match=f"some: {2 * ('path' in where)} points"):
            sweep.one(**where)


def test_judgements(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A judgement knows where its numbers come from; tables are those below a heading, up to the next as high."""
    for wrap, by in ((judging.run, "run"), (judging.quick, "results"), (judging.counted, "arithmetic")):
        judge = wrap(lambda good, of: judging.verdict(int(good), int(of), "words"))
        assert (judge.by, judge("1", "2").kind, judge("2", "2").found) == (by, "agrees in part", "words")
    (tmp_path / "docs").mkdir()
    lines = ["## one", "| a | b |", "| --- | --- |", "| 1 | 2 |", "", "### inside", "| c |", "| --- |", "## two", "| d |", "", "| e |"]
    (tmp_path / "docs/results.md").write_text("\n".join(lines))
    monkeypatch.setattr(judging, "ROOT", tmp_path)
    assert judging.tables("one") == [[["a", "b"], ["1", "2"]], [["c"]]] and judging.tables("inside") == [[["c"]]]
    assert judging.tables("two") == [[["d"]], [["e"]]]
    with pytest.raises(LookupError, match="no table under 'three'"):
        judging.tables("three")


def test_spread_beyond_chance() -> None:
    assert math.isclose(judge_bc_links.spread([10, 20, 30]), math.sqrt(80) / 20) and judge_bc_links.spread([9, 10, 11]) == 0


def test_sums_over_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model says 90 % and 120 % of what was measured; a share of the saturation load is rounded, and ends below it."""
    rows = [{"path": path, "nodes": 1024, "length": length, "load": load, "runs": 10, "latency_mean": 100, "latency_ci99": 1, "scan": "rr", "depth": 2,
             "vcs": 1, "accepted_load": length / 100} for path in ("rw", "rg") for length in (16, 32, 64) for load in (0.1, 0.16)]
    monkeypatch.setattr(readings_gg, "model", lambda n, length, load: {"latency": 90 if length < 64 else 120})
    table, worst = readings_gg.errors(Points(*rows), 0.2)
    assert [line[0] for line in table] == ["50 %", "50 %", "80 %", "80 %"] and len(table[0]) == 11
    assert set(worst) == {(p, s) for p in ("rw", "rg") for s in (0.5, 0.8)} and all(math.isclose(v, 20) for v in worst.values())
    one = [{**r, "runs": 1} for r in rows] * 2
    found = readings_gg.accepted(Points(*one))
    assert [key[:4] for key in found] == [("rw", "rr", 2, 1), ("rg", "rr", 2, 1)] and [v.mean for v in found[0][4]] == pytest.approx([0.16, 0.32, 0.64])
    monkeypatch.setattr(paper_gg, "model", lambda n, length, load: {"latency": 1000 * load})
    shares = paper_gg.shares_of(Points(*rows), {1024: 0.16})
    assert set(shares) == {(p, 1024, length, 0.625) for p in ("rw", "rg") for length in (16, 32, 64)}
    assert all(m == 100 and math.isclose(error.mean, 0) and math.isclose(error.half, 1) for _, m, error in shares.values())
    page = SimpleNamespace(sweep=lambda name: Points(*({"nodes": 1024, "length": 32, "depth": 2, "vcs": v, "path": "rp", "scan": "rr", "lengths": "fixed",
                                                        "accepted_load": a} for v, a in ((1, 0.1), (1, 0.3), (2, 0.9)))))
    assert math.isclose(paper_beyond.saturated_at(page).mean, 0.2) and math.isclose(paper_beyond.saturated_at(page, vcs=2).mean, 0.9)


def test_words_of_numbers() -> None:
    assert [paper_tools.digits(x) for x in (0, 12, 1.2, 0.12, 0.0999, math.nan)] == [0, 0, 1, 2, 3, 0]
    assert [paper_tools.show(Value(*v)) for v in ((12.345, 0.12), (12, 0), (12.5, 0), (-0.001, 0.12))] == ["12.35 ± 0.12", "12", "12.50", "0.00 ± 0.12"]
    assert [paper_tools.listing("abc"[:k]) for k in (1, 2, 3)] == ["a", "a and b", "a, b and c"]


# -- placements -------------------------------------------------------------------------------------

def middle(clocks: list[float]) -> float:
    """The value, or the middle of the two, with as many above as below."""
    inner = [c for c in clocks if sum(d < c for d in clocks) <= len(clocks) / 2 and sum(d > c for d in clocks) <= len(clocks) / 2]
    return (min(inner) + max(inner)) / 2


@pytest.mark.parametrize("count", range(1, 10))
def test_clocks_of_placements(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Median, range, and the path of the middle placement, of any number of seeds in any order."""
    monkeypatch.setattr(synth.synth_tools, "in_words", lambda path: path["words"])
    draw = random.Random(count)
    for lost in ([], [3, 5]):
        clocks = [draw.randrange(200, 400) / 4 for _ in range(count)]
        point = synth.Point.__new__(synth.Point)
        vars(point).update(config=argparse.Namespace(name="s1"), family="ice40", rtl_hash="r", adopted=None, unrouted=lost, unfit="", version="nextpnr",
                           flow=argparse.Namespace(yosys_version="yosys"), placed=[(c, k, {"luts": k, "words": f"path {k}"}) for k, c in enumerate(clocks)],
                           cells={**dict.fromkeys(("lut", "ff", "carry", "ram", "depth"), 1), "netlist": "n", "gates": None})
        row = point.row()
        least, most, half = min(clocks), max(clocks), middle(clocks)
        assert [row[c] for c in ("fmax_mhz", "fmax_min", "fmax_max")] == [f"{v:.1f}" for v in (half, least, most)]
        assert (row["seeds"], row["unrouted"], row["tools"]) == (str(count), str(len(lost)), "yosys, nextpnr")
        shown = clocks[int(row["logic_levels"])]
        assert row["path"] == f"path {row['logic_levels']}" and sorted(clocks)[(count - 1) // 2] == shown
        assert synth_page.fmax(row) == (f"{half:.1f}" if count == 1 else f"{half:.1f} ({least:.1f} to {most:.1f})")
