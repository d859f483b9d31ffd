# SPDX-License-Identifier: Apache-2.0
"""test_bench.py - what the benchmarks make of times and counts, with programs that say given ones."""

from __future__ import annotations

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


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
