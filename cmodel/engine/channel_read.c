/* SPDX-License-Identifier: Apache-2.0
 * channel_read.c - what can be read of the engine of channel.c: who waits for whom for ever, and what
 * its state is.
 */
#include "channel.h"

#include "flit.h"

#include <stdio.h>
#include <stdlib.h>

/* -- deadlock ----------------------------------------------------------------------------------- */

/* Whether the worm that holds channel c gives it up though its head stands still for ever: the queues behind it, in
 * which nobody else is, have room for all its flits.  (With tail-sent others may be in them: never.) */
static bool gives_up(const struct channels *e, uint32_t c)
{
    const struct channel_worm *w = &e->worm[e->channel[c].worm];
    uint64_t room = 0;

    if (e->reuse)
        return false;
    for (uint32_t at = c; at != w->lead && at != NONE && room < w->is.length; at = e->channel[at].to)
        room += e->depth;
    return room >= w->is.length;
}

/* A channel that worm k waits for, held by a worm that is not alive; NONE if one is free or will be, or its worm
 * is. */
static uint32_t wanted(const struct channels *e, uint32_t k, const uint8_t *alive)
{
    const struct channel_worm *w = &e->worm[k];
    uint32_t node = e->far[channels_link(e, w->at)], found = NONE;
    for (unsigned j = 0; j < w->choices; j++)
        for (unsigned class = w->choice[j].low; class <= w->choice[j].high; class++) {
            uint32_t c = topology_channel(e->t, node, w->choice[j].port, class);
            if (e->channel[c].worm == NONE || alive[e->channel[c].worm] || gives_up(e, c))
                return NONE;
            found = c;
        }
    return found;
}

/* The worm that is first in the queue of the channel that the head of worm k took last; k: it is itself. */
static uint32_t ahead(const struct channels *e, uint32_t k)
{
    return e->channel[e->worm[k].lead].front.worm;
}

static uint32_t blocker(const struct run *r, uint32_t k, const uint8_t *alive)
{
    const struct channels *e = (const struct channels *)r;
    if (!e->worm[k].waits)
        return alive[ahead(e, k)] ? NONE : ahead(e, k);
    uint32_t c = wanted(e, k, alive);
    return c == NONE ? NONE : e->channel[c].worm;
}

static uint32_t number(const struct run *r, uint32_t k)
{
    return ((const struct channels *)r)->worm[k].is.number;
}

static size_t say(const struct run *r, uint32_t k, const uint8_t *alive, char *text, size_t size)
{
    const struct channels *e = (const struct channels *)r;
    bool waits = e->worm[k].waits;
    uint32_t c = waits ? wanted(e, k, alive) : e->worm[k].lead, link = channels_link(e, c);
    return (size_t)snprintf(text, size, " worm %u waits %s %u->%u.%u, held by", number(r, k),
                            waits ? "for" : "in the queue of", link / e->t->ports, e->far[link],
                            c % e->t->classes);
}

static void wait(const struct run *r, uint32_t k, const uint8_t *alive, struct fatfly_wait *x)
{
    const struct channels *e = (const struct channels *)r;
    const struct channel_worm *w = &e->worm[k];
    uint32_t c = w->waits ? wanted(e, k, alive) : w->lead, at = w->at == NONE ? w->lead : w->at;

    x->src = w->is.src;
    x->dst = w->is.dst;
    x->at = channels_link(e, at);
    x->at_channel = e->channel[at].class;
    x->link = channels_link(e, c);
    x->channel = e->channel[c].class;
    x->behind = !w->waits;
}

/* Worms inside whose heads wait for a channel, or behind another worm in that which they took, each once:
 * where the channel is that they took last. */
int channels_look(struct run *r, bool idle)
{
    struct channels *e = (struct channels *)r;
    uint32_t channels = (uint32_t)topology_channels(e->t), count = 0;

    if (!e->inside)
        return FATFLY_OK;
    uint8_t *alive = malloc(e->pool.count);
    uint32_t *items = malloc(e->pool.count * sizeof *items);
    int status = alive && items ? FATFLY_OK : FATFLY_NO_MEMORY;
    for (uint32_t c = 0; c < channels && !status; c++) {
        const struct channel_stay *s = &e->channel[c].front;
        for (; s && s->worm != NONE; s = channels_behind(e, s)) {
            uint32_t k = s->worm;
            alive[k] = !e->worm[k].waits && ahead(e, k) == k;
            if (!alive[k] && e->worm[k].lead == c)
                items[count++] = k;
        }
    }
    if (!status)
        status = circle_look(r, &(struct circle){.items = items, .count = count, .alive = alive,
                                                 .blocker = blocker, .say = say, .wait = wait, .longest = 80,
                                                 .noun = "worm", .number = number});
    free(alive);
    free(items);
    return !status && idle ? run_lost(r) : status;
}

/* -- for reading ------------------------------------------------------------------------------- */

/* The worm that has channel c and whose tail has not crossed. */
static uint32_t crossing(const struct channels *e, uint32_t c)
{
    struct channel *ch = &e->channel[c];
    return ch->worm != NONE && channels_newest(e, c)->crossed < e->worm[ch->worm].is.length ? ch->worm : NONE;
}

