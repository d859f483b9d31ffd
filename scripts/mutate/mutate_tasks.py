# SPDX-License-Identifier: Apache-2.0
# mutate_tasks.py - the share K of T of the mutants, and shares joined (docs/cluster.md).
from __future__ import annotations

import argparse
import os
import pathlib
import sqlite3
from collections.abc import Sequence

from mutate_tools import Store, Trouble
from lib import tasks

Batch = tuple[str, str]                                          # side; shape or file
Row = tuple[int, str, str, str, str | None, int | None]          # id, module, what, state, how, cycles
ROWS = "select id, module, what, state, how, cycles from mutant where side=? and shape=? order by id"


def cost(batch: Batch) -> float:
    """Processor seconds, roughly: a library of a shape and its proofs, or the mutants of a file of so many bytes."""
    side, name = batch
    if side == "rtl":
        return 60.0
    return 5 + pathlib.Path(__file__).resolve().parents[2].joinpath("cmodel", name).stat().st_size / 200


def share(batches: Sequence[Batch], text: str) -> list[Batch]:
    """Those of the share "K/T"; the longest first, each to the task with least."""
    k, t = tasks.task(text)
    return [b for b, mine in zip(batches, tasks.shares([cost(b) for b in batches], t)) if mine == k]


def read(name: str, keys: dict[str, str]) -> dict[Batch, list[Row]]:
    """The batches of a share that are whole."""
    try:
        db = sqlite3.connect(f"{pathlib.Path(name).absolute().as_uri()}?mode=ro", uri=True)
        known = dict(db.execute("select side, value from source"))
        every = db.execute("select distinct side, shape from mutant").fetchall()
        rows: dict[Batch, list[Row]] = {b: db.execute(ROWS, b).fetchall() for b in every}
    except sqlite3.Error as e:
        raise Trouble(3, f"{name}: {e}; allowed: mutants.K-of-T.db, as mutate.py --task K/T leaves it") from None
    for side, key in known.items():
        if side in keys and key != keys[side]:
            raise Trouble(3, f"{name}: of other sources, cases or options than this checkout and command")
    return {b: r for b, r in rows.items() if b[0] in keys and all(row[3] != "new" for row in r)}


def merge(o: argparse.Namespace, store: Store, keys: dict[str, str], expected: Sequence[Batch]) -> int:
    """Adds what the shares o.merge have to the store; a batch in several must be the same in all.  The exit code."""
    found: dict[Batch, list[Row]] = {}
    where: dict[Batch, str] = {}
    if any(os.path.realpath(name) == os.path.realpath(o.db) for name in o.merge):
        raise Trouble(2, f"{o.db} is written; allowed: other files")
    for name in [o.db, *o.merge]:
        for batch, rows in read(name, keys).items():
            other = found.setdefault(batch, rows)
            where.setdefault(batch, name)
            # What survived in a share may have been settled since.
            differ = [a[0] for a, b in zip(other, rows) if a[:3] != b[:3] or (a[3:] != b[3:] and "survived" not in (a[3], b[3]))]
            if differ or len(other) != len(rows):
                number = differ[0] if differ else min(len(other), len(rows)) + 1
                raise Trouble(1, f"{batch[1]}, mutant {number}: not the same in {where[batch]} and {name}")
            found[batch] = [b if a[3] == "survived" else a for a, b in zip(other, rows)]
    with store.db:
        for batch, rows in found.items():
            store.db.execute("delete from mutant where side=? and shape=?", batch)
            store.db.executemany("insert into mutant values (?,?,?,?,?,?,?,?)", [(*batch, *row) for row in rows])
    missing = [b for b in expected if b not in found]
    for side, name in missing:
        print(f"missing: {side} {name}")
    left = sum(row[3] == "survived" for rows in found.values() for row in rows)
    print(f"{len(expected) - len(missing)} of {len(expected)} shapes and files joined; {left} mutants are left for the run "
          f"that follows: {o.db}")
    return 4 if missing else 0
