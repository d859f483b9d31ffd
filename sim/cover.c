/* SPDX-License-Identifier: Apache-2.0
 * cover.c - functional coverage: which listed situations a regression has met.
 */
#include "cover.h"

#include "arbiter.h"
#include "fat_tree.h"
#include "outfile.h"
#include "probe.h"
#include "route.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- the points ------------------------------------------------------------------------------ */

enum family {
    CROSSPOINT, CONTEND, DECIDED, START, ROTATE, PARENT, BLOCKED, OTHER, REDRAWN, KEPT, FULL, EMPTY, PASS,
    WRAP, HELD, BACK, FREES, ALL, SKIP, LOST, HEIGHT, SINGLE, LONGEST, CLEAN, FAMILIES
};

enum { LONGEST_WORM = 4096, MIN_LEVELS = 2, MAX_LEVELS_LISTED = 3 };
enum way { UP, TURN, DOWN };
enum decision { FO_LOWER, FF_GREATER, FF_EQUAL, FCFS_OLDER, FCFS_TIE };

static const char *const places[] = {"inner", "root", NULL};
static const char *const ins[] = {"in0", "in1", "in2", "in3", "in4", "in5", NULL};
static const char *const outs[] = {"out0", "out1", "out2", "out3", "out4", "out5", NULL};
static const char *const winners[] = {"won0", "won1", "won2", "won3", "won4", "won5", NULL};
static const char *const losers[] = {"lost0", "lost1", "lost2", "lost3", "lost4", "lost5", NULL};
static const char *const channels[] = {"channel0", "channel1", "channel2", "channel3", NULL};
static const char *const vcs[] = {"v1", "v2", "v4", NULL};
static const char *const many[] = {"v2", "v4", NULL};
static const char *const ports[] = {"port0", "port1", "port2", "port3", "port4", "port5", NULL};
static const char *const children[] = {"in0", "in1", "in2", "in3", NULL};
static const char *const parents[] = {"parent0", "parent1", NULL};
static const char *const starts[] = {"rr", "ff", NULL};
static const char *const paths[] = {PATH_SELECTS(ROW_NAME) NULL};
static const char *const either[] = {"gp", "rg", NULL};
static const char *const decisions[] = {"fo-lower", "ff-greater", "ff-equal", "fcfs-older",
                                        "fcfs-tie", NULL};
static const char *const depths[] = {"q1", "q2", "q3", "q4", "q5", "q8", "q16", NULL};
static const char *const networks[] = {"n16", "n64", NULL};
static const char *const levels[] = {"level1", "level2", "level3", NULL};
static const char *const heights[] = {"height1", "height2", "height3", NULL};
static const char *const ways[] = {"up", "turn", "down", NULL};

/* One table of all points: a family has a point for each combination of its labels that exists.
 * Switches of three levels, alone or in a network, count as n64. */
