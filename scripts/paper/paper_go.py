# SPDX-License-Identifier: Apache-2.0
"""paper_go.py - the chapters of scripts/paper/paper.py about GO: Greenberg and Oh 1997.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any

from lib.markdown import table
from paper_page import (EXACT, GO_POWER, GO_RUNS, NAMES, SIZES, TABLE_1, TABLE_2, Page, per_size,
                        sizes_of, ticks)
from paper_tools import (Curve, Panel, Sweep, Value, deviation, gain, latency, line_fit, listing, mean_of,
                         over, power_fit, power_fit_logs, show, student)


# -- 1. GO table I --------------------------------------------------------------------------------

def table_1(page: Page) -> None:
    """30 cells, as GO made them and with many runs."""
    own, many = page.sweep("table1"), page.sweep("many-runs")
    rows, agree, close, cells, scores = [], 0, 0, 0, {}
    for (discipline, pattern), theirs in TABLE_1.items():
        for n, go in zip(SIZES, theirs):
            found = own.all(nodes=n, discipline=discipline, pattern=pattern)
            if not found:
                continue
            ours = latency(found[0])
            cells += 1
            if pattern == EXACT:
                good = ours.mean == go and ours.half == 0
                verdict = "equal" if good else f"**differs** by {ours.mean - go:+.0f}"
                tight = score = ""
                near = good
            else:
                good = abs(ours.mean - go) <= math.sqrt(2) * ours.half
                off = 100 * (ours.mean / go - 1)
                verdict = "agrees" if good else f"**differs** by {off:+.1f} %"
                row = many.one(nodes=n, discipline=discipline, pattern=pattern)
                precise = latency(row)
                sigma = deviation(precise, row["runs"])
                z = (go - precise.mean) / (sigma * math.sqrt(1 / GO_RUNS + 1 / row["runs"]))
                near = abs(z) <= student(0.005, GO_RUNS - 1)
                scores[discipline, pattern, n] = z
                tight = f"{show(precise)} ({row['runs']:.0f})"
                score = f"{z:+.1f}" if near else f"**{z:+.1f}**"
            agree += good
            close += near
            rows.append([NAMES[discipline], pattern, n, go, show(ours), verdict, tight, score,
                         f"`{found[0]['digest']}`"])
    page.add(
        "## GO table I",
        "Mean latency in flit-steps, L = 32, R = 1, path RP, scan RR, q = 1 packet (STORE) or "
        "2 flits (WORM). *Agrees*: our mean of 30 runs is nearer to GO's than √2 times our "
        "half-width; GO print no interval, so theirs is taken to be as wide as ours. *Many "
        "runs* is our mean of so many runs (in brackets); *distance* is how far GO's mean is "
        f"from it, in standard errors of a mean of {GO_RUNS} runs. A cell of many-to-1 has no "
        "randomness in it and must be equal.",
        table(["discipline", "pattern", "N", "GO", "ours, 30 runs", "verdict", "many runs",
               "distance", "digest (30 runs)"], rows),
        f"**{agree} of {cells} cells agree at {GO_RUNS} runs, {close} with many runs**: those "
        "whose "
        f"distance is at most {student(0.005, GO_RUNS - 1):.2f} (99 %); a cell that differs at "
        f"{GO_RUNS} runs alone is chance in ours. "
        + together(scores))
    page.judge("the 30 cells of table I", "GO table I",
               f"{close} of {cells} with many runs, {agree} with {GO_RUNS}",
               "agrees" if close == cells else
               f"differs in {cells - close}, see [the table](#go-table-i)")


def together(scores: dict[Any, float]) -> str:
    """Whether the distances are as large as chance makes them."""
    def total(cells: Collection[Any]) -> str:
        squares = math.fsum(scores[c] ** 2 for c in cells)
        return f"{squares:.1f}; chance alone gives {len(cells)} ± {math.sqrt(2 * len(cells)):.1f}"

    worst = max(scores, key=lambda c: abs(scores[c]))
    rest = [c for c in scores if c != worst]
    return (f"The squared distances of the {len(scores)} random cells add up to {total(scores)}. "
            f"Without the worst cell, {NAMES[worst[0]]} {worst[1]} at N = {worst[2]}, the other "
            f"{len(rest)} add up to {total(rest)}.")


def open_cell(page: Page) -> None:
    """The cell of table I that the plain reading does not give."""
    if not page.has("start"):
        return
    start, many = page.sweep("start"), page.sweep("many-runs")
    rows = []
    worst = 0.0
    for pattern in ("random", "complement"):
        for n, go in zip(SIZES, TABLE_1["store", pattern]):
            line = [pattern, n, go]
            for sweep in (many, start):
                row = sweep.one(discipline="store", pattern=pattern, nodes=n)
                v = latency(row)
                error = deviation(v, row["runs"]) * math.sqrt(1 / GO_RUNS + 1 / row["runs"])
                z = (go - v.mean) / error
                line += [show(v), f"{z:+.1f}"]
            worst = max(worst, abs(z))
            rows.append(line)
    exact = all(start.one(pattern=EXACT, nodes=n)["last_arrival_mean"] == go
                for n, go in zip(SIZES, TABLE_1["store", EXACT]))
    any_cell = latency(many.one(discipline="store", pattern="complement", nodes=4096))
    new_cell = latency(start.one(pattern="complement", nodes=4096))
    go = TABLE_1["store", "complement"][-1]
    page.add(
        "### STORE complement, N = 4096",
        f"GO print {go}; the reading of GO III.B.2 that the switch follows gives "
        f"{show(any_cell)}, {100 * (any_cell.mean / go - 1):.1f} % more. GO's random scan "
        "\"selects the first incoming link randomly\": drawn among all inputs, empty ones "
        "included (`--start any`, as in the hardware, where the start port comes from a "
        "register), the scan passes the turns of empty inputs to their neighbour. Drawn among "
        f"the inputs that hold a packet (`--start waiting`), it gives {show(new_cell)}. That "
        f"reading gives all ten cells, the largest distance is {worst:.1f} standard errors, and "
        f"many-to-1 is {'still exact' if exact else 'NOT exact'}:",
        table(["pattern", "N", "GO", "start any", "distance", "start waiting", "distance"], rows),
        "It is a likely answer, no proof: some 60 readings were tried (order of the nodes, of "
        "inputs and ports, draws of parents, random number generators of the time), see "
        "[readings.md](readings.md). What they show is that the other parts of the reading are "
        "needed: from the roots to the leaves, a parent drawn anew in each step, a queue of q "
        "packets at the processor.")


# -- 2. GO table II -------------------------------------------------------------------------------

def chance_of_power(sweep: Sweep, sizes: Sequence[int], x: Sequence[float], means: Sequence[float]) -> float:
    """Half of the 99 % interval of p where each point is of 30 runs, as GO's are."""
    p, variance = power_fit(x, means)[1], 0.0
    for k, n in enumerate(sizes):
        every = sweep.all(nodes=n)
        error = deviation(mean_of([r["latency_per_congestion"] for r in every]), len(every)) * math.sqrt(every[0]["runs"] / GO_RUNS)
        moved = [m + error * (j == k) for j, m in enumerate(means)]
        variance += (power_fit(x, moved)[1] - p) ** 2
    return student(0.005, GO_RUNS - 1) * math.sqrt(variance)


