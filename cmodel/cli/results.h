/* SPDX-License-Identifier: Apache-2.0
 * results.h - the points of a sweep in an SQLite file: one row a point, committed when it is done.
 *
 * Tables: point (key, position, sum and one text column for each entry of columns[]), meta (name,
 * value); the view result has the same columns as numbers.  docs/sweeps.md describes it for users
 * of SQL.  A file of another program, another version or a damaged one is never written.
 */
#ifndef FATFLY_RESULTS_H
#define FATFLY_RESULTS_H

#include "fail.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

enum { RESULTS_SCHEMA = 1, RESULTS_APPLICATION = 0x46466c79 /* "FFly" */, RESULTS_SUM = 17 };

/* An open file.  All functions are for one thread at a time. */
struct results {
    sqlite3 *db;
    sqlite3_stmt *insert;
    int lock;        /* the file once more, for flock(); -1 in a reader */
    bool damaged;    /* it is ours, or was, and the last failure was that it is not whole */
    char file[512];
};

/* What a sweep says about itself. */
struct results_meta {
    char name[64];
    char title[200];
    char file[512];    /* the sweep file, its whole path; empty: not known */
    char version[32];  /* of the fatfly that wrote it */
    uint64_t planned;  /* points of the sweep file, done or not */
    char plan[RESULTS_SUM]; /* which points these are: plan.sum; empty: of an older build */
    char task[24];     /* "3/16": it has that share of them; empty: no share */
};

/* Values as text, as column_text() gave them; empty: none. */
struct results_row {
    int64_t position;  /* in the sweep file, from 0; -1: no longer there */
    const char *key;
    const char **cell; /* [columns] */
};

/* All of a file, in memory: who prints slowly does not hold up who writes. */
struct results_table {
    struct results_meta meta;
    unsigned columns;
    char **name; /* [columns] */
    bool old;    /* of a build whose latency_mean of a static run was its last arrival: its values are
                    under last_arrival_mean, _ci99 and _max, which are columns after those of the file */
    size_t count;
    struct results_row *row; /* by position; those without come last, by key */
    size_t damaged;          /* rows that do not match their sums, left out; a sweep refuses them */
    size_t first_damaged;    /* of all, from 1 */
};

/* A file for a sweep, made if it is not there or empty.  0, or -1 with f filled: EXIT_INPUT if it
 * is not ours, of another version or damaged; EXIT_SYSTEM if it cannot be written or another sweep
 * is at it. */
int results_create(struct results *r, const char *file, struct fail *f);

/* For reading.  EXIT_INPUT if it is not there. */
int results_open(struct results *r, const char *file, struct fail *f);
void results_close(struct results *r);

/* What the sweep file says now, and new places for the points already there: position[k] is that
 * of row k of the table, -1 if the sweep file has it no more.  One transaction. */
int results_plan(struct results *r, const struct results_meta *meta,
                 const struct results_table *table, const int64_t *position, struct fail *f);

/* Adds finished points in one transaction: on the disk when it returns 0.  1: another program holds
 * the file, nothing is lost, try again.  -1 with f filled. */
int results_add(struct results *r, const struct results_row *rows, size_t count, struct fail *f);

/* Adds one row in a transaction of the caller's.  1: there is a row of that key, nothing is done. */
int results_insert(struct results *r, const struct results_row *row, struct fail *f);

/* After the whole rows were used: -1 with f filled (EXIT_INPUT) if some were left out. */
int results_damaged(const struct results_table *t, const char *file, struct fail *f);

int results_read(struct results *r, struct results_table *table, struct fail *f);
/* All of a file that nobody has open here. */
int results_load(struct results_table *table, const char *file, struct fail *f);
void results_free(struct results_table *table);

/* Value called name (a column, or a setting of the key), or NULL if there is none of that name.
 * A setting of the key is copied to text[size]. */
const char *results_value(const struct results_table *table, const struct results_row *row,
                          const char *name, char *text, size_t size);

#endif
