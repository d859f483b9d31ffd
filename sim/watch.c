/* SPDX-License-Identifier: Apache-2.0
 * watch.c - looks on while a case runs.
 */
#include "watch.h"

#include "follow.h"
#include "waves.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct looker {
    const struct watch *w;
    struct probe probe;
    struct follow *follow[2];
    struct waves *waves;
    FILE *out;             /* of the worm's life, or NULL */
    const struct driver *driver;
    unsigned sides;
    uint64_t first, last;  /* cycles in which the worm moved */
    uint64_t cycles;       /* of the run */
    uint64_t begin, end;   /* of what can be shown */
    bool shown;            /* some of them are in the waves */
    bool *visited;         /* [switches] by the worm */
    uint64_t flits;        /* of the worm, arrived */
    uint64_t waited;       /* cycles in which its head could not move on */
    uint64_t head_cycle;   /* of the head's last move */
};

static void life(void *context, const struct follow_event *e)
{
    struct looker *l = context;
    uint32_t ports = SWITCH_PORTS * l->probe.switches;
    char text[200];

    if (e->worm != l->w->worm)
        return;
    if (l->first == UINT64_MAX)
        l->first = e->cycle;
    l->last = e->cycle;
    if (e->to < ports)
        l->visited[e->to / SWITCH_PORTS] = true;
    else
        l->flits++;
    if (e->kind & FLIT_HEAD) {
        if (!e->injected)
            l->waited += e->cycle - l->head_cycle - 1;
        l->head_cycle = e->cycle;
    }
    if (!l->out || e->kind == FLIT_BODY)
        return;
    follow_text(&l->probe, l->driver, e, text, sizeof text);
    fprintf(l->out, "%s\n", text);
}

static void look(void *context, uint64_t cycle, const struct lockstep_view *view)
{
    struct looker *l = context;

    l->driver = view->driver;
    l->cycles = cycle + 1;
    l->end = l->w->worm ? l->end : cycle;
    l->shown |= cycle >= l->first && cycle <= l->last;
    for (unsigned k = 0; k < l->sides; k++) {
        follow_cycle(l->follow[k], cycle, view->state[k], view->out[k]->link, view->driver,
                     k == 0 && l->w->worm ? life : NULL, l);
        if (l->waves && cycle < l->first)
            waves_pass(l->waves, k, view->state[k], view->out[k]);
        else if (l->waves && cycle <= l->last)
            waves_cycle(l->waves, cycle, k, view->state[k], view->out[k], view->exit_room,
                        follow_links(l->follow[k]));
    }
    if (l->waves && view->differ && cycle >= l->first && cycle <= l->last)
        waves_mismatch(l->waves, cycle);
}

static int pass(struct looker *l, struct fail *f)
{
    struct lockstep_options o = *l->w->options;
    struct lockstep_result r;

    for (unsigned k = 0; k < l->sides; k++) {
        follow_free(l->follow[k]);
        l->follow[k] = follow_new(&l->probe);
        if (!l->follow[k])
            return fail(f, EXIT_SYSTEM, "no memory to follow the worms");
    }
    o.watch = look;
    o.context = l;
    lockstep_run(l->w->ops, l->w->stimulus, &o, &r);
    return r.end == END_MEMORY ? fail(f, EXIT_SYSTEM, "%s", r.why) : 0;
}

