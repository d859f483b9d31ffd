/* SPDX-License-Identifier: Apache-2.0
 * test_inside.c - the state of a session, for reading: what it says of queues, worms and registers fits
 * together and with what is delivered; snapshots: forward, back and forward again is the same.
 */
#include "fatfly.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>

static char why[400];

static const struct {
    const char *topology;
    enum fatfly_path path;
    enum fatfly_scan scan;
    unsigned vcs, depth;
    double load;
    enum fatfly_engine engine;
    enum fatfly_bandwidth bandwidth;
} cases[] = {
    {NULL, FATFLY_RP, FATFLY_RR, 1, 2, 0.15, FATFLY_CYCLE, 0},
    {NULL, FATFLY_FP, FATFLY_FF, 4, 3, 0, FATFLY_CYCLE, 0},
    {NULL, FATFLY_RG, FATFLY_FCFS, 2, 1, 0.1, FATFLY_CYCLE, 0},
    {NULL, FATFLY_GP, FATFLY_ROT, 1, 5, 0.3, FATFLY_CYCLE, 0},
    {NULL, FATFLY_RP, FATFLY_FF, 1, 2, 0.1, FATFLY_FAST, 0},
    {NULL, FATFLY_GP, FATFLY_ROT, 2, 2, 0.2, FATFLY_FAST, 0},
    {NULL, FATFLY_RG, FATFLY_FCFS, 4, 1, 0.1, FATFLY_FAST, 0},
    {"torus", FATFLY_E_CUBE, FATFLY_RR, 0, FATFLY_UNBOUNDED, 0.1, FATFLY_AUTO, 0},
    {"mesh", FATFLY_NEGATIVE_HOP, FATFLY_RR, 0, 2, 0, FATFLY_AUTO, FATFLY_ON_DEMAND},
};

static struct fatfly_config config_of(unsigned k)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.topology = cases[k].topology;
    c.path = cases[k].path;
    c.scan = cases[k].scan;
    c.vcs = cases[k].vcs;
    c.depth = cases[k].depth;
    c.load = cases[k].load;
    c.engine = cases[k].engine;
    c.bandwidth = cases[k].bandwidth;
    c.radix = 8;
    c.rounds = 4;
    c.length = 6;
    c.cycles = 2000;
    c.detect_warmup = false;
    c.warmup = 300;
    c.seed = unit_seed + k;
    return c;
}

