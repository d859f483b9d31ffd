/* SPDX-License-Identifier: Apache-2.0
 * event_check.c - whether a log of events can be.
 *
 * Where every flit is follows from the rows alone: a row takes it from the node that its link leaves
 * and puts it into the queue at the other end.  With the universal algorithms (CMSV) a worm has
 * copies, and flits that were discarded stay where they are.
 */
#include "event_check.h"

#include "discipline.h"
#include "grow.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, TEXT = 200 };

/* A flit, or a packet, that waits in a node or crosses to it. */
struct token {
    uint64_t end;  /* last cycle of its last move */
    uint32_t flit;
    uint32_t node;
    uint32_t place; /* link and channel of that move */
    uint64_t order; /* flits that were put into the queue there before it */
};

struct worm {
    uint32_t number, src, dst, flits;
    uint32_t next;      /* in its chain, or among the unused */
    uint64_t ready, injected;
    uint64_t last;      /* last cycle of the flit that came to its processor last */
    uint64_t sent;      /* flits or packets that have left the source */
    uint64_t came;      /* that reached the processor */
    uint64_t ahead;     /* flits that its last one comes behind, of those that were ever in the queue there */
    uint32_t place;     /* link and channel of that one's move */
    uint32_t pieces;    /* SPLIT: its flits, once the tail was seen */
    uint32_t hops;      /* links that flit 0 crossed */
    bool arrived;
    struct token *token;
    uint32_t tokens, room;
};

/* A virtual channel of a link and the queue behind it. */
struct channel {
    uint64_t free;      /* first cycle in which a flit may begin to cross */
    uint32_t worm;      /* number of the one whose tail has not crossed */
    uint32_t next;      /* its next flit; 0: nobody has the channel */
    uint32_t queued;
    uint64_t put, taken; /* flits of those that go on */
    uint64_t end;        /* last cycle of the move of the one taken last */
    bool touched;       /* in the list of those to look at when the cycle is over */
};

struct event_check {
    const struct event_log_header *h;
    bool rounds, worms, steps; /* what the discipline is: CMSV; flits that follow a head; packets */
    bool tree;
    uint32_t most;             /* flits or packets that a queue holds; 0: it is not looked at */
    uint64_t cycle;            /* of the last move */
    uint64_t *busy;            /* [links * at_once], first cycle in which each of its places is free */
    uint64_t *began;           /* [links], cycle of the last move */
    uint64_t *carried;         /* [links], flits */
    uint32_t *heads;           /* [links], heads or packets */
    struct channel *channel;   /* [links * channels] */
    uint32_t *touched, touched_count;
    uint32_t *chain, chains;   /* worms by number */
    struct worm *worm;
    uint32_t count, room, unused;
    uint64_t open;             /* worms that have not arrived */
    uint64_t from, to;         /* measured cycles, once they are known */
    uint32_t dilation;
    struct latency *latency;   /* of all that arrived: the measured cycles come at the end */
    size_t latencies, latencies_room;
    struct event_sums sums;
    uint64_t findings;
    char text[EVENT_FINDINGS][TEXT];
};

struct latency {
    uint64_t ready, cycles, waited; /* waited at the source */
};

__attribute__((format(printf, 3, 4)))
static void find(struct event_check *c, size_t line, const char *format, ...)
{
    va_list args;
    if (c->findings++ >= EVENT_FINDINGS)
        return;
    char *text = c->text[c->findings - 1];
    int used = line ? snprintf(text, TEXT, "line %zu: ", line) : 0;
    va_start(args, format);
    vsnprintf(text + used, TEXT - (size_t)used, format, args);
    va_end(args);
}

/* -- memory -------------------------------------------------------------------------------------- */

struct event_check *event_check_new(const struct event_log_header *h)
{
    struct event_check *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    const struct fatfly_config config = {.discipline = h->discipline};
    const struct discipline *is = discipline_of(&config);
    size_t channels = (size_t)h->links * h->channels;

