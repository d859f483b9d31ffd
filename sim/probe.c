/* SPDX-License-Identifier: Apache-2.0
 * probe.c - names for the words that dut_ops.state() shows: every link and register of a device.
 *
 * The layout is that of switch_probe() in cmodel/switch/switch.c and of probe_o in rtl/switch.v.
 * A field of a word is named in its full width, so that no bit that a side could set is nameless.
 */
#include "probe.h"

#include "cube_router.h"
#include "fat_tree.h"
#include "scan.h"
#include "switch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds a signal at bit and returns the bit after it; with no table it only counts. */
static unsigned add(struct probe *p, unsigned port, unsigned vc, enum probe_what what,
                    unsigned bit, unsigned width, const char *name)
{
    if (p->signal) {
        struct probe_signal *g = &p->signal[p->count];
        snprintf(g->name, sizeof g->name, "%s", name);
        g->what = what;
        g->port = (uint8_t)port;
        g->vc = (uint8_t)vc;
        g->bit = bit;
        g->width = (uint16_t)width;
    }
    p->count++;
    return bit + width;
}

/* A flit's payload and kind; returns the bit after its whole words. */
static unsigned add_flit(struct probe *p, unsigned port, unsigned vc, unsigned bit,
                         const char *prefix, const char *dot)
{
    unsigned w = p->shape.params.flit_w;
    char name[20];

    snprintf(name, sizeof name, "%s%skind", prefix, dot);
    add(p, port, vc, PROBE_KIND, bit + w, 2, name);
    snprintf(name, sizeof name, "%s%spayload", prefix, dot);
    add(p, port, vc, PROBE_PAYLOAD, bit, w, name);
    return bit + (w + 33) / 32 * 32;
}

static unsigned add_vc(struct probe *p, unsigned port, unsigned vc, unsigned bit)
{
    const struct switch_params *s = &p->shape.params;
    unsigned at = add(p, port, vc, PROBE_REG, bit, 5, "count_q");

    at = add(p, port, vc, PROBE_REG, at, 4, "rd_q");
    at = add(p, port, vc, PROBE_REG, at, 4, "wr_q");
    at = add(p, port, vc, PROBE_REG, at, 1, "fresh_q");
    bool cube = p->shape.cube.radix;
    at = add(p, port, vc, PROBE_REG, at, cube ? CUBE_PORTS : SWITCH_PORTS, "hold_q");
    at = add(p, port, vc, PROBE_REG, at, cube ? MAX_CUBE_VCS : MAX_VCS, "chan_q");
    if (!cube)
        at = add(p, port, vc, PROBE_REG, at, 4, "height_q");
    if (!cube && s->path == PATH_RW)
        add(p, port, vc, PROBE_REG, at, 1, "drawn_q");
    bit = add_flit(p, port, vc, bit + 32, "front_q", ".");
    for (unsigned k = 0; k + 1 < s->depth; k++) {
        char prefix[12];
        snprintf(prefix, sizeof prefix, "mem_q[%u]", k & 15);
        bit = add_flit(p, port, vc, bit, prefix, ".");
    }
    return bit;
}

static unsigned add_port(struct probe *p, unsigned port, unsigned bit)
{
    bool cube = p->shape.cube.radix;
    unsigned vcs = cube ? MAX_CUBE_VCS : MAX_VCS;
    unsigned at = add(p, port, PROBE_NO_VC, PROBE_WIRE, bit, vcs, "link_valid");

    at = add(p, port, PROBE_NO_VC, PROBE_WIRE, at, vcs, "room");
    at = add(p, port, PROBE_NO_VC, PROBE_WIRE, at, 6, "gnt");
    if (cube)
        at = bit += 32;
    at = add(p, port, PROBE_NO_VC, PROBE_WIRE, at, vcs, "offer");
    add(p, port, PROBE_NO_VC, PROBE_REG, at, cube ? 4 : 2, "next_q");
    bit = add_flit(p, port, PROBE_NO_VC, bit + 32, "link", "_");
    for (unsigned v = 0; v < p->shape.params.vcs; v++)
        bit = add_vc(p, port, v, bit);
    return bit;
}

