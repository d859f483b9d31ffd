/* SPDX-License-Identifier: Apache-2.0
 * cycle.c - the plain engine: struct network, which is compared with the Verilog flit by flit, with
 * processors around it.  It runs any number of virtual channels and is what the fast engine
 * (worm.c) must equal.
 *
 * A processor sends as every link does: a worm takes the lowest channel that is free and has room,
 * one flit crosses a cycle, channels that could send take turns.
 */
#include "engine.h"

#include "calendar.h"
#include "digest.h"
#include "fat_tree.h"
#include "network.h"
#include "pool.h"

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

struct engine {
    struct switch_params params;
    struct measure *m;
    struct calendar calendar;
    struct network *network;
    uint64_t now;
    uint64_t mask;       /* of a payload */
    struct source *source;
    struct worm *worm;
    uint32_t worms;
    uint32_t unused;
    struct link *in;     /* [nodes] */
    uint8_t *room;       /* [nodes], of the processors: all of it, always */
};

static uint32_t worm_take(struct engine *e)
{
    if (e->unused == NONE) {
        struct worm *w = pool_grow(e->worm, sizeof *w, offsetof(struct worm, next),
                                   e->worms ? e->worms : 256, &e->worms, &e->unused);
        if (!w)
            return NONE;
        e->worm = w;
    }
    uint32_t k = e->unused;
    e->unused = e->worm[k].next;
    return k;
}

static int generate(struct engine *e)
{
    struct traffic_worm is;

    while (calendar_take(&e->calendar, e->now, &is)) {
        uint32_t k = worm_take(e);
        if (k == NONE)
            return FATFLY_NO_MEMORY;
        e->worm[k] = (struct worm){.is = is, .next = NONE, .address = engine_head(&e->params, &is),
                                   .links = (uint8_t)(2 * worm_height(is.src, is.dst))};
        measure_generated(e->m, &is);
        struct source *q = &e->source[is.src];
        if (q->first == NONE) {
            q->first = k;
            q->front = is.ready > q->front ? is.ready : q->front;
        } else {
            e->worm[q->last].next = k;
        }
        q->last = k;
    }
    e->m->all_generated = e->calendar.count == 0;
    return FATFLY_OK;
}

/* One flit from channel v of a source. */
static void send(struct engine *e, uint32_t a, unsigned v)
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
        w->injected = e->now;
        w->front = q->front;
        q->front = e->now + 1;
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
            q->front = q->first != NONE && e->worm[q->first].is.ready > e->now + 1
                           ? e->worm[q->first].is.ready : e->now + 1;
    }
    q->turn = (uint8_t)((v + 1) & (e->params.vcs - 1));
}

static void inject(struct engine *e)
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

static void eject(struct engine *e, const struct link *in, uint32_t exit)
{
    uint32_t k = in->flit.tag;
    struct worm *w = &e->worm[k];
    unsigned channel = (unsigned)__builtin_ctz(in->valid);

    e->m->result->digest += digest_flit(in->flit.payload, in->flit.kind, e->now, exit, channel);
    w->got++;
    if (in->flit.kind & FLIT_HEAD)
        w->arrived = e->now;
    if (in->flit.kind & FLIT_TAIL) {
        measure_delivered(e->m, &w->is, w->injected, w->arrived, e->now, w->links);
        w->next = e->unused;
        e->unused = k;
    }
}

/* What crosses links in this cycle. */
static void observe(struct engine *e)
{
    const struct network *n = e->network;
    uint32_t inner = SWITCH_PORTS * n->switches;

    e->m->result->flit_hops += n->driven_count;
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
            measure_hop(e->m, e->now, k, up, level, e->now - w->front);
        if (link->flit.kind & FLIT_TAIL)
            measure_tail(e->m, e->now, up, level, w->is.length);
        if (k >= inner)
            eject(e, link, k - inner);
    }
}

