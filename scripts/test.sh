#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test.sh - everything that must hold.  Each step ends with `N passed, N failed`; so does the whole.
#
# Usage: test.sh [STEP]...   tb/README.md says what each step shows, and how long it takes.
# Several steps run three at once where there are two cores or more: each of them waits at times.
set -u
cd "$(dirname "$0")/.." || exit 4
export BUILD=${BUILD:-build}
. scripts/lib/surroundings.sh
jobs=${JOBS:-$(nproc)}
log=${TEST_LOG:-$BUILD/test}
mkdir -p "$log"
passed=0
failed=0
said=''
# instead TOOL WORDS: from here on TOOL is what WORDS call, by a script in a folder that PATH begins with.
instead() {
  mkdir -p "$BUILD/tools"
  printf '#!/bin/sh\n%s "$@"\n' "$2" >"$BUILD/tools/$1.$$"
  chmod +x "$BUILD/tools/$1.$$"
  mv "$BUILD/tools/$1.$$" "$BUILD/tools/$1"
  PATH=$(realpath "$BUILD/tools"):$PATH
}
# Debian's Python, which has Debian's packages, takes a fifth less time than pyenv's, and is not looked for by a script at each call.
slow=$(command -v python3)
if [ -x /usr/bin/python3 ] && [ ! /usr/bin/python3 -ef "$slow" ] && [ "${slow%/tools/python3}" = "$slow" ]; then
  instead python3 "exec /usr/bin/python3"
fi

