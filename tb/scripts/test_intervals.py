# SPDX-License-Identifier: Apache-2.0
"""test_intervals.py - every judgement that compares intervals, with made-up ones: apart, overlapping, and those whose ends just touch; and those that
hold a number against a limit, with one at the limit and one beyond it.

called.py says which function that compares has no test here, in test_judges.py or in test_numbers.py.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import judge_bc
import judge_bc_links
import judge_cmsv
import judge_cmsv_bounds
import judge_gg
import judge_gg_general
import judge_go
import judge_go_delays
import judge_go_fat_trees
import judge_leighton
import judge_leighton_problems
import judge_readings
import judging
from paper_tools import Value

AGREES, PART, DIFFERS, ERROR = "agrees", "agrees in part", "differs", "error"


class Bar(Value):
    """An interval by its ends, which are exact, whatever its middle is rounded to."""

    def __init__(self, low: float, high: float) -> None:
        super().__init__((low + high) / 2, (high - low) / 2)
        self.ends = low, high

    @property
    def low(self) -> float:
        return self.ends[0]

    @property
    def high(self) -> float:
        return self.ends[1]


class Ratio:
    """In place of Value where two are divided: the quotients are given."""

    def __init__(self, quotients: Callable[..., Value]) -> None:
        self.quotients = quotients

    def __call__(self, *_: float) -> Ratio:
        return self

    def __truediv__(self, _: Ratio) -> Value:
        return self.quotients()


def always(value: Any) -> Callable[..., Any]:
    return lambda *words, **options: value


def in_turn(values: list[Any]) -> Callable[..., Any]:
    """One for each call, from the beginning again after the last."""
    every = itertools.cycle(values)
    return lambda *words, **options: next(every)


def above(limit: float) -> float:
    return math.nextafter(limit, math.inf)


def below(limit: float) -> float:
    return math.nextafter(limit, -math.inf)


WIDE = 9.0
ROW = dict.fromkeys(("cycles", "last_arrival_mean", "latency_mean", "dilation", "congestion_mean", "rounds"), 1000.0) | {"measured": 4.0, "latency_ci99": 0.0}
POINT = {"point": always(ROW)}
GRAPHS = {"steps_of": always(1), "two_passes": always([]), "greedy": lambda start, to, order: [to] * len(list(order)), "wrapped": always([])}
PLAIN = always(Value(1.0))
TABLE = always([[["N", "log N", "steps", "ratio"], ["8", "3", "4", "1"]]] * 2)

# Module, function, its words, what it reads, the function whose results are given; results, in the order of the calls, and the verdict.
# Where one end decides, the other is far away.
ENDS: list[tuple[ModuleType, str, tuple[Any, ...], dict[str, Any], str, list[tuple[list[Value], str]]]] = [
    (judge_leighton, "almost_all", (), {"tables": TABLE}, "growth", [([Bar(1.1, WIDE)], AGREES), ([Bar(above(1.1), WIDE)], DIFFERS)]),
    (judge_leighton_problems, "random_intermediate", (), GRAPHS, "growth",
     [([Bar(1, 1.2)], AGREES), ([Bar(below(1.1), 1.2)], AGREES), ([Bar(1.1, 1.2)], DIFFERS)]),
    (judge_leighton_problems, "locked_paths", (), {"read_point": always(ROW)}, "growth",
     [([Bar(1.2, WIDE), Bar(above(0.4), WIDE)], PART), ([Bar(above(1.2), WIDE), Bar(1, 2)], DIFFERS), ([Bar(0, 1), Bar(0.4, WIDE)], DIFFERS)]),
    (judge_leighton_problems, "hot_through_random", (), {}, "growth", [([Bar(above(0.6), WIDE)], PART), ([Bar(0.6, WIDE)], DIFFERS)]),
    (judge_leighton_problems, "all_nodes", (), GRAPHS, "growth",
     [([Bar(0, above(0.7))], AGREES), ([Bar(0, 0.7)], DIFFERS), ([Bar(below(1.1), WIDE)], AGREES), ([Bar(1.1, WIDE)], DIFFERS)]),
    (judge_cmsv, "gain_over_go", (), POINT, "growth",
     [([Bar(3, 4), Bar(4, 5)], AGREES), ([Bar(above(3), 4), Bar(4, 5)], DIFFERS), ([Bar(2, 4), Bar(3, 3)], DIFFERS)]),
    (judge_cmsv, "butterfly_lower_bound", (), POINT, "growth",
     [([Bar(-1, 0)], PART), ([Bar(-1, below(0))], DIFFERS), ([Bar(0, 1), Bar(0, 1), Bar(0, 1), Bar(-2, -1)], DIFFERS)]),
    (judge_cmsv_bounds, "known_wormhole", (), POINT, "growth", [([Bar(-1, 0)], PART), ([Bar(-1, below(0))], DIFFERS)]),
    # two simulators: beside fatfly's rounds, then its own
    (judge_cmsv_bounds, "delay_sequences", (), POINT | {"Algorithm2": always(SimpleNamespace(finish=always(2), lost=[0, 0], has_sequence=always(True)))}, "mean_of",
     [([Value(4, 1), Value(6, 1)], AGREES), ([Value(6, 1), Value(4, 1)], AGREES), ([Value(4, 1), Value(6.25, 1)], ERROR), ([Value(6.25, 1), Value(4, 1)], ERROR)]),
    # within 5 % of the model, or nearer than the interval says
    (judge_gg, "against_model", ("source_wait_mean", "source_wait", 0), {"measured": PLAIN}, "over",
     [([Value(6, 1.25)], AGREES), ([Value(-6, 1.25)], AGREES), ([Value(6, 1)], DIFFERS), ([Value(-6, 1)], DIFFERS), ([Value(6, 2)] + [Value(6, 0)] * 4, PART)]),
    # worms of d flits, then of 2, 4 and 8 d
    (judge_go_delays, "not_of_length", (), {"delaying": always([])}, "mean_of",
     [([Value(4, 1), Value(6, 1), Value(2, 1), Value(4, 0)], AGREES), ([Value(4, 1), Value(6.25, 1), Value(4, 0), Value(4, 0)], DIFFERS),
      ([Value(4, 1), Value(4, 0), Value(4, 0), Value(1.75, 1)], DIFFERS)]),
    # STORE, UNIV
    (judge_go_fat_trees, "equal_queues", (), {}, "last",
     [([Bar(1, 2), Bar(above(2), 3)], AGREES), ([Bar(1, 2), Bar(2, 3)], DIFFERS), ([Bar(1, 3), Bar(2, 4)], DIFFERS), ([Bar(2, 3), Bar(1, 2)], DIFFERS),
      ([Bar(1, 2), Bar(3, 4), Bar(1, 2), Bar(2, 3)], PART)]),
    (judge_go_fat_trees, "delays_can_help", (), {"at": PLAIN}, "gain",
     [([Bar(above(0), 1)], AGREES), ([Bar(0, 1)], DIFFERS), ([Bar(-1, WIDE)], DIFFERS), ([Bar(-9, WIDE), Bar(0.5, 1), Bar(-9, WIDE), Bar(-9, -1)], AGREES)]),
    (judge_go_fat_trees, "store_depth", (), {"columns": always({"STORE RP": {"q = 1": "5", "q = 2": "4"}, "STORE GP": {"q = 1": "5", "q = 2": "4"}, "WORM": {}})}, "gain",
     [([Bar(above(0), 1)], AGREES), ([Bar(0, 1)], DIFFERS), ([Bar(1, 2), Bar(-1, 9)], PART)]),
    (judge_go_fat_trees, "figure_3_scans", (), {"at": PLAIN}, "over", [([Bar(above(0), 1)], AGREES), ([Bar(0, 1)], DIFFERS), ([Bar(1, 2), Bar(-1, 9)], PART)]),
    (judge_go_fat_trees, "store_gp_ff", (), {"last": PLAIN}, "gain", [([Bar(-1, 0)], AGREES), ([Bar(0, 1)], AGREES), ([Bar(0, 1)] * 4 + [Bar(above(0), 1)], DIFFERS)]),
    # RP, GP
    (judge_go_fat_trees, "rp_is_best", (), {"columns": always({"a": {"RP": "r", "GP": "g"}, "b": {"RP": "r", "GP": "g"}})}, "value",
     [([Bar(1, 2), Bar(3, 4)], AGREES), ([Bar(1, 2), Bar(2, 3)], AGREES), ([Bar(2, 3), Bar(1, 2)], AGREES), ([Bar(2, 3), Bar(1, below(2))], DIFFERS),
      ([Bar(1, 2), Bar(above(2), 3), Bar(5, 6), Bar(3, 4)], PART), ([Bar(1, 2), Bar(2, 3), Bar(5, 6), Bar(3, 4)], DIFFERS)]),
    # fixed shares, on demand
    (judge_bc_links, "fixed_shares", (), POINT, "Value",
     [([Bar(above(4), 9), Bar(0, below(1.1))], AGREES), ([Bar(4, 9), Bar(0, 1)], DIFFERS), ([Bar(5, 9), Bar(0, 1.1)], DIFFERS)]),
    (judge_bc, "four_and_a_half", (), {"said": always("")}, "value", [([Value(4.7, 3)], AGREES), ([Value(4.3)], AGREES), ([Value(4.75, 3)], DIFFERS), ([Value(4.25, 3)], DIFFERS)]),
    (judge_readings, "rr_fo", ("",), {"took": PLAIN}, "gain",
     [([Bar(1, 4)], AGREES), ([Bar(1, below(4))], DIFFERS), ([Bar(8, 9)], AGREES), ([Bar(above(8), 9)], DIFFERS)]),
    (judge_readings, "rr_gp_fo", ("",), {"took": PLAIN}, "gain",
     [([Bar(1, 4.5)], AGREES), ([Bar(1, below(4.5))], DIFFERS), ([Bar(9.5, 10)], AGREES), ([Bar(above(9.5), 10)], DIFFERS)]),
    (judge_readings, "split_rp_rr", ("",), {"took": PLAIN, "worm": PLAIN}, "over",
     [([Bar(-2, below(0))], AGREES), ([Bar(-2, 0)], DIFFERS), ([Bar(-2, -1), Bar(-1, 1)], PART), ([Bar(-16, -14)], PART), ([Bar(-15.5, -14)], AGREES)]),
    (judge_readings, "split_gp_ff", ("",), {"took": PLAIN, "worm": PLAIN}, "over",
     [([Bar(above(0), 1)], AGREES), ([Bar(0, 1)], PART), ([Bar(-1, 0)], PART), ([Bar(-1, below(0))], DIFFERS), ([Bar(1, 2), Bar(-1, 1)], PART), ([Bar(1, 2), Bar(-2, -1)], PART)]),
]
# Those that give a function of the reading.
MADE = [
    ("table_1", (64, "random", 100), [(Value(2, 1.25), AGREES), (Value(-2, 1.25), AGREES), (Value(2, 1), DIFFERS), (Value(-2, 1), DIFFERS)]),
    ("table_1", (4096, "random", 100), [(Value(0.75, 9), AGREES), (Value(1, 9), DIFFERS), (Value(-1, 9), DIFFERS)]),
    ("ff_fo", ("store",), [(Bar(3, 9), AGREES), (Bar(above(3), 9), DIFFERS), (Bar(-9, -3), AGREES), (Bar(-9, below(-3)), DIFFERS)]),
    ("gp_ff", ("split", True), [(Bar(-1, below(0)), AGREES), (Bar(-1, 0), DIFFERS), (Bar(1, 2), DIFFERS)]),
    ("gp_ff", ("store", False), [(Bar(-1, below(0)), DIFFERS), (Bar(-1, 0), AGREES), (Bar(1, 2), AGREES)])]


@pytest.mark.parametrize("module, name, words, reads, given, cases", ENDS, ids=[row[1] for row in ENDS])
def test_ends(module: ModuleType, name: str, words: tuple[Any, ...], reads: dict[str, Any], given: str, cases: list[tuple[list[Value], str]],
              monkeypatch: pytest.MonkeyPatch) -> None:
    for attribute, stands_in in reads.items():
        monkeypatch.setattr(module, attribute, stands_in)
    for values, want in cases:
        results = in_turn(values)
        monkeypatch.setattr(module, given, Ratio(results) if given == "Value" else results)
        try:
            kind = getattr(module, name)(*words).kind
        except ArithmeticError:
            kind = ERROR
        assert kind == want, [(v.low, v.high) for v in values]


@pytest.mark.parametrize("name, words, cases", MADE, ids=[f"{row[0]}-{row[1][0]}" for row in MADE])
def test_ends_under_a_reading(name: str, words: tuple[Any, ...], cases: list[tuple[Value, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_readings, "took", PLAIN)
    judge = getattr(judge_readings, name)(*words)
    for value, want in cases:
        monkeypatch.setattr(judge_readings, "over", always(value))
        assert judge("").kind == want, (value.low, value.high)


@pytest.mark.parametrize("one, other, apart", [
    (Value(4, 1), Value(9, 1), True), (Value(4, 1), Value(6, 1), True),    # far apart; they touch
    (Value(4, 1), Value(5.75, 1), True), (Value(4, 1), Value(5.5, 1), False), (Value(4, 1), Value(5, 1), False),    # they overlap by a quarter, a half, one
    (Value(4, 1), Value(7.75, 3), True), (Value(4, 1), Value(7.5, 3), False), (Value(4, 3), Value(7.75, 1), True), (Value(4, 3), Value(7.5, 1), False),    # of the shorter
    (Value(4, 1), Value(4, 1), False), (Value(9, 1), Value(4, 1), False), (Value(6, 1), Value(4, 1), False)])
def test_bars_that_overlap_little(one: Value, other: Value, apart: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """By less than half of the shorter half-width."""
    monkeypatch.setattr(judge_go_fat_trees, "last", in_turn([one, other]))
    found = judge_go_fat_trees.bars()
    assert (found.kind, found.found[:18]) == ((AGREES, "in 40 of 40 cells ") if apart else (DIFFERS, "in 0 of 40 cells o"))


def test_bars_of_some_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of STORE at two sizes of five, of WORM at each."""
    def last(command: str) -> Value:
        alike = "store" in command and command.split()[1] not in ("64", "4096")
        return Value(4, 1) if alike else in_order()

    in_order = in_turn([Value(4, 1), Value(9, 1)])
    monkeypatch.setattr(judge_go_fat_trees, "DISTINCT", {"STORE: RP below FP": ("--discipline store", "--discipline store --path fp"), "WORM: RP below FP": ("", "--path fp")})
    monkeypatch.setattr(judge_go_fat_trees, "last", last)
    found = judge_go_fat_trees.bars()
    assert (found.kind, found.found) == (PART, "in 7 of 10 cells of random: STORE: RP below FP only at N = 64, 4096")


