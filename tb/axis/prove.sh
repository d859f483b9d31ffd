#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# prove.sh - proves for all time what axis_rules.v asks of the outputs of fatfly_switch.v.
#
# Usage: prove.sh VCS LEVEL [FILE]   FILE: in place of rtl/axis/fatfly_switch.v.  Of 3 levels.
# No output depends on m_axis_tready in the same cycle; for VCS = 1, a beat that waits is shown to be reachable; then induction with
# Yosys from any state at all, without the switch, so that what comes from it may be anything.  Exit code 0 proven, 1 not, 4 no Yosys.
set -u
cd "$(dirname "$0")/../.." || exit 4
command -v "${YOSYS:-yosys}" >/dev/null || { echo "prove.sh: no yosys" >&2; exit 4; }
wrapper=${3:-rtl/axis/fatfly_switch.v}
log=${BUILD:-build}/axis
mkdir -p "$log" || exit 4
log=$log/prove-$1-$2-$$.log
# With more channels this takes minutes, and shows no more.
reach=
[ "$1" = 1 ] && reach="opt -full; sat -set-init-zero -prove g_rules[3].u_rules.waits_q 0 -seq 1 -maxsteps 8 -tempinduct-baseonly -tempinduct -falsify fatfly_switch_formal"
if nice "${YOSYS:-yosys}" -q -l "$log" -p "
  read_verilog -formal -defer -DFORMAL -Irtl -Irtl/fast rtl/*.v rtl/fast/*.v $wrapper tb/axis/axis_rules.v tb/axis/fatfly_switch_formal.v
  hierarchy -check -top fatfly_switch_formal -chparam VCS $1 -chparam LEVEL $2
  setattr -mod -unset keep_hierarchy *
  proc
  flatten
  select -assert-count $((6 * $1)) t:\$assert
  select -set after w:m_axis_tready %coe*:-\$dff,-\$mem_v2
  select -assert-none @after w:dut.m_axis_tvalid w:dut.m_axis_tdata w:dut.m_axis_tlast w:dut.s_axis_tready %u %u %u %i
  $reach
  delete c:*dut.*u_switch.*
  opt
  select -assert-any t:\$assert
  sat -tempinduct -prove-asserts -maxsteps 3 -verify fatfly_switch_formal
  " >/dev/null 2>"$log.err"; then
  echo "prove.sh: VCS=$1, level $2 of 3: proven"
  rm -f "$log" "$log.err"
else
  echo "prove.sh: VCS=$1, level $2 of 3: $(grep -m 1 ERROR "$log.err")"
  exit 1
fi
