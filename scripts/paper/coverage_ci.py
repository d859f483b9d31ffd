#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many of the 99 % intervals that `fatfly run` prints cover what they should.

  coverage_ci.py run [NAME]...   samples, a file a situation in build/coverage-ci; goes on where it was
  coverage_ci.py table           docs/results/intervals.csv from them, the table of docs/intervals.md, the same on standard output
  coverage_ci.py power           how often loads near saturation are called stable, undecided, saturated: build/coverage-ci/power.csv,
                                 docs/results/power.csv and its table; goes on where it was
  coverage_ci.py check           a small sample, in `make test`: covers, and Student's rule of before does not

The truth of a situation is the mean, or the quantile, over many independent and much longer runs with other seeds.
"""
import csv
import hashlib
import io
import math
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts"))
from lib.markdown import table as markdown  # noqa: E402  pylint: disable=wrong-import-position

BUILT = ROOT / os.environ.get("BUILD", "build")
FATFLY = os.environ.get("FATFLY", str(BUILT / "fatfly"))
BUILD = Path(os.environ.get("COVERAGE_CI", str(BUILT / "coverage-ci")))
RESULT = Path(os.environ.get("INTERVALS", str(ROOT / "docs" / "results" / "intervals.csv")))
SEEDS = 300
KINDS = ("mean", "last", "p50", "p95", "p99", "p999")
TRUTH_SEED = 778000000
FIRST_SEED = 500001  # the rules were tuned on seeds 1 to 300: none of these
SEEDS_FROM = {"torus64-0.15": 1100001, "torus64-0.15-long": 1200001}  # the rules were tuned on those from 500001 to 902000, too

# Name: options, of the sample, of the truth; share of the load that the network accepts, per cent.
SITUATIONS: dict[str, tuple[str, str, str, str]] = {
    "tree64-random": ("--nodes 64", "--runs 30", "--runs 20000", ""),
    "tree64-random-10": ("--nodes 64", "--runs 10", "--runs 20000", ""),
    "tree64-complement": ("--nodes 64 --pattern complement", "--runs 30", "--runs 20000", ""),
    "tree64-complement-100": ("--nodes 64 --pattern complement", "--runs 100", "--runs 20000", ""),
    "tree64-transpose": ("--nodes 64 --pattern transpose", "--runs 30", "--runs 20000", ""),
    "tree256-complement": ("--nodes 256 --pattern complement", "--runs 30", "--runs 8000", ""),
    "tree64-store": ("--nodes 64 --discipline store", "--runs 30", "--runs 20000", ""),
    "tree64-univ": ("--nodes 64 --discipline univ", "--runs 30", "--runs 8000", ""),
    "torus64-random": ("--topology torus --radix 8 --length 16", "--runs 30", "--runs 8000", ""),
    "mesh64-permutation": ("--topology mesh --radix 8 --length 16 --pattern random-permutation", "--runs 30",
                         "--runs 8000", ""),
    "tree64-0.03": ("--nodes 64 --load 0.03", "--cycles 20000", "--runs 20 --cycles 1000000", "17"),
    "tree64-0.10": ("--nodes 64 --load 0.10", "--cycles 20000", "--runs 20 --cycles 1000000", "55"),
    "tree64-0.16": ("--nodes 64 --load 0.16", "--cycles 100000", "--runs 20 --cycles 2000000", "88"),
    "tree64-0.16-short": ("--nodes 64 --load 0.16", "--cycles 5000", "--runs 20 --cycles 2000000", "88"),
    "tree64-0.17-default": ("--nodes 64 --load 0.17", "--cycles 100000", "--runs 20 --cycles 4000000", "94"),
    "tree64-0.171": ("--nodes 64 --load 0.171", "--cycles 400000", "--runs 20 --cycles 4000000", "95"),
    "tree64-0.10-runs": ("--nodes 64 --load 0.10 --runs 10", "--cycles 10000", "--runs 20 --cycles 1000000", "55"),
    "tree64-0.16-runs": ("--nodes 64 --load 0.16 --runs 10", "--cycles 30000", "--runs 20 --cycles 2000000", "88"),
    "tree64-uniform-0.10": ("--nodes 64 --lengths uniform --load 0.10", "--cycles 50000", "--runs 20 --cycles 1000000",
                            ""),
    "tree64-poisson-fcfs-0.10": ("--nodes 64 --path rg --scan fcfs --arrivals poisson --load 0.10", "--cycles 50000",
                                 "--runs 20 --cycles 1000000", ""),
    "tree16-0.30": ("--nodes 16 --length 16 --load 0.30", "--cycles 50000", "--runs 20 --cycles 1000000", "84"),
    "tree256-0.06": ("--nodes 256 --load 0.06", "--cycles 50000", "--runs 10 --cycles 500000", "67"),
    "tree16-0.34": ("--nodes 16 --length 16 --load 0.34", "--cycles 200000", "--runs 20 --cycles 2000000", "95"),
    "torus64-0.10": ("--topology torus --radix 8 --length 16 --load 0.10", "--cycles 50000",
                     "--runs 20 --cycles 500000", "63"),
    "torus64-0.10-runs": ("--topology torus --radix 8 --length 16 --load 0.10 --runs 10", "--cycles 10000",
                          "--runs 20 --cycles 500000", "63"),
    "torus64-0.14": ("--topology torus --radix 8 --length 16 --load 0.14", "--cycles 200000",
                     "--runs 20 --cycles 1000000", "89"),
    "torus64-0.15": ("--topology torus --radix 8 --length 16 --load 0.15", "--cycles 300000",
                     "--runs 20 --cycles 2000000", "95"),
    "torus64-0.15-long": ("--topology torus --radix 8 --length 16 --load 0.15", "--cycles 2400000",
                          "--runs 20 --cycles 2000000", "95"),
    "mesh64-0.15": ("--topology mesh --radix 8 --length 16 --load 0.15", "--cycles 50000",
                    "--runs 20 --cycles 500000", "70"),
    "tree64-0.10-precision": ("--nodes 64 --load 0.10", "--cycles 10000 --precision 0.05",
                              "--runs 20 --cycles 1000000", "55"),
    "tree16-0.30-precision": ("--nodes 16 --length 16 --load 0.30", "--cycles 10000 --precision 0.05",
                              "--runs 20 --cycles 1000000", "84"),
    "torus64-0.10-precision": ("--topology torus --radix 8 --length 16 --load 0.10",
                               "--cycles 10000 --precision 0.05", "--runs 20 --cycles 500000", "63"),
    "tree64-v2-0.10": ("--nodes 64 --vcs 2 --load 0.10", "--cycles 50000", "--runs 20 --cycles 500000", "48"),
    "tree64-v2-0.18": ("--nodes 64 --vcs 2 --load 0.18", "--cycles 100000", "--runs 20 --cycles 1000000", "86"),
}

# Situations that were chosen after the rules: other networks, lengths, patterns, numbers of runs.  Fewer seeds.
HELD_SEEDS = 100
OTHER_SEEDS = {"torus64-0.15": 1000, "torus64-0.15-long": 250}
HELD_OUT: dict[str, tuple[str, str, str, str]] = {
    "hypercube64-static": ("--topology hypercube --nodes 64 --length 16", "--runs 20", "--runs 8000", ""),
    "tree16-store-fo": ("--nodes 16 --length 8 --discipline store --scan fo --path gp", "--runs 15", "--runs 20000", ""),
    "tree64-bimodal-shuffle": ("--nodes 64 --vcs 2 --lengths bimodal --pattern shuffle", "--runs 25", "--runs 20000", ""),
    "butterfly64-static": ("--topology butterfly --nodes 64 --length 8", "--runs 12", "--runs 8000", ""),
    "tree16-L4-0.33": ("--nodes 16 --length 4 --load 0.33", "--cycles 100000", "--runs 20 --cycles 1000000", "91"),
    "torus4x4x4-0.36": ("--topology torus --radix 4 --dimensions 3 --length 8 --load 0.36", "--cycles 50000",
                        "--runs 20 --cycles 500000", "88"),
    "torus4x4x4-0.25": ("--topology torus --radix 4 --dimensions 3 --length 8 --load 0.25", "--cycles 30000",
                        "--runs 10 --cycles 400000", "61"),
    "mesh36-0.28": ("--topology mesh --radix 6 --length 8 --load 0.28", "--cycles 60000", "--runs 10 --cycles 1000000", "88"),
    "tree64-transpose-0.14": ("--nodes 64 --pattern transpose --load 0.14", "--cycles 60000", "--runs 10 --cycles 1000000", ""),
    "tree64-hotspot-0.13": ("--nodes 64 --pattern hotspot --hotspot 0.05 --load 0.13", "--cycles 60000",
                            "--runs 10 --cycles 1000000", "75"),
    "tree16-L64-0.28": ("--nodes 16 --length 64 --depth 4 --load 0.28", "--cycles 400000", "--runs 20 --cycles 2000000", "77"),
    "tree16-L64-0.32": ("--nodes 16 --length 64 --depth 4 --load 0.32", "--cycles 1000000", "--runs 20 --cycles 3000000", "88"),
    "butterfly32-0.30": ("--topology butterfly --nodes 32 --length 24 --load 0.30", "--cycles 60000", "--runs 20 --cycles 1000000", "43"),
    "butterfly32-0.60": ("--topology butterfly --nodes 32 --length 24 --load 0.60", "--cycles 300000", "--runs 20 --cycles 1500000", "86"),
    "hypercube32-0.70": ("--topology hypercube --nodes 32 --length 10 --load 0.70", "--cycles 150000", "--runs 20 --cycles 1000000", "85"),
    "torus25-poisson-0.30": ("--topology torus --radix 5 --length 12 --arrivals poisson --load 0.30", "--cycles 700000",
                             "--runs 20 --cycles 3000000", "89"),
}
SITUATIONS.update(HELD_OUT)

Row = dict[str, str]


def seeds_of(name: str) -> int:
    return HELD_SEEDS if name in HELD_OUT else OTHER_SEEDS.get(name, SEEDS)


def point(options: str, seed: int) -> Row:
    """One point of `fatfly run`."""
    command = [FATFLY, "run", *options.split(), "--seed", str(seed), "--threads", "1", "--format", "csv"]
    told = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}).stdout
    return next(csv.DictReader(io.StringIO(told)))


def column(kind: str) -> str:
    """What a kind is the mean or quantile of: of worms, or of the last arrivals of static runs."""
    return "last_arrival_mean" if kind == "last" else "latency_" + kind


def ends(row: Row, kind: str) -> tuple[float, float] | None:
    """The interval of the mean or of a quantile."""
    stem = {"mean": "latency", "last": "last_arrival"}.get(kind, f"latency_{kind}")
    return (float(row[stem + "_low"]), float(row[stem + "_high"])) if row[stem + "_low"] else None


def results() -> str:
    """Changes with what runs give and with the rules of the intervals: samples of another program are not gone on with."""
    h = hashlib.sha256((ROOT / "tb/digest/digests.txt").read_bytes())
    for rules in ("cmodel/measure/*.[ch]", "cmodel/theory/interval.[ch]", "cmodel/cli/point*.[ch]"):
        for file in sorted(ROOT.glob(rules)):
            h.update(file.read_bytes())
    return h.hexdigest()[:16]


def header(name: str) -> str:
    """The first line of the samples of a situation: what they are of."""
    base, sample, truth, _ = SITUATIONS[name]
    return f"{base} | {sample} | {truth} | {SEEDS_FROM.get(name, FIRST_SEED)} | {TRUTH_SEED} | {results()}"


def run(name: str) -> None:
    """Samples of one situation; a line each, kept as it ends."""
    base, sample, truth, _ = SITUATIONS[name]
    stored = BUILD / f"{name}.csv"
    stored.parent.mkdir(parents=True, exist_ok=True)
    lines = stored.read_text().splitlines() if stored.exists() else []
    first = SEEDS_FROM.get(name, FIRST_SEED)
    if not lines or lines[0] != header(name):
        what = point(f"{base.replace(' --runs 10', '')} {truth}", TRUTH_SEED)
        lines = [header(name), ",".join(what[column(kind)] for kind in KINDS)]
    whole = [line for line in lines[2:] if line.count(",") == 3 * len(KINDS)]
    with open(stored, "w", encoding="ascii") as out:
        out.write("\n".join(lines[:2] + whole) + "\n")
        for seed in range(first + len(whole), first + seeds_of(name)):
            row = point(f"{base} {sample}", seed)
            cells = [row["verdict"]]
            for kind in KINDS:
                found = ends(row, kind)
                cells += [row[column(kind)], *(repr(v) for v in found)] if found else [row[column(kind)], "", ""]
            out.write(",".join(cells) + "\n")
            out.flush()
    print(f"{name}: {seeds_of(name)} samples")


def binomial(hits: int, count: int, tail: float = 0.025) -> tuple[float, float]:
    """Clopper and Pearson's interval of a share."""
    def more(p: float, least: int) -> float:
        return math.fsum(math.comb(count, k) * p ** k * (1 - p) ** (count - k) for k in range(least, count + 1))

    def solve(least: int, want: float) -> float:
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if more(middle, least) < want else (low, middle)
        return (low + high) / 2
    return (solve(hits, tail) if hits else 0.0, solve(hits + 1, 1 - tail) if hits < count else 1.0)


