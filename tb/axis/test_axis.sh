#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_axis.sh - the switch with AXI4-Stream ports: its bench under Icarus and Verilator, the proof
# of its outputs, parameters out of range, planted bugs, and the heads of fatfly_head.vh against C.
#
# Usage: test_axis.sh [TEXT]   only the checks that have TEXT in their names
# Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
export BUILD=${BUILD:-build}
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/icarus.sh
. tb/lib/icarus.sh
kept_folder axis
limit=600

# What `verilator` calls, without that Perl script, which takes 0.05 s of each of 60 calls.
verilator=${VERILATOR:-verilator}
if command -v "${verilator}_bin" >/dev/null 2>&1; then
  VERILATOR_ROOT=$("$verilator" --getenv VERILATOR_ROOT)
  export VERILATOR_ROOT
  verilator=${verilator}_bin
fi

plus=()
# icarus NAME WRAPPER NAME=VALUE...: the bench's closing line goes to $t/NAME.line.
icarus() {
  local name=$1 wrapper=$2 p
  local -a set=()
  shift 2
  for p; do set+=("-Ptb_fatfly_switch.$p"); done
  thinned "$t/$name.vvp" -Irtl -Irtl/fast -y rtl -y rtl/fast -y tb/axis "${set[@]}" -s tb_fatfly_switch tb/axis/tb_fatfly_switch.v "$wrapper" &&
    timeout 600 vvp -N "$t/$name.vvp" "${plus[@]}" >"$t/$name.log" && grep -E '^(PASS|FAIL)' "$t/$name.log" | tail -n 1 >"$t/$name.line"
}

