/* SPDX-License-Identifier: Apache-2.0
 * traffic.h - the worms of a run, processor by processor, made when they are asked for.
 *
 * Every processor has random numbers of its own, so the worms do not depend on the order in which
 * processors are asked, and an open loop needs no memory beyond a word or two for each.  All
 * arithmetic is on integers or on doubles that +, -, * and / make, so that every compiler and libm
 * gives the same worms.
 */
#ifndef FATFLY_TRAFFIC_H
#define FATFLY_TRAFFIC_H

#include "fatfly.h"
#include "params.h"
#include "visit.h"

struct traffic_worm {
    uint64_t ready;  /* cycle from which the head may cross the injection link */
    uint64_t index;  /* 0 .. within its source; worms that stay at home count */
    uint32_t number; /* index * nodes + src + 1 (mod 2^32), as in waves and digests */
    uint32_t src;
    uint32_t dst;    /* src only after traffic_apart() */
    uint32_t length; /* flits */
    uint32_t path;   /* FP: bit l - 1 is the parent to take at level l; else zero */
    uint32_t of_class; /* below traffic_classes() */
};

struct traffic;

/* NULL if memory is short.  c must have passed fatfly_check() and outlive the traffic. */
struct traffic *traffic_new(const struct fatfly_config *c);
/* The same for who asks of processors from .. to - 1 alone: pages of other sources stay untouched. */
struct traffic *traffic_new_some(const struct fatfly_config *c, uint32_t from, uint32_t to);
void traffic_free(struct traffic *t);
/* The same traffic for a thread that asks for processors of its own, by traffic_next(); its worms for
 * their own source count apart.  NULL if memory is short; t must outlive it, free() frees it. */
struct traffic *traffic_share(const struct traffic *t);
void traffic_visit(struct traffic **t, struct visitor *v);

/* Worms for their own source enter the network: sources and destinations lie apart in it. */
void traffic_apart(struct traffic *t);
uint64_t traffic_memory(const struct fatfly_config *c); /* bytes */
uint64_t traffic_memory_some(const struct fatfly_config *c, uint32_t sources); /* of so many sources */

/* The next worm of processor src, ready in the same or a later cycle than its last one; false if
 * there is none.  An open loop never ends, but where a pattern maps a processor to itself. */
bool traffic_next(struct traffic *t, uint32_t src, struct traffic_worm *w);

/* Worms drawn so far for their own source; traffic_next() skips them. */
uint64_t traffic_self_worms(const struct traffic *t);

/* What was wrong with an answer of a plug-in, whose worms then are not to be trusted; NULL: nothing. */
const char *traffic_fault(const struct traffic *t);

/* Payload of a worm's head; bits that the address leaves free carry the low bits of its number. */
uint64_t traffic_head(const struct switch_params *p, const struct traffic_worm *w);

/* Whether all worms are one flit long, whatever comes. */
static inline bool traffic_one_flit(const struct fatfly_config *c)
{
    return c->lengths == FATFLY_FIXED && c->length == 1 && c->pattern != FATFLY_MESSAGES && c->classes <= 1 &&
           !c->class_length[0] && !c->reply[0];
}

/* Classes of worms of a configuration, those of replies included. */
static inline unsigned traffic_classes(const struct fatfly_config *c)
{
    return c->reply[0] ? 2 * c->classes : c->classes;
}

/* Where worms of class k go, which is none of replies. */
static inline enum fatfly_pattern traffic_pattern(const struct fatfly_config *c, unsigned k)
{
    return c->class_patterns ? c->class_pattern[k] : c->pattern;
}

/* Share of class k in the worms, replies not counted. */
double traffic_worms_of_class(const struct fatfly_config *c, unsigned k);

/* Whether worms of some class go by a pattern. */
static inline bool traffic_has(const struct fatfly_config *c, enum fatfly_pattern pattern)
{
    for (unsigned k = 1; k < c->classes && c->class_patterns; k++)
        if (c->class_pattern[k] == pattern)
            return true;
    return traffic_pattern(c, 0) == pattern;
}

/* Parts of the channels of a link that classes have for themselves, and that of a class. */
static inline unsigned traffic_parts(const struct fatfly_config *c)
{
    return c->class_channels != FATFLY_RESERVED ? 1 : c->reply[0] ? 2 : c->classes;
}

static inline unsigned traffic_part(const struct fatfly_config *c, unsigned of_class)
{
    return c->class_channels != FATFLY_RESERVED ? 0 : c->reply[0] ? of_class >= c->classes : of_class;
}

/* The reply to a worm that has arrived, number j = 0, 1, .. of the replies of its destination. */
struct traffic_worm traffic_reply(const struct traffic *t, const struct traffic_worm *request, uint64_t j,
                                  uint64_t ready);

/* Mean flits that a worm brings, its reply's included: of the distribution that is drawn from, TRUNCATED
 * after the cut. */
double traffic_mean_length(const struct fatfly_config *c);
/* Worms of a processor in a cycle that the load asks for; 0: static. */
double traffic_rate(const struct fatfly_config *c);

/* Flits of the longest worm that can be drawn, replies included. */
uint32_t traffic_longest(const struct fatfly_config *c);

#endif
