/* SPDX-License-Identifier: Apache-2.0
 * places.c - a fault of one bit at every kind of place that lock-step compares must stop the run, in its
 * cycle, and be named.
 *
 * Usage: places SIM CASE LIBRARY SEED DRAWS [FOLDER [KIND]].  KIND: of this kind alone, the same faults as with the
 * others.  The case runs with few worms, the C model on one side,
 * LIBRARY (the Verilog) on the other; a fault is shown by either (faulty.h).  Of each kind the first and the
 * last place, bit and cycle are taken always, DRAWS others by chance.  Prints a line a kind; exit code 1
 * if a fault went unseen or was named wrongly.  What the devices show is taped once and played back from the
 * reset that counts on; but for faults after an earlier reset, which meet the devices themselves.
 */
#include "cases.h"
#include "explain.h"
#include "faulty.h"
#include "library.h"
#include "lockstep.h"
#include "probe.h"
#include "rng.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 300, CYCLES = 120, SHOWN = 4 };

struct test {
    const char *name;
    const struct dut_ops *true_ops[2];
    struct stimulus stimulus;
    struct probe probe;
    unsigned endpoints, switches, vcs, flit_w;
    uint64_t draws, seed;
    const char *folder; /* NULL: nothing is explained */
    const char *only;   /* the kind of fault that is wanted; NULL: all */
    bool skipped;       /* the kind at hand is not: its faults are drawn, not run */
    /* Of the run without a fault: */
    unsigned resets;
    uint64_t cycles, flits;
    struct lockstep_result good;
    /* Counts of the kind at hand. */
    const char *kind;
    unsigned tried, bad;
};

static uint64_t draw(struct test *t, uint64_t below)
{
    t->seed = rng_hash(t->seed + 1);
    return below ? t->seed % below : 0;
}

static struct lockstep_result run(const struct test *t, const struct fault *one, const struct fault *two)
{
    static const struct fault none = {.what = FAULT_NONE};
    const struct dut_ops *ops[2] = {faulty_ops(0, t->true_ops[0]), faulty_ops(1, t->true_ops[1])};
    struct lockstep_options o = {.patience = PATIENCE, .cold = faulty_tape == TAPE_PLAY};
    struct lockstep_result r;

    if (t->skipped)
        return t->good;
    faulty_plan[0] = one ? *one : none;
    faulty_plan[1] = two ? *two : none;
    lockstep_run(ops, &t->stimulus, &o, &r);
    return r;
}

static void wrong(struct test *t, const char *what, const struct fault *f, unsigned side,
                  const struct lockstep_result *r)
{
    if (!t->skipped && t->bad++ < SHOWN)
        printf("  %s: place %u bit %u cycle %" PRIu64 " after reset %u on side %s: end %d in cycle %" PRIu64
               ": %s\n", what, f->place, f->bit, f->cycle, f->reset, side < 2 ? t->true_ops[side]->side : "both",
               (int)r->end, r->cycle, r->why);
}

static void open_kind(struct test *t, const char *kind)
{
    t->kind = kind;
    t->skipped = t->only && strcmp(t->only, kind) != 0;
}

static int close_kind(struct test *t)
{
    int bad = t->bad || !t->tried;

    if (t->skipped)
        return 0;
    printf("%s %s: %s: %u faults, %u unseen or named wrongly\n", bad ? "FAIL" : "PASS", t->name, t->kind, t->tried,
           t->bad);
    fflush(stdout);
    t->tried = t->bad = 0;
    return bad;
}

/* What the report of an exit says: the field of the fault, and no other, differs, in that bit alone. */
static bool link_named(const struct fault *f, const char *why)
{
    unsigned exit, valid[2], kind[2];
    unsigned long long payload[2];

    if (sscanf(why, "exit %u: valid %u kind %u payload 0x%llx on one side, valid %u kind %u payload 0x%llx",
               &exit, &valid[0], &kind[0], &payload[0], &valid[1], &kind[1], &payload[1]) != 7)
        return false;
    uint64_t bit = UINT64_C(1) << f->bit;
    return exit == f->place && (valid[0] ^ valid[1]) == (f->what == FAULT_VALID ? bit : 0) &&
           (kind[0] ^ kind[1]) == (f->what == FAULT_KIND ? bit : 0) &&
           (payload[0] ^ payload[1]) == (f->what == FAULT_PAYLOAD ? bit : 0);
}

