#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_import.sh - `fatfly import booksim`: what it writes runs, what has no counterpart is said line by
# line, and every option is on docs/from-booksim.md.
#
# usage: test_import.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command.
# Prints a line a check and `N passed, N failed`.  Nothing is written outside a temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
the_command
scratch
runner=("$fatfly")

# import LINE...: a mesh with dimension order, and more lines.
import() {
  printf '%s\n' '// a comment' 'topology = mesh;' 'routing_function = dor;' "$@" >"$t/b"
  run import booksim "$t/b"
}

# gives NAME LINES WANT...: what is written has each WANT, and runs.
gives() {
  local name=$1 lines=$2
  shift 2
  import "$lines"
  works "$name" "$@"
  cp "$t/out" "$t/c"
  run run --config "$t/c" --cycles 500 --warmup 0
  check "$name: it runs" test "$code" = 0
}

# lacks NAME LINES TEXT...
lacks() {
  local name=$1 lines=$2
  shift 2
  import "$lines"
  complains "$name" 3 "$@"
}

gives 'defaults of BookSim2' '' 'topology = "mesh";' 'radix = 8;' 'vcs = 16;' 'depth = 8;' 'load = 0.1;' 'length = 1;' 'processor_links = true;' \
  "k = 8, BookSim2's default" 'self_traffic = true;' 'warmup = 3000;' 'cycles = 10000;'
gives 'a mesh of 4 channels' 'num_vcs = 4; k = 4; packet_size = 8; injection_rate = 0.02;' 'vcs = 4;' 'radix = 4;' \
  'length = 8;' 'load = 0.16;' 'bandwidth = "on-demand";' 'path = "e-cube";'
gives 'a rate in flits' 'packet_size = 8; injection_rate_uses_flits = 1; injection_rate = 0.2;' 'load = 0.2;'
gives 'sizes by rates' 'packet_size = {{1,5}}; packet_size_rate = {{3,1}}; injection_rate = 0.1;' \
  'lengths = "mix";' 'length_mix = "1:3,5:1";' 'load = 0.2;'
gives 'bursts' 'injection_process = on_off; burst_alpha = 0.02; burst_beta = 0.1;' 'arrivals = "on-off";' \
  'burst_on = 10;' 'burst_off = 50;'
# BookSim2's two states by chances: a burst ends with beta, begins with alpha, and brings a packet with r1 in a cycle; the rate, in
# flits or packets, is alpha / (alpha + beta) * r1 packets.  One of the three may be left out.  1 / alpha and 1 / beta are what is said.
for size in 1 8; do
  for flits in 0 1; do
    rate=$(awk -v f=$flits -v s=$size 'BEGIN { print f ? 0.02 * s : 0.02 }') # 0.02 packets: a fifth of r1 = 0.1
    for left in alpha beta r1; do
      process=0.02,0.08,-1 # and 0.1 follows
      [ $left = r1 ] || process=$([ $left = alpha ] && echo -1,0.08,0.1 || echo 0.02,-1,0.1)
      gives "bursts without $left, packets of $size, uses_flits = $flits" \
        "packet_size = $size; injection_rate_uses_flits = $flits; injection_rate = $rate; injection_process = on_off($process);" \
        'burst_on = 12.5;' 'burst_off = 50;' "load = $(awk -v s=$size 'BEGIN { print 0.02 * s }');"
    done
  done
done
gives 'lists of one' 'injection_rate = { 0.1}; packet_size = {5}; num_vcs = {4 };' 'load = 0.5;' 'length = 5;' 'vcs = 4;'
lacks 'a list of two for one class' 'injection_rate = {0.1,0.2};' 'b:4: injection_rate = {0.1,0.2}; allowed here: a number'
lacks 'bursts of three numbers' 'injection_process = on_off(0.02,0.1,0.5);' 'b:4: ' 'with alpha, beta and r1, of which BookSim2 takes two'
for odd in on_offish 'on_off(0.5 0.25)' 'on_off(0.5x,0.25)' 'on_off(0.5,0.25' 'on_off(0.1,0.2,-1,3)' 'on_off()'; do
  lacks "bursts: $odd" "injection_process = $odd;" 'b:4: ' 'allowed: '
