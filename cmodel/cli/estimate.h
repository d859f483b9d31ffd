/* SPDX-License-Identifier: Apache-2.0
 * estimate.h - what `fatfly estimate` was asked and what it found: estimate.c finds, estimate_show.c shows.
 */
#ifndef FATFLY_CLI_ESTIMATE_H
#define FATFLY_CLI_ESTIMATE_H

#include "cost.h"
#include "fatfly.h"

#include <pthread.h>
#include <time.h>

enum { NETWORK_KINDS = 3 };                               /* fat-tree, torus, mesh */
enum { BEST_AREA, BEST_THROUGHPUT, BEST_LATENCY, BEST_PER_LUT, BEST_FIGURES };
extern const char *const network_kinds[NETWORK_KINDS];    /* as --topology has them */

/* What the simulator says of a design, whatever its flits' width. */
struct carried {
    struct fatfly_config config;
    double saturation; /* flits per cycle and processor */
    double latency;    /* cycles */
};

struct candidate {
    struct hardware_design design;
    struct cost cost;
    size_t place;      /* in the table, for a tie */
    size_t carried;
    double latency_ns;
    double throughput; /* flits per ns and processor */
    bool meets, front;
};

struct estimate {
    /* asked for */
    const char *cost_text, *family, *plot;
    const char *vcs_list, *depth_list, *bits_list, *path_list, *scan_list, *kind_list;
    uint64_t nodes, length, threads, seed;
    unsigned levels, pattern, format, best;
    uint64_t vcs, depth, flit_bits; /* a bit for each that is allowed; bit 0 for 64; 0: all */
    uint64_t path, scan;
    uint64_t kinds;                              /* of networks; never 0 */
    double min_throughput, max_latency, max_lut; /* NaN: not asked */
    bool svg;
    /* found */
    char file[600];
    struct cost_table table;
    struct candidate *candidate;
    size_t count;
    struct carried *carried;
    size_t runs;
    /* shared by the threads */
    pthread_mutex_t lock;
    size_t next, done;
    struct timespec began;
    bool failed;
    struct fail fail;
};

/* Which of network_kinds a design is for. */
unsigned estimate_kind(const struct hardware_design *d);

/* The name of a design without its place: "v1-q2-w32-rp-rr", "torus-v2-q2-w32-ecube-rot"; it points into text. */
const char *estimate_name(const struct hardware_design *d, char text[64]);

/* Of the designs that meet all that is wanted the best, by e->best; NULL: none does. */
const struct candidate *estimate_choose(const struct estimate *e);

/* What was found, in e->format. */
void estimate_print(const struct estimate *e);

/* Fills f: how near the best ones come, where none meets what is wanted.  -1. */
int estimate_none_meets(const struct estimate *e, struct fail *f);

/* Says the plot to gnuplot: a gnuplot_draw() callback. */
void estimate_plot(const void *context, const char *part, FILE *out);

#endif
