/* SPDX-License-Identifier: Apache-2.0
 * shown.h - values for every field of a switch or a router, and what a probe must show of them by name.  After unit.h.
 */
#ifndef FATFLY_SHOWN_H
#define FATFLY_SHOWN_H

#include "flit.h"

#include <string.h>

static bool greatest; /* each value is the greatest that it can be, or one is drawn */

static unsigned some(unsigned most)
{
    return greatest ? most : draw(most + 1);
}

/* One of so many bits, or none. */
static uint16_t some_one(unsigned bits)
{
    return (uint16_t)(1u << some(bits) >> 1);
}

static uint64_t some_bits(unsigned width)
{
    uint64_t bits = 0;
    for (unsigned k = 0; k < 4; k++)
        bits = bits << 16 | some(0xffff);
    return bits >> (64 - width);
}

static struct flit some_flit(unsigned width)
{
    return (struct flit){.payload = some_bits(width), .kind = (uint8_t)some(3)};
}

struct field {
    const char *name;
    uint64_t value;
};

static uint64_t field_of(const struct field *field, size_t count, const char *name)
{
    for (size_t k = 0; k < count; k++)
        if (!strcmp(field[k].name, name))
            return field[k].value;
    fail_msg("nothing is called %s", name);
    return 0;
}

#endif
