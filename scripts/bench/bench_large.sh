#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench_large.sh - one run of a large network on one thread and on more: a table in Markdown.
#
# usage: bench_large.sh [THREADS]...   2, 4, 8 .. as many as there are cores by default; one thread is always run
# The best of ROUNDS (default 3), taken in turn, of NODES processors (default 1048576, 4^10), complement.  Means something
# on a machine without other work alone.  Wants BUILD/fatfly (BUILD=build) and GNU time.
# Exit codes: 0 done, 1 a run failed or the digests differ, 2 usage, 4 something is not there.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
rounds=${ROUNDS:-3}
all=$(($# == 0))
nodes=${NODES:-1048576}
out=$build/bench
for ((k = 2; $# < 6 && (k == 2 || k <= $(nproc)) && all; k *= 2)); do set -- "$@" $k; done
for parts; do
  case $parts in
    2 | 4 | 8 | 16 | 32 | 64) ;;
    *) echo "bench_large.sh: $parts threads; allowed: 2, 4, 8, 16, 32 or 64" >&2 && exit 2 ;;
  esac
done
[ -x "$build/fatfly" ] || { echo "bench_large.sh: $build/fatfly is not there; build it with: make $build/fatfly" >&2 && exit 4; }
env time -f %U true 2>/dev/null || { echo "bench_large.sh: GNU time is not there; install it with: apt-get install time" >&2 && exit 4; }
mkdir -p "$out"

declare -A cpu clock memory digest
# one PARTS: keeps what is less than before.
one() {
  local user system seconds kilobytes
  env time -o "$out/large.time" -f '%U %S %e %M' "$build/fatfly" run --threads 1 --runs 1 --parts "$1" --nodes "$nodes" \
    --pattern complement --format csv >"$out/large.csv" 2>"$out/large.log" ||
    { echo "bench_large.sh: $(tail -n 1 "$out/large.log")" >&2 && return 1; }
  read -r user system seconds kilobytes <"$out/large.time"
  cpu[$1]=$(awk -v old="${cpu[$1]:-1e9}" -v u="$user" -v s="$system" 'BEGIN { print u + s < old ? u + s : old }')
  clock[$1]=$(awk -v old="${clock[$1]:-1e9}" -v e="$seconds" 'BEGIN { print e < old ? e : old }')
  memory[$1]=$kilobytes
  digest[$1]=$(awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "digest") at = k } NR == 2 { print $at }' "$out/large.csv")
}
for ((k = 0; k < rounds; k++)); do
  for parts in 1 "$@"; do one "$parts"; done
done
for parts; do
  [ "${digest[1]}" = "${digest[$parts]}" ] ||
    { echo "bench_large.sh: digest ${digest[1]} on one thread, ${digest[$parts]} on $parts" >&2 && exit 1; }
done

commit=$(git rev-parse --short HEAD 2>/dev/null) || commit=unknown
echo "N = $nodes, complement, L = 32, one run, best of $rounds, on $(nproc) cores at $commit:"
echo
echo "| threads | s of CPU time | s by the clock | times as fast as one | GB |"
echo "| --- | --- | --- | --- | --- |"
for parts in 1 "$@"; do
  awk -v p="$parts" -v u="${cpu[$parts]}" -v e="${clock[$parts]}" -v one="${clock[1]}" -v k="${memory[$parts]}" \
    'BEGIN { printf "| %d | %.2f | %.2f | %.2f | %.2f |\n", p, u, e, one / e, k / 1e6 }'
done
echo
# shellcheck disable=SC2016 # the backquotes are Markdown
printf 'The digest is `%s` with each. ' "${digest[1]}"
echo "Goals: 12 s of CPU time and 1 GB on one thread; two threads 1.7 times as fast."
