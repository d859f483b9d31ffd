# SPDX-License-Identifier: Apache-2.0
"""test_cover.py - the covering design has every pair and triple that a row can have, counted by brute
force on a part of the space; values outside the ranges get one line."""
import itertools
import unittest

import cover

PART = {"depth": "1-3", "flit_w": "16,20,40", "levels": "1-8", "level": "1-8"}
REFUSED = {
    ("depth", "17"): "--depth 17; allowed: 1 to 16",
    ("vcs", "3"): "--vcs 3; allowed: 1, 2, 4",
    ("scan", "fo,lifo"): "--scan lifo; allowed: rr, fo, ff, rot, fcfs",
    ("flit_w", "15-20"): "--flit-w 15; allowed: 16 to 64",
    ("levels", "11"): "--levels 11; allowed: 1 to 10",
}


def all_met(values: cover.Values) -> set[tuple[object, ...]]:
    rows = (dict(zip(cover.ORDER, some)) for some in itertools.product(*map(values.get, cover.ORDER)))
    return set().union(*(cover.tuples(row) for row in rows if cover.possible(row)))


class Cover(unittest.TestCase):
    def test_every_tuple(self) -> None:
        values = cover.values_from(PART)
        wanted = all_met(values)
        self.assertEqual(set(cover.all_tuples(values)), wanted)
        rows = cover.design(values)
        self.assertTrue(all(map(cover.possible, rows)))
        self.assertEqual(set().union(*map(cover.tuples, rows)), wanted)
        # Every row is needed: it was taken for a tuple that those before it lack.
        self.assertEqual(len(set(map(cover.shape, rows))), len(rows))
        self.assertEqual(cover.design(values), rows)

    def test_a_lost_row_is_seen(self) -> None:
        values = cover.values_from(PART)
        rows = cover.design(values)
        self.assertNotEqual(set().union(*map(cover.tuples, rows[:-1])), all_met(values))

    def test_rows_that_are_there(self) -> None:
        values = cover.values_from(PART)
        given = cover.design(values)[::2]
        more = cover.design(values, given)
        self.assertEqual(set().union(*map(cover.tuples, given + more)), all_met(values))
        self.assertTrue(cover.lacks(values, given + more[:-1]) and not cover.lacks(values, given + more))
        self.assertEqual([cover.row_of(cover.shape(row)) for row in given], given)
        with self.assertRaisesRegex(ValueError, "n16-v1-q2-w32-rp-rr is not a switch"):
            cover.row_of("n16-v1-q2-w32-rp-rr")

    def test_refused(self) -> None:
        for (name, text), line in REFUSED.items():
            with self.assertRaises(ValueError) as caught:
                cover.values_from({name: text})
            self.assertEqual(str(caught.exception), line)
        for options in ({"levels": "10", "flit_w": "16"}, {"level": "5", "levels": "4"}):
            with self.assertRaisesRegex(ValueError, "fits no other value"):
                cover.values_from(options)
        with self.assertRaisesRegex(ValueError, "--levels 6 with --network; allowed: 1 to 5"):
            cover.values_from({"levels": "6"}, network=True)


if __name__ == "__main__":
    unittest.main()
