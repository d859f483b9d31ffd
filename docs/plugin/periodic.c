/* SPDX-License-Identifier: Apache-2.0
 * periodic.c - arrivals: every processor sends a worm each 1 / rate cycles, its first after a random
 * part of them.
 *
 *     cc -shared -fPIC -Icmodel docs/plugin/periodic.c -o periodic.so
 *     fatfly run --nodes 64 --plugin ./periodic.so --load 0.1
 */
#include "fatfly_plugin.h"

static uint64_t gap(const struct fatfly_plug_network *n, uint32_t src, uint64_t index, uint64_t random)
{
    double period = 1 / n->rate;
    (void)src;
    if (index == 0)
        return (uint64_t)(period * (double)(random >> 11) * 0x1p-53);
    /* Rounded so that the mean is the period. */
    return (uint64_t)((double)(index + 1) * period) - (uint64_t)((double)index * period);
}

const struct fatfly_plugin fatfly_plugin = {
    .version = FATFLY_PLUGIN_VERSION, .name = "periodic", .gap = gap};
