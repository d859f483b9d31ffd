/* SPDX-License-Identifier: Apache-2.0
 * point.c - the independent runs of a point, on several threads, and what they say together.
 *
 * Run k has seed fatfly_run_seed(seed, k) and writes only row k; rows are combined in order, and
 * what the threads add up as they end are whole numbers and maxima.  So neither the number of
 * threads nor their timing can matter.
 */
#include "point.h"

#include "rng.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

enum value { LATENCY, LAST_ARRIVAL, CONGESTION, ACCEPTED, SOURCE_WAIT, BLOCKED, VALUES };

/* What is kept of a run. */
struct row {
    double value[VALUES]; /* NaN: it has none */
    uint64_t digest;
    double cpu_s;
};

struct pool {
    const struct settings *s;
    const struct runner *by; /* NULL: fatfly_run() */
    void (*progress)(void *, uint64_t done);
    void *context;
    struct point *p;
    struct row *row;      /* [runs] */
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

/* -- one run ----------------------------------------------------------------------------------- */

static bool go_on(void *context, uint64_t cycle, uint64_t delivered)
{
    struct pool *pool = context;
    (void)cycle;
    (void)delivered;
    return !point_interrupted && !pool->stop;
}

static void keep(struct row *row, const struct fatfly_config *c, const struct fatfly_result *r)
{
    double worms = (double)r->measured, nodes = c->nodes;
    row->digest = r->digest;
    row->value[CONGESTION] = r->congestion;
    row->value[SOURCE_WAIT] = ratio((double)r->source_wait, worms);
    row->value[BLOCKED] = ratio((double)r->blocked, worms);
    row->value[LATENCY] = ratio((double)r->latency_sum, worms);
    row->value[LAST_ARRIVAL] = NAN;
    if (c->load > 0) {
        row->value[ACCEPTED] = ratio((double)r->accepted_flits, (double)r->measure_cycles * nodes);
    } else {
        double cycles = (double)(r->last_arrival + 1);
        row->value[LAST_ARRIVAL] = r->measured ? cycles - 1 : NAN;
        row->value[ACCEPTED] = ratio((double)r->flits, r->measured ? cycles * nodes : 0);
    }
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

#define ADD(field) to->field += r->field
#define MAX(field) to->field = r->field > to->field ? r->field : to->field

/* Sums and maxima: in any order the same. */
static void add(struct fatfly_result *to, const struct fatfly_result *r, bool first)
{
    ADD(cycles);
    ADD(flit_hops);
    ADD(worms);
    ADD(flits);
    ADD(self_worms);
    ADD(measured);
    ADD(latency_sum);
    ADD(wait_sum);
    ADD(source_wait);
    ADD(blocked);
    ADD(measure_cycles);
    ADD(offered_flits);
    ADD(accepted_flits);
    ADD(samples);
    MAX(end);
    MAX(last_arrival);
    MAX(latency_max);
    MAX(congestion);
    MAX(dilation);
    MAX(algorithm_rounds);
    MAX(load_factor);
    MAX(measure_from);
    to->warmed_up = r->warmed_up && (first || to->warmed_up);
    add_counts(to->histogram, r->histogram, FATFLY_BUCKETS);
    add_counts(to->batch_sum, r->batch_sum, FATFLY_BATCHES);
    add_counts(to->batch_count, r->batch_count, FATFLY_BATCHES);
    add_counts(to->occupied, r->occupied, FATFLY_MAX_DEPTH + 1);
    add_levels(to->up, r->up);
    add_levels(to->down, r->down);
}

#undef ADD
#undef MAX

static int run_one(struct pool *pool, uint64_t k, struct fatfly_result *r, struct fail *f)
{
    struct fatfly_config c = pool->s->config;
    struct fatfly_hooks hooks = {.poll = go_on, .context = pool,
                                 .link_worms = k == 0 ? pool->p->link_worms : NULL};
    char why[sizeof pool->p->why] = "";
    double start = seconds(CLOCK_THREAD_CPUTIME_ID);

    c.seed = fatfly_run_seed(c.seed, k);
    r->end = FATFLY_DONE;
    if (pool->by) {
        if (pool->by->run(pool->by->context, &c, &hooks, r, f))
            return -1;
    } else {
        int status = fatfly_run(&c, &hooks, r, why, sizeof why);
        bool began = status == FATFLY_DEADLOCK && r->end == FATFLY_DEADLOCKED;
        if (status && !began)
            return fail(f, status == FATFLY_NO_MEMORY ? EXIT_SYSTEM
                           : status == FATFLY_BROKEN || status == FATFLY_DEADLOCK
                               ? EXIT_CHECK : c.plugin ? EXIT_INPUT : EXIT_USAGE, "%s", why);
        if (began)
            fail(f, EXIT_CHECK, "%s", why);
    }
    keep(&pool->row[k], &c, r);
    pool->row[k].cpu_s = seconds(CLOCK_THREAD_CPUTIME_ID) - start;
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

static void give(struct pool *pool, uint64_t k, const struct fatfly_result *r, int bad,
                 const struct fail *f)
{
    struct point *p = pool->p;
    pthread_mutex_lock(&pool->lock);
    if (bad) {
        if (!pool->stop)
            pool->fail = *f;
        pool->stop = true;
    } else if (r->end == FATFLY_STOPPED) {
        pool->stop = true;
    } else {
        add(&p->sum, r, pool->done == 0);
        p->saturated += r->end == FATFLY_SATURATED;
        p->cut += r->end == FATFLY_CUT;
        if (r->end == FATFLY_DEADLOCKED && (p->deadlocked++ == 0 || k < p->first_deadlock)) {
            p->first_deadlock = k;
            snprintf(p->why, sizeof p->why, "%s", f->text);
        }
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
    uint64_t k;
    if (!r) {
        fail(&f, EXIT_SYSTEM, "no memory for a run");
        give(pool, 0, NULL, -1, &f);
        return NULL;
    }
    while (take(pool, &k)) {
        int bad = run_one(pool, k, r, &f);
        give(pool, k, r, bad, &f);
    }
    free(r);
    return NULL;
}

/* Threads that the runs, the cores and the memory leave room for. */
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
    return threads ? threads : 1;
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
    g.ci99 = error > 0 ? gsl_cdf_tdist_Pinv(0.995, degrees) * error : 0;
    return g;
}

/* One long run: its batches in place of runs (spec, section 6).  The mean stays that of all
 * worms. */
static void batch_means(struct figure *latency, const struct fatfly_result *r)
{
    struct row batch[FATFLY_BATCHES];
    for (unsigned k = 0; k < FATFLY_BATCHES; k++)
        batch[k].value[LATENCY] = ratio((double)r->batch_sum[k], (double)r->batch_count[k]);
    struct figure g = figure(batch, LATENCY, FATFLY_BATCHES);
    latency->ci99 = g.ci99;
    latency->low = g.low;
    latency->high = g.high;
}

static void combine(const struct pool *pool)
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
    if (runs == 1 && pool->s->config.load > 0)
        batch_means(&p->latency, &p->sum);
    for (uint64_t k = 0; k < runs; k++) {
        p->digest = rng_hash(p->digest ^ row[k].digest);
        p->cpu_s += row[k].cpu_s;
    }
}

static int run_pool(struct pool *pool, unsigned threads, struct fail *f)
{
    const struct settings *s = pool->s;
    struct point *p = pool->p;
    double start = seconds(CLOCK_MONOTONIC);

    memset(p, 0, sizeof *p);
    pool->row = calloc((size_t)s->runs, sizeof *pool->row);
    if (s->links[0])
        p->link_worms = calloc(fatfly_links(&s->config), sizeof *p->link_worms);
    if (!pool->row || (s->links[0] && !p->link_worms)) {
        free(pool->row);
        point_free(p);
        return fail(f, EXIT_SYSTEM, "no memory for %llu runs", (unsigned long long)s->runs);
    }
    pthread_mutex_init(&pool->lock, NULL);
    run_all(pool, threads);
    pthread_mutex_destroy(&pool->lock);
    bool whole = pool->done == s->runs;
    if (whole)
        combine(pool);
    p->wall_s = seconds(CLOCK_MONOTONIC) - start;
    free(pool->row);
    if (whole)
        return 0;
    point_free(p);
    if (pool->fail.code == EXIT_OK)
        return fail(f, EXIT_SYSTEM, "interrupted after %llu of %llu runs; nothing was written",
                    (unsigned long long)pool->done, (unsigned long long)s->runs);
    *f = pool->fail;
    return -1;
}

int point_run(const struct settings *s, unsigned threads, void (*progress)(void *, uint64_t done),
              void *context, struct point *p, struct fail *f)
{
    struct pool pool = {.s = s, .progress = progress, .context = context, .p = p};
    return run_pool(&pool, threads_for(s, threads), f);
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
    p->link_worms = NULL;
}
