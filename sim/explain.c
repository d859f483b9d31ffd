/* SPDX-License-Identifier: Apache-2.0
 * explain.c - what went wrong, for a person.
 */
#include "explain.h"

#include "args.h"
#include "follow.h"
#include "page.h"
#include "probe.h"
#include "text.h"
#include "waves.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BEFORE = 60, AFTER = 12, EVENTS = 12 };

/* What the second run of the case collects. */
struct scene {
    const struct explain *x;
    struct probe probe;
    struct follow *follow[2];
    struct waves *waves;
    uint64_t cycle;              /* of the failure */
    unsigned sides;
    uint32_t *state[2];          /* at the failure */
    uint16_t *exit_room;
    unsigned at;                 /* switch of the first difference */
    const struct probe_signal *signal; /* NULL: outside every switch, or a bit that no signal has */
    struct waves_view view;      /* what the waves open with */
    unsigned bit;                /* of its words, from 1: that bit; 0: there is none */
    uint32_t worm;
    char chain[4000];            /* deadlock: who waits for whom */
    bool circle;
};

static unsigned lowest(uint32_t bits)
{
    unsigned k = 0;
    while (!(bits >> k & 1))
        k++;
    return k;
}

static void keep_spot(struct scene *c, const struct probe_signal *signal, unsigned at)
{
    if (c->view.differ < sizeof c->view.differs / sizeof *c->view.differs)
        c->view.differs[c->view.differ++] = (struct waves_spot){signal, at};
}

/* What the waves open with: the first difference, then others of its switch and on links out of the device. */
static void choose_view(struct scene *c, const struct lockstep_view *view)
{
    if (c->sides < 2)
        return;
    if (c->signal)
        keep_spot(c, c->signal, c->at);
    for (unsigned e = 0; e < dut_endpoints(&c->probe.shape); e++) {
        const struct link *a = &view->out[0]->link[e], *b = &view->out[1]->link[e];
        if (a->valid != b->valid || a->flit.kind != b->flit.kind || a->flit.payload != b->flit.payload)
            keep_spot(c, NULL, e);
    }
    for (unsigned k = 0; k < c->probe.count && c->signal; k++)
        if (&c->probe.signal[k] != c->signal && probe_get(&c->probe, c->state[0], c->at, &c->probe.signal[k]) !=
                                                    probe_get(&c->probe, c->state[1], c->at, &c->probe.signal[k]))
            keep_spot(c, &c->probe.signal[k], c->at);
}

/* Whether both sides show what is inside, as was compared: Verilog without its probe shows zeros. */
static bool inside(const struct scene *c)
{
    return c->sides == 2 && !c->x->options->outputs_only;
}

/* The worm on the link into a port, else one at the front of its queues; 0: there is none. */
static uint32_t worm_of_port(const struct scene *c, unsigned at, unsigned port)
{
    uint32_t worm = follow_links(c->follow[0])[SWITCH_PORTS * at + port];
    for (unsigned v = 0; !worm && v < c->probe.shape.params.vcs; v++)
        worm = follow_front(c->follow[0], at, port, v);
    return worm;
}

/* What the check of a side found wrong: its switch, and a worm there, if there is one. */
static void at_check(struct scene *c)
{
    c->at = c->x->result->at;
    for (unsigned port = 0; !c->worm && port < SWITCH_PORTS; port++)
        c->worm = worm_of_port(c, c->at, port);
}

