#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_share.sh - a sweep cut into shares and merged as a person meets it: whatever is killed, missing, twice or
# damaged, the table is that of one run in the end, or one line says why not.
#
# usage: test_share.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command.  Prints a line a check and
# `N passed, N failed`.  Nothing is written outside a temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/results.sh
. tb/lib/results.sh
the_command

scratch
cd "$t" || exit 4
mkdir local
export TMPDIR=$t/local
RANDOM=${SEED:-1}

sweep() { run "$fatfly" sweep "$@"; }
merge() { run "$fatfly" merge "$@"; }
table() { "$fatfly" export "$1" 2>/dev/null; }
same_table() { table "$1" >"$t/table" && [ -s "$t/table" ] && cmp -s "$t/table" "$2"; }
# says NAME CODE TEXT... [-- TEXT...]: after run; one line on stderr with the first texts, the others on stdout.
says() {
  local name=$1 want=$2 text to=$t/err
  shift 2
  skipped "$name" && return
  [ "$code" = "$want" ] || { bad "$name" "exit code $code, not $want"; return; }
  [ "$(wc -l <"$t/err")" = 1 ] || { bad "$name" "$(wc -l <"$t/err") lines on stderr, not 1"; return; }
  for text; do
    [ "$text" = -- ] && to=$t/out && continue
    grep -qF -- "$text" "$to" || { bad "$name" "'$text' is not said"; return; }
  done
  pass "$name"
}

# 40 points whose costs differ by a factor of 600.
file s.cfg 'title = "Test";' 'nodes = [16, 64];' 'path = ["rp", "fp", "rp"];' \
  'points = ( { load = [0.02, 0.05, 0.1]; cycles = [3000, 40000]; },' \
  '           { pattern = "complement"; length = [4, 8, 16, 32]; } );'
sweep s.cfg --db whole.sqlite
works 'one run' '40 points, 40 run now'
table whole.sqlite >whole.csv

# -- shares -------------------------------------------------------------------------------------------

mkdir a
for k in 1 2 3 4; do sweep s.cfg --task $k/4 --db a/s.sqlite && cat out >>all; done
check 'shares: each has its file, and no other is left' test "$(find a local -type f | sort | xargs)" = \
  'a/s.1-of-4.sqlite a/s.2-of-4.sqlite a/s.3-of-4.sqlite a/s.4-of-4.sqlite'
check 'shares: each point in one' test "$(awk '/ run now/ { n += $2 } END { print n }' all)" = 40
merge a/m.sqlite a/s.*-of-4.sqlite
works 'merge' 's: 40 points, 40 there, 0 missing' a/m.sqlite
check 'merge: the table of one run' same_table a/m.sqlite whole.csv
check 'merge: nothing is left beside it' test "$(find a -newer all -type f)" = a/m.sqlite
merge a/again.sqlite a/s.4-of-4.sqlite a/s.1-of-4.sqlite a/s.3-of-4.sqlite a/s.2-of-4.sqlite
check 'merge: in another order, the same table' same_table a/again.sqlite whole.csv
sweep s.cfg --db a/m.sqlite
works 'a sweep goes on with what was merged' '40 points, 0 run now, 40 there before'
sweep s.cfg --task 2/4 --db a/s.sqlite
works 'a share again: nothing to do' ' 0 run now, ' 'task 2 of 4' a/s.2-of-4.sqlite
# Done or not, a share says the same: the table, and that points are saturated or in a deadlock.
file end.cfg 'nodes = 16;' 'length = 4;' 'load = [0.05, 0.9];' 'warmup = 100;' 'cycles = 4000;'
for k in 1 2; do
  sweep end.cfg --task 1/1 --db end.sqlite --format csv --fail-saturated
  cp out end.$k && echo "$code" >>end.codes
