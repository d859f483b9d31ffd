# SPDX-License-Identifier: Apache-2.0
"""judge_cmsv_bounds.py - judgements of CMSV's comparisons of bounds, of optimality, and of the lemmas behind theorem 2 and
theorem 1.14 b.

Lemmas 3.2 and 3.3 are about who prevents whom, which no run of the model says; a small simulator of algorithm 2 that does is here.
"""

import collections
import itertools
import math
import random

from judging import AGREES, DIFFERS, PART, Verdict, bounded, counted, growth, point, run, span, verdict
from paper_tools import mean_of, show

__all__ = ["better_than_1_4", "better_than_rsw94", "chernoff", "delay_sequences", "edge_symmetric", "few_collide", "known_wormhole",
           "leveled_optimal", "log_all", "meet_at_one_delay", "mesh_optimal", "sequences_counted", "stronger_than_1_5", "valiant"]

# -- bounds against bounds --------------------------------------------------------------------------


def log_over(x: float) -> float:
    """log x / log log x of a quantity whose logarithm to base 2 is x."""
    return x / max(1.0, math.log2(x))


def term_1_5(n: float, c: float, d: float) -> float:
    """Corollary 1.5; n, c, d: log2 n, C and D."""
    cd = math.log2(c * d)
    return (d * math.log2(n) + c + n * math.log2(n) / max(1.0, math.log2(cd))) * log_over(cd)


@counted
def log_all() -> Verdict:
    """C = D = log n; log log n = 4 to 1000."""
    ratios, before = [], []
    for loglog in (4, 8, 16, 32, 64, 128, 256, 500, 1000):
        n = 2.0 ** loglog
        small = loglog ** 2 / math.log2(loglog)    # the term without its log n
        ratios.append(term_1_5(n, n, n) / n / small)
        before.append(small / n)
    falls = all(b < a for a, b in zip(before, before[1:]))
    return Verdict(AGREES if falls and max(ratios) < 4 else DIFFERS, f"corollary 1.5's term is {span(ratios)} times it for log log n = 4 to 1000; over log² n it is "
                   f"{before[0]:.2f}, {before[1]:.2f}, {before[2]:.4f} for log log n = 4, 8, 16; runs: row 14")


@counted
def better_than_1_4() -> Verdict:
    """C at the limit D log n log log CD / log CD, and below; corollary 1.4 with the buffers of corollary 1.5."""
    ratios: dict[str, list[float]] = {"D = log n": [], "D = log² n": [], "D = 4": []}
    for bits in (16, 64, 256, 1024, 4096, 2 ** 16, 2 ** 24, 2 ** 32):
        for name, d in (("D = log n", bits), ("D = log² n", bits * bits), ("D = 4", 4)):
            c = d * bits / log_over(math.log2(d * bits * d))
            other = c * d ** (1 / log_over(math.log2(c * d))) + d * bits
            ratios[name].append(term_1_5(bits, c, d) / other)
    good = [r[-1] < r[0] and r[-1] <= 1 for r in ratios.values()]
    words = "; ".join(f"{k}: {', '.join(f'{v:.2f}' for v in (r[0], r[3], r[-1]))}" for k, r in ratios.items())
    return verdict(sum(good), len(good), f"corollary 1.5's term over 1.4's at the largest such C, log n = 16, 1024, 2^32: {words}" + (
        "" if all(good) else "; not for short paths"))


@counted
def stronger_than_1_5() -> Verdict:
    ratios = []
    for bits, c, d in itertools.product((16, 256, 2 ** 16, 2 ** 32), (4, 64, 2 ** 12, 2 ** 20, 2 ** 60), (4, 64, 2 ** 12, 2 ** 20)):
        cd = math.log2(c * d)
        ratios.append(((c + d) * log_over(cd) + (d + bits) * math.log2(bits)) / term_1_5(bits, c, d))
    return Verdict(AGREES if max(ratios) <= 1.5 else DIFFERS, f"theorem 1.8's term is {min(ratios):.4f} to {max(ratios):.2f} times corollary 1.5's in {len(ratios)} cases, "
                   "log n = 16 to 2^32, C and D = 4 to 2^60")


