#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_estimate.sh - `fatfly estimate` as a person meets it: what is named is the best there is, and
# what is wrong is refused in one line.
#
# usage: test_estimate.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command, PLAIN another where there are many runs.
# Prints a line a check and `N passed, N failed`.  Nothing is written outside a temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
the_command
plain=$(realpath -ms "${PLAIN:-$fatfly}") # for what takes many runs
scratch
cp tb/cli/cost.csv "$t" && cd "$t" || exit 4

runner=("$fatfly" estimate)

base=(--cost cost.csv --nodes 16 --length 8)

run "${base[@]}"
works "table: names the smallest" "v1-q2-w16-rp-rr" "smallest: v1-q2-w16-rp-rr, 3600 LUT" "switches" "bound"
run "${base[@]}" --format csv
works "csv: a row a design" "design,family,nodes,length,pattern,lut"
check "csv: four designs and a header" test "$(wc -l <out)" = 5
check "csv: area is that of 4 leaves and 2 roots" grep -q '^v1-q2-w32-rp-rr,ice40,16,8,random,5000,2500,' out
# shellcheck disable=SC2016 # awk's
check "csv: flits/ns is saturation times clock" awk -F, 'NR > 1 { d = $12 * $9 / 1000 - $13; bad += d * d > 1e-9 } END { exit bad || NR < 2 }' out
# shellcheck disable=SC2016 # awk's
front='NR > 1 { lut[NR] = $6; t[NR] = $13; f[NR] = $15 }
  END { if (NR < 2) exit 1
        for (a in lut) { best = 1
          for (b in lut)
            if (lut[b] <= lut[a] && t[b] > t[a] || lut[b] < lut[a] && t[b] >= t[a]) best = 0
          if (best != f[a]) exit 1 } }'
check "csv: the front is what no other beats" awk -F, "$front" out
cp out first.csv

# Tori and meshes: a router of the table times the nodes.
cat cost.csv - >cubes.csv <<'END'
torus4n5-v2-q2-w32-ecube-rot,ice40,1800,700,0,50,
torus16n119-v4-q2-w32-ecube-rot,ice40,4000,1500,0,40,
mesh4n5-v1-q2-w32-ecube-rot,ice40,800,400,0,60,
mesh8n27-v1-q2-w16-ecube-fo,ice40,700,350,0,70,
mesh4-v1-q2-w32-ecube-rr,ice40,9000,4000,0,55,
END
cubes=(--cost cubes.csv --nodes 16 --length 8)
run "${cubes[@]}" --format csv
alike "fat-trees alone if no others are asked for" "$(printed)" "$(cat first.csv)"
run "${cubes[@]}" --topology fat-tree,torus,mesh --format csv
check "a design of each network" test "$(wc -l <out)" = 10
check "a torus: its router times the nodes" grep -q '^torus-v2-q2-w32-ecube-rot,ice40,16,8,random,28800,11200,.*,switches,torus,' out
check "a larger torus's router is a bound" grep -q '^torus-v4-q2-w32-ecube-rot,ice40,16,8,random,64000,.*,bound,torus,' out
check "a mesh: a bound, as its edges have fewer ports" grep -q '^mesh-v1-q2-w32-ecube-rot,ice40,16,8,random,12800,.*,bound,mesh,' out
check "another size's router, other bits, another scan" grep -q '^mesh-v1-q2-w16-ecube-fo,ice40,16,8,random,11200,.*,bound,mesh,' out
check "a mesh that was placed itself" grep -q '^mesh-v1-q2-w32-ecube-rr,ice40,16,8,random,9000,.*,network,mesh,' out
alike "fat-trees as without them" "$(printed | grep -v '^torus\|^mesh' | cut -d, -f1-14)" "$(cut -d, -f1-14 first.csv)"
# shellcheck disable=SC2016 # awk's
check "Gbit/s for 1000 LUT" awk -F, 'NR > 1 { d = $14 * $3 / $6 * 1000 / $19 - 1; bad += d * d > 1e-5 } END { exit bad || NR < 2 }' out
# shellcheck disable=SC2016 # awk's
check "the front is what no other network beats" awk -F, "$front" out
# What a design carries does not depend on those that are asked for with it.
apart() {
  local name both=(--cost both.csv --nodes 16 --length 8) runner=("$plain" estimate)
  { cat cubes.csv && echo 'mesh4n5-v2-q2-w32-ecube-rot,ice40,1600,800,0,45,'; } >both.csv
  run "${both[@]}" --topology fat-tree,torus,mesh --vcs 1,2,4 --format csv
  printed | tail -n +2 | cut -d, -f1-13 | sort >together
  for name in "fat-tree --vcs 1" "fat-tree --vcs 2" "torus --vcs 2" "torus --vcs 4" "mesh --vcs 1" "mesh --vcs 2"; do
    # shellcheck disable=SC2086 # words
    run "${both[@]}" --format csv --topology $name
    printed | tail -n +2 | cut -d, -f1-13
  done | sort >one
  [ -s one ] && diff one together
}
check "designs alone say the same" apart
run "${cubes[@]}" --topology fat-tree,torus,mesh --format csv
load=$(awk -F, '$1 == "torus-v2-q2-w32-ecube-rot" { print $12 }' out)
at_torus() { # LOAD
  "$plain" run --topology torus --radix 4 --vcs 2 --depth 2 --bandwidth on-demand --input-bandwidth 1 \
    --channel-release tail-sent --length 8 --cycles 20000 --fail-saturated --load "$1" >out 2>err
  echo $?
}
check "fatfly run of the torus is not saturated at it" test "$(at_torus "$load")" = 0
check "but 7 % above" test "$(at_torus "$(awk "BEGIN { print 1.07 * $load }")")" = 5
run "${cubes[@]}" --topology torus,fat-tree --best per-lut
works "the most for its area" "torus-v2-q2-w32-ecube-rot" "most for its area: " "Gbit/s for 1000 LUT"
run "${cubes[@]}" --topology torus --path e-cube --max-lut 30000
works "the LUTs that there are" "smallest of those that meet what is wanted: torus-v2-q2-w32-ecube-rot, 28800 LUT"
"$plain" estimate "${cubes[@]}" --topology fat-tree,torus,mesh --plot cubes.svg >out 2>err
check "plot: a mark for each network" grep -q 'torus, V = 4' cubes.svg
run --cost cubes.csv --nodes 1024 --length 8 --topology torus
complains "a torus larger than the router can be" 2 "no design of ice40" "there are: torus4n5-v2-q2-w32-ecube-rot"
run --cost cubes.csv --nodes 64 --length 8 --topology fat-tree,mesh --flit-bits 64
complains "what no network has" 2 "no design of ice40"
run "${cubes[@]}" --topology torus,mesh --vcs 2
complains "a network of the list without a design" 2 "--topology mesh: no design of ice40" "there are: mesh4n5-v1-q2-w32-ecube-rot"
run "${cubes[@]}" --topology torus,cube
complains "an unknown network" 2 "--topology cube; allowed: fat-tree, torus, mesh"
sed 's/torus4n5/torus4n16/' cubes.csv >bad.csv
run --cost bad.csv
complains "a router that is not there" 3 "bad.csv:10: config = torus4n16" "node = 16; allowed: 0 to 15"
run "${base[@]}" --topology torus
complains "a table without routers" 2 "no design of ice40" "there are: none"

