#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_wiring.sh - the wiring and the seeds of network.v and of the C model against the specification's,
# N = 4 to 1024 (C: to 16384, and 6,000 switches each of N = 65536 to 4^10); then the planted bugs of bugs.txt.  Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
build=${BUILD:-build}
jobs=${JOBS:-$(nproc)}
here=$build/wiring
mkdir -p "$here"

wiring() { python3 -B tb/wiring/wiring.py --build "$build" "$@"; }

# right OPTION...: all three agree.
right() {
  local line
  if line=$(wiring "$@" 2>&1); then echo "PASS $line"; else echo "FAIL wiring.py $*: $line"; fi
}

# planted LINE of bugs.txt: one line says who says what.
planted() {
  local name file from to levels dir line words text=${1//\\|/$'\1'} model=()
  IFS='|' read -r name file from to levels <<<"$text"
  for v in name file from to levels; do
    read -r "${v?}" <<<"${!v//$'\1'/|}"
  done
  dir=$here/$name
  rm -rf "$dir" && mkdir -p "$dir" && cp -r rtl cmodel "$dir"
  if ! FROM=$from TO=$to python3 - "$dir/$file" <<'PY'
import os, sys
text = open(sys.argv[1]).read()
if text.count(os.environ["FROM"]) != 1:
    sys.exit(1)
open(sys.argv[1], "w").write(text.replace(os.environ["FROM"], os.environ["TO"]))
PY
  then
    echo "FAIL $name: its text stands not exactly once in $file"
    return
  fi
  case $file in
    rtl/*) model=(--rtl "$dir/rtl") ;;
    *) model=(--no-rtl --model "$dir/wiring")
      ${CC:-gcc} -std=c11 -O1 -w -I"$dir/cmodel/switch" -I"$dir/cmodel/network" tb/wiring/wiring.c \
        "$dir"/cmodel/switch/*.c "$dir"/cmodel/network/{fat_tree,network}.c -o "$dir/wiring" ;;
  esac
  read -ra words <<<"$levels" # with options before
  line=$(wiring "${model[@]}" "${words[@]}" 2>&1)
  if [ $? = 1 ] && grep -q '^N = [0-9]*: ' <<<"$line"; then
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
  printf 'right %s\n' 5 1 2 3 4 '--vcs 2 --flit-w 32 3' '--no-rtl 7' \
    '--some 600 8' '--some 600 9' '--some 600 10'
  grep -v '^#' tb/wiring/bugs.txt
} >"$here/list"
xargs -d '\n' -n 1 -P "$jobs" "$0" --one <"$here/list" >"$here/log" 2>&1
cut -c1-250 "$here/log"
passed=$(grep -c '^PASS ' "$here/log")
all=$(wc -l <"$here/list")
echo "$passed passed, $((all - passed)) failed"
[ "$passed" = "$all" ] && [ "$all" -gt 10 ]
