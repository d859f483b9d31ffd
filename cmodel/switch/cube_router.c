/* SPDX-License-Identifier: Apache-2.0
 * cube_router.c - the router of a k-ary 2-cube: four neighbours and the processor.
 */
#include "cube_router.h"

#include <stdio.h>
#include <string.h>

unsigned cube_needs(const struct cube_params *p)
{
    unsigned hops = 2 * (p->torus ? p->radix / 2 : p->radix - 1); /* the most that a worm makes */

    if (!p->negative_hop)
        return p->torus ? 2 : 1;
    return (hops + 1) / 2 + 1;
}

const char *cube_params_check(const struct cube_params *p, char *why, size_t size)
{
    const char *path = p->negative_hop ? "negative-hop" : "e-cube";
    const char *place = p->torus ? "torus" : "mesh";

    if (p->radix < 2 || p->radix > MAX_RADIX)
        snprintf(why, size, "radix = %u; allowed: 2 to %d", p->radix, MAX_RADIX);
    else if (p->negative_hop && p->torus && p->radix % 2)
        snprintf(why, size, "radix = %u with %s on a torus; allowed: an even one, since the nodes of "
                 "a ring of odd length cannot have two colours", p->radix, path);
    else if (cube_needs(p) > MAX_CUBE_VCS)
        snprintf(why, size, "radix = %u with %s on a %s needs %u virtual channels; allowed: at most %d",
                 p->radix, path, place, cube_needs(p), MAX_CUBE_VCS);
    else if (p->vcs < cube_needs(p) || p->vcs > MAX_CUBE_VCS)
        snprintf(why, size, "vcs = %u; allowed: %s on a %s of radix %u takes %u to %d", p->vcs, path,
                 place, p->radix, cube_needs(p), MAX_CUBE_VCS);
    else if (p->depth < 1 || p->depth > MAX_DEPTH)
        snprintf(why, size, "depth = %u flits; allowed: 1 to %d", p->depth, MAX_DEPTH);
    else if (p->flit_w < 16 || p->flit_w > 64) /* a head has at most 16 bits */
        snprintf(why, size, "flit_w = %u bits; allowed: 16 to 64", p->flit_w);
    else if (p->scan != SCAN_RR && p->scan != SCAN_FO && p->scan != SCAN_ROT)
        snprintf(why, size, "scan = %s; allowed in a cube: rr, fo, rot",
                 (unsigned)p->scan < SCAN_COUNT ? scan_names[p->scan] : "?");
    else
        return NULL;
    return why;
}

enum { NONE = -1, NOT_READ = 0 }; /* no channel; what scan.c and arbiter.c need for other scans and paths */

/* What they read of a switch: six ports, for it is no root, none of them chosen by the arbiter. */
static struct switch_params as_switch(const struct cube_params *p)
{
    return (struct switch_params){.path = PATH_RP, .scan = p->scan, .levels = MAX_LEVELS};
}

static bool is_random(const struct cube_params *p)
{
    return p->scan == SCAN_RR || p->negative_hop;
}

size_t cube_router_mem(const struct cube_params *p)
{
    return (size_t)CUBE_PORTS * p->vcs * (p->depth - 1);
}

void cube_router_init(struct cube_router *r, const struct cube_params *p, uint32_t node,
                      struct flit *mem)
{
    *r = (struct cube_router){.params = *p, .node = node};
    for (unsigned i = 0; i < CUBE_PORTS; i++)
        for (unsigned v = 0; v < p->vcs; v++)
            r->port[i].fifo[v].mem_q = mem + (size_t)(i * p->vcs + v) * (p->depth - 1);
}

void cube_router_reset(struct cube_router *r, uint32_t seed)
{
    for (unsigned i = 0; i < CUBE_PORTS; i++) {
        struct cube_port *t = &r->port[i];
        for (unsigned v = r->params.vcs; v--;)
            fifo_reset(&t->fifo[v]);
        memset(t->hold_q, 0, sizeof t->hold_q);
        memset(t->chan_q, 0, sizeof t->chan_q);
        t->next_q = 0;
    }
    memset(r->busy_q, 0, sizeof r->busy_q);
    scan_reset(&r->scan);
    if (is_random(&r->params))
        lfsr_reset(&r->lfsr, seed);
}

