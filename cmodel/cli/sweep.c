/* SPDX-License-Identifier: Apache-2.0
 * sweep.c - `fatfly sweep FILE`: all points of a sweep file, on all cores, each kept as soon as it
 * is done.
 *
 * Points are independent, so a worker takes one at a time; only where fewer points than threads are
 * left do the runs inside a point get more than one.  Workers never wait for the disk: they leave
 * finished points in a list, which the main thread commits, all that are there in one transaction, at once or
 * a quarter of a second after it did so last: a commit takes as long as many short points do.  Whatever ends the
 * program, the list is all that is lost.
 */
#include "commands.h"
#include "export.h"
#include "plan.h"
#include "point.h"
#include "share.h"
#include "slurm.h"
#include "split.h"
#include "sweep_file.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 256, NEWS_MS = 250, HELD_S = 60 };

struct options {
    const char *db, *task, *local;
    uint64_t tasks;
    bool slurm, submit, tasks_given, dry_run, fail_saturated, print;
    unsigned format;
    uint64_t threads;
};

#define AT(field) .at = offsetof(struct options, field)
#define GIVEN(field) .given = offsetof(struct options, field)

static const struct arg args[] = {
    {"db", "FILE", ARG_OUTPUT, AT(db), "results; default build/sweeps/NAME.sqlite"},
    {"threads", "COUNT", ARG_WHOLE, AT(threads),
     "runs at once, 1 to 256; results do not depend on it; default one per core", .low = 1,
     .high = MAX_THREADS},
    {"task", "K/T", ARG_TEXT, AT(task),
     "run the share K of T, equal in cost and the same on every machine, into a results file of its own, "
     "NAME.K-of-T.sqlite; fatfly merge joins them", .words = "nothing"},
    {"local", "FOLDER", ARG_TEXT, AT(local), "a share is written there until it is done; default $TMPDIR, else /tmp",
     .words = "files"},
    {"slurm", "", ARG_FLAG, AT(slurm),
     "run nothing, but write NAME.slurm, an array of the tasks that have points left, and NAME.merge.slurm, which joins "
     "what they leave and lists what is missing"},
    {"submit", "", ARG_FLAG, AT(submit), "with --slurm: submit both; again, it submits only what is missing"},
    {"tasks", "COUNT", ARG_WHOLE, AT(tasks),
     "with --slurm: 1 to 100000; default by the cost, of some minutes each, at most 1000", .low = 1, .high = SPLIT_MAX_TASKS,
     GIVEN(tasks_given)},
    {"format", "FORMAT", ARG_NAME, AT(format), "print the table at the end: table, csv or json",
     .names = format_names, .count = FORMATS, GIVEN(print)},
    {"dry-run", "", ARG_FLAG, AT(dry_run), "show the points, run none"},
    {"fail-saturated", "", ARG_FLAG, AT(fail_saturated),
     "end with exit code 5 if a point is saturated"},
};

static int play(int argc, char *const argv[], struct fail *f);

const struct command sweep_command = {
    "sweep", "simulate all points of a sweep file, resumable", "FILE [OPTION]...",
    "Runs all points of a sweep file (docs/sweeps.md) on all cores and keeps each in an SQLite file "
    "as soon as it is done, short ones four times a second.  Interrupted, even by kill -9, the same command goes on where it "
    "was.",
    "exit codes: 0 all points are done, 1 a point ended in a deadlock, 2 usage, 3 bad sweep or results file, 4 missing memory or "
    "disk space, a file in use, or interrupted, 5 a point is saturated and --fail-saturated given",
    "sweep file", args, sizeof args / sizeof *args, NULL, NULL, .play = play};

/* -- workers --------------------------------------------------------------------------------- */

struct finished {
    struct results_row row;
    char *key;
    double cost;
    struct finished *next;
};

struct worker {
    struct crew *crew;
    pthread_t thread;
    atomic_uint_fast64_t runs; /* done of the present point */
    _Atomic double run_cost;
};

