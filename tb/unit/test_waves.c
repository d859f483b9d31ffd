/* SPDX-License-Identifier: Apache-2.0
 * test_waves.c - the wave files: what is in them, both formats alike, and what a full disk leaves.
 */
#include "cube_router.h"
#include "switch.h"
#include "waves.h"
#include "waves_own.h"

#include <fstapi.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

static const char *const sides[] = {"c", "rtl"};
static char folder[64];

static const char *in_folder(const char *name)
{
    static char path[2][128];
    static unsigned turn;
    turn ^= 1;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

/* One switch; from cycle 2 on a worm of 3 flits from 1 to 2 of 64 crosses from child 1 to child 2,
 * and with noise the words that nobody checks change in every cycle. */
static bool large; /* of 4^10, and with the largest addresses that their digits allow there */
static bool two_heads; /* instead, in cycles 2 and 3 a head on each of two channels; in 4 and 5 two worms of
                          one flit on the first */
static int write_run(const char *file, unsigned count, unsigned cycles, bool noise, struct fail *f)
{
    struct dut_shape shape = {.params = {.vcs = 1, .depth = 2, .flit_w = 32, .path = PATH_RP,
                                         .scan = SCAN_RR, .level = 1, .levels = 3}};
    shape.params.vcs = two_heads ? 2 : 1;
    shape.params.levels = large ? 10 : 3;
    shape.params.flit_w = large ? 64 : 32;
    struct flit mem[2 * SWITCH_PORTS] = {{0}}; /* not reset: the RTL does not either */
    struct fat_switch s;
    struct probe p;
    uint32_t words[256], seed = 1;
    const uint8_t room[SWITCH_PORTS] = {1, 1, 1, 1, 1, 1};
    const uint16_t exit_room[SWITCH_PORTS] = {1, 1, 1, 1, 1, 1};

    switch_init(&s, &shape.params, mem);
    switch_reset(&s, 1);
    assert_int_equal(probe_init(&p, &shape), 0);
    assert_true(p.words <= 256);
    struct waves *w = waves_open(file, &p, count, sides, f);
    if (!w) {
        probe_free(&p);
        return -1;
    }
    for (unsigned t = 0; t < cycles; t++) {
        struct link in[SWITCH_PORTS] = {0};
        struct switch_wires wires = {.sent = 0};
        uint32_t worm[2 * SWITCH_PORTS] = {0};
        if (t >= 2 && t < 5) {
            in[1].valid = 1;
            in[1].flit.kind = t == 2 ? FLIT_HEAD : t == 3 ? FLIT_BODY : FLIT_TAIL;
            in[1].flit.payload = t != 2 ? 0xabc : large ? head_pack(10, 0xffffe, 0xffffd, 1, 0) : head_pack(3, 2, 1, 1, 0);
            worm[1] = large ? UINT32_MAX : 77;
        }
        if (two_heads && t >= 2 && t < 6) {
            in[1].valid = t == 3 ? 2 : 1;
            in[1].flit.kind = t < 4 ? FLIT_HEAD : FLIT_HEAD | FLIT_TAIL;
            in[1].flit.payload = head_pack(3, 2, 1, 1, 0);
        }
        switch_eval(&s, room, &wires);
        switch_probe(&s, in, &wires, words);
        if (noise)
            for (unsigned k = 8; k < p.words; k++)
                words[k] = seed = seed * 1664525u + 1013904223u;
        struct dut_out out = {.link = wires.out};
        for (unsigned k = 0; k < count; k++)
            waves_cycle(w, t, k, words, &out, exit_room, worm);
        if (t == 3)
            waves_mismatch(w, t);
        switch_tick(&s, in, &wires);
    }
    int rc = waves_close(w, f);
    probe_free(&p);
    return rc;
}

/* All changes of a file as sorted lines "time name=value". */
struct changes {
    char **line;
    size_t count, room;
    char *name[8192]; /* by handle or by the order of declaration */
    unsigned names;
};

static void add_change(struct changes *c, uint64_t time, unsigned var, const char *value)
{
    char line[200];
    if (c->count == c->room) {
        c->room = c->room ? 2 * c->room : 1024;
        c->line = realloc(c->line, c->room * sizeof *c->line);
        assert_non_null(c->line);
    }
    snprintf(line, sizeof line, "%08u %s=%s", (unsigned)time, c->name[var], value);
    c->line[c->count] = strdup(line);
    assert_non_null(c->line[c->count++]);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void free_changes(struct changes *c)
{
    for (size_t k = 0; k < c->count; k++)
        free(c->line[k]);
    for (unsigned k = 0; k < c->names; k++)
        free(c->name[k]);
    free(c->line);
}

static void push_scope(char *scope, const char *name)
{
    strcat(scope, name);
    strcat(scope, ".");
}

static void pop_scope(char *scope)
{
    scope[strlen(scope) - 1] = 0;
    char *dot = strrchr(scope, '.');
    (dot ? dot + 1 : scope)[0] = 0;
}

static void add_name(struct changes *c, const char *scope, const char *name)
{
    char full[200];
    snprintf(full, sizeof full, "%s%s", scope, name);
    assert_true(c->names < sizeof c->name / sizeof *c->name);
    c->name[c->names] = strdup(full);
    assert_non_null(c->name[c->names++]);
}

static void fst_text(void *user, uint64_t time, fstHandle var, const unsigned char *value,
                     uint32_t size)
{
    char text[80];
    snprintf(text, sizeof text, "%.*s", (int)size, (const char *)value);
    add_change(user, time, var - 1, text);
}

static void fst_bits(void *user, uint64_t time, fstHandle var, const unsigned char *value)
{
    add_change(user, time, var - 1, (const char *)value);
}

static void read_fst(struct changes *c, const char *file)
{
    char scope[200] = "";
    struct fstHier *h;
    void *r = fstReaderOpen(file);
    assert_non_null(r);
    memset(c, 0, sizeof *c);
    while ((h = fstReaderIterateHier(r)) != NULL) {
        if (h->htyp == FST_HT_SCOPE)
            push_scope(scope, h->u.scope.name);
        else if (h->htyp == FST_HT_UPSCOPE)
            pop_scope(scope);
        else if (h->htyp == FST_HT_VAR)
            add_name(c, scope, h->u.var.name);
    }
    fstReaderSetFacProcessMaskAll(r);
    assert_int_equal(fstReaderIterBlocks2(r, fst_bits, fst_text, c, NULL), 1);
    fstReaderClose(r);
    qsort(c->line, c->count, sizeof *c->line, by_text);
}

/* The VCD writer declares identifiers in order, so an identifier is a number to base 94. */
static unsigned vcd_number(const char *id)
{
    unsigned n = 0, scale = 1;
    for (; *id; id++, scale *= 94)
        n += (unsigned)(*id - '!') * scale;
    return n;
}

static void read_vcd(struct changes *c, const char *file)
{
    char line[200], scope[200] = "", word[100], id[16], bits[16];
    unsigned time = 0, width;
    FILE *in = fopen(file, "r");
    assert_non_null(in);
    memset(c, 0, sizeof *c);
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = 0;
        if (sscanf(line, "$scope module %99s", word) == 1) {
            push_scope(scope, word);
        } else if (!strncmp(line, "$upscope", 8)) {
            pop_scope(scope);
        } else if (sscanf(line, "$var %*s %u %15s %60s %15s", &width, id, word, bits) == 4) {
            assert_int_equal(vcd_number(id), c->names);
            if (bits[0] == '[') {
                strcat(word, " ");
                strcat(word, bits);
            }
            add_name(c, scope, word);
        } else if (line[0] == '#') {
            time = (unsigned)strtoul(line + 1, NULL, 10);
        } else if (line[0] == 'b' || line[0] == 's') {
            char *space = strrchr(line, ' ');
            *space = 0;
            add_change(c, time, vcd_number(space + 1), line + 1);
        } else if (line[0] == '0' || line[0] == '1') {
            char bit[2] = {line[0], 0};
            add_change(c, time, vcd_number(line + 1), bit);
        }
    }
    fclose(in);
    qsort(c->line, c->count, sizeof *c->line, by_text);
}

static void assert_has(const struct changes *c, const char *line)
{
    if (!bsearch(&line, c->line, c->count, sizeof *c->line, by_text))
        fail_msg("no change %s", line);
}

static void formats_are_alike(void **state)
{
    struct changes a, b;
    struct fail f;
    (void)state;
    for (unsigned count = 1; count <= 2; count++) {
        assert_int_equal(write_run(in_folder("a.fst"), count, 20, false, &f), 0);
        assert_int_equal(write_run(in_folder("a.vcd"), count, 20, false, &f), 0);
        read_fst(&a, in_folder("a.fst"));
        read_vcd(&b, in_folder("a.vcd"));
        assert_int_equal(a.names, b.names);
        for (unsigned k = 0; k < a.names; k++)
            assert_string_equal(a.name[k], b.name[k]);
        assert_int_equal(a.count, b.count);
        for (size_t k = 0; k < a.count; k++)
            assert_string_equal(a.line[k], b.line[k]);
        free_changes(&a);
        free_changes(&b);
    }
    unlink(in_folder("a.fst"));
    unlink(in_folder("a.vcd"));
}

static void cycles_are_where_they_belong(void **state)
{
    static const char *const one[] = {
        "00000020 fatfly.l1_0.port1.track=w77:1>2",
        "00000050 fatfly.l1_0.port1.track=",
        "00000020 fatfly.l1_0.port1.link_flit [3:0]=0110",
        "00000030 fatfly.l1_0.port1.link_flit [3:0]=0100",
        "00000040 fatfly.l1_0.port1.link_flit [3:0]=0101",
        "00000020 fatfly.l1_0.port1.link_worm [31:0]=00000000000000000000000001001101",
        "00000020 fatfly.l1_0.port1.link_dst [5:0]=000010",
        "00000030 fatfly.l1_0.port1.link_dst [5:0]=000000",
        "00000030 fatfly.l1_0.port1.vc0.front_flit [2:0]=110",
        "00000040 fatfly.l1_0.port1.vc0.hold_q [5:0]=000100",
        "00000030 fatfly.exit2.track=1>2",
        "00000060 fatfly.exit2.track=",
        "00000195 fatfly.clk=0",
        "00000200 fatfly.clk=1",
    };
    static const char *const two[] = {
        "00000020 fatfly.c.l1_0.port1.track=w77:1>2",
        "00000020 fatfly.rtl.l1_0.port1.track=w77:1>2",
        "00000030 fatfly.mismatch=1",
        "00000040 fatfly.mismatch=0",
    };
    static const char *const most[] = {
        "00000020 fatfly.l1_0.port1.track=w4294967295:1048573>1048574",
        "00000020 fatfly.l1_0.port1.link_worm [31:0]=11111111111111111111111111111111",
        "00000020 fatfly.l1_0.port1.link_dst [19:0]=11111111111111111110",
        "00000020 fatfly.l1_0.port1.link_src [19:0]=11111111111111111101",
        "00000030 fatfly.exit2.track=1048573>1048574",
    };
    struct changes c;
    struct fail f;
    (void)state;
    large = true;
    assert_int_equal(write_run(in_folder("b.fst"), 1, 20, false, &f), 0);
    large = false;
    read_fst(&c, in_folder("b.fst"));
    for (size_t k = 0; k < sizeof most / sizeof *most; k++)
        assert_has(&c, most[k]);
    free_changes(&c);
    assert_int_equal(write_run(in_folder("b.fst"), 1, 20, false, &f), 0);
    read_fst(&c, in_folder("b.fst"));
    for (size_t k = 0; k < sizeof one / sizeof *one; k++)
        assert_has(&c, one[k]);
    free_changes(&c);
    assert_int_equal(write_run(in_folder("b.fst"), 2, 20, false, &f), 0);
    read_fst(&c, in_folder("b.fst"));
    for (size_t k = 0; k < sizeof two / sizeof *two; k++)
        assert_has(&c, two[k]);
    free_changes(&c);
    unlink(in_folder("b.fst"));
}

static void heads_are_boxes_of_their_own(void **state)
{
    static const char *const want[] = {
        "00000020 fatfly.l1_0.port1.link_flit [3:0]=0110",
        "00000030 fatfly.l1_0.port1.link_flit [3:0]=1110",
        "00000040 fatfly.l1_0.port1.link_flit [3:0]=0111",
        "00000050 fatfly.l1_0.port1.link_flit [3:0]=1111",
        "00000060 fatfly.l1_0.port1.link_flit [3:0]=0000",
    };
    struct changes c;
    struct fail f;
    (void)state;
    two_heads = true;
    assert_int_equal(write_run(in_folder("h.fst"), 1, 7, false, &f), 0);
    two_heads = false;
    read_fst(&c, in_folder("h.fst"));
    for (size_t k = 0; k < sizeof want / sizeof *want; k++)
        assert_has(&c, want[k]);
    free_changes(&c);
    unlink(in_folder("h.fst"));
}

/* Bodies have the label of the head that came last on their own channel, of nine. */
static void channels_have_heads_of_their_own(void **state)
{
    enum { CHANNELS = 9 };
    struct dut_shape shape;
    struct probe p;
    struct changes c;
    struct fail f;
    char line[80];
    uint32_t words[2048] = {0}, worm[CUBE_PORTS * CHANNELS] = {0};
    const uint16_t room[CUBE_PORTS] = {0};
    (void)state;
    assert_null(dut_shape_parse("torus4n5-v9-q2-w32-nhop-rr", &shape, line, sizeof line));
    assert_int_equal(probe_init(&p, &shape), 0);
    assert_true(p.words <= sizeof words / sizeof *words);
    struct waves *w = waves_open(in_folder("v.fst"), &p, 1, sides, &f);
    assert_non_null(w);
    for (unsigned t = 0; t < 2 * CHANNELS; t++) {
        struct link link[CUBE_PORTS] = {0};
        struct dut_out out = {.link = link};
        unsigned v = t * 5 % CHANNELS;
        link[2].valid = (uint16_t)(1u << v);
        link[2].flit.kind = t < CHANNELS ? FLIT_HEAD : FLIT_BODY;
        link[2].flit.payload = t < CHANNELS ? cube_head(4, v + 1, 15 - v) : 0xabcde & ~(t * 77u);
        waves_cycle(w, t, 0, words, &out, room, worm);
    }
    assert_int_equal(waves_close(w, &f), 0);
    probe_free(&p);
    read_fst(&c, in_folder("v.fst"));
    for (unsigned t = 0; t < 2 * CHANNELS; t++) {
        unsigned v = t * 5 % CHANNELS;
        snprintf(line, sizeof line, "%08u fatfly.exit2.track=%u>%u", 10 * t, 15 - v, v + 1);
        assert_has(&c, line);
    }
    free_changes(&c);
    unlink(in_folder("v.fst"));
}

static void no_cycle_still_makes_a_file(void **state)
{
    struct fail f;
    (void)state;
    assert_int_equal(write_run(in_folder("c.fst"), 1, 0, false, &f), 0);
    assert_int_equal(unlink(in_folder("c.fst")), 0);
    assert_int_equal(write_run(in_folder("c.vcd"), 1, 0, false, &f), 0);
    assert_int_equal(unlink(in_folder("c.vcd")), 0);
}

/* Nothing of that run is left in the folder. */
static void assert_nothing_left(const char *name)
{
    static const char *const ends[] = {"", ".part", ".part.hier"};
    for (unsigned k = 0; k < 3; k++) {
        char path[160];
        snprintf(path, sizeof path, "%s/%s%s", folder, name, ends[k]);
        assert_int_not_equal(access(path, F_OK), 0);
    }
}

/* Files may not grow beyond some size: from too small for the names to just too small for all. */
static void full_disk_leaves_nothing(void **state)
{
    static const char *const names[] = {"full.fst", "full.vcd"};
    struct rlimit old, small;
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    for (unsigned n = 0; n < 2; n++) {
        struct fail f = {.code = EXIT_OK};
        assert_int_equal(write_run(in_folder(names[n]), 1, 300, true, &f), 0);
        FILE *whole = fopen(in_folder(names[n]), "rb");
        assert_non_null(whole);
        assert_int_equal(fseek(whole, 0, SEEK_END), 0);
        long size = ftell(whole);
        fclose(whole);
        unlink(in_folder(names[n]));
        for (long step = 0; step <= 40; step++) {
            long limit = (size - 1) * step / 40;
            small = old;
            small.rlim_cur = (rlim_t)limit;
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
            int rc = write_run(in_folder(names[n]), 1, 300, true, &f);
            assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
            assert_int_equal(rc, -1);
            assert_int_equal(f.code, EXIT_SYSTEM);
            assert_non_null(strstr(f.text, names[n]));
            assert_null(strchr(f.text, '\n'));
            assert_nothing_left(names[n]);
        }
    }
}

static void bad_names_are_refused(void **state)
{
    struct fail f = {.code = EXIT_OK};
    (void)state;
    assert_int_equal(write_run(in_folder("x.txt"), 1, 5, false, &f), -1);
    assert_int_equal(f.code, EXIT_USAGE);
    assert_int_equal(write_run(in_folder("none/x.fst"), 1, 5, false, &f), -1);
    assert_int_equal(f.code, EXIT_SYSTEM);
    assert_int_equal(write_run(in_folder("none/x.vcd"), 1, 5, false, &f), -1);
    assert_int_equal(f.code, EXIT_SYSTEM);
}

/* What a line of the save file must show, by its label under the name of a switch: exits are numbered by processor, or by
 * port of a single switch. */
static void wanted_signal(const struct dut_shape *s, const char *group, const char *label, const char *side, char want[])
{
    static const char *const ports[] = {"c0", "c1", "c2", "c3", "p0", "p1", "x+", "x-", "y+", "y-", "pe"};
    static const struct {
        const char *of_link, *of_queue, *signal;
    } named[] = {{"worm", NULL, "track"},         {"flit", NULL, "link_flit"},   {"worm number", NULL, "link_worm"},
                 {"head from", NULL, "link_src"}, {"head to", NULL, "link_dst"}, {"payload", NULL, "link_payload"},
                 {"channel", NULL, "link_valid"}, {"room", NULL, "room"},        {"granted", NULL, "gnt"},
                 {NULL, "wants", "hold_q"},       {NULL, "holds", "hold_q"},     {NULL, "front", "front_flit"},
                 {NULL, "count", "count_q"}};
    bool cube = s->cube.radix, queue = false;
    unsigned x, y, port = 0, vc = 0, k = 0; /* S(level, address) or R(x, y) */
    int used = 0;

    assert_int_equal(sscanf(group, cube ? "R(%u,%u)" : "S(%u,%u)", &x, &y), 2);
    while (strncmp(label, ports[port], 2) || cube != (port > 5))
        assert_in_range(++port, 0, 10);
    port %= 6;
    label += 3;
    want += sprintf(want, "fatfly.%s%s", side, *side ? "." : "");
    if (!strncmp(label, "out ", 4)) {
        label += 4;
        if (s->network && (cube ? port != 4 : x != 1 || port > 3))
            fail_msg("%s: port %u leads to no processor", group, port);
        want += sprintf(want, "exit%u", !s->network ? port : cube ? x + s->cube.radix * y : 4 * y + port);
    } else {
        want += sprintf(want, "%c%u_%u.port%u", cube ? 'r' : 'l', x, y, port);
        queue = strncmp(label, "in ", 3) != 0;
        if (queue && s->params.vcs > 1)
            assert_int_equal(sscanf(label, "vc%u %n", &vc, &used), 1);
        label += queue ? used : 3;
        if (queue)
            want += sprintf(want, ".vc%u", vc);
    }
    for (const char *name; !(name = queue ? named[k].of_queue : named[k].of_link) || strcmp(label, name); k++)
        if (k + 1 == sizeof named / sizeof *named)
            fail_msg("%s: no label %s", group, label);
    sprintf(want, ".%s", named[k].signal);
}

/* The names of the wave file, by text and without the blank before [. */
static void read_names(struct changes *c, const char *file)
{
    read_fst(c, file);
    for (unsigned k = 0; k < c->names; k++) {
        char *blank = strchr(c->name[k], ' ');
        if (blank)
            memmove(blank, blank + 1, strlen(blank));
    }
    qsort(c->name, c->names, sizeof *c->name, by_text);
}

/* Every signal that the save file names is in the wave file, is the one that its label says, and is named once; in, out: the
 * links that enter switches and leave the device, of which none is missing. */
static void check_save_file(const char *name, unsigned in, unsigned out, unsigned count)
{
    char line[200], group[200] = "", want[200];
    struct dut_shape shape;
    struct changes c;
    struct probe p;
    struct fail f;

    assert_null(dut_shape_parse(name, &shape, want, sizeof want));
    assert_int_equal(probe_init(&p, &shape), 0);
    struct waves *w = waves_open(in_folder("s.fst"), &p, count, sides, &f);
    assert_non_null(w);
    assert_int_equal(waves_close(w, &f), 0);
    struct waves_view view = {.marker = 3, .differ = 2, .differs = {{NULL, 1}, {probe_find(&p, "front_q.payload", 4, 0), 0}}};
    assert_non_null(view.differs[1].signal);
    assert_int_equal(waves_save_file(in_folder("s.gtkw"), in_folder("s.fst"), &p, count, sides, &view, &f), 0);
    read_names(&c, in_folder("s.fst"));
    bool *seen = calloc(c.names, sizeof *seen);
    FILE *file = fopen(in_folder("s.gtkw"), "r");
    assert_non_null(seen);
    assert_non_null(file);
    in *= count;
    out *= count;
    while (fgets(line, sizeof line, file)) {
        char *signal = strstr(line, "} "), *label = line + 2;
        line[strcspn(line, "\n")] = 0;
        if (line[0] == '-' && !strchr(line, ':'))
            snprintf(group, sizeof group, "%s", line + 1);
        if (line[0] != '+')
            continue;
        assert_non_null(signal);
        *signal = 0;
        signal += 2;
        char **found = bsearch(&signal, c.name, c.names, sizeof *c.name, by_text);
        if (!found)
            fail_msg("%s: no signal %s", name, signal);
        if (!strchr(group, '(')) /* "what differs" */
            continue;
        if (seen[found - c.name])
            fail_msg("%s: %s is named twice", name, signal);
        seen[found - c.name] = true;
        char *side = count > 1 ? strrchr(label, ' ') : NULL;
        if (side)
            *side++ = 0;
        wanted_signal(&shape, group, label, side ? side : "", want);
        signal[strcspn(signal, "[")] = 0;
        if (strcmp(signal, want))
            fail_msg("%s: %s in %s is %s, not %s", name, label, group, signal, want);
        in -= !strcmp(label + 2, " in worm");
        out -= !strcmp(label + 2, " out worm");
    }
    if (in || out)
        fail_msg("%s: links are missing: %d in, %d out", name, (int)in, (int)out);
    fclose(file);
    free(seen);
    free_changes(&c);
    probe_free(&p);
}

/* A filter's text for one output is what the save file calls the port of that number. */
static void filter_says(const char *filter, const char *gtkw)
{
    FILE *f = fopen(in_folder(filter), "r");
    char line[300], said[6][8] = {""}, called[6][8] = {""};
    unsigned value, port;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char text[8];
        if (sscanf(line, "%x %7s", &value, text) != 2 || line[0] == '#')
            continue;
        if (!value)
            assert_string_equal(text, "-");
        else
            strcpy(said[__builtin_ctz(value)], text);
        assert_true((value & (value - 1)) == 0 && value < 64);
    }
    fclose(f);
    f = fopen(in_folder(gtkw), "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        const char *at = strstr(line, ".port");
        char text[8];
        if (line[0] == '+' && at && sscanf(at, ".port%u.", &port) == 1 && sscanf(line, "+{%7s", text) == 1 && port < 6)
            strcpy(called[port], text);
    }
    fclose(f);
    for (port = 0; port < 6; port++)
        if (strcmp(said[port], called[port]))
            fail_msg("%s: output %u is %s, in %s %s", filter, port, said[port], gtkw, called[port]);
}

