/* SPDX-License-Identifier: Apache-2.0
 * import.c - `fatfly import booksim FILE`: a configuration of BookSim2 as one of ours, or line by line
 * what of it has no counterpart.
 *
 * Every option of BookSim2 is in one of the tables of import_options.h; docs/from-booksim.md says what differs in
 * meaning.
 */
#include "commands.h"
#include "import_check.h"
#include "import_matrix.h"
#include "import_options.h"
#include "outfile.h"

#include "cfgtext.h"
#include "fatfly.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct options {
    const char *output;
    bool pipeline;
};

static const struct arg args[] = {
    {"output", "FILE", ARG_OUTPUT, offsetof(struct options, output),
     "write the configuration to FILE; default standard output", "options", 0, 0, NULL, 0, NULL, 0},
    {"pipeline", "", ARG_FLAG, offsetof(struct options, pipeline),
     "latencies of links and routers as BookSim2 has them; default a hop takes one cycle", NULL, 0, 0, NULL, 0,
     NULL, 0},
};

static int play(int argc, char *const argv[], struct fail *f);

const struct command import_command = {
    "import", "a configuration of BookSim2 as one of ours", "booksim FILE [OPTION]...",
    "Reads a configuration of BookSim2 and writes one for fatfly run --config, with a comment for each "
    "option whose meaning differs; docs/from-booksim.md has them all.  If a line has no counterpart "
    "nothing is written, and every such line is named.",
    "exit codes: 0 done, 2 usage, 3 a line that is wrong or has no counterpart, 4 missing memory or disk "
    "space", "file", args, sizeof args / sizeof *args, NULL, NULL, .play = play};

enum { MOST_LINES = 300, TEXT = 1000, MOST = 1 << 16 /* characters */ };

/* An option, of the file or, before these, with line 0, BookSim2's default. */
struct entry {
    char name[64], value[TEXT];
    size_t line;
};

struct import {
    const char *file, *output; /* output: NULL */
    bool pipeline;
    double *matrix;        /* of the pattern that is one; NULL */
    char matrix_of[TEXT], matrix_file[600];
    struct entry entry[MOST_LINES];
    unsigned count;
    struct refusal {
        size_t line;
        char text[sizeof((struct fail *)NULL)->text];
    } refusal[MOST_LINES];     /* lines without a counterpart, by line */
    unsigned refused;
    char text[MOST_LINES * 512]; /* the configuration */
    size_t used;
    bool full;             /* there is more of it */
};

#define COUNT(table) (sizeof table / sizeof *table)

/* -- reading ------------------------------------------------------------------------------------ */