def summary(name: str) -> list[Row]:
    """What was found in one situation: a row for the mean and for each quantile."""
    lines = (BUILD / f"{name}.csv").read_text(encoding="ascii").splitlines()
    truth = [float(v or "nan") for v in lines[1].split(",")]
    rows = []
    for k, kind in enumerate(KINDS):
        if math.isnan(truth[k]):
            continue
        given = hits = low = 0
        half = 0.0
        for cells in (line.split(",") for line in lines[2:]):
            if not cells[2 + 3 * k]:
                continue
            a, b = float(cells[2 + 3 * k]), float(cells[3 + 3 * k])
            given += 1
            hits += a <= truth[k] <= b
            low += b < truth[k]
            half += (b - a) / 2 / truth[k]
        least, most = binomial(hits, given) if given else (math.nan, math.nan)
        rows.append({"situation": name, "of": kind, "truth": f"{truth[k]:.6g}", "samples": str(len(lines) - 2),
                     "given": str(given), "covered": str(hits), "share": f"{hits / given:.4f}" if given else "",
                     "low95": f"{least:.4f}" if given else "", "high95": f"{most:.4f}" if given else "",
                     "too_low": str(low), "half_width": f"{half / given:.4f}" if given else ""})
    return rows


def sampled(name: str) -> int:
    """Samples that are here, of this program."""
    stored = BUILD / f"{name}.csv"
    lines = stored.read_text(encoding="ascii").splitlines() if stored.exists() else []
    return len(lines[2:]) if lines[:1] == [header(name)] else 0


