/* SPDX-License-Identifier: Apache-2.0
 * test_rounds.c - CMSV's algorithms as disciplines of the simulator on every topology, what
 * contradicts them, and algorithm A's phases (GO II) on other topologies.
 */
#include "fatfly.h"

#include "digest.h"
#include "paths.h"
#include "rounds.h"

#include <string.h>

#include "unit.h"

static char why[300];
static struct fatfly_result r;

static struct fatfly_config config_of(const char *topology, enum fatfly_discipline discipline)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.topology = topology;
    c.discipline = discipline;
    c.nodes = 64;
    c.radix = 8;
    c.length = 4;
    c.vcs = topology ? 0 : 1;
    c.path = !topology                     ? FATFLY_FP
             : strstr(topology, "butterfly") ? FATFLY_GREEDY
                                             : FATFLY_E_CUBE;
    c.depth = topology ? FATFLY_UNBOUNDED : 3;
    c.rounds = 2;
    c.seed = unit_seed;
    return c;
}

static const char *const topologies[] = {NULL, "torus", "mesh", "butterfly", "reverse-butterfly",
                                         "wrapped-butterfly"};

static bool stages(unsigned d)
{
    return d == FATFLY_CMSV_STORE || d == FATFLY_CMSV_PROTOCOL;
}

static bool fits(const char *topology, unsigned d)
{
    return d != FATFLY_CMSV_BUTTERFLY || (topology && strstr(topology, "butterfly"));
}

/* Each worm once; links, latencies and time are those of the paths and of the paper's rounds. */
static void on_every_topology(void **state)
{
    (void)state;
    for (unsigned k = 0; k < ROWS(topologies); k++)
        for (unsigned d = FATFLY_CMSV1; d <= FATFLY_CMSV_BUTTERFLY; d++)
            for (unsigned b = 1; b <= 4; b *= 2) {
                struct fatfly_config c = config_of(topologies[k], (enum fatfly_discipline)d);
                struct topology t;
                struct paths p;
                static uint32_t worms[1024];
                const struct fatfly_hooks hooks = {.link_worms = worms};
                if (!fits(c.topology, d))
                    continue;
                c.length = d == FATFLY_CMSV1 ? 1 : c.length;
                if (stages(d))
                    c.depth = b;
                else
                    c.link_bandwidth = b;
                c.max_cycles = 10000000;
                assert_true(fatfly_links(&c) <= ROWS(worms));
                if (fatfly_run(&c, &hooks, &r, why, sizeof why))
                    fail_msg("%s, %s: %s", c.topology, fatfly_discipline_names[d], why);
                assert_int_equal(topology_of(&c, &t, why, sizeof why), 0);
                assert_int_equal(paths_of(&p, &c, &t, why, sizeof why), FATFLY_OK);
                CHECK_AT(d, r.end, FATFLY_DONE);
                CHECK_AT(d, r.worms, p.count);
                CHECK_AT(d, r.worms + r.self_worms, 2 * c.nodes);
                CHECK_AT(d, r.measured, p.count);
                CHECK_AT(d, r.flits, (uint64_t)p.count * c.length);
                CHECK_AT(d, r.congestion, p.congestion);
                CHECK_AT(d, r.dilation, p.dilation);
                assert_true(r.flit_hops >= p.first[p.count] * c.length);
                assert_true(r.algorithm_rounds > 0 && r.last_arrival < r.cycles);
                uint64_t dd = p.dilation;
                if (d == FATFLY_CMSV2 || d == FATFLY_CMSV_BUTTERFLY)
                    CHECK_AT(d, r.cycles, r.algorithm_rounds *
                                              (4 * dd + c.length - (d == FATFLY_CMSV_BUTTERFLY)));
                if (d == FATFLY_CMSV_STORE)
                    CHECK_AT(d, r.cycles, r.algorithm_rounds * (4 * dd + 1) * b * c.length);
                for (size_t j = 0; j < p.first[p.count]; j++)
                    worms[p.link[j]]--;
                for (uint32_t j = 0; j < p.links; j++)
                    CHECK_AT(j, worms[j], 0);
                paths_free(&p);
                topology_close(&t);
            }
}