static bool room_named(const struct fault *f, const char *why)
{
    unsigned entry, room[2];
    return sscanf(why, "entry %u: room 0x%x on one side, 0x%x", &entry, &room[0], &room[1]) == 3 &&
           entry == f->place && (room[0] ^ room[1]) == 1u << f->bit;
}

/* A fault that must end the run in its own cycle. */
static void in_its_cycle(struct test *t, const struct fault *f, unsigned side)
{
    struct lockstep_result r = run(t, side ? NULL : f, side ? f : NULL);
    uint64_t want = f->reset == t->resets ? f->cycle : 0; /* an earlier reset is seen when the run begins */
    bool named = strcmp(r.why, "registers or links inside differ") == 0;

    if (f->what == FAULT_VALID || f->what == FAULT_KIND || f->what == FAULT_PAYLOAD)
        named = link_named(f, r.why);
    if (f->what == FAULT_ROOM)
        named = room_named(f, r.why);
    t->tried++;
    if (r.end != END_MISMATCH || r.cycle != want || !named || faulty_seen[side].struck == UINT64_MAX)
        wrong(t, "not stopped, or not named", f, side, &r);
}

/* Every field of `bits` bits at `places` places: the corners on both sides, then others by chance. */
static void field(struct test *t, enum fault_what what, unsigned places, unsigned bits)
{
    struct fault f = {.what = what, .reset = t->resets};

    for (unsigned corner = 0; corner < 16; corner++) {
        f.place = corner & 1 ? places - 1 : 0;
        f.bit = corner & 2 ? bits - 1 : 0;
        f.cycle = corner & 4 ? t->cycles - 1 : 0;
        in_its_cycle(t, &f, corner >> 3);
    }
    for (uint64_t k = 0; k < t->draws + places; k++) { /* each place at least once */
        f.place = (unsigned)(k < places ? k : draw(t, places));
        f.bit = (unsigned)draw(t, bits);
        f.cycle = draw(t, t->cycles);
        in_its_cycle(t, &f, (unsigned)draw(t, 2));
    }
}

/* The signal that has this bit of a switch's words; NULL: none. */
static const struct probe_signal *signal_of(const struct probe *p, unsigned bit)
{
    for (unsigned k = 0; k < p->count; k++)
        if (bit >= p->signal[k].bit && bit < p->signal[k].bit + p->signal[k].width)
            return &p->signal[k];
    return NULL;
}

/* What explain() says of a fault inside: the cycle, the switch and the signal. */
static void explained(struct test *t, const struct fault *f, unsigned side)
{
    const struct dut_ops *ops[2] = {faulty_ops(0, t->true_ops[0]), faulty_ops(1, t->true_ops[1])};
    struct lockstep_options o = {.patience = PATIENCE, .cold = faulty_tape == TAPE_PLAY};
    unsigned s = f->place / t->probe.words, at = f->place % t->probe.words * 32 + f->bit;
    const struct probe_signal *g = signal_of(&t->probe, at);
    struct lockstep_result r = run(t, side ? NULL : f, side ? f : NULL);
    struct explain x = {.ops = {ops[0], ops[1]}, .stimulus = &t->stimulus, .result = &r, .options = &o,
                        .folder = t->folder, .name = t->name, .repeat = "-", .seconds = 0};
    char place[32], want[200], *text = NULL;
    size_t size = 0;
    int length;

    if (t->skipped)
        return;
    probe_switch_name(&t->probe, s, place, sizeof place);
    length = snprintf(want, sizeof want, "first difference: cycle %" PRIu64 " switch %s", f->cycle, place);
    if (g && g->port != PROBE_NO_PORT)
        length += snprintf(want + length, sizeof want - (size_t)length, " port %u", g->port);
    if (g && g->vc != PROBE_NO_VC)
        length += snprintf(want + length, sizeof want - (size_t)length, " channel %u", g->vc);
    if (g)
        snprintf(want + length, sizeof want - (size_t)length, " signal %s: %s ", g->name, ops[0]->side);
    else
        snprintf(want + length, sizeof want - (size_t)length, " bit %u of its words, which has no name: %s ", at,
                 ops[0]->side);
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    explain(&x, out);
    fclose(out);
    t->tried++;
    if (!strstr(text, want)) {
        char *end = strstr(text, "first difference");
        snprintf(r.why, sizeof r.why, "\"%.90s\" is not what \"%.90s\" says", want, end ? end : text);
        wrong(t, "not named", f, side, &r);
    }
    free(text);
}

