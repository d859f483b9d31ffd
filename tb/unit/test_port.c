/* SPDX-License-Identifier: Apache-2.0
 * test_port.c - one input port: what it offers, what its worms hold, whose turn it is.
 *
 * The port is child 0 (or a parent) of S(1, 0) in a network of 16 processors; outputs 1..3 are
 * processors 1..3 and outputs 4, 5 the parents.
 */
#include "unit.h"

#include "port.h"

#include <string.h>

struct bench {
    struct switch_params p;
    struct port t;
    struct flit mem[MAX_VCS * (MAX_DEPTH - 1)];
};

static void bench_init(struct bench *b, unsigned vcs, unsigned depth, enum path_select path,
                       enum scan_order scan)
{
    b->p = (struct switch_params){.vcs = vcs, .depth = depth, .flit_w = 32, .path = path,
                                  .scan = scan, .level = 1, .levels = 2};
    memset(b->mem, 0xa5, sizeof b->mem); /* queue memory has no reset */
    port_init(&b->t, &b->p, b->mem);
    port_reset(&b->t, &b->p);
}

/* room[c], free[c]: outputs whose channel c has room, and is free, too. */
static struct port_view view_of(const uint8_t room[MAX_VCS], const uint8_t free[MAX_VCS])
{
    struct port_view view = {.room_any = 0};
    for (unsigned c = 0; c < MAX_VCS; c++)
        for (unsigned o = 0; o < SWITCH_PORTS; o++) {
            unsigned has = room[c] >> o & 1, may = has & free[c] >> o;
            view.room[o] = (uint8_t)(view.room[o] | has << c);
            view.free[o] = (uint8_t)(view.free[o] | may << c);
            view.room_any = (uint8_t)(view.room_any | has << o);
            view.free_any = (uint8_t)(view.free_any | may << o);
        }
    return view;
}

/* A head from processor 0. */
static struct flit head_to(unsigned dst, unsigned kind)
{
    return (struct flit){.payload = head_pack(2, dst, 0, worm_height(0, dst), 0),
                         .kind = (uint8_t)kind};
}

struct cycle {
    uint8_t in;   /* kind of the flit that enters, or NONE */
    uint8_t dst;  /* ... of a head */
    uint8_t room; /* outputs with room */
    uint8_t free; /* outputs that no worm holds */
    uint8_t req;  /* what the port asks for */
    uint8_t gnt;  /* what it is granted */
    uint8_t hold; /* hold_q before the edge */
};
enum { NONE = 9, ALL = 0x3f };

static void play(struct bench *b, bool parent, unsigned rand, const struct cycle *cycle,
                 size_t cycles)
{
    for (size_t t = 0; t < cycles; t++) {
        struct link in = {.valid = cycle[t].in != NONE};
        struct port_view view = view_of((const uint8_t[MAX_VCS]){cycle[t].room},
                                        (const uint8_t[MAX_VCS]){cycle[t].free});
        int channel;
        if (in.valid)
            in.flit = cycle[t].in & FLIT_HEAD ? head_to(cycle[t].dst, cycle[t].in)
                                              : (struct flit){.payload = t, .kind = cycle[t].in};
        CHECK_AT(t, port_eval(&b->t, &b->p, parent, rand, &view, &channel), cycle[t].req);
        CHECK_AT(t, channel, 0); /* with one channel it is always that one */
        CHECK_AT(t, b->t.hold_q[0], cycle[t].hold);
        port_tick(&b->t, &b->p, &in, cycle[t].gnt, 0, 1);
    }
}

/* The head gets output 2; body and tail ask for nothing else until the tail has crossed. */
static void a_worm_keeps_its_output(void **state)
{
    static const struct cycle table[] = {
        {FLIT_HEAD, 2, ALL, ALL, 0x00, 0x00, 0x00},
        {FLIT_BODY, 0, ALL, ALL, 0x04, 0x04, 0x00},  /* the head crosses */
        {FLIT_TAIL, 0, ALL, 0x3b, 0x04, 0x04, 0x04}, /* 2 is not free: this worm holds it */
        {FLIT_HEAD, 1, 0x3b, 0x3b, 0x00, 0x00, 0x04}, /* no room at the far end: the tail waits */
        {NONE, 0, ALL, 0x3b, 0x04, 0x00, 0x04},
        {NONE, 0, ALL, 0x3b, 0x04, 0x04, 0x04},      /* the tail crosses: the hold ends */
        {NONE, 0, ALL, 0x3d, 0x00, 0x00, 0x00},      /* another worm holds 1 */
        {NONE, 0, 0x3d, ALL, 0x00, 0x00, 0x00},      /* 1 is free, without room */
        {FLIT_TAIL, 0, ALL, ALL, 0x02, 0x02, 0x00},
        {NONE, 0, ALL, 0x3d, 0x02, 0x02, 0x02},
        {NONE, 0, ALL, ALL, 0x00, 0x00, 0x00},
    };
    struct bench b;
    (void)state;
    bench_init(&b, 1, 2, PATH_RP, SCAN_RR);
    play(&b, false, 0, table, ROWS(table));
}