    c->h = h;
    c->tree = strcmp(h->topology, "fat-tree") == 0;
    c->rounds = is->rounds;
    c->worms = !is->packets;
    c->steps = is->steps;
    if (c->worms || (c->tree && !c->rounds))
        c->most = h->discipline == FATFLY_UNIV ? 2 * h->depth : h->depth; /* two queues behind a link */
    c->unused = NONE;
    c->chains = 1024;
    c->busy = calloc((size_t)h->links * h->at_once, sizeof *c->busy);
    c->began = calloc(h->links, sizeof *c->began);
    c->carried = calloc(h->links, sizeof *c->carried);
    c->heads = calloc(h->links, sizeof *c->heads);
    c->channel = calloc(channels, sizeof *c->channel);
    c->touched = calloc(channels, sizeof *c->touched);
    c->chain = malloc(c->chains * sizeof *c->chain);
    if (!c->busy || !c->began || !c->carried || !c->heads || !c->channel || !c->touched || !c->chain) {
        event_check_free(c);
        return NULL;
    }
    memset(c->chain, 0xff, c->chains * sizeof *c->chain);
    return c;
}

void event_check_free(struct event_check *c)
{
    if (!c)
        return;
    for (uint32_t k = 0; k < c->count; k++)
        free(c->worm[k].token);
    free(c->worm);
    free(c->chain);
    free(c->busy);
    free(c->began);
    free(c->carried);
    free(c->heads);
    free(c->channel);
    free(c->touched);
    free(c->latency);
    free(c);
}

static struct worm *worm_of(struct event_check *c, uint32_t number)
{
    for (uint32_t k = c->chain[number % c->chains]; k != NONE; k = c->worm[k].next)
        if (c->worm[k].number == number)
            return &c->worm[k];
    return NULL;
}

static bool more_chains(struct event_check *c)
{
    uint32_t chains = 2 * c->chains, *chain = malloc(chains * sizeof *chain);
    if (!chain)
        return false;
    memset(chain, 0xff, chains * sizeof *chain);
    for (uint32_t b = 0; b < c->chains; b++)
        for (uint32_t k = c->chain[b], next; k != NONE; k = next) {
            uint32_t *to = &chain[c->worm[k].number % chains];
            next = c->worm[k].next;
            c->worm[k].next = *to;
            *to = k;
        }
    free(c->chain);
    c->chain = chain;
    c->chains = chains;
    return true;
}

static struct worm *new_worm(struct event_check *c, uint32_t number)
{
    uint32_t k = c->unused;
    struct token *token = NULL;
    uint32_t room = 0;

    if (k == NONE && c->count == c->room) {
        if (!GROW(c->worm, c->count, c->room, 256) || (c->room > c->chains && !more_chains(c)))
            return NULL;
    }
    if (k == NONE) {
        k = c->count++;
    } else {
        c->unused = c->worm[k].next;
        token = c->worm[k].token;
        room = c->worm[k].room;
    }
    uint32_t *chain = &c->chain[number % c->chains];
    c->worm[k] = (struct worm){.number = number, .next = *chain, .token = token, .room = room};
    *chain = k;
    return &c->worm[k];
}

static void drop_worm(struct event_check *c, struct worm *w)
{
    uint32_t k = (uint32_t)(w - c->worm), *at = &c->chain[w->number % c->chains];
    while (*at != k)
        at = &c->worm[*at].next;
    *at = w->next;
    w->next = c->unused;
    c->unused = k;
}

static bool add_token(struct worm *w, struct token token)
{
    if (!GROW(w->token, w->tokens, w->room, 8))
        return false;
    w->token[w->tokens++] = token;
    return true;
}

/* -- a row --------------------------------------------------------------------------------------- */

static bool ready(struct event_check *c, const struct event_row *x, size_t line)
{
    if (worm_of(c, x->worm)) {
        find(c, line, "worm %u is made again", x->worm);
        return true;
    }
    if (x->src >= c->h->processors || x->dst >= c->h->processors || !x->flits) {
        find(c, line, "worm %u: %u flits from processor %u to %u of %u", x->worm, x->flits, x->src, x->dst,
             c->h->processors);
        return true;
    }
    struct worm *w = new_worm(c, x->worm);
    if (!w)
        return false;
    w->src = x->src;
    w->dst = x->dst;
    w->flits = x->flits;
    w->ready = x->cycle;
    w->injected = UINT64_MAX;
    c->open++;
    return true;
}

