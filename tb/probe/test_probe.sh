#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_probe.sh - the Verilog without its probe is the Verilog with it, less the probe: the quick list of probe.py, with every
# kind of port; then the planted bugs of bugs.txt, each seen by the graphs and some by the co-simulation.  And uses.py, which
# reads the sources for all shapes: with each bug of uses.txt it must say where.
# Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
here=$build/probe
export VERILATED="$build/verilated.o $build/verilated_threads.o"

probe() { python3 -B tb/probe/probe.py --jobs 1 "$@"; }

mapfile -t shapes < <(probe --quick)

# plant_line LINE FIELD...: the fields of LINE, and a folder of the bug's own, dir, with a copy of rtl/ that has the bug.
plant_line() {
  local line
  fields "$@"
  dir=$here/$name
  mkdir -p "$dir" && cp -r rtl "$dir"
  line=$(plant "$dir/$file" "$from" "$to") || { echo "FAIL $name: $line" && return 1; }
}

# planted LINE of bugs.txt
planted() {
  local name file from to shape case_ dir line
  plant_line "$1" name file from to shape case_ || return
  line=$(probe --rtl "$dir/rtl" "$shape" 2>&1)
  if [ $? = 1 ] && grep -q "^$shape: .*: PROBE = 0 .*, 1 " <<<"$line"; then
    echo "PASS $name: $(head -n 1 <<<"$line")"
  else
    echo "FAIL $name: not seen: $line"
  fi
  if [ "$case_" != - ]; then
    scripts/sim/verilate.sh "$shape-bare" "$dir/rtl.so" "$dir/rtl" >"$dir/log" 2>&1
    line=$("$build/fatfly" cosim --build "$build" --case "$case_" --rtl "$dir/rtl.so" --shrink 0 2>&1)
    if [ $? = 1 ] && line=$(grep -m1 -F ' at cycle ' <<<"$line"); then
      echo "PASS $name: $line"
    else
      echo "FAIL $name: not seen by $case_: $line"
    fi
  fi
  rm -rf "$dir"
}

# used LINE of uses.txt: in the sources of shapes that are not above.
used() {
  local name file from to dir line
  plant_line "$1" name file from to || return
  if line=$(python3 -B tb/probe/uses.py "$dir/rtl" 2>&1) || ! grep -qE "^${file#rtl/}:[0-9]*: .*(PROBE|the macro [A-Z_a-z]* decides)" <<<"$line"; then
    echo "FAIL $name: not seen: $line"
  else
    echo "PASS $name: $line"
  fi
  rm -rf "$dir"
}

# refused WORDS OPTION...: one line, exit code 2
refused() {
  local words=$1 line
  shift
  line=$(probe "$@" 2>&1)
  if [ $? = 2 ] && [ "$(wc -l <<<"$line")" = 1 ] && grep -qF "$words" <<<"$line"; then
    echo "PASS refused: $line"
  else
    echo "FAIL $*: $line"
  fi
}

if [ "${1-}" = --one ]; then
  case $2 in
    same\ *)
      read -ra some <<<"${2#same }"
      if line=$(probe "${some[@]}" 2>&1); then echo "PASS $line"; else echo "FAIL $line"; fi ;;
    uses) if line=$(python3 -B tb/probe/uses.py 2>&1); then echo "PASS $line"; else echo "FAIL $line"; fi ;;
    used\ *) used "${2#used }" ;;
    *) planted "$2" ;;
  esac
  exit
fi
rm -rf "$here" && mkdir -p "$here"
{
  xargs -n 3 echo same <<<"${shapes[*]}"
  listed tb/probe/bugs.txt
  echo uses
  listed tb/probe/uses.txt | sed 's/^/used /'
} >"$here/list"
# illegal SHAPE: the Verilog does not take it, and nor does probe.py.
illegal() {
  local line
  line=$(probe "$1" 2>&1)
  if [ $? = 1 ] && grep -q "^$1: .*fatfly_error_" <<<"$line"; then echo "PASS illegal: ${line%%$'\n'*}"; else echo "FAIL $1: $line"; fi
}
# missing WORDS SHAPE...: what of the quick list's pairs no shape meets.
missing() {
  local words=$1 line
  shift
  line=$(tr ' ' '\n' <<<"$*" | probe --missing | tail -n 1)
  if grep -q "^$words" <<<"$line"; then echo "PASS $line"; else echo "FAIL of the quick list: $line"; fi
}
{
  at_once "$here/list"
  missing 'every two values' "${shapes[@]}"
  missing 'no shape with ref, .*rw' "${shapes[@]/*-rw-*/}"
  missing 'no shape with torus, nhop, V > 1' "${shapes[@]/torus*-nhop-*/}"
  refused 'probe.py: shape s2of3-v1-q2-w32-rp-xy; allowed: ' s2of3-v1-q2-w32-rp-xy
  illegal torus4n6-v1-q2-w32-ecube-rot
  refused 'probe.py: no shape, or --jobs below 1; allowed: '
} >"$here/log" 2>&1
cut -c1-250 "$here/log"
all=$(($(wc -l <"$here/list") + 6 + $(listed tb/probe/bugs.txt | grep -vc '| -$')))
tally "$here/log" "$all"
ends && [ "$all" -gt 20 ]
