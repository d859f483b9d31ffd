/* SPDX-License-Identifier: Apache-2.0
 * dut_cmodel.c - the C model behind the seam: a switch or a network.
 */
#include "dut.h"
#include "network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dut {
    struct dut_shape shape;
    struct network *network; /* NULL: a single switch */
    uint32_t *words;
    /* A single switch, its queue memory and the links around it. */
    struct fat_switch sw;
    struct switch_wires wires;
    struct flit *mem;
    struct link in[SWITCH_PORTS];
    uint8_t *room; /* [endpoints]: what the exits have, a byte as a fat-tree's links have it */
};

static void close_(struct dut *d)
{
    if (!d)
        return;
    network_free(d->network);
    free(d->words);
    free(d->mem);
    free(d->room);
    free(d);
}

static struct dut *open_(const struct dut_shape *shape, char *why, size_t size)
{
    struct dut *d;

    if (switch_params_check(&shape->params, why, size))
        return NULL;
    d = calloc(1, sizeof *d);
    if (d) {
        d->shape = *shape;
        d->words = calloc(dut_probe_words(shape), sizeof *d->words);
        d->room = calloc(dut_endpoints(shape), sizeof *d->room);
        if (shape->network)
            d->network = network_new(&shape->params);
        else
            d->mem = calloc(switch_mem(&shape->params) + 1, sizeof *d->mem);
    }
    if (!d || !d->words || !d->room || (!d->network && !d->mem)) {
        close_(d);
        snprintf(why, size, "no memory for the C model");
        return NULL;
    }
    if (!shape->network) {
        memset(&d->sw, 0xa5, sizeof d->sw); /* as memory may be that nobody has cleared */
        /* From its own copy: a mutant that writes there leaves the other side alone. */
        switch_init(&d->sw, &d->shape.params, d->mem);
    }
    return d;
}

static void reset(struct dut *d, uint32_t seed)
{
    if (d->network)
        network_reset(d->network, seed);
    else
        switch_reset(&d->sw, seed);
}

static void drive(struct dut *d, const struct link *in, const uint16_t *room)
{
    unsigned endpoints = d->network ? d->network->nodes : d->sw.ports;
    for (unsigned e = 0; e < endpoints; e++)
        d->room[e] = (uint8_t)room[e];
    if (d->network) {
        network_drive(d->network, in, d->room);
        network_eval(d->network);
    } else {
        memcpy(d->in, in, d->sw.ports * sizeof *in);
        switch_eval(&d->sw, d->room, &d->wires);
    }
}

static void room_(struct dut *d, uint16_t *room)
{
    if (d->network)
        for (uint32_t a = 0; a < d->network->nodes; a++)
            room[a] = network_room(d->network, a);
    else
        for (unsigned i = 0; i < SWITCH_PORTS; i++)
            room[i] = i < d->sw.ports ? port_room(&d->sw.port[i], &d->shape.params) : 0;
}

static void sample(struct dut *d, struct link *link)
{
    if (d->network)
        memcpy(link, network_exit(d->network, 0), d->network->nodes * sizeof *link);
    else
        memcpy(link, d->wires.out, sizeof d->wires.out);
}

static const uint32_t *state(struct dut *d)
{
    if (d->network)
        network_probe(d->network, d->words);
    else
        switch_probe(&d->sw, d->in, &d->wires, d->words);
    return d->words;
}

static void tick(struct dut *d)
{
    if (d->network)
        network_tick(d->network);
    else
        switch_tick(&d->sw, d->in, &d->wires);
}

static const char *check(struct dut *d, unsigned *at)
{
    uint32_t s = 0;
    const char *wrong = d->network ? network_check(d->network, &s) : switch_check(&d->sw);

    if (!d->network && !wrong)
        wrong = switch_check_wires(&d->sw, &d->wires);
    *at = s;
    return wrong;
}

const struct dut_ops dut_cmodel = {DUT_SEAM, "c",   open_, reset,  room_, drive,
                                   sample,   state, tick,  close_, check};

/* So that a C model with a planted bug can be loaded like a Verilated library. */
const struct dut_ops *fatfly_dut(void);
const struct dut_ops *fatfly_dut(void)
{
    return &dut_cmodel;
}
