# SPDX-License-Identifier: Apache-2.0
"""progress.py - how far a long command is: on a terminal a line that is written over, elsewhere a line now and then."""

import shutil
import sys
import time

EVERY = 300.0  # seconds between two lines of a log


class Progress:
    def __init__(self, every: float = EVERY) -> None:
        self.live, self.every, self.last = sys.stderr.isatty(), every, time.monotonic()

    def show(self, text: str) -> None:
        now = time.monotonic()
        if self.live:
            print("\r\033[K" + text[:shutil.get_terminal_size().columns - 1], end="", file=sys.stderr, flush=True)
        elif now - self.last >= self.every:
            self.last = now
            print(text, file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
