/* SPDX-License-Identifier: Apache-2.0
 * waves.c - writes what the probe shows as FST or VCD, for GTKWave.
 *
 * The FST writer that Verilator ships checks no write, maps temporary files (a full disk is then a
 * SIGBUS) and ends the process when memory is short.  So a child process writes the file: it gets
 * the changes through a socket, and its exit status says whether the file holds every change that
 * it was given; for FST it reads the file back to know.
 */
#include "waves.h"

#include <fstapi.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NS_PER_CYCLE = 10, TEXT_SIZE = 32, BATCH = 1024, EXIT_UNKNOWN = 255 };

/* Variables of a link that sim/probe.h does not have. */
enum { LINK_TRACK, LINK_FLIT, LINK_WORM, LINK_DST, LINK_SRC, LINK_EXTRAS };
/* ... and of a link out of the device, after them. */
enum { EXIT_VALID = LINK_EXTRAS, EXIT_KIND, EXIT_PAYLOAD, EXIT_ROOM, EXIT_VARS };

/* What a record is about when it is no variable. */
enum { RECORD_TIME = -1, RECORD_END = -2 };

union value {
    uint64_t bits;
    char text[TEXT_SIZE];
};

struct record {
    int32_t var;
    uint32_t unused;
    union value value;
};

struct var {
    char name[28];
    unsigned width; /* 0: text */
    bool known;     /* it has had a value */
    union value last;
};

/* A step of the declaration: into a scope, out of one (name empty), or a variable. */
struct step {
    bool is_var;
    unsigned var;
    char scope[20];
};

/* The last head on one channel of a link, so that the rest of its worm shows where it goes. */
struct head {
    uint32_t dst, src;
};

struct link_signals {
    const struct probe_signal *valid, *kind, *payload, *front_kind[DUT_MAX_VCS], *count[DUT_MAX_VCS];
};

struct waves {
    const struct probe *probe;
    unsigned sides, endpoints, links;
    char *file, *part;
    bool fst;
    struct var *var;
    unsigned vars, var_room;
    struct step *step;
    unsigned steps, step_room;
    bool short_of_memory;
    unsigned clk, cycle_var, mismatch; /* variables */
    /* Variables of switch s of a side: first[side] + s * per_switch + what follows; exits after. */
    unsigned first[WAVES_MAX_SIDES], first_exit[WAVES_MAX_SIDES], per_switch;
    unsigned *of_signal; /* [probe->count] */
    unsigned of_link[SWITCH_PORTS], of_front[SWITCH_PORTS][DUT_MAX_VCS];
    struct link_signals signals[SWITCH_PORTS];
    struct head *head; /* [sides][links][DUT_MAX_VCS] */
    bool started;
    uint64_t cycle;
    pid_t child;
    int socket; /* -1: the child is gone */
    unsigned held;
    struct record batch[BATCH];
};

/* ---- the child: one writer per format behind declare, put, finish ---- */

/* Order does not matter to it: the reader hands the changes of a cycle back in its own. */
struct tally {
    uint64_t sum, count;
};

static void tally_add(struct tally *t, uint64_t time, uint32_t var, const void *value, size_t size)
{
    const unsigned char *byte = value;
    uint64_t h = (time * UINT64_C(0x9e3779b97f4a7c15)) ^ var;
    for (size_t k = 0; k < size; k++)
        h = (h ^ byte[k]) * UINT64_C(0x100000001b3);
    t->sum += h ^ h >> 31;
    t->count++;
}

static void read_back_text(void *user, uint64_t time, fstHandle var, const unsigned char *value,
                           uint32_t size)
{
    tally_add(user, time, var, value, size);
}

static void read_back(void *user, uint64_t time, fstHandle var, const unsigned char *value)
{
    tally_add(user, time, var, value, strlen((const char *)value));
}

/* Do the blocks of the file, each a tag and a big-endian length, follow one another up to its very
 * end?  The reader below does not check that and can loop for ever on a file that was cut. */
static bool fst_ends_whole(const char *file)
{
    FILE *in = fopen(file, "rb");
    long at = 0, size = 0;

    if (!in)
        return false;
    if (!fseek(in, 0, SEEK_END))
        size = ftell(in);
    while (at >= 0 && at < size) {
        unsigned char head[9];
        uint64_t length = 0;
        if (fseek(in, at, SEEK_SET) || fread(head, sizeof head, 1, in) != 1)
            break;
        for (unsigned k = 1; k < sizeof head; k++)
            length = length << 8 | head[k];
        bool tag_ok = at ? head[0] != FST_BL_HDR && head[0] != FST_BL_SKIP : head[0] == FST_BL_HDR;
        if (!tag_ok || length < 8 || length > (uint64_t)(size - at))
            break;
        at += 1 + (long)length;
    }
    fclose(in);
    return size > 0 && at == size;
}

