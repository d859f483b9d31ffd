/* SPDX-License-Identifier: Apache-2.0
 * test_lfsr.c - 16 steps of the recurrence at once, from the right seed, with the full period.
 */
#include "unit.h"

#include "lfsr.h"

#include <string.h>

/* One step, bit by bit: s[n] = s[n-32] ^ s[n-30] ^ s[n-26] ^ s[n-25].  s[31] is the youngest. */
static void single_step(uint8_t s[32])
{
    uint8_t next = (uint8_t)(s[0] ^ s[2] ^ s[6] ^ s[7]);
    memmove(s, s + 1, 31);
    s[31] = next;
}

static void by_hand(void **state)
{
    static const uint32_t want[] = {0x00000001, 0x00010000, 0x46000001, 0x00014600};
    struct lfsr r;
    (void)state;
    lfsr_reset(&r, 1);
    for (size_t t = 0; t < ROWS(want); t++) {
        CHECK_AT(t, r.lfsr_q, want[t]);
        lfsr_tick(&r);
    }
}

static void seeds(void **state)
{
    static const struct { uint32_t seed, want; } row[] = {
        {0, 1}, {1, 1}, {2, 2}, {0x80000000, 0x80000000}, {0xffffffff, 0xffffffff},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        struct lfsr r = {.lfsr_q = 0xdeadbeef};
        lfsr_reset(&r, row[k].seed);
        CHECK_AT(k, r.lfsr_q, row[k].want);
    }
}

static void sixteen_single_steps(void **state)
{
    (void)state;
    for (unsigned run = 0; run < 200; run++) {
        struct lfsr r;
        uint8_t s[32];
        lfsr_reset(&r, run < 32 ? 1u << run : draw(0xffffffff));
        for (unsigned k = 0; k < 32; k++)
            s[k] = r.lfsr_q >> k & 1;
        for (unsigned t = 0; t < 50; t++) {
            uint32_t want = 0;
            lfsr_tick(&r);
            for (unsigned k = 0; k < 16; k++)
                single_step(s);
            for (unsigned k = 0; k < 32; k++)
                want |= (uint32_t)s[k] << k;
            CHECK_AT(t, r.lfsr_q, want);
        }
    }
}

/* A tick is a linear map.  Its powers: map[k] is the image of bit k. */
static uint32_t apply(const uint32_t map[32], uint32_t x)
{
    uint32_t y = 0;
    for (unsigned k = 0; k < 32; k++)
        if (x >> k & 1)
            y ^= map[k];
    return y;
}

static uint32_t ticked(uint32_t x, uint64_t ticks)
{
    uint32_t map[32];
    for (unsigned k = 0; k < 32; k++) {
        struct lfsr r = {.lfsr_q = UINT32_C(1) << k};
        lfsr_tick(&r);
        map[k] = r.lfsr_q;
    }
    for (; ticks; ticks >>= 1) {
        uint32_t square[32];
        if (ticks & 1)
            x = apply(map, x);
        for (unsigned k = 0; k < 32; k++)
            square[k] = apply(map, map[k]);
        memcpy(map, square, sizeof map);
    }
    return x;
}

/* 2^32 - 1 = 3 * 5 * 17 * 257 * 65537 ticks lead back to the start and no divisor of it does. */
static void full_period(void **state)
{
    static const uint32_t prime[] = {3, 5, 17, 257, 65537};
    (void)state;
    CHECK_EQ(ticked(1, 0xffffffff), 1);
    CHECK_EQ(ticked(0x12345678, 0xffffffff), 0x12345678);
    for (size_t k = 0; k < ROWS(prime); k++)
        CHECK_AT(k, ticked(1, 0xffffffff / prime[k]) != 1, 1);
}

/* 65536 cycles: each fresh bit is set in half of them, within six standard deviations (128), each
 * value of the byte comes 256 times (16), and no bit repeats a neighbour's of the cycle before. */
static void fresh_bits_are_even(void **state)
{
    unsigned ones[16] = {0}, byte[256] = {0}, repeats[16] = {0};
    uint32_t last = 0;
    struct lfsr r;
    (void)state;
    lfsr_reset(&r, (uint32_t)unit_seed * 2654435761u);
    for (unsigned t = 0; t < 65536; t++) {
        for (unsigned k = 0; k < 16; k++) {
            ones[k] += r.lfsr_q >> (16 + k) & 1;
            repeats[k] += (r.lfsr_q >> (16 + k) & 1) == (last >> (16 + (k + 1) % 16) & 1);
        }
        byte[r.lfsr_q >> 24]++;
        last = r.lfsr_q;
        lfsr_tick(&r);
    }
    for (unsigned k = 0; k < 16; k++) {
        CHECK_AT(k, ones[k] > 32768 - 768 && ones[k] < 32768 + 768, 1);
        CHECK_AT(k, repeats[k] > 32768 - 768 && repeats[k] < 32768 + 768, 1);
    }
    for (unsigned k = 0; k < 256; k++)
        CHECK_AT(k, byte[k] > 256 - 96 && byte[k] < 256 + 96, 1);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),     cmocka_unit_test(seeds),
        cmocka_unit_test(full_period), cmocka_unit_test(sixteen_single_steps),
        cmocka_unit_test(fresh_bits_are_even),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
