/* SPDX-License-Identifier: Apache-2.0
 * cube_router.h - the router of a k-ary 2-cube: four neighbours (ports 0..3) and the processor (4).
 * RTL twin: rtl/cube/cube.v, its ports rtl/cube/cube_port.v; docs/cube.md has the rules of a cycle.
 *
 * A cycle: cube_router_eval() is the logic between clock edges and changes nothing,
 * cube_router_tick() is the clock edge.  Fields that end in _q are the registers of the RTL.
 */
#ifndef FATFLY_CUBE_ROUTER_H
#define FATFLY_CUBE_ROUTER_H

#include "cube_route.h"
#include "fifo.h"
#include "lfsr.h"

struct cube_port {
    struct fifo fifo[MAX_CUBE_VCS];
    uint8_t hold_q[MAX_CUBE_VCS];  /* output that the worm in this channel holds, one-hot or zero */
    uint16_t chan_q[MAX_CUBE_VCS]; /* ... and the channel, one-hot */
    uint8_t next_q;                /* channel to offer first */
};

struct cube_router {
    struct cube_params params;
    uint32_t node;                 /* x + k * y */
    struct cube_port port[CUBE_PORTS];
    struct scan scan;
    struct lfsr lfsr;
    uint16_t busy_q[CUBE_PORTS];   /* output channels that a worm holds, a bit each */
};

/* The wires of one cycle. */
struct cube_wires {
    struct link out[CUBE_PORTS];
    uint8_t gnt[SWITCH_PORTS];     /* output that the input's flit crosses to, one-hot or zero */
    int8_t channel[CUBE_PORTS];    /* channel on offer; -1 if none asks */
};

/* Virtual channels that the routing needs, at most MAX_CUBE_VCS + 1 (BC 2; Dally and Seitz). */
unsigned cube_needs(const struct cube_params *p);

/* NULL if p describes a router, else what is wrong and what is allowed, written to why[size]. */
const char *cube_params_check(const struct cube_params *p, char *why, size_t size);

/* Flits of queue memory that cube_router_init() needs beside the struct. */
size_t cube_router_mem(const struct cube_params *p);

/* p must have passed cube_params_check(); mem[cube_router_mem(p)] stays the caller's. */
void cube_router_init(struct cube_router *r, const struct cube_params *p, uint32_t node,
                      struct flit *mem);
void cube_router_reset(struct cube_router *r, uint32_t seed);

/* room[o]: room at the far end of output o, a bit per channel. */
void cube_router_eval(const struct cube_router *r, const uint16_t room[CUBE_PORTS],
                      struct cube_wires *w);

/* in[i]: the links into the router in this cycle; a flit only where there was room. */
void cube_router_tick(struct cube_router *r, const struct link in[CUBE_PORTS],
                      const struct cube_wires *w);

/* Room for a flit at a port, a bit per channel. */
uint16_t cube_router_room(const struct cube_router *r, unsigned port);

/* Every link and register as words, the probe_o of rtl/cube/cube.v. */
unsigned cube_probe_words(const struct cube_params *p);
void cube_router_probe(const struct cube_router *r, const struct link in[CUBE_PORTS],
                       const struct cube_wires *w, uint32_t *words);

#endif
