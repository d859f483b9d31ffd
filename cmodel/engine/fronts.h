/* SPDX-License-Identifier: Apache-2.0
 * fronts.h - flits that each ask for themselves in every switch of a butterfly fat-tree, for the usual switch: one virtual
 * channel, queues of two flits, a parent drawn at random (RP), and the scans RR and FO.
 *
 * The flits at the front of queues stand in lists, level by level, those that climb to a parent apart.  A list is gone
 * through twice in a cycle: each front asks for its output, where there is room behind it, and of two that want the
 * same the scan's choice remains; then those that remain cross.  Who does not stands in the list of the next cycle.
 *
 * What can hardly be foreseen of a flit takes no branch: whether somebody wants the same, whether it finds its queue empty,
 * fills it, or leaves one behind it.  An item is written to the end of a list, which moves on by 0 or 1; so lists have
 * room for one more.  What depends on it waits in a list of its own: rivals, and queues that were full.
 */
#ifndef FATFLY_FRONTS_H
#define FATFLY_FRONTS_H

#include "heads.h"
#include "hops.h"
#include "jumps.h"

enum { HEIGHT_SHIFT = 24 };

/* What a queue holds: route << 32 | a number of the engine's; route: dst | height << HEIGHT_SHIFT.  In one word, which
 * one instruction moves. */
typedef uint64_t fronts_flit;
_Static_assert(2 * FATFLY_LARGEST_LEVELS <= HEIGHT_SHIFT, "a destination of the largest network lies below its height");
_Static_assert(FATFLY_LARGEST_LEVELS < 1 << (32 - HEIGHT_SHIFT), "and the height ends within the upper half");

/* The queue at a place. */
struct front_queue {
    fronts_flit slot[2]; /* the front first */
    uint32_t since[2];   /* cycle from which the front has been there, low bits; whatever was written with slot[1] */
    uint64_t crossed;    /* flits that came by the link that leads there, and below QUEUED those that are in it */
};
enum { QUEUED = 4 };
_Static_assert(sizeof(struct front_queue) == 32, "half a line of the cache");

/* Of an output: who gets it in this cycle, 1 + the number in ask[]; nobody so far; or there is no room behind it. */
enum { FREE = 0, CLOSED = UINT32_MAX };

/* A front: its place, and in the upper half the output that it wants; of one that climbs the first parent's. */
typedef uint64_t fronts_front;

struct front_list {
    fronts_front *now, *end;   /* of this cycle */
    fronts_front *next, *tail; /* of the next one; each has room for all queues of its level, and one more */
};

/* Of ask[]: those of a list that cross, and one more. */
struct front_range {
    uint32_t first, last;
};

struct lottery {
    uint64_t drawn;
    uint32_t random; /* lfsr_q as of cycle drawn */
};

struct fronts {
    unsigned levels;
    uint32_t nodes, places;  /* processors; 8 * switches */
    uint32_t base[FATFLY_LARGEST_LEVELS + 2]; /* first switch of a level */
    struct front_queue *queue; /* [places] */
    uint32_t *to;            /* [places], where an output leads: a place, or places + processor; as links come in pairs, that
                                is also the output that leads to that port */
    uint32_t *asked;         /* [places], of an output */
    uint16_t *parked;        /* [places], ports whose fronts wait for room behind the output, a bit each; those that climb
                                for room behind either, at the first parent's: a byte could change whatever the compiler
                                has in a register */
    fronts_front *listed;    /* where the lists are */
    struct front_list list[FATFLY_LARGEST_LEVELS + 2][2]; /* [level][climbs]; above the roots, empty */
    struct front_range crosses[FATFLY_LARGEST_LEVELS + 1][2];
    fronts_front *ask;       /* with the output that each gets */
    uint32_t asks;
    fronts_front *rival;     /* of one list: those whose output was asked for, or is closed */
    uint32_t *left;          /* of one list: places of queues that were full */
    uint64_t held[2][FATFLY_LARGEST_LEVELS + 2]; /* [of a child's port][level], flits in queues */
    uint64_t full;           /* queues */
    struct lottery *lottery; /* [switches] */
    bool rotates;            /* RR */
    struct jumps jumps;
    uint32_t bit[JUMPS_SOON][SWITCH_CHILDREN]; /* jumps_masks() of bits 16 to 19: the parent drawn for a child */
    uint64_t start[JUMPS_SOON][4]; /* the same of bits 8 to 15, where the scan starts: two a word */
};