static const struct {
    const char *name;
    const char *const *label[4];
} family[FAMILIES] = {
    /* a flit crosses */
    [CROSSPOINT] = {"crosspoint", {places, ins, outs}},
    /* both ask for the output in one cycle, and one gets it */
    [CONTEND] = {"contend", {places, outs, winners, losers}},
    /* ... why it got it */
    [DECIDED] = {"decided", {places, decisions}},
    /* a scan from this port in a cycle in which some port that asks gets nothing */
    [START] = {"start", {starts, places, ports}},
    /* the same for the pointer of an output */
    [ROTATE] = {"rotate", {places, outs, ports}},
    /* a head goes up */
    [PARENT] = {"up", {paths, children, parents}},
    /* a head waits since neither parent is free */
    [BLOCKED] = {"both-busy", {either, children}},
    /* RG: a head takes the parent that it does not prefer */
    [OTHER] = {"rg-takes-other", {children}},
    /* RP: a head that waited for one parent goes up by the other */
    [REDRAWN] = {"rp-drawn-anew", {children}},
    /* RW: a head waits for the parent that it drew while the other is free */
    [KEPT] = {"rw-waits-for-drawn", {children}},
    [FULL] = {"queue-full", {vcs, places, ports, channels}},
    /* the last flit leaves, and none comes */
    [EMPTY] = {"queue-emptied", {vcs, places, ports, channels}},
    /* a flit enters as another leaves */
    [PASS] = {"queue-in-and-out", {depths}},
    /* the ring starts over */
    [WRAP] = {"queue-wraps", {depths}},
    /* an output channel is held while the far end has no room, and a flit of that worm follows */
    [HELD] = {"held-across-stall", {vcs, places, outs, channels}},
    /* a head takes the channel in the cycle after another worm's tail */
    [BACK] = {"back-to-back", {vcs, places, outs, channels}},
    /* a head waits for an output without a free channel as a tail leaves one */
    [FREES] = {"waits-as-channel-frees", {vcs, places, outs}},
    [ALL] = {"all-channels-held", {many, places, outs}},
    /* the channel whose turn it is has a flit that cannot move, and another is offered */
    [SKIP] = {"turn-passes-blocked", {many, places, ports}},
    /* a flit is offered, loses, and is offered in the next cycle */
    [LOST] = {"offered-again", {many, places, ports}},
    /* a head passes a switch of this level */
    [HEIGHT] = {"height", {networks, levels, heights, ways}},
    [SINGLE] = {"worm-of-one", {vcs, places}},
    [LONGEST] = {"worm-of-4096", {NULL}},
    /* nothing is queued or held in the first cycle */
    [CLEAN] = {"reset", {vcs}},
};

/* Output ports that an input of an inner switch or a root reaches, a bit each. */
static unsigned reach(bool root, unsigned in)
{
    return root ? (in < 4 ? arbiter_crosspoints[in] & 0xfu : 0) : arbiter_crosspoints[in];
}

static bool exists(enum family f, const unsigned a[4])
{
    switch (f) {
    case CROSSPOINT: return reach(a[0], a[1]) >> a[2] & 1;
    case CONTEND:
        return a[2] != a[3] && (reach(a[0], a[2]) & reach(a[0], a[3])) >> a[1] & 1;
    /* All heights at a root are its level. */
    case DECIDED: return !(a[0] && a[1] == FF_GREATER);
    case START: return a[2] < (a[1] ? 4 : 6);
    /* The pointer stands after the last port granted; it stands elsewhere only from reset to the
     * first grant. */
    case ROTATE: return reach(a[0], (a[2] + 5) % 6) >> a[1] & 1;
    case FULL:
    case EMPTY:
    case HELD:
    case BACK: return a[2] < (a[1] ? 4 : 6) && a[3] < 1u << a[0];
    case FREES:
    case ALL:
    case SKIP:
    case LOST: return a[2] < (a[1] ? 4 : 6);
    /* With one place a flit enters only after the last has left. */
    case PASS: return a[0] > 0;
    case WRAP: return a[0] > 1; /* a ring of one place stands still */
    case HEIGHT: {
        unsigned n = MIN_LEVELS + a[0];
        if (a[1] >= n || a[2] >= n)
            return false;
        return a[3] == TURN ? a[1] == a[2] : a[1] < a[2];
    }
    default: return true;
    }
}

static unsigned labels(enum family f, unsigned k)
{
    unsigned n = 0;
    while (family[f].label[k] && family[f].label[k][n])
        n++;
    return n ? n : 1;
}

/* First slot of every family, and the strides of its labels. */
struct table {
    unsigned base[FAMILIES + 1];
    unsigned count[FAMILIES][4];
};

static void table_make(struct table *t)
{
    t->base[0] = 0;
    for (unsigned f = 0; f < FAMILIES; f++) {
        unsigned size = 1;
        for (unsigned k = 0; k < 4; k++)
            size *= t->count[f][k] = labels((enum family)f, k);
        t->base[f + 1] = t->base[f] + size;
    }
}

static unsigned slot_of(const struct table *t, enum family f, unsigned a, unsigned b, unsigned c,
                        unsigned d)
{
    const unsigned *n = t->count[f];
    return t->base[f] + ((a * n[1] + b) * n[2] + c) * n[3] + d;
}

