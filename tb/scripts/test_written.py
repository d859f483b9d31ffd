# SPDX-License-Identifier: Apache-2.0
"""test_written.py - what scripts/docs writes into pages: every cell and line from made-up lists, programs and results; what is refused; --check."""
from __future__ import annotations

import io
import pathlib
import subprocess
import sys

import pytest

import bugs_table
import configurations
import man
import section


def program(file: pathlib.Path, text: str) -> str:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return str(file)


# -- the table of configurations ----------------------------------------------------------------------

@pytest.fixture(name="page")
def page_of_configurations(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Two configurations, their areas among others, and a program that says what it is asked."""
    rows = ["config,family,lut,ff,fmax_mhz"]
    for k, name in enumerate(("v1-q2-w32-rp-rr", "v4-q3-w32-rp-fo")):
        rows += [f"{kind}of3-{name},{family},{1234 * (k + 1) + place},{12345 + k},{60 + 7 * k + place}" for place, (kind, family) in enumerate(
            (("s2", "ice40"), ("s1", "ecp5"), ("s1", "ice40"), ("s1", "xc7")))]
    (tmp_path / "fpga.csv").write_text("\n".join(rows) + "\n")
    program(tmp_path / "b/fatfly", f'echo "$*" >>{tmp_path}/asked\necho latency_cycles,other,saturation_load\necho 12.34$5,7,0.0123$7')
    for name, value in {"ROOT": tmp_path, "TABLE": tmp_path / "fpga.csv", "PAGE": tmp_path / "README.md",
                        "CONFIGURATIONS": {("1", "2", "rr"): "one", ("4", "3", "fo"): "two"}}.items():
        monkeypatch.setattr(configurations, name, value)
    monkeypatch.setenv("BUILD", "b")
    (tmp_path / "README.md").write_text(f"before\n{configurations.BEGIN}old\n{configurations.END}after\n")
    return tmp_path / "README.md"


TABLE = """| Configuration | For | LUT4 | FF | MHz, iCE40 | MHz, ECP5 | Latency | Saturation |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
| `v1-q2-w32-rp-rr` | one | 1,236 | 12,345 | 62 | 61 | 12.3 | 0.012 |
| `v4-q3-w32-rp-fo` | two | 2,470 | 12,346 | 69 | 68 | 12.3 | 0.012 |
"""


def configure(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["configurations.py", *words])
    return configurations.main()


@pytest.mark.parametrize("named", [False, True])
def test_configurations(named: bool, page: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Area of both families, what the program says of each, and nothing else on the page changes."""
    if named:
        page = page.rename(page.with_name("other.md"))
    old, words = page.read_text(), [str(page)] * named
    assert configure(monkeypatch, "--check", *words) == 1 and page.read_text() == old and "is not up to date" in capsys.readouterr().err
    assert configure(monkeypatch, *words) == 0 and page.read_text() == f"before\n{configurations.BEGIN}{TABLE}{configurations.END}after\n"
    assert configure(monkeypatch, "--check", *words) == configure(monkeypatch, *words) == 0 and capsys.readouterr().err == ""
    asked = (page.parent / "asked").read_text().splitlines()
    assert asked[:2] == [f"estimate --nodes 64 --vcs {v} --depth {q} --flit-bits 32 --path rp --scan {scan} --format csv" for v, q, scan in configurations.CONFIGURATIONS]


def test_configurations_that_are_missing(page: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    table = page.with_name("fpga.csv")
    text = table.read_text()
    table.write_text(text.replace("s1of3-v4-q3-w32-rp-fo,ecp5", "s1of3-v4-q3-w32-rp-fo,ecp6"))
    with pytest.raises(SystemExit) as stopped:
        configure(monkeypatch)
    assert stopped.value.code == 4 and "fpga.csv has no s1of3-v4-q3-w32-rp-fo of ecp5" in capsys.readouterr().err
    table.write_text(text)
    program(page.parent / "b/fatfly", "echo latency_cycles,saturation_load; echo 1,2; exit 1")
    with pytest.raises(SystemExit) as stopped:
        configure(monkeypatch)
    assert stopped.value.code == 4
    for words, code in ((["a", "b"], 2), (["--chek"], 2), (["--check", "a", "b"], 2), (["a", "--check"], 2)):
        assert configure(monkeypatch, *words) == code
    for text in ("no marks", configurations.BEGIN, configurations.END + configurations.BEGIN):
        page.write_text(text)
        assert configure(monkeypatch) == 1 and page.read_text() == text and "without" in capsys.readouterr().err


# -- a section from standard input ------------------------------------------------------------------

SECTION = "a\n<!-- a.b: made so -->\nold\n<!-- /a.b -->\nb\n<!-- axb: made -->\nx\n<!-- /axb -->\n"


def put(monkeypatch: pytest.MonkeyPatch, text: str, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["section.py", *words])
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    return section.main()


def test_a_section(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """One section, once there; a name is no pattern."""
    page = tmp_path / "page.md"
    page.write_text(SECTION)
    assert put(monkeypatch, "\nnew\n\nlines\n\n", str(page), "a.b") == 0 and page.read_text() == SECTION.replace("old", "new\n\nlines")
    for text, name, words in (("new", "a", "no single section <!-- a: .. -->"), (" \n", "a.b", "no text")):
        before = page.read_text()
        assert put(monkeypatch, text, str(page), name) == 3 and words in capsys.readouterr().err and page.read_text() == before
    page.write_text(SECTION + SECTION)
    assert put(monkeypatch, "new", str(page), "a.b") == 3 and page.read_text() == SECTION + SECTION
    page.write_text(SECTION.replace("<!-- /a.b -->", "x <!-- /a.b -->"))
    assert put(monkeypatch, "new", str(page), "a.b") == 3 and put(monkeypatch, "new", str(tmp_path / "none"), "a.b") == 3
    capsys.readouterr()
    assert put(monkeypatch, "new", str(page)) == put(monkeypatch, "new", str(page), "a.b", "c") == put(monkeypatch, "new") == 2
    assert capsys.readouterr().err.count("usage: section.py PAGE NAME") == 3


# -- the manual -------------------------------------------------------------------------------------

HELP = """fatfly 1.2
fatfly is a program
that says-so.

  run      runs 'it'
  show it  is no command
  sweep    many points

exit codes: 0 done, 1 x, with more, 2 usage
"""
RUN = ("usage\tfatfly run [--a N] [FILE]\nabout\tOne  line.\nabout\t.second a~b\noption\tsize\tnodes\tN|all\tfiles\tHow many.\noption\tsize\tquick\t\t\tSoon.\n"
       "option\tother things\tload\tX\twords a b\tA load.\nnotes\texit codes: 0 done\nnotes\tlast `x` ^ \\\ncolumn\tname-it\tits name\n")
SWEEP = "usage\tfatfly sweep FILE\noption\tsize\tdb\tFILE\tfiles\tWhere.\noption\tsize\tto\tFILE\tfiles\tWhither.\n"
MANUAL = r""".nh
.ad l
.SH NAME
fatfly \- butterfly fat\-tree networks of wormhole switches, cycle by cycle
.SH SYNOPSIS
\fBfatfly run\fR [\-\-a N] [FILE]
.br
\fBfatfly sweep\fR FILE
.SH DESCRIPTION
fatfly is a program that says\-so.
.TP
\fBrun\fR
runs \(aqit\(aq
.TP
\fBsweep\fR
many points
.SH FATFLY RUN
One line.
.PP
\&.second a\(tib
.SS Size
.TP
\fB\-\-nodes\fR \fIN|\:all\fR
How many.
.TP
\fB\-\-quick\fR
Soon.
.SS Other things
.TP
\fB\-\-load\fR \fIX\fR
A load.
.PP
Exit codes: 0 done.
.PP
last \(gax\(ga \(ha \e
.SS Columns
.TP
\fBname\-it\fR
its name
.SH FATFLY SWEEP
.SS Size
.TP
\fB\-\-db\fR \fIFILE\fR
Where.
.TP
\fB\-\-to\fR \fIFILE\fR
Whither.
.SH EXIT STATUS
.TP
\fB0\fR
done
.TP
\fB1\fR
x, with more
.TP
\fB2\fR
usage
.SH EXAMPLES
.TP
\fBfatfly run \-\-x\fR
An example.
.SH SEE ALSO
"""
COMPLETION = """_fatfly_options() {
  case $1 in
  run) echo "--nodes --quick --load --help" ;;
  sweep) echo "--db --to --help" ;;
  esac
}

_fatfly_value() {
  case $1:$2 in
  run:--nodes) echo "files" ;;
  run:--load) echo "words a b" ;;
  sweep:--db | sweep:--to) echo "files" ;;
  esac
}
"""


@pytest.fixture(name="fatfly")
def a_program(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is written goes to tmp_path; the working folder is put back."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("help", HELP), ("run", RUN), ("sweep", SWEEP)):
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(man, "MAN", str(tmp_path / "fatfly.1"))
    monkeypatch.setattr(man, "BASH", str(tmp_path / "fatfly.bash"))
    monkeypatch.setattr(man, "EXAMPLES", [("fatfly run --x", "An example.")])
    return program(tmp_path / "b/fatfly", f"case $* in --help) cat {tmp_path}/help ;; --version) echo fatfly, release 1.2-3 ;; *' --options') cat {tmp_path}/$1 ;; *) exit 5 ;; esac")


def manual(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["man.py", *words])
    return man.main()


def test_the_manual(fatfly: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Whole, of two commands; --check writes nothing and names what differs."""
    files = [tmp_path / "fatfly.1", tmp_path / "fatfly.bash"]
    assert manual(monkeypatch, "--check", fatfly) == 1 and not any(f.exists() for f in files) and capsys.readouterr().out.count("is not what the program says") == 2
    assert manual(monkeypatch, fatfly) == 0 and capsys.readouterr().out == "".join(f"wrote {f}\n" for f in files)
    page, bash = (f.read_text() for f in files)
    head, _, rest = page.partition(".nh\n")
    assert head.splitlines()[2] == r'.TH FATFLY 1 "" "fatfly 1.2\-3" "User Commands"' and (".nh\n" + rest).startswith(MANUAL) and page.endswith("1997.\n") and COMPLETION in bash
    assert manual(monkeypatch, "--check", fatfly) == manual(monkeypatch, fatfly) == 0 and capsys.readouterr().out == ""
    files[1].write_text("other")
    assert manual(monkeypatch, fatfly, "--check") == 1 and capsys.readouterr().out.startswith(str(files[1]))
    monkeypatch.setenv("BUILD", str(tmp_path / "b"))
    assert manual(monkeypatch) == 0 and files[1].read_text() == bash


@pytest.mark.parametrize("words, want", [("r", "run"), ("", "run sweep --help --version"), ("run --", "--nodes --quick --load --help"), ("sweep --d", "--db"),
                                         ("run --load ", "a b"), ("run --load = ", "a b"), ("run --nodes he", "help"), ("sweep ru", "run")])
def test_completion(words: str, want: str, fatfly: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As bash has it: commands, options of one, words and files."""
    assert manual(monkeypatch, fatfly) == 0
    typed = " ".join(f"'{word}'" for word in words.split(" "))
    said = subprocess.run(["bash", "-c", f"source fatfly.bash; COMP_WORDS=(fatfly {typed}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _fatfly; echo ${{COMPREPLY[@]}}"],
                          cwd=tmp_path, capture_output=True, text=True, check=True)
    assert said.stdout == want + "\n" and not said.stderr


@pytest.mark.parametrize("name, old, new", [("run", "How many.", "How\tmany."), ("run", "its name", "its\tname"), ("run", "usage\t", "used\t"),
    ("run", "usage\tfatfly run [--a N] [FILE]\n", ""),
                                            ("sweep", "option", "column"), ("help", "  run ", "  Run "), ("help", "exit codes", "codes")])
def test_help_that_cannot_be_read(name: str, old: str, new: str, fatfly: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (tmp_path / name).read_text()
    assert old in text
    changed = text.replace(old, new)
    (tmp_path / name).write_text(changed.replace("  sweep", "  Sweep") if old == "  run " else changed)
    with pytest.raises(SystemExit) as stopped:
        manual(monkeypatch, fatfly)
    assert stopped.value.code == 3


def test_what_the_manual_refuses(fatfly: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sweep").unlink()
    for words, code in (([fatfly], 3), ([str(tmp_path / "none")], 4), ([fatfly, fatfly], 2), (["--chek"], 2)):
        with pytest.raises(SystemExit) as stopped:
            manual(monkeypatch, *words)
        assert stopped.value.code == code, words


# -- the table of planted bugs ------------------------------------------------------------------------

BUGS = "one | rtl | rtl/a.v | x | y | case-1 | mismatch\ntwo | c | cmodel/b.c | x | y | case-2 | deadlock\n"


@pytest.fixture(name="bugs")
def page_of_bugs(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    monkeypatch.setattr(bugs_table, "ROOT", tmp_path)
    monkeypatch.setattr(bugs_table, "WORDS", {"two": "words of two", "one": "words of one"})
    for name, text in ((bugs_table.LIST, BUGS), (bugs_table.PAGE, f"a\n{bugs_table.BEGIN}\nold\n{bugs_table.END}\nb\n")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path / bugs_table.PAGE


def test_bugs(bugs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = bugs.read_text()
    assert bugs_table.main(["--check"]) == 1 and bugs.read_text() == old and "is not up to date" in capsys.readouterr().err
    assert bugs_table.main([]) == 0 and bugs.read_text() == f"""a
{bugs_table.BEGIN}
| bug | side | file | what it does | case that catches it | as |
| --- | --- | --- | --- | --- | --- |
| `one` | rtl | [rtl/a.v](../rtl/a.v) | words of one | `case-1` | mismatch |
| `two` | c | [cmodel/b.c](../cmodel/b.c) | words of two | `case-2` | deadlock |

2 bugs.
{bugs_table.END}
b
"""
    assert bugs_table.main(["--check"]) == bugs_table.main([]) == 0 and capsys.readouterr().err == ""
    assert bugs_table.main(["--chek"]) == bugs_table.main(["--check", "x"]) == 2


@pytest.mark.parametrize("old, new, said", [("two |", "too |", "bugs.txt:2: no words for too"), ("deadlock", "dead", "dead; allowed: mismatch"),
    (BUGS[BUGS.index("two"):], "", "no bug is called two"),
                                            ("| y | case-1", "| case-1", "6 fields")])
def test_wrong_bugs(old: str, new: str, said: str, bugs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (bugs_table.ROOT / bugs_table.LIST).write_text(BUGS.replace(old, new))
    before = bugs.read_text()
    assert bugs_table.main([]) == 3 and said in capsys.readouterr().err and bugs.read_text() == before


def test_a_page_without_a_place_for_bugs(bugs: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    bugs.write_text(bugs.read_text() * 2)
    assert bugs_table.main([]) == 3 and "must stand there once" in capsys.readouterr().err
    bugs.unlink()
    assert bugs_table.main([]) == 3