struct crew {
    const struct sweep *sweep;
    const struct plan *plan;
    size_t *order;           /* places of the points to run */
    size_t count, next;
    unsigned threads, busy;  /* busy: given to points that run */
    double memory, memory_busy;
    unsigned workers, alive; /* started; of them, not yet ended */
    bool stop;
    bool asleep;             /* the main thread waits for points that are done */
    struct finished *done;   /* newest first */
    struct fail fail;        /* of the first worker that failed */
    bool failed;
    pthread_mutex_t mutex;
    pthread_cond_t news;     /* for the main thread */
    pthread_cond_t room;     /* for workers that wait for memory */
    struct worker *worker;
};

static void count_run(void *context, uint64_t done)
{
    struct worker *w = context;
    atomic_store(&w->runs, done);
}

/* Row of a point, in memory of its own. */
static struct finished *keep(const struct settings *s, const struct point *p, const char *key,
                             size_t position)
{
    char text[512];
    struct finished *done = calloc(1, sizeof *done);
    const char **cell = calloc(columns_count, sizeof *cell);
    bool whole = done && cell;
    for (unsigned k = 0; whole && k < columns_count; k++) {
        column_text(k, s, p, text, sizeof text);
        cell[k] = strdup(text);
        whole = cell[k] != NULL;
    }
    if (whole)
        done->key = strdup(key);
    if (!whole || !done->key) {
        for (unsigned k = 0; cell && k < columns_count; k++)
            free((char *)cell[k]);
        free(cell);
        free(done);
        return NULL;
    }
    done->row = (struct results_row){.position = (int64_t)position, .key = done->key, .cell = cell};
    return done;
}

static void free_finished(struct finished *d)
{
    for (unsigned k = 0; k < columns_count; k++)
        free((char *)d->row.cell[k]);
    free(d->row.cell);
    free(d->key);
    free(d);
}

/* Threads for the next point: one, but more if fewer points than threads are left. */
static unsigned share_of(const struct crew *c)
{
    size_t left = c->count - c->next;
    unsigned unused = c->threads - c->busy;
    return left >= unused ? 1 : unused / (unsigned)left;
}

/* Waits until the memory that the point needs is there; alone it may have all. */
static void wait_for_memory(struct crew *c, double need)
{
    while (c->memory_busy > 0 && c->memory_busy + need > c->memory && !point_interrupted)
        pthread_cond_wait(&c->room, &c->mutex);
    c->memory_busy += need;
}

static int run_point(struct worker *w, size_t place, unsigned threads, struct finished **done,
                     struct fail *f)
{
    struct crew *c = w->crew;
    const struct planned *i = &c->plan->item[place];
    struct settings s;
    struct point p;
    char key[SWEEP_MAX_KEY];
    if (plan_point(c->sweep, i->point, &s, key, f))
        return -1;
    double need = (double)fatfly_memory(&s.config) * threads;
    pthread_mutex_lock(&c->mutex);
    wait_for_memory(c, need);
    pthread_mutex_unlock(&c->mutex);
    atomic_store(&w->runs, 0);
    atomic_store(&w->run_cost, i->cost / (double)s.runs);
    int bad = point_run(&s, threads, count_run, w, &p, f) ? plan_blame(c->sweep, i->point, f) : 0;
    if (!bad && !(*done = keep(&s, &p, key, place)))
        bad = fail(f, EXIT_SYSTEM, "no memory for a point");
    if (!bad)
        (*done)->cost = i->cost;
    if (!bad)
        point_free(&p);
    settings_free(&s);
    pthread_mutex_lock(&c->mutex);
    c->memory_busy -= need;
    c->memory_busy = c->memory_busy < 1 ? 0 : c->memory_busy;
    pthread_cond_broadcast(&c->room);
    pthread_mutex_unlock(&c->mutex);
    return bad;
}

