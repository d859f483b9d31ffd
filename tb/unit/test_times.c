/* SPDX-License-Identifier: Apache-2.0
 * test_times.c - the engine that counts with the cycles of heads (times.c) against the one that moves every flit
 * (channel.c), which runs where somebody looks on: every figure of the result, digest included, worms over every
 * link, the text of a deadlock; over topologies, paths, queues, lengths, loads, ends.
 */
#include "engine.h"
#include "topology.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

enum { MOST_LINKS = 5000 };

static struct fatfly_result one, other;
static uint32_t links_one[MOST_LINKS], links_other[MOST_LINKS];
static uint32_t bars_one[FATFLY_BATCHES][FATFLY_BUCKETS], bars_other[FATFLY_BATCHES][FATFLY_BUCKETS];

static bool stop_after_four(void *context, uint64_t cycle, uint64_t delivered)
{
    unsigned *count = context;
    (void)cycle;
    (void)delivered;
    return ++*count < 4;
}

/* Runs it by both; false: the configuration is not allowed, or is not for times.c. */
static bool same(unsigned k, const struct fatfly_config *c, bool stops)
{
    static const struct fatfly_observer nobody;
    unsigned count = 0, count_other = 0;
    char why[600] = "", why_other[600] = "";
    struct topology t;
    struct fatfly_hooks hooks = {.link_worms = links_one, .histograms = bars_one, .context = &count,
                                 .poll = stops ? stop_after_four : NULL};

    if (fatfly_check(c, why, sizeof why) || topology_of(c, &t, why, sizeof why))
        return false;
    bool is = engine_of(c, &t) == &engine_times;
    uint32_t links = t.links;
    topology_close(&t);
    assert_true(links <= MOST_LINKS);
    if (!is)
        return false;
    memset(bars_one, 0, sizeof bars_one);
    memset(bars_other, 0, sizeof bars_other);
    int status = fatfly_run(c, &hooks, &one, why, sizeof why);
    hooks.link_worms = links_other;
    hooks.histograms = bars_other;
    hooks.context = &count_other;
    hooks.observer = &nobody;
    int status_other = fatfly_run(c, &hooks, &other, why_other, sizeof why_other);
    CHECK_AT(k, status, status_other);
    assert_string_equal(why, why_other);
    if (status && status != FATFLY_DEADLOCK)
        fail_msg("%u: status %d: %s", k, status, why);
    bool equal = one.digest == other.digest && memcmp(&one, &other, sizeof one) == 0 &&
                 memcmp(links_one, links_other, links * sizeof *links_one) == 0 &&
                 memcmp(bars_one, bars_other, sizeof bars_one) == 0;
    if (!equal)
        print_error("%u: N = %u %s %u^%u path %s V = %u q = %u L = %u load = %g\n", k, c->nodes, c->topology, c->radix,
                    c->dimensions, fatfly_path_names[c->path], c->vcs, c->depth, c->length, c->load);
    CHECK_AT(k, one.digest, other.digest);
    CHECK_AT(k, one.cycles, other.cycles);
    CHECK_AT(k, one.flit_hops, other.flit_hops);
    CHECK_AT(k, one.latency_sum, other.latency_sum);
    CHECK_AT(k, one.occupied[1], other.occupied[1]);
    CHECK_AT(k, equal, true);
    return true;
}

