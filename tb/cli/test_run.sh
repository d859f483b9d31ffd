#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_run.sh - `fatfly run` as a person meets it: what it refuses, what it prints, what it leaves.
#
# usage: test_run.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command.
# Wants build/rtl/n16-v1-q2-w32-rp-rr.so (BUILD= for another folder).
# Prints a line a check and `N passed, N failed`.  Nothing is written outside a temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
the_command
needs "$build/rtl/n16-v1-q2-w32-rp-rr.so"
scratch
runner=("$fatfly")

# gives NAME COLUMN WANT ARGUMENT...: a run's CSV says so.
gives() {
  local name=$1 column=$2 want=$3
  shift 3
  run run --format csv "$@"
  check "$name: $column" test "$code $(value "$column")" = "0 $want"
}

# All of a CSV line but the timings.
result() { run run --format csv "$@" && printed | tail -n 1 | cut -d, -f 1-20,23-; }

# -- help and defaults -----------------------------------------------------------------------------

run --help
works 'fatfly --help' 'usage: fatfly COMMAND' run sweep export plot model cosim 'exit codes: 0 done'
run --version
works 'fatfly --version' 'fatfly 0.'
run
check 'no command: usage, exit code 2' test "$code" = 2
run rnu
complains 'an unknown command' 2 'rnu: no such command' 'nearest: run'
run run --help
works 'run --help' 'usage: fatfly run' '--delay-range R' '--load FLITS_PER_CYCLE_PER_NODE' \
  'worm|store|univ|split|phased' 'exit codes: 0 done'
check 'run --help: no line is longer than 100' test "$code $(awk 'length > 100' "$t/out" | wc -l)" = '0 0'
# once PROGRAM: each heading of options stands once in the help of each command.
once() {
  local name='' twice
  for name in $("$1" --help | awk '/^  [a-z]/ { print $1 }'); do
    "$1" "$name" --help >"$t/help" || return
    twice=$(awk '/^  --/ && before ~ /^[a-z]/ && seen[before]++ { print before } { before = $0 }' "$t/help")
    [ -z "$twice" ] || { echo "$name --help has '$twice' twice" && return 1; }
  done
  [ -n "$name" ]
}
check 'no heading stands twice in a help' once "$fatfly"
run run --nodes 16 --help
works 'run --help among options' 'usage: fatfly run'
start=$(date +%s%N)
run run
spent=$((($(date +%s%N) - start) / 1000000))
works 'no option' '64 processors' 'worm, path rp, scan rr, queues of 2 flits' '32 flits, pattern random' \
  '30 static, seed 1' '(99 %, 30 runs)' 'digest'
check "no option: under a second ($spent ms)" test "$code" = 0 -a "$spent" -lt 1000

# -- what is refused -------------------------------------------------------------------------------

# refuses CODE TEXT ARGUMENT...
refuses() {
  local want=$1 text=$2
  shift 2
  run run "$@"
  complains "refused: $*" "$want" "$text"
}
refuses 2 '--depht: no such option; nearest: --depth' --depht 3
refuses 2 'fast: no such option' fast
refuses 2 '--stall is no option of fatfly run; allowed: in cases of fatfly cosim' --stall 10
refuses 2 '--dry-run is no option of fatfly run; allowed: in fatfly sweep' --dry-run
refuses 2 '--levels is no option of fatfly run; allowed: in cases of fatfly cosim, fatfly model' --levels
refuses 2 '--nodes needs a value' --nodes
refuses 2 '--nodes 60; allowed: 4^n with n = 1 to 12; nearest: 16 and 64' --nodes 60
refuses 2 '--depth 17; allowed: auto, unbounded, or a whole number, 1 to 16' --depth 17
refuses 2 '--depth 0; allowed' --depth 0
refuses 2 '--vcs 3; allowed: a whole number, 1, 2 or 4' --vcs 3
refuses 2 '--length 4097; allowed: a whole number, 1 to 4096' --length 4097
refuses 2 "--scan ''; allowed: rr, fo, ff, rot, fcfs" --scan ''
refuses 2 'nearest: complement' --pattern complment
for load in 0 -1 1.01 nan inf 1e999 0x1p-3 x ''; do
  refuses 2 '; allowed: none, or a number, 0.000001 to 1' --load "$load"
done
for share in 0 1.01 -1 x; do
  refuses 2 '; allowed: none, or a number, 0.000100 to 1' --load 0.1 --precision "$share"
done
refuses 2 '--precision 0.1 without --load; allowed: only in an open loop, with --load' --precision 0.1
refuses 2 '--max-cycles 99 with --cycles 100; allowed: 100 to ' --load 0.1 --cycles 100 --max-cycles 99 --precision 0.1
refuses 2 '--seed 18446744073709551616; allowed' --seed 18446744073709551616
refuses 2 '--runs 0; allowed: auto, or a whole number, 1 to 100000' --runs 0
refuses 2 '--parts 0; allowed: a whole number, 1 to 64' --parts 0
refuses 2 'parts = 3; allowed: 1, 2, 4, 8, 16, 32 or 64' --parts 3
refuses 2 '--threads 2 with --parts 4; allowed: only with --parts 1' --threads 2 --parts 4
refuses 2 '--parts 2 with --engine rtl; allowed: only with --engine auto or fast' --parts 2 --engine rtl
refuses 2 '--threads 257; allowed: auto, or a whole number, 1 to 256' --threads 257
refuses 2 '--load 0.1 with --discipline univ; allowed: only with --discipline worm, store or split' \
  --load 0.1 --discipline univ
