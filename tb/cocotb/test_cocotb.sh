#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_cocotb.sh - fatfly_switch_lanes under lint and synthesis; under cocotb it is the C model, and planted
# bugs are found.  Cocotb is skipped where scripts/setup/cocotb.sh was not run.
# Ends with `N passed, N failed`.  BUILD=build
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
kept_folder cocotb

top=fatfly_switch_lanes
silent() { "$@" >"$t/out" 2>&1 && { [ ! -s "$t/out" ] || { cat "$t/out"; return 1; }; }; }
for v in 1 2 4; do
  check "lint, Verilator -Wall, $v channels" silent "${VERILATOR:-verilator}" --lint-only -Wall -GVCS=$v -f rtl/fatfly.f --top-module $top
  check "lint, Icarus, $v channels" silent "${IVERILOG:-iverilog}" -g2005 -P$top.VCS=$v -f rtl/fatfly.f -s $top -o "$t/lint.vvp"
done
check "Yosys" bash -c "${YOSYS:-yosys} -q -p 'read_verilog -defer -Irtl -Irtl/axis rtl/*.v rtl/fast/*.v rtl/axis/*.v; hierarchy -check -top $top; proc; check -assert'"

python=$build/venv-cocotb/bin/python
export PYTHONDONTWRITEBYTECODE=1 FATFLY_OBJECTS="$build/lib/obj" PYTHONPATH="$t/lib:$PWD/tb/cocotb" BUILD="$build"
package() { "$python" setup.py -q build --force --build-base "$t/tmp" --build-lib "$t/lib"; }
agrees() {
  "$python" tb/cocotb/run.py "$@" >"$t/run" 2>&1 && grep -q 'agreed: [0-9]* cycles' "$t/run" && return
  grep -E 'Error|assert' "$t/run" | tail -n 5
  return 1
}
same_cycles() {
  local name
  for name in icarus verilator; do
    "$python" tb/cocotb/run.py simulator=$name packets=100 seed=5 >"$t/run" 2>&1 || return 1
    grep -o 'agreed: .*' "$t/run" >"$t/$name.cycles" || return 1
  done
  diff "$t/icarus.cycles" "$t/verilator.cycles"
}
# cocotb 2, with the library of Python built for it.
second() {
  local python=$build/venv-cocotb2/bin/python
  "$python" setup.py -q build --force --build-base "$t/tmp2" --build-lib "$t/lib2" || return 1
  PYTHONPATH="$t/lib2:$PWD/tb/cocotb" agrees "$@"
}
# finds TEXT FILE OLD NEW: a bug in a copy of rtl.
finds() {
  rm -rf "$t/bug" && mkdir "$t/bug" && cp -r rtl "$t/bug" && sed -i "s/$3/$4/" "$t/bug/$2" || return 1
  ! cmp -s "$2" "$t/bug/$2" || { echo "nothing to plant: $3"; return 1; }
  RTL=$t/bug/rtl "$python" tb/cocotb/run.py vcs=2 packets=60 simulator="${5:-icarus}" >"$t/run" 2>&1
  [ $? = 1 ] && grep -qE -- "$1" "$t/run"
}

with_cocotb() {
  check "the Python package builds" package
  while read -r line; do
    read -ra options <<<"$line"
    check "the switch is the C model: $line" agrees "${options[@]}"
  done <<'END'
packets=60
vcs=2 path=gp scan=fcfs packets=60
vcs=4 depth=3 path=rg scan=ff packets=80
path=fp scan=rot level=2 depth=1 packets=60
level=3 scan=fo flit_bits=64 packets=60
path=rw scan=rr packets=60
simulator=verilator packets=200
simulator=verilator vcs=2 depth=3 path=rg scan=fcfs packets=200
END
  check "planted: other random bits" finds 'AssertionError: cycle [0-9]+: (m_axis|s_axis_tready) of port' rtl/lfsr.v '<= {fresh, ' "<= {fresh ^ 16'd1, "
  check "planted: lanes of two channels change places" finds 'AssertionError' rtl/axis/fatfly_switch_lanes.v 'localparam integer S = VCS \* p + c;' 'localparam integer S = VCS * p + (VCS - 1 - c);'
  check "planted: the same under Verilator" finds 'AssertionError' rtl/axis/fatfly_switch_lanes.v 'localparam integer S = VCS \* p + c;' \
    'localparam integer S = VCS * p + (VCS - 1 - c);' verilator
  check "planted: two beats at once" finds 'AssertionError' rtl/axis/fatfly_switch.v 'wire \[VCS-1:0\]         can   = valid \& room;' 'wire [VCS-1:0]         can   = room;'
  check "both simulators take the same cycles" same_cycles
  if [ -e "$build/venv-cocotb2/whole" ]; then
    check "the same under cocotb 2, with Icarus" second vcs=2 path=gp scan=fcfs packets=60
  else
    echo "SKIP cocotb 2: scripts/setup/cocotb.sh 2 installs it"
  fi
  check "no such option" bash -c "$python tb/cocotb/run.py vsc=2 2>&1 | grep -q 'run.py: vsc=2; allowed: vcs'"
}

if [ -e "$build/venv-cocotb/whole" ]; then
  with_cocotb
else
  echo "SKIP cocotb: scripts/setup/cocotb.sh installs it"
fi

ends
