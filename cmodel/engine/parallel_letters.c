/* SPDX-License-Identifier: Apache-2.0
 * parallel_letters.c - a cycle of one part of a run (parallel.h): it is worm.c's, and what the parts write to each
 * other.  All decisions use the state at the start of the cycle, and what they found is applied at the clock
 * edge, first here, then what the other parts wrote.
 */
#include "parallel.h"

#include "place.h"

uint32_t part_words(const struct part *p, unsigned other)
{
    uint32_t words = 0;
    for (uint32_t g = 0; g < p->is.gates; g++)
        if (p->is.gate[g].part == other)
            words += 1 + ARRIVAL_WORDS + 2; /* the first flit of a worm, and the room of another's */
    return words;
}

/* -- what is written -------------------------------------------------------------------------- */

static struct letter *put_word(struct state *e, const struct gate *g, unsigned tag)
{
    struct part *p = (struct part *)e;
    struct letter *l = p->out[p->turn][g->part];
    p->wrote = true;
    l->word[l->count++] = g->link * LETTER_TAGS + tag;
    return l;
}

void gate_room(struct state *e, uint32_t k)
{
    struct worm *w = &e->worm[k];
    const struct gate *g = &e->gate[w->next];

    if (!w->will_sleep) {
        put_word(e, g, LETTER_LEFT);
        return;
    }
    struct letter *l = put_word(e, g, LETTER_SLEEP);
    l->word[l->count++] = (uint32_t)(w->front - e->run.now - 1);
    w->will_sleep = false;
    stream_sleep_until(e, k, w->front);
}

void gate_flit(struct state *e, uint32_t k, bool flows)
{
    struct worm *w = &e->worm[k];
    const struct passenger *who = &e->passenger[k];
    struct gate *g = &e->gate[w->dst];
    struct letter *l;

    g->room--;
    if (w->got++ == 0) {
        const struct arrival a = {.is = who->is, .injected = who->injected, .first = w->end - 1u};
        l = put_word(e, g, LETTER_HEAD);
        memcpy(&l->word[l->count], &a, sizeof a);
        l->count += ARRIVAL_WORDS;
    } else if (flows && w->length - w->sent > SHORTEST_SLEEP + 2u) {
        l = put_word(e, g, LETTER_FLOWS);
        l->word[l->count++] = w->length - w->sent - 1;
    } else {
        put_word(e, g, LETTER_FLIT);
    }
}

void part_compute(struct part *p)
{
    struct run *r = &p->is.run;

    p->turn ^= 1;
    p->wrote = false;
    for (unsigned q = 0; q < p->of->parts; q++)
        if (q != p->number)
            p->out[p->turn][q]->count = 0;
    if (!p->broken)
        p->broken = run_take(r) != FATFLY_OK || engine_worm.step(r) != FATFLY_OK;
    uint64_t moves = engine_worm.next(r), ready = run_next(r);
    p->next = p->wrote || moves <= r->now ? r->now + 1 : moves < ready ? moves : ready;
    for (unsigned q = 0; q < p->of->parts; q++)
        if (q != p->number) {
            struct letter *l = p->out[p->turn][q];
            l->under_way = r->m.generated - r->m.delivered;
            l->next = p->next;
            l->more = r->calendar.count;
            l->broken = p->broken;
        }
}

/* -- what is read ----------------------------------------------------------------------------- */

/* A worm goes on in this part: its head has come by a gate. */
static bool welcome(struct state *e, struct gate *g, uint32_t number, const struct arrival *a)
{
    uint32_t k = worm_take(e);
    if (k == NONE)
        return false;
    struct worm *w = &e->worm[k];
    struct passenger *who = &e->passenger[k];
    uint8_t links = (uint8_t)(2 * worm_height(a->is.src, a->is.dst)), first = (uint8_t)a->first;
    *w = (struct worm){.next = number, .length = a->is.length, .dst = a->is.dst, .sent = 1,
                       .plane = {UINT32_C(1) << first}, .head = first + 1, .links = links, .end = links, .first = first};
    who->is = a->is;
    who->address = traffic_head(&e->params, &a->is);
    who->injected = a->injected;
    who->link[first] = g->at;
    g->comer = k;
    worm_inside(e, k);
    if (w->sent == w->length) {
        w->tail = first + 1;
        e->node[g->at >> PLACE_SHIFT].whole[g->at % PLACES]++;
    }
    worm_head_enters(e, k);
    return true;
}

