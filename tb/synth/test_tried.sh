#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_tried.sh - scripts/synth/tried.py, and that each way it measures is the same switch.
#
# usage: test_tried.sh [FILTER]   Prints a line a check and `N passed, N failed`.  Nothing is
# written outside a temporary folder.  FATFLY: the command; BUILD: where verilated*.o lie.
# shellcheck disable=SC2034  # code is read by checks.sh
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
the_command
scratch
export PYTHONDONTWRITEBYTECODE=1 BUILD=$t/build VERILATED="$build/verilated.o $build/verilated_threads.o"
unset PATCH YOSYS NEXTPNR NEXTPNR_ICE40 NEXTPNR_ECP5 PNR_OPTS
run() { # ARGUMENT...
  "${tried:-$root/scripts/synth/tried.py}" "$@" >"$t/out" 2>"$t/err"
  code=$?
}

# -- what is refused ----------------------------------------------------------------------------
run pick-doubel
complains "unknown way" 3 "'pick-doubel'" "nearest: pick-double"
run --family gowin
complains "unknown family" 3 "'gowin'" "allowed: ice40, ecp5, xilinx"
run --list pick-double
complains "--list with a way" 2 "--list"
run --rtl pick-double "$t"
complains "a folder that is there" 3 "--rtl $t"
run --csv "$t/none/a.csv"
complains "no folder for the table" 3 "$t/none/a.csv"
PATCH=/none run --rtl pick-double "$t/x"
complains "no program patch" 4 "no /none" "scripts/setup.sh"

# -- the same switch ----------------------------------------------------------------------------
# same NAME RTL SHAPE CODE TEXT: lock-step with the C model, every link and register in each of 100,000 cycles.
same() {
  skipped "$1" && return
  rm -f "$t/rtl.so"
  if ! scripts/sim/verilate.sh "$3" "$t/rtl.so" "$2" >"$t/out" 2>"$t/err"; then
    bad "$1" "does not build"
    return
  fi
  "$fatfly" cosim --build "$build" --case "switch-$3" --rtl "$t/rtl.so" --max-cycles 100000 --shrink 0 >"$t/out" 2>"$t/err"
  code=$?
  check "$1" test "$code" = "$4" -a "$(grep -cF "$5" "$t/out" "$t/err" | grep -c ':[1-9]')" != 0
}
cases=$("$fatfly" cosim --list)
run --list
check "all ways are listed" test "$(wc -l <"$t/out")" = "$(find tb/synth/tried -name '*.patch' | wc -l)"
cp "$t/out" "$t/list"
while read -r way configs; do
  run --rtl "$way" "$t/$way"
  check "$way fits rtl/" test $code = 0
  for shape in $configs; do
    [[ $shape = s* ]] || continue
    grep -q "^switch-$shape\$" <<<"$cases" || shape=${shape/s1of3/s2of3}
    same "$way, $shape: the same cycle by cycle" "$t/$way/rtl" "$shape" 0 "1 passed, 0 failed"
  done
done <"$t/list"
# The root has four ports, and its scan another range.
for way in pick-rotate pick-double pick-thermometer start-binary start-late; do
  same "$way, root: the same cycle by cycle" "$t/$way/rtl" s3of3-v1-q2-w33-rp-rr 0 "1 passed, 0 failed"
done

# -- a way that is another switch ---------------------------------------------------------------
if ! skipped "a wrong way"; then
  sed -i 's/6.h3f << ahead_i\[2:0\]/6'"'"'h3e << ahead_i[2:0]/' "$t/pick-double/rtl/pick.v"
  same "a wrong way is seen" "$t/pick-double/rtl" s1of3-v1-q2-w32-rp-rr 1 "the two sides differ at cycle"
fi
mkdir -p "$t/tree/docs/results"
cp -r scripts rtl "$t/tree/"
mkdir "$t/tree/tb"
cp -r tb/synth "$t/tree/tb/"
cp docs/fpga-tried.md "$t/tree/docs/"
cp docs/results/tried.csv "$t/tree/docs/results/"
tried=$t/tree/scripts/synth/tried.py
sed -i 's/reg \[3:0\] child_q;/reg [3:0] children_q;/' "$t/tree/rtl/fast/port_fast.v"
run --rtl holds-binary "$t/y"
complains "a patch that does not fit" 1 "holds-binary.patch does not fit rtl/: " "rtl/fast/port_fast.v"
sed -i 's/^what:/why:/' "$t/tree/tb/synth/tried/room-early.patch"
run --list
complains "a patch that does not say what it is" 3 "room-early.patch: no line 'what: ..'"
cp tb/synth/tried/room-early.patch "$t/tree/tb/synth/tried/"

# -- what is counted, and the page ---------------------------------------------------------------
tried=
# What is kept is the base point of test_synth.sh; cells of other sources are not taken.
kept=$BUILD/synth/tried/kept/s1of3-v1-q2-w32-rp-rr/ice40
[ ! -e "$build/synth_kept.json" ] || { mkdir -p "$kept" && cp "$build/synth_kept.json" "$kept/cells.json"; }
run queue-shift --family ice40 --seeds 0 --csv "$t/a.csv"
check "a way and what is kept, side by side" test "$(grep -cE '^(kept|queue-shift) s1of3-v1-q2-w32-rp-rr +ice40 +[1-9]' "$t/out")" = 2
cells() { # FILE WAY
  sed -n "s/^$2,s1of3-v1-q2-w32-rp-rr,ice40,[^,]*,\([0-9]*,[0-9]*,[0-9]*,[0-9]*\),.*/\1/p" "$1"
}
for way in kept queue-shift; do
  check "$way: cells as docs/results/tried.csv has them" test \
    "$(cells "$t/a.csv" $way)" = "$(cells docs/results/tried.csv $way)"
done
run --check
check "docs/fpga-tried.md shows docs/results/tried.csv" test $code = 0
tried=$t/tree/scripts/synth/tried.py
sed -i 's/^\(kept,[^,]*,ice40,[^,]*\),[0-9]*/\1,1/' "$t/tree/docs/results/tried.csv"
run --check
complains "a page that differs" 1 "fpga-tried.md does not show" "--doc"
run --doc
run --check
check "--doc writes it" test $code = 0
sed -i '3s/,.*//' "$t/tree/docs/results/tried.csv"
run --doc
complains "a damaged table" 3 "not a table of this script"

ends
