#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_systemc.sh - the modules of sim/systemc are `verilator --sc` of the Verilog, pin by pin in every cycle; bugs
# planted in them are seen; what is wrong is said; the network with TLM-2.0 sockets is libfatfly's session.  Skipped where SystemC is not installed.
# Ends with `N passed, N failed`.  BUILD=build, JOBS
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
jobs=${JOBS:-$(nproc)}
t=$build/systemc/run
mkdir -p "$t"

echo '#include <systemc>' | ${CXX:-g++} -E -x c++ - >/dev/null 2>&1 ||
  skip SystemC "its headers are not there; scripts/setup.sh systemc installs them"

make_it() { make -j"$jobs" BUILD="$build" "$@"; }

equal() {
  "$build/systemc/equal" "$t" >"$t/equal" 2>&1 || { grep 'cycle [0-9]*:\|^equal' "$t/equal"; return 1; }
  grep -qx 'the sides are equal' "$t/equal" && [ "$(grep -c ' cycles .* flits ' "$t/equal")" = 20 ]
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
# The same for the network with TLM-2.0 sockets.
# The bugs of tlm_list, all in one copy, which compiles for longer than it runs: PLANTED chooses one, IT is that one.
tlm_bugs() {
  local name old new text number=0
  rm -rf "$t/tlm_bugs"
  mkdir -p "$t/tlm_bugs"
  cp sim/systemc/fatfly_tlm.* "$t/tlm_bugs"
  while IFS='|' read -r name old new text; do
    number=$((number + 1))
    sed "s/$old/${new//IT/(planted == $number)}/" "$t/tlm_bugs/fatfly_tlm.cpp" >"$t/tlm_bugs/next"
    ! cmp -s "$t/tlm_bugs/next" "$t/tlm_bugs/fatfly_tlm.cpp" || { echo "nothing to plant: $old"; return 1; }
    mv "$t/tlm_bugs/next" "$t/tlm_bugs/fatfly_tlm.cpp"
  done <<<"$tlm_list"
  sed -i '0,/^#include </s//#include <cstdlib>\nstatic const int planted = std::atoi(std::getenv("PLANTED"));\n&/' "$t/tlm_bugs/fatfly_tlm.cpp"
  make_it PLANT="$t/tlm_bugs" "$t/tlm_bugs/tlm" && PLANTED=0 "$t/tlm_bugs/tlm" 1 >"$t/out" 2>&1 && grep -qx 'the sockets are the session' "$t/out"
}
tlm_planted() { # NUMBER TEXT
  ! PLANTED=$1 "$t/tlm_bugs/tlm" 1 >"$t/out" 2>&1 || { echo "nobody saw it"; return 1; }
  grep -qE "$2" "$t/out" || { head -n 5 "$t/out"; return 1; }
}
tlm_equal() {
  "$build/systemc/tlm" >"$t/tlm" 2>/dev/null || { cat "$t/tlm"; return 1; }
  grep -qx 'the sockets are the session' "$t/tlm" && [ "$(grep -c ' worms, cycle .* digest ' "$t/tlm")" = 45 ]
}
# says WHAT MESSAGE LAST: one message, or none, and the last line.
says() {
  "$build/systemc/tlm_wrong" "$1" 2>&1 | grep -vE '^$|SystemC|Copyright|ALL RIGHTS|^In (file|process)' >"$t/out"
  local messages=1
  [ -n "$2" ] || messages=0
  if [ "$(grep -cE '^(Error|Warning)' "$t/out")" != $messages ] ||
    { [ -n "$2" ] && ! grep -qE "^(Error|Warning): fatfly: bench.net: $2" "$t/out"; } || ! tail -n 1 "$t/out" | grep -qE "$3"; then
    cat "$t/out"
    return 1
  fi
}
tlm_example() { # the command of docs/tlm.md, and what it prints there
  local library
  library=$(realpath "$build")
  (cd "$t" && ${CXX:-g++} -std=c++17 -I"$root/sim/systemc" -I"$root/cmodel" "$root/sim/systemc/tlm_example.cpp" \
    "$library/systemc/libfatfly_tlm.a" "$library/lib/libfatfly.a" -lsystemc -lm -o tlm_example && ./tlm_example) >"$t/out" 2>/dev/null ||
    return 1
  sed -n 's/^    \(processor .*\)/\1/p' docs/tlm.md | diff - <(grep '^processor ' "$t/out")
}
example() { # [SED]: the command of docs/systemc.md, of a copy that SED changes: two worms, one behind the other, as they were sent
  local library
  library=$(realpath "$build")
  sed "${1-}" "$root/sim/systemc/example.cpp" >"$t/example.cpp"
  [ $# = 0 ] || ! cmp -s "$t/example.cpp" sim/systemc/example.cpp || { echo "nothing to plant: $1"; return 2; }
  (cd "$t" && ${CXX:-g++} -std=c++17 -I"$root/sim/systemc" example.cpp "$library/systemc/libfatfly_systemc.a" \
    -lsystemc -o example && ./example >out) || return 2
  cat "$t/out"
  [ "$(sed -n 's/^cycle .* processor 2 has flit //p' "$t/out" | xargs)" = '0x102 0x01 0x02 0x03 0x112 0x11 0x12 0x13' ] &&
    grep -q ' in_valid_i ' "$t/example.vcd"
}
bent_example() { example "$1"; [ $? = 1 ]; }

check "it builds" make_it "$build/systemc/equal" "$build/systemc/wrong" "$build/systemc/one.o"
[ $failed = 0 ] || { echo "$passed passed, $failed failed"; exit 1; }
check "the example" example
check "planted: the example's source" bent_example 's/(a) << 4/(1 - a) << 4/'
check "planted: the example's bodies" bent_example 's/16 \* a + sent/sent/'
check "every pin of 8 switches and a network in every cycle, directed and random" equal
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
check "probe_o is as wide as what the C model shows" "$build/systemc/wrong" widths
check "an unbound port" refused unbound "port not bound: port 'dut.in_flit_i'"
check "three channels" refused vcs 'fatfly: dut: vcs = 3; allowed: 1, 2 or 4'
check "a depth of 17" refused depth 'fatfly: dut: depth = 17 flits; allowed: 1 to 16'
check "flits too narrow for a head" refused narrow 'fatfly: dut: flit_w = 16 bits; a head of 1024 processors with path = fp needs'
check "a sixth path selection" refused path 'fatfly: dut: path = 5; allowed: fp, rp, gp, rg, rw'
check "a network of six levels" refused levels 'fatfly: network: levels = 6; allowed: 1 to 5'
check "a flit where there is no room" refused room 'fatfly: dut: port 0: in_valid_i = 0x1; allowed: one channel of a link, only with room \(0x0\)'
check "a flit on two channels" refused two 'fatfly: dut: port 0: in_valid_i = 0x3; allowed: one channel of a link'

check "TLM-2.0: it builds" make_it "$build/systemc/tlm" "$build/systemc/tlm_wrong"
[ $failed = 0 ] || { echo "$passed passed, $failed failed"; exit 1; }
check "TLM-2.0: the example" tlm_example
check "TLM-2.0: deliveries and digests of 45 benches are those of sessions" tlm_equal
tlm_list=$(cat <<'END'
a worm a cycle late|cycle_at(sc_core::sc_time_stamp() + delay));|cycle_at(sc_core::sc_time_stamp() + delay) + IT);|delivery 0 is
no flit for the address|(m_inside ? m_inside->options.header : 1) + (8|(IT ? 0 : m_inside ? m_inside->options.header : 1) + (8|delivery 0 is
the target a cycle late|sc_time delay = sc_core::SC_ZERO_TIME;$|sc_time delay = IT ? m_inside->options.cycle : sc_core::SC_ZERO_TIME;|non-blocking, at given times: .*, [1-9][0-9]* late
a delay that is forgotten while it is held|j->ready = m_inside->cycle_at.*|if (!IT) &|given times, one under way: delivery
no back pressure|under_way >= options.outstanding;|under_way >= options.outstanding + IT;|under way: delivery
another target|to_processor\[dst\]->b_transport|to_processor[IT ? dst ^ 1 : dst]->b_transport|[1-9][0-9]* (bytes wrong|late)
a reply without its data|const bool data = \(.*\);|const bool data = IT ? j->trans->is_write() : (\1);|reads and writes: delivery
a read asks with one flit|: d.options.header);|: IT ? 1 : d.options.header);|header alone, reads and writes: delivery
an answer that ends at once|phase != tlm::END_RESP))|IT + (phase != tlm::END_RESP)))|non-blocking, .*: (delivery|[0-9]+ (transactions|deliveries))
windows of another size|dst(static_cast<unsigned>(address \/ window))|dst(static_cast<unsigned>(address \/ (IT ? uint64_t{1} << 20 : window)))|window alone, at given times: delivery
END
)
check "TLM-2.0: a program with ten bugs, none chosen" tlm_bugs
number=0
while IFS='|' read -r name _ _ text; do
  number=$((number + 1))
  check "TLM-2.0, planted: $name" tlm_planted $number "$text"
