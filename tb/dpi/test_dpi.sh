#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_dpi.sh - the checker of sim/dpi: quiet on right switches, loud on wrong ones, and not blind itself.
# Ends with `N passed, N failed`.  BUILD=build
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
kept_folder dpi

# runs NAME [OPTION]...: builds the example and runs it; OLD, NEW and FILE plant a change in a copy.
runs() {
  local folder=$t/$1
  shift
  mkdir -p "$folder"
  cp -r rtl sim/dpi "$folder"
  if [ -n "${FILE:-}" ]; then
    sed -i "s/$OLD/$NEW/" "$folder/$FILE"
    ! cmp -s "$folder/$FILE" "${FILE/#dpi/sim\/dpi}" || { echo "nothing to plant: $OLD"; return 1; }
  fi
  # The runtime is the same in all, compiled once.
  local kept=() o
  mkdir -p "$folder/obj"
  for o in "$t"/default/obj/verilated*.o; do
    [ ! -e "$o" ] || { cp "$o" "$folder/obj" && kept+=(-MAKEFLAGS "-o ${o##*/}"); }
  done
  RTL=$folder/rtl DPI=$folder/dpi sim/dpi/build.sh "$folder/obj" "${kept[@]}" "$@" >"$folder/build" 2>&1 ||
    { grep -m 5 '^%' "$folder/build"; return 1; }
  "$folder/obj/Vexample" >"$folder/out" 2>&1
}
says() { grep -qE "$2" "$t/$1/out" || { head -n 5 "$t/$1/out"; return 1; }; }
right() { runs "$@" && says "$1" '^(1|28) switches, 10496 directed and 10000 random cycles each: the same as the C model$'; }
wrong() { # NAME FILE OLD NEW TEXT
  ! FILE=$2 OLD=$3 NEW=$4 runs "$1" || { echo "nobody saw it"; return 1; }
  [ -e "$t/$1/out" ] && says "$1" "$5"
}

check "the default" right default
check "every path selection with every scan, and two and four channels" right all -GALL=1
check "planted: room where there is none" wrong room rtl/fast/port_one.v 'room_q  <= next_room;' "room_q  <= 1'b1;" \
  'u_checker: cycle [0-9]+ after reset: in_room_o is [0-9a-f]+, the C model has'
check "planted: other random bits" wrong random rtl/lfsr.v '<= {fresh, ' "<= {fresh ^ 16'd1, " \
  'u_checker: cycle [0-9]+ after reset: out_(valid|flit)_o is [0-9a-f]+, the C model has'
check "planted: a checker of other parameters" wrong level dpi/example.sv '.LEVEL(LEVEL),$' '.LEVEL(LEVEL + 1),' \
  'the C model has .* LEVEL = 2 of LEVELS = 2: is that the one bound to'
check "no such switch" wrong none dpi/example.sv '.DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),$' \
  '.DEPTH(17), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),' 'u_checker: depth = 17 flits; allowed: 1 to 16'

ends
