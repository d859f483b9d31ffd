/* SPDX-License-Identifier: Apache-2.0
 * point_own.h - what the columns and the table of a point share: for the files that make up point.h alone.
 */
#ifndef FATFLY_POINT_OWN_H
#define FATFLY_POINT_OWN_H

#include "point.h"

/* Torus or mesh. */
bool point_is_cube(const struct fatfly_config *c);

/* The name of a setting, or "plugin:NAME" where a callback stands in for it; text[] may hold it. */
const char *point_path_name(const struct fatfly_config *c, char text[64]);
const char *point_scan_name(const struct fatfly_config *c, char text[64]);
const char *point_pattern_name(const struct fatfly_config *c, char text[64]);
const char *point_arrival_name(const struct fatfly_config *c, char text[64]);

/* What links of one level and direction did, as shares and means. */
struct level {
    const char *direction;
    unsigned level;
    uint64_t links;
    double use, wait, queued;
};

/* Levels that have links. */
unsigned point_levels(const struct point *p);
struct level point_level(const struct point *p, bool up, unsigned level);

/* Columns on classes of worms, the last ones, counted from 0 (point_class.c). */
enum {
    CLASSES, CLASS_LENGTH, CLASS_PATTERN, CLASS_SHARE, CLASS_PRIORITY, CLASS_CHANNELS, REPLY, REPLY_DELAY, OUTSTANDING,
    ROUND_TRIP_MEAN,
    OF_CLASSES, /* from here on OF_CLASS of each */
    OF_CLASS_MEASURED = OF_CLASSES, OF_CLASS_ACCEPTED, OF_CLASS_MEAN, OF_CLASS_P50, OF_CLASS_P99, OF_CLASS_MAX,
    OF_CLASS_END, OF_CLASS = OF_CLASS_END - OF_CLASSES,
    CLASS_COLUMNS = OF_CLASSES + FATFLY_MAX_CLASSES * OF_CLASS
};
void point_class_text(unsigned k, const struct settings *s, const struct point *p, char *text, size_t size);

/* Lines of the table on classes, and on what they did; none where there is one. */
void point_table_classes(const struct settings *s, FILE *out);
void point_table_of_classes(const struct settings *s, const struct point *p, FILE *out);

/* A number, empty if it is none; a whole one. */
void point_real_text(char *text, size_t size, double x);
void point_whole_text(char *text, size_t size, uint64_t x);

#endif
