/* SPDX-License-Identifier: Apache-2.0
 * lockstep.c - runs one or two devices through a stimulus and compares everything in every cycle.
 */
#include "lockstep.h"

#include "cube_route.h"
#include "probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct buffers {
    struct link *in;
    uint16_t *exit_room;
    struct dut_out out[2];
};

static bool get_buffers(struct buffers *b, unsigned endpoints)
{
    b->in = calloc(endpoints, sizeof *b->in);
    b->exit_room = calloc(endpoints, sizeof *b->exit_room);
    bool ok = b->in && b->exit_room;
    for (int k = 0; k < 2; k++) {
        b->out[k].room = calloc(endpoints, sizeof *b->out[k].room);
        b->out[k].link = calloc(endpoints, sizeof *b->out[k].link);
        ok = ok && b->out[k].room && b->out[k].link;
    }
    return ok;
}

static void free_buffers(struct buffers *b)
{
    free(b->in);
    free(b->exit_room);
    for (int k = 0; k < 2; k++) {
        free(b->out[k].room);
        free(b->out[k].link);
    }
}

static bool same_link(const struct link *a, const struct link *b)
{
    return a->valid == b->valid && a->flit.kind == b->flit.kind &&
           a->flit.payload == b->flit.payload;
}

/* The first difference outside the device, in words; false if there is none. */
static bool outputs_differ(const struct dut_out out[2], unsigned endpoints, char *why, size_t size)
{
    for (unsigned e = 0; e < endpoints; e++) {
        const struct link *a = &out[0].link[e];
        const struct link *b = &out[1].link[e];
        if (!same_link(a, b)) {
            snprintf(why, size, "exit %u: valid %u kind %u payload 0x%llx on one side, valid %u "
                     "kind %u payload 0x%llx on the other", e, a->valid, a->flit.kind,
                     (unsigned long long)a->flit.payload, b->valid, b->flit.kind,
                     (unsigned long long)b->flit.payload);
            return true;
        }
        if (out[0].room[e] != out[1].room[e]) {
            snprintf(why, size, "entry %u: room 0x%x on one side, 0x%x on the other", e,
                     out[0].room[e], out[1].room[e]);
            return true;
        }
    }
    return false;
}

static bool any_valid(const struct link *link, unsigned endpoints)
{
    unsigned any = 0;
    for (unsigned e = 0; e < endpoints; e++)
        any |= link[e].valid;
    return any;
}

/* True if side k is inconsistent in itself; r says where and what. */
static bool contradicts(const struct dut_ops *const ops[2], unsigned k, struct dut *const dut[2],
                        const struct probe *p, struct lockstep_result *r)
{
    const char *wrong = ops[k]->check ? ops[k]->check(dut[k], &r->at) : NULL;
    char place[32];

    if (!wrong)
        return false;
    probe_switch_name(p, r->at, place, sizeof place);
    snprintf(r->why, sizeof r->why, "side %s, switch %s: %s", ops[k]->side, place, wrong);
    return true;
}

/* Flits in all queues of a device at the start of a cycle; it is driven so that none moves. */
static uint64_t flits_inside(const struct probe *p, const struct dut_ops *ops, struct dut *dut,
                             struct buffers *b)
{
    uint64_t flits = 0;
    unsigned endpoints = dut_endpoints(&p->shape);

    memset(b->in, 0, endpoints * sizeof *b->in);
    memset(b->exit_room, 0, endpoints * sizeof *b->exit_room);
    ops->drive(dut, b->in, b->exit_room);
    const uint32_t *state = ops->state(dut);
    for (unsigned k = 0; k < p->count; k++)
        if (strcmp(p->signal[k].name, "count_q") == 0)
            for (unsigned n = 0; n < p->switches; n++)
                flits += probe_get(p, state, n, &p->signal[k]);
    return flits;
}

/* True if some switch lets a flit cross in this cycle; gnt[]: of each port. */
static bool moves_inside(const struct probe *p, const struct probe_signal *const gnt[SWITCH_PORTS],
                         const uint32_t *state)
{
    for (unsigned n = 0; n < p->switches; n++)
        for (unsigned port = 0; port < SWITCH_PORTS; port++)
            if (probe_get(p, state, n, gnt[port]))
                return true;
    return false;
}