/* What an engine does where a link ends or begins at a processor. */
struct fronts_sides {
    bool stepwise; /* SPLIT: room is of use to who acts later in the step */
    void (*arrived)(void *engine, uint32_t processor, uint32_t flit);
    void (*room)(void *engine, uint32_t processor); /* behind its injection link, which was full */
};

/* Whether a configuration's switches are the usual ones. */
bool fronts_can(const struct fatfly_config *c, const struct topology *t);
/* False if memory is short; fronts_close() either way. */
bool fronts_open(struct fronts *p, const struct fatfly_config *c);
void fronts_close(struct fronts *p);
uint64_t fronts_memory(const struct fatfly_config *c); /* bytes, without those of struct fronts */

/* So many samples of all queues of switches, and of `eating` processors that hold one flit each, of `eaters`. */
void fronts_sample(const struct fronts *p, struct run *r, uint64_t times, uint32_t eating, uint32_t eaters);

/* Adds the flits over each link that leads to a switch to link_worms[], by the links of fat_tree_wire(). */
void fronts_links(const struct fronts *p, uint32_t *link_worms);

/* Moves the register on until less than JUMPS_SOON cycles are missing. */
void fronts_move_on(struct fronts *p, struct lottery *t, uint64_t now);

/* Whether port i comes before port j of a switch in this cycle. */
bool fronts_before(struct fronts *p, uint32_t s, unsigned level, unsigned i, unsigned j, uint64_t now);

/* A cycle begins: what was to come stands in the lists of now.  True if all are empty. */
bool fronts_turn(struct fronts *p);

static inline fronts_flit fronts_of(uint32_t flit, uint32_t dst, unsigned height)
{
    return (fronts_flit)(dst | height << HEIGHT_SHIFT) << 32 | flit;
}

static inline bool fronts_full(const struct fronts *p, uint32_t place)
{
    return p->queue[place].crossed % QUEUED == 2;
}

/* Cycles since a register was moved on, less than JUMPS_SOON: for a bit of it it need not be. */
INLINE uint64_t fronts_gap(struct fronts *p, struct lottery *t, uint64_t now)
{
    uint64_t gap = now - t->drawn;
    if (gap < JUMPS_SOON)
        return gap;
    fronts_move_on(p, t, now);
    return now - t->drawn;
}

/* The parent drawn for child i of switch s in this cycle. */
INLINE unsigned fronts_parent(struct fronts *p, uint32_t s, unsigned i, uint64_t now)
{
    struct lottery *t = &p->lottery[s];
    uint64_t gap = fronts_gap(p, t, now);
    return (unsigned)__builtin_parity(t->random & p->bit[gap][i]);
}

INLINE void fronts_wait(struct front_list *list, uint32_t place, uint32_t output)
{
    *list->tail++ = (fronts_front)output << 32 | place;
}

/* A flit is at the front of a queue of that level from the next cycle on, unless it is behind another (1, or 0);
 * child: of a child's port.  list: of the level, those that do not climb and those that do. */
INLINE void fronts_new(struct front_list *list, uint32_t place, fronts_flit x, unsigned level, bool child, unsigned behind)
{
    bool climbs = child && x >> (32 + HEIGHT_SHIFT) > level;
    uint64_t digit = x >> 2 * (level - 1) & UINT64_C(3) << 32, parent = (uint64_t)SWITCH_CHILDREN << 32;

    *list[climbs].tail = ((fronts_front)(place & ~(PLACES - 1u)) << 32 | place) + (climbs ? parent : digit);
    list[climbs].tail += behind ^ 1;
}

