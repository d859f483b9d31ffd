/* SPDX-License-Identifier: Apache-2.0
 * channel.c - worms on any topology, virtual channel by virtual channel (BC 2).
 *
 * A virtual channel is a share of a link and a queue of q flits at its far end.  It belongs to one
 * worm from the cycle in which the head takes it to the one in which the tail leaves its queue, or, with
 * tail-sent, to the one in which the tail has crossed: then flits of the next worm lie behind it, and
 * each is treated as if its worm were alone once it is first.  Processors put worms straight into the links of their node and take what arrives at once (BC 2:
 * a message never waits at its destination).  A source has one queue, or one for each class; the
 * first worm of a queue asks, the next one as soon as the head before it has a channel.
 *
 * With fixed shares (BC 2.1) a flit takes V cycles on a channel, whatever the others do; on demand
 * it takes one, and the channels of a link that could send take turns.  A flit leaves the queue
 * that it comes from when it has crossed.  So a worm over d links that meets nobody takes
 * (d + L - 1) * step cycles, and d * extra more where links are long or routers slow: a flit that has
 * crossed is under way for so long, and then can go on.  Its place in the queue is kept for it; that one
 * became free is known to the sender `back` cycles later, that the whole channel did at once.  Of the heads that stand in a node the one that has waited longest
 * chooses first; where several links will do it begins with any of them.
 */
#include "channel.h"

#include "digest.h"
#include "discipline.h"
#include "flit.h"
#include "plug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- links -------------------------------------------------------------------------------------- */

/* Functions that are given a kind are compiled once for each: the common ones do not ask what only ANY may be. */
#define INLINE static inline __attribute__((always_inline))

INLINE struct channel_stay *newest(const struct channels *e, uint32_t c, enum channels_kind kind)
{
    return kind == ANY ? channels_newest(e, c) : &e->channel[c].front;
}

/* Something of channel c ends in so many cycles, which is seen in arrive(). */
static inline bool later(struct channels *e, unsigned what, unsigned cycles, uint32_t c)
{
    unsigned at = e->spoke + cycles;
    e->turning++;
    return push(&e->wheel[what * e->spokes + (at < e->spokes ? at : at - e->spokes)], c);
}

/* A flit of channel c begins to cross. */
INLINE bool send(struct channels *e, uint32_t c, enum channels_kind kind)
{
    struct channel *ch = &e->channel[c];
    ch->sending = true;
    if (newest(e, c, kind)->crossed == 0) {
        struct channel_worm *w = &e->worm[ch->worm];
        if (w->links++ == 0)
            w->injected = e->run.now;
        measure_hop(&e->run.m, e->run.now, ch->link, !(ch->group & 1), ch->group / 2, e->run.now - w->front);
    }
    e->turning++;
    return push(&e->wheel[e->soon], c);
}

/* Whether the queue of channel c has no place for a flit of stay s, as far as the sender knows. */
INLINE bool full(const struct channels *e, uint32_t c, const struct channel_stay *s, enum channels_kind kind)
{
    const struct channel *ch = &e->channel[c];
    if (kind != ANY)
        return !s->last && s->queued >= e->depth;
    const struct channel_rest *rest = &e->rest[c];
    return !(s->last && s == &ch->front) && ch->front.queued + ch->front.flying + rest->behind + rest->owed >= e->depth;
}

INLINE bool try_kind(struct channels *e, uint32_t c, enum channels_kind kind)
{
    struct channel *ch = &e->channel[c];
    const struct channel_stay *s = newest(e, c, kind);
    if (ch->sending || full(e, c, s, kind) || (s->from != NONE && e->channel[s->from].front.queued == 0))
        return true;
    if (kind == FIXED || (kind == ANY && !e->demand))
        return send(e, c, kind);
    uint32_t link = ch->link, class = ch->class;
    unsigned words = kind == DEMAND ? 1 : e->words;
    uint64_t *ready = &e->ready[(size_t)link * words], any = 0;
    for (unsigned k = 0; k < words; k++)
        any |= ready[k];
    ready[class / 64] |= UINT64_C(1) << class % 64;
    return any || push(&e->links, link);
}

