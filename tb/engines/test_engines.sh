#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_engines.sh - does the comparison of the fast engines with the cycle engine see bugs?  tb/unit/test_lanes.c
# and, for bugs in stream*.[ch], worm*.[ch], single.c and hops.h, test_worm.c, in parallel*.c test_parallel.c, of names ranks-.. test_ranks.c
# are built with each bug of bugs.txt and must fail; as they are, they must pass.
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
    cmodel/engine/lanes*.c | cmodel/engine/worm.c | cmodel/engine/stream.c | cmodel/engine/single.c | cmodel/engine/parallel*.c) ;;
    *) others+=("$build/lib/obj/${file%.c}.o") ;;
  esac
done
for file in "${others[@]}"; do
  [ -e "$file" ] || {
    echo "test_engines.sh: $file is not there; build it with: make lib" >&2
    exit 4
  }
done

# test_of FILE NAME: the test that must see a bug there.
test_of() {
  case $2:${1##*/} in
    ranks-*) echo test_ranks ;;
    *:stream* | *:worm* | *:single* | *:hops*) echo test_worm ;;
    *:parallel*) echo test_parallel ;;
    *) echo test_lanes ;;
  esac
}
# names TEST: of the files that may have the bugs that it must see.
names() {
  case $1 in
    test_lanes) echo lanes lanes_cross ;;
    test_worm) echo worm stream single ;;
    *) (cd cmodel/engine && printf '%s\n' parallel*.c | sed 's/\.c$//') ;;
  esac
}
# program FOLDER TEST OUT: the test with the engine there; what is no other than here is compiled once.
program() {
  local name test source objects=()
  for test in test_lanes test_worm test_parallel; do
    for name in $(names $test); do
      source=$1/$name.c
      if [ "$test" != "${2/ranks/parallel}" ]; then
        objects+=("$build/lib/obj/cmodel/engine/$name.o")
      elif [ -e "$here/kept/$name.o" ] && [ -z "$headers" ] && cmp -s "$source" "cmodel/engine/$name.c"; then
        objects+=("$here/kept/$name.o")
      else
        ${CC:-gcc} "${flags[@]}" -c "$source" -o "$here/$name.o" || return 1
        objects+=("$here/$name.o")
        [ "$1" != cmodel/engine ] || cp "$here/$name.o" "$here/kept/$name.o"
      fi
    done
  done
  ${CC:-gcc} "${others[@]}" "${objects[@]}" "$here/$2.o" -lm -lcmocka -o "$3"
}

mkdir "$here/kept" || exit 4
headers=
for test in test_lanes test_worm test_parallel test_ranks; do
  if ! ${CC:-gcc} "${flags[@]}" -c "tb/unit/$test.c" -o "$here/$test.o" ||
    ! program cmodel/engine "$test" "$here/$test"; then
    fail "$test does not build"
    echo "$passed passed, $failed failed"
    exit 1
  fi
  if timeout 100 "$here/$test" >"$here/log" 2>&1; then
    pass "$test as it is: equal"
  else
    fail "$test as it is: not equal: $(grep -m 1 'N = ' "$here/log")"
  fi
done

while IFS='|' read -r name file from to; do
  for v in name file from to; do
    read -r "${v?}" <<<"${!v//\\o/|}"
  done
  [ $# = 0 ] || [[ " $* " == *" $name "* ]] || continue
  rm -rf "$here/tree" && mkdir "$here/tree" && cp cmodel/engine/{lanes*,worm*,stream*,single*,parallel*}.[ch] cmodel/engine/{heads,hops,jumps}.h "$here/tree"
  if ! FROM=$from TO=$to python3 -B - "$file" "$here/tree" <<'PY'
import os, sys
text = open(sys.argv[1], encoding="utf-8").read()
if text.count(os.environ["FROM"]) != 1:
    sys.exit(1)
with open(os.path.join(sys.argv[2], os.path.basename(sys.argv[1])), "w", encoding="utf-8") as out:
    out.write(text.replace(os.environ["FROM"], os.environ["TO"]))
PY
  then
    fail "$name: its text stands not exactly once in $file"
    continue
  fi
  headers=
  case $file in *.h*) headers=yes ;; esac
  if ! program "$here/tree" "$(test_of "$file" "$name")" "$here/bug" 2>"$here/log"; then
    fail "$name does not build: $(head -n 1 "$here/log")"
    continue
  fi
  # The first test that fails is enough.
  (ulimit -t 20 -c 0 && CMOCKA_TEST_ABORT=1 stdbuf -oL timeout 120 "$here/bug" || exit $?) >"$here/log" 2>&1
  code=$?
  if [ $code = 0 ]; then
    fail "$name: not seen"
  else
    pass "$name: $(grep -a -m 1 -oE 'N = .*|[^ ]*test_[a-z]*.c:[0-9]+.*' "$here/log" | cut -c 1-100 || true) (exit code $code)"
  fi
done < <(grep -v '^#' tb/engines/bugs.txt | sed 's/\\|/\\o/g')
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