done
alike 'a share again: the same table' "$(cat end.1)" "$(cat end.2)"
check 'a share again: has two points' test "$(wc -l <end.2)" = 3
check 'a share again: the same exit code' test "$(xargs <end.codes)" = '5 5'
mkdir empty
(cd empty && TMPDIR=$PWD/t "$fatfly" sweep ../s.cfg --task 2/4 --dry-run >../out 2>../err)
check 'a share: --dry-run makes nothing' test -s out -a "$(find empty)" = empty
sweep s.cfg --task 2/4 --db a/s.sqlite --dry-run
check 'a share: --dry-run shows it alone, done' test "$(grep -c '(done)$' out),$(grep -vc '(done)$' out)" = \
  "$(sed -n 's/^s: \([0-9]*\) points.*task 2 .*/\1/p' all),1"
# The longest points are spread: no share has more than the mean and the longest point.
file w.cfg 'nodes = 16;' 'load = 0.05;' 'warmup = 100;' 'cycles = [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 90000];'
rows() { table "$1" | awk -F , 'NR > 1 { print $19 }' | xargs; }
for k in 1 2; do sweep w.cfg --task $k/2 --db w.sqlite; done
check 'shares are equal in cost, not in points' test "$(rows w.1-of-2.sqlite | wc -w) $(rows w.2-of-2.sqlite | wc -w)" = '1 8'
for k in 11 12; do sweep w.cfg --task $k/12 --db w.sqlite; done
works 'more tasks than points: an empty share' 'w: 0 points, 0 run now' 'task 12 of 12'
merge w.sqlite w.*-of-*.sqlite
works 'tasks of different numbers, an empty one: merged' '9 points, 9 there, 0 missing'
sweep w.cfg --task 1/3 --db w.sqlite
works 'what is merged is not run again' ' 0 run now, ' 'task 1 of 3'
check 'what is merged is not run again: no file' absent w.1-of-3.sqlite
mkdir near && sweep s.cfg --task 1/4 --db near/s.sqlite --local near
alike '--local: the table is the same' "$(table near/s.1-of-4.sqlite)" "$(table a/s.1-of-4.sqlite)"
check '--local: nothing is left there' test "$code$(find near/fatfly-* -type f)" = 0

mkdir some && cp a/s.2-of-4.sqlite some
python3 -c 'import sqlite3; d = sqlite3.connect("some/s.2-of-4.sqlite"); d.execute("DELETE FROM point WHERE rowid % 3 = 0"); d.commit()'
before=$(table some/s.2-of-4.sqlite | tail -n +2 | wc -l)
sweep s.cfg --task 2/4 --db some/s.sqlite
works 'a share that another machine began: the rest alone is run' " $before there before, "
alike 'a share that another machine began: all of it is there' "$(table some/s.2-of-4.sqlite)" "$(table a/s.2-of-4.sqlite)"

# Places that are missing, in many pieces and in few: all of them with --list, else the first.
for every in 2 3 7; do
  cp whole.sqlite holes.sqlite
  python3 -c "import sqlite3; d = sqlite3.connect('holes.sqlite'); d.execute('DELETE FROM point WHERE position % $every = 1'); d.commit()"
  holes=$(seq 2 $every 40 | xargs)
  rm -f all.sqlite few.sqlite
  merge all.sqlite holes.sqlite --list && cp out list
  merge few.sqlite holes.sqlite
  places() { sed -n 's/^missing points, by their places in the sweep: //p' "$1" | tr ',' '\n' | awk -F- 'NF { for (k = $1 + 0; k <= (NF > 1 ? $2 : $1) + 0; k++) print k }' | xargs; }
  alike "merge --list: every $every. is missing" "$(places list) $(grep -c '^missing: ' list)" "$holes $(wc -w <<<"$holes")"
  sed -i 's/, \.\.\.$//' out
  check "merge: every $every. is missing" test "${holes#"$(places out)"}" != "$holes" -a "$(places out | wc -w)" -ge 6 -a "$(grep -c '^missing: ' out)" -le 20
done

# -- interrupted --------------------------------------------------------------------------------------

