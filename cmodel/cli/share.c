/* SPDX-License-Identifier: Apache-2.0
 * share.c - the results file of one task of a sweep: written on a local disk, then put where all tasks' files are.
 */
#define _XOPEN_SOURCE 700 /* realpath() */
#include "share.h"

#include "results_scan.h"
#include "results_sql.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The whole name of a file that need not be there, in a folder that must. */
static int whole_name(const char *file, char *text, size_t size, struct fail *f)
{
    char folder[520];
    const char *slash = strrchr(file, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - file) + 1 : 1, slash ? file : ".");
    char *real = realpath(folder, NULL);
    if (!real)
        return fail(f, EXIT_SYSTEM, "%s: cannot write: %s", file, strerror(errno));
    snprintf(text, size, "%s/%s", real, slash ? slash + 1 : file);
    free(real);
    return 0;
}

/* Others may write to /tmp, but not to a folder of ours in it. */
static int make_folder(char *folder, struct fail *f)
{
    struct stat there;
    if (mkdir(folder, 0700) && errno != EEXIST)
        return fail(f, EXIT_SYSTEM, "%s: cannot make the folder: %s; allowed: another one with --local", folder,
                    strerror(errno));
    if (lstat(folder, &there) || !S_ISDIR(there.st_mode) || there.st_uid != geteuid() || there.st_mode & 022)
        return fail(f, EXIT_SYSTEM, "%s: not a folder that this user alone writes; allowed: another place with "
                    "--local", folder);
    return 0;
}

static const char end[] = ".sqlite";

int share_place(struct share *h, const char *db, struct fail *f)
{
    size_t stem = strlen(db);
    if (stem > sizeof end - 1 && strcmp(db + stem - (sizeof end - 1), end) == 0)
        stem -= sizeof end - 1;
    if (stem > 450 || !stem)
        return fail(f, EXIT_USAGE, "a file name of %zu characters; allowed: 1 to 450", stem);
    snprintf(h->file, sizeof h->file, "%.*s.%" PRIu32 "-of-%" PRIu32 "%s", (int)stem, db, h->task, h->tasks, end);
    return 0;
}

