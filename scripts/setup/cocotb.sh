#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cocotb.sh - cocotb, cocotbext-axi and what the Python package needs, from PyPI in build/venv-cocotb.
#
# Usage: cocotb.sh [2].  cocotb 1.9, which goes with Verilator 5.006 and Icarus; with 2: cocotb 2, with Icarus, in
# build/venv-cocotb2.  Silent when it is there.
# Exit codes: 0 there, 2 usage, 4 cannot be had, which one line says; all else works without it.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd) || exit 4
build=${BUILD:-$here/build}
python=${PYTHON3:-/usr/bin/python3} # whose shared library cocotb loads
version=1.9.2 folder=$build/venv-cocotb
if [ "$*" = 2 ]; then
  version=2.0.1 folder=${folder}2
  shift
fi
log=$folder.log

[ $# = 0 ] || { echo "cocotb.sh: unknown argument $1; allowed: none, or 2" >&2; exit 2; }
[ -e "$folder/whole" ] && exit 0
skip() { # WHY
  echo "cocotb.sh: SKIPPED, no cocotb: $1" >&2
  exit 4
}

mkdir -p "$build" || skip "cannot make $build"
rm -rf "$folder"
"$python" -m venv "$folder" >"$log" 2>&1 ||
  skip "$python -m venv failed; scripts/setup.sh fpga python installs python3-venv and python3-dev"
"$folder/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 20 \
  cocotb==$version cocotbext-axi==0.1.28 cffi numpy pandas setuptools >>"$log" 2>&1 ||
  { rm -rf "$folder"; skip "pip cannot install it; $log"; }
"$folder/bin/python" -c 'import cocotb, cocotbext.axi, cffi, numpy, pandas' >>"$log" 2>&1 ||
  { rm -rf "$folder"; skip "it does not load; $log"; }
touch "$folder/whole"
