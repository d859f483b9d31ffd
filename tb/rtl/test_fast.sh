#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_fast.sh - tb_fast.v with all its rows, none of which may be missing; and it sees a fast switch that is wrong in one
# configuration alone, without a probe alone, of a flit that enters in a reset, or of one payload.
# Ends with `N passed, N failed`.
# shellcheck disable=SC2016  # names of Verilog
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/icarus.sh
. tb/lib/icarus.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
scratch

# bench FROM ROWS RTL
bench() {
  thinned "$t/fast.vvp" -I"$3" -y "$3" -y "$3/fast" -y tb/rtl -Ptb_fast.FROM="$1" -Ptb_fast.ROWS="$2" -s tb_fast tb/rtl/tb_fast.v &&
    timeout 300 vvp -N "$t/fast.vvp"
}
all_rows() {
  bench "$1" "$2" rtl >"$t/out" 2>&1 && grep -q '^PASS' "$t/out" && ! grep -q FAIL "$t/out" && grep '^row ' "$t/out" >>"$t/rows"
}
for ((row = 0; row < 272; row += 4)); do check "rows $row to $((row + 3))" all_rows $row 4; done

# as_compiled AWK: what AWK leaves out changes nothing that is said: of a bit with two drivers, a bit with none, and rows of one, two and
# four channels.
cat >"$t/drivers.v" <<'END'
module drivers;
  reg a, b;
  reg [2:0] c;
  wire [3:0] two, none;
  integer k;
  assign two[0] = a;
  assign two[0] = b;
  assign two[3:1] = c;
  assign none[1:0] = {a, b};
  assign none[3] = c[0];
  initial for (k = 0; k < 32; k = k + 1) begin {a, b, c} = k; #1 $display("%b %b", two, none); end
endmodule
END
alike() { # AWK PROGRAM
  awk -f "$1" "$2" "$2" >"$t/thin.vvp" && cmp <(vvp -N "$2") <(vvp -N "$t/thin.vvp") && [ "$(wc -c <"$t/thin.vvp")" -lt "$(wc -c <"$2")" ]
}
as_compiled() {
  local row
  ${IVERILOG:-iverilog} -g2005 -o "$t/all.vvp" "$t/drivers.v" && vvp -N "$t/all.vvp" | grep -q '^...x .z' && alike "$1" "$t/all.vvp" || return 1
  for row in 1 152 244; do
    ${IVERILOG:-iverilog} -g2005 -Irtl -y rtl -y rtl/fast -y tb/rtl -Ptb_fast.FROM=$row -Ptb_fast.ROWS=1 -s tb_fast -o "$t/all.vvp" tb/rtl/tb_fast.v &&
      alike "$1" "$t/all.vvp" || return 1
  done
}
check "thin.awk changes nothing that is said" as_compiled tb/lib/thin.awk
{ echo 'NR != FNR { gsub(/C4<0>/, "C4<1>") }' && cat tb/lib/thin.awk; } >"$t/thick.awk"
check "planted: zeros that are ones" not as_compiled "$t/thick.awk"
plant tb/lib/thin.awk 'uses[$1] == 1' 'uses[$1] <= 2' "$t/thick.awk"
check "planted: names go that a line reads" not as_compiled "$t/thick.awk"

# complete: the rows are all configurations that switch.v has a fast switch for.
complete() {
  grep -qF 'HAS_FAST = (PATH < `FATFLY_RW && SCAN <= `FATFLY_FCFS && (VCS != 4 || (PATH == `FATFLY_RP && SCAN == `FATFLY_RR))) ? 1 : 0;' rtl/switch.v &&
    python3 -B tb/rtl/fast_rows.py <"$t/rows"
}
# lacks ROW WORDS: without that row it is said what is missing.
lacks() {
  sed "$1d" "$t/rows" | python3 -B tb/rtl/fast_rows.py >"$t/out"
  [ "${PIPESTATUS[1]}" = 1 ] && grep -qx "no row of $2" "$t/out"
}
check "every configuration that has a fast switch" complete
check "planted: no row of one channel, one flit, GP, FF" lacks 11 'vcs 1, queue 1, path 2, scan 2, root 0'
check "planted: no middle of four channels" lacks 247,249 'vcs 4, place inner'

