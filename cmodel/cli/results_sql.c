/* SPDX-License-Identifier: Apache-2.0
 * results_sql.c - the points of a sweep in an SQLite file.
 *
 * The journal is a rollback journal, not a write-ahead log: between two commits the one file is
 * all there is, so it can be copied, mailed, put on a network or read-only file system.  A commit
 * costs a few fsync() more; workers do not wait for it (sweep.c).  synchronous = EXTRA syncs the
 * folder, too, after the journal is gone: without it a power cut could bring the journal back and
 * undo the last commit.
 */
#include "results.h"

#include "grow.h"
#include "point.h"
#include "results_sql.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WAIT_MS = 2000, SQL_SIZE = 32768 };

/* What SQLite says, as a line for a person. */
int results_sql_fail(struct results *r, struct fail *f)
{
    int code = r->db ? sqlite3_extended_errcode(r->db) : SQLITE_NOMEM;
    int error = r->db ? sqlite3_system_errno(r->db) : 0;
    r->damaged = (code & 0xff) == SQLITE_CORRUPT;
    if ((code & 0xff) == SQLITE_READONLY && results_check_there(r, f)) /* SQLite sees it, too */
        return -1;
    switch (code & 0xff) {
    case SQLITE_NOTADB:
        return fail_at(f, r->file, 0, "not an SQLite file; allowed: the file of a sweep");
    case SQLITE_CORRUPT:
    case SQLITE_MISMATCH:
    case SQLITE_ERROR: /* our statements are right; so the tables are not what they should be */
        return fail_at(f, r->file, 0, "damaged (%s); allowed: a whole file of a sweep",
                       sqlite3_errmsg(r->db));
    case SQLITE_NOMEM:
        return fail(f, EXIT_SYSTEM, "%s: no memory", r->file);
    case SQLITE_BUSY:
        return fail(f, EXIT_SYSTEM, "%s: another program holds it", r->file);
    case SQLITE_FULL:
        return fail(f, EXIT_SYSTEM, "%s: cannot write: the disk is full", r->file);
    default:
        /* A limit on the size of files comes out as this, too. */
        if (code == SQLITE_IOERR_WRITE || code == SQLITE_IOERR_FSYNC)
            return fail(f, EXIT_SYSTEM, "%s: cannot write (%s); is the disk full?", r->file,
                        error ? strerror(error) : sqlite3_errmsg(r->db));
        return fail(f, EXIT_SYSTEM, "%s: %s%s%s", r->file, sqlite3_errmsg(r->db),
                    error ? ": " : "", error ? strerror(error) : "");
    }
}

int results_sql(struct results *r, const char *sql, struct fail *f)
{
    return sqlite3_exec(r->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : results_sql_fail(r, f);
}

int results_prepare(struct results *r, const char *sql, sqlite3_stmt **statement, struct fail *f)
{
    return sqlite3_prepare_v2(r->db, sql, -1, statement, NULL) == SQLITE_OK ? 0 : results_sql_fail(r, f);
}

/* The first value of a query as a whole number. */
int results_ask(struct results *r, const char *sql, int64_t *value, struct fail *f)
{
    sqlite3_stmt *q;
    if (results_prepare(r, sql, &q, f))
        return -1;
    int bad = sqlite3_step(q) == SQLITE_ROW ? 0 : results_sql_fail(r, f);
    if (!bad)
        *value = sqlite3_column_int64(q, 0);
    sqlite3_finalize(q);
    return bad;
}

/* SQLite keeps no checksums of its own; a flipped bit in a value would come out as a result. */
static uint64_t sum_text(uint64_t sum, const char *text)
{
    do {
        sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3); /* FNV-1a */
    } while (*text++);
    return sum;
}

int64_t results_sum(const struct results_row *row, unsigned cells)
{
    uint64_t sum = sum_text(UINT64_C(0xcbf29ce484222325), row->key);
    for (unsigned k = 0; k < cells; k++)
        sum = sum_text(sum, row->cell[k]);
    return (int64_t)(sum >> 1); /* positive in SQL */
}