def term_1_14(q: float, length: float, levels: float, b: int) -> tuple[float, float]:
    """Theorem 1.14 a and b."""
    return ((q * length * levels ** (1 / b) + (length + levels) * levels) / b,
            q * length * levels ** (1 / b) * math.log2(levels) ** (-2 / b) / b)


@counted
def better_than_rsw94() -> Verdict:
    """Worms of log N flits, B = 1, against q log² N log log N and q log² N / (log log N)²."""
    gains, lower = [], []
    for levels in (4, 16, 256, 2 ** 16):
        one, other = term_1_14(levels, levels, levels, 1)
        gains.append(levels ** 3 * math.log2(levels) / one / math.log2(levels))
        lower.append(other / (levels ** 3 / math.log2(levels) ** 2))
    good = gains[-1] > 0.99 and all(abs(x - 1) < 1e-12 for x in lower)
    return Verdict(AGREES if good else DIFFERS, f"the terms' ratio over log d, q = d: {', '.join(f'{g:.2f}' for g in gains)} for d = 4, 16, 256, 65536; "
                   "with B = 1 and L = d the lower bound 1.14 b is RSW94's as CMSV give it; RSW94's algorithm was not run")


@counted
def leveled_optimal() -> Verdict:
    """D = log n to log² n, C from D log log n on."""
    upper, above = [], []
    for bits, long, much in itertools.product((4, 16, 256, 2 ** 16, 2 ** 32), (1, 2), (1, 4, 2 ** 10)):
        d = bits ** long
        c = much * d * math.log2(bits)
        cd = math.log2(c * d)
        upper.append((d * math.log2(bits) + c + bits * math.log2(bits) / max(1.0, math.log2(cd))) / c)
        above.append(log_over(cd) / log_over(math.log2(c)))
    return Verdict(AGREES if max(upper) <= 3 and max(above) < 2.5 else DIFFERS, f"corollary 1.15's term is {span(upper)} LC in {len(upper)} cases, log n = 4 to 2^32; over the lower "
                   f"bound LC/B that is B, {span(above)} times log C / log log C; runs: row 36")


# -- optimality and congestion, by runs -------------------------------------------------------------


@run
def mesh_optimal() -> Verdict:
    terms, took = [], []
    for (d, m), q, length, b, seed in itertools.product(((1, 16), (1, 32), (2, 4), (2, 8), (2, 16), (3, 4)), (4, 16), (16, 64), (1, 2), (1, 2)):
        if b < max(1.0, math.log2(d)) or q < d * math.log2(m) / m or q * length < d * d * math.log2(m):
            continue
        r = point(f"--topology mesh --radix {m} --dimensions {d} --discipline cmsv2 --rounds {q} --length {length} --link-bandwidth {b} --seed {seed} --runs 1")
        terms.append(length * r["congestion_mean"] / b + r["dilation"] + length)
        took.append(r["cycles"])
    p = growth(terms, took)
    return Verdict(AGREES if bounded(p) else DIFFERS, f"meshes of 1 to 3 dimensions that meet all three conditions, against LC/B + D + L: {len(took)} runs, "
                   f"{span(b / a for a, b in zip(terms, took))} times the term, exponent {show(p, places=2)}")


