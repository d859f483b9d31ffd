#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_synth.sh - scripts/synth/synth.py as a person meets it: what it counts is so, what it must
# notice it notices, what is wrong is refused in one line.
#
# usage: test_synth.sh [FILTER]   Prints a line a check and `N passed, N failed`.  Nothing is
# written outside a temporary folder but BUILD/synth_kept.json, the base point's cells.
# shellcheck disable=SC2034  # code is read by checks.sh
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
scratch
export PYTHONDONTWRITEBYTECODE=1 BUILD=$t/build
unset YOSYS NEXTPNR NEXTPNR_ICE40 NEXTPNR_ECP5 PNR_OPTS
base=s1of3-v1-q2-w32-rp-rr
small=arbiter-rp-fo

run() { # ARGUMENT...
  "${synth:-$root/scripts/synth/synth.py}" "$@" >"$t/out" 2>"$t/err"
  code=$?
}
program() { # NAME, its text on stdin
  { echo '#!/bin/bash' && cat; } >"$t/$1" && chmod +x "$t/$1"
}
field() { # FILE CONFIG FAMILY COLUMN...
  python3 - "$@" <<'END'
import csv, sys
name, config, family, *columns = sys.argv[1:]
row = [r for r in csv.DictReader(open(name)) if (r["config"], r["family"]) == (config, family)]
print(*[row[0][c] for c in columns] if row else ["no row"])
END
}
tree() { # FOLDER: a copy of what synth.py reads
  rm -rf "$1"
  mkdir -p "$1/tb" "$1/docs/results"
  cp -r "$root/scripts" "$root/rtl" "$1/"
  cp -r "$root/tb/synth" "$1/tb/"
  cp "$root"/docs/fpga*.md "$1/docs/"
  cp "$root/docs/results/fpga.csv" "$1/docs/results/"
}

# -- what is refused ----------------------------------------------------------------------------
run s1of3-v1-q2-w32-rp-rx
complains "unknown scan" 3 "scan rx" "allowed: rr, fo, ff, rot, fcfs" "nearest: rr"
run s1of3-v3-q2-w32-rp-rr
complains "unknown number of channels" 3 "v 3" "allowed: 1, 2, 4"
run s1of3v1-q2-w32-rp-rr
complains "unknown form" 3 "'s1of3v1-q2-w32-rp-rr'" "allowed: sLofN-vV" "nearest: $base"
run s4of3-v1-q2-w32-rp-rr
complains "level above the root" 3 "level 4 of 3" "allowed: 1 to 3"
run s1of5-v1-q2-w16-rp-rr
complains "a head that does not fit a flit" 3 "w 16" "allowed: 23 to 64"
run n8-v1-q2-w32-rp-rr
complains "unknown size of a network" 3 "N 8" "allowed: 4, 16, 64, 256"
run torus8n64-v2-q2-w32-ecube-rot
complains "a router that is not there" 3 "node 64; allowed: 0 to 63"
run torus8n27-v1-q2-w32-ecube-rot
complains "a router with too few channels" 3 "v 1; allowed: 2 to 9"
run torus9n27-v6-q2-w32-nhop-rot
complains "a ring without two colours" 3 "radix 9; allowed with nhop on a torus: an even one"
run --family ice4
complains "unknown family" 3 "'ice4'" "allowed: ice40, ecp5" "nearest: ice40"
run --seeds many
complains "seeds that are no number" 2 "many"
run --sedes 8
complains "unknown option" 2 "--sedes"
run --doc $base
complains "--doc with a configuration" 2 "--doc"
run $small --seeds 0 --csv "$t/none/a.csv"
complains "no folder for the CSV file" 3 "$t/none/a.csv"
run $small --seeds 0 --rtl "$t/none"
complains "no sources" 3 "$t/none"

