#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench_channels.sh - speed of the network simulator with one, two and four virtual channels: link
# traversals per CPU second, and instructions of one, of the fast engines and the cycle engine.
#
# Prints a table in Markdown.  Each rate is the best of ROUNDS (default 3), the rounds of all taken in turn.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
rounds=${ROUNDS:-3}
out=$build/bench
mkdir -p "$out"

# shellcheck source=scripts/bench/lib.sh
. scripts/bench/lib.sh
declare -A digest
measure() { # KEY OPTION...
  local key=$1 csv
  shift
  csv=$("$build/fatfly" run --threads 1 --runs 1 --depth 2 --path rp --scan rr --warmup 2000 --format csv "$@" 2>"$out/channels.log")
  digest[$key]=$(field digest <<<"$csv")
  keep "$key" "$(traversals "$csv")"
}
share() { # NODES LENGTH SHARE: load in flits per cycle and processor, a share of the model's saturation (V = 1)
  "$build/fatfly" model --nodes "$1" --length "$2" --format csv --load 0.0001 | field saturation_load |
    awk -v s="$3" '{ printf "%.6f", $1 * s }'
}
instructions() { # OPTION...: of a traversal; two lengths, the difference is without set-up
  command -v valgrind >/dev/null 2>&1 || { echo - && return; }
  local cycles csv
  for cycles in 1500 4500; do
    csv=$(valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file="$out/channels.cg" "$build/fatfly" run --threads 1 --runs 1 \
      --depth 2 --path rp --scan rr --warmup 2000 --format csv --cycles "$cycles" "$@" 2>"$out/channels.log")
    awk -v h="$(field flit_hops <<<"$csv")" '/^summary:/ { print $2, h }' "$out/channels.cg"
  done | awk 'NR == 1 { i = $1; h = $2 } NR == 2 { printf "%.0f", ($1 - i) / ($2 - h) }'
}

high=$(share 1024 32 0.8)
# What two and four channels accept more than one (docs/results.md): 22.5 and 30.8 %.
own=([1]=$high [2]=$(share 1024 32 0.98) [4]=$(share 1024 32 1.046))
rows=("N = 1024, L = 32, 80 % of the saturation of V = 1" "the same by \`--engine cycle\`" "80 % of its own saturation" "20 %"
  "load 0.1 (saturated)" "L = 1, load 0.05" "L = 4, 80 %" "L = 256, 80 %" "N = 64, L = 32, 80 %" "N = 16384, L = 32, 80 %")
for ((k = 0; k < rounds; k++)); do
  for v in 1 2 4; do
    measure 0.$v --nodes 1024 --vcs $v --load "$high" --cycles 20000
    measure 1.$v --nodes 1024 --vcs $v --load "$high" --cycles 3000 --engine cycle
    measure 2.$v --nodes 1024 --vcs $v --load "${own[v]}" --cycles 20000
    measure 3.$v --nodes 1024 --vcs $v --load "$(share 1024 32 0.2)" --cycles 60000
    measure 4.$v --nodes 1024 --vcs $v --load 0.1 --cycles 3000 --whole
    measure 5.$v --nodes 1024 --vcs $v --length 1 --load 0.05 --cycles 3000
    measure 6.$v --nodes 1024 --vcs $v --length 4 --load "$(share 1024 4 0.8)" --cycles 10000
    measure 7.$v --nodes 1024 --vcs $v --length 256 --load "$(share 1024 256 0.8)" --cycles 20000
    measure 8.$v --nodes 64 --vcs $v --load "$(share 64 32 0.8)" --cycles 100000
    measure 9.$v --nodes 16384 --vcs $v --load "$(share 16384 32 0.8)" --cycles 1500
  done
done

echo "Link traversals, millions per CPU second, one core; q = 2 per channel, RP, RR, uniform open loop:"
echo
echo "| | V = 1 | V = 2 | V = 4 |"
echo "| --- | --- | --- | --- |"
for row in "${!rows[@]}"; do
  printf '| %s |' "${rows[row]}"
  for v in 1 2 4; do awk -v r="${best[$row.$v]}" 'BEGIN { printf " %.1f |", r / 1e6 }'; done
  echo
done
printf '| instructions of a traversal, N = 1024, L = 32, 80 %% |'
for v in 1 2 4; do printf ' %s |' "$(instructions --nodes 1024 --vcs $v --load "$high")"; done
echo
for v in 1 2 4; do
  long=$("$build/fatfly" run --threads 1 --runs 1 --depth 2 --path rp --scan rr --warmup 2000 --format csv \
    --nodes 1024 --vcs $v --load "$high" --cycles 3000 --engine fast | field digest)
  [ "$long" = "${digest[1.$v]}" ] || { echo "bench_channels.sh: V = $v: the engines differ" >&2 && exit 1; }
done
