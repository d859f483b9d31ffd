#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_packaging.sh - what a user of the RTL takes from here: fatfly.core, Bender.yml, rtl/fatfly.f,
# the template, and the copies with prefixed names of scripts/rtl/rtl_prefix.py.
#
# Usage: test_packaging.sh [TEXT]   only the checks that have TEXT in their names
# The part with FuseSoC itself needs PyPI and is skipped, with a word, if that cannot be had.
# Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
export BUILD=${BUILD:-build}
t=$BUILD/packaging
mkdir -p "$t" || exit 4
t=$(cd "$t" && pwd)
find "$t" -mindepth 1 -maxdepth 1 ! -name venv -exec rm -rf {} +
: >"$t/FUSESOC_IGNORE" # the copies below are no cores
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/icarus.sh
. tb/lib/icarus.sh

lists() { python3 -B tb/packaging/lists.py "$@"; }
quiet() { run "$@" && [ ! -s "$t/out" ] && [ ! -s "$t/err" ]; }
says_not() { run "$@"; [ "$code" != 0 ]; }

check "the lists are right" lists check

# Damaged copies: lists.py must say what is wrong.
damaged() { # TEXT SED FILE
  rm -rf "$t/tree"
  mkdir -p "$t/tree/cmodel" "$t/tree/tb"
  cp -r rtl fatfly.core Bender.yml "$t/tree"
  cp cmodel/fatfly.h "$t/tree/cmodel"
  cp -r tb/axis "$t/tree/tb"
  sed -i "$2" "$t/tree/$3"
  ! cmp -s "$3" "$t/tree/$3" || return
  run lists --root "$t/tree" check
  [ "$code" != 0 ] && grep -qF -- "$1" "$t/out" "$t/err"
}
while read -r file script text; do
  check "damaged $file: $text" damaged "$text" "$script" "$file"
done <<'END'
fatfly.core /rtl.pick.v/d fatfly.core: rtl/pick.v is missing
fatfly.core s/rtl.pick.v/rtl\/pack.v/ fatfly.core: rtl/pack.v does not exist
fatfly.core s/rtl.pick.v/rtl\/port.v/ fatfly.core: rtl/port.v stands there twice
fatfly.core s/is_include_file/include_file/ unknown key include_file
fatfly.core s/fatfly:0/fatfly:9/ but cmodel/fatfly.h says
fatfly.core s/toplevel:.fatfly_s/&x/ no module fatfly_sxwitch
fatfly.core s/.rtl,.tb./[rtl,tc]/ no file set tc
fatfly.core s/VCS,.DEPTH,/VCS,DEBTH,/ parameter DEBTH is not declared
fatfly.core s/flow:.lint/flow:\x20link/ flow link does not go
Bender.yml /axis.fatfly_switch/d Bender.yml: rtl/axis/fatfly_switch.v is missing
Bender.yml s/authors/author/ unknown key author
Bender.yml s/No.version/v9.9.9/ Bender.yml: names the tag v9.9.9
Bender.yml /cube_port/d Bender.yml: rtl/cube/cube_port.v is missing
Bender.yml s/axis_rules/axis_rule/ Bender.yml, test: tb/axis/axis_rule.v does not exist
rtl/fatfly.f /rtl.fifo.v/d rtl/fatfly.f: rtl/fifo.v is missing
rtl/fatfly.f /cube.cube.v/d rtl/fatfly.f: rtl/cube/cube.v is missing
rtl/fatfly.f s/incdir+rtl$/incdir+rtk/ rtl/fatfly.f, headers: rtk does not exist
cmodel/fatfly.h s/FATFLY_VERSION."/&7/ but cmodel/fatfly.h says
END

# Every top from every list under every tool; switch is in network.
by_verilator() { quiet "${VERILATOR:-verilator}" --lint-only -Wall "$@"; }
by_icarus() { quiet "${IVERILOG:-iverilog}" -g2005 -Wall -o "$t/x.vvp" "$@"; }
by_yosys() { quiet "${YOSYS:-yosys}" -q -p "$1; proc; check -assert"; }
# Bender's words are FuseSoC's, so one run is for both.
for list in core bender; do lists files $list >"$t/$list"; done
mapfile -t words <"$t/core"
check "the words of Bender" cmp "$t/core" "$t/bender"
# Four routers have all modules that 16 have.
for top in fatfly_switch network cube cube_network; do
  v=() i=() y=''
  [ $top != cube_network ] || { v=(-GK=2) i=(-Pcube_network.K=2) y='-chparam K 2'; }
  check "core, $top, Verilator" by_verilator "${words[@]}" --top-module $top "${v[@]}"
  check "core, $top, Icarus" by_icarus "${words[@]}" -s $top "${i[@]}"
  check "core, $top, Yosys" by_yosys "read_verilog -defer ${words[*]}; hierarchy -check -top $top $y"
  check "rtl/fatfly.f, $top, Verilator" by_verilator -f rtl/fatfly.f --top-module $top "${v[@]}"
  check "rtl/fatfly.f, $top, Icarus" by_icarus -f rtl/fatfly.f -s $top "${i[@]}"
  check "rtl/fatfly.f, $top, Yosys" by_yosys \
    "read_verilog -defer -Irtl -Irtl/fast -Irtl/axis $(grep '^rtl' rtl/fatfly.f | tr '\n' ' '); hierarchy -check -top $top $y"
