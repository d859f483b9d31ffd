#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_cube.sh - what the cube refuses: parameters of the Verilog, shapes, lines of sim/cubes.txt.
# Wants BUILD/fatfly.
# shellcheck disable=SC2016  # names of Verilog
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
scratch
limit=600

# TOP ERROR NAME=VALUE...: each tool ends badly and names the module that says why.
stops() {
  local top=$1 error=$2 v=() i=() y=() p
  shift 2
  for p; do
    v+=("-G$p")
    i+=("-P$top.$p")
    y+=("-chparam ${p/=/ }")
  done
  run "${VERILATOR:-verilator}" --lint-only -Wno-lint -Irtl -Irtl/fast -Irtl/cube "${v[@]}" --top-module "$top" "rtl/cube/$top.v"
  [ "$code" != 0 ] && grep -q "$error" "$t/err" || return
  run "${IVERILOG:-iverilog}" -g2005 -Irtl -Irtl/fast -y rtl -y rtl/fast -y rtl/cube "${i[@]}" -s "$top" -o "$t/x" "rtl/cube/$top.v"
  [ "$code" != 0 ] && grep -q "$error" "$t/err" || return
  [ "$top" != cube_network ] || y=("${y[@]/K 17/K 1}") # 17 x 17 routers take it 12 s
  run "${YOSYS:-yosys}" -q -p "read_verilog -defer -Irtl -Irtl/fast rtl/*.v rtl/fast/*.v rtl/cube/*.v; hierarchy -check -top $top ${y[*]}"
  [ "$code" != 0 ] && grep -q "$error" "$t/err" "$t/out"
}
while read -r top error parameters; do
  # shellcheck disable=SC2086 # a list of parameters
  check "refused: $top $parameters" stops "$top" "fatfly_error_$error" $parameters
done <<'END'
cube K_must_be_2_to_16 K=17
cube K_must_be_2_to_16 K=1
cube K_must_be_2_to_16 K=0
cube_one K_must_be_2_to_16 K=1
cube_one K_must_be_2_to_16 K=17 TORUS=0 VCS=1
cube K_must_be_even_for_NHOP_on_a_torus K=5 NHOP=1 VCS=5
cube VCS_must_be_what_the_routing_needs_to_9 VCS=1
cube VCS_must_be_what_the_routing_needs_to_9 VCS=2 NHOP=1
cube VCS_must_be_what_the_routing_needs_to_9 VCS=3 NHOP=1 TORUS=0
cube VCS_must_be_what_the_routing_needs_to_9 VCS=10
cube DEPTH_must_be_1_to_16 DEPTH=0
cube DEPTH_must_be_1_to_16 DEPTH=17
cube FLIT_W_must_be_16_to_64 FLIT_W=15
cube FLIT_W_must_be_16_to_64 FLIT_W=65
cube SCAN_must_be_RR_FO_or_ROT SCAN=2
cube SCAN_must_be_RR_FO_or_ROT SCAN=4
cube TORUS_must_be_0_or_1 TORUS=2
cube NHOP_must_be_0_or_1 NHOP=2 VCS=3
cube_network K_must_be_2_to_16 K=17
cube_network K_must_be_2_to_16 K=1
cube_network K_must_be_2_to_16 K=0
cube_network SCAN_must_be_RR_FO_or_ROT SCAN=5
cube_one NODE_must_be_0_to_K_times_K_less_1 NODE=16
END

# Every radix, topology and routing, with the least and most channels, in Verilog and C.
check "limits of the router" python3 -B tb/rtl/limits.py --cubes "$build/fatfly"
limited() { # NAME FROM TO WORDS
  rm -rf "$t/rtl" && cp -r rtl "$t"
  check "planted: $1: it is in" plant "$t/rtl/cube/cube.v" "$2" "$3"
  python3 -B tb/rtl/limits.py --cubes - "$t/rtl" >"$t/out" 2>&1
  check "planted: $1" grep -q "^limits.py: Verilog: cube $4" "$t/out"
}
limited "a logarithm of the radix" '? K / 2 :' '? $clog2(K) :' "{'K': 16, 'TORUS': 1, 'NHOP': 1, 'VCS': 8}: not refused"
limited "a mesh of 7 that asks for 8" ': K - 1) + 1' ': K - 1 + K / 7 % 2) + 1' "{'K': 7, 'TORUS': 0, 'NHOP': 1, 'VCS': 7}: refused"
limited "no nine channels at 11" '|| VCS > 9)' '|| VCS > (K == 11 ? 8 : 9))' "{'K': 11, 'TORUS': 1, 'NHOP': 0, 'VCS': 9}: refused"
limited "an odd ring" 'K % 2 != 0)' 'K % 2 != 0 && K < 9)' "{'K': 9, 'TORUS': 1, 'NHOP': 1, 'VCS': 5}: not refused"

# Shapes that scripts/sim/verilate.sh does not know.
while read -r shape says; do
  run scripts/sim/verilate.sh "$shape" "$t/x.so"
  complains "shape $shape" 2 "$says"
done <<'END'
torus1-v2-q2-w32-ecube-rot a radix of 2 to 16
torus17-v2-q2-w32-ecube-rot a radix of 2 to 16
mesh4n16-v2-q2-w32-ecube-rot router 0 to 15
torus4-v0-q2-w32-ecube-rot v1 to v9
torus4-v10-q2-w32-ecube-rot v1 to v9
torus4-v2-q2-w32-rp-rot rp is none of: ecube nhop
torus4-v2-q2-w32-ecube-xy xy is none of
END
check "nothing is left" test ! -e "$t/x.so"

# Lines of cubes.txt.
mkdir "$t/sim"
cp -r sim/cases sim/traces sim/matrix.txt "$t/sim"
run "$build/fatfly" cosim --sim "$t/sim" --list
complains "no cubes.txt" 3 "$t/sim/cubes.txt: No such file" "the list of cubes"
while IFS='|' read -r line says; do
  printf '# a comment\n%s\n' "$line" >"$t/sim/cubes.txt"
  run "$build/fatfly" cosim --sim "$t/sim" --list
  complains "cubes.txt: $line" 3 "cubes.txt:2: " "$says"
done <<'END'
torus4-v2-q2-w32-ecube-rot open|shape, traffic, cycles or rounds
torus4-v2-q2-w32-ecube-rot open 100 200|shape, traffic, cycles or rounds
torus4-v2-q2-w32-ecube-rot open many|shape, traffic, cycles or rounds
torus4-v2-q2-w32-ecube-rot open 0|open and its cycles
torus4-v2-q2-w32-ecube-rot sideways 10|a pattern and its rounds
torus5-v2-q2-w32-ecube-rot complement 10|of radix 2, 4, 8, 16 a pattern
torus4n3-v2-q2-w32-ecube-rot complement 10|of radix 2, 4, 8, 16 a pattern
n16-v1-q2-w32-rp-rr complement 10|allowed: a cube
torus4-v1-q2-w32-ecube-rot open 100|vcs = 1; allowed: e-cube on a torus of radix 4 takes 2 to 9
torus5-v5-q2-w32-nhop-rot open 100|a ring of odd length cannot have two colours
torus16-v8-q2-w32-nhop-rot open 100|vcs = 8; allowed: negative-hop on a torus of radix 16 takes 9 to 9
torus4-v10-q2-w32-ecube-rot open 100|vcs = 10; allowed: e-cube on a torus of radix 4 takes 2 to 9
END

ends
