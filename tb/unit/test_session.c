/* SPDX-License-Identifier: Apache-2.0
 * test_session.c - what fatfly_run() sends, sent through a session, gives its digest with every
 * engine; deliveries, events and statistics; what is refused.
 */
#include "fatfly.h"
#include "traffic.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>

static char why[300];

static const struct {
    const char *topology;
    enum fatfly_discipline discipline;
    enum fatfly_path path;
    unsigned vcs, delay_range;
    enum fatfly_engine engine;
} cases[] = {
    {NULL, FATFLY_WORM, FATFLY_RP, 1, 1, FATFLY_FAST},  {NULL, FATFLY_WORM, FATFLY_FP, 1, 9, FATFLY_FAST},
    {NULL, FATFLY_WORM, FATFLY_RG, 1, 1, FATFLY_CYCLE}, {NULL, FATFLY_WORM, FATFLY_FP, 2, 5, FATFLY_AUTO},
    {NULL, FATFLY_STORE, FATFLY_FP, 1, 4, FATFLY_AUTO}, {NULL, FATFLY_SPLIT, FATFLY_FP, 1, 1, FATFLY_AUTO},
    {"torus", FATFLY_WORM, FATFLY_E_CUBE, 0, 1, FATFLY_AUTO},
    {"mesh", FATFLY_STORE, FATFLY_E_CUBE, 0, 4, FATFLY_AUTO},
    {NULL, FATFLY_UNIV, FATFLY_RP, 1, 9, FATFLY_AUTO},  {NULL, FATFLY_UNIV, FATFLY_FP, 1, 1, FATFLY_AUTO},
    {NULL, FATFLY_CMSV1, FATFLY_FP, 1, 1, FATFLY_AUTO}, {NULL, FATFLY_CMSV_STORE, FATFLY_FP, 1, 1, FATFLY_AUTO},
    {"torus", FATFLY_CMSV2, FATFLY_E_CUBE, 0, 1, FATFLY_AUTO},
    {"mesh", FATFLY_CMSV_PROTOCOL, FATFLY_E_CUBE, 0, 1, FATFLY_AUTO},
    {"butterfly", FATFLY_CMSV_BUTTERFLY, FATFLY_GREEDY, 0, 1, FATFLY_AUTO},
};

/* Whether all worms must be sent before the first cycle, and be ready in it. */
static bool knows_all(unsigned k)
{
    return cases[k].discipline == FATFLY_UNIV || cases[k].discipline >= FATFLY_CMSV1;
}
static bool in_rounds(unsigned k)
{
    return cases[k].discipline >= FATFLY_CMSV1;
}

static struct fatfly_config config_of(unsigned k)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.topology = cases[k].topology;
    c.discipline = cases[k].discipline;
    c.path = cases[k].path;
    c.vcs = cases[k].vcs;
    c.delay_range = cases[k].delay_range;
    c.engine = cases[k].engine;
    c.radix = 8;
    c.depth = cases[k].topology ? FATFLY_UNBOUNDED : 2;
    c.rounds = 3;
    c.length = cases[k].discipline == FATFLY_CMSV1 ? 1 : 5;
    c.seed = unit_seed + k;
    return c;
}

static struct fatfly_worm send_of(const struct traffic_worm *w)
{
    return (struct fatfly_worm){.ready = w->ready, .tag = UINT64_C(7) << 40 | w->number,
                                .src = w->src, .dst = w->dst, .length = w->length,
                                .parents = w->path};
}

/* fatfly_run()'s worms. */
static void send_all(struct fatfly_session *s, const struct fatfly_config *c)
{
    struct traffic *t = traffic_new(c);
    struct traffic_worm w;
    if (c->topology && strcmp(c->topology, "butterfly") == 0)
        traffic_apart(t);
    for (uint32_t a = 0; a < c->nodes; a++)
        while (traffic_next(t, a, &w)) {
            struct fatfly_worm x = send_of(&w);
            CHECK_EQ(fatfly_send(s, &x, why, sizeof why), FATFLY_OK);
        }
    traffic_free(t);
}

