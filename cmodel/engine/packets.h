/* SPDX-License-Identifier: Apache-2.0
 * packets.h - what STORE, SPLIT and UNIV have in common: packets, the sources and processors they
 * run between, and a queue of q packets at the end of every link.
 *
 * Time is in packet-steps; step s takes the cycles s * unit .. (s + 1) * unit - 1, and what moves
 * in it is said to move in cycle s * unit.  So the latency of a static run is (steps - 1) * L, which
 * is GO's number: (2c + d - 3) * L for many-to-1 (GO table I).
 */
#ifndef FATFLY_PACKETS_H
#define FATFLY_PACKETS_H

#include "engine.h"
#include "params.h"
#include "pool.h"

enum { NO_PACKET = UINT32_MAX };

struct packet {
    struct traffic_worm is;
    uint64_t address;  /* payload of the head */
    uint64_t rank;     /* UNIV: rank in the high half, number in the low one: no two alike */
    uint64_t entered;  /* step of its (SPLIT: its head's) injection */
    uint64_t arrived;  /* SPLIT: cycle in which its head arrived */
    uint32_t next;     /* in its source, or unused */
    uint32_t pieces;   /* SPLIT: flits, addresses included; else 1 */
    uint32_t missing;  /* pieces that have not arrived */
    uint8_t height;
};

/* What a queue holds: a whole packet, or a flit of it. */
struct piece {
    uint32_t packet;
    uint32_t flit; /* SPLIT: 0 .. pieces - 1; else 0 */
};

struct source {
    uint32_t first, last; /* packets whose time has come, NO_PACKET if none */
    uint32_t flit;        /* SPLIT: of the first packet, the next to go */
    uint64_t front;       /* step from which the next piece may go */
};

struct packets {
    struct run run;
    struct switch_params params;
    uint32_t nodes, switches;
    uint32_t base[FATFLY_MAX_LEVELS + 2]; /* first switch of a level */
    uint64_t step;             /* run.now / run.unit */
    uint64_t mask;             /* of a flit's payload */
    uint64_t inside;           /* pieces in the network */
    uint64_t waiting;          /* packets in sources */
    bool split;
    /* packets */
    struct packet *packet;
    struct pool pool;
    struct source *source;     /* [nodes] */
    /* Link 6s + p enters port p of switch s, link 6 * switches + a processor a. */
    uint32_t *to;              /* [6 * switches], the link that leaves by port p of switch s */
    uint32_t *from;            /* [links], 6s + p: leaves switch s by port p; 6 * switches + a: a */
    /* UNIV: queues by link and 4 * switches more: queue links + 4s + p is the down half's at child port p. */
    struct piece *slot;        /* [queues * depth] */
    uint8_t *count;            /* [queues] */
    uint8_t *head;             /* [queues], slot of the front */
    uint32_t *since;           /* [queues], step from which the front may move (low 32 bits); of a
                                  processor: step of its last arrival */
    /* occupancy, kept up to date so that a sample costs little */
    uint64_t held[2][FATFLY_MAX_LEVELS];         /* [up][level] pieces in queues */
    uint64_t holding[FATFLY_MAX_DEPTH + 1];      /* queues with so many */
};

/* A fatfly_status; packets_close() either way. */
int packets_open(struct packets *p);
void packets_close(struct packets *p);
uint64_t packets_memory(const struct fatfly_config *c, const struct topology *t); /* bytes */

/* Cycles of a step; a packet of SPLIT is a flit. */
unsigned packets_link_cycles(const struct fatfly_config *c, const struct topology *t);

/* A worm joins its source's queue (in order of rank if UNIV). */
int packets_enter(struct run *r, const struct traffic_worm *w);

/* Begins a step; true if the occupancy of the queues is to be sampled. */
bool packets_begin(struct packets *p);

/* Samples in cycles now .. to - 1. */
uint64_t packets_samples(const struct run *r, uint64_t to);

/* The next piece of a source that has one leaves it. */
struct piece packets_take(struct packets *p, uint32_t src);

/* A piece arrives: all flits of a whole packet in one cycle. */
void packets_deliver(struct packets *p, struct piece x);

/* Tells the observer, who must be there, that a piece crosses a link after so many steps at the front. */
void packets_tell(const struct packets *p, uint32_t link, uint32_t waited, struct piece x);

/* Parents named by a fixed path: each flit of SPLIT has a path of its own. */
uint32_t packets_path(const struct packets *p, struct piece x);

/* -- queues of UNIV ------------------------------------------------------------------------- */

/* So many samples of them. */
void packets_look(struct packets *p, uint64_t count);

static inline struct piece packets_front(const struct packets *p, uint32_t queue)
{
    return p->slot[(size_t)queue * p->params.depth + p->head[queue]];
}

/* The front leaves a queue of a switch of level l; up: that it came up to. */
struct piece packets_pop(struct packets *p, uint32_t queue, bool up, unsigned level);

/* A piece crosses a link into a queue at its end, having been at the front since a step.  level: of
 * the switch there, 0: a processor. */
void packets_cross(struct packets *p, uint32_t link, uint32_t queue, bool up, unsigned level,
                   struct piece x, uint64_t since);

/* The next piece of a source that has one crosses its injection link into a queue. */
void packets_inject(struct packets *p, uint32_t src, uint32_t queue);

/* A processor consumes a piece that came in an earlier step, if it has one: true. */
bool packets_consume(struct packets *p, uint32_t node);

#endif
