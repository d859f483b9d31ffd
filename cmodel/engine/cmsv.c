/* SPDX-License-Identifier: Apache-2.0
 * cmsv.c - universal routing without buffering, along given paths (CMSV 2 to 4).
 *
 * Time is the paper's: the forward pass of algorithm 2 has 2D + L steps and its backward pass 2D
 * (3.1); both passes of round r of algorithm 1 have C_r + D (2.1), for worms of L flits in leveled
 * networks C_r L + D, delays being multiples of L, so that worms meet with their heads alone (1.15);
 * the butterfly's have 2 log N + L - 1 and 2 log N (4.4.1).  In stages (1.4, 1.8) a step is as long
 * as A packets take to cross a link one after the other, L cycles each.
 *
 * A worm that loses with flit k at link j of its path (from 0) goes on with the k flits before; the
 * rest moves on to that link and is discarded there.  So what may still cross a link is a number of
 * flits that falls along the path: limit[].
 */
#include "cmsv.h"

#include "digest.h"
#include "grow.h"
#include "rng.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, MOST_BANDWIDTH = 1 << 20 };
#define MOST_BYTES (UINT64_C(8) << 30) /* of one round */

/* One way of a worm: algorithm 1 sends several copies. */
struct copy {
    size_t limit;     /* place in cmsv.limit */
    uint64_t key;     /* rank in the high half; no two are equal */
    uint64_t injected, head;
    uint64_t digest;  /* of the flits that have arrived */
    uint32_t worm;
    uint32_t delay;   /* steps */
    uint32_t arrived; /* flits */
    uint32_t slot;    /* of its stage in which it crossed its first link */
};

/* A flit asks for link `place` of its path. */
struct request {
    uint32_t copy, place, flit;
    uint32_t next; /* for the same link */
};

struct cmsv {
    const struct paths *p;
    const struct cmsv_params *c;
    const struct cmsv_watch *w;
    struct cmsv_result *r;
    struct cmsv_terms terms;
    bool all;              /* who meets too many is discarded, not the higher ranks alone */
    bool stages;           /* packets and buffers */
    uint32_t flits;        /* of a worm; in stages 1, a packet */
    uint32_t bandwidth;    /* B or A in this round */
    uint32_t slots;        /* in a step: packets that cross a link one after the other */
    uint32_t unit;         /* cycles of a slot */
    uint32_t levels;       /* D, or how many levels links have where paths begin at several */
    uint64_t now;          /* first cycle of this pass */
    uint64_t steps;        /* of this pass */
    uint64_t back;         /* of the backward pass */
    uint64_t step;         /* of this pass, the coming one */
    bool backward, over;
    uint32_t round;
    uint32_t before;       /* active when the round began */
    bool *active;          /* [worms] */
    bool *there;           /* [worms], has arrived */
    uint32_t remaining;    /* active ones */
    struct copy *copy;
    uint32_t copies, room_copies;
    uint16_t *limit;
    size_t room_limits;
    uint64_t *order;       /* [room_copies], first step in the high half, copy in the low one */
    uint32_t *live;        /* [room_copies], under way */
    uint32_t live_count;
    uint32_t starts, next; /* entries of order[] in this pass, those that have not begun */
    uint32_t *first, *count; /* [links], requests */
    uint32_t *touched;     /* [links] that have some */
    uint32_t touched_count;
    struct request *request;
    uint32_t requests, room_requests;
    uint32_t *chosen;      /* [room_chosen], requests of one link */
    uint32_t room_chosen;
};

/* -- the paper's numbers ---------------------------------------------------------------------- */

/* log2 x to 2^-40, x >= 1, with + - * and / alone: no two machines round a count differently. */
static double log2_of(double x)
{
    double sum = 0, bit = 1;
    while (x >= 2) {
        x /= 2;
        sum++;
    }
    for (unsigned k = 0; k < 40; k++) {
        bit /= 2;
        x *= x;
        if (x >= 2) {
            x /= 2;
            sum += bit;
        }
    }
    return sum;
}

