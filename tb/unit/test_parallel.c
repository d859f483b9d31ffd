/* SPDX-License-Identifier: Apache-2.0
 * test_parallel.c - one run cut into parts against the same run in one: every figure of the result,
 * digest included, the worms over each link and the batches' histograms, over random configurations and
 * the whole matrix of paths and scans, for all numbers of parts that fit: in turn, as small networks
 * do it, and on threads.  tb/engines runs the same against planted bugs.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "fatfly.h"

#include "parallel.h"
#include "rng.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

#include "unit.h"

enum { MOST_LINKS = 6 * 496 + 1024 };

static struct seen {
    struct fatfly_result result;
    uint32_t links[MOST_LINKS];
    uint32_t histograms[FATFLY_BATCHES][FATFLY_BUCKETS];
} one, cut;
static char why[400];

/* A run by the engine that the configuration has; in parts by this transport, NULL: its own. */
static int play(const struct fatfly_config *c, const struct transport *by, struct seen *s)
{
    const struct fatfly_hooks hooks = {.histograms = s->histograms};
    struct topology t;
    struct run *run = NULL;

    memset(s, 0, sizeof *s); /* padding, too, as the whole is compared */
    int status = topology_of(c, &t, why, sizeof why) ? FATFLY_BAD_CONFIG : FATFLY_OK;
    if (!status)
        status = run_open(&run, c, &t, &hooks, s->links, &s->result, why, sizeof why);
    if (!status && c->parts > 1)
        assert_ptr_equal(run->engine, &engine_parallel);
    if (!status && by)
        ((struct parallel *)run)->transport = by;
    if (!status)
        status = run_play(run);
    run_close(run);
    topology_close(&t);
    return status;
}

static void show(const struct fatfly_config *c, const char *what, uint64_t a, uint64_t b)
{
    printf("N = %u parts = %u q = %u %s %s %s L = %u..%u %s load = %g rounds = %u seed = %llu: %s: one %llu, "
           "cut %llu\n", c->nodes, c->parts, c->depth, fatfly_discipline_names[c->discipline],
           fatfly_path_names[c->path], fatfly_scan_names[c->scan], c->length_min, c->length,
           fatfly_pattern_names[c->pattern], c->load, c->rounds, (unsigned long long)c->seed, what,
           (unsigned long long)a, (unsigned long long)b);
}

static bool same_parts(struct fatfly_config *c, unsigned parts, const struct transport *by)
{
    c->parts = parts;
    int status = play(c, by, &cut);
    if (status)
        show(c, why, 0, (uint64_t)status);
    if (!status && memcmp(&one, &cut, sizeof one) == 0)
        return true;
    show(c, "digest", one.result.digest, cut.result.digest);
    show(c, "cycles", one.result.cycles, cut.result.cycles);
    show(c, "hops", one.result.flit_hops, cut.result.flit_hops);
    show(c, "links", 0, (uint64_t)memcmp(one.links, cut.links, sizeof one.links));
    return false;
}

/* All numbers of parts that the network can have, in turn. */
static bool same(struct fatfly_config *c)
{
    c->parts = 1;
    if (play(c, NULL, &one)) {
        show(c, why, 0, 0);
        return false;
    }
    for (unsigned parts = 2; parts * parts * 4 <= c->nodes; parts *= 2)
        if (!same_parts(c, parts, NULL))
            return false;
    return true;
}