/* A reader that spins all the same is killed, which the parent sees. */
static void limit_reading(void)
{
    struct rusage used;
    struct rlimit limit;

    if (getrusage(RUSAGE_SELF, &used) || getrlimit(RLIMIT_CPU, &limit))
        return;
    rlim_t seconds = 60 + 10 * (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    if (limit.rlim_max == RLIM_INFINITY || seconds < limit.rlim_max) {
        limit.rlim_cur = seconds;
        setrlimit(RLIMIT_CPU, &limit);
    }
}

/* Does the file hold every variable and every change? */
static bool fst_holds(const char *file, const struct tally *written, unsigned vars)
{
    struct tally t = {.sum = 0};
    unsigned names = 0;
    struct fstHier *h;
    void *r = fstReaderOpen(file);

    if (!r)
        return false;
    while ((h = fstReaderIterateHier(r)) != NULL)
        names += h->htyp == FST_HT_VAR;
    fstReaderSetFacProcessMaskAll(r);
    bool whole = fstReaderIterBlocks2(r, read_back, read_back_text, &t, NULL) != 0;
    fstReaderClose(r);
    return whole && names == vars && t.sum == written->sum && t.count == written->count;
}

/* "link_worm [31:0]", as the save file names it without the blank. */
static void full_name(char *name, size_t size, const struct var *v)
{
    if (v->width > 1)
        snprintf(name, size, "%s [%u:0]", v->name, v->width - 1);
    else
        snprintf(name, size, "%s", v->name);
}

static void bits_text(char *text, uint64_t bits, unsigned width)
{
    for (unsigned k = 0; k < width; k++)
        text[k] = (char)('0' + (bits >> (width - 1 - k) & 1));
    text[width] = 0;
}

/* Why a file cannot grow: the FST writer does not keep the reason, so ask again. */
static int why_full(const char *file)
{
    static const char some[65536];
    int to = open(file, O_WRONLY | O_APPEND);
    int why = to < 0 ? errno : 0;

    for (unsigned k = 0; !why && k < 64; k++) {
        ssize_t n = write(to, some, sizeof some);
        if (n < 0)
            why = errno;
    }
    if (to >= 0)
        close(to);
    return why ? why : EXIT_UNKNOWN;
}

/* 0, an errno, or EXIT_UNKNOWN.  The writer's handles count from 1, in the order of declaration. */
static int fst_child(const struct waves *w, FILE *in)
{
    struct record r;
    struct tally t = {.sum = 0};
    uint64_t now = 0;
    char text[65];
    void *fst = fstWriterCreate(w->part, 1);

    if (!fst)
        return why_full(w->part);
    fstWriterSetPackType(fst, FST_WR_PT_LZ4);
    fstWriterSetTimescale(fst, -9);
    fstWriterSetDate(fst, ""); /* the same run gives the same file */
    fstWriterSetVersion(fst, "fatfly");
    for (unsigned k = 0; k < w->steps; k++) {
        const struct step *s = &w->step[k];
        if (s->is_var) {
            const struct var *v = &w->var[s->var];
            full_name(text, sizeof text, v);
            fstWriterCreateVar(fst, v->width ? FST_VT_VCD_WIRE : FST_VT_GEN_STRING,
                               FST_VD_IMPLICIT, v->width, text, 0);
        } else if (s->scope[0]) {
            fstWriterSetScope(fst, FST_ST_VCD_MODULE, s->scope, NULL);
        } else {
            fstWriterSetUpscope(fst);
        }
    }
    for (;;) {
        if (fread(&r, sizeof r, 1, in) != 1)
            return EXIT_UNKNOWN; /* the simulation is gone */
        if (r.var == RECORD_END)
            break;
        if (r.var == RECORD_TIME) {
            fstWriterEmitTimeChange(fst, now = r.value.bits);
            continue;
        }
        unsigned width = w->var[r.var].width;
        fstHandle handle = (fstHandle)r.var + 1;
        if (width) {
            bits_text(text, r.value.bits, width);
            fstWriterEmitValueChange(fst, handle, text);
            tally_add(&t, now, handle, text, width);
        } else {
            size_t size = strlen(r.value.text);
            fstWriterEmitVariableLengthValueChange(fst, handle, r.value.text, (uint32_t)size);
            tally_add(&t, now, handle, r.value.text, size);
        }
    }
    fstWriterClose(fst);
    if (!fst_ends_whole(w->part))
        return why_full(w->part);
    limit_reading();
    return fst_holds(w->part, &t, w->vars) ? 0 : why_full(w->part);
}

/* Identifier of a variable in VCD: a number to base 94, digits from '!'. */
static const char *vcd_id(unsigned var, char id[8])
{
    unsigned k = 0;
    do {
        id[k++] = (char)('!' + var % 94);
        var /= 94;
    } while (var);
    id[k] = 0;
    return id;
}

static int vcd_child(const struct waves *w, FILE *in)
{
    struct record r;
    char text[65], id[8];
    FILE *out = fopen(w->part, "w");

    if (!out)
        return errno;
    fprintf(out, "$version fatfly $end\n$timescale 1ns $end\n");
    for (unsigned k = 0; k < w->steps; k++) {
        const struct step *s = &w->step[k];
        if (s->is_var) {
            const struct var *v = &w->var[s->var];
            full_name(text, sizeof text, v);
            fprintf(out, "$var %s %u %s %s $end\n", v->width ? "wire" : "string",
                    v->width ? v->width : 1, vcd_id(s->var, id), text);
        } else if (s->scope[0]) {
            fprintf(out, "$scope module %s $end\n", s->scope);
        } else {
            fprintf(out, "$upscope $end\n");
        }
    }
    fprintf(out, "$enddefinitions $end\n");
    for (;;) {
        if (fread(&r, sizeof r, 1, in) != 1)
            return EXIT_UNKNOWN; /* the simulation is gone */
        if (r.var == RECORD_END)
            break;
        if (r.var == RECORD_TIME) {
            fprintf(out, "#%" PRIu64 "\n", r.value.bits);
            continue;
        }
        unsigned width = w->var[r.var].width;
        vcd_id((unsigned)r.var, id);
        if (width == 1)
            fprintf(out, "%u%s\n", r.value.bits != 0, id);
        else if (width) {
            bits_text(text, r.value.bits, width);
            fprintf(out, "b%s %s\n", text, id);
        } else
            fprintf(out, "s%s %s\n", r.value.text, id);
        if (ferror(out))
            return errno ? errno : EXIT_UNKNOWN;
    }
    return fclose(out) ? errno : 0;
}

static void run_child(const struct waves *w, int from) __attribute__((noreturn));
static void run_child(const struct waves *w, int from)
{
    const struct rlimit none = {0, 0};
    int quiet = open("/dev/null", O_RDWR);
    FILE *in = fdopen(from, "rb");
    int why = EXIT_UNKNOWN;

    /* A limit on file size must fail a write, not kill; an interrupt must leave time to tidy up;
     * the writer's own words and a core file would only hide the one line that the parent says. */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    setrlimit(RLIMIT_CORE, &none);
    if (quiet >= 0) {
        dup2(quiet, STDOUT_FILENO);
        dup2(quiet, STDERR_FILENO);
    }
    if (in)
        why = w->fst ? fst_child(w, in) : vcd_child(w, in);
    if (why)
        unlink(w->part);
    _exit(why > 0 && why < EXIT_UNKNOWN ? why : why ? EXIT_UNKNOWN : 0);
}

/* ---- the parent: what changed ---- */

static void flush(struct waves *w)
{
    const char *from = (const char *)w->batch;
    size_t left = w->held * sizeof w->batch[0];

    w->held = 0;
    while (left && w->socket >= 0) {
        ssize_t n = send(w->socket, from, left, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) { /* the child is gone; its exit status has the reason */
            close(w->socket);
            w->socket = -1;
            return;
        }
        from += n;
        left -= (size_t)n;
    }
}

static void record(struct waves *w, int32_t var, const union value *value)
{
    struct record *r = &w->batch[w->held++];
    *r = (struct record){.var = var, .value = *value};
    if (w->held == BATCH)
        flush(w);
}

static void put_time(struct waves *w, uint64_t ns)
{
    record(w, RECORD_TIME, &(union value){.bits = ns});
}

static void put(struct waves *w, unsigned var, uint64_t bits)
{
    struct var *v = &w->var[var];
    if (v->known && v->last.bits == bits)
        return;
    v->known = true;
    v->last.bits = bits;
    record(w, (int32_t)var, &v->last);
}

/* The bytes after the end of text are zero, as they go into the record. */
static void put_text(struct waves *w, unsigned var, const char text[TEXT_SIZE])
{
    struct var *v = &w->var[var];
    if (v->known && !strcmp(v->last.text, text))
        return;
    v->known = true;
    memcpy(v->last.text, text, TEXT_SIZE);
    record(w, (int32_t)var, &v->last);
}

/* ---- declaration ---- */

static void *grow(struct waves *w, void *old, unsigned *room, unsigned used, size_t size)
{
    if (used < *room)
        return old;
    unsigned more = *room ? 2 * *room : 256;
    void *new = realloc(old, more * size);
    if (!new) {
        w->short_of_memory = true;
        return old;
    }
    *room = more;
    return new;
}

static void add_step(struct waves *w, const struct step *s)
{
    w->step = grow(w, w->step, &w->step_room, w->steps, sizeof *w->step);
    if (!w->short_of_memory)
        w->step[w->steps++] = *s;
}

/* Into a scope: a name, and a number if it is not negative.  up() leads out again. */
static void into(struct waves *w, const char *name, int number)
{
    struct step s = {.is_var = false};
    if (number < 0)
        snprintf(s.scope, sizeof s.scope, "%s", name);
    else
        snprintf(s.scope, sizeof s.scope, "%.8s%d", name, number);
    add_step(w, &s);
}

static void up(struct waves *w)
{
    add_step(w, &(struct step){.is_var = false});
}

/* width 0: text */
static unsigned declare(struct waves *w, const char *name, unsigned width)
{
    w->var = grow(w, w->var, &w->var_room, w->vars, sizeof *w->var);
    if (w->short_of_memory)
        return 0;
    struct var *v = &w->var[w->vars];
    memset(v, 0, sizeof *v);
    snprintf(v->name, sizeof v->name, "%s", name);
    v->width = width;
    add_step(w, &(struct step){.is_var = true, .var = w->vars});
    return w->vars++;
}

/* "mem_q[0].kind" as an identifier, "mem_q0_kind". */
static void identifier(char *to, const char *name)
{
    for (; *name; name++) {
        if (*name == '.')
            *to++ = '_';
        else if (*name != '[' && *name != ']')
            *to++ = *name;
    }
    *to = 0;
}

/* Bits that the probe has for the channels of a link. */
static unsigned channel_bits(const struct probe *p)
{
    return probe_find(p, "link_valid", 0, PROBE_NO_VC)->width;
}

static unsigned declare_link(struct waves *w)
{
    unsigned address = dut_address_bits(&w->probe->shape);
    unsigned first = declare(w, "track", 0);
    declare(w, "link_flit", 3);
    declare(w, "link_worm", 32);
    declare(w, "link_dst", address);
    declare(w, "link_src", address);
    return first;
}

/* The signals of a port, or of a channel of it, or of the switch itself. */
static void declare_signals(struct waves *w, unsigned port, unsigned vc, unsigned first)
{
    for (unsigned k = 0; k < w->probe->count; k++) {
        const struct probe_signal *g = &w->probe->signal[k];
        char name[sizeof g->name];
        if (g->port != port || g->vc != vc)
            continue;
        identifier(name, g->name);
        w->of_signal[k] = declare(w, name, g->width) - first;
    }
}

/* Scope of a switch, "l1_0". */
static void switch_scope(const struct probe *p, unsigned s, char *name, size_t size)
{
    unsigned level, address;
    probe_switch_place(p, s, &level, &address);
    snprintf(name, size, p->shape.cube.radix ? "r%u_%u" : "l%u_%u", level, address);
}

/* Every switch declares the same variables in the same order, so what of_*[] learns from one holds
 * for all. */
static void declare_switch(struct waves *w, unsigned s)
{
    unsigned first = w->vars;
    char name[20];

    switch_scope(w->probe, s, name, sizeof name);
    into(w, name, -1);
    declare_signals(w, PROBE_NO_PORT, PROBE_NO_VC, first);
    for (unsigned p = 0; p < SWITCH_PORTS; p++) {
        into(w, "port", (int)p);
        w->of_link[p] = declare_link(w) - first;
        declare_signals(w, p, PROBE_NO_VC, first);
        for (unsigned v = 0; v < w->probe->shape.params.vcs; v++) {
            into(w, "vc", (int)v);
            w->of_front[p][v] = declare(w, "front_flit", 3) - first;
            declare_signals(w, p, v, first);
            up(w);
        }
        up(w);
    }
    up(w);
    w->per_switch = w->vars - first;
}

static void declare_all(struct waves *w, const char *const side[])
{
    into(w, "fatfly", -1);
    w->clk = declare(w, "clk", 1);
    w->cycle_var = declare(w, "cycle", 64);
    if (w->sides > 1)
        w->mismatch = declare(w, "mismatch", 1);
    for (unsigned k = 0; k < w->sides; k++) {
        if (w->sides > 1)
            into(w, side[k], -1);
        w->first[k] = w->vars;
        for (unsigned s = 0; s < w->probe->switches; s++)
            declare_switch(w, s);
        w->first_exit[k] = w->vars;
        for (unsigned e = 0; e < w->endpoints; e++) {
            into(w, "exit", (int)e);
            declare_link(w);
            declare(w, "link_valid", channel_bits(w->probe));
            declare(w, "link_kind", 2);
            declare(w, "link_payload", w->probe->shape.params.flit_w);
            declare(w, "room", channel_bits(w->probe));
            up(w);
        }
        if (w->sides > 1)
            up(w);
    }
    up(w);
}

static void find_signals(struct waves *w)
{
    const struct probe *p = w->probe;
    for (unsigned i = 0; i < SWITCH_PORTS; i++) {
        struct link_signals *g = &w->signals[i];
        g->valid = probe_find(p, "link_valid", i, PROBE_NO_VC);
        g->kind = probe_find(p, "link_kind", i, PROBE_NO_VC);
        g->payload = probe_find(p, "link_payload", i, PROBE_NO_VC);
        for (unsigned v = 0; v < p->shape.params.vcs; v++) {
            g->front_kind[v] = probe_find(p, "front_q.kind", i, v);
            g->count[v] = probe_find(p, "count_q", i, v);
        }
    }
}

/* ---- the interface ---- */

static void waves_free(struct waves *w)
{
    free(w->file);
    free(w->part);
    free(w->var);
    free(w->step);
    free(w->of_signal);
    free(w->head);
    free(w);
}

/* The child tidies up too, unless it was killed. */
static void remove_part(struct waves *w)
{
    unlink(w->part);
    strcat(w->part, ".hier"); /* the FST writer's own */
    unlink(w->part);
}

static bool ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a > b && !strcmp(text + a - b, end);
}

