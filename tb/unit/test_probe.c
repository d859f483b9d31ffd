/* SPDX-License-Identifier: Apache-2.0
 * test_probe.c - the probe table against what switch_probe() writes, and the names of switches, routers and ports.
 */
#include "follow.h"
#include "probe.h"
#include "switch.h"

#include "unit.h"
#include "shown.h"

static struct dut_shape shape_of(unsigned vcs, unsigned depth, unsigned flit_w,
                                 enum scan_order scan)
{
    return (struct dut_shape){.params = {.vcs = vcs, .depth = depth, .flit_w = flit_w,
                                         .path = PATH_RP, .scan = scan, .level = 1, .levels = 2}};
}

static uint64_t value(const struct probe *p, const uint32_t *words, const char *name,
                      unsigned port, unsigned vc)
{
    const struct probe_signal *g = probe_find(p, name, port, vc);
    assert_non_null(g);
    return probe_get(p, words, 0, g);
}

/* Every shape: as many words as the switch writes, no two signals share a bit, none is outside. */
static void table_covers_words(void **state)
{
    static const unsigned widths[] = {16, 30, 31, 32, 62, 63, 64};
    (void)state;
    for (unsigned vcs = 1; vcs <= 4; vcs *= 2)
        for (unsigned depth = 1; depth <= 16; depth++)
            for (unsigned w = 0; w < sizeof widths / sizeof *widths; w++)
                for (unsigned scan = 0; scan < SCAN_COUNT; scan++) {
                    struct dut_shape s = shape_of(vcs, depth, widths[w], (enum scan_order)scan);
                    struct probe p;
                    assert_int_equal(probe_init(&p, &s), 0);
                    assert_int_equal(p.words, switch_probe_words(&s.params));
                    unsigned char *used = calloc(p.words * 32, 1);
                    assert_non_null(used);
                    for (unsigned k = 0; k < p.count; k++)
                        for (unsigned b = 0; b < p.signal[k].width; b++) {
                            assert_true(p.signal[k].bit + b < p.words * 32);
                            assert_false(used[p.signal[k].bit + b]);
                            used[p.signal[k].bit + b] = 1;
                        }
                    free(used);
                    probe_free(&p);
                }
}

