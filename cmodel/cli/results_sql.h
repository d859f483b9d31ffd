/* SPDX-License-Identifier: Apache-2.0
 * results_sql.h - what the two files of results.h share: SQL on a results file, and the sum of a row.
 */
#ifndef FATFLY_RESULTS_SQL_H
#define FATFLY_RESULTS_SQL_H

#include "results.h"

/* What SQLite says, as a line for a person; -1. */
int results_sql_fail(struct results *r, struct fail *f);
int results_sql(struct results *r, const char *sql, struct fail *f);
int results_prepare(struct results *r, const char *sql, sqlite3_stmt **statement, struct fail *f);
/* The first value of a query as a whole number. */
int results_ask(struct results *r, const char *sql, int64_t *value, struct fail *f);

/* Of a row's key and cells: what SQLite would not notice if it changed. */
int64_t results_sum(const struct results_row *row, unsigned cells);

/* results_open() in its steps; without results_close() after a failure. */
int results_set_file(struct results *r, const char *file, struct fail *f);
int results_open_db(struct results *r, struct fail *f);
int results_check_ours(struct results *r, struct fail *f);
int results_open_any(struct results *r, const char *file, struct fail *f);

int results_read_meta(struct results *r, struct results_meta *m, struct fail *f);

/* Points of two versions do not belong into one table: the same settings may mean another run. */
int results_check_build(struct results *r, struct fail *f);

/* Removed or replaced while it is open: what is written would be lost without a word. */
int results_check_there(const struct results *r, struct fail *f);

#endif
