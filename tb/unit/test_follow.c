/* SPDX-License-Identifier: Apache-2.0
 * test_follow.c - the worms that the follower names: in every cycle a flit that leaves the device is the next one of
 * the worm that is said to be on its link, whatever the queues hold.  And who waits for whom.
 */
#include "config.h"
#include "follow.h"
#include "lockstep.h"
#include "switch.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>

enum { MOST_WORMS = 1 << 15 };

static struct bench {
    struct probe probe;
    struct follow *follow;
    uint32_t left[MOST_WORMS]; /* flits of a worm that have left */
    unsigned endpoints, flits, fullest;
} b;

static void look(void *context, uint64_t cycle, const struct lockstep_view *view)
{
    const struct probe *p = &b.probe;
    (void)context;
    follow_cycle(b.follow, cycle, view->state[0], view->out[0]->link, view->driver, NULL, NULL);
    for (unsigned e = 0; e < b.endpoints; e++) {
        const struct link *l = &view->out[0]->link[e];
        uint32_t number = follow_links(b.follow)[SWITCH_PORTS * p->switches + e];
        CHECK_AT(cycle, number != 0, l->valid != 0);
        if (!l->valid)
            continue;
        const struct worm *w = driver_worm(view->driver, number);
        assert_non_null(w);
        assert_true(number < MOST_WORMS);
        CHECK_AT(cycle, l->flit.payload, worm_payload(w, b.left[number], p->shape.params.flit_w));
        CHECK_AT(cycle, l->flit.kind, worm_kind(w, b.left[number]));
        b.left[number]++;
        b.flits++;
    }
    for (unsigned k = 0; k < SWITCH_PORTS * p->switches; k++)
        for (unsigned v = 0; v < p->shape.params.vcs; v++) {
            const struct probe_signal *g = probe_find(p, "count_q", k % SWITCH_PORTS, v);
            unsigned count = g ? (unsigned)probe_get(p, view->state[0], k / SWITCH_PORTS, g) : 0;
            b.fullest = count > b.fullest ? count : b.fullest;
        }
}

/* Queues of every length, up to full ones: exits take what they are given in a fifth of the cycles.  With resets in mid-traffic they need
 * not fill, and after a reset no queue has an older worm. */
static void follow_all(uint64_t reset_every)
{
    static const char *const shapes[] = {"n16-v1-q%u-w32-rp-rr", "s2of3-v1-q%u-w24-rp-fcfs", "s1of3-v2-q%u-w32-fp-ff", "s1of2-v2-q%u-w24-rw-rot",
                                         "s2of3-v4-q%u-w64-rg-rot", "torus4n5-v3-q%u-w32-nhop-rr", "mesh4-v1-q%u-w32-ecube-rot"};
    for (unsigned k = 0; k < ROWS(shapes); k++)
        for (unsigned depth = 1; depth <= MAX_DEPTH; depth++) {
            struct config c;
            struct stimulus s;
            struct fail f;
            struct lockstep_result r;
            char name[40], why[200] = "";
            config_default(&c);
            c.set.config.load = 0.8;
            c.set.config.cycles = 300;
            c.set.config.lengths = FATFLY_UNIFORM;
            c.set.config.length_min = 1;
            c.set.config.length = 3;
            c.set.stall = 80;
            c.set.reset_every = reset_every;
            snprintf(name, sizeof name, shapes[k], depth);
            assert_null(dut_shape_parse(name, &c.shape, why, sizeof why));
            CHECK_AT(depth, stimulus_make(&s, &c, &f), 0);
            assert_int_equal(probe_init(&b.probe, &s.shape), 0);
            b.follow = follow_new(&b.probe);
            b.endpoints = dut_endpoints(&s.shape);
            b.flits = b.fullest = 0;
            memset(b.left, 0, sizeof b.left);
            const struct dut_ops *const alone[2] = {dut_model(&s.shape), NULL};
            lockstep_run(alone, &s, &(struct lockstep_options){.watch = look, .max_cycles = 3000}, &r);
            assert_true(r.end == END_DONE || r.end == END_CUT);
            CHECK_AT(depth, b.flits > 200, true);
            CHECK_AT(depth, reset_every || b.fullest == depth, true);
            follow_free(b.follow);
            probe_free(&b.probe);
            stimulus_free(&s);
        }
}

static void queues_of_all_lengths(void **state)
{
    (void)state;
    follow_all(0);
}

static void resets_in_mid_traffic(void **state)
{
    (void)state;
    follow_all(70);
}

/* -- who waits for whom, under RW --------------------------------------------------------------------- */

/* A switch on the way up, and room behind its outputs. */
struct alone {
    struct probe p;
    struct follow *follow;
    struct fat_switch sw;
    struct switch_wires wires;
    struct link in[SWITCH_PORTS];
    struct flit mem[SWITCH_PORTS * MAX_VCS];
    uint8_t room[SWITCH_PORTS];
    uint16_t exit_room[SWITCH_PORTS];
    uint32_t *words;
};

static void open_alone(struct alone *a, const char *shape, uint32_t seed)
{
    struct dut_shape s;
    char why[200] = "";

    memset(a, 0, sizeof *a);
    if (dut_shape_parse(shape, &s, why, sizeof why))
        fail_msg("%s: %s", shape, why);
    assert_int_equal(probe_init(&a->p, &s), 0);
    a->follow = follow_new(&a->p);
    a->words = malloc(a->p.words * sizeof *a->words);
    assert_non_null(a->follow);
    assert_non_null(a->words);
    switch_init(&a->sw, &a->p.shape.params, a->mem);
    switch_reset(&a->sw, seed);
}

static void close_alone(struct alone *a)
{
    follow_free(a->follow);
    free(a->words);
    probe_free(&a->p);
}