uint16_t cube_router_room(const struct cube_router *r, unsigned port)
{
    unsigned room = 0;
    for (unsigned v = 0; v < r->params.vcs; v++)
        room |= (unsigned)fifo_room(&r->port[port].fifo[v], r->params.depth) << v;
    return (uint16_t)room;
}

/* Output channels that will do for the flit at the front, on whichever output. */
static uint16_t channels(const struct cube_router *r, unsigned port, unsigned v)
{
    const struct cube_port *t = &r->port[port];
    const struct flit *f = &t->fifo[v].front_q;
    if (!(f->kind & FLIT_HEAD))
        return t->chan_q[v];
    return cube_route(&r->params, r->node, cube_head_dst(r->params.radix, f->payload), port, v).mask;
}

/* Output channels that a flit could take now: a head those that are free, too. */
static uint16_t open_to(const struct cube_router *r, const struct flit *f, unsigned o, uint16_t room)
{
    return f->kind & FLIT_HEAD ? room & (uint16_t)~r->busy_q[o] : room;
}

/* The output that the flit at the front asks for, one-hot; zero if it could not move. */
static uint8_t asks(const struct cube_router *r, unsigned port, unsigned v, unsigned rand,
                    const uint16_t room[CUBE_PORTS])
{
    const struct cube_port *t = &r->port[port];
    const struct flit *f = &t->fifo[v].front_q;
    unsigned want = t->hold_q[v], can = 0;

    if (!fifo_valid(&t->fifo[v]))
        return 0;
    if (f->kind & FLIT_HEAD)
        want = cube_route(&r->params, r->node, cube_head_dst(r->params.radix, f->payload), port,
                          v).want;
    for (; want; want &= want - 1) {
        unsigned o = (unsigned)__builtin_ctz(want);
        if (open_to(r, f, o, room[o]) & channels(r, port, v))
            can |= 1u << o;
    }
    if ((can & 3) && (can & 12)) /* x and y: a random bit takes one */
        can &= rand ? 12 : 3;
    return (uint8_t)can;
}

void cube_router_eval(const struct cube_router *r, const uint16_t room[CUBE_PORTS],
                      struct cube_wires *w)
{
    const struct cube_params *p = &r->params;
    struct switch_params as = as_switch(p);
    uint8_t req[SWITCH_PORTS] = {[CUBE_PORTS] = 0}, masks[SWITCH_PORTS];
    static const struct scan_in in;
    arbiter_order order;

    memset(w->out, 0, sizeof w->out);
    for (unsigned i = 0; i < CUBE_PORTS; i++) {
        w->channel[i] = NONE;
        for (unsigned left = p->vcs; left && w->channel[i] == NONE; left--) {
            unsigned v = (r->port[i].next_q + p->vcs - left) % p->vcs;
            req[i] = asks(r, i, v, r->lfsr.lfsr_q >> (16 + i) & 1, room);
            if (req[i])
                w->channel[i] = (int8_t)v;
        }
    }
    scan_eval(&r->scan, &as, &in, order, masks);
    arbiter_eval(as.path, false, req, NOT_READ, order, w->gnt);
    for (unsigned i = CUBE_PORTS; i--;) {
        if (!w->gnt[i])
            continue;
        unsigned o = (unsigned)__builtin_ctz(w->gnt[i]), v = (unsigned)w->channel[i];
        const struct flit *f = &r->port[i].fifo[v].front_q;
        unsigned takes = open_to(r, f, o, room[o]) & channels(r, i, v);
        w->out[o].flit = *f;
        w->out[o].valid = (uint16_t)(takes & -takes); /* the lowest */
    }
}

