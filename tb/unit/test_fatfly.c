/* SPDX-License-Identifier: Apache-2.0
 * test_fatfly.c - the public functions: what fatfly_check() refuses and how it says so, names,
 * seeds, links, hooks, and the memory estimate against the heap.
 */
#include "engine.h"
#include "fat_tree.h"
#include "fatfly.h"
#include "tree.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <malloc.h>
#include <math.h>
#include <string.h>

static struct fatfly_config defaults(void)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.seed = unit_seed;
    return c;
}

/* -- fatfly_check() ------------------------------------------------------------------------- */

static void refused(int line, const struct fatfly_config *c, const char *want)
{
    char why[400] = "";
    int status = fatfly_check(c, why, sizeof why);
    bool said = strcmp(why, want) == 0;
    if (status != FATFLY_BAD_CONFIG || !said)
        print_error("line %d: status %d, \"%s\"; want \"%s\"\n", line, status, why, want);
    assert_true(status == FATFLY_BAD_CONFIG && said);
}

static void taken(int line, const struct fatfly_config *c)
{
    char why[400] = "";
    int status = fatfly_check(c, why, sizeof why);
    if (status != FATFLY_OK)
        print_error("line %d: status %d, \"%s\"\n", line, status, why);
    CHECK_AT(line, status, FATFLY_OK);
}

/* The defaults with the changes given are refused with this text, or taken. */
#define REFUSED(want, ...)                                                                         \
    do {                                                                                           \
        struct fatfly_config c = defaults();                                                       \
        __VA_ARGS__;                                                                               \
        refused(__LINE__, &c, want);                                                               \
    } while (0)
#define TAKEN(...)                                                                                 \
    do {                                                                                           \
        struct fatfly_config c = defaults();                                                       \
        __VA_ARGS__;                                                                               \
        taken(__LINE__, &c);                                                                       \
    } while (0)

#define LARGE(n) "nodes = " n "; allowed: up to 1048576, and only with discipline = worm or phased, vcs = 1, no replies " \
                 "and no plug-in up to 16777216"
#define NODES(n) "nodes = " n "; allowed: 4^n for n = 1 to 12: 4, 16, 64, 256, 1024, 4096, 16384, " \
                 "65536, 262144, 1048576, 4194304, 16777216"

static void limits_of_the_network(void **state)
{
    (void)state;
    TAKEN((void)c);
    for (uint32_t n = 4; n <= 1048576; n *= 4)
        TAKEN(c.nodes = n; c.path = FATFLY_RP);
    REFUSED(NODES("0"), c.nodes = 0);
    REFUSED(NODES("1"), c.nodes = 1);
    REFUSED(NODES("32"), c.nodes = 32);
    REFUSED(NODES("2097152"), c.nodes = 2097152);
    TAKEN(c.nodes = 4194304);
    TAKEN(c.nodes = 16777216; c.path = FATFLY_FP); /* all but a bit of a head */
    REFUSED(LARGE("4194304"), c.nodes = 4194304; c.vcs = 2);
    REFUSED(LARGE("16777216"), c.nodes = 16777216; c.discipline = FATFLY_STORE);
    REFUSED(LARGE("4194304"), c.nodes = 4194304; c.reply[0] = 4);
    REFUSED(NODES("4294967295"), c.nodes = UINT32_MAX);
    TAKEN(c.depth = 1);
    TAKEN(c.depth = 16);
    REFUSED("depth = 0 flits; allowed: 1 to 16", c.depth = 0);
    REFUSED("depth = 17 flits; allowed: 1 to 16", c.depth = 17);
    REFUSED("depth = 17 packets; allowed: 1 to 16", c.depth = 17; c.discipline = FATFLY_STORE);
    REFUSED("depth = 17 packets; allowed: 1 to 16", c.depth = 17; c.discipline = FATFLY_UNIV);
    REFUSED("depth = 17 flits; allowed: 1 to 16", c.depth = 17; c.discipline = FATFLY_SPLIT);
    TAKEN(c.vcs = 2);
    TAKEN(c.vcs = 4);
    for (unsigned v = 0; v < 9; v++)
        if (v != 1 && v != 2 && v != 4) {
            char want[40];
            snprintf(want, sizeof want, "vcs = %u; allowed: 1, 2 or 4", v);
            REFUSED(want, c.vcs = v);
        }
    TAKEN(c.flit_bits = 16);
    TAKEN(c.flit_bits = 64);
    REFUSED("flit_bits = 15 bits; allowed: 16 to 64", c.flit_bits = 15);
    REFUSED("flit_bits = 65 bits; allowed: 16 to 64", c.flit_bits = 65);
}

static void numbers_of_names(void **state)
{
    (void)state;
    REFUSED("discipline = 10; allowed: 0 to 9", c.discipline = FATFLY_DISCIPLINES);
    REFUSED("path = greedy; allowed on a fat-tree: fp, rp, gp, rg, rw", c.path = FATFLY_GREEDY);
    REFUSED("path = 14; allowed: 0 to 13", c.path = FATFLY_PATHS);
    REFUSED("scan = 5; allowed: 0 to 4", c.scan = FATFLY_SCANS);
    REFUSED("start = 2; allowed: 0 to 1", c.start = FATFLY_STARTS);
    REFUSED("lengths = 5; allowed: 0 to 4", c.lengths = FATFLY_LENGTHS);
    REFUSED("pattern = 21; allowed: 0 to 20", c.pattern = FATFLY_PATTERNS);
    REFUSED("arrivals = 3; allowed: 0 to 2", c.arrivals = FATFLY_ARRIVALS);
    REFUSED("engine = 3; allowed: 0 to 2", c.engine = FATFLY_ENGINES);
    for (unsigned k = 0; k < FATFLY_TREE_PATHS; k++)
        TAKEN(c.path = (enum fatfly_path)k);
    for (unsigned k = 0; k < FATFLY_SCANS; k++)
        TAKEN(c.scan = (enum fatfly_scan)k);
    for (unsigned k = 0; k <= FATFLY_CMSV_PROTOCOL; k++)
        TAKEN(c.discipline = (enum fatfly_discipline)k; c.path = FATFLY_FP);
    for (unsigned k = 0; k < FATFLY_LENGTHS; k++)
        TAKEN(c.lengths = (enum fatfly_lengths)k; c.mix[0] = (struct fatfly_size){32, 1}; c.mix_count = 1);
    for (unsigned k = 0; k < FATFLY_MESSAGES; k++)
        if (k != FATFLY_PERMUTATION)
            TAKEN(c.pattern = (enum fatfly_pattern)k);
}

