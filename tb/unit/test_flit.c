/* SPDX-License-Identifier: Apache-2.0
 * test_flit.c - the fields of a head and the height of a worm.
 */
#include "unit.h"

#include "flit.h"
#include "params.h"

/* By hand, N = 64: dst 6 bits | src 6 | height 2 | path 2. */
static void one_head_by_hand(void **state)
{
    uint64_t head = head_pack(3, 0x2a, 0x15, 3, 2);
    (void)state;
    CHECK_EQ(head, 0xb56a); /* 10 11 010101 101010 */
    CHECK_EQ(head_dst(3, head), 0x2a);
    CHECK_EQ(head_src(3, head), 0x15);
    CHECK_EQ(head_height(3, head), 3);
    CHECK_EQ(head_path_bit(3, head, 1), 0);
    CHECK_EQ(head_path_bit(3, head, 2), 1);
}

static void kinds(void **state)
{
    (void)state;
    CHECK_EQ(FLIT_BODY, 0);
    CHECK_EQ(FLIT_TAIL, 1);
    CHECK_EQ(FLIT_HEAD, 2);
    CHECK_EQ(FLIT_SINGLE, FLIT_HEAD | FLIT_TAIL);
}

static void masks(void **state)
{
    (void)state;
    for (unsigned w = 1; w <= 64; w++)
        for (unsigned bit = 0; bit < 64; bit++)
            CHECK_AT(64 * w + bit, flit_mask(w) >> bit & 1, bit < w);
}

/* The height field holds 0 .. levels. */
static void height_field(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= MAX_LEVELS; n++) {
        CHECK_AT(n, n < 1u << head_height_bits(n), 1);
        CHECK_AT(n, n < 1u << (head_height_bits(n) - 1), 0);
    }
}

static void heights_by_hand(void **state)
{
    static const struct { unsigned src, dst, height; } row[] = {
        {0, 0, 1},  {0, 3, 1},   {2, 1, 1},   {3, 4, 2},    {0, 15, 2},     {15, 16, 3},
        {63, 0, 3}, {21, 22, 1}, {16, 31, 2}, {64, 63, 4},  {0, 1048575, 10},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        CHECK_AT(k, worm_height(row[k].src, row[k].dst), row[k].height);
        CHECK_AT(k, worm_height(row[k].dst, row[k].src), row[k].height);
    }
}

/* Height l: a subtree of 4^l processors holds both ends and none of 4^(l-1) does (spec, 1). */
static void heights_of_64(void **state)
{
    (void)state;
    for (unsigned src = 0; src < 64; src++)
        for (unsigned dst = 0; dst < 64; dst++) {
            unsigned want = src / 4 == dst / 4 ? 1 : src / 16 == dst / 16 ? 2 : 3;
            CHECK_AT(64 * src + dst, worm_height(src, dst), want);
        }
}

/* All heads of N = 4, 16 and 64, then random ones of larger networks: each field comes back and
 * none reaches beyond the bits that head_bits() says. */
static void there_and_back(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= MAX_LEVELS; n++) {
        unsigned long size = 1ul << 2 * n, tries = n <= 3 ? size * size : 20000;
        for (unsigned long k = 0; k < tries; k++) {
            uint64_t src = n <= 3 ? k / size : draw((unsigned)size);
            uint64_t dst = n <= 3 ? k % size : draw((unsigned)size);
            uint64_t path = draw(1u << (n - 1));
            unsigned height = worm_height(src, dst);
            uint64_t head = head_pack(n, dst, src, height, path);
            CHECK_AT(k, head_dst(n, head), dst);
            CHECK_AT(k, head_src(n, head), src);
            CHECK_AT(k, head_height(n, head), height);
            for (unsigned l = 1; l < n; l++)
                CHECK_AT(k, head_path_bit(n, head, l), path >> (l - 1) & 1);
            CHECK_AT(k, head >> head_bits(n, PATH_FP), 0);
            /* Whatever the free bits carry, the fields stay what they are. */
            head |= UINT64_MAX << head_bits(n, PATH_FP);
            CHECK_AT(k, head_dst(n, head), dst);
            CHECK_AT(k, head_src(n, head), src);
            CHECK_AT(k, head_height(n, head), height);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_head_by_hand), cmocka_unit_test(kinds),
        cmocka_unit_test(masks),
        cmocka_unit_test(height_field),     cmocka_unit_test(heights_by_hand),
        cmocka_unit_test(heights_of_64),    cmocka_unit_test(there_and_back),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
