#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_classes.sh - classes of worms, requests and replies, as a person meets them (docs/classes.md).
#
# Usage: test_classes.sh [TEXT]   only checks whose name has TEXT
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
the_command
scratch
runner=("$fatfly" run)

# refused NAME OPTIONS TEXT...
refused() {
  local name=$1 options=$2
  shift 2
  # shellcheck disable=SC2086  # words
  run $options
  complains "refused: $name" 2 "$@"
}

refused 'five classes' '--classes 5' '--classes 5; allowed: a whole number, 1 to 4'
refused 'three classes with replies' '--classes 3 --reply 1,1,1' 'classes = 3, and as many of replies; allowed: 1 to 2'
refused 'one length for two classes' '--classes 2 --class-length 1' \
  '--class-length 1; allowed: 2 whole numbers, 1 to 4096, with commas between them'
refused 'a length of no flits' '--classes 2 --class-length 1,0' '--class-length 1,0; allowed: '
refused 'a list with a comma at its end' '--classes 2 --class-length 1,2,' '--class-length 1,2,; allowed: '
refused 'a list of three for two' '--classes 2 --class-length 1,2,3' '--class-length 1,2,3; allowed: '
refused 'a length of half a flit' '--classes 2 --class-length 1,2.5' '--class-length 1,2.5; allowed: '
refused 'lengths of one class' '--class-length 5' '--class-length 5; allowed: with classes of 2 or more'
refused 'two kinds of lengths' '--classes 2 --class-length 1,2 --length 5' \
  '--length 5 with --class-length 1,2; allowed: one of them'
refused 'lengths that vary with lengths of classes' '--classes 2 --class-length 1,2 --lengths uniform' \
  '--lengths uniform with --class-length 1,2; allowed: one of them'
refused 'a share of nothing' '--classes 2 --class-share 1,0' '--class-share 1,0; allowed: 2 numbers'
refused 'a share that is no number' '--classes 2 --class-share 1,nan' '--class-share 1,nan; allowed: 2 numbers'
refused 'shares of one class' '--class-share 1' '--class-share 1; allowed: with classes of 2 or more'
refused 'a priority below 0' '--topology mesh --classes 2 --class-priority 0,-1' '--class-priority 0,-1; allowed: '
refused 'two priorities for four classes' '--topology mesh --classes 2 --reply 1,1 --class-priority 0,1' \
  '--class-priority 0,1; allowed: 4 whole numbers'
refused 'priorities on a fat-tree' '--classes 2 --class-priority 0,1' 'class_priority with topology = fat-tree' \
  "this one's switch is the Verilog's, which knows no classes"
refused 'priorities of replies on a fat-tree' '--reply 8 --class-priority 0,5' 'class_priority with topology = fat-tree'
refused 'channels on a fat-tree' '--vcs 2 --reply 4 --class-channels reserved' \
  'class_channels = reserved with topology = fat-tree' "this one's switch is the Verilog's, which knows no classes"
refused 'priorities with queues per channel' \
  '--topology mesh --classes 2 --class-priority 0,1 --injection per-channel' 'class_priority with injection = per-channel'
refused 'priorities of replies with queues per channel' \
  '--topology mesh --reply 8 --class-priority 0,5 --injection per-channel' 'class_priority with injection = per-channel'
refused 'channels of one class' '--topology mesh --class-channels reserved' 'class_channels = reserved with one class'
refused 'three channels in halves' '--topology mesh --vcs 3 --reply 4 --class-channels reserved' \
  'vcs = 3 with class_channels = reserved; allowed: a multiple of 2'
refused 'a part that can deadlock' '--topology torus --radix 8 --vcs 2 --reply 4 --class-channels reserved' \
  'class_channels = reserved, 1 channels each: ' 'can deadlock'
refused 'too few channels for the path' '--topology torus --radix 8 --vcs 6 --reply 4 --class-channels reserved --path negative-hop' \
  'vcs = 6 with class_channels = reserved, 2 parts: of each vcs = 3'
refused 'channels of a graph' '--topology graph:sim/paper/graphs/random-64.txt --reply 4 --class-channels reserved' \
  'class_channels = reserved with topology = graph, which says itself who takes which channel; allowed: shared'
refused 'no such channels' '--topology mesh --reply 4 --class-channels reserve' 'allowed: shared, reserved; nearest: reserved'
refused 'a pattern that there is not' '--classes 2 --class-pattern tornado,randm' "--class-pattern tornado,randm: 'randm'; allowed: random, " \
  '; nearest: random'
refused 'a trace' '--classes 2 --class-pattern random,trace' "--class-pattern random,trace: 'trace'; allowed: random, "
refused 'a matrix without a file' '--classes 2 --class-pattern random,matrix' \
  '--class-pattern random,matrix without its file; allowed: with --matrix FILE'
refused 'a permutation without a file' '--classes 2 --class-pattern permutation,random --matrix x' \
  '--matrix x with --class-pattern permutation,random; allowed: only with --class-pattern matrix'