static struct fault state_fault(const struct test *t, unsigned s, unsigned bit, uint64_t cycle)
{
    return (struct fault){.what = FAULT_STATE, .place = s * t->probe.words + bit / 32, .bit = bit % 32,
                          .reset = t->resets, .cycle = cycle};
}

/* Every signal of the first and the last switch; every bit of the words of one that is drawn; others. */
static void inside(struct test *t)
{
    const struct probe *p = &t->probe;
    unsigned bits = 32 * p->words;

    for (unsigned k = 0; k < p->count; k++)
        for (unsigned corner = 0; corner < 8; corner++) {
            unsigned bit = p->signal[k].bit + (corner & 1 ? p->signal[k].width - 1u : 0);
            struct fault f = state_fault(t, corner & 2 ? t->switches - 1 : 0, bit,
                                         corner & 4 ? t->cycles - 1 : 0);
            in_its_cycle(t, &f, (unsigned)draw(t, 2));
        }
    unsigned s = (unsigned)draw(t, t->switches);
    for (unsigned bit = 0; bit < bits; bit++) {
        struct fault f = state_fault(t, s, bit, draw(t, t->cycles));
        in_its_cycle(t, &f, (unsigned)draw(t, 2));
    }
    for (uint64_t k = 0; k < t->draws + 2 * t->switches; k++) { /* the last word of each switch, too */
        unsigned bit = k < 2 * t->switches ? bits - 1 : (unsigned)draw(t, bits);
        struct fault f = state_fault(t, (unsigned)(k < t->switches ? k : draw(t, t->switches)), bit,
                                     draw(t, t->cycles));
        in_its_cycle(t, &f, (unsigned)(k & 1));
    }
    for (unsigned corner = 0; corner < 16; corner++) { /* first and last bit of all */
        struct fault f = state_fault(t, corner & 1 ? t->switches - 1 : 0, corner & 2 ? bits - 1 : 0,
                                     corner & 4 ? t->cycles - 1 : 0);
        in_its_cycle(t, &f, corner >> 3);
    }
}

/* Registers after a reset before the one that counts: the first and the last of those. */
static void earlier(struct test *t)
{
    for (unsigned reset = 1; reset < t->resets; reset += t->resets > 2 ? t->resets - 2 : 1)
        for (unsigned corner = 0; corner < 4 + t->draws / 8; corner++) {
            unsigned words = t->switches * t->probe.words;
            struct fault f = {.what = FAULT_STATE, .reset = reset,
                              .place = corner < 4 ? (corner & 1 ? words - 1 : 0) : (unsigned)draw(t, words),
                              .bit = corner < 4 ? (corner & 1 ? 31 : 0) : (unsigned)draw(t, 32)};
            in_its_cycle(t, &f, corner >> 1 & 1);
        }
}

/* The count of flits that are left inside at the end: every queue's, on either side. */
static void counts(struct test *t)
{
    for (unsigned side = 0; side < 2; side++)
        for (unsigned k = 0; k < t->probe.count; k++) {
            const struct probe_signal *g = &t->probe.signal[k];
            if (strcmp(g->name, "count_q") != 0)
                continue;
            for (unsigned s = 0; s < t->switches; s++) {
                struct fault f = state_fault(t, s, g->bit + (unsigned)draw(t, g->width), t->cycles);
                char want[100];
                snprintf(want, sizeof want, "%u in the queues of side %s", 1u << (f.bit - g->bit % 32),
                         t->true_ops[side]->side);
                struct lockstep_result r = run(t, side ? NULL : &f, side ? &f : NULL);
                t->tried++;
                if (r.end != END_SCOREBOARD || r.cycle != t->cycles - 1 || !strstr(r.why, want))
                    wrong(t, "not counted", &f, side, &r);
            }
        }
}