static void at_failure(struct scene *c, const struct lockstep_view *view)
{
    size_t words = dut_probe_words(&c->probe.shape);

    memcpy(c->exit_room, view->exit_room, dut_endpoints(&c->probe.shape) * sizeof *c->exit_room);
    for (unsigned k = 0; k < c->sides; k++)
        memcpy(c->state[k], view->state[k], words * sizeof *c->state[k]);
    /* What a switch does before what reaches it: a link differs where its sender went wrong. */
    for (unsigned n = 0; inside(c) && n < 2 * c->probe.switches && !c->signal; n++)
        for (unsigned k = 0, s = n % c->probe.switches; k < c->probe.count && !c->signal; k++)
            if ((n >= c->probe.switches || strncmp(c->probe.signal[k].name, "link_", 5) != 0) &&
                probe_get(&c->probe, c->state[0], s, &c->probe.signal[k]) !=
                    probe_get(&c->probe, c->state[1], s, &c->probe.signal[k])) {
                c->at = s;
                c->signal = &c->probe.signal[k];
            }
    for (unsigned w = 0; inside(c) && w < words && !c->signal && !c->bit; w++)
        if (c->state[0][w] != c->state[1][w]) {
            c->at = w / c->probe.words;
            c->bit = w % c->probe.words * 32 + lowest(c->state[0][w] ^ c->state[1][w]) + 1;
        }
    bool check = !c->signal && c->x->result->end == END_CHECK;
    if (c->signal && c->signal->port < SWITCH_PORTS)
        c->worm = worm_of_port(c, c->at, c->signal->port);
    for (uint32_t s = 0; !check && !c->worm && s < SWITCH_PORTS * c->probe.switches; s++)
        c->worm = follow_links(c->follow[0])[s];
    if (check) {
        at_check(c);
    } else if (!c->signal && !c->bit) { /* one side alone: where that worm is */
        const struct lockstep_result *r = c->x->result;
        const char *named = strstr(r->why, "worm ");
        if (named && r->end == END_SCOREBOARD)
            c->worm = (uint32_t)strtoul(named + 5, NULL, 10);
        for (uint32_t q = 0; q < SWITCH_PORTS * c->probe.switches; q++)
            for (unsigned v = 0; v < c->probe.shape.params.vcs; v++) {
                uint32_t worm = follow_front(c->follow[0], q / SWITCH_PORTS, q % SWITCH_PORTS, v);
                if (worm && (!c->worm || c->worm == worm)) {
                    c->worm = worm;
                    c->at = q / SWITCH_PORTS;
                }
            }
    }
    if (c->x->result->end == END_DEADLOCK)
        c->circle = follow_wait_chain(c->follow[0], c->state[0], c->exit_room, c->chain,
                                      sizeof c->chain);
    choose_view(c, view);
}

static void first_pass(void *context, uint64_t cycle, const struct lockstep_view *view)
{
    struct scene *c = context;

    for (unsigned k = 0; k < c->sides; k++) {
        follow_cycle(c->follow[k], cycle, view->state[k], view->out[k]->link, view->driver, NULL,
                     NULL);
        if (c->waves && cycle + BEFORE < c->cycle)
            waves_pass(c->waves, k, view->state[k], view->out[k]);
        else if (c->waves)
            waves_cycle(c->waves, cycle, k, view->state[k], view->out[k], view->exit_room,
                        follow_links(c->follow[k]));
    }
    if (c->waves && view->differ && cycle + BEFORE >= c->cycle)
        waves_mismatch(c->waves, cycle);
    if (cycle == c->cycle)
        at_failure(c, view);
}

/* The third run: the life of one worm and the last events of one switch. */
struct history {
    const struct scene *c;
    struct follow *follow;
    FILE *out;
    const struct driver *driver;
    bool switch_only;
    struct follow_event last[EVENTS];
    unsigned count;
};

static void remember(void *context, const struct follow_event *e)
{
    struct history *h = context;
    uint32_t ports = SWITCH_PORTS * h->c->probe.switches;
    bool here = (!e->injected && e->from / SWITCH_PORTS == h->c->at) ||
                (e->to < ports && e->to / SWITCH_PORTS == h->c->at);

    if (h->switch_only ? here : e->worm == h->c->worm && e->kind != FLIT_BODY)
        h->last[h->count++ % EVENTS] = *e;
}

