/* SPDX-License-Identifier: Apache-2.0
 * arbiter.c - which input port crosses to which output port in this cycle.
 */
#include "arbiter.h"

#include "pick.h"

const uint8_t arbiter_crosspoints[SWITCH_PORTS] = {0x3e, 0x3d, 0x3b, 0x37, 0x0f, 0x0f};

static void grant(uint8_t gnt[SWITCH_PORTS], uint8_t winner, unsigned o)
{
    if (winner)
        gnt[__builtin_ctz(winner)] |= (uint8_t)(1u << o);
}

void arbiter_eval(enum path_select path, bool root, const uint8_t req[SWITCH_PORTS], unsigned pref,
                  const arbiter_order ahead, uint8_t gnt[SWITCH_PORTS])
{
    uint8_t col[SWITCH_PORTS] = {0}; /* who asks for output o */
    unsigned outputs = 0;

    for (unsigned i = 0; i < SWITCH_PORTS; i++) {
        gnt[i] = 0;
        unsigned r = req[i] & arbiter_crosspoints[i] & (root ? (i < 4 ? 0x0fu : 0u) : 0x3fu);
        outputs |= r;
        for (; r; r &= r - 1)
            col[__builtin_ctz(r)] |= (uint8_t)(1u << i);
    }
    for (unsigned rest = outputs & 0x0f; rest; rest &= rest - 1) {
        unsigned o = (unsigned)__builtin_ctz(rest);
        grant(gnt, pick(col[o], ahead[o]), o);
    }
    if (!(outputs & 0x30))
        return;
    if (path == PATH_RG) {
        /* The first in parent 0's order takes the parent that it prefers, or the only one that it
         * asks for; the other parent picks from the rest. */
        uint8_t lead = pick(col[4] | col[5], ahead[4]);
        bool takes1 = lead & col[5] & (pref | ~(unsigned)col[4]);
        unsigned other = takes1 ? 4 : 5;
        grant(gnt, lead, takes1 ? 5 : 4);
        grant(gnt, pick(col[other] & (uint8_t)~lead, ahead[other]), other);
    } else {
        uint8_t first = pick(col[4], ahead[4]);
        uint8_t rest = path == PATH_GP ? col[5] & (uint8_t)~first : col[5];
        grant(gnt, first, 4);
        grant(gnt, pick(rest, ahead[5]), 5);
    }
}