def table_2(page: Page) -> None:
    sweep = page.sweep("table2")
    seeds = sweep.values("seed")
    sizes = sizes_of(sweep)
    rows, means, bars = [], [], []
    for n, (c, ratio) in zip(sizes, TABLE_2):
        points = sweep.all(nodes=n)
        ours_c = mean_of([p["congestion_mean"] for p in points])
        ours = mean_of([p["latency_per_congestion"] for p in points])
        means.append(ours.mean)
        bars.append((n, ours.mean, ours.half))
        rows.append([n, c, show(ours_c), ratio, show(ours),
                     f"{100 * (ratio / ours.mean - 1):+.1f} %"])
    page.add(
        "## GO table II",
        f"WORM, RP, RR, random, L = 32. Ours: {len(seeds)} experiments that differ in the seed "
        f"alone, each of {listing(dict.fromkeys(int(p['runs']) for p in sweep.rows))} runs, "
        "largest networks last; intervals over the experiments.",
        table(["N", "c, GO", "c, ours", "latency / c, GO", "latency / c, ours", "GO above ours"],
              rows))
    if len(sizes) < 3:
        return
    x = [math.log(n, 4) for n in sizes]
    theirs = [r for _, r in TABLE_2[:len(sizes)]]
    fits = [("by least squares", power_fit), ("by least squares of the logarithms", power_fit_logs)]
    rows = []
    for name, fit in fits:
        k, p, error = fit(x, means)
        each = mean_of([fit(x, [sweep.one(nodes=n, seed=s)["latency_per_congestion"]
                                for n in sizes])[1] for s in seeds])
        gk, gp, gerror = fit(x, theirs)
        rows.append([name, f"{k:.2f}", f"{p:.4f}", f"{error:.3f}", show(each), f"{gk:.2f}",
                     f"{gp:.4f}", f"{gerror:.3f}"])
        if fit is power_fit:
            chance = math.hypot(each.half, chance_of_power(sweep, sizes, x, means))
            page.judge("latency / c grows as k log4^p N, p about 0.22", "GO III.B.3",
                       f"p = {p:.3f}, standard error {error:.3f} (sampling alone: ± "
                       f"{each.half:.4f}); the same fit to GO's five points: {gp:.3f}, "
                       f"{gerror:.3f}; chance in GO's 30 runs and in ours: ± {chance:.3f}",
                       "agrees" if abs(p - GO_POWER) <= chance else f"differs by {p - GO_POWER:+.3f}")
    page.add(
        "Fit of latency / c to k·log4^p N. The standard error of p is that of the regression: "
        "how far the points are from any such curve. The interval next to it is what chance "
        "does to p, from fits to each experiment alone.",
        table(["fit", "k", "p", "standard error", "p over the experiments", "k of GO's points",
               "p of GO's points", "standard error"], rows))
    kept = fits[0][1](x, means)
    page.plot("table2", "latency / c against N", [Panel(
        "WORM, RP, RR, random, L = 32", "N, processors", "latency / c, flit-steps",
        [Curve("GO, table II", list(zip(sizes, theirs)), style=1),
         Curve("ours", bars, style=0),
         Curve(f"{kept[0]:.1f} log_4^{{{kept[1]:.2f}}} N",
               [(4 ** (e / 8), kept[0] * (e / 8) ** kept[1]) for e in range(16, 49)], style=4,
               model=True, dash=True)],
        log="x", ticks=ticks(sizes), xrange="12:5500", points_only=True)])


