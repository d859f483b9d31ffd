#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_tasks.sh - make formal cut into tasks: every check in one of them, their results in one; and the gates that
# formal_gates.py makes are those of Yosys.
#
# usage: test_tasks.sh [FILTER].  Prints a line a check and `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
scratch
mkdir -p "$t/tree/tb/docs" "$t/tree/docs/results"
cp -r rtl scripts "$t/tree"
cp -r tb/formal tb/probe "$t/tree/tb"
ln -s "$PWD/sim" "$t/tree/sim"
export BUILD=build
runner=("$t/tree/scripts/formal/formal.py")
merge() { local runner=("$t/tree/scripts/formal/merge_formal.py"); run "$@"; }

for wrong in 0/4 5/4 1/0 -1/4 1/100001 1 a/b ''; do
  run --task="$wrong" --list
  complains "--task '$wrong'" 2 "--task $wrong; allowed: K/T, the share K of T, with K from 1 to T"
done

# Shares of the whole list, by the costs that the last run left.
cp docs/results/formal.csv "$t/tree/docs/results" 2>/dev/null
"$t/tree/scripts/formal/formal.py" --probe --list | awk '{ print $1 }' | sort >"$t/all"
split() { # TASKS: each check is in one share
  local k
  for ((k = 1; k <= $1; k++)); do "$t/tree/scripts/formal/formal.py" --probe --task "$k/$1" --list; done |
    awk '{ print $1 }' | sort >"$t/shares"
  cmp -s "$t/all" "$t/shares"
}
for tasks in 1 2 5; do check "$tasks tasks: each check is in one of them" split $tasks; done
sed -i 's/range(len(costs)), key/range(1, len(costs)), key/' "$t/tree/scripts/lib/tasks.py"
check "planted: one that no task has" not split 2
cp scripts/lib/tasks.py "$t/tree/scripts/lib"
sed -i 's/\[mine == k for/[mine == k or (k, mine) == (1, 2) for/' "$t/tree/scripts/formal/formal_tasks.py"
check "planted: some that two tasks have" not split 2
check "... each of which is in one" cmp -s "$t/all" <(uniq "$t/shares")
cp scripts/formal/formal_tasks.py "$t/tree/scripts/formal"
balance() { # the shares of 4 tasks cost about the same
  PYTHONPATH=$t/tree/scripts python3 -B -c '
import sys
from lib.tasks import shares
costs = [60.0, 1.0, 1.0, 30.0, 31.0, 2.0, 58.0, 3.0, 55.0]
mine = shares(costs, 4)
loads = [sum(c for c, k in zip(costs, mine) if k == task) for task in range(1, 5)]
sys.exit(max(loads) > 62 or min(loads) < 58)'
}
check "shares cost about the same" balance

# Two shares and one run of a short list, whose costs are not known.
rm -f "$t/tree/docs/results/formal.csv"
printf '%s\n' 'lfsr | lfsr lfsr_props lfsr_formal | lfsr_formal | | pdr ind:2 | proved | x' \
  'c | lfsr lfsr_props lfsr_formal | lfsr_formal | | reach:4 | covered | x' \
  'pick | pick order total pick_props pick_formal | pick_formal | | pdr | proved | x' >"$t/tree/tb/formal/proofs.txt"
printf '%s\n' 'tap | rtl/lfsr.v | lfsr_q[21:6] | lfsr_q[20:5] | lfsr | bmc:4 | 2 | x' >"$t/tree/tb/formal/bugs.txt"
m=$t/tree/build/formal/checks
verdicts() { grep -v -E '"(seconds|cpu|wall|jobs)"' "$1"; }
run --task 1/2
works "a share runs" " passed, 0 failed"
merge "$t/half.json" "$m.1-of-2.json"
check "what is missing is listed, exit code 4" [ "$code,$(grep -c '^missing: ' "$t/out"),$(tail -n 1 "$t/out")" = \
  "4,2,3 passed, 0 failed, 2 missing: $t/half.json" ]
