/* SPDX-License-Identifier: Apache-2.0
 * shared.c - a run that processes share: what it may be, and that all of them run the same.
 */
#include "shared.h"

#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shared shared;

bool shared_first(void)
{
    return shared.count <= 1 || shared.ranks->rank == 0;
}

int shared_prepare(struct settings *s, struct fail *f)
{
    const struct { bool given; const char *option; } not[] = {
        {s->rtl, "--engine rtl"}, {s->waves[0], "--waves"}, {s->watch, "--watch"}, {s->events[0], "--events"},
        {s->perfetto[0], "--perfetto"}, {s->threads > 1, "--threads of more than 1"},
        {s->config.parts > 1, "--parts of more than 1"}};

    if (shared.count <= 1)
        return 0;
    for (size_t k = 0; k < sizeof not / sizeof *not; k++)
        if (not[k].given)
            return fail(f, EXIT_USAGE, "%s in a run of %u processes; allowed: only in a run of one",
                        not[k].option, shared.count);
    if ((shared.count & (shared.count - 1)) == 0) /* else shared_check() refuses */
        s->config.parts = shared.count;
    return 0;
}

int shared_check(const struct settings *s, struct fail *f)
{
    unsigned most = fatfly_ranks_most(&s->config);
    char text[200];
    size_t n = 0;

    if (shared.count <= 1 || (shared.count <= most && (shared.count & (shared.count - 1)) == 0))
        return 0;
    if (most == 1 && !s->config.topology && s->config.nodes < 16)
        return fail(f, EXIT_USAGE, "%u processes for a run with N = %u; allowed: 1", shared.count, s->config.nodes);
    if (most == 1)
        return fail(f, EXIT_USAGE, "%u processes for a run that cannot be shared; allowed: 1, or worm and phased on a "
                    "fat-tree with one virtual channel, without replies, plug-in or engine cycle", shared.count);
    for (unsigned k = 1; k <= most; k *= 2)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%u", k == 1 ? "" : k == most ? " or " : ", ", k);
    return fail(f, EXIT_USAGE, "%u processes for a run with N = %u; allowed: %s", shared.count, s->config.nodes, text);
}

double shared_memory(const struct settings *s)
{
    struct fatfly_config c = s->config;

    if (settings_watched(s) && !c.topology)
        c.engine = FATFLY_CYCLE;
    return shared.count <= 1 ? (double)fatfly_memory(&c) : (double)fatfly_rank_memory(&c) * shared.here;
}

void shared_tell(const struct settings *s)
{
    double each = (double)fatfly_rank_memory(&s->config) * 1e-9;
    if (shared.count > 1 && shared_first())
        fprintf(stderr, "fatfly run: %u processes, of %.3g GB each, about\n", shared.count, each);
}

/* FNV-1a. */
static uint64_t hash(uint64_t h, const void *what, size_t size)
{
    const unsigned char *byte = what;
    for (size_t k = 0; k < size; k++)
        h = (h ^ byte[k]) * UINT64_C(0x100000001b3);
    return h;
}

/* What must be the same everywhere: the program, the settings, and the files that were read. */
static uint64_t fingerprint(const struct settings *s)
{
    const struct fatfly_config *c = &s->config;
    uint64_t h = hash(UINT64_C(0xcbf29ce484222325), FATFLY_VERSION, sizeof FATFLY_VERSION);
    char value[600];

    for (unsigned k = 0; k < ROWS_COUNT; k++) {
        settings_get(s, k, value, sizeof value);
        h = hash(h, value, strlen(value) + 1);
    }
    if (c->permutation)
        h = hash(h, c->permutation, c->nodes * sizeof *c->permutation);
    if (c->matrix)
        h = hash(h, c->matrix, (size_t)c->nodes * c->nodes * sizeof *c->matrix);
    for (size_t k = 0; k < c->message_count; k++) {
        const struct fatfly_message *m = &c->messages[k];
        const uint64_t words[] = {m->ready, m->src, m->dst, m->length};
        h = hash(h, words, sizeof words);
    }
    return h;
}

struct vote {
    struct fail fail;
    uint64_t fingerprint;
};

int shared_agree(const struct settings *s, int bad, struct fail *f)
{
    struct vote mine = {.fail = *f}, *all;

    if (shared.count <= 1)
        return bad;
    mine.fail.code = bad ? f->code : EXIT_OK;
    mine.fingerprint = bad ? 0 : fingerprint(s);
    all = calloc(shared.count, sizeof *all);
    if (!all || !shared.ranks->gather(shared.ranks->context, &mine, all, sizeof mine)) {
        free(all);
        return fail(f, EXIT_SYSTEM, "the other processes cannot be reached");
    }
    for (unsigned k = 0; k < shared.count; k++) {
        if (all[k].fail.code != EXIT_OK && k)
            bad = fail(f, all[k].fail.code, "process %u: %.350s", k, all[k].fail.text);
        else if (all[k].fail.code != EXIT_OK)
            bad = fail(f, all[k].fail.code, "%s", all[k].fail.text);
        else if (all[k].fingerprint != all[0].fingerprint)
            bad = fail(f, EXIT_USAGE, "process %u has other settings, files or another version than process 0; allowed: "
                       "the same everywhere", k);
        if (bad)
            break;
    }
    free(all);
    return bad;
}
