/* SPDX-License-Identifier: Apache-2.0
 * follow.c - which worm is on every link and in every queue, from what the probe shows.
 */
#include "follow.h"

#include "cube_network.h"
#include "fat_tree.h"
#include "route.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHADOW = MAX_DEPTH + 1, NONE = -1 };

struct shadow {
    uint32_t worm[SHADOW];
    uint8_t count;
};

struct follow {
    const struct probe *p;
    unsigned vcs;
    unsigned switches;
    unsigned endpoints;
    unsigned drops;        /* resets of the device so far */
    uint32_t *to;          /* [6 * switches]: link that leaves by a port */
    uint32_t *links;       /* [6 * switches + endpoints] */
    struct shadow *shadow; /* [6 * switches * vcs] */
    const struct probe_signal *valid[SWITCH_PORTS];
    const struct probe_signal *kind[SWITCH_PORTS];
    const struct probe_signal *gnt[SWITCH_PORTS];
    const struct probe_signal *offer[SWITCH_PORTS];
};

/* The links of a cube, six a router; over the edge of a mesh to port 5, which is none. */
static int wire_cube(struct follow *f)
{
    struct cube_params cube;
    uint32_t ports = CUBE_PORTS * f->switches;
    uint32_t *to = calloc(ports, sizeof *to);

    if (!to)
        return -1;
    dut_cube_params(&f->p->shape, &cube);
    cube_wire(&cube, to);
    for (uint32_t k = 0; k < ports; k++) {
        uint32_t s = k / CUBE_PORTS, link = to[k];
        f->to[SWITCH_PORTS * s + k % CUBE_PORTS] =
            link < ports ? SWITCH_PORTS * (link / CUBE_PORTS) + link % CUBE_PORTS
            : link < ports + f->endpoints ? SWITCH_PORTS * f->switches + link - ports
                                          : SWITCH_PORTS * s + 5;
    }
    free(to);
    return 0;
}

/* The link that endpoint e drives. */
static uint32_t entered(const struct dut_shape *shape, uint32_t e)
{
    if (!shape->network)
        return e;
    return shape->cube.radix ? SWITCH_PORTS * e + CUBE_PROCESSOR : SWITCH_PORTS * (e >> 2) + (e & 3);
}

struct follow *follow_new(const struct probe *p)
{
    struct follow *f = calloc(1, sizeof *f);
    const struct switch_params *sp = &p->shape.params;

    if (!f)
        return NULL;
    f->p = p;
    f->vcs = sp->vcs;
    f->switches = p->switches;
    f->endpoints = dut_endpoints(&p->shape);
    size_t ports = (size_t)SWITCH_PORTS * f->switches;
    f->to = calloc(ports, sizeof *f->to);
    f->links = calloc(ports + f->endpoints, sizeof *f->links);
    f->shadow = calloc(ports * f->vcs, sizeof *f->shadow);
    if (!f->to || !f->links || !f->shadow) {
        follow_free(f);
        return NULL;
    }
    for (unsigned k = 0; k < SWITCH_PORTS; k++) {
        f->valid[k] = probe_find(p, "link_valid", k, PROBE_NO_VC);
        f->kind[k] = probe_find(p, "link_kind", k, PROBE_NO_VC);
        f->gnt[k] = probe_find(p, "gnt", k, PROBE_NO_VC);
        f->offer[k] = probe_find(p, "offer", k, PROBE_NO_VC);
        if (!p->shape.network)
            f->to[k] = (uint32_t)ports + k;
    }
    if (p->shape.network && p->shape.cube.radix && wire_cube(f)) {
        follow_free(f);
        return NULL;
    }
    if (p->shape.network && !p->shape.cube.radix)
        fat_tree_wire(sp->levels, f->to);
    return f;
}

void follow_free(struct follow *f)
{
    if (!f)
        return;
    free(f->to);
    free(f->links);
    free(f->shadow);
    free(f);
}

