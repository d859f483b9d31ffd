/* SPDX-License-Identifier: Apache-2.0
 * test_pool.c - records of a pool keep their contents while it grows, and none is handed out twice.
 */
#include "pool.h"

#include "unit.h"

struct record {
    uint64_t owner;
    uint32_t next;
};

static void grows(void **state)
{
    struct record *r = NULL;
    uint32_t count = 0, unused = POOL_NONE, taken = 0;
    (void)state;
    for (unsigned k = 1; k <= 2000; k++) {
        if (unused == POOL_NONE) {
            r = pool_grow(r, sizeof *r, offsetof(struct record, next), count ? count / 2 : 8, &count,
                          &unused);
            assert_non_null(r);
            for (uint32_t j = taken; j < count; j++)
                r[j].owner = 0;
        }
        assert_true(unused < count);
        CHECK_AT(k, unused, taken); /* the lowest first */
        CHECK_AT(k, r[unused].owner, 0);
        uint32_t next = r[unused].next;
        r[unused].owner = k;
        unused = next;
        taken++;
    }
    for (uint32_t j = 0; j < taken; j++)
        CHECK_AT(j, r[j].owner, j + 1);
    free(r);
}

static void refuses_too_many(void **state)
{
    uint32_t count = 10, unused = POOL_NONE;
    (void)state;
    assert_null(pool_grow(NULL, sizeof(struct record), offsetof(struct record, next),
                          POOL_NONE / 2, &count, &unused));
    CHECK_EQ(count, 10);
    CHECK_EQ(unused, POOL_NONE);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows),
        cmocka_unit_test(refuses_too_many),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
