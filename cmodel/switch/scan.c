/* SPDX-License-Identifier: Apache-2.0
 * scan.c - the order in which a switch looks at its input ports.
 */
#include "scan.h"

#include <string.h>

/* Row s: from port s upwards, wrapping after port 5. */
const uint8_t scan_from[SWITCH_PORTS][SWITCH_PORTS] = {
    {0x00, 0x01, 0x03, 0x07, 0x0f, 0x1f}, {0x3e, 0x00, 0x02, 0x06, 0x0e, 0x1e},
    {0x3c, 0x3d, 0x00, 0x04, 0x0c, 0x1c}, {0x38, 0x39, 0x3b, 0x00, 0x08, 0x18},
    {0x30, 0x31, 0x33, 0x37, 0x00, 0x10}, {0x20, 0x21, 0x23, 0x27, 0x2f, 0x00},
};

void scan_reset(struct scan *s)
{
    memset(s, 0, sizeof *s);
}

/* Row a of the age matrix as of this cycle: a head that came to the front is younger than all that
 * were there; of several in one cycle the lowest channel is the oldest. */
static uint32_t older(const struct scan *s, unsigned a, uint32_t fresh, unsigned channels)
{
    uint32_t above = ((UINT32_C(1) << channels) - 1) & ~((UINT32_C(2) << a) - 1);
    return ((fresh >> a & 1 ? 0 : s->older_q[a]) | fresh) & above;
}

void scan_eval(const struct scan *s, const struct switch_params *p, const struct scan_in *in,
               arbiter_order order, uint8_t room[SWITCH_PORTS])
{
    switch (p->scan) {
    case SCAN_RR:
    case SCAN_FO: /* start_q stays 0 */
        for (unsigned o = 0; o < SWITCH_PORTS; o++)
            order[o] = scan_from[s->start_q];
        return;
    case SCAN_ROT:
        for (unsigned o = 0; o < SWITCH_PORTS; o++)
            order[o] = scan_from[s->rot_q[o]];
        return;
    case SCAN_FF:
        for (unsigned i = 0; i < SWITCH_PORTS; i++) {
            room[i] = 0;
            for (unsigned j = 0; j < SWITCH_PORTS; j++)
                if (in->height[j] > in->height[i] ||
                    (in->height[j] == in->height[i] && (scan_from[s->start_q][i] >> j & 1)))
                    room[i] |= (uint8_t)(1u << j);
        }
        break;
    default: /* SCAN_FCFS */
        memset(room, 0, SWITCH_PORTS);
        for (unsigned i = 0; i < SWITCH_PORTS; i++) {
            if (!(in->asks >> i & 1))
                continue;
            unsigned a = p->vcs * i + in->channel[i];
            uint32_t row = older(s, a, in->fresh, SWITCH_PORTS * p->vcs);
            for (unsigned j = i + 1; j < SWITCH_PORTS; j++)
                if (row >> (p->vcs * j + in->channel[j]) & 1)
                    room[j] |= (uint8_t)(1u << i);
                else
                    room[i] |= (uint8_t)(1u << j);
        }
        break;
    }
    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        order[o] = room;
}

void scan_tick(struct scan *s, const struct switch_params *p, unsigned rand,
               const uint8_t gnt[SWITCH_PORTS], uint32_t fresh)
{
    if (p->scan == SCAN_RR || p->scan == SCAN_FF) {
        /* One cycle ahead: floor(ports * byte / 256); the root has no parents to start from. */
        s->start_q = (uint8_t)(rand * (p->level == p->levels ? 4 : 6) >> 8);
    } else if (p->scan == SCAN_ROT) {
        for (unsigned i = 0; i < SWITCH_PORTS; i++)
            if (gnt[i])
                s->rot_q[__builtin_ctz(gnt[i])] = i == 5 ? 0 : (uint8_t)(i + 1);
    } else if (p->scan == SCAN_FCFS && fresh) {
        for (unsigned a = 0; a < SWITCH_PORTS * p->vcs; a++)
            s->older_q[a] = older(s, a, fresh, SWITCH_PORTS * p->vcs);
    }
}

unsigned scan_probe_words(const struct switch_params *p)
{
    unsigned channels = SWITCH_PORTS * p->vcs;
    return 1 + (p->scan == SCAN_FCFS ? (channels * (channels - 1) / 2 + 31) / 32 : 0);
}

void scan_probe(const struct scan *s, const struct switch_params *p, uint32_t *words)
{
    words[0] = s->start_q;
    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        words[0] |= (uint32_t)s->rot_q[o] << (3 + 3 * o);
    if (p->scan != SCAN_FCFS)
        return;
    unsigned channels = SWITCH_PORTS * p->vcs;
    uint64_t bits = 0;
    unsigned held = 0;
    words++;
    for (unsigned a = 0; a + 1 < channels; a++) {
        bits |= (uint64_t)(s->older_q[a] >> (a + 1)) << held;
        held += channels - 1 - a;
        if (held >= 32) {
            *words++ = (uint32_t)bits;
            bits >>= 32;
            held -= 32;
        }
    }
    if (held)
        *words = (uint32_t)bits;
}
