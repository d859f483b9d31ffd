/* SPDX-License-Identifier: Apache-2.0
 * switch.c - the butterfly fat-tree switch: four children, two parents.
 */
#include "switch.h"

#include "arbiter.h"

#include <string.h>

size_t switch_mem(const struct switch_params *p)
{
    return (size_t)SWITCH_PORTS * p->vcs * (p->depth - 1);
}

void switch_init(struct fat_switch *s, const struct switch_params *p, struct flit *mem)
{
    memset(s, 0, sizeof *s);
    s->params = *p;
    s->ports = p->level == p->levels ? SWITCH_CHILDREN : SWITCH_PORTS;
    s->random = p->scan == SCAN_RR || p->scan == SCAN_FF || p->path == PATH_RP ||
                p->path == PATH_RG;
    for (unsigned i = 0; i < SWITCH_PORTS; i++)
        port_init(&s->port[i], p, mem + (size_t)i * p->vcs * (p->depth - 1));
}

void switch_reset(struct fat_switch *s, uint32_t seed)
{
    for (unsigned i = 0; i < SWITCH_PORTS; i++)
        port_reset(&s->port[i], &s->params);
    scan_reset(&s->scan);
    if (s->random)
        lfsr_reset(&s->lfsr, seed);
    memset(s->busy_q, 0, sizeof s->busy_q);
    s->waiting = 0;
}

static uint32_t fresh_heads(const struct fat_switch *s)
{
    uint32_t fresh = 0;
    for (unsigned rest = s->waiting; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        for (unsigned v = 0; v < s->params.vcs; v++) {
            const struct fifo *f = &s->port[i].fifo[v];
            if (f->fresh_q && (f->front_q.kind & FLIT_HEAD))
                fresh |= UINT32_C(1) << (s->params.vcs * i + v);
        }
    }
    return fresh;
}

void switch_eval(const struct fat_switch *s, const uint8_t room[SWITCH_PORTS],
                 struct switch_wires *w)
{
    const struct switch_params *p = &s->params;
    unsigned up = s->lfsr.lfsr_q >> 16 & 15; /* a random bit for each child port */
    struct port_view view = {.room_any = 0};
    struct scan_in in = {.asks = 0};
    uint8_t req[SWITCH_PORTS] = {0};
    unsigned asked = 0; /* outputs */
    bool contest = false;

    for (unsigned rest = w->sent; rest; rest &= rest - 1) /* of the cycle before */
        w->out[__builtin_ctz(rest)] = (struct link){.valid = 0};
    w->sent = 0;
    w->fresh = 0;
    memset(w->gnt, 0, sizeof w->gnt);
    memset(w->channel, -1, sizeof w->channel);
    if (!s->waiting)
        return;
    for (unsigned o = 0; o < s->ports; o++) {
        view.room[o] = room[o];
        view.free[o] = room[o] & (uint8_t)~s->busy_q[o];
        view.room_any |= (uint8_t)((room[o] != 0) << o);
        view.free_any |= (uint8_t)((view.free[o] != 0) << o);
    }
    for (unsigned rest = s->waiting; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        int channel;
        req[i] = port_eval(&s->port[i], p, i >= SWITCH_CHILDREN, up >> i & 1, &view, &channel) &
                 arbiter_crosspoints[i];
        w->channel[i] = (int8_t)channel;
        if (!req[i])
            continue;
        contest |= (asked & req[i]) || (req[i] & (req[i] - 1));
        asked |= req[i];
        in.asks |= (uint8_t)(1u << i);
        in.channel[i] = (uint8_t)channel;
        if (p->scan == SCAN_FF)
            in.height[i] = port_height(&s->port[i], p, (unsigned)channel);
    }
    if (p->scan == SCAN_FCFS)
        in.fresh = w->fresh = fresh_heads(s);
    if (!in.asks)
        return;

    if (contest) {
        arbiter_order order;
        uint8_t masks[SWITCH_PORTS];
        scan_eval(&s->scan, p, &in, order, masks);
        arbiter_eval(p->path, s->ports == SWITCH_CHILDREN, req, up, order, w->gnt);
    } else { /* each asks for one output and nobody else does: every order grants it */
        memcpy(w->gnt, req, sizeof req);
    }

    for (unsigned rest = in.asks; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if (!w->gnt[i])
            continue;
        unsigned o = (unsigned)__builtin_ctz(w->gnt[i]);
        unsigned v = (unsigned)w->channel[i];
        const struct flit *f = &s->port[i].fifo[v].front_q;
        w->sent |= w->gnt[i];
        w->out[o].flit = *f;
        if (f->kind & FLIT_HEAD)
            w->out[o].valid = view.free[o] & (uint8_t)-view.free[o]; /* the lowest free channel */
        else
            w->out[o].valid = p->vcs == 1 ? 1 : s->port[i].chan_q[v];
    }
}

void switch_tick_idle(struct fat_switch *s)
{
    static const uint8_t none[SWITCH_PORTS];

    scan_tick(&s->scan, &s->params, s->lfsr.lfsr_q >> 24, none, 0);
    if (s->random)
        lfsr_tick(&s->lfsr);
}

