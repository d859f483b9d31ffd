#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_topologies.sh - `fatfly run` and `fatfly sweep` on other networks: what they refuse, what
# they print, and that the same seed gives the same digest.
#
# usage: test_topologies.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command.
# Prints a line a check and `N passed, N failed`.  Nothing is written outside a temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
the_command
scratch

runner=("$fatfly" run)
[ "$filter" != refused ] || runner=(true) # but for refused(): what else would run is not looked at

# between LOW X HIGH
between() { awk -v a="$1" -v x="$2" -v b="$3" 'BEGIN { exit !(x != "" && a <= x && x <= b) }'; }

# -- what is refused -------------------------------------------------------------------------------

# refused NAME OPTIONS TEXT...
refused() {
  local name=$1 options=$2 runner=("$fatfly" run)
  shift 2
  # shellcheck disable=SC2086  # words
  run $options
  complains "refused: $name" "${refusal:-2}" "$@"
}

refused 'no such topology' '--topology torsu' '--topology torsu; allowed: fat-tree, torus, mesh' \
  'nearest: torus'
refused 'a graph without a file' '--topology graph' 'allowed: fat-tree'
refused 'k = 1' '--topology torus --radix 1' '--radix 1; allowed: 2 to 64'
refused 'k = 65' '--topology torus --radix 65' '--radix 65; allowed: '
refused 'n = 5' '--topology mesh --dimensions 5' '--dimensions 5; allowed: '
refused 'odd k and negative-hop' '--topology torus --radix 5 --path negative-hop' \
  '--radix 5 with path = negative-hop' 'a ring of odd length cannot have two colours'
refused 'N that is no power' '--topology torus --nodes 200' '--nodes 200 with --dimensions 2'
refused 'N that is no power of k' '--topology torus --nodes 500 --radix 8' '--nodes 500; allowed: radix^dimensions'
run --topology torus --nodes 512 --radix 8 --length 4 --runs 1
works 'dimensions of 512 processors with radix 8' 'torus of 8^3'
refused 'N beside k' '--topology torus --radix 8 --nodes 256' '--nodes 256; allowed: ' '8^2 = 64'
refused 'too few channels' '--topology torus --path negative-hop --vcs 3' \
  '--vcs 3; allowed: path = negative-hop takes 9 to 129'
refused 'more channels than there are' '--topology mesh --radix 64 --dimensions 4 --path positive-hop' \
  '--radix 64 with dimensions = 4 and path = positive-hop takes 253 virtual channels; allowed: up to 129'
refused 'too many channels' '--topology torus --vcs 130' '--vcs 130; allowed: '
refused 'a path of the fat-tree' '--topology torus --path rp' '--path rp; allowed on a torus: e-cube'
refused 'a path of the torus' '--path e-cube' '--path e-cube; allowed on a fat-tree: fp, rp, gp, rg, rw'
refused 'no such path' '--topology torus --path ecube' 'nearest: e-cube'
refused 'north-last in three dimensions' '--topology torus --radix 4 --dimensions 3 --path north-last' \
  '--dimensions 3 with path = north-last; allowed: 2'
refused 'radix of a fat-tree' '--radix 4' '--radix 4 with --topology fat-tree'
refused 'bandwidth of a fat-tree' '--bandwidth on-demand' 'with --topology fat-tree'
refused 'no such bandwidth' '--topology torus --bandwidth shared' 'allowed: fixed-share, on-demand'
refused 'injection of a fat-tree' '--injection per-channel' 'with --topology fat-tree'
refused 'no such injection' '--topology torus --injection per-chanel' 'allowed: one-queue, per-channel' \
  'nearest: per-channel'
refused 'release of a fat-tree' '--channel-release tail-sent' '--channel-release tail-sent with --topology fat-tree; allowed: only with --topology torus, mesh or another'
refused 'release of packets' '--topology torus --discipline store --channel-release tail-sent' '--channel-release'
refused 'links to processors of a fat-tree' '--processor-links' '--processor-links with --topology fat-tree; allowed: only with --topology torus or mesh'
refused 'links to processors of a hypercube' '--topology hypercube --processor-links' '--processor-links with --topology hypercube; allowed: only with --topology torus or mesh'
refused 'a deadlock behind links to processors' '--topology torus --radix 8 --vcs 1 --processor-links' 'wait in a circle'
refused 'input bandwidth of a fat-tree' '--input-bandwidth 1' 'only with --topology torus, mesh or another'
refused 'input bandwidth of fixed shares' '--topology torus --input-bandwidth 1' '--input-bandwidth 1 with --bandwidth fixed-share; allowed: only with --bandwidth on-demand'
refused 'no such release' '--topology torus --channel-release tail' 'allowed: tail-gone, tail-sent'
refused 'link latency 0' '--topology torus --link-latency 0' '--link-latency 0; allowed: a whole number, 1 to 64'
refused 'router latency 65' '--topology torus --router-latency 65' '--router-latency 65; allowed: a whole number, 0 to 64'
refused 'head latency 65' '--topology torus --head-latency 65' '--head-latency 65; allowed: a whole number, 0 to 64'
refused 'head latency of a fat-tree' '--head-latency 2' '--head-latency 2 with --topology fat-tree; allowed: only with --topology torus, mesh or another'
refused 'head latency of packets' '--topology torus --head-latency 2 --discipline store' '--head-latency 2 with --discipline store; allowed: only with --discipline worm or phased'
refused 'channels in turn of a fat-tree' '--channels-in-turn' '--channels-in-turn with --topology fat-tree; allowed: only with --topology torus, mesh or another'
refused 'channels in turn of packets' '--topology torus --channels-in-turn --discipline store' '--channels-in-turn'
refused 'link latency of a fat-tree' '--link-latency 2' '--link-latency 2 with --topology fat-tree; allowed: only with --topology torus, mesh or another'
refused 'router latency of packets' '--topology torus --router-latency 2 --discipline store' '--router-latency 2 with --discipline store; allowed: only with --discipline worm or phased'
refused 'link bandwidth 0' '--topology torus --link-bandwidth 0' '--link-bandwidth 0; allowed: '
refused 'scan of a torus' '--topology torus --scan fo' '--scan fo with --topology torus'
refused 'the engines of the fat-tree' '--topology torus --engine cycle' 'with --topology torus'
refused 'waves of an open loop, measured until it is narrow' "--topology torus --load 0.1 --precision 0.05 --waves $t/x.vcd" 'allowed: only with --precision none'
refused 'a window without waves' '--topology torus --from 5' '--from 5 without --waves; allowed: with --waves FILE'
refused 'unbounded in a fat-tree' '--depth unbounded' '--depth unbounded; allowed on a fat-tree: 1 to 16'
refused 'address bits of 100 nodes' '--topology torus --radix 10 --pattern bit-reversal' \
  'nodes = 100 with pattern = bit-reversal; allowed: a power of two'
