#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_levels.sh - tb_levels.v sees a field that is elsewhere at one level, one number of levels or one radix alone, heights
# that are not compared whole, limits.py parameters that are refused or taken by mistake, and handed.py ones that do not arrive.
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

# bench ROUTES SWITCHES ORDERS RADIX: the bench over that much of it, with the Verilog in $t/rtl; says what it says.
bench() {
  thinned "$t/levels.vvp" -I"$t/rtl" -I"$t/rtl/fast" -y "$t/rtl" -y "$t/rtl/fast" -y "$t/rtl/cube" -y tb/formal -y tb/rtl \
    -Ptb_levels.ROUTES="$1" -Ptb_levels.SWITCHES="$2" -Ptb_levels.ORDERS="$3" -Ptb_levels.RADIX="$4" -s tb_levels tb/rtl/tb_levels.v &&
    timeout 100 vvp -N "$t/levels.vvp"
}
# planted NAME FILE FROM TO WORDS PART...: what FAIL says has WORDS.
planted() {
  rm -rf "$t/rtl" && cp -r rtl "$t"
  check "planted: $1: it is in" plant "$t/$2" "$3" "$4"
  bench "${@:6}" >"$t/out" 2>&1
  check "planted: $1" grep -q "^FAIL tb_levels: .*$5" "$t/out"
}

planted "the path bit of level 9" rtl/fast/port_one.v 'HEIGHT_W + LEVEL - 1 : 0;' 'HEIGHT_W + LEVEL - 1 - ((LEVEL == 9) ? 1 : 0) : 0;' \
  'V = 1, .*level 9 of 10' 0 1 0 1
planted "the highest bit of a height" rtl/fast/port_fast.v '& head) height_q <= head_height;' \
  '& head) height_q <= head_height & ((LEVELS > 8) ? {HEIGHT_W{1'"'"'b1}} >> 1 : {HEIGHT_W{1'"'"'b1}});' 'V = 2, .*level 9 of 10' 0 1 0 1
planted "a digit at level 6 of 9" rtl/route.v 'digit = head_i[2*(LEVEL-1)+:2];' \
  'digit = head_i[2*(LEVEL-1)+:2] ^ ((LEVEL == 6 && LEVELS == 9) ? 2'"'"'b01 : 2'"'"'b00);' 'route.v, .*level 6 of 9' 9 0 0 1
planted "halfway round a ring of 11" rtl/cube/cube_route.v 'FAR = K / 2;' 'FAR = K / 2 + ((K == 11) ? 1 : 0);' 'K = 11' 0 0 0 11
planted "three bits of heights with four channels" rtl/scan.v 'before_o[P] = hi > hj |' \
  'before_o[P] = ((VCS == 4) ? hi[0+:(HEIGHT_W>3)?3:HEIGHT_W] > hj[0+:(HEIGHT_W>3)?3:HEIGHT_W] : hi > hj) |' 'order: V = 4, .* of 10' 0 0 1 1
planted "the height of a worm that two channels forget" rtl/port.v 'head ? head_height : height_q;' 'head ? head_height : height_q & ~(8 / VCS);' \
  'order: V = 2, ' 0 0 1 1

# What parameters may be, to the ends of each range.
check "limits of parameters" python3 -B tb/rtl/limits.py
limit() { # NAME FROM TO OF WORDS: what limits.py says of the instances that have OF
  rm -rf "$t/rtl" && cp -r rtl "$t"
  check "planted: $1: it is in" plant "$t/rtl/switch_check.vh" "$2" "$3"
  python3 -B tb/rtl/limits.py "$t/rtl" "$4" >"$t/out" 2>&1
  check "planted: $1" grep -q "^limits.py: $5" "$t/out"
}
limit "path bits asked for under RW" '((PATH == `FATFLY_FP)' '((PATH == `FATFLY_FP || PATH == `FATFLY_RW)' "'PATH': 4, 'LEVELS': 6" "switch {'PATH': 4, 'LEVELS': 6, .*: refused, FLIT_W_is_too"
limit "a bit too few for heights at 8 levels" 'LEVELS + $clog2(LEVELS + 1)' 'LEVELS + $clog2(LEVELS + ((LEVELS == 8) ? 0 : 1))' "'PATH': 0, 'LEVELS': 8" \
  "switch {'PATH': 0, 'LEVELS': 8, .*: not refused by FLIT_W_is_too"

# ... and what a module hands to one inside it.
check "parameters handed on" python3 -B tb/rtl/handed.py
handed() { # NAME PARENT FROM TO WORDS
  rm -rf "$t/rtl" && cp -r rtl "$t"
  check "planted: $1: it is in" plant "$t/rtl/$2.v" "$3" "$4"
  python3 -B tb/rtl/handed.py "$t/rtl" "$2" >"$t/out" 2>&1
  check "planted: $1" grep -q "^handed.py: $5" "$t/out"
}
handed "FAST that a network makes AUTO" network '.IMPL(IMPL)' '.IMPL(IMPL & `FATFLY_REF)' 'network with IMPL = 2: a switch has 0$'
handed "a scan of tori that is left out" cube/cube_network '.SCAN(SCAN),' '' 'cube_network with SCAN = [01]: a cube has its default$'
handed "queues of 16 that have 8" axis/fatfly_switch_lanes '.DEPTH(DEPTH)' '.DEPTH(DEPTH % 16)' 'fatfly_switch_lanes with DEPTH = 16: a fatfly_switch has 0$'
handed "a level of the self-test" board/selftest '.SCAN(SCAN), .LEVEL(LEVEL)' '.SCAN(SCAN), .LEVEL(1)' 'selftest with LEVEL = [2-8]: a switch has 1$'

ends