/* A flit comes to the queue at a place, which has room.  1 if it is full now, else 0. */
INLINE unsigned fronts_push(struct fronts *p, struct front_list *list, uint32_t place, fronts_flit x, unsigned level, bool child,
                            uint64_t now)
{
    struct front_queue *q = &p->queue[place];
    unsigned count = q->crossed % QUEUED;

    q->slot[count] = x;
    q->since[count] = (uint32_t)now + 1;
    q->crossed += QUEUED + 1;
    fronts_new(list, place, x, level, child, count);
    return count;
}

/* A flit leaves processor a, behind whose link there is room.  Whether there is none now. */
INLINE bool fronts_inject(struct fronts *p, uint32_t a, fronts_flit x, uint64_t now)
{
    unsigned filled = fronts_push(p, p->list[1], place_of_entry(a), x, 1, true, now);
    p->full += filled;
    p->held[true][1]++;
    return filled;
}

/* The front leaves the queue at a place, which is appended to those that were full if it was. */
INLINE fronts_flit fronts_pop(struct fronts *p, uint32_t place, uint32_t **left, struct tally *t, uint64_t now)
{
    struct front_queue *q = &p->queue[place];
    fronts_flit x = q->slot[0];

    q->slot[0] = q->slot[1];
    t->waited += (uint32_t)now - q->since[0];
    **left = place;
    *left += q->crossed >> 1 & 1;
    q->crossed--;
    return x;
}

/* One of two that want the same remains. */
INLINE void fronts_choose(struct fronts *p, struct front_list *list, fronts_front x, uint32_t wanted, unsigned level, uint64_t now)
{
    uint32_t place = (uint32_t)x, output = (uint32_t)(x >> 32);
    fronts_front *holder = &p->ask[p->asked[output] - 1], other = *holder;
    bool before = fronts_before(p, place >> PLACE_SHIFT, level, place % PLACES, (uint32_t)other % PLACES, now);

    *holder = before ? x : other;
    fronts_wait(list, before ? (uint32_t)other : place, wanted);
}

/* Those of a level whose output was asked for, or is closed. */
INLINE void fronts_rivals(struct fronts *p, const fronts_front *end, unsigned level, bool climb, uint64_t now)
{
    struct front_list *list = &p->list[level][climb];

    for (const fronts_front *k = p->rival; k < end; k++) {
        uint32_t place = (uint32_t)*k, output = (uint32_t)(*k >> 32), wanted = climb ? output & ~1u : output;
        if (p->asked[output] != CLOSED)
            fronts_choose(p, list, *k, wanted, level, now);
        else if (climb && p->asked[output ^ 1] != CLOSED)
            fronts_wait(list, place, wanted);
        else
            p->parked[wanted] |= (uint16_t)(1u << place % PLACES);
    }
}

/* The fronts of a level that climb, or that do not, ask. */
INLINE void fronts_ask(struct fronts *p, unsigned level, bool climb, uint64_t now)
{
    struct front_list *list = &p->list[level][climb];
    fronts_front *ask = p->ask, *rival = p->rival;
    uint64_t from = p->asks, asks = from, all = from;

    for (const fronts_front *k = list->now, *end = list->end; k < end; k++) {
        uint32_t place = (uint32_t)*k;
        fronts_front x = *k + (climb ? (fronts_front)fronts_parent(p, place >> PLACE_SHIFT, place % PLACES, now) << 32 : 0);
        uint32_t *holder = &p->asked[x >> 32], was = *holder;
        uint64_t first = ((uint64_t)was - 1) >> 63; /* 1 if FREE, or 0 */

        ask[asks] = rival[all++ - asks] = x;
        asks += first;
        *holder = was | (uint32_t)(asks & (0 - first));
    }
    p->asks = (uint32_t)asks;
    p->crosses[level][climb] = (struct front_range){(uint32_t)from, (uint32_t)asks};
    fronts_rivals(p, rival + (all - asks), level, climb, now);
}

/* There is room behind an output of a switch of that level.  Who waits for it asks again, in this step, if it is stepwise and
 * the output leads up: what is nearer to the leaves acts later. */
