# SPDX-License-Identifier: Apache-2.0
"""test_bench.py - what the benchmarks make of times and counts, with programs that say given ones."""

from __future__ import annotations

import csv
import gzip
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts/bench"))
import bench_view  # noqa: E402  (the path above)


def program(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)


def bench(folder: pathlib.Path, script: str, *words: str, **settings: str) -> str:
    env = {**os.environ, "BUILD": str(folder), "PATH": f"{folder}/bin:{os.environ['PATH']}", **settings}
    return subprocess.run([ROOT / "scripts/bench" / script, *words], env=env, check=True, capture_output=True, text=True).stdout


def test_an_exchange(tmp_path: pathlib.Path) -> None:
    """A cycle is 10 us of work; with four ranks it takes 8 us, of which 2.5 are a rank's own work."""
    for name, seconds in (("fatfly", "1e-5"), ("fatfly-mpi", "8e-6")):
        program(tmp_path / name, f"echo wall_s,cpu_s,last_arrival_mean,digest; echo {seconds},{seconds},0,0123")
    program(tmp_path / "bin/mpirun", 'exec "${@:4}"')
    said = bench(tmp_path, "bench_mpi.sh", "4", MOST="4096", ROUNDS="1", MPIRUN="mpirun")
    assert "| 4 | 5.5 |" in said and "| 4096 | 10.0 | 1.25 |" in said


@pytest.mark.parametrize("rounds, best", [("1", 1000), ("3", 100000)])
def test_traversals_of_booksim(tmp_path: pathlib.Path, rounds: str, best: int) -> None:
    """8 * 256 / 255 links for each flit; of three runs the one that did most in its time."""
    peers = tmp_path / "peers/booksim2"
    program(peers / "src/booksim", "echo >>runs; echo \"Time taken is $((100 * 10 ** $(wc -l <runs))) cycles\"; echo 'Accepted flit rate average = 0.04 (1 samples)'\n"
            "for ((k = 0; k < 100000; k++)); do :; done")
    (tmp_path / "peers/booksim2.from").write_text("\n")
    flits = best * 0.04 * 256
    said = bench(tmp_path, "bench_booksim.sh", FORMAT="torus", ROUNDS=rounds, BOOKSIM="", CXX="true", LEX="true", YACC="true").split()
    assert float(said[0]) == pytest.approx(flits * 8 * 256 / 255, rel=1e-5)


OPTION = """of() { local want=$1; shift; for word; do [ "${last-}" != "$want" ] || { echo "$word"; return; }; last=$word; done; }
"""  # of OPTION WORD...: its value


def rows(said: str) -> dict[str, list[str]]:
    """Of a table in Markdown: the cells after the first one, by that."""
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in said.splitlines() if line.startswith("|")]
    return {first: rest for first, *rest in cells}


def test_a_large_run(tmp_path: pathlib.Path) -> None:
    """P threads take 12 / P s by the clock; in the first round all take a second more."""
    program(tmp_path / "fatfly", 'parts=${7}; digest=0123; [ "$parts" != "${ODD-}" ] || digest=4567; echo nodes,digest; echo 64,$digest')
    program(tmp_path / "bin/time", 'if [ "$1" != -o ]; then exit 0; fi; "${@:5}" && parts=${12} && echo >>"$BUILD/runs.$parts" && '
            'awk -v p="$parts" -v k="$(wc -l <"$BUILD/runs.$parts")" \'BEGIN { print 11 - (k > 1), 0.5, 12 / p + (k == 1), 2000000 }\' >"$2"')
    said = bench(tmp_path, "bench_large.sh", "2", "4", NODES="64", ROUNDS="2")
    assert {first: rest for first, rest in rows(said).items() if first in ("1", "2", "4")} == {
        "1": ["10.50", "12.00", "1.00", "2.00"], "2": ["10.50", "6.00", "2.00", "2.00"], "4": ["10.50", "3.00", "4.00", "2.00"]}
    assert "The digest is `0123`" in said
    with pytest.raises(subprocess.CalledProcessError) as wrong:
        bench(tmp_path, "bench_large.sh", "2", "4", NODES="64", ROUNDS="1", ODD="4")
    assert wrong.value.returncode == 1 and "digest 0123 on one thread, 4567 on 4" in wrong.value.stderr
    with pytest.raises(subprocess.CalledProcessError) as wrong:
        bench(tmp_path, "bench_large.sh", "3")
    assert wrong.value.returncode == 2 and "3 threads; allowed" in wrong.value.stderr


