# SPDX-License-Identifier: Apache-2.0
"""test_prefix.py - rtl/rtl_prefix.py: which names of a made-up source are changed, what is written, and what is refused."""
from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Callable

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts" / "rtl"))
import rtl_prefix  # noqa: E402  (the path above)

Told = Callable[..., tuple[int, str]]

# Each line as it is and as it becomes; module names are a and b, the header h.vh.
RENAMED = """module a;|module P_a;
module b #(|module P_b #(
  module /* of */ a (|  module /* of */ P_a (
  a u_a (|  P_a u_a (
  b #(.N(1)) u_b (|  P_b #(.N(1)) u_b (
  b // before it #(|  b // before it #(
    /* a b */ #(2) u_c (|    /* a b */ #(2) u_c (
  wire a = b;|  wire a = b;
  assign a = b[1];|  assign a = b[1];
  .a(b), .b(a)|  .a(b), .b(a)
  $display("a u_a \\" b #(");|  $display("a u_a \\" b #(");
  // a u_a|  // a u_a
  /* a u_a|  /* a u_a
     b #( */|     b #( */
  `a u_b|  `a u_b
  aa u_a|  aa u_a
  a$ u_a|  a$ u_a
  a \\u_a|  a \\u_a
  a 5|  a 5
  8'ha b u_b|  8'ha P_b u_b
`include "h.vh"|`include "P_h.vh"
`include "other.vh"|`include "other.vh"
  "h.vh" a|  "h.vh" a"""


def test_names_of_modules() -> None:
    """After `module`, before #( and before the name of an instance, whatever stands between; nowhere else, and nothing is lost."""
    before, after = ("\n".join(line.split("|")[k] for line in RENAMED.splitlines()) for k in (0, 1))
    after = after.replace("  b // before it #(\n", "  P_b // before it #(\n")
    assert rtl_prefix.rename(before, {"a": "P_a", "b": "P_b"}, {"h.vh": "P_h.vh"}) == after
    assert rtl_prefix.rename(before, {}, {}) == before and rtl_prefix.rename("", {"a": "b"}, {}) == ""
    assert rtl_prefix.rename("a", {"a": "P_a"}, {}) == "a" and rtl_prefix.rename("a u", {"a": "P_a"}, {}) == "P_a u" and \
        rtl_prefix.rename('`include "h.vh"', {}, {"h.vh": "x"}) == '`include "x"'
    assert rtl_prefix.modules(before) == ["a", "b", "a"] and rtl_prefix.modules("module") == []


def test_headers_in_their_place() -> None:
    """Where a header is first included; the line goes, and so do later ones."""
    bodies = {"h.vh": "HEAD\n", "i.vh": "OTHER\n"}
    assert rtl_prefix.inlined('x\n`include "h.vh"\ny\n`include "h.vh"\n  `include "i.vh"\n', bodies) == 'x\nHEAD\ny\n  `include "i.vh"\n' and bodies == {"i.vh": "OTHER\n"}


