#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench_run.sh - speed of the network simulator: link traversals per CPU second, beside the cycle
# engine and BookSim2 in the same run, and what a traversal costs in instructions and cache misses.
#
# Prints tables in Markdown.  Each rate is the best of ROUNDS (default 3), the rounds of all lines
# taken in turn.  A link traversal is one flit over one link; a fat-tree's include injection and ejection, a torus has no such links here.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
rounds=${ROUNDS:-3}
out=$build/bench
mkdir -p "$out"

# shellcheck source=scripts/bench/lib.sh
. scripts/bench/lib.sh
measure() { # KEY OPTION...
  local key=$1
  shift
  keep "$key" "$(traversals "$("$build/fatfly" run --threads 1 --runs 1 --format csv "$@")")"
}
million() { awk -v r="$1" 'BEGIN { printf "%.1f", r / 1e6 }'; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.0f", a / b }'; }
share() { # NODES SHARE: load in flits per cycle and processor, a share of the model's saturation
  "$build/fatfly" model --nodes "$1" --format csv --load 0.0001 | field saturation_load |
    awk -v s="$2" '{ printf "%.6f", $1 * s }'
}

high=$(share 1024 0.8)
low=$(share 1024 0.2)
open=(--nodes 1024 --length 32 --depth 2 --path rp --scan rr --warmup 10000)
torus=(--topology torus --radix 16 --dimensions 2 --length 4 --warmup 10000)
sizes=(16 64 256 1024 4096 16384)
for ((k = 0; k < rounds; k++)); do
  measure high "${open[@]}" --load "$high" --cycles 200000
  measure low "${open[@]}" --load "$low" --cycles 400000
  measure cycle "${open[@]}" --load "$high" --cycles 10000 --engine cycle
  measure cyclelow "${open[@]}" --load "$low" --cycles 20000 --engine cycle
  # Half of BC's saturation utilisations: 0.17 / 2 and 0.255 / 2, as loads.
  measure ecube "${torus[@]}" --path e-cube --load 0.0423 --cycles 200000
  measure nhop "${torus[@]}" --path negative-hop --load 0.0635 --cycles 100000
  for n in "${sizes[@]}"; do
    measure "n$n" --nodes "$n" --load "$(share "$n" 0.8)" --warmup 5000 --cycles $((60000000 / (n + 500)))
  done
done
BUILD=$build FORMAT=csv ROUNDS=$rounds scripts/bench/bench_booksim.sh >"$out/booksim.csv" 2>"$out/booksim.log" || true
book() { awk -F, -v d="$1" -v s="$2" '$1 == d && $2 == s { print $8 }' "$out/booksim.csv" | head -n 1; }

echo "N = 1024, L = 32, q = 2, V = 1, RP, RR, uniform open loop, one core:"
echo
echo "| | 80 % of saturation, M traversals/s | 20 % | 80 % to 20 % |"
echo "| --- | --- | --- | --- |"
echo "| fatfly | $(million "${best[high]}") | $(million "${best[low]}") | $(awk -v a="${best[low]}" -v b="${best[high]}" 'BEGIN { printf "%.2f", a / b }') |"
echo "| fatfly, every switch in every cycle (\`--engine cycle\`) | $(million "${best[cycle]}") | $(million "${best[cyclelow]}") | |"
for depth in 2 8; do
  h=$(book $depth 0.8) l=$(book $depth 0.2)
  if [ -n "$h" ]; then
    echo "| BookSim2, the same wiring, $depth-flit buffers | $(awk -v r="$h" 'BEGIN { printf "%.2f", r / 1e6 }') | $(awk -v r="$l" 'BEGIN { printf "%.2f", r / 1e6 }') | |"
    echo "| fatfly over BookSim2, $depth-flit buffers | $(ratio "${best[high]}" "$h") times | $(ratio "${best[low]}" "$l") times | |"
  fi
done
[ -s "$out/booksim.csv" ] && grep -q , "$out/booksim.csv" || echo "| BookSim2 | $(tail -n 1 "$out/booksim.log" "$out/booksim.csv" 2>/dev/null | grep -i skipped || echo 'not measured') | | |"
echo
echo "Torus of 16 x 16, messages of 4 flits, uniform open loop at half of saturation, one core:"
echo
echo "| | M traversals/s |"
echo "| --- | --- |"
echo "| fatfly, e-cube, 2 channels | $(million "${best[ecube]}") (goal: 20) |"
echo "| fatfly, negative-hop, 9 channels | $(million "${best[nhop]}") |"
read -r links seconds <<<"$(BUILD=$build FORMAT=torus ROUNDS=$rounds scripts/bench/bench_booksim.sh 2>>"$out/booksim.log" | tail -n 1)" || true
case $links in
  [0-9]*)
    awk -v h="$links" -v s="$seconds" -v b="${best[ecube]}" 'BEGIN {
      printf "| BookSim2, dimension order, 2 channels | %.2f |\n| fatfly over BookSim2 | %.0f times |\n", h / s / 1e6, b * s / h }'
    ;;
  *) echo "| BookSim2 | not measured |" ;;
