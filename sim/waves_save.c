/* SPDX-License-Identifier: Apache-2.0
 * waves_save.c - the save file of GTKWave, and the filters beside it.
 */
#include "outfile.h"
#include "waves_own.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Display flags of GTKWave. */
enum { SHOW_TEXT = 0x22, SHOW_DECIMAL = 0x24, SHOW_BIT = 0x28, SHOW_FILTERED = 0x2022,
       SHOW_FILTERED_DECIMAL = 0x2024, GROUP_BEGIN = 0x800200, GROUP_CLOSED = 0xc00200,
       GROUP_END = 0x1000200 };

/* Filters, files beside the save file; a filter sees the value as it would be shown. */
enum { FILTER_NONE, FILTER_FLIT, FILTER_HOLD, FILTER_CUBE, FILTER_WORM, FILTERS };
static const char *filter_name(unsigned filter)
{
    return outfile_filter[filter - 1];
}

static const char *const filter_text[FILTERS] = {
    NULL,
    "# link_flit and front_flit: a space where there is no flit\n"
    "0 ?black? \n4 ?DarkGreen?body\n5 ?DarkRed?tail\n6 ?DarkBlue?head\n7 ?Purple4?single\n"
    "C ?DarkGreen?body\nD ?DarkRed?tail\nE ?DarkBlue?head\nF ?Purple4?single\n"
    "c ?DarkGreen?body\nd ?DarkRed?tail\ne ?DarkBlue?head\nf ?Purple4?single\n",
    "# hold_q and gnt: the output, one-hot\n"
    "00 -\n01 c0\n02 c1\n04 c2\n08 c3\n10 p0\n20 p1\n",
    "# hold_q and gnt of a cube's router: the output, one-hot\n"
    "00 -\n01 x+\n02 x-\n04 y+\n08 y-\n10 pe\n",
    "# link_worm: 0 is no worm\n0 -\n",
};

struct save {
    FILE *out;
    const struct probe *probe;
    unsigned sides;
    const char *const *side;
};

/* One line, on both sides one below the other.  shown: what the eye reads, after the side. */
static void save_line(const struct save *s, const char *scope, const char *name, unsigned width,
                      unsigned flags, unsigned filter, const char *shown)
{
    for (unsigned k = 0; k < s->sides; k++) {
        bool two = s->sides > 1;
        fprintf(s->out, "@%x\n", flags);
        if (filter)
            fprintf(s->out, "^1 /%s\n", filter_name(filter));
        fprintf(s->out, "+{%s%s%s} fatfly.%s%s%s.%s", shown, two ? " " : "", two ? s->side[k] : "",
                two ? s->side[k] : "", two ? "." : "", scope, name);
        if (width > 1)
            fprintf(s->out, "[%u:0]", width - 1);
        fprintf(s->out, "\n");
    }
}

static void save_group(const struct save *s, bool open, const char *name)
{
    fprintf(s->out, "@%x\n-%s\n", open ? GROUP_BEGIN : GROUP_CLOSED, name);
}

static void save_group_end(const struct save *s, const char *name)
{
    fprintf(s->out, "@%x\n-%s\n", GROUP_END, name);
}

static void save_link(const struct save *s, const char *scope, const char *label)
{
    char shown[40];
    snprintf(shown, sizeof shown, "%s worm", label);
    save_line(s, scope, "track", 0, SHOW_TEXT, FILTER_NONE, shown);
    snprintf(shown, sizeof shown, "%s flit", label);
    save_line(s, scope, "link_flit", 4, SHOW_FILTERED, FILTER_FLIT, shown);
}

static void save_detail(const struct save *s, const char *scope, const char *label, bool exit)
{
    unsigned address = dut_address_bits(&s->probe->shape);
    char shown[40];
    snprintf(shown, sizeof shown, "%s worm number", label);
    save_line(s, scope, "link_worm", 32, SHOW_FILTERED_DECIMAL, FILTER_WORM, shown);
    snprintf(shown, sizeof shown, "%s head from", label);
    save_line(s, scope, "link_src", address, SHOW_DECIMAL, FILTER_NONE, shown);
    snprintf(shown, sizeof shown, "%s head to", label);
    save_line(s, scope, "link_dst", address, SHOW_DECIMAL, FILTER_NONE, shown);
    snprintf(shown, sizeof shown, "%s payload", label);
    save_line(s, scope, "link_payload", s->probe->shape.params.flit_w, SHOW_TEXT, FILTER_NONE,
              shown);
    snprintf(shown, sizeof shown, "%s channel", label);
    save_line(s, scope, "link_valid", waves_channel_bits(s->probe), SHOW_BIT, FILTER_NONE, shown);
    snprintf(shown, sizeof shown, "%s room", label);
    save_line(s, scope, "room", waves_channel_bits(s->probe), SHOW_BIT, FILTER_NONE, shown);
    if (exit)
        return;
    snprintf(shown, sizeof shown, "%s granted", label);
    save_line(s, scope, "gnt", 6, SHOW_FILTERED,
              s->probe->shape.cube.radix ? FILTER_CUBE : FILTER_HOLD, shown);
}