/* Before the reset that counts: resets, and cycles of traffic after each. */
enum { WARM_UPS = 16, WARM_UP = 200 };

/* Inside a network flits go on to their neighbours in the first cycle of the reset and change queue
 * memory, which has none; only with queues of two flits is no more shown of it than they hold. */
static unsigned warm_ups(const struct dut_shape *shape)
{
    if (!shape->network)
        return WARM_UPS;
    return shape->params.depth == 2;
}

uint64_t lockstep_warm(const struct stimulus *s)
{
    unsigned count = warm_ups(&s->shape);

    return count ? (count - 1) * s->phase + WARM_UP : 0;
}

/* Leaves flits, holds and pointers behind, from cycle `from` of the stimulus on, which decides what is
 * waiting and who stalls.  A simulator's registers start at zero, so that one which no reset reaches
 * would pass for one that has been reset.  Returns 0, 1 if the two sides came out of their reset with
 * different registers, -1 for no memory. */
static int warm_up(const struct dut_ops *const ops[2], unsigned sides, struct dut *const dut[2],
                   const struct stimulus *s, uint64_t from, bool compare, size_t bytes,
                   struct buffers *b)
{
    struct driver *d = driver_new(s);
    char why[200];
    bool differ = false;

    if (!d)
        return -1;
    for (uint64_t t = from; t < from + WARM_UP; t++) {
        for (unsigned k = 0; k < sides; k++)
            ops[k]->room(dut[k], b->out[k].room);
        driver_drive(d, t, b->out[0].room, b->in);
        stimulus_room(s, t, dut_endpoints(&s->shape), b->exit_room);
        for (unsigned k = 0; k < sides; k++) {
            ops[k]->drive(dut[k], b->in, b->exit_room);
            ops[k]->sample(dut[k], b->out[k].link);
        }
        differ = t == from && compare &&
                 memcmp(ops[0]->state(dut[0]), ops[1]->state(dut[1]), bytes) != 0;
        /* A fault in a flit: the run will meet it again, and compare. */
        if (differ || driver_consume(d, t, b->out[0].link, why, sizeof why))
            break;
        for (unsigned k = 0; k < sides; k++)
            ops[k]->tick(dut[k]);
    }
    driver_free(d);
    return differ;
}

enum { DRAIN = 32 }; /* cycles to look on after the last arrival: nothing more may come out */

/* What side 0 saw and showed in a cycle that side 1 has yet to go through. */
struct past {
    struct link *in;
    uint16_t *exit_room;
    struct dut_out out;
    uint32_t *state;
    struct driver_totals totals; /* before what came out was taken */
};

enum { BLOCK_MOST = 32 }; /* cycles that one side goes through by itself, see turns() */

/* A run in progress. */
struct lockstep {
    const struct dut_ops *const *ops;
    const struct stimulus *s;
    const struct lockstep_options *o;
    struct lockstep_result *r;
    struct dut *dut[2];
    unsigned sides, endpoints, links;
    size_t bytes;          /* of a side's state */
    bool compare;          /* inside, too */
    const uint32_t *mask;  /* [words of a switch] of that the bits that are compared; NULL: all */
    uint32_t *but_queues;  /* such a mask, without what queues hold */
    bool reset_differs;    /* the sides came out of their reset with different registers */
    struct buffers b;
    struct driver *d;
    struct probe probe;
    const struct probe_signal *gnt[SWITCH_PORTS];
    const uint32_t *state[2];
    struct past past[BLOCK_MOST]; /* [block] are used, in turns() */
    unsigned block;
    uint64_t t;
    uint64_t moved, done;  /* cycles when something moved last, and when the last worm had arrived; 0: not
                              yet */
};

static bool ends(struct lockstep *x, enum lockstep_end end, const char *why)
{
    x->r->end = end;
    x->r->cycle = x->t;
    if (why)
        snprintf(x->r->why, sizeof x->r->why, "%s", why);
    return true;
}

