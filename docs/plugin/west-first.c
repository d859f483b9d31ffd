/* SPDX-License-Identifier: Apache-2.0
 * west-first.c - routing on a mesh (Glass and Ni, ISCA 1992): all hops to lower digits of dimension 0
 * come first, then the head may choose.  No two turns close a circle, so one channel is enough.
 *
 *     cc -shared -fPIC -Icmodel docs/plugin/west-first.c -o west-first.so
 *     fatfly run --topology mesh --radix 8 --plugin ./west-first.so --load 0.1
 */
#include "fatfly_plugin.h"

static unsigned route(const struct fatfly_plug_network *n, const struct fatfly_plug_place *at,
                      uint32_t dst, struct fatfly_plug_choice choice[FATFLY_PLUG_CHOICES])
{
    uint32_t x = at->node % n->radix, y = at->node / n->radix;
    uint32_t to_x = dst % n->radix, to_y = dst / n->radix;
    uint8_t last = (uint8_t)(n->channels - 1);
    unsigned count = 0;

    if (to_x < x) { /* west, and nothing else */
        choice[0] = (struct fatfly_plug_choice){1, 0, last};
        return 1;
    }
    if (to_x > x)
        choice[count++] = (struct fatfly_plug_choice){0, 0, last};
    if (to_y != y)
        choice[count++] = (struct fatfly_plug_choice){to_y > y ? 2 : 3, 0, last};
    return count;
}

const struct fatfly_plugin fatfly_plugin = {
    .version = FATFLY_PLUGIN_VERSION, .name = "west-first", .route = route};
