/* SPDX-License-Identifier: Apache-2.0
 * test_store.c - STORE and SPLIT against a simulator that looks at every queue in every step, and
 * exact times; UNIV: it ends, every packet arrives, every node passes packets in order of rank.
 */
#include "digest.h"
#include "fat_tree.h"
#include "lfsr.h"
#include "network.h"
#include "ranade.h"
#include "rng.h"
#include "scan.h"
#include "tree.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>

static struct fatfly_config config_of(uint32_t nodes, enum fatfly_discipline discipline)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.nodes = nodes;
    c.discipline = discipline;
    c.length = 4;
    c.depth = 1;
    c.path = FATFLY_RP;
    c.scan = FATFLY_RR;
    c.seed = unit_seed;
    c.max_cycles = discipline == FATFLY_UNIV ? 100000 : 1000000;
    return c;
}

/* One run; worms[links] counts those over each link. */
static void run(const struct fatfly_config *c, const struct ranade_watch *watch,
                struct fatfly_result *r, uint32_t *worms)
{
    struct topology t;
    struct run *engine;
    char why[200];
    uint32_t *own = calloc(fatfly_links(c), sizeof *own);

    assert_non_null(own);
    assert_int_equal(topology_of(c, &t, why, sizeof why), 0);
    CHECK_EQ(run_open(&engine, c, &t, NULL, worms ? worms : own, r, why, sizeof why), FATFLY_OK);
    if (watch)
        ranade_watch(engine, watch);
    CHECK_EQ(run_play(engine), FATFLY_OK);
    run_close(engine);
    free(own);
}

/* -- a simulator that is slow and plain -------------------------------------------------------- */

enum { MOST_LINKS = 1024, MOST_PACKETS = 300000 };

struct plain_packet {
    struct traffic_worm is;
    uint32_t flit, flits; /* SPLIT: which of how many */
    uint64_t came;        /* step in which it came to where it is */
    bool fresh;           /* FCFS: came to the front since the switch last acted */
};

struct plain {
    struct switch_params params;
    unsigned unit;
    bool split;
    bool waiting; /* the start is drawn among inputs that hold a packet */
    uint32_t switches, nodes;
    uint32_t to[MOST_LINKS];
    struct plain_packet packet[MOST_PACKETS];
    uint32_t count;
    uint32_t queue[MOST_LINKS][MAX_DEPTH]; /* packets, the front first */
    unsigned held[MOST_LINKS];
    uint32_t *source[64]; /* packets of a processor, in order */
    uint32_t source_count[64], source_next[64];
    struct lfsr random[MOST_LINKS / 6];
    struct scan scan[MOST_LINKS / 6];
    uint64_t step;
    uint64_t digest, hops, last, arrived;
    uint32_t worms[MOST_LINKS];
};

static struct plain plain;

static uint32_t split_flits(const struct fatfly_config *c, uint32_t length)
{
    uint32_t n = length;
    while (n < length * (1 + c->overhead))
        n++;
    return n;
}

static uint32_t plain_path(const struct plain_packet *k, unsigned levels)
{
    uint32_t mine = k->flit ? (uint32_t)rng_hash((uint64_t)k->flit << 32 | k->is.number) : 0;
    return (k->is.path ^ mine) % (1u << (levels - 1));
}

/* All packets that become ready by this cycle. */
static void plain_open(const struct fatfly_config *c, uint64_t until)
{
    struct plain *e = &plain;
    struct traffic *t = traffic_new(c);
    uint32_t seed = (uint32_t)rng_hash(c->seed);

    memset(e, 0, sizeof *e);
    tree_params(c, &e->params);
    e->nodes = c->nodes;
    e->switches = fat_tree_switches(e->params.levels);
    e->split = c->discipline == FATFLY_SPLIT;
    e->unit = e->split ? 1 : c->length;
    e->waiting = c->start == FATFLY_WAITING;
    fat_tree_wire(e->params.levels, e->to);
    for (uint32_t s = 0; s < e->switches; s++) {
        lfsr_reset(&e->random[s], network_switch_seed(seed, s));
        scan_reset(&e->scan[s]);
    }
    for (uint32_t a = 0; a < c->nodes; a++) {
        struct traffic_worm w;
        e->source[a] = malloc(MOST_PACKETS * sizeof **e->source);
        assert_non_null(e->source[a]);
        while (traffic_next(t, a, &w) && w.ready <= until) {
            uint32_t flits = c->discipline == FATFLY_SPLIT ? split_flits(c, w.length) : 1;
            for (uint32_t f = 0; f < flits; f++) {
                assert_true(e->count < MOST_PACKETS);
                e->packet[e->count] = (struct plain_packet){.is = w, .flit = f, .flits = flits};
                e->source[a][e->source_count[a]++] = e->count++;
            }
        }
    }
    traffic_free(t);
}