refused 'walks that nobody can follow' '--topology graph:sim/paper/graphs/random-64.txt --path walk' \
  'path = walk contradicts discipline = worm; allowed: with cmsv1, cmsv2, cmsv-store'
refused 'bursts without a load' '--arrivals on-off' '--arrivals on-off without --load'
refused 'a period of bursts below a cycle' '--load 0.1 --arrivals on-off --burst-on 0.5' '--burst-on 0.5; allowed: '
refused 'periods of bursts without bursts' '--load 0.1 --burst-off 5' 'only with --arrivals on-off'
refused 'more worms than cycles in a burst' '--load 0.5 --arrivals on-off --burst-on 10 --burst-off 1000' \
  'load = 0.5 with arrivals = on-off' 'allowed: at most 0.316832'
refused 'a mix without its list' '--lengths mix' 'allowed: with --length-mix 1:4,5:1'
refused 'a mix with a length' '--length-mix 1:4,5:1 --length 9' '--length 9 with --lengths mix'
refused 'a length of a mix without weight' '--length-mix 1:4,5' "'5'; allowed: FLITS:WEIGHT"
refused 'a mix that ends in a comma' '--length-mix 1:4,' 'allowed: FLITS:WEIGHT'
refused 'a length twice in a mix' '--length-mix 1:4,1:5' "'1:5'; allowed: each length once"
refused 'nine lengths in a mix' '--length-mix 1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1' 'at most 8 lengths'
refused 'weights of a mix that are no numbers' '--length-mix 1:nan' 'allowed: FLITS:WEIGHT'
refused 'a mix without a mix' '--lengths uniform --length-mix 1:4' 'only with --lengths mix'
refused 'a matrix without its file' '--pattern matrix' 'allowed: with --matrix FILE'
refused 'a matrix beside another pattern' '--pattern random --matrix m' 'only with --pattern matrix'
refused 'a matrix of too many' '--nodes 16384 --matrix /dev/null' 'allowed: at most 4096'
refused 'half of an odd number' '--topology mesh --radix 3 --pattern asymmetric' 'an even number'

# matrix NAME LINE TEXT SED: $t/m, 16 lines of 16 weights, as SED changes it, is refused at LINE.
for a in {0..15}; do for b in {0..15}; do printf '%s ' $(((a + 3 * b) % 4)); done; echo; done >"$t/good"
matrix() {
  sed "$4" "$t/good" >"$t/m"
  run --nodes 16 --matrix "$t/m" --load 0.1
  complains "a matrix with $1" 3 "/m:$2: " "$3"
}
matrix 'a word' 2 "'x'; allowed: a weight, 0 to 1e12" '2s/3/x/'
matrix 'a negative weight' 5 "'-1'; allowed: a weight" '5s/1/-1/'
matrix 'a weight that is none' 1 "'nan'; allowed: a weight" '1s/3/nan/'
matrix 'a weight less' 7 '15 weights; allowed: 16' '7s/1 //'
matrix 'a weight more' 16 'more than 16 weights' '16s/1/1 1/'
matrix 'a line less' 16 '15 lines; allowed: 16' '3d'
matrix 'a line more' 17 'a line more; allowed: 16 lines' '3p'
run --nodes 16 --matrix "$t/good" --load 0.1 --output "$t/good"
complains 'a matrix that would be written over' 2 'are one file'
sed '1s/[1-3]/9/g' "$t/good" >"$t/m"
run --nodes 16 --matrix "$t/m" --load 0.5
complains 'a row that asks for more than a link carries' 2 'row 0 asks for' 'allowed: a load of at most'
sed 's/[1-3]/0/g' "$t/good" >"$t/m"
run --nodes 16 --matrix "$t/m" --load 0.5
complains 'a matrix of zeros' 3 'm:16: all weights are 0'
# Weights are shares of all traffic: multiplied by a power of two, which rounds nothing, they are the same, up to the load that is allowed.
scaled() { # OPTION...: one digest, or one refusal that names a load, with each factor
  local factor said=
  for factor in 0.0009765625 1 64 1073741824; do
    awk -v f=$factor '{ for (k = 1; k <= NF; k++) printf "%.17g ", f * $k; print "" }' "$t/good" >"$t/m"
    run --nodes 16 --matrix "$t/m" "$@" --cycles 3000 --warmup 0 --length 4 --format csv
    now=$(got digest)
    [ "$code" != 2 ] || now=$(grep -o 'allowed: at most.*\|allowed: a load.*' "$t/err")
    if [ -z "$now" ] || [ "${said:=$now}" != "$now" ]; then echo "$factor: $now, not $said" && return 1; fi
  done
}
for load in 0.1 0.4 0.9; do
  check "weights times a number, load $load" scaled --load $load
  check "weights times a number, load $load, Poisson" scaled --load $load --arrivals poisson
  check "weights times a number, load $load, bursts" scaled --load $load --arrivals on-off --burst-on 50 --burst-off 50
