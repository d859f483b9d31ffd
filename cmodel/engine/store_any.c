/* SPDX-License-Identifier: Apache-2.0
 * store_any.c - whole packets on any topology, store and forward (L 3.4.1, 3.4.2).
 *
 * A queue stands before each link.  In a step of L cycles the first B packets of a queue cross the
 * link; at its far end they join the queue of the link that they take next, or have arrived.  Those
 * that come to a queue in the same step join it in the order of the links' numbers.  Where the
 * routing leaves a choice a packet takes the shortest queue, the first of several.
 *
 * If queues hold at most q packets, one crosses only if the queue that it goes to had room at the
 * start of the step; of several that want the same room those that came to their queues first have
 * it, then those of lower links.  Sources put their packets in before that, and keep them while
 * there is no room.  So a circle of full queues stands still for ever, though all could move at
 * once: the run ends with FATFLY_DEADLOCK, and why shows the circle.
 */
#include "engine.h"

#include "digest.h"
#include "flit.h"
#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

struct packet {
    struct traffic_worm is;
    uint64_t injected; /* cycle in which it began to cross its first link */
    uint64_t came;     /* to the queue that it stands in */
    uint32_t next;     /* in its queue, its source, or among the unused */
    uint32_t links : 24; /* crossed so far */
    uint8_t class;       /* that the routing gave for the link it waits for */
};

struct queue {
    uint32_t first, last;
    uint32_t count; /* and those that will join it at the end of the step */
};

/* The first packet of a link's queue, and where it would go. */
struct move {
    uint32_t link;
    uint32_t to;    /* link whose queue it joins; NONE: it arrives */
    uint32_t other; /* bounded: place in the list of the next move that wants the same room */
    uint8_t class;
    bool granted;
};

struct state {
    struct run run;
    const struct topology *t;
    uint32_t depth, lanes, links;
    uint32_t inside;         /* packets in queues */
    struct packet *packet;
    struct pool pool;
    struct queue *queue;     /* [links] */
    uint64_t *some[3];       /* queues that hold some: a bit for each, for each 64, for each 64^2 */
    uint32_t words[3];
    struct queue *source;    /* bounded: [processors], packets that wait outside */
    uint32_t *waits, waiting; /* processors where some do */
    uint32_t *wanted;        /* bounded: [links], first move that wants room in the queue; NONE */
    struct move *move;
    uint32_t moves, moves_room;
    uint32_t *crossed, *next_link; /* packets that crossed in this step, and the links they go to */
    uint32_t *crossed_link;  /* and those they crossed */
    uint32_t crossings, crossings_room;
    uint64_t held[2 * FATFLY_MAX_STAGES]; /* flits in the queues of a group's links */
    uint64_t holding[FATFLY_MAX_DEPTH + 1];
};

static bool bounded(const struct state *e)
{
    return e->depth < FATFLY_UNBOUNDED;
}

static bool full(const struct state *e, uint32_t link)
{
    return e->queue[link].count >= e->depth;
}

/* -- queues ----------------------------------------------------------------------------------- */

static void set_some(struct state *e, uint32_t link)
{
    for (unsigned k = 0; k < 3; k++, link /= 64)
        e->some[k][link / 64] |= UINT64_C(1) << link % 64;
}

static void clear_some(struct state *e, uint32_t link)
{
    for (unsigned k = 0; k < 3; k++, link /= 64) {
        e->some[k][link / 64] &= ~(UINT64_C(1) << link % 64);
        if (e->some[k][link / 64])
            return;
    }
}

static void append(struct state *e, struct queue *q, uint32_t k)
{
    e->packet[k].next = NONE;
    if (q->first == NONE)
        q->first = k;
    else
        e->packet[q->last].next = k;
    q->last = k;
}

static uint32_t take_first(struct state *e, struct queue *q)
{
    uint32_t k = q->first;
    q->first = e->packet[k].next;
    return k;
}

/* Room in a queue is taken by one more packet or one fewer. */
static void reserve(struct state *e, uint32_t link, int by)
{
    struct queue *q = &e->queue[link];
    uint32_t most = FATFLY_MAX_DEPTH;
    e->holding[q->count < most ? q->count : most]--;
    q->count += (uint32_t)by;
    e->holding[q->count < most ? q->count : most]++;
}