static void *work(void *context)
{
    struct worker *w = context;
    struct crew *c = w->crew;
    pthread_mutex_lock(&c->mutex);
    while (!c->stop && !point_interrupted && c->next < c->count && c->busy < c->threads) {
        unsigned threads = share_of(c);
        size_t place = c->order[c->next++];
        struct finished *done = NULL;
        struct fail f;
        c->busy += threads;
        pthread_mutex_unlock(&c->mutex);
        int bad = run_point(w, place, threads, &done, &f);
        pthread_mutex_lock(&c->mutex);
        atomic_store(&w->run_cost, 0);
        c->busy -= threads;
        if (done) {
            done->next = c->done;
            c->done = done;
        }
        if (bad && !point_interrupted && !c->failed) {
            c->fail = f;
            c->failed = c->stop = true;
        }
        if (c->asleep)
            pthread_cond_signal(&c->news);
    }
    c->alive--;
    pthread_cond_signal(&c->news);
    pthread_mutex_unlock(&c->mutex);
    return NULL;
}

/* A clock that is set anew keeps nobody waiting. */
static void open_news(struct crew *c)
{
    pthread_condattr_t a;
    pthread_condattr_init(&a);
    pthread_condattr_setclock(&a, CLOCK_MONOTONIC);
    pthread_cond_init(&c->news, &a);
    pthread_condattr_destroy(&a);
}

static int start_workers(struct crew *c, struct fail *f)
{
    unsigned most = c->count < c->threads ? (unsigned)c->count : c->threads;
    sigset_t all, old;
    c->worker = calloc(most ? most : 1, sizeof *c->worker);
    if (!c->worker)
        return fail(f, EXIT_SYSTEM, "no memory for %u threads", most);
    sigfillset(&all); /* signals are for the main thread */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pthread_mutex_lock(&c->mutex);
    for (; c->alive < most; c->alive++) {
        struct worker *w = &c->worker[c->alive];
        w->crew = c;
        if (pthread_create(&w->thread, NULL, work, w))
            break;
    }
    if (c->alive && c->alive < c->threads && c->alive < most)
        c->threads = c->alive; /* the system gives no more */
    most = c->alive;
    pthread_mutex_unlock(&c->mutex);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    c->workers = most;
    return most || !c->count ? 0 : fail(f, EXIT_SYSTEM, "no thread can be started");
}

/* -- the main thread ------------------------------------------------------------------------- */

enum { SECONDS_A_LINE = 300 };

struct progress {
    bool shown;          /* stderr is a terminal; else there is a line now and then */
    double next;         /* seconds from the begin to that line */
    struct timespec begin;
    double cost, cost_done;
    size_t total, before, now; /* points: all, there before, done now */
};

static double seconds_since(const struct timespec *t)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - t->tv_sec) + 1e-9 * (double)(now.tv_nsec - t->tv_nsec);
}

static void show(struct progress *g, double partial)
{
    double t = seconds_since(&g->begin);
    double part = g->cost > 0 ? (g->cost_done + partial) / g->cost : 0;
    if (!g->shown && t < g->next)
        return;
    g->next = t + SECONDS_A_LINE;
    fprintf(stderr, "%s%zu of %zu points", g->shown ? "\r" : "fatfly sweep: ", g->before + g->now, g->total);
    if (t > 0.3)
        fprintf(stderr, ", %.3g points/s", (double)g->now / t);
    if (t > 0.3 && part > 0) {
        double left = part < 1 ? t * (1 - part) / part : 0;
        unsigned long s = left < 1e8 ? (unsigned long)(left + 0.5) : 100000000;
        if (s >= 3600)
            fprintf(stderr, ", %lu:%02lu:%02lu left", s / 3600, s / 60 % 60, s % 60);
        else
            fprintf(stderr, ", %lu:%02lu left", s / 60, s % 60);
    }
    fputs(g->shown ? "\033[K" : "\n", stderr);
    fflush(stderr);
}

static void clear(const struct progress *g)
{
    if (g->shown)
        fprintf(stderr, "\r\033[K");
}

/* Of the points that run, the part that is done. */
static double partial_cost(struct crew *c)
{
    double sum = 0;
    for (unsigned k = 0; k < c->workers; k++)
        sum += atomic_load(&c->worker[k].run_cost) * (double)atomic_load(&c->worker[k].runs);
    return sum;
}

/* Oldest first. */
static struct finished *in_turn(struct finished *d)
{
    struct finished *first = NULL;
    while (d) {
        struct finished *next = d->next;
        d->next = first;
        first = d;
        d = next;
    }
    return first;
}

