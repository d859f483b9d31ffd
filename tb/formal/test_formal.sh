#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_formal.sh - the runner of the proofs: what it refuses and says; one proof of each engine, a
# cover, a planted bug, a proof that fails, the cache.
#
# usage: test_formal.sh [FILTER].  Prints a line a check and `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
scratch
mkdir -p "$t"/tree/{tb,sim,docs/results} "$t/bin"
cp -r rtl scripts "$t/tree"
cp -r tb/formal tb/probe "$t/tree/tb"
cp docs/proofs.md "$t/tree/docs"
cp docs/results/formal.csv "$t/tree/docs/results"
cp sim/*.txt "$t/tree/sim" # the shapes that are compared without a probe
proofs=$t/tree/tb/formal/proofs.txt
bugs=$t/tree/tb/formal/bugs.txt
export BUILD=build
unset YOSYS ABC SMTBMC

runner=("$t/tree/scripts/formal/formal.py")
lists() { # PROOFS BUGS
  printf '%s\n' "$1" >"$proofs"
  printf '%s\n' "$2" >"$bugs"
}

run --only fifo-q22
complains "a proof that is not there" 2 "no proof fifo-q22" "nearest: fifo-q2"
run --only lfsr/pdx
complains "an engine that it is not proven by" 2 "no proof lfsr/pdx" "nearest: lfsr"
run -j 0
complains "no check at once" 2 "-j and --timeout must be above 0"
run --proofs --bugs
complains "neither proofs nor bugs" 2 "leave nothing"
YOSYS=$t/bin/none run --only lfsr
complains "yosys is missing" 4 "bin/none is missing" "Debian has it in yosys"
printf '#!/bin/sh\necho "Yosys 0.9 (git sha1 1979e0b)"\n' >"$t/bin/yosys"
chmod +x "$t/bin/yosys"
YOSYS=$t/bin/yosys run --only lfsr
complains "yosys is too old" 4 "yosys 0.9 is too old" "needed: 0.23 or later"
printf '#!/bin/sh\necho hello\n' >"$t/bin/abc"
chmod +x "$t/bin/abc"
ABC=$t/bin/abc run --only lfsr
complains "a tool that does not tell its version" 4 "does not tell its version" "1.1 or later"

good='lfsr | lfsr lfsr_props lfsr_formal | lfsr_formal | | pdr | proved | x'
lists 'lfsr | lfsr lfsr_props | lfsr_formal | pdr | proved | x' ''
run
complains "a line with too few fields" 3 "proofs.txt:1: 6 fields; needed: 7"
lists 'lfsr | lfsr lfsr_prop lfsr_formal | lfsr_formal | | pdr | proved | x' ''
run
complains "a file that is not there" 3 "no file lfsr_prop.v" "nearest: lfsr_props"
lists "${good/ pdr / pdx }" ''
run
complains "an unknown engine" 3 "no engine pdx; allowed: pdr, scorr, ind, cadical" "nearest: pdr"
lists "${good/ pdr / ind }" ''
run
complains "an engine without its steps" 3 "engine ind; needed: ind:K"
lists "${good/proved/prooved}" ''
run
complains "an unknown end" 3 "prooved; allowed: proved, covered, falsified"
lists "${good/| | pdr/| P=RRR | pdr}" ''
run
complains "an unknown value" 3 "P=RRR; needed: a number or a name of rtl/flit.vh" "nearest: RR"
lists "$good"$'\n'"$good" ''
run
complains "one name twice" 3 "proofs.txt:2: a second proof is called lfsr"
bug='tap | rtl/lfsr.v | lfsr_q[21:6] | lfsr_q[20:5] | lfsr | bmc:4 | 2 | x'
lists "$good" "${bug/ lfsr | bmc/ lfsm | bmc}"
run
complains "a bug of an unknown proof" 3 "bugs.txt:1: no proof lfsm; nearest: lfsr"
lists "$good" "${bug/21:6/21:7}"
run
complains "a bug without its text" 3 "its text stands 0 times in rtl/lfsr.v, not once"
lists "$good" "${bug/rtl\/lfsr.v/rtl/fifo.v}"
run
complains "a bug in a file that the proof does not read" 3 "lfsr does not read rtl/fifo.v" "nearest: rtl/lfsr.v"
check "nothing was written" [ ! -e "$t/tree/build" ]

# One proof for each engine; covers; a bug; once more from the cache.
lists 'lfsr | lfsr lfsr_props lfsr_formal | lfsr_formal | | pdr scorr ind:2 cadical:2 z3:2 cvc5:2 | proved | x
c | lfsr lfsr_props lfsr_formal | lfsr_formal | | cover:4 reach:4 | covered | x' "$bug"
# Stand-ins write which programs a check runs, by themselves or through yosys-smtbmc, and are them otherwise.
mkdir -p "$t/heard"
for tool in yosys yosys-smtbmc berkeley-abc yosys-abc z3 cvc5 cadical; do
  real=$(command -v $tool) || continue
  printf '#!/bin/sh\n[ ! -e model.ys ] || echo %s >>called\nexec %s "$@"\n' "${tool#berkeley-}" "$real" >"$t/heard/$tool"
  chmod +x "$t/heard/$tool"
done
PATH=$t/heard:$PATH run
works "every engine" "PASS lfsr/pdr" "PASS lfsr/scorr" "PASS lfsr/ind" "PASS lfsr/cadical" "PASS lfsr/z3" "PASS lfsr/cvc5" \
  "PASS c/cover" "PASS c/reach" "PASS tap/bmc" "falsified: in step 2" "9 passed, 0 failed"
# called: a line for each engine, with the programs that were run in its folders.
called() {
  for file in "$t"/tree/build/formal/*/*/*/called; do
    echo "$(basename "${file%/called}"): $(sed 's/^yosys-abc/abc/' "$file" | sort -u | tr '\n' ' ')"
  done | sort | sed 's/ $//'
}
alike "every engine runs the programs that it names, and no other" "$(called)" "bmc: abc yosys
cadical: cadical yosys
cover: yosys yosys-smtbmc z3
cvc5: cvc5 yosys yosys-smtbmc
ind: yosys
pdr: abc yosys
reach: abc yosys
scorr: abc yosys
z3: yosys yosys-smtbmc z3"
alike "... and these are all engines" "$(called | sed 's/:.*//' | tr '\n' ' ')" \
  "$(cd "$t/tree/scripts/formal" && python3 -B -c 'import formal; print(*sorted(formal.ENGINES), end=" ")')"