file k.cfg 'nodes = [16, 64];' 'path = ["rp", "rg"];' 'load = [0.01, 0.02, 0.05, 0.1, 0.12];' 'cycles = 60000;'
sweep k.cfg --db k.sqlite
table k.sqlite >k.csv
mkdir k
kept=0
for n in {1..12}; do
  for k in 1 2 3; do
    signal=KILL
    ((RANDOM % 2)) && signal=TERM
    "$fatfly" sweep k.cfg --task $k/3 --db k/k.sqlite --threads 1 >/dev/null 2>err &
    pid=$!
    sleep 0.0$((RANDOM % 90 + 10))
    kill -$signal $pid 2>/dev/null
    wait $pid 2>/dev/null
    grep -q 'interrupted; [1-9].* points are in k/k' err && kept=$((kept + 1))
  done
  ((n == 6)) && rm -rf local/* # some of the machines are gone
done
# Of two parts one is still being written, by somebody who has it locked.
: >k/k.1-of-3.sqlite.part.killed
exec 9>k/k.1-of-3.sqlite.part.locked
flock 9
for k in 1 2 3; do
  sweep k.cfg --task $k/3 --db k/k.sqlite
  check "killed again and again: task $k" test "$code" = 0
done
merge km.sqlite k/k.*-of-3.sqlite
check 'killed again and again: the table of one run' same_table km.sqlite k.csv
check 'killed again and again: a part that is being written stays' test -e k/k.1-of-3.sqlite.part.locked
exec 9>&-
rm -f k/k.1-of-3.sqlite.part.locked
check 'killed again and again: no part is left' test -z "$(find k local -name '*.part*' -o -path 'local/*' -type f)"
rm -rf k/*
file long.cfg 'nodes = 64;' 'load = 0.1;' 'cycles = 30000;' "seed = ($(seq -s , 400));"
timeout --preserve-status --foreground -s TERM 1 "$fatfly" sweep long.cfg --task 1/2 --db k/l.sqlite --threads 1 >out 2>err </dev/null
code=$?
complains 'SIGTERM: says what is kept' 4 'interrupted; ' ' of 200 points are in k/l.1-of-2.sqlite, the same command goes on'
n=$(table k/l.1-of-2.sqlite | tail -n +2 | wc -l)
check 'SIGTERM: it is there, on any machine' grep -q "interrupted; $n of 200" err
file short.cfg "$(sed 's/30000/3000/' long.cfg)"
sweep short.cfg --task 1/2 --db k/l.sqlite
complains 'a share of another sweep file' 3 'k/l.1-of-2.sqlite: a share of another sweep file (400 points, sum ' '--db'

# -- what does not fit together -----------------------------------------------------------------------

python=$(command -v python3)
unchanged() { cmp -s "$1" was.sqlite; }
cp a/m.sqlite was.sqlite
rm -f m.sqlite
merge m.sqlite a/s.1-of-4.sqlite whole.sqlite a/s.2-of-4.sqlite
works 'an overlap that agrees' '40 there, 0 missing; ' ' in several files, the same in all'
check 'an overlap that agrees: the table of one run' same_table m.sqlite whole.csv
cp whole.sqlite other.sqlite
change other.sqlite "UPDATE point SET cpu_s = '7.5', wall_s = '8.5'"
merge m.sqlite other.sqlite
works 'an overlap: times may differ' '40 in several files'
change other.sqlite "UPDATE point SET digest = '0123456789abcdef' WHERE position = 3"
cp a/m.sqlite m.sqlite
merge m.sqlite other.sqlite
complains 'an overlap that differs, with what was there' 1 'm.sqlite and other.sqlite differ in a point: digest is ' ' and 0123456789abcdef (' 'nodes=16'
check 'an overlap that differs: OUT is as it was' unchanged m.sqlite
merge new.sqlite a/s.1-of-4.sqlite a/s.2-of-4.sqlite a/s.3-of-4.sqlite a/s.4-of-4.sqlite other.sqlite
complains 'an overlap that differs: both are named' 1 '-of-4.sqlite and other.sqlite differ in a point: digest is '
check 'an overlap that differs: nothing is made' absent new.sqlite new.sqlite.part
# every_column PLACE: a cell of a copy is another, in one column after the other: at the first or the last of 40 characters, nothing in the
# later file or in the earlier one; which was not seen.
every_column() {
  "$python" - "$fatfly" whole.sqlite one.sqlite "$1" <<'PY'
import shutil, sqlite3, subprocess, sys
fatfly, whole, other, place = sys.argv[1:]
names = [row[1] for row in sqlite3.connect(whole).execute("PRAGMA table_info(point)")]
text = {"first": "8" + "7" * 39, "last": "7" * 39 + "8", "without later": "", "without earlier": ""}[place]
def copy(to, cells):
    shutil.copy(whole, to)
    db = sqlite3.connect(to)
    row = list(db.execute("SELECT * FROM point WHERE position = 3").fetchone())
    row[3:] = cells
    h = 0xcbf29ce484222325
    for b in "".join(c + "\0" for c in (row[0], *row[3:])).encode():
        h = (h ^ b) * 0x100000001b3 % 2**64
    db.execute("UPDATE point SET sum = ?, " + ", ".join(f'"{name}" = ?' for name in names[3:]) + " WHERE position = 3", (h >> 1, *cells))
    db.commit()
    db.close()
same = ["7" * 40] * len(names[3:])
copy("long.sqlite", same)
seen = 0
for k, name in enumerate(names[3:]):
    copy(other, [*same[:k], text, *same[k + 1:]])
    files = ["long.sqlite", other] if place != "without earlier" else [other, "long.sqlite"]
    done = subprocess.run([fatfly, "merge", "one-new.sqlite", *files], capture_output=True, text=True)
    times = name in ("cpu_s", "wall_s")
    if done.returncode != (0 if times else 1) or times == (f" differ in a point: {name} is " in done.stderr):
        sys.exit(f"{name}: exit code {done.returncode}: {done.stderr}")
    if times:
        subprocess.run(["rm", "-f", "one-new.sqlite"], check=True)
    seen += 1
sys.exit(0 if seen > 100 else f"{seen} columns")
PY
}
for place in first last; do check "an overlap that differs in any column, in its $place character" every_column $place; done
for place in later earlier; do check "an overlap with a cell, in any column, that the $place file does not have" every_column "without $place"; done
sweep k.cfg --db km2.sqlite --threads 2
merge new.sqlite whole.sqlite km2.sqlite
complains 'another sweep' 3 'km2.sqlite: of another sweep (k, 20 points, sum ' 'than whole.sqlite (s, 40, ' 'one sweep file as it is now'
merge km2.sqlite whole.sqlite
complains 'another sweep: of OUT' 3 'whole.sqlite: of another sweep (s, 40 points, sum ' 'than km2.sqlite (k, 20'
cp whole.sqlite old.sqlite
change old.sqlite "UPDATE meta SET value = '0.0.1' WHERE name = 'fatfly'"
merge new.sqlite whole.sqlite old.sqlite
complains 'another version' 3 'old.sqlite: points of fatfly 0.0.1, this is '
cp old.sqlite s.1-of-4.sqlite
sweep s.cfg --task 1/4 --db s.sqlite
complains 'a share of another version' 3 's.1-of-4.sqlite: points of fatfly 0.0.1, this is '
cp whole.sqlite old.sqlite
change old.sqlite "DELETE FROM meta WHERE name = 'plan'"
merge new.sqlite old.sqlite
complains 'a file of an older build' 3 'old.sqlite: does not say which points its sweep has'
sweep s.cfg --db old.sqlite
merge new.sqlite old.sqlite
works 'a file of an older build: what is advised helps' '40 there, 0 missing'
rm -f new.sqlite

# -- damaged ------------------------------------------------------------------------------------------

cp whole.sqlite flipped.sqlite
"$python" -c 'import sqlite3; d = sqlite3.connect("flipped.sqlite"); d.execute("UPDATE point SET cycles = 7 WHERE position IN (1, 4)"); d.commit()'
merge new.sqlite flipped.sqlite
says 'rows that changed' 3 '1 of 1 files are damaged; new.sqlite has their whole rows, 2 points are missing' -- \
  'flipped.sqlite: damaged (a row does not match its sum); 38 whole rows taken, 2 left out' \
  'by their places in the sweep: 2, 5' 'missing: nodes = 16, path = rp, load = 0.02, cycles = 40000'
alike 'rows that changed: the others are as in one run' "$(table new.sqlite)" "$(sed '3d;6d' whole.csv)"
sweep s.cfg --db new.sqlite
works 'rows that changed: these alone are run again' '40 points, 2 run now, 38 there before'
check 'rows that changed: the table of one run' same_table new.sqlite whole.csv
rm -f new.sqlite
size=$(stat -c %s whole.sqlite)
for part in 90 60 30; do # the last tenth may be the index alone
  head -c $((size * part / 100)) whole.sqlite >half.sqlite
  rm -f new.sqlite
  merge new.sqlite half.sqlite
  n=$(table new.sqlite | tail -n +2 | wc -l)
  says "$part % of a file" 3 'files are damaged' "$((40 - n)) points are missing" -- "half.sqlite: damaged (" "; $n whole rows taken"
  check "$part % of a file: $n rows" test "$n" -gt $((part / 5 - 4)) -a "$n" -le $((part > 60 ? 40 : 39))
  check "$part % of a file: each as in one run" test "$n" -gt 0 -a -z "$(table new.sqlite | grep -vxFf whole.csv)"
  merge new.sqlite half.sqlite a/s.*-of-4.sqlite
  says "$part % of a file: the rest from others" 3 ' 0 points are missing' -- '40 there, 0 missing'
  check "$part % of a file: the table of one run" same_table new.sqlite whole.csv
done
cp whole.sqlite holes.sqlite
noise() { # FILE: in place of a page of its points
  local page
  page=$("$python" -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute(
    "SELECT pageno - 1 FROM dbstat WHERE name = \"point\" AND pagetype = \"leaf\" LIMIT 1").fetchone())' "$1")
  dd if=/dev/urandom of="$1" bs=4096 seek="$page" count=1 conv=notrunc 2>/dev/null
  rm -f new.sqlite
}
noise holes.sqlite
merge new.sqlite holes.sqlite
n=$(table new.sqlite | tail -n +2 | wc -l)
says 'a page of noise' 3 'files are damaged' -- "holes.sqlite: damaged (" "; $n whole rows taken"
check "a page of noise: $n rows" test "$n" -gt 30 -a "$n" -lt 40
# Hundreds of the smallest rows.
file many.cfg 'nodes = 4; length = 1; runs = 1;' "seed = [$(seq -s, 300)];"
sweep many.cfg --db many.sqlite
noise many.sqlite
merge new.sqlite many.sqlite
n=$(table new.sqlite | tail -n +2 | wc -l)
check "a page of noise among 300 points: $n rows" test "$n" -ge 290 -a "$n" -lt 300
rm -f new.sqlite
: >empty.sqlite
merge new.sqlite empty.sqlite whole.sqlite
says 'a file of no bytes' 3 '1 of 2 files are damaged' ' 0 points are missing' -- 'nothing in it can be read'
rm -f new.sqlite
merge new.sqlite empty.sqlite
says 'nothing at all' 3 'nothing can be read in any of 1 files'
check 'nothing at all: nothing is made' absent new.sqlite new.sqlite.part
cp whole.sqlite places.sqlite
"$python" -c 'import sqlite3; d = sqlite3.connect("places.sqlite"); d.execute("UPDATE point SET position = 9 WHERE position = 11"); d.execute("UPDATE point SET position = 9999 WHERE position = 12"); d.commit()'
merge new.sqlite places.sqlite
says 'places that changed' 3 '2 points are missing' -- "a point's place is wrong); 38 whole rows taken, 2 left out"
# The same after a file that has all points: another place, none, or two that have changed theirs.
for changed in "position = 99 WHERE position = 11" "position = NULL WHERE position = 11" \
  "position = CASE position WHEN 11 THEN 12 ELSE 11 END WHERE position IN (11, 12)"; do
  cp whole.sqlite places.sqlite
  change places.sqlite "UPDATE point SET $changed"
  rm -f new.sqlite
  merge new.sqlite whole.sqlite places.sqlite
  says "places that changed beside the whole: ${changed%% WHERE*}" 3 '0 points are missing' -- "places.sqlite: damaged (a point's place is wrong)"
done
cp half.sqlite was.sqlite && cp half.sqlite a/s.1-of-4.sqlite
sweep s.cfg --task 1/4 --db a/s.sqlite
complains 'a share that is damaged' 3 'a/s.1-of-4.sqlite: damaged (' 'fatfly merge OTHER a/s.1-of-4.sqlite saves its whole rows'
check 'a share that is damaged: it is as it was' unchanged a/s.1-of-4.sqlite
cp half.sqlite out.sqlite
merge out.sqlite whole.sqlite
complains 'OUT is damaged' 3 'out.sqlite: damaged; allowed: another OUT, and this one as IN'
check 'OUT is damaged: it is as it was' unchanged out.sqlite

# -- usage --------------------------------------------------------------------------------------------

for bad in 5/4 0/4 4/0 1/0 4 /4 4/ -1/4 1/4/4 1.5/4 1/100001 ''; do
  sweep s.cfg --task "$bad"
  complains "--task '$bad'" 2 "--task $bad; allowed: K/T, the share K of T, with K from 1 to T and T from 1 to 100000"
done
sweep s.cfg --local near
complains '--local alone' 2 '--local near without --task; allowed: together'
sweep s.cfg --task 1/2 --local none
complains '--local: no such folder' 4 'none/fatfly-' 'cannot make the folder: No such file'
mkdir -p loose/fatfly-"$(id -u)" && chmod 777 loose/fatfly-*
sweep s.cfg --task 1/2 --local loose
complains '--local: a folder that others write' 4 'not a folder that this user alone writes'
sweep s.cfg --task 1/2 --db none/s.sqlite
complains '--task: no such folder' 4 'none/s.1-of-2.sqlite: cannot write: No such file'
merge
complains 'merge: no file' 2 'no results file; usage: fatfly merge OUT IN...'
merge new.sqlite
complains 'merge: one file' 2 'no results file to join; usage: fatfly merge OUT IN...'
cp whole.sqlite both.sqlite && ln -s both.sqlite link.sqlite && cp both.sqlite was.sqlite
for f in both.sqlite ./both.sqlite link.sqlite; do
  merge both.sqlite whole.sqlite $f
  complains "merge: OUT is an IN ($f)" 2 "$f is what is written and what is read; allowed: another OUT"
done
check 'merge: OUT is an IN: it is as it was' unchanged both.sqlite
merge new.sqlite none.sqlite
complains 'merge: no such file' 3 'none.sqlite: No such file'
file text.sqlite 'this is a text'
merge new.sqlite text.sqlite
complains 'merge: a text' 3 'text.sqlite: not an SQLite file'
cp text.sqlite was.sqlite
merge text.sqlite whole.sqlite
complains 'merge over a text' 3 'text.sqlite: not an SQLite file'
check 'merge over a text: it is as it was' unchanged text.sqlite
merge /dev/null whole.sqlite
complains 'merge: a device' 4 '/dev/null: not a regular file'
merge none/new.sqlite whole.sqlite
complains 'merge: no such folder' 4 'none/new.sqlite: cannot write: No such file'
"$fatfly" sweep long.cfg --db busy.sqlite --threads 1 >/dev/null 2>&1 &
pid=$!
while [ ! -s busy.sqlite ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
sleep 0.3
merge busy.sqlite whole.sqlite
complains 'merge: a sweep is at OUT' 4 'busy.sqlite: another program is writing it'
{ kill -9 $pid && wait $pid; } 2>/dev/null
cp a/m.sqlite was.sqlite
cp a/m.sqlite full.sqlite
run bash -c "ulimit -f 40; exec \"\$0\" merge full.sqlite whole.sqlite" "$fatfly"
complains 'merge: a full disk' 4 'full.sqlite.part: cannot write' 'disk' full
check 'merge: a full disk: OUT is as it was' unchanged full.sqlite
check 'merge: a full disk: no part is left' absent full.sqlite.part
merge --help
works 'merge --help' 'usage: fatfly merge OUT IN...'

ends