/* 0, or an errno. */
static int start_child(struct waves *w)
{
    int pair[2];
    int part = open(w->part, O_WRONLY | O_CREAT | O_TRUNC, 0666);

    if (part < 0)
        return errno;
    close(part);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return errno;
    w->child = fork();
    if (w->child < 0) {
        int why = errno;
        close(pair[0]);
        close(pair[1]);
        return why;
    }
    if (!w->child) {
        close(pair[0]);
        run_child(w, pair[1]);
    }
    close(pair[1]);
    w->socket = pair[0];
    return 0;
}

struct waves *waves_open(const char *file, const struct probe *probe, unsigned sides,
                         const char *const side[], struct fail *f)
{
    bool fst = ends_with(file, ".fst");
    struct waves *w;

    if (!fst && !ends_with(file, ".vcd")) {
        fail(f, EXIT_USAGE, "%s: the name of a wave file ends in .fst or .vcd", file);
        return NULL;
    }
    w = calloc(1, sizeof *w);
    if (!w) {
        fail(f, EXIT_SYSTEM, "%s: no memory for waves", file);
        return NULL;
    }
    w->fst = fst;
    w->probe = probe;
    w->sides = sides;
    w->socket = -1;
    w->endpoints = dut_endpoints(&probe->shape);
    w->links = SWITCH_PORTS * probe->switches + w->endpoints;
    w->file = malloc(strlen(file) + 1);
    w->part = malloc(strlen(file) + sizeof ".part.hier");
    w->of_signal = calloc(probe->count, sizeof *w->of_signal);
    w->head = calloc((size_t)sides * w->links * DUT_MAX_VCS, sizeof *w->head);
    if (!w->file || !w->part || !w->of_signal || !w->head)
        w->short_of_memory = true;
    else
        declare_all(w, side);
    if (w->short_of_memory) {
        fail(f, EXIT_SYSTEM, "%s: no memory for waves", file);
        waves_free(w);
        return NULL;
    }
    find_signals(w);
    strcpy(w->file, file);
    strcpy(w->part, file);
    strcat(w->part, ".part");
    int why = start_child(w);
    if (why) {
        fail(f, EXIT_SYSTEM, "cannot write %s: %s", file, strerror(why));
        remove_part(w);
        waves_free(w);
        return NULL;
    }
    return w;
}

