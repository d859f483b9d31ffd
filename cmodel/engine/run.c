/* SPDX-License-Identifier: Apache-2.0
 * run.c - the run around every engine, and the table of engines.
 */
#include "engine.h"

#include "plug.h"
#include "pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of several that can the first; a new engine is a line here.  The viewer's page (FATFLY_SESSIONS_ALONE) has one
 * thread and shows worms alone. */
static const struct engine *const engines[] = {
#ifdef FATFLY_SESSIONS_ALONE
    &engine_worm, &engine_lanes, &engine_cycle, &engine_channel,
#else
    &engine_parallel,     &engine_fronts_worm, &engine_single, &engine_worm,   &engine_lanes, &engine_cycle,
    &engine_fronts_split, &engine_store,       &engine_ranade, &engine_rounds, &engine_times, &engine_channel,
    &engine_store_any,
#endif
};

static const struct engine *find(const struct fatfly_config *c, const struct topology *t, bool tells, bool session,
                                 bool fed)
{
    for (size_t k = 0; k < sizeof engines / sizeof *engines; k++) {
        const struct engine *e = engines[k];
        if ((e->tells || !tells) && !(e->of_traffic && fed) && !(e->to_the_end && session) &&
            (c->engine == FATFLY_AUTO || strcmp(e->name, fatfly_engine_names[c->engine]) == 0) && e->can(c, t))
            return e;
    }
    return NULL;
}

const struct engine *engine_of(const struct fatfly_config *c, const struct topology *t)
{
    return find(c, t, false, false, false);
}

const struct engine *engine_that_tells(const struct fatfly_config *c, const struct topology *t)
{
    return find(c, t, true, false, false);
}

unsigned engine_link_cycles(const struct fatfly_config *c, const struct topology *t)
{
    const struct engine *e = engine_of(c, t);
    return e && e->link_cycles ? e->link_cycles(c, t) : 1;
}

/* -- opening ---------------------------------------------------------------------------------- */

/* May bring a reply, or make room for a request. */
static void delivered(void *context, const struct traffic_worm *w, uint64_t tail)
{
    struct run *r = context;
    if (replies_arrived(&r->replies, w, tail))
        r->m.all_generated = false;
}

static int open_worms(struct run *r)
{
    if (r->engine->own_worms && !r->fed)
        return FATFLY_OK;
    r->traffic = r->fed ? NULL : traffic_new(r->config);
    if (!r->traffic && !r->fed)
        return FATFLY_NO_MEMORY;
    if (r->traffic && topology_apart(r->topology))
        traffic_apart(r->traffic);
    if (calendar_open(&r->calendar, r->traffic, r->topology->processors))
        return FATFLY_NO_MEMORY;
    if (r->fed || !r->config->reply[0])
        return FATFLY_OK;
    r->m.delivery = delivered;
    r->m.run = r;
    return replies_open(&r->replies, r->config, r->traffic, &r->calendar) ? FATFLY_NO_MEMORY : FATFLY_OK;
}

/* -- who looks on ----------------------------------------------------------------------------- */

void run_tell(const struct run *r, const struct fatfly_move *m)
{
    const struct fatfly_observer *o = r->m.observer;
    if (o->move)
        o->move(o->context, m);
}

static int tell_begin(const struct run *r)
{
    const struct topology *t = r->topology;
    const struct fatfly_observer *o = r->m.observer;
    const struct fatfly_shape shape = {
        .topology = t->kind->name, .engine = r->engine->name, .nodes = t->nodes,
        .switches = t->levels ? t->nodes - t->processors : t->nodes, .processors = t->processors,
        .links = t->links, .ports = t->ports, .channels = t->classes, .depth = r->config->depth,
        .levels = t->levels, .shows = r->engine->view,
        .link_cycles = (uint32_t)r->m.step, .hop_cycles = (uint32_t)r->m.hop};
    struct fatfly_ends *ends = malloc(t->links * sizeof *ends + 1);
    uint32_t *place = malloc(2 * (size_t)t->processors * sizeof *place);
    int status = ends && place ? FATFLY_OK : FATFLY_NO_MEMORY;

    for (uint32_t k = 0; !status && k < t->links; k++) {
        struct topology_link l = topology_link(t, k);
        ends[k] = (struct fatfly_ends){l.from, l.to};
    }
    for (uint32_t a = 0; !status && a < t->processors; a++) {
        place[a] = topology_enter(t, a);
        place[t->processors + a] = topology_leave(t, a);
    }
    if (!status && o->begin)
        o->begin(o->context, &(struct fatfly_wires){
                                 .shape = &shape, .ends = ends, .enter = place,
                                 .leave = place + t->processors, .link_cycles = (uint32_t)r->m.step,
                                 .at_once = r->engine->at_once ? r->engine->at_once(r->config, t) : 1,
                                 .hop_cycles = (uint32_t)r->m.hop});
    free(ends);
    free(place);
    return status;
}

