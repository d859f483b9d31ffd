#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# test_where.sh - "Where to put what" of docs/architecture.md, tried: in a copy of the tree a topology,
# a path selection, a pattern, a scan in both languages, an engine, a measure, a case and a unit test
# are added at the places that the page names and nowhere else; the copy is built and each is run.
# Ends with `N passed, N failed`.
# shellcheck disable=SC2016 # the backquotes of Verilog
set -u
cd "$(dirname "$0")/../.." || exit 4
# shellcheck source=tb/lib/checks.sh
. tb/lib/checks.sh
scratch
limit=600
export BUILD=build
unset MAKEFLAGS MAKELEVEL
cp -r cmodel sim rtl scripts tb Makefile docs "$t"
cd "$t" || exit 4

# line FILE SED: FILE must have what the sed script replaces.
line() {
  cp "$1" before
  sed -i "$2" "$1"
  ! cmp -s before "$1" || fail "$1: nothing met '$2'"
}

said() { [ "$code" = 0 ] && cat "$t/out" "$t/err" | grep -Eq -- "$1"; }

# says NAME TEXT COMMAND...: its output must have a line with TEXT.
says() {
  local name=$1 text=$2
  shift 2
  run "$@"
  check "$name" said "$text"
}

# -- a topology: a file and a line of KINDS --
cat >cmodel/topology/ring.c <<'C'
/* ring.c - one way round: node a to a + 1. */
#include "topology.h"

#include <stdio.h>

static const enum fatfly_path paths[] = {FATFLY_GREEDY, FATFLY_PATHS};

static int open_ring(struct topology *t, char *why, size_t size)
{
    if (t->params.processors < 2) {
        snprintf(why, size, "nodes = %u; allowed: 2 or more", t->params.processors);
        return -1;
    }
    t->nodes = t->processors = t->params.processors;
    t->ports = 1;
    t->classes = t->params.classes ? t->params.classes : 2;
    return 0;
}

static uint32_t far(const struct topology *t, uint32_t node, unsigned port)
{
    (void)port;
    return (node + 1) % t->nodes;
}

static unsigned group(const struct topology *t, uint32_t node, unsigned port)
{
    (void)t, (void)node, (void)port;
    return 0;
}

/* The second channel from node 0 on: no circle. */
static unsigned route(const struct topology *t, const struct topology_place *at, uint32_t dst,
                      struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    (void)t;
    uint8_t c = at->node < dst ? 1 : 0;
    choice[0] = (struct topology_choice){0, c, c};
    return at->node != dst;
}

const struct topology_kind topology_ring = {.name = "ring", .paths = paths, .open = open_ring,
                                            .far = far, .group = group, .route = route};
C
line cmodel/topology/topology.c 's/^    KIND(hypercube) .*/&\n    KIND(ring) \\/'

# -- a pattern: a case and a name of pattern.c, its number --
line cmodel/traffic/pattern.c 's/^    case FATFLY_IDENTITY:/    case FATFLY_OPPOSITE:\n        return (src + n \/ 2) % n;\n&/'
line cmodel/fatfly.h 's/^    FATFLY_PATTERNS$/    FATFLY_OPPOSITE,\n&/'
line cmodel/traffic/pattern.c '/^const char \*const fatfly_pattern_names/,/};/s/"matrix"}/"matrix", "opposite"}/'

# -- a path selection of a topology: its kind, the number and the name --
line cmodel/topology/hypercube.c 's/FATFLY_MINIMAL_ADAPTIVE, FATFLY_PATHS}/FATFLY_MINIMAL_ADAPTIVE, FATFLY_HIGH_FIRST, FATFLY_PATHS}/
  s/^    return count;/    if (t->path == FATFLY_HIGH_FIRST \&\& count)\n        choice[0] = choice[count - 1], count = 1;\n&/'
line cmodel/fatfly.h 's/^    FATFLY_PATHS$/    FATFLY_HIGH_FIRST,\n&/'
line cmodel/topology/topology.c 's/"balanced-e-cube", "walk"}/"balanced-e-cube", "walk", "high-first"}/'