seq 63 -1 0 >"$t/back"
awk 'BEGIN { for (a = 0; a < 64; a++) { for (b = 0; b < 64; b++) printf "%d ", b == 5; print "" } }' >"$t/to5"
sed '3s/0 /7 /' "$t/to5" >"$t/uneven"
refused 'a permutation of no class' "--classes 2 --class-pattern random,tornado --permutation $t/back" \
  'allowed: only with --class-pattern permutation'
awk 'BEGIN { for (a = 0; a < 16; a++) { for (b = 0; b < 16; b++) printf "%s ", a == b ? 1 : 1.001e-6 / 15; print "" } }' >"$t/rare"
refused 'few worms of a class that seldom leave' "--nodes 16 --classes 2 --class-pattern transpose,matrix --matrix $t/rare --class-share 1,0.000002 --load 0.01 --length 4 --cycles 1000" \
  'matrix: row 0 has weights of 1.001e-06 for others'
refused 'rows of a matrix that are not alike' "--classes 2 --class-pattern random,matrix --matrix $t/uneven" \
  'matrix: row 2 has weights of 8, row 0 of 1; allowed with class_pattern: the same above 0 in all rows'
refused 'one pattern for two classes' '--classes 2 --class-pattern tornado' \
  '--class-pattern tornado; allowed: 2 patterns, with commas between them'
refused 'three patterns for two' '--classes 2 --class-pattern random,random,tornado' '; allowed: 2 patterns, with commas'
refused 'an empty pattern' '--classes 2 --class-pattern random,' "--class-pattern random,: ''; allowed: random, "
refused 'patterns of one class' '--class-pattern random' '--class-pattern random; allowed: with classes of 2 or more'
refused 'patterns and a pattern' '--classes 2 --class-pattern random,tornado --pattern random' \
  '--pattern random with --class-pattern random,tornado; allowed: one of them'
refused 'a hot spot of no class' '--classes 2 --class-pattern random,tornado --hotspot 0.1' \
  '--hotspot 0.1 with --class-pattern random,tornado; allowed: only with --class-pattern hotspot'
refused 'a hot spot outside' '--classes 2 --class-pattern random,hotspot --hotspot-node 64' '--hotspot-node 64 with --nodes 64; allowed: 0 to 63'
refused 'a pattern of bits for 36 processors' '--topology torus --radix 6 --classes 2 --class-pattern random,transpose' \
  'nodes = 36 with class_pattern[1] = transpose; allowed: a power of two'
refused 'a class with hardly a worm' '--classes 2 --class-pattern identity,random --class-share 1,1e-7' \
  'class_share leaves class 1 1e-07 of all worms; allowed with class_pattern: at least 1e-06'
refused 'a reply of no flits' '--reply 0' '--reply 0; allowed: 1 whole number, 1 to 4096'
refused 'two replies for one class' '--reply 4,4' '--reply 4,4; allowed: 1 whole number'
refused 'a delay without replies' '--reply-delay 4' 'reply_delay = 4 without replies; allowed: with reply'
refused 'outstanding requests without replies' '--outstanding 3' 'outstanding = 3 without replies; allowed: with reply'
refused 'no outstanding request' '--reply 3 --outstanding 0' '--outstanding 0; allowed: none, or a whole number, 1 to 65535'
refused 'replies of packets' '--reply 4 --discipline store' 'reply = 4 with discipline = store; allowed: only with discipline = worm'
refused 'classes of phases' '--classes 2 --discipline phased' 'classes = 2 with discipline = phased'
refused 'replies of the Verilog' '--reply 4 --engine rtl' '--engine rtl with --reply 4; allowed: one of them'
refused 'replies to a trace' '--reply 4 --pattern trace --trace sim/traces/lammps_pppm_16.csv.gz --nodes 16' \
  'reply = 4 with pattern = trace'
"$fatfly" saturation --reply 4 --outstanding 3 >"$t/out" 2>"$t/err"
code=$?
complains 'refused: a saturation load of a closed loop' 2 '--outstanding is no option of fatfly saturation'
printf 'topology = "mesh";\nclass_channels = "reserved";\n' >"$t/c.cfg"
run --config "$t/c.cfg"
complains 'refused: a line of a file' 3 "$t/c.cfg:2: class_channels = reserved with one class"

# -- what is done ----------------------------------------------------------------------------------

run --nodes 16 --length 2 --reply 5 --reply-delay 3 --load 0.1 --cycles 20000
works 'requests and replies' 'classes      1, replies of 5 flits after 3 cycles' 'class 0      requests; latency mean' \
  'class 1      replies; latency mean' 'round trip   '
run --nodes 16 --length 2 --reply 5 --load 0.1 --cycles 20000 --format csv
same() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a - b < 1e-6 && b - a < 1e-6) }'; }
check 'columns: classes add up to the load' same "$(value accepted_load)" \
  "$(awk -v a="$(value class0_accepted_load)" -v b="$(value class1_accepted_load)" 'BEGIN { print a + b }')"
check 'columns: and to the worms' test "$(value measured)" = "$(($(value class0_measured) + $(value class1_measured)))"
check 'columns: the round trip is both ways' same "$(value round_trip_mean)" \
  "$(awk -v a="$(value class0_latency_mean)" -v b="$(value class1_latency_mean)" 'BEGIN { printf "%.9f", a + b }')"