/* A switch with every field set to a value of its own, read back by name. */
static void fields_have_their_names(void **state)
{
    static const unsigned widths[] = {16, 30, 31, 40, 62, 63, 64};
    (void)state;
    for (unsigned n = 0; n < sizeof widths / sizeof *widths; n++) {
        unsigned w = widths[n];
        uint64_t mask = w < 64 ? (UINT64_C(1) << w) - 1 : ~UINT64_C(0);
        struct dut_shape s = shape_of(2, 3, w, SCAN_FCFS);
        struct flit mem[SWITCH_PORTS * 2 * 2] = {{0}};
        struct fat_switch sw;
        struct link in[SWITCH_PORTS] = {0};
        struct switch_wires wires = {.fresh = 0};
        struct probe p;

        assert_int_equal(probe_init(&p, &s), 0);
        switch_init(&sw, &s.params, mem);
        switch_reset(&sw, 0xdeadbeef);
        sw.busy_q[3] = 2;
        sw.scan.start_q = 5;
        sw.scan.rot_q[4] = 3;
        sw.scan.older_q[2] = UINT32_C(1) << 7; /* channel 2 before channel 7 */
        for (unsigned i = 0; i < SWITCH_PORTS; i++)
            wires.channel[i] = -1;
        wires.channel[5] = 1;
        wires.gnt[5] = 4;
        in[5].valid = 2;
        in[5].flit = (struct flit){.payload = UINT64_C(0x123456789abcdef5) & mask, .kind = FLIT_TAIL};
        struct port *t = &sw.port[5];
        t->next_q = 1;
        t->hold_q[1] = 0x20;
        t->chan_q[1] = 2;
        t->height_q[1] = 1;
        t->fifo[1].count_q = 2;
        t->fifo[1].rd_q = 1;
        t->fifo[1].wr_q = 0;
        t->fifo[1].fresh_q = 1;
        t->fifo[1].front_q = (struct flit){.payload = UINT64_C(0xfedcba9876543210) & mask, .kind = FLIT_TAIL};
        t->fifo[1].mem_q[1] = (struct flit){.payload = UINT64_C(0x8f0f0f0f0f0f0f0f) & mask, .kind = FLIT_HEAD};

        uint32_t *words = malloc(p.words * sizeof *words);
        assert_non_null(words);
        switch_probe(&sw, in, &wires, words);
        enum { P = PROBE_NO_PORT, V = PROBE_NO_VC };
        assert_true(value(&p, words, "lfsr_q", P, V) == 0xdeadbeef);
        assert_int_equal(value(&p, words, "busy_q", 3, V), 2);
        assert_int_equal(value(&p, words, "busy_q", 2, V), 0);
        assert_int_equal(value(&p, words, "start_q", P, V), 5);
        assert_int_equal(value(&p, words, "rot_q", 4, V), 3);
        /* rows 0 and 1 have 11 and 10 bits, row 2 starts with channel 3 */
        assert_true(value(&p, words, "older_q[0]", P, V) == UINT32_C(1) << (11 + 10 + 7 - 3));
        assert_int_equal(value(&p, words, "older_q[2]", P, V), 0);
        assert_int_equal(value(&p, words, "link_valid", 5, V), 2);
        assert_int_equal(value(&p, words, "room", 5, V), 3);
        assert_int_equal(value(&p, words, "gnt", 5, V), 4);
        assert_int_equal(value(&p, words, "offer", 5, V), 2);
        assert_int_equal(value(&p, words, "next_q", 5, V), 1);
        assert_int_equal(value(&p, words, "link_kind", 5, V), FLIT_TAIL);
        assert_true(value(&p, words, "link_payload", 5, V) == in[5].flit.payload);
        assert_int_equal(value(&p, words, "count_q", 5, 1), 2);
        assert_int_equal(value(&p, words, "rd_q", 5, 1), 1);
        assert_int_equal(value(&p, words, "wr_q", 5, 1), 0);
        assert_int_equal(value(&p, words, "fresh_q", 5, 1), 1);
        assert_int_equal(value(&p, words, "hold_q", 5, 1), 0x20);
        assert_int_equal(value(&p, words, "chan_q", 5, 1), 2);
        assert_int_equal(value(&p, words, "height_q", 5, 1), 1);
        assert_int_equal(value(&p, words, "front_q.kind", 5, 1), FLIT_TAIL);
        assert_true(value(&p, words, "front_q.payload", 5, 1) == t->fifo[1].front_q.payload);
        assert_int_equal(value(&p, words, "mem_q[1].kind", 5, 1), FLIT_HEAD);
        assert_true(value(&p, words, "mem_q[1].payload", 5, 1) == t->fifo[1].mem_q[1].payload);
        assert_null(probe_find(&p, "mem_q[2].kind", 5, 1));
        assert_null(probe_find(&p, "count_q", 5, 2));
        free(words);
        probe_free(&p);
    }
}

/* -- every field of every shape ------------------------------------------------------------------ */

/* A switch and the wires around it, all with values that can be. */
struct shown {
    struct probe p;
    struct fat_switch sw;
    struct switch_wires wires;
    struct link in[SWITCH_PORTS];
    struct flit mem[SWITCH_PORTS * MAX_VCS * (MAX_DEPTH - 1)];
};

static void fill_channel(const struct switch_params *s, struct port *t, unsigned v)
{
    struct fifo *f = &t->fifo[v];

    t->hold_q[v] = (uint8_t)some_one(SWITCH_PORTS);
    t->chan_q[v] = (uint8_t)(s->vcs > 1 ? some_one(s->vcs) : 0);
    t->height_q[v] = (uint8_t)some(s->levels);
    t->drawn_q[v] = s->path == PATH_RW && some(1);
    f->count_q = (uint8_t)some(s->depth);
    f->rd_q = (uint8_t)(s->depth > 1 ? some(s->depth - 2) : 0);
    f->wr_q = (uint8_t)(s->depth > 1 ? some(s->depth - 2) : 0);
    f->fresh_q = (uint8_t)some(1);
    f->front_q = some_flit(s->flit_w);
    for (unsigned k = 0; k + 1 < s->depth; k++)
        f->mem_q[k] = some_flit(s->flit_w);
}

