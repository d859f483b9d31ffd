# SPDX-License-Identifier: Apache-2.0
"""test_merges.py - shares of proofs and of mutants that overlap: whatever differs in one of them is seen; how work is shared (lib/tasks.py)."""
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
from lib import tasks

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
    checks: dict[str, dict[str, Any]] = {f"c{k}/pdr": {"kind": r.choice(list(merge_formal.KINDS)), "expect": r.choice(("proved", "covered", "falsified")), "key": LONG,
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
    with monkeypatch.context() as patch:      # one that fails after it has said something
        (tmp_path / "git").write_text("#!/bin/sh\necho text\nexit 1\n")
        (tmp_path / "git").chmod(0o755)
        patch.setenv("PATH", str(tmp_path), prepend=":")
        assert formal_tasks.commit() == ""
    (tmp_path / "git").unlink()
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


# -- what the commands say and write ------------------------------------------------------------------

@pytest.mark.parametrize("turned", [False, True])
def test_where_proofs_differ(tmp_path: pathlib.Path, turned: bool, capsys: pytest.CaptureFixture[str]) -> None:
    """Other sources are no manifests of one run (3), another verdict is a failure (1); the message names both, in the order they were given."""
    first, second = ("2", "1") if turned else ("1", "2")
    for changed, code, said in (({"key": "8"}, 3, "b/pdr: {} and {} read other sources"), ({"status": "falsified"}, 1, "b/pdr: {} in {}, {} in {}")):
        names = [manifest(tmp_path / "1", ["a/pdr", "b/pdr"]), manifest(tmp_path / "2", ["b/pdr"], **changed)]
        with pytest.raises(SystemExit) as stopped:
            merge_formal.join(names[::-1] if turned else names)
        files = [str(tmp_path / first), str(tmp_path / second)]
        words = files if code == 3 else [word for file in files for word in ("falsified" if file == names[1] else "proved", file)]
        assert stopped.value.code == code and capsys.readouterr().err == f"merge_formal.py: {said.format(*words)}\n"


def test_shares_of_other_checks(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = manifest(tmp_path / "1", ["a/pdr"]), manifest(tmp_path / "2", ["b/pdr"])
    pathlib.Path(two).write_text(pathlib.Path(two).read_text().replace('"a/pdr"', '"c/pdr"'))
    with pytest.raises(SystemExit) as stopped:
        merge_formal.join([one, two])
    assert stopped.value.code == 3 and f"{two} is a share of other checks than {one}" in capsys.readouterr().err


def test_the_commits_and_the_time(tmp_path: pathlib.Path) -> None:
    """Each commit once, in order; the time of all, once more rounded."""
    names = []
    for k, commit in enumerate(("a", "b", "a", "a", "b+")):
        names.append(manifest(tmp_path / str(k), ["b/pdr"]))
        text = pathlib.Path(names[-1]).read_text().replace('"commit": "abc"', f'"commit": "{commit}"').replace('"wall": 1.0', '"wall": 0.1')
        pathlib.Path(names[-1]).write_text(text)
    whole = merge_formal.join(names)
    assert (whole["commit"], whole["wall"], whole["jobs"], whole["every"], list(whole["checks"])) == ("a, b, b+", 0.5, 1, ["a/pdr", "b/pdr"], ["b/pdr"])
    assert "At commit a, b, b+ (+: with changes). 1 of 2 checks were not run." in merge_formal.table(whole)
    assert merge_formal.table(whole | {"commit": "", "every": ["b/pdr"]}).endswith("\nAt commit unknown.\n")
    assert "| all | 0 | 0 | 0.0 | 0 |" in merge_formal.table(whole | {"checks": {}})


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"every": 3}', *(json.dumps({k: v for k, v in (
    ("every", ["a/pdr"]), ("commit", "x"), ("wall", 1), ("jobs", 1), ("checks", {})) if k != gone}) for gone in ("every", "commit", "wall", "jobs", "checks")), *(json.dumps(
        {"every": ["a/pdr"], "commit": "x", "wall": 1, "jobs": 1, "checks": {label: {k: "" for k in ("kind", "expect", "status", "cpu", "key") if k != gone}}})
        for label, gone in (("b/pdr", ""), ("a/pdr", "kind"), ("a/pdr", "expect"), ("a/pdr", "status"), ("a/pdr", "cpu"), ("a/pdr", "key")))])
