#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_gate.sh - gate.v is its table in both of its forms: tb_gate.v passes with each, and fails with a bug in either.
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

bench() { # GATE.V OPTION...: says pass or fail
  thinned "$t/gate.vvp" "${@:2}" -s tb_gate "$1" tb/rtl/tb_gate.v &&
    vvp -N "$t/gate.vvp" >"$t/out" && if grep -q '^PASS' "$t/out"; then echo pass; else echo fail; fi
}

check "as it is synthesized" [ "$(bench rtl/fast/gate.v)" = pass ]
check "as the co-simulation compiles it" [ "$(bench rtl/fast/gate.v -DFATFLY_GATE_TABLE)" = pass ]
plant rtl/fast/gate.v 'four[3:2] : four[1:0]' 'four[3:2] : {2{four[0]}}' "$t/gate.v"
check "planted: inputs 0 and 1 are taken for the same" [ "$(bench "$t/gate.v")" = fail ]
plant rtl/fast/gate.v '= TABLE[in_i];' '= TABLE[{in_i[3:1], 1'"'"'b0}];' "$t/gate.v"
check "planted: the lowest input is not looked up" [ "$(bench "$t/gate.v" -DFATFLY_GATE_TABLE)" = fail ]

ends
