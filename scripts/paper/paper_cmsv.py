# SPDX-License-Identifier: Apache-2.0
"""paper_cmsv.py - the universal algorithms (CMSV) and algorithm A's phases (GO II) against the
terms of their theorems: constants with intervals, for scripts/paper/paper.py.  Standard library alone.

A theorem says that rounds or time are O(X) for a term X of n, C, D, L and B. The constant is the
geometric mean of measured / X over the configurations (kind and size of network, worms a processor,
L), each the mean of its seeds in the logarithm, with Student's t; what O() means is the largest
ratio and that the ratio does not grow with X: the exponent p of measured = k X^p is 1 or less.
"""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Callable, Sequence
from typing import Any

from lib.markdown import table
from paper_page import Page
from paper_tools import Curve, Panel, Row, Sweep, fatfly, line_fit, mean_of, read_csv, student

Term = Callable[[Row], float]
COLUMNS = ("topology nodes length depth link_bandwidth rounds delay_range discipline seed runs "
           "measured dilation congestion_mean cycles last_arrival_mean latency_p999 cpu_s digest")


class Wide(Sweep):
    """A sweep with the columns of this chapter."""

    def __init__(self, folder: str, name: str) -> None:
        self.name = name
        self.db = os.path.join(folder, name + ".sqlite")
        self.rows = read_csv(fatfly("export", self.db, "--columns", COLUMNS.replace(" ", ",")))


def sweep(page: Page, name: str) -> Sweep:
    if name not in page.sweeps:
        page.sweeps[name] = Wide(page.folder, name)
    return page.sweeps[name]


# -- terms ----------------------------------------------------------------------------------------

def lg(x: float) -> float:
    return math.log2(max(x, 2))


def lnln(cd: float) -> float:
    return math.log(math.log(max(cd, 16)))


def of(row: Row) -> tuple[float, float, float, float, float]:
    """n, C, D, L and their product CD (16 at least, as the program has it)."""
    n, c, d = row["measured"], row["congestion_mean"], row["dilation"]
    return n, c, d, row["length"], max(c * d, 16)


def bandwidth(row: Row) -> float:
    """B, or A of corollary 1.4."""
    return float(row["depth"] if row["discipline"] == "cmsv-store" else row["link_bandwidth"])


def rounds_2(row: Row) -> float:
    """Lemma 3.4: (l C D^(1/B) / D + log n) / B, l = min(2L, D)."""
    n, c, d, l, _ = of(row)
    b = bandwidth(row)
    return (min(2 * l, d) * c * d ** (1 / b) / d + lg(n)) / b


def lemma(row: Row) -> float:
    """The rounds of lemma 3.4 with alpha = 1, constants and all."""
    n, c, d, l, _ = of(row)
    b = bandwidth(row)
    return max(4 * math.e * min(2 * l, d) * c * d ** (1 / b) / d, 2 * lg(n)) / b


def time_2(row: Row) -> float:
    """Main theorem 2."""
    n, c, d, l, _ = of(row)
    b = row["link_bandwidth"]
    return (l * c * d ** (1 / b) + (d + l) * lg(n)) / b


def time_1(row: Row) -> float:
    """Main theorem 1, and corollary 1.15 for worms."""
    n, c, d, l, cd = of(row)
    return l * (d * lg(lg(n)) + c + lg(n) * lg(lg(n)) / lnln(cd))


def last_1(row: Row) -> int:
    """k of 2.2 with alpha = 1."""
    n, _, _, _, cd = of(row)
    return max(math.ceil(math.log2(max(15 * math.log(max(n, 1)) / lnln(cd), 1))), 1) + 1


def bandwidth_1(row: Row) -> float:
    cd = of(row)[4]
    return 10 * math.log(cd) / lnln(cd)


def time_store(row: Row) -> float:
    """Corollary 1.4."""
    n, c, d, _, _ = of(row)
    return c * d ** (1 / float(row["depth"])) + d * lg(n)