static void third_pass(void *context, uint64_t cycle, const struct lockstep_view *view)
{
    struct history *h = context;
    if (cycle > h->c->cycle)
        return;
    h->driver = view->driver;
    follow_cycle(h->follow, cycle, view->state[0], view->out[0]->link, view->driver, remember, h);
    if (cycle < h->c->cycle)
        return;
    unsigned some = h->count < EVENTS ? h->count : EVENTS;
    for (unsigned k = h->count - some; k < h->count; k++) {
        char text[200];
        follow_text(&h->c->probe, view->driver, &h->last[k % EVENTS], text, sizeof text);
        fprintf(h->out, "  %s\n", text);
    }
    if (!some)
        fprintf(h->out, "  none\n");
}

static void again(const struct explain *x, uint64_t cycle,
                  void (*watch)(void *, uint64_t, const struct lockstep_view *), void *context)
{
    struct lockstep_options o = *x->options;
    struct lockstep_result r;
    o.watch = watch;
    o.context = context;
    o.after = AFTER;
    o.max_cycles = cycle + AFTER + 1;
    lockstep_run(x->ops, x->stimulus, &o, &r);
}

static void print_value(FILE *out, const struct probe_signal *g, uint64_t v)
{
    static const char *const kinds[] = {"body", "tail", "head", "single"};
    if (g->what == PROBE_KIND)
        fprintf(out, "%-18s", kinds[v & 3]);
    else
        fprintf(out, "0x%-16" PRIx64, v);
}

static void print_registers(const struct scene *c, FILE *out)
{
    const struct probe *p = &c->probe;
    char place[32];

    probe_switch_name(p, c->at, place, sizeof place);
    fprintf(out, inside(c) ? "registers and wires of %s that are not zero; * marks what differs\n"
                           : "registers and wires of %s that are not zero\n", place);
    fprintf(out, "  %-28s%-18s%s\n", "", c->x->ops[0]->side, inside(c) ? c->x->ops[1]->side : "");
    for (unsigned k = 0; k < p->count; k++) {
        const struct probe_signal *g = &p->signal[k];
        uint64_t one = probe_get(p, c->state[0], c->at, g);
        uint64_t two = inside(c) ? probe_get(p, c->state[1], c->at, g) : one;
        char name[48];
        if (!one && !two)
            continue;
        if (g->port == PROBE_NO_PORT)
            snprintf(name, sizeof name, "%s", g->name);
        else if (g->vc == PROBE_NO_VC)
            snprintf(name, sizeof name, "port%u.%s", g->port, g->name);
        else
            snprintf(name, sizeof name, "port%u.vc%u.%s", g->port, g->vc, g->name);
        fprintf(out, "%c %-28s", one == two ? ' ' : '*', name);
        print_value(out, g, one);
        if (inside(c))
            print_value(out, g, two);
        fprintf(out, "\n");
    }
}

static void print_headline(const struct scene *c, FILE *out)
{
    const struct lockstep_result *r = c->x->result;
    static const char *const ends[] = {"done", "cut", "the two sides differ",
                                       "the scoreboard found a fault", "a check found a fault",
                                       "deadlock", "no memory"};

    fprintf(out, "%s: %s at cycle %" PRIu64 ": %s\n", c->x->name, ends[r->end], r->cycle, r->why);
    if (c->signal) {
        const struct probe_signal *g = c->signal;
        char place[32];
        probe_switch_name(&c->probe, c->at, place, sizeof place);
        fprintf(out, "first difference: cycle %" PRIu64 " switch %s", c->cycle, place);
        if (g->port != PROBE_NO_PORT)
            fprintf(out, " port %u", g->port);
        if (g->vc != PROBE_NO_VC)
            fprintf(out, " channel %u", g->vc);
        fprintf(out, " signal %s: %s ", g->name, c->x->ops[0]->side);
        print_value(out, g, probe_get(&c->probe, c->state[0], c->at, g));
        fprintf(out, "%s ", c->x->ops[1]->side);
        print_value(out, g, probe_get(&c->probe, c->state[1], c->at, g));
        fprintf(out, "\n");
    } else if (c->bit) {
        unsigned bit = c->bit - 1;
        size_t word = (size_t)c->at * c->probe.words + bit / 32;
        char place[32];
        probe_switch_name(&c->probe, c->at, place, sizeof place);
        fprintf(out, "first difference: cycle %" PRIu64 " switch %s bit %u of its words, which has no name: "
                "%s %u %s %u\n", c->cycle, place, bit, c->x->ops[0]->side, c->state[0][word] >> bit % 32 & 1,
                c->x->ops[1]->side, c->state[1][word] >> bit % 32 & 1);
    }
    if (r->end == END_DEADLOCK)
        fprintf(out, "%s\n%s", c->circle ? "who waits for whom, in a circle:"
                                         : "no circle; the last chain of who waits for whom:",
                c->chain);
}