done
for odd in 'uniform(' 'uniform(junk' 'bitcomp(x)y'; do lacks "a pattern: $odd" "traffic = $odd;" 'b:4: ' 'has no counterpart; allowed: uniform, '; done
# More than the reader takes, and names that a configuration cannot have.
{ printf 'topology = mesh;\n// '; head -c 70000 /dev/zero | tr '\0' x; printf '\nk = 4;\n'; } >"$t/large"
run import booksim "$t/large"
complains 'a file of more than 65536 characters' 3 'large: more than 65536 characters; allowed: at most 65536'
printf 'topology = mesh;\nrouting_function = dor;\nk = 4;\ntraffic = hotspot({0,5},{3,1});\n' >"$t/hot"
for odd in 'a"b.cfg' 'a\b.cfg'; do
  run import booksim "$t/hot" --output "$t/$odd"
  complains "a matrix beside $odd" 2 "$odd: the configuration names its matrix after it; allowed: a name without quotes"
  check "a matrix beside $odd: nothing is written" test -z "$(find "$t" -name 'a*b.cfg*')"
done
lacks 'bursts of three options' $'burst_alpha = 0.02;\nburst_r1 = 0.5;\ninjection_process = on_off;' 'b:6: ' 'of which BookSim2 takes two'
lacks 'more than a burst can send' $'injection_process = on_off(0.02,0.1);\ninjection_rate = 0.3;' \
  'b:5: here load = 0.3 with arrivals = on-off' 'a worm a cycle while on'
gives 'bursts by their rate' 'injection_process = on_off(-1,0.1,0.6); injection_rate = 0.1;' 'burst_on = 10;' \
  'burst_off = 50;'
gives 'the last of two lines counts' 'k = 4; k = 3;' 'radix = 3;' 'k = 3, line 4'
gives 'a name over lines' 'k
  = // so
 5;' 'radix = 5;'
gives 'when a channel is free' '' 'channel_release = "tail-sent";' 'input_bandwidth = 1;' 'channels_in_turn = true;'
gives 'when it is with credits of tails' 'wait_for_tail_credit = 1; input_speedup = 4;' 'channel_release = "tail-gone";' 'input_bandwidth = 4;'
lacks 'half a speedup' 'input_speedup = 0;' 'input_speedup = 0'
gives 'what differs is a comment' 'output_speedup = 2; credit_delay = 2;' '# output_speedup = 2, line 4: each link sends' \
  '# credit_delay = 2, line 4: a credit takes'
many=$(for k in $(seq 200); do echo "credit_delay = $k;"; done)
gives '200 lines that differ are as many comments' "$many" '# credit_delay = 1, line 4: ' '# credit_delay = 200, line 203: '
gives 'a pipeline is a comment' 'st_final_delay = 3;' '# with --pipeline: router_latency = 4;' '# with --pipeline: head_latency = 2;' '# with --pipeline: link_latency = 1;'
gives 'so is a speculative one' 'speculative = 1;' '# with --pipeline: router_latency = 2;' '# with --pipeline: head_latency = 1;'
gives 'a folded torus' 'topology = torus; routing_function = dim_order; num_vcs = 2;' '# with --pipeline: link_latency = 2;'
lacks 'a delay of half a cycle' 'routing_delay = 0.5;' 'routing_delay = 0.5; allowed: a whole number'
lacks 'a delay too long' 'routing_delay = 13;' 'routing_delay = 13'
printf '%s;\n' 'topology = mesh' 'routing_function = dor' 'k = 4' >"$t/pipe.cfg"
run import booksim "$t/pipe.cfg" --pipeline --output "$t/piped.cfg"
check 'a pipeline where it is asked for' grep -q '^head_latency = 2;  # routing_delay + vc_alloc_delay' "$t/piped.cfg"
check 'it runs' "$fatfly" run --config "$t/piped.cfg" --cycles 1000
gives 'throughput' 'sim_type = throughput;' 'whole = true;'
while read -r theirs ours; do
  gives "traffic $theirs" "traffic = $theirs;" "pattern = \"$ours\";"
done <<END
bitcomp bit-complement
transpose transpose
bitrev bit-reversal
shuffle shuffle
randperm(7) random-permutation
tornado tornado
neighbor digit-neighbour
diagonal diagonal
asymmetric asymmetric
END
# Every way that is allowed, of both networks: those that the import itself names.
routed=
while read -r network theirs ours; do
  gives "$network, $theirs" "topology = $network; routing_function = $theirs; num_vcs = 4;" "topology = \"$network\";" "path = \"$ours\";"
  routed="$routed$network, $theirs