/* Alone, a worm takes as long as it is, its path, and its delay. */
static void a_lone_worm(void **state)
{
    (void)state;
    uint32_t to[64];
    for (uint32_t a = 0; a < 64; a++)
        to[a] = a;
    to[3] = 60;
    for (unsigned d = FATFLY_CMSV2; d <= FATFLY_CMSV_STORE; d++) {
        struct fatfly_config c = config_of("torus", (enum fatfly_discipline)d);
        c.pattern = FATFLY_PERMUTATION;
        c.permutation = to;
        c.rounds = 1;
        assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
        CHECK_AT(d, r.worms, 1);
        CHECK_AT(d, r.algorithm_rounds, 1);
        CHECK_AT(d, r.blocked, 0);
        unsigned hops = 2, alone = stages(d) ? 4 * hops : hops + 3; /* (3, 0) to (4, 7) */
        CHECK_AT(d, r.latency_sum - r.source_wait, alone);
        CHECK_AT(d, r.flit_hops, 4 * hops);
    }
}

static uint32_t reversed(uint32_t row)
{
    return (row & 1) << 2 | (row & 2) | row >> 2;
}

/* Rows 3 and 5 send to row 0 and meet at the last level, all others meet nobody.  The bit that is
 * corrected last is the lowest of the rank, so row 3 wins; with the bits the other way round, 6
 * against 5, row 5 would.  A round has 2 log N + L - 1 = 6 cycles and 6 back.  The other way round
 * goes the reverse butterfly. */
static void the_butterfly_by_hand(void **state)
{
    (void)state;
    static const uint32_t dst[8] = {4, 5, 2, 0, 1, 0, 6, 7};
    for (unsigned k = 0; k < 2; k++) {
        struct fatfly_config c = config_of(k ? "reverse-butterfly" : "butterfly",
                                           FATFLY_CMSV_BUTTERFLY);
        uint32_t to[8];
        uint64_t digest = 0;
        for (uint32_t row = 0; row < 8; row++) {
            uint32_t src = k ? reversed(row) : row, end = k ? reversed(dst[row]) : dst[row];
            to[src] = end;
            digest += digest_flit((uint64_t)end << 32 | src, FLIT_SINGLE, row == 5 ? 12 + 2 : 2, end,
                                  0);
        }
        c.nodes = 8;
        c.length = 1;
        c.rounds = 1;
        c.pattern = FATFLY_PERMUTATION;
        c.permutation = to;
        assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, r.algorithm_rounds, 2);
        CHECK_AT(k, r.cycles, 24);
        CHECK_AT(k, r.digest, digest);
    }
}

struct caller {
    uint64_t calls, stop;
};

static bool poll(void *context, uint64_t cycle, uint64_t delivered)
{
    struct caller *w = context;
    (void)delivered;
    w->calls++;
    return !w->stop || cycle < w->stop;
}

