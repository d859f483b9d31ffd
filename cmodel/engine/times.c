/* SPDX-License-Identifier: Apache-2.0
 * times.c - worms on channels with fixed shares, by the cycles in which their flits cross: events, not cycles,
 * for what channel.c otherwise moves flit by flit, with the same result.
 *
 * With fixed shares (BC 2.1) heads alone compete.  Flit f of a worm begins to cross link i of d of its path in cycle
 *     t(f, i) = max(t(f - 1, i), t(f, i - 1), t(f - q, i + 1)) + step:
 * the flit before it has crossed, it has come itself, and there is a place in the queue of q; a link to the
 * destination has no queue behind it.  t(0, i) is the cycle T(i) in which the head takes the channel, and
 * T(i) >= T(i - 1) + step.  The longest way from (f, i) to a head takes c steps to later links, each for q flits,
 * and the others on its own; with q = 1 it goes back a link between any two, so that flits are two steps apart:
 *     t(f, i) = max(T(i + c) - b c) + a f,  c = 0 .. min(f / q, d - 1 - i),
 *     a = step, b = (q - 1) step;  q = 1 and d > 1: a = 2 step, b = step.
 * So the head's taking of link j decides when the tail crosses link j - (L - 1) / q, that of the last link when it
 * crosses all that are left.
 *
 * What is left to happen: a head comes to the end of a link and asks; the tail leaves a queue, whose channel is
 * free then.  Both wait on a wheel.  What has crossed, and what stands in queues, follows from the heads' cycles.
 */
#include "channel.h"

#include "digest.h"
#include "discipline.h"
#include "flit.h"

#include <stdlib.h>

enum { COMING, LEAVING, EVENTS, TURN = 256, LOOK_STEPS = 16384 };

/* A channel: struct channel has the same only while look() looks. */
struct span {
    int64_t key;            /* T(i) - b i */
    uint64_t end;           /* cycle after the last one of the tail's crossing, once it is decided */
    uint32_t worm;          /* that holds it; NONE */
    uint32_t from, to;      /* channels of the worm before and after this one; NONE: the source, none yet */
    uint32_t link;
    uint32_t near, far;     /* nodes that it leaves and enters */
    uint32_t next[EVENTS];  /* of a list */
    uint32_t hop;           /* i */
    uint8_t port, class;    /* of its near end */
    bool last;              /* the worm is consumed at the far end */
    struct fatfly_level *level; /* of its link */
};

struct times {
    struct channels e;
    unsigned depth;          /* q */
    uint64_t pace, shift;    /* a and b */
    struct span *span;       /* [channels] */
    uint32_t first[TURN][EVENTS]; /* channels of which something happens in cycles that are this modulo TURN */
    uint32_t count;          /* of them all */
};

/* -- events ------------------------------------------------------------------------------------- */

static void put(struct times *t, unsigned what, uint32_t c, uint64_t cycle)
{
    uint32_t *first = &t->first[cycle % TURN][what];
    t->span[c].next[what] = *first;
    *first = c;
    t->count++;
}

/* The tail leaves the queue of channel c in that cycle: a turn of the wheel before that it is looked at again. */
static void put_leaving(struct times *t, uint32_t c, uint64_t cycle)
{
    uint64_t last = t->e.run.now + TURN - 1;
    put(t, LEAVING, c, cycle < last ? cycle : last);
}

/* A worm over one link never waits for a place. */
static inline uint64_t pace(const struct times *t, const struct span *s)
{
    return s->last && s->hop == 0 ? t->e.step : t->pace;
}

/* Cycle in which its head took it. */
static inline uint64_t taken(const struct times *t, const struct span *s)
{
    return (uint64_t)s->key + t->shift * s->hop;
}

