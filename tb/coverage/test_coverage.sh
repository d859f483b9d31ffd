#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_coverage.sh - functional coverage: it adds up, shows holes, refuses what is no cover file.
#
# usage: test_coverage.sh [FILTER]
#        test_coverage.sh --write    counts.txt anew, where a change of what is counted is meant
# Wants build/fatfly and build/rtl/n16-v1-q2-w32-rp-rr.so and s1of3-v1-q2-w32-rp-rr.so (BUILD= for
# another folder).
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
scratch

needs "$build/fatfly" "$build/rtl/n16-v1-q2-w32-rp-rr.so" "$build/rtl/s1of3-v1-q2-w32-rp-rr.so"
mkdir "$t/b" && ln -s "$build/rtl" "$t/b/rtl"
switch="switch-s1of3-v1-q2-w32-rp-rr"

# Every point is counted as often as was recorded, in runs of the C model beside itself.
counted() { # FILE
  local case
  rm -f "$1"
  for case in fat64-v2 fat16-v4-fp-ff fat16-v2-rg-fcfs fat16-resets fat16-gp-rot fat16-many-to-1 levels4-fp switch-s1of3-v4-q3-w17-fp-ff \
    switch-s3of3-v1-q4-w48-fp-fcfs switch-s2of3-v2-q1-w16-rw-rr; do
    "$build/fatfly" cosim --rtl "$t/c.so" --case $case --max-cycles 3000 --cover "$1" >"$t/out" 2>&1 || { cat "$t/out" && return 1; }
  done
}
recorded() { counted "$t/counted" && diff "$1" "$t/counted"; }
tb/lib/c_library.sh "$t/c.so" cmodel
if [ "${1-}" = --write ]; then
  counted tb/coverage/counts.txt
  exit
fi
check 'every point is counted as often as recorded' recorded tb/coverage/counts.txt

cosim() { # its progress is no complaint
  run "$build/fatfly" cosim --build "$t/b" "$@"
  sed -i '/^\[[0-9]*\/[0-9]*\] passed /d' "$t/err"
}
holes() { run python3 -B scripts/test/coverage.py holes "$@"; }
count() { awk -v name="$2" '$1 == name { print $2 }' "$1"; }
differs() { [ -s "$1" ] && [ -s "$2" ] && ! cmp -s "$1" "$2"; }

# Two cases one by one, at once, and twice.
cosim --case fat16-random --max-cycles 500 --cover "$t/a"
works 'one case' '1 passed, 0 failed' 'for the first time' "$t/a"
cosim --case fat16-complement --max-cycles 500 --cover "$t/b1"
cosim --case fat16-complement --max-cycles 500 --cover "$t/a"
works 'another case, added' '1 passed, 0 failed'
cosim --case fat16-random --case fat16-complement --max-cycles 500 --cover "$t/c"
works 'both at once' '2 passed, 0 failed'
check 'two runs and one give the same counts' cmp "$t/a" "$t/c"
check 'one case gives other counts' differs "$t/b1" "$t/c"
x=crosspoint.inner.in0.out4
cosim --case fat16-random --case fat16-complement --max-cycles 500 --cover "$t/c"
works 'both again' ', 0 of them for the first time'
check 'counts add up' [ "$(count "$t/c" $x)" = $((2 * $(count "$t/a" $x))) ]
check 'something was counted' [ "$(count "$t/a" $x)" -gt 0 ]
check 'no part is left' [ ! -e "$t/c.part" ]

