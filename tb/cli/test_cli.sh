#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_cli.sh - the command as a person meets it: what it refuses, what it prints, what it leaves.
#
# usage: test_cli.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command.
# Wants build/rtl/n16-v1-q2-w32-rp-rr.so and s1of3-v1-q2-w32-rp-rr.so (BUILD= for another folder).
# Prints a line a check and `N passed, N failed`.  Nothing is written outside a temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
the_command
lib=$build/rtl/n16-v1-q2-w32-rp-rr.so
other=$build/rtl/s1of3-v1-q2-w32-rp-rr.so
needs "$lib" "$other"
scratch
mkdir "$t/b" "$t/case"
ln -s "$build/rtl" "$t/b/rtl"
unset DISPLAY

cosim() { run "$fatfly" cosim --build "$t/b" "$@"; }

# config LINE...: a case in $t/case/c.cfg.
config() { printf '%s\n' "$@" >"$t/case/c.cfg"; }

# refuses_config NAME LINE-NUMBER TEXT LINE...
refuses_config() {
  local name=$1 line=$2 text=$3
  shift 3
  config "$@"
  cosim --side c --config "$t/case/c.cfg"
  complains "configuration, $name" 3 "c.cfg${line:+:$line}: " "$text"
}

# refuses_trace NAME LINE-NUMBER TEXT: the trace is $t/case/t.csv.
refuses_trace() {
  config 'nodes = 16;' 'pattern = "trace";' 'trace = "t.csv";'
  cosim --side c --config "$t/case/c.cfg"
  complains "trace, $1" 3 "t.csv${2:+:$2}: " "$3" allowed
}

trace() { printf 't_ns,src,dst,bytes\n' >"$t/case/t.csv" && printf '%s\n' "$@" >>"$t/case/t.csv"; }

# Field of the table's first row: 2 cycles, 3 worms, 4 flits, 5 links, 6 digest.
field() { awk -v n="$1" 'seen { print $n; exit } $1 == "case" { seen = 1 }' "$t/out"; }

absent() { # FILE...
  local file
  for file; do [ ! -e "$file" ] || return 1; done
}

# -- traces ----------------------------------------------------------------------------------------

printf 't_ns,src,dst\n1,2,3\n' >"$t/case/t.csv"
refuses_trace 'a missing column' 1 "column 'bytes' is missing"
printf 't_ns,src,dest,bytes\n1,2,3,4\n' >"$t/case/t.csv"
refuses_trace 'an unknown column' 1 'nearest: dst'
printf 't_ns,src,src,bytes\n1,2,3,4\n' >"$t/case/t.csv"
refuses_trace 'a column twice' 1 "column 'src' appears twice"
trace 1,2,3
refuses_trace 'a missing field' 2 "3 fields in '1,2,3'"
trace 1,2,3,4,5
refuses_trace 'a field too many' 2 "5 fields"
trace 1,2,3,4 '' 5,2,3,4
refuses_trace 'an empty line' 3 '1 field'
trace 1,16,3,4
refuses_trace 'a source out of range' 2 "src = '16'; allowed: 0 to 15"
trace 1,0,3,4 2,3,16,4
refuses_trace 'a destination out of range' 3 "dst = '16'; allowed: 0 to 15"
trace 1,-1,3,4
refuses_trace 'a negative rank' 2 "src = '-1'; allowed: 0 to 15"
trace 1,3,3,4
refuses_trace 'a message to oneself' 2 'two different ranks'
trace 1,2,3,-4
refuses_trace 'a negative size' 2 "bytes = '-4'; allowed: 0 to 1099511627775"
trace 1,2,3,1099511627776
refuses_trace 'a huge size' 2 "allowed: 0 to 1099511627775"
trace 1,2,3,99999999999999999999999999
refuses_trace 'a size that no 64 bits hold' 2 "allowed: 0 to 1099511627775"
trace 1,2,3,4x
refuses_trace 'a size that is no number' 2 "bytes = '4x'"
trace 9,2,3,4 8,2,3,4
refuses_trace 'time running backwards' 3 't_ns = 8 after t_ns = 9'
trace -1,2,3,4
refuses_trace 'a negative time' 2 "t_ns = '-1'"
trace 0,2,3,4 1125899906842624,2,3,4
refuses_trace 'time jumping ahead' 3 '1125899906842623 later at most'
printf 't_ns,src,dst,bytes\r\n1,2,3,4\r\n' >"$t/case/t.csv"
refuses_trace 'CRLF' 1 'CR LF; allowed: LF alone'
printf 't_ns,src,dst,bytes\n1,2,3,4\n\0,2,3,4\n' >"$t/case/t.csv"
refuses_trace 'a NUL byte' 3 'a NUL byte'
trace "$(printf '%0200d' 1),2,3,4"
refuses_trace 'a long line' 2 'more than 127 characters'
: >"$t/case/t.csv"
refuses_trace 'an empty file' 1 'an empty file; allowed: the header'
trace
sed -i 2d "$t/case/t.csv"
refuses_trace 'a header only' 2 'no message; allowed: one or more'
rm "$t/case/t.csv"
refuses_trace 'no such file' '' 'No such file'
mkdir "$t/case/t.csv"
refuses_trace 'a folder' '' 'Is a directory'
rmdir "$t/case/t.csv"
gzip -cd sim/traces/lammps_pppm_16.csv.gz | head -n 2000 | gzip -n >"$t/whole.gz"
head -c 3000 "$t/whole.gz" >"$t/case/t.csv"
refuses_trace 'a truncated gzip' 423 'the gzip data end too early'
{ head -c -8 "$t/whole.gz" && printf 'checksum'; } >"$t/case/t.csv"
refuses_trace 'a corrupt gzip' 2001 'the gzip data are corrupt; allowed: a whole gzip file'
{ cat "$t/whole.gz" && echo more; } >"$t/case/t.csv"
refuses_trace 'bytes after the gzip' 2001 'bytes after the end of the gzip data'
printf '\037\213' >"$t/case/t.csv"
refuses_trace 'two bytes of a gzip' 1 'the gzip data end too early'

# -- configurations --------------------------------------------------------------------------------