# Designs that differ in one field: each has the row that it has alone.
{ head -n 1 cost.csv | cut -d, -f1-6
  for design in v1-q2-w32-rp-rr v2-q2-w32-rp-rr v1-q3-w32-rp-rr v1-q2-w32-gp-rr v1-q2-w32-rp-ff v1-q2-w32-rp-fcfs v1-q2-w64-rp-rr; do
    printf 's1of2-%s,ice40,1000,500,0,100\ns2of2-%s,ice40,900,400,0,90\n' $design $design
  done; } >fields.csv
"$plain" estimate --cost fields.csv --nodes 16 --length 8 --format csv 2>err | sort >together
for design in '1 2 32 rp rr' '2 2 32 rp rr' '1 3 32 rp rr' '1 2 32 gp rr' '1 2 32 rp ff' '1 2 32 rp fcfs' '1 2 64 rp rr'; do
  read -r vcs depth bits path scan <<<"$design"
  "$plain" estimate --cost fields.csv --nodes 16 --length 8 --format csv --vcs "$vcs" --depth "$depth" --flit-bits "$bits" --path "$path" --scan "$scan" | tail -n +2
done 2>err >alone
columns() { grep -v '^design' "$1" | cut -d, -f1-14,17- | sort; } # but what the others decide: the front
alike "designs that differ in one field, together and alone" "$(columns together)" "$(columns alone)"
check "they are seven, and no two but those of other flits saturate alike" test "$(wc -l <alone) $(cut -d, -f12 alone | sort -u | wc -l)" = '7 6'

