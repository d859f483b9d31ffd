/* SPDX-License-Identifier: Apache-2.0
 * test_lockstep.c - a side with planted faults: what ends a run, in which cycle, and what shrinks.
 */
#include "cube_router.h"
#include "explain.h"
#include "lockstep.h"
#include "probe.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <string.h>

enum fault_kind {
    FAULT_NONE,
    FAULT_FLIP,     /* a payload bit of the first body or tail that leaves from cycle `at` on */
    FAULT_SWALLOW,  /* the first flit that leaves from cycle `at` on */
    FAULT_SHUT,     /* from cycle `at` on the device thinks that no exit has room */
    FAULT_NO_ROOM,  /* from cycle `at` on no entry says that it has room */
    FAULT_ROOM,     /* in cycle `at` entry 3 has other room than it says */
    FAULT_STATE,    /* in cycle `at` a bit inside is shown wrong */
    FAULT_BIT,      /* the same of bit `payload` of what is inside, in cycle `at` after `after` resets */
    FAULT_OUT,      /* in cycle `at` bit `payload` of what is seen outside: OUT_BITS for each entry and exit */
    FAULT_PAYLOAD,  /* a body with this payload is bent whenever it leaves */
    FAULT_RESET,    /* a body with this payload leaves a bit behind that no reset clears */
    FAULT_KEPT,     /* reset number `at` leaves a bit behind */
    FAULT_FIRST,    /* the first state that is shown, before the reset that counts, is wrong */
    FAULT_CHECK,    /* from cycle `at` on switch 4 says that it is inconsistent */
    FAULT_OPEN,     /* the device does not open */
};

/* Of an entry and exit: what says that channels have room, that they have a flit, its kind, its payload. */
enum { OUT_VALID = 16, OUT_KIND = 32, OUT_PAYLOAD = 64, OUT_BITS = 128 };

/* The faulty side is a C model with one fault; one such device is open at a time. */
static const struct dut_ops *model = &dut_cmodel;
static struct {
    enum fault_kind kind;
    uint64_t at;
    uint64_t payload;
    unsigned after;
    /* of the run */
    uint64_t now;
    uint64_t hit; /* cycle in which the fault struck, UINT64_MAX: not yet */
    bool stuck;   /* FAULT_RESET: the bit; FAULT_FIRST: it was shown */
    unsigned opened, resets;
    unsigned endpoints;
    unsigned words;
    uint32_t shown[20000];
} fault;

static void plant(enum fault_kind kind, uint64_t at)
{
    memset(&fault, 0, sizeof fault);
    fault.kind = kind;
    fault.at = at;
    fault.hit = UINT64_MAX;
}

static struct dut *faulty_open(const struct dut_shape *shape, char *why, size_t size)
{
    fault.endpoints = dut_endpoints(shape);
    fault.words = dut_probe_words(shape);
    assert_true(fault.words <= ROWS(fault.shown));
    if (fault.kind == FAULT_OPEN) {
        snprintf(why, size, "closed today");
        return NULL;
    }
    fault.opened++;
    fault.stuck = false;
    return model->open(shape, why, size);
}

static void faulty_reset(struct dut *d, uint32_t seed)
{
    fault.now = 0;
    fault.hit = UINT64_MAX;
    fault.resets++;
    fault.stuck |= fault.kind == FAULT_KEPT && fault.resets == fault.at;
    model->reset(d, seed);
}

static void strike(void)
{
    if (fault.hit == UINT64_MAX)
        fault.hit = fault.now;
}

static void faulty_room(struct dut *d, uint16_t *room)
{
    model->room(d, room);
    if (fault.kind == FAULT_ROOM && fault.now == fault.at) {
        room[3] ^= 1;
        strike();
    }
    if (fault.kind == FAULT_NO_ROOM && fault.now >= fault.at) {
        memset(room, 0, 16 * sizeof *room);
        strike();
    }
    if (fault.kind == FAULT_OUT && fault.now == fault.at && fault.payload % OUT_BITS < OUT_VALID)
        room[fault.payload / OUT_BITS] ^= (uint16_t)(1u << fault.payload % OUT_BITS);
}