static unsigned lowest(uint64_t bits)
{
    return bits ? (unsigned)__builtin_ctzll(bits) : 0;
}

void follow_cycle(struct follow *f, uint64_t cycle, const uint32_t *state, const struct link *out,
                  const struct driver *d,
                  void (*on_event)(void *context, const struct follow_event *e), void *context)
{
    const struct probe *p = f->p;
    uint32_t ports = SWITCH_PORTS * f->switches;

    memset(f->links, 0, (ports + f->endpoints) * sizeof *f->links);
    if (f->drops != driver_drops(d)) { /* a reset */
        f->drops = driver_drops(d);
        memset(f->shadow, 0, (size_t)ports * f->vcs * sizeof *f->shadow);
    }
    struct follow_event e = {.cycle = cycle, .injected = true};
    for (unsigned k = 0; k < f->endpoints; k++) {
        e.worm = driver_sends(d, k);
        if (!e.worm)
            continue;
        e.from = k;
        e.to = entered(&p->shape, k);
        f->links[e.to] = e.worm;
        e.kind = (enum flit_kind)probe_get(p, state, e.to / SWITCH_PORTS, f->kind[e.to % 6]);
        e.chan = (uint16_t)probe_get(p, state, e.to / SWITCH_PORTS, f->valid[e.to % 6]);
        if (on_event)
            on_event(context, &e);
    }
    e.injected = false;
    for (uint32_t s = 0; s < f->switches; s++)
        for (unsigned i = 0; i < SWITCH_PORTS; i++) {
            uint64_t gnt = probe_get(p, state, s, f->gnt[i]);
            if (!gnt)
                continue;
            unsigned v = lowest(probe_get(p, state, s, f->offer[i])) % f->vcs;
            struct shadow *q = &f->shadow[(SWITCH_PORTS * s + i) * f->vcs + v];
            e.worm = 0;
            if (q->count) {
                e.worm = q->worm[0];
                q->count--;
                memmove(q->worm, q->worm + 1, q->count * sizeof *q->worm);
            }
            e.from = SWITCH_PORTS * s + lowest(gnt) % SWITCH_PORTS;
            e.to = f->to[e.from];
            f->links[e.to] = e.worm;
            if (e.to >= ports) {
                e.kind = (enum flit_kind)out[e.to - ports].flit.kind;
                e.chan = out[e.to - ports].valid;
            } else {
                e.kind = (enum flit_kind)probe_get(p, state, e.to / SWITCH_PORTS, f->kind[e.to % 6]);
                e.chan = (uint16_t)probe_get(p, state, e.to / SWITCH_PORTS, f->valid[e.to % 6]);
            }
            if (on_event)
                on_event(context, &e);
        }
    for (uint32_t k = 0; k < ports; k++) {
        uint64_t valid = probe_get(p, state, k / SWITCH_PORTS, f->valid[k % SWITCH_PORTS]);
        if (!valid)
            continue;
        struct shadow *q = &f->shadow[k * f->vcs + lowest(valid) % f->vcs];
        if (q->count < SHADOW)
            q->worm[q->count++] = f->links[k];
    }
}

const uint32_t *follow_links(const struct follow *f)
{
    return f->links;
}

uint32_t follow_front(const struct follow *f, unsigned s, unsigned port, unsigned vc)
{
    const struct shadow *q = &f->shadow[(SWITCH_PORTS * s + port) * f->vcs + vc];
    return q->count ? q->worm[0] : 0;
}

/* Of a fat-tree's switch, of a cube's router. */
static const char *const port_names[2][SWITCH_PORTS] = {
    {"child 0", "child 1", "child 2", "child 3", "parent 0", "parent 1"},
    {"x + 1", "x - 1", "y + 1", "y - 1", "processor", "no port"}};

static const char *port_name(const struct probe *p, unsigned port)
{
    return port_names[p->shape.cube.radix != 0][port];
}