/* Runs end when they are told to, and those that would never end by themselves do. */
static void runs_end(void **state)
{
    (void)state;
    for (unsigned d = FATFLY_CMSV1; d <= FATFLY_CMSV_BUTTERFLY; d++) {
        struct fatfly_config c = config_of("butterfly", (enum fatfly_discipline)d);
        struct caller w = {0};
        static struct fatfly_result plain;
        c.pattern = FATFLY_MANY_TO_1;
        c.rounds = 20;
        const struct fatfly_hooks hooks = {.poll = poll, .context = &w};
        c.link_bandwidth = stages(d) ? 1 : 64;
        assert_int_equal(fatfly_run(&c, NULL, &plain, why, sizeof why), FATFLY_OK);
        assert_int_equal(fatfly_run(&c, &hooks, &r, why, sizeof why), FATFLY_OK);
        assert_memory_equal(&plain, &r, sizeof r);
        assert_true(w.calls <= 1 + r.cycles / 4096);
        c.max_cycles = plain.cycles / 3;
        assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
        CHECK_AT(d, r.end, FATFLY_CUT);
        assert_true(r.cycles >= c.max_cycles && r.cycles < plain.cycles && r.worms < plain.worms);
        if (plain.cycles < 3 * 4096)
            continue;
        c.max_cycles = 0;
        w = (struct caller){.stop = 4096};
        assert_int_equal(fatfly_run(&c, &hooks, &r, why, sizeof why), FATFLY_OK);
        CHECK_AT(d, r.end, FATFLY_STOPPED);
    }
    /* 300 worms and more copies each time meet at one link of bandwidth 1, again and again */
    struct fatfly_config c = config_of("butterfly", FATFLY_CMSV1);
    c.nodes = 4;
    c.pattern = FATFLY_MANY_TO_1;
    c.rounds = 300;
    assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
    CHECK_EQ(r.end, FATFLY_CUT);
    assert_true(r.worms < 4 * 300 && r.algorithm_rounds > 32);
}

static void refused(int line, const struct fatfly_config *c, const char *want)
{
    *why = '\0';
    int status = fatfly_run(c, NULL, &r, why, sizeof why);
    if (status == FATFLY_BAD_CONFIG && strstr(why, want) == why)
        return;
    print_error("line %d: status %d, \"%s\"; want \"%s\"\n", line, status, why, want);
    fail();
}

#define REFUSED(topology, discipline, want, ...)                                                   \
    do {                                                                                           \
        struct fatfly_config c = config_of(topology, discipline);                                  \
        __VA_ARGS__;                                                                               \
        refused(__LINE__, &c, want);                                                               \
    } while (0)

static void contradictions(void **state)
{
    (void)state;
    REFUSED("torus", FATFLY_CMSV2, "load = 0.1 with discipline = cmsv2; allowed: only with discipline "
            "= worm, store or split", c.load = 0.1);
    REFUSED("torus", FATFLY_CMSV2, "lengths = uniform with discipline = cmsv2; allowed: only with "
            "discipline = worm, split or phased", c.lengths = FATFLY_UNIFORM);
    REFUSED("torus", FATFLY_CMSV2, "discipline = cmsv2 with pattern = trace; allowed: only with another "
            "pattern", c.pattern = FATFLY_MESSAGES);
    REFUSED("torus", FATFLY_CMSV_BUTTERFLY, "topology = torus with discipline = cmsv-butterfly; "
            "allowed: only with another discipline", (void)c);
    REFUSED(NULL, FATFLY_CMSV_BUTTERFLY, "topology = fat-tree with discipline = cmsv-butterfly; "
            "allowed: only with another discipline", (void)c);
    REFUSED(NULL, FATFLY_CMSV2, "path = rp with discipline = cmsv2; allowed: only with another "
            "discipline", c.path = FATFLY_RP);
    REFUSED("mesh", FATFLY_CMSV_STORE, "link_bandwidth = 2 with discipline = cmsv-store; allowed: only "
            "with another discipline", c.link_bandwidth = 2);
    REFUSED("torus", FATFLY_CMSV1, "length = 4 with discipline = cmsv1 on paths that are not leveled; "
            "allowed: 1", (void)c);
    REFUSED("torus", FATFLY_CMSV2, "link_bandwidth = 65; allowed: 1 to 64", c.link_bandwidth = 65);
    REFUSED("torus", FATFLY_CMSV2, "link_bandwidth = 0; allowed: 1 to 64", c.link_bandwidth = 0);
    REFUSED(NULL, FATFLY_WORM, "link_bandwidth = 2; allowed on a fat-tree: 1", c.link_bandwidth = 2);
    REFUSED(NULL, FATFLY_WORM, "injection = 1; allowed on a fat-tree: 0",
            c.injection = FATFLY_PER_CHANNEL);
    REFUSED("torus", FATFLY_WORM, "injection = 2; allowed: 0 to 1", c.injection = FATFLY_INJECTIONS);
}