static int refuse(struct import *i, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A line that has no counterpart: all are said. */
static int refuse(struct import *i, size_t line, const char *format, ...)
{
    char text[400];
    struct fail f;
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fail_at(&f, i->file, line, "%s", text);
    if (i->refused == MOST_LINES)
        return -1;
    unsigned at = i->refused++;
    for (; at && i->refusal[at - 1].line > line; at--)
        i->refusal[at] = i->refusal[at - 1];
    i->refusal[at].line = line;
    memcpy(i->refusal[at].text, f.text, sizeof f.text);
    return -1;
}

static const struct entry *find(const struct import *i, const char *name)
{
    unsigned k = i->count;
    while (--k > 0 && strcmp(i->entry[k].name, name) != 0) /* the last counts */
        ;
    return &i->entry[k];
}

static const char *skip_blanks(const char *s, size_t *line)
{
    for (;; s++) {
        if (*s == '/' && s[1] == '/')
            s += strcspn(s, "\n");
        if (*s == '\n')
            ++*line;
        if (!isspace((unsigned char)*s))
            return s;
    }
}

/* `name = value;` again and again. */
static int read_entries(struct import *i, const char *s, struct fail *f)
{
    size_t line = 1;
    for (; i->count < COUNT(known); i->count++) {
        snprintf(i->entry[i->count].name, sizeof i->entry->name, "%s", known[i->count].name);
        snprintf(i->entry[i->count].value, sizeof i->entry->value, "%s", known[i->count].value);
    }
    for (s = skip_blanks(s, &line); *s; s = skip_blanks(s, &line)) {
        struct entry *e = &i->entry[i->count];
        size_t length = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        if (!length || length >= sizeof e->name)
            return fail_at(f, i->file, line, "'%.20s'; allowed: name = value;", s);
        if (i->count + 1 == MOST_LINES)
            return fail_at(f, i->file, line, "an option more; allowed: at most %d",
                           MOST_LINES - (int)COUNT(known) - 1);
        snprintf(e->name, sizeof e->name, "%.*s", (int)length, s);
        e->line = line;
        s = skip_blanks(s + length, &line);
        if (*s != '=')
            return fail_at(f, i->file, e->line, "%s without =; allowed: name = value;", e->name);
        s = skip_blanks(s + 1, &line);
        length = strcspn(s, ";\n");
        if (s[length] != ';' || !length || length >= sizeof e->value)
            return fail_at(f, i->file, e->line, "%s without a value that ends in ; allowed: name = value;", e->name);
        snprintf(e->value, sizeof e->value, "%.*s", (int)length, s);
        while (length && isspace((unsigned char)e->value[length - 1]))
            e->value[--length] = '\0';
        s += strcspn(s, ";") + 1;
        i->count++;
    }
    return 0;
}

/* A list of one is that one, as in BookSim2. */
static double number(struct import *i, const char *name, double low, double high)
{
    const struct entry *e = find(i, name);
    char *end, word[TEXT] = "";
    int past = 0;
    bool list = sscanf(e->value, "{ %[0-9.eE+-] }%n", word, &past) == 1 && past && !e->value[past];
    if (!list)
        snprintf(word, sizeof word, "%s", e->value);
    double x = strtod(word, &end);
    if (*word && !*end && strspn(word, "0123456789.eE+-") == strlen(word) && x >= low && x <= high)
        return x;
    refuse(i, e->line, "%s = %.60s; allowed here: a number, %g to %g", name, e->value, low, high);
    return low;
}

static unsigned whole(struct import *i, const char *name, unsigned low, unsigned high)
{
    double x = number(i, name, low, high);
    if ((double)(unsigned)x < x)
        refuse(i, find(i, name)->line, "%s = %.60s; allowed: a whole number", name, find(i, name)->value);
    return (unsigned)x;
}

/* -- writing ------------------------------------------------------------------------------------ */

static void put(struct import *i, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct import *i, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(i->text + i->used, sizeof i->text - i->used, format, list);
    va_end(list);
    if (n > 0 && i->used + (size_t)n < sizeof i->text)
        i->used += (size_t)n;
    else
        i->full = true;
}

/* "# k = 8, line 3", or that it is the default. */
static void put_from(struct import *i, const char *name)
{
    const struct entry *e = find(i, name);
    if (e->line)
        put(i, "  # %s = %s, line %zu\n", name, e->value, e->line);
    else
        put(i, "  # %s = %s, BookSim2's default\n", name, e->value);
}

/* The pipeline of a router; a link of a torus is folded, so twice as long. */
static void latencies(struct import *i, bool torus)
{
    static const char *const stages[] = {"routing_delay", "vc_alloc_delay", "sw_alloc_delay", "st_prepare_delay",
                                         "st_final_delay"};
    bool speculative = whole(i, "speculative", 0, 1);
    unsigned sum[2] = {0, 0}; /* of a head before it asks, and of every flit */

    const char *off = i->pipeline ? "" : "# with --pipeline: ";
    put(i, "%slink_latency = %u;", off, torus && whole(i, "use_noc_latency", 0, 1) ? 2 : 1);
    put_from(i, "use_noc_latency");
    for (size_t k = 0; k < COUNT(stages); k++) {
        unsigned cycles = whole(i, stages[k], 0, 12);
        sum[k > 1] += k == 1 && speculative ? 0 : cycles;
    }
    put(i, "%srouter_latency = %u;  # sw_alloc_delay + st_prepare_delay + st_final_delay\n", off, sum[1]);
    put(i, "%shead_latency = %u;  # routing_delay%s\n", off, sum[0], speculative ? "" : " + vc_alloc_delay");
}

static void topology(struct import *i)
{
    const struct entry *e = find(i, "topology"), *r = find(i, "routing_function");
    bool mesh = strcmp(e->value, "mesh") == 0, torus = strcmp(e->value, "torus") == 0;
    const struct { const char *name, *path; bool mesh, torus; } routes[] = {
        {"dor", "e-cube", true, false}, {"dim_order", "e-cube", true, true},
        {"dim_order_ni", "e-cube", true, false}, {"dim_order_bal", "balanced-e-cube", false, true}};
    const char *path = NULL;

    if (!mesh && !torus)
        refuse(i, e->line, "topology = %.60s has no counterpart; allowed: mesh, torus%s", e->value,
               strcmp(e->value, "anynet") == 0 ? "; a graph file (docs/topologies.md) can say what this says" : "");
    for (size_t k = 0; k < COUNT(routes); k++)
        if (strcmp(r->value, routes[k].name) == 0 && ((mesh && routes[k].mesh) || (torus && routes[k].torus)))
            path = routes[k].path;
    if (!path && (mesh || torus))
        refuse(i, r->line, "routing_function = %.60s with topology = %s has no counterpart; allowed: %s; or a "
               "plug-in with route() (docs/plugins.md)", r->value, e->value,
               mesh ? "dor, dim_order, dim_order_ni" : "dim_order, dim_order_bal");
    put(i, "topology = \"%s\";", mesh ? "mesh" : "torus");
    put_from(i, "topology");
    put(i, "radix = %u;", whole(i, "k", 2, 64));
    put_from(i, "k");
    put(i, "dimensions = %u;", whole(i, "n", 1, 4));
    put_from(i, "n");
    put(i, "processor_links = true;  # channels of injection and ejection\n");
    put(i, "path = \"%s\";", path ? path : "e-cube");
    put_from(i, "routing_function");
    put(i, "vcs = %u;", whole(i, "num_vcs", torus ? 2 : 1, 129));
    put_from(i, "num_vcs");
    put(i, "depth = %u;", whole(i, "vc_buf_size", 1, FATFLY_MAX_DEPTH));
    put_from(i, "vc_buf_size");
    put(i, "bandwidth = \"on-demand\";  # the channels of a link take turns\n");
    put(i, "channel_release = \"%s\";", whole(i, "wait_for_tail_credit", 0, 1) ? "tail-gone" : "tail-sent");
    put_from(i, "wait_for_tail_credit");
    put(i, "channels_in_turn = true;  # allocators take turns\n");
    put(i, "input_bandwidth = %u;", whole(i, "input_speedup", 1, 64));
    put_from(i, "input_speedup");
    latencies(i, torus);
}

/* The pattern of ours of BookSim2's name, with parentheses behind it or not; NULL: none. */
static const char *pattern_of(const char *theirs)
{
    static const char *const names[][2] = {
        {"uniform", "random"}, {"bitcomp", "bit-complement"}, {"transpose", "transpose"},
        {"bitrev", "bit-reversal"}, {"shuffle", "shuffle"}, {"randperm", "random-permutation"}, {"tornado", "tornado"},
        {"neighbor", "digit-neighbour"}, {"diagonal", "diagonal"}, {"asymmetric", "asymmetric"}};
    size_t length = strcspn(theirs, "("), all = strlen(theirs);
    if (theirs[length] && (theirs[all - 1] != ')' || strchr(theirs + length + 1, '(')))
        return NULL;
    for (size_t k = 0; k < COUNT(names); k++)
        if (strncmp(theirs, names[k][0], length) == 0 && !names[k][0][length])
            return names[k][1];
    return NULL;
}

/* {a,b(1,2),c} or a, cut into its parts; how many, 0: none, or more than `most`. */
static unsigned parts_of(const char *s, char part[][TEXT], unsigned most)
{
    unsigned count = 0;
    bool list = *s == '{';
    int deep = 0;
    for (s += list; *s && count < most; count++) {
        size_t used = 0;
        for (s += strspn(s, " \t"); *s && (deep || !list || (*s != ',' && *s != '}')); s++) {
            deep += (*s == '(') - (*s == ')');
            part[count][used++] = *s;
        }
        while (used && isspace((unsigned char)part[count][used - 1]))
            used--;
        part[count][used] = '\0';
        if (!list || *s != ',')
            return !list || strcmp(s, "}") == 0 ? count + 1 : 0;
        s++;
    }
    return 0;
}

/* Of an option that number() takes: a list of one, too. */
static int first_of(const struct import *i, const char *name)
{
    const char *value = find(i, name)->value;
    return atoi(value + strspn(value, "{ "));
}

static uint32_t processors(const struct import *i)
{
    double nodes = 1;
    for (int d = first_of(i, "n"); d-- > 0 && nodes <= FATFLY_MAX_MATRIX;)
        nodes *= first_of(i, "k");
    return nodes >= 1 ? (uint32_t)nodes : 1;
}

/* A pattern that is a matrix, in a file beside the output: "matrix"; NULL, refused. */
static const char *as_matrix(struct import *i, const char *theirs)
{
    char why[300];
    if (i->matrix)
        snprintf(why, sizeof why, "%.60s beside %.60s; allowed: one matrix of all classes", theirs, i->matrix_of);
    if (i->matrix && strcmp(theirs, i->matrix_of) == 0)
        return "matrix";
    if (!i->matrix && !(i->output && outfile_is_regular(i->output)))
        snprintf(why, sizeof why, "%.60s is a matrix here, in a file beside this one; allowed: with --output FILE", theirs);
    else if (!i->matrix && (i->matrix = import_matrix(theirs, processors(i), why, sizeof why)) != NULL) {
        snprintf(i->matrix_of, sizeof i->matrix_of, "%.199s", theirs);
        snprintf(i->matrix_file, sizeof i->matrix_file, "%s.matrix", i->output);
        return "matrix";
    }
    refuse(i, find(i, "traffic")->line, "traffic = %s", why);
    return NULL;
}

/* One pattern, or one for each class, of which the last stands for those that are left. */
static void patterns(struct import *i, unsigned classes)
{
    const struct entry *e = find(i, "traffic");
    char part[FATFLY_MAX_CLASSES][TEXT];
    const char *ours[FATFLY_MAX_CLASSES];
    unsigned count = parts_of(e->value, part, classes);
    bool alike = true, uniform = false;

    if (!count)
        refuse(i, e->line, "traffic = %.60s; allowed here: a pattern, or at most one for each of %u classes", e->value, classes);
    for (unsigned k = 0; k < count; k++) {
        bool matrix = import_matrix_is(part[k]);
        ours[k] = matrix ? as_matrix(i, part[k]) : pattern_of(part[k]);
        if (!ours[k] && matrix)
            return;
        if (!ours[k]) {
            refuse(i, e->line, "traffic = %.60s has no counterpart; allowed: uniform, bitcomp, transpose, bitrev, "
                   "shuffle, randperm, tornado, neighbor, diagonal, asymmetric, hotspot, taper64; or a matrix (--matrix FILE)", part[k]);
            return;
        }
        for (unsigned j = 0; j < k; j++)
            if (strcmp(ours[j], "random-permutation") == 0 && ours[j] == ours[k] && strcmp(part[j], part[k]) != 0) {
                refuse(i, e->line, "traffic = %.60s has no counterpart; allowed: one permutation of all classes", e->value);
                return;
            }
        alike &= ours[k] == ours[0];
        uniform |= strcmp(ours[k], "random") == 0;
    }
    put(i, alike ? "pattern = \"%s" : "class_pattern = \"%s", count ? ours[0] : "");
    for (unsigned k = 1; k < classes && !alike; k++)
        put(i, ",%s", ours[k < count ? k : count - 1]);
    put(i, "\";");
    put_from(i, "traffic");
    if (i->matrix)
        put(i, "matrix = \"%s\";\n", strrchr(i->matrix_file, '/') ? strrchr(i->matrix_file, '/') + 1 : i->matrix_file);
    if (uniform)
        put(i, "self_traffic = true;  # uniform draws the source, too\n");
}

/* Numbers from `low` on of {a,b,c} or a; how many. */
static unsigned numbers_from(const char *s, double low, double *x, unsigned most)
{
    unsigned count = 0;
    s += *s == '{';
    while (*s && *s != '}') {
        char *end;
        double v = strtod(s, &end);
        end += strspn(end, " ");
        if (end == s || count == most || !(v >= low && v <= 1e6) || (*end && *end != ',' && *end != '}'))
            return 0;
        x[count++] = v;
        s = end + (*end == ',');
    }
    return count;
}

/* packet_size = {{1,5}} has two sizes of one class; mean flits of a packet. */
static double sizes(struct import *i)
{
    const struct entry *e = find(i, "packet_size"), *r = find(i, "packet_size_rate");
    double size[FATFLY_MAX_MIX], rate[FATFLY_MAX_MIX] = {1}, flits = 0, sum = 0;
    bool nested = e->value[0] == '{' && e->value[1] == '{';
    unsigned count = numbers_from(e->value + nested, 1e-9, size, nested ? FATFLY_MAX_MIX : 1);
    unsigned rates = numbers_from(r->value + (r->value[0] == '{' && r->value[1] == '{'), 1e-9, rate, FATFLY_MAX_MIX);
    for (unsigned k = 0; k < count; k++)
        count = size[k] >= 1 && size[k] <= FATFLY_MAX_LENGTH && (double)(unsigned)size[k] >= size[k] ? count : 0;
    if (!count) {
        refuse(i, e->line, "packet_size = %.60s; allowed here: 1 to 4096, or {{a,b,..}} with at most 8 sizes of "
               "one class", e->value);
        return 1;
    }
    if (count > 1 && rates != count) {
        refuse(i, r->line ? r->line : e->line, "packet_size_rate = %.60s with %u sizes; allowed: {{a,b,..}}, one above 0 for each",
               r->value, count);
        return 1;
    }
    for (unsigned k = 0; k < count; k++) {
        flits += size[k] * rate[k];
        sum += rate[k];
    }
    if (count == 1) {
        put(i, "length = %u;", (unsigned)size[0]);
    } else {
        put(i, "lengths = \"mix\";\nlength_mix = \"");
        for (unsigned k = 0; k < count; k++)
            put(i, "%s%u:%.10g", k ? "," : "", (unsigned)size[k], rate[k]);
        put(i, "\";");
    }
    put_from(i, "packet_size");
    return flits / sum;
}

/* The periods of on_off(alpha,beta,r1), or of burst_alpha and so on: any two say the third. */
static void bursts(struct import *i, const struct entry *e, double rate)
{
    double x[3] = {number(i, "burst_alpha", -1, 1), number(i, "burst_beta", -1, 1), number(i, "burst_r1", -1, 1)};
    const char *s = strchr(e->value, '(');
    for (unsigned k = 0; s && *s != ')'; k++) {
        const char *from = s + 1 + strspn(s + 1, "{ ");
        char *end;
        double given = strtod(from, &end);
        s = end + strspn(end, "} ");
        if (k == 3 || end == from || (*s != ',' && strcmp(s, ")") != 0)) {
            refuse(i, e->line, "%s = %.60s; allowed: on_off(alpha,beta,r1), up to three numbers", e->name, e->value);
            return;
        }
        x[k] = given;
    }
    if (x[0] >= 0 && x[1] >= 0 && x[2] >= 0)
        refuse(i, e->line, "%s = %.60s with alpha, beta and r1, of which BookSim2 takes two; allowed: -1 for one of them",
               e->name, e->value);
    if (x[0] < 0)
        x[0] = x[1] * rate / (x[2] - rate);
    if (x[1] < 0)
        x[1] = x[0] * (x[2] - rate) / rate;
    if (!(x[0] > 1e-9 && x[0] <= 1 && x[1] > 1e-9 && x[1] <= 1)) {
        refuse(i, e->line, "%s = %.60s: alpha = %g, beta = %g; allowed: above 0, at most 1", e->name, e->value,
               x[0], x[1]);
        return;
    }
    put(i, "arrivals = \"on-off\";");
    put_from(i, "injection_process");
    put(i, "burst_on = %.10g;  # 1 / beta\nburst_off = %.10g;  # 1 / alpha\n", 1 / x[1], 1 / x[0]);
}

/* A list with a number for each class, of which the last stands for those that are left; false: it is none. */
static bool of_classes(struct import *i, const char *name, double low, double high, bool whole_ones, unsigned classes,
                       double x[FATFLY_MAX_CLASSES])
{
    const struct entry *e = find(i, name);
    unsigned count = numbers_from(e->value, low, x, classes);
    for (unsigned k = 0; k < count; k++)
        count = x[k] <= high && (!whole_ones || (double)(unsigned)x[k] >= x[k]) ? count : 0;
    if (!count)
        refuse(i, e->line, "%s = %.60s; allowed here: at most one %snumber for each of %u classes, %g to %g", name,
               e->value, whole_ones ? "whole " : "", classes, low, high);
    for (unsigned k = count; k && k < classes; k++)
        x[k] = x[count - 1];
    return count;
}

static void put_list(struct import *i, const char *name, const double *x, unsigned count)
{
    put(i, "%s = \"", name);
    for (unsigned k = 0; k < count; k++)
        put(i, "%s%.10g", k ? "," : "", x[k]);
    put(i, "\";");
}

static void put_load(struct import *i, double load)
{
    if (load > 1)
        refuse(i, find(i, "injection_rate")->line, "injection_rate = %.60s: %g flits per cycle; allowed: at most 1",
               find(i, "injection_rate")->value, load);
    put(i, "load = %.10g;", load);
    put_from(i, "injection_rate");
}

/* classes = K: sizes, rates and priorities by class. */
static void several(struct import *i, unsigned classes)
{
    double size[FATFLY_MAX_CLASSES], rate[FATFLY_MAX_CLASSES], rank[FATFLY_MAX_CLASSES], load = 0;
    const struct entry *p = find(i, "priority");
    bool flits = number(i, "injection_rate_uses_flits", 0, 1) > 0;

    if (!of_classes(i, "packet_size", 1, FATFLY_MAX_LENGTH, true, classes, size) ||
        !of_classes(i, "injection_rate", 1e-9, 1, false, classes, rate))
        return;
    for (unsigned k = 0; k < classes; k++)
        load += rate[k] *= flits ? 1 : size[k];
    put(i, "classes = %u;", classes);
    put_from(i, "classes");
    put_list(i, "class_length", size, classes);
    put_from(i, "packet_size");
    put_load(i, load);
    put_list(i, "class_share", rate, classes);
    put_from(i, "injection_rate");
    if (strcmp(p->value, "class") == 0 && of_classes(i, "class_priority", 0, 1000, true, classes, rank)) {
        put_list(i, "class_priority", rank, classes);
        put_from(i, "class_priority");
    }
}

/* Channels of requests and of replies: halves, or all of them. */
static void request_channels(struct import *i, bool reads, bool writes)
{
    static const char *const names[] = {"read_request_begin_vc", "read_request_end_vc", "read_reply_begin_vc",
                                        "read_reply_end_vc", "write_request_begin_vc", "write_request_end_vc",
                                        "write_reply_begin_vc", "write_reply_end_vc"};
    unsigned vcs = whole(i, "num_vcs", 1, 129), half = vcs / 2;
    unsigned from[2] = {1000, 1000}, to[2] = {0, 0}; /* of requests, of replies */
    bool apart = false; /* some take a part of theirs alone */
    for (unsigned k = 0; k < COUNT(names); k += 2) {
        if (!(k < 4 ? reads : writes))
            continue;
        unsigned low = whole(i, names[k], 0, 1000), high = whole(i, names[k + 1], 0, 1000), which = k / 2 % 2;
        apart |= k >= 4 && reads && (low != from[which] || high != to[which]);
        from[which] = low < from[which] ? low : from[which];
        to[which] = high > to[which] ? high : to[which];
    }
    bool reserved = vcs % 2 == 0 && from[0] == 0 && to[0] + 1 == half && from[1] == half && to[1] + 1 == vcs;
    bool shared = !apart && from[0] == 0 && from[1] == 0 && to[0] + 1 == vcs && to[1] + 1 == vcs;
    if (!reserved && !shared)
        refuse(i, find(i, "num_vcs")->line, "%s .. %s: requests in channels %u to %u, replies in %u to %u of %u have no "
               "counterpart; allowed: 0 to %u and %u to %u, or all for both", names[reads ? 0 : 4],
               names[writes ? 7 : 3], from[0], to[0], from[1], to[1], vcs, half ? half - 1 : 0, half, vcs - 1);
    put(i, "class_channels = \"%s\";", reserved ? "reserved" : "shared");
    put_from(i, names[reads ? 2 : 6]);
    if (apart)
        put(i, "# reads and writes: here both take all channels of their half\n");
}

/* use_read_write = 1: reads and writes, each with a reply. */
static void transactions(struct import *i)
{
    const double share = number(i, "write_fraction", 0, 1);
    const bool reads = share < 1, writes = share > 0;
    double size[] = {whole(i, "read_request_size", 1, FATFLY_MAX_LENGTH),
                     whole(i, "write_request_size", 1, FATFLY_MAX_LENGTH)};
    double reply[] = {whole(i, "read_reply_size", 1, FATFLY_MAX_LENGTH),
                      whole(i, "write_reply_size", 1, FATFLY_MAX_LENGTH)};
    double flits[] = {(1 - share) * (size[0] + reply[0]), share * (size[1] + reply[1])}, rate[FATFLY_MAX_CLASSES];
    unsigned first = reads ? 0 : 1, count = reads && writes ? 2 : 1;

    if (!of_classes(i, "injection_rate", 1e-9, 1, false, 1, rate))
        return;
    if (number(i, "injection_rate_uses_flits", 0, 1) > 0) { /* BookSim2 takes half writes, whatever write_fraction, in integers */
        unsigned half = (unsigned)(size[0] + reply[0] + size[1] + reply[1]) / 2;
        rate[0] /= half;
    }
    if (count == 2) {
        put(i, "classes = 2;  # reads, writes\n");
        put_list(i, "class_length", size, 2);
        put_from(i, "read_request_size");
        put_list(i, "class_share", flits, 2);
        put_from(i, "write_fraction");
    } else {
        put(i, "length = %.0f;", size[first]);
        put_from(i, first ? "write_request_size" : "read_request_size");
    }
    put_list(i, "reply", reply + first, count);
    put_from(i, first ? "write_reply_size" : "read_reply_size");
    put_load(i, rate[0] * (flits[0] + flits[1]));
    request_channels(i, reads, writes);
}

/* Flits of a worm. */
static double one_class(struct import *i)
{
    double mean = sizes(i), given = number(i, "injection_rate", 1e-9, 1);
    bool flits = number(i, "injection_rate_uses_flits", 0, 1) > 0;
    put_load(i, flits ? given : given * mean);
    return flits ? mean : 1;
}

static void arrivals(struct import *i, unsigned classes)
{
    const struct entry *e = find(i, "injection_process"), *p = find(i, "priority");
    bool replies = whole(i, "use_read_write", 0, 1);
    double flits = 1; /* of a worm, if that is what injection_rate counts */

    if (strcmp(p->value, "none") != 0 && strcmp(p->value, "class") != 0)
        refuse(i, p->line, "priority = %.60s has no counterpart; allowed: none, class; or a plug-in with before() "
               "(docs/plugins.md)", p->value);
    if (replies && classes > 1)
        refuse(i, find(i, "use_read_write")->line, "use_read_write = 1 with classes = %u has no counterpart; allowed: "
               "one of them", classes);
    else if (replies)
        transactions(i);
    else if (classes > 1)
        several(i, classes);
    else
        flits = one_class(i);
    if (strncmp(e->value, "on_off", 6) == 0 && (!e->value[6] || e->value[6] == '(')) {
        if (replies || classes > 1)
            refuse(i, e->line, "injection_process = %.60s with several classes or replies has no counterpart; allowed: "
                   "bernoulli", e->value);
        else
            bursts(i, e, number(i, "injection_rate", 1e-9, 1) / flits);
        return;
    }
    if (strcmp(e->value, "bernoulli") != 0)
        refuse(i, e->line, "injection_process = %.60s has no counterpart; allowed: bernoulli, on_off", e->value);
    put(i, "arrivals = \"geometric\";");
    put_from(i, "injection_process");
}

static void measurement(struct import *i)
{
    const struct entry *type = find(i, "sim_type"), *seed = find(i, "seed");
    unsigned period = whole(i, "sample_period", 1, 1000000000);
    double cycles = (double)period * whole(i, "max_samples", 1, 1000000);
    if (strcmp(type->value, "latency") != 0 && strcmp(type->value, "throughput") != 0)
        refuse(i, type->line, "sim_type = %.60s has no counterpart; allowed: latency, throughput", type->value);
    put(i, "warmup = %.0f;", (double)period * whole(i, "warmup_periods", 0, 1000000));
    put_from(i, "warmup_periods");
    put(i, "cycles = %.0f;", cycles < 64 ? 64 : cycles);
    if (cycles < 64)
        put(i, "  # the least there is; max_samples times sample_period: %.0f\n", cycles);
    else
        put_from(i, "max_samples");
    if (strcmp(type->value, "throughput") == 0)
        put(i, "whole = true;  # sim_type = throughput, line %zu\n", type->line);
    if (strcmp(seed->value, "time") != 0)
        put(i, "seed = %u;", whole(i, "seed", 0, UINT32_MAX));
    put_from(i, "seed");
}

/* -- all options -------------------------------------------------------------------------------- */

static bool is_idle(const char *name)
{
    for (size_t k = 0; k < COUNT(idle); k++)
        if (strcmp(idle[k], name) == 0)
            return true;
    for (size_t k = 0; k < COUNT(known); k++)
        if (strcmp(known[k].name, name) == 0)
            return true;
    return false;
}

static void unknown(struct import *i, const struct entry *e)
{
    const char *names[COUNT(known) + COUNT(only) + COUNT(differs) + COUNT(idle)];
    unsigned n = 0;
    for (size_t k = 0; k < COUNT(known); k++)
        names[n++] = known[k].name;
    for (size_t k = 0; k < COUNT(only); k++)
        names[n++] = only[k].name;
    for (size_t k = 0; k < COUNT(differs); k++)
        names[n++] = differs[k].name;
    for (size_t k = 0; k < COUNT(idle); k++)
        names[n++] = idle[k];
    const char *near = nearest(e->name, names, n);
    refuse(i, e->line, "%s is no option of BookSim2; allowed: those of its booksim_config.cpp%s%s", e->name,
           near ? "; nearest: " : "", near ? near : "");
}

static void look_at(struct import *i, const struct entry *e)
{
    for (size_t k = 0; k < COUNT(only); k++)
        if (strcmp(only[k].name, e->name) == 0) {
            if (strcmp(only[k].value, e->value) != 0)
                refuse(i, e->line, "%s = %.60s has no counterpart: %s; allowed: %s", e->name, e->value, only[k].why,
                       only[k].value);
            return;
        }
    for (size_t k = 0; k < COUNT(differs); k++)
        if (strcmp(differs[k].name, e->name) == 0) {
            put(i, "# %s = %s, line %zu: %s\n", e->name, e->value, e->line, differs[k].why);
            return;
        }
    if (!is_idle(e->name))
        unknown(i, e);
}

static int convert(struct import *i, struct fail *f)
{
    put(i, "# From a configuration of BookSim2 by fatfly import; docs/from-booksim.md says what differs.\n");
    topology(i);
    unsigned classes = whole(i, "classes", 1, FATFLY_MAX_CLASSES);
    patterns(i, classes);
    arrivals(i, classes);
    measurement(i);
    for (unsigned k = 0; k < i->count; k++)
        if (i->entry[k].line)
            look_at(i, &i->entry[k]);
    for (unsigned k = 0; k + 1 < i->refused; k++)
        fprintf(stderr, "fatfly import: %s\n", i->refusal[k].text);
    if (i->full && !i->refused)
        return fail(f, EXIT_INPUT, "%s: what it becomes is longer than %zu characters", i->file, sizeof i->text);
    return i->refused ? fail(f, EXIT_INPUT, "%s", i->refusal[i->refused - 1].text) : 0;
}

/* A name that cannot stand between quotes in a configuration. */
static int check_name(const struct import *i, struct fail *f)
{
    if (i->matrix && i->output && i->output[strcspn(i->output, "\"\\\n\r\t")])
        return fail(f, EXIT_USAGE, "--output %s: the configuration names its matrix after it; allowed: a name without quotes, "
                    "backslashes and line ends", i->output);
    return 0;
}

/* The matrix first: a configuration that is there has its own. */
static int write_files(const struct import *i, struct fail *f)
{
    struct outfile o;
    if (i->matrix && args_same_file(i->matrix_file, i->file))
        return fail(f, EXIT_USAGE, "--output %s: %s, where the matrix goes, is the file that is read; allowed: another file",
                    i->output, i->matrix_file);
    if (i->matrix && import_matrix_write(i->matrix, processors(i), i->matrix_of, i->matrix_file, f))
        return -1;
    if (outfile_open(&o, i->output, f))
        return -1;
    fputs(i->text, o.out);
    return outfile_close(&o, f);
}

static int import(const char *file, const char *output, bool pipeline, struct fail *f)
{
    struct import *i = calloc(1, sizeof *i);
    char *text = i ? cfgtext_load_most(file, MOST, f) : NULL;
    if (!i)
        return fail(f, EXIT_SYSTEM, "no memory to read %s", file);
    i->file = file;
    i->output = output;
    i->pipeline = pipeline;
    bool long_one = text && strlen(text) > MOST;
    if (long_one)
        fail_at(f, file, 0, "more than %d characters; allowed: at most %d", MOST, MOST);
    int bad = !text || long_one || read_entries(i, text, f) || convert(i, f) || check_name(i, f) || import_check(file, i->text, f);
    if (!bad && output)
        bad = write_files(i, f);
    else if (!bad)
        fputs(i->text, stdout);
    free(text);
    free(i->matrix);
    free(i);
    return bad ? -1 : 0;
}

static int play(int argc, char *const argv[], struct fail *f)
{
    static const char *const from[] = {"booksim"};
    struct options o = {NULL, false};
    const char *file;
    unsigned which;
    bool named = argc && argv[0][0] != '-';

    if (named && args_name("from", argv[0], from, 1, &which, f))
        return -1;
    int bad = args_parse(&import_command, argc - named, argv + named, &o, &file, f);
    if (!bad && !named)
        bad = fail(f, EXIT_USAGE, "no format; usage: fatfly import %s", import_command.usage);
    return bad < 0 || (!bad && import(file, o.output, o.pipeline, f)) ? -1 : 0;
}
