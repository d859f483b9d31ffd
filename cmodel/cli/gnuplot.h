/* SPDX-License-Identifier: Apache-2.0
 * gnuplot.h - a picture drawn by gnuplot, whole or not at all.
 */
#ifndef FATFLY_CLI_GNUPLOT_H
#define FATFLY_CLI_GNUPLOT_H

#include "fail.h"

#include <stdbool.h>
#include <stdio.h>

/* Whether file ends in .svg (*svg is set) or .png; else -1 with f filled: EXIT_USAGE. */
int gnuplot_format(const char *option, const char *file, bool *svg, struct fail *f);

/* Draws file by the script that say() writes, which must set part as its output.  A picture that is
 * there is replaced only by a whole one.  0, or -1 with f filled: gnuplot is missing or complains,
 * or file cannot be written. */
int gnuplot_draw(const char *file, void (*say)(const void *context, const char *part, FILE *out),
                 const void *context, struct fail *f);

/* Text as a string of a gnuplot script: in single quotes all but a quote stands for itself. */
void gnuplot_quote(FILE *out, const char *text);

/* A legend too wide to stand at the right: rows and columns of it below. */
struct gnuplot_key {
    unsigned rows, columns; /* rows 0: it stands at the right */
};

/* How entries, the longest of so many characters, are laid out. */
struct gnuplot_key gnuplot_layout(unsigned entries, unsigned longest);

/* The look of all plots: output, title and second line, axis labels, grid, key. */
void gnuplot_head(FILE *out, const char *part, bool svg, const char *title, const char *second,
                  const char *x, const char *y, struct gnuplot_key key);

/* Okabe and Ito's colours, told apart with every common colour blindness, and in print by the
 * shapes (numbers of gnuplot's point types). */
enum { GNUPLOT_COLOURS = 8 };
extern const char *const gnuplot_colours[GNUPLOT_COLOURS];
extern const int gnuplot_shapes[GNUPLOT_COLOURS];

#endif
