/* SPDX-License-Identifier: Apache-2.0
 * test_plug.c - callbacks of a program: a routing that is the built-in one gives the built-in result,
 * in runs and sessions; answers that are wrong end a run with one line.
 */
#include "fatfly.h"
#include "fatfly_plugin.h"
#include "plug.h"
#include "topology.h"

#include "traffic.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>

static char why[300];
static struct fatfly_result got, want;

/* What a callback is told and answers. */
struct mine {
    unsigned calls;
    unsigned orders;      /* calls of before() for a head that came by a link */
    unsigned wrong_after; /* calls of route(), 0: never */
    uint32_t away;
};

/* e-cube on a mesh. */
static unsigned route(const struct fatfly_plug_network *n, const struct fatfly_plug_place *at,
                      uint32_t dst, struct fatfly_plug_choice choice[FATFLY_PLUG_CHOICES])
{
    struct mine *mine = n->context;
    uint32_t weight = 1;
    assert_true(at->node < n->nodes && dst < n->processors && at->node != n->end(n, dst));
    if (at->from != FATFLY_PLUG_NOWHERE) {
        assert_true(at->channel < n->channels);
        CHECK_EQ(n->far(n, at->from, at->port), at->node);
    }
    CHECK_EQ(n->far(n, n->nodes, 0), FATFLY_PLUG_NOWHERE);
    CHECK_EQ(n->far(n, 0, n->ports), FATFLY_PLUG_NOWHERE);
    if (mine->wrong_after && ++mine->calls > mine->wrong_after)
        return 0;
    for (unsigned d = 0; d < n->dimensions; d++, weight *= n->radix) {
        uint32_t x = at->node / weight % n->radix, y = dst / weight % n->radix;
        if (x == y)
            continue;
        choice[0] = (struct fatfly_plug_choice){(uint8_t)(2 * d + (y < x)), 0, (uint8_t)(n->channels - 1)};
        return 1;
    }
    return 0;
}

/* The order that heads have without a plug-in. */
static bool before(const struct fatfly_plug_network *n, const struct fatfly_plug_head *a,
                   const struct fatfly_plug_head *b)
{
    struct mine *mine = n->context;
    const struct fatfly_plug_head *h[2] = {a, b};
    uint64_t channel[2] = {UINT32_MAX, UINT32_MAX};
    mine->orders += a->at.from != FATFLY_PLUG_NOWHERE;
    CHECK_EQ(a->at.node, b->at.node);
    for (unsigned k = 0; k < 2; k++)
        if (h[k]->at.from != FATFLY_PLUG_NOWHERE)
            channel[k] = (h[k]->at.from * n->ports + h[k]->at.port) * n->channels + h[k]->at.channel;
    if (a->since != b->since)
        return a->since < b->since;
    return channel[0] != channel[1] ? channel[0] < channel[1] : a->worm < b->worm;
}

static uint32_t destination(const struct fatfly_plug_network *n, uint32_t src, uint64_t index, uint64_t random)
{
    const struct mine *mine = n->context;
    assert_true(src < n->processors);
    return index == 3 && mine->away ? mine->away : (uint32_t)(random % n->processors);
}

static uint64_t gap(const struct fatfly_plug_network *n, uint32_t src, uint64_t index, uint64_t random)
{
    (void)src;
    (void)random;
    return index == 0 ? 0 : (uint64_t)(1 / n->rate);
}

static struct fatfly_config config_of(const struct fatfly_plugin *p)
{
    struct fatfly_config c;
    fatfly_defaults(&c);
    c.topology = "mesh";
    c.path = FATFLY_E_CUBE;
    c.radix = 4;
    c.nodes = 16;
    c.vcs = 2;
    c.length = 5;
    c.load = 0.15;
    c.cycles = 3000;
    c.seed = unit_seed;
    c.bandwidth = FATFLY_ON_DEMAND;
    c.plugin = p;
    return c;
}

