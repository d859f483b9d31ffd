# SPDX-License-Identifier: Apache-2.0
"""test_judges.py - what judges the papers' statements, by hand and with mistakes planted."""

import itertools
import math
import random

import pytest

import judge_bc
import judge_bc_classes
import judge_cmsv
import judge_cmsv_bounds
import judge_cmsv_ranks
import judge_gg_general
import judge_go
import judge_readings
import judge_leighton_problems
from judge_go_delays import Log
from paper_tools import Value


def move(at: int, worm: int, kind: str, link: int, waited: int = 0) -> str:
    return f"move,{at},1,{worm},{kind},0,1,{link},0,0,0,inner,{waited},,,\n"


# Worm 3 has link 30 until cycle 9; worm 2 has link 20 and waits for 30 from cycle 3 on, worm 1 for 20 from cycle 4 on.
CHAIN = [move(0, 3, "head", 29), move(2, 3, "head", 30), move(3, 3, "head", 31), move(7, 3, "tail", 29), move(8, 3, "tail", 30), move(9, 3, "tail", 31),
         move(0, 2, "head", 19), move(2, 2, "head", 20), move(10, 2, "head", 30, 7), move(13, 2, "tail", 19), move(14, 2, "tail", 20), move(15, 2, "tail", 30),
         move(1, 1, "head", 9), move(16, 1, "head", 20, 12), move(20, 1, "tail", 9), move(21, 1, "tail", 20)]


def test_a_chain_of_delays() -> None:
    found = list(Log(CHAIN).delays())
    assert found.count(("2", "3")) == 7    # cycles 3 to 9
    assert found.count(("1", "3")) == 6    # cycles 4 to 9, in which 2 does not move
    assert found.count(("1", "2")) == 6    # cycles 10 to 15


def test_a_log_that_lacks_the_worm_in_front() -> None:
    assert ("2", "") in list(Log(line for line in CHAIN if ",1,3," not in line).delays())


def test_who_prevents_whom() -> None:
    """Three worms over one link, B = 1; then a winner of the wrong rank."""
    way = [(0, 0, 0), (1, 0, 0)]
    net = judge_cmsv_bounds.Algorithm2([way, way, way], 1, 1, 8, random.Random(1))
    net.delay, net.rank = [0, 0, 0], [5, 3, 1]
    assert net.finish() == 3
    assert net.lost == [{1: [2], 0: [2]}, {0: [1]}, {}]
    assert net.has_sequence(1) and net.has_sequence(2)
    net.rank = [5, 6, 1]
    assert not net.has_sequence(2)
    net.lost[0] = {0: [2]}
    assert not net.has_sequence(2)


def test_a_worm_is_cut() -> None:
    """The second flit of worm 0 meets worm 1, which has the lower rank: the first goes on, the worm has failed."""
    net = judge_cmsv_bounds.Algorithm2([[(0, 0, 0), (1, 0, 0)], [(0, 5, 5), (1, 0, 0)]], 2, 1, 8, random.Random(1))
    net.delay, net.rank = [0, 1], [4, 2]
    net.forward()
    assert net.active == {0}


@pytest.mark.parametrize("balls, boxes, most", [(3, 3, 1), (4, 3, 2), (5, 4, 2)])
def test_none_over(balls: int, boxes: int, most: int) -> None:
    every = list(itertools.product(range(boxes), repeat=balls))
    good = sum(max(map(x.count, x)) <= most for x in every)
    assert math.isclose(judge_cmsv_bounds.none_over(balls, boxes, most), good / len(every))


def test_any_number_of_servers() -> None:
    """GG 6 and 8."""
    rate, x, length = 0.01, 60.0, 32
    vary = 1 + ((x - length) / x) ** 2
    assert math.isclose(judge_gg_general.hokstad(1, rate, x, length), rate * x * x * vary / 2 / (1 - rate * x))
    assert math.isclose(judge_gg_general.hokstad(2, rate, x, length), rate ** 2 * x ** 3 * vary / 2 / (4 - (rate * x) ** 2))
    assert judge_gg_general.hokstad(4, rate, x, length) < judge_gg_general.hokstad(3, rate, x, length)
    assert judge_gg_general.hokstad(2, 0.04, x, length) == math.inf


@pytest.mark.parametrize("k", [3, 4, 5, 7, 8])
def test_neighbours_have_different_colours(k: int) -> None:
    for here in itertools.product(range(k), repeat=2):
        for there in ((here[0], (here[1] + 1) % k), ((here[0] + 1) % k, here[1])):
            assert judge_bc_classes.colour(here, k) != judge_bc_classes.colour(there, k)


