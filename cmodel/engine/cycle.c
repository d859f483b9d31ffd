/* SPDX-License-Identifier: Apache-2.0
 * cycle.c - the plain engine: struct network, which is compared with the Verilog flit by flit, with
 * processors around it.  It runs any number of virtual channels and is what the fast engine
 * (worm.c) must equal.
 *
 * A processor sends as every link does: a worm takes the lowest channel that is free and has room,
 * one flit crosses a cycle, channels that could send take turns.
 */
#include "engine.h"

#include "digest.h"
#include "discipline.h"
#include "fat_tree.h"
#include "jumps.h"
#include "network.h"
#include "pool.h"
#include "rng.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, QUIET = 2 };

struct worm {
    struct traffic_worm is;
    uint64_t address;  /* payload of the head */
    uint64_t injected;
    uint64_t arrived;  /* of the head */
    uint64_t front;    /* cycle from which the head has been at the front of its queue */
    uint32_t got;      /* flits that have arrived */
    uint32_t next;     /* in its source or among the unused */
    uint8_t links;     /* of the whole path */
};

struct lane {
    uint32_t worm; /* or NONE */
    uint32_t sent;
};

struct source {
    uint32_t first, last; /* worms that wait */
    uint64_t front;       /* cycle from which the first could leave but for room */
    uint8_t turn;         /* channel to try first */
    uint8_t active;       /* lanes with a worm */
    struct lane lane[MAX_VCS];
};

struct state {
    struct run run;
    struct switch_params params;
    struct network *network;
    uint64_t mask;       /* of a payload */
    struct source *source;
    struct worm *worm;
    struct pool pool;
    struct link *in;     /* [nodes] */
    uint8_t *room;       /* [nodes], of the processors: all of it, always */
    uint64_t *crossed;   /* [links], flits, whole run */
    unsigned quiet;      /* cycles in a row in which no flit crossed a link, up to QUIET */
    struct jumps jumps;
    uint32_t *place;     /* [links * vcs], of the last flit in its worm; NULL: nobody looks on */
};

static int enter(struct run *r, const struct traffic_worm *is)
{
    struct state *e = (struct state *)r;
    uint32_t k = POOL_TAKE(e->worm, e->pool, struct worm);
    if (k == NONE)
        return FATFLY_NO_MEMORY;
    e->worm[k] = (struct worm){.is = *is, .next = NONE, .address = traffic_head(&e->params, is),
                               .links = (uint8_t)(2 * worm_height(is->src, is->dst))};
    struct source *q = &e->source[is->src];
    if (q->first == NONE) {
        q->first = k;
        q->front = is->ready > q->front ? is->ready : q->front;
    } else {
        e->worm[q->last].next = k;
    }
    q->last = k;
    return FATFLY_OK;
}

/* One flit from channel v of a source. */
static void send(struct state *e, uint32_t a, unsigned v)
{
    struct source *q = &e->source[a];
    struct lane *lane = &q->lane[v];

    if (lane->worm == NONE) {
        uint32_t k = q->first;
        struct worm *w = &e->worm[k];
        lane->worm = k;
        lane->sent = 0;
        q->active++;
        q->first = w->next;
        w->injected = e->run.now;
        w->front = q->front;
        q->front = e->run.now + 1;
        if (q->first != NONE && e->worm[q->first].is.ready > q->front)
            q->front = e->worm[q->first].is.ready;
    }
    const struct worm *w = &e->worm[lane->worm];
    struct link *in = &e->in[a];
    in->valid = (uint8_t)(1u << v);
    in->flit.payload = flit_payload(w->address, w->is.number, lane->sent, e->mask);
    in->flit.kind = (uint8_t)((lane->sent == 0 ? FLIT_HEAD : 0) |
                              (lane->sent + 1 == w->is.length ? FLIT_TAIL : 0));
    in->flit.tag = lane->worm;
    if (++lane->sent == w->is.length) {
        lane->worm = NONE;
        q->active--;
        if (e->params.vcs == 1) /* the link was taken until now */
            q->front = q->first != NONE && e->worm[q->first].is.ready > e->run.now + 1
                           ? e->worm[q->first].is.ready : e->run.now + 1;
    }
    q->turn = (uint8_t)((v + 1) & (e->params.vcs - 1));
}

