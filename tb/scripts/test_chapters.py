# SPDX-License-Identifier: Apache-2.0
"""test_chapters.py - chapters of docs/results.md and docs/readings-gg.md from made-up results: each number and each sentence that
depends on them, worked out once more from the same points."""
from __future__ import annotations

import itertools
import math
import pathlib
import random
import re
from typing import Any

import pytest

import paper
import paper_bc
import paper_gg
import paper_go
import paper_leighton
import readings_gg
from lib.markdown import table
from paper_page import Page
from paper_tools import Value, mean_of, show
from test_numbers import Points

Rows = list[dict[str, Any]]
SEEDS = range(6)


def page_of(**sweeps: Rows) -> Page:
    page = Page("", "", True)
    page.quick, page.plot = False, lambda *words: None
    page.sweeps = {name.replace("_", "-"): Points(*rows) for name, rows in sweeps.items()}
    return page


def cells(page: Page) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in "\n".join(page.text).splitlines() if line.startswith("|")]


# -- Boppana and Chalasani -----------------------------------------------------------------------------

def points(r: random.Random, **where: Any) -> Rows:
    """Five loads of one network, some of them saturated."""
    scale, last = r.uniform(0.5, 2), r.randint(2, 5)
    return [{**where, "load": 0.05 * k, "utilisation": scale * r.uniform(0.02, 0.3), "latency_mean": r.uniform(9, 99), "latency_ci99": 0.5,
             "accepted_load": r.uniform(0.05, 0.4), "saturated": int(k > last)} for k in range(1, 6)]


def most(rows: Rows, **where: Any) -> float:
    return max(row["utilisation"] for row in rows if all(row[k] == v for k, v in where.items()))


