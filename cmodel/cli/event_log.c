/* SPDX-License-Identifier: Apache-2.0
 * event_log.c - writes the log of every move of a run.
 */
#include "event_log.h"

#include "outfile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { BUFFER = 1 << 16 };

struct event_log {
    struct fatfly_observer observer;
    const struct fatfly_config *config;
    struct outfile o;
    gzFile zip;               /* NULL: not compressed */
    bool lost;                /* something could not be written */
    struct fatfly_ends *ends; /* [links]; NULL: memory was short */
    size_t used;
    char buffer[BUFFER];
};

/* -- text -------------------------------------------------------------------------------------- */

static void flush(struct event_log *log)
{
    bool whole = !log->used ||
                 (log->zip ? gzwrite(log->zip, log->buffer, (unsigned)log->used) == (int)log->used
                           : fwrite(log->buffer, 1, log->used, log->o.out) == log->used);
    log->lost |= !whole;
    log->used = 0;
}

/* Less than BUFFER characters. */
static void put(struct event_log *log, const char *word, size_t length)
{
    if (length > BUFFER - log->used)
        flush(log);
    memcpy(log->buffer + log->used, word, length);
    log->used += length;
}

static void text(struct event_log *log, const char *word)
{
    put(log, word, strlen(word));
}

static void number(struct event_log *log, uint64_t value)
{
    char digits[24];
    unsigned k = sizeof digits;
    do
        digits[--k] = (char)('0' + value % 10);
    while (value /= 10);
    put(log, digits + k, sizeof digits - k);
}

/* The next field of a row. */
static void field(struct event_log *log, uint64_t value)
{
    put(log, ",", 1);
    number(log, value);
}

static void end_row(struct event_log *log)
{
    put(log, "\n", 1);
}

/* "# name=" or " name=", and a number. */
static void item(struct event_log *log, const char *name, uint64_t value)
{
    text(log, name);
    number(log, value);
}

/* -- what the run tells ------------------------------------------------------------------------ */

static void begin(void *context, const struct fatfly_wires *w)
{
    struct event_log *log = context;
    const struct fatfly_shape *s = w->shape;
    const struct fatfly_config *c = log->config;

    item(log, "# fatfly events ", EVENT_LOG_VERSION);
    end_row(log);
    text(log, "# network topology=");
    text(log, s->topology);
    text(log, " discipline=");
    text(log, fatfly_discipline_names[c->discipline]);
    text(log, " engine=");
    text(log, s->engine);
    item(log, " processors=", s->processors);
    item(log, " nodes=", s->nodes);
    item(log, " links=", s->links);
    item(log, " channels=", s->channels);
    item(log, " depth=", c->depth >= FATFLY_UNBOUNDED ? 0 : s->depth);
    item(log, " link_cycles=", w->link_cycles);
    item(log, " hop_cycles=", w->hop_cycles);
    item(log, " at_once=", w->at_once);
    if (c->channel_release == FATFLY_TAIL_SENT)
        text(log, " release=tail-sent");
    item(log, " seed=", c->seed);
    end_row(log);
    for (uint32_t k = 0; k < s->links; k++)
        if (w->ends[k].to != FATFLY_NOWHERE) {
            item(log, "# link ", k);
            item(log, " ", w->ends[k].from);
            item(log, " ", w->ends[k].to);
            end_row(log);
        }
    for (uint32_t a = 0; a < s->processors; a++) {
        item(log, "# processor ", a);
        item(log, " ", w->enter[a]);
        item(log, " ", w->leave[a]);
        end_row(log);
    }
    text(log, EVENT_LOG_COLUMNS);
    end_row(log);
    log->ends = malloc((size_t)s->links * sizeof *log->ends + 1);
    if (log->ends)
        memcpy(log->ends, w->ends, (size_t)s->links * sizeof *log->ends);
}

static void ready(void *context, uint32_t worm, const struct fatfly_worm *w)
{
    struct event_log *log = context;

    text(log, "ready");
    field(log, w->ready);
    text(log, ",");
    field(log, worm);
    text(log, ",,");
    field(log, w->length);
    text(log, ",,,,,,");
    field(log, w->src);
    field(log, w->dst);
    text(log, ",");
    end_row(log);
}