done
{ echo '# weights, with commas'; sed 's/ \([0-9]\)/,\1/g' "$t/good"; } >"$t/m"
run --nodes 16 --matrix "$t/m" --load 0.1 --format csv
commas=$(got digest)
run --nodes 16 --matrix "$t/good" --load 0.1 --format csv
alike 'commas and comments in a matrix' "$(got digest)" "$commas"

refused 'a hot spot outside' '--topology torus --radix 4 --pattern hotspot --hotspot-node 16' \
  '--hotspot-node 16' 'allowed: 0 to 15'
printf 'topology = "torus";\nradix = 5;\npath = "negative-hop";\n' >"$t/a.cfg"
refusal=3 refused 'in a file' "--config $t/a.cfg" "$t/a.cfg:2: radix = 5 with path = negative-hop"

# -- deadlock --------------------------------------------------------------------------------------

# Too large to search, so a smaller one stands in: of radix 6, since with 4 no way has two links in a row from every node.
for radix in 6 8 10; do
  for options in '--discipline store --depth 1 --length 1' '--vcs 1 --processor-links' '--path minimal-adaptive --vcs 64'; do
    refused "4 dimensions, $radix, $options" "--topology torus --radix $radix --dimensions 4 $options" 'wait in a circle: '
  done
done
# A circle of heads that stand still is no deadlock while the tail of one of them moves up and gives its channel free.
printf '%s\n' 'nodes 6' 'link 0 1 1' 'link 0 5 3' 'link 1 2 2' 'link 2 3 1' 'link 3 4 3' 'link 4 5 1' 'link 5 0 3' >"$t/six.txt"
printf '%s\n' t_ns,src,dst,bytes 0,0,1,0 16298,3,0,20 16302,2,0,32 16321,2,1,32 16324,3,0,8 16329,4,2,4 16331,1,5,4 16358,5,4,4 >"$t/six.csv"
run --topology "graph:$t/six.txt" --pattern trace --trace "$t/six.csv" --force --depth 5 --runs 1 --format csv
works 'forced: no deadlock while tails move up'
check 'forced: ... and all arrive' test "$(value end),$(value last_arrival_max)" = done,16426
for bandwidth in 2 4 8; do
  run --topology torus --radix 4 --length 4 --load 0.1 --cycles 2000 --bandwidth on-demand --vcs 2 --link-bandwidth $bandwidth --runs 1 --format csv
  check "two channels fill two lanes of $bandwidth" test "$(value utilisation)" = 0.025421875
done
# A source that fills its only link: a full link is full, whatever the channels and the width.
for full in '1 1' '1 4' '2 1' '3 2' '4 2' '5 3' '2 8'; do
  for bandwidth in fixed-share on-demand; do
    run --topology mesh --radix 2 --dimensions 1 --length 32 --load 1 --cycles 20000 --warmup 2000 --whole --injection per-channel --bandwidth $bandwidth \
      --vcs "${full% *}" --link-bandwidth "${full#* }" --runs 1 --format csv
    # one worm after the other comes to the link, so on demand one channel at most is in use
    check "V, B = $full, $bandwidth: what is accepted is what the link is in use" awk -v a="$(value accepted_load)" -v u="$(value utilisation)" \
      -v v="${full% *}" -v b="${full#* }" -v kind=$bandwidth 'BEGIN { most = kind == "fixed-share" ? v / int((v + b - 1) / b) : v < b ? v : b
        exit !(a > 0 && u > 0 && u <= 1 && (a / most - u) ^ 2 < 1e-4) }'
  done
done
# Worms that only travel are not an overrun.
run --topology torus --radix 16 --vcs 64 --depth 16 --bandwidth on-demand --channel-release tail-sent --link-latency 64 --router-latency 64 --length 1 \
  --load 0.06 --cycles 4000 --runs 1 --format csv
check 'long links: 64 worms of a processor under way are not saturation' test "$(value end)" = 'done'
run --topology torus --radix 16 --vcs 2 --bandwidth on-demand --length 1 --load 0.9 --cycles 4000 --runs 1 --format csv
check 'short links: 64 that wait are' test "$(value end)" = saturated
# Packets are measured from the beginning of a step on.
for warmup in 777 832; do
  run --topology mesh --radix 2 --dimensions 3 --discipline store --depth 1 --length 64 --pattern diagonal --seed 557378517 --load 0.5 --cycles 640 \
    --warmup $warmup --runs 1 --format csv
  [ $warmup = 777 ] && first=$(value accepted_load),$(value utilisation),$(value digest)
