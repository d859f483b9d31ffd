#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_engines.sh - does the comparison of the fast engines with the cycle engine see bugs?  tb/unit/test_lanes.c
# and, for bugs in stream*.[ch], worm*.[ch], single.c, fronts*.[ch], flit_worms.h and hops.h, test_worm.c, in fronts_split.c and of names split-.. test_store.c,
# in parallel*.c and of names cut-.. test_parallel.c, of names ranks-.. test_ranks.c,
# in calendar.c and geometric.c, which say when worms come, their own tests, are built with each bug of bugs.txt and must fail; as they are, they must pass.
# A fifth field of bugs.txt is the function of the test that runs first; all run if it does not see the bug.
# With each bug of refused.txt an assertion of the compiler must fail, as something would not hold all networks that the engines take.
#
# usage: test_engines.sh [NAME]...   these bugs alone
# Wants the objects of the library (make lib) in BUILD=build; ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
kept_folder engines
trap 'exit 1' HUP INT TERM

flags_of .
objects_but none "$build/lib/obj"
others=()
for file in "${objects[@]}"; do
  case $file in
    */engine/lanes*.o | */engine/worm*.o | */engine/stream.o | */engine/single.o | */engine/fronts*.o | */engine/parallel*.o) ;;
    */traffic/calendar.o | */traffic/geometric.o) ;;
    *) others+=("$file") ;;
  esac
done

# test_of FILE NAME: the test that must see a bug there.
test_of() {
  case $2:${1##*/} in
    ranks-*) echo test_ranks ;;
    cut-*) echo test_parallel ;;
    split-* | *:fronts_split*) echo test_store ;;
    *:stream* | *:worm* | *:single* | *:fronts* | *:flit_worms* | *:hops*) echo test_worm ;;
    *:parallel*) echo test_parallel ;;
    *:calendar*) echo test_calendar ;;
    *:geometric*) echo test_geometric ;;
    *) echo test_lanes ;;
  esac
}
# names TEST: of the files that may have the bugs that it must see.
names() {
  case $1 in
    test_lanes) echo lanes lanes_cross ;;
    test_worm) echo worm worm_count worm_open stream single fronts fronts_worm ;;
    test_store) echo fronts fronts_split ;;
    test_calendar) echo calendar ;;
    test_geometric) echo geometric ;;
    *) (cd cmodel/engine && printf '%s\n' parallel*.c worm*.c stream.c | sed 's/\.c$//') ;;
  esac
}
# home FILE: its folder.
home() {
  case $1 in
    calendar | geometric) echo cmodel/traffic ;;
    *) echo cmodel/engine ;;
  esac
}
# program FOLDER TEST OUT: the test with the engine there; what is no other than here is the library's.
program() {
  local name home objects=() mine
  mine=" $(names "${2/ranks/parallel}" | tr '\n' ' ') "
  for name in $(for test in test_lanes test_worm test_store test_parallel test_calendar test_geometric; do names $test; done |
    tr ' ' '\n' | sort -u); do
    home=$(home "$name")
    if [ "$1" = cmodel/engine ] || [[ $mine != *" $name "* ]] || { [[ $name != "$changed"* ]] && cmp -s "$1/$name.c" "$home/$name.c"; }; then
      objects+=("$build/lib/obj/$home/$name.o")
    else
      ${CC:-gcc} "${flags[@]}" -Itb/unit -c "$1/$name.c" -o "$t/$name.o" || return 1
      objects+=("$t/$name.o")
    fi
  done
  ${CC:-gcc} "${others[@]}" "${objects[@]}" "$t/$2.o" "${link[@]}" -lm -lcmocka -o "$3"
}

# CPU seconds of each process of a test, planted or not: a bug may never end.
patience_of() { case $1 in test_calendar | test_ranks) echo 3 ;; *) echo 20 ;; esac; }

changed=- # beginning of the names of files that a header of theirs changes
for test in test_lanes test_worm test_store test_parallel test_ranks test_calendar test_geometric; do
  if ! ${CC:-gcc} "${flags[@]}" -Itb/unit -c "tb/unit/$test.c" -o "$t/$test.o" ||
    ! program cmodel/engine "$test" "$t/$test"; then
    fail "$test does not build"
    ends
    exit 1
  fi
  if (ulimit -t "$(patience_of $test)" && timeout 100 "$t/$test") >"$t/log" 2>&1; then
    pass "$test as it is: equal"
  else
    fail "$test as it is: not equal: $(grep -m 1 'N = ' "$t/log")"
  fi
done

# bug [FUNCTION]: the test with its bug, all of it or that function.
bug() { (ulimit -t "$patience" -c 0 && CMOCKA_TEST_ABORT=1 stdbuf -oL timeout 120 "$t/bug" 1 "$@" || exit $?) >"$t/log" 2>&1; }

declare name file from to first
while read -r line; do
  fields "$line" name file from to first
  [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
  rm -rf "$t/tree" && mkdir "$t/tree" && cp cmodel/engine/{lanes*,worm*,stream*,single*,fronts*,parallel*}.[ch] cmodel/engine/{flit_worms,heads,hops,jumps}.h cmodel/traffic/{calendar,geometric}.[ch] "$t/tree"
  if ! why=$(plant "$file" "$from" "$to" "$t/tree/${file##*/}"); then
    fail "$name: $why"
    continue
  fi
  case $file in
    */fronts.h) changed=fronts ;;
    *.h*) changed= ;;
    *) changed=- ;;
  esac
  if ! program "$t/tree" "$(test_of "$file" "$name")" "$t/bug" 2>"$t/log"; then
    fail "$name does not build: $(head -n 1 "$t/log")"
    continue
  fi
  # The first test that fails is enough.
  patience=$(patience_of "$(test_of "$file" "$name")")
  code=0
  [ -z "$first" ] || bug "$first" || code=$?
  [ $code != 0 ] || bug || code=$?
  said=$(grep -a -m 1 -oE 'N = .*|[^ ]*test_[a-z]*.c:[0-9]+.*' "$t/log" | cut -c 1-100)
  if [ $code = 0 ]; then
    fail "$name: not seen"
  elif [ -z "$said" ] && [ $code -lt 128 ] && [ $code != 124 ]; then # no test that failed, no signal, no end of patience
    fail "$name: no answer (exit code $code)"
  else
    pass "$name: $said (exit code $code)"
  fi
done < <(listed tb/engines/bugs.txt)

# compiled FOLDER FILE: by the compiler's assertions; includes of what lies beside FILE are those of FOLDER.
compiled() { echo "#include \"${2##*/}\"" | ${CC:-gcc} "-I$1" "${flags[@]}" -fsyntax-only -x c - 2>"$t/log"; }
while read -r line; do
  fields "$line" name file from to
  [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
  rm -rf "$t/tree" && mkdir "$t/tree" && cp "${file%/*}"/*.[ch] "$t/tree"
  if ! compiled "$t/tree" "$file"; then
    fail "$name: does not compile without it: $(head -n 1 "$t/log")"
  elif ! why=$(plant "$file" "$from" "$to" "$t/tree/${file##*/}"); then
    fail "$name: $why"
  elif ! compiled "$t/tree" "$file" && said=$(grep -m 1 -oE 'static[_ ]assert(ion)? failed.*' "$t/log"); then
    pass "$name: $said"
  else
    fail "$name: not refused: $(head -n 1 "$t/log")"
  fi
done < <(listed tb/engines/refused.txt)

ends
