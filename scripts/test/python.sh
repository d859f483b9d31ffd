#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# python.sh - the Python of this repository: mypy, pylint, and the tests of tb/scripts.
# Ends with `N passed, N failed`.
#
# usage: python.sh [TOOL [FILE]]   mypy, pylint, pytest or planted: mistakes in a copy, which the three must see;
#        FILE: one of theirs alone
set -u
cd "$(dirname "$0")/../.." || exit 4
. scripts/lib/surroundings.sh
tool=${1:-}
build=${BUILD:-build}
mkdir -p "$build"
passed=0
failed=0
tests=tb/scripts
files=(scripts/*/*.py tb/docs/*.py tb/paper/*.py tb/packaging/*.py tb/probe/*.py tb/faults/*.py tb/events/*.py tb/perfetto/*.py
       tb/spec/*.py tb/wiring/*.py tb/twins/*.py tb/formal/*.py tb/cli/*.py tb/view/*.py tb/rtl/*.py)
if [ $# -gt 1 ]; then
  tests=$2
  [[ " ${files[*]} $(echo tb/scripts/test_*.py) " == *" $2 "* ]] || { echo "python.sh: $2: no file that they look at" >&2; exit 2; }
  files=("$2")
fi
export PYTHONPATH=scripts:scripts/paper:scripts/synth:scripts/formal:scripts/mutate:scripts/docs:tb/spec:tb/events:tb/rtl:tb/perfetto:tb/scripts PYTHONDONTWRITEBYTECODE=1

try() { # NAME COMMAND...
  local name=$1
  shift
  [ -z "$tool" ] || [ "$tool" = "${name%%,*}" ] || return 0
  if "$@" >"$build/python.log" 2>&1; then
    passed=$((passed + 1))
    echo "PASS $name"
  else
    failed=$((failed + 1))
    echo "FAIL $name: $*"
    tail -n 40 "$build/python.log"
  fi
}

try mypy mypy --cache-dir "$build/mypy" --config-file scripts/test/mypy.ini "${files[@]}"
try pylint pylint --score=n --ignored-modules=selenium --disable=all \
  --enable=E,F,unused-import,unused-variable,unreachable,dangerous-default-value,bare-except "${files[@]}"
plugins=(-p no:cacheprovider)
[ "$tests" != tb/scripts ] || plugins+=(-p called) # which functions no test calls
try pytest pytest-3 -q "${plugins[@]}" "$tests"

# A mistake in a copy: the tool must fail there and name the file.
planted() { # TOOL FILE SED TEXT: what TEXT names must be among what the tool looks at, and is looked at alone
  local tree=$build/planted
  rm -rf "$tree"
  mkdir -p "$tree" && cp -r scripts tb "$tree" && sed -i "$3" "$tree/$2" && ! cmp -s "$2" "$tree/$2" || return 1
  BUILD=build "$tree/scripts/test/python.sh" "$1" "$(sed 's/^FAILED //; s/:$//' <<<"$4")" >"$tree/out"
  local code=$?
  [ $code != 0 ] && grep -q "^$4" "$tree/build/python.log" && return # all that the tool said, not the end of it
  echo "not seen: code $code, or no line $4"
  tail -n 30 "$tree/out" | sed 's/^/  /'
  return 1
}
try "planted, a wrong type" planted mypy scripts/lib/lists.py 's/path: str, count/path: int, count/' scripts/lib/lists.py:
try "planted, a name that is not there" planted pylint scripts/sim/matrix.py 's/pathlib.Path(/pathlip.Path(/' scripts/sim/matrix.py:
try "planted, fields of lists" planted pytest scripts/lib/lists.py 's/!= count:/!= count + 1:/' "FAILED tb/scripts/test_lists.py"
try "planted, one signed operand" planted pytest scripts/formal/formal_gates.py 's/return all(number/return any(number/' "FAILED tb/scripts/test_gates.py"
try "planted, shifts of 16" planted pytest scripts/formal/formal_gates.py 's/if k < 32 else/if k < 4 else/' "FAILED tb/scripts/test_gates.py"
# shellcheck disable=SC2016  # a cell of Yosys
try "planted, zeros beyond a word" planted pytest scripts/formal/formal_gates.py 's/if kind == "$shift":/if kind in PICK:/' "FAILED tb/scripts/test_gates.py"
try "planted, undefined bits that are one" planted pytest scripts/formal/formal_gates.py 's/self.unknown + n}/self.unknown}/' "FAILED tb/scripts/test_gates.py"
try "planted, a child that goes on" planted pytest scripts/lib/programs.py 's/os.killpg/os.kill/' "FAILED tb/scripts/test_programs.py"
try "planted, a time-out that proves" planted pytest scripts/mutate/mutate_equal.py 's/return code == 20/return code != 10/' \
  "FAILED tb/scripts/test_provers.py"
# Mistakes in numbers and verdicts, in one copy, and the line that pytest must have for each.
of_numbers() {
  local tree=$build/planted file change line code=0
  rm -rf "$tree"
  mkdir -p "$tree" && cp -r scripts tb "$tree" && ln -s "$PWD"/{docs,rtl,cmodel} "$tree" || return 1
  while IFS='|' read -r file change line; do
    cp "$tree/$file" "$tree/before"
    sed -i "$change" "$tree/$file"
    ! cmp -s "$tree/before" "$tree/$file" || { echo "nothing to plant: $change"; return 1; }
  done <<<"$mistakes"
  ! (cd "$tree" && pytest-3 -q -p no:cacheprovider -p called tb/scripts/test_{numbers,mutants,intervals,cells,scores,paths,caches,merges,chapters,covered,terms,readings,verdicts_{go,cmsv}}.py tb/scripts/test_soak.py -k "not every_option") >"$tree/out" 2>&1 || return 1
  while IFS='|' read -r file change line; do
    grep -q "^$line" "$tree/out" || { echo "not seen: $change: no line $line"; code=1; }
  done <<<"$mistakes"
  return $code
}
mistakes='scripts/paper/paper_tools.py|s: \* kk / (kk \* pp: * pp / (kk * pp:|FAILED tb/scripts/test_numbers.py::test_powers
scripts/paper/paper_tools.py|s:(n - 2) / xx:(n - 1) / xx:|FAILED tb/scripts/test_numbers.py::test_anscombe
scripts/paper/coverage_ci.py|s:solve(hits + 1, :solve(hits, :|FAILED tb/scripts/test_numbers.py::test_clopper_and_pearson
scripts/paper/coverage_ci.py|s:a <= truth\[k\] <= b:a <= truth[k] < b:|FAILED tb/scripts/test_numbers.py::test_what_intervals_cover
scripts/paper/paper_cmsv.py|s:return c \* d \* l$:return c * d * l * lg(l):|FAILED tb/scripts/test_numbers.py::test_terms_by_hand
scripts/paper/judging.py|s:PART if good else:PART if good > 1 else:|FAILED tb/scripts/test_numbers.py::test_verdicts
scripts/paper/paper_leighton.py|s:last_arrival_max"\] + 1:last_arrival_max"]:|FAILED tb/scripts/test_numbers.py::test_the_bound_of_leighton
scripts/synth/synth.py|s:statistics.median(:statistics.median_high(:|FAILED tb/scripts/test_numbers.py::test_clocks_of_placements
scripts/mutate/judges.py|s:(file, " ".join(compiler)):(file, compiler[0]):|FAILED tb/scripts/test_mutants.py::test_equivalent
scripts/mutate/judges.py|s:return "stillborn":return "killed":|FAILED tb/scripts/test_mutants.py::test_stillborn
scripts/paper/judge_go_fat_trees.py|s:one.high - other.low < min:one.low - other.high < min:|FAILED tb/scripts/test_intervals.py::test_bars_that_overlap
scripts/paper/judge_readings.py|s:by.low <= 8 else:by.low < 8 else:|FAILED tb/scripts/test_intervals.py::test_ends.rr_fo
scripts/synth/synth_tools.py|s:"ram". r"RAM.w+:"ram"\: r"RAMB\\w+:|FAILED tb/scripts/test_cells.py::test_cells_are_counted_as_what_they_are.xilinx
scripts/mutate/mutate.py|s:float(r.9.),:r[9],:|FAILED tb/scripts/test_scores.py::test_the_table_of_mutants
scripts/mutate/mutate.py|s:lines\[index\]:lines[0]:|FAILED tb/scripts/test_scores.py::test_survivors_in_other_shapes
scripts/synth/synth_tools.py|s:// 6} to output:% 6} to output:|FAILED tb/scripts/test_paths.py::test_every_grant
scripts/synth/synth.py|s:self.version, \*self.options):self.version):|FAILED tb/scripts/test_caches.py::test_each_thing_that_placements_are_made_of
scripts/formal/merge_formal.py|s:sum(map(passed, mine)):len(mine):|FAILED tb/scripts/test_merges.py::test_the_table_of_proofs
scripts/paper/paper_bc.py|s:alike = alike and most:alike = most:|FAILED tb/scripts/test_chapters.py::test_other_tori
scripts/paper/judge_cmsv.py|s:+ n \* n) / b:+ n) / b:|FAILED tb/scripts/test_terms.py::test_terms_of_the_papers.corollary_1_12
scripts/paper/judge_gg.py|s:worst < 0.005:worst < 0.05:|FAILED tb/scripts/test_intervals.py::test_limits.equation_1
scripts/paper/readings.sh|s:abs(float(c\["off"\])) > L:float(c["off"]) > L:|FAILED tb/scripts/test_readings.py::test_pages
scripts/test/coverage.py|s:+= seen.point. == 3$:+= seen[point] > 0:|FAILED tb/scripts/test_covered.py::test_bits
scripts/sim/soak.py|s:(turns - (turns + 1) // 3) %:2 * turns %:|FAILED tb/scripts/test_soak.py::test_every_design_has_its_turns
tb/scripts/test_intervals.py|s:^def test_the_program_is:def the_program_is:|never called: judge_readings.is_the_engine
tb/scripts/test_numbers.py|s:^def test_verdicts_near:def verdicts_near:|never called: coverage_ci.power
scripts/paper/judge_leighton.py|s:> min(2 \*\*:> max(2 **:|FAILED tb/scripts/test_verdicts_cmsv.py
tb/scripts/called.py|s:below_100::|one verdict alone: judge_leighton.below_100'
try "planted, in numbers and verdicts" of_numbers
echo "$passed passed, $failed failed"
[ $failed = 0 ]
