/* SPDX-License-Identifier: Apache-2.0
 * plug.c - the routing of a topology replaced by a caller's (fatfly_plugin.h).
 *
 * Every answer is looked at before an engine sees it: a wrong one is no choice, which ends the run.
 */
#include "plug.h"

#include "traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct topology_plug {
    const struct fatfly_plugin *plugin;
    double rate;
    bool cube;
    struct topology_kind kind; /* the network's, with route() below */
    char fault[200];
};

static uint32_t far(const struct fatfly_plug_network *n, uint32_t node, unsigned port)
{
    const struct topology *t = n->own;
    return node < t->nodes && port < t->ports ? t->kind->far(t, node, port) : FATFLY_PLUG_NOWHERE;
}

static uint32_t end(const struct fatfly_plug_network *n, uint32_t processor)
{
    const struct topology *t = n->own;
    return processor < t->processors ? topology_leave(t, processor) : FATFLY_PLUG_NOWHERE;
}

struct fatfly_plug_network plug_network(const struct topology *t)
{
    return (struct fatfly_plug_network){
        .context = t->plug->plugin->context, .nodes = t->nodes, .processors = t->processors,
        .ports = t->ports, .channels = t->classes, .radix = t->plug->cube ? t->params.radix : 0,
        .dimensions = t->plug->cube ? t->params.dimensions : 0, .rate = t->plug->rate, .own = t,
        .far = far, .end = end};
}

static unsigned refuse(const struct topology *t, const struct topology_place *at, uint32_t dst,
                       const char *what)
{
    struct topology_plug *plug = t->plug;
    char from[80] = "at its source";
    if (at->from != TOPOLOGY_NONE)
        snprintf(from, sizeof from, "come from %u by port %u, channel %u", at->from, at->port, at->class);
    if (!plug->fault[0])
        snprintf(plug->fault, sizeof plug->fault, "plugin = %s: route() of a head in node %u (%s) for "
                 "processor %u %s", plug->plugin->name, at->node, from, dst, what);
    return 0;
}

static unsigned route(const struct topology *t, const struct topology_place *at, uint32_t dst,
                      struct topology_choice choice[TOPOLOGY_MAX_PORTS])
{
    struct fatfly_plug_network n = plug_network(t);
    struct fatfly_plug_place place = {at->node, at->from, at->port, at->class};
    struct fatfly_plug_choice got[FATFLY_PLUG_CHOICES];
    char what[100];

    unsigned count = t->plug->plugin->route(&n, &place, dst, got);
    if (!count)
        return refuse(t, at, dst, "returns no output; allowed: 1 to 16");
    if (count > FATFLY_PLUG_CHOICES) {
        snprintf(what, sizeof what, "returns %u outputs; allowed: 1 to 16", count);
        return refuse(t, at, dst, what);
    }
    for (unsigned k = 0; k < count; k++) {
        if (got[k].port >= t->ports || t->kind->far(t, at->node, got[k].port) == TOPOLOGY_NONE) {
            snprintf(what, sizeof what, "asks for port %u; allowed: a port with a link, of 0 to %u",
                     got[k].port, t->ports - 1);
            return refuse(t, at, dst, what);
        }
        if (got[k].low > got[k].high || got[k].high >= t->classes) {
            snprintf(what, sizeof what, "asks for channels %u to %u; allowed: 0 to %u", got[k].low,
                     got[k].high, t->classes - 1);
            return refuse(t, at, dst, what);
        }
        choice[k] = (struct topology_choice){got[k].port, got[k].low, got[k].high};
    }
    return count;
}

int plug_route_open(struct topology *t, const struct fatfly_config *c)
{
    t->plug = calloc(1, sizeof *t->plug);
    if (!t->plug)
        return -1;
    t->plug->plugin = c->plugin;
    t->plug->rate = traffic_rate(c);
    t->plug->cube = t->kind == &topology_torus || t->kind == &topology_mesh;
    t->plug->kind = *t->kind;
    if (c->plugin->route) {
        t->plug->kind.route = route;
        t->kind = &t->plug->kind;
        t->params.path = c->plugin->name;
        t->chain = 0; /* nobody knows */
    }
    return 0;
}

const char *plug_fault(const struct topology *t)
{
    return t->plug && t->plug->fault[0] ? t->plug->fault : NULL;
}

uint64_t plug_hash(const struct fatfly_config *c)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    if (!c->plugin)
        return 0;
    for (const char *s = c->plugin->name; *s; s++)
        hash = (hash ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
    hash ^= (c->plugin->route ? 1 : 0) | (c->plugin->before ? 2 : 0) | (c->plugin->destination ? 4 : 0) |
            (c->plugin->gap ? 8 : 0);
    return hash * UINT64_C(0x100000001b3);
}

const char *plug_check(const struct fatfly_plugin *p, char *why, size_t size)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    size_t length = 0;
    if (p->version == FATFLY_PLUGIN_VERSION && p->name)
        while (length <= 32 && p->name[length] && strchr(letters, p->name[length]))
            length++;
    if (p->version != FATFLY_PLUGIN_VERSION)
        snprintf(why, size, "plugin has version %u; allowed: %u, FATFLY_PLUGIN_VERSION of this fatfly",
                 p->version, FATFLY_PLUGIN_VERSION);
    else if (!length || length > 32 || p->name[length])
        snprintf(why, size, "plugin has no name; allowed: 1 to 32 letters, digits, -, _ and .");
    else if (!p->route && !p->before && !p->destination && !p->gap)
        snprintf(why, size, "plugin = %s has no callback; allowed: one at least of route, before, "
                 "destination and gap", p->name);
    else if (p->channels > TOPOLOGY_MAX_CLASSES)
        snprintf(why, size, "plugin = %s needs %u channels; allowed: 0 to %d", p->name, p->channels,
                 TOPOLOGY_MAX_CLASSES);
    else
        return NULL;
    return why;
}