# -- 3. GO figures --------------------------------------------------------------------------------

def series(sweep: Sweep, sizes: Sequence[int], base: Any = None, **where: Any) -> list[tuple[float, ...]]:
    """(N, latency, half-width), or in percent above another series."""
    points: list[tuple[float, ...]] = []
    for n in sizes:
        v = latency(sweep.one(nodes=n, **where))
        if base:
            v = over(v, base[n])
        points.append((n, v.mean, v.half))
    return points


def figure_2(page: Page) -> None:
    sweep = page.sweep("univ")
    sizes = sizes_of(sweep)
    where = {"pattern": "random"}
    page.add("## GO figure 2: STORE and UNIV",
             "STORE with RP, RR, and UNIV; random, R = log2 N for both: initial delays of "
             "STORE, ranks of UNIV. GO do not say how many packets UNIV's queues hold.")
    curves = [Curve("STORE, q = 1", series(sweep, sizes, discipline="store", depth=1, **where), 0),
              Curve("UNIV, q = 1", series(sweep, sizes, discipline="univ", depth=1, **where), 1),
              Curve("UNIV, q = 2", series(sweep, sizes, discipline="univ", depth=2, **where), 2)]
    page.plot("figure2", "latency of STORE and UNIV against N", [Panel(
        "random, L = 32, R = log_2 N", "N, processors", "latency, flit-steps", curves, log="xy",
        ticks=ticks(sizes), xrange="12:5500", yrange="200:20000")])
    rows, worse = [], []
    for pattern in ("random", "complement", EXACT):
        for n in sizes:
            store = latency(sweep.one(nodes=n, discipline="store", depth=1, pattern=pattern))
            line = [pattern, n, show(store)]
            for q in (1, 2):
                univ = latency(sweep.one(nodes=n, discipline="univ", depth=q, pattern=pattern))
                by = over(univ, store)
                line += [show(univ), show(by, " %", 1)]
                if by.low <= 0:
                    worse.append((pattern, n, q))
            rows.append(line)
    page.add(table(["pattern", "N", "STORE, q = 1", "UNIV, q = 1", "above STORE", "UNIV, q = 2",
                    "above STORE"], rows))
    one = [w for w in worse if w[2] == 1]
    two = [w for w in worse if w[2] == 2]
    which = listing(dict.fromkeys(w[0] for w in two)) if two else ""
    where_two = f"; with q = 2 in all but {len(two)} ({which})" \
        if two else ", and with q = 2, too"
    page.judge("STORE beats UNIV in all patterns", "GO III.B.3, figure 2",
               f"equal queues (q = 1): STORE is faster in {len(rows) - len(one)} of {len(rows)} "
               f"cells{where_two}", "agrees" if not one else f"differs in {len(one)} cells")


