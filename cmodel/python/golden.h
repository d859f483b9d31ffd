/* SPDX-License-Identifier: Apache-2.0
 * golden.h - one switch of the C model, flat, as fatfly.Switch sees it; build_ffi.py compiles it in.
 * Words are those of the pins of rtl/switch.v, port by port.
 */
#ifndef FATFLY_GOLDEN_H
#define FATFLY_GOLDEN_H

#include "switch.h"

#include <stdlib.h>

struct golden {
    struct fat_switch sw;
    struct switch_params params;
    struct switch_wires wires;
    struct flit mem[]; /* switch_mem() */
};

/* NULL, with a sentence in why[size], if there is no such switch or no memory. */
static struct golden *golden_open(unsigned vcs, unsigned depth, unsigned flit_bits, unsigned path, unsigned scan,
                                  unsigned level, unsigned levels, char *why, size_t size)
{
    const struct switch_params p = {.vcs = vcs, .depth = depth, .flit_w = flit_bits, .path = (enum path_select)path,
                                    .scan = (enum scan_order)scan, .level = level, .levels = levels};

    why[0] = '\0';
    if (switch_params_check(&p, why, size))
        return NULL;
    struct golden *g = calloc(1, sizeof *g + (switch_mem(&p) + 1) * sizeof *g->mem);
    if (!g)
        return NULL;
    g->params = p;
    switch_init(&g->sw, &g->params, g->mem);
    return g;
}

static void golden_close(struct golden *g)
{
    free(g);
}

static void golden_reset(struct golden *g, uint32_t seed)
{
    switch_reset(&g->sw, seed);
    g->wires = (struct switch_wires){.sent = 0};
}

/* What leaves and where there is room in this cycle, from the registers and the room behind the outputs. */
static void golden_eval(struct golden *g, const uint8_t out_room[6], uint8_t in_room[6], uint8_t out_valid[6],
                        uint8_t out_kind[6], uint64_t out_payload[6])
{
    uint8_t room[SWITCH_PORTS] = {0};

    for (unsigned p = 0; p < g->sw.ports; p++)
        room[p] = out_room[p];
    switch_eval(&g->sw, room, &g->wires);
    for (unsigned p = 0; p < SWITCH_PORTS; p++) {
        const struct link *out = &g->wires.out[p];
        bool there = p < g->sw.ports && out->valid;
        in_room[p] = p < g->sw.ports ? port_room(&g->sw.port[p], &g->params) : 0;
        out_valid[p] = there ? (uint8_t)out->valid : 0;
        out_kind[p] = there ? out->flit.kind : 0;
        out_payload[p] = there ? out->flit.payload : 0;
    }
}

/* The clock edge, with what arrives, only where golden_eval() of the same cycle showed room. */
static void golden_tick(struct golden *g, const uint8_t in_valid[6], const uint8_t in_kind[6],
                        const uint64_t in_payload[6])
{
    struct link in[SWITCH_PORTS] = {{.valid = 0}};

    for (unsigned p = 0; p < g->sw.ports; p++)
        if (in_valid[p])
            in[p] = (struct link){.valid = in_valid[p], .flit = {.payload = in_payload[p], .kind = in_kind[p]}};
    switch_tick(&g->sw, in, &g->wires);
}

static uint64_t golden_head(unsigned levels, uint64_t src, uint64_t dst, uint64_t path)
{
    return head_pack(levels, dst, src, worm_height(src, dst), path);
}

#endif