run --only 'lfsr/*'
works "once more, from the cache" "PASS lfsr/pdr" "s cached proved" "6 passed, 0 failed"
mkdir -p "$t/other"
# shellcheck disable=SC2016  # the made-up tool expands its own
printf '#!/bin/sh\n[ "$1" != --version ] || exec echo another\nexec %s "$@"\n' "$(command -v cadical)" >"$t/other/cadical"
chmod +x "$t/other/cadical"
PATH=$t/other:$PATH run --only lfsr/cadical
works "not from the cache with another CaDiCaL" "PASS lfsr/cadical" " s proved" "1 passed, 0 failed"
rm "$t/other/cadical"
# Behind the real yosys-smtbmc; test_provers.py has what the other provers may say.
for tool in z3 cvc5; do
  # shellcheck disable=SC2016  # the made-up tool expands its own
  printf '#!/bin/sh\n[ "$1" != --version ] || exec echo version 99.0\nwhile read -r line; do case $line in *check-sat*) $SAYS ;; esac; done\n' >"$t/other/$tool"
  chmod +x "$t/other/$tool"
done
for says in "echo unknown" "exit"; do
  SAYS=$says PATH=$t/other:$PATH run --only lfsr/z3 --only lfsr/cvc5 --only c/cover
  check "a solver without an answer proves nothing: $says" [ "$(grep -Ec '^FAIL (lfsr/z3|lfsr/cvc5|c/cover) .* error: ' "$t/out")" = 3 ]
done
sed -i 's/solver = "z3" if .*/solver = "z3"/' "$t/tree/scripts/formal/formal.py"
PATH=$t/heard:$PATH run --only lfsr/cvc5
check "proofs of cvc5 that z3 makes are seen" grep -qx 'cvc5: yosys yosys-smtbmc z3' <(called)
cp scripts/formal/formal.py "$t/tree/scripts/formal"
echo "# changed" >>"$t/tree/scripts/formal/formal.py"
run --only lfsr/pdr
works "not from the cache of another formal.py" "PASS lfsr/pdr" " s proved" "1 passed, 0 failed"
check "... and the engine is asked" [ -s "$t/tree/build/formal/proofs/lfsr/pdr/engine.log" ]
sed -i 's|^// lfsr.v|// &|' "$t/tree/rtl/lfsr.v"
run --only lfsr/pdr
works "not from the cache when the Verilog changed" "PASS lfsr/pdr" " s proved" "1 passed, 0 failed"
check "... but the engine is not asked the same twice" [ ! -e "$t/tree/build/formal/proofs/lfsr/pdr/engine.log" ]
cp rtl/lfsr.v "$t/tree/rtl"
lists 'ALL = lfsr lfsr_props lfsr_formal'$'\n'"${good/lfsr lfsr_props lfsr_formal/ALL}" ''
run
works "files by one name" "PASS lfsr/pdr" "1 passed, 0 failed"
lists "$good"$'\n'"+${good/lfsr |/late |}" ''
run
works "what takes minutes is left out" "PASS lfsr/pdr" "1 passed, 0 failed"
run --slow
works "unless asked for" "PASS lfsr/pdr" "PASS late/pdr" "2 passed, 0 failed"
run --only late
works "or named" "PASS late/pdr" "1 passed, 0 failed"
check "nothing half-written" [ -z "$(find "$t/tree/build" -name '.*' -print -quit)" ]