static int open_run(struct run **run, const struct fatfly_config *c, const struct topology *t,
                    const struct fatfly_hooks *hooks, bool session, bool fed, uint32_t *link_worms,
                    struct fatfly_result *result, char *why, size_t size)
{
    bool observed = hooks && hooks->observer;
    const struct engine *engine = find(c, t, observed, session, fed);
    int status = FATFLY_NO_MEMORY;

    *run = NULL;
    if (!engine) {
        snprintf(why, size, "engine = %s cannot tell an observer of moves; allowed with one: auto, cycle",
                 fatfly_engine_names[c->engine]);
        return FATFLY_BAD_CONFIG;
    }
    struct run *r = calloc(1, engine->state);
    if (!r)
        return status;
    r->config = c;
    r->topology = t;
    r->engine = engine;
    r->unit = 1;
    r->fed = fed;
    r->session = session;
    r->why = why;
    r->size = size;
    if (measure_start(&r->m, t, engine_link_cycles(c, t), c, hooks, result, link_worms))
        status = open_worms(r);
    if (!status && observed)
        status = tell_begin(r);
    if (!status)
        status = engine->open(r);
    if (status)
        run_close(r);
    else
        *run = r;
    return status;
}

int run_open(struct run **run, const struct fatfly_config *c, const struct topology *t,
             const struct fatfly_hooks *hooks, uint32_t *link_worms, struct fatfly_result *result,
             char *why, size_t size)
{
    return open_run(run, c, t, hooks, false, false, link_worms, result, why, size);
}

int run_open_session(struct run **run, const struct fatfly_config *c, const struct topology *t, bool fed,
                     uint32_t *link_worms, struct fatfly_result *result, char *why, size_t size)
{
    return open_run(run, c, t, NULL, true, fed, link_worms, result, why, size);
}

void run_close(struct run *r)
{
    if (!r)
        return;
    r->engine->close(r);
    measure_free(&r->m);
    calendar_close(&r->calendar);
    replies_close(&r->replies);
    traffic_free(r->traffic);
    free(r);
}

/* -- running ---------------------------------------------------------------------------------- */

uint64_t run_next(const struct run *r)
{
    return replies_next(&r->replies, &r->calendar);
}

int run_take(struct run *r)
{
    const struct engine *engine = r->engine;
    struct traffic_worm is;
    int status;

    for (;;) {
        if (engine->asks_between) {
            uint64_t ready = run_next(r);
            uint64_t last = ready <= r->now ? ready : r->now;
            if (r->m.check <= last) {
                if (measure_over(&r->m, r->m.open ? r->m.check : last))
                    return RUN_OVER;
                continue;
            }
        }
        if (!replies_take(&r->replies, &r->calendar, r->now, &is))
            break;
        measure_generated(&r->m, &is);
        status = engine->enter(r, &is);
        if (status)
            return status;
    }
    r->m.all_generated = r->calendar.count + replies_count(&r->replies) == 0 && !r->fed;
    return FATFLY_OK;
}

static bool more_to_come(const struct run *r)
{
    return r->calendar.count || replies_count(&r->replies) || r->m.open;
}

int run_lost(struct run *r)
{
    snprintf(r->why, r->size, "internal check failed: cycle %llu: %llu worms that nothing moves",
             (unsigned long long)r->now, (unsigned long long)(r->m.generated - r->m.delivered));
    return FATFLY_BROKEN;
}

