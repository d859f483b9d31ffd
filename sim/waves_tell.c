/* SPDX-License-Identifier: Apache-2.0
 * waves_tell.c - writes what the probe shows as FST or VCD, for GTKWave.
 *
 * The FST writer that Verilator ships checks no write, maps temporary files (a full disk is then a
 * SIGBUS) and ends the process when memory is short.  So a child process writes the file: it gets
 * the changes through a socket, and its exit status says whether the file holds every change that
 * it was given; for FST it reads the file back to know.
 */
#include "outfile.h"
#include "grow.h"
#include "waves_own.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

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

void waves_put(struct waves *w, unsigned var, uint64_t bits)
{
    struct var *v = &w->var[var];
    if (v->known && v->last.bits == bits)
        return;
    v->known = true;
    v->last.bits = bits;
    record(w, (int32_t)var, &v->last);
}

/* The bytes after the end of text are zero, as they go into the record. */
void waves_put_text(struct waves *w, unsigned var, const char text[TEXT_SIZE])
{
    struct var *v = &w->var[var];
    if (v->known && !strcmp(v->last.text, text))
        return;
    v->known = true;
    memcpy(v->last.text, text, TEXT_SIZE);
    record(w, (int32_t)var, &v->last);
}

/* ---- declaration ---- */

static void add_step(struct waves *w, const struct step *s)
{
    w->short_of_memory |= !GROW(w->step, w->steps, w->step_room, 256);
    if (!w->short_of_memory)
        w->step[w->steps++] = *s;
}

/* Into a scope: a name, and a number if it is not negative.  waves_up() leads out again. */
void waves_into(struct waves *w, const char *name, int number)
{
    struct step s = {.is_var = false};
    if (number < 0)
        snprintf(s.scope, sizeof s.scope, "%s", name);
    else
        snprintf(s.scope, sizeof s.scope, "%.8s%d", name, number);
    add_step(w, &s);
}

void waves_up(struct waves *w)
{
    add_step(w, &(struct step){.is_var = false});
}

/* width 0: text */
unsigned waves_declare(struct waves *w, const char *name, unsigned width)
{
    w->short_of_memory |= !GROW(w->var, w->vars, w->var_room, 256);
    if (w->short_of_memory)
        return 0;
    struct var *v = &w->var[w->vars];
    memset(v, 0, sizeof *v);
    snprintf(v->name, sizeof v->name, "%s", name);
    v->width = width;
    add_step(w, &(struct step){.is_var = true, .var = w->vars});
    return w->vars++;
}

void waves_identifier(char *to, const char *name)
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
unsigned waves_channel_bits(const struct probe *p)
{
    return probe_find(p, "link_valid", 0, PROBE_NO_VC)->width;
}

static unsigned declare_link(struct waves *w)
{
    unsigned address = dut_address_bits(&w->probe->shape);
    unsigned first = waves_declare(w, "track", 0);
    waves_declare(w, "link_flit", 4);
    waves_declare(w, "link_worm", 32);
    waves_declare(w, "link_dst", address);
    waves_declare(w, "link_src", address);
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
        waves_identifier(name, g->name);
        w->of_signal[k] = waves_declare(w, name, g->width) - first;
    }
}

/* Scope of a switch, "l1_0". */
void waves_switch_scope(const struct probe *p, unsigned s, char *name, size_t size)
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

    waves_switch_scope(w->probe, s, name, sizeof name);
    waves_into(w, name, -1);
    declare_signals(w, PROBE_NO_PORT, PROBE_NO_VC, first);
    for (unsigned p = 0; p < SWITCH_PORTS; p++) {
        waves_into(w, "port", (int)p);
        w->of_link[p] = declare_link(w) - first;
        declare_signals(w, p, PROBE_NO_VC, first);
        for (unsigned v = 0; v < w->probe->shape.params.vcs; v++) {
            waves_into(w, "vc", (int)v);
            w->of_front[p][v] = waves_declare(w, "front_flit", 3) - first;
            declare_signals(w, p, v, first);
            waves_up(w);
        }
        waves_up(w);
    }
    waves_up(w);
    w->per_switch = w->vars - first;
}