def test_channels(tmp_path: pathlib.Path) -> None:
    """V channels do V traversals in a microsecond, each of 40 instructions, after 12345 of set-up."""
    program(tmp_path / "fatfly", OPTION + """
if [ "$1" = model ]; then printf 'saturation_load\\n0.05\\n'; exit; fi
cycles=$(of --cycles "$@") digest=0123; [ "$(of --engine "$@")" != "${ODD-none}" ] || digest=4567
echo "flit_hops,cpu_s,digest"; echo "$((cycles * $(of --vcs "$@") * 1000)),$(awk -v c="$cycles" 'BEGIN { print c / 1000 }'),$digest"
""")
    program(tmp_path / "bin/valgrind", """csv=$("${@:4}"); echo "$csv"; hops=$(tail -n 1 <<<"$csv"); hops=${hops%%,*}
echo "summary: $((40 * hops + 12345))" >"${3#*=}" """)
    said = rows(bench(tmp_path, "bench_channels.sh", ROUNDS="1"))
    assert len(said) == 13 and all(row == ["1.0", "2.0", "4.0"] for first, row in said.items() if first and first[0] not in "i-")
    assert said["instructions of a traversal, N = 1024, L = 32, 80 %"] == ["40", "40", "40"]
    with pytest.raises(subprocess.CalledProcessError) as wrong:
        bench(tmp_path, "bench_channels.sh", ROUNDS="1", ODD="fast")
    assert wrong.value.returncode == 1 and "V = 1: the engines differ" in wrong.value.stderr


def test_ratios_of_cosim(tmp_path: pathlib.Path) -> None:
    """The best of two rounds; the second has twice the rates of the first."""
    rates = [("switch-", 7000), ("saturated.cfg --side c ", 2500), ("saturated.cfg --side rtl ", 500), ("--side c ", 3000), ("--side rtl ", 1000),
             ("fat64-open-load ", 250)]
    cases = "".join(f'*"{words}"*) rate={rate} ;; ' for words, rate in rates)
    program(tmp_path / "fatfly", f'case "$* " in {cases} esac; echo >>"$BUILD/runs"; [ "$(wc -l <"$BUILD/runs")" -le 6 ] || rate=$((2 * rate))\n'
            'echo "name 1 2 3 4 0123 $rate"')
    for tool in ("make", "verilator", "g++"):
        program(tmp_path / "bin" / tool, "")
    program(tmp_path / "bench/n64-v1-q2-w32-rp-rr.so", "")  # as new as it must be
    said = rows(bench(tmp_path, "bench.sh", ROUNDS="2", VERILATOR="true"))
    assert said["one switch in lock-step, everything compared"] == ["14000", ""]
    assert said["N = 64 in lock-step, everything compared"] == ["500", "0.25 of the Verilog alone"]
    assert said["N = 64, C model alone"] == ["6000", "3.0 times the Verilog alone"]
    assert said["N = 64 saturated, C model alone"] == ["5000", "5.0 times the Verilog alone"]


