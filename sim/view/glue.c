/* SPDX-License-Identifier: Apache-2.0
 * glue.c - what the page of the viewer calls: two sessions of libfatfly, as arrays of numbers.
 *
 * Session 0 is looked at, cycle by cycle, by an engine that shows its inside; session 1 plays the same
 * run as fast as it can, for its latency and digest.  The page's memory is that of one network.
 */
#include "fatfly.h"
#include "gg.h"
#include "rng.h"
#include "view_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))

enum { SESSIONS = 2, SNAPSHOTS = 64, TEXT = 1 << 16, LINE = 80 };

static char text[TEXT];               /* in and out */
static char graph[VIEW_MAX_GRAPH], topology[64];
static struct fatfly_config config;
static struct fatfly_session *session[SESSIONS];
static struct fatfly_snapshot *snapshot[SNAPSHOTS];
static struct fatfly_result result;
static struct fatfly_register *registers; /* of one switch, and a line of each */
static char *lines;
static struct fatfly_worm_state *worm;
static uint32_t *numbers, register_room, worm_room;
static double figures[16];

EXPORT(v_text) char *v_text(void)
{
    return text;
}

EXPORT(v_graph) char *v_graph(void)
{
    return graph;
}

/* -- the configuration ----------------------------------------------------------------------------- */

static bool named(const char *value, const char *const *names, unsigned count, unsigned *k)
{
    for (*k = 0; *k < count; ++*k)
        if (strcmp(value, names[*k]) == 0)
            return true;
    return false;
}

static bool whole(const char *value, uint64_t *number)
{
    char *end;
    *number = strtoull(value, &end, 10);
    return *value >= '0' && *value <= '9' && !*end;
}

static bool real(const char *value, double *number)
{
    char *end;
    *number = strtod(value, &end);
    return end != value && !*end;
}

