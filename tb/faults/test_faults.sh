#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_faults.sh - the command where memory, disk, calls or helpers fail: faults.py, then the bugs of bugs.txt, each
# of which it must see.  Wants BUILD/judge/fatfly and the Verilated library of n16-v1-q2-w32-rp-rr.
#
# Usage: test_faults.sh [TEXT]: only programs and bugs with TEXT in their names.  Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
here=$build/faults
mkdir -p "$here"
export RTL=$build/rtl
# A folder in memory where there is one: sweeps wait for the disk after every point.
if [ -w /dev/shm ]; then TMPDIR=/dev/shm scratch; else scratch; fi

${CC:-gcc} -std=gnu11 -O1 -Wall -Wextra -Werror -fPIC -shared tb/faults/preload.c -o "$here/preload.so" || exit 4
case $("$build/judge/fatfly" --version >/dev/null && FAULTS=none:0 LD_PRELOAD=$here/preload.so "$build/judge/fatfly" --version 2>&1) in
  *preload:*) skip faults "this kernel hands no system calls back (seccomp)" ;;
esac

faults() { # FATFLY TEXT [KIND]
  python3 -B tb/faults/faults.py "$1" "$here/preload.so" "$t/at" "${@:2}"
}

# planted LINE: builds with one bug; its program must end badly with a fault of its kind.
planted() {
  local bug file from to who kind patched line
  fields "$1" bug file from to who kind
  patched=$here/$bug.c
  if ! line=$(plant "$file" "$from" "$to" "$patched"); then
    echo "FAIL $bug: $line"
    return
  fi
  flags_of . base cli
  objects_but "$file" "$build"/judge/obj/{sim,cmodel/base,cmodel/cli} "$build/lib/obj" "$build/fst"
  mkdir -p "$here/$bug"
  if ! ${CC:-gcc} "${flags[@]}" -Isim -rdynamic "$patched" "${objects[@]}" "${libs[@]}" -o "$here/$bug/fatfly" 2>"$here/$bug.log"; then
    echo "FAIL $bug does not build: $(grep -m 1 error "$here/$bug.log")"
    return
  fi
  faults "$here/$bug/fatfly" "$who" "$kind" >"$here/$bug.log" 2>&1
  line=$(grep -m 1 '^FAIL' "$here/$bug.log")
  if [ -n "$line" ]; then echo "PASS $bug: seen by ${line#FAIL }"; else echo "FAIL $bug: not seen"; fi
  rm -rf "${here:?}/$bug" "$patched"
}

{
  faults "$build/judge/fatfly" "$filter" 2>&1 || { code=$? && [ $code = 1 ]; } || echo "FAIL faults.py ended with code $code"
  while read -r line; do
    [[ ${line%% *} == *$filter* ]] && planted "$line"
  done < <(listed tb/faults/bugs.txt)
} | tee "$here/test.log" | grep -v ' passed, '
passed=$(grep -c '^PASS' "$here/test.log")
failed=$(($(grep -c '^FAIL' "$here/test.log") + $(grep -c '^Traceback' "$here/test.log")))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
