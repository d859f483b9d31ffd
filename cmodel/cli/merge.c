/* SPDX-License-Identifier: Apache-2.0
 * merge.c - `fatfly merge OUT IN...`: the points of several results files of one sweep in one.
 *
 * OUT is written aside, without a journal, and gets its name when it is on the disk.  Its table finds keys
 * that come again; what a row came from is kept by its number.
 */
#include "commands.h"
#include "grow.h"
#include "outfile.h"
#include "plan.h"
#include "point.h"
#include "results_scan.h"
#include "results_sql.h"
#include "split.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FILES = SPLIT_MAX_TASKS, NAMED = 20, RANGES = 12 };

struct options {
    bool list;
};

static const struct arg args[] = {
    {"list", "", ARG_FLAG, .at = offsetof(struct options, list),
     .help = "name all points that are missing, not only the first 20"},
};

static int play(int argc, char *const argv[], struct fail *f);

const struct command merge_command = {
    "merge", "join the results files of a sweep", "OUT IN...",
    "Joins the results files of the tasks of a sweep (fatfly sweep --task, docs/cluster.md) into OUT, "
    "which then has the points of all of them; what OUT had before stays.  Points that are in several "
    "files must be the same in all: so an overlap checks two machines against each other.  Of a damaged "
    "file the whole rows are taken.  Missing points are listed.",
    "exit codes: 0 all points are there, 1 two files differ in a point (both are named; OUT is as it was), 2 usage, "
    "3 a file of another sweep or version (OUT is as it was), or a damaged one (OUT has the whole rows), "
    "4 points are missing (OUT has the others), no memory or disk space",
    "results file", args, sizeof args / sizeof *args, NULL, NULL, .words = MAX_FILES + 1, .play = play};

struct merge {
    const char *file;         /* OUT */
    const char **in;          /* what is read: OUT, if it is there, then IN... */
    unsigned count, begin;    /* begin: 0 with OUT among them, else 1 */
    char part[OUTFILE_NAME];  /* OUT while it is written */
    struct results out;
    struct results_meta meta; /* of the first file */
    unsigned first;           /* the number of that */
    bool begun;               /* meta is there */
    int lock;                 /* OUT as it was, held; -1: it was not there */
    uint32_t *origin;         /* [rows] of which file a row is */
    uint64_t rows, room;
    uint64_t *taken;          /* a bit for each position */
    uint64_t there;           /* bits that are set */
    uint64_t again;           /* points that were in several files */
    unsigned damaged;         /* files */
    sqlite3_stmt *find;       /* a row of OUT by its key */
};

/* -- what a point is called ------------------------------------------------------------------ */

/* "nodes=16 load=0.1": the settings of a key that are not what they are by themselves. */
static void name_key(const char *key, char *text, size_t size)
{
    struct settings usual;
    struct fail f;
    char own[SWEEP_MAX_KEY];
    size_t used = 0;
    *text = '\0';
    settings_default(&usual);
    if (settings_finish(&usual, &f) || sweep_key(&usual, own, sizeof own, &f))
        *own = '\0';
    settings_free(&usual);
    const char *u = own;
    for (const char *s = key; *s && used < size; s += *s == ';') {
        size_t n = strcspn(s, ";"), m = strcspn(u, ";");
        if (n != m || strncmp(s, u, n) != 0)
            used += (size_t)snprintf(text + used, size - used, "%s%.*s", used ? " " : "", (int)n, s);
        s += n;
        u += m + (u[m] == ';');
    }
}

/* -- rows ------------------------------------------------------------------------------------ */

static bool is_there(const struct merge *m, uint64_t k)
{
    return m->taken[k / 64] >> k % 64 & 1;
}

/* A row that is added has the next number. */
static int keep_origin(struct merge *m, unsigned file, struct fail *f)
{
    if (!GROW(m->origin, m->rows, m->room, 1024))
        return fail(f, EXIT_SYSTEM, "no memory for %" PRIu64 " points", GROWN(m->room, 1024));
    m->origin[m->rows++] = file;
    return 0;
}