static void switch_port(const struct probe *p, uint32_t k, char *text, size_t size)
{
    char name[32];
    probe_switch_name(p, k / SWITCH_PORTS, name, sizeof name);
    snprintf(text, size, "%s %s", name, port_name(p, k % SWITCH_PORTS));
}

void follow_place(const struct probe *p, uint32_t link, char *text, size_t size)
{
    uint32_t ports = SWITCH_PORTS * p->switches;
    if (link < ports)
        switch_port(p, link, text, size);
    else
        snprintf(text, size, p->shape.network ? "processor %u" : "exit %u", link - ports);
}

void follow_leaves(const struct probe *p, uint32_t from, bool injected, char *text, size_t size)
{
    if (injected)
        snprintf(text, size, p->shape.network ? "processor %u" : "entry %u", from);
    else
        switch_port(p, from, text, size);
}

void follow_text(const struct probe *p, const struct driver *d, const struct follow_event *e,
                 char *text, size_t size)
{
    static const char *const kinds[] = {"body", "tail", "head", "single flit"};
    const struct worm *w = driver_worm(d, e->worm);
    char from[40];
    char to[40];

    follow_leaves(p, e->from, e->injected, from, sizeof from);
    follow_place(p, e->to, to, sizeof to);
    if (w)
        snprintf(text, size, "cycle %llu: %s of worm %u (%u to %u) crosses from %s to %s, channel %u",
                 (unsigned long long)e->cycle, kinds[e->kind & 3], e->worm, w->src, w->dst, from,
                 to, lowest(e->chan));
    else
        snprintf(text, size, "cycle %llu: %s of no known worm crosses from %s to %s, channel %u",
                 (unsigned long long)e->cycle, kinds[e->kind & 3], from, to, lowest(e->chan));
}

/* Appends one line; what does not fit is cut. */
__attribute__((format(printf, 3, 4))) static void line(char *text, size_t size, const char *format,
                                                       ...)
{
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, size - used, format, args);
    va_end(args);
}

/* A queue, as a number: (6 * switch + port) * vcs + channel. */
struct wait {
    const struct follow *f;
    const uint32_t *state;
    const uint16_t *exit_room;
    char *text;
    size_t size;
};

static uint64_t get(const struct wait *w, uint32_t q, const char *name, bool of_channel)
{
    const struct follow *f = w->f;
    uint32_t k = q / f->vcs;
    const struct probe_signal *g = probe_find(f->p, name, k % SWITCH_PORTS,
                                              of_channel ? q % f->vcs : PROBE_NO_VC);
    return g ? probe_get(f->p, w->state, k / SWITCH_PORTS, g) : 0;
}

static void describe(const struct wait *w, uint32_t q)
{
    char place[40];
    const struct follow *f = w->f;
    follow_place(f->p, q / f->vcs, place, sizeof place);
    line(w->text, w->size, "  worm %u in %s channel %u ",
         follow_front(f, q / f->vcs / SWITCH_PORTS, q / f->vcs % SWITCH_PORTS, q % f->vcs), place,
         q % f->vcs);
}

static bool at_head(const struct wait *w, uint32_t q)
{
    return get(w, q, "count_q", true) && (get(w, q, "front_q.kind", true) & FLIT_HEAD);
}