static void join(struct state *e, uint32_t link, uint32_t k, uint64_t cycle)
{
    e->packet[k].came = cycle;
    if (e->queue[link].first == NONE)
        set_some(e, link);
    append(e, &e->queue[link], k);
}

/* -- sources ---------------------------------------------------------------------------------- */

/* The link that packet k takes from a place: the one with the shortest queue. */
static uint32_t choose(const struct state *e, uint32_t k, const struct topology_place *at,
                       uint8_t *class)
{
    struct topology_choice choice[TOPOLOGY_MAX_PORTS];
    unsigned count = e->t->kind->route(e->t, at, e->packet[k].is.dst, choice);
    uint32_t best = NONE;

    for (unsigned j = 0; j < count; j++) {
        uint32_t link = at->node * e->t->ports + choice[j].port;
        if (best != NONE && e->queue[link].count >= e->queue[best].count)
            continue;
        best = link;
        *class = choice[j].low;
    }
    return best;
}

/* Packet k goes from its source to the queue of its first link, unless that is full. */
static bool go_in(struct state *e, uint32_t k)
{
    struct packet *p = &e->packet[k];
    struct topology_place at = {.node = topology_enter(e->t, p->is.src), .from = TOPOLOGY_NONE};
    uint32_t link = choose(e, k, &at, &p->class);

    if (full(e, link))
        return false;
    reserve(e, link, 1);
    e->held[e->t->kind->group(e->t, at.node, link % e->t->ports)] += p->is.length;
    join(e, link, k, e->run.now);
    e->inside++;
    return true;
}

static int enter(struct run *r, const struct traffic_worm *is)
{
    struct state *e = (struct state *)r;
    uint32_t k = pool_take(&e->packet, &e->pool, sizeof *e->packet, offsetof(struct packet, next),
                           e->pool.count ? e->pool.count / 2 : 256);
    if (k == NONE)
        return FATFLY_NO_MEMORY;
    e->packet[k] = (struct packet){.is = *is};
    if (!bounded(e)) {
        go_in(e, k);
        return FATFLY_OK;
    }
    if (e->source[is->src].first == NONE)
        e->waits[e->waiting++] = is->src;
    append(e, &e->source[is->src], k);
    return FATFLY_OK;
}

/* Bounded: those go in that have room. */
static void enter_all(struct state *e)
{
    uint32_t left = 0;
    for (uint32_t j = 0; j < e->waiting; j++) {
        struct queue *s = &e->source[e->waits[j]];
        while (s->first != NONE) {
            uint32_t next = e->packet[s->first].next;
            if (!go_in(e, s->first))
                break;
            s->first = next;
        }
        if (s->first != NONE)
            e->waits[left++] = e->waits[j];
    }
    e->waiting = left;
}

/* -- a step ----------------------------------------------------------------------------------- */

static struct topology_place place_after(const struct state *e, uint32_t link, uint8_t class)
{
    uint32_t ports = e->t->ports, node = link / ports;
    return (struct topology_place){.node = e->t->kind->far(e->t, node, link % ports), .from = node,
                                   .port = link % ports, .class = class};
}

static bool add_move(struct state *e, uint32_t link)
{
    if (e->moves == e->moves_room) {
        uint32_t room = e->moves_room ? e->moves_room + e->moves_room / 2 : 256;
        struct move *more = realloc(e->move, room * sizeof *more);
        if (!more)
            return false;
        e->move = more;
        e->moves_room = room;
    }
    e->move[e->moves++].link = link;
    return true;
}

/* A move for each queue that holds packets, in the order of links. */
static bool find_moves(struct state *e)
{
    e->moves = 0;
    for (uint32_t top = 0; top < e->words[2]; top++)
        for (uint64_t a = e->some[2][top]; a; a &= a - 1) {
            uint32_t middle = top * 64 + (uint32_t)__builtin_ctzll(a);
            for (uint64_t b = e->some[1][middle]; b; b &= b - 1) {
                uint32_t low = middle * 64 + (uint32_t)__builtin_ctzll(b);
                for (uint64_t c = e->some[0][low]; c; c &= c - 1)
                    if (!add_move(e, low * 64 + (uint32_t)__builtin_ctzll(c)))
                        return false;
            }
        }
    return true;
}