/* The channel that a source sends on in the cycle to come; V: none. */
static unsigned chosen(const struct state *e, const struct source *q, unsigned room)
{
    unsigned vcs = e->params.vcs, lowest = vcs; /* the channel that a new worm would take */

    for (unsigned v = vcs; q->first != NONE && v-- > 0;)
        if (q->lane[v].worm == NONE && (room >> v & 1))
            lowest = v;
    for (unsigned k = 0; k < vcs; k++) {
        unsigned v = (q->turn + k) & (vcs - 1);
        if ((room >> v & 1) && (q->lane[v].worm != NONE || v == lowest))
            return v;
    }
    return vcs;
}

static void inject(struct state *e)
{
    for (uint32_t a = 0; a < e->network->nodes; a++) {
        struct source *q = &e->source[a];
        unsigned room = network_room(e->network, a);
        e->in[a].valid = 0;
        if (!room || (!q->active && q->first == NONE))
            continue;
        unsigned v = chosen(e, q, room);
        if (v < e->params.vcs)
            send(e, a, v);
    }
}

static void eject(struct state *e, const struct link *in, uint32_t exit)
{
    uint32_t k = in->flit.tag;
    struct worm *w = &e->worm[k];
    unsigned channel = (unsigned)__builtin_ctz(in->valid);

    e->run.digest += digest_flit(in->flit.payload, in->flit.kind, e->run.now, exit, channel);
    w->got++;
    if (in->flit.kind & FLIT_HEAD)
        w->arrived = e->run.now;
    if (in->flit.kind & FLIT_TAIL) {
        measure_delivered(&e->run.m, &w->is, w->injected, w->arrived, e->run.now, w->links);
        POOL_GIVE(e->worm, e->pool, k);
    }
}

/* Of a link: of its lower end, and its direction. */
static unsigned level_of(const struct state *e, uint32_t link, bool *up)
{
    unsigned level = 0;
    uint32_t at;

    *up = false;
    if (link >= SWITCH_PORTS * e->network->switches)
        return 0;
    fat_tree_place(e->params.levels, link / SWITCH_PORTS, &level, &at);
    *up = link % SWITCH_PORTS < SWITCH_CHILDREN;
    return level - *up;
}

static void tell(struct state *e, uint32_t k)
{
    const struct link *link = &e->network->link[k];
    const struct worm *w = &e->worm[link->flit.tag];
    unsigned channel = (unsigned)__builtin_ctz(link->valid);
    uint32_t *place = &e->place[k * e->params.vcs + channel];
    bool head = link->flit.kind & FLIT_HEAD, up;
    bool first = level_of(e, k, &up) == 0 && up;

    *place = head ? 0 : *place + 1;
    run_tell(&e->run, &(struct fatfly_move){
                          .cycle = e->run.now, .waited = head ? e->run.now - w->front : 0, .cycles = 1,
                          .worm = w->is.number, .flit = *place, .flits = 1, .link = k,
                          .channel = channel, .tail = link->flit.kind & FLIT_TAIL, .first = first,
                          .last = k >= SWITCH_PORTS * e->network->switches});
}

/* What crosses links in this cycle. */
static void observe(struct state *e)
{
    const struct network *n = e->network;
    uint32_t inner = SWITCH_PORTS * n->switches;

    for (uint32_t j = 0; e->place && j < n->driven_count; j++)
        tell(e, n->driven[j]);
    e->run.hops += n->driven_count;
    for (uint32_t j = 0; j < n->driven_count; j++) {
        uint32_t k = n->driven[j];
        const struct link *link = &n->link[k];
        const struct worm *w = &e->worm[link->flit.tag];
        bool up = false;
        unsigned level = 0;
        if (link->flit.kind & (FLIT_HEAD | FLIT_TAIL))
            level = level_of(e, k, &up);
        e->crossed[k]++;
        if (link->flit.kind & FLIT_HEAD)
            measure_hop(&e->run.m, e->run.now, k, up, level, e->run.now - w->front);
        if (link->flit.kind & FLIT_TAIL)
            measure_tail(&e->run.m, e->run.now, up, level, w->is.length);
        if (k >= inner)
            eject(e, link, k - inner);
    }
}

/* After the clock edge: heads that have come to the front. */
static void note_fronts(struct state *e)
{
    for (uint32_t s = 0; s < e->network->switches; s++) {
        const struct fat_switch *sw = &e->network->sw[s];
        for (unsigned rest = sw->waiting; rest; rest &= rest - 1)
            for (unsigned v = 0; v < e->params.vcs; v++) {
                const struct fifo *f = &sw->port[__builtin_ctz(rest)].fifo[v];
                if (f->fresh_q && f->count_q && (f->front_q.kind & FLIT_HEAD))
                    e->worm[f->front_q.tag].front = e->run.now + 1;
            }
    }
}

