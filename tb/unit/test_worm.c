/* SPDX-License-Identifier: Apache-2.0
 * test_worm.c - the fast engine against the one that is compared with the Verilog: every figure of
 * the result, digest included, over random configurations and over the whole matrix of paths and
 * scans; exact latencies; and that the comparison would notice a difference.
 */
#include "fatfly.h"

#include "measure.h"
#include "rng.h"

#include <string.h>

#include "unit.h"

static struct fatfly_result fast, cycle;
static char why[400];

static void show(const struct fatfly_config *c, const char *what, uint64_t a, uint64_t b)
{
    printf("N = %u q = %u %s %s L = %u..%u %s load = %g rounds = %u seed = %llu: %s: fast %llu, "
           "cycle %llu\n", c->nodes, c->depth, fatfly_path_names[c->path],
           fatfly_scan_names[c->scan], c->length_min, c->length, fatfly_pattern_names[c->pattern],
           c->load, c->rounds, (unsigned long long)c->seed, what, (unsigned long long)a,
           (unsigned long long)b);
}

/* True if both engines give the same result. */
static bool same(struct fatfly_config *c)
{
    memset(&fast, 0, sizeof fast); /* padding, too, as the whole is compared */
    memset(&cycle, 0, sizeof cycle);
    c->engine = FATFLY_FAST;
    int a = fatfly_run(c, NULL, &fast, why, sizeof why);
    c->engine = FATFLY_CYCLE;
    int b = fatfly_run(c, NULL, &cycle, why, sizeof why);
    if (a || b) {
        printf("status %d, %d: %s\n", a, b, why);
        return false;
    }
    if (memcmp(&fast, &cycle, sizeof fast) == 0)
        return true;
    show(c, "digest", fast.digest, cycle.digest);
    show(c, "cycles", fast.cycles, cycle.cycles);
    show(c, "hops", fast.flit_hops, cycle.flit_hops);
    return false;
}

static void random_configuration(struct fatfly_config *c, struct rng *r)
{
    static const uint32_t nodes[] = {4, 16, 64};

    fatfly_defaults(c);
    c->nodes = nodes[rng_below(r, 3)];
    c->depth = 1 + rng_below(r, rng_below(r, 2) ? 16 : 3);
    c->path = (enum fatfly_path)rng_below(r, FATFLY_TREE_PATHS);
    c->scan = (enum fatfly_scan)rng_below(r, FATFLY_SCANS);
    c->lengths = (enum fatfly_lengths)rng_below(r, FATFLY_LENGTHS);
    c->length = 1 + rng_below(r, rng_below(r, 2) ? 8 : 64);
    c->length_min = 1 + rng_below(r, c->length);
    c->length_mean = c->length_min + rng_below(r, 20);
    c->mix_count = 2;
    c->mix[0] = (struct fatfly_size){c->length_min, 1};
    c->mix[1] = (struct fatfly_size){c->length, 2};
    c->pattern = (enum fatfly_pattern)rng_below(r, FATFLY_PERMUTATION);
    c->self_traffic = rng_below(r, 2);
    c->hotspot_node = rng_below(r, c->nodes);
    c->hotspot = 0.3;
    c->seed = rng_next(r);
    c->max_cycles = 20000;
    if (rng_below(r, 2)) {
        c->load = (1 + rng_below(r, 100)) * (rng_below(r, 2) ? 0.001 : 0.01);
        c->arrivals = (enum fatfly_arrivals)rng_below(r, FATFLY_ARRIVALS);
        if (c->arrivals == FATFLY_ON_OFF)
            c->load *= 0.4;
        c->cycles = 500 + rng_below(r, 2000);
        c->detect_warmup = rng_below(r, 2);
        c->warmup = rng_below(r, 3000);
        return;
    }
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
    for (unsigned k = 0; k < 250; k += UNIT_EACH(2)) {
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
        c.nodes = 16;
        c.seed = k + 1;
        c.rounds = 3;
        assert_true(same(&c));
        c.rounds = 1;
        c.load = 0.35; /* beyond saturation for most */
        c.detect_warmup = false;
        c.warmup = 100;
        c.cycles = 600;
        assert_true(same(&c));
    }
}