static void plain_close(void)
{
    for (uint32_t a = 0; a < plain.nodes; a++)
        free(plain.source[a]);
}

static void plain_pop(uint32_t link)
{
    struct plain *e = &plain;
    e->held[link]--;
    memmove(e->queue[link], e->queue[link] + 1, e->held[link] * sizeof **e->queue);
    if (e->held[link])
        e->packet[e->queue[link][0]].fresh = true;
}

static void plain_push(uint32_t link, uint32_t k)
{
    struct plain *e = &plain;
    struct plain_packet *x = &e->packet[k];
    uint32_t flits = e->split ? 1 : x->is.length;

    e->queue[link][e->held[link]++] = k;
    x->came = e->step;
    x->fresh = e->held[link] == 1;
    e->worms[link]++;
    e->hops += flits;
    if (link < SWITCH_PORTS * e->switches)
        return;
    uint32_t all = e->split ? x->flits : x->is.length;
    uint64_t head = traffic_head(&e->params, &x->is);
    uint64_t mask = e->params.flit_w < 64 ? (UINT64_C(1) << e->params.flit_w) - 1 : UINT64_MAX;
    for (uint32_t f = x->flit; f < x->flit + flits; f++)
        e->digest += digest_flit(flit_payload(head, x->is.number, f, mask),
                                 (f == 0 ? 2u : 0u) + (f + 1 == all ? 1u : 0u), e->step * e->unit,
                                 link - SWITCH_PORTS * e->switches, 0);
    e->last = e->step;
    e->arrived++;
}

/* The byte that draws any port draws one of the k that hold a packet: floor(k * byte / 256). */
static void start_at_waiting(uint32_t s)
{
    struct plain *e = &plain;
    uint8_t port[SWITCH_PORTS];
    unsigned k = 0;
    for (unsigned i = 0; i < SWITCH_PORTS; i++)
        if (e->held[SWITCH_PORTS * s + i])
            port[k++] = (uint8_t)i;
    if (k)
        e->scan[s].start_q = port[k * (e->random[s].lfsr_q >> 8 & 0xff) / 256];
}

static void plain_switch(uint32_t s)
{
    struct plain *e = &plain;
    struct switch_params p = e->params;
    struct scan_in in = {.asks = 0};
    uint8_t req[SWITCH_PORTS] = {0}, gnt[SWITCH_PORTS], rows[SWITCH_PORTS];
    uint32_t goes[SWITCH_PORTS];
    unsigned bits = e->random[s].lfsr_q >> 16 & 15;
    arbiter_order order;
    uint32_t a;

    fat_tree_place(p.levels, s, &p.level, &a);
    p.vcs = 1;
    for (unsigned i = 0; i < (p.level == p.levels ? 4u : 6u); i++) {
        uint32_t link = SWITCH_PORTS * s + i;
        if (!e->held[link] || e->packet[e->queue[link][0]].came == e->step)
            continue;
        struct plain_packet *x = &e->packet[e->queue[link][0]];
        unsigned height = worm_height(x->is.src, x->is.dst);
        unsigned want = 1u << (x->is.dst >> 2 * (p.level - 1) & 3);
        if (i < 4 && height > p.level)
            want = p.path == PATH_FP   ? 16u << (plain_path(x, p.levels) >> (p.level - 1) & 1)
                   : p.path == PATH_RP ? 16u << (bits >> i & 1)
                                       : 0x30;
        for (unsigned o = 0; o < SWITCH_PORTS; o++)
            if (want >> o & 1 && e->held[e->to[SWITCH_PORTS * s + o]] < p.depth)
                req[i] |= (uint8_t)(1u << o);
        in.asks |= (uint8_t)((req[i] != 0) << i);
        in.height[i] = (uint8_t)height;
        in.fresh |= (uint32_t)x->fresh << i;
        x->fresh = false;
        goes[i] = e->queue[link][0];
    }
    if (e->waiting)
        start_at_waiting(s);
    scan_eval(&e->scan[s], &p, &in, order, rows);
    arbiter_eval(p.path, p.level == p.levels, req, bits, order, gnt);
    for (unsigned i = 0; i < SWITCH_PORTS; i++)
        if (gnt[i]) {
            plain_pop(SWITCH_PORTS * s + i);
            plain_push(e->to[SWITCH_PORTS * s + (unsigned)__builtin_ctz(gnt[i])], goes[i]);
        }
    scan_tick(&e->scan[s], &p, e->random[s].lfsr_q >> 24, gnt, in.fresh);
    lfsr_tick(&e->random[s]);
}