@pytest.mark.parametrize("seed", SEEDS)
def test_other_tori(seed: int) -> None:
    """The order is the same in all tori only if it is in each."""
    r, kinds = random.Random(seed), [(16, 4), (16, 8), (16, 16), (10, 4)]
    for odd in (None, *range(4)):
        rows: Rows = []
        for at, (radix, length) in enumerate(kinds):
            high = sorted((r.uniform(0.1, 0.5) for _ in range(3)), reverse=True)
            high = high[::-1] if at == odd else high
            for path, limit in zip(("negative-hop", "e-cube", "north-last"), high):
                rows += [{"path": path, "radix": radix, "length": length, "utilisation": u} for u in (0.05, limit, limit / 2)]
        page = page_of(bc_uniform=[row for row in rows if (row["radix"], row["length"]) == kinds[0]], bc_lengths=[row for row in rows if (row["radix"], row["length"]) != kinds[0]])
        paper_bc.lengths(page)
        assert cells(page)[2:] == [[f"{k} x {k}", str(n)] + [f"{most(rows, radix=k, length=n, path=p):.3f}" for p in paper_bc.PATHS] for k, n in kinds]
        assert ("the same in all." in page.text[-1], "**not the same** in all." in page.text[-1]) == (odd is None, odd is not None)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_left_open(seed: int) -> None:
    r, rows = random.Random(seed), []
    for path, depth, bandwidth, injection in itertools.product(paper_bc.NAMES, (2, 3, 4), ("fixed-share", "on-demand"), ("one-queue", "per-channel")):
        if r.random() < 0.8 or (depth, bandwidth, injection) == (4, "on-demand", "per-channel"):
            rows += points(r, path=path, depth=depth, bandwidth=bandwidth, injection=injection)
    page = page_of(bc_choices=rows)
    paper_bc.choices(page)
    columns = [(2, "fixed-share", "per-channel"), (3, "fixed-share", "per-channel"), (4, "fixed-share", "per-channel"), (4, "fixed-share", "one-queue"), (4, "on-demand", "per-channel")]
    found = {row[0]: row[1:] for row in cells(page)[2:]}
    for path, name in paper_bc.NAMES.items():
        for said, (depth, bandwidth, injection) in zip(found[name], columns):
            there = [row["utilisation"] for row in rows if (row["path"], row["depth"], row["bandwidth"], row["injection"]) == (path, depth, bandwidth, injection)]
            assert said == (f"{max(there):.3f}" if there else "-")
    lent = {path: most(rows, path=path, depth=4, bandwidth="on-demand") for path in paper_bc.NAMES}
    stays = lent["negative-hop"] > lent["e-cube"] > lent["north-last"]
    assert ("it does (" in page.text[-1], "it **does not** (" in page.text[-1]) == (stays, not stays) and f"more than {max(lent.values()):.2f} was" in page.text[-1]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_bc_say_in_words(seed: int) -> None:
    """On lines from load to load; all percentages are of the lower one."""
    r = random.Random(seed)
    rows = {name: [row for path in paper_bc.PATHS for row in points(r, path=path)] for name in ("bc-uniform", "bc-hotspot")}
    for row in rows["bc-uniform"]:
        row["utilisation"], row["saturated"] = row["load"] * (0.8 if row["path"] == "e-cube" else 0.9), 0
    page = page_of(bc_uniform=rows["bc-uniform"], bc_hotspot=rows["bc-hotspot"])
    curves = paper_bc.figures(page)
    said = page.text[-1]
    by = {path: {row["utilisation"]: row["latency_mean"] for row in rows["bc-uniform"] if row["path"] == path} for path in paper_bc.PATHS}

    def line(path: str, x: float) -> float:
        low, high = max(u for u in by[path] if u <= x), min(u for u in by[path] if u > x)
        return by[path][low] + (by[path][high] - by[path][low]) * (x - low) / (high - low)

    for path in ("e-cube", "north-last"):
        named = re.search(rf"faster than {path} from a utilisation of ([\d.]+) on", said)
        ends = max(min(by[path]), min(by["negative-hop"])), min(max(by[path]), max(by["negative-hop"]))
        inside = [x / 2000 for x in range(1, 500) if ends[0] < x / 2000 < ends[1]]
        slower = [x for x in inside if line("negative-hop", x) > line(path, x) and (not named or x < float(named[1]) - 0.001)]
        assert bool(slower) or named, "no crossing where the curves begin"
        if named:
            assert len(slower) == sum(x < float(named[1]) - 0.001 for x in inside)
        else:
            assert slower == inside and f"beyond the last point of {path} ({max(by[path]):.3f}, {by[path][max(by[path])]:.0f} cycles)" in said
    paper_bc.statements(page, curves)
    ours = [row[1] for row in cells(page)[2:]]
    first = {path: by[path][min(by[path])] for path in by}
    assert ours[0].startswith(f"{first['negative-hop'] / first['e-cube']:.2f} ± ")
    wanted = [f"{100 * (most(rows[name], path='negative-hop') / most(rows[name], path=path) - 1):.0f} %" for name in rows for path in ("e-cube", "north-last")]
    assert ours[1:5] == wanted
    assert ours[5] == "at 0.05, 0.08, 0.11: " + ", ".join(f"{100 * (1 - line('north-last', x) / line('e-cube', x)):.1f} %" for x in (0.05, 0.08, 0.11))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_still_rises(seed: int) -> None:
    r = random.Random(seed)
    rows = {name: [row for path in paper_bc.PATHS for row in points(r, path=path)] for name in ("bc-uniform", "bc-hotspot")}
    page = page_of(bc_uniform=rows["bc-uniform"], bc_hotspot=rows["bc-hotspot"])
    judged = [(title, path, r.choice((-0.05, 0.02)), r.random() < 0.5) for title in ("a", "b") for path in "cde"]
    paper_bc.verdict(page, judged)
    outside = [f"{path} under {title} traffic by {off:+.3f}" for title, path, off, good in judged if not good]
    assert page.text[-1].startswith(f"{6 - len(outside)} of 6 are within 0.01" + ("; outside are " if outside else "."))
    assert all((words in page.text[-1]) for words in outside) and page.text[-1].count(" traffic by ") == len(outside)
    rising = []
    for name, title in (("bc-uniform", "uniform traffic"), ("bc-hotspot", "the hot spot")):
        for path in paper_bc.PATHS:
            *before, last = (row["utilisation"] for row in rows[name] if row["path"] == path)
            rising += [f"{path} under {title} ({before[-1]:.3f} at the load before)"] * (last > max(before) + 0.002)
    assert all(words in page.text[-1] for words in rising) and page.text[-1].count("at the load before") == len(rising)


