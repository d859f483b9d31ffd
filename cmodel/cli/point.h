/* SPDX-License-Identifier: Apache-2.0
 * point.h - one point of an experiment: its independent runs, on several threads, and what they
 * say together.
 */
#ifndef FATFLY_POINT_H
#define FATFLY_POINT_H

#include "cells.h"
#include "interval.h"
#include "settings.h"

/* A figure over runs: mean, half-width of its 99 % confidence interval (Student's t), extremes.
 * All NaN if no run has one. */
struct figure {
    double mean;
    double ci99; /* NaN if fewer than two runs */
    double low, high;
};

enum { QUANTILES = 4 };
extern const double point_quantile[QUANTILES]; /* 0.5, 0.95, 0.99, 0.999 */

struct point {
    uint64_t runs;            /* finished */
    uint64_t saturated;       /* of them */
    uint64_t slowly;          /* ... which fatfly_judge() does not call so (interval_slowly()) */
    uint64_t cut;             /* of them: max-cycles came first */
    uint64_t deadlocked;      /* of them: worms waited for each other for ever */
    uint64_t first_deadlock;  /* number of the first of these, and its circle */
    char why[400];
    struct fatfly_wait *circle; /* [circle_length], and its worms; of a very long one the first */
    uint32_t circle_length, circle_worms;
    bool partial;             /* the Verilog's: latencies, cycles and digest, nothing else */
    struct figure latency;    /* of a worm; its ci99, of one open loop: half of within */
    struct figure last_arrival; /* static: of a run */
    struct interval within, last_within; /* of their means, 99 % (interval.h); NaN: none */
    struct interval quantile[QUANTILES];
    enum fatfly_verdict verdict; /* open loop */
    unsigned batches;         /* of one open loop, from which `within` is */
    uint64_t cycles_needed;   /* measured cycles that are about enough for a verdict; 0: no number is */
    double apart;             /* half-width of within, as a share of the mean; NaN: none */
    uint64_t shortest;        /* measured cycles of the shortest run */
    struct figure congestion;
    struct figure accepted;   /* flits per cycle and processor */
    struct figure source_wait, blocked, wait; /* cycles a worm */
    double class_accepted[FATFLY_MAX_CLASSES]; /* of accepted, replies' classes behind the others */
    uint64_t digest;          /* of the runs' digests, in order */
    double cpu_s, wall_s;
    struct fatfly_result sum; /* counts of all runs added, maxima taken; digest unused */
    uint32_t *link_worms;     /* [fatfly_links()] of the first run, if settings have links */
};

/* A latency is shown only if no run was saturated, cut or deadlocked. */
static inline bool point_has_latency(const struct point *p)
{
    return p->saturated == 0 && p->cut == 0 && p->deadlocked == 0; /* p->verdict may be undecided */
}

/* Looked at every few thousand cycles; set by the first Ctrl-C, SIGTERM or SIGHUP after
 * point_catch_signals().  The second one ends the program as it always does. */
extern _Atomic int point_interrupted;
void point_catch_signals(void);

/* With a precision: whether it was not reached, and the measured cycles that a run may have for it. */
bool point_imprecise(const struct settings *s, const struct point *p);
uint64_t point_limit(const struct settings *s);

/* Runs s->runs runs on up to `threads` threads (0: one a core) after settings_finish().  progress
 * may be NULL: called with runs done, from any thread.  0, or -1 with f filled (EXIT_SYSTEM if
 * memory is short or it was interrupted).  The result does not depend on `threads`.
 *
 * With s->precision an open loop is measured again, twice as long each time, until its interval is as
 * narrow, it is saturated, or point_limit() is reached: lengths that do not depend on what was seen, so
 * that a narrow interval is no reason to look.  The result is that of the last length alone, but for the
 * seconds. */
int point_run(const struct settings *s, unsigned threads, void (*progress)(void *, uint64_t done),
              void *context, struct point *p, struct fail *f);
void point_free(struct point *p);

/* Another way to do a run than fatfly_run(), from one thread; fills r, of partial results what it
 * knows.  0, or -1 with f filled. */
struct runner {
    int (*run)(void *context, const struct fatfly_config *c, const struct fatfly_hooks *h,
               struct fatfly_result *r, struct fail *f);
    void *context;
};
int point_run_by(const struct settings *s, const struct runner *by,
                 void (*progress)(void *, uint64_t done), void *context, struct point *p,
                 struct fail *f);

/* The columns of a point: contract of `fatfly run --format csv`, of sweeps and exports. */
struct column {
    const char *name, *help;
    /* for point_text.c alone: what a point must be for the cell to have a value, and where that is */
    unsigned when;
    enum { CELL_SETTING, CELL_COUNT, CELL_REAL, CELL_SECONDS, CELL_SAID, CELL_CLASS } cell;
    size_t offset;
    unsigned size, of;
    bool text;   /* quoted in JSON */
    bool total;  /* a uint64_t of point.sum, and the sum over runs */
    bool timing; /* differs from run to run of the same point: cpu_s, wall_s */
};
extern const struct column columns[];
extern const unsigned columns_count;

extern const char *const point_verdict_names[]; /* of enum fatfly_verdict */

/* Value of column k; empty if there is none (a latency of a saturated point): in JSON null. */
void column_text(unsigned k, const struct settings *s, const struct point *p, char *text,
                 size_t size);

/* Adds what columns say of all runs together. */
void columns_add(struct fatfly_result *to, const struct fatfly_result *run);

enum cell_kind column_kind(unsigned k, const char *text);

void point_csv_header(FILE *out);
void point_csv(const struct settings *s, const struct point *p, FILE *out);
void point_json(const struct settings *s, const struct point *p, FILE *out);
/* For people: what was run, latency with interval, quantiles, load, levels, digest; and of that only
 * the network and its worms. */
void point_table(const struct settings *s, const struct point *p, FILE *out);

void point_table_network(const struct settings *s, FILE *out);

/* The circle of the first run that deadlocked, worm by worm. */
void point_circle(const struct settings *s, const struct point *p, FILE *out);

/* With q = 1 a queue is emptied before it is filled again: a stream of flits flows at half rate,
 * and whoever asks for it is told so. */
bool point_half_rate(const struct settings *s);
extern const char point_half_rate_text[];

/* Until 0.2 latency_mean of a static run was its last arrival: who reads it is told, for one version. */
extern const char point_old_name_text[];

/* CSV latency,count: the smallest latency of each bucket that has worms. */
void point_histogram(const struct point *p, FILE *out);

/* CSV link,direction,level,lower,upper,worms of p->link_worms. */
void point_links(const struct settings *s, const struct point *p, FILE *out);

#endif