static void as_built_in(void **state)
{
    (void)state;
    for (unsigned k = 1; k < 4; k++)
        for (unsigned dimensions = 1; dimensions <= 3; dimensions++) {
            struct mine mine = {0};
            struct fatfly_plugin p = {.version = FATFLY_PLUGIN_VERSION, .name = "own", .context = &mine,
                                      .route = k & 1 ? route : NULL, .before = k & 2 ? before : NULL};
            struct fatfly_config c = config_of(&p), plain = config_of(NULL);
            c.dimensions = plain.dimensions = dimensions;
            c.nodes = plain.nodes = dimensions == 1 ? 4 : dimensions == 2 ? 16 : 64;
            CHECK_EQ(fatfly_run(&plain, NULL, &want, why, sizeof why), FATFLY_OK);
            CHECK_EQ(fatfly_run(&c, NULL, &got, why, sizeof why), FATFLY_OK);
            CHECK_EQ(mine.orders > 0, k > 1);
            assert_true(got.digest != want.digest);
            CHECK_EQ(got.digest ^ plug_hash(&c), want.digest);
            got.digest = want.digest;
            assert_memory_equal(&got, &want, sizeof got);
        }
}

/* Digests of plug-ins that differ in their name or in the callbacks that they have differ. */
static void folded_apart(void **state)
{
    static const char *const names[] = {"a", "b", "ab", "ba", "own", "Own"};
    uint64_t hash[ROWS(names) * 16];
    (void)state;
    for (unsigned k = 0; k < ROWS(hash); k++) {
        struct fatfly_plugin p = {.name = names[k / 16], .route = k & 1 ? route : NULL, .before = k & 2 ? before : NULL,
                                  .destination = k & 4 ? destination : NULL, .gap = k & 8 ? gap : NULL};
        struct fatfly_config c = config_of(&p);
        hash[k] = plug_hash(&c);
        assert_true(hash[k] != 0);
        for (unsigned j = 0; j < k; j++)
            assert_true(hash[j] != hash[k]);
    }
}

/* What worms are, by number, as an observer was told. */
struct told {
    struct fatfly_worm worm[10000];
    uint32_t worms;
    unsigned heads, sources; /* that before() was given; of them at their source */
};

static void told_ready(void *context, uint32_t worm, const struct fatfly_worm *w)
{
    struct told *t = context;
    assert_true(worm < ROWS(t->worm));
    t->worm[worm] = *w;
    t->worms = worm + 1 > t->worms ? worm + 1 : t->worms;
}

/* Shorter worms first; each field of both heads is that of their worm. */
static bool shorter(const struct fatfly_plug_network *n, const struct fatfly_plug_head *a, const struct fatfly_plug_head *b)
{
    struct told *t = n->context;
    const struct fatfly_plug_head *h[2] = {a, b};
    for (unsigned k = 0; k < 2; k++) {
        assert_true(h[k]->worm < t->worms);
        const struct fatfly_worm *w = &t->worm[h[k]->worm];
        CHECK_EQ(h[k]->src, w->src);
        CHECK_EQ(h[k]->dst, w->dst);
        CHECK_EQ(h[k]->length, w->length);
        CHECK_EQ(h[k]->ready, w->ready);
        assert_true(h[k]->since >= w->ready);
        t->heads++;
        if (h[k]->at.from == FATFLY_PLUG_NOWHERE) {
            t->sources++;
            CHECK_EQ(h[k]->at.node, w->src);
        }
    }
    return a->length != b->length ? a->length < b->length : a->worm < b->worm;
}

static void heads_are_of_their_worms(void **state)
{
    static struct told t;
    (void)state;
    for (unsigned k = 0; k < 8; k++) {
        const struct fatfly_observer o = {.context = &t, .ready = told_ready};
        const struct fatfly_hooks hooks = {.observer = &o};
        struct fatfly_plugin p = {.version = FATFLY_PLUGIN_VERSION, .name = "own", .context = &t, .before = shorter};
        struct fatfly_config c = config_of(&p);
        memset(&t, 0, sizeof t);
        c.cycles = 1000;
        c.lengths = FATFLY_UNIFORM;
        c.length_min = 1;
        c.length = 40;
        c.load = 0.4;
        c.bandwidth = k & 1 ? FATFLY_FIXED_SHARE : FATFLY_ON_DEMAND;
        c.injection = k & 2 ? FATFLY_PER_CHANNEL : FATFLY_ONE_QUEUE;
        if (k & 4)
            c.topology = "torus";
        CHECK_EQ(fatfly_run(&c, &hooks, &got, why, sizeof why), FATFLY_OK);
        assert_true(t.worms > 100 && t.sources > 50 && t.heads > t.sources + 50);
    }
}