@pytest.mark.parametrize("seed", SEEDS)
def test_networks_at_equal_cost(seed: int) -> None:
    """All loads in whole flits: of the torus half of what a run says."""
    r = random.Random(seed)
    kinds = {"fat-tree, V = 1": ("fat-tree", 1, 1.0), "fat-tree, V = 2": ("fat-tree", 2, 1.0), "mesh": ("mesh", 4, 1.0), "torus": ("torus", 8, 0.5)}
    rows = {(n, name): points(r, nodes=n, topology=kind, vcs=vcs) for n in (256, 1024) for name, (kind, vcs, _) in kinds.items()}
    page = page_of(compare=r.sample(every := [row for some in rows.values() for row in some], len(every)))
    paper_bc.comparison(page)
    highest: dict[int, list[tuple[float, str]]] = {}
    for n, name, fast, load, beyond in cells(page)[2:]:
        some, scale = rows[int(n), name], kinds[name][2]
        fine, over = ([row for row in some if bool(row["saturated"]) == saturated] for saturated in (False, True))
        assert fast == f"{fine[0]['latency_mean']:.1f}" and load == f"{fine[-1]['load'] * scale:.3f}"
        assert beyond == (f"{scale * max(row['accepted_load'] for row in over):.3f}" if over else "-")
        highest.setdefault(int(n), []).append((fine[-1]["load"] * scale, name))
    for n, found in highest.items():
        top = [name for load, name in found if load > max(found)[0] - 1e-9]
        quick = min(kinds, key=lambda name: rows[n, name][0]["latency_mean"])
        sentence = next(s for s in page.text[-1].split("With N = ")[1:] if s.startswith(f"{n} "))
        assert f"{max(found)[0]:g}, is carried by" in sentence and all(name in sentence.split(", and the lightest")[0] for name in top)
        assert f"lightest is fastest on {quick} (" in sentence


# -- Greenberg and Guan --------------------------------------------------------------------------------

@pytest.mark.parametrize("rw, rg", [((3, 9.9), (4, 9)), ((3, 12), (4, 30)), ((11, 12), (2, 3)), ((9.9, 40), (30, 9))])
@pytest.mark.parametrize("high", [0.96, 1.04, 1.06])
def test_the_model_of_gg(rw: tuple[float, float], rg: tuple[float, float], high: float) -> None:
    """RW decides, up to 80 % of saturation and up to 95 %; the largest error, whatever its sign."""
    found = {(path, n, length, share): ({}, 0.0, Value(sign * error * (1 if n == 1024 else 9)))
             for path, errors in (("rw", rw), ("rg", rg)) for n in (64, 1024) for length, sign in ((16, -0.5), (32, -1), (64, 0.2))
             for share, error in zip((0.8, 0.95), errors)}
    page = page_of()
    accepted = {"rw": Value(0.1 / high, 0.001), "rg": Value(0.2, 0.001)}
    paper_gg.verdicts(page, found, 1024, 0.1, accepted)
    (_, _, latencies, first), (_, _, _, second) = page.verdicts
    both = max(rw)
    assert latencies == f"RW: error at most {rw[0]:.1f} % up to 80 % of saturation and {both:.1f} % up to 95 %; RG: {rg[0]:.1f} and {max(rg):.1f} %"
    assert first == ("agrees" if both < 10 else f"agrees up to 80 % of saturation (within {rw[0]:.1f} %), differs near it by up to {both:.0f} %" if rw[0] < 10 else "differs")
    assert second == ("agrees" if abs(high - 1) < 0.05 else f"differs: the model is {100 * (1 - high):.0f} % low")


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_accepted(seed: int) -> None:
    r, sizes, lengths = random.Random(seed), [256, 64], [16, 32]
    rows = [{"nodes": n, "length": length, "path": path, "runs": runs, "accepted_load": r.uniform(0.1, 0.2)}
            for n in sizes for length in lengths for path in ("rw", "rg") for runs in (1, 1, 1, 10)]
    saturation = {256: 0.15, 64: 0.16}
    page = page_of()
    top = paper_gg.saturations(page, Points(*rows), sizes, lengths, saturation)

    def of(**where: Any) -> Value:
        return mean_of([row["accepted_load"] for row in rows if row["runs"] == 1 and all(row[k] == v for k, v in where.items())])

    assert cells(page)[2:] == [[str(n), path.upper(), f"{saturation[n]:.5f}"] + [cell for length in lengths for v in [of(nodes=n, path=path, length=length)]
                               for cell in (show(v), f"{100 * (saturation[n] / v.mean - 1):+.1f} %")] for n in sizes for path in ("rw", "rg")]
    assert {path: round(v.mean, 12) for path, v in top.items()} == {path: round(of(nodes=256, path=path).mean, 12) for path in ("rw", "rg")}


