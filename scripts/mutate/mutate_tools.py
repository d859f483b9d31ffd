# SPDX-License-Identifier: Apache-2.0
# mutate_tools.py - what the mutation scripts share.
from __future__ import annotations

import argparse
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

SECONDS = {True: 5, False: 300}         # of processor time, after which a mutant hangs: short, full run
HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(HERE, "scripts"))


class Trouble(Exception):
    """What a user is told in one line, and the exit code."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(code, text)    # as they came: one crosses from a process to another
        self.code = code
        self.text = text

    def __str__(self) -> str:
        return self.text


class Parser(argparse.ArgumentParser):
    """One line for a wrong option, as everywhere."""

    def error(self, message: str) -> NoReturn:
        raise Trouble(2, f"{message}; --help shows all options")


def missing(program: str) -> Trouble:
    return Trouble(4, f"{program}: not on this machine; scripts/setup.sh installs it")


def call(command: Sequence[str], what: str, **options: Any) -> str:
    """Output of a command that must succeed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    except FileNotFoundError:
        raise missing(command[0]) from None
    if done.returncode:
        tail = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise Trouble(4, f"{what}: {command[0]} ended with code {done.returncode}: {''.join(tail)}")
    return done.stdout


def keyed(folder: str, key: str) -> None:
    """A folder for what is made with this key; what was made with another goes."""
    try:
        with open(f"{folder}/key", encoding="utf-8") as text:
            if text.read() == key:
                return
    except FileNotFoundError:
        pass
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with open(f"{folder}/key", "w", encoding="utf-8") as out:
        out.write(key)


class Store:
    """Every mutant and what became of it, so that an interrupted run goes on."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.db = sqlite3.connect(file, timeout=120)
        self.db.executescript("""
            create table if not exists source (side text primary key, value text);
            create table if not exists mutant (side text, shape text, id integer, module text,
                what text, state text, how text, cycles integer, primary key (side, shape, id));""")

    def begin(self, side: str, key: str) -> None:
        """Drops what was found on this side with other sources or options."""
        if self.db.execute("select value from source where side=?", (side,)).fetchall() != [(key,)]:
            with self.db:
                self.db.execute("delete from mutant where side=?", (side,))
                self.db.execute("insert or replace into source values (?,?)", (side, key))

    def add(self, side: str, shape: str, rows: Iterable[tuple[str, str]]) -> None:
        """rows: (module, what)."""
        with self.db:
            self.db.executemany("insert into mutant values (?,?,?,?,?,'new',null,null)",
                                [(side, shape, k, *row) for k, row in enumerate(rows, 1)])

    def settle(self, side: str, shape: str, number: int, state: str, how: str | None = None, cycles: int | None = None) -> None:
        with self.db:
            self.db.execute("update mutant set state=?, how=?, cycles=? where side=? and shape=? "
                            "and id=?", (state, how, cycles, side, shape, number))

    def get(self, side: str, shape: str, state: str | None = None) -> list[tuple[int, str, str]]:
        """(id, module, what) of a batch, all or those in a state."""
        return self.db.execute(
            "select id, module, what from mutant where side=?1 and shape=?2 and "
            "(?3 is null or state=?3) order by id", (side, shape, state)).fetchall()

    def count(self, sides: Iterable[str]) -> dict[str, int]:
        """{state: mutants} on these sides."""
        count = {}
        for side in sides:
            for state, n in self.db.execute(
                    "select state, count(*) from mutant where side=? group by state", (side,)):
                count[state] = count.get(state, 0) + n
        return count


def judge(o: argparse.Namespace, case: str, side: str, other: str, mutants: Iterable[tuple[int, str]], cycles: int = 0,
          plain: str = "") -> Iterator[tuple[int, str, int]]:
    """Runs (id, library) through a case; yields (id, end, cycle) as each ends.

    plain: a library that as mutant 0 is none; it goes first, for a case that fails without a mutant kills nothing.
    """
    command = [f"{o.build}/mutate/judge", os.path.join(HERE, "sim"), case, side, other, str(cycles),
               str(SECONDS[cycles > 0])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        try:
            first = [(0, plain)] if plain else []
            run.stdin.write("".join(f"{n} {lib}\n" for n, lib in [*first, *mutants]))
            run.stdin.close()
            for line in run.stdout:
                number, end, cycle = line.split()
                if not first:
                    yield int(number), end, int(cycle)
                elif end != "passed":
                    raise Trouble(1, f"{case}: without a mutant, {end} at cycle {cycle}: is `make cosim` well?")
                first = []
        finally:
            if sys.exc_info()[0]:
                run.kill()
    if run.returncode:
        raise Trouble(4, f"judge: ended with code {run.returncode} in case {case}")
