/* SPDX-License-Identifier: Apache-2.0
 * driver.c - the processors' side: sources that inject worms, exits that check what arrives.
 */
#include "driver.h"

#include "digest.h"
#include "rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX };

struct lane {
    uint32_t worm; /* index, or NONE */
    uint32_t sent; /* flits that crossed */
};

struct source {
    uint32_t next; /* next worm to start, index */
    uint32_t end;
    uint8_t turn;  /* channel to try first */
    uint32_t active; /* lanes with a worm */
    uint32_t sends;  /* number of the worm that crosses in this cycle, 0: none */
    struct lane lane[DUT_MAX_VCS];
};

struct arrival {
    uint32_t worm; /* index, or NONE */
    uint32_t got;  /* flits */
};

struct driver {
    const struct stimulus *s;
    unsigned endpoints;
    unsigned vcs;
    unsigned flit_w;
    struct source *source;   /* [endpoints] */
    struct arrival *arrival; /* [endpoints * vcs] */
    uint32_t *bucket;        /* [mask + 1]: worms in flight whose head has not arrived, by head */
    uint32_t *chain;         /* [count] */
    uint32_t mask;
    bool *claimed;           /* [count]: in flight, the head has arrived */
    struct driver_totals totals;
    uint64_t lost;           /* worms, in resets */
    unsigned drops;
};

static void none_in_flight(struct driver *d)
{
    for (uint32_t k = 0; k <= d->mask; k++)
        d->bucket[k] = NONE;
    for (size_t k = 0; k < (size_t)d->endpoints * d->vcs; k++)
        d->arrival[k].worm = NONE;
    for (unsigned e = 0; e < d->endpoints; e++) {
        d->source[e].active = 0;
        for (unsigned v = 0; v < d->vcs; v++)
            d->source[e].lane[v].worm = NONE;
    }
    memset(d->claimed, 0, d->s->count * sizeof *d->claimed);
}

/* Worms of the ends before e: the stimulus has them end by end. */
static uint32_t worms_before(const struct stimulus *s, unsigned e)
{
    uint32_t from = 0, to = (uint32_t)s->count;
    while (from < to) {
        uint32_t k = from + (to - from) / 2;
        if (s->worm[k].entry < e)
            from = k + 1;
        else
            to = k;
    }
    return from;
}

struct driver *driver_new(const struct stimulus *s)
{
    struct driver *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->s = s;
    d->endpoints = dut_endpoints(&s->shape);
    d->vcs = s->shape.params.vcs;
    d->flit_w = s->shape.params.flit_w;
    d->mask = 1023;
    d->source = calloc(d->endpoints, sizeof *d->source);
    d->arrival = calloc((size_t)d->endpoints * d->vcs, sizeof *d->arrival);
    d->bucket = malloc((d->mask + 1) * sizeof *d->bucket);
    d->chain = malloc((s->count + 1) * sizeof *d->chain);
    d->claimed = calloc(s->count + 1, sizeof *d->claimed);
    if (!d->source || !d->arrival || !d->bucket || !d->chain || !d->claimed) {
        driver_free(d);
        return NULL;
    }
    none_in_flight(d);
    for (unsigned e = 0; e < d->endpoints; e++) {
        d->source[e].next = worms_before(s, e);
        d->source[e].end = worms_before(s, e + 1);
    }
    return d;
}

void driver_free(struct driver *d)
{
    if (!d)
        return;
    free(d->source);
    free(d->arrival);
    free(d->bucket);
    free(d->chain);
    free(d->claimed);
    free(d);
}

static uint32_t *bucket_of(struct driver *d, uint64_t head)
{
    return &d->bucket[rng_hash(head) & d->mask];
}

static void launch(struct driver *d, uint32_t k)
{
    uint32_t *at = bucket_of(d, d->s->worm[k].head);
    while (*at != NONE) /* at the end, so that the oldest is found first */
        at = &d->chain[*at];
    d->chain[k] = NONE;
    *at = k;
    d->totals.worms_injected++;
}