/* Advances by steps that draw() says, or from delivery to delivery. */
static void same_digest(void **state)
{
    static struct fatfly_result want, got;
    (void)state;
    for (unsigned k = 0; k < ROWS(cases); k++) {
        struct fatfly_config c = config_of(k);
        struct fatfly_session *s;
        struct fatfly_delivery d;
        uint64_t worms = 0, latency = 0, last = 0;
        if (fatfly_run(&c, NULL, &want, why, sizeof why))
            fail_msg("case %u: %s", k, why);
        struct fatfly_config network = c;
        network.rounds = 1; /* a session sends what it is told */
        assert_int_equal(fatfly_open(&s, &network, why, sizeof why), FATFLY_OK);
        assert_true(fatfly_next_event(s) == UINT64_MAX || fatfly_next_event(s) == 0);
        send_all(s, &c);
        while (worms < want.worms) {
            uint64_t to = fatfly_now(s) + 1 + draw(100);
            assert_true(fatfly_now(s) < 1000000);
            CHECK_AT(k, fatfly_advance(s, to, k % 2, why, sizeof why), FATFLY_OK);
            for (; fatfly_poll(s, &d); worms++) {
                assert_true(d.tag >> 40 == 7 && d.tail >= d.head && d.head >= d.injected &&
                            d.injected >= d.ready && d.links > 0);
                latency += d.tail - d.ready + 1;
                last = d.tail > last ? d.tail : last;
            }
        }
        fatfly_statistics(s, &got);
        CHECK_AT(k, got.digest, want.digest);
        CHECK_AT(k, got.worms, want.worms);
        assert_true(got.flit_hops == want.flit_hops || in_rounds(k)); /* copies and losers are under way */
        CHECK_AT(k, got.latency_sum, want.latency_sum);
        CHECK_AT(k, latency, want.latency_sum);
        CHECK_AT(k, got.congestion, want.congestion);
        CHECK_AT(k, got.last_arrival, want.last_arrival);
        CHECK_AT(k, got.end, FATFLY_DONE);
        assert_false(fatfly_poll(s, &d));
        CHECK_AT(k, fatfly_advance(s, fatfly_now(s) + want.cycles + 5000, false, why, sizeof why), FATFLY_OK);
        fatfly_statistics(s, &got);
        CHECK_AT(k, got.digest, want.digest);
        CHECK_AT(k, got.flit_hops, want.flit_hops);
        CHECK_AT(k, got.algorithm_rounds, want.algorithm_rounds);
        assert_true(cases[k].engine == FATFLY_CYCLE || fatfly_next_event(s) == UINT64_MAX);
        fatfly_close(s);
    }
}

/* What advances to a delivery stands behind its step, not where nothing happens any more. */
static void stops_at_a_delivery(void **state)
{
    (void)state;
    for (unsigned k = 0; k < ROWS(cases); k++) {
        struct fatfly_config c = config_of(k);
        struct fatfly_session *s;
        struct fatfly_delivery d;
        if (in_rounds(k))
            continue;
        c.length = 1 + draw(20);
        assert_int_equal(fatfly_open(&s, &c, why, sizeof why), FATFLY_OK);
        for (uint64_t ready = 100; ready < 1000; ready += 300) {
            struct fatfly_worm w = {.ready = ready, .src = 1, .dst = 14, .length = c.length};
            CHECK_AT(k, fatfly_send(s, &w, why, sizeof why), FATFLY_OK);
        }
        for (unsigned worm = 0; worm < 3; worm++) {
            CHECK_AT(k, fatfly_advance(s, UINT64_MAX, true, why, sizeof why), FATFLY_OK);
            assert_true(fatfly_poll(s, &d));
            CHECK_AT(k, d.ready, 100 + 300 * worm);
            assert_true(fatfly_now(s) > d.tail && fatfly_now(s) <= d.tail + c.length);
        }
        CHECK_AT(k, fatfly_advance(s, UINT64_MAX, true, why, sizeof why), FATFLY_OK); /* nothing more comes */
        CHECK_AT(k, fatfly_now(s), UINT64_MAX);
        fatfly_close(s);
    }
}

