/* SPDX-License-Identifier: Apache-2.0
 * readings.c - which reading of the paper gives the STORE column of GO's table I?
 *
 * A second opinion: it shares no code with the engines, asks every queue of every switch in every
 * step, and does what the sentences of (GO III.B.2) say.  Each option is a sentence that can be read
 * in more than one way; without options it is the reading of the spec (docs/simulator.md).  Prints
 * CSV, a line for each cell of the table.  --discipline worm runs the WORM columns with the same scan;
 * split runs packets of a flit as in STORE, for which GO have a figure alone: WORM's stand beside them.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PORTS = 6, /* 0..3 children, 4 and 5 parents; a root has no parents */
    CHILDREN = 4,
    MAX_LEVELS = 6,
    MAX_NODES = 1 << 2 * MAX_LEVELS,
    MAX_SWITCHES = MAX_NODES / 2,
    MAX_DEPTH = 2,
    LENGTH = 32, /* flits, in all of table I */
    GO_RUNS = 30,
    NONE = 9 /* no port */
};

/* -- readings ------------------------------------------------------------------------------- */

enum discipline { STORE, WORM, SPLIT };

/* "At each step, each node scans its input queues once and sends out available packets greedily
 * (whenever the corresponding output edge is idling and the queue at the end of that edge is not
 * full)": in which order do the nodes act, and does one see what another did in this step? */
enum order {
    ROOT_TO_LEAF,
    LEAF_TO_ROOT,
    AT_ONCE,          /* a queue has room if it had room when the step began */
    UPS_THEN_DOWNS,   /* all packets that go up, then all that go down, roots first */
    DOWNS_THEN_UPS,   /* the other way round */
    SWITCH_UPS_FIRST, /* roots first, and each switch its packets that go up first */
    NO_GAPS,          /* each move after the one that makes room for it */
    MIXED,            /* packets that go down from the roots on, then those up from the leaves on */
    RANDOM_ORDER,     /* a new one in each step */
    CHILDREN_FIRST    /* roots first: all inputs from children, then all from parents */
};

/* "a switch selects the first incoming link randomly and scans around from that link" */
enum start {
    ANY,     /* of its ports */
    WAITING, /* of those whose queue holds a packet, even one that came in this step */
    MOVABLE, /* of those whose packet did not come in this step */
    TURNS,   /* no draw: step mod ports */
    FIXED,   /* no draw: port 0, which is FO */
    SHUFFLE, /* no scanning around: all inputs in a random order */
    APART,   /* from a random child around the children, then from a random parent */
    SIX      /* of six ports even at a root, which has four: a register that knows no level */
};

/* "priority is given to packets heading to the farthest destinations for up links, and packets from
 * the farthest sources for down links": among equals the order of the scan. */
enum priority { SCANNED, FARTHEST };

/* How the ports lie around a switch.  Parents before the children is the same ring. */
enum ring { PARENTS_LAST, PARENTS_BETWEEN };

/* "When a packet needs to go up, it selects an up link randomly.  If the link is blocked, the packet
 * waits. ... each time a packet seeks to go up, it makes a selection randomly." */
enum path {
    RP,
    RP_KEPT,       /* one selection for each switch on the way */
    RP_PER_SWITCH, /* one selection a step for all packets in the switch */
    GP             /* the first parent that is not blocked */
};

/* Random numbers: below(n) is made from ... */
enum generator {
    SPLITMIX,
    BSD_RAND, /* rand() % n of 4.2BSD, whose low bits have short periods: the last one alternates */
    ANSI_RAND /* rand() % n with the example of the C standard, bits 16..30 */
};

/* When do processors send and take, in a step?  A packet is in "its initial queue" before. */
enum processors {
    LAST,          /* after the switches */
    SOURCES_FIRST, /* they send before the switches act */
    SINKS_FIRST    /* they empty their queue before the switches act */
};

/* "Each packet chooses a destination randomly and uniformly": its own source, too? */
enum destination { OTHERS, ALL };

