#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_python.sh - builds the Python package from the library's objects and tests it; types, too.
# Skipped where Python lacks what it needs.  Ends with `N passed, N failed`.
set -u
cd "$(dirname "$0")/../.." || exit 4
build=$(realpath -m "${BUILD:-build}")
log=$build/python-package
mkdir -p "$log"
export PYTHONDONTWRITEBYTECODE=1 FATFLY="$build/fatfly" FATFLY_OBJECTS="$build/lib/obj"

# The first Python that has it all.
python=
for p in python3 /usr/bin/python3; do
  "$p" -c 'import cffi, numpy, pandas, pytest, setuptools' 2>"$log/missing" && python=$p && break
done
if [ -z "$python" ]; then
  echo "SKIP the Python package: $(tail -n 1 "$log/missing"); scripts/setup.sh python installs what it needs"
  echo "0 passed, 0 failed"
  exit 0
fi

passed=0
failed=0
check() { # NAME COMMAND...
  local name=$1
  shift
  if "$@" >"$log/out" 2>&1; then
    passed=$((passed + 1))
    echo "PASS $name"
  else
    failed=$((failed + 1))
    echo "FAIL $name: $*"
    tail -n 30 "$log/out"
  fi
}

make_package() { "$python" setup.py -q build --force --build-base "$log/tmp" --build-lib "$log/lib"; }
run_tests() { PYTHONPATH=$log/lib "$python" -m pytest -q -rA -p no:cacheprovider tb/python >"$log/pytest" 2>&1; }
typed() {
  command -v mypy >/dev/null || return 0
  mypy --strict --ignore-missing-imports --cache-dir "$log/mypy" --disable-error-code no-any-return \
    --disable-error-code type-arg cmodel/python/fatfly
}

# A mistake in a copy of the package, which the tests must see.
planted() { # FILE SED TEST
  rm -rf "$log/bad" && cp -r "$log/lib" "$log/bad" && sed -i "$2" "$log/bad/fatfly/$1" &&
    ! cmp -s "$log/lib/fatfly/$1" "$log/bad/fatfly/$1" &&
    ! PYTHONPATH=$log/bad "$python" -m pytest -q -x -p no:cacheprovider tb/python -k "$3" >"$log/bad.out" 2>&1 &&
    grep -q "^FAILED .*$3" "$log/bad.out"
}

check "the package builds" make_package
if [ $failed = 0 ]; then
  run_tests || { tail -n 30 "$log/pytest"; [ -s "$log/pytest" ] || failed=1; }
  passed=$((passed + $(grep -c '^PASSED' "$log/pytest")))
  failed=$((failed + $(grep -cE '^(FAILED|ERROR)' "$log/pytest")))
  grep -E '^(PASSED|FAILED|ERROR|SKIPPED)' "$log/pytest"
fi
check "types" typed
check "planted, another seed" planted _run.py 's/fatfly_run_seed(config.c.seed, k)/fatfly_run_seed(config.c.seed, k + 1)/' test_same_digest
check "planted, defaults of another discipline" planted _config.py 's/self.given.get("discipline", "worm")/"worm"/' test_same_digest
check "planted, no name for a deadlock" planted _run.py 's/, "deadlock"\]/]/' test_deadlock
check "planted, a bool as a number" planted _config.py 's/isinstance(value, (bool, np.bool_)) or //' test_wrong_settings
check "planted, a version that nobody compares" planted _config.py 's/^same_version()$//' test_another_version
echo "$passed passed, $failed failed"
[ $failed = 0 ]
