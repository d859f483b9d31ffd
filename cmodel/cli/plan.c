/* SPDX-License-Identifier: Apache-2.0
 * plan.c - which points a sweep file has, each once, and which share of them a task has.
 */
#include "plan.h"

#include "point.h"
#include "split.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- points, each once ----------------------------------------------------------------------- */

/* 128 bits: the chance that two of a million keys meet is below 10^-26. */
static void hash_key(const char *key, uint64_t hash[2])
{
    hash[0] = UINT64_C(0xcbf29ce484222325);
    hash[1] = UINT64_C(0x9e3779b97f4a7c15);
    for (; *key; key++) {
        hash[0] = (hash[0] ^ (unsigned char)*key) * UINT64_C(0x100000001b3);
        hash[1] = (hash[1] ^ (unsigned char)*key) * UINT64_C(0xd6e8feb86659fd93);
        hash[1] ^= hash[1] >> 32;
    }
}

/* The slot of a hash, or the empty one where it belongs. */
static uint32_t *find_slot(const struct plan *p, const uint64_t hash[2])
{
    size_t k = hash[1] & (p->slots - 1);
    for (; p->slot[k]; k = (k + 1) & (p->slots - 1)) {
        const struct planned *i = &p->item[p->slot[k] - 1];
        if (i->hash[0] == hash[0] && i->hash[1] == hash[1])
            break;
    }
    return &p->slot[k];
}

static double cost_of(const struct settings *s)
{
    const struct fatfly_config *c = &s->config;
    double flits = c->load > 0 ? (double)(c->warmup + c->cycles) * c->load * c->nodes
                 : c->message_count ? (double)c->message_count * c->length
                 : (double)c->nodes * c->length * c->rounds;
    double links = 1;
    for (uint32_t n = c->nodes; n > 1; n /= 4)
        links += 2;
    return (double)s->runs * (flits * links + 1000);
}

int plan_blame(const struct sweep *sweep, uint64_t k, struct fail *f)
{
    char name[200];
    struct fail why = *f;
    sweep_point_name(sweep, k, name, sizeof name);
    return *name ? fail(f, why.code, "%s (point with %s)", why.text, name) : -1;
}

int plan_point(const struct sweep *sweep, uint64_t k, struct settings *s, char *key, struct fail *f)
{
    if (sweep_point(sweep, k, s, f) == 0 && settings_finish(s, f) == 0
        && sweep_key(s, key, SWEEP_MAX_KEY, f) == 0)
        return 0;
    settings_free(s);
    return plan_blame(sweep, k, f);
}

static void sum_plan(struct plan *p)
{
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t k = 0; k < p->count; k++)
        for (unsigned j = 0; j < 2; j++) {
            sum = (sum ^ p->item[k].hash[j]) * UINT64_C(0xd6e8feb86659fd93);
            sum ^= sum >> 32;
        }
    snprintf(p->sum, sizeof p->sum, "%016" PRIx64, sum);
}

int plan_make(struct plan *p, const struct sweep *sweep, struct fail *f)
{
    struct settings s;
    char key[SWEEP_MAX_KEY];
    memset(p, 0, sizeof *p);
    for (p->slots = 64; p->slots < 2 * sweep->points; p->slots *= 2)
        ;
    p->item = calloc(sweep->points, sizeof *p->item);
    p->slot = calloc(p->slots, sizeof *p->slot);
    if (!p->item || !p->slot)
        return fail(f, EXIT_SYSTEM, "no memory for %" PRIu64 " points", sweep->points);
    for (uint64_t k = 0; k < sweep->points; k++) {
        struct planned *i = &p->item[p->count];
        if (point_interrupted)
            return fail(f, EXIT_SYSTEM, "interrupted; nothing was run");
        if (plan_point(sweep, k, &s, key, f))
            return -1;
        *i = (struct planned){.point = k, .cost = cost_of(&s)};
        settings_free(&s);
        hash_key(key, i->hash);
        uint32_t *slot = find_slot(p, i->hash);
        if (*slot)
            p->twice++;
        else
            *slot = (uint32_t)++p->count;
    }
    p->own = p->count;
    sum_plan(p);
    return 0;
}

void plan_free(struct plan *p)
{
    free(p->item);
    free(p->slot);
}

int64_t plan_find(const struct plan *p, const char *key)
{
    uint64_t hash[2];
    hash_key(key, hash);
    return (int64_t)*find_slot(p, hash) - 1;
}

size_t plan_mark(struct plan *p, const struct results_table *t, int64_t *position)
{
    size_t found = 0;
    for (size_t k = 0; k < t->count; k++) {
        int64_t at = plan_find(p, t->row[k].key);
        if (position)
            position[k] = at;
        if (at < 0)
            continue;
        found += !p->item[at].other && !p->item[at].done;
        p->item[at].done = true;
    }
    return found;
}

/* -- shares ---------------------------------------------------------------------------------- */

int plan_share(struct plan *p, uint32_t task, uint32_t tasks, struct fail *f)
{
    double *cost = calloc(p->count ? p->count : 1, sizeof *cost);
    uint32_t *task_of = calloc(p->count ? p->count : 1, sizeof *task_of);
    int bad = cost && task_of ? 0 : fail(f, EXIT_SYSTEM, "no memory for %" PRIu32 " tasks", tasks);
    for (size_t k = 0; !bad && k < p->count; k++)
        cost[k] = p->item[k].cost;
    bad = bad || split(cost, p->count, tasks, task_of, f);
    p->own = 0;
    for (size_t k = 0; !bad && k < p->count; k++) {
        struct planned *i = &p->item[k];
        i->task = task_of[k];
        i->other = i->task != task;
        p->own += !i->other;
    }
    free(cost);
    free(task_of);
    return bad ? -1 : 0;
}