static void count_queues(struct state *e)
{
    struct fatfly_result *r = e->run.m.result;

    for (uint32_t s = 0; s < e->network->switches; s++) {
        const struct fat_switch *sw = &e->network->sw[s];
        unsigned level;
        uint32_t at;
        fat_tree_place(e->params.levels, s, &level, &at);
        for (unsigned i = 0; i < sw->ports; i++)
            for (unsigned v = 0; v < e->params.vcs; v++) {
                unsigned flits = sw->port[i].fifo[v].count_q;
                bool up = i < SWITCH_CHILDREN;
                measure_level(&e->run.m, up, up ? level - 1 : level)->occupancy += flits;
                r->occupied[flits]++;
            }
    }
    r->samples++;
}

/* -- for reading ---------------------------------------------------------------------------------- */

static uint32_t number(const struct state *e, uint32_t k)
{
    return k == NONE ? 0 : e->worm[k].is.number;
}

/* The output of the switch at its near end that drives link k. */
static unsigned output_of(const struct state *e, uint32_t k, uint32_t s)
{
    unsigned o = 0;
    while (e->network->to[SWITCH_PORTS * s + o] != k)
        o++;
    return o;
}

/* The worm whose head has crossed link k in channel c and whose tail has not: its flits wait at the
 * near end, or are still further back. */
static uint32_t holder(const struct state *e, uint32_t k, unsigned c)
{
    const struct network *n = e->network;
    uint32_t s = topology_link(e->run.topology, k).from;

    if (s >= n->switches)
        return e->source[s - n->switches].lane[c].worm;
    const struct fat_switch *sw = &n->sw[s];
    unsigned o = output_of(e, k, s);
    for (unsigned i = 0; i < sw->ports && (sw->busy_q[o] >> c & 1); i++)
        for (unsigned v = 0; v < e->params.vcs; v++) {
            const struct port *t = &sw->port[i];
            if (t->hold_q[v] == 1u << o && (e->params.vcs == 1 || t->chan_q[v] == 1u << c))
                return t->fifo[v].count_q ? t->fifo[v].front_q.tag : holder(e, SWITCH_PORTS * s + i, v);
        }
    return NONE;
}

static const struct flit *flit_at(const struct fifo *f, unsigned depth, unsigned j)
{
    return j == 0 ? &f->front_q : &f->mem_q[(f->rd_q + j - 1) % (depth - 1)];
}

static void read_queue(const struct run *r, uint32_t link, unsigned channel, struct fatfly_queue *q)
{
    const struct state *e = (const struct state *)r;
    uint32_t s = link / SWITCH_PORTS;

    q->holder = number(e, holder(e, link, channel));
    if (s >= e->network->switches)
        return;
    const struct fifo *f = &e->network->sw[s].port[link % SWITCH_PORTS].fifo[channel];
    q->count = f->count_q;
    for (unsigned j = 0; j < f->count_q; j++) {
        const struct flit *flit = flit_at(f, e->params.depth, j);
        q->worm[j] = number(e, flit->tag);
        q->kind[j] = flit->kind;
    }
}

static unsigned room_at(const struct state *e, uint32_t k)
{
    uint32_t inner = SWITCH_PORTS * e->network->switches;
    return k < inner ? e->network->room[k] : e->room[k - inner];
}

/* The requests and grants of a switch in the cycle to come: they follow from registers alone. */
static void peek(const struct state *e, uint32_t s, struct switch_wires *w)
{
    uint8_t room[SWITCH_PORTS] = {0};

    *w = (struct switch_wires){.sent = 0};
    for (unsigned o = 0; o < e->network->sw[s].ports; o++)
        room[o] = (uint8_t)room_at(e, e->network->to[SWITCH_PORTS * s + o]);
    switch_eval(&e->network->sw[s], room, w);
}

static uint32_t front_of(const struct state *e, uint32_t link, unsigned v)
{
    uint32_t s = link / SWITCH_PORTS;
    if (s >= e->network->switches)
        return NONE;
    const struct fifo *f = &e->network->sw[s].port[link % SWITCH_PORTS].fifo[v];
    return f->count_q ? f->front_q.tag : NONE;
}

/* Who keeps a head from entering link k: of its channels the first says. */
static uint32_t keeps_out(const struct state *e, uint32_t k)
{
    uint32_t who = holder(e, k, 0);
    return who != NONE ? who : front_of(e, k, 0);
}