def time_protocol(row: Row) -> float:
    """Theorem 1.8."""
    n, c, d, _, cd = of(row)
    return (c + d) * math.log(cd) / lnln(cd) + (d + lg(n)) * lg(lg(n))


def rounds_butterfly(row: Row) -> float:
    """4.4.1: (q' log^(1/B) N + log N) / B in each of the passes, which go on side by side."""
    bits, b = math.log2(row["nodes"]), row["link_bandwidth"]
    passes = bits // min(row["length"], bits)
    each = math.ceil(row["measured"] / row["nodes"] / passes)
    return (each * bits ** (1 / b) + bits) / b


def time_butterfly(row: Row) -> float:
    """Theorem 1.14 a."""
    bits, b, l = math.log2(row["nodes"]), row["link_bandwidth"], row["length"]
    return (row["measured"] / row["nodes"] * l * bits ** (1 / b) + (l + bits) * bits) / b


def time_4(row: Row) -> float:
    """GO, theorem 4."""
    n, c, d, l, _ = of(row)
    eta = min(d, l)
    return c * d * eta + c * l * eta * lg(n)


def phase_4(row: Row) -> float:
    """T of its proof."""
    n, _, d, l, _ = of(row)
    return 2 * d + l * math.log2(n)


def time_5(row: Row) -> float:
    """GO, theorem 5."""
    _, c, d, l, _ = of(row)
    return c * d * l


# -- constants ------------------------------------------------------------------------------------

class Fit:
    """measured = constant * term."""

    def __init__(self, rows: Sequence[Row], measured: Term, term: Term) -> None:
        sums = {}
        for row in rows:
            key = tuple(row[k] for k in ("topology", "nodes", "length")) + (
                round(row["measured"] / row["nodes"]),)
            sums.setdefault(key, []).append((math.log(term(row)), math.log(measured(row))))
        self.points = [tuple(math.fsum(v) / len(v) for v in zip(*group)) for group in sums.values()]
        logs = mean_of([y - x for x, y in self.points])
        self.constant, self.half = math.exp(logs.mean), logs.half
        ratios = [measured(row) / term(row) for row in rows]
        self.least, self.most = min(ratios), max(ratios)
        _, self.power, error, _ = line_fit(*zip(*self.points))
        self.power_half = student(0.005, len(self.points) - 2) * error

    def text(self) -> str:
        low, high = self.constant * math.exp(-self.half), self.constant * math.exp(self.half)
        return f"{self.constant:.2f} ({low:.2f} .. {high:.2f})"

    def growth(self) -> str:
        return f"{self.power:.2f} ± {self.power_half:.2f}"

    @property
    def holds(self) -> bool:
        return self.power - self.power_half <= 1


def cycles(row: Row) -> float:
    return row["cycles"]


def rounds(row: Row) -> float:
    return row["rounds"]


def ended(rows: Sequence[Row]) -> list[Row]:
    return [r for r in rows if r["last_arrival_mean"] != ""]


class Ledger:
    """All fits, for the table, the CSV and the verdicts."""

    def __init__(self) -> None:
        self.lines = []

    def add(self, algorithm: str, what: str, limit: str, rows: Sequence[Row], measured: Term, term: Term) -> Fit | None:
        """None if there is too little to fit."""
        if len({(r["topology"], r["nodes"], r["length"]) for r in rows}) < 4:
            return None
        fit = Fit(rows, measured, term)
        self.lines.append((algorithm, what, limit, len(rows), fit))
        return fit

    def table(self, algorithm: str, head: str) -> str:
        return table([head, "of", "runs", "constant (99 %)", "least", "largest", "exponent p"],
                     [[limit, what, count, f.text(), f"{f.least:.2f}", f"{f.most:.2f}", f.growth()]
                      for name, what, limit, count, f in self.lines if name == algorithm])

    def all_hold(self, algorithm: str) -> list[str]:
        return [limit for name, _, limit, _, f in self.lines if name == algorithm and not f.holds]