/* False if the slot is no point. */
static bool place_of(const struct table *t, unsigned slot, enum family *f, unsigned a[4])
{
    unsigned k = 0;
    if (slot >= t->base[FAMILIES])
        return false;
    while (slot >= t->base[k + 1])
        k++;
    *f = (enum family)k;
    slot -= t->base[k];
    for (unsigned i = 4; i-- > 0; slot /= t->count[k][i])
        a[i] = slot % t->count[k][i];
    return exists(*f, a);
}

static bool name_of(const struct table *t, unsigned slot, char *text, size_t size)
{
    enum family f;
    unsigned a[4];
    if (!place_of(t, slot, &f, a))
        return false;
    int at = snprintf(text, size, "%s", family[f].name);
    for (unsigned k = 0; k < 4 && at > 0 && (size_t)at < size; k++)
        if (family[f].label[k])
            at += snprintf(text + at, size - (size_t)at, ".%s", family[f].label[k][a[k]]);
    return true;
}

bool cover_name(unsigned slot, char *text, size_t size)
{
    struct table t;
    table_make(&t);
    return name_of(&t, slot, text, size);
}

int cover_find(const char *name)
{
    struct table t;
    char text[80];
    table_make(&t);
    for (unsigned s = 0; s < t.base[FAMILIES]; s++)
        if (name_of(&t, s, text, sizeof text) && strcmp(text, name) == 0)
            return (int)s;
    return -1;
}

unsigned cover_met(const uint64_t *hits)
{
    struct table t;
    enum family f;
    unsigned a[4];
    unsigned n = 0;
    table_make(&t);
    for (unsigned s = 0; s < t.base[FAMILIES]; s++)
        n += place_of(&t, s, &f, a) && (!hits || hits[s]);
    return n;
}

/* -- what a cycle shows ---------------------------------------------------------------------- */

/* One input port in one cycle. */
struct seen {
    uint8_t valid;          /* link_valid */
    uint8_t gnt;            /* one-hot */
    uint8_t offer;          /* channel on offer; MAX_VCS: none asks */
    uint8_t next;           /* next_q */
    uint8_t asks;           /* outputs that the flit on offer could take */
    uint8_t height;         /* of the worm on offer, FF */
    bool fresh;             /* ... its head came to the front in this cycle */
    uint8_t count[MAX_VCS];
    uint8_t kind[MAX_VCS];  /* of the flit at the front, if any */
    uint8_t want[MAX_VCS];  /* outputs that it may go to, a bit each */
    uint8_t chan[MAX_VCS];
};

/* What is kept of a switch from cycle to cycle. */
struct kept {
    uint8_t level;                  /* the rest is of worms that are inside */
    uint8_t stalled[SWITCH_PORTS];  /* held output channels that met no room */
    uint8_t ended[SWITCH_PORTS];    /* output channels that a tail left in the cycle before */
    uint8_t lost[SWITCH_PORTS];     /* channel that was offered and lost, or MAX_VCS */
    uint8_t waited[SWITCH_PORTS][MAX_VCS]; /* outputs that the head at the front has waited for */
    uint16_t flits[SWITCH_PORTS][MAX_VCS]; /* of the worm at the front that have left */
};

struct signals {
    const struct probe_signal *busy, *rot, *valid, *room, *gnt, *offer, *next;
    const struct probe_signal *count[MAX_VCS], *fresh[MAX_VCS], *drawn[MAX_VCS], *hold[MAX_VCS], *chan[MAX_VCS],
        *height[MAX_VCS], *wr[MAX_VCS], *kind[MAX_VCS], *payload[MAX_VCS];
};

struct cover {
    struct probe probe;
    struct table table;
    const struct probe_signal *start, *lfsr;
    struct signals port[SWITCH_PORTS];
    uint32_t *to;       /* [6 * switches]: the link that leaves by a port */
    struct kept *kept;  /* [switches] */
    unsigned drops;     /* resets in mid-traffic so far */
    unsigned v;         /* index of V: 1, 2, 4 */
    unsigned q;         /* index of the depth, FAMILIES if it is not listed */
    uint64_t hits[COVER_SLOTS];
};