def selection_panels(sweep: Sweep, sizes: Sequence[int], what: str, values: Sequence[str], fixed: dict[str, Any], base: str, title: str) -> list[Panel]:
    """Latencies and, beside them, percent above the base: differences of some percent cannot be
    seen on a logarithmic scale."""
    left, right = [], []
    for d, discipline in enumerate(("store", "worm")):
        for k, value in enumerate(values):
            where = {"discipline": discipline, "pattern": "random", what: value, **fixed}
            name = f"{NAMES[discipline]} {value.upper()}"
            basis = {n: latency(sweep.one(nodes=n, discipline=discipline, pattern="random",
                                          **fixed, **{what: base})) for n in sizes}
            left.append(Curve(name, series(sweep, sizes, **where), k, dash=d == 0))
            points = series(sweep, sizes, base=basis, **where)
            if value == base:
                points = [(n, 0.0) for n in sizes]
            right.append(Curve(name, points, k, dash=d == 0))
    return [Panel(title, "N, processors", "latency, flit-steps", left, log="xy", ticks=ticks(sizes),
                  xrange="12:5500"),
            Panel(f"difference to {base.upper()}", "N, processors", "latency above "
                                                                    f"{base.upper()}, %",
                  right, log="x", ticks=ticks(sizes), xrange="12:5500")]


def figures_3_4(page: Page) -> None:
    sweep = page.sweep("selection")
    sizes = sizes_of(sweep)
    page.add("## GO figure 3: path selection",
             "Random, L = 32, scan RR; STORE with q = 1 packet, WORM with q = 2 flits. FP: "
             "fixed path, RP: random parent, GP: first free parent.")
    page.plot("figure3", "latency by path selection", selection_panels(
        sweep, sizes, "path", ["fp", "rp", "gp"], {"scan": "rr"}, "rp", "scan RR, random"))
    page.add(selection_table(sweep, sizes, "path", ["fp", "rp", "gp"], {"scan": "rr"}))
    page.add("## GO figure 4: scan", "Random, L = 32, path RP. RR: random start, FO: fixed "
                                     "order, FF: "
             "farthest first.")
    page.plot("figure4", "latency by scan", selection_panels(
        sweep, sizes, "scan", ["rr", "fo", "ff"], {"path": "rp"}, "rr", "path RP, random"))
    page.add(selection_table(sweep, sizes, "scan", ["rr", "fo", "ff"], {"path": "rp"}))
    claims_of_selection(page, sweep, sizes)


def selection_table(sweep: Sweep, sizes: Sequence[int], what: str, values: Sequence[str], fixed: dict[str, Any]) -> str:
    rows = []
    for discipline in ("store", "worm"):
        for n in sizes:
            rows.append([NAMES[discipline], n] + [
                show(latency(sweep.one(discipline=discipline, pattern="random", nodes=n,
                                       **{what: v}, **fixed))) for v in values])
    return table(["discipline", "N"] + [v.upper() for v in values], rows)


def beyond_range(v: Value, runs: float, low: float, high: float) -> float:
    """How far v is outside a range that GO print: 0 if whole numbers and the chance in 30 runs of
    theirs and so many of ours explain it."""
    slack = 0.5 + v.half * math.sqrt(1 + runs / GO_RUNS)
    if low - slack <= v.mean <= high + slack:
        return 0.0
    return v.mean - (low if v.mean < low else high)


