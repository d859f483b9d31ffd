#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_planted.sh - do the tests of shares, of several observers, of estimates and of waves see bugs?  build/fatfly with each bug of planted.txt must fail its test.
#
# usage: test_planted.sh [all | NAME...]   all of them, or these; else those with a *
# Wants build/judge/fatfly (BUILD= for another folder); ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
build=${BUILD:-build}
[ -x "$build/judge/fatfly" ] || {
  echo "test_planted.sh: $build/judge/fatfly is not there; build it with: make $build/judge/fatfly" >&2
  exit 4
}
here=$(mktemp -d) || exit 4
trap 'rm -rf "$here"' EXIT
trap 'exit 1' HUP INT TERM
# Beside the program as it is installed, so that what the tests look for there is there.
mkdir -p "$here/bin" "$here/share/fatfly" && cp docs/results/fpga.csv "$here/share/fatfly/" || exit 4
passed=0
failed=0
pass() { passed=$((passed + 1)) && echo "PASS $*"; }
fail() { failed=$((failed + 1)) && echo "FAIL $*"; }

flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -O1 -w -Icmodel -Isim)
for folder in switch network topology traffic theory measure engine api base cli; do flags+=("-Icmodel/$folder"); done
libs=(-lconfig -lz -ldl -lpthread -lgsl -lgslcblas -lsqlite3 -lm)
objects=()
for file in cmodel/{switch,network,topology,traffic,theory,measure,engine,api}/*.c; do objects+=("$build/lib/obj/${file%.c}.o"); done
for file in sim/*.c cmodel/base/*.c cmodel/cli/*.c; do objects+=("$build/judge/obj/${file%.c}.o"); done
objects+=("$build"/fst/*.o)

wanted() { # NAME STAR
  case "${*:3}" in '') [ -n "$2" ] ;; all) ;; *) [[ " ${*:3} " == *" $1 "* ]] ;; esac
}

while IFS='|' read -r name file from to by; do
  for v in name file from to by; do
    read -r "${v?}" <<<"${!v//\\o/|}"
  done
  star=
  [ "$name" = "${name#\*}" ] || star=1 name=${name#\*}
  wanted "$name" "$star" "$@" || continue
  if ! FROM=$from TO=$to python3 -B - "$file" "$here/bug.c" <<'PY'
import os, sys
text = open(sys.argv[1], encoding="utf-8").read()
if text.count(os.environ["FROM"]) != 1:
    sys.exit(1)
with open(sys.argv[2], "w", encoding="utf-8") as out:
    out.write(text.replace(os.environ["FROM"], os.environ["TO"]))
PY
  then
    fail "$name: its text stands not exactly once in $file"
    continue
  fi
  others=()
  for o in "${objects[@]}"; do [ "$o" = "$build/judge/obj/${file%.c}.o" ] || others+=("$o"); done
  if ! ${CC:-gcc} "${flags[@]}" -I"$(dirname "$file")" -c "$here/bug.c" -o "$here/bug.o" 2>"$here/log" ||
    ! ${CC:-gcc} -rdynamic "${others[@]}" "$here/bug.o" "${libs[@]}" -o "$here/bin/fatfly" 2>"$here/log"; then
    fail "$name does not build: $(head -n 1 "$here/log")"
    continue
  fi
  # The first check that fails is enough.
  test=("tb/cli/test_$by.sh")
  [ "$by" = waves ] && test=(tb/events/waves.py "$here/bin/fatfly")
  seen=$(FATFLY=$here/bin/fatfly timeout 300 "${test[@]}" 2>/dev/null | grep -m 1 '^FAIL')
  if [ -n "$seen" ]; then
    pass "$name: ${seen#FAIL }"
  else
    fail "$name: not seen by ${test[0]}"
  fi
done < <(grep -v '^#' tb/cli/planted.txt | sed 's/\\|/\\o/g')
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
