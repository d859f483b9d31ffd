/* SPDX-License-Identifier: Apache-2.0
 * oldest-first.c - arbitration: of the heads in a node the one whose worm has been ready for longest
 * chooses first, however long it has stood there.
 *
 *     cc -shared -fPIC -Icmodel docs/plugin/oldest-first.c -o oldest-first.so
 *     fatfly run --topology torus --radix 8 --plugin ./oldest-first.so --load 0.1
 */
#include "fatfly_plugin.h"

static bool before(const struct fatfly_plug_network *n, const struct fatfly_plug_head *a,
                   const struct fatfly_plug_head *b)
{
    (void)n;
    if (a->ready != b->ready)
        return a->ready < b->ready;
    return a->worm < b->worm; /* a strict order: never both before one another */
}

const struct fatfly_plugin fatfly_plugin = {
    .version = FATFLY_PLUGIN_VERSION, .name = "oldest-first", .before = before};