static void faulty_drive(struct dut *d, const struct link *in, const uint16_t *room)
{
    static const uint16_t shut[64];
    if (fault.kind == FAULT_SHUT && fault.now >= fault.at) {
        model->drive(d, in, shut);
        strike();
    } else {
        model->drive(d, in, room);
    }
}

static void faulty_sample(struct dut *d, struct link *link)
{
    model->sample(d, link);
    if (fault.kind == FAULT_OUT && fault.now == fault.at) {
        struct link *l = &link[fault.payload / OUT_BITS];
        unsigned bit = fault.payload % OUT_BITS;
        if (bit >= OUT_PAYLOAD)
            l->flit.payload ^= UINT64_C(1) << (bit - OUT_PAYLOAD);
        else if (bit >= OUT_KIND)
            l->flit.kind ^= (uint8_t)(1u << (bit - OUT_KIND));
        else if (bit >= OUT_VALID)
            l->valid ^= (uint16_t)(1u << (bit - OUT_VALID));
    }
    for (unsigned e = 0; e < fault.endpoints; e++) {
        struct link *l = &link[e];
        bool body = l->valid && !(l->flit.kind & FLIT_HEAD);
        if (fault.kind == FAULT_RESET && body && l->flit.payload == fault.payload)
            fault.stuck = true;
        if (fault.kind == FAULT_PAYLOAD && body && l->flit.payload == fault.payload) {
            l->flit.payload ^= 4;
            strike();
        }
        if (fault.hit != UINT64_MAX || fault.now < fault.at)
            continue;
        if (fault.kind == FAULT_FLIP && body) {
            l->flit.payload ^= 1u << 9;
            strike();
        } else if (fault.kind == FAULT_SWALLOW && l->valid) {
            *l = (struct link){.valid = 0};
            strike();
        }
    }
}

static const uint32_t *faulty_state(struct dut *d)
{
    memcpy(fault.shown, model->state(d), fault.words * sizeof *fault.shown);
    if ((fault.kind == FAULT_STATE && fault.now == fault.at) ||
        (fault.kind == FAULT_RESET && fault.stuck && fault.now == 0) ||
        (fault.kind == FAULT_KEPT && fault.stuck) || (fault.kind == FAULT_FIRST && !fault.stuck)) {
        fault.stuck = true;
        fault.shown[fault.words / 2] ^= 1u << 3;
        strike();
    }
    if (fault.kind == FAULT_BIT && fault.resets == fault.after && fault.now == fault.at) {
        fault.shown[fault.payload / 32] ^= UINT32_C(1) << fault.payload % 32;
        strike();
    }
    return fault.shown;
}

static void faulty_tick(struct dut *d)
{
    model->tick(d);
    fault.now++;
}

static void faulty_close(struct dut *d)
{
    fault.opened--;
    model->close(d);
}

static const char *faulty_check(struct dut *d, unsigned *at)
{
    if (fault.kind != FAULT_CHECK || fault.now < fault.at)
        return model->check(d, at);
    strike();
    *at = 4;
    return "not as it was";
}

static const struct dut_ops faulty = {DUT_SEAM,     "faulty",     faulty_open,  faulty_reset,
                                      faulty_room,  faulty_drive, faulty_sample, faulty_state,
                                      faulty_tick,  faulty_close, faulty_check};
static const struct dut_ops *const both[2] = {&dut_cmodel, &faulty};
static const struct dut_ops *const alone[2] = {&faulty, NULL};

static struct stimulus traffic(unsigned length, unsigned repeat)
{
    struct config c;
    struct stimulus s;
    struct fail f;
    config_default(&c);
    c.set.config.length = c.set.config.length_min = length;
    c.set.config.rounds = repeat;
    c.set.config.seed = unit_seed;
    CHECK_EQ(stimulus_make(&s, &c, &f), 0);
    return s;
}

struct seen {
    uint64_t calls;
    uint64_t differ; /* cycle of the first difference */
    uint64_t moved;  /* last cycle in which a flit entered or left */
    unsigned sides;
};

static void look(void *context, uint64_t cycle, const struct lockstep_view *view)
{
    struct seen *n = context;
    CHECK_EQ(cycle, n->calls);
    assert_non_null(view->state[0]);
    n->calls++;
    for (unsigned e = 0; e < 16; e++)
        if (view->in[e].valid || view->out[0]->link[e].valid)
            n->moved = cycle;
    n->sides = view->sides;
    if (view->differ && n->differ == UINT64_MAX)
        n->differ = cycle;
}