/* Payloads of every width, of worms of one flit and more. */
static void every_width_is_equal(void **state)
{
    static const unsigned lengths[] = {1, 3, 40};
    (void)state;
    for (unsigned k = 0; k < 3 * 49; k++) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.nodes = 16;
        c.flit_bits = 16 + k / 3;
        c.length = lengths[k % 3];
        c.seed = k + 1;
        assert_true(same(&c));
    }
}

/* Worms far longer than their paths, most of whose flits stream (stream.c): up to three turns of its wheel;
 * runs that end, and are measured, in the middle of them. */
static void long_worms_are_equal(void **state)
{
    struct rng r = {unit_seed + 1};
    (void)state;
    for (unsigned k = 0; k < 60; k++) {
        struct fatfly_config c;
        random_configuration(&c, &r);
        c.depth = 1 + rng_below(&r, 4);
        c.length = 30 + rng_below(&r, rng_below(&r, 2) ? 100 : 900);
        c.length_min = 20 + rng_below(&r, c.length - 20);
        c.length_mean = c.length_min;
        c.mix[0].length = c.length_min;
        c.mix[1].length = c.length;
        c.max_cycles = 1 + rng_below(&r, 6000);
        assert_true(same(&c));
    }
}

/* Networks of 5 and 6 levels: every path with every scan, one channel, in parts, two and four, worms of one flit and of
 * three.  The first cycles, in which more and more switches have worms that compete. */
static void large_networks_are_equal(void **state)
{
    static const unsigned kind[][3] = {{1, 1, 1}, {1, 1, 3}, {1, 4, 3}, {2, 1, 3}, {4, 1, 3}}; /* V, parts, L */
    (void)state;
    for (unsigned k = 0; k < FATFLY_TREE_PATHS * FATFLY_SCANS * ROWS(kind); k += UNIT_EACH(3)) {
        unsigned which = k / (FATFLY_TREE_PATHS * FATFLY_SCANS);
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.path = (enum fatfly_path)(k % FATFLY_TREE_PATHS);
        c.scan = (enum fatfly_scan)(k / FATFLY_TREE_PATHS % FATFLY_SCANS);
        c.vcs = kind[which][0];
        c.parts = kind[which][1];
        c.length = kind[which][2];
        c.nodes = k % 8 ? 1024 : 4096;
        c.seed = k + 1;
        c.load = 0.5;
        c.warmup = 0;
        c.cycles = 64;
        c.max_cycles = 48;
        assert_true(same(&c));
    }
}

/* The worms over each link, too. */
static void same_over_links(struct fatfly_config *c, unsigned at)
{
    static uint32_t over[2][6 * 496 + 1024];
    for (unsigned j = 0; j < 2; j++) {
        struct fatfly_hooks hooks = {.link_worms = over[j]};
        c->engine = j ? FATFLY_CYCLE : FATFLY_FAST;
        CHECK_AT(at, fatfly_run(c, &hooks, &fast, why, sizeof why), FATFLY_OK);
    }
    assert_memory_equal(over[0], over[1], fatfly_links(c) * sizeof **over);
}

/* Worms of one flit (single.c). */
static void single_flits_are_equal(void **state)
{
    struct rng r = {unit_seed + 3};
    (void)state;
    for (unsigned k = 0; k < 100; k += UNIT_EACH(3)) {
        struct fatfly_config c;
        random_configuration(&c, &r);
        c.nodes = k % 10 ? c.nodes : 256;
        c.lengths = FATFLY_FIXED;
        c.length = c.length_min = 1;
        c.max_cycles = 1500;
        assert_true(same(&c));
        if (k % 10 == 1) { /* some are longer after all */
            c.discipline = FATFLY_WORM;
            c.class_length[0] = 3;
            assert_true(same(&c));
            c.class_length[0] = 0;
            c.reply[0] = 4;
            assert_true(same(&c));
            c.reply[0] = 0;
        }
        same_over_links(&c, k);
    }
}

/* And over the usual switch (fronts_worm.c): in trees of one to five levels, most of them saturated. */
static void the_usual_switch_is_equal(void **state)
{
    static const uint32_t nodes[] = {4, 16, 64, 256, 1024};
    struct rng r = {unit_seed + 4};
    (void)state;
    for (unsigned k = 0; k < 80; k++) {
        struct fatfly_config c;
        random_configuration(&c, &r);
        c.nodes = nodes[k % ROWS(nodes)];
        c.hotspot_node %= c.nodes;
        c.depth = 2;
        c.path = FATFLY_RP;
        c.scan = k % 2 ? FATFLY_FO : FATFLY_RR;
        c.lengths = FATFLY_FIXED;
        c.length = c.length_min = 1;
        c.rounds *= k % 3 ? 1 : 5;
        c.max_cycles = 120000 / c.nodes;
        assert_true(same(&c));
        same_over_links(&c, k);
    }
}