"
done <<END
mesh dor e-cube
mesh dim_order e-cube
mesh dim_order_ni e-cube
torus dim_order e-cube
torus dim_order_bal balanced-e-cube
END
named_routes() {
  for network in mesh torus; do
    import "topology = $network; routing_function = valiant; num_vcs = 4;"
    sed -n 's/.*has no counterpart; allowed: \(.*\); or a plug-in.*/\1/p' "$t/err" | tr -d ' ' | tr , '\n' | sed "s/^/$network, /"
  done
}
alike 'no way is allowed but these' "$(named_routes)" "${routed%$'\n'}"
# Every option that is read, given first in a line with a value that is not BookSim2's default: what then is written.
asked=
while IFS='|' read -r lines want more; do
  gives "read: $lines" "$lines" "$want" ${more:+"$more"}
  asked="$asked ${lines%% *}"
done <<'END'
topology = torus; routing_function = dim_order;|topology = "torus";
routing_function = dim_order;|# routing_function = dim_order, line 4
k = 5;|radix = 5;
n = 3; k = 3;|dimensions = 3;
num_vcs = 6;|vcs = 6;
vc_buf_size = 3;|depth = 3;
traffic = tornado;|pattern = "tornado";
injection_rate = 0.04;|load = 0.04;
injection_rate_uses_flits = 1; packet_size = 4; injection_rate = 0.2;|load = 0.2;
packet_size = 4;|length = 4;|load = 0.4;
packet_size_rate = {{1,4}}; packet_size = {{2,7}}; injection_rate = 0.05;|length_mix = "2:1,7:4";|load = 0.3;
injection_process = on_off; injection_rate = 0.2;|arrivals = "on-off";
burst_alpha = 0.25; injection_process = on_off; injection_rate = 0.2;|burst_on = 2;|burst_off = 4;
burst_beta = 0.2; injection_process = on_off; injection_rate = 0.2;|burst_on = 5;|burst_off = 2;
burst_r1 = 0.4; burst_alpha = -1; injection_process = on_off; injection_rate = 0.2;|burst_on = 2;|burst_off = 2;
sim_type = throughput;|whole = true;
warmup_periods = 5;|warmup = 5000;|cycles = 10000;
sample_period = 700;|warmup = 2100;|cycles = 7000;
max_samples = 4;|cycles = 4000;|warmup = 3000;
seed = 77;|seed = 77;
use_noc_latency = 0; topology = torus; routing_function = dim_order;|# with --pipeline: link_latency = 1;
routing_delay = 4;|head_latency = 5;|router_latency = 2;
vc_alloc_delay = 5;|head_latency = 6;|router_latency = 2;
sw_alloc_delay = 6;|head_latency = 2;|router_latency = 7;
st_prepare_delay = 7;|head_latency = 2;|router_latency = 9;
st_final_delay = 8;|head_latency = 2;|router_latency = 9;
speculative = 1;|head_latency = 1;|router_latency = 2;
classes = 3; injection_rate = {0.01,0.02,0.03};|classes = 3;|class_share = "0.01,0.02,0.03";
priority = class; classes = 2;|class_priority = "0,0";
class_priority = {5,2}; priority = class; classes = 2;|class_priority = "5,2";
use_read_write = 1; injection_rate = 0.05;|reply = "1,1";
write_fraction = 0.25; use_read_write = 1; injection_rate = 0.02;|class_share = "1.5,0.5";
read_request_size = 2; use_read_write = 1; injection_rate = 0.02;|class_length = "2,1";|reply = "1,1";
write_request_size = 3; use_read_write = 1; injection_rate = 0.02;|class_length = "1,3";|reply = "1,1";
read_reply_size = 4; use_read_write = 1; injection_rate = 0.02;|class_length = "1,1";|reply = "4,1";
write_reply_size = 5; use_read_write = 1; injection_rate = 0.02;|class_length = "1,1";|reply = "1,5";
wait_for_tail_credit = 1;|channel_release = "tail-gone";
input_speedup = 3;|input_bandwidth = 3;
END
while read -r name value writes from; do # with one part of a half of the channels there is no counterpart: the channels are said
  lacks "read: $name = $value" "$name = $value; use_read_write = 1; write_fraction = $writes;" "requests in channels $from of 16 have no counterpart"
  asked="$asked $name"