/* The cycle is over: no queue holds more than it can. */
static void end_cycle(struct event_check *c, size_t line)
{
    for (uint32_t k = 0; k < c->touched_count; k++) {
        struct channel *ch = &c->channel[c->touched[k]];
        ch->touched = false;
        if (ch->queued > c->most)
            find(c, line, "before this row: %u in the queue behind link %u, channel %u; it holds %u",
                 ch->queued, c->touched[k] / c->h->channels, c->touched[k] % c->h->channels, c->most);
    }
    c->touched_count = 0;
}

/* The link carries no more than it can, and its rows are in order. */
static void use_link(struct event_check *c, const struct event_row *x, size_t line)
{
    uint64_t *busy = &c->busy[(size_t)x->link * c->h->at_once];
    uint32_t k = 0;

    if (x->cycle < c->began[x->link])
        find(c, line, "link %u: cycle %" PRIu64 " after cycle %" PRIu64, x->link, x->cycle, c->began[x->link]);
    c->began[x->link] = x->cycle;
    while (k < c->h->at_once && busy[k] > x->cycle)
        k++;
    if (k == c->h->at_once)
        find(c, line, "link %u carries more than %u at once in cycle %" PRIu64, x->link, c->h->at_once, x->cycle);
    else
        busy[k] = x->cycle + x->cycles;
    c->carried[x->link] += x->flits;
    c->heads[x->link] += !c->worms || x->head;
    if (c->carried[x->link] > c->sums.busiest) {
        c->sums.busiest = c->carried[x->link];
        c->sums.busiest_link = x->link;
    }
}

/* A channel belongs to one worm from head to tail, and elsewhere than on a butterfly fat-tree until its
 * queue is empty, if the run does not say otherwise. */
static void use_channel(struct event_check *c, const struct worm *w, const struct event_row *x, size_t line)
{
    struct channel *ch = &c->channel[(size_t)x->link * c->h->channels + x->channel];

    if (ch->free > x->cycle)
        find(c, line, "link %u, channel %u carries two flits in cycle %" PRIu64, x->link, x->channel, x->cycle);
    ch->free = x->cycle + x->cycles;
    if (ch->next && ch->worm != w->number)
        find(c, line, "worm %u on link %u, channel %u, which worm %u has", w->number, x->link, x->channel,
             ch->worm);
    else if (ch->next != x->flit)
        find(c, line, "flit %u of worm %u on link %u, channel %u in place of flit %u", x->flit, w->number,
             x->link, x->channel, ch->next);
    if (!ch->next && !c->tree && !c->h->reuse && ch->queued)
        find(c, line, "worm %u takes link %u, channel %u, behind which are %u flits", w->number, x->link,
             x->channel, ch->queued);
    ch->worm = w->number;
    ch->next = x->tail ? 0 : x->flit + 1;
    if (x->head != (x->flit == 0) || x->tail != (x->flit + 1 == w->flits))
        find(c, line, "flit %u of the %u of worm %u is no such flit", x->flit, w->flits, w->number);
}

static void count_queue(struct event_check *c, uint32_t place, int by)
{
    struct channel *ch = &c->channel[place];
    ch->queued += (uint32_t)by;
    if (c->most && by > 0 && !ch->touched) {
        ch->touched = true;
        c->touched[c->touched_count++] = place;
    }
}

/* Flits of worms leave a queue in the order in which they came into it. */
static void take(struct event_check *c, const struct token *t, const struct event_row *x, size_t line)
{
    struct channel *ch = &c->channel[t->place];

    if (c->worms && t->order != ch->taken)
        find(c, line, "flit %u of worm %u leaves the queue behind link %u, channel %u before those that came first",
             x->flit, x->worm, t->place / c->h->channels, t->place % c->h->channels);
    ch->taken++;
    ch->end = x->cycle + x->cycles - 1;
    count_queue(c, t->place, -1);
}

