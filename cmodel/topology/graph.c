/* SPDX-License-Identifier: Apache-2.0
 * graph.c - any network that a text describes (docs/topologies.md): nodes, processors, directed
 * links, and a table of next hops, paths, or neither, which means shortest paths.
 *
 * Ports of a node are its links in the order of their lines.  Of several shortest ways a head takes
 * the one that begins with the lowest port.  Paths are kept by what a head knows: where it stands, by
 * which virtual channel it came, where it wants to go.
 */
#include "topology.h"

#include "grow.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_NODES = 1 << 20,
    MOST_ENTRIES = 1 << 24, /* of the table of next hops: nodes * processors */
    MOST_HOPS = 1 << 22,    /* of all paths */
    NO_HOP = 0xffff,
    ENTERS = 1, LEAVES = 2
};

/* A hop as a table holds it: port, and class + 1 or 0 for any. */
static uint16_t hop_pack(unsigned port, unsigned class_code)
{
    return (uint16_t)(class_code << 4 | port);
}

_Static_assert(TOPOLOGY_MAX_PORTS <= 16 && (TOPOLOGY_MAX_CLASSES + 1) << 4 < NO_HOP, "hop_pack");

/* What follows for a head that came by a virtual channel, or was put into a node. */
struct step {
    uint64_t key; /* step_key(); UINT64_MAX: unused */
    uint32_t line;
    uint16_t hop;
};

struct graph {
    uint32_t *far;       /* [nodes * ports] */
    uint32_t *line;      /* [nodes * ports], of the text */
    uint8_t *channels;   /* [nodes * ports], virtual channels */
    uint32_t *enter, *leave; /* [processors], nodes */
    uint8_t *level;      /* [nodes], links from the nearest processor, FATFLY_MAX_STAGES - 1 at most */
    uint16_t *next;      /* [processors][nodes] */
    struct step *step;   /* of the paths, hashed; NULL: there are none */
    uint32_t steps, steps_room;
};

static const enum fatfly_path paths[] = {FATFLY_GREEDY, FATFLY_WALK, FATFLY_PATHS};

/* -- reading ---------------------------------------------------------------------------------- */

struct reader {
    const char *name, *at;
    uint32_t line;
    char *why;
    size_t size;
    uint32_t nodes;
    uint32_t *mark;   /* [nodes], of the path that is read */
    uint8_t *role;    /* [nodes], ENTERS and LEAVES */
    uint32_t room;    /* of enter and leave */
    bool has_next, has_processors;
    const char *keyword; /* of the line */
    char word[40];
};

