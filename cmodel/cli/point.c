/* SPDX-License-Identifier: Apache-2.0
 * point.c - the independent runs of a point, on several threads, and what they say together.
 *
 * Run k has seed fatfly_run_seed(seed, k) and writes only row k; rows are combined in order, and
 * what the threads add up as they end are whole numbers and maxima.  So neither the number of
 * threads nor their timing can matter.
 */
#include "point.h"

#include "discipline.h"
#include "event_log.h"
#include "rng.h"
#include "shared.h"
#include "tee.h"
#include "timeline.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { USUAL_LIMIT = 400 }; /* times --cycles */
#define MOST_CYCLES (UINT64_C(1) << 40)

const double point_quantile[QUANTILES] = {0.5, 0.95, 0.99, 0.999};

_Atomic int point_interrupted;

static void interrupt(int number)
{
    (void)number;
    point_interrupted = 1;
}

void point_catch_signals(void)
{
    static const int caught[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction was, a = {.sa_handler = interrupt, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&a.sa_mask);
    for (size_t k = 0; k < sizeof caught / sizeof *caught; k++)
        if (sigaction(caught[k], NULL, &was) == 0 && was.sa_handler != SIG_IGN) /* nohup */
            sigaction(caught[k], &a, NULL);
}

enum value {
    LATENCY, LAST_ARRIVAL, CONGESTION, ACCEPTED, SOURCE_WAIT, BLOCKED, WAIT,
    CLASS_ACCEPTED, /* of each class */
    VALUES = CLASS_ACCEPTED + FATFLY_MAX_CLASSES
};

/* What is kept of a run. */
struct row {
    double value[VALUES]; /* NaN: it has none */
    uint64_t digest;
    double cpu_s;
};

/* Files of the moves of the first run: each is NULL if it is not asked for.  They are in place when all runs are done. */
struct records {
    struct timeline *line;
    struct event_log *log;
    const struct fatfly_observer *told[2];
    unsigned count; /* of those told */
    struct fatfly_config config; /* of that run */
    struct fatfly_result *result;
};

struct pool {
    const struct settings *s;
    const struct runner *by; /* NULL: fatfly_run() */
    void (*progress)(void *, uint64_t done);
    void *context;
    struct point *p;
    struct row *row;      /* [runs] */
    struct records records;
    uint32_t (*histogram)[FATFLY_BUCKETS]; /* [FATFLY_BATCHES] of one open loop's batches or of
                             neighbouring runs */
    pthread_mutex_t lock; /* of all below, and of *p */
    uint64_t next;        /* run to start */
    uint64_t done;
    atomic_bool stop;     /* a run failed or was interrupted */
    struct fail fail;     /* of the first run that failed */
};

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

/* Batches of one run stand in for runs. */
static bool one_loop(const struct settings *s)
{
    return s->runs == 1 && s->config.load > 0;
}

/* -- one run ----------------------------------------------------------------------------------- */

enum { LONGEST_CIRCLE = 64 };

/* What hooks are given: of one run. */
struct looker {
    struct pool *pool;
    struct fatfly_wait circle[LONGEST_CIRCLE]; /* of a deadlock */
    uint32_t worms;                            /* of that circle */
};

static void keep_wait(void *context, const struct fatfly_wait *w)
{
    struct looker *l = context;
    if (l->worms < LONGEST_CIRCLE)
        l->circle[l->worms] = *w;
    l->worms++;
}

static bool go_on(void *context, uint64_t cycle, uint64_t delivered)
{
    const struct pool *pool = ((struct looker *)context)->pool;
    (void)cycle;
    (void)delivered;
    return !point_interrupted && !pool->stop;
}

/* Cycles in which flits were counted: of static runs up to the last one of the last arrival, which on a fat-tree is the
 * first of a packet's step. */
static double counted_cycles(const struct fatfly_config *c, const struct fatfly_result *r)
{
    if (c->load > 0)
        return (double)r->measure_cycles;
    if (!r->measured)
        return 0;
    return (double)r->last_arrival + (!c->topology && discipline_of(c)->steps ? c->length : 1);
}

static void keep(struct row *row, const struct fatfly_config *c, const struct fatfly_result *r)
{
    double worms = (double)r->measured, room = counted_cycles(c, r) * c->nodes;
    bool open = c->load > 0;
    row->digest = r->digest;
    row->value[CONGESTION] = r->congestion;
    row->value[SOURCE_WAIT] = ratio((double)r->source_wait, worms);
    row->value[BLOCKED] = ratio((double)r->blocked, worms);
    row->value[WAIT] = ratio((double)r->wait_sum, worms);
    row->value[LATENCY] = ratio((double)r->latency_sum, worms);
    row->value[LAST_ARRIVAL] = !open && r->measured ? (double)r->last_arrival : NAN;
    row->value[ACCEPTED] = ratio((double)(open ? r->accepted_flits : r->flits), room);
    for (unsigned k = 0; k < FATFLY_MAX_CLASSES; k++)
        row->value[CLASS_ACCEPTED + k] = ratio((double)(open ? r->by_class[k].accepted_flits : r->by_class[k].flits), room);
}

static void add_levels(struct fatfly_level *to, const struct fatfly_level *from)
{
    for (unsigned l = 0; l < FATFLY_MAX_STAGES; l++) {
        to[l].links = from[l].links;
        to[l].flits += from[l].flits;
        to[l].worms += from[l].worms;
        to[l].waited += from[l].waited;
        to[l].occupancy += from[l].occupancy;
    }
}

static void add_counts(uint64_t *to, const uint64_t *from, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        to[k] += from[k];
}

/* Those of a histogram that may not be empty. */
static unsigned buckets_to(uint64_t latency_max)
{
    return fatfly_bucket(latency_max) + 1;
}

#define ADD(field) to->field += r->field
#define MAX(field) to->field = r->field > to->field ? r->field : to->field

static void add_class(struct fatfly_of_class *to, const struct fatfly_of_class *r)
{
    ADD(worms);
    ADD(flits);
    ADD(measured);
    ADD(latency_sum);
    ADD(offered_flits);
    ADD(accepted_flits);
    MAX(latency_max);
    add_counts(to->histogram, r->histogram, buckets_to(r->latency_max));
}

/* Sums and maxima: in any order the same. */
static void add(struct fatfly_result *to, const struct fatfly_result *r)
{
    columns_add(to, r);
    ADD(worms);
    ADD(flits);
    ADD(self_worms);
    ADD(latency_sum);
    ADD(wait_sum);
    ADD(source_wait);
    ADD(blocked);
    ADD(measure_cycles);
    ADD(offered_flits);
    ADD(accepted_flits);
    ADD(samples);
    ADD(backlog_from);
    ADD(backlog_to);
    ADD(generated_in);
    MAX(end);
    MAX(last_arrival);
    MAX(latency_max);
    MAX(congestion);
    MAX(dilation);
    MAX(algorithm_rounds);
    MAX(load_factor);
    MAX(measure_from);
    to->warmed_up &= r->warmed_up;
    add_counts(to->histogram, r->histogram, buckets_to(r->latency_max));
    add_counts(to->batch_sum, r->batch_sum, FATFLY_BATCHES);
    add_counts(to->batch_count, r->batch_count, FATFLY_BATCHES);
    add_counts(to->series_sum, r->series_sum, FATFLY_SERIES);
    add_counts(to->series_count, r->series_count, FATFLY_SERIES);
    add_counts(to->occupied, r->occupied, FATFLY_MAX_DEPTH + 1);
    to->classes = r->classes;
    for (unsigned k = 0; k < r->classes && r->classes > 1; k++)
        add_class(&to->by_class[k], &r->by_class[k]);
    add_levels(to->up, r->up);
    add_levels(to->down, r->down);
}

#undef ADD
#undef MAX

static void records_drop(struct records *w)
{
    event_log_drop(w->log);
    timeline_drop(w->line);
    free(w->result);
    *w = (struct records){.count = 0};
}

/* Nothing is left if it fails. */
static int records_open(struct records *w, const struct settings *s, const struct fatfly_config *c, struct fail *f)
{
    if (!s->perfetto[0] && !s->events[0])
        return 0;
    w->config = *c;
    w->result = malloc(sizeof *w->result);
    int bad = w->result ? 0 : fail(f, EXIT_SYSTEM, "no memory for a run");
    if (!bad && s->perfetto[0]) {
        w->line = timeline_open(s->perfetto, &w->config, f);
        bad = w->line ? 0 : -1;
        if (!bad)
            w->told[w->count++] = timeline_observer(w->line);
    }
    if (!bad && s->events[0]) {
        w->log = event_log_open(s->events, &w->config, f);
        bad = w->log ? 0 : -1;
        if (!bad)
            w->told[w->count++] = event_log_observer(w->log);
    }
    if (bad)
        records_drop(w);
    return bad;
}

/* A trace is not kept beside a log that could not be written. */
static int records_close(struct records *w, struct fail *f)
{
    int bad = w->log ? event_log_close(w->log, w->result, f) : 0;
    w->log = NULL;
    if (w->line && !bad) {
        bad = timeline_close(w->line, w->result, f);
        w->line = NULL;
    }
    records_drop(w);
    return bad;
}

/* By the model, with a log and a trace of the first run if they are asked for.  A deadlock is no failure:
 * f has its circle. */
static int run_model(struct pool *pool, uint64_t k, const struct fatfly_config *c,
                     struct fatfly_hooks *hooks, struct fatfly_result *r, struct fail *f)
{
    char why[sizeof pool->p->why] = "";
    struct records *w = k == 0 ? &pool->records : NULL;
    struct tee tee;

    if (w && records_open(w, pool->s, c, f))
        return -1;
    hooks->observer = w ? tee_of(&tee, w->told, w->count) : NULL;
    int status = fatfly_run(c, hooks, r, why, sizeof why);
    bool began = status == FATFLY_DEADLOCK && r->end == FATFLY_DEADLOCKED;
    if (w && w->result)
        *w->result = *r;
    if (status && !began)
        return fail(f, status == FATFLY_NO_MEMORY ? EXIT_SYSTEM
                       : status == FATFLY_BROKEN || status == FATFLY_DEADLOCK
                           ? EXIT_CHECK : c->plugin ? EXIT_INPUT : EXIT_USAGE, "%s", why);
    if (began)
        fail(f, EXIT_CHECK, "%s", why);
    return 0;
}

static int run_one(struct looker *l, uint64_t k, struct fatfly_result *r, struct fail *f)
{
    struct pool *pool = l->pool;
    struct fatfly_config c = pool->s->config;
    struct fatfly_hooks hooks = {.poll = go_on, .context = l, .waits = keep_wait,
                                 .link_worms = k == 0 ? pool->p->link_worms : NULL,
                                 .histograms = one_loop(pool->s) ? pool->histogram : NULL,
                                 .ranks = shared.count > 1 ? shared.ranks : NULL};
    clockid_t clock = c.parts > 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_THREAD_CPUTIME_ID;
    double start = seconds(clock);

    c.seed = fatfly_run_seed(c.seed, k);
    r->end = FATFLY_DONE;
    l->worms = 0;
    if (pool->by ? pool->by->run(pool->by->context, &c, &hooks, r, f)
                 : run_model(pool, k, &c, &hooks, r, f))
        return -1;
    keep(&pool->row[k], &c, r);
    pool->row[k].cpu_s = seconds(clock) - start;
    return 0;
}

/* -- all runs ---------------------------------------------------------------------------------- */

/* The run to do next; false if there is none. */
static bool take(struct pool *pool, uint64_t *k)
{
    pthread_mutex_lock(&pool->lock);
    bool more = !pool->stop && !point_interrupted && pool->next < pool->s->runs;
    if (more)
        *k = pool->next++;
    pthread_mutex_unlock(&pool->lock);
    return more;
}

/* Histograms for the intervals of the quantiles: of one open loop's batches, or of as many parts of the runs. */
static unsigned parts_of(const struct settings *s)
{
    return one_loop(s) || s->runs > FATFLY_BATCHES ? FATFLY_BATCHES : (unsigned)s->runs;
}

/* The part that run k is in. */
static unsigned part_of(const struct settings *s, uint64_t k)
{
    return (unsigned)(s->runs <= FATFLY_BATCHES ? k : k * FATFLY_BATCHES / s->runs);
}

static void keep_histogram(struct pool *pool, uint64_t k, const struct fatfly_result *r)
{
    uint32_t *to = pool->histogram[part_of(pool->s, k)];
    if (one_loop(pool->s))
        return; /* its batches' are there */
    for (unsigned b = 0; b < buckets_to(r->latency_max); b++)
        to[b] += (uint32_t)r->histogram[b];
}

/* The circle of run k is that of the first that deadlocked, as far as is known. */
static void keep_circle(struct point *p, const struct looker *l, uint64_t k, const char *why)
{
    p->first_deadlock = k;
    snprintf(p->why, sizeof p->why, "%s", why);
    if (!p->circle)
        p->circle = malloc(sizeof l->circle);
    p->circle_worms = l->worms;
    p->circle_length = !p->circle ? 0 : l->worms < LONGEST_CIRCLE ? l->worms : LONGEST_CIRCLE;
    if (p->circle)
        memcpy(p->circle, l->circle, p->circle_length * sizeof *p->circle);
}

static void give(const struct looker *l, uint64_t k, const struct fatfly_result *r, int bad,
                 const struct fail *f)
{
    struct pool *pool = l->pool;
    struct point *p = pool->p;
    pthread_mutex_lock(&pool->lock);
    if (bad) {
        if (!pool->stop)
            pool->fail = *f;
        pool->stop = true;
    } else if (r->end == FATFLY_STOPPED) {
        pool->stop = true;
    } else {
        add(&p->sum, r);
        keep_histogram(pool, k, r);
        if (r->measure_cycles < p->shortest)
            p->shortest = r->measure_cycles;
        p->saturated += r->end == FATFLY_SATURATED;
        p->slowly += interval_slowly(r);
        p->cut += r->end == FATFLY_CUT;
        if (r->end == FATFLY_DEADLOCKED && (p->deadlocked++ == 0 || k < p->first_deadlock))
            keep_circle(p, l, k, f->text);
        pool->done++;
        if (pool->progress)
            pool->progress(pool->context, pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
}

static void *work(void *context)
{
    struct pool *pool = context;
    struct fatfly_result *r = malloc(sizeof *r);
    struct fail f = {.code = EXIT_OK};
    struct looker l = {.pool = pool};
    uint64_t k;
    if (!r) {
        fail(&f, EXIT_SYSTEM, "no memory for a run");
        give(&l, 0, NULL, -1, &f);
        return NULL;
    }
    while (take(pool, &k)) {
        int bad = run_one(&l, k, r, &f);
        give(&l, k, r, bad, &f);
    }
    free(r);
    return NULL;
}

/* Threads that the runs, the cores and the memory leave room for; runs in parts take turns. */
static unsigned threads_for(const struct settings *s, unsigned threads)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    double fit = 0.8 * settings_memory() / (double)(fatfly_memory(&s->config) + 1);
    if (!threads)
        threads = cores > 0 ? (unsigned)cores : 1;
    if (threads > s->runs)
        threads = (unsigned)s->runs;
    if ((double)threads > fit)
        threads = (unsigned)fit;
    return threads && s->config.parts <= 1 ? threads : 1;
}

/* This thread works, too: one is enough where no more can be had. */
static void run_all(struct pool *pool, unsigned threads)
{
    pthread_t *other = threads > 1 ? calloc(threads - 1, sizeof *other) : NULL;
    unsigned count = 0;
    while (other && count < threads - 1 && pthread_create(&other[count], NULL, work, pool) == 0)
        count++;
    work(pool);
    for (unsigned k = 0; k < count; k++)
        pthread_join(other[k], NULL);
    free(other);
}

/* -- what they say together -------------------------------------------------------------------- */

/* Mean and interval of a value over rows, without those that have none. */
static struct figure figure(const struct row *row, enum value which, uint64_t count)
{
    struct figure g = {NAN, NAN, NAN, NAN};
    double sum = 0, square = 0;
    uint64_t n = 0;
    for (uint64_t k = 0; k < count; k++) {
        double v = row[k].value[which];
        if (isnan(v))
            continue;
        sum += v;
        g.low = n && g.low < v ? g.low : v;
        g.high = n && g.high > v ? g.high : v;
        n++;
    }
    g.mean = ratio(sum, (double)n);
    if (n < 2)
        return g;
    for (uint64_t k = 0; k < count; k++) {
        double d = row[k].value[which] - g.mean;
        square += isnan(d) ? 0 : d * d;
    }
    double degrees = (double)(n - 1);
    double error = sqrt(square / degrees / (double)n);
    g.ci99 = error > 0 ? interval_student(0.005, (unsigned)(n - 1)) * error : 0;
    return g;
}

/* By how much a static run differs that has one obstacle more: a worm's length, or a round. */
static double obstacle(const struct point *p, const struct fatfly_config *c)
{
    return p->sum.algorithm_rounds ? p->last_arrival.mean / p->sum.algorithm_rounds : c->length;
}

static void judge_one(struct point *p)
{
    struct fatfly_judgement j;

    fatfly_judge(&p->sum, &j);
    p->verdict = j.verdict;
    p->batches = j.batches;
    p->cycles_needed = j.cycles;
    p->within = (struct interval){j.low, j.high};
    p->latency.ci99 = (j.high - j.low) / 2;
}

static struct interval over_runs(const struct pool *pool, enum value which, double unit, double *value)
{
    size_t count = 0;

    for (uint64_t k = 0; k < pool->p->runs; k++)
        if (!isnan(pool->row[k].value[which]))
            value[count++] = pool->row[k].value[which];
    return interval_of_runs(value, count, unit);
}

/* An obstacle delays the last worm by all of it, the mean of the worms by a part. */
static void judge_runs(const struct pool *pool, double *value)
{
    struct point *p = pool->p;
    const struct fatfly_config *c = &pool->s->config;
    bool open = c->load > 0;

    if (open)
        p->verdict = interval_judge_runs(&p->sum, p->runs, p->shortest, p->slowly == p->saturated,
                                         &p->cycles_needed);
    if (!open || p->verdict == FATFLY_STABLE)
        p->within = over_runs(pool, LATENCY, open ? 0 : obstacle(p, c) / 4, value);
    if (!open)
        p->last_within = over_runs(pool, LAST_ARRIVAL, obstacle(p, c), value);
}

/* Intervals of the mean and of the quantiles, where there is something to say. */
static int judge(const struct pool *pool)
{
    struct point *p = pool->p;
    bool by_batches = one_loop(pool->s);
    double *value = malloc((size_t)p->runs * sizeof *value);

    p->within = p->last_within = (struct interval){NAN, NAN};
    for (unsigned k = 0; k < QUANTILES; k++)
        p->quantile[k] = p->within;
    if (!value)
        return -1;
    if (by_batches)
        judge_one(p);
    else
        judge_runs(pool, value);
    free(value);
    p->apart = (p->within.high - p->within.low) / 2 / p->latency.mean;
    if (p->verdict == FATFLY_UNSTABLE && p->sum.end == FATFLY_DONE) {
        p->saturated = p->runs;
        p->sum.end = FATFLY_SATURATED;
    }
    bool open = pool->s->config.load > 0;
    double pieces = open
                        ? interval_pieces(&p->sum, by_batches ? p->sum.measure_cycles : p->runs * p->shortest)
                        : (double)p->runs;
    for (unsigned k = 0; k < QUANTILES; k++)
        if (point_has_latency(p) && !isnan(p->within.low) && interval_knows_quantile(pieces, point_quantile[k], open)) {
            struct interval *i = &p->quantile[k];
            *i = interval_of_quantile(pool->histogram, parts_of(pool->s), buckets_to(p->sum.latency_max), by_batches,
                                      point_quantile[k]);
            double far = (double)fatfly_quantile(&p->sum, point_quantile[k]);
            if (open && !isnan(i->high))
                i->high = fmax(i->high, ceil(interval_tail_end(far, p->latency.mean, p->within.high)));
        }
    return 0;
}

static int combine(const struct pool *pool)
{
    const struct row *row = pool->row;
    struct point *p = pool->p;
    uint64_t runs = pool->s->runs;

    p->runs = runs;
    p->latency = figure(row, LATENCY, runs);
    p->last_arrival = figure(row, LAST_ARRIVAL, runs);
    p->congestion = figure(row, CONGESTION, runs);
    p->accepted = figure(row, ACCEPTED, runs);
    p->source_wait = figure(row, SOURCE_WAIT, runs);
    p->blocked = figure(row, BLOCKED, runs);
    p->wait = figure(row, WAIT, runs);
    for (unsigned k = 0; k < FATFLY_MAX_CLASSES; k++)
        p->class_accepted[k] = figure(row, (enum value)(CLASS_ACCEPTED + k), runs).mean;
    for (uint64_t k = 0; k < runs; k++) {
        p->digest = rng_hash(p->digest ^ row[k].digest);
        p->cpu_s += row[k].cpu_s;
    }
    return judge(pool);
}

/* Leaves pool->records open if it is done, else nothing. */
static int run_pool(struct pool *pool, unsigned threads, struct fail *f)
{
    const struct settings *s = pool->s;
    struct point *p = pool->p;
    double start = seconds(CLOCK_MONOTONIC);

    memset(p, 0, sizeof *p);
    p->sum.warmed_up = true; /* until a run says otherwise, whichever ends first */
    p->shortest = UINT64_MAX;
    pool->row = calloc((size_t)s->runs, sizeof *pool->row);
    if (s->links[0])
        p->link_worms = calloc(fatfly_links(&s->config), sizeof *p->link_worms);
    pool->histogram = calloc(parts_of(s), sizeof *pool->histogram);
    if (!pool->row || !pool->histogram || (s->links[0] && !p->link_worms)) {
        free(pool->row);
        free(pool->histogram);
        point_free(p);
        return fail(f, EXIT_SYSTEM, "no memory for %llu runs", (unsigned long long)s->runs);
    }
    pthread_mutex_init(&pool->lock, NULL);
    run_all(pool, threads);
    pthread_mutex_destroy(&pool->lock);
    bool whole = pool->done == s->runs;
    if (whole && combine(pool)) {
        whole = false;
        fail(&pool->fail, EXIT_SYSTEM, "no memory for %llu runs", (unsigned long long)s->runs);
    }
    p->wall_s = seconds(CLOCK_MONOTONIC) - start;
    free(pool->row);
    free(pool->histogram);
    if (whole)
        return 0;
    records_drop(&pool->records);
    point_free(p);
    if (pool->fail.code == EXIT_OK)
        return fail(f, EXIT_SYSTEM, "interrupted after %llu of %llu runs; nothing was written",
                    (unsigned long long)pool->done, (unsigned long long)s->runs);
    *f = pool->fail;
    return -1;
}

uint64_t point_limit(const struct settings *s)
{
    uint64_t usual = USUAL_LIMIT * s->config.cycles;
    uint64_t limit = s->config.max_cycles ? s->config.max_cycles : usual;
    return limit < MOST_CYCLES ? limit : MOST_CYCLES;
}

bool point_imprecise(const struct settings *s, const struct point *p)
{
    return s->precision > 0 && p->verdict != FATFLY_UNSTABLE && !(p->apart <= s->precision);
}

int point_run(const struct settings *s, unsigned threads, void (*progress)(void *, uint64_t done),
              void *context, struct point *p, struct fail *f)
{
    struct settings longer = *s; /* what it points to is s's */
    struct pool pool = {.s = &longer, .progress = progress, .context = context, .p = p};
    uint64_t limit = point_limit(s);
    double cpu_s = 0, wall_s = 0;

    if (s->precision > 0)
        longer.config.max_cycles = 0;
    while (!run_pool(&pool, threads_for(s, threads), f)) {
        cpu_s = p->cpu_s += cpu_s;
        wall_s = p->wall_s += wall_s;
        if (!(s->precision > 0) || p->deadlocked || !point_imprecise(s, p) || longer.config.cycles >= limit) {
            int bad = records_close(&pool.records, f);
            if (bad)
                point_free(p);
            return bad;
        }
        longer.config.cycles = longer.config.cycles < limit / 2 ? 2 * longer.config.cycles : limit;
        records_drop(&pool.records);
        point_free(p);
        pool = (struct pool){.s = &longer, .progress = progress, .context = context, .p = p};
    }
    return -1;
}

int point_run_by(const struct settings *s, const struct runner *by,
                 void (*progress)(void *, uint64_t done), void *context, struct point *p,
                 struct fail *f)
{
    struct pool pool = {.s = s, .by = by, .progress = progress, .context = context, .p = p};
    return run_pool(&pool, 1, f);
}

void point_free(struct point *p)
{
    free(p->link_worms);
    free(p->circle);
    p->link_worms = NULL;
    p->circle = NULL;
}