/* After the clock edge: heads that have come to the front. */
static void note_fronts(struct engine *e)
{
    for (uint32_t s = 0; s < e->network->switches; s++) {
        const struct fat_switch *sw = &e->network->sw[s];
        for (unsigned rest = sw->waiting; rest; rest &= rest - 1)
            for (unsigned v = 0; v < e->params.vcs; v++) {
                const struct fifo *f = &sw->port[__builtin_ctz(rest)].fifo[v];
                if (f->fresh_q && f->count_q && (f->front_q.kind & FLIT_HEAD))
                    e->worm[f->front_q.tag].front = e->now + 1;
            }
    }
}

static void sample(struct engine *e)
{
    struct fatfly_result *r = e->m->result;

    for (uint32_t s = 0; s < e->network->switches; s++) {
        const struct fat_switch *sw = &e->network->sw[s];
        unsigned level;
        uint32_t at;
        fat_tree_place(e->params.levels, s, &level, &at);
        for (unsigned i = 0; i < sw->ports; i++)
            for (unsigned v = 0; v < e->params.vcs; v++) {
                unsigned flits = sw->port[i].fifo[v].count_q;
                bool up = i < SWITCH_CHILDREN;
                measure_level(e->m, up, up ? level - 1 : level)->occupancy += flits;
                r->occupied[flits]++;
            }
    }
    r->samples++;
}

uint64_t cycle_memory(const struct fatfly_config *c)
{
    struct switch_params p;
    uint64_t worms = measure_worms(c);
    uint64_t places = 256; /* worm_take() doubles them */
    while (places < worms)
        places *= 2;
    engine_params(c, &p);
    return network_bytes(&p) + places * sizeof(struct worm) + sizeof(struct engine) +
           c->nodes * (sizeof(struct source) + sizeof(struct traffic_worm) + sizeof(struct link) + 5);
}

static void close_engine(struct engine *e)
{
    if (!e)
        return;
    network_free(e->network);
    calendar_close(&e->calendar);
    free(e->source);
    free(e->worm);
    free(e->in);
    free(e->room);
    free(e);
}

static struct engine *open_engine(const struct switch_params *p, struct traffic *t,
                                  struct measure *m)
{
    struct engine *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    uint32_t nodes = fat_tree_nodes(p->levels);
    e->params = *p;
    e->m = m;
    e->mask = p->flit_w < 64 ? (UINT64_C(1) << p->flit_w) - 1 : UINT64_MAX;
    e->unused = NONE;
    e->network = network_new(p);
    e->source = calloc(nodes, sizeof *e->source);
    e->in = calloc(nodes, sizeof *e->in);
    e->room = malloc(nodes);
    if (!e->network || !e->source || !e->in || !e->room || calendar_open(&e->calendar, t, nodes)) {
        close_engine(e);
        return NULL;
    }
    memset(e->room, (1 << p->vcs) - 1, nodes);
    for (uint32_t a = 0; a < nodes; a++) {
        e->source[a].first = NONE;
        for (unsigned v = 0; v < MAX_VCS; v++)
            e->source[a].lane[v].worm = NONE;
    }
    network_reset(e->network, (uint32_t)rng_hash(m->config->seed));
    return e;
}

int cycle_run(const struct switch_params *p, struct traffic *t, struct measure *m)
{
    struct engine *e = open_engine(p, t, m);
    int status = e ? FATFLY_OK : FATFLY_NO_MEMORY;

    while (!status) {
        if ((e->now >= m->check || m->delivered == m->generated) && measure_over(m, e->now))
            break;
        status = generate(e);
        if (status)
            break;
        if (measure_samples(m, e->now))
            sample(e);
        inject(e);
        network_drive(e->network, e->in, e->room);
        network_eval(e->network);
        observe(e);
        network_tick(e->network);
        note_fronts(e);
        e->now++;
    }
    if (!status)
        measure_finish(m, e->now);
    close_engine(e);
    return status;
}