esac
echo
echo "Cost of a traversal, 80 % of the model's saturation load:"
echo
echo "| N | M traversals/s | ns | instructions | data misses of 32 kB L1 | of 1 MB L2 |"
echo "| --- | --- | --- | --- | --- | --- |"
for n in "${sizes[@]}"; do
  counts="- | - | -"
  if command -v valgrind >/dev/null 2>&1; then
    cache=$out/cachegrind.$n
    cost() { # CYCLES: instructions, L1 misses, L2 misses, hops
      valgrind --tool=cachegrind --cache-sim=yes --D1=32768,8,64 --LL=1048576,16,64 --cachegrind-out-file="$cache" \
        "$build/fatfly" run --threads 1 --runs 1 --format csv --nodes "$n" --load "$(share "$n" 0.8)" \
        --warmup 2000 --cycles "$1" >"$cache.csv" 2>/dev/null
      awk -v h="$(field flit_hops <"$cache.csv")" '/^events:/ { for (k = 2; k <= NF; k++) at[$k] = k }
        /^summary:/ { print $at["Ir"], $at["D1mr"] + $at["D1mw"], $at["DLmr"] + $at["DLmw"], h }' "$cache"
    }
    # Two lengths: the difference is without set-up.
    counts=$( (cost $((1500000 / (n + 500) + 100)); cost $((4500000 / (n + 500) + 100))) | awk '
      NR == 1 { i = $1; a = $2; b = $3; h = $4 }
      NR == 2 { h = $4 - h; printf "%.1f | %.3f | %.4f", ($1 - i) / h, ($2 - a) / h, ($3 - b) / h }')
  fi
  echo "| $n | $(million "${best[n$n]}") | $(awk -v r="${best[n$n]}" 'BEGIN { printf "%.1f", 1e9 / r }') | $counts |"
done
echo
cpu=0
for pattern in random complement many-to-1; do
  for discipline in store worm; do
    for n in 16 64 256 1024 4096; do
      depth=2
      [ $discipline = worm ] || depth=1
      one=$("$build/fatfly" run --threads 1 --nodes $n --discipline $discipline --pattern $pattern --depth "$depth" --runs 30 --format csv | field cpu_s)
      cpu=$(awk -v a="$cpu" -v b="$one" 'BEGIN { print a + b }')
    done
  done
done
echo "| what | | goal |"
echo "| --- | --- | --- |"
echo "| GO table I, 30 cells of 30 runs | $(awk -v c="$cpu" 'BEGIN { printf "%.1f", c }') s of CPU time | under 60 s |"
cat >"$out/threads.cfg" <<END
name = "threads";
nodes = 1024;
load = [0.01, 0.015, 0.02, 0.025, $high];
length = [16, 32, 64];
warmup = 10000;
cycles = 60000;
runs = 2;
END
wall() { # THREADS: nanoseconds of the whole sweep
  local t0 t1
  rm -f "$out/threads$1.sqlite"
  t0=$(date +%s%N)
  "$build/fatfly" sweep "$out/threads.cfg" --threads "$1" --db "$out/threads$1.sqlite" >/dev/null
  t1=$(date +%s%N)
  echo $((t1 - t0))
}
t1=
t2=
for ((k = 0; k < rounds; k++)); do
  a=$(wall 1) b=$(wall 2)
  [ -n "$t1" ] && [ "$t1" -le "$a" ] || t1=$a
  [ -n "$t2" ] && [ "$t2" -le "$b" ] || t2=$b
done
for k in 1 2; do "$build/fatfly" export "$out/threads$k.sqlite" --format csv >"$out/threads$k.csv"; done
same=$(cmp -s "$out/threads1.csv" "$out/threads2.csv" && echo "the same table" || echo "TABLES DIFFER")
echo "| a sweep of 15 points, two threads against one | $(awk -v a="$t1" -v b="$t2" 'BEGIN { printf "%.2f", a / b }') times, $same | 1.8 times |"
