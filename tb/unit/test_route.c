/* SPDX-License-Identifier: Apache-2.0
 * test_route.c - the outputs of a head at each level, against the formulas of the spec.
 */
#include "unit.h"

#include "route.h"

static const unsigned power_of_4[] = {1, 4, 16, 64};

static struct switch_params params(unsigned levels, unsigned level, enum path_select path)
{
    return (struct switch_params){.vcs = 1, .depth = 2, .flit_w = 32, .path = path,
                                  .scan = SCAN_RR, .level = level, .levels = levels};
}

static void by_hand(void **state)
{
    /* N = 64 (n = 3). */
    static const struct {
        unsigned level;
        enum path_select path;
        unsigned src, dst, bits, rand;
        bool parent;
        unsigned want;
    } row[] = {
        {1, PATH_RP, 0, 3, 0, 0, false, 0x08},   /* height 1: child dst mod 4 */
        {1, PATH_RP, 0, 4, 0, 0, false, 0x10},   /* up, by the random bit */
        {1, PATH_RP, 0, 4, 0, 1, false, 0x20},
        {1, PATH_GP, 0, 4, 0, 1, false, 0x30},   /* up, either will do */
        {1, PATH_RG, 0, 63, 0, 0, false, 0x30},
        {1, PATH_FP, 0, 63, 1, 0, false, 0x20},  /* path bit 0 is for level 1 */
        {1, PATH_FP, 0, 63, 2, 1, false, 0x10},
        {2, PATH_FP, 0, 63, 2, 0, false, 0x20},  /* ... bit 1 for level 2 */
        {2, PATH_FP, 0, 63, 1, 1, false, 0x10},
        {2, PATH_RP, 0, 4, 0, 1, false, 0x02},   /* turns at level 2: child dst / 4 mod 4 */
        {2, PATH_RP, 63, 27, 0, 0, true, 0x04},  /* from a parent: down */
        {1, PATH_RP, 63, 27, 0, 0, true, 0x08},
        {3, PATH_GP, 63, 27, 0, 0, false, 0x02}, /* the root: child dst / 16 */
        {3, PATH_FP, 0, 63, 3, 1, false, 0x08},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        struct switch_params p = params(3, row[k].level, row[k].path);
        uint64_t head = head_pack(3, row[k].dst, row[k].src, worm_height(row[k].src, row[k].dst),
                                  row[k].bits);
        CHECK_AT(k, route_head(&p, head, row[k].parent, row[k].rand), row[k].want);
    }
}

/* Every source, destination, level, path, random bit and path bits; junk in the free bits. */
static void every_pair(void **state)
{
    (void)state;
    for (unsigned n = 1; n <= 3; n++)
        for (unsigned src = 0; src < power_of_4[n]; src++)
            for (unsigned dst = 0; dst < power_of_4[n]; dst++)
                for (unsigned c = 0; c < 5u * 2 << (n - 1); c++) {
                    enum path_select path = (enum path_select)(c % PATH_COUNT);
                    unsigned rand = c / PATH_COUNT & 1, bits = c / PATH_COUNT >> 1, height = 1;
                    while (src / power_of_4[height] != dst / power_of_4[height])
                        height++;
                    uint64_t head = head_pack(n, dst, src, height, bits) | UINT64_C(0xabcd) << 32;
                    for (unsigned level = 1; level <= n; level++) {
                        struct switch_params p = params(n, level, path);
                        unsigned down = 1u << dst / power_of_4[level - 1] % 4, want = down;
                        if (level < height)
                            want = path == PATH_FP   ? 16u << (bits >> (level - 1) & 1)
                                   : path == PATH_RP ? 16u << rand
                                                     : 0x30;
                        CHECK_AT(64 * src + dst, route_head(&p, head, false, rand), want);
                        if (level < n)
                            CHECK_AT(64 * src + dst, route_head(&p, head, true, rand), down);
                    }
                }
}

/* Follow a head of N = 64 through the switches S(l, a) of the spec: by each choice of parents it
 * is at its destination after 2 * height links. */
static void every_walk_arrives(void **state)
{
    enum { LEVELS = 3, N = 64 };
    (void)state;
    for (unsigned src = 0; src < N; src++)
        for (unsigned dst = 0; dst < N; dst++)
            for (unsigned bits = 0; bits < 4; bits++) {
                unsigned height = worm_height(src, dst), level = 1, a = src / 4, links = 1;
                uint64_t head = head_pack(LEVELS, dst, src, height, bits);
                bool from_parent = false;
                for (;;) {
                    struct switch_params p = params(LEVELS, level, PATH_FP);
                    uint8_t want = route_head(&p, head, from_parent, 0);
                    links++;
                    CHECK_AT(links, links <= 2 * LEVELS, 1);
                    unsigned half = 1u << (level - 1);
                    if (want & 0x30) {
                        unsigned hop = want == 0x20 ? half : 0;
                        a = a / (4 * half) * (2 * half) + (a + hop) % (2 * half);
                        level++;
                        continue;
                    }
                    unsigned child = (unsigned)__builtin_ctz(want);
                    if (level == 1) {
                        CHECK_AT(links, 4 * a + child, dst);
                        break;
                    }
                    /* Child c of S(l, a): the one that names it as parent and meets it there. */
                    unsigned below = 0, found = 0, q = half / 2;
                    for (unsigned b = 0; b < (unsigned)N >> level; b++) {
                        unsigned up0 = b / (2 * half) * half + b % half;
                        unsigned up1 = b / (2 * half) * half + (b + q) % half;
                        if ((up0 == a || up1 == a) && b % (2 * half) / q == child) {
                            below = b;
                            found++;
                        }
                    }
                    CHECK_AT(links, found, 1);
                    a = below;
                    level--;
                    from_parent = true;
                }
                CHECK_AT(64 * src + dst, links, 2 * height);
            }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(every_pair),
        cmocka_unit_test(every_walk_arrives),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
