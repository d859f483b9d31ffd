#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# results.sh - what tests of sweeps change in results files; sourced by them.

# change FILE SQL: after these statements, with the sums of all rows as they should be.
change() {
  "${python:-python3}" - "$@" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript(sys.argv[2])
for row in db.execute("SELECT * FROM point").fetchall():
    h = 0xcbf29ce484222325
    for b in "".join(c + "\0" for c in (row[0], *row[3:])).encode():
        h = (h ^ b) * 0x100000001b3 % 2**64
    db.execute("UPDATE point SET sum = ? WHERE key = ?", (h >> 1, row[0]))
db.commit()
PY
}
