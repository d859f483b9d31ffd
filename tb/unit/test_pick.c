/* SPDX-License-Identifier: Apache-2.0
 * test_pick.c - the first requester in a given order: all requests in all orders.
 */
#include "unit.h"

#include "pick.h"

static void by_hand(void **state)
{
    static const struct { uint8_t order[6], req, want; } row[] = {
        {{0, 1, 2, 3, 4, 5}, 0x00, 0x00}, {{0, 1, 2, 3, 4, 5}, 0x3f, 0x01},
        {{0, 1, 2, 3, 4, 5}, 0x38, 0x08}, {{5, 4, 3, 2, 1, 0}, 0x3f, 0x20},
        {{5, 4, 3, 2, 1, 0}, 0x07, 0x04}, {{3, 4, 5, 0, 1, 2}, 0x07, 0x01},
        {{3, 4, 5, 0, 1, 2}, 0x17, 0x10}, {{2, 0, 5, 1, 4, 3}, 0x2a, 0x20},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        uint8_t ahead[6];
        ahead_of(row[k].order, ahead);
        CHECK_AT(k, pick(row[k].req, ahead), row[k].want);
    }
}

/* 64 requests, 720 orders. */
static void all(void **state)
{
    uint8_t order[6] = {0, 1, 2, 3, 4, 5}, ahead[6];
    unsigned orders = 0;
    (void)state;
    do {
        ahead_of(order, ahead);
        for (unsigned req = 0; req < 64; req++) {
            unsigned want = 0;
            for (unsigned k = 6; k-- > 0;)
                if (req >> order[k] & 1)
                    want = 1u << order[k];
            CHECK_AT(req, pick((uint8_t)req, ahead), want);
        }
        orders++;
    } while (next_order(order, 6));
    CHECK_EQ(orders, 720);
}

/* The masks of ports that do not ask do not matter: FCFS and FF leave them open. */
static void silent_ports_do_not_matter(void **state)
{
    (void)state;
    for (unsigned run = 0; run < 20000; run++) {
        uint8_t order[6], ahead[6], noisy[6], req = (uint8_t)draw(64);
        shuffle(order);
        ahead_of(order, ahead);
        for (unsigned i = 0; i < 6; i++)
            noisy[i] = req >> i & 1 ? (uint8_t)(ahead[i] | (draw(64) & ~(unsigned)req))
                                    : (uint8_t)draw(64);
        CHECK_AT(run, pick(req, noisy), pick(req, ahead));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(all),
        cmocka_unit_test(silent_ports_do_not_matter),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