static bool try_fixed(struct channels *e, uint32_t c)
{
    return try_kind(e, c, FIXED);
}

static bool try_demand(struct channels *e, uint32_t c)
{
    return try_kind(e, c, DEMAND);
}

static bool try_any(struct channels *e, uint32_t c)
{
    return try_kind(e, c, ANY);
}

/* Called whenever something happened that channel c may have waited for. */
INLINE bool try_send(struct channels *e, uint32_t c, enum channels_kind kind)
{
    return kind == FIXED ? try_fixed(e, c) : kind == DEMAND ? try_demand(e, c) : try_any(e, c);
}

/* The first class at or after `from`, around, that is ready. */
INLINE unsigned next_ready(const struct channels *e, const uint64_t *ready, unsigned from, enum channels_kind kind)
{
    if (kind == DEMAND) { /* which has one word */
        uint64_t after = *ready & ~UINT64_C(0) << from;
        return *ready ? (unsigned)__builtin_ctzll(after ? after : *ready) : NONE;
    }
    for (unsigned k = 0; k <= e->words; k++) {
        unsigned word = (from / 64 + k) % e->words;
        uint64_t bits = ready[word];
        if (k == 0)
            bits &= ~UINT64_C(0) << from % 64;
        if (bits)
            return word * 64 + (unsigned)__builtin_ctzll(bits);
    }
    return NONE;
}

/* The class whose turn it is, of those whose worms go before the others. */
static unsigned next_turn(const struct channels *e, uint32_t link, const uint64_t *ready)
{
    unsigned best = NONE, rank = 0, classes = e->t->classes, class = e->turn[link];

    if (!e->ranked)
        return next_ready(e, ready, class, ANY);
    for (unsigned k = 0; k < classes; k++, class = class + 1 < classes ? class + 1 : 0) {
        if (!(ready[class / 64] >> class % 64 & 1))
            continue;
        unsigned own = channels_rank(e, &e->worm[e->channel[link * classes + class].worm]);
        if (best == NONE || own > rank) {
            best = class;
            rank = own;
        }
    }
    return best;
}

/* What channel c takes from in this cycle: the queues behind a link, or the sources of its node. */
static uint64_t *input_of(const struct channels *e, uint32_t c)
{
    uint32_t from = channels_newest(e, c)->from;
    return &e->input[from == NONE ? e->t->links + channels_link(e, c) / e->t->ports : e->channel[from].link];
}

/* Flits that an input sent in this cycle. */
static unsigned input_sent(const struct channels *e, const uint64_t *input)
{
    return *input >> 8 == ((e->run.now + 1) & UINT64_MAX >> 8) ? (unsigned)(*input & 255) : 0;
}

/* The next channel of a link whose input may still send; none: NONE. */
static unsigned next_free(const struct channels *e, uint32_t link, const uint64_t *ready)
{
    uint64_t may[(FATFLY_MAX_CHANNELS + 63) / 64];

    for (unsigned k = 0; k < e->words; k++) {
        may[k] = ready[k];
        for (uint64_t bits = ready[k]; bits; bits &= bits - 1) {
            unsigned class = k * 64 + (unsigned)__builtin_ctzll(bits);
            if (input_sent(e, input_of(e, link * e->t->classes + class)) >= e->inputs)
                may[k] &= ~(bits & -bits);
        }
    }
    return next_turn(e, link, may);
}

