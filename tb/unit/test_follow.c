/* SPDX-License-Identifier: Apache-2.0
 * test_follow.c - the worms that the follower names: in every cycle a flit that leaves the device is the next one of
 * the worm that is said to be on its link, whatever the queues hold.
 */
#include "config.h"
#include "follow.h"
#include "lockstep.h"

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
    static const char *const shapes[] = {"n16-v1-q%u-w32-rp-rr", "s2of3-v1-q%u-w24-rp-fcfs", "s1of3-v2-q%u-w32-fp-ff",
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_of_all_lengths),
        cmocka_unit_test(resets_in_mid_traffic),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
