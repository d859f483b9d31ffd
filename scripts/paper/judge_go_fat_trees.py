# SPDX-License-Identifier: Apache-2.0
"""judge_go_fat_trees.py - judgements of the statements of GO's section III.B (Greenberg and Oh 1997)."""

import itertools
import math

from judging import AGREES, DIFFERS, PART, Verdict, counted, growth, bounded, last, point, quick, run, span, tables, value, verdict
from paper_tools import Value, gain, line_fit, over, show, student

SIZES = (16, 64, 256, 1024, 4096)
GO_RUNS = 30


def runs_of(nodes: int) -> int:
    return 100 if nodes >= 4096 else 300


def at(nodes: int, options: str) -> Value:
    return last(f"--nodes {nodes} --runs {runs_of(nodes)} {options}")


def columns(heading: str, which: int = 0) -> dict[str, dict[str, str]]:
    """A table of docs/results.md: its rows by their first cells up to N, cells by column."""
    head, *rows = tables(heading)[which]
    keys = head.index("N") + 1
    return {" ".join(r[:keys]): dict(zip(head[keys:], r[keys:])) for r in rows}


# -- patterns ---------------------------------------------------------------------------------------


@run
def complement_congestion() -> Verdict:
    rows = [(n, point(f"--nodes {n} --pattern complement --runs 30")) for n in SIZES]
    good = sum(r["load_factor"] == math.sqrt(n) / 2 for n, r in rows)
    words = ", ".join(f"{r['congestion_mean']:.1f}" for _, r in rows)
    kind = AGREES if all(r["congestion_mean"] == math.sqrt(n) / 2 for n, r in rows) else PART if good == len(rows) else DIFFERS
    return Verdict(kind, f"exact for the load factor, the least c that paths can have; paths by RP have c = {words} for N = 16 to "
                   "4096, where sqrt(N)/2 = 2, 4, 8, 16, 32")


@counted
def worst_permutation() -> Verdict:
    """Channels of level l: 4^l processors, 2^l links."""
    good = [max(min(4 ** l, 4 ** n - 4 ** l) / 2 ** l for l in range(n)) == 2 ** n / 2 for n in range(2, 11)]
    return verdict(sum(good), len(good), "of the load factor: no channel can have more of a permutation, N = 16 to 4^10")


@counted
def buffers() -> Verdict:
    return Verdict(AGREES, "32 flits against 2")


# -- figure 2, UNIV ---------------------------------------------------------------------------------

DISTINCT = {"STORE below UNIV": ("--discipline store --delay-range {log}", "--discipline univ --depth 1"),
            "WORM below STORE": ("", "--discipline store"),
            "STORE: RP below FP": ("--discipline store", "--discipline store --path fp"),
            "WORM: RP below FP": ("", "--path fp"),
            "STORE: RR below FO": ("--discipline store", "--discipline store --scan fo"),
            "WORM: RR below FO": ("", "--scan fo"),
            "WORM below SPLIT RP-FO": ("", "--discipline split --scan fo"),
            "SPLIT RP-RR below WORM": ("--discipline split", "")}


@run
def bars() -> Verdict:
    """Little: by less than half of the shorter half-width."""
    words, good, of = [], 0, 0
    for name, pair in DISTINCT.items():
        apart = []
        for n in SIZES:
            one, other = (last(f"--nodes {n} --runs {GO_RUNS} {p.format(log=round(math.log2(n)))}") for p in pair)
            if one.high - other.low < min(one.half, other.half) / 2:
                apart.append(n)
        good += len(apart)
        of += len(SIZES)
        if len(apart) < len(SIZES):
            words.append(f"{name} only at N = {', '.join(map(str, apart)) or 'none'}")
    return verdict(good, of, f"in {good} of {of} cells of random: " + "; ".join(words))