static void random_network(struct fatfly_config *c)
{
    static const char *const names[] = {"torus", "mesh", "torus", "mesh", "butterfly", "wrapped-butterfly", "hypercube",
                                        "reverse-butterfly"};
    static const enum fatfly_path paths[] = {FATFLY_E_CUBE, FATFLY_NORTH_LAST, FATFLY_POSITIVE_HOP, FATFLY_NEGATIVE_HOP,
                                             FATFLY_MINIMAL_ADAPTIVE, FATFLY_LOOSE_HOP, FATFLY_BALANCED_E_CUBE};
    const char *name = names[draw(8)];

    fatfly_defaults_of(c, name, FATFLY_WORM);
    c->force = true;
    if (name == names[0] || name == names[1]) {
        c->dimensions = 1 + draw(3);
        c->radix = 2 + draw(c->dimensions == 1 ? 15 : c->dimensions == 2 ? 7 : 3);
        c->path = paths[draw(7)];
        c->nodes = 1;
        for (unsigned d = 0; d < c->dimensions; d++)
            c->nodes *= c->radix;
        c->vcs = draw(3) ? 0 : 1 + draw(9);
    } else {
        c->nodes = 4u << draw(5);
        c->vcs = draw(2) ? c->vcs : 1 + draw(4);
    }
    c->link_bandwidth = draw(4) ? 1 : 1 + draw(3);
}

static void random_configuration(struct fatfly_config *c)
{
    random_network(c);
    c->depth = draw(5) ? 1 + draw(5) : draw(2) ? (unsigned)FATFLY_UNBOUNDED : 16;
    c->length = 1 + draw(draw(3) ? 8 : draw(2) ? 40 : 400);
    c->length_min = 1 + draw(c->length);
    c->length_mean = c->length_min + draw(20);
    c->lengths = (enum fatfly_lengths)draw(FATFLY_MIX);
    c->short_share = 0.3;
    c->pattern = (enum fatfly_pattern)draw(FATFLY_NEIGHBOUR + 1);
    c->seed = unit_seed + draw(1000000);
    c->max_cycles = 40000;
    if (draw(3)) {
        c->load = (1 + draw(60)) * (draw(2) ? 0.002 : 0.01);
        c->arrivals = (enum fatfly_arrivals)draw(2);
        c->cycles = 300 + draw(draw(4) ? 3000 : 20000);
        c->detect_warmup = draw(2);
        c->warmup = draw(2) * draw(3000);
        c->whole = draw(2);
        if (draw(4) == 0)
            c->max_cycles = 1 + draw(2000);
        return;
    }
    c->rounds = 1 + draw(6);
    c->delay_range = 1 + draw(3);
    if (draw(3) == 0)
        c->max_cycles = 1 + draw(300);
}

static void random_configurations_are_equal(void **state)
{
    unsigned ran = 0, saturated = 0, cut = 0, adaptive = 0;
    (void)state;
    for (unsigned k = 0; k < 500; k += UNIT_EACH(2)) {
        struct fatfly_config c;
        random_configuration(&c);
        if (!same(k, &c, draw(8) == 0))
            continue;
        ran++;
        saturated += one.end == FATFLY_SATURATED;
        cut += one.end == FATFLY_CUT;
        adaptive += c.path == FATFLY_MINIMAL_ADAPTIVE || c.path == FATFLY_NORTH_LAST;
    }
    if (ran < 300 / UNIT_EACH(2) || saturated < 2 || cut < 10 || adaptive < 5)
        fail_msg("%u ran, %u saturated, %u cut, %u adaptive", ran, saturated, cut, adaptive);
}

/* Worms that are as long as they may be, whose tails leave many turns of the wheel after their heads came. */
static void long_worms_are_equal(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 6; k++) {
        struct fatfly_config c;
        do
            random_network(&c);
        while (strcmp(c.topology, "torus") || c.path == FATFLY_MINIMAL_ADAPTIVE || c.path == FATFLY_LOOSE_HOP);
        c.vcs = 0;
        c.depth = k % 2 ? 1 + draw(16) : (unsigned)FATFLY_UNBOUNDED;
        c.length = 4096 - draw(3);
        c.seed = unit_seed + k;
        c.load = 0.02;
        c.cycles = 10000;
        c.warmup = 1000;
        c.max_cycles = 20000 + draw(3000);
        same(k, &c, false);
    }
}

