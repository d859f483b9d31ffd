#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_digest.sh - the same configuration and seed give the same result: with every compiler and
# optimisation, on any number of threads, in every engine and in the Verilog.
#
# usage: test_digest.sh [COMPILER]...   more compilers with their options, e.g. "clang-19 -O1"
#        test_digest.sh --write         digests.txt anew, where a change of results is meant
# Wants BUILD/fatfly, BUILD/lib/libfatfly.a, BUILD/san/model.a and BUILD/rtl/n{16,64}-v1-q2-w32-rp-rr.so (BUILD=build).
# Prints a line a check and `N passed, N failed`; writes in a temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
filter=
fatfly=$build/fatfly
needs "$fatfly" "$build/san/model.a" "$build"/rtl/{n16,n64}-v1-q2-w32-rp-rr.so
scratch

# -- compilers -----------------------------------------------------------------------------------

include=(-Icmodel -Icmodel/{switch,network,topology,traffic,theory,measure,engine,api})

# program OUT COMPILER: tb/digest/digest.c and the model, made by the compiler.
program() {
  # shellcheck disable=SC2086 # a compiler with its options
  $2 -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -w "${include[@]}" tb/digest/digest.c \
    cmodel/{switch,network,topology,traffic,theory,measure,engine,api}/*.c -lm -o "$1"
}
# The same of the library as it is built.
of_library() { ${CC:-gcc} -O2 -std=c11 -D_POSIX_C_SOURCE=200809L -w "${include[@]}" tb/digest/digest.c "$build/lib/libfatfly.a" -lm -o "$1"; }

runs=3600
# drawn PROGRAM [FIRST LAST]: its drawn runs are those of digests.txt.  Of engines that have none beside them nothing else
# notices that a rule has changed.  $t/runs has them, and what came of sessions that were sent worms.
drawn() { timeout 900 "$1" "${2:-1}" "${3:-$runs}" once >"$t/runs" && recorded; }
recorded() { grep -v '^[0-9]* sent: ' "$t/runs" >"$t/drawn" && python3 -B tb/digest/record.py "$@" "$t/drawn" tb/digest/digests.txt; }
if [ "${1-}" = --write ]; then
  of_library "$t/program" && "$t/program" 1 "$runs" once >"$t/runs" && recorded --write
  exit
fi

# works COMPILER: it makes programs that run here.
works() {
  echo 'int main(void) { return 0; }' >"$t/try.c"
  # shellcheck disable=SC2086
  $1 "$t/try.c" -o "$t/try" 2>"$t/log" && "$t/try" 2>"$t/log"
}

# same COMPILER: its program prints what that of the library does.
same() { program "$t/program" "$1" && "$t/program" >"$t/got" && diff "$t/want" "$t/got"; }

check "a program of the library" of_library "$t/program"
check "it runs" "$t/program"
cp "$t/check" "$t/want"
check "60 configurations at least" test "$(wc -l <"$t/want")" -ge 60
check "as many as docs/library.md says" grep -q "compares $(wc -l <"$t/want") results" docs/library.md
check "all with a digest of their own, but for pairs of engines" test \
  "$(awk '{ print $12 }' "$t/want" | sort -u | wc -l)" -ge $(($(wc -l <"$t/want") - 4))

check "3,600 drawn runs are as recorded" drawn "$t/program"

# as_sessions PROGRAM [FIRST LAST]: $t/runs as sessions, cut anywhere and brought back by snapshots, are the same; from 2,401 on every
# second of them.
as_sessions() {
  timeout 900 "$1" "${2:-1}" "${3:-$runs}" sessions >"$t/sessions" && diff <(awk '$1 <= 2400 || $1 % 2' "$t/runs") "$t/sessions"
}
check "3,000 of them as sessions, brought back again and again, are the same" as_sessions "$t/program"

# planted LINE of bugs.txt: of the runs named, some are not as recorded, or, where the name begins with session-, not
# the same as sessions.
planted() {
  local name file from to first last
  fields "$1" name file from to first last
  rm -rf "$t/tree" && mkdir "$t/tree" && cp -r cmodel "$t/tree"
  check "planted: $name: it is in" plant "$t/tree/$file" "$from" "$to"
  flags_of "$t/tree"
  objects_but "$file" "$build"/lib/obj/cmodel/{switch,network,topology,traffic,theory,measure,engine,api}
  rm -f "$t/planted"
  ${CC:-gcc} "${flags[@]}" tb/digest/digest.c "$t/tree/$file" "${objects[@]}" -lm -o "$t/planted" 2>"$t/log" ||
    { fail "planted: $name does not build: $(grep -m 1 error "$t/log")"; return; }
  case $name in
    session-*)
      drawn "$t/planted" "$first" "$last" >"$t/log" 2>&1
      as_sessions "$t/planted" "$first" "$last" >"$t/log" 2>&1
      check "planted: $name: $(sed -n 2p "$t/log" | cut -c 1-90)" grep -q '^> ' "$t/log"
      ;;
    *)
      drawn "$t/planted" "$first" "$last" >"$t/log" 2>&1
      check "planted: $name: $(head -n 1 "$t/log" | cut -c 1-90)" grep -q '^not as recorded: ' "$t/log"
      ;;
  esac
}
while read -r line; do planted "$line"; done < <(listed tb/digest/bugs.txt)

others=("gcc -O0" "gcc -O3 -funroll-loops -march=native" "clang -O0" "clang -O3 -march=native"
  # SSE2: the old floating point unit rounds twice.
  "gcc -O2 -m32 -msse2 -mfpmath=sse" "$@")
for compiler in "${others[@]}"; do
  if works "$compiler"; then
    check "$compiler" same "$compiler"
  else
    echo "     $compiler: not here"
  fi
done
# The unit tests' objects.
sanitized() {
  ${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -w -O1 -fsanitize=address,undefined -fno-sanitize-recover=all "${include[@]}" \
    tb/digest/digest.c "$build/san/model.a" -lm -o "$t/program" && "$t/program" >"$t/got" && diff "$t/want" "$t/got"
}
check "gcc -O1 -fsanitize=address,undefined" sanitized

# -- threads -------------------------------------------------------------------------------------

# point OPTION...: the CSV of a point without its times.
point() {
  "$fatfly" run --format csv --build "$build" "$@" >"$t/csv" || return
  awk -F, -v OFS=, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "cpu_s" || $k == "wall_s") time[k] }
    { for (k in time) $k = ""; print }' "$t/csv"
}

# on_threads OPTION...: 1, 2 and 8 threads, 11 runs.
on_threads() {
  local n
  point "$@" --runs 11 --threads 1 >"$t/one" && [ "$(wc -l <"$t/one")" = 2 ] || return
  for n in 2 8; do
    point "$@" --runs 11 --threads $n >"$t/more" && diff "$t/one" "$t/more" || return
  done
}

check "threads, worm" on_threads --nodes 64
check "threads, store" on_threads --nodes 64 --discipline store --path fp
check "threads, univ" on_threads --nodes 64 --discipline univ
check "threads, split" on_threads --nodes 64 --discipline split --overhead 0.5
check "threads, phased" on_threads --nodes 16 --discipline phased
check "threads, channels" on_threads --nodes 64 --vcs 4 --path rg --scan fcfs
check "threads, open loop" on_threads --nodes 64 --load 0.1 --cycles 5000
check "threads, saturated" on_threads --nodes 16 --load 0.9 --cycles 2000

# -- engines -------------------------------------------------------------------------------------

# Columns of $t/csv by name.
columns() {
  awk -F, -v names="$1" 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
    NR == 2 { n = split(names, name, ","); for (k = 1; k <= n; k++) print name[k], $at[name[k]] }' "$t/csv"
}

# in_engines OPTION...: fast, cycle and the Verilog; what the Verilog knows, and all the rest of the
# first two.
in_engines() {
  local known=digest,latency_mean,latency_max,last_arrival_mean,end,cycles engine
  point "$@" --engine fast >"$t/fast" || return
  columns $known >"$t/known"
  grep -qE '^digest [0-9a-f]{16}$' "$t/known" || return
  point "$@" --engine cycle >"$t/cycle" && diff "$t/fast" "$t/cycle" || return
  for engine in cycle rtl; do
    point "$@" --engine $engine >"$t/point" && columns $known >"$t/other" &&
      diff "$t/known" "$t/other" || return
  done
}

# channels OPTION...: fast and cycle alone, the whole row.
channels() {
  point "$@" --engine fast >"$t/fast" && [ "$(wc -l <"$t/fast")" = 2 ] &&
    point "$@" --engine cycle >"$t/cycle" && diff "$t/fast" "$t/cycle"
}
for vcs in 2 4; do
  for nodes in 16 256; do
    check "engines, N = $nodes, $vcs channels" channels --nodes $nodes --vcs $vcs --runs 3
    check "engines, N = $nodes, $vcs channels, open loop" channels --nodes $nodes --vcs $vcs --load 0.05 --cycles 3000
  done
done

# More processors, switches, links and worms at once than 16 bits count.
while read -r options; do
  # shellcheck disable=SC2086 # words
  check "engines, N = 262144, $options" channels --nodes 262144 --runs 1 $options
done <<'END'
--length 1 --pattern neighbour
--length 2 --max-cycles 30
--length 2 --max-cycles 30 --vcs 2
--length 2 --max-cycles 30 --vcs 4 --path rg
--length 2 --max-cycles 30 --depth 4
--length 1 --max-cycles 40 --pattern hotspot
END

for nodes in 16 64; do
  for pattern in random complement many-to-1 shuffle; do
    check "engines, N = $nodes, $pattern" in_engines --nodes $nodes --pattern $pattern --runs 3
  done
  check "engines, N = $nodes, lengths that vary" in_engines --nodes $nodes --runs 3 \
    --lengths bimodal --length 40 --rounds 3
  check "engines, N = $nodes, initial delays" in_engines --nodes $nodes --runs 3 --delay-range 6
  check "engines, N = $nodes, phased" in_engines --nodes $nodes --discipline phased --runs 2 \
    --length 8
done

ends