static void hit(struct cover *c, enum family f, unsigned a, unsigned b, unsigned d, unsigned e)
{
    c->hits[slot_of(&c->table, f, a, b, d, e)]++;
}

static unsigned lowest(unsigned bits)
{
    return (unsigned)__builtin_ctz(bits);
}

static unsigned depth_index(unsigned depth)
{
    for (unsigned k = 0; depths[k]; k++)
        if ((unsigned)atoi(depths[k] + 1) == depth)
            return k;
    return FAMILIES; /* of a user's own configuration */
}

/* Nothing is inside. */
static void forget(struct kept *k)
{
    *k = (struct kept){.level = k->level};
    memset(k->lost, MAX_VCS, sizeof k->lost);
}

struct cover *cover_new(const struct dut_shape *shape)
{
    struct cover *c = calloc(1, sizeof *c);

    if (!c)
        return NULL;
    table_make(&c->table);
    if (probe_init(&c->probe, shape)) {
        free(c);
        return NULL;
    }
    const struct probe *p = &c->probe;
    unsigned n = SWITCH_PORTS * p->switches;
    c->to = calloc(n, sizeof *c->to);
    c->kept = calloc(p->switches, sizeof *c->kept);
    if (!c->to || !c->kept) {
        cover_free(c);
        return NULL;
    }
    for (unsigned s = 0; s < p->switches; s++) {
        unsigned level;
        unsigned address;
        probe_switch_place(p, s, &level, &address);
        c->kept[s].level = (uint8_t)level;
        forget(&c->kept[s]);
    }
    if (shape->network)
        fat_tree_wire(shape->params.levels, c->to);
    else
        for (unsigned o = 0; o < SWITCH_PORTS; o++)
            c->to[o] = n + o;
    c->v = shape->params.vcs / 2;
    c->q = depth_index(shape->params.depth);
    c->start = probe_find(p, "start_q", PROBE_NO_PORT, PROBE_NO_VC);
    c->lfsr = probe_find(p, "lfsr_q", PROBE_NO_PORT, PROBE_NO_VC);
    for (unsigned i = 0; i < SWITCH_PORTS; i++) {
        struct signals *g = &c->port[i];
        g->busy = probe_find(p, "busy_q", i, PROBE_NO_VC);
        g->rot = probe_find(p, "rot_q", i, PROBE_NO_VC);
        g->valid = probe_find(p, "link_valid", i, PROBE_NO_VC);
        g->room = probe_find(p, "room", i, PROBE_NO_VC);
        g->gnt = probe_find(p, "gnt", i, PROBE_NO_VC);
        g->offer = probe_find(p, "offer", i, PROBE_NO_VC);
        g->next = probe_find(p, "next_q", i, PROBE_NO_VC);
        for (unsigned v = 0; v < shape->params.vcs; v++) {
            g->count[v] = probe_find(p, "count_q", i, v);
            g->fresh[v] = probe_find(p, "fresh_q", i, v);
            g->drawn[v] = probe_find(p, "drawn_q", i, v);
            g->hold[v] = probe_find(p, "hold_q", i, v);
            g->chan[v] = probe_find(p, "chan_q", i, v);
            g->height[v] = probe_find(p, "height_q", i, v);
            g->wr[v] = probe_find(p, "wr_q", i, v);
            g->kind[v] = probe_find(p, "front_q.kind", i, v);
            g->payload[v] = probe_find(p, "front_q.payload", i, v);
        }
    }
    return c;
}

void cover_free(struct cover *c)
{
    if (!c)
        return;
    probe_free(&c->probe);
    free(c->to);
    free(c->kept);
    free(c);
}

const uint64_t *cover_hits(const struct cover *c)
{
    return c->hits;
}

/* One switch in one cycle. */
struct scene {
    struct cover *c;
    const struct switch_params *p;
    const uint32_t *state;
    struct kept *kept;
    unsigned s;
    bool root;
    unsigned ports;
    uint32_t lfsr;
    uint8_t busy[SWITCH_PORTS];  /* output channels held */
    uint8_t room[SWITCH_PORTS];  /* output channels with room at the far end */
    uint8_t valid[SWITCH_PORTS]; /* output channel that a flit leaves for */
    struct seen in[SWITCH_PORTS];
};

