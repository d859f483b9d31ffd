# SPDX-License-Identifier: Apache-2.0
"""programs.py - runs other programs side by side, so that all of them can be stopped.  Each leads
a process group, which ends as a whole: Yosys starts ABC, yosys-smtbmc a solver.
"""

import os
import shutil
import signal
import subprocess
import threading
import time

LOOK = 1.0                              # seconds between two looks at a log
# ABC by itself, or else that of Yosys.
ABC = os.environ.get("ABC") or ("berkeley-abc" if shutil.which("berkeley-abc") else "yosys-abc")


class Programs:
    """What runs for a script, from any of its threads."""

    def __init__(self):
        self.lock, self.running, self.stopped = threading.Lock(), set(), False

    def run(self, words, log, limit=None, endless=None):
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

    def stop(self):
        """Ends all that runs; nothing starts after that."""
        with self.lock:
            self.stopped = True
            for program in self.running:
                kill(program)


def wait(program, log, limit, endless):
    end = float("inf") if limit is None else time.monotonic() + limit
    while True:
        left = max(0.0, end - time.monotonic())
        try:
            return program.wait(min(left, LOOK) if endless else None if limit is None else left)
        except subprocess.TimeoutExpired:
            if time.monotonic() >= end or endless and endless(log):
                kill(program)
                program.wait()
                return None


def kill(program):
    try:
        os.killpg(program.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def written(log):
    """What a program wrote: the log but for the command, its first line."""
    return log.read_text(encoding="utf-8", errors="replace").partition("\n")[2]


def interruptible():
    """Ctrl-C and SIGTERM raise KeyboardInterrupt, once: a second does not cut the cleaning up short."""
    def interrupt(_number, _frame):
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupt)