static void begin_cycle(struct waves *w, uint64_t cycle)
{
    if (w->started && cycle == w->cycle)
        return;
    if (w->started) {
        put_time(w, NS_PER_CYCLE * w->cycle + NS_PER_CYCLE / 2);
        put(w, w->clk, 0);
    }
    w->started = true;
    w->cycle = cycle;
    put_time(w, NS_PER_CYCLE * cycle);
    put(w, w->clk, 1);
    put(w, w->cycle_var, cycle);
    if (w->sides > 1)
        put(w, w->mismatch, 0);
}

/* A link: what crosses it, and the head that each of its channels saw last. */
static void put_link(struct waves *w, unsigned var, struct head *head, unsigned valid,
                     unsigned kind, uint64_t payload, uint32_t worm)
{
    const struct dut_shape *shape = &w->probe->shape;
    bool is_head = valid && (kind & FLIT_HEAD);
    char text[TEXT_SIZE] = {0};

    if (valid) {
        struct head *h = &head[(unsigned)__builtin_ctz(valid) % DUT_MAX_VCS];
        if (is_head)
            *h = (struct head){dut_head_dst(shape, payload), dut_head_src(shape, payload)};
        if (worm)
            snprintf(text, sizeof text, "w%" PRIu32 ":%u>%u", worm, h->src & 0xfffff,
                     h->dst & 0xfffff);
        else
            snprintf(text, sizeof text, "%u>%u", h->src & 0xfffff, h->dst & 0xfffff);
    }
    put_text(w, var + LINK_TRACK, text);
    put(w, var + LINK_FLIT, valid ? 4 + kind : 0);
    put(w, var + LINK_WORM, valid ? worm : 0);
    put(w, var + LINK_DST, is_head ? dut_head_dst(shape, payload) : 0);
    put(w, var + LINK_SRC, is_head ? dut_head_src(shape, payload) : 0);
}