/* Its head takes channel c in this cycle: when its tail crosses links. */
static void decide(struct times *t, uint32_t c, uint32_t length)
{
    struct span *s = &t->span[c];
    uint32_t left = length - 1; /* by depth: links between that whose tail is decided and this one */
    bool last = s->last;
    uint64_t tail = pace(t, s) * (length - 1) + t->e.step;
    int64_t key = s->key;

    if (last)
        put_leaving(t, c, t->e.run.now + tail);
    for (;; left -= t->depth) {
        uint32_t from = s->from;
        bool decided = left < t->depth;
        key = s->key > key ? s->key : key;
        if (last || decided) {
            s->end = (uint64_t)key + t->shift * s->hop + tail;
            if (from != NONE)
                put_leaving(t, from, s->end);
        }
        if (decided || from == NONE)
            return;
        s = &t->span[from];
    }
}

/* Flits of channel c that have crossed it before that cycle begins; *late, if it is not NULL: of those that are
 * decided the last one has when this cycle begins. */
static uint32_t crossed(const struct times *t, uint32_t c, uint64_t cycle, uint64_t *late)
{
    const struct span *s = &t->span[c];
    uint32_t length = t->e.worm[s->worm].is.length, count = 0;
    uint64_t each = pace(t, s), base = t->shift * s->hop + t->e.step;
    int64_t key = s->key;

    for (; count < length; s = &t->span[s->to]) {
        uint32_t end = s->last || length - count < t->depth ? length : count + t->depth;
        key = s->key > key ? s->key : key;
        uint64_t first = (uint64_t)key + base; /* of flit 0, were it so */
        if (late)
            *late = first + each * (end - 1);
        else if (first + each * (end - 1) > cycle) {
            uint32_t most = first > cycle ? 0 : (uint32_t)((cycle - first) / each) + 1;
            return most > count ? most : count;
        }
        count = end;
        if (s->to == NONE)
            break;
    }
    return count;
}

/* The cycle after which nothing that is decided moves. */
static uint64_t still(const struct times *t)
{
    uint64_t most = 0, late = 0;
    for (uint32_t c = 0; t->e.inside && c < topology_channels(t->e.t); c++)
        if (t->span[c].worm != NONE) {
            crossed(t, c, 0, &late);
            most = late > most ? late : most;
        }
    return most;
}

/* -- heads -------------------------------------------------------------------------------------- */

static void look(struct times *t, uint32_t node)
{
    struct channels *e = &t->e;
    if (!e->node[node].listed)
        e->looks.item[e->looks.count++] = node;
    e->node[node].listed = true;
}

/* The head of worm k, with its `at` and `front` set, asks for its next channel; false: the routing gave none. */
static bool ask(struct times *t, uint32_t k, const struct topology_place *place)
{
    struct channels *e = &t->e;
    struct channel_worm *w = &e->worm[k];
    struct channel_node *n = &e->node[place->node];

    w->choices = (uint8_t)e->t->kind->route(e->t, place, w->is.dst, w->choice);
    w->waits = true;
    w->behind = NONE;
    look(t, place->node);
    if (n->first == NONE) {
        n->first = n->last = k;
    } else if (!channels_before(w, &e->worm[n->last])) {
        e->worm[n->last].behind = k;
        n->last = k;
    } else {
        uint32_t *link = &n->first;
        while (!channels_before(w, &e->worm[*link]))
            link = &e->worm[*link].behind;
        w->behind = *link;
        *link = k;
    }
    return w->choices != 0;
}

/* Of a source's queue. */
static bool ask_first(struct times *t, uint32_t src)
{
    struct topology_place place = {.node = topology_enter(t->e.t, src), .from = TOPOLOGY_NONE};
    uint32_t first = t->e.first[src];
    struct channel_worm *w = &t->e.worm[first];
    w->front = w->is.ready > t->e.run.now ? w->is.ready : t->e.run.now;
    return ask(t, first, &place);
}