done
check 'packets: a window that would begin within a step begins after it' test "$first" = "$(value accepted_load),$(value utilisation),$(value digest)"
# Flits of a packet with its addresses: ceil(L (1 + overhead)), also where that is whole.
for case in '100 0.1 110' '50 0.1 55' '32 0.1 36' '1000 0.07 1070' '10 0.3 13'; do
  # shellcheck disable=SC2086 # words
  set -- $case
  run --nodes 16 --discipline split --length "$1" --overhead "$2" --pattern complement --runs 1 --format csv
  check "split: $1 flits, $2 of them addresses" test "$(value flit_hops)" = $((64 * $3))
done
printf '0 5e-324 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n' >"$t/least.txt"
printf '0 1 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n' >"$t/ones.txt"
for file in least ones; do
  run --nodes 4 --matrix "$t/$file.txt" --load 0.01 --length 2 --cycles 20000 --runs 1 --format csv
  [ $file = least ] && first=$(value digest),$(value end)
done
check 'a matrix of the smallest number there is one of ones' test "$first" = "$(value digest),done"
for radix in 5 6 7 8; do
  run --topology torus --radix "$radix" --dimensions 4 --vcs 2 --length 1 --pattern neighbour --runs 1
  works "4 dimensions, $radix, two channels" "torus of $radix^4"
done
refused 'a deadlock of packets with classes' '--topology torus --discipline store --depth 2 --path negative-hop' \
  'path = negative-hop with topology = torus and vcs = 9 can deadlock'

refused 'e-cube with one channel' '--topology torus --radix 8 --vcs 1' \
  'path = e-cube with topology = torus and vcs = 1 can deadlock' 'wait in a circle: ' \
  'allowed with force'
refused "the variation of BC's footnote" '--topology torus --radix 6 --path loose-hop' \
  'path = loose-hop with topology = torus and vcs = 7 can deadlock'
refused 'any minimal path, any channel' '--topology mesh --radix 4 --path minimal-adaptive' \
  'path = minimal-adaptive with topology = mesh and vcs = 1 can deadlock: 4 channels'
run --topology torus --radix 8 --vcs 1 --force --rounds 40 --runs 1 --output "$t/none"
complains 'forced: the circle that worms wait in' 1 'deadlock in cycle' 'waits for' 'held by worm'
check 'forced: the result says so' grep -q '^deadlock     in 1 of 1 runs; latencies have no mean' "$t/none"
run --topology torus --radix 3 --vcs 1 --runs 1
works 'a ring of three needs no second channel' 'torus of 3^2'

# -- what is printed -------------------------------------------------------------------------------

run --topology torus --radix 8 --path negative-hop --length 4 --load 0.05 --cycles 20000 \
  --warmup 5000 --format csv --links "$t/links"
works 'CSV' 'topology,utilisation,wait_mean,radix,dimensions,bandwidth,link_bandwidth'
check 'CSV: topology' test "$(value topology) $(value radix) $(value dimensions)" = 'torus 8 2'
check 'CSV: processors and channels follow' test "$(value nodes) $(value vcs)" = '64 5'
# load 0.05 * 4.063 links / 4 links of a node (BC, equation 1)
check 'CSV: utilisation is that of equation 1' between 0.049 "$(value utilisation)" 0.053
check 'CSV: wait is what a lone worm does not take' between 0.1 "$(value wait_mean)" 20
check 'links: each once, with its ends' test "$(awk -F, 'NR > 1' "$t/links" | wc -l)" = 256
run --topology mesh --radix 4 --dimensions 3 --length 8 --runs 2 --format json
check 'JSON reads back' python3 -c "import json
r = json.load(open('$t/out'))
assert r['topology'] == 'mesh' and r['nodes'] == 64 and len(r['levels']) == 6, r"
run --topology mesh --radix 4 --depth unbounded --format json
check 'JSON with unbounded queues' python3 -c "import json
assert json.load(open('$t/out'))['depth'] == 'unbounded'"
run --topology torus --radix 4 --hotspot 0.5 --hotspot-node 3 --format csv
check 'a hot spot is a pattern of its own' test "$(value pattern) $(value hotspot)" = 'hotspot 0.5'
run --topology torus --nodes 64 --dimensions 3 --length 4
works 'a table for people' 'torus of 4^3' 'bandwidth fixed-share' 'dimension  2 down'
run --nodes 16 --format csv
check 'a fat-tree says so' test "$(value topology)" = fat-tree
check 'a fat-tree: utilisation without its processors' between 0.01 "$(value utilisation)" 1

# -- numbers ---------------------------------------------------------------------------------------

# A worm alone takes (d + L - 1) V cycles; light traffic on 16 x 16 about that (BC 2.1).
run --topology torus --path e-cube --length 4 --load 0.0005 --cycles 100000 --warmup 1000 --format csv
check 'e-cube alone: (8.03 + 3) * 2 cycles' between 21.7 "$(value latency_mean)" 22.5
run --topology torus --path negative-hop --length 4 --load 0.0005 --cycles 100000 --warmup 1000 --format csv
check 'negative-hop alone: 4.5 times that' between 97.5 "$(value latency_mean)" 101
# What BC's e-cube and north-last reach, where a source has a queue for each channel (BC 2.1; the
# whole is make paper's).
saturated() { # PATH LOAD OPTION...
  run --topology torus --length 4 --depth 4 --path "$1" --load "$2" --warmup 30000 --cycles 60000 \
    --whole --runs 1 --format csv "${@:3}"
}
saturated e-cube 0.08467 --injection per-channel
check 'e-cube reaches 0.17' between 0.16 "$(value utilisation)" 0.18
check 'CSV: injection' test "$(value injection)" = per-channel
saturated e-cube 0.08467
check 'and less with one queue at a source' between 0.13 "$(value utilisation)" 0.16
saturated north-last 0.06475 --injection per-channel --pattern hotspot --hotspot-node 255
check 'north-last reaches 0.114 under a hot spot' between 0.104 "$(value utilisation)" 0.124
check 'and is measured to the end' test "$(value cycles) $(value saturated)" = '90000 1'
run --topology torus --path negative-hop --length 4 --load 0.0005 --cycles 100000 --warmup 1000 \
  --bandwidth on-demand --format csv