/* A port in two letters. */
static const char *port_label(const struct save *s, unsigned port)
{
    static const char *const label[2][SWITCH_PORTS] = {{"c0", "c1", "c2", "c3", "p0", "p1"},
                                                       {"x+", "x-", "y+", "y-", "pe", "-"}};
    return label[s->probe->shape.cube.radix != 0][port];
}

static void save_port(const struct save *s, const char *place, unsigned port, bool detail)
{
    unsigned vcs = s->probe->shape.params.vcs;
    bool cube = s->probe->shape.cube.radix;
    const char *who = port_label(s, port);
    char scope[48], label[16], shown[40];

    snprintf(scope, sizeof scope, "%s.port%u", place, port);
    snprintf(label, sizeof label, "%s in", who);
    if (detail)
        save_detail(s, scope, label, false);
    else
        save_link(s, scope, label);
    for (unsigned v = 0; v < vcs; v++) {
        char channel[16] = "";
        if (vcs > 1)
            snprintf(channel, sizeof channel, " vc%u", v & 15);
        snprintf(scope, sizeof scope, "%s.port%u.vc%u", place, port, v);
        if (!detail) {
            snprintf(shown, sizeof shown, "%s%s %s", who, channel, cube ? "holds" : "wants");
            save_line(s, scope, "hold_q", cube ? 5 : 6, SHOW_FILTERED, cube ? FILTER_CUBE : FILTER_HOLD, shown);
            continue;
        }
        snprintf(shown, sizeof shown, "%s%s front", who, channel);
        save_line(s, scope, "front_flit", 3, SHOW_FILTERED, FILTER_FLIT, shown);
        snprintf(shown, sizeof shown, "%s%s count", who, channel);
        save_line(s, scope, "count_q", 5, SHOW_DECIMAL, FILTER_NONE, shown);
    }
}

static void save_exit(const struct save *s, unsigned exit, unsigned port, bool detail)
{
    char scope[48], label[16];

    snprintf(scope, sizeof scope, "exit%u", exit);
    snprintf(label, sizeof label, "%s out", port_label(s, port));
    if (detail)
        save_detail(s, scope, label, true);
    else
        save_link(s, scope, label);
}

/* The worm, flit and holds of each link in an open group, all else in a closed one inside it. */
static void save_switch(const struct save *s, unsigned number)
{
    const struct switch_params *p = &s->probe->shape.params;
    bool network = s->probe->shape.network;
    bool cube = s->probe->shape.cube.radix;
    unsigned level, address;
    char place[20], name[32], more[48];

    probe_switch_place(s->probe, number, &level, &address);
    waves_switch_scope(s->probe, number, place, sizeof place);
    unsigned ports = cube ? 5 : level == p->levels ? SWITCH_CHILDREN : SWITCH_PORTS;
    unsigned first = 0, exits = ports; /* ports that lead out of the device */
    if (network && cube)
        first = ports - 1;
    else if (network)
        exits = level == 1 ? SWITCH_CHILDREN : 0;
    unsigned exit = !network ? 0 : cube ? number - first : SWITCH_CHILDREN * address;
    probe_switch_name(s->probe, number, name, sizeof name);
    snprintf(more, sizeof more, "%s: all else", name);
    save_group(s, true, name);
    for (unsigned detail = 0; detail < 2; detail++) {
        if (detail)
            save_group(s, false, more);
        for (unsigned i = 0; i < ports; i++)
            save_port(s, place, i, detail);
        for (unsigned i = first; i < exits; i++)
            save_exit(s, exit + i, i, detail);
    }
    save_group_end(s, more);
    save_group_end(s, name);
}