static int write_waves(struct looker *l, struct fail *f)
{
    const struct watch *w = l->w;
    const char *const side[2] = {w->ops[0]->side, l->sides == 2 ? w->ops[1]->side : ""};
    size_t stem = strlen(w->waves) - 4;
    char *save = malloc(stem + 6);
    unsigned *switches = calloc(l->probe.switches, sizeof *switches);
    unsigned count = 0;
    int bad = -1;

    for (unsigned s = 0; switches && w->worm && s < l->probe.switches; s++)
        if (l->visited[s])
            switches[count++] = s;
    if (save && switches) {
        snprintf(save, stem + 6, "%.*s.gtkw", (int)stem, w->waves);
        l->waves = waves_open(w->waves, &l->probe, l->sides, side, f);
        if (l->waves) {
            bad = pass(l, f);
            if (!bad && !l->shown)
                bad = fail(f, EXIT_USAGE, "--from %" PRIu64 "%s; allowed: a window with some of cycles %" PRIu64 " to %" PRIu64 "%s",
                           w->from, w->to < UINT64_MAX ? " and --to" : "", l->begin, l->end,
                           w->worm ? ", in which the worm moves" : ", those of the run");
            if (bad)
                waves_drop(l->waves);
            else
                bad = waves_close(l->waves, f);
        }
        if (!bad)
            bad = waves_save_file(save, w->waves, &l->probe, l->sides, side,
                                  &(struct waves_view){.switches = switches, .count = count, .marker = l->first}, f);
    } else {
        fail(f, EXIT_SYSTEM, "no memory for the waves");
    }
    free(save);
    free(switches);
    return bad;
}

/* Of a trace or of processors that send nothing, numbers have gaps. */
static int no_such_worm(const struct watch *w, struct fail *f)
{
    size_t count = w->stimulus->count;
    uint32_t below = 0, above = UINT32_MAX, most = 0;
    char text[24] = "";

    for (size_t k = 0; k < count; k++) {
        uint32_t number = w->stimulus->worm[k].number;
        most = number > most ? number : most;
        below = number < w->worm && number > below ? number : below;
        above = number > w->worm && number < above ? number : above;
    }
    if (!count)
        return fail(f, EXIT_USAGE, "--watch %u in a case without worms; allowed: where there are some", w->worm);
    if (most == count)
        return fail(f, EXIT_USAGE, "--watch %u; allowed: 1 to %zu, the worms of this case", w->worm, count);
    if (below && above < UINT32_MAX)
        snprintf(text, sizeof text, " and %u", above);
    return fail(f, EXIT_USAGE, "--watch %u; allowed: one of the %zu worms of this case; nearest: %u%s", w->worm, count,
                below ? below : above, text);
}

int watch_run(const struct watch *w, FILE *out, struct fail *f)
{
    struct looker l = {.w = w, .sides = w->ops[1] ? 2 : 1, .first = UINT64_MAX};
    int bad = 0;

    if (probe_init(&l.probe, &w->stimulus->shape))
        return fail(f, EXIT_SYSTEM, "no memory for the names of the signals");
    l.visited = calloc(l.probe.switches, sizeof *l.visited);
    if (!l.visited)
        bad = fail(f, EXIT_SYSTEM, "no memory to watch");
    if (!bad && w->worm) {
        const struct worm *worm = NULL;
        for (size_t k = 0; k < w->stimulus->count && !worm; k++)
            if (w->stimulus->worm[k].number == w->worm)
                worm = &w->stimulus->worm[k];
        if (!worm) {
            bad = no_such_worm(w, f);
        } else {
            fprintf(out, "worm %u: %u flits from %u to %u, ready in cycle %" PRIu64 "\n", w->worm,
                    worm->length, worm->src, worm->dst, worm->ready);
            l.out = out;
            bad = pass(&l, f);
            if (!bad)
                fprintf(out, "worm %u: %" PRIu64 " of %u flits arrived; its head waited %" PRIu64
                        " cycles inside\n", w->worm, l.flits, worm->length, l.waited);
            l.out = NULL;
        }
    } else if (!bad) {
        l.first = w->from;
        l.last = w->to;
    }
    if (!bad && w->waves && l.first == UINT64_MAX)
        bad = fail(f, EXIT_USAGE, "--watch %u --waves %s; allowed: a worm that moves, which this one does not in the %" PRIu64
                   " cycles of this run", w->worm, w->waves, l.cycles);
    if (!bad && w->waves) {
        l.begin = w->worm ? l.first : 0;
        l.end = l.last;
        if (l.first < w->from)
            l.first = w->from;
        if (l.last > w->to)
            l.last = w->to;
        bad = write_waves(&l, f);
    }
    for (unsigned k = 0; k < l.sides; k++)
        follow_free(l.follow[k]);
    free(l.visited);
    probe_free(&l.probe);
    return bad;
}