/* What a session says of itself between two cycles, and when something can happen next. */
static void sessions_are_equal(void **state)
{
    struct fatfly_session *s[2];
    struct fatfly_snapshot *shot;
    struct rng r = {unit_seed + 2};
    (void)state;
    for (unsigned k = 0; k < 40; k++) {
        struct fatfly_config c;
        uint64_t now = 0, back = 0;
        fatfly_defaults(&c);
        c.nodes = k & 1 ? 16 : 64;
        c.depth = 1 + rng_below(&r, 4);
        c.path = (enum fatfly_path)rng_below(&r, FATFLY_TREE_PATHS);
        c.scan = (enum fatfly_scan)rng_below(&r, FATFLY_SCANS);
        c.seed = rng_next(&r);
        for (unsigned j = 0; j < 2; j++) {
            c.engine = j ? FATFLY_CYCLE : FATFLY_FAST;
            CHECK_AT(k, fatfly_open(&s[j], &c, why, sizeof why), FATFLY_OK);
        }
        CHECK_AT(k, fatfly_save(s[0], &shot, why, sizeof why), FATFLY_OK);
        for (uint32_t tag = 0; tag < 60; tag++) {
            struct fatfly_worm w = {.ready = now, .tag = tag, .src = rng_below(&r, c.nodes),
                                    .length = 1 + rng_below(&r, 500)};
            w.dst = (w.src + 1 + rng_below(&r, c.nodes - 1)) % c.nodes;
            now += rng_below(&r, 9) ? rng_below(&r, 40) : 400 + rng_below(&r, 500);
            for (unsigned j = 0; j < 2; j++) {
                CHECK_AT(k, fatfly_send(s[j], &w, why, sizeof why), FATFLY_OK);
                CHECK_AT(k, fatfly_advance(s[j], now, false, why, sizeof why), FATFLY_OK);
                CHECK_AT(k, fatfly_now(s[j]), now);
                fatfly_statistics(s[j], j ? &cycle : &fast);
            }
            assert_memory_equal(&fast, &cycle, sizeof fast);
            if (tag == 20) {
                fatfly_snapshot_free(shot);
                CHECK_AT(k, fatfly_save(s[0], &shot, why, sizeof why), FATFLY_OK);
                back = cycle.digest;
            }
        }
        CHECK_AT(k, fatfly_restore(s[0], shot, why, sizeof why), FATFLY_OK);
        fatfly_statistics(s[0], &fast);
        CHECK_AT(k, fast.digest, back);
        fatfly_snapshot_free(shot);
        fatfly_close(s[0]);
        fatfly_close(s[1]);
    }
}

/* Many-to-1 takes cL + d - 2 cycles (spec, section 7), c = N / 2. */
static void many_to_1_is_exact(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 6; n++)
        for (unsigned length = 1; length <= 32; length *= 4) {
            struct fatfly_config c;
            fatfly_defaults(&c);
            c.nodes = 1u << 2 * n;
            c.pattern = FATFLY_MANY_TO_1;
            c.length = length;
            c.seed = n;
            CHECK_EQ(fatfly_run(&c, NULL, &fast, why, sizeof why), FATFLY_OK);
            CHECK_EQ(fast.congestion, c.nodes / 2);
            CHECK_EQ(fast.last_arrival, c.nodes / 2 * length + 2 * n - 2);
            CHECK_EQ(fast.worms, c.nodes);
            CHECK_EQ(fast.flits, c.nodes * length);
        }
}

/* Heads that wait for more than 2^16 cycles, as those at the last child do under FO until the first have sent all. */
static void long_waits_are_equal(void **state)
{
    static const struct { unsigned length, vcs, depth; } row[] = {{1, 1, 2}, {1, 1, 4}, {12, 1, 2}, {12, 2, 2}};
    (void)state;
    for (unsigned k = 0; k < ROWS(row); k++) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.nodes = 4;
        c.pattern = FATFLY_MANY_TO_1;
        c.scan = FATFLY_FO;
        c.length = row[k].length;
        c.vcs = row[k].vcs;
        c.depth = row[k].depth;
        c.rounds = 80000 / c.length;
        assert_true(same(&c));
        assert_true(fast.up[0].waited + fast.down[0].waited > 65536);
    }
}

