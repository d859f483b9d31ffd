/* SPDX-License-Identifier: Apache-2.0
 * plot.h - what a plot is made of: curves, axes; shared by plot.c and plot_axes.c.
 */
#ifndef FATFLY_PLOT_H
#define FATFLY_PLOT_H

#include "args.h"
#include "results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Each setting that is needed to tell curves apart makes one more of them at least. */
enum { MAX_NAME = 48, MAX_POINTS = 5000, MAX_SERIES = 24, MAX_SPLIT = MAX_SERIES, MAX_LABEL = 30 * MAX_SPLIT,
       MAX_TICS = 12, MODEL_STEPS = 240 };

struct plot_options {
    const char *db, *x, *y, *series, *title, *output;
    unsigned log; /* bit 0: x, bit 1: y */
    bool log_given, model, svg;
    unsigned models;
    struct arg_list where;
    const char *xrange, *yrange; /* LOW:HIGH */
};

struct dot {
    double x, y, low, high; /* of its 99 % interval; NaN: there is none */
    bool saturated;  /* and so without y */
    bool beyond;     /* above the axis */
};

struct series {
    char label[MAX_LABEL];
    const struct results_row *row; /* one of it */
    struct dot *dot;
    size_t count;
};

struct plot {
    const struct plot_options *o;
    const struct results_table *t;
    const struct results_row **row;
    size_t rows;
    char x[MAX_NAME], y[MAX_NAME];
    char split[MAX_SPLIT][MAX_NAME]; /* settings that tell curves apart */
    unsigned splits;
    struct series series[MAX_SERIES];
    unsigned count;
    bool log_x, log_y, svg, open; /* open: open loop */
    double low_x, high_x, low_y, high_y;
    unsigned marks; /* curves that end in saturation */
    bool undecided; /* of these points, as the runs were too short to tell (column verdict) */
    unsigned beyond; /* points above the axis */
    bool broken;    /* the y axis does not begin at 0 */
};

/* How a column is called on an axis, with its unit. */
const char *plot_label(const char *name, char *text, size_t size);

/* Low and high of both axes, from what was asked for or from the points; which lie above them. */
int plot_ranges(struct plot *p, struct fail *f);

/* The first saturated point of a curve, if it is between the ends of the x axis; else the number of points. */
size_t plot_marked(const struct plot *p, const struct series *s);

/* The tics of both axes. */
void plot_tics(const struct plot *p, FILE *out);

#endif
