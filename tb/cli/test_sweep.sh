#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_sweep.sh - sweep, export and plot as a person meets them: interrupted at any time the table is
# the same in the end; what is wrong is refused in one line.
#
# usage: test_sweep.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command; KILLS=100 kills
# more often.  Prints a line a check and `N passed, N failed`.  Nothing is written outside a temporary
# folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/results.sh
. tb/lib/results.sh
the_command
scratch
kills=${KILLS:-25}
trap 'umount "$t/disk" 2>/dev/null; rm -rf "$t"' EXIT
cd "$t" || exit 4
RANDOM=${SEED:-1}

sweep() { run "$fatfly" sweep "$@"; }
export_() { run "$fatfly" export "$@"; }
plot() { run "$fatfly" plot "$@"; }



same_table() { # DB FILE: the table of a sweep is that file, byte for byte
  "$fatfly" export "$1" >"$t/table" 2>/dev/null && [ -s "$t/table" ] && cmp -s "$t/table" "$2"
}

# -- a sweep, its table, its formats -----------------------------------------------------------------

# 36 points of some milliseconds each, a few saturated, some given twice.
file s.cfg 'title = "Test";' 'nodes = [16, 64];' 'path = ["rp", "fp", "rp"];' \
  'points = ( { load = [0.02, 0.05, 0.1, 0.15, 0.2, 0.9]; cycles = 40000; },' \
  '           { pattern = "complement"; length = [4, 8, 16]; } );'
sweep s.cfg
works 'a sweep' 's: 36 points, 36 run now, 0 there before, ' 'build/sweeps/s.sqlite' '18 more were given twice'
check 'a sweep writes under build alone' test "$(find . -newer s.cfg -type f ! -name out ! -name err)" = ./build/sweeps/s.sqlite
export_ build/sweeps/s.sqlite
works 'export'
cp out want.csv
check 'export: a header and a row a point' test "$(wc -l <want.csv)" = 37
check 'export: the columns of fatfly run, in its order' test "$(head -n 1 want.csv | cut -d , -f 1-21)" = \
  nodes,length,depth,vcs,discipline,path,scan,pattern,load,runs,seed,latency_mean,latency_ci99,latency_max,congestion_mean,latency_per_congestion,accepted_load,saturated,cycles,flit_hops,digest
check 'export: in the order of the file' test "$(cut -d , -f 1,6,9 want.csv | sed -n '2p;5p;11p;20p' | xargs)" = \
  '16,rp,0.02 16,rp,0.15 16,fp,0.02 64,rp,0.02'
# shellcheck disable=SC2016 # the dollars are awk's
check 'export: a saturated point has no latency' awk -F , 'NR > 1 && $18 == 1 { n++; if ($12 != "" || $14 != "") exit 1 } END { exit n < 2 }' want.csv
run "$fatfly" run --nodes 16 --path fp --load 0.1 --cycles 40000 --format csv
alike 'a point is what fatfly run says' "$(printed | cut -d , -f 1-20,23 | tail -n 1)" "$(grep '^16,32,.*,fp,rr,random,0.1,' want.csv | cut -d , -f 1-21)"

sweep s.cfg
works 'again: nothing to do' '36 points, 0 run now, 36 there before'
sweep s.cfg --threads 1 --db one.sqlite --format csv
alike 'one thread, the same table; --format csv' "$(printed)" "$(cat want.csv)"
sweep s.cfg --threads 7 --db seven.sqlite --format json
works 'seven threads, --format json'
cp out seven.json
check 'seven threads, the same table' same_table seven.sqlite want.csv
export_ seven.sqlite --format json
alike 'export --format json is the same' "$(printed)" "$(cat seven.json)"
if command -v python3 >/dev/null; then
  check 'JSON has what CSV has' python3 -c '
import csv, json
a, b = json.load(open("seven.json")), list(csv.DictReader(open("want.csv")))
assert len(a) == len(b) == 36
for x, y in zip(a, b):
    assert list(x) == list(y)
    for k in x:
        assert x[k] is None and y[k] == "" or x[k] == y[k] or float(x[k]) == float(y[k]), (k, x[k], y[k])
assert a[0]["nodes"] == 16 and a[0]["path"] == "rp" and a[5]["latency_mean"] is None'
fi
export_ seven.sqlite --format table --columns nodes,load,latency-mean,cycles-per-us --where nodes=64.0 --where path=fp
works 'export --format table --columns --where' 'nodes  load  latency_mean  cycles_per_us' '   64   0.9'
check 'export --where: those rows' test "$(wc -l <out)" = 10
export_ seven.sqlite --timing --output timed.csv
works 'export --timing --output'
check 'export --timing: the two columns more' grep -q '^nodes.*,cpu_s,wall_s,' timed.csv
export_ seven.sqlite --format json --where load=0.9 --where nodes=64 --columns path,latency_mean
check 'export: null for what there is not' test "$(tr -d ' \n' <out)" = '[{"path":"rp","latency_mean":null},{"path":"fp","latency_mean":null}]'
if command -v sqlite3 >/dev/null; then
  export_ seven.sqlite --format json
  check 'export: what is empty is null in JSON' test "$(grep -c '": ""' out),$(grep -q '"arrivals": null\|"verdict": null' out && echo some)" = 0,some
  name=$(printf 'p\xff.txt') && seq 15 -1 0 >"$name"
  file raw.cfg 'nodes = 16;' 'pattern = "permutation";' "permutation = \"$name\";"
  sweep raw.cfg
  export_ build/sweeps/raw.sqlite --columns load,permutation --format json
  check 'export: JSON is UTF-8 whatever a name is' python3 -c 'import json; assert json.load(open("out", encoding="utf-8"))[0]["permutation"].startswith("p\ufffd.txt")'
  file deep.cfg 'topology = "torus"; radix = 4; discipline = "store"; length = 1; depth = ["unbounded", "2"];'
  sweep deep.cfg
  check 'SQL: the view has texts where there are no numbers' test "$(sqlite3 build/sweeps/deep.sqlite \
    "SELECT depth, typeof(depth), typeof(latency_mean), typeof(load) FROM result" | xargs)" = 'unbounded|text|real|integer 2|integer|real|integer'
  file large.cfg 'nodes = 4; seed = ["999999999999999999", "9223372036854775807", "9223372036854775808", "18446744073709551614", "18446744073709551615"];'
  sweep large.cfg
  check 'SQL: the view rounds no whole number' test "$(sqlite3 build/sweeps/large.sqlite "SELECT seed, typeof(seed) FROM result ORDER BY position" | xargs)" = \
    '999999999999999999|integer 9223372036854775807|integer 9223372036854775808|text 18446744073709551614|text 18446744073709551615|text'
  check 'SQL: the view has numbers' test "$(sqlite3 seven.sqlite "SELECT count(*) FROM result WHERE load > 0.1 AND load < 0.95 AND latency_mean IS NULL AND saturated = 1")" = "$(awk -F , '$9 > 0.1 && $18 == 1' want.csv | wc -l)"
fi

run "$fatfly" run --nodes 4 --format csv
check 'export --help: each column with its unit' test "$("$fatfly" export --options | grep -c '^column')" = \
  "$(printed | head -n 1 | tr , '\n' | grep -c .)" -a "$code" = 0
