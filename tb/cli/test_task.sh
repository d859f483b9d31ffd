#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_task.sh - the co-simulation cut into tasks: every case in one of them, no library in two, about equal
# in cost, and their reports in one.
#
# usage: test_task.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command.  Prints a line a check and
# `N passed, N failed`.  Nothing is written outside a temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
export BUILD=${BUILD:-build}
the_command
scratch

cosim() { run "$fatfly" cosim --build "$t/b" "$@"; }

# -- what is refused ----------------------------------------------------------------------------------

for wrong in 0/4 5/4 1/0 -1/4 1/100001 1 1/2/3 a/b /2 2/ '1 /2'; do
  cosim --task "$wrong" --list
  complains "--task '$wrong'" 2 "--task $wrong; allowed: K/T, the share K of T, with K from 1 to T and T from 1 to 100000"
done
cosim --task 1/2 --config "$root/sim/cases/fat16-random.cfg"
complains '--task of one case' 2 '--task 1/2 of --config ' 'which is one case'
cosim --task 1/2 --case fat16-random --waves "$t/w.fst"
complains '--task with what one case needs' 2 '--waves with --task 1/2'

# -- shares -------------------------------------------------------------------------------------------

"$fatfly" cosim --list >"$t/all"
for tasks in 1 4 7 300; do
  : >"$t/cases" && : >"$t/shapes"
  most=0 least=9999
  for ((k = 1; k <= tasks; k++)); do
    "$fatfly" cosim --task $k/$tasks --list >"$t/share"
    [ $tasks -gt 7 ] || "$fatfly" cosim --task $k/$tasks --shapes >>"$t/shapes"
    n=$(wc -l <"$t/share")
    ((n > most)) && most=$n
    ((n < least)) && least=$n
    cat "$t/share" >>"$t/cases"
    grep -vxFf "$t/all" "$t/share" >>"$t/strange"
    [ $tasks -gt 7 ] || diff <(grep -xFf "$t/share" "$t/all") "$t/share" >>"$t/disorder"
  done
  alike "$tasks tasks: each case is in one of them" "$(sort "$t/cases")" "$(sort "$t/all")"
  [ $tasks -gt 7 ] || check "$tasks tasks: no library is built twice" test -s "$t/shapes" -a -z "$(sort "$t/shapes" | uniq -d)"
done
check 'tasks keep the order of the cases' test -s "$t/all" -a ! -s "$t/disorder"
check 'more tasks than libraries: some have none' test "$least" = 0 -a "$most" -gt 0
# arbiter-core costs as much as many switches.
for tasks in 4 8; do
  mine=$(for ((k = 1; k <= tasks; k++)); do "$fatfly" cosim --task $k/$tasks --list | grep -qx arbiter-core && echo $k; done)
  n=$("$fatfly" cosim --task "$mine/$tasks" --list | wc -l)
  check "$tasks tasks: that with arbiter-core has fewer cases than most" test "$n" -gt 0 -a "$n" -lt $((275 / tasks))
done
# Of named cases: shapes n16 (two cases), n64, one switch.
named=(--case fat16-complement --case switch-s1of3-v1-q2-w32-rp-rr --case exact-n16-l2 --case exact-n64-l2)
for k in 1 2 3; do "$fatfly" cosim --task $k/3 "${named[@]}" --list | xargs; done >"$t/out"
check 'named cases: those of one library together, the longest alone' test "$(sort "$t/out")" = \
  "$(printf '%s\n' exact-n64-l2 'fat16-complement exact-n16-l2' switch-s1of3-v1-q2-w32-rp-rr | sort)"

# -- reports ------------------------------------------------------------------------------------------

for k in 1 2; do
  cosim --side c --jobs 1 --task $k/2 "${named[@]}"
  : >"$t/err" # a line as each case ends
  works "task $k of 2 runs" ' passed, 0 failed'
done
check 'each task has reports of its own' test "$(cd "$t/b/cosim" && find . -name '*-of-2.*' | sort | xargs)" = \
  "./junit.1-of-2.xml ./junit.2-of-2.xml ./manifest.1-of-2.json ./manifest.2-of-2.json ./report.1-of-2.html ./report.2-of-2.html"
