/* SPDX-License-Identifier: Apache-2.0
 * bad.c - plug-ins that are refused, one for each value of BAD; for test_plugin.sh.
 */
#include "fatfly_plugin.h"

#ifndef NAME
#define NAME "bad"
#endif

enum { NO_SYMBOL = 1, VERSION, NO_NAME, NO_CALLBACK, NO_OUTPUT, NO_PORT, NO_LINK, NO_CHANNEL, TOO_MANY,
       CIRCLE, HANGS, HANGS_LATE, DESTINATION, GAP, HOME, CHANNELS, SEVENTEEN, FICKLE, EDGE_OF_TIME,
       DISORDER, ECUBE, ODD_NAME };

static unsigned route(const struct fatfly_plug_network *n, const struct fatfly_plug_place *at,
                      uint32_t dst, struct fatfly_plug_choice choice[FATFLY_PLUG_CHOICES])
{
    static volatile int forever = 1;
    static _Thread_local unsigned calls;
    uint32_t x = at->node % n->radix, y = at->node / n->radix, to_x = dst % n->radix, to_y = dst / n->radix;
    uint8_t port = to_x > x ? 0 : to_x < x ? 1 : to_y > y ? 2 : 3;
    calls++;
    choice[0] = (struct fatfly_plug_choice){port, 0, (uint8_t)(n->channels - 1)};
    if (BAD == NO_OUTPUT && at->node == 5)
        return 0;
    if (BAD == NO_PORT && at->node == 5)
        choice[0].port = 4;
    if (BAD == NO_LINK && at->node == 0)
        choice[0].port = 1;
    if (BAD == NO_CHANNEL)
        choice[0].high = (uint8_t)n->channels;
    if (BAD == TOO_MANY)
        return 17;
    if (BAD == CIRCLE && to_x != x && to_y != y) { /* either, whatever turns that makes */
        choice[1] = (struct fatfly_plug_choice){to_y > y ? 2 : 3, 0, (uint8_t)(n->channels - 1)};
        return 2;
    }
    if (BAD == FICKLE && calls > 2000)
        return 0;
    if (BAD == HANGS && at->node == 7)
        while (forever)
            ;
    return 1;
}

static bool before(const struct fatfly_plug_network *n, const struct fatfly_plug_head *a,
                   const struct fatfly_plug_head *b)
{
    (void)n;
    (void)a;
    (void)b;
    return BAD == DISORDER ? a->worm % 3 < b->dst % 3 : false;
}

static uint32_t destination(const struct fatfly_plug_network *n, uint32_t src, uint64_t index,
                            uint64_t random)
{
    static volatile int forever = 1;
    if (BAD == HANGS_LATE && src == 3 && index == 5)
        while (forever)
            ;
    if (BAD == HOME)
        return src;
    return BAD == DESTINATION && index == 2 ? n->processors : (uint32_t)(random % n->processors);
}

static uint64_t gap(const struct fatfly_plug_network *n, uint32_t src, uint64_t index, uint64_t random)
{
    (void)n;
    (void)src;
    (void)random;
    return BAD == GAP ? 0 : index < 3 ? 10 : UINT64_MAX;
}

#if BAD == 1 /* NO_SYMBOL */
const struct fatfly_plugin another_name = {
#else
const struct fatfly_plugin fatfly_plugin = {
#endif
    .version = FATFLY_PLUGIN_VERSION + (BAD == VERSION),
    .name = BAD == NO_NAME ? "" : BAD == ODD_NAME ? "a\033b" : NAME,
    .channels = BAD == CHANNELS ? 3 : 0,
    .route = BAD == NO_CALLBACK || BAD == DESTINATION || BAD == GAP || BAD == HOME || BAD == HANGS_LATE ||
             BAD == EDGE_OF_TIME || BAD == DISORDER ? 0 : route,
    .before = BAD == DISORDER ? before : 0,
    .destination = BAD == DESTINATION || BAD == HOME || BAD == HANGS_LATE ? destination : 0,
    .gap = BAD == GAP || BAD == EDGE_OF_TIME ? gap : 0};
