#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_soak.sh - the soak: what it refuses, that it goes on and never repeats, and two rare bugs that it finds and
# cases of the regression do not.  Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
scratch
shape=n16-v1-q2-w32-rp-rr-ref
export VERILATED="$build/verilated.o $build/verilated_threads.o"

limit=200
runner=(scripts/sim/soak.py --build "$build" --folder "$t/soak" --record "$t/soak.csv" --jobs 1 --room 1)

run --time 10x
complains "a time that is none" 2 "--time 10x; allowed: a number above 0 with s, m or h"
run --jobs 0
complains "no turn at once" 2 "--jobs 0"
run --shape n1024-v1-q2-w32-rp-rr
complains "a shape that is too large" 2 "a network of 4 to 64 processors"
run --rtl x.so
complains "a library of no shape" 2 "--rtl without --shape"
run --room 99999999
complains "no room on disk" 4 "MB free; needed: 99999999 MB"
check "nothing was begun" [ ! -e "$t/soak/next" ]
run --record "$t/none/soak.csv" --shape $shape
complains "a record that cannot be written" 4 "none/soak.csv.part: No such file"
run --shape $shape --rtl "$t/none.so"
complains "a library that is not there" 4 "no such library"

# wrong_library NAME FILE FROM TO: the library with a bug.
wrong_library() {
  cp -r rtl "$t/rtl" && plant "$t/$2" "$3" "$4" && scripts/sim/verilate.sh $shape "$t/$1.so" "$t/rtl" >"$t/log" 2>&1
  local bad=$?
  rm -rf "$t/rtl"
  return $bad
}

# A soak without a fault, then once more: it goes on, and no turn comes twice.
library=$build/rtl/$shape.so
for k in 1 2; do
  run --time 2 --turn 1 --shape $shape --rtl "$library"
  works "soak $k" "$shape, " " runs, " " so far" "this soak: " " switch-cycles compared"
done
check "a line in the record for each soak" [ "$(wc -l <"$t/soak.csv")" = 3 ]
check "no turn comes twice" [ -s "$t/soak/turns.csv" -a -z "$(cut -d, -f1 "$t/soak/turns.csv" | sort | uniq -d)" ]
timeout -s INT 3 "${runner[@]}" --turn 1 --shape $shape --rtl "$library" >"$t/out" 2>"$t/err"
check "interrupted: one line" grep -qx 'soak.py: interrupted; what was compared is kept' "$t/err"
rm -rf "$t/soak" # another folder: the record alone knows what has been run
run --time 2 --turn 1 --shape $shape --rtl "$library"
check "turns go on from the record" [ "$(sed -n 2p "$t/soak/turns.csv" | cut -d, -f1)" -gt "$(sed -n 3p "$t/soak.csv" | cut -d, -f4)" ]
check "nothing half-written" [ -z "$(find "$t" -name '*.part' -print -quit)" ]

# A run that hangs when the time is over is a failure, and so is a soak in which none ended.
mkdir "$t/bin"
printf '#!/bin/sh\nexec sleep 60\n' >"$t/bin/fatfly"
chmod +x "$t/bin/fatfly"
changed() { # CODE ARGUMENT...: the soak after that code
  local runner=(python3 -B -c "import sys; sys.path.append('scripts/sim'); import soak; $1; sys.exit(soak.main())" --jobs 1 --room 1 --shape "$shape")
  run "${@:2}"
}
changed "soak.GRACE = 4" --build "$t/bin" --folder "$t/hangs" --record "$t/hangs.csv" --time 1 --shrink 0 --rtl "$library"
check "a run that hangs: exit code 1" [ "$code" = 1 ]
check "a run that hangs is named" grep -qE "^FAILED turn 1 run 0, $shape: it takes more than [45] s$" "$t/out"
check "its configuration is kept" [ -s "$t/hangs/failures/turn1-run0/turn1-run0.cfg" ]
changed "soak.Soak.library = lambda self, shape, home: None" --folder "$t/never" --record "$t/never.csv" --time 0.1
check "a soak that compares nothing: exit code 1" [ "$code" = 1 ]
check "... and says so" grep -qx "FAILED nothing was compared in 0.1" "$t/out"

