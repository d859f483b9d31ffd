/* SPDX-License-Identifier: Apache-2.0
 * dut_cube.c - the C model of a k-ary 2-cube, or of one router of it, behind the seam.
 */
#include "cube_network.h"
#include "dut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct dut {
    struct cube_network *network;
    uint32_t *words;
};

static void close_(struct dut *d)
{
    if (!d)
        return;
    cube_network_free(d->network);
    free(d->words);
    free(d);
}

static struct dut *open_(const struct dut_shape *shape, char *why, size_t size)
{
    struct cube_params p;

    dut_cube_params(shape, &p);
    if (cube_params_check(&p, why, size))
        return NULL;
    struct dut *d = calloc(1, sizeof *d);
    if (d) {
        d->network = cube_network_new(&p, shape->network ? -1 : (int)shape->cube.node);
        d->words = calloc(dut_probe_words(shape), sizeof *d->words);
    }
    if (!d || !d->network || !d->words) {
        close_(d);
        snprintf(why, size, "no memory for the C model");
        return NULL;
    }
    return d;
}

static void reset(struct dut *d, uint32_t seed)
{
    cube_network_reset(d->network, seed);
}

static void room_(struct dut *d, uint16_t *room)
{
    for (uint32_t e = 0; e < d->network->endpoints; e++)
        room[e] = d->network->room[d->network->enter[e]];
}

static void drive(struct dut *d, const struct link *in, const uint16_t *room)
{
    cube_network_drive(d->network, in, room);
}

static void sample(struct dut *d, struct link *link)
{
    memcpy(link, &d->network->link[CUBE_PORTS * (size_t)d->network->routers],
           d->network->endpoints * sizeof *link);
}

static const uint32_t *state(struct dut *d)
{
    cube_network_probe(d->network, d->words);
    return d->words;
}

static void tick(struct dut *d)
{
    cube_network_tick(d->network);
}

const struct dut_ops dut_cube = {DUT_SEAM, "c",   open_, reset,  room_, drive,
                                 sample,   state, tick,  close_, NULL};

#ifdef DUT_LIBRARY /* tb/bugs/run.sh: with a planted bug, loaded like a Verilated library */
const struct dut_ops *fatfly_dut(void);
const struct dut_ops *fatfly_dut(void)
{
    return &dut_cube;
}
#endif
