/* SPDX-License-Identifier: Apache-2.0
 * faulty.c - a device with one fault of one bit in what it shows.
 *
 * As a library (-DFAULTY_LIBRARY) it is loaded by `fatfly cosim --c` or `--rtl`: FAULTY is the fault, FAULTY_OF
 * the library of the true device; where that is not set, the device is the C model of the program.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "faulty.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fault faulty_plan[2];
struct faulty_seen faulty_seen[2];

enum faulty_tape faulty_tape;

/* What a side showed, cycle by cycle since it was opened, resets or not; it is played from the last reset on. */
static struct tape {
    size_t room; /* for so many cycles */
    uint16_t *rooms;
    struct link *links;
    uint32_t *states;
    bool *has; /* that state was asked for */
    size_t cycles; /* whose links are on it */
    size_t start;  /* cycle of the last reset */
    unsigned resets; /* before it */
} tapes[2];

/* Of the device, which is opened under one of these two. */
struct dut {
    const struct dut_ops *of;
    struct dut *inner;
    struct fault fault;
    struct faulty_seen *seen;
    unsigned endpoints;
    size_t words;
    uint32_t *shown;
    struct link held; /* FAULT_TWICE */
    bool holds;
    enum faulty_tape mode;
    struct tape *tape;
    size_t at; /* cycles since it was opened, or of the tape */
};

static const struct dut_ops *inner_ops[2];
static struct dut_ops table[2];

/* Room on the tape for this cycle. */
static void wind(struct dut *d)
{
    struct tape *t = d->tape;
    if (d->mode != TAPE_RECORD || d->at < t->room)
        return;
    size_t more = 2 * d->at + 1024;
    t->rooms = realloc(t->rooms, more * d->endpoints * sizeof *t->rooms);
    t->links = realloc(t->links, more * d->endpoints * sizeof *t->links);
    t->states = realloc(t->states, more * d->words * sizeof *t->states);
    t->has = realloc(t->has, more * sizeof *t->has);
    if (!t->rooms || !t->links || !t->states || !t->has) {
        fprintf(stderr, "faulty: no memory for a tape\n");
        exit(4);
    }
    memset(t->has + t->room, 0, (more - t->room) * sizeof *t->has);
    t->room = more;
}

/* The cycle of the tape for this one: beyond its end, where nothing moves any more, the last. */
static size_t taped(const struct dut *d)
{
    return d->mode == TAPE_PLAY && d->at >= d->tape->cycles ? d->tape->cycles - 1 : d->at;
}

static void close_(struct dut *d)
{
    if (d->inner)
        d->of->close(d->inner);
    free(d->shown);
    free(d);
}

static struct dut *open_side(unsigned k, const struct dut_shape *shape, char *why, size_t size)
{
    struct dut *d = calloc(1, sizeof *d);

    if (!d)
        return NULL;
    d->of = inner_ops[k];
    d->fault = faulty_plan[k];
    d->seen = &faulty_seen[k];
    *d->seen = (struct faulty_seen){.struck = UINT64_MAX};
    d->endpoints = dut_endpoints(shape);
    d->words = dut_probe_words(shape);
    d->shown = calloc(d->words + 2, sizeof *d->shown);
    d->mode = faulty_tape;
    d->tape = &tapes[k];
    if (d->mode == TAPE_RECORD) {
        d->tape->room = 0;
        wind(d);
    }
    if (d->mode == TAPE_PLAY) {
        d->at = d->tape->start;
        d->seen->resets = d->tape->resets;
    }
    d->inner = d->shown && d->mode != TAPE_PLAY ? d->of->open(shape, why, size) : NULL;
    if (d->inner || d->mode == TAPE_PLAY)
        return d;
    close_(d);
    return NULL;
}

static struct dut *open_0(const struct dut_shape *shape, char *why, size_t size)
{
    return open_side(0, shape, why, size);
}

static struct dut *open_1(const struct dut_shape *shape, char *why, size_t size)
{
    return open_side(1, shape, why, size);
}

static void reset(struct dut *d, uint32_t seed)
{
    if (d->inner)
        d->of->reset(d->inner, seed);
    if (d->mode == TAPE_RECORD) {
        d->tape->start = d->at;
        d->tape->resets = d->seen->resets;
    }
    d->seen->resets++;
    d->seen->cycles = d->seen->flits = 0;
    d->holds = false;
}

/* True if the fault is of this kind and now. */
static bool now(struct dut *d, enum fault_what what)
{
    const struct fault *f = &d->fault;
    if (f->what != what || d->seen->resets != f->reset || d->seen->cycles != f->cycle)
        return false;
    d->seen->struck = d->seen->cycles;
    return true;
}

static void room(struct dut *d, uint16_t *room)
{
    uint16_t *tape = d->tape->rooms + taped(d) * d->endpoints;
    if (d->inner)
        d->of->room(d->inner, room);
    if (d->mode == TAPE_RECORD)
        memcpy(tape, room, d->endpoints * sizeof *room);
    if (d->mode == TAPE_PLAY)
        memcpy(room, tape, d->endpoints * sizeof *room);
    if (now(d, FAULT_ROOM))
        room[d->fault.place] ^= (uint16_t)(1u << d->fault.bit);
    if (d->fault.what == FAULT_MUTE && d->seen->resets == d->fault.reset && d->seen->cycles >= d->fault.cycle)
        memset(room, 0, d->endpoints * sizeof *room);
}

static void drive(struct dut *d, const struct link *in, const uint16_t *room)
{
    static const uint16_t shut[1024];
    if (d->inner)
        d->of->drive(d->inner, in, now(d, FAULT_SHUT) ? shut : room);
}