bench_passes() { icarus "$@" && ! grep -q FAIL "$t/$1.log" && grep -q '^PASS' "$t/$1.line"; }
bench_fails() { local plus=(+first) && [ $# -gt 2 ] && icarus "$@" && grep -q '^FAIL cycle' "$t/$1.log"; } # the first failure ends it

# The parameter sets: channels, queues, widths, paths, scans, levels, the root, seeds: each bit of a seed without its neighbours, too.
sets=(
  "VCS=1 SEED=2"
  "VCS=2 SEED=0"
  "VCS=4 DEPTH=3 SEED=-1"
  "VCS=1 FLIT_W=16 PATH=0 SEED=-2147483648"
  "VCS=1 DEPTH=1 PATH=0 LEVEL=2 SEED=1431655765"
  "VCS=1 LEVEL=3 SCAN=3 SEED=-1431655766"
  "VCS=2 PATH=2 SCAN=4 FLIT_W=64 LEVEL=2 LEVELS=4 SEED=16711935"
  "VCS=1 PATH=3 SCAN=2 DEPTH=16 SEED=-252645136"
  "VCS=2 LEVELS=1 FLIT_W=17 DEPTH=1 SEED=1"
)
for ((k = 0; k < ${#sets[@]}; k++)); do
  # shellcheck disable=SC2086 # words
  check "bench, Icarus, ${sets[k]}" bench_passes "set$k" rtl/axis/fatfly_switch.v ${sets[k]}
done

# The same line from Verilator, whose runtime is the same in all: that of BUILD where it is there, the rest compiled once; and then many more cycles, which Icarus would take minutes for.
# Loops of the bench stay loops: half of the C++.
verilated() { # NAME NAME=VALUE...
  local name=$1 p o
  local -a set=()
  shift
  for p; do set+=("-G$p"); done
  mkdir -p "$t/$name.v"
  local -a made=("$t"/set0.v/verilated*.o)
  [ "$name" != set0 ] || made=("$build"/verilated.o "$build"/verilated_threads.o)
  for o in "${made[@]}"; do
    [ ! -e "$o" ] || { cp "$o" "$t/$name.v" && set+=(-MAKEFLAGS "-o ${o##*/}"); }
  done
  nice env -u VERILATOR_ROOT "${VERILATOR:-verilator}" --binary --unroll-count 1 -Wno-lint -Wno-style -Irtl -Irtl/fast -Irtl/axis -Itb/axis "${set[@]}" \
    -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 VM_PARALLEL_BUILDS=0" \
    --top-module tb_fatfly_switch --Mdir "$t/$name.v" tb/axis/tb_fatfly_switch.v >"$t/$name.vlog" 2>&1 &&
    "$t/$name.v/Vtb_fatfly_switch" | grep '^PASS' | cmp - "$t/$name.line" &&
    "$t/$name.v/Vtb_fatfly_switch" +cycles=20000 +window=400 >"$t/$name.log" && grep -q '^PASS' "$t/$name.log" && ! grep -q FAIL "$t/$name.log"
}
for k in 0 1 2; do
  [ -e "$t/set$k.line" ] || continue # a filter left out what it compares with
  # shellcheck disable=SC2086
  check "bench, Verilator as Icarus, then 20,000 cycles, ${sets[k]}" verilated "set$k" ${sets[k]}
done

for shape in "1 1" "1 3" "2 1" "4 2"; do
  # shellcheck disable=SC2086
  check "proof of the outputs, VCS and level $shape" tb/axis/prove.sh $shape
done

for vcs in 1 2 4; do check "streams by name, $vcs channels" tb/axis/lanes.py $vcs; done
misled() { run tb/axis/lanes.py 4 "$1"; [ "$code" = 1 ] && grep -qE '^lanes.py: VCS = 4: .* (is not bit|of the switch is) ' "$t/out"; }
for one in 'm_axis_p5_c3_tready, m_axis_p5_c2_tready/m_axis_p5_c2_tready, m_axis_p5_c3_tready' \
  's_axis_p0_c1_tdata, s_axis_p0_c0_tdata/s_axis_p0_c0_tdata, s_axis_p0_c1_tdata' 'localparam integer L = 4 \* p + c/localparam integer L = 4 * p + (3 \& ~c)' \
  '\.SEED(SEED)/.SEED(SEED | 1)' '\.SCAN(SCAN)/.SCAN(SCAN == 3 ? 0 : SCAN)' '\.aresetn(aresetn)/.aresetn(aclk)'; do
  sed "s/$one/" rtl/axis/fatfly_switch_lanes.v >"$t/lanes.v"
  check "planted: ${one%%/*}: is planted" not cmp -s rtl/axis/fatfly_switch_lanes.v "$t/lanes.v"
  check "planted: ${one%%/*}: is found" misled "$t/lanes.v"
done

check "each parameter reaches the switch inside, whatever its value" tb/axis/parameters.py "$t"
sed 's/\.PATH(PATH)/.PATH(PATH == 4 ? 1 : PATH)/' rtl/axis/fatfly_switch.v >"$t/fatfly_switch.v"
limited() { run tb/axis/parameters.py "$t" "$t/fatfly_switch.v"; [ "$code" = 1 ] && grep -q '^parameters.py: tb.fatfly_switch.* told .*, of VCS ' "$t/out"; }
check "planted: RP in place of RW: is found" limited

# Each with the first set that has its parameter, with which the right switch passes above, or a bug that does nothing would be found, too.
unproven() { run tb/axis/prove.sh "$@"; [ "$code" = 1 ] && grep -q 'proof did fail\|not empty' "$t/out"; }
while read -r name parameter proof script; do
  [[ $name == "#"* || -z $name ]] && continue
  sed "$script" rtl/axis/fatfly_switch.v >"$t/bug.v"
  check "bug $name is planted" not cmp -s rtl/axis/fatfly_switch.v "$t/bug.v"
  with=()
  for one in "${sets[@]}"; do
    [ ${#with[@]} != 0 ] || [[ " $one " != *" $parameter "* ]] || read -ra with <<<"$one"
  done
  check "bug $name, found by the bench" bench_fails "bug-$name" "$t/bug.v" "${with[@]}"
  [ "$proof" = - ] || check "bug $name, found by the proof" unproven "${parameter#*=}" 1 "$t/bug.v"
done < <(sed 's/^#.*//' tb/axis/bugs.txt)

# Out of range: every tool stops, and says why.
refused() { # TOP ERROR NAME=VALUE...
  local top=$1 error=$2 file=rtl/$1.v p
  local -a v=() i=() y=()
  shift 2
  [ -f "$file" ] || file=rtl/axis/$top.v
  for p; do
    v+=("-G$p")
    i+=("-P$top.$p")
    y+=(-chparam "${p%=*}" "${p#*=}")
  done
  run "$verilator" --lint-only -Wno-lint -Irtl -Irtl/fast "${v[@]}" --top-module "$top" "$file"
  [ "$code" != 0 ] && grep -q "$error" "$t/err" || return
  run "${IVERILOG:-iverilog}" -g2005 -Irtl -Irtl/fast -y rtl -y rtl/fast "${i[@]}" -s "$top" -o "$t/x" "$file"
  [ "$code" != 0 ] && grep -q "$error" "$t/err" || return
  [[ $* == *=-* ]] && return # Yosys takes no negative number there
  run "${YOSYS:-yosys}" -q -p "read_verilog -defer -Irtl -Irtl/fast rtl/*.v rtl/fast/*.v rtl/axis/*.v; hierarchy -check -top $top ${y[*]}"
  [ "$code" != 0 ] && grep -q "$error" "$t/err" "$t/out"
}
# TOP: - for the wrapper and the switch, all for the network, too.
while read -r tops error parameters; do
  case $tops in
    -) tops="fatfly_switch switch" ;;
    all) tops="fatfly_switch switch network" ;;
  esac
  for top in $tops; do
    # shellcheck disable=SC2086
    check "refused: $top $parameters" refused "$top" "fatfly_error_$error" $parameters
  done
done <<'END'
all VCS_must_be_1_2_or_4 VCS=3
all VCS_must_be_1_2_or_4 VCS=0
all DEPTH_must_be_1_to_16 DEPTH=0
all DEPTH_must_be_1_to_16 DEPTH=17
all FLIT_W_must_be_16_to_64 FLIT_W=15
all FLIT_W_must_be_16_to_64 FLIT_W=65
all PATH_must_be_0_to_4 PATH=5
all SCAN_must_be_0_to_4 SCAN=5
- SCAN_must_be_0_to_4 SCAN=-1
- LEVELS_must_be_1_to_10 LEVELS=0
- LEVELS_must_be_1_to_10 LEVELS=11
network LEVELS_must_be_1_to_5 LEVELS=0
network LEVELS_must_be_1_to_5 LEVELS=6
network LEVELS_must_be_1_to_5 LEVELS=-1
switch IMPL_must_be_0_to_2 IMPL=3
network IMPL_must_be_0_to_2 IMPL=3
switch IMPL_must_be_0_to_2 IMPL=-1
switch no_fast_switch_for_these_parameters VCS=4 PATH=0 IMPL=2
switch no_fast_switch_for_these_parameters VCS=4 SCAN=4 IMPL=2
network no_fast_switch_for_these_parameters VCS=4 PATH=3 IMPL=2
- LEVEL_must_be_1_to_LEVELS LEVEL=0
- LEVEL_must_be_1_to_LEVELS LEVEL=4
- FLIT_W_is_too_small_for_a_head LEVELS=7 FLIT_W=30
network FLIT_W_is_too_small_for_a_head LEVELS=4 FLIT_W=18
all FLIT_W_is_too_small_for_a_head LEVELS=4 FLIT_W=21 PATH=0
END
# ... and one less is fine.
accepted() { "$verilator" --lint-only -Wall -Irtl -Irtl/fast "$@"; }
for top in axis/fatfly_switch switch; do
  while read -ra parameters; do
    check "accepted: ${top#*/} ${parameters[*]}" accepted "${parameters[@]/#/-G}" --top-module "${top#*/}" "rtl/$top.v"
  done <<'END'
LEVELS=7 FLIT_W=31
LEVELS=4 FLIT_W=22 PATH=0
VCS=4 LEVEL=3
VCS=4 PATH=0 SCAN=4
LEVELS=10 LEVEL=10 FLIT_W=44 DEPTH=16 SCAN=4
END
done
while read -ra parameters; do
  check "accepted: switch ${parameters[*]}" accepted "${parameters[@]/#/-G}" --top-module switch rtl/switch.v
done <<'END'
VCS=4 IMPL=2
VCS=2 PATH=3 SCAN=4 DEPTH=16 IMPL=2
VCS=4 PATH=0 IMPL=1
END

# Heads by Verilog and by C.
heads() {
  ${CC:-gcc} -std=c11 -Icmodel/switch tb/axis/heads.c -o "$t/heads" && "$t/heads" >"$t/heads.c.txt" &&
    "${IVERILOG:-iverilog}" -g2005 -Irtl/axis -o "$t/heads.vvp" tb/axis/tb_fatfly_head.v &&
    vvp -N "$t/heads.vvp" >"$t/heads.v.txt" && [ "$(wc -l <"$t/heads.c.txt")" = 10000 ] &&
    cmp "$t/heads.c.txt" "$t/heads.v.txt"
}
# ... and by the layout of docs/switch.md: dst and src have 2n bits, height ceil(log2(n + 1)), path n - 1.
laid_out() { # SED
  sed "$1" "$t/heads.v.txt" | python3 -c 'import sys
for line in sys.stdin:
    n, src, dst, path = map(int, line.split()[:4])
    height = next(l for l in range(1, n + 1) if src >> 2 * l == dst >> 2 * l)
    if int(line.split()[4], 16) != dst | src << 2 * n | height << 4 * n | path << 4 * n + n.bit_length(): sys.exit(line)'
}
misplaced() { run laid_out "$1"; [ "$code" = 1 ] && grep -qE '^[0-9]+( [0-9]+){3} [0-9a-f]+$' "$t/err" && [ "$(grep -c . "$t/err")" = 1 ]; }
check "heads as in the C model" heads
check "heads as laid out" laid_out ''
for wrong in '500s/10$/30/' '9000s/4b3$/4b2/' '10000s/ 0002/ 0000/'; do check "planted: a head, $wrong" misplaced "$wrong"; done

cat "$t"/set*.line 2>/dev/null

ends
