#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench_import.sh - the same mesh in BookSim2 and, imported, in fatfly: latency of an almost idle network
# and the load at which each calls itself saturated, as CSV.
#
# usage: bench_import.sh >docs/results/from-booksim.csv
#   BOOKSIM=PROGRAM  default: the one that bench_booksim.sh builds; without it: "skipped: ...", exit code 0
#   FATFLY=build/fatfly
# 8 x 8 mesh, 4 channels with 8 flits each, dimension order, uniform traffic, worms of 8 flits and of 1.
# Latencies and saturation here without and with --pipeline.
# Three times more with one rule of BookSim2's changed, which says how much it is worth.
# A load is found by halving 0.1 .. 0.8 seven times: to 0.006.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
booksim=${BOOKSIM:-$build/peers/booksim2/src/booksim}
fatfly=${FATFLY:-$build/fatfly}
[ -x "$booksim" ] || { echo "skipped: $booksim is not there; scripts/bench/bench_booksim.sh builds it" && exit 0; }
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT

more='' # a line more for BookSim2
config() { # PACKET_SIZE LOAD
  printf '%s;\n' 'topology = mesh' 'k = 8' 'n = 2' 'routing_function = dor' 'num_vcs = 4' 'vc_buf_size = 8' \
    'traffic = uniform' "packet_size = $1" 'injection_rate_uses_flits = 1' "injection_rate = $2" \
    'warmup_periods = 3' 'sample_period = 2000' 'max_samples = 10' 'seed = 1' ${more:+"$more"} >"$t/c"
}

# Mean latency of a packet, or "saturated".
by_booksim() { # PACKET_SIZE LOAD
  config "$1" "$2"
  "$booksim" "$t/c" >"$t/out" 2>&1 || true
  if grep -qa 'unstable' "$t/out"; then echo saturated; else
    awk '/^Packet latency average/ { v = $5 } END { print v }' "$t/out"
  fi
}
by_fatfly() { # PACKET_SIZE LOAD [OPTION]
  config "$1" "$2"
  "$fatfly" import booksim "$t/c" --output "$t/c.cfg" ${3:+"$3"}
  "$fatfly" run --config "$t/c.cfg" --format csv >"$t/out"
  awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
    NR == 2 { print $at["saturated"] ? "saturated" : $at["latency_mean"] }' "$t/out"
}

by_pipeline() { by_fatfly "$1" "$2" --pipeline; }

saturation() { # PROGRAM PACKET_SIZE
  local low=0.1 high=0.8 middle found
  for _ in 1 2 3 4 5 6 7; do
    middle=$(awk -v a="$low" -v b="$high" 'BEGIN { printf "%.5f", (a + b) / 2 }')
    found=$("$1" "$2" "$middle")
    case $found in
      saturated) high=$middle ;;
      [0-9]*) low=$middle ;;
      *) echo "bench_import.sh: no answer of $1 at load $middle" >&2 && exit 1 ;;
    esac
  done
  awk -v a="$low" -v b="$high" 'BEGIN { printf "%.3f", (a + b) / 2 }'
}

echo packet_flits,changed,idle_booksim,idle_fatfly,idle_pipeline,saturation_booksim,saturation_fatfly,saturation_pipeline,ratio,ratio_pipeline
for row in 8 1 '8 input_speedup = 4' '8 wait_for_tail_credit = 1' '1 wait_for_tail_credit = 1'; do
  size=${row%% *} more=${row#"$size"}
  more=${more# }
  idle=$(by_booksim "$size" 0.02),$(by_fatfly "$size" 0.02),$(by_pipeline "$size" 0.02)
  a=$(saturation by_booksim "$size")
  b=$(saturation by_fatfly "$size")
  c=$(saturation by_pipeline "$size")
  awk -v s="$size,$more" -v i="$idle" -v a="$a" -v b="$b" -v c="$c" \
    'BEGIN { printf "%s,%s,%s,%s,%s,%.3f,%.3f\n", s, i, a, b, c, b / a, c / a }'
done