/* A flit has come by a gate. */
static struct worm *flit_comes(struct state *e, const struct gate *g)
{
    struct worm *w = &e->worm[g->comer];
    uint32_t carry = UINT32_C(1) << w->first;

    worm_activate(e, g->comer);
    for (unsigned b = 0; b < WORM_PLANES && carry; b++) {
        uint32_t was = w->plane[b];
        w->plane[b] = was ^ carry;
        carry &= was;
    }
    if (++w->sent == w->length) {
        uint8_t *whole = &e->node[g->at >> PLACE_SHIFT].whole[g->at % PLACES];
        w->tail = w->first + 1;
        *whole = (uint8_t)(*whole + own_flits(e, w, w->first));
    }
    return w;
}

/* All flits of worm w in the part that it comes from have moved; `left` are to come before the last. */
static void flow_comes(const struct state *e, struct worm *w, uint32_t left)
{
    if (!w->flows || w->asleep)
        return;
    w->will_sleep = true; /* after the next cycle, in which one more comes */
    w->front = e->run.now + 2 + (left - 1 < SPOKES - 2 ? left - 1 : SPOKES - 3);
}

/* A flit has left the queue behind a gate. */
static void room_comes(struct state *e, struct gate *g)
{
    if (g->room++)
        return;
    if (g->busy)
        worm_activate(e, g->holder);
    else
        worm_reopen(e, g->at);
}

static void read_letter(struct part *p, const struct letter *l)
{
    struct state *e = &p->is;
    struct arrival a;

    for (uint32_t j = 0; j < l->count && !p->broken; j++) {
        uint32_t at = l->word[j] / LETTER_TAGS;
        uint32_t number = e->node[at >> PLACE_SHIFT].to[at % PLACES] - GATE;
        struct gate *g = &e->gate[number];
        switch (l->word[j] % LETTER_TAGS) {
        case LETTER_FLIT:
            flit_comes(e, g);
            break;
        case LETTER_FLOWS:
            flow_comes(e, flit_comes(e, g), l->word[++j]);
            break;
        case LETTER_LEFT:
            room_comes(e, g);
            break;
        case LETTER_SLEEP:
            room_comes(e, g);
            stream_sleep_until(e, g->holder, e->run.now + 1 + l->word[++j]);
            break;
        default:
            memcpy(&a, &l->word[j + 1], sizeof a);
            p->broken = !welcome(e, g, number, &a);
            j += ARRIVAL_WORDS;
        }
    }
}

bool part_conclude(struct part *p)
{
    const struct parallel *of = p->of;
    struct run *r = &p->is.run;
    uint64_t under_way = of->base + r->m.generated - r->m.delivered;
    uint64_t next = p->next;
    bool more = r->calendar.count, broken = p->broken;

    for (unsigned q = 0; q < of->parts; q++) {
        const struct letter *l = p->in[q];
        if (q == p->number)
            continue;
        read_letter(p, l);
        under_way += l->under_way;
        next = l->next < next ? l->next : next;
        more |= l->more;
        broken |= l->broken;
    }
    r->now++;
    p->broken |= broken;
    p->more = more;
    if (broken || (!r->m.open && !more && !under_way))
        return true;
    if (next == UINT64_MAX && !r->m.open) {
        p->lost = true;
        return true;
    }
    next = next < of->rest ? next : of->rest;
    if (next > r->now) {
        engine_worm.sample(r, next);
        r->now = next;
    }
    return r->now >= of->until;
}