static double ln_of(double x)
{
    return log2_of(x) * 0.69314718055994530942;
}

/* The n-th root of x >= 1. */
static double root_of(double x, unsigned n)
{
    double low = 1, high = x;
    for (unsigned k = 0; k < 64; k++) {
        double middle = (low + high) / 2, power = 1;
        for (unsigned j = 0; j < n && power <= x; j++)
            power *= middle;
        if (power > x)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* Rounded up, 1 at least. */
static uint64_t whole(double x)
{
    uint64_t n = (uint64_t)x;
    n += (double)n < x;
    return n ? n : 1;
}

static double at_least(double x, double low)
{
    return x > low ? x : low;
}

/* ln ln CD; below CD = 16 the paper's terms mean nothing. */
static double lnln(double cd)
{
    return ln_of(ln_of(at_least(cd, 16)));
}

struct cmsv_terms cmsv_terms(const struct paths *p, const struct cmsv_params *c)
{
    const double e = 2.71828182845904523536, alpha = 1;
    double n = at_least(p->count, 1), d = at_least(p->dilation, 1);
    double cd = at_least((double)p->congestion * d, 16);
    double bm = 5 * (alpha + 2) * ln_of(n) / lnln(cd); /* B m of round 0 (2.2) */
    struct cmsv_terms t = {.bandwidth = whole(10 * ln_of(cd) / lnln(cd))};

    t.last = (unsigned)whole(log2_of(at_least(bm, 1))) + 1;
    if (c->kind == CMSV_1) {
        t.range = whole(2 * bm);
    } else if (c->kind == CMSV_PROTOCOL) {
        t.range = whole(240 * e * e * (alpha + 2) * log2_of(n)); /* (4.2) */
    } else {
        uint64_t flits = c->kind == CMSV_STORE ? 1 : c->length;
        double l = 2 * (double)flits < d ? 2 * (double)flits : d;
        t.bandwidth = whole(log2_of(d));
        unsigned b = c->bandwidth ? c->bandwidth : (unsigned)t.bandwidth;
        t.range = whole(at_least(4 * e * l * p->congestion * root_of(d, b) / d,
                                 (alpha + 1) * log2_of(n))); /* lemma 3.4, R = T B */
    }
    return t;
}

uint32_t cmsv_butterfly_rank(uint32_t x, const uint8_t *order, unsigned bits)
{
    uint32_t rank = 0;
    for (unsigned k = 0; k < bits; k++)
        rank = rank << 1 | (x >> order[k] & 1);
    return rank;
}

void cmsv_butterfly_pass(uint32_t i, uint32_t q, uint32_t length, unsigned bits, uint32_t *delay,
                         uint32_t *number)
{
    uint32_t passes = length < bits ? bits / length : 1;
    uint32_t each = (q + passes - 1) / passes;
    *delay = i / each * length;
    *number = i % each;
}

/* -- memory ----------------------------------------------------------------------------------- */

/* Copies double from round to round: better an end than a machine without memory. */
static bool room_for(struct cmsv *e, uint64_t copies, uint64_t limits)
{
    const uint64_t each = sizeof *e->copy + sizeof *e->order + sizeof *e->live;
    if (copies >= NONE || copies * each + limits * sizeof *e->limit > MOST_BYTES)
        return false;
    if (copies > e->room_copies) {
        free(e->copy);
        free(e->order);
        free(e->live);
        e->copy = malloc(copies * sizeof *e->copy);
        e->order = malloc(copies * sizeof *e->order);
        e->live = malloc(copies * sizeof *e->live);
        e->room_copies = (uint32_t)copies;
    }
    if (limits > e->room_limits) {
        free(e->limit);
        e->limit = malloc(limits * sizeof *e->limit);
        e->room_limits = limits;
    }
    return e->copy && e->order && e->live && e->limit;
}

uint64_t cmsv_memory(uint64_t worms, uint64_t hops, uint64_t links)
{
    return worms * (2 * sizeof(bool) + sizeof(struct copy) + sizeof(uint64_t) + sizeof(uint32_t)) +
           hops * sizeof(uint16_t) + links * 3 * sizeof(uint32_t);
}

/* -- requests --------------------------------------------------------------------------------- */

static uint32_t length_of(const struct cmsv *e, const struct copy *k)
{
    return paths_length(e->p, k->worm);
}

static uint32_t link_at(const struct cmsv *e, const struct copy *k, uint32_t place)
{
    return e->p->link[e->p->first[k->worm] + place];
}

static bool ask(struct cmsv *e, uint32_t k, uint32_t place, uint32_t flit)
{
    uint32_t link = link_at(e, &e->copy[k], place);
    if (!GROW(e->request, e->requests, e->room_requests, 256))
        return false;
    if (e->count[link] == 0) {
        e->touched[e->touched_count++] = link;
        e->first[link] = NONE;
    }
    e->request[e->requests] = (struct request){k, place, flit, e->first[link]};
    e->first[link] = e->requests++;
    e->count[link]++;
    return true;
}

static uint64_t key_of(const struct cmsv *e, uint32_t request)
{
    return e->copy[e->request[request].copy].key;
}

/* The requests of a link into chosen[]: those with the B lowest keys first, in order. */
static bool sort_requests(struct cmsv *e, uint32_t link)
{
    uint32_t n = 0;
    while (e->room_chosen < e->count[link])
        if (!GROW(e->chosen, e->room_chosen, e->room_chosen, 256))
            return false;
    for (uint32_t q = e->first[link]; q != NONE; q = e->request[q].next, n++) {
        uint32_t j = n;
        if (n >= e->bandwidth) {
            j = e->bandwidth - 1;
            e->chosen[n] = q;
            if (key_of(e, q) > key_of(e, e->chosen[j]))
                continue;
            e->chosen[n] = e->chosen[j];
        }
        for (; j > 0 && key_of(e, e->chosen[j - 1]) > key_of(e, q); j--)
            e->chosen[j] = e->chosen[j - 1];
        e->chosen[j] = q;
    }
    return true;
}

/* -- the forward pass ------------------------------------------------------------------------- */

static void cut(struct cmsv *e, const struct request *q, uint64_t cycle)
{
    const struct copy *k = &e->copy[q->copy];
    uint32_t length = length_of(e, k);
    for (uint32_t j = q->place; j < length && e->limit[k->limit + j] > q->flit; j++)
        e->limit[k->limit + j] = (uint16_t)q->flit;
    if (e->w->cut)
        e->w->cut(e->w->context, cycle, k->worm, q->place, q->flit);
}

static void arrive(struct cmsv *e, struct copy *k, uint32_t flit, uint64_t cycle)
{
    const struct traffic_worm *is = &e->p->worm[k->worm];
    unsigned kind = (flit == 0 ? FLIT_HEAD : 0u) | (flit + 1 == e->flits ? FLIT_TAIL : 0u);
    uint64_t last = cycle + e->unit - 1;

    k->digest += digest_flit(flit_payload((uint64_t)is->dst << 32 | is->src, is->number, flit,
                                          UINT64_MAX), kind, last, is->dst, 0);
    if (flit == 0)
        k->head = cycle;
    if (++k->arrived < e->flits || e->there[k->worm])
        return;
    e->there[k->worm] = true;
    e->r->delivered[e->round < CMSV_LOOK ? e->round : CMSV_LOOK - 1]++;
    if (e->w->delivered)
        e->w->delivered(e->w->context, k->worm, k->injected, k->head, last, k->digest);
}

static void cross(struct cmsv *e, const struct request *q, uint64_t step, uint32_t slot)
{
    struct copy *k = &e->copy[q->copy];
    uint64_t cycle = e->now + (step * e->slots + slot) * e->unit;

    e->r->flit_hops += e->stages ? e->c->length : 1;
    if (e->w->crosses)
        e->w->crosses(e->w->context, cycle, k->worm, q->place, q->flit);
    if (q->place == 0 && q->flit == 0) {
        k->injected = cycle;
        k->slot = slot;
    }
    if (q->place + 1 == length_of(e, k))
        arrive(e, k, q->flit, cycle);
}

/* The contention resolution rules of 2.1 and 3.1. */
static bool resolve(struct cmsv *e, uint32_t link, uint64_t step)
{
    uint32_t n = e->count[link];
    uint64_t cycle = e->now + step * e->slots * e->unit;

    if (n == 1) {
        cross(e, &e->request[e->first[link]], step, 0);
        return true;
    }
    if (!sort_requests(e, link))
        return false;
    for (uint32_t j = 0; j < n; j++) {
        const struct request *q = &e->request[e->chosen[j]];
        if (n > e->bandwidth && (e->all || j >= e->bandwidth))
            cut(e, q, cycle);
        else
            cross(e, q, step, e->stages ? j : 0);
    }
    return true;
}

/* What a copy asks for in this step; false in *more: nothing from now on. */
static bool requests_of(struct cmsv *e, uint32_t k, uint64_t step, bool *more)
{
    const struct copy *x = &e->copy[k];
    uint32_t length = length_of(e, x), gone = (uint32_t)(step - x->delay);
    uint32_t low = gone < e->flits ? 0 : gone - e->flits + 1;
    uint32_t high = gone < length ? gone : length - 1;

    for (uint32_t j = low; j <= high; j++)
        if (gone - j < e->limit[x->limit + j] && !ask(e, k, j, gone - j))
            return false;
    *more = gone + 2 < length + e->flits;
    return true;
}

static int forward_step(struct cmsv *e)
{
    uint32_t left = 0;
    e->requests = e->touched_count = 0;
    for (uint32_t j = 0; j < e->live_count; j++) {
        bool more;
        if (!requests_of(e, e->live[j], e->step, &more))
            return FATFLY_NO_MEMORY;
        if (more)
            e->live[left++] = e->live[j];
    }
    e->live_count = left;
    for (uint32_t j = 0; j < e->touched_count; j++) {
        if (!resolve(e, e->touched[j], e->step))
            return FATFLY_NO_MEMORY;
        e->count[e->touched[j]] = 0;
    }
    return FATFLY_OK;
}

/* -- the backward pass ------------------------------------------------------------------------ */

/* Heads of worms that arrived go back over the other links of their edges, in reverse order. */
static int backward_step(struct cmsv *e)
{
    uint32_t left = 0;
    int status = FATFLY_OK;

    e->touched_count = 0;
    for (uint32_t j = 0; j < e->live_count; j++) {
        struct copy *k = &e->copy[e->live[j]];
        uint32_t place = (uint32_t)(e->steps - 1 - e->step - k->delay), link = link_at(e, k, place);
        if (e->count[link] == 0)
            e->touched[e->touched_count++] = link;
        if (++e->count[link] > e->bandwidth)
            status = FATFLY_BROKEN; /* they would meet */
        if (place > 0) {
            e->live[left++] = e->live[j];
            continue;
        }
        if (!e->active[k->worm])
            continue; /* of another copy */
        e->active[k->worm] = false;
        e->remaining--;
        if (e->w->acknowledged)
            e->w->acknowledged(e->w->context, e->now + ((e->step + 1) * e->slots - k->slot) * e->unit - 1,
                               k->worm);
    }
    e->live_count = left;
    for (uint32_t j = 0; j < e->touched_count; j++)
        e->count[e->touched[j]] = 0;
    return status;
}

/* -- rounds ----------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* To the step in which something moves, or to the end of the pass. */
static void skip(struct cmsv *e)
{
    if (e->live_count == 0 && e->step < e->steps) {
        uint64_t begins = e->next < e->starts ? e->order[e->next] >> 32 : e->steps;
        e->step = begins > e->step ? begins : e->step;
    }
}

/* A pass of e->steps steps; order[] says which copy begins when. */
static void begin_pass(struct cmsv *e, bool backward, uint32_t starts)
{
    e->backward = backward;
    e->starts = starts;
    e->step = e->next = e->live_count = 0;
    qsort(e->order, starts, sizeof *e->order, by_number);
    skip(e);
}

/* Random numbers of a copy: they depend on no other worm. */
static struct rng random_of(const struct cmsv *e, uint32_t worm, uint32_t number)
{
    uint64_t round = e->all ? e->round + 1 : 0; /* algorithm 2 keeps ranks and delays (3.1) */
    return (struct rng){rng_hash(rng_hash(rng_hash(e->c->seed ^ UINT64_C(0x434d5356)) + worm) +
                                 (round << 32 | number))};
}

static uint32_t draw_delay(const struct cmsv *e, struct rng *r, uint32_t worm, uint64_t range)
{
    if (e->c->delay)
        return e->c->delay[worm];
    uint32_t delay = rng_below(r, (uint32_t)range);
    if (e->c->kind == CMSV_1)
        return delay * e->flits + (e->c->start ? e->c->start[worm] : 0);
    return delay;
}

static int make_copies(struct cmsv *e, uint64_t range)
{
    uint32_t times = 1;
    uint64_t limits = 0;

    if (e->all)
        times <<= e->round < e->terms.last ? e->round : e->terms.last;
    for (uint32_t k = 0; k < e->p->count; k++)
        limits += e->active[k] ? (uint64_t)times * paths_length(e->p, k) : 0;
    if (!room_for(e, (uint64_t)times * e->remaining, limits))
        return FATFLY_NO_MEMORY;
    e->copies = 0;
    limits = 0;
    for (uint32_t k = 0; k < e->p->count; k++)
        for (uint32_t j = 0; j < times && e->active[k]; j++) {
            struct rng r = random_of(e, k, j);
            uint32_t rank = e->c->rank ? e->c->rank[k] : 0, length = paths_length(e->p, k);
            if (!e->c->rank && !e->all)
                rank = rng_below(&r, e->terms.range < NONE ? (uint32_t)e->terms.range : NONE);
            e->copy[e->copies] = (struct copy){.limit = limits, .worm = k,
                                               .key = (uint64_t)rank << 32 | e->copies,
                                               .delay = draw_delay(e, &r, k, range)};
            for (uint32_t i = 0; i < length; i++)
                e->limit[limits + i] = (uint16_t)e->flits;
            e->order[e->copies] = (uint64_t)e->copy[e->copies].delay << 32 | e->copies;
            limits += length;
            e->copies++;
        }
    return FATFLY_OK;
}

/* Acknowledgements start in the reverse order of arrival. */
static uint32_t order_back(struct cmsv *e)
{
    uint32_t starts = 0;
    for (uint32_t k = 0; k < e->copies; k++) {
        const struct copy *x = &e->copy[k];
        if (x->arrived == e->flits)
            e->order[starts++] = (e->steps - x->delay - length_of(e, x)) << 32 | k;
    }
    return starts;
}

/* Delays of this round, in what algorithm 1 calls steps: C_r (2.2), D (3.1). */
static uint64_t range_of(const struct cmsv *e)
{
    uint64_t own = e->c->delay_range;
    if (!e->all)
        return own ? own : e->p->dilation;
    return e->round == 0 ? e->p->congestion : own ? own : e->terms.range;
}

static int begin_round(struct cmsv *e)
{
    uint64_t range = range_of(e);

    e->r->rounds = e->round + 1;
    e->before = e->remaining;
    e->back = range + e->levels;
    if (e->stages) {
        uint64_t theirs = e->terms.bandwidth < MOST_BANDWIDTH ? e->terms.bandwidth : MOST_BANDWIDTH;
        e->bandwidth = e->c->bandwidth ? e->c->bandwidth : (uint32_t)theirs;
        if (e->c->kind == CMSV_PROTOCOL && e->round > 0)
            e->bandwidth = 1; /* B' (4.2) */
        e->slots = e->bandwidth;
    }
    e->steps = range + e->levels + e->flits;
    if (e->c->kind == CMSV_1)
        e->steps = e->back = range * e->flits + e->levels;
    else if (e->c->kind == CMSV_PROTOCOL)
        e->steps = e->back;
    else if (e->c->kind == CMSV_BUTTERFLY)
        e->steps--;
    if (e->steps >= NONE) {
        e->r->given_up = e->over = true;
        return FATFLY_OK;
    }
    int status = make_copies(e, range);
    if (!status)
        begin_pass(e, false, e->copies);
    return status;
}

/* After the last step of a pass. */
static int end_pass(struct cmsv *e)
{
    e->now += e->steps * e->slots * e->unit;
    e->r->cycles = e->now;
    if (!e->backward) {
        e->steps = e->back;
        begin_pass(e, true, order_back(e));
        return FATFLY_OK;
    }
    if (!e->all && e->remaining == e->before)
        return FATFLY_BROKEN; /* the lowest rank never loses (3.1) */
    e->round++;
    e->r->given_up = e->remaining && e->all && e->round > e->terms.last + CMSV_MOST_ROUNDS;
    e->over = e->remaining == 0 || e->r->given_up;
    e->step = e->steps = 0;
    return e->over ? FATFLY_OK : begin_round(e);
}

int cmsv_step(struct cmsv *e)
{
    int status = FATFLY_OK;

    while (e->next < e->starts && e->order[e->next] >> 32 == e->step)
        e->live[e->live_count++] = (uint32_t)e->order[e->next++];
    if (e->live_count)
        status = e->backward ? backward_step(e) : forward_step(e);
    e->step++;
    if (status)
        return status;
    if (e->step >= e->steps)
        return end_pass(e);
    skip(e);
    return FATFLY_OK;
}

/* -- the run ---------------------------------------------------------------------------------- */

static bool open_lists(struct cmsv *e)
{
    const struct paths *p = e->p;
    size_t links = (size_t)p->links + 1, worms = (size_t)p->count + 1;

    e->terms = cmsv_terms(p, e->c);
    e->all = e->c->kind == CMSV_1 || e->c->kind == CMSV_PROTOCOL;
    e->stages = e->c->kind == CMSV_STORE || e->c->kind == CMSV_PROTOCOL;
    e->flits = e->stages ? 1 : e->c->length;
    e->unit = e->stages ? e->c->length : 1;
    e->slots = 1;
    e->bandwidth = e->c->bandwidth ? e->c->bandwidth : (uint32_t)e->terms.bandwidth;
    e->remaining = p->count;
    for (uint32_t k = 0; k < p->count; k++) {
        uint32_t end = paths_length(p, k) + (e->c->start ? e->c->start[k] : 0);
        e->levels = end > e->levels ? end : e->levels;
    }
    e->active = malloc(worms * sizeof *e->active);
    e->there = calloc(worms, sizeof *e->there);
    e->first = malloc(links * sizeof *e->first);
    e->count = calloc(links, sizeof *e->count);
    e->touched = malloc(links * sizeof *e->touched);
    if (e->active)
        memset(e->active, 1, worms * sizeof *e->active);
    return e->active && e->there && e->first && e->count && e->touched;
}

int cmsv_open(struct cmsv **at, const struct paths *p, const struct cmsv_params *c,
              const struct cmsv_watch *w, struct cmsv_result *r)
{
    struct cmsv *e = *at = calloc(1, sizeof *e);

    *r = (struct cmsv_result){.rounds = 0};
    if (!e)
        return FATFLY_NO_MEMORY;
    e->p = p;
    e->c = c;
    e->w = w;
    e->r = r;
    if (!open_lists(e))
        return FATFLY_NO_MEMORY;
    e->over = e->remaining == 0;
    return e->over ? FATFLY_OK : begin_round(e);
}

bool cmsv_over(const struct cmsv *e)
{
    return e->over;
}

uint64_t cmsv_now(const struct cmsv *e)
{
    return e->now + e->step * e->slots * e->unit;
}

void cmsv_close(struct cmsv *e)
{
    if (!e)
        return;
    free(e->active);
    free(e->there);
    free(e->copy);
    free(e->limit);
    free(e->order);
    free(e->live);
    free(e->first);
    free(e->count);
    free(e->touched);
    free(e->request);
    free(e->chosen);
    free(e);
}
