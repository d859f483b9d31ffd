#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_task.sh - make paper cut into tasks: each point of each sweep in one of them, their results those of one run.
#
# usage: test_task.sh [FILTER].  Two small sweeps in a copy of the tree.  Prints a line a check and `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/results.sh
. tb/lib/results.sh
fatfly=$build/fatfly
scratch
mkdir -p "$t/tree/sim/paper/quick" "$t/tree/build" "$t/one"
cp -r scripts "$t/tree"
ln -s "$fatfly" "$t/tree/build/fatfly"
for name in a b; do
  cat >"$t/tree/sim/paper/quick/$name.cfg" <<'END'
discipline = "worm";
pattern = ["random", "complement"];
nodes = [16, 64];
length = [4, 8];
runs = 2;
seed = 1;
END
done
sed -i 's/seed = 1/seed = 5/' "$t/tree/sim/paper/quick/b.cfg"
folder=$t/tree/build/paper/quick
export BUILD=build
runner=("$t/tree/scripts/paper/paper.sh")
columns() { # of two tables but for their times
  python3 -B - "$1" "$2" <<'END'
import csv, sys
rows = [[{k: v for k, v in r.items() if k not in ("cpu_s", "wall_s")} for r in csv.DictReader(open(f))] for f in sys.argv[1:]]
sys.exit(rows[0] != rows[1] or not rows[0])
END
}
same() { # each sweep's merged table is that of one run
  local name
  for name in a b; do
    "$fatfly" export "$folder/$name.sqlite" --output "$t/$name.csv" >"$t/out" 2>"$t/err" && columns "$t/$name.csv" "$t/one/$name.csv" || return 1
  done
}

for wrong in 0/2 3/2 1/0 2 a/b; do
  run --quick --task "$wrong"
  complains "--task $wrong" 2 "--task $wrong; allowed: K/T, the share K of T, with K from 1 to T"
done
run --quick --redraw
check "two modes" [ "$code" = 2 ]
for name in a b; do
  "$fatfly" sweep "$t/tree/sim/paper/quick/$name.cfg" --db "$t/one/$name.sqlite" >"$t/out" 2>"$t/err"
  "$fatfly" export "$t/one/$name.sqlite" --output "$t/one/$name.csv" >"$t/out" 2>"$t/err"
  check "a run of $name" [ -s "$t/one/$name.csv" ]
done

shares() { # ARGUMENTS of the second share: both shares, merged
  rm -rf "$folder"
  run --quick --task 1/2
  run --quick --task 2/2
  run --quick --merge
}
shares
check "two shares, merged: exit code 0" [ "$code" = 0 ]
check "... are one run" same
rm -f "$folder"/*.sqlite
run --quick --task 1/2
rm -f "$folder"/*.2-of-2.sqlite
run --quick --merge
check "without a share: exit code 4" [ "$code" = 4 ]
cp scripts/paper/paper.sh "$t/paper.sh"
# shellcheck disable=SC2016 # the copy expands it
sed -i 's|^  for file; do|  for file in $(echo "$@" \| cut -d" " -f1); do|' "$t/tree/scripts/paper/paper.sh"
shares
check "planted: shares without the last sweep" [ "$code" = 4 ]
check "... it is named" grep -q 'paper.sh: b: no share' "$t/out"
cp "$t/paper.sh" "$t/tree/scripts/paper"
shares
cp "$t/one/a.sqlite" "$folder/a.1-of-1.sqlite"
run --quick --merge
check "an overlap that agrees: exit code 0" [ "$code" = 0 ]

# One point in two shares, with another digest in one.
change "$folder/a.1-of-1.sqlite" "UPDATE point SET digest = '0123456789abcdef' WHERE position = 1"
run --quick --merge
check "planted: a point that two shares have, with another digest: exit code 1" [ "$code" = 1 ]
check "... both files are named" grep -q 'a.1-of-1.sqlite.* differ in a point: digest is' "$t/err"

# --gg and --redraw with a stub, which says what it was asked for and writes no result: what comes after the sweeps fails.
rm "$t/tree/build/fatfly"
cat >"$t/tree/build/fatfly" <<END
#!/bin/bash
[ "\$1" = sweep ] || exit 1
if [ -e "\$4" ]; then how="goes on with"; else how=begins; fi
echo "\$how \$(basename "\$4")" >>"$t/asked"
touch "\$4"
END
chmod +x "$t/tree/build/fatfly"
touch "$t/tree/sim/paper/gg.cfg"
gg=$t/tree/build/paper
asked() { # LINE, ARGUMENTS: of the first sweep; an empty LINE: none ran
  local line=$1
  : >"$t/asked"
  run "${@:2}"
  [ "$(head -n 1 "$t/asked")" = "$line" ]
}
check "--gg begins" asked "begins gg.sqlite" --gg
check "... and, interrupted, goes on" asked "goes on with gg.sqlite" --gg
touch "$gg/written-gg"
check "... and once written begins anew" asked "begins gg.sqlite" --gg
check "... which is no mark of all" [ ! -e "$gg/made-by" ]
check "--redraw runs nothing" asked "" --redraw
echo "another build" >"$gg/made-by-gg"
sha256sum <"$t/tree/build/fatfly" >"$gg/made-by"
check "all of it takes no results of GG by another build" asked "begins gg.sqlite"

ends
