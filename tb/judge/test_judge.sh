#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_judge.sh - a fault of one bit at every kind of thing that the co-simulation compares, on either side.
#
# Usage: test_judge.sh [TEXT]: only what has TEXT in its name.  Wants BUILD/judge/{places,fatfly,faulty.so} and
# the Verilated libraries of the cases; SEED draws other places.  Then the planted bugs of bugs.txt: what judges a
# run is damaged, and the same faults must show it.  Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
# shellcheck source=tb/lib/planted.sh
. tb/lib/planted.sh
here=$build/judge
seed=${SEED:-1}
out=$here/test.log
: >"$out"

# The cases by their short names, and how many places are drawn beside the first and the last.
declare -A name=([s2]=switch-s2of3-v1-q2-w32-rp-rr [v2]=switch-s1of3-v2-q2-w32-rp-rr [v4]=switch-s1of3-v4-q2-w24-gp-rr
  [ref]=switch-s2of3-v1-q2-w32-rp-rr-ref [n16]=fat16-random [router]=router-torus4n5-v2-q2-w32-ecube-rot [nhop]=router-torus4n5-v3-q2-w32-nhop-rr
  [torus]=cube-torus4-v2-q2-w32-ecube-rot [mesh]=cube-mesh4-v1-q2-w32-ecube-rot)
library() { # SHORT
  case $1 in
    n16) echo "$build/rtl/n16-v1-q2-w32-rp-rr.so" ;;
    *) echo "$build/rtl/${name[$1]#*-}.so" ;;
  esac
}
places() { # PROGRAM SHORT DRAWS [KIND]
  timeout 300 "$1" sim "${name[$2]}" "$(library "$2")" "$seed" "$3" "$here" "${@:4}"
}

# The command with a faulty device: the verdict, the exit code and every file that says it.
command_says() { # FATFLY
  local fatfly=$1 t=$here/command log
  local two=(--case "${name[s2]}" --case "${name[n16]}")
  rm -rf "$t" && mkdir -p "$t/rtl"
  ln -s "$(realpath "$(library n16)")" "$(realpath "$here/faulty.so")" "$t/rtl" # of the switch the faulty one
  mv "$t/rtl/faulty.so" "$t/rtl/${name[s2]#*-}.so"
  local -x FAULTY FAULTY_OF
  FAULTY_OF=$(library s2)
  says() { # NAME CODE WANTED TEXT...
    local what=$1 code=$2 want=$3 text
    shift 3
    for text; do
      grep -qE -- "$text" "$log" || { echo "FAIL command: $what: '$text' is not said"; return; }
    done
    if [ "$code" = "$want" ]; then echo "PASS command: $what"; else echo "FAIL command: $what: exit code $code"; fi
  }
  log=$t/right
  FAULTY="none 0 0 0 0" "$fatfly" cosim --build "$t" "${two[@]}" --max-cycles 400 >"$log" 2>&1
  says "no fault" $? 0 '^2 passed, 0 failed$'
  # A switch has 17 resets, a network 2: the fault is in one of the two cases.
  for fault in "state 17 3 17 31" "payload 4 63 17 0" "room 5 0 17 7" "valid 0 0 17 399"; do
    log=$t/wrong
    FAULTY=$fault "$fatfly" cosim --build "$t" "${two[@]}" --max-cycles 400 --shrink 0 >"$log" 2>&1
    local code=$?
    says "$fault" $code 1 '^1 passed, 1 failed$' "^${name[s2]} .*FAILED" "^FAILED ${name[s2]}: cycle ${fault##* }:" \
      "the two sides differ at cycle ${fault##* }:"
    log=$t/cosim/junit.xml
    says "$fault in junit.xml" $code 1 'tests="2" failures="1"' "<failure message=.cycle ${fault##* }: "
    log=$t/cosim/manifest.json
    says "$fault in manifest.json" $code 1 "\"${name[s2]}\", \"passed\": false" "\"${name[n16]}\", \"passed\": true" \
      "\"why\": \"cycle ${fault##* }: "
    log=$t/cosim/${name[s2]}.log
    says "$fault in its log" $code 1 "the two sides differ at cycle ${fault##* }:"
  done
  log=$t/alone
  FAULTY="state 17 3 17 31" "$fatfly" cosim --build "$t" --case "${name[s2]}" --max-cycles 400 --shrink 0 >"$log" 2>&1
  says "one case alone" $? 1 '^0 passed, 1 failed$' "^${name[s2]} .*FAILED" 'the two sides differ at cycle 31:'
  # Nothing is in flight then, but worms wait to enter.
  for fault in "mute 0 0 2 0" "mute 0 0 2 3"; do
    log=$t/mute
    FAULTY=$fault FAULTY_OF='' timeout 10 "$fatfly" cosim --build "$t" --case fat16-random --side c --c "$here/faulty.so" >"$log" 2>&1
    says "$fault" $? 1 '^0 passed, 1 failed$' 'flits are in flight and none has moved for 2000 cycles'
  done
  log=$t/late
  FAULTY="shut 0 0 2 30" FAULTY_OF='' "$fatfly" cosim --build "$t" --case exact-n16-l8 --side c --c "$here/faulty.so" >"$log" 2>&1
  says "a tail that is late" $? 1 '^0 passed, 1 failed$' 'the last tail arrives in cycle 67, not in cL \+ d - 2 = 66'
  FAULTY="shut 0 0 2 30" FAULTY_OF='' "$fatfly" cosim --build "$t" --case exact-n16-l8 --side c --c "$here/faulty.so" --max-cycles 100000 >"$log" 2>&1
  says "a tail that is late, before --max-cycles" $? 1 '^0 passed, 1 failed$' 'the last tail arrives in cycle 67, not in cL \+ d - 2 = 66'
  log=$t/in-time
  "$fatfly" cosim --build "$t" --case exact-n16-l8 --side c >"$log" 2>&1
  says "a tail in time" $? 0 '^1 passed, 0 failed$'
  "$fatfly" cosim --build "$t" --case exact-n16-l8 --side c --max-cycles 30 >"$log" 2>&1
  says "a case that is cut before its tail" $? 0 '^1 passed, 0 failed$'
}

