# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# lib.sh - what the benches share.

field() { # NAME, CSV of one row on stdin
  awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k } NR == 2 { print $at }'
}
declare -A best
keep() { # KEY RATE: the best so far; a run without one ends the bench
  case $2 in '' | *[!0-9]*) echo "${0##*/}: no rate of $1" >&2 && exit 1 ;; esac
  [ "${best[$1]:-0}" -ge "$2" ] || best[$1]=$2
}
traversals() { # CSV: link traversals of a CPU second
  awk -v h="$(field flit_hops <<<"$1")" -v s="$(field cpu_s <<<"$1")" 'BEGIN { printf "%.0f", h / s }'
}