def write_csv(path: str, ledger: Ledger) -> None:
    with open(path + ".part", "w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["algorithm", "of", "limit", "runs", "constant", "log_half_99", "least",
                       "largest", "exponent", "exponent_half_99"])
        for name, what, limit, count, f in ledger.lines:
            rows.writerow([name, what, limit, count] + [
                f"{v:.6g}" for v in (f.constant, f.half, f.least, f.most, f.power, f.power_half)])
    os.rename(path + ".part", path)


# -- the chapter ----------------------------------------------------------------------------------

def spread(fit: Fit) -> list[tuple[float, float]]:
    """Points for a plot."""
    return sorted((math.exp(x), math.exp(y)) for x, y in fit.points)


def share(part: Sequence[object], whole: Sequence[object]) -> str:
    return f"{len(part)} of {len(whole)}"


def algorithm_2(page: Page, ledger: Ledger) -> dict[int, tuple[Any, Any]]:
    rows = sweep(page, "cmsv2").rows
    limits = sorted({int(r["link_bandwidth"]) for r in rows})
    fits = {}
    for b in limits:
        some = [r for r in rows if r["link_bandwidth"] == b]
        fits[b] = (ledger.add("algorithm 2", "rounds", f"B = {b}", some, rounds, rounds_2),
                   ledger.add("algorithm 2", "time", f"B = {b}", some, cycles, time_2))
    over = [r for r in rows if r["rounds"] > lemma(r)]
    closest = max(r["rounds"] / lemma(r) for r in rows)
    page.add("### Routing algorithm 2",
             "Random ranks and delays, the B lowest ranks win; a round is 2D + L cycles there and "
             "2D back. Rounds against (ℓ C D^{1/B} / D + log n) / B, ℓ = min{2L, D} (lemma 3.4), "
             "time against (L C D^{1/B} + (D + L) log n) / B (main theorem 2).",
             ledger.table("algorithm 2", "B"))
    page.add(f"Lemma 3.4 with its own constants (α = 1: it fails with probability 1/n) is "
             f"exceeded by {len(over)} of {len(rows)} runs; the nearest takes {100 * closest:.0f} "
             f"% of the rounds that it allows. From B = {limits[0]} to B = {limits[-1]} the "
             f"constant of the time goes from {fits[limits[0]][1].constant:.2f} to "
             f"{fits[limits[-1]][1].constant:.2f}: a round "
             "takes 4D + L cycles however many worms share a link, and with enough bandwidth one "
             "or two rounds are all there are, while the term goes on falling.")
    page.plot("cmsv-2", "Rounds and time of algorithm 2 against the theorem's terms",
              [Panel("rounds", "(l C D^{1/B} / D + log n) / B", "rounds",
                     [Curve(f"B = {b}", spread(fits[b][0])) for b in limits], log="xy",
                     points_only=True),
               Panel("time", "(L C D^{1/B} + (D + L) log n) / B", "cycles",
                     [Curve(f"B = {b}", spread(fits[b][1])) for b in limits], log="xy",
                     points_only=True)])
    page.judge("algorithm 2 takes O((L C D^{1/B} + (D + L) log n) / B) time", "CMSV, theorem 2",
               f"constant at most {max(f[1].most for f in fits.values()):.1f}; lemma 3.4 exceeded "
               f"in "
               f"{len(over)} of {len(rows)} runs", "agrees" if not over else "differs")
    return fits