/* A link sends for the next channels in turn; *more: some could send, too. */
INLINE bool share_link(struct channels *e, uint32_t link, bool *more, enum channels_kind kind)
{
    uint64_t *ready = &e->ready[(size_t)link * (kind == DEMAND ? 1 : e->words)];
    unsigned inputs = kind == DEMAND ? 0 : e->inputs, classes = e->t->classes;

    for (unsigned lane = 0; lane < e->lanes; lane++) {
        unsigned class = kind == DEMAND ? next_ready(e, ready, e->turn[link], kind)
                         : inputs       ? next_free(e, link, ready) : next_turn(e, link, ready);
        if (class == NONE)
            break;
        uint32_t c = link * classes + class;
        ready[class / 64] &= ~(UINT64_C(1) << class % 64);
        e->turn[link] = (uint8_t)(class + 1 < classes ? class + 1 : 0);
        if (inputs) {
            uint64_t *input = input_of(e, c);
            *input = (e->run.now + 1) << 8 | (input_sent(e, input) + 1);
        }
        if (!send(e, c, kind))
            return false;
    }
    *more = next_ready(e, ready, 0, kind) != NONE;
    return true;
}

/* Of a node the links choose in the order of their ports, in cycle t from port t on, around. */
static bool share_inputs(struct channels *e)
{
    unsigned ports = e->t->ports;
    bool more;

    for (uint32_t k = 0; k < e->links.count; k++) {
        uint32_t node = e->links.item[k] / ports;
        if (!e->asking[node] && !push(&e->sharing, node))
            return false;
        e->asking[node] |= (uint16_t)(1u << e->links.item[k] % ports);
    }
    e->links.count = 0;
    for (uint32_t k = 0; k < e->sharing.count; k++) {
        uint32_t node = e->sharing.item[k];
        for (unsigned j = 0; j < ports; j++) {
            unsigned port = (unsigned)((e->run.now + j) % ports);
            if (!(e->asking[node] >> port & 1))
                continue;
            if (!share_link(e, node * ports + port, &more, ANY) || (more && !push(&e->links, node * ports + port)))
                return false;
        }
        e->asking[node] = 0;
    }
    e->sharing.count = 0;
    return true;
}

/* On demand. */
INLINE bool share_links(struct channels *e, enum channels_kind kind)
{
    uint32_t left = 0;
    bool more;

    if (kind == ANY && e->inputs)
        return share_inputs(e);
    for (uint32_t k = 0; k < e->links.count; k++) {
        if (!share_link(e, e->links.item[k], &more, kind))
            return false;
        if (more)
            e->links.item[left++] = e->links.item[k];
    }
    e->links.count = left;
    return true;
}

/* -- heads -------------------------------------------------------------------------------------- */

static bool look(struct channels *e, uint32_t node)
{
    if (e->node[node].listed)
        return true;
    e->node[node].listed = true;
    return push(&e->looks, node);
}

static struct fatfly_plug_head plug_head(const struct channels *e, const struct channel_worm *w)
{
    struct fatfly_plug_place at = {topology_enter(e->t, w->is.src), FATFLY_PLUG_NOWHERE, 0, 0};
    uint32_t link = w->at != NONE ? channels_link(e, w->at) : 0;
    if (w->at != NONE)
        at = (struct fatfly_plug_place){e->far[link], link / e->t->ports, link % e->t->ports,
                                        e->channel[w->at].class};
    return (struct fatfly_plug_head){at, w->front, w->is.ready, w->is.number, w->is.src, w->is.dst, w->is.length};
}

static bool goes_before(const struct channels *e, const struct channel_worm *a, const struct channel_worm *b)
{
    if (e->ranked && channels_rank(e, a) != channels_rank(e, b))
        return channels_rank(e, a) > channels_rank(e, b);
    if (!e->order)
        return channels_before(a, b);
    struct fatfly_plug_head x = plug_head(e, a), y = plug_head(e, b);
    return e->order->before(&e->network, &x, &y);
}

INLINE bool goes_first(const struct channels *e, const struct channel_worm *a, const struct channel_worm *b,
                       enum channels_kind kind)
{
    return kind == ANY ? goes_before(e, a, b) : channels_before(a, b);
}