/* Farther destinations first: the next worm of a source may go before the one that just left it. */
static bool farther(const struct fatfly_plug_network *n, const struct fatfly_plug_head *a, const struct fatfly_plug_head *b)
{
    (void)n;
    return a->dst != b->dst ? a->dst > b->dst : a->at.from != b->at.from ? a->at.from < b->at.from : a->worm < b->worm;
}

/* No worm is forgotten, nor left until something else happens in its node. */
static void the_next_goes_first(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 8; k++) {
        struct fatfly_plugin p = {.version = FATFLY_PLUGIN_VERSION, .name = "own", .before = farther};
        struct fatfly_config c = config_of(&p);
        c.load = 0;
        c.rounds = 6;
        c.length = 1 + k;
        c.bandwidth = k & 1 ? FATFLY_FIXED_SHARE : FATFLY_ON_DEMAND;
        c.injection = k & 2 ? FATFLY_PER_CHANNEL : FATFLY_ONE_QUEUE;
        CHECK_EQ(fatfly_run(&c, NULL, &got, why, sizeof why), FATFLY_OK);
        CHECK_EQ(got.end, FATFLY_DONE);
        CHECK_EQ(got.worms + got.self_worms, 6 * c.nodes);
    }
}

static void in_a_session(void **state)
{
    struct mine mine = {0};
    struct fatfly_plugin p = {.version = FATFLY_PLUGIN_VERSION, .name = "own", .context = &mine, .route = route};
    struct fatfly_config c = config_of(&p);
    struct fatfly_session *s;
    struct fatfly_delivery d;
    struct fatfly_worm w = {.src = 0, .dst = 15, .length = 5};
    (void)state;
    c.load = 0;
    CHECK_EQ(fatfly_open(&s, &c, why, sizeof why), FATFLY_OK);
    CHECK_EQ(fatfly_send(s, &w, why, sizeof why), FATFLY_OK);
    CHECK_EQ(fatfly_advance(s, 1000, true, why, sizeof why), FATFLY_OK);
    assert_true(fatfly_poll(s, &d));
    CHECK_EQ(d.links, 6);
    mine.wrong_after = 1;
    w.ready = fatfly_now(s);
    CHECK_EQ(fatfly_send(s, &w, why, sizeof why), FATFLY_OK);
    CHECK_EQ(fatfly_advance(s, 2000, true, why, sizeof why), FATFLY_BAD_CONFIG);
    assert_non_null(strstr(why, "returns no output"));
    fatfly_close(s);
}

static void refuse(struct fatfly_plugin p, uint32_t away, unsigned wrong_after, const char *text)
{
    struct mine mine = {.away = away, .wrong_after = wrong_after};
    struct fatfly_config c = config_of(&p);
    p.context = &mine;
    c.force = wrong_after > 0;
    CHECK_EQ(fatfly_run(&c, NULL, &got, why, sizeof why), FATFLY_BAD_CONFIG);
    if (!strstr(why, text))
        fail_msg("%s: %s", text, why);
}

