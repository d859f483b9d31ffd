/* SPDX-License-Identifier: Apache-2.0
 * pick.h - the first of up to six requesters in a given order.  RTL twin: rtl/pick.v.
 */
#ifndef FATFLY_PICK_H
#define FATFLY_PICK_H

#include <stdint.h>

/* req: a bit per port.  ahead[i]: the ports that come before i.  The winner's bit, or zero. */
static inline uint8_t pick(uint8_t req, const uint8_t ahead[6])
{
    for (unsigned rest = req; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if (!(req & ahead[i]))
            return (uint8_t)(1u << i);
    }
    return 0;
}

#endif
