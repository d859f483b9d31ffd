/* SPDX-License-Identifier: Apache-2.0
 * point_columns.h - the columns of a point by name: for the files that make up point.h alone.
 */
#ifndef FATFLY_POINT_COLUMNS_H
#define FATFLY_POINT_COLUMNS_H

#include "point.h"

enum {
    NODES, LENGTH, DEPTH, VCS, DISCIPLINE, PATH, SCAN, PATTERN, LOAD, RUNS, SEED,
    LATENCY_MEAN, LATENCY_CI99, LATENCY_MAX, CONGESTION_MEAN, LATENCY_PER_CONGESTION,
    ACCEPTED_LOAD, SATURATED, CYCLES, FLIT_HOPS, CPU_S, WALL_S, DIGEST,
    ARRIVALS, WARMUP, MEASURED, LATENCY_P50, LATENCY_P95, LATENCY_P99, LATENCY_P999,
    SOURCE_WAIT_MEAN, BLOCKED_MEAN, DILATION, LOAD_FACTOR,
    LENGTHS, SELF_TRAFFIC, ROUNDS, DELAY_RANGE,
    START, OVERHEAD, LENGTH_MIN, HOTSPOT,
    TOPOLOGY, UTILISATION, WAIT_MEAN, RADIX, DIMENSIONS, BANDWIDTH, LINK_BANDWIDTH, DENSITY,
    INJECTION, LAST_ARRIVAL_MEAN, LAST_ARRIVAL_CI99, LAST_ARRIVAL_MAX, END,
    VERDICT, CYCLES_NEEDED, BATCHES, LATENCY_LOW, LATENCY_HIGH, LAST_ARRIVAL_LOW, LAST_ARRIVAL_HIGH,
    P50_LOW, P50_HIGH, P95_LOW, P95_HIGH, P99_LOW, P99_HIGH, P999_LOW, P999_HIGH, LINK_LATENCY, ROUTER_LATENCY,
    CLASSES, CLASS_LENGTH, CLASS_SHARE, CLASS_PRIORITY, CLASS_CHANNELS, REPLY, REPLY_DELAY, OUTSTANDING,
    ROUND_TRIP_MEAN,
    OF_CLASSES, /* of_class columns for each class */
    OF_CLASS_MEASURED = OF_CLASSES, OF_CLASS_ACCEPTED, OF_CLASS_MEAN, OF_CLASS_P50, OF_CLASS_P99, OF_CLASS_MAX,
    OF_CLASS_END, OF_CLASS = OF_CLASS_END - OF_CLASSES, COLUMNS = OF_CLASSES + FATFLY_MAX_CLASSES * OF_CLASS
};

/* What column_text() says of columns CLASSES to COLUMNS - 1 (point_class.c). */
void column_class_text(unsigned k, const struct settings *s, const struct point *p, char *text, size_t size);

/* A number, empty if it is none; a whole one. */
void column_real(char *text, size_t size, double x);
void column_whole(char *text, size_t size, uint64_t x);

/* Lines of the table on classes; none where there is one. */
void point_table_classes(const struct settings *s, FILE *out);
void point_table_of_classes(const struct settings *s, const struct point *p, FILE *out);

#endif
