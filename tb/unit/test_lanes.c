/* SPDX-License-Identifier: Apache-2.0
 * test_lanes.c - the fast engine for two and four channels against the one that is compared with the
 * Verilog: every figure of the result, digest included, and the worms over each link, over random
 * configurations and the whole matrix of paths and scans; messages; and sessions, delivery by
 * delivery.  tb/engines runs the same against planted bugs.
 */
#include "fatfly.h"

#include "rng.h"

#include <stddef.h>
#include <string.h>

#include "unit.h"

enum { MOST_LINKS = 6 * 496 + 1024, SENDS = 120 };

static struct fatfly_result fast, cycle;
static uint32_t links_fast[MOST_LINKS], links_cycle[MOST_LINKS];
static char why[400];

static void show(const struct fatfly_config *c, const char *what, uint64_t a, uint64_t b)
{
    printf("N = %u V = %u q = %u %s %s L = %u..%u %s load = %g rounds = %u seed = %llu: %s: fast %llu, "
           "cycle %llu\n", c->nodes, c->vcs, c->depth, fatfly_path_names[c->path],
           fatfly_scan_names[c->scan], c->length_min, c->length, fatfly_pattern_names[c->pattern],
           c->load, c->rounds, (unsigned long long)c->seed, what, (unsigned long long)a,
           (unsigned long long)b);
}

/* True if both engines give the same result. */
static bool same(struct fatfly_config *c)
{
    struct fatfly_hooks hooks = {.link_worms = links_fast};

    memset(&fast, 0, sizeof fast); /* padding, too, as the whole is compared */
    memset(&cycle, 0, sizeof cycle);
    c->engine = FATFLY_FAST;
    int a = fatfly_run(c, &hooks, &fast, why, sizeof why);
    hooks.link_worms = links_cycle;
    c->engine = FATFLY_CYCLE;
    int b = a ? a : fatfly_run(c, &hooks, &cycle, why, sizeof why);
    if (a || b) {
        show(c, why, (uint64_t)a, (uint64_t)b);
        return false;
    }
    if (memcmp(&fast, &cycle, sizeof fast) == 0 &&
        memcmp(links_fast, links_cycle, fatfly_links(c) * sizeof *links_fast) == 0)
        return true;
    show(c, "digest", fast.digest, cycle.digest);
    show(c, "cycles", fast.cycles, cycle.cycles);
    show(c, "hops", fast.flit_hops, cycle.flit_hops);
    return false;
}

static void random_network(struct fatfly_config *c, struct rng *r, unsigned sizes)
{
    static const uint32_t nodes[] = {4, 16, 64, 256, 1024};

    fatfly_defaults(c);
    c->nodes = nodes[rng_below(r, sizes)];
    c->vcs = 2u << rng_below(r, 2);
    c->depth = 1 + rng_below(r, rng_below(r, 2) ? 16 : 3);
    c->path = (enum fatfly_path)rng_below(r, FATFLY_TREE_PATHS);
    c->scan = (enum fatfly_scan)rng_below(r, FATFLY_SCANS);
    c->seed = rng_next(r);
    c->max_cycles = 8000;
}

static void random_configuration(struct fatfly_config *c, struct rng *r, unsigned sizes)
{
    random_network(c, r, sizes);
    unsigned cycles = c->nodes > 64 ? 200 : 1500;
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
    if (rng_below(r, 2)) {
        c->load = (1 + rng_below(r, 100)) * (rng_below(r, 2) ? 0.001 : 0.01);
        c->arrivals = (enum fatfly_arrivals)rng_below(r, FATFLY_ARRIVALS);
        if (c->arrivals == FATFLY_ON_OFF)
            c->load *= 0.4;
        c->cycles = 100 + rng_below(r, cycles);
        c->detect_warmup = rng_below(r, 2);
        c->warmup = rng_below(r, cycles);
        return;
    }
    c->rounds = 1 + rng_below(r, c->nodes > 64 ? 1 : 3);
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
    for (unsigned k = 0; k < 160; k += UNIT_EACH(3)) {
        struct fatfly_config c;
        random_configuration(&c, &r, k % 40 ? 3 : 5);
        assert_true(same(&c));
    }
}

/* Every path with every scan, two and four channels, queues of 1 to 16 flits, worms of 1 to 40; static and
 * open loop. */
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
        c.vcs = 2u << (k / 3 % 2);
        c.nodes = 16;
        c.seed = k + 1;
        c.rounds = 3;
        assert_true(same(&c));
        c.rounds = 1;
        c.vcs = 6 - c.vcs;
        c.load = 0.35; /* near saturation for most */
        c.detect_warmup = false;
        c.warmup = 60;
        c.cycles = 300;
        assert_true(same(&c));
    }
}

/* Payloads of every width on two and four channels. */
static void every_width_is_equal(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 2 * 49; k++) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.nodes = 16;
        c.vcs = 2 + k % 2 * 2;
        c.flit_bits = 16 + k / 2;
        c.length = 3;
        c.seed = k + 1;
        assert_true(same(&c));
    }
}