/* The devices after the reset that counts: the last, or the first after which the two sides differ.
 * False if something could not be set up. */
static bool set_up(struct lockstep *x)
{
    const struct stimulus *s = x->s;
    int bad = 0;

    for (unsigned k = 0; k < x->sides; k++) {
        x->dut[k] = x->ops[k]->open(&s->shape, x->r->why, sizeof x->r->why);
        if (!x->dut[k])
            return false;
    }
    for (unsigned left = (x->o->cold ? 0 : warm_ups(&s->shape)) + 1; left-- > 0 && !bad;) {
        for (unsigned k = 0; k < x->sides; k++)
            x->ops[k]->reset(x->dut[k], left % 2 ? ~s->switch_seed : s->switch_seed);
        if (left)
            bad = warm_up(x->ops, x->sides, x->dut, s, (left - 1) * s->phase, x->compare, x->bytes,
                          &x->b);
    }
    x->reset_differs = bad != 0;
    stimulus_room(s, 0, x->endpoints, x->b.exit_room);
    return bad >= 0;
}

/* All bits of a switch but the flits in its queues; NULL if memory is short. */
static uint32_t *without_queues(const struct probe *p)
{
    uint32_t *mask = malloc((p->words + 1) * sizeof *mask);

    for (unsigned w = 0; mask && w < p->words; w++)
        mask[w] = UINT32_MAX;
    for (unsigned k = 0; mask && k < p->count; k++) {
        const struct probe_signal *g = &p->signal[k];
        bool queue = strncmp(g->name, "front_q", 7) == 0 || strncmp(g->name, "mem_q", 5) == 0;
        for (unsigned bit = g->bit; queue && bit < g->bit + g->width; bit++)
            mask[bit / 32] &= ~(UINT32_C(1) << bit % 32);
    }
    return mask;
}

/* A reset in mid-traffic.  In a network whose queues do not hold two flits their memory differs from
 * then on, see warm_ups(): flits are compared where they cross a link. */
static void reset_both(struct lockstep *x)
{
    for (unsigned k = 0; k < x->sides; k++)
        x->ops[k]->reset(x->dut[k], (uint32_t)rng_hash(x->s->switch_seed + x->t));
    driver_drop(x->d);
    if (!warm_ups(&x->s->shape))
        x->mask = x->but_queues;
}

static bool same_state(const struct lockstep *x, const uint32_t *a, const uint32_t *b)
{
    bool same = true;

    if (!x->mask)
        return memcmp(a, b, x->bytes) == 0;
    for (unsigned s = 0; same && s < x->probe.switches; s++, a += x->probe.words, b += x->probe.words)
        for (unsigned w = 0; w < x->probe.words; w++)
            same &= !((a[w] ^ b[w]) & x->mask[w]);
    return same;
}

/* Whether the two sides differ in this cycle; why: outside, in words. */
static bool sides_differ(const struct lockstep *x, const struct dut_out out[2],
                         const uint32_t *const state[2], char *why, size_t size)
{
    return outputs_differ(out, x->endpoints, why, size) ||
           (x->compare && !same_state(x, state[0], state[1])) ||
           (x->reset_differs && !x->t);
}

/* Drives and samples a cycle, shows it to the watcher and notes whether the sides differ. */
static void play_cycle(struct lockstep *x, bool stalls)
{
    const struct lockstep_options *o = x->o;
    struct buffers *b = &x->b;
    char why[sizeof x->r->why];

    why[0] = 0;
    if (stimulus_resets(x->s, x->t))
        reset_both(x);
    for (unsigned k = 0; k < x->sides; k++)
        x->ops[k]->room(x->dut[k], b->out[k].room);
    driver_drive(x->d, x->t, b->out[0].room, b->in);
    if (stalls)
        stimulus_room(x->s, x->t, x->endpoints, b->exit_room);
    for (unsigned k = 0; k < x->sides; k++) {
        x->ops[k]->drive(x->dut[k], b->in, b->exit_room);
        x->ops[k]->sample(x->dut[k], b->out[k].link);
    }
    if (x->compare || o->watch)
        for (unsigned k = 0; k < x->sides; k++)
            x->state[k] = x->ops[k]->state(x->dut[k]);
    bool differ = x->sides == 2 && sides_differ(x, b->out, x->state, why, sizeof why);
    x->r->compared += x->links;
    if (o->watch) {
        struct lockstep_view view = {.sides = x->sides, .in = b->in, .exit_room = b->exit_room,
                                     .out = {&b->out[0], &b->out[1]},
                                     .state = {x->state[0], x->state[1]}, .driver = x->d,
                                     .differ = differ};
        o->watch(o->context, x->t, &view);
    }
    if (differ && x->r->end != END_MISMATCH)
        ends(x, END_MISMATCH, why[0] ? why : "registers or links inside differ");
}