static struct lockstep_result run(const struct dut_ops *const ops[2], const struct stimulus *s,
                                  const struct lockstep_options *o)
{
    struct lockstep_result r;
    lockstep_run(ops, s, o, &r);
    CHECK_EQ(fault.opened, 0); /* every device that was opened is closed */
    return r;
}

/* Which signals of trees or of cubes have changed, whichever the shape and the switch. */
struct moved {
    struct probe probe;
    uint32_t *before; /* words of the cycle before */
    struct spot { char name[20]; unsigned port, vc; bool moves; } place[700];
    unsigned count;
};

static struct spot *place_of(struct moved *m, const struct probe_signal *g)
{
    for (unsigned k = 0; k < m->count; k++)
        if (!strcmp(m->place[k].name, g->name) && m->place[k].port == g->port && m->place[k].vc == g->vc)
            return &m->place[k];
    assert_true(m->count < ROWS(m->place));
    struct spot *new = &m->place[m->count++];
    *new = (struct spot){.port = g->port, .vc = g->vc};
    snprintf(new->name, sizeof new->name, "%s", g->name);
    return new;
}

static void moves(void *context, uint64_t cycle, const struct lockstep_view *view)
{
    struct moved *m = context;
    const struct probe *p = &m->probe;
    for (unsigned k = 0; k < p->count && cycle; k++)
        for (unsigned s = 0; s < p->switches; s++)
            if (probe_get(p, view->state[0], s, &p->signal[k]) != probe_get(p, m->before, s, &p->signal[k])) {
                place_of(m, &p->signal[k])->moves = true;
                break;
            }
    memcpy(m->before, view->state[0], (size_t)p->words * p->switches * sizeof *m->before);
}

/* What both sides show as the same for ever would never be compared: each signal of the first `ports` ports moves in one
 * shape at least. */
static void signals_move(const char *const *shapes, unsigned count, unsigned ports)
{
    static struct moved m;
    m.count = 0;
    for (unsigned n = 0; n < count; n++) {
        struct config c;
        struct stimulus s;
        struct fail f;
        struct lockstep_result r;
        char why[200];
        config_default(&c);
        assert_null(dut_shape_parse(shapes[n], &c.shape, why, sizeof why));
        c.set.config.length = c.set.config.length_min = 6;
        c.set.config.rounds = 20;
        c.set.config.seed = unit_seed;
        CHECK_EQ(stimulus_make(&s, &c, &f), 0);
        CHECK_EQ(probe_init(&m.probe, &c.shape), 0);
        m.before = calloc((size_t)m.probe.words * m.probe.switches, sizeof *m.before);
        assert_non_null(m.before);
        for (unsigned k = 0; k < m.probe.count; k++)
            place_of(&m, &m.probe.signal[k]);
        struct lockstep_options o = {.watch = moves, .context = &m};
        const struct dut_ops *const side[2] = {dut_model(&c.shape), NULL};
        lockstep_run(side, &s, &o, &r);
        CHECK_EQ(r.end, END_DONE);
        free(m.before);
        probe_free(&m.probe);
        stimulus_free(&s);
    }
    unsigned still = 0;
    for (unsigned k = 0; k < m.count; k++)
        if (!m.place[k].moves && (m.place[k].port < ports || m.place[k].port == PROBE_NO_PORT)) {
            print_error("%s of port %u, channel %u never changes\n", m.place[k].name, m.place[k].port, m.place[k].vc);
            still++;
        }
    CHECK_EQ(still, 0);
}

static void every_signal_moves(void **state)
{
    static const char *const trees[] = {
        "n16-v1-q2-w32-rp-rr", "n16-v1-q3-w40-gp-rot", "n64-v2-q4-w64-rg-fcfs", "n64-v4-q3-w32-fp-ff",
    };
    static const char *const cubes[] = {
        "torus4-v2-q2-w32-ecube-rot", "torus4-v2-q4-w64-ecube-rr", "mesh4-v2-q3-w40-ecube-fo",
    };
    (void)state;
    signals_move(trees, ROWS(trees), SWITCH_PORTS);
    signals_move(cubes, ROWS(cubes), CUBE_PORTS);
}