/* A signal by its own name, as the headline of a mismatch has it, bits as hexadecimal. */
static void save_spot(const struct save *s, const struct waves_spot *spot)
{
    const struct probe_signal *g = spot->signal;
    char scope[64], place[20], name[sizeof g->name], shown[120];

    waves_switch_scope(s->probe, spot->at, place, sizeof place);
    if (g->port == PROBE_NO_PORT)
        snprintf(scope, sizeof scope, "%s", place);
    else if (g->vc == PROBE_NO_VC)
        snprintf(scope, sizeof scope, "%s.port%u", place, g->port);
    else
        snprintf(scope, sizeof scope, "%s.port%u.vc%u", place, g->port, g->vc);
    waves_identifier(name, g->name);
    snprintf(shown, sizeof shown, "%s.%s", scope, name);
    save_line(s, scope, name, g->width, g->width > 1 ? SHOW_TEXT : SHOW_BIT, FILTER_NONE, shown);
}

/* A link out of the device. */
static void save_exit_spot(const struct save *s, unsigned exit)
{
    char scope[32], shown[64];

    snprintf(scope, sizeof scope, "exit%u", exit);
    snprintf(shown, sizeof shown, "%s.link_flit", scope);
    save_line(s, scope, "link_flit", 4, SHOW_FILTERED, FILTER_FLIT, shown);
    snprintf(shown, sizeof shown, "%s.link_valid", scope);
    save_line(s, scope, "link_valid", waves_channel_bits(s->probe), SHOW_BIT, FILTER_NONE, shown);
    snprintf(shown, sizeof shown, "%s.link_payload", scope);
    save_line(s, scope, "link_payload", s->probe->shape.params.flit_w, SHOW_TEXT, FILTER_NONE, shown);
}

static void save_differences(const struct save *s, const struct waves_view *view)
{
    static const char name[] = "what differs";

    save_group(s, true, name);
    for (unsigned k = 0; k < view->differ; k++)
        if (view->differs[k].signal)
            save_spot(s, &view->differs[k]);
        else
            save_exit_spot(s, view->differs[k].at);
    save_group_end(s, name);
}

static const char *base_name(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash ? slash + 1 : file;
}

/* Writes a filter beside gtkw. */
static int write_filter(const char *gtkw, unsigned filter, struct fail *f)
{
    int dir = (int)(base_name(gtkw) - gtkw);
    size_t size = (size_t)dir + 40;
    char *file = malloc(size);
    struct outfile o;
    int rc;

    if (!file)
        return fail(f, EXIT_SYSTEM, "%s: no memory", gtkw);
    snprintf(file, size, "%.*s%s", dir, gtkw, filter_name(filter));
    rc = outfile_open(&o, file, f);
    if (!rc) {
        fputs(filter_text[filter], o.out); /* what cannot be written is seen at the end */
        rc = outfile_close(&o, f);
    }
    free(file);
    return rc;
}

/* Whether GTKWave has written a save file: somebody's own arrangement, which stays. */
static bool saved_by_hand(const char *gtkw)
{
    FILE *in = fopen(gtkw, "r");
    bool own = in && fgetc(in) == '[' && fgetc(in) == '*' && fgetc(in) == ']';
    if (in)
        fclose(in);
    return own;
}

/* Opens a save file, after the filters beside it: NULL with f filled. */
static FILE *open_save(struct outfile *o, const char *gtkw, const char *wave_file, unsigned but, uint64_t at, struct fail *f)
{
    for (unsigned k = FILTER_NONE + 1; k < FILTERS; k++)
        if (!(but >> k & 1) && write_filter(gtkw, k, f))
            return NULL;
    if (outfile_open(o, gtkw, f))
        return NULL;
    FILE *out = o->out;
    /* GTKWave looks for the wave file and the filters where they lie as seen from the save file's
     * recorded place, so with all three in "/" they are found beside it, wherever that is. */
    fprintf(out, "[dumpfile] \"/%s\"\n[savefile] \"/%s\"\n", base_name(wave_file),
            base_name(gtkw));
    fprintf(out, "[timestart] %" PRIu64 "\n[size] 1700 1000\n[pos] 0 0\n",
            at > 12L * NS_PER_CYCLE ? at - 12L * NS_PER_CYCLE : 0);
    fprintf(out, "*-5.200000 %" PRIu64 " -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1"
                 " -1 -1 -1 -1 -1 -1 -1\n", at);
    fprintf(out, "[sst_expanded] 0\n[signals_width] 190\n");
    fprintf(out, "@%x\n+{cycle} fatfly.cycle[63:0]\n@%x\n+{clk} fatfly.clk\n", SHOW_DECIMAL,
            SHOW_BIT);
    return out;
}

