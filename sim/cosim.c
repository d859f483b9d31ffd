/* SPDX-License-Identifier: Apache-2.0
 * cosim.c - `fatfly cosim`: the regression that holds the C model and the Verilog together.
 *
 * Each case runs in a process of its own, so a crash is one failed case, and several run at once.
 */
#include "cases.h"
#include "cover.h"
#include "explain.h"
#include "library.h"
#include "lockstep.h"
#include "commands.h"
#include "options.h"
#include "page.h"
#include "report.h"
#include "split.h"
#include "task.h"
#include "text.h"
#include "watch.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct job {
    const struct cosim_case *item;
    pid_t pid;
    int result; /* pipe end */
    bool started;
    bool done;
};

struct run {
    const struct cosim_case *item;
    const struct options *o;
    const struct dut_ops *ops[2];
    struct stimulus stimulus;
};

static int open_run(struct run *r, struct fail *f)
{
    struct config config = r->item->config;
    const struct options *o = r->o;
    char shape[64];
    char lib[800];

    if (o->seeded)
        config.set.config.seed = o->seed;
    dut_shape_name(&config.shape, shape, sizeof shape);
    snprintf(lib, sizeof lib, "%s/rtl/%s.so", o->build, shape);
    if (o->side == SIDE_RTL && config.shape.bare && (o->waves || o->watch))
        return fail(f, EXIT_USAGE, "%s with --side rtl of Verilog without its probe, which shows nothing inside; allowed: --side "
                    "both or c", o->watch ? "--watch" : "--waves");
    unsigned sides = 0;
    if (o->side != SIDE_RTL) {
        r->ops[sides] = dut_model(&config.shape);
        if (o->c && library_load(o->c, NULL, &r->ops[sides], f))
            return -1;
        sides++;
    }
    if (o->side != SIDE_C &&
        library_load(o->rtl ? o->rtl : lib, o->rtl ? NULL : o->build, &r->ops[sides++], f))
        return -1;
    return o->worms ? stimulus_read(&r->stimulus, &config, o->worms, f)
                    : stimulus_make(&r->stimulus, &config, f);
}

static void put_option(FILE *out, const char *option, const char *value)
{
    fprintf(out, " %s ", option);
    text_shell(out, value);
}

/* The command that runs that case alone, but for --worms.  seed NULL: a bench, which has none. */
static void put_repeat(FILE *out, const struct options *o, const char *name, const uint64_t *seed)
{
    fputs("build/fatfly cosim", out);
    put_option(out, o->config ? "--config" : "--case", o->config ? o->config : name);
    if (seed)
        fprintf(out, " --seed %" PRIu64, *seed);
    if (o->rtl)
        put_option(out, "--rtl", o->rtl);
    if (o->c)
        put_option(out, "--c", o->c);
    if (strcmp(o->build, "build") != 0)
        put_option(out, "--build", o->build);
    if (strcmp(o->sim, "sim") != 0)
        put_option(out, "--sim", o->sim);
    if (o->side != SIDE_BOTH)
        put_option(out, "--side", o->side == SIDE_C ? "c" : "rtl");
    if (o->max_cycles)
        fprintf(out, " --max-cycles %" PRIu64, o->max_cycles);
    if (o->outputs_only)
        fputs(" --outputs-only", out);
}

/* Runs a case and fills its row; what a person should read goes to out.  hits: NULL, or where to
 * count the points of cover.h that a case which passes has met. */
static int run_lockstep(const struct cosim_case *item, const struct options *o,
                        struct report_row *row, uint64_t *hits, FILE *out, struct fail *f)
{
    struct run r = {.item = item, .o = o};
    struct lockstep_options lo = {.max_cycles = o->max_cycles,
                                  .outputs_only = o->outputs_only || item->config.shape.bare};
    struct lockstep_result result;
    struct cover *cover = NULL;
    char folder[600];