refuses 2 '--rounds 2 with --load 0.1; allowed: only in a static run' --load 0.1 --rounds 2
refuses 2 '--warmup 100 without --load; allowed: only in an open loop' --warmup 100
refuses 2 'a head of 1048576 processors with path = fp needs 53' --nodes 1048576 --path fp --flit-bits 32
refuses 2 '--vcs 2 with --discipline store; allowed: only with' --vcs 2 --discipline store
refuses 2 '--waves x.lxt; allowed: a file that ends in .fst or .vcd' --waves x.lxt
refuses 2 '--waves x.fst with --runs 2; allowed: only with --runs 1' --waves x.fst --runs 2
refuses 2 '--watch 1 with --engine fast; allowed: only with --engine auto or cycle' --watch 1 --nodes 1024 --engine fast
refuses 2 '--watch 1025; allowed: one of the 1024 worms that this run makes' --watch 1025 --nodes 1024
refuses 2 '--events x with --engine fast; allowed: only with --engine auto or cycle' --events x --engine fast
refuses 2 '--watch 65; allowed: 1 to 64' --watch 65
refuses 2 '--histogram x and --output are one file; allowed: two' --output x --histogram x

# What is written over what is read, under its own name, another path, a link or a symbolic link.
printf 't_ns,src,dst,bytes\n0,1,2,8\n' >"$t/trace.csv"
printf '3\n2\n1\n0\n' >"$t/map"
printf 'nodes = 4;\n' >"$t/own.cfg"
printf 'processors 2\nnodes 2\nlink 0 1\n' >"$t/g.txt"
for k in trace.csv map own.cfg g.txt; do
  ln -sf "$k" "$t/soft-$k"
  ln -f "$t/$k" "$t/hard-$k"
done
# kept FILE OPTION...: refused, and FILE is as it was.
kept() {
  local file=$1 before
  before=$(cksum <"$t/$file")
  shift
  refuses 2 ' are one file; allowed: two' "$@"
  check "kept: $*" test "$before" = "$(cksum <"$t/$file")"
}
for name in "$t/trace.csv" "$t/../$(basename "$t")/trace.csv" "$t/soft-trace.csv" "$t/hard-trace.csv"; do
  for o in --output --histogram --links; do kept trace.csv --nodes 4 --trace "$t/trace.csv" $o "$name"; done
done
kept map --nodes 4 --permutation "$t/map" --links "$t/soft-map"
kept own.cfg --config "$t/own.cfg" --output "$t/hard-own.cfg"
kept g.txt --topology "graph:$t/g.txt" --output "$t/soft-g.txt"
refuses 2 '--nodes 64 and --nodes 256; allowed: once' --nodes 64 --nodes 256
printf 'nodes = 16;\ntrace = "absent.csv";\n' >"$t/c.cfg"
refuses 3 'c.cfg:2: trace = ' --config "$t/c.cfg"

# config LINE...: in $t/c.cfg.
config() { printf '%s\n' "$@" >"$t/c.cfg"; }
# refuses_config LINE-NUMBER TEXT LINE...
refuses_config() {
  local line=$1 text=$2
  shift 2
  config "$@"
  run run --config "$t/c.cfg"
  complains "refused, in a file: $*" 3 "c.cfg:$line: $text"
}
refuses_config 2 "key 'depht' is unknown; nearest valid name: depth" 'nodes = 16;' 'depht = 2;'
refuses_config 2 'load_share in the configuration of a run; allowed: in a sweep file, for fatfly sweep' 'nodes = 16;' 'load_share = 0.5;'
refuses_config 1 'points in the configuration of a run; allowed: in a sweep file' 'points = 3;'
refuses_config 1 'depth = 17; allowed: auto, unbounded, or a whole number, 1 to 16' 'depth = 17;'
refuses_config 1 'load = 0; allowed: none, or a number, 0.000001 to 1' 'load = 0;'
refuses_config 1 'nodes is a string; allowed: a whole number' 'nodes = "16";'
refuses_config 1 'self_traffic is a whole number; allowed: true or false' 'self_traffic = 1;'
refuses_config 2 'rounds = 2 with load = 0.1; allowed: only in a static run' 'load = 0.1;' 'rounds = 2;'
refuses_config 1 "'@include'; allowed: keys and values" '@include "/etc/passwd"'
refuses_config 1 'syntax error' 'nodes = = 16;'
refuses_config 1 "key 'config' in a file" 'config = "c.cfg";'
refuses 3 'none.cfg: No such file' --config "$t/none.cfg"
refuses 3 'Is a directory' --config "$t"

