# SPDX-License-Identifier: Apache-2.0
"""paper_leighton.py - the chapter of scripts/paper/paper.py about greedy routing on the butterfly
(L = Leighton 1992, 3.4)."""

from __future__ import annotations

from typing import Any

from lib.markdown import table
from paper_page import Page
from paper_tools import Curve, Panel, Row, Sweep, Value, latency, listing, show


def log2(n: float) -> int:
    return int(n).bit_length() - 1


def bound(n: float) -> int:
    """Steps that the proof of theorem 3.22 allows: log N, and on each level the other paths that may
    share an edge (cmodel/theory/leighton.c)."""
    levels = log2(n)
    return levels + sum(2 ** min(i - 1, levels - i) - 1 for i in range(1, levels + 1))


def reversal(n: float) -> int:
    return 2 ** ((log2(n) - 1) // 2) + log2(n) - 1


def steps(row: Row) -> Value:
    """A run's last arrival is counted from 0."""
    found = latency(row)
    return Value(found.mean + 1, found.half)


def most_steps(row: Row) -> float:
    """Of the slowest of its runs."""
    return row["last_arrival_max"] + 1


def free(sweep: Sweep, **where: Any) -> list[Row]:
    return sweep.all(depth="unbounded", **where)


def exact(page: Page, sweep: Sweep) -> None:
    """Bit reversal with odd log N, all of them."""
    rows, equal = [], True
    for row in free(sweep, pattern="bit-reversal"):
        n, ours = row["nodes"], steps(row).mean
        if log2(n) % 2 == 0:
            continue
        good = ours == reversal(n) and row["congestion_mean"] == 2 ** ((log2(n) - 1) // 2)
        equal = equal and good
        other = steps(free(sweep, pattern="transpose", nodes=n)[0]).mean
        rows.append([f"{n:.0f}", log2(n), f"{reversal(n)}", f"{ours:.0f}",
                     "equal" if good else "**differs**", f"{row['congestion_mean']:.0f}",
                     f"{other:.0f}", f"{bound(n)}", f"`{row['digest']}`"])
    page.add(table(["N", "log N", "√(N/2) + log N − 1", "bit-reversal, steps", "verdict",
                    "paths over one edge", "transpose, steps", "bound of theorem 3.22", "digest"],
                   rows))
    page.judge("bit-reversal takes exactly √(N/2) + log N − 1 steps, log N odd", "L 3.4.2",
               f"equal for log N = {rows[0][1]}, {rows[1][1]}, .., {rows[-1][1]}" if equal
               else "see its table", "agrees" if equal else "**differs**")


def bounded_by(page: Page, sweep: Sweep) -> None:
    one_to_one = [r for r in free(sweep, topology="butterfly")
                  if r["pattern"] in ("bit-reversal", "transpose", "random-permutation",
                                      "spreading", "packing", "monotone")]
    over = [r for r in one_to_one if most_steps(r) > bound(r["nodes"])]
    worst = max(one_to_one, key=lambda r: most_steps(r) / bound(r["nodes"]) * (r["nodes"] > 1000))
    share = 100 * most_steps(worst) / bound(worst["nodes"])
    found = f"{len(over)} of {len(one_to_one)} points take more" if over else f"none of {sum(int(r['runs']) for r in one_to_one)} runs"
    page.judge("no one-to-one problem takes more than log N + Σ (n_i − 1) steps, O(√N)",
               "L theorem 3.22",
               f"{found}; beyond N = 1000 at most {share:.0f} % of it "
               f"({worst['pattern']}, N = {worst['nodes']:.0f}); tb/unit/test_leighton.c: all 8! "
               "permutations of 8 rows, random ones, and the worst that a search finds",
               "**differs**" if over else "agrees")


def random_problems(page: Page, sweep: Sweep) -> None:
    rows, above = [], []
    for row in free(sweep, pattern="random-permutation"):
        n, ours = row["nodes"], steps(row)
        found = free(sweep, pattern="random", nodes=n)
        above.append(ours.mean / log2(n))
        rows.append([f"{n:.0f}", log2(n), show(ours), f"{above[-1]:.2f}",
                     f"{row['congestion_mean']:.1f}", show(steps(found[0])) if found else ""])
    page.add("Random problems take little more than log N steps:",
             table(["N", "log N", "random permutation, steps", "/ log N", "paths over one edge",
                    "random destinations, steps"], rows))
    page.judge("most permutations take log N + o(log N) steps", "L 3.4.2",
               f"random ones {min(above):.2f} to {max(above):.2f} log N, {above[-1]:.2f} at N = "
               f"{rows[-1][0]}",
               "agrees as far as it goes: whether the excess is o(log N) these N do not show"
               if max(above) < 2 else "**differs**")


def orders(page: Page, sweep: Sweep) -> None:
    """Spreading forwards and packing backwards never wait."""
    rows, clean = [], True
    kinds = [("butterfly", "spreading"), ("reverse-butterfly", "packing"), ("butterfly", "packing"),
             ("butterfly", "monotone")]
    for n in sweep.values("nodes", topology="reverse-butterfly"):
        cells = [free(sweep, topology=t, pattern=p, nodes=n)[0] for t, p in kinds]
        clean = clean and all(steps(c).mean == log2(n) and steps(c).half == 0 and
                              c["congestion_mean"] == 1 for c in cells[:2])
        rows.append([f"{n:.0f}", log2(n)] + [show(steps(c)) for c in cells])
    page.add("Half of the rows send, and keep their order. L's 3.4.3 is not among the sources, so "
             "which way is worked out here. Let two packets from rows a distance u apart go to rows v "
             "apart. On levels that take the most significant bit first they share a node only if "
             "v < 2^k ≤ u for some k: never if they spread, v ≥ u. From level log N to level 0, "
             "least significant bit first, only if u < 2^k ≤ v: never if they pack. So a monotone "
             "problem packs one way and spreads the other, 2 log N steps without a queue "
             "(tb/unit/test_leighton.c does so for random ones); in one pass some wait.",
             table(["N", "log N", "spreading", "packing, log N to 0", "packing, 0 to log N",
                    "monotone, one pass"], rows))
    page.judge("spreading and packing take log N steps, none waits", "L 3.4, 3.4.3",
               "exactly, packing from level log N to level 0" if clean else "see its table",
               "agrees" if clean else "**differs**")


def depths(page: Page, sweep: Sweep) -> None:
    """Bounded queues: one packet a queue halves what the middle carries."""
    kept = sorted(d for d in sweep.values("depth") if d != "unbounded")
    sizes = sweep.values("nodes", depth=kept[0])
    rows = []
    for n in sizes:
        cells = [steps(sweep.one(nodes=n, depth=d, pattern="bit-reversal")).mean for d in kept]
        rows.append([f"{n:.0f}"] + [f"{c:.0f}" for c in cells] + [f"{reversal(n)}"])
    twice = all(float(r[1]) == 2 * reversal(float(r[0])) - log2(float(r[0])) for r in rows)
    same = all(set(r[2:-1]) == {r[-1]} for r in rows)
    page.add("With queues of q packets, where one moves only if the next queue had room when the step "
             "began, bit-reversal takes, in steps:",
             table(["N"] + [f"q = {d:.0f}" for d in kept] + ["unbounded"], rows))
    if twice and same:
        page.add("One packet a queue leaves every other step to a link: 2 √(N/2) + log N − 2. "
                 f"{listing([f'q = {d:.0f}' for d in kept[1:]])} cost nothing here.")


def plot(page: Page, sweep: Sweep) -> None:
    sizes = [r["nodes"] for r in free(sweep, pattern="bit-reversal")]
    odd = [n for n in sizes if log2(n) % 2]
    line = {name: [(r["nodes"], steps(r).mean, steps(r).half) for r in free(sweep, pattern=name)]
            for name in ("bit-reversal", "transpose", "random-permutation")}
    curves = [Curve("bit-reversal", [p[:2] for p in line["bit-reversal"]]),
              Curve("transpose", [p[:2] for p in line["transpose"]]),
              Curve("random permutation", line["random-permutation"]),
              Curve("bound of theorem 3.22", [(n, bound(n)) for n in sizes], style=4, model=True),
              Curve("√(N/2) + log N − 1", [(n, reversal(n)) for n in odd], style=0, dash=True,
                    model=True),
              Curve("log N", [(n, log2(n)) for n in sizes], style=2, dash=True, model=True)]
    ticks = [(f"2^{{{k}}}", 2 ** k) for k in range(3, 20, 2)]
    page.plot("leighton", "steps of greedy routing against N",
              [Panel("One packet a row through the butterfly", "rows N", "steps", curves, log="xy",
                     base={"x": 2}, ticks=ticks, xrange="6:800000", yrange="2:3000")])


def leighton(page: Page) -> None:
    sweep, before = page.sweep("leighton"), len(page.verdicts)
    page.add("## L: greedy routing on the butterfly",
             "One packet of one flit starts in each row at level 0 of the log N-dimensional butterfly "
             "and follows its greedy path; a link takes one packet a step, queues are unbounded and "
             "first come, first served (L 3.4.1, 3.4.2). Steps are `cycles` of a run.")
    exact(page, sweep)
    bounded_by(page, sweep)
    plot(page, sweep)
    random_problems(page, sweep)
    orders(page, sweep)
    depths(page, sweep)
    page.add(table(["statement", "source", "ours", "verdict"], page.verdicts[before:]))