static void plain_step(void)
{
    struct plain *e = &plain;
    for (uint32_t s = e->switches; s-- > 0;) /* roots have the highest numbers */
        plain_switch(s);
    for (uint32_t a = 0; a < e->nodes; a++) {
        uint32_t link = SWITCH_PORTS * e->switches + a, in = SWITCH_PORTS * (a / 4) + a % 4;
        if (e->held[link] && e->packet[e->queue[link][0]].came < e->step)
            plain_pop(link);
        if (e->source_next[a] == e->source_count[a] || e->held[in] == e->params.depth)
            continue;
        uint32_t k = e->source[a][e->source_next[a]];
        if (e->packet[k].is.ready <= e->step * e->unit) {
            plain_push(in, k);
            e->source_next[a]++;
        }
    }
    e->step++;
}

/* The engine and the plain simulator deliver the same flits in the same cycles. */
static void compare(const struct fatfly_config *c, unsigned at)
{
    static struct fatfly_result r;
    uint32_t worms[MOST_LINKS] = {0};

    run(c, NULL, &r, worms);
    assert_true(r.end == FATFLY_DONE || r.end == FATFLY_SATURATED);
    plain_open(c, c->load > 0 ? r.cycles : UINT64_MAX);
    uint64_t steps = r.cycles / plain.unit;
    for (uint64_t s = 0; s < steps; s++)
        plain_step();
    CHECK_AT(at, r.cycles, plain.step * plain.unit);
    CHECK_AT(at, r.flit_hops, plain.hops);
    CHECK_AT(at, r.digest, plain.digest);
    for (uint32_t k = 0; k < fatfly_links(c); k++)
        CHECK_AT(k, worms[k], plain.worms[k]);
    if (c->load == 0) {
        CHECK_AT(at, plain.arrived, plain.count);
        CHECK_AT(at, r.last_arrival, plain.last * plain.unit);
        CHECK_AT(at, r.cycles, plain.last * plain.unit + plain.unit);
    }
    plain_close();
}

static const enum fatfly_pattern patterns[] = {
    FATFLY_RANDOM,  FATFLY_COMPLEMENT, FATFLY_MANY_TO_1,  FATFLY_TRANSPOSE, FATFLY_BIT_REVERSAL,
    FATFLY_SHUFFLE, FATFLY_NEIGHBOUR,  FATFLY_HOTSPOT};

static void static_runs(void **state)
{
    unsigned at = 0;
    (void)state;
    for (unsigned split = 0; split < 2; split++)
        for (unsigned path = 0; path < FATFLY_RW; path++)
            for (unsigned scan = 0; scan < FATFLY_SCANS; scan++)
                for (unsigned k = 0; k < ROWS(patterns); k++, at++) {
                    struct fatfly_config c =
                        config_of(4u << 2 * draw(3), split ? FATFLY_SPLIT : FATFLY_STORE);
                    c.path = (enum fatfly_path)path;
                    c.scan = (enum fatfly_scan)scan;
                    c.pattern = patterns[k];
                    c.hotspot = 0.2;
                    c.depth = 1 + draw(3);
                    c.length = 1 + draw(6);
                    c.overhead = split ? draw(3) * 0.3 : 0;
                    c.rounds = 1 + draw(5);
                    c.delay_range = 1 + draw(4) * draw(2);
                    if (scan == FATFLY_RR || scan == FATFLY_FF)
                        c.start = (enum fatfly_start)draw(2);
                    c.seed = unit_seed + at;
                    compare(&c, at);
                }
}