/* "FILE:LINE: ..", or without a line where no line is to blame. */
static int complain(struct reader *r, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int complain(struct reader *r, uint32_t line, const char *format, ...)
{
    va_list args;
    int n = line ? snprintf(r->why, r->size, "%s:%u: ", r->name, line)
                 : snprintf(r->why, r->size, "%s: ", r->name);
    va_start(args, format);
    if (n >= 0 && (size_t)n < r->size)
        vsnprintf(r->why + n, r->size - (size_t)n, format, args);
    va_end(args);
    return -1;
}

static int no_memory(struct reader *r)
{
    return complain(r, 0, "no memory for so large a graph");
}

static bool next_line(struct reader *r)
{
    while (*r->at && *r->at != '\n')
        r->at++;
    if (!*r->at || !r->at[1])
        return false;
    r->at++;
    r->line++;
    return true;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of the line in r->word, cut if it is long; false if there is none. */
static bool next_word(struct reader *r)
{
    size_t n = 0;
    while (is_space(*r->at))
        r->at++;
    for (; *r->at && *r->at != '\n' && *r->at != '#' && !is_space(*r->at); r->at++)
        if (n + 1 < sizeof r->word)
            r->word[n++] = *r->at;
    r->word[n] = '\0';
    return n > 0;
}

static bool whole(const char *word, uint32_t *x)
{
    size_t n = strlen(word);
    if (n == 0 || n > 9 || strspn(word, "0123456789") != n)
        return false;
    *x = (uint32_t)strtoul(word, NULL, 10);
    return true;
}

/* A number of the line: what it is, and that at least low and below high are allowed. */
static int number(struct reader *r, const char *what, uint32_t low, uint32_t high, uint32_t *x)
{
    if (!next_word(r))
        return complain(r, r->line, "%s: no %s; allowed: %u to %u", r->keyword, what, low, high - 1);
    if (!whole(r->word, x) || *x < low || *x >= high)
        return complain(r, r->line, "%s: %s %s; allowed: %u to %u", r->keyword, what, r->word, low,
                        high - 1);
    return 0;
}

static int line_ends(struct reader *r, const char *form)
{
    if (next_word(r))
        return complain(r, r->line, "'%s' at the end of the line; allowed: %s", r->word, form);
    return 0;
}

/* -- nodes, processors, links ----------------------------------------------------------------- */

static int read_nodes(struct reader *r, struct topology *t)
{
    struct graph *g = t->data;
    if (r->nodes)
        return complain(r, r->line, "nodes again; allowed: once");
    if (number(r, "count", 2, MOST_NODES + 1, &r->nodes) || line_ends(r, "nodes N"))
        return -1;
    size_t links = (size_t)r->nodes * TOPOLOGY_MAX_PORTS;
    g->far = malloc(links * sizeof *g->far);
    g->line = malloc(links * sizeof *g->line);
    g->channels = calloc(links, 1);
    g->level = malloc(r->nodes);
    r->mark = calloc(r->nodes, sizeof *r->mark);
    r->role = calloc(r->nodes, 1);
    if (!g->far || !g->line || !g->channels || !g->level || !r->mark || !r->role)
        return no_memory(r);
    memset(g->far, 0xff, links * sizeof *g->far); /* TOPOLOGY_NONE */
    t->nodes = r->nodes;
    t->ports = TOPOLOGY_MAX_PORTS; /* while links are read */
    t->classes = 1;
    return 0;
}

/* Port of node a that leads to b; TOPOLOGY_NONE. */
static uint32_t port_to(const struct topology *t, uint32_t a, uint32_t b)
{
    const struct graph *g = t->data;
    for (uint32_t p = 0; p < t->ports; p++)
        if (g->far[a * t->ports + p] == b)
            return p;
    return TOPOLOGY_NONE;
}

static int read_link(struct reader *r, struct topology *t)
{
    struct graph *g = t->data;
    uint32_t a, b, channels = 1;

    if (number(r, "from node", 0, r->nodes, &a) || number(r, "to node", 0, r->nodes, &b))
        return -1;
    const char *rest = r->at;
    if (next_word(r)) {
        r->at = rest;
        if (number(r, "virtual channels", 1, TOPOLOGY_MAX_CLASSES + 1, &channels) ||
            line_ends(r, "link FROM TO [CHANNELS]"))
            return -1;
    }
    if (a == b)
        return complain(r, r->line, "link %u %u; allowed: between two nodes", a, b);
    uint32_t port = port_to(t, a, b);
    if (port != TOPOLOGY_NONE)
        return complain(r, r->line, "link %u %u again, it is in line %u; allowed: once (channels "
                        "and link bandwidth make it wider)", a, b, g->line[a * t->ports + port]);
    port = port_to(t, a, TOPOLOGY_NONE);
    if (port == TOPOLOGY_NONE)
        return complain(r, r->line, "link %u %u: too many links leave node %u; allowed: %d", a, b,
                        a, TOPOLOGY_MAX_PORTS);
    g->far[a * t->ports + port] = b;
    g->line[a * t->ports + port] = r->line;
    g->channels[a * t->ports + port] = (uint8_t)channels;
    t->classes = channels > t->classes ? channels : t->classes;
    return 0;
}

static int add_processor(struct reader *r, struct topology *t, uint32_t in, uint32_t out)
{
    struct graph *g = t->data;
    if (t->processors == r->room) {
        uint32_t room = GROWN(r->room, 64);
        if (!grow_to(&g->enter, sizeof *g->enter, room) || !grow_to(&g->leave, sizeof *g->leave, room))
            return no_memory(r);
        r->room = room;
    }
    r->role[in] |= ENTERS;
    r->role[out] |= LEAVES;
    g->enter[t->processors] = in;
    g->leave[t->processors++] = out;
    return 0;
}

/* Worms for a processor's own node never enter the network, so either all enter and leave it in one
 * node or all in two; and no worm may begin where it ends. */
static int read_processor(struct reader *r, struct topology *t)
{
    const struct graph *g = t->data;
    uint32_t in, out;

    r->has_processors = true;
    if (number(r, "node", 0, r->nodes, &in))
        return -1;
    out = in;
    const char *rest = r->at;
    if (next_word(r)) {
        r->at = rest;
        if (number(r, "node to leave by", 0, r->nodes, &out) ||
            line_ends(r, "processor NODE [NODE-TO-LEAVE-BY]"))
            return -1;
    }
    if (r->role[in] || r->role[out])
        return complain(r, r->line, "node %u has a processor already; allowed: one",
                        r->role[in] ? in : out);
    if (t->processors && (in == out) != (g->enter[0] == g->leave[0]))
        return complain(r, r->line, "processor %u enters and leaves the network in %s, processor 0 "
                        "does not; allowed: all alike", t->processors,
                        in == out ? "one node" : "two nodes");
    return add_processor(r, t, in, out);
}

/* -- next hops and paths ---------------------------------------------------------------------- */

/* TO or TO.CLASS, to which a link leads from node a. */
static int hop_word(struct reader *r, const struct topology *t, uint32_t a, uint32_t *to,
                    uint16_t *hop)
{
    const struct graph *g = t->data;
    char node[sizeof r->word];
    uint32_t class = 0;
    const char *dot = strchr(r->word, '.');

    snprintf(node, sizeof node, "%.*s", (int)(dot ? dot - r->word : (long)strlen(r->word)), r->word);
    if (!whole(node, to) || (dot && !whole(dot + 1, &class)))
        return complain(r, r->line, "'%s'; allowed: NODE or NODE.CLASS", r->word);
    if (*to >= t->nodes)
        return complain(r, r->line, "node %u; allowed: 0 to %u", *to, t->nodes - 1);
    uint32_t port = port_to(t, a, *to);
    if (port == TOPOLOGY_NONE)
        return complain(r, r->line, "no link leads from %u to %u; allowed: what has a line 'link'", a,
                        *to);
    unsigned channels = g->channels[a * t->ports + port];
    if (class >= channels)
        return complain(r, r->line, "'%s': the link from %u to %u has no class %u; allowed: 0 to %u",
                        r->word, a, *to, class, channels - 1);
    *hop = hop_pack(port, dot ? class + 1 : 0);
    return 0;
}

static int read_next(struct reader *r, struct topology *t)
{
    struct graph *g = t->data;
    uint32_t a, dst, to;
    uint16_t hop;

    r->has_next = true;
    if (g->step)
        return complain(r, r->line, "next hops beside paths; allowed: one of them");
    if (number(r, "node", 0, t->nodes, &a) || number(r, "processor", 0, t->processors, &dst))
        return -1;
    if (!next_word(r))
        return complain(r, r->line, "no next hop; allowed: next NODE PROCESSOR HOP");
    if (hop_word(r, t, a, &to, &hop) || line_ends(r, "next NODE PROCESSOR HOP"))
        return -1;
    uint16_t *entry = &g->next[(size_t)dst * t->nodes + a];
    if (a == g->leave[dst])
        return complain(r, r->line, "next %u %u: node %u is where processor %u is; allowed: other "
                        "nodes", a, dst, a, dst);
    if (*entry != NO_HOP)
        return complain(r, r->line, "next %u %u again; allowed: one hop", a, dst);
    *entry = hop;
    return 0;
}

/* A head in a node, which came by a virtual channel or (channels + node) was put there. */
static uint64_t step_key(uint32_t place, uint32_t dst)
{
    return (uint64_t)place << 20 | dst;
}

static struct step *find_step(const struct graph *g, uint64_t key)
{
    uint64_t k = key * UINT64_C(0x9E3779B97F4A7C15) >> 20;
    for (;; k++) {
        struct step *s = &g->step[k & (g->steps_room - 1)];
        if (s->key == key || s->key == UINT64_MAX)
            return s;
    }
}

static bool more_steps(struct graph *g)
{
    struct step *old = g->step;
    uint32_t room = g->steps_room;

    if (old && 2 * g->steps < room)
        return true;
    g->steps_room = room ? 2 * room : 1024;
    g->step = malloc(g->steps_room * sizeof *g->step);
    if (!g->step) {
        g->step = old;
        g->steps_room = room;
        return false;
    }
    for (uint32_t k = 0; k < g->steps_room; k++)
        g->step[k].key = UINT64_MAX;
    for (uint32_t k = 0; k < room; k++)
        if (old[k].key != UINT64_MAX)
            *find_step(g, old[k].key) = old[k];
    free(old);
    return true;
}

static int add_step(struct reader *r, struct topology *t, uint32_t place, uint32_t dst, uint16_t hop)
{
    struct graph *g = t->data;
    if (g->steps > MOST_HOPS)
        return complain(r, r->line, "paths of too many hops; allowed: %d in all", MOST_HOPS);
    if (!more_steps(g))
        return no_memory(r);
    uint64_t key = step_key(place, dst);
    struct step *s = find_step(g, key);
    if (s->key == key && s->hop != hop)
        return complain(r, r->line, "this path to %u parts from that of line %u, with which it shares "
                        "a virtual channel; allowed: paths to one processor stay together, or go by "
                        "other classes", dst, s->line);
    g->steps += s->key != key;
    *s = (struct step){key, r->line, hop};
    return 0;
}

/* All hops of a path; the first place is its first node. */
static int read_hops(struct reader *r, struct topology *t, uint32_t src, uint32_t dst, uint32_t at)
{
    const struct graph *g = t->data;
    uint32_t channels = (uint32_t)topology_channels(t), low = channels + at, high = low, to;
    uint16_t hop;

    r->mark[at] = r->line;
    while (next_word(r)) {
        if (at == g->leave[dst])
            return complain(r, r->line, "the path goes on from %u, where processor %u is; allowed: it "
                            "ends there", at, dst);
        if (hop_word(r, t, at, &to, &hop))
            return -1;
        if (r->mark[to] == r->line)
            return complain(r, r->line, "the path comes to node %u twice; allowed: once", to);
        r->mark[to] = r->line;
        for (uint32_t place = low; place <= high; place++)
            if (add_step(r, t, place, dst, hop))
                return -1;
        unsigned port = hop & 15, code = hop >> 4;
        low = topology_channel(t, at, port, code ? code - 1 : 0);
        high = code ? low : low + g->channels[at * t->ports + port] - 1u;
        at = to;
    }
    if (at != g->leave[dst])
        return complain(r, r->line, "the path from %u ends in %u; allowed: in %u, where processor %u "
                        "is", src, at, g->leave[dst], dst);
    return 0;
}

static int read_path(struct reader *r, struct topology *t)
{
    struct graph *g = t->data;
    uint32_t src, dst, at;

    if (r->has_next)
        return complain(r, r->line, "paths beside next hops; allowed: one of them");
    if (number(r, "processor", 0, t->processors, &src) ||
        number(r, "processor", 0, t->processors, &dst) || number(r, "node", 0, t->nodes, &at))
        return -1;
    if (at != g->enter[src])
        return complain(r, r->line, "the path begins in %u; allowed: in %u, where processor %u is", at,
                        g->enter[src], src);
    if (at == g->leave[dst])
        return complain(r, r->line, "path %u %u; allowed: between two processors", src, dst);
    uint64_t key = step_key((uint32_t)topology_channels(t) + at, dst);
    const struct step *s = g->step ? find_step(g, key) : NULL;
    if (s && s->key == key)
        return complain(r, r->line, "path %u %u again, it is in line %u; allowed: once", src, dst,
                        s->line);
    return read_hops(r, t, src, dst, at);
}

/* -- all lines -------------------------------------------------------------------------------- */

typedef int line_reader(struct reader *, struct topology *);

static const struct keyword {
    const char *name;
    line_reader *read;
    bool routes; /* read when all links are known */
} keywords[] = {
    {"nodes", read_nodes, false}, {"processor", read_processor, false}, {"link", read_link, false},
    {"next", read_next, true},    {"path", read_path, true},
};

static int read_line(struct reader *r, struct topology *t, bool routes)
{
    const struct keyword *found = NULL;
    if (!next_word(r))
        return 0;
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
        if (strcmp(r->word, keywords[k].name) == 0)
            found = &keywords[k];
    if (!found)
        return complain(r, r->line, "'%s'; allowed: nodes, processor, link, next, path", r->word);
    r->keyword = found->name;
    if (!r->nodes && found->read != read_nodes)
        return complain(r, r->line, "'%s' comes first; allowed: nodes N before all else", r->word);
    return found->routes == routes ? found->read(r, t) : 0;
}

static int read_lines(struct reader *r, struct topology *t, const char *text, bool routes)
{
    r->at = text;
    r->line = 1;
    do
        if (read_line(r, t, routes))
            return -1;
    while (next_line(r));
    return 0;
}

/* As many ports as the node with most links needs. */
static void pack_ports(struct topology *t)
{
    struct graph *g = t->data;
    uint32_t most = 1, ports = t->ports;

    for (uint32_t link = 0; link < t->nodes * ports; link++)
        if (g->far[link] != TOPOLOGY_NONE && link % ports >= most)
            most = link % ports + 1;
    for (uint32_t a = 0; a < t->nodes; a++)
        for (uint32_t p = 0; p < most; p++) {
            g->far[a * most + p] = g->far[a * ports + p];
            g->line[a * most + p] = g->line[a * ports + p];
            g->channels[a * most + p] = g->channels[a * ports + p];
        }
    t->ports = most;
}

static int network_complete(struct reader *r, struct topology *t)
{
    struct graph *g = t->data;
    uint32_t links = 0;

    if (!r->nodes)
        return complain(r, r->line, "nothing; allowed: nodes N, then processor, link, next, path");
    for (uint32_t a = 0; a < r->nodes && !r->has_processors; a++)
        if (add_processor(r, t, a, a))
            return -1;
    pack_ports(t);
    for (uint32_t k = 0; k < t->nodes * t->ports; k++)
        links += g->far[k] != TOPOLOGY_NONE;
    if (!links)
        return complain(r, r->line, "no link; allowed: at least one");
    if (t->processors < 2)
        return complain(r, r->line, "%u processor; allowed: at least 2", t->processors);
    if ((uint64_t)t->nodes * t->processors > MOST_ENTRIES)
        return complain(r, r->line, "%u nodes and %u processors; allowed: up to %d nodes times "
                        "processors", t->nodes, t->processors, MOST_ENTRIES);
    size_t entries = (size_t)t->nodes * t->processors;
    g->next = malloc(entries * sizeof *g->next);
    if (!g->next)
        return no_memory(r);
    memset(g->next, 0xff, entries * sizeof *g->next); /* NO_HOP */
    return 0;
}

/* -- shortest paths --------------------------------------------------------------------------- */

/* Links from a node to processor dst, found backwards; and those that lead to each node. */
struct search {
    uint32_t *first; /* [nodes + 1], place in from[] and by[] */
    uint32_t *from;  /* nodes with a link to a node */
    uint16_t *by;    /* ... the hop from there */
    uint32_t *distance, *list; /* [nodes] */
};

static void search_close(struct search *s)
{
    free(s->first);
    free(s->from);
    free(s->by);
    free(s->distance);
    free(s->list);
}

static int search_open(struct search *s, const struct topology *t)
{
    const struct graph *g = t->data;
    uint32_t links = t->nodes * t->ports;

    s->first = calloc((size_t)t->nodes + 2, sizeof *s->first);
    s->from = malloc(links * sizeof *s->from);
    s->by = malloc(links * sizeof *s->by);
    s->distance = malloc(t->nodes * sizeof *s->distance);
    s->list = malloc(t->nodes * sizeof *s->list);
    if (!s->first || !s->from || !s->by || !s->distance || !s->list)
        return -1;
    /* Counted two places up: filling from[] moves each count to the end of its own part. */
    for (uint32_t k = 0; k < links; k++)
        if (g->far[k] != TOPOLOGY_NONE)
            s->first[g->far[k] + 2]++;
    for (uint32_t a = 0; a < t->nodes; a++)
        s->first[a + 2] += s->first[a + 1];
    for (uint32_t k = 0; k < links; k++)
        if (g->far[k] != TOPOLOGY_NONE) {
            uint32_t place = s->first[g->far[k] + 1]++;
            s->from[place] = k / t->ports;
            s->by[place] = hop_pack(k % t->ports, 0);
        }
    return 0;
}

/* Hops towards a node in next[], which are NO_HOP before; of several the lowest port. */
static void hops_to(struct search *s, const struct topology *t, uint32_t to, uint16_t *next)
{
    uint32_t count = 1;
    for (uint32_t a = 0; a < t->nodes; a++)
        s->distance[a] = UINT32_MAX;
    s->distance[to] = 0;
    s->list[0] = to;
    for (uint32_t done = 0; done < count; done++) {
        uint32_t at = s->list[done], distance = s->distance[at] + 1;
        for (uint32_t k = s->first[at]; k < s->first[at + 1]; k++) {
            uint32_t a = s->from[k];
            if (s->distance[a] == UINT32_MAX) {
                s->distance[a] = distance;
                s->list[count++] = a;
                next[a] = s->by[k];
            } else if (s->distance[a] == distance && s->by[k] < next[a]) {
                next[a] = s->by[k];
            }
        }
    }
}

static int shortest_to(struct reader *r, struct search *s, struct topology *t, uint32_t dst)
{
    struct graph *g = t->data;

    hops_to(s, t, g->leave[dst], &g->next[(size_t)dst * t->nodes]);
    for (uint32_t src = 0; src < t->processors; src++)
        if (s->distance[g->enter[src]] == UINT32_MAX)
            return complain(r, 0, "no links lead from processor %u (node %u) to processor %u (node "
                            "%u); allowed: all can reach all", src, g->enter[src], dst,
                            g->leave[dst]);
    return 0;
}

static int shortest_paths(struct reader *r, struct topology *t)
{
    struct search s = {.first = NULL};
    int status = search_open(&s, t) ? no_memory(r) : 0;
    for (uint32_t dst = 0; dst < t->processors && !status; dst++)
        status = shortest_to(r, &s, t, dst);
    search_close(&s);
    return status;
}

/* -- checks of a table of next hops ----------------------------------------------------------- */

/* Every processor's worms for dst get there.  mark: 2 * dst + 1 on the walk from src, + 2 where a walk
 * is known to arrive. */
static int follow(struct reader *r, const struct topology *t, uint32_t src, uint32_t dst)
{
    const struct graph *g = t->data;
    const uint16_t *next = &g->next[(size_t)dst * t->nodes];
    uint32_t a = g->enter[src], hops = 0, walk = 2 * dst + 1, known = walk + 1;

    while (a != g->leave[dst] && r->mark[a] != known) {
        if (next[a] == NO_HOP)
            return complain(r, 0, "node %u has no next hop to processor %u, and worms of processor %u "
                            "come there; allowed: a line 'next %u %u HOP'", a, dst, src, a, dst);
        if (hops++ > t->nodes)
            return complain(r, 0, "next hops from processor %u to processor %u go round through node "
                            "%u; allowed: they arrive", src, dst, a);
        r->mark[a] = walk;
        a = g->far[a * t->ports + (next[a] & 15)];
    }
    for (a = g->enter[src]; a != g->leave[dst] && r->mark[a] != known;
         a = g->far[a * t->ports + (next[a] & 15)])
        r->mark[a] = known;
    return 0;
}

static int table_arrives(struct reader *r, const struct topology *t)
{
    const struct graph *g = t->data;
    bool apart = g->enter[0] != g->leave[0];

    memset(r->mark, 0, t->nodes * sizeof *r->mark);
    for (uint32_t dst = 0; dst < t->processors; dst++)
        for (uint32_t src = 0; src < t->processors; src++)
            if ((src != dst || apart) && follow(r, t, src, dst))
                return -1;
    return 0;
}

/* -- the interface ---------------------------------------------------------------------------- */

/* Links from the nearest processor, by which results group links. */
static int find_levels(struct reader *r, struct topology *t)
{
    struct graph *g = t->data;
    uint32_t *list = malloc(t->nodes * sizeof *list), count = 0;
    const uint8_t unknown = UINT8_MAX;

    if (!list)
        return no_memory(r);
    memset(g->level, unknown, t->nodes);
    for (uint32_t a = 0; a < t->processors; a++) {
        g->level[g->enter[a]] = 0;
        list[count++] = g->enter[a];
    }
    for (uint32_t done = 0; done < count; done++)
        for (unsigned p = 0; p < t->ports; p++) {
            uint32_t a = list[done], b = g->far[a * t->ports + p];
            if (b == TOPOLOGY_NONE || g->level[b] != unknown)
                continue;
            g->level[b] = (uint8_t)(g->level[a] + (g->level[a] < FATFLY_MAX_STAGES - 1));
            list[count++] = b;
        }
    for (uint32_t a = 0; a < t->nodes; a++) /* where no worm ever comes */
        g->level[a] = g->level[a] == unknown ? 0 : g->level[a];
    free(list);
    return 0;
}

static int read_graph(struct reader *r, struct topology *t, const char *text)
{
    if (read_lines(r, t, text, false) || network_complete(r, t) || read_lines(r, t, text, true))
        return -1;
    if (r->has_next ? table_arrives(r, t) : shortest_paths(r, t))
        return -1;
    if (t->params.processors && t->params.processors != t->processors) {
        snprintf(r->why, r->size, "nodes = %u; allowed: %u, the processors of %s",
                 t->params.processors, t->processors, r->name);
        return -1;
    }
    if (t->params.classes && t->params.classes != t->classes) {
        snprintf(r->why, r->size, "vcs = %u; allowed: %u, which %s has", t->params.classes,
                 t->classes, r->name);
        return -1;
    }
    return find_levels(r, t);
}

static void close_graph(struct topology *t)
{
    struct graph *g = t->data;
    if (!g)
        return;
    free(g->far);
    free(g->line);
    free(g->channels);
    free(g->enter);
    free(g->leave);
    free(g->level);
    free(g->next);
    free(g->step);
    free(g);
    t->data = NULL;
}

static uint64_t memory(const struct topology *t)
{
    const struct graph *g = t->data;
    size_t links = (size_t)t->nodes * TOPOLOGY_MAX_PORTS; /* as while they were read */

    return links * (sizeof *g->far + sizeof *g->line + 1) + t->processors * (sizeof *g->enter + sizeof *g->leave) +
           t->nodes + (uint64_t)t->nodes * t->processors * sizeof *g->next + g->steps_room * sizeof *g->step;
}

static int open_graph(struct topology *t, char *why, size_t size)
{
    struct reader r = {.name = t->params.text_name ? t->params.text_name : "graph", .line = 1,
                       .why = why, .size = size};
    if (!t->params.text) {
        snprintf(why, size, "topology = graph; allowed: graph:FILE");
        return -1;
    }
    t->data = calloc(1, sizeof(struct graph));
    int status = t->data ? read_graph(&r, t, t->params.text) : no_memory(&r);
    free(r.mark);
    free(r.role);
    if (status)
        close_graph(t);
    return status;
}

static uint32_t far(const struct topology *t, uint32_t node, unsigned port)
{
    const struct graph *g = t->data;
    return g->far[node * t->ports + port];
}

static uint32_t enter(const struct topology *t, uint32_t a)
{
    const struct graph *g = t->data;
    return g->enter[a];
}

static uint32_t leave(const struct topology *t, uint32_t a)
{
    const struct graph *g = t->data;
    return g->leave[a];
}

static unsigned group(const struct topology *t, uint32_t node, unsigned port)
{
    const struct graph *g = t->data;
    (void)port;
    return 2u * g->level[node];
}

/* What paths say, for those on one; else what the table does. */
static uint16_t hop_at(const struct topology *t, const struct topology_place *at, uint32_t dst)
{
    const struct graph *g = t->data;
    if (g->step) {
        uint32_t place = at->from == TOPOLOGY_NONE
                             ? (uint32_t)topology_channels(t) + at->node
                             : topology_channel(t, at->from, at->port, at->class);
        const struct step *s = find_step(g, step_key(place, dst));
        if (s->key != UINT64_MAX)
            return s->hop;
    }
    return g->next[(size_t)dst * t->nodes + at->node];
}

static unsigned route(const struct topology *t, const struct topology_place *at, uint32_t dst,
                      struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    const struct graph *g = t->data;
    if (at->node == g->leave[dst])
        return 0;
    uint16_t hop = hop_at(t, at, dst);
    if (hop == NO_HOP) /* no worm comes here */
        return 0;
    unsigned port = hop & 15, code = hop >> 4;
    unsigned channels = g->channels[at->node * t->ports + port];
    choice[0] = (struct topology_choice){(uint8_t)port, (uint8_t)(code ? code - 1 : 0),
                                         (uint8_t)(code ? code - 1 : channels - 1)};
    return 1;
}

const struct topology_kind topology_graph = {
    .name = "graph", .paths = paths, .open = open_graph, .close = close_graph, .memory = memory, .far = far,
    .enter = enter, .leave = leave, .group = group, .route = route};
