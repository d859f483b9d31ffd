/* SPDX-License-Identifier: Apache-2.0
 * test_scan.c - the five orders in which a switch looks at its inputs.
 */
#include "unit.h"

#include "scan.h"

#include <string.h>

static struct switch_params params(enum scan_order scan, unsigned vcs)
{
    return (struct switch_params){.vcs = vcs, .depth = 2, .flit_w = 32, .path = PATH_RP,
                                  .scan = scan, .level = 1, .levels = 3};
}

/* Output o looks at the asking ports in this order, as "345012"; others may be anywhere. */
static void check_order(unsigned at, const uint8_t ahead[6], unsigned asks, const char *want)
{
    for (unsigned k = 0, seen = 0; want[k]; k++) {
        unsigned i = (unsigned)(want[k] - '0');
        CHECK_AT(at, ahead[i] & asks & ~(1u << i), seen & asks);
        CHECK_AT(at, ahead[i] >> i & 1, 0);
        seen |= 1u << i;
    }
}

static void check_all(unsigned at, const struct scan *s, const struct switch_params *p,
                      const struct scan_in *in, const char *want)
{
    arbiter_order order;
    uint8_t room[SWITCH_PORTS];
    scan_eval(s, p, in, order, room);
    for (unsigned o = 0; o < 6; o++)
        check_order(at, order[o], in->asks, want);
}

static const uint8_t nobody[SWITCH_PORTS] = {0};
static const char *const wraps[6] = {"012345", "123450", "234501", "345012", "450123", "501234"};

static void rr_from_each_start(void **state)
{
    struct switch_params p = params(SCAN_RR, 1);
    struct scan_in in = {.asks = 0x3f};
    (void)state;
    for (unsigned start = 0; start < 6; start++) {
        struct scan s;
        scan_reset(&s);
        CHECK_EQ(s.start_q, 0);
        s.start_q = (uint8_t)start;
        check_all(start, &s, &p, &in, wraps[start]);
    }
}

/* The start port of the next cycle is floor(6 * byte / 256): each port for 42 or 43 of 256. */
static void the_start_is_drawn_evenly(void **state)
{
    static const enum scan_order order[] = {SCAN_RR, SCAN_FF};
    static const unsigned count[6] = {43, 43, 42, 43, 43, 42};
    (void)state;
    for (size_t k = 0; k < ROWS(order); k++) {
        struct switch_params p = params(order[k], 1);
        unsigned seen[6] = {0};
        for (unsigned byte = 0; byte < 256; byte++) {
            struct scan s;
            scan_reset(&s);
            scan_tick(&s, &p, byte, nobody, 0);
            CHECK_AT(byte, s.start_q, byte * 6 / 256);
            seen[s.start_q]++;
        }
        for (unsigned i = 0; i < 6; i++)
            CHECK_AT(i, seen[i], count[i]);
    }
}

/* The root has four ports to start from, each for 64 bytes of 256. */
static void the_root_starts_at_a_child(void **state)
{
    struct switch_params p = params(SCAN_RR, 1);
    (void)state;
    p.level = p.levels;
    for (unsigned byte = 0; byte < 256; byte++) {
        struct scan s;
        scan_reset(&s);
        scan_tick(&s, &p, byte, nobody, 0);
        CHECK_AT(byte, s.start_q, byte / 64);
    }
}

static void fo_never_moves(void **state)
{
    struct switch_params p = params(SCAN_FO, 1);
    struct scan_in in = {.asks = 0x3f};
    struct scan s;
    (void)state;
    scan_reset(&s);
    for (unsigned t = 0; t < 256; t++) {
        uint8_t gnt[6] = {0};
        gnt[t % 4] = (uint8_t)(1u << (t + 1) % 4);
        check_all(t, &s, &p, &in, wraps[0]);
        scan_tick(&s, &p, t, gnt, 0);
        CHECK_AT(t, s.start_q, 0);
    }
}

/* After input i crosses to output o, o alone starts from i + 1. */
static void rot_after_each_grant(void **state)
{
    struct switch_params p = params(SCAN_ROT, 1);
    struct scan_in in = {.asks = 0x3f};
    (void)state;
    for (unsigned i = 0; i < 6; i++)
        for (unsigned o = 0; o < 6; o++) {
            uint8_t gnt[6] = {0}, room[SWITCH_PORTS];
            arbiter_order order;
            struct scan s;
            scan_reset(&s);
            gnt[i] = (uint8_t)(1u << o);
            scan_tick(&s, &p, 0xff, gnt, 0);
            scan_eval(&s, &p, &in, order, room);
            for (unsigned x = 0; x < 6; x++) {
                CHECK_AT(10 * i + o, s.rot_q[x], x == o ? (i + 1) % 6 : 0);
                check_order(10 * i + o, order[x], 0x3f, wraps[x == o ? (i + 1) % 6 : 0]);
            }
        }
}