static void open_runs(void **state)
{
    (void)state;
    for (unsigned at = 0; at < 40; at++) {
        struct fatfly_config c = config_of(4u << 2 * draw(3), at & 1 ? FATFLY_SPLIT : FATFLY_STORE);
        c.path = (enum fatfly_path)draw(FATFLY_RW);
        c.scan = (enum fatfly_scan)draw(FATFLY_SCANS);
        c.depth = 1 + draw(3);
        c.length = 1 + draw(40);
        c.load = 0.002 + 0.02 * draw(8);
        c.warmup = draw(2) * 500;
        c.cycles = 3000;
        if (at % 8 >= 6) { /* too much */
            c.nodes = 4;
            c.load = 0.9;
        }
        c.seed = unit_seed + at;
        compare(&c, at);
    }
}

/* In every field the same as a session that goes on step by step: few packets, up to the longest, so that most steps are
 * passed at once in a run; what is measured begins and ends anywhere in a step. */
static void step_by_step(void **state)
{
    static struct fatfly_result whole, steps;
    char why[300] = "";
    (void)state;
    for (unsigned at = 0; at < 800; at += UNIT_EACH(2)) {
        struct fatfly_config c = config_of(4u << 2 * draw(2), at % 8 ? FATFLY_STORE : FATFLY_SPLIT);
        struct fatfly_session *s;
        c.depth = 1 + draw(4);
        c.length = 1 + draw(draw(4) ? 700 : FATFLY_MAX_LENGTH);
        c.load = 0.05 / (1 + draw(30));
        c.detect_warmup = false;
        c.warmup = draw(3000);
        c.cycles = 64 + draw(3000);
        c.seed = unit_seed + at;
        if (fatfly_run(&c, NULL, &whole, why, sizeof why))
            fail_msg("%u: %s", at, why);
        CHECK_AT(at, fatfly_open_run(&s, &c, why, sizeof why), FATFLY_OK);
        while (!fatfly_over(s))
            CHECK_AT(at, fatfly_advance(s, fatfly_now(s) + 1, false, why, sizeof why), FATFLY_OK);
        fatfly_statistics(s, &steps);
        fatfly_close(s);
        CHECK_AT(at, whole.samples, steps.samples);
        assert_memory_equal(&whole, &steps, sizeof whole);
    }
}

/* SPLIT over the usual switch (fronts_split.c): against the plain simulator, and in larger trees against store.c, which is taken
 * when somebody looks on. */
static void the_usual_switch(void **state)
{
    static const struct fatfly_observer nobody;
    static struct fatfly_result r[2];
    static uint32_t over[2][6 * 496 + 1024];
    (void)state;
    for (unsigned at = 0; at < 60; at++) {
        struct fatfly_config c = config_of(at % 6 < 4 ? 4u << 2 * draw(3) : at % 6 == 4 ? 256 : 1024, FATFLY_SPLIT);
        c.scan = draw(2) ? FATFLY_FO : FATFLY_RR;
        c.pattern = patterns[draw(ROWS(patterns))];
        c.hotspot = 0.2;
        c.depth = 2;
        c.length = 1 + draw(9);
        c.overhead = draw(3) * 0.3;
        c.seed = unit_seed + at;
        c.rounds = 1 + draw(3);
        if (draw(2)) {
            c.load = 0.02 + 0.06 * draw(9);
            c.warmup = draw(2) * 200;
            c.cycles = c.nodes > 64 ? 300 : 2000;
        }
        if (c.nodes <= 64) {
            compare(&c, at);
            continue;
        }
        c.max_cycles = 1500;
        memset(r, 0, sizeof r);
        for (unsigned j = 0; j < 2; j++) {
            struct fatfly_hooks h = {.link_worms = over[j], .observer = j ? &nobody : NULL};
            char why[200];
            CHECK_AT(at, fatfly_run(&c, &h, &r[j], why, sizeof why), FATFLY_OK);
        }
        assert_memory_equal(&r[0], &r[1], sizeof r[0]);
        assert_memory_equal(over[0], over[1], fatfly_links(&c) * sizeof **over);
    }
}

