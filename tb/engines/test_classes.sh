#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_classes.sh - do the tests of classes, requests, replies and kinds of channels see bugs?  tb/unit/test_classes.c,
# test_channel.c, test_plug.c, test_times.c, test_topology.c or test_worm.c is built with each bug of classes.txt and must fail; as they are, they must pass.
#
# usage: test_classes.sh [TEXT]   bugs with TEXT in their names
# Wants the objects of the library (make lib) in BUILD=build; ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
build=${BUILD:-build}
here=$build/engines/classes
rm -rf "$here"
mkdir -p "$here" || exit 4
passed=0
failed=0
pass() { passed=$((passed + 1)) && echo "PASS $*"; }
fail() { failed=$((failed + 1)) && echo "FAIL $*"; }

flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off -O1 -w -Icmodel -Itb/unit)
objects=()
for layer in switch network topology traffic theory measure engine api; do
  flags+=("-Icmodel/$layer")
  for file in "cmodel/$layer"/*.c; do
    objects+=("$build/lib/obj/${file%.c}.o")
    [ -e "${objects[-1]}" ] || { echo "test_classes.sh: ${objects[-1]} is not there; build it with: make lib" >&2 && exit 4; }
  done
done

# program TEST FILE OBJECT OUT: the test with OBJECT in place of that of FILE.
program() {
  local file all=()
  for file in "${objects[@]}"; do
    if [ "$file" = "$build/lib/obj/${2%.c}.o" ]; then all+=("$3"); else all+=("$file"); fi
  done
  ${CC:-gcc} "${all[@]}" "$here/$1.o" -lm -lcmocka -o "$4"
}

for test in test_classes test_channel test_plug test_times test_topology test_worm; do
  ${CC:-gcc} "${flags[@]}" -c "tb/unit/$test.c" -o "$here/$test.o" && program "$test" none none "$here/$test" &&
    timeout 100 "$here/$test" >"$here/log" 2>&1 && pass "$test as it is" && continue
  fail "$test as it is: $(grep -m 1 ERROR "$here/log")"
done

while IFS='|' read -r name file from to test; do
  for v in name file from to test; do
    read -r "${v?}" <<<"${!v//\\o/|}"
  done
  [[ $name == *${1:-}* ]] || continue
  FROM=$from TO=$to python3 -B - "$file" "$here/bug.c" <<'PY'
import os, sys
text = open(sys.argv[1], encoding="utf-8").read()
if text.count(os.environ["FROM"]) != 1:
    sys.exit(f"{sys.argv[1]}: '{os.environ['FROM']}' stands there {text.count(os.environ['FROM'])} times; allowed: once")
open(sys.argv[2], "w", encoding="utf-8").write(text.replace(os.environ["FROM"], os.environ["TO"]))
PY
  # shellcheck disable=SC2181 # of the lines above
  if [ $? != 0 ] || ! ${CC:-gcc} "${flags[@]}" "-I$(dirname "$file")" -c "$here/bug.c" -o "$here/bug.o" ||
    ! program "$test" "$file" "$here/bug.o" "$here/bug"; then
    fail "$name: is not planted"
  elif (ulimit -c 0 && CMOCKA_TEST_ABORT=1 stdbuf -oL timeout 60 "$here/bug" || exit 1) >"$here/log" 2>&1; then # to its first failure
    fail "$name: $test does not see it"
  else
    pass "$name: $(grep -m 1 -oE 'ERROR.*|[^ ]*test_[a-z]*.c:[0-9]+.*' "$here/log" | head -c 100)"
  fi
done < <(grep -v '^#' tb/engines/classes.txt)
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