static struct head *heads_of(struct waves *w, unsigned side, unsigned link)
{
    return &w->head[((size_t)side * w->links + link) * DUT_MAX_VCS];
}

static void put_switch(struct waves *w, unsigned side, unsigned s, const uint32_t *state,
                       const uint32_t *worm)
{
    const struct probe *p = w->probe;
    unsigned first = w->first[side] + s * w->per_switch;

    for (unsigned k = 0; k < p->count; k++)
        put(w, first + w->of_signal[k], probe_get(p, state, s, &p->signal[k]));
    for (unsigned i = 0; i < SWITCH_PORTS; i++) {
        const struct link_signals *g = &w->signals[i];
        unsigned link = SWITCH_PORTS * s + i;
        put_link(w, first + w->of_link[i], heads_of(w, side, link),
                 (unsigned)probe_get(p, state, s, g->valid),
                 (unsigned)probe_get(p, state, s, g->kind), probe_get(p, state, s, g->payload),
                 worm ? worm[link] : 0);
        for (unsigned v = 0; v < p->shape.params.vcs; v++) {
            bool waits = probe_get(p, state, s, g->count[v]) != 0;
            put(w, first + w->of_front[i][v],
                waits ? 4 + probe_get(p, state, s, g->front_kind[v]) : 0);
        }
    }
}