def test_one_colour_is_not_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_bc_classes, "colour", lambda here, k: sum(here) % 2)    # two colours for odd k
    assert not judge_bc_classes.is_ordered(5, 2, "negative-hop")[0]


def test_a_shuffle_off_line(monkeypatch: pytest.MonkeyPatch) -> None:
    to = random.Random(3).sample(range(16), 16)
    assert judge_leighton_problems.shuffle_exchange(to, 4) == (15, 1)
    monkeypatch.setattr(judge_leighton_problems, "shuffled", lambda at, bits, back: at >> 1 | (at & 1) << bits - 1)    # always back
    with pytest.raises(ArithmeticError):
        judge_leighton_problems.shuffle_exchange(to, 4)


def test_growing_ranks_by_hand() -> None:
    """A line: one link after the other; a buffer of one discards."""
    line = judge_cmsv_ranks.Instance(4, lambda a, b: [(k, 0) for k in range(a, 3)], 1, 1)
    assert (line.n, line.d, line.c) == (3, 3, 3)
    steps, lost = line.steps([0, 1, 2], math.inf, [0, 1, 2])
    assert not lost and 3 <= steps <= 5
    total, rounds = line.all_rounds(1)
    assert total >= 2 * 3 and rounds >= 1


def test_a_window_of_a_torus() -> None:
    """4 x 4: the packet from 0 to 1 goes up and down one level, that from 1 to 2 two."""
    assert judge_go.fat_tree_load(2, [(0, 1)]) == 1
    assert judge_go.fat_tree_load(2, [(0, 1), (1, 2), (0, 2)]) == 2


def test_what_chance_explains_is_no_agreement() -> None:
    """Far above, far below, and neither, at two sizes."""
    up, down, level = Value(3.0, 1.0), Value(-3.0, 1.0), Value(0.5, 2.0)
    kinds = [judge_readings.above({64: a, 1024: b}).kind for a, b in ((up, up), (level, up), (level, level), (level, down), (up, down))]
    assert kinds == ["agrees", "agrees in part", "agrees in part", "differs", "agrees in part"]


def test_a_run_that_loses_a_packet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge_cmsv, "point", lambda command: {"last_arrival_mean": "" if "--seed 2" in command else 5.0})
    with pytest.raises(LookupError, match="in 1 of 3 runs not all packets arrive"):
        judge_cmsv.theirs(["--topology torus --radix 4"], (1,))


def test_of_the_diameter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not of the longest path that was drawn."""
    monkeypatch.setattr(judge_cmsv, "point", lambda command: {"topology": command.split()[1], "radix": 8, "nodes": 64, "measured": 63, "dilation": 3})
    assert judge_cmsv.congestion_of_symmetric().found == "expected C: torus 0.12 to 0.12 of the diameter; hypercube 0.08 to 0.08 of the diameter"


def test_one_run_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Queues of 16 flits that carry what those of 4 do are no second case."""
    most = {"e-cube": 0.3, "north-last": 0.2, "negative-hop": 0.4}
    monkeypatch.setattr(judge_bc_classes, "point", lambda command: {
        "utilisation": next(v for p, v in most.items() if f"--path {p} " in command), "digest": command.replace("--depth 16", "--depth 4")})
    found = judge_bc_classes.cut_through()
    assert found.kind == "agrees" and found.found.endswith("q = 16, fixed-share the same runs as q = 4: the order is BC's in 2 of 2")


@pytest.mark.parametrize("row, kind", [
    ("saturates north-last 4 % to (15, 15)", "agrees in part"), ("percent negative-hop north-last 4 % to (15, 15) 106", "agrees in part"), ("lower_hot", "agrees in part"),
    ("saturates e-cube 4 % to (15, 15)", "agrees"), ("percent negative-hop e-cube 4 % to (15, 15) 93", "differs")])
def test_a_maximum_at_the_last_load(row: str, kind: str) -> None:
    """docs/results.md says of which curves."""
    name, *words = row.split()
    found = getattr(judge_bc, name)(*words)
    assert found.kind == kind and ("north-last still rises" in found.found) == (kind == "agrees in part")


@pytest.mark.parametrize("judge, spoilt, kind", [
    ("varying_lengths", judge_go.BIMODAL, "agrees"), ("varying_lengths", "geometric", "agrees in part")])
def test_lengths_that_go_have(judge: str, spoilt: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only lengths whose sigma is below their mean decide."""
    slow = judge_go.VARYING[spoilt][1]
    monkeypatch.setattr(judge_go, "last", lambda command: Value(200.0 if slow in command else 100.0, 1.0))
    assert getattr(judge_go, judge)().kind == kind