def held_out(rows: list[Row]) -> None:
    """What was found where the rules had not been seen, in short."""
    print()
    every = {name: [r for r in rows if r["situation"] == name and r["of"] in ("mean", "last")] for name in HELD_OUT}
    for name, of in every.items():
        if of:
            print(f"held out: {name}: " + ", ".join(f"{r['of']} {r['covered']} of {r['given']}" for r in of) + f"; {of[0]['samples']} samples")
    given, hits = (sum(int(r[column]) for of in every.values() for r in of) for column in ("given", "covered"))
    print(f"held out: all: {hits} of {given}")


def into_page(lines: list[str]) -> None:
    """The table in place of that in docs/intervals.md."""
    page = ROOT / "docs" / "intervals.md"
    old = page.read_text(encoding="utf-8").split("\n")
    begin = old.index(lines[0])
    end = next(k for k in range(begin, len(old)) if not old[k].startswith("|"))
    part = page.with_suffix(".part")
    part.write_text("\n".join(old[:begin] + lines + old[end:]), encoding="utf-8")
    part.rename(page)


def table() -> None:
    """The CSV of all situations that were sampled, here or, where it has more samples, before, and the page's table of it."""
    before: dict[str, list[Row]] = {}
    if RESULT.exists():
        with open(RESULT, encoding="ascii", newline="") as file:
            for row in csv.DictReader(file):
                before.setdefault(row["situation"], []).append(row)
    rows = []
    for name in SITUATIONS:
        old = before.get(name, [])
        rows += summary(name) if sampled(name) >= max(1, *(int(row["samples"]) for row in old), 0) else old
    for row in rows:    # of static runs one must lie beyond a quantile, whenever they were sampled
        runs = next((int(w) for k, w in zip(["", *SITUATIONS[row["situation"]][1].split()], SITUATIONS[row["situation"]][1].split())
                     if k == "--runs"), 0)
        beyond = {"p95": 0.05, "p99": 0.01, "p999": 0.001}.get(row["of"], 1.0)
        if "--load" not in SITUATIONS[row["situation"]][0] and runs * beyond < 1 - 1e-9:
            row.update({"given": "0", "covered": "0", "share": "", "low95": "", "high95": "", "too_low": "0", "half_width": ""})
    part = RESULT.with_suffix(".part")
    with open(part, "w", encoding="ascii", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    part.rename(RESULT)
    lines = []
    for row in rows:
        if row["of"] not in ("mean", "last") or row["situation"] in HELD_OUT:
            continue
        shown = [f"{100 * float(row['share']):.1f} %", f"{100 * float(row['low95']):.1f}-{100 * float(row['high95']):.1f}",
                 f"{100 * float(row['half_width']):.1f} %"] if row["share"] else ["none given", "", ""]
        quantiles = [f"{100 * float(q['share']):.1f}" if q["share"] else "-" for q in rows
                     if q["situation"] == row["situation"] and q["of"] in ("p50", "p95", "p99") and row["of"] == "mean"]
        lines.append([row["situation"], SITUATIONS[row["situation"]][3], row["of"], f"{float(row['truth']):.1f}",
                      f"{row['given']}/{row['samples']}", *shown, ", ".join(quantiles)])
    text = markdown(["Situation", "Load, % of accepted", "Of", "Truth", "Given", "Covered", "95 % of that", "Half-width",
                     "p50, p95, p99"], lines, (1, 3, 4, 5, 6, 7, 8))
    print(text, end="")
    if "INTERVALS" not in os.environ:
        into_page(text.splitlines())
    held_out(rows)


# Name: options; a load above what is accepted; lengths; whether more than is accepted can be offered.
NETWORKS: dict[str, tuple[str, float, tuple[int, ...], bool]] = {
    "tree16": ("--nodes 16 --length 16", 0.42, (100000, 1000000), True),
    "tree64": ("--nodes 64", 0.21, (100000, 400000), True),
    "torus64": ("--topology torus --radix 8 --length 16", 0.165, (100000,), True),
    "source-link16": ("--nodes 16 --pattern neighbour", 1.0, (100000, 1000000), False),
}
NEAR = (0.97, 0.99, 0.995, 1.005, 1.01, 1.03)
POWER_SEEDS = 10


def power() -> None:
    """Verdicts of loads that are shares of the accepted load; a line each, kept as it ends."""
    stored = BUILD / "power.csv"
    stored.parent.mkdir(parents=True, exist_ok=True)
    lines = stored.read_text(encoding="ascii").splitlines() if stored.exists() else []
    head = f"# {results()}"
    done = {tuple(line.split(",")[:4]): line.split(",") for line in lines[1:] if line.count(",") == 5 and lines[0] == head}
    with open(stored, "w", encoding="ascii") as out:
        out.write("".join(",".join(cells) + "\n" for cells in [[head], *done.values()]))

        def verdict(name: str, share: float, cycles: int, seed: int, load: float) -> None:
            key = (name, str(share), str(cycles), str(seed))
            if key not in done:
                row = point(f"{NETWORKS[name][0]} --load {load:.6f} --cycles {cycles}" + (" --whole" if seed == TRUTH_SEED else ""), seed)
                done[key] = [*key, row["verdict"], row["accepted_load"]]
                out.write(",".join(done[key]) + "\n")
                out.flush()
        for name, (_, beyond, lengths, above) in NETWORKS.items():
            verdict(name, 2.0, 1000000, TRUTH_SEED, beyond)
            full = float(done[name, "2.0", "1000000", str(TRUTH_SEED)][5]) if above else 1.0
            for cycles in lengths:
                for seed in range(FIRST_SEED, FIRST_SEED + POWER_SEEDS):
                    for share in NEAR:
                        if share < 1 or above:
                            verdict(name, share, cycles, seed, share * full)
    rows = []
    for name, (options, _, lengths, above) in NETWORKS.items():
        for cycles, share in ((c, s) for c in lengths for s in NEAR if s < 1 or above):
            found = [done[key][4] for key in done if key[:3] == (name, str(share), str(cycles))]
            rows.append({"network": name, "options": options, "cycles": str(cycles), "share": str(share), "runs": str(len(found)),
                         **{word: str(found.count(word)) for word in ("stable", "undecided", "saturated")}})
    with open(RESULT.with_name("power.csv"), "w", encoding="ascii", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    shown = []
    for name, (_, _, lengths, _) in NETWORKS.items():
        for cycles in lengths:
            cells = ["/".join(r[w] for w in ("stable", "undecided", "saturated")) for s in NEAR for r in rows
                     if (r["network"], r["cycles"], r["share"]) == (name, str(cycles), str(s))]
            shown.append([name, cycles, *cells, *["-"] * (len(NEAR) - len(cells))])
    print(markdown(["Network", "Cycles", *(f"{100 * (s - 1):+.1f} %" for s in NEAR)], shown, (1,)), end="")


def check() -> int:
    """Small samples: what is printed covers, the rule that it replaced (plain Student's t) does not."""
    bad = 0
    truth = float(point("--nodes 64 --pattern complement --runs 4000", TRUTH_SEED)["last_arrival_mean"])
    rows = [point("--nodes 64 --pattern complement --runs 30", seed) for seed in range(1, 151)]
    new = sum(a <= truth <= b for a, b in (found for found in (ends(row, "last") for row in rows) if found))
    old = sum(abs(float(row["last_arrival_mean"]) - truth) <= float(row["last_arrival_ci99"]) for row in rows)
    for passed, text in ((new >= 147, f"static complement: {new} of 150 intervals cover"),
                         (old < 147, f"the planted rule, Student's t alone: {old} of 150 are too few")):
        print("PASS" if passed else "FAIL", text)
        bad += not passed
    truth = float(point("--nodes 16 --length 16 --load 0.30 --cycles 2000000", TRUTH_SEED)["latency_mean"])
    rows = [point("--nodes 16 --length 16 --load 0.30 --cycles 80000", seed) for seed in range(1, 151)]
    found = [interval for interval in (ends(row, "mean") for row in rows) if interval]
    hits = sum(a <= truth <= b for a, b in found)
    short = [point("--nodes 16 --length 16 --load 0.30 --cycles 1500", seed)["verdict"] for seed in range(1, 51)]
    for passed, text in ((len(found) >= 100 and hits >= 0.97 * len(found),
                          f"open loop: {hits} of {len(found)} intervals cover"),
                         (short.count("stable") == 0, "open loop, too short: no interval")):
        print("PASS" if passed else "FAIL", text)
        bad += not passed
    print(f"{4 - bad} passed, {bad} failed")
    return 1 if bad else 0


def main(words: list[str]) -> int:
    if words[:1] == ["run"]:
        for name in words[1:]:
            if name not in SITUATIONS:
                print(f"coverage_ci.py: {name}; allowed: {', '.join(SITUATIONS)}", file=sys.stderr)
                return 2
        for name in words[1:] or SITUATIONS:
            run(name)
    elif words == ["table"]:
        table()
    elif words == ["power"]:
        power()
    elif words == ["check"]:
        return check()
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