static unsigned get(const struct scene *x, const struct probe_signal *g)
{
    return (unsigned)probe_get(&x->c->probe, x->state, x->s, g);
}

static uint64_t head_of(const struct scene *x, unsigned i, unsigned v)
{
    return probe_get(&x->c->probe, x->state, x->s, x->c->port[i].payload[v]);
}

/* Links out of the switch: their far end is a port of another switch, or an exit. */
static void look_out(struct scene *x, const struct lockstep_view *view)
{
    const struct cover *c = x->c;
    uint32_t inside = SWITCH_PORTS * c->probe.switches;

    for (unsigned o = 0; o < x->ports; o++) {
        uint32_t far = c->to[SWITCH_PORTS * x->s + o];
        x->busy[o] = (uint8_t)get(x, c->port[o].busy);
        if (far >= inside) {
            x->room[o] = (uint8_t)view->exit_room[far - inside];
            x->valid[o] = (uint8_t)view->out[0]->link[far - inside].valid;
        } else {
            const struct signals *g = &c->port[far % SWITCH_PORTS];
            unsigned s = far / SWITCH_PORTS;
            x->room[o] = (uint8_t)probe_get(&c->probe, x->state, s, g->room);
            x->valid[o] = (uint8_t)probe_get(&c->probe, x->state, s, g->valid);
        }
    }
}

/* Outputs that the flit at the front of a channel could take now (docs/rules.md, asking). */
static unsigned could_take(const struct scene *x, const struct seen *in, unsigned v)
{
    unsigned take = 0;
    if (!in->count[v])
        return 0;
    for (unsigned want = in->want[v]; want; want &= want - 1) {
        unsigned o = lowest(want);
        unsigned chan = in->kind[v] & FLIT_HEAD ? ~(unsigned)x->busy[o]
                        : x->p->vcs == 1        ? 1u
                                                : in->chan[v];
        take |= (unsigned)((x->room[o] & chan) != 0) << o;
    }
    return take;
}

static void look_in(struct scene *x, unsigned i)
{
    const struct signals *g = &x->c->port[i];
    struct seen *in = &x->in[i];
    struct switch_params mine = *x->p;
    unsigned rand = i < SWITCH_CHILDREN ? x->lfsr >> (16 + i) & 1 : 0;

    mine.level = x->kept->level;
    memset(in, 0, sizeof *in);
    in->valid = (uint8_t)get(x, g->valid);
    in->gnt = (uint8_t)get(x, g->gnt);
    in->next = (uint8_t)get(x, g->next);
    in->offer = MAX_VCS;
    unsigned offer = x->p->vcs == 1 ? 1 : get(x, g->offer);
    for (unsigned k = 0; k < x->p->vcs; k++) {
        in->count[k] = (uint8_t)get(x, g->count[k]);
        if (!in->count[k])
            continue;
        in->kind[k] = (uint8_t)get(x, g->kind[k]);
        in->want[k] = in->kind[k] & FLIT_HEAD ? route_head(&mine, head_of(x, i, k), i >= SWITCH_CHILDREN, rand)
                                              : (uint8_t)get(x, g->hold[k]);
        if (mine.path == PATH_RW && in->kind[k] & FLIT_HEAD && in->want[k] == 0x30 && !get(x, g->fresh[k]))
            in->want[k] = (uint8_t)(16u << get(x, g->drawn[k]));
        in->chan[k] = (uint8_t)get(x, g->chan[k]);
    }
    unsigned v = offer ? lowest(offer) : 0;
    in->asks = (uint8_t)(offer ? could_take(x, in, v) : 0);
    in->gnt &= in->asks; /* always so */
    if (!in->asks)
        return;
    bool head = in->kind[v] & FLIT_HEAD;
    in->offer = (uint8_t)v;
    in->fresh = head && get(x, g->fresh[v]);
    in->height = (uint8_t)(head ? head_height(x->p->levels, head_of(x, i, v))
                                : get(x, g->height[v]));
}

/* -- what is counted ------------------------------------------------------------------------- */