static void declare_all(struct waves *w, const char *const side[])
{
    waves_into(w, "fatfly", -1);
    w->clk = waves_declare(w, "clk", 1);
    w->cycle_var = waves_declare(w, "cycle", 64);
    if (w->sides > 1)
        w->mismatch = waves_declare(w, "mismatch", 1);
    for (unsigned k = 0; k < w->sides; k++) {
        if (w->sides > 1)
            waves_into(w, side[k], -1);
        w->first[k] = w->vars;
        for (unsigned s = 0; s < w->probe->switches; s++)
            declare_switch(w, s);
        w->first_exit[k] = w->vars;
        for (unsigned e = 0; e < w->endpoints; e++) {
            waves_into(w, "exit", (int)e);
            declare_link(w);
            waves_declare(w, "link_valid", waves_channel_bits(w->probe));
            waves_declare(w, "link_kind", 2);
            waves_declare(w, "link_payload", w->probe->shape.params.flit_w);
            waves_declare(w, "room", waves_channel_bits(w->probe));
            waves_up(w);
        }
        if (w->sides > 1)
            waves_up(w);
    }
    waves_up(w);
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
void waves_remove_part(const struct waves *w)
{
    size_t n = strlen(w->part);

    unlink(w->part);
    strcpy(w->part + n, ".hier"); /* the FST writer's own */
    unlink(w->part);
    w->part[n] = '\0';
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
        waves_write(w, pair[1]);
    }
    close(pair[1]);
    w->socket = pair[0];
    return 0;
}

struct waves *waves_new(const char *file, struct fail *f)
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
    w->sides = 1;
    w->socket = -1;
    w->file = malloc(strlen(file) + 1);
    w->part = calloc(1, OUTFILE_NAME + sizeof ".hier");
    if (!w->file || !w->part) {
        w->short_of_memory = true;
        return w;
    }
    strcpy(w->file, file);
    return w;
}

bool waves_start(struct waves *w, const char *file, struct fail *f)
{
    if (w->short_of_memory) {
        fail(f, EXIT_SYSTEM, "%s: no memory for waves", file);
        waves_free(w);
        return false;
    }
    if (outfile_beside(file, w->part, f)) {
        waves_free(w);
        return false;
    }
    int why = start_child(w);
    if (!why)
        return true;
    fail(f, EXIT_SYSTEM, "cannot write %s: %s", file, strerror(why));
    waves_remove_part(w);
    waves_free(w);
    return false;
}

struct waves *waves_open(const char *file, const struct probe *probe, unsigned sides,
                         const char *const side[], struct fail *f)
{
    struct waves *w = waves_new(file, f);

    if (!w)
        return NULL;
    w->probe = probe;
    w->sides = sides;
    w->endpoints = dut_endpoints(&probe->shape);
    w->links = SWITCH_PORTS * probe->switches + w->endpoints;
    w->of_signal = calloc(probe->count, sizeof *w->of_signal);
    w->head = calloc((size_t)sides * w->links * DUT_MAX_VCS, sizeof *w->head);
    if (!w->of_signal || !w->head)
        w->short_of_memory = true;
    if (!w->short_of_memory)
        declare_all(w, side);
    if (!w->short_of_memory)
        find_signals(w);
    return waves_start(w, file, f) ? w : NULL;
}

void waves_begin(struct waves *w, uint64_t cycle)
{
    if (w->started && cycle == w->cycle)
        return;
    if (w->started) {
        put_time(w, NS_PER_CYCLE * w->cycle + NS_PER_CYCLE / 2);
        waves_put(w, w->clk, 0);
    }
    w->started = true;
    w->cycle = cycle;
    put_time(w, NS_PER_CYCLE * cycle);
    waves_put(w, w->clk, 1);
    waves_put(w, w->cycle_var, cycle);
    if (w->sides > 1)
        waves_put(w, w->mismatch, 0);
}

/* The head of the worm on that channel, which a head changes. */
static const struct head *take_head(const struct waves *w, struct head *head, unsigned valid, bool is_head, uint64_t payload)
{
    struct head *h = &head[(unsigned)__builtin_ctz(valid) % DUT_MAX_VCS];

    if (is_head)
        *h = (struct head){dut_head_dst(&w->probe->shape, payload), dut_head_src(&w->probe->shape, payload), h->turn};
    head->turn ^= is_head;
    return h;
}