/* The queue that q waits for, or NONE with the reason written. */
static int64_t waits_for(const struct wait *w, uint32_t q)
{
    const struct follow *f = w->f;
    const struct switch_params *sp = &f->p->shape.params;
    uint32_t ports = SWITCH_PORTS * f->switches;
    uint32_t s = q / f->vcs / SWITCH_PORTS;
    unsigned port = q / f->vcs % SWITCH_PORTS;
    uint8_t outputs = (uint8_t)get(w, q, "hold_q", true);
    bool one = sp->vcs == 1 && !f->p->shape.cube.radix; /* has no chan_q */
    unsigned chans = one ? 1 : (unsigned)get(w, q, "chan_q", true);
    bool head = at_head(w, q);

    describe(w, q);
    if (head && f->p->shape.cube.radix) {
        uint64_t payload = get(w, q, "front_q.payload", true);
        struct cube_params cube;
        unsigned x, y;
        dut_cube_params(&f->p->shape, &cube);
        probe_switch_place(f->p, s, &x, &y);
        struct cube_ways ways = cube_route(&cube, x + cube.radix * y,
                                           cube_head_dst(cube.radix, payload), port, q % f->vcs);
        outputs = ways.want;
        chans = ways.mask & ((1u << f->vcs) - 1); /* the other bits mean nothing */
    } else if (head) {
        struct switch_params mine = *sp;
        unsigned a;
        probe_switch_place(f->p, s, &mine.level, &a);
        if (mine.path == PATH_RP)
            mine.path = PATH_RG; /* either parent may come up */
        outputs = route_head(&mine, get(w, q, "front_q.payload", true), port >= SWITCH_CHILDREN, 0);
        if (mine.path == PATH_RW && outputs == 0x30 && !get(w, q, "fresh_q", true))
            outputs = 16u << get(w, q, "drawn_q", true);
        chans = (1u << f->vcs) - 1;
    }
    for (unsigned rest = outputs; rest; rest &= rest - 1) {
        unsigned o = lowest(rest);
        uint32_t link = f->to[SWITCH_PORTS * s + o];
        const struct probe_signal *g = probe_find(f->p, "busy_q", o, PROBE_NO_VC);
        uint16_t busy = head && g ? (uint16_t)probe_get(f->p, w->state, s, g) : 0;
        uint16_t room = link >= ports ? w->exit_room[link - ports]
                                      : (uint16_t)get(w, link * f->vcs, "room", false);
        for (unsigned c = chans; c; c &= c - 1) {
            unsigned v = lowest(c);
            if (busy >> v & 1) { /* some worm holds it: whose queue is that? */
                for (uint32_t k = 0; k < SWITCH_PORTS * f->vcs; k++) {
                    uint32_t other = SWITCH_PORTS * f->vcs * s + k;
                    if (other != q && get(w, other, "hold_q", true) == 1u << o && !at_head(w, other) &&
                        (one || get(w, other, "chan_q", true) == 1u << v)) {
                        line(w->text, w->size, "waits for %s channel %u, which is held\n",
                             port_name(f->p, o), v);
                        return other;
                    }
                }
                line(w->text, w->size, "waits for %s channel %u, which is busy though no worm holds "
                     "it\n", port_name(f->p, o), v);
                return NONE;
            }
            if (!(room >> v & 1)) {
                line(w->text, w->size, "waits for room behind %s channel %u\n", port_name(f->p, o), v);
                return link < ports ? (int64_t)link * f->vcs + v : NONE;
            }
        }
    }
    line(w->text, w->size, outputs ? "could move\n" : "asks for no output\n");
    return NONE;
}

bool follow_wait_chain(const struct follow *f, const uint32_t *state, const uint16_t *exit_room,
                       char *text, size_t size)
{
    struct wait w = {f, state, exit_room, text, size};
    uint32_t queues = SWITCH_PORTS * f->switches * f->vcs;
    uint8_t *seen = calloc(queues, 1);
    bool circle = false;

    text[0] = 0;
    for (uint32_t start = 0; seen && start < queues && !circle; start++) {
        if (!get(&w, start, "count_q", true))
            continue;
        text[0] = 0;
        memset(seen, 0, queues);
        int64_t q = start;
        while (q >= 0 && !seen[q] && get(&w, (uint32_t)q, "count_q", true)) {
            seen[q] = 1;
            q = waits_for(&w, (uint32_t)q);
        }
        if (q < 0)
            continue;
        if (!seen[q]) {
            describe(&w, (uint32_t)q);
            line(text, size, "holds its output but has no flit here\n");
            continue;
        }
        /* Again from inside, so that only the circle is shown. */
        circle = true;
        text[0] = 0;
        int64_t first = q;
        do
            q = waits_for(&w, (uint32_t)q);
        while (q != first);
    }
    free(seen);
    return circle;
}
