/* SPDX-License-Identifier: Apache-2.0
 * config.c - reads a case: libconfig for the syntax, one table for keys, types and ranges, then
 * what the keys say about each other.  docs/formats.md has the keys and the lines that refuse one.
 */
#include "config.h"

#include "cfgtext.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const traffic_names[TRAFFIC_COUNT] = {
    "random",  "complement", "many-to-1", "transpose", "bit-reversal",
    "shuffle", "neighbour",  "hotspot",   "open",      "trace",
};

enum key {
    KEY_NODES, KEY_LEVEL, KEY_LEVELS, KEY_VCS, KEY_DEPTH, KEY_FLIT_W, KEY_PATH, KEY_SCAN,
    KEY_TRAFFIC, KEY_LENGTH, KEY_LENGTH_MIN, KEY_REPEAT, KEY_LOAD, KEY_CYCLES, KEY_SEED, KEY_STALL,
    KEY_TRACE, KEY_CYCLES_PER_US, KEY_MAX_BYTES, KEY_MAX_MESSAGES, KEY_COUNT
};

static const char *const key_names[KEY_COUNT] = {
    "nodes", "level", "levels", "vcs", "depth", "flit_w", "path", "scan",
    "traffic", "length", "length_min", "repeat", "load", "cycles", "seed", "stall",
    "trace", "cycles_per_us", "max_bytes", "max_messages",
};

enum type { TYPE_WHOLE, TYPE_REAL, TYPE_STRING };

static const char *const type_names[] = {"a whole number", "a number", "a string"};

/* Ranges, and how they are shown.  A double is exact enough: only a seed may be above 2^53, and
 * widen() keeps that below 2^60. */
static const struct {
    enum type type;
    double min, max;
    const char *range;
} keys[KEY_COUNT] = {
    [KEY_NODES] = {TYPE_WHOLE, 4, 1048576, "4^n with n = 1 to 10"},
    [KEY_LEVEL] = {TYPE_WHOLE, 1, MAX_LEVELS, "1 to 10"},
    [KEY_LEVELS] = {TYPE_WHOLE, 1, MAX_LEVELS, "1 to 10"},
    [KEY_VCS] = {TYPE_WHOLE, 1, MAX_VCS, "1, 2 or 4"},
    [KEY_DEPTH] = {TYPE_WHOLE, 1, MAX_DEPTH, "1 to 16"},
    [KEY_FLIT_W] = {TYPE_WHOLE, 16, 64, "16 to 64"},
    [KEY_PATH] = {TYPE_STRING, 0, 0, "fp, rp, gp, rg"},
    [KEY_SCAN] = {TYPE_STRING, 0, 0, "rr, fo, ff, rot, fcfs"},
    [KEY_TRAFFIC] = {TYPE_STRING, 0, 0,
                     "random, complement, many-to-1, transpose, bit-reversal, shuffle, neighbour, "
                     "hotspot, open, trace"},
    [KEY_LENGTH] = {TYPE_WHOLE, 1, 4096, "1 to 4096"},
    [KEY_LENGTH_MIN] = {TYPE_WHOLE, 1, 4096, "1 to 4096"},
    [KEY_REPEAT] = {TYPE_WHOLE, 1, 1e6, "1 to 1000000"},
    [KEY_LOAD] = {TYPE_REAL, 1e-6, 1, "0.000001 to 1"},
    [KEY_CYCLES] = {TYPE_WHOLE, 0, 1e9, "0 to 1000000000"},
    [KEY_SEED] = {TYPE_WHOLE, 0, 1152921504606846976.0, "0 to 2^60 - 1"},
    [KEY_STALL] = {TYPE_WHOLE, 0, 90, "0 to 90"},
    [KEY_TRACE] = {TYPE_STRING, 0, 0, "the name of a file"},
    [KEY_CYCLES_PER_US] = {TYPE_REAL, 1e-6, 1e6, "0.000001 to 1000000"},
    [KEY_MAX_BYTES] = {TYPE_WHOLE, 0, 1099511627776.0, "0 to 1099511627776"},
    [KEY_MAX_MESSAGES] = {TYPE_WHOLE, 0, 1e12, "0 to 1000000000000"},
};

/* What the file said, before it is known to make sense. */
struct reading {
    const char *file;
    struct fail *f;
    unsigned line[KEY_COUNT]; /* 0: the key is not there */
    int64_t whole[KEY_COUNT];
    double real[KEY_COUNT];
    const char *text[KEY_COUNT]; /* libconfig's */
};

void config_default(struct config *c)
{
    *c = (struct config){
        .name = "default",
        .shape = {
            .network = true,
            .params = {.vcs = 1, .depth = 2, .flit_w = 32, .path = PATH_RP, .scan = SCAN_RR,
                       .level = 1, .levels = 2},
        },
        .traffic = TRAFFIC_RANDOM,
        .length = 32,
        .length_min = 32,
        .repeat = 1,
        .load = 0.1,
        .seed = 1,
        .cycles_per_us = 1000.0,
    };
}

