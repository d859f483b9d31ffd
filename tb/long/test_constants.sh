#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_constants.sh - every constant of constants.txt, off by about half, makes a unit test fail.
# Wants the objects of the library; ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
here=$build/long
mkdir -p "$here"
flags_of . base

rules=(cmodel/measure/*.[ch] cmodel/theory/interval.[ch] cmodel/cli/search.[ch])

# tests NAME FOLDER [FILE [FIRST]]: the unit tests with the rules of a folder, those of that file, FIRST before all; what is
# no other than in the folder as-it-is.d is compiled once, there.
tests() {
  local objects=() source name test=test_measure
  [[ ${3-} == @(interval|search).[ch] ]] && test=test_${3%.*}
  for source in cmodel/{switch,network,topology,traffic,theory,engine,api}/*.c; do
    [ "$source" = cmodel/theory/interval.c ] || objects+=("$build/lib/obj/${source%.c}.o")
  done
  for source in "tb/unit/$test.c" "$2"/{measure,digest,interval,search}.c; do
    name=$(basename "$source")
    objects+=("$here/as-it-is.d/$name.o")
    case $1:${3-} in
      as-it-is:*) ;;
      *:"$name" | *.h) objects[-1]=$2/$name.o ;;
      *) continue ;;
    esac
    ${CC:-gcc} -I"$2" "${flags[@]}" -Itb/unit -c "$source" -o "${objects[-1]}" || return
  done
  ${CC:-gcc} "${objects[@]}" "${link[@]}" -lcmocka -lm -o "$here/$1" || return
  { [ -z "${4-}" ] || one_run "$1" "$4"; } && one_run "$1"
}
# one_run NAME [TEST]: to the first test that fails.
one_run() { (ulimit -c 0 && CMOCKA_TEST_ABORT=1 stdbuf -oL timeout 60 "$here/$1" 1 "${@:2}" || exit 1) >"$here/$1.log" 2>&1; }

if [ "${1-}" = --one ]; then
  declare number file from to first
  fields "$2" number file from to first
  folder=$here/$number.d
  rm -rf "$folder" && mkdir -p "$folder" && cp "${rules[@]}" "$folder"
  if ! why=$(plant "$folder/$file" "$from" "$to"); then
    echo "FAIL $from: $why"
  elif tests "$number" "$folder" "$file" "$first"; then
    echo "FAIL $to in place of $from: no test fails"
  elif grep -q 'error: Failure!' "$here/$number.log"; then
    echo "PASS $to: $(grep '\[ RUN ' "$here/$number.log" | tail -n 1), $(grep -oE -m 1 '[a-z_]*\.c:[0-9]+: error' "$here/$number.log")"
  else
    echo "FAIL $to in place of $from: no answer"
  fi
  rm -rf "$folder" "${here:?}/$number"
  exit
fi

folder=$here/as-it-is.d
rm -rf "$folder" && mkdir -p "$folder" && cp "${rules[@]}" "$folder"
if tests as-it-is "$folder" && tests as-it-is "$folder" interval.c && tests as-it-is "$folder" search.c; then right=1; else right=0; fi
[ $right = 1 ] || echo "FAIL the tests of the constants as they are"
number=0
while read -r line; do
  number=$((number + 1))
  echo "$number|$line"
done < <(listed tb/long/constants.txt) >"$here/constants"
at_once "$here/constants" >"$here/constants.log" 2>&1
cat "$here/constants.log"
all=$(($(wc -l <"$here/constants") + 1))
tally <({ [ $right = 0 ] || echo "PASS as they are"; cat "$here/constants.log"; }) "$all"
ends && [ "$all" -gt 20 ]
