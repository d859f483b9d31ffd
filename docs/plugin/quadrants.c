/* SPDX-License-Identifier: Apache-2.0
 * quadrants.c - a pattern: three worms of four stay in their source's quarter of the processors, the
 * fourth goes anywhere.
 *
 *     cc -shared -fPIC -Icmodel docs/plugin/quadrants.c -o quadrants.so
 *     fatfly run --nodes 64 --plugin ./quadrants.so --load 0.1
 */
#include "fatfly_plugin.h"

static uint32_t destination(const struct fatfly_plug_network *n, uint32_t src, uint64_t index,
                            uint64_t random)
{
    uint32_t quarter = n->processors / 4;
    uint64_t further = fatfly_plug_random(&random) >> 32;
    (void)index;
    if (fatfly_plug_random(&random) % 4 == 0)
        return (uint32_t)(further * n->processors >> 32);
    return src / quarter * quarter + (uint32_t)(further * quarter >> 32);
}

const struct fatfly_plugin fatfly_plugin = {
    .version = FATFLY_PLUGIN_VERSION, .name = "quadrants", .destination = destination};
