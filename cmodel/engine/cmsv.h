/* SPDX-License-Identifier: Apache-2.0
 * cmsv.h - universal routing without buffering, along given paths (CMSV 2 to 4): rounds of a forward
 * pass, in which worms never wait and those that meet too many others are discarded, and a backward
 * pass, in which acknowledgements take the same ways back.
 *
 * A step of a forward pass: every flit that is under way asks for the next link of its worm's path.
 * Worm with delay d puts flit f on link j of its path (both from 0) in step d + j + f.
 */
#ifndef FATFLY_CMSV_H
#define FATFLY_CMSV_H

#include "paths.h"

enum cmsv_kind {
    CMSV_1,        /* routing algorithm 1 (2.1), as packets or, in leveled networks, worms (1.15) */
    CMSV_2,        /* routing algorithm 2 (3.1) */
    CMSV_STORE,    /* corollary 1.4: algorithm 2 in stages, buffers in place of bandwidth */
    CMSV_PROTOCOL, /* theorem 1.8: algorithm 1 in stages, shortest paths (4.2) */
    CMSV_BUTTERFLY /* algorithm 2 with fixed ranks and delays (4.4.1) */
};

enum { CMSV_MOST_ROUNDS = 32, CMSV_LOOK = 64 };

struct cmsv_params {
    enum cmsv_kind kind;
    unsigned bandwidth;     /* B, in stages A; 0: what the theorem asks for */
    uint32_t length;        /* L: flits of all worms */
    uint64_t delay_range;   /* delays 0 .. delay_range - 1; of algorithm 1 from round 1 on; 0: the
                               paper's */
    uint64_t seed;
    const uint32_t *start;  /* CMSV_1 with L > 1: paths_leveled() */
    const uint32_t *rank;   /* [worms], or NULL: random; CMSV_BUTTERFLY needs it and `delay` */
    const uint32_t *delay;  /* [worms], or NULL: random */
};

/* Told of what happens; any may be NULL.  worm: its place in the collection. */
struct cmsv_watch {
    void *context;
    /* A flit begins to cross link `place` of its worm's path. */
    void (*crosses)(void *context, uint64_t cycle, uint32_t worm, uint32_t place, uint32_t flit);
    /* This flit and those behind it are discarded when they reach that link. */
    void (*cut)(void *context, uint64_t cycle, uint32_t worm, uint32_t place, uint32_t flit);
    /* The first whole copy of a worm has arrived; cycles in which its head began to cross its first
     * and its last link, and in which its tail had arrived.  digest: of its flits. */
    void (*delivered)(void *context, uint32_t worm, uint64_t injected, uint64_t head, uint64_t tail,
                      uint64_t digest);
    /* The source knows. */
    void (*acknowledged)(void *context, uint64_t cycle, uint32_t worm);
};

struct cmsv_result {
    uint32_t rounds;
    uint64_t cycles;               /* whole passes so far */
    uint64_t flit_hops;            /* over links, forward */
    uint32_t delivered[CMSV_LOOK]; /* worms in each round; those of later ones in the last */
    bool given_up;                 /* CMSV_MOST_ROUNDS rounds after those of the theorem, or a pass
                                      of 2^32 steps */
};

/* Terms of the theorems for n worms, with alpha = 1: integers of the paper's reals, rounded up. */
struct cmsv_terms {
    uint64_t bandwidth; /* 10 ln CD / ln ln CD (2.2); corollary 1.4: log2 D, for which it is optimal */
    uint64_t range;     /* C_r of rounds 1 .. of algorithm 1; R of algorithm 2 */
    unsigned last;      /* k: the last round of algorithm 1 */
};
struct cmsv_terms cmsv_terms(const struct paths *p, const struct cmsv_params *c);

/* A run, step by step; what it is given must outlive it.  *r is kept up to date.  FATFLY_OK, or
 * FATFLY_NO_MEMORY; cmsv_close() follows either way, and takes NULL. */
struct cmsv;
int cmsv_open(struct cmsv **e, const struct paths *p, const struct cmsv_params *c,
              const struct cmsv_watch *w, struct cmsv_result *r);
/* All have been acknowledged, or it has been given up: no step is left. */
bool cmsv_over(const struct cmsv *e);
/* First cycle of the coming step; between two steps in which nothing moves none is taken. */
uint64_t cmsv_now(const struct cmsv *e);
/* FATFLY_OK, FATFLY_NO_MEMORY, or FATFLY_BROKEN: acknowledgements met. */
int cmsv_step(struct cmsv *e);
void cmsv_close(struct cmsv *e);

/* Bytes that a run takes in its first round, for worms with so many links together. */
uint64_t cmsv_memory(uint64_t worms, uint64_t hops, uint64_t links);

/* Rank of row x of 2^bits on the butterfly of 4.4.1, which corrects bit order[0] first: what is
 * corrected last is the lowest bit. */
uint32_t cmsv_butterfly_rank(uint32_t x, const uint8_t *order, unsigned bits);

/* Delay and number within its pass of the i-th of q worms from one input (4.4.1). */
void cmsv_butterfly_pass(uint32_t i, uint32_t q, uint32_t length, unsigned bits, uint32_t *delay,
                         uint32_t *number);

#endif
