/* SPDX-License-Identifier: Apache-2.0
 * discipline.h - what the disciplines are, as data.
 */
#ifndef FATFLY_DISCIPLINE_H
#define FATFLY_DISCIPLINE_H

#include "fatfly.h"

struct discipline {
    bool packets;     /* what moves is a packet, or each flit one: no virtual channels */
    bool steps;       /* a packet crosses a link in a step of `length` cycles */
    bool rounds;      /* a universal algorithm (CMSV), of packets, too: all worms' paths are known before */
    bool static_only; /* no open loop */
    bool own_delays;  /* initial delays are not the traffic's */
};

static inline const struct discipline *discipline_of(const struct fatfly_config *c)
{
    static const struct discipline disciplines[FATFLY_DISCIPLINES] = {
        [FATFLY_WORM] = {.packets = false},
        [FATFLY_STORE] = {.packets = true, .steps = true},
        [FATFLY_UNIV] = {.packets = true, .steps = true, .static_only = true, .own_delays = true},
        [FATFLY_SPLIT] = {.packets = true},
        [FATFLY_PHASED] = {.static_only = true},
        [FATFLY_CMSV1] = {true, false, true, true, true},
        [FATFLY_CMSV2] = {true, false, true, true, true},
        [FATFLY_CMSV_STORE] = {true, true, true, true, true},
        [FATFLY_CMSV_PROTOCOL] = {true, true, true, true, true},
        [FATFLY_CMSV_BUTTERFLY] = {true, false, true, true, true}};
    return &disciplines[c->discipline];
}

#endif