/* To the next worm, or to the horizon: whole steps, but for one that would end beyond the last cycle that is counted. */
static void skip(struct run *r, uint64_t horizon)
{
    uint64_t next = run_next(r);

    next = next < horizon ? next : horizon;
    if (next <= r->now)
        return;
    uint64_t more = (next - r->now) % r->unit ? r->unit - (next - r->now) % r->unit : 0;
    next = next < UINT64_MAX - more ? next + more : UINT64_MAX;
    r->engine->sample(r, next);
    r->now = next;
}

static int arrive(struct run *r)
{
    int status = r->engine->arrive && !r->arrived ? r->engine->arrive(r) : FATFLY_OK;
    r->arrived = true;
    return status;
}

/* What follows on arrive(), and the cycles after it in which nothing can move. */
static int move_on(struct run *r, uint64_t horizon, uint64_t rest)
{
    const struct engine *engine = r->engine;
    int status = !engine->own_worms || r->fed ? run_take(r) : FATFLY_OK;

    if (status)
        return status;
    if (engine->asks_between && r->m.delivered == r->m.generated && measure_over(&r->m, r->now))
        return RUN_OVER;
    bool idle = engine->rests && engine->idle(r);
    if (!idle) {
        r->stands = false;
        status = engine->step(r);
        if (status)
            return status;
        r->now += r->unit;
        idle = engine->idle && engine->idle(r);
        if (r->m.delivered < r->m.generated && engine->look &&
            (idle || r->stands || r->now / r->unit % engine->look_steps == 0))
            status = engine->look(r, idle);
    }
    if (!status && !idle && engine->next && r->now < horizon) {
        uint64_t next = engine->next(r);
        if (next > r->now)
            skip(r, next < horizon ? next : horizon);
    }
    if (status || !idle)
        return status;
    if (more_to_come(r))
        skip(r, rest);
    else if (r->m.delivered < r->m.generated)
        status = run_lost(r);
    else if (r->fed)
        skip(r, horizon);
    return status;
}

/* rest: how far it may go at once where nothing can move. */
static int step_once(struct run *r, uint64_t horizon, uint64_t rest)
{
    int status = arrive(r);
    uint64_t from = r->now;

    if (!status)
        status = move_on(r, horizon, rest);
    r->arrived = r->arrived && r->now == from;
    return status;
}

/* A status with what a plug-in did wrong. */
static int blame(struct run *r, int status)
{
    const char *fault = NULL;

    if (r->replies.short_of_memory)
        return FATFLY_NO_MEMORY;
    if (!r->config->plugin)
        return status;
    if (status == FATFLY_NO_MEMORY) /* or no choice */
        fault = plug_fault(r->topology);
    if (!fault && r->traffic)
        fault = traffic_fault(r->traffic);
    if (fault)
        snprintf(r->why, r->size, "%s", fault);
    return fault ? FATFLY_BAD_CONFIG : status;
}

static int step_until(struct run *r, uint64_t horizon, uint64_t rest)
{
    return blame(r, step_once(r, horizon, rest));
}

int run_step(struct run *r, uint64_t horizon)
{
    int status = step_until(r, horizon, horizon);
    return !status && r->session ? blame(r, arrive(r)) : status;
}

static bool turn_over(struct run *r)
{
    return !r->engine->asks_between && (r->now >= r->m.check || r->m.delivered == r->m.generated) &&
           measure_over(&r->m, r->now);
}

int run_turn(struct run *r, uint64_t horizon)
{
    struct measure *m = &r->m;
    uint64_t end = m->config->max_cycles ? m->config->max_cycles : UINT64_MAX;

    if (!(r->session && r->arrived) && turn_over(r))
        return RUN_OVER;
    uint64_t next = m->check < horizon ? m->check : horizon, rest = end < horizon ? end : horizon;
    int status = step_until(r, next, m->open ? next : rest); /* of a static run nothing is asked while it rests */
    if (status || !r->session)
        return status;
    return turn_over(r) ? RUN_OVER : blame(r, arrive(r)); /* in this order, as in a run */
}

