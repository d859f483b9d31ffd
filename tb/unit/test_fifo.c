/* SPDX-License-Identifier: Apache-2.0
 * test_fifo.c - the queue of a channel at depths 1, 2, 3 and 16, cycle by cycle.
 */
#include "unit.h"

#include "fifo.h"

struct cycle {
    char push;  /* flit that enters at the edge, '.' for none */
    uint8_t pop;
    char front; /* before the edge: the oldest flit, '.' if empty */
    uint8_t room, fresh;
};

static void play(unsigned depth, const struct cycle *cycle, size_t cycles)
{
    struct flit mem[MAX_DEPTH];
    struct fifo f = {.mem_q = mem};
    fifo_reset(&f);
    for (size_t t = 0; t < cycles; t++) {
        struct flit in = {.payload = (uint64_t)cycle[t].push, .kind = FLIT_SINGLE};
        CHECK_AT(t, fifo_valid(&f), cycle[t].front != '.');
        if (fifo_valid(&f))
            CHECK_AT(t, f.front_q.payload, cycle[t].front);
        CHECK_AT(t, fifo_room(&f, depth), cycle[t].room);
        CHECK_AT(t, f.fresh_q, cycle[t].fresh);
        fifo_tick(&f, depth, cycle[t].push == '.' ? NULL : &in, cycle[t].pop);
    }
}

/* Room is of the start of the cycle: one place, one flit every other cycle. */
static void depth_1(void **state)
{
    static const struct cycle table[] = {
        {'A', 0, '.', 1, 0}, /* empty */
        {'.', 0, 'A', 0, 1}, /* A came to the front and waits */
        {'.', 1, 'A', 0, 0}, /* it leaves, but room is not seen before the next cycle */
        {'B', 0, '.', 1, 0},
        {'.', 1, 'B', 0, 1},
        {'.', 0, '.', 1, 0},
    };
    (void)state;
    play(1, table, ROWS(table));
}

static void depth_2(void **state)
{
    static const struct cycle table[] = {
        {'A', 0, '.', 1, 0},
        {'B', 0, 'A', 1, 1}, /* B waits in the ring */
        {'.', 0, 'A', 0, 0}, /* full */
        {'.', 1, 'A', 0, 0},
        {'C', 1, 'B', 1, 1}, /* B leaves and C comes straight to the front */
        {'D', 1, 'C', 1, 1},
        {'E', 0, 'D', 1, 1},
        {'.', 1, 'D', 0, 0},
        {'.', 1, 'E', 1, 1},
        {'.', 0, '.', 1, 0},
    };
    (void)state;
    play(2, table, ROWS(table));
}

static void depth_3(void **state)
{
    static const struct cycle table[] = {
        {'A', 0, '.', 1, 0},
        {'B', 0, 'A', 1, 1},
        {'C', 0, 'A', 1, 0},
        {'.', 0, 'A', 0, 0}, /* full */
        {'.', 1, 'A', 0, 0},
        {'D', 1, 'B', 1, 1}, /* D goes behind C */
        {'E', 0, 'C', 1, 1},
        {'.', 1, 'C', 0, 0},
        {'.', 1, 'D', 1, 1},
        {'.', 0, 'E', 1, 1},
        {'.', 1, 'E', 1, 0},
        {'.', 0, '.', 1, 0},
    };
    (void)state;
    play(3, table, ROWS(table));
}

static void depth_16_fills_and_drains(void **state)
{
    struct cycle table[34];
    (void)state;
    for (unsigned t = 0; t < 16; t++)
        table[t] = (struct cycle){(char)('A' + t), 0, t ? 'A' : '.', 1, t == 1};
    table[16] = (struct cycle){'.', 1, 'A', 0, 0};
    for (unsigned t = 17; t < 32; t++)
        table[t] = (struct cycle){'.', 1, (char)('A' + t - 16), 1, 1};
    table[32] = table[33] = (struct cycle){'.', 0, '.', 1, 0};
    play(16, table, ROWS(table));
}

/* A sender that sends when it sees room and a receiver that always takes: a flit per cycle, but
 * every other cycle at depth 1 (spec, section 4). */
static void streams(void **state)
{
    static const unsigned depth[] = {1, 2, 3, 16};
    (void)state;
    for (size_t k = 0; k < ROWS(depth); k++) {
        struct flit mem[MAX_DEPTH];
        struct fifo f = {.mem_q = mem};
        unsigned sent = 0, got = 0;
        fifo_reset(&f);
        for (unsigned t = 0; t < 101; t++) {
            struct flit in = {.payload = sent, .kind = FLIT_BODY};
            bool push = fifo_room(&f, depth[k]), pop = fifo_valid(&f);
            if (pop)
                CHECK_AT(t, f.front_q.payload, got);
            got += pop;
            sent += push;
            fifo_tick(&f, depth[k], push ? &in : NULL, pop);
        }
        CHECK_AT(depth[k], got, depth[k] == 1 ? 50 : 100);
    }
}

/* Every depth, random pushes and pops that favour full, then empty: against a list. */
static void random_traffic(void **state)
{
    (void)state;
    for (unsigned depth = 1; depth <= MAX_DEPTH; depth++) {
        struct flit mem[MAX_DEPTH];
        struct fifo f = {.mem_q = mem};
        unsigned sent = 0, got = 0, fresh = 0, full = 0;
        fifo_reset(&f);
        for (unsigned t = 0; t < 4000; t++) {
            unsigned held = sent - got, bias = t / 200 % 2 ? 6 : 2;
            CHECK_AT(t, f.count_q, held);
            CHECK_AT(t, fifo_valid(&f), held > 0);
            CHECK_AT(t, fifo_room(&f, depth), held < depth);
            CHECK_AT(t, f.fresh_q, fresh);
            CHECK_AT(t, f.rd_q < depth && f.wr_q < depth, 1);
            if (held) {
                CHECK_AT(t, f.front_q.payload, got);
                CHECK_AT(t, f.front_q.kind, got & 3);
            }
            full += held == depth;
            struct flit in = {.payload = sent, .kind = sent & 3};
            bool push = held < depth && draw(8) < bias, pop = held && draw(8) >= bias;
            fifo_tick(&f, depth, push ? &in : NULL, pop);
            fresh = (push && held == pop) || (pop && held > 1);
            sent += push;
            got += pop;
        }
        CHECK_AT(depth, full > 0 && sent > 2 * depth + 100, 1);
    }
}

static void reset_empties(void **state)
{
    struct flit mem[2], in = {.payload = 7, .kind = FLIT_HEAD};
    struct fifo f = {.mem_q = mem};
    (void)state;
    fifo_reset(&f);
    for (unsigned t = 0; t < 3; t++)
        fifo_tick(&f, 3, &in, false);
    fifo_tick(&f, 3, NULL, true);
    fifo_reset(&f);
    CHECK_EQ(f.count_q, 0);
    CHECK_EQ(f.rd_q, 0);
    CHECK_EQ(f.wr_q, 0);
    CHECK_EQ(f.fresh_q, 0);
    CHECK_EQ(f.mem_q == mem, 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_1),
        cmocka_unit_test(depth_2),
        cmocka_unit_test(depth_3),
        cmocka_unit_test(depth_16_fills_and_drains),
        cmocka_unit_test(streams),
        cmocka_unit_test(random_traffic),
        cmocka_unit_test(reset_empties),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
