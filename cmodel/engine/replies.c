/* SPDX-License-Identifier: Apache-2.0
 * replies.c - requests and replies: when a worm that asks for one has arrived, its destination sends a reply.
 */
#include "replies.h"

#include <stdlib.h>

int replies_open(struct replies *p, const struct fatfly_config *c, const struct traffic *t,
                 struct calendar *requests)
{
    p->made = calloc(c->nodes, sizeof *p->made);
    if (!p->made || calendar_open(&p->coming, NULL, c->nodes))
        return -1;
    p->config = c;
    p->traffic = t;
    p->requests = requests;
    return c->outstanding ? calendar_limit(requests, c->nodes, c->outstanding) : 0;
}

void replies_close(struct replies *p)
{
    if (p->config)
        calendar_close(&p->coming);
    free(p->made);
    p->config = NULL;
    p->made = NULL;
}

void replies_visit(struct replies *p, struct visitor *v)
{
    if (!p->config)
        return;
    calendar_visit(&p->coming, p->config->nodes, v);
    VISIT(v, p->made, p->config->nodes);
}

bool replies_arrived(struct replies *p, const struct traffic_worm *w, uint64_t tail)
{
    if (!p->config)
        return false;
    if (w->of_class >= p->config->classes) { /* a reply */
        calendar_resume(p->requests, w->dst);
        return calendar_more(p->requests, w->dst);
    }
    struct traffic_worm reply = traffic_reply(p->traffic, w, p->made[w->dst]++, tail + 1 + p->config->reply_delay);
    p->short_of_memory |= calendar_add(&p->coming, &reply) != 0;
    return true;
}

uint64_t replies_next(const struct replies *p, const struct calendar *requests)
{
    uint64_t request = calendar_next(requests), reply = p->config ? calendar_next(&p->coming) : UINT64_MAX;
    return reply < request ? reply : request;
}

bool replies_take(struct replies *p, struct calendar *requests, uint64_t cycle, struct traffic_worm *w)
{
    uint64_t request = calendar_next(requests), made = request < cycle ? cycle : request; /* one that was held is of this cycle */
    if (p->config && calendar_next(&p->coming) <= made && calendar_take(&p->coming, cycle, w))
        return true;
    return calendar_take(requests, cycle, w);
}
