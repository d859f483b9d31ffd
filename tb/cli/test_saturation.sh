#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_saturation.sh - `fatfly saturation` as a person meets it: what it refuses, what it finds, and that every
# trial it shows is a point of `fatfly run`.
#
# usage: test_saturation.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command.
# Prints a line a check and `N passed, N failed`.  Nothing is written outside a temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
the_command
scratch

runner=("$fatfly" saturation)
cell() { # NAME: of the CSV in $t/out
  awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k } NR == 2 { print $at }' "$t/out"
}
true_of() { awk "BEGIN { exit !($1) }"; } # arithmetic

# -- what is said ----------------------------------------------------------------------------------

# Rows of different networks can be told apart: every column of fatfly run that is a setting, with its value.
run --topology mesh --radix 4 --classes 2 --class-priority 1,0,1,0 --reply 2,1 --reply-delay 3 --class-share 1,2 \
  --class-pattern random,transpose --class-length 2,3 --class-channels reserved --cycles 1000 --precision 0.5 --format csv
for pair in classes=2 class_length=2/3 class_pattern=random/transpose class_share=1/2 class_channels=reserved reply=2/1 reply_delay=3; do
  check "CSV: $pair" test "$(cell "${pair%=*}")" = "${pair#*=}"
done
check 'CSV: priorities' test "$(cell class_priority)" = 1/0/1/0

# -- what is refused -------------------------------------------------------------------------------

# refuses CODE TEXT ARGUMENT...
refuses() {
  local want=$1 text=$2
  shift 2
  skipped "refused: $*" && return
  run "$@"
  complains "refused: $*" "$want" "$text"
}
for share in 0 1.01 -1 nan x ''; do
  refuses 2 '; allowed: none, or a number, 0.000100 to 1' --precision "$share"
done
refuses 2 '--load is no option of fatfly saturation; allowed: in fatfly run, sweep files' --load 0.1
refuses 2 '--rounds is no option of fatfly saturation; allowed: in fatfly run' --rounds 2
refuses 2 '--waves is no option of fatfly saturation; allowed: in fatfly run' --waves x.fst
refuses 2 '--presicion: no such option; nearest: --precision; fatfly saturation --help shows all' --presicion 0.1
refuses 2 'saturation: no such option; fatfly saturation --help shows all' saturation
for discipline in univ phased cmsv1; do
  refuses 2 "fatfly saturation with --discipline $discipline; allowed: only with --discipline worm, store or split" \
    --discipline "$discipline"
done
refuses 2 '--engine rtl with fatfly saturation; allowed: only in fatfly run' --engine rtl
refuses 2 'fatfly saturation with --pattern trace; allowed: only with another --pattern' --pattern trace
refuses 2 '--nodes 1; allowed: 4^n with n = 1 to 10; nearest: 4' --nodes 1
printf 'nodes 1\nprocessor 0 0\n' >"$t/one.txt"
refuses 3 'one.txt:1: nodes: count 1; allowed: 2 to ' --topology "graph:$t/one.txt"
printf 'nodes 2\nprocessor 0 0\nlink 0 1\nlink 1 0\n' >"$t/one.txt"
refuses 3 'one.txt' --topology "graph:$t/one.txt"
refuses 2 'no worm entered the network at load 1: it cannot saturate' --nodes 16 --pattern identity --cycles 1000
refuses 2 'stable at load 1, the most that can be offered: it cannot saturate' --nodes 16 --pattern neighbour \
  --length 1 --cycles 1000
refuses 2 '--max-cycles 999 with --cycles 1000; allowed: 1000 to ' --cycles 1000 --max-cycles 999
refuses 4 'none/x: cannot write: No such file' --nodes 16 --output "$t/none/x"
printf 'nodes = 16;\nload = 0.1;\n' >"$t/c.cfg"
refuses 3 'c.cfg:2: load in the configuration of a saturation load; allowed: in fatfly run' --config "$t/c.cfg"
printf 'nodes = 16;\nprecision = 0;\n' >"$t/c.cfg"
refuses 3 'c.cfg:2: precision = 0; allowed: none, or a number' --config "$t/c.cfg"
# The memory that a trial may take is said before it is run: at the load that is tried first, far above saturation,
# worms wait by the million.  A search whose trials fit begins.
few='refused: trials beyond memory'
if ! skipped "$few" && [ -n "$(ulimit -v 1000000 && "$fatfly" --version 2>"$t/err")" ]; then # sanitizers want more
  (ulimit -v 1000000 && exec "$fatfly" saturation --nodes 16384 --length 1 --cycles 100) >"$t/out" 2>"$t/err"
  code=$?
  complains "$few" 4 'a network of 16384 processors needs ' 'GB of memory; 1.0 GB are there'
  check "$few: none was run" test ! -s "$t/out" -a "$(grep -c trial "$t/err")" = 0
  (ulimit -v 1000000 && exec "$fatfly" saturation --nodes 256 --length 1 --cycles 100 --precision 0.5) >"$t/out" 2>"$t/err"
  check 'trials that fit are run' test "$? $(grep -c '^fatfly saturation: trial 1: ' "$t/err")" = '0 1'