static const char *const disciplines[] = {"store", "worm", "split", NULL};
static const char *const orders[] = {
    [ROOT_TO_LEAF] = "root-to-leaf",
    [LEAF_TO_ROOT] = "leaf-to-root",
    [AT_ONCE] = "at-once",
    [UPS_THEN_DOWNS] = "ups-then-downs",
    [DOWNS_THEN_UPS] = "downs-then-ups",
    [SWITCH_UPS_FIRST] = "switch-ups-first",
    [NO_GAPS] = "no-gaps",
    [MIXED] = "mixed",
    [RANDOM_ORDER] = "random",
    [CHILDREN_FIRST] = "children-first",
    NULL,
};
static const char *const starts[] = {
    [ANY] = "any",     [WAITING] = "waiting", [MOVABLE] = "movable",
    [TURNS] = "turns", [FIXED] = "fixed",     [SHUFFLE] = "shuffle",
    [APART] = "apart", [SIX] = "six",         NULL,
};
static const char *const priorities[] = {"scanned", "farthest", NULL};
static const char *const rings[] = {"parents-last", "parents-between", NULL};
static const char *const paths[] = {"rp", "rp-kept", "rp-per-switch", "gp", NULL};
static const char *const generators[] = {"splitmix", "bsd", "ansi", NULL};
static const char *const processor_orders[] = {"last", "sources-first", "sinks-first", NULL};
static const char *const destinations[] = {"others", "all", NULL};

enum {
    DISCIPLINE,
    ORDER,
    START,
    PRIORITY,
    RING,
    PATH,
    GENERATOR,
    PROCESSORS,
    DESTINATIONS,
    CHOICES
};

static const struct choice {
    const char *name;
    const char *const *values; /* in the order of the enum, the spec's first */
    bool worm;                 /* means something in WORM */
} choices[CHOICES] = {
    [DISCIPLINE] = {"discipline", disciplines, true},
    [ORDER] = {"order", orders, false},
    [START] = {"start", starts, true},
    [PRIORITY] = {"priority", priorities, true},
    [RING] = {"ring", rings, true},
    [PATH] = {"path", paths, true},
    [GENERATOR] = {"generator", generators, true},
    [PROCESSORS] = {"processors", processor_orders, false},
    [DESTINATIONS] = {"destinations", destinations, true},
};

enum { RUNS, SEED, DEPTH, ONLY, NUMBERS };

static const struct number {
    const char *name;
    unsigned least, most;
} numbers[NUMBERS] = {
    [RUNS] = {"runs", 5, 100000},
    [SEED] = {"seed", 0, UINT32_MAX},
    [DEPTH] = {"depth", 1, MAX_DEPTH},
    [ONLY] = {"only", 16,
              MAX_NODES}, /* random and complement on so many processors, nothing else */
};

struct reading {
    unsigned choice[CHOICES];
    unsigned number[NUMBERS];
};

/* -- the network ---------------------------------------------------------------------------- */

struct item {
    unsigned packet; /* named by its source */
    unsigned flit;   /* 0 is the head (WORM) */
    unsigned came;   /* in this step; no packet moves twice in a step */
};

struct queue {
    unsigned count;
    struct item at[MAX_DEPTH];
};

/* Port p of switch s is PORTS * s + p: an input with a queue, and an output with a link from it. */
struct net {
    const struct reading *is;
    unsigned levels, nodes, switches;
    unsigned depth;
    unsigned level[MAX_SWITCHES], address[MAX_SWITCHES];
    unsigned turn[MAX_SWITCHES];       /* order of the switches (RANDOM_ORDER) */
    unsigned to[MAX_SWITCHES * PORTS]; /* queue at the end of a link, processors' last */
    struct queue queue[MAX_SWITCHES * PORTS + MAX_NODES];
    bool full[MAX_SWITCHES * PORTS + MAX_NODES]; /* ... when the step began (AT_ONCE) */
    bool used[MAX_SWITCHES * PORTS];             /* the link carries something in this step */
    bool held[MAX_SWITCHES * PORTS];             /* the link belongs to a worm (WORM) */
    unsigned got[MAX_SWITCHES * PORTS];          /* output of the worm in this input (WORM) */
    unsigned dst[MAX_NODES];
    unsigned parent[MAX_NODES];   /* a packet's selection, or NONE (RP_KEPT) */
    unsigned left[MAX_NODES];     /* packets (STORE) or flits (WORM) in the initial queue */
    unsigned step, arrived, last; /* last: step of the last arrival */
    uint64_t random;
};

static unsigned choice(const struct net *n, unsigned what)
{
    return n->is->choice[what];
}