static int enter(struct run *r, const struct traffic_worm *is)
{
    struct times *t = (struct times *)r;
    struct channels *e = &t->e;
    uint32_t k = POOL_TAKE(e->worm, e->pool, struct channel_worm), src = is->src;
    if (k == NONE)
        return FATFLY_NO_MEMORY;
    struct channel_worm *w = &e->worm[k];
    w->is = *is;
    w->links = 0;
    w->next = w->at = w->lead = NONE;
    w->end = topology_leave(e->t, is->dst);
    w->waits = false;
    w->choices = w->queue = 0;
    bool alone = e->first[src] == NONE;
    *(alone ? &e->first[src] : &e->worm[e->last[src]].next) = k;
    e->last[src] = k;
    return !alone || ask_first(t, src) ? FATFLY_OK : FATFLY_NO_MEMORY;
}

/* Worm k takes channel c, which is free, and its head begins to cross; the next worm of its source may ask then. */
static bool take(struct times *t, uint32_t k, uint32_t c)
{
    struct channels *e = &t->e;
    struct channel_worm *w = &e->worm[k];
    struct span *s = &t->span[c];
    uint32_t at = w->at, src = w->is.src;

    s->worm = k;
    s->from = at;
    s->to = NONE;
    s->last = s->far == w->end;
    s->hop = w->links;
    s->key = (int64_t)(e->run.now - t->shift * w->links);
    w->lead = c;
    w->waits = false;
    if (w->links++ == 0)
        w->injected = e->run.now;
    measure_hop_on(&e->run.m, e->run.now, s->link, s->level, e->run.now - w->front);
    decide(t, c, w->is.length);
    if (!s->last)
        put(t, COMING, c, e->run.now + e->step);
    if (at != NONE) {
        t->span[at].to = c;
        return true;
    }
    e->inside++;
    e->first[src] = w->next;
    return w->next == NONE || ask_first(t, src);
}

/* The heads in a node try once, the longest waiting first, those of worms that a source now sends on, too. */
static bool look_at(struct times *t, uint32_t node)
{
    struct channels *e = &t->e;
    struct channel_node *n = &e->node[node];
    uint32_t stays = NONE; /* the last that has found none */

    for (uint32_t k = n->first; k != NONE;) {
        uint32_t c = channels_free(e->t, &e->worm[k], node, &t->span->worm, sizeof *t->span, NULL);
        if (c == NONE) {
            stays = k;
            k = e->worm[k].behind;
            continue;
        }
        if (!take(t, k, c)) /* may add to this list, behind k */
            return false;
        uint32_t next = e->worm[k].behind;
        *(stays == NONE ? &n->first : &e->worm[stays].behind) = next;
        if (next == NONE)
            n->last = stays;
        k = next;
    }
    return true;
}

/* -- what happens ------------------------------------------------------------------------------- */

/* The first flits of a worm, of whose path this is the last channel, are consumed. */
static void consume(struct times *t, const struct span *s, uint32_t count)
{
    const struct traffic_worm *w = &t->e.worm[s->worm].is;
    uint64_t head = (uint64_t)w->dst << 32 | w->src, cycle = taken(t, s) + t->e.step - 1, each = pace(t, s);

    for (uint32_t f = 0; f < count; f++, cycle += each) {
        unsigned kind = (f == 0 ? FLIT_HEAD : 0u) | (f + 1 == w->length ? FLIT_TAIL : 0u);
        t->e.run.digest += digest_flit(flit_payload(head, w->number, f, UINT64_MAX), kind, cycle, w->dst, s->class);
    }
}

/* The tail of its worm has crossed. */
static inline void count_tail(struct times *t, const struct span *s, uint32_t length)
{
    t->e.run.hops += length;
    measure_tail_on(&t->e.run.m, s->end - 1, s->level, length);
}

/* The tail has left the queue of a channel, or is consumed. */
static void leave(struct times *t, struct span *s)
{
    struct channels *e = &t->e;
    struct channel_worm *w = &e->worm[s->worm];

    count_tail(t, s, w->is.length);
    if (s->last) {
        consume(t, s, w->is.length);
        measure_delivered(&e->run.m, &w->is, w->injected, taken(t, s) + e->step - 1, e->run.now - 1, w->links);
        POOL_GIVE(e->worm, e->pool, s->worm);
        e->inside--;
    }
    s->worm = NONE;
    if (e->node[s->near].first != NONE)
        look(t, s->near);
}