static void random_configuration(struct fatfly_config *c, struct rng *r)
{
    static const uint32_t nodes[] = {16, 64, 256};

    fatfly_defaults(c);
    c->nodes = nodes[rng_below(r, 3)];
    c->depth = 1 + rng_below(r, rng_below(r, 2) ? 16 : 3);
    c->path = (enum fatfly_path)rng_below(r, FATFLY_TREE_PATHS);
    c->scan = (enum fatfly_scan)rng_below(r, FATFLY_SCANS);
    c->lengths = (enum fatfly_lengths)rng_below(r, FATFLY_MIX);
    c->length = 1 + rng_below(r, rng_below(r, 2) ? 8 : 64);
    c->length_min = 1 + rng_below(r, c->length);
    c->length_mean = c->length_min + rng_below(r, 20);
    c->pattern = (enum fatfly_pattern)rng_below(r, FATFLY_PERMUTATION);
    c->self_traffic = rng_below(r, 2);
    c->hotspot_node = rng_below(r, c->nodes);
    c->hotspot = 0.3;
    c->seed = rng_next(r);
    c->max_cycles = 20000;
    if (rng_below(r, 3) == 0) {
        c->classes = 2;
        c->class_length[1] = 3;
        c->class_patterns = rng_below(r, 2);
        c->class_pattern[1] = c->pattern;
        c->pattern = c->class_patterns ? FATFLY_RANDOM : c->pattern;
    }
    if (rng_below(r, 2)) {
        c->load = (1 + rng_below(r, 100)) * (rng_below(r, 2) ? 0.001 : 0.01);
        c->arrivals = (enum fatfly_arrivals)rng_below(r, FATFLY_ON_OFF);
        c->cycles = 500 + rng_below(r, 2000);
        c->detect_warmup = rng_below(r, 2);
        c->warmup = rng_below(r, 3000);
        return;
    }
    c->max_cycles = rng_below(r, 4) ? c->max_cycles : 1 + rng_below(r, 400);
    c->rounds = 1 + rng_below(r, 3);
    c->delay_range = 1 + rng_below(r, 3);
    if (rng_below(r, 4) == 0) {
        c->discipline = FATFLY_PHASED;
        c->phases = rng_below(r, 10);
        c->phase_length = rng_below(r, 100);
    }
}

static void random_configurations_are_equal(void **state)
{
    struct rng r = {unit_seed};
    (void)state;
    for (unsigned k = 0; k < 150; k += UNIT_EACH(3)) {
        struct fatfly_config c;
        random_configuration(&c, &r);
        assert_true(same(&c));
    }
}

/* Every path with every scan, queues of 1 to 16 flits, worms of 1 to 40; static and open loop. */
static void the_whole_matrix_is_equal(void **state)
{
    static const unsigned depths[] = {1, 2, 3, 4, 16};
    static const unsigned lengths[] = {1, 2, 5, 40};
    (void)state;
    for (unsigned k = 0; k < FATFLY_TREE_PATHS * FATFLY_SCANS * 5 * 4; k += UNIT_EACH(3)) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.path = (enum fatfly_path)(k % FATFLY_TREE_PATHS);
        c.scan = (enum fatfly_scan)(k / FATFLY_TREE_PATHS % FATFLY_SCANS);
        c.depth = depths[k / (FATFLY_TREE_PATHS * FATFLY_SCANS) % 5];
        c.length = lengths[k / (FATFLY_TREE_PATHS * FATFLY_SCANS * 5)];
        c.nodes = 64;
        c.seed = k + 1;
        if (k % 2) {
            assert_true(same(&c));
            continue;
        }
        c.load = 0.35; /* beyond saturation for most */
        c.detect_warmup = false;
        c.warmup = 100;
        c.cycles = 300;
        assert_true(same(&c));
    }
}

/* Worms that stream over cut links for longer than they may sleep. */
static void long_worms_are_equal(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 24; k += UNIT_EACH(7)) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.nodes = k % 2 ? 64 : 16;
        c.pattern = k % 3 ? FATFLY_RANDOM : FATFLY_COMPLEMENT;
        c.depth = 1 + k % 4;
        c.length = 200 << k % 4;
        c.length_min = k % 5 ? c.length - 7 : c.length;
        c.lengths = k % 5 ? FATFLY_UNIFORM : FATFLY_FIXED;
        c.seed = k + 1;
        c.load = k % 2 ? 0.1 : 0;
        c.cycles = 6000;
        c.detect_warmup = false;
        assert_true(same(&c));
    }
}

/* Warm-ups and measurements that last many sections of a run in parts, so that sums are joined more than once. */
static void long_warmups_are_equal(void **state)
{
    unsigned found = 0;
    (void)state;
    for (unsigned k = 0; k < 8; k++) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.nodes = k % 4 ? 64 : 16;
        c.length = 64 << k % 3;
        c.load = 0.03 + 0.01 * (k % 2);
        c.cycles = k % 2 ? 5000 : 40000;
        c.warmup = UINT64_C(1) << 18;
        c.seed = unit_seed + k;
        assert_true(c.detect_warmup);
        assert_true(same(&c));
        found += one.result.warmed_up && one.result.cycles - c.cycles >= 32768; /* its last span: 16,384 cycles and more */
    }
    assert_true(found >= 4);
}