# Tables of designs that differ in their flits alone, many with the same area or clock: the front, and the best of each figure.
for seed in 2 3; do
  { head -n 1 cost.csv | cut -d, -f1-6
    awk -v seed="$seed" 'BEGIN { srand(seed); for (bits = 16; bits < 46; bits++) { lut = 1000 + int(rand() * 6); mhz = 80 + 5 * int(rand() * 6)
      printf "s1of1-v1-q2-w%d-rp-rr,ice40,%d,500,0,%d\n", bits, lut, mhz } }'; } >ties.csv
  run --cost ties.csv --nodes 4 --length 1 --format csv
  check "ties, table $seed: the front is what no other beats" awk -F, "$front" out
  cp out said
  for best in 'area 6 -1' 'throughput 13 1' 'latency 11 -1' 'per-lut 19 1'; do
    read -r figure column sign <<<"$best"
    run --cost ties.csv --nodes 4 --length 1 --best "$figure"
    # shellcheck disable=SC2016 # awk's
    check "ties, table $seed: no other is better in $figure" awk -F, -v at="$column" -v sign="$sign" -v name="$(tail -n 1 out | sed 's/^[^:]*: \([^,]*\),.*/\1/')" \
      'NR > 1 { x = sign * $at; if (NR == 2 || x > most) most = x; if ($1 == name) own[1] = x } END { exit !(1 in own && own[1] >= most) }' said
  done
done

# What a table may lack: a column without a value is no number, in any format.
awk -F, -v OFS=, 'NR > 1 { $4 = $5 = "" } 1' cost.csv >lacks.csv
for format in table csv json; do
  run --cost lacks.csv --nodes 16 --length 8 --format $format
  check "a table without registers and memory, $format" test "$code $(grep -ciwE -- '-?(nan|inf)' out)" = '0 0'
  # shellcheck disable=SC2016 # awk's
  case $format in
    table) check "... which are not said" test "$(awk '$1 ~ /^v[0-9]/ { print $(NF - 7) }' out | sort -u)" = - ;;
    csv) check "... which are empty" test "$(cut -d, -f7 out | sort -u | xargs)" = ff ;;
    json) check "... which are null" test "$(grep -c '"ff": null' out)" = 4 ;;
  esac
done

# Fat-trees alone.
run "${base[@]}" --format csv --threads 1
alike "the same on one thread" "$(printed)" "$(cat first.csv)"
run "${base[@]}" --format json
check "json is json" python3 -c 'import json; assert len(json.load(open("out"))) == 4'

# What `fatfly run` says: not saturated there, saturated 5 % above; within 2 % of what fatfly saturation finds.
load=$(awk -F, '$1 == "v1-q2-w32-rp-rr" { print $12 }' first.csv)
at_load() { # LOAD: exit code of fatfly run
  "$plain" run --nodes 16 --length 8 --cycles 20000 --fail-saturated --load "$1" >out 2>err
  echo $?
}
check "fatfly run is not saturated at it" test "$(at_load "$load")" = 0
"$plain" saturation --nodes 16 --length 8 --format csv >out 2>err
# shellcheck disable=SC2016 # awk's
check "fatfly saturation finds it" awk -F, -v load="$load" 'NR == 1 { for (k = 1; k <= NF; k++) at[$k] = k }
  END { if (load < 0.98 * $at["saturation_low"] || load > 1.02 * $at["saturation_high"]) exit 1 }' out
check "but 5 % above" test "$(at_load "$(awk "BEGIN { print 1.05 * $load }")")" = 5

run "${base[@]}" --family ecp5
works "a network that was placed itself" "5000" "network"
run "${base[@]}" --vcs 2
works "only what is asked for" "smallest: v2-q2"
run "${base[@]}" --flit-bits 32 --depth 2 --vcs 1,2 --scan rr --path rp --best throughput --format csv
check "lists of values" test "$(wc -l <out)" = 3
run "${base[@]}" --best throughput --max-lut 5500
works "the most throughput of what fits" "most throughput of those that meet what is wanted"
run "${base[@]}" --best latency
works "the least latency is that of the fastest clock" "least latency: v1-q2-w16"
run "${base[@]}" --min-throughput 1e6
check "none meets: exit code 1 and one line" test "$code" = 1 -a "$(wc -l <err)" = 1
check "none meets: says how far off" grep -q 'most throughput: 0.0[0-9]* flits/ns' err
run "${base[@]}" --plot plot.svg
check "plot: drawn" grep -q '</svg>' plot.svg
check "plot: the capacity of the device" grep -q 'iCE40 HX8K of 7680 LUTs' plot.svg
# The y axis is about 100 from the left edge of the picture.
run --cost cost.csv --nodes 64 --length 8 --vcs 1 --depth 2 --plot plot.svg
check "plot: its line is right of the y axis where all designs are larger" test \
  "$(sed -n "s/.*rgb(213,  94,   0). stroke-dasharray.* d='M\([0-9]*\)[.0-9]*,[.0-9]* L\1[., ].*/\1/p" plot.svg)" -gt 100
run "${base[@]}" --vcs 1,5
complains "a number that no design has" 2 "--vcs 5: no design of ice40 in " "make synth CONFIG=NAME adds one"
run "${base[@]}" --plot no/where.svg
complains "plot: a folder that is not there" 4 "no/where.svg: cannot write"
check "plot: nothing half-written" test ! -e no
one=(--nodes 4 --length 4 --vcs 1 --depth 2 --flit-bits 32 --path rp --scan rr)
cd "$root" && run "${one[@]}"
works "the table of the project" " docs/results/fpga.csv" "v1-q2-w32-rp-rr"
cd "$t" && run "${one[@]}"
works "the same from elsewhere, beside the program" "fpga.csv" "v1-q2-w32-rp-rr"