printf '3\n2\n1\n' >"$t/p"
refuses 3 'p:4: 3 lines; allowed: 4, a destination for each processor' --nodes 4 --permutation "$t/p"
printf '3\n2\n1\n4\n' >"$t/p"
refuses 3 "p:4: '4'; allowed: a processor, 0 to 3" --nodes 4 --permutation "$t/p"
refuses 3 'none: No such file' --permutation "$t/none"
printf 't_ns,src,dst,bytes\n0,1,99,4\n' >"$t/t.csv"
refuses 3 "t.csv:2: dst = '99'; allowed: 0 to 63" --trace "$t/t.csv"
printf 't_ns,src,dst,bytes\n0,1,2,1099511627775\n' >"$t/t.csv"
refuses 4 'needs 6597.1 GB of memory; ' --trace "$t/t.csv" --length 2
# Messages have cycles of their own.
refuses 2 '--discipline phased with --pattern trace; allowed: only with another --pattern' --nodes 4 --discipline phased --trace "$t/t.csv"
if [ -n "$(ulimit -v 1000000 && "$fatfly" --version 2>"$t/err")" ]; then # sanitizers want more
  (ulimit -v 1000000 && exec "$fatfly" run --nodes 1048576 --vcs 4 --depth 16 --engine cycle) >"$t/out" 2>"$t/err"
  code=$?
  complains 'refused: a network beyond memory' 4 'a network of 1048576 processors needs ' '; 1.0 GB are there'
  (ulimit -v 250000 && exec "$fatfly" run --nodes 262144 --length 4 --pattern complement --max-cycles 1 --runs 1 --threads 1 --events "$t/e.csv") >"$t/out" 2>"$t/err"
  code=$?
  complains 'refused: a log of a network whose cycle engine is beyond memory' 4 'a network of 262144 processors needs '
fi

printf 'nodes 4\n' >"$t/ring.txt"
for k in 0 1 2 3; do printf 'link %s %s\nlink %s %s\n' $k $(((k + 1) % 4)) $k $(((k + 3) % 4)); done >>"$t/ring.txt"
refuses 2 'self_traffic = true contradicts path = walk; allowed: false' --topology "graph:$t/ring.txt" --discipline cmsv2 --path walk --self-traffic
refusals_end

# -- what it measures ------------------------------------------------------------------------------

# Without randomness: WORM cL + d - 2 cycles, STORE 2c + d - 3 packet-steps (spec, section 7).
gives 'many-to-1, WORM' last_arrival_mean 258 --nodes 16 --pattern many-to-1
gives 'many-to-1, WORM' last_arrival_ci99 0 --nodes 16 --pattern many-to-1
gives 'many-to-1, WORM' congestion_mean 8 --nodes 16 --pattern many-to-1
gives 'many-to-1, STORE' last_arrival_mean 544 --nodes 16 --pattern many-to-1 --discipline store
gives 'STORE' depth 1 --nodes 16 --discipline store
gives 'an open loop' saturated 0 --nodes 16 --load 0.1 --cycles 5000
gives 'an open loop' runs 1 --nodes 16 --load 0.1 --cycles 5000
gives 'too much load' saturated 1 --nodes 64 --load 0.9 --cycles 5000
gives 'too much load' latency_mean '' --nodes 64 --load 0.9 --cycles 5000
gives 'max-cycles' latency_mean '' --nodes 64 --max-cycles 20
gives 'max-cycles' last_arrival_mean '' --nodes 64 --max-cycles 20
gives 'max-cycles' end cut --nodes 64 --max-cycles 20
gives 'too much load' end saturated --nodes 64 --load 0.9 --cycles 5000
gives 'a static run' end 'done' --nodes 16
# Two worms of five flits, each alone: 6 cycles from ready to consumed, both counted; the second ends in cycle
# 1005.
printf 't_ns,src,dst,bytes\n0,0,1,16\n1000,0,1,16\n' >"$t/t.csv"
gives 'a trace: latency_mean is of worms' latency_mean 6 --nodes 4 --trace "$t/t.csv"
gives 'a trace: latency_max is of worms' latency_max 6 --nodes 4 --trace "$t/t.csv"
gives 'a trace: the last arrival' last_arrival_mean 1005 --nodes 4 --trace "$t/t.csv"
# Beyond 1e10 all digits, and in JSON a number.
printf 't_ns,src,dst,bytes\n0,0,1,16\n20000000000,0,1,16\n' >"$t/late.csv"
gives 'a long trace: all digits' last_arrival_mean 20000000005 --nodes 4 --trace "$t/late.csv"
gives 'a long trace: the largest' last_arrival_max 20000000005 --nodes 4 --trace "$t/late.csv"
run run --nodes 4 --trace "$t/late.csv" --format json
check 'a long trace: a number in JSON' python3 -c 'import json, sys; x = json.load(open(sys.argv[1]))["last_arrival_mean"]; sys.exit(x != 20000000005)' "$t/out"
# A message is cut into the same worms whatever the number of processors.
printf 't_ns,src,dst,bytes\n0,0,1,256\n' >"$t/one.csv"
for radix in 2 3 4 5 6 8; do
  gives "a trace on a mesh of $radix x $radix: flits of 32 bits" flit_hops 65 --topology mesh --radix "$radix" --trace "$t/one.csv" --length 4096
