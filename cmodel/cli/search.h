/* SPDX-License-Identifier: Apache-2.0
 * search.h - the search for the load at which a network saturates: which loads are tried, for how
 * many cycles, and what is known then.  It runs nothing: whoever searches judges the loads.
 */
#ifndef FATFLY_SEARCH_H
#define FATFLY_SEARCH_H

#include "fatfly.h"

/* One load, tried once. */
struct probe {
    double load;           /* flits per cycle and processor */
    uint64_t cycles;       /* measured, of a run */
    enum fatfly_verdict verdict;
    uint64_t needed;       /* undecided: cycles that are about enough */
    double latency, low, high; /* mean, cycles, and its 99 % interval; NaN: none */
    double accepted;       /* flits per cycle and processor */
    uint64_t digest, simulated;
    double cpu_s;
};

enum { MOST_PROBES = 400 };

enum search_end {
    SEARCH_ON,
    SEARCH_FOUND,     /* the bracket is as narrow as was asked */
    SEARCH_LIMIT,     /* likewise, but its upper end is the most that can be offered, not judged saturated */
    SEARCH_NEVER,     /* the most that can be offered is stable: the network does not saturate */
    SEARCH_UNDECIDED, /* the loads left in the bracket need more cycles than are allowed */
    SEARCH_STOPPED    /* by whoever searches */
};

struct search {
    double precision;      /* width of the bracket over its middle */
    double most;           /* load that can be offered */
    uint64_t cycles;       /* of the first probe of a load */
    uint64_t limit;        /* cycles of a probe at most */
    uint64_t effort;       /* cycles of the next new load */
    struct probe probe[MOST_PROBES];
    unsigned probes;
    const struct probe *stable;    /* of the highest load judged stable; NULL: none */
    const struct probe *saturated; /* of the lowest load judged saturated; NULL: none */
    enum search_end end;
};

void search_start(struct search *s, double precision, double most, uint64_t cycles, uint64_t limit);

/* Which load to try next, and for how long; false: s->end says why the search is over. */
bool search_next(struct search *s, double *load, uint64_t *cycles);

/* What came of it. */
void search_take(struct search *s, const struct probe *p);

/* The bracket; 0 and the most that can be offered stand for what no probe has judged. */
double search_low(const struct search *s);
double search_high(const struct search *s);

/* Cycles of a probe that would about do where the search ended undecided; 0: none is undecided. */
uint64_t search_needed(const struct search *s);

#endif
