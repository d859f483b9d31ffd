/* SPDX-License-Identifier: Apache-2.0
 * port.c - one input port: V queues, the output that each worm holds, and the flit on offer.
 */
#include "port.h"

void port_init(struct port *t, const struct switch_params *p, struct flit *mem)
{
    static const struct port none;

    *t = none;
    for (unsigned v = 0; v < p->vcs; v++)
        t->fifo[v].mem_q = mem + (size_t)v * (p->depth - 1);
}

void port_reset(struct port *t, const struct switch_params *p)
{
    for (unsigned v = 0; v < p->vcs; v++) {
        fifo_reset(&t->fifo[v]);
        t->hold_q[v] = t->chan_q[v] = t->height_q[v] = t->drawn_q[v] = 0;
    }
    t->next_q = 0;
}

static inline uint8_t channel_asks(const struct port *t, const struct switch_params *p,
                                   unsigned v, bool parent, unsigned rand, const struct port_view *view)
{
    const struct fifo *f = &t->fifo[v];
    if (!fifo_valid(f))
        return 0;
    if (f->front_q.kind & FLIT_HEAD)
        return port_wants(t, p, v, parent, rand) & view->free_any;
    if (p->vcs == 1)
        return t->hold_q[v] & view->room_any;
    return t->hold_q[v] && view->room[__builtin_ctz(t->hold_q[v])] & t->chan_q[v] ? t->hold_q[v] : 0;
}

uint8_t port_eval(const struct port *t, const struct switch_params *p, bool parent, unsigned rand,
                  const struct port_view *view, int *channel)
{
    unsigned v = t->next_q;

    if (p->vcs == 1) {
        *channel = 0;
        return channel_asks(t, p, 0, parent, rand, view);
    }
    do {
        uint8_t asks = channel_asks(t, p, v, parent, rand, view);
        if (asks) {
            *channel = (int)v;
            return asks;
        }
        v = (v + 1) & (p->vcs - 1);
    } while (v != t->next_q);
    *channel = -1;
    return 0;
}

void port_tick(struct port *t, const struct switch_params *p, const struct link *in,
               uint8_t gnt, unsigned channel, uint8_t chan)
{
    if (gnt) {
        const struct flit *f = &t->fifo[channel].front_q;
        bool tail = f->kind & FLIT_TAIL;
        if (p->vcs > 1) {
            if (p->scan == SCAN_FF && (f->kind & FLIT_HEAD))
                t->height_q[channel] = (uint8_t)head_height(p->levels, f->payload);
            t->chan_q[channel] = tail ? 0 : chan;
            t->next_q = (uint8_t)((channel + 1) & (p->vcs - 1));
        }
        t->hold_q[channel] = tail ? 0 : gnt;
    }
    for (unsigned v = p->vcs; v-- > 0;)
        fifo_tick(&t->fifo[v], p->depth, in->valid >> v & 1 ? &in->flit : NULL,
                  gnt && channel == v);
}