static void send(struct driver *d, struct source *q, unsigned v, struct link *in)
{
    struct lane *lane = &q->lane[v];
    if (lane->worm == NONE) {
        lane->worm = q->next++;
        lane->sent = 0;
        q->active++;
        launch(d, lane->worm);
    }
    const struct worm *w = &d->s->worm[lane->worm];
    in->valid = (uint16_t)(1u << v);
    in->flit.payload = worm_payload(w, lane->sent, d->flit_w);
    in->flit.kind = worm_kind(w, lane->sent);
    q->sends = w->number;
    if (++lane->sent == w->length) {
        lane->worm = NONE;
        q->active--;
    }
    q->turn = v + 1 == d->vcs ? 0 : (uint8_t)(v + 1);
    d->totals.flits_injected++;
}

void driver_drive(struct driver *d, uint64_t cycle, const uint16_t *room, struct link *in)
{
    const bool gaps = stimulus_gaps(d->s, cycle);

    for (unsigned e = 0; e < d->endpoints; e++) {
        struct source *q = &d->source[e];
        in[e] = (struct link){.valid = 0};
        q->sends = 0;
        bool waits = q->next < q->end && d->s->worm[q->next].ready <= cycle;
        if (!room[e] || (!q->active && !waits) || (gaps && stimulus_gap(d->s, cycle, e)))
            continue;
        unsigned lowest = d->vcs; /* the channel that a new worm would take */
        for (unsigned v = d->vcs; waits && v-- > 0;)
            if (q->lane[v].worm == NONE && (room[e] & stimulus_channels(d->s, q->next)) >> v & 1)
                lowest = v;
        for (unsigned k = 0; k < d->vcs; k++) {
            unsigned v = q->turn + k < d->vcs ? q->turn + k : q->turn + k - d->vcs;
            if ((room[e] >> v & 1) && (q->lane[v].worm != NONE || v == lowest)) {
                send(d, q, v, &in[e]);
                break;
            }
        }
    }
}

/* True if flits 0 .. k of worm w are what a worm that looked like `like` so far has shown. */
static bool same_so_far(const struct driver *d, const struct worm *w, const struct worm *like,
                        uint32_t k)
{
    if (w->length <= k)
        return false;
    for (uint32_t j = 1; j < k; j++)
        if (worm_payload(w, j, d->flit_w) != worm_payload(like, j, d->flit_w))
            return false;
    return true;
}

static bool leaves(const struct worm *w, unsigned e)
{
    return e == w->exit_first || e == w->exit_last;
}

/* The worm in flight whose head this is; of equal ones the oldest. */
static uint32_t claim(struct driver *d, unsigned e, const struct flit *f)
{
    for (uint32_t *at = bucket_of(d, f->payload); *at != NONE; at = &d->chain[*at]) {
        uint32_t k = *at;
        const struct worm *w = &d->s->worm[k];
        if (w->head == f->payload && worm_kind(w, 0) == f->kind && leaves(w, e)) {
            *at = d->chain[k];
            d->claimed[k] = true;
            return k;
        }
    }
    return NONE;
}

/* Narrow heads can be alike: if flit k is another worm's, the two change places. */
static bool reclaim(struct driver *d, unsigned e, struct arrival *a, const struct flit *f)
{
    const struct worm *now = &d->s->worm[a->worm];
    for (uint32_t *at = bucket_of(d, now->head); *at != NONE; at = &d->chain[*at]) {
        uint32_t k = *at;
        const struct worm *w = &d->s->worm[k];
        if (w->head == now->head && leaves(w, e) &&
            same_so_far(d, w, now, a->got) && worm_kind(w, a->got) == f->kind &&
            worm_payload(w, a->got, d->flit_w) == f->payload) {
            d->chain[a->worm] = d->chain[k];
            *at = a->worm;
            d->claimed[a->worm] = false;
            d->claimed[k] = true;
            a->worm = k;
            return true;
        }
    }
    for (unsigned other = 0; other < d->endpoints * d->vcs; other++) {
        struct arrival *b = &d->arrival[other];
        if (b == a || b->worm == NONE || b->got > a->got)
            continue;
        const struct worm *w = &d->s->worm[b->worm];
        if (w->head == now->head && leaves(w, e) &&
            same_so_far(d, w, now, a->got) && worm_kind(w, a->got) == f->kind &&
            worm_payload(w, a->got, d->flit_w) == f->payload && same_so_far(d, now, w, b->got)) {
            uint32_t swap = a->worm;
            a->worm = b->worm;
            b->worm = swap;
            return true;
        }
    }
    return false;
}

