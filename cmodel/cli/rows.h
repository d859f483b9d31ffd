/* SPDX-License-Identifier: Apache-2.0
 * rows.h - the rows of settings_table by name, and how messages name them: for the files that make
 * up settings.h alone.
 */
#ifndef FATFLY_ROWS_H
#define FATFLY_ROWS_H

#include "settings.h"

enum row {
    TOPOLOGY, NODES, RADIX, DIMENSIONS, PROCESSOR_LINKS, DEPTH, VCS, BANDWIDTH,
    INJECTION, CHANNEL_RELEASE, CHANNELS_IN_TURN, LINK_BANDWIDTH, INPUT_BANDWIDTH, LINK_LATENCY, ROUTER_LATENCY, HEAD_LATENCY, PLUGIN, PLUGIN_SECONDS, FORCE,
    FLIT_BITS, DISCIPLINE, PATH, SCAN, START,
    PATTERN, SELF_TRAFFIC, HOTSPOT, HOTSPOT_NODE, DENSITY, PERMUTATION, MATRIX,
    LENGTH, LENGTHS, LENGTH_MIN, LENGTH_MEAN, SHORT_SHARE, LENGTH_MIX,
    CLASSES, CLASS_LENGTH, CLASS_PATTERN, CLASS_SHARE, CLASS_PRIORITY, CLASS_CHANNELS, REPLY, REPLY_DELAY, OUTSTANDING,
    ROUNDS, DELAY_RANGE, PHASES, PHASE_LENGTH, OVERHEAD,
    LOAD, ARRIVALS, BURST_ON, BURST_OFF, WARMUP, CYCLES, WHOLE, FAIL_SATURATED,
    TRACE, CYCLES_PER_US, MAX_BYTES, MAX_MESSAGES,
    RUNS, PRECISION, SEED, THREADS, PARTS, MAX_CYCLES, ENGINE, CONFIG,
    FORMAT, OUTPUT, HISTOGRAM, LINKS, EVENTS, PERFETTO, WAVES, WAVES_FROM, WAVES_TO, WATCH, BUILD,
    LEVEL, LEVELS, STALL, RESET_EVERY, VERILOG, ROWS_COUNT
};

enum { SPELLED = 120 };

/* Where a setting comes from; file NULL: the command line. */
struct origin {
    const char *file;
    size_t line;
};

/* The row of a name that s takes, or -1 with f filled: the nearest one, or where it is taken. */
int row_find(struct settings *s, const char *name, const struct origin *o, struct fail *f);

/* The command whose options are taken at a place. */
const char *settings_command(enum place place);

/* Where a row was set. */
struct origin row_origin(const struct settings *s, enum row row);

/* fail_at() or fail(), as the origin is. */
int row_refuse(struct fail *f, const struct origin *o, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A setting as the user wrote it or would write it: "--depth 17", "depth = 17"; value NULL: the
 * name alone. */
const char *row_spell(char text[SPELLED], const struct origin *o, enum row row, const char *value);

/* Whether the user set a row. */
static inline bool row_given(const struct settings *s, enum row row)
{
    return s->given[row / 64] >> row % 64 & 1;
}

/* A row's present value as the user wrote it or would write it. */
const char *row_spell_own(char text[SPELLED], const struct origin *o, const struct settings *s,
                          enum row row);

/* What topology, nodes, radix and the like say together: fills config.topology, what depends on it
 * and was not set, reads a graph's file, refuses what contradicts.  First step of
 * settings_finish(). */
int settings_network(struct settings *s, struct fail *f);

/* Opens the shared object of --plugin, and plugs it in. */
int settings_plugin(struct settings *s, struct fail *f);

/* What length-mix says: fills config.mix, length and length_min. */
int settings_mix(struct settings *s, struct fail *f);

/* What classes and their lists say: fills config.classes to config.outstanding. */
int settings_classes(struct settings *s, struct fail *f);

/* Reads the file of a traffic matrix into s->weights. */
int settings_matrix(struct settings *s, struct fail *f);

/* A file that a line of another file names and that is not there: that line is where to look. */
int row_refuse_missing(const struct settings *s, enum row row, struct fail *f);

/* Last step: refuses routing that can deadlock. */
int settings_deadlock(struct settings *s, struct fail *f);

/* Whether name k of a row is taken at a place. */
bool row_has_name(enum row row, enum place place, unsigned k);

/* What help shows as the value of a row: what the table says, or the names that it may have. */
void row_value(enum row row, enum place place, char *text, size_t size);

const void *row_place(const struct settings *s, enum row row);

/* The shortest text that reads back as x. */
void row_real_text(double x, char *text, size_t size);

#endif
