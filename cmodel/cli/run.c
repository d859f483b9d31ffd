/* SPDX-License-Identifier: Apache-2.0
 * run.c - `fatfly run`: one point of an experiment, by the model or by the Verilog.
 */
#include "commands.h"
#include "hardware.h"
#include "life.h"
#include "outfile.h"
#include "point.h"
#include "shared.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int play(int argc, char *const argv[], struct fail *f);

const struct command run_command = {
    "run", "simulate a network: one point of an experiment", "[OPTION]...",
    "Simulates a network of switches cycle by cycle and reports how long its worms take; it is a "
    "butterfly fat-tree unless --topology names another.  Without --load the runs are static: every "
    "processor sends one worm, and a run ends when all have arrived.  With --load the run is an open "
    "loop: worms arrive at random.  Without any option: 30 static runs of 64 processors, worms of 32 "
    "flits to random processors.",
    "Names in files have underscores for hyphens: delay_range = 6; self_traffic = true;\n\n"
    "exit codes: 0 done, 1 a check failed, 2 usage, 3 bad input file, 4 missing library, memory or "
    "disk space, or interrupted, 5 saturated (only with --fail-saturated)",
    NULL, NULL, 0, settings_help, NULL, .play = play};

/* -- files ------------------------------------------------------------------------------------- */

static void print_point(const struct settings *s, const struct point *p, FILE *out)
{
    switch (s->format) {
    case FORMAT_CSV:
        point_csv_header(out);
        point_csv(s, p, out);
        break;
    case FORMAT_JSON:
        point_json(s, p, out);
        break;
    default:
        point_table(s, p, out);
        break;
    }
}

static int write_all(const struct settings *s, const struct point *p, struct fail *f)
{
    struct outfile o;
    if (s->histogram[0]) {
        if (outfile_open(&o, s->histogram, f))
            return -1;
        point_histogram(p, o.out);
        if (outfile_close(&o, f))
            return -1;
    }
    if (s->links[0]) {
        if (outfile_open(&o, s->links, f))
            return -1;
        point_links(s, p, o.out);
        if (outfile_close(&o, f))
            return -1;
    }
    if (!s->output[0]) {
        print_point(s, p, stdout);
        return 0;
    }
    if (outfile_open(&o, s->output, f))
        return -1;
    print_point(s, p, o.out);
    return outfile_close(&o, f);
}

/* A file that cannot be written is better known before a long run than after it. */
static int try_outputs(const struct settings *s, struct fail *f)
{
    const char *const files[] = {s->output, s->histogram, s->links, s->events, s->perfetto};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        struct outfile o;
        struct stat there;
        if (!*files[k] || (stat(files[k], &there) == 0 && !S_ISREG(there.st_mode) &&
                           !S_ISDIR(there.st_mode)))
            continue;
        if (outfile_open(&o, files[k], f))
            return -1;
        outfile_drop(&o);
    }
    return 0;
}

/* -- who looks on ------------------------------------------------------------------------------ */

/* A thread beside the runs: on a terminal it shows how far they are, and it ends the program if
 * they do not end soon after Ctrl-C (a large network is polled rarely). */
struct onlooker {
    pthread_t thread;
    bool started;
    pthread_mutex_t lock;
    pthread_cond_t change;
    bool over;
    uint64_t done, runs;
    const struct settings *s;
};

enum { LOOKS_PER_SECOND = 5 };

static void show(const struct onlooker *o, unsigned looks)
{
    unsigned long passed = looks / LOOKS_PER_SECOND;
    fprintf(stderr, "\r\033[K[%llu/%llu runs] %lu s", (unsigned long long)o->done,
            (unsigned long long)o->runs, passed);
    if (o->done)
        fprintf(stderr, ", about %.0f s left",
                (double)passed / (double)o->done * (double)(o->runs - o->done));
}

static void *look_on(void *context)
{
    struct onlooker *o = context;
    bool terminal = isatty(STDERR_FILENO);
    bool shown = false;
    unsigned interrupted = 0;
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    pthread_mutex_lock(&o->lock);
    for (unsigned looks = 1; !o->over; looks++) {
        until.tv_nsec += 1000000000 / LOOKS_PER_SECOND;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        while (!o->over && pthread_cond_timedwait(&o->change, &o->lock, &until) == 0)
            ;
        if (o->over)
            break;
        if (terminal && looks % LOOKS_PER_SECOND == 0) {
            show(o, looks);
            shown = true;
        }
        interrupted += point_interrupted != 0;
        if (interrupted > LOOKS_PER_SECOND) {
            fprintf(stderr, "%sfatfly run: interrupted after %llu of %llu runs; nothing was "
                    "written\n", shown ? "\r\033[K" : "", (unsigned long long)o->done,
                    (unsigned long long)o->runs);
            if (o->s->events[0])
                outfile_forget(o->s->events);
            if (o->s->perfetto[0])
                outfile_forget(o->s->perfetto);
            _exit(EXIT_SYSTEM);
        }
    }
    if (shown)
        fprintf(stderr, "\r\033[K");
    pthread_mutex_unlock(&o->lock);
    return NULL;
}

static void onlooker_start(struct onlooker *o, const struct settings *s)
{
    memset(o, 0, sizeof *o);
    o->s = s;
    o->runs = s->runs;
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->change, NULL);
    o->started = pthread_create(&o->thread, NULL, look_on, o) == 0;
}

static void onlooker_end(struct onlooker *o)
{
    pthread_mutex_lock(&o->lock);
    o->over = true;
    pthread_cond_signal(&o->change);
    pthread_mutex_unlock(&o->lock);
    if (o->started)
        pthread_join(o->thread, NULL);
    pthread_cond_destroy(&o->change);
    pthread_mutex_destroy(&o->lock);
}