    if (open_run(&r, f)) {
        stimulus_free(&r.stimulus);
        return -1;
    }
    int bad = 0;
    if (o->waves || o->watch) {
        struct watch w = {.ops = {r.ops[0], r.ops[1]}, 
                          .stimulus = &r.stimulus, .options = &lo, .waves = o->waves,
                          .from = o->from, .to = o->to, .worm = (uint32_t)o->watch};
        bad = watch_run(&w, out, f);
    }
    /* Its points are of fat-trees, and of what both sides show. */
    if (!bad && hits && !item->config.shape.cube.radix && !item->config.shape.bare) {
        cover = cover_new(&r.stimulus.shape);
        if (!cover)
            bad = fail(f, EXIT_SYSTEM, "%s: no memory for its coverage", item->name);
        lo.watch = cover_look;
        lo.context = cover;
    }
    if (!bad)
        lockstep_run(r.ops, &r.stimulus, &lo, &result);
    lo.watch = NULL;
    if (!bad && result.end == END_MEMORY)
        bad = fail(f, EXIT_SYSTEM, "%s: %s", item->name, result.why);
    if (bad) {
        cover_free(cover);
        stimulus_free(&r.stimulus);
        return -1;
    }
    row->seed = r.stimulus.seed;
    row->cycles = result.cycles;
    row->worms = result.totals.worms_delivered;
    row->flits = result.totals.flits_delivered;
    row->links = result.compared;
    row->switch_cycles = r.ops[1] ? result.cycles * dut_switches(&r.stimulus.shape) : 0;
    row->latency_max = result.totals.latency_max;
    row->last = result.totals.last_arrival;
    row->digest = result.totals.digest;
    row->seconds = result.seconds;
    row->passed = result.end == END_DONE || (result.end == END_CUT && o->max_cycles);
    bool judged = result.end == END_DONE && item->exact && !o->worms; /* a case that is cut has no last tail */
    if (judged && result.totals.last_arrival != item->expect) {
        row->passed = false;
        snprintf(row->why, sizeof row->why, "the last tail arrives in cycle %" PRIu64
                 ", not in cL + d - 2 = %" PRIu64, result.totals.last_arrival, item->expect);
        fprintf(out, "%s: %s\n", item->name, row->why);
    } else if (!row->passed) {
        char *repeat = NULL;
        size_t size = 0;
        FILE *text = open_memstream(&repeat, &size);
        snprintf(row->why, sizeof row->why, "cycle %" PRIu64 ": %s", result.cycle, result.why);
        snprintf(folder, sizeof folder, "%s/cosim", o->build);
        if (text) {
            put_repeat(text, o, item->name, &r.stimulus.seed);
            fclose(text);
        }
        struct explain x = {.ops = {r.ops[0], r.ops[1]}, 
                            .stimulus = &r.stimulus, .result = &result, .options = &lo,
                            .folder = folder, .name = item->name, .repeat = repeat ? repeat : "",
                            .worms = o->worms, .seconds = (double)o->shrink};
        explain(&x, out);
        free(repeat);
    }
    if (cover && row->passed)
        memcpy(hits, cover_hits(cover), COVER_SLOTS * sizeof *hits);
    cover_free(cover);
    stimulus_free(&r.stimulus);
    return 0;
}

/* Is it `total, cases, mismatches`, with or without seconds? */
static bool closing_line(const char *line, uint64_t *cases, uint64_t *mismatches)
{
    int end = 0;
    int more = 0;

    if (strchr(line, '-') || sscanf(line, "total, %" SCNu64 ", %" SCNu64 "%n", cases, mismatches, &end) != 2)
        return false;
    sscanf(line + end, ", %*f%n", &more);
    return strcmp(line + end + more, "\n") == 0;
}

/* Starts a program, which ends when this process does; what it writes can be read from the file, NULL: errno says why. */
static FILE *start_bench(const char *program, pid_t *pid)
{
    const pid_t parent = getpid();
    int ends[2];

    if (pipe(ends) != 0)
        return NULL;
    fflush(NULL);
    *pid = fork();
    if (*pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() == parent && dup2(ends[1], STDOUT_FILENO) >= 0) {
            close(ends[0]);
            close(ends[1]);
            execl(program, program, (char *)NULL);
        }
        _exit(127);
    }
    close(ends[1]);
    FILE *from = *pid > 0 ? fdopen(ends[0], "r") : NULL;
    if (!from)
        close(ends[0]);
    return from;
}

