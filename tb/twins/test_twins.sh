#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_twins.sh - the C model and the reference switch have the same registers, and docs/rules.md
# links each rule to the lines that say it; what is planted is seen.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
scratch
registers() { python3 -B tb/twins/registers.py "$@" >"$t/out" 2>&1; }

if registers; then pass "registers: $(tail -n 1 "$t/out")"; else fail "registers"; fi

# planted NAME SIDE FILE SED WHAT: with FILE of a copy changed, a line says WHAT.
planted() {
  local name=$1 side=$2 file=$3 change=$4 what=$5
  rm -rf "$t/rtl" "$t/c"
  cp -r rtl "$t/rtl"
  cp -r cmodel/switch "$t/c"
  sed -i "$change" "$t/$side/$file"
  if ! registers --first 6 --rtl "$t/rtl" --c "$t/c" && grep -qF "$what" "$t/out"; then pass "$name"; else fail "$name"; fi
}
planted "a register in C alone" c port.h 's|^    uint8_t next_q;|    uint8_t spare_q; /* [2] */\n&|' \
  "port.spare_q: 2 bits in C, 0 in Verilog"
planted "a register in Verilog alone" rtl port.v \
  's|^      assign fresh_o\[v\] .*|      reg spare_q; always @(posedge clk_i) spare_q <= valid; assign fresh_o[v] = spare_q;|' \
  "port.spare_q: 0 bits in C, "
planted "a register wider in Verilog" rtl scan.v 's|reg  \[2:0\] start_q;|reg  [3:0] start_q;|; s|assign start = start_q;|assign start = start_q[3:1];|' \
  "scan.start_q: 3 bits in C, 4 in Verilog"
planted "a register of another name" rtl switch_ref.v 's/\bbusy_q\b/held_q/g' "switch_ref.held_q: 0 bits in C"
planted "a queue too few" rtl port.v 's|for (v = 0; v < VCS; v = v + 1) begin : g_vc|for (v = 0; v < VCS - (VCS > 1); v = v + 1) begin : g_vc|' \
  "instances in C"

lines() { python3 -B tb/twins/lines.py --page "$1" >"$t/out" 2>&1; }
if lines docs/rules.md; then pass "docs/rules.md: $(tail -n 1 "$t/out") links to lines"; else fail "docs/rules.md"; fi
sed 's|fifo\.v#L\([0-9]*\)|fifo.v#L1\1|' docs/rules.md >"$t/rules.md"
if ! lines "$t/rules.md" && grep -q "^FAIL rules.md: rtl/fifo.v:" "$t/out"; then pass "a link to another line"; else fail "a link to another line"; fi

ends