check 'and on demand (8.03 + 3) cycles' between 10.8 "$(value latency_mean)" 11.3

# The same seed gives the same result, whatever the threads.
run --topology torus --radix 8 --path north-last --rounds 3 --runs 5 --threads 1 --format csv
one=$(got digest)
run --topology torus --radix 8 --path north-last --rounds 3 --runs 5 --threads 4 --format csv
alike 'threads do not matter' "$(got digest)" "$one"
check 'the digest is the known one' test "$one" = 9fdec17c70e8b22f

# -- butterflies -----------------------------------------------------------------------------------

# greedy N PATTERN OPTION...: one packet of one flit a row, one run.
greedy() {
  local n=$1 pattern=$2 topology='--topology butterfly' length='--length 1'
  shift 2
  [[ " $* " = *" --topology "* ]] && topology=
  [[ " $* " = *" --length "* ]] && length=
  # shellcheck disable=SC2086 # an option and its value, or nothing
  run $topology $length --nodes "$n" --discipline store --pattern "$pattern" --runs 1 --format csv "$@"
}

refused 'rows that are no power of two' '--topology butterfly --nodes 48' \
  '--nodes 48; allowed on a butterfly: 2^n rows with n = 1 to 20'
refused 'radix of a butterfly' '--topology butterfly --radix 4' '--radix 4 with --topology butterfly'
refused 'e-cube on a butterfly' '--topology butterfly --path e-cube' 'allowed on a butterfly: greedy'
refused 'density of another pattern' '--topology butterfly --density 0.1' \
  'allowed: only with --pattern packing, spreading or monotone'
refused 'more than all rows' '--topology butterfly --pattern packing --density 1.5' \
  '--density 1.5; allowed: '
for n in 3 5 7 9 11 13; do
  greedy $((1 << n)) bit-reversal
  want=$(((1 << (n - 1) / 2) + n - 1)) # L 3.4.2
  check "bit-reversal of 2^$n rows: steps" test "$(value cycles)" = "$want"
  check "bit-reversal of 2^$n rows: paths over one edge" \
    test "$(value congestion_mean)" = $((1 << (n - 1) / 2))
done
greedy 512 bit-reversal --length 5
check 'a step is L cycles' test "$(value cycles)" = 120
greedy 512 bit-reversal --link-bandwidth 16
check '16 packets a step never meet' test "$(value cycles)" = 9
greedy 512 bit-reversal --depth 1
check 'one packet a queue: every other step' test "$(value cycles)" = 39
greedy 1024 identity
check 'identity crosses the butterfly' test "$(value cycles) $(value dilation)" = '10 10'
greedy 1024 spreading --density 0.3
check 'spreading never waits' test "$(value cycles) $(value congestion_mean)" = '10 1'
greedy 1024 packing --topology reverse-butterfly --density 0.3
check 'nor does packing backwards' test "$(value cycles) $(value congestion_mean)" = '10 1'
greedy 1024 random-permutation --seed 5
one=$(got digest)
check 'a random permutation: little over log N' between 10 "$(value cycles)" 20
greedy 1024 random-permutation --seed 6
unlike 'another seed, another permutation' "$(got digest)" "$one"
run --topology wrapped-butterfly --nodes 64 --length 4 --load 0.1 --cycles 5000 --warmup 1000
works 'worms round a wrapped butterfly' 'wrapped-butterfly' 'level      5 up'

# -- graphs ----------------------------------------------------------------------------------------

# graph LINES NAME CODE TEXT...
graph() {
  local name=$2 want=$3
  printf '%b' "$1" >"$t/graph.txt"
  shift 3
  run --topology "graph:$t/graph.txt" --discipline store --runs 1
  if [ "$want" = 0 ]; then works "$name" "$@"; else complains "$name" "$want" "$@"; fi
}

graph 'nodes 3\nlink 0 1\nlink 1 2 # back\nlink 2 0\n' \
  'graph: a ring' 0 '3 processors; graph:'
graph 'nodes 3\nlink 0 1\nlink 1 7\n' \
  'graph: a dangling edge' 3 "$t/graph.txt:3: link: to node 7; allowed: 0 to 2"
graph 'nodes 3\nlink 0 1\nlink 1 2\nlink 2 0\npath 0 2 0 2\n' \
  'graph: a path that is none' 3 "$t/graph.txt:5: no link leads from 0 to 2"
graph 'nodes 3\nlink 0 1\nlink 1 2\nlink 2 0\nnext 0 2 1.1\n' \
  'graph: a class that no channel has' 3 "$t/graph.txt:5: '1.1': the link from 0 to 1 has no class 1"
graph 'nodes 3\nlink 0 1\nlink 1 2\n' \
  'graph: out of reach' 3 "$t/graph.txt: no links lead from processor 1"
