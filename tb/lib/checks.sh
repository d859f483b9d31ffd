#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# checks.sh - what the tests in shell share; sourced by them at the root of the tree.
#
# A check prints PASS or FAIL and its name, `ends` the sums.  The tests run a command with its output in $t/out and
# $t/err and its exit code in $code.  What is checked may print: that is shown if it fails.
# shellcheck disable=SC2034,SC2154  # the tests read root, build and fatfly, and set code

. scripts/lib/surroundings.sh
root=$PWD
build=$(realpath -ms "${BUILD:-build}")
filter=${1:-} # of the names of checks
passed=0
failed=0
code=0

# scratch: $t, a folder below TMPDIR that goes when the test ends.
scratch() {
  t=$(mktemp -d) || exit 4
  trap 'rm -rf "$t"' EXIT
  trap 'exit 1' HUP INT TERM
}

# kept_folder NAME: $t, that folder of BUILD, empty.
kept_folder() {
  t=$build/$1
  rm -rf "$t"
  mkdir -p "$t" || exit 4
}

# needs FILE...: each is there, or the test ends here.
needs() {
  local file
  for file; do
    [ -e "$file" ] || { echo "${0##*/}: $file is not there; build it with: make ${file#"$root"/}" >&2; exit 4; }
  done
}

# the_command: $fatfly, the command that is tested: that of BUILD, or FATFLY.
the_command() {
  fatfly=$(realpath -ms "${FATFLY:-$build/fatfly}")
  needs "$fatfly"
}

# run WORD...: the command $runner WORD..., for $limit seconds at most if it is a program.
runner=()
limit=120
run() {
  local words_=("${runner[@]}" "$@") guard=(timeout "$limit")
  ! declare -F "${words_[0]}" >/dev/null || guard=()
  "${guard[@]}" "${words_[@]}" >"$t/out" 2>"$t/err" </dev/null
  code=$?
}

# skip WHAT WHY: the machine lacks what the test needs.
skip() {
  echo "SKIP $1: $2"
  echo "0 passed, 0 failed"
  exit 0
}

ends() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

pass() { passed=$((passed + 1)) && echo "PASS $*" && took; }
fail() { failed=$((failed + 1)) && echo "FAIL $*" && took; }

# took: with TIMES set, the CPU seconds of what this test has started and waited for since the check before.
before_=0
took() {
  [ -n "${TIMES-}" ] || return 0
  local all_
  times >"${TMPDIR:-/tmp}/times.$$"
  all_=$(awk -F '[ms ]+' '{ s += 60 * ($1 + $3) + $2 + $4 } END { printf "%.2f", s }' "${TMPDIR:-/tmp}/times.$$")
  rm -f "${TMPDIR:-/tmp}/times.$$"
  awk -v all="$all_" -v before="$before_" 'BEGIN { printf "     %.2f CPU seconds\n", all - before }'
  before_=$all_
}

# bad NAME WHY [FILE]...: and what is in these files of $t, and out and err.
bad() {
  local file
  fail "$1: $2"
  for file in "${@:3}" out err; do
    [ ! -s "$t/$file" ] || tail -n 20 "$t/$file" | cut -c 1-200 | sed "s/^/    $file: /"
  done
}

skipped() { [ -n "$filter" ] && [[ $1 != *$filter* ]]; }

# refusals_end: with `refused` for a filter, as sanitizers have it, the test ends here: what follows would run, and not be looked at.
refusals_end() { [ "$filter" != refused ] || { ends; exit; }; }

not() { ! "$@"; }

absent() { # FILE...
  local file
  for file; do [ ! -e "$file" ] || return 1; done
}

file() { printf '%s\n' "${@:2}" >"$1"; } # NAME LINE...

# check NAME COMMAND...: the command must succeed.
check() {
  local name=$1
  shift
  skipped "$name" && return
  if "$@" >"$t/check" 2>&1; then pass "$name"; else bad "$name" "not so: $*" check; fi
}

# alike NAME A B, unlike NAME A B: the same text, two texts; and none is empty, as that of a command that crashed is.
alike() { compared "$1" = "${@:2}"; }
unlike() { compared "$1" != "${@:2}"; }
compared() {
  skipped "$1" && return
  if [ -n "$3" ] && [ -n "$4" ] && test "$3" "$2" "$4"; then pass "$1"; else fail "$1: not so: '${3:0:200}' $2 '${4:0:200}'"; fi
}

# complains NAME CODE TEXT...: after run; one line on stderr that has every TEXT, and nothing else.
complains() {
  local name=$1 want=$2 text said_
  shift 2
  skipped "$name" && return
  [ "$code" = "$want" ] || { bad "$name" "exit code $code, not $want"; return; }
  IFS= read -rd '' said_ <"$t/err" # no program is called where all is well: there are thousands of checks
  [[ $said_ == *$'\n' && ${said_%?} != *$'\n'* ]] || { bad "$name" "$(wc -l <"$t/err") lines on stderr, not 1"; return; }
  [ ! -s "$t/out" ] || { bad "$name" "something on stdout"; return; }
  for text; do
    [[ $said_ == *"$text"* ]] || { bad "$name" "'$text' is not said"; return; }
  done
  pass "$name"
}

# works NAME TEXT...: after run; exit code 0, nothing on stderr but what latency_mean was, every TEXT on
# stdout.
works() {
  local name=$1 text said_
  shift
  skipped "$name" && return
  [ "$code" = 0 ] || { bad "$name" "exit code $code, not 0"; return; }
  [ ! -s "$t/err" ] || ! grep -qvF 'latency_mean is the mean over worms; the last arrival of a run' "$t/err" ||
    { bad "$name" "something on stderr"; return; }
  IFS= read -rd '' said_ <"$t/out"
  for text; do
    [[ $said_ == *"$text"* ]] || { bad "$name" "'$text' is not said"; return; }
  done
  pass "$name"
}

# at_work PID: waits until it is $fatfly and catches SIGTERM (15), or, as it may catch none, has used
# 0.2 s of the processor, so that a signal finds it at work; 30 s at most.
at_work() {
  local caught ticks
  for _ in {1..1500}; do
    caught=$(awk '$1 == "SigCgt:" { print $2 }' "/proc/$1/status" 2>/dev/null)
    ticks=$(awk '{ print $14 }' "/proc/$1/stat" 2>/dev/null)
    if [ "/proc/$1/exe" -ef "$fatfly" ] &&
      { [ $((0x${caught:-0} >> 14 & 1)) = 1 ] || [ "${ticks:-0}" -gt 20 ]; }; then break; fi
    sleep 0.02
  done
  sleep 0.2
}

# value COLUMN: of the CSV in $t/out, its last line.
value() {
  awk -F, -v name="$1" 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == name) c = k }
    { v = $c } END { print v }' "$t/out"
}

# printed, got COLUMN: after run; what is on stdout, or that value of it: nothing unless the exit code is 0.
printed() { [ "$code" != 0 ] || cat "$t/out"; }
got() { [ "$code" != 0 ] || value "$1"; }