refuses_config 'an unknown key' 2 'nearest valid name: depth' 'nodes = 16;' 'depht = 2;'
refuses_config 'an unknown key, none near' 2 'allowed: nodes, depth' 'nodes = 16;' 'zyzzyva = 2;'
refuses_config 'V = 0' 2 'vcs = 0; allowed: a whole number, 1' 'nodes = 16;' 'vcs = 0;'
refuses_config 'V = 3' 2 'vcs = 3; allowed: a whole number, 1, 2 or 4' 'nodes = 16;' 'vcs = 3;'
refuses_config 'q = 0' 2 'depth = 0; allowed: auto, unbounded, or a whole number, 1 to 16' 'nodes = 16;' 'depth = 0;'
refuses_config 'q = 17' 2 'depth = 17; allowed: auto, unbounded, or a whole number, 1 to 16' 'nodes = 16;' 'depth = 17;'
refuses_config 'N no power of four' 1 'nearest: 16 and 64' 'nodes = 60;'
refuses_config 'N = 0' 1 'nodes = 0; allowed: a whole number, 1' 'nodes = 0;'
refuses_config 'N negative' 1 'allowed: a whole number, 1' 'nodes = -16;'
refuses_config 'N huge' 1 'allowed: 4^n' 'nodes = 4194304;'
refuses_config 'FLIT_W below 16' 2 'flit_bits = 15; allowed: auto, or a whole number, 16 to 64' 'nodes = 16;' 'flit_bits = 15;'
refuses_config 'FLIT_W too narrow' 2 'needs 19' 'nodes = 256;' 'flit_bits = 18;'
refuses_config 'FLIT_W too narrow for FP' 2 'needs 22' 'nodes = 256;' 'flit_bits = 19;' 'path = "fp";'
refuses_config 'an unknown path' 2 'nearest: rp' 'nodes = 16;' 'path = "rpp";'
refuses_config 'an unknown scan' 2 'allowed: rr, fo, ff, rot, fcfs' 'nodes = 16;' 'scan = "xyz";'
refuses_config 'a wrong type' 1 'nodes is a string; allowed: a whole number' 'nodes = "16";'
refuses_config 'a key twice' 2 'duplicate' 'nodes = 16;' 'nodes = 16;'
refuses_config 'a syntax error' 1 'syntax error' 'nodes = = 16;'
refuses_config 'an empty file' 1 'neither nodes nor level' ''
refuses_config 'level above levels' 1 'allowed: 1 to 2' 'level = 3;' 'levels = 2;'
refuses_config 'level without levels' 1 'level without levels' 'level = 1;'
refuses_config 'two shapes' 2 'together with nodes' 'nodes = 16;' 'level = 1;'
refuses_config 'a key without effect' 2 'only in an open loop, with load' 'nodes = 16;' 'cycles = 5;'
refuses_config 'a trace without a file' 2 'without its file' 'nodes = 16;' 'pattern = "trace";'
refuses_config 'an option of a run' 2 'discipline in a case; allowed: in fatfly run, sweep files' 'nodes = 16;' 'discipline = "store";'
refuses_config 'too many digits' 1 'whole numbers of up to 18 digits' 'nodes = 99999999999999999999;'
refuses_config 'a long worm' 2 'allowed: a whole number, 1 to 4096' 'nodes = 16;' 'length = 4097;'
printf 'nodes = 16;\r\npattern = "complement";\r\n' >"$t/case/c.cfg"
cosim --side c --config "$t/case/c.cfg"
works 'configuration, CRLF is allowed' '1 passed, 0 failed'
cosim --side c --config "$t/case/none.cfg"
complains 'configuration, no such file' 3 none.cfg 'No such file'
cosim --side c --config "$t/case"
complains 'configuration, a folder' 3 'Is a directory'
cosim --sim "$t/none" --list
complains 'no folder of cases' 3 "$t/none/cases" 'in a checkout of fatfly' '--sim DIR'
ln -sf c.cfg "$t/case/c.vcd"
cosim --side c --config "$t/case/c.cfg" --waves "$t/case/c.vcd"
complains 'waves over the case' 2 'and --config are one file; allowed: two'

# -- options ---------------------------------------------------------------------------------------

small=(--case exact-n16-l2)
cosim --wave x.fst "${small[@]}"
complains 'an unknown option' 2 '--wave: no such option' 'nearest: --waves'
cosim --zyzzyva
complains 'an unknown option, none near' 2 '--zyzzyva: no such option' --help
cosim fat16-random
complains 'a word that is no option' 2 'fat16-random; fatfly cosim takes options alone'
cosim --nodes 64
complains 'an option of another command' 2 \
  '--nodes is no option of fatfly cosim; allowed: in fatfly run, sweep files, cases of fatfly cosim, fatfly model, fatfly estimate'
cosim "${small[@]}" --from 5
complains '--from without --waves' 2 '--from and --to without --waves; allowed: only with --waves'
cosim --seed 1 --seed 2
complains '--seed twice' 2 '--seed 1 and --seed 2; allowed: once'
cosim --seed
complains 'a missing value' 2 '--seed needs a value'
for value in x -1 1.5 '' 18446744073709551616 ' 1'; do
  cosim "${small[@]}" --seed "$value"
  case $value in '' | ' '*) said="'$value'" ;; *) said=$value ;; esac # in quotes where a person could not see it
  complains "--seed '$value'" 2 "--seed $said; allowed: a whole number"
done
cosim --jobs 0
complains '--jobs 0' 2 'allowed: a whole number, 1 to 256'
cosim "${small[@]}" --max-cycles 0
complains '--max-cycles 0' 2 '--max-cycles 0; allowed:'
cosim "${small[@]}" --side verilog
complains '--side verilog' 2 'allowed: both, c, rtl'
cosim --case fat16-randm
complains 'an unknown case' 2 'fat16-randm' 'nearest: fat16-random' --list
cosim --case zyzzyva
complains 'an unknown case, none near' 2 'no such case' --list
cosim "${small[@]}" --config x.cfg
complains '--case with --config' 2 'contradicts'
# What is for one case alone: not for two of them, for all, or for a share.
for option in "--waves $t/x.fst" '--watch 1' "--worms $t/w.worms" "--rtl $lib" "--c $lib"; do
  name=${option%% *}
  cosim "${small[@]}" --case exact-n16-l1 "$name" "${option#* }"
  complains "$name with two cases" 2 "$name needs exactly one --case or --config; 2 given"
  cosim "$name" "${option#* }"
  complains "$name without a case" 2 "$name needs exactly one --case or --config; 0 given"
  cosim "${small[@]}" "$name" "${option#* }" --task 1/2
  complains "$name with a share" 2 "$name with --task 1/2; allowed: without --task, for one case"
done
for folder in build sim; do
  run "$fatfly" cosim "${small[@]}" "--$folder" "$t/$(printf '%0500d' 0)"
  complains "--$folder of too many characters" 2 "--$folder of $((${#t} + 501)) characters; allowed: at most 400"
done
printf 'nodes = 16;\nverilog = "bare";\n' >"$t/case/bare.cfg"
for option in '--watch 1' "--waves $t/bare.vcd" "--watch 1 --waves $t/bare.vcd"; do
  # shellcheck disable=SC2086 # two words
  cosim --config "$t/case/bare.cfg" --side rtl $option
  complains "inside Verilog without a probe, ${option%% *}" 2 "${option%% *} with --side rtl of Verilog without its probe" 'allowed: --side both or c'
done
check 'inside Verilog without a probe: no file' absent "$t/bare.vcd" "$t/bare.gtkw"
cosim "${small[@]}" --from 10 --to 5
complains '--from after --to' 2 '--from 10 --to 5' 'ends before it begins'
for name in x.lxt x fst .; do
  cosim "${small[@]}" --waves "$t/$name"
  complains "--waves $name" 2 'ends in .fst or .vcd'
done
cosim "${small[@]}" --watch 0
complains '--watch 0' 2 '--watch 0; allowed:'
cosim "${small[@]}" --watch 17
complains '--watch of a worm that is not there' 2 '--watch 17; allowed: 1 to 16'
run "$fatfly"
check 'no command: usage, exit code 2' test "$code" = 2
run "$fatfly" cosmi
complains 'an unknown command' 2 'cosmi: no such command' cosim
cosim --help
works '--help' 'usage: fatfly cosim' '--max-cycles' 'exit codes: 0 all passed'
run "$fatfly" --help
works 'fatfly --help' cosim
cosim --list
works '--list' arbiter-core fat16-random exact-n64-l32 switch-s2of3
check '--list: no slow case' test "$code $(grep -c fat256 "$t/out")" = '0 0'
cosim --list --full
works '--list --full' fat256-random
cosim --shapes --case fat16-random --case fat16-complement
works '--shapes' n16-v1-q2-w32-rp-rr
check '--shapes: each once' test "$(wc -l <"$t/out")" = 1

# -- libraries and tools ---------------------------------------------------------------------------