graph '' 'graph: empty' 3 "$t/graph.txt:1: nothing; allowed: nodes N"
run --topology "graph:$t/none.txt"
complains 'graph: no file' 3 "$t/none.txt: No such file"
printf 'nodes 3\nlink 0 1\nlink 1 2\nlink 2 0\n' >"$t/graph.txt"
refused 'a ring of worms' "--topology graph:$t/graph.txt" 'can deadlock: 3 channels'
refused 'channels that the file has not' "--topology graph:$t/graph.txt --vcs 2" '--vcs' 'allowed: 1'
printf 'nodes 4\nlink 0 1\nlink 1 2\nlink 2 3\nlink 3 0\n' >"$t/graph.txt"
refused 'a ring of bounded queues' "--topology graph:$t/graph.txt --discipline store --depth 1" \
  'can deadlock'
run --topology "graph:$t/graph.txt" --discipline store --depth 1 --force --pattern complement --runs 1 \
  --rounds 9 --length 1
cp "$t/out" "$t/dead"
: >"$t/out"
complains 'forced: the circle that packets wait in' 1 'deadlock in cycle' 'waits for room before' \
  'held by packet'

# Large cubes, of which smaller ones are searched: negative-hop takes a torus of even radix, a mesh of any.
for size in '18 2' '22 2' '26 2' '34 2' '50 2' '58 2' '62 2' '64 2' '10 3' '14 3' '18 3'; do
  read -r k n <<<"$size"
  run --topology torus --radix "$k" --dimensions "$n" --path negative-hop --rounds 1 --runs 1 --length 1 --max-cycles 1
  works "large: negative-hop on a torus of $k^$n" "$((k ** n)) processors"
  refused "large: negative-hop on a torus of $((k - 1))^$n" "--topology torus --radix $((k - 1)) --dimensions $n --path negative-hop --max-cycles 1" \
    "--radix $((k - 1)) with path = negative-hop; allowed: an even one"
  run --topology mesh --radix $((k - 1)) --dimensions "$n" --path negative-hop --rounds 1 --runs 1 --length 1 --max-cycles 1
  works "large: negative-hop on a mesh of $((k - 1))^$n" "$(((k - 1) ** n)) processors"
done