int share_name(struct share *h, const char *db, const char *folder, const struct plan *p, struct fail *f)
{
    char whole[PATH_MAX + 520];
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    const char *own = folder && *folder ? folder : getenv("TMPDIR");
    own = own && *own ? own : "/tmp";
    if (strlen(own) > 300)
        return fail(f, EXIT_USAGE, "a folder's name of %zu characters; allowed: 1 to 300", strlen(own));
    if (share_place(h, db, f))
        return -1;
    if (whole_name(h->file, whole, sizeof whole, f))
        return -1;
    for (const char *c = whole; *c; c++)
        sum = (sum ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    int n = snprintf(h->local, sizeof h->local, "%s/fatfly-%lu", own, (unsigned long)geteuid());
    if (make_folder(h->local, f))
        return -1;
    snprintf(h->local + n, sizeof h->local - (size_t)n, "/%.60s-%016" PRIx64 "-%s%s", strrchr(whole, '/') + 1, sum,
             p->sum, end);
    return 0;
}

/* A file that is not whole must not be taken for all that is there. */
static int refuse_damaged(const struct results_scan *s, struct fail *f)
{
    if (!s->damaged && !s->lost)
        return 0;
    return fail(f, EXIT_INPUT, "%s; fatfly merge OTHER %.100s saves its whole rows; allowed: then remove it", s->why,
                s->r.file);
}

int share_known(struct plan *p, const char *file, bool own, size_t *found, struct fail *f)
{
    struct results_scan s;
    struct stat there;
    int more = 0;
    if (stat(file, &there) ? errno == ENOENT : !own && there.st_size == 0)
        return 0;
    if (results_scan_open(&s, file, f))
        return -1;
    int bad = 0;
    if (own && strcmp(s.meta.plan, p->sum) != 0)
        bad = fail_at(f, file, 0, "a share of another sweep file (%" PRIu64 " points, sum %s, not %zu, %s); allowed: to "
                      "remove it, or another name with --db", s.meta.planned, s.meta.plan, p->count, p->sum);
    while (!bad && (more = results_scan_next(&s, f)) > 0) {
        int64_t at = plan_find(p, s.row.key);
        if (at < 0 || p->item[at].done)
            continue;
        p->item[at].done = true;
        *found += !p->item[at].other;
    }
    bad = bad || more < 0 || refuse_damaged(&s, f);
    results_scan_close(&s);
    return bad ? -1 : 0;
}

void share_tidy(const struct share *h)
{
    char pattern[700];
    glob_t found;
    size_t n = 0;

    for (const char *c = h->file; *c && n + 20 < sizeof pattern; c++) {
        if (strchr("*?[\\", *c))
            pattern[n++] = '\\';
        pattern[n++] = *c;
    }
    snprintf(pattern + n, sizeof pattern - n, ".part.??????");
    if (glob(pattern, 0, NULL, &found))
        return;
    for (size_t k = 0; k < found.gl_pathc; k++) {
        int part = open(found.gl_pathv[k], O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (part >= 0 && flock(part, LOCK_EX | LOCK_NB) == 0)
            unlink(found.gl_pathv[k]);
        if (part >= 0)
            close(part);
    }
    globfree(&found);
}

int share_take(const struct share *h, struct results *local, struct fail *f)
{
    struct results_scan s;
    struct stat there;
    int more = 0, bad = 0;
    if (stat(h->file, &there) && errno == ENOENT)
        return 0;
    if (results_scan_open(&s, h->file, f))
        return -1;
    bad = results_sql(local, "BEGIN IMMEDIATE", f);
    while (!bad && (more = results_scan_next(&s, f)) > 0)
        bad = results_insert(local, &s.row, f) < 0;
    bad = bad || more < 0 || results_sql(local, "COMMIT", f);
    if (bad && !sqlite3_get_autocommit(local->db))
        sqlite3_exec(local->db, "ROLLBACK", NULL, NULL, NULL);
    results_scan_close(&s);
    return bad ? -1 : 0;
}

/* errno, or 0. */
static int copy(int from, int to)
{
    char buffer[1 << 16];
    ssize_t n;
    while ((n = read(from, buffer, sizeof buffer)) != 0) {
        if (n < 0 && errno != EINTR)
            return errno;
        for (ssize_t at = 0, did; at < n; at += did > 0 ? did : 0)
            if ((did = write(to, buffer + at, (size_t)(n - at))) < 0 && errno != EINTR)
                return errno;
    }
    return fsync(to) ? errno : 0;
}

/* A new part of that file, locked; its name in part[size].  The descriptor, or -1 with errno. */
static int make_part(const char *file, char *part, size_t size)
{
    struct stat is;
    for (;;) {
        snprintf(part, size, "%.520s.part.XXXXXX", file);
        int to = mkstemp(part);
        if (to < 0)
            return -1;
        flock(to, LOCK_EX | LOCK_NB); /* where there are no locks, nobody drops it either */
        if (fstat(to, &is) || is.st_nlink > 0)
            return to;
        close(to); /* dropped between the two */
    }
}

int share_put(const struct share *h, struct fail *f)
{
    char part[540];
    mode_t mask = umask(0);
    umask(mask);
    /* Two machines may be at the same task: each has a part of its own. */
    int from = open(h->local, O_RDONLY | O_CLOEXEC), error = from < 0 ? errno : 0;
    int to = error ? -1 : make_part(h->file, part, sizeof part);
    if (!error)
        error = to < 0 ? errno : copy(from, to);
    int lock = to < 0 ? -1 : dup(to); /* until it has its name */
    if (!error && fchmod(to, 0666 & ~mask))
        error = errno;
    if (to >= 0 && close(to) && !error)
        error = errno; /* NFS says only here that there is no room */
    if (from >= 0)
        close(from);
    if (!error && rename(part, h->file))
        error = errno;
    if (lock >= 0)
        close(lock);
    if (error) {
        if (to >= 0)
            unlink(part);
        return fail(f, EXIT_SYSTEM, "%s: cannot write: %s; its points are in %s, from where the same command on this "
                    "machine goes on", h->file, strerror(error), h->local);
    }
    unlink(h->local);
    return 0;
}