/* The run's own worms, a cycle at a time: what fatfly_run() finds. */
static void own_worms(void **state)
{
    static struct fatfly_result want, first, got;
    (void)state;
    for (unsigned k = 0; k < ROWS(cases); k++) {
        struct fatfly_config c = config_of(k);
        struct fatfly_session *s;
        if (fatfly_run(&c, NULL, &want, why, sizeof why))
            fail_msg("case %u: %s", k, why);
        assert_int_equal(fatfly_open_run(&s, &c, why, sizeof why), FATFLY_OK);
        while (!fatfly_over(s)) {
            CHECK_AT(k, fatfly_advance(s, fatfly_now(s) + 1 + draw(9), false, why, sizeof why), FATFLY_OK);
            if (draw(8))
                continue;
            fatfly_statistics(s, &first); /* as often as anybody asks */
            fatfly_statistics(s, &got);
            assert_memory_equal(&first, &got, sizeof got);
        }
        fatfly_statistics(s, &got);
        CHECK_AT(k, got.digest, want.digest);
        CHECK_AT(k, got.cycles, want.cycles);
        CHECK_AT(k, got.flit_hops, want.flit_hops);
        CHECK_AT(k, got.algorithm_rounds, want.algorithm_rounds);
        CHECK_AT(k, got.end, want.end);
        fatfly_close(s);
    }
}