/* A random number of 0 .. end-1. */
static unsigned below(struct net *n, unsigned end)
{
    if (choice(n, GENERATOR) == SPLITMIX) {
        uint64_t z = n->random += UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        return (unsigned)(((z ^ z >> 31) >> 32) * end >> 32);
    }
    n->random = (n->random * 1103515245 + 12345) & 0x7fffffff;
    return (unsigned)(choice(n, GENERATOR) == BSD_RAND ? n->random : n->random >> 16) % end;
}

static void shuffle(struct net *n, unsigned *list, unsigned count)
{
    for (unsigned k = count; k > 1; k--) {
        unsigned j = below(n, k), swap = list[k - 1];
        list[k - 1] = list[j];
        list[j] = swap;
    }
}

/* The butterfly fat-tree (GO II.A): switches are numbered from level 1 up, so that going through the
 * numbers is going from the leaves to the roots.  Nodes of a level share no queue. */
static void wire(struct net *n, unsigned levels)
{
    unsigned base = 0;

    n->levels = levels;
    n->nodes = 1u << 2 * levels;
    for (unsigned l = 1; l <= levels; l++) {
        unsigned count = n->nodes >> (l + 1), width = 1u << l;
        for (unsigned a = 0; a < count; a++) {
            unsigned s = base + a;
            n->level[s] = l;
            n->address[s] = a;
            n->turn[s] = s;
            for (unsigned p = 0; p < 2 && l < levels; p++) {
                unsigned up = a / (2 * width) * width + (a + p * width / 2) % width;
                unsigned above = PORTS * (base + count + up) + a % (2 * width) / (width / 2);
                n->to[PORTS * s + CHILDREN + p] = above;
                n->to[above] = PORTS * s + CHILDREN + p;
            }
        }
        base += count;
    }
    n->switches = base;
    for (unsigned a = 0; a < n->nodes; a++)
        n->to[PORTS * (a / CHILDREN) + a % CHILDREN] = PORTS * base + a;
}

static unsigned ports(const struct net *n, unsigned s)
{
    return n->level[s] == n->levels ? CHILDREN : PORTS;
}

static bool room(const struct net *n, unsigned q)
{
    return n->queue[q].count < n->depth && !n->full[q];
}

static struct item pop(struct queue *q)
{
    struct item x = q->at[0];
    q->at[0] = q->at[1];
    q->count--;
    return x;
}

static void push(struct net *n, unsigned q, struct item x)
{
    x.came = n->step;
    n->queue[q].at[n->queue[q].count++] = x;
}

/* It can move: a packet is there and did not come in this step. */
static bool movable(const struct net *n, const struct queue *q)
{
    return q->count && q->at[0].came != n->step;
}

/* -- the choices of a switch ------------------------------------------------------------------ */

/* A random place in the ring among those whose queue holds a packet. */
static unsigned start_filled(struct net *n, unsigned s, const unsigned *ring)
{
    unsigned list[PORTS], count = 0;

    for (unsigned k = 0; k < ports(n, s); k++) {
        const struct queue *q = &n->queue[PORTS * s + ring[k]];
        if (choice(n, START) == MOVABLE ? movable(n, q) : q->count > 0)
            list[count++] = k;
    }
    return count ? list[below(n, count)] : 0;
}

static unsigned start(struct net *n, unsigned s, const unsigned *ring)
{
    switch ((enum start)choice(n, START)) {
    case WAITING:
    case MOVABLE:
        return start_filled(n, s, ring);
    case TURNS:
        return n->step % ports(n, s);
    case FIXED:
    case SHUFFLE:
        return 0;
    case SIX: {
        unsigned port = below(n, PORTS);
        return port < ports(n, s) ? port : 0; /* it goes on past the ports that are not there */
    }
    case ANY:
    case APART:
        break;
    }
    return below(n, ports(n, s));
}

/* How far up the front packet of an input goes on its way. */
static unsigned height(const struct net *n, unsigned s, unsigned in)
{
    const struct queue *q = &n->queue[PORTS * s + in];
    unsigned level = 0;

    if (q->count)
        for (unsigned apart = q->at[0].packet ^ n->dst[q->at[0].packet]; apart; apart >>= 2)
            level++;
    return level;
}

/* The farthest first; equals stay in order. */
static void by_height(const struct net *n, unsigned s, unsigned seq[PORTS])
{
    for (unsigned k = 1; k < ports(n, s); k++) {
        unsigned in = seq[k], far = height(n, s, in), at = k;
        for (; at && height(n, s, seq[at - 1]) < far; at--)
            seq[at] = seq[at - 1];
        seq[at] = in;
    }
}