@pytest.fixture(name="told")
def told_(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Exit code and what is said, in a tree of two modules, one whose name is kept, and two headers."""
    root = tmp_path / "root"
    for name, text in (("fatfly.f", "// all\n+incdir+rtl\n\nrtl/a.v\n  rtl/sub/fatfly_b.v\nrtl/c.v\n"), ("a.v", '`include "h.vh"\nmodule a;\n  c u_c ();\nendmodule\n'),
                       ("sub/fatfly_b.v", '`include "h.vh"\n`include "fatfly_i.vh"\nmodule fatfly_b;\n  a #(1) u_a ();\nendmodule\n'), ("c.v", "module c;\nendmodule\n"),
                       ("h.vh", "`define H 1\n"), ("fatfly_i.vh", "`define I 2\n"), ("note.txt", "none\n")):
        (root / "rtl" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "rtl" / name).write_text(text)
    monkeypatch.setattr(rtl_prefix, "ROOT", str(root))
    monkeypatch.chdir(tmp_path)

    def told(*words: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["rtl_prefix.py", *words])
        capsys.readouterr()
        try:
            rtl_prefix.main()
        except SystemExit as end:
            said = capsys.readouterr().err
            assert said.startswith("rtl_prefix.py: ") and said.count("\n") == 1
            return int(str(end.code)), said.removeprefix("rtl_prefix.py: ").rstrip()
        return 0, capsys.readouterr().out.rstrip()
    return told


HEAD = "// SPDX-License-Identifier: Apache-2.0\n// fatfly_all.v - written by scripts/rtl/rtl_prefix.py of fatfly.\n/* verilator lint_off DECLFILENAME */\n"


def test_what_is_written(told: Told, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file for each module and header, named so, and all in one; a folder of before goes as a whole."""
    for prefix, words in (("fatfly_rtl_", ()), ("my", ("--prefix", "my"))):
        assert told("--out", "out", *words) == (0, "out: 3 modules, all of them in out/fatfly_all.v")
        a = f"module {prefix}a;\n  {prefix}c u_c ();\nendmodule\n"
        b = f"module fatfly_b;\n  {prefix}a #(1) u_a ();\nendmodule\n"
        c = f"module {prefix}c;\nendmodule\n"
        assert {file.name: file.read_text() for file in (tmp_path / "out").iterdir()} == {
            f"{prefix}a.v": f'`include "{prefix}h.vh"\n{a}', "fatfly_b.v": f'`include "{prefix}h.vh"\n`include "fatfly_i.vh"\n{b}', f"{prefix}c.v": c,
            f"{prefix}h.vh": "`define H 1\n",
            "fatfly_i.vh": "`define I 2\n", "fatfly_all.v": HEAD + "`define H 1\n" + a + "`define I 2\n" + b + c + "/* verilator lint_on DECLFILENAME */\n"}
    monkeypatch.setenv("BUILD", str(tmp_path / "there"))
    (tmp_path / "link").symlink_to(tmp_path / "out")
    assert told() == (0, f"{tmp_path}/there/rtl-dist: 3 modules, all of them in {tmp_path}/there/rtl-dist/fatfly_all.v")
    assert told("--out", "link")[0] == 0 and (tmp_path / "link").is_symlink() and sorted(os.listdir(tmp_path)) == ["link", "out", "root", "there"]


def test_help(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["rtl_prefix.py", "--help"])
    with pytest.raises(SystemExit) as end:
        rtl_prefix.main()
    assert end.value.code == 0 and "\n\nrtl_prefix.py - the RTL for use beside" in capsys.readouterr().out


def test_what_is_refused(told: Told, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for prefix in ("", "5", "a-b", "a b", "\u00e4"):
        assert told("--prefix", prefix) == (2, f"--prefix {prefix}: not the beginning of a Verilog name (letters, digits, _)")
    rtl = tmp_path / "root/rtl"
    listed, text = (rtl / "fatfly.f").read_text(), (rtl / "a.v").read_text()
    (rtl / "b.v").write_text("module b;\nendmodule\n")
    (rtl / "fatfly.f").write_text(listed + "rtl/b.v\n")
    assert told("--prefix", "fatfly_") == (2, "--prefix fatfly_: b and fatfly_b would both be fatfly_b")
    (rtl / "fatfly.f").write_text(listed + "rtl/none.v\n")
    assert told() == (3, "rtl/none.v: No such file or directory")
    (rtl / "fatfly.f").write_text(listed)
    for more, said in (("module d;\nendmodule\n", ""), ('  `include "h.vh"\n', "rtl/fatfly.f: a header is not understood"),
                       ("module \\f ;\n", "rtl/fatfly.f: fatfly_rtl_ is not understood")):
        (rtl / "a.v").write_text(text + more)
        code, found = told("--out", "new")
        assert (code, found) == (3, said) if said else code == 0
    (rtl / "a.v").write_text(text)
    (tmp_path / "other").mkdir()
    (tmp_path / "other/mine").write_text("")
    assert told("--out", "other") == (2, "--out other: is there and is not of this script; it would be replaced") and (tmp_path / "other/mine").exists()
    (tmp_path / "file").write_text("")
    assert told("--out", "file")[0] == 2 and told("--out", "file/x") == (4, "file/x: Not a directory")

    def rename(old: str, new: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(rtl_prefix.os, "rename", rename)
    assert told("--out", "full") == (4, "full: No space left on device") and not list(tmp_path.glob("full*"))