run --task 2/2
works "the other, too" " passed, 0 failed"
run
works "the whole is there already" "5 passed, 0 failed" "cached"
merge "$t/two.json" "$m.2-of-2.json" "$m.1-of-2.json"
works "merged" "5 passed, 0 failed, 0 missing"
merge "$t/one.json" "$m.json"
check "as one run has it" [ "$(verdicts "$t/one.json")" = "$(verdicts "$t/two.json")" ]
merge "$t/three.json" "$m.json" "$m.1-of-2.json"
works "an overlap that agrees" "5 passed, 0 failed, 0 missing"
sed '0,/"status": "proved"/s//"status": "unknown"/' "$m.json" >"$t/other.json"
merge "$t/four.json" "$m.1-of-2.json" "$m.2-of-2.json" "$t/other.json"
complains "an overlap that differs" 1 ": proved in " "unknown in $t/other.json"
check "... nothing is written" [ ! -e "$t/four.json" ]
merge "$t/five.json" "$t/other.json"
check "one that failed, exit code 1" [ "$code,$(grep -c '^FAILED .*: unknown' "$t/out")" = 1,1 ]
sed '0,/"key": "[0-9a-f]/s//"key": "x/' "$m.json" >"$t/source.json"
merge "$t/six.json" "$m.json" "$t/source.json"
complains "of other sources" 3 "read other sources"
sed 's|"every": \[|"every": ["more/pdr", |' "$m.json" >"$t/list.json"
merge "$t/six.json" "$m.json" "$t/list.json"
complains "of another list" 3 "$t/list.json is a share of other checks"
head -c 200 "$m.json" >"$t/short.json"
merge "$t/six.json" "$t/short.json"
complains "half a manifest" 3 "short.json: not a manifest; allowed: checks.K-of-T.json"
merge "$m.json" "$m.json"
complains "what is read is not replaced" 2 "is read, too"
merge "$t/six.json"
complains "without a manifest" 2 "usage: merge_formal.py"
merge --csv "$t/two.json"
check "costs are kept for the next shares" [ "$(grep -c ',proved,proved,\|,covered,covered,\|,falsified,falsified,' "$t/tree/docs/results/formal.csv")" = 5 ]
merge --table "$t/half.json"
works "a table says what was not run" "2 of 5 checks were not run."

# The gates: of every kind of proof, and with a mistake in how they are made.
cp tb/formal/proofs.txt tb/formal/bugs.txt "$t/tree/tb/formal"
gates() { timeout 100 "$t/tree/tb/formal/gates.py" "$@" >"$t/out" 2>&1; }
check "gates: those of Yosys" gates lfsr fifo-q4 scan-ff scan-rot pick route-l3 port-v1-q2 port-v2-q2 wait-rot-rp
mistake() { # NAME SED PROOF
  sed -i "$2" "$t/tree/scripts/formal/formal_gates.py"
  cmp -s scripts/formal/formal_gates.py "$t/tree/scripts/formal/formal_gates.py" && echo "FAIL $1 is not planted" && failed=$((failed + 1))
  check "planted: $1" not gates "$3"
  check "... and named" grep -q "^FAIL $3: .* is not that of Yosys" "$t/out"
  cp scripts/formal/formal_gates.py "$t/tree/scripts/formal"
}
mistake "a sum without its carry" 's/^            carry = self.either(self.both(x, y), .*/            carry = self.both(x, y)/' scan-ff
mistake "a register that starts at 0 where nothing says so" 's/if bit in start else self.graph.choose(began, self.free\[bit\], q)/if bit in start else q/' fifo-q4
mistake "a choice turned round" 's/return a if a == b else self.either(self.both(s, b), self.both(s ^ 1, a))/return self.either(self.both(s, a), self.both(s ^ 1, b))/' lfsr

ends