done <<END
read_request_begin_vc 1 0 1 to 5, replies in 8 to 13
read_request_end_vc 6 0 0 to 6, replies in 8 to 13
read_reply_begin_vc 9 0 0 to 5, replies in 9 to 13
read_reply_end_vc 14 0 0 to 5, replies in 8 to 14
write_request_begin_vc 3 1 3 to 7, replies in 10 to 15
write_request_end_vc 6 1 2 to 6, replies in 10 to 15
write_reply_begin_vc 11 1 2 to 7, replies in 11 to 15
write_reply_end_vc 14 1 2 to 7, replies in 10 to 14
END
alike 'no option is read but these' "$(tr ' ' '\n' <<<"$asked" | grep . | sort)" \
  "$(sed -n '/ known\[\] = {/,/};/p' cmodel/cli/import_options.h | grep -o '{"[a-z0-9_]*"' | tr -d '{"' | sort)"

printf 'topology = torus; routing_function = dim_order; num_vcs = 2;\n' >"$t/b"
run import booksim "$t/b"
works 'a torus' 'topology = "torus";' 'path = "e-cube";' 'vcs = 2;'
run import booksim "$t/b" --output "$t/kept"
check 'into a file' grep -q 'topology = "torus"' "$t/kept"

lacks 'another topology' 'topology = fattree;' '/b:4: topology = fattree has no counterpart; allowed: mesh, torus'
lacks 'any graph' 'topology = anynet;' 'a graph file'
lacks 'another routing' 'routing_function = valiant;' '/b:4: routing_function = valiant' 'plug-in with route()'
lacks 'another pattern' 'traffic = badperm_yarc;' '/b:4: traffic = badperm_yarc' '--matrix FILE'
lacks 'a matrix without a file' 'traffic = hotspot({1,2});' \
  '/b:4: traffic = hotspot({1,2}) is a matrix here, in a file beside this one; allowed: with --output FILE'