static void refused(void **state)
{
    struct fatfly_plugin good = {.version = FATFLY_PLUGIN_VERSION, .name = "own", .route = route}, p = good;
    struct fatfly_config c;
    (void)state;
    refuse(good, 0, 9, "plugin = own: route() of a head in node ");
    p.version = 7;
    refuse(p, 0, 0, "plugin has version 7; allowed: 1");
    p = good;
    p.name = NULL;
    refuse(p, 0, 0, "plugin has no name");
    p.name = "";
    refuse(p, 0, 0, "plugin has no name");
    p.name = "a-name-of-thirty-three-characters";
    refuse(p, 0, 0, "plugin has no name");
    p.name = "a b";
    refuse(p, 0, 0, "plugin has no name");
    p = good;
    p.channels = 130;
    refuse(p, 0, 0, "needs 130 channels");
    p.channels = 3;
    refuse(p, 0, 0, "vcs = 2; allowed: 3 or more");
    p = (struct fatfly_plugin){.version = FATFLY_PLUGIN_VERSION, .name = "own"};
    refuse(p, 0, 0, "has no callback");
    p.destination = destination;
    refuse(p, 16, 0, "destination() of worm 3 of processor");
    c = config_of(&p);
    c.pattern = FATFLY_TORNADO;
    CHECK_EQ(fatfly_check(&c, why, sizeof why), FATFLY_BAD_CONFIG);
    p = (struct fatfly_plugin){.version = FATFLY_PLUGIN_VERSION, .name = "own", .gap = gap};
    c = config_of(&p);
    c.load = 0;
    CHECK_EQ(fatfly_check(&c, why, sizeof why), FATFLY_BAD_CONFIG);
    c = config_of(&good);
    c.topology = NULL;
    c.path = FATFLY_RP;
    CHECK_EQ(fatfly_check(&c, why, sizeof why), FATFLY_BAD_CONFIG);
}

static void destinations_and_gaps(void **state)
{
    struct mine mine = {0};
    struct fatfly_plugin p = {.version = FATFLY_PLUGIN_VERSION, .name = "own", .context = &mine,
                              .destination = destination, .gap = gap};
    struct fatfly_config c = config_of(&p);
    (void)state;
    c.length = 4;
    c.load = 0.1; /* a worm each 40 cycles; a sixteenth stays at home */
    c.warmup = 800;
    c.detect_warmup = false;
    CHECK_EQ(fatfly_run(&c, NULL, &got, why, sizeof why), FATFLY_OK);
    CHECK_EQ(got.offered_flits % 4, 0);
    assert_true(got.offered_flits > 16 * 75 * 4 * 0.88 && got.offered_flits < 16 * 75 * 4);
}

/* Of `row` worms in a row all but one come in the cycle of the one before, or stay at home. */
static uint64_t gap_in_rows(const struct fatfly_plug_network *n, uint32_t src, uint64_t index, uint64_t random)
{
    const uint64_t *row = n->context;
    (void)src;
    (void)random;
    return index % *row ? 0 : 20;
}

static uint32_t home_in_rows(const struct fatfly_plug_network *n, uint32_t src, uint64_t index, uint64_t random)
{
    const uint64_t *row = n->context;
    (void)random;
    return (index + 1) % *row ? src : (src + 1) % n->processors;
}

/* 65,536 in a row are allowed, 65,535 of those that stay at home, any number in all. */
static void in_a_row(void **state)
{
    static const struct { uint64_t row; uint32_t worms; bool homes, allowed; } way[] = {
        {2, 200000, false, true}, {3, 200000, false, true}, {65537, 200000, false, true}, {65538, 66000, false, false},
        {2, 200000, true, true}, {3, 70000, true, true}, {65536, 3, true, true}, {65537, 1, true, false},
    };
    (void)state;
    for (unsigned k = 0; k < ROWS(way); k++) {
        uint64_t row = way[k].row;
        struct fatfly_plugin p = {.version = FATFLY_PLUGIN_VERSION, .name = "own", .context = &row,
                                  .gap = way[k].homes ? NULL : gap_in_rows, .destination = way[k].homes ? home_in_rows : NULL};
        struct fatfly_config c = config_of(&p);
        struct traffic_worm w;
        uint32_t worms = 0;
        c.pattern = FATFLY_COMPLEMENT; /* where there is no destination() */
        struct traffic *t = traffic_new(&c);
        assert_non_null(t);
        while (worms < way[k].worms && traffic_next(t, 1, &w))
            worms++;
        CHECK_AT(k, worms == way[k].worms, way[k].allowed);
        CHECK_AT(k, traffic_fault(t) != NULL, !way[k].allowed && !way[k].homes);
        traffic_free(t);
    }
}