static void fill(struct shown *x)
{
    const struct switch_params *s = &x->p.shape.params;
    unsigned channels = SWITCH_PORTS * s->vcs;

    switch_init(&x->sw, s, x->mem);
    switch_reset(&x->sw, 1);
    memset(&x->wires, 0, sizeof x->wires);
    memset(x->in, 0, sizeof x->in);
    x->sw.lfsr.lfsr_q = (uint32_t)some_bits(32);
    x->sw.scan.start_q = (uint8_t)some(5);
    for (unsigned a = 0; a < channels; a++)
        x->sw.scan.older_q[a] = (uint32_t)some_bits(channels) >> (a + 1) << (a + 1);
    for (unsigned i = 0; i < SWITCH_PORTS; i++) {
        x->sw.busy_q[i] = (uint8_t)some_bits(s->vcs);
        x->sw.scan.rot_q[i] = (uint8_t)some(5);
        x->wires.channel[i] = (int8_t)((int)some(s->vcs) - 1);
        x->wires.gnt[i] = (uint8_t)some_one(SWITCH_PORTS);
        x->in[i] = (struct link){.flit = some_flit(s->flit_w), .valid = some_one(s->vcs)};
        x->sw.port[i].next_q = (uint8_t)some(s->vcs - 1);
        for (unsigned v = 0; v < s->vcs; v++)
            fill_channel(s, &x->sw.port[i], v);
    }
}

/* Of 32 pairs of channels from this one on: the first has waited longer. */
static uint64_t older_pairs(const struct shown *x, const char *name)
{
    unsigned channels = SWITCH_PORTS * x->p.shape.params.vcs, piece = 0, pair = 0;
    uint64_t bits = 0;

    assert_int_equal(sscanf(name, "older_q[%u]", &piece), 1);
    for (unsigned a = 0; a < channels; a++)
        for (unsigned b = a + 1; b < channels; b++, pair++)
            if (pair / 32 == piece)
                bits |= (uint64_t)(x->sw.scan.older_q[a] >> b & 1) << pair % 32;
    return bits;
}

static uint64_t of_switch(const struct shown *x, const struct probe_signal *g)
{
    if (!strncmp(g->name, "older_q", 7))
        return older_pairs(x, g->name);
    const struct field field[] = {{"lfsr_q", x->sw.lfsr.lfsr_q}, {"start_q", x->sw.scan.start_q}};
    return field_of(field, ROWS(field), g->name);
}

static uint64_t of_port(const struct shown *x, const struct probe_signal *g)
{
    unsigned vcs = x->p.shape.params.vcs, room = 0, i = g->port;
    const struct field output[] = {{"busy_q", x->sw.busy_q[i]}, {"rot_q", x->sw.scan.rot_q[i]}};

    if (i >= x->sw.ports && strcmp(g->name, "busy_q") != 0 && strcmp(g->name, "rot_q") != 0)
        return 0; /* a parent of the root */
    for (unsigned v = 0; v < vcs; v++)
        room |= (unsigned)(x->sw.port[i].fifo[v].count_q < x->p.shape.params.depth) << v;
    const struct field field[] = {
        output[0], output[1], {"room", room}, {"next_q", x->sw.port[i].next_q}, {"gnt", x->wires.gnt[i]},
        {"offer", x->wires.channel[i] < 0 ? vcs == 1 : 1u << x->wires.channel[i]}, {"link_valid", x->in[i].valid},
        {"link_kind", x->in[i].flit.kind}, {"link_payload", x->in[i].flit.payload}};
    return field_of(field, ROWS(field), g->name);
}

