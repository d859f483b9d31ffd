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
#include "network.h"
#include "pool.h"
#include "rng.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

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

static void inject(struct state *e)
{
    unsigned vcs = e->params.vcs;

    for (uint32_t a = 0; a < e->network->nodes; a++) {
        struct source *q = &e->source[a];
        unsigned room = network_room(e->network, a);
        e->in[a].valid = 0;
        if (!room || (!q->active && q->first == NONE))
            continue;
        unsigned lowest = vcs; /* the channel that a new worm would take */
        for (unsigned v = vcs; q->first != NONE && v-- > 0;)
            if (q->lane[v].worm == NONE && (room >> v & 1))
                lowest = v;
        for (unsigned k = 0; k < vcs; k++) {
            unsigned v = (q->turn + k) & (vcs - 1);
            if ((room >> v & 1) && (q->lane[v].worm != NONE || v == lowest)) {
                send(e, a, v);
                break;
            }
        }
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

/* What crosses links in this cycle. */
static void observe(struct state *e)
{
    const struct network *n = e->network;
    uint32_t inner = SWITCH_PORTS * n->switches;

    e->run.hops += n->driven_count;
    for (uint32_t j = 0; j < n->driven_count; j++) {
        uint32_t k = n->driven[j];
        const struct link *link = &n->link[k];
        const struct worm *w = &e->worm[link->flit.tag];
        bool up = false;
        unsigned level = 0;
        if (link->flit.kind & (FLIT_HEAD | FLIT_TAIL) && k < inner) {
            uint32_t at;
            fat_tree_place(e->params.levels, k / SWITCH_PORTS, &level, &at);
            up = k % SWITCH_PORTS < SWITCH_CHILDREN;
            level -= up; /* of the link's lower end */
        }
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

static void sample(struct state *e)
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

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    struct switch_params p;
    uint64_t worms = measure_worms(t, c);
    uint64_t places = 256; /* POOL_TAKE() doubles them */
    while (places < worms)
        places *= 2;
    tree_params(c, &p);
    return network_bytes(&p) + places * sizeof(struct worm) + sizeof(struct state) +
           c->nodes * (sizeof(struct source) + sizeof(struct traffic_worm) + sizeof(struct link) + 5);
}

static void close_cycle(struct run *r)
{
    struct state *e = (struct state *)r;
    network_free(e->network);
    free(e->source);
    free(e->worm);
    free(e->in);
    free(e->room);
}

static int open_cycle(struct run *r)
{
    struct state *e = (struct state *)r;
    struct switch_params *p = &e->params;
    uint32_t nodes = r->topology->processors;

    tree_params(r->config, p);
    e->mask = p->flit_w < 64 ? (UINT64_C(1) << p->flit_w) - 1 : UINT64_MAX;
    e->pool.unused = NONE;
    e->network = network_new(p);
    e->source = calloc(nodes, sizeof *e->source);
    e->in = calloc(nodes, sizeof *e->in);
    e->room = malloc(nodes);
    if (!e->network || !e->source || !e->in || !e->room)
        return FATFLY_NO_MEMORY;
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
        sample(e);
    inject(e);
    network_drive(e->network, e->in, e->room);
    network_eval(e->network);
    observe(e);
    network_tick(e->network);
    note_fronts(e);
    return FATFLY_OK;
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    return t->levels && !discipline_of(c)->packets;
}

const struct engine engine_cycle = {
    .name = "cycle", .state = sizeof(struct state), .can = can, .memory = memory,
    .open = open_cycle, .close = close_cycle, .enter = enter, .step = step};