/* One setting of the file into r: its name, type and range. */
static int take(struct reading *r, const config_setting_t *setting)
{
    const char *name = config_setting_name(setting);
    unsigned line = config_setting_source_line(setting);
    enum key key = KEY_NODES;
    while (key < KEY_COUNT && strcmp(name, key_names[key]) != 0)
        key++;
    if (key == KEY_COUNT) {
        const char *near = nearest(name, key_names, KEY_COUNT);
        if (near)
            return fail_at(r->f, r->file, line, "key '%.40s' is unknown; nearest valid name: %s",
                           name, near);
        return fail_at(r->f, r->file, line,
                       "key '%.40s' is unknown; allowed: nodes, level, levels, vcs, depth, flit_w, "
                       "path, scan, traffic, length, length_min, repeat, load, cycles, seed, "
                       "stall, trace, cycles_per_us, max_bytes, max_messages", name);
    }
    int read = config_setting_type(setting);
    bool whole = read == CONFIG_TYPE_INT || read == CONFIG_TYPE_INT64;
    enum type type = keys[key].type;
    if (type == TYPE_STRING ? read != CONFIG_TYPE_STRING
                            : !whole && (type == TYPE_WHOLE || read != CONFIG_TYPE_FLOAT))
        return fail_at(r->f, r->file, line, "%s is %s; allowed: %s", name, cfgtext_type(read),
                       type_names[type]);
    r->line[key] = line ? line : 1;
    if (type == TYPE_STRING) {
        r->text[key] = config_setting_get_string(setting);
        return 0;
    }
    char shown[32];
    if (whole) {
        r->whole[key] = config_setting_get_int64(setting);
        r->real[key] = (double)r->whole[key];
        snprintf(shown, sizeof shown, "%lld", (long long)r->whole[key]);
    } else {
        r->real[key] = config_setting_get_float(setting);
        snprintf(shown, sizeof shown, "%g", r->real[key]);
    }
    /* nodes and vcs have gaps; config_apply() looks at them. */
    if (key != KEY_NODES && !(r->real[key] >= keys[key].min && r->real[key] <= keys[key].max))
        return fail_at(r->f, r->file, line, "%s = %s; allowed: %s", name, shown, keys[key].range);
    return 0;
}

/* The number of a name in names[count] to *number, if the key is there. */
static int by_name(const struct reading *r, enum key key, const char *const *names, unsigned count,
                   unsigned *number)
{
    const char *text = r->text[key];
    if (!r->line[key])
        return 0;
    for (unsigned i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0) {
            *number = i;
            return 0;
        }
    const char *near = nearest(text, names, count);
    return fail_at(r->f, r->file, r->line[key], "%s = '%.40s'; allowed: %s%s%s", key_names[key],
                   text, keys[key].range, near ? "; nearest: " : "", near ? near : "");
}

static void whole_if_given(const struct reading *r, enum key key, unsigned *value)
{
    if (r->line[key])
        *value = (unsigned)r->whole[key];
}

static int apply_nodes(struct switch_params *p, const struct reading *r)
{
    int64_t nodes = r->whole[KEY_NODES], below = 4;
    unsigned levels = 1;
    while (levels < MAX_LEVELS && below * 4 <= nodes) {
        below *= 4;
        levels++;
    }
    p->levels = levels;
    if (nodes == below)
        return 0;
    if (nodes < below || levels == MAX_LEVELS)
        return fail_at(r->f, r->file, r->line[KEY_NODES],
                       "nodes = %lld; allowed: %s; nearest: %lld", (long long)nodes,
                       keys[KEY_NODES].range, (long long)below);
    return fail_at(r->f, r->file, r->line[KEY_NODES],
                   "nodes = %lld; allowed: %s; nearest: %lld and %lld", (long long)nodes,
                   keys[KEY_NODES].range, (long long)below, (long long)below * 4);
}

