/* SPDX-License-Identifier: Apache-2.0
 * results_scan.c - the rows of a results file one after another, those of a damaged one as far as they are
 * whole.
 *
 * Rows have numbers from 1 without gaps, so in a damaged file each number is asked for: a page that
 * is gone takes the rows on it and no others.  What SQLite does not notice, the sum of a row does.
 */
#include "results_scan.h"

#include "point.h"
#include "results_sql.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A row has more than 500 bytes: the names of all settings are in its key. */
enum { ROWS_A_PAGE = 8 };

/* A file cut short has fewer pages than it says: SQLite reads those that are there only so. */
static int open_damaged(struct results_scan *s, const char *file, struct fail *f)
{
    struct results *r = &s->r;
    int64_t pages = 0;
    results_close(r);
    if (results_set_file(r, file, f) || results_open_db(r, f)
        || results_sql(r, "PRAGMA writable_schema = ON; PRAGMA query_only = 1", f)
        || results_check_ours(r, f) || results_ask(r, "PRAGMA page_count", &pages, f))
        return -1;
    s->last = pages * ROWS_A_PAGE;
    return 0;
}

int results_scan_open(struct results_scan *s, const char *file, struct fail *f)
{
    *s = (struct results_scan){.r = {.lock = -1}};
    int bad = results_open_any(&s->r, file, f);
    if (bad && s->r.damaged) {
        s->damaged = true;
        snprintf(s->why, sizeof s->why, "%.199s", f->text);
        bad = open_damaged(s, file, f);
    }
    bad = bad || results_check_build(&s->r, f) || results_read_meta(&s->r, &s->meta, f)
       || results_prepare(&s->r, s->damaged ? "SELECT * FROM point WHERE rowid = ?"
                                            : "SELECT * FROM point", &s->query, f);
    if (!bad && !(s->row.cell = calloc(columns_count, sizeof *s->row.cell)))
        bad = fail(f, EXIT_SYSTEM, "%s: no memory to read it", file);
    if (bad)
        results_scan_close(s);
    return bad ? -1 : 0;
}

static const char *text_of(sqlite3_stmt *q, unsigned k)
{
    const char *text = (const char *)sqlite3_column_text(q, (int)k);
    return text ? text : "";
}

/* The row that the query is at; false: it does not match its sum. */
static bool take(struct results_scan *s)
{
    sqlite3_stmt *q = s->query;
    s->row.key = text_of(q, 0);
    for (unsigned k = 0; k < columns_count; k++)
        s->row.cell[k] = text_of(q, k + 3);
    s->row.position = sqlite3_column_type(q, 1) == SQLITE_NULL ? -1 : sqlite3_column_int64(q, 1);
    if (sqlite3_column_int64(q, 2) == results_sum(&s->row, columns_count))
        return true;
    s->lost++;
    return false;
}

static int next_damaged(struct results_scan *s)
{
    while (s->rowid < s->last) {
        sqlite3_reset(s->query);
        sqlite3_bind_int64(s->query, 1, ++s->rowid);
        if (sqlite3_step(s->query) == SQLITE_ROW && take(s))
            return 1;
    }
    return 0;
}

int results_scan_next(struct results_scan *s, struct fail *f)
{
    if (s->damaged)
        return next_damaged(s);
    for (;;) {
        int code = sqlite3_step(s->query);
        if (code == SQLITE_DONE)
            return 0;
        if (code != SQLITE_ROW)
            return results_sql_fail(&s->r, f);
        if (take(s))
            return 1;
        if (s->lost == 1)
            snprintf(s->why, sizeof s->why, "%.100s: damaged (a row does not match its sum)", s->r.file);
    }
}

void results_scan_close(struct results_scan *s)
{
    sqlite3_finalize(s->query);
    free(s->row.cell);
    s->query = NULL;
    s->row.cell = NULL;
    results_close(&s->r);
}