# Too large to search: 2000 processors whose worms go up a tree and down another one, and more links that make a circle of some nodes.
trees() { # LINK...: a>b
  python3 - "$@" <<'END'
import sys
n = 2000
print("nodes", 4 * n + 4)
for leaf in range(n, 2 * n):
    print("processor", leaf, 2 * n + leaf)
for k in range(2, 2 * n):  # node k of the tree up has node k // 2 above it; the tree down is 2 n on
    print("link", k, k // 2), print("link", 2 * n + k // 2, 2 * n + k)
print("link 1", 2 * n + 1)
for link in sys.argv[1:]:
    print("link", *link.split(">"))
END
}
trees >"$t/graph.txt"
run --topology "graph:$t/graph.txt" --rounds 1 --runs 1 --length 1 --max-cycles 50
works 'large: two trees' '2000 processors'
while read -r name links; do
  # shellcheck disable=SC2086 # words
  trees $links >"$t/graph.txt"
  refused "large: a circle $name" "--topology graph:$t/graph.txt --rounds 1 --runs 1 --length 1 --max-cycles 50" \
    'has circles of links and is too large to look for deadlocks'
done <<'END'
in-the-middle 4001>1
of-two-nodes-at-the-top 1>8000 8000>1
that-nothing-leads-to 8000>8001 8001>8000 8001>1
behind-an-exit 7999>8000 8000>8001 8001>8002 8002>8000
of-all-levels 7999>3999
between-two-leaves 2100>2101 2101>2100
END

python3 -B scripts/sim/leveled.py 16 6 2 >"$t/graph.txt"
run --topology "graph:$t/graph.txt" --discipline store --length 1 --runs 1 --format csv
check 'a leveled network from leveled.py' test "$(value nodes) $(value dilation)" = '16 6'
# Its links are those of its first lines, for every number of rows and links: the omega network, or as many rows as links.
differ() { ! "$@"; } # of a file that was damaged
# shellcheck disable=SC2016  # of awk
leveled_right() { # ROWS LEVELS DEGREE [SEED] FILE
  awk -v words="${*:1:$#-1}" '
    BEGIN { split(words, w); rows = w[1]; depth = w[2]; degree = w[3] }
    $1 == "nodes" { nodes = $2 }
    $1 == "processor" { if ($2 != processors || $3 != depth * rows + processors) bad = 1; processors++ }
    $1 == "link" { from = $2 % rows; k = count[$2]++; far = $3 - ($2 - from) - rows
                   if (far < 0 || far >= rows || seen[$2, $3]++ || (!(4 in w) && far != (from * degree + k) % rows)) bad = 1 }
    END { for (k = 0; k < rows * depth; k++) if (count[k] != degree) bad = 1
          exit bad || nodes != rows * (depth + 1) || processors != rows }' "${@: -1}"
}
for words in '16 6 2' '9 3 3' '64 6 4' '10 6 3' '12 3 5' '7 2 7' '27 8 4 5' '12 12 3 1' '16 5 16 0'; do
  # shellcheck disable=SC2086  # words
  python3 -B scripts/sim/leveled.py $words >"$t/graph.txt"
  # shellcheck disable=SC2086  # words
  check "leveled.py $words: every processor and link" leveled_right $words "$t/graph.txt"
done
# With one link, one processor, or the number of nodes otherwise.
# shellcheck disable=SC2016  # of sed
for damage in 's/^link 20 .*/link 20 37/' 's/^processor 3 .*/processor 3 82/' 's/^nodes .*/nodes 95/' '$d' '$p'; do
  python3 -B scripts/sim/leveled.py 16 5 16 0 | sed -e "$damage" >"$t/damaged.txt"
  check "planted: leveled.py, $damage" differ leveled_right 16 5 16 0 "$t/damaged.txt"
done
# Any whole number is a seed: what follows from it is not the omega network, nor what follows from another.
# Without the first line, which has the seed.
set -o pipefail # a seed that is refused has no network
for seed in '' 0 1 2 4294967296; do python3 -B scripts/sim/leveled.py 16 6 5 $seed | grep -v '^#' | md5sum || echo refused; done >"$t/out"
set +o pipefail
check 'leveled.py: no such seed is refused' not grep refused "$t/out"
check 'leveled.py: every seed has a network of its own' test "$(sort -u "$t/out" | wc -l)" = 5
code=0
python3 -B scripts/sim/leveled.py 16 6 5 -1 >"$t/out" 2>"$t/err" || code=$?
complains 'leveled.py: a seed below 0, which draws as that above' 2 'allowed: ROWS 2 to 4096' 'SEED 0 or more'
code=0
python3 -B scripts/sim/leveled.py 16 2 2 >"$t/out" 2>"$t/err" || code=$?
complains 'leveled.py: out of reach' 1 'leave some of 16 rows out of reach'
code=0
python3 -B scripts/sim/leveled.py 1 2 >"$t/out" 2>"$t/err" || code=$?
complains 'leveled.py: usage' 2 'allowed: ROWS 2 to 4096'

refusals_end

# -- the analytical model ----------------------------------------------------------------------------

# What run runs from here on.
runner=("$fatfly" model)
# no NAME CODE OPTIONS TEXT...
no() {
  local name=$1 want=$2 options=$3
  shift 3
  # shellcheck disable=SC2086  # words
  run $options
  complains "model: $name" "$want" "$@"
}
no 'no such topology' 2 '--topology torsu' '--topology torsu; allowed: fat-tree, torus, mesh' 'nearest: torus'
no 'several ways' 2 '--topology torus --path negative-hop' 'a head may take one of several links; allowed: one way' 'e-cube'
no 'several ways on a hypercube' 2 '--topology hypercube --path minimal-adaptive --force' 'allowed: one way'
no 'channels that wait for flits of others' 2 '--topology torus --bandwidth on-demand' 'allowed: fixed-share, or a link bandwidth of 2 to 64'
no 'what can deadlock' 2 '--topology torus --radix 8 --vcs 1' 'can deadlock'
no 'no number' 2 '--topology mesh --radix x' '--radix x; allowed: a whole number'
no 'N that is no power' 2 '--topology torus --nodes 200' '--nodes 200 with --dimensions 2'
no 'N that is no power of 4' 2 '--nodes 60' '--nodes 60; allowed: 4^n with n = 1 to 10; nearest: 16 and 64'
no 'N above 4^10' 2 '--nodes 4194304' '--nodes 4194304; allowed: 4^n with n = 1 to 10; nearest: 1048576'
no 'too many processors' 2 '--topology mesh --radix 30 --dimensions 3' 'of 27000 processors; allowed: 2 to 16384'
no 'levels of a mesh' 2 '--topology mesh --levels' '--levels with --topology mesh; allowed: only with fat-tree'
no 'channels of a fat-tree' 2 '--vcs 2' '--vcs 2 with --topology fat-tree; allowed: only with torus, mesh or another'
no 'a path of the fat-tree' 2 '--path rg' '--path rg with --topology fat-tree'
no 'no graph' 3 "--topology graph:$t/none.txt" "$t/none.txt: No such file"
no 'an option of others' 2 '--topology torus --pattern random' '--pattern is no option of fatfly model; allowed: in fatfly run'
printf 'nodes 3\nlink 0 1 2\nlink 1 2 2\nlink 2 0 2\nlink 0 2 2\npath 0 1 0 1.0\n' >"$t/graph.txt"
no 'sets of channels that overlap' 2 "--topology graph:$t/graph.txt" 'any channel of a link and others a certain one'

# A worm alone: d + L - 1 cycles of 2 on the torus, whose channels share links; d is 2 k/4 k^2/(k^2 - 1).
run --topology torus --radix 8 --load 0 --format csv
check 'model: no load on a torus' between 70.12698 "$(value latency)" 70.12699
# As scripts/paper/judge_gg_general.py has it.
run --topology mesh --radix 8 --processor-links --load 0.15084962652836112 --format csv
check 'model: a mesh at 80 % of saturation' between 71.39940 "$(value latency)" 71.39941
check 'model: where a mesh saturates' between 0.188562033 "$(value saturation_load)" 0.188562034
run --topology torus --radix 8 --load 0.2 --format csv
check 'model: a saturated torus' test "$code $(value latency) $(value saturated)" = '0  1'
run --topology torus --radix 8 --load 0.2 --fail-saturated --format json
check 'model: a saturated torus is exit code 5' test "$code" = 5
run --topology torus --radix 8 --vcs 1 --force
works 'model: circles of channels' 'Saturation at 0.' 'in circles, where worms can deadlock' '95.0 %'
for n in 9 100 2500; do # of a chain of n the mean distance is (n + 1) / 3; 2500 have more than 2^32 links in all
  awk -v n=$n 'BEGIN { print "nodes", n; for (k = 1; k < n; k++) printf "link %d %d\nlink %d %d\n", k - 1, k, k, k - 1 }' >"$t/graph.txt"
  run --topology "graph:$t/graph.txt" --load 0.0000001
  works "model: a chain of $n" "mean distance $(awk -v n=$n 'BEGIN { printf "%.3f", (n + 1) / 3 }') links"
done
run --topology hypercube --nodes 16 --loads 0.1:0.3:3
works 'model: a table' 'N = 16, worms of 32 flits, mean distance 2.133 links' \
  'hypercube, path e-cube, 64 channels in use, 1 cycle for a flit' '0.3'
# Latency is wait, service, and the links of the mean path but one, of which each takes so many cycles for a flit.
# shellcheck disable=SC2016  # of awk
adds_up() { # LINKS CYCLES
  awk -F, -v links="$1" -v cycles="$2" '
    NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; split(links, part, "/"); far = part[1] / (2 in part ? part[2] : 1) }
    NR > 1 { d = $at["latency"] - $at["wait"] - $at["service"] - (far - 1) * cycles; if (d > 1e-6 || d < -1e-6) bad = 1 }
    END { exit bad || NR != 4 }' "$t/out"
}
while IFS='|' read -r options links cycles; do
  # shellcheck disable=SC2086  # words
  run $options --loads 0.01:0.03:3 --format csv
  check "model:$options: the parts add up to the latency" adds_up "$links" "$cycles"
  check "planted: model:$options, a cycle a link more" differ adds_up "$links" $((cycles + 1))