done
# A packet of SPLIT with addresses that meets nobody waits for nobody.
gives 'a packet alone, with addresses' wait_mean 0 --nodes 16 --discipline split --overhead 0.5 --length 7 --pattern spreading --density 0.07
# Sources near what their links carry: the same verdict of one loop and of several.
for runs in 1 2; do
  gives "$runs loops whose worms gather slowly" verdict undecided --nodes 4 --pattern neighbour --load 0.985 --length 4 --cycles 1000000 --warmup 20000 --runs $runs
done
run run --nodes 16 --load 0.001 --cycles 64 --warmup 20000
works 'worms, but none of the measured cycles' 'latency      none: no worm that arrived was ready in the measured cycles'
gives 'an open loop has no last arrival' last_arrival_mean '' --nodes 16 --load 0.1 --cycles 5000
for e in fast cycle; do
  run run --nodes 64 --max-cycles 60 --engine $e
  works "max-cycles: the links of a cut run, $e" 'cut          30 of 30 runs did not end within 60 cycles' '0 to 1               64   24.4 %'
done
run run --nodes 64 --load 0.1 --max-cycles 1000
works 'max-cycles in the warm-up: no links' 'not measured: ended in the warm-up' 'links        not measured'
check 'max-cycles in the warm-up: no 0.0 %' test "$code $(grep -c '0\.0 %' "$t/out")" = '0 0'
run run --nodes 64 --max-cycles 60 --format json
check 'max-cycles: JSON says it' grep -q '"end": "cut"' "$t/out"
run run --topology torus --radix 4 --vcs 1 --path minimal-adaptive --force --rounds 40 --format csv
check 'a deadlock: a row, the circle, exit code 1' test "$code $(value end <"$t/out") $(grep -c 'deadlock in cycle.*held by' "$t/err")" = '1 deadlock 1'
# The first run is the last to end.
for threads in 1 4; do
  run run --topology torus --radix 8 --vcs 1 --force --load 0.1 --cycles 40000000 --runs 4 --seed 5 --threads $threads
  cp "$t/err" "$t/circle.$threads"
done
check 'a deadlock: the circle of the first run, on any number of threads' cmp "$t/circle.1" "$t/circle.4"
check 'a deadlock: that circle' grep -q 'deadlock in cycle 2049723: .*held by' "$t/circle.1"
run run --nodes 64 --load 0.9 --cycles 5000
works 'saturated: said, without a mean' 'saturated    accepts 0.' 'latencies have no mean'
check 'saturated: no latency in the table' test "$code $(grep -c '^latency' "$t/out")" = '0 0'
run run --nodes 64 --load 0.9 --cycles 5000 --fail-saturated --output "$t/s.txt"
complains '--fail-saturated' 5 'saturated: accepts 0.'
check '--fail-saturated: the result is written' grep -q '^digest' "$t/s.txt"
run run --nodes 4 --pattern neighbour --load 0.985 --length 4 --cycles 1000000 --warmup 20000 --fail-saturated
works '--fail-saturated: what is undecided is not saturated' 'undecided    too many worms wait'
run run --parts 2 --nodes 16384 --length 1 --pattern neighbour --runs 1 --events /dev/null
check '--parts with --events: said to stay on one thread' grep -q 'a run stays on one thread: --events follows every flit' "$t/err"
run run --nodes 16 --load 0.9 --length 1 --reply 5 --reply-delay 7 --outstanding 2 --cycles 3000 --warmup 0 --runs 1 --events "$t/replies.csv"
check '--outstanding: of a cycle replies go before requests' python3 - "$t/replies.csv" <<'PY'
import csv, sys
request, right, wrong = set(), 0, 0  # of a source and a cycle; replies have five flits
for row in csv.reader(open(sys.argv[1])):
    if row[0] == "ready" and row[6] == "1":
        request.add((row[1], row[13]))
    elif row[0] == "ready":
        wrong += (row[1], row[13]) in request
        right += (row[1], row[13]) not in request
assert right > 500 and not wrong, (right, wrong)
PY
run run --nodes 16 --load 0.1 --cycles 5000 --fail-saturated
works '--fail-saturated below saturation' 'latency'
loop=(--nodes 16 --length 4 --load 0.2)
run run "${loop[@]}" --cycles 1000 --precision 0.05 --format csv
half=$(awk "BEGIN { print ($(value latency_high <"$t/out") - $(value latency_low <"$t/out")) / 2 / $(value latency_mean <"$t/out") }")
check "--precision: the interval is as narrow, $half" awk "BEGIN { exit !($half > 0.005 && $half <= 0.05) }"
precise=$(got digest)
twice=0 # at the first length, 1000 times a power of two, whose interval is
for ((n = 1000; n <= 64000; n *= 2)); do
  run run "${loop[@]}" --cycles $n --format csv
  low=$(value latency_low <"$t/out")
  [ -n "$low" ] && awk "BEGIN { exit !($(value latency_high <"$t/out") - $low <= 0.1 * $(value latency_mean <"$t/out")) }" && break
  twice=$((twice + 1))