/* A worm's head comes to this child; it goes up. */
static void comes(struct alone *a, unsigned child, unsigned v)
{
    unsigned levels = a->p.shape.params.levels;
    a->in[child].valid = (uint16_t)(1u << v);
    a->in[child].flit = (struct flit){.kind = FLIT_HEAD, .payload = head_pack(levels, 15, child, levels, 0)};
}

/* The parents with room: 1: parent 0, 2: parent 1, 3: both.  Children have some. */
static void give_room(struct alone *a, unsigned parents)
{
    unsigned all = (1u << a->p.shape.params.vcs) - 1;
    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        a->exit_room[o] = a->room[o] = (uint8_t)(o < SWITCH_CHILDREN || parents >> (o - SWITCH_CHILDREN) & 1 ? all : 0);
}

/* The parents by which a flit would leave with that room, a bit each. */
static unsigned leaves(struct alone *a, unsigned parents)
{
    give_room(a, parents);
    switch_eval(&a->sw, a->room, &a->wires);
    return a->wires.sent >> SWITCH_CHILDREN;
}

static void next_cycle(struct alone *a, unsigned parents)
{
    leaves(a, parents);
    switch_tick(&a->sw, a->in, &a->wires);
    memset(a->in, 0, sizeof a->in);
}

/* What is said with that room begins with these words about the first worm that waits. */
static void says(struct alone *a, unsigned parents, unsigned child, unsigned v, const char *what)
{
    char text[4000], want[100];

    leaves(a, parents);
    switch_probe(&a->sw, a->in, &a->wires, a->words);
    assert_false(follow_wait_chain(a->follow, a->words, a->exit_room, text, sizeof text));
    snprintf(want, sizeof want, "  worm 0 in S(%u,0) child %u channel %u %s\n", a->p.shape.params.level, child, v, what);
    if (strncmp(text, want, strlen(want)) != 0)
        fail_msg("%sin place of%s", text, want);
}

/* A head that nothing takes: in its first cycle either parent will do, then the drawn one alone, as the switch has it. */
static unsigned waits_for_room(const char *shape, uint32_t seed, unsigned child, unsigned v)
{
    struct alone a;

    open_alone(&a, shape, seed);
    comes(&a, child, v);
    next_cycle(&a, 0);
    CHECK_AT(seed, leaves(&a, 1), 1);
    CHECK_AT(seed, leaves(&a, 2), 2);
    says(&a, 0, child, v, "waits for room behind parent 0 channel 0");
    says(&a, 1, child, v, "waits for room behind parent 1 channel 0");
    says(&a, 2, child, v, "waits for room behind parent 0 channel 0");
    says(&a, 3, child, v, "could move");
    next_cycle(&a, 0);
    unsigned drawn = leaves(&a, 2) == 2;
    for (unsigned k = 0; k < 3; k++, next_cycle(&a, 0)) { /* it stays so */
        const char *waits = drawn ? "waits for room behind parent 1 channel 0" : "waits for room behind parent 0 channel 0";
        CHECK_AT(seed, leaves(&a, 1u << drawn), 1u << drawn);
        CHECK_AT(seed, leaves(&a, 2u >> drawn), 0);
        says(&a, 0, child, v, waits);
        says(&a, 2u >> drawn, child, v, waits);
        says(&a, 1u << drawn, child, v, "could move");
    }
    close_alone(&a);
    return drawn;
}

/* A worm from child 3 holds one parent; a head behind child 0 waits for it if it has drawn that one, and else could move. */
static unsigned waits_for_a_worm(const char *shape, uint32_t seed, unsigned held)
{
    struct alone a;
    char waits[60];

    open_alone(&a, shape, seed);
    comes(&a, 3, 0);
    next_cycle(&a, 0);
    comes(&a, 0, 0);
    next_cycle(&a, 1u << held);
    snprintf(waits, sizeof waits, "waits for parent %u channel 0, which is held", held);
    CHECK_AT(seed, a.sw.busy_q[SWITCH_CHILDREN + held], 1);
    says(&a, 1u << held, 0, 0, held ? "waits for room behind parent 0 channel 0" : waits); /* its first cycle: either */
    says(&a, 3, 0, 0, waits);
    next_cycle(&a, 1u << held);
    bool same = !leaves(&a, 3);
    says(&a, 3, 0, 0, same ? waits : "could move");
    if (same)
        says(&a, 1u << held, 0, 0, waits);
    close_alone(&a);
    return same;
}

static void waits_for_the_drawn_parent(void **state)
{
    static const char *const shapes[] = {"s1of2-v1-q2-w32-rw-rr", "s2of3-v2-q2-w24-rw-fcfs", "s1of3-v4-q2-w32-rw-rot"};
    (void)state;
    for (unsigned n = 0; n < ROWS(shapes); n++)
        for (unsigned place = 0; place < SWITCH_CHILDREN; place++) {
            unsigned drawn[2] = {0}, held = place & 1, same[2] = {0};
            for (uint32_t seed = 1; seed <= 40; seed++) {
                uint32_t random = UINT32_C(0x9e3779b9) * (seed + draw(1000));
                drawn[waits_for_room(shapes[n], random, place, place % (n == 2 ? 4 : n + 1))]++;
                if (n == 0) /* where there are more channels, another one is free */
                    same[waits_for_a_worm(shapes[n], random, held)]++;
            }
            CHECK_AT(n, drawn[0] && drawn[1], true);
            CHECK_AT(n, n || (same[0] && same[1]), true);
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_of_all_lengths),
        cmocka_unit_test(resets_in_mid_traffic),
        cmocka_unit_test(waits_for_the_drawn_parent),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