fi

refusals_end

# -- what it finds ---------------------------------------------------------------------------------

small=(--nodes 16 --length 4 --cycles 5000 --precision 0.1)
run "${small[@]}"
check 'a table' test "$code" = 0
for text in 'network      16 processors; worm' 'worms        4 flits, pattern random' 'saturation   0.3' '% apart' \
  'stable' 'digest       ' 'simulated    '; do
  check "a table: $text" grep -qF -- "$text" "$t/out"
done
trials=$(awk '/^trials/ { print $2 + 0 }' "$t/out")
check 'a log: a line a trial' test "$trials" -gt 4 -a "$(grep -c '^fatfly saturation: trial .*; between ' "$t/err")" = "$trials"
run "${small[@]}" --format csv
cp "$t/out" "$t/first.csv"
check 'CSV: a header and a line' test "$code $(wc -l <"$t/out") $(cell end)" = '0 2 found'
# Over a million cycles, seed 5, load 0.355 is stable and 0.360 saturated.
check 'what is found agrees with long runs' true_of "$(cell saturation_low) < 0.360 && $(cell saturation_high) > 0.355"
check 'the precision is met' true_of "$(cell precision) <= 0.1 && \
  2 * ($(cell saturation_high) - $(cell saturation_low)) <= 0.1 * ($(cell saturation_high) + $(cell saturation_low))"
check 'the latency is that of the lower end' true_of "$(cell latency_low) < $(cell latency_mean) && $(cell latency_mean) < $(cell latency_high)"
timeless() { printed | sed 's/,[0-9.]*,\([0-9a-f]*\)$/,\1/'; } # without the seconds
first=$(timeless) digest=$(got digest)
run "${small[@]}" --format csv --threads 1
alike 'the same again, with one thread' "$(timeless)" "$first"
run "${small[@]}" --format csv --seed 2
unlike 'another with another seed' "$(got digest)" "$digest"
run "${small[@]}" --format json --output "$t/s.json"
check 'JSON: in a file, says what CSV says; each trial is a point of fatfly run' python3 - "$t/s.json" "$t/first.csv" "$fatfly" <<'PY'
import csv, io, json, subprocess, sys
found = json.load(open(sys.argv[1]))
cells = next(csv.DictReader(open(sys.argv[2])))
assert list(found) == list(cells) + ["steps"]
for name, cell in cells.items():
    value = found[name]
    assert name == "cpu_s" or (value is None and cell == "") or value == cell or value == float(cell), name
assert len(found["steps"]) == found["trials"]
low = max(s["load"] for s in found["steps"] if s["verdict"] == "stable")
high = min(s["load"] for s in found["steps"] if s["verdict"] == "saturated")
assert abs(low - found["saturation_low"]) < 1e-9
assert abs(high - found["saturation_high"]) < 1e-9 and low < high
for step in found["steps"]:
    point = subprocess.run([sys.argv[3], "run", "--nodes", "16", "--length", "4", "--load", repr(step["load"]), "--cycles",
                            str(step["cycles"]), "--format", "csv"], check=True, capture_output=True, text=True).stdout
    row = next(csv.DictReader(io.StringIO(point)))
    assert (row["digest"], row["verdict"]) == (step["digest"], step["verdict"]), step
PY
check 'JSON: nothing half-written' test "$code" = 0 -a ! -e "$t/s.json.part"