config 'nodes = 16;' 'depth = 7;'
cosim --config "$t/case/c.cfg"
complains 'a missing library' 4 'no such library' 'make ' 'rtl/n16-v1-q7-w32-rp-rr.so'
cosim "${small[@]}" --rtl "$t/none.so"
complains 'a missing library of your own' 4 "$t/none.so: no such library"
cosim "${small[@]}" --rtl "$other"
complains 'a library of another shape' 4 s1of3-v1-q2-w32-rp-rr
cosim "${small[@]}" --rtl "$root/LICENSE"
complains 'a file that is no library' 4 'LICENSE: not a library of a device'
: >"$t/empty.so"
cosim "${small[@]}" --rtl "$t/empty.so"
complains 'an empty library' 4 'empty.so: not a library of a device'
cosim "${small[@]}" --rtl "$t"
complains 'a folder for a library' 4 "$t: not a library of a device"
libc=$(ldd "$(command -v bash)" | awk '$1 ~ /^libc\.so/ { print $3 }')
cosim "${small[@]}" --rtl "$libc"
complains 'a library of something else' 4 "$libc: not a library of a device"
# Tables of other versions: one number that is another, and one from before there was a number.
cat >"$t/later.c" <<'C'
#include "dut.h"
const struct dut_ops *fatfly_dut(void);
const struct dut_ops *fatfly_dut(void)
{
    static struct dut_ops ops;
    ops = dut_cmodel;
    ops.seam += 1 << 16;
    return &ops;
}
C
cat >"$t/earlier.c" <<'C'
const void *fatfly_dut(void);
const void *fatfly_dut(void)
{
    static const struct { const char *side; void *ops[9]; } earlier = {"rtl", {0}};
    return &earlier;
}
C
for version in later earlier; do
  ${CC:-gcc} -std=c11 -shared -fPIC -Icmodel/switch -Isim "$t/$version.c" -o "$t/$version.so" || exit 4
  cosim "${small[@]}" --rtl "$t/$version.so"
  complains "a library of $version" 4 "$version.so: made by another version of fatfly" 'build it again'
done
cosim --case arbiter-core
complains 'no arbiter bench' 4 arbiter_all 'make '

mkdir "$t/path"
for tool in sh bash env dirname cat mkdir rm mv g++ echo basename; do
  ln -s "$(command -v "$tool")" "$t/path/$tool"
done
mkdir "$t/v"
run env -u VERILATOR PATH="$t/path" scripts/sim/verilate.sh n16-v1-q2-w32-rp-rr "$t/v/x.so"
complains 'no Verilator' 4 'no Verilator on this machine' scripts/setup.sh
check 'no Verilator: nothing is left' test -z "$(ls "$t/v")"
for shape in n16-v1-q2 x16-v1-q2-w32-rp-rr n17-v1-q2-w32-rp-rr n16-v0-q2-w32-rp-rr \
  n16-v1-q2-w32-xx-rr n16-v1-q2-w32-rp-xx s1of-v1-q2-w32-rp-rr nx-v1-q2-w32-rp-rr; do
  run env VERILATOR=true scripts/sim/verilate.sh "$shape" "$t/v/x.so"
  complains "verilate.sh $shape" 2 "shape $shape"
done
check 'verilate.sh, wrong shapes: nothing is left' test -z "$(ls "$t/v")"

# -- what cannot be written ------------------------------------------------------------------------

for ending in fst vcd; do
  mkdir "$t/full"
  run bash -c 'ulimit -f 16 && exec "$@"' full "$fatfly" cosim --build "$t/b" --case fat16-random \
    --waves "$t/full/x.$ending"
  complains "a full disk, .$ending" 4 "cannot write $t/full/x.$ending"
  check "a full disk, .$ending: nothing is left" test -z "$(ls "$t/full")"
  rm -r "$t/full"
  # /proc takes no file from anybody, root included.
  cosim "${small[@]}" --waves "/proc/fatfly.$ending"
  complains "waves where nothing can be written, .$ending" 4 "/proc/fatfly.$ending: cannot write"
  cosim "${small[@]}" --waves "$t/none/x.$ending"
  complains "waves in a folder that is not there, .$ending" 4 "$t/none/x.$ending: cannot write"
done
run "$fatfly" cosim --build /proc/fatfly --side c "${small[@]}"
complains 'an unwritable folder' 4 /proc/fatfly
mkdir "$t/b2"
: >"$t/b2/cosim"
run "$fatfly" cosim --build "$t/b2" --side c "${small[@]}" --case exact-n16-l1
complains 'the results folder is a file' 4 "$t/b2/cosim" 'folder'
: >"$t/b3"
run "$fatfly" cosim --build "$t/b3" --side c "${small[@]}"
complains 'the build folder is a file' 4 "$t/b3"
mkdir "$t/b4"
run bash -c 'ulimit -f 0 && exec "$@" >/dev/null' full "$fatfly" cosim --build "$t/b4" --side c \
  "${small[@]}" --case exact-n16-l1 2>&1
check 'a full disk, results: exit code 4' test "$code" = 4
check 'a full disk, results: nothing is left' absent "$t/b4/cosim/junit.xml" "$t/b4/cosim/manifest.json" "$t/b4/cosim/report.html" \
  "$t/b4/cosim/junit.xml.part" "$t/b4/cosim/manifest.json.part"
if [ -w /dev/full ]; then
  unwritten() { "$fatfly" "$1" >/dev/full 2>"$t/err"; [ "$? $(cat "$t/err")" = '4 fatfly: cannot write: No space left on device' ]; }
  check '--help on a full disk' unwritten --help
  check '--version on a full disk' unwritten --version
  "$fatfly" cosim --list >/dev/full 2>"$t/err"
  code=$?
  : >"$t/out"
  complains 'a full disk, stdout' 4 'No space left'
fi

# -- worm files ------------------------------------------------------------------------------------

header=ready,entry,src,dst,length,path
worms() { # NAME LINE TEXT LINE-OF-FILE...
  local name=$1 line=$2 text=$3
  shift 3
  printf '%s\n' "$@" >"$t/w.worms"
  cosim --side c "${small[@]}" --worms "$t/w.worms"
  complains "worms, $name" 3 "w.worms:$line: " "$text" allowed
}
worms 'a wrong header' 1 "$header" ready,src,dst,length 0,1,1,2,3,0
worms 'a missing field' 2 'six numbers' "$header" 0,1,1,2,3
worms 'a field too many' 2 'six numbers' "$header" 0,1,1,2,3,0,0
worms 'a field that is no number' 3 'six numbers' "$header" 0,1,1,2,3,0 0,1,x,2,3,0
worms 'a negative field' 2 'six numbers' "$header" 0,1,1,2,-3,0
worms 'an empty line' 2 'six numbers' "$header" '' 0,1,1,2,3,0
worms 'length 0' 2 'length = 0 flits; allowed: 1 to 4096' "$header" 0,1,1,2,0,0
worms 'length 4097' 2 'length = 4097 flits; allowed: 1 to 4096' "$header" 0,1,1,2,4097,0
worms 'a worm to itself' 2 'from processor 1 to 1' "$header" 0,1,1,1,3,0
worms 'an entry that is not the source' 2 'enters endpoint 2' "$header" 0,2,1,3,3,0
worms 'a destination out of range' 2 'from processor 1 to 16' "$header" 0,1,1,16,3,0
worms 'no header' 1 'allowed: the header' 0,1,1,2,3,0
worms 'a path beyond 32 bits' 3 'six numbers' "$header" 0,1,1,2,3,4294967295 0,1,1,2,3,4294967296
worms 'a long line' 2 'a line of 199 characters or more' "$header" "0,1,1,2,3,$(printf '%0200d' 0)"
printf '%s\n0,1,1,2,3,0\0garbage\n' "$header" >"$t/w.worms"
cosim --side c "${small[@]}" --worms "$t/w.worms"
complains 'worms, a zero byte' 3 'w.worms:2: a zero byte; allowed: text'
printf '%s,number\n0,1,1,2,3,0,7\n0,2,2,3,3,0,900\n' "$header" >"$t/w.worms"
cosim --side c "${small[@]}" --worms "$t/w.worms" --watch 1
complains '--watch of a worm that a file does not have' 2 '--watch 1; allowed: one of the 2 worms of this case; nearest: 7'
cosim --side c "${small[@]}" --worms "$t/w.worms" --watch 900
works '--watch of a worm of a file' 'worm 900: 3 of 3 flits arrived'
: >"$t/w.worms"
cosim --side c "${small[@]}" --worms "$t/w.worms"
complains 'worms, an empty file' 3 'w.worms:1: ' 'an empty file; allowed: the header'
echo "$header" >"$t/w.worms"
cosim "${small[@]}" --worms "$t/w.worms"
works 'worms, none: an idle network' '1 passed, 0 failed'
cosim --side c "${small[@]}" --worms "$t/none.worms"
complains 'worms, no such file' 3 none.worms 'No such file' allowed
cosim --side c "${small[@]}" --worms "$t"
complains 'worms, a folder' 3 "$t: " allowed
# A worm that goes down may not enter the one switch of level 1 from a child that is not its own.
printf 'level = 1;\nlevels = 2;\ncycles = 100;\n' >"$t/case/c.cfg"
printf '%s\n' "$header" 0,4,1,2,3,0 >"$t/w.worms"
cosim --side c --config "$t/case/c.cfg" --worms "$t/w.worms"
complains 'worms, an impossible path through one switch' 3 'w.worms:2: ' 'a shortest path'
printf '%s\n' "$header" 0,1,1,14,3,0 5,2,2,3,1,0 >"$t/w.worms"
cosim "${small[@]}" --worms "$t/w.worms"
works 'worms, two of them' '1 passed, 0 failed'
check 'worms, two of them: 2 worms' test "$(field 3)" = 2
check 'worms, two of them: 4 flits' test "$(field 4)" = 4

