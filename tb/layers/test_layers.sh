#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_layers.sh - scripts/test/layers.py finds what is planted: an include against the layers, a
# circle, a long function in C and in Python, a long file.
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
scratch

says() { [ "$code" = 1 ] && grep -q "$1" "$t/out"; }

# plant FILE SAYS: what comes on standard input stands in a copy of the tree at the end of FILE.
plant() {
  rm -rf "$t/tree"
  mkdir "$t/tree"
  cp -r cmodel sim scripts "$t/tree"
  cat >>"$t/tree/$1"
  run scripts/test/layers.py "$t/tree"
  check "planted in $1: '$2'" says "$2"
}

plant cmodel/measure/measure.c 'measure includes cmodel/engine/engine.h' <<<'#include "engine.h"'
plant cmodel/cli/run.c 'cli includes sim/dut.h' <<<'#include "dut.h"'
plant cmodel/engine/worm.c 'engine includes cmodel/base/fail.h' <<<'#include "fail.h"'
plant cmodel/topology/topology.h 'a circle of includes: .*dependency' <<<'#include "dependency.h"'
plant sim/waves.h 'a circle of includes: .*waves_own' <<<'#include "waves_own.h"'
plant sim/follow.c 'a function of 81 lines' < <(echo 'static void f(void)'; echo '{'; yes ';' | head -n 79; echo '}')
plant scripts/lib/lists.py 'planted() has 81 lines; allowed: 80' < <(echo 'def planted():'; yes '    pass' | head -n 80)
plant cmodel/base/fail.h 'lines; allowed: 800' < <(yes '/* */' | head -n 800)

ends
