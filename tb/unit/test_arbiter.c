/* SPDX-License-Identifier: Apache-2.0
 * test_arbiter.c - who crosses where, against the spec's scan: each input in turn takes what it
 * wants if that is still free.
 */
#include "unit.h"

#include "arbiter.h"

#include <string.h>

/* What a port can ask for: a child or a parent port asks for nothing or one output, and under GP
 * and RG a child may ask for both parents. */
static const uint8_t choices[SWITCH_PORTS][7] = {
    {0x00, 0x02, 0x04, 0x08, 0x10, 0x20, 0x30}, {0x00, 0x01, 0x04, 0x08, 0x10, 0x20, 0x30},
    {0x00, 0x01, 0x02, 0x08, 0x10, 0x20, 0x30}, {0x00, 0x01, 0x02, 0x04, 0x10, 0x20, 0x30},
    {0x00, 0x01, 0x02, 0x04, 0x08},             {0x00, 0x01, 0x02, 0x04, 0x08},
};

/* The scan of the spec, section 4, with one order for all outputs. */
static void scan_oracle(enum path_select path, const uint8_t req[6], unsigned pref,
                        const uint8_t order[6], uint8_t gnt[6])
{
    unsigned taken = 0;
    memset(gnt, 0, 6);
    for (unsigned k = 0; k < 6; k++) {
        unsigned i = order[k], wants = req[i] & ~taken, takes = wants;
        if (wants == 0x30) { /* both parents will do and are free */
            if (path == PATH_GP)
                takes = 0x10;
            else
                takes = pref >> i & 1 ? 0x20 : 0x10;
        }
        gnt[i] = (uint8_t)takes;
        taken |= takes;
    }
}

static void check(unsigned at, enum path_select path, bool root, const uint8_t req[6],
                  unsigned pref, const uint8_t order[6])
{
    uint8_t ahead[6], gnt[6], want[6];
    ahead_of(order, ahead);
    const uint8_t *const one[6] = {ahead, ahead, ahead, ahead, ahead, ahead};
    memset(gnt, 0xff, sizeof gnt); /* what was there before must not matter */
    arbiter_eval(path, root, req, pref, one, gnt);
    scan_oracle(path, req, pref, order, want);
    for (unsigned i = 0; i < 6; i++)
        CHECK_AT(at * 10 + i, gnt[i], want[i]);
}

static void by_hand(void **state)
{
    static const struct {
        enum path_select path;
        unsigned pref;
        uint8_t order[6], req[6], gnt[6];
    } row[] = {
        /* two want child 2: the first in order gets it, the other waits */
        {PATH_RP, 0, {0, 1, 2, 3, 4, 5}, {0x04, 0x04, 0, 0, 0, 0}, {0x04, 0, 0, 0, 0, 0}},
        {PATH_RP, 0, {1, 2, 3, 4, 5, 0}, {0x04, 0x04, 0, 0, 0, 0}, {0, 0x04, 0, 0, 0, 0}},
        /* six cross at once */
        {PATH_RP, 0, {0, 1, 2, 3, 4, 5}, {0x02, 0x01, 0x10, 0x20, 0x04, 0x08},
         {0x02, 0x01, 0x10, 0x20, 0x04, 0x08}},
        /* RP: both drew parent 0, so parent 1 stays idle */
        {PATH_RP, 0, {0, 1, 2, 3, 4, 5}, {0x10, 0x10, 0, 0, 0, 0}, {0x10, 0, 0, 0, 0, 0}},
        /* GP: parent 0, parent 1, nothing left */
        {PATH_GP, 7, {2, 1, 0, 3, 4, 5}, {0x30, 0x30, 0x30, 0, 0, 0}, {0, 0x20, 0x10, 0, 0, 0}},
        /* GP: parent 0 is not to be had, the first takes parent 1 */
        {PATH_GP, 0, {0, 1, 2, 3, 4, 5}, {0x20, 0x20, 0, 0, 0, 0}, {0x20, 0, 0, 0, 0, 0}},
        /* RG: both prefer parent 1; the first gets it, the second the other */
        {PATH_RG, 3, {0, 1, 2, 3, 4, 5}, {0x30, 0x30, 0x30, 0, 0, 0}, {0x20, 0x10, 0, 0, 0, 0}},
        /* RG: the second prefers what is left anyway */
        {PATH_RG, 1, {0, 1, 2, 3, 4, 5}, {0x30, 0x30, 0x30, 0, 0, 0}, {0x20, 0x10, 0, 0, 0, 0}},
        /* RG: port 0 holds parent 0, whatever it prefers; port 1 takes parent 1 */
        {PATH_RG, 3, {0, 1, 2, 3, 4, 5}, {0x10, 0x30, 0, 0, 0, 0}, {0x10, 0x20, 0, 0, 0, 0}},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++) {
        uint8_t ahead[6], gnt[6];
        ahead_of(row[k].order, ahead);
        const uint8_t *const one[6] = {ahead, ahead, ahead, ahead, ahead, ahead};
        arbiter_eval(row[k].path, false, row[k].req, row[k].pref, one, gnt);
        for (unsigned i = 0; i < 6; i++)
            CHECK_AT(k * 10 + i, gnt[i], row[k].gnt[i]);
    }
}