# matrix LINES: with an output, of a 4 x 4 mesh; the sums of its matrix, all rows, by destination.
matrix() {
  printf '%s\n' 'topology = mesh; routing_function = dor; k = 4; num_vcs = 4;' "$1" >"$t/b"
  run import booksim "$t/b" --output "$t/m"
  sums=$([ "$code" = 0 ] && awk '!/^#/ { n++; for (k = 1; k <= NF; k++) s[k - 1] += $k }
    END { for (k = 0; k < NF; k++) if (s[k]) printf "%d:%d ", k, s[k] / n }' "$t/m.matrix")
}
matrix 'classes = 2; injection_rate = 0.01; traffic = {uniform,hotspot({1,2},{3,1})};'
check 'hot spots of a class: weights' test "$sums" = '1:3 2:1 '
check 'hot spots of a class: the file is named, as it is called from there' grep -q '^matrix = "m.matrix";' "$t/m"
# With any --output, and read from any folder.
elsewhere() {
  local file=$PWD/${fatfly#"$PWD/"}
  [ -x "$file" ] || file=$fatfly
  mkdir -p "$t/e/sub" && cp "$t/b" "$t/e/b" && (cd "$t/e" && for out in here sub/x ./sub/y "$t/e/sub/z" ../e/sub/w; do
    "$file" import booksim b --output "$out" && "$file" run --config "$out" --cycles 300 --warmup 0 --max-cycles 3000 --format csv >d &&
      (cd sub && "$file" run --config "$t/e/${out#"$t/e/"}" --cycles 300 --warmup 0 --max-cycles 3000 --format csv >d) &&
      [ "$(cut -d, -f 1-20 d)" = "$(cut -d, -f 1-20 sub/d)" ] || exit 1
  done)
}
check 'hot spots of a class: run from two folders' elsewhere
check 'hot spots of a class: which' grep -q '^class_pattern = "random,matrix";' "$t/m"
check 'hot spots of a class: it runs' "$fatfly" run --config "$t/m" --cycles 500 --warmup 0
matrix 'traffic = hotspot(3); injection_rate = 0.01;'
check 'one hot spot of all' test "$sums $(grep -c '^pattern = "matrix";' "$t/m")" = '3:1  1'
matrix 'classes = 3; injection_rate = 0.01; traffic = {tornado,hotspot({1, 2, 5})};'
check 'hot spots of two classes' test "$sums $(grep -c '"tornado,matrix,matrix"' "$t/m")" = '1:1 2:1 5:1  1'
matrix 'k = {4}; n = { 2 }; traffic = hotspot({1,2}); injection_rate = 0.01;'
check 'hot spots of a mesh whose sizes are lists of one' test "$sums" = '1:1 2:1 '
matrix 'traffic = hotspot({5,5,9,5}); injection_rate = 0.01;'
check 'a hot spot that is named three times' test "$sums" = '5:3 9:1 '
matrix 'traffic = hotspot({5,9,5},{1,4,2}); injection_rate = 0.01;'
check 'a hot spot that is named twice, with weights' test "$sums" = '5:3 9:4 '
matrix 'traffic = hotspot({1,1,2},{999999,3,1}); injection_rate = 0.01;'
check 'a weight of more than six digits' test "$sums $(grep -c '^0 1000002 1 0' "$t/m.matrix")" = '1:1000002 2:1  16'
matrix 'k = 8; traffic = taper64;'
check 'taper64: nodes around have 73 of 1,152' test "$sums $(sed -n 2p "$t/m.matrix" | tr ' ' '\n' | sort -n | uniq -c | tr -s ' \n' ' ')" = \
  "$(for k in $(seq 0 63); do printf '%d:18 ' "$k"; done)  55 9 9 73 "
# Of all sizes, with rates for none, some, all of the hot spots, and more: not the sums alone, each cell.
check 'every cell of every matrix, computed a second time' python3 -B tb/cli/import_cells.py "$fatfly"
while read -r traffic; do
  matrix "traffic = $traffic;"
  complains "traffic = $traffic" 3 "/b:2: traffic = $traffic; allowed: hotspot({a,b,..}) or hotspot({a,b,..},{rate,rate,..})"
done <<END
hotspot
hotspot(-1)
hotspot({1,16})
hotspot({1,2}
hotspot({1,2},{0})
hotspot({1,,2})
hotspot({1},2)x
END
matrix 'traffic = taper64;'
complains 'taper64 of 16' 3 'traffic = taper64 with 16 processors; allowed: 64'
matrix 'classes = 2; traffic = {hotspot(1),hotspot(2)};'
complains 'two matrices' 3 'traffic = hotspot(2) beside hotspot(1); allowed: one matrix of all classes'
printf '%s\n' 'topology = mesh; routing_function = dor; k = 4; num_vcs = 4; traffic = hotspot(1);' >"$t/i.matrix"
run import booksim "$t/i.matrix" --output "$t/i"
complains 'a matrix over what is read' 2 'where the matrix goes, is the file that is read'
lacks 'long queues' 'vc_buf_size = 256;' '/b:4: vc_buf_size = 256; allowed here: a number, 1 to 16'
lacks 'several processors a node' 'c = 4;' '/b:4: c = 4 has no counterpart'
gives 'classes' 'num_vcs = 4; classes = 2; packet_size = {1,5}; injection_rate = {0.1,0.02}; priority = class; class_priority = {0,3};' \
  'classes = 2;' 'class_length = "1,5";' 'load = 0.2;' 'class_share = "0.1,0.1";' 'class_priority = "0,3";'
gives 'classes with rates in flits' \
  'num_vcs = 4; classes = 3; packet_size = 4; injection_rate = {0.1,0.05}; injection_rate_uses_flits = 1; traffic = {uniform,uniform};' \
  'class_length = "4,4,4";' 'load = 0.2;' 'class_share = "0.1,0.05,0.05";'
gives 'a pattern of each class, the last for those left' 'num_vcs = 4; classes = 3; traffic = { tornado , randperm(7)};' \
  'class_pattern = "tornado,random-permutation,random-permutation";' 'traffic = { tornado , randperm(7)}, line 4'
gives 'uniform as one of two' 'num_vcs = 4; classes = 2; traffic = {uniform,tornado};' 'class_pattern = "random,tornado";' 'self_traffic = true;'
gives 'a list of one' 'traffic = {bitcomp};' 'pattern = "bit-complement";'
lacks 'a pattern more than classes' 'classes = 2; num_vcs = 4; traffic = {uniform,tornado,uniform};' \
  '/b:4: traffic = {uniform,tornado,uniform}; allowed here: a pattern, or at most one for each of 2 classes'
lacks 'a list that does not end' 'classes = 2; traffic = {uniform,tornado;' 'allowed here: a pattern, or at most one for each'
lacks 'two permutations' 'classes = 2; traffic = {randperm(1),randperm(2)};' 'allowed: one permutation of all classes'
lacks 'a second pattern that there is not' 'classes = 2; traffic = {uniform,badperm_dfly};' 'traffic = badperm_dfly has no counterpart'
gives 'requests and replies with the channels of BookSim2' 'use_read_write = 1; injection_rate = 0.05;' 'classes = 2;' \
  'class_length = "1,1";' 'reply = "1,1";' 'load = 0.1;' 'class_channels = "reserved";' '# reads and writes: here both take'
halves='read_request_end_vc = 1; write_request_begin_vc = 0; write_request_end_vc = 1; read_reply_begin_vc = 2; read_reply_end_vc = 3; write_reply_begin_vc = 2; write_reply_end_vc = 3;'
gives 'reads and writes' \
  "num_vcs = 4; use_read_write = 1; read_reply_size = 5; write_request_size = 5; write_fraction = 0.25; injection_rate = 0.02; $halves" \
  'class_length = "1,5";' 'reply = "5,1";' 'class_share = "4.5,1.5";' 'load = 0.12;' 'class_channels = "reserved";'
gives 'writes alone, with replies of their own' \
  "num_vcs = 4; use_read_write = 1; read_reply_size = 7; write_request_size = 5; write_reply_size = 2; write_fraction = 1; injection_rate = 0.02; $halves" \
  'length = 5;' 'reply = "2";'
gives 'reads alone, a rate in flits' \
  "num_vcs = 4; use_read_write = 1; read_reply_size = 5; write_request_size = 5; write_fraction = 0; injection_rate_uses_flits = 1; injection_rate = 0.12; $halves" \
  'length = 1;' 'reply = "5";' 'load = 0.12;'
gives 'a rate in flits, sizes that are five in all: BookSim2 halves them to two' \
  "num_vcs = 4; use_read_write = 1; read_request_size = 2; injection_rate_uses_flits = 1; injection_rate = 0.12; $halves" 'load = 0.15;'
gives 'a limit that BookSim2 does not obey' 'num_vcs = 4; max_outstanding_requests = 4;' '# max_outstanding_requests = 4, line 4: BookSim2 obeys it'
lacks 'five classes' 'classes = 5;' 'classes = 5; allowed here: a number, 1 to 4'
lacks 'sizes of a class that vary' 'classes = 2; packet_size = {{1,5},{2}};' 'packet_size = {{1,5},{2}}; allowed here: at most one whole number'
lacks 'a rate more than classes' 'classes = 2; injection_rate = {0.1,0.1,0.1};' 'injection_rate = {0.1,0.1,0.1}; allowed here: '
lacks 'classes of requests' 'classes = 2; use_read_write = 1;' 'use_read_write = 1 with classes = 2 has no counterpart'
lacks 'channels of requests that are no half' 'num_vcs = 4; use_read_write = 1;' \
  'requests in channels 0 to 7, replies in 8 to 15 of 4 have no counterpart; allowed: 0 to 1 and 2 to 3'
lacks 'bursts of requests' 'use_read_write = 1; injection_process = on_off(0.5,0.5);' 'with several classes or replies'
lacks 'priorities by age' 'priority = age;' 'priority = age has no counterpart; allowed: none, class; or a plug-in with before()'
lacks 'another router' 'router = event;' 'queues are at the inputs'
lacks 'batches' 'sim_type = batch;' 'allowed: latency, throughput'
lacks 'an unknown option' 'num_vc = 4;' '/b:4: num_vc is no option of BookSim2' 'nearest: num_vcs'
lacks 'too high a rate' 'packet_size = 20; injection_rate = 0.2;' '4 flits per cycle; allowed: at most 1'
lacks 'half a channel' 'num_vcs = 2.5;' 'num_vcs = 2.5; allowed: a whole number'
lacks 'a size of nothing' 'packet_size = 0;' 'packet_size = 0; allowed here: 1 to 4096'
lacks 'rates for other sizes' 'packet_size = {{1,5}}; packet_size_rate = {{1,2,3}};' 'packet_size_rate = {{1,2,3}} with 2 sizes'
lacks 'bursts that never end' 'injection_process = on_off(0.5,0);' 'alpha = 0.5, beta = 0; allowed: above 0'
lacks 'no semicolon' 'k = 8' '/b:4: k without a value that ends in ;'
lacks 'no equals sign' 'k 8;' '/b:4: k without =; allowed: name = value;'
lacks 'no name' '= 8;' "/b:4: '= 8;"
import 'c = 4;' 'subnets = 2;' 'topology = fly;'
check 'all lines are named, in their order' test "$code $(sed 's/.*b:\([0-9]*\): .*/\1/' "$t/err" | tr '\n' ' ')" = '3 4 5 6 '
check 'and nothing is written' test "$code" = 3 -a ! -s "$t/out"
run import booksim "$t/nowhere"
complains 'no such file' 3 'nowhere: No such file'
run import booksim
complains 'no file' 2 'no file; usage: fatfly import booksim FILE'
run import garnet "$t/b"
complains 'another simulator' 2 'garnet; allowed: booksim'
run import
complains 'nothing at all' 2 'usage: fatfly import booksim FILE'
cp "$t/b" "$t/b2"
run import booksim "$t/b2" --output "$t/b2"
complains 'a file that would be written over' 2 'is the file that is read'
run import --help
works 'import --help' 'usage: fatfly import booksim FILE'

# Every option that the command knows is on the page.
grep -o '^    {"[a-z0-9_]*"\|{"[a-z0-9_]*", "\|^    "[a-z_].*' cmodel/cli/import_options.h |
  grep -o '"[a-z0-9_]*"' | tr -d '"' | sort -u | grep . >"$t/options"
check "options are found ($(wc -l <"$t/options"))" test "$(wc -l <"$t/options")" -gt 100
missing=$(while read -r name; do grep -q "\`$name\`" docs/from-booksim.md || echo "$name"; done <"$t/options" | tr '\n' ' ')
check "docs/from-booksim.md has every option${missing:+, but: $missing}" test -z "$missing"

# The table is the file's.
tail -n +2 docs/results/from-booksim.csv | while IFS=, read -r flits changed idle here pipe theirs ours piped ratio slower; do
  printf '| %s | %s | %.1f | %.1f | %.1f | %s | %s | %s | %s, %s |\n' "$flits" "${changed:+\`$changed\`}" "$idle" "$here" "$pipe" "$theirs" "$ours" "$piped" \
    "$ratio" "$slower"
done >"$t/rows"
check 'the table of the page is that of its file' diff "$t/rows" <(grep '^| [0-9]* | .* | [0-9.]* | [0-9.]* | [0-9.]* | 0' docs/from-booksim.md)
# shellcheck disable=SC2016 # the $ of awk
check '8 flits and 1 of BookSim2 as it comes saturate within 7 %' awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
  function far(r) { return !(r > 0.93 && r < 1.07) }
  NR > 1 && $2 == "" { n++; bad += far($at["ratio"]) + far($at["ratio_pipeline"]) } END { exit !(n == 2 && !bad) }' docs/results/from-booksim.csv
# shellcheck disable=SC2016
check 'with --pipeline all within 10 %, but channels that wait for credits of tails of one flit, and speculation' awk -F, '
  NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
  NR > 1 && !/^1,wait/ && !/speculative/ { n++; r = $at["ratio_pipeline"]; bad += !(r > 0.9 && r < 1.1) }
  END { exit !(n == 9 && !bad) }' docs/results/from-booksim.csv
tail -n +2 docs/results/from-booksim-rules.csv | while IFS=, read -r flits traffic changed where before after ratio; do
  case $changed in
    'without '*) changed="without \`${changed#without }\`" ;;
    'a queue'*) ;;
    *) changed="\`$changed\`" ;;
  esac
  printf '| %s | %s | %s | %s | %s | %s | %s |\n' "$flits" "${traffic:+\`$traffic\`}" "$changed" "$where" "$before" "$after" "$ratio"
done >"$t/rows"
check 'so is that of the rules' diff "$t/rows" <(grep -E '^\| [0-9]+ \| .* \| (here|BookSim2) \|' docs/from-booksim.md)

ends