static void rot_cycle_by_cycle(void **state)
{
    static const struct { uint8_t gnt[6], rot[6]; } cycle[] = {
        /* the registers before the edge */
        {{0x04, 0x01, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}},
        {{0, 0, 0, 0, 0, 0}, {2, 0, 1, 0, 0, 0}},          /* nobody crosses: they stay */
        {{0x10, 0, 0, 0, 0x01, 0x04}, {2, 0, 1, 0, 0, 0}},
        {{0, 0, 0x20, 0x10, 0, 0x02}, {5, 0, 0, 0, 1, 0}}, /* after port 5 comes port 0 */
        {{0, 0, 0, 0, 0, 0}, {5, 0, 0, 0, 4, 3}},
    };
    struct switch_params p = params(SCAN_ROT, 1);
    struct scan s;
    (void)state;
    scan_reset(&s);
    for (size_t t = 0; t < ROWS(cycle); t++) {
        for (unsigned o = 0; o < 6; o++)
            CHECK_AT(10 * t + o, s.rot_q[o], cycle[t].rot[o]);
        scan_tick(&s, &p, 0x55, cycle[t].gnt, 0);
    }
}

static void ff_height_then_start(void **state)
{
    static const struct {
        uint8_t start, height[6], asks;
        const char *want;
    } row[] = {
        {0, {1, 1, 1, 1, 1, 1}, 0x3f, "012345"}, {4, {1, 1, 1, 1, 1, 1}, 0x3f, "450123"},
        {0, {1, 2, 3, 1, 2, 3}, 0x3f, "251403"}, {3, {1, 2, 3, 1, 2, 3}, 0x3f, "524130"},
        {5, {3, 2, 1, 1, 2, 3}, 0x3f, "501423"}, {2, {1, 0, 3, 2, 1, 2}, 0x2d, "2350"},
        {1, {3, 0, 0, 0, 0, 3}, 0x21, "50"},
    };
    struct switch_params p = params(SCAN_FF, 1);
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        struct scan_in in = {.asks = row[k].asks};
        struct scan s;
        scan_reset(&s);
        s.start_q = row[k].start;
        memcpy(in.height, row[k].height, sizeof in.height);
        check_all((unsigned)k, &s, &p, &in, row[k].want);
    }
}

/* Heights 0..3 of all six ports and all starts: sorted by height, then by distance from start. */
static void ff_all_heights(void **state)
{
    struct switch_params p = params(SCAN_FF, 1);
    (void)state;
    for (unsigned start = 0; start < 6; start++)
        for (unsigned c = 0; c < 4096; c++) {
            struct scan_in in = {.asks = 0x3f};
            struct scan s;
            char want[7] = "";
            unsigned n = 0;
            scan_reset(&s);
            s.start_q = (uint8_t)start;
            for (unsigned i = 0; i < 6; i++)
                in.height[i] = c >> 2 * i & 3;
            for (unsigned h = 4; h-- > 0;)
                for (unsigned k = 0; k < 6; k++)
                    if (in.height[(start + k) % 6] == h)
                        want[n++] = (char)('0' + (start + k) % 6);
            check_all(c, &s, &p, &in, want);
        }
}

/* V = 1.  A head that comes in a cycle is ordered in that cycle already, behind all that wait; of
 * several at once the lowest port is first. */
static void fcfs_cycle_by_cycle(void **state)
{
    static const struct { uint8_t fresh, asks; const char *want; } cycle[] = {
        {0x08, 0x08, "3"},
        {0x12, 0x1a, "314"},    /* ports 1 and 4 come together */
        {0x00, 0x1a, "314"},    /* nobody new: the order stays */
        {0x05, 0x1f, "31402"},
        {0x00, 0x17, "1402"},   /* 3 has left ... */
        {0x08, 0x1f, "14023"},  /* ... and its next head is the youngest */
        {0x22, 0x3f, "402315"}, /* likewise 1, which is before 5 that came with it */
        {0x00, 0x3a, "4315"},   /* 0 and 2 are blocked for a cycle: */
        {0x00, 0x3f, "402315"}, /* they do not lose their place */
        {0x3f, 0x3f, "012345"},
    };
    struct switch_params p = params(SCAN_FCFS, 1);
    struct scan s;
    (void)state;
    scan_reset(&s);
    for (size_t t = 0; t < ROWS(cycle); t++) {
        struct scan_in in = {.asks = cycle[t].asks, .fresh = cycle[t].fresh};
        check_all((unsigned)t, &s, &p, &in, cycle[t].want);
        scan_tick(&s, &p, 0, nobody, cycle[t].fresh);
    }
}