/* The head at the front of channel v of port i: what it asks for, and who has it. */
static void read_head(const struct state *e, uint32_t s, unsigned i, unsigned v,
                      const struct switch_wires *w, struct fatfly_worm_state *x)
{
    const struct fat_switch *sw = &e->network->sw[s];
    unsigned want = port_wants(&sw->port[i], &sw->params, v, i >= SWITCH_CHILDREN,
                               sw->lfsr.lfsr_q >> (16 + i) & 1);
    bool offered = w->channel[i] == (int)v;
    unsigned o = (unsigned)__builtin_ctz(offered && w->gnt[i] ? w->gnt[i] : want);
    uint32_t k = e->network->to[SWITCH_PORTS * s + o], who = NONE;

    x->wants = k;
    if (offered && w->gnt[i])
        return;
    if (room_at(e, k) & (unsigned)~sw->busy_q[o]) { /* it is free: another input has it, or channel */
        unsigned winner = i;
        for (unsigned j = 0; j < sw->ports; j++)
            if (w->gnt[j] >> o & 1)
                winner = j;
        if (w->channel[winner] >= 0)
            who = sw->port[winner].fifo[w->channel[winner]].front_q.tag;
    } else {
        who = keeps_out(e, k);
    }
    x->blocked_by = number(e, who);
}

static struct fatfly_worm_state *note(const struct state *e, uint32_t k, uint32_t *place, uint32_t *count,
                                      struct fatfly_worm_state *w)
{
    const struct worm *is = &e->worm[k];

    if (place[k] != NONE)
        return &w[place[k]];
    struct fatfly_worm_state *x = &w[place[k] = (*count)++];
    *x = (struct fatfly_worm_state){
        .tag = is->is.index, .ready = is->is.ready, .injected = is->injected, .since = is->front,
        .worm = is->is.number, .src = is->is.src, .dst = is->is.dst, .length = is->is.length,
        .sent = is->is.length, .arrived = is->got, .head_link = FATFLY_NOWHERE,
        .tail_link = FATFLY_NOWHERE, .wants = FATFLY_NOWHERE};
    return x;
}

static void read_sources(const struct state *e, uint32_t *place, uint32_t *count,
                         struct fatfly_worm_state *w)
{
    for (uint32_t a = 0; a < e->network->nodes; a++) {
        const struct source *q = &e->source[a];
        uint32_t link = SWITCH_PORTS * (a >> 2) + (a & 3);
        bool any = false; /* a channel that a new worm could take, but for the turn of another */
        for (unsigned v = 0; v < e->params.vcs; v++) {
            any |= q->lane[v].worm == NONE && (room_at(e, link) >> v & 1);
            if (q->lane[v].worm != NONE)
                note(e, q->lane[v].worm, place, count, w)->sent = q->lane[v].sent;
        }
        uint32_t who = NONE;
        if (q->first != NONE)
            who = any ? q->lane[chosen(e, q, room_at(e, link))].worm : keeps_out(e, link);
        for (uint32_t k = q->first; k != NONE; k = e->worm[k].next) {
            struct fatfly_worm_state *x = note(e, k, place, count, w);
            x->sent = 0;
            x->injected = UINT64_MAX;
            x->since = k == q->first ? q->front : UINT64_MAX;
            x->wants = k == q->first ? link : FATFLY_NOWHERE;
            x->blocked_by = number(e, k != q->first ? q->first : who);
        }
    }
}

static void read_flits(const struct state *e, uint32_t s, uint32_t *place, uint32_t *count,
                       struct fatfly_worm_state *w)
{
    const struct fat_switch *sw = &e->network->sw[s];
    struct switch_wires wires;

    peek(e, s, &wires);
    for (unsigned i = 0; i < sw->ports; i++)
        for (unsigned v = 0; v < e->params.vcs; v++) {
            const struct fifo *f = &sw->port[i].fifo[v];
            for (unsigned j = 0; j < f->count_q; j++) {
                const struct flit *flit = flit_at(f, e->params.depth, j);
                struct fatfly_worm_state *x = note(e, flit->tag, place, count, w);
                if (flit->kind & FLIT_TAIL) {
                    x->tail_link = SWITCH_PORTS * s + i;
                    x->tail_channel = v;
                }
                if (!(flit->kind & FLIT_HEAD))
                    continue;
                x->head_link = SWITCH_PORTS * s + i;
                x->head_channel = v;
                if (j == 0)
                    read_head(e, s, i, v, &wires, x);
                else
                    x->blocked_by = number(e, f->front_q.tag);
            }
        }
}

