/* SPDX-License-Identifier: Apache-2.0
 * sweep_file.c - a sweep file: which settings take which values, and so which points there are.
 */
#include "sweep_file.h"

#include "cfgtext.h"
#include "gg.h"
#include "rows.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct sweep *sweep;
    struct settings scratch;
    struct fail *f;
};

/* -- settings ------------------------------------------------------------------------------- */

static size_t line_of(const config_setting_t *c)
{
    return config_setting_source_line(c);
}

static const char *axis_name(const struct sweep_axis *a)
{
    return a->setting == SWEEP_GROUPS ? "points"
         : a->setting == SWEEP_LOAD_SHARE ? "load_share" : settings_table[a->setting].name;
}

/* Names as they stand in files. */
static void file_name(const char *name, char *text, size_t size)
{
    for (; *name && size > 1; name++, text++, size--)
        *text = *name == '-' ? '_' : *name;
    *text = '\0';
}

static int no_memory(struct reader *r)
{
    return fail(r->f, EXIT_SYSTEM, "no memory to read %s", r->sweep->file);
}

static int no_such_name(struct reader *r, size_t line, const char *name)
{
    enum { MOST = 80, OWN = 4 };
    static const char *const own[OWN] = {"load_share", "name", "title", "points"};
    char text[MOST][48];
    const char *names[MOST + OWN];
    unsigned count = 0;
    for (unsigned k = 1; k < OWN; k++)
        if (strcmp(name, own[k]) == 0)
            return fail_at(r->f, r->sweep->file, line, "%s within points; allowed: settings of a "
                           "point", name);
    for (unsigned k = 0; k < settings_count && count < MOST; k++)
        if (settings_table[k].places & IN_SWEEP) {
            file_name(settings_table[k].name, text[count], sizeof text[count]);
            names[count] = text[count];
            count++;
        }
    for (unsigned k = 0; k < OWN; k++)
        names[count++] = own[k];
    const char *near = nearest(name, names, count);
    return fail_at(r->f, r->sweep->file, line, "'%.40s' is no setting of a point; %s%s", name,
                   near ? "nearest valid name: " : "allowed: those of fatfly run --help",
                   near ? near : "");
}

/* The row of settings_table for a name of the file. */
static int find_setting(struct reader *r, size_t line, const char *name, unsigned *setting)
{
    struct origin o = {r->sweep->file, line};
    int row = settings_find(name);
    if (strcmp(name, "load_share") == 0) {
        *setting = SWEEP_LOAD_SHARE;
        return 0;
    }
    if (row < 0)
        return no_such_name(r, line, name);
    *setting = (unsigned)row;
    return row_find(&r->scratch, name, &o, r->f) < 0 ? -1 : 0;
}

static int share_in_range(const char *value, double *share, struct fail *f)
{
    char *end;
    *share = strtod(value, &end);
    if (end == value || *end || !(*share > 0 && *share <= 2))
        return fail(f, EXIT_USAGE, "load_share = %.40s; allowed: above 0, to 2, of the model's "
                    "saturation load", value);
    return 0;
}

/* The text of a value: what settings_set() takes. */
static int value_text(struct reader *r, const struct sweep_axis *a, const config_setting_t *c,
                      char **value)
{
    char text[64] = "";
    const char *s = text;
    int type = config_setting_type(c);
    if (type == CONFIG_TYPE_STRING)
        s = config_setting_get_string(c);
    else if (type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64)
        snprintf(text, sizeof text, "%lld", (long long)config_setting_get_int64(c));
    else if (type == CONFIG_TYPE_BOOL)
        s = config_setting_get_bool(c) ? "true" : "false";
    else if (type != CONFIG_TYPE_FLOAT)
        return fail_at(r->f, r->sweep->file, line_of(c), "%s within %s; allowed: a number, a "
                       "string, true or false", cfgtext_type(type), axis_name(a));
    for (int digits = 6; type == CONFIG_TYPE_FLOAT && digits <= 17; digits++) {
        double x = config_setting_get_float(c);
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x) /* the shortest that reads back */
            break;
    }
    /* File names start from the sweep file's folder, as in configuration files. */
    const char *slash = strrchr(r->sweep->file, '/');
    int at = a->setting < settings_count ? settings_file(a->setting, s) : -1;
    size_t start = at < 0 ? 0 : (size_t)at;
    size_t folder = at >= 0 && slash && s[at] != '/' ? (size_t)(slash - r->sweep->file) + 1 : 0;
    *value = malloc(folder + strlen(s) + 1);
    if (!*value)
        return no_memory(r);
    memcpy(*value, s, start);
    memcpy(*value + start, r->sweep->file, folder);
    memcpy(*value + start + folder, s + start, strlen(s + start) + 1);
    return 0;
}