static bool come(struct times *t, uint32_t c)
{
    const struct span *s = &t->span[c];
    struct channel_worm *w = &t->e.worm[s->worm];
    struct topology_place at = {.node = s->far, .from = s->near, .port = s->port, .class = s->class};
    w->at = c;
    w->front = t->e.run.now;
    return ask(t, s->worm, &at);
}

static int arrive(struct run *r)
{
    struct times *t = (struct times *)r;
    uint32_t *first = t->first[r->now % TURN], leaving = first[LEAVING], coming = first[COMING];

    first[LEAVING] = first[COMING] = NONE;
    while (leaving != NONE) {
        struct span *s = &t->span[leaving];
        uint64_t gone = s->last ? s->end : t->span[s->to].end;
        uint32_t c = leaving;
        leaving = s->next[LEAVING];
        t->count--;
        if (gone > r->now)
            put_leaving(t, c, gone);
        else
            leave(t, s);
    }
    for (uint32_t c = coming; c != NONE; c = t->span[c].next[COMING], t->count--)
        if (!come(t, c))
            return FATFLY_NO_MEMORY;
    return FATFLY_OK;
}

/* -- the run ------------------------------------------------------------------------------------ */

/* What the channels hold when that cycle begins, as so many samples. */
static void sample_channels(struct times *t, uint64_t cycle, uint64_t times)
{
    struct channels *e = &t->e;
    struct fatfly_result *r = e->run.m.result;
    uint32_t channels = (uint32_t)topology_channels(e->t), empty = channels;

    for (uint32_t c = 0; c < channels; c++) {
        const struct span *s = &t->span[c];
        if (s->worm == NONE || s->last)
            continue;
        uint32_t queued = crossed(t, c, cycle, NULL) - (s->to == NONE ? 0 : crossed(t, s->to, cycle, NULL));
        s->level->occupancy += times * queued;
        r->occupied[queued < FATFLY_MAX_DEPTH ? queued : FATFLY_MAX_DEPTH] += times;
        empty--;
    }
    r->occupied[0] += times * empty;
    r->samples += times;
}

/* Flits move in these cycles, though nothing happens. */
static void sample(struct run *r, uint64_t to)
{
    struct times *t = (struct times *)r;
    uint64_t from = r->now > r->m.from ? r->now : r->m.from;
    uint64_t times = run_ticks(r, to), tick = (from + 63) / 64 * 64;

    for (; times && t->e.inside; times--, tick += 64)
        sample_channels(t, tick, 1);
    if (times)
        sample_channels(t, tick, times);
}

static int step(struct run *r)
{
    struct times *t = (struct times *)r;
    struct channels *e = &t->e;

    if (measure_samples(&r->m, r->now))
        sample_channels(t, r->now, 1);
    for (uint32_t k = 0; k < e->looks.count; k++) {
        if (!look_at(t, e->looks.item[k]))
            return FATFLY_NO_MEMORY;
        e->node[e->looks.item[k]].listed = false;
    }
    e->looks.count = 0;
    return FATFLY_OK;
}

static bool idle(const struct run *r)
{
    const struct times *t = (const struct times *)r;
    return !t->count && !t->e.looks.count && still(t) < r->now;
}

/* Of the cycles from now on the first with an event; none is passed after which look() may be asked. */
static uint64_t next(const struct run *r)
{
    const struct times *t = (const struct times *)r;
    uint64_t look_in = r->now | (LOOK_STEPS - 1), at = r->now;

    if (!t->count) {
        uint64_t end = still(t);
        return end < at ? UINT64_MAX : end < look_in ? end : look_in;
    }
    while (at < look_in && t->first[at % TURN][LEAVING] == NONE && t->first[at % TURN][COMING] == NONE)
        at++;
    return at;
}