done
alike "--precision: the same as with --cycles $n, the first that will do" "$precise" "$(got digest)"
check '--precision: ... and not at once' test -n "$precise" -a $twice -gt 1
run run "${loop[@]}" --cycles 1000 --precision 0.05 --runs 3 --threads 2 --format csv
check '--precision: of several runs' test "$(value verdict <"$t/out") $(value end <"$t/out")" = 'stable done'
run run "${loop[@]}" --cycles 10000 --precision 0.001 --max-cycles 25000
works '--precision: not reached, and that is said' 'for 25000 cycles' 'not within 0.1 % of the mean but ' ' % after 25000 cycles (--max-cycles)'
for most in 1000 1001 1999 2001 3999 5003; do # whatever it is, measured are so many, and no more
  run run --nodes 16 --length 4 --load 0.1 --cycles 1000 --precision 0.0001 --max-cycles $most
  works "--precision and --max-cycles $most" " for $most cycles"
done
run run "${loop[@]}" --cycles 10000 --precision 0.001 --max-cycles 25000 --format csv
check '--precision: said beside CSV' test "$code $(cat "$t/err")" = \
  '0 fatfly run: not within 0.1 % of the mean after 25000 cycles (--max-cycles)'
run run --nodes 64 --load 0.9 --cycles 5000 --precision 0.05
works '--precision: saturated at once' 'saturated    accepts 0.' 'latencies have no mean'
run run --nodes 16 --depth 1
works 'q = 1 is said' 'q = 1: a stream flows at half rate'
run run --nodes 16 --depth 1 --format csv
check 'q = 1 is said beside CSV' test "$code $(head -n 1 "$t/err")" = '0 fatfly run: q = 1: a stream flows at half rate'

first=$(result --nodes 64 --runs 12 --threads 1)
alike 'the same with 2 threads' "$first" "$(result --nodes 64 --runs 12 --threads 2)"
large=(--nodes 16384 --length 4 --runs 1)
alike 'one run on 4 threads is the same' "$(result "${large[@]}")" "$(result "${large[@]}" --parts 4)"
alike 'the same with 8 threads' "$first" "$(result --nodes 64 --runs 12 --threads 8)"
unlike 'another with another seed' "$first" "$(result --nodes 64 --runs 12 --seed 2)"
digest() { run run --format csv "$@" && got digest; }
for case in '--nodes 16' '--nodes 16 --path fp --scan fcfs' '--nodes 64 --load 0.1 --cycles 3000' \
  '--nodes 64 --discipline phased' '--nodes 64 --vcs 2' '--nodes 64 --vcs 4 --load 0.2 --cycles 3000 --scan ff'; do
  # shellcheck disable=SC2086 # words
  alike "both engines: the same digest, $case" "$(digest $case --engine fast)" "$(digest $case --engine cycle)"
done
alike 'the Verilog: the same digest' "$(digest --nodes 16 --runs 5)" \
  "$(digest --nodes 16 --runs 5 --engine rtl --build "$build")"
# Real numbers in a file, with an exponent and its sign, are those of the command line.
want=$(digest --nodes 16 --load 0.02 --cycles 500)
for number in 0.02 2e-2 2E-2 2e-02 .2e-1 0.0002e+2 0.0002e2 20.0e-3 2.e-2; do
  echo "load = $number; nodes = 16; cycles = 500;" >"$t/real.cfg"
  alike "a file's $number" "$(digest --config "$t/real.cfg")" "$want"
done
# What the Verilog says is what the model says, to the last column but the times; some columns it leaves empty.
columns_agree() { # OPTION...
  "$fatfly" run --nodes 16 "$@" --format csv >"$t/model" 2>"$t/err" && \
    "$fatfly" run --nodes 16 "$@" --engine rtl --build "$build" --format csv >"$t/verilog" 2>"$t/err" && \
    awk -F, 'FNR == 1 { file++ } FNR == 1 && file == 1 { split($0, name); next } file == 1 { split($0, value); next }
             FNR == 2 { for (k = 1; k <= NF; k++) if ($k != "" && name[k] !~ /^(cpu|wall)_s$/ && ++seen && $k != value[k]) {
                          print name[k] ": model " value[k] ", Verilog " $k; bad = 1 } }
             END { exit bad || seen < 20 }' "$t/model" "$t/verilog"
}
seq 0 15 >"$t/home" # no worm leaves home
for case in '--runs 5' '--runs 2 --max-cycles 50' '--runs 1 --max-cycles 1' '--runs 2 --max-cycles 100000' '--runs 3 --rounds 4 --length 9' \
  '--pattern complement' '--lengths uniform --length 20 --runs 2 --max-cycles 70' '--delay-range 40 --runs 2' '--pattern many-to-1 --max-cycles 200' \
  "--pattern permutation --permutation $t/home"; do
  # shellcheck disable=SC2086 # words
  check "the Verilog: all columns, $case" columns_agree $case
