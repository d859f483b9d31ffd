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
struct level point_level(const struct settings *s, const struct point *p, bool up, unsigned level);

/* What a class of worms did (point_class.c); empty if there is none of that number, or no latency. */
enum of_class { OF_MEASURED, OF_ACCEPTED, OF_MEAN, OF_P50, OF_P99, OF_MAX, OF_CLASS };
void point_class_text(unsigned number, enum of_class what, const struct settings *s, const struct point *p, char *text,
                      size_t size);

/* Mean cycles from a request being ready to the tail of its reply; NaN: there are none. */
double point_round_trip(const struct settings *s, const struct point *p);

/* Lines of the table on classes, and on what they did; none where there is one. */
void point_table_classes(const struct settings *s, FILE *out);
void point_table_of_classes(const struct settings *s, const struct point *p, FILE *out);

/* A number, empty if it is none; a whole one. */
void point_real_text(char *text, size_t size, double x);
void point_whole_text(char *text, size_t size, uint64_t x);

#endif