/* A worm that meets no other takes 2h + L - 2 cycles, at every height, and waits nowhere. */
static void a_lone_worm_is_exact(void **state)
{
    (void)state;
    for (unsigned h = 1; h <= 8; h++)
        for (unsigned length = 1; length <= 7; length += 6)
            for (unsigned vcs = 1; vcs <= 4; vcs *= 2) {
                struct fatfly_message m = {.ready = 100, .src = 3, .dst = 3 ^ (2u << 2 * (h - 1)), .length = length};
                struct fatfly_config c;
                fatfly_defaults(&c);
                c.nodes = 65536;
                c.vcs = vcs;
                c.pattern = FATFLY_MESSAGES;
                c.messages = &m;
                c.message_count = 1;
                CHECK_EQ(fatfly_run(&c, NULL, &fast, why, sizeof why), FATFLY_OK);
                CHECK_EQ(fast.last_arrival, 100 + 2 * h + length - 2);
                CHECK_EQ(fast.latency_sum, 2 * h + length - 1);
                CHECK_EQ(fast.flit_hops, length * 2 * h);
                CHECK_EQ(fast.dilation, 2 * h);
                CHECK_EQ(fast.wait_sum, 0);
                CHECK_EQ(fast.source_wait, 0);
                CHECK_EQ(fast.blocked, 0);
            }
}

/* The digest tells machines apart that differ in one thing. */
static void the_digest_sees_every_difference(void **state)
{
    struct fatfly_config c;
    uint64_t seen[16];
    unsigned count = 0;
    (void)state;
    for (unsigned k = 0; k < 12; k++) {
        fatfly_defaults(&c);
        c.rounds = 3;
        switch (k) {
        case 0: break;
        case 1: c.depth = 3; break;
        case 2: c.scan = FATFLY_FO; break;
        case 3: c.scan = FATFLY_ROT; break;
        case 4: c.scan = FATFLY_FF; break;
        case 5: c.scan = FATFLY_FCFS; break;
        case 6: c.path = FATFLY_GP; break;
        case 7: c.path = FATFLY_RG; break;
        case 8: c.path = FATFLY_FP; break;
        case 9: c.length = 31; break;
        case 10: c.seed = 2; break;
        default: c.delay_range = 2; break;
        }
        CHECK_EQ(fatfly_run(&c, NULL, &fast, why, sizeof why), FATFLY_OK);
        for (unsigned j = 0; j < count; j++)
            assert_true(seen[j] != fast.digest);
        seen[count++] = fast.digest;
    }
}

static bool stop(void *context, uint64_t at, uint64_t delivered)
{
    unsigned *calls = context;
    (void)delivered;
    return at < 20000 && ++*calls < 1000;
}

static void a_run_can_be_stopped_and_cut(void **state)
{
    struct fatfly_config c;
    unsigned calls = 0;
    struct fatfly_hooks hooks = {.poll = stop, .context = &calls};
    (void)state;
    fatfly_defaults(&c);
    c.load = 0.01;
    CHECK_EQ(fatfly_run(&c, &hooks, &fast, why, sizeof why), FATFLY_OK);
    CHECK_EQ(fast.end, FATFLY_STOPPED);
    assert_true(calls > 1 && fast.cycles < 30000);
    c.max_cycles = 1000;
    CHECK_EQ(fatfly_run(&c, NULL, &fast, why, sizeof why), FATFLY_OK);
    CHECK_EQ(fast.end, FATFLY_CUT);
    CHECK_EQ(fast.cycles, 1000);
}