/* The inputs of switch s in the order of its scan. */
static void scan(struct net *n, unsigned s, unsigned seq[PORTS])
{
    static const unsigned between[PORTS] = {0, 1, 4, 2, 3, 5};
    unsigned count = ports(n, s), ring[PORTS];

    for (unsigned k = 0; k < PORTS; k++)
        ring[k] = count == PORTS && choice(n, RING) == PARENTS_BETWEEN ? between[k] : k;
    if (choice(n, START) == APART) {
        unsigned child = below(n, CHILDREN), parent = below(n, 2);
        for (unsigned k = 0; k < count; k++)
            seq[k] = k < CHILDREN ? (child + k) % CHILDREN : CHILDREN + (parent + k) % 2;
    } else {
        if (choice(n, START) == SHUFFLE)
            shuffle(n, ring, count);
        unsigned first = start(n, s, ring);
        for (unsigned k = 0; k < count; k++)
            seq[k] = ring[(first + k) % count];
    }
    if (choice(n, PRIORITY) == FARTHEST)
        by_height(n, s, seq);
}

/* A packet from a child goes up if its destination is not below the switch. */
static bool goes_up(const struct net *n, unsigned s, unsigned in, unsigned packet)
{
    return in < CHILDREN && n->dst[packet] >> 2 * n->level[s] != n->address[s] >> (n->level[s] - 1);
}

static unsigned parent(struct net *n, unsigned s, unsigned packet, unsigned of_switch)
{
    unsigned first = PORTS * s + CHILDREN;

    switch ((enum path)choice(n, PATH)) {
    case RP_KEPT:
        if (n->parent[packet] == NONE)
            n->parent[packet] = CHILDREN + below(n, 2);
        return n->parent[packet];
    case RP_PER_SWITCH:
        return of_switch;
    case GP:
        return n->used[first] || n->held[first] || !room(n, n->to[first]) ? CHILDREN + 1 : CHILDREN;
    case RP:
        break;
    }
    return CHILDREN + below(n, 2);
}

static unsigned output(struct net *n, unsigned s, unsigned in, unsigned packet, unsigned of_switch)
{
    if (goes_up(n, s, in, packet))
        return parent(n, s, packet, of_switch);
    return n->dst[packet] >> 2 * (n->level[s] - 1) & 3;
}

/* -- STORE ------------------------------------------------------------------------------------ */

/* The packets of a switch that a sweep over the switches is about. */
enum part { WHOLE, UPS, DOWNS, FROM_CHILDREN, FROM_PARENTS, UPS_DOWNS };
enum direction { FROM_ROOTS, FROM_LEAVES };

static const struct sweep {
    enum part part;
    enum direction direction;
} sweeps[][2] = {
    /* WHOLE, FROM_ROOTS is 0: a second sweep of that kind does not occur and stands for none */
    [ROOT_TO_LEAF] = {{WHOLE, FROM_ROOTS}},
    [LEAF_TO_ROOT] = {{WHOLE, FROM_LEAVES}},
    [AT_ONCE] = {{WHOLE, FROM_ROOTS}},
    [UPS_THEN_DOWNS] = {{UPS, FROM_ROOTS}, {DOWNS, FROM_ROOTS}},
    [DOWNS_THEN_UPS] = {{DOWNS, FROM_ROOTS}, {UPS, FROM_ROOTS}},
    [SWITCH_UPS_FIRST] = {{UPS_DOWNS, FROM_ROOTS}},
    [NO_GAPS] = {{DOWNS, FROM_LEAVES}, {UPS, FROM_ROOTS}},
    [MIXED] = {{DOWNS, FROM_ROOTS}, {UPS, FROM_LEAVES}},
    [RANDOM_ORDER] = {{WHOLE, FROM_LEAVES}},
    [CHILDREN_FIRST] = {{FROM_CHILDREN, FROM_ROOTS}, {FROM_PARENTS, FROM_ROOTS}},
};

static bool takes_part(const struct net *n, unsigned s, unsigned in, enum part part)
{
    unsigned packet = n->queue[PORTS * s + in].at[0].packet;

    switch (part) {
    case UPS:
        return goes_up(n, s, in, packet);
    case DOWNS:
        return !goes_up(n, s, in, packet);
    case FROM_CHILDREN:
        return in < CHILDREN;
    case FROM_PARENTS:
        return in >= CHILDREN;
    case WHOLE:
    case UPS_DOWNS:
        break;
    }
    return true;
}