static void nothing_wrong(void **state)
{
    struct stimulus s = traffic(4, 3);
    struct seen seen = {.differ = UINT64_MAX};
    struct lockstep_options o = {.watch = look, .context = &seen};
    (void)state;
    plant(FAULT_NONE, 0);
    struct lockstep_result r = run(both, &s, &o);
    CHECK_EQ(r.end, END_DONE);
    CHECK_EQ(r.why[0], 0);
    CHECK_EQ(r.totals.flits_delivered, s.flits);
    CHECK_EQ(r.totals.flits_injected, s.flits);
    CHECK_EQ(seen.calls, r.cycles);
    CHECK_EQ(seen.sides, 2);
    CHECK_EQ(seen.differ, UINT64_MAX);
    assert_true(r.cycles > r.totals.last_arrival + 1); /* it looks on: nothing more may come */
    CHECK_EQ(r.compared, r.cycles * (16 + 6 * 6));
    seen.calls = 0;
    struct lockstep_result one = run(alone, &s, &o);
    CHECK_EQ(seen.sides, 1);
    CHECK_EQ(one.end, END_DONE);
    CHECK_EQ(one.totals.digest, r.totals.digest);
    CHECK_EQ(one.cycles, r.cycles);
    stimulus_free(&s);
}

/* Two sides: the run ends in the cycle in which the fault shows. */
static void mismatches(void **state)
{
    static const struct { enum fault_kind kind; uint64_t at; const char *words; } row[] = {
        {FAULT_FLIP, 0, "exit "}, {FAULT_FLIP, 20, "exit "},   {FAULT_SWALLOW, 0, "exit "},
        {FAULT_SWALLOW, 17, "exit "}, {FAULT_ROOM, 0, "entry 3: room"}, {FAULT_ROOM, 9, "entry 3"},
        {FAULT_STATE, 0, "inside differ"}, {FAULT_STATE, 21, "inside differ"},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(row); k++)
        for (uint64_t after = 0; after <= 10; after += 10) {
            struct stimulus s = traffic(4, 3);
            struct seen seen = {.differ = UINT64_MAX};
            struct lockstep_options o = {.watch = look, .context = &seen, .after = after};
            plant(row[k].kind, row[k].at);
            struct lockstep_result r = run(both, &s, &o);
            CHECK_AT(k, r.end, END_MISMATCH);
            CHECK_AT(k, r.cycle, fault.hit);
            assert_true(r.cycle >= row[k].at && r.cycle < row[k].at + 10);
            CHECK_AT(k, seen.differ, r.cycle);
            CHECK_AT(k, seen.calls, r.cycle + 1 + after);
            if (!strstr(r.why, row[k].words))
                print_error("row %zu: %s\n", k, r.why);
            assert_non_null(strstr(r.why, row[k].words));
            stimulus_free(&s);
        }
}

static void outputs_only(void **state)
{
    struct stimulus s = traffic(4, 3);
    struct lockstep_options o = {.outputs_only = true};
    (void)state;
    plant(FAULT_STATE, 12);
    struct lockstep_result r = run(both, &s, &o);
    CHECK_EQ(r.end, END_DONE);
    CHECK_EQ(r.compared, r.cycles * 16);
    plant(FAULT_FLIP, 12);
    r = run(both, &s, &o);
    CHECK_EQ(r.end, END_MISMATCH);
    CHECK_EQ(r.cycle, fault.hit);
    plant(FAULT_ROOM, 12);
    r = run(both, &s, &o);
    CHECK_EQ(r.end, END_MISMATCH);
    CHECK_EQ(r.cycle, 12);
    stimulus_free(&s);
}

/* What a device shows outside is compared, each bit of rooms, channels and kinds and the ends of payloads, of switches, routers
 * and networks with one channel to nine. */