def algorithm_1(page: Page, ledger: Ledger) -> None:
    rows = sweep(page, "cmsv1").rows
    limits = sorted({int(r["link_bandwidth"]) for r in rows})
    lines: list[Any] = []
    enough, alone = [], []
    for b in limits:
        some = [r for r in rows if r["link_bandwidth"] == b]
        done = ended(some)
        soon = [r for r in done if r["rounds"] <= last_1(r) + 1]
        most = max((int(r["rounds"]) for r in done), default=0)
        lines.append([b, share(done, some), share(soon, some), most])
        enough += [b] * (len(soon) == len(some))
        alone += [b] * (len(done) == len(some) and most == 1)
        ledger.add("algorithm 1", "time", f"B = {b}", done, cycles, time_1)
    theirs = [bandwidth_1(r) for r in ended(rows)]
    late = [r for r in rows if r["link_bandwidth"] == limits[-1] and
            (r["last_arrival_mean"] == "" or r["rounds"] > last_1(r) + 1)]
    page.add("### Routing algorithm 1",
             "All are discarded where more than B meet; round r sends 2^r copies. Packets (L = "
             "1), on the butterfly worms of 16 flits, too (corollary 1.15). The theorem wants B = "
             "10 ln "
             f"CD / ln ln CD, here {min(theirs):.0f} to {max(theirs):.0f}, and k + 1 rounds, k = "
             "log₂(Bm) + 1 with Bm = 15 ln n / ln ln CD:",
             table(["B", "runs that end", "within k + 1 rounds", "most rounds"], lines),
             "Time against L (D log log n + C + log n log log n / log log CD):",
             ledger.table("algorithm 1", "B"))
    crowd = [read_csv(fatfly("run", "--topology", "butterfly", "--nodes", "4", "--rounds", "300",
                             "--pattern", "many-to-1", "--discipline", "cmsv1", "--length", "1",
                             "--runs", "1", "--link-bandwidth", str(b), "--format", "csv"))[0]
             for b in (1, 4)]
    page.add((f"With random destinations B = {enough[0]} is enough for the k + 1 rounds in all "
              "runs, and " if enough else "No B is enough for the k + 1 rounds in all runs; ") +
             (f"from B = {alone[0]} on" if alone else "with no B") + " round 0 does it alone: the "
             "proof asks for much more bandwidth than that. It is needed where C is large: in the "
             "rounds after the first the delays are drawn from C_r = 30 ln n / ln ln CD values, "
             "whatever C is. "
             "1200 worms on a butterfly of 4 rows, 600 for each of two outputs (C = "
             f"{crowd[0]['congestion_mean']:.0f}), "
             + ("never all arrive with B = 1 (the run is cut after "
                f"{crowd[0]['rounds']:.0f} rounds)" if crowd[0]["last_arrival_mean"] == "" else
                f"need {crowd[0]['rounds']:.0f} rounds with B = 1") +
             (f", and take {crowd[1]['rounds']:.0f} rounds with B = 4."
              if crowd[1]["last_arrival_mean"] != "" else ", and with B = 4 neither."))
    page.judge("algorithm 1 ends in k + 1 = O(log log n) rounds", "CMSV, theorem 1",
               f"with B = {limits[-1]} all but {len(late)} runs",
               "agrees" if not late else "differs")


def in_stages(page: Page, ledger: Ledger) -> None:
    rows = sweep(page, "cmsv-store").rows
    for a in sorted({int(r["depth"]) for r in rows}):
        some = [r for r in rows if r["depth"] == a]
        ledger.add("corollary 1.4", "rounds", f"A = {a}", some, rounds, rounds_2)
        ledger.add("corollary 1.4", "time", f"A = {a}", some, cycles, time_store)
    over = [r for r in rows if r["rounds"] > lemma(r)]
    page.add("### Store and forward: corollary 1.4",
             "Algorithm 2 with packets; a step is a stage in which the A packets of a buffer "
             "cross one after the other. Rounds against lemma 3.4 with L = 1, time against C "
             "D^{1/A} + D log n.",
             ledger.table("corollary 1.4", "A"))
    page.add(f"Lemma 3.4 is exceeded by {len(over)} of {len(rows)} runs.")
    bad = ledger.all_hold("corollary 1.4")
    page.judge("packets with buffers of A take O(C D^{1/A} + D log n)", "CMSV, corollary 1.4",
               "the ratio grows with the term for " + ", ".join(bad) if bad else
               "the ratio does not grow with the term", "differs" if bad else "agrees")