/* Takes the flit from where it is: false if it is not there.  *end: last cycle in which it came. */
static bool leave(struct event_check *c, struct worm *w, const struct event_row *x, uint64_t *end, size_t line)
{
    uint32_t best = NONE;

    for (uint32_t k = 0; k < w->tokens; k++) {
        const struct token *t = &w->token[k];
        if (t->flit != x->flit || t->node != x->from || t->end >= x->cycle)
            continue;
        if (c->rounds && !c->steps && t->end + 1 != x->cycle)
            continue; /* a flit of these worms never waits */
        if (best == NONE || t->end > w->token[best].end)
            best = k;
    }
    if (best == NONE)
        return false;
    *end = w->token[best].end;
    take(c, &w->token[best], x, line);
    w->token[best] = w->token[--w->tokens];
    return true;
}

/* From the source, or from a queue inside. */
static void come_from(struct event_check *c, struct worm *w, const struct event_row *x, size_t line)
{
    uint64_t end = w->ready;
    bool wrong = false;

    if (x->first) {
        wrong = x->from != c->h->enter[w->src] || x->cycle < w->ready;
        w->sent++;
        if (!c->rounds && w->sent > 1 && x->head && x->flit == 0)
            wrong = true;
        if (x->head && w->injected == UINT64_MAX)
            w->injected = x->cycle;
    } else {
        wrong = !leave(c, w, x, &end, line);
        end += !wrong;
    }
    if (wrong)
        find(c, line, "flit %u of worm %u cannot leave node %u in cycle %" PRIu64 ": it is not there", x->flit,
             w->number, x->from, x->cycle);
    else if (x->waited > x->cycle - end)
        find(c, line, "worm %u waited %" PRIu64 " cycles, but came in cycle %" PRIu64, w->number, x->waited, end);
}

static bool move(struct event_check *c, const struct event_row *x, size_t line)
{
    const struct event_log_header *h = c->h;
    struct worm *w = worm_of(c, x->worm);

    if (x->link >= h->links || x->channel >= h->channels || h->ends[x->link].to == FATFLY_NOWHERE ||
        x->from != h->ends[x->link].from || x->to != h->ends[x->link].to || x->cycles != h->link_cycles) {
        find(c, line, "no such link: %u, channel %u, from %u to %u in %" PRIu64 " cycles", x->link, x->channel,
             x->from, x->to, x->cycles);
        return true;
    }
    if (!w || !x->flits) {
        find(c, line, "worm %u moves, but is not under way", x->worm);
        return true;
    }
    if (x->cycle > c->cycle)
        end_cycle(c, line);
    c->cycle = x->cycle;
    c->sums.flit_moves += x->flits;
    use_link(c, x, line);
    if (c->worms)
        use_channel(c, w, x, line);
    if (!c->worms && c->steps && x->flits != w->flits)
        find(c, line, "%u flits of worm %u, which has %u", x->flits, w->number, w->flits);
    come_from(c, w, x, line);
    uint32_t place = x->link * h->channels + x->channel;
    w->hops += x->flit == 0;
    if (x->tail && !c->worms)
        w->pieces = x->flit + 1;
    if (x->last) {
        if (x->to != h->leave[w->dst])
            find(c, line, "worm %u for processor %u arrives in node %u", w->number, w->dst, x->to);
        w->came++;
        w->last = x->cycle + x->cycles - 1 + h->hop_cycles;
        w->ahead = c->channel[place].put;
        w->place = place;
        return true;
    }
    count_queue(c, place, 1);
    return add_token(w, (struct token){x->cycle + x->cycles - 1 + h->hop_cycles, x->flit, x->to, place,
                                       c->channel[place].put++});
}

static bool keep_latency(struct event_check *c, const struct worm *w, const struct event_row *x)
{
    if (!GROW(c->latency, c->latencies, c->latencies_room, 256))
        return false;
    c->latency[c->latencies++] = (struct latency){w->ready, x->cycle - w->ready + 1, w->injected - w->ready};
    return true;
}

/* The cycle in which the last flit of a worm has come, and those before it in its queue are gone. */
static uint64_t last_cycle(struct event_check *c, const struct worm *w, size_t line)
{
    const struct channel *ch = &c->channel[w->place];

    if (!c->h->reuse)
        return w->last;
    if (ch->taken != w->ahead)
        find(c, line, "worm %u arrives past the flits before it in the queue behind link %u, channel %u", w->number,
             w->place / c->h->channels, w->place % c->h->channels);
    return ch->taken && ch->end > w->last ? ch->end : w->last;
}