static bool read_worms(const struct run *r, struct fatfly_worm_state *w)
{
    const struct state *e = (const struct state *)r;
    uint32_t *place = malloc(e->pool.count * sizeof *place + 1), count = 0;

    if (!place)
        return false;
    for (uint32_t k = 0; k < e->pool.count; k++)
        place[k] = NONE;
    read_sources(e, place, &count, w);
    for (uint32_t s = 0; s < e->network->switches; s++)
        if (e->network->sw[s].waiting)
            read_flits(e, s, place, &count, w);
    free(place);
    return count == r->m.generated - r->m.delivered;
}

struct reading {
    struct fatfly_register *x;
    uint32_t room, count;
};

static void add(struct reading *to, const char *name, int port, int channel, int index, uint64_t value)
{
    view_add(to->x, to->room, &to->count,
             (struct fatfly_register){.name = name, .port = (int16_t)port, .channel = (int16_t)channel,
                                      .index = (int16_t)index, .value = value});
}

static void add_channel(struct reading *to, const struct switch_params *p, const struct port *t, int i, int v)
{
    const struct fifo *f = &t->fifo[v];

    add(to, "count_q", i, v, -1, f->count_q);
    add(to, "rd_q", i, v, -1, f->rd_q);
    add(to, "wr_q", i, v, -1, f->wr_q);
    add(to, "fresh_q", i, v, -1, f->fresh_q);
    add(to, "hold_q", i, v, -1, t->hold_q[v]);
    if (p->vcs > 1)
        add(to, "chan_q", i, v, -1, t->chan_q[v]);
    if (p->vcs > 1 && p->scan == SCAN_FF)
        add(to, "height_q", i, v, -1, t->height_q[v]);
    if (p->path == PATH_RW)
        add(to, "drawn_q", i, v, -1, t->drawn_q[v]);
    add(to, "front_q_kind", i, v, -1, f->front_q.kind);
    add(to, "front_q_payload", i, v, -1, f->front_q.payload);
    for (int k = 0; k + 1 < (int)p->depth; k++) {
        add(to, "mem_q_kind", i, v, k, f->mem_q[k].kind);
        add(to, "mem_q_payload", i, v, k, f->mem_q[k].payload);
    }
}

static uint32_t read_switch(const struct run *r, uint32_t s, struct fatfly_register *x, uint32_t room)
{
    const struct state *e = (const struct state *)r;
    const struct fat_switch *sw = &e->network->sw[s];
    const struct switch_params *p = &e->params;
    struct reading to = {x, room, 0};
    struct switch_wires w;

    peek(e, s, &w);
    if (sw->random)
        add(&to, "lfsr_q", -1, -1, -1, sw->lfsr.lfsr_q);
    if (p->scan == SCAN_RR || p->scan == SCAN_FF)
        add(&to, "start_q", -1, -1, -1, sw->scan.start_q);
    for (int k = 0; k + 1 < (int)(SWITCH_PORTS * p->vcs) && p->scan == SCAN_FCFS; k++)
        add(&to, "older_q", -1, -1, k, sw->scan.older_q[k]);
    for (int i = 0; i < sw->ports; i++) {
        unsigned offer = w.channel[i] < 0 ? p->vcs == 1 : 1u << w.channel[i];
        if (p->scan == SCAN_ROT)
            add(&to, "rot_q", i, -1, -1, sw->scan.rot_q[i]);
        add(&to, "busy_q", i, -1, -1, sw->busy_q[i]);
        if (p->vcs > 1)
            add(&to, "next_q", i, -1, -1, sw->port[i].next_q);
        add(&to, "room", i, -1, -1, port_room(&sw->port[i], p));
        add(&to, "ask", i, -1, -1, w.req[i]);
        add(&to, "offer", i, -1, -1, offer);
        add(&to, "gnt", i, -1, -1, w.gnt[i]);
        for (int v = 0; v < (int)p->vcs; v++)
            add_channel(&to, p, &sw->port[i], i, v);
    }
    return to.count;
}

static const struct engine_view view = {read_queue, read_worms, read_switch};