void run_finish(struct run *r)
{
    if (r->engine->finish)
        r->engine->finish(r);
    r->m.result->digest = r->digest ^ plug_hash(r->config);
    r->m.result->flit_hops = r->hops;
    if (r->traffic)
        r->m.result->self_worms = traffic_self_worms(r->traffic);
}

void run_visit(struct run *r, struct visitor *v)
{
    calendar_visit(&r->calendar, r->topology->processors, v);
    if (r->traffic)
        traffic_visit(&r->traffic, v);
    replies_visit(&r->replies, v);
    measure_visit(&r->m, v);
    r->engine->visit(r, v);
}

int run_play(struct run *r)
{
    struct measure *m = &r->m;
    int status = FATFLY_OK;

    while (!status)
        status = run_turn(r, UINT64_MAX);
    if (status != RUN_OVER && status != FATFLY_DEADLOCK)
        return status;
    if (status == FATFLY_DEADLOCK)
        m->result->end = FATFLY_DEADLOCKED;
    run_finish(r);
    if (r->broken)
        return FATFLY_BROKEN;
    measure_finish(m, r->now);
    if (status == FATFLY_DEADLOCK)
        return status;
    struct measure_ends ends = measure_ends(r->topology, m->link_worms);
    ends.into += m->elsewhere.into;
    ends.out += m->elsewhere.out;
    return measure_check_ends(r->topology, r->config, m->result, &ends, r->why, r->size)
               ? FATFLY_OK : FATFLY_BROKEN;
}

uint64_t run_ticks(const struct run *r, uint64_t to)
{
    uint64_t from = r->now > r->m.from ? r->now : r->m.from, end = to < r->m.to ? to : r->m.to;
    return from < end ? (end + 63) / 64 - (from + 63) / 64 : 0;
}

/* -- deadlock --------------------------------------------------------------------------------- */

static void tell_wait(const struct run *r, const struct circle *c, uint32_t item)
{
    const struct fatfly_hooks *h = r->m.hooks;
    struct fatfly_wait w = {.cycle = r->now, .worm = c->number(r, item),
                            .holder = c->number(r, c->blocker(r, item, c->alive))};

    if (!h || !h->waits)
        return;
    c->wait(r, item, c->alive, &w);
    struct topology_link at = topology_link(r->topology, w.at), to = topology_link(r->topology, w.link);
    w.at_ends = (struct fatfly_ends){at.from, at.to};
    w.link_ends = (struct fatfly_ends){to.from, to.to};
    h->waits(h->context, &w);
}

enum { SKIPPED = 40 }; /* characters that say how many were */

static int say_circle(struct run *r, const struct circle *c, uint32_t item)
{
    uint32_t skipped = 0;

    for (uint32_t k = 0; k < c->count; k++) /* to the circle */
        item = c->blocker(r, item, c->alive);
    size_t n = (size_t)snprintf(r->why, r->size, "deadlock in cycle %llu:",
                                (unsigned long long)r->now);
    uint32_t first = item;
    do {
        if (n + c->longest + SKIPPED < r->size)
            n += c->say(r, item, c->alive, r->why + n, r->size - n);
        else
            skipped++;
        tell_wait(r, c, item);
        item = c->blocker(r, item, c->alive);
    } while (item != first);
    if (skipped && n < r->size)
        n += (size_t)snprintf(r->why + n, r->size - n, " %u more, held by", skipped);
    if (n < r->size)
        snprintf(r->why + n, r->size - n, " %s %u", c->noun, c->number(r, first));
    return FATFLY_DEADLOCK;
}

/* Whoever waits for something that will come is alive, too, until no more are found. */
int circle_look(struct run *r, const struct circle *c)
{
    uint32_t dead = POOL_NONE;

    for (bool more = true; more;) {
        more = false;
        dead = POOL_NONE;
        for (uint32_t j = 0; j < c->count; j++) {
            uint32_t item = c->items[j];
            if (c->alive[item])
                continue;
            if (c->blocker(r, item, c->alive) == POOL_NONE)
                c->alive[item] = more = true;
            else
                dead = item;
        }
    }
    return dead == POOL_NONE ? FATFLY_OK : say_circle(r, c, dead);
}