/* One more value of a; refused here if the setting does not take it. */
static int add_value(struct reader *r, struct sweep_axis *a, const config_setting_t *c)
{
    const char *file = r->sweep->file;
    struct fail why;
    double share;
    if (value_text(r, a, c, &a->value[a->count]))
        return -1;
    const char *value = a->value[a->count++];
    if (a->setting == SWEEP_LOAD_SHARE)
        return share_in_range(value, &share, &why)
                   ? fail_at(r->f, file, line_of(c), "%s", why.text) : 0;
    return settings_set_at(&r->scratch, file, line_of(c), axis_name(a), value, r->f);
}

static struct sweep_axis *add_axis(struct reader *r, struct sweep_group *g, unsigned setting,
                                   size_t line, size_t values)
{
    struct sweep_axis *more = realloc(g->axis, (g->axes + 1) * sizeof *more);
    if (more)
        g->axis = more;
    char **value = calloc(values ? values : 1, sizeof *value);
    if (!more || !value) {
        free(value);
        no_memory(r);
        return NULL;
    }
    more[g->axes] = (struct sweep_axis){.setting = setting, .line = line, .value = value};
    return &more[g->axes++];
}

static const struct sweep_axis *axis_of(const struct sweep_group *g, unsigned setting)
{
    for (unsigned k = 0; k < g->axes; k++)
        if (g->axis[k].setting == setting)
            return &g->axis[k];
    return NULL;
}

/* A setting in a group and outside, or with a hyphen and without: which counts would be a guess. */
static int refuse_twice(struct reader *r, const struct sweep_group *g, size_t line,
                        unsigned setting)
{
    const struct sweep_axis *first = axis_of(g, setting);
    if (!first)
        return 0;
    return fail_at(r->f, r->sweep->file, line, "%s again, it is in line %zu, too; allowed: once",
                   axis_name(first), first->line);
}

/* name = value, [values] or (values). */
static int read_axis(struct reader *r, struct sweep_group *g, const config_setting_t *c)
{
    unsigned setting = 0;
    int type = config_setting_type(c), n = config_setting_length(c), bad = 0;
    bool several = type == CONFIG_TYPE_ARRAY || type == CONFIG_TYPE_LIST;
    if (find_setting(r, line_of(c), config_setting_name(c), &setting)
        || refuse_twice(r, g, line_of(c), setting))
        return -1;
    struct sweep_axis *a = add_axis(r, g, setting, line_of(c), several ? (size_t)n : 1);
    if (!a)
        return -1;
    if (!several)
        return add_value(r, a, c);
    if (n == 0)
        return fail_at(r->f, r->sweep->file, line_of(c), "%s has no value; allowed: one or more",
                       config_setting_name(c));
    for (int k = 0; k < n && !bad; k++)
        bad = add_value(r, a, config_setting_get_elem(c, (unsigned)k));
    return bad;
}

static int read_group(struct reader *r, struct sweep_group *g, const config_setting_t *c)
{
    int bad = 0;
    if (!config_setting_is_group(c) || config_setting_length(c) == 0)
        return fail_at(r->f, r->sweep->file, line_of(c), "points has %s; allowed: groups, "
                       "{ name = value; }", config_setting_is_group(c) ? "an empty group"
                                                : cfgtext_type(config_setting_type(c)));
    for (int k = 0; k < config_setting_length(c) && !bad; k++)
        bad = read_axis(r, g, config_setting_get_elem(c, (unsigned)k));
    return bad;
}

static int read_groups(struct reader *r, const config_setting_t *c)
{
    struct sweep *s = r->sweep;
    int n = config_setting_length(c), bad = 0;
    if (!config_setting_is_list(c) || n == 0)
        return fail_at(r->f, s->file, line_of(c), "points is %s; allowed: ( {...}, {...} )",
                       n == 0 && config_setting_is_list(c) ? "empty"
                                                : cfgtext_type(config_setting_type(c)));
    s->group = calloc((size_t)n, sizeof *s->group);
    if (!s->group || !add_axis(r, &s->outer, SWEEP_GROUPS, line_of(c), 0))
        return no_memory(r);
    for (int k = 0; k < n && !bad; k++)
        bad = read_group(r, &s->group[s->groups++], config_setting_get_elem(c, (unsigned)k));
    return bad;
}