/* A side says that a switch is inconsistent. */
static void checks(struct test *t)
{
    for (unsigned corner = 0; corner < 8 + t->draws / 8; corner++) {
        struct fault f = {.what = FAULT_CHECK, .reset = t->resets,
                          .place = corner < 8 ? (corner & 1 ? t->switches - 1 : 0) : (unsigned)draw(t, t->switches),
                          .cycle = corner < 8 ? (corner & 2 ? t->cycles - 1 : 0) : draw(t, t->cycles)};
        unsigned side = corner >> 2 & 1;
        char place[32], want[100];
        probe_switch_name(&t->probe, f.place, place, sizeof place);
        snprintf(want, sizeof want, "side %s, switch %s: not as it was", t->true_ops[side]->side, place);
        struct lockstep_result r = run(t, side ? NULL : &f, side ? &f : NULL);
        t->tried++;
        if (r.end != END_CHECK || r.cycle != f.cycle || r.at != f.place || strcmp(r.why, want) != 0)
            wrong(t, "not said", &f, side, &r);
    }
}

/* A flit that both sides bend, lose, double or send astray alike: the scoreboard's.  Of a bent head it may know
 * only later, if it is then that of another worm in flight. */
static void both_alike(struct test *t)
{
    const unsigned corner[] = {0, t->flit_w - 1, 64, 65};

    for (enum fault_what what = FAULT_BEND; what < FAULT_WHATS; what++)
        for (uint64_t k = 0; k < 8 + t->draws; k++) {
            struct fault f = {.what = what, .reset = t->resets,
                              .place = (unsigned)(k & 1 ? t->flits - 1 : 0),
                              .bit = corner[k / 2 % 4]};
            if (k >= 8) {
                f.place = (unsigned)draw(t, t->flits);
                f.bit = (unsigned)draw(t, t->flit_w + 2);
                f.bit += f.bit >= t->flit_w ? 64 - t->flit_w : 0;
            }
            struct lockstep_result r = run(t, &f, &f);
            char exit[32];
            snprintf(exit, sizeof exit, "exit %u channel ", faulty_seen[0].exit);
            bool known = r.end == END_SCOREBOARD || (what == FAULT_LOSE && r.end == END_DEADLOCK) ||
                         (what == FAULT_BEND && faulty_seen[0].head && r.end == END_DEADLOCK);
            bool named = what != FAULT_BEND || faulty_seen[0].head ||
                         (r.cycle == faulty_seen[0].struck && strncmp(r.why, exit, strlen(exit)) == 0);
            t->tried++;
            if (!known || !named || r.cycle < faulty_seen[0].struck)
                wrong(t, "not seen by the scoreboard", &f, 2, &r);
        }
}

/* Names of what differs inside, as a person reads them: a bit of each signal, and bits without a name. */
static void names(struct test *t)
{
    const struct probe *p = &t->probe;
    unsigned unnamed = 0;

    for (unsigned k = 0; k < p->count; k++) {
        unsigned bit = p->signal[k].bit + (unsigned)draw(t, p->signal[k].width);
        struct fault f = state_fault(t, k & 1 ? t->switches - 1 : (unsigned)draw(t, t->switches), bit,
                                     k & 2 ? t->cycles - 1 : draw(t, t->cycles));
        if (k == 0 || k + 1 == p->count || draw(t, p->count) < t->draws)
            explained(t, &f, k & 1);
    }
    for (unsigned bit = 32 * p->words; bit-- > 0 && unnamed < 2;)
        if (!signal_of(p, bit)) {
            struct fault f = state_fault(t, unnamed ? t->switches - 1 : 0, bit, draw(t, t->cycles));
            explained(t, &f, unnamed++);
        }
}