/* The command with these worms, on the heap; file NULL: as it is.  NULL if memory is short. */
static char *command_with(const struct explain *x, const char *file)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return NULL;
    fputs(x->repeat, out);
    if (file) {
        fputs(" --worms ", out);
        text_shell(out, file);
    }
    fclose(out);
    return text;
}

/* file: [size], the worms that are left, "" if they were not looked for or not written. */
static void print_small(const struct explain *x, FILE *out, char *file, size_t size)
{
    struct stimulus small;
    struct lockstep_result r;
    struct fail f;
    uint64_t entries = 0;
    uint32_t before = UINT32_MAX;

    *file = '\0';
    if (x->seconds <= 0)
        return;
    if (explain_shrink(x, &small, &r)) {
        fprintf(out, "no memory to shrink the case\n");
        return;
    }
    for (size_t k = 0; k < small.count; k++) {
        entries += small.worm[k].entry != before;
        before = small.worm[k].entry;
    }
    fprintf(out, "smallest failing case found: %zu of %zu worms, sources: %" PRIu64 ", flits: %" PRIu64
            "; fails at cycle %" PRIu64 "\n", small.count, x->stimulus->count, entries,
            small.flits, r.cycle);
    for (size_t k = 0; k < small.count && k < 20; k++) {
        const struct worm *w = &small.worm[k];
        fprintf(out, "  worm of %u flits from %u to %u, enters at %u from cycle %" PRIu64 "\n",
                w->length, w->src, w->dst, w->entry, w->ready);
    }
    if (small.count > 20)
        fprintf(out, "  and %zu more\n", small.count - 20);
    snprintf(file, size, "%s/%s.worms", x->folder, x->name);
    if (x->worms && args_same_file(file, x->worms)) /* what was read stays */
        snprintf(file, size, "%s/%s.smaller.worms", x->folder, x->name);
    if (stimulus_write(&small, file, &f)) {
        fprintf(out, "%s\n", f.text);
        *file = '\0';
    } else {
        char *alone = command_with(x, file);
        fprintf(out, "repeat it alone: %s\n", alone ? alone : "");
        free(alone);
    }
    stimulus_free(&small);
}

static bool display_is_there(void)
{
    static const char *const names[] = {"DISPLAY", "WAYLAND_DISPLAY"};
    for (unsigned k = 0; k < 2; k++) {
        const char *value = getenv(names[k]);
        if (value && *value)
            return true;
    }
    return false;
}

/* The command that shows the waves: GTKWave or, where there is no display, one that draws a picture. */
static void print_waves(const struct explain *x, const char *wave, const char *save, FILE *out)
{
    char picture[600];

    snprintf(picture, sizeof picture, "%s/%s.png", x->folder, x->name);
    const char *const words[] = {wave, save, picture};
    const bool shown = display_is_there();
    fputs(shown ? "waves: gtkwave" : "waves: scripts/sim/waves_png.sh", out);
    for (unsigned k = shown ? 1 : 0; k < (shown ? 2 : 3); k++) {
        fputc(' ', out);
        text_shell(out, words[k]);
    }
    fputc('\n', out);
}