/* What the command takes for a topology and a discipline is taken, where the topology has it at all. */
static void defaults_of_topologies(void **state)
{
    static const enum fatfly_discipline everywhere[] = {FATFLY_WORM, FATFLY_PHASED, FATFLY_STORE};
    (void)state;
    for (unsigned k = 0; fatfly_topology_name(k); k++)
        for (unsigned d = 0; d < ROWS(everywhere); d++) {
            struct fatfly_config c;
            if (strcmp(fatfly_topology_name(k), "graph") == 0)
                continue;
            fatfly_defaults_of(&c, fatfly_topology_name(k), everywhere[d]);
            taken(__LINE__, &c);
        }
}

/* All that the defaults of a topology and a discipline are, which the command takes, too (docs/simulator.md, docs/topologies.md). */
static void each_default(void **state)
{
    static const struct { const char *name; enum fatfly_path path; uint32_t nodes; } kinds[] = {
        {"fat-tree", FATFLY_RP, 64}, {"torus", FATFLY_E_CUBE, 256}, {"mesh", FATFLY_E_CUBE, 256}, {"butterfly", FATFLY_GREEDY, 64},
        {"reverse-butterfly", FATFLY_GREEDY, 64}, {"wrapped-butterfly", FATFLY_GREEDY, 64}, {"hypercube", FATFLY_E_CUBE, 64},
        {"graph", FATFLY_GREEDY, 64}, {NULL, FATFLY_RP, 64}};
    (void)state;
    for (unsigned k = 0; k < ROWS(kinds); k++)
        for (unsigned d = 0; d < FATFLY_DISCIPLINES; d++) {
            bool tree = k == 0 || !kinds[k].name, worms = d == FATFLY_WORM || d == FATFLY_PHASED;
            struct fatfly_config c;
            fatfly_defaults_of(&c, kinds[k].name, (enum fatfly_discipline)d);
            CHECK_AT(k, c.discipline, d);
            CHECK_AT(k, c.path, tree && d >= FATFLY_CMSV1 ? FATFLY_FP : kinds[k].path);
            CHECK_AT(k, c.nodes, kinds[k].nodes);
            CHECK_AT(k, c.vcs, tree);
            CHECK_AT(k, c.scan, tree ? FATFLY_RR : FATFLY_FCFS);
            CHECK_AT(100 * k + d, c.depth, worms ? 2 : !tree ? FATFLY_UNBOUNDED : d == FATFLY_STORE ? 1 : 2);
        }
}

static void limits_of_worms(void **state)
{
    (void)state;
    TAKEN(c.length = 1);
    TAKEN(c.length = 4096);
    REFUSED("length = 0 flits; allowed: 1 to 4096", c.length = 0);
    REFUSED("length = 4097 flits; allowed: 1 to 4096", c.length = 4097);
    TAKEN(c.length_min = 0); /* not looked at: fixed lengths */
    TAKEN(c.lengths = FATFLY_UNIFORM; c.length_min = 32);
    REFUSED("length_min = 0 flits; allowed: 1 to 4096", c.lengths = FATFLY_UNIFORM; c.length_min = 0);
    REFUSED("length_min = 33 with length = 32; allowed: 1 to 32", c.lengths = FATFLY_BIMODAL;
            c.length_min = 33);
    TAKEN(c.lengths = FATFLY_TRUNCATED; c.length_mean = 4096);
    TAKEN(c.lengths = FATFLY_TRUNCATED; c.length_min = 8; c.length_mean = 8);
    REFUSED("length_mean = 7.5 with length_min = 8; allowed: 8 to 4096", c.lengths = FATFLY_TRUNCATED;
            c.length_min = 8; c.length_mean = 7.5);
    REFUSED("length_mean = 4097; allowed: 1 to 4096", c.lengths = FATFLY_TRUNCATED;
            c.length_mean = 4097);
    REFUSED("length_mean = nan; allowed: 1 to 4096", c.lengths = FATFLY_TRUNCATED;
            c.length_mean = (double)NAN);
    TAKEN(c.lengths = FATFLY_BIMODAL; c.short_share = 0);
    TAKEN(c.lengths = FATFLY_BIMODAL; c.short_share = 1);
    REFUSED("short_share = 1.5; allowed: 0 to 1", c.lengths = FATFLY_BIMODAL; c.short_share = 1.5);
    REFUSED("short_share = -0.5; allowed: 0 to 1", c.lengths = FATFLY_BIMODAL;
            c.short_share = -0.5);
    REFUSED("short_share = nan; allowed: 0 to 1", c.lengths = FATFLY_BIMODAL;
            c.short_share = (double)NAN);
    TAKEN(c.hotspot = 1; c.hotspot_node = 63);
    REFUSED("hotspot = 1.01; allowed: 0 to 1", c.hotspot = 1.01);
    REFUSED("density = -0.1; allowed: 0 to 1", c.density = -0.1);
    REFUSED("hotspot = nan; allowed: 0 to 1", c.hotspot = (double)NAN);
    REFUSED("hotspot_node = 64 with nodes = 64; allowed: 0 to 63", c.hotspot_node = 64);
}