@pytest.mark.parametrize("seed", SEEDS)
def test_readings_of_gg(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which is nearer at each share, by the largest error over three lengths; which variants accept what the model says."""
    r, saturation = random.Random(seed), 0.2
    monkeypatch.setattr(readings_gg, "model", lambda n, length, load: {"latency": 100.0, "saturation_load": saturation})
    rows = [{"path": path, "scan": "fcfs", "depth": 2, "vcs": 1, "length": length, "load": share * saturation, "runs": 10, "latency_mean": r.uniform(80, 120), "latency_ci99": 1}
            for path in ("rw", "rg") for share in (0.25, 0.5, 0.75) for length in (16, 32, 64)]
    variants = list(itertools.product(("rw", "rg"), ("fcfs", "rr"), (2, 4), (1, 2)))
    near = r.sample(variants, r.choice((0, 0, 1, 3)))
    share = {v: {length: r.uniform(0.985, 1.015) if v in near else r.choice((0.9, 1.1)) * r.uniform(0.97, 1.03) for length in (16, 32, 64)} for v in variants}
    rows += [{"path": v[0], "scan": v[1], "depth": v[2], "vcs": v[3], "length": length, "load": 0.4, "runs": 1, "accepted_load": saturation * share[v][length]}
             for v in variants for length in (16, 32, 64) for _ in range(3)]
    text = " ".join(readings_gg.page_of(Points(*rows)).split())

    def worst(path: str, share: float) -> float:
        return max(abs(100 * (100 / row["latency_mean"] - 1)) for row in rows if row["runs"] == 10 and row["path"] == path and row["load"] == share * saturation)

    nearer: dict[str, list[str]] = {"rw": [], "rg": []}
    for at in (0.25, 0.5, 0.75):
        nearer[min(nearer, key=lambda path, at=at: worst(path, at))].append(f"{100 * at:.0f} %")
    assert f"nearer to RW at {', '.join(nearer['rw']) or 'no share'} of its saturation load, and to RG at {', '.join(nearer['rg']) or 'no share'}:" in text
    for path in nearer:
        assert f"- {path.upper()}: {', '.join(f'{worst(path, at):.1f} % at {100 * at:.0f} %' for at in (0.25, 0.5, 0.75))}" in text
    if near:
        assert f"{len(near)} of the 16 variants accept the model's 0.2000 within 2 % for all three lengths." in text
    else:
        best = min(variants, key=lambda v: max(abs(x - 1) for x in share[v].values()))
        off = [100 * (x - 1) for x in share[best].values()]
        assert f"None of the 16 variants accepts the model's 0.2000 for all three lengths within 2 %. The nearest, {best[0].upper()} {best[1].upper()}, q = {best[2]}, V = {best[3]}, " \
            f"is off by {min(off):+.1f} to {max(off):+.1f} %." in text


# -- Greenberg and Oh ----------------------------------------------------------------------------------

def drawn(r: random.Random, about: float = 100.0, **where: Any) -> dict[str, Any]:
    """A point of a static run."""
    return {**where, "load": "", "last_arrival_mean": about * r.uniform(0.97, 1.03), "last_arrival_ci99": r.uniform(0.1, 2), "runs": 1000}


def beyond(one: dict[str, Any], other: dict[str, Any]) -> tuple[float, float, float]:
    """By how many percent of the other one is above it: least, mean, most."""
    (a, da), (b, db) = ((p["last_arrival_mean"], p["last_arrival_ci99"]) for p in (one, other))
    half = 100 * a / b * math.sqrt((da / a) ** 2 + (db / b) ** 2)
    return 100 * (a / b - 1) - half, 100 * (a / b - 1), 100 * (a / b - 1) + half


SIZES = [16, 64, 256, 1024]


@pytest.mark.parametrize("seed", range(12))
def test_worm_and_split(seed: int) -> None:
    """An order is one if the whole interval says so; the overhead from which WORM wins is on the line between two points."""
    r = random.Random(seed)
    worm = {n: drawn(r, nodes=n, discipline="worm", path="rp", scan="rr", pattern="random") for n in SIZES}
    split = {(path, scan, n, q): drawn(r, path=path, scan=scan, nodes=n, depth=q)
             for path, scan in (("rp", "rr"), ("rp", "fo"), ("gp", "ff")) for n in SIZES for q in (1, 2)}
    more = {n: [drawn(r, 90 + 20 * x + n / 256, nodes=n, overhead=x) for x in (0, 0.25, 0.5, 1)] for n in SIZES}
    page = page_of(split=list(split.values()), selection=list(worm.values()), overhead=[row for rows in more.values() for row in rows])
    page.has = lambda name: True
    paper_go.figure_5(page)
    said = {claim: (ours, verdict) for claim, _, ours, verdict in page.verdicts}
    bad = [n for n in SIZES if beyond(split["gp", "ff", n, 2], split["rp", "fo", n, 2])[2] >= 0]
    assert said["SPLIT GP-FF beats SPLIT RP-FO for all N"][1] == ("agrees" if not bad else f"differs at N = {paper_go.listing(bad)}")
    for path, scan in (("rp", "fo"), ("gp", "ff")):
        above = {n: beyond(split[path, scan, n, 2], worm[n]) for n in SIZES}
        verdict = said[f"WORM RP-RR beats SPLIT {path.upper()}-{scan.upper()}"][1]
        assert verdict.startswith("agrees") == all(v[2] >= 0 for v in above.values())
        assert ("; no difference at N = " in verdict) == any(v[0] <= 0 <= v[2] for v in above.values())
        assert all((f"{-v[1]:.1f} % at N = {n}" in verdict) == (v[2] < 0) for n, v in above.items())
    ahead = [n for n in SIZES if beyond(split["rp", "rr", n, 2], worm[n])[0] > 0]
    assert said["SPLIT RP-RR is slightly below WORM RP-RR, without overhead"][1] == (
        "agrees" if not ahead else f"agrees but for N = {paper_go.listing(ahead)}, where WORM is ahead")
    where = {}
    for n, rows in more.items():
        level = worm[n]["last_arrival_mean"]
        for one, other in zip(rows, rows[1:]):
            a, b = one["last_arrival_mean"], other["last_arrival_mean"]
            if a < level <= b:
                where.setdefault(n, 100 * (one["overhead"] + (other["overhead"] - one["overhead"]) * (level - a) / (b - a)))
    ours, verdict = said["a slight overhead makes WORM win over SPLIT RP-RR"]
    assert {int(n): float(x) for n, x in re.findall(r"N = (\d+): ([\d.]+)", ours)} == pytest.approx(where, abs=0.051)
    assert verdict == ("agrees" if where and max(where.values()) < 25 else "differs")


@pytest.mark.parametrize("seed", range(12))
def test_initial_delays(seed: int) -> None:
    """The best range of each network; the network that gains most decides."""
    r = random.Random(seed)
    rows = [drawn(r, 100 - (r.choice((0, 5, 12)) if k else 0), discipline=how, nodes=n, delay_range=k + 1) for how in ("store", "worm") for n in SIZES for k in range(3)]
    page = page_of(delays=rows)
    paper_go.delays(page)
    gains = {}
    for how, n in itertools.product(("STORE", "WORM"), SIZES):
        first, *rest = [row for row in rows if (row["discipline"].upper(), row["nodes"]) == (how, n)]
        gains[how, n] = max((-beyond(row, first)[1], row["delay_range"]) for row in rest)
    (_, _, ours, verdict), most_ = page.verdicts[0], max(gains.values())[0]
    assert verdict == ("agrees" if most_ < 10 else f"differs: up to {most_:.1f} %")
    assert [(how, int(n), int(k)) for how, n, k in re.findall(r"(\w+), N = (\d+): at best .*? \(R = (\d)\)", ours)] == [(*key, best[1]) for key, best in gains.items()]


@pytest.mark.parametrize("seed", range(12))
def test_exact_cells(seed: int) -> None:
    """c L + d - 2 cycles and 2 c + d - 3 packets of 32 flits; WORM beats STORE where their intervals are apart."""
    r, rows = random.Random(seed), []
    for k, n in enumerate(SIZES, 2):
        rows += [drawn(r, discipline=how, nodes=n, pattern=pattern, congestion_mean=9.0) for how in ("worm", "store") for pattern in ("random", "complement")]
        for how, steps in (("worm", 16 * n + 2 * k - 2), ("store", 32 * (n + 2 * k - 3))):
            wrong = r.choice((0, 0, 0, 1, 2, 3))
            rows.append({"discipline": how, "nodes": n, "pattern": "many-to-1", "load": "", "last_arrival_mean": steps + (wrong == 1), "last_arrival_ci99": wrong == 2,
                         "congestion_mean": n / 2 + (wrong == 3), "wrong": wrong})
    page = page_of(table1=rows)
    paper_go.formulas(page)
    right = sum(row.get("wrong") == 0 for row in rows)
    assert page.verdicts[0][2:] == (f"{right} of 8 cells exactly", "agrees" if right == 8 else "differs")

    def beats(n: int, pattern: str) -> bool:
        by = {row["discipline"]: row for row in rows if (row["nodes"], row["pattern"]) == (n, pattern)}
        return by["worm"]["last_arrival_mean"] + by["worm"]["last_arrival_ci99"] < by["store"]["last_arrival_mean"] - by["store"]["last_arrival_ci99"]

    good = sum(beats(n, pattern) for n in SIZES for pattern in ("random", "complement", "many-to-1"))
    assert page.verdicts[1][2] == f"{good} of 12" and (page.verdicts[1][3] == "agrees") == (good == 12)


@pytest.mark.parametrize("seed", range(12))
def test_selections(seed: int) -> None:
    """Paths and scans: each claim by the intervals of its own discipline; a range holds as far as rounding and chance explain."""
    r = random.Random(seed)
    rows = {(how, path, scan, n): drawn(r, {"fp": r.choice((103, 120)), "rp": 100, "gp": 101}[path] * (1.06 if scan == "fo" and path == "rp" else 1),
                                        discipline=how, path=path, scan=scan, nodes=n, pattern="random")
            for how in ("store", "worm") for path in ("fp", "rp", "gp") for scan in ("rr", "fo", "ff") for n in SIZES}
    page = page_of()
    paper_go.claims_of_selection(page, Points(*rows.values()), SIZES)
    said = {claim: verdict for claim, _, _, verdict in page.verdicts}
    for how in ("store", "worm"):
        bad = [n for n in SIZES if min(beyond(rows[how, "fp", "rr", n], rows[how, path, "rr", n])[0] for path in ("rp", "gp")) <= 0]
        assert said[f"{how.upper()}: adaptive paths beat FP by far"] == ("agrees" if not bad else f"differs at N = {paper_go.listing(bad)}")
        inside = 0
        for n in SIZES:
            low, mean, high = (-x for x in beyond(rows[how, "rp", "rr", n], rows[how, "rp", "fo", n])[::-1])
            slack = 0.5 + (high - low) / 2 * math.sqrt(1 + 1000 / 30)
            inside += 4 - slack <= mean <= 8 + slack
        assert said[f"{how.upper()}: RR is 4 to 8 % below FO with RP, for most cases"] == ("agrees" if inside > 2 else "differs")
        far = [n for n in SIZES if not (lambda v: v[0] <= 2 and v[2] >= -2)(beyond(rows[how, "rp", "ff", n], rows[how, "rp", "fo", n]))]
        near = said[f"{how.upper()}: FF is near FO (here: within 2 %)"]
        assert near == "agrees" if not far else near.startswith(f"differs at N = {paper_go.listing(far)}, by up to ")


# -- Leighton --------------------------------------------------------------------------------------------

def routed(nodes: int, last: float, **more: Any) -> dict[str, Any]:
    return {"nodes": nodes, "topology": "butterfly", "depth": "unbounded", "runs": 5, "last_arrival_mean": last - 1, "last_arrival_ci99": 0.0, "last_arrival_max": last - 1,
            "cycles": last, "congestion_mean": 1, "load": ""} | more


@pytest.mark.parametrize("spoilt", [None, *range(4)])
def test_problems_in_order(spoilt: int | None) -> None:
    """Spreading from the first level, packing from the last: log N steps, nobody waits, in each size."""
    rows = [routed(n, bits, topology=topology, pattern=pattern) for n, bits in ((8, 3), (32, 5))
            for topology, pattern in (("butterfly", "spreading"), ("reverse-butterfly", "packing"), ("butterfly", "packing"), ("butterfly", "monotone"))]
    clean = [row for row in rows if (row["topology"], row["pattern"]) in (("butterfly", "spreading"), ("reverse-butterfly", "packing"))]
    if spoilt is not None:
        clean[spoilt] |= {"congestion_mean": 2} if spoilt % 2 else {"last_arrival_mean": 7, "cycles": 8}
    page = page_of()
    paper_leighton.orders(page, Points(*rows))
    assert page.verdicts[0][3] == ("agrees" if spoilt is None else "**differs**")


# -- one chapter alone -----------------------------------------------------------------------------------

class Results(Points):
    def digest(self) -> str:
        return self.rows[0]["digest"]


def whole_page(path: pathlib.Path, said: dict[str, list[str]], cpu: dict[str, int], alone: bool, monkeypatch: pytest.MonkeyPatch) -> str:
    """docs/results.md of made-up chapters with these verdicts, and sweeps with these seconds; alone: the page that is there, with GG's chapter anew."""
    def chapter(name: str) -> Any:
        def write(page: Page) -> None:
            page.add(f"## {name}", f"With {said.get(name, [])}.")
            for k, verdict in enumerate(said.get(name, [])):
                page.judge(f"{name} {k}", name.upper(), f"{len(verdict)}", verdict)
            for sweep in ([name, f"readings-{name}"] if name == "gg" else [name]):
                page.sweeps[sweep] = Results({"seed": 1, "runs": 2, "cpu_s": cpu.get(sweep, 3), "digest": f"{sweep}-{cpu.get(sweep, 3)}"})
        return write

    for name in ("table_1", "open_cell", "table_2", "figure_2", "figures_3_4", "figure_5", "delays", "lengths", "depths", "formulas", "gg", "beyond"):
        monkeypatch.setattr(paper, name, chapter(name))
    monkeypatch.setattr(paper, "statements", lambda page: page.add("## GO's statements", table(["statement", "source", "ours", "verdict"], page.verdicts)))
    for module, name in ((paper.paper_bc, "tori"), (paper.paper_bc, "comparison"), (paper.paper_leighton, "leighton"), (paper.paper_cmsv, "universal")):
        monkeypatch.setattr(module, name, chapter(name))
    monkeypatch.setattr(paper, "fatfly", lambda *words: "fatfly 1")
    page = Page("", str(path), False)
    (paper.one_chapter if alone else paper.write)(page)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("seed", SEEDS)
def test_one_chapter(seed: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page with one chapter anew is the page written anew, wherever only that chapter has changed."""
    r, kinds = random.Random(seed), ["agrees", "agrees up to 80 %", "differs by 5 %"]
    said = {name: r.choices(kinds, k=3) for name in ("table_1", "depths", "gg", "tori", "universal")}
    cpu = {name: r.randrange(1, 99) for name in ("gg", "readings-gg", "tori")}
    whole_page(tmp_path / "one.md", said, cpu, False, monkeypatch)
    said, cpu = said | {"gg": r.choices(kinds, k=3)}, cpu | {"gg": r.randrange(100, 999), "readings-gg": 7}
    got, want = (whole_page(tmp_path / name, said, cpu, alone, monkeypatch) for name, alone in (("one.md", True), ("two.md", False)))
    assert got.splitlines() == want.replace("two/", "one/").splitlines()
