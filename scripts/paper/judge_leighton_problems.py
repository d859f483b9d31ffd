# SPDX-License-Identifier: Apache-2.0
"""judge_leighton_problems.py - judgements of L (Leighton 1992, 3.4) that need networks of their own: two passes, all nodes
of a wrapped butterfly, queues from a log of every move.
"""

import collections
import itertools
import math
import os
import random
import tempfile
from collections.abc import Iterable

from judging import AGREES, DIFFERS, Verdict, bounded, growth, read_point, run, span, verdict
from paper_tools import fatfly, show

__all__ = ["all_nodes", "off_line", "queues_of_most", "queues_of_the_worst", "random_intermediate", "sorting_and_monotone"]

GREEDY = "--discipline store --length 1"


# -- queues -----------------------------------------------------------------------------------------


def longest_queue(options: str) -> int:
    """Packets that stand before one link at once, from the log of every move; those that wait where they begin do not count."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "moves.csv")
        fatfly("run", *options.split(), "--runs", "1", "--events", path, quiet=True)
        change: dict[str, collections.Counter[int]] = {}
        came: dict[str, int] = {}
        with open(path, encoding="ascii") as file:
            for line in file:
                if not line.startswith("move,"):
                    continue
                cell = line.split(",")
                at, worm, link = int(cell[1]), cell[3], cell[7]
                if worm in came:
                    queue = change.setdefault(link, collections.Counter())
                    queue[came[worm]] += 1
                    queue[at + 1] -= 1
                came[worm] = at + int(cell[2])
    most = 0
    for queue in change.values():
        most = max(most, *itertools.accumulate(queue[t] for t in sorted(queue)))
    return most


@run
def queues_of_most() -> Verdict:
    """Random permutations, the mean of ten."""
    bits = (4, 6, 8, 10, 12)
    found = [sum(longest_queue(f"--topology butterfly --nodes {2 ** k} {GREEDY} --depth unbounded --pattern random-permutation --seed {s}")
                 for s in range(1, 11)) / 10 for k in bits]
    p = growth(bits, found)
    return Verdict(AGREES if bounded(p) and found[-1] > found[0] else DIFFERS, f"random permutations, N = 16, 64, .., 4096: the longest queue "
                   f"holds {', '.join(f'{q:.1f}' for q in found)} packets, growing as (log N)^{show(p, places=2)}; 'as large as' is an upper bound here")


@run
def queues_of_the_worst() -> Verdict:
    sizes = [4 ** k for k in range(2, 8)]
    words, fits = [], []
    for pattern in ("bit-reversal", "transpose"):
        found = [longest_queue(f"--topology butterfly --nodes {n} {GREEDY} --depth unbounded --pattern {pattern}") for n in sizes]
        fits.append(growth([math.sqrt(n) for n in sizes[1:]], found[1:]))
        words.append(f"{pattern} {', '.join(map(str, found))}, exponent {show(fits[-1], places=2)}")
    return Verdict(AGREES if all(0.8 < p.mean < 1.1 for p in fits) else DIFFERS, f"longest queue at N = 16, 64, .., 16384 against sqrt N: "
                   f"{'; '.join(words)}")


# -- networks from a file ---------------------------------------------------------------------------


def steps_of(graph: Iterable[str], to: list[int], depth: str) -> int:
    """Steps of a permutation on a graph."""
    with tempfile.TemporaryDirectory() as folder:
        net, goals = os.path.join(folder, "net.txt"), os.path.join(folder, "to.txt")
        with open(net, "w", encoding="ascii") as out:
            out.write("\n".join(graph) + "\n")
        with open(goals, "w", encoding="ascii") as out:
            out.write("".join(f"{b}\n" for b in to))
        row = read_point(f"--topology graph:{net} {GREEDY} --depth {depth} --pattern permutation --permutation {goals} --runs 1")
    return int(row["last_arrival_max"]) + 1


def two_passes(bits: int, order: list[int], ways: list[list[int]]) -> list[str]:
    """A network of so many levels, whose links from level i change bit order[i] or none; packets start in the first level, end in the
    last, and go through the rows of ways."""
    rows, levels = 2 ** bits, len(order)
    lines = [f"nodes {rows * (levels + 1)}"]
    lines += [f"processor {a} {rows * levels + a}" for a in range(rows)]
    lines += [f"link {i * rows + a} {(i + 1) * rows + b}" for i, bit in enumerate(order) for a in range(rows) for b in (a, a ^ 1 << bit)]
    return lines + [f"path {way[0]} {way[-1]} " + " ".join(str(i * rows + a) for i, a in enumerate(way)) for way in ways]


def greedy(start: int, to: int, order: Iterable[int]) -> list[int]:
    """Rows on the way, without the first."""
    found = []
    for bit in order:
        start = start & ~(1 << bit) | to & 1 << bit
        found.append(start)
    return found


PERMUTATIONS = {"bit-reversal": lambda a, bits: int(format(a, f"0{bits}b")[::-1], 2),
                "transpose": lambda a, bits: a >> bits // 2 | (a & (1 << bits // 2) - 1) << bits - bits // 2}


@run
def random_intermediate() -> Verdict:
    """Two butterflies one behind the other; every packet goes to a random row of the first one's end, then to its own."""
    terms, took, once = [], [], []
    for bits, name, seed in itertools.product(range(4, 10), PERMUTATIONS, range(1, 6)):
        draw = random.Random(seed)
        to = [PERMUTATIONS[name](a, bits) for a in range(2 ** bits)]
        order = list(range(bits - 1, -1, -1))
        ways = []
        for a, b in enumerate(to):
            middle = draw.randrange(2 ** bits)
            ways.append([a, *greedy(a, middle, order), *greedy(middle, b, order)])
        terms.append(bits)
        took.append(steps_of(two_passes(bits, order * 2, ways), to, "unbounded"))
        if seed == 1:
            once.append(steps_of(two_passes(bits, order, [[a, *greedy(a, b, order)] for a, b in enumerate(to)]), to, "unbounded"))
    p = growth(terms, took)
    return Verdict(AGREES if bounded(p) or max(t / k for t, k in zip(took, terms)) < 4 and p.low < 1.1 else DIFFERS,
                   f"bit-reversal and transpose through random rows, N = 16 to 512: {span((t / k for t, k in zip(took, terms)), 2)} log N steps in "
                   f"{len(took)} runs, growing as (log N)^{show(p, places=2)}; greedily {min(once)} to {max(once)} steps, growing as sqrt N")