/* What worm w may take at a place, of the channels that its class may have. */
static unsigned route(const struct channels *e, struct channel_worm *w, const struct topology_place *place)
{
    if (!e->own)
        return e->t->kind->route(e->t, place, w->is.dst, w->choice);
    struct topology_place at = *place;
    uint8_t first = (uint8_t)(e->own * traffic_part(e->run.config, w->is.of_class));
    at.class -= place->from != TOPOLOGY_NONE ? first : 0;
    unsigned choices = e->part.kind->route(&e->part, &at, w->is.dst, w->choice);
    for (unsigned k = 0; k < choices; k++) {
        w->choice[k].low = (uint8_t)(w->choice[k].low + first);
        w->choice[k].high = (uint8_t)(w->choice[k].high + first);
    }
    return choices;
}

/* The head of worm k, with its `at` and `front` set, asks for its next channel. */
INLINE bool ask(struct channels *e, uint32_t k, const struct topology_place *place, enum channels_kind kind)
{
    struct channel_worm *w = &e->worm[k];
    struct channel_node *n = &e->node[place->node];

    w->choices = (uint8_t)(kind == ANY ? route(e, w, place) : e->t->kind->route(e->t, place, w->is.dst, w->choice));
    if (!w->choices)
        return false; /* a plug-in's, which plug_fault() explains */
    w->waits = true;
    if (n->first == NONE || !goes_first(e, w, &e->worm[n->last], kind)) {
        w->behind = NONE;
        if (n->first == NONE)
            n->first = k;
        else
            e->worm[n->last].behind = k;
        n->last = k;
        return look(e, place->node);
    }
    uint32_t *link = &n->first;
    while (*link != NONE && !goes_first(e, w, &e->worm[*link], kind))
        link = &e->worm[*link].behind;
    if (*link == NONE) /* a plug-in's order that is none */
        n->last = k;
    w->behind = *link;
    *link = k;
    return look(e, place->node);
}

static struct topology_place source(const struct channels *e, uint32_t src)
{
    return (struct topology_place){.node = topology_enter(e->t, src), .from = TOPOLOGY_NONE};
}

/* The queue that a worm waits in at its source: of its class, or that of the lowest channel of its first choice. */
static uint8_t queue_of(const struct channels *e, struct channel_worm *w)
{
    struct topology_place place = source(e, w->is.src);
    if (e->run.config->injection != FATFLY_PER_CHANNEL)
        return (uint8_t)w->is.of_class;
    if (route(e, w, &place) == 0)
        return 0;
    return w->choice[0].low;
}

/* Of a source's queue. */
INLINE bool ask_first(struct channels *e, uint32_t src, unsigned queue, enum channels_kind kind)
{
    struct topology_place place = source(e, src);
    uint32_t first = e->first[src * e->queues + queue];
    struct channel_worm *w = &e->worm[first];
    w->at = NONE;
    w->links = 0;
    w->front = w->is.ready > e->run.now ? w->is.ready : e->run.now;
    return ask(e, first, &place, kind);
}

uint32_t channels_choose(const struct channels *e, const struct channel_worm *w, uint32_t node)
{
    if (e->taken)
        return channels_free(e->t, w, node, &e->channel->worm, sizeof *e->channel, e->taken);
    return channels_free(e->t, w, node, &e->channel->worm, sizeof *e->channel, NULL);
}

/* Worm k takes channel c, behind others that may be in it; its queue at the source, if it comes from there,
 * goes on to the next. */
INLINE bool take(struct channels *e, uint32_t k, uint32_t c, enum channels_kind kind)
{
    struct channel_worm *w = &e->worm[k];
    uint32_t at = w->at, src = w->is.src;
    uint8_t queue = w->queue;

    struct channel *ch = &e->channel[c];
    struct channel_stay stay = {.worm = k, .from = at, .next = NONE, .last = e->far[ch->link] == w->end};
    if (kind != ANY || ch->front.worm == NONE) {
        ch->front = stay;
        ch->to = NONE;
    } else {
        uint32_t new = POOL_TAKE(e->stay, e->stays, struct channel_stay);
        if (new == NONE)
            return false;
        e->stay[new] = stay;
        channels_newest(e, c)->next = new;
        e->rest[c].newest = new;
    }
    if (kind == ANY && e->taken)
        e->taken[ch->link] = ch->class;
    ch->worm = k;
    w->lead = c;
    w->waits = false;
    if (at != NONE) {
        e->channel[at].to = c;
        return try_send(e, c, kind);
    }
    uint32_t *first = &e->first[src * e->queues + queue];
    e->inside++;
    *first = w->next;
    return try_send(e, c, kind) && (*first == NONE || ask_first(e, src, queue, kind));
}