static void limits_of_runs(void **state)
{
    (void)state;
    for (unsigned d = 0; d < FATFLY_CMSV_BUTTERFLY; d++) { /* univ sorts a processor's packets */
        unsigned most = d == FATFLY_UNIV ? 10000 : 1000000;
        char want[120];
        snprintf(want, sizeof want, d == FATFLY_UNIV ? "rounds = %u contradicts discipline = univ, which keeps a processor's packets sorted; "
                 "allowed: 1 to 10000" : "rounds = %u worms; allowed: 1 to 1000000", most + 1);
        TAKEN(c.discipline = (enum fatfly_discipline)d; c.path = FATFLY_FP; c.rounds = most);
        REFUSED(want, c.discipline = (enum fatfly_discipline)d; c.path = FATFLY_FP; c.rounds = most + 1);
    }
    TAKEN(c.rounds = 1000000);
    REFUSED("rounds = 0 worms; allowed: 1 to 1000000", c.rounds = 0);
    REFUSED("rounds = 1000001 worms; allowed: 1 to 1000000", c.rounds = 1000001);
    TAKEN(c.delay_range = 1000000);
    REFUSED("delay_range = 0; allowed: 1 to 1000000", c.delay_range = 0);
    REFUSED("delay_range = 1000001; allowed: 1 to 1000000", c.delay_range = 1000001);
    TAKEN(c.phases = UINT64_C(1) << 32; c.phase_length = 1 << 24);
    REFUSED("phases = 4294967297; allowed: 0 to 4294967296", c.phases = (UINT64_C(1) << 32) + 1);
    REFUSED("phase_length = 16777217; allowed: 0 to 16777216", c.phase_length = (1 << 24) + 1);
    TAKEN(c.overhead = 100);
    REFUSED("overhead = 100.5; allowed: 0 to 100", c.overhead = 100.5);
    REFUSED("overhead = -1; allowed: 0 to 100", c.overhead = -1);
    TAKEN(c.load = 1);
    TAKEN(c.load = 1e-6);
    TAKEN(c.load = 0.1; c.cycles = 64; c.warmup = 0);
    TAKEN(c.load = 0.1; c.cycles = UINT64_C(1) << 40; c.warmup = UINT64_C(1) << 40);
    TAKEN(c.cycles = 0); /* not looked at: a static run */
    REFUSED("load = 1.5; allowed: 0 to 1", c.load = 1.5);
    REFUSED("load = -1; allowed: 0 to 1", c.load = -1);
    REFUSED("load = nan; allowed: 0 to 1", c.load = (double)NAN);
#define OPEN(got) "an open loop needs a load of 1e-6 to 1, 64 to 2^40 cycles and a warm-up of at " \
                  "most 2^40; got " got
    REFUSED(OPEN("load = 1e-07, cycles = 100000, warmup = 200000"), c.load = 1e-7);
    REFUSED(OPEN("load = 0.1, cycles = 63, warmup = 200000"), c.load = 0.1; c.cycles = 63);
    REFUSED(OPEN("load = 0.1, cycles = 1099511627777, warmup = 200000"), c.load = 0.1;
            c.cycles = (UINT64_C(1) << 40) + 1);
    REFUSED(OPEN("load = 0.1, cycles = 100000, warmup = 1099511627777"), c.load = 0.1;
            c.warmup = (UINT64_C(1) << 40) + 1);
}

static void contradictions(void **state)
{
    (void)state;
    for (unsigned k = FATFLY_STORE; k <= FATFLY_SPLIT; k++) {
        const char *name = fatfly_discipline_names[k];
        char want[200];
        snprintf(want, sizeof want, "vcs = 2 with discipline = %s; allowed: only with discipline = "
                 "worm or phased", name);
        REFUSED(want, c.discipline = (enum fatfly_discipline)k; c.vcs = 2);
        snprintf(want, sizeof want, "engine = fast with discipline = %s; allowed: only with "
                 "discipline = worm or phased", name);
        REFUSED(want, c.discipline = (enum fatfly_discipline)k; c.engine = FATFLY_FAST);
        snprintf(want, sizeof want, "engine = cycle with discipline = %s; allowed: only with "
                 "discipline = worm or phased", name);
        REFUSED(want, c.discipline = (enum fatfly_discipline)k; c.engine = FATFLY_CYCLE);
    }
    for (unsigned d = 0; d <= FATFLY_PHASED; d++)
        for (unsigned k = 0; k < FATFLY_SCANS; k++) {
            char want[200];
            if ((d == FATFLY_STORE || d == FATFLY_SPLIT) && (k == FATFLY_RR || k == FATFLY_FF)) {
                TAKEN(c.start = FATFLY_WAITING; c.discipline = (enum fatfly_discipline)d;
                      c.scan = (enum fatfly_scan)k);
                continue;
            }
            bool packet = d == FATFLY_STORE || d == FATFLY_SPLIT;
            snprintf(want, sizeof want, "start = waiting with %s = %s; allowed: only with %s",
                     packet ? "scan" : "discipline",
                     packet ? fatfly_scan_names[k] : fatfly_discipline_names[d],
                     packet ? "scan = rr or ff" : "discipline = store or split");
            REFUSED(want, c.start = FATFLY_WAITING; c.discipline = (enum fatfly_discipline)d;
                    c.scan = (enum fatfly_scan)k);
        }
    TAKEN(c.discipline = FATFLY_PHASED; c.vcs = 4);
    TAKEN(c.vcs = 2; c.engine = FATFLY_CYCLE);
    TAKEN(c.engine = FATFLY_FAST);
    TAKEN(c.vcs = 4; c.engine = FATFLY_FAST);
    TAKEN(c.load = 0.1; c.discipline = FATFLY_STORE);
    TAKEN(c.load = 0.1; c.discipline = FATFLY_SPLIT);
    REFUSED("load = 0.1 with discipline = univ; allowed: only with discipline = worm, store or "
            "split", c.load = 0.1;
            c.discipline = FATFLY_UNIV);
    REFUSED("load = 0.1 with discipline = phased; allowed: only with discipline = worm, store "
            "or split", c.load = 0.1;
            c.discipline = FATFLY_PHASED);
    REFUSED("load = 0.1 with pattern = trace; allowed: only with another pattern", c.load = 0.1;
            c.pattern = FATFLY_MESSAGES);
    TAKEN(c.lengths = FATFLY_UNIFORM; c.discipline = FATFLY_SPLIT);
    REFUSED("lengths = uniform with discipline = store; allowed: only with discipline = worm, "
            "split or phased", c.lengths = FATFLY_UNIFORM; c.discipline = FATFLY_STORE);
    REFUSED("lengths = geometric with discipline = univ; allowed: only with discipline = worm, "
            "split or phased", c.lengths = FATFLY_TRUNCATED; c.discipline = FATFLY_UNIV);
    TAKEN(c.nodes = 1048576; c.path = FATFLY_FP); /* 32 bits do not do: 64 */
    REFUSED("flit_bits = 32; a head of 1048576 processors with path = fp needs 53",
            c.nodes = 1048576; c.path = FATFLY_FP; c.flit_bits = 32);
    TAKEN(c.nodes = 1024; c.flit_bits = 27; c.path = FATFLY_FP);
    REFUSED("flit_bits = 26; a head of 1024 processors with path = fp needs 27",
            c.nodes = 1024; c.flit_bits = 26; c.path = FATFLY_FP);
}