done
run run --nodes 16 --engine rtl --depth 7
complains 'the Verilog is not there' 4 'no such library; build it with: make build/rtl/n16-v1-q7-w32-rp-rr.so'

printf '%s\n' 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0 >"$t/p"
alike 'a permutation file: as the pattern of that name' \
  "$(digest --nodes 16 --pattern complement)" "$(digest --nodes 16 --permutation "$t/p")"
printf '%s\n' 'nodes 3' 'link 0 1 # and back' 'link 1 0' 'link 1 2' 'link 2 1' >"$t/graph"
for k in {1..16}; do echo "$(seq -s ' ' "$k" $((k + 14))) 0.5"; done >"$t/matrix"
head -c 3000000 /dev/zero | tr '\0' 1 >"$t/ones"
printf '%s\n' '# fourfold' 'nodes = 64;' 'length =' '  9; runs = 2;' >"$t/config"
while read -r what options; do # each text file of a run but a trace, of which CR LF is refused
  sed 's/$/\r/' "$t/$what" >"$t/crlf"
  # shellcheck disable=SC2086 # words
  want=$(digest ${options//@/$t/$what}) && got_crlf=$(digest ${options//@/$t/crlf})
  check "a $what file: it counts" test -n "$want"
  alike "a $what file: lines may end in CRLF" "$want" "$got_crlf"
  for at in 1 '$'; do # whatever the last line ends in
    sed "$at s/\$/\\x00 1/" "$t/$what" | head -c -1 >"$t/nul"
    # shellcheck disable=SC2086 # words
    run run ${options//@/$t/nul}
    complains "a $what file: a zero byte in line $at" 3 'byte; allowed: text'
  done
  for endless in "$t/ones" /dev/zero; do
    # shellcheck disable=SC2086 # words
    run run ${options//@/$endless}
    complains "a $what file: a line without end, $endless" 3 'allowed: '
  done
done <<'END'
p --nodes 16 --permutation @
matrix --nodes 16 --matrix @
graph --topology graph:@ --length 2
config --config @
END
{ cat "$t/graph"; yes "# $(seq -s ' ' 30)" | head -c $(((1 << 26) - $(wc -c <"$t/graph"))); } >"$t/longest"
alike 'a graph file of 2^26 characters' "$(digest --topology "graph:$t/graph" --length 2)" "$(digest --topology "graph:$t/longest" --length 2)"
echo >>"$t/longest"
refuses 3 'more than 67108864 characters; allowed: at most 67108864' --topology "graph:$t/longest" --length 2
rm "$t/longest"
config 'nodes = 16;' 'pattern = "complement";' 'runs = 4;' 'self-traffic = false;'
alike 'a configuration file' "$(digest --nodes 16 --pattern complement --runs 4)" "$(digest --config "$t/c.cfg")"
alike 'the command line goes over it' "$(digest --nodes 16 --pattern complement --runs 2)" \
  "$(digest --runs 2 --config "$t/c.cfg")"
mkdir "$t/sub"
cp "$t/p" "$t/sub/p"
printf 'nodes = 16;\npermutation = "p";\n' >"$t/sub/c.cfg"
alike 'its files lie beside it' "$(digest --nodes 16 --pattern complement)" "$(digest --config "$t/sub/c.cfg")"
printf 'nodes = 16;\npermutation = "%s";\n' "$(realpath "$t/p")" >"$t/sub/c.cfg"
alike '... but for a whole path' "$(digest --nodes 16 --pattern complement)" "$(digest --config "$t/sub/c.cfg")"
run run --nodes 16 --trace sim/traces/lammps_pppm_16.csv.gz --max-messages 200 --max-bytes 256
works 'a trace' 'of the messages in sim/traces/lammps_pppm_16.csv.gz' '1 static'

# -- what it writes --------------------------------------------------------------------------------

run run --nodes 16 --format csv
check 'CSV: a header and a line' test "$(wc -l <"$t/out")" = 2
check 'CSV: the columns of the contract' grep -q "^nodes,length,depth,vcs,discipline,path,scan,pattern,load,\
runs,seed,latency_mean,latency_ci99,latency_max,congestion_mean,latency_per_congestion,accepted_load,saturated,\
cycles,flit_hops,cpu_s,wall_s,digest," "$t/out"
check 'CSV: a digest' grep -qE '^[0-9a-f]{16}$' <<<"$(value digest)"
run run --nodes 16 --format json
cp "$t/out" "$t/p.json"
run run --nodes 16 --format csv
check 'JSON: parses, and says what CSV says' python3 - "$t/p.json" "$t/out" <<'PY'
import csv, json, sys
point = json.load(open(sys.argv[1]))
cells = next(csv.DictReader(open(sys.argv[2])))
assert list(point) == list(cells) + ["levels", "queue_shares", "histogram"]
for name, cell in cells.items():
    value = point[name]
    assert name in ("cpu_s", "wall_s") or (value is None and cell == "") or value == cell or value == float(cell), name
assert sum(n for _, n in point["histogram"]) == point["measured"] == 480
assert len(point["levels"]) == 4 and all(0 <= level["utilisation"] <= 1 for level in point["levels"])
assert abs(sum(point["queue_shares"]) - 1) < 1e-6
PY
run run --nodes 16 --runs 3 --output "$t/o.csv" --format csv --histogram "$t/h.csv" --links "$t/l.csv"
works 'files'
check 'files: the table' test "$(wc -l <"$t/o.csv")" = 2
check 'files: the histogram has all worms' test "$(awk -F, 'NR > 1 { n += $2 } END { print n }' "$t/h.csv")" = 48
check 'files: the links' test "$(head -n 1 "$t/l.csv") $(wc -l <"$t/l.csv")" = \
  'link,direction,level,lower,upper,worms 49'
check 'files: nothing half-written' test "$code$(find "$t" -name '*.part')" = 0
for option in --output --histogram --links; do
  run run --nodes 16 "$option" "$t/none/x"
  complains "$option in a folder that is not there" 4 "$t/none/x: cannot write: No such file"
  run run --nodes 16 "$option" "$t"
  complains "$option: a folder" 4 "$t: cannot write"
  if [ -w /dev/full ]; then
    run run --nodes 256 "$option" /dev/full
    complains "$option: a full disk" 4 '/dev/full: cannot write: No space left'
    check "$option: /dev/full is still there" test -c /dev/full
  fi
done
if [ -w /dev/full ]; then
  "$fatfly" run --nodes 16 >/dev/full 2>"$t/err"
  code=$?
  : >"$t/out"
  complains 'standard output: a full disk' 4 'cannot write what it found: No space left'
fi
timeout 60 bash -c 'ulimit -f 0 && exec "$@"' full "$fatfly" run --nodes 16 --links "$t/x" >/dev/null 2>"$t/e2"
code=$?
check 'a file that may not grow: exit code 4' test "$code" = 4
check 'a file that may not grow: nothing is left' absent "$t/x" "$t/x.part"
ln -s linked.csv "$t/link.csv" # as /dev/stdout is one
run run --nodes 16 --format csv --output "$t/link.csv"
check 'an output that is a link stays one' [ -L "$t/link.csv" ]
check '... and what it leads to is written' grep -q '^nodes,' "$t/linked.csv"
run run --nodes 16 --output /proc/fatfly
complains 'where nothing can be written' 4 '/proc/fatfly: cannot write'

run run --nodes 16 --watch 3
works '--watch' 'worm 3: 32 flits from 2 to ' 'crosses from processor 2 to S(1,0) child 2' \
  'worm 3: 32 of 32 flits arrived' '1 static'
run run --nodes 16 --watch 3 --waves "$t/w.vcd" --format csv
check '--watch and --waves beside CSV: on stderr' test "$code $(wc -l <"$t/out") $(grep -c 'flits arrived' "$t/err")" = '0 2 1'
# Worms of a trace have numbers with gaps: those are shown, and of others the nearest are named.
printf 't_ns,src,dst,bytes\n0,1,2,20\n5,3,4,0\n7,5,6,9\n7,1,0,1\n' >"$t/gaps.csv"
watched() { # a worm of three flits carries 8 bytes
  python3 -c '
import subprocess, sys
there = sorted(1 + src + 16 * k for src, worms in ((1, 4), (3, 1), (5, 2)) for k in range(worms))
for n in range(1, there[-1] + 3):
    done = subprocess.run([*sys.argv[1:], str(n)], capture_output=True, text=True)
    near = " and ".join(str(one) for one in [max((k for k in there if k < n), default=0), min((k for k in there if k > n), default=0)] if one)
    said = f"fatfly run: --watch {n}; allowed: one of the {len(there)} worms of this case; nearest: {near}\n"
    if not done.stdout.startswith(f"worm {n}: ") if n in there else (done.returncode, done.stderr) != (2, said): sys.exit(f"{n}: {done.stdout}{done.stderr}")
' "$fatfly" run --nodes 16 --trace "$t/gaps.csv" --length 3 --runs 1 --watch
}
check '--watch: each number of a trace' watched
# What is said of the numbers holds for those of the log: of requests and replies, too.
numbered() { # OPTION.. of a run
  python3 -c '
import re, subprocess, sys
run = [sys.argv[1], "run", "--nodes", "64", "--load", "0.2", "--cycles", "300", "--warmup", "0", *sys.argv[3:]]
subprocess.run([*run, "--events", sys.argv[2]], check=True, capture_output=True)
said = subprocess.run([*run, "--watch", str(2**32 - 1)], capture_output=True, text=True).stderr
count, step, half = re.search(r"one of the (\d+) worms .*: 1 \+ source \+ (\d+) \* those before it(; of replies, .* half of that more)?\n$", said).groups()
rows = [row.split(",") for row in open(sys.argv[2]) if row.startswith("ready,")]
assert len(rows) == int(count), (said, len(rows))
made = {}
for _, _, _, worm, *_, src, _, _ in rows:
    reply = bool(half) and (int(worm) - 1) % int(step) >= int(step) // 2
    before = made.get((src, reply), 0)
    assert int(worm) == 1 + int(src) + int(step) * before + reply * int(step) // 2, (said, worm, src)
    made[src, reply] = before + 1
assert bool(half) == any(reply for _, reply in made)
' "$fatfly" "$t/numbers.csv" "$@"
}
check '--watch: the numbers of worms' numbered
check '--watch: the numbers of requests and replies' numbered --reply 3 --length 2
run run --nodes 4 --pattern identity --watch 1
complains '--watch where nothing is sent' 2 '--watch 1 in a case without worms'
# JavaScript's numbers have 53 bits: what has more stands in a page as text.
mkdir -p "$t/page/view" && printf '@CONFIG@\n' >"$t/page/view/page.html"
numbers() {
  python3 -c '
import re, subprocess, sys
for bit in range(64):
    for seed in (2**bit - 1, 2**bit, 2**bit + 1):
        subprocess.run([sys.argv[1], "view", "--build", sys.argv[2], "--output", sys.argv[2] + "/x.html", "--seed", str(seed)], check=True, capture_output=True)
        said = re.search(r"\"seed\":(\"?)(\d+)", open(sys.argv[2] + "/x.html").read())
        if int(said[2]) != seed or not said[1] and int(float(said[2])) != seed: sys.exit(f"{seed}: {said[0]}")
' "$fatfly" "$t/page"
}
check 'a page has each seed as it is' numbers

# Where the results go, in whatever format, a life does not: it is beside them, on standard error.
for format in table csv json; do
  for file in '' "$t/results"; do
    life() { "$fatfly" run --nodes 16 --runs 1 --format $format ${file:+--output "$file"} "$@" 2>"$t/err" | cat - ${file:+"$file"} | sed -E 's/"?(cpu_s|wall_s)"?: [0-9.]+//; s/ in [0-9.]+ s of CPU.*//'; }
    plain=$(life) && with=$(life --watch 3)
    [ "$format" = csv ] && plain=$(cut -d, -f1-20,23- <<<"$plain") && with=$(cut -d, -f1-20,23- <<<"$with")
    [ "$format$file" = table ] && with=$(sed -n '/^network /,$p' <<<"$with")
    alike "--watch with $format ${file:+--output}: the results are those without it" "$with" "$plain"
    [ "$format$file" = table ] || check "--watch with $format ${file:+--output}: the life is on standard error" grep -q 'worm 3: ' "$t/err"
  done
done
run run --nodes 1024 --length 4 --watch 7
works '--watch on a large network' 'worm 7 is made: 4 flits from 6 to ' 'from processor 6 to switch 1, channel 0' \
  'worm 7 has arrived: latency' ' flits over links; its head waited '
run run --nodes 16 --discipline store --load 0.1 --cycles 200 --warmup 0 --watch 3
works '--watch of a packet in an open loop' 'packet crosses link 2 from processor 2 to switch 0'
check '--waves: a file and a save file' test -s "$t/w.vcd" -a -s "$t/w.gtkw"
run run --nodes 16 --waves "$t/none/w.vcd"
complains '--waves in a folder that is not there' 4 "$t/none/w.vcd: cannot write"

# -- Ctrl-C ----------------------------------------------------------------------------------------

# interrupt SIGNAL ARGUMENT...
interrupt() {
  local signal=$1 pid
  shift
  # A shell that is not interactive makes background jobs deaf to Ctrl-C; a terminal does not.
  python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$fatfly" run "$@" >"$t/out" 2>"$t/err" </dev/null &
  pid=$!
  at_work "$pid"
  kill -s "$signal" "$pid"
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.3
  done
  ended=yes
  kill -0 "$pid" 2>/dev/null && ended=no && kill -KILL "$pid"
  wait "$pid" 2>/dev/null
  code=$?
}
for signal in INT TERM; do
  interrupt "$signal" --nodes 64 --load 0.1 --cycles 100000000000 --runs 3 --output "$t/i.csv"
  check "interrupted, $signal: ends at once" test "$ended $code" = 'yes 4'
  complains "interrupted, $signal" 4 'interrupted after 0 of 3 runs; nothing was written'
  check "interrupted, $signal: nothing is left" absent "$t/i.csv" "$t/i.csv.part"
done
interrupt INT --nodes 256 --rounds 8 --runs 100000 --threads 1 --events "$t/i.events" --perfetto "$t/i.json"
complains 'interrupted, the first run is done' 4 'of 100000 runs; nothing was written'
check 'interrupted, the first run is done: no log of it' absent "$t"/i.{events,json}{,.part}
interrupt INT --nodes 262144 --runs 3
check 'interrupted, a large network: ends at once' test "$ended $code" = 'yes 4'
complains 'interrupted, a large network' 4 'interrupted after 0 of 3 runs; nothing was written'

# A terminal shows progress, a pipe none.
if command -v script >/dev/null 2>&1; then
  script -qec "'$fatfly' run --nodes 64 --load 0.1 --cycles 20000000" /dev/null >"$t/tty" 2>/dev/null </dev/null
  check 'a terminal shows progress' grep -q '0/1 runs\] 1 s' "$t/tty"
fi
run run --nodes 64 --load 0.1 --cycles 5000000
works 'a pipe: no progress' 'latency'

ends