/* The heads in a node try once, those of worms that a queue of a source now sends on, too. */
INLINE bool look_at(struct channels *e, uint32_t node, enum channels_kind kind)
{
    struct channel_node *n = &e->node[node];
    uint32_t stays = NONE; /* the last that has found none */

    for (uint32_t k = n->first; k != NONE;) {
        uint32_t c = channels_choose(e, &e->worm[k], node);
        if (c == NONE) {
            stays = k;
            k = e->worm[k].behind;
            continue;
        }
        if (!take(e, k, c, kind)) /* may add to this list, but leaves k in it */
            return false;
        k = channels_leave_list(e, n, k, &stays);
    }
    return true;
}

INLINE bool look_at_all(struct channels *e, enum channels_kind kind)
{
    for (uint32_t k = 0; k < e->looks.count; k++) {
        if (!look_at(e, e->looks.item[k], kind))
            return false;
        e->node[e->looks.item[k]].listed = false;
    }
    e->looks.count = 0;
    return true;
}

static int enter(struct run *r, const struct traffic_worm *is)
{
    struct channels *e = (struct channels *)r;
    uint32_t k = POOL_TAKE(e->worm, e->pool, struct channel_worm);
    if (k == NONE)
        return FATFLY_NO_MEMORY;
    e->worm[k] = (struct channel_worm){.is = *is, .next = NONE, .at = NONE, .lead = NONE,
                               .end = topology_leave(e->t, is->dst)};
    uint8_t queue = e->worm[k].queue = queue_of(e, &e->worm[k]);
    uint32_t *first = &e->first[is->src * e->queues + queue];
    uint32_t *last = &e->last[is->src * e->queues + queue];
    bool alone = *first == NONE;
    *(alone ? first : &e->worm[*last].next) = k;
    *last = k;
    return alone && !ask_first(e, is->src, queue, ANY) ? FATFLY_NO_MEMORY : FATFLY_OK;
}

/* -- flits that have crossed -------------------------------------------------------------------- */

static bool set_free(struct channels *e, uint32_t c)
{
    e->channel[c].worm = NONE;
    return look(e, channels_link(e, c) / e->t->ports);
}

/* Flit `place` of worm k is consumed, in the cycle before this: when it crossed, or the flits before it were gone. */
static void consume(struct channels *e, uint32_t k, uint32_t place, bool tail, unsigned class)
{
    struct channel_worm *w = &e->worm[k];
    uint64_t cycle = e->run.now - 1;
    uint64_t head = (uint64_t)w->is.dst << 32 | w->is.src;
    unsigned kind = (place == 0 ? FLIT_HEAD : 0u) | (tail ? FLIT_TAIL : 0u);

    e->run.digest += digest_flit(flit_payload(head, w->is.number, place, UINT64_MAX), kind, cycle,
                             w->is.dst, class);
    if (tail) {
        measure_delivered(&e->run.m, &w->is, w->injected, w->arrived, cycle, w->links);
        POOL_GIVE(e->worm, e->pool, k);
        e->inside--;
    }
}

/* The worm whose flits are first in the queue of channel c asks for its next channel. */
INLINE bool ask_from(struct channels *e, uint32_t c, enum channels_kind kind)
{
    const struct channel *ch = &e->channel[c];
    uint32_t k = ch->front.worm, link = ch->link;
    struct topology_place at = {.node = e->far[link], .from = link / e->t->ports,
                                .port = link % e->t->ports, .class = ch->class};
    e->worm[k].front = e->run.now;
    return ask(e, k, &at, kind);
}

