#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_gaps.sh - long gaps between worms: nothing that counts cycles is too narrow.
#
# With gaps of about 2^13, 2^16 and 2^40 cycles the engines are compared, with one, two and four channels.  Random bits come
# again after 2^32 - 1 cycles, so a gap longer by that, or by 256 times that (2^40), must change nothing but the times.  Without random bits any gap may be added.  Then the planted bugs of
# bugs.txt.  Wants the objects of the library and BUILD/fatfly; ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
filter=
here=$build/long
mkdir -p "$here"
base=8192 # the first burst is over by then
period=$(((1 << 32) - 1))

same() { # NAME ONE OTHER
  if [ -n "$2" ] && [ "$2" = "$3" ]; then pass "$1"; else fail "$1: $2 | $3"; fi
}

# program OUT TREE FILE: gaps.c with what FILE of that tree is in, through a header or not; the rest is the library's.
program() {
  local names source
  flags_of "$2"
  objects=()
  names=$(cd cmodel/engine && grep -l "^#include \"${3##*/}\"" ./*.h | sed 's|.*/||' | paste -sd'|')
  names="${3##*/}${names:+|$names}"
  for source in cmodel/{switch,network,topology,traffic,theory,measure,engine,api}/*.c; do
    if [ "$source" = "$3" ] || grep -qE "^#include \"($names)\"" "$source"; then
      objects+=("$2/$source")
    else
      objects+=("$build/lib/obj/${source%.c}.o")
    fi
  done
  ${CC:-gcc} "${flags[@]}" tb/long/gaps.c "${objects[@]}" "${link[@]}" -lm -o "$1"
}

# gaps PROGRAM: everything with it; prints a line a difference.
patience=5 # CPU seconds for a run, which takes a tenth of one
within() { (ulimit -c 0 -t "$patience" && exec timeout 100 "$@"); }
gaps() {
  local run=$1 all one other k kind
  for kind in worm single worm2 worm4; do
    for k in 0 65536; do
      one=$(within "$run" $kind fast rp-rr $((base + k))) other=$(within "$run" $kind cycle rp-rr $((base + k)))
      same "$kind, gap of $base + $k: fast and cycle engine" "$one" "$other"
    done
  done
  for kind in worm worm2 worm4; do
    for k in rp-rr rg-fcfs rw-ff gp-rot fp-fo; do
      one=$(within "$run" $kind fast $k $((1 << 40))) other=$(within "$run" $kind cycle $k $((1 << 40)))
      same "$kind $k, gap of 2^40: fast and cycle engine" "$one" "$other"
    done
  done
  # All but the digest, in which the times are.
  for all in "worm fast rp-rr $period" "worm fast gp-fo $((1 << 32))" "store auto gp-fo 65536" \
    "store auto gp-fo $((1 << 34))" \
    "worm2 fast rp-rr $period" "worm4 fast rp-rr $((256 * period))" "worm2 fast gp-fo $((1 << 40))" \
    "mesh auto gp-fo $((1 << 16))" "mesh auto gp-fo $((1 << 40))" "mesh-store auto gp-fo $((1 << 34))"; do
    read -ra words <<<"${all% *}"
    one=$(within "$run" "${words[@]}" $base | head -n 1)
    other=$(within "$run" "${words[@]}" $((base + ${all##* })) | head -n 1)
    same "$all cycles more" "$one" "$other"
  done
  straddle "$run"
}

# straddle PROGRAM: bursts that begin a few cycles before a multiple of 2^32, so that heads that compete came before and
# after it; the random bits are the same as with a gap less by a multiple of their period.  Every path selection and scan
# with one, two and four channels, in two parts, and by STORE and
# SPLIT; a mesh and a torus.  Worms of one flit have an engine of their own, which any others share.
straddle() {
  local run=$1 kind engine path scan one other
  for kind in worm worm2 worm4 parts store split; do
    engine=fast
    [[ $kind != s* ]] || engine=auto # they have one
    for path in fp rp gp rg rw; do
      [[ $kind$path != s*rw ]] || continue # RW is for worms
      for scan in rr fo ff rot fcfs; do
        one=$(within "$run" $kind $engine $path-$scan $((4096 - 16)) | head -n 1)
        other=$(within "$run" $kind $engine $path-$scan $((4096 - 16 + 4096 * period)) | head -n 1)
        same "$kind $path-$scan: a burst at 2^44 - 16" "$one" "$other"
      done
    done
  done
  for kind in mesh torus; do
    one=$(within "$run" $kind auto fp-rr $((4096 - 16)) | head -n 1)
    other=$(within "$run" $kind auto fp-rr $((4096 - 16 + 4096 * period)) | head -n 1)
    same "$kind: a burst at 2^44 - 16" "$one" "$other"
  done
  for path in fp rp gp rg; do
    for scan in rr fo rot; do
      one=$(within "$run" single fast $path-$scan $((1 << 24))) other=$(within "$run" single-as-worm fast $path-$scan $((1 << 24)))
      same "single $path-$scan, over 2^34 cycles: the engines for one flit and for any length" "$one" "$other"
    done
  done
}

if ! why=$(program "$here/gaps" . none 2>&1); then
  fail "gaps.c: $why"
fi
gaps "$here/gaps"
one=$(timeout 60 "$here/gaps" worm cycle rp-rr $base | head -n 1)
same "2^40 - 256 cycles more" "$one" "$("$here/gaps" worm fast rp-rr $((base + 256 * period)) | head -n 1)"

# Static runs with delays, and an open loop, whose worms are some 2^16 cycles apart.
for options in "--discipline phased --phases 16 --phase-length 65536" "--delay-range 1024 --length 32" \
  "--load 0.0005 --warmup 0 --cycles 1000000"; do
  read -ra words <<<"$options"
  fast=$("$build/fatfly" run --nodes 4 --runs 2 --format json --engine fast "${words[@]}" | grep -o '"digest[^,]*')
  cycle=$("$build/fatfly" run --nodes 4 --runs 2 --format json --engine cycle "${words[@]}" | grep -o '"digest[^,]*')
  same "$options: fast and cycle engine" "$fast" "$cycle"
done

# What waits for nothing ends at once, whoever looks on: the documented gaps of a trace.
printf 't_ns,src,dst,bytes\n0,0,1,0\n1000000000000000,1,0,64\n' >"$here/gap.csv"
for options in "--discipline worm" "--vcs 4" "--discipline store" "--discipline univ --path fp" "--discipline split" \
  "--topology torus --radix 2" "--topology mesh --radix 2 --discipline store" "--topology butterfly" "--threads 2" "--max-cycles 3000000000000000" \
  "--topology torus --radix 2 --bandwidth on-demand"; do
  read -ra words <<<"$options"
  one=$(timeout 10 "$build/fatfly" run --nodes 4 --pattern trace --trace "$here/gap.csv" "${words[@]}" 2>&1 | grep -oE 'last arrival.*|simulated    [0-9]+ cycles')
  if [[ $one == *"simulated    10000000000000"* ]]; then pass "a trace with a gap of 10^15 cycles, $options"; else fail "a trace with a gap of 10^15 cycles, $options: $one"; fi
  [[ $options != --threads* ]] || continue
  if one=$(timeout 10 "$build/fatfly" run --nodes 4 --pattern trace --trace "$here/gap.csv" "${words[@]}" --events "$here/gap.events" 2>&1) &&
    one=$("$build/fatfly" events "$here/gap.events" 2>&1); then pass "... its log"; else fail "... its log: $(tail -n 1 <<<"$one")"; fi
done
one=$(timeout 10 "$build/fatfly" run --nodes 4 --pattern trace --trace "$here/gap.csv" --max-cycles 700000000000001 --runs 1 --format csv 2>/dev/null | tail -n 1 | cut -d, -f"$("$build/fatfly" run --nodes 4 --format csv 2>/dev/null | head -n 1 | tr , '\n' | grep -nx cycles | cut -d: -f1)")
same "cut by --max-cycles in the gap" "$one" 700000000000001
row() { # OPTION...: all of a run in parts but its times
  timeout 10 "$build/fatfly" run --nodes 16384 --pattern trace --trace "$here/gap.csv" --runs 1 --format json "$@" 2>/dev/null | sed 's/"\(cpu\|wall\)_s": [^,}]*//g'
}
same "two parts rest in the gap as one" "$(row --parts 2)" "$(row --parts 1)"
same "... and are cut in it" "$(row --parts 2 --max-cycles 700000000000001)" "$(row --parts 1 --max-cycles 700000000000001)"

patience=1 # a bug may never end
declare name file from to
while read -r line; do
  fields "$line" name file from to
  rm -rf "$here/tree" && mkdir -p "$here/tree" && cp -r cmodel "$here/tree"
  if ! why=$(plant "$here/tree/$file" "$from" "$to"); then
    fail "$name: $why"
    continue
  fi
  if ! program "$here/$name" "$here/tree" "$file" 2>"$here/$name.log"; then
    fail "$name does not build: $(head -n 1 "$here/$name.log")"
    continue
  fi
  line=$(gaps "$here/$name" | grep -m 1 '^FAIL.*: worms')
  if [ -n "$line" ]; then pass "$name: ${line#FAIL }"; else fail "$name: not seen"; fi
  rm -f "$here/$name"
done < <(listed tb/long/bugs.txt)
rm -rf "$here/tree"

ends