static int apply_shape(struct dut_shape *shape, const struct reading *r)
{
    struct switch_params *p = &shape->params;
    unsigned path = p->path, scan = p->scan;
    enum key lone = r->line[KEY_LEVEL] ? KEY_LEVEL : KEY_LEVELS;
    if (r->line[KEY_NODES] && r->line[lone])
        return fail_at(r->f, r->file, r->line[lone],
                       "%s together with nodes; allowed: nodes for a network, or level and levels "
                       "for one switch", key_names[lone]);
    if (!r->line[KEY_NODES] && !r->line[lone])
        return fail_at(r->f, r->file, 1,
                       "neither nodes nor level; allowed: nodes for a network, or level and levels "
                       "for one switch");
    shape->network = r->line[KEY_NODES] != 0;
    if (shape->network) {
        if (apply_nodes(p, r))
            return -1;
    } else if (!r->line[KEY_LEVEL] || !r->line[KEY_LEVELS]) {
        return fail_at(r->f, r->file, r->line[lone], "%s without %s; allowed: both, for one switch",
                       key_names[lone], key_names[lone == KEY_LEVEL ? KEY_LEVELS : KEY_LEVEL]);
    } else if (r->whole[KEY_LEVEL] > r->whole[KEY_LEVELS]) {
        return fail_at(r->f, r->file, r->line[KEY_LEVEL], "level = %lld; allowed: 1 to %lld",
                       (long long)r->whole[KEY_LEVEL], (long long)r->whole[KEY_LEVELS]);
    }
    if (r->line[KEY_VCS] && r->whole[KEY_VCS] == 3)
        return fail_at(r->f, r->file, r->line[KEY_VCS], "vcs = 3; allowed: %s",
                       keys[KEY_VCS].range);
    whole_if_given(r, KEY_LEVEL, &p->level);
    whole_if_given(r, KEY_LEVELS, &p->levels);
    whole_if_given(r, KEY_VCS, &p->vcs);
    whole_if_given(r, KEY_DEPTH, &p->depth);
    whole_if_given(r, KEY_FLIT_W, &p->flit_w);
    if (by_name(r, KEY_PATH, path_names, PATH_COUNT, &path)
        || by_name(r, KEY_SCAN, scan_names, SCAN_COUNT, &scan))
        return -1;
    p->path = (enum path_select)path;
    p->scan = (enum scan_order)scan;
    /* What is left for the switch to refuse is a flit that is too narrow for a head. */
    char why[200];
    unsigned line = r->line[KEY_FLIT_W] ? r->line[KEY_FLIT_W]
                  : r->line[KEY_NODES] ? r->line[KEY_NODES] : r->line[KEY_LEVELS];
    if (switch_params_check(p, why, sizeof why))
        return fail_at(r->f, r->file, line, "%s", why);
    return 0;
}

/* The keys that only one kind of traffic reads are refused elsewhere: whoever wrote one believes
 * that it does something. */
static int refuse_useless(const struct config *c, const struct reading *r)
{
    static const struct {
        enum key key;
        enum traffic_kind first, last;
        const char *allowed;
    } only[] = {
        {KEY_LENGTH_MIN, TRAFFIC_OPEN, TRAFFIC_OPEN, "with traffic = \"open\""},
        {KEY_LOAD, TRAFFIC_OPEN, TRAFFIC_OPEN, "with traffic = \"open\""},
        {KEY_REPEAT, TRAFFIC_RANDOM, TRAFFIC_HOTSPOT, "with a static pattern"},
        {KEY_TRACE, TRAFFIC_TRACE, TRAFFIC_TRACE, "with traffic = \"trace\""},
        {KEY_CYCLES_PER_US, TRAFFIC_TRACE, TRAFFIC_TRACE, "with traffic = \"trace\""},
        {KEY_MAX_BYTES, TRAFFIC_TRACE, TRAFFIC_TRACE, "with traffic = \"trace\""},
        {KEY_MAX_MESSAGES, TRAFFIC_TRACE, TRAFFIC_TRACE, "with traffic = \"trace\""},
    };
    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        if (r->line[only[i].key] && (c->traffic < only[i].first || c->traffic > only[i].last))
            return fail_at(r->f, r->file, r->line[only[i].key],
                           "%s with traffic = \"%s\"; allowed: only %s", key_names[only[i].key],
                           traffic_names[c->traffic], only[i].allowed);
    return 0;
}