/* Commits a list; what is committed leaves it.  1: another program holds the file. */
static int commit(struct results *r, struct finished **list, struct progress *g, struct fail *f)
{
    size_t count = 0;
    for (struct finished *d = *list; d; d = d->next)
        count++;
    struct results_row *rows = calloc(count ? count : 1, sizeof *rows);
    if (!rows)
        return fail(f, EXIT_SYSTEM, "no memory for %zu points", count);
    count = 0;
    for (struct finished *d = *list; d; d = d->next)
        rows[count++] = d->row;
    int bad = count ? results_add(r, rows, count, f) : 0;
    free(rows);
    while (!bad && *list) {
        struct finished *next = (*list)->next;
        g->cost_done += (*list)->cost;
        g->now++;
        free_finished(*list);
        *list = next;
    }
    return bad;
}

static void stop_workers(struct crew *c)
{
    c->stop = true;
    point_interrupted = 1; /* points under way end soon */
    pthread_cond_broadcast(&c->room);
}

static struct timespec in_a_while(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_nsec += NEWS_MS * 1000000L;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

/* Till a while after the last commit; then, if no point is done, for one, but at most another while: there may be
 * something to show.  Not if all workers have ended. */
static void wait_for_points(struct crew *c, bool committed)
{
    struct timespec until = in_a_while();
    while (committed && c->alive && pthread_cond_timedwait(&c->news, &c->mutex, &until) != ETIMEDOUT)
        ;
    until = in_a_while();
    c->asleep = true;
    if (c->alive && !c->done)
        pthread_cond_timedwait(&c->news, &c->mutex, &until);
    c->asleep = false;
}

/* Until all workers have ended, then the rest of the list. */
static int collect(struct crew *c, struct results *r, struct progress *g, struct fail *f)
{
    struct finished *list = NULL, **end = &list;
    struct timespec held = {0};
    int bad = 0;
    bool last = false, committed = false;
    while (!last || (list && bad >= 0)) {
        pthread_mutex_lock(&c->mutex);
        wait_for_points(c, committed);
        if (point_interrupted)
            pthread_cond_broadcast(&c->room);
        struct finished *more = in_turn(c->done);
        c->done = NULL;
        last = c->alive == 0;
        pthread_mutex_unlock(&c->mutex);
        for (end = &list; *end; end = &(*end)->next)
            ;
        *end = more;
        committed = list != NULL;
        int was = bad;
        if (bad >= 0)
            bad = commit(r, &list, g, f);
        if (bad > 0 && was <= 0)
            clock_gettime(CLOCK_MONOTONIC, &held);
        if (bad > 0 && last && seconds_since(&held) > HELD_S)
            bad = fail(f, EXIT_SYSTEM, "%s: another program holds it", r->file);
        if (bad < 0 && was >= 0) {
            pthread_mutex_lock(&c->mutex);
            stop_workers(c);
            pthread_mutex_unlock(&c->mutex);
        }
        show(g, partial_cost(c));
    }
    while (list) {
        struct finished *next = list->next;
        free_finished(list);
        list = next;
    }
    for (unsigned k = 0; k < c->workers; k++)
        pthread_join(c->worker[k].thread, NULL);
    clear(g);
    return bad;
}

/* Longest first, so that no core is left with a long one at the end; else in the file's order. */
static const struct planned *sorted; /* qsort() has no context */
static int longer_first(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    double cx = sorted[x].cost, cy = sorted[y].cost;
    return cx > cy ? -1 : cx < cy ? 1 : x < y ? -1 : x > y;
}

static unsigned cores(void)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (unsigned)n;
}

