# SPDX-License-Identifier: Apache-2.0
"""test_merges.py - shares of proofs and of mutants that overlap: whatever differs in one of them is seen."""
import argparse
import csv
import json
import pathlib
import random
import subprocess
from typing import Any

import formal_tasks
import merge_formal
import mutate_tasks
import mutate_tools
import pytest

LONG = "7" * 64


def manifest(file: pathlib.Path, labels: list[str], **changed: Any) -> str:
    check = {"kind": "property", "expect": "proved", "status": "proved", "cpu": 1.0, "key": LONG} | changed
    whole = {"every": ["a/pdr", "b/pdr"], "commit": "abc", "wall": 1.0, "jobs": 1, "checks": {label: check for label in labels}}
    file.write_text(json.dumps(whole))
    return str(file)


def test_proofs_that_agree(tmp_path: pathlib.Path) -> None:
    whole = merge_formal.join([manifest(tmp_path / "1", ["b/pdr"], cpu=2.0), manifest(tmp_path / "2", ["a/pdr", "b/pdr"])])
    assert list(whole["checks"]) == ["a/pdr", "b/pdr"] and whole["checks"]["b/pdr"]["cpu"] == 2.0 and whole["wall"] == 2.0


@pytest.mark.parametrize("changed", [{"key": "8" + LONG[1:]}, {"key": LONG[:-1] + "8"}, {"key": LONG + "7"}, {"status": "proven"}, {"status": "falsified"}])
@pytest.mark.parametrize("turned", [False, True])
def test_proofs_that_differ(tmp_path: pathlib.Path, changed: dict[str, str], turned: bool) -> None:
    names = [manifest(tmp_path / "1", ["a/pdr", "b/pdr"]), manifest(tmp_path / "2", ["b/pdr"], **changed)]
    with pytest.raises(SystemExit):
        merge_formal.join(names[::-1] if turned else names)


@pytest.mark.parametrize("seed", range(5))
def test_the_table_of_proofs(tmp_path: pathlib.Path, seed: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each cell, of checks of all kinds that ended in all ways; and docs/results/formal.csv."""
    r = random.Random(seed)
    checks = {f"c{k}/pdr": {"kind": r.choice(list(merge_formal.KINDS)), "expect": r.choice(("proved", "covered", "falsified")), "key": LONG,
                            "status": r.choice(("proved", "covered", "falsified", "timeout")), "cpu": r.randrange(1, 4000) / 8} for k in range(60)}
    there = dict(list(checks.items())[:50])
    (tmp_path / "all").write_text(json.dumps({"every": list(checks), "commit": "abc+", "wall": 1.0, "jobs": 1, "checks": there}))
    assert merge_formal.main(["--table", str(tmp_path / "all")]) == 0
    said = capsys.readouterr().out
    rows = {row[0]: row[1:] for row in ([cell.strip() for cell in line.strip("|").split("|")] for line in said.splitlines() if line.startswith("|"))}
    for kind, words in [*merge_formal.KINDS.items(), ("", "all")]:
        mine = [c for c in there.values() if kind in ("", c["kind"])]
        good = [c for c in mine if c["status"] == c["expect"]]
        assert rows[words][:2] == [str(len(mine)), str(len(good))], words
        assert float(rows[words][2]) == pytest.approx(sum(c["cpu"] for c in mine) / 60, abs=0.051)
        assert float(rows[words][3]) == pytest.approx(max(c["cpu"] for c in mine), abs=0.51)
    assert "At commit abc+ (+: with changes). 10 of 60 checks were not run." in said
    monkeypatch.setattr(formal_tasks, "RESULTS", tmp_path / "formal.csv")
    merge_formal.main(["--csv", str(tmp_path / "all")])
    with open(tmp_path / "formal.csv", encoding="utf-8", newline="") as text:
        found = {row.pop("check"): row for row in csv.DictReader(text)}
    assert found == {label: {"kind": c["kind"], "expect": c["expect"], "status": c["status"], "cpu_s": f"{c['cpu']:.1f}"} for label, c in there.items()}
    assert formal_tasks.costs(["c7/pdr", "new/pdr", "c49/pdr"]) == [float(found["c7/pdr"]["cpu_s"]), formal_tasks.USUAL, float(found["c49/pdr"]["cpu_s"])]


def test_the_commit_of_proofs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a + where a file was changed or added that proofs read, or what runs them; without Git nothing."""
    monkeypatch.setattr(formal_tasks, "ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert formal_tasks.commit() == ""
    read = ["rtl", "rtl/fast", "rtl/cube", "scripts/formal", "scripts/lib", "tb/formal", "tb/probe"]
    for folder in [*read, "docs"]:
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "file").touch()
    def git(*words: str) -> str:
        return subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x", *words], cwd=tmp_path, check=True, capture_output=True, text=True).stdout.strip()
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "all")
    at = git("rev-parse", "--short", "HEAD")
    assert formal_tasks.commit() == at
    for folder in [*read, "docs"]:
        for name in ("file", "new"):
            (tmp_path / folder / name).write_text("changed")
            assert formal_tasks.commit() == at + "+" * (folder != "docs"), folder
            git("clean", "-qfd")
            git("checkout", "-q", ".")