# planted NAME ROW FILE FROM TO WORDS: that row says FAIL, and of what.
planted() {
  rm -rf "$t/rtl" && cp -r rtl "$t"
  check "planted: $1: it is in" plant "$t/$3" "$4" "$5"
  bench "$2" 1 "$t/rtl" >"$t/out" 2>&1
  check "planted: $1" grep -q "^FAIL tb_fast: .*$6" "$t/out"
}

planted "ages that a probe alone has" 266 rtl/fast/scan_fast.v 'assign before_o[P] = rank[R];' 'assign before_o[P] = older[R];' \
  'V = 1, q = 2, .*scan 4, level 1 of'
planted "the highest of four channels" 241 rtl/fast/switch_fast.v '= free[VCS*o+:VCS] & (~free[VCS*o+:VCS] + 1'"'b1);" \
  '= free[VCS*o+:VCS] & ~(free[VCS*o+:VCS] >> 1 | free[VCS*o+:VCS] >> 2 | free[VCS*o+:VCS] >> 3);' 'V = 4, q = 2, '
planted "a turn that two channels keep over a reset" 141 rtl/fast/port_pair.v '.clk_i(clk_i), .rst_i(rst_i), .any_i(any_i), .a_i(channel)' \
  '.clk_i(clk_i), .rst_i(1'"'b0), .any_i(any_i), .a_i(channel)" 'V = 2, q = 2, .*path 1, '
planted "a body that goes to both parents" 142 rtl/fast/port_fast.v 'else if (pop[v]) parent_q <= gnt_i[5:4];' \
  'else if (pop[v]) parent_q <= gnt_i[5:4] | {2{SCAN == `FATFLY_RR & |gnt_i[5:4]}};' 'V = 2, .*path 2, scan 0'
planted "a flit on a link that is not valid" 25 rtl/fast/port_one.v 'wire         tail = valid_q & (turn_q ? odd_q[FLIT_W] : even_q[FLIT_W]);' \
  'wire         tail = (valid_q & (turn_q ? odd_q[FLIT_W] : even_q[FLIT_W])) | (~valid_q & flit_i[FLIT_W]);' 'path 1, scan 1'

# Of one configuration; of a flit that enters in a cycle of reset; of what a payload is.
planted "room after the arbiter, of GP with FF alone" 10 rtl/fast/switch_fast.v 'LATE_ROOM = (VCS == 1 && (PATH == `FATFLY_FP ||' \
  'LATE_ROOM = (VCS == 1 && (PATH == `FATFLY_FP || PATH == `FATFLY_GP && SCAN == `FATFLY_FF ||' 'V = 1, q = 1, .*path 2, scan 2'
planted "a flit that a queue of one takes in a reset" 7 rtl/fast/fifo_fast.v 'if (rst_i) valid_q <=' \
  'if (rst_i & (DEPTH > 1 | ~push_i)) valid_q <=' 'V = 1, q = 1, '
planted "a head that asks after a reset" 45 rtl/fast/port_fast.v 'wire none = ~more | rst_i;' 'wire none = ~more | (rst_i & ~(valid_i[v] & ~valid));' \
  'V = 1, q = [0-9]*, '
planted "a word of zeros" 45 rtl/fast/fifo_fast.v 'assign more_o  = push_i |' 'assign more_o  = push_i & |data_i |' 'V = 1, q = [0-9]*, '
planted "a word of ones" 165 rtl/fast/fifo_fast.v 'assign more_o  = push_i |' 'assign more_o  = push_i & ~&data_i[15:0] |' 'V = 2, q = [0-9]*, '
planted "a word that is the one before it" 46 rtl/fast/fifo_fast.v 'wire to_mem   = push_i &' 'wire to_mem   = push_i & data_i != data_o &' \
  'V = 1, q = [0-9]*, '

ends