OWN = "A = theirs, C_r theirs"


def protocol(page: Page, ledger: Ledger) -> None:
    rows = sweep(page, "cmsv-protocol").rows
    for depth in ("unbounded", 1, 2, 4):
        for wait in (1, 64):
            name = f"A = {'theirs' if depth == 'unbounded' else depth}, C_r " \
                   f"{'theirs' if wait == 1 else wait}"
            some = ended([r for r in rows if r["depth"] == depth and r["delay_range"] == wait])
            if some:
                ledger.add("theorem 1.8", "time", name, some, cycles, time_protocol)
    own = next(f for name, _, limit, _, f in ledger.lines if (name, limit) == ("theorem 1.8", OWN))
    last = max(int(r["rounds"]) for r in ended(rows))
    page.add("### Store and forward: theorem 1.8",
             "Algorithm 1 in stages on shortest paths: of A packets in round 0, of one after it, "
             "with delays from C_r = 240 e² (α + 2) log n stages. Time against (C + D) log CD / "
             "log log CD + (D + log n) log log n.",
             ledger.table("theorem 1.8", "A and C_r"))
    theirs = [r for r in rows if r["depth"] == "unbounded"]
    alone = [r for r in theirs if r["rounds"] == 1]
    stage = [r["cycles"] / (2 * math.ceil(bandwidth_1(r)) * (r["congestion_mean"] + r["dilation"]))
             for r in alone]
    most = max(r["cycles"] / time_protocol(r) for r in theirs)
    page.add(f"With the paper's A round 0 is the only one in {share(alone, theirs)} runs, and "
             f"takes {max(stage):.2f} times 2A (C + D), A = 10 ln CD / ln ln CD: at most 20 times "
             f"the "
             "term's first part and what rounding up adds. The exponent is above 1 because the "
             "term's second part, which these runs never need, weighs less and less. With a "
             "smaller A other "
             f"rounds follow, {last} in all at most, and the paper's C_r is thousands of stages "
             "whatever C and D are, which makes the constant; a range of 64 delivers the same "
             "packets in a small part of that time.")
    page.judge("shortest paths: O((C + D) log CD / log log CD + (D + log n) log log n)",
               "CMSV, theorem 1.8", f"at most {most:.1f} times the term with the paper's A",
               "differs" if len(alone) < len(theirs) else "agrees" if own.holds else
               f"agrees as far as round 0 alone goes; the ratio grows with the term, exponent {own.growth()}")


def butterfly(page: Page, ledger: Ledger) -> None:
    rows = sweep(page, "cmsv-butterfly").rows
    for b in sorted({int(r["link_bandwidth"]) for r in rows}):
        some = [r for r in rows if r["link_bandwidth"] == b]
        ledger.add("butterfly", "rounds", f"B = {b}", some, rounds, rounds_butterfly)
        ledger.add("butterfly", "time", f"B = {b}", some, cycles, time_butterfly)
    page.add("### The butterfly, deterministic (4.4.1)",
             "q worms from each input to random outputs; the rank is the bit-reversed input and "
             "an offset, no delays but those of the passes. Rounds against (q' log^{1/B} N + log "
             "N) / B, time against (q L log^{1/B} N + (L + log N) log N) / B (theorem 1.14 a).",
             ledger.table("butterfly", "B"))
    bad = ledger.all_hold("butterfly")
    page.judge("the butterfly's fixed ranks do in O((q L log^{1/B} N + (L + log N) log N) / B)",
               "CMSV, theorem 1.14", "the ratio grows with the term for " + ", ".join(bad) if bad
               else "the ratio does not grow with the term", "differs" if bad else "agrees")