/* Worms are on cut links at the end. */
static void a_run_cut_short_is_equal(void **state)
{
    (void)state;
    for (unsigned cycles = 4; cycles < 40; cycles += 3) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.max_cycles = cycles;
        c.seed = cycles;
        assert_true(same(&c));
    }
}

static void messages_are_equal(void **state)
{
    static struct fatfly_message messages[200];
    struct fatfly_config c;
    (void)state;
    for (unsigned k = 0; k < 200; k++)
        messages[k] = (struct fatfly_message){.ready = k / 3 * 50, .src = draw(64), .dst = draw(64),
                                              .length = 1 + draw(20)};
    fatfly_defaults(&c);
    c.pattern = FATFLY_MESSAGES;
    c.messages = messages;
    c.message_count = 200; /* with pauses in which the network is empty */
    assert_true(same(&c));
}

/* The same on threads that run at the same time. */
static void threads_are_equal(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.nodes = 64;
        c.pattern = FATFLY_COMPLEMENT;
        c.length = 8;
        if (k) {
            c.pattern = FATFLY_RANDOM;
            c.load = 0.1;
            c.cycles = 200;
            c.warmup = 0;
            c.detect_warmup = false;
        }
        c.parts = 1;
        assert_int_equal(play(&c, NULL, &one), FATFLY_OK);
        for (unsigned parts = 2; parts <= 4; parts *= 2)
            assert_true(same_parts(&c, parts, &transport_threads));
    }
}

static unsigned started; /* threads, by this one */

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*begin)(void *), void *context)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    started++;
    return real(thread, how, begin, context);
}

/* Parts have threads from 16,384 processors on, all of them, and none below, as fatfly_parts() says. */
static void threads_from_a_size_on(void **state)
{
    static const struct { uint32_t nodes; unsigned parts; bool threads; } row[] = {
        {16, 2, false},   {1024, 16, false}, {4096, 2, false}, {4096, 32, false},
        {16384, 1, false}, {16384, 2, true},  {16384, 8, true}, {65536, 4, true},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        struct fatfly_config c;
        struct fatfly_result r;
        fatfly_defaults(&c);
        c.nodes = row[k].nodes;
        c.parts = row[k].parts;
        c.length = 1 + k % 2;
        c.path = FATFLY_RP;
        c.max_cycles = 1;
        started = 0;
        CHECK_AT(k, fatfly_run(&c, NULL, &r, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, started, row[k].threads ? 3 * (row[k].parts - 1) : 0); /* to begin, to run, to end */
        CHECK_AT(k, fatfly_parts(&c), row[k].threads ? row[k].parts : 1);
    }
}

/* What has no parts runs in one, and says so; what has too few roots runs in fewer. */
static void parts_that_do_not_fit_are_fewer(void **state)
{
    struct fatfly_config c;
    (void)state;
    fatfly_defaults(&c);
    c.parts = 64;
    CHECK_EQ(fatfly_parts(&c), 1); /* too small for threads, though it is cut */
    c.nodes = 16384;
    CHECK_EQ(fatfly_parts(&c), 64);
    c.parts = 16;
    CHECK_EQ(fatfly_parts(&c), 16);
    c.parts = 8;
    CHECK_EQ(fatfly_parts(&c), 8);
    c.vcs = 2;
    CHECK_EQ(fatfly_parts(&c), 1);
    c.vcs = 1;
    c.discipline = FATFLY_STORE;
    CHECK_EQ(fatfly_parts(&c), 1);
    c.discipline = FATFLY_WORM;
    c.parts = 3;
    CHECK_EQ(fatfly_check(&c, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "parts = 3; allowed: 1, 2, 4, 8, 16, 32 or 64");
    c.parts = 128;
    CHECK_EQ(fatfly_check(&c, why, sizeof why), FATFLY_BAD_CONFIG);
}

int main(int argc, char **argv)
{
    unit_args(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_that_do_not_fit_are_fewer), cmocka_unit_test(a_run_cut_short_is_equal),
        cmocka_unit_test(the_whole_matrix_is_equal), cmocka_unit_test(long_worms_are_equal), cmocka_unit_test(long_warmups_are_equal),
        cmocka_unit_test(random_configurations_are_equal), cmocka_unit_test(messages_are_equal),
        cmocka_unit_test(threads_are_equal), cmocka_unit_test(threads_from_a_size_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