static void save_file_names_signals(void **state)
{
    static const char *const files[] = {"s.fst", "s.gtkw", "flit.filter", "hold.filter", "cube.filter", "worm.filter"};
    (void)state;
    for (unsigned count = 1; count <= 2; count++) {
        check_save_file("s1of3-v1-q2-w32-rp-rr", 6, 6, count);
        filter_says("hold.filter", "s.gtkw");
        check_save_file("s3of3-v4-q4-w32-gp-fcfs", 4, 4, count);
        check_save_file("n16-v2-q2-w32-rg-rot", 4 * 6 + 2 * 4, 16, count);
        check_save_file("torus4n9-v2-q2-w32-ecube-rr", 5, 5, count);
        check_save_file("mesh3n5-v1-q2-w32-ecube-fo", 5, 5, count);
        filter_says("cube.filter", "s.gtkw");
        check_save_file("torus3-v2-q1-w32-ecube-rot", 9 * 5, 9, count);
        check_save_file("mesh3-v1-q2-w32-ecube-rr", 9 * 5, 9, count);
    }
    for (unsigned k = 0; k < sizeof files / sizeof *files; k++)
        assert_int_equal(unlink(in_folder(files[k])), 0);
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/fatfly-waves-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

/* Fails if a test left something behind. */
static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* Every bit of signals of every width, in both formats. */
static void every_bit(void **state)
{
    static const char *const files[] = {"d.fst", "d.vcd"};
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct fail f;
        struct changes c;
        unsigned var[65];
        struct waves *w = waves_new(in_folder(files[k]), &f);
        assert_non_null(w);
        waves_into(w, "t", -1);
        w->clk = waves_declare(w, "clk", 1);
        w->cycle_var = waves_declare(w, "cycle", 64);
        for (unsigned width = 1; width <= 64; width++) {
            char name[8];
            snprintf(name, sizeof name, "v%u", width);
            var[width] = waves_declare(w, name, width);
        }
        waves_up(w);
        assert_true(waves_start(w, in_folder(files[k]), &f));
        for (unsigned bit = 0; bit < 64; bit++) {
            waves_begin(w, bit);
            for (unsigned width = bit + 1; width <= 64; width++)
                waves_put(w, var[width], UINT64_C(1) << bit);
        }
        assert_int_equal(waves_close(w, &f), 0);
        (k ? read_vcd : read_fst)(&c, in_folder(files[k]));
        for (unsigned width = 2; width <= 64; width++)
            for (unsigned bit = 0; bit < width; bit++) {
                char line[200];
                int used = snprintf(line, sizeof line, "%08u t.v%u [%u:0]=", 10 * bit, width, width - 1);
                for (unsigned j = width; j-- > 0;)
                    used += snprintf(line + used, sizeof line - (size_t)used, "%u", j == bit);
                assert_has(&c, line);
            }
        free_changes(&c);
        unlink(in_folder(files[k]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit),
        cmocka_unit_test(formats_are_alike),
        cmocka_unit_test(cycles_are_where_they_belong),
        cmocka_unit_test(heads_are_boxes_of_their_own),
        cmocka_unit_test(channels_have_heads_of_their_own),
        cmocka_unit_test(no_cycle_still_makes_a_file),
        cmocka_unit_test(full_disk_leaves_nothing),
        cmocka_unit_test(bad_names_are_refused),
        cmocka_unit_test(save_file_names_signals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