def phases(page: Page, ledger: Ledger) -> None:
    rows = sweep(page, "phases").rows
    four = ledger.add("phases", "time", "theorem 4", rows, lambda r: r["last_arrival_mean"], time_4)
    ledger.add("phases", "time", "theorem 5", rows, lambda r: r["last_arrival_mean"], time_5)
    page.add("### Algorithm A's phases on other topologies (GO II)",
             "Worms that wait for each other (`--discipline phased`), with delays of 0 to 2cL - 1 "
             "phases of d + L cycles each, c and d those of the instance's paths (e-cube on torus "
             "and mesh). The last arrival against c d η + c L η log P, η = min{d, L} (theorem 4), "
             "and c d L (theorem 5).",
             ledger.table("phases", "against"))
    late = [r for r in rows if r["latency_p999"] > phase_4(r)]
    page.add("The number and the length of the phases decide the time, not the traffic: the last "
             "worm starts near the end of 2cL phases, so the time is 2cL (d + L) but for chance. "
             "It is 2 (d + L) / d times theorem 5's term, so the largest ratios are those of long "
             "worms on short paths: where L > d the theorems take 32 e c d phases, however long "
             "the worms are. Theorem 4's T = 2d + L log P is enough for a worm even with k = 2 in "
             "place of 32e: "
             f"it is more than the latency of 99.9 % of the worms in {len(rows) - len(late)} of "
             f"{len(rows)} runs.")
    page.judge("algorithm A delivers within O(c d η + c L η log P)", "GO, theorem 4",
               f"constant {four.text()}, T long enough in {len(rows) - len(late)} of {len(rows)} "
               f"runs",
               "agrees" if not late and four.holds else "differs")


def universal(page: Page) -> None:
    """The chapter; page is paper.py's."""
    ledger, before = Ledger(), len(page.verdicts)
    page.add("## Universal algorithms (CMSV)",
             "CMSV is Cypher, Meyer auf der Heide, Scheideler and Vöcking, *Universal algorithms "
             "for store-and-forward and wormhole routing*, 1996. n worms, C the most over one "
             "link, D the longest path, L flits, B worms share a link in a step; α = 1. Torus and "
             "mesh of 8² to 32² nodes (e-cube), butterflies of 64 to 1024 rows, random graphs of "
             "64 and 256 nodes with 3 links from each (shortest paths; for the algorithms that take "
             "any paths random walks, too, of 1 to 2 log₂ N links); random destinations, three seeds "
             "each. A constant is the geometric mean of measured / term over the "
             "configurations with its 99 % interval; an exponent p, of measured = k term^p, above "
             "1 by more than its interval would be a ratio that grows with the term where it was "
             "measured.")
    algorithm_2(page, ledger)
    algorithm_1(page, ledger)
    in_stages(page, ledger)
    protocol(page, ledger)
    butterfly(page, ledger)
    phases(page, ledger)
    shown = {("algorithm 1", "B = 32"): "alg. 1", ("corollary 1.4", "A = 4"): "cor. 1.4",
             ("theorem 1.8", OWN): "th. 1.8", ("butterfly", "B = 4"): "4.4.1",
             ("phases", "theorem 4"): "GO II"}
    if not page.quick:
        page.plot("cmsv-others", "Time of the others against their theorems' terms",
                  [Panel("time against the theorem's term", "term", "cycles", [
                      Curve(shown[name, limit], spread(f))
                      for name, what, limit, _, f in ledger.lines
                      if what == "time" and (name, limit) in shown], log="xy", points_only=True)])
        write_csv(os.path.join(page.plots, "cmsv.csv"), ledger)
        link = os.path.basename(page.plots)
        page.add("Algorithm 1 with B = 32, corollary 1.4 with A = 4, theorem 1.8 with its own A, "
                 "4.4.1 with B = 4, phases against theorem 4.")
        page.add(f"All constants: [cmsv.csv]({link}/cmsv.csv).")
    page.add(table(["statement", "source", "ours", "verdict"], page.verdicts[before:]))