static void every_bit_outside(void **state)
{
    static const char *const shapes[] = {"s1of3-v1-q2-w32-rp-rr", "n16-v2-q2-w64-rp-rr", "s2of3-v4-q2-w33-gp-ff",
                                         "torus4n5-v9-q2-w48-nhop-rr", "mesh3-v5-q2-w40-nhop-rot"};
    (void)state;
    for (unsigned n = 0; n < ROWS(shapes); n++) {
        struct lockstep_options o = {.outputs_only = true, .max_cycles = 4};
        struct config c;
        struct stimulus s;
        struct fail f;
        char why[200];
        config_default(&c);
        assert_null(dut_shape_parse(shapes[n], &c.shape, why, sizeof why));
        CHECK_EQ(stimulus_make(&s, &c, &f), 0);
        model = dut_model(&c.shape);
        const struct dut_ops *const pair[2] = {model, &faulty};
        unsigned vcs = c.shape.params.vcs, seen = 0;
        for (unsigned k = 0; k < OUT_BITS * dut_endpoints(&c.shape); k++) {
            unsigned bit = k % OUT_BITS;
            if (bit < OUT_KIND ? bit % OUT_VALID >= vcs
                : bit < OUT_PAYLOAD ? bit > OUT_KIND + 1 : bit != OUT_PAYLOAD && bit != OUT_PAYLOAD + c.shape.params.flit_w - 1)
                continue;
            plant(FAULT_OUT, 2);
            fault.payload = k;
            struct lockstep_result r = run(pair, &s, &o);
            CHECK_AT(k, r.end, END_MISMATCH);
            CHECK_AT(k, r.cycle, 2);
            snprintf(why, sizeof why, "%s %u: ", bit < OUT_VALID ? "entry" : "exit", k / OUT_BITS);
            if (strncmp(r.why, why, strlen(why)) != 0)
                fail_msg("%s, bit %u: \"%s\" does not begin with \"%s\"", shapes[n], k, r.why, why);
            seen++;
        }
        CHECK_AT(n, seen, dut_endpoints(&c.shape) * (2 * vcs + 4));
        stimulus_free(&s);
    }
    model = &dut_cmodel;
}

/* One side alone: the scoreboard finds it. */
static void scoreboard(void **state)
{
    struct lockstep_options o = {.patience = 300};
    struct stimulus s = traffic(4, 6);
    struct lockstep_result r;
    (void)state;
    for (uint64_t at = 0; at < 30; at += 7) {
        plant(FAULT_FLIP, at);
        r = run(alone, &s, &o);
        CHECK_AT(at, r.end, END_SCOREBOARD);
        CHECK_AT(at, r.cycle, fault.hit);
        assert_non_null(strstr(r.why, "worm "));
    }
    /* A head is lost: its body comes without one. */
    plant(FAULT_SWALLOW, 0);
    r = run(alone, &s, &o);
    CHECK_EQ(r.end, END_SCOREBOARD);
    assert_true(r.cycle > fault.hit);
    assert_non_null(strstr(r.why, "a flit without a head"));
    stimulus_free(&s);

    /* A worm of one flit is lost: nothing is wrong until it should have come. */
    s = traffic(1, 3);
    plant(FAULT_SWALLOW, 5);
    r = run(alone, &s, &o);
    CHECK_EQ(r.end, END_DEADLOCK);
    assert_non_null(strstr(r.why, "1 flits are in flight"));
    CHECK_EQ(r.totals.worms_delivered + 1, s.count);
    /* Cut before patience ends, the count of flits shows it. */
    o.max_cycles = 200;
    plant(FAULT_SWALLOW, 5);
    r = run(alone, &s, &o);
    CHECK_EQ(r.end, END_SCOREBOARD);
    CHECK_EQ(r.cycle, 199);
    assert_non_null(strstr(r.why, "in the queues of side faulty"));
    stimulus_free(&s);
}

static void deadlock(void **state)
{
    struct stimulus s = traffic(8, 4);
    struct seen seen = {.differ = UINT64_MAX};
    struct lockstep_options o = {.patience = 77, .watch = look, .context = &seen};
    (void)state;
    plant(FAULT_SHUT, 10);
    struct lockstep_result r = run(alone, &s, &o);
    CHECK_EQ(r.end, END_DEADLOCK);
    /* The last flits to enter do so within a few cycles: every queue fills. */
    assert_true(r.cycle >= 10 + 77 && r.cycle < 10 + 77 + 64);
    assert_true(r.totals.flits_injected > r.totals.flits_delivered);
    assert_non_null(strstr(r.why, "for 77 cycles"));
    CHECK_EQ(r.cycle, seen.moved + 77);
    uint64_t stuck = r.cycle;
    seen.calls = 0;
    o.patience = 0; /* 2,000 */
    plant(FAULT_SHUT, 10);
    r = run(alone, &s, &o);
    CHECK_EQ(r.end, END_DEADLOCK);
    CHECK_EQ(r.cycle, stuck - 77 + 2000);
    stimulus_free(&s);
}