/* A path that takes a longer way is none for theorem 1.8; the others take any. */
static void longer_ways(void **state)
{
    (void)state;
    static const char text[] = "nodes 4\n"
                               "link 0 1\nlink 1 2\nlink 2 3\nlink 3 0\nlink 0 2\n"
                               "path 0 3 0 1 2 3\npath 3 2 3 0 2\n";
    struct fatfly_config c = config_of("graph", FATFLY_CMSV_PROTOCOL);
    const uint32_t to[] = {3, 1, 2, 2};
    c.path = FATFLY_GREEDY;
    c.graph = text;
    c.nodes = 4;
    c.pattern = FATFLY_PERMUTATION;
    c.permutation = to;
    refused(__LINE__, &c, "discipline = cmsv-protocol; allowed: on shortest paths, and worm 1 takes 3 "
            "links from node 0 to 3, and parts of paths make one of 2");
    for (unsigned d = FATFLY_CMSV2; d <= FATFLY_CMSV_STORE; d++) {
        c.discipline = (enum fatfly_discipline)d;
        assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
        CHECK_EQ(r.worms, 4);
        CHECK_EQ(r.dilation, 3);
    }
}

/* Paths that lead anywhere, each node once: the collection of CMSV's theorems. */
static void random_walks(void **state)
{
    (void)state;
    static char text[4000];
    struct fatfly_config c = config_of("graph", FATFLY_CMSV2);
    struct topology t;
    struct paths p;
    size_t n = (size_t)sprintf(text, "nodes 32\n");

    for (unsigned a = 0; a < 32; a++)
        for (unsigned k = 0; k < 3; k++)
            n += (size_t)sprintf(text + n, "link %u %u\n", a, (a + 1 + k * (5 + a % 3)) % 32);
    c.graph = text;
    c.nodes = 32;
    c.rounds = 40;
    c.path = FATFLY_WALK;
    assert_int_equal(topology_of(&c, &t, why, sizeof why), 0);
    assert_int_equal(paths_of(&p, &c, &t, why, sizeof why), FATFLY_OK);
    CHECK_EQ(p.count, 32 * 40);
    CHECK_EQ(p.dilation, 2 * 5);
    unsigned of_length[11] = {0}, ends[32] = {0};
    for (uint32_t k = 0; k < p.count; k++) {
        uint32_t seen = UINT32_C(1) << p.worm[k].src, at = p.worm[k].src;
        for (size_t j = p.first[k]; j < p.first[k + 1]; j++) {
            CHECK_AT(k, p.from[p.link[j]], at);
            at = p.to[p.link[j]];
            CHECK_AT(k, seen >> at & 1, 0);
            seen |= UINT32_C(1) << at;
        }
        CHECK_AT(k, p.worm[k].dst, at);
        of_length[paths_length(&p, k)]++;
        ends[at]++;
    }
    for (unsigned k = 1; k <= 10; k++) /* 128 of each but for chance and dead ends */
        assert_true(of_length[k] > 70 && of_length[k] < 200);
    for (unsigned k = 0; k < 32; k++)
        assert_true(ends[k] > 5);
    for (unsigned d = FATFLY_CMSV1; d <= FATFLY_CMSV_STORE; d++) {
        c.discipline = (enum fatfly_discipline)d;
        c.length = d == FATFLY_CMSV2 ? 6 : 1;
        c.link_bandwidth = d == FATFLY_CMSV_STORE ? 1 : 8;
        assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
        CHECK_AT(d, r.worms, p.count);
        CHECK_AT(d, r.congestion, p.congestion);
        CHECK_AT(d, r.dilation, p.dilation);
    }
    paths_free(&p);
    topology_close(&t);
    c.discipline = FATFLY_CMSV_PROTOCOL;
    refused(__LINE__, &c, "discipline = cmsv-protocol; allowed: on shortest paths, and worm ");
    c.discipline = FATFLY_WORM;
    c.vcs = 1;
    refused(__LINE__, &c, "path = walk contradicts discipline = worm; allowed: with cmsv1, cmsv2, "
            "cmsv-store (paths that are known before)");
    c.discipline = FATFLY_CMSV2;
    c.pattern = FATFLY_COMPLEMENT;
    refused(__LINE__, &c, "pattern = complement contradicts path = walk; allowed: random");
    c.pattern = FATFLY_RANDOM;
    c.graph = "nodes 3\nprocessor 1\nprocessor 0\nprocessor 2\nlink 0 1\nlink 1 2\nlink 2 0\n";
    c.nodes = 3;
    refused(__LINE__, &c, "path = walk; allowed: where every node has the processor of its number");
    c.graph = "nodes 1\nlink 0 0\n";
    c.nodes = 1;
    refused(__LINE__, &c, "");
}