def test_saturation_of_booksim(tmp_path: pathlib.Path) -> None:
    """BookSim2 saturates at 0.4, fatfly at 0.5, with --pipeline at 0.3, without processor_links at 0.6; found to 0.006."""
    load = """load=$(awk -F '[ =;]+' '/^injection_rate =/ { r = $2 } /classes = 2/ { n = 1 } END { print r * (1 + n) }' "$1")
above() { awk -v x="$load" -v most="$1" 'BEGIN { exit !(x > most) }'; }
"""
    program(tmp_path / "booksim", load + "if above 0.4; then echo unstable; else printf 'Packet latency average = %s\\n' 9 30 31; fi")
    program(tmp_path / "fatfly", """if [ "$1" = import ]; then cat "$3"; echo 'processor_links = true;'; [ "${4-}" != --pipeline ] || echo pipeline; exit; fi
set -- "$3"; """ + load + """most=0.5; ! grep -q pipeline "$1" || most=0.3; grep -q processor_links "$1" || most=0.6
echo latency_mean,saturated; if above $most; then echo 99,1; else echo 20,0; fi""")
    tools = {"BOOKSIM": str(tmp_path / "booksim"), "FATFLY": str(tmp_path / "fatfly")}
    for text, idle in (("1 wait", "31"), ("8 classes", "30.5")):
        _, row = bench(tmp_path, "bench_import.sh", text, **tools).splitlines()
        words = row.split(",")
        assert words[2:5] == [idle, "20", "20"] and [float(word) for word in words[5:8]] == pytest.approx([0.4, 0.5, 0.3], abs=0.006)
        assert [float(word) for word in words[8:]] == pytest.approx([1.25, 0.75], abs=0.03)
    for text, after in (("8  without processor_links here", 0.6), ("1  --pipeline here", 0.3)):
        _, row = bench(tmp_path, "bench_import.sh", "--rules", text, **tools).splitlines()
        words = row.split(",")
        assert words[0] == text[0] and [float(word) for word in words[4:6]] == pytest.approx([0.5, after], abs=0.006)
    assert bench(tmp_path, "bench_import.sh", BOOKSIM=str(tmp_path / "none")).startswith("skipped: ")


def test_runs_of_booksim(tmp_path: pathlib.Path) -> None:
    """Of three runs of each line, whose times are 5, 2 and 3 s, that with the least time a traversal; links and worms in the time of a line."""
    peers = tmp_path / "peers/booksim2"
    program(peers / "src/booksim", """at() { sed -n "s/^$1 = \\(.*\\);/\\1/p" bench.cfg; }
echo >>"runs.$(at vc_buf_size).$(at injection_rate)"
cpu=(0 5 2 3)
awk -v load="$(at injection_rate)" -v cycles="$((2 * $(at sample_period)))" -v cpu="${cpu[$(wc -l <"runs.$(at vc_buf_size).$(at injection_rate)")]}" 'BEGIN {
  worms = load * 1024 * cycles / 32; printf "updown: links %d worms %d cycles %d cpu %s mb 34\\n", 9 * worms, worms, cycles, cpu }' >&2
exit 255""")
    (tmp_path / "peers/booksim2.from").write_text("\n")
    tools = {"ROUNDS": "3", "CYCLES": "100000", "BOOKSIM": "", "CXX": "true", "LEX": "true", "YACC": "true"}
    found = list(csv.DictReader(bench(tmp_path, "bench_booksim.sh", FORMAT="csv", **tools).splitlines()))
    assert [(row["depth"], row["share"]) for row in found] == [("8", "0.8"), ("8", "0.2"), ("2", "0.8"), ("2", "0.2")]
    for row in found:
        load = 0.0391 * float(row["share"]) * (0.4 if row["depth"] == "2" else 1)
        assert [float(row[c]) for c in ("load", "accepted")] == pytest.approx([load, load], abs=2e-5)
        hops = 32 * 9 * float(row["load"]) * 1024 * 100000 / 32
        assert float(row["traversals"]) == pytest.approx(hops, rel=0.01) and (row["cpu_s"], row["cycles"], row["memory_mb"]) == ("2.000", "100000", "34")
        assert float(row["traversals_per_cpu_s"]) == pytest.approx(hops / 2, rel=0.01) and row["cycles_per_cpu_s"] == "50000"
    for file in (tmp_path / "peers").glob("runs.*"):
        file.unlink()
    table = [line.strip("| ").split(" | ") for line in bench(tmp_path, "bench_booksim.sh", FORMAT="table", **tools).splitlines() if "buffers" in line]
    assert [[row[0][0], row[1].split()[0], *row[3:5], row[6], row[7]] for row in table] == [
        [r["depth"], r["load"], r["traversals"], "2.00", r["cycles_per_cpu_s"], "34 MB"] for r in found]
    assert [row[1].split()[1] for row in table] == ["(80", "(20"] * 2