@run
def univ_bound() -> Verdict:
    """Packet-steps against c + log N; how they grow with it, queue by queue."""
    words, fits = [], []
    for depth in (1, 2, 16):
        terms, took = [], []
        for n, pattern in itertools.product(SIZES, ("random", "complement")):
            row = point(f"--nodes {n} --discipline univ --depth {depth} --pattern {pattern} --runs {20 if n > 1000 else 100}")
            terms.append(row["congestion_mean"] + math.log2(n))
            took.append(row["last_arrival_mean"] / 32)
        fits.append(growth(terms, took))
        words.append(f"q = {depth}: {span((b / a for a, b in zip(terms, took)), 1)} times, exponent {show(fits[-1], places=2)}")
    good = sum(map(bounded, fits))
    return Verdict(AGREES if good == len(fits) else PART if bounded(fits[-1]) else DIFFERS, "random and complement, " + "; ".join(words))


@run
def equal_queues() -> Verdict:
    """Beyond the intervals."""
    cells, less = 0, []
    for n, pattern, depth in itertools.product((16, 64, 256, 1024), ("random", "complement", "many-to-1"), (1, 2, 4, 16)):
        runs = 5 if pattern == "many-to-1" and n > 64 else 30
        one, other = (last(f"--nodes {n} --pattern {pattern} --depth {depth} --runs {runs} --discipline {how}")
                      for how in (f"store --delay-range {round(math.log2(n))}", "univ"))
        cells += 1
        if not one.high < other.low:
            less.append(f"{pattern}, N = {n}, q = {depth}")
    return verdict(cells - len(less), cells, f"{cells - len(less)} of {cells} cells, three patterns, q = 1, 2, 4, 16, N = 16 to 1024, R = log N for both" + (
        f"; not at {'; '.join(less)}" if less else ""))


# -- delays, lengths, queues ------------------------------------------------------------------------


def delay_gains(patterns: tuple[str, ...]) -> dict[str, Value]:
    """The best gain of a range of initial delays, by case."""
    best = {}
    for how, pattern, n in itertools.product(("store", "worm"), patterns, (64, 256, 1024)):
        base = at(n, f"--discipline {how} --pattern {pattern}")
        gains = [gain(at(n, f"--discipline {how} --pattern {pattern} --delay-range {r}"), base) for r in (2, 4, 8, 16)]
        best[f"{how.upper()} {pattern}, N = {n}"] = max(gains, key=lambda v: v.low)
    return best


@run
def delays_of_other_patterns() -> Verdict:
    best = delay_gains(("complement", "many-to-1"))
    most = max(best, key=lambda k: best[k].mean)
    return Verdict(AGREES if best[most].mean < 10 else DIFFERS,
                   f"of R = 2, 4, 8, 16 the best gains {show(best[most], ' %', 1)}: {most}")


@run
def delays_can_help() -> Verdict:
    best = delay_gains(("random", "complement", "many-to-1"))
    helps = [f"{k} by {show(v, ' %', 1)}" for k, v in best.items() if v.low > 0]
    return Verdict(AGREES if helps else DIFFERS, "; ".join(helps) if helps else
                   f"in none of {len(best)} cases with R = 2, 4, 8 or 16")


@run
def linear_elsewhere() -> Verdict:
    worst = 0.0
    for how, pattern in itertools.product(("store", "worm"), ("complement", "many-to-1")):
        lengths = (8, 16, 32, 64, 128, 256)
        y = [last(f"--nodes 256 --discipline {how} --pattern {pattern} --length {x} --runs 100").mean for x in lengths]
        worst = max(worst, 1 - line_fit(list(lengths), y)[3])
    return Verdict(AGREES if worst < 1e-3 else DIFFERS, f"N = 256, L = 8 to 256: 1 - R² is at most {worst:.1e} in 4 series")


@quick
def store_depth() -> Verdict:
    rows = {k: v for k, v in columns("Queues, static").items() if k.startswith("STORE")}
    gains = [gain(min((value(v) for v in r.values()), key=lambda v: v.mean), value(r["q = 1"])) for r in rows.values()]
    return verdict(sum(g.low > 0 for g in gains), len(gains), f"by {span((g.mean for g in gains), 0)} %: more than somewhat")


# -- figures 3 to 5 ---------------------------------------------------------------------------------


