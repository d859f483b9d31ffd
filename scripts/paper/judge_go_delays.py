# SPDX-License-Identifier: Apache-2.0
"""judge_go_delays.py - judgements of GO's statements about which worm delays which (II, III, III.B.3), from logs of every move.

GO: W' blocks W at t if the link that W's head has to take is W''s; W' delays W if it moves, and a chain of worms that do not leads to it.
"""

import bisect
import collections
import itertools
import math
import os
import tempfile
from collections.abc import Iterable, Iterator

from judging import AGREES, DIFFERS, Verdict, run, verdict
from paper_tools import fatfly, mean_of, show

__all__ = ["delay_steps", "late_by", "not_of_length"]


class Log:
    """Head, tail and waits of all worms of a run."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.heads: dict[str, list[tuple[int, str]]] = collections.defaultdict(list)    # cycle, link
        self.waits: dict[str, list[tuple[int, int, str]]] = collections.defaultdict(list)    # from, until, link
        tails: dict[tuple[str, str], int] = {}
        for line in lines:
            cell = line.split(",")
            if cell[0] != "move":
                continue
            at, worm, kind, link, waited = int(cell[1]), cell[3], cell[4], cell[7], int(cell[12] or 0)
            if kind in ("head", "single"):
                self.heads[worm].append((at, link))
                if len(self.heads[worm]) > 1 and waited:
                    self.waits[worm].append((at - waited, at, link))
            if kind in ("tail", "single"):
                tails[worm, link] = at
        self.owners: dict[str, list[tuple[int, int, str]]] = collections.defaultdict(list)    # from, until it has left the queue behind, worm
        for worm, every in self.heads.items():
            for k, (at, link) in enumerate(every):
                behind = every[k + 1][1] if k + 1 < len(every) else link
                self.owners[link].append((at, tails[worm, behind], worm))
        self.arrived = {worm: every[-1][0] for worm, every in self.heads.items()}
        for owners in self.owners.values():
            owners.sort()

    def owner(self, link: str, at: int, but: str) -> str:
        """The last that took the link and has not left the queue behind it."""
        owners = self.owners[link]
        k = bisect.bisect_right(owners, (at, math.inf, "")) - 1
        while k >= 0 and owners[k][2] == but:
            k -= 1
        return owners[k][2] if k >= 0 and owners[k][1] >= at else ""

    def moves(self, worm: str, at: int) -> bool:
        """Its head crosses a link, or has arrived and is followed."""
        every = self.heads[worm]
        return at > self.arrived[worm] or any(t == at for t, _ in every)

    def waits_for(self, worm: str, at: int) -> str:
        """The link that its head, in front of its queue, waits for; else the one behind which it stands second."""
        for begin, end, link in self.waits.get(worm, ()):
            if begin <= at < end:
                return link
        return [link for t, link in self.heads[worm] if t <= at][-1]

    def delays(self) -> Iterator[tuple[str, str]]:
        """W and W', once for each step in which W' delays W; an empty W' if none is found."""
        for worm, every in self.waits.items():
            for begin, end, link in every:
                for at in range(begin, end):
                    other = self.owner(link, at, worm)
                    seen = {worm}
                    while other and other not in seen and not self.moves(other, at):
                        seen.add(other)
                        other = self.owner(self.waits_for(other, at), at, other)
                    yield worm, other if other not in seen else ""


def steps_of(options: str) -> collections.Counter[tuple[str, str]]:
    """In how many steps W' delays W."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "moves.csv")
        fatfly("run", *options.split(), "--events", path, quiet=True)
        with open(path, encoding="ascii") as file:
            found = collections.Counter(Log(file).delays())
    if any(not other for _, other in found):
        raise ArithmeticError(f"{options}: a worm waits for nobody")
    return found


def delaying(options: str) -> list[int]:
    """How many worms delay each worm, of those that are delayed."""
    return list(collections.Counter(worm for worm, _ in steps_of(options)).values())


@run
def delay_steps(network: str) -> Verdict:
    """Butterflies, where two paths meet once, and fat-trees, where they meet at most twice."""
    base, limit = {"once": ("--topology butterfly --channel-release tail-sent", 1), "twice": ("--path fp", 2)}[network]
    pairs, most, above = 0, 0.0, 0
    for (nodes, length), seed in itertools.product(((64, 32), (256, 8), (256, 16), (1024, 4)), range(1, 4)):
        found = steps_of(f"{base} --nodes {nodes} --length {length} --seed {seed} --runs 1")
        pairs += len(found)
        above += sum(n > limit * length for n in found.values())
        most = max(most, *(n - limit * length for n in found.values()))
    found_by = f"static, random, N = 64 to 1024, L = 4 to 32: of {pairs} pairs of worms one delays the other for more than {'L' if limit == 1 else '2L'} steps in {above}"
    if above:
        found_by += f", by {most:.0f} at most: queues hold two flits, so a worm can fall behind its head"
    return verdict(pairs - above, pairs, found_by)


@run
def not_of_length() -> Verdict:
    """Worms that delay a worm, for L from d on."""
    words, apart = [], []
    for nodes in (64, 256):
        d = round(math.log2(nodes))
        found = {length: mean_of([sum(delaying(f"--path fp --nodes {nodes} --length {length} --seed {seed} --runs 1")) / nodes for seed in range(1, 11)])
                 for length in (d, 2 * d, 4 * d, 8 * d)}
        first, *rest = found.values()
        apart.append(all(abs(v.mean - first.mean) <= v.half + first.half for v in rest))
        words.append(f"N = {nodes}: {', '.join(show(v, places=2) for v in found.values())} for L = {', '.join(map(str, found))}")
    return Verdict(AGREES if all(apart) else DIFFERS, f"fat-tree, FP, random, worms that delay one on average: {'; '.join(words)}")


def late_by(commands: list[str], worms: list[int], k: float, dilations: list[tuple[float, int]]) -> tuple[float, str]:
    """Lemma 2 for the set of one worm's links: the largest ratio of a share of worms that x or more worms delay to its bound."""
    worst, words = 0.0, collections.Counter[int]()
    for command, count, (d, length) in zip(commands, worms, dilations):
        each = delaying(command)
        words.update(each)
        for x in range(1, max(each, default=0) + 1):
            bound = math.sqrt(k / 2 / math.e) ** -(x - d / length)
            worst = max(worst, sum(n >= x for n in each) / count / min(1.0, bound))
    return worst, ", ".join(f"{words[x]} by {x}" for x in sorted(words)) or "none"