static void move(void *context, const struct fatfly_move *m)
{
    static const char *const kinds[] = {",body", ",tail", ",head", ",single"};
    static const char *const places[] = {",inner", ",last", ",first", ",only"};
    struct event_log *log = context;

    if (!log->ends)
        return;
    text(log, "move");
    field(log, m->cycle);
    field(log, m->cycles);
    field(log, m->worm);
    text(log, m->flits > 1 ? ",packet" : kinds[(m->flit == 0) << 1 | m->tail]);
    field(log, m->flit);
    field(log, m->flits);
    field(log, m->link);
    field(log, m->channel);
    field(log, log->ends[m->link].from);
    field(log, log->ends[m->link].to);
    text(log, places[m->first << 1 | m->last]);
    field(log, m->waited);
    text(log, ",,,");
    end_row(log);
}

static void lost(void *context, uint64_t cycle, uint32_t worm, uint32_t flit, uint32_t link)
{
    struct event_log *log = context;

    if (!log->ends)
        return;
    text(log, "lost");
    field(log, cycle);
    text(log, ",");
    field(log, worm);
    text(log, ",");
    field(log, flit);
    text(log, ",");
    field(log, link);
    text(log, ",");
    field(log, log->ends[link].from);
    field(log, log->ends[link].to);
    text(log, ",,,,,");
    end_row(log);
}

static void arrived(void *context, uint32_t worm, const struct fatfly_delivery *d)
{
    struct event_log *log = context;

    text(log, "arrived");
    field(log, d->tail);
    text(log, ",");
    field(log, worm);
    text(log, ",,");
    field(log, d->length);
    text(log, ",,,,,,");
    field(log, d->src);
    field(log, d->dst);
    field(log, d->tail - d->ready + 1);
    end_row(log);
}

static void totals(struct event_log *log, const struct fatfly_result *r)
{
    char digest[20];

    snprintf(digest, sizeof digest, "%016" PRIx64, r->digest);
    text(log, "# run end=");
    text(log, fatfly_end_names[r->end]);
    item(log, " cycles=", r->cycles);
    item(log, " flit_hops=", r->flit_hops);
    item(log, " worms=", r->worms);
    item(log, " flits=", r->flits);
    item(log, " measure_from=", r->measure_from);
    item(log, " measure_cycles=", r->measure_cycles);
    item(log, " measured=", r->measured);
    item(log, " latency_sum=", r->latency_sum);
    item(log, " latency_max=", r->latency_max);
    item(log, " source_wait=", r->source_wait);
    item(log, " congestion=", r->congestion);
    item(log, " dilation=", r->dilation);
    text(log, " digest=");
    text(log, digest);
    end_row(log);
}

/* -- the file ---------------------------------------------------------------------------------- */

static bool compressed(const char *file)
{
    size_t length = strlen(file);
    return length > 3 && strcmp(file + length - 3, ".gz") == 0;
}

struct event_log *event_log_open(const char *file, const struct fatfly_config *c, struct fail *f)
{
    struct event_log *log = calloc(1, sizeof *log);

    if (!log) {
        fail(f, EXIT_SYSTEM, "no memory to write %s", file);
        return NULL;
    }
    if (outfile_open(&log->o, file, f)) {
        free(log);
        return NULL;
    }
    log->config = c;
    log->observer = (struct fatfly_observer){log, begin, ready, move, lost, arrived};
    if (!compressed(file))
        return log;
    int copy = dup(fileno(log->o.out));
    log->zip = copy >= 0 ? gzdopen(copy, "w6") : NULL;
    if (log->zip)
        return log;
    if (copy >= 0)
        close(copy);
    fail(f, EXIT_SYSTEM, "no memory to compress %s", file);
    event_log_drop(log);
    return NULL;
}

const struct fatfly_observer *event_log_observer(const struct event_log *log)
{
    return &log->observer;
}

int event_log_close(struct event_log *log, const struct fatfly_result *r, struct fail *f)
{
    const char *file = log->o.file;
    int bad = log->ends ? 0 : fail(f, EXIT_SYSTEM, "no memory to write %s", file);

    totals(log, r);
    flush(log);
    errno = ENOSPC; /* where zlib does not say */
    if (log->zip && gzclose(log->zip) != Z_OK)
        log->lost = true;
    log->zip = NULL;
    if (!bad && log->lost)
        bad = fail(f, EXIT_SYSTEM, "%s: cannot write: %s", file, strerror(errno));
    if (bad)
        outfile_drop(&log->o);
    else
        bad = outfile_close(&log->o, f);
    free(log->ends);
    free(log);
    return bad;
}

void event_log_drop(struct event_log *log)
{
    if (!log)
        return;
    if (log->zip)
        gzclose(log->zip);
    outfile_drop(&log->o);
    free(log->ends);
    free(log);
}