# -- a scan, ports 5 .. 0, in both languages: its rule, its number and its name; no fast switch or engine knows it --
line cmodel/switch/scan.c 's/^    default: .* SCAN_FCFS .*/    case SCAN_DOWN:\n        for (unsigned i = 0; i < SWITCH_PORTS; i++)\n            room[i] = (uint8_t)(0x3eu << i \& 0x3f);\n        break;\n&/'
line cmodel/switch/params.h 's/SCAN(FCFS, "fcfs")/& SCAN(DOWN, "down")/'
line cmodel/fatfly.h 's/FATFLY_FCFS, FATFLY_SCANS/FATFLY_FCFS, FATFLY_DOWN, FATFLY_SCANS/'
line rtl/scan.v 's/^          end else begin : g_round .*/          end else if (SCAN == `FATFLY_DOWN) begin : g_down\n            assign before_o[P] = 1'"'b0"';\n&/'
line rtl/flit.vh 's/^\(.\)define FATFLY_SCANS 5/\1define FATFLY_DOWN 5 \/\/ ports 5 .. 0\n\1define FATFLY_SCANS 6/'

# -- an engine: a file and a line of engines[]; the plain one under another name, and first --
sed 's/engine_cycle = {/engine_plain = {/; s/\.name = "cycle"/.name = "fast"/; s/^const struct engine_view cycle_view/static &/' \
  cmodel/engine/cycle.c >cmodel/engine/plain.c
line cmodel/engine/engine.h 's/^extern const struct engine engine_cycle;.*/&\nextern const struct engine engine_plain;/'
line cmodel/engine/run.c 's/^static const struct engine \*const engines\[\] = {/&\n    \&engine_plain,/'

# -- a measure: a field of the result, where it is counted, its column, which is the sum over runs --
line cmodel/fatfly.h 's/^    uint64_t source_wait; .*/    uint64_t links_sum;    \/* links that worms crossed *\/\n&/'
line cmodel/measure/measure.c 's/^    r->flits += w->length;/&\n    r->links_sum += links;/'
line cmodel/cli/point_text.c 's/^    {"dilation", .*/&\n    {"links_sum", "links that worms crossed, all runs", WHOLE, TOTAL(links_sum)},/'

# -- a case and a unit test: a file each --
cat >sim/cases/fat16-down.cfg <<'C'
nodes = 16;
scan = "down";
length = 8;
load = 0.3;
cycles = 2000;
C
cat >tb/unit/test_ring.c <<'C'
#include "topology.h"

#include "unit.h"

static void test_far(void **state)
{
    (void)state;
    const struct fatfly_config c = {.topology = "ring", .nodes = 5, .path = FATFLY_GREEDY};
    struct topology t;
    char why[200];
    assert_int_equal(topology_of(&c, &t, why, sizeof why), 0);
    assert_int_equal(t.kind->far(&t, 4, 0), 0);
    topology_close(&t);
}

int main(int argc, char **argv)
{
    unit_args(argc, argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_far)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
C

says "the tree is built with all that is added" . make build/fatfly BUILD=build SPEED=-O0
says "topology" '10 processors; ring' build/fatfly run --topology ring --nodes 10 --length 4 --load 0.05 --cycles 3000
says "path selection" . build/fatfly run --topology hypercube --path high-first --nodes 16 --load 0.1 --cycles 3000
says "pattern" opposite build/fatfly run --nodes 16 --pattern opposite --load 0.05 --cycles 3000
says "measure" links_sum build/fatfly run --nodes 16 --load 0.05 --cycles 3000 --format csv
says "scan" 'scan down' build/fatfly run --nodes 16 --scan down --load 0.05 --cycles 3000
for object in verilated verilated_threads; do # the same runtime
  [ ! -e "$build/$object.o" ] || cp "$build/$object.o" build
done
says "scan and case: the C model and the Verilog agree" '1 passed, 0 failed' make cosim CASE=fat16-down SPEED=-O0
cp -r build/obj build/san # the same files with the same options
says "unit test" . make build/unit/test_ring SAN=-O0
says "unit test runs" 'PASSED  . 1 test' build/unit/test_ring

ends