# large FATFLY: registers of a device with more than 64 KiB of them, each at another end of those.  The C model is in place of the
# Verilog, which takes minutes to build.
large() {
  local t=$here/large word
  mkdir -p "$t"
  tb/lib/c_library.sh "$t/c.so" cube || { echo "FAIL large: does not build"; return; }
  for word in 0 8191 16383 16384 20000 4294967295; do
    if FAULTY="state $word 0 2 4" FAULTY_OF=$t/c.so "$1" cosim --build "$t" --case cube-torus16-v9-q2-w32-nhop-rot --rtl "$here/faulty.so" \
      --max-cycles 60 --shrink 0 2>&1 | grep -q 'the two sides differ at cycle 4: registers or links inside differ'; then
      echo "PASS large: word $word of a 16 x 16 torus"
    else
      echo "FAIL large: word $word of a 16 x 16 torus: not seen"
    fi
  done
}

# resets FATFLY: registers of a network whose queues hold three flits, after a reset in mid-traffic: lfsr_q, busy_q, a port's links,
# a queue's count and pointers, of the first switch and of the last.
resets() {
  local t=$here/resets word
  mkdir -p "$t"
  tb/lib/c_library.sh "$t/c.so" cmodel || { echo "FAIL resets: does not build"; return; }
  echo 'nodes = 16; depth = 3; load = 0.4; cycles = 2000; reset_every = 300;' >"$t/resets.cfg"
  for word in 0 1 3 6 315 316 318 321; do
    if FAULTY="state $word 0 2 40" FAULTY_OF=$t/c.so "$1" cosim --build "$t" --config "$t/resets.cfg" --rtl "$here/faulty.so" \
      --shrink 0 2>&1 | grep -q 'the two sides differ at cycle [0-9]*: registers or links inside differ'; then
      echo "PASS resets: word $word after a reset in mid-traffic"
    else
      echo "FAIL resets: word $word after a reset in mid-traffic: not seen"
    fi
  done
}

# benches FATFLY: stand-ins for the exhaustive benches of the arbiter and of the routes.
ended=( # what it does; the verdict of its case
  'echo total, 1000, 0, 0.10|passed' 'echo scan, 5, 0; echo total, 1000, 0|passed'
  'echo total, 1000, 1, 0.10|found mismatches' 'echo total, 1000, 4294967296|found mismatches' 'echo total, 1000, 7; exit 1|found mismatches'
  'echo total, 1000, 0; exit 1|ended with an error' 'echo total, 1000, 0; kill -9 $$|ended with an error'
  'echo total, 0, 0, 0.10|had no case' 'true|has no closing line' 'exit 1|has no closing line' 'echo scan, 1000, 0|has no closing line'
  'echo total, 1000|has no closing line' 'echo total, 1000, 3; echo total, 1000|has no closing line' 'echo total, 1000, none|has no closing line'
  'echo total, 1000, 0.5|has no closing line' 'echo total, -1000, 0|has no closing line' 'echo total, 1000, 0 or more|has no closing line'
  'echo total, 1000, 0, 0.10 of 3|has no closing line' 'echo total, 1000, 0; echo no memory|has no closing line'
  'printf "total, 1000, 0"|has no closing line')
