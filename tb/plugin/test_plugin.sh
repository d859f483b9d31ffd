#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_plugin.sh - plug-ins: the examples of docs/plugin do what they say, a wrong one is refused in a
# line, one that hangs is named, one that can deadlock is refused with the circle.
#
# usage: test_plugin.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command; CC=gcc
# Prints a line a check and `N passed, N failed`.  Nothing is written outside a temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
the_command
scratch
runner=("$fatfly")

# compile OUT SOURCE OPTION...: a plug-in, without a warning.
compile() {
  "${CC:-gcc}" -shared -fPIC -O1 -std=c11 -Wall -Wextra -Wconversion -Wpedantic -Werror -Icmodel "$2" \
    "${@:3}" -o "$t/$1.so"
}

# all_but NAME...: the values in $t/out without those of some columns; nothing where the run did not end well.
all_but() {
  [ "$code" = 0 ] || return
  awk -F, -v OFS=, -v names=",$1,cpu_s,wall_s," 'NR == 1 { for (k = 1; k <= NF; k++)
    if (index(names, "," $k ",")) drop[k] } NR == 2 { for (k in drop) $k = ""; print }' "$t/out"
}

# -- the examples ----------------------------------------------------------------------------------

for name in west-first oldest-first quadrants periodic; do
  check "docs/plugin/$name.c compiles" compile $name docs/plugin/$name.c
  check "docs/plugin/$name.c is short" test "$(wc -l <docs/plugin/$name.c)" -le 36
done
mesh=(--topology mesh --radix 6 --length 5 --load 0.15 --cycles 4000 --format csv)

run run "${mesh[@]}" --plugin "$t/west-first.so"
check 'west-first: its name is the path' test "$code $(value path)" = '0 plugin:west-first'
first=$(got digest)
here() { (cd "$t" && "$fatfly" run "${mesh[@]}" --plugin west-first.so >here 2>&1) && grep -q 'plugin:west-first' "$t/here"; }
check 'west-first: a name without a folder is a file here' here
check 'west-first: not saturated' test "$(value saturated)" = 0
run run "${mesh[@]}"
unlike 'west-first: other paths than e-cube' "$(got digest)" "$first"
run run "${mesh[@]}" --plugin "$t/west-first.so" --threads 1
alike 'the same seed, the same digest' "$(got digest)" "$first"
run run --topology mesh --radix 6 --plugin "$t/west-first.so" --runs 5 --threads 4 --format csv
several=$(got digest)
run run --topology mesh --radix 6 --plugin "$t/west-first.so" --runs 5 --threads 1 --format csv
alike 'threads do not matter' "$(got digest)" "$several"
run run "${mesh[@]}" --load 0.2 --plugin "$t/oldest-first.so"
check 'two loads on a line' test "$code" = 2
mesh[7]=0.3
run run "${mesh[@]}"
young=$(value latency_p999)
run run "${mesh[@]}" --plugin "$t/oldest-first.so"
check 'oldest-first: its name is the scan' test "$code $(value scan)" = '0 plugin:oldest-first'
check "oldest-first: fewer wait very long ($(value latency_p999) of $young)" test "$(value latency_p999)" -lt "$young"
# Of 64 processors in quarters of 16: 3/4 + 1/4 * 1/4 stay in theirs, 1/16 of these and 1/64 of the rest at home.
run run --nodes 64 --plugin "$t/quadrants.so" --rounds 500 --length 1 --runs 1 --links "$t/links" --format csv
check 'quadrants: its name is the pattern' test "$code $(value pattern)" = '0 plugin:quadrants'
# Leave their quarter: 3/16 of all, which are 0.949 with those at home; 5 standard deviations of 30,000.
away=$(awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k; next } $at["direction"] == "up" {
  worms[$at["level"]] += $at["worms"] } END { print worms[2] / worms[0] }' "$t/links")
