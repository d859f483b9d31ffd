/* SPDX-License-Identifier: Apache-2.0
 * topology.h - networks behind one interface: which links leave a node, where they lead, and which
 * of them a head may take.
 *
 * Nodes are 0 .. nodes - 1; links 0 .. ports - 1 leave a node.  Worms of processor a begin in node
 * enter(a) and end in node leave(a).  Links have numbers of their own, below t->links.  A link has
 * `classes` virtual channels; a path selection that needs several says which of them a head may take.  A new
 * topology is one file and one line in topology.c.
 */
#ifndef FATFLY_TOPOLOGY_H
#define FATFLY_TOPOLOGY_H

#include "fatfly.h"
#include "fatfly_plugin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    TOPOLOGY_NONE = UINT32_MAX, /* no link leaves by this port */
    TOPOLOGY_MAX_DIMENSIONS = 4,
    TOPOLOGY_MAX_RADIX = 64,
    TOPOLOGY_MAX_PORTS = 16,
    TOPOLOGY_MAX_CLASSES = 129
};

/* What a user says of a network. */
struct topology_params {
    uint32_t processors; /* butterflies: rows; 0: what the rest says */
    const char *text;    /* graph: its description */
    const char *text_name;
    unsigned radix;      /* k, torus and mesh: 2 .. 64 */
    unsigned dimensions; /* n, torus and mesh: 1 .. 4 */
    bool processor_links; /* torus and mesh: processors are at nodes of their own, one to begin and one to end at */
    const char *path;    /* the name of one of kind->paths; NULL: the first */
    unsigned classes;    /* virtual channels of a link; 0: as many as the path selection needs */
};

/* Where a head stands: in a node, come by virtual channel `class` of the link that leaves `from` by
 * `port`; from = TOPOLOGY_NONE: just injected. */
struct topology_place {
    uint32_t node;
    uint32_t from;
    unsigned port;
    unsigned class;
    uint32_t parents; /* butterfly fat-tree, fp: traffic_worm.path */
};

/* A link: the nodes that it leaves and enters, TOPOLOGY_NONE if there is none of this number, and
 * the group in which results count it. */
struct topology_link {
    uint32_t from, to;
    unsigned group;
};

/* A link that a head may take, by any of the virtual channels low .. high. */
struct topology_choice {
    uint8_t port;
    uint8_t low, high;
};

struct topology;

struct topology_kind {
    const char *name;
    const enum fatfly_path *paths; /* FATFLY_PATHS at the end; the first is the default */
    const enum fatfly_path *any;   /* of these, by which a head may take any virtual channel of a link, always; NULL: none */
    bool bounded;             /* queues have 1 .. FATFLY_MAX_DEPTH places, never any number */
    /* Checks params, which have a path of this kind, and fills t->nodes, ports, classes.  0, or -1
     * with one line in why[size]. */
    int (*open)(struct topology *t, char *why, size_t size);
    void (*close)(struct topology *t); /* or NULL */
    uint64_t (*memory)(const struct topology *t); /* bytes at t->data; NULL: few for a processor */
    /* Node to which the link leads that leaves by a port; TOPOLOGY_NONE. */
    uint32_t (*far)(const struct topology *t, uint32_t node, unsigned port);
    /* Number of that link, and the link of a number; NULL: ports * node + port. */
    uint32_t (*number)(const struct topology *t, uint32_t node, unsigned port);
    struct topology_link (*link)(const struct topology *t, uint32_t k);
    /* Nodes where worms of, and for, processor a begin and end; NULL: node a. */
    uint32_t (*enter)(const struct topology *t, uint32_t a);
    uint32_t (*leave)(const struct topology *t, uint32_t a);
    /* Group in which results count a link: 2 * level + 1 if it leads down, below
     * 2 * FATFLY_MAX_STAGES. */
    unsigned (*group)(const struct topology *t, uint32_t node, unsigned port);
    /* Links that a head for processor dst may take next, in the order in which they are tried: the
     * count, 0 where it has arrived.  All lie on shortest paths, unless the kind says otherwise. */
    unsigned (*route)(const struct topology *t, const struct topology_place *at, uint32_t dst,
                      struct topology_choice choice[TOPOLOGY_MAX_PORTS]);
};

struct topology {
    const struct topology_kind *kind;
    struct topology_params params;
    enum fatfly_path path; /* of kind->paths */
    uint32_t nodes;
    uint32_t processors;
    unsigned ports;
    unsigned classes;   /* virtual channels of a link */
    uint32_t links;     /* numbers of links; ports * nodes unless the kind says otherwise */
    unsigned levels;    /* of a butterfly fat-tree; 0: it is none */
    uint32_t chain;     /* longest chain of channels that wait for each other, known to have an order
                           (dependency.h); 0: whoever asks must search */
    bool wraps;         /* torus: a link joins the two ends of a line */
    void *data;         /* the kind's */
    struct topology_plug *plug; /* of a plug-in (plug.h); NULL */
};

extern const struct topology_kind topology_fat_tree;             /* tree.c */
extern const struct topology_kind topology_torus, topology_mesh; /* cube.c */

extern const struct topology_kind *const topology_kinds[];
extern const unsigned topology_kinds_count;

/* 0, or -1 with one line in why[size]: what was read and what is allowed. */
int topology_open(struct topology *t, const char *name, const struct topology_params *p, char *why,
                  size_t size);
void topology_close(struct topology *t);

/* The kind that a configuration names; NULL if there is none. */
const struct topology_kind *topology_kind_of(const struct fatfly_config *c);

/* The topology of a configuration.  0, or -1 with one line that begins with the name of what is
 * wrong. */
int topology_of(const struct fatfly_config *c, struct topology *t, char *why, size_t size);

/* Whether a configuration has a callback of a plug-in. */
#define PLUGGED(config, callback) ((config)->plugin && (config)->plugin->callback)

/* Gives an open topology the routing of config->plugin (plug.c).  -1 if memory is short. */
int plug_route_open(struct topology *t, const struct fatfly_config *c);

static inline uint32_t topology_enter(const struct topology *t, uint32_t a)
{
    return t->kind->enter ? t->kind->enter(t, a) : a;
}

static inline uint32_t topology_leave(const struct topology *t, uint32_t a)
{
    return t->kind->leave ? t->kind->leave(t, a) : a;
}

/* Number of the link that leaves a node by a port: an index of hooks.link_worms[]. */
static inline uint32_t topology_number(const struct topology *t, uint32_t node, unsigned port)
{
    return t->kind->number ? t->kind->number(t, node, port) : node * t->ports + port;
}

struct topology_link topology_link(const struct topology *t, uint32_t k);

/* Whether a worm for its own processor has links to cross; either all do or none. */
static inline bool topology_apart(const struct topology *t)
{
    return topology_enter(t, 0) != topology_leave(t, 0);
}

/* Number of virtual channel `class` of the link that leaves node by port: below
 * topology_channels(). */
static inline uint32_t topology_channel(const struct topology *t, uint32_t node, unsigned port,
                                        unsigned class)
{
    return (node * t->ports + port) * t->classes + class;
}

static inline uint64_t topology_channels(const struct topology *t)
{
    return (uint64_t)t->nodes * t->ports * t->classes;
}

#endif