# -- results ---------------------------------------------------------------------------------------

rm -rf "$t/b/cosim"
cosim "${small[@]}"
works 'one case' '1 passed, 0 failed' 'switch-cycles compared'
check 'the table: columns' test "$(head -n 1 "$t/out" | tr -s ' ')" = \
  'case cycles worms flits links digest cycles/s'
check 'the table: a row' grep -qE '^exact-n16-l2 +[0-9]+ +16 +32 +[1-9][0-9]* +[0-9a-f]{16} +[0-9]+$' "$t/out"
check 'one case: no report of a regression' absent "$t/b/cosim/junit.xml" "$t/b/cosim/manifest.json"

several=(--case fat16-complement --case exact-n16-l8 --case exact-n16-l1)
cosim "${several[@]}"
mv "$t/err" "$t/progress"
: >"$t/err"
works 'several cases' '3 passed, 0 failed'
check 'several cases: a line on stderr as each ends' test "$(grep -cE '^\[[1-3]/3\] passed (fat16|exact)-' "$t/progress") $(wc -l <"$t/progress")" = '3 3'
check 'in a pipe: the table and nothing else' test "$code $(grep -cvE \
  '^(case .*|(fat16|exact)-[a-z0-9-]+ +[0-9]+ .*|[0-9]+ switch-cycles compared|3 passed, 0 failed)$' "$t/out")" = '0 0'
check 'the table keeps the order asked for' test "$(sed -n 2,4p "$t/out" | cut -d' ' -f1 | tr '\n' ' ')" \
  = 'fat16-complement exact-n16-l8 exact-n16-l1 '
check 'JUnit XML and JSON parse and agree' python3 - "$t/b/cosim" <<'PY'
import json, sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1] + "/junit.xml").getroot()
manifest = json.load(open(sys.argv[1] + "/manifest.json"))
names = ["fat16-complement", "exact-n16-l8", "exact-n16-l1"]
assert suite.tag == "testsuite" and suite.get("tests") == "3" and suite.get("failures") == "0"
assert [c.get("name") for c in suite.iter("testcase")] == names
assert [c["name"] for c in manifest["cases"]] == names
assert all(c["passed"] and len(c["digest"]) == 16 and c["seed"] == 1 for c in manifest["cases"])
assert manifest["cases"][1]["last_arrival"] == 8 * 8 + 4 - 2
assert manifest["tools"]["verilator"] and manifest["tools"]["g++"]
PY
check 'the report has every case' python3 - "$t/b/cosim/report.html" <<'PY'
import re, sys
page = open(sys.argv[1]).read()
assert re.findall(r"<tr><td>([^<]*)</td><td>passed</td>", page) == ["fat16-complement", "exact-n16-l8", "exact-n16-l1"]
assert "<b>3 passed, 0 failed</b>" in page and 'href="fat16-complement.log"' in page and len(re.findall(r"<td>[0-9a-f]{16}</td>", page)) == 3
PY
check 'results: no half-written file is left' test -z "$(find "$t/b/cosim" -name '*.part')"
if script -qec true /dev/null >/dev/null 2>&1; then # where a terminal can be had
  run script -qec "'$fatfly' cosim --build '$t/b' --side c ${several[*]}" /dev/null
  check 'progress on a terminal' grep -qF '[3/3] 0 failed' "$t/out"
fi

# A case of the regression that cannot run is a failure in every report.
mkdir -p "$t/sim/cases"
printf 'nodes = 16;\ndepth = 7;\n' >"$t/sim/cases/a\"&<b.cfg"
printf 'nodes = 16;\n' >"$t/sim/cases/good.cfg"
: >"$t/sim/matrix.txt"
: >"$t/sim/cubes.txt"
: >"$t/sim/reference.txt"
cosim --sim "$t/sim" --list
complains 'a case whose name is not plain' 3 'as the name of a case'
rm "$t/sim/cases/"a*
printf 'nodes = 16;\ndepth = 7;\n' >"$t/sim/cases/broken.cfg"
cosim --sim "$t/sim" --case good --case broken
check 'a case without its library: exit code 4' test "$code" = 4
check 'a case without its library: the other passes' grep -qx '1 passed, 1 failed' "$t/out"
check 'a case without its library: progress, a line a case as it ends' test \
  "$(sort -k 3 "$t/err" | sed 's|^\[[12]/2\] ||')" = "$(printf 'FAILED broken\npassed good')"
check 'a case without its library: progress counts' test "$(cut -c 1-6 "$t/err" | tr '\n' ' ')" = '[1/2]  [2/2]  '
check 'a case without its library: the reports say so' python3 - "$t/b/cosim" <<'PY'
import json, sys, xml.etree.ElementTree as tree
suite = tree.parse(sys.argv[1] + "/junit.xml").getroot()
good, broken = json.load(open(sys.argv[1] + "/manifest.json"))["cases"]
assert suite.get("tests") == "2" and suite.get("failures") == "1"
assert "no such library" in suite.find(".//failure").get("message")
assert good["passed"] and not broken["passed"] and "no such library" in broken["why"]
page = open(sys.argv[1] + "/report.html").read()
assert "1 passed, 1 failed" in page and page.index("<td>broken</td><td class=\"bad\">FAILED") < page.index("<td>good</td><td>passed") \
    and "no such library" in page
