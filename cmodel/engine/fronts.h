/* SPDX-License-Identifier: Apache-2.0
 * fronts.h - flits that each ask for themselves in every switch of a butterfly fat-tree, for the usual switch: one virtual
 * channel, queues of two flits, a parent drawn at random (RP), and the scans RR and FO.
 *
 * The flits at the front of queues stand in lists, level by level, those that climb to a parent apart.  A list is gone
 * through twice in a cycle: each front asks for its output, where there is room behind it, and of two that want the
 * same the scan's choice remains; then those that remain cross.  Who does not stands in the list of the next cycle.
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

/* A port of a switch; what is looked at more often stands apart. */
struct queue_port {
    fronts_flit slot[2]; /* its queue, the front first */
    uint32_t since;      /* cycle from which the front has been there, low bits */
    uint32_t to;         /* where its output leads: a place, or places + processor */
    uint32_t from;       /* the output that leads here */
    uint32_t crossed;    /* flits that left by its output */
};

/* Of an output: who gets it in this cycle, 1 + the number in ask[]; nobody so far; or there is no room behind it. */
enum { FREE = 0, CLOSED = UINT32_MAX };

/* A front: its place, and in the upper half the output that it wants; of one that climbs the first parent's. */
typedef uint64_t fronts_front;

struct front_list {
    fronts_front *now, *end;   /* of this cycle */
    fronts_front *next, *tail; /* of the next one; each has room for all queues of its level */
    uint32_t first, last;      /* of ask[]: those of this list that cross, and one more */
};

struct lottery {
    uint64_t drawn;
    uint32_t random; /* lfsr_q as of cycle drawn */
};

struct fronts {
    unsigned levels;
    uint32_t nodes, places;  /* processors; 8 * switches */
    uint32_t base[FATFLY_LARGEST_LEVELS + 2]; /* first switch of a level */
    struct queue_port *port; /* [places] */
    uint16_t *count;         /* [places], flits in its queue: a byte could change whatever the compiler has in a register */
    uint32_t *asked;         /* [places], of its output */
    uint16_t *parked;        /* [places], ports whose fronts wait for room behind the output, a bit each; those that
                                climb for room behind either, at the first parent's */
    fronts_front *listed;    /* where the lists are */
    struct front_list list[FATFLY_LARGEST_LEVELS + 1][2]; /* [level][climbs] */
    fronts_front *ask;       /* with the output that each gets */
    uint32_t asks;
    struct lottery *lottery; /* [switches] */
    bool rotates;            /* RR */
    struct jumps jumps;
    uint32_t bit[JUMPS_SOON][SWITCH_CHILDREN]; /* jumps_masks() of bits 16 to 19: the parent drawn for a child */
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

/* Adds the flits over each link that leaves a switch to link_worms[], by the links of fat_tree_wire(). */
void fronts_links(const struct fronts *p, uint32_t *link_worms);

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
    return p->count[place] == 2;
}

/* The parent drawn for child i of switch s in this cycle: one bit of the register, for which it need not be moved on. */
INLINE unsigned fronts_parent(struct fronts *p, uint32_t s, unsigned i, uint64_t now)
{
    struct lottery *t = &p->lottery[s];
    uint64_t gap = now - t->drawn;
    if (gap >= JUMPS_SOON) {
        t->random = jumps_after(&p->jumps, t->random, gap);
        t->drawn = now;
        gap = 0;
    }
    return (unsigned)__builtin_parity(t->random & p->bit[gap][i]);
}

INLINE void fronts_wait(struct front_list *list, uint32_t place, uint32_t output)
{
    *list->tail++ = (fronts_front)output << 32 | place;
}

/* A flit is at the front of a queue of that level from the next cycle on; child: of a child's port. */
INLINE void fronts_new(struct fronts *p, uint32_t place, fronts_flit x, unsigned level, bool child, uint64_t now)
{
    uint32_t route = (uint32_t)(x >> 32);
    bool climbs = child && route >> HEIGHT_SHIFT > level;
    uint32_t digit = route >> 2 * (level - 1) & 3;

    p->port[place].since = (uint32_t)now + 1;
    fronts_wait(&p->list[level][climbs], place, (place & ~(PLACES - 1u)) + (climbs ? SWITCH_CHILDREN : digit));
}

/* Joins the queue at a place, which has room.  True if it is full now. */
INLINE bool fronts_push(struct fronts *p, uint32_t place, fronts_flit x, unsigned level, bool child, uint64_t now)
{
    unsigned count = p->count[place]++;

    p->port[place].slot[count] = x;
    if (count == 0)
        fronts_new(p, place, x, level, child, now);
    return count;
}

/* The fronts of a level that climb, or that do not, ask. */
INLINE void fronts_ask(struct fronts *p, unsigned level, bool climb, uint64_t now)
{
    struct front_list *list = &p->list[level][climb];
    fronts_front *ask = p->ask;
    uint32_t asks = list->first = p->asks, *asked = p->asked;

    for (const fronts_front *k = list->now, *end = list->end; k < end; k++) {
        uint32_t place = (uint32_t)*k, wanted = (uint32_t)(*k >> 32);
        uint32_t output = wanted + (climb ? fronts_parent(p, place >> PLACE_SHIFT, place % PLACES, now) : 0);
        uint32_t holder = asked[output];

        if (holder == FREE) {
            ask[asks++] = (fronts_front)output << 32 | place;
            asked[output] = asks;
        } else if (holder == CLOSED) {
            if (climb && asked[output ^ 1] != CLOSED)
                fronts_wait(list, place, wanted);
            else
                p->parked[wanted] |= (uint16_t)(1u << place % PLACES);
        } else {
            uint32_t other = (uint32_t)ask[holder - 1];
            bool before = fronts_before(p, place >> PLACE_SHIFT, level, place % PLACES, other % PLACES, now);
            fronts_wait(list, before ? other : place, wanted);
            ask[holder - 1] = (fronts_front)output << 32 | (before ? place : other);
        }
    }
    list->last = p->asks = asks;
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

/* Those that remain cross, and are counted. */
INLINE void fronts_cross(struct fronts *p, void *engine, struct run *r, unsigned level, bool climb,
                         struct fronts_sides sides, uint64_t now)
{
    const struct front_list *list = &p->list[level][climb];
    struct tally t = {.moves = list->last - list->first, .flits = list->last - list->first};
    struct queue_port *port = p->port;

    for (const fronts_front *k = &p->ask[list->first], *end = &p->ask[list->last]; k < end; k++) {
        uint32_t place = (uint32_t)*k, output = (uint32_t)(*k >> 32);
        struct queue_port *q = &port[place], *o = &port[output];
        fronts_flit x = q->slot[0];
        bool child = climb || place % PLACES < SWITCH_CHILDREN, full = p->count[place]-- == 2;

        t.waited += (uint32_t)now - q->since;
        p->asked[output] = FREE;
        o->crossed++;
        if (full) {
            q->slot[0] = q->slot[1];
            fronts_new(p, place, q->slot[0], level, child, now);
            if (level == 1 && child)
                sides.room(engine, (place >> PLACE_SHIFT) << 2 | place % PLACES);
            else
                fronts_open_output(p, q->from, child ? level - 1 : level + 1, child, sides.stepwise);
        }
        if (!climb && level == 1)
            sides.arrived(engine, o->to - p->places, (uint32_t)x);
        else if (fronts_push(p, o->to, x, climb ? level + 1 : level - 1, climb, now))
            p->asked[output] = CLOSED;
    }
    tally_up(&t, r, climb, climb ? level : level - 1);
}

#endif