static int apply_traffic(struct config *c, const struct reading *r)
{
    /* A single switch sees worms from every side, which no pattern of processors describes. */
    unsigned traffic = c->shape.network ? c->traffic : TRAFFIC_OPEN;
    if (by_name(r, KEY_TRAFFIC, traffic_names, TRAFFIC_COUNT, &traffic))
        return -1;
    c->traffic = (enum traffic_kind)traffic;
    if (!c->shape.network && c->traffic != TRAFFIC_OPEN)
        return fail_at(r->f, r->file, r->line[KEY_TRAFFIC],
                       "traffic = \"%s\" on one switch; allowed: open", traffic_names[traffic]);
    if (refuse_useless(c, r))
        return -1;
    unsigned at = r->line[KEY_TRAFFIC] ? r->line[KEY_TRAFFIC] : r->line[KEY_LEVEL];
    if (c->traffic == TRAFFIC_OPEN && r->whole[KEY_CYCLES] == 0)
        return fail_at(r->f, r->file, r->line[KEY_CYCLES] ? r->line[KEY_CYCLES] : at,
                       "traffic = \"open\" %s; allowed: cycles = 1 to 1000000000",
                       r->line[KEY_CYCLES] ? "with cycles = 0" : "without cycles");
    if (c->traffic == TRAFFIC_TRACE && !r->line[KEY_TRACE])
        return fail_at(r->f, r->file, at,
                       "traffic = \"trace\" without trace; allowed: trace = \"file\"");
    whole_if_given(r, KEY_LENGTH, &c->length);
    /* The bytes of a message travel behind the head. */
    if (c->traffic == TRAFFIC_TRACE && c->length < 2)
        return fail_at(r->f, r->file, r->line[KEY_LENGTH],
                       "length = 1 with traffic = \"trace\"; allowed: 2 to 4096");
    c->length_min = c->length;
    whole_if_given(r, KEY_LENGTH_MIN, &c->length_min);
    if (c->length_min > c->length)
        return fail_at(r->f, r->file, r->line[KEY_LENGTH_MIN],
                       "length_min = %u with length = %u; allowed: 1 to %u", c->length_min,
                       c->length, c->length);
    whole_if_given(r, KEY_REPEAT, &c->repeat);
    whole_if_given(r, KEY_STALL, &c->stall);
    if (r->line[KEY_LOAD])
        c->load = r->real[KEY_LOAD];
    if (r->line[KEY_CYCLES_PER_US])
        c->cycles_per_us = r->real[KEY_CYCLES_PER_US];
    if (r->line[KEY_SEED])
        c->seed = (uint64_t)r->whole[KEY_SEED];
    c->cycles = (uint64_t)r->whole[KEY_CYCLES];
    c->max_bytes = (uint64_t)r->whole[KEY_MAX_BYTES];
    c->max_messages = (size_t)r->whole[KEY_MAX_MESSAGES];
    return 0;
}

/* folder: what a relative trace name starts from, its '/' included; length 0 leaves it alone. */
static int apply_trace(struct config *c, const struct reading *r, const char *folder,
                       size_t length)
{
    const char *trace = r->text[KEY_TRACE];
    if (!r->line[KEY_TRACE])
        return 0;
    if (!*trace)
        return fail_at(r->f, r->file, r->line[KEY_TRACE], "trace = ''; allowed: %s",
                       keys[KEY_TRACE].range);
    if (*trace == '/')
        length = 0;
    if (length + strlen(trace) >= sizeof c->trace)
        return fail_at(r->f, r->file, r->line[KEY_TRACE],
                       "trace has a path of %zu characters; allowed: at most %zu",
                       length + strlen(trace), sizeof c->trace - 1);
    snprintf(c->trace, sizeof c->trace, "%.*s%s", (int)length, folder, trace);
    return 0;
}

/* The case's name is part of file names and of the command that repeats it, so it is kept plain. */
static int apply_name(struct config *c, const struct reading *r)
{
    const char *base = strrchr(r->file, '/');
    base = base ? base + 1 : r->file;
    size_t length = strlen(base);
    if (length > 4 && strcmp(base + length - 4, ".cfg") == 0)
        length -= 4;
    bool plain = length > 0 && length < sizeof c->name && base[0] != '-' && base[0] != '.';
    for (size_t i = 0; plain && i < length; i++)
        plain = isalnum((unsigned char)base[i]) || strchr("._-", base[i]);
    if (!plain)
        return fail_at(r->f, r->file, 0,
                       "'%.70s' as the name of a case; allowed: 1 to %zu letters, digits, '.', '_' "
                       "and '-', the first a letter, a digit or '_'", base, sizeof c->name - 1);
    memcpy(c->name, base, length);
    c->name[length] = '\0';
    return 0;
}

static int take_all(struct reading *r, const config_t *file)
{
    const config_setting_t *root = config_root_setting(file);
    for (int i = 0; i < config_setting_length(root); i++)
        if (take(r, config_setting_get_elem(root, (unsigned)i)))
            return -1;
    return 0;
}

static int parse(struct config *c, const char *name, const char *text, size_t folder,
                 struct fail *f)
{
    struct reading r = {.file = name, .f = f};
    config_t file;
    config_default(c);
    config_init(&file);
    int status = cfgtext_parse(&file, name, text, f) || take_all(&r, &file)
              || apply_name(c, &r) || apply_shape(&c->shape, &r) || apply_traffic(c, &r)
              || apply_trace(c, &r, name, folder);
    config_destroy(&file);
    return status ? -1 : 0;
}

int config_parse(struct config *c, const char *name, const char *text, struct fail *f)
{
    return parse(c, name, text, 0, f);
}

int config_load(struct config *c, const char *file, struct fail *f)
{
    const char *slash = strrchr(file, '/');
    char *text = cfgtext_load(file, f);
    if (!text)
        return -1;
    int status = parse(c, file, text, slash ? (size_t)(slash - file) + 1 : 0, f);
    free(text);
    return status;
}