/* -- open and close ------------------------------------------------------------------------- */

void results_close(struct results *r)
{
    sqlite3_finalize(r->insert);
    sqlite3_close(r->db);
    if (r->lock >= 0)
        close(r->lock); /* last: closing it drops SQLite's locks, too (POSIX) */
    *r = (struct results){.lock = -1};
}

int results_load(struct results_table *table, const char *file, struct fail *f)
{
    struct results r;
    if (results_open(&r, file, f))
        return -1;
    int bad = results_read(&r, table, f);
    results_close(&r);
    return bad;
}

int results_set_file(struct results *r, const char *file, struct fail *f)
{
    *r = (struct results){.lock = -1};
    if (strlen(file) >= sizeof r->file - 2 || !*file)
        return fail(f, EXIT_USAGE, "a file name of %zu characters; allowed: 1 to %zu",
                    strlen(file), sizeof r->file - 3);
    snprintf(r->file, sizeof r->file, "%s", file);
    return 0;
}

int results_open_db(struct results *r, struct fail *f)
{
    /* "file:..." and ":memory:" are names of files here. */
    char path[sizeof r->file + 2];
    snprintf(path, sizeof path, "%s%s", r->file[0] == '/' ? "" : "./", r->file);
    if (sqlite3_open_v2(path, &r->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL))
        return results_sql_fail(r, f);
    sqlite3_busy_timeout(r->db, WAIT_MS);
    /* Sorting must not leave files in /var/tmp. */
    return results_sql(r, "PRAGMA temp_store = MEMORY", f);
}

int results_check_ours(struct results *r, struct fail *f)
{
    int64_t application, schema, objects;
    if (results_ask(r, "PRAGMA application_id", &application, f)
        || results_ask(r, "PRAGMA user_version", &schema, f)
        || results_ask(r, "SELECT count(*) FROM sqlite_master", &objects, f))
        return -1;
    r->damaged = !application && !objects; /* cut off before its first row */
    if (application != RESULTS_APPLICATION)
        return fail_at(f, r->file, 0, "%s; allowed: the file of a sweep",
                       objects || application ? "an SQLite file of another program"
                                              : "an empty SQLite file");
    if (schema != RESULTS_SCHEMA)
        return fail_at(f, r->file, 0, "layout %" PRId64 ", of another version of fatfly; allowed: "
                       "layout %d, of fatfly " FATFLY_VERSION, schema, RESULTS_SCHEMA);
    return 0;
}

static int check_whole(struct results *r, struct fail *f)
{
    sqlite3_stmt *q;
    /* Who writes asks about the index, too: a reader needs none. */
    if (results_prepare(r, r->lock >= 0 ? "PRAGMA integrity_check(1)" : "PRAGMA quick_check(1)", &q, f))
        return -1;
    int bad = sqlite3_step(q) == SQLITE_ROW ? 0 : results_sql_fail(r, f);
    const char *said = bad ? "ok" : (const char *)sqlite3_column_text(q, 0);
    if (!bad && (!said || strcmp(said, "ok") != 0)) {
        const char *line = said ? strrchr(said, '\n') : NULL; /* its first line is a heading */
        r->damaged = true;
        bad = fail_at(f, r->file, 0, "damaged (%.120s); allowed: a whole file of a sweep",
                      line ? line + 1 : said ? said : "no answer");
    }
    sqlite3_finalize(q);
    return bad;
}

static int append(char *sql, size_t *used, const char *format, const char *name)
{
    int n = snprintf(sql + *used, SQL_SIZE - *used, format, name, name, name, name, name);
    *used += n > 0 ? (size_t)n : 0;
    return n > 0 && *used < SQL_SIZE ? 0 : -1;
}