# What is drawn: no configuration twice, of every kind of shape.
check "10,000 runs differ" python3 - <<'PY'
import sys
sys.path.append("scripts/sim")
import soak
seen, lists = set(), soak.designs()
shapes = [soak.shape_of(turn, lists) for turn in range(2000)]
assert shapes[1::2] == ["trials"] * 1000
shapes = shapes[::2]
for turn, shape in enumerate(shapes):
    for run in range(10):
        text = soak.draw(shape, turn, run)[0]
        assert text not in seen
        seen.add(text)
assert len(set(shapes)) > 300, len(set(shapes))
assert {s.split("-")[0] for s in shapes} >= {"n4", "n16", "n64", "s10of10", "s1of1", "s5of5"}
assert sum(s.endswith("-bare") for s in shapes) > 300 and sum("-ref" in s for s in shapes) > 200
assert sum("reset_every" in t for t in seen) > 5000 and sum('pattern' in t for t in seen) > 500
PY

# The record: turns in their order, however many there are and whoever ended first.
check "turns 1 to 12, which end in any order, are one line of the record" python3 - "$t" <<'PY'
import argparse, csv, pathlib, random, sys, threading
sys.path.append("scripts/sim")
import soak
lines = set()
for seed in range(20):
    s = soak.Soak.__new__(soak.Soak)
    s.o = argparse.Namespace(record=sys.argv[1] + "/order.csv")
    s.record = [dict(zip(soak.RECORD, ("2026-01-01T00:00:00Z", "abc", "1", "3", "9", "900", "0", "d" * 16)))]
    s.turns = [dict(zip(soak.TURNS, map(str, (k, "2026-02-02T00:00:00Z", "abc", "n16", k, 1000 * k, 2 * k, "e" * 16)))) for k in range(4, 113)]
    random.Random(seed).shuffle(s.turns)
    s.write_record()
    first, mine = csv.DictReader(pathlib.Path(s.o.record).read_text().splitlines())
    assert first["last_turn"] == "3" and first["runs"] == "9", first
    assert (mine["first_turn"], mine["last_turn"]) == ("4", "112"), mine
    assert int(mine["runs"]) == sum(range(4, 113)) and int(mine["switch_cycles"]) == 1000 * sum(range(4, 113)), mine
    assert int(mine["trials"]) == 2 * sum(range(4, 113)), mine
    lines.add(tuple(mine.values()))
assert len(lines) == 1, lines
PY

declare name file from to
while read -r line; do
  fields "$line" name file from to
  if ! wrong_library "$name" "$file" "$from" "$to"; then
    fail "$name does not build"
    continue
  fi
  long=fat16-open-load-ref
  [[ $name != reset-* ]] || long=fat16-longest-ref # the other has no resets, however long it is
  for c in fat16-random-ref $long fat16-resets-ref; do
    check "$name: $c does not find it" "$build/fatfly" cosim --build "$build" --case "$c" --rtl "$t/$name.so"
  done
  run --time 120 --turn 120 --shrink 2 --shape $shape --rtl "$t/$name.so"
  check "$name: the soak does" [ "$code" = 1 ]
  check "$name: one line" grep -q "^FAILED turn .* run .*, $shape: .* the two sides differ at cycle" "$t/out"
  kept=$(sed -n 's/^kept: //p' "$t/out")
  worms=("$kept"/*.worms)
  config=("$kept"/*.cfg)
  "$build/fatfly" cosim --build "$t" --config "${config[0]}" --rtl "$t/$name.so" --worms "${worms[0]}" --shrink 0 >"$t/out" 2>&1
  check "$name: its smallest case fails, too" [ $? = 1 ]
done < <(listed tb/soak/bugs.txt)

ends
