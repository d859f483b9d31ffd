#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_fast.sh - tb_fast.v with all its rows; and it sees a fast switch that is wrong in one configuration alone, or without a
# probe alone.
# Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
scratch

# bench FROM ROWS RTL
bench() {
  ${IVERILOG:-iverilog} -g2005 -I"$3" -y "$3" -y "$3/fast" -y tb/rtl -Ptb_fast.FROM="$1" -Ptb_fast.ROWS="$2" -s tb_fast -o "$t/fast.vvp" \
    tb/rtl/tb_fast.v && timeout 300 vvp -N "$t/fast.vvp"
}
all_rows() {
  bench "$1" "$2" rtl >"$t/out" 2>&1 && grep -q '^PASS' "$t/out" && ! grep -q FAIL "$t/out"
}
for ((row = 4; row < 114; row += 5)); do check "rows $row to $((row + 4))" all_rows $row 5; done

# planted NAME ROW FILE FROM TO WORDS: that row says FAIL, and of what.
planted() {
  rm -rf "$t/rtl" && cp -r rtl "$t"
  if [ "$(grep -cF "$4" "$3")" != 1 ]; then
    check "planted: $1: its text stands once in $3" false
    return
  fi
  FROM=$4 TO=$5 perl -i -pe 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$t/$3"
  bench "$2" 1 "$t/rtl" >"$t/out" 2>&1
  check "planted: $1" grep -q "^FAIL tb_fast: .*$6" "$t/out"
}

planted "ages that a probe alone has" 17 rtl/fast/scan_fast.v 'assign before_o[P] = rank[R];' 'assign before_o[P] = older[R];' \
  'V = 1, q = 2, .*scan 4, level 1 of'
planted "the highest of four channels" 111 rtl/fast/switch_fast.v '= free[VCS*o+:VCS] & (~free[VCS*o+:VCS] + 1'"'b1);" \
  '= free[VCS*o+:VCS] & ~(free[VCS*o+:VCS] >> 1 | free[VCS*o+:VCS] >> 2 | free[VCS*o+:VCS] >> 3);' 'V = 4, q = 2, '
planted "a turn that two channels keep over a reset" 60 rtl/fast/port_pair.v '.clk_i(clk_i), .rst_i(rst_i), .any_i(any_i), .a_i(channel)' \
  '.clk_i(clk_i), .rst_i(1'"'b0), .any_i(any_i), .a_i(channel)" 'V = 2, q = 2, .*path 1, '
planted "a body that goes to both parents" 71 rtl/fast/port_fast.v 'else if (pop[v]) parent_q <= gnt_i[5:4];' \
  'else if (pop[v]) parent_q <= gnt_i[5:4] | {2{SCAN == `FATFLY_RR & |gnt_i[5:4]}};' 'V = 2, .*path 2, scan 0'
planted "a flit on a link that is not valid" 5 rtl/fast/port_one.v 'wire         tail = valid_q & (turn_q ? odd_q[FLIT_W] : even_q[FLIT_W]);' \
  'wire         tail = (valid_q & (turn_q ? odd_q[FLIT_W] : even_q[FLIT_W])) | (~valid_q & flit_i[FLIT_W]);' 'path 1, scan 1'

ends