void explain(const struct explain *x, FILE *out)
{
    struct scene c = {.x = x, .cycle = x->result->cycle, .sides = x->ops[1] ? 2 : 1};
    const char *const side[2] = {x->ops[0]->side, x->ops[1] ? x->ops[1]->side : ""};
    char wave[600];
    char save[600];
    struct fail f = {.code = EXIT_OK};
    bool ok = !probe_init(&c.probe, &x->stimulus->shape);
    c.view = (struct waves_view){.switches = &c.at, .count = 1, .marker = c.cycle};

    snprintf(wave, sizeof wave, "%s/%s.fst", x->folder, x->name);
    snprintf(save, sizeof save, "%s/%s.gtkw", x->folder, x->name);
    c.exit_room = calloc(dut_endpoints(&x->stimulus->shape), sizeof *c.exit_room);
    for (unsigned k = 0; ok && k < c.sides; k++) {
        c.follow[k] = follow_new(&c.probe);
        c.state[k] = calloc(dut_probe_words(&x->stimulus->shape), sizeof *c.state[k]);
        ok = c.follow[k] && c.state[k];
    }
    if (ok && c.exit_room) {
        c.waves = waves_open(wave, &c.probe, c.sides, side, &f);
        again(x, c.cycle, first_pass, &c);
        bool written = c.waves && !waves_close(c.waves, &f);
        if (written)
            written = !waves_save_file(save, wave, &c.probe, c.sides, side, &c.view, &f);

        print_headline(&c, out);
        print_registers(&c, out);
        for (int what = 0; what < 2; what++) {
            struct history h = {.c = &c, .follow = follow_new(&c.probe), .out = out,
                                .switch_only = what == 1};
            char place[32];
            probe_switch_name(&c.probe, c.at, place, sizeof place);
            if (what == 0 && !c.worm) {
                follow_free(h.follow);
                continue;
            }
            if (what == 0)
                fprintf(out, "life of worm %u so far, heads and tails\n", c.worm);
            else
                fprintf(out, "last events of %s\n", place);
            if (h.follow)
                again(x, c.cycle, third_pass, &h);
            follow_free(h.follow);
        }
        if (written)
            print_waves(x, wave, save, out);
        else
            fprintf(out, "no waves: %s\n", f.text);
        char small[600], *repeat = command_with(x, x->worms), *alone = NULL;
        fprintf(out, "repeat: %s\n", repeat ? repeat : "");
        print_small(x, out, small, sizeof small);
        if (*small)
            alone = command_with(x, small);
        if (page_mismatch(&(struct mismatch){.ops = x->ops, .stimulus = x->stimulus, .options = x->options,
                                             .probe = &c.probe, .cycle = c.cycle, .at = c.at,
                                             .why = x->result->why, .folder = x->folder, .name = x->name,
                                             .repeat = repeat ? repeat : "", .small = small, .alone = alone ? alone : ""},
                          &f))
            fprintf(out, "no page: %s\n", f.text);
        else
            fprintf(out, "page: %s/%s.html\n", x->folder, x->name);
        free(repeat);
        free(alone);
    } else {
        fprintf(out, "%s: %s; no memory to explain it\n", x->name, x->result->why);
    }
    for (unsigned k = 0; k < c.sides; k++) {
        follow_free(c.follow[k]);
        free(c.state[k]);
    }
    free(c.exit_room);
    probe_free(&c.probe);
}

struct shrink {
    const struct explain *x;
    struct stimulus now;           /* the smallest that fails */
    struct lockstep_result result; /* of it */
    clock_t until;
};

static bool fails(struct shrink *k, const struct stimulus *s, struct lockstep_result *r)
{
    struct lockstep_options o = *k->x->options;
    o.watch = NULL;
    o.after = 0;
    o.max_cycles = 2 * k->result.cycle + 4096;
    lockstep_run(k->x->ops, s, &o, r);
    return r->end == END_MISMATCH || r->end == END_SCOREBOARD || r->end == END_CHECK ||
           r->end == END_DEADLOCK;
}

/* Keeps the smaller stimulus if it still fails; takes it over in either case. */
static bool try_smaller(struct shrink *k, struct stimulus *s)
{
    struct lockstep_result r;
    stimulus_complete(s); /* as it will be read: FF's heads say what the length decides */
    if (!fails(k, s, &r)) {
        stimulus_free(s);
        return false;
    }
    stimulus_free(&k->now);
    k->now = *s;
    k->result = r;
    return true;
}

