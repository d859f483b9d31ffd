# SPDX-License-Identifier: Apache-2.0
"""programs.py - runs other programs side by side, so that all of them can be stopped.  Each leads
a process group, which ends as a whole: Yosys starts ABC, yosys-smtbmc a solver.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence

LOOK = 1.0                              # seconds between two looks at a log
# ABC by itself, or else that of Yosys.
Endless = Callable[[pathlib.Path], bool]
ABC = os.environ.get("ABC") or ("berkeley-abc" if shutil.which("berkeley-abc") else "yosys-abc")


class Programs:
    """What runs for a script, from any of its threads."""

    def __init__(self) -> None:
        self.lock, self.stopped = threading.Lock(), False
        self.running: set[subprocess.Popen[bytes]] = set()

    def run(self, words: Sequence[str | os.PathLike[str]], log: pathlib.Path,
            limit: float | None = None, endless: Endless | None = None) -> int | None:
        """Exit status of a program run in the folder of its log, which written() reads.  None if it
        was ended: after limit seconds, or as endless(log) told that it would go on for ever.
        KeyboardInterrupt once stop() was called."""
        with open(log, "w", encoding="utf-8") as out:
            print("$", *words, file=out, flush=True)
            with self.lock:
                if self.stopped:
                    raise KeyboardInterrupt
                program = subprocess.Popen(words, cwd=log.parent, stdin=subprocess.DEVNULL, stdout=out,
                                           stderr=subprocess.STDOUT, start_new_session=True)
                self.running.add(program)
            try:
                return wait(program, log, limit, endless)
            finally:
                with self.lock:
                    self.running.discard(program)
                    if self.stopped:
                        raise KeyboardInterrupt

    def stop(self) -> None:
        """Ends all that runs; nothing starts after that."""
        with self.lock:
            self.stopped = True
            for program in self.running:
                kill(program.pid)


def wait(program: subprocess.Popen[bytes], log: pathlib.Path, limit: float | None,
         endless: Endless | None) -> int | None:
    end = float("inf") if limit is None else time.monotonic() + limit
    while True:
        left = max(0.0, end - time.monotonic())
        try:
            return program.wait(min(left, LOOK) if endless else None if limit is None else left)
        except subprocess.TimeoutExpired:
            if time.monotonic() >= end or endless and endless(log):
                kill(program.pid)
                program.wait()
                return None


def kill(group: int) -> None:
    """Ends a process and all that it started, as it leads their group."""
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def written(log: pathlib.Path) -> str:
    """What a program wrote: the log but for the command, its first line."""
    return log.read_text(encoding="utf-8", errors="replace").partition("\n")[2]


def interruptible() -> None:
    """Ctrl-C and SIGTERM raise KeyboardInterrupt, once: a second does not cut the cleaning up short."""
    def interrupt(_number: int, _frame: object) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