void switch_tick(struct fat_switch *s, const struct link in[SWITCH_PORTS],
                 const struct switch_wires *w)
{
    const struct switch_params *p = &s->params;

    scan_tick(&s->scan, p, s->lfsr.lfsr_q >> 24, w->gnt, w->fresh);
    if (s->random)
        lfsr_tick(&s->lfsr);
    for (unsigned i = 0; i < s->ports; i++) {
        struct port *t = &s->port[i];
        if (!w->gnt[i] && !in[i].valid) {
            if (s->waiting >> i & 1)
                for (unsigned v = 0; v < p->vcs; v++)
                    t->fifo[v].fresh_q = 0;
            continue;
        }
        uint8_t chan = w->gnt[i] ? (uint8_t)w->out[__builtin_ctz(w->gnt[i])].valid : 0;
        port_tick(t, p, &in[i], w->gnt[i], (unsigned)w->channel[i], chan);
        bool waits = false;
        for (unsigned v = 0; v < p->vcs; v++)
            waits |= fifo_valid(&t->fifo[v]);
        s->waiting = (uint8_t)((s->waiting & ~(1u << i)) | (unsigned)waits << i);
    }
    for (unsigned rest = w->sent; rest; rest &= rest - 1) {
        unsigned o = (unsigned)__builtin_ctz(rest);
        const struct link *out = &w->out[o];
        s->busy_q[o] = out->flit.kind & FLIT_TAIL ? s->busy_q[o] & (uint8_t)~out->valid
                                                  : s->busy_q[o] | (uint8_t)out->valid;
    }
}

/* A flit fills ceil((flit_w + 2) / 32) words: {kind, payload}. */
static unsigned flit_words(const struct switch_params *p)
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

static unsigned port_words(const struct switch_params *p)
{
    return 1 + flit_words(p) + p->vcs * (1 + p->depth * flit_words(p));
}

unsigned switch_probe_words(const struct switch_params *p)
{
    return 2 + scan_probe_words(p) + SWITCH_PORTS * port_words(p);
}

void switch_probe(const struct fat_switch *s, const struct link in[SWITCH_PORTS],
                  const struct switch_wires *w, uint32_t *words)
{
    const struct switch_params *p = &s->params;
    static const struct flit none = {.kind = 0};

    *words++ = s->lfsr.lfsr_q;
    *words = 0;
    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        *words |= (uint32_t)s->busy_q[o] << p->vcs * o;
    words++;
    scan_probe(&s->scan, p, words);
    words += scan_probe_words(p);
    unsigned up = s->lfsr.lfsr_q >> 16 & 15;
    for (unsigned i = 0; i < s->ports; i++) {
        const struct port *t = &s->port[i];
        unsigned offer = w->channel[i] < 0 ? p->vcs == 1 : 1u << w->channel[i];
        *words++ = in[i].valid | (uint32_t)port_room(t, p) << 4 | (uint32_t)w->gnt[i] << 8 |
                   offer << 14 | (uint32_t)t->next_q << 18;
        words = flit_probe(&in[i].flit, p->flit_w, words);
        for (unsigned v = 0; v < p->vcs; v++) {
            const struct fifo *f = &t->fifo[v];
            *words++ = f->count_q | (uint32_t)f->rd_q << 5 | (uint32_t)f->wr_q << 9 |
                       (uint32_t)f->fresh_q << 13 |
                       (uint32_t)port_want(t, p, v, i >= SWITCH_CHILDREN, up >> i & 1) << 14 |
                       (uint32_t)t->chan_q[v] << 20 | (uint32_t)t->height_q[v] << 24 |
                       (uint32_t)f->turn_q << 28;
            /* At depth 2 what is not in the queue is not shown. */
            bool all = p->depth != 2;
            words = flit_probe(all || f->count_q ? &f->front_q : &none, p->flit_w, words);
            for (unsigned k = 0; k + 1 < p->depth; k++)
                words = flit_probe(all || f->count_q == 2 ? &f->mem_q[k] : &none, p->flit_w, words);
        }
    }
    if (s->ports < SWITCH_PORTS)
        memset(words, 0, (SWITCH_PORTS - s->ports) * port_words(p) * sizeof *words);
}

const char *switch_check(const struct fat_switch *s)
{
    const struct switch_params *p = &s->params;
    uint8_t held[SWITCH_PORTS] = {0};

    for (unsigned i = 0; i < SWITCH_PORTS; i++) {
        const struct port *t = &s->port[i];
        bool waits = false;
        for (unsigned v = 0; v < p->vcs; v++) {
            const struct fifo *f = &t->fifo[v];
            if (f->count_q > p->depth)
                return "a queue holds more flits than it has places";
            waits |= f->count_q != 0;
            if (f->count_q && !t->hold_q[v] && !(f->front_q.kind & FLIT_HEAD))
                return "a body flit is at the front of a queue whose worm holds no output";
            if (f->count_q && t->hold_q[v] && (f->front_q.kind & FLIT_HEAD))
                return "a head is at the front of a queue whose last worm still holds an output";
            if (!t->hold_q[v])
                continue;
            unsigned o = (unsigned)__builtin_ctz(t->hold_q[v]);
            uint8_t chan = p->vcs == 1 ? 1 : t->chan_q[v];
            if (held[o] & chan)
                return "two worms hold one output channel";
            held[o] |= chan;
        }
        if (waits != (s->waiting >> i & 1))
            return "the mask of waiting ports is wrong";
    }
    return memcmp(held, s->busy_q, sizeof held) ? "busy_q is not what the worms hold" : NULL;
}
