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
    s->params = *p;
    s->ports = p->level == p->levels ? SWITCH_CHILDREN : SWITCH_PORTS;
    s->random = p->scan == SCAN_RR || p->scan == SCAN_FF || p->path == PATH_RP ||
                p->path == PATH_RG || p->path == PATH_RW;
    s->lfsr.lfsr_q = 0; /* and so it stays where no random bits are used */
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
        const struct port *t = &s->port[i];
        for (unsigned v = 0; v < s->params.vcs; v++)
            if (t->fifo[v].fresh_q && (t->fifo[v].front_q.kind & FLIT_HEAD))
                fresh |= UINT32_C(1) << (s->params.vcs * i + v);
    }
    return fresh;
}

void switch_eval(const struct fat_switch *s, const uint8_t room[SWITCH_PORTS],
                 struct switch_wires *w)
{
    const struct switch_params *p = &s->params;
    unsigned up = s->lfsr.lfsr_q >> 16 & 15; /* a random bit for each child port */
    struct port_view view = {.room_any = 0};
    static const struct scan_in none;
    struct scan_in in = none;
    unsigned asked = 0; /* outputs */

    for (unsigned rest = w->sent; rest; rest &= rest - 1) /* of the cycle before */
        w->out[__builtin_ctz(rest)] = (struct link){.valid = 0};
    w->sent = 0;
    w->fresh = 0;
    w->asks = 0;
    w->contest = false;
    memset(w->req, 0, sizeof w->req);
    memset(w->gnt, 0, sizeof w->gnt);
    memset(w->chan, 0, sizeof w->chan);
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
        unsigned req = port_eval(&s->port[i], p, i >= SWITCH_CHILDREN, up >> i & 1, &view, &channel) &
                       arbiter_crosspoints[i];
        w->channel[i] = (int8_t)channel;
        if (!req)
            continue;
        w->req[i] = (uint8_t)req;
        w->asks |= (uint8_t)(1u << i);
        w->contest |= (asked & req) || (req & (req - 1));
        asked |= req;
        in.channel[i] = (uint8_t)channel;
        if (p->scan == SCAN_FF)
            in.height[i] = port_height(&s->port[i], p, (unsigned)channel);
    }
    if (p->scan == SCAN_FCFS)
        w->fresh = fresh_heads(s);
    if (!w->asks)
        return;

    if (w->contest) {
        arbiter_order order;
        uint8_t masks[SWITCH_PORTS];
        in.asks = w->asks;
        in.fresh = w->fresh;
        scan_eval(&s->scan, p, &in, order, masks);
        arbiter_eval(p->path == PATH_RW ? PATH_RG : p->path, s->ports == SWITCH_CHILDREN, w->req, up, order, w->gnt);
    } else { /* each asks for one output and nobody else does: every order grants it */
        memcpy(w->gnt, w->req, sizeof w->req);
    }

    for (unsigned rest = w->asks; rest; rest &= rest - 1) {
        unsigned i = (unsigned)__builtin_ctz(rest);
        if (!w->gnt[i])
            continue;
        unsigned o = (unsigned)__builtin_ctz(w->gnt[i]);
        unsigned v = (unsigned)w->channel[i];
        const struct flit *f = &s->port[i].fifo[v].front_q;
        w->sent |= w->gnt[i];
        w->out[o].flit = *f;
        if (f->kind & FLIT_HEAD)
            w->chan[i] = view.free[o] & (uint8_t)-view.free[o]; /* the lowest free channel */
        else
            w->chan[i] = p->vcs == 1 ? 1 : s->port[i].chan_q[v];
        w->out[o].valid = w->chan[i];
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
    unsigned up = s->lfsr.lfsr_q >> 16 & 15;

    scan_tick(&s->scan, p, s->lfsr.lfsr_q >> 24, w->gnt, w->fresh);
    if (s->random)
        lfsr_tick(&s->lfsr);
    for (unsigned i = 0; i < s->ports; i++) {
        struct port *t = &s->port[i];
        if (p->path == PATH_RW)
            port_draw(t, p, up >> i & 1);
        if (w->gnt[i] || in[i].valid) {
            port_tick(t, p, &in[i], w->gnt[i], (unsigned)w->channel[i], w->chan[i]);
            s->waiting &= (uint8_t)~(1u << i);
            for (unsigned v = 0; v < p->vcs; v++)
                if (fifo_valid(&t->fifo[v]))
                    s->waiting |= (uint8_t)(1u << i);
        } else { /* all of port_tick() where no flit moves */
            for (unsigned v = 0; v < p->vcs; v++)
                t->fifo[v].fresh_q = 0;
        }
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

static inline __attribute__((always_inline)) uint32_t *flit_probe(const struct flit *f, unsigned flit_w, uint32_t *words)
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

/* The ports' words.  vcs, depth and flit_w are those of s. */
static inline __attribute__((always_inline)) uint32_t *ports_probe(
    const struct fat_switch *s, const struct link in[SWITCH_PORTS], const struct switch_wires *w,
    uint32_t *words, unsigned vcs, unsigned depth, unsigned flit_w)
{
    const bool all = depth != 2; /* at depth 2 what is not in the queue is not shown */
    static const struct flit none = {.kind = 0};

    for (unsigned i = 0; i < s->ports; i++) {
        const struct port *t = &s->port[i];
        unsigned offer = w->channel[i] < 0 ? vcs == 1 : 1u << w->channel[i];
        unsigned room = 0;
        for (unsigned v = 0; v < vcs; v++)
            room |= (unsigned)fifo_room(&t->fifo[v], depth) << v;
        *words++ = in[i].valid | room << 4 | (uint32_t)w->gnt[i] << 8 | offer << 14 | (uint32_t)t->next_q << 18;
        words = flit_probe(&in[i].flit, flit_w, words);
        for (unsigned v = 0; v < vcs; v++) {
            const struct fifo *f = &t->fifo[v];
            *words++ = f->count_q | (uint32_t)f->rd_q << 5 | (uint32_t)f->wr_q << 9 |
                       (uint32_t)f->fresh_q << 13 |
                       (uint32_t)t->hold_q[v] << 14 |
                       (uint32_t)t->chan_q[v] << 20 | (uint32_t)t->height_q[v] << 24 |
                       (uint32_t)t->drawn_q[v] << 28;
            words = flit_probe(all || f->count_q ? &f->front_q : &none, flit_w, words);
            for (unsigned k = 0; k + 1 < depth; k++)
                words = flit_probe(all || f->count_q == 2 ? &f->mem_q[k] : &none, flit_w, words);
        }
    }
    return words;
}

void switch_probe(const struct fat_switch *s, const struct link in[SWITCH_PORTS],
                  const struct switch_wires *w, uint32_t *words)
{
    const struct switch_params *p = &s->params;
    uint32_t busy = 0;

    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        busy |= (uint32_t)s->busy_q[o] << p->vcs * o;
    *words++ = s->lfsr.lfsr_q;
    *words++ = busy;
    scan_probe(&s->scan, p, words);
    words += scan_probe_words(p);
    /* Most regressions are of these sizes: numbers that the compiler knows make it twice as fast. */
    if (p->depth == 2 && p->flit_w == 32 && p->vcs == 1)
        words = ports_probe(s, in, w, words, 1, 2, 32);
    else if (p->depth == 2 && p->flit_w == 32)
        words = ports_probe(s, in, w, words, p->vcs, 2, 32);
    else
        words = ports_probe(s, in, w, words, p->vcs, p->depth, p->flit_w);
    if (s->ports < SWITCH_PORTS)
        memset(words, 0, (size_t)(SWITCH_PORTS - s->ports) * port_words(p) * sizeof *words);
}

/* vcs and depth are those of s. */
static inline __attribute__((always_inline)) const char *registers_check(const struct fat_switch *s,
                                                                         unsigned vcs, unsigned depth)
{
    uint8_t held[SWITCH_PORTS] = {0};

    for (unsigned i = 0; i < SWITCH_PORTS; i++) {
        const struct port *t = &s->port[i];
        bool waits = false;
        for (unsigned v = 0; v < vcs; v++) {
            const struct fifo *f = &t->fifo[v];
            if (f->count_q > depth)
                return "a queue holds more flits than it has places";
            if (!f->count_q && !t->hold_q[v])
                continue;
            waits |= f->count_q != 0;
            if (f->count_q && !t->hold_q[v] && !(f->front_q.kind & FLIT_HEAD))
                return "a body flit is at the front of a queue whose worm holds no output";
            if (f->count_q && t->hold_q[v] && (f->front_q.kind & FLIT_HEAD))
                return "a head is at the front of a queue whose last worm still holds an output";
            if (!t->hold_q[v])
                continue;
            unsigned o = (unsigned)__builtin_ctz(t->hold_q[v]);
            uint8_t chan = vcs == 1 ? 1 : t->chan_q[v];
            if (held[o] & chan)
                return "two worms hold one output channel";
            held[o] |= chan;
        }
        if (waits != (s->waiting >> i & 1))
            return "the mask of waiting ports is wrong";
    }
    return memcmp(held, s->busy_q, sizeof held) ? "busy_q is not what the worms hold" : NULL;
}

const char *switch_check(const struct fat_switch *s)
{
    const struct switch_params *p = &s->params;
    return p->vcs == 1 ? registers_check(s, 1, p->depth) : registers_check(s, p->vcs, p->depth);
}

const char *switch_check_wires(const struct fat_switch *s, const struct switch_wires *w)
{
    const int vcs = (int)s->params.vcs;
    const unsigned waiting = s->waiting;
    unsigned asks = 0, asked = 0, sent = 0, leave = 0;
    bool contest = false;

    for (unsigned i = 0; i < SWITCH_PORTS; i++) {
        bool waits = waiting >> i & 1;
        if (w->channel[i] < -1 || w->channel[i] >= vcs)
            return "there is no such channel to offer";
        if (w->channel[i] < 0 ? w->req[i] || (waits && vcs == 1) : !waits)
            return "the channel on offer is not what the queues say";
        if (!(w->req[i] | w->gnt[i] | w->chan[i]))
            continue; /* asks for nothing and gets nothing */
        if (w->gnt[i] & ~w->req[i])
            return "a grant without a request";
        if (w->gnt[i] & sent)
            return "two grants of one output";
        if ((w->chan[i] != 0) != (w->gnt[i] != 0))
            return "a grant without a channel, or the other way round";
        contest |= (w->req[i] & asked) || (w->req[i] & (w->req[i] - 1));
        asks |= (unsigned)(w->req[i] != 0) << i;
        asked |= w->req[i];
        sent |= w->gnt[i];
    }
    if (asks != w->asks)
        return "the mask of inputs that ask is wrong";
    if (contest != w->contest)
        return "the arbiter is asked where nothing is to decide, or not asked where something is";
    for (unsigned o = 0; o < SWITCH_PORTS; o++)
        leave |= (unsigned)(w->out[o].valid != 0) << o;
    if (leave != sent)
        return "a flit leaves without a grant, or the other way round";
    return sent == w->sent ? NULL : "the mask of outputs that send is wrong";
}