/* Puts move j into the list of those that want room in the same queue, by when they came. */
static void want(struct state *e, uint32_t j)
{
    struct move *mv = &e->move[j];
    uint64_t came = e->packet[e->queue[mv->link].first].came;
    uint32_t *at = &e->wanted[mv->to];

    while (*at != NONE && e->packet[e->queue[e->move[*at].link].first].came <= came)
        at = &e->move[*at].other;
    mv->other = *at;
    *at = j;
}

static void aim(struct state *e, uint32_t j)
{
    struct move *mv = &e->move[j];
    uint32_t k = e->queue[mv->link].first;
    struct topology_place at = place_after(e, mv->link, e->packet[k].class);

    mv->to = at.node == topology_leave(e->t, e->packet[k].is.dst) ? NONE
                                                                  : choose(e, k, &at, &mv->class);
    mv->granted = mv->to == NONE || !bounded(e);
    if (!mv->granted)
        want(e, j);
}

/* Grants what room there was at the start of the step: packets that leave make none before its end. */
static void grant(struct state *e)
{
    for (uint32_t j = 0; j < e->moves; j++) {
        uint32_t to = e->move[j].to;
        if (to == NONE || e->wanted[to] == NONE)
            continue;
        uint32_t room = full(e, to) ? 0 : e->depth - e->queue[to].count;
        for (uint32_t k = e->wanted[to]; k != NONE && room; k = e->move[k].other, room--)
            e->move[k].granted = true;
        e->wanted[to] = NONE;
    }
}

static bool note_crossing(struct state *e, uint32_t k, const struct move *mv)
{
    if (e->crossings == e->crossings_room) {
        uint32_t room = e->crossings_room ? e->crossings_room + e->crossings_room / 2 : 256;
        uint32_t **lists[] = {&e->crossed, &e->next_link, &e->crossed_link};
        for (unsigned j = 0; j < 3; j++) {
            uint32_t *more = realloc(*lists[j], room * sizeof *more);
            if (!more)
                return false;
            *lists[j] = more;
        }
        e->crossings_room = room;
    }
    e->crossed[e->crossings] = k;
    e->crossed_link[e->crossings] = mv->link;
    e->next_link[e->crossings++] = mv->to;
    return true;
}

/* Packet k has begun to cross. */
static void tell(const struct state *e, uint32_t k, const struct move *mv)
{
    const struct packet *p = &e->packet[k];

    run_tell(&e->run, &(struct fatfly_move){
                          .cycle = e->run.now, .waited = e->run.now - p->came, .cycles = e->run.unit,
                          .worm = p->is.number, .flits = p->is.length, .link = mv->link, .tail = true,
                          .first = p->links == 1, .last = mv->to == NONE});
}

static bool cross(struct state *e, const struct move *mv)
{
    struct queue *q = &e->queue[mv->link];
    uint32_t k = take_first(e, q);
    struct packet *p = &e->packet[k];
    unsigned group = e->t->kind->group(e->t, mv->link / e->t->ports, mv->link % e->t->ports);

    if (q->first == NONE)
        clear_some(e, mv->link);
    if (p->links++ == 0)
        p->injected = e->run.now;
    if (mv->to != NONE) {
        p->class = mv->class;
        reserve(e, mv->to, 1);
    }
    e->run.hops += p->is.length;
    e->held[group] -= p->is.length;
    measure_hop(&e->run.m, e->run.now, mv->link, !(group & 1), group / 2, e->run.now - p->came);
    measure_tail(&e->run.m, e->run.now + e->run.unit - 1, !(group & 1), group / 2, p->is.length);
    return note_crossing(e, k, mv);
}

/* The first packets of all queues in the list cross if they may; what is left in it are the queues
 * whose next one may follow. */
static bool cross_once(struct state *e)
{
    uint32_t left = 0;
    for (uint32_t j = 0; j < e->moves; j++)
        aim(e, j);
    if (bounded(e))
        grant(e);
    for (uint32_t j = 0; j < e->moves; j++) {
        struct move mv = e->move[j];
        if (!mv.granted)
            continue;
        if (!cross(e, &mv))
            return false;
        if (e->run.m.observer)
            tell(e, e->crossed[e->crossings - 1], &mv);
        if (e->queue[mv.link].first != NONE)
            e->move[left++].link = mv.link;
    }
    e->moves = left;
    return true;
}

