# SPDX-License-Identifier: Apache-2.0
"""judge_cmsv.py - judgements of the statements of CMSV (Cypher, Meyer auf der Heide, Scheideler, Vöcking 1996); the list is
statements/cmsv.txt.
"""

import csv
import itertools
import math
import os
import random
import subprocess
import tempfile
from collections.abc import Callable, Iterable

from judge_cmsv_bounds import *    # pylint: disable=wildcard-import,unused-wildcard-import  # noqa: F403
from judge_cmsv_bounds import edges
from judge_cmsv_ranks import growing_ranks, theorem_1_7    # pylint: disable=unused-import  # noqa: F401
from judging import AGREES, DIFFERS, PART, ROOT, Verdict, bounded, counted, growth, point, quick, run, span, verdict
from paper_cmsv import bandwidth_1, last_1, lemma, lg, lnln, time_1, time_2
from paper_tools import Value, show

SEEDS = (1, 2, 3)
TORUS = [f"--topology torus --radix {k}" for k in (4, 8, 16, 32)]
HYPERCUBE = [f"--topology hypercube --nodes {2 ** k}" for k in (4, 6, 8, 10)]
MESH = [f"--topology mesh --radix {k}" for k in (4, 8, 16, 32)]
BUTTERFLY = [f"--topology butterfly --nodes {2 ** k}" for k in (4, 6, 8, 10)]
GRAPHS = [f"--topology graph:sim/paper/graphs/random-{n}.txt --path {p}" for n in (64, 256) for p in ("greedy", "walk")]


def rows(networks: Iterable[str], rounds: Iterable[int], lengths: Iterable[int], limits: Iterable[object], how: str = "cmsv2",
         limit: str = "--link-bandwidth") -> list[dict]:
    return [point(f"{network} --discipline {how} --rounds {q} --length {l} {limit} {b} --seed {s} --runs 1")
            for network, q, l, b, s in itertools.product(networks, rounds, lengths, limits, SEEDS)]


def against(found: list[dict], term: Callable[[dict], float], what: str, measured: Callable[[dict], float] = lambda r: r["cycles"]) -> Verdict:
    """The time against a term that it is O() of."""
    terms, took = [term(r) for r in found], [measured(r) for r in found]
    p = growth(terms, took)
    return Verdict(AGREES if bounded(p) else DIFFERS, f"{what}: {len(found)} runs, {span(b / a for a, b in zip(terms, took))} times the "
                   f"term, exponent {show(p, places=2)}")


# -- docs/results/cmsv.csv --------------------------------------------------------------------------

FITS = {"7": ("algorithm 1", ("B = 32",)), "9": ("algorithm 2", ()), "19": ("theorem 1.8", ("A = theirs, C_r theirs",)),
        "32": ("butterfly", ())}


@quick
def cmsv_exponent(which: str) -> Verdict:
    name, limits = FITS[which]
    with open(ROOT / "docs/results/cmsv.csv", encoding="utf-8", newline="") as file:
        found = [r for r in csv.DictReader(file) if r["algorithm"] == name and r["of"] == "time" and (not limits or r["limit"] in limits)]
    fits = {r["limit"]: Value(float(r["exponent"]), float(r["exponent_half_99"])) for r in found}
    good = sum(map(bounded, fits.values()))
    most = max(float(r["largest"]) for r in found)
    words = "; ".join(f"{k}: {show(v, places=2)}" for k, v in fits.items())
    if which == "19":
        return Verdict(AGREES if good else PART, f"exponent {words}, at most {most:.1f} times the term: where measured it grows, because "
                       "the second part, not needed, weighs less; 20 times the first part is the most that round 0 can take")
    return verdict(good, len(fits), f"exponents {words}; at most {most:.1f} times the term")


# -- theorem 2 and its corollaries ------------------------------------------------------------------


def expected(row: dict) -> float:
    """Worms over a link on average; the links of a torus, and those of a hypercube, are alike."""
    others = row["nodes"] - 1
    if row["topology"] == "hypercube":
        return row["measured"] / others / 2
    k = round(row["radix"])
    return sum(min(d, k - d) for d in range(k)) / k / 2 * row["measured"] / others