/* Nothing in or out, yet something inside or waiting to enter: it is slow if some flit moves inside,
 * else it has stopped. */
static bool moves(const struct lockstep *x)
{
    const struct driver_totals *now = driver_totals(x->d);
    bool idle = now->flits_injected == now->flits_delivered &&
                (driver_done(x->d) || x->t <= x->s->last);
    return idle || any_valid(x->b.in, x->endpoints) || any_valid(x->b.out[0].link, x->endpoints) ||
           (!x->o->outputs_only &&
            moves_inside(&x->probe, x->gnt, x->state[0] ? x->state[0] : x->ops[0]->state(x->dut[0])));
}

/* Nothing has moved for too long. */
static bool stuck(struct lockstep *x)
{
    uint64_t patience = x->o->patience ? x->o->patience : 2000;
    char why[sizeof x->r->why];

    if (x->t - x->moved < patience)
        return false;
    const struct driver_totals *now = driver_totals(x->d);
    snprintf(why, sizeof why, "%llu flits are in flight and none has moved for %llu cycles",
             (unsigned long long)(now->flits_injected - now->flits_delivered),
             (unsigned long long)patience);
    return ends(x, END_DEADLOCK, why);
}

/* What is wrong with a cycle that was played; true: the run is over.  Else ticks. */
static bool judge(struct lockstep *x)
{
    struct lockstep_result *r = x->r;
    bool differ = r->end == END_MISMATCH;
    char why[sizeof r->why];

    if (differ && !x->o->after)
        return true;
    for (unsigned k = 0; k < x->sides && !x->o->outputs_only && !differ; k++)
        if (contradicts(x->ops, k, x->dut, &x->probe, r))
            return ends(x, END_CHECK, NULL);
    if (driver_consume(x->d, x->t, x->b.out[0].link, why, sizeof why) && !differ)
        return ends(x, END_SCOREBOARD, why);
    if (moves(x))
        x->moved = x->t;
    for (unsigned k = 0; k < x->sides; k++)
        x->ops[k]->tick(x->dut[k]);
    return !differ && stuck(x);
}

/* Whether the run ends before cycle t, and how. */
static bool over(struct lockstep *x)
{
    struct lockstep_result *r = x->r;
    bool done = driver_done(x->d);

    if (r->end == END_MISMATCH && x->t > r->cycle + x->o->after)
        return true;
    if (done && !x->done)
        x->done = x->t;
    if ((!done || x->t != x->done + DRAIN) && (!x->o->max_cycles || x->t != x->o->max_cycles))
        return false;
    if (r->end != END_MISMATCH)
        r->end = done ? END_DONE : END_CUT;
    return true;
}

/* Where nobody watches, each side goes through a block of cycles by itself, and then the other through the same
 * ones: the code and the data of one side at a time fill the caches of the processor.  What side 1 is driven
 * with depends on side 0 alone; everything is compared, and the first thing wrong is what the run ends with,
 * as if both sides went cycle by cycle.  No cycle of a block but the first begins with a reset. */
enum { BLOCK_BYTES = 128 << 10 };