/* Long gaps, which the engine skips, change nothing: random bits go on. */
static void messages(void **state)
{
    static struct fatfly_message list[60];
    (void)state;
    for (unsigned at = 0; at < 20; at++) {
        struct fatfly_config c = config_of(16, at & 1 ? FATFLY_SPLIT : FATFLY_STORE);
        uint64_t ready = 0;
        for (unsigned k = 0; k < ROWS(list); k++) {
            ready += draw(4) ? draw(8) : draw(3000);
            list[k] = (struct fatfly_message){ready, draw(16), draw(16), 1 + draw(4)};
        }
        c.pattern = FATFLY_MESSAGES;
        c.messages = list;
        c.message_count = ROWS(list);
        c.scan = (enum fatfly_scan)draw(FATFLY_SCANS);
        c.seed = unit_seed + at;
        compare(&c, at);
    }
}

/* SPLIT with more flits than 16 bits count, of one packet: all arrive, by parents of their own. */
static void many_flits(void **state)
{
    (void)state;
    for (unsigned at = 0; at < 2; at++) {
        const struct fatfly_message one = {.ready = draw(10), .src = draw(8), .dst = 8 + draw(8), .length = FATFLY_MAX_LENGTH};
        struct fatfly_config c = config_of(16, FATFLY_SPLIT);
        c.pattern = FATFLY_MESSAGES;
        c.messages = &one;
        c.message_count = 1;
        c.path = at ? FATFLY_RP : FATFLY_FP;
        c.depth = 2;
        c.overhead = 16;
        compare(&c, at);
    }
}

/* -- exact times ---------------------------------------------------------------------------- */

/* GO table I: 2c + d - 3 packet-steps with q = 1; each link in every step if q is more. */
static void many_to_1(void **state)
{
    static const uint64_t table[] = {544, 2144, 8352, 32992};
    static struct fatfly_result r;
    (void)state;
    for (unsigned n = 1; n <= 5; n++)
        for (unsigned q = 1; q <= 2; q++) {
            struct fatfly_config c = config_of(4u << 2 * (n - 1), FATFLY_STORE);
            uint64_t worms = c.nodes / 2, links = 2 * n;
            c.pattern = FATFLY_MANY_TO_1;
            c.length = 32;
            c.depth = q;
            run(&c, NULL, &r, NULL);
            CHECK_AT(n, r.last_arrival, 32 * (q == 1 ? 2 * worms + links - 3 : worms + links - 2));
            if (n > 1 && q == 1)
                CHECK_AT(n, r.last_arrival, table[n - 2]);
            CHECK_AT(n, r.congestion, worms);
            CHECK_AT(n, r.dilation, links);
        }
}

/* Under FO the second processor's first packet waits until the first has sent all: what heads wait grows with the rounds, beyond
 * 2^16 steps as before. */
static void long_waits(void **state)
{
    static const uint32_t rounds[] = {1000, 2000, 80000};
    static struct fatfly_result r;
    (void)state;
    for (unsigned k = 0; k < 6; k++) {
        uint64_t waited[ROWS(rounds)];
        for (unsigned j = 0; j < ROWS(rounds); j++) {
            struct fatfly_config c = config_of(4, k < 4 ? FATFLY_STORE : FATFLY_SPLIT);
            c.pattern = FATFLY_MANY_TO_1;
            c.scan = FATFLY_FO;
            c.length = 1 + k % 2 * 2;
            c.depth = 1 + k / 2;
            c.rounds = rounds[j];
            run(&c, NULL, &r, NULL);
            waited[j] = r.up[0].waited + r.down[0].waited;
        }
        assert_true(waited[2] > 80000);
        CHECK_AT(k, waited[2], waited[0] + 79 * (waited[1] - waited[0]));
    }
}

/* A packet that meets no other crosses a link in every step. */
static void alone(void **state)
{
    static struct fatfly_result r;
    (void)state;
    for (unsigned discipline = FATFLY_STORE; discipline <= FATFLY_SPLIT; discipline++)
        for (unsigned h = 1; h <= 3; h++) {
            struct fatfly_config c = config_of(64, (enum fatfly_discipline)discipline);
            struct fatfly_message one = {7, 5, h == 1 ? 6 : h == 2 ? 9 : 60, 4};
            c.depth = 4;
            c.pattern = FATFLY_MESSAGES;
            c.messages = &one;
            c.message_count = 1;
            run(&c, NULL, &r, NULL);
            CHECK_AT(h, r.worms, 1);
            CHECK_AT(h, r.flit_hops, 4 * 2 * h);
            if (discipline == FATFLY_STORE)
                CHECK_AT(h, r.last_arrival, 8 + 4 * (2 * h - 1)); /* from the step after cycle 7 */
            if (discipline == FATFLY_SPLIT)
                CHECK_AT(h, r.last_arrival, 7 + 2 * h + 4 - 2);
            if (discipline == FATFLY_UNIV) /* waits for ghosts from the roots */
                assert_true(r.last_arrival >= 8 + 4 * (2 * h - 1) && r.last_arrival < 8 + 4 * 20);
        }
}