@run
def expected_congestion() -> Verdict:
    """Torus: the same for all links of a direction; hypercube: n / 2 worms over the 2 (N / 2) links of a dimension."""
    found = rows(TORUS[:3] + HYPERCUBE[:3], (1, 4), (4, 16), (1, 2))
    return against(found, lambda r: time_2({**r, "congestion_mean": max(1.0, expected(r))}), "torus 4² to 16², hypercube 16 to 256")


@run
def corollary_1_4_optimal() -> Verdict:
    found = rows(BUTTERFLY[:3], (64, 256), (1,), (4,), "cmsv-store", "--depth")
    found = [r for r in found if r["congestion_mean"] >= r["dilation"] * lg(r["measured"])]
    return against(found, lambda r: r["congestion_mean"] + r["dilation"], "butterfly 16 to 256, A = 4, against C + D")


def theirs(networks: list[str], rounds: tuple[int, ...], length: int = 1) -> list[dict]:
    """Algorithm 1 with the bandwidth of its theorem, about 38; all packets must arrive."""
    found = rows(networks, rounds, (length,), (38,), "cmsv1")
    lost = sum(r["last_arrival_mean"] == "" for r in found)
    if lost:
        raise LookupError(f"algorithm 1, B = 38: in {lost} of {len(found)} runs not all packets arrive")
    return found


@run
def corollary_1_5() -> Verdict:
    """A step of B packets takes B steps; B = 10 ln CD / ln ln CD."""
    found = theirs(TORUS + BUTTERFLY + GRAPHS, (1, 4))
    return against(found, lambda r: time_1(r) * math.log(max(r["congestion_mean"] * r["dilation"], 16)) / lnln(
        max(r["congestion_mean"] * r["dilation"], 16)), "torus, butterfly, random graphs (walks, too), algorithm 1 in stages of B",
        lambda r: r["cycles"] * math.ceil(bandwidth_1(r)))


@run
def corollary_1_15() -> Verdict:
    return against([r for l in (4, 16) for r in theirs(BUTTERFLY, (1, 4), l)], time_1, "butterfly 16 to 1024, L = 4 and 16, B = 38")


@run
def left_after_round_0() -> Verdict:
    """A run does not say how many are left, but whether any is."""
    found = theirs(TORUS + BUTTERFLY + GRAPHS, (1, 4))
    late = [r for r in found if r["rounds"] > 1]
    over = [r for r in found if r["rounds"] > last_1(r) + 1]
    return Verdict(DIFFERS if over else PART if late else AGREES, f"none is left in {len(found) - len(late)} of {len(found)} runs with B = 38" + (
        "; k + 1 rounds do in the others" if late and not over else ""))


@run
def corollary_1_9() -> Verdict:
    """Theorem 1.8's algorithm with its own A."""
    found = rows(TORUS + HYPERCUBE, (1,), (1,), ("unbounded",), "cmsv-protocol", "--depth")
    return against(found, lambda r: r["dilation"] * (math.log(max(r["dilation"], 3)) / max(math.log(math.log(max(r["dilation"], 16))), 1)
                                                     + lg(lg(r["measured"]))), "torus 4² to 32², hypercube 16 to 1024")


@run
def cmsv_lower_bound() -> Verdict:
    found = rows(TORUS[:3] + BUTTERFLY[:3], (1, 4), (1, 16), (1, 4))
    ratios = [r["cycles"] / max(r["length"] * r["congestion_mean"] / r["link_bandwidth"], r["dilation"], r["length"]) for r in found]
    return Verdict(AGREES if min(ratios) >= 1 else DIFFERS, f"algorithm 2, torus and butterfly: {len(found)} runs take {span(ratios)} times "
                   "the largest of LC/B, D and L")


@run
def theorem_2_optimal() -> Verdict:
    found = [r for r in rows(BUTTERFLY[:3], (16, 32), (16, 64), (4,)) if r["length"] * r["congestion_mean"] >= (
        r["dilation"] + r["length"]) * lg(r["measured"]) and r["link_bandwidth"] >= math.log2(r["dilation"])]
    return against(found, lambda r: r["length"] * r["congestion_mean"] / r["link_bandwidth"] + r["dilation"] + r["length"],
                   "butterfly, B = 4, against LC/B + D + L")


