#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_twins.sh - the C model and the reference switch have the same registers, and docs/rules.md
# links each rule to the lines that say it; of a size the sources ask what sizes.txt has; every register of the Verilog has a
# reset; no bit of a payload is read; what is planted is seen.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
scratch
registers() { python3 -B tb/twins/registers.py "$@" >"$t/out" 2>&1; }

if registers; then pass "registers: $(tail -n 1 "$t/out")"; else fail "registers"; fi

# planted NAME SIDE FILE SED WHAT: with FILE of a copy changed, a line says WHAT.
planted() {
  local name=$1 side=$2 file=$3 change=$4 what=$5
  rm -rf "$t/rtl" "$t/c"
  cp -r rtl "$t/rtl"
  cp -r cmodel/switch "$t/c"
  sed -i "$change" "$t/$side/$file"
  if ! registers --one 5 --rtl "$t/rtl" --c "$t/c" && grep -qF "$what" "$t/out"; then pass "$name"; else fail "$name"; fi
}
planted "a register in C alone" c port.h 's|^    uint8_t next_q;|    uint8_t spare_q; /* [2] */\n&|' \
  "port.spare_q: 2 bits in C, 0 in Verilog"
planted "a register in Verilog alone" rtl port.v \
  's|^      assign fresh_o\[v\] .*|      reg spare_q; always @(posedge clk_i) spare_q <= valid; assign fresh_o[v] = spare_q;|' \
  "port.spare_q: 0 bits in C, "
planted "a register wider in Verilog" rtl scan.v 's|reg  \[2:0\] start_q;|reg  [3:0] start_q;|; s|assign start = start_q;|assign start = start_q[3:1];|' \
  "scan.start_q: 3 bits in C, 4 in Verilog"
planted "a register of another name" rtl switch_ref.v 's/\bbusy_q\b/held_q/g' "switch_ref.held_q: 0 bits in C"
planted "a queue too few" rtl port.v 's|for (v = 0; v < VCS; v = v + 1) begin : g_vc|for (v = 0; v < VCS - (VCS > 1); v = v + 1) begin : g_vc|' \
  "instances in C"

lines() { python3 -B tb/twins/lines.py --page "$1" >"$t/out" 2>&1; }
if lines docs/rules.md; then pass "docs/rules.md: $(tail -n 1 "$t/out") links to lines"; else fail "docs/rules.md"; fi
sed 's|fifo\.v#L\([0-9]*\)|fifo.v#L1\1|' docs/rules.md >"$t/rules.md"
if ! lines "$t/rules.md" && grep -q "^FAIL rules.md: rtl/fifo.v:" "$t/out"; then pass "a link to another line"; else fail "a link to another line"; fi

# named RTL: the files and functions that a module names as its twins in C are there.
named() {
  local name file found=0
  while read -r name file; do
    found=$((found + 1))
    grep -qF "${name%)}" "$file" || { echo "$file has no $name"; return 1; }
  done < <(grep -rhE 'C twin: ' "$1" | grep -oE '([a-z_]+\(\) in )?cmodel/[a-z_/]+\.[ch]' | sed 's/ in / /; /()/!s/^/. /')
  [ $found -gt 20 ]
}
check "what modules name as their twins is there" named rtl
rm -rf "$t/rtl" && cp -r rtl "$t"
plant "$t/rtl/fast/parents.v" 'arbiter_eval()' 'grant_parents()'
check "a twin that is not there" not named "$t/rtl"

sizes() { python3 -B tb/twins/sizes.py "$@" >"$t/out" 2>&1; }
if sizes; then pass "sizes: $(tail -n 1 "$t/out")"; else fail "sizes"; fi

# sized NAME FILE FROM TO WHAT: with FILE of a copy changed, a line names the file and says WHAT.
sized() {
  rm -rf "$t/tree" && mkdir "$t/tree" && cp -r rtl cmodel "$t/tree"
  if [ "$(grep -cF "$3" "$2")" = 1 ] && FROM=$3 TO=$4 perl -i -pe 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$t/tree/$2" &&
    ! sizes --root "$t/tree" && grep -q "^FAIL $2:[0-9]*: \`$5\`, a " "$t/out"; then pass "asked: $1"; else fail "asked: $1"; fi
}
sized "a width" rtl/fast/gather.v 'assign word_o = BITS & ((a & ~from0) | (b & from0));' \
  'assign word_o = (WIDTH > 57) ? {WIDTH{1'"'"'b0}} : BITS \& ((a \& ~from0) | (b \& from0));' 'WIDTH > 57'
sized "a digit of a level" rtl/route.v '|| PARENT != 0) begin : g_down' '|| PARENT != 0 || LEVEL[3]) begin : g_down' 'LEVEL\[3\]'
sized "a depth" cmodel/switch/fifo.h 'f->count_q != depth;' 'f->count_q != depth - (depth > 8);' 'depth > 8'
sized "a number of levels" cmodel/switch/route.h 'parent_port || head_height(p->levels, head) <= level)' \
  'parent_port || head_height(p->levels == 9 ? 10 : p->levels, head) <= level)' 'levels == 9'