static int run_all(const struct sweep *sweep, const struct plan *p, const struct options *o,
                   struct results *r, struct progress *g, struct fail *f)
{
    struct crew c = {.sweep = sweep, .plan = p, .order = calloc(p->count, sizeof *c.order),
                     .threads = o->threads ? (unsigned)o->threads : cores(),
                     .mutex = PTHREAD_MUTEX_INITIALIZER, .room = PTHREAD_COND_INITIALIZER};
    if (!c.order)
        return fail(f, EXIT_SYSTEM, "no memory for %zu points", p->count);
    for (size_t k = 0; k < p->count; k++)
        if (!p->item[k].done && !p->item[k].other) {
            c.order[c.count++] = k;
            g->cost += p->item[k].cost;
        }
    sorted = p->item;
    qsort(c.order, c.count, sizeof *c.order, longer_first);
    c.memory = settings_memory();
    g->shown = isatty(STDERR_FILENO);
    g->next = SECONDS_A_LINE;
    clock_gettime(CLOCK_MONOTONIC, &g->begin);
    open_news(&c);
    int bad = start_workers(&c, f) || collect(&c, r, g, f);
    pthread_cond_destroy(&c.news);
    if (!bad && c.failed) {
        *f = c.fail;
        bad = -1;
    }
    free(c.order);
    free(c.worker);
    return bad ? -1 : 0;
}

/* -- the command ----------------------------------------------------------------------------- */

/* Points of the sweep that have a value in a column. */
static size_t count_with(const struct results_table *t, const char *column, const char *value)
{
    size_t count = 0;
    char text[64];
    for (size_t k = 0; k < t->count; k++) {
        const char *v = results_value(t, &t->row[k], column, text, sizeof text);
        count += t->row[k].position >= 0 && v && strcmp(v, value) == 0;
    }
    return count;
}

/* The default place; only there are folders made. */
static int default_db(const struct sweep *s, char *db, size_t size, bool make, struct fail *f)
{
    snprintf(db, size, "build/sweeps/%s.sqlite", s->name);
    if (make && ((mkdir("build", 0777) && errno != EEXIST)
                 || (mkdir("build/sweeps", 0777) && errno != EEXIST)))
        return fail(f, EXIT_SYSTEM, "build/sweeps: cannot make the folder: %s", strerror(errno));
    return 0;
}

/* What a file of any version has of this sweep. */
static int known(struct plan *p, const char *db, size_t *found, struct fail *f)
{
    struct results_table t;
    if (results_load(&t, db, f))
        return -1;
    int bad = results_damaged(&t, db, f);
    *found += bad ? 0 : plan_mark(p, &t, NULL);
    results_free(&t);
    return bad;
}

static int dry_run(const struct sweep *s, struct plan *p, const struct share *h, const char *db, struct fail *f)
{
    struct stat there;
    char name[400];
    size_t found = 0;
    if ((h->tasks && share_known(p, h->file, true, &found, f))
        || (stat(db, &there) == 0 && there.st_size > 0 && known(p, db, &found, f)))
        return -1;
    for (size_t k = 0; k < p->count; k++) {
        if (p->item[k].other)
            continue;
        sweep_point_name(s, p->item[k].point, name, sizeof name);
        printf("%s%s\n", *name ? name : s->name, p->item[k].done ? "  (done)" : "");
    }
    printf("%s: ", s->name);
    if (h->tasks)
        printf("%zu of ", p->own);
    printf("%zu points, %" PRIu64 " more given twice, %zu done in %s\n", p->count, p->twice, found,
           h->tasks ? h->file : db);
    return 0;
}

