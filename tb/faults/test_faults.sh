#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_faults.sh - the command where memory, disk, calls or helpers fail: faults.py, then the bugs of bugs.txt, each
# of which it must see.  Wants BUILD/judge/fatfly and the Verilated library of n16-v1-q2-w32-rp-rr.
#
# Usage: test_faults.sh [TEXT]: only programs and bugs with TEXT in their names.  Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
build=${BUILD:-build}
here=$build/faults
filter=${1-}
mkdir -p "$here"
export RTL=$build/rtl
# A folder in memory where there is one: sweeps wait for the disk after every point.
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

${CC:-gcc} -std=gnu11 -O1 -Wall -Wextra -Werror -fPIC -shared tb/faults/preload.c -o "$here/preload.so" || exit 4
case $("$build/judge/fatfly" --version >/dev/null && FAULTS=none:0 LD_PRELOAD=$PWD/$here/preload.so "$build/judge/fatfly" --version 2>&1) in
  *preload:*)
    echo "SKIP faults: this kernel hands no system calls back (seccomp)"
    echo "0 passed, 0 failed"
    exit 0 ;;
esac

faults() { # FATFLY TEXT [KIND]
  python3 -B tb/faults/faults.py "$1" "$here/preload.so" "$work/at" "${@:2}"
}

# planted LINE: builds with one bug; its program must end badly with a fault of its kind.
planted() {
  local bug file from to who kind line=${1//\\|/$'\1'} v patched objects layer
  IFS='|' read -r bug file from to who kind <<<"$line"
  for v in bug file from to who kind; do
    read -r "${v?}" <<<"${!v}"
    printf -v "$v" '%s' "${!v//$'\1'/|}"
    printf -v "$v" '%s' "${!v//¶/$'\n'}"
  done
  patched=$here/$bug.c
  if ! FROM=$from TO=$to python3 - "$file" "$patched" <<'PY'
import os, sys
text = open(sys.argv[1]).read()
if text.count(os.environ["FROM"]) != 1:
    sys.exit(1)
open(sys.argv[2], "w").write(text.replace(os.environ["FROM"], os.environ["TO"]))
PY
  then
    echo "FAIL $bug: its text stands not exactly once in $file"
    return
  fi
  local flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -O1 -w -Isim -Icmodel)
  for layer in switch network topology traffic theory measure engine api base cli; do flags+=("-Icmodel/$layer"); done
  mapfile -t objects < <(find "$build/judge/obj/sim" "$build/judge/obj/cmodel/base" "$build/judge/obj/cmodel/cli" \
    "$build/lib/obj" "$build/fst" -name '*.o' ! -path "*/${file%.c}.o")
  mkdir -p "$here/$bug"
  if ! ${CC:-gcc} "${flags[@]}" -rdynamic "$patched" "${objects[@]}" -lconfig -lz -ldl -lpthread -lgsl -lgslcblas \
    -lsqlite3 -lm -o "$here/$bug/fatfly" 2>"$here/$bug.log"; then
    echo "FAIL $bug does not build: $(grep -m 1 error "$here/$bug.log")"
    return
  fi
  faults "$here/$bug/fatfly" "$who" "$kind" >"$here/$bug.log" 2>&1
  line=$(grep -m 1 '^FAIL' "$here/$bug.log")
  if [ -n "$line" ]; then echo "PASS $bug: seen by ${line#FAIL }"; else echo "FAIL $bug: not seen"; fi
  rm -rf "${here:?}/$bug" "$patched"
}

{
  faults "$build/judge/fatfly" "$filter" 2>&1
  while read -r line; do
    [[ ${line%% *} == *$filter* ]] && planted "$line"
  done < <(grep -v '^#' tb/faults/bugs.txt)
} | tee "$here/test.log" | grep -v ' passed, '
passed=$(grep -c '^PASS' "$here/test.log")
failed=$(($(grep -c '^FAIL' "$here/test.log") + $(grep -c '^Traceback' "$here/test.log")))
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
