# SPDX-License-Identifier: Apache-2.0
"""test_statements.py - paper/statements.py: the list holds, and what is planted in it is seen."""

import csv
import pathlib
import shutil
from collections.abc import Callable
from types import SimpleNamespace

import pytest

import judge_bc
import statements
from judging import Verdict
from lib import lists

LIST = "scripts/paper/statements/"
QUICK: dict[str, Verdict] = {}    # of what is judged without a run, from files that no test changes
judged_anew: Callable[[statements.Row], Verdict] = statements.Row.judged


def undecided(*_: str) -> Verdict:
    raise ArithmeticError("nothing is found")


def judged_once(row: statements.Row) -> Verdict:
    if row.function().by == statements.RUN:
        return judged_anew(row)
    if row.name not in QUICK:
        QUICK[row.name] = judged_anew(row)
    return QUICK[row.name]


@pytest.fixture(name="copy")
def of_the_lists(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.setattr(statements.Row, "judged", judged_once)
    for folder in ("scripts/paper/statements", "docs/results"):
        (tmp_path / folder).mkdir(parents=True)
    for path in [*statements.ROOT.glob(LIST + "*.txt"), *statements.ROOT.glob("docs/statements*.md"),
                 statements.ROOT / "docs/results.md", statements.ROOT / statements.FOUND, statements.ROOT / statements.TRIED]:
        shutil.copy(path, tmp_path / path.relative_to(statements.ROOT))
    for name in ("tb", "cmodel"):
        (tmp_path / name).symlink_to(statements.ROOT / name)
    return tmp_path


def replace(path: pathlib.Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_the_repository(copy: pathlib.Path) -> None:
    assert statements.check(copy) == 0
    assert len(statements.read(copy)) > 200


@pytest.mark.parametrize("paper, old, new, said", [
    ("l", "\n2 | ", "\n3 | ", "statement L-3; the next number is 2"),
    ("go", "1 | I | ", "1 | | ", "no place"),
    ("go", "| no routing is faster than the dilation d |", "| |", "no statement"),
    ("bc", "| cannot: another paper's; taken as said in row 4 |", "| |", "no how"),
    ("bc", "| cannot: another paper's; taken as said in row 4 |", "| agrees: as said |", "how 'agrees'; allowed: judge, results"),
    ("bc", "| cannot: another paper's; taken as said in row 4 |", "|", "4 fields; needed: 5"),
    ("bc", "judge: berman", "judge: bermann", "no function 'bermann' in judge_bc.py"),
    ("bc", "judge: berman", "judge: WITHIN", "no function 'WITHIN' in judge_bc.py"),
    ("go", "results: the 30 cells of table I", "results: the 31 cells", "no statement 'the 31 cells' in docs/results.md"),
    ("gg", "tb/unit/test_gg.c ring", "tb/unit/test_gg.c rings", "tb/unit/test_gg.c has no test rings"),
    ("gg", "tb/unit/test_gg.c ring", "tb/unit/test_go.c ring", "no file tb/unit/test_go.c"),
])
def test_planted(copy: pathlib.Path, paper: str, old: str, new: str, said: str) -> None:
    replace(copy / f"{LIST}{paper}.txt", old, new)
    with pytest.raises(lists.Wrong, match=".*") as wrong:
        statements.check(copy)
    assert said in str(wrong.value) and f"{paper}.txt:" in str(wrong.value)


def test_not_run(copy: pathlib.Path) -> None:
    replace(copy / statements.FOUND, "BC-42,", "BC-99,")
    with pytest.raises(lists.Wrong, match="BC-42 was not run; make statements ID=BC-42"):
        statements.check(copy)


def test_pages_that_are_edited_or_old(copy: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    replace(copy / "docs/statements-bc.md", "**differs**", "agrees")
    replace(copy / statements.FOUND, "BC-9,agrees", "BC-9,differs")
    replace(copy / "docs/results.md", "all but 0 runs | agrees |", "all but 0 runs | differs by 1 |")
    assert statements.check(copy) == 1
    said = capsys.readouterr().out
    assert all(f"{page} is not what the lists make" in said
               for page in ("docs/statements.md", "docs/statements-bc.md", "docs/statements-cmsv.md"))
    assert "statements-go.md" not in said


def test_a_reading_that_was_not_tried(copy: pathlib.Path) -> None:
    text = (copy / statements.TRIED).read_text()
    (copy / statements.TRIED).write_text("".join(line for line in text.splitlines(True) if "GO-72" not in line))
    with pytest.raises(lists.Wrong, match="nothing of 'GO-72"):
        statements.check(copy)


def test_a_reading_with_two_verdicts(copy: pathlib.Path) -> None:
    name, said = "BC-43: e-cube alike with the hot node at any of four places", "the verdict is that of BC-43; delete"
    ours = next(iter(statements.judge_readings.BC_READINGS))
    with open(copy / statements.TRIED, "a", encoding="utf-8") as file:
        file.write(f'"{ours}",{name},agrees,1\n')
    with pytest.raises(lists.Wrong, match=said):
        statements.check(copy)


def test_a_trial_that_is_no_more(copy: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    with open(copy / statements.TRIED, "a", encoding="utf-8") as file:
        file.write("no such reading,BC-43,agrees,1\n")
    assert statements.check(copy) == 1
    assert "there is no trial 'BC-43' under 'no such reading'" in capsys.readouterr().out


def test_a_verdict_of_no_statement(copy: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A number that is none, and one of each way to judge without a run."""
    ways = {row.function().by if row.kind == "judge" else row.kind: row.name for row in statements.read(copy)}
    names = ["GO-999", *(name for way, name in ways.items() if way != statements.RUN)]
    assert len(names) > 5
    with open(copy / statements.FOUND, "a", encoding="utf-8") as file:
        file.write("".join(f"{name},agrees,yes,0.1\n" for name in names))
    assert statements.check(copy) == 1
    assert capsys.readouterr().out.count("is not judged by a run") == len(names)


@pytest.mark.parametrize("words, said", [([], "usage"), (["check", "all"], "usage"), (["again"], "usage"),
                                         (["run", "GO-0"], "no statement 'GO-0' that is judged by a run; there are")])
def test_bad_input(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert statements.main(words) == 2
    assert said in capsys.readouterr().err


def test_where_curves_cross() -> None:
    """A curve may end before it is crossed."""
    words = ["negative-hop is faster than e-cube from a utilisation of 0.166 on",
             "negative-hop is the faster one beyond the last point of north-last (0.125, 34 cycles)"]
    assert judge_bc.crossed(" and ".join(words)) == [(0.166, False), (0.125, True)]
    with pytest.raises(LookupError, match="faster than north-last"):
        judge_bc.crossed(words[0])


# -- the commands, with judgements that are made up ---------------------------------------------------

Names = list[str]


@pytest.fixture(name="judged")
def of_made_up_judgements(copy: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Names, dict[str, Verdict]]:
    """What is judged, in order, and what is found: what the table has, until a test changes it."""
    asked: Names = []
    found = statements.stored(copy)

    def judge(row: statements.Row) -> Verdict:
        if row.function().by == statements.RUN:
            asked.append(row.name)
            if not found[row.name].kind:
                return judged_anew(SimpleNamespace(name=row.name, how=row.how, function=lambda: undecided))
            return found[row.name]
        return judged_once(row)

    monkeypatch.setattr(statements.Row, "judged", judge)
    monkeypatch.setattr(statements, "ROOT", copy)
    return asked, found


def table(copy: pathlib.Path) -> dict[str, tuple[str, str]]:
    with open(copy / statements.FOUND, encoding="utf-8", newline="") as file:
        return {r["statement"]: (r["verdict"], r["found"]) for r in csv.DictReader(file)}


def test_run(copy: pathlib.Path, judged: tuple[Names, dict[str, Verdict]], capsys: pytest.CaptureFixture[str]) -> None:
    """Those that are named, all, or those that are missing; the rest of the table stays, and the pages follow it."""
    asked, found = judged
    before = table(copy)
    every = list(before)
    found["BC-9"], found["GO-10"] = Verdict("differs", "nothing"), Verdict("agrees in part", "little | more")
    assert statements.main(["run", "BC-9"]) == 0 and asked == ["BC-9"]
    assert table(copy) == before | {"BC-9": ("differs", "nothing")} and list(table(copy)) == every and statements.check(copy) == 0
    assert capsys.readouterr().out.startswith("1 of 1: BC-9 differs: nothing\n")
    lines = (copy / statements.FOUND).read_text().splitlines(True)
    (copy / statements.FOUND).write_text("".join(line for line in lines if not line.startswith(("GO-10,", "L-4,"))))
    asked.clear()
    assert statements.main(["run", "BC-14"]) == 0 and "pages not written" in capsys.readouterr().out
    assert statements.main(["run", "--missing", "BC-9", "L-4"]) == 0 and asked == ["BC-14", "L-4"]
    assert statements.main(["run", "--missing"]) == 0 and asked == ["BC-14", "L-4", "GO-10"] and statements.check(copy) == 0
    assert statements.main(["run", "--missing"]) == 0 and asked[3:] == []
    assert table(copy) == before | {"BC-9": ("differs", "nothing"), "GO-10": ("agrees in part", "little | more")}
    assert statements.main(["run"]) == 0 and asked[3:] == every
    found["L-4"] = Verdict("", "")
    capsys.readouterr()
    assert statements.main(["run", "L-4"]) == 1 and capsys.readouterr().err == "statements.py: L-4: nothing is found\n"


def test_two_at_once(copy: pathlib.Path, judged: tuple[Names, dict[str, Verdict]], monkeypatch: pytest.MonkeyPatch) -> None:
    """What another run writes while this one judges stays."""
    asked, found = judged
    found["BC-9"], before, one = Verdict("differs", "mine"), table(copy), statements.Row.judged

    def beside(row: statements.Row) -> Verdict:
        if row.name == "BC-9":
            there = statements.stored(copy)
            there["L-4"] = Verdict("differs", "theirs")
            statements.store(copy, statements.read(copy), there)
        return one(row)

    monkeypatch.setattr(statements.Row, "judged", beside)
    assert statements.main(["run", "BC-9"]) == 0 and asked == ["BC-9"]
    assert table(copy) == before | {"BC-9": ("differs", "mine"), "L-4": ("differs", "theirs")}


def test_again(copy: pathlib.Path, judged: tuple[Names, dict[str, Verdict]], capsys: pytest.CaptureFixture[str]) -> None:
    """All that took so long or less, and no others; each verdict and each word counts, and one without a verdict does not end it."""
    asked, found = judged
    short = [name for name, verdict in statements.stored(copy).items() if verdict.seconds <= 0.5]
    assert statements.main(["again", "0.5"]) == 0 and asked == short and capsys.readouterr().out == f"{len(short)} passed, 0 failed\n"
    for name, kind, words in (("BC-9", "differs", found["BC-9"].found), ("L-16", "agrees", f"{found['L-16'].found}."), ("BC-14", "", "")):
        found[name] = Verdict(kind, words)
    assert statements.main(["again", "0.5"]) == 1
    said = capsys.readouterr().out
    assert [line.split(":")[0] for line in said.splitlines()] == ["FAIL BC-9", "FAIL BC-14", "FAIL L-16", f"{len(short) - 3} passed, 3 failed"]
    assert "FAIL BC-14: no verdict: BC-14: nothing is found; " in said
    assert statements.main(["again", "-1"]) == 2


def test_readings(copy: pathlib.Path, judged: tuple[Names, dict[str, Verdict]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is not in the table is tried; those whose verdict is the statement's own never are."""
    asked = []

    def trial(title: str, name: str) -> Callable[[str], Verdict]:
        return lambda reading: asked.append((title, name, reading)) or Verdict("differs", "5 %")

    module = statements.judge_readings
    monkeypatch.setattr(module, "TRIALS", {title: (names, {name: trial(title, name) for name in trials}) for title, (names, trials) in module.TRIALS.items()})
    before = statements.trials_run(copy)
    lines = (copy / statements.TRIED).read_text().splitlines(True)
    (copy / statements.TRIED).write_text("".join(line for line in lines if "GO-62" not in line and "BC-43" not in line))
    assert statements.readings(copy) == 0
    want = [(title, name, reading) for title, (names, trials) in module.TRIALS.items() for name in trials for reading in names
            if name.startswith(("GO-62", "BC-43")) and not (title == "BC: queues" and reading == names[0])]
    after = statements.trials_run(copy)
    assert asked == want and statements.check(copy) == 0 and after.keys() == before.keys()
    assert {key for key in after if (after[key].kind, after[key].found) == ("differs", "5 %")} == {(reading, name) for _, name, reading in want}
    assert statements.readings(copy) == 0 and asked == want


def test_codes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each way to end, with a line; pages are written where that is asked for."""
    asked = []
    for name in ("run", "readings", "write_pages", "check", "again"):
        monkeypatch.setattr(statements, name, lambda *words, name=name: asked.append((name, *words[1:])) or 0)
    for words in (["run"], ["run", "--missing", "A-1"], ["readings"], ["page"], ["check"], ["again", "2.5"]):
        assert statements.main(words) == 0
    assert asked == [("run", [], False), ("run", ["A-1"], True), ("readings",), ("write_pages",), ("check",), ("again", 2.5)]
    for words in (["readings", "x"], ["page", "x"], ["again", "x"], ["again", "1", "2"], ["x"]):
        assert statements.main(words) == 2 and "usage: scripts/paper/statements.py" in capsys.readouterr().err
    for wrong, code, said in ((lists.Wrong("a row"), 3, "a row"), (ArithmeticError("no sum"), 1, "no sum"), (OSError("no file"), 4, "no file"), (KeyboardInterrupt(), 4, "interrupted")):
        def fail(*words: object, wrong: BaseException = wrong) -> int:
            raise wrong
        monkeypatch.setattr(statements, "check", fail)
        assert statements.main(["check"]) == code and capsys.readouterr().err == f"statements.py: {said}\n"
    assert len(asked) == 6