check 'columns: no third class' test "$code$(value class2_measured)" = 0
run --nodes 16 --format csv
check 'columns: nothing of classes without them' test "$code$(value classes)$(value class0_measured)$(value round_trip_mean)" = 0

# Every flit in the half of its kind, replies to every request, by the log of a run: requests have 2 flits.
log_says() { # TOPOLOGY...
  run "$@" --nodes 64 --vcs 4 --bandwidth on-demand --length 2 --reply 5 --reply-delay 2 --rounds 5 --runs 1 \
    --class-channels reserved --events "$t/log.csv"
  [ "$code" = 0 ] && "$fatfly" events "$t/log.csv" >"$t/out" 2>"$t/err" &&
    awk -v delay=2 -f tb/cli/classes.awk "$t/log.csv" >>"$t/out"
}
for topology in mesh torus hypercube; do
  check "log: $topology keeps channels apart, a reply for each request" log_says --topology "$topology"
done

# Where the worms of each class go, by the log: of 3 flits round a torus, of 5 to the other end, of 7 to anyone.
goes() { # OPTION...
  run "$@" --classes 3 --class-length 3,5,7 --class-pattern tornado,complement,random --rounds 60 --runs 1 --events "$t/log.csv"
  [ "$code" = 0 ] && awk -F, -v torus="$([ "$1" = --topology ] && echo 1)" '
    $1 == "event" { for (k = 1; k <= NF; k++) at[$k] = k }
    $1 == "ready" {
      a = $at["src"]; b = $at["dst"]; flits = $at["flits"]; worms[flits]++
      want = flits == 5 ? 63 - a : torus ? (a % 8 + 3) % 8 + (int(a / 8) + 3) % 8 * 8 : (a + 31) % 64
      if (flits == 7) { to[b]++ } else if (b != want) { print a " to " b ", " flits " flits"; bad = 1; exit }
    }
    END { for (b = 0; b < 64; b++) bad += !to[b] || to[b] > 40; exit bad || worms[3] < 500 || worms[5] < 500 || worms[7] < 500 }' "$t/log.csv" >>"$t/out"
}
check 'log: each class goes where its pattern says, torus' goes --topology torus --radix 8 --vcs 2
check 'log: each class goes where its pattern says, fat-tree' goes --nodes 64
of_files() {
  run --nodes 64 --classes 2 --class-length 3,5 --class-pattern permutation,matrix --permutation "$t/back" --matrix "$t/to5" --rounds 20 \
    --runs 1 --events "$t/log.csv"
  [ "$code" = 0 ] && awk -F, '
    $1 == "event" { for (k = 1; k <= NF; k++) at[$k] = k }
    $1 == "ready" { a = $at["src"]; b = $at["dst"]; n[$at["flits"]]++; bad += b != ($at["flits"] == 3 ? 63 - a : 5) }
    END { exit bad || n[3] < 300 || n[5] < 300 }' "$t/log.csv"
}
check 'log: a class by a permutation of a file, one by a matrix' of_files
run --nodes 64 --classes 2 --class-pattern permutation,matrix --permutation "$t/back" --matrix "$t/to5" --load 0.01 --cycles 2000
works 'files of classes: the table has them' 'patterns permutation,matrix, permutation ' '/back, matrix '
run --nodes 16 --classes 2 --class-pattern tornado,hotspot --hotspot 0.25 --hotspot-node 3 --load 0.01 --cycles 2000
works 'patterns: the table has them' 'pattern by-class' 'patterns tornado,hotspot (0.25 to 3)'
run --nodes 16 --classes 2 --class-pattern tornado,hotspot --load 0.01 --cycles 2000 --format csv
check 'columns: patterns of classes' test "$(value pattern) $(value class_pattern)" = 'by-class tornado/hotspot'

# Of two classes that share a loaded mesh the one that goes first waits less.
run --topology mesh --radix 8 --vcs 2 --bandwidth on-demand --length 4 --classes 2 --class-priority 0,1 --load 0.3 \
  --cycles 20000 --format csv
check 'priority: the higher class waits less' awk -v a="$(value class0_latency_mean)" -v b="$(value class1_latency_mean)" \
  'BEGIN { exit !(b != "" && b < 0.8 * a) }'

# A closed loop: with one request under way nothing accepts more than a request and a reply a round trip.
run --nodes 16 --length 1 --reply 1 --outstanding 1 --load 1 --cycles 20000 --format csv
check 'outstanding: a round trip for each request' awk -v trip="$(value round_trip_mean)" -v load="$(value accepted_load)" \
  'BEGIN { x = load * trip / 2; exit !(x > 0.98 && x < 1.02) }'

digests=()
for engine in fast cycle; do
  run --nodes 64 --vcs 2 --classes 2 --class-length 1,7 --reply 7,1 --class-share 0.7,0.3 --outstanding 2 --load 0.3 \
    --cycles 2000 --engine "$engine" --format csv
  digests+=("$(got digest)")
done
alike 'engines: one digest' "${digests[@]}"

ends