def claims_of_selection(page: Page, sweep: Sweep, sizes: Sequence[int]) -> None:
    def at(discipline: str, path: str, scan: str, n: int, pattern: str = "random") -> Value:
        return latency(sweep.one(discipline=discipline, path=path, scan=scan, nodes=n,
                                 pattern=pattern))

    runs = {n: sweep.all(nodes=n)[0]["runs"] for n in sizes}
    for discipline in ("store", "worm"):
        name = NAMES[discipline]
        by = [(n, over(at(discipline, "fp", "rr", n), at(discipline, p, "rr", n)))
              for p in ("rp", "gp") for n in sizes]
        half = len(sizes)
        bad = [n for n, v in by if v.low <= 0]
        page.judge(f"{name}: adaptive paths beat FP by far", "GO III.B.3, figure 3",
                   f"FP above RP: {per_size(by[:half])}. FP above GP: {per_size(by[half:])}",
                   "agrees" if not bad else f"differs at N = {listing(sorted(set(bad)))}")
    for discipline in ("store", "worm"):
        by = [(n, gain(at(discipline, "rp", "rr", n), at(discipline, "rp", "fo", n)))
              for n in sizes]
        inside = [n for n, v in by if beyond_range(v, runs[n], 4, 8) == 0]
        outside = [n for n in sizes if n not in inside]
        page.judge(f"{NAMES[discipline]}: RR is 4 to 8 % below FO with RP, for most cases",
                   "GO III.B.3, figure 4",
                   per_size(by) + (f"; outside at N = {listing(outside)}" if outside else ""),
                   "agrees" if 2 * len(inside) > len(by) else "differs")
    for discipline in ("store", "worm"):
        fo, rr = ([(n, over(at(discipline, "rp", "ff", n), at(discipline, "rp", scan, n)))
                   for n in sizes] for scan in ("fo", "rr"))
        far = [n for n, v in fo if abs(v.mean) - v.half > 2]
        worst = max(fo, key=lambda p: abs(p[1].mean))
        page.judge(f"{NAMES[discipline]}: FF is near FO (here: within 2 %)", "GO III.B.3",
                   f"FF above FO: {per_size(fo)}. FF above RR: {per_size(rr)}",
                   "agrees" if not far else f"differs at N = {listing(far)}, by up to "
                   f"{worst[1].mean:.1f} % (N = {worst[0]}): our FF is near RR or better, not "
                   "near FO")
    for discipline, low, high in (("store", 5, 9), ("worm", 12, 15)):
        by = [(n, gain(at(discipline, "rp", "rr", n), at(discipline, "gp", "fo", n)))
              for n in sizes if n >= 1024]
        if not by:
            continue
        out = [(n, d) for n, d in ((n, beyond_range(v, runs[n], low, high)) for n, v in by) if d]
        page.judge(f"{NAMES[discipline]}: RP-RR is {low} to {high} % below GP-FO at N = 1024, 4096",
                   "GO III.B.3", per_size(by), "agrees" if not out else "differs by " + "; ".join(
                       f"{d:+.1f} points at N = {n}" for n, d in out))