@counted
def edge_symmetric() -> Verdict:
    """Worms over a link on average, which are the same for all links."""
    shares = []
    for k in (4, 8, 16, 32):
        each = sum(min(d, k - d) for d in range(k)) / k / 2 * k * k / (k * k - 1)
        shares.append(each / (2 * (k // 2) / 4))
    cubes = [2 ** d / 2 / (2 ** d - 1) for d in (4, 6, 8, 10)]    # D / Delta is 1
    return Verdict(AGREES if max(shares + cubes) <= 1 else DIFFERS, f"torus of 4² to 32² {span(shares)} of D / Delta, hypercube of 16 to 1024 {span(cubes)}")


# -- what others found before (1.1) -----------------------------------------------------------------


def cube_steps(bits: int, to: list[int], draw: random.Random) -> int:
    """Steps of a hypercube, a packet over each link in a step, through a random node each; the first to come goes first."""
    queues: dict[tuple[int, int], collections.deque[tuple[int, list[int]]]] = collections.defaultdict(collections.deque)

    def go(here: int, goals: list[int]) -> None:
        while goals and here == goals[0]:
            goals = goals[1:]
        if goals:
            differ = here ^ goals[0]
            queues[here, differ & -differ].append((here, goals))
    for a, b in enumerate(to):
        go(a, [draw.randrange(1 << bits), b])
    count = 0
    while any(queues.values()):
        count += 1
        moves = [(link, queue.popleft()) for link, queue in queues.items() if queue]
        for (here, bit), (_, goals) in moves:
            go(here ^ bit, goals)
    return count


@run
def valiant() -> Verdict:
    """V82's two phases, on the permutations that are worst for one."""
    terms, took = [], []
    for bits, seed in itertools.product((4, 6, 8, 10, 12), (1, 2, 3)):
        draw = random.Random(seed)
        half = bits // 2
        reverse = [int(format(a, f"0{bits}b")[::-1], 2) for a in range(1 << bits)]
        across = [a >> half | (a & (1 << half) - 1) << half for a in range(1 << bits)]
        for to in (reverse, across):
            terms.append(bits)
            took.append(cube_steps(bits, to, draw))
    p = growth(terms, took)
    return Verdict(PART if bounded(p) else DIFFERS, f"V82 on the hypercube, 16 to 4096 nodes, bit-reversal and transpose through random nodes: {span(t / k for t, k in zip(took, terms))} log N "
                   f"steps, exponent {show(p, places=2)}; leveled networks by LMRR94: GO-28; P84 is not among the papers")


@run
def known_wormhole() -> Verdict:
    """RSW94's lower bound, of worms that wait: butterflies, L = log N."""
    lower, count = [], []
    for levels, seed in itertools.product(range(4, 11), (1, 2, 3)):
        row = point(f"--topology butterfly --nodes {2 ** levels} --self-traffic --length {levels} --rounds 8 --seed {seed} --runs 1")
        lower.append((row["last_arrival_mean"] + 1) / (8 * levels ** 2 / math.log2(levels) ** 2))
        count.append(2 ** levels)
    p = growth(count, lower)
    return Verdict(PART if p.high >= 0 and min(lower) > 1 else DIFFERS, f"of the lower bound: butterflies of 16 to 1024, q = 8, L = log N, worms that wait take at least {min(lower):.1f} times its "
                   f"term, the ratio goes as N^{p.mean:+.2f}; the algorithms behind the upper bounds are not among the papers")


# -- who prevents whom: lemmas 3.2 and 3.3 ----------------------------------------------------------

Link = tuple[int, int, int]


def edges(source: int, to: int, bits: int) -> list[Link]:
    """The edges of a path that corrects x_0 first: level, node, next node."""
    found, at = [], source
    for level in range(bits):
        after = at & ~(1 << level) | to & 1 << level
        found.append((level, at, after))
        at = after
    return found


class Algorithm2:
    """Routing algorithm 2 on given paths, flit by flit; keeps who won a link from whom."""

    def __init__(self, ways: list[list[Link]], length: int, bandwidth: int, ranks: int, draw: random.Random) -> None:
        self.ways, self.length, self.bandwidth = ways, length, bandwidth
        self.rank = [draw.randrange(ranks) for _ in ways]
        self.delay = [draw.randrange(max(map(len, ways))) for _ in ways]
        self.active = set(range(len(ways)))
        self.lost: list[dict[int, list[int]]] = []    # round by round: worm, those that won the link where it lost first

    def forward(self) -> None:
        """A round: the worms that lose stay active."""
        passed = {w: [self.length] * len(self.ways[w]) for w in self.active}    # flits that may pass a link of the way
        lost: dict[int, list[int]] = {}
        for at in range(2 * max(map(len, self.ways)) + self.length):
            wants: dict[Link, list[tuple[int, int, int, int]]] = {}
            for w in self.active:
                for k, link in enumerate(self.ways[w]):
                    flit = at - self.delay[w] - k
                    if 0 <= flit < min(passed[w][:k + 1]):
                        wants.setdefault(link, []).append((self.rank[w], w, k, flit))
            for every in wants.values():
                every.sort()
                for _, w, k, flit in every[self.bandwidth:]:
                    passed[w][k] = flit
                    lost.setdefault(w, [v for _, v, _, _ in every[:self.bandwidth]])
        self.lost.append(lost)
        self.active = set(lost)

    def finish(self) -> int:
        while self.active:
            self.forward()
        return len(self.lost)

    def has_sequence(self, rounds: int) -> bool:
        """Lemma 3.2's construction, from the last of so many rounds back to the first: winners by rank, B different worms a round."""
        worm = next(iter(self.lost[rounds - 1]))
        for number in range(rounds - 1, -1, -1):
            if worm not in self.lost[number]:
                return False
            before = sorted(self.lost[number][worm], key=lambda v: (self.rank[v], v))
            if len(set(before)) != self.bandwidth or worm in before or self.rank[before[-1]] > self.rank[worm]:
                return False
            worm = before[0]
        return True


def butterfly_worms(bits: int, each: int, draw: random.Random) -> list[list[Link]]:
    return [edges(a, draw.randrange(2 ** bits), bits) for a in range(2 ** bits) for _ in range(each)]


@run
def delay_sequences() -> Verdict:
    """Every s below the number of rounds; the rounds beside those of the model."""
    cases = good = 0
    words = []
    for bits, each, length, b in ((4, 4, 8, 1), (4, 8, 4, 2), (5, 2, 8, 1)):
        rounds = []
        for seed in range(10):
            draw = random.Random(seed)
            ways = butterfly_worms(bits, each, draw)
            # R of the model's lemma 3.4 is of this size
            found = Algorithm2(ways, length, b, 64 * len(ways), draw)
            rounds.append(float(found.finish()))
            cases += len(found.lost) - 1
            good += sum(found.has_sequence(s) for s in range(1, len(found.lost)))
        theirs = mean_of([float(point(f"--topology butterfly --nodes {2 ** bits} --self-traffic --discipline cmsv2 --rounds {each} --length {length} "
                                      f"--link-bandwidth {b} --seed {s} --runs 1")["rounds"]) for s in range(1, 11)])
        ours = mean_of(rounds)
        if abs(ours.mean - theirs.mean) > ours.half + theirs.half:
            raise ArithmeticError(f"algorithm 2 here takes {show(ours)} rounds, fatfly's {show(theirs)}")
        words.append(f"{show(ours, places=1)} for {show(theirs, places=1)}")
    return verdict(good, cases, f"an active sequence for each s below the number of rounds: {good} of {cases}, in 30 runs on butterflies of 16 and 32, B = 1 and 2; a "
                   f"simulator of its own, judge_cmsv_bounds.py, rounds beside fatfly's {'; '.join(words)}")


@run
def sequences_counted() -> Verdict:
    """All choices of worms, and all keys, one by one for small s and R."""
    cases = over = 0
    closest = 0.0
    for bits, each, b in ((2, 2, 1), (3, 2, 1), (3, 2, 2), (4, 4, 1), (4, 4, 2)):
        ways = butterfly_worms(bits, each, random.Random(bits + each + b))
        users = collections.defaultdict(list)
        for w, way in enumerate(ways):
            for link in way:
                users[link].append(w)
        most = max(map(len, users.values()))
        befores = [{before for link in way for before in itertools.permutations([v for v in users[link] if v != w], b)} for w, way in enumerate(ways)]
        count = [1] * len(ways)
        for s in range(1, 5):
            count = [sum(count[before[0]] for before in befores[w]) for w in range(len(ways))]
            for ranks in (2, 4):
                keys = sum(1 for _ in itertools.combinations_with_replacement(range(ranks), s * b + 1))
                bound = len(ways) * (bits * most ** b) ** s * math.comb(s * b + ranks, s * b + 1)
                cases += 1
                over += sum(count) * keys > bound
                closest = max(closest, sum(count) * keys / bound)
    return verdict(cases - over, cases, f"counted one by one on butterflies of 4 to 16, s = 1 to 4, B = 1 and 2, R = 2 and 4: {over} of {cases} are above it, the "
                   f"closest has {100 * closest:.0f} % of it")


# -- 2.2, 4.2 and 4.4.2 ------------------------------------------------------------------------------------------


@counted
def chernoff() -> Verdict:
    """More than B m successes of independent trials, of which m are expected: exact tails of equal trials."""
    cases = over = 0
    for trials, mean, b in itertools.product((10, 100, 1000), (1, 2, 5), (3, 4, 8, 16)):
        p = mean / trials
        least = b * mean + 1
        tail = math.fsum(math.comb(trials, k) * p ** k * (1 - p) ** (trials - k) for k in range(least, trials + 1))
        cases += 1
        over += tail > (math.e / b) ** (b * mean) * (1 + 1e-9)
    return verdict(cases - over, cases, f"exact tails of {cases} binomials, B = 3 to 16, m = 1 to 5: {over} above it")


@run
def meet_at_one_delay() -> Verdict:
    """How far apart two packets must start to be on a link at once: all links that two shortest paths share say the same."""
    pairs = several = 0
    draw = random.Random(1)
    for side in (5, 8):
        nodes = list(itertools.product(range(side), repeat=2))

        def way() -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
            here, there = draw.choice(nodes), draw.choice(nodes)
            found = []
            while here != there:
                steps = []
                for axis in (0, 1):
                    gap = (there[axis] - here[axis]) % side
                    if gap:
                        step = 1 if 2 * gap <= side else -1
                        steps.append((*here[:axis], (here[axis] + step) % side, *here[axis + 1:]))
                to = draw.choice(steps)
                found.append((here, to))
                here = to
            return found
        for _ in range(200000):
            one, other = way(), way()
            place = {link: k for k, link in enumerate(other)}
            apart = {k - place[link] for k, link in enumerate(one) if link in place}
            pairs += bool(apart)
            several += len(apart) > 1
    return verdict(pairs - several, pairs, f"random shortest paths on tori of 5 x 5 and 8 x 8: of {pairs} pairs that share links {several} meet at more than one difference of delays")


def none_over(balls: int, boxes: int, most: int) -> float:
    """Chance that no box has more than so many."""
    ways = [1.0] + [0.0] * balls    # balls! / boxes^balls times coefficients, taken up box by box
    for done in range(1, boxes + 1):
        share = 1 / done
        ways = [math.fsum(ways[k - j] * math.comb(k, j) * share ** j * (1 - share) ** (k - j) for j in range(min(k, most) + 1)) for k in range(balls + 1)]
    return ways[balls]


@run
def few_collide() -> Verdict:
    """One small butterfly exactly: m worms over 2K edges; then whole butterflies, m worms drawn at random."""
    cases = over = 0
    closest = 0.0
    for size, b in itertools.product((2, 4, 8), (1, 2, 3)):
        for m in range(b + 1, 2 * size * b + 1):
            bound = math.exp(-m ** (b + 1) * (b + 1) ** -(b + 1) * (6 * size) ** -b)
            exact = none_over(m, 2 * size, b)
            cases += 1
            over += exact > bound * (1 + 1e-9)
            closest = max(closest, exact / bound)
    words = []
    draw = random.Random(1)
    tries = 300
    whole = True
    for bits, b in ((4, 1), (6, 1), (6, 2), (8, 1)):
        rows = 2 ** bits
        m = math.ceil(7 * b * rows / bits)
        least = math.exp(-bits * m ** (b + 1) / (3 * math.log2(bits) * (7 * rows) ** b * (b + 1) ** (b + 1)))
        free = 0
        for _ in range(tries):
            used = collections.Counter(link for _ in range(m) for link in edges(draw.randrange(rows), draw.randrange(rows), bits))
            free += max(used.values()) <= b
        whole = whole and free / tries <= least
        words.append(f"N = {rows}, B = {b}, m = {m}: {free} of {tries} for {least:.1g}")
    return Verdict(AGREES if not over and whole else PART if whole else DIFFERS, f"exact for K = 2, 4, 8, B = 1 to 3 and all m: {over} of {cases} above the bound, the closest has "
                   f"{closest:.2f} of it; whole butterflies, that none collide against the bound of the whole: {'; '.join(words)}")