benches() {
  local t=$here/benches what want code said name
  mkdir -p "$t"
  for what in "${ended[@]}"; do
    want=${what##*|}
    for name in arbiter_all cube_route_all; do
      printf '#!/bin/sh\n%s\n' "${what%|*}" >"$t/$name"
      chmod +x "$t/$name"
    done
    "$1" cosim --build "$t" --case arbiter-core --case cube-routes >"$t/log" 2>&1
    code=$?
    said=$(grep -oE "FAILED (arbiter-core|cube-routes): the exhaustive bench $want; run $t/(arbiter|cube_route)_all$" "$t/log" | wc -l)
    case "$want, $code, $said, $(tail -n 1 "$t/log")" in
      "passed, 0, 0, 2 passed, 0 failed" | *", 1, 2, 0 passed, 2 failed") echo "PASS benches: ${what%|*}" ;;
      *) echo "FAIL benches: ${what%|*}: exit code $code: $(tail -n 1 "$t/log")" ;;
    esac
  done
}

# planted LINE: builds with one bug; the check that is named must fail, with a fault of its kind.
planted() {
  local bug file from to who kind patched program line main source
  fields "$1" bug file from to who kind
  patched=$here/$bug.c program=$here/$bug
  if ! line=$(plant "$file" "$from" "$to" "$patched"); then
    echo "FAIL $bug: $line"
    return
  fi
  flags_of . base cli
  main=("$here/obj/tb/judge/places.o" "$here/obj/tb/judge/faulty.o")
  [[ $who = command || $who = large || $who = resets || $who = benches ]] && main=("$here/obj/cmodel/cli/fatfly.o")
  [ "$who" = unit ] && main=("tb/unit/$kind.c" -Itb/unit -lcmocka)
  [ "$kind" = test_waves ] && main+=(-isystem "$(${VERILATOR:-verilator} --getenv VERILATOR_ROOT)/include/gtkwave")
  source=("$patched")
  [ "$kind" = test_glue ] && source=("-DGLUE=\"$patched\"") # which the test includes
  [[ $file = */digest.c ]] && source+=("-DDIGEST=\"$patched\"") # ... too: not every processor runs all of it
  objects_but "$file" "$here"/obj/{sim,cmodel/base,cmodel/cli} "$build/lib/obj" "$build/fst"
  mapfile -t objects < <(printf '%s\n' "${objects[@]}" | grep -v /cli/fatfly.o)
  if ! ${CC:-gcc} "${flags[@]}" -Isim -rdynamic "${source[@]}" "${main[@]}" "${objects[@]}" "${libs[@]}" \
    -o "$program" 2>"$here/$bug.log"; then
    echo "FAIL $bug does not build: $(grep -m 1 error "$here/$bug.log")"
    return
  fi
  if [[ $who = large || $who = resets || $who = benches ]]; then line=$("$who" "$program" | grep -m 1 '^FAIL')
  elif [ "$who" = command ]; then line=$(command_says "$program" | grep -m 1 "^FAIL.*$kind")
  elif [ "$who" = unit ]; then line=$(timeout 100 "$program" 2>&1 | grep -m 1 '^\[  FAILED  \] [a-z]')
  else
    places "$program" "$who" 8 ${kind:+"$kind"} >"$here/$bug.log" 2>&1
    local code=$?
    [ $code -le 1 ] || echo "FAIL $who: ends with code $code" >>"$here/$bug.log"
    line=$(grep -m 1 '^FAIL' "$here/$bug.log")
  fi
  if [ -n "$line" ]; then echo "PASS $bug: seen by ${line#FAIL }"; else echo "FAIL $bug: not seen"; fi
  rm -f "$program" "$patched"
}

{
  for c in "s2 30" "ref 30" "v2 30" "v4 30" "n16 60" "router 30" "nhop 20" "torus 30" "mesh 30"; do
    skipped "${c% *}" || places "$here/places" "${c% *}" "${c#* }" 2>&1
  done
  skipped command || command_says "$here/fatfly"
  skipped large || large "$here/fatfly"
  skipped resets || resets "$here/fatfly"
  skipped benches || benches "$here/fatfly"
  while read -r line; do
    skipped "${line%% *}" || planted "$line"
  done < <(listed tb/judge/bugs.txt)
} | tee "$out"
passed=$(grep -c '^PASS' "$out")
failed=$(grep -cE '^(FAIL|places:)' "$out")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
