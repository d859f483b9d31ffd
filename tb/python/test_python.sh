#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_python.sh - builds the Python package from the library's objects and tests it; types, too.
# Skipped where Python lacks what it needs.  Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
t=$build/python-package
mkdir -p "$t"
export PYTHONDONTWRITEBYTECODE=1 FATFLY="$build/fatfly" FATFLY_OBJECTS="$build/lib/obj"

# The first Python that has it all.
python=
for p in python3 /usr/bin/python3; do
  "$p" -c 'import cffi, numpy, pandas, pytest, setuptools' 2>"$t/missing" && python=$p && break
done
[ -n "$python" ] || skip "the Python package" "$(tail -n 1 "$t/missing"); scripts/setup.sh python installs what it needs"

make_package() { "$python" setup.py -q build --force --build-base "$t/tmp" --build-lib "$t/lib"; }
run_tests() { PYTHONPATH=$t/lib:tb/python "$python" -m pytest -q -rA -p lines -p no:cacheprovider tb/python >"$t/pytest" 2>&1; }
bare_of() { ! grep '^never run: ' "$1" && grep -qE '^[0-9]+ [a-z].* in [0-9.]+s' "$1"; } # what lines.py says of lines that no test ran, to pytest's end
unseen() { # of the tests of a switch one less, and a line that no test runs is named
  PYTHONPATH=$t/lib:tb/python "$python" -m pytest -q -p lines -p no:cacheprovider tb/python -k 'switch and not test_the_seed_of_a_switch' >"$t/unseen" 2>&1
  grep -q '^never run: _switch.py:[0-9]*: self._seed = ' "$t/unseen"
}
typed() {
  command -v mypy >/dev/null || return 0
  mypy --strict --ignore-missing-imports --cache-dir "$t/mypy" --disable-error-code no-any-return \
    --disable-error-code type-arg cmodel/python/fatfly
}

# A mistake in a copy of the package, which the tests must see.
planted() { # FILE SED TEST
  rm -rf "$t/bad" && cp -r "$t/lib" "$t/bad" && sed -i "$2" "$t/bad/fatfly/$1" &&
    ! cmp -s "$t/lib/fatfly/$1" "$t/bad/fatfly/$1" &&
    ! PYTHONPATH=$t/bad "$python" -m pytest -q -x -p no:cacheprovider tb/python -k "$3" >"$t/bad.out" 2>&1 &&
    grep -q "^FAILED .*$3" "$t/bad.out"
}

check "the package builds" make_package
if [ $failed = 0 ]; then
  code=0
  run_tests || { code=$? && tail -n 30 "$t/pytest"; }
  passed=$((passed + $(grep -c '^PASSED' "$t/pytest")))
  failed=$((failed + $(grep -cE '^(FAILED|ERROR)' "$t/pytest")))
  # What ends badly without saying so is a failure, too.
  [ $code = 0 ] || grep -qE '^(FAILED|ERROR|never run: )' "$t/pytest" || fail "the tests ended with code $code"
  grep -E '^(PASSED|FAILED|ERROR|SKIPPED)' "$t/pytest"
  check "every line of the package's functions runs in a test" bare_of "$t/pytest"
fi
check "types" typed
check "planted, another seed" planted _run.py 's/fatfly_run_seed(config.c.seed, k)/fatfly_run_seed(config.c.seed, k + 1)/' test_same_digest
check "planted, defaults of another discipline" planted _config.py 's/self.given.get("discipline", "worm")/"worm"/' test_same_digest
check "planted, whole flits of uneven channels" planted _run.py 's|channels / -(-channels|channels // -(-channels|' test_use_of_links
check "planted, up for down" planted _run.py 's/("up", self._raw.up), ("down", self._raw.down)/("down", self._raw.up), ("up", self._raw.down)/' test_tables_are
check "planted, a mean over worms that are not measured" planted _run.py 's|of.latency_sum / of.measured|of.latency_sum / of.worms|' test_every_column
check "planted, what is offered for what is accepted" planted _run.py 's/self._load(of.accepted_flits)/self._load(of.offered_flits)/' test_every_column
check "planted, another cell of the model" planted _model.py 's/"wait": r.wait/"wait": r.service/' test_model_is
check "planted, a fat-tree by name" planted _run.py 's/ or text(config.c.topology) == "fat-tree"$//' test_same_numbers
check "planted, no name for a deadlock" planted _run.py 's/, "deadlock"\]/]/' test_deadlock
check "planted, a bool as a number" planted _config.py 's/isinstance(value, (bool, np.bool_)) or //' test_wrong_settings
check "planted, a test less" unseen
check "planted, a seed that does not stay" planted _switch.py 's/self._seed = _whole("seed", seed, 32)$/pass/' test_the_seed_of_a_switch
check "planted, a switch that takes more than fits" planted _switch.py 's/if not self._room\[p\] >> .*:$/if False:/' test_a_switch_takes
check "planted, a parent of a root" planted _switch.py 's/if not self._room\[p\] >> /if p < 4 and not self._room[p] >> /' test_a_root_has
check "planted, a column of the grid that is written over" planted _sweep.py 's/ if "cycles" in grid else {}$/ if not grid else {}/' test_a_grid_of
check "planted, a hot spot beside a matrix" planted _config.py 's/if len(set(brought.values())) > 1:/if "permutation" in brought and len(brought) > 1:/' test_wrong_settings
check "planted, an option that is False" planted _model.py 's/ and (not flag or value):/:/' test_estimate
check "planted, no jobs" planted _run.py 's/_within(name, count, 1,/_within(name, count, 0,/' test_jobs_are
check "planted, a poll that must say so" planted _run.py 's/is not False/is True/' test_a_poll
check "planted, a version that nobody compares" planted _config.py 's/^same_version()$//' test_another_version
check "planted, a root that is cut off" planted _config.py 's/self.c.radix = round(\(.*\))$/self.c.radix = int(\1)/' test_every_size
check "planted, square roots alone" planted _config.py 's|(1 / max(1, self.c.dimensions))|0.5|' test_every_size
check "planted, sizes of two dimensions" planted _config.py 's/min(self.c.radix \*\* self.c.dimensions,/min(self.c.radix ** 2,/' test_every_size

check "planted, a matrix as it lies in memory" planted _config.py 's/astype(np.float64).reshape(-1)/astype(np.float64).ravel("K")/' test_arrays_that
check "planted, a permutation as it lies in memory" planted _config.py 's/array.astype(np.uint32)/(array if array.base is None else array.base).astype(np.uint32)/' test_arrays_that
check "planted, 64 processors of every graph" planted _config.py 's/self.c.nodes = _graph_processors(content, name)/pass/' test_a_graph_says
check "planted, a channel of no link" planted _session.py 's/(f"{end}_link", lib/(f"{end}_{of}", lib/' test_a_place_that
check "planted, a tag that is missing" planted _session.py 's/_NONE.get(name, (name, None))/_NONE.get(name, (name, NEVER))/' test_a_place_that
check "planted, a configuration that goes too early" planted _run.py 's/lib.fatfly_check(config.c/lib.fatfly_check(Config(settings).c/' test_what_a_call_points
check "planted, an inside that is empty" planted _session.py 's/if not shape.shows:/if False:/' test_a_session_that_cannot

ends