static bool arrived(struct event_check *c, const struct event_row *x, size_t line)
{
    struct worm *w = worm_of(c, x->worm);
    if (!w || w->arrived) {
        find(c, line, "worm %u arrives, but is not under way", x->worm);
        return true;
    }
    uint64_t all = c->worms ? w->flits : c->rounds && !c->steps ? w->flits : w->pieces;
    if (x->flits != w->flits || x->src != w->src || x->dst != w->dst)
        find(c, line, "worm %u has %u flits from %u to %u", x->worm, w->flits, w->src, w->dst);
    if (c->rounds ? w->came < all : w->came != all || w->sent != all || w->tokens)
        find(c, line, "worm %u arrives, but %" PRIu64 " of %" PRIu64 " flits have", x->worm, w->came, all);
    uint64_t last = last_cycle(c, w, line);
    if (x->cycle != last)
        find(c, line, "worm %u arrives in cycle %" PRIu64 ", its last flit in %" PRIu64, x->worm, x->cycle, last);
    if (x->latency != x->cycle - w->ready + 1)
        find(c, line, "worm %u was made in cycle %" PRIu64 ": a latency of %" PRIu64, x->worm, w->ready,
             x->cycle - w->ready + 1);
    c->sums.flits += w->flits;
    c->dilation = w->hops > c->dilation ? w->hops : c->dilation;
    c->open--;
    w->arrived = true;
    bool good = keep_latency(c, w, x);
    if (!c->rounds) /* copies may follow */
        drop_worm(c, w);
    return good;
}

bool event_check_row(struct event_check *c, const struct event_row *x, size_t line)
{
    c->sums.rows[x->event]++;
    if (x->cycle > c->sums.last_cycle)
        c->sums.last_cycle = x->cycle;
    switch (x->event) {
    case EVENT_READY:
        return ready(c, x, line);
    case EVENT_MOVE:
        return move(c, x, line);
    case EVENT_ARRIVED:
        return arrived(c, x, line);
    default:
        if (!c->rounds || !worm_of(c, x->worm))
            find(c, line, "a flit of worm %u is lost", x->worm);
        return true;
    }
}

/* -- the end ------------------------------------------------------------------------------------- */

static void same(struct event_check *c, const char *what, uint64_t run, uint64_t rows)
{
    if (run != rows)
        find(c, 0, "%s: %" PRIu64 " says the run, %" PRIu64 " the rows", what, run, rows);
}

void event_check_end(struct event_check *c, const struct event_log_totals *t)
{
    struct event_sums *s = &c->sums;
    uint64_t congestion = 0;

    end_cycle(c, 0);
    for (size_t k = 0; k < c->latencies; k++) {
        const struct latency *l = &c->latency[k];
        if (l->ready < t->measure_from || l->ready - t->measure_from >= t->measure_cycles)
            continue;
        s->measured++;
        s->latency_sum += l->cycles;
        s->latency_max = l->cycles > s->latency_max ? l->cycles : s->latency_max;
        s->source_wait += l->waited;
    }
    for (uint32_t k = 0; k < c->h->links; k++)
        congestion = c->heads[k] > congestion ? c->heads[k] : congestion;
    same(c, "flits over links", t->flit_hops, s->flit_moves);
    same(c, "worms that arrived", t->worms, s->rows[EVENT_ARRIVED]);
    same(c, "flits that arrived", t->flits, s->flits);
    same(c, "measured worms", t->measured, s->measured);
    same(c, "sum of latencies", t->latency_sum, s->latency_sum);
    same(c, "longest latency", t->latency_max, s->latency_max);
    if (c->rounds) /* links and cycles of a copy that came too late count, too */
        return;
    same(c, "cycles at the sources", t->source_wait, s->source_wait);
    same(c, "longest way", t->dilation, c->dilation);
    if (!c->open) /* heads that were crossing at the end are counted, but not in a row */
        same(c, "congestion", t->congestion, congestion);
}

const struct event_sums *event_check_sums(const struct event_check *c)
{
    return &c->sums;
}

uint64_t event_check_findings(const struct event_check *c)
{
    return c->findings;
}

const char *event_check_text(const struct event_check *c, unsigned k)
{
    return c->text[k];
}