/* The name is part of a file name. */
static int check_name(struct sweep *s, size_t line, const char *name, struct fail *f)
{
    size_t length = strlen(name);
    bool plain = length > 0 && length < sizeof s->name && name[0] != '-' && name[0] != '.';
    for (size_t i = 0; plain && i < length; i++)
        plain = isalnum((unsigned char)name[i]) || strchr("._-", name[i]);
    if (!plain)
        return fail_at(f, s->file, line, "'%.70s' as the name of a sweep; allowed: 1 to %zu "
                       "letters, digits, '.', '_' and '-', the first a letter, a digit or '_'",
                       name, sizeof s->name - 1);
    memcpy(s->name, name, length + 1);
    return 0;
}

static int read_text(struct reader *r, const config_setting_t *c, bool title)
{
    struct sweep *s = r->sweep;
    const char *value = config_setting_get_string(c);
    if (!value)
        return fail_at(r->f, s->file, line_of(c), "%s is %s; allowed: a string",
                       config_setting_name(c), cfgtext_type(config_setting_type(c)));
    if (!title)
        return check_name(s, line_of(c), value, r->f);
    if (strlen(value) >= sizeof s->title)
        return fail_at(r->f, s->file, line_of(c), "a title of %zu bytes; allowed: at most %zu",
                       strlen(value), sizeof s->title - 1);
    snprintf(s->title, sizeof s->title, "%s", value);
    return 0;
}

static int read_all(struct reader *r, const config_t *c)
{
    const config_setting_t *root = config_root_setting(c);
    int bad = 0;
    for (int k = 0; k < config_setting_length(root) && !bad; k++) {
        const config_setting_t *e = config_setting_get_elem(root, (unsigned)k);
        const char *name = config_setting_name(e);
        bad = !name ? fail(r->f, EXIT_SYSTEM, "no memory to read %s", r->sweep->file)
            : strcmp(name, "points") == 0 ? read_groups(r, e)
            : strcmp(name, "name") == 0 || strcmp(name, "title") == 0
                ? read_text(r, e, *name == 't')
                : read_axis(r, &r->sweep->outer, e);
    }
    return bad;
}

/* -- the product ---------------------------------------------------------------------------- */

static int too_many(const struct sweep *s, double points, struct fail *f)
{
    return fail_at(f, s->file, 0, "%.15g points; allowed: at most %d", points, SWEEP_MAX_POINTS);
}

/* Product of the axes; groups: what SWEEP_GROUPS stands for. */
static int count_group(const struct sweep *s, struct sweep_group *g, uint64_t groups,
                       struct fail *f)
{
    double points = 1; /* exact as long as it is in range */
    for (unsigned k = 0; k < g->axes; k++)
        points *= (double)(g->axis[k].setting == SWEEP_GROUPS ? groups : g->axis[k].count);
    if (points > SWEEP_MAX_POINTS)
        return too_many(s, points, f);
    g->points = (uint64_t)points;
    return 0;
}

static int count_points(struct reader *r)
{
    struct sweep *s = r->sweep;
    uint64_t groups = 0;
    for (unsigned k = 0; k < s->groups; k++) {
        struct sweep_group *g = &s->group[k];
        for (unsigned j = 0; j < g->axes; j++)
            if (refuse_twice(r, &s->outer, g->axis[j].line, g->axis[j].setting))
                return -1;
        if (count_group(s, g, 1, r->f))
            return -1;
        groups += g->points;
    }
    if (count_group(s, &s->outer, groups, r->f))
        return -1;
    s->points = s->outer.points;
    return 0;
}

/* A relative load and an absolute one. */
static int check_shares(struct reader *r)
{
    const struct sweep *s = r->sweep;
    unsigned load = 0;
    while (load < settings_count && strcmp(settings_table[load].name, "load") != 0)
        load++;
    for (unsigned k = 0; k <= s->groups; k++) {
        const struct sweep_group *g = k ? &s->group[k - 1] : &s->outer;
        const struct sweep_axis *share = axis_of(g, SWEEP_LOAD_SHARE);
        if (!share)
            share = axis_of(&s->outer, SWEEP_LOAD_SHARE);
        if (share && (axis_of(g, load) || axis_of(&s->outer, load)))
            return fail_at(r->f, s->file, share->line,
                           "load_share together with load; allowed: one of them");
    }
    return 0;
}