/* fatfly_run()'s whole result, through a session in steps that draw() says. */
static void same_result(void **state)
{
    static struct fatfly_result want, got;
    (void)state;
    for (unsigned k = 0; k < ROWS(cases); k++) {
        struct fatfly_config c = config_of(k);
        struct fatfly_session *s;
        struct fatfly_worm w = {.src = 0, .dst = 1, .length = 1};
        assert_int_equal(fatfly_run(&c, NULL, &want, why, sizeof why), FATFLY_OK);
        assert_int_equal(fatfly_open_run(&s, &c, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, fatfly_send(s, &w, why, sizeof why), FATFLY_BAD_CONFIG);
        while (!fatfly_over(s)) {
            assert_true(fatfly_now(s) < 1000000);
            CHECK_AT(k, fatfly_advance(s, fatfly_now(s) + 1 + draw(50), draw(2), why, sizeof why), FATFLY_OK);
            for (struct fatfly_delivery d; fatfly_poll(s, &d);)
                ;
            if (draw(40) == 0)
                fatfly_statistics(s, &got); /* which leaves no trace */
        }
        fatfly_statistics(s, &got);
        CHECK_AT(k, got.digest, want.digest);
        assert_memory_equal(&got, &want, sizeof got);
        fatfly_close(s);
    }
}

static const struct fatfly_worm_state *worm_in(const struct fatfly_worm_state *w, uint32_t count, uint32_t n)
{
    for (uint32_t k = 0; k < count; k++)
        if (w[k].worm == n)
            return &w[k];
    return NULL;
}

/* Flits that all queues hold of a worm, its head and its tail are where its own line says. */
static void check_flits(const struct fatfly_session *s, const struct fatfly_worm_state *w, uint32_t count)
{
    struct fatfly_shape is;
    static uint32_t flits[4096];
    memset(flits, 0, sizeof flits);
    fatfly_read_shape(s, &is);
    for (uint32_t k = 0; k < is.links; k++)
        for (uint32_t v = 0; v < is.channels; v++) {
            struct fatfly_queue q;
            fatfly_read_queue(s, k, v, &q);
            assert_true(is.depth == FATFLY_UNBOUNDED || q.count <= is.depth);
            if (q.holder) { /* on its way here: head beyond or here, tail not yet */
                const struct fatfly_worm_state *x = worm_in(w, count, q.holder);
                assert_non_null(x);
                assert_true((!is.levels || x->injected != UINT64_MAX) && (x->tail_link != k || x->tail_channel != v));
            }
            for (uint32_t j = 0; j < q.count && j < FATFLY_MAX_DEPTH; j++) {
                const struct fatfly_worm_state *x = worm_in(w, count, q.worm[j]);
                assert_non_null(x);
                flits[x - w]++;
                if (q.kind[j] & 2)
                    assert_true(x->head_link == k && x->head_channel == v && x->arrived == 0);
                if (q.kind[j] & 1)
                    assert_true(x->tail_link == k && x->tail_channel == v && x->sent == x->length);
            }
        }
    for (uint32_t k = 0; k < count; k++)
        assert_int_equal(flits[k], w[k].sent - w[k].arrived);
}

static void fits_together(void **state)
{
    static struct fatfly_worm_state w[4096], before[4096];
    (void)state;
    for (unsigned k = 0; k < ROWS(cases); k++) {
        struct fatfly_config c = config_of(k);
        struct fatfly_session *s;
        struct fatfly_shape is;
        uint32_t blocked = 0, was = 0, moved = 0;
        assert_int_equal(fatfly_open_run(&s, &c, why, sizeof why), FATFLY_OK);
        fatfly_read_shape(s, &is);
        CHECK_AT(k, is.shows, cases[k].engine != FATFLY_FAST);
        for (unsigned step = 0; step < 300 && !fatfly_over(s) && is.shows; step++) {
            CHECK_AT(k, fatfly_advance(s, fatfly_now(s) + 1, false, why, sizeof why), FATFLY_OK);
            uint32_t count = fatfly_read_worms(s, w, ROWS(w));
            assert_true(count < ROWS(w));
            if (!cases[k].topology || step % 8 == 0)
                check_flits(s, w, count);
            for (uint32_t j = 0; j < was; j++) { /* a head that is blocked stays, another moves */
                const struct fatfly_worm_state *x = worm_in(w, count, before[j].worm);
                if (before[j].blocked_by)
                    blocked++;
                if (cases[k].topology || before[j].wants == FATFLY_NOWHERE)
                    continue;
                bool stays = x && x->head_link == before[j].head_link && x->injected == before[j].injected &&
                             !x->arrived;
                assert_true(stays == (before[j].blocked_by != 0));
                moved += !stays;
            }
            was = count;
            memcpy(before, w, sizeof w);
        }
        assert_true(!is.shows || (blocked > 50 && (cases[k].topology || moved > 50)));
        fatfly_close(s);
    }
}

/* What has happened before cycle fatfly_now() is to be seen in it: flits that left the source, that arrived, and, of a
 * tail, the delivery. */
static void seen_at_once(void **state)
{
    enum { WORMS = 4096 };
    static struct fatfly_worm_state w[WORMS];
    static uint64_t sent[64 * 64], arrived[64 * 64]; /* by source and destination: first cycle in which it was seen */
    static const unsigned latency[] = {1, 1, 3, 4}, router[] = {0, 2, 0, 1};
    (void)state;
    for (unsigned k = 0; k < 12; k++) {
        static const char *const topology[] = {NULL, "torus", "hypercube", "mesh", "torus", "mesh"};
        struct fatfly_config c;
        struct fatfly_session *s;
        struct fatfly_shape is;
        struct fatfly_delivery d;
        uint32_t delivered = 0;
        fatfly_defaults_of(&c, topology[k % 6], FATFLY_WORM);
        c.engine = topology[k % 6] ? FATFLY_AUTO : FATFLY_CYCLE;
        c.bandwidth = k < 6 ? FATFLY_FIXED_SHARE : FATFLY_ON_DEMAND;
        c.link_latency = topology[k % 6] ? latency[k % 4] : 1;
        c.router_latency = topology[k % 6] ? router[k % 4] : 0;
        c.nodes = 16;
        c.radix = 4;
        c.vcs = topology[k % 6] && !strcmp(topology[k % 6], "mesh") ? 1 + k % 2 : c.vcs;
        c.pattern = FATFLY_COMPLEMENT;
        c.length = 5;
        c.seed = unit_seed + k;
        memset(sent, 0, sizeof sent);
        memset(arrived, 0, sizeof arrived);
        CHECK_AT(k, fatfly_open_run(&s, &c, why, sizeof why), FATFLY_OK);
        fatfly_read_shape(s, &is);
        assert_true(is.shows && is.processors <= 64);
        while (!fatfly_over(s)) {
            CHECK_AT(k, fatfly_advance(s, fatfly_now(s) + 1, false, why, sizeof why), FATFLY_OK);
            uint64_t now = fatfly_now(s);
            uint32_t count = fatfly_read_worms(s, w, WORMS);
            for (uint32_t j = 0; j < count; j++) {
                uint32_t pair = w[j].src * 64 + w[j].dst;
                sent[pair] = !sent[pair] && w[j].sent ? now : sent[pair];
                arrived[pair] = !arrived[pair] && w[j].arrived ? now : arrived[pair];
            }
            while (fatfly_poll(s, &d)) {
                uint32_t pair = d.src * 64 + d.dst;
                CHECK_AT(k, now, d.tail + 1);
                CHECK_AT(k, sent[pair], d.injected + is.link_cycles);
                CHECK_AT(k, arrived[pair], d.head + 1);
                delivered++;
            }
        }
        CHECK_AT(k, delivered, is.processors);
        fatfly_close(s);
    }
}

static uint64_t state_of(struct fatfly_session *s)
{
    static struct fatfly_register x[4096];
    static struct fatfly_result r;
    struct fatfly_shape is;
    uint64_t h = fatfly_now(s);

    fatfly_read_shape(s, &is);
    for (uint32_t a = 0; a < is.switches; a++) {
        uint32_t count = fatfly_read_switch(s, a, x, ROWS(x));
        assert_true(count < ROWS(x) && (count > 0) == is.shows);
        for (uint32_t k = 0; k < count; k++)
            h = (h ^ x[k].value) * UINT64_C(0x100000001B3) + (h >> 31);
    }
    fatfly_statistics(s, &r);
    h = (h ^ fatfly_next_event(s)) * UINT64_C(0x100000001B3) + fatfly_over(s);
    return (h ^ r.digest) * UINT64_C(0x100000001B3) + r.flit_hops + r.latency_sum + r.end;
}

/* From a snapshot on, everything comes again: registers, measures, deliveries. */
static void forward_and_back(void **state)
{
    enum { STEPS = 200 };
    static uint64_t seen[STEPS];
    (void)state;
    for (unsigned k = 0; k < ROWS(cases); k++) {
        struct fatfly_config c = config_of(k);
        struct fatfly_session *s;
        struct fatfly_snapshot *p[3];
        assert_int_equal(fatfly_open_run(&s, &c, why, sizeof why), FATFLY_OK);
        for (unsigned round = 0; round < 3; round++) {
            CHECK_AT(k, fatfly_save(s, &p[round], why, sizeof why), FATFLY_OK);
            for (unsigned j = 0; j < STEPS; j++) {
                seen[j] = state_of(s);
                CHECK_AT(k, fatfly_advance(s, fatfly_now(s) + 1, false, why, sizeof why), FATFLY_OK);
            }
            CHECK_AT(k, fatfly_restore(s, p[round], why, sizeof why), FATFLY_OK);
            for (unsigned j = 0; j < STEPS; j++) {
                CHECK_AT(k, seen[j], state_of(s));
                CHECK_AT(k, fatfly_advance(s, fatfly_now(s) + 1, false, why, sizeof why), FATFLY_OK);
            }
            assert_true(round || seen[0] != seen[STEPS - 1]);
        }
        static struct fatfly_result first;
        for (unsigned round = 3; round-- > 0;) { /* far back, and on to the end from each: every field of the result */
            static struct fatfly_result r;
            CHECK_AT(k, fatfly_restore(s, p[round], why, sizeof why), FATFLY_OK);
            CHECK_AT(k, fatfly_advance(s, 1000000, false, why, sizeof why), FATFLY_OK);
            assert_true(fatfly_over(s));
            fatfly_statistics(s, &r);
            if (round == 2)
                first = r;
            CHECK_AT(k, memcmp(&r, &first, sizeof r), 0);
            fatfly_snapshot_free(p[round]);
        }
        fatfly_close(s);
    }
}

/* Drawn runs that go back to a snapshot again and again end with every field of the result of one that never does. */
static void drawn_snapshots(void **state)
{
    static struct fatfly_result want, got;
    (void)state;
    for (unsigned k = 0; k < 60; k++) {
        struct fatfly_config c;
        struct fatfly_session *s;
        fatfly_defaults(&c);
        c.nodes = draw(2) ? 16 : 64;
        c.vcs = draw(2) ? 1 : 1u << draw(3);
        c.depth = 1 + draw(5);
        c.path = (enum fatfly_path)draw(FATFLY_TREE_PATHS);
        c.scan = (enum fatfly_scan)draw(FATFLY_SCANS);
        c.length = draw(3) ? 1 + draw(40) : 1;
        c.load = 0.02 * (1 + draw(20));
        c.engine = draw(4) ? FATFLY_FAST : FATFLY_CYCLE;
        if (k % 4 == 3) {
            c.topology = draw(2) ? "torus" : "mesh";
            c.radix = c.topology[0] == 't' ? 3 + draw(4) : 2 + draw(5);
            c.nodes = c.radix * c.radix;
            c.path = draw(2) || c.radix % 2 ? FATFLY_E_CUBE : FATFLY_NEGATIVE_HOP;
            c.vcs = 0;
            c.bandwidth = draw(2) ? FATFLY_ON_DEMAND : FATFLY_FIXED_SHARE;
            c.engine = FATFLY_AUTO;
        }
        c.cycles = 1500;
        c.detect_warmup = false;
        c.warmup = draw(200);
        c.seed = unit_seed + k;
        CHECK_AT(k, fatfly_run(&c, NULL, &want, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, fatfly_open_run(&s, &c, why, sizeof why), FATFLY_OK);
        while (!fatfly_over(s)) {
            struct fatfly_snapshot *p;
            assert_true(fatfly_now(s) < 1000000);
            CHECK_AT(k, fatfly_advance(s, fatfly_now(s) + 1 + draw(150), draw(2), why, sizeof why), FATFLY_OK);
            CHECK_AT(k, fatfly_save(s, &p, why, sizeof why), FATFLY_OK);
            CHECK_AT(k, fatfly_advance(s, fatfly_now(s) + 1 + draw(300), draw(2), why, sizeof why), FATFLY_OK);
            CHECK_AT(k, fatfly_restore(s, p, why, sizeof why), FATFLY_OK);
            fatfly_snapshot_free(p);
        }
        fatfly_statistics(s, &got);
        CHECK_AT(k, memcmp(&got, &want, sizeof got), 0);
        fatfly_close(s);
    }
}

/* What is asked for where there is nothing. */
static void refusals(void **state)
{
    struct fatfly_config c = config_of(0);
    struct fatfly_session *s, *other;
    struct fatfly_snapshot *p;
    struct fatfly_queue q;
    struct fatfly_register x;
    (void)state;
    assert_int_equal(fatfly_open(&s, &c, why, sizeof why), FATFLY_OK);
    assert_int_equal(fatfly_open(&other, &c, why, sizeof why), FATFLY_OK);
    assert_int_equal(fatfly_save(s, &p, NULL, 0), FATFLY_OK);
    assert_int_equal(fatfly_restore(other, p, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "a snapshot of another session; allowed: of this one");
    fatfly_close(other);
    fatfly_snapshot_free(p);
    assert_int_equal(fatfly_read_ends(s, fatfly_links(&c)).to, FATFLY_NOWHERE);
    fatfly_read_queue(s, UINT32_MAX, 0, &q);
    CHECK_EQ(q.count, 0);
    fatfly_read_queue(s, 0, 9, &q);
    CHECK_EQ(q.holder, 0);
    CHECK_EQ(fatfly_read_switch(s, 28, &x, 1), 0);
    assert_true(fatfly_read_switch(s, 27, &x, 1) > 30);
    assert_string_equal(x.name, "lfsr_q");
    CHECK_EQ(fatfly_find_deadlock(s, NULL, 0), FATFLY_OK);
    fatfly_close(s);
    c.engine = FATFLY_AUTO;
    c.discipline = FATFLY_STORE;
    assert_int_equal(fatfly_open(&s, &c, why, sizeof why), FATFLY_OK);
    assert_int_equal(fatfly_save(s, &p, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_string_equal(why, "discipline = store; allowed for snapshots: worm or phased");
    fatfly_close(s);
}

/* Five worms round a ring of a torus without classes: the circle is named, and can be left again. */
static void deadlock(void **state)
{
    struct fatfly_config c;
    struct fatfly_session *s;
    struct fatfly_snapshot *p;
    static struct fatfly_worm_state w[16];
    (void)state;
    fatfly_defaults(&c);
    c.topology = "torus";
    c.path = FATFLY_E_CUBE;
    c.radix = 5;
    c.dimensions = 1;
    c.nodes = 5;
    c.vcs = 1;
    c.force = true;
    assert_int_equal(fatfly_open(&s, &c, why, sizeof why), FATFLY_OK);
    for (uint32_t a = 0; a < 5; a++) {
        struct fatfly_worm is = {.src = a, .dst = (a + 2) % 5, .length = 20};
        assert_int_equal(fatfly_send(s, &is, why, sizeof why), FATFLY_OK);
    }
    assert_int_equal(fatfly_save(s, &p, why, sizeof why), FATFLY_OK);
    uint64_t before = state_of(s);
    CHECK_EQ(fatfly_next_event(s), 0);
    int status = fatfly_advance(s, 1000, false, why, sizeof why);
    if (status == FATFLY_DEADLOCK) {
        assert_non_null(strstr(why, "held by worm"));
        assert_int_equal(fatfly_find_deadlock(s, why, sizeof why), FATFLY_DEADLOCK);
        assert_int_equal(fatfly_read_worms(s, w, 16), 5);
        for (unsigned k = 0; k < 5; k++) /* follow it round */
            assert_true(w[k].blocked_by != 0 && w[k].blocked_by != w[k].worm);
    }
    CHECK_EQ(fatfly_next_event(s), UINT64_MAX);
    assert_int_equal(fatfly_restore(s, p, why, sizeof why), FATFLY_OK);
    CHECK_EQ(fatfly_now(s), 0);
    CHECK_EQ(state_of(s), before);
    assert_int_equal(fatfly_advance(s, 1000, false, why, sizeof why), status);
    CHECK_EQ(status, FATFLY_DEADLOCK);
    fatfly_snapshot_free(p);
    fatfly_close(s);
}

/* While nothing is under way the plain engine goes to the next worm at once: every register is then what it is where
 * every cycle is taken, also in the middle. */
static void rests(void **state)
{
    static const enum fatfly_path paths[] = {FATFLY_RP, FATFLY_RG, FATFLY_RW, FATFLY_FP, FATFLY_GP};
    static const enum fatfly_scan scans[] = {FATFLY_RR, FATFLY_FF, FATFLY_ROT, FATFLY_FCFS, FATFLY_FO};
    static struct fatfly_register x[2][1 << 10];
    static struct fatfly_result r[2];
    (void)state;
    for (unsigned k = 0; k < 25; k++) {
        struct fatfly_session *s[2];
        struct fatfly_config c = config_of(k % 4);
        struct fatfly_delivery d;
        c.path = paths[k % 5];
        c.scan = scans[k / 5];
        c.load = 0;
        c.engine = FATFLY_CYCLE;
        for (unsigned j = 0; j < 2; j++) {
            CHECK_AT(k, fatfly_open(&s[j], &c, why, sizeof why), FATFLY_OK);
            for (unsigned n = 0; n < 18; n++) {
                struct fatfly_worm is = {.ready = n * n * n, .src = (n * 7 + k) % c.nodes, .dst = (n * 11 + k + 1) % c.nodes, .length = 6};
                is.dst = is.dst == is.src ? (is.src + 1) % c.nodes : is.dst;
                CHECK_AT(k, fatfly_send(s[j], &is, why, sizeof why), FATFLY_OK);
            }
        }
        for (uint64_t t = 1; t < 5500; t++) {
            CHECK_AT(k, fatfly_advance(s[0], t, false, why, sizeof why), FATFLY_OK);
            if (t > 100 && draw(200))
                continue;
            CHECK_AT(k, fatfly_advance(s[1], t, false, why, sizeof why), FATFLY_OK);
            for (uint32_t node = 0; node < 8; node++) {
                uint32_t count = fatfly_read_switch(s[0], node, x[0], ROWS(x[0]));
                CHECK_AT(k, fatfly_read_switch(s[1], node, x[1], ROWS(x[1])), count);
                assert_true(count < ROWS(x[0]));
                for (uint32_t n = 0; n < count; n++)
                    if (x[0][n].value != x[1][n].value)
                        fail_msg("case %u, cycle %llu, switch %u: %s of port %d is %llu, taken at once %llu", k, (unsigned long long)t, node,
                                 x[0][n].name, x[0][n].port, (unsigned long long)x[0][n].value, (unsigned long long)x[1][n].value);
            }
        }
        for (unsigned j = 0; j < 2; j++) {
            while (fatfly_poll(s[j], &d))
                ;
            CHECK_AT(k, fatfly_advance(s[j], 40000, false, why, sizeof why), FATFLY_OK);
            fatfly_statistics(s[j], &r[j]);
            fatfly_close(s[j]);
        }
        CHECK_AT(k, r[0].digest, r[1].digest);
        CHECK_AT(k, r[0].samples, r[1].samples);
        assert_memory_equal(r[0].occupied, r[1].occupied, sizeof r[0].occupied);
        assert_memory_equal(r[0].up, r[1].up, sizeof r[0].up);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_result),      cmocka_unit_test(fits_together), cmocka_unit_test(seen_at_once),
        cmocka_unit_test(forward_and_back), cmocka_unit_test(drawn_snapshots), cmocka_unit_test(refusals),
        cmocka_unit_test(deadlock),         cmocka_unit_test(rests)};
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
