#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_speed.sh - are the rates of docs/speed.md those of these engines and this Verilog?  The instructions of every
# row of its table are counted again: more than a tenth off, the page is to be measured again (make bench).  Of a sweep
# of short points less than a fiftieth of the instructions may be the sweep's own.
#
# Wants BUILD/fatfly and BUILD/rtl/n16-v1-q2-w32-rp-rr.so (BUILD=build), valgrind, and the compiler of the page.
# Prints a line a row and `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
page=docs/speed.md
what="the speed of the engines was NOT checked"
command -v valgrind >/dev/null || skip "$what" "valgrind is not there; apt-get install valgrind"
want=$(sed -n 's/.*Instructions are of gcc \([0-9]*\)\..*/\1/p' "$page")
have=$(${CC:-gcc} -dumpfullversion -dumpversion)
[ "${have%%.*}" = "$want" ] || skip "$what" "the page counts instructions of gcc $want, this is $have"
needs "$build/fatfly" "$build/rtl/n16-v1-q2-w32-rp-rr.so"
scratch

# compare PAGE COUNTS: a line a row, PASS or FAIL.
compare() {
  awk -F ' *[|] *' '
    NR == FNR { if (/^<!-- bench-rows:/) on = 1
                if (/^<!-- \/bench-rows/) on = 0
                if (on && NF == 7 && $5 ~ /^[0-9.]+$/) page[$2] = $5
                next }
    { seen[$1] = 1
      if (!($1 in page)) print "FAIL " $1 ": not in the table of the page"
      else if ($2 < 0.9 * page[$1] || $2 > 1.1 * page[$1])
        print "FAIL " $1 ": " $2 " instructions, the page has " page[$1] ": measure again with scripts/bench/bench_rows.sh | scripts/docs/section.py docs/speed.md bench-rows"
      else print "PASS " $1 ": " $2 " instructions" }
    END { for (name in page) if (!(name in seen)) print "FAIL " name ": in the table, but no row" }' "$1" "$2"
}

scripts/bench/bench_rows.sh --count >"$t/counts" 2>"$t/log" || {
  echo "FAIL instructions cannot be counted: $(tail -n 1 "$t/log")"
  echo "0 passed, 1 failed"
  exit 1
}
compare "$page" "$t/counts" | tee "$t/lines"
passed=$(grep -c '^PASS' "$t/lines")
failed=$(grep -c '^FAIL' "$t/lines")

# A page with each figure an eighth off, on either side, fails in every row.
for factor in 0.875 1.125; do
  awk -F ' *[|] *' -v OFS=' | ' -v f=$factor 'NF == 7 && $5 ~ /^[0-9.]+$/ { $5 = $5 * f } { print }' "$page" >"$t/page"
  awk -F ' *[|] *' -v OFS=' | ' 'NF == 7 && $5 ~ /^[0-9.]+$/ { print $2, $5, $6 }' "$page" >"$t/same"
  if [ -s "$t/same" ] && ! compare "$t/page" "$t/same" | grep -q '^PASS'; then
    passed=$((passed + 1)) && echo "PASS figures times $factor are refused"
  else
    failed=$((failed + 1)) && echo "FAIL figures times $factor pass"
  fi
done

# dispatched TABLE: whether each of its kinds of points stays below 2 %, and there is one.
dispatched() {
  awk -F ' *[|] *' '$6 ~ /^[0-9.]+ %$/ { rows++; if ($6 + 0 >= 2) over++ } END { exit !(rows && !over) }' "$1"
}
scripts/bench/bench_sweep.sh --count >"$t/sweep" 2>>"$t/log"
check "a sweep's own instructions: $(awk -F ' *[|] *' '/%/ { printf "%s %s; ", $2, $6 }' "$t/sweep")under 2 %" dispatched "$t/sweep"
sed 's/[0-9.]* %/2.01 %/' "$t/sweep" >"$t/over"
check 'a sweep that takes 2.01 % is refused' not dispatched "$t/over"

ends