void waves_cycle(struct waves *w, uint64_t cycle, unsigned side, const uint32_t *state,
                 const struct dut_out *out, const uint16_t *exit_room, const uint32_t *worm)
{
    begin_cycle(w, cycle);
    for (unsigned s = 0; s < w->probe->switches; s++)
        put_switch(w, side, s, state, worm);
    for (unsigned e = 0; e < w->endpoints; e++) {
        const struct link *l = &out->link[e];
        unsigned first = w->first_exit[side] + e * EXIT_VARS;
        unsigned link = SWITCH_PORTS * w->probe->switches + e;
        put_link(w, first, heads_of(w, side, link), l->valid, l->flit.kind, l->flit.payload,
                 worm ? worm[link] : 0);
        put(w, first + EXIT_VALID, l->valid);
        put(w, first + EXIT_KIND, l->flit.kind);
        put(w, first + EXIT_PAYLOAD, l->flit.payload);
        put(w, first + EXIT_ROOM, exit_room[e]);
    }
}

void waves_mismatch(struct waves *w, uint64_t cycle)
{
    begin_cycle(w, cycle);
    if (w->sides > 1)
        put(w, w->mismatch, 1);
}

/* 0, an errno, or EXIT_UNKNOWN. */
static int end_child(struct waves *w)
{
    int status;

    record(w, RECORD_END, &(union value){.bits = 0});
    flush(w);
    if (w->socket >= 0)
        close(w->socket);
    while (waitpid(w->child, &status, 0) < 0)
        if (errno != EINTR)
            return EXIT_UNKNOWN;
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_UNKNOWN;
}

int waves_close(struct waves *w, struct fail *f)
{
    int rc = 0;

    if (!w->started) /* a file without a cycle still opens */
        begin_cycle(w, 0);
    put_time(w, NS_PER_CYCLE * w->cycle + NS_PER_CYCLE / 2);
    put(w, w->clk, 0);
    put_time(w, NS_PER_CYCLE * (w->cycle + 1));
    put(w, w->clk, 1);
    int why = end_child(w);
    if (!why && rename(w->part, w->file))
        why = errno;
    if (why) {
        remove_part(w);
        rc = fail(f, EXIT_SYSTEM, "cannot write %s: %s", w->file,
                  why < EXIT_UNKNOWN ? strerror(why)
                                     : "what was read back is not what was written (full disk?)");
    }
    waves_free(w);
    return rc;
}

/* ---- the save file ---- */

/* Display flags of GTKWave. */
enum { SHOW_TEXT = 0x22, SHOW_DECIMAL = 0x24, SHOW_BIT = 0x28, SHOW_FILTERED = 0x2022,
       SHOW_FILTERED_DECIMAL = 0x2024, GROUP_BEGIN = 0x800200, GROUP_CLOSED = 0xc00200,
       GROUP_END = 0x1000200 };

/* Filters, files beside the save file; a filter sees the value as it would be shown. */
enum { FILTER_NONE, FILTER_FLIT, FILTER_HOLD, FILTER_CUBE, FILTER_WORM, FILTERS };
static const char *const filter_name[FILTERS] = {NULL, "flit.filter", "hold.filter", "cube.filter",
                                                 "worm.filter"};
static const char *const filter_text[FILTERS] = {
    NULL,
    "# link_flit and front_flit: a space where there is no flit\n"
    "0 ?black? \n4 ?DarkGreen?body\n5 ?DarkRed?tail\n6 ?DarkBlue?head\n7 ?Purple4?single\n",
    "# hold_q and gnt: the output, one-hot\n"
    "00 -\n01 c0\n02 c1\n04 c2\n08 c3\n10 p0\n20 p1\n",
    "# hold_q and gnt of a cube's router: the output, one-hot\n"
    "00 -\n01 x+\n02 x-\n04 y+\n08 y-\n10 pe\n",
    "# link_worm: 0 is no worm\n0 -\n",
};

struct save {
    FILE *out;
    const struct probe *probe;
    unsigned sides;
    const char *const *side;
};

