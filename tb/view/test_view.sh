#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_view.sh - builds the viewer's page and runs test_view.py, or says why it cannot.
#
# usage: test_view.sh [--pictures DIR]   BUILD=build
cd "$(dirname "$0")/../.." || exit 4
build=${BUILD:-build}

skip() {
  echo "SKIP the viewer: $1; scripts/setup.sh view installs what it needs"
  echo "0 passed, 0 failed"
  exit 0
}

for tool in clang-14 wasm-ld-14 chromium chromedriver; do
  command -v "$tool" >/dev/null || skip "no $tool"
done
[ -e /usr/include/wasm32-wasi/stdio.h ] || skip "no wasi-libc"
/usr/bin/python3 -c 'import selenium' 2>/dev/null || skip "no python3-selenium"
make -s "$build/view/page.html" BUILD="$build" || { echo "0 passed, 1 failed" && exit 1; }
BUILD=$build exec timeout 500 /usr/bin/python3 tb/view/test_view.py "$@"
