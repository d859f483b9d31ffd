/* SPDX-License-Identifier: Apache-2.0
 * test_inside.c - the state of a session, for reading: what it says of queues, worms and registers fits
 * together, with what is delivered, and field by field with an observed run; snapshots: forward, back and forward
 * again is the same.
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
        for (uint32_t v = 0; v <= is.channels; v++) {
            struct fatfly_queue q;
            fatfly_read_queue(s, k, v, &q);
            assert_true(v < is.channels || (!q.holder && !q.count)); /* there is no such channel */
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

/* The same where there are thousands of processors. */
static void large_snapshots(void **state)
{
    static const struct { const char *topology; unsigned nodes, vcs; } of[] = {
        {"fat-tree", 16384, 1}, {"fat-tree", 16384, 2}, {"hypercube", 8192, 0}};
    static struct fatfly_result want, got;
    (void)state;
    for (unsigned k = 0; k < ROWS(of); k++) {
        struct fatfly_config c;
        struct fatfly_session *s;
        struct fatfly_snapshot *p;
        fatfly_defaults(&c);
        c.topology = of[k].topology;
        c.nodes = of[k].nodes;
        c.vcs = of[k].vcs;
        c.path = k == 2 ? FATFLY_E_CUBE : c.path;
        c.length = 2;
        c.load = 0.01;
        c.cycles = 64;
        c.detect_warmup = false;
        c.warmup = 64;
        c.seed = unit_seed + k;
        CHECK_AT(k, fatfly_run(&c, NULL, &want, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, fatfly_open_run(&s, &c, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, fatfly_advance(s, 40, false, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, fatfly_save(s, &p, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, fatfly_advance(s, 100, false, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, fatfly_restore(s, p, why, sizeof why), FATFLY_OK);
        CHECK_AT(k, fatfly_advance(s, 1000000, false, why, sizeof why), FATFLY_OK);
        assert_true(fatfly_over(s));
        fatfly_statistics(s, &got);
        CHECK_AT(k, memcmp(&got, &want, sizeof got), 0);
        fatfly_snapshot_free(p);
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

/* -- every field once more ------------------------------------------------------------------------
 *
 * A run is observed, and a session of the same traffic is read in every cycle.  The moves say where every flit is at the start of a
 * cycle: from them, and from what was ready, follows each field of worms, queues and deliveries.  Both engines that show their state
 * (cycle, channel) are read by the same rules:
 *
 * - A flit has left its source once it has crossed the first link; it has arrived, or is in a queue, once it has come to the far end.
 * - A head is at the front of its source's queue when it is ready and the worm before it has gone: on a butterfly fat-tree has sent
 *   its head, and, over one channel, then its tail; elsewhere has taken a channel.  In a queue it is when the flits before it have gone.
 *
 * Two fields do not always follow from moves.  Of a head that goes up and does not move `wants` is drawn anew in each cycle: it must be
 * a link up from there.  When a head takes a channel that it does not cross at once, ON_DEMAND, `holder` alone says: it must be that of
 * the head's next move, and stays its.  Of the registers there are those that moves tell.
 */
enum { ALL = 1 << 13, HOPS = 12, FLITS = 64 };
#define NOT_YET (UINT64_MAX / 2)
/* A field more wants a rule here. */
_Static_assert(sizeof(struct fatfly_worm_state) == 80 && sizeof(struct fatfly_queue) == 88 && sizeof(struct fatfly_delivery) == 64,
               "fields that every_field does not know");

struct hop {
    uint32_t link, channel; /* NOWHERE: the run ends before */
    bool last;
    uint64_t head, tail; /* cycles in which they begin to cross */
    uint64_t taken;      /* in which the head has taken the channel; NOT_YET */
};

struct life {
    struct fatfly_worm is;
    struct hop hop[HOPS];
    unsigned hops;
    /* so far */
    uint64_t since;
    uint32_t sent, arrived;
    unsigned at; /* links behind its head */
    bool there;
};

struct line {
    struct {
        uint32_t worm, flit;
    } of[FLITS];
    uint32_t first, end;
};

static struct replay {
    struct fatfly_config c;
    struct fatfly_shape is;
    uint32_t up; /* a butterfly fat-tree: links into processors begin there; else 0 */
    struct life life[ALL];
    struct fatfly_move move[1 << 15];
    uint32_t moves, begun, crossed, come; /* so far */
    uint32_t last[64];                    /* of each source, the worm made last, and the one before each */
    uint32_t before[ALL];
    struct line line[1 << 11];
    uint32_t holder[1 << 11], occupant[1 << 11]; /* worms that have channels: until the tail has crossed, or has left the queue */
    uint32_t mover[1 << 11]; /* of each link, the worm that crosses in the cycle to come, */
    bool sends[1 << 11];     /* and whether the queues behind it send */
    uint32_t count; /* worms that are there */
    uint32_t blocked[4]; /* how often whom: the holder or who is first beyond, another head, one in front, the channel's turn */
} p;

static struct life *life_of(uint32_t worm)
{
    assert_true(worm > 0 && worm < ALL);
    return &p.life[worm];
}

static void note_worm(void *context, uint32_t worm, const struct fatfly_worm *w)
{
    (void)context;
    life_of(worm)->is = *w;
    for (unsigned h = 0; h < HOPS; h++)
        life_of(worm)->hop[h] = (struct hop){FATFLY_NOWHERE, 0, false, NOT_YET, NOT_YET, NOT_YET};
    p.before[worm] = p.last[w->src];
    p.last[w->src] = worm;
}

static struct hop *hop_of(const struct fatfly_move *m)
{
    struct hop *x = life_of(m->worm)->hop;
    while (x->link != m->link)
        x++;
    return x;
}

static void note_move(void *context, const struct fatfly_move *m)
{
    struct life *l = life_of(m->worm);
    (void)context;
    assert_true(p.moves < ROWS(p.move));
    p.move[p.moves++] = *m;
    if (m->flit == 0) {
        assert_true(l->hops + 1 < HOPS);
        l->hop[l->hops++] = (struct hop){m->link, m->channel, m->last, m->cycle, NOT_YET, NOT_YET};
    }
    if (m->tail)
        hop_of(m)->tail = m->cycle;
}

static int by_cycle(const void *a, const void *b)
{
    const struct fatfly_move *x = a, *y = b;
    return x->cycle != y->cycle ? (x->cycle < y->cycle ? -1 : 1) : x->link != y->link ? (x->link < y->link ? -1 : 1) : 0;
}

static struct line *line_of(uint32_t link, uint32_t channel)
{
    return &p.line[link * p.is.channels + channel];
}

static uint32_t flits_of(const struct line *l)
{
    return l->end - l->first;
}

/* The worm whose flit is first there; 0. */
static uint32_t first_of(uint32_t link, uint32_t channel)
{
    const struct line *l = line_of(link, channel);
    return flits_of(l) ? l->of[l->first % FLITS].worm : 0;
}

static void leaves(const struct fatfly_move *m)
{
    const struct hop *x = hop_of(m);
    if (x == life_of(m->worm)->hop)
        return;
    struct line *from = line_of(x[-1].link, x[-1].channel);
    assert_true(flits_of(from) > 0);
    CHECK_AT(m->cycle, from->of[from->first % FLITS].worm, m->worm);
    CHECK_AT(m->cycle, from->of[from->first++ % FLITS].flit, m->flit);
}

static void comes(const struct fatfly_move *m)
{
    struct life *l = life_of(m->worm);
    struct line *to = line_of(m->link, m->channel);
    l->at += m->flit == 0;
    if (m->last) {
        l->arrived++;
        return;
    }
    assert_true(flits_of(to) < FLITS);
    to->of[to->end % FLITS].worm = m->worm;
    to->of[to->end++ % FLITS].flit = m->flit;
}

/* The worm that is first at its source at the start of cycle t, and since when; 0. */
static uint32_t first_at(uint32_t worm, uint64_t t, uint64_t *since)
{
    uint32_t before = p.before[worm];
    const struct hop *gone = before ? &life_of(before)->hop[0] : NULL;
    bool tree = p.is.levels;
    while (gone && gone->taken >= t) {
        worm = before;
        before = p.before[worm];
        gone = before ? &life_of(before)->hop[0] : NULL;
    }
    *since = gone ? gone->taken + tree : 0;
    if (gone && tree && p.is.channels == 1 && gone->tail < t)
        *since = gone->tail + 1;
    if (*since < life_of(worm)->is.ready)
        *since = life_of(worm)->is.ready;
    return worm;
}

/* What has happened at the start of cycle t. */
static void go_to(uint64_t t)
{
    uint64_t step = p.is.link_cycles, all = step + p.is.hop_cycles;
    for (; p.begun < p.moves && p.move[p.begun].cycle < t; p.begun++) {
        struct hop *x = hop_of(&p.move[p.begun]);
        x->taken = x->taken < x->head ? x->taken : x->head;
    }
    for (; p.crossed < p.moves && p.move[p.crossed].cycle + step <= t; p.crossed++) {
        leaves(&p.move[p.crossed]);
        life_of(p.move[p.crossed].worm)->sent += p.move[p.crossed].first;
    }
    for (; p.come < p.moves && p.move[p.come].cycle + all <= t; p.come++)
        comes(&p.move[p.come]);
    memset(p.mover, 0, sizeof p.mover);
    memset(p.sends, 0, sizeof p.sends);
    for (uint32_t k = p.begun; k < p.moves && p.move[k].cycle == t; k++) {
        const struct hop *x = hop_of(&p.move[k]);
        p.mover[x->link] = p.move[k].worm;
        if (x > life_of(p.move[k].worm)->hop)
            p.sends[x[-1].link] = true;
    }
    memset(p.holder, 0, sizeof p.holder);
    memset(p.occupant, 0, sizeof p.occupant);
    p.count = 0;
    for (uint32_t worm = 1; worm < ALL; worm++) {
        struct life *l = &p.life[worm];
        l->there = l->is.length && l->is.ready < t && l->arrived < l->is.length;
        if (!l->there)
            continue;
        p.count++;
        for (unsigned h = 0; h < l->hops; h++) {
            const struct hop *x = &l->hop[h];
            uint32_t c = x->link * p.is.channels + x->channel;
            if (x->taken < t && x->tail + step > t)
                p.holder[c] = worm;
            if (x->taken < t && (x->last ? x->tail + all : x[1].tail + step) > t)
                p.occupant[c] = worm;
        }
    }
}

/* Since when heads are at the front: of those that have left their source in the cycle before t there, then of those in queues. */
static void note_fronts(uint64_t t)
{
    uint64_t all = p.is.link_cycles + p.is.hop_cycles;
    for (uint32_t worm = 1; worm < ALL; worm++)
        if (p.life[worm].there && p.life[worm].hop[0].taken + 1 == t)
            CHECK_AT(t, first_at(worm, t, &p.life[worm].since), worm);
    for (uint32_t k = p.begun; k > 0 && p.move[k - 1].cycle + 1 == t; k--)
        CHECK_AT(t, p.move[k - 1].waited, p.move[k - 1].flit ? 0 : t - 1 - life_of(p.move[k - 1].worm)->since);
    for (uint32_t c = 0; c < p.is.links * p.is.channels; c++) {
        const struct line *l = &p.line[c];
        struct life *w = flits_of(l) && l->of[l->first % FLITS].flit == 0 ? life_of(l->of[l->first % FLITS].worm) : NULL;
        if (w && w->hop[w->at - 1].head + all <= t && (w->since <= w->hop[w->at - 1].head))
            w->since = t;
    }
}

static void same_queues(const struct fatfly_session *s, uint64_t t)
{
    for (uint32_t k = 0; k < p.is.links; k++)
        for (uint32_t v = 0; v < p.is.channels; v++) {
            const struct line *l = line_of(k, v);
            uint32_t c = k * p.is.channels + v;
            struct fatfly_queue q;
            fatfly_read_queue(s, k, v, &q);
            if (q.holder && !p.holder[c] && !p.is.levels && p.c.bandwidth == FATFLY_ON_DEMAND) {
                struct life *w = life_of(q.holder);
                struct hop *x = w->hop;
                while (x < &w->hop[w->hops] && x->link != k)
                    x++;
                assert_true(x < &w->hop[w->hops] && x == &w->hop[w->at] && x->taken == NOT_YET && w->there);
                x->taken = t - 1;
                p.holder[c] = p.occupant[c] = q.holder;
            }
            CHECK_AT(t, q.holder, p.holder[c]);
            CHECK_AT(t, q.count, flits_of(l));
            for (uint32_t j = 0; j < q.count && j < FATFLY_MAX_DEPTH; j++) {
                uint32_t worm = l->of[(l->first + j) % FLITS].worm, flit = l->of[(l->first + j) % FLITS].flit;
                CHECK_AT(t, q.worm[j], worm);
                CHECK_AT(t, q.kind[j], 2u * (flit == 0) + (flit + 1 == life_of(worm)->is.length));
            }
        }
}

/* Whether a head could take channel v of a link. */
static bool is_free(uint32_t link, uint32_t v)
{
    uint32_t c = link * p.is.channels + v;
    if (!p.is.levels)
        return !p.occupant[c];
    return !p.holder[c] && (link >= p.up || flits_of(&p.line[c]) < p.c.depth);
}

/* Who keeps worm `worm`, whose head is at the front and asks for a link, from crossing it in cycle t. */
static uint32_t blocker_of(uint32_t worm, uint32_t link, uint64_t t)
{
    const struct life *l = life_of(worm);
    const struct hop *next = &l->hop[l->at];
    bool any = false;
    if (!p.is.levels) { /* of several channels of which any will do the lowest says */
        bool one = p.c.topology[0] == 't';
        for (uint32_t v = 0; v < p.is.channels; v++)
            any |= (!one || v == next->channel) && is_free(link, v);
        p.blocked[0] += !any;
        return any ? 0 : p.occupant[link * p.is.channels + (one ? next->channel : 0)];
    }
    if (next->head == t)
        return 0;
    for (uint32_t v = 0; v < p.is.channels; v++)
        any |= is_free(link, v);
    if (!any) {
        p.blocked[0]++;
        return p.holder[link * p.is.channels] ? p.holder[link * p.is.channels] : first_of(link, 0);
    }
    if (p.mover[link]) {
        p.blocked[1]++;
        return p.mover[link];
    }
    p.blocked[3]++; /* the other channel of its port has the turn */
    assert_true(p.is.channels == 2 && l->at);
    return first_of(l->hop[l->at - 1].link, 1 - l->hop[l->at - 1].channel);
}

static void same_worm(const struct fatfly_session *s, const struct fatfly_worm_state *x, uint64_t t)
{
    struct life *l = life_of(x->worm);
    const struct hop *first = &l->hop[0], *in = l->at ? &l->hop[l->at - 1] : NULL;
    uint64_t step = p.is.link_cycles;
    assert_true(l->there);
    CHECK_AT(t, x->tag, l->is.tag);
    CHECK_AT(t, x->ready, l->is.ready);
    CHECK_AT(t, x->src, l->is.src);
    CHECK_AT(t, x->dst, l->is.dst);
    CHECK_AT(t, x->length, l->is.length);
    CHECK_AT(t, x->sent, l->sent);
    CHECK_AT(t, x->arrived, l->arrived);
    CHECK_AT(t, x->injected, first->head < t ? first->head : UINT64_MAX);
    CHECK_AT(t, x->head_link, in && !l->arrived ? in->link : FATFLY_NOWHERE);
    CHECK_AT(t, x->head_channel, in && !l->arrived ? in->channel : 0);
    const struct hop *tail = NULL;
    for (unsigned h = 0; h < l->hops && l->hop[h].tail + step <= t; h++)
        tail = &l->hop[h];
    tail = tail && tail->last && l->arrived ? NULL : tail;
    CHECK_AT(t, x->tail_link, tail ? tail->link : FATFLY_NOWHERE);
    CHECK_AT(t, x->tail_channel, tail ? tail->channel : 0);

    uint32_t first_there = 0;
    if (first->taken >= t) { /* it waits at its source */
        uint64_t since;
        first_there = first_at(x->worm, t, &since);
        CHECK_AT(t, x->since, first_there == x->worm ? since : UINT64_MAX);
    } else {
        CHECK_AT(t, x->since, l->since);
        first_there = in && !l->arrived ? first_of(in->link, in->channel) : 0;
    }
    bool asks = first_there == x->worm && l->hop[l->at].taken >= t && !(in && in->head + step + p.is.hop_cycles > t);
    if (first_there && first_there != x->worm) {
        p.blocked[2]++;
        CHECK_AT(t, x->blocked_by, first_there);
        CHECK_AT(t, x->wants, FATFLY_NOWHERE);
    } else if (!asks) {
        CHECK_AT(t, x->blocked_by, 0);
        CHECK_AT(t, x->wants, FATFLY_NOWHERE);
    } else if (l->hop[l->at].link != FATFLY_NOWHERE) {
        uint32_t link = l->hop[l->at].link;
        if (p.is.levels && l->hop[l->at].head != t && fatfly_link_at(p.c.nodes, link).up && l->at && p.c.path != FATFLY_FP) {
            CHECK_AT(t, fatfly_read_ends(s, x->wants).from, fatfly_read_ends(s, in->link).to);
            assert_true(fatfly_link_at(p.c.nodes, x->wants).up);
            link = x->wants;
        }
        CHECK_AT(t, x->wants, link);
        CHECK_AT(t, x->blocked_by, blocker_of(x->worm, link, t));
    }
}

/* What has arrived by the start of cycle t, each in the cycle in which its tail did. */
static uint32_t same_deliveries(struct fatfly_session *s, uint64_t t)
{
    uint64_t all = p.is.link_cycles + p.is.hop_cycles;
    uint32_t count = 0;
    for (struct fatfly_delivery d; fatfly_poll(s, &d); count++) {
        uint32_t worm = p.last[d.src];
        while (worm && life_of(worm)->is.tag != d.tag)
            worm = p.before[worm];
        const struct life *l = life_of(worm);
        const struct hop *last = &l->hop[l->hops - 1];
        assert_true(last->last);
        CHECK_AT(t, d.ready, l->is.ready);
        CHECK_AT(t, d.injected, l->hop[0].head);
        CHECK_AT(t, d.head + 1, last->head + all);
        CHECK_AT(t, d.tail + 1, last->tail + all);
        CHECK_AT(t, d.tail + 1, t);
        CHECK_AT(t, d.dst, l->is.dst);
        CHECK_AT(t, d.length, l->is.length);
        CHECK_AT(t, d.links, l->hops);
        CHECK_AT(t, d.of_class, l->is.of_class);
    }
    return count;
}

/* Of each queue how many flits it has and what is first, and which input of a switch was given an output. */
static void same_registers(const struct fatfly_session *s, uint64_t t)
{
    static struct fatfly_register x[1 << 10];
    for (uint32_t node = 0; node < p.is.switches; node++) {
        uint32_t count = fatfly_read_switch(s, node, x, ROWS(x));
        assert_true(count && count < ROWS(x));
        for (uint32_t k = 0; k < count; k++) {
            int port = x[k].port, channel = x[k].channel;
            uint32_t link = node * p.is.ports + (uint32_t)port, c = link * p.is.channels + (uint32_t)channel;
            if (!strcmp(x[k].name, "gnt"))
                CHECK_AT(t, x[k].value != 0, p.sends[link]);
            if (port < 0 || channel < 0)
                continue;
            if (!strcmp(x[k].name, "count_q") || !strcmp(x[k].name, "queued"))
                CHECK_AT(t, x[k].value, flits_of(&p.line[c]));
            if (!strcmp(x[k].name, "worm"))
                CHECK_AT(t, x[k].value, p.occupant[c]);
            if (!strcmp(x[k].name, "front_q_kind") && flits_of(&p.line[c])) {
                uint32_t worm = p.line[c].of[p.line[c].first % FLITS].worm, flit = p.line[c].of[p.line[c].first % FLITS].flit;
                CHECK_AT(t, x[k].value, 2u * (flit == 0) + (flit + 1 == life_of(worm)->is.length));
            }
        }
    }
}

static void every_field(void **state)
{
    static const struct {
        const char *topology;
        enum fatfly_path path;
        enum fatfly_scan scan;
        unsigned vcs, depth, length;
        double load;
        enum fatfly_bandwidth bandwidth;
        unsigned link_latency, router_latency;
    } runs[] = {
        {NULL, FATFLY_RP, FATFLY_RR, 1, 2, 6, 0.5, 0, 0, 0},
        {NULL, FATFLY_FP, FATFLY_FF, 2, 3, 6, 0.6, 0, 0, 0},
        {NULL, FATFLY_GP, FATFLY_ROT, 1, 4, 3, 0.7, 0, 0, 0},
        {NULL, FATFLY_RG, FATFLY_FCFS, 2, 1, 5, 0, 0, 0, 0},
        {NULL, FATFLY_RW, FATFLY_FO, 1, 1, 1, 0.5, 0, 0, 0},
        {NULL, FATFLY_RW, FATFLY_RR, 2, 2, 12, 0.6, 0, 0, 0},
        {"torus", FATFLY_E_CUBE, FATFLY_RR, 0, 2, 6, 0.4, FATFLY_FIXED_SHARE, 0, 0},
        {"torus", FATFLY_E_CUBE, FATFLY_RR, 0, 3, 6, 0.6, FATFLY_ON_DEMAND, 0, 0},
        {"mesh", FATFLY_E_CUBE, FATFLY_RR, 1, 1, 4, 0.4, FATFLY_FIXED_SHARE, 0, 0},
        {"mesh", FATFLY_E_CUBE, FATFLY_RR, 2, 4, 7, 0, FATFLY_ON_DEMAND, 0, 0},
        {"torus", FATFLY_E_CUBE, FATFLY_RR, 0, 8, 5, 0.4, FATFLY_ON_DEMAND, 3, 1},
        {"mesh", FATFLY_E_CUBE, FATFLY_RR, 2, 8, 1, 0.3, FATFLY_FIXED_SHARE, 2, 2},
    };
    static struct fatfly_worm_state w[ALL];
    static struct fatfly_result r, again;
    uint32_t how[ROWS(p.blocked)] = {0};
    static const struct fatfly_observer observer = {.ready = note_worm, .move = note_move};
    (void)state;
    for (unsigned k = 0; k < ROWS(runs); k++) {
        struct fatfly_session *s;
        struct fatfly_hooks hooks = {.observer = &observer};
        uint32_t delivered = 0;
        memset(&p, 0, sizeof p);
        fatfly_defaults_of(&p.c, runs[k].topology, FATFLY_WORM);
        p.c.nodes = 16;
        p.c.radix = 4;
        p.c.dimensions = 2;
        p.c.path = runs[k].path;
        p.c.scan = runs[k].scan;
        p.c.vcs = runs[k].vcs;
        p.c.depth = runs[k].depth;
        p.c.length = runs[k].length;
        p.c.load = runs[k].load;
        p.c.rounds = 12;
        p.c.bandwidth = runs[k].bandwidth;
        p.c.link_latency = runs[k].link_latency ? runs[k].link_latency : p.c.link_latency;
        p.c.router_latency = runs[k].router_latency;
        p.c.detect_warmup = false;
        p.c.warmup = 100;
        p.c.cycles = 400;
        p.c.engine = runs[k].topology ? FATFLY_AUTO : FATFLY_CYCLE;
        p.c.seed = unit_seed + k;
        CHECK_AT(k, fatfly_run(&p.c, &hooks, &r, why, sizeof why), FATFLY_OK);
        assert_true(p.moves > 1000);
        qsort(p.move, p.moves, sizeof *p.move, by_cycle);
        CHECK_AT(k, fatfly_open_run(&s, &p.c, why, sizeof why), FATFLY_OK);
        fatfly_read_shape(s, &p.is);
        assert_true(p.is.shows && p.is.links * p.is.channels <= ROWS(p.line));
        p.up = p.is.levels ? p.is.ports * p.is.switches : 0;
        while (fatfly_now(s) + 2 * (p.is.link_cycles + p.is.hop_cycles) <= r.cycles) { /* moves that the end cuts short are not told */
            go_to(fatfly_now(s));
            uint32_t count = fatfly_read_worms(s, w, ROWS(w));
            CHECK_AT(fatfly_now(s), count, p.count);
            same_queues(s, fatfly_now(s));
            note_fronts(fatfly_now(s));
            for (uint32_t j = 0; j < count; j++)
                same_worm(s, &w[j], fatfly_now(s));
            same_registers(s, fatfly_now(s));
            delivered += same_deliveries(s, fatfly_now(s));
            fatfly_statistics(s, &again);
            CHECK_AT(fatfly_now(s), delivered, again.worms);
            assert_true(p.begun == p.moves || fatfly_next_event(s) <= p.move[p.begun].cycle + p.is.link_cycles);
            CHECK_AT(k, fatfly_advance(s, fatfly_now(s) + 1, false, why, sizeof why), FATFLY_OK);
        }
        CHECK_AT(k, fatfly_advance(s, r.cycles, false, why, sizeof why), FATFLY_OK);
        fatfly_statistics(s, &again);
        CHECK_AT(k, again.digest, r.digest);
        for (unsigned j = 0; j < ROWS(how); j++)
            how[j] += p.blocked[j];
        fatfly_close(s);
    }
    for (unsigned j = 0; j < ROWS(how); j++)
        assert_true(how[j] > 100);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_result),      cmocka_unit_test(fits_together), cmocka_unit_test(seen_at_once),
        cmocka_unit_test(forward_and_back), cmocka_unit_test(drawn_snapshots), cmocka_unit_test(large_snapshots), cmocka_unit_test(refusals),
        cmocka_unit_test(deadlock),         cmocka_unit_test(rests),         cmocka_unit_test(every_field)};
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
