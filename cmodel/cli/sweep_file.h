/* SPDX-License-Identifier: Apache-2.0
 * sweep_file.h - a sweep file: which settings take which values, and so which points there are.
 *
 * The syntax of libconfig: name = value; with a value, [several] or (several) for every setting of
 * a point; their cross product are the points, the setting that comes first varying slowest.
 * points = ( {...}, {...} ); has groups of settings that belong together, such as a network size
 * and its loads; the groups stand for one more setting in the product.  docs/sweeps.md has it all.
 */
#ifndef FATFLY_SWEEP_FILE_H
#define FATFLY_SWEEP_FILE_H

#include "settings.h"

enum { SWEEP_MAX_POINTS = 1000000, SWEEP_MAX_KEY = 4096 };

/* A setting and its values, in the order of the file. */
struct sweep_axis {
    unsigned setting;   /* row of settings_table, or one of the two below */
    size_t line;
    uint64_t count;
    char **value;       /* [count] */
};
enum { SWEEP_GROUPS = 1 << 20, SWEEP_LOAD_SHARE }; /* settings of an axis that are no settings */

struct sweep_group {
    struct sweep_axis *axis;
    unsigned axes;
    uint64_t points;    /* of it alone */
};

struct sweep {
    const char *file;
    char name[64];      /* name = "..."; default: the file's, without folder and .cfg */
    char title[200];
    struct sweep_group outer; /* SWEEP_GROUPS stands where points = (...) was */
    struct sweep_group *group;
    unsigned groups;
    uint64_t points;    /* in all, duplicates included */
};

/* 0, or -1 with f filled: file:line, what was read, what is allowed, the nearest name. */
int sweep_load(struct sweep *s, const char *file, struct fail *f);
/* The same from memory; name stands for the file. */
int sweep_parse(struct sweep *s, const char *name, const char *text, struct fail *f);
void sweep_free(struct sweep *s);

/* Settings of point k before settings_finish().  -1: a value that the setting does not take. */
int sweep_point(const struct sweep *s, uint64_t k, struct settings *to, struct fail *f);

/* The settings in which point k may differ from others: "nodes = 16, load = 0.1". */
void sweep_point_name(const struct sweep *s, uint64_t k, char *text, size_t size);

/* All point settings as text, "nodes=16;length=32;...": the same for two points only if their
 * results are the same.  Files count by their contents.  -1 if one cannot be read or it does not
 * fit size. */
int sweep_key(const struct settings *s, char *text, size_t size, struct fail *f);

#endif
