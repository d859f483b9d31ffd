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
};

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
    c.length = 5;
    c.seed = unit_seed + k;
    return c;
}

static struct fatfly_worm send_of(const struct traffic_worm *w)
{
    return (struct fatfly_worm){.ready = w->ready, .tag = UINT64_C(7) << 40 | w->number,
                                .src = w->src, .dst = w->dst, .length = w->length,
                                .parents = w->path};
}

/* Sends each worm when the one before it of its source is, or all at once; advances by steps that
 * draw() says, or from event to event. */
static void same_digest(void **state)
{
    static struct fatfly_result want, got;
    (void)state;
    for (unsigned k = 0; k < ROWS(cases); k++) {
        struct fatfly_config c = config_of(k);
        struct fatfly_session *s;
        struct fatfly_delivery d;
        struct traffic_worm w;
        uint64_t worms = 0, latency = 0, last = 0;
        assert_int_equal(fatfly_run(&c, NULL, &want, why, sizeof why), FATFLY_OK);
        assert_int_equal(fatfly_open(&s, &c, why, sizeof why), FATFLY_OK);
        assert_true(fatfly_next_event(s) == UINT64_MAX || fatfly_next_event(s) == 0);
        struct traffic *t = traffic_new(&c);
        for (uint32_t a = 0; a < c.nodes; a++)
            while (traffic_next(t, a, &w)) {
                struct fatfly_worm x = send_of(&w);
                CHECK_AT(k, fatfly_send(s, &x, why, sizeof why), FATFLY_OK);
            }
        traffic_free(t);
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
        CHECK_AT(k, got.flit_hops, want.flit_hops);
        CHECK_AT(k, got.latency_sum, want.latency_sum);
        CHECK_AT(k, latency, want.latency_sum);
        CHECK_AT(k, got.congestion, want.congestion);
        CHECK_AT(k, got.last_arrival, want.last_arrival);
        CHECK_AT(k, got.end, FATFLY_DONE);
        assert_false(fatfly_poll(s, &d));
        CHECK_AT(k, fatfly_advance(s, fatfly_now(s) + 5000, false, why, sizeof why), FATFLY_OK);
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
        fatfly_close(s);
    }
}

static void refusals(void **state)
{
    struct fatfly_config c;
    struct fatfly_session *s;
    (void)state;
    fatfly_defaults(&c);
    c.discipline = FATFLY_UNIV;
    CHECK_EQ(fatfly_open(&s, &c, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "discipline = univ; allowed in a session: worm, phased, store, split");
    assert_null(s);
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
    fatfly_close(s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_digest), cmocka_unit_test(stops_at_a_delivery),
                                       cmocka_unit_test(refusals)};
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