static void lists(void **state)
{
    uint32_t map[64] = {0};
    struct fatfly_message m[3] = {{0, 1, 2, 3}, {5, 63, 0, 1}, {5, 0, 0, 4096}}, bad[3];
    (void)state;
#define MAP c.pattern = FATFLY_PERMUTATION; c.permutation = map
    TAKEN(MAP);
    map[63] = 63;
    TAKEN(MAP);
    map[63] = 64;
    REFUSED("permutation[63] = 64; allowed: 0 to 63", MAP);
    TAKEN(c.permutation = map); /* not looked at: another pattern */
    REFUSED("pattern = permutation needs a table of 64 destinations",
            c.pattern = FATFLY_PERMUTATION);
#define LIST c.pattern = FATFLY_MESSAGES; c.messages = bad; c.message_count = 3
#define WRONG(got) "message " got "; allowed: sorted by ready < 2^62, processors 0 to 63, 1 to " \
                   "4096 flits"
    memcpy(bad, m, sizeof m);
    TAKEN(LIST);
    TAKEN(c.pattern = FATFLY_MESSAGES);
    REFUSED("pattern = trace needs messages", c.pattern = FATFLY_MESSAGES; c.message_count = 1);
    bad[1].src = 64;
    REFUSED(WRONG("1: ready 5, 64 to 0, 1 flits"), LIST);
    memcpy(bad, m, sizeof m);
    bad[0].dst = 64;
    REFUSED(WRONG("0: ready 0, 1 to 64, 3 flits"), LIST);
    memcpy(bad, m, sizeof m);
    bad[2].length = 0;
    REFUSED(WRONG("2: ready 5, 0 to 0, 0 flits"), LIST);
    bad[2].length = 4097;
    REFUSED(WRONG("2: ready 5, 0 to 0, 4097 flits"), LIST);
    memcpy(bad, m, sizeof m);
    bad[2].ready = 4;
    REFUSED(WRONG("2: ready 4, 0 to 0, 4096 flits"), LIST);
    bad[2].ready = UINT64_C(1) << 62;
    REFUSED(WRONG("2: ready 4611686018427387904, 0 to 0, 4096 flits"), LIST);
}