done <<<"$tlm_list"
ok=TLM_OK_RESPONSE bad=_ERROR_RESPONSE
while IFS='|' read -r name what message last; do
  check "TLM-2.0: $name" says "$what" "$message" "$last"
done <<END
right use|right||^$ok at 3 ns$
flits of 16 bits|width16||^0 wrong$
flits of 17 bits|width17||^0 wrong$
flits of 31 bits|width31||^0 wrong$
flits of 36 bits|width36||^0 wrong$
flits of 63 bits|width63||^0 wrong$
flits of 64 bits|width64||^0 wrong$
five processes of a processor, one under way|crowd1||^40 delivered, 40 good, 1 and 1 at once$
five processes of a processor, two under way|crowd2||^40 delivered, 40 good, 2 and 2 at once$
five processes of a processor, four under way|crowd4||^40 delivered, 40 good, 4 and 4 at once$
five processes of a processor, six under way|crowd6||^40 delivered, 40 good, 5 and 5 at once$
five processes of a processor without a limit|crowd0||^40 delivered, 40 good, 5 and 5 at once$
times beyond 2^53 units|far||^3000 3000 3000 3000 3000 3000 ps$
no direct memory|direct||^0$
debug access|debug||^4$
what the target refuses|target||^TLM_ADDRESS$bad at 3 ns
the last addresses of a processor|last||^$ok at 3 ns$
five processors|nodes|nodes = 5; allowed: 4.n|nodes = 5
4096 processors|many|4096 processors; allowed: up to 1024|allowed
a discipline that takes no worm later|univ|discipline = univ; allowed behind sockets|allowed
a length that the discipline has not|store|processor 0: 2 flits; allowed: 32 to 32|^TLM_GENERIC$bad
no time of a cycle|cycle|cycle = 0; allowed: more than no time|allowed
no addresses|window|window = 0 addresses; allowed: 1 to|allowed
no flit in front|header|header = 0 flits; allowed: 1 to 4095|allowed
an unbound source|unbound|from_processor.2. is not bound|bound
an unbound target|open|to_processor.3. is not bound|bound
a request that is held, with a delay|held||^$ok TLM_INCOMPLETE_RESPONSE, $ok\$
a third request|third|processor 0: BEGIN_REQ before the END_REQ of the one before|^$ok $ok, 2 freed$
a wrong phase|phase|processor 0: a phase that is not of the base protocol|^TLM_GENERIC$bad
an END_RESP too many|end|processor 0: END_RESP of a transaction that has no BEGIN_RESP|^TLM_INCOMPLETE
no memory manager|manager|processor 0: nb_transport_fw of a transaction without a memory manager|^TLM_GENERIC$bad
an address of nobody|address|processor 0: 4 bytes at 0x400000; allowed: within the 0x100000|^TLM_ADDRESS$bad at 0 s
an access across two processors|across|processor 0: 4 bytes at 0x1ffffe; allowed: within|^TLM_ADDRESS$bad at 0 s
its own address|own|processor 0: address 0x4 is its own|^TLM_ADDRESS$bad at 0 s
no bytes|zero|processor 0: 0 bytes, 1 flits; allowed: 1 byte|^TLM_BURST$bad at 0 s
too many bytes|long|processor 0: 16384 bytes, 4097 flits; allowed:|^TLM_BURST$bad at 0 s
streaming|streaming|processor 0: streaming width 2 of 4 bytes; allowed: none|^TLM_BURST$bad at 0 s
byte enables|enables|processor 0: byte enables; allowed: none|^TLM_BYTE_ENABLE$bad at 0 s
neither read nor write|command|processor 0: command 2; allowed: read and write|^TLM_COMMAND$bad at 0 s
END

ends
