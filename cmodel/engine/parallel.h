/* SPDX-License-Identifier: Apache-2.0
 * parallel.h - one run cut into parts that work at the same time, each on a thread of its own: with the
 * same result in every field as worm.c has alone.
 *
 * A part is a run of worm.c (worm_state.h) that owns a range of the processors and of every level's switches,
 * so whole subtrees, and of the levels above them its share.  A link whose two ends have different owners is
 * cut.  Such links come in pairs, there and back, and each of the two ports that they join has a gate, which
 * knows whether a worm leaves by it, how much room is behind it, and which worm comes in.  A worm that crosses
 * the cut is two records: it goes on in the other part as a worm whose flits come by the gate.  A flit that
 * crosses in cycle t is seen at the far end in cycle t + 1, and so is, at the near end, the room of one that has
 * left the queue behind the link; so parts write to each other once a cycle.
 *
 * part_compute() is a part's cycle; it reads and writes what is the part's alone, and its letters.  Then
 * all must have computed, and part_conclude() reads what the others wrote.  How letters travel is the
 * transport's.
 */
#ifndef FATFLY_PARALLEL_H
#define FATFLY_PARALLEL_H

#include "worm_state.h"

enum { PARTS_MOST = 64 };

/* What one part writes to another in a cycle: words, the place of the reader's port * LETTER_TAGS + tag. */
enum {
    LETTER_FLIT,  /* a flit comes */
    LETTER_FLOWS, /* the same, and all flits of the worm in the writer's part have moved; then a word: how many are to
                     come before the last */
    LETTER_HEAD,  /* the first flit of a worm comes; then a struct arrival */
    LETTER_LEFT,  /* a flit has left the queue that the link leads to */
    LETTER_SLEEP, /* the same, and the worm sleeps from the next cycle on; then a word: for how many */
    LETTER_TAGS = 8
};
_Static_assert(LETTER_SLEEP < LETTER_TAGS && (uint64_t)PLACES / 2 * LETTER_TAGS << 2 * FATFLY_LARGEST_LEVELS <= UINT32_MAX,
               "any place of the largest network, and a tag, in a word");

struct arrival {
    struct traffic_worm is;
    uint64_t injected;
    uint64_t first; /* link of its path that the head has crossed */
};
enum { ARRIVAL_WORDS = sizeof(struct arrival) / sizeof(uint32_t) };

struct letter {
    uint64_t under_way; /* worms generated less delivered since the section began, modulo 2^64 */
    uint64_t next;      /* cycle in which the writer may have something to do */
    bool more;          /* it has worms to come */
    bool broken;        /* memory is short */
    uint32_t count;     /* words */
    uint32_t room;
    uint32_t word[];
};

struct parallel;

struct part {
    struct state is;  /* is.run.m: of this part, since the section began; so are the digest and hops */
    struct parallel *of;
    unsigned number;
    struct fatfly_result result;
    struct fatfly_hooks hooks;
    uint32_t (*histograms)[FATFLY_BUCKETS]; /* or NULL */
    uint32_t *leave;         /* worms over the tree's channels, in both directions; or NULL */
    unsigned turn;           /* of out[]: 0 and 1 take turns */
    bool wrote;              /* a word in this cycle */
    uint64_t next;           /* cycle in which something may move here but for letters */
    bool more;               /* some part has worms to come */
    bool broken;             /* memory is short */
    bool lost;               /* nothing moves, but worms are left */
    struct letter *out[2][PARTS_MOST]; /* by turn and reader */
    const struct letter *in[PARTS_MOST]; /* of this cycle, by writer; NULL: itself */
};

/* What a part has counted since the section began, as processes tell each other. */
struct section {
    uint64_t generated, delivered, generated_in, pending;
    uint64_t eighth_sum[8], eighth_count[8];
    uint64_t digest, hops;
    struct measure_ends ends;
    struct fatfly_result result;
};

/* How the parts run and letters travel. */
struct transport {
    /* act(e, k) for each part k that is here, maybe at the same time.  The first status of them, in their order, that
     * is not FATFLY_OK, or FATFLY_OK. */
    int (*each)(struct parallel *e, int (*act)(struct parallel *e, unsigned k));
    /* All parts that are here, from cycle e->run.now to the end of the section. */
    void (*play)(struct parallel *e);
};
extern const struct transport transport_threads; /* a thread each, that meet at a barrier */
extern const struct transport transport_in_turn; /* one after the other, on the caller's */
extern const struct transport transport_ranks;   /* one is here, the others are other processes' */

struct parallel {
    struct run run;
    const struct transport *transport;
    unsigned parts;
    struct traffic *traffic;
    uint64_t until;    /* the section ends before this cycle */
    uint64_t rest;     /* ... or, where nothing moves, before this one */
    uint64_t base;     /* worms under way when it began */
    struct node *node; /* of the whole network */
    struct source *source;
    uint8_t *tally;
    struct part *part[PARTS_MOST];    /* NULL: another process has it */
    unsigned first;                   /* of those that are here */
    const struct fatfly_ranks *ranks; /* NULL: all are here */
    struct fatfly_letter letter[PARTS_MOST];
    struct section *section;          /* [ranks], or one */
    bool cut_off;                     /* other processes cannot be reached */
};

/* Parts that a run will have, 1 .. PARTS_MOST: config->parts, or fewer if it has fewer roots. */
unsigned parallel_parts(const struct fatfly_config *c, const struct topology *t);

/* Bytes that a process needs whose part is one of c->parts. */
uint64_t parallel_rank_memory(const struct fatfly_config *c, const struct topology *t);

/* parallel_ranks.c: buffers for what comes from other processes.  A fatfly_status. */
int ranks_open(struct parallel *e);
void ranks_close(struct parallel *e);
/* Of all processes what each counted in its section[0]: section[ranks].  False: they cannot be reached. */
bool ranks_gather(struct parallel *e);
/* What only the end knows of the parts of other processes.  The part's own has been added. */
void ranks_finish(struct parallel *e);

/* Says so in r->why. */
void parallel_cut_off(const struct run *r);

/* parallel.c: adds what a part has counted in a section. */
void parallel_add(struct parallel *e, const struct section *s);
/* What a part counts, from zero; and what it has. */
void part_begin_section(struct part *p);
void part_end_section(struct section *s, const struct part *p);
/* Counts what only the end knows, as a section of its own. */
void part_finish(struct part *p);

/* parallel_letters.c: a part's cycle. */
void part_compute(struct part *p);
/* What the others wrote, and what follows.  True if the section is over. */
bool part_conclude(struct part *p);
/* Words that a part may write to another in a cycle, and the other to it. */
uint32_t part_words(const struct part *p, unsigned other);

#endif