def test_no_manifests(text: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a").write_text(text)
    with pytest.raises(SystemExit) as stopped:
        merge_formal.manifest(str(tmp_path / "a"))
    assert stopped.value.code == 3 and "not a manifest" in capsys.readouterr().err
    with pytest.raises(SystemExit) as stopped:
        merge_formal.manifest(str(tmp_path / "none"))
    assert stopped.value.code == 3 and "none: No such file" in capsys.readouterr().err


@pytest.mark.parametrize("labels, status, code, said", [
    (["a/pdr", "b/pdr"], "proved", 0, "2 passed, 0 failed, 0 missing"), (["b/pdr"], "proved", 4, "missing: a/pdr\n1 passed, 0 failed, 1 missing"),
    (["b/pdr"], "timeout", 1, "missing: a/pdr\nFAILED b/pdr: timeout: words; expected: proved\n0 passed, 1 failed, 1 missing")])
def test_joining(labels: list[str], status: str, code: int, said: str, tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, out = manifest(tmp_path / "1", labels, status=status, words="words"), str(tmp_path / "out")
    assert merge_formal.main([out, one]) == code and capsys.readouterr().out == f"{said}: {out}\n"
    assert merge_formal.join([out]) == {**merge_formal.join([one])}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["1", "out"]


def test_what_joining_refuses(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = manifest(tmp_path / "1", ["a/pdr"])
    wrong: list[list[str]] = [[], ["out"], ["--csv"], ["--out", one], ["--table", one, one]]
    for words in wrong:
        assert merge_formal.main(words) == 2 and capsys.readouterr().err == merge_formal.USAGE + "\n"
    (tmp_path / "same").symlink_to(tmp_path / "1")
    refused: list[tuple[list[str], int]] = [([str(tmp_path / "same"), one], 2), ([one, str(tmp_path / "none"), one], 2), ([str(tmp_path / "none/out"), one], 4)]
    for words, code in refused:
        with pytest.raises(SystemExit) as stopped:
            merge_formal.main(words)
        assert stopped.value.code == code and capsys.readouterr().err.startswith("merge_formal.py: ")


def test_what_a_run_leaves(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A manifest that can be joined, in a folder that is made; nothing else.  Without a table of times all checks cost the same."""
    monkeypatch.setattr(formal_tasks, "commit", lambda: "abc")
    done = {"b/pdr": {"kind": "bug", "expect": "falsified", "status": "falsified", "cpu": 1.0, "key": "k"}}
    for wall in (1.26, 2.34):           # once more over the first
        formal_tasks.write(tmp_path / "a/b/checks.json", ("a/pdr", "b/pdr"), done, wall, 3)
    want = {"every": ["a/pdr", "b/pdr"], "commit": "abc", "wall": 2.3, "jobs": 3, "checks": done}
    assert merge_formal.manifest(str(tmp_path / "a/b/checks.json")) == want and len(list((tmp_path / "a/b").iterdir())) == 1
    assert (tmp_path / "a/b/checks.json").read_text() == json.dumps(want, indent=1) + "\n"
    monkeypatch.setattr(formal_tasks, "RESULTS", tmp_path / "formal.csv")
    assert formal_tasks.costs(["a", "b"]) == [formal_tasks.USUAL] * 2
    formal_tasks.write_csv(tmp_path / "formal.csv", [("a", "bug", "falsified", "falsified", "7.0")])
    assert (tmp_path / "formal.csv").read_text() == "check,kind,expect,status,cpu_s\na,bug,falsified,falsified,7.0\n" and len(list(tmp_path.iterdir())) == 2
    assert formal_tasks.costs(["b", "a"]) == [formal_tasks.USUAL, 7.0]
    assert [formal_tasks.share(["b", "a", "c"], k, 2) for k in (1, 2)] == [[False, True, False], [True, False, True]]


# -- shares -------------------------------------------------------------------------------------------

@pytest.mark.parametrize("text, want", [("1/1", (1, 1)), ("2/3", (2, 3)), ("3/3", (3, 3)), ("7/100000", (7, 100000)), ("100000/100000", (100000, 100000)), *
    ((text, None) for text in (
    "0/1", "4/3", "1/100001", "1/1000000", "0000001/1", "1", "1/", "/1", "1/2/3", "-1/2", "1/2 ", " 1/2", "a/b", "", "1.0/2", "\u0661/2"))])
def test_a_share(text: str, want: tuple[int, int] | None) -> None:
    if want:
        assert tasks.task(text) == want
    else:
        with pytest.raises(ValueError, match="allowed: K/T"):
            tasks.task(text)


@pytest.mark.parametrize("seed", range(6))
def test_shares(seed: int) -> None:
    """The longest first, of equal ones the first, each to the task with least, of equal ones the first."""
    r = random.Random(seed)
    costs, count = [r.choice((0.5, 1.0, 2.5, 7.0, r.random() * 9)) for _ in range(r.randrange(30))], r.randrange(1, 7)
    load, want = [0.0] * count, [0] * len(costs)
    left = list(range(len(costs)))
    while left:
        place = max(left, key=lambda p: (costs[p], -p))
        left.remove(place)
        least = load.index(min(load))
        load[least] += costs[place]
        want[place] = least + 1
    assert tasks.shares(costs, count) == want
    assert tasks.shares([1.0, 1.0, 1.0, 5.0], 2) == [2, 2, 2, 1]


def test_shares_of_mutants(monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path) -> None:
    """A file of the model costs by its size, a shape always the same."""
    (tmp_path / "cmodel/switch").mkdir(parents=True)
    (tmp_path / "cmodel/switch/a.c").write_text("x" * 2000)
    monkeypatch.setattr(mutate_tasks, "__file__", str(tmp_path / "scripts/mutate/mutate_tasks.py"))
    assert mutate_tasks.cost(("c", "switch/a.c")) == 15 and mutate_tasks.cost(("rtl", "shape")) == 60
    work = [("c", "switch/a.c"), ("rtl", "one"), ("c", "switch/a.c"), ("rtl", "two"), ("rtl", "three")]
    assert mutate_tasks.share(work, "1/2") == [work[1], work[4]] and mutate_tasks.share(work, "2/2") == [work[0], work[2], work[3]]


def test_what_joining_mutants_says(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Which batches are missing, and how many mutants are left; one that has not ended is missing, and what is of another side is left out."""
    own, share = mutate_tools.Store(str(tmp_path / "own")), mutants(tmp_path / "1", changed={"state": "survived", "how": None})
    own.begin("rtl", "key")
    share.begin("c", "other")
    share.add("c", "file", [("m", "w")])
    share.add("rtl", "late", [("m", "w"), ("m", "w")])
    share.settle("rtl", "late", 1, "killed", "case", 3)
    o = argparse.Namespace(db=own.file, merge=[share.file])
    assert mutate_tasks.merge(o, own, {"rtl": "key"}, [("rtl", "shape"), ("rtl", "late")]) == 4
    assert capsys.readouterr().out == ("missing: rtl late\n1 of 2 shapes and files joined; 1 mutants are left for the run that follows: " + f"{own.file}\n")
    assert own.db.execute("select distinct side, shape from mutant").fetchall() == [("rtl", "shape")]
    share.settle("rtl", "late", 2, "stillborn")
    assert mutate_tasks.merge(o, own, {"rtl": "key"}, [("rtl", "shape"), ("rtl", "late")]) == 0
    assert own.db.execute("select * from mutant order by shape, id").fetchall() == share.db.execute("select * from mutant where side = 'rtl' order by shape, id").fetchall()
    assert capsys.readouterr().out.startswith("2 of 2 shapes and files joined; 1 mutants")


def test_which_files_are_no_shares(tmp_path: pathlib.Path) -> None:
    own, share = mutate_tools.Store(str(tmp_path / "own")), mutants(tmp_path / "1")
    own.begin("rtl", "key")
    (tmp_path / "text").write_text("no database, but long enough for one" * 9)
    (tmp_path / "link").symlink_to(own.file)
    for name, keys, code in ((share.file, {"rtl": "other"}, 3), (str(tmp_path / "text"), {"rtl": "key"}, 3), (str(tmp_path / "none"), {"rtl": "key"}, 3),
        (str(tmp_path / "link"), {"rtl": "key"}, 2)):
        own.begin("rtl", keys["rtl"])
        with pytest.raises(mutate_tools.Trouble) as trouble:
            mutate_tasks.merge(argparse.Namespace(db=own.file, merge=[name]), own, keys, [])
        assert trouble.value.code == code, name
    assert mutate_tasks.read(share.file, {"c": "key"}) == {} and list(mutate_tasks.read(share.file, {"rtl": "key", "c": "x"})) == [("rtl", "shape")]