static uint64_t of_channel(const struct shown *x, const struct probe_signal *g)
{
    static const struct flit none;
    const struct port *t = &x->sw.port[g->port];
    const struct fifo *f = &t->fifo[g->vc];
    bool two = x->p.shape.params.depth == 2; /* what is not in such a queue is not shown */
    const struct flit *front = two && f->count_q == 0 ? &none : &f->front_q;
    unsigned k = 0;

    if (g->port >= x->sw.ports)
        return 0;
    if (sscanf(g->name, "mem_q[%u]", &k) == 1) {
        const struct flit *m = two && f->count_q < 2 ? &none : &f->mem_q[k];
        return strstr(g->name, "].kind") ? m->kind : m->payload;
    }
    const struct field field[] = {
        {"count_q", f->count_q}, {"rd_q", f->rd_q}, {"wr_q", f->wr_q}, {"fresh_q", f->fresh_q},
        {"hold_q", t->hold_q[g->vc]}, {"chan_q", t->chan_q[g->vc]}, {"height_q", t->height_q[g->vc]},
        {"drawn_q", t->drawn_q[g->vc]}, {"front_q.kind", front->kind}, {"front_q.payload", front->payload}};
    return field_of(field, ROWS(field), g->name);
}

static void shows_all(struct shown *x, const struct dut_shape *shape)
{
    assert_int_equal(probe_init(&x->p, shape), 0);
    uint32_t *words = malloc(x->p.words * sizeof *words);

    assert_non_null(words);
    fill(x);
    switch_probe(&x->sw, x->in, &x->wires, words);
    for (unsigned k = 0; k < x->p.count; k++) {
        const struct probe_signal *g = &x->p.signal[k];
        uint64_t want = g->vc != PROBE_NO_VC ? of_channel(x, g) : g->port != PROBE_NO_PORT ? of_port(x, g) : of_switch(x, g);
        uint64_t got = probe_get(&x->p, words, 0, g);
        if (got != want)
            print_error("port %u, channel %u, %s of %u levels\n", g->port, g->vc, g->name, shape->params.levels);
        CHECK_AT(k, got, want);
    }
    free(words);
    probe_free(&x->p);
}

/* Every signal of a shape is what was put in the field of its name: with the greatest values, heights of up to 10 too, and drawn ones. */
static void every_field_is_shown(void **state)
{
    static const unsigned depths[] = {1, 2, 3, 16}, levels[][2] = {{1, 1}, {1, 2}, {4, 8}, {9, 10}, {10, 10}};
    static struct shown x;
    (void)state;
    for (unsigned vcs = 1; vcs <= 4; vcs *= 2)
        for (unsigned n = 0; n < ROWS(depths) * ROWS(levels); n++)
            for (unsigned scan = 0; scan < SCAN_COUNT; scan++)
                for (unsigned k = 0; k < 6; k++) {
                    unsigned width = 64 - k / 2 * (n % 3 + 7); /* what heads of ten levels need, too */
                    struct dut_shape s = shape_of(vcs, depths[n % ROWS(depths)], width, (enum scan_order)scan);
                    s.params.path = k % 2 ? PATH_RW : PATH_RP;
                    s.params.level = levels[n / ROWS(depths)][0];
                    s.params.levels = levels[n / ROWS(depths)][1];
                    greatest = k < 2;
                    shows_all(&x, &s);
                }
}

/* -- names ----------------------------------------------------------------------------------------- */

static void switches_have_their_places(void **state)
{
    static const unsigned place[][3] = {{0, 1, 0}, {3, 1, 3}, {4, 2, 0}, {5, 2, 1}};
    struct dut_shape s = shape_of(1, 2, 32, SCAN_RR);
    struct probe p;
    unsigned level, address;
    (void)state;

    s.network = true; /* N = 16: four leaves, two roots */
    assert_int_equal(probe_init(&p, &s), 0);
    assert_int_equal(p.switches, 6);
    for (unsigned k = 0; k < sizeof place / sizeof *place; k++) {
        probe_switch_place(&p, place[k][0], &level, &address);
        assert_int_equal(level, place[k][1]);
        assert_int_equal(address, place[k][2]);
    }
    probe_free(&p);
    s.network = false;
    s.params.level = 2;
    assert_int_equal(probe_init(&p, &s), 0);
    probe_switch_place(&p, 0, &level, &address);
    assert_int_equal(level, 2);
    assert_int_equal(address, 0);
    probe_free(&p);
}