def test_best_gains(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of four ranges that whose gain is surest, not that whose mean is the largest."""
    monkeypatch.setattr(judge_go_fat_trees, "at", PLAIN)
    monkeypatch.setattr(judge_go_fat_trees, "gain", in_turn([Bar(-5, 25), Bar(2, 3), Bar(1, 6), Bar(0, 8)]))
    best = judge_go_fat_trees.delay_gains(("random",))
    assert len(best) == 6 and {v.low for v in best.values()} == {2}


def test_means_of_table_2(monkeypatch: pytest.MonkeyPatch) -> None:
    """GO's mean may be off by Student's t of 30 runs, and by half of its last digit."""
    spread = judge_go_fat_trees.student(0.005, 29) / judge_go_fat_trees.student(0.005, 9) * math.sqrt(10 * 1000 / 30)
    for off, want in ((0.0, AGREES), (0.999, AGREES), (1.001, DIFFERS)):
        for sign in (-1, 1):
            rows = {"64": {"theirs": str(100 + sign * (off * spread + 0.05)), "ours": "100 ± 1"}}
            monkeypatch.setattr(judge_go_fat_trees, "columns", always(rows))
            assert judge_go_fat_trees.table_2("theirs", "ours").kind == want


def test_latencies_of_stored_packets(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far off as the interval and 1 %."""
    hops = 8 * 256 / 255
    for off, want in ((0.99, AGREES), (-0.99, AGREES), (1.01, DIFFERS), (-1.01, DIFFERS)):
        def point(command: str, off: float = off) -> dict[str, float]:
            length = int(command.split("--length ")[1].split()[0])
            want = hops * length + (length - 1) / 2
            return {"latency_mean": want + off * (0.5 + 0.01 * want), "latency_ci99": 0.5}
        monkeypatch.setattr(judge_bc_links, "point", point)
        assert judge_bc_links.stored_latency().kind == want


@pytest.mark.parametrize("off, same", [(7.5, True), (-7.5, True), (7.75, False), (-7.75, False)])
def test_the_program_is_the_engine(off: float, same: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as 1.5 times the half-width of a difference: of 3 and 4, 7.5."""
    monkeypatch.setattr(judge_readings, "by_program", always({"random": Value(100 + off, 4)}))
    monkeypatch.setattr(judge_readings, "last", always(Value(100, 3)))
    if same:
        judge_readings.is_the_engine.__wrapped__()
    else:
        with pytest.raises(ArithmeticError, match="readings.c has"):
            judge_readings.is_the_engine.__wrapped__()


def test_places_that_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """No two are more than 5 % apart; best_at: above all others."""
    monkeypatch.setattr(judge_bc, "hot_run", always({"utilisation": 0.2}))
    for spread, want in ((Bar(1, below(5)), AGREES), (Bar(1, 5), PART), (Bar(5, 9), PART), (Bar(above(5), 9), DIFFERS)):
        monkeypatch.setattr(judge_bc, "over", always(spread))
        assert judge_bc.alike("", next(iter(judge_bc.HOT)))[0] == want
    for here, other, want in ((Bar(2, 3), Bar(1, 2), PART), (Bar(above(2), 3), Bar(1, 2), AGREES), (Bar(1, 2), Bar(2, 3), PART), (Bar(1, below(2)), Bar(2, 3), DIFFERS)):
        assert judge_bc.best_at({"a": here, "b": other, "c": other}, "a") == want


def test_ends_of_exponents() -> None:
    assert judging.bounded(Bar(1, 1.5)) and not judging.bounded(Bar(above(1), 1.5))
    assert not judging.undecided(Bar(0.25, 1.25)) and judging.undecided(Bar(0.125, 1.25)) and judging.undecided(Bar(1, 2.25))
    assert not judging.undecided(Bar(-1, 1)) and not judging.undecided(Bar(above(1), 9))


# -- limits ------------------------------------------------------------------------------------------

Patches = dict[str, Any]
NEAR, FAR = 1 - 1e-9, 1 + 1e-9


def asked(command: str, name: str) -> float:
    return float(command.split(f"--{name} ")[1].split()[0])


def rows_of(**columns: Any) -> Patches:
    return {"point": always(columns), "read_point": always(columns)}


def by_command(made: Callable[[str], dict[str, Any]]) -> Patches:
    return {"point": made, "read_point": made}


def faster_than_cl(x: float, how: str) -> Patches:
    """Five packets over a link, of 32 flits but in SPLIT, whose packets are flits; one discipline is the fastest."""
    return by_command(lambda command: {"congestion_mean": 5, "dilation": 1, "last_arrival_mean": 5 * (x if how in command else 2) * (1 if "split" in command else 32)})


def lower_bound_of_cmsv(x: float, largest: int) -> Patches:
    """In turn LC/B, D and L are the largest; where the one is that is asked for a run takes least."""
    def made(command: str) -> dict[str, Any]:
        length, b = asked(command, "length"), asked(command, "link-bandwidth")
        c, d = (99, 3) if "torus" in command else (1, 50) if length < 9 or "256" in command else (b / 2, 3)
        terms = [length * c / b, d, length]
        return {"length": length, "link_bandwidth": b, "congestion_mean": c, "dilation": d, "cycles": (x if terms[largest] == max(terms) else 2) * max(terms)}
    return by_command(made)


def rounds_of_lemma(x: float) -> Patches:
    """With the 4 that is printed."""
    def made(command: str) -> dict[str, Any]:
        length, b, d, c, n = asked(command, "length"), asked(command, "link-bandwidth"), 16, (1 if "mesh" in command else 60), 64
        printed = max(4 * min(2 * length, d) * c * d ** (1 / b) / d, 2 * math.log2(n)) / b
        return {"length": length, "link_bandwidth": b, "dilation": d, "congestion_mean": c, "measured": n, "discipline": "cmsv2", "rounds": x * printed}
    return by_command(made)


def by_equation_1(x: float) -> Patches:
    """Latency is L, what is blocked, the wait at the source and the hops but one; N = 16 or 64."""
    def measured(levels: int, length: int, load: float, column: str) -> Value:
        hops = {2: (2 * 3 + 4 * 12) / 15, 3: (2 * 3 + 4 * 12 + 6 * 48) / 63}[levels]
        return Value({"source_wait_mean": 7.0, "blocked_mean": 3.0}.get(column, x * (7 + 3 + length + hops - 1)))
    return {"measured": measured}


def over_links(bisection: float, torus: float) -> Patches:
    """A link between columns 7 and 8 of the mesh, and one of the torus, against others."""
    def links_of(command: str) -> list[tuple[int, int, int]]:
        use = 10 ** 12 * (bisection if "mesh" in command else torus)
        other = (1000 * 10 ** 12 - use) / 999
        return [(7, 8, round(use))] + [(0, 16, round(other))] * 999
    return {"links_of": links_of}


def of_general(eighty: float, ninety: float, fifty: float = 0.0) -> Patches:
    return {"agrees_with_fatfly": always(None), "held_against": always(([0.0, fifty, eighty, -ninety], 1.0))}


def levels_of(x: float, wait: float) -> Patches:
    """All waits of the model too long by so much, of waits that make little of the service, or nearly all of it."""
    def by_level(path: str, share: float) -> tuple[dict[tuple[str, int], float], dict[tuple[str, int], float]]:
        del path, share
        ours = {key: wait for key in [("up", 1), ("up", 2), ("up", 3), ("down", 0), ("down", 1), ("down", 2), ("down", 3)]}
        return ours, {key: v * x for key, v in ours.items()}
    return {"by_level": by_level}


def on_butterflies(beyond: Callable[[float, float], float]) -> Patches:
    """Steps, of N and log N."""
    return {"steps": lambda nodes, pattern, *more: beyond(nodes, math.log2(nodes))}


def of_lengths(x: float) -> Patches:
    return {"last": lambda command: Value(100 * x if "--lengths" in command and "bimodal" not in command else 100.0)}


def hops_of_bc(x: float) -> Patches:
    """Utilisation is lambda m d / 2n, d = 8 * 256 / 255."""
    return rows_of(accepted_load=0.05, utilisation=x * 0.05 * 8 * 256 / 255 / 4)


def service_of_bc(x: float) -> Patches:
    """(m + d - 1) f_t, and an interval of 0.5."""
    def made(command: str) -> dict[str, Any]:
        want = (3 + 8 * 256 / 255) * (9 if "negative" in command else 2)
        return {"latency_mean": want + x * (0.5 + 0.01 * want), "latency_ci99": 0.5}
    return by_command(made)


def pipelines(x: float) -> Patches:
    return by_command(lambda command: {"last_arrival_mean": 10 * (x * 0.6 * math.log2(asked(command, "nodes")) if "--rounds 1 " not in command else 1) - 1})


def random_links(x: float) -> Patches:
    """A growth of 1.05 to 1.15, so that the largest ratio to log N decides."""
    return GRAPHS | {"steps_of": always(x), "growth": always(Bar(1.05, 1.15))}


def crowded(x: float) -> Patches:
    """The chance that none collide, over the bound of one small butterfly."""
    return {"none_over": lambda m, edges, b: x * math.exp(-(m / (b + 1)) ** (b + 1) / (3 * edges) ** b), "edges": always([(0, 0, 0)])}


# Module, function, its words, what it reads at so much of a limit; verdicts at the limit, beyond it.
LIMITS: list[tuple[ModuleType, str, tuple[Any, ...], Callable[[float], Patches], list[tuple[float, str]]]] = [
    (judge_go, "lower_bounds", ("d",), lambda x: rows_of(dilation=9, congestion_mean=0, last_arrival_mean=9 * x), [(1, AGREES), (NEAR, DIFFERS)]),
    *((judge_go, "lower_bounds", ("cL",), lambda x, how=how: faster_than_cl(x, how), [(1, AGREES), (NEAR, DIFFERS)]) for how in ("worm", "store", "split")),
    (judge_go, "varying_lengths", (), of_lengths, [(1.25 * NEAR, AGREES), (1.25, PART)]),
    *((judge_cmsv, "cmsv_lower_bound", (), lambda x, term=term: lower_bound_of_cmsv(x, term), [(1, AGREES), (NEAR, DIFFERS)]) for term in range(3)),
    (judge_cmsv, "lemma_3_4", (), rounds_of_lemma, [(1, AGREES), (FAR, DIFFERS)]),
    (judge_cmsv_bounds, "few_collide", (), crowded, [(1, AGREES), (1 + 1e-8, PART)]),
    (judge_gg, "equation_1", (), by_equation_1, [(1.005 * NEAR, AGREES), (1.005 * FAR, DIFFERS), (1 - 0.005 * NEAR, AGREES), (1 - 0.005 * FAR, DIFFERS)]),
    (judge_gg_general, "other_networks", (), lambda x: of_general(5 * x, 1), [(NEAR, AGREES), (1, PART), (-1, PART)]),
    (judge_gg_general, "more_servers", (), lambda x: of_general(1, 10 * x), [(NEAR, AGREES), (1, PART), (-1, PART)]),
    # saturated at 80, at 90 or at all three
    (judge_gg_general, "other_networks", (), lambda x: of_general(x, 1), [(1, AGREES), (math.nan, PART)]),
    (judge_gg_general, "other_networks", (), lambda x: of_general(1, x), [(1, AGREES), (math.nan, PART)]),
    (judge_gg_general, "more_servers", (), lambda x: of_general(x, x, x), [(1, AGREES), (math.nan, DIFFERS)]),
    (judge_gg_general, "other_networks", (), lambda x: of_general(9, 99, 5 * x), [(NEAR, PART), (1, DIFFERS), (-1, DIFFERS)]),
    (judge_gg_general, "levels_apart", (), lambda x: levels_of(x, 1e-3), [(1.1 * NEAR, AGREES), (1.1 * FAR, PART), (0.9 * FAR, AGREES), (0.9 * NEAR, PART)]),
    (judge_gg_general, "levels_apart", (), lambda x: levels_of(x, 1e15), [(1.05 * NEAR, AGREES), (1.05 * FAR, PART), (0.95 * FAR, AGREES), (0.95 * NEAR, PART)]),
    (judge_gg_general, "left_out", (), lambda x: {"by_level": always(({("up", 1): 2 * x, ("up", 2): 1, ("up", 3): 0}, {("up", 1): 0, ("up", 2): 0, ("up", 3): 1})),
                                                  "services": always({("up", 0): 100})}, [(NEAR, AGREES), (1, PART), (-1, PART)]),
    (judge_bc, "equation_1", (), hops_of_bc, [(1.01 * NEAR, AGREES), (1.01 * FAR, DIFFERS), (0.99 * FAR, AGREES), (0.99 * NEAR, DIFFERS)]),
    (judge_bc, "latency_formula", (), service_of_bc, [(NEAR, AGREES), (FAR, DIFFERS), (-NEAR, AGREES), (-FAR, DIFFERS)]),
    (judge_bc_links, "bisection", (), lambda x: over_links(1.2 * x, 1), [(FAR, AGREES), (NEAR, PART)]),
    (judge_bc_links, "bisection", (), lambda x: over_links(2, x), [(1.02 * NEAR, AGREES), (1.02 * FAR, PART), (0.98 * FAR, AGREES), (0.98 * NEAR, PART)]),
    (judge_bc_links, "skewed", (), lambda x: {"links_of": always([]), "spread": in_turn([0.1, 0.2 * x, 0.1])}, [(FAR, AGREES), (1, DIFFERS)]),
    (judge_bc_links, "skewed", (), lambda x: {"links_of": always([]), "spread": in_turn([0.01, 0.2 * x, 0.1])}, [(FAR, AGREES), (1, DIFFERS)]),
    (judge_leighton, "hot_destination", (), lambda x: on_butterflies(lambda n, k: n / 4 * x), [(1, AGREES), (NEAR, DIFFERS)]),
    (judge_leighton, "transpose", (), lambda x: on_butterflies(lambda n, k: k - 1 + x * math.sqrt(n)), [(0.25 * FAR, AGREES), (0.25, DIFFERS), (2 * NEAR, AGREES), (2, DIFFERS)]),
    (judge_leighton, "delay_bound", (), lambda x: on_butterflies(lambda n, k: k + x * (3 * 2 ** ((k - 1) // 2) - k - 2)), [(1, AGREES), (FAR, DIFFERS)]),
    (judge_leighton, "oblivious", (), lambda x: on_butterflies(lambda n, k: x * math.sqrt(n) / 2), [(1, PART), (NEAR, DIFFERS)]),
    (judge_leighton, "hypercube_oblivious", (), lambda x: on_butterflies(lambda n, k: x * math.sqrt(n) / k), [(FAR, PART), (NEAR, DIFFERS)]),
    (judge_leighton, "hypercube", (), lambda x: {"steps": lambda nodes, pattern, *more: 100 * x if more else 100}, [(1.5, AGREES), (1.5 * FAR, PART)]),
    (judge_leighton_problems, "pipelined", (), pipelines, [(NEAR, PART), (FAR, DIFFERS)]),
    (judge_leighton_problems, "random_intermediate", (), random_links, [(16 * NEAR, AGREES), (16, DIFFERS)]),
    (judge_leighton_problems, "queues_of_the_worst", (), lambda x: {"longest_queue": always(1), "growth": always(Value(x))},
     [(0.8 * FAR, AGREES), (0.8, DIFFERS), (1.1 * NEAR, AGREES), (1.1, DIFFERS)]),
    (judge_leighton_problems, "bystanders", (), lambda x: by_command(lambda command: {"class0_latency_mean": 100 * x if "hotspot" in command else 100}),
     [(1.03 * FAR, AGREES), (1.03 * NEAR, DIFFERS)])]


@pytest.mark.parametrize("module, name, words, reads, cases", LIMITS, ids=[f"{row[1]} {' '.join(row[2])}".strip() for row in LIMITS])
def test_limits(module: ModuleType, name: str, words: tuple[Any, ...], reads: Callable[[float], Patches], cases: list[tuple[float, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    for x, want in cases:
        with monkeypatch.context() as patch:
            for attribute, stands_in in reads(x).items():
                patch.setattr(module, attribute, stands_in, raising=attribute not in ("point", "read_point"))
            assert getattr(module, name)(*words).kind == want, x