# With another allocator, used where it is installed, Icarus elaborates tb_switch in 31 % less time, Verilator N = 64 in a third less,
# and Yosys takes half for N = 1024; single switches gain nothing.
for tool in iverilog yosys verilator_bin; do
  slow=$(command -v $tool)
  for quick in /usr/lib/*/libtcmalloc_minimal.so.4; do
    if [ ! -e "$quick" ] || [ -z "$slow" ] || [ "${slow%/tools/"$tool"}" != "$slow" ]; then continue; fi
    instead $tool "LD_PRELOAD=$quick exec $slow"
  done
done

# What takes long says that it begins; the rest is in the log.
make_all() {
  flock "$BUILD/make.lock" make -j"$jobs" BUILD="$BUILD" "$@" 2>&1 | tee "$log/make.log" | grep --line-buffered -E '^(verilate|link) '
  [ "${PIPESTATUS[0]}" = 0 ] || { tail -n 20 "$log/make.log"; return 1; }
}

count() { # PASSED FAILED
  echo "$1 passed, $2 failed"
  [ "$2" = 0 ]
}

# Of a step: false, with its closing line, if what it needs cannot be made.
made() { make_all "$@" || count 0 1; }

# check NAME COMMAND...: one check, a line; its output is shown only if it fails.
good=0
bad=0
check() {
  local name=$1
  shift
  if "$@" >"$log/check.log" 2>&1; then
    good=$((good + 1))
    echo "PASS $name"
  else
    bad=$((bad + 1))
    echo "FAIL $name: $*"
    tail -n 20 "$log/check.log"
  fi
}

# blind LINE FILE: that closing line says that nothing was looked at, and the log not why.
blind() { [ "$1" = "0 passed, 0 failed" ] && ! grep -q '^SKIP' "$2"; }

# named STEP FILE: what failed in an output, with up to four lines of each and the last four of its log.  Some readers have
# the end of a long log only.
named() {
  awk -v step="$1" '
    function rest(k) { for (k = n > 8 ? n - 3 : 5; k <= n; k++) print "  " line[k]; n = 0; inside = 0 }
    /^FAIL/ { rest(); print step ": " $0; inside = found = 1; next }
    /^(PASS|SKIP)|^[0-9]+ passed/ { rest() }
    inside { line[++n] = $0; if (n <= 4) print "  " $0 }
    END { rest(); if (!found) print step ": failed, without a line that says FAIL" }' "$2"
}

# closing FILE: its closing line.
closing() { grep -E '^[0-9]+ passed, [0-9]+ failed$' "$1" | tail -n 1; }

# Sum of the closing lines of several logs.
sum() {
  local p=0 f=0 line file
  for file; do
    line=$(closing "$file")
    [ -n "$line" ] || { echo "FAIL $file has no closing line"; line="0 passed, 1 failed"; }
    ! blind "$line" "$file" || { echo "FAIL $file has no check"; line="0 passed, 1 failed"; }
    p=$((p + ${line%% *}))
    line=${line#*, }
    f=$((f + ${line%% *}))
  done
  count $p $f
}

# part FILE COMMAND: its output is in FILE, too; what ends badly without saying so is a failure, in FILE as well.
part() {
  local code line
  eval "$2" | tee "$1"
  code=${PIPESTATUS[0]}
  line=$(closing "$1")
  if [ "$code" != 0 ] && [ "${line#*, }" = '0 failed' ]; then
    { echo "FAIL $2 ended with code $code" && count "${line%% *}" 1; } | tee -a "$1"
  fi
}

# parts NAME COMMAND...: of a step that has several, each with its closing line.
parts() {
  local name=$1 logs=() c
  shift
  for c; do
    logs+=("$log/$name.$((${#logs[@]} + 1))")
    part "${logs[-1]}" "$c"
  done
  sum "${logs[@]}"
}

step_setup() { tb/setup/test_setup.sh; }

refuses_step() { # a name that is no step
  scripts/test.sh unti >"$log/unti" 2>&1
  [ $? = 2 ] && grep -q "^test.sh: no step 'unti'; allowed: .*; nearest: unit$" "$log/unti" && [ "$(wc -l <"$log/unti")" = 1 ]
}
blind_part() { # a part without a check, and one that says why
  echo '0 passed, 0 failed' >"$log/blind"
  { echo 'SKIP it: no such tool'; cat "$log/blind"; } >"$log/skipped"
  ! sum "$log/blind" && sum "$log/skipped"
}
ended_badly() { # a part that says that nothing has failed, and ends well or badly
  parts ended 'echo 3 passed, 0 failed' && ! parts ended "bash -c 'echo 3 passed, 0 failed && exit 7'" &&
    grep -qx 'FAIL .* ended with code 7' "$log/ended.1" && [ "$(closing "$log/ended.1")" = '3 passed, 1 failed' ]
}
named_again() { # what failed, and a step that does not say what
  printf '%s\n' 'PASS one' 'a line' 'FAIL two: false' 'why' 'PASS three' 'a line' '2 passed, 1 failed' >"$log/named"
  [ "$(named lint "$log/named")" = $'lint: FAIL two: false\n  why' ] && echo 'Killed' >"$log/named" &&
    [ "$(named lint "$log/named")" = 'lint: failed, without a line that says FAIL' ] &&
    { echo 'FAIL two' && seq 20 && echo 'PASS three' && seq 30 40 && echo 'FAIL four' && seq 50 54; } >"$log/named" &&
    [ "$(named lint "$log/named" | tr -d '\n')" = 'lint: FAIL two  1  2  3  4  17  18  19  20lint: FAIL four  50  51  52  53  54' ]
}
# What empties a folder of BUILD is alone in it: another step may run beside it.
alone() { # ROOT
  local name users code=0
  for name in $(cd "$1" && grep -rhoE --include='*.sh' '(^kept_folder |(rm -rf "|\btree=)\$\{?(BUILD|build)\}?/)[a-z-]+' scripts tb | sed 's/.*[ /]//' | sort -u); do
    users=$(cd "$1" && grep -rlE --include='*.sh' "(^kept_folder |\\$\{?(BUILD|build)\}?/)$name([/\" \$]|\$)" scripts tb)
    [ "$(wc -l <<<"$users")" = 1 ] || { echo "build/$name is emptied, and used by: ${users//$'\n'/ }"; code=1; }
  done
  return $code
}
alone_planted() {
  rm -rf "$log/alone"
  mkdir -p "$log/alone" && cp -r scripts tb "$log/alone" && alone "$log/alone" || return 1
  # shellcheck disable=SC2016 # a line of a script
  printf 'mkdir -p "$BUILD/%s"\n' axis >>"$log/alone/scripts/test.sh"
  ! alone "$log/alone"
}
documented() {
  diff <(printf '%s\n' "${all[@]}") <(awk -F '`' '/^. `/ { print $2 }' tb/README.md)
}
cited() { grep -qx "version: $(sed -n 's/.*FATFLY_VERSION "\(.*\)"/\1/p' cmodel/fatfly.h)" CITATION.cff; }

# What a script writes is what the repository holds.
step_files() {
  good=0 bad=0
  check drawings python3 -B scripts/docs/draw.py --check
  check matrix python3 -B scripts/sim/matrix.py --check
  check "table of planted bugs" python3 -B scripts/docs/bugs_table.py --check
  make_all "$BUILD/fatfly" || bad=$((bad + 1))
  check "manual and completion" python3 -B scripts/docs/man.py --check "$BUILD/fatfly"
  check "a folder of build that is emptied has one user" alone .
  check "a second user of such a folder is seen" alone_planted
  check "tb/README.md has a row for every step" documented
  check "version of CITATION.cff" cited
  check "the layers of cmodel and sim" python3 -B scripts/test/layers.py
  check "what is planted against the layers" tb/layers/test_layers.sh
  check "a step that is not there" refuses_step
  check "a part of a step that looks at nothing" blind_part
  check "a part of a step that ends badly" ended_badly
  check "what failed is named again at the end" named_again
  check "tables of docs/fpga*.md" scripts/synth/synth.py --check
  check "the papers' statements" python3 -B scripts/paper/statements.py check
  count $good $bad
}

# README and docs say what is so.
step_docs() { made "$BUILD/fatfly" "$BUILD/verilated.o" "$BUILD/verilated_threads.o" && tb/docs/test_docs.sh; }

units=()
for f in tb/unit/test_*.c; do units+=("$BUILD/unit/$(basename "$f" .c)"); done
# Unit tests of the C modules under ASan and UBSan; one line a test of cmocka is counted.
step_unit() {
  local ok=0 wrong=0 name
  made "${units[@]}" || return
  for t in "${units[@]}"; do
    name=$(basename "$t")
    timeout 300 "$t" >"$log/$name.log" 2>&1 # what waits for ever fails, too
    local code=$? n
    n=$(grep -c '\[       OK \]' "$log/$name.log")
    ok=$((ok + n))
    if [ $code != 0 ] || [ "$n" = 0 ]; then
      wrong=$((wrong + 1))
      echo "FAIL $name: exit code $code; run $t"
      grep -v '\[  *OK \]\|\[ RUN' "$log/$name.log" | head -n 20
    else
      echo "PASS $name: $n tests"
    fi
  done
  count $ok $wrong
}

# The Verilog benches under Icarus, a second opinion beside Verilator.
step_icarus() {
  local ok=0 wrong=0 name
  # shellcheck source=tb/lib/icarus.sh
  . tb/lib/icarus.sh
  # Each module tb_* of a file by itself: elaboration takes more than linear time.
  while IFS=: read -r f name; do
    name=${name#module }
    if thinned "$log/$name.vvp" -Wall -Irtl -Irtl/fast -y rtl -y rtl/fast -y rtl/cube -y tb/formal -y tb/rtl -s "$name" "$f" >"$log/$name.log" 2>&1 &&
      timeout 300 vvp -N "$log/$name.vvp" >>"$log/$name.log" 2>&1 &&
      grep -q '^PASS' "$log/$name.log" && ! grep -q 'FAIL' "$log/$name.log"; then
      ok=$((ok + 1))
      echo "PASS $name"
    else
      wrong=$((wrong + 1))
      echo "FAIL $name"
      tail -n 10 "$log/$name.log"
    fi
  done < <(grep -oE '^module tb_[a-z0-9_]*' tb/rtl/tb_*.v)
  count $ok $wrong >"$log/icarus.1"
  part "$log/icarus.2" tb/rtl/test_gate.sh
  part "$log/icarus.3" tb/rtl/test_levels.sh
  part "$log/icarus.4" tb/rtl/test_sizes.sh
  part "$log/icarus.5" tb/rtl/test_fast.sh
  sum "$log"/icarus.[1-5]
}

step_fuzz() {
  good=0 bad=0
  made "$BUILD/fuzz/fuzz_trace" "$BUILD/fuzz/fuzz_config" "$BUILD/fuzz/fuzz_settings" "$BUILD/fuzz/fuzz_sweep" || return
  check "fuzz trace" "$BUILD/fuzz/fuzz_trace" tb/fuzz/corpus/trace 200000 "${SEED:-1}"
  check "fuzz config" "$BUILD/fuzz/fuzz_config" tb/fuzz/corpus/config 200000 "${SEED:-1}"
  check "fuzz settings" "$BUILD/fuzz/fuzz_settings" tb/fuzz/corpus/settings 50000 "${SEED:-1}"
  check "fuzz sweep" "$BUILD/fuzz/fuzz_sweep" tb/fuzz/corpus/sweep 50000 "${SEED:-1}"
  count $good $bad
}

step_lint() { scripts/test/lint.sh; }

step_python() { scripts/test/python.sh; }

# For make check: every module, one case of each kind.
step_modules() { scripts/test/lint.sh modules; }

step_small() {
  local cases=(--case fat16-random --case switch-s1of3-v1-q2-w32-rp-rr --case cube-torus4-v2-q2-w32-ecube-rot)
  made "$BUILD/fatfly" && made shapes COSIM_ARGS="${cases[*]}" || return
  "$BUILD/fatfly" cosim --build "$BUILD" "${cases[@]}"
}

step_cosim() { flock "$BUILD/make.lock" make BUILD="$BUILD" cosim; }

# The C model and the seam under ASan and UBSan, against the same Verilated libraries.
step_sanitized() {
  good=0 bad=0
  local cases=(fat16-random fat16-v2-rg-fcfs fat16-v4-fp-ff exact-n64-l8
    switch-s2of3-v2-q16-w48-gp-fcfs switch-s1of3-v4-q16-w64-rp-fo switch-s3of3-v1-q2-w33-rp-rr
    router-torus16n248-v9-q1-w24-nhop-rr router-torus8n27-v5-q2-w32-nhop-rot
    cube-torus4-v2-q2-w32-ecube-rot)
  made "$BUILD/fatfly-san" && made shapes COSIM_ARGS="${cases[*]/#/--case }" || return
  for c in "${cases[@]}"; do
    check "$c, sanitized" "$BUILD/fatfly-san" cosim --build "$BUILD" --case "$c" --max-cycles 20000
  done
  count $good $bad
}

# The same seed gives the same digest whatever compiler and optimisation; commands write what is recorded.
step_digest() {
  good=0 bad=0
  made "$BUILD/fatfly" || return
  local names=(fat16-v2-rg-fcfs fat16-v4-fp-ff fat16-gp-rot fat64-scalapack-lu)
  local want got compilers=("${CC:-gcc} -O0" "${CC:-gcc} -O3 -funroll-loops")
  command -v clang >/dev/null 2>&1 && compilers+=("clang -O2")
  local named=()
  for name in "${names[@]}"; do named+=(--case "$name"); done
  want=$("$BUILD/fatfly" cosim --build "$BUILD" --side c "${named[@]}" | awk 'NF == 7 && $6 ~ /^[0-9a-f]+$/ { print $1, $6 }')
  check "a digest of each case" test "$(wc -l <<<"$want")" = ${#names[@]} -a -n "$want"
  for c in "${compilers[@]}"; do
    rm -rf "$BUILD/digest"
    mkdir -p "$BUILD/digest"
    # shellcheck disable=SC2086 # a compiler with its options
    if ! $c -std=c11 -D_POSIX_C_SOURCE=200809L -w -shared -fPIC -Icmodel/switch -Icmodel/network \
      -Isim cmodel/switch/*.c cmodel/network/{fat_tree,network}.c sim/dut.c sim/dut_cmodel.c \
      -Wl,-Bsymbolic -o "$BUILD/digest/c.so"; then
      bad=$((bad + 1))
      continue
    fi
    for name in "${names[@]}"; do
      got=$("$BUILD/fatfly" cosim --build "$BUILD" --side c --c "$BUILD/digest/c.so" --case "$name" |
        awk 'NF == 7 && $6 ~ /^[0-9a-f]+$/ { print $1, $6 }')
      check "digest of $name with $c: $got" grep -qx "${got:-none}" <(echo "$want")
    done
  done
  count $good $bad >"$log/digest.1"
  make_all "$BUILD/rtl/n16-v1-q2-w32-rp-rr.so" "$BUILD/rtl/n64-v1-q2-w32-rp-rr.so" "$BUILD/lib/libfatfly.a" "$BUILD/san/model.a"
  part "$log/digest.2" tb/digest/test_digest.sh
  part "$log/digest.3" "python3 -B tb/cli/outputs.py $BUILD/fatfly"
  sum "$log"/digest.[1-3]
}

# The C model against a specification in Python, over a covering design.
step_spec() { made "$BUILD/spec/drive" "$BUILD/rtl/s1of3-v1-q2-w32-rp-rr.so" && tb/spec/test_spec.sh; }

# What judges a run, with a fault at every place that it compares.
step_judge() {
  local name shapes=()
  for name in s2of3-v1-q2-w32-rp-rr s2of3-v1-q2-w32-rp-rr-ref s1of3-v2-q2-w32-rp-rr s1of3-v4-q2-w24-gp-rr \
    n16-v1-q2-w32-rp-rr torus4n5-v2-q2-w32-ecube-rot torus4n5-v3-q2-w32-nhop-rr torus4-v2-q2-w32-ecube-rot mesh4-v1-q2-w32-ecube-rot; do
    shapes+=("$BUILD/rtl/$name.so")
  done
  made "$BUILD/judge/places" "$BUILD/judge/fatfly" "$BUILD/judge/faulty.so" "${shapes[@]}" || return
  tb/judge/test_judge.sh
}

# The command where memory, disk, calls or helpers fail.
step_faults() { made "$BUILD/judge/fatfly" "$BUILD/rtl/n16-v1-q2-w32-rp-rr.so" && tb/faults/test_faults.sh; }

# The wiring of both sides, read as a graph, against the specification's.
step_wiring() { made "$BUILD/wiring/wiring" && tb/wiring/test_wiring.sh; }

# The reference switch and the C model: the same registers, and the lines that docs/rules.md names.
step_twins() { tb/twins/test_twins.sh; }

# The Verilog without a probe, which users synthesize, is the one with it, less the probe.
step_probe() { made "$BUILD/fatfly" "$BUILD/verilated.o" "$BUILD/verilated_threads.o" && tb/probe/test_probe.sh; }

# The fast engines against the cycle engine, and bugs planted in them.
step_engines() { made "$BUILD/lib/libfatfly.a" && parts engines tb/engines/test_engines.sh tb/engines/test_classes.sh; }

# The instructions of the engines and of the Verilog are those of docs/speed.md.
step_speed() { made "$BUILD/fatfly" "$BUILD/rtl/n16-v1-q2-w32-rp-rr.so" && tb/speed/test_speed.sh; }

# Long gaps between worms, late runs, large networks; the constants of the rules that judge a run.
step_long() {
  made "$BUILD/fatfly" "$BUILD/lib/libfatfly.a" || return
  parts long tb/long/test_gaps.sh tb/long/test_constants.sh tb/long/test_large.sh "python3 -B tb/long/shifted.py $BUILD/fatfly"
}

# The soak: what it refuses, how it goes on, rare bugs.
step_soak() {
  made "$BUILD/fatfly" "$BUILD/verilated.o" "$BUILD/verilated_threads.o" "$BUILD/rtl/n16-v1-q2-w32-rp-rr-ref.so" "$BUILD/spec/drive" \
    "$BUILD/judge/faulty.so" "${units[@]}" || return
  parts soak tb/soak/test_soak.sh tb/soak/test_trials.sh
}

step_bugs() { made "$BUILD/fatfly" "$BUILD/verilated.o" "$BUILD/verilated_threads.o" && tb/bugs/run.sh; }

# What the cube refuses; the rest is in the steps unit, lint, cosim and bugs.
step_cube() { made "$BUILD/fatfly" && tb/cube/test_cube.sh; }

step_cli() {
  made "$BUILD/fatfly" "$BUILD/rtl/n16-v1-q2-w32-rp-rr.so" "$BUILD/rtl/s1of3-v1-q2-w32-rp-rr.so" || return
  parts cli tb/cli/test_cli.sh tb/cli/test_task.sh
}

# The network simulator's command, with the sanitizers once more.
step_run() {
  made "$BUILD/fatfly" "$BUILD/fatfly-san" "$BUILD/rtl/n16-v1-q2-w32-rp-rr.so" "$BUILD/rtl/n64-v1-q2-w32-rp-rr.so" || return
  parts run tb/cli/test_run.sh "FATFLY=$BUILD/fatfly-san tb/cli/test_run.sh refused" tb/cli/test_topologies.sh \
    "FATFLY=$BUILD/fatfly-san tb/cli/test_topologies.sh refused" "FATFLY=$BUILD/fatfly-san tb/cli/test_import.sh" \
    "FATFLY=$BUILD/fatfly-san tb/cli/test_saturation.sh refused" tb/cli/test_saturation.sh tb/cli/test_classes.sh \
    "FATFLY=$BUILD/fatfly-san tb/cli/test_classes.sh refused" "FATFLY=$BUILD/fatfly-san tb/cli/test_files.sh" "tb/cli/most.py $BUILD/fatfly"
}

# Logs of every move of a run, and waves of it: what they say is the run, and wrong ones are found.
step_events() {
  made "$BUILD/fatfly" || return
  parts events "tb/events/events.py $BUILD/fatfly" tb/cli/test_tee.sh "tb/events/waves.py $BUILD/fatfly" "tb/events/ladder.py $BUILD/fatfly"
}

step_sweep() {
  made "$BUILD/fatfly" "$BUILD/judge/fatfly" || return
  parts sweep tb/cli/test_sweep.sh tb/cli/test_share.sh tb/cli/test_slurm.sh tb/cli/test_planted.sh
}

# The page of the viewer, in Chromium; where that is not installed it is said.
step_view() { made "$BUILD/fatfly" && tb/view/test_view.sh; }

step_estimate() { made "$BUILD/fatfly" "$BUILD/fatfly-san" && FATFLY=$BUILD/fatfly-san PLAIN=$BUILD/fatfly tb/cli/test_estimate.sh; }

# A part of make bad; programs with planted mistakes, each of which must be counted.
step_bad() {
  good=0 bad=0
  made "$BUILD/fatfly" || return
  check "bad inputs are refused: all of bad.txt, a part of those from the tables of options" tb/cli/bad.py --quick "$BUILD/fatfly"
  tail -n 1 "$log/check.log"
  check "planted mistakes are counted" tb/cli/bad.py --planted "$BUILD/fatfly"
  count $good $bad
}

step_synth() {
  made "$BUILD/fatfly" "$BUILD/verilated.o" "$BUILD/verilated_threads.o" || return
  parts synth tb/synth/test_synth.sh tb/synth/test_tried.sh
}

step_board() { tb/board/test_board.sh; }

step_axis() { tb/axis/test_axis.sh; }

step_packaging() { tb/packaging/test_packaging.sh; }

# Of make formal: a proof of each kind, each with a bug that breaks it.
step_formal() {
  parts formal tb/formal/test_formal.sh "scripts/formal/formal.py --quick" tb/formal/test_tasks.sh
}

# Of make mutate: a sample of both sides.
step_mutate() {
  made "$BUILD/fatfly" "$BUILD/mutate/judge" "$BUILD/mutate/arbiter_all" || return
  made shapes || return
  tb/mutate/test_mutate.sh
}

# Of make coverage: merging of counts, holes that are seen.
step_coverage() {
  made "$BUILD/fatfly" "$BUILD/rtl/n16-v1-q2-w32-rp-rr.so" "$BUILD/rtl/s1of3-v1-q2-w32-rp-rr.so" || return
  tb/coverage/test_coverage.sh
}

step_library() { made "$BUILD/fatfly" "$BUILD/san/model.a" lib && tb/library/test_library.sh; }

# What other languages and tools see of the library.
step_bindings() {
  made "$BUILD/fatfly" "$BUILD/verilated.o" "$BUILD/verilated_threads.o" lib || return
  parts bindings tb/python/test_python.sh "JOBS=$jobs tb/dpi/test_dpi.sh" tb/perfetto/test_perfetto.sh \
    "JOBS=$jobs tb/systemc/test_systemc.sh" tb/cocotb/test_cocotb.sh
}

# One run shared among processes.
step_mpi() {
  made "$BUILD/fatfly" || return
  ! command -v mpicc >/dev/null || made "$BUILD/fatfly-mpi" || return
  tb/mpi/test_mpi.sh
}

# What is added without a change here, by the examples of docs/plugin and wrong ones, and what with one.
step_plugin() { made "$BUILD/fatfly" && parts plugin tb/plugin/test_plugin.sh tb/layers/test_where.sh; }

# The published tables, judged by intervals.
step_paper() {
  made "$BUILD/fatfly" || return
  parts paper tb/paper/test_paper.sh "python3 -B tb/paper/large.py $BUILD/fatfly" \
    "python3 -B scripts/paper/coverage_ci.py check" "python3 -B scripts/paper/statements.py again 0.7" \
    tb/paper/test_task.sh
}

# The simulator with other readings of BC agrees with ours where it reads as ours does.
step_readings() {
  good=0 bad=0
  made "$BUILD/fatfly" || return
  check "other readings of BC" tb/bc/readings.sh --check
  count $good $bad
}

all=(
  setup
  files
  unit
  icarus
  fuzz
  lint
  python
  cosim
  sanitized
  judge
  digest
  engines
  speed
  spec
  wiring
  probe
  soak
  long
  twins
  bugs
  docs
  cube
  cli
  run
  events
  sweep
  faults
  estimate
  view
  bad
  formal
  synth
  board
  axis
  packaging
  mutate
  coverage
  library
  bindings
  mpi
  plugin
  paper
  readings
)
short=(modules small) # what make check has instead of lint and cosim
steps=("$@")
[ $# = 0 ] && steps=("${all[@]}")
nearest() { # WORD NAME...
  python3 -c 'import difflib, sys; print(difflib.get_close_matches(sys.argv[1], sys.argv[2:], 1, 0)[0])' "$@"
}
for s in "${steps[@]}"; do
  declare -F "step_$s" >/dev/null && continue
  echo "test.sh: no step '$s'; allowed: ${all[*]} ${short[*]}; nearest: $(nearest "$s" "${all[@]}" "${short[@]}")" >&2
  exit 2
done

# Three at once where there are several steps and two cores, as they wait for terminals, browsers and locks: long ones
# first, and beside the co-simulation, which holds the lock of make while it builds, those that make nothing.  docs reads
# reports of bugs.
first=(cosim axis lint board packaging formal icarus python twins synth unit bugs engines faults bindings mutate spec judge soak
  long digest run view sweep probe readings library wiring)
passed_by() { [[ " ${first[*]} docs " == *" $1 "* ]]; }
lanes=1
if [ ${#steps[@]} -gt 1 ] && [ "$jobs" -gt 1 ]; then
  lanes=3
  order=()
  for s in "${first[@]}"; do [[ " ${steps[*]} " != *" $s "* ]] || order+=("$s"); done
  for s in "${steps[@]}"; do passed_by "$s" || order+=("$s"); done
  [[ " ${steps[*]} " != *" docs "* ]] || order+=(docs)
  steps=("${order[@]}")
fi

# tally NAME CODE FILE: adds the counts of a step whose output is there; what failed is kept for the end.
tally() {
  local line p f
  line=$(closing "$3")
  p=${line%% *} f=${line#*, }
  f=${f%% *}
  # What ends badly without saying so is a failure, too, and what looks at nothing.
  if [ -z "$line" ] || { [ "$2" != 0 ] && [ "$f" = 0 ]; } || blind "$line" "$3"; then
    echo "FAIL $1 ended with code $2"
    f=$((${f:-0} + 1))
  fi
  passed=$((passed + ${p:-0}))
  failed=$((failed + f))
  [ "$f" = 0 ] || said+=$(named "$1" "$3")$'\n'
}
# CPU seconds of what this shell has started and waited for so far.
cpu() {
  times >"$log/times"
  used=$(awk -F '[ms ]+' 'NR == 2 { printf "%d", 60 * ($1 + $3) + $2 + $4 }' "$log/times")
}
title() { echo "== $1 (step $2 of ${#steps[@]}, $(date +%T))"; }

one_by_one() {
  local number=0 begin before used
  for s in "${steps[@]}"; do
    number=$((number + 1))
    title "$s" $number
    begin=$SECONDS
    cpu
    before=$used
    "step_$s" 2>&1 | tee "$log/$s.out"
    tally "step $s" "${PIPESTATUS[0]}" "$log/$s.out"
    cpu
    echo "   $s took $((SECONDS - begin)) s, $((used - before)) s of CPU time"
  done
}

# Each step in a test.sh and a session of its own, with logs of its own; a line says that it begins, its output follows
# when it ends.
at_once() {
  local number=0 child code ended
  declare -A name=()
  stop() { for child in "${!name[@]}"; do kill -- "-$child" 2>/dev/null; done; }
  trap stop EXIT
  trap 'exit 1' HUP INT TERM
  while [ $number -lt ${#steps[@]} ] || [ ${#name[@]} -gt 0 ]; do
    if [ $number -lt ${#steps[@]} ] && [ ${#name[@]} -lt $lanes ]; then
      s=${steps[number]}
      number=$((number + 1))
      title "$s begins" $number
      # What runs behind a shell ignores SIGINT, and with it whatever it starts; steps interrupt programs.
      JOBS=$(((jobs + lanes - 1) / lanes)) TEST_LOG=$log/$s env --default-signal=INT,QUIT setsid scripts/test.sh "$s" >"$log/$s.out" 2>&1 &
      name[$!]=$s
      continue
    fi
    wait -n -p ended "${!name[@]}"
    code=$?
    s=${name[$ended]}
    unset "name[$ended]"
    echo "== $s"
    sed '1d; /^   [a-z]* took [0-9]* s, [0-9]* s of CPU time$/,$d' "$log/$s.out"
    tally "step $s" $code "$log/$s.out"
    sed -n '/^   [a-z]* took [0-9]* s, [0-9]* s of CPU time$/p' "$log/$s.out"
  done
}

if [ $lanes = 1 ]; then one_by_one; else at_once; fi
if [ ${#steps[@]} -gt 1 ] && [ -n "$said" ]; then printf '== what failed\n%s' "$said"; fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