/* Packet k is consumed; the step that brought it here was its last. */
static void arrive(struct state *e, uint32_t k)
{
    struct packet *p = &e->packet[k];
    uint64_t last = e->run.now + e->run.unit - 1;
    uint64_t head = (uint64_t)p->is.dst << 32 | p->is.src;

    e->run.digest += digest_flit(flit_payload(head, p->is.number, 0, UINT64_MAX), FLIT_HEAD | FLIT_TAIL,
                             last, p->is.dst, 0);
    measure_delivered(&e->run.m, &p->is, p->injected, e->run.now, last, p->links);
    POOL_GIVE(e->packet, e->pool, k);
    e->inside--;
}

static void settle(struct state *e)
{
    for (uint32_t j = 0; j < e->crossings; j++) {
        uint32_t k = e->crossed[j], to = e->next_link[j];
        reserve(e, e->crossed_link[j], -1);
        if (to == NONE) {
            arrive(e, k);
            continue;
        }
        e->held[e->t->kind->group(e->t, to / e->t->ports, to % e->t->ports)] += e->packet[k].is.length;
        join(e, to, k, e->run.now + e->run.unit);
    }
}

/* -- deadlock --------------------------------------------------------------------------------- */

/* Bounded: a queue that the first packet of this link's waits for and that stands still, as far as
 * is known: alive[] has those that will move; NONE if there is room or one of them moves. */
static uint32_t waits_for(const struct state *e, uint32_t link, const uint8_t *alive)
{
    struct topology_choice choice[TOPOLOGY_MAX_PORTS];
    const struct packet *p = &e->packet[e->queue[link].first];
    struct topology_place at = place_after(e, link, p->class);
    uint32_t found = NONE;

    if (at.node == topology_leave(e->t, p->is.dst))
        return NONE;
    unsigned count = e->t->kind->route(e->t, &at, p->is.dst, choice);
    for (unsigned j = 0; j < count; j++) {
        uint32_t to = at.node * e->t->ports + choice[j].port;
        if (!full(e, to) || alive[to])
            return NONE;
        found = to;
    }
    return found;
}

static uint32_t blocker(const struct run *r, uint32_t link, const uint8_t *alive)
{
    return waits_for((const struct state *)r, link, alive);
}

static uint32_t number(const struct run *r, uint32_t link)
{
    const struct state *e = (const struct state *)r;
    return e->packet[e->queue[link].first].is.number;
}

static size_t say(const struct run *r, uint32_t link, const uint8_t *alive, char *text, size_t size)
{
    const struct topology *t = r->topology;
    uint32_t to = blocker(r, link, alive), ports = t->ports;
    return (size_t)snprintf(text, size, " packet %u in %u waits for room before %u->%u, held by",
                            number(r, link), link / ports, to / ports,
                            t->kind->far(t, to / ports, to % ports));
}

static void wait(const struct run *r, uint32_t link, const uint8_t *alive, struct fatfly_wait *x)
{
    const struct state *e = (const struct state *)r;
    const struct packet *p = &e->packet[e->queue[link].first];

    x->src = p->is.src;
    x->dst = p->is.dst;
    x->at = link;
    x->link = blocker(r, link, alive);
}

/* Bounded: whether some queues will never move again. */
static int look_for_circle(struct run *r, bool idle)
{
    struct state *e = (struct state *)r;
    uint8_t *alive;

    (void)idle;
    if (!bounded(e))
        return FATFLY_OK;
    alive = calloc(e->links, 1);
    uint32_t *items = alive && find_moves(e) ? malloc((e->moves + 1) * sizeof *items) : NULL;
    int status = items ? FATFLY_OK : FATFLY_NO_MEMORY;
    for (uint32_t j = 0; j < e->moves && items; j++)
        items[j] = e->move[j].link;
    if (!status)
        status = circle_look(r, &(struct circle){.items = items, .count = e->moves, .alive = alive,
                                                 .blocker = blocker, .say = say, .wait = wait, .longest = 110,
                                                 .noun = "packet", .number = number});
    free(alive);
    free(items);
    return status;
}

/* -- the run ---------------------------------------------------------------------------------- */