/* What the file has of this sweep, and the present places of it. */
static int take_up(struct results *r, const struct sweep *s, struct plan *p, const struct share *h,
                   bool own, size_t *before, struct fail *f)
{
    struct results_meta meta = {.planned = p->count};
    struct results_table t;
    char folder[400] = "";
    if (s->file[0] == '/' || getcwd(folder, sizeof folder))
        snprintf(meta.file, sizeof meta.file, "%s%s%s", folder, *folder ? "/" : "", s->file);
    snprintf(meta.name, sizeof meta.name, "%s", s->name);
    snprintf(meta.title, sizeof meta.title, "%s", s->title);
    snprintf(meta.plan, sizeof meta.plan, "%s", p->sum);
    if (h->tasks)
        snprintf(meta.task, sizeof meta.task, "%" PRIu32 "/%" PRIu32, h->task, h->tasks);
    if (results_read(r, &t, f))
        return -1;
    if (!own && *t.meta.file && access(t.meta.file, R_OK) == 0 &&
        !args_same_file(t.meta.file, s->file)) {
        int bad = fail(f, EXIT_INPUT, "%s has the points of %s, which has the same name; allowed: "
                       "another file with --db, or another name in %s", r->file, t.meta.file, s->file);
        results_free(&t);
        return bad;
    }
    size_t known = *before;
    int64_t *position = calloc(t.count ? t.count : 1, sizeof *position);
    int bad = position ? 0 : fail(f, EXIT_SYSTEM, "no memory for %zu points", t.count);
    if (!bad) {
        *before += plan_mark(p, &t, position);
        if (own && !h->tasks && *t.meta.file && access(t.meta.file, R_OK) == 0 &&
            !args_same_file(t.meta.file, s->file) && t.count > *before - known)
            fprintf(stderr, "fatfly sweep: %s has points of %s, too: %zu; fatfly export --all shows them\n", r->file,
                    t.meta.file, t.count - (*before - known));
        bad = results_plan(r, &meta, &t, position, f);
    }
    free(position);
    results_free(&t);
    return bad;
}

/* The table, or what was done and where it is. */
static int finish(struct results *r, const struct sweep *s, const struct plan *p, const struct share *h,
                  const struct options *o, const struct progress *g, struct fail *f)
{
    struct results_table t;
    struct export e = {.format = (enum format)o->format};
    if (results_read(r, &t, f))
        return -1;
    size_t saturated = count_with(&t, "saturated", "1"), cut = count_with(&t, "end", "cut");
    size_t deadlocked = count_with(&t, "end", "deadlock");
    size_t undecided = count_with(&t, "verdict", "undecided");
    int bad = o->print ? export_print(&t, &e, stdout, f) : 0;
    if (!bad && o->print && e.format != FORMAT_TABLE)
        export_old_names("sweep", &t, r->file, NULL);
    if (!o->print) {
        printf("%s: %zu points, %zu run now, %zu there before, %zu saturated", s->name, p->own, g->now,
               g->before, saturated);
        if (cut)
            printf(", %zu cut by max-cycles", cut);
        if (deadlocked)
            printf(", %zu deadlocked", deadlocked);
        if (undecided)
            printf(", %zu undecided", undecided);
        if (p->twice)
            printf("; %" PRIu64 " more were given twice", p->twice);
        if (h->tasks)
            printf("; task %" PRIu32 " of %" PRIu32, h->task, h->tasks);
        printf("\n%s\n", h->tasks ? h->file : r->file);
    }
    size_t judged = count_with(&t, "verdict", "saturated"); /* what ended so may be undecided */
    results_free(&t);
    if (!bad && deadlocked)
        return fail(f, EXIT_CHECK, "%zu of %zu points ended in a deadlock (end = deadlock); fatfly run with "
                    "their settings shows the circle", deadlocked, p->own);
    if (!bad && o->fail_saturated && judged)
        return fail(f, EXIT_SATURATED, "%zu of %zu points are saturated", judged, p->own);
    return bad;
}

/* Of a share that is done and in its place. */
static int say_share(const struct sweep *s, const struct plan *p, const struct share *h, const struct options *o,
                     const struct progress *g, struct fail *f)
{
    struct results r;
    if (results_open(&r, h->file, f))
        return -1;
    int bad = finish(&r, s, p, h, o, g, f);
    results_close(&r);
    return bad ? -1 : 0;
}

/* After all that was run now: a share in its place, and what is not done yet. */
static int settle(const struct plan *p, const struct share *h, const struct progress *g, const char *db, int bad,
                  struct fail *f)
{
    const char *file = h->tasks ? h->file : db;
    struct fail why = *f;
    size_t there = g->before + g->now;
    if (h->tasks && share_put(h, f))
        return -1;
    if (bad)
        return fail(f, why.code, "%s; %zu of %zu points are kept", why.text, there, p->own);
    if (there < p->own)
        return fail(f, EXIT_SYSTEM, "interrupted; %zu of %zu points are in %s, the same command goes on", there, p->own,
                    file);
    return 0;
}

