#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_view.sh - builds the viewer's page and runs test_view.py in it; without a browser it builds the page alone.
#
# usage: test_view.sh [--pictures DIR]   BUILD=build
cd "$(dirname "$0")/../.." || exit 4
build=${BUILD:-build}

skip() {
  echo "SKIP the viewer in a browser: $1; scripts/setup.sh view installs what it needs"
  echo "1 passed, 0 failed"
  exit 0
}

make -s "$build/view/page.html" BUILD="$build" || { echo "0 passed, 1 failed" && exit 1; }
echo "PASS the page builds, and is not too large"
for tool in chromium chromedriver; do
  command -v "$tool" >/dev/null || skip "no $tool"
done
/usr/bin/python3 -c 'import selenium' 2>/dev/null || skip "no python3-selenium"
BUILD=$build exec timeout 500 /usr/bin/python3 tb/view/test_view.py "$@"