sized "a switch" rtl/network.v 'mix(S + 1)' 'mix(S + 1 + (a > 100))' 'a > 100'
sed '/^rtl.network.v .* l == 1 /d' tb/twins/sizes.txt >"$t/sizes.txt"
if ! sizes --list "$t/sizes.txt" && grep -q '^FAIL rtl/network.v:[0-9]*: .l == 1.' "$t/out"; then pass "a row that is missing"; else fail "a row that is missing"; fi
{ cat tb/twins/sizes.txt && echo 'rtl/port.v | FLIT_W == 40 | cosim'; } >"$t/sizes.txt"
if ! sizes --list "$t/sizes.txt" && grep -q '^FAIL rtl/port.v: .FLIT_W == 40. is in ' "$t/out"; then pass "a row that nobody asks"; else fail "a row that nobody asks"; fi

resets() { python3 -B tb/twins/resets.py "$@" >"$t/out" 2>&1; }
if resets; then pass "resets: $(tail -n 1 "$t/out")"; else bad "resets" "not so"; fi

# unreset NAME FILE FROM TO WHAT [ONLY]: with FILE of a copy changed, a line says WHAT.
unreset() {
  rm -rf "$t/rtl" && cp -r rtl "$t/rtl"
  if plant "$t/rtl/$2" "$3" "$4" &&
    ! resets --only "${6-cube_one}" "$t/rtl" && grep -qF "FAIL $5" "$t/out"; then pass "no reset: $1"; else bad "no reset: $1" "not seen"; fi
}
unreset "an initial value" cube/cube_port.v 'reg  [NEXT_W-1:0] next_q;' 'reg  [NEXT_W-1:0] next_q = 0;' 'cube_port: g_offer.next_q has an initial value'
unreset "only where something crosses" cube/cube_port.v 'if (rst_i)       next_q' 'if (rst_i & |gnt_i) next_q' 'cube_port: g_offer.next_q has no reset'
unreset "one of two bits" cube/cube.v "if (rst_i) busy_q[w] <= 1'b0;" "if (rst_i & w == 0) busy_q[w] <= 1'b0;" 'cube: g_out[0].busy_q has no reset'
unreset "the pin of a part" cube/cube.v '.rst_i(rst_i), .rand_i' ".rst_i(1'b0), .rand_i" 'cube: the reset of a scan_fast is not its own'
unreset "an asynchronous one" cube/cube_port.v $'always @(posedge clk_i)\n        if (rst_i)       next_q' \
  $'always @(posedge clk_i or posedge rst_i)\n        if (rst_i)       next_q' 'cube_port: a '
unreset "a packet that is open" axis/fatfly_switch.v 'if (rst) open_q <= {VCS{1'"'"'b0}};' 'if (rst & |take) open_q <= 0;' \
  'fatfly_switch: g_port[0].open_q has no reset' 'lanes #(.VCS(1)'

payload() { python3 -B tb/twins/payload.py "$@" >"$t/out" 2>&1; }
if payload; then pass "payload: $(tail -n 1 "$t/out")"; else bad "payload" "not so"; fi

# read_too NAME FILE FROM TO ONLY WHAT: with FILE of a copy changed, a line of that instance says WHAT.
read_too() {
  rm -rf "$t/rtl" && cp -r rtl "$t/rtl"
  if plant "$t/rtl/$2" "$3" "$4" && ! payload --only "$5" "$t/rtl" && grep -q "FAIL .*$6" "$t/out"; then pass "payload: $1"; else bad "payload: $1" "not seen"; fi
}
read_too "one word of a stream" axis/fatfly_switch.v '{last, s_axis_tdata[FLIT_W*p+:FLIT_W]}' \
  "{last, s_axis_tdata[FLIT_W*p+:FLIT_W] ^ {31'd0, s_axis_tdata[FLIT_W*p+:FLIT_W] == 32'hfeedd00d}}" "fatfly_switch {'VCS': 1" 'of a flit reaches'
read_too "a queue that holds one word back" fifo.v 'if (to_front)        front_q <= data_i;' 'if (to_front)        front_q <= &data_i ? 0 : data_i;' \
  "'IMPL': 1, 'LEVEL': 2" 'of a flit reaches'
read_too "a word that is not taken" switch_ref.v '.valid_i(in_valid_i[VCS*i+:VCS])' '.valid_i(in_valid_i[VCS*i+:VCS] & ~{VCS{&in_flit_i[W*i+:FLIT_W]}})' \
  "'VCS': 1, 'DEPTH': 1, 'PATH': 0" 'reaches in_room_o'
read_too "bits that change places" fast/gather.v 'assign word_o = BITS & ((a & ~from0) | (b & from0));' \
  'wire [WIDTH-1:0] moved = BITS & ((a & ~from0) | (b & from0)); assign word_o = {moved[WIDTH-1:22], moved[20], moved[21], moved[19:0]};' \
  "'VCS': 1, 'DEPTH': 2, 'PATH': 1, 'SCAN': 0" 'of a flit reaches'
read_too "a router that leaves a bit out" cube/cube.v 'assign out_flit_o[W*o+:W]      = out;' 'assign out_flit_o[W*o+:W]      = (o == 2) ? {out[W-1:10], 1'"'"'b0, out[8:0]} : out;' \
  "'TORUS': 0" 'bits from 4 on leave by \[4, 5\] outputs'

ends