def test_rates_of_rows(tmp_path: pathlib.Path) -> None:
    """A row below a tenth of the best of its own group says why; of two rounds the better counts."""
    program(tmp_path / "fatfly", OPTION + """
rate=$(of --length "$@"); echo >>"$BUILD/runs.$rate"; [ "$(wc -l <"$BUILD/runs.$rate")" != 1 ] || rate=$((rate / 2))
echo flit_hops,cpu_s; echo "$((rate * 1000000)),1" """)
    program(tmp_path / "bin/valgrind", "exit 1")
    text = """best | a | --length 200 | cycles 1 2 3 |
a tenth | a | --length 20 | cycles 1 2 3 |
slow | a | --length 18 | rounds 1 2 3 | it waits
of b | b | --length 10 | rounds 1 2 3 |
"""
    (tmp_path / "rows").write_text(text)
    said = bench(tmp_path, "bench_rows.sh", ROUNDS="2", ROWS=str(tmp_path / "rows"))
    assert {first: rest[:2] for first, rest in rows(said).items() if first not in ("what", "---")} == {
        "best": ["200.0", "1.00"], "a tenth": ["20.0", "0.10"], "slow": ["18.0", "0.09 (!)"], "of b": ["10.0", "1.00"]}
    assert said.endswith("Below a tenth of the best, (!):\n\n- slow: it waits.\n")
    for line in ("slow | a | --length 18 | rounds 1 2 3 |", "of b | a | --length 10 | rounds 1 2 3 |"):
        (tmp_path / "rows").write_text("\n".join(line if row.startswith(line[:4]) else row for row in text.splitlines()) + "\n")
        with pytest.raises(subprocess.CalledProcessError) as wrong:
            bench(tmp_path, "bench_rows.sh", ROUNDS="1", ROWS=str(tmp_path / "rows"))
        assert wrong.value.returncode == 1 and f"bench_rows.sh: {line[:4]}: below a tenth of the best, and no line says why" in wrong.value.stderr