void cube_router_tick(struct cube_router *r, const struct link in[CUBE_PORTS],
                      const struct cube_wires *w)
{
    const struct cube_params *p = &r->params;
    struct switch_params as = as_switch(p);

    scan_tick(&r->scan, &as, r->lfsr.lfsr_q >> 24, w->gnt, NOT_READ);
    if (is_random(p))
        lfsr_tick(&r->lfsr);
    for (unsigned i = 0; i < CUBE_PORTS; i++) {
        struct cube_port *t = &r->port[i];
        unsigned leaves = w->gnt[i] ? (unsigned)w->channel[i] : p->vcs;
        if (w->gnt[i]) {
            bool tail = t->fifo[leaves].front_q.kind & FLIT_TAIL;
            t->hold_q[leaves] = tail ? 0 : w->gnt[i];
            t->chan_q[leaves] = tail ? 0 : w->out[__builtin_ctz(w->gnt[i])].valid;
            t->next_q = (uint8_t)((leaves + 1) % p->vcs);
        }
        for (unsigned v = 0; v < p->vcs; v++)
            fifo_tick(&t->fifo[v], p->depth, in[i].valid >> v & 1 ? &in[i].flit : NULL, v == leaves);
    }
    for (unsigned o = 0; o < CUBE_PORTS; o++)
        if (w->out[o].valid)
            r->busy_q[o] = w->out[o].flit.kind & FLIT_TAIL
                               ? r->busy_q[o] & (uint16_t)~w->out[o].valid
                               : r->busy_q[o] | w->out[o].valid;
}

static unsigned flit_words(const struct cube_params *p)
{
    return (p->flit_w + 33) / 32;
}

static uint32_t *flit_probe(const struct flit *f, unsigned flit_w, uint32_t *words)
{
    uint64_t low = f->payload | (flit_w < 64 ? (uint64_t)f->kind << flit_w : 0);
    *words++ = (uint32_t)low;
    if (flit_w + 2 > 32)
        *words++ = (uint32_t)(low >> 32);
    if (flit_w + 2 > 64)
        *words++ = flit_w < 64 ? (uint32_t)f->kind >> (64 - flit_w) : f->kind;
    return words;
}

static unsigned port_words(const struct cube_params *p)
{
    return 2 + flit_words(p) + p->vcs * (1 + p->depth * flit_words(p));
}

unsigned cube_probe_words(const struct cube_params *p)
{
    return 4 + SWITCH_PORTS * port_words(p);
}

void cube_router_probe(const struct cube_router *r, const struct link in[CUBE_PORTS],
                       const struct cube_wires *w, uint32_t *words)
{
    static const struct flit none = {.kind = 0};
    const struct cube_params *p = &r->params;
    struct switch_params as = as_switch(p);
    uint64_t busy = 0;

    for (unsigned o = 0; o < CUBE_PORTS; o++)
        busy |= (uint64_t)r->busy_q[o] << p->vcs * o;
    *words++ = r->lfsr.lfsr_q;
    *words++ = (uint32_t)busy;
    *words++ = (uint32_t)(busy >> 32);
    scan_probe(&r->scan, &as, words++);
    for (unsigned i = 0; i < CUBE_PORTS; i++) {
        const struct cube_port *t = &r->port[i];
        unsigned offer = w->channel[i] < 0 ? 0 : 1u << w->channel[i];
        *words++ = in[i].valid | (uint32_t)cube_router_room(r, i) << 9 | (uint32_t)w->gnt[i] << 18;
        *words++ = offer | (uint32_t)t->next_q << 9;
        words = flit_probe(&in[i].flit, p->flit_w, words);
        for (unsigned v = 0; v < p->vcs; v++) {
            const struct fifo *f = &t->fifo[v];
            bool all = p->depth != 2; /* at depth 2 what is not in the queue is not shown */
            *words++ = f->count_q | (uint32_t)f->rd_q << 5 | (uint32_t)f->wr_q << 9 |
                       (uint32_t)f->fresh_q << 13 | (uint32_t)t->hold_q[v] << 14 |
                       (uint32_t)t->chan_q[v] << 19;
            words = flit_probe(all || f->count_q ? &f->front_q : &none, p->flit_w, words);
            for (unsigned k = 0; k + 1 < p->depth; k++)
                words = flit_probe(all || f->count_q == 2 ? &f->mem_q[k] : &none, p->flit_w, words);
        }
    }
    memset(words, 0, port_words(p) * sizeof *words); /* port 5 of the arbiter */
}