def mutants(file: pathlib.Path, *, changed: dict[str, Any] | None = None, many: int = 3) -> mutate_tools.Store:
    store = mutate_tools.Store(str(file))
    store.begin("rtl", "key")
    rows = [{"id": k + 1, "module": "m" * 40, "what": "w" * 40, "state": "killed", "how": "h" * 40, "cycles": 1000000 + k} for k in range(many)]
    rows[-1] |= changed or {}
    with store.db:
        store.db.executemany("insert into mutant values ('rtl','shape',:id,:module,:what,:state,:how,:cycles)", rows)
    return store


def joined(own: mutate_tools.Store, *others: mutate_tools.Store) -> int:
    o = argparse.Namespace(db=own.file, merge=[other.file for other in others])
    return mutate_tasks.merge(o, own, {"rtl": "key"}, [("rtl", "shape")])


def test_mutants_that_agree(tmp_path: pathlib.Path) -> None:
    own = mutate_tools.Store(str(tmp_path / "own"))
    own.begin("rtl", "key")
    assert joined(own, mutants(tmp_path / "1"), mutants(tmp_path / "2")) == 0
    assert [row[0] for row in own.get("rtl", "shape")] == [1, 2, 3]


@pytest.mark.parametrize("changed", [{"id": 4}, {"module": "m" * 39 + "n"}, {"what": "w" * 39 + "v"}, {"state": "equivalent"}, {"how": "h" * 39 + "i"}, {"cycles": 1000003}])
def test_mutants_that_differ(tmp_path: pathlib.Path, changed: dict[str, Any]) -> None:
    own = mutate_tools.Store(str(tmp_path / "own"))
    own.begin("rtl", "key")
    with pytest.raises(mutate_tools.Trouble) as trouble:
        joined(own, mutants(tmp_path / "1"), mutants(tmp_path / "2", changed=changed))
    assert trouble.value.args[0] == 1 or "not the same" in str(trouble.value)


@pytest.mark.parametrize("many", [2, 4])
def test_mutants_that_are_missing(tmp_path: pathlib.Path, many: int) -> None:
    own = mutate_tools.Store(str(tmp_path / "own"))
    own.begin("rtl", "key")
    with pytest.raises(mutate_tools.Trouble):
        joined(own, mutants(tmp_path / "1"), mutants(tmp_path / "2", many=many))


def test_what_survived_is_settled_later(tmp_path: pathlib.Path) -> None:
    own = mutate_tools.Store(str(tmp_path / "own"))
    own.begin("rtl", "key")
    for name, first in (("1", True), ("2", False)):
        shares = [mutants(tmp_path / f"{name}a", changed={"state": "survived", "how": None}), mutants(tmp_path / f"{name}b")]
        assert joined(own, *(shares if first else shares[::-1])) == 0
        assert not own.get("rtl", "shape", "survived") and len(own.get("rtl", "shape", "killed")) == 3