/* A key comes again: its row must be the same, but for the times that it took.  1: its place is not. */
static int compare(struct merge *m, const struct results_row *row, unsigned file, struct fail *f)
{
    sqlite3_stmt *q = m->find;
    int bad = 0;
    sqlite3_bind_text(q, 1, row->key, -1, SQLITE_STATIC);
    if (sqlite3_step(q) != SQLITE_ROW)
        bad = results_sql_fail(&m->out, f);
    for (unsigned k = 0; k < columns_count && !bad; k++) {
        const char *there = (const char *)sqlite3_column_text(q, (int)k + 4);
        char name[160];
        if (columns[k].timing || (there && strcmp(there, row->cell[k]) == 0))
            continue;
        name_key(row->key, name, sizeof name);
        bad = fail(f, EXIT_CHECK, "%.70s and %.70s differ in a point: %s is %.24s and %.24s (%s)",
                   m->in[m->origin[sqlite3_column_int64(q, 0) - 1]], m->in[file], columns[k].name,
                   there ? there : "", row->cell[k], name);
    }
    int64_t place = sqlite3_column_type(q, 2) == SQLITE_NULL ? -1 : sqlite3_column_int64(q, 2);
    sqlite3_reset(q);
    m->again += !bad && place == row->position;
    return bad ? -1 : place != row->position;
}

/* 0, 1: its place, which has no sum, is out of range or another point's; -1 with f filled. */
static int add(struct merge *m, const struct results_row *row, unsigned file, struct fail *f)
{
    bool placed = row->position >= 0;
    if (placed && (uint64_t)row->position >= m->meta.planned)
        return 1;
    int bad = results_insert(&m->out, row, f);
    if (bad)
        return bad < 0 ? -1 : compare(m, row, file, f);
    if (placed && is_there(m, (uint64_t)row->position))
        return results_sql(&m->out, "DELETE FROM point WHERE rowid = last_insert_rowid()", f) ? -1 : 1;
    if (placed) {
        m->taken[row->position / 64] |= UINT64_C(1) << row->position % 64;
        m->there++;
    }
    return keep_origin(m, file, f);
}

/* -- files ----------------------------------------------------------------------------------- */

/* The first file says which sweep this is. */
static int begin(struct merge *m, const struct results_meta *meta, unsigned file, struct fail *f)
{
    struct results_table none = {.count = 0};
    m->meta = *meta;
    m->first = file;
    m->begun = true;
    m->meta.task[0] = '\0';
    m->taken = calloc(m->meta.planned / 64 + 1, sizeof *m->taken);
    if (!m->taken)
        return fail(f, EXIT_SYSTEM, "no memory for %" PRIu64 " points", m->meta.planned);
    if (outfile_beside(m->file, m->part, f))
        return -1;
    return results_create(&m->out, m->part, f)
        || results_sql(&m->out, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
                                "PRAGMA cache_size = -500000", f)
        || results_plan(&m->out, &m->meta, &none, NULL, f)
        || results_prepare(&m->out, "SELECT rowid, * FROM point WHERE key = ?", &m->find, f)
        || results_sql(&m->out, "BEGIN", f) ? -1 : 0;
}

static int check_sweep(const struct merge *m, const struct results_meta *meta, const char *file,
                       struct fail *f)
{
    if (!*meta->plan || meta->planned > SWEEP_MAX_POINTS)
        return fail_at(f, file, 0, "does not say which points its sweep has, as files of older builds; "
                       "allowed: fatfly sweep with --db %.60s once more, then merge", file);
    if (!m->begun || strcmp(meta->plan, m->meta.plan) == 0)
        return 0;
    return fail_at(f, file, 0, "of another sweep (%.40s, %" PRIu64 " points, sum %s) than %.100s (%.40s, %" PRIu64
                   ", %s); allowed: files of one sweep file as it is now", meta->name, meta->planned,
                   meta->plan, m->in[m->first], m->meta.name, m->meta.planned, m->meta.plan);
}