def figure_5(page: Page) -> None:
    sweep, worm = page.sweep("split"), page.sweep("selection")
    sizes = sizes_of(sweep)

    def wormy(n: int) -> Value:
        return latency(worm.one(discipline="worm", path="rp", scan="rr", nodes=n, pattern="random"))

    def at(path: str, scan: str, n: int, depth: float = 2) -> Value:
        return latency(sweep.one(path=path, scan=scan, nodes=n, depth=depth))

    kinds = [("rp", "rr"), ("rp", "fo"), ("gp", "ff")]
    base = {n: wormy(n) for n in sizes}
    names = ["WORM RP-RR"] + [f"SPLIT {p.upper()}-{s.upper()}" for p, s in kinds]
    left = [Curve(names[0], [(n, v.mean, v.half) for n, v in base.items()], 0)]
    right = [Curve(names[0], [(n, 0.0) for n in sizes], 0)]
    for k, (p, s) in enumerate(kinds):
        left.append(Curve(names[k + 1],
                          [(n, at(p, s, n).mean, at(p, s, n).half) for n in sizes], k + 1))
        differences = [(n, over(at(p, s, n), base[n])) for n in sizes]
        right.append(Curve(names[k + 1], [(n, v.mean, v.half) for n, v in differences], k + 1))
    page.add("## GO figure 5: WORM and SPLIT",
             "Random, L = 32, q = 2 flits for both, no addressing overhead. SPLIT sends every "
             "flit as a packet of its own; GO do not print its q. With q = 1 a queue on the "
             "way down passes a flit every second cycle, because its node acts after the one "
             "above, and SPLIT takes about twice as long.")
    page.plot("figure5", "WORM and SPLIT", [
        Panel("random, no overhead", "N, processors", "latency, flit-steps", left, log="xy",
              ticks=ticks(sizes), xrange="12:5500"),
        Panel("difference to WORM RP-RR", "N, processors", "latency above WORM RP-RR, %", right,
              log="x", ticks=ticks(sizes), xrange="12:5500")])
    page.add(table(["N"] + names + ["SPLIT RP-RR, q = 1"],
                   [[n, show(base[n])] + [show(at(p, s, n)) for p, s in kinds] +
                    [show(at("rp", "rr", n, 1))] for n in sizes]))

    by = [(n, gain(at("gp", "ff", n), at("rp", "fo", n))) for n in sizes]
    bad = [n for n, v in by if v.low <= 0]
    page.judge("SPLIT GP-FF beats SPLIT RP-FO for all N", "GO III.B.3, figure 5", per_size(by),
               "agrees" if not bad else f"differs at N = {listing(bad)}")
    for path, scan in (("rp", "fo"), ("gp", "ff")):
        by = [(n, over(at(path, scan, n), base[n])) for n in sizes]
        below = [(n, v) for n, v in by if v.high < 0]
        level = [n for n, v in by if v.low <= 0 <= v.high]
        page.judge(f"WORM RP-RR beats SPLIT {path.upper()}-{scan.upper()}", "GO III.B.3, figure 5",
                   f"SPLIT above WORM: {per_size(by)}",
                   ("agrees" if not below else "differs: SPLIT is below WORM by " + ", ".join(
                       f"{-v.mean:.1f} % at N = {n}" for n, v in below)) +
                   (f"; no difference at N = {listing(level)}" if level else ""))
    by = [(n, gain(at("rp", "rr", n), base[n])) for n in sizes]
    bad = [n for n, v in by if v.high < 0]
    page.judge("SPLIT RP-RR is slightly below WORM RP-RR, without overhead", "GO III.B.3, figure 5",
               per_size(by), "agrees" if not bad else
               f"agrees but for N = {listing(bad)}, where WORM is ahead")
    overhead(page, worm)


def overhead(page: Page, worm: Any) -> None:
    if not page.has("overhead"):
        return
    sweep = page.sweep("overhead")
    sizes = sizes_of(sweep)
    curves, where = [], []
    for k, n in enumerate(sizes):
        base = latency(worm.one(discipline="worm", path="rp", scan="rr", nodes=n, pattern="random"))
        points = [(r["overhead"], over(latency(r), base)) for r in sweep.all(nodes=n)]
        curves.append(Curve(f"N = {n}", [(100 * x, v.mean, v.half) for x, v in points], k))
        crossing = None
        for (xa, a), (xb, b) in zip(points, points[1:]):
            if a.mean < 0 <= b.mean and crossing is None:
                crossing = xa + (xb - xa) * -a.mean / (b.mean - a.mean)
                slope = (b.mean - a.mean) / (xb - xa)
                where.append((n, Value(100 * crossing, 100 * max(a.half, b.half) / slope)))
    page.add("The overhead is the number of flits that addresses add to the 32 of a packet.")
    page.plot("overhead", "SPLIT with overhead against WORM", [Panel(
        "SPLIT RP-RR against WORM RP-RR", "addressing overhead, % of L", "latency above WORM, %",
        curves, levels=[0])])
    page.judge("a slight overhead makes WORM win over SPLIT RP-RR", "GO III.B.3",
               f"WORM wins from an overhead of {per_size(where)}",
               "agrees" if where and all(v.mean < 25 for _, v in where) else "differs")


# -- 4. GO's other statements ---------------------------------------------------------------------

