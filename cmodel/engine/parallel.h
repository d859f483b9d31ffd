/* SPDX-License-Identifier: Apache-2.0
 * parallel.h - one run cut into parts that work at the same time, each on a thread of its own: what
 * worm.c does, with the same result in every field.
 *
 * A part owns a range of the processors and of every level's switches, so whole subtrees, and of the
 * levels above them its share.  It owns the queues of its switches.  A link whose two ends have different
 * owners is cut: the part at its near end has a gate for it, which knows whether a worm holds the link
 * and how much room is behind it; the part at its far end has an entry.  A worm that crosses the cut is
 * two records: it goes on in the other part as a worm whose flits come by the entry.  A flit that crosses
 * in cycle t is seen at the far end in cycle t + 1, and so is, at the near end, the room of one that has
 * left the queue behind the link; so parts write to each other once a cycle.
 *
 * compute() is a part's cycle; it reads and writes what is the part's alone, and its letters.  Then
 * all must have computed, and conclude() reads what the others wrote.  How letters travel is the
 * transport's.
 */
#ifndef FATFLY_PARALLEL_H
#define FATFLY_PARALLEL_H

#include "engine.h"
#include "flit.h"
#include "jumps.h"
#include "list.h"
#include "params.h"
#include "pool.h"
#include "trail.h"

enum {
    PARTS_MOST = 64,
    GATE = 1 << 30, /* of to[]: a gate; of from: an entry */
};

/* What moves; the rest of it is in struct passenger (trail.h). */
struct piece {
    uint32_t plane[WORM_PLANES]; /* flits in the queues of this part, from its first one on (trail.h) */
    uint32_t last;   /* bit of the link by which it leaves the part; 0: not known yet */
    uint32_t sent;   /* flits that have entered the part */
    uint32_t got;    /* flits that have left it */
    uint32_t length;
    uint32_t exit;   /* gate of link `last`; POOL_NONE: a processor */
    uint32_t entry;  /* by which it came; POOL_NONE: it began here */
    uint8_t head;    /* link that the head crosses next; link 0 leads to the first queue */
    uint8_t tail;    /* link that the tail crosses next */
    uint8_t base;    /* links of the path before link 0 */
    uint8_t links;   /* of the whole path */
    bool listed;     /* among the active */
    bool granted;    /* the head crosses in this cycle */
    bool shared;     /* flits of an earlier worm are ahead in the queue of its head */
    bool done;       /* to be taken off the active list */
    uint32_t next;   /* worm behind it in its source, or among the unused */
    uint32_t behind; /* worm whose head waits next in the queue where this one's waits */
    uint32_t inside; /* place in part.inside */
};
_Static_assert(sizeof(struct piece) == 64, "a line of the cache");

/* The queue at the far end of a link, and the link, unless it is cut. */
struct lane_queue {
    uint32_t from;  /* 6 * switch + output; 6 * switches + processor; GATE | entry */
    uint32_t first; /* worms whose heads are in the queue behind flits of another, in order */
    uint32_t last;
    uint8_t whole;  /* flits here of worms whose tail is here or beyond */
    bool busy;      /* a worm is crossing the link */
};

struct junction {
    uint32_t lfsr_q;
    uint8_t open;    /* outputs that a head could take: no worm holds them, and there is room */
    uint8_t heads;   /* ports with a head at the front */
    bool awake;      /* among the awake */
    uint8_t ports;
    uint64_t time;   /* cycle of lfsr_q */
    uint64_t front[SWITCH_PORTS]; /* cycle from which the head has been at the front */
    uint32_t who[SWITCH_PORTS];
    uint8_t links[SWITCH_PORTS];  /* of that head's path */
    uint8_t want[SWITCH_PORTS];   /* outputs that will do for this head */
    uint8_t drawn[SWITCH_PORTS];  /* RW: the one of them that it wants from its second cycle on */
    uint8_t rot[SWITCH_PORTS];
    uint8_t spare[16];
};
_Static_assert(sizeof(struct junction) == 128, "two lines of the cache");

struct origin {
    uint32_t first, last; /* worms that wait or are leaving */
    bool listed;
    bool sending;         /* first has begun to leave */
    uint64_t front;       /* cycle from which first could leave but for room */
};

struct gate {
    uint32_t link;
    uint32_t from;   /* 6 * switch + output */
    uint32_t holder; /* worm that crosses, if busy */
    uint32_t part, entry; /* of the far end */
    uint8_t room;
    bool busy;
};