static void decided(struct scene *x, unsigned winner, unsigned loser)
{
    const struct seen *w = &x->in[winner];
    const struct seen *l = &x->in[loser];
    switch (x->p->scan) {
    case SCAN_FO:
        if (winner < loser)
            hit(x->c, DECIDED, x->root, FO_LOWER, 0, 0);
        break;
    case SCAN_FF:
        if (w->height >= l->height)
            hit(x->c, DECIDED, x->root, w->height > l->height ? FF_GREATER : FF_EQUAL, 0, 0);
        break;
    case SCAN_FCFS:
        if (l->fresh)
            hit(x->c, DECIDED, x->root, w->fresh ? FCFS_TIE : FCFS_OLDER, 0, 0);
        break;
    default: break;
    }
}

/* Who asks for what, who gets it. */
static void count_contest(struct scene *x)
{
    bool lost = false;
    unsigned contested = 0;

    for (unsigned i = 0; i < x->ports; i++) {
        const struct seen *in = &x->in[i];
        lost |= in->asks && !in->gnt;
        if (!in->gnt)
            continue;
        unsigned o = lowest(in->gnt);
        hit(x->c, CROSSPOINT, x->root, i, o, 0);
        for (unsigned j = 0; j < x->ports; j++)
            if (j != i && x->in[j].asks >> o & 1) {
                hit(x->c, CONTEND, x->root, o, i, j);
                decided(x, i, j);
                contested |= 1u << o;
            }
    }
    if (lost && (x->p->scan == SCAN_RR || x->p->scan == SCAN_FF))
        hit(x->c, START, x->p->scan == SCAN_FF, x->root, get(x, x->c->start), 0);
    if (x->p->scan == SCAN_ROT)
        for (; contested; contested &= contested - 1) {
            unsigned o = lowest(contested);
            hit(x->c, ROTATE, x->root, o, get(x, x->c->port[o].rot), 0);
        }
}

/* A head at the front of channel v of port i. */
static void count_head(struct scene *x, unsigned i, unsigned v)
{
    const struct seen *in = &x->in[i];
    uint8_t *waited = &x->kept->waited[i][v];

    if (in->gnt && in->offer == v) {
        unsigned o = lowest(in->gnt);
        unsigned n = x->p->levels;
        unsigned height = head_height(n, head_of(x, i, v));
        enum way way = i >= SWITCH_CHILDREN ? DOWN : o >= SWITCH_CHILDREN ? UP : TURN;
        if (n >= MIN_LEVELS && n <= MAX_LEVELS_LISTED && height >= 1 && height <= n)
            hit(x->c, HEIGHT, n - MIN_LEVELS, x->kept->level - 1u, height - 1, way);
        if (way == UP) {
            hit(x->c, PARENT, x->p->path, i, o - SWITCH_CHILDREN, 0);
            if (x->p->path == PATH_RG && (x->lfsr >> (16 + i) & 1) != (o == 5))
                hit(x->c, OTHER, i, 0, 0, 0);
            if (x->p->path == PATH_RP && (*waited & 0x30 & ~in->gnt))
                hit(x->c, REDRAWN, i, 0, 0, 0);
        }
        *waited = 0;
        return;
    }
    if (!could_take(x, in, v)) {
        *waited |= in->want[v];
        if (in->want[v] == 0x30 && x->p->path != PATH_RW) /* GP and RG alone want both */
            hit(x->c, BLOCKED, x->p->path == PATH_RG, i, 0, 0);
    }
    if (x->p->path == PATH_RW && in->want[v] & 0x30 && in->want[v] != 0x30) {
        unsigned other = in->want[v] == 0x10 ? 5 : 4;
        if (!could_take(x, in, v) && x->room[other] & ~x->busy[other])
            hit(x->c, KEPT, i, 0, 0, 0);
    }
    for (unsigned want = in->want[v]; want; want &= want - 1) {
        unsigned o = lowest(want);
        unsigned every = (1u << x->p->vcs) - 1;
        bool tail = false;
        for (unsigned j = 0; j < x->ports; j++)
            tail |= x->in[j].gnt >> o & 1 && x->in[j].kind[x->in[j].offer] == FLIT_TAIL;
        if (tail && x->busy[o] == every)
            hit(x->c, FREES, x->c->v, x->root, o, 0);
    }
}

