#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench_sweep.sh - what a sweep of short points costs beside its runs: instructions of a point, and CPU time of all.
#
# usage: bench_sweep.sh           a table in Markdown; the CPU times are those of the round with the least cost beside runs
#        bench_sweep.sh --count   instructions alone
# POINTS (default 10000) of one thread, in each of ROUNDS (default 1).  Wants BUILD/fatfly (BUILD=build); instructions
# need valgrind.  Exit codes: 0 done, 2 usage, 4 something is not there.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
rounds=${ROUNDS:-1}
points=${POINTS:-10000}
out=$build/bench
case $*:$# in
  :0 | --count:1) ;;
  *) echo "usage: bench_sweep.sh [--count]" >&2 && exit 2 ;;
esac
[ -x "$build/fatfly" ] || { echo "bench_sweep.sh: $build/fatfly is not there; build it with: make $build/fatfly" >&2 && exit 4; }
command -v valgrind >/dev/null || { echo "bench_sweep.sh: valgrind is not there; install it with: apt-get install valgrind" >&2 && exit 4; }
mkdir -p "$out"

# As short as points are where nothing is said of cycles or runs: open loops, and static points of 30 runs.
names=("open loop, N = 64, load 0.05" "static, N = 64, 30 runs")
options=("load = 0.05;" "runs = 30;")

# sweep KIND POINTS [PROGRAM...]: into $out/sweep.db.
sweep() {
  local kind=$1 count=$2
  shift 2
  printf 'nodes = 64;\n%s\nseed = [%s];\n' "${options[kind]}" "$(seq -s, 1 "$count")" >"$out/short.cfg"
  rm -f "$out"/sweep.db*
  "$@" "$build/fatfly" sweep "$out/short.cfg" --db "$out/sweep.db" --threads 1 >"$out/sweep.log" 2>&1 ||
    { echo "bench_sweep.sh: $(tail -n 1 "$out/sweep.log")" >&2 && return 4; }
}
# count KIND: instructions of a point: in its runs, in what is made of them, in all the rest.
count() {
  local size
  for size in 4 12; do
    sweep "$1" $size valgrind --tool=callgrind --callgrind-out-file="$out/sweep.cg" || return 4
    awk -v size=$size '
      /^c?fn=/ { id = $1; sub(/^c?fn=/, "", id); if (NF > 1) name[id] = $2; called = name[id] }
      /^calls=/ { getline; cost[called] += $2; next }
      /^summary:/ { all = $2 }
      END { print size, cost["fatfly_run"], cost["point_run"] - cost["fatfly_run"], all - cost["point_run"] }' "$out/sweep.cg"
  done | awk 'NR == 1 { n = $1; a = $2; b = $3; c = $4 }
              NR == 2 && $2 > a { printf "%.0f %.0f %.0f", ($2 - a) / ($1 - n), ($3 - b) / ($1 - n), ($4 - c) / ($1 - n) }'
}

echo "| a point | instructions of its runs | of its statistics | of the sweep itself | share of the sweep itself |"
echo "| --- | --- | --- | --- | --- |"
for kind in "${!names[@]}"; do
  read -r runs made rest <<<"$(count "$kind")"
  awk -v name="${names[kind]}" -v a="$runs" -v b="$made" -v c="$rest" 'BEGIN {
    printf "| %s | %d | %d | %d | %.2f %% |\n", name, a, b, c, 100 * c / (a + b + c) }'
done
[ $# = 0 ] || exit 0

# spent KIND: CPU seconds of the sweep, and of its runs as it says them itself.
spent() {
  local TIMEFORMAT='%U %S' all
  all=$( { time sweep "$1" "$points"; } 2>&1) || return 4
  echo "$all" "$("$build/fatfly" export "$out/sweep.db" --timing --columns cpu_s 2>>"$out/sweep.log" | awk 'NR > 1 { s += $1 } END { print s }')"
}
echo
echo "| $points points, one thread | ms of CPU time a point | of it runs | share beside the runs |"
echo "| --- | --- | --- | --- |"
for kind in "${!names[@]}"; do
  for ((k = 0; k < rounds; k++)); do spent "$kind"; done | awk -v n="$points" -v name="${names[kind]}" '
    { share = ($1 + $2 - $3) / ($1 + $2); if (NR == 1 || share < least) { least = share; all = $1 + $2; runs = $3 } }
    END { printf "| %s | %.2f | %.2f | %.1f %% |\n", name, 1e3 * all / n, 1e3 * runs / n, 100 * least }'
done