/* What must know all worms before they begin. */
static void sent_before(void **state)
{
    (void)state;
    for (unsigned k = 0; k < ROWS(cases); k++) {
        struct fatfly_config c = config_of(k);
        struct fatfly_session *s;
        struct fatfly_delivery d;
        struct fatfly_worm w = {.src = 1, .dst = 14, .length = c.length, .ready = in_rounds(k)};
        if (!knows_all(k))
            continue;
        CHECK_AT(k, fatfly_open(&s, &c, why, sizeof why), FATFLY_OK);
        if (in_rounds(k)) {
            CHECK_AT(k, fatfly_send(s, &w, why, sizeof why), FATFLY_BAD_CONFIG);
            assert_non_null(strstr(why, "; allowed: 0"));
        }
        w.ready = 0;
        CHECK_AT(k, fatfly_send(s, &w, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, fatfly_advance(s, 1, false, why, sizeof why), FATFLY_OK);
        w.ready = fatfly_now(s);
        CHECK_AT(k, fatfly_send(s, &w, why, sizeof why), FATFLY_BAD_CONFIG);
        assert_non_null(strstr(why, "after the first cycle"));
        CHECK_AT(k, fatfly_advance(s, UINT64_MAX, true, why, sizeof why), FATFLY_OK);
        assert_true(fatfly_poll(s, &d));
        fatfly_close(s);
        CHECK_AT(k, fatfly_open(&s, &c, why, sizeof why), FATFLY_OK); /* nothing is sent */
        CHECK_AT(k, fatfly_advance(s, 1000, false, why, sizeof why), FATFLY_OK);
        assert_int_equal(fatfly_now(s), 1000);
        fatfly_close(s);
    }
}

/* A drawn number of worms from each processor, and pauses; takes[k] is the cycle in which tail k arrives.  All arrive. */
enum { UNEVEN = 60, PAUSE = 700 };
static void unevenly(unsigned k, const struct fatfly_config *c, unsigned seed, uint64_t takes[UNEVEN])
{
    struct fatfly_session *s;
    struct fatfly_delivery d;
    unsigned arrived = 0;
    if (fatfly_open(&s, c, why, sizeof why))
        fail_msg("case %u: %s", k, why);
    for (unsigned n = 0; n < UNEVEN; n++) {
        uint32_t mixed = (n + 1) * UINT32_C(2654435761) ^ seed, src = (mixed >> 8) % (1 + (mixed >> 4) % 16);
        struct fatfly_worm w = {.ready = in_rounds(k) ? 0 : n / 20 * PAUSE, .tag = n, .src = src,
                                .dst = (src + 1 + (mixed >> 16) % 15) % 16, .length = c->length};
        CHECK_AT(k, fatfly_send(s, &w, why, sizeof why), FATFLY_OK);
    }
    CHECK_AT(k, fatfly_advance(s, 100000, false, why, sizeof why), FATFLY_OK);
    CHECK_AT(k, fatfly_now(s), 100000);
    for (; fatfly_poll(s, &d); arrived++) {
        assert_true(d.tag < UNEVEN && d.tail > d.ready);
        takes[d.tag] = d.tail;
    }
    CHECK_AT(k, arrived, UNEVEN);
    fatfly_close(s);
}

/* All worms of a session arrive, whoever sends them, and what does not count in a session changes none of their times. */
static void only_what_counts(void **state)
{
    (void)state;
    for (unsigned k = 0; k < ROWS(cases); k++) {
        uint64_t want[UNEVEN], got[UNEVEN];
        struct fatfly_config c = config_of(k), o;
        unsigned seed = (unsigned)draw(UINT32_MAX);
        c.nodes = 16;
        c.radix = 4;
        c.delay_range = in_rounds(k) && !c.topology ? 64 : c.delay_range; /* so that they are not given up */
        o = c;
        unevenly(k, &c, seed, want);
        o.max_cycles = 1 + draw(2 * PAUSE);
        o.warmup = 1 + draw(2 * PAUSE);
        o.cycles = 1 + draw(2 * PAUSE);
        o.rounds = draw(2) ? 1 + draw(50) : draw(3) * 500000;
        o.load = in_rounds(k) || knows_all(k) ? 0 : 0.01 * (1 + draw(90));
        o.pattern = (enum fatfly_pattern)draw(FATFLY_PATTERNS); /* without what it needs */
        o.class_patterns = draw(2);
        o.hotspot_node = draw(2) * draw(UINT32_MAX);
        o.arrivals = (enum fatfly_arrivals)draw(FATFLY_ARRIVALS);
        o.detect_warmup = draw(2);
        o.whole = draw(2);
        o.reply[0] = draw(2) * (1 + draw(9));
        o.reply_delay = draw(2) * draw(99);
        o.outstanding = draw(2) * draw(9);
        o.class_channels = (enum fatfly_class_channels)draw(FATFLY_CLASS_CHANNELS);
        unevenly(k, &o, seed, got);
        for (unsigned n = 0; n < UNEVEN; n++)
            CHECK_AT(k, got[n], want[n]);
    }
}

/* A worm alone over more links than 16 bits count: d + L - 1 cycles, d more with links of two cycles, under STORE d L. */
static void long_paths(void **state)
{
    enum { NODES = 70000, LENGTH = 3 };
    static const struct {
        enum fatfly_discipline discipline;
        unsigned latency; /* of a link */
    } way[] = {{FATFLY_WORM, 1}, {FATFLY_WORM, 2}, {FATFLY_STORE, 1}};
    static char chain[NODES * 40];
    static struct fatfly_result r;
    int n = sprintf(chain, "nodes %d\nprocessor 0 %d\nprocessor 1 %d\n", NODES, NODES - 1, NODES - 2);
    const uint64_t links = NODES - 2;
    (void)state;
    for (int a = 0; a < NODES - 1; a++)
        n += sprintf(chain + n, "link %d %d\n", a, a + 1);
    for (unsigned k = 0; k < ROWS(way); k++) {
        struct fatfly_config c;
        struct fatfly_session *s;
        struct fatfly_delivery d;
        struct fatfly_worm w = {.src = 0, .dst = 1, .length = LENGTH};
        fatfly_defaults_of(&c, "graph", way[k].discipline);
        c.nodes = 2;
        c.graph = chain;
        c.length = LENGTH;
        c.link_latency = way[k].latency;
        c.depth = FATFLY_MAX_DEPTH;
        if (fatfly_open(&s, &c, why, sizeof why))
            fail_msg("case %u: %s", k, why);
        CHECK_AT(k, fatfly_send(s, &w, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, fatfly_advance(s, UINT64_MAX, true, why, sizeof why), FATFLY_OK);
        assert_true(fatfly_poll(s, &d));
        CHECK_AT(k, d.tail + 1, way[k].discipline == FATFLY_STORE ? links * LENGTH : links * way[k].latency + LENGTH - 1);
        CHECK_AT(k, d.links, links);
        fatfly_statistics(s, &r);
        CHECK_AT(k, r.dilation, links);
        CHECK_AT(k, r.source_wait + r.blocked, 0);
        CHECK_AT(k, r.latency_sum, d.tail + 1);
        CHECK_AT(k, r.flit_hops, links * LENGTH);
        fatfly_close(s);
    }
}

static void given_up(void **state)
{
    struct fatfly_config c = config_of(10); /* cmsv1 */
    struct fatfly_session *s;
    (void)state;
    c.delay_range = 2;
    c.link_bandwidth = 1;
    if (fatfly_open(&s, &c, why, sizeof why))
        fail_msg("%s", why);
    for (uint32_t a = 1; a < 64; a++) {
        struct fatfly_worm w = {.src = a, .dst = 0, .length = 1};
        CHECK_EQ(fatfly_send(s, &w, why, sizeof why), FATFLY_OK);
    }
    if (fatfly_advance(s, UINT64_MAX, false, why, sizeof why) != FATFLY_BAD_CONFIG)
        fail_msg("%s", why);
    assert_non_null(strstr(why, "given up after"));
    if (fatfly_advance(s, UINT64_MAX, false, why, sizeof why) != FATFLY_BAD_CONFIG)
        fail_msg("%s", why);
    fatfly_close(s);
}

/* A session in which worms block each other for ever has something to say, until it has been said. */
static void deadlock_is_an_event(void **state)
{
    struct fatfly_config c;
    struct fatfly_session *s;
    int status = FATFLY_OK;
    (void)state;
    fatfly_defaults_of(&c, "torus", FATFLY_WORM);
    c.radix = c.nodes = 4;
    c.dimensions = c.vcs = 1;
    c.path = FATFLY_MINIMAL_ADAPTIVE;
    c.force = true;
    assert_int_equal(fatfly_open(&s, &c, why, sizeof why), FATFLY_OK);
    for (uint32_t k = 0; k < 8; k++)
        CHECK_EQ(fatfly_send(s, &(struct fatfly_worm){.src = k % 4, .dst = (k + 2) % 4, .length = 20 + k % 4}, why, sizeof why),
                 FATFLY_OK);
    for (unsigned turn = 0; !status && fatfly_next_event(s) != UINT64_MAX && turn < 100; turn++)
        status = fatfly_advance(s, fatfly_next_event(s) + 1, false, why, sizeof why);
    assert_int_equal(status, FATFLY_DEADLOCK);
    assert_non_null(strstr(why, "deadlock in cycle"));
    assert_true(fatfly_next_event(s) == UINT64_MAX);
    fatfly_close(s);
}

static void refusals(void **state)
{
    struct fatfly_config c;
    struct fatfly_session *s;
    (void)state;
    fatfly_defaults(&c);
    CHECK_EQ(fatfly_open(&s, &c, why, sizeof why), FATFLY_OK);
    CHECK_EQ(fatfly_advance(s, 10, false, why, sizeof why), FATFLY_OK);
    static const struct {
        struct fatfly_worm w;
        const char *says;
    } wrong[] = {
        {{.ready = 10, .src = 64, .dst = 1, .length = 1}, "64 to 1; allowed: processors 0 to 63"},
        {{.ready = 10, .src = 1, .dst = 1, .length = 1}, "1 to itself; allowed: to another processor"},
        {{.ready = 10, .src = 0, .dst = 1, .length = 0}, "0 flits; allowed: 1 to 4096"},
        {{.ready = 9, .src = 0, .dst = 1, .length = 1}, "ready = 9; allowed: 10 to 2^62 - 1"},
        {{.ready = 10, .src = 0, .dst = 1, .length = 1, .parents = 4}, "parents = 4; allowed: 0 to 3"},
    };
    for (unsigned k = 0; k < ROWS(wrong); k++) {
        CHECK_AT(k, fatfly_send(s, &wrong[k].w, why, sizeof why), FATFLY_BAD_CONFIG);
        assert_string_equal(why, wrong[k].says);
    }
    CHECK_EQ(fatfly_send(s, &wrong[0].w, NULL, 0), FATFLY_BAD_CONFIG);
    struct fatfly_session *bursts; /* what does not count in a session is not refused */
    c.load = 0.1;
    c.arrivals = FATFLY_ON_OFF;
    c.reply[0] = c.reply[1] = 2;
    c.class_channels = FATFLY_RESERVED;
    c.vcs = 2;
    CHECK_EQ(fatfly_open(&bursts, &c, why, sizeof why), FATFLY_OK);
    fatfly_close(bursts);
    CHECK_EQ(fatfly_advance(s, UINT64_C(1) << 62, false, why, sizeof why), FATFLY_OK);
    static const struct fatfly_worm late = {.ready = UINT64_C(1) << 62, .src = 0, .dst = 1, .length = 1};
    CHECK_EQ(fatfly_send(s, &late, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "ready = 4611686018427387904; allowed: none, as cycle 4611686018427387904 is behind");
    fatfly_close(s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_digest), cmocka_unit_test(stops_at_a_delivery),
                                       cmocka_unit_test(own_worms), cmocka_unit_test(sent_before), cmocka_unit_test(only_what_counts), cmocka_unit_test(long_paths),
                                      
                                       cmocka_unit_test(given_up), cmocka_unit_test(deadlock_is_an_event), cmocka_unit_test(refusals)};
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
