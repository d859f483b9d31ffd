/* SPDX-License-Identifier: Apache-2.0
 * snapshot.c - copies of a session, and the way back to one.
 *
 * All that changes lies in a few structs and in the arrays that run_visit() shows.  A copy keeps the
 * bytes of each; coming back lengthens arrays that were shorter then or are shorter now, and never frees one.
 */
#include "session.h"

#include "grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct array {
    void *bytes;
    size_t size;
};

struct fatfly_snapshot {
    const struct fatfly_session *of;
    struct fatfly_session session; /* comes back whole; bring_back() then says where its arrays are now */
    struct array state;            /* of the engine, struct run included */
    struct array *array;
    unsigned count, room;
};

struct walk {
    struct visitor visitor;
    struct fatfly_snapshot *into;      /* saves */
    const struct fatfly_snapshot *from;
    struct array *now;                 /* comes back: where the arrays are */
    unsigned at;
    bool bad;
};

static bool copy(struct array *a, const void *bytes, size_t size)
{
    a->size = size;
    a->bytes = size ? malloc(size) : NULL;
    if (a->bytes)
        memcpy(a->bytes, bytes, size);
    return a->bytes || !size;
}

static void *pointer_at(const void *place)
{
    void *p;
    memcpy(&p, place, sizeof p);
    return p;
}

static void save_array(struct visitor *v, void *array, size_t bytes)
{
    struct walk *w = (struct walk *)v;
    struct fatfly_snapshot *p = w->into;

    if (!w->bad && !GROW(p->array, p->count, p->room, 32))
        w->bad = true;
    if (!w->bad && !copy(&p->array[p->count++], pointer_at(array), bytes))
        w->bad = true;
}

/* First all arrays get room, so that nothing has changed if memory is short. */
static void make_room(struct visitor *v, void *array, size_t bytes)
{
    struct walk *w = (struct walk *)v;
    struct array *now = &w->now[w->at];
    size_t wanted = w->from->array[w->at++].size;

    now->bytes = pointer_at(array);
    if (bytes >= wanted || w->bad)
        return;
    void *more = realloc(now->bytes, wanted);
    if (!more) {
        w->bad = true;
        return;
    }
    now->bytes = more;
    memcpy(array, &more, sizeof more);
}

static void bring_back(struct visitor *v, void *array, size_t bytes)
{
    struct walk *w = (struct walk *)v;
    const struct array *kept = &w->from->array[w->at];
    void *to = w->now[w->at++].bytes;

    (void)bytes;
    memcpy(array, &to, sizeof to);
    if (kept->size)
        memcpy(to, kept->bytes, kept->size);
}

/* The arrays of the session itself, then those of its run. */
static void visit_all(struct fatfly_session *s, struct visitor *v)
{
    VISIT(v, s->link_worms, s->topology.links);
    VISIT(v, s->sent, s->topology.processors);
    VISIT(v, s->last, s->topology.processors);
    VISIT(v, s->delivery, s->room);
    run_visit(s->run, v);
}

int fatfly_save(const struct fatfly_session *s, struct fatfly_snapshot **snapshot, char *why, size_t size)
{
    struct fatfly_snapshot *p = NULL;
    int status = FATFLY_NO_MEMORY;

    *snapshot = NULL;
    if (!s->run->engine->visit) {
        if (why)
            snprintf(why, size, "discipline = %s; allowed for snapshots: worm or phased",
                     fatfly_discipline_names[s->config.discipline]);
        return FATFLY_BAD_CONFIG;
    }
    p = calloc(1, sizeof *p);
    if (p) {
        struct walk w = {.visitor = {save_array}, .into = p};
        p->of = s;
        p->session = *s;
        visit_all((struct fatfly_session *)(uintptr_t)s, &w.visitor); /* which changes nothing here */
        if (!w.bad && copy(&p->state, s->run, s->run->engine->state))
            status = FATFLY_OK;
    }
    if (status) {
        fatfly_snapshot_free(p);
        if (why)
            snprintf(why, size, "memory is short");
    } else {
        *snapshot = p;
    }
    return status;
}

int fatfly_restore(struct fatfly_session *s, const struct fatfly_snapshot *p, char *why, size_t size)
{
    struct walk w = {.visitor = {make_room}, .from = p};

    if (p->of != s) {
        if (why)
            snprintf(why, size, "a snapshot of another session; allowed: of this one");
        return FATFLY_BAD_CONFIG;
    }
    w.now = calloc(p->count, sizeof *w.now);
    if (w.now)
        visit_all(s, &w.visitor);
    if (!w.now || w.bad) {
        free(w.now);
        if (why)
            snprintf(why, size, "memory is short");
        return FATFLY_NO_MEMORY;
    }
    *s = p->session;
    memcpy(s->run, p->state.bytes, p->state.size);
    w.visitor.see = bring_back;
    w.at = 0;
    visit_all(s, &w.visitor);
    free(w.now);
    return FATFLY_OK;
}

void fatfly_snapshot_free(struct fatfly_snapshot *p)
{
    if (!p)
        return;
    for (unsigned k = 0; k < p->count; k++)
        free(p->array[k].bytes);
    free(p->array);
    free(p->state.bytes);
    free(p);
}