@pytest.mark.parametrize("name", bench_view.LIMITS)
@pytest.mark.parametrize("off, misses", [(0.0, False), (0.01, True), (-0.01, False), (3.0, True), (-3.0, False)])
def test_limits_of_the_viewer(name: str, off: float, misses: bool, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each measure at its limit, and a little or much on the wrong side or the right one: what is rounded is never rounded to the right side."""
    unit, kind, limit = bench_view.LIMITS[name]
    at = {other: float(row[2]) for other, row in bench_view.LIMITS.items()}
    at[name] += off * (1 if kind == "at most" else -1)
    monkeypatch.setattr(bench_view, "page", lambda: {k: v for k, v in at.items() if "python" not in k})
    monkeypatch.setattr(bench_view, "python", lambda: {k: v for k, v in at.items() if "python" in k})
    monkeypatch.setattr(sys, "argv", ["bench_view.py", "--output", str(tmp_path / "view.csv")])
    assert bench_view.main() == misses
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines() if "MISSED" in line] == [name] * misses
    with open(tmp_path / "view.csv", encoding="utf-8", newline="") as text:
        found = {row["measure"]: row for row in csv.DictReader(text)}
    assert list(found) == list(bench_view.LIMITS) and [found[name][k] for k in ("unit", "kind", "limit")] == [unit, kind, str(limit)]
    value = int(found[name]["value"])
    assert abs(value - at[name]) < 1 and (value > limit if kind == "at most" else value < limit) == misses


def test_lines_of_the_viewer() -> None:
    assert bench_view.numbers("frames-256 61.5\na remark\nopened 2\nbad x\nn/a 3\n\nwords and more 4") == {"frames-256": 61.5, "opened": 2}


def test_what_the_viewer_is_asked(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its page is made anew, moves after it was made and opened, and counts as a server sends it; the package is built apart and timed."""
    asked: list[tuple[tuple[str, ...], dict[str, str]]] = []
    text = b"abc" * 5000
    clock = iter([10.0, 12.5])

    def run(*words: str, **more: str) -> str:
        asked.append((words, more))
        if words[0] == "make" and "view" in words[2]:
            assert not list((tmp_path / "b/view").iterdir())
        if words[1] == "view":
            pathlib.Path(words[-1]).write_bytes(text)
        return "opened 1.25\nframes-256 61.5\n" if "--measure" in words else "python-overhead 5\n"

    monkeypatch.setattr(bench_view, "ROOT", tmp_path)
    monkeypatch.setattr(bench_view, "BUILD", "b")
    monkeypatch.setattr(bench_view, "run", run)
    monkeypatch.setattr(bench_view.time, "monotonic", lambda: next(clock))
    (tmp_path / "b/view").mkdir(parents=True)
    for name in ("page.html", "fatfly.wasm"):
        (tmp_path / "b/view" / name).write_text("old")
    found = bench_view.page()
    assert found == {"page": len(gzip.compress(text, 9)), "built-to-moving": 3.75, "opened": 1.25, "frames-256": 61.5}
    assert bench_view.python() == {"python-overhead": 5}
    assert asked == [(("make", "-s", "b/view/page.html", "BUILD=b"), {}),
                     (("b/fatfly", "view", "--build", "b", "--nodes", "16", "--load", "0.25", "--output", f"{tmp_path}/b/view/bench.html"), {}),
                     (("/usr/bin/python3", "-B", "tb/view/test_view.py", "--measure"), {"BUILD": "b"}), (("make", "-s", "lib", "BUILD=b"), {}),
                     (("/usr/bin/python3", "setup.py", "-q", "build", "--force", "--build-base", f"{tmp_path}/b/bench/python/tmp", "--build-lib",
                       f"{tmp_path}/b/bench/python/lib"),
                      {"FATFLY_OBJECTS": f"{tmp_path}/b/lib/obj"}), (("/usr/bin/python3", "-B", "-c", bench_view.PYTHON), {"PYTHONPATH": f"{tmp_path}/b/bench/python/lib"})]


def test_programs_of_the_viewer(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Run in the root, with what is set for them; one that fails ends it with its last line, and so does a word too many or too few."""
    program(tmp_path / "tool", 'echo "$PWD $MORE $*"; [ "$1" != bad ] || { echo first >&2; echo last >&2; exit 1; }; [ "$1" != quiet ] || exit 1')
    assert bench_view.run(str(tmp_path / "tool"), "a", "b", MORE="more") == f"{ROOT} more a b\n" and "MORE" not in os.environ
    for word, said in (("bad", "['last']"), ("quiet", f"['{ROOT}  quiet']")):
        with pytest.raises(SystemExit) as end:
            bench_view.run(str(tmp_path / "tool"), word)
        assert end.value.code == 4 and capsys.readouterr().err == f"bench_view.py: {tmp_path}/tool {word}: {said}\n"
    for words in (["--output"], ["--out", "x"], ["x"], ["--output", "x", "y"]):
        monkeypatch.setattr(sys, "argv", ["bench_view.py", *words])
        with pytest.raises(SystemExit) as end:
            bench_view.main()
        assert end.value.code == 2 and capsys.readouterr().err == f"bench_view.py: {' '.join(words)}; allowed: --output FILE\n"
    (tmp_path / "docs/results").mkdir(parents=True)
    monkeypatch.setattr(bench_view, "ROOT", tmp_path)
    monkeypatch.setattr(bench_view, "page", lambda: {"page": 200_000.5, "built-to-moving": 1.0, "frames-256": 61.5, "traversals-1024": 2e7})
    monkeypatch.setattr(bench_view, "python", lambda: {"python-overhead": 0.25, "python-tiny-runs": 3000})
    monkeypatch.setattr(sys, "argv", ["bench_view.py"])
    assert bench_view.main() == 1
    assert capsys.readouterr().out == """page: 200001 bytes gzipped; at most 200000: MISSED
built-to-moving: 1 s; at most 60
frames-256: 61 frames/s; at least 30
traversals-1024: 20000000 links/s; at least 20000000
python-overhead: 1 ppm; at most 10000
python-tiny-runs: 3000 ms; at most 3000
"""
    assert (tmp_path / "docs/results/view.csv").read_text() == """measure,value,unit,kind,limit
page,200001,bytes gzipped,at most,200000
built-to-moving,1,s,at most,60
frames-256,61,frames/s,at least,30
traversals-1024,20000000,links/s,at least,20000000
python-overhead,1,ppm,at most,10000
python-tiny-runs,3000,ms,at most,3000
"""
