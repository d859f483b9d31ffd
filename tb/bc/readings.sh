#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# readings.sh - BC's six saturation utilisations under other readings of their text: a Markdown table.
#
# Usage: readings.sh [--check]   (build/fatfly must be there)
#   --check   only holds readings.c and fatfly together, by the readings that fatfly has; 40 s
# A line of a table is one reading for all three algorithms and both traffics, at 13 loads around
# each of BC's figures; the model's two once more, longer.  It takes 20 minutes of CPU time.
# Exit codes: 0 done, 1 readings.c and fatfly differ, 2 usage, 4 a tool is missing.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
cc=${CC:-cc}
if [ $# -gt 1 ] || { [ $# = 1 ] && [ "$1" != --check ]; }; then
  echo "usage: readings.sh [--check]" >&2
  exit 2
fi
for tool in "$cc" "$build/fatfly"; do
  if ! command -v "$tool" >/dev/null; then
    echo "readings.sh: $tool is missing; run make setup and make $build/fatfly" >&2
    exit 4
  fi
done
mkdir -p "$build/bc"
$cc -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Werror tb/bc/readings.c -o "$build/bc/readings"

# Algorithm, hot spot's share, BC's saturation utilisation (BC 2.1).
cases=("e-cube 0 0.17" "north-last 0 0.13" "negative-hop 0 0.255"
  "e-cube 0.04 0.122" "north-last 0.04 0.114" "negative-hop 0.04 0.235")
# Queue, and the words of readings.c.
ours="4 ends leaves fifo channel parity"
one="4 ends leaves fifo one parity"
readings=("$ours" "$one"
  "1 ends leaves fifo one parity"
  "2 ends leaves fifo one parity"
  "1 ends crosses fifo one parity"
  "2 ends crosses fifo one parity"
  "4 ends crosses fifo one parity"
  "1 begins leaves fifo one parity"
  "1 begins crosses fifo one parity"
  "2 begins leaves fifo one parity"
  "1 begins leaves fifo one up"
  "1 begins leaves last one up"
  "1 begins leaves fifo all up"
  "1 begins leaves last all up"
  "4 ends leaves last one up"
  "4 ends leaves last channel parity"
  "4 ends leaves fifo all parity"
  "4 ends leaves fifo all fixed")

# once FILE COMMAND...: what that prints, which FILE keeps.
rm -rf "$build/bc/once"
mkdir "$build/bc/once"
once() {
  local file=$build/bc/once/$1
  [ -e "$file" ] || "${@:2}" >"$file"
  cat "$file"
}

# Whether a reading has fatfly's utilisation, below and beyond saturation; says where not, with a third word where first.
check() { # READING INJECTION [WORD]
  local bad=0 hot algorithm share at mine theirs scale
  for line in "${cases[@]}"; do
    read -r algorithm share at <<<"$line"
    for scale in 0.5 1.1; do
      at=$(awk -v u="${line##* }" -v s="$scale" 'BEGIN { print u * s }')
      hot=(--pattern random)
      [ "$share" = 0 ] || hot=(--pattern hotspot --hotspot "$share" --hotspot-node 255)
      # shellcheck disable=SC2086 # the reading is words
      mine=$(once "$1 $algorithm $share $at" "$build/bc/readings" $1 "$algorithm" "$share" "$at" 60000)
      theirs=$(once "$2 $algorithm $share $at" "$build/fatfly" run --topology torus --radix 16 --dimensions 2 --length 4 --depth 4 \
        --injection "$2" --path "$algorithm" "${hot[@]}" --load "$(awk -v u="$at" 'BEGIN { printf "%.6f", u * 4 * 255 / 2048 }')" \
        --warmup 30000 --cycles 60000 --runs 1 --threads 1 --format csv |
        awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "utilisation") c = k } NR == 2 { print $c }')
      if ! awk -v a="${mine% *}" -v b="$theirs" 'BEGIN { exit !(a > 0.95 * b && a < 1.05 * b) }'; then
        echo "readings.sh: $algorithm, hot spot $share, offered $at: ${mine% *}, fatfly $theirs" >&2
        [ $# = 2 ] || return 1
        bad=1
      fi
    done
  done
  return $bad
}
check "$ours" per-channel && check "$one" one-queue || exit 1
if [ "${1-}" = --check ]; then
  if check "2 ${ours#* }" per-channel first 2>/dev/null || check "$one" per-channel first 2>/dev/null; then
    echo "readings.sh: queues of 2, or one queue at a source, are not told from ours" >&2
    exit 1
  fi
  echo "readings.c and fatfly agree in 24 points, and differ with queues of 2 or one at a source"
  exit 0
fi

# Runs every reading at loads that are BC's figure u in an expression of awk.
try() { # CYCLES EXPRESSION...
  local cycles=$1 reading line u
  shift
  for reading in "${readings[@]}"; do
    for line in "${cases[@]}"; do
      for u in "$@"; do
        echo "$reading ${line% *} $(awk -v u="${line##* }" "BEGIN { print $u }")"
      done
    done
  done >"$build/bc/points"
  # shellcheck disable=SC2016 # the inner shell's
  xargs -P "${JOBS:-$(nproc)}" -a "$build/bc/points" -d '\n' -I '{}' sh -c \
    'echo "$1 $("$0" $1 $2)"' "$build/bc/readings" '{}' "$cycles" >"$build/bc/found"
}

table() { # COLUMN of the utilisation; 1: only where the backlog did not grow
  echo "| reading | e-cube | north-last | negative-hop | hot spot: e-cube | north-last | negative-hop | within 0.01 | rms |"
  echo "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
  printf '| BC |'
  printf ' %s |' "${cases[@]##* }"
  echo " | |"
  for reading in "${readings[@]}"; do
    awk -v reading="$reading" -v calm="$1" -v cases="$(printf '%s\n' "${cases[@]}")" '
      { key = $1 " " $2 " " $3 " " $4 " " $5 " " $6; at = $7 " " $8
        if (key == reading && !(calm && $11) && $10 > most[at]) most[at] = $10 }
      END { n = split(cases, line, "\n")
        printf "| %s |", reading
        for (k = 1; k <= n; k++) {
          split(line[k], f, " ")
          at = f[1] " " f[2]
          if (!(at in most)) {
            printf " - |"
            continue
          }
          off = most[at] - f[3]
          inside = off <= 0.01 && off >= -0.01
          good += inside
          sum += off * off
          some++
          printf(inside ? " %.3f |" : " *%.3f* |", most[at])
        }
        printf " %d | %s |\n", good, some == n ? sprintf("%.3f", sqrt(sum / n)) : "-" }' "$build/bc/found"
  done
}
try 30000 u-.03 u-.025 u-.02 u-.015 u-.01 u-.005 u u+.005 u+.01 u+.015 u+.02 u+.025 u+.03
echo "The highest utilisation at any load:"
echo
table 0
echo
echo "The most carried with a backlog that did not grow (-: it grew at the lightest load, too):"
echo
table 1
echo
echo "Most reached by the model's two, ten times as long, at loads up to 15 % beyond BC's figure:"
echo
readings=("$ours" "$one")
try 300000 u 1.05*u 1.1*u 1.15*u
table 0