@run
def figure_3_scans() -> Verdict:
    words, good, of = [], 0, 0
    for how, scan in itertools.product(("store", "worm"), ("fo", "ff")):
        more = []
        for n, path in itertools.product(SIZES, ("rp", "gp")):
            base = f"--discipline {how} --scan {scan}"
            more.append(over(at(n, f"{base} --path fp"), at(n, f"{base} --path {path}")))
        good += sum(v.low > 0 for v in more)
        of += len(more)
        words.append(f"{how.upper()} {scan.upper()} {span((v.mean for v in more), 0)} %")
    return verdict(good, of, f"FP above RP and GP, N = 16 to 4096: {'; '.join(words)}; {good} of {of} beyond their intervals")


@quick
def rp_is_best() -> Verdict:
    better, worse = [], []
    for name, row in columns("GO figure 3: path selection").items():
        rp, gp = value(row["RP"]), value(row["GP"])
        (worse if gp.high < rp.low else better if rp.high < gp.low else []).append(f"{name} by {abs(over(gp, rp).mean):.1f} %")
    return Verdict(AGREES if not worse else PART if better else DIFFERS,
                   f"RP beats GP at {'; '.join(better) or 'none'}; GP beats RP at {'; '.join(worse) or 'none'}; FP is behind everywhere; "
                   "intervals apart")


@quick
def split_sensitive() -> Verdict:
    rows = columns("GO figure 5: WORM and SPLIT").values()
    more = [over(value(r["SPLIT RP-FO"]), value(r["SPLIT RP-RR"])).mean for r in rows]
    return Verdict(AGREES if min(more) > 10 else DIFFERS, f"RP-FO is {span(more, 0)} % above RP-RR")


@run
def store_gp_ff() -> Verdict:
    """Not observed for STORE: GP-FF beats RP-FO for all N."""
    gains = {}
    for n in SIZES:
        one, other = (last(f"--nodes {n} --discipline store --path {how} --runs {10000 if n == 16 else runs_of(n)}")
                      for how in ("gp --scan ff", "rp --scan fo"))
        gains[n] = gain(one, other)
    wins = [n for n, v in gains.items() if v.low > 0]
    words = "; ".join(f"N = {n}: {show(v, ' %', 1)}" for n, v in gains.items())
    return Verdict(DIFFERS if wins else AGREES, f"STORE GP-FF is below RP-FO by {words}" + (
        f": STORE shows it, too, at N = {', '.join(map(str, wins))}" if wins else ""))


# -- table II ---------------------------------------------------------------------------------------


def table_2(theirs: str, ours: str) -> Verdict:
    """GO's means of 30 runs, against ours of 10 experiments of so many runs: in standard errors of 30 runs."""
    runs = {"16": 1000, "64": 1000, "256": 1000, "1024": 300, "4096": 100}
    found = []
    for n, row in columns("GO table II").items():
        mean = value(row[ours])
        spread = mean.half / student(0.005, 9) * math.sqrt(10 * runs[n])
        off = abs(float(row[theirs]) - mean.mean)
        rounding = 0.05
        found.append(max(0.0, off - rounding) / (spread / math.sqrt(GO_RUNS)))
    limit = student(0.005, GO_RUNS - 1)
    return verdict(sum(t <= limit for t in found), len(found), f"{', '.join(f'{t:.1f}' for t in found)} standard errors of 30 runs for N = 16 "
                   "to 4096")


@quick
def table_2_c() -> Verdict:
    return table_2("c, GO", "c, ours")


@quick
def table_2_latency() -> Verdict:
    return table_2("latency / c, GO", "latency / c, ours")


@quick
def below_corollary_6() -> Verdict:
    ratios = [value(r["latency / c, ours"]).mean / (32 * math.log2(int(n)) ** 2) for n, r in columns("GO table II").items()]
    return Verdict(AGREES if all(r < 1 for r in ratios) and ratios[-1] < ratios[0] else DIFFERS,
                   f"{ratios[0]:.3f} of c L log² P at N = 16, {ratios[-1]:.3f} at N = 4096")


@quick
def near_lower_bound() -> Verdict:
    ratios = []
    for n, r in columns("GO table II").items():
        c = value(r["c, ours"]).mean
        ratios.append(value(r["latency / c, ours"]).mean * c / (c * 32 + math.log2(int(n))))
    return Verdict(AGREES if max(ratios) < 2 else DIFFERS, f"{', '.join(f'{r:.2f}' for r in ratios)} times cL + d for N = 16 to 4096")