static int faults(struct test *t)
{
    int bad = 0;

    open_kind(t, "links out");
    field(t, FAULT_VALID, t->endpoints, 16);
    field(t, FAULT_KIND, t->endpoints, 8);
    field(t, FAULT_PAYLOAD, t->endpoints, 64);
    bad |= close_kind(t);
    open_kind(t, "room");
    field(t, FAULT_ROOM, t->endpoints, 16);
    bad |= close_kind(t);
    open_kind(t, "registers and links inside");
    inside(t);
    bad |= close_kind(t);
    open_kind(t, "flits left in the queues");
    counts(t);
    bad |= close_kind(t);
    open_kind(t, "a side's own check");
    checks(t);
    bad |= close_kind(t);
    faulty_tape = TAPE_OFF;
    open_kind(t, "after an earlier reset");
    earlier(t);
    bad |= close_kind(t);
    faulty_tape = TAPE_PLAY;
    open_kind(t, "both sides alike");
    both_alike(t);
    bad |= close_kind(t);
    if (t->folder) {
        open_kind(t, "names");
        names(t);
        bad |= close_kind(t);
    }
    return bad;
}

static int start(struct test *t, char *const argv[], struct fail *f)
{
    struct case_list list;

    if (cases_read(&list, argv[1], f))
        return -1;
    const struct cosim_case *item = cases_find(&list, argv[2], f);
    struct config c;
    if (item)
        c = item->config;
    cases_free(&list);
    if (!item)
        return -1;
    c.set.config.cycles = c.set.config.load > 0 ? CYCLES : 0;
    c.set.config.rounds = 1;
    /* Of one flit, a worm that is astray is the exit's to know alone; from a switch it may leave by either parent. */
    bool short_ones = c.set.config.load > 0 && c.shape.network;
    c.set.config.length = short_ones ? 2 : 5;
    c.set.config.length_min = short_ones ? 1 : c.set.config.load > 0 ? 2 : 5;
    t->name = argv[2];
    t->true_ops[0] = dut_model(&c.shape);
    if (library_load(argv[3], NULL, &t->true_ops[1], f) || stimulus_make(&t->stimulus, &c, f))
        return -1;
    if (probe_init(&t->probe, &c.shape))
        return fail(f, EXIT_SYSTEM, "no memory");
    t->endpoints = dut_endpoints(&c.shape);
    t->switches = dut_switches(&c.shape);
    t->vcs = c.shape.params.vcs;
    t->flit_w = c.shape.params.flit_w;
    t->seed = strtoull(argv[4], NULL, 10);
    t->draws = strtoull(argv[5], NULL, 10);
    faulty_tape = TAPE_RECORD;
    t->good = run(t, NULL, NULL);
    faulty_tape = TAPE_PLAY;
    t->resets = faulty_seen[0].resets;
    t->cycles = t->good.cycles;
    t->flits = t->good.totals.flits_delivered;
    /* 32 cycles after the last arrival it has looked on. */
    if (t->good.end != END_DONE || t->flits < 20 || t->flits != t->stimulus.flits ||
        t->good.totals.worms_delivered != t->stimulus.count || t->resets != faulty_seen[1].resets ||
        t->cycles != t->good.totals.last_arrival + 33) {
        printf("FAIL %s: the run without a fault: %s\n", t->name, t->good.why);
        return fail(f, EXIT_CHECK, "%s: the run without a fault", t->name);
    }
    return 0;
}

int main(int argc, char *argv[])
{
    struct test t = {.folder = argc > 6 ? argv[6] : NULL, .only = argc > 7 ? argv[7] : NULL};
    struct fail f;

    if (argc < 6) {
        fprintf(stderr, "usage: places SIM CASE LIBRARY SEED DRAWS [FOLDER [KIND]]\n");
        return EXIT_USAGE;
    }
    if (start(&t, argv, &f)) {
        fprintf(stderr, "places: %s\n", f.text);
        return (int)f.code;
    }
    int bad = faults(&t);
    stimulus_free(&t.stimulus);
    probe_free(&t.probe);
    return bad ? EXIT_CHECK : EXIT_OK;
}
