#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# run.sh - plants each bug of bugs.txt in a copy and shows that the regression catches it.
#
# Usage: run.sh [NAME].  Prints a line a bug and `N passed, N failed`.  A bug whose text is no
# longer there, or stands there twice, is a failure: the list must stay current.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
build=${BUILD:-build} # as pages name what is below it
list=tb/bugs/bugs.txt

# one LINE: plants the bug, runs its case, prints PASS or FAIL.
one() {
  local name side file from to case_ end why
  fields "$1" name side file from to case_ end
  local dir=$build/bugs/$name shape out log
  rm -rf "$dir"
  mkdir -p "$dir/cosim"
  case $side in
    rtl*) cp -r rtl "$dir" ;;
    *) mkdir "$dir/cmodel" "$dir/sim" && cp sim/*.[ch] "$dir/sim" && cp -r cmodel/switch cmodel/network "$dir/cmodel" ;;
  esac
  if ! why=$(plant "$dir/$file" "$from" "$to"); then
    echo "FAIL $name: $why"
    return
  fi
  shape=$(build_shape "$case_")
  case $side in
    rtl*) out=$dir/rtl.so
      scripts/sim/verilate.sh "$shape" "$out" "$dir/rtl" >"$dir/log" 2>&1 ;;
    c*) out=$dir/c.so
      local dut=cmodel
      case $shape in torus* | mesh*) dut=cube ;; esac
      ${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -DDUT_LIBRARY -O0 -w -shared -fPIC -Wl,-Bsymbolic \
        -I"$dir/cmodel/switch" -I"$dir/cmodel/network" -I"$dir/sim" "$dir"/cmodel/switch/*.c \
        "$dir"/cmodel/network/{fat_tree,network,cube_network}.c "$dir/sim/dut.c" "$dir/sim/dut_$dut.c" \
        -o "$out" >"$dir/log" 2>&1 ;;
  esac
  if [ ! -f "$out" ]; then
    echo "FAIL $name: does not build: $(head -n 1 "$dir/log")"
    return
  fi
  # The search for a smaller case takes more than all else: where a page shows what it finds.
  local shrink=0
  ! grep -qF "<!-- report: $name -->" docs/*.md || shrink=2
  local args=(--case "$case_" "--${side%% *}" "$out" --shrink "$shrink")
  [ "${side##* }" = alone ] && args+=(--side "${side%% *}")
  mkdir -p "$dir/rtl.lib"
  "$build/fatfly" cosim --build "$build" "${args[@]}" >"$dir/report" 2>&1
  local code=$? says
  case $end in
    mismatch) says='the two sides differ at cycle' ;;
    scoreboard) says='the scoreboard found a fault at cycle' ;;
    check) says='a check found a fault at cycle' ;;
    deadlock) says='deadlock at cycle' ;;
  esac
  log=$(grep -m1 -F "$says" "$dir/report")
  if [ $code = 1 ] && [ -n "$log" ]; then
    echo "PASS $name: $log"
    rm -rf "$dir/rtl" "$dir/cmodel" "$dir/sim"
  else
    echo "FAIL $name: exit code $code from $case_, which must say \"$says\""
  fi
}

# The shape that a case runs on.
build_shape() {
  case $1 in
    switch-*) echo "${1#switch-}" ;;
    *) "$build/fatfly" cosim --build "$build" --shapes --case "$1" ;;
  esac
}

if [ "${1:-}" = --one ]; then
  one "$2"
  exit 0
fi

lines=$(grep -v '^#' $list)
[ $# -gt 0 ] && lines=$(grep "^$1 " $list)
VERILATED="$build/verilated.o $build/verilated_threads.o"
VERILATED_ROOT=$("${VERILATOR:-verilator}" --getenv VERILATOR_ROOT)
export VERILATED VERILATED_ROOT BUILD=$build
mapfile -t all <<<"$lines"
# A page's bug may run beside the step.
log=$build/bugs${1:+.$1}.log
at_once <(printf '%s\n' "${all[@]}") | tee "$log" | sed -u 's/^\(.\{150\}\).*/\1/'
tally "$log" ${#all[@]}

ends