check "quadrants: a fifth of the worms leave theirs ($away)" awk -v x="$away" 'BEGIN { exit !(x > 0.186 && x < 0.209) }'
run run --nodes 64 --plugin "$t/periodic.so" --length 8 --load 0.1 --cycles 80000 --warmup 2000 --format csv
check 'periodic: its name is the arrivals' test "$code $(value arrivals)" = '0 plugin:periodic'
check "periodic: 64 processors x 1000 periods ($(value measured))" test "$(value measured)" = 64000
# A plug-in is told worms a cycle: what it makes of that is the load, whatever lengths the worms have.
offers() { # LOAD OPTION...: periodic.c gives that many flits a cycle and processor
  run run --nodes 64 --plugin "$t/periodic.so" --load "$1" --cycles 60000 --warmup 2000 --format csv "${@:2}"
  awk -v x="$(value accepted_load)" -v load="$1" 'BEGIN { exit !(x > 0.98 * load && x < 1.02 * load) }'
}
while read -ra lengths; do
  check "periodic: the load that is offered with ${lengths[*]}" offers 0.1 "${lengths[@]}"
done <<'END'
--length 1
--length 16
--length 16 --lengths uniform --length-min 1
--length 24 --lengths bimodal --length-min 2 --short-share 0.7
--length 64 --lengths geometric --length-mean 6
--lengths mix --length-mix 1:4,5:1,20:2
--classes 2 --class-length 3,9
--classes 3 --class-length 1,8,20 --class-share 5,3,2
--length 8 --reply 16
END
# Worms at home, which are drawn again, go on being drawn however many there were: half of the run has the load of all of it.
run run --nodes 4 --length 1 --plugin "$t/quadrants.so" --load 0.5 --warmup 1000 --cycles 20000 --runs 1 --format csv
few=$(value accepted_load)
run run --nodes 4 --length 1 --plugin "$t/quadrants.so" --load 0.5 --warmup 1000 --cycles 1000000 --runs 1 --format csv
check "quadrants: after 400,000 worms at home the load is as before ($few, $(value accepted_load))" \
  awk -v a="$few" -v b="$(value accepted_load)" 'BEGIN { exit !(a > 0 && b > 0.95 * a && b < 1.05 * a) }'

# -- the digest names what was plugged in -----------------------------------------------------------

check 'e-cube as a plug-in compiles' compile ecube tb/plugin/bad.c -DBAD=21
run run "${mesh[@]}"
plain=$(got digest) all=$(all_but digest,path)
run run "${mesh[@]}" --plugin "$t/ecube.so"
alike 'e-cube as a plug-in: the same results' "$(all_but digest,path)" "$all"
unlike 'e-cube as a plug-in: another digest' "$(got digest)" "$plain"
check 'the same under another name compiles' compile twin tb/plugin/bad.c -DBAD=21 '-DNAME="twin"'
one=$(got digest)
run run "${mesh[@]}" --plugin "$t/twin.so"
unlike 'another name, another digest' "$(got digest)" "$one"

# -- what is refused -------------------------------------------------------------------------------

small=(--topology mesh --radix 4 --length 4 --load 0.1 --cycles 3000)