static bool set(const char *name, const char *value)
{
    uint64_t number;
    unsigned k;
#define NUMBER(field)                                                                  \
    if (strcmp(name, #field) == 0)                                                     \
        return whole(value, &number) && (config.field = (__typeof__(config.field))number) == number;
#define REAL(field)                                                                    \
    if (strcmp(name, #field) == 0)                                                     \
        return real(value, &config.field);
#define TRUTH(field)                                                                   \
    if (strcmp(name, #field) == 0)                                                     \
        return config.field = strcmp(value, "true") == 0, true;
#define NAME(field, type, names, count)                                                \
    if (strcmp(name, #field) == 0)                                                     \
        return named(value, names, count, &k) && (config.field = (enum type)k, true);
    VIEW_FIELDS(NUMBER, REAL, TRUTH, NAME)
    if (strcmp(name, "topology") == 0) {
        snprintf(topology, sizeof topology, "%s", value);
        config.topology = strcmp(topology, "fat-tree") == 0 ? NULL : topology;
        return true;
    }
    return false;
}

/* Lines name=value from text; 0, or -1 with a sentence in text. */
EXPORT(v_configure) int v_configure(void)
{
    static char copy[TEXT];

    memcpy(copy, text, sizeof copy);
    fatfly_defaults(&config);
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
        char *value = strchr(line, '=');
        if (value)
            *value++ = '\0';
        if (!value || !set(line, value)) {
            snprintf(text, sizeof text, "%s = %s; the page does not know it", line, value ? value : "");
            return -1;
        }
    }
    config.graph = graph;
    config.graph_name = "graph";
    config.seed = fatfly_run_seed(config.seed, 0);
    return 0;
}

/* -- sessions -------------------------------------------------------------------------------------- */

EXPORT(v_close) void v_close(int k)
{
    for (unsigned j = 0; k == 0 && j < SNAPSHOTS; j++) {
        fatfly_snapshot_free(snapshot[j]);
        snapshot[j] = NULL;
    }
    fatfly_close(session[k]);
    session[k] = NULL;
}

/* A fatfly_status; text says why. */
EXPORT(v_open) int v_open(int k)
{
    struct fatfly_config c = config;

    v_close(k);
    text[0] = '\0';
    if (k == 0 && !c.topology)
        c.engine = FATFLY_CYCLE;
    return fatfly_open_run(&session[k], &c, text, sizeof text);
}

EXPORT(v_advance) int v_advance(int k, double cycle)
{
    struct fatfly_delivery d;
    int status = fatfly_advance(session[k], (uint64_t)cycle, false, text, sizeof text);

    while (fatfly_poll(session[k], &d))
        ;
    return status;
}

EXPORT(v_now) double v_now(int k)
{
    return (double)fatfly_now(session[k]);
}

EXPORT(v_over) int v_over(int k)
{
    return fatfly_over(session[k]);
}

EXPORT(v_deadlock) int v_deadlock(void)
{
    return fatfly_find_deadlock(session[0], text, sizeof text);
}

EXPORT(v_save) int v_save(int j)
{
    fatfly_snapshot_free(snapshot[j]);
    return fatfly_save(session[0], &snapshot[j], text, sizeof text);
}

EXPORT(v_restore) int v_restore(int j)
{
    return fatfly_restore(session[0], snapshot[j], text, sizeof text);
}

EXPORT(v_forget) void v_forget(int j)
{
    fatfly_snapshot_free(snapshot[j]);
    snapshot[j] = NULL;
}

/* -- what is drawn --------------------------------------------------------------------------------- */

static uint32_t *room_for(size_t count)
{
    uint32_t *more = realloc(numbers, (count + 1) * sizeof *more);
    if (more)
        numbers = more;
    return more;
}

/* nodes, switches, processors, links, ports, channels, depth, levels, cycles in which a flit crosses a link, and those
 * after them until it can go on, then from and to of each link. */
EXPORT(v_shape) uint32_t *v_shape(void)
{
    struct fatfly_shape is;

    fatfly_read_shape(session[0], &is);
    uint32_t *x = room_for(10 + 2 * (size_t)is.links);
    if (!x)
        return NULL;
    memcpy(x, (uint32_t[10]){is.nodes, is.switches, is.processors, is.links, is.ports, is.channels,
                            is.depth, is.levels, is.link_cycles, is.hop_cycles}, 10 * sizeof *x);
    for (uint32_t k = 0; k < is.links; k++) {
        struct fatfly_ends e = fatfly_read_ends(session[0], k);
        x[10 + 2 * k] = e.from;
        x[11 + 2 * k] = e.to;
    }
    return x;
}

/* Link after link, channel after channel: holder, flits, then worm * 4 + kind of up to 16 flits where
 * `flits` is set. */
EXPORT(v_queues) uint32_t *v_queues(int flits)
{
    struct fatfly_shape is;
    size_t at = 0, each = flits ? 2 + 2 * FATFLY_MAX_DEPTH : 2;

    fatfly_read_shape(session[0], &is);
    uint32_t *x = room_for(each * is.links * is.channels);
    for (uint32_t k = 0; x && k < is.links; k++)
        for (uint32_t v = 0; v < is.channels; v++, at += each) {
            struct fatfly_queue q;
            fatfly_read_queue(session[0], k, v, &q);
            x[at] = q.holder;
            x[at + 1] = q.count;
            for (size_t j = 0; flits && j < FATFLY_MAX_DEPTH; j++) {
                x[at + 2 + 2 * j] = q.worm[j];
                x[at + 3 + 2 * j] = q.kind[j];
            }
        }
    return x;
}

/* The number of worms, then 14 numbers each, the last two the halves of one; UINT32_MAX for what is not. */
EXPORT(v_worms) uint32_t *v_worms(void)
{
    uint32_t count = fatfly_read_worms(session[0], NULL, 0);

    if (count > worm_room) {
        struct fatfly_worm_state *more = realloc(worm, 2 * (size_t)count * sizeof *more);
        if (!more)
            return NULL;
        worm = more;
        worm_room = 2 * count;
    }
    uint32_t *x = room_for(1 + 14 * (size_t)count);
    if (!x)
        return NULL;
    if (count)
        fatfly_read_worms(session[0], worm, worm_room);
    x[0] = count;
    for (uint32_t k = 0; k < count; k++) {
        const struct fatfly_worm_state *w = &worm[k];
        memcpy(x + 1 + 14 * (size_t)k,
               (uint32_t[14]){w->worm, w->src, w->dst, w->length, w->sent, w->arrived, w->head_link,
                              w->head_channel, w->tail_link, w->tail_channel, w->wants, w->blocked_by,
                              (uint32_t)w->ready, (uint32_t)(w->ready >> 32)}, 14 * sizeof *x);
    }
    return x;
}

/* For each register a line "name port channel index value"; NULL: no memory. */
EXPORT(v_switch) char *v_switch(uint32_t node)
{
    uint32_t count = fatfly_read_switch(session[0], node, NULL, 0);
    size_t n = 0;

    if (count >= register_room) {
        free(registers);
        free(lines);
        register_room = count + 1;
        registers = malloc(register_room * sizeof *registers);
        lines = malloc((size_t)register_room * LINE);
        if (!registers || !lines) {
            register_room = 0;
            return NULL;
        }
    }
    fatfly_read_switch(session[0], node, registers, count);
    lines[0] = '\0';
    for (uint32_t k = 0; k < count; k++) {
        const struct fatfly_register *r = &registers[k];
        n += (size_t)snprintf(lines + n, LINE, "%.20s %d %d %d %llu\n", r->name, r->port, r->channel, r->index,
                              (unsigned long long)r->value);
    }
    return lines;
}

/* -- figures --------------------------------------------------------------------------------------- */

/* Of a session; the digest, as `fatfly run --runs 1` prints it, into text. */
EXPORT(v_figures) double *v_figures(int k)
{
    const struct fatfly_result *r = &result;

    fatfly_statistics(session[k], &result);
    snprintf(text, sizeof text, "%016llx", (unsigned long long)rng_hash(r->digest));
    double all[16] = {r->end, (double)r->cycles, (double)r->flit_hops, (double)r->worms, (double)r->flits,
                      (double)r->measured, r->measured ? (double)r->latency_sum / (double)r->measured : 0,
                      (double)r->accepted_flits, (double)r->measure_cycles, (double)r->last_arrival,
                      (double)r->source_wait, (double)r->blocked, r->congestion, r->dilation,
                      (double)fatfly_quantile(r, 0.99), (double)r->latency_max};
    memcpy(figures, all, sizeof all);
    return figures;
}

/* The paper's latency (GG); -1: saturated. */
EXPORT(v_model) double v_model(unsigned levels, double length, double load)
{
    struct gg_result r;
    return gg_fat_tree(levels, length, load, &r) == GG_OK ? r.latency : -1;
}

EXPORT(v_saturation) double v_saturation(unsigned levels)
{
    return gg_saturation(levels);
}