/* What of that worm is first is its head: it is routed before it asks. */
INLINE bool come_to_front(struct channels *e, uint32_t c, enum channels_kind kind)
{
    return kind == ANY && e->head ? later(e, ROUTED, e->head, c) : ask_from(e, c, kind);
}

static bool routed(struct channels *e, uint32_t c)
{
    return ask_from(e, c, ANY);
}

/* The next worm is first in the queue of channel c; what of it is there asks, or is consumed at once: then
 * true in *gone if its tail was. */
static bool come_first(struct channels *e, uint32_t c, bool *gone)
{
    struct channel *ch = &e->channel[c];
    uint32_t next = ch->front.next;

    ch->front = e->stay[next];
    ch->to = NONE;
    POOL_GIVE(e->stay, e->stays, next);
    if (e->rest[c].newest == next)
        e->rest[c].newest = NONE;
    e->rest[c].behind -= ch->front.queued + ch->front.flying;
    *gone = false;
    if (!ch->front.queued)
        return true;
    if (!ch->front.last)
        return come_to_front(e, c, ANY);
    uint32_t k = ch->front.worm, length = e->worm[k].is.length;
    for (uint32_t place = 0; place < ch->front.queued; place++)
        consume(e, k, place, place + 1 == length, ch->class);
    *gone = ch->front.queued == length;
    ch->front.queued = 0;
    return true;
}

/* Whether channel c is held by a worm some of whose flits have to cross yet. */
static inline bool wanted(struct channels *e, uint32_t c)
{
    struct channel *ch = &e->channel[c];
    return ch->worm != NONE && channels_newest(e, c)->crossed < e->worm[ch->worm].is.length;
}

/* The tail of the worm whose flits were first in the queue of channel c is gone. */
INLINE bool go(struct channels *e, uint32_t c, enum channels_kind kind)
{
    struct channel *ch = &e->channel[c];

    if (kind != ANY || !e->reuse) {
        ch->front.worm = NONE;
        return set_free(e, c);
    }
    for (bool gone = true; gone && ch->front.next != NONE;)
        if (!come_first(e, c, &gone))
            return false;
        else if (!gone)
            return !wanted(e, c) || try_any(e, c);
    ch->front.worm = NONE;
    return true;
}

/* A flit has left the queue of channel c, of a worm of that length. */
INLINE bool leave(struct channels *e, uint32_t c, bool tail, uint32_t length, enum channels_kind kind)
{
    if (c == NONE)
        return true;
    struct channel_stay *s = &e->channel[c].front;
    s->queued--;
    if (tail)
        return go(e, c, kind);
    if (kind != ANY)
        return s->crossed == length || try_send(e, c, kind);
    return !wanted(e, c) || try_send(e, c, kind);
}

/* A flit of that stay of channel c, and place of its worm, comes to the far end. */
INLINE bool come(struct channels *e, uint32_t c, struct channel_stay *s, uint32_t place, bool tail,
                 enum channels_kind kind)
{
    struct channel *ch = &e->channel[c];
    bool first = kind != ANY || s == &ch->front;

    if (s->last && place == 0) /* it may stand behind another worm's flits yet */
        e->worm[s->worm].arrived = e->run.now - 1;
    if (s->last && first) {
        consume(e, s->worm, place, tail, ch->class);
        if (tail)
            return go(e, c, kind);
        return kind != ANY || s->next == NONE || !wanted(e, c) || try_send(e, c, kind);
    }
    s->queued++;
    if (place == 0) {
        e->worm[s->worm].at = c;
        if (kind != ANY)
            return ask_from(e, c, kind);
        if (first && !come_to_front(e, c, kind))
            return false;
    }
    return !first || ch->to == NONE || try_send(e, ch->to, kind);
}

/* The first of the flits that are under way does. */
static bool comes(struct channels *e, uint32_t c)
{
    struct channel_stay *s = &e->channel[c].front;
    while (!s->flying)
        s = &e->stay[s->next];
    uint32_t place = s->crossed - s->flying--;
    return come(e, c, s, place, place + 1 == e->worm[s->worm].is.length, ANY);
}

