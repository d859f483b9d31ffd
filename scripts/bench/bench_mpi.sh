#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench_mpi.sh - what one run on several machines can gain (docs/mpi.md): the work of a cycle on one core against
# the time that processes take to exchange their letters, and a run of the largest network on all numbers of ranks.
#
# usage: bench_mpi.sh [RANKS]...   2 and 4 by default; MPIRUN="mpirun --hostfile FILE" for machines, MOST=65536 for
# the largest network, ROUNDS=3 for how often it runs.  Prints tables in Markdown.  Cores must have no other work: an exchange is by the clock.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
mpirun=${MPIRUN:-mpirun --oversubscribe}
most=${MOST:-65536}
rounds=${ROUNDS:-3}
[ $# != 0 ] || set -- 2 4
for count; do
  case $count in 2 | 4 | 8 | 16 | 32 | 64) ;; *) echo "bench_mpi.sh: $count ranks; allowed: 2, 4, 8, 16, 32 or 64" >&2 && exit 2 ;; esac
done
if ! command -v mpirun >/dev/null || [ ! -x "$build/fatfly-mpi" ]; then
  echo "bench_mpi.sh: no mpirun or no $build/fatfly-mpi; scripts/setup.sh mpi && make mpi" >&2
  exit 4
fi
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# shellcheck source=scripts/bench/lib.sh
. scripts/bench/lib.sh
micros() { # FIELD, CSV: of a cycle
  awk -v s="$(field "$1" <<<"$2")" -v c="$(field last_arrival_mean <<<"$2")" 'BEGIN { printf "%.1f", 1e6 * s / (c + 1) }'
}

# The smallest network of so many ranks: what a cycle takes beyond a rank's share of the work is the exchange.
echo "| ranks | exchange of a cycle, us |"
echo "| ---: | ---: |"
declare -A exchange
for count; do
  small=(--nodes $((4 * count * count)) --pattern neighbour --length 4096 --rounds 4 --runs 1 --format csv)
  alone=$(micros wall_s "$("$build/fatfly" run "${small[@]}" 2>/dev/null)")
  # shellcheck disable=SC2086 # words
  exchange[$count]=$(micros wall_s "$($mpirun -q -n "$count" "$build/fatfly-mpi" run "${small[@]}" 2>/dev/null)")
  exchange[$count]=$(awk -v a="${exchange[$count]}" -v b="$alone" -v r="$count" 'BEGIN { printf "%.1f", a - b / r }')
  echo "| $count | ${exchange[$count]} |"
done
echo
echo "| N | work of a cycle on one core, us |$(printf ' %s ranks, at most |' "$@")"
echo "| ---: | ---: |$(for count; do printf ' ---: |'; done)"
for ((n = 4096; n <= most; n *= 4)); do
  csv=$("$build/fatfly" run --nodes "$n" --pattern complement --runs 1 --format csv 2>/dev/null)
  work=$(micros cpu_s "$csv")
  printf '| %s | %s |' "$n" "$work"
  for count; do
    awk -v w="$work" -v x="${exchange[$count]}" -v r="$count" 'BEGIN { printf " %.2f |", w / (w / r + x) }'
  done
  echo
done

# The largest of these networks, as it is, in turn.
large=(run --nodes "$((n / 4))" --pattern complement --runs 1 --format csv)
declare -A clock digest
measure() { # RANKS COMMAND...: keeps the least time; 1 is one thread
  local count=$1 csv
  csv=$("${@:2}" "${large[@]}" 2>/dev/null)
  clock[$count]=$(awk -v s="$(field wall_s <<<"$csv")" -v old="${clock[$count]:-1e9}" 'BEGIN { print s < old ? s : old }')
  digest[$count]=$(field digest <<<"$csv")
}
for ((k = 0; k < rounds; k++)); do
  measure 1 "$build/fatfly"
  # shellcheck disable=SC2086 # words
  for count; do measure "$count" $mpirun -q -n "$count" "$build/fatfly-mpi"; done
done
echo
echo "N = $((n / 4)), complement, one run, best of $rounds, digest \`${digest[1]}\` with each:"
echo
echo "| ranks | s by the clock | times as fast as one thread |"
echo "| ---: | ---: | ---: |"
for count in 1 "$@"; do
  [ "${digest[$count]}" = "${digest[1]}" ] ||
    { echo "bench_mpi.sh: digest ${digest[1]} on one thread, ${digest[$count]} on $count ranks" >&2 && exit 1; }
  awk -v n="$count" -v s="${clock[$count]}" -v one="${clock[1]}" \
    'BEGIN { printf "| %s | %.2f | %.2f |\n", n == 1 ? "one thread" : n, s, one / s }'
done