/* -- UNIV ------------------------------------------------------------------------------------ */

struct seen {
    struct ranade_key last[2][2048]; /* [up][switch] */
    uint64_t step[2][2048];
    uint64_t passed;
};

static void passes(void *context, uint64_t step, uint32_t sw, bool up, struct ranade_key key)
{
    struct seen *s = context;
    struct ranade_key last = s->last[up][sw];

    if (last.ready > key.ready || (last.ready == key.ready && last.rank >= key.rank)) {
        print_error("step %llu, switch %u, %s half: rank %llx after %llx\n",
                    (unsigned long long)step, sw, up ? "up" : "down",
                    (unsigned long long)key.rank, (unsigned long long)last.rank);
        assert_true(false);
    }
    assert_true(last.rank == 0 || s->step[up][sw] < step); /* one packet a node and step */
    s->last[up][sw] = key;
    s->step[up][sw] = step;
    s->passed++;
}

static void univ_run_checked(const struct fatfly_config *c, unsigned at)
{
    static struct seen seen;
    static struct fatfly_result r;
    struct ranade_watch watch = {passes, &seen};
    uint64_t worms = 0, hops = 0;
    struct traffic *t = traffic_new(c);
    struct traffic_worm w;

    for (uint32_t a = 0; a < c->nodes; a++)
        while (traffic_next(t, a, &w)) {
            worms++;
            hops += 2 * worm_height(w.src, w.dst);
        }
    traffic_free(t);
    memset(&seen, 0, sizeof seen);
    run(c, &watch, &r, NULL);
    CHECK_AT(at, r.end, FATFLY_DONE);
    CHECK_AT(at, r.worms, worms);
    CHECK_AT(at, seen.passed, hops - worms); /* all links but the sources' own */
    CHECK_AT(at, r.flit_hops, hops * c->length);
}

static void univ_ends(void **state)
{
    static const unsigned ranges[] = {1, 2, 12, 1000, 1000000};
    unsigned at = 0;
    (void)state;
    for (unsigned n = 1; n <= 5; n++)
        for (unsigned k = 0; k < ROWS(patterns); k++)
            for (unsigned q = 1; q <= 4; q *= 2)
                for (unsigned again = 0; again < (n < 4 ? 6u : 1u); again++, at++) {
                    struct fatfly_config c = config_of(4u << 2 * (n - 1), FATFLY_UNIV);
                    c.pattern = patterns[k];
                    c.hotspot = 0.2;
                    c.depth = q;
                    c.path = (enum fatfly_path)draw(FATFLY_RW);
                    c.delay_range = ranges[draw(ROWS(ranges))];
                    c.rounds = n < 4 ? 1 + draw(4) : 1;
                    c.seed = unit_seed + at;
                    univ_run_checked(&c, at);
                }
}

/* GO III.B.3: STORE is faster than UNIV; here with the same queues and seeds. */
static void univ_is_slower(void **state)
{
    static struct fatfly_result r;
    (void)state;
    for (unsigned k = 0; k < 3; k++) {
        uint64_t sum[2] = {0};
        for (unsigned at = 0; at < 20; at++)
            for (unsigned univ = 0; univ < 2; univ++) {
                struct fatfly_config c = config_of(64, univ ? FATFLY_UNIV : FATFLY_STORE);
                c.pattern = patterns[k];
                c.delay_range = univ ? 6 : 1;
                c.seed = unit_seed + at;
                run(&c, NULL, &r, NULL);
                sum[univ] += r.last_arrival;
            }
        assert_true(sum[0] < sum[1]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(static_runs), cmocka_unit_test(open_runs), cmocka_unit_test(step_by_step),
        cmocka_unit_test(the_usual_switch), cmocka_unit_test(messages), cmocka_unit_test(many_flits),
        cmocka_unit_test(many_to_1), cmocka_unit_test(long_waits),   cmocka_unit_test(alone),     cmocka_unit_test(univ_ends),
        cmocka_unit_test(univ_is_slower),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