done
elsewhere() {
  (cd "$t" && sed -e "s|rtl/|$root/rtl/|" -e "s|+rtl\$|+$root/rtl|" "$root/rtl/fatfly.f" >fatfly.f &&
    "${VERILATOR:-verilator}" --lint-only -Wall -f fatfly.f --top-module fatfly_switch &&
    "${IVERILOG:-iverilog}" -g2005 -f fatfly.f -s fatfly_switch -o x.vvp)
}
check "rtl/fatfly.f from elsewhere" elsewhere
check "the tops of fatfly.core" test "$(lists tops | tr '\n' ' ')" = "fatfly_switch tb_fatfly_switch "

# The template, as a file and in the guide.
mapfile -t words < <(lists files list)
check "template, Verilator" by_verilator "${words[@]}" docs/template.v --top-module template
check "template, Icarus" by_icarus "${words[@]}" docs/template.v -s template
check "template, Yosys" by_yosys "read_verilog -defer ${words[*]} docs/template.v; hierarchy -check -top template"
# ... and at work: where packets leave, and which.  Then damaged copies.
template() { # FILE TEXT: the bench says TEXT and nothing else
  thinned "$t/template.vvp" "${words[@]}" "$1" tb/axis/tb_template.v -s tb_template && vvp -N "$t/template.vvp" >"$t/template.log" &&
    [[ $(cat "$t/template.log") == "$2"* ]] && [ "$(wc -l <"$t/template.log")" = 1 ]
}
damaged_template() { # SED
  sed "$1" docs/template.v >"$t/template.v" && ! cmp -s docs/template.v "$t/template.v" && template "$t/template.v" "FAIL a packet from port "
}
check "template, its bench" template docs/template.v "PASS 764 packets"
# What docs/rtl.md shows of it, in its place.
# shellcheck disable=SC2016 # backquotes of Markdown
guide() {
  sed -n '/^```verilog$/,/^```$/{/^```/d; s/(s_tdata)/({s_tdata, second_q ? data_q : head[31:0]})/; s/(s_tlast)/({s_tlast, second_q})/
    s/(s_tvalid)/({s_tvalid, second_q | start})/; s/(s_tready)/({s_tready, take})/; p}' docs/rtl.md >"$t/guide" &&
    sed "/^  .include/d; /^  wire .* head =/d; /^  fatfly_switch #/,/^  );/d; s/^  wire  *take;/&\n  wire [19:0] src = 20'd0;/; /^  wire  *take;/r $t/guide" \
      docs/template.v >"$t/guide.v" && [ "$(grep -c 'fatfly_switch #\|fatfly_head(' "$t/guide.v")" = 2 ] && template "$t/guide.v" "$1"
}
check "template, what the guide shows" guide "PASS 764 packets"
while read -r name script; do
  check "damaged template: $name" damaged_template "$script"