/* The sender is told, some cycles later, that a flit has left the queue of channel c. */
static bool owe(struct channels *e, uint32_t c)
{
    if (c == NONE || !e->back)
        return true;
    e->rest[c].owed++;
    return later(e, OWED, e->back, c);
}

/* A flit of channel c has crossed; far: it has not come yet. */
INLINE bool cross(struct channels *e, uint32_t c, bool far, enum channels_kind kind)
{
    struct channel *ch = &e->channel[c];
    struct channel_stay *s = newest(e, c, kind);
    uint32_t place = s->crossed++, length = e->worm[ch->worm].is.length;
    bool tail = place + 1 == length;

    ch->sending = false;
    e->run.hops++;
    if (tail)
        measure_tail(&e->run.m, e->run.now - 1, !(ch->group & 1), ch->group / 2, length);
    if ((far && !owe(e, s->from)) || !leave(e, s->from, tail, length, kind) ||
        (kind == ANY && tail && e->reuse && !set_free(e, c)))
        return false;
    if (kind == ANY)
        e->rest[c].behind += s != &ch->front;
    if (far) {
        s->flying++;
        return later(e, FLYING, e->extra, c) && (tail || try_send(e, c, kind));
    }
    return come(e, c, s, place, tail, kind) && (tail || try_send(e, c, kind));
}

static bool crosses(struct channels *e, uint32_t c)
{
    return cross(e, c, false, ANY);
}

static bool crosses_far(struct channels *e, uint32_t c)
{
    return cross(e, c, true, ANY);
}

static bool crosses_fixed(struct channels *e, uint32_t c)
{
    return cross(e, c, false, FIXED);
}

static bool crosses_demand(struct channels *e, uint32_t c)
{
    return cross(e, c, false, DEMAND);
}

/* The sender knows of one more place in the queue of channel c. */
static bool credits(struct channels *e, uint32_t c)
{
    e->rest[c].owed--;
    return !wanted(e, c) || try_any(e, c);
}

INLINE bool ends(struct channels *e, unsigned what, bool (*is)(struct channels *e, uint32_t c))
{
    struct list *l = &e->wheel[what * e->spokes + e->spoke]; /* nothing is added to it now */
    const uint32_t *item = l->item, *end = item + l->count;
    for (; item != end; item++)
        if (!is(e, *item))
            return false;
    e->turning -= l->count;
    l->count = 0;
    return true;
}

/* Of a flit that cross() is about to see. */
static void tell(const struct channels *e, uint32_t c)
{
    struct channel *ch = &e->channel[c];
    const struct channel_worm *w = &e->worm[ch->worm];
    const struct channel_stay *s = channels_newest(e, c);
    uint32_t place = s->crossed;

    run_tell(&e->run, &(struct fatfly_move){
                          .cycle = e->run.now - e->step, .waited = place ? 0 : e->run.now - e->step - w->front,
                          .cycles = e->step, .worm = w->is.number, .flit = place, .flits = 1,
                          .link = ch->link, .channel = ch->class, .tail = place + 1 == w->is.length,
                          .first = s->from == NONE, .last = s->last});
}

static int arrive(struct run *r)
{
    struct channels *e = (struct channels *)r;
    const struct list *l = &e->wheel[CROSSING * e->spokes + e->spoke];

    for (uint32_t k = 0; r->m.observer && k < l->count; k++)
        tell(e, l->item[k]);
    bool good = e->kind == FIXED    ? ends(e, CROSSING, crosses_fixed)
                : e->kind == DEMAND ? ends(e, CROSSING, crosses_demand)
                : e->extra          ? ends(e, CROSSING, crosses_far) && ends(e, FLYING, comes) && ends(e, OWED, credits)
                                    : ends(e, CROSSING, crosses);
    good = good && (!e->head || ends(e, ROUTED, routed));
    return good ? FATFLY_OK : FATFLY_NO_MEMORY;
}

