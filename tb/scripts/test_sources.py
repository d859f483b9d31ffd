# SPDX-License-Identifier: Apache-2.0
"""test_sources.py - the files of a repository, of an archive, of an archive inside another repository."""

import pathlib
import subprocess

import pytest

from lib.sources import sources, state

FILES = ["Makefile", "build.txt", "rtl/build/a.v", "rtl/switch.v", "tb/a b.sh"]


def tree(root: pathlib.Path, names: list[str]) -> pathlib.Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name)
    return root


def git(root: pathlib.Path, *words: str) -> None:
    subprocess.run(["git", "-C", root, "-c", "user.name=a", "-c", "user.email=a", *words], check=True, capture_output=True)


def test_repository(tmp_path: pathlib.Path) -> None:
    tree(tmp_path, FILES)
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    tree(tmp_path, ["build/fatfly", "results/a.csv", "new.c"])       # not tracked
    assert sources(tmp_path) == FILES
    (tmp_path / FILES[0]).unlink()                                 # tracked, but gone
    assert sources(tmp_path) == FILES[1:]


@pytest.mark.parametrize("inside", [False, True])
def test_archive(tmp_path: pathlib.Path, inside: bool) -> None:
    if inside:
        git(tmp_path, "init")
    root = tree(tmp_path / "fatfly-1.0", [*FILES, "build/fatfly", "results/a.csv", "scripts/__pycache__/a.pyc"])
    assert sources(root) == FILES


def test_no_git(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert sources(tree(tmp_path / "a", FILES)) == FILES


def test_state(tmp_path: pathlib.Path) -> None:
    root = tree(tmp_path / "a", FILES)
    whole, part = state(root), state(root, "rtl", "Makefile")
    (root / "tb/a b.sh").write_text("changed")
    assert state(root) != whole and state(root, "rtl", "Makefile") == part
    (root / "rtl/switch.v").rename(root / "rtl/other.v")
    assert state(root, "rtl", "Makefile") != part