int waves_save_file(const char *gtkw, const char *wave_file, const struct probe *probe,
                    unsigned sides, const char *const side[], const struct waves_view *view, struct fail *f)
{
    struct save s = {.probe = probe, .sides = sides, .side = side};
    struct outfile o;
    unsigned other = probe->shape.cube.radix ? FILTER_HOLD : FILTER_CUBE;

    if (saved_by_hand(gtkw))
        return 0;
    s.out = open_save(&o, gtkw, wave_file, 1u << other, NS_PER_CYCLE * view->marker, f);
    if (!s.out)
        return -1;
    if (sides > 1)
        fprintf(s.out, "@%x\n+{mismatch} fatfly.mismatch\n", SHOW_BIT);
    if (view->differ)
        save_differences(&s, view);
    if (view->count) {
        for (unsigned k = 0; k < view->count; k++)
            save_switch(&s, view->switches[k]);
    } else {
        for (unsigned k = 0; k < probe->switches; k++)
            save_switch(&s, k);
    }
    return outfile_close(&o, f);
}

/* -- waves of moves -- */

/* Of each thing that crosses: the worm and the flit, or (detail) its number and place. */
static void save_lane(const struct save *s, const char *scope, const char *label, bool detail)
{
    char shown[60];

    if (!detail) {
        save_link(s, scope, label);
        return;
    }
    snprintf(shown, sizeof shown, "%s worm number", label);
    save_line(s, scope, "link_worm", 32, SHOW_FILTERED_DECIMAL, FILTER_WORM, shown);
    snprintf(shown, sizeof shown, "%s place in worm", label);
    save_line(s, scope, "flit", 32, SHOW_DECIMAL, FILTER_NONE, shown);
}

static void save_queue(const struct save *s, const char *scope, unsigned vc, bool detail)
{
    char shown[60];

    snprintf(shown, sizeof shown, "  vc%u %s", vc, detail ? "fill" : "holder");
    if (detail)
        save_line(s, scope, "fill", 32, SHOW_DECIMAL, FILTER_NONE, shown);
    else
        save_line(s, scope, "holder", 32, SHOW_FILTERED_DECIMAL, FILTER_WORM, shown);
}

static void save_moves(const struct save *s, const struct waves_link *l, bool inward, unsigned lanes, unsigned vcs,
                       unsigned channels, bool detail)
{
    const char *port = inward ? "in" : "port", *to = inward ? "from" : "to";
    char scope[80], label[40];

    snprintf(scope, sizeof scope, "node%u.%s%u", l->node, port, l->port);
    if (detail)
        save_line(s, scope, "link_valid", channels, SHOW_BIT, FILTER_NONE, "channel");
    for (unsigned k = 0; k < lanes; k++) {
        snprintf(label, sizeof label, "%s %u", to, l->far);
        if (lanes > 1) {
            snprintf(scope, sizeof scope, "node%u.%s%u.%s%u", l->node, port, l->port, vcs ? "vc" : "lane", k);
            snprintf(label, sizeof label, "%s %u %s%u", to, l->far, vcs ? "vc" : "lane ", k);
        }
        save_lane(s, scope, label, detail);
    }
    for (unsigned v = 0; v < vcs; v++) {
        snprintf(scope, sizeof scope, "node%u.%s%u.vc%u", l->node, port, l->port, v);
        save_queue(s, scope, v, detail);
    }
}

int waves_save_links(const char *gtkw, const char *wave_file, const struct waves_link *link, uint32_t count, bool inward,
                     unsigned lanes, unsigned vcs, unsigned channels, struct fail *f)
{
    struct save s = {.sides = 1};
    struct outfile o;
    char name[40], all[60];

    if (saved_by_hand(gtkw))
        return 0;
    s.out = open_save(&o, gtkw, wave_file, 1u << FILTER_HOLD | 1u << FILTER_CUBE, 0, f);
    if (!s.out)
        return -1;
    for (uint32_t k = 0, next; k < count; k = next) {
        snprintf(name, sizeof name, "node %u", link[k].node);
        snprintf(all, sizeof all, "%s: all else", name);
        for (next = k; next < count && link[next].node == link[k].node; next++)
            ;
        save_group(&s, true, name);
        for (unsigned detail = 0; detail < 2; detail++) {
            if (detail)
                save_group(&s, false, all);
            for (uint32_t j = k; j < next; j++)
                save_moves(&s, &link[j], inward, lanes, vcs, channels, detail);
        }
        save_group_end(&s, all);
        save_group_end(&s, name);
    }
    return outfile_close(&o, f);
}