/* An exhaustive bench is a program of its own, whose last line is the closing line. */
static int run_bench(const struct cosim_case *item, const struct options *o, struct report_row *row,
                     FILE *out, struct fail *f)
{
    char command[900];
    char line[400];

    snprintf(command, sizeof command, "%s/%s", o->build, item->bench);
    if (access(command, X_OK) != 0)
        return fail(f, EXIT_SYSTEM, "%s: not there; build it with: make %s", command, command);
    pid_t pid;
    FILE *p = start_bench(command, &pid);
    if (!p)
        return fail(f, EXIT_SYSTEM, "%s: %s", command, strerror(errno));
    struct timespec begin;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    uint64_t mismatches = 1;
    bool closed = false;
    while (fgets(line, sizeof line, p)) {
        fputs(line, out);
        closed = closing_line(line, &row->cycles, &mismatches);
    }
    int status = -1;
    fclose(p);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    clock_gettime(CLOCK_MONOTONIC, &now);
    row->seconds = (double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) * 1e-9;
    row->passed = closed && status == 0 && mismatches == 0 && row->cycles > 0;
    if (!row->passed)
        snprintf(row->why, sizeof row->why, "the exhaustive bench %s; run %.300s",
                 !closed ? "has no closing line" : mismatches ? "found mismatches" : status ? "ended with an error" : "had no case",
                 command);
    return 0;
}

enum { HITS_SIZE = COVER_SLOTS * sizeof(uint64_t) };

/* What a child sends to the regression; with --cover its counts follow. */
struct message {
    struct report_row row;
    struct fail fail;
    int bad;
};

static void run_one(const struct cosim_case *item, const struct options *o, struct message *m,
                    uint64_t *hits, FILE *out)
{
    memset(m, 0, sizeof *m);
    snprintf(m->row.name, sizeof m->row.name, "%s", item->name);
    m->bad = item->bench ? run_bench(item, o, &m->row, out, &m->fail)
                         : run_lockstep(item, o, &m->row, hits, out, &m->fail);
}

static void log_name(char *text, size_t size, const struct options *o, const char *name)
{
    snprintf(text, size, "%s/cosim/%s.log", o->build, name);
}