YOSYS=/none run $small
complains "no yosys" 4 "no /none" "scripts/setup.sh fpga"
NEXTPNR_ICE40=/none run $small --family ice40
complains "no nextpnr-ice40" 4 "no /none" "scripts/setup.sh fpga"
NEXTPNR_ECP5=/none run $small --family ecp5
complains "no nextpnr-ecp5 where one is named" 4 "no /none" "scripts/setup/venv.sh"
program old-yosys <<<'echo "Yosys 0.9 (git sha1 1979e0b)"'
YOSYS=$t/old-yosys run $small
complains "yosys too old" 4 "Yosys 0.9" "allowed: 0.23 or later"
program old-nextpnr <<<'echo "nextpnr-ice40 -- Next Generation Place and Route (Version 0.3-1)"'
NEXTPNR_ICE40=$t/old-nextpnr run $small --family ice40
complains "nextpnr too old" 4 "nextpnr-ice40 0.3" "allowed: 0.4 or later"
YOSYS=/bin/true run $small
complains "a yosys without version" 4 "no version"
check "nothing written so far" test ! -e "$BUILD"
cp -r rtl "$t/broken"
echo "module" >>"$t/broken/pick.v"
run $small --family ice40 --seeds 0 --rtl "$t/broken"
complains "sources that are no Verilog" 4 "$small, iCE40 HX8K: yosys: " "ERROR" "yosys.log"

# -- what is counted ----------------------------------------------------------------------------
run s1of1-v1-q1-w16-fp-fo --seeds 0 --csv "$t/small.csv"
works "all families" "ice40" "ecp5" "xilinx" "gowin" "gates" "tools: yosys"
for family in ice40 ecp5 xilinx gowin; do
  check "$family has cells" grep -qE ",$family,[^,]+,[1-9][0-9]+,[1-9][0-9]+," "$t/small.csv"
done
# The registers do not depend on the family: 4 queues of one flit of 18 bits and more.
check "as many registers in each family" test \
  "$(cut -d, -f5 "$t/small.csv" | tail -n +2 | sort -u | wc -l)" = 1

