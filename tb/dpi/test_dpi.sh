#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_dpi.sh - the checker of sim/dpi: quiet on right switches, loud on wrong ones, and not blind itself.
# Ends with `N passed, N failed`.  BUILD=build
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
kept_folder dpi

# model: the objects of the C model that the first build has made.
model() {
  local c
  for c in sim/dpi/fatfly_dpi.c cmodel/switch/*.c; do
    c=$t/default/obj/$(basename "$c" .c).o
    [ ! -e "$c" ] || printf '%s ' "$c"
  done
}
# A third less C++: gates are tables (rtl/fast/gate.v), what is alike in several ports is a function.
lean=(-DFATFLY_GATE_TABLE -fno-inline --x-initial fast --x-assign fast)

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
  # The runtime and the C model are the same in all, compiled once; of the runtime what BUILD has is taken from there.
  local kept=() made=("$t"/default/obj/verilated*.o) o
  mkdir -p "$folder/obj"
  [ -e "${made[0]}" ] || made=("$build"/verilated.o "$build"/verilated_threads.o)
  for o in "${made[@]}"; do
    [ ! -e "$o" ] || { cp "$o" "$folder/obj" && kept+=(-MAKEFLAGS "-o ${o##*/}"); }
  done
  OBJECTS=$(model) RTL=$folder/rtl DPI=$folder/dpi sim/dpi/build.sh "$folder/obj" "${kept[@]}" "$@" >"$folder/build" 2>&1 ||
    { grep -m 5 '^%' "$folder/build"; return 1; }
  "$folder/obj/Vexample" >"$folder/out" 2>&1
}
says() { grep -qE "$2" "$t/$1/out" || { head -n 5 "$t/$1/out"; return 1; }; }
right() { runs "$@" && says "$1" '^(1|8) switches, 10496 directed and 10000 random cycles each: the same as the C model$'; }
wrong() { # NAME FILE OLD NEW TEXT
  ! FILE=$2 OLD=$3 NEW=$4 runs "$1" || { echo "nobody saw it"; return 1; }
  [ -e "$t/$1/out" ] && says "$1" "$5"
}

# The checker beside six of itself with a mistake each, in one program (bent.sv); 2 channels, 34 bits a flit.
mistakes=(''
  's/in_room_o !== room ||/1\x27b0 ||/' 's/|| out_valid_o !== valid ||/||/' 's/ || out_flit_o !== flit)/)/'
  's/out_flit_o !== flit/out_flit_o[FLIT_W-1:0] !== flit[FLIT_W-1:0]/' 's/in_room_o !== room/in_room_o[5:0] !== room[5:0]/'
  's/out_valid_o !== valid/|(~out_valid_o \& valid)/')
bends() {
  local k folder=$t/bent
  mkdir -p "$folder" && cp -r sim/dpi "$folder" || return 1
  sed -i 's/bind switch fatfly_checker/bind switch bent/; s/  rig u_default /  rig #(.VCS(2)) u_default /; s/SLOTS = 4 .* 41;/SLOTS = 2;/' "$folder/dpi/example.sv"
  for k in "${!mistakes[@]}"; do
    sed "s/module fatfly_checker/module CHECKER$k/" sim/dpi/fatfly_checker.sv >"$folder/as-it-is"
    sed "${mistakes[k]}" "$folder/as-it-is" | tee "$folder/one" >>"$folder/all"
    [ "$k" = 0 ] || ! cmp -s "$folder/as-it-is" "$folder/one" || echo "nothing to plant: ${mistakes[k]}" >>"$folder/unplanted"
  done
  cat "$folder/all" tb/dpi/bent.sv >"$folder/dpi/fatfly_checker.sv"
  mkdir -p "$folder/obj" && cp "$t"/default/obj/verilated*.o "$folder/obj" || return 1
  OBJECTS=$(model) DPI=$folder/dpi sim/dpi/build.sh "$folder/obj" -GCYCLES=600 -MAKEFLAGS "-o verilated.o -o verilated_dpi.o -o verilated_threads.o" >"$folder/build" 2>&1 ||
    { grep -m 5 '^%' "$folder/build"; return 1; }
}
bend() { "$t/bent/obj/Vexample" "$@" >"$t/bent/out" 2>&1; } # OPTION...
# stops KIND BIT WHERE: that bit alone, in cycle 77, ends the simulation there with one sentence, and is counted where nothing stops.
stops() {
  ! bend "+who=0" "+kind=$1" "+bit=$2" +from=77 +to=77 || { echo "nobody saw $1 $2"; return 1; }
  sed -n "s/.*u_checker0: cycle 77 after reset: $3 is \([0-9a-f]*\), the C model has \([0-9a-f]*\);.*/$2 \1 \2/p" "$t/bent/out" >>"$t/bent/said"
  says bent '%Error: .*: the switch differs from the C model' || return 1
  bend "+kind=$1" "+bit=$2" +from=200 +to=299 && says bent "u_counts: cycle 200 after reset: $3 is" && says bent '^failed: 100$'
}
every() { # of each kind bits of the first and the last port; what is said differs in that bit
  local bit
  for bit in 0 1 10 11; do stops room $bit in_room_o && stops valid $bit out_valid_o || return 1; done
  for bit in 0 31 32 33 170 201 202 203; do stops flit $bit out_flit_o || return 1; done
  python3 -c 'import sys; w = [x.split() for x in sys.stdin]; print(sum(int(a, 16) ^ int(b, 16) == 1 << int(k) for k, a, b in w), "of", len(w))' \
    <"$t/bent/said" | grep -x '16 of 16'
}
# The bench resets again after cycle 428, so its cycle 500 is 72 after that.
from_the_last_reset() { ! bend +who=0 +kind=room +bit=0 +from=500 +to=500 && says bent 'u_checker0: cycle 72 after reset: in_room_o is'; }
misses() { # CHECKER KIND BIT: the one with that mistake does not stop
  bend "+who=$1" "+kind=$2" "+bit=$3" +from=77 +to=77 && says bent '^1 switches, '
}