done <<'END'
source-for-destination s/20.d0, {14.d0, dst}/{14'd0, dst}, 20'd0/
other-source           s/3, 20.d0/3, 20'd1/
destination-short      s/{14.d0, dst}/{15'd0, dst[4:0]}/
levels-of-the-head     s/fatfly_head(3/fatfly_head(4/
levels-of-the-switch   s/\.LEVELS(3)/.LEVELS(4)/
level                  s/\.LEVEL(1)/.LEVEL(2)/
path                   s/\.PATH(1)/.PATH(0)/
two-channels           s/\.VCS(1)/.VCS(2)/
no-wait                s/take & ~second_q/take/
ready-late             s/start & ready)    second_q/start \& ready \& data[0]) second_q/
data-of-later          s/if (start & ready) data_q/if (start) data_q/
second-not-taken       s/else if (second_q & take)/else if (second_q)/
never-second           s/second_q <= 1.b1/second_q <= 1'b0/
last-on-the-head       s/{s_tlast, second_q}/{s_tlast, ~second_q}/
body-waits-for-start   s/second_q | start}/start}/
data-as-head           s/second_q ? data_q : head/second_q ? head : data_q/
port-of-the-processor  s/{s_tready, take}/{take, s_tready}/
ports-shifted          s/({s_tdata, \(.*\)}),/({\1, s_tdata}),/
no-reset               s/if (!aresetn)  /if (1'b0)/
END

# Names with a prefix.
dist=$t/rtl-dist
prefix() { run python3 -B scripts/rtl/rtl_prefix.py --out "$dist" "$@"; }
prefix
check "rtl_prefix.py" test "$code" = 0
prefixed() { # FILE...: there are modules, and each has the prefix, or is that of the ports, which has it already
  sed -n 's/^ *module  *//p' "$@" >"$t/modules" && [ -s "$t/modules" ] && ! grep -vE '^fatfly_(rtl_|switch)' "$t/modules"
}
check "no module without the prefix" prefixed "$dist"/*.v
for top in fatfly_switch fatfly_rtl_network; do
  check "one file, $top, Verilator" by_verilator "$dist/fatfly_all.v" --top-module $top
  check "one file, $top, Icarus" by_icarus "$dist/fatfly_all.v" -s $top
  check "one file, $top, Yosys" by_yosys "read_verilog -defer $dist/fatfly_all.v; hierarchy -check -top $top"
  check "a file a module, $top" by_verilator "-I$dist" "$dist/$top.v" --top-module $top
done

# The same circuit: both flattened, they are the same wires, cells and connections, but for the names
# of the files that are in Yosys's own names.
netlist() { # FILE TOP CHPARAM SOURCE...
  local file=$1 top=$2 set=$3
  shift 3
  run "${YOSYS:-yosys}" -q -p "
    read_verilog -defer -Irtl -Irtl/fast $*
    hierarchy -check -top $top $set
    setattr -mod -unset keep_hierarchy *
    proc
    flatten
    setattr -mod -unset hdlname *
    setattr -unset src
    rename -top circuit
    write_rtlil $file"
  [ "$code" = 0 ]
}
# That of the sources is made once: the damaged copies below are compared with it again.
equal() { # ALL TOP TOP CHPARAM
  local of="$2 $4"
  [ "$of" = "${first:-}" ] || { netlist "$t/1.il" "$2" "$4" rtl/*.v rtl/fast/*.v rtl/axis/*.v && first=$of; } || return
  netlist "$t/2.il" "$3" "$4" "$1" &&
    python3 -B tb/packaging/same_netlist.py "$t/1.il" "$t/2.il" >"$t/equal"
}
while read -r from to set; do
  check "equal: $from $set" equal "$dist/fatfly_all.v" "$from" "$to" "$set"
done <<'END'
fatfly_switch fatfly_switch -chparam VCS 2 -chparam PATH 3 -chparam SCAN 4 -chparam LEVEL 2
fatfly_switch fatfly_switch -chparam VCS 1 -chparam DEPTH 4 -chparam LEVEL 3 -chparam SCAN 3
switch fatfly_rtl_switch -chparam VCS 4 -chparam PATH 0 -chparam SCAN 2 -chparam PROBE 1
network fatfly_rtl_network
fatfly_switch fatfly_switch
END
unequal() {
  sed "$1" "$dist/fatfly_all.v" >"$t/all.v"
  ! cmp -s "$dist/fatfly_all.v" "$t/all.v" && ! equal "$t/all.v" fatfly_switch fatfly_switch "" &&
    grep -q differ "$t/equal"
}
check "unequal: another LFSR" unequal 's/lfsr_q\[21:6\]/lfsr_q[20:5]/'
check "unequal: another route" unequal 's/HEIGHT_W\] > LEVEL/HEIGHT_W] >= LEVEL/'

# A design with modules of the same names takes the copies, but not the sources.
for m in arbiter fifo gather lfsr network order pick port route scan switch; do
  printf 'module %s(input wire a_i, output wire a_o);\n  assign a_o = ~a_i;\nendmodule\n' $m
done >"$t/mine.v"
{
  cat "$t/mine.v"
  printf 'module mine(input wire a_i, output wire a_o, input wire clk_i, input wire rst_n_i, output wire [5:0] v_o);\n'
  printf '  switch u_mine (.a_i(a_i), .a_o(a_o));\n'
  printf '  fatfly_switch u_theirs (.aclk(clk_i), .aresetn(rst_n_i), .s_axis_tdata(192'"'"'d0), .s_axis_tlast(6'"'"'d0),\n'
  printf '    .s_axis_tvalid(6'"'"'d0), .s_axis_tready(), .m_axis_tdata(), .m_axis_tlast(), .m_axis_tvalid(v_o), .m_axis_tready(6'"'"'d0));\n'
  printf 'endmodule\n'
} >"$t/mine_top.v"
beside() { # FILE...
  "${VERILATOR:-verilator}" --lint-only -Irtl -Irtl/fast "$t/mine_top.v" "$@" --top-module mine &&
    "${IVERILOG:-iverilog}" -g2005 -Irtl -Irtl/fast -s mine -o "$t/x.vvp" "$t/mine_top.v" "$@" &&
    "${YOSYS:-yosys}" -q -p "read_verilog -defer -Irtl -Irtl/fast $t/mine_top.v $*; hierarchy -check -top mine"
}
check "beside modules of the same names" beside "$dist/fatfly_all.v"
check "... which the sources are not" says_not beside rtl/*.v rtl/fast/*.v rtl/axis/*.v

# The bench on the copies ends as on the sources.
line() { # SOURCE...
  thinned "$t/bench.vvp" -Irtl -Irtl/fast -Ptb_fatfly_switch.VCS=2 -Ptb_fatfly_switch.CYCLES=250 -s tb_fatfly_switch \
    tb/axis/*_rules.v tb/axis/tb_fatfly_switch.v "$@" && nice vvp -N "$t/bench.vvp" | grep '^PASS'
}
same_line() { line "$dist/fatfly_all.v" >"$t/1" && line rtl/*.v rtl/fast/*.v rtl/axis/*.v >"$t/2" && cmp "$t/1" "$t/2"; }
check "the bench on the copies" same_line

# Users' errors of rtl_prefix.py.
prefix --prefix fatfly_
complains "prefix that clashes" 2 "fatfly_switch and switch would both be fatfly_switch"
prefix --prefix 3x
complains "prefix that is no name" 2 "3x" "letters, digits, _"
prefix --prefix noç_
complains "prefix beyond ASCII" 2 "letters, digits, _"
run python3 -B scripts/rtl/rtl_prefix.py --out "$t"
complains "folder of somebody else" 2 "$t" "would be replaced"
check "... and nothing is lost" test -f "$dist/fatfly_all.v"
run python3 -B scripts/rtl/rtl_prefix.py --out ""
complains "no folder" 2 "would be replaced"
mkdir -p "$dist.new" && touch "$dist.new/mine"
run env -C "$dist" python3 -B "$PWD/scripts/rtl/rtl_prefix.py" --out .
check "the folder that it runs in" test "$code" = 0 -a -f "$dist/fatfly_all.v"
check "... and one beside it stays" test -f "$dist.new/mine"
rm -r "$dist.new"
run python3 -B scripts/rtl/rtl_prefix.py --out /proc/rtl-dist
complains "folder that cannot be made" 4 "/proc/rtl-dist"
prefix --prefix noc1_
check "another prefix" grep -q '^module noc1_switch' "$dist/fatfly_all.v"

# FuseSoC itself, in a virtual environment.
fusesoc() {
  XDG_CONFIG_HOME=$t/xdg XDG_DATA_HOME=$t/xdg XDG_CACHE_HOME=$t/xdg PATH=$t/venv/bin:$PATH \
    run nice "$t/venv/bin/fusesoc" --cores-root . run --build-root "$t/fusesoc" "$@"
  [ "$code" = 0 ]
}
if [ ! -x "$t/venv/bin/fusesoc" ] && [ "${FUSESOC:-yes}" != no ]; then
  python3 -m venv "$t/venv" >"$t/venv.log" 2>&1 &&
    "$t/venv/bin/pip" install -q 'fusesoc==2.4.7' 'edalize==0.6.8' >>"$t/venv.log" 2>&1
fi
if [ -x "$t/venv/bin/fusesoc" ]; then
  fusesoc_sim() { fusesoc --target=sim fatfly --DEPTH=3 && grep -q "^PASS v1 q3" "$t/out"; }
  check "FuseSoC, lint" fusesoc --target=lint fatfly
  check "FuseSoC, lint, VCS=2" fusesoc --target=lint fatfly --VCS=2
  check "FuseSoC, lint, VCS=3 refused" says_not fusesoc --target=lint fatfly --VCS=3
  check "... with a reason" grep -qs VCS_must_be_1_2_or_4 "$t/err" "$t/out"
  check "FuseSoC, sim" fusesoc_sim
  check "FuseSoC, synth" fusesoc --target=synth fatfly
else
  echo "SKIP FuseSoC: no fusesoc 2.4.7 from PyPI; 6 checks are left out"
fi

ends
