#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_files.sh - where the command writes: no file that is there is written over on the way, links stay links, a
# descriptor's name is that descriptor, and what GTKWave or somebody else wrote beside it stays.
#
# usage: test_files.sh [FILTER]   FATFLY=build/fatfly-san runs the sanitized command.
# Prints a line a check and `N passed, N failed`.  Nothing is written outside a temporary folder.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
the_command
cost=$PWD/docs/results/fpga.csv
scratch
cd "$t" || exit 4
printf 'nodes = 4;\n' >a.cfg
printf 'nodes = 4;\nlength = [2, 3];\n' >s.cfg
"$fatfly" sweep s.cfg --db s.sqlite >/dev/null
cp a.cfg s.other
printf 'topology = mesh; k = 4; n = 2; routing_function = dor; num_vcs = 2;\n' >b.cfg
pictures=$(command -v gnuplot)

# part NAME FILE COMMAND...: FILE.part and FILE.part1 are read, and stay; FILE is written, and nothing else is left.
part() {
  local name=$1 file=$2
  shift 2
  printf 'nodes = 4; # mine\n' >"$file.part"
  cp "$file.part" "$file.part1"
  run "$@"
  check "beside it: $name" test "$code" = 0
  check "beside it: $name: is there" test -s "$file"
  check "beside it: $name: what was called so stays" \
    test "$(sort -u "$file.part" "$file.part1") $(find . -name "$file.part*" | wc -l)" = 'nodes = 4; # mine 2'
  rm -f "$file" "$file.part" "$file.part1"
}
for o in output histogram links events perfetto; do
  part "--$o over a configuration" f "$fatfly" run --config f.part --$o f
done
part '--waves' f.vcd "$fatfly" run --config f.vcd.part --waves f.vcd
part '--waves, FST' f.fst "$fatfly" run --config f.fst.part --waves f.fst
part 'saturation' f "$fatfly" saturation --nodes 4 --length 4 --precision 0.3 --output f
part 'export' f "$fatfly" export s.sqlite --output f
part 'merge' f.sqlite "$fatfly" merge f.sqlite s.sqlite
part 'import' f "$fatfly" import booksim b.cfg --output f
if [ -n "$pictures" ]; then
  part 'plot' f.svg "$fatfly" plot s.sqlite --output f.svg
  part 'estimate' f.svg "$fatfly" estimate --cost "$cost" --nodes 16 --vcs 1 --depth 2 --scan rr --flit-bits 32 --plot f.svg
fi

# A symbolic link leads to what is written.
for o in output events; do
  printf 'older\n' >target
  ln -sf target link
  run "$fatfly" run --nodes 4 --$o link
  check "a link, --$o" test "$code" = 0 -a -L link -a "$(grep -c older target)" = 0 -a -s target
done
ln -sf "$t/target.svg" link.svg
: >target.svg
if [ -n "$pictures" ]; then
  run "$fatfly" plot s.sqlite --output link.svg
  check 'a link, plot' test "$code" = 0 -a -L link.svg -a -s target.svg
fi
ln -sf nowhere dangling
run "$fatfly" run --nodes 4 --output dangling
check 'a link to nothing' test "$code" = 0 -a -s dangling

# Names of descriptors.
run bash -c '"$0" run --nodes 4 --format csv --output /dev/stdout >d1 && echo more >>d1 && "$0" run --nodes 4 --format csv --output /dev/stdout >>d1' "$fatfly"
check 'a descriptor: /dev/stdout, and what was there before' test "$code $(wc -l <d1)" = '0 5'
for name in /dev/fd/7 /proc/self/fd/7; do
  run bash -c '"$0" run --nodes 4 --histogram "$1" 7>d7' "$fatfly" $name
  check "a descriptor: $name" test "$code $(head -n 1 d7)" = '0 latency,count'
done
run "$fatfly" run --nodes 4 --output /dev/fd/99
complains 'a descriptor that is not open' 4 '/dev/fd/99: cannot write: Bad file descriptor'
check 'a descriptor: its folder is as it was' test -z "$(find /dev/ -maxdepth 1 -name '*.part*')"

