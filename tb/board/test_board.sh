#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_board.sh - the self-test of the boards: it passes on a right switch, in Icarus, in Verilator and
# as an iCE40 netlist; every planted bug lights its lamp; its parts each alone; button, parameters and lamps of every board; the bitstream
# builds; what a user gets wrong is said in one line.  Usage: test_board.sh [FILTER]
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/icarus.sh
. tb/lib/icarus.sh
mkdir -p "$build" && TMPDIR=$build scratch
limit=600
iverilog=${IVERILOG:-iverilog} verilator=${VERILATOR:-verilator} yosys=${YOSYS:-yosys}

# -- it passes where it must -------------------------------------------------------------------

# Two long jobs go on beside the rest.  All of the C++ in one file: the headers cost more than the code.  Verilator's runtime is
# that of BUILD where it is there.
verilate() {
  local o
  local -a old=()
  mkdir -p "$t/all"
  for o in verilated.o verilated_threads.o; do
    [ ! -e "$build/$o" ] || { cp "$build/$o" "$t/all" && old+=(-MAKEFLAGS "-o $o"); }
  done
  "$verilator" --cc --exe --build -Wall -Wno-UNUSEDSIGNAL -O3 --no-timing --x-assign fast --x-initial fast \
    --output-split-cfuncs 200 -CFLAGS -O0 -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 VM_PARALLEL_BUILDS=0" "${old[@]}" \
    -Irtl -Irtl/fast -Irtl/board --top-module tb_selftest_all --Mdir "$t/all" \
    "$root/tb/board/main.cpp" tb/board/tb_selftest_all.v >"$t/all.log" 2>&1 &&
    "$t/all/Vtb_selftest_all" >"$t/all.out" 2>&1
}
# The folder of Yosys's own files: beside the program, which scripts/test.sh may call by another name.
shared() { # FILE
  local folder folders
  IFS=: read -ra folders <<<"$PATH"
  for folder in "$(dirname "$(command -v "$yosys")")" "${folders[@]}"; do
    [ ! -e "$folder/../share/yosys/$1" ] || { echo "$folder/../share/yosys/$1"; return; }
  done
}
# The bitstream, and its netlist with the models of the cells; a wire a bit: a fifth of the time of vectors.
netlist() {
  BUILD=$t/hx8k timeout 300 scripts/synth/bitstream.py ice40-hx8k-evn SLOW=0 >"$t/hx8k.out" 2>"$t/hx8k.err" &&
    "$yosys" -q -p "read_json $t/hx8k/bitstream/ice40-hx8k-evn/top.json; splitnets; opt_clean -purge; write_verilog -noattr $t/net.v" >"$t/net.log" 2>&1 &&
    thinned "$t/net.vvp" -DNO_ICE40_DEFAULT_ASSIGNMENTS -s tb_netlist tb/board/tb_netlist.v "$t/net.v" \
      "$(shared ice40/cells_sim.v)" >"$t/net.log" 2>&1 &&
    vvp -n "$t/net.vvp" >"$t/net.out" 2>&1
}
skipped Verilator || verilate &
verilating=$!
skipped HX8K || netlist &
mapping=$!

of_board=rtl/board
# simulate NAME RTL [PARAMETER...]: the bench in Icarus; what it says goes to $t/out.
simulate() {
  local rtl=$1
  shift
  run thinned "$t/tb.vvp" -Wall -I"$rtl" -y "$rtl" -y rtl/fast -y "$of_board" -s tb_selftest "${@/#/-Ptb_selftest.}" tb/board/tb_selftest.v
  if [ "$code" = 0 ] && [ ! -s "$t/err" ]; then run vvp -n "$t/tb.vvp"; fi
}
passes() { # NAME ROUNDS PARAMETER...
  local name=$1 rounds=$2
  shift 2
  skipped "$name" && return
  simulate rtl "ROUNDS=$rounds" "$@"
  if grep -q '^FAIL' "$t/out"; then bad "$name" 'not as it says'; else works "$name" "rounds $rounds errors 0000"; fi
}
# From two rounds before lamp 3 lights, with every SLOW of a board; elsewhere from two rounds before the count of rounds ends.
while read -r slow; do
  passes "Icarus: V = 1, SLOW = $slow" 4 "SLOW=$slow" "START=$(((8 << slow) - 2))"