/* A worm of one flit holds nothing after it crossed, and the next one may want another output. */
static void single_flits(void **state)
{
    static const struct cycle table[] = {
        {FLIT_SINGLE, 1, ALL, ALL, 0x00, 0x00, 0x00}, {FLIT_SINGLE, 2, ALL, ALL, 0x02, 0x02, 0x00},
        {FLIT_SINGLE, 3, ALL, ALL, 0x04, 0x04, 0x00}, {FLIT_SINGLE, 9, ALL, ALL, 0x08, 0x08, 0x00},
        {NONE, 0, ALL, ALL, 0x10, 0x10, 0x00},        {NONE, 0, ALL, ALL, 0x00, 0x00, 0x00},
    };
    struct bench b;
    (void)state;
    bench_init(&b, 1, 2, PATH_RP, SCAN_RR);
    play(&b, false, 0, table, ROWS(table));
}

/* GP and RG ask for all parents that could take the head; a held parent counts alone. */
static void two_parents(void **state)
{
    static const struct cycle table[] = {
        {FLIT_HEAD, 15, ALL, ALL, 0x00, 0x00, 0x00},
        {NONE, 0, ALL, ALL, 0x30, 0x00, 0x00},
        {NONE, 0, ALL, 0x2f, 0x20, 0x00, 0x00},  /* parent 0 is held */
        {NONE, 0, 0x1f, ALL, 0x10, 0x00, 0x00},  /* parent 1 has no room */
        {NONE, 0, 0x1f, 0x2f, 0x00, 0x00, 0x00}, /* both */
        {FLIT_TAIL, 0, ALL, ALL, 0x30, 0x20, 0x00},
        {NONE, 0, ALL, 0x1f, 0x20, 0x20, 0x20},  /* the tail follows its head, no other parent */
        {NONE, 0, ALL, ALL, 0x00, 0x00, 0x00},
    };
    (void)state;
    for (enum path_select path = PATH_GP; path <= PATH_RG; path++) {
        struct bench b;
        bench_init(&b, 1, 2, path, SCAN_RR);
        play(&b, false, 1, table, ROWS(table));
    }
}

/* RP: the parent is drawn anew in every cycle (spec, section 4), but not once the worm moves. */
static void a_waiting_head_draws_again(void **state)
{
    static const uint8_t rand[] = {0, 1, 1, 0, 1, 0, 0, 1};
    struct port_view view = view_of((const uint8_t[MAX_VCS]){ALL}, (const uint8_t[MAX_VCS]){ALL});
    struct link in = {.flit = head_to(12, FLIT_HEAD), .valid = 1}, none = {.valid = 0};
    struct link tail = {.flit = {.payload = 1, .kind = FLIT_TAIL}, .valid = 1};
    struct bench b;
    int channel;
    (void)state;
    bench_init(&b, 1, 2, PATH_RP, SCAN_RR);
    port_tick(&b.t, &b.p, &in, 0, 0, 0);
    for (size_t t = 0; t < ROWS(rand); t++) {
        CHECK_AT(t, port_eval(&b.t, &b.p, false, rand[t], &view, &channel), 0x10 << rand[t]);
        port_tick(&b.t, &b.p, &none, 0, 0, 0);
    }
    port_tick(&b.t, &b.p, &tail, 0x20, 0, 1);
    for (size_t t = 0; t < ROWS(rand); t++)
        CHECK_AT(t, port_eval(&b.t, &b.p, false, rand[t], &view, &channel), 0x20);
}

/* RW: in its first cycle at the front either parent will do, after it the one drawn in that cycle alone, and
 * the next worm draws again. */