/* All V: channels with random arrivals against a list of arrival times. */
static void fcfs_by_arrival(void **state)
{
    (void)state;
    for (unsigned vcs = 1; vcs <= 4; vcs *= 2) {
        struct switch_params p = params(SCAN_FCFS, vcs);
        unsigned came[MAX_CHANNELS] = {0};
        struct scan s;
        scan_reset(&s);
        for (unsigned t = 1; t < 4000; t++) {
            struct scan_in in = {.asks = (uint8_t)draw(64)};
            unsigned key[6], sorted[6] = {0, 1, 2, 3, 4, 5};
            char want[7] = "";
            /* At first all come, so that each has a time. */
            in.fresh = t == 1 ? (1u << 6 * vcs) - 1
                              : draw(1u << 6 * vcs) & draw(1u << 6 * vcs) & draw(1u << 6 * vcs);
            for (unsigned a = 0; a < 6 * vcs; a++)
                if (in.fresh >> a & 1)
                    came[a] = t;
            for (unsigned i = 0; i < 6; i++) {
                in.channel[i] = (uint8_t)draw(vcs);
                key[i] = came[vcs * i + in.channel[i]] * MAX_CHANNELS + vcs * i + in.channel[i];
            }
            for (unsigned i = 1; i < 6; i++)
                for (unsigned k = i; k > 0 && key[sorted[k]] < key[sorted[k - 1]]; k--) {
                    unsigned held = sorted[k];
                    sorted[k] = sorted[k - 1];
                    sorted[k - 1] = held;
                }
            for (unsigned k = 0, n = 0; k < 6; k++)
                if (in.asks >> sorted[k] & 1)
                    want[n++] = (char)('0' + sorted[k]);
            check_all(t, &s, &p, &in, want);
            scan_tick(&s, &p, 0, nobody, in.fresh);
        }
    }
}

/* A register that the order does not use stays zero, whatever happens. */
static void only_its_own_registers(void **state)
{
    (void)state;
    for (enum scan_order scan = SCAN_RR; scan < SCAN_COUNT; scan++) {
        struct switch_params p = params(scan, 1);
        unsigned start = 0, rot = 0, older = 0;
        struct scan s;
        scan_reset(&s);
        for (unsigned t = 0; t < 100; t++) {
            uint8_t gnt[6] = {0};
            gnt[t % 4] = (uint8_t)(1u << (t + 1) % 4);
            scan_tick(&s, &p, draw(256), gnt, draw(64));
            start |= s.start_q;
            for (unsigned o = 0; o < 6; o++) {
                rot |= s.rot_q[o];
                older |= s.older_q[o] != 0;
            }
        }
        CHECK_AT(scan, start != 0, scan == SCAN_RR || scan == SCAN_FF);
        CHECK_AT(scan, rot != 0, scan == SCAN_ROT);
        CHECK_AT(scan, older != 0, scan == SCAN_FCFS);
        scan_reset(&s);
        CHECK_AT(scan, s.start_q | s.rot_q[0] | s.rot_q[3] | s.older_q[0] | s.older_q[3], 0);
    }
}

/* The probe packs the age matrix row by row without gaps. */
static void probe(void **state)
{
    struct switch_params p = params(SCAN_FCFS, 1);
    uint32_t words[1 + 9] = {0};
    struct scan s;
    (void)state;
    scan_reset(&s);
    s.older_q[0] = 0x02; /* pair (0, 1): bit 0 */
    s.older_q[1] = 0x24; /* (1, 2): bit 5; (1, 5): bit 8 */
    s.older_q[4] = 0x20; /* (4, 5): bit 14 */
    CHECK_EQ(scan_probe_words(&p), 2);
    scan_probe(&s, &p, words);
    CHECK_EQ(words[0], 0);
    CHECK_EQ(words[1], 0x4121);

    p.vcs = 4; /* 276 pairs */
    CHECK_EQ(scan_probe_words(&p), 10);
    scan_reset(&s);
    s.older_q[22] = UINT32_C(1) << 23; /* the last pair: bit 275 */
    scan_probe(&s, &p, words);
    CHECK_EQ(words[9], UINT32_C(1) << 19);
    for (unsigned k = 0; k < 9; k++)
        CHECK_AT(k, words[k], 0);

    p = params(SCAN_ROT, 1);
    scan_reset(&s);
    s.rot_q[0] = 1;
    s.rot_q[5] = 5;
    CHECK_EQ(scan_probe_words(&p), 1);
    scan_probe(&s, &p, words);
    CHECK_EQ(words[0], 5u << 18 | 1u << 3);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rr_from_each_start),
        cmocka_unit_test(the_start_is_drawn_evenly),
        cmocka_unit_test(the_root_starts_at_a_child),
        cmocka_unit_test(fo_never_moves),
        cmocka_unit_test(rot_after_each_grant),
        cmocka_unit_test(rot_cycle_by_cycle),
        cmocka_unit_test(ff_height_then_start),
        cmocka_unit_test(ff_all_heights),
        cmocka_unit_test(fcfs_cycle_by_cycle),
        cmocka_unit_test(fcfs_by_arrival),
        cmocka_unit_test(only_its_own_registers),
        cmocka_unit_test(probe),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
