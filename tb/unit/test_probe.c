/* SPDX-License-Identifier: Apache-2.0
 * test_probe.c - the probe table against what switch_probe() writes.
 */
#include "probe.h"
#include "switch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_covers_words),
        cmocka_unit_test(fields_have_their_names),
        cmocka_unit_test(switches_have_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
