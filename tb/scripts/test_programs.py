# SPDX-License-Identifier: Apache-2.0
"""test_programs.py - lib/programs.py: a program that takes too long ends with all that it started."""

import os
import pathlib
import signal
import threading
import time
from types import SimpleNamespace

import pytest

import lib.programs
from lib.programs import Programs, interruptible, written

CHILD = ["sh", "-c", "sleep 60 & echo $!; wait"]


def alive(log: pathlib.Path) -> bool:
    """Does the child of CHILD run still?  A zombie does not."""
    for _ in range(100):
        try:
            state = pathlib.Path(f"/proc/{int(written(log))}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        if state == "Z":
            return False
        time.sleep(0.02)
    return True


def test_status_and_output(tmp_path: pathlib.Path) -> None:
    log = tmp_path / "log"
    assert Programs().run(["sh", "-c", "pwd; exit 3"], log) == 3
    assert written(log) == f"{os.path.realpath(tmp_path)}\n"


def test_limit_ends_the_group(tmp_path: pathlib.Path) -> None:
    assert Programs().run(CHILD, tmp_path / "log", limit=0.5) is None
    assert not alive(tmp_path / "log")


def test_endless(tmp_path: pathlib.Path) -> None:
    assert Programs().run(CHILD, tmp_path / "log", endless=lambda log: bool(written(log))) is None
    assert not alive(tmp_path / "log")


def test_stop(tmp_path: pathlib.Path) -> None:
    programs, log = Programs(), tmp_path / "log"
    timer = threading.Timer(0.5, programs.stop)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        programs.run(CHILD, log)
    timer.join()
    assert not alive(log)
    with pytest.raises(KeyboardInterrupt):
        programs.run(["true"], log)


@pytest.mark.parametrize("first", [signal.SIGINT, signal.SIGTERM])
def test_the_first_interrupt_alone(first: signal.Signals) -> None:
    """A second one does not cut the cleaning up short."""
    both = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in both]
    try:
        interruptible()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), first)
            time.sleep(5)
        for number in both:
            os.kill(os.getpid(), number)
        assert [signal.getsignal(number) for number in both] == [signal.SIG_IGN] * 2
    finally:
        for number, handler in zip(both, before, strict=True):
            signal.signal(number, handler)


def test_fields_of_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """User and system time, its own and its children's: fields 14 to 17 of proc(5), and no others; a name may have blanks and brackets."""
    tick = os.sysconf("SC_CLK_TCK")
    for field in range(3, 53):
        words = ["0"] * 50
        words[field - 3] = str(5 * tick)
        monkeypatch.setattr(lib.programs, "pathlib", SimpleNamespace(Path=lambda name, words=words: SimpleNamespace(
            read_text=lambda: f"{name[6:-5]} (a) R) {' '.join(words)}")))
        assert lib.programs.processor(7) == (5 if field in (14, 15, 16, 17) else 0), field


def test_processor_time(tmp_path: pathlib.Path) -> None:
    """That of all that a thread has run, with what they waited for; nothing of another thread."""
    programs = Programs()
    assert programs.spent() == 0
    programs.run(["sh", "-c", "sh -c 'k=0; while [ $k -lt 300000 ]; do k=$((k + 1)); done'; true"], tmp_path / "log")
    one = programs.spent()
    assert 0.01 <= one < 20
    programs.run(["sh", "-c", "k=0; while [ $k -lt 300000 ]; do k=$((k + 1)); done"], tmp_path / "log")
    others: list[float] = []
    thread = threading.Thread(target=lambda: others.append(programs.spent()))
    thread.start()
    thread.join()
    assert programs.spent() >= one + 0.01 and others == [0]
