/* SPDX-License-Identifier: Apache-2.0
 * session.c - a network that the caller drives.
 */
#include "check.h"
#include "discipline.h"
#include "grow.h"
#include "plug.h"
#include "rounds.h"
#include "session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void none(char **why, size_t *size, char own[1])
{
    if (!*why) {
        *why = own;
        *size = 1;
    }
}

static void arrived(void *context, const struct traffic_worm *w, uint64_t injected, uint64_t head,
                    uint64_t tail, unsigned links)
{
    struct fatfly_session *s = context;

    if (s->first == s->count)
        s->first = s->count = 0;
    if (!GROW(s->delivery, s->count, s->room, 64)) {
        s->short_of_memory = true;
        return;
    }
    s->delivery[s->count++] = (struct fatfly_delivery){
        .tag = w->index, .ready = w->ready, .injected = injected, .head = head, .tail = tail,
        .src = w->src, .dst = w->dst, .length = w->length, .links = links, .of_class = w->of_class};
}

/* fed: worms come by fatfly_send(). */
static int open_network(struct fatfly_session *s, const struct fatfly_config *c, bool fed, char *why,
                        size_t size)
{
    struct topology *t = &s->topology;

    s->config = *c;
    s->config.parts = 1; /* it is read between two cycles */
    if (fed) {
        s->config.load = 0;
        s->config.max_cycles = 0;
        memset(s->config.reply, 0, sizeof s->config.reply);
        s->config.reply_delay = s->config.outstanding = 0;
        s->config.rounds = 1;
        s->config.pattern = FATFLY_RANDOM;
        s->config.hotspot_node = 0;
        s->config.class_patterns = false;
        s->config.arrivals = FATFLY_GEOMETRIC;
        if (s->config.classes == 1) /* there were replies */
            s->config.class_channels = FATFLY_SHARED;
    }
    int status = check_open(&s->config, t, why, size);
    if (!status && fed && c->path == FATFLY_WALK) {
        snprintf(why, size, "path = walk, on which a worm finds its destination by itself; allowed in a "
                 "session that is sent worms: the others");
        status = FATFLY_BAD_CONFIG;
    }
    if (!status && !c->force)
        status = check_deadlock(&s->config, t, NULL, NULL, why, size);
    if (!status && !fed && c->discipline == FATFLY_PHASED && !t->levels)
        status = rounds_phases(&s->config, t, engine_link_cycles(c, t), why, size);
    if (status)
        return status;
    s->link_worms = calloc(t->links, sizeof *s->link_worms);
    s->sent = calloc(t->processors, sizeof *s->sent);
    s->last = calloc(t->processors, sizeof *s->last);
    status = FATFLY_NO_MEMORY;
    if (s->link_worms && s->sent && s->last)
        status = run_open_session(&s->run, &s->config, t, fed, s->link_worms, &s->result, why, size);
    if (status == FATFLY_NO_MEMORY)
        snprintf(why, size, "memory is short");
    return status;
}

static int open_session(struct fatfly_session **session, const struct fatfly_config *c, bool fed,
                        char *why, size_t size)
{
    struct fatfly_session *s = calloc(1, sizeof *s);
    char own[1];

    none(&why, &size, own);
    *session = NULL;
    if (!s) {
        snprintf(why, size, "memory is short");
        return FATFLY_NO_MEMORY;
    }
    int status = open_network(s, c, fed, why, size);
    if (status) {
        fatfly_close(s);
        return status;
    }
    s->run->m.arrived = arrived;
    s->run->m.context = s;
    *session = s;
    return FATFLY_OK;
}

int fatfly_open(struct fatfly_session **session, const struct fatfly_config *c, char *why, size_t size)
{
    return open_session(session, c, true, why, size);
}

int fatfly_open_run(struct fatfly_session **session, const struct fatfly_config *c, char *why,
                    size_t size)
{
    return open_session(session, c, false, why, size);
}

bool fatfly_over(const struct fatfly_session *s)
{
    return s->over;
}

void fatfly_close(struct fatfly_session *s)
{
    if (!s)
        return;
    run_close(s->run);
    topology_close(&s->topology);
    free(s->link_worms);
    free(s->sent);
    free(s->last);
    free(s->delivery);
    free(s);
}