/* Switch s scans its input queues once. */
static void act(struct net *n, unsigned s, enum part part)
{
    unsigned seq[PORTS];
    unsigned of_switch = choice(n, PATH) == RP_PER_SWITCH ? CHILDREN + below(n, 2) : NONE;

    scan(n, s, seq);
    for (unsigned k = 0; k < ports(n, s); k++) {
        struct queue *q = &n->queue[PORTS * s + seq[k]];
        if (!movable(n, q) || !takes_part(n, s, seq[k], part))
            continue;
        unsigned packet = q->at[0].packet;
        unsigned link = PORTS * s + output(n, s, seq[k], packet, of_switch);
        if (n->used[link] || !room(n, n->to[link]))
            continue;
        n->used[link] = true;
        n->parent[packet] = NONE;
        push(n, n->to[link], pop(q));
        if (n->to[link] >= PORTS * n->switches) {
            n->arrived++;
            n->last = n->step;
        }
    }
}

static void sweep(struct net *n, struct sweep w)
{
    for (unsigned k = 0; k < n->switches; k++) {
        unsigned s = n->turn[w.direction == FROM_ROOTS ? n->switches - 1 - k : k];
        if (w.part == UPS_DOWNS) {
            act(n, s, UPS);
            act(n, s, DOWNS);
        } else {
            act(n, s, w.part);
        }
    }
}

static void sources_send(struct net *n)
{
    for (unsigned a = 0; a < n->nodes; a++) {
        unsigned q = PORTS * (a / CHILDREN) + a % CHILDREN;
        if (n->left[a] && room(n, q)) {
            push(n, q, (struct item){.packet = a});
            n->left[a]--;
        }
    }
}

static void sinks_take(struct net *n)
{
    for (unsigned a = 0; a < n->nodes; a++) {
        struct queue *q = &n->queue[PORTS * n->switches + a];
        if (movable(n, q))
            pop(q);
    }
}

static void store_step(struct net *n)
{
    unsigned order = choice(n, ORDER), processors = choice(n, PROCESSORS);

    memset(n->used, 0, sizeof n->used);
    for (unsigned q = 0; q < PORTS * n->switches + n->nodes && order == AT_ONCE; q++)
        n->full[q] = n->queue[q].count == n->depth;
    if (order == RANDOM_ORDER)
        shuffle(n, n->turn, n->switches);
    if (processors == SINKS_FIRST)
        sinks_take(n);
    if (processors == SOURCES_FIRST)
        sources_send(n);
    sweep(n, sweeps[order][0]);
    if (sweeps[order][1].part != WHOLE)
        sweep(n, sweeps[order][1]);
    if (processors != SOURCES_FIRST)
        sources_send(n);
    if (processors != SINKS_FIRST)
        sinks_take(n);
}

/* -- WORM ------------------------------------------------------------------------------------- */

struct move {
    unsigned in, link;
};

/* Moves that switch s chooses, on the state at the start of the cycle: every flit may move on. */
static unsigned choose(struct net *n, unsigned s, struct move *move)
{
    unsigned seq[PORTS], count = 0, filled = 0;

    for (unsigned i = 0; i < ports(n, s); i++)
        filled += n->queue[PORTS * s + i].count;
    if (!filled)
        return 0;
    unsigned of_switch = choice(n, PATH) == RP_PER_SWITCH ? CHILDREN + below(n, 2) : NONE;
    scan(n, s, seq);
    for (unsigned k = 0; k < ports(n, s); k++) {
        unsigned in = PORTS * s + seq[k];
        const struct item *front = &n->queue[in].at[0];
        if (!n->queue[in].count)
            continue;
        bool head = front->flit == 0;
        unsigned link =
            PORTS * s + (head ? output(n, s, seq[k], front->packet, of_switch) : n->got[in]);
        bool to_switch = n->to[link] < PORTS * n->switches; /* a processor takes a flit per cycle */
        if (n->used[link] || (head && n->held[link]) || (to_switch && !room(n, n->to[link])))
            continue;
        n->used[link] = true;
        move[count++] = (struct move){in, link};
    }
    return count;
}