# A file of one version back: latency_mean of static points was their last arrival.
cp seven.sqlite old.sqlite
columns=(last_arrival_mean last_arrival_ci99 last_arrival_max end)
change old.sqlite "DROP VIEW result;
  UPDATE point SET latency_mean = last_arrival_mean, latency_ci99 = last_arrival_ci99, latency_max = last_arrival_max WHERE load = '0';
  $(printf 'ALTER TABLE point DROP COLUMN "%s";' "${columns[@]}")"
names=nodes,length,load,last_arrival_mean,last_arrival_ci99,last_arrival_max
export_ old.sqlite --columns $names,latency_p50
check 'an older file is read' test "$code" = 0
check 'an older file: what it means is said' grep -q 'old.sqlite was written when latency_mean of static runs was the last arrival' err
old=$(printed)
export_ seven.sqlite --columns $names,latency_p50
alike 'an older file: its last arrivals have their name' "$(printed)" "$old"
export_ old.sqlite --columns latency_mean --where load=0
check 'an older file: nothing else has it' test "$(sort -u out | tr '\n' .)" = '.latency_mean.'
sweep s.cfg --db old.sqlite
complains 'an older file: no sweep goes on with it' 3 'old.sqlite: points with '

rm -rf dry && mkdir dry && cd dry || exit 4
sweep ../s.cfg --dry-run
works '--dry-run' 'nodes = 16, path = rp, load = 0.02' '36 points, 18 more given twice, 0 done in build/sweeps/s.sqlite'
check '--dry-run writes nothing' test "$code$(ls)" = 0
cd .. || exit 4
sweep s.cfg --dry-run
works '--dry-run says what is done' 'load = 0.9, cycles = 40000  (done)' '36 done'
sweep s.cfg --fail-saturated
check '--fail-saturated: exit code 5' test "$code" = 5
check '--fail-saturated: one line, and the summary' test "$(wc -l <err),$(wc -l <out)" = 1,2
export_ build/sweeps/s.sqlite --help
works 'export --help' 'usage: fatfly export'
sweep --help
works 'sweep --help' 'usage: fatfly sweep'
plot --help
works 'plot --help' 'usage: fatfly plot'
for f in "$root"/sim/sweeps/*.cfg; do
  sweep "$f" --dry-run
  works "example ${f##*/}" ' points, 0 more given twice'
done

# -- a sweep file that changes ---------------------------------------------------------------------

file c.cfg 'nodes = 16;' 'length = [4, 8, 16];'
sweep c.cfg
works 'a sweep file changes: before' '3 points, 3 run now'
file c.cfg 'nodes = 16;' 'length = [2, 16, 4];'
sweep c.cfg
works 'a sweep file changes: the new point alone is run' '3 points, 1 run now, 2 there before'
export_ build/sweeps/c.sqlite --columns length
check 'a sweep file changes: its points in its order' test "$(xargs <out)" = 'length 2 16 4'
export_ build/sweeps/c.sqlite --columns length --all
check 'a sweep file changes: --all has the old point' test "$(xargs <out)" = 'length 2 16 4 8'
file c.cfg 'nodes = 16;' 'length = [4, 8, 16];'
sweep c.cfg
works 'a sweep file changes back: nothing is run' '3 points, 0 run now, 3 there before'

# -- a point that deadlocks -----------------------------------------------------------------------

# What can is refused before (--force is no setting of a sweep); of the few that are not, the row stays.
cp seven.sqlite dead.sqlite
change dead.sqlite "UPDATE point SET end = 'deadlock' WHERE position = 3"
sweep s.cfg --db dead.sqlite
check 'a deadlock: all points are kept, exit code 1' test \
  "$code $(grep -c '36 points, 0 run now.*, 1 deadlocked' out) $(grep -c '1 of 36 points ended in a deadlock' err)" = '1 1 1'
# The closing line counts what the table says, of each way to end.
places=0
for set in "end = 'cut'" "end = 'deadlock'" "end = 'stopped'" "verdict = 'undecided'" "verdict = 'saturated'" "saturated = '1'"; do
  ((++places))
  change dead.sqlite "UPDATE point SET $set WHERE position % $((places + 2)) = 1"
done
sweep s.cfg --db dead.sqlite
said=$(grep -oE '[0-9]+ (saturated|cut|deadlocked|undecided)' out | sort)
counted() { awk -F, -v want="$1" -v as="$2" 'NR > 1 { n += $1 == want } END { if (n) print n, as }'; }
alike 'the closing line says what the table says' "$said" "$({ export_ dead.sqlite --columns saturated && counted 1 saturated <out
  export_ dead.sqlite --columns end && cp out ends && counted cut cut <ends && counted deadlock deadlocked <ends
  export_ dead.sqlite --columns verdict && counted undecided undecided <out; } | sort)"
# Whatever a point is that the file no longer has: it is kept, and not counted.
file d.cfg 'nodes = 16;' 'length = [4, 8];'
sweep d.cfg --db left.sqlite
change left.sqlite "UPDATE point SET end = 'deadlock', saturated = '1', verdict = 'saturated' WHERE position = 1"
sweep d.cfg --db left.sqlite --fail-saturated
check 'a point that saturates and deadlocks: counted' test "$code $(grep -c '2 points, .*, 1 saturated, 1 deadlocked' out)" = '1 1'
file d.cfg 'nodes = 16;' 'length = [4];'
sweep d.cfg --db left.sqlite --fail-saturated
works 'a point that saturates and deadlocks, no longer in the file' '1 points, 0 run now, 1 there before, 0 saturated'
for end in cut deadlock 'done'; do
  for verdict in saturated undecided; do
    change left.sqlite "UPDATE point SET end = '$end', verdict = '$verdict' WHERE position <> 0"
    sweep d.cfg --db left.sqlite --fail-saturated
    check "... as $end, $verdict" test "$code $(head -n 1 out)" = '0 d: 1 points, 0 run now, 1 there before, 0 saturated'
  done
done

# -- interrupted ------------------------------------------------------------------------------------

# Long enough to be met in the middle: the table must not depend on when.
file k.cfg 'nodes = [16, 64];' 'path = ["rp", "rg"];' \
  'points = ( { load = [0.01, 0.02, 0.05, 0.1, 0.12]; cycles = 60000; }, { length = [1, 2, 3, 4, 5]; runs = 3; } );'
begin=${EPOCHREALTIME/./}
sweep k.cfg --db whole.sqlite
whole=$((${EPOCHREALTIME/./} - begin)) # microseconds
works 'not interrupted' '40 points, 40 run now'
export_ whole.sqlite
cp out whole.csv

# part PERCENT: so much of the time that the whole takes, at random, in seconds.
part() { awk -v w=$whole -v p="$1" -v r="$RANDOM" 'BEGIN { printf "%.4f", w * p / 100 * r / 32768 / 1e6 }'; }
points() { "$fatfly" export "$1" --columns nodes 2>/dev/null | tail -n +2 | wc -l; }
in_the_middle=0
for ((k = 0; k < kills || (in_the_middle < 5 && k < 20 * kills); k++)); do
  # Half of the time from the beginning, else where the last one was cut off.
  ((k % 2)) || rm -f killed.sqlite*
  "$fatfly" sweep k.cfg --db killed.sqlite --threads $((1 + k % 3)) >/dev/null 2>&1 &
  pid=$!
  sleep "$(part 110)"
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  n=0
  [ -e killed.sqlite ] && n=$(points killed.sqlite)
  ((n > 0 && n < 40)) && in_the_middle=$((in_the_middle + 1))
  if ((k % 5 == 4)); then
    sweep k.cfg --db killed.sqlite
    works "kill -9, number $((k + 1)): goes on" "40 points, $((40 - n)) run now, $n there before"
    check "kill -9, number $((k + 1)): the same table" same_table killed.sqlite whole.csv
  fi