static bool get_past(struct lockstep *x)
{
    const size_t n = x->endpoints;
    size_t most = BLOCK_BYTES / (n * (2 * sizeof(struct link) + 2 * sizeof(uint16_t)) + x->bytes);

    x->block = most < 1 ? 1 : most > BLOCK_MOST ? BLOCK_MOST : (unsigned)most;
    struct past all = {.in = calloc(x->block * n, sizeof *all.in),
                       .exit_room = calloc(x->block * n, sizeof *all.exit_room),
                       .out = {.room = calloc(x->block * n, sizeof *all.out.room),
                               .link = calloc(x->block * n, sizeof *all.out.link)},
                       .state = malloc(x->block * x->bytes + 1)};
    x->past[0] = all;
    for (unsigned k = 1; k < x->block; k++)
        x->past[k] = (struct past){.in = all.in + k * n,
                                   .exit_room = all.exit_room + k * n,
                                   .out = {.room = all.out.room + k * n, .link = all.out.link + k * n},
                                   .state = all.state + k * x->bytes / sizeof *all.state};
    return all.in && all.exit_room && all.out.room && all.out.link && all.state;
}

static void free_past(struct lockstep *x)
{
    free(x->past[0].in);
    free(x->past[0].exit_room);
    free(x->past[0].out.room);
    free(x->past[0].out.link);
    free(x->past[0].state);
}

/* Takes side 0 through a cycle, and the sources and the scoreboard.  True: it is the last, and r says why,
 * unless side 1 is found to differ. */
static bool lead(struct lockstep *x, struct past *p, bool stalls)
{
    const struct dut_ops *ops = x->ops[0];
    struct dut *dut = x->dut[0];
    struct buffers *b = &x->b;
    char why[sizeof x->r->why];

    ops->room(dut, p->out.room);
    driver_drive(x->d, x->t, p->out.room, b->in);
    if (stalls)
        stimulus_room(x->s, x->t, x->endpoints, b->exit_room);
    memcpy(p->in, b->in, x->endpoints * sizeof *p->in);
    memcpy(p->exit_room, b->exit_room, x->endpoints * sizeof *p->exit_room);
    ops->drive(dut, b->in, b->exit_room);
    ops->sample(dut, p->out.link);
    memcpy(b->out[0].link, p->out.link, x->endpoints * sizeof *p->out.link);
    p->totals = *driver_totals(x->d);
    if (x->compare) {
        x->state[0] = ops->state(dut);
        memcpy(p->state, x->state[0], x->bytes);
    }
    if (!x->o->outputs_only && contradicts(x->ops, 0, x->dut, &x->probe, x->r))
        return ends(x, END_CHECK, NULL);
    if (driver_consume(x->d, x->t, p->out.link, why, sizeof why))
        return ends(x, END_SCOREBOARD, why);
    if (moves(x))
        x->moved = x->t;
    ops->tick(dut);
    return stuck(x);
}

/* Takes side 1 through a cycle that side 0 has been through, the last if side 0 ended the run there.  True if
 * the run ends with it, and r says why. */
static bool follow(struct lockstep *x, const struct past *p, bool last)
{
    const struct dut_ops *ops = x->ops[1];
    struct dut *dut = x->dut[1];
    struct dut_out out[2] = {p->out, x->b.out[1]};
    const uint32_t *state[2] = {p->state, NULL};
    struct lockstep_result *r = x->r;
    char why[sizeof r->why];

    why[0] = 0;
    ops->room(dut, out[1].room);
    ops->drive(dut, p->in, p->exit_room);
    ops->sample(dut, out[1].link);
    if (x->compare)
        state[1] = ops->state(dut);
    r->compared += x->links;
    if (sides_differ(x, out, state, why, sizeof why)) {
        r->totals = p->totals;
        return ends(x, END_MISMATCH, why[0] ? why : "registers or links inside differ");
    }
    if (last && r->end == END_CHECK) {
        r->totals = p->totals;
        return true;
    }
    if (!x->o->outputs_only && contradicts(x->ops, 1, x->dut, &x->probe, r)) {
        r->totals = p->totals;
        return ends(x, END_CHECK, NULL);
    }
    if (last)
        return true;
    ops->tick(dut);
    return false;
}