/* What samples find in the cycles from now to `end`, in which nothing joins or leaves a queue. */
static void sample(struct run *run, uint64_t end)
{
    struct state *e = (struct state *)run;
    struct fatfly_result *r = e->run.m.result;

    uint64_t samples = run_ticks(run, end);
    r->samples += samples;
    for (unsigned g = 0; samples && g < 2 * FATFLY_MAX_STAGES; g++)
        measure_level(&e->run.m, !(g & 1), g / 2)->occupancy += samples * e->held[g];
    for (unsigned q = 0; samples && q <= FATFLY_MAX_DEPTH; q++)
        r->occupied[q] += samples * e->holding[q];
}

static int step(struct run *r)
{
    struct state *e = (struct state *)r;

    if (bounded(e))
        enter_all(e);
    sample(r, r->now + r->unit);
    e->crossings = 0;
    if (!find_moves(e))
        return FATFLY_NO_MEMORY;
    for (uint32_t lane = 0; lane < e->lanes && e->moves; lane++)
        if (!cross_once(e))
            return FATFLY_NO_MEMORY;
    settle(e);
    r->stands = !e->crossings;
    return FATFLY_OK;
}

static void close_queues(struct run *r)
{
    struct state *e = (struct state *)r;
    for (unsigned k = 0; k < 3; k++)
        free(e->some[k]);
    free(e->packet);
    free(e->queue);
    free(e->source);
    free(e->waits);
    free(e->wanted);
    free(e->move);
    free(e->crossed);
    free(e->next_link);
    free(e->crossed_link);
}

static bool open_queues(struct state *e)
{
    uint32_t words = e->links, processors = e->t->processors;

    e->queue = malloc(e->links * sizeof *e->queue);
    for (unsigned k = 0; k < 3; k++) {
        e->words[k] = words = (words + 63) / 64;
        e->some[k] = calloc(words, sizeof **e->some);
    }
    if (!e->queue || !e->some[0] || !e->some[1] || !e->some[2])
        return false;
    for (uint32_t k = 0; k < e->links; k++)
        e->queue[k] = (struct queue){.first = NONE};
    if (!bounded(e))
        return true;
    e->source = malloc(processors * sizeof *e->source);
    e->waits = malloc(processors * sizeof *e->waits);
    e->wanted = malloc(e->links * sizeof *e->wanted);
    if (!e->source || !e->waits || !e->wanted)
        return false;
    for (uint32_t a = 0; a < processors; a++)
        e->source[a] = (struct queue){.first = NONE};
    for (uint32_t k = 0; k < e->links; k++)
        e->wanted[k] = NONE;
    return true;
}

static int open_run(struct run *r)
{
    struct state *e = (struct state *)r;
    const struct topology *t = e->t = r->topology;

    r->unit = r->config->length;
    e->depth = r->config->depth;
    e->lanes = r->config->link_bandwidth;
    e->links = t->links;
    e->pool.unused = NONE;
    if (!open_queues(e))
        return FATFLY_NO_MEMORY;
    for (uint32_t k = 0; k < e->links; k++)
        e->holding[0] += t->kind->far(t, k / t->ports, k % t->ports) != TOPOLOGY_NONE;
    return FATFLY_OK;
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    uint64_t links = t->links, packets = measure_worms(t, c);
    bool is_bounded = c->depth < FATFLY_UNBOUNDED;
    uint64_t moving = packets < links ? packets : links;

    return links * (sizeof(struct queue) + 1 + (is_bounded ? 4 : 0)) +
           t->processors * (sizeof(struct traffic_worm) + 4 + (is_bounded ? 16 : 0)) +
           packets * sizeof(struct packet) + moving * (sizeof(struct move) + 12);
}

static unsigned link_cycles(const struct fatfly_config *c, const struct topology *t)
{
    (void)t;
    return c->length;
}

static unsigned at_once(const struct fatfly_config *c, const struct topology *t)
{
    (void)t;
    return c->link_bandwidth;
}

static bool idle(const struct run *r)
{
    const struct state *e = (const struct state *)r;
    return !e->inside && !e->waiting;
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    return !t->levels && c->discipline == FATFLY_STORE;
}

const struct engine engine_store_any = {
    .name = "store-any", .state = sizeof(struct state), .can = can, .memory = memory,
    .link_cycles = link_cycles, .at_once = at_once, .tells = true, .open = open_run, .close = close_queues, .enter = enter,
    .step = step, .sample = sample, .idle = idle, .look = look_for_circle, .look_steps = 4096,
    .rests = true};
