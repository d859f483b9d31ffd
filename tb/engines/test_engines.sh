#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_engines.sh - does the comparison of the fast engine for several channels with the cycle engine see
# bugs?  tb/unit/test_lanes.c is built with each bug of bugs.txt and must fail; as it is, it must pass.
#
# usage: test_engines.sh [NAME]...   these bugs alone
# Wants the objects of the library (make lib) in BUILD=build; ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
build=${BUILD:-build}
here=$build/engines
rm -rf "$here"
mkdir -p "$here" || exit 4
trap 'exit 1' HUP INT TERM
passed=0
failed=0
pass() { passed=$((passed + 1)) && echo "PASS $*"; }
fail() { failed=$((failed + 1)) && echo "FAIL $*"; }

layers=(switch network topology traffic theory measure engine api)
flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -O1 -w)
for layer in "${layers[@]}"; do flags+=("-Icmodel/$layer"); done
flags+=(-Icmodel -Itb/unit)
others=()
for file in cmodel/{switch,network,topology,traffic,theory,measure,engine,api}/*.c; do
  case $file in
    cmodel/engine/lanes*.c) ;;
    *) others+=("$build/lib/obj/${file%.c}.o") ;;
  esac
done
for file in "${others[@]}"; do
  [ -e "$file" ] || {
    echo "test_engines.sh: $file is not there; build it with: make lib" >&2
    exit 4
  }
done

# object OUT SOURCE; program OUT OBJECT...
object() { ${CC:-gcc} "${flags[@]}" -c "$2" -o "$1"; }
program() {
  local out=$1
  shift
  ${CC:-gcc} "$@" "${others[@]}" "$here/test.o" -lm -lcmocka -o "$out"
}

if ! object "$here/test.o" tb/unit/test_lanes.c || ! object "$here/lanes.o" cmodel/engine/lanes.c ||
  ! object "$here/lanes_cross.o" cmodel/engine/lanes_cross.c ||
  ! program "$here/test" "$here"/lanes.o "$here"/lanes_cross.o; then
  fail "the test does not build"
  echo "$passed passed, $failed failed"
  exit 1
fi
if timeout 100 "$here/test" >"$here/log" 2>&1; then
  pass "as it is: equal"
else
  fail "as it is: not equal: $(grep -m 1 'N = ' "$here/log")"
fi

while IFS='|' read -r name file from to; do
  for v in name file from to; do
    read -r "${v?}" <<<"${!v//\\o/|}"
  done
  [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
  base=$(basename "$file" .c)
  if ! FROM=$from TO=$to python3 -B - "$file" "$here/$base.c" <<'PY'
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
  objects=("$here/bug.o")
  for other in lanes lanes_cross; do [ $other = "$base" ] || objects+=("$here/$other.o"); done
  if ! object "$here/bug.o" "$here/$base.c" 2>"$here/log" || ! program "$here/bug" "${objects[@]}" 2>>"$here/log"; then
    fail "$name does not build: $(head -n 1 "$here/log")"
    continue
  fi
  timeout 20 "$here/bug" >"$here/log" 2>&1
  code=$?
  if [ $code = 0 ]; then
    fail "$name: not seen"
  else
    pass "$name: $(grep -a -m 1 -o 'N = .*' "$here/log" | cut -c 1-100 || true) (exit code $code)"
  fi
done < <(grep -v '^#' tb/engines/bugs.txt | sed 's/\\|/\\o/g')
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