static void a_waiting_head_keeps_its_draw(void **state)
{
    static const uint8_t rand[] = {0, 1, 1, 0, 1, 0, 0, 1};
    struct port_view view = view_of((const uint8_t[MAX_VCS]){ALL}, (const uint8_t[MAX_VCS]){ALL});
    struct port_view other = view_of((const uint8_t[MAX_VCS]){ALL}, (const uint8_t[MAX_VCS]){0x1f});
    struct link in = {.flit = head_to(12, FLIT_SINGLE), .valid = 1}, none = {.valid = 0};
    struct bench b;
    int channel;
    (void)state;
    bench_init(&b, 1, 2, PATH_RW, SCAN_RR);
    port_tick(&b.t, &b.p, &in, 0, 0, 0);
    for (unsigned drawn = 2; drawn-- > 0;) {
        CHECK_AT(drawn, port_eval(&b.t, &b.p, false, drawn, &view, &channel), 0x30);
        CHECK_AT(drawn, port_eval(&b.t, &b.p, false, drawn, &other, &channel), 0x10);
        port_draw(&b.t, &b.p, drawn);
        port_tick(&b.t, &b.p, &in, 0, 0, 0);
        in.valid = 0;
        for (size_t t = 0; t < ROWS(rand); t++) {
            CHECK_AT(t, port_eval(&b.t, &b.p, false, rand[t], &view, &channel), 0x10 << drawn);
            CHECK_AT(t, port_eval(&b.t, &b.p, false, rand[t], &other, &channel), drawn ? 0 : 0x10);
            port_draw(&b.t, &b.p, rand[t]);
            CHECK_AT(t, b.t.drawn_q[0], drawn);
            port_tick(&b.t, &b.p, &none, 0, 0, 0);
        }
        port_tick(&b.t, &b.p, &none, (uint8_t)(0x10 << drawn), 0, 1);
    }
    CHECK_EQ(b.t.fifo[0].count_q, 0);
    b.t.drawn_q[0] = 1;
    port_reset(&b.t, &b.p);
    CHECK_EQ(b.t.drawn_q[0], 0);
}

static void from_a_parent_only_down(void **state)
{
    static const struct cycle table[] = {
        {FLIT_SINGLE, 2, ALL, ALL, 0x00, 0x00, 0x00}, {FLIT_SINGLE, 0, ALL, ALL, 0x04, 0x04, 0x00},
        {NONE, 0, ALL, ALL, 0x01, 0x01, 0x00},        {NONE, 0, ALL, ALL, 0x00, 0x00, 0x00},
    };
    struct bench b;
    (void)state;
    for (enum path_select path = PATH_FP; path < PATH_COUNT; path++) {
        bench_init(&b, 1, 2, path, SCAN_RR);
        play(&b, true, 1, table, ROWS(table));
    }
}

static void room_counts_to_the_depth(void **state)
{
    (void)state;
    for (unsigned vcs = 1; vcs <= 4; vcs *= 2)
        for (unsigned depth = 1; depth <= 16; depth++) {
            struct bench b;
            bench_init(&b, vcs, depth, PATH_RP, SCAN_RR);
            for (unsigned k = 0; k < depth; k++) {
                struct link in = {.flit = head_to(1, FLIT_SINGLE),
                                  .valid = (uint8_t)(1u << (vcs - 1))};
                CHECK_AT(depth, port_room(&b.t, &b.p), (1u << vcs) - 1);
                port_tick(&b.t, &b.p, &in, 0, 0, 0);
            }
            CHECK_AT(depth, port_room(&b.t, &b.p), (1u << (vcs - 1)) - 1); /* all but the last */
        }
}

/* Channels of V = 2 and 4 by turns.  able: channels whose worm could move (it holds output c + 1,
 * which has room on channel 0); next: next_q before the edge; offer: the channel, -1 for none. */
