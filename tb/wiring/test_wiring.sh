#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_wiring.sh - the wiring and the seeds of network.v and of the C model against the specification's,
# N = 4 to 1024 with every V, and those of cube_network.v and its C model against docs/cube.md, k = 2 to 16 (C: N to 16384, and 6,000
# switches each of N = 65536 to 4^10); then the planted bugs of bugs.txt.  Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
here=$build/wiring
mkdir -p "$here"

wiring() { python3 -B tb/wiring/wiring.py --build "$build" "$@"; }
cubes() { python3 -B tb/wiring/cubes.py --build "$build" "$@"; }

# right OPTION...: all three agree.
right() {
  local line by=wiring
  [ "$1" != cubes ] || { by=cubes && shift; }
  if line=$($by "$@" 2>&1); then echo "PASS $line"; else echo "FAIL $by.py $*: $line"; fi
}

# planted LINE of bugs.txt: one line says who says what.
planted() {
  local name file from to levels dir line words by=wiring model=()
  fields "$1" name file from to levels
  dir=$here/$name
  rm -rf "$dir" && mkdir -p "$dir" && cp -r rtl cmodel "$dir"
  if ! line=$(plant "$dir/$file" "$from" "$to"); then
    echo "FAIL $name: $line"
    return
  fi
  case $file in
    rtl/*) model=(--rtl "$dir/rtl") ;;
    *) model=(--no-rtl --model "$dir/wiring")
      ${CC:-gcc} -std=c11 -O1 -w -I"$dir/cmodel/switch" -I"$dir/cmodel/network" tb/wiring/wiring.c \
        "$dir"/cmodel/switch/*.c "$dir"/cmodel/network/{fat_tree,network,cube_network}.c -o "$dir/wiring" ;;
  esac
  read -ra words <<<"$levels" # with options before
  [ "${words[0]}" != cubes ] || { by=cubes && words=("${words[@]:1}"); }
  line=$($by "${model[@]}" "${words[@]}" 2>&1)
  if [ $? = 1 ] && grep -qE '^(N = |torus|mesh)[^:]*[0-9]: ' <<<"$line"; then
    echo "PASS $name: $line"
  else
    echo "FAIL $name: not seen: $line"
  fi
  rm -rf "$dir"
}

if [ "${1-}" = --one ]; then
  read -ra words <<<"$2"
  case $2 in
    right*) right "${words[@]:1}" ;;
    *) planted "$2" ;;
  esac
  exit
fi
{
  # Yosys reads N = 1024 in 12 s, and checks it for the step lint, Icarus in 3: by the one or the other each size with each V, each radix and each V of a cube.
  printf 'right %s\n' '--check 5' 1 2 3 4 '--vcs 2 --flit-w 32 3' '--no-rtl 7' --icarus\ --vcs\ {2\ 5,4\ 5,{1,2,4}\ {4,3,2,1}} \
    'cubes 2 3 4 5 8' 'cubes --vcs 9 7' cubes\ --icarus\ --vcs\ {'9 16','1 16','2 15','3 14','4 13','5 11','6 10','7 9','8 6'} \
    '--some 600 8' '--some 600 9' '--some 600 10'
  listed tb/wiring/bugs.txt
} >"$here/list"
at_once "$here/list" >"$here/log" 2>&1
cut -c1-250 "$here/log"
all=$(wc -l <"$here/list")
tally "$here/log" "$all"
ends && [ "$all" -gt 10 ]