/* A worm from 0 to 15 moves inside for two cycles: slow is not a deadlock. */
static void slow_is_no_deadlock(void **state)
{
    struct lockstep_options o = {.patience = 1};
    bool keep[16] = {true}; /* of the complement, the worm of processor 0 */
    struct config c;
    struct stimulus s;
    struct stimulus one;
    struct fail f;
    (void)state;
    config_default(&c);
    c.set.config.pattern = FATFLY_COMPLEMENT;
    c.set.config.length = c.set.config.length_min = 1;
    CHECK_EQ(stimulus_make(&s, &c, &f), 0);
    CHECK_EQ(stimulus_subset(&one, &s, keep), 0);
    plant(FAULT_NONE, 0);
    struct lockstep_result r = run(alone, &one, &o);
    CHECK_EQ(r.end, END_DONE);
    CHECK_EQ(r.totals.worms_delivered, 1);
    stimulus_free(&one);
    stimulus_free(&s);
}

/* Nothing is in flight, but worms wait and no entry ever has room: that ends, too. */
static void never_let_in(void **state)
{
    struct stimulus s = traffic(8, 4);
    struct lockstep_options o = {.patience = 50};
    (void)state;
    plant(FAULT_NO_ROOM, 0);
    struct lockstep_result r = run(alone, &s, &o);
    CHECK_EQ(r.end, END_DEADLOCK);
    CHECK_EQ(r.totals.flits_injected, 0);
    CHECK_EQ(r.cycle, s.last + 50);
    stimulus_free(&s);
}

/* At every cycle limit: injected = delivered + in flight. */
static void cut(void **state)
{
    struct stimulus s = traffic(6, 3);
    (void)state;
    plant(FAULT_NONE, 0);
    struct lockstep_options whole = {.max_cycles = 0};
    uint64_t last = run(both, &s, &whole).totals.last_arrival; /* in flight until then */
    for (uint64_t limit = 1; limit <= last; limit++) {
        struct lockstep_options o = {.max_cycles = limit};
        struct lockstep_result r = run(both, &s, &o);
        CHECK_AT(limit, r.end, END_CUT);
        CHECK_AT(limit, r.cycles, limit);
        CHECK_AT(limit, r.why[0], 0);
        assert_true(r.totals.flits_injected > r.totals.flits_delivered);
        assert_true(r.totals.flits_injected <= s.flits);
    }
    stimulus_free(&s);
}

static void a_device_that_does_not_open(void **state)
{
    struct stimulus s = traffic(2, 1);
    struct lockstep_options o = {.max_cycles = 0};
    (void)state;
    plant(FAULT_OPEN, 0);
    struct lockstep_result r = run(both, &s, &o);
    CHECK_EQ(r.end, END_MEMORY);
    assert_string_equal(r.why, "closed today");
    CHECK_EQ(r.cycles, 0);
    stimulus_free(&s);
}

/* The fault needs flit 1 of worm 23: that worm alone is left, as short as shows it. */
static void shrinks_to_the_worm(void **state)
{
    struct stimulus s = traffic(8, 3), small;
    struct lockstep_options o = {.max_cycles = 0};
    struct lockstep_result small_result;
    const struct worm *w = s.worm;
    (void)state;
    for (unsigned sides = 1; sides <= 2; sides++) {
        while (w->number != 23)
            w++;
        plant(FAULT_PAYLOAD, 0);
        fault.payload = worm_payload(w, 1, 32);
        struct lockstep_result r = run(sides == 1 ? alone : both, &s, &o);
        CHECK_EQ(r.end, sides == 1 ? END_SCOREBOARD : END_MISMATCH);
        struct explain x = {.ops = {sides == 1 ? &faulty : &dut_cmodel,
                                    sides == 1 ? NULL : &faulty},
                            .stimulus = &s, .result = &r, .options = &o, .folder = ".",
                            .name = "x", .repeat = "", .seconds = 60};
        CHECK_EQ(explain_shrink(&x, &small, &small_result), 0);
        CHECK_EQ(small.count, 1);
        CHECK_EQ(small.worm[0].number, 23);
        CHECK_EQ(small.worm[0].length, 2);
        CHECK_EQ(small.flits, 2);
        CHECK_EQ(small.worm[0].ready, 0);
        CHECK_EQ(small_result.end, r.end);
        /* Alone its tail arrives in cycle 2h + L - 2. */
        CHECK_EQ(small_result.cycle, 2 * worm_height(w->src, w->dst));
        stimulus_free(&small);
    }
    stimulus_free(&s);
}