static void channels_rotate(void **state)
{
    static const struct {
        unsigned vcs;
        uint8_t able;
        uint8_t next;
        int8_t offer;
        bool granted;
    } row[] = {
        {2, 0x3, 0, 0, true},  {2, 0x3, 1, 1, true},   {2, 0x3, 0, 0, false}, {2, 0x3, 0, 0, true},
        {2, 0x1, 1, 0, true},  {2, 0x0, 1, -1, false}, {2, 0x2, 1, 1, true},  {2, 0x2, 0, 1, true},
        {2, 0x3, 0, 0, true},  {4, 0xf, 0, 0, true},   {4, 0xf, 1, 1, true},  {4, 0xf, 2, 2, true},
        {4, 0xf, 3, 3, true},  {4, 0xa, 0, 1, true},   {4, 0xa, 2, 3, false}, {4, 0xb, 2, 3, true},
        {4, 0x8, 0, 3, true},  {4, 0x6, 0, 1, true},   {4, 0x3, 2, 0, true},
        {4, 0x0, 1, -1, false}, {4, 0x1, 1, 0, false}, {4, 0x5, 1, 2, true}, {4, 0xf, 3, 3, true},
    };
    struct bench b;
    (void)state;
    b.p.vcs = 0;
    for (size_t k = 0; k < ROWS(row); k++) {
        if (b.p.vcs != row[k].vcs) {
            /* Each channel c gets a worm without end, to output c + 1 (4 is a parent). */
            bench_init(&b, row[k].vcs, 16, PATH_GP, SCAN_RR);
            for (unsigned c = 0; c < row[k].vcs; c++) {
                struct link in = {.flit = head_to(c == 3 ? 15 : c + 1, FLIT_HEAD),
                                  .valid = (uint8_t)(1u << c)};
                port_tick(&b.t, &b.p, &in, 0, 0, 0);
                in.flit = (struct flit){.payload = c, .kind = FLIT_BODY};
                for (unsigned body = 0; body < 15; body++)
                    port_tick(&b.t, &b.p, &in, 0, 0, 0);
                in.valid = 0;
                port_tick(&b.t, &b.p, &in, (uint8_t)(2u << c), c, 1);
            }
            b.t.next_q = 0;
        }
        struct port_view view = view_of((const uint8_t[MAX_VCS]){(uint8_t)(row[k].able << 1)},
                                        (const uint8_t[MAX_VCS]){0});
        struct link none = {.valid = 0};
        int channel;
        uint8_t req = port_eval(&b.t, &b.p, false, 0, &view, &channel);
        CHECK_AT(k, b.t.next_q, row[k].next);
        CHECK_AT(k, channel, row[k].offer);
        CHECK_AT(k, req, row[k].offer < 0 ? 0 : 2 << row[k].offer);
        port_tick(&b.t, &b.p, &none, row[k].granted ? req : 0,
                  row[k].granted ? (unsigned)channel : 0, 1);
    }
}

/* V = 2: a body asks only for the channel that its head took; room in the other one is no help.
 * A head takes any channel that is free. */
static void a_body_waits_for_its_own_channel(void **state)
{
    static const struct { uint8_t room[2], free[2], req; } head[] = {
        {{4, 4}, {4, 4}, 4}, {{0, 4}, {4, 4}, 4}, {{4, 0}, {4, 4}, 4}, {{0, 0}, {4, 4}, 0},
        {{4, 4}, {0, 4}, 4}, {{4, 4}, {0, 0}, 0}, {{4, 0}, {0, 4}, 0}, {{0, 4}, {0, 4}, 4},
    };
    static const struct { uint8_t room[2], req; } body[] = {
        {{4, 4}, 4}, {{4, 0}, 0}, {{0, 4}, 4}, {{0, 0}, 0},
    };
    struct link in = {.flit = head_to(2, FLIT_HEAD), .valid = 1};
    struct link tail = {.flit = {.payload = 0, .kind = FLIT_TAIL}, .valid = 1};
    struct bench b;
    struct port_view view;
    int channel;
    (void)state;
    bench_init(&b, 2, 2, PATH_RP, SCAN_RR);
    port_tick(&b.t, &b.p, &in, 0, 0, 0);
    for (size_t k = 0; k < ROWS(head); k++) {
        view = view_of((const uint8_t[MAX_VCS]){head[k].room[0], head[k].room[1]},
                       (const uint8_t[MAX_VCS]){head[k].free[0], head[k].free[1]});
        CHECK_AT(k, port_eval(&b.t, &b.p, false, 0, &view, &channel), head[k].req);
    }
    port_tick(&b.t, &b.p, &tail, 4, 0, 2); /* the head took channel 1 of output 2 */
    CHECK_EQ(b.t.chan_q[0], 2);
    for (size_t k = 0; k < ROWS(body); k++) {
        view = view_of((const uint8_t[MAX_VCS]){body[k].room[0], body[k].room[1]},
                       (const uint8_t[MAX_VCS]){ALL, ALL});
        CHECK_AT(k, port_eval(&b.t, &b.p, false, 0, &view, &channel), body[k].req);
    }
    in.valid = 0;
    port_tick(&b.t, &b.p, &in, 4, 0, 2);
    CHECK_EQ(b.t.chan_q[0], 0);
    CHECK_EQ(b.t.hold_q[0], 0);

    /* Against the rules of a link: a tail without a head asks for nothing. */
    bench_init(&b, 2, 2, PATH_RP, SCAN_RR);
    port_tick(&b.t, &b.p, &tail, 0, 0, 0);
    view = view_of((const uint8_t[MAX_VCS]){ALL, ALL}, (const uint8_t[MAX_VCS]){ALL, ALL});
    CHECK_EQ(port_eval(&b.t, &b.p, false, 0, &view, &channel), 0);
}

