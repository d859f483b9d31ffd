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

#endif
