/* SPDX-License-Identifier: Apache-2.0
 * test_digest.c - every bit that a digest stands for changes it, and digests of before stay as they were.
 */
#include "digest.h"

#include "unit.h"

static uint64_t of(uint64_t payload, unsigned kind, uint64_t cycle, uint32_t exit, unsigned channel)
{
    return digest_flit(payload, kind, cycle, exit, channel);
}

/* Cycles below 2^40: as they were when later ones lost their highest bits. */
static uint64_t before(uint64_t payload, unsigned kind, uint64_t cycle, uint32_t exit, unsigned channel)
{
    return rng_hash(payload ^ (cycle << 24 ^ (uint64_t)exit << 4 ^ channel << 2 ^ kind) *
                                  UINT64_C(0xD6E8FEB86659FD93));
}

static void as_before(void **state)
{
    struct rng r;
    (void)state;
    r.state = unit_seed;
    for (unsigned k = 0; k < 1000; k++) {
        uint64_t payload = rng_next(&r), cycle = rng_next(&r) >> (24 + k % 40);
        uint32_t exit = (uint32_t)rng_next(&r) >> 12;
        CHECK_AT(k, of(payload, k & 3, cycle, exit, k >> 2 & 3), before(payload, k & 3, cycle, exit, k >> 2 & 3));
    }
    CHECK_EQ(of(5, 1, (UINT64_C(1) << 40) - 1, 3, 2), before(5, 1, (UINT64_C(1) << 40) - 1, 3, 2));
}

/* One bit of one of them, alone and beside others that are set. */
static void every_bit(void **state)
{
    static const uint64_t cycles[] = {0, 1000, UINT64_C(1) << 39, UINT64_C(1) << 62};
    (void)state;
    for (unsigned k = 0; k < ROWS(cycles); k++) {
        uint64_t c = cycles[k], was = of(77, 1, c, 9, 1);
        for (unsigned bit = 0; bit < 64; bit++) {
            assert_true(of(77, 1, c ^ UINT64_C(1) << bit, 9, 1) != was);
            assert_true(of(77 ^ UINT64_C(1) << bit, 1, c, 9, 1) != was);
            for (unsigned other = 0; other < bit; other++) /* nor do two bits of a cycle cancel */
                assert_true(of(77, 1, c ^ UINT64_C(1) << bit ^ UINT64_C(1) << other, 9, 1) != was);
        }
        for (unsigned bit = 0; bit < 24; bit++)
            assert_true(of(77, 1, c, 9 ^ 1u << bit, 1) != was);
        for (unsigned bit = 0; bit < 2; bit++) {
            assert_true(of(77, 1 ^ 1u << bit, c, 9, 1) != was);
            assert_true(of(77, 1, c, 9, 1 ^ 1u << bit) != was);
        }
    }
}

/* Those of a whole stretch of a worm are the sum of each, across 2^40, too. */
static void stretches(void **state)
{
    struct rng r;
    (void)state;
    r.state = unit_seed + 1;
    for (unsigned k = 0; k < 300; k++) {
        uint64_t cycle = k % 3 ? rng_next(&r) >> (24 + k % 40) : (UINT64_C(1) << 40) * (1 + k % 4) - rng_below(&r, 30);
        uint64_t mask = k & 1 ? UINT64_MAX : UINT32_MAX, sum = 0;
        uint32_t number = (uint32_t)rng_next(&r), exit = rng_below(&r, k % 5 ? 1u << 20 : 1u << 24);
        uint32_t first = 1 + rng_below(&r, 4000), count = rng_below(&r, 60);
        for (uint32_t f = 0; f < count; f++)
            sum += digest_flit(flit_payload(0, number, first + f, mask), FLIT_BODY, cycle + f, exit, 0);
        CHECK_AT(k, digest_bodies(number, first, count, cycle, exit, mask), sum);
    }
}

/* Eight at a time, as any processor can do it and as this one does, from any payload and place, with any mask. */
#define EIGHTS
#define CAN_EIGHTS 1
#define digest_many portable_many
uint64_t portable_many(uint64_t payload, uint32_t count, uint64_t place, uint64_t mask);
#pragma GCC diagnostic ignored "-Wpsabi"
#ifndef DIGEST
#define DIGEST "digest.c"
#endif
#include DIGEST
#undef digest_many
static void eight_at_a_time(void **state)
{
    struct rng r;
    (void)state;
    r.state = unit_seed + 2;
    for (unsigned k = 0; k < 4000; k++) {
        uint64_t payload = rng_next(&r), place = rng_next(&r), mask = UINT64_MAX >> k % 64;
        uint32_t count = k % 300;
        uint64_t sum = digest_terms(payload, count, place, mask);
        CHECK_AT(k, digest_many(payload, count, place, mask), sum);
        CHECK_AT(k, portable_many(payload, count, place, mask), sum);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_before),
        cmocka_unit_test(every_bit),
        cmocka_unit_test(stretches),
        cmocka_unit_test(eight_at_a_time),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