/* FF with V > 1: a body has the height of its worm, since it competes with heads for the link. */
static void a_body_has_its_worms_height(void **state)
{
    struct link in = {.flit = head_to(15, FLIT_HEAD), .valid = 2};
    struct link tail = {.flit = {.payload = 0, .kind = FLIT_TAIL}, .valid = 2};
    struct link next = {.flit = head_to(1, FLIT_SINGLE), .valid = 2};
    struct bench b;
    (void)state;
    bench_init(&b, 2, 2, PATH_GP, SCAN_FF);
    port_tick(&b.t, &b.p, &in, 0, 0, 0);
    CHECK_EQ(port_height(&b.t, &b.p, 1), 2);
    port_tick(&b.t, &b.p, &tail, 0x10, 1, 1);
    CHECK_EQ(b.t.height_q[1], 2);
    CHECK_EQ(port_height(&b.t, &b.p, 1), 2);
    port_tick(&b.t, &b.p, &next, 0x10, 1, 1);
    CHECK_EQ(port_height(&b.t, &b.p, 1), 1);
}

/* The narrowest flit for N = 64 with FP (16 bits, no free bit) and the widest. */
static void narrow_and_wide(void **state)
{
    static const unsigned width[] = {16, 64};
    struct port_view view = view_of((const uint8_t[MAX_VCS]){ALL}, (const uint8_t[MAX_VCS]){ALL});
    (void)state;
    for (size_t k = 0; k < ROWS(width); k++) {
        struct bench b;
        int channel;
        uint64_t all = width[k] == 64 ? UINT64_MAX : 0xffff;
        bench_init(&b, 1, 2, PATH_FP, SCAN_RR);
        b.p.flit_w = width[k];
        b.p.levels = 3;
        b.p.level = 2;
        /* All ones: from 63 to 63, height 3, so it goes up, by path bit 1. */
        struct link head = {.flit = {.payload = all, .kind = FLIT_HEAD}, .valid = 1};
        struct link tail = {.flit = {.payload = all, .kind = FLIT_TAIL}, .valid = 1};
        port_tick(&b.t, &b.p, &head, 0, 0, 0);
        CHECK_EQ(port_eval(&b.t, &b.p, false, 0, &view, &channel), 0x20);
        port_tick(&b.t, &b.p, &tail, 0x20, 0, 1);
        CHECK_EQ(port_eval(&b.t, &b.p, false, 0, &view, &channel), 0x20);
        CHECK_EQ(b.t.fifo[0].front_q.payload, all);
        CHECK_EQ(b.t.fifo[0].front_q.kind, FLIT_TAIL);
    }
}

static void reset_in_mid_worm(void **state)
{
    (void)state;
    for (unsigned vcs = 1; vcs <= 4; vcs *= 2) {
        struct bench b;
        bench_init(&b, vcs, 3, PATH_GP, SCAN_FF);
        for (unsigned v = 0; v < vcs; v++) {
            struct link in = {.flit = head_to(15, FLIT_HEAD), .valid = (uint8_t)(1u << v)};
            port_tick(&b.t, &b.p, &in, 0, 0, 0);
            in.flit = (struct flit){.payload = 1, .kind = FLIT_BODY};
            port_tick(&b.t, &b.p, &in, 0x10, v, (uint8_t)(1u << v));
        }
        port_reset(&b.t, &b.p);
        for (unsigned v = 0; v < vcs; v++) {
            CHECK_AT(v, b.t.hold_q[v] | b.t.chan_q[v] | b.t.height_q[v], 0);
            CHECK_AT(v, fifo_valid(&b.t.fifo[v]) | b.t.fifo[v].fresh_q, 0);
        }
        CHECK_EQ(b.t.next_q, 0);
        CHECK_EQ(port_room(&b.t, &b.p), (1u << vcs) - 1);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worm_keeps_its_output),
        cmocka_unit_test(single_flits),
        cmocka_unit_test(two_parents),
        cmocka_unit_test(a_waiting_head_draws_again),
        cmocka_unit_test(a_waiting_head_keeps_its_draw),
        cmocka_unit_test(from_a_parent_only_down),
        cmocka_unit_test(room_counts_to_the_depth),
        cmocka_unit_test(channels_rotate),
        cmocka_unit_test(a_body_waits_for_its_own_channel),
        cmocka_unit_test(a_body_has_its_worms_height),
        cmocka_unit_test(narrow_and_wide),
        cmocka_unit_test(reset_in_mid_worm),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
