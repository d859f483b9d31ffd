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
        self.mine = threading.local()

    def spent(self) -> float:
        """Processor seconds of all that this thread has run, and of what that waited for."""
        return getattr(self.mine, "spent", 0.0)

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
                return self.wait(program, log, limit, endless)
            finally:
                with self.lock:
                    self.running.discard(program)
                    if self.stopped:
                        raise KeyboardInterrupt

    def wait(self, program: subprocess.Popen[bytes], log: pathlib.Path, limit: float | None,
             endless: Endless | None) -> int | None:
        begin, look, pause = time.monotonic(), LOOK, 0.001
        end = float("inf") if limit is None else begin + limit
        late = False
        while runs(program.pid):
            now = time.monotonic()
            if not late and (now >= end or endless and now - begin >= look and endless(log)):
                kill(program.pid)
                late = True
            if now - begin >= look:
                look += LOOK
            time.sleep(pause)
            pause = min(2 * pause, 0.05)
        self.mine.spent = self.spent() + processor(program.pid)
        code = program.wait()
        return None if late else code

    def stop(self) -> None:
        """Ends all that runs; nothing starts after that."""
        with self.lock:
            self.stopped = True
            for program in self.running:
                kill(program.pid)


def runs(pid: int) -> bool:
    """Has a child not ended?  If it has, it stays a zombie."""
    ended: object = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG)
    return ended is None


def processor(pid: int) -> float:
    """Processor seconds of a process that has ended and nobody has waited for, with those of its children."""
    words = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")


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