/* Messages at any time, with gaps in which nothing is under way. */
static void messages_are_equal(void **state)
{
    static struct fatfly_message m[300];
    struct rng r = {unit_seed + 1};
    (void)state;
    for (unsigned k = 0; k < 20; k++) {
        struct fatfly_config c;
        uint64_t at = 0;
        random_network(&c, &r, 3);
        c.max_cycles = 0;
        for (unsigned j = 0; j < ROWS(m); j++) {
            at += rng_below(&r, 40) ? rng_below(&r, 4) : rng_below(&r, 600);
            m[j] = (struct fatfly_message){.ready = at, .src = rng_below(&r, c.nodes),
                                           .length = 1 + rng_below(&r, 30)};
            m[j].dst = (m[j].src + 1 + rng_below(&r, c.nodes - 1)) % c.nodes;
        }
        c.pattern = FATFLY_MESSAGES;
        c.messages = m;
        c.message_count = ROWS(m);
        assert_true(same(&c));
    }
}

struct session {
    struct fatfly_session *s;
    struct fatfly_delivery by_tag[SENDS];
    unsigned got;
};

static void take(struct session *s)
{
    struct fatfly_delivery d;
    while (fatfly_poll(s->s, &d)) {
        assert_true(d.tag < SENDS && !s->by_tag[d.tag].length);
        s->by_tag[d.tag] = d;
        s->got++;
    }
}

static void sessions_are_equal(void **state)
{
    static struct session two[2];
    struct rng r = {unit_seed + 2};
    (void)state;
    for (unsigned k = 0; k < 30; k++) {
        struct fatfly_config c;
        uint64_t now = 0;
        random_network(&c, &r, 3);
        memset(two, 0, sizeof two);
        for (unsigned j = 0; j < 2; j++) {
            c.engine = j ? FATFLY_CYCLE : FATFLY_FAST;
            CHECK_AT(k, fatfly_open(&two[j].s, &c, why, sizeof why), FATFLY_OK);
        }
        for (uint32_t tag = 0; tag < SENDS; tag++) {
            struct fatfly_worm w = {.ready = now, .tag = tag, .src = rng_below(&r, c.nodes),
                                    .length = 1 + rng_below(&r, 20), .parents = 0};
            w.dst = (w.src + 1 + rng_below(&r, c.nodes - 1)) % c.nodes;
            now += rng_below(&r, 30) ? rng_below(&r, 3) : 400;
            for (unsigned j = 0; j < 2; j++) {
                CHECK_AT(k, fatfly_send(two[j].s, &w, why, sizeof why), FATFLY_OK);
                CHECK_AT(k, fatfly_advance(two[j].s, now, false, why, sizeof why), FATFLY_OK);
                CHECK_AT(k, fatfly_now(two[j].s), now);
                take(&two[j]);
            }
            CHECK_AT(tag, two[0].got, two[1].got);
        }
        memset(&fast, 0, sizeof fast);
        memset(&cycle, 0, sizeof cycle);
        for (unsigned j = 0; j < 2; j++) {
            CHECK_AT(k, fatfly_advance(two[j].s, now + 5000, false, why, sizeof why), FATFLY_OK);
            take(&two[j]);
            fatfly_statistics(two[j].s, j ? &cycle : &fast);
            fatfly_close(two[j].s);
        }
        CHECK_AT(k, two[0].got, SENDS);
        for (uint32_t tag = 0; tag < SENDS; tag++) /* without the padding behind */
            assert_memory_equal(&two[0].by_tag[tag], &two[1].by_tag[tag],
                                offsetof(struct fatfly_delivery, of_class) + sizeof(uint32_t));
        CHECK_AT(k, fast.digest, cycle.digest);
        CHECK_AT(k, fast.flit_hops, cycle.flit_hops);
        CHECK_AT(k, fast.blocked, cycle.blocked);
    }
}

/* Two worms on one link share it: each flit of either takes two cycles where both stream, and a worm
 * alone is as fast as with one channel. */
static void two_worms_share_a_link(void **state)
{
    const struct fatfly_message m[] = {{.ready = 0, .src = 0, .dst = 3, .length = 20},
                                       {.ready = 0, .src = 1, .dst = 3, .length = 20}};
    (void)state;
    for (unsigned count = 1; count <= 2; count++) {
        struct fatfly_config c;
        fatfly_defaults(&c);
        c.nodes = 4;
        c.vcs = 2;
        c.pattern = FATFLY_MESSAGES;
        c.messages = m;
        c.message_count = count;
        CHECK_AT(count, fatfly_run(&c, NULL, &fast, why, sizeof why), FATFLY_OK);
        CHECK_AT(count, fast.last_arrival, 20 * count);
        CHECK_AT(count, fast.worms, count);
        CHECK_AT(count, fast.flit_hops, 40 * count);
    }
}

int main(int argc, char **argv)
{
    unit_args(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_worms_share_a_link),
        cmocka_unit_test(random_configurations_are_equal),
        cmocka_unit_test(the_whole_matrix_is_equal),
        cmocka_unit_test(every_width_is_equal),
        cmocka_unit_test(messages_are_equal),
        cmocka_unit_test(sessions_are_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