static void on_progress(void *context, uint64_t done)
{
    struct onlooker *o = context;
    pthread_mutex_lock(&o->lock);
    o->done = done;
    pthread_mutex_unlock(&o->lock);
}

/* -- the Verilog, and looking inside ----------------------------------------------------------- */

static int rtl_point(const struct settings *s, struct onlooker *o, struct point *p, struct fail *f)
{
    struct runner by = {.run = hardware.run};
    if (hardware.load(&s->config, s->build, &by.context, f))
        return -1;
    int bad = point_run_by(s, &by, on_progress, o, p, f);
    p->partial = true;
    return bad;
}

/* The first run once more, with somebody looking inside. */
static int look_inside(const struct settings *s, struct fail *f)
{
    struct fatfly_config c = s->config;
    FILE *out = s->format == FORMAT_TABLE && !s->output[0] ? stdout : stderr;

    c.seed = fatfly_run_seed(c.seed, 0);
    int bad = 0;
    if (settings_probed(s))
        bad = hardware.look(&c, s->waves[0] ? s->waves : NULL, (uint32_t)s->watch, out, f);
    if (!settings_probed(s) && s->watch)
        bad = life_run(&c, (uint32_t)s->watch, out, f);
    if (!settings_probed(s) && s->waves[0] && !bad)
        bad = hardware.waves(&c, s->waves, s->waves_from, s->waves_to ? s->waves_to : UINT64_MAX, f);
    if (!bad && s->watch)
        fputc('\n', out);
    return bad;
}

/* -- the command ------------------------------------------------------------------------------- */

static int run_point(const struct settings *s, struct point *p, struct fail *f)
{
    struct onlooker o;
    int bad;
    if ((s->waves[0] || s->watch) && look_inside(s, f))
        return -1;
    if (!s->rtl && shared.count <= 1) /* those do not poll, or not alike: there Ctrl-C ends the program */
        point_catch_signals();
    onlooker_start(&o, s);
    bad = s->rtl ? rtl_point(s, &o, p, f)
                 : point_run(s, (unsigned)s->threads, on_progress, &o, p, f);
    onlooker_end(&o);
    return bad;
}

static int run(const struct settings *s, struct fail *f)
{
    struct point p;
    if (run_point(s, &p, f))
        return -1;
    int bad = shared_first() ? write_all(s, &p, f) : 0;
    point_free(&p);
    if (bad)
        return -1;
    if (s->format != FORMAT_TABLE && point_half_rate(s))
        fprintf(stderr, "fatfly run: %s\n", point_half_rate_text);
    if (s->format != FORMAT_TABLE && s->config.load <= 0 && point_has_latency(&p))
        fprintf(stderr, "fatfly run: %s\n", point_old_name_text);
    if (s->format != FORMAT_TABLE && point_imprecise(s, &p))
        fprintf(stderr, "fatfly run: not within %g %% of the mean after %llu cycles (--max-cycles)\n",
                100 * s->precision, (unsigned long long)p.shortest);
    if (p.deadlocked)
        return fail(f, EXIT_CHECK, "%s", p.why);
    if (s->fail_saturated && p.saturated && p.verdict == FATFLY_UNSTABLE)
        return fail(f, EXIT_SATURATED, "saturated: accepts %.4g of %.4g flits per cycle and "
                    "processor", p.accepted.mean, s->config.load);
    return 0;
}

/* Only its size keeps it on one thread. */
static bool small_tree(const struct fatfly_config *c)
{
    struct fatfly_config larger = *c;
    larger.nodes = FATFLY_SMALLEST_SHARED;
    return !c->topology && fatfly_parts(&larger) > 1;
}

/* One run in parts, where that is faster; who asked for more than it gets is told. */
static void settle_parts(struct settings *s)
{
    bool watched = settings_watched(s);
    unsigned asked = s->config.parts, has = watched ? 1 : fatfly_parts(&s->config);
    if (asked == 1 || shared.count > 1)
        return;
    if (watched && fatfly_parts(&s->config) > 1)
        fprintf(stderr, "fatfly run: a run stays on one thread: --%s follows every flit\n",
                s->events[0] ? "events" : s->perfetto[0] ? "perfetto" : s->waves[0] ? "waves" : "watch");
    else if (has == 1 && small_tree(&s->config))
        fprintf(stderr, "fatfly run: a run stays on one thread: N = %u is done sooner so than on several, which "
                "pay from N = %d on\n", s->config.nodes, FATFLY_SMALLEST_SHARED);
    else if (has == 1)
        fprintf(stderr, "fatfly run: a run stays on one thread: only worm and phased on a fat-tree with one "
                "virtual channel, without replies, plug-in or engine cycle, have parts\n");
    else if (has < asked)
        fprintf(stderr, "fatfly run: a run has %u threads: N = %u has no more parts\n", has, s->config.nodes);
    s->config.parts = has;
}

static int play(int argc, char *const argv[], struct fail *f)
{
    struct settings s;
    if (args_help(&run_command, argc, argv))
        return 0;
    int bad = settings_parse(&s, IN_RUN, argc, argv, f) || shared_prepare(&s, f) || settings_finish(&s, f) ||
              shared_check(&s, f) || (shared_first() && try_outputs(&s, f));
    bad = shared_agree(&s, bad, f);
    if (!bad) {
        settle_parts(&s);
        shared_tell(&s);
        bad = run(&s, f);
    }
    settings_free(&s);
    return bad ? -1 : 0;
}