/* One line, on both sides one below the other.  shown: what the eye reads, after the side. */
static void save_line(const struct save *s, const char *scope, const char *name, unsigned width,
                      unsigned flags, unsigned filter, const char *shown)
{
    for (unsigned k = 0; k < s->sides; k++) {
        bool two = s->sides > 1;
        fprintf(s->out, "@%x\n", flags);
        if (filter)
            fprintf(s->out, "^1 /%s\n", filter_name[filter]);
        fprintf(s->out, "+{%s%s%s} fatfly.%s%s%s.%s", shown, two ? " " : "", two ? s->side[k] : "",
                two ? s->side[k] : "", two ? "." : "", scope, name);
        if (width > 1)
            fprintf(s->out, "[%u:0]", width - 1);
        fprintf(s->out, "\n");
    }
}

static void save_group(const struct save *s, bool open, const char *name)
{
    fprintf(s->out, "@%x\n-%s\n", open ? GROUP_BEGIN : GROUP_CLOSED, name);
}

static void save_group_end(const struct save *s, const char *name)
{
    fprintf(s->out, "@%x\n-%s\n", GROUP_END, name);
}

static void save_link(const struct save *s, const char *scope, const char *label)
{
    char shown[40];
    snprintf(shown, sizeof shown, "%s worm", label);
    save_line(s, scope, "track", 0, SHOW_TEXT, FILTER_NONE, shown);
    snprintf(shown, sizeof shown, "%s flit", label);
    save_line(s, scope, "link_flit", 3, SHOW_FILTERED, FILTER_FLIT, shown);
}

static void save_detail(const struct save *s, const char *scope, const char *label, bool exit)
{
    unsigned address = dut_address_bits(&s->probe->shape);
    char shown[40];
    snprintf(shown, sizeof shown, "%s worm number", label);
    save_line(s, scope, "link_worm", 32, SHOW_FILTERED_DECIMAL, FILTER_WORM, shown);
    snprintf(shown, sizeof shown, "%s head from", label);
    save_line(s, scope, "link_src", address, SHOW_DECIMAL, FILTER_NONE, shown);
    snprintf(shown, sizeof shown, "%s head to", label);
    save_line(s, scope, "link_dst", address, SHOW_DECIMAL, FILTER_NONE, shown);
    snprintf(shown, sizeof shown, "%s payload", label);
    save_line(s, scope, "link_payload", s->probe->shape.params.flit_w, SHOW_TEXT, FILTER_NONE,
              shown);
    snprintf(shown, sizeof shown, "%s channel", label);
    save_line(s, scope, "link_valid", channel_bits(s->probe), SHOW_BIT, FILTER_NONE, shown);
    snprintf(shown, sizeof shown, "%s room", label);
    save_line(s, scope, "room", channel_bits(s->probe), SHOW_BIT, FILTER_NONE, shown);
    if (exit)
        return;
    snprintf(shown, sizeof shown, "%s granted", label);
    save_line(s, scope, "gnt", 6, SHOW_FILTERED,
              s->probe->shape.cube.radix ? FILTER_CUBE : FILTER_HOLD, shown);
}

/* A port in two letters. */
static const char *port_label(const struct save *s, unsigned port)
{
    static const char *const label[2][SWITCH_PORTS] = {{"c0", "c1", "c2", "c3", "p0", "p1"},
                                                       {"x+", "x-", "y+", "y-", "pe", "-"}};
    return label[s->probe->shape.cube.radix != 0][port];
}

static void save_port(const struct save *s, const char *place, unsigned port, bool detail)
{
    unsigned vcs = s->probe->shape.params.vcs;
    bool cube = s->probe->shape.cube.radix;
    const char *who = port_label(s, port);
    char scope[48], label[16], shown[40];

    snprintf(scope, sizeof scope, "%s.port%u", place, port);
    snprintf(label, sizeof label, "%s in", who);
    if (detail)
        save_detail(s, scope, label, false);
    else
        save_link(s, scope, label);
    for (unsigned v = 0; v < vcs; v++) {
        char channel[16] = "";
        if (vcs > 1)
            snprintf(channel, sizeof channel, " vc%u", v & 15);
        snprintf(scope, sizeof scope, "%s.port%u.vc%u", place, port, v);
        if (!detail) {
            snprintf(shown, sizeof shown, "%s%s %s", who, channel, cube ? "holds" : "wants");
            save_line(s, scope, "hold_q", cube ? 5 : 6, SHOW_FILTERED, cube ? FILTER_CUBE : FILTER_HOLD, shown);
            continue;
        }
        snprintf(shown, sizeof shown, "%s%s front", who, channel);
        save_line(s, scope, "front_flit", 3, SHOW_FILTERED, FILTER_FLIT, shown);
        snprintf(shown, sizeof shown, "%s%s count", who, channel);
        save_line(s, scope, "count_q", 5, SHOW_DECIMAL, FILTER_NONE, shown);
    }
}