@run
def gain_over_go() -> Verdict:
    """Butterflies with q = L = D = log N; GO's schedule with k = 2."""
    bits = (4, 5, 6, 7, 8, 9)
    one, other = [], []
    for k in bits:
        base = f"--topology butterfly --nodes {2 ** k} --rounds {k} --length {k} --runs 1"
        one.append(sum(point(f"{base} --discipline cmsv2 --link-bandwidth 1 --seed {s}")["cycles"] for s in SEEDS) / 3)
        took = 0.0
        for s in SEEDS:
            options = f"{base} --discipline phased --bandwidth on-demand --seed {s}"
            row = point(f"{options} --phases 1 --phase-length 1")
            eta, t = min(row["dilation"], k), math.ceil(2 * row["dilation"] + k * math.log2(row["measured"]))
            took += point(f"{options} --phases {math.ceil(2 * row['congestion_mean'] * eta)} --phase-length {t}")["last_arrival_mean"] / 3
        other.append(took)
    p, q = growth(bits, one), growth(bits, other)
    return Verdict(AGREES if p.low <= 3 and q.mean > p.mean else DIFFERS, f"butterfly, C about D = L = log N = 4 to 9: algorithm 2 grows as "
                   f"log N^{show(p, places=1)}, GO's phases as log N^{show(q, places=1)}; {other[0] / one[0]:.0f} to {other[-1] / one[-1]:.0f} times as long")


@run
def corollary_1_10() -> Verdict:
    found = rows(TORUS[:3] + HYPERCUBE[:3], (1,), (4, 16), (1, 2, 4))
    return against(found, lambda r: (r["length"] * r["dilation"] ** (1 + 1 / r["link_bandwidth"]) + (r["dilation"] + r["length"]) *
                                     lg(r["measured"])) / r["link_bandwidth"], "torus 4² to 16², hypercube 16 to 256, B = 1, 2, 4")


def expanders(folder: str) -> list[str]:
    """Random graphs of degree 3, which are expanders with high probability, 32 to 1024 nodes."""
    found = []
    for nodes in (32, 64, 128, 256, 512, 1024):
        path = os.path.join(folder, f"{nodes}.txt")
        with open(path, "w", encoding="ascii") as out:
            subprocess.run([ROOT / "scripts/sim/random_graph.py", str(nodes), "3", "1"], stdout=out, check=True)
        found.append(f"--topology graph:{path} --path walk")
    return found


@run
def corollary_1_6() -> Verdict:
    """Walks of at most 2 log n links, which end at random nodes; algorithm 1 in stages of B, as corollary 1.5."""
    with tempfile.TemporaryDirectory() as folder:
        found = theirs(expanders(folder), (1,))

        def term(r: dict) -> float:
            n = math.log2(r["measured"])
            return n * math.log2(n) ** 2 / math.log2(math.log2(n))
        return against(found, term, "random graphs of degree 3, 32 to 1024 nodes, walks", lambda r: r["cycles"] * math.ceil(bandwidth_1(r)))


@run
def corollary_1_12() -> Verdict:
    with tempfile.TemporaryDirectory() as folder:
        found = rows(expanders(folder), (1,), (4, 16), (1, 2, 4))

        def term(r: dict) -> float:
            n, b = math.log2(r["measured"]), r["link_bandwidth"]
            return (r["length"] * n ** (1 + 1 / b) + n * n) / b
        return against(found, term, "random graphs of degree 3, 32 to 1024 nodes, walks, B = 1, 2, 4")


@run
def corollary_1_11() -> Verdict:
    found = rows(TORUS[:3] + HYPERCUBE[:3], (1,), (4, 16), (1, 2, 4))

    def term(r: dict) -> float:
        degree = 4 if r["topology"] == "torus" else math.log2(r["nodes"])
        b, d, l = r["link_bandwidth"], r["dilation"], r["length"]
        return l * d ** (1 + 1 / b) / degree / b + (d + l) * lg(r["measured"]) / b
    return against(found, term, "torus of degree 4, hypercube of degree log N, B = 1, 2, 4")