/* The tables of an empty file.  In the view, what is not a text is a number or NULL; a seed that SQLite would round stays a text. */
static int make_tables(struct results *r, struct fail *f)
{
    char *sql = malloc(SQL_SIZE);
    size_t used = 0;
    int bad = sql ? 0 : -1;
    bad = bad || append(sql, &used, "CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL);"
                        "CREATE TABLE point(key TEXT NOT NULL UNIQUE, position INTEGER, "
                        "sum INTEGER NOT NULL%s", "");
    for (unsigned k = 0; k < columns_count && !bad; k++)
        bad = append(sql, &used, ",\n \"%s\" TEXT NOT NULL", columns[k].name);
    bad = bad || append(sql, &used, ");CREATE VIEW result AS SELECT position%s", "");
    for (unsigned k = 0; k < columns_count && !bad; k++)
        bad = append(sql, &used, columns[k].text ? ",\n nullif(\"%s\", '') AS \"%s\""
                     : strcmp(columns[k].name, "seed") == 0
                     ? ",\n iif(\"%s\" GLOB '[0-9]*' AND typeof(CAST(\"%s\" AS NUMERIC)) = 'integer', CAST(\"%s\" AS NUMERIC), nullif(\"%s\", '')) AS \"%s\""
                     : ",\n iif(\"%s\" GLOB '[-0-9]*', CAST(\"%s\" AS NUMERIC), nullif(\"%s\", '')) AS \"%s\"",
                     columns[k].name);
    bad = bad || append(sql, &used, ", key FROM point ORDER BY position IS NULL, position, key;"
                        "INSERT INTO meta VALUES('fatfly', '" FATFLY_VERSION "');%s", "");
    char mark[80];
    snprintf(mark, sizeof mark, "PRAGMA application_id = %d;PRAGMA user_version = %d;COMMIT",
             RESULTS_APPLICATION, RESULTS_SCHEMA);
    if (bad)
        bad = fail(f, EXIT_SYSTEM, "%s: no memory", r->file);
    else
        bad = results_sql(r, "BEGIN IMMEDIATE", f) || results_sql(r, sql, f) || results_sql(r, mark, f);
    free(sql);
    return bad ? -1 : 0;
}

static bool same_columns(const struct results_table *t)
{
    bool same = t->columns == columns_count;
    for (unsigned k = 0; same && k < t->columns; k++)
        same = strcmp(t->name[k], columns[k].name) == 0;
    return same;
}

static int read_names(struct results *r, struct results_table *t, struct fail *f);

int results_check_build(struct results *r, struct fail *f)
{
    struct results_table t = {.columns = 0};
    int bad = results_read_meta(r, &t.meta, f) || read_names(r, &t, f);
    if (!bad && strcmp(t.meta.version, FATFLY_VERSION) == 0 && !same_columns(&t))
        bad = fail_at(f, r->file, 0, "points with %u columns, by another build of fatfly %s; this one "
                      "writes %u; allowed: another file with --db, or export and plot to read it",
                      t.columns, FATFLY_VERSION, columns_count);
    else if (!bad && strcmp(t.meta.version, FATFLY_VERSION) != 0)
        bad = fail_at(f, r->file, 0, "points of fatfly %s, this is %s; allowed: another file with "
                      "--db, or export and plot to read it", t.meta.version, FATFLY_VERSION);
    results_free(&t);
    return bad ? -1 : 0;
}

static int prepare_insert(struct results *r, struct fail *f)
{
    char *sql = malloc(SQL_SIZE);
    size_t used = 0;
    int bad = sql ? append(sql, &used, "INSERT INTO point VALUES(?, ?, ?%s", "") : -1;
    for (unsigned k = 0; k < columns_count && !bad; k++)
        bad = append(sql, &used, ", ?%s", "");
    bad = bad || append(sql, &used, ")%s", "");
    bad = bad ? fail(f, EXIT_SYSTEM, "%s: no memory", r->file) : results_prepare(r, sql, &r->insert, f);
    free(sql);
    return bad;
}

/* The file itself, locked for this sweep.  SQLite's own locks last only for a transaction, so that
 * export and plot can read while a sweep runs. */
