#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_sizes.sh - tb_sizes.v sees what is wrong at one depth of a queue or one width of a flit alone.
# Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/icarus.sh
. tb/lib/icarus.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
scratch

# planted NAME FILE FROM TO WORDS: what FAIL says first has WORDS.
planted() {
  rm -rf "$t/rtl" && cp -r rtl "$t"
  check "planted: $1: it is in" plant "$t/$2" "$3" "$4"
  { thinned "$t/sizes.vvp" -I"$t/rtl" -y "$t/rtl" -y "$t/rtl/fast" -s tb_sizes tb/rtl/tb_sizes.v &&
    timeout 100 vvp -N "$t/sizes.vvp" +first; } >"$t/out" 2>&1
  check "planted: $1" grep -q "^FAIL tb_sizes: .*$5" "$t/out"
}

planted "a count of 9 cut short" rtl/fast/fifo_fast.v 'valid_o & count_q != 1;' \
  'valid_o & ((DEPTH == 9) ? count_q[COUNT_W-2:0] != 1 : count_q != 1);' 'queue of 9, '
planted "a ring of 11 that is one short" rtl/fifo.v 'LAST  = DEPTH - 2;' 'LAST  = DEPTH - 2 - ((DEPTH == 11) ? 1 : 0);' 'queue of 11, '
planted "the lowest bit of 52 lost" rtl/fast/gather.v 'assign word_o = BITS & ((a & ~from0) | (b & from0));' \
  'assign word_o = BITS & ((a & ~from0) | (b & from0)) & ~{{(WIDTH-1){1'"'"'b0}}, WIDTH == 52};' 'of 2, code 0, 52 bits'
planted "the last of a ring of 61 bits" rtl/fast/gather.v '(step & ~pair & d));' '(step & ~pair & (d >> (WIDTH == 61))));' 'of 4, code 1, 61 bits'

ends