/* For channels_look(). */
static int look_round(struct run *r, bool idle_now)
{
    struct times *t = (struct times *)r;
    for (uint32_t c = 0; c < topology_channels(r->topology); c++) {
        struct channel *ch = &t->e.channel[c];
        ch->worm = ch->front.worm = t->span[c].worm;
        ch->to = t->span[c].to;
    }
    return channels_look(r, idle_now);
}

/* What has crossed links and was consumed of worms that are under way. */
static void finish(struct run *r)
{
    struct times *t = (struct times *)r;
    uint32_t channels = (uint32_t)topology_channels(r->topology);
    bool unfinished = measure_unfinished(&r->m, r->now);

    for (uint32_t c = 0; c < channels && r->now; c++) {
        const struct span *s = &t->span[c];
        if (s->worm == NONE)
            continue;
        uint32_t length = t->e.worm[s->worm].is.length, count = crossed(t, c, r->now - 1, NULL);
        if (s->last)
            consume(t, s, count);
        if (count == length) {
            count_tail(t, s, length);
            continue;
        }
        r->hops += count;
        if (unfinished)
            s->level->flits += count;
    }
    if (!r->m.open && r->m.result->end == FATFLY_DONE && r->m.delivered)
        r->now = r->m.result->last_arrival + 1;
}

static int open_times(struct run *r)
{
    struct times *t = (struct times *)r;
    uint32_t channels = (uint32_t)topology_channels(r->topology), ports = r->topology->ports;
    int status = channels_open(r);

    if (status)
        return status;
    t->depth = t->e.depth < FATFLY_MAX_LENGTH ? t->e.depth : FATFLY_MAX_LENGTH;
    t->pace = t->depth > 1 ? t->e.step : 2 * t->e.step;
    t->shift = t->depth > 1 ? (t->depth - 1) * t->e.step : t->e.step;
    t->span = malloc((size_t)channels * sizeof *t->span);
    t->e.looks.item = malloc(r->topology->nodes * sizeof *t->e.looks.item);
    if (!t->span || !t->e.looks.item)
        return FATFLY_NO_MEMORY;
    for (uint32_t c = 0; c < channels; c++) {
        const struct channel *ch = &t->e.channel[c];
        t->span[c] = (struct span){.worm = NONE, .link = ch->link, .near = ch->link / ports, .far = t->e.far[ch->link],
                                   .port = (uint8_t)(ch->link % ports), .class = ch->class,
                                   .level = measure_level(&r->m, !(ch->group & 1), ch->group / 2)};
    }
    for (unsigned spoke = 0; spoke < TURN; spoke++)
        t->first[spoke][COMING] = t->first[spoke][LEAVING] = NONE;
    return FATFLY_OK;
}

static void close_times(struct run *r)
{
    channels_close(r);
    free(((struct times *)r)->span);
}

static uint64_t memory(const struct fatfly_config *c, const struct topology *t)
{
    return channels_memory(c, t) + topology_channels(t) * sizeof(struct span);
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    bool alone = c->classes <= 1 && !c->class_length[0] && !c->reply[0] && !c->plugin;
    bool plain = c->bandwidth == FATFLY_FIXED_SHARE && c->channel_release == FATFLY_TAIL_GONE &&
                 c->injection == FATFLY_ONE_QUEUE && c->link_latency == 1 && !c->router_latency && !c->head_latency && !c->channels_in_turn && !c->input_bandwidth;
    return !t->levels && !discipline_of(c)->packets && alone && plain;
}

const struct engine engine_times = {
    .name = "channel", .state = sizeof(struct times), .can = can, .memory = memory,
    .link_cycles = channels_link_cycles, .at_once = channels_at_once, .open = open_times, .close = close_times,
    .arrive = arrive, .enter = enter, .step = step, .sample = sample, .idle = idle, .next = next,
    .look = look_round, .look_steps = LOOK_STEPS, .finish = finish, .of_traffic = true,
    .to_the_end = true};