PY
matrix() { # NAME TEXT MESSAGE: of a list with this text
  printf %b "$2" >"$t/sim/matrix.txt"
  cosim --sim "$t/sim" --list
  complains "$1 in the matrix" 3 "matrix.txt:$3"
  : >"$t/sim/matrix.txt"
}
matrix 'a wrong line' 'n16-v1-q2\n' '1: '
matrix 'a wrong word' 's1of3-v1-q2-w32-rp-rr full\n' '1: "s1of3-v1-q2-w32-rp-rr full"; allowed: one shape, as s1of3-v1-q2-w32-rp-rr'
matrix 'a long line' "s1of3-v1-q2-w32-rp-rr\n# $(printf '%0197d' 0) s3of3-v1-q2-w32-rp-rr\n" '2: a line of 199 characters or more'
matrix 'a zero byte' 's1of3-v1-q2-w32-rp-rr\0 full\n' '1: a zero byte; allowed: text'
printf 'fatfly cover 1\0\n' >"$t/zero.cover"
cosim "${small[@]}" --cover "$t/zero.cover"
complains 'a zero byte in counts of coverage' 3 'zero.cover:1: a zero byte; allowed: text'
echo 'fat16-randon' >"$t/sim/reference.txt"
cosim --sim "$t/sim" --list
complains 'a wrong line in the list of the reference switch' 3 'reference.txt:1: "fat16-randon" names no case'
: >"$t/sim/reference.txt"

# -- Ctrl-C ----------------------------------------------------------------------------------------

: >"$t/sim/matrix.txt"
for k in 1 2 3; do
  printf 'nodes = 16;\nload = 0.01;\ncycles = 20000000;\n' >"$t/sim/cases/long$k.cfg"
done
echo old >"$t/b/cosim/junit.xml"
echo old >"$t/b/cosim/manifest.json"
# interrupt WHO SIGNAL ARGUMENT...: of the cases in $sim, all processes of the run (as a terminal does) or its first one.
interrupt() {
  local who=$1 signal=$2 pid k
  shift 2
  # A shell that is not interactive makes background jobs deaf to Ctrl-C; a terminal does not.
  setsid python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$fatfly" cosim --build "$t/b" --sim "${sim:-$t/sim}" --side c "$@" \
    >"$t/out" 2>"$t/err" </dev/null &
  pid=$!
  at_work "$pid"
  if [ "$who" = all ]; then kill -s "$signal" -- "-$pid"; else kill -s "$signal" "$pid"; fi
  for k in 1 2 3 4 5 6 7 8 9 10; do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.3
  done
  ended=yes
  kill -0 "$pid" 2>/dev/null && ended=no && kill -KILL -- "-$pid"
  wait "$pid" 2>/dev/null
  code=$?
  for k in 1 2 3 4 5 6 7 8 9 10; do # the writer of waves tidies up after the run has ended
    left=$(ps -e -o pgid=,stat= | awk -v p="$pid" '$1 == p && $2 !~ /^Z/' | wc -l)
    [ "$left" = 0 ] && break
    sleep 0.3
  done
  [ "$left" = 0 ] || kill -KILL -- "-$pid"
}
for how in 'all INT' 'first INT' 'first TERM'; do
  # shellcheck disable=SC2086 # two words
  interrupt $how --case long1 --case long2 --case long3 --jobs 2
  check "interrupted, $how: ends at once" test "$ended $code" = 'yes 4'
  complains "interrupted, $how" 4 'interrupted after 0 of 3 cases'
  check "interrupted, $how: no process goes on" test "$left" = 0
  check "interrupted, $how: the reports are the old ones" test \
    "$(cat "$t/b/cosim/junit.xml" "$t/b/cosim/manifest.json")" = "$(printf 'old\nold')"
  check "interrupted, $how: no half-written file is left" test -z "$(find "$t/b/cosim" -name '*.part')"
done
interrupt all INT --case long1
check 'interrupted, one case: ends at once' test "$ended" = yes
check 'interrupted, one case: exit code' test "$code" = 130
mkdir "$t/int"
for how in 'all INT' 'all TERM' 'first INT'; do
  for kind in vcd fst; do
    # shellcheck disable=SC2086 # two words
    interrupt $how --case long1 --waves "$t/int/x.$kind"
    check "interrupted, $how, waves, $kind: ends at once" test "$ended $code" = "yes $([[ $how == *INT ]] && echo 130 || echo 143)"
    check "interrupted, $how, waves, $kind: nothing is left" test -z "$(ls "$t/int")"
  done
done
rm -r "$t/int"

# An exhaustive bench is a program of its own, in a folder of any name.
mkdir -p "$t/b x"
cp -r sim "$t/simb"
printf '#!/bin/sh\necho "total, 7, 0"\n' >"$t/b x/arbiter_all" && chmod +x "$t/b x/arbiter_all"
run "$fatfly" cosim --build "$t/b x" --sim "$t/simb" --side c --case arbiter-core
works 'a bench in a folder with a blank' '1 passed, 0 failed'
# A check that failed is what the exit code says, whatever could not run, before it or after.
printf '#!/bin/sh\necho "total, 7, 1"\n' | tee "$t/b x/arbiter_all" >"$t/b x/cube_route_all" && chmod +x "$t/b x/cube_route_all"
printf 'nodes = 16;\ndepth = 7;\nrounds = 1000;\nlength = 100;\n' >"$t/simb/cases/broken.cfg" # longer than the one bench, and begun before it
for bench in arbiter-core cube-routes; do
  run "$fatfly" cosim --build "$t/b x" --sim "$t/simb" --jobs 1 --case broken --case $bench
  check "a check that fails and a missing library, $bench: exit code 1" test "$code,$(tail -n 1 "$t/out"),$(sed -n 's/^.1.*FAILED //p' "$t/err")" = \
    "1,0 passed, 2 failed,$([ $bench = cube-routes ] && echo broken || echo $bench)"
done
printf '#!/bin/sh\nexec sleep 41.5\n' >"$t/b/arbiter_all" && chmod +x "$t/b/arbiter_all"
cp "$t/sim/cases/long1.cfg" "$t/simb/cases/long1.cfg"
sleeper() { pgrep -cxf 'sleep 41.5'; }
for how in 'all INT' 'first TERM'; do
  # shellcheck disable=SC2086 # two words
  sim=$t/simb interrupt $how --case arbiter-core --case long1
  check "interrupted, $how, a bench: ends at once" test "$ended $code" = 'yes 4'
  check "interrupted, $how, a bench: it does not go on" test "$left,$(sleeper)" = 0,0
done
rm -r "$t/simb" "$t/b x" "$t/b/arbiter_all"

# -- repeatable ------------------------------------------------------------------------------------

digest() { cosim "$@" && [ "$code" = 0 ] && field 6; }
first=$(digest --case fat16-random --seed 7)
check 'a digest' grep -qE '^[0-9a-f]{16}$' <<<"$first"
alike 'the same seed: the same digest' "$first" "$(digest --case fat16-random --seed 7)"
unlike 'another seed: another digest' "$first" "$(digest --case fat16-random --seed 8)"
alike '--side c: the same digest' "$first" "$(digest --case fat16-random --seed 7 --side c)"
alike '--side rtl: the same digest' "$first" "$(digest --case fat16-random --seed 7 --side rtl)"
config 'nodes = 16;' 'length = 32;' 'rounds = 10;'
alike '--config: the same digest' "$first" "$(digest --config "$t/case/c.cfg" --seed 7)"
cosim --case fat16-random --seed 7
all=$(field 4)
cosim --case fat16-random --seed 7 --max-cycles 100
works '--max-cycles' '1 passed, 0 failed'
check '--max-cycles: as many cycles' test "$(field 2)" = 100
check '--max-cycles: fewer flits' test "$(field 4)" -lt "$all"
check '--max-cycles: but some' test "$(field 4)" -gt 0

# -- a mismatch --------------------------------------------------------------------------------------