/* As many channels as a link may have, each of which has its turn in as many cycles. */
static void most_channels_are_equal(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 6; k++) {
        struct fatfly_config c;
        fatfly_defaults_of(&c, k % 2 ? "mesh" : "torus", FATFLY_WORM);
        c.force = true;
        c.dimensions = 2;
        c.radix = 5;
        c.nodes = 25;
        c.path = k < 4 ? FATFLY_MINIMAL_ADAPTIVE : FATFLY_E_CUBE;
        c.vcs = k < 4 ? 129 - k / 2 : 128; /* a multiple of 2 for e-cube on a torus */
        c.depth = 1 + draw(4);
        c.length = 1 + draw(12);
        c.seed = unit_seed + k;
        c.load = 0.05;
        c.cycles = 2000;
        c.warmup = 500;
        c.max_cycles = 20000;
        assert_true(same(k, &c, false));
        assert_true(one.latency_max > 128);
    }
}

/* Worms that wait for each other for ever, all of them, or while others move. */
static void deadlocks_are_equal(void **state)
{
    unsigned found = 0;
    (void)state;
    for (unsigned k = 0; k < 120; k++) {
        struct fatfly_config c;
        random_configuration(&c);
        fatfly_defaults_of(&c, "torus", FATFLY_WORM);
        c.force = true;
        c.radix = 3 + draw(4);
        c.dimensions = 1 + draw(2);
        c.nodes = c.dimensions == 1 ? c.radix : c.radix * c.radix;
        c.path = draw(2) ? FATFLY_E_CUBE : FATFLY_MINIMAL_ADAPTIVE;
        c.vcs = 1 + draw(2);
        c.length = 4 + draw(60);
        c.depth = 1 + draw(3);
        c.seed = unit_seed + k;
        c.load = draw(2) ? 0.3 + 0.1 * draw(8) : 0;
        c.whole = true;
        c.cycles = 30000;
        c.warmup = draw(2) * 500;
        c.rounds = 1 + draw(20);
        assert_true(same(k, &c, false));
        found += one.end == FATFLY_DEADLOCKED;
    }
    if (found < 20)
        fail_msg("%u deadlocks", found);
}

/* Five worms of a ring, while others move: found where it is looked for, every 16384 cycles. */
static void deadlocks_amid_moves_are_equal(void **state)
{
    static struct fatfly_message list[605];
    (void)state;
    for (unsigned k = 0; k < ROWS(list); k++)
        list[k] = k < 5 ? (struct fatfly_message){0, k, (k + 2) % 5, 40}
                        : (struct fatfly_message){30 * (k - 5), 15 + k % 5, 20 + k % 5, 40 + draw(20)};
    for (unsigned k = 0; k < 3; k++) {
        struct fatfly_config c;
        fatfly_defaults_of(&c, "torus", FATFLY_WORM);
        c.force = true;
        c.radix = 5;
        c.dimensions = 2;
        c.nodes = 25;
        c.vcs = 1;
        c.depth = 1 + k;
        c.pattern = FATFLY_MESSAGES;
        c.messages = list;
        c.message_count = ROWS(list);
        assert_true(same(k, &c, false));
        CHECK_AT(k, one.end, FATFLY_DEADLOCKED);
        CHECK_AT(k, one.cycles, 16384);
    }
}

/* Recorded messages, one of which is longer than config->length says. */
static void messages_are_equal(void **state)
{
    static const struct fatfly_message list[] = {
        {0, 0, 5, 100}, {0, 1, 5, 1}, {1, 2, 5, 17}, {3, 0, 15, 2}, {90, 5, 0, 300}, {1000, 5, 4, 3}, {30000, 1, 2, 9}};
    (void)state;
    for (unsigned k = 0; k < 40; k++) {
        struct fatfly_config c;
        fatfly_defaults_of(&c, k % 2 ? "mesh" : "torus", FATFLY_WORM);
        c.radix = 4;
        c.dimensions = 2;
        c.nodes = 16;
        c.pattern = FATFLY_MESSAGES;
        c.messages = list;
        c.message_count = ROWS(list);
        c.depth = 1 + k / 2 % 5;
        c.length = 4;
        assert_true(same(k, &c, false));
    }
}