static void cross(struct net *n, struct move m, struct item x)
{
    n->got[m.in] = m.link % PORTS;
    n->held[m.link] = x.flit < LENGTH - 1;
    if (x.flit == 0)
        n->parent[x.packet] = NONE;
    if (n->to[m.link] < PORTS * n->switches) {
        push(n, n->to[m.link], x);
    } else if (x.flit == LENGTH - 1) {
        n->arrived++;
        n->last = n->step;
    }
}

static void worm_step(struct net *n)
{
    static struct move move[MAX_SWITCHES * PORTS];
    static struct item crossing[MAX_SWITCHES * PORTS];
    static bool sends[MAX_NODES];
    unsigned count = 0;

    memset(n->used, 0, sizeof n->used);
    for (unsigned s = 0; s < n->switches; s++)
        count += choose(n, s, move + count);
    for (unsigned a = 0; a < n->nodes; a++)
        sends[a] = n->left[a] && room(n, PORTS * (a / CHILDREN) + a % CHILDREN);
    for (unsigned k = 0; k < count; k++)
        crossing[k] = pop(&n->queue[move[k].in]);
    for (unsigned k = 0; k < count; k++)
        cross(n, move[k], crossing[k]);
    for (unsigned a = 0; a < n->nodes; a++)
        if (sends[a])
            push(n, PORTS * (a / CHILDREN) + a % CHILDREN,
                 (struct item){.packet = a, .flit = LENGTH - n->left[a]--});
}

/* -- runs --------------------------------------------------------------------------------------- */

enum pattern { RANDOM, COMPLEMENT, MANY_TO_1, PATTERNS };
static const char *const patterns[] = {"random", "complement", "many-to-1"};

static const unsigned go[][PATTERNS][MAX_LEVELS - 1] = {
    [STORE] = {{269, 534, 944, 1677, 3031},
               {198, 442, 829, 1565, 2896},
               {544, 2144, 8352, 32992, 131360}},
    [WORM] = {{125, 233, 441, 843, 1592},
              {68, 161, 301, 583, 1123},
              {258, 1028, 4102, 16392, 65546}},
    [SPLIT] = {{125, 233, 441, 843, 1592},
               {68, 161, 301, 583, 1123},
               {258, 1028, 4102, 16392, 65546}},
};

static unsigned destination(struct net *n, enum pattern pattern, unsigned a)
{
    unsigned to;

    if (pattern == COMPLEMENT)
        return n->nodes - 1 - a;
    if (pattern == MANY_TO_1)
        return a < n->nodes / 2 ? n->nodes - 1 : 0;
    do
        to = below(n, n->nodes);
    while (to == a && choice(n, DESTINATIONS) == OTHERS);
    return to;
}

/* One run: the latency in flit-steps, the zero-based last arrival. */
static double latency(struct net *n, enum pattern pattern)
{
    bool worm = choice(n, DISCIPLINE) == WORM;
    unsigned each = choice(n, DISCIPLINE) == STORE ? 1 : LENGTH, total = 0;

    memset(n->queue, 0, sizeof n->queue);
    memset(n->held, 0, sizeof n->held);
    memset(n->full, 0, sizeof n->full);
    for (unsigned a = 0; a < n->nodes; a++) {
        n->dst[a] = destination(n, pattern, a);
        n->parent[a] = NONE;
        n->left[a] = n->dst[a] == a ? 0 : each;
        total += (n->dst[a] != a) * (worm ? 1 : each);
    }
    n->arrived = n->last = 0;
    for (n->step = 0; n->arrived < total; n->step++)
        worm ? worm_step(n) : store_step(n);
    return each == 1 ? n->last * (double)LENGTH : n->last;
}

/* Student's t for two-sided 99 %, f degrees of freedom; to 0.1 % for f >= 9 (Cornish-Fisher). */
static double t99(double f)
{
    return 2.5758 + 4.916 / f + 8.84 / (f * f) + 14.8 / (f * f * f);
}

/* One cell of the table.  Off: the difference of the two means, one of 30 runs as GO's, in its
 * standard deviations; empty where there is no spread. */