/* -- what callbacks are told of the network ------------------------------------------------------- */

struct network {
    struct topology own;  /* without a plug-in */
    double rate;
    unsigned radix, dimensions;
    unsigned calls[4];
};

static const struct network *told_always(const struct fatfly_plug_network *n, unsigned callback)
{
    struct network *is = n->context;
    is->calls[callback]++;
    CHECK_EQ(n->processors, is->own.processors);
    CHECK_EQ(n->radix, is->radix);
    CHECK_EQ(n->dimensions, is->dimensions);
    if (n->rate != is->rate)
        fail_msg("rate is %.12g, not %.12g", n->rate, is->rate);
    return is;
}

static const struct network *told_where_heads_choose(const struct fatfly_plug_network *n, unsigned callback)
{
    const struct network *is = told_always(n, callback);
    CHECK_EQ(n->nodes, is->own.nodes);
    CHECK_EQ(n->ports, is->own.ports);
    CHECK_EQ(n->channels, is->own.classes);
    if (is->calls[callback] > 1)
        return is;
    for (uint32_t node = 0; node <= n->nodes; node++)
        for (unsigned p = 0; p <= n->ports; p++)
            CHECK_EQ(n->far(n, node, p), node < n->nodes && p < n->ports ? is->own.kind->far(&is->own, node, p)
                                                                         : FATFLY_PLUG_NOWHERE);
    for (uint32_t a = 0; a < n->processors; a++)
        CHECK_EQ(n->end(n, a), topology_leave(&is->own, a));
    CHECK_EQ(n->end(n, n->processors), FATFLY_PLUG_NOWHERE);
    return is;
}

/* The network's own paths. */
static unsigned own_route(const struct fatfly_plug_network *n, const struct fatfly_plug_place *at, uint32_t dst,
                          struct fatfly_plug_choice choice[FATFLY_PLUG_CHOICES])
{
    const struct network *is = told_where_heads_choose(n, 0);
    const struct topology_place place = {.node = at->node, .from = at->from, .port = at->port, .class = at->channel};
    struct topology_choice own[TOPOLOGY_MAX_PORTS];
    unsigned count = is->own.kind->route(&is->own, &place, dst, own);
    for (unsigned k = 0; k < count; k++)
        choice[k] = (struct fatfly_plug_choice){own[k].port, own[k].low, own[k].high};
    return count;
}

static bool own_before(const struct fatfly_plug_network *n, const struct fatfly_plug_head *a, const struct fatfly_plug_head *b)
{
    const struct network *is = told_where_heads_choose(n, 1);
    const struct fatfly_plug_head *h[2] = {a, b};
    for (unsigned k = 0; k < 2; k++)
        CHECK_EQ(h[k]->at.node, h[k]->at.from == FATFLY_PLUG_NOWHERE ? topology_enter(&is->own, h[k]->src)
                                                                     : is->own.kind->far(&is->own, h[k]->at.from, h[k]->at.port));
    return a->worm < b->worm;
}

static uint32_t own_destination(const struct fatfly_plug_network *n, uint32_t src, uint64_t index, uint64_t random)
{
    (void)told_always(n, 2);
    (void)index;
    CHECK_EQ(n->nodes + n->ports + n->channels, 0);
    assert_true(!n->far && !n->end);
    return (src + 1 + (uint32_t)(random % (n->processors - 1))) % n->processors;
}

static uint64_t own_gap(const struct fatfly_plug_network *n, uint32_t src, uint64_t index, uint64_t random)
{
    (void)told_always(n, 3);
    (void)src;
    (void)index;
    return 2 * (uint64_t)(1 / n->rate) * (random & 1);
}

