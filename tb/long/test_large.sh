#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_large.sh - a few worms in networks of 4^11 processors, and of 4^10 where an engine takes no more (large.c): each arrives where
# and when it must, over links of its path, in every engine; engines of one behaviour have one digest.  Then bugs of
# large.txt, with which smaller networks are right.
# Wants the objects of the library; ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
kept_folder large

# program OUT TREE FILE: large.c with what FILE of that tree is in, through a header or not; the rest is the library's.
program() {
  local names source objects=()
  flags_of "$2"
  names=$(cd "$2/cmodel" && reach "${3##*/}")
  for source in cmodel/{switch,network,topology,traffic,theory,measure,engine,api}/*.c; do
    if [ "$source" = "$3" ] || { [[ $3 == *.h ]] && grep -qE "^#include \"($names)\"" "$source"; }; then
      objects+=("$2/$source")
    else
      objects+=("$build/lib/obj/${source%.c}.o")
    fi
  done
  ${CC:-gcc} "${flags[@]}" tb/long/large.c "${objects[@]}" "${link[@]}" -lm -o "$1"
}
# reach HEADER: it and the engines' headers that include it, for grep -E.
reach() {
  local names=$1 before='' more
  while [ "$names" != "$before" ]; do
    before=$names
    more=$(grep -lE "^#include \"($names)\"" engine/*.h | sed 's|.*/||' | paste -sd'|')
    names=$1${more:+|$more}
  done
  echo "$names"
}

large() { (ulimit -c 0 -t 60 && timeout 120 "$@") >"$t/out" 2>&1; } # PROGRAM ENGINE LENGTH
arrive() {
  local ends
  large "$t/large" "$1" "$2"
  ends=$?
  cp "$t/out" "$t/$1.$2"
  head -n 3 "$t/out"
  [ $ends = 0 ] && [ "$(wc -l <"$t/out")" = 1 ] && grep -qxE '[0-9a-f]{16}' "$t/out"
}

check "it builds" program "$t/large" . none
while read -r engine length; do
  check "engine $engine, $length flits" arrive "$engine" "$length"
done <<'END'
fronts 1
single 1
worm 1
worm 8
parts 8
lanes 8
store 8
split 8
split-fronts 8
END
check "worms of one flit: one digest" cmp "$t/fronts.1" "$t/worm.1"
check "... with longer queues, too" cmp "$t/single.1" "$t/worm.1"
check "parts: the digest of the whole" cmp "$t/parts.8" "$t/worm.8"
check "flits one behind the other: one digest" cmp "$t/lanes.8" "$t/split.8"
check "... by both engines of SPLIT" cmp "$t/split-fronts.8" "$t/split.8"

# A planted bug: another answer than without it, with a line that says what is wrong.
seen() { # FILE FROM TO ENGINE LENGTH
  rm -rf "$t/tree" && mkdir -p "$t/tree" && cp -r cmodel "$t/tree"
  plant "$t/tree/$1" "$2" "$3" && program "$t/bug" "$t/tree" "$1" || return
  ! large "$t/bug" "$4" "$5" && cat "$t/out" && { grep -qE ': [0-9]+, not [0-9]+$|a check at the end' "$t/out" || [ ! -s "$t/out" ]; }
}
declare name file from to engine length
while read -r line; do
  fields "$line" name file from to engine length
  check "planted: $name" seen "$file" "$from" "$to" "$engine" "$length"
done < <(listed tb/long/large.txt)
rm -rf "$t/tree" "$t/bug"

ends