/* One switch or router alone: its name, and those of its ports, where links enter it and leave it. */
static void named(const char *shape, const char *name, const char *const port[])
{
    struct dut_shape s;
    struct probe p;
    char why[200] = "", text[40], want[40];

    if (dut_shape_parse(shape, &s, why, sizeof why))
        fail_msg("%s: %s", shape, why);
    assert_int_equal(probe_init(&p, &s), 0);
    probe_switch_name(&p, 0, text, sizeof text);
    assert_string_equal(text, name);
    for (unsigned k = 0; k < dut_endpoints(&s); k++) {
        snprintf(want, sizeof want, "%s %s", name, port[k]);
        follow_place(&p, k, text, sizeof text);
        assert_string_equal(text, want);
        follow_leaves(&p, k, false, text, sizeof text);
        assert_string_equal(text, want);
        snprintf(want, sizeof want, "exit %u", k);
        follow_place(&p, SWITCH_PORTS + k, text, sizeof text);
        assert_string_equal(text, want);
        snprintf(want, sizeof want, "entry %u", k);
        follow_leaves(&p, k, true, text, sizeof text);
        assert_string_equal(text, want);
    }
    probe_free(&p);
}

/* A router is called by its column and row, a switch by its level. */
static void single_ones_have_their_names(void **state)
{
    static const char *const of_router[] = {"x + 1", "x - 1", "y + 1", "y - 1", "processor"};
    static const char *const of_fat_tree[] = {"child 0", "child 1", "child 2", "child 3", "parent 0", "parent 1"};
    char shape[64], name[32];
    (void)state;
    for (unsigned k = 2; k <= 16; k++)
        for (unsigned node = 0; node < k * k; node++) {
            snprintf(name, sizeof name, "R(%u,%u)", node % k, node / k);
            snprintf(shape, sizeof shape, "torus%un%u-v2-q1-w32-ecube-rot", k, node);
            named(shape, name, of_router);
            snprintf(shape, sizeof shape, "mesh%un%u-v1-q2-w16-ecube-fo", k, node);
            named(shape, name, of_router);
        }
    for (unsigned levels = 1; levels <= MAX_LEVELS; levels++)
        for (unsigned level = 1; level <= levels; level++) {
            snprintf(name, sizeof name, "S(%u,0)", level);
            snprintf(shape, sizeof shape, "s%uof%u-v1-q2-w64-rp-rr", level, levels);
            named(shape, name, of_fat_tree);
        }
}

/* Those of networks, with the links out of them. */
static void networks_have_their_names(void **state)
{
    struct dut_shape s;
    struct probe p;
    char why[200], text[40], want[40];
    (void)state;
    assert_null(dut_shape_parse("mesh5-v1-q2-w32-ecube-rot", &s, why, sizeof why));
    assert_int_equal(probe_init(&p, &s), 0);
    for (unsigned node = 0; node < 25; node++) {
        snprintf(want, sizeof want, "R(%u,%u) y - 1", node % 5, node / 5);
        follow_place(&p, SWITCH_PORTS * node + 3, text, sizeof text);
        assert_string_equal(text, want);
    }
    follow_place(&p, SWITCH_PORTS * 25 + 17, text, sizeof text);
    assert_string_equal(text, "processor 17");
    probe_free(&p);
    assert_null(dut_shape_parse("n64-v1-q2-w32-rp-rr", &s, why, sizeof why));
    assert_int_equal(probe_init(&p, &s), 0);
    follow_place(&p, SWITCH_PORTS * (16 + 5) + 4, text, sizeof text); /* 16 leaves, 8 in the middle, 4 roots */
    assert_string_equal(text, "S(2,5) parent 0");
    follow_leaves(&p, SWITCH_PORTS * (16 + 8 + 3) + 1, false, text, sizeof text);
    assert_string_equal(text, "S(3,3) child 1");
    follow_leaves(&p, 63, true, text, sizeof text);
    assert_string_equal(text, "processor 63");
    probe_free(&p);
}

int main(int argc, char **argv)
{
    unit_args(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_covers_words),
        cmocka_unit_test(fields_have_their_names),
        cmocka_unit_test(every_field_is_shown),
        cmocka_unit_test(switches_have_their_places),
        cmocka_unit_test(single_ones_have_their_names),
        cmocka_unit_test(networks_have_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
