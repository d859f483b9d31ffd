# SPDX-License-Identifier: Apache-2.0
"""test_stand_ins.py - what the scripts of the papers hand to fatfly, gnuplot and files, with stand-ins for the commands."""
from __future__ import annotations

import csv
import itertools
import os
import pathlib
import platform
import re
import subprocess
from typing import Any

import pytest

import coverage_ci
import paper
import paper_cmsv
import paper_gg
import paper_page
import paper_tools
import readings_gg
from paper_page import Page
from paper_tools import Curve, Panel, Value, show
from test_numbers import Points


def program(path: pathlib.Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}")
    path.chmod(0o755)
    return str(path)


# -- fatfly -------------------------------------------------------------------------------------------

@pytest.mark.parametrize("quiet", [False, True])
@pytest.mark.parametrize("code", [0, 3])
def test_the_command(code: int, quiet: bool, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Its words, where it runs, and what of it is shown: if quiet, warnings of what failed."""
    program(tmp_path / "made" / "fatfly", f'echo "$#: $*"; pwd; echo warned >&2; exit {code}\n')
    monkeypatch.setattr(paper_tools, "ROOT", str(tmp_path))
    monkeypatch.setattr(paper_tools, "BUILD", "made")
    if code:
        with pytest.raises(subprocess.CalledProcessError) as failed:
            paper_tools.fatfly("one", "t w o", quiet=quiet)
        assert failed.value.returncode == 3
    else:
        assert paper_tools.fatfly("one", "t w o", quiet=quiet) == f"2: one t w o\n{tmp_path}\n"
    assert capfd.readouterr() == ("", "" if quiet and not code else "warned\n")


def test_sweeps_are_exported(monkeypatch: pytest.MonkeyPatch) -> None:
    """The columns that a chapter reads, of the results in the folder; a page asks once."""
    asked: list[tuple[str, ...]] = []
    text = "measured,topology,digest\n4,torus,0012\n,mesh,1e3\n"
    for module in (paper_tools, paper_cmsv):
        monkeypatch.setattr(module, "fatfly", lambda *words: asked.append(words) or text)
    page = Page("there", "", True)
    for columns, sweep in ((paper_tools.COLUMNS, page.sweep("one")), (paper_cmsv.COLUMNS, paper_cmsv.sweep(page, "two"))):
        assert asked[sweep.name == "two"] == ("export", f"there/{sweep.name}.sqlite", "--columns", ",".join(columns.split()))
        assert sweep.rows == [{"measured": 4, "topology": "torus", "digest": "0012"}, {"measured": "", "topology": "mesh", "digest": "1e3"}]
    assert page.sweep("one") is page.sweeps["one"] and paper_cmsv.sweep(page, "two") is page.sweeps["two"] and page.sweep("two").name == "two" and len(asked) == 2
    assert isinstance(page.sweeps["two"], paper_cmsv.Wide)


def test_the_model_of_gg(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(paper_gg, "fatfly", lambda *words: asked.append(words) or "load,latency,saturation_load\n0.1,50,0.2\n0.15,,0.2\n0.3,70,0.2\n")
    assert paper_gg.model(64.0, 32.0, 0.1234567890123) == {"load": 0.1, "latency": 50, "saturation_load": 0.2}
    assert paper_gg.model_curve(256, 16, 0.25) == [(0.1, 50), (0.3, 70)]
    assert asked == [("model", "--nodes", "64", "--length", "32", "--load", "0.123456789", "--format", "csv"),
                     ("model", "--nodes", "256", "--length", "16", "--loads", "0:0.25:60", "--format", "csv")]


def test_a_point_of_a_sample(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first row, read alike whatever the language is; what fails is no point."""
    monkeypatch.setenv("LC_ALL", "de_DE")
    monkeypatch.setattr(coverage_ci, "FATFLY", program(tmp_path / "fatfly", 'echo "words,language"; echo "$*,$LC_ALL"; echo "3,4"\n'))
    assert coverage_ci.point("--nodes 64  --load 0.1", 17) == {"words": "run --nodes 64 --load 0.1 --seed 17 --threads 1 --format csv", "language": "C"}
    monkeypatch.setattr(coverage_ci, "FATFLY", program(tmp_path / "fatfly", 'echo "words"; echo 1; exit 1\n'))
    with pytest.raises(subprocess.CalledProcessError):
        coverage_ci.point("--nodes 64", 1)


def test_pages_that_are_there(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sweep that was not run; the paths of pictures; each paragraph ends its line."""
    (tmp_path / "some.sqlite").touch()
    page = Page(str(tmp_path), str(tmp_path / "of" / "results.md"), False)
    assert (page.has("some"), page.has("other"), (tmp_path / "of" / "results").is_dir()) == (True, False, True)
    Page(str(tmp_path), str(tmp_path / "quick.md"), True)
    assert not (tmp_path / "quick").exists()
    Page(str(tmp_path), str(tmp_path / "of" / "results.md"), False)    # the folder may be there
    drawn: list[Any] = []
    monkeypatch.setattr(paper_page, "draw", lambda *words: drawn.append(words))
    panels = [Panel("a", "b", "c", [])]
    page.add("one\n", "two\n\n", "three")
    page.plot("high", "a high one", panels, 700)
    page.plot("low", "a low one", panels)
    assert page.text == ["one\n", "two\n", "three\n", "![a high one](results/high.svg)\n", "![a low one](results/low.svg)\n"]
    assert drawn == [(str(tmp_path / "of" / "results" / name), panels, height) for name, height in (("high", 700), ("low", 430))]
    page.quick = True
    page.plot("none", "no picture", panels)
    page.judge("a claim", "its source", "ours", "agrees")
    assert len(drawn) == 2 and len(page.text) == 5 and page.verdicts == [("a claim", "its source", "ours", "agrees")]
    rows = [{"nodes": 64.0, "path": "rp"}, {"nodes": 16.0, "path": "rp"}, {"nodes": 256.0, "path": "fp"}]
    assert (paper_page.sizes_of(Points(*rows)), paper_page.sizes_of(Points(*rows), path="rp")) == ([64, 16, 256], [64, 16])
    assert paper_page.ticks([16, 64]) == [("16", 16), ("64", 64)] and paper_page.POWERS[0] == ("4^{1}", 4) and paper_page.POWERS[9] == ("4^{10}", 4 ** 10)
    pairs = [(16, Value(1.26, 0.24)), (64, Value(-2, 0.36))]
    assert paper_page.per_size(pairs) == "N = 16: 1.3 ± 0.2 %; N = 64: -2.0 ± 0.4 %"
    assert paper_page.per_size(pairs, " cycles", None) == "N = 16: 1.26 ± 0.24 cycles; N = 64: -2.00 ± 0.36 cycles"


# -- gnuplot ------------------------------------------------------------------------------------------

SVG = """<svg>
  <g id="a">
    <g id="b" color="black">
    </g>
  </g>
  <g fill="none"><path stroke="rgb(  0, 114, 178)" stroke-width="1.00" stroke-linecap="butt" stroke-linejoin="miter"/></g>
\t<text color="black">two  words</text>\t
  <g></g><rect fill="rgb(255,255,  9)" stroke-width="2.00"/>
</svg>
"""
SHRUNK = """<svg>
<g fill="none"><path stroke="#0072b2"/></g>
<text>two  words</text>
<rect fill="#ffff09" stroke-width="2.00"/>
</svg>
"""
WINDOW = {"svg": 'svg size {},{} dynamic enhanced background "#ffffff" font "DejaVu Sans,12"', "png": 'pngcairo size {},{} enhanced background "#ffffff" font "DejaVu Sans,10"'}


@pytest.mark.parametrize("count, height, width", [(1, 430, 560), (2, 430, 900), (3, 300, 1350)])
@pytest.mark.parametrize("kind", [None, "svg", "png"])
def test_what_gnuplot_gets(kind: str | None, count: int, height: int, width: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of the size, the panels side by side; an SVG is shrunk."""
    (tmp_path / "drawn").write_text(SVG)
    program(tmp_path / "bin" / "gnuplot", f'cat >"{tmp_path}/script"; cp "{tmp_path}/drawn" "$(sed -n \'s/set output "\\(.*\\)"/\\1/p\' "{tmp_path}/script")"\n')
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.delenv("PAPER_PLOTS", raising=False)
    if kind:
        monkeypatch.setenv("PAPER_PLOTS", kind)
    kind = kind or "svg"
    panels = [Panel(f"panel {k}", "x", "y", [Curve("curve", [(k, 2)])]) for k in range(count)]
    paper_tools.draw(f"{tmp_path}/picture", panels, *([height] if height != 430 else []))
    begin = [f"set terminal {WINDOW[kind].format(width, height)}", f'set output "{tmp_path}/picture.{kind}"', "set grid lc rgb '#dddddd' lt 1", "set border 3",
        "set tics nomirror",
             "set errorbars 0.7", *[f"set multiplot layout 1,{count}"] * (count > 1)]
    inside = [line for k, panel in enumerate(panels) for line in paper_tools.panel_script(panel, k)]
    assert (tmp_path / "script").read_text() == "\n".join(begin + inside + ["unset multiplot"] * (count > 1)) + "\n"
    assert (tmp_path / f"picture.{kind}").read_text() == (SHRUNK if kind == "svg" else SVG)
    program(tmp_path / "bin" / "gnuplot", "exit 1\n")
    with pytest.raises(subprocess.CalledProcessError):
        paper_tools.draw(f"{tmp_path}/picture", panels)


def test_a_panel() -> None:
    """Whole: a line of a model, points with bars, open points, and the looks of a style that is given."""
    curves = [Curve("ours", [(1, 2, 0.5), (4, 1234567, 0)]), Curve("open", [(1, 3)], 2, dash=True), Curve("model", [(1, 2), (3, 4)], style=9, dash=True, model=True),
        Curve("full", [(1, 0)], 4)]
    script = paper_tools.panel_script(Panel("title", "across", "up", curves, log="xy", base={"y": 2}, lines=[0.5], levels=[7]), 6)
    assert "\n".join(script) == """set title "title"
set xlabel "across"
set ylabel "up"
unset logscale
set mxtics 1
set mytics 1
set xtics autofreq
set ytics autofreq
set format x '%g'
set format y '%g'
unset label
unset arrow
set logscale x 10
set logscale y 2
set xrange [*:*]
set yrange [*:*]
set arrow from first 0.5, graph 0 to first 0.5, graph 1 nohead dt 3 lc rgb '#666666'
set arrow from graph 0, first 7 to graph 1, first 7 nohead dt 3 lc rgb '#666666'
set bmargin 6.9
set key bmargin center horizontal maxcols 3 samplen 3 width 2
$d6_0 << EOD
1 2 0.5
4 1.23457e+06 0
EOD
$d6_1 << EOD
1 3
EOD
$d6_2 << EOD
1 2
3 4
EOD
$d6_3 << EOD
1 0
EOD
plot $d6_0 using 1:2:3 with yerrorbars lc rgb "#0072b2" pt 0 notitle, \\
  $d6_0 using 1:2 with linespoints lc rgb "#0072b2" dt 1 pt 7 ps 0.7 title "ours", \\
  $d6_1 using 1:2 with linespoints lc rgb "#009e73" dt 2 pt 8 ps 0.7 title "open", \\
  $d6_2 using 1:2 with lines lc rgb "#d55e00" lw 1.5 dt 2 title "model", \\
  $d6_3 using 1:2 with linespoints lc rgb "#000000" dt 1 pt 4 ps 0.7 title "full\""""
    for style, (full, hollow) in enumerate(((7, 6), (5, 4), (9, 8), (11, 10), (4, 4), (6, 6), (8, 8), (10, 10))):
        for dash, look in ((False, full), (True, hollow)):
            assert f" pt {look} " in paper_tools.panel_script(Panel("", "", "", [Curve("", [(1, 1)], style, dash)]), 0)[-1]


# -- samples of intervals -----------------------------------------------------------------------------

def test_what_is_sampled(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The truth with a seed of its own, then a seed a line; a line that was cut off is sampled again, whole ones are not."""
    asked: list[tuple[str, int]] = []

    def point(options: str, seed: int) -> dict[str, str]:
        asked.append((options, seed))
        row = {"verdict": "stable", "last_arrival_mean": "7", "last_arrival_low": "", "last_arrival_high": ""}
        for k, stem in enumerate(("latency", "latency_p50", "latency_p95", "latency_p99", "latency_p999")):
            row |= {f"{stem}_low": f"{k}.5", f"{stem}_high": f"{k + seed}", "latency_mean" if stem == "latency" else stem: f"{k + 1}"}
        return row

    monkeypatch.setattr(coverage_ci, "BUILD", tmp_path / "new" / "build")
    monkeypatch.setattr(coverage_ci, "point", point)
    monkeypatch.setattr(coverage_ci, "seeds_of", lambda name: 3)
    monkeypatch.setitem(coverage_ci.SITUATIONS, "some", ("--nodes 4 --runs 10 --load 1", "--cycles 5", "--cycles 99", "50"))
    monkeypatch.setitem(coverage_ci.SEEDS_FROM, "some", 40)
    coverage_ci.run("some")
    assert asked == [("--nodes 4 --load 1 --cycles 99", 778000000)] + [("--nodes 4 --runs 10 --load 1 --cycles 5", seed) for seed in (40, 41, 42)]
    lines = [coverage_ci.header("some"), "1,7,2,3,4,5"] + [f"stable,1,0.5,{seed}.0,7,,,2,1.5,{seed + 1}.0,3,2.5,{seed + 2}.0,4,3.5,{seed + 3}.0,5,4.5,{seed + 4}.0"
        for seed in (40, 41, 42)]
    stored = tmp_path / "new" / "build" / "some.csv"
    assert stored.read_text().splitlines() == lines and lines[0].startswith("--nodes 4 --runs 10 --load 1 | --cycles 5 | --cycles 99 | 40 | 778000000 | ")
    stored.write_text("\n".join(lines)[:-9])
    coverage_ci.run("some")
    assert asked[4:] == [("--nodes 4 --runs 10 --load 1 --cycles 5", 42)] and stored.read_text().splitlines() == lines
    assert capsys.readouterr().out == "some: 3 samples\n" * 2


def test_the_table_of_intervals(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Of static runs one must lie beyond a quantile; new samples count unless there were more; the page has the table, and what was held out is told."""
    runs = {f"static-{n}": n for n in (19, 20, 99, 100, 999, 1000)}
    situations = {name: ("--nodes 4", f"--scan rr --runs {n}", "", "") for name, n in runs.items()} | {name: ("--load 0.1", "--cycles 9 --runs 2", "", "55")
        for name in ("open", "more", "fewer", "none")}
    held = {"held": ("--load 0.2", "--cycles 9", "", "60"), "held-none": ("--load 0.2", "--cycles 9", "", "60")}
    monkeypatch.setattr(coverage_ci, "SITUATIONS", situations | held)
    monkeypatch.setattr(coverage_ci, "HELD_OUT", held)
    monkeypatch.setattr(coverage_ci, "BUILD", tmp_path)
    monkeypatch.setattr(coverage_ci, "RESULT", tmp_path / "intervals.csv")
    monkeypatch.setattr(coverage_ci, "ROOT", tmp_path)
    monkeypatch.setattr(coverage_ci, "results", lambda: "this program")
    monkeypatch.delenv("INTERVALS", raising=False)
    before = []
    for name, (k, kind) in itertools.product([*situations, "held", "an old one"], enumerate(coverage_ci.KINDS)):
        if name != "none" and kind != "p999" or name == "static-999" or name == "static-1000":
            before.append({"situation": name, "of": kind, "truth": f"{100 + k}.25", "samples": "3", "given": "2", "covered": "1",
                           "share": "" if name == "open" and kind in ("last", "p95") else f"0.9{k}5",
                           "low95": "0.8125", "high95": "0.99", "too_low": "1", "half_width": f"0.0{k}5"})
    with open(coverage_ci.RESULT, "w", encoding="ascii", newline="") as out:
        writer = csv.DictWriter(out, before[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(before)
    for name, count in (("more", 3), ("fewer", 2)):
        (tmp_path / f"{name}.csv").write_text("\n".join([coverage_ci.header(name), "10,,20,,,", *["stable,1,9,11,,,,2,19,23,,,,,,,,,"] * count]) + "\n")
    (tmp_path / "docs").mkdir()
    page = tmp_path / "docs" / "intervals.md"
    page.write_text("before\n\n| Situation | Load, % of accepted | Of | Truth | Given | Covered | 95 % of that | Half-width | p50, p95, p99 |\n| old |\n| old |\n\nafter | it\n")
    coverage_ci.table()
    with open(coverage_ci.RESULT, encoding="ascii", newline="") as file:
        after = list(csv.DictReader(file))
    least = {"p95": 20, "p99": 100, "p999": 1000}
    empty = {"given": "0", "covered": "0", "share": "", "low95": "", "high95": "", "too_low": "0", "half_width": ""}
    want = []
    for name in [*situations, "held"]:
        some = coverage_ci.summary("more") if name == "more" else [row for row in before if row["situation"] == name]
        want += [row | (empty if runs.get(name, 9999) < least.get(row["of"], 0) else {}) for row in some]
    assert after == want and sum(row["given"] == "0" for row in after) == 5 and [row["samples"] for row in after if row["situation"] == "more"] == ["3", "3"]
    shown = []
    for row in want:
        if row["of"] in ("mean", "last") and row["situation"] != "held":
            cells = [f"{100 * float(row['share']):.1f} %", f"{100 * float(row['low95']):.1f}-{100 * float(row['high95']):.1f}",
                f"{100 * float(row['half_width']):.1f} %"] if row["share"] else ["none given", "", ""]
            also = {other["of"]: f"{100 * float(other['share']):.1f}" if other["share"] else "-" for other in want if other["situation"] == row["situation"]}
            quantiles = ", ".join(also[kind] for kind in ("p50", "p95", "p99") if kind in also) if row["of"] == "mean" else ""
            shown.append("| " + " | ".join([row["situation"], situations[row["situation"]][3], row["of"], f"{float(row['truth']):.1f}", f"{row['given']}/{row['samples']}",
                *cells, quantiles]) + " |")
    said = capsys.readouterr().out.splitlines()
    assert said[2:2 + len(shown)] == shown and said[1] == "| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    assert said[2 + len(shown):] == ["", "held out: held: mean 1 of 2, last 1 of 2; 3 samples", "held out: all: 2 of 4"]
    assert page.read_text() == "\n".join(["before", "", *said[:2 + len(shown)], "", "after | it", ""])
    assert sorted(path.suffix for path in tmp_path.rglob("*.*")) == [".csv"] * 3 + [".md"]


def test_loads_near_saturation(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """What is accepted far above saturation is asked for once, for all cycles; where no more can be offered, shares are of 1."""
    asked: list[tuple[str, int]] = []

    def point(options: str, seed: int) -> dict[str, str]:
        asked.append((options, seed))
        return {"verdict": ("stable", "undecided", "saturated")[len(asked) % 3], "accepted_load": "0.4"}

    monkeypatch.setattr(coverage_ci, "BUILD", tmp_path / "new" / "build")
    monkeypatch.setattr(coverage_ci, "RESULT", tmp_path / "intervals.csv")
    monkeypatch.setattr(coverage_ci, "point", point)
    monkeypatch.setattr(coverage_ci, "POWER_SEEDS", 2)
    monkeypatch.setattr(coverage_ci, "NEAR", (0.99, 1.01))
    monkeypatch.setattr(coverage_ci, "NETWORKS", {"one": ("--one", 0.5, (100, 200), True), "two": ("--two", 1.5, (300,), False)})
    coverage_ci.power()
    want = [("--one --load 0.500000 --cycles 1000000 --whole", 778000000)]
    want += [(f"--one --load {share * 0.4:.6f} --cycles {cycles}", seed) for cycles in (100, 200) for seed in (500001, 500002) for share in (0.99, 1.01)]
    want += [("--two --load 1.500000 --cycles 1000000 --whole", 778000000)] + [("--two --load 0.990000 --cycles 300", seed) for seed in (500001, 500002)]
    assert asked == want
    kinds = [("stable", "undecided", "saturated")[k % 3] for k in range(1, 13)]
    by = {("one", "100", "0.99"): [1, 3], ("one", "100", "1.01"): [2, 4], ("one", "200", "0.99"): [5, 7], ("one", "200", "1.01"): [6, 8], ("two", "300", "0.99"): [10, 11]}
    counts = {key: [[kinds[k] for k in at].count(word) for word in ("stable", "undecided", "saturated")] for key, at in by.items()}
    assert (tmp_path / "power.csv").read_text().splitlines() == ["network,options,cycles,share,runs,stable,undecided,saturated"] + [
        f"{name},--{name},{cycles},{share},2,{','.join(map(str, count))}" for (name, cycles, share), count in counts.items()]
    one, two, three, four, five = ("/".join(map(str, count)) for count in counts.values())
    assert capsys.readouterr().out.splitlines() == ["| Network | Cycles | -1.0 % | +1.0 % |", "| --- | ---: | --- | --- |", f"| one | 100 | {one} | {two} |",
        f"| one | 200 | {three} | {four} |", f"| two | 300 | {five} | - |"]
    stored = tmp_path / "new" / "build" / "power.csv"
    lines = stored.read_text().splitlines()
    assert lines[:3] == [f"# {coverage_ci.results()}", f"one,2.0,1000000,778000000,{kinds[0]},0.4", f"one,0.99,100,500001,{kinds[1]},0.4"] and len(lines) == 13
    stored.write_text("\n".join(lines[:-1] + ["two,0.99,300"]))
    coverage_ci.power()
    assert asked[12:] == want[-1:] and capsys.readouterr().out


# -- files and commands of the pages ------------------------------------------------------------------

def test_all_constants(tmp_path: pathlib.Path) -> None:
    """A line for each fit: constant, half-width of its logarithm, ends of the ratio, exponent."""
    ledger = paper_cmsv.Ledger()
    rows = [{"topology": "torus", "nodes": 4.0 ** k, "length": 4, "measured": 4.0 ** k, "cycles": 3 * 2.0 ** k * (1 + k % 2)} for k in range(2, 8)]
    assert ledger.add("nothing", "time", "B = 1", rows[:3], paper_cmsv.cycles, lambda r: r["nodes"]) is None and not ledger.lines
    fit = ledger.add("algorithm 2", "time", "B = 2", rows, paper_cmsv.cycles, lambda r: r["nodes"])
    paper_cmsv.write_csv(str(tmp_path / "all.csv"), ledger)
    head, line = (tmp_path / "all.csv").read_text(encoding="utf-8").splitlines()
    assert head == "algorithm,of,limit,runs,constant,log_half_99,least,largest,exponent,exponent_half_99"
    numbers = [fit.constant, fit.half, fit.least, fit.most, fit.power, fit.power_half]
    assert line == "algorithm 2,time,B = 2,6," + ",".join(f"{v:.6g}" for v in numbers) and len(set(numbers)) == 6 and not list(tmp_path.glob("*.part"))
    low, high = fit.constant * 2.718281828 ** -fit.half, fit.constant * 2.718281828 ** fit.half
    cells = [f"{fit.constant:.2f} ({low:.2f} .. {high:.2f})", f"{fit.least:.2f}", f"{fit.most:.2f}", f"{fit.power:.2f} ± {fit.power_half:.2f}"]
    assert ledger.table("algorithm 2", "B").splitlines()[::2] == ["| B | of | runs | constant (99 %) | least | largest | exponent p |",
        f"| B = 2 | time | 6 | {' | '.join(cells)} |"]
    assert len(ledger.table("algorithm 1", "B").splitlines()) == 2 and ledger.all_hold("algorithm 2") == []
    fit.power = 1.001 + fit.power_half
    assert ledger.all_hold("algorithm 2") == ["B = 2"] and ledger.all_hold("algorithm 1") == []


def test_what_readings_say_of_variants(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(paper_gg, "ROOT", str(tmp_path))
    said = "3 of the 16 variants accept the model's 0.2."
    for lines, good in ((["one", said, "two"], True), (["one"], False), ([said, said], False)):
        (tmp_path / "docs" / "readings-gg.md").write_text("\n".join(lines))
        if good:
            assert paper_gg.variants() == f"{said} Each is in [readings-gg.md](readings-gg.md#saturation)."
        else:
            with pytest.raises(LookupError, match="which variants accept"):
                paper_gg.variants()


def test_the_page_of_readings(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Runs what is missing, unless it is only to draw or to check; writes nothing where it checks or the sweep did not end."""
    asked: list[Any] = []
    page, ended = tmp_path / "page.md", True

    def sweep(*words: str) -> str:
        if not ended:
            raise subprocess.CalledProcessError(7, ["build/fatfly", *words])
        return asked.append(words) or ""

    monkeypatch.setattr(readings_gg, "fatfly", sweep)
    monkeypatch.setattr(readings_gg, "Sweep", lambda folder, name: asked.append((folder, name)))
    monkeypatch.setattr(readings_gg, "page_of", lambda found: "the page\n")
    folder = tmp_path / "results"

    def main(*words: str) -> tuple[int, str, list[Any]]:
        monkeypatch.setattr("sys.argv", ["readings_gg.py", *words, str(folder), str(page)])
        asked.clear()
        code, said = readings_gg.main(), capsys.readouterr()
        return code, said.out + said.err, [*asked]

    ran, read = ("sweep", "sim/paper/readings-gg.cfg", "--db", f"{folder}/readings-gg.sqlite"), (str(folder), "readings-gg")
    assert main() == (0, f"wrote {page}\n", [ran, read]) and page.read_text() == "the page\n" and not list(tmp_path.glob("*.part")) and folder.is_dir()
    assert main("--check") == (0, "", [read])
    page.write_text("another\n")
    assert main("--check") == (1, f"readings_gg.py: {page} is not what the results say\n", [read]) and page.read_text() == "another\n"
    assert main("--redraw") == (0, f"wrote {page}\n", [read]) and page.read_text() == "the page\n"
    page.unlink()
    ended = False
    assert main() == (4, "readings_gg.py: fatfly sweep ended with exit code 7\n", []) and not page.exists()


def test_the_command_of_the_page(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    made: list[Any] = []
    for name in ("write", "one_chapter"):
        monkeypatch.setattr(paper, name, lambda page, name=name: made.append((name, page)))
    monkeypatch.setattr(paper, "Page", lambda *words: words)
    assert paper.main(["f", "p"]) == paper.main(["--quick", "f", "p"]) == paper.main(["f", "--gg", "p"]) == 0
    assert made == [("write", ("f", "p", False)), ("write", ("f", "p", True)), ("one_chapter", ("f", "p", False))]
    for words in ([], ["f"], ["f", "p", "q"], ["--all", "p"], ["--quick", "--gg", "f", "p"]):
        assert paper.main(words) == 2 and capsys.readouterr().err.startswith("usage: scripts/paper/paper.py [--quick | --gg] FOLDER PAGE")
    for wrong in (OSError("no page"), LookupError("no point"), subprocess.CalledProcessError(1, "gnuplot")):
        def fail(page: Page, wrong: Exception = wrong) -> None:
            raise wrong
        monkeypatch.setattr(paper, "write", fail)
        assert paper.main(["f", "p"]) == 4 and capsys.readouterr().err == f"paper.py: {wrong}\n"
    assert len(made) == 3


CHAPTERS = "table_1 open_cell table_2 figure_2 figures_3_4 figure_5 delays lengths depths formulas gg statements beyond tori leighton universal comparison".split()
QUICK = "table_1 table_2 figure_2 figures_3_4 figure_5 gg statements tori leighton".split()


@pytest.mark.parametrize("quick", [False, True])
def test_the_whole_page(quick: bool, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each chapter once, in order; verdicts of GG count in the table of GO's statements, which stands before; sweeps, machine and tools at the end."""
    def chapter(name: str) -> Any:
        def write(page: Page) -> None:
            page.add(f"## {name}{f' {len(page.verdicts)}' * (name == 'statements')}")
            if name in ("table_1", "formulas", "gg"):
                page.judge(name, "", "", {"table_1": "agrees", "formulas": "differs by 1", "gg": "agrees up to 80 %"}[name])
            if name in ("table_1", "gg"):
                rows = [{"seed": 7.0, "runs": 2.0, "cpu_s": 1.4, "digest": "d"}, {"seed": 5.0 + 2 * (name == "gg"), "runs": 3.0, "cpu_s": 1.2, "digest": "e"}]
                sweep = Points(*rows)
                sweep.digest = lambda: f"digest of {name}"    # type: ignore[attr-defined]
                page.sweeps[name] = sweep
        return write

    for name in CHAPTERS:
        monkeypatch.setattr(next(m for m in (paper, paper.paper_bc, paper.paper_leighton, paper.paper_cmsv) if hasattr(m, name)), name, chapter(name))
    monkeypatch.setattr(paper, "fatfly", lambda *words: f"fatfly 1.2 {words}\n")
    monkeypatch.setattr(paper.paper_tools, "ROOT", str(tmp_path))
    program(tmp_path / "bin" / "gnuplot", 'echo "gnuplot 6 $*"\n')
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    monkeypatch.setenv("CC", program(tmp_path / "cc", 'echo "cc 9 $*"; echo more\n'))
    page = Page("", str(tmp_path / "docs" / "results.md"), quick)
    (tmp_path / "docs").mkdir(exist_ok=True)
    paper.write(page)
    text = (tmp_path / "docs" / "results.md").read_text(encoding="utf-8")
    lines = text.splitlines()
    heads = [line[3:] for line in lines if line.startswith("## ")]
    order = QUICK[:5] + ["formulas"] + QUICK[5:] if quick else [*CHAPTERS[:10], "statements", "gg", *CHAPTERS[12:]]
    assert heads == [f"{name}{' 3' * (name == 'statements')}" for name in order] + ["To repeat"]
    assert lines[:4] == ["<!-- SPDX-License-Identifier: Apache-2.0; made by make paper, not by hand -->", "", "# The papers' experiments, repeated", ""]
    assert lines[4].startswith("Ours beside theirs: ") and lines[6].startswith("Of 3 published results and statements 1 agree, 1 agree in part and 1 differ:")
    assert lines[8] == "## table_1"
    place = "sim/paper/quick" if quick else "sim/paper"
    end = lines[lines.index("## To repeat"):]
    assert end[2] == f"    make paper{' PAPER_ARGS=--quick' * quick}" and f"    build/fatfly sweep {place}/table1.cfg --format table" in end
    assert [line for line in end if line.startswith("|")] == ["| sweep | points | runs | seeds | CPU s | digest |", "| --- | --- | --- | --- | --- | --- |",
                                                              f"| [table_1](../{place}/table_1.cfg) | 2 | 5 | 5 .. 7 | 3 | `digest of table_1` |",
                                                              f"| [gg](../{place}/gg.cfg) | 2 | 5 | 7 | 3 | `digest of gg` |"]
    said = [line.strip()[:20] for line in end if line and not line.startswith("|")]
    assert said[2:-1] == ["or one sweep, one ce", "build/fatfly sweep s", "build/fatfly run --n", "The digest of a swee"]
    assert "see [simulator.md](simulator.md). They depend" in text
    chips = re.findall(r"^model name\s*: (.*?)\s*$", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"), re.M)
    assert end[-1] == (f"fatfly 1.2 ('--version',); cc 9 --version; gnuplot 6 --version; {platform.system()} {platform.machine()}, {len(os.sched_getaffinity(0))} cores"
                       f"{f' of {chips[0]}' if chips else ''}; 5 s of CPU time in all.")


def test_errors_of_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shares of the saturation load are told apart from a thousandth on; loads that are printed are rounded."""
    asked = []
    monkeypatch.setattr(readings_gg, "model", lambda *words: asked.append(words) or {"latency": 110.0, "saturation_load": 0.2})
    rows = [{"path": path, "scan": "fcfs", "depth": 2, "vcs": 1, "length": length, "load": 0.2 * share, "runs": 10, "latency_mean": mean, "latency_ci99": 0.5}
            for path, mean in (("rw", 100), ("rg", 125)) for at in (0.125, 0.736, 0.744) for length, share in ((16, at + 2e-4), (32, at - 2e-4), (64, at))]
    found, worst = readings_gg.errors(Points(*rows), 0.2)
    assert found == [[f"{100 * share:.0f} %", words] + cells * 3 for share in (0.125, 0.736, 0.744)
                     for words, cells in (("waits for the link it drew (RW)", ["100.00 ± 0.50", "110.0", "10.0 ± 0.6 %"]),
                         ("draws anew in every cycle (RG)", ["125.00 ± 0.50", "110.0", "-12.0 ± 0.4 %"]))]
    assert worst == {(path, share): pytest.approx(error) for share in (0.125, 0.736, 0.744) for path, error in (("rw", 10), ("rg", 12))}
    asked.clear()
    rows += [{"path": path, "scan": "fcfs", "depth": q, "vcs": 3, "length": length, "load": 0.4, "runs": 1, "accepted_load": load + k / 1000}
             for path, q, load in (("rw", 2, 0.199), ("rg", 5, 0.18))
             for length in (16, 32, 64) for k in range(3)]
    text = readings_gg.page_of(Points(*rows))
    assert asked[0] == (1024, 32, 0.001) and set(asked[1:]) == {(1024, row["length"], row["load"]) for row in rows[:18]}
    half = paper_tools.mean_of([0.199, 0.2, 0.201]).half
    assert f"| RW | FCFS | 2 | 3 |{f' {show(Value(0.2, half))} (+0.0 %) |' * 3}\n| RG | FCFS | 5 | 3 |{f' {show(Value(0.181, half))} (-9.5 %) |' * 3}\n" in text
    assert "| share | a blocked worm | L = 16: ours | L = 16: model | L = 16: error | L = 32: ours |" in text and "\n| path | scan | q | V | L = 16 | L = 32 | L = 64 |\n" in text
    assert "1 of the 2 variants accept the model's 0.2000 within 2 % for all three lengths." in text and "The model saturates at 0.20000 flits" in text