static void read_queue(const struct run *r, uint32_t link, unsigned class, struct fatfly_queue *q)
{
    const struct channels *e = (const struct channels *)r;
    uint32_t c = link * e->t->classes + class, k = crossing(e, c);
    const struct channel_stay *s = &e->channel[c].front;

    q->holder = k == NONE ? 0 : number(r, k);
    for (q->count = 0; s && s->worm != NONE; s = channels_behind(e, s))
        for (uint32_t j = 0; j < s->queued; j++, q->count++) {
            uint32_t place = (uint32_t)(s->crossed - s->flying - s->queued) + j;
            if (q->count >= FATFLY_MAX_DEPTH)
                continue;
            q->worm[q->count] = number(r, s->worm);
            q->kind[q->count] = (uint8_t)((place == 0 ? FLIT_HEAD : 0) |
                                          (place + 1 == e->worm[s->worm].is.length ? FLIT_TAIL : 0));
        }
}

static void read_worm(const struct run *r, uint32_t k, struct fatfly_worm_state *x)
{
    const struct channels *e = (const struct channels *)r;
    const struct channel_worm *w = &e->worm[k];

    *x = (struct fatfly_worm_state){
        .tag = w->is.index, .ready = w->is.ready, .injected = w->links ? w->injected : UINT64_MAX,
        .since = w->front, .worm = w->is.number, .src = w->is.src, .dst = w->is.dst,
        .length = w->is.length, .head_link = FATFLY_NOWHERE, .tail_link = FATFLY_NOWHERE,
        .wants = FATFLY_NOWHERE};
    if (w->at != NONE) {
        x->head_link = e->channel[w->at].link;
        x->head_channel = e->channel[w->at].class;
    }
    if (!w->waits || !w->choices)
        return;
    uint32_t node = w->at == NONE ? topology_enter(e->t, w->is.src) : e->far[channels_link(e, w->at)];
    uint32_t c = topology_channel(e->t, node, w->choice[0].port, w->choice[0].low);
    x->wants = e->channel[c].link;
    if (channels_choose(e, w, node) == NONE)
        x->blocked_by = number(r, e->channel[c].worm);
}

/* What a stay on channel c says of its worm: flits sent from the source, and arrived; its ends. */
static void read_stay(const struct channels *e, uint32_t c, const struct channel_stay *s, struct fatfly_worm_state *x)
{
    const struct channel *ch = &e->channel[c];

    if (s->from == NONE)
        x->sent = s->crossed;
    else if (s->crossed == x->length || e->channel[s->from].front.worm != s->worm)
        x->sent = x->length; /* what it came from is another's, or nobody's */
    if (s->last) {
        x->arrived = (uint32_t)(s->crossed - s->flying - s->queued);
        if (x->arrived) {
            x->head_link = FATFLY_NOWHERE;
            x->head_channel = 0;
        }
    }
    if (s->crossed == x->length && !(s->last && x->arrived)) {
        x->tail_link = ch->link;
        x->tail_channel = ch->class;
    }
}

static bool read_worms(const struct run *r, struct fatfly_worm_state *w)
{
    const struct channels *e = (const struct channels *)r;
    uint32_t *place = malloc(e->pool.count * sizeof *place + 1), count = 0;
    uint32_t channels = (uint32_t)topology_channels(e->t);

    if (!place)
        return false;
    for (uint32_t k = 0; k < e->pool.count; k++)
        place[k] = NONE;
    for (uint32_t q = 0; q < e->t->processors * e->queues; q++)
        for (uint32_t k = e->first[q]; k != NONE; k = e->worm[k].next) {
            read_worm(r, k, &w[place[k] = count++]);
            if (k != e->first[q]) {
                w[place[k]].since = UINT64_MAX;
                w[place[k]].blocked_by = number(r, e->first[q]);
            }
        }
    for (uint32_t c = 0; c < channels; c++) {
        const struct channel_stay *s = &e->channel[c].front;
        for (; s && s->worm != NONE; s = channels_behind(e, s)) {
            uint32_t k = s->worm;
            if (place[k] == NONE)
                read_worm(r, k, &w[place[k] = count++]);
            read_stay(e, c, s, &w[place[k]]);
        }
    }
    free(place);
    return count == r->m.generated - r->m.delivered;
}

/* Of each channel that leaves a node. */
static uint32_t read_node(const struct run *r, uint32_t node, struct fatfly_register *x, uint32_t room)
{
    const struct channels *e = (const struct channels *)r;
    uint32_t count = 0;

    for (uint32_t c = topology_channel(e->t, node, 0, 0); c < topology_channel(e->t, node + 1, 0, 0); c++) {
        struct channel *ch = &e->channel[c];
        bool is = ch->worm != NONE;
        const struct fatfly_register all[] = {
            {.name = "worm", .value = is ? number(r, ch->worm) : 0},
            {.name = "crossed", .value = is ? channels_newest(e, c)->crossed : 0},
            {.name = "queued", .value = channels_queued(e, c)},
            {.name = "flying", .value = channels_flying(e, c)},
            {.name = "owed", .value = e->rest[c].owed},
            {.name = "sending", .value = ch->sending},
            {.name = "turn", .value = e->turn[ch->link]},
        };
        for (unsigned j = 0; j < sizeof all / sizeof *all && e->far[ch->link] != TOPOLOGY_NONE; j++) {
            struct fatfly_register one = all[j];
            one.port = (int16_t)(ch->link % e->t->ports);
            one.channel = (int16_t)(j < 6 ? ch->class : -1);
            one.index = -1;
            if (j < 6 || (e->demand && ch->class + 1u == e->t->classes))
                view_add(x, room, &count, one);
        }
    }
    return count;
}

const struct engine_view channels_view = {read_queue, read_worms, read_node};