def delays(page: Page) -> None:
    sweep = page.sweep("delays")
    rows, curves, text = [], [], []
    k = 0
    for discipline in ("store", "worm"):
        for n in sizes_of(sweep):
            points = sweep.all(discipline=discipline, nodes=n)
            base = latency(points[0])
            gains = [(int(p["delay_range"]), gain(latency(p), base)) for p in points]
            curves.append(Curve(f"{NAMES[discipline]}, N = {n}",
                                [(r, -v.mean, v.half if r > 1 else 0) for r, v in gains], k % 3,
                                dash=discipline == "store"))
            k += 1
            best = max(gains[1:], key=lambda g: g[1].mean)
            rows.append([NAMES[discipline], n, show(base), f"R = {best[0]}",
                         show(best[1], " %", 1)])
            text.append((discipline, n, best))
    page.add("## Initial delays",
             "Random, L = 32, RP, RR. Delays of 0 to R - 1 packet-steps (STORE) or times L "
             "log2 N cycles (WORM). The best of several R is a little flattered by chance.")
    page.plot("delays", "latency against the range of initial delays", [Panel(
        "random, L = 32", "R, range of initial delays", "latency above that without, %", curves,
        log="x",
        ticks=ticks([1, 2, 4, 8, 16, 32]), xrange="0.9:36", yrange="-10:60", levels=[0])])
    page.add(table(["discipline", "N", "R = 1", "best R > 1", "gain"], rows))
    most = max(b[2][1].mean for b in text)
    page.judge("initial delays gain little", "GO III.B.3", "; ".join(
        f"{NAMES[d]}, N = {n}: at best {show(b[1], ' %', 1)} (R = {b[0]})" for d, n, b in text),
        "agrees" if most < 10 else f"differs: up to {most:.1f} %")


def lengths(page: Page) -> None:
    sweep = page.sweep("lengths")
    rows, text, curves = [], [], []
    k = 0
    for discipline in ("store", "worm"):
        for n in sizes_of(sweep):
            points = [(int(p["length"]), latency(p))
                      for p in sweep.all(discipline=discipline, nodes=n)]
            d = 2 * math.log(n, 4)
            used = [(x, v.mean) for x, v in points if x >= d]
            a, b, error, r2 = line_fit([x for x, _ in used], [y for _, y in used])
            rows.append([NAMES[discipline], n, f"{used[0][0]} to {used[-1][0]}",
                         f"{a:.1f} + {b:.3f} L", f"{error:.3f}", f"{1 - r2:.1e}"])
            text.append(1 - r2)
            name = f"{NAMES[discipline]}, N = {n}"
            curves.append(Curve(name, [(x, v.mean / x, v.half / x) for x, v in points], k % 3,
                                dash=discipline == "store"))
            k += 1
    marks = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    page.add("## Length of worms", "Static, random, RP, RR; fits over the lengths L ≥ d.")
    page.plot("lengths", "latency against L", [Panel(
        "random", "L, flits", "latency / L", curves, log="xy", ticks=ticks(marks), xrange="0.8:320",
        yrange="5:100", yticks=[5, 10, 20, 50, 100])])
    page.add(table(["discipline", "N", "L", "fit of latency", "standard error of the slope", "1 "
                                                                                             "- "
                                                                                             "R²"],
                   rows))
    page.judge("latency grows linearly in L, L ≥ d", "GO III.B.3",
               f"1 - R² of straight lines is at most {max(text):.1e} in {len(text)} series",
               "agrees" if max(text) < 1e-3 else "differs")


