#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_planted.sh - do the tests of shares, of several observers, of sweeps, of estimates, of saturation, of imports, of waves, of logs, of sizes and of
# recorded outputs see bugs, and unit tests of what the command consists of?  build/fatfly, or the unit test, with each bug of planted.txt
# must fail its test.
#
# usage: test_planted.sh [all | NAME...]   all of them, or these; else those with a *
# Wants build/judge/fatfly (BUILD= for another folder); ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
needs "$build/judge/fatfly"
scratch
# Beside the program as it is installed, so that what the tests look for there is there.
mkdir -p "$t/bin" "$t/share/fatfly" && cp docs/results/fpga.csv "$t/share/fatfly/" || exit 4

flags_of . base cli

wanted() { # NAME STAR
  case "${*:3}" in '') [ -n "$2" ] ;; all) ;; *) [[ " ${*:3} " == *" $1 "* ]] ;; esac
}

# unit TEST OBJECT...: $t/TEST with what is in $objects, but for the command's own main().
unit() {
  [ -e "$t/$1.o" ] || ${CC:-gcc} "${flags[@]}" -Isim -Itb/unit -c "tb/unit/$1.c" -o "$t/$1.o" || return
  local all
  mapfile -t all < <(printf '%s\n' "${objects[@]}" | grep -v '/cmodel/cli/fatfly.o$')
  ${CC:-gcc} "${all[@]}" "${@:2}" "$t/$1.o" -lcmocka "${libs[@]}" -o "$t/$1"
}

# sound TEST...: the first checks of the test pass with a program without a bug, there: what fails is the bug's.
objects_but none "$build"/judge/obj/{sim,cmodel/base,cmodel/cli} "$build/lib/obj" "$build/fst"
${CC:-gcc} -rdynamic "${objects[@]}" "${libs[@]}" -o "$t/right" || exit 4
declare -A said=()
whole=("${objects[@]}")
sound() {
  local checks=15
  if [ "$1" = unit ]; then
    objects=("${whole[@]}")
    [ -n "${said[$*]-}" ] || said[$*]=$(unit "$2" && timeout 300 "$t/$2" 1 "${@:3}" >"$t/log" 2>&1 && echo PASS)
    [ "${said[$*]}" = PASS ]
    return
  fi
  [[ $1 != *estimate* && $1 != tb/events/* ]] || checks=3 # of a second each
  if [ -z "${said[$*]-}" ]; then
    cp "$t/right" "$t/bin/fatfly"
    said[$*]=$(FATFLY=$t/bin/fatfly PYTHONUNBUFFERED=1 timeout 300 "$@" 2>/dev/null | head -n $checks | grep '^PASS\|^FAIL')
  fi
  [[ ${said[$*]} == PASS* && ${said[$*]} != *$'\n'FAIL* ]]
}

declare name file from to by
while read -r line; do
  fields "$line" name file from to by
  star=
  [ "$name" = "${name#\*}" ] || star=1 name=${name#\*}
  [ $# = 0 ] || wanted "$name" "$star" "$@" || continue
  if ! why=$(plant "$file" "$from" "$to" "$t/bug.c"); then # also those that are not run now
    fail "$name: $why"
    continue
  fi
  wanted "$name" "$star" "$@" || continue
  # shellcheck disable=SC2206  # outputs FIRST LAST, waves TEXT, unit TEST [FUNCTION]
  words=($by) test=("tb/cli/test_$by.sh")
  [[ " waves events ladder " != *" ${words[0]} "* ]] || test=("tb/events/${words[0]}.py" "$t/bin/fatfly" "${words[*]:1}")
  [ "${words[0]}" != most ] || test=(tb/cli/most.py "$t/bin/fatfly" "${words[*]:1}")
  [ "${words[0]}" != outputs ] || test=(tb/cli/outputs.py "$t/bin/fatfly" "${words[@]:1}")
  [ "${words[0]}" != shifted ] || test=(tb/long/shifted.py "$t/bin/fatfly")
  [ "${words[0]}" != unit ] || test=("${words[@]}")
  right=("${test[@]}")
  [ "${words[0]}" != outputs ] || right[3]=$((words[1] + 1)) # two commands
  if ! sound "${right[@]}"; then
    fail "$name: ${right[*]} fails without it: $(grep -m 1 '^FAIL' <<<"${said[${right[*]}]}")"
    continue
  fi
  objects_but "$file" "$build"/judge/obj/{sim,cmodel/base,cmodel/cli} "$build/lib/obj" "$build/fst"
  if ! ${CC:-gcc} "${flags[@]}" -Isim -I"$(dirname "$file")" -c "$t/bug.c" -o "$t/bug.o" 2>"$t/log"; then
    fail "$name does not build: $(head -n 1 "$t/log")"
    continue
  fi
  if [ "${words[0]}" = unit ]; then
    rm -f "$t/${words[1]}"
    if ! unit "${words[1]}" "$t/bug.o" 2>"$t/log"; then
      fail "$name: ${words[1]} does not build: $(head -n 1 "$t/log")"
    elif timeout 300 "$t/${words[1]}" 1 "${words[@]:2}" >"$t/log" 2>&1 || ! grep -q '^\[  FAILED  \]' "$t/log"; then
      fail "$name: not seen by ${words[1]}"
    else
      pass "$name: $(grep -m 1 -oE 'test_[a-z_]*\.c:[0-9]+.*' "$t/log" | head -c 100)"
    fi
    continue
  fi
  if ! ${CC:-gcc} -rdynamic "${objects[@]}" "$t/bug.o" "${libs[@]}" -o "$t/bin/fatfly" 2>"$t/log"; then
    fail "$name does not build: $(head -n 1 "$t/log")"
    continue
  fi
  # The first check that fails is enough.
  seen=$(FATFLY=$t/bin/fatfly timeout 300 "${test[@]}" 2>/dev/null | grep -m 1 '^FAIL')
  if [ -n "$seen" ]; then
    pass "$name: ${seen#FAIL }"
  else
    fail "$name: not seen by ${test[0]}"
  fi
done < <(listed tb/cli/planted.txt)

ends