/* What it does not know runs by channel.c. */
static void others_are_not_its(void **state)
{
    static const struct fatfly_config odd[] = {
        {.bandwidth = FATFLY_ON_DEMAND}, {.channel_release = FATFLY_TAIL_SENT}, {.injection = FATFLY_PER_CHANNEL},
        {.link_latency = 2}, {.router_latency = 1}, {.head_latency = 1}, {.channels_in_turn = true}, {.classes = 2}, {.reply = {3}}, {.class_length = {3}}};
    (void)state;
    for (unsigned k = 0; k <= ROWS(odd); k++) {
        const struct fatfly_config none = {.bandwidth = FATFLY_FIXED_SHARE}, *o = k < ROWS(odd) ? &odd[k] : &none;
        struct fatfly_config c;
        struct topology t;
        char why[300];
        fatfly_defaults_of(&c, "torus", FATFLY_WORM);
        c.radix = 4;
        c.dimensions = 2;
        c.nodes = 16;
        c.bandwidth = o->bandwidth;
        c.channel_release = o->channel_release;
        c.injection = o->injection;
        c.link_latency = o->link_latency ? o->link_latency : c.link_latency;
        c.router_latency = o->router_latency;
        c.head_latency = o->head_latency;
        c.channels_in_turn = o->channels_in_turn;
        c.classes = o->classes ? o->classes : c.classes;
        c.reply[0] = o->reply[0];
        c.class_length[0] = o->class_length[0];
        assert_int_equal(fatfly_check(&c, why, sizeof why), FATFLY_OK);
        assert_int_equal(topology_of(&c, &t, why, sizeof why), 0);
        CHECK_AT(k, engine_of(&c, &t) == &engine_times, k == ROWS(odd));
        topology_close(&t);
    }
}

/* A session looks on between two cycles: it runs by channel.c, with the same end, and can be saved and read. */
static void sessions_are_not_its(void **state)
{
    struct fatfly_config c;
    struct fatfly_session *s;
    struct fatfly_shape shape;
    struct fatfly_snapshot *p = NULL;
    char why[300];
    (void)state;
    fatfly_defaults_of(&c, "torus", FATFLY_WORM);
    c.radix = 4;
    c.dimensions = 2;
    c.nodes = 16;
    c.rounds = 5;
    assert_true(same(0, &c, false));
    assert_int_equal(fatfly_open_run(&s, &c, why, sizeof why), FATFLY_OK);
    assert_int_equal(fatfly_advance(s, 20, false, why, sizeof why), FATFLY_OK);
    fatfly_read_shape(s, &shape);
    assert_true(shape.shows);
    assert_int_equal(fatfly_save(s, &p, why, sizeof why), FATFLY_OK);
    fatfly_snapshot_free(p);
    for (unsigned k = 0; k < 3; k++) {
        fatfly_statistics(s, &other);
        assert_true(other.digest != one.digest);
    }
    assert_int_equal(fatfly_advance(s, 100000, false, why, sizeof why), FATFLY_OK);
    assert_true(fatfly_over(s));
    fatfly_statistics(s, &other);
    CHECK_EQ(other.digest, one.digest);
    CHECK_EQ(other.flit_hops, one.flit_hops);
    fatfly_close(s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_configurations_are_equal),
        cmocka_unit_test(long_worms_are_equal),
        cmocka_unit_test(most_channels_are_equal),
        cmocka_unit_test(deadlocks_are_equal),
        cmocka_unit_test(deadlocks_amid_moves_are_equal),
        cmocka_unit_test(messages_are_equal),
        cmocka_unit_test(others_are_not_its),
        cmocka_unit_test(sessions_are_not_its),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