/* The caller need not want to know why. */
static void short_reasons(void **state)
{
    struct fatfly_config c = defaults();
    struct fatfly_result r;
    char why[8];
    (void)state;
    c.depth = 0;
    CHECK_EQ(fatfly_check(&c, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "depth =");
    CHECK_EQ(fatfly_check(&c, why, 1), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "");
    CHECK_EQ(fatfly_check(&c, NULL, 0), FATFLY_BAD_CONFIG);
    CHECK_EQ(fatfly_run(&c, NULL, &r, NULL, 0), FATFLY_BAD_CONFIG);
    c = defaults();
    c.vcs = 2;
    c.discipline = FATFLY_STORE;
    CHECK_EQ(fatfly_check(&c, NULL, 0), FATFLY_BAD_CONFIG);
    c = defaults();
    c.pattern = FATFLY_PERMUTATION;
    CHECK_EQ(fatfly_check(&c, NULL, 0), FATFLY_BAD_CONFIG);
    c.permutation = (const uint32_t[64]){64};
    CHECK_EQ(fatfly_check(&c, NULL, 0), FATFLY_BAD_CONFIG);
    c = defaults();
    c.flit_bits = 16;
    c.nodes = 1024;
    CHECK_EQ(fatfly_check(&c, NULL, 0), FATFLY_BAD_CONFIG);
    c = defaults();
    CHECK_EQ(fatfly_run(&c, NULL, &r, NULL, 0), FATFLY_OK);
}

/* -- names and seeds ------------------------------------------------------------------------ */

static void check_names(const char *const *names, unsigned count, const char *want)
{
    char all[300] = "";
    for (unsigned k = 0; k < count; k++) {
        size_t used = strlen(all);
        assert_non_null(names[k]);
        snprintf(all + used, sizeof all - used, "%s%s", k ? " " : "", names[k]);
    }
    assert_string_equal(all, want);
}

static void names(void **state)
{
    (void)state;
    check_names(fatfly_discipline_names, FATFLY_DISCIPLINES, "worm store univ split phased cmsv1 cmsv2 "
                "cmsv-store cmsv-protocol cmsv-butterfly");
    check_names(fatfly_path_names, FATFLY_PATHS, "fp rp gp rg rw greedy e-cube north-last positive-hop "
                "negative-hop minimal-adaptive loose-hop balanced-e-cube walk");
    check_names(fatfly_bandwidth_names, FATFLY_BANDWIDTHS, "fixed-share on-demand");
    check_names(fatfly_injection_names, FATFLY_INJECTIONS, "one-queue per-channel");
    check_names(fatfly_scan_names, FATFLY_SCANS, "rr fo ff rot fcfs");
    check_names(fatfly_start_names, FATFLY_STARTS, "any waiting");
    check_names(fatfly_pattern_names, FATFLY_PATTERNS,
                "random complement many-to-1 transpose bit-reversal bit-complement shuffle "
                "neighbour hotspot permutation identity random-permutation packing spreading monotone trace "
                "tornado digit-neighbour diagonal asymmetric matrix");
    check_names(fatfly_arrival_names, FATFLY_ARRIVALS, "geometric poisson on-off");
    check_names(fatfly_length_names, FATFLY_LENGTHS, "fixed uniform geometric bimodal mix");
    check_names(fatfly_engine_names, FATFLY_ENGINES, "auto fast cycle");
    assert_string_equal(fatfly_discipline_names[FATFLY_UNIV], "univ");
    assert_string_equal(fatfly_pattern_names[FATFLY_MANY_TO_1], "many-to-1");
    assert_string_equal(fatfly_pattern_names[FATFLY_HOTSPOT], "hotspot");
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Neighbouring seeds share no run; published digests hang on the values. */
static void seeds(void **state)
{
    static uint64_t seed[100 * 100];
    (void)state;
    CHECK_EQ(fatfly_run_seed(1, 0), UINT64_C(0x2A98F501AF37E97F));
    CHECK_EQ(fatfly_run_seed(1, 1), UINT64_C(0x86D6FD953217AE03));
    for (unsigned k = 0; k < ROWS(seed); k++)
        seed[k] = fatfly_run_seed(unit_seed + k / 100, k % 100);
    qsort(seed, ROWS(seed), sizeof *seed, by_value);
    for (unsigned k = 1; k < ROWS(seed); k++)
        assert_true(seed[k] != seed[k - 1]);
}

/* -- links ---------------------------------------------------------------------------------- */

/* Up links of a level: from each lower end two, and each goes where fat_tree_wire() says. */
static void links(void **state)
{
    (void)state;
    for (unsigned levels = 1; levels <= 5; levels++) {
        uint32_t nodes = fat_tree_nodes(levels), switches = fat_tree_switches(levels);
        uint32_t count[2][FATFLY_MAX_LEVELS] = {{0}};
        uint32_t *to = calloc((size_t)6 * switches, sizeof *to);
        assert_non_null(to);
        fat_tree_wire(levels, to);
        struct fatfly_config c = {.nodes = nodes, .vcs = 1};
        CHECK_EQ(fatfly_links(&c), 6 * switches + nodes);
        for (unsigned k = 0; k < 32; k++) { /* beyond the last there is none */
            assert_false(fatfly_link_at(nodes, 6 * switches + nodes + (k ? UINT32_C(1) << k : 0)).exists);
            assert_false(fatfly_link_at(nodes + 1 + k, 0).exists && fat_tree_nodes(levels + 1) != nodes + 1 + k);
        }
        for (uint32_t k = 0; k < 6 * switches + nodes; k++) {
            struct fatfly_link l = fatfly_link_at(nodes, k);
            if (!l.exists) {
                assert_true(k < 6 * switches && k % 6 >= 4 &&
                            k / 6 >= fat_tree_base(levels, levels));
                continue;
            }
            count[l.up][l.level]++;
            assert_true(l.level < levels);
            uint32_t lower = fat_tree_base(levels, l.level) + l.lower; /* above the leaves */
            uint32_t upper = fat_tree_base(levels, l.level + 1) + l.upper;
            if (l.level == 0) {
                CHECK_AT(k, l.upper, l.lower / 4);
                CHECK_AT(k, k, l.up ? 6 * upper + l.lower % 4 : 6 * switches + l.lower);
            } else if (l.up) {
                assert_true(to[6 * lower + 4] == k || to[6 * lower + 5] == k);
            } else {
                assert_true(to[6 * upper] == k || to[6 * upper + 1] == k ||
                            to[6 * upper + 2] == k || to[6 * upper + 3] == k);
                CHECK_AT(k, k / 6, lower);
            }
            if (l.level && l.up)
                CHECK_AT(k, k / 6, upper);
        }
        for (unsigned l = 0; l < levels; l++) {
            CHECK_AT(l, count[0][l], nodes >> l);
            CHECK_AT(l, count[1][l], nodes >> l);
        }
        free(to);
    }
}

/* -- hooks ---------------------------------------------------------------------------------- */

struct watch {
    uint64_t calls, last, delivered;
    uint64_t arrived; /* as an observer saw */
    uint64_t stop;    /* cycle */
    bool observed;
};

static bool poll(void *context, uint64_t cycle, uint64_t delivered)
{
    struct watch *w = context;
    assert_true(cycle > w->last && delivered >= w->delivered);
    if (w->observed)
        CHECK_EQ(delivered, w->arrived);
    w->calls++;
    w->last = cycle;
    w->delivered = delivered;
    return !w->stop || cycle < w->stop;
}

static void one_arrived(void *context, uint32_t worm, const struct fatfly_delivery *d)
{
    struct watch *w = context;
    (void)worm;
    (void)d;
    w->arrived++;
}

/* Nothing that a caller watches changes the result; it stops when told to. */
static void hooks(void **state)
{
    (void)state;
    for (unsigned d = 0; d <= FATFLY_PHASED; d++) {
        struct fatfly_config c = defaults();
        static struct fatfly_result plain, watched;
        char why[200];
        struct watch w = {0};
        c.discipline = (enum fatfly_discipline)d;
        c.phases = 4;
        c.pattern = FATFLY_MANY_TO_1;
        c.rounds = 10;
        uint32_t links = fatfly_links(&c), most = 0, sum = 0;
        uint32_t *worms = malloc(links * sizeof *worms);
        assert_non_null(worms);
        memset(worms, 0xff, links * sizeof *worms); /* the run zeroes it */
        struct fatfly_hooks h = {.poll = poll, .context = &w, .link_worms = worms};
        CHECK_AT(d, fatfly_run(&c, NULL, &plain, why, sizeof why), FATFLY_OK);
        CHECK_AT(d, fatfly_run(&c, &h, &watched, why, sizeof why), FATFLY_OK);
        assert_memory_equal(&plain, &watched, sizeof plain);
        CHECK_AT(d, plain.end, FATFLY_DONE);
        assert_true(plain.cycles > 8192 && w.calls >= 2 && w.calls <= plain.cycles / 1000);
        for (uint32_t k = 0; k < links; k++) {
            most = worms[k] > most ? worms[k] : most;
            sum += k >= links - c.nodes ? worms[k] : 0;
        }
        /* SPLIT: heads of flits that are packets cross links, too. */
        CHECK_AT(d, plain.congestion, most);
        CHECK_AT(d, sum, d == FATFLY_SPLIT ? plain.flits : plain.worms);
        const struct fatfly_observer o = {.context = &w, .arrived = one_arrived};
        w = (struct watch){.observed = d == FATFLY_WORM || d == FATFLY_STORE || d == FATFLY_PHASED};
        h.observer = w.observed ? &o : NULL;
        CHECK_AT(d, fatfly_run(&c, &h, &watched, why, sizeof why), FATFLY_OK);
        assert_true(w.calls >= 2 && (!w.observed || w.arrived == plain.worms));
        h.observer = NULL;
        w = (struct watch){.stop = w.last};
        CHECK_AT(d, fatfly_run(&c, &h, &watched, why, sizeof why), FATFLY_OK);
        CHECK_AT(d, watched.end, FATFLY_STOPPED);
        assert_true(watched.cycles >= w.stop && watched.cycles <= w.stop + c.length);
        assert_true(watched.worms < plain.worms);
        c.max_cycles = 5000;
        CHECK_AT(d, fatfly_run(&c, NULL, &watched, why, sizeof why), FATFLY_OK);
        CHECK_AT(d, watched.end, FATFLY_CUT);
        assert_true(watched.cycles >= 5000 && watched.cycles <= 5000 + c.length);
        free(worms);
    }
}

/* -- memory --------------------------------------------------------------------------------- */

size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

static size_t allocated(void)
{
    if (__sanitizer_get_current_allocated_bytes)
        return __sanitizer_get_current_allocated_bytes();
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

static const struct engine *const every_engine[] = {
    &engine_parallel,     &engine_fronts_worm, &engine_single, &engine_worm,   &engine_lanes, &engine_cycle,
    &engine_fronts_split, &engine_store,       &engine_ranade, &engine_rounds, &engine_times, &engine_channel,
    &engine_store_any,
};
static bool weighed[ROWS(every_engine)];

static void note_engine(const struct fatfly_config *c)
{
    struct topology t;
    char why[200];
    assert_int_equal(topology_of(c, &t, why, sizeof why), 0);
    for (size_t k = 0; k < ROWS(every_engine); k++)
        weighed[k] |= every_engine[k] == engine_of(c, &t);
    topology_close(&t);
}

static bool weigh(void *context, uint64_t cycle, uint64_t delivered)
{
    size_t *most = context, now = allocated();
    (void)cycle;
    (void)delivered;
    *most = now > *most ? now : *most;
    return true;
}

/* The estimate is within a fifth and a few kilobytes of what a run holds in its later cycles; of an
 * open loop it is what a load below saturation does not exceed. */
static void weighs(int line, const struct fatfly_config *c)
{
    static struct fatfly_result r;
    size_t before = allocated(), most = 0;
    char why[200];
    struct fatfly_hooks h = {.poll = weigh, .context = &most};
    CHECK_AT(line, fatfly_run(c, &h, &r, why, sizeof why), FATFLY_OK);
    if (most <= before)
        print_error("line %d: %s, %s: over in %llu cycles\n", line, c->topology ? c->topology : "fat-tree",
                    fatfly_discipline_names[c->discipline], (unsigned long long)r.cycles);
    assert_true(most > before); /* it was asked at all */
    note_engine(c);
    if (__sanitizer_get_current_allocated_bytes) /* malloc counts what it keeps for later */
        CHECK_AT(line, allocated(), before);
    double need = (double)(most - before), said = (double)fatfly_memory(c);
    bool close = said >= 0.8 * need - 8192 && said <= (c->load > 0 ? 4 : 1.25) * need + 8192;
    if (!close)
        print_error("line %d: %s, %s, N = %u, rounds = %u: %.0f bytes held, %.0f estimated\n", line,
                    c->topology ? c->topology : "fat-tree", fatfly_discipline_names[c->discipline], c->nodes, c->rounds,
                    need, said);
    assert_true(close);
}

#define WEIGHS(...)                                                                                \
    do {                                                                                           \
        struct fatfly_config c = defaults();                                                       \
        c.pattern = FATFLY_MANY_TO_1; /* long, with little to do in a cycle */                     \
        __VA_ARGS__;                                                                               \
        weighs(__LINE__, &c);                                                                      \
    } while (0)

/* A binary tree. */
static const char *graph_of(unsigned nodes)
{
    static char text[16384];
    size_t n = (size_t)snprintf(text, sizeof text, "nodes %u\n", nodes);
    for (unsigned k = 1; k < nodes; k++) {
        unsigned up = (k - 1) / 2;
        n += (size_t)snprintf(text + n, sizeof text - n, "link %u %u\nlink %u %u\n", k, up, up, k);
    }
    assert_true(n < sizeof text);
    return text;
}

/* On every topology: mostly channels, links and tables (one round), mostly worms (six). */
static void weigh_topologies(void)
{
    static const struct { enum fatfly_discipline d; enum fatfly_bandwidth bandwidth; unsigned length, rounds; } row[] = {
        {FATFLY_WORM, FATFLY_FIXED_SHARE, 72, 1},   {FATFLY_WORM, FATFLY_FIXED_SHARE, 16, 6},
        {FATFLY_WORM, FATFLY_ON_DEMAND, 72, 1},     {FATFLY_WORM, FATFLY_ON_DEMAND, 16, 6},
        {FATFLY_PHASED, FATFLY_ON_DEMAND, 72, 1},   {FATFLY_STORE, FATFLY_FIXED_SHARE, 4096, 1},
        {FATFLY_STORE, FATFLY_FIXED_SHARE, 4096, 6}, {FATFLY_CMSV_STORE, FATFLY_FIXED_SHARE, 4096, 1},
        {FATFLY_CMSV_STORE, FATFLY_FIXED_SHARE, 4096, 6},
    };
    const char *graph = graph_of(256);
    for (unsigned k = 0; fatfly_topology_name(k); k++)
        for (size_t j = 0; j < ROWS(row); j++) {
            struct fatfly_config c;
            fatfly_defaults_of(&c, fatfly_topology_name(k), row[j].d);
            c.nodes = 256;
            c.radix = 16;
            c.graph = graph;
            c.pattern = FATFLY_MANY_TO_1;
            c.bandwidth = row[j].bandwidth;
            c.length = row[j].length;
            c.rounds = row[j].rounds;
            weighs((int)j, &c);
        }
}

static void memory(void **state)
{
    (void)state;
    WEIGHS(c.nodes = 1024);
    WEIGHS(c.nodes = 4096);
    WEIGHS(c.nodes = 1024; c.path = FATFLY_FP; c.scan = FATFLY_FCFS; c.depth = 16);
    WEIGHS(c.nodes = 256; c.length = 64; c.engine = FATFLY_CYCLE);
    WEIGHS(c.nodes = 256; c.length = 64; c.vcs = 4; c.depth = 16);
    WEIGHS(c.nodes = 1024; c.discipline = FATFLY_STORE);
    WEIGHS(c.nodes = 1024; c.discipline = FATFLY_STORE; c.depth = 16; c.scan = FATFLY_ROT);
    WEIGHS(c.nodes = 1024; c.discipline = FATFLY_SPLIT);
    WEIGHS(c.nodes = 1024; c.length = 1; c.rounds = 40);
    WEIGHS(c.nodes = 1024; c.length = 1; c.rounds = 40; c.scan = FATFLY_ROT);
    WEIGHS(c.nodes = 1024; c.discipline = FATFLY_UNIV);
    WEIGHS(c.nodes = 1024; c.discipline = FATFLY_PHASED; c.phases = 1);
    WEIGHS(c.nodes = 1024; c.load = 0.04; c.pattern = FATFLY_RANDOM; c.cycles = 8192;
           c.warmup = 0);
    WEIGHS(c.nodes = 256; c.load = 0.04; c.pattern = FATFLY_RANDOM; c.cycles = 8192; c.warmup = 0;
           c.engine = FATFLY_CYCLE);
    /* saturated: sources queue until the run is given up */
    WEIGHS(c.nodes = 64; c.load = 1; c.pattern = FATFLY_RANDOM; c.cycles = 400000);
    WEIGHS(c.nodes = 256; c.load = 0.5; c.pattern = FATFLY_RANDOM; c.cycles = 400000);
    WEIGHS(c.nodes = 64; c.load = 0.9; c.pattern = FATFLY_RANDOM; c.cycles = 400000;
           c.discipline = FATFLY_STORE);
    /* far above saturation: many wait before anybody looks */
    WEIGHS(c.nodes = 64; c.load = 1; c.length = 1; c.pattern = FATFLY_RANDOM; c.warmup = 8192; c.detect_warmup = false);
    WEIGHS(c.nodes = 1024; c.load = 1; c.length = 4; c.pattern = FATFLY_RANDOM; c.warmup = 8192; c.detect_warmup = false);
    WEIGHS(c.nodes = 256; c.parts = 4; c.length = 64);
    weigh_topologies();
    for (size_t k = 0; k < ROWS(every_engine); k++)
        CHECK_AT(k, weighed[k], true);
}

static void memory_of_many_rounds(void **state)
{
    (void)state;
    for (unsigned rounds = 2; rounds <= 6; rounds++) {
        WEIGHS(c.nodes = 256; c.rounds = rounds);
        WEIGHS(c.nodes = 256; c.rounds = rounds; c.engine = FATFLY_CYCLE);
        WEIGHS(c.nodes = 256; c.rounds = rounds; c.discipline = FATFLY_STORE);
        WEIGHS(fatfly_defaults_of(&c, "torus", FATFLY_WORM); c.nodes = 256; c.radix = 16; c.pattern = FATFLY_MANY_TO_1;
               c.rounds = 2 * rounds - 1; c.length = 12; c.bandwidth = (enum fatfly_bandwidth)(rounds % 2));
    }
}

/* Any switch, queue and source: what a run holds after its first step, in which all its worms are there. */
static void memory_of_any(void **state)
{
    static const enum fatfly_discipline tree[] = {FATFLY_WORM, FATFLY_WORM, FATFLY_WORM, FATFLY_STORE, FATFLY_UNIV, FATFLY_SPLIT};
    static const unsigned vcs[] = {1, 2, 4}, depths[] = {1, 2, 16};
    (void)state;
    for (unsigned k = 0; k < 120; k++) {
        static struct fatfly_result r;
        struct fatfly_config c = defaults();
        struct topology t;
        struct run *run;
        char why[300];
        if (k % 2)
            fatfly_defaults_of(&c, draw(2) ? "torus" : "butterfly", draw(4) ? FATFLY_WORM : FATFLY_STORE);
        else
            fatfly_defaults_of(&c, NULL, tree[draw(6)]);
        c.nodes = 256;
        c.radix = 16;
        c.rounds = 1 + draw(5);
        c.vcs = k % 2 ? 2 * (1 + draw(64)) : c.discipline == FATFLY_WORM ? vcs[draw(3)] : 1;
        c.depth = k % 2 && draw(2) ? c.depth : depths[draw(3)];
        c.scan = k % 2 ? c.scan : (enum fatfly_scan)draw(FATFLY_SCANS);
        c.injection = k % 2 && c.discipline == FATFLY_WORM ? (enum fatfly_injection)draw(2) : FATFLY_ONE_QUEUE;
        c.force = true;
        assert_int_equal(topology_of(&c, &t, why, sizeof why), 0);
        size_t before = allocated();
        uint32_t *over = calloc(t.links, sizeof *over);
        assert_non_null(over);
        if (run_open(&run, &c, &t, NULL, over, &r, why, sizeof why))
            fail_msg("%u: %s", k, why);
        CHECK_AT(k, run_turn(run, 1), FATFLY_OK);
        double need = (double)(allocated() - before), said = (double)fatfly_memory(&c);
        double least = c.topology && c.discipline == FATFLY_STORE ? 0.85 : 0.98; /* packets there grow by halves */
        if (said < least * need || said > 1.15 * need)
            fail_msg("%u: %s, %s, V = %u, q = %u, %s, rounds = %u: %.0f bytes held, %.0f estimated", k, t.kind->name,
                     fatfly_discipline_names[c.discipline], c.vcs, c.depth, fatfly_scan_names[c.scan], c.rounds, need, said);
        run_close(run);
        free(over);
        topology_close(&t);
    }
}

/* What takes memory beside the network: tables of destinations, lists of messages, replies and who waits for them. */
static void memory_of_traffic(void **state)
{
    enum { NODES = 512, MESSAGES = 30000 };
    static double weight[NODES * NODES];
    static struct fatfly_message message[MESSAGES];
    (void)state;
    for (unsigned a = 0; a < NODES; a++)
        weight[a * NODES + a % 2] = 1;
    for (unsigned k = 0; k < MESSAGES; k++)
        message[k] = (struct fatfly_message){.src = 2 + k % 200, .dst = k % 2, .length = 3};
    for (unsigned k = 0; k < 3; k++) {
        const char *name = k == 0 ? NULL : k == 1 ? "butterfly" : "hypercube";
#define ON_EACH fatfly_defaults_of(&c, name, FATFLY_WORM); c.nodes = k ? NODES : NODES / 2; c.length = 64; c.pattern = FATFLY_MANY_TO_1
        WEIGHS(ON_EACH; c.pattern = FATFLY_MATRIX; c.matrix = weight);
        WEIGHS(ON_EACH; c.pattern = FATFLY_MESSAGES; c.messages = message; c.message_count = MESSAGES);
        WEIGHS(ON_EACH; c.pattern = FATFLY_RANDOM_PERMUTATION; c.length = 4096; c.rounds = 4);
        for (unsigned rounds = 1; rounds <= 6; rounds += 5) {
            WEIGHS(ON_EACH; c.rounds = rounds; c.reply[0] = 40);
            WEIGHS(ON_EACH; c.rounds = rounds; c.reply[0] = 4; c.outstanding = 2; c.reply_delay = 100);
            WEIGHS(ON_EACH; c.rounds = rounds; c.classes = 2; c.reply[0] = 4; c.reply[1] = 9);
        }
#undef ON_EACH
    }
}

/* Sizes beyond any machine do not overflow. */
static void memory_of_giants(void **state)
{
    struct fatfly_config c = defaults();
    uint64_t last = 0;
    (void)state;
    for (c.nodes = 4; c.nodes <= 1048576; c.nodes *= 4) {
        uint64_t bytes = fatfly_memory(&c);
        assert_true(bytes > last);
        last = bytes;
    }
    assert_true(last < UINT64_C(1000000000)); /* N = 4^10 under 1 GB */
    for (unsigned k = 24; k < 32; k++) { /* it answers, and no fatfly_check() lets these pass */
        c.nodes = (UINT32_C(1) << k) + 1;
        assert_true(fatfly_memory(&c) > 0);
        assert_true(fatfly_rank_memory(&c) > 0);
    }
    c.nodes = 1048576;
    c.rounds = 1000000;
    assert_true(fatfly_memory(&c) > UINT64_C(1000000) * 1048576 * 64);
    c.discipline = FATFLY_STORE;
    assert_true(fatfly_memory(&c) > UINT64_C(1000000) * 1048576 * 64);
}

/* Of every network and path: flits are 32 bits wide where a head fits, else 64; what it takes is enough, a bit less is not.  A head
 * has two digits of two bits a level, a height, and under FP a bit for each level on the way up. */
static void widths_of_heads(void **state)
{
    (void)state;
    for (unsigned levels = 1; levels <= 12; levels++)
        for (unsigned path = 0; path < FATFLY_TREE_PATHS; path++) {
            struct fatfly_config c;
            struct switch_params p;
            unsigned height = 0, at = 100 * levels + path;
            char why[300];

            while (levels >> height)
                height++;
            unsigned head = 4 * levels + height + (path == FATFLY_FP ? levels - 1 : 0);
            fatfly_defaults(&c);
            c.nodes = 1u << 2 * levels;
            c.path = (enum fatfly_path)path;
            tree_params(&c, &p);
            CHECK_AT(at, p.flit_w, head <= 32 ? 32 : 64);
            CHECK_AT(at, fatfly_check(&c, why, sizeof why), FATFLY_OK);
            c.flit_bits = head < 16 ? 16 : head;
            CHECK_AT(at, fatfly_check(&c, why, sizeof why), FATFLY_OK);
            c.flit_bits--;
            CHECK_AT(at, fatfly_check(&c, why, sizeof why), FATFLY_BAD_CONFIG);
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_the_network),
        cmocka_unit_test(numbers_of_names),
        cmocka_unit_test(defaults_of_topologies),
        cmocka_unit_test(each_default),
        cmocka_unit_test(limits_of_worms),
        cmocka_unit_test(limits_of_runs),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(lists),
        cmocka_unit_test(short_reasons),
        cmocka_unit_test(names),
        cmocka_unit_test(seeds),
        cmocka_unit_test(links),
        cmocka_unit_test(hooks),
        cmocka_unit_test(memory),
        cmocka_unit_test(memory_of_many_rounds), cmocka_unit_test(memory_of_any),
        cmocka_unit_test(memory_of_traffic),
        cmocka_unit_test(memory_of_giants),
        cmocka_unit_test(widths_of_heads),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