/* A register that no reset reaches: what worm 23 set before the reset shows after it. */
static void shrinks_what_a_reset_leaves(void **state)
{
    struct stimulus s = traffic(8, 3), small;
    struct lockstep_options o = {.max_cycles = 0};
    struct lockstep_result small_result;
    const struct worm *w = s.worm;
    (void)state;
    for (size_t k = 0; k < s.count; k++)
        s.worm[k].ready += 5; /* after the cycle of the failure */
    s.last += 5;
    while (w->number != 23)
        w++;
    plant(FAULT_RESET, 0);
    fault.payload = worm_payload(w, 1, 32);
    struct lockstep_result r = run(both, &s, &o);
    CHECK_EQ(r.end, END_MISMATCH);
    CHECK_EQ(r.cycle, 0);
    CHECK_EQ(lockstep_warm(&s), 200);
    struct explain x = {.ops = {&dut_cmodel, &faulty}, .stimulus = &s, .result = &r, .options = &o,
                        .folder = ".", .name = "x", .repeat = "", .seconds = 60};
    CHECK_EQ(explain_shrink(&x, &small, &small_result), 0);
    CHECK_EQ(small.count, 1);
    CHECK_EQ(small.worm[0].number, 23);
    CHECK_EQ(small.worm[0].length, 2);
    CHECK_EQ(small_result.end, END_MISMATCH);
    CHECK_EQ(small_result.cycle, 0);
    stimulus_free(&small);
    stimulus_free(&s);
}

/* Resets in mid-traffic: what is in flight is lost on both sides alike, what one leaves behind is seen in
 * that cycle, and so is a reset that comes on one side alone. */
static void resets_in_mid_traffic(void **state)
{
    struct stimulus s = traffic(6, 30);
    struct lockstep_options o = {.max_cycles = 0};
    (void)state;
    s.reset_every = 60;
    plant(FAULT_NONE, 0);
    struct lockstep_result r = run(both, &s, &o);
    CHECK_EQ(r.end, END_DONE);
    assert_true(r.totals.worms_delivered > s.count / 4 && r.totals.worms_delivered < s.count);
    CHECK_EQ(r.totals.flits_injected, r.totals.flits_delivered);
    CHECK_EQ(r.totals.worms_injected, r.totals.worms_delivered);
    for (unsigned number = 1; number <= 4; number++) { /* after the two before the run begins */
        uint64_t t = 0;
        for (unsigned k = 0; k < number; k++)
            do
                t++;
            while (!stimulus_resets(&s, t));
        plant(FAULT_KEPT, 2 + number);
        r = run(both, &s, &o);
        CHECK_AT(number, r.end, END_MISMATCH);
        CHECK_AT(number, r.cycle, t);
    }
    plant(FAULT_NONE, 0);
    o.max_cycles = 1000;
    s.shape.params.depth = 3; /* queue memory of a network has no reset */
    r = run(both, &s, &o);
    CHECK_EQ(r.end, END_DONE);
    CHECK_EQ(r.compared, r.cycles * (16 + 6 * 6));
    stimulus_free(&s);
}

/* After the reset before the run and after one in mid-traffic a wrong bit of any signal is seen, its lowest and its highest,
 * in the first switch and in the last; but after the second none of what the queues hold, which no reset reaches. */