/* Without name = "...": the file's, without folder and .cfg. */
static int name_after_file(struct sweep *s, struct fail *f)
{
    const char *base = strrchr(s->file, '/');
    char own[sizeof s->name + 8];
    snprintf(own, sizeof own, "%s", base ? base + 1 : s->file);
    size_t length = strlen(own);
    if (length > 4 && strcmp(own + length - 4, ".cfg") == 0)
        own[length - 4] = '\0';
    return s->name[0] ? 0 : check_name(s, 0, own, f);
}

static int refuse_empty(const struct sweep *s, struct fail *f)
{
    return s->outer.axes ? 0 : fail_at(f, s->file, 0, "no setting; allowed: one or more, as nodes = "
                                       "[16, 64];");
}

/* libconfig does not say how to do it right. */
static int parse_text(config_t *c, const char *name, const char *text, struct fail *f)
{
    static const char mixed[] = "mismatched element type";
    if (cfgtext_parse(c, name, text, f) == 0)
        return 0;
    if (strstr(f->text, mixed))
        fail_at(f, name, (size_t)config_error_line(c), "values of two kinds in [...]; allowed: "
                "[0.5, 1.0], or a list, (0.5, 1)");
    return -1;
}

int sweep_parse(struct sweep *s, const char *name, const char *text, struct fail *f)
{
    struct reader r = {.sweep = s, .f = f};
    config_t c;
    memset(s, 0, sizeof *s);
    s->file = name;
    settings_default(&r.scratch);
    r.scratch.place = IN_SWEEP;
    config_init(&c);
    int bad = parse_text(&c, name, text, f) || read_all(&r, &c) || refuse_empty(s, f) ||
              name_after_file(s, f)
           || count_points(&r) || check_shares(&r);
    config_destroy(&c);
    settings_free(&r.scratch);
    if (bad)
        sweep_free(s);
    return bad ? -1 : 0;
}

static void free_group(struct sweep_group *g)
{
    for (unsigned k = 0; k < g->axes; k++) {
        for (uint64_t j = 0; j < g->axis[k].count; j++)
            free(g->axis[k].value[j]);
        free(g->axis[k].value);
    }
    free(g->axis);
}

void sweep_free(struct sweep *s)
{
    for (unsigned k = 0; k < s->groups; k++)
        free_group(&s->group[k]);
    free_group(&s->outer);
    free(s->group);
    memset(s, 0, sizeof *s);
}

int sweep_load(struct sweep *s, const char *file, struct fail *f)
{
    char *text = cfgtext_load(file, f);
    memset(s, 0, sizeof *s);
    int bad = text ? sweep_parse(s, file, text, f) : -1;
    free(text);
    return bad;
}

/* -- points --------------------------------------------------------------------------------- */

/* Calls each() for the axes of point k, with the number of the value; true where it does. */
typedef bool axis_call(void *context, const struct sweep_axis *a, uint64_t value);

static bool walk_group(const struct sweep *s, const struct sweep_group *g, uint64_t k,
                       axis_call *each, void *context)
{
    uint64_t below = g->points; /* points for one value of the axes so far */
    for (unsigned i = 0; i < g->axes; i++) {
        const struct sweep_axis *a = &g->axis[i];
        uint64_t count = a->count;
        if (a->setting == SWEEP_GROUPS)
            for (unsigned j = 0; j < s->groups; j++)
                count += s->group[j].points;
        below /= count;
        uint64_t value = k / below % count;
        if (a->setting != SWEEP_GROUPS) {
            if (each(context, a, value))
                return true;
            continue;
        }
        unsigned j = 0;
        for (; value >= s->group[j].points; j++)
            value -= s->group[j].points;
        if (walk_group(s, &s->group[j], value, each, context))
            return true;
    }
    return false;
}

struct setting_call {
    const struct sweep *s;
    struct settings *to;
    const struct sweep_axis *a; /* of load_share */
    const char *share;
    struct fail *f;
};

static bool set_axis(void *context, const struct sweep_axis *a, uint64_t value)
{
    struct setting_call *c = context;
    if (a->setting == SWEEP_LOAD_SHARE) {
        c->a = a;
        c->share = a->value[value]; /* it needs the number of nodes, which may come later */
        return false;
    }
    return settings_set_at(c->to, c->s->file, a->line, settings_table[a->setting].name,
                           a->value[value], c->f) != 0;
}