# Whole is what compares both sides, every register, to the end.
whole() { sed -n 's/.*"whole": *\(true\|false\).*/\1/p' "$t/b/cosim/manifest.1-of-1.json"; }
mkdir -p "$t/b/rtl"
ln -s "$build/rtl/n16-v1-q2-w32-rp-rr.so" "$t/b/rtl"
for side in c rtl both; do
  for cut in '' '--max-cycles 50'; do
    for seen in '' --outputs-only; do
      # shellcheck disable=SC2086 # options, or none
      cosim --jobs 1 --task 1/1 --case exact-n16-l2 --side $side $cut $seen
      want=false
      [ "$side$cut$seen" != both ] || want=true
      check "whole: --side $side $cut $seen" test "$code $(whole)" = "0 $want"
      rm -f "$t"/b/cosim/*.1-of-1.*
    done
  done
done
rm -r "$t/b/rtl"
cosim --side c --jobs 1 --task 4/4 --case fat16-complement
: >"$t/err"
works 'a task without cases' '0 passed, 0 failed'
mkdir -p "$t/b"
# Of one side, which takes a fraction of the time; from here on as if they were of both.
both() { sed -i 's/"whole": false/"whole": true/' "$@"; }
merge() { run env BUILD="$(dirname "$fatfly")" python3 -B scripts/sim/merge_cosim.py "$@"; }
m=$t/b/cosim/manifest
cosim --side c --jobs 1 "${named[@]}"
merge "$t/one.json" "$m.json"
complains 'merge: runs of one side' 3 'manifest.json: of runs of one side, cut, or compared at the outputs alone; allowed: fatfly cosim --task K/T without'
check 'merge: runs of one side: nothing is written' test ! -e "$t/one.json"
both "$m.json" "$m.1-of-2.json" "$m.2-of-2.json"
merge "$t/one.json" "$m.json"
cp "$t/out" "$t/missing"
merge "$t/two.json" "$m.2-of-2.json" "$m.1-of-2.json"
check 'merge: what is missing is listed, exit code 4' test "$code,$(grep -c '^missing: ' "$t/out"),$(tail -n 1 "$t/out")" = \
  "4,$(($(wc -l <"$t/all") - 4)),4 passed, 0 failed, $(($(wc -l <"$t/all") - 4)) missing: $t/two.json"
"$fatfly" cosim --list --full >"$t/full"
merge --full "$t/full.json" "$m.2-of-2.json" "$m.1-of-2.json"
check 'merge: with --full the slow cases are missing, too' test "$code,$(grep -c '^missing: ' "$t/out"),$(tail -n 1 "$t/out")" = \
  "4,$(($(wc -l <"$t/full") - 4)),4 passed, 0 failed, $(($(wc -l <"$t/full") - 4)) missing: $t/full.json"
results() { grep -v cpu_seconds "$1"; }
alike 'merge: the cases of one run, in their order' "$(results "$t/two.json")" "$(results "$t/one.json")"
merge "$t/three.json" "$m.json" "$m.1-of-2.json" "$m.2-of-2.json"
alike 'merge: an overlap that agrees' "$(results "$t/three.json")" "$(results "$t/one.json")"
sed 's/"digest": "0/"digest": "1/; s/"digest": "[2-9a-f]/"digest": "0/' "$m.1-of-2.json" >"$t/other.json"
merge "$t/four.json" "$m.json" "$t/other.json"
complains 'merge: an overlap that differs' 1 ': digest is ' " in $m.json, " " in $t/other.json"
check 'merge: an overlap that differs: nothing is written' test ! -e "$t/four.json"
# Whatever differs, but for the time.
keys=$(python3 -c 'import json, sys; print(*json.load(open(sys.argv[1]))["cases"][0])' "$m.1-of-2.json")
for key in $keys; do
  case $key in name | cpu_seconds) continue ;; esac
  python3 -c 'import json, sys
known = json.load(open(sys.argv[1]))
known["cases"][0][sys.argv[2]] = not known["cases"][0][sys.argv[2]]
json.dump(known, open(sys.argv[3], "w"))' "$m.1-of-2.json" "$key" "$t/other.json"
  merge "$t/four.json" "$m.json" "$t/other.json"
  complains "merge: an overlap that differs in $key" 1 ": $key is " " in $t/other.json"
done
check 'merge: a case has what lock-step counts' test "$(xargs -n 1 <<<"$keys" | grep -cE '^(passed|cycles|digest|flits|worms)$')" -ge 3
sed '0,/"passed": true/s//"passed": false, "why": "planted"/' "$m.1-of-2.json" >"$t/failed.json"
sed 's/"planted"/"another reason"/' "$t/failed.json" >"$t/other.json"
merge "$t/four.json" "$t/failed.json" "$t/other.json"
complains 'merge: a case that failed in two ways' 1 ': why is planted in ' 'another reason in '
merge "$t/five.json" "$m.2-of-2.json" "$t/failed.json"
check 'merge: a case that failed, exit code 1' test "$code,$(grep -c '^FAILED .*: planted$' "$t/out")" = 1,1
sed '0,/"name": "/s//"name": "no-longer-/' "$t/failed.json" >"$t/old.json"
merge "$t/five.json" "$m.2-of-2.json" "$t/old.json"
check 'merge: a case that failed, and is in no list' test "$code,$(grep -c '^FAILED no-longer-.*: planted$' "$t/out"),$(tail -n 1 "$t/out" | cut -c 1-18)" = \
  '1,1,3 passed, 1 failed'
head -c 300 "$m.json" >"$t/half.json"
merge "$t/six.json" "$t/half.json"
complains 'merge: half a manifest' 3 'half.json: not a manifest; allowed: manifest.K-of-T.json'
merge "$t/six.json" "$t/none.json"
complains 'merge: no manifest' 3 'none.json: No such file'
sed '0,/"name": "[^"]*"/s//"name": [1]/' "$m.json" >"$t/list.json"
merge "$t/six.json" "$t/list.json"
complains 'merge: a name that is a list' 3 'list.json: not a manifest'
run env BUILD="$t/none" python3 -B scripts/sim/merge_cosim.py "$t/six.json" "$m.json"
complains 'merge: no command that knows the cases' 4 "$t/none/fatfly: No such file or directory; it says what the cases are"
ln -s "$fatfly" "$t/b/fatfly"
run env BUILD="$t/none" python3 -B scripts/sim/merge_cosim.py "$t/six.json" "$m.json"
alike 'merge: the command of the folder that the manifest lies in' "$([ "$code" != 4 ] || results "$t/six.json")" "$(results "$t/one.json")"
rm "$t/b/fatfly" "$t/six.json"
merge "$m.json" "$m.json"
complains 'merge: what is read is not replaced' 2 'is read, too'
merge "$t/none/six.json" "$m.json"
check 'merge: a folder that is not there' test "$code,$(grep -c 'none/six.json: No such file' "$t/err")" = 4,1
merge "$t/six.json"
complains 'merge: without a manifest' 2 'usage: merge_cosim.py'

ends
