/* SPDX-License-Identifier: Apache-2.0
 * player.c - the worms of a case, cycle by cycle.
 */
#include "player.h"

#include "args.h"
#include "cases.h"
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct command *const commands[] = {NULL}; /* the readers of cases ask: this program has none */

enum { DRAIN = 32 }; /* cycles to look on after the last arrival */

struct player {
    struct stimulus s;
    struct driver *d;
    uint64_t cycle, done; /* done: the cycle in which the last worm had arrived, 0: not yet */
    bool was_reset;       /* before this cycle */
};

/* A worm from port `from` to port `to`; `path` chooses among addresses and parents.  False: no worm goes so. */
static bool put(FILE *file, const struct switch_params *p, uint64_t ready, unsigned from, unsigned to, unsigned length,
                unsigned path)
{
    unsigned below = 1u << 2 * (p->level - 1), under = 4 * below, all = 1u << 2 * p->levels;
    unsigned src = from * below + path % below;
    unsigned dst = to * below + (path + 1) % below;

    if (from == to || (from >= SWITCH_CHILDREN && to >= SWITCH_CHILDREN))
        return false;
    if ((from >= SWITCH_CHILDREN || to >= SWITCH_CHILDREN) && p->level == p->levels)
        return false;
    if (from >= SWITCH_CHILDREN)
        src = under + (path + 7 * from) % (all - under);
    if (to >= SWITCH_CHILDREN)
        dst = under + (path + 5 * to) % (all - under);
    fprintf(file, "%llu,%u,%u,%u,%u,%u\n", (unsigned long long)ready, from, src, dst, length,
            to == 5 ? 1u << (p->level - 1) : 0);
    return true;
}

/* From each port to each, alone, worms of four lengths; then all ports to one, and all to their neighbours. */
static int direct(struct stimulus *s, const struct config *c, const char *name, struct fail *f)
{
    static const unsigned lengths[] = {1, 2, 3, 9};
    FILE *file = fopen(name, "w");
    uint64_t ready = 0;

    if (!file)
        return fail(f, EXIT_SYSTEM, "%s: cannot be written", name);
    fprintf(file, "ready,entry,src,dst,length,path\n");
    for (unsigned from = 0; from < SWITCH_PORTS; from++)
        for (unsigned to = 0; to < SWITCH_PORTS; to++)
            for (unsigned k = 0; k < 4; k++)
                if (put(file, &c->shape.params, ready, from, to, lengths[k], from + k))
                    ready += lengths[k] + 6;
    for (unsigned shift = 0; shift <= 2 * SWITCH_PORTS; shift++)
        for (unsigned k = 0; k < 4; k++, ready += 8 * lengths[k % 4] + 10)
            for (unsigned from = 0; from < SWITCH_PORTS; from++)
                put(file, &c->shape.params, ready, from,
                    shift < SWITCH_PORTS ? shift : (from + shift) % SWITCH_PORTS, lengths[k], from + k);
    if (fclose(file))
        return fail(f, EXIT_SYSTEM, "%s: cannot be written", name);
    return stimulus_read(s, c, name, f);
}

/* Random worms as those of the regression, in fewer cycles, and with resets in mid-traffic. */
static int make(struct stimulus *s, const struct dut_shape *shape, const char *what, unsigned cycles, const char *file,
                struct fail *f)
{
    struct config c;
    struct case_list list;
    int bad;

    config_default(&c);
    c.shape = *shape;
    if (strcmp(what, "directed") == 0)
        return direct(s, &c, file, f);
    if (strcmp(what, "random") == 0) {
        c.set.config.load = shape->network ? 0.3 : 0.6;
        c.set.config.length = 9;
        c.set.config.length_min = 1;
        c.set.config.cycles = cycles;
        c.set.stall = 40;
        c.set.reset_every = cycles / 8;
        return stimulus_make(s, &c, f);
    }
    if (cases_read(&list, "sim", f))
        return -1;
    const struct cosim_case *found = cases_find(&list, what, f);
    bad = found ? stimulus_make(s, &found->config, f) : -1;
    if (!bad && memcmp(&found->config.shape, shape, sizeof *shape) != 0)
        bad = fail(f, EXIT_INPUT, "%s is a case of another shape", what);
    cases_free(&list);
    return bad;
}

struct player *player_open(const char *name, const char *what, unsigned cycles, const char *file, char *why,
                           size_t size)
{
    struct player *p = calloc(1, sizeof *p);
    struct dut_shape shape;
    struct fail f = {.text = "no memory"};

    if (!p || dut_shape_parse(name, &shape, f.text, sizeof f.text) || make(&p->s, &shape, what, cycles, file, &f)) {
        snprintf(why, size, "%.200s", f.text);
        free(p);
        return NULL;
    }
    p->d = driver_new(&p->s);
    return p;
}

void player_close(struct player *p)
{
    if (p) {
        driver_free(p->d);
        stimulus_free(&p->s);
    }
    free(p);
}

const struct dut_shape *player_shape(const struct player *p)
{
    return &p->s.shape;
}

bool player_resets(struct player *p, uint32_t *seed)
{
    bool first = !p->cycle;

    if (p->was_reset || !(first || stimulus_resets(&p->s, p->cycle)))
        return false;
    p->was_reset = true;
    *seed = first ? p->s.switch_seed : (uint32_t)rng_hash(p->s.switch_seed + p->cycle);
    if (!first)
        driver_drop(p->d);
    return true;
}

void player_drive(struct player *p, const uint16_t *room, struct link *in, uint16_t *exit)
{
    driver_drive(p->d, p->cycle, room, in);
    stimulus_room(&p->s, p->cycle, dut_endpoints(&p->s.shape), exit);
}

const char *player_consume(struct player *p, const struct link *out, char *why, size_t size)
{
    const char *wrong = driver_consume(p->d, p->cycle, out, why, size);

    if (!p->done && driver_done(p->d))
        p->done = p->cycle;
    p->cycle++;
    p->was_reset = false;
    return wrong;
}

bool player_done(const struct player *p)
{
    return p->done && p->cycle > p->done + DRAIN;
}

uint64_t player_cycles(const struct player *p)
{
    return p->cycle;
}

uint64_t player_flits(const struct player *p)
{
    return driver_totals(p->d)->flits_delivered;
}

uint64_t player_digest(const struct player *p)
{
    return driver_totals(p->d)->digest;
}