/* Six digits: what a person would write, and the same whatever the machine's logarithms. */
static int set_share(const struct setting_call *c)
{
    const char *topology = c->to->topology;
    unsigned levels = 0;
    char text[32];
    double share;
    if (*topology && strcmp(topology, "fat-tree") != 0)
        return fail_at(c->f, c->s->file, c->a->line, "load_share with topology = %s; allowed: only "
                       "with fat-tree, whose saturation the model knows; elsewhere load", topology);
    for (uint32_t n = c->to->config.nodes; n > 1; n /= 4)
        levels++;
    if (share_in_range(c->share, &share, c->f))
        return -1;
    if (levels > GG_MAX_LEVELS)
        return fail_at(c->f, c->s->file, c->a->line, "load_share with nodes = %u; allowed: up to 4^%d, where the model ends; "
                       "beyond it load", c->to->config.nodes, GG_MAX_LEVELS);
    double load = share * gg_saturation(levels);
    if (load < 0.000001)
        return fail_at(c->f, c->s->file, c->a->line, "load_share = %s is a load of %.3g; allowed: a load of 0.000001 or more",
                       c->share, load);
    snprintf(text, sizeof text, "%.6g", load);
    return settings_set_at(c->to, c->s->file, c->a->line, "load", text, c->f);
}

int sweep_point(const struct sweep *s, uint64_t k, struct settings *to, struct fail *f)
{
    struct setting_call call = {.s = s, .to = to, .f = f};
    settings_default(to);
    if (walk_group(s, &s->outer, k, set_axis, &call))
        return -1;
    return call.share ? set_share(&call) : 0;
}

struct name_call {
    const struct sweep *s;
    char *text;
    size_t size, used;
};

static bool name_axis(void *context, const struct sweep_axis *a, uint64_t value)
{
    struct name_call *c = context;
    bool outside = a >= c->s->outer.axis && a < c->s->outer.axis + c->s->outer.axes;
    if (a->count < 2 && (outside || c->s->groups < 2))
        return false;
    char name[48];
    file_name(axis_name(a), name, sizeof name);
    int n = snprintf(c->text + c->used, c->size - c->used, "%s%s = %.60s", c->used ? ", " : "",
                     name, a->value[value]);
    c->used += n > 0 ? (size_t)n : 0;
    return c->used >= c->size;
}

void sweep_point_name(const struct sweep *s, uint64_t k, char *text, size_t size)
{
    struct name_call call = {.s = s, .text = text, .size = size};
    *text = '\0';
    walk_group(s, &s->outer, k, name_axis, &call);
}

/* FNV-1a of a file. */
static int sum_file(const char *file, uint64_t *sum, struct fail *f)
{
    FILE *in = fopen(file, "rb");
    unsigned char buffer[4096];
    size_t n;
    if (!in)
        return fail_at(f, file, 0, "%s; allowed: a readable file", strerror(errno));
    *sum = UINT64_C(0xcbf29ce484222325);
    while ((n = fread(buffer, 1, sizeof buffer, in)) > 0)
        for (size_t k = 0; k < n; k++)
            *sum = (*sum ^ buffer[k]) * UINT64_C(0x100000001b3);
    int bad = ferror(in) ? fail_at(f, file, 0, "%s; allowed: a readable file", strerror(errno)) : 0;
    fclose(in);
    return bad;
}

int sweep_key(const struct settings *s, char *text, size_t size, struct fail *f)
{
    char value[512];
    size_t used = 0;
    for (unsigned k = 0; k < settings_count && used < size; k++) {
        if (!(settings_table[k].places & IN_SWEEP))
            continue;
        settings_get(s, k, value, sizeof value);
        int at = settings_table[k].kind == SET_TEXT ? settings_file(k, value) : -1;
        if (at >= 0) {
            uint64_t sum = 0;
            if (sum_file(value + at, &sum, f))
                return -1;
            char *name = value + at, *slash = strrchr(name, '/');
            size_t length = strlen(slash ? slash + 1 : name);
            memmove(name, slash ? slash + 1 : name, length);
            length += (size_t)at;
            snprintf(value + length, sizeof value - length, "#%016" PRIx64, sum);
        }
        for (char *c = value; *c; c++)
            *c = *c == ';' ? ':' : *c; /* the sum tells such names apart */
        size_t before = strlen(settings_table[k].name), length = strlen(value);
        if (before + length + 2 < size - used) {
            file_name(settings_table[k].name, text + used, before + 1);
            text[used + before] = '=';
            memcpy(text + used + before + 1, value, length);
            memcpy(text + used + before + 1 + length, ";", 2);
        }
        used += before + length + 2;
    }
    return used < size ? 0 : fail(f, EXIT_CHECK, "a key of %zu bytes", used);
}