static void cell(struct net *n, enum pattern pattern)
{
    unsigned theirs = go[choice(n, DISCIPLINE)][pattern][n->levels - 2];
    bool long_one =
        pattern == MANY_TO_1 && n->levels > 4; /* no randomness in it, or GO excludes it */
    double runs = long_one ? 1 : n->is->number[RUNS];
    double sum = 0, squares = 0;

    for (unsigned k = 0; k < runs; k++) {
        double x = latency(n, pattern) - theirs; /* small: no digits are lost in the squares */
        sum += x;
        squares += x * x;
    }
    double mean = sum / runs;
    double freedom = fmax(1, runs - 1);
    double deviation = sqrt(fmax(0, squares - sum * mean) / freedom);

    for (unsigned c = 0; c < CHOICES; c++)
        printf("%s,", choices[c].values[choice(n, c)]);
    printf("%u,%u,%s,%u,%.0f,", n->depth, n->is->number[SEED], patterns[pattern], n->nodes, runs);
    printf("%u,%.2f,%.2f,%.2f,", theirs, theirs + mean, deviation,
           t99(freedom) * deviation / sqrt(runs));
    if (deviation > 0)
        printf("%.2f", mean / (deviation * sqrt(1. / GO_RUNS + 1 / runs)));
    printf("\n");
}

/* -- the command line ----------------------------------------------------------------------------- */

static void wrong(const char *name, const char *value)
{
    fprintf(stderr, "readings: %s %s; allowed:\n", name, value ? value : "(no value)");
    for (unsigned c = 0; c < CHOICES; c++) {
        fprintf(stderr, "  --%s", choices[c].name);
        for (unsigned v = 0; choices[c].values[v]; v++)
            fprintf(stderr, "%c%s", v ? '|' : ' ', choices[c].values[v]);
        fprintf(stderr, choices[c].worm ? "\n" : " (store)\n");
    }
    for (unsigned k = 0; k < NUMBERS; k++)
        fprintf(stderr, "  --%s %u..%u\n", numbers[k].name, numbers[k].least, numbers[k].most);
    exit(2);
}

static bool read_choice(struct reading *is, const char *name, const char *value)
{
    for (unsigned c = 0; c < CHOICES; c++)
        for (unsigned v = 0; !strcmp(name, choices[c].name) && choices[c].values[v]; v++)
            if (!strcmp(value, choices[c].values[v])) {
                is->choice[c] = v;
                return true;
            }
    return false;
}

static bool read_number(struct reading *is, const char *name, const char *value)
{
    char *end;
    unsigned long x = strtoul(value, &end, 10);

    for (unsigned k = 0; k < NUMBERS; k++)
        if (!strcmp(name, numbers[k].name) && *value >= '0' && *value <= '9' && !*end &&
            x >= numbers[k].least && x <= numbers[k].most) {
            is->number[k] = (unsigned)x;
            return true;
        }
    return false;
}

static struct reading read_options(char **arg)
{
    struct reading is = {.number = {[RUNS] = 150, [SEED] = 1}};

    for (; *arg; arg += 2)
        if (strncmp(*arg, "--", 2) || !arg[1] ||
            !(read_choice(&is, *arg + 2, arg[1]) || read_number(&is, *arg + 2, arg[1])))
            wrong(*arg, arg[1]);
    for (unsigned c = 0; c < CHOICES && is.choice[DISCIPLINE] == WORM; c++)
        if (is.choice[c] && !choices[c].worm)
            wrong("--discipline worm with an option of store:", choices[c].name);
    unsigned only = is.number[ONLY];
    if (only & (only - 1) || only & 0xaaaaaaaau)
        wrong("--only", "a number that is no power of 4");
    if (!is.number[DEPTH])
        is.number[DEPTH] = is.choice[DISCIPLINE] == STORE ? 1 : 2; /* q of table I */
    return is;
}

int main(int argc, char **argv)
{
    static struct net n;
    struct reading is = read_options(argv + (argc > 0));

    n.is = &is;
    n.depth = is.number[DEPTH];
    n.random = is.number[SEED];
    for (unsigned c = 0; c < CHOICES; c++)
        printf("%s,", choices[c].name);
    printf("depth,seed,pattern,nodes,runs,go,mean,sd,ci99,off\n");
    unsigned only = is.number[ONLY];
    for (unsigned p = 0; p < (only ? MANY_TO_1 : PATTERNS); p++)
        for (unsigned levels = 2; levels <= MAX_LEVELS; levels++) {
            wire(&n, levels);
            if (!only || n.nodes == only)
                cell(&n, (enum pattern)p);
        }
    return fflush(stdout) || ferror(stdout) ? 3 : 0;
}