done < <(sed -n 's/^ *parameter integer SLOW *= *\([0-9]*\).*/\1/p' constraints/*/top.v rtl/board/selftest_board.v | sort -u)
passes 'Icarus: V = 2' 4 VCS=2 WORMS=4
passes 'Icarus: the root, ROT' 4 LEVEL=3 SCAN=3
passes 'Icarus: FP, FCFS, 64 bits' 4 PATH=0 SCAN=4 FLIT_W=64

for vcs in 2 4; do # 1 is in the tops
  skipped lint || run "$verilator" --lint-only -Wall -Irtl -Irtl/fast -Irtl/board --top-module selftest_board -GVCS=$vcs rtl/board/selftest_board.v
  works "lint: V = $vcs"
done
for board in constraints/*/; do
  skipped lint || run "$verilator" --lint-only -Wall -Irtl -Irtl/fast -Irtl/board -Itb/board --top-module top "$board/top.v"
  works "lint: $(basename "$board")"
done

# Every LEVELS that a board may have, each as another LEVEL, in flits as narrow as can be or wider.
while read -ra set; do
  passes "Icarus: ${set[*]}" 4 "${set[@]}"
done <<'END'
LEVELS=1 LEVEL=1 DEPTH=1 SCAN=1
LEVELS=2 LEVEL=1 PATH=2
LEVELS=2 LEVEL=2 VCS=2
LEVELS=4 LEVEL=3 FLIT_W=38 PATH=0 DEPTH=3
LEVELS=5 LEVEL=4 FLIT_W=43 PATH=3 SCAN=2
LEVELS=6 LEVEL=6 FLIT_W=48
LEVELS=7 LEVEL=5 FLIT_W=64 SCAN=3
LEVELS=8 LEVEL=7 FLIT_W=59 PATH=0 DEPTH=4
END

# wrong_test NAME FILE SED PARAMETER...: a self-test with FILE changed by SED finds fault with a right switch, or the bench with it.
wrong_test() {
  local name="test bug: $1" file=$2 change=$3 of_board=$t/board
  shift 3
  skipped "$name" && return
  rm -rf "$of_board" && cp -r rtl/board "$of_board" && sed -i "$change" "$of_board/$file"
  cmp -s "rtl/board/$file" "$of_board/$file" && { bad "$name" "cannot be planted in $file"; return; }
  simulate rtl CYCLES=6000 "$@"
  if grep -q '^rounds' "$t/out" && grep -qE '^FAIL|errors [01]*1|rounds [0-3] ' "$t/out"; then pass "$name"; else bad "$name" "no lamp"; fi
}
wrong_test 'heights of three bits' selftest_sink.v 's/HEIGHT_W = .*;/HEIGHT_W = 3;/' LEVELS=8 LEVEL=7 FLIT_W=59
wrong_test 'heights of one bit' selftest_sink.v 's/HEIGHT_W = .*;/HEIGHT_W = 1;/' LEVELS=2
wrong_test 'no worm goes to children 2 and 3 from level 7 on' selftest_source.v "s/wire \[DST_W-1:0\] lot   = random\[DST_W-1:0\]/wire [15:0] lots = {4'd0, random[11:0]}; wire [DST_W-1:0] lot = lots[DST_W-1:0]/" \
  LEVELS=8 LEVEL=7 FLIT_W=59 CYCLES=60000
wrong_test 'all worms that go up name parent 1' selftest_source.v 's/random\[16\] : 1/random[17] : 1/' PATH=0 DEPTH=4 CYCLES=60000
wrong_test 'digits of the first four levels' selftest_sink.v 's/2\*(LEVEL-1)+:2/2*((LEVEL-1) % 4)+:2/' LEVELS=6 LEVEL=6 FLIT_W=48
one=(LEVELS=1 WORMS=4 CYCLES=600) # the smallest
passes 'Icarus: the smallest' 4 "${one[@]}"
wrong_test 'no worm has more than four flits' selftest_source.v "s/length = random\[26:24\]/length = {1'b0, random[25:24]}/" "${one[@]}"
wrong_test 'rounds of 16 bits' selftest.v 's/\[31:0\] *rounds_q/[15:0] rounds_q/' "${one[@]}" SLOW=13 START=65534
wrong_test 'rounds stop at the most' selftest.v 's/if (pass) rounds_q/if (pass \& ~\&rounds_q) rounds_q/' "${one[@]}"
wrong_test 'the count of sent flits stops' selftest_source.v 's/sent_q <= sent_q + 1.b1/sent_q <= sent_q + {11'"'"'d0, ~\&sent_q}/' "${one[@]}"
wrong_test 'the count of flits that left has a bit less' selftest.v 's/\[COUNT-1:0\] *got_q/[COUNT-2:0] got_q/' "${one[@]}"
wrong_test 'lamp 3 lights while bit SLOW + 3 is set' selftest_board.v 's/(done_q | rounds\[SLOW+3\])/rounds[SLOW+3]/' "${one[@]}" START=14
wrong_test 'a worm less a round' selftest_source.v 's/worms_q <= WORMS.*;/worms_q <= WORMS[WORMS_W-1:0] - 1'"'"'b1;/' "${one[@]}"
wrong_test 'gaps go with rare room' selftest.v 's/fast *= rounds_q\[0\]/fast = rounds_q[1]/' "${one[@]}"
wrong_test 'port 2 never leaves gaps' selftest.v 's/\.fast_i(fast)/.fast_i(fast | p == 2)/' "${one[@]}"
wrong_test 'room is never rare' selftest.v 's/lot_a & lot_b/lot_a | lot_b/' "${one[@]}"
wrong_test 'one channel always has room' selftest.v 's/lot_a | lot_b : lot_a & lot_b/lot_a | lot_b : lot_a \& lot_b | 8/' "${one[@]}"
wrong_test 'the fourth load is the third' selftest.v "s/(rounds_q\[1:0\] == 2'd3)/1'b0/" "${one[@]}"
wrong_test 'an error lasts a cycle' selftest.v 's/errors_q | {&quiet_q, |astray, |wrong, |broken}/{3'"'"'d0, pause_q == 3'"'"'d3}/' "${one[@]}"

# After an error no round begins, so that nothing leaves: lamp 7 is not of that.
told='{&quiet_q, |astray, |wrong, |broken}' false_alarm='{\&quiet_q, |astray, |wrong, |broken | (rounds_q[0] \& pause_q == 3'"'d3)}"
lamp() { # NAME LAMPS SED: those of a self-test that finds fault once with a right switch
  local of_board=$t/board
  rm -rf "$of_board" && cp -r rtl/board "$of_board" && sed -i "s/$told/$false_alarm/; $3" "$of_board/selftest.v"
  grep -qF "pause_q == 3'd3)}" "$of_board/selftest.v" || return 1
  simulate rtl "${one[@]}" CYCLES=9000 LINGER=2200
  grep -q "errors $2 " "$t/out"
}
check 'an error: lamp 7 stays dark where all has left' lamp 'one error' 0001 ''
check 'planted: quiet whatever has left' lamp 'quiet' 1001 's/ | (all_idle_q & all_same_q)) ?/) ?/'
# What the switch takes and the self-test does not is refused by name, in all three tools.
refused() { # ERROR NAME=VALUE...
  local says=fatfly_error_$1
  shift
  ! "$verilator" --lint-only -Wno-lint -Irtl -Irtl/fast -Irtl/board --top-module selftest_board "${@/#/-G}" rtl/board/selftest_board.v >"$t/no" 2>&1 && grep -q "$says" "$t/no" &&
    ! "$iverilog" -g2005 -Irtl -y rtl -y rtl/fast -y rtl/board "${@/#/-Pselftest_board.}" -s selftest_board -o "$t/x" rtl/board/selftest_board.v >"$t/no" 2>&1 && grep -q "$says" "$t/no" &&
    ! "$yosys" -q -p "read_verilog -defer -Irtl rtl/*.v rtl/fast/*.v rtl/board/*.v; hierarchy -check -top selftest_board $(printf ' -chparam %s' "${@/=/ }")" >"$t/no" 2>&1 && grep -q "$says" "$t/no"
}
check 'a FLIT_W without room for code, sequence and source' refused FLIT_W_must_be_16_above_the_address FLIT_W=29
check 'LEVELS of which not all bits of an address are drawn' refused LEVELS_of_the_self_test_must_be_1_to_8 LEVELS=9 FLIT_W=64
passes "Icarus: FLIT_W = 30, the least of three levels" 4 FLIT_W=30
passes 'Icarus: RW' 4 PATH=4

# -- the code and the checkers, each alone -----------------------------------------------------

# part FOLDER BENCH [PARAMETER...]: what the bench says; rtl/board is FOLDER's.
part() {
  local folder=$1 bench=$2
  shift 2
  "$iverilog" -g2005 -Wall -Irtl -y "$folder" -y rtl -y rtl/fast -s "$bench" -o "$t/part.vvp" "${@/#/-P$bench.}" "tb/board/$bench.v" 2>&1 && timeout 60 vvp -n "$t/part.vvp"
}
right_part() { part rtl/board "$@" | tee "$t/part" && grep -q '^PASS' "$t/part"; }
check 'code: any two wrong bits are seen' right_part tb_code
check 'any flit of a round that is lost, alone or with all after it, is told' right_part tb_lost
while read -ra set; do
  check "checkers: ${set[*]}" right_part tb_sink "${set[@]}"
done <<'END'
VCS=1
VCS=2 PATH=0 LEVEL=2 FLIT_W=64
VCS=4 FLIT_W=33
VCS=2 LEVELS=8 LEVEL=8 FLIT_W=59
END
# wrong_part NAME FILE SED BENCH [PARAMETER...]: the bench sees FILE changed by SED.
wrong_part() {
  local name="part bug: $1" file=$2 change=$3
  shift 3
  skipped "$name" && return
  rm -rf "$t/board" && cp -r rtl/board "$t/board" && sed -i "$change" "$t/board/$file"
  cmp -s "rtl/board/$file" "$t/board/$file" && { fail "$name: cannot be planted in $file"; return; }
  part "$t/board" "$@" >"$t/part"
  if grep -q '^FAIL' "$t/part"; then pass "$name: $(head -n 1 "$t/part")"; else fail "$name: $(head -n 1 "$t/part")"; fi
}
wrong_part 'a polynomial that is not primitive' selftest_code.v "s/8'h1d/8'h1b/g" tb_code
wrong_part 'columns from x^7 on' selftest_code.v "s/power = 8'h1d; /power = 8'h80; /" tb_code
wrong_part 'the highest data bit is left out' selftest_code.v 's/(data_i & MASK)/((data_i \& MASK) << 1)/' tb_code
wrong_part 'columns of seven bits' selftest_code.v 's/r < 8/r < 7/' tb_code
wrong_part 'no room in all channels of a port' selftest_sink.v 's/|(valid_i & ~room_i)/|valid_i \& ~|room_i/' tb_sink VCS=2
wrong_part 'no room in the last channel' selftest_sink.v 's/|(valid_i & ~room_i)/|(valid_i[VCS-2:0] \& ~room_i[VCS-2:0])/' tb_sink VCS=4
wrong_part 'a body of another source' selftest_sink.v 's/~open_q | (id_q != id)/~open_q/' tb_sink
wrong_part 'a body of another channel' selftest_sink.v 's/id_q != id)/id_q >> 1 != id >> 1)/' tb_sink VCS=4
wrong_part 'a body without a head' selftest_sink.v 's/~open_q | (id_q/(id_q/' tb_sink VCS=2
wrong_part 'a head within a worm' selftest_sink.v 's/head ? open_q :/head ? 1'"'"'b0 :/' tb_sink VCS=2
wrong_part 'two channels at once' selftest_sink.v 's/|(valid_q & (valid_q - 1.b1))/1'"'"'b0/' tb_sink VCS=4
wrong_part 'port 6' selftest_sink.v "s/from > 3'd5/from > 3'd6/" tb_sink
wrong_part 'the code without the kind of the flit' selftest_sink.v "s/{head, tail, seq/{1'b0, tail, seq/" tb_sink
wrong_part 'a lock-up after the last flit is sent' selftest.v 's/(all_idle_q & all_same_q)/all_idle_q/' tb_lost
wrong_part 'a round passes when all is sent' selftest.v 's/& all_idle_q & all_same_q & (errors/\& all_idle_q \& (errors/' tb_lost

# -- parameters, reset, button and lamps -----------------------------------------------------------

# top FILE: tb_top.v around FILE, in place of the board's top or of selftest_board.v; the words of $board are its macros.
# tops: a word for the top, then clock, its edges in a cycle, lamps, how many, what lights one, BEAT, the button and what presses it.
tops='selftest_board clk_i 1 led_o 8 1 4 restart_i 1
ice40-hx8k-evn clk12_i 1 led_o 8 1 22
ulx3s-85f clk25_i 1 led_o 8 1 23 fire1_i 1
arty-a7-35t clk100_i 4 led_o 4 1 23 btn0_i 1
tang-nano-9k clk27_i 1 led_no 6 0 23 s2_ni 0'
top_says() { # BOARD FOLDER: what the bench says; rtl and constraints are FOLDER's
  local name clock divided leds lamps lit beat button pressed own
  read -r name clock divided leds lamps lit beat button pressed < <(grep "^$1 " <<<"$tops")
  own=(-DTOP=top "$2/constraints/$name/top.v" tb/board/BUFG.v)
  [ "$name" != selftest_board ] || own=(-DTOP=selftest_board -DOWN)
  [ -z "$button" ] || own+=("-DBUTTON=$button" "-DPRESSED=1'b$pressed")
  timeout 60 "$iverilog" -g2005 -Wall -I"$2/rtl" -s tb_top "-DCLOCK=$clock" "-DDIVIDED=$divided" "-DLEDS=$leds" "-DLAMPS=$lamps" "-DLIT=1'b$lit" \
    "-DBEAT=$beat" "${own[@]}" -o "$t/top.vvp" tb/board/tb_top.v "$2/rtl/board/selftest_board.v" 2>&1 && timeout 60 vvp -n "$t/top.vvp" | head -n 1
}
right_top() { [ "$(top_says "$1" .)" = PASS ]; }
# Every input of a top is one that the bench moves, every parameter one that it sets, and not to the default.
inputs_of() { sed -n 's/^  input  *wire  *\(\[[^]]*\]\)\{0,1\} *\([a-z0-9_]*\).*/\2/p' "$1"; }
moved() { # BOARD FILE
  local name words
  words=" $(grep "^$1 " <<<"$tops") "
  for name in $(inputs_of "$2"); do [[ $words == *" $name "* ]] || { echo "input $name"; return 1; }; done
  while read -r name value; do
    if ! grep -q "\.$name(" tb/board/tb_top.v || grep -qE "\.$name\($value\)" tb/board/tb_top.v; then echo "parameter $name" && return 1; fi
  done < <(sed -n 's/^  parameter integer \([A-Z_]*\) *= \([^, ]*\).*/\1 \2/p' "$2")
}
two_flops() { # BOARD FILE FOLDER: rtl/board is FOLDER
  local name clock
  read -r name clock _ < <(grep "^$1 " <<<"$tops")
  [ "$name" = selftest_board ] || name=top
  tb/board/inputs.py "$name" "$clock" "$2" "$3"
}
while read -r name _; do
  file=constraints/$name/top.v
  [ "$name" != selftest_board ] || file=rtl/board/selftest_board.v
  check "top: $name: parameters, reset, button and lamps" right_top "$name"
  check "top: $name: every input and parameter is exercised" moved "$name" "$file"
  check "top: $name: every input but the clock passes two flip-flops" two_flops "$name" "$file" rtl/board
done <<<"$tops"
check 'top: every board is there' [ "$(wc -l <<<"$tops")" = "$(($(find constraints -name top.v | wc -l) + 1))" ]

# wrong_top NAME BOARD FILE SED: what the bench says of a copy with FILE changed by SED, or, if that is right, inputs.py.
wrong_top() {
  local name="top bug: $1" line top=constraints/$2/top.v
  skipped "$name" && return
  [ "$2" != selftest_board ] || top=rtl/board/selftest_board.v
  rm -rf "$t/tops" && mkdir "$t/tops" && cp -r rtl constraints "$t/tops" && sed -i "$4" "$t/tops/$3"
  cmp -s "$3" "$t/tops/$3" && { fail "$name: cannot be planted in $3"; return; }
  line=$(top_says "$2" "$t/tops")
  [ "$line" != PASS ] || line=$(two_flops "$2" "$t/tops/$top" "$t/tops/rtl/board" | head -n 1)
  if [[ $line == FAIL* || $line == inputs.py:* ]]; then pass "$name: $line"; else fail "$name: $line"; fi
}
board=rtl/board/selftest_board.v
wrong_top 'the button once only' selftest_board $board 's/sync_q\[1\] ? 5.d0 : (&up_q) ? up_q/(\&up_q) ? up_q : sync_q[1] ? 5'"'"'d0/'
wrong_top 'the button is not kept' selftest_board $board 's/{sync_q\[0\], restart_i}/{sync_q[0] \& restart_i, restart_i}/'
wrong_top 'the lamp of passed rounds too early' selftest_board $board 's/rounds\[SLOW+3\]/rounds[SLOW+2]/'
wrong_top 'reasons in another order' selftest_board $board 's/{errors, done_q/{errors[3], errors[1], errors[2], errors[0], done_q/'
wrong_top 'the blink twice as fast' selftest_board $board 's/beat_q\[BEAT\]}/beat_q[BEAT-1]}/'
wrong_top 'the level is lost' selftest_board $board 's/\.LEVEL(LEVEL)/.LEVEL(1)/'
wrong_top 'a button that is low while pressed' tang-nano-9k constraints/tang-nano-9k/top.v 's/~s2_ni/s2_ni/'
wrong_top 'no button' ulx3s-85f constraints/ulx3s-85f/top.v "s/restart_i(fire1_i)/restart_i(1'b0 \& fire1_i)/"
wrong_top 'lamps turned over' arty-a7-35t constraints/arty-a7-35t/top.v 's/led_o = led/led_o = ~led/'
wrong_top 'queues of two' ice40-hx8k-evn constraints/ice40-hx8k-evn/top.v 's/DEPTH(DEPTH)/DEPTH(2)/'
wrong_top 'one flip-flop' ulx3s-85f $board 's/{sync_q\[0\], restart_i}/{restart_i, 1'"'"'b0}/'
wrong_top 'logic before the first flip-flop' selftest_board $board 's/{sync_q\[0\], restart_i}/{sync_q[0], restart_i \& ~beat_q[0] | restart_i}/'
wrong_top 'logic between the two' tang-nano-9k $board 's/{sync_q\[0\], restart_i}/{sync_q[0] | sync_q[0] \& rst_q, restart_i}/'
wrong_top 'the first is used, too' arty-a7-35t $board 's/up_q   <= sync_q\[1\]/up_q   <= |sync_q/'
wrong_top 'the button past the flip-flops' arty-a7-35t constraints/arty-a7-35t/top.v 's/led_o = led\[3:0\]/led_o = {led[3:1], led[0] | led[0] \& btn0_i}/'
wrong_top 'the first on another clock' arty-a7-35t constraints/arty-a7-35t/top.v \
  's/restart_i(btn0_i)/restart_i(first_q)/; s/^  BUFG/  reg first_q; always @(posedge clk100_i) first_q <= btn0_i;\n&/'

# -- a bug in the switch lights the lamp -------------------------------------------------------

# bug NAME LAMPS FILE SED [PARAMETER...]: with FILE of a copy of rtl/ changed by SED, one of LAMPS, a pattern
# of {stuck or lost, sequence, wrong port, broken}, lights.  Queues of four, and two channels under FCFS, have port_fast.v.
bug() {
  local name="bug: $1" lamps=$2 file=$3 change=$4
  shift 4
  skipped "$name" && return
  rm -rf "$t/rtl" && mkdir "$t/rtl" && cp rtl/*.v rtl/*.vh rtl/fast/*.v "$t/rtl"
  sed -i "$change" "$t/rtl/$file"
  cat "rtl/$file" "rtl/fast/$file" 2>/dev/null | cmp -s - "$t/rtl/$file" && { bad "$name" "cannot be planted in $file"; return; }
  simulate "$t/rtl" CYCLES=6000 ROUNDS=32 "$@"
  if grep -qE "errors ($lamps) led .{5}1" "$t/out" && ! grep -q '^FAIL' "$t/out"; then pass "$name"; else bad "$name" "no lamp of $lamps"; fi
}
out='s|assign out_flit_o\[W\*o+:W\] *= out;|assign out_flit_o[W*o+:W] ='
bug 'two payload bits swapped at port 2' '...1' switch_fast.v "$out (o == 2) ? {out[W-1:7], out[3], out[5:4], out[6], out[2:0]} : out;|"
bug 'one payload bit of one port inverted for one value' '...1' switch_fast.v "$out out ^ ((o == 4 \&\& out[3:0] == 4'd9) ? 34'h100 : 34'h0);|"
for bit in 1 31 32 40 47; do
  bug "bit $bit of 64 is always 0" '...1' switch_fast.v "$out out \& ~(66'h1 << $bit);|" FLIT_W=64
done
bug 'what goes to parent 0 goes to parent 1, too' '.1..' switch.v 's/\.out_valid_o *(out_valid_o)/.out_valid_o({lost, out_valid_o[4:0]})/; s/\.out_flit_o *(out_flit_o)/.out_flit_o({lost_flit, out_flit_o[0+:5*(FLIT_W+2)]})/
  s/\.out_room_i *(out_room_i)/.out_room_i({1'"'b0"', \&out_room_i[5:4], out_room_i[3:0]})/
  s/^  generate/  wire lost; wire [FLIT_W+1:0] lost_flit; assign out_valid_o[5] = out_valid_o[4]; assign out_flit_o[5*(FLIT_W+2)+:FLIT_W+2] = out_flit_o[4*(FLIT_W+2)+:FLIT_W+2];\n&/'
bug 'a tail that says body' '...1' switch_fast.v "$out out \& ~((out[3:0] == 4'd9 \&\& !out[W-1]) ? 34'h100000000 : 34'h0);|"
bug 'a head that says body' '...1' switch_fast.v "$out out \& ~((out[3:0] == 4'd9) ? 34'h200000000 : 34'h0);|"
bug 'a flit dropped on its way in' '.1..|1...|...1' switch_fast.v \
  "s|valid_i(in_valid_i\[VCS\*i+:VCS\])|valid_i(in_valid_i[VCS*i+:VCS] \& {VCS{in_flit_i[W*i+:5] != 5'd19}})|"
bug 'a flit sent twice' '.1..' port_fast.v \
  "s|wire \[VCS-1:0\] *pop = offer_o & {VCS{.gnt_i}};|wire [VCS-1:0] pop = offer_o \& {VCS{\|gnt_i}} \& ~{VCS{flit_o[4:0] == 5'd19}};|" DEPTH=4
bug 'worms to child 3 go to child 2' '..1.' route.v 's|4.d1 << digit|4'"'"'d1 << {digit[1], digit[0] \& ~digit[1]}|' DEPTH=4
bug 'worms of this height go up' '..1.|1...' route.v 's|height_o > LEVEL|height_o >= LEVEL|' DEPTH=4
bug 'the wrong path bit' '..1.' route.v 's|head_i\[PATH_LSB+LEVEL-1\]|head_i[PATH_LSB+LEVEL]|' PATH=0 DEPTH=4
bug 'worms interleave: channels are never held' '...1' switch_fast.v "s|else busy_q\[w\] <= |else busy_q[w] <= 1'b0 \& |" DEPTH=4
bug 'a channel is held for ever' '1...' switch_fast.v 's|& ~out\[FLIT_W\])|)|' DEPTH=4
bug 'a lost tail: port 1 drops one' '.1..|...1|1...' switch_fast.v \
  "s|assign out_valid_o\[o\] = \(.*\);|assign out_valid_o[o] = (\1) \& ~(o == 1 \&\& out[FLIT_W] \&\& out[3:0] == 4'd9);|" DEPTH=4
bug 'room at the far end is not asked for' '...1' switch_fast.v 's|won & {6{out_room_i\[5:0\]}}|won|' DEPTH=4
bug 'a queue says room when it is full' '...1|.1..|1...' fifo_fast.v 's|assign room_o = ~full_q;|assign room_o = 1'"'"'b1;|' VCS=2 SCAN=4
bug 'a queue never has room' '1...' fifo_fast.v 's|assign room_o = ~full_q;|assign room_o = 1'"'"'b0;|' VCS=2 SCAN=4
bug 'an input that never wins' '1...' switch_fast.v 's|assign gnt = \(.*\);|assign gnt = (\1) \& ~36'"'"'h3f;|' DEPTH=4
bug 'one channel, RR: an output is never held' '...1|.1..' link_one.v 's/TABLE(~TAIL)/TABLE(16'"'"'h0)/'
bug 'one channel, RR: a flit sent twice' '.1..|...1|1...' port_one.v 's/TABLE(A ^ D)/TABLE(D)/'
bug 'V = 2: a head takes both channels' '...1|.1..' switch_fast.v 's|free\[VCS\*o+:VCS\] & (~free\[VCS\*o+:VCS\] + 1.b1)|free[VCS*o+:VCS]|' VCS=2 SCAN=4
bug 'V = 2, RP: channels are never held' '...1|.1..' link.v 's/TABLE(A ^ (B | C | D))/TABLE(16'"'"'h0)/' VCS=2

# -- what a user may get wrong -----------------------------------------------------------------

pcf=constraints/ice40-hx8k-evn/board.pcf
b() { skipped "wrong" || BUILD=$t/build run scripts/synth/bitstream.py "$@"; }
changed() { sed "$1" "$pcf" >"$t/board.pcf"; }
nothing() { [ -z "$(ls -A "$t/build/bitstream" 2>/dev/null)" ]; }

b ice40-hx8k-evm
complains 'wrong: an unknown board' 2 'no board ice40-hx8k-evm' 'tang-nano-9k' 'nearest: ice40-hx8k-evn'
b
complains 'wrong: no board' 2 'ulx3s-85f'
b ice40-hx8k-evn VSC=2
complains 'wrong: an unknown parameter' 2 'no parameter VSC' 'nearest: VCS'
b ice40-hx8k-evn VCS=3
complains 'wrong: a value out of range' 2 'VCS=3' '1, 2 or 4'
b ice40-hx8k-evn FLIT_W=24
complains 'wrong: flits too narrow for the test' 2 'FLIT_W=24' '30 to 64'
b ice40-hx8k-evn --constraints "$t/none.pcf"
complains 'wrong: a constraint file that is not there' 3 "$t/none.pcf" 'No such file'
changed 's/A2$/Z99/'
b ice40-hx8k-evn --constraints "$t/board.pcf"
complains 'wrong: a pin that the package lacks' 3 "$t/board.pcf:7: no pin Z99" 'iCE40 HX8K'
changed 's/led_o\[5\]/led_o[8]/'
b ice40-hx8k-evn --constraints "$t/board.pcf"
complains 'wrong: a port that the top lacks' 3 "$t/board.pcf:10: no port led_o[8]" 'top.v'
changed '/led_o\[5\]/d'
b ice40-hx8k-evn --constraints "$t/board.pcf"
complains 'wrong: a port without a pin' 3 "$t/board.pcf: port led_o[5]" 'has no pin'
changed 's/C3$/C4/'
b ice40-hx8k-evn --constraints "$t/board.pcf"
complains 'wrong: a pin used twice' 3 "$t/board.pcf:12: pin C4 is led_o[5]'s" 'line 10'
skipped wrong || YOSYS=none BUILD=$t/build run scripts/synth/bitstream.py ice40-hx8k-evn
complains 'wrong: no yosys' 4 'no yosys' 'scripts/setup.sh'
skipped wrong || NEXTPNR=none BUILD=$t/build run scripts/synth/bitstream.py ice40-hx8k-evn
complains 'wrong: no nextpnr' 4 'no nextpnr-ice40'
check 'wrong: nothing half-written' nothing

# -- the bitstream and its netlist -------------------------------------------------------------

wait "$mapping"
if ! skipped 'HX8K'; then
  cp "$t/hx8k.out" "$t/out" && cp "$t/hx8k.err" "$t/err" && code=0
  works 'HX8K: the bitstream builds' 'look-up tables of 7,680' 'MHz of 12' 'top.bin'
  check 'HX8K: the bitstream has the size of an HX8K' [ "$(stat -c %s "$t/hx8k/bitstream/ice40-hx8k-evn/top.bin" 2>&1)" = 135100 ]
  cp "$t/net.out" "$t/out" && : >"$t/err"
  works 'HX8K: the netlist passes two rounds' 'passed 2 error 0 why 0000'
fi

# The netlist just made stands in for the mapper's, so these two cost no second run: a device that is too
# small, by an edited table, and a router that is too slow.
mkdir -p "$t/a tree" && cp -r rtl constraints scripts "$t/a tree"
cat >"$t/yosys" <<END
#!/bin/bash
case \$* in
  *synth.ys) cp synth.ys "$t/asked.ys" && cp "$t/hx8k/bitstream/ice40-hx8k-evn/"top.{json,stat} . ;;
  *) exec $yosys "\$@" ;;
esac
END
cat >"$t/nextpnr" <<END
#!/bin/bash
echo "\$*" >>"$t/asked" && cp board.pcf "$t/asked.pcf"
echo '{"fmax": {"clk12_i": {"achieved": 11.4, "constraint": 12}}}' >report.json
END
chmod +x "$t/yosys" "$t/nextpnr"
sed -i 's/"luts": 7680/"luts": 2000/' "$t/a tree/scripts/synth/bitstream.py"
skipped HX8K || YOSYS=$t/yosys BUILD=$t/build run "$t/a tree/scripts/synth/bitstream.py" ice40-hx8k-evn
complains 'HX8K: a design that does not fit' 3 'the iCE40 HX8K has 2,000' 'too many'
skipped HX8K || YOSYS=$t/yosys NEXTPNR=$t/nextpnr BUILD=$t/build run scripts/synth/bitstream.py ice40-hx8k-evn
complains 'HX8K: timing missed' 1 'timing missed: 11.4 MHz' '12 MHz'
# Whatever is asked for reaches the tools: pins and seed the router, parameters the mapper.
{ cat "$pcf" && echo '# other pins'; } >"$t/other.pcf"
handed_on() { # WORD...: none, or what a user may give
  rm -f "$t/asked"*
  YOSYS=$t/yosys NEXTPNR=$t/nextpnr BUILD=$t/build run scripts/synth/bitstream.py ice40-hx8k-evn "$@"
  local want='' word seed=1 pins=$pcf
  while [ $# != 0 ]; do
    case $1 in
      --seed) seed=$2 && shift ;;
      --constraints) pins=$2 && shift ;;
      *) want="$want -chparam ${1/=/ }" ;;
    esac
    shift
  done
  # The last is that of the design: the one before looks at the pins alone.
  word=$(tail -n 1 "$t/asked")
  [ $code = 1 ] && [[ " $word " == *" --seed $seed "* && " $word " == *" --freq 12 "* ]] && cmp "$pins" "$t/asked.pcf" &&
    grep -qx "hierarchy -top top$want" "$t/asked.ys"
}
check 'HX8K: what nobody asks for' handed_on
check 'HX8K: another seed' handed_on --seed 4294967295
check 'HX8K: other pins' handed_on --constraints "$t/other.pcf"
check 'HX8K: every parameter' handed_on VCS=2 DEPTH=16 FLIT_W=64 PATH=0 SCAN=4 LEVEL=3 LEVELS=4 SLOW=0
check 'HX8K: no parameter but these eight' test "$(sed -n 's/^ *allowed = \[\(.*\)\]$/\1/p' scripts/synth/bitstream.py)" = \
  '"VCS", "DEPTH", "FLIT_W", "PATH", "SCAN", "LEVEL", "LEVELS", "SLOW"'
check 'HX8K: some of it together' handed_on VCS=4 --seed 7 DEPTH=3 --constraints "$t/other.pcf" FLIT_W=63 LEVEL=2
check 'HX8K: nothing half-written after that' nothing

wait "$verilating"
if ! skipped 'Verilator'; then
  cat "$t/all.log" "$t/all.out" >"$t/out" 2>&1
  check 'Verilator: every V, path, scan and level passes thirty-two rounds' [ "$(grep -cE 'rounds (3[2-9]|[4-9][0-9]) errors 0000' "$t/all.out")" = 5 ]
fi

ends