def benes(to: list[int]) -> list[list[int]]:
    """Rows of all packets level by level, no two over one link: bit by bit, pairs of inputs and pairs of outputs go to different
    halves (the looping algorithm)."""
    size = len(to)
    if size == 2:
        return [[a, b] for a, b in enumerate(to)]
    half = size // 2
    source = {b: a for a, b in enumerate(to)}
    lower: dict[int, int] = {}
    for begin in range(size):
        a, side = begin, 0
        while a not in lower:
            lower[a] = side
            lower[a ^ half] = 1 - side
            a = source[to[a ^ half] ^ half]    # shares its last node with the one just placed
    inner = [[0] * half, [0] * half]
    for a, b in enumerate(to):
        inner[lower[a]][a % half] = b % half
    ways = [benes(part) for part in inner]
    return [[a, *(row + half * lower[a] for row in ways[lower[a]][a % half]), b] for a, b in enumerate(to)]


@run
def off_line() -> Verdict:
    """Links that change bits n - 1 .. 1, 0, 1 .. n - 1: two butterflies end to end, which share the level of bit 0."""
    every, good, links = 0, 0, 0
    for bits, seeds in ((2, 24), (3, 100), (4, 20), (6, 10), (8, 2)):
        permutations = list(itertools.permutations(range(4))) if bits == 2 else []
        for seed in range(seeds):
            to = list(permutations[seed]) if permutations else random.Random(seed).sample(range(2 ** bits), 2 ** bits)
            ways = benes(to)
            used = collections.Counter((i, a, b) for way in ways for i, (a, b) in enumerate(zip(way, way[1:])))
            links = max(links, *used.values())
            order = [*range(bits - 1, -1, -1), *range(1, bits)]
            every += 1
            good += steps_of(two_passes(bits, order, ways), to, "1") == 2 * bits - 1
    return verdict(good, every, f"all permutations of 4 rows, random ones of 8 to 256, paths by the looping algorithm: at most {links} packet over a link, "
                   f"{good} of {every} runs with queues of one packet take 2 log N - 1 steps")