/* What is wrong with a file, and what was saved. */
static void tell_damage(struct merge *m, const struct results_scan *s, uint64_t whole, uint64_t lost)
{
    m->damaged++;
    printf("%s; %" PRIu64 " whole rows taken", s->why, whole);
    if (lost)
        printf(", %" PRIu64 " left out", lost);
    printf("\n");
}

static int take_file(struct merge *m, unsigned file, struct fail *f)
{
    struct results_scan s;
    uint64_t whole = 0, wrong = 0;
    int more = 0;
    if (results_scan_open(&s, m->in[file], f)) {
        if (!s.damaged || file == 0)
            return -1;
        m->damaged++;
        printf("%s; nothing in it can be read\n", s.why);
        return 0;
    }
    int bad = check_sweep(m, &s.meta, m->in[file], f);
    if (!bad && !m->begun)
        bad = begin(m, &s.meta, file, f);
    while (!bad && !point_interrupted && (more = results_scan_next(&s, f)) > 0) {
        int misplaced = add(m, &s.row, file, f);
        bad = misplaced < 0;
        wrong += misplaced > 0;
        whole += misplaced == 0;
    }
    bad = bad || more < 0;
    if (!bad && point_interrupted)
        bad = fail(f, EXIT_SYSTEM, "interrupted; %s is as it was", m->file);
    if (!bad && file == 0 && (s.damaged || s.lost || wrong))
        bad = fail_at(f, m->file, 0, "damaged; allowed: another OUT, and this one as IN");
    else if (!bad && (s.damaged || s.lost || wrong)) {
        if (!*s.why)
            snprintf(s.why, sizeof s.why, "%.100s: damaged (a point's place is wrong)", m->in[file]);
        tell_damage(m, &s, whole, s.lost + wrong);
    }
    results_scan_close(&s);
    return bad ? -1 : 0;
}

/* OUT with its name, on the disk. */
static int name_it(struct merge *m, struct fail *f)
{
    char folder[520];
    sqlite3_finalize(m->find);
    m->find = NULL;
    if (results_sql(&m->out, "COMMIT", f) || results_check_there(&m->out, f))
        return -1;
    if (fsync(m->out.lock) || outfile_place(m->part, m->file))
        return fail(f, EXIT_SYSTEM, "%s: cannot write: %s", m->file, strerror(errno));
    m->part[0] = '\0';
    snprintf(folder, sizeof folder, "%.500s", m->file);
    char *slash = strrchr(folder, '/');
    snprintf(slash ? slash + 1 : folder, 2, ".");
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (at >= 0) {
        fsync(at); /* the name; a file system that cannot has it anyway */
        close(at);
    }
    return 0;
}

/* -- what is missing ------------------------------------------------------------------------- */

/* Their names, if the sweep file is where it was and what it was; from 1, as places in it. */
static void name_missing(const struct merge *m, bool all)
{
    struct sweep s;
    struct plan p;
    struct fail f;
    char name[400];
    uint64_t named = 0;
    if (!*m->meta.file || sweep_load(&s, m->meta.file, &f))
        return;
    if (plan_make(&p, &s, &f) == 0 && strcmp(p.sum, m->meta.plan) == 0)
        for (uint64_t k = 0; k < m->meta.planned && (all || named < NAMED); k++) {
            if (is_there(m, k))
                continue;
            sweep_point_name(&s, p.item[k].point, name, sizeof name);
            printf("missing: %s\n", *name ? name : s.name);
            named++;
        }
    plan_free(&p);
    sweep_free(&s);
}

/* "1-3, 7": as places in the sweep file, from 1. */
static void tell_missing(const struct merge *m, bool all)
{
    unsigned ranges = 0;
    printf("missing points, by their places in the sweep:");
    for (uint64_t k = 0, end; k < m->meta.planned; k = end) {
        for (end = k + 1; !is_there(m, k) && end < m->meta.planned && !is_there(m, end);)
            end++;
        if (is_there(m, k))
            continue;
        if (ranges++ == RANGES && !all) {
            printf(", ...");
            break;
        }
        printf(end > k + 1 ? "%s %" PRIu64 "-%" PRIu64 : "%s %" PRIu64, ranges > 1 ? "," : "", k + 1, end);
    }
    printf("\n");
    name_missing(m, all);
}