static bool in_time(const struct shrink *k)
{
    return clock() < k->until;
}

/* Drops runs of `size` worms wherever the rest still fails.  -1 if memory is short. */
static int drop_runs(struct shrink *k, size_t size)
{
    for (size_t from = 0; from < k->now.count && in_time(k);) {
        struct stimulus less;
        bool *keep = malloc((k->now.count + 1) * sizeof *keep);
        if (!keep)
            return -1;
        for (size_t j = 0; j < k->now.count; j++)
            keep[j] = j < from || j >= from + size;
        int bad = stimulus_subset(&less, &k->now, keep);
        free(keep);
        if (bad)
            return -1;
        if (!try_smaller(k, &less))
            from += size;
    }
    return 0;
}

/* Drops all worms of a source at once. */
static int drop_sources(struct shrink *k)
{
    for (unsigned e = 0; e < dut_endpoints(&k->now.shape) && in_time(k); e++) {
        struct stimulus less;
        bool some = false;
        bool *keep = malloc((k->now.count + 1) * sizeof *keep);
        if (!keep)
            return -1;
        for (size_t j = 0; j < k->now.count; j++) {
            keep[j] = k->now.worm[j].entry != e;
            some |= !keep[j];
        }
        int bad = stimulus_subset(&less, &k->now, keep);
        free(keep);
        if (bad)
            return -1;
        if (some)
            try_smaller(k, &less);
        else
            stimulus_free(&less);
    }
    return 0;
}

/* Shortens worms, one by one, and lets the first start in cycle 0. */
static int shorten(struct shrink *k)
{
    bool *keep = malloc((k->now.count + 1) * sizeof *keep);
    struct stimulus sooner;
    uint64_t first = UINT64_MAX;
    if (!keep)
        return -1;
    memset(keep, 1, (k->now.count + 1) * sizeof *keep);
    if (stimulus_subset(&sooner, &k->now, keep)) {
        free(keep);
        return -1;
    }
    for (size_t j = 0; j < sooner.count; j++)
        if (sooner.worm[j].ready < first)
            first = sooner.worm[j].ready;
    for (size_t j = 0; j < sooner.count; j++)
        sooner.worm[j].ready -= first;
    try_smaller(k, &sooner);
    for (size_t j = 0; j < k->now.count; j++)
        for (uint32_t length = 1; length < k->now.worm[j].length && in_time(k); length *= 2) {
            struct stimulus less;
            if (stimulus_subset(&less, &k->now, keep)) {
                free(keep);
                return -1;
            }
            less.worm[j].length = length;
            if (try_smaller(k, &less))
                break;
        }
    free(keep);
    return 0;
}

int explain_shrink(const struct explain *x, struct stimulus *small, struct lockstep_result *result)
{
    struct shrink k = {.x = x, .result = *x->result};
    bool *keep = malloc((x->stimulus->count + 1) * sizeof *keep);
    int bad = -1;

    k.until = clock() + (clock_t)(x->seconds * CLOCKS_PER_SEC);
    if (!keep)
        return -1;
    uint64_t warm = lockstep_warm(x->stimulus);
    for (size_t j = 0; j < x->stimulus->count; j++) /* the others never started */
        keep[j] = x->stimulus->worm[j].ready <= x->result->cycle || x->stimulus->worm[j].ready < warm;
    if (!stimulus_subset(&k.now, x->stimulus, keep)) {
        bad = 0;
        for (size_t size = k.now.count / 2; size > 4 && !bad; size /= 2)
            bad = drop_runs(&k, size);
        if (!bad)
            bad = drop_sources(&k);
        for (size_t before = 0; !bad && in_time(&k) && before != k.now.count;) {
            before = k.now.count;
            bad = drop_runs(&k, 2) || drop_runs(&k, 1);
        }
        if (!bad)
            bad = shorten(&k);
        if (bad)
            stimulus_free(&k.now);
    }
    free(keep);
    *small = k.now;
    *result = k.result;
    return bad;
}