/* The flit that leaves at exit e is the one of the fault. */
static void strike(struct dut *d, struct link *link, unsigned e)
{
    struct fault *f = &d->fault;
    unsigned next = e ? e - 1 : d->endpoints - 1;

    d->seen->struck = d->seen->cycles;
    d->seen->exit = e;
    d->seen->head = link[e].flit.kind & FLIT_HEAD;
    if (f->what == FAULT_BEND && f->bit < 64)
        link[e].flit.payload ^= UINT64_C(1) << f->bit;
    else if (f->what == FAULT_BEND)
        link[e].flit.kind ^= (uint8_t)(1u << (f->bit - 64));
    if (f->what == FAULT_BEYOND)
        link[e].valid = (uint16_t)(1u << (DUT_MAX_VCS + f->bit % 7));
    d->held = link[e];
    d->holds = f->what == FAULT_TWICE;
    if (f->what == FAULT_ASTRAY)
        link[next] = link[e];
    if (f->what == FAULT_ASTRAY || f->what == FAULT_LOSE)
        link[e] = (struct link){.valid = 0};
}

static void sample(struct dut *d, struct link *link)
{
    struct fault *f = &d->fault;

    struct link *tape = d->tape->links + taped(d) * d->endpoints;
    if (d->inner)
        d->of->sample(d->inner, link);
    if (d->mode == TAPE_RECORD) {
        memcpy(tape, link, d->endpoints * sizeof *link);
        d->tape->cycles = d->at + 1;
    }
    if (d->mode == TAPE_PLAY)
        memcpy(link, tape, d->endpoints * sizeof *link);
    if (now(d, FAULT_VALID))
        link[f->place].valid ^= (uint16_t)(1u << f->bit);
    if (now(d, FAULT_KIND))
        link[f->place].flit.kind ^= (uint8_t)(1u << f->bit);
    if (now(d, FAULT_PAYLOAD))
        link[f->place].flit.payload ^= UINT64_C(1) << f->bit;
    if (d->holds && d->seen->struck < d->seen->cycles) {
        link[d->seen->exit] = d->held;
        d->holds = false;
    }
    for (unsigned e = 0; e < d->endpoints; e++)
        if (link[e].valid && d->seen->flits++ == f->place && f->what >= FAULT_BEND && d->seen->resets == f->reset) {
            strike(d, link, e);
            break;
        }
}

static const uint32_t *state(struct dut *d)
{
    size_t at = d->at == d->tape->cycles ? d->at : taped(d); /* once more after the last cycle */
    uint32_t *tape = d->tape->states + at * d->words;
    const uint32_t *true_state = d->inner ? d->of->state(d->inner) : tape;

    if (d->mode == TAPE_RECORD) {
        memcpy(tape, true_state, d->words * sizeof *tape);
        d->tape->has[at] = true;
    }
    if (d->mode == TAPE_PLAY && !d->tape->has[at]) {
        fprintf(stderr, "faulty: the tape has no state of this cycle\n");
        exit(4);
    }
    if (d->seen->struck != UINT64_MAX || !now(d, FAULT_STATE)) /* once: a run must keep what it has seen */
        return true_state;
    memcpy(d->shown, true_state, d->words * sizeof *d->shown);
    d->shown[d->fault.place < d->words ? d->fault.place : d->words - 1] ^= UINT32_C(1) << d->fault.bit;
    return d->shown;
}

static void tick(struct dut *d)
{
    if (d->inner)
        d->of->tick(d->inner);
    d->at++;
    wind(d);
    d->seen->cycles++;
}

static const char *check(struct dut *d, unsigned *at)
{
    if (now(d, FAULT_CHECK)) {
        *at = d->fault.place;
        return "not as it was";
    }
    return d->inner && d->of->check ? d->of->check(d->inner, at) : NULL;
}

const struct dut_ops *faulty_ops(unsigned k, const struct dut_ops *of)
{
    inner_ops[k] = of;
    table[k] = (struct dut_ops){DUT_SEAM, of->side, k ? open_1 : open_0, reset, room,   drive,
                                sample,   state,    tick,               close_, check};
    return &table[k];
}

bool faulty_read(const char *text, struct fault *fault)
{
    static const char *const names[FAULT_WHATS] = {"none", "valid", "kind", "payload", "room", "state",
                                                   "check", "mute", "shut", "bend", "lose", "twice", "beyond", "astray"};
    char name[16];
    unsigned k = 0;

    *fault = (struct fault){.what = FAULT_NONE};
    if (sscanf(text, "%15s %u %u %u %" SCNu64, name, &fault->place, &fault->bit, &fault->reset,
               &fault->cycle) != 5)
        return false;
    while (k < FAULT_WHATS && strcmp(name, names[k]) != 0)
        k++;
    fault->what = (enum fault_what)(k % FAULT_WHATS);
    return k < FAULT_WHATS;
}

#ifdef FAULTY_LIBRARY
const struct dut_ops *fatfly_dut(void);
const struct dut_ops *fatfly_dut(void)
{
    const char *plan = getenv("FAULTY"), *file = getenv("FAULTY_OF");
    const struct dut_ops *of = NULL;
    dut_entry *entry = NULL;

    if (!plan || !faulty_read(plan, &faulty_plan[0])) {
        fprintf(stderr, "faulty: FAULTY=%s is no fault\n", plan ? plan : "");
        exit(2);
    }
    if (file && *file) {
        void *lib = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        *(void **)&entry = lib ? dlsym(lib, DUT_ENTRY) : NULL;
        of = entry ? entry() : NULL;
    } else {
        of = dlsym(RTLD_DEFAULT, getenv("FAULTY_CUBE") ? "dut_cube" : "dut_cmodel");
    }
    if (!of) {
        fprintf(stderr, "faulty: no true device\n");
        exit(2);
    }
    return faulty_ops(0, of);
}
#endif
