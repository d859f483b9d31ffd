# SPDX-License-Identifier: Apache-2.0
"""test_statements.py - paper/statements.py: the list holds, and what is planted in it is seen."""

import pathlib
import shutil

import pytest

import judge_bc
import statements
from lib import lists

LIST = "scripts/paper/statements/"


@pytest.fixture(name="copy")
def of_the_lists(tmp_path: pathlib.Path) -> pathlib.Path:
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
