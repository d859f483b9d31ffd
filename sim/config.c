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
    };
    settings_default(&c->set);
    c->set.config.hotspot = 0.25;
    c->set.config.length_min = c->set.config.length;
    c->set.config.cycles = 0;
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

static void fill(struct config *c)
{
    struct settings *s = &c->set;
    struct fatfly_config *run = &s->config;
    unsigned levels = 1;
    while (fat_tree_nodes(levels) < run->nodes)
        levels++;
    c->shape = (struct dut_shape){
        .network = s->level == 0,
        .reference = s->verilog == VERILOG_REFERENCE || s->verilog == VERILOG_BARE_REFERENCE,
        .bare = s->verilog >= VERILOG_BARE,
        .params = {.vcs = run->vcs, .depth = run->depth, .flit_w = run->flit_bits,
                   .path = (enum path_select)run->path, .scan = (enum scan_order)run->scan,
                   .level = s->level ? s->level : 1, .levels = levels}};
    if (run->lengths == FATFLY_FIXED)
        run->length_min = run->length;
    if (!row_given(s, CYCLES))
        run->cycles = 0;
}

/* From a file, or from memory where there is text. */
static int load(struct config *c, const char *file, const char *text, struct fail *f)
{
    settings_default(&c->set);
    c->set.place = IN_CASE;
    int bad = text ? settings_parse_text(&c->set, file, text, f) : settings_load(&c->set, file, f);
    bad = bad || take_name(c, file, f) || take_shape(&c->set, file, f) || take_traffic(&c->set, file, f) ||
          settings_agree(&c->set, f);
    if (!bad)
        fill(c);
    settings_free(&c->set);
    return bad ? -1 : 0;
}

int config_parse(struct config *c, const char *name, const char *text, struct fail *f)
{
    return load(c, name, text, f);
}

int config_load(struct config *c, const char *file, struct fail *f)
{
    return load(c, file, NULL, f);
}