# Switches of every level of networks of one and of three, roots among them, which have no parents: with random worms for that level, random
# room and a reset in the middle.  Each output that is there must be used.  With two channels it is the reference switch.
levels() {
  local folder=$t/levels
  mkdir -p "$folder/obj" && cp -r sim/dpi "$folder" && cp "$t"/default/obj/verilated*.o "$folder/obj" || return 1
  cat >"$folder/dpi/example.sv" <<'SV'
`timescale 1ns / 1ps
bind switch fatfly_checker #(.VCS(VCS), .DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL), .LEVELS(LEVELS)) u_checker (.*);

module rig #(parameter int VCS = 1, parameter int LEVEL = 1, parameter int LEVELS = 3) (input logic clk_i, input logic rst_i);
  localparam int FLIT_W = 24, W = FLIT_W + 2; // not the default: a module called `switch` alone is no word for Verilator
  localparam int HEIGHT_AT = 4 * LEVELS, HEIGHT_W = LEVELS < 2 ? 1 : 2, DIGIT = 2 * (LEVEL - 1);
  logic [6*VCS-1:0] in_valid = 0, in_room, out_valid, out_room = 0;
  logic [6*W-1:0]   in_flit = 0, out_flit;
  int               left [6][VCS]; // flits of its worm, 0: none
  int               sent [6];
  bit               seen;          // a reset

  // A head for this level: from a child it turns here, to another one, or goes on up; from a parent it goes down.
  function automatic logic [FLIT_W-1:0] head(int port);
    int low, height;
    low = port < 4 ? LEVEL : LEVEL + 1;
    height = low + int'($urandom_range(LEVELS - low));
    head = FLIT_W'($urandom);
    head[HEIGHT_AT+:HEIGHT_W] = HEIGHT_W'(height);
    if (port < 4 && height == LEVEL) head[DIGIT+:2] = 2'(port) ^ 2'($urandom_range(3, 1));
  endfunction

  always @(negedge clk_i) begin
    seen <= seen | rst_i;
    in_valid = 0;
    out_room = (6*VCS)'($urandom) | (6*VCS)'($urandom);
    for (int p = 0; p < 6; p++) begin
      int v, length;
      v = int'($urandom_range(VCS - 1));
      if (rst_i || !seen) left[p] = '{default: 0};
      else if (in_room[VCS*p+v] && $urandom_range(3) != 0) begin
        length = left[p][v] != 0 ? left[p][v] : int'($urandom_range(5, 1));
        in_valid[VCS*p+v] = 1;
        in_flit[W*p+:W] = {left[p][v] == 0, length == 1, left[p][v] == 0 ? head(p) : FLIT_W'($urandom)};
        left[p][v] = length - 1;
      end
    end
  end
  always @(posedge clk_i) for (int o = 0; o < 6; o++) if (|out_valid[VCS*o+:VCS]) sent[o] <= sent[o] + 1;
  final for (int o = 0; o < (LEVEL < LEVELS ? 6 : 4); o++)
    if (sent[o] < 100) $display("output %0d of LEVEL = %0d of LEVELS = %0d: %0d flits", o, LEVEL, LEVELS, sent[o]);

  switch #(.VCS(VCS), .FLIT_W(FLIT_W), .LEVEL(LEVEL), .LEVELS(LEVELS), .IMPL(VCS - 1)) u_switch (
    .clk_i(clk_i), .rst_i(rst_i), .seed_i(32'hc0ffee), .in_valid_i(in_valid), .in_flit_i(in_flit),
    .in_room_o(in_room), .out_valid_o(out_valid), .out_flit_o(out_flit), .out_room_i(out_room), .probe_o());
endmodule

module example;
  logic clk = 0, rst = 1;
  always #5 clk = !clk;
  for (genvar levels = 1; levels <= 3; levels += 2) begin : g_levels
    for (genvar level = 1; level <= levels; level++) begin : g_level
      rig #(.VCS(1), .LEVEL(level), .LEVELS(levels)) u_one (.clk_i(clk), .rst_i(rst));
      rig #(.VCS(2), .LEVEL(level), .LEVELS(levels)) u_two (.clk_i(clk), .rst_i(rst));
    end
  end
  initial begin
    repeat (3) @(posedge clk);
    rst <= 0;
    repeat (1000) @(posedge clk);
    rst <= 1;
    @(posedge clk);
    rst <= 0;
    repeat (2000) @(posedge clk);
    $display("every level: the same as the C model");
    $finish;
  end
endmodule
SV
  OBJECTS=$(model) DPI=$folder/dpi sim/dpi/build.sh "$folder/obj" "${lean[@]}" \
    -MAKEFLAGS "-o verilated.o -o verilated_dpi.o -o verilated_threads.o" >"$folder/build" 2>&1 ||
    { grep -m 5 '^%' "$folder/build"; return 1; }
  "$folder/obj/Vexample" >"$folder/out" 2>&1 && says levels '^every level: the same as the C model$' && ! grep '^output' "$folder/out"
}

check "the default" right default
check "every level of networks of one and of three, roots among them" levels
check "every path selection and every scan, and two and four channels" right all -GALL=1 "${lean[@]}"
check "planted: room where there is none" wrong room rtl/fast/port_one.v 'room_q  <= next_room;' "room_q  <= 1'b1;" \
  'u_checker: cycle [0-9]+ after reset: in_room_o is [0-9a-f]+, the C model has'
check "planted: other random bits" wrong random rtl/lfsr.v '<= {fresh, ' "<= {fresh ^ 16'd1, " \
  'u_checker: cycle [0-9]+ after reset: out_(valid|flit)_o is [0-9a-f]+, the C model has'
# A bench that sends without room, or on two channels at once: the C model leaves that out, says so once, and stays whole.
overrun() {
  cat >"$t/overrun.c" <<'C'
#include "fatfly_dpi.c"
int main(void)
{
    svBitVecVal none[16] = {0}, valid[1] = {0x3f}, flit[16], room[1] = {0}, out[1] = {0}, word[16] = {0};
    memset(flit, 0xa5, sizeof flit);
    for (int depth = 1; depth <= 3; depth++) {
        void *g = fatfly_dpi_open(depth > 2 ? 2 : 1, depth, 32, 1, 0, 1, 3, "bench");
        fatfly_dpi_reset(g, 7);
        if (depth > 2)
            *valid = 0xfff;
        for (int k = 0; k < 5; k++) {
            fatfly_dpi_eval(g, none, room, out, word);
            printf("%x%c", room[0], k < 4 ? ' ' : '\n');
            fatfly_dpi_tick(g, valid, flit);
        }
        fatfly_dpi_close(g);
    }
    return 0;
}
C
  ${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -fsanitize=address,undefined -Isim/dpi -Icmodel/switch -isystem "$(${VERILATOR:-verilator} --getenv VERILATOR_ROOT)/include/vltstd" \
    "$t/overrun.c" cmodel/switch/*.c -o "$t/overrun" && "$t/overrun" >"$t/default/out" 2>"$t/overrun.err" &&
    says default '^3f 0 0 0 0$' && says default '^3f 3f 0 0 0$' && says default '^fff fff fff fff fff$' || return 1
  [ "$(grep -c '^bench: port 0: in_valid_i = 0x1 on a channel without room; the C model leaves out such flits$' "$t/overrun.err"),$(wc -l <"$t/overrun.err")" = 2,3 ] &&
    grep -qx 'bench: port 0: in_valid_i = 0x3 on several channels at once; the C model leaves out such flits' "$t/overrun.err"
}
# After a reset a switch is what a new one is after a reset with that seed, whatever came before it: of each path selection and scan.
resets() {
  cat >"$t/resets.c" <<'C'
#include "fatfly_dpi.c"
static void cycle(void *g, int k, svBitVecVal *word) // children send heads up; what leaves, and where there is room
{
    svBitVecVal exits[1] = {k % 5 ? 0xfff : 0}, flit[16] = {0}, valid[1] = {0};
    fatfly_dpi_eval(g, exits, &word[0], &word[1], &word[2]);
    for (unsigned port = 0; port < 4; port++) {
        put(valid, 2 * port, get(word, 2 * port, 2) & (k & 1 ? 1 : 2), 2);
        put(flit, 34 * port, 0x303fu | port << 6, 32); /* of processor `port` to 63: height 3 */
        put(flit, 34 * port + 32, 3, 2);
    }
    fatfly_dpi_tick(g, valid, flit);
}
int main(void)
{
    const unsigned seeds[] = {7, 9, 9, 0, 1, 0xffffffff, 7};
    int wrong = 0, differ = 0;
    for (int path = 0; path < 5; path++)
        for (int scan = 0; scan < 5; scan++) {
            void *old = fatfly_dpi_open(2, 2, 32, path, scan, 1, 3, "old"), *other = fatfly_dpi_open(2, 2, 32, path, scan, 1, 3, "other");
            for (size_t j = 0; j < sizeof seeds / sizeof *seeds; j++) {
                void *new = fatfly_dpi_open(2, 2, 32, path, scan, 1, 3, "new");
                fatfly_dpi_reset(old, seeds[j]);
                switch_reset(&((struct golden *)new)->sw, seeds[j]); /* as the model has it */
                fatfly_dpi_reset(other, seeds[j] ^ 0x5a5a);
                for (int k = 0; k < 61; k++) { /* the next reset is in mid-traffic */
                    svBitVecVal a[9] = {0}, b[9] = {0}, c[9] = {0};
                    cycle(old, k, a);
                    cycle(new, k, b);
                    cycle(other, k, c);
                    wrong += memcmp(a, b, sizeof a) != 0;
                    differ += memcmp(a, c, sizeof a) != 0;
                }
                fatfly_dpi_close(new);
            }
            fatfly_dpi_close(old);
            fatfly_dpi_close(other);
        }
    printf("%d cycles wrong, %s\n", wrong, differ > 1000 ? "seeds differ" : "no seed matters");
    return 0;
}
C
  ${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -fsanitize=address,undefined -Isim/dpi -Icmodel/switch -isystem "$(${VERILATOR:-verilator} --getenv VERILATOR_ROOT)/include/vltstd" \
    "$t/resets.c" cmodel/switch/*.c -o "$t/resets" && "$t/resets" >"$t/default/out" 2>&1 && says default '^0 cycles wrong, seeds differ$'
}
check "flits without room, and on two channels" overrun
check "a reset is one of a new switch, with any seed after any other" resets
check "no such switch" wrong none dpi/example.sv '.DEPTH(DEPTH), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),$' \
  '.DEPTH(17), .FLIT_W(FLIT_W), .PATH(PATH), .SCAN(SCAN), .LEVEL(LEVEL),' 'u_checker: depth = 17 flits; allowed: 1 to 16'
check "one program with the checker and six wrong ones" bends
check "no fault: nobody stops" bend
check "planted: a checker of other parameters" says bent \
  'u_level: cycle [0-9]+ after reset: .* the C model has .* LEVEL = 2 of LEVELS = 2: is that the one bound to'
check "one bit of room, valid or flit, of the first or the last port: it stops there, names it, and counts" every
check "cycles are counted from the last reset" from_the_last_reset
check "planted: what was to be changed is there" absent "$t/bent/unplanted"
check "planted: a checker without room" misses 1 room 3
check "planted: a checker without valid" misses 2 valid 3
check "planted: a checker without flits" misses 3 flit 70
check "planted: a checker of the first payload alone" misses 4 flit 203
check "planted: a checker of room on half of the channels" misses 5 room 11
check "planted: a checker of flits that are missing alone" misses 6 valid 0

ends