run --nodes 4 --length 2 --cycles 1000 --format csv
digest=$(got digest)
run --nodes 4 --length 2 --cycles 1000 --format csv --precision 0.02
alike 'as precise by itself as the help says' "$digest" "$(got digest)"
# A deadlock of any of several runs of a trial ends the search, as it does fatfly run.
some=0
for seed in {1..8}; do
  torus=(--topology torus --radix 4 --path minimal-adaptive --vcs 1 --force --length 3 --runs 3 --cycles 64 --seed "$seed")
  "$fatfly" run "${torus[@]}" --load 1 --warmup 0 >"$t/out" 2>"$t/err"
  want=$? && grep -q 'deadlock  *in [12] of 3' "$t/out" && some=$((some + 1))
  run "${torus[@]}" --warmup 0
  check "a deadlock in a run of the first trial, seed $seed" test $want -ne 1 -o "$code $(grep -c '^fatfly saturation: load 1: deadlock in' "$t/err")" = '1 1'
done
check 'in some trials not all runs deadlock' test $some -gt 0

# finds NAME LOW HIGH ARGUMENT...: both ends are between.
finds() {
  local name=$1 low=$2 high=$3
  shift 3
  skipped "$name" && return
  run --cycles 5000 --precision 0.1 --length 4 --format csv "$@"
  check "$name: $(cell saturation_low) to $(cell saturation_high)" true_of \
    "$code == 0 && \"$(cell end)\" != \"undecided\" && $(cell saturation_low) > $low && $(cell saturation_high) <= $high"
}
finds 'a torus' 0.38 0.48 --topology torus --radix 4
finds 'a mesh' 0.40 0.52 --topology mesh --radix 4
finds 'a hypercube' 0.75 0.9 --topology hypercube --nodes 16
finds 'a butterfly that carries all' 0.9 1 --topology butterfly --nodes 8 --discipline store
finds 'several runs' 0.32 0.4 --nodes 16 --runs 4
finds 'split' 0.28 0.36 --nodes 16 --discipline split
finds 'store' 0.18 0.25 --nodes 16 --discipline store
finds 'two virtual channels' 0.3 0.5 --nodes 16 --vcs 2
run --nodes 16 --length 4 --cycles 5000 --precision 0.3 --arrivals on-off --burst-on 100 --burst-off 1000 --max-cycles 20000
check 'bursts: no more is offered than can be' test "$code $(grep -c '1.000000  ' "$t/out")" = '0 0'
check 'bursts: what can be offered is tried' grep -qE '^ +0.363636 +5000  saturated' "$t/out"
run --nodes 16 --length 4 --cycles 2000 --max-cycles 2000 --precision 0.001
check 'too few cycles: undecided, and how many would do' test "$code $(grep -c 'undecided: not within 0.1 %; the loads between need about [0-9]* cycles (--max-cycles, now 2000)' "$t/out")" = '0 1'
run --nodes 16 --length 4 --cycles 2000 --max-cycles 2000 --precision 0.001 --format csv
check 'too few cycles: in CSV' true_of "\"$(cell end)\" == \"undecided\" && $(cell cycles_needed) > 2000"

# -- Ctrl-C and a terminal -------------------------------------------------------------------------

# A shell that is not interactive makes background jobs deaf to Ctrl-C; a terminal does not.
python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$fatfly" saturation --nodes 16 --length 4 --cycles 20000 --precision 0.0001 \
  --max-cycles 1000000000000 --output "$t/i.txt" >"$t/out" 2>"$t/err" </dev/null &
pid=$!
at_work "$pid"
for _ in {1..100}; do
  [ "$(wc -l <"$t/err")" -gt 5 ] && break
  sleep 0.1
done
kill -s INT "$pid"
for _ in {1..30}; do
  kill -0 "$pid" 2>/dev/null || break
  sleep 0.2
done
ended=yes
kill -0 "$pid" 2>/dev/null && ended=no && kill -KILL "$pid"
wait "$pid" 2>/dev/null
code=$?
check 'interrupted: ends at once, exit code 4' test "$ended $code" = 'yes 4'
check 'interrupted: says between which loads' grep -qE '^fatfly saturation: interrupted after [0-9]+ trials; saturation is between 0[.0-9]* and [01][.0-9]*$' "$t/err"
check 'interrupted: what is known is written' grep -qF 'interrupted: not within 0.01 %' "$t/i.txt"
if command -v script >/dev/null 2>&1; then
  script -qec "'$fatfly' saturation --nodes 16 --length 4 --cycles 2000 --precision 0.3" /dev/null >"$t/tty" 2>/dev/null </dev/null
  check 'a terminal shows progress' grep -qE 'trial 2: load 0\.[0-9]+, 2000 cycles' "$t/tty"
  check 'a terminal shows no log' test "$(grep -c 'saturation   0' "$t/tty") $(grep -c 'fatfly saturation: trial' "$t/tty")" = '1 0'
fi

ends