# Options of Yosys reach its command, in a word of their own or behind =, and make another point.
run $small --seeds 0 --family gates
cp "$BUILD/synth/$small/gates/synth.ys" "$t/plain.ys"
for word in "--yosys -nordff" "--yosys=-nordff -noshare"; do
  case $word in *noshare) words=("$word") ;; *) read -ra words <<<"$word" ;; esac
  run $small --seeds 0 --family gates "${words[@]}"
  check "$word reaches Yosys" test "$code" = 0 -a \
    "$(diff "$t/plain.ys" "$BUILD/synth/$small/gates/synth.ys" | grep -c "^> synth .* ${word#--yosys?} -top ")" = 1
done
run $small --yosys
complains "--yosys without a value" 2 "--yosys: expected one argument"

router=mesh4n5-v1-q2-w32-ecube-rot
run $router --family ice40 --seeds 0 --csv "$t/router.csv"
check "a mesh's router: cells as docs/results/fpga.csv has them" test \
  "$(field "$t/router.csv" $router ice40 lut ff carry ram depth)" = \
  "$(field docs/results/fpga.csv $router ice40 lut ff carry ram depth)"

# Yosys and nextpnr are counted: what is kept is not made again.
program yosys <<END
[ "\$1" != -V ] || exec yosys "\$@"
echo yosys >>"$t/calls"
yosys "\$@" && { [ ! -e top.json ] || cp top.json "$t/top.json"; }
END
program nextpnr <<END
[ "\$1" = --version ] || echo nextpnr >>"$t/calls"
exec nextpnr-ice40 "\$@"
END
counted() { # ARGUMENT...
  : >"$t/calls"
  YOSYS=$t/yosys NEXTPNR_ICE40=$t/nextpnr run "$@"
}
counted $base --family ice40 --seeds 0 --csv "$t/base.csv"
works "the base point" "$base"
mv "$t/top.json" "$t/base.json"
cp "$BUILD/synth/$base/ice40/cells.json" "$build/synth_kept.json" # for test_tried.sh
check "one run of Yosys" test "$(cat "$t/calls")" = yosys
check "cells as docs/results/fpga.csv has them" test \
  "$(field "$t/base.csv" $base ice40 lut ff carry ram depth)" = \
  "$(field docs/results/fpga.csv $base ice40 lut ff carry ram depth)"
# A small design is enough for what is placed and kept of it: make synth and tb/board place whole switches.
counted $small --family ice40 --seeds 1 --csv "$t/base.csv"
works "a small point" "$small" " LUTs, " " ns logic + " "nextpnr"
check "one run of each tool" test "$(tr '\n' ' ' <"$t/calls")" = "yosys nextpnr "
# The clock that nextpnr says is the clock that is shown.
said=$(sed -n 's/.*Max frequency for clock.*: \([0-9.]* MHz\).*/\1/p' \
  "$BUILD/synth/$small/ice40/1.log" | tail -n 1)
check "the clock that nextpnr says, $said" grep -q "$(printf '%.1f' "${said% MHz}")" "$t/out"
counted $small --family ice40 --seeds 1
works "again" "$small"
check "nothing is made again" test ! -s "$t/calls"
# The row of the base point stands for other sources.
cp -r rtl "$t/other"
sed -i '1i // another comment' "$t"/other/*.v
placed=$(field "$t/base.csv" $small ice40 fmax_mhz path seeds)
old=$(field "$t/base.csv" $small ice40 rtl)
sed -i "s/^\($base,.*\),[0-9a-f]*,\([0-9a-f]*\)\$/\1,0123456789ab,\2/" "$t/base.csv"
BUILD=$t/build3 counted $small --family ice40 --seeds 1 --csv "$t/base.csv" --rtl "$t/other"
works "a netlist that is still the same" "$small"
check "it is not placed again" test "$(cat "$t/calls")" = yosys
check "the row stays" test "$(field "$t/base.csv" $small ice40 fmax_mhz path seeds)" = "$placed"
# A row of another yosys or nextpnr, or of another netlist, is not taken over.
for change in 's/nextpnr 0[^,"]*/nextpnr 9.9/' 's/yosys 0[^,"]*/yosys 9.9/'; do
  sed "/^$small,/ { $change }" "$t/base.csv" >"$t/older.csv"
  check "the row has other tools: $change" test "$(cmp -s "$t/base.csv" "$t/older.csv" && echo same)" = ""
  rm -rf "$t/build4"
  BUILD=$t/build4 counted $small --family ice40 --seeds 1 --csv "$t/older.csv" --rtl "$t/other"
  check "it is placed again: $change" test "$(tr '\n' ' ' <"$t/calls")" = "yosys nextpnr "
done
check "points of other sources stay, and say so" test \
  "$(field "$t/base.csv" $base ice40 rtl)" = 0123456789ab
check "and is that of the new sources" test "$(field "$t/base.csv" $small ice40 rtl)" != "$old"
sed -i 's/,[0-9a-f]*$/,0/; 1s/,0$/,netlist/' "$t/base.csv"
BUILD=$t/build3 counted $small --family ice40 --seeds 1 --csv "$t/base.csv"
check "another netlist is placed" test "$(tr '\n' ' ' <"$t/calls")" = "yosys nextpnr "
counted $small --family ice40 --seeds 0 --rtl "$t/other"
check "changed sources are synthesized again" test "$(cat "$t/calls")" = yosys

# A real nextpnr for a device that is too small, with the netlist of the base point.
cp "$t/base.json" "$BUILD/synth/$base/ice40/top.json"
program small-device <<'END'
exec nextpnr-ice40 $(sed 's/--hx8k --package ct256/--hx1k --package tq144/' <<<"$*")
END
NEXTPNR_ICE40=$t/small-device PNR_OPTS=--no-route run $base --family ice40 --seeds 1
check "does not fit, exit code" test $code = 3
check "does not fit, by how much" grep -qE \
  "^synth.py: $base, iCE40 HX8K: does not fit: [0-9,]+ ICESTORM_LC of 1,280" "$t/err"
# A router that never ends, with the seeds in STUCK; the last line that it wrote is SAYS.
program stuck <<'END'
[[ " $* " =~ " --seed "([0-9]+) ]] && seed=${BASH_REMATCH[1]} || exec nextpnr-ice40 "$@"
echo "$seed" >>"$CALLS"
cp top.json "$CALLS.json"
if [[ " $STUCK " == *" $seed "* ]]; then
  printf 'Info: Routing..\n%s\nInfo: ' "$SAYS"
  echo $$ >>"$CALLS.pid"
  sleep 600
fi
exec nextpnr-ice40 "$@"
END
export NEXTPNR_ICE40=$t/stuck CALLS=$t/calls STUCK="2 3"
# The first is of nextpnr-ice40 0.4, after 17 minutes of s1of3-v2-q2-w32-rp-fo with seed 3.
router1="Info:    1867000 |  1850345      16654 | 1000     0 |         2|       0.55    1006.88|"
router2="Info:     iter=201 wires=124845 overused=3 overuse=3 archfail=NA"
# What nextpnr made of the small design goes; the netlist, which goes when all is placed, is put back.
forget_seeds() {
  rm -f "$BUILD/synth/$small/ice40/"{seed-*.json,[0-9]*.log,[0-9]*.report}
  [ ! -e "$CALLS.json" ] || cp "$CALLS.json" "$BUILD/synth/$small/ice40/top.json"
}
for SAYS in "$router1" "$router2"; do
  export SAYS
  what=$([ "$SAYS" = "$router1" ] && echo router1 || echo router2)
  forget_seeds
  rm -rf "$t/calls" "$t/calls.pid" "$t/stuck.csv"
  run $small --family ice40 --seeds 3 -j 2 --csv "$t/stuck.csv"
  works "$what does not end with two of three seeds" "$small"
  check "$what: the next two are taken" test "$(sort "$t/calls" | tr '\n' ' ')" = "1 2 3 4 5 "
  check "$what: the row says how many" test "$(field "$t/stuck.csv" $small ice40 seeds unrouted)" = "3 2"
  check "$what: is not left running" test "$(xargs ps -o pid= -p <"$t/calls.pid" | wc -l)" = 0
  : >"$t/calls"
  run $small --family ice40 --seeds 3
  check "$what: nothing is tried again" test $code = 0 -a ! -s "$t/calls"
done
forget_seeds
STUCK="1 2 3 4 5" run $small --family ice40 --seeds 2 --csv "$t/stuck2.csv"
check "no seed is routed, exit code" test $code = 3
check "no seed is routed, one line" test "$(cat "$t/err")" = \
  "synth.py: $small, iCE40 HX8K: not routed with any of 3 seeds"
check "no seed is routed: the row says how many" test \
  "$(field "$t/stuck2.csv" $small ice40 seeds unrouted fmax_mhz)" = " 3 "
STUCK="" run $small --family ice40 --seeds 2 --csv "$t/stuck2.csv"
check "no seed is routed: what the table has is not tried again" test $code = 3
# Routers that find no way for a wire: nextpnr-ecp5 0.11.1 with seed 4 of n64-v1-q2-w16-rp-rr, and router1.
program lost <<'END'
[[ " $* " == *" --seed 2 "* ]] || exec nextpnr-ice40 "$@"
echo "$SAYS"
exit 1
END
for SAYS in "ERROR: Failed to route arc 0.0 of net 'clk_i\$TRELLIS_IO_IN', from X0/Y32/JPADDIB_PIO to X0/Y0/G_CLKI_TDCC0." \
  "ERROR: Routing design failed."; do
  forget_seeds
  rm -f "$t/lost.csv"
  SAYS=$SAYS NEXTPNR_ICE40=$t/lost run $small --family ice40 --seeds 2 --csv "$t/lost.csv"
  works "${SAYS:7:21}: one of two seeds" "$small"
  check "${SAYS:7:21}: another is taken, the row says so" test \
    "$(field "$t/lost.csv" $small ice40 seeds unrouted)" = "2 1"
done
program late <<'END'
nextpnr-ice40 "$@" && [ "$1" != --version ] && echo "$SAYS"
exit 0
END
forget_seeds
SAYS=$router1 NEXTPNR_ICE40=$t/late run $small --family ice40 --seeds 1
check "a router that ends too late for a slow machine is given up on a fast one" test $code = 3
forget_seeds
SAYS="Info:     300000 |   130000     170000 | 1000     0 |         2|       0.55    1006.88|" \
  STUCK="1" timeout -s INT 6 "$root/scripts/synth/synth.py" $small --family ice40 --seeds 1 \
  >"$t/out" 2>"$t/err"
check "a router that is at work is not stopped" test ! -e "$BUILD/synth/$small/ice40/seed-1.json" \
  -a -e "$BUILD/synth/$small/ice40/1.log"
unset NEXTPNR_ICE40
check "N = 64 is placed by length with flits of 34 bits, by timing with 18; N = 16, a switch by timing" test \
  "$(PYTHONPATH=$root/scripts/synth python3 -B -c 'import synth
for name in "n64-v1-q2-w32", "n64-v1-q2-w16", "n16-v1-q2-w32", "s1of3-v1-q2-w32":
    print(synth.parse(name + "-rp-rr").options("ecp5"))')" = $'--router router2 --no-tmdriv\n--router router2\n--router router2'

if ! command -v nextpnr-ecp5 >/dev/null; then
  run $small --family ecp5 --seeds 1
  check "ECP5 without nextpnr is not placed, which is said" \
    grep -q "only cells for ECP5; scripts/setup/venv.sh" "$t/err"
  check "ECP5 without nextpnr has cells" grep -qE "^$small +ecp5 +[1-9]" "$t/out"
fi
PYTHON3=/none scripts/setup/venv.sh >"$t/out" 2>"$t/err"
code=$?
complains "no virtual environment" 4 "SKIPPED" "python3-venv"
PYTHON3=/none scripts/setup/venv.sh gowin >"$t/out" 2>"$t/err"
code=$?
complains "no virtual environment for Gowin" 4 "SKIPPED" "python3-venv"
scripts/setup/venv.sh ecp6 >"$t/out" 2>"$t/err"
code=$?
complains "an unknown environment" 2 "'ecp6'" "allowed: ecp5, gowin"

# -- planted faults of the harness --------------------------------------------------------------
plant() { # NAME FROM TO WHAT
  skipped "harness: $1" && return
  tree "$t/tree"
  local bench=${5:-switch_harness} design=${6:-arbiter-rp-rr}
  sed -i "s/$2/$3/" "$t/tree/tb/synth/$bench.v"
  cmp -s "tb/synth/$bench.v" "$t/tree/tb/synth/$bench.v" && bad "harness: $1" "nothing planted"
  synth=$t/tree/scripts/synth/synth.py run "$design" --family ice40 --seeds 0
  complains "harness: $1" 1 "$design, iCE40 HX8K: $4"
}
plant "an output unread" "out_q  <= out;" "out_q  <= {out[OUT-1:1], 1'b0};" \
  "an output of gnt_o is not read"
plant "a constant input" "in_q\[37+:4\]" "4'd0" "an input of pref_i does not come from a register"
plant "two inputs as one" "in_q\[37+:4\]" "in_q[38+:4]" "two inputs share a register"
plant "a constant input of a router" "in_q\[1+:32\]" "32'd0" "an input of seed_i does not come from a register" \
  router_harness mesh2n0-v1-q1-w16-ecube-fo
plant "a register that nobody needs" "in_q\[IN-1\] ^ in_q\[0\]" "in_q[0]" "cells SB_DFF: "

# -- interrupted --------------------------------------------------------------------------------
BUILD=$t/build2
program slow-yosys <<END
[ "\$1" = -V ] || sleep 1
echo yosys >>"$t/calls"
exec yosys "\$@"
END
points=(arbiter-rp-fo arbiter-fp-fo arbiter-gp-fo arbiter-rg-fo)
: >"$t/calls"
YOSYS=$t/slow-yosys "$root/scripts/synth/synth.py" -j 1 --family gates --csv "$t/cut.csv" "${points[@]}" \
  >"$t/out" 2>"$t/err" &
pid=$!
until [ -e "$BUILD/synth/arbiter-rp-fo/gates/cells.json" ] || ! kill -0 $pid 2>/dev/null; do
  sleep 0.1
done
kill -INT $pid
wait $pid
code=$?
complains "interrupted" 4 "interrupted after" "of 4 steps" "goes on"
check "interrupted: no CSV file, nothing half-written" test -z \
  "$(ls "$t/cut.csv" 2>/dev/null; find "$BUILD" -name '*.part')"
kept=$(find "$BUILD" -name cells.json | wc -l)
counted --family gates --csv "$t/cut.csv" "${points[@]}"
works "goes on" "${points[@]}"
check "what was finished is not made again" test "$(grep -c yosys "$t/calls")" = $((4 - kept))
BUILD=$t/build

# -- the page -----------------------------------------------------------------------------------
run --check
check "docs/fpga*.md show docs/results/fpga.csv" test $code = 0
tree "$t/tree"
synth=$t/tree/scripts/synth/synth.py
sed -i "s/^\($base,ice40,[^,]*\),[0-9]*/\1,1/" "$t/tree/docs/results/fpga.csv"
run --check
complains "a page that differs" 1 "fpga.md does not show" "--doc"
run --doc
check "--doc writes it" test $code = 0
run --check
check "then it does not differ" test $code = 0
sed -i '3s/,.*//' "$t/tree/docs/results/fpga.csv"
run --doc
complains "a damaged table" 3 "not a table of this script"
run --doc --csv "$t/none.csv"
complains "no table" 3 "$t/none.csv"

ends