/* fatfly_link_at() names each link once, and what crosses it is what the levels say. */
static void links_are_named(void **state)
{
    static uint32_t worms[6 * 120 + 256];
    struct fatfly_hooks hooks = {.link_worms = worms};
    struct fatfly_config c;
    (void)state;
    fatfly_defaults(&c);
    c.nodes = 256;
    c.rounds = 4;
    CHECK_EQ(fatfly_links(&c), 6 * 120 + 256);
    CHECK_EQ(fatfly_run(&c, &hooks, &fast, why, sizeof why), FATFLY_OK);
    uint64_t up[10] = {0}, down[10] = {0}, links = 0;
    for (uint32_t k = 0; k < fatfly_links(&c); k++) {
        struct fatfly_link l = fatfly_link_at(256, k);
        if (!l.exists) {
            CHECK_EQ(worms[k], 0);
            continue;
        }
        links++;
        assert_true(l.level < 4 && l.lower < 256u >> l.level && l.upper < 256u >> (l.level + 2));
        (l.up ? up : down)[l.level] += worms[k];
    }
    CHECK_EQ(links, 2 * (256 + 128 + 64 + 32));
    for (unsigned l = 0; l < 4; l++) {
        CHECK_EQ(up[l], fast.up[l].worms);
        CHECK_EQ(down[l], fast.down[l].worms);
        CHECK_EQ(fast.up[l].flits, 32 * up[l]);
    }
    CHECK_EQ(up[0], 4 * 256);
    for (uint64_t n = 1; n <= UINT32_MAX; n *= 2) /* and none of what is no fat-tree */
        CHECK_AT(n, fatfly_link_at((uint32_t)n, 0).exists, n > 2 && n <= 16777216 && __builtin_ctzll(n) % 2 == 0);
}

static bool adds_up(const struct topology *t, const struct fatfly_config *c, const uint32_t *worms, size_t size)
{
    struct measure_ends ends = measure_ends(t, worms);
    return measure_check_ends(t, c, &fast, &ends, size ? why : NULL, size);
}

/* The check at the end of every run sees each count that is off by one. */
static void what_does_not_add_up_is_seen(void **state)
{
    static uint32_t worms[6 * 28 + 64];
    struct fatfly_hooks hooks = {.link_worms = worms};
    struct fatfly_config c;
    struct topology t;
    (void)state;
    for (unsigned d = 0; d <= FATFLY_PHASED; d++) {
        fatfly_defaults(&c);
        c.discipline = (enum fatfly_discipline)d;
        CHECK_AT(d, fatfly_run(&c, &hooks, &fast, why, sizeof why), FATFLY_OK);
        assert_int_equal(topology_of(&c, &t, why, sizeof why), 0);
        assert_true(adds_up(&t, &c, worms, sizeof why));
        uint64_t *counts[] = {&fast.flit_hops, &fast.up[0].flits, &fast.down[1].flits, &fast.worms,
                              &fast.measured, &fast.histogram[100]};
        for (unsigned k = 0; k < ROWS(counts); k++) {
            ++*counts[k];
            assert_false(adds_up(&t, &c, worms, sizeof why));
            --*counts[k];
        }
        for (unsigned k = 0; k < 2; k++) {
            uint32_t *link = &worms[k ? 6 * 28 + 5 : 5 / 4 * 6 + 5 % 4];
            ++*link;
            assert_false(adds_up(&t, &c, worms, sizeof why));
            --*link;
        }
        if (d != FATFLY_SPLIT) {
            fast.flits--;
            assert_false(adds_up(&t, &c, worms, sizeof why));
            fast.flits++;
        }
        assert_true(adds_up(&t, &c, worms, 0));
    }
}

int main(int argc, char **argv)
{
    unit_args(argc, argv);
    const struct CMUnitTest tests[] = {
        /* The short ones first: a bug is seen sooner. */
        cmocka_unit_test(what_does_not_add_up_is_seen),
        cmocka_unit_test(a_run_can_be_stopped_and_cut),
        cmocka_unit_test(links_are_named),
        cmocka_unit_test(the_digest_sees_every_difference),
        cmocka_unit_test(many_to_1_is_exact), cmocka_unit_test(long_waits_are_equal),
        cmocka_unit_test(long_worms_are_equal),
        cmocka_unit_test(random_configurations_are_equal),
        cmocka_unit_test(sessions_are_equal),
        cmocka_unit_test(a_lone_worm_is_exact),
        cmocka_unit_test(single_flits_are_equal),
        cmocka_unit_test(the_usual_switch_is_equal),
        cmocka_unit_test(the_whole_matrix_is_equal),
        cmocka_unit_test(every_width_is_equal),
        cmocka_unit_test(large_networks_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
