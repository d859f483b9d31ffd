#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_docs.sh - README.md and docs/*.md say what is so: links, blocks of program output, numbers, the
# table of configurations, lengths.  Then mistakes are planted in copies, and each must be seen.
#
# Usage: test_docs.sh [TEXT]   only the checks that have TEXT in their names
# Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
export BUILD=${BUILD:-build}
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
kept_folder docs

pages() { python3 -B tb/docs/pages.py "$@" >"$t/out" 2>"$t/err"; code=$?; }
right() { pages "$1"; [ "$code" = 0 ] && grep -q '^[1-9][0-9]* passed, 0 failed$' "$t/out"; }
for part in links output facts tables data sizes; do check "pages, $part" right $part; done
check "table of configurations" python3 -B scripts/docs/configurations.py --check

# One change of a copy; the check must name the page and say what is wrong.
planted() { # PART PAGE SED TEXT
  rm -rf "$t/tree"
  mkdir -p "$t/tree"
  cp -r README.md docs "$t/tree"
  sed -i "$3" "$t/tree/$2"
  ! cmp -s "$2" "$t/tree/$2" || { echo "nothing changed" >"$t/err"; return 1; }
  pages --root "$t/tree" --page "$2" "$1"
  [ "$code" = 1 ] && grep -qF -- "$4" "$t/out"
}
while IFS=@ read -r part page script text; do
  check "planted in $page: $script" planted "$part" "$page" "$script" "$text"
done <<'END'
facts@README.md@s/3,055 mutants/3,056 mutants/@but mutants-rtl says 3,055
facts@README.md@s/28 agree, 7 agree/30 agree, 7 agree/@but papers says 40, 28
facts@README.md@s/[0-9]* checks of modules/many checks of modules/@stands 0 times in README.md
output@README.md@s/^    digest       a1/    digest       a2/@'digest       a2a31fd92f37ee1c' is not printed
output@README.md@s/mean per worm/of a worm/@but it prints 'latency
output@docs/cosim.md@s/^    cycle 64: head/    cycle 2: head/@but it prints 'cycle 64: head of worm 3
output@docs/cosim.md@s/^    . port0.gnt  .*0x0/&0/@tb/bugs/run.sh wrong-child-at-level
output@docs/topologies.md@/^<!-- output: .*butterfly/d@a block of output without
output@docs/cosim.md@s/^    .*its head waited 62 cycles inside/&\n    never said/@'never said', but it prints 'case
output@docs/sweeps.md@/^<!-- output: bash/d@is neither printed nor typed
output@docs/sweeps.md@s/nearest valid name: length$/nearest valid name: depth/@but it prints 'fatfly sweep: b.cfg:2
output@docs/library.md@s/test_library.sh -->/test_dpi.sh -->/@has neither docs/library.md nor this line
output@docs/events.md@/^<!-- output: /d@a block of output without
links@README.md@s/docs.switch.md/docs\/swatch.md/@it would be docs/swatch.md
links@docs/waves.md@s/waves.png)/wives.png)/@no wives.png
links@README.md@s/cosim.md#one-case/cosim.md#no-case/@heading no-case
facts@docs/trust.md@s/bugs.bugs.txt) | [0-9]* |/bugs\/bugs.txt) | 1 |/@but bugs-cosim says
facts@docs/checks.md@s/in 67 runs/in 52 runs/@but events says 67
facts@docs/checks.md@s/3,798 trials/3,799 trials/@but soak says 12,001,875,948, 42,396, 3,798, 108
facts@docs/cosim-cases.md@s/there are 86 switches/there are 85 switches/@but deep says 86
facts@docs/python.md@s/of 37 wrong/of 27 wrong/@but python-wrong says 37
facts@docs/cube.md@s/292 are killed/293 are killed/@but cubes-rtl says 349, 292, 55, 2
tables@docs/mutation.md@s/rtl.scan.v | 144 | 123/rtl\/scan.v | 144 | 124/@no row | rtl | rtl/scan.v | 144 | 123
tables@docs/coverage.md@/^| toggle | pick.v/p@rows; the CSV file has
tables@docs/proofs.md@s/| planted bugs | [0-9]* |/| planted bugs | 1 |/@no row | planted bugs |
data@docs/results/formal.csv@d@0 lines; allowed: a header and rows
data@docs/results/soak.csv@$s/,/;/@7 fields
data@docs/results/intervals.csv@$s/^[^,]*//@the first ''
data@docs/results/queues.svg@$d@no whole drawing
sizes@docs/formats.md@s/./& /g@words; allowed: 2,500
END

# --write puts the right figures in.
mended() {
  rm -rf "$t/tree"
  mkdir -p "$t/tree"
  cp -r README.md docs "$t/tree"
  sed -i 's/3,055 mutants/3,056 mutants/' "$t/tree/README.md"
  pages --root "$t/tree" --page README.md --write facts
  cmp README.md "$t/tree/README.md"
}
check "--write mends a number" mended
stale_table() {
  cp README.md "$t/README.md"
  sed -i '/v1-q2-w32-rp-rr/s/ 1,098 / 1,099 /' "$t/README.md"
  ! cmp -s README.md "$t/README.md" && ! python3 -B scripts/docs/configurations.py --check "$t/README.md" \
    >"$t/out" 2>"$t/err" && grep -q 'is not up to date' "$t/err"
}
# make bench writes its tables between markers of docs/speed.md.
between() {
  cp docs/speed.md "$t/speed.md"
  echo "new text" | scripts/docs/section.py "$t/speed.md" bench-run &&
    [ "$(sed -n '/^<!-- bench-run:/,/^<!-- .bench-run/p' "$t/speed.md" | sed -n 2p)" = "new text" ] &&
    [ "$(sed '/^<!-- bench-run:/,/^<!-- .bench-run/d' "$t/speed.md")" = "$(sed '/^<!-- bench-run:/,/^<!-- .bench-run/d' docs/speed.md)" ]
}
check "section.py replaces a section and nothing else" between
no_section() {
  echo text | scripts/docs/section.py "$t/speed.md" bunch 2>"$t/err"
  [ $? = 3 ] && grep -q 'no single section' "$t/err"
}
check "section.py: no such section" no_section
check "planted in the table of configurations" stale_table

ends
