#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench_rows.sh - the network simulator over channels, queues, lengths, loads, disciplines and topologies: link
# traversals per CPU second, instructions of one, and the engine's file with most of them; rows below a tenth of the best of their
# group say why (scripts/bench/rows.txt).
#
# usage: bench_rows.sh           a table in Markdown; each rate is the best of ROUNDS (default 3), taken in turn
#        bench_rows.sh --count   `NAME | INSTRUCTIONS | ENGINE` a row, of rows.txt; no rates
# Wants BUILD/fatfly (BUILD=build); instructions need valgrind.  Exit codes: 0 done, 1 a row is slow and does not
# say why, 2 usage, 4 something is not there.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build}
rounds=${ROUNDS:-3}
out=$build/bench
rows=${ROWS:-scripts/bench/rows.txt}
case $*:$# in
  :0 | --count:1) ;;
  *) echo "usage: bench_rows.sh [--count]" >&2 && exit 2 ;;
esac
[ -x "$build/fatfly" ] || { echo "bench_rows.sh: $build/fatfly is not there; build it with: make $build/fatfly" >&2 && exit 4; }
mkdir -p "$out"

names=() groups=() options=() grows=() whys=()
while IFS='|' read -r name group option grow why; do
  read -r name <<<"$name" || continue
  [[ $name == \#* ]] && continue
  read -r group <<<"$group" && read -r option <<<"$option" && read -r grow <<<"$grow"
  read -r why <<<"$why" || why=
  names+=("$name") groups+=("$group") options+=("$option") grows+=("$grow") whys+=("$why")
done <"$rows"

# play ROW SIZE [PROGRAM...]: its CSV; what grows has that size.
play() {
  local row=$1 size=$2 words what
  shift 2
  read -r what _ <<<"${grows[row]}"
  read -ra words <<<"${options[row]}"
  [ "$what" = rounds ] || words+=(--warmup 500)
  "$@" "$build/fatfly" run --threads 1 --runs 1 --format csv "${words[@]}" "--$what" "$size" 2>"$out/rows.log" ||
    { echo "bench_rows.sh: ${names[row]}: $(tail -n 1 "$out/rows.log")" >&2 && return 1; }
}
# shellcheck source=scripts/bench/lib.sh
. scripts/bench/lib.sh
# count ROW: instructions of a traversal, and the file of cmodel/engine in which most of them are.
count() {
  local row=$1 size short long csv
  read -r _ short long _ <<<"${grows[row]}"
  for size in "$short" "$long"; do
    csv=$(play "$row" "$size" valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file="$out/rows.cg") || return 1
    awk -v h="$(field flit_hops <<<"$csv")" '
      /^fl=/ { file = $0; sub(/.*\//, "", file); engine = /engine\/[a-z_]*\.[ch]$/ }
      /^[0-9]/ && engine { of[file] += $2 }
      /^summary:/ { most = "-"; for (f in of) if (most == "-" || of[f] > of[most]) most = f
                    print $2, h, most }' "$out/rows.cg"
  done | awk 'NR == 1 { i = $1; h = $2 } NR == 2 && $2 > h { printf "%.1f %s", ($1 - i) / ($2 - h), $3 }'
}

# count_verilog: instructions of a cycle of the Verilated network with N = 16, saturated; nothing if it is not built.
verilog=n16-v1-q2-w32-rp-rr
count_verilog() {
  local cycles
  [ -e "$build/rtl/$verilog.so" ] || return 0
  printf 'nodes = 16;\nload = 0.3;\ncycles = 2000;\n' >"$out/rows.cfg"
  for cycles in 200 600; do
    valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file="$out/rows.cg" "$build/fatfly" cosim --build "$build" \
      --config "$out/rows.cfg" --side rtl --outputs-only --max-cycles "$cycles" >"$out/rows.log" 2>&1 || return 1
    awk '/^summary:/ { print $2 }' "$out/rows.cg"
  done | awk 'NR == 1 { i = $1 } NR == 2 { printf "%.0f", ($1 - i) / 400 }'
}

if [ $# = 1 ]; then
  command -v valgrind >/dev/null || { echo "bench_rows.sh: valgrind is not there; install it with: apt-get install valgrind" >&2 && exit 4; }
  for row in "${!names[@]}"; do
    read -r cost engine <<<"$(count "$row")"
    echo "${names[row]} | $cost | $engine"
  done
  cost=$(count_verilog)
  [ -z "$cost" ] || echo "Verilog of N = 16, a cycle | $cost | $verilog"
  exit 0
fi

rate=()
declare -A best
for ((k = 0; k < rounds; k++)); do
  for row in "${!names[@]}"; do
    csv=$(play "$row" "${grows[row]##* }")
    now=$(awk -v h="$(field flit_hops <<<"$csv")" -v s="$(field cpu_s <<<"$csv")" 'BEGIN { printf "%.0f", h / s }')
    [ "${rate[row]:-0}" -ge "$now" ] || rate[row]=$now
    [ "${best[${groups[row]}]:-0}" -ge "$now" ] || best[${groups[row]}]=$now
  done
done
echo "Link traversals, millions per CPU second, one core, best of $rounds; the rate of the best of a topology is 1:"
echo
echo "| what | M/s | share | instructions | engine |"
echo "| --- | --- | --- | --- | --- |"
slow=0
notes=
for row in "${!names[@]}"; do
  cost=- engine=-
  ! command -v valgrind >/dev/null || read -r cost engine <<<"$(count "$row")"
  share=$(awk -v a="${rate[row]}" -v b="${best[${groups[row]}]}" 'BEGIN { printf "%.2f", a / b }')
  mark=
  if awk -v a="${rate[row]}" -v b="${best[${groups[row]}]}" 'BEGIN { exit !(a < b / 10) }'; then
    mark=' (!)'
    [ -n "${whys[row]}" ] || { echo "bench_rows.sh: ${names[row]}: below a tenth of the best, and no line says why" >&2 && slow=1; }
    notes+="- ${names[row]}: ${whys[row]}."$'\n'
  fi
  printf '| %s | %s | %s%s | %s | %s |\n' "${names[row]}" "$(awk -v r="${rate[row]}" 'BEGIN { printf "%.1f", r / 1e6 }')" \
    "$share" "$mark" "$cost" "$engine"
done
cost=
! command -v valgrind >/dev/null || cost=$(count_verilog)
[ -z "$cost" ] || echo "| Verilog of N = 16, a cycle | | | $cost | $verilog |"
[ -z "$notes" ] || printf '\nBelow a tenth of the best, (!):\n\n%s' "$notes"
exit $slow