static void visit(struct run *r, struct visitor *v)
{
    struct channels *e = (struct channels *)r;
    size_t queues = (size_t)e->t->processors * e->queues;

    VISIT(v, e->worm, e->pool.count);
    VISIT(v, e->first, queues);
    VISIT(v, e->last, queues);
    VISIT(v, e->channel, topology_channels(e->t));
    VISIT(v, e->rest, topology_channels(e->t));
    VISIT(v, e->stay, e->stays.count);
    VISIT(v, e->node, e->t->nodes);
    VISIT(v, e->wheel, WHEELS * e->spokes);
    for (unsigned k = 0; k < WHEELS * e->spokes; k++)
        VISIT(v, e->wheel[k].item, e->wheel[k].room);
    VISIT(v, e->looks.item, e->looks.room);
    VISIT(v, e->links.item, e->links.room);
    VISIT(v, e->ready, (size_t)e->t->links * e->words);
    VISIT(v, e->turn, e->t->links);
    VISIT(v, e->taken, e->taken ? e->t->links : 0);
    VISIT(v, e->input, e->t->links + e->t->nodes);
    VISIT(v, e->asking, e->t->nodes);
    VISIT(v, e->sharing.item, e->sharing.room);
}

/* -- the run ------------------------------------------------------------------------------------ */

/* As many times as the channels are found so. */
static void sample_channels(struct channels *e, uint64_t times)
{
    struct fatfly_result *r = e->run.m.result;
    uint32_t channels = (uint32_t)topology_channels(e->t);
    r->samples += times;
    for (uint32_t c = 0; times && c < channels; c++) {
        const struct channel *ch = &e->channel[c];
        uint32_t queued = channels_queued(e, c);
        measure_level(&e->run.m, !(ch->group & 1), ch->group / 2)->occupancy += times * queued;
        r->occupied[queued < FATFLY_MAX_DEPTH ? queued : FATFLY_MAX_DEPTH] += times;
    }
}

static bool idle(const struct run *r)
{
    const struct channels *e = (const struct channels *)r;
    return e->turning == 0 && e->links.count == 0 && e->looks.count == 0;
}

static void sample(struct run *r, uint64_t to)
{
    sample_channels((struct channels *)r, run_ticks(r, to));
}

static int step(struct run *r)
{
    struct channels *e = (struct channels *)r;

    if (measure_samples(&r->m, r->now))
        sample_channels(e, 1);
    bool good = e->kind == FIXED    ? look_at_all(e, FIXED)
                : e->kind == DEMAND ? look_at_all(e, DEMAND) && share_links(e, DEMAND)
                                    : look_at_all(e, ANY) && (!e->demand || share_links(e, ANY));
    e->spoke = e->spoke + 1 < e->spokes ? e->spoke + 1 : 0;
    e->soon = e->soon + 1 < e->spokes ? e->soon + 1 : 0;
    return good ? FATFLY_OK : FATFLY_NO_MEMORY;
}

/* What crossed in the last cycle is seen in the one after it. */
static void finish(struct run *r)
{
    struct channels *e = (struct channels *)r;

    for (uint32_t c = 0; c < r->topology->links * e->t->classes && measure_unfinished(&r->m, r->now); c++) {
        struct channel *ch = &e->channel[c];
        if (wanted(e, c))
            measure_under_way(&r->m, !(ch->group & 1), ch->group / 2, channels_newest(e, c)->crossed);
    }
    if (!r->m.open && r->m.result->end == FATFLY_DONE && r->m.delivered)
        r->now = r->m.result->last_arrival + 1;
}

static bool can(const struct fatfly_config *c, const struct topology *t)
{
    return !t->levels && !discipline_of(c)->packets;
}

const struct engine engine_channel = {
    .name = "channel", .state = sizeof(struct channels), .can = can, .memory = channels_memory,
    .link_cycles = channels_link_cycles, .at_once = channels_at_once, .tells = true, .open = channels_open,
    .close = channels_close, .arrive = arrive,
    .enter = enter, .step = step, .sample = sample, .idle = idle, .look = channels_look,
    .look_steps = 16384, .visit = visit, .view = &channels_view,
    .finish = finish};