static void save_exit(const struct save *s, unsigned exit, unsigned port, bool detail)
{
    char scope[48], label[16];

    snprintf(scope, sizeof scope, "exit%u", exit);
    snprintf(label, sizeof label, "%s out", port_label(s, port));
    if (detail)
        save_detail(s, scope, label, true);
    else
        save_link(s, scope, label);
}

/* The worm, flit and holds of each link in an open group, all else in a closed one inside it. */
static void save_switch(const struct save *s, unsigned number)
{
    const struct switch_params *p = &s->probe->shape.params;
    bool network = s->probe->shape.network;
    bool cube = s->probe->shape.cube.radix;
    unsigned level, address;
    char place[20], name[32], more[48];

    probe_switch_place(s->probe, number, &level, &address);
    switch_scope(s->probe, number, place, sizeof place);
    unsigned ports = cube ? 5 : level == p->levels ? SWITCH_CHILDREN : SWITCH_PORTS;
    unsigned first = 0, exits = ports; /* ports that lead out of the device */
    if (network && cube)
        first = ports - 1;
    else if (network)
        exits = level == 1 ? SWITCH_CHILDREN : 0;
    unsigned exit = !network ? 0 : cube ? number - first : SWITCH_CHILDREN * address;
    probe_switch_name(s->probe, number, name, sizeof name);
    snprintf(more, sizeof more, "%s: all else", name);
    save_group(s, true, name);
    for (unsigned detail = 0; detail < 2; detail++) {
        if (detail)
            save_group(s, false, more);
        for (unsigned i = 0; i < ports; i++)
            save_port(s, place, i, detail);
        for (unsigned i = first; i < exits; i++)
            save_exit(s, exit + i, i, detail);
    }
    save_group_end(s, more);
    save_group_end(s, name);
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Writes a filter beside gtkw. */
static int write_filter(const char *gtkw, unsigned filter, struct fail *f)
{
    int dir = (int)(base_name(gtkw) - gtkw);
    size_t size = (size_t)dir + 40;
    char *file = malloc(size);
    FILE *out;
    int rc = 0;

    if (!file)
        return fail(f, EXIT_SYSTEM, "%s: no memory", gtkw);
    snprintf(file, size, "%.*s%s", dir, gtkw, filter_name[filter]);
    out = fopen(file, "w");
    if (!out) {
        rc = fail(f, EXIT_SYSTEM, "cannot write %s: %s", file, strerror(errno));
    } else {
        bool bad = fputs(filter_text[filter], out) < 0;
        if (fclose(out) || bad) {
            rc = fail(f, EXIT_SYSTEM, "cannot write %s: %s", file, strerror(errno));
            unlink(file);
        }
    }
    free(file);
    return rc;
}

int waves_save_file(const char *gtkw, const char *wave_file, const struct probe *probe,
                    unsigned sides, const char *const side[], const unsigned *switches,
                    unsigned count, uint64_t marker, struct fail *f)
{
    struct save s = {.probe = probe, .sides = sides, .side = side};
    uint64_t at = NS_PER_CYCLE * marker;

    unsigned other = probe->shape.cube.radix ? FILTER_HOLD : FILTER_CUBE;
    for (unsigned k = FILTER_NONE + 1; k < FILTERS; k++)
        if (k != other && write_filter(gtkw, k, f))
            return -1;
    s.out = fopen(gtkw, "w");
    if (!s.out)
        return fail(f, EXIT_SYSTEM, "cannot write %s: %s", gtkw, strerror(errno));
    /* GTKWave looks for the wave file and the filters where they lie as seen from the save file's
     * recorded place, so with all three in "/" they are found beside it, wherever that is. */
    fprintf(s.out, "[dumpfile] \"/%s\"\n[savefile] \"/%s\"\n", base_name(wave_file),
            base_name(gtkw));
    fprintf(s.out, "[timestart] %" PRIu64 "\n[size] 1700 1000\n[pos] 0 0\n",
            at > 12 * NS_PER_CYCLE ? at - 12 * NS_PER_CYCLE : 0);
    fprintf(s.out, "*-5.200000 %" PRIu64 " -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1"
                   " -1 -1 -1 -1 -1 -1 -1\n", at);
    fprintf(s.out, "[sst_expanded] 0\n[signals_width] 190\n");
    fprintf(s.out, "@%x\n+{cycle} fatfly.cycle[63:0]\n@%x\n+{clk} fatfly.clk\n", SHOW_DECIMAL,
            SHOW_BIT);
    if (sides > 1)
        fprintf(s.out, "@%x\n+{mismatch} fatfly.mismatch\n", SHOW_BIT);
    if (count) {
        for (unsigned k = 0; k < count; k++)
            save_switch(&s, switches[k]);
    } else {
        for (unsigned k = 0; k < probe->switches; k++)
            save_switch(&s, k);
    }
    bool bad = ferror(s.out) != 0;
    if (fclose(s.out) || bad) {
        unlink(gtkw);
        return fail(f, EXIT_SYSTEM, "cannot write %s: %s", gtkw, strerror(errno));
    }
    return 0;
}