done <<'END'
 --topology torus --radix 8|256/63|2
 --topology torus --radix 4 --dimensions 3 --bandwidth on-demand --link-bandwidth 2|192/63|1
 --topology torus --radix 6 --processor-links|178/35|2
 --topology mesh --radix 5 --vcs 3|80/24|3
 --topology hypercube --nodes 32|80/31|1
 --topology butterfly --nodes 16 --vcs 2|4|2
 --topology fat-tree --nodes 64|342/63|1
 --topology fat-tree --nodes 256 --length 5|1878/255|1
END
run --nodes 64
tree=$(printed)
run --topology fat-tree --nodes 64
alike 'model: the fat-tree by its name' "$tree" "$(printed)"
# A fifth of the load at which it saturates: within 2 % of simulation.
run --topology torus --radix 8 --load 0.03 --format csv
model=$(value latency)
runner=("$fatfly" run)
run --topology torus --radix 8 --load 0.03 --arrivals poisson --cycles 40000 --format csv
check 'model: a torus as simulated' awk -v a="$(value latency_mean)" -v b="$model" 'BEGIN { exit !(a > b * 0.98 && a < b * 1.02) }'

# -- links ------------------------------------------------------------------------------------------

# What --links says of a link is what a log of the same run says of it: its ends, which way it leads, and how many worms crossed
# it.  On a fat-tree the two number switches in different ways.
# shellcheck disable=SC2016  # of awk
links_agree() { # FILE; tree=1: a fat-tree
  awk -F, -v tree="$tree" '
    FNR == NR { if (FNR > 1) { link[$1] = $2 == "up" ? $4 " " $5 : $5 " " $4; worms[$1] = $6 } next }
    /^# link / { split($0, word, " "); n++; if (!tree && link[word[3]] != word[4] " " word[5]) bad = 1 }
    /^event,/ { for (k = 1; k <= NF; k++) at[$k] = k }
    /^move,/ && $at["flit"] == 0 { crossed[$at["link"]]++ }
    END { for (k in link) { m++; if (crossed[k] + 0 != worms[k] + 0) bad = 1 } exit bad || !m || m != n }' "$1" "$t/log"
}
while IFS= read -r options; do
  # shellcheck disable=SC2086  # words
  run $options --runs 1 --seed 3 --rounds 3 --length 3 --links "$t/links" --events "$t/log" --format csv
  tree=$([[ $options == *topology* ]] || echo 1)
  check "--links of $options is what --events says" links_agree "$t/links"
  sed '3s/,[0-9]*$/,999/' "$t/links" >"$t/damaged"
  check "planted: --links of $options, a count" differ links_agree "$t/damaged"
  sed '3s/up/down/; t; 3s/down/up/' "$t/links" >"$t/damaged"
  [ "$tree" ] || check "planted: --links of $options, a link turned round" differ links_agree "$t/damaged"
done <<'END'
--topology mesh --radix 4
--topology torus --radix 3 --dimensions 3
--topology hypercube --nodes 16 --path e-cube
--topology butterfly --nodes 16
--topology wrapped-butterfly --nodes 16 --force
--nodes 64
END

# -- sweeps ----------------------------------------------------------------------------------------

cat >"$t/s.cfg" <<'S'
topology = ["torus", "mesh", "fat-tree"];
nodes = 16;
length = [4, 8];
runs = 2;
S
timeout 60 "$fatfly" sweep "$t/s.cfg" --db "$t/s.sqlite" >"$t/out" 2>"$t/err" </dev/null
code=$?
check 'a sweep over topologies' test "$code" = 0
"$fatfly" export "$t/s.sqlite" --columns topology,radix,length,utilisation >"$t/out" 2>"$t/err"
check 'a sweep: a row for each' test "$(grep -c '^torus,4,\|^mesh,4,\|^fat-tree,,' "$t/out")" = 6

ends
