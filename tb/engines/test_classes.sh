#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_classes.sh - do the tests of classes, requests, replies, kinds of channels, paths and graphs see bugs?  The test of tb/unit that
# a line of classes.txt names is built with its bug and must fail; as they are, they must pass.
#
# usage: test_classes.sh [TEXT]   bugs with TEXT in their names
# Wants the objects of the library (make lib) in BUILD=build; ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
kept_folder classes
flags_of .

# program TEST FILE OBJECT OUT: the test with OBJECT in place of that of FILE.
program() {
  objects_but "$2" "$build/lib/obj"
  [ "$3" = none ] || objects+=("$3")
  ${CC:-gcc} "${objects[@]}" "$t/$1.o" "${link[@]}" -lm -lcmocka -o "$4"
}

# test_engines.sh runs test_worm as it is.
for test in $(listed tb/engines/classes.txt | grep -o '| test_[a-z]*' | sed 's/| //' | sort -u); do
  ${CC:-gcc} "${flags[@]}" -Itb/unit -c "tb/unit/$test.c" -o "$t/$test.o" && program "$test" none none "$t/$test" &&
    { [ "$test" = test_worm ] || timeout 100 "$t/$test" >"$t/log" 2>&1; } && pass "$test as it is" && continue
  fail "$test as it is: $(grep -m 1 ERROR "$t/log")"
done

# bug [FUNCTION]: the test with its bug, to its first failure, all of it or that function.
bug() { (ulimit -c 0 && CMOCKA_TEST_ABORT=1 stdbuf -oL timeout 60 "$t/bug" 1 "$@" || exit $?) >"$t/log" 2>&1; }

declare name file from to test first
while read -r line; do
  fields "$line" name file from to test first
  [[ $name == *${1:-}* ]] || continue
  if ! plant "$file" "$from" "$to" "$t/bug.c" || ! ${CC:-gcc} "${flags[@]}" -Itb/unit "-I$(dirname "$file")" -c "$t/bug.c" -o "$t/bug.o" ||
    ! program "$test" "$file" "$t/bug.o" "$t/bug"; then
    fail "$name: is not planted"
  else
    code=0
    [ -z "$first" ] || bug "$first" || code=$?
    [ $code != 0 ] || bug || code=$?
    said=$(grep -m 1 -oE 'ERROR.*|[^ ]*test_[a-z]*.c:[0-9]+.*' "$t/log" | head -c 100)
    if [ $code = 0 ]; then
      fail "$name: $test does not see it"
    elif [ -z "$said" ] && [ $code -lt 128 ] && [ $code != 124 ]; then # no test that failed, no signal, no end of patience
      fail "$name: no answer (exit code $code)"
    else
      pass "$name: ${said:-exit code $code}"
    fi
  fi
done < <(listed tb/engines/classes.txt)

ends