/* The run, one side after the other in blocks of cycles. */
static void turns(struct lockstep *x, bool stalls)
{
    bool last = false; /* side 0 has ended the run */

    while (!over(x)) {
        const uint64_t first = x->t;
        unsigned n = 0;
        if (stimulus_resets(x->s, x->t))
            reset_both(x);
        do
            last = lead(x, &x->past[n++], stalls);
        while (!last && (x->t++, n < x->block) && !stimulus_resets(x->s, x->t) && !over(x));
        const uint64_t next = x->t;
        for (unsigned k = 0; k < n; k++) {
            x->t = first + k;
            x->r->totals = *driver_totals(x->d);
            if (follow(x, &x->past[k], last && k + 1 == n))
                return;
        }
        x->t = next;
    }
    x->r->totals = *driver_totals(x->d);
}

/* The run, both sides cycle by cycle. */
static void together(struct lockstep *x, bool stalls)
{
    for (; !over(x); x->t++) {
        play_cycle(x, stalls);
        if (judge(x))
            break;
    }
    x->r->totals = *driver_totals(x->d);
}

/* Flits injected = delivered + in flight, counted in the queues of either side. */
static void balance(struct lockstep *x)
{
    struct lockstep_result *r = x->r;
    const struct driver_totals *all = &r->totals;

    for (unsigned k = 0; k < x->sides && (r->end == END_DONE || r->end == END_CUT); k++) {
        uint64_t inside = x->o->outputs_only ? 0
                        : flits_inside(&x->probe, x->ops[k], x->dut[k], &x->b);
        if (x->o->outputs_only || all->flits_injected == all->flits_delivered + inside)
            continue;
        r->end = END_SCOREBOARD;
        r->cycle = x->t ? x->t - 1 : 0;
        snprintf(r->why, sizeof r->why, "%llu flits injected, %llu delivered, %llu in the queues "
                 "of side %s", (unsigned long long)all->flits_injected,
                 (unsigned long long)all->flits_delivered, (unsigned long long)inside,
                 x->ops[k]->side);
    }
    if (r->end == END_DONE || r->end == END_CUT)
        r->why[0] = 0;
}

void lockstep_run(const struct dut_ops *const ops[2], const struct stimulus *s,
                  const struct lockstep_options *o, struct lockstep_result *r)
{
    unsigned ports = s->shape.cube.radix ? CUBE_PORTS : SWITCH_PORTS;
    struct lockstep x = {.ops = ops, .s = s, .o = o, .r = r, .sides = ops[1] ? 2 : 1,
                         .endpoints = dut_endpoints(&s->shape), .d = driver_new(s),
                         .bytes = dut_probe_words(&s->shape) * sizeof(uint32_t)};
    double start = cpu_seconds();
    bool named = probe_init(&x.probe, &s->shape) == 0;

    x.compare = x.sides == 2 && !o->outputs_only;
    x.links = x.endpoints + (o->outputs_only ? 0 : ports * dut_switches(&s->shape));
    memset(r, 0, sizeof *r);
    r->end = END_MEMORY;
    snprintf(r->why, sizeof r->why, "no memory for the run");
    for (unsigned port = 0; named && port < SWITCH_PORTS; port++)
        x.gnt[port] = probe_find(&x.probe, "gnt", port, PROBE_NO_VC);
    const bool blocks = x.sides == 2 && !o->watch && !o->after;
    x.but_queues = named ? without_queues(&x.probe) : NULL;
    if (get_buffers(&x.b, x.endpoints) && x.d && x.but_queues && (!blocks || get_past(&x)) && set_up(&x)) {
        bool stalls = stimulus_stalls(s);
        r->end = END_DONE;
        if (blocks)
            turns(&x, stalls);
        else
            together(&x, stalls);
        r->cycles = x.t;
        balance(&x);
    }
    for (unsigned k = 0; k < x.sides; k++)
        if (x.dut[k])
            ops[k]->close(x.dut[k]);
    r->seconds = cpu_seconds() - start;
    driver_free(x.d);
    probe_free(&x.probe);
    free(x.but_queues);
    free_past(&x);
    free_buffers(&x.b);
}
