#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_systemc.sh - the modules of sim/systemc are `verilator --sc` of the Verilog, pin by pin in every cycle; bugs
# planted in them are seen; what is wrong is said.  Skipped where SystemC is not installed.
# Ends with `N passed, N failed`.  BUILD=build, JOBS
set -u
cd "$(dirname "$0")/../.." || exit 4
build=${BUILD:-build}
jobs=${JOBS:-$(nproc)}
t=$build/systemc/run
mkdir -p "$t"
passed=0
failed=0

if ! echo '#include <systemc>' | ${CXX:-g++} -E -x c++ - >/dev/null 2>&1; then
  echo "SKIP SystemC: its headers are not there; scripts/setup.sh systemc installs them"
  echo "0 passed, 0 failed"
  exit 0
fi

check() { # NAME COMMAND...
  local name=$1
  shift
  if "$@" >"$t/log" 2>&1; then
    passed=$((passed + 1))
    echo "PASS $name"
  else
    failed=$((failed + 1))
    echo "FAIL $name: $*"
    tail -n 20 "$t/log"
  fi
}
make_it() { make -j"$jobs" BUILD="$build" "$@"; }

equal() {
  "$build/systemc/equal" "$t" >"$t/equal" 2>&1 || { grep 'cycle [0-9]*:\|^equal' "$t/equal"; return 1; }
  grep -qx 'the sides are equal' "$t/equal" && [ "$(grep -c ' cycles .* flits ' "$t/equal")" = 50 ]
}
digests() { # of the network's cases, as the command has them
  local name
  for name in fat16-random fat16-many-to-1 fat16-complement; do
    local want
    want=$("$build/fatfly" cosim --side c --case $name | awk -v n=$name '$1 == n { print $6 }')
    grep " $name .* $want$" "$t/equal" || { echo "$name: the command has '$want'"; return 1; }
  done
}

# planted NAME FILE OLD NEW TEXT: a bug in a copy.
planted() {
  local folder=$t/$1 header=
  rm -rf "$folder"
  mkdir -p "$folder"
  cp sim/systemc/fatfly_systemc.* "$folder"
  sed -i "s/$3/$4/" "$folder/$2"
  ! cmp -s "$folder/$2" "sim/systemc/$2" || { echo "nothing to plant: $3"; return 1; }
  case $2 in *.h) header=yes ;; *) touch "$folder/none" ;; esac
  make_it PLANT="$folder" HEADER=$header "$folder/equal" || return 1
  ! "$folder/equal" "$folder" >"$folder/out" 2>&1 || { echo "nobody saw it"; return 1; }
  grep -qE "cycle [0-9]+: $5" "$folder/out" || { head -n 5 "$folder/out"; return 1; }
}

# refused WHAT TEXT: one message, which has TEXT.
refused() {
  ! "$build/systemc/wrong" "$1" >"$t/out" 2>&1 || { echo "accepted"; return 1; }
  if [ "$(grep -c '^Error' "$t/out")" != 1 ] || ! grep -qE "$2" "$t/out"; then
    cat "$t/out"
    return 1
  fi
}
example() { # the command of docs/systemc.md
  local root=$PWD library
  library=$(realpath "$build")
  (cd "$t" && ${CXX:-g++} -std=c++17 -I"$root/sim/systemc" "$root/sim/systemc/example.cpp" "$library/systemc/libfatfly_systemc.a" \
    -lsystemc -o example && ./example >out) || return 1
  [ "$(grep -c '^cycle .* processor 2 has flit' "$t/out")" = 8 ] && grep -q ' in_valid_i ' "$t/example.vcd"
}

check "it builds" make_it "$build/systemc/equal" "$build/systemc/wrong" "$build/systemc/one.o"
[ $failed = 0 ] || { echo "$passed passed, $failed failed"; exit 1; }
check "the example" example
check "every pin of 23 switches and a network in every cycle, directed and random" equal
check "the network's digests are those of the command" digests
check "both sides' VCD: names, widths, values" python3 -B tb/systemc/vcd.py "$t/c.vcd" "$t/rtl.vcd" 10000
check "planted: outputs a cycle late" planted late fatfly_systemc.cpp '    if (m_ready)$' '    if (m_ready \&\& !clk_i.posedge())' \
  'in_room_o is'
check "planted: two ports in another order" planted order fatfly_systemc.cpp 'put(m_out_valid, e \*' 'put(m_out_valid, (e ^ 1) *' \
  'out_valid_o is'
check "planted: a pin swapped" planted swapped fatfly_systemc.h 'take(m_out_room, out_room_i' 'take(m_out_room, in_valid_i' \
  'out_(valid|flit)_o is'
check "planted: deaf to room within a cycle" planted deaf fatfly_systemc.h 'clk_i.pos() << out_room_i' 'clk_i.pos()' \
  'out_(valid|flit)_o is'
check "right use" "$build/systemc/wrong" right
check "an unbound port" refused unbound "port not bound: port 'dut.in_flit_i'"
check "three channels" refused vcs 'fatfly: dut: vcs = 3; allowed: 1, 2 or 4'
check "a depth of 17" refused depth 'fatfly: dut: depth = 17 flits; allowed: 1 to 16'
check "flits too narrow for a head" refused narrow 'fatfly: dut: flit_w = 16 bits; a head of 1024 processors with path = fp needs'
check "a sixth path selection" refused path 'fatfly: dut: path = 5; allowed: fp, rp, gp, rg, rw'
check "a network of six levels" refused levels 'fatfly: network: levels = 6; allowed: 1 to 5'
check "a flit where there is no room" refused room 'fatfly: dut: port 0: in_valid_i = 0x1; allowed: one channel of a link, only with room \(0x0\)'
check "a flit on two channels" refused two 'fatfly: dut: port 0: in_valid_i = 0x3; allowed: one channel of a link'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