/* All requests that ports can make, with random orders and preferences. */
static void all_requests(void **state)
{
    (void)state;
    for (enum path_select path = PATH_FP; path < PATH_COUNT; path++) {
        unsigned child = path == PATH_GP || path == PATH_RG ? 7 : 6, cases = 0;
        unsigned total = child * child * child * child * 25;
        for (unsigned c = 0; c < total; c++) {
            uint8_t req[6], order[6];
            for (unsigned i = 0, rest = c; i < 6; i++) {
                req[i] = choices[i][rest % (i < 4 ? child : 5)];
                rest /= i < 4 ? child : 5;
            }
            for (unsigned run = 0; run < 4; run++, cases++) {
                shuffle(order);
                check(c, path, false, req, draw(16), order);
            }
        }
        CHECK_AT(path, cases, child == 7 ? 240100 : 129600);
    }
}

/* RG, all preferences and orders of the four that can go up. */
static void all_preferences(void **state)
{
    uint8_t order[6] = {0, 1, 2, 3, 4, 5};
    (void)state;
    do {
        for (unsigned c = 0; c < 256; c++)
            for (unsigned pref = 0; pref < 16; pref++) {
                uint8_t req[6] = {0};
                for (unsigned i = 0; i < 4; i++)
                    req[i] = (uint8_t)((c >> 2 * i & 3) << 4);
                check(c, PATH_RG, false, req, pref, order);
            }
    } while (next_order(order, 4));
}

/* At the root only children ask and only children are asked; all requests, all orders. */
static void root(void **state)
{
    uint8_t order[6] = {0, 1, 2, 3, 4, 5};
    (void)state;
    do {
        for (unsigned c = 0; c < 256; c++) {
            uint8_t req[6] = {choices[0][c & 3], choices[1][c >> 2 & 3], choices[2][c >> 4 & 3],
                              choices[3][c >> 6], 0, 0};
            check(c, (enum path_select)(c % 4), true, req, 0, order);
        }
    } while (next_order(order, 6));
}

/* The 8 crosspoints that no shortest path uses do not exist, nor any with a parent at the root:
 * asking for all outputs at once gets none of them. */
static void missing_crosspoints(void **state)
{
    static const uint8_t exist[SWITCH_PORTS] = {0x3e, 0x3d, 0x3b, 0x37, 0x0f, 0x0f};
    uint8_t ahead[6], order[6] = {0, 1, 2, 3, 4, 5}, gnt[6];
    (void)state;
    ahead_of(order, ahead);
    const uint8_t *const one[6] = {ahead, ahead, ahead, ahead, ahead, ahead};
    for (unsigned i = 0; i < 6; i++)
        for (unsigned o = 0; o < 6; o++) {
            uint8_t req[6] = {0};
            req[i] = (uint8_t)(1u << o);
            arbiter_eval(PATH_RP, false, req, 0, one, gnt);
            CHECK_AT(10 * i + o, gnt[i], exist[i] & req[i]);
            arbiter_eval(PATH_RP, true, req, 0, one, gnt);
            CHECK_AT(10 * i + o, gnt[i], i < 4 && o < 4 ? exist[i] & req[i] : 0);
        }
}

/* ROT gives each output an order of its own.  Children, FP and RP: each output apart.  GP: parent 0
 * first.  RG: the first in parent 0's order leads, the other parent picks from the rest. */
static void an_order_per_output(void **state)
{
    (void)state;
    for (unsigned run = 0; run < 60000; run++) {
        enum path_select path = (enum path_select)(run % 4);
        unsigned child = path == PATH_GP || path == PATH_RG ? 7 : 6, pref = draw(16), done = 0;
        uint8_t order[6][6], ahead[6][6], req[6], gnt[6], want[6] = {0};
        for (unsigned o = 0; o < 6; o++) {
            shuffle(order[o]);
            ahead_of(order[o], ahead[o]);
            req[o] = choices[o][draw(o < 4 ? child : 5)];
        }
        const uint8_t *const each[6] = {ahead[0], ahead[1], ahead[2], ahead[3], ahead[4], ahead[5]};
        if (path == PATH_RG) {
            unsigned k = 0;
            while (k < 6 && !(req[order[4][k]] & 0x30))
                k++;
            if (k < 6) {
                unsigned lead = order[4][k], up = req[lead] & 0x30;
                want[lead] = (uint8_t)(up != 0x30 ? up : pref >> lead & 1 ? 0x20 : 0x10);
                done = want[lead];
            }
        }
        for (unsigned o = 0; o < 6; o++)
            for (unsigned k = 0; k < 6; k++) {
                unsigned i = order[o][k];
                if (req[i] >> o & 1 && !want[i] && !(done >> o & 1)) {
                    want[i] = (uint8_t)(1u << o);
                    done |= 1u << o;
                }
            }
        arbiter_eval(path, false, req, pref, each, gnt);
        for (unsigned i = 0; i < 6; i++)
            CHECK_AT(run * 10 + i, gnt[i], want[i]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(all_requests),
        cmocka_unit_test(all_preferences),
        cmocka_unit_test(root),
        cmocka_unit_test(missing_crosspoints),
        cmocka_unit_test(an_order_per_output),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
