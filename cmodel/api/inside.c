/* SPDX-License-Identifier: Apache-2.0
 * inside.c - the state of a session, for reading.
 */
#include "session.h"

#include <stdio.h>

void fatfly_read_shape(const struct fatfly_session *s, struct fatfly_shape *shape)
{
    const struct topology *t = &s->topology;

    *shape = (struct fatfly_shape){
        .topology = t->kind->name, .engine = s->run->engine->name, .nodes = t->nodes,
        .switches = t->levels ? t->nodes - t->processors : t->nodes, .processors = t->processors,
        .links = t->links, .ports = t->ports, .channels = t->classes, .depth = s->config.depth,
        .levels = t->levels, .shows = s->run->engine->view,
        .link_cycles = (uint32_t)s->run->m.step, .hop_cycles = (uint32_t)s->run->m.hop};
}

struct fatfly_ends fatfly_read_ends(const struct fatfly_session *s, uint32_t link)
{
    struct topology_link l = {TOPOLOGY_NONE, TOPOLOGY_NONE, 0};
    if (link < s->topology.links)
        l = topology_link(&s->topology, link);
    return (struct fatfly_ends){l.from, l.to};
}

void fatfly_read_queue(const struct fatfly_session *s, uint32_t link, uint32_t channel,
                       struct fatfly_queue *q)
{
    const struct engine_view *view = s->run->engine->view;

    *q = (struct fatfly_queue){.holder = 0};
    if (view && channel < s->topology.classes && fatfly_read_ends(s, link).to != FATFLY_NOWHERE)
        view->queue(s->run, link, channel, q);
}

uint32_t fatfly_read_worms(const struct fatfly_session *s, struct fatfly_worm_state *w, uint32_t room)
{
    const struct engine_view *view = s->run->engine->view;
    uint32_t count = (uint32_t)(s->run->m.generated - s->run->m.delivered);

    return view && (room < count || view->worms(s->run, w)) ? count : 0;
}

uint32_t fatfly_read_switch(const struct fatfly_session *s, uint32_t node, struct fatfly_register *x,
                            uint32_t room)
{
    const struct engine_view *view = s->run->engine->view;
    uint32_t switches = s->topology.nodes - (s->topology.levels ? s->topology.processors : 0);

    return view && node < switches ? view->registers(s->run, node, x, room) : 0;
}

int fatfly_find_deadlock(struct fatfly_session *s, char *why, size_t size)
{
    struct run *r = s->run;
    char own[1];

    r->why = why ? why : own;
    r->size = why ? size : sizeof own;
    return r->engine->look ? r->engine->look(r, false) : FATFLY_OK;
}