static void every_signal_after_a_reset(void **state)
{
    static const struct { enum path_select path; enum scan_order scan; unsigned vcs, depth, flit_w; } shape[] = {
        {PATH_RP, SCAN_FCFS, 2, 3, 32}, {PATH_RW, SCAN_ROT, 1, 1, 16}, {PATH_GP, SCAN_FF, 4, 4, 63}};
    (void)state;
    for (size_t k = 0; k < ROWS(shape); k++) {
        struct stimulus s = traffic(6, 30);
        struct probe p;
        uint64_t reset = 1;
        s.reset_every = 20;
        s.shape.params.path = shape[k].path;
        s.shape.params.scan = shape[k].scan;
        s.shape.params.vcs = shape[k].vcs;
        s.shape.params.depth = shape[k].depth;
        s.shape.params.flit_w = shape[k].flit_w;
        stimulus_complete(&s);
        while (!stimulus_resets(&s, reset))
            reset++;
        struct lockstep_options o = {.max_cycles = reset + 1};
        CHECK_EQ(probe_init(&p, &s.shape), 0);
        for (unsigned j = 0; j < 8 * p.count; j++) {
            const struct probe_signal *g = &p.signal[j / 8];
            bool held = strchr(g->name, '.'); /* "front_q.kind", "mem_q[0].payload" */
            plant(FAULT_BIT, 0);
            fault.payload = (j & 2 ? p.switches - 1 : 0) * 32 * p.words + g->bit + (j & 1 ? g->width - 1u : 0);
            fault.after = j & 4 ? 2 : 1;
            struct lockstep_result r = run(both, &s, &o);
            CHECK_AT(j, r.end == END_MISMATCH, !(held && fault.after > 1));
            if (r.end == END_MISMATCH)
                CHECK_AT(j, r.cycle, fault.after > 1 ? reset : 0);
        }
        probe_free(&p);
        stimulus_free(&s);
    }
}

/* A side that is inconsistent in itself ends the run, alone or beside the other, but only if the inside
 * is looked at. */
static void a_side_checks_itself(void **state)
{
    struct stimulus s = traffic(4, 3), small;
    struct lockstep_options o = {.max_cycles = 0};
    struct lockstep_result small_result;
    (void)state;
    for (unsigned sides = 1; sides <= 2; sides++) {
        const struct dut_ops *const *ops = sides == 1 ? alone : both;
        plant(FAULT_CHECK, 30);
        struct lockstep_result r = run(ops, &s, &o);
        CHECK_EQ(r.end, END_CHECK);
        CHECK_EQ(r.cycle, 30);
        CHECK_EQ(r.at, 4);
        assert_string_equal(r.why, "side faulty, switch S(2,0): not as it was");
        struct explain x = {.ops = {ops[0], ops[1]}, .stimulus = &s, .result = &r, .options = &o,
                            .folder = ".", .name = "x", .repeat = "", .seconds = 60};
        CHECK_EQ(explain_shrink(&x, &small, &small_result), 0);
        CHECK_EQ(small_result.end, END_CHECK);
        CHECK_EQ(small_result.cycle, 30);
        assert_true(small.count < s.count);
        stimulus_free(&small);
    }
    o.outputs_only = true;
    plant(FAULT_CHECK, 30);
    CHECK_EQ(run(both, &s, &o).end, END_DONE);
    stimulus_free(&s);
}

/* Seen after an earlier reset only, a difference still ends the run. */
static void differs_after_an_earlier_reset(void **state)
{
    struct stimulus s = traffic(4, 3);
    struct lockstep_options o = {.max_cycles = 0};
    (void)state;
    plant(FAULT_FIRST, 0);
    struct lockstep_result r = run(both, &s, &o);
    CHECK_EQ(r.end, END_MISMATCH);
    CHECK_EQ(r.cycle, 0);
    stimulus_free(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_wrong), cmocka_unit_test(every_signal_moves),
        cmocka_unit_test(mismatches),
        cmocka_unit_test(outputs_only), cmocka_unit_test(every_bit_outside),
        cmocka_unit_test(scoreboard),
        cmocka_unit_test(deadlock),
        cmocka_unit_test(never_let_in),
        cmocka_unit_test(slow_is_no_deadlock),
        cmocka_unit_test(cut),
        cmocka_unit_test(a_device_that_does_not_open),
        cmocka_unit_test(shrinks_to_the_worm),
        cmocka_unit_test(shrinks_what_a_reset_leaves),
        cmocka_unit_test(differs_after_an_earlier_reset),
        cmocka_unit_test(resets_in_mid_traffic),
        cmocka_unit_test(every_signal_after_a_reset),
        cmocka_unit_test(a_side_checks_itself),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