@run
def all_nodes() -> Verdict:
    """Rows by bit-reversal and at random, levels kept; and a problem made to fill one link: 2^a packets of level 0 whose first a bits lead
    them there, with destinations behind it."""
    words, worst, ratios = [], {}, []
    for bits in range(3, 9):
        rows = 2 ** bits
        number = rows * bits    # node: level * rows + row
        lines = [f"nodes {number}"] + [f"link {i * rows + a} {(i + 1) % bits * rows + b}" for i in range(bits) for a in range(rows)
                                       for b in (a, a ^ 1 << i)]
        draw = random.Random(bits)
        hot = hot_problem(bits)
        problems = {"made": hot, "bit-reversal": [i * rows + PERMUTATIONS["bit-reversal"](a, bits) for i in range(bits) for a in range(rows)],
                    "random": draw.sample(range(number), number)}
        for name, to in problems.items():
            ways = [f"path {a} {b} " + " ".join(map(str, wrapped(a, b, bits))) for a, b in enumerate(to) if a != b]
            worst[name, bits] = steps_of(lines + ways, to, "unbounded")
        ratios.append(max(worst[name, bits] for name in problems) / math.sqrt(number))
    p = growth([math.sqrt(2 ** b * b) for b in range(4, 9)], [max(worst[n, b] for n in ("made", "bit-reversal", "random")) for b in range(4, 9)])
    for name in ("made", "bit-reversal", "random"):
        words.append(f"{name} {', '.join(str(worst[name, b]) for b in range(3, 9))}")
    return Verdict(AGREES if 0.7 < p.high and p.low < 1.1 and max(ratios) < 4 else DIFFERS, f"a packet at each node, steps at N = 8, 16, .., 256: {'; '.join(words)}; the worst takes "
                   f"{span(ratios)} sqrt(N log N), exponent {show(p, places=2)}")


def wrapped(start: int, to: int, bits: int) -> list[int]:
    """Nodes of the greedy path: forward to the right row, then to the right level."""
    rows = 2 ** bits
    level, row = divmod(start, rows)
    found = [start]
    while row != to % rows or level != to // rows:
        if (row ^ to) >> level & 1:
            row ^= 1 << level
        level = (level + 1) % bits
        found.append(level * rows + row)
    return found


def hot_problem(bits: int) -> list[int]:
    """Packets of level 0 whose rows agree from bit a on go through one node of level a, to rows that agree with it below bit a."""
    rows = 2 ** bits
    a = min(bits - 1, round((bits + math.log2(bits)) / 2))
    starts = [s << bits - a >> bits - a for s in range(2 ** a)]
    ends = [level * rows + (top << a) for level in range(bits) for top in range(2 ** (bits - a)) if top]
    to = {s: e for s, e in zip(starts, ends)}
    rest = [e for e in range(rows * bits) if e not in set(to.values())]
    others = iter(rest)
    return [to[s] if s in to else next(others) for s in range(rows * bits)]


def meets(problem: Iterable[tuple[int, int]], bits: int) -> bool:
    """Whether two packets want one node when the highest bits are corrected first."""
    ways = [greedy(a, b, range(bits - 1, -1, -1)) for a, b in problem]
    return any(len(set(level)) < len(ways) for level in zip(*ways))


@run
def sorting_and_monotone() -> Verdict:
    """Of any problem: packets sorted by destination stand in rows 0, 1, ..; the greedy algorithm takes them on."""
    good = every = before = 0
    for bits, seed in itertools.product(range(3, 11), range(100)):
        draw = random.Random(seed)
        rows = 2 ** bits
        count = draw.randrange(rows // 4, rows + 1)
        problem = list(zip(draw.sample(range(rows), count), draw.sample(range(rows), count)))
        every += 1
        good += not meets(enumerate(sorted(b for _, b in problem)), bits)
        before += meets(problem, bits)
    return verdict(good if before > every // 2 else 0, every, f"random problems, N = 8 to 1024: once sorted by destination no two packets meet in {good} of "
                   f"{every}, log N steps; unsorted two meet in {before}; sorting itself is not modelled")