static void count_queue(struct scene *x, unsigned i, unsigned v)
{
    const struct seen *in = &x->in[i];
    struct cover *c = x->c;
    bool push = in->valid >> v & 1;
    bool pop = in->gnt && in->offer == v;
    unsigned q = c->q;

    if (in->count[v] == x->p->depth)
        hit(c, FULL, c->v, x->root, i, v);
    if (pop && !push && in->count[v] == 1)
        hit(c, EMPTY, c->v, x->root, i, v);
    if (pop && push && q != FAMILIES)
        hit(c, PASS, q, 0, 0, 0);
    /* What enters an empty queue, or one that is emptied, goes to the front, not to the ring. */
    if (push && in->count[v] > pop && x->p->depth > 2 && q != FAMILIES &&
        get(x, c->port[i].wr[v]) == x->p->depth - 2)
        hit(c, WRAP, q, 0, 0, 0);
    if (!pop)
        return;
    uint16_t *flits = &x->kept->flits[i][v];
    *flits = in->kind[v] & FLIT_HEAD ? 1 : (uint16_t)(*flits + (*flits < UINT16_MAX));
    if (in->kind[v] == FLIT_SINGLE)
        hit(c, SINGLE, c->v, x->root, 0, 0);
    if (in->kind[v] == FLIT_TAIL && *flits == LONGEST_WORM)
        hit(c, LONGEST, 0, 0, 0, 0);
}

static void count_turn(struct scene *x, unsigned i)
{
    const struct seen *in = &x->in[i];
    struct cover *c = x->c;
    uint8_t *lost = &x->kept->lost[i];

    if (x->p->vcs == 1)
        return;
    if (in->offer != MAX_VCS && in->offer != in->next && in->count[in->next])
        hit(c, SKIP, c->v - 1, x->root, i, 0);
    if (in->offer != MAX_VCS && in->offer == *lost)
        hit(c, LOST, c->v - 1, x->root, i, 0);
    *lost = in->gnt ? MAX_VCS : in->offer;
}

static void count_output(struct scene *x, unsigned o)
{
    struct cover *c = x->c;
    struct kept *k = x->kept;
    unsigned ended = 0;
    unsigned every = (1u << x->p->vcs) - 1;

    if (x->p->vcs > 1 && x->busy[o] == every)
        hit(c, ALL, c->v - 1, x->root, o, 0);
    if (x->valid[o]) {
        unsigned w = lowest(x->valid[o]);
        for (unsigned i = 0; i < x->ports; i++) {
            const struct seen *in = &x->in[i];
            if (!(in->gnt >> o & 1))
                continue;
            unsigned kind = in->kind[in->offer];
            if (kind & FLIT_TAIL)
                ended = 1u << w;
            if (kind & FLIT_HEAD && k->ended[o] >> w & 1)
                hit(c, BACK, c->v, x->root, o, w);
            if (!(kind & FLIT_HEAD) && k->stalled[o] >> w & 1)
                hit(c, HELD, c->v, x->root, o, w);
        }
    }
    k->stalled[o] = (uint8_t)((k->stalled[o] | ~x->room[o]) & x->busy[o] & ~x->valid[o]);
    k->ended[o] = (uint8_t)ended;
}

static bool at_rest(const struct scene *x)
{
    unsigned any = 0;
    for (unsigned i = 0; i < x->ports; i++) {
        any |= x->busy[i];
        for (unsigned v = 0; v < x->p->vcs; v++)
            any |= x->in[i].count[v];
    }
    return !any;
}

static void count_switch(struct scene *x, uint64_t cycle)
{
    if (cycle == 0 && at_rest(x))
        hit(x->c, CLEAN, x->c->v, 0, 0, 0);
    count_contest(x);
    for (unsigned i = 0; i < x->ports; i++) {
        for (unsigned v = 0; v < x->p->vcs; v++) {
            count_queue(x, i, v);
            if (x->in[i].count[v] && x->in[i].kind[v] & FLIT_HEAD)
                count_head(x, i, v);
        }
        count_turn(x, i);
    }
    for (unsigned o = 0; o < x->ports; o++)
        count_output(x, o);
}

