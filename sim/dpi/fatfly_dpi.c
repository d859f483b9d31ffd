/* SPDX-License-Identifier: Apache-2.0
 * fatfly_dpi.c - one switch of the C model behind DPI-C, for fatfly_checker.sv.
 *
 * open, reset, eval and tick as in cmodel/switch/switch.h; vectors are those of the pins of
 * rtl/switch.v.  Nothing is kept outside the handles.
 */
#include "switch.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svdpi.h>

void *fatfly_dpi_open(int vcs, int depth, int flit_w, int path, int scan, int level, int levels,
                      const char *name);
void fatfly_dpi_reset(void *handle, unsigned seed);
void fatfly_dpi_eval(void *handle, const svBitVecVal *out_room, svBitVecVal *in_room,
                     svBitVecVal *out_valid, svBitVecVal *out_flit);
void fatfly_dpi_tick(void *handle, const svBitVecVal *in_valid, const svBitVecVal *in_flit);
void fatfly_dpi_close(void *handle);

enum { MAX_NAME = 200 };

struct golden {
    char name[MAX_NAME];
    bool said; /* that a flit came without room */
    struct switch_params params;
    struct fat_switch sw;
    struct switch_wires wires;
    struct flit mem[]; /* switch_mem() */
};

static unsigned bit(const svBitVecVal *v, unsigned at)
{
    return v[at / 32] >> at % 32 & 1;
}

static void put(svBitVecVal *v, unsigned at, uint64_t value, unsigned bits)
{
    for (unsigned k = 0; k < bits; k++) {
        svBitVecVal one = UINT32_C(1) << (at + k) % 32;
        v[(at + k) / 32] = (v[(at + k) / 32] & ~one) | (value >> k & 1 ? one : 0);
    }
}

static uint64_t get(const svBitVecVal *v, unsigned at, unsigned bits)
{
    uint64_t value = 0;
    for (unsigned k = 0; k < bits; k++)
        value |= (uint64_t)bit(v, at + k) << k;
    return value;
}

/* NULL, and one line on standard error that begins with name, if there is no such switch. */
void *fatfly_dpi_open(int vcs, int depth, int flit_w, int path, int scan, int level, int levels,
                      const char *name)
{
    const struct switch_params p = {.vcs = (unsigned)vcs, .depth = (unsigned)depth, .flit_w = (unsigned)flit_w,
                                    .path = (enum path_select)path, .scan = (enum scan_order)scan,
                                    .level = (unsigned)level, .levels = (unsigned)levels};
    char why[200];

    if (switch_params_check(&p, why, sizeof why)) {
        fprintf(stderr, "%s: %s\n", name, why);
        return NULL;
    }
    struct golden *g = calloc(1, sizeof *g + (switch_mem(&p) + 1) * sizeof *g->mem);
    if (!g) {
        fprintf(stderr, "%s: no memory for the C model\n", name);
        return NULL;
    }
    snprintf(g->name, sizeof g->name, "%s", name);
    g->params = p;
    switch_init(&g->sw, &g->params, g->mem);
    return g;
}

void fatfly_dpi_reset(void *handle, unsigned seed)
{
    struct golden *g = handle;
    switch_reset(&g->sw, seed);
    memset(&g->wires, 0, sizeof g->wires);
}

/* The outputs of this cycle, from the registers and the room behind the outputs. */
void fatfly_dpi_eval(void *handle, const svBitVecVal *out_room, svBitVecVal *in_room,
                     svBitVecVal *out_valid, svBitVecVal *out_flit)
{
    struct golden *g = handle;
    unsigned v = g->params.vcs, w = g->params.flit_w + 2;
    uint8_t room[SWITCH_PORTS] = {0};

    for (unsigned port = 0; port < g->sw.ports; port++)
        room[port] = (uint8_t)get(out_room, v * port, v);
    switch_eval(&g->sw, room, &g->wires);
    for (unsigned port = 0; port < SWITCH_PORTS; port++) {
        struct link none = {.valid = 0};
        const struct link *out = port < g->sw.ports ? &g->wires.out[port] : &none;
        put(in_room, v * port, port < g->sw.ports ? port_room(&g->sw.port[port], &g->params) : 0, v);
        put(out_valid, v * port, out->valid, v);
        put(out_flit, w * port, out->valid ? out->flit.payload : 0, g->params.flit_w);
        put(out_flit, w * port + g->params.flit_w, out->valid ? out->flit.kind : 0, 2);
    }
}

/* Whether a port can take flits on these channels: on one alone, which has room.  If not, one line says so once. */
static bool takes(struct golden *g, unsigned port, unsigned valid)
{
    if (!(valid & (valid - 1)) && !(valid & ~(unsigned)port_room(&g->sw.port[port], &g->params)))
        return true;
    if (!g->said)
        fprintf(stderr, "%s: port %u: in_valid_i = 0x%x %s; the C model leaves out such flits\n", g->name, port, valid,
                valid & (valid - 1) ? "on several channels at once" : "on a channel without room");
    g->said = true;
    return false;
}

/* The clock edge, with what arrives; after fatfly_dpi_eval() of the same cycle. */
void fatfly_dpi_tick(void *handle, const svBitVecVal *in_valid, const svBitVecVal *in_flit)
{
    struct golden *g = handle;
    unsigned v = g->params.vcs, w = g->params.flit_w + 2;
    struct link in[SWITCH_PORTS];

    memset(in, 0, sizeof in);
    for (unsigned port = 0; port < g->sw.ports; port++) {
        in[port].valid = (uint16_t)get(in_valid, v * port, v);
        if (!takes(g, port, in[port].valid)) {
            in[port].valid = 0;
        } else if (in[port].valid) {
            in[port].flit.payload = get(in_flit, w * port, g->params.flit_w);
            in[port].flit.kind = (uint8_t)get(in_flit, w * port + g->params.flit_w, 2);
        }
    }
    switch_tick(&g->sw, in, &g->wires);
}

void fatfly_dpi_close(void *handle)
{
    free(handle);
}