# One file by two names, before it is there.
ln -s . here
run "$fatfly" run --nodes 4 --events new --perfetto here/new
complains 'two names of a new file' 2 '--perfetto here/new and --events are one file; allowed: two'
run "$fatfly" run --nodes 4 --events new --perfetto new.part
complains 'the name that a file has until it is whole' 2 'one file until it is whole'

# Beside a wave file.
printf '[*]\n[*] GTKWave Analyzer v3.3.114\nmine\n' >w.gtkw
run "$fatfly" run --nodes 4 --waves w.vcd
check 'waves: an arrangement that GTKWave saved stays' test "$code $(tail -n 1 w.gtkw)" = '0 mine'
rm -f w.gtkw
run "$fatfly" run --topology mesh --radix 2 --waves w.vcd
check 'waves: a save file otherwise' grep -q '^\[dumpfile\]' w.gtkw
printf 'nodes = 4;\n' >x.gtkw
run "$fatfly" run --config x.gtkw --waves x.fst
complains 'waves: the save file is what is read' 2 '--waves x.fst writes x.gtkw, too, which is --config; allowed: another file'

# Scripts for Slurm.
printf 'nodes = 4;\nlength = [4, 5];\n' >q.slurm
cp q.slurm q.was
run "$fatfly" sweep q.slurm --slurm --db q.sqlite
complains 'Slurm: the sweep file has the name of the script' 2 'q.slurm is there and no script of fatfly'
check 'Slurm: the sweep file stays' cmp -s q.slurm q.was
run "$fatfly" sweep q.slurm --slurm --db r.sqlite
run "$fatfly" sweep q.slurm --slurm --db r.sqlite
check 'Slurm: its own script is written again' test "$code" = 0

# Who may read and write a file follows from the umask, whatever it was on the way: a share is put in its place by its own name.
modes() { # UMASK MODE
  local file count=0
  mkdir "modes.$1" && cd "modes.$1" || return
  mkdir local # that of shares, which nobody else may read
  (
    umask "$1"
    export TMPDIR=$PWD/local
    "$fatfly" run --nodes 4 --runs 1 --output f.txt --histogram f.hist --links f.links --events f.events --perfetto f.json --waves f.vcd &&
      "$fatfly" saturation --nodes 4 --length 4 --precision 0.5 --output f.saturation &&
      "$fatfly" import booksim ../b.cfg --output f.cfg &&
      "$fatfly" sweep ../s.cfg --db f.sqlite &&
      "$fatfly" sweep ../s.cfg --db f.share --task 1/1 &&
      "$fatfly" sweep ../s.cfg --db f.tasks --slurm &&
      "$fatfly" merge f.merged f.share.1-of-1.sqlite &&
      "$fatfly" export f.sqlite --output f.csv &&
      { [ -z "$pictures" ] || "$fatfly" plot f.sqlite --output f.svg; }
  ) >"$t/modes" 2>&1 || { cd .. && cat "$t/modes" && return 1; }
  for file in f.*; do
    count=$((count + 1))
    [ "$(stat -c %a "$file")" = "$2" ] || { echo "$file: $(stat -c %a "$file")"; cd .. && return 1; }
  done
  cd .. && [ $count -gt 13 ]
}
for pair in 002.664 027.640 077.600; do
  check "the mode of all that is written, umask ${pair%.*}" modes "${pair%.*}" "${pair#*.}"
done

# Two sweeps by --db in one results file.
printf 'nodes = 4;\nlength = 7;\n' >two.cfg
run "$fatfly" sweep two.cfg --db s.sqlite
check 'two sweeps in one file: it is said' grep -qF "s.sqlite has points of $t/s.cfg, too: 2; fatfly export --all shows them" err
run "$fatfly" export s.sqlite --all --columns length
check 'two sweeps in one file: all are there' test "$(sort -n out | tail -n 3 | xargs)" = '2 3 7'

ends