def of_meshes(root: Callable[[float, float], float]) -> Verdict:
    """The term of theorem 1.13, in which root(d, m) has the power 1/B."""
    networks = [f"--topology mesh --radix {m} --dimensions {d}" for d, m in ((1, 16), (1, 64), (2, 4), (2, 8), (2, 16), (3, 4), (3, 6))]

    def term(r: dict) -> float:
        d, m, b, l = r["dimensions"], r["radix"], r["link_bandwidth"], r["length"]
        q = r["measured"] / r["nodes"]
        return (q * l * m * root(d, m) ** (1 / b) + (m * d + l) * d * math.log2(m)) / b
    found = rows(networks, (1, 4), (4, 16), (1, 4))
    return against(found, term, "meshes of 1 to 3 dimensions, delays below the longest path, B = 1 and 4")


@run
def theorem_1_13() -> Verdict:
    return of_meshes(lambda d, m: d)


@run
def mesh_by_theorem_2() -> Verdict:
    return of_meshes(lambda d, m: m * d)


def diameter(row: dict) -> float:
    """Of a torus of two dimensions, or a hypercube."""
    return math.log2(row["nodes"]) if row["topology"] == "hypercube" else 2 * (row["radix"] // 2)


@run
def congestion_of_symmetric() -> Verdict:
    words, good = [], 0
    names = (("torus", TORUS[:3]), ("hypercube", HYPERCUBE))
    for name, networks in names:
        found = rows(networks, (1,), (1,), (1,))
        good += all(expected(r) <= diameter(r) for r in found)
        words.append(f"{name} {span(expected(r) / diameter(r) for r in found)} of the diameter")
    return verdict(good, len(names), "expected C: " + "; ".join(words))


@run
def mesh_congestion() -> Verdict:
    """Worms that use a line of the mesh, and a link of it, dimension by dimension, 100 draws of all destinations."""
    draw, words, good = random.Random(1), [], 0
    for m, d in ((8, 2), (16, 2), (6, 3)):
        lines: dict[tuple, int] = {}
        links: dict[tuple, int] = {}
        times = 100
        nodes = list(itertools.product(range(m), repeat=d))
        for at in nodes:
            for _ in range(times):
                to, here = draw.choice(nodes), at
                for k in range(d):
                    if here[k] != to[k]:
                        line = (k, here[:k], here[k + 1:])
                        lines[line] = lines.get(line, 0) + 1
                        low, high = sorted((here[k], to[k]))
                        for x in range(low, high):
                            link = (*line, x, here[k] < to[k])
                            links[link] = links.get(link, 0) + 1
                    here = (*here[:k], to[k], *here[k + 1:])
        good += max(lines.values()) / times <= m    # no link has more than its line
        words.append(f"{m}^{d}: {max(lines.values()) / times:.1f} worms a line, {max(links.values()) / times:.1f} a link for m = {m}")
    return verdict(good, 3, "q = 1, " + "; ".join(words))


# -- the butterfly ----------------------------------------------------------------------------------


@run
def butterfly_optimal() -> Verdict:
    found = [point(f"--topology butterfly --nodes {2 ** k} --self-traffic --discipline cmsv-butterfly --rounds {q} --length {l} "
                   f"--link-bandwidth 4 --seed {s} --runs 1") for k, q, l, s in itertools.product((4, 6, 8), (16, 64), (16,), SEEDS)]
    one = against(found, lambda r: r["length"] * r["congestion_mean"] / 4 + r["dilation"] + r["length"], "butterfly 16 to 256, q = 16 and 64, "
                   "B = 4, against LC/B + D + L")
    return one if one.kind == AGREES else Verdict(PART, f"{one.found}: at these N the ratio still grows")


@run
def butterfly_lower_bound() -> Verdict:
    """At fixed q, L and B the ratio to the term must not fall as N grows."""
    fits, ratios = [], []
    for q, l, b in itertools.product((4, 16), (16,), (1, 2)):
        terms, took = [], []
        for k, s in itertools.product((4, 5, 6, 7, 8, 9), SEEDS):
            row = point(f"--topology butterfly --nodes {2 ** k} --self-traffic --discipline cmsv-butterfly --rounds {q} --length {l} "
                        f"--link-bandwidth {b} --seed {s} --runs 1")
            terms.append(q * l * (k / math.log2(k) ** 2) ** (1 / b) / b)
            took.append(row["cycles"])
        ratios += [t / x for x, t in zip(terms, took)]
        fits.append(growth([2 ** k for k in (4, 5, 6, 7, 8, 9) for _ in SEEDS], [t / x for x, t in zip(terms, took)]))
    return Verdict(PART if all(p.high >= 0 for p in fits) else DIFFERS, f"other algorithms were not run; 4.4.1's takes at least {min(ratios):.1f} times the term, N = 16 to "
                   f"512; as N grows the ratio goes as N^{', N^'.join(f'{p.mean:+.2f}' for p in fits)}")


@run
def lemma_3_4() -> Verdict:
    found = rows(TORUS[:3] + BUTTERFLY[:3] + MESH[:3], (1, 4), (4, 16), (1, 4))
    proof = max(r["rounds"] / lemma(r) for r in found)

    def printed(r: dict) -> float:
        n, c, d, b = r["measured"], r["congestion_mean"], r["dilation"], r["link_bandwidth"]
        return max(4 * min(2 * r["length"], d) * c * d ** (1 / b) / d, 2 * lg(n)) / b
    lemmas = max(r["rounds"] / printed(r) for r in found)
    return Verdict(AGREES if max(proof, lemmas) <= 1 else DIFFERS, f"{len(found)} runs, at most {100 * proof:.0f} % of the rounds with the "
                   f"proof's 4e, {100 * lemmas:.0f} % with the 4 that is printed")


def zeros(m: int, bits: int) -> int:
    """delta(m)"""
    return next((i for i in range(bits) if m >> i & 1), bits)


def source_of(rank: int, bits: int) -> int:
    """The input whose bits, reversed, are the rank without its offset."""
    return sum((rank >> bits - 1 - k & 1) << k for k in range(bits))


@run
def delta_of_ranks() -> Verdict:
    pairs = early = 0
    for bits in (3, 4):
        n = 1 << bits
        for a, b in itertools.combinations(range(2 * n), 2):
            first = bits - zeros(b - a, bits)
            for x, y in itertools.product(range(n), repeat=2):
                shared = set(edges(source_of(a % n, bits), x, bits)) & set(edges(source_of(b % n, bits), y, bits))
                pairs += 1
                early += any(level < first for level, _, _ in shared)
    return verdict(pairs - early, pairs, f"N = 8 and 16, two worms of each input, all destinations: {early} of {pairs} pairs meet before")


@run
def inequation_1() -> Verdict:
    """All ways, B = 1 and 2."""
    cases = over = 0
    for bits, b, most in ((3, 1, 16), (4, 1, 16), (3, 2, 10)):
        n = 1 << bits
        for w, m in itertools.product(range(n), range(b, most)):
            ways, first = 0, set(edges(source_of(w % n, bits), 0, bits))
            for between in itertools.combinations(range(w + 1, w + m), b - 1):
                worms = [*between, w + m]
                for to in itertools.product(range(n), repeat=b):
                    ways += bool(first.intersection(*(edges(source_of(v % n, bits), t, bits) for v, t in zip(worms, to))))
            cases += 1
            over += ways > math.comb(m, b - 1) * 2 ** zeros(m, bits)
    return verdict(cases - over, cases, f"counted for N = 8 (B = 1, 2) and 16 (B = 1): {over} of {cases} cases are above it")


@counted
def delta_sums() -> Verdict:
    """Of all m_1 .. m_s from 1 on that add up to R or less."""
    cases = over = 0
    for bits in (3, 6):
        sums = [1] * 61
        for s in range(1, 6):
            sums = [sum(2 ** zeros(m, bits) * sums[r - m] for m in range(1, r + 1)) for r in range(61)]
            for r in range(1, 61):
                cases += 1
                over += sums[r] > bits ** s * math.comb(r, s)
    return verdict(cases - over, cases, f"N = 8 and 64, s = 1 to 5, R = 1 to 60: {over} of {cases} are above it")