/* Worms of more than one length: what they bring on average is worked out by hand. */
static const struct {
    unsigned classes, class_length[2], share[2], reply;
    double flits;
} mixes[] = {
    {1, {0}, {0}, 0, 5},
    {1, {0}, {0}, 16, 21},
    {2, {3, 9}, {0}, 0, 4.5},          /* as many flits of each: 2 / (1/3 + 1/9) */
    {2, {3, 9}, {3, 1}, 0, 3.6},       /* 4 / (3/3 + 1/9) */
};

static void the_network_is_told(void **state)
{
    static const struct {
        const char *name;
        enum fatfly_path path;
        uint32_t nodes;
        unsigned radix, dimensions, vcs;
        const char *graph;
        bool processor_links;
    } nets[] = {
        {"mesh", FATFLY_E_CUBE, 27, 3, 3, 2, NULL, false},
        {"mesh", FATFLY_E_CUBE, 16, 4, 2, 2, NULL, true},
        {"torus", FATFLY_E_CUBE, 16, 4, 2, 2, NULL, true},
        {"torus", FATFLY_NEGATIVE_HOP, 16, 4, 2, 3, NULL, false},
        {"butterfly", FATFLY_GREEDY, 8, 0, 0, 2, NULL, false},
        {"hypercube", FATFLY_E_CUBE, 16, 0, 0, 2, NULL, false},
        {"hypercube", FATFLY_E_CUBE, 16, 0, 0, 1, NULL, false},
        {"graph", FATFLY_GREEDY, 3, 0, 0, 1, "nodes 6\nprocessor 0 3\nprocessor 1 4\nprocessor 2 5\n"
                                            "link 0 1\nlink 1 2\nlink 2 3\nlink 3 4\nlink 4 5\nlink 5 0\n", false},
    };
    (void)state;
    for (unsigned k = 0; k < ROWS(nets) * ROWS(mixes); k++) {
        const unsigned net = k / ROWS(mixes), mix = k % ROWS(mixes);
        struct network is = {.radix = nets[net].radix, .dimensions = nets[net].dimensions};
        struct fatfly_plugin p = {.version = FATFLY_PLUGIN_VERSION, .name = "own", .context = &is, .route = own_route,
                                  .before = own_before, .destination = own_destination, .gap = own_gap};
        struct fatfly_config c = config_of(NULL);
        c.topology = nets[net].name;
        c.path = nets[net].path;
        c.nodes = nets[net].nodes;
        c.radix = nets[net].radix;
        c.dimensions = nets[net].dimensions;
        c.vcs = nets[net].vcs;
        c.graph = nets[net].graph;
        c.processor_links = nets[net].processor_links;
        c.load = 0.06;
        c.classes = mixes[mix].classes;
        c.reply[0] = mixes[mix].reply;
        for (unsigned j = 0; j < 2; j++) {
            c.class_length[j] = mixes[mix].class_length[j];
            c.class_share[j] = mixes[mix].share[j];
        }
        is.rate = c.load / mixes[mix].flits;
        if (topology_of(&c, &is.own, why, sizeof why))
            fail_msg("%s: %s", nets[net].name, why);
        if (c.processor_links)
            p.route = NULL; /* refused with them */
        if (mix & 1)
            p.before = NULL;
        if (p.route && mix & 2) { /* as many as it says that it needs */
            p.channels = c.vcs;
            c.vcs = 0;
        }
        c.plugin = &p;
        c.force = c.graph; /* its circle could deadlock */
        if (fatfly_run(&c, NULL, &got, why, sizeof why) != FATFLY_OK)
            fail_msg("%s: %s", nets[net].name, why);
        const bool called[] = {p.route, p.before, true, true};
        for (unsigned j = 0; j < ROWS(called); j++)
            assert_true(called[j] ? is.calls[j] > 20 : is.calls[j] == 0);
        topology_close(&is.own);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_built_in),
        cmocka_unit_test(folded_apart),
        cmocka_unit_test(heads_are_of_their_worms),
        cmocka_unit_test(the_next_goes_first),
        cmocka_unit_test(in_a_session),
        cmocka_unit_test(refused),
        cmocka_unit_test(destinations_and_gaps),
        cmocka_unit_test(in_a_row),
        cmocka_unit_test(the_network_is_told),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