const char *driver_consume(struct driver *d, uint64_t cycle, const struct link *out, char *why,
                           size_t size)
{
    for (unsigned e = 0; e < d->endpoints; e++) {
        const struct flit *f = &out[e].flit;
        if (!out[e].valid)
            continue;
        if (out[e].valid & (out[e].valid - 1)) {
            snprintf(why, size, "exit %u: valid = 0x%x; one flit a cycle crosses a link", e,
                     out[e].valid);
            return why;
        }
        unsigned v = (unsigned)__builtin_ctz(out[e].valid);
        if (v >= d->vcs) {
            snprintf(why, size, "exit %u: valid = 0x%x; the link has %u channels", e, out[e].valid, d->vcs);
            return why;
        }
        struct arrival *a = &d->arrival[e * d->vcs + v];
        if (f->kind & FLIT_HEAD) {
            if (a->worm != NONE) {
                snprintf(why, size, "exit %u channel %u: a head inside worm %u, of which %u of %u "
                         "flits have arrived", e, v, d->s->worm[a->worm].number, a->got,
                         d->s->worm[a->worm].length);
                return why;
            }
            a->worm = claim(d, e, f);
            a->got = 0;
            if (a->worm == NONE) {
                snprintf(why, size, "exit %u channel %u: head 0x%llx belongs to no worm in flight "
                         "that may leave here", e, v, (unsigned long long)f->payload);
                return why;
            }
        } else if (a->worm == NONE) {
            snprintf(why, size, "exit %u channel %u: a flit without a head", e, v);
            return why;
        }
        const struct worm *w = &d->s->worm[a->worm];
        if (a->got >= w->length || worm_kind(w, a->got) != f->kind ||
            worm_payload(w, a->got, d->flit_w) != f->payload) {
            if (!reclaim(d, e, a, f)) {
                snprintf(why, size, "exit %u channel %u: worm %u: flit %u of %u is kind %u payload "
                         "0x%llx, not kind %u payload 0x%llx", e, v, w->number, a->got, w->length,
                         f->kind, (unsigned long long)f->payload,
                         a->got < w->length ? (unsigned)worm_kind(w, a->got) : 0,
                         (unsigned long long)worm_payload(w, a->got, d->flit_w));
                return why;
            }
            w = &d->s->worm[a->worm];
        }
        a->got++;
        struct driver_totals *t = &d->totals;
        t->flits_delivered++;
        t->digest += digest_flit(f->payload, f->kind, cycle, e, v);
        if (f->kind & FLIT_TAIL) {
            uint64_t latency = cycle - w->ready;
            t->worms_delivered++;
            t->worm_flits += w->length;
            t->last_arrival = cycle;
            t->latency_sum += latency;
            if (latency > t->latency_max)
                t->latency_max = latency;
            d->claimed[a->worm] = false;
            a->worm = NONE;
        }
    }
    return NULL;
}

const struct driver_totals *driver_totals(const struct driver *d)
{
    return &d->totals;
}

void driver_drop(struct driver *d)
{
    d->lost += d->totals.worms_injected - d->totals.worms_delivered;
    d->totals.worms_injected = d->totals.worms_delivered;
    d->totals.flits_injected = d->totals.flits_delivered;
    none_in_flight(d);
    d->drops++;
}

unsigned driver_drops(const struct driver *d)
{
    return d->drops;
}

bool driver_done(const struct driver *d)
{
    return d->totals.worms_delivered + d->lost == d->s->count;
}

uint32_t driver_sends(const struct driver *d, unsigned e)
{
    return d->source[e].sends;
}

const struct worm *driver_worm(const struct driver *d, uint32_t number)
{
    for (size_t k = 0; k < d->s->count; k++)
        if (d->s->worm[k].number == number)
            return &d->s->worm[k];
    return NULL;
}

const struct worm *driver_in_flight(const struct driver *d)
{
    uint32_t best = NONE;
    for (uint32_t b = 0; b <= d->mask; b++)
        for (uint32_t k = d->bucket[b]; k != NONE; k = d->chain[k])
            if (k < best)
                best = k;
    for (uint32_t k = 0; k < d->s->count && k < best; k++)
        if (d->claimed[k])
            best = k;
    return best == NONE ? NULL : &d->s->worm[best];
}
