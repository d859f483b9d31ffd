# SPDX-License-Identifier: Apache-2.0
"""lib/progress.py: a log gets a line now and then, not one a step."""
import pytest

from lib.progress import Progress


def test_log(capsys: pytest.CaptureFixture[str]) -> None:
    often, seldom = Progress(every=0), Progress(every=3600)
    for k in range(3):
        often.show(f"{k} of 3")
        seldom.show("not yet")
    often.clear()
    assert capsys.readouterr().err == "0 of 3\n1 of 3\n2 of 3\n"


def test_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    p = Progress()
    p.live = True
    p.show("1 of 3")
    p.clear()
    assert capsys.readouterr().err == "\r\033[K1 of 3\r\033[K"


def test_a_narrow_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """No line is wrapped: one column is left for the cursor."""
    monkeypatch.setenv("COLUMNS", "20")
    p = Progress()
    p.live = True
    p.show("x" * 19)
    p.show("y" * 20)
    assert capsys.readouterr().err == "\r\033[K" + "x" * 19 + "\r\033[K" + "y" * 19