INLINE void fronts_open_output(struct fronts *p, uint32_t output, unsigned level, bool climb, bool stepwise)
{
    uint32_t wanted = climb ? output & ~1u : output;
    struct front_list *list = &p->list[level][climb];
    fronts_front **end = climb && stepwise ? &list->end : &list->tail;

    p->asked[output] = FREE;
    for (unsigned rest = p->parked[wanted]; rest; rest &= rest - 1)
        *(*end)++ = (fronts_front)wanted << 32 | (wanted & ~(PLACES - 1u)) | (unsigned)__builtin_ctz(rest);
    p->parked[wanted] = 0;
}

/* The queues of a level that were full. */
INLINE void fronts_settle(struct fronts *p, void *engine, const uint32_t *end, unsigned level, bool climb,
                          struct fronts_sides sides, uint64_t now)
{
    p->full -= (uint64_t)(end - p->left);
    for (const uint32_t *k = p->left; k < end; k++) {
        uint32_t place = *k;
        struct front_queue *q = &p->queue[place];
        bool child = climb || place % PLACES < SWITCH_CHILDREN;

        q->since[0] = (uint32_t)now + 1;
        fronts_new(p->list[level], place, q->slot[0], level, child, 0);
        if (level == 1 && child)
            sides.room(engine, (place >> PLACE_SHIFT) << 2 | place % PLACES);
        else
            fronts_open_output(p, p->to[place], child ? level - 1 : level + 1, child, sides.stepwise);
    }
}

/* Of what crosses from a level. */
struct front_count {
    struct tally t;
    uint64_t full;    /* queues that it fills */
    uint64_t parents; /* of it, from queues of parents' ports */
};

/* Those that remain cross to processors. */
INLINE void fronts_arrive(struct fronts *p, void *engine, uint32_t **left, struct fronts_sides sides, struct front_count *c, uint64_t now)
{
    const struct front_range range = p->crosses[1][false];

    for (const fronts_front *k = &p->ask[range.first], *end = &p->ask[range.last]; k < end; k++) {
        uint32_t place = (uint32_t)*k, output = (uint32_t)(*k >> 32);
        fronts_flit x = fronts_pop(p, place, left, &c->t, now);

        c->parents += place % PLACES / SWITCH_CHILDREN;
        p->asked[output] = FREE;
        sides.arrived(engine, p->to[output] - p->places, (uint32_t)x);
    }
}

/* The same to switches. */
INLINE void fronts_go(struct fronts *p, uint32_t **left, unsigned level, bool climb, struct front_count *c, uint64_t now)
{
    const struct front_range range = p->crosses[level][climb];
    unsigned there = climb ? level + 1 : level - 1;
    struct front_list down = p->list[there][false];

    for (const fronts_front *k = &p->ask[range.first], *end = &p->ask[range.last]; k < end; k++) {
        uint32_t place = (uint32_t)*k, output = (uint32_t)(*k >> 32);
        fronts_flit x = fronts_pop(p, place, left, &c->t, now);
        unsigned filled = fronts_push(p, climb ? p->list[there] : &down, p->to[output], x, there, climb, now);

        c->parents += climb ? 0 : place % PLACES / SWITCH_CHILDREN;
        c->full += filled;
        p->asked[output] = filled * CLOSED; /* else FREE */
    }
    if (!climb)
        p->list[there][false].tail = down.tail;
}

/* Those that remain cross, and are counted. */
INLINE void fronts_cross(struct fronts *p, void *engine, struct run *r, unsigned level, bool climb,
                         struct fronts_sides sides, uint64_t now)
{
    const struct front_range range = p->crosses[level][climb];
    struct front_count c = {.t = {.moves = range.last - range.first, .flits = range.last - range.first}};
    uint32_t *left = p->left;

    if (!climb && level == 1)
        fronts_arrive(p, engine, &left, sides, &c, now);
    else
        fronts_go(p, &left, level, climb, &c, now);
    p->full += c.full;
    p->held[true][level] -= c.t.moves - c.parents;
    p->held[false][level] -= c.parents;
    p->held[climb][climb ? level + 1 : level - 1] += c.t.moves;
    fronts_settle(p, engine, left, level, climb, sides, now);
    tally_up(&c.t, r, climb, climb ? level : level - 1);
}

#endif