# A proof that fails, of a copy with a bug: which property, where the trace is.
sed -i 's/lfsr_q\[21:6\]/lfsr_q[20:5]/' "$t/tree/rtl/lfsr.v"
for engine in pdr ind:3 cadical:3 z3:3; do
  lists "${good/ pdr / $engine }" ''
  run
  name="a broken property is named, ${engine%:*}"
  [ "$code" = 1 ] || bad "$name" "exit code $code, not 1"
  code=0
  works "$name" "FAIL lfsr/${engine%:*}" "falsified: in step 2; expected: proved" \
    "broken: bad[2] the state is not 16 single steps after the last one" "lfsr/${engine%:*}/trace.vcd" "0 passed, 1 failed"
  check "its trace is there, ${engine%:*}" [ -s "$t/tree/build/formal/proofs/lfsr/${engine%:*}/trace.vcd" ]
done

cp rtl/lfsr.v "$t/tree/rtl"
sed -i 's/req_i\[i\] & ~/~/' "$t/tree/rtl/pick.v"
lists 'k | pick order total pick_props pick_formal | pick_formal | | pdr cadical:1 | proved | x' ''
run
code=0
works "a broken property of gates alone is named" "FAIL k/pdr" "FAIL k/cadical" "k/pdr/trace.vcd" "k/cadical/trace.vcd" \
  "broken: bad[3] pick: a grant to nobody's request"
cp rtl/pick.v "$t/tree/rtl"

# What cannot be reached or proven is a failure, too.
lists 'c | lfsr lfsr_props lfsr_formal | lfsr_formal | | cover:1 reach:2 | covered | x' ''
run
check "covers that are too far" grep -q '^0 passed, 2 failed' "$t/out"
check "covers that are too far: not reached, by either engine" test "$(grep -c '^FAIL c/.* uncovered' "$t/out")" = 2
check "which cover is missing" grep -q 'not reached in 2 steps: cover\[0\] sixteen equal bits' "$t/out"
lists "${good/ pdr / bmc:3 }" 'tap | rtl/lfsr.v | lfsr_q[21:6] | lfsr_q[20:5] | lfsr | bmc:4 | 0 | x'
run
check "a search proves nothing, a bug breaks not what it does not touch" grep -q '^0 passed, 2 failed' "$t/out"

# CaDiCaL: true, but not in every state with one good cycle before it; not true if the environment breaks its word.
loop='p | wait_props wait_formal scan arbiter order pick | wait_formal | SCAN=ROT PATH=RP ROOT=1 | cadical:1 | proved | x'
lists "$loop" ''
run
check "what is true and not inductive" grep -q 'FAIL p/cadical.*unknown: not inductive over 1 steps' "$t/out"
lists "${loop/:1/:2}" ''
run
works "but over two steps" "PASS p/cadical" "proved: induction over 2 steps"
sed -i 's/always @\* assume (ok_i)/wire alone = ok_i/' "$t/tree/tb/formal/check.v"
lists 'q | fifo fifo_props fifo_formal | fifo_formal | DEPTH=2 | cadical:6 | proved | x' ''
run
check "not without what is assumed" grep -q 'FAIL q/cadical.*falsified' "$t/out"
cp tb/formal/check.v "$t/tree/tb/formal"

# One proof of each class, and a bug, as the lists have them.
cp tb/formal/proofs.txt tb/formal/bugs.txt "$t/tree/tb/formal"
run --proofs --only lfsr/ind --only fifo-q2/ind --only pick/ind --only scan-fo/ind --only wait-rr-rp/pdr \
  --only route-l2/ind --only gather-5/ind --only fifo-q2-covers