# All crosspoints of a leaf switch; then worms from every port that never use one of them.
cosim --case $switch --max-cycles 5000 --cover "$t/all"
works 'a switch' '1 passed, 0 failed'
holes "$t/all" crosspoint.inner
works 'all crosspoints are met' '28 of 28 points met'
{
  echo ready,entry,src,dst,length,path
  for in in 0 1 2 3; do
    for out in 0 1 2 3; do
      [ $in = $out ] || [ $in$out = 21 ] || echo 0,$in,$in,$out,2,0
    done
    for k in 1 2 3 4 5 6 7 8 9; do echo $k,$in,$in,$((15 + k)),2,0; done
    echo 0,4,$((16 + in)),$in,2,0
    echo 0,5,$((16 + in)),$in,2,0
  done
} >"$t/worms"
cosim --case $switch --worms "$t/worms" --cover "$t/hole"
works 'a switch whose crosspoint from 2 to 1 is never used' '1 passed, 0 failed'
holes "$t/hole" crosspoint.inner
check 'the hole ends with 1' [ $code = 1 ]
check 'the hole is named, and no other' [ "$(cat "$t/out")" = "never met: crosspoint.inner.in2.out1
27 of 28 points met" ]

# A case that fails counts nothing.
ln -s "$build/rtl/s1of3-v1-q2-w32-rp-rr.so" "$t/wrong.so"
cosim --case fat16-random --max-cycles 500 --rtl "$t/wrong.so" --cover "$t/none"
check 'a library of another shape is no pass' [ "$code $(grep -c ' is of shape s1of3-.*, not n16-' "$t/err")" = '4 1' ]
check 'a case that does not pass is not counted' \
  [ ! -e "$t/none" -o "$(awk 'NR > 1 { n += $2 } END { print n + 0 }' "$t/none" 2>/dev/null)" = 0 ]

# Bad input.
before=$(cksum <"$t/a")
echo "a picture" >"$t/foreign"
cosim --case fat16-random --cover "$t/foreign"
complains 'a foreign file' 3 "$t/foreign:1:" 'allowed: the header fatfly cover 1'
check 'a foreign file is left alone' [ "$(cat "$t/foreign")" = 'a picture' ]
head -n 20 "$t/a" >"$t/short"
cosim --case fat16-random --cover "$t/short"
complains 'a file cut short' 3 "$t/short:20: ends here; allowed:"
sed '5s/ .*/ many/' "$t/a" >"$t/nan"
cosim --case fat16-random --cover "$t/nan"
complains 'a count that is none' 3 "$t/nan:5:"
cosim --case fat16-random --cover "$t/b"
complains 'a folder' 3 "$t/b"
cosim --case fat16-random --cover /proc/none/cover
complains 'an unwritable place' 4 /proc/none/cover
cosim --case fat16-random --side c --cover "$t/a"
complains 'one side alone' 2 --cover '--side both'
cosim --case fat16-random --outputs-only --cover "$t/a"
complains 'without what is inside' 2 --cover
cosim --cover
complains 'no file' 2 '--cover needs a value'
check 'refused runs change nothing' [ "$(cksum <"$t/a")" = "$before" ]
holes "$t/nowhere"
complains 'holes of no file' 3 "$t/nowhere" 'allowed: a readable file'
holes "$t/foreign"
complains 'holes of a foreign file' 3 "$t/foreign:1:" 'fatfly cover 1'
holes "$t/nan"
complains 'holes of a wrong count' 3 "$t/nan:5:"
holes "$t/a" crosspont
complains 'holes of no family' 2 crosspont 'families are'
holes
complains 'holes of nothing' 2 'allowed: coverage.py holes FILE'
run python3 -B scripts/test/coverage.py toggles
complains 'an unknown step' 2 toggles 'allowed:'

# From an empty folder, make knows how to come to each library.
known=0
for shape in $(awk '!/^#/ && NF { print $1 }' tb/coverage/cases.txt | xargs -n 1 "$build/fatfly" cosim \
  --build "$t/b" --shapes --case | sort -u); do
  run make -n BUILD="$t/fresh" "$t/fresh/coverage/rtl/$shape.so"
  check "make: coverage/rtl/$shape.so" [ $code = 0 ]
  known=$((known + 1))
done
check 'make: to ten libraries or more' [ $known -ge 10 ]

# What a switch calls u_port is of one module or of another; the signals tell.
cat >"$t/place.py" <<'END'
import sys
sys.path.insert(0, "scripts/test")
import coverage
switch = "/TOP/switch/g_fast/u_switch"
port = switch + "/g_port[0]/g_in/u_port"
rtl = coverage.Rtl()
for signal, module in (("req_o", ""), ("drawn_q", "port_pair"), ("head_q", "port_one"), ("PATH_LSB", "port_fast"),
                       ("elsewhere", "")):
    try:
        found = rtl.place(port + "/g_vc[1]", {port: {"clk_i", signal}, switch: {"clk_i", "random_next"}})
    except coverage.Fail as fail:
        found = fail.code
    if found != ((module, ["g_vc"]) if module else 3):
        sys.exit(f"{signal}: {found}")
END
run python3 -B "$t/place.py"
check 'a module by its signals, or an error' [ "$code$(cat "$t/out" "$t/err")" = 0 ]

# The counter of toggles.
if cc=$(command -v "${CC:-gcc}") && "$cc" -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -o "$t/toggles" \
  tb/coverage/toggles.c; then
  # shellcheck disable=SC2016 # the dollars are those of a VCD
  printf '%s\n' '$scope module TOP $end' '$var wire 3 ! a [2:0] $end' '$scope module u $end' \
    '$var wire 1 " b $end' '$upscope $end' '$upscope $end' '$enddefinitions $end' '#0' 'b101 !' '0"' \
    '#1' 'b1 !' '#2' 'b110 !' '1"' >"$t/vcd"
  "$t/toggles" <"$t/vcd" >"$t/out"
  check 'rises and falls' [ "$(cat "$t/out")" = "/TOP a 312
/TOP/u b 1" ]
  run sh -c "echo no vcd | '$t/toggles'"
  complains 'no VCD' 3 'not a VCD'
else
  bad toggles 'it does not compile'
fi

# A case that cannot be started ends the step; what counts its toggles waits for nobody.
cat >"$t/unstarted.py" <<'PY'
import pathlib, sys
sys.path[:0] = ["scripts/test", "scripts"]
import coverage
build = pathlib.Path(sys.argv[1])
(build / "coverage").mkdir(parents=True)
(build / "coverage/toggles").write_text("#!/bin/sh\ncat >/dev/null\n")
(build / "coverage/toggles").chmod(0o755)
coverage.cases = lambda: [["a", "10"]]
try:
    coverage.step_rtl(str(build))
except FileNotFoundError:
    print("ends")
PY
check 'a case that cannot be started' [ "$(timeout -k 1 20 python3 -B "$t/unstarted.py" "$t/nowhere")" = ends ]

ends