def depths(page: Page) -> None:
    sweep = page.sweep("depths")
    sizes = sizes_of(sweep)
    gains, curves, store_best = [], [], []
    for k, n in enumerate(sizes):
        base = latency(sweep.one(discipline="worm", nodes=n, depth=2))
        for discipline in ("worm", "store"):
            points = [(int(p["depth"]), latency(p))
                      for p in sweep.all(discipline=discipline, nodes=n)]
            by = [(q, over(v, base)) for q, v in points]
            curves.append(Curve(
                f"{NAMES[discipline]}, N = {n}",
                [(q, v.mean, 0 if q == 2 and discipline == "worm" else v.half) for q, v in by], k,
                dash=discipline == "store"))
            if discipline == "worm":
                gains += [(n, q, gain(v, base)) for q, v in points if q > 2]
            else:
                store_best.append((n, min((v for _, v in by), key=lambda v: v.mean)))
    page.add("## Queues, static",
             "Random, L = 32, RP, RR: q flits (WORM), q packets (STORE).")
    marks = ticks([1, 2, 3, 4, 6, 8, 16])
    page.plot("depths", "latency against q", [
        Panel(title, what, "latency above WORM, q = 2, %", part, levels=[0], log="x", ticks=marks,
              xrange="0.9:18", yrange=where) for title, what, part, where in (
                  ("WORM, random (q = 1: see below)", "q, flits", curves[::2], "-14:4"),
                  ("STORE, random", "q, packets", curves[1::2], "0:140"))])
    page.add(table(["discipline", "N"] + [f"q = {q}" for q, _ in marks], [
        [NAMES[d], n] + [show(latency(sweep.one(discipline=d, nodes=n, depth=q))) for _, q in marks]
        for d in ("worm", "store") for n in sizes]))
    page.judge("WORM: queues above q = 2 gain little, random", "GO III.B.3", *little_gained(gains))
    bad = [n for n, v in store_best if v.low <= 0]
    page.judge("WORM with q = 2 beats STORE with queues of any size (here: up to 16 packets)",
               "GO III.B.3", f"best STORE above WORM: {per_size(store_best)}",
               "agrees" if not bad else f"differs at N = {listing(bad)}")


LITTLE = 10  # percent


def little_gained(gains: Sequence[tuple[int, int, Value]]) -> tuple[str, str]:
    """Ours and the verdict of what queues of q flits gain over two: [(N, q, gain)]."""
    by = {q: [(n, v) for n, k, v in gains if k == q] for q in sorted({q for _, q, _ in gains})}
    most = {q: max(pairs, key=lambda p: p[1].mean) for q, pairs in by.items()}
    ours = ". ".join(f"q = {q}: {per_size(pairs)}" for q, pairs in by.items())
    far = [q for q, (_, v) in most.items() if v.mean >= LITTLE]
    if not far:
        return ours, "agrees"
    q, (n, v) = max(most.items(), key=lambda m: m[1][1].mean)
    near = [k for k in by if k < far[0]]
    said = f"agrees up to q = {near[-1]} (at most {max(most[k][1].mean for k in near):.1f} %), " if near else ""
    return ours, f"{said}differs with q = {listing(far)}, by up to {v.mean:.1f} % (q = {q}, N = {n})"


def formulas(page: Page) -> None:
    sweep = page.sweep("table1")
    wrong = 0
    count = 0
    for r in sweep.all(pattern=EXACT):
        n, c, d = int(r["nodes"]), r["nodes"] / 2, 2 * math.log(r["nodes"], 4)
        want = c * 32 + round(d) - 2 if r["discipline"] == "worm" else 32 * (2 * c + round(d) - 3)
        wrong += (r["last_arrival_mean"], r["last_arrival_ci99"], r["congestion_mean"]) != (want, 0, n / 2)
        count += 1
    page.judge("many-to-1: cL + d - 2 cycles (WORM), 2c + d - 3 packet-steps (STORE), c = N/2",
               "spec 7, GO table I", f"{count - wrong} of {count} cells exactly",
               "agrees" if not wrong else "differs")
    every = [(p, n) for p in ("random", "complement", EXACT) for n in sizes_of(sweep)
             if sweep.all(nodes=n, pattern=p, discipline="worm")]
    bad = [(p, n) for p, n in every
           if latency(sweep.one(nodes=n, pattern=p, discipline="worm")).high
           >= latency(sweep.one(nodes=n, pattern=p, discipline="store")).low]
    page.judge("WORM beats STORE in all cases of table I", "GO III.B.3",
               f"{len(every) - len(bad)} of {len(every)}",
               "agrees" if not bad else f"differs: {bad}")


def statements(page: Page) -> None:
    page.add("## GO's statements",
             "Half-widths are 99 % intervals; a difference or a ratio takes its two points as "
             "independent. *Agrees* needs the whole interval on the side that GO say. A range that "
             f"GO print holds whole percents of means of {GO_RUNS} runs: ours agrees if it is no "
             "further from the range than rounding, our interval and the one of so few runs "
             "explain. \"x % below\" is 1 - a/b.",
             table(["statement", "source", "ours", "verdict"], page.verdicts))