run "${base[@]}" --family ice4
complains "unknown family" 2 "--family ice4; allowed" "ice40, ecp5;" "nearest: ice40"
run "${base[@]}" --family xilinx
complains "a family without clock" 2 "--family xilinx has no clock there; allowed" "ice40, ecp5"
run --cost .
complains "a folder" 3 ".: Is a directory; allowed: a readable file"
: >nothing.csv
run --cost nothing.csv
complains "an empty table" 3 "nothing.csv:1: no row of a switch or network; allowed: a table that"
run --cost cost.csv --nodes 17
complains "nodes" 2 "--nodes 17; allowed: 4^n" "nearest: 16 and 64"
run --cost cost.csv --nodes 4194304
complains "too many nodes" 2 "--nodes 4194304; allowed: 4^n"
run --cost cost.csv --nodes 1048576
complains "heads that do not fit" 2 "no design of ice40" "flit"
run "${base[@]}" --vcs 3
complains "a design that the table lacks" 2 "no design of ice40" "there are: s1of3-v1-q2-w32-rp-rr, " "make synth CONFIG=NAME adds one"
ln -s cost.csv over.svg
run "${base[@]}" --plot over.svg
complains "a plot over the table" 2 "--plot over.svg and --cost are one file; allowed: two"
run "${base[@]}" --vcs 1,x
complains "a list with a word" 2 "--vcs x; allowed: a whole number"
run "${base[@]}" --scan rr,fcsf
complains "a list with a wrong name" 2 "--scan fcsf; allowed" "nearest: fcfs"
run "${base[@]}" --min-throughput nan
complains "nan" 2 "--min-throughput nan; allowed: a number above 0"
run "${base[@]}" --max-lut=-1
complains "negative" 2 "--max-lut -1; allowed"
run "${base[@]}" --patern random
complains "unknown option" 2 "--patern: no such option; nearest: --pattern"
run "${base[@]}" --pattern permutation
complains "a pattern that needs a file" 2 "--pattern permutation; allowed: random"
run "${base[@]}" --best price
complains "best" 2 "--best price; allowed: area, throughput, latency, per-lut"
run "${base[@]}" --plot x.pdf
complains "kind of plot" 2 "--plot x.pdf; allowed: a file that ends in .svg or .png"
run "${base[@]}" word
complains "a word" 2 "word; fatfly estimate takes options alone"
run --cost none.csv
complains "no table" 3 "none.csv: cannot read"
sed 's/s3of3/s7of3/' cost.csv >bad.csv
run --cost bad.csv
complains "a table with a wrong name" 3 "bad.csv:3: config = s7of3" "allowed"
# Of each number column a zero, where it must be above; a NUL, and NULs without end.
for column in lut fmax_mhz; do
  awk -F , -v OFS=, -v name=$column 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) at = k } NR == 2 { $at = 0 } 1' cost.csv >bad.csv
  run --cost bad.csv
  complains "$column 0" 3 "bad.csv:2: $column = 0; allowed: a number above 0, or nothing"
done
{ head -n 1 cost.csv; sed -n 2p cost.csv | sed 's/,[^,]*$/,10\x00junk/'; } >bad.csv
run --cost bad.csv
complains 'a NUL in a table' 3 'bad.csv:2: a zero byte; allowed: text'
head -c -1 bad.csv >last.csv
run --cost last.csv
complains 'a NUL in a last line that does not end' 3 'last.csv:2: a zero byte; allowed: text'
run --cost /dev/zero
complains 'NULs without end' 3 '/dev/zero:1: a zero byte; allowed: text'
sed 's/fmax_mhz/fmax/' cost.csv >bad.csv
run --cost bad.csv
complains "a table without clocks" 3 "bad.csv:1: no column fmax_mhz"
timeout=$(command -v timeout)
PATH=/none "$timeout" 60 "$fatfly" estimate "${base[@]}" --plot x.svg >out 2>err
code=$?
complains "no gnuplot" 4 "gnuplot is not there"
"$fatfly" estimate "${base[@]}" >/dev/full 2>err
check "a full disk" test "$?" = 4 -a "$(wc -l <err)" = 1
"$fatfly" estimate --cost cost.csv --nodes 1024 --vcs 2 >out 2>err &
at_work $!
kill -TERM $!
wait $!
code=$?
complains "interrupted" 4 "interrupted; nothing was written"
run --help
works "help" "usage: fatfly estimate" "--min-throughput X"

ends
