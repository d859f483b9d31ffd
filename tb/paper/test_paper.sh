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
build=${BUILD:-build}
fatfly=$build/fatfly
seed=${SEED:-1}
folder=$build/test/paper
columns=$(python3 -B tb/paper/judge.py --columns)
mkdir -p "$folder"
passed=0
failed=0

# cells NAME SEED RUNS FEW OPEN: runs the cells, leaves NAME.csv.
cells() {
  sed "s/@SEED@/$2/; s/@RUNS@/$3/; s/@FEW@/$4/; s/@OPEN@/$5/" tb/paper/cells.cfg \
    >"$folder/$1.cfg"
  table "$1"
}

table() { # NAME
  rm -f "$folder/$1.sqlite"*
  {
    "$fatfly" sweep "$folder/$1.cfg" --db "$folder/$1.sqlite" >/dev/null &&
      "$fatfly" export "$folder/$1.sqlite" --columns "$columns" >"$folder/$1.csv"
  } 2>"$folder/$1.log" && return
  tail -n 3 "$folder/$1.log"
  return 1
}

holds() { python3 -B tb/paper/judge.py tb/paper/reference.csv "$folder/$1.csv"; }

ok() { # NAME COMMAND...
  local name=$1
  shift
  if "$@" >"$folder/check.log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAIL $name (SEED=$seed)"
    head -n 20 "$folder/check.log"
  fi
}

# A wrong simulator: the table's cells run with another option, then called what they are not.
# The judge must break on one of them, and not because cells are missing.
caught() { # NAME FROM TO OPTION...
  local name=$1 from=$2 to=$3
  shift 3
  {
    printf 'nodes = [16, 64, 256];\npattern = ["random", "complement"];\n'
    printf 'runs = 1000;\nseed = %s;\n' "$seed"
    printf '%s\n' "$@"
  } >"$folder/$name.cfg"
  table "$name" || return 1
  sed -i "2,\$s/$from/$to/" "$folder/$name.csv"
  holds "$name" | grep 'must be' >"$folder/$name.out"
  test -s "$folder/$name.out"
}

if [ "${1-}" = --reference ]; then
  cells reference 20000 60000 15000 400 &&
    python3 -B tb/paper/judge.py --write tb/paper/reference.csv "$folder/reference.csv" &&
    echo "wrote tb/paper/reference.csv"
  exit
fi
[ $# = 0 ] || { echo "usage: [SEED=n] test_paper.sh [--reference]" >&2; exit 2; }

ok "the cells run" cells now "$seed" 3000 1000 40
ok "the cells are what they must be" holds now
ok "FO in place of RR is caught" caught scan ',fo,' ',rr,' 'scan = "fo";'
ok "GP in place of RP is caught" caught path ',gp,' ',rp,' 'path = "gp";'
ok "a packet more a queue of STORE is caught" caught depth '^\([^,]*,[^,]*,[^,]*\),2,' '\1,1,' \
  'discipline = "store";' 'depth = 2;'
ok "worms that are a flit longer are caught" caught length '^\([^,]*\),33,' '\1,32,' 'length = 33;'
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