/* The same for a cube's router, as cube_router_probe() and probe_o of rtl/cube/cube.v have it. */
static unsigned add_router(struct probe *p)
{
    unsigned vcs = p->shape.params.vcs, bit = 128;

    add(p, PROBE_NO_PORT, PROBE_NO_VC, PROBE_REG, 0, 32, "lfsr_q");
    for (unsigned o = 0; o < CUBE_PORTS; o++)
        add(p, o, PROBE_NO_VC, PROBE_REG, 32 + vcs * o, vcs, "busy_q");
    add(p, PROBE_NO_PORT, PROBE_NO_VC, PROBE_REG, 96, 3, "start_q");
    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        add(p, o, PROBE_NO_VC, PROBE_REG, 99 + 3 * o, 3, "rot_q");
    for (unsigned port = 0; port < SWITCH_PORTS; port++)
        bit = add_port(p, port, bit);
    return bit;
}

/* Fills or counts the table and returns the bits of a switch. */
static unsigned add_switch(struct probe *p)
{
    const struct switch_params *s = &p->shape.params;
    unsigned channels = SWITCH_PORTS * s->vcs;
    unsigned scan_words = scan_probe_words(s);
    unsigned bit;

    p->count = 0;
    if (p->shape.cube.radix)
        return add_router(p);
    add(p, PROBE_NO_PORT, PROBE_NO_VC, PROBE_REG, 0, 32, "lfsr_q");
    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        add(p, o, PROBE_NO_VC, PROBE_REG, 32 + s->vcs * o, s->vcs, "busy_q");
    add(p, PROBE_NO_PORT, PROBE_NO_VC, PROBE_REG, 64, 3, "start_q");
    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        add(p, o, PROBE_NO_VC, PROBE_REG, 67 + 3 * o, 3, "rot_q");
    unsigned pairs = scan_words > 1 ? channels * (channels - 1) / 2 : 0;
    for (unsigned k = 0; 32 * k < pairs; k++) {
        char name[20];
        snprintf(name, sizeof name, "older_q[%u]", k & 15);
        add(p, PROBE_NO_PORT, PROBE_NO_VC, PROBE_REG, 96 + 32 * k,
            pairs - 32 * k < 32 ? pairs - 32 * k : 32, name);
    }
    bit = 64 + 32 * scan_words;
    for (unsigned port = 0; port < SWITCH_PORTS; port++)
        bit = add_port(p, port, bit);
    return bit;
}

int probe_init(struct probe *p, const struct dut_shape *shape)
{
    memset(p, 0, sizeof *p);
    p->shape = *shape;
    p->switches = dut_switches(shape);
    p->words = add_switch(p) / 32;
    p->signal = calloc(p->count, sizeof *p->signal);
    if (!p->signal)
        return -1;
    add_switch(p);
    return 0;
}

void probe_free(struct probe *p)
{
    free(p->signal);
    memset(p, 0, sizeof *p);
}

uint64_t probe_get(const struct probe *p, const uint32_t *state, unsigned s,
                   const struct probe_signal *g)
{
    const uint32_t *word = state + (size_t)s * p->words + g->bit / 32;
    unsigned shift = g->bit % 32, end = shift + g->width;
    uint64_t low = word[0], value;

    if (end > 32)
        low |= (uint64_t)word[1] << 32;
    value = low >> shift;
    if (end > 64)
        value |= (uint64_t)word[2] << (64 - shift);
    return g->width < 64 ? value & ((UINT64_C(1) << g->width) - 1) : value;
}

const struct probe_signal *probe_find(const struct probe *p, const char *name, unsigned port,
                                      unsigned vc)
{
    for (unsigned k = 0; k < p->count; k++) {
        const struct probe_signal *g = &p->signal[k];
        if (g->port == port && g->vc == vc && !strcmp(g->name, name))
            return g;
    }
    return NULL;
}

void probe_switch_place(const struct probe *p, unsigned s, unsigned *level, unsigned *address)
{
    unsigned k = p->shape.cube.radix;
    if (k) {
        unsigned node = p->shape.network ? s : p->shape.cube.node;
        *level = node % k;
        *address = node / k;
        return;
    }
    *level = p->shape.params.level;
    *address = s;
    if (!p->shape.network)
        return;
    uint32_t a;
    fat_tree_place(p->shape.params.levels, s, level, &a);
    *address = a;
}

void probe_switch_name(const struct probe *p, unsigned s, char *text, size_t size)
{
    unsigned l, a;
    probe_switch_place(p, s, &l, &a);
    snprintf(text, size, "%c(%u,%u)", p->shape.cube.radix ? 'R' : 'S', l, a);
}