done
check "kill -9: $in_the_middle of $k met it in the middle" test "$in_the_middle" -ge 5

# Ctrl-C: bash lets a background job ignore it, so a shell of its own starts the sweep.
interrupted=0
for ((k = 0; interrupted < 4 && k < 100; k++)); do
  signal=INT
  ((interrupted % 2)) && signal=TERM
  rm -f int.sqlite*
  timeout --preserve-status --foreground -s "$signal" "$(part 90)" "$fatfly" sweep k.cfg --db int.sqlite --threads 1 >out 2>err </dev/null
  code=$?
  [ $code = 0 ] || [ $code -ge 128 ] && continue # it came too late, or before main()
  if [ ! -e int.sqlite ]; then # before there was anything to keep: rare, and said so
    check "$signal: before the first point" grep -qx 'fatfly sweep: interrupted; nothing was run' err
    continue
  fi
  interrupted=$((interrupted + 1))
  complains "$signal: says so" 4 'interrupted; ' ' of 40 points are in int.sqlite, the same command goes on'
  n=$(points int.sqlite)
  check "$signal: what it said is there" grep -q "interrupted; $n of 40" err
  export_ int.sqlite
  [ "$n" -lt 40 ] && check "$signal: export says that it is not all" grep -qF "$n of 40 points of the sweep are done" err
  sweep k.cfg --db int.sqlite
  works "$signal: goes on" "$((40 - n)) run now"
  check "$signal: the same table" same_table int.sqlite whole.csv
done
check "Ctrl-C: $interrupted of $k came in time" test $interrupted = 4

# Points much shorter than a commit go to the file again and again while the sweep lasts, and what is there outlives it.
file short.cfg 'nodes = 64;' 'load = 0.05;' 'cycles = 10000;' "seed = [$(seq -s, 1 10000)];"
"$fatfly" sweep short.cfg --db short.sqlite --threads 1 >/dev/null 2>&1 &
pid=$!
commits=0 seen=0
for ((k = 0; k < 100 && commits < 4; k++)); do
  sleep 0.1
  n=0
  [ -e short.sqlite ] && n=$(points short.sqlite)
  ((n > seen)) && commits=$((commits + 1)) seen=$n
done
{ kill -9 $pid && wait $pid; } 2>/dev/null
check "short points: $seen in $commits commits seen" test $commits = 4
check 'short points: what was seen is there after kill -9' test "$(points short.sqlite)" -ge "$seen" -a "$seen" -gt 0