/* Through a pipe, in as many pieces as it takes. */
static bool send_all(int fd, const void *from, size_t size)
{
    for (const char *at = from; size;) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool receive_all(int fd, void *to, size_t size)
{
    for (char *at = to; size;) {
        ssize_t n = read(fd, at, size);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static void start(struct job *j, const struct options *o)
{
    int ends[2];

    j->started = true;
    j->pid = -1;
    if (pipe(ends) != 0)
        return;
    fflush(NULL);
    j->pid = fork();
    if (j->pid == 0) {
        struct message m;
        uint64_t *hits = o->cover ? calloc(COVER_SLOTS, sizeof *hits) : NULL;
        char name[800];
        signal(SIGINT, SIG_IGN); /* Ctrl-C is for the regression, which then ends its cases */
        signal(SIGTERM, SIG_DFL);
        close(ends[0]);
        log_name(name, sizeof name, o, j->item->name);
        FILE *out = fopen(name, "w");
        if (out) {
            run_one(j->item, o, &m, hits, out);
            if ((ferror(out) | fclose(out)) && !m.bad)
                m.bad = fail(&m.fail, EXIT_SYSTEM, "%s: %s", name, strerror(errno));
        } else {
            memset(&m, 0, sizeof m);
            snprintf(m.row.name, sizeof m.row.name, "%s", j->item->name);
            m.bad = fail(&m.fail, EXIT_SYSTEM, "%s: %s", name, strerror(errno));
        }
        bool sent = send_all(ends[1], &m, sizeof m) && (!hits || send_all(ends[1], hits, HITS_SIZE));
        _exit(sent ? 0 : 1);
    }
    close(ends[1]);
    j->result = ends[0];
}

/* hits: NULL, or where to add the points that the case has met. */
static void finish(struct job *j, int status, struct message *m, uint64_t *hits)
{
    uint64_t more[COVER_SLOTS];
    bool whole = receive_all(j->result, m, sizeof *m) && (!hits || receive_all(j->result, more, HITS_SIZE));

    close(j->result);
    j->done = true;
    for (unsigned k = 0; hits && whole && k < COVER_SLOTS; k++)
        hits[k] += more[k];
    if (whole)
        return;
    memset(m, 0, sizeof *m);
    snprintf(m->row.name, sizeof m->row.name, "%s", j->item->name);
    if (WIFSIGNALED(status))
        snprintf(m->row.why, sizeof m->row.why, "the case ended by signal %d", WTERMSIG(status));
    else
        snprintf(m->row.why, sizeof m->row.why, "the case ended without a result");
}

static volatile sig_atomic_t interrupted;

static void on_interrupt(int sig)
{
    interrupted = sig;
}

/* A line that is written over on a terminal; in a pipe or a log a line a case. */
static void progress(size_t done, size_t count, size_t failed, const struct report_row *row)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K[%zu/%zu] %zu failed  %s", done, count, failed, row->name);
    else
        fprintf(stderr, "[%zu/%zu] %s %s\n", done, count, row->passed ? "passed" : "FAILED", row->name);
}

static void copy_log(const struct options *o, const char *name, FILE *out)
{
    char file[800];
    char line[400];
    log_name(file, sizeof file, o, name);
    FILE *in = fopen(file, "r");
    while (in && fgets(line, sizeof line, in))
        fputs(line, out);
    if (in)
        fclose(in);
}

/* Starts the next job; without a process for it, ends the regression. */
static bool started(struct job *job, const struct options *o)
{
    start(job, o);
    if (job->pid >= 0)
        return true;
    fprintf(stderr, "fatfly cosim: cannot start a process: %s\n", strerror(errno));
    interrupted = SIGTERM;
    return false;
}

/* Waits for one of the jobs that were started.  Returns its number, or `count` for none. */
static size_t ended(const struct job *job, size_t count, int *status)
{
    pid_t pid = waitpid(-1, status, 0);
    size_t k = 0;

    while (k < count && (pid < 0 || job[k].pid != pid || job[k].done))
        k++;
    return k;
}

static const struct job *first_job; /* for qsort() */

static int longest_first(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    double p = task_run_cost(first_job[*x].item), q = task_run_cost(first_job[*y].item);
    return p > q ? -1 : p < q ? 1 : *x < *y ? -1 : *x > *y;
}

/* In which order jobs begin, so that all cores end together; NULL: no memory. */
static size_t *begin_order(const struct job *job, size_t count)
{
    size_t *order = calloc(count + 1, sizeof *order);
    for (size_t k = 0; order && k < count; k++)
        order[k] = k;
    first_job = job;
    if (order)
        qsort(order, count, sizeof *order, longest_first);
    return order;
}

/* What a case said, as a row of the report; the exit code of the regression so far follows. */
static void judge(struct report_row *row, const struct message *m, int *code)
{
    *row = m->row;
    if (m->bad) {
        row->passed = false;
        snprintf(row->why, sizeof row->why, "%s", m->fail.text);
        if (*code == EXIT_OK)
            *code = m->fail.code;
    } else if (!row->passed) {
        *code = EXIT_CHECK;
    }
}

static void end_all(struct job *job, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (!job[k].done && job[k].pid > 0)
            kill(job[k].pid, SIGTERM);
    while (wait(NULL) > 0 || errno == EINTR)
        ;
}

static void print_failed(const struct cosim_case *item, const char *why, const struct options *o)
{
    copy_log(o, item->name, stdout);
    printf("FAILED %s: %s\n", item->name, why);
    const uint64_t seed = o->seeded ? o->seed : item->config.set.config.seed;
    fputs("repeat: ", stdout);
    put_repeat(stdout, o, item->name, item->bench ? NULL : &seed);
    printf("\n\n");
}

/* The table, the reports and the closing line.  Returns the exit code. */
static int report(const struct job *job, const struct report_row *row, size_t count, size_t failed,
                  const struct options *o, int code)
{
    char file[700];
    char part[40] = "";
    struct fail f;

    if (o->tasks)
        snprintf(part, sizeof part, ".%" PRIu32 "-of-%" PRIu32, o->task, o->tasks);
    for (size_t k = 0; k < count; k++)
        if (!row[k].passed)
            print_failed(job[k].item, row[k].why, o);
    report_table(row, count, stdout);
    snprintf(file, sizeof file, "%s/cosim/junit%s.xml", o->build, part);
    int bad = report_junit(row, count, file, &f);
    snprintf(file, sizeof file, "%s/cosim/manifest%s.json", o->build, part);
    if (!bad)
        bad = report_manifest(row, count, o->side == SIDE_BOTH && !o->max_cycles && !o->outputs_only, file, &f);
    snprintf(file, sizeof file, "%s/cosim", o->build);
    if (!bad)
        bad = page_report(row, count, file, part, &f);
    if (bad) {
        fprintf(stderr, "fatfly cosim: %s\n", f.text);
        code = code == EXIT_OK ? EXIT_SYSTEM : code;
    }
    printf("%zu passed, %zu failed\n", count - failed, failed);
    return code;
}

/* Runs all jobs, `jobs` at once.  Returns an exit code. */
static int regression(struct job *job, size_t count, const struct options *o, uint64_t *hits)
{
    struct report_row *row = calloc(count + 1, sizeof *row);
    size_t *order = begin_order(job, count);
    size_t next = 0;
    size_t done = 0;
    size_t failed = 0;
    int code = EXIT_OK;
    struct sigaction act = {.sa_handler = on_interrupt};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned jobs = o->jobs ? (unsigned)o->jobs : cores > 0 ? (unsigned)cores : 1;

    if (!row || !order) {
        free(row);
        free(order);
        fprintf(stderr, "fatfly cosim: no memory for %zu cases\n", count);
        return EXIT_SYSTEM;
    }
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    while (done < count && !interrupted) {
        struct message m;
        int status;
        while (next - done < jobs && next < count && started(&job[order[next]], o))
            next++;
        size_t k = ended(job, count, &status);
        if (k == count)
            continue;
        finish(&job[k], status, &m, o->cover ? hits : NULL);
        judge(&row[k], &m, &code);
        failed += !row[k].passed;
        progress(++done, count, failed, &row[k]);
    }
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
    if (interrupted) {
        end_all(job, count);
        fprintf(stderr, "fatfly cosim: interrupted after %zu of %zu cases; nothing was written\n",
                done, count);
        code = EXIT_SYSTEM;
    } else {
        code = report(job, row, count, failed, o, code);
    }
    free(row);
    free(order);
    return code;
}

/* One case in this process, so that it can be debugged. */
static int alone(const struct cosim_case *item, const struct options *o, uint64_t *hits)
{
    struct message m;

    run_one(item, o, &m, o->cover ? hits : NULL, stdout);
    if (m.bad) {
        fflush(stdout);
        fprintf(stderr, "fatfly cosim: %s\n", m.fail.text);
        return (int)m.fail.code;
    }
    report_table(&m.row, 1, stdout);
    printf("%d passed, %d failed\n", m.row.passed, !m.row.passed);
    return m.row.passed ? EXIT_OK : EXIT_CHECK;
}

static int make_folder(const struct options *o, struct fail *f)
{
    char folder[600];
    snprintf(folder, sizeof folder, "%s/cosim", o->build);
    if (mkdir(o->build, 0777) != 0 && errno != EEXIST)
        return fail(f, EXIT_SYSTEM, "%s: %s", o->build, strerror(errno));
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return fail(f, EXIT_SYSTEM, "%s: %s", folder, strerror(errno));
    struct stat there;
    if (stat(folder, &there) != 0 || !S_ISDIR(there.st_mode))
        return fail(f, EXIT_SYSTEM, "%s: not a folder; the results go there", folder);
    return 0;
}

/* Shapes of all jobs, each once. */
static void print_shapes(const struct job *job, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        char name[64];
        char other[64];
        bool again = job[k].item->bench != NULL;
        dut_shape_name(&job[k].item->config.shape, name, sizeof name);
        for (size_t j = 0; j < k && !again; j++) {
            dut_shape_name(&job[j].item->config.shape, other, sizeof other);
            again = !job[j].item->bench && strcmp(name, other) == 0;
        }
        if (!again)
            printf("%s\n", name);
    }
}

/* Runs the jobs and merges the points that they meet into the cover file.  Returns an exit code, or
 * -1 with f filled. */
static int run_all(struct job *job, size_t count, const struct options *o, struct fail *f)
{
    uint64_t before[COVER_SLOTS] = {0};
    uint64_t hits[COVER_SLOTS] = {0};

    if (o->cover && (cover_read(before, o->cover, f) || cover_writable(o->cover, f)))
        return -1;
    int code = count == 1 && !o->tasks && (o->named.count || o->config) ? alone(job[0].item, o, hits)
                                                           : regression(job, count, o, hits);
    if (!o->cover || interrupted)
        return code;
    unsigned first = cover_met(before);
    for (unsigned k = 0; k < COVER_SLOTS; k++)
        hits[k] += before[k];
    if (cover_write(hits, o->cover, f))
        return -1;
    unsigned met = cover_met(hits);
    printf("cover: %u of %u points met, %u of them for the first time: %s\n", met, cover_met(NULL),
           met - first, o->cover);
    return code;
}

/* The cases that were asked for, into item[list->count + ARGS_LIST].  How many; -1: f filled. */
static long choose(const struct case_list *list, const struct options *o, struct cosim_case *own,
                   const struct cosim_case **item, struct fail *f)
{
    size_t count = 0;

    if (o->config) {
        memset(own, 0, sizeof *own);
        if (config_load(&own->config, o->config, f))
            return -1;
        snprintf(own->name, sizeof own->name, "%s", own->config.name);
        item[count++] = own;
    } else if (o->named.count) {
        for (unsigned k = 0; k < o->named.count; k++)
            if (!(item[count++] = cases_find(list, o->named.item[k], f)))
                return -1;
    } else {
        for (size_t k = 0; k < list->count; k++)
            if (!list->item[k].slow || o->full)
                item[count++] = &list->item[k];
    }
    return o->tasks ? task_share(item, count, o->task, o->tasks, f) : (long)count;
}

static int with_cases(const struct case_list *list, const struct options *o, struct fail *f)
{
    const struct cosim_case **item = calloc(list->count + ARGS_LIST, sizeof *item);
    struct job *job = calloc(list->count + ARGS_LIST, sizeof *job);
    struct cosim_case own;
    int code = EXIT_OK;

    if (!item || !job) {
        free(item);
        free(job);
        fail(f, EXIT_SYSTEM, "no memory for the cases");
        return -1;
    }
    long chosen = choose(list, o, &own, item, f);
    size_t count = chosen < 0 ? 0 : (size_t)chosen;
    for (size_t k = 0; k < count; k++)
        job[k].item = item[k];
    if (chosen < 0)
        code = -1;
    else if (o->list)
        for (size_t k = 0; k < count; k++)
            printf("%s\n", job[k].item->name);
    else if (o->shapes)
        print_shapes(job, count);
    else if (make_folder(o, f))
        code = -1;
    else
        code = run_all(job, count, o, f);
    free(item);
    free(job);
    return code;
}

int cosim_play(int argc, char *const argv[], struct fail *f)
{
    struct options o;
    struct case_list list = {.item = NULL};
    int bad = options_parse(&o, argc, argv, f);
    if (bad)
        return bad < 0 ? bad : EXIT_OK;
    bad = cases_read(&list, o.sim, f) ? -1 : with_cases(&list, &o, f);
    cases_free(&list);
    return bad;
}
