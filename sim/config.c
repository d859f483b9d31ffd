/* SPDX-License-Identifier: Apache-2.0
 * config.c - a case from its settings: what they say together on one switch, and the case's name.
 * docs/formats.md has the keys and the lines that refuse one.
 */
#include "config.h"

#include "fat_tree.h"
#include "rows.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void config_default(struct config *c)
{
    *c = (struct config){
        .name = "default",
        .shape = {
            .network = true,
            .params = {.vcs = 1, .depth = 2, .flit_w = 32, .path = PATH_RP, .scan = SCAN_RR,
                       .level = 1, .levels = 2},
        },
        .pattern = FATFLY_RANDOM,
        .hotspot = 0.25,
        .length = 32,
        .length_min = 32,
        .rounds = 1,
        .seed = 1,
        .cycles_per_us = 1000.0,
    };
}

/* The case's name is part of file names and of the command that repeats it, so it is kept plain. */
static int take_name(struct config *c, const char *file, struct fail *f)
{
    const char *base = strrchr(file, '/');
    base = base ? base + 1 : file;
    size_t length = strlen(base);
    if (length > 4 && strcmp(base + length - 4, ".cfg") == 0)
        length -= 4;
    bool plain = length > 0 && length < sizeof c->name && base[0] != '-' && base[0] != '.';
    for (size_t i = 0; plain && i < length; i++)
        plain = isalnum((unsigned char)base[i]) || strchr("._-", base[i]);
    if (!plain)
        return fail_at(f, file, 0,
                       "'%.70s' as the name of a case; allowed: 1 to %zu letters, digits, '.', '_' "
                       "and '-', the first a letter, a digit or '_'", base, sizeof c->name - 1);
    snprintf(c->name, sizeof c->name, "%.*s", (int)length, base);
    return 0;
}

/* A network by nodes, or one switch by level and levels. */
static int take_shape(struct settings *s, const char *file, struct fail *f)
{
    enum row lone = row_given(s, LEVEL) ? LEVEL : LEVELS;
    bool alone = row_given(s, lone), nodes = row_given(s, NODES);
    if (alone == nodes)
        return fail_at(f, file, alone ? s->line[lone] : 1,
                       "%s%s; allowed: nodes for a network, or level and levels for one switch",
                       alone ? settings_table[lone].name : "neither nodes nor level",
                       alone ? " together with nodes" : "");
    if (nodes)
        return 0;
    if (!row_given(s, LEVEL) || !row_given(s, LEVELS))
        return fail_at(f, file, s->line[lone], "%s without %s; allowed: both, for one switch",
                       settings_table[lone].name,
                       settings_table[lone == LEVEL ? LEVELS : LEVEL].name);
    if (s->level > s->levels)
        return fail_at(f, file, s->line[LEVEL], "level = %u; allowed: 1 to %u", s->level, s->levels);
    s->config.nodes = fat_tree_nodes(s->levels);
    s->given[NODES / 64] |= UINT64_C(1) << NODES % 64;
    s->line[NODES] = s->line[LEVELS];
    return 0;
}

/* Worms come to a single switch from every side, which no pattern of processors describes. */
static int take_traffic(struct settings *s, const char *file, struct fail *f)
{
    bool alone = s->level > 0;
    unsigned at = s->line[row_given(s, LOAD) ? LOAD : row_given(s, PATTERN) ? PATTERN : LEVEL];
    if (alone && (row_given(s, TRACE) || s->config.pattern != FATFLY_RANDOM))
        return fail_at(f, file, s->line[row_given(s, TRACE) ? TRACE : PATTERN],
                       "%s on one switch; allowed: an open loop from every side, load and cycles",
                       row_given(s, TRACE) ? "trace" : fatfly_pattern_names[s->config.pattern]);
    if (alone && s->config.load <= 0)
        s->config.load = 0.1;
    if (s->config.load > 0 && !row_given(s, CYCLES))
        return fail_at(f, file, at,
                       "an open loop without cycles; allowed: cycles = 1 to 1000000000");
    if (!row_given(s, FLIT_BITS))
        s->config.flit_bits = 32;
    return 0;
}

static void fill(struct config *c, const struct settings *s)
{
    const struct fatfly_config *from = &s->config;
    unsigned levels = 1;
    while (fat_tree_nodes(levels) < from->nodes)
        levels++;
    c->shape = (struct dut_shape){
        .network = s->level == 0,
        .params = {.vcs = from->vcs, .depth = from->depth, .flit_w = from->flit_bits,
                   .path = (enum path_select)from->path, .scan = (enum scan_order)from->scan,
                   .level = s->level ? s->level : 1, .levels = levels}};
    c->pattern = from->pattern;
    c->hotspot = from->hotspot;
    c->hotspot_node = from->hotspot_node;
    c->length = from->length;
    c->length_min = from->lengths == FATFLY_FIXED ? from->length : from->length_min;
    c->rounds = from->rounds;
    c->load = from->load;
    c->cycles = row_given(s, CYCLES) ? from->cycles : 0;
    c->seed = from->seed;
    c->stall = s->stall;
    c->reset_every = s->reset_every;
    c->shape.reference = s->verilog == VERILOG_REFERENCE || s->verilog == VERILOG_BARE_REFERENCE;
    c->shape.bare = s->verilog >= VERILOG_BARE;
    memcpy(c->trace, s->trace, sizeof c->trace);
    c->cycles_per_us = s->cycles_per_us;
    c->max_bytes = s->max_bytes;
    c->max_messages = (size_t)s->max_messages;
}

static int finish(struct config *c, struct settings *s, const char *file, int bad, struct fail *f)
{
    bad = bad || take_name(c, file, f) || take_shape(s, file, f) || take_traffic(s, file, f) ||
          settings_agree(s, f);
    if (!bad)
        fill(c, s);
    settings_free(s);
    return bad ? -1 : 0;
}

int config_parse(struct config *c, const char *name, const char *text, struct fail *f)
{
    struct settings s;
    settings_default(&s);
    s.place = IN_CASE;
    return finish(c, &s, name, settings_parse_text(&s, name, text, f), f);
}

int config_load(struct config *c, const char *file, struct fail *f)
{
    struct settings s;
    settings_default(&s);
    s.place = IN_CASE;
    return finish(c, &s, file, settings_load(&s, file, f), f);
}