static int with_file(const struct sweep *s, struct plan *p, const struct share *h, const struct options *o,
                     const char *db, struct fail *f)
{
    struct results r;
    struct stat there;
    struct progress g = {.total = p->own};
    if (h->tasks && (share_known(p, h->file, true, &g.before, f) || share_known(p, db, false, &g.before, f)))
        return -1;
    if (h->tasks)
        share_tidy(h);
    bool put = h->tasks && stat(h->file, &there) == 0;
    if (h->tasks && g.before == p->own && stat(h->local, &there) && (put || p->own)) {
        if (put)
            return say_share(s, p, h, o, &g, f);
        printf("%s: %zu points, 0 run now, %zu there before; task %" PRIu32 " of %" PRIu32 "\n%s\n", s->name, p->own,
               g.before, h->task, h->tasks, db);
        return 0;
    }
    if (results_create(&r, h->tasks ? h->local : db, f))
        return -1;
    int bad = take_up(&r, s, p, h, h->tasks || o->db, &g.before, f) || (h->tasks && share_take(h, &r, f));
    if (!bad) {
        bad = g.before < p->own ? run_all(s, p, o, &r, &g, f) : 0;
        bad = settle(p, h, &g, db, bad, f) || finish(&r, s, p, h, o, &g, f);
    }
    results_close(&r);
    return bad ? -1 : 0;
}

/* What is merged already is of the sweep file as it is now: the shares will be. */
static int renew(const struct sweep *s, struct plan *p, const struct share *h, const struct options *o, const char *db,
                 struct fail *f)
{
    struct results r;
    struct stat there;
    size_t found = 0;
    if (stat(db, &there) || there.st_size == 0)
        return 0;
    if (results_create(&r, db, f))
        return -1;
    int bad = take_up(&r, s, p, h, o->db != NULL, &found, f);
    results_close(&r);
    return bad;
}

static int run(const struct options *o, struct share *h, const char *sweep, struct fail *f)
{
    struct sweep s;
    struct plan p = {.count = 0};
    char db[160];
    point_catch_signals();
    if (sweep_load(&s, sweep, f))
        return -1;
    int bad = plan_make(&p, &s, f)
           || (!o->db && default_db(&s, db, sizeof db, !o->dry_run, f))
           || (o->slurm && renew(&s, &p, h, o, o->db ? o->db : db, f));
    const char *file = o->db ? o->db : db;
    if (!bad && h->tasks)
        bad = plan_share(&p, h->task, h->tasks, f) || (o->dry_run ? share_place(h, file, f) : share_name(h, file, o->local, &p, f));
    struct slurm slurm = {.sweep = sweep, .db = file, .tasks = (uint32_t)o->tasks, .submit = o->submit};
    if (!bad)
        bad = o->slurm ? slurm_run(&slurm, &s, &p, f)
            : o->dry_run ? dry_run(&s, &p, h, file, f) : with_file(&s, &p, h, o, file, f);
    plan_free(&p);
    sweep_free(&s);
    return bad ? -1 : 0;
}

static int play(int argc, char *const argv[], struct fail *f)
{
    struct options o = {.db = NULL};
    struct share h = {.tasks = 0};
    const char *sweep;
    int bad = args_parse(&sweep_command, argc, argv, &o, &sweep, f);
    if (bad)
        return bad < 0 ? bad : 0;
    if (o.local && !o.task)
        return fail(f, EXIT_USAGE, "--local %s without --task; allowed: together", o.local);
    if (!o.slurm && (o.submit || o.tasks_given))
        return fail(f, EXIT_USAGE, "%s without --slurm; allowed: together", o.submit ? "--submit" : "--tasks");
    if (o.slurm && (o.task || o.dry_run || o.print || o.threads || o.fail_saturated))
        return fail(f, EXIT_USAGE, "--slurm with %s; allowed: with --db, --tasks and --submit", o.task ? "--task"
                    : o.dry_run ? "--dry-run" : o.print ? "--format" : o.threads ? "--threads" : "--fail-saturated");
    return (o.task && split_parse(o.task, &h.task, &h.tasks, f)) || run(&o, &h, sweep, f) ? -1 : 0;
}