# Two sweeps on one file.
file long.cfg 'nodes = 64;' 'load = 0.1;' 'cycles = 800000;' 'seed = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20);'
"$fatfly" sweep long.cfg --db long.sqlite --threads 1 >/dev/null 2>&1 &
pid=$!
while [ ! -s long.sqlite ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
sweep long.cfg --db long.sqlite
complains 'a second sweep on a file' 4 'long.sqlite: another sweep is writing it'
sleep 0.5
export_ long.sqlite
check 'export while a sweep runs' test "$code" = 0
{ kill -9 $pid && wait $pid; } 2>/dev/null

# A full disk: what is done stays, and with room again the rest follows.
limited() { run bash -c "ulimit -f $1; exec \"\$0\" sweep k.cfg --db full.sqlite" "$fatfly"; }
for blocks in 1 8 40 64; do
  limited $blocks
  complains "a full disk ($blocks kB)" 4 'full.sqlite: cannot write' 'disk' full
done
n=$(points full.sqlite)
check 'a full disk: finished points stay' test "$n" -gt 0 -a "$n" -lt 40
check 'a full disk: it said how many' grep -q "; $n of 40 points are kept" err
sweep k.cfg --db full.sqlite
works 'a full disk: goes on' "$((40 - n)) run now"
check 'a full disk: the same table' same_table full.sqlite whole.csv

d=$t/disk
mkdir "$d"
if mount -t tmpfs -o size=64k tmpfs "$d" 2>/dev/null; then # by root, where containers may
  sweep k.cfg --db "$d/s.sqlite"
  complains 'a full tmpfs' 4 's.sqlite: cannot write: the disk is full' 'points are kept'
  n=$(points "$d/s.sqlite")
  check 'a full tmpfs: finished points stay' grep -q "; $n of 40 points are kept" err
  mount -o remount,ro "$d" && {
    sweep k.cfg --db "$d/s.sqlite"
    complains 'a read-only file system' 4 's.sqlite: cannot write: Read-only file system'
    export_ "$d/s.sqlite"
    check 'a read-only file system: export' test "$code" = 0
  }
  umount "$d"
fi
if [ "$(id -u)" != 0 ]; then
  cp whole.sqlite readonly.sqlite && chmod 444 readonly.sqlite
  sweep k.cfg --db readonly.sqlite
  complains 'a read-only file' 4 'readonly.sqlite: cannot write: Permission denied'
  export_ readonly.sqlite
  alike 'a read-only file: export' "$(printed)" "$(cat whole.csv)"
fi

# -- a damaged row, a file that vanishes, a gnuplot that fails ------------------------------------------

file rows.cfg 'nodes = 4;' 'length = [2, 3, 4, 5];'
sweep rows.cfg --db rows.sqlite
# Every setting of a sweep file can be a column; those of fatfly run alone cannot.
no_columns() {
  "$fatfly" run --help | sed -n 's/^  --\([a-z-]*\) .*/\1/p' | sort -u | while read -r name; do
    "$fatfly" export rows.sqlite --columns "$name" >/dev/null 2>why || { grep -q 'no such column or setting' why && echo "$name"; }
  done | xargs
}
check 'export: what is no column' test "$(no_columns)" = 'build config engine events fail-saturated force format from histogram links output parts perfetto plugin-seconds threads to watch waves'
export_ rows.sqlite --columns length,digest
cp out rows.csv
python3 -c 'import sqlite3; d = sqlite3.connect("rows.sqlite"); d.execute("UPDATE point SET cycles = 7 WHERE position = 1"); d.commit()'
export_ rows.sqlite --columns length,digest
alike 'a damaged row: the other three are shown' "$(grep -v '^3,' rows.csv)" "$(cat out)"
check 'a damaged row: said, exit code 3' test "$code $(cat err)" = \
  '3 fatfly export: rows.sqlite: damaged (row 2 of 4 does not match its sum); the 3 whole rows were used'
sweep rows.cfg --db rows.sqlite
complains 'a damaged row: no sweep goes on' 3 'row 2 does not match its sum' 'fatfly export has the whole rows'
sweep rows.cfg --db rows.sqlite --dry-run
complains 'a damaged row: nor shows what is done' 3 'row 2 of 4 does not match its sum'
# Early, while its tables are made, and later.
for wait in 0 0.002 0.005 0.01 0.02 0.05; do
  rm -f gone.sqlite
  "$fatfly" sweep k.cfg --db gone.sqlite --threads 1 >out 2>err </dev/null &
  pid=$!
  for ((k = 0; k < 2000; k++)); do
    [ -s gone.sqlite ] && break
    sleep 0.001
  done
  sleep $wait
  rm -f gone.sqlite
  wait $pid
  code=$?
  complains "the results file vanishes after $wait s" 4 'gone.sqlite vanished while the sweep was writing it'
done
mkdir -p broken
fails_plot() { # NAME TEXT LINE...: a gnuplot that does LINEs
  local name=$1 text=$2
  printf '%s\n' '#!/bin/sh' "${@:3}" >broken/gnuplot
  chmod +x broken/gnuplot
  PATH=$PWD/broken:$PATH run "$fatfly" plot whole.sqlite --where nodes=16 --where load=0.01 --x length --series path --output fake.svg
  complains "gnuplot $name" 4 "$text"
  check "gnuplot $name: no picture" absent fake.svg fake.svg.part
}
fails_plot 'ends without a picture' 'gnuplot wrote no whole picture and did not say why' 'cat >/dev/null'
fails_plot 'ends with a code alone' 'gnuplot ended with exit code 3 and did not say why' 'cat >/dev/null; exit 3'
fails_plot 'is killed' 'gnuplot was ended by signal 9 (Killed)' "kill -9 \$\$"
fails_plot 'complains' 'gnuplot drew nothing: no such terminal' 'cat >/dev/null; echo "no such terminal" >&2; exit 1'
if command -v gnuplot >/dev/null; then
  plot build/sweeps/s.sqlite --where pattern=random --output $'a\nb `id`.svg'
  works 'plot: a name with a new line'
  check 'plot: a name with a new line: that file' test -s $'a\nb `id`.svg'
fi
run "$fatfly" run --nodes ' 16'
complains 'blanks are seen' 2 "--nodes ' 16'; allowed"
run "$fatfly" model --nodes '16 '
complains 'blanks are seen by other commands' 2 "--nodes '16 '; allowed"
sweep $'no\nsuch.cfg'
complains 'a name with a new line is one line' 3 'no?such.cfg: No such file'

# -- results files that are wrong --------------------------------------------------------------------

for command in "sweep k.cfg --db" export plot; do
  more=()
  [ "$command" = plot ] && more=(--output x.svg)
  refuses() { # NAME TEXT...
    # shellcheck disable=SC2086 # a command with its options
    run "$fatfly" $command bad.sqlite ${more[@]+"${more[@]}"}
    complains "${command%% *}: $1" 3 bad.sqlite "${@:2}"
    cmp -s bad.sqlite was || bad "${command%% *}: $1" 'it was written to'
  }
  file bad.sqlite 'this is a text' && cp bad.sqlite was
  refuses 'a text' 'not an SQLite file'
  head -c 20000 whole.sqlite >bad.sqlite && cp bad.sqlite was
  refuses 'cut short' damaged
  cp whole.sqlite bad.sqlite && printf '7' | dd of=bad.sqlite bs=1 seek=63 conv=notrunc 2>/dev/null && cp bad.sqlite was
  refuses 'another layout' 'of another version of fatfly' 'layout 1'
  # A digit of a result: SQLite itself does not notice.
  cp whole.sqlite bad.sqlite && LC_ALL=C sed -i 's/nodes=16;/nodez=16;/g' bad.sqlite && cp bad.sqlite was
  [ "$command" = 'sweep k.cfg --db' ] && refuses 'a changed value' damaged
  if command -v sqlite3 >/dev/null; then
    rm -f bad.sqlite && sqlite3 bad.sqlite 'CREATE TABLE point(x)' && cp bad.sqlite was
    refuses 'of another program' 'of another program'
  fi
done
if command -v sqlite3 >/dev/null; then
  cp whole.sqlite old.sqlite && sqlite3 old.sqlite "UPDATE meta SET value = '0.0.1' WHERE name = 'fatfly'"
  sweep k.cfg --db old.sqlite
  complains 'sweep: points of another version' 3 'points of fatfly 0.0.1'
  export_ old.sqlite
  alike 'export: points of another version' "$(printed)" "$(cat whole.csv)"
fi
sweep k.cfg --db /nowhere/x.sqlite
complains 'sweep: no such folder' 4 '/nowhere/x.sqlite: cannot write: No such file'
mkdir folder
sweep k.cfg --db folder
complains 'sweep: a folder' 4 'folder: cannot write: Is a directory'
sweep k.cfg --db /dev/null
complains 'sweep: a device' 4 '/dev/null: not a regular file'
sweep k.cfg --db ''
complains 'sweep: no name' 2 'a file name of 0 characters'
export_ nothing.sqlite
complains 'export: no such file' 3 'nothing.sqlite: No such file'
plot nothing.sqlite --output x.svg
complains 'plot: no such file' 3 'nothing.sqlite: No such file'
mkdir taken && cd taken && : >build
sweep ../k.cfg
complains 'sweep: build is a file' 4 'build/sweeps: cannot make the folder'
cd .. || exit 4

# -- sweep files that are wrong ----------------------------------------------------------------------

refuses_file() { # NAME LINE TEXT LINE...
  file b.cfg "${@:4}"
  sweep b.cfg
  complains "sweep file: $1" 3 "b.cfg${2:+:$2}: " "$3"
  check "sweep file: $1: nothing is made" absent build/sweeps/b.sqlite
}
refuses_file 'a wrong name' 2 'nearest valid name: length' 'nodes = 16;' 'lenght = 4;'
refuses_file 'out of range' 1 '1 to 16' 'depth = [1, 17];'
refuses_file 'a nearest value' 1 'nearest' 'path = ["rp", "rq"];'
refuses_file 'a syntax error' 2 '' 'nodes = 16;' 'length 4;'
refuses_file 'no value' 1 'has no value' 'load = [];'
refuses_file 'not of a point' 1 'threads in a sweep file; allowed: in fatfly run' 'threads = 2;'
refuses_file 'twice' 2 'it is in line 1, too' 'nodes = 16;' 'points = ( { nodes = 64; } );'
refuses_file 'a contradiction' 2 'point with discipline = univ' 'discipline = ["worm", "univ"];' 'load = 0.1;'
many=$(seq -s , 1000)
refuses_file 'too many' '' '1000000000 points; allowed: at most 1000000' "seed = ($many);" "rounds = ($many);" "max_cycles = ($many);"
mkdir sub && file sub/b.cfg 'trace = "none.csv";'
sweep sub/b.cfg
complains 'sweep file: no such trace' 3 'sub/none.csv: No such file'
refuses_file 'another file' 1 '@include' '@include "/etc/passwd"'
refuses_file 'a name with a slash' 1 'as the name of a sweep' 'name = "a/b";'
head -c 300 /dev/urandom >b.cfg
sweep b.cfg
check 'sweep file: noise' test "$code" = 3 -a "$(wc -l <err)" = 1
sweep none.cfg
complains 'sweep file: absent' 3 'none.cfg: No such file'

refuses_file 'a byte order mark' 1 'a byte order mark' $'\xef\xbb\xbfnodes = 16;'
refuses_file 'a decimal comma' 2 'a decimal point, as in 0.1;' 'nodes = 16;' 'load = 0,1;'
refuses_file 'nan' 1 'a finite number' 'load = nan;'
refuses_file 'no setting' '' 'no setting; allowed: one or more' '# nothing'
refuses_file 'a title alone' '' 'no setting; allowed: one or more' 'title = "none";'
refuses_file 'points within points' 1 'points within points; allowed: settings' 'points = ( { points = 3; } );'
refuses_file 'a missing trace, by its line' 2 'trace = none.csv: No such file' 'nodes = 16;' 'trace = "none.csv";'
for topology in torus mesh; do
  refuses_file "load_share on a $topology" 2 "load_share with topology = $topology; allowed: only with fat-tree" \
    "topology = \"$topology\";" 'load_share = 0.5;'
done

refuses_file 'load_share beyond the model' 1 'load_share with nodes = 4194304; allowed: up to 4^10, where the model ends' \
  'nodes = 4194304; load_share = 0.5;'
refuses_file 'a load_share that is too small' 1 'load_share = 1e-09 is a load of 3.24e-10; allowed: a load of 0.000001 or more' \
  'nodes = 16; load_share = 1e-9;'

# -- two sweeps of one name ---------------------------------------------------------------------------

mkdir -p one two
file one/same.cfg 'nodes = 4;' 'length = [2, 3];'
file two/same.cfg 'nodes = 4;' 'length = [4, 5];'
sweep one/same.cfg
check 'two of one name: the first' test "$code" = 0
sweep two/same.cfg
complains 'two of one name: the second' 3 'same.sqlite has the points of ' one/same.cfg '--db'
export_ build/sweeps/same.sqlite --columns length
check 'two of one name: the first is kept' test "$(tr '\n' ' ' <out)" = 'length 2 3 '
sweep one/same.cfg
check 'two of one name: the first goes on' test "$code" = 0
sweep two/same.cfg --db other.sqlite
check 'two of one name: another file' test "$code" = 0
mv one/same.cfg one/moved.cfg && mv one/moved.cfg same.cfg
sweep same.cfg
check 'a sweep file that moved goes on' test "$code" = 0

# -- nothing is overwritten ---------------------------------------------------------------------------

ln -s other.sqlite soft.svg
ln other.sqlite hard.svg
before=$(cksum <other.sqlite)
for o in other.sqlite ./other.sqlite soft.svg hard.svg; do
  export_ other.sqlite --output $o
  complains "export over its results, $o" 2 "--output $o is the results file that is read; allowed: another file"
done
for o in soft.svg hard.svg; do
  plot other.sqlite --x length --output $o
  complains "plot over its results, $o" 2 "--output $o is the results file that is read; allowed: another file"
done
check 'the results are as they were' test "$before" = "$(cksum <other.sqlite)"
export_ k.sqlite --output old.csv 2>/dev/null
printf 'older\n' >old.csv
run bash -c 'ulimit -f 0; exec "$0" export other.sqlite --output old.csv' "$fatfly"
check 'export: a full disk keeps the older file' test "$code $(cat old.csv)" = '4 older'
check 'export: nothing half-written' absent old.csv.part

# -- wrong use ----------------------------------------------------------------------------------------

sweep
complains 'sweep: no file' 2 'no sweep file'
sweep k.cfg s.cfg
complains 'sweep: two files' 2 's.cfg after k.cfg'
sweep k.cfg --thread 2
complains 'sweep: an unknown option' 2 '--thread: no such option; nearest: --threads'
for v in 0 257 x -1 ''; do
  sweep k.cfg --threads "$v"
  complains "sweep: --threads '$v'" 2 "--threads ${v:-''}; allowed: a whole number, 1 to 256"
done
sweep k.cfg --threads
complains 'sweep: no value' 2 '--threads needs a value'
sweep k.cfg --format=xml
complains 'sweep: --format=xml' 2 '--format xml; allowed: table, csv, json'
sweep k.cfg --dry-run=1
complains 'sweep: --dry-run=1' 2 'without a value'
export_
complains 'export: no file' 2 'no results file'
export_ whole.sqlite --format yaml
complains 'export: --format yaml' 2 'allowed: table, csv, json'
export_ whole.sqlite --columns nodes,lod
complains 'export: --columns' 2 '--columns lod: no such column or setting; nearest: load'
export_ whole.sqlite --columns nodes,,load
complains 'export: --columns with a gap' 2 'allowed: names with commas'
export_ whole.sqlite --columns load,load
complains 'export: a column twice' 2 'load twice'
export_ whole.sqlite --where nodes
complains 'export: --where without =' 2 'allowed: NAME=VALUE'
export_ whole.sqlite --where nods=16
complains 'export: --where, no such name' 2 'nearest: nodes'
export_ whole.sqlite --where nodes=63
complains 'export: --where, no such value' 2 '--where nodes=63: no point; nodes is 16, 64'
export_ whole.sqlite --where nodes=64 --where nodes=16
complains 'export: --where, no such pair: what the first left' 2 '--where nodes=16: no point; nodes is 64'
printf '%s\n' 1 2 3 0 >turn
printf '%s\n' 3 2 1 0 >turned
printf '%s\n' 2 3 0 1 >'turn;ed' # a key has a colon for the semicolon
file files.cfg 'nodes = 4;' 'permutation = ["turn", "turned", "turn;ed"];'
sweep files.cfg --db files.sqlite
for name in turn 'turn;ed' turned; do
  export_ files.sqlite --where "permutation=$name" --columns permutation
  check "export: --where, a file by its name, $name" test "$(sed 's/#[0-9a-f]*$//' out | xargs)" = "permutation ${name//;/:}"
done
export_ files.sqlite --where "permutation=$(tail -n 1 out)" --columns permutation
check 'export: --where, a file and what was in it' test "$(wc -l <out)" = 2
for name in tur turn# turned#0123456789abcdef; do
  export_ files.sqlite --where "permutation=$name"
  complains "export: --where, no such file, $name" 2 "permutation=$name: no point; permutation is turn#"
done
export_ whole.sqlite --output /nowhere/x.csv
complains 'export: no such folder' 4 '/nowhere/x.csv: cannot write'
if [ -e /dev/full ]; then
  for command in sweep export plot; do
    "$fatfly" $command --help >/dev/full 2>err
    code=$?
    check "$command: a full disk under --help" test $code = 4
  done
  export_ whole.sqlite --output /dev/full
  complains 'export: a full disk' 4 '/dev/full: cannot write: No space left'
  "$fatfly" export whole.sqlite >/dev/full 2>err
  code=$? && : >out
  complains 'export: standard output is full' 4 'standard output: cannot write'
fi
cp whole.csv kept.csv
export_ whole.sqlite --columns lod --output kept.csv
check 'export: a wrong option leaves the file there alone' cmp -s kept.csv whole.csv

# -- progress -------------------------------------------------------------------------------------------

if script -qec true /dev/null >/dev/null 2>&1; then # where a terminal can be had
  file half.cfg "$(sed 's/800000/400000/' long.cfg)"
  run script -qec "'$fatfly' sweep '$t/half.cfg' --threads 1 --db '$t/p.sqlite'" /dev/null
  check 'progress on a terminal' grep -q 'of 20 points, .* points/s, [0-9:]* left' out
  # A point that is done at once, and one that takes days.
  file days.cfg 'nodes = 16;' 'load = 0.1;' 'cycles = [100000, 100000000000];'
  script -qec "'$fatfly' sweep '$t/days.cfg' --threads 2 --db '$t/days.sqlite'" /dev/null >days </dev/null 2>err &
  for _ in {1..200}; do
    grep -q left days && break
    sleep 0.1
  done
  kill $! && wait $! 2>/dev/null
  times() { grep -ohE '[^ ]+ left' out days; }
  check 'the time that is left: minutes and seconds, and hours where there are some' test \
    "$(times | grep -vcE '^([0-9]+:)?[0-5]?[0-9]:[0-5][0-9] left$'),$(grep -cE ' [0-9]+:[0-9]+:[0-9]+ left' days)" = 0,1
fi

# -- files that a sweep names, in its own folder or by an absolute name -----------------------------------

mkdir -p named
file named/ring.txt 'nodes 4' 'link 0 1' 'link 1 2' 'link 2 3' 'link 3 0'
file named/back.txt 3 2 1 0
file named/few.csv 't_ns,src,dst,bytes' '0,0,3,50' '70,2,1,90'
printf '%s\n' '0 1 0 0' '0 0 1 0' '0 0 0 1' '1 0 0 0' >named/next.txt
named_file() { # NAME LINE...: @ is the file's folder, none at first, then an absolute one; both must do the same, and in that folder it is done
  local name=$1 folder digests=()
  shift
  for folder in '' "$PWD/named/"; do
    rm -f named.sqlite
    file named/a.cfg "${@//@/"$folder"}"
    sweep named/a.cfg --db named.sqlite
    "$fatfly" export named.sqlite --columns digest >named.csv 2>>err
    digests+=("$code $(tail -n +2 named.csv)")
  done
  check "a sweep elsewhere: $name, by either name: ${digests[*]}" test "${digests[0]}" = "${digests[1]}" -a "${digests[0]% *}" = 0 -a -n "${digests[0]#* }"
  file named/a.cfg "${@//@/}"
  cd named && sweep a.cfg --db ../named.sqlite
  cd .. || exit 4
  works "a sweep elsewhere: $name: done, seen from its folder" '1 points, 0 run now, 1 there before'
  run "$fatfly" sweep named/a.cfg --db named.sqlite
  works "a sweep elsewhere: $name: done, seen from another" '1 points, 0 run now, 1 there before'
}
named_file graph 'topology = "graph:@ring.txt";' 'discipline = "store";' 'length = 1;' 'load = [0.1];'
named_file permutation 'nodes = 4;' 'permutation = "@back.txt";' 'load = [0.1];'
named_file trace 'nodes = 4;' 'trace = "@few.csv";' 'depth = [2];'
named_file matrix 'nodes = 4;' 'matrix = "@next.txt";' 'load = [0.1];'

# Such a file may be large: a change at its end is a change.
changed_file() { # NAME FILE SED LINE...: SED changes the end of FILE
  local name=$1 at=named/$2 change=$3 before
  shift 3
  rm -f named.sqlite
  file named/a.cfg "$@"
  sweep named/a.cfg --db named.sqlite
  before=$(grep -c '1 points, 1 run now, 0 there before' out)
  sed -i "$change" "$at"
  sweep named/a.cfg --db named.sqlite
  check "a sweep anew where the end of a file of $(wc -c <"$at") bytes changed: $name" \
    test "$before $code $(grep -c ' 1 run now, ' out)" = '1 0 1' -a "$(wc -c <"$at")" -gt 16384
}
long_file() { awk -v last=4095 "BEGIN { $2 }" >"named/$1"; }
long_file chord.txt 'print "nodes 4\nlink 0 1\nlink 1 2\nlink 2 3\nlink 3 0"; for (k = 0; k < last; k++) print "# line", k; print "link 0 2"'
long_file back.txt 'for (k = last; k >= 0; k--) print k'
long_file few.csv 'print "t_ns,src,dst,bytes"; for (k = 0; k < last; k++) print 9 * k ",0,3,50"; print 9 * k ",2,1,90"'
long_file next.txt 'for (k = 0; k < last; k++) print "# line", k; print "0 1 0 0\n0 0 1 0\n0 0 0 1\n1 0 0 0"'
changed_file graph chord.txt '$ s/0 2/1 3/' 'topology = "graph:chord.txt";' 'discipline = "store";' 'length = 1;' 'load = [0.1];'
changed_file permutation back.txt '$ s/0/1/; 4095 s/1/0/' 'nodes = 4096;' 'permutation = "back.txt";' 'runs = 1;' 'length = [2];'
changed_file trace few.csv '$ s/90/91/' 'nodes = 4;' 'trace = "few.csv";' 'depth = [2];'
changed_file matrix next.txt '$ s/1/2/; $ s/0/1/' 'nodes = 4;' 'matrix = "next.txt";' 'load = [0.1];'

# -- rows by what they have: every value of every column, some close to others ----------------------------------

file near.cfg 'nodes = 16;' 'seed = [20261126, 20261127, 999999999999999998, 999999999999999999];' 'load = [0.1, 0.1000001, 0.2];' 'cycles = 2000;' 'warmup = 0;'
sweep near.cfg --db near.sqlite
chosen() { # each value of each column that is not a time or a result of floating point chooses its rows and no others
  python3 -c 'import csv, subprocess, sys
def rows(*where):
    out = subprocess.run([sys.argv[1], "export", "near.sqlite", *where], capture_output=True, text=True).stdout
    return list(csv.DictReader(out.splitlines()))
every, tries = rows(), 0
for name in every[0]:
    for value in {row[name] for row in every} - {""}:
        if name not in ("cpu_s", "wall_s"):
            tries += 1
            want = [row["digest"] for row in every if row[name] == value]
            got = [row["digest"] for row in rows("--where", f"{name}={value}")]
            if got != want: sys.exit(f"{name}={value}: {len(got)} rows, not {len(want)}")
print(tries)
sys.exit(len(every) != 12 or tries < 60)' "$fatfly"
}
check 'export: --where chooses the rows of every value of every column, and no others' chosen

# -- plots -------------------------------------------------------------------------------------------------

# Curves of one plot differ in colour, dash or mark.
file curves.cfg 'nodes = 16;' 'length = [1, 2];' 'depth = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];' 'path = ["rp", "fp"];' 'runs = 1;'
sweep curves.cfg --db curves.sqlite
mkdir -p drawn && printf '#!/bin/sh\ncat >%s\nexit 0\n' "$PWD/drawn/script" >drawn/gnuplot && chmod +x drawn/gnuplot
PATH=$PWD/drawn:$PATH "$fatfly" plot curves.sqlite --x length --y last_arrival_mean --series path,depth --output curves.svg >out 2>err
check 'plot: 24 curves, no two alike' test "$(grep -o "with linespoints linewidth [^']*'[^']*'" drawn/script | sort -u | wc -l)" = 24
# As many settings as are needed tell curves apart.
file apart.cfg 'nodes = 16; length = [2, 4]; runs = 1; points = ({ depth = 2; }, { depth = 3; }, { vcs = 2; }, { path = "fp"; }, { scan = "fo"; },' \
  '{ pattern = "complement"; }, { seed = 2; }, { rounds = 2; }, { delay_range = 2; }, { discipline = "store"; }, { flit_bits = 64; },' \
  '{ lengths = "uniform"; }, { self_traffic = true; }, { topology = "mesh"; }, { hotspot = 0.5; pattern = "hotspot"; },' \
  '{ reply = "3"; load = 0.1; cycles = 64; warmup = 0; });'
sweep apart.cfg --db apart.sqlite
PATH=$PWD/drawn:$PATH "$fatfly" plot apart.sqlite --x length --y latency_mean --output apart.svg >out 2>err
check 'plot: 16 curves that differ in one setting each' test "$(grep -o "title '[^']*'" drawn/script | sort -u | wc -l)" = 16

for k in 0.69 0.7; do
  file slowly.cfg 'nodes = 4; length = 1; cycles = 300000; warmup = 1000; runs = 1;' "load = [0.5, $k];"
  sweep slowly.cfg --db slowly-$k.sqlite
  PATH=$PWD/drawn:$PATH "$fatfly" plot slowly-$k.sqlite --output slowly.svg >out 2>err; grep -o "'saturated[^']*'" drawn/script
done >legends
check 'plot: the triangle of an undecided point says so' test "$(cat legends)" = "'saturated or undecided'
'saturated'"

file ranges.cfg 'nodes = [16, 64];' 'load = [0.02, 0.05, 0.1, 0.15, 0.2, 0.9];' 'cycles = 20000;'
sweep ranges.cfg --db ranges.sqlite
check 'plot: what is drawn is what the results say, for 20 pairs of ranges' python3 -B "$root/tb/cli/plot_script.py" "$fatfly" ranges.sqlite
cp ranges.sqlite older.sqlite # of a version that had no ends of intervals
change older.sqlite 'DROP VIEW result; ALTER TABLE point DROP COLUMN "latency_low"; ALTER TABLE point DROP COLUMN "latency_high"'
check 'plot: ... of an older file, too' python3 -B "$root/tb/cli/plot_script.py" "$fatfly" older.sqlite
for k in nodes length; do # one that goes along with the load tells no curves apart, but the model is of one
  file along.cfg "points = ( { load = 0.05; $k = 16; }, { load = 0.1; $k = 64; } );" 'cycles = 2000;'
  sweep along.cfg --db along-$k.sqlite
  plot along-$k.sqlite --model gg --output along.svg
  complains "plot: the model of a curve with two values of $k" 2 'has several nodes or lengths; allowed: one of each'
done
if command -v gnuplot >/dev/null; then
  plot build/sweeps/s.sqlite --where pattern=random --output a.svg
  works 'plot: SVG'
  check 'plot: SVG is one' grep -q '</svg>' a.svg
  if command -v python3 >/dev/null; then
    check 'plot: SVG is XML' python3 -c 'import xml.dom.minidom as m; m.parse("a.svg")'
  fi
  for text in 'Test' 'L = 32, q = 2' '>path rp, N = 16<' '>path fp, N = 64<' '>on the way there<' 'bars: 99 % intervals' '>saturated<' 'offered load (flits per cycle' 'mean latency of a worm (cycles)'; do
    check "plot: SVG has '$text'" grep -qF "$text" a.svg
  done
  plot build/sweeps/s.sqlite --where pattern=random --output a.png --title "It's <b> a_1 & ^2" --log y --model gg
  works 'plot: PNG'
  check 'plot: PNG is one' test "$(head -c 8 a.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a
  check 'plot: PNG is not empty' test "$(wc -c <a.png)" -gt 10000
  plot build/sweeps/s.sqlite --where pattern=random --output b.svg --title "It's <b> a_1 & ^2" --model gg
  check 'plot: any title, as it is' grep -qE "It('|&#39;|&apos;)s &lt;b(>|&gt;) a_1 &amp; \^2" b.svg
  # gnuplot takes quotes, backslashes, backquotes and more for its own in one place or another.
  titled() {
    # shellcheck disable=SC2016 # a title has a $
    python3 -c '
import subprocess, sys, xml.dom.minidom
for title in ("\x27", "\x27\x27", "\x27a", "a\x27", "\x27a\x27\x27b\x27", "a \x27 b", "\"", "\"a\"", "`id`", "\\", "a\\\x27b", "$x @y %d", "{/Bold a}", "a#b;c"):
    subprocess.run([sys.argv[1], "plot", "ranges.sqlite", "--where", "nodes=16", "--output", "title.svg", "--title", title], check=True)
    texts = ["".join(part.data for part in node.childNodes if part.nodeType == part.TEXT_NODE) for node in xml.dom.minidom.parse("title.svg").getElementsByTagName("*")]
    if not any(text.strip() == title for text in texts): sys.exit(f"{title}: {[text for text in texts if text.strip()][-9:]}")
' "$fatfly"
  }
  check 'plot: titles of odd characters, as they are' titled
  # What XML cannot have, and UTF-8 that is cut, are question marks; in JSON U+FFFD.
  for text in $'a\xffb' $'\xed\xa0\x80' $'\xef\xbf\xbe' $'cut \xc3'; do
    plot ranges.sqlite --where nodes=16 --output title.svg --title "$text"
    check "plot: a title that is no text, $(printf %q "$text")" python3 -c 'import xml.dom.minidom as m; m.parse("title.svg")'
  done
  long=$(printf 'ä%.0s' {1..80})
  seq 15 -1 0 >"x$long.txt" && seq 0 15 >"xy$long.txt"
  file cut.cfg 'nodes = 16;' 'load = [0.05, 0.1];' 'cycles = 1000;' 'pattern = "permutation";' "permutation = [\"x$long.txt\", \"xy$long.txt\"];"
  sweep cut.cfg
  plot build/sweeps/cut.sqlite --output title.svg
  check 'plot: long names that are cut' python3 -c 'import xml.dom.minidom as m; m.parse("title.svg")'
  check 'plot: the model, and of what' grep -qF 'model GG: V = 1, path rg, scan fcfs' b.svg
  plot build/sweeps/s.sqlite --where pattern=random --where nodes=16 --xrange 0.03:0.12 --yrange 30: --output b.svg
  works 'plot: --xrange --yrange'
  check 'plot: an axis that does not begin at 0 is marked' grep -qF 'axis from 30' b.svg
  for range in 1 a:b 2:1 '' nan:1 1:2:3 0:inf; do
    plot build/sweeps/s.sqlite --where pattern=random --yrange "$range" --output refused.svg
    complains "plot: --yrange '$range'" 2 'allowed: LOW:HIGH'
  done
  plot build/sweeps/s.sqlite --where pattern=random --xrange -1: --log x --output refused.svg
  complains 'plot: --xrange with a logarithmic axis' 2 'above 0'
  file near.cfg 'nodes = 64;' 'cycles = 20000;' 'load = [0.02, 0.05, 0.08, 0.1, 0.12, 0.14, 0.18, 0.25];'
  sweep near.cfg --db near.sqlite
  plot near.sqlite --output near.svg
  works 'plot: a point near saturation'
  check 'plot: a point near saturation does not squeeze the others' grep -qF '>above the axis<' near.svg
  check 'plot: a point near saturation: the axis ends before it' test "$(grep -cE '> *[3-9][0-9]{2}<' near.svg)" = 0
  plot build/sweeps/s.sqlite --where pattern=complement --where path=rp --x nodes --series length --y latency_mean --output c.svg
  works 'plot: latency against size'
  check 'plot: latency_mean of static points is of worms' grep -qF 'mean latency of a worm (cycles)' c.svg
  check 'plot: and who asks for it is told' grep -qF 'is last_arrival_mean' err
  plot build/sweeps/s.sqlite --where pattern=complement --where path=rp --x nodes --series length --output c.svg
  works 'plot: static points: the last arrival'
  check 'plot: static points: its axis' grep -qF 'last arrival (cycles)' c.svg
  plot build/sweeps/s.sqlite --where pattern=complement --where path=rp --x length --output d.svg
  works 'plot: latency against length'
  plot build/sweeps/s.sqlite --where load=0.9 --y accepted_load --x nodes --output e.svg
  works 'plot: accepted load'
  # What differs is named, with its unit, and the curves have the room.
  file legend.cfg 'points = ({ nodes = 64; load = [0.05, 0.1]; }, { topology = "torus"; radix = 8; vcs = 2; load = [0.05, 0.1]; });' \
    'length = 16;' 'cycles = 20000;'
  sweep legend.cfg --db legend.sqlite
  plot legend.sqlite --output legend.svg
  check 'plot: what differs is named, not only what tells curves apart' grep -qF '>fat-tree, path rp, scan rr, V = 1<' legend.svg
  check 'plot: a long legend stands below' grep -qF 'height="621"' legend.svg
  file bars.cfg 'nodes = 64;' 'length = 8;' 'load = 0.05;' 'cycles = 10000;' 'seed = [1, 2, 3, 4, 5, 6];'
  sweep bars.cfg --db bars.sqlite
  plot bars.sqlite --x seed --output bars.svg
  least=$("$fatfly" export bars.sqlite --columns latency_low | tail -n +2 | sort -n | head -n 1)
  from=$(sed -n 's/.*axis from \([0-9.]*\).*/\1/p' bars.svg | head -n 1)
  check "plot: bars are in the picture, from $from to below $least" awk -v a="$from" -v b="$least" 'BEGIN { exit !(a > 0 && a < b) }'
  file class.cfg 'nodes = 16;' 'classes = 2;' 'class_length = "2,16";' 'load = [0.02, 0.05, 0.2];' 'cycles = 5000;'
  sweep class.cfg --db class.sqlite
  plot class.sqlite --y class1_latency_mean --output class.svg
  check 'plot: a class has its unit' grep -qF '>class 1: mean latency of a worm (cycles)<' class.svg
  plot near.sqlite --model gg --output near.svg
  check 'plot: one curve beside the model is named' grep -qF '>simulation<' near.svg
  check 'plot: nothing half-written is left' test -z "$(find . -name '*.part')"

  cp a.png kept.png
  refuses_plot() { # NAME CODE TEXT OPTION...
    plot build/sweeps/s.sqlite --output a.png "${@:4}"
    complains "plot: $1" "$2" "$3"
  }
  refuses_plot 'no such y' 2 '--y latncy_mean: no such column or setting; nearest: latency_mean' --y latncy_mean
  refuses_plot 'no such x' 2 'nearest: load' --x loda
  refuses_plot 'no such series' 2 '--series paht: no such column or setting; nearest: path' --series paht
  refuses_plot 'y of words' 2 "--y path: 'rp' is not a number" --y path
  refuses_plot 'x of words' 2 "--x pattern: 'random' is not a number" --x pattern
  refuses_plot 'x that some points lack' 2 "--x load: 'none' is not a number" --x load
  refuses_plot 'x is y' 2 'two different ones' --x load --y load
  refuses_plot 'two points of one curve' 2 "two points of curve '" --series nodes --where pattern=random
  for at in 4 6 9; do # at the first x, between, at the last
    file twice.cfg 'nodes = 4;' "points = ( { length = [4, 6, 9]; }, { length = $at; seed = 2; } );"
    sweep twice.cfg --db twice-$at.sqlite
    plot twice-$at.sqlite --x length --series nodes --output a.png
    complains "plot: two points over $at alone" 2 "two points of curve 'N = 4' at length = $at;"
  done
  refuses_plot 'series is x' 2 '--series load is the x axis' --series load --where pattern=random
  refuses_plot 'a wrong --log' 2 '--log z; allowed: none, x, y, xy' --log z
  refuses_plot 'all saturated' 2 'all are saturated' --where load=0.9 --x nodes
  refuses_plot 'logarithm of 0' 2 '--log y: saturated is 0' --y saturated --log y --where pattern=random
  refuses_plot 'a wrong model' 2 '--model mm1' --model mm1 --where pattern=random
  refuses_plot 'a model without load' 2 'allowed: --x load' --model gg --where pattern=complement
  file off.cfg 'topology = "torus"; radix = 4; length = 4; cycles = 1000; warmup = 500; load = [0.02, 0.05];'
  sweep off.cfg
  file store.cfg 'nodes = 16; discipline = "store"; length = 4; cycles = 1000; warmup = 500; load = [0.02, 0.05];'
  sweep store.cfg
  file far.cfg 'nodes = 16; pattern = "complement"; length = 4; cycles = 1000; warmup = 500; load = [0.02, 0.05];'
  sweep far.cfg
  file vary.cfg 'nodes = 16; lengths = "bimodal"; length = 4; cycles = 1000; warmup = 500; load = [0.02, 0.05];'
  sweep vary.cfg
  for k in 'off topology torus fat-tree' 'store discipline store worm' 'far pattern complement random' 'vary lengths bimodal fixed'; do
    # shellcheck disable=SC2086 # words
    set -- $k
    plot "build/sweeps/$1.sqlite" --model gg --output b.svg
    complains "plot: the model of $3" 2 "--model gg with a point whose $2 is $3; allowed: only $4, which the model is of"
  done
  plot build/sweeps/off.sqlite --yrange :1 --output b.svg
  complains 'plot: an end below all points' 2 '--yrange :1 with LOW = ' ', as the points are; allowed: LOW below HIGH'
  refuses_plot 'nothing varies' 2 'allowed: --x NAME' --where pattern=random --where nodes=16 --where path=rp --where load=0.1
  refuses_plot 'two titles' 2 'allowed: once' --title a --title b
  plot build/sweeps/s.sqlite --output a.pdf
  complains 'plot: .pdf' 2 'ends in .svg or .png'
  plot build/sweeps/s.sqlite
  complains 'plot: no --output' 2 'no --output'
  plot build/sweeps/s.sqlite --where pattern=random --output /nowhere/a.svg
  complains 'plot: no such folder' 4 '/nowhere/a.svg: cannot write'
  mkdir empty fake
  printf '#!/bin/sh\necho "line 1: terminal is unknown" >&2\nexit 1\n' >fake/gnuplot && chmod +x fake/gnuplot
  run env PATH="$t/empty" "$fatfly" plot build/sweeps/s.sqlite --where pattern=random --output a.png
  complains 'plot: no gnuplot' 4 'install the package gnuplot-nox'
  run env PATH="$t/fake" "$fatfly" plot build/sweeps/s.sqlite --where pattern=random --output a.png
  complains 'plot: a gnuplot that fails' 4 'gnuplot drew nothing: line 1: terminal is unknown'
  run bash -c "ulimit -f 8; exec \"\$0\" plot build/sweeps/s.sqlite --where pattern=random --output a.png" "$fatfly"
  complains 'plot: a full disk' 4 'a.png'
  check 'plot: a picture that was there is still whole' cmp -s a.png kept.png
  check 'plot: nothing half-written is left after failures' test -z "$(find . -name '*.part')"
  file empty.cfg 'nodes = 64;' 'load = 0.1;' 'cycles = 900000000;'
  for seconds in 0.3 1 3 9; do # until it has come as far as opening its file
    timeout -s INT $seconds "$fatfly" sweep empty.cfg >/dev/null 2>&1
    [ -e build/sweeps/empty.sqlite ] && break
  done
  plot build/sweeps/empty.sqlite --output z.svg
  complains 'plot: no points yet' 2 'has no points yet'
else
  plot build/sweeps/s.sqlite --where pattern=random --output a.svg
  complains 'plot: no gnuplot' 4 'install the package gnuplot-nox'
fi

ends
