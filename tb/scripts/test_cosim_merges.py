# SPDX-License-Identifier: Apache-2.0
"""test_cosim_merges.py - sim/merge_cosim.py: manifests that agree, overlap, differ, are damaged or do not have all cases; what is written."""
from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Callable
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts" / "sim"))
import merge_cosim  # noqa: E402  (the path above)

Told = Callable[..., tuple[int, str, str]]


def case(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "passed": True, "digest": "0123", "cpu_seconds": 1.5} | more


def manifest(file: pathlib.Path, *cases: dict[str, Any], **more: Any) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"whole": True, "cases": cases} | more))
    return str(file)


@pytest.fixture(name="told")
def told_(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Of a call with such words: exit code and what it says; `fatfly cosim --list` says cases c, b, a, and d with --full."""
    fatfly = tmp_path / "build/fatfly"
    fatfly.parent.mkdir()
    fatfly.write_text('#!/bin/sh\n[ "$1 $2" = "cosim --list" ] && printf "c\\nb\\na\\n"\n[ "$3" != --full ] || echo d\n[ -z "$WRONG" ] || { echo " no list" >&2; exit 3; }\n')
    fatfly.chmod(0o755)
    monkeypatch.setattr(merge_cosim, "FATFLY", fatfly)

    def told(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            merge_cosim.main(list(words))
        out, err = capsys.readouterr()
        assert err == "" or end.value.code == 2 or err.startswith("merge_cosim.py: ") and err.count("\n") == 1
        return end.value.code, out, err.removeprefix("merge_cosim.py: ")
    return told


def test_all_are_there(told: Told, tmp_path: pathlib.Path) -> None:
    """In the order of the regression, then what it does not know; of a case that is in two the first stays, whatever its time."""
    names = [manifest(tmp_path / "1", case("a", cpu_seconds=2.0), case("z")), manifest(tmp_path / "2", case("b"), case("a"), case("y")), manifest(tmp_path / "3", case("c"))]
    out = str(tmp_path / "out")
    assert told(out, *names) == (0, f"5 passed, 0 failed, 0 missing: {out}\n", "")
    assert json.loads((tmp_path / "out").read_text()) == {"whole": True, "cases": [case("c"), case("b"), case("a", cpu_seconds=2.0), case("y"), case("z")]}
    assert (tmp_path / "out").read_text().endswith("\n}\n") and not (tmp_path / "out.part").exists()
    assert told("--full", out, *names) == (4, f"missing: d\n5 passed, 0 failed, 1 missing: {out}\n", "")


def test_missing_and_failed(told: Told, tmp_path: pathlib.Path) -> None:
    out, one = str(tmp_path / "out"), manifest(tmp_path / "1", case("b"))
    assert told(out, one) == (4, f"missing: c\nmissing: a\n1 passed, 0 failed, 2 missing: {out}\n", "")
    two = manifest(tmp_path / "2", case("a", passed=False, why="differs"), case("c", passed=False))
    assert told(out, two) == (1, f"missing: b\nFAILED c: \nFAILED a: differs\n0 passed, 2 failed, 1 missing: {out}\n", "")
    assert told(out, one, two)[:2] == (1, f"FAILED c: \nFAILED a: differs\n1 passed, 2 failed, 0 missing: {out}\n")


@pytest.mark.parametrize("more, said", [({"digest": "9"}, "digest is 0123 in {1}, 9 in {2}"), ({"passed": False}, "passed is True in {1}, False in {2}"),
                                        ({"cycles": 5}, "cycles is None in {1}, 5 in {2}")])
def test_results_that_differ(more: dict[str, Any], said: str, told: Told, tmp_path: pathlib.Path) -> None:
    one, two = manifest(tmp_path / "1", case("b"), case("a")), manifest(tmp_path / "2", case("c"), case("a", **more))
    assert told(str(tmp_path / "out"), one, two) == (1, "", "a: " + said.replace("{1}", one).replace("{2}", two) + "\n") and not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"cases": []}', '{"whole": true}', '{"whole": true, "cases": [{}]}', '{"whole": true, "cases": [{"name": 1}]}',
                                  '{"whole": true, "cases": [{"name": 1, "passed": true, "digest": "0", "cpu_seconds": 1}]}', '{"whole": true, "cases": 5}',
                                  *('{"whole": true, "cases": [' + json.dumps({k: v for k, v in case("a").items() if k != key}) + "]}" for key in case("a"))])
def test_what_is_no_manifest(text: str, told: Told, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "1"
    file.write_text(text)
    assert told(str(tmp_path / "out"), str(file)) == (3, "", f"{file}: not a manifest; allowed: manifest.K-of-T.json, as fatfly cosim --task K/T leaves it\n")


def test_other_faults(told: Told, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out, one = str(tmp_path / "out"), manifest(tmp_path / "1", case("a"))
    assert told(out, f"{tmp_path}/none") == (3, "", f"{tmp_path}/none: No such file or directory\n")
    for whole in (False, None, 1, "true"):
        part = manifest(tmp_path / "2", case("a"), whole=whole)
        assert told(out, part)[::2] == (3, f"{part}: of runs of one side, cut, or compared at the outputs alone; allowed: fatfly cosim --task K/T without "
                                           "--side, --max-cycles and --outputs-only\n")
    (tmp_path / "link").symlink_to(one)
    assert told(str(tmp_path / "link"), part, one) == (2, "",
                                                       f"{tmp_path}/link is read, too; allowed: another name for what is written\n")
    for words in ((), (out,), ("--full", out), ("--ful", out, one), ("-h",)):
        assert told(*words) == (2, "", merge_cosim.USAGE + "\n")
    assert told(f"{tmp_path}/none/out", one) == (4, "", f"{tmp_path}/none/out: No such file or directory\n")
    monkeypatch.setenv("WRONG", "1")
    assert told(out, one) == (4, "", f"{merge_cosim.FATFLY} cosim --list: no list\n")
    merge_cosim.FATFLY.unlink()
    assert told(out, one) == (4, "", f"{merge_cosim.FATFLY}: No such file or directory; it says what the cases are: make, or BUILD=DIR\n")


def test_which_command(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That of the build folder, else of the folder above the first manifest that has one; a file that does not run is none."""
    files = [tmp_path / name / "fatfly" for name in ("build", "x", "y", "z")]
    for file in files:
        file.parent.mkdir()
        file.write_text("")
    monkeypatch.setattr(merge_cosim, "FATFLY", files[0])
    names = [f"{file.parent}/cosim/m.json" for file in files[1:]]
    assert merge_cosim.command(names) == files[0]
    for file in files[:1:-1]:
        file.chmod(0o755)
        assert merge_cosim.command(names) == file
    files[0].chmod(0o755)
    assert merge_cosim.command(names) == files[0]