struct entry {
    uint32_t link;
    uint32_t worm;   /* that is coming */
    uint32_t part, gate; /* of the near end */
};

/* What one part writes to another in a cycle.  Words are what | tag; behind LETTER_HEAD a struct
 * arrival follows. */
enum { LETTER_FLIT, LETTER_LEFT, LETTER_HEAD, LETTER_TAGS = 4 };

struct arrival {
    struct traffic_worm is;
    uint64_t injected;
    uint64_t base;
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
    struct parallel *of;
    unsigned number;
    uint64_t now;
    struct measure m;        /* of this part, since the section began */
    struct fatfly_result result;
    struct fatfly_hooks hooks;
    uint32_t (*histograms)[FATFLY_BUCKETS]; /* or NULL */
    uint32_t *leave;         /* worms over the tree's channels, in both directions; or NULL */
    uint64_t digest, hops;
    struct traffic *traffic; /* shares its sources with the other parts' */
    struct calendar calendar;
    struct piece *worm;
    struct passenger *passenger;
    struct pool pool;        /* of worm[] and passenger[] */
    struct list active, awake, ready, tails, heads, leavers;
    uint32_t *inside;        /* worms in the network; the first `counted` are in tally[] */
    uint32_t inside_count, counted;
    uint64_t held[2][WORM_LINKS];  /* flits in queues by direction and level, of those counted */
    uint64_t filled[MAX_DEPTH + 1];/* queues with so many of them, less those that there are */
    struct gate *gate;
    struct entry *entry;
    uint32_t gates, entries;
    unsigned turn;           /* of out[]: 0 and 1 take turns */
    bool wrote;              /* a word in this cycle */
    bool idle;               /* nothing can move here before the next worm or letter */
    bool more;               /* some part has worms to come */
    bool broken;             /* memory is short */
    bool lost;               /* nothing moves, but worms are left */
    struct letter *out[2][PARTS_MOST]; /* by turn and reader */
    const struct letter *in[PARTS_MOST]; /* of this cycle, by writer; NULL: itself */
    struct jumps jumps;
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
    /* All parts that are here, from cycle e->run.now to the end of the section. */
    void (*play)(struct parallel *e);
};
extern const struct transport transport_threads; /* a thread each, that meet at a barrier */
extern const struct transport transport_in_turn; /* one after the other, on the caller's */
extern const struct transport transport_ranks;   /* one is here, the others are other processes' */

struct parallel {
    struct run run;
    struct switch_params params;
    const struct transport *transport;
    uint64_t mask;     /* of a payload */
    uint32_t switches;
    uint32_t nodes;
    bool random;
    unsigned parts;
    struct traffic *traffic;
    uint64_t until;    /* the section ends before this cycle */
    uint64_t base;     /* worms under way when it began */
    uint32_t *to;      /* fat_tree_wire(), and GATE | gate of the owner of the near end */
    struct lane_queue *queue;
    struct junction *node;
    struct origin *source;
    uint8_t *tally;    /* [links], flits of the worms counted */
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

/* parallel.c: adds what a part has counted in a section. */
void parallel_add(struct parallel *e, const struct section *s);

/* A part's cycle. */
void part_compute(struct part *p);
/* What the others wrote, and what follows.  True if the section is over. */
bool part_conclude(struct part *p);

/* parallel_part.c, for parallel_letters.c.  A record for a worm; POOL_NONE: memory is short. */
uint32_t part_take(struct part *p);
void part_go_inside(struct part *p, uint32_t k);
/* Worm k may move. */
void part_activate(struct part *p, uint32_t k);
/* No worm holds the link that leaves here, and there is room behind it: heads may ask again. */
void part_reopen(struct part *p, uint32_t from);
/* The head of worm k has entered a queue. */
void part_head_enters(struct part *p, uint32_t k);

/* parallel_count.c: worm k counts in tally[] (sign 1), or not any more (-1). */
void part_tally(struct part *p, uint32_t k, int sign);
void part_sample(struct part *p);
void part_sample_idle(struct part *p, uint64_t to);
/* Adds what only the end knows of worms under way. */
uint64_t part_hops_inside(const struct part *p);
void part_count_inside(const struct part *p, struct measure *m);

static inline unsigned piece_flits(const struct piece *w, unsigned p)
{
    return trail_flits(w->plane, p, WORM_PLANES);
}

/* Level and direction of link p of the part. */
static inline unsigned piece_level(const struct piece *w, unsigned p, bool *up)
{
    unsigned at = w->base + p;
    *up = at < w->links / 2u;
    return *up ? at : w->links - 1u - at;
}

#endif