static void visit(struct run *r, struct visitor *v)
{
    struct state *e = (struct state *)r;
    struct network *n = e->network;
    size_t links = r->topology->links, mem = n->switches * switch_mem(&e->params) + 1;

    VISIT(v, e->network, 1);
    VISIT(v, n->sw, n->switches);
    VISIT(v, n->wires, n->switches);
    VISIT(v, n->link, links);
    VISIT(v, n->room, links);
    VISIT(v, n->mem, mem);
    VISIT(v, n->driven, links);
    VISIT(v, n->clean, n->switches);
    VISIT(v, n->reached, n->switches);
    VISIT(v, e->source, n->nodes);
    VISIT(v, e->crossed, links);
    VISIT(v, e->worm, e->pool.count);
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    struct switch_params p;

    tree_params(c, &p);
    return network_bytes(&p) + pool_places(measure_worms(t, c)) * sizeof(struct worm) + sizeof(struct state) +
           c->nodes * (sizeof(struct source) + sizeof(struct traffic_worm) + sizeof(struct link) + 5) +
           t->links * sizeof(uint64_t);
}

static void close_cycle(struct run *r)
{
    struct state *e = (struct state *)r;
    network_free(e->network);
    free(e->source);
    free(e->worm);
    free(e->in);
    free(e->room);
    free(e->crossed);
    free(e->place);
}

static int open_cycle(struct run *r)
{
    struct state *e = (struct state *)r;
    struct switch_params *p = &e->params;
    uint32_t nodes = r->topology->processors;

    tree_params(r->config, p);
    e->mask = flit_mask(p->flit_w);
    e->pool.unused = NONE;
    e->network = network_new(p);
    e->source = calloc(nodes, sizeof *e->source);
    e->in = calloc(nodes, sizeof *e->in);
    e->room = malloc(nodes);
    e->crossed = calloc(r->topology->links, sizeof *e->crossed);
    if (!e->network || !e->source || !e->in || !e->room || !e->crossed)
        return FATFLY_NO_MEMORY;
    if (r->m.observer) {
        e->place = calloc((size_t)r->topology->links * p->vcs, sizeof *e->place);
        if (!e->place)
            return FATFLY_NO_MEMORY;
    }
    memset(e->room, (1 << p->vcs) - 1, nodes);
    for (uint32_t a = 0; a < nodes; a++) {
        e->source[a].first = NONE;
        for (unsigned v = 0; v < MAX_VCS; v++)
            e->source[a].lane[v].worm = NONE;
    }
    network_reset(e->network, (uint32_t)rng_hash(r->config->seed));
    return FATFLY_OK;
}

static int step(struct run *r)
{
    struct state *e = (struct state *)r;

    if (measure_samples(&r->m, r->now))
        count_queues(e);
    inject(e);
    network_drive(e->network, e->in, e->room);
    network_eval(e->network);
    e->quiet = e->network->driven_count ? 0 : e->quiet + (e->quiet < QUIET);
    observe(e);
    network_tick(e->network);
    note_fronts(e);
    return FATFLY_OK;
}

/* No flit is in the network, and none was in the cycle before: only random bits move. */
static bool idle(const struct run *r)
{
    const struct state *e = (const struct state *)r;
    return r->m.delivered == r->m.generated && e->quiet == QUIET;
}

/* The queues are empty. */
static void sample(struct run *r, uint64_t to)
{
    struct state *e = (struct state *)r;
    uint64_t ticks = run_ticks(r, to);

    r->m.result->samples += ticks;
    for (uint32_t s = 0; s < e->network->switches; s++) {
        struct fat_switch *sw = &e->network->sw[s];
        r->m.result->occupied[0] += ticks * sw->ports * e->params.vcs;
        if (sw->random)
            sw->lfsr.lfsr_q = jumps_after(&e->jumps, sw->lfsr.lfsr_q, to - r->now - 1);
        switch_tick_idle(sw);
    }
}

/* Of worms under way it is not known which links they are on: all flits are counted anew. */
static void finish(struct run *r)
{
    struct state *e = (struct state *)r;
    struct fatfly_result *to = r->m.result;
    bool up;

    if (!measure_unfinished(&r->m, r->now))
        return;
    for (unsigned l = 0; l < FATFLY_MAX_STAGES; l++)
        to->up[l].flits = to->down[l].flits = 0;
    for (uint32_t k = 0; k < r->topology->links; k++)
        if (e->crossed[k]) {
            unsigned level = level_of(e, k, &up);
            measure_under_way(&r->m, up, level, e->crossed[k]);
        }
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    return t->levels && !discipline_of(c)->packets;
}

const struct engine engine_cycle = {
    .name = "cycle", .state = sizeof(struct state), .can = can, .memory = memory,
    .open = open_cycle, .close = close_cycle, .enter = enter, .step = step, .sample = sample, .idle = idle,
    .finish = finish, .visit = visit, .view = &view, .tells = true};
