#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_paper.sh - GO's tables as a test: N up to 256, the exact cells up to 4096, and every path,
# scan and discipline at N = 64, against precise means (reference.csv) and what GO print.
#
# Usage: [SEED=n] test_paper.sh [--reference]     --reference makes reference.csv anew (minutes)
# Any seed may be given: a right simulator fails with a chance below 10^-4 (judge.py says why).
# Then simulators that are wrong on purpose must fail.  Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
fatfly=$build/fatfly
seed=${SEED:-1}
t=$build/test/paper
columns=$(python3 -B tb/paper/judge.py --columns)
mkdir -p "$t"

# cells NAME SEED RUNS FEW OPEN: runs the cells, leaves NAME.csv.
cells() {
  sed "s/@SEED@/$2/; s/@RUNS@/$3/; s/@FEW@/$4/; s/@OPEN@/$5/" tb/paper/cells.cfg \
    >"$t/$1.cfg"
  table "$1"
}

table() { # NAME
  rm -f "$t/$1.sqlite"*
  {
    "$fatfly" sweep "$t/$1.cfg" --db "$t/$1.sqlite" >/dev/null &&
      "$fatfly" export "$t/$1.sqlite" --columns "$columns" >"$t/$1.csv"
  } 2>"$t/$1.log" && return
  tail -n 3 "$t/$1.log"
  return 1
}

holds() { python3 -B tb/paper/judge.py tb/paper/reference.csv "$t/$1.csv"; }

# A wrong simulator: the table's cells run with another option, then called what they are not.
# The judge must break on one of them, and not because cells are missing.
caught() { # NAME FROM TO OPTION...
  local name=$1 from=$2 to=$3
  shift 3
  {
    printf 'nodes = [16, 64, 256];\npattern = ["random", "complement"];\n'
    printf 'runs = 1000;\nseed = %s;\n' "$seed"
    printf '%s\n' "$@"
  } >"$t/$name.cfg"
  table "$name" || return 1
  sed -i "2,\$s/$from/$to/" "$t/$name.csv"
  holds "$name" | grep 'must be' >"$t/$name.out"
  test -s "$t/$name.out"
}

if [ "${1-}" = --reference ]; then
  cells reference 20000 60000 15000 400 &&
    python3 -B tb/paper/judge.py --write tb/paper/reference.csv "$t/reference.csv" &&
    echo "wrote tb/paper/reference.csv"
  exit
fi
[ $# = 0 ] || { echo "usage: [SEED=n] test_paper.sh [--reference]" >&2; exit 2; }

check "the cells run" cells now "$seed" 3000 1000 40
check "the cells are what they must be (SEED=$seed)" holds now
check "FO in place of RR is caught (SEED=$seed)" caught scan ',fo,' ',rr,' 'scan = "fo";'
check "GP in place of RP is caught (SEED=$seed)" caught path ',gp,' ',rp,' 'path = "gp";'
check "a packet more a queue of STORE is caught (SEED=$seed)" caught depth '^\([^,]*,[^,]*,[^,]*\),2,' '\1,1,' \
  'discipline = "store";' 'depth = 2;'
check "worms that are a flit longer are caught (SEED=$seed)" caught length '^\([^,]*\),33,' '\1,32,' 'length = 33;'

ends