/* A run holds what it says, less what later rounds' copies take. */
static void memory(void **state)
{
    (void)state;
    for (unsigned d = FATFLY_CMSV2; d <= FATFLY_CMSV_BUTTERFLY; d++) {
        struct fatfly_config c = config_of("butterfly", (enum fatfly_discipline)d);
        c.nodes = 1024;
        c.rounds = 10;
        uint64_t hops = 10240 * 10, said = fatfly_memory(&c);
        assert_true(said > 6 * hops && said < 6 * hops + 10240 * 200 + 10 * 2048 * 100);
    }
}

/* Phases by default: 2 c L of D + L cycles; given ones are taken as they are. */
static void phases(void **state)
{
    (void)state;
    struct fatfly_config c = config_of("mesh", FATFLY_PHASED), given;
    struct topology t;
    struct paths p;
    c.depth = 2;
    assert_int_equal(topology_of(&c, &t, why, sizeof why), 0);
    assert_int_equal(paths_of(&p, &c, &t, why, sizeof why), FATFLY_OK);
    given = c;
    assert_int_equal(rounds_phases(&given, &t, 3, why, sizeof why), FATFLY_OK);
    CHECK_EQ(given.phases, 2 * 4 * p.congestion);
    CHECK_EQ(given.phase_length, (p.dilation + 3) * 3 + 1);
    given.phase_length = 0;
    given.link_latency = 20;
    given.router_latency = 3;
    given.head_latency = 2;
    assert_int_equal(rounds_phases(&given, &t, 1, why, sizeof why), FATFLY_OK);
    CHECK_EQ(given.phase_length, p.dilation + 3 + 1 + p.dilation * 22 + (p.dilation - 1) * 2);
    given = c;
    assert_int_equal(rounds_phases(&given, &t, 3, why, sizeof why), FATFLY_OK);
    assert_int_equal(rounds_phases(&given, &t, 1, why, sizeof why), FATFLY_OK);
    CHECK_EQ(given.phase_length, (p.dilation + 3) * 3 + 1);
    assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
    uint64_t digest = r.digest, last = r.last_arrival;
    CHECK_EQ(r.worms, p.count);
    assert_true(last < (2 * 4 * p.congestion + 1) * (p.dilation + 4));
    c.phases = 8 * p.congestion; /* what it is by default */
    c.phase_length = p.dilation + 4;
    assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
    CHECK_EQ(r.digest, digest);
    c.phases *= 2;
    assert_int_equal(fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
    assert_true(r.digest != digest && r.last_arrival > last);
    paths_free(&p);
    topology_close(&t);
}

int main(int argc, char **argv)
{
    unit_args(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_every_topology),
        cmocka_unit_test(a_lone_worm),
        cmocka_unit_test(the_butterfly_by_hand),
        cmocka_unit_test(runs_end),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(longer_ways),
        cmocka_unit_test(random_walks),
        cmocka_unit_test(memory),
        cmocka_unit_test(phases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