works "a proof of each class" "8 passed, 0 failed"
run --bugs --only fifo-ring-short
works "a planted bug" "1 passed, 0 failed"

# rtl/switch.v builds a fast switch where a proof that needs no --slow says that it is the reference.
claimed() { "$t/tree/tb/formal/claimed.py" >"$t/out" 2>"$t/err"; }
check "fast switches are those that are proven" claimed
sed -i 's/(PATH == .FATFLY_RP && SCAN == .FATFLY_RR)/PATH == 1/' "$t/tree/rtl/switch.v"
check "one that is not proven" not claimed
check "... is named" grep -qx 'FAIL V = 4, q = 2, PATH = 1, SCAN = 1: built by rtl/switch.v, not proven' "$t/out"
cp rtl/switch.v "$t/tree/rtl"
sed -i 's/^equal-pair-{SCAN}-root /+&/' "$proofs"
check "one whose proof needs --slow" not claimed
check "... is named, too" grep -qx 'FAIL V = 2, q = 2, PATH = 1, SCAN = 3, root: built by rtl/switch.v, not proven' "$t/out"
cp tb/formal/proofs.txt "$proofs"
sed -i 's/DEPTH=1,3,5,6,7,8/DEPTH=1,3,5,6,8/' "$proofs"
check "one whose queues are not" not claimed
cp tb/formal/proofs.txt "$proofs"
sed -i 's/^| 3 |.*| switch-mix |$/| 3 | x | switch-max, switch-hold |/' "$t/tree/docs/proofs.md"
check "a bug in docs/proofs.md that is none, or breaks another bit" not claimed
check "... are named" [ "$(grep ^FAIL "$t/out")" = "FAIL switch-max of docs/proofs.md: no such bug in tb/formal/bugs.txt
FAIL switch-hold of docs/proofs.md: breaks another bit" ]
cp docs/proofs.md "$t/tree/docs"
# What docs/proofs.md says of parameters, and names, are those of the list.
another() { ! cmp -s tb/formal/proofs.txt "$proofs" && not claimed && grep -q ^FAIL "$t/out"; }
for change in '/^switch-.*DEPTH=1,4/s/DEPTH=1,4/DEPTH=1,3/' '/^route-l.*FLIT_W=64/s/LEVELS=10/LEVELS=9/' \
  '/^equal-v.*-root/s/LEVEL=2 LEVELS=2/LEVELS=2/'; do
  sed -i "$change" "$proofs"
  check "another list of proofs: $change" another
  cp tb/formal/proofs.txt "$proofs"
done
grep -v 'rtl/fast/parents.v' tb/formal/bugs.txt >"$bugs"
check "a file without a planted bug" not claimed
check "... is named, too" grep -qx 'FAIL rtl/fast/parents.v: no planted bug in tb/formal/bugs.txt' "$t/out"

# Properties that let a wrong answer through, or say what their words do not.
check "properties judge drawn answers as they must" "$t/tree/tb/formal/judged.py"
weaker() { "$t/tree/tb/formal/judged.py" "$1" >"$t/out" 2>"$t/err"; grep -q "^FAIL $1" "$t/out"; }
while IFS='|' read -r name file from to; do
  sed -i "s|$from|$to|" "$t/tree/tb/formal/$file"
  cmp -s "tb/formal/$file" "$t/tree/tb/formal/$file" && fail "$name: nothing to plant"
  check "a weaker property of $name" weaker "$name"
  cp "tb/formal/$file" "$t/tree/tb/formal"
done <<'END'
route|route_props.v|parent_o != (up ? want : 2.b00)|\|(parent_o \& ~(up ? want : 2'd0))
gather|gather_props.v|(word_o ^ want) & BITS|word_o \& ~want \& BITS
cube|cube_route_props.v|order2 <= order|order2 < order
wait|wait_props.v|3.d3 : 3.d4;|3'd4 : 3'd4;
END

# Ctrl-C leaves no half result and no tool behind; this proof takes z3 minutes.
lists 'long | arbiter pick order total arbiter_props arbiter_formal | arbiter_formal | PATH=RG | z3:1 | proved | x' ''
(cd "$t/tree" && timeout -s INT 4 scripts/formal/formal.py) >"$t/out" 2>"$t/err"
check "interrupted: one line" grep -qx 'formal.py: interrupted; what is done is kept' "$t/err"
check "interrupted: nothing half-written" [ -z "$(find "$t/tree/build" -name '.*' -print -quit)" ]

ends