# A C side of its own: the model, but for one bit of what reaches processor 13.
cat >"$t/wrong.c" <<'C'
#include "dut.h"
static void wrong(struct dut *d, struct link *link)
{
    dut_cmodel.sample(d, link);
    if (link[13].valid)
        link[13].flit.payload ^= 1;
}
const struct dut_ops *fatfly_dut(void);
const struct dut_ops *fatfly_dut(void)
{
    static struct dut_ops ops;
    ops = dut_cmodel;
    ops.sample = wrong;
    return &ops;
}
C
${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -shared -fPIC -Icmodel/switch -Isim "$t/wrong.c" -o "$t/wrong.so" || exit 4
DISPLAY=:9 cosim --case fat16-random --c "$t/wrong.so" --shrink 0
check 'a mismatch, a display: the line for GTKWave' grep -qE '^waves: gtkwave [^ ]+/fat16-random.gtkw$' "$t/out"
DISPLAY='' WAYLAND_DISPLAY='' cosim --case fat16-random --c "$t/wrong.so" --shrink 2
check 'a mismatch, no display: a command that draws a picture' grep -qE \
  '^waves: scripts/sim/waves_png.sh [^ ]+.fst [^ ]+.gtkw [^ ]+.png$' "$t/out"
check 'a mismatch, no display: that command is there' test -x scripts/sim/waves_png.sh
check 'a mismatch: exit code 1' test "$code" = 1
check 'a mismatch: says where' grep -q 'the two sides differ at cycle' "$t/out"
check 'a mismatch: a row that failed' grep -qE '^fat16-random .* FAILED$' "$t/out"
check 'a mismatch: 0 passed, 1 failed' grep -qx '0 passed, 1 failed' "$t/out"
check 'a mismatch: waves are written' test -s "$t/b/cosim/fat16-random.fst"
check 'a mismatch: a save file is written' test -s "$t/b/cosim/fat16-random.gtkw"
# in_sight FILE SIGNAL...: GTKWave opens with them, of either side, in no closed group and among the first 20 rows.
in_sight() {
  python3 - "$@" <<'PY'
import sys
rows, closed, flags = [], 0, 0
for line in open(sys.argv[1]).read().splitlines():
    if line.startswith("@"):
        flags = int(line[1:], 16)
    elif line.startswith("-"):  # a group begins or ends; 0x400000: closed
        closed += -(closed > 0) if flags & 0x1000000 else 1 if closed or flags & 0x400000 else 0
        rows.append("")
    elif line.startswith("+") and not closed:
        rows.append(line.split("} ")[1].split("[")[0])
wanted = [f"fatfly.{side}.{signal}" for signal in sys.argv[2:] for side in ("c", "rtl")]
sys.exit(any(name not in rows[:20] for name in wanted))
PY
}
check 'a mismatch: the view opens with what differs, a link out' in_sight "$t/b/cosim/fat16-random.gtkw" exit13.link_payload
# blind, closed FILE SIGNAL: without its group, or with that closed, the check above does not find it.
blind() { [ -s "$1" ] && ! in_sight <(sed '/^-what differs$/,/^-what differs$/d' "$1") "$2"; }
closed() { [ -s "$1" ] && ! in_sight <(awk '$0 == "@800200" { $0 = "@c00200" } 1' "$1") "$2"; }
check 'a mismatch: ... without that group it is not seen' blind "$t/b/cosim/fat16-random.gtkw" exit13.link_payload
check 'a mismatch: ... nor if the group is closed' closed "$t/b/cosim/fat16-random.gtkw" exit13.link_payload
check 'a mismatch: shrunk to one worm' test "$(wc -l <"$t/b/cosim/fat16-random.worms")" = 2
check 'a mismatch: its page is said' grep -qx "page: $t/b/cosim/fat16-random.html" "$t/out"
check 'a mismatch: its page marks what differs, in its cycle, with the worms and the command' python3 - "$t/b/cosim/fat16-random" <<'PY'
import re, sys
page, worms = open(sys.argv[1] + ".html").read(), open(sys.argv[1] + ".worms").read()
rows = re.findall(r"<tr><td>(\w[^<]*)</td>(.*?)</tr>", page)
bad = [(name, cell) for name, cells in rows for cell in re.findall(r'<td class="bad([^"]*)">', cells)]
assert bad and {name for name, _ in bad} == {"exit13"} and any("at" in cell for _, cell in bad), bad
assert "lfsr_q" in dict(rows) and "port0.vc0.count_q" in dict(rows) and "<script" not in page and "http" not in page
assert worms.strip().splitlines()[-1] in page and "Repeat it: <code>build/fatfly cosim --case fat16-random" in page
PY
# Another one: a register that no link shows.
sed 's/^static void wrong/static const uint32_t *state(struct dut *d)\n{\n    uint32_t *w = (uint32_t *)dut_cmodel.state(d);\n'\
'    w[0] ^= 1;\n    return w;\n}\n&/; s/payload ^= 1/payload ^= 0/; s/ops.sample = wrong;/&\n    ops.state = state;/' \
  "$t/wrong.c" >"$t/inside.c"
${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -shared -fPIC -Icmodel/switch -Isim "$t/inside.c" -o "$t/inside.so" || exit 4
cp "$t/out" "$t/out.first"
cosim --case fat16-random --c "$t/inside.so" --shrink 0
check 'a mismatch inside: named' grep -q 'first difference: .* S(1,0) signal lfsr_q' "$t/out"
check 'a mismatch inside: the view opens with what differs' in_sight "$t/b/cosim/fat16-random.gtkw" l1_0.lfsr_q
check 'a mismatch inside: ... without that group it is not seen' blind "$t/b/cosim/fat16-random.gtkw" l1_0.lfsr_q
# Where outputs alone are compared, what is inside is shown of one side: Verilog without its probe has nothing there.
cosim --case fat16-random --c "$t/inside.so" --outputs-only
works 'outputs alone: a register that differs is not looked at' '1 passed, 0 failed'
cosim --case fat16-random --c "$t/wrong.so" --outputs-only --shrink 0
check 'outputs alone: no difference inside is named' test "$code,$(grep -c '^first difference' "$t/out"),$(grep -c '^[*] ' "$t/out")" = 1,0,0
check 'outputs alone: registers of one side' grep -qE '^registers and wires of S[^;]* that are not zero$' "$t/out"
check 'outputs alone: the page marks the link out alone' test "$(grep -oE '<tr><td>[^<]*</td>(<td class="( at|soft|soft at| at)?">[^<]*</td>)*<td class="bad' "$t/b/cosim/fat16-random.html" |
  grep -oE '^<tr><td>[^<]*' | sort -u)" = '<tr><td>exit13'
cp "$t/out.first" "$t/out"
# As docs/cosim.md shows it.
check 'a mismatch: the command with its seed' grep -qE '^repeat: build/fatfly cosim --case fat16-random --seed [0-9]+' "$t/out"
said=$(sed -n 's/^repeat it alone: build.fatfly//p' "$t/out")
check 'a mismatch: says how to repeat it' test -n "$said"
# shellcheck disable=SC2086 # the words of the command
run "$fatfly" $said --shrink 0
check 'a mismatch: the command that it says fails again' test "$code" = 1
check 'a mismatch: it is the same one' grep -qE '^fat16-random .* FAILED$' "$t/out"
# A check of the model itself that fails in one switch, AT, in cycle 40: the report is of that one.
cat >"$t/check.c" <<'C'
#include "dut.h"
#include <stdlib.h>
static unsigned cycles;
static void reset(struct dut *d, uint32_t seed)
{
    dut_cmodel.reset(d, seed);
    cycles = 0;
}
static const char *check(struct dut *d, unsigned *at)
{
    const char *wrong = dut_cmodel.check(d, at);
    if (wrong || cycles++ != 40)
        return wrong;
    *at = (unsigned)atoi(getenv("AT"));
    return "it is not as it was";
}
const struct dut_ops *fatfly_dut(void);
const struct dut_ops *fatfly_dut(void)
{
    static struct dut_ops ops;
    ops = dut_cmodel;
    ops.reset = reset;
    ops.check = check;
    return &ops;
}
C
${CC:-gcc} -std=c11 -D_POSIX_C_SOURCE=200809L -shared -fPIC -Icmodel/switch -Isim "$t/check.c" -o "$t/check.so" || exit 4
# about SWITCH, the_life_of SWITCH: each part of the report names this switch, and the worm whose life is told comes there.
about() {
  grep -qF "fat16-random: a check found a fault at cycle 40: side c, switch $1: it is not as it was" "$t/out" || return 1
  [ "$(grep -o '^registers and wires of S[^ ]*' "$t/out")" = "registers and wires of $1" ] || return 1
  [ "$(sed -n '/^last events of/,/^waves/p' "$t/out" | grep -v '^waves' | grep -cvF "$1")" = 0 ] || return 1
  [ "$(grep -c '^last events of' "$t/out")" = 1 ] || return 1
  [ "$(grep -oE '<h2>S[^ ]* in the cycles' "$t/b/cosim/fat16-random.html")" = "<h2>$1 in the cycles" ] || return 1
  [ "$(grep -m 1 '^-S' "$t/b/cosim/fat16-random.gtkw")" = "-$1" ]
}
the_life_of() { sed -n '/^life of worm/,/^last events of/p' "$t/out" | grep -qF "to $1 "; }
at=0
for place in 'S(1,0)' 'S(1,1)' 'S(1,2)' 'S(1,3)' 'S(2,0)' 'S(2,1)'; do
  AT=$at cosim --case fat16-random --c "$t/check.so" --shrink 0 --side c
  check "a check that fails in $place: exit code 1" test "$code" = 1
  check "a check that fails in $place: registers, last events, page and waves are of that switch" about "$place"
  check "a check that fails in $place: ... and the worm, too" the_life_of "$place"
  at=$((at + 1))
done
AT=4 cosim --case fat16-random --c "$t/check.so" --shrink 0
check 'a check that fails beside the Verilog: the report is of that switch' about 'S(2,0)'
cp "$t/out.first" "$t/out"
# What is given is said again, and worms that were read stay.
mkdir -p "$t/a b"
cp "$t/wrong.so" "$t/a b/wrong.so"
cp "$t/b/cosim/fat16-random.worms" "$t/one.worms"
awk -F , -v OFS=, 'NR == 2 { print; $1 += 500; $6 = 0; $7++ } 1' "$t/one.worms" >"$t/mine" && cp "$t/mine" "$t/b/cosim/fat16-random.worms"
cosim --sim ./sim --case fat16-random --c "$t/a b/wrong.so" --max-cycles 4321 --outputs-only --worms "$t/b/cosim/fat16-random.worms" --shrink 2
check 'a mismatch of given worms: all options are said' grep -qx "repeat: build/fatfly cosim --case fat16-random --seed [0-9]* --c '$t/a b/wrong.so' --build $t/b --sim ./sim --max-cycles 4321 --outputs-only --worms $t/b/cosim/fat16-random.worms" "$t/out"
check 'a mismatch of given worms: the file is as it was' cmp "$t/mine" "$t/b/cosim/fat16-random.worms"
said=$(sed -n 's/^repeat it alone: build.fatfly//p' "$t/out")
check 'a mismatch of given worms: smaller ones are in another file' grep -q -- "--worms $t/b/cosim/fat16-random.smaller.worms$" <<<"$said"
eval "run \"\$fatfly\" $said --shrink 0"
check 'a mismatch of given worms: that command fails again' test "$code" = 1 -a "$(grep -cE '^fat16-random .* FAILED$' "$t/out")" = 1
run "$fatfly" cosim --case fat16-random --c "$t/a b/wrong.so" --rtl "$t/b/rtl/n16-v1-q2-w32-rp-rr.so" --build "$t/a b" --max-cycles 99 --shrink 0
check 'a mismatch in a folder with a blank: the command for its waves is for a shell' \
  grep -qE "^waves: (gtkwave|scripts/sim/waves_png.sh '$t/a b/cosim/fat16-random.fst') '$t/a b/cosim/fat16-random.gtkw'" "$t/out"
rm "$t/b/cosim/fat16-random.smaller.worms" && cp "$t/one.worms" "$t/b/cosim/fat16-random.worms"
cosim --case fat16-random --worms "$t/b/cosim/fat16-random.worms"
works 'a mismatch: its worms pass without the bug' '1 passed, 0 failed'
check 'a mismatch: its worms, one' test "$(field 3)" = 1

# -- a window of waves -------------------------------------------------------------------------------

# Worms whose heads crossed before the window are named as in the whole file.
cosim --side c --case exact-n16-l32 --waves "$t/whole.vcd"
works 'waves of a whole run' '1 passed, 0 failed'
cosim --side c --case exact-n16-l32 --waves "$t/part.vcd" --from 60 --to 70
works 'waves of a window' '1 passed, 0 failed'
tracks() { grep -aoE '^sw[0-9]+:[0-9]+>[0-9]+' "$1" | sort -u; }
check 'waves of a window: each worm has its ends, as in the whole file' test -n "$(tracks "$t/part.vcd")" -a \
  -z "$(comm -23 <(tracks "$t/part.vcd") <(tracks "$t/whole.vcd"))"

# -- messages to worms -------------------------------------------------------------------------------

# counts NAME WORMS FLITS: of the case in c.cfg.
counts() {
  cosim --side c --config "$t/case/c.cfg"
  works "worms of messages, $1" '1 passed, 0 failed'
  check "worms of messages, $1: $2 worms, $3 flits" test "$(field 3) $(field 4)" = "$2 $3"
}
traced=('nodes = 16;' 'pattern = "trace";' 'trace = "t.csv";')
trace 0,0,1,0 5,2,3,0 9,15,0,0
config "${traced[@]}"
counts 'zero bytes are single flits' 3 3
# A worm of 5 flits of 32 bits carries 16 bytes: 1 + 1 + 1 + 2 + 7 worms.
trace 0,0,1,0 0,2,3,1 0,4,5,16 0,6,7,17 3000,8,9,100
config "${traced[@]}" 'length = 5;'
counts '32 bits' 12 47
config "${traced[@]}" 'length = 5;' 'flit_bits = 16;'
counts '16 bits' 20 88
config "${traced[@]}" 'length = 5;' 'max_bytes = 16;'
counts 'max_bytes' 5 18
config "${traced[@]}" 'length = 5;' 'max_messages = 2;'
counts 'max_messages' 2 3
config "${traced[@]}" 'length = 5;' 'cycles = 3000;'
counts 'cycles' 5 15
config "${traced[@]}" 'length = 5;' 'cycles_per_us = 10;'
cosim --side c --config "$t/case/c.cfg" --watch 12
works 'cycles_per_us' 'worm 12: 2 flits from 8 to 9, ready in cycle 30'

# -- watch and waves ---------------------------------------------------------------------------------

mkdir "$t/win"
cosim --side c "${small[@]}" --waves "$t/win/x.fst" --from 100000
complains 'waves of no cycle' 2 '--from 100000; allowed: a window with some of cycles 0 to '
cosim --side c "${small[@]}" --watch 3 --max-cycles 1 --waves "$t/win/x.fst" --from 5
check 'waves of no cycle of a worm' test "$code,$(grep -c -- '--from 5; allowed: a window with some of cycles 0 to 0, in which the worm moves' "$t/err")" = 2,1
cosim --side c --case fat16-random --watch 160 --max-cycles 2 --waves "$t/win/x.vcd"
check 'waves of a worm that does not move' test "$code,$(grep -c -- '--watch 160 --waves .*; allowed: a worm that moves, which this one does not in the 2 cycles' "$t/err")" = 2,1
check 'waves of no cycle: no file' test -z "$(ls "$t/win")"
rmdir "$t/win"
for k in 'rtl c' 'c rtl'; do
  # shellcheck disable=SC2086 # two words
  set -- $k
  cosim "${small[@]}" "--$1" "$t/b" --side "$2"
  complains "a library that is not used, $1" 2 "--$1 $t/b with --side $2, which does not use it; allowed: --side both or $1"
done
cosim "${small[@]}" --watch 3
works '--watch' 'worm 3: 2 flits from 2 to 15, ready in cycle 0' 'from processor 2 to S(1,0) child 2' \
  'to processor 15' 'worm 3: 2 of 2 flits arrived'
check '--watch: a line a link for head and tail' test "$(grep -c '^cycle ' "$t/out")" = 8
# Of a head of d links that enters in cycle a and leaves the last link in cycle b: b - a - (d - 1) cycles; some wait.
watched() { # LENGTH
  local worm waited=0
  for worm in {1..16}; do
    cosim --side c --case "exact-n16-l$1" --watch "$worm"
    awk '/^cycle [0-9]*: (head|single flit) / { at = $2 + 0; if (!links++) from = at }
         / waited [0-9]+ cycles inside$/ { told = $(NF - 2); ends++ }
         END { exit !(ends == 1 && links >= 2 && told == at - from - (links - 1)) }' "$t/out" || return
    grep -q ' waited 0 cycles inside$' "$t/out" || waited=$((waited + 1))
  done
  [ "$waited" -gt 2 ]
}
check '--watch: how long heads of one flit waited inside' watched 1
check '--watch: how long heads of two flits waited inside' watched 2
mkdir "$t/waves"
size() { stat -c %s "$t/waves/$1"; }
for ending in vcd fst; do
  cosim --case fat16-random --waves "$t/waves/all.$ending"
  works "waves, .$ending" '1 passed, 0 failed'
  check "waves, .$ending: a save file beside" test -s "$t/waves/all.gtkw"
  cosim --case fat16-random --waves "$t/waves/window.$ending" --from 50 --to 60
  works "waves, .$ending, a window"
  check "waves, .$ending, a window: smaller" test "$(size "window.$ending")" -lt "$(size "all.$ending")"
  cosim --case fat16-random --waves "$t/waves/worm.$ending" --watch 5
  works "waves, .$ending, one worm" 'worm 5: '
  check "waves, .$ending, one worm: smaller" test "$(size "worm.$ending")" -lt "$(size "all.$ending")"
  for side in c rtl; do cosim "${small[@]}" --side "$side" --waves "$t/waves/$side.$ending"; done
done
check 'waves: no half-written file is left' test -z "$(find "$t/waves" -name '*.part*')"
cycles=$(grep -c '^#' "$t/waves/window.vcd")
check 'waves, a window: its cycles alone' test "${cycles:-0}" -gt 0 -a "${cycles:-0}" -le 30
# shellcheck disable=SC2016 # the dollar is VCD's
names() { grep -E '^\$(var|scope|upscope)' "$1"; }
alike 'waves: both sides have the same signals' "$(names "$t/waves/c.vcd")" "$(names "$t/waves/rtl.vcd")"
# shellcheck disable=SC2016 # the dollar is VCD's
alike 'waves: ... and the same changes' "$(grep -v '^\$date' "$t/waves/c.vcd")" "$(grep -v '^\$date' "$t/waves/rtl.vcd")"
alike 'waves: one save file opens both' "$(grep -v '^\[[ds]' "$t/waves/c.gtkw")" "$(grep -v '^\[[ds]' "$t/waves/rtl.gtkw")"
if command -v fst2vcd >/dev/null 2>&1; then
  fst2vcd "$t/waves/c.fst" >"$t/waves/back.vcd" 2>/dev/null
  plain() { names "$1" | awk '$1 == "$var" { print $5; next } { print $3 }' | sort; }
  alike 'waves: FST and VCD have the same signals' "$(plain "$t/waves/c.vcd")" "$(plain "$t/waves/back.vcd")"
fi
if [ -x scripts/sim/waves_png.sh ]; then
  run env -u DISPLAY PATH="$t/path" scripts/sim/waves_png.sh "$t/waves/c.fst" "$t/waves/c.gtkw" "$t/waves/c.png"
  complains 'no GTKWave' 4 'not installed'
  check 'no GTKWave: no picture is left' absent "$t/waves/c.png" "$t/waves/c.png.part"
fi

# `make waves` on a machine without a display: a picture, or one line on what is missing.
if [ -x scripts/sim/waves.sh ]; then
  mkdir "$t/wb"
  ln -s "$fatfly" "$t/wb/fatfly"
  ln -s "$build/rtl" "$t/wb/rtl"
  run env -u WAYLAND_DISPLAY PATH="$t/path" BUILD="$t/wb" scripts/sim/waves.sh
  check 'no display, no GTKWave: exit code 4' test "$code" = 4
  check 'no display, no GTKWave: one line' test "$(wc -l <"$t/err")" = 1
  check 'no display, no GTKWave: the waves are there' test -s "$t/wb/waves/exact-n16-l8.fst"
  if command -v gtkwave Xvfb import >"$t/tools" && [ "$(wc -l <"$t/tools")" = 3 ]; then
    run env -u WAYLAND_DISPLAY BUILD="$t/wb" scripts/sim/waves.sh
    works 'no display' 'no display: drawing '
    check 'no display: a picture' grep -q PNG "$t/wb/waves/exact-n16-l8.png"
  fi
fi

# Each argument of waves.sh reaches the command, and says where the files are; what is left out has its default.
waves_words() { # WANT ARGUMENT...
  local want=$1
  shift
  env -u WAYLAND_DISPLAY -u DISPLAY PATH="$t/path" BUILD="$t/wc" scripts/sim/waves.sh "$@" >"$t/out" 2>"$t/err"
  diff <(echo "$want") "$t/wc/words" && grep -qx "waves: $t/wc/waves/${1:-exact-n16-l8}.fst, save file: $t/wc/waves/${1:-exact-n16-l8}.gtkw" "$t/out"
}
mkdir "$t/wc" && printf '#!/bin/sh\necho "$*" >"%s"\n' "$t/wc/words" >"$t/wc/fatfly" && chmod +x "$t/wc/fatfly"
wave_words="cosim --build $t/wc --case %s --side %s --waves $t/wc/waves/%s.fst --to %s --max-cycles %s"
while read -r case_ side to end args; do
  # shellcheck disable=SC2059,SC2086 # the format above; words
  check "waves.sh $args: what it runs" waves_words "$(printf "$wave_words" $case_ $side $case_ $to $end)" $args
done <<'END'
exact-n16-l8 c 66 67
fat16-random c 66 67 fat16-random
fat16-random rtl 66 67 fat16-random rtl
levels4-fp both 9 10 levels4-fp both 9
exact-n16-l8 rtl 1000 1001 exact-n16-l8 rtl 1000
END

# -- make cosim ------------------------------------------------------------------------------------

builds() { make benches CASE="$1" BUILD="$build" MAKE=echo 2>/dev/null | grep -oE '(arbiter_all|cube_route_all)( |$)' | sort -u | xargs; }
check 'make cosim CASE=: of one case what it needs' test "$(builds fat16-random),$(builds arbiter-core),$(builds cube-routes)" = \
  ',arbiter_all,cube_route_all'
check 'make cosim: all of it' test "$(builds '')" = 'arbiter_all cube_route_all'

ends