void cover_look(void *context, uint64_t cycle, const struct lockstep_view *view)
{
    struct cover *c = context;
    struct scene x = {.c = c, .p = &c->probe.shape.params, .state = view->state[0]};

    if (view->differ)
        return;
    for (unsigned s = 0; c->drops != driver_drops(view->driver) && s < c->probe.switches; s++)
        forget(&c->kept[s]);
    c->drops = driver_drops(view->driver);
    for (x.s = 0; x.s < c->probe.switches; x.s++) {
        x.kept = &c->kept[x.s];
        x.root = x.kept->level == x.p->levels;
        x.ports = x.root ? SWITCH_CHILDREN : SWITCH_PORTS;
        x.lfsr = get(&x, c->lfsr);
        look_out(&x, view);
        for (unsigned i = 0; i < x.ports; i++)
            look_in(&x, i);
        count_switch(&x, cycle);
    }
}

/* -- the file -------------------------------------------------------------------------------- */

static const char header[] = "fatfly cover 1";

static int take_line(uint64_t *hits, const char *line, const char *file, unsigned n,
                     unsigned *next, const struct table *t, struct fail *f)
{
    char name[80];
    char want[80];
    char count[20];
    int end = 0;

    while (!name_of(t, *next, want, sizeof want))
        if (++*next >= t->base[FAMILIES])
            return fail_at(f, file, n, "\"%.60s\" after the last point; allowed: nothing", line);
    if (sscanf(line, "%79s %19[0-9]%n", name, count, &end) != 2 || line[end] || strcmp(name, want) != 0)
        return fail_at(f, file, n, "\"%.60s\"; allowed: %s and a count (a file of another version "
                       "must go first)", line, want);
    hits[(*next)++] += strtoull(count, NULL, 10);
    return 0;
}

int cover_read(uint64_t *hits, const char *file, struct fail *f)
{
    struct table t;
    char line[200];
    char left[80];
    unsigned n = 0;
    unsigned next = 0;
    int bad = 0, got = 0;
    FILE *in = fopen(file, "r");

    if (!in && errno == ENOENT)
        return 0;
    if (!in)
        return fail_at(f, file, 0, "%s; allowed: a readable file, or none", strerror(errno));
    table_make(&t);
    while (!bad && (got = plain_line(in, line, sizeof line, file, &n, f)) > 0) {
        if (n > 1)
            bad = take_line(hits, line, file, n, &next, &t, f);
        else if (strcmp(line, header) != 0)
            bad = fail_at(f, file, 1, "\"%.60s\"; allowed: the header %s", line, header);
    }
    bad = bad || got < 0 ? -1 : 0;
    if (!bad && ferror(in))
        bad = fail_at(f, file, 0, "%s; allowed: a readable file, or none", strerror(errno));
    fclose(in);
    if (!bad && n == 0)
        bad = fail_at(f, file, 0, "an empty file; allowed: the header %s and a line a point",
                      header);
    for (; !bad && next < t.base[FAMILIES]; next++)
        if (name_of(&t, next, left, sizeof left))
            bad = fail_at(f, file, n, "ends here; allowed: %s and a count next", left);
    return bad;
}

int cover_writable(const char *file, struct fail *f)
{
    struct outfile o;
    if (outfile_open(&o, file, f))
        return -1;
    outfile_drop(&o);
    return 0;
}

int cover_write(const uint64_t *hits, const char *file, struct fail *f)
{
    struct table t;
    struct outfile o;
    char name[80];

    if (outfile_open(&o, file, f))
        return -1;
    table_make(&t);
    fprintf(o.out, "%s\n", header);
    for (unsigned s = 0; s < t.base[FAMILIES]; s++)
        if (name_of(&t, s, name, sizeof name))
            fprintf(o.out, "%s %" PRIu64 "\n", name, hits[s]);
    return outfile_close(&o, f);
}
