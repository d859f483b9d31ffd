/* SPDX-License-Identifier: Apache-2.0
 * port.h - one input port: V queues, the output that each worm holds, and the flit on offer.
 * RTL twin: rtl/port.v, with the same registers; in brackets: the bits of each, of all channels.
 */
#ifndef FATFLY_PORT_H
#define FATFLY_PORT_H

#include "fifo.h"
#include "params.h"
#include "route.h"

struct port {
    struct fifo fifo[MAX_VCS];
    uint8_t hold_q[MAX_VCS];   /* [6 * vcs] output that the worm in this channel holds, one-hot; zero = none */
    uint8_t chan_q[MAX_VCS];   /* [vcs * vcs if vcs > 1] the channel that it holds there, one-hot */
    uint8_t height_q[MAX_VCS]; /* [vcs * height if vcs > 1 and FF] its height */
    uint8_t drawn_q[MAX_VCS];  /* [vcs if RW] parent that the head drew in its first cycle at the front */
    uint8_t next_q;            /* [clog2(vcs)] channel to offer first */
};

/* Output channels as a port sees them, a bit per channel for each output. */
struct port_view {
    uint8_t room[SWITCH_PORTS]; /* room at the far end */
    uint8_t free[SWITCH_PORTS]; /* ... and no worm holds the channel */
    uint8_t room_any;           /* outputs with some room, a bit each */
    uint8_t free_any;           /* outputs with some free channel, a bit each */
};

/* mem: vcs * (depth - 1) flits, which stay the caller's.  What is in *t before does not matter. */
void port_init(struct port *t, const struct switch_params *p, struct flit *mem);
void port_reset(struct port *t, const struct switch_params *p);

/* Outputs that will do for the head at the front of channel v in this cycle, a bit each, free or not.
 * parent: this is a parent port; rand: the port's random bit. */
static inline uint8_t port_wants(const struct port *t, const struct switch_params *p, unsigned v,
                                 bool parent, unsigned rand)
{
    const struct fifo *f = &t->fifo[v];
    uint8_t to = route_head(p, f->front_q.payload, parent, rand);
    if (p->path == PATH_RW && to == 0x30 && !f->fresh_q)
        return (uint8_t)(16u << t->drawn_q[v]);
    return to;
}

/* Outputs that the flit on offer could take in this cycle, a bit each, 0 if none asks; *channel is the
 * channel it waits in, -1 if there are more than one and none asks.  parent: this is a parent port;
 * rand: the port's random bit. */
uint8_t port_eval(const struct port *t, const struct switch_params *p, bool parent, unsigned rand,
                  const struct port_view *view, int *channel);

/* The clock edge: in enters; if gnt (one-hot) is not zero, the flit of the offered channel has
 * left for channel chan (one-hot) of that output. */
void port_tick(struct port *t, const struct switch_params *p, const struct link *in,
               uint8_t gnt, unsigned channel, uint8_t chan);

/* RW, at the clock edge and before port_tick(): heads that are new at the front keep what they drew. */
static inline void port_draw(struct port *t, const struct switch_params *p, unsigned rand)
{
    for (unsigned v = 0; v < p->vcs; v++)
        if (t->fifo[v].fresh_q && (t->fifo[v].front_q.kind & FLIT_HEAD))
            t->drawn_q[v] = (uint8_t)rand;
}

/* Room for a flit, a bit per channel. */
static inline uint8_t port_room(const struct port *t, const struct switch_params *p)
{
    unsigned room = 0;
    for (unsigned v = 0; v < p->vcs; v++)
        room |= (unsigned)fifo_room(&t->fifo[v], p->depth) << v;
    return (uint8_t)room;
}

/* Height of the worm in a channel that has a flit (FF). */
static inline uint8_t port_height(const struct port *t, const struct switch_params *p, unsigned v)
{
    const struct flit *f = &t->fifo[v].front_q;
    return f->kind & FLIT_HEAD ? (uint8_t)head_height(p->levels, f->payload) : t->height_q[v];
}

#endif