# wrong NUMBER NAME CODE TEXT OPTION...: the plug-in of bad.c with that number.
wrong() {
  compile "bad$1" tb/plugin/bad.c "-DBAD=$1" || bad "$2" 'does not compile'
  run run "${small[@]}" --plugin "$t/bad$1.so" "${@:5}"
  complains "$2" "$3" "$4" 'allowed'
}
wrong 1 'no symbol' 3 'bad1.so: no symbol fatfly_plugin'
wrong 2 'another version' 3 'fatfly_plugin.version = 2; allowed: 1'
wrong 3 'no name' 3 'plugin has no name'
wrong 22 'a name that no terminal wants' 3 'plugin has no name'
wrong 4 'no callback' 3 'plugin = bad has no callback'
wrong 5 'a routing without an output' 3 'route() of a head in node 5 (at its source) for processor 0 returns no output'
wrong 6 'an output that does not exist' 3 'asks for port 4; allowed: a port with a link, of 0 to 3'
wrong 7 'an output at the edge without a link' 3 'in node 0 (at its source) for processor 1 asks for port 1'
wrong 8 'a channel that does not exist' 3 'asks for channels 0 to 1; allowed: 0 to 0'
wrong 9 'too many outputs' 3 'returns 17 outputs; allowed: 1 to 16'
wrong 10 'a routing that can deadlock' 2 '4 channels (from->to.class) wait in a circle: 4->0.0 0->1.0 1->5.0 5->4.0'
wrong 11 'a routing that never returns' 3 'route() has not returned for 1 seconds' --plugin-seconds 1
wrong 12 'a destination that never returns' 3 'destination() has not returned for 1 seconds' --plugin-seconds 1
wrong 13 'a processor that does not exist' 3 'destination() of worm 2 of processor' 
wrong 14 'arrivals without end in a cycle' 3 'gap() of processor 0 returns 0 more than 65536 times'
wrong 16 'fewer channels than it needs' 2 'vcs = 2; allowed: 3 or more' --vcs 2
wrong 18 'a routing that changes its mind' 3 'returns no output' --force
run run "${small[@]}" --plugin "$t/bad10.so" --force
goes() { [ "$code" = 0 ] || { [ "$code" = 1 ] && grep -q 'deadlock in cycle' "$t/err"; }; }
check 'a routing that can deadlock, by force' goes
compile bad15 tb/plugin/bad.c -DBAD=15
run run "${small[@]}" --plugin "$t/bad15.so" --format csv
check 'worms that all stay at home: the run ends' test "$code" = 0
compile bad19 tb/plugin/bad.c -DBAD=19
run run "${small[@]}" --plugin "$t/bad19.so" --format csv
check 'no more arrivals: the run ends' test "$code" = 0
compile bad20 tb/plugin/bad.c -DBAD=20
run run "${mesh[@]}" --plugin "$t/bad20.so"
check 'an order that is none: the run ends' test "$code" = 0

run run "${small[@]}" --plugin "$t/nowhere.so"
complains 'no such file' 3 'nowhere.so: No such file'
echo 'no object' >"$t/text.so"
run run "${small[@]}" --plugin "$t/text.so"
complains 'no shared object' 3 'text.so: ' 'allowed: a shared object'
run run "${small[@]}" --plugin "$t"
complains 'a folder' 3 'allowed: a shared object'
run run --nodes 64 --plugin "$t/west-first.so"
complains 'routing of a fat-tree' 3 'route() with topology = fat-tree'
run run --topology mesh --radix 4 --discipline store --plugin "$t/west-first.so"
complains 'routing of packets' 3 'route() with discipline = store; allowed: worm'
run run "${small[@]}" --plugin "$t/west-first.so" --path e-cube
complains 'a path, too' 2 '--path e-cube with --plugin' 'whose route() says that; allowed: one of them'
run run "${small[@]}" --plugin "$t/quadrants.so" --pattern tornado
complains 'a pattern, too' 2 '--pattern tornado with --plugin' 'destination()'
run run "${small[@]}" --plugin "$t/periodic.so" --arrivals poisson
complains 'arrivals, too' 2 '--arrivals poisson with --plugin' 'gap()'
while read -r plugin callback option value; do # each option that a callback stands in for
  run run "${small[@]}" --plugin "$t/$plugin.so" "--$option" ${value:+"${value//@/$t}"}
  complains "--$option beside $callback()" 2 "--$option" "whose $callback() says that; allowed: one of them"
done <<'END'
west-first route path negative-hop
quadrants destination pattern hotspot
quadrants destination hotspot 0.3
quadrants destination matrix @/matrix
quadrants destination permutation @/permutation
quadrants destination trace @/trace
quadrants destination self-traffic
periodic gap trace @/trace
periodic gap arrivals on-off
periodic gap burst-on 30
periodic gap burst-off 30
END
run run --nodes 16 --plugin "$t/oldest-first.so" --scan fo
complains '--scan beside before()' 2 'whose before() says that; allowed: one of them'
run run --nodes 64 --plugin "$t/periodic.so"
complains 'arrivals of a static run' 3 'gap() in a static run'
run run --nodes 64 --plugin-seconds 3
complains 'a limit for no plug-in' 2 '--plugin-seconds 3 without a plugin'
run run "${small[@]}" --plugin "$t/west-first.so" --output "$t/west-first.so"
complains 'a plug-in that would be written over' 2 'are one file'
printf 'topology = "mesh";\nradix = 4;\nplugin = "bad5.so";\n' >"$t/c.cfg"
run run --config "$t/c.cfg"
complains 'a plug-in in a file is that of its folder' 3 'bad5.so: plugin = bad: route()'

ends