/* -- the command ----------------------------------------------------------------------------- */

static int finish(const struct merge *m, bool all, struct fail *f)
{
    uint64_t missing = m->meta.planned - m->there;
    printf("%s: %" PRIu64 " points, %" PRIu64 " there, %" PRIu64 " missing", m->meta.name, m->meta.planned,
           m->there, missing);
    if (m->again)
        printf("; %" PRIu64 " in several files, the same in all", m->again);
    printf("\n%s\n", m->file);
    if (missing)
        tell_missing(m, all);
    if (m->damaged)
        return fail(f, EXIT_INPUT, "%u of %u files are damaged; %s has their whole rows, %" PRIu64 " points are missing",
                    m->damaged, m->count - 1, m->file, missing);
    if (missing)
        return fail(f, EXIT_SYSTEM, "%" PRIu64 " of %" PRIu64 " points are missing in %s", missing,
                    m->meta.planned, m->file);
    return 0;
}

/* What OUT has is taken first, and nobody else may write it meanwhile. */
static int hold(struct merge *m, struct fail *f)
{
    struct stat there;
    m->begin = 1;
    if (stat(m->file, &there))
        return errno == ENOENT ? 0 : fail(f, EXIT_SYSTEM, "%s: cannot write: %s", m->file, strerror(errno));
    if (!S_ISREG(there.st_mode))
        return fail(f, EXIT_SYSTEM, "%s: not a regular file; allowed: the file of a sweep, or a new one", m->file);
    m->lock = open(m->file, O_RDWR | O_CLOEXEC);
    if (m->lock < 0)
        return fail(f, EXIT_SYSTEM, "%s: cannot write: %s", m->file, strerror(errno));
    if (flock(m->lock, LOCK_EX | LOCK_NB))
        return fail(f, EXIT_SYSTEM, "%s: another program is writing it; allowed: wait for its end", m->file);
    m->begin = there.st_size > 0 ? 0 : 1;
    return 0;
}

static int merge(struct merge *m, bool all, struct fail *f)
{
    if (m->count < 2)
        return fail(f, EXIT_USAGE, "no results file to join; usage: fatfly merge %s", merge_command.usage);
    if (strlen(m->file) > 500)
        return fail(f, EXIT_USAGE, "a file name of %zu characters; allowed: 1 to 500", strlen(m->file));
    for (unsigned k = 1; k < m->count; k++)
        if (args_same_file(m->file, m->in[k]))
            return fail(f, EXIT_USAGE, "%s is what is written and what is read; allowed: another OUT; what it has "
                        "stays by itself", m->in[k]);
    int bad = hold(m, f);
    for (unsigned k = m->begin; k < m->count && !bad; k++)
        bad = take_file(m, k, f);
    if (!bad && !m->begun)
        bad = fail(f, EXIT_INPUT, "nothing can be read in any of %u files", m->count - 1);
    bad = bad || name_it(m, f);
    return bad ? -1 : finish(m, all, f);
}

static int play(int argc, char *const argv[], struct fail *f)
{
    struct options o = {.list = false};
    struct merge m = {.lock = -1, .out = {.lock = -1}, .in = calloc((size_t)argc + 2, sizeof *m.in)};
    point_catch_signals();
    int bad = m.in ? args_parse(&merge_command, argc, argv, &o, m.in, f) : fail(f, EXIT_SYSTEM, "no memory");
    while (m.in && m.in[m.count])
        m.count++;
    m.file = m.count ? m.in[0] : "";
    if (!bad && merge(&m, o.list, f))
        bad = -1;
    sqlite3_finalize(m.find);
    if (m.out.db)
        results_close(&m.out);
    if (m.part[0]) /* it has not got its name */
        unlink(m.part);
    if (m.lock >= 0)
        close(m.lock);
    free(m.origin);
    free(m.taken);
    free(m.in);
    return bad < 0 ? bad : 0;
}