static int lock_file(struct results *r, struct fail *f)
{
    struct stat there;
    r->lock = open(r->file, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (r->lock < 0)
        return fail(f, EXIT_SYSTEM, "%s: cannot write: %s", r->file, strerror(errno));
    if (fstat(r->lock, &there) != 0 || !S_ISREG(there.st_mode))
        return fail(f, EXIT_SYSTEM, "%s: not a regular file; allowed: the file of a sweep, or a "
                    "new one", r->file);
    if (flock(r->lock, LOCK_EX | LOCK_NB) != 0)
        return fail(f, EXIT_SYSTEM, "%s: %s", r->file,
                    errno == EWOULDBLOCK ? "another sweep is writing it; allowed: wait for its end,"
                                           " or another file with --db" : strerror(errno));
    return 0;
}

/* A file of no bytes, or one whose first commit was cut off: its journal is undone by now. */
static int make_if_empty(struct results *r, struct fail *f)
{
    int64_t application, objects;
    if (results_ask(r, "PRAGMA application_id", &application, f)
        || results_ask(r, "SELECT count(*) FROM sqlite_master", &objects, f))
        return -1;
    return application || objects ? 0 : make_tables(r, f);
}

int results_create(struct results *r, const char *file, struct fail *f)
{
    /* Nothing is written before it is known to be ours. */
    int bad = results_set_file(r, file, f) || lock_file(r, f) || results_open_db(r, f) || make_if_empty(r, f)
           || results_check_ours(r, f) || check_whole(r, f) || results_check_build(r, f)
           || results_sql(r, "PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA", f)
           || prepare_insert(r, f);
    if (bad)
        results_close(r);
    return bad ? -1 : 0;
}

int results_open_any(struct results *r, const char *file, struct fail *f)
{
    struct stat there;
    if (results_set_file(r, file, f))
        return -1;
    if (stat(file, &there) != 0)
        return fail_at(f, file, 0, "%s; allowed: the file of a sweep", strerror(errno));
    if (!S_ISREG(there.st_mode))
        return fail_at(f, file, 0, "not a regular file; allowed: the file of a sweep");
    if (access(file, R_OK) != 0)
        return fail_at(f, file, 0, "%s; allowed: a readable file", strerror(errno));
    return results_open_db(r, f) || results_sql(r, "PRAGMA query_only = 1", f)
        || results_check_ours(r, f) || check_whole(r, f) ? -1 : 0;
}

int results_open(struct results *r, const char *file, struct fail *f)
{
    int bad = results_open_any(r, file, f);
    if (bad)
        results_close(r);
    return bad;
}

/* -- write ---------------------------------------------------------------------------------- */

/* Ends the transaction.  After a failure it is undone: the file is as before. */
static int finish(struct results *r, int bad, struct fail *f)
{
    bad = bad || results_sql(r, "COMMIT", f);
    if (bad && !sqlite3_get_autocommit(r->db))
        sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
    return bad ? -1 : 0;
}

static int set_meta(struct results *r, const char *name, const char *value, struct fail *f)
{
    sqlite3_stmt *q;
    if (results_prepare(r, "INSERT OR REPLACE INTO meta VALUES(?, ?)", &q, f))
        return -1;
    sqlite3_bind_text(q, 1, name, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 2, value, -1, SQLITE_STATIC);
    int bad = sqlite3_step(q) == SQLITE_DONE ? 0 : results_sql_fail(r, f);
    sqlite3_finalize(q);
    return bad;
}

static int set_positions(struct results *r, const struct results_table *table,
                         const int64_t *position, struct fail *f)
{
    sqlite3_stmt *q;
    int bad = 0;
    if (results_prepare(r, "UPDATE point SET position = ? WHERE key = ?", &q, f))
        return -1;
    for (size_t k = 0; k < table->count && !bad; k++) {
        if (position[k] == table->row[k].position)
            continue;
        if (position[k] < 0)
            sqlite3_bind_null(q, 1);
        else
            sqlite3_bind_int64(q, 1, position[k]);
        sqlite3_bind_text(q, 2, table->row[k].key, -1, SQLITE_STATIC);
        bad = sqlite3_step(q) == SQLITE_DONE ? 0 : results_sql_fail(r, f);
        sqlite3_reset(q);
    }
    sqlite3_finalize(q);
    return bad;
}

int results_plan(struct results *r, const struct results_meta *meta,
                 const struct results_table *table, const int64_t *position, struct fail *f)
{
    char planned[32];
    snprintf(planned, sizeof planned, "%" PRIu64, meta->planned);
    if (results_sql(r, "BEGIN IMMEDIATE", f))
        return -1;
    int bad = set_meta(r, "sweep", meta->name, f) || set_meta(r, "title", meta->title, f)
           || set_meta(r, "file", meta->file, f)
           || set_meta(r, "points", planned, f) || set_meta(r, "plan", meta->plan, f)
           || set_meta(r, "task", meta->task, f) || set_positions(r, table, position, f);
    return finish(r, bad, f);
}

int results_insert(struct results *r, const struct results_row *row, struct fail *f)
{
    sqlite3_stmt *q = r->insert;
    sqlite3_bind_text(q, 1, row->key, -1, SQLITE_STATIC);
    if (row->position < 0)
        sqlite3_bind_null(q, 2);
    else
        sqlite3_bind_int64(q, 2, row->position);
    sqlite3_bind_int64(q, 3, results_sum(row, columns_count));
    for (unsigned k = 0; k < columns_count; k++)
        sqlite3_bind_text(q, (int)k + 4, row->cell[k], -1, SQLITE_STATIC);
    int bad = sqlite3_step(q) == SQLITE_DONE ? 0
            : sqlite3_extended_errcode(r->db) == SQLITE_CONSTRAINT_UNIQUE ? 1 : results_sql_fail(r, f);
    sqlite3_reset(q);
    return bad;
}

/* Removed or replaced while it is open: what is written would be lost without a word. */
int results_check_there(const struct results *r, struct fail *f)
{
    struct stat named, ours;
    if (r->lock < 0 || fstat(r->lock, &ours) != 0)
        return 0;
    if (stat(r->file, &named) == 0 && named.st_dev == ours.st_dev && named.st_ino == ours.st_ino)
        return 0;
    return fail(f, EXIT_SYSTEM, "%s vanished while the sweep was writing it; allowed: to leave it there until "
                "the end", r->file);
}

int results_add(struct results *r, const struct results_row *rows, size_t count, struct fail *f)
{
    if (results_check_there(r, f))
        return -1;
    int bad = 0, code = sqlite3_exec(r->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (code == SQLITE_BUSY)
        return 1;
    if (code != SQLITE_OK)
        return results_sql_fail(r, f);
    for (size_t k = 0; k < count && !bad; k++)
        bad = results_insert(r, &rows[k], f) ? results_sql_fail(r, f) : 0;
    if (!bad && sqlite3_exec(r->db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) {
        bad = sqlite3_errcode(r->db) == SQLITE_BUSY ? 1 : results_sql_fail(r, f); /* a reader is there */
    }
    if (bad && !sqlite3_get_autocommit(r->db))
        sqlite3_exec(r->db, "ROLLBACK", NULL, NULL, NULL);
    return bad ? bad : results_check_there(r, f);
}

/* -- read ----------------------------------------------------------------------------------- */

static void take_meta(struct results_meta *m, const char *name, const char *value)
{
    if (strcmp(name, "sweep") == 0)
        snprintf(m->name, sizeof m->name, "%s", value);
    else if (strcmp(name, "title") == 0)
        snprintf(m->title, sizeof m->title, "%s", value);
    else if (strcmp(name, "file") == 0)
        snprintf(m->file, sizeof m->file, "%s", value);
    else if (strcmp(name, "fatfly") == 0)
        snprintf(m->version, sizeof m->version, "%s", value);
    else if (strcmp(name, "points") == 0)
        m->planned = strtoull(value, NULL, 10);
    else if (strcmp(name, "plan") == 0)
        snprintf(m->plan, sizeof m->plan, "%s", value);
    else if (strcmp(name, "task") == 0)
        snprintf(m->task, sizeof m->task, "%s", value);
}

static const char *text_of(sqlite3_stmt *q, int k)
{
    const char *text = (const char *)sqlite3_column_text(q, k);
    return text ? text : "";
}

int results_read_meta(struct results *r, struct results_meta *m, struct fail *f)
{
    sqlite3_stmt *q;
    int code;
    memset(m, 0, sizeof *m);
    if (results_prepare(r, "SELECT name, value FROM meta", &q, f))
        return -1;
    while ((code = sqlite3_step(q)) == SQLITE_ROW)
        take_meta(m, text_of(q, 0), text_of(q, 1));
    int bad = code == SQLITE_DONE ? 0 : results_sql_fail(r, f);
    sqlite3_finalize(q);
    return bad;
}

static int no_memory(const struct results *r, struct fail *f)
{
    return fail(f, EXIT_SYSTEM, "%s: no memory to read it", r->file);
}

/* The names of the columns after key, position and sum. */
static int read_names(struct results *r, struct results_table *t, struct fail *f)
{
    sqlite3_stmt *q;
    if (results_prepare(r, "SELECT * FROM point LIMIT 0", &q, f))
        return -1;
    int n = sqlite3_column_count(q), bad = 0;
    if (n < 4 || strcmp(sqlite3_column_name(q, 0), "key") != 0
        || strcmp(sqlite3_column_name(q, 1), "position") != 0
        || strcmp(sqlite3_column_name(q, 2), "sum") != 0)
        bad = fail_at(f, r->file, 0, "damaged (no table of points); allowed: a whole file of a "
                      "sweep");
    t->name = bad ? NULL : calloc((size_t)n, sizeof *t->name);
    if (!bad && !t->name)
        bad = no_memory(r, f);
    for (int k = 3; k < n && !bad; k++) {
        const char *name = sqlite3_column_name(q, k);
        t->name[t->columns] = name ? strdup(name) : NULL;
        bad = t->name[t->columns++] ? 0 : no_memory(r, f);
    }
    sqlite3_finalize(q);
    return bad;
}

static int column_at(const struct results_table *t, const char *name)
{
    for (unsigned k = 0; k < t->columns; k++)
        if (strcmp(t->name[k], name) == 0)
            return (int)k;
    return -1;
}

/* Names of one version back: the file's, and what they are called now. */
static const char *const was[][2] = {{"latency_mean", "last_arrival_mean"},
                                     {"latency_ci99", "last_arrival_ci99"},
                                     {"latency_max", "last_arrival_max"}};
enum { WAS = sizeof was / sizeof *was };

/* Adds the new names to a table of the old ones. */
static int add_names(const struct results *r, struct results_table *t, struct fail *f)
{
    t->old = column_at(t, was[0][1]) < 0 && column_at(t, "load") >= 0;
    for (unsigned k = 0; k < WAS; k++)
        t->old = t->old && column_at(t, was[k][0]) >= 0;
    if (!t->old)
        return 0;
    char **more = realloc(t->name, (t->columns + WAS) * sizeof *more);
    if (!more)
        return no_memory(r, f);
    t->name = more;
    for (unsigned k = 0; k < WAS; k++) {
        t->name[t->columns] = strdup(was[k][1]);
        if (!t->name[t->columns])
            return no_memory(r, f);
        t->columns++;
    }
    return 0;
}

/* A static row of an old table: its values go under their new names. */
static void rename_values(const struct results_table *t, struct results_row *row)
{
    unsigned own = t->columns - WAS;
    bool is_static = strcmp(row->cell[column_at(t, "load")], "0") == 0;
    for (unsigned k = 0; k < WAS; k++) {
        int at = column_at(t, was[k][0]);
        row->cell[own + k] = is_static ? row->cell[at] : "";
        row->cell[at] = is_static ? "" : row->cell[at];
    }
}

/* A row in one piece of memory: pointers, then texts; row->cell is what free() gets. */
static int take_row(struct results *r, sqlite3_stmt *q, struct results_table *t, struct fail *f)
{
    struct results_row *row = &t->row[t->count];
    size_t size = t->columns * sizeof *row->cell;
    unsigned own = t->old ? t->columns - WAS : t->columns;
    for (unsigned k = 0; k <= own; k++)
        size += strlen(text_of(q, k ? (int)k + 2 : 0)) + 1;
    row->cell = malloc(size);
    if (!row->cell)
        return no_memory(r, f);
    char *to = (char *)(row->cell + t->columns);
    for (unsigned k = 0; k <= own; k++) {
        const char *text = text_of(q, k ? (int)k + 2 : 0);
        *(k ? &row->cell[k - 1] : &row->key) = to;
        to = stpcpy(to, text) + 1;
    }
    row->position = sqlite3_column_type(q, 1) == SQLITE_NULL ? -1 : sqlite3_column_int64(q, 1);
    t->count++;
    bool whole = sqlite3_column_int64(q, 2) == results_sum(row, own);
    if (t->old)
        rename_values(t, row);
    if (whole)
        return 0;
    size_t number = t->count + t->damaged;
    if (r->insert)
        return fail_at(f, r->file, 0, "damaged (row %zu does not match its sum); allowed: a whole file of a "
                       "sweep; fatfly export has the whole rows", number);
    if (t->damaged++ == 0)
        t->first_damaged = number;
    free(t->row[--t->count].cell);
    return 0;
}

static int read_rows(struct results *r, struct results_table *t, struct fail *f)
{
    sqlite3_stmt *q;
    size_t room = 0;
    int code = SQLITE_DONE, bad = 0;
    if (results_prepare(r, "SELECT * FROM point ORDER BY position IS NULL, position, key", &q, f))
        return -1;
    while (!bad && (code = sqlite3_step(q)) == SQLITE_ROW) {
        bad = GROW(t->row, t->count, room, 64) ? take_row(r, q, t, f) : no_memory(r, f);
    }
    if (!bad && code != SQLITE_DONE)
        bad = results_sql_fail(r, f);
    sqlite3_finalize(q);
    return bad;
}

int results_read(struct results *r, struct results_table *t, struct fail *f)
{
    memset(t, 0, sizeof *t);
    /* One transaction: what is read belongs together although a sweep may be writing. */
    if (results_sql(r, "BEGIN", f))
        return -1;
    int bad = finish(r, results_read_meta(r, &t->meta, f) || read_names(r, t, f) || add_names(r, t, f)
                        || read_rows(r, t, f), f);
    if (bad)
        results_free(t);
    return bad;
}

int results_damaged(const struct results_table *t, const char *file, struct fail *f)
{
    if (!t->damaged)
        return 0;
    return fail_at(f, file, 0, "damaged (row %zu of %zu does not match its sum%s); the %zu whole rows were used",
                   t->first_damaged, t->count + t->damaged, t->damaged > 1 ? ", nor do others" : "",
                   t->count);
}

void results_free(struct results_table *t)
{
    for (size_t k = 0; k < t->count; k++)
        free(t->row[k].cell);
    for (unsigned k = 0; k < t->columns; k++)
        free(t->name[k]);
    free(t->row);
    free(t->name);
    memset(t, 0, sizeof *t);
}

const char *results_value(const struct results_table *t, const struct results_row *row,
                          const char *name, char *text, size_t size)
{
    for (unsigned k = 0; k < t->columns; k++)
        if (strcmp(t->name[k], name) == 0)
            return row->cell[k];
    /* key: name=value;name=value; - values have no ';' (sweep.c) */
    size_t length = strlen(name);
    for (const char *s = row->key; *s; s += strcspn(s, ";"), s += *s == ';')
        if (strncmp(s, name, length) == 0 && s[length] == '=') {
            snprintf(text, size, "%.*s", (int)strcspn(s + length + 1, ";"), s + length + 1);
            return text;
        }
    return NULL;
}
