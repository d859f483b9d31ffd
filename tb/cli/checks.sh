#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# checks.sh - what the tests of the command share; sourced by them.  They set t (a folder), passed
# and failed, and run a command with its output in $t/out and $t/err and its exit code in $code.
# shellcheck disable=SC2154  # all of these are theirs

filter=${1:-} # of the names of checks
pass() { passed=$((passed + 1)) && echo "PASS $1"; }

bad() { # NAME WHY
  failed=$((failed + 1))
  echo "FAIL $1: $2"
  sed 's/^/    out: /' "$t/out" | head -n 5
  sed 's/^/    err: /' "$t/err" | head -n 5
}

skipped() { [ -n "$filter" ] && [[ $1 != *$filter* ]]; }

# check NAME COMMAND...: the command must succeed.
check() {
  local name=$1
  shift
  skipped "$name" && return
  if "$@"; then pass "$name"; else bad "$name" "not so: $*"; fi
}

# complains NAME CODE TEXT...: after run; one line on stderr that has every TEXT, and nothing else.
complains() {
  local name=$1 want=$2 text
  shift 2
  skipped "$name" && return
  [ "$code" = "$want" ] || { bad "$name" "exit code $code, not $want"; return; }
  [ "$(wc -l <"$t/err")" = 1 ] || { bad "$name" "$(wc -l <"$t/err") lines on stderr, not 1"; return; }
  [ ! -s "$t/out" ] || { bad "$name" "something on stdout"; return; }
  for text; do
    grep -qF -- "$text" "$t/err" || { bad "$name" "'$text' is not said"; return; }
  done
  pass "$name"
}

# works NAME TEXT...: after run; exit code 0, nothing on stderr but what latency_mean was, every TEXT on
# stdout.
works() {
  local name=$1 text
  shift
  skipped "$name" && return
  [ "$code" = 0 ] || { bad "$name" "exit code $code, not 0"; return; }
  ! grep -qvF 'latency_mean is the mean over worms; what static runs called so until now' "$t/err" ||
    { bad "$name" "something on stderr"; return; }
  for text; do
    grep -qF -- "$text" "$t/out" || { bad "$name" "'$text' is not said"; return; }
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