int fatfly_send(struct fatfly_session *s, const struct fatfly_worm *w, char *why, size_t size)
{
    const struct topology *t = &s->topology;
    const struct fatfly_config *c = &s->config;
    uint64_t from = s->run->now;
    bool rounds = discipline_of(c)->rounds; /* in which all worms begin together */
    bool steps = discipline_of(c)->steps || rounds;
    char own[1];

    none(&why, &size, own);
    if (!s->run->fed)
        snprintf(why, size, "this session has worms of its own; allowed: one of fatfly_open()");
    else if (s->run->engine->knows_all && s->begun)
        snprintf(why, size, "a worm after the first cycle with discipline = %s; allowed: all of them before it",
                 fatfly_discipline_names[c->discipline]);
    else if (rounds && w->ready > 0)
        snprintf(why, size, "ready = %llu with discipline = %s; allowed: 0",
                 (unsigned long long)w->ready, fatfly_discipline_names[c->discipline]);
    else if (w->src >= t->processors || w->dst >= t->processors)
        snprintf(why, size, "%u to %u; allowed: processors 0 to %u", w->src, w->dst, t->processors - 1);
    else if (w->src == w->dst && !topology_apart(t))
        snprintf(why, size, "%u to itself; allowed: to another processor", w->src);
    else if (w->length < 1 || w->length > FATFLY_MAX_LENGTH || (steps && w->length != c->length))
        snprintf(why, size, "%u flits; allowed: %u to %u", w->length, steps ? c->length : 1,
                 steps ? c->length : (unsigned)FATFLY_MAX_LENGTH);
    else if (from >= UINT64_C(1) << 62)
        snprintf(why, size, "ready = %llu; allowed: none, as cycle %llu is behind", (unsigned long long)w->ready,
                 (unsigned long long)from);
    else if (w->ready < from || w->ready < s->last[w->src] || w->ready >= UINT64_C(1) << 62)
        snprintf(why, size, "ready = %llu; allowed: %llu to 2^62 - 1", (unsigned long long)w->ready,
                 (unsigned long long)(from > s->last[w->src] ? from : s->last[w->src]));
    else if (t->levels && w->parents >> (t->levels - 1))
        snprintf(why, size, "parents = %u; allowed: 0 to %u", w->parents, (1u << (t->levels - 1)) - 1);
    else if (w->of_class >= c->classes)
        snprintf(why, size, "class %u; allowed: 0 to %u", w->of_class, c->classes - 1);
    else {
        uint32_t number = s->sent[w->src]++ * t->processors + w->src + 1;
        s->last[w->src] = w->ready;
        if (calendar_add(&s->run->calendar,
                         &(struct traffic_worm){.ready = w->ready, .index = w->tag, .number = number,
                                                .src = w->src, .dst = w->dst, .length = w->length, .of_class = w->of_class,
                                                .path = c->path == FATFLY_FP ? w->parents : 0}) == 0)
            return FATFLY_OK;
        snprintf(why, size, "memory is short");
        return FATFLY_NO_MEMORY;
    }
    return FATFLY_BAD_CONFIG;
}

int fatfly_advance(struct fatfly_session *s, uint64_t cycle, bool until_delivery, char *why,
                   size_t size)
{
    struct run *r = s->run;
    int status = FATFLY_OK;
    char own[1];

    none(&why, &size, own);
    r->why = why;
    r->size = size;
    s->begun = s->begun || r->now < cycle;
    while (!status && !s->over && r->now < cycle && !(until_delivery && s->first < s->count)) {
        /* What may bring a delivery must not be followed by a skip of the idle cycles after it. */
        bool by_cycle = until_delivery && fatfly_next_event(s) <= r->now;
        uint64_t horizon = by_cycle ? r->now + 1 : cycle;
        status = r->fed ? run_step(r, horizon) : run_turn(r, horizon);
        if (status == RUN_OVER) {
            s->over = true;
            status = FATFLY_OK;
        }
        if (s->short_of_memory)
            status = FATFLY_NO_MEMORY;
    }
    s->stuck = status == FATFLY_DEADLOCK;
    if (status == FATFLY_NO_MEMORY)
        snprintf(why, size, "memory is short");
    return status;
}

bool fatfly_poll(struct fatfly_session *s, struct fatfly_delivery *d)
{
    if (s->first == s->count)
        return false;
    *d = s->delivery[s->first++];
    return true;
}

uint64_t fatfly_now(const struct fatfly_session *s)
{
    return s->run->now;
}

uint64_t fatfly_next_event(const struct fatfly_session *s)
{
    const struct run *r = s->run;
    uint64_t next = run_next(r);
    bool still = r->engine->idle ? r->engine->idle(r) : r->m.delivered == r->m.generated;
    if (s->stuck)
        return UINT64_MAX;
    if (r->m.delivered < r->m.generated && r->engine->look) /* worms that nothing moves: fatfly_advance() says so */
        still = false;
    return still && next > r->now ? next : r->now;
}

void fatfly_statistics(struct fatfly_session *s, struct fatfly_result *result)
{
    struct run *r = s->run;
    struct measure m = r->m;
    uint64_t now = r->now, hops = r->hops;
    bool over = r->fed ? m.delivered == m.generated && !r->calendar.count : s->over;
    struct fatfly_result kept = s->result;

    if (r->fed || !over)
        s->result.end = over ? FATFLY_DONE : FATFLY_CUT; /* worms under way count */
    run_finish(r);
    *result = s->result;
    s->result = kept;
    m.result = result;
    if (r->fed)
        m.leave = m.enter = NULL;
    measure_sum(&m, over ? r->now : now);
    r->now = now;
    r->hops = hops;
}