/* A link: what crosses it, and the head that each of its channels saw last. */
static void put_link(struct waves *w, unsigned var, struct head *head, unsigned valid,
                     unsigned kind, uint64_t payload, uint32_t worm)
{
    const struct dut_shape *shape = &w->probe->shape;
    bool is_head = valid && (kind & FLIT_HEAD);
    char text[TEXT_SIZE] = {0};

    if (valid) {
        const struct head *h = take_head(w, head, valid, is_head, payload);
        if (worm)
            snprintf(text, sizeof text, "w%" PRIu32 ":%u>%u", worm, h->src & 0xfffff,
                     h->dst & 0xfffff);
        else
            snprintf(text, sizeof text, "%u>%u", h->src & 0xfffff, h->dst & 0xfffff);
    }
    waves_put_text(w, var + LINK_TRACK, text);
    /* A head after a head is another value, so that a viewer draws two boxes. */
    waves_put(w, var + LINK_FLIT, valid ? 4 + kind + (head->turn ? 0u : 8u) : 0);
    waves_put(w, var + LINK_WORM, valid ? worm : 0);
    waves_put(w, var + LINK_DST, is_head ? dut_head_dst(shape, payload) : 0);
    waves_put(w, var + LINK_SRC, is_head ? dut_head_src(shape, payload) : 0);
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
        waves_put(w, first + w->of_signal[k], probe_get(p, state, s, &p->signal[k]));
    for (unsigned i = 0; i < SWITCH_PORTS; i++) {
        const struct link_signals *g = &w->signals[i];
        unsigned link = SWITCH_PORTS * s + i;
        put_link(w, first + w->of_link[i], heads_of(w, side, link),
                 (unsigned)probe_get(p, state, s, g->valid),
                 (unsigned)probe_get(p, state, s, g->kind), probe_get(p, state, s, g->payload),
                 worm ? worm[link] : 0);
        for (unsigned v = 0; v < p->shape.params.vcs; v++) {
            bool waits = probe_get(p, state, s, g->count[v]) != 0;
            waves_put(w, first + w->of_front[i][v],
                waits ? 4 + probe_get(p, state, s, g->front_kind[v]) : 0);
        }
    }
}

void waves_pass(struct waves *w, unsigned side, const uint32_t *state, const struct dut_out *out)
{
    const struct probe *p = w->probe;

    for (unsigned s = 0; s < p->switches; s++)
        for (unsigned i = 0; i < SWITCH_PORTS; i++) {
            const struct link_signals *g = &w->signals[i];
            unsigned valid = (unsigned)probe_get(p, state, s, g->valid);
            if (valid && (probe_get(p, state, s, g->kind) & FLIT_HEAD))
                take_head(w, heads_of(w, side, SWITCH_PORTS * s + i), valid, true, probe_get(p, state, s, g->payload));
        }
    for (unsigned e = 0; e < w->endpoints; e++) {
        const struct link *l = &out->link[e];
        if (l->valid && (l->flit.kind & FLIT_HEAD))
            take_head(w, heads_of(w, side, SWITCH_PORTS * p->switches + e), l->valid, true, l->flit.payload);
    }
}

void waves_cycle(struct waves *w, uint64_t cycle, unsigned side, const uint32_t *state,
                 const struct dut_out *out, const uint16_t *exit_room, const uint32_t *worm)
{
    waves_begin(w, cycle);
    for (unsigned s = 0; s < w->probe->switches; s++)
        put_switch(w, side, s, state, worm);
    for (unsigned e = 0; e < w->endpoints; e++) {
        const struct link *l = &out->link[e];
        unsigned first = w->first_exit[side] + e * EXIT_VARS;
        unsigned link = SWITCH_PORTS * w->probe->switches + e;
        put_link(w, first, heads_of(w, side, link), l->valid, l->flit.kind, l->flit.payload,
                 worm ? worm[link] : 0);
        waves_put(w, first + EXIT_VALID, l->valid);
        waves_put(w, first + EXIT_KIND, l->flit.kind);
        waves_put(w, first + EXIT_PAYLOAD, l->flit.payload);
        waves_put(w, first + EXIT_ROOM, exit_room[e]);
    }
}

void waves_mismatch(struct waves *w, uint64_t cycle)
{
    waves_begin(w, cycle);
    if (w->sides > 1)
        waves_put(w, w->mismatch, 1);
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

void waves_drop(struct waves *w)
{
    end_child(w);
    waves_remove_part(w);
    waves_free(w);
}

int waves_close(struct waves *w, struct fail *f)
{
    int rc = 0;

    if (!w->started) /* a file without a cycle still opens */
        waves_begin(w, 0);
    put_time(w, NS_PER_CYCLE * w->cycle + NS_PER_CYCLE / 2);
    waves_put(w, w->clk, 0);
    put_time(w, NS_PER_CYCLE * (w->cycle + 1));
    waves_put(w, w->clk, 1);
    int why = end_child(w);
    if (!why && outfile_place(w->part, w->file))
        why = errno;
    if (why) {
        waves_remove_part(w);
        rc = fail(f, EXIT_SYSTEM, "cannot write %s: %s", w->file,
                  why < EXIT_UNKNOWN ? strerror(why)
                                     : "what was read back is not what was written (full disk?)");
    }
    waves_free(w);
    return rc;
}
