/* SPDX-License-Identifier: Apache-2.0
 * parallel_letters.c - what the other parts of a run wrote in a cycle (parallel.h), applied at the clock
 * edge, and when the section ends.
 */
#include "parallel.h"

enum { NONE = POOL_NONE };

/* A worm goes on in this part, from an entry: its head has crossed. */
static int welcome(struct part *p, uint32_t entry, const struct arrival *a)
{
    uint32_t k = part_take(p);
    if (k == NONE)
        return FATFLY_NO_MEMORY;
    struct entry *from = &p->entry[entry];
    struct piece *w = &p->worm[k];
    struct passenger *who = &p->passenger[k];
    *w = (struct piece){.next = NONE, .exit = NONE, .entry = entry, .length = a->is.length, .sent = 1,
                        .plane = {1}, .head = 1, .base = (uint8_t)a->base,
                        .links = (uint8_t)(2 * worm_height(a->is.src, a->is.dst))};
    who->is = a->is;
    who->address = traffic_head(&p->of->params, &a->is);
    who->injected = a->injected;
    who->link[0] = from->link;
    from->worm = k;
    part_go_inside(p, k);
    if (w->sent == w->length) {
        w->tail = 1;
        p->of->queue[from->link].whole++;
    }
    part_head_enters(p, k);
    return FATFLY_OK;
}

/* A flit has come by an entry. */
static void flit_comes(struct part *p, const struct entry *from)
{
    struct piece *w = &p->worm[from->worm];
    uint32_t carry = 1;

    part_activate(p, from->worm);
    for (unsigned b = 0; b < WORM_PLANES && carry; b++) {
        uint32_t was = w->plane[b];
        w->plane[b] = was ^ carry;
        carry &= was;
    }
    if (++w->sent < w->length)
        return;
    struct lane_queue *q = &p->of->queue[from->link];
    w->tail = 1;
    q->whole = (uint8_t)(q->whole + piece_flits(w, 0));
}

/* A flit has left the queue behind a gate. */
static void room_comes(struct part *p, struct gate *g)
{
    if (g->room++)
        return;
    if (g->busy)
        part_activate(p, g->holder);
    else
        part_reopen(p, g->from);
}

static void read_letter(struct part *p, const struct letter *l)
{
    for (uint32_t j = 0; j < l->count && !p->broken; j++) {
        uint32_t what = l->word[j] / LETTER_TAGS;
        struct arrival a;
        switch (l->word[j] % LETTER_TAGS) {
        case LETTER_FLIT:
            flit_comes(p, &p->entry[what]);
            break;
        case LETTER_LEFT:
            room_comes(p, &p->gate[what]);
            break;
        default:
            memcpy(&a, &l->word[j + 1], sizeof a);
            if (welcome(p, what, &a))
                p->broken = true;
            j += ARRIVAL_WORDS;
        }
    }
}

bool part_conclude(struct part *p)
{
    const struct parallel *e = p->of;
    uint64_t under_way = e->base + p->m.generated - p->m.delivered;
    uint64_t next = p->idle ? calendar_next(&p->calendar) : p->now + 1;
    bool more = p->calendar.count, broken = p->broken;

    for (unsigned q = 0; q < e->parts; q++) {
        const struct letter *l = p->in[q];
        if (q == p->number)
            continue;
        read_letter(p, l);
        under_way += l->under_way;
        next = l->next < next ? l->next : next;
        more |= l->more;
        broken |= l->broken;
    }
    p->now++;
    p->broken |= broken;
    p->more = more;
    if (broken || (!p->m.open && !more && !under_way))
        return true;
    if (next == UINT64_MAX && !p->m.open) {
        p->lost = true;
        return true;
    }
    next = next < e->until ? next : e->until;
    if (next > p->now) {
        part_sample_idle(p, next);
        p->now = next;
    }
    return p->now >= e->until;
}
