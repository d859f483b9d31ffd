/* SPDX-License-Identifier: Apache-2.0
 * test_settings.c - every setting by name, from text and from files; what is refused, word by word;
 * what settings say about each other; permutation and trace files.
 */
#include "rows.h"
#include "settings.h"
#include "stimulus.h"
#include "topology.h"

#include "unit.h"

#include <string.h>
#include <unistd.h>

const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

/* libconfig's scanner drops a string that is followed by a syntax error.  What it allocates
 * elsewhere, and what we do, is still watched. */
const char *__lsan_default_suppressions(void)
{
    return "leak:strbuf_append\nleak:libconfig_yylex\n";
}

const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}

static struct settings s;
static struct fail f;

static unsigned row(const char *name)
{
    int k = settings_find(name);
    assert_true(k >= 0);
    return (unsigned)k;
}

static const char *get(const char *name)
{
    static char text[300];
    settings_get(&s, row(name), text, sizeof text);
    return text;
}

/* A command line of words with one blank between them. */
static int parse_in(enum place place, const char *line)
{
    char *argv[UNIT_WORDS];
    int argc = words_of(line, argv);
    f.text[0] = '\0';
    return settings_parse(&s, place, argc, argv, &f);
}

static int parse(const char *line)
{
    return parse_in(IN_RUN, line);
}

static int finish(const char *line)
{
    return parse(line) ? -1 : settings_finish(&s, &f);
}

static char folder[] = "/tmp/test_settings_XXXXXX";

static const char *put(const char *name, const char *text, size_t size)
{
    static char file[100];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    FILE *out = fopen(file, "w");
    assert_non_null(out);
    assert_true(fwrite(text, 1, size, out) == size);
    fclose(out);
    return file;
}

/* -- the table ------------------------------------------------------------------------------- */

/* The contract: these names and values; what help says is what settings_default() gives. */
static void table(void **state)
{
    static const char *const contract[] = {
        "nodes", "length", "depth", "vcs", "discipline", "path", "scan", "pattern", "self-traffic",
        "delay-range", "load", "warmup", "cycles", "runs", "seed", "threads", "format", "config",
        "waves", "watch"};
    (void)state;
    for (size_t k = 0; k < ROWS(contract); k++)
        row(contract[k]);
    settings_default(&s);
    for (unsigned k = 0; k < settings_count; k++) {
        const struct setting *r = &settings_table[k];
        char value[300];
        assert_true(strlen(r->help) < 110 && r->group[0]);
        const char *said = strstr(r->help, "default ");
        settings_get(&s, k, value, sizeof value);
        if (!said || strcmp(value, "auto") == 0 || r->kind == SET_TEXT)
            continue;
        said += strlen("default ");
        if (strncmp(said, value, strlen(value)) != 0)
            fail_msg("%s: help says '%s', the default is %s", r->name, said, value);
    }
}

static void names(void **state)
{
    (void)state;
    CHECK_EQ(settings_find("delay-range"), settings_find("delay_range"));
    assert_int_equal(settings_find("delay range"), -1);
    assert_int_equal(settings_find(""), -1);
    assert_int_equal(settings_find("depht"), -1);
    settings_default(&s);
    assert_int_equal(settings_set(&s, "depht", "2", &f), -1);
    assert_string_equal(f.text, "--depht: no such option; nearest: --depth; fatfly run --help "
                                "shows all");
    CHECK_EQ(f.code, EXIT_USAGE);
    assert_int_equal(settings_set_at(&s, "a.cfg", 7, "delay-rang", "2", &f), -1);
    assert_string_equal(f.text, "a.cfg:7: key 'delay-rang' is unknown; nearest valid name: "
                                "delay_range");
    CHECK_EQ(f.code, EXIT_INPUT);
}

/* Where a setting is taken. */
static void defaults_at(const struct setting *r)
{
    settings_default(&s);
    s.place = r->places & IN_RUN ? IN_RUN : r->places & IN_SATURATION ? IN_SATURATION : IN_CASE;
}

/* Every row takes its ends and gives them back; beside the ends and for junk nothing changes. */
static void ranges(void **state)
{
    static const char *const junk[] = {"", "x", "-1", "+1", "1.5.", "99999999999999999999999",
                                       " 1", "1 ", "0x10", "nan", "inf", "-inf", "1e999", "1e",
                                       "--"};
    (void)state;
    for (unsigned k = 0; k < settings_count; k++) {
        const struct setting *r = &settings_table[k];
        if (r->kind != SET_WHOLE && r->kind != SET_REAL)
            continue;
        bool whole = r->kind == SET_WHOLE;
        for (unsigned side = 0; side < 2; side++) {
            char text[64], back[64];
            double end = side ? r->high : r->low;
            snprintf(text, sizeof text, whole ? "%.0f" : "%g", end);
            if (strcmp(r->name, "seed") == 0 && side)
                snprintf(text, sizeof text, "18446744073709551615");
            defaults_at(r);
            if (settings_set(&s, r->name, text, &f))
                fail_msg("%s", f.text);
            settings_get(&s, k, back, sizeof back);
            assert_string_equal(back, text);
            CHECK_AT(k, s.given[k / 64], UINT64_C(1) << k % 64);
            if (end <= 0 || (side && strcmp(r->name, "seed") == 0))
                continue; /* nothing lies beside it */
            struct settings before = s;
            snprintf(text, sizeof text, "%.9g", side ? end * 1.001 : end * 0.999);
            if (whole)
                snprintf(text, sizeof text, "%llu", side ? (unsigned long long)end + 1 : (unsigned long long)end - 1);
            if (settings_set(&s, r->name, text, &f) != -1)
                fail_msg("--%s %s was taken", r->name, text);
            assert_memory_equal(&s, &before, sizeof s);
            CHECK_AT(k, f.code, EXIT_USAGE);
        }
        for (size_t j = 0; j < ROWS(junk); j++) {
            struct settings before = s;
            if (!whole && strcmp(junk[j], "+1") == 0)
                continue; /* as good a number as any */
            if (settings_set(&s, r->name, junk[j], &f) != -1)
                fail_msg("--%s '%s' was taken", r->name, junk[j]);
            assert_memory_equal(&s, &before, sizeof s);
            assert_non_null(strstr(f.text, "allowed: "));
        }
    }
}

static void words(void **state)
{
    (void)state;
    for (unsigned k = 0; k < settings_count; k++) {
        const struct setting *r = &settings_table[k];
        defaults_at(r);
        for (unsigned n = 0; n < r->count; n++) {
            assert_int_equal(settings_set(&s, r->name, r->names[n], &f), 0);
            assert_string_equal(get(r->name), r->names[n]);
        }
        if (!r->word)
            continue;
        CHECK_EQ(settings_set(&s, r->name, r->kind == SET_REAL && r->high < 16 ? "0.5" : "16", &f), 0);
        CHECK_EQ(s.given[k / 64], UINT64_C(1) << k % 64);
        CHECK_EQ(settings_set(&s, r->name, r->word, &f), 0);
        assert_string_equal(get(r->name), r->word);
        CHECK_EQ(s.given[0] | s.given[1], 0);
    }
    settings_default(&s);
    assert_string_equal(get("warmup"), "auto");
    CHECK_EQ(settings_set(&s, "warmup", "500", &f), 0);
    CHECK_EQ(s.detect_warmup, false);
    CHECK_EQ(s.config.warmup, 500);
    CHECK_EQ(settings_set(&s, "warmup", "auto", &f), 0);
    CHECK_EQ(s.detect_warmup, true);
    static const char *const truths[] = {"", "yes", "true", "no", "false"};
    for (size_t k = 0; k < ROWS(truths); k++) {
        CHECK_AT(k, settings_set(&s, "self-traffic", truths[k], &f), 0);
        CHECK_AT(k, s.config.self_traffic, k < 3);
    }
    CHECK_EQ(settings_set(&s, "engine", "rtl", &f), 0);
    CHECK_EQ(s.rtl, true);
    CHECK_EQ(s.config.engine, FATFLY_AUTO);
    CHECK_EQ(settings_set(&s, "engine", "cycle", &f), 0);
    CHECK_EQ(s.rtl, false);
    CHECK_EQ(s.config.engine, FATFLY_CYCLE);
}

/* What settings_get() says, settings_set() takes, for reals to the last bit. */
static void round_trip(void **state)
{
    char text[300];
    (void)state;
    for (unsigned k = 0; k < 2000; k++) {
        double x = 1e-6 + (double)draw(1000000000) * 0.9e-9 + (double)draw(1000000) * 1e-16;
        settings_default(&s);
        snprintf(text, sizeof text, "%.17g", x);
        CHECK_AT(k, settings_set(&s, "load", text, &f), 0);
        double first = s.config.load;
        settings_get(&s, row("load"), text, sizeof text);
        CHECK_AT(k, settings_set(&s, "load", text, &f), 0);
        assert_memory_equal(&first, &s.config.load, sizeof first);
    }
    settings_default(&s);
    settings_set(&s, "load", "0.1", &f);
    assert_string_equal(get("load"), "0.1");
}

/* -- what is refused ------------------------------------------------------------------------- */

static void bad_lines(void **state)
{
    static const struct { const char *line, *text; } bad[] = {
        {"--depth 17", "--depth 17; allowed: auto, unbounded, or a whole number, 1 to 16"},
        {"--depth", "--depth needs a value: --depth Q|unbounded"},
        {"--stall 3", "--stall is no option of fatfly run; allowed: in cases of fatfly cosim"},
        {"--depht 3", "--depht: no such option; nearest: --depth; fatfly run --help shows all"},
        {"fast", "fast: no such option; fatfly run --help shows all"},
        {"--nodes 60", "--nodes 60; allowed: 4^n with n = 1 to 12; nearest: 16 and 64"},
        {"--nodes 1", "--nodes 1; allowed: 4^n with n = 1 to 12; nearest: 4"},
        {"--nodes 2000000", "--nodes 2000000; allowed: 4^n with n = 1 to 12; nearest: 1048576 and 4194304"},
        {"--vcs 3", "--vcs 3; allowed: a whole number, 1, 2 or 4"},
        {"--path rpp", "--path rpp; allowed: fp, rp, gp, rg, rw, greedy, e-cube, north-last, positive-hop, "
         "negative-hop, minimal-adaptive, loose-hop, balanced-e-cube, walk; nearest: rp"},
        {"--path=", "--path ''; allowed: fp, rp, gp, rg, rw, greedy, e-cube, north-last, positive-hop, "
         "negative-hop, minimal-adaptive, loose-hop, balanced-e-cube, walk"},
        {"--load 0", "--load 0; allowed: none, or a number, 0.000001 to 1"},
        {"--self-traffic=maybe", "--self-traffic maybe; allowed: yes, no, or no value at all"},
        {"--waves x.lxt", "--waves x.lxt; allowed: a file that ends in .fst or .vcd"},
        {"--load 0.1 --discipline univ",
         "--load 0.1 with --discipline univ; allowed: only with --discipline worm, store or "
         "split"},
        {"--load 0.1 --discipline phased",
         "--load 0.1 with --discipline phased; allowed: only with --discipline worm, store or "
         "split"},
        {"--load 0.1 --rounds 3",
         "--rounds 3 with --load 0.1; allowed: only in a static run, without --load"},
        {"--load 0.1 --delay-range 1",
         "--delay-range 1 with --load 0.1; allowed: only in a static run, without --load"},
        {"--warmup auto",
         "--warmup auto without --load; allowed: only in an open loop, with --load"},
        {"--cycles 500", "--cycles 500 without --load; allowed: only in an open loop, with --load"},
        {"--arrivals poisson",
         "--arrivals poisson without --load; allowed: only in an open loop, with --load"},
        {"--whole", "--whole without --load; allowed: only in an open loop, with --load"},
        {"--fail-saturated",
         "--fail-saturated without --load; allowed: only in an open loop, with --load"},
        {"--trace x --load 0.1",
         "--load 0.1 with --pattern trace; allowed: only with another --pattern"},
        {"--trace x --pattern random",
         "--trace x with --pattern random; allowed: only with --pattern trace"},
        {"--max-bytes 5",
         "--max-bytes 5 with --pattern random; allowed: only with --pattern trace"},
        {"--pattern permutation",
         "--pattern permutation without its file; allowed: with --permutation FILE"},
        {"--pattern trace", "--pattern trace without its file; allowed: with --trace FILE"},
        {"--hotspot-node 3 --pattern random",
         "--hotspot-node 3 with --pattern random; allowed: only with --pattern hotspot"},
        {"--hotspot 0.5 --pattern complement",
         "--hotspot 0.5 with --pattern complement; allowed: only with --pattern hotspot"},
        {"--pattern hotspot --hotspot-node 64",
         "--hotspot-node 64 with --nodes 64; allowed: 0 to 63"},
        {"--self-traffic --pattern shuffle",
         "--self-traffic with --pattern shuffle; allowed: only with --pattern random or hotspot"},
        {"--length-min 4",
         "--length-min 4 with --lengths fixed; allowed: only with --lengths uniform, geometric "
         "or bimodal"},
        {"--lengths uniform --length-min 33", "--length-min 33 with --length 32; allowed: 1 to 32"},
        {"--lengths geometric --length-min 9 --length-mean 8",
         "--length-mean 8 with --length-min 9; allowed: 9 to 4096"},
        {"--lengths geometric --length 8 --length-mean 100",
         "--length-mean 100 with --length 8; allowed: 1 to 8"},
        {"--nodes 64 --nodes 256", "--nodes 64 and --nodes 256; allowed: once"},
        {"--lengths uniform --discipline store",
         "--lengths uniform with --discipline store; allowed: only with --discipline worm, "
         "split or phased"},
        {"--phases 3", "--phases 3 with --discipline worm; allowed: only with --discipline phased"},
        {"--overhead 1",
         "--overhead 1 with --discipline worm; allowed: only with --discipline split"},
        {"--delay-range 2 --discipline phased",
         "--delay-range 2 with --discipline phased; allowed: only with another --discipline"},
        {"--delay-range 2 --discipline cmsv-butterfly --topology butterfly",
         "--delay-range 2 with --discipline cmsv-butterfly; allowed: only with another --discipline"},
        {"--load 0.1 --discipline cmsv2",
         "--load 0.1 with --discipline cmsv2; allowed: only with --discipline worm, store or split"},
        {"--lengths uniform --discipline cmsv1",
         "--lengths uniform with --discipline cmsv1; allowed: only with --discipline worm, split or "
         "phased"},
        {"--discipline cmsv2 --trace x",
         "--discipline cmsv2 with --pattern trace; allowed: only with another --pattern"},
        {"--depth 4 --discipline cmsv2 --topology torus",
         "--depth 4 with --discipline cmsv2; allowed: only with another --discipline"},
        {"--link-bandwidth 2 --discipline cmsv-store --topology torus",
         "--link-bandwidth 2 with --discipline cmsv-store; allowed: only with another --discipline"},
        {"--path rp --discipline cmsv2",
         "--path rp with --discipline cmsv2; allowed: only with another --discipline"},
        {"--topology torus --discipline cmsv-butterfly",
         "--topology torus with --discipline cmsv-butterfly; allowed: only with another --discipline"},
        {"--vcs 2 --discipline store",
         "--vcs 2 with --discipline store; allowed: only with --discipline worm or phased"},
        {"--injection per-channel --discipline store --topology torus",
         "--injection per-channel with --discipline store; allowed: only with --discipline worm or "
         "phased"},
        {"--engine rtl --discipline split",
         "--engine rtl with --discipline split; allowed: only with --discipline worm or phased"},
        {"--engine rtl --load 0.1",
         "--engine rtl with --load 0.1; allowed: only in a static run, without --load"},
        {"--engine rtl --links x",
         "--links x with --engine rtl; allowed: only with --engine auto, fast or cycle"},
        {"--waves x.vcd --runs 2", "--waves x.vcd with --runs 2; allowed: only with --runs 1"},
        {"--waves w.fst --load 0.1 --engine fast",
         "--waves w.fst with --engine fast; allowed: only with --engine auto or cycle"},
        {"--watch 3 --nodes 1024 --engine fast",
         "--watch 3 with --engine fast; allowed: only with --engine auto or cycle"},
        {"--watch 3 --load 0.1 --runs 2",
         "--watch 3 with --runs 2; allowed: only with --runs 1"},
        {"--output x --links x", "--links x and --output are one file; allowed: two"},
        {"--nodes 256 --flit-bits 18",
         "flit_bits = 18; a head of 256 processors with path = rp needs 19"},
        {"--nodes 1048576 --path fp --flit-bits 52",
         "flit_bits = 52; a head of 1048576 processors with path = fp needs 53"},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(bad); k++) {
        if (finish(bad[k].line) != -1)
            fail_msg("%s: taken", bad[k].line);
        assert_string_equal(f.text, bad[k].text);
        CHECK_AT(k, f.code, EXIT_USAGE);
    }
}

static void bad_texts(void **state)
{
    static const struct { const char *text, *line; } bad[] = {
        {"depth = 17;", "1: depth = 17; allowed: auto, unbounded, or a whole number, 1 to 16"},
        {"\n\ndepht = 2;", "3: key 'depht' is unknown; nearest valid name: depth"},
        {"something = 2;",
         "1: key 'something' is unknown; allowed: the options of fatfly run --help"},
        {"stall = 3;",
         "1: stall in the configuration of a run; allowed: in cases of fatfly cosim"},
        {"load = \"0.1\";", "1: load is a string; allowed: a number"},
        {"config = \"a\";", "1: key 'config' in a file; allowed: only on the command line"},
        {"depth = 1.5;", "1: depth is a number with a fraction; allowed: a whole number"},
        {"depth = \"two\";", "1: depth = two; allowed: auto, unbounded, or a whole number, 1 to 16"},
        {"nodes = \"64\";", "1: nodes is a string; allowed: a whole number"},
        {"path = 1;", "1: path is a whole number; allowed: a string"},
        {"path = \"\";", "1: path = ''; allowed: fp, rp, gp, rg, rw, greedy, e-cube, north-last, positive-hop, "
         "negative-hop, minimal-adaptive, loose-hop, balanced-e-cube, walk"},
        {"self_traffic = \"yes\";", "1: self_traffic is a string; allowed: true or false"},
        {"self_traffic = 1;", "1: self_traffic is a whole number; allowed: true or false"},
        {"load = [0.1];", "1: load is an array; allowed: a number"},
        {"load = { a = 1; };", "1: load is a group; allowed: a number"},
        {"load = 1e999;", "1: load = inf; allowed: none, or a number, 0.000001 to 1"},
        {"load = 0;", "1: load = 0; allowed: none, or a number, 0.000001 to 1"},
        {"seed = 99999999999999999999;",
         "1: '99999999999999999999'; allowed: whole numbers of up to 18 digits in a file"},
        {"seed = -1;", "1: seed = -1; allowed: a whole number, 0 to 18446744073709551615"},
        {"nodes = 16;\nnodes = 64;",
         "2: duplicate setting name; allowed: each key once, as key = value;"},
        {"@include \"/etc/passwd\"", "1: '@include'; allowed: keys and values, no other files"},
        {"load = 0.1;\nrounds = 2;",
         "2: rounds = 2 with load = 0.1; allowed: only in a static run, without load"},
        {"pattern = \"shuffle\";\nself_traffic = true;",
         "2: self_traffic = true with pattern = shuffle; allowed: only with pattern = random or "
         "hotspot"},
        {"nodes = 256;\nflit_bits = 18;",
         "2: flit_bits = 18; a head of 256 processors with path = rp needs 19"},
    };
    (void)state;
    for (size_t k = 0; k < ROWS(bad); k++) {
        char want[300];
        settings_default(&s);
        if (!settings_parse_text(&s, "c.cfg", bad[k].text, &f) && !settings_finish(&s, &f))
            fail_msg("%s: taken", bad[k].text);
        snprintf(want, sizeof want, "c.cfg:%s", bad[k].line);
        assert_string_equal(f.text, want);
        CHECK_AT(k, f.code, EXIT_INPUT);
    }
}

/* Whatever text comes: taken, or refused in one line with the file's name. */
static void any_text(void **state)
{
    static const char *const parts[] = {
        "nodes", "=", ";", "64", "\"", "load", "0.1", "[", "]", "{", "}", "\n", "/*", "*/", "#",
        "true", "depth", "1e9", "-", "@include", "\\", "\x01", "\xff", "path", "\"rp\"", "(", ")",
        "trace", "99999999999", "warmup", "\"auto\"", ",", ":", "seed", "0x1F", "."};
    (void)state;
    for (unsigned k = 0; k < 20000; k++) {
        char text[200] = "";
        for (unsigned n = draw(12); n > 0; n--) {
            strcat(text, parts[draw(ROWS(parts))]);
            strcat(text, draw(2) ? " " : "");
        }
        settings_default(&s);
        if (settings_parse_text(&s, "c.cfg", text, &f) == 0)
            continue;
        CHECK_AT(k, f.code, EXIT_INPUT);
        assert_int_equal(strncmp(f.text, "c.cfg:", 6), 0);
        for (const char *c = f.text; *c; c++)
            assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
    }
}

/* A message names the line of what is wrong, whatever stands before it: comments, blanks, values of several lines. */
static void lines_of_texts(void **state)
{
    static const char *const before[] = {
        "# \" ( /*\n", "// }\n", "/* \n \" (\n\n @ */\n", "/**/ ", "\n\n", "\r\n", "nodes = 16;\n", "path\n=\n\"rp\"\n;\n",
        "seed = 0x1F; ", "scan = \"r\"\n\"r\";\n", "runs\n=\n/* \n */\n5L;", "build = \"a\\\"b\";\n"};
    static const char *const wrong[] = {
        "depth = 17;", "depht = 2;", "length = 9999999999999999999;", "length = 0x1234567890abcdef;", "@include \"x\"", "depth = ;", "depth = nan;",
        "trace = \"x\n", "depth = 1.5;", "/* x", "depth = (((((((((((((((((1", "depth = 0,5;", "stall = 3;", "rounds = 2; rounds = 3;",
        "rounds = \"2\";"};
    (void)state;
    for (unsigned k = 0; k < 5000; k++) {
        char text[600] = "", want[40];
        unsigned line = 1;
        for (unsigned j = 0; j < ROWS(before); j++)
            strcat(text, draw(2) ? before[j] : "");
        for (const char *c = text; *c; c++)
            line += *c == '\n';
        strcat(text, wrong[k % ROWS(wrong)]);
        strcat(text, draw(2) ? "\n\nvcs = 2;\n" : "");
        snprintf(want, sizeof want, "c.cfg:%u: ", line);
        settings_default(&s);
        assert_int_equal(settings_parse_text(&s, "c.cfg", text, &f), -1);
        if (strncmp(f.text, want, strlen(want)) != 0)
            fail_msg("not line %u: %s\n%s", line, f.text, text);
    }
}

/* A setting with a hyphen and the same with an underscore are one: twice in a file, it is refused. */
static void both_spellings(void **state)
{
    (void)state;
    for (unsigned k = 0; k < settings_count; k++) {
        const struct setting *r = &settings_table[k];
        char text[200], name[60], value[60];
        if (!strchr(r->name, '-') || !(r->places & IN_RUN))
            continue;
        snprintf(name, sizeof name, "%s", r->name);
        for (char *c = name; *c; c++)
            *c = *c == '-' ? '_' : *c;
        snprintf(value, sizeof value, r->kind == SET_TRUTH ? "true" : r->kind == SET_NAME ? "\"%s\"" : r->kind == SET_TEXT ? "\"1\"" : "16",
                 r->count ? r->names[0] : "");
        if (r->kind == SET_REAL)
            snprintf(value, sizeof value, "%f", r->high);
        snprintf(text, sizeof text, "%s = %s;\n\n%s = %s;", r->name, value, name, value);
        settings_default(&s);
        assert_int_equal(settings_parse_text(&s, "c.cfg", text, &f), -1);
        snprintf(text, sizeof text, "c.cfg:3: %s again, it is in line 1, too; allowed: once", name);
        assert_string_equal(f.text, text);
    }
}

/* A text of as many characters as there is room for comes back; one more changes nothing. */
static void long_texts(void **state)
{
    (void)state;
    for (unsigned k = 0; k < settings_count; k++) {
        const struct setting *r = &settings_table[k];
        char text[400], back[400];
        bool graph = strcmp(r->name, "topology") == 0;
        if (r->kind != SET_TEXT)
            continue;
        memset(text, 'x', sizeof text);
        memcpy(text, graph ? "graph:" : "xxxxxx", 6);
        for (size_t n = r->size + 2; n-- > r->size - 3;) {
            defaults_at(r);
            struct settings before = s;
            memcpy(text + n - 4, strcmp(r->name, "waves") == 0 ? ".vcd" : "xxxx", 4);
            text[n] = '\0';
            CHECK_AT(n, settings_set(&s, r->name, text, &f), n < r->size ? 0 : -1);
            settings_get(&s, k, back, sizeof back);
            if (n >= r->size)
                assert_memory_equal(&s, &before, sizeof s);
            else
                assert_string_equal(back, text);
        }
    }
}

/* -- what follows ---------------------------------------------------------------------------- */

static void derived(void **state)
{
    (void)state;
    assert_int_equal(finish(""), 0);
    CHECK_EQ(s.config.nodes, 64);
    CHECK_EQ(s.config.depth, 2);
    CHECK_EQ(s.config.delay_range, 1);
    CHECK_EQ(s.runs, 30);
    assert_int_equal(finish("--discipline store"), 0);
    CHECK_EQ(s.config.depth, 1);
    assert_int_equal(finish("--discipline store --depth 3"), 0);
    CHECK_EQ(s.config.depth, 3);
    assert_int_equal(finish("--discipline univ --nodes 1024"), 0);
    CHECK_EQ(s.config.delay_range, 10);
    assert_int_equal(finish("--load 0.1"), 0);
    CHECK_EQ(s.runs, 1);
    CHECK_EQ(s.config.detect_warmup, true);
    assert_int_equal(finish("--load=0.1 --warmup=300 --runs=5"), 0);
    CHECK_EQ(s.runs, 5);
    CHECK_EQ(s.config.detect_warmup, false);
    CHECK_EQ(s.config.warmup, 300);
    assert_int_equal(finish("--lengths geometric --length 21 --length-min 5"), 0);
    assert_true(s.config.length_mean >= 13 && s.config.length_mean <= 13);
    assert_int_equal(finish("--watch 2"), 0);
    CHECK_EQ(s.runs, 1);
    assert_int_equal(finish("--self-traffic --nodes 16"), 0);
    CHECK_EQ(s.config.self_traffic, true);
    assert_int_equal(finish("--self-traffic no --nodes 16"), 0);
    CHECK_EQ(s.config.self_traffic, false);
    /* Again, after a change: what was not set follows anew. */
    CHECK_EQ(settings_set(&s, "discipline", "store", &f), 0);
    CHECK_EQ(settings_set(&s, "load", "0.01", &f), 0);
    CHECK_EQ(settings_finish(&s, &f), 0);
    CHECK_EQ(s.config.depth, 1);
    CHECK_EQ(s.runs, 1);
}

/* What a topology and two patterns read, for 16 processors. */
static void put_files(void)
{
    char graph[600] = "nodes 16\n", map[100] = "", matrix[600] = "";
    for (unsigned a = 0; a < 16; a++) {
        snprintf(graph + strlen(graph), 50, "link %u %u\nlink %u %u\n", a, (a + 1) % 16, a, (a + 5) % 16);
        snprintf(map + strlen(map), 10, "%u\n", (a + 5) % 16);
        for (unsigned b = 0; b < 16; b++)
            snprintf(matrix + strlen(matrix), 5, "%u%c", a != b, b < 15 ? ' ' : '\n');
    }
    put("graph", graph, strlen(graph));
    put("permutation", map, strlen(map));
    put("matrix", matrix, strlen(matrix));
}

/* Fails unless one run is the default just where two seeds give the same; same: whether they do. */
static void runs_of(const char *line, bool *same)
{
    static struct fatfly_result r[2];
    char why[300];
    for (unsigned seed = 0; seed < 2; seed++) {
        s.config.seed = 5 + seed;
        if (fatfly_run(&s.config, NULL, &r[seed], why, sizeof why))
            fail_msg("%s: %s", line, why);
    }
    *same = r[0].digest == r[1].digest;
    if ((s.runs == 1) != *same && r[0].worms > 0) /* where nothing crosses the network all is the same */
        fail_msg("%s: %u runs, and the results %s", line, (unsigned)s.runs, *same ? "are the same" : "differ");
}

/* One run is the default where seeds make no difference: STORE on any topology but the butterfly fat-tree, with some patterns.
 * Elsewhere they make one, if not always: rivals for a link may be missing. */
static void one_run_says_all(void **state)
{
    unsigned count[2] = {0};
    char line[400], what[100], file[100];
    (void)state;
    put_files();
    for (unsigned pattern = 0; pattern < FATFLY_PATTERNS; pattern++) {
        const char *name = fatfly_pattern_names[pattern];
        bool reads = pattern == FATFLY_PERMUTATION || pattern == FATFLY_MATRIX;
        snprintf(file, sizeof file, reads ? "--%s %s/%s" : "--pattern %s", name, folder, name);
        for (unsigned k = 0; k < topology_kinds_count && pattern != FATFLY_MESSAGES; k++) {
            const char *topology = topology_kinds[k]->name;
            bool graph = strcmp(topology, "graph") == 0, cube = strcmp(topology, "torus") == 0 || strcmp(topology, "mesh") == 0;
            snprintf(what, sizeof what, graph ? "graph:%s/graph" : cube ? "%s --radix 4" : "%s --nodes 16", graph ? folder : topology);
            for (unsigned discipline = 0; discipline < FATFLY_DISCIPLINES; discipline++)
                for (unsigned delayed = 0; delayed < 2; delayed++) {
                    bool exact = k > 0 && discipline == FATFLY_STORE, same;
                    snprintf(line, sizeof line, "%s --topology %s --discipline %s%s", file, what, fatfly_discipline_names[discipline],
                             delayed ? " --delay-range 3" : "");
                    if ((exact || !graph) && finish(line) == 0 && (exact || s.runs == 1)) { /* to read a graph takes long */
                        runs_of(line, &same);
                        count[same]++;
                    }
                    settings_free(&s);
                }
        }
    }
    assert_true(count[false] > 100 && count[true] > 50);
    unlink(put("graph", "", 0));
    unlink(put("permutation", "", 0));
    unlink(put("matrix", "", 0));
}

static void files(void **state)
{
    static const char text[] = "nodes = 16; # comment\nload = 0.25;\npath = \"rg\";\n"
                               "warmup = \"auto\";\nseed = 7;\nself_traffic = true;\n"
                               "delay-range = \"auto\";\n";
    char line[300];
    (void)state;
    const char *file = put("c.cfg", text, strlen(text));
    snprintf(line, sizeof line, "--seed 9 --config %s --nodes 64", file);
    assert_int_equal(finish(line), 0);
    CHECK_EQ(s.config.nodes, 64); /* the command line goes over the file, wherever it stands */
    CHECK_EQ(s.config.seed, 9);
    CHECK_EQ(s.config.path, FATFLY_RG);
    assert_string_equal(get("load"), "0.25");
    CHECK_EQ(s.config.self_traffic, true);
    snprintf(line, sizeof line, "--config %s/none", folder);
    assert_int_equal(finish(line), -1);
    CHECK_EQ(f.code, EXIT_INPUT);
    snprintf(line, sizeof line, "--config %s --rounds 3", file); /* the command line is to blame */
    assert_int_equal(finish(line), -1);
    CHECK_EQ(f.code, EXIT_USAGE);
    unlink(file);
}

/* Of a cube's processors, radix and dimensions any two say the third, and what fits no power is refused. */
static void sizes_of_cubes(void **state)
{
    char line[120];
    (void)state;
    for (unsigned k = 2; k <= 64; k++)
        for (unsigned n = 1, nodes = k; n <= 4 && nodes <= 300; n++, nodes *= k) {
            static const char *const name[] = {"nodes", "radix", "dimensions"};
            const unsigned value[] = {nodes, k, n};
            for (unsigned j = 0; j < 3; j++) {
                unsigned other = (j + 1) % 3;
                snprintf(line, sizeof line, "--topology mesh --%s %u --%s %u", name[j], value[j], name[other], value[other]);
                if (finish(line))
                    fail_msg("%s: %s", line, f.text);
                CHECK_AT(k, s.config.nodes, nodes);
                CHECK_AT(k, s.config.radix, k);
                CHECK_AT(k, s.config.dimensions, n);
            }
            if (n > 1) {
                snprintf(line, sizeof line, "--topology mesh --nodes %u --dimensions %u", nodes + 1, n);
                assert_int_equal(finish(line), -1);
            }
        }
}

/* A window of waves: of one cycle, too, but not of none. */
static void windows(void **state)
{
    (void)state;
    for (unsigned from = 0; from < 4; from++)
        for (unsigned to = 1; to < 5; to++) {
            char line[120];
            snprintf(line, sizeof line, "--load 0.1 --runs 1 --waves %s/w.vcd --from %u --to %u", folder, from, to);
            CHECK_AT(from, finish(line), to < from ? -1 : 0);
        }
}

static void permutations(void **state)
{
    static const struct { const char *text, *said; } bad[] = {
        {"1\n2\n3\n", "4: 3 lines; allowed: 4, a destination for each processor"},
        {"", "1: 0 lines; allowed: 4, a destination for each processor"},
        {"1\n2\n3\n4\n", "4: '4'; allowed: a processor, 0 to 3"},
        {"1\n2\n3\n1\n", "4: 1 again, after line 1; allowed: each processor once"},
        {"1\n2\n3\n0\n5\n", "5: a line more; allowed: 4 lines, a destination for each processor"},
        {"1\n\n3\n0\n", "2: ''; allowed: a processor, 0 to 3"},
        {"1\n-2\n3\n0\n", "2: '-2'; allowed: a processor, 0 to 3"},
        {"1\r2\n3\n0\n", "1: '1?2'; allowed: a processor, 0 to 3"},
        {"1\r\r\n2\n3\n0\n", "1: '1?'; allowed: a processor, 0 to 3"}, /* of CR LF one is the end */
        {"1\n2\n3\n99999999999999999999\n",
         "4: '99999999999999999999'; allowed: a processor, 0 to 3"},
    };
    char line[200], want[300];
    (void)state;
    const char *file = put("p", "3\n2\n1\n0", 7); /* the last line may lack its end */
    snprintf(line, sizeof line, "--nodes 4 --permutation %s", file);
    assert_int_equal(finish(line), 0);
    CHECK_EQ(s.config.pattern, FATFLY_PERMUTATION);
    for (unsigned a = 0; a < 4; a++)
        CHECK_AT(a, s.config.permutation[a], 3 - a);
    CHECK_EQ(settings_finish(&s, &f), 0); /* again: read anew, nothing leaks */
    settings_free(&s);
    for (size_t k = 0; k < ROWS(bad); k++) {
        put("p", bad[k].text, strlen(bad[k].text));
        assert_int_equal(finish(line), -1);
        snprintf(want, sizeof want, "%s:%s", file, bad[k].said);
        assert_string_equal(f.text, want);
        CHECK_AT(k, f.code, EXIT_INPUT);
        settings_free(&s);
    }
    unlink(file);
}

/* Weights with any blanks and commas between them, among comments and empty lines, are those that were written; with one thing
 * wrong the line is named. */
static void matrices(void **state)
{
    static const char *const between[] = {" ", ",", "\t", ", ", "  ", " \t,"}, *const around[] = {"", " ", "\t \t"};
    static const char *const empty[] = {"\n", "  \n", "# 1 2\n", " \t# a comment\n", "\r\n", " \r\n"}, *const ends[] = {"\n", "\r\n", " \n"};
    static const char *const bad[] = {"x", "-1", "nan", "0x1", "1e13", "1;2"};
    char line[200], want[300];
    (void)state;
    for (unsigned round = 0; round < 300; round++) {
        char text[2000] = "";
        double weight[16];
        unsigned lines = 0, wrong = draw(2) ? draw(16) : 16, at = 0;
        for (unsigned k = 0; k < 16; k++) {
            for (; k % 4 == 0 && !draw(3); lines++)
                strcat(text, empty[draw(ROWS(empty))]);
            weight[k] = k % 5 == 1 ? 1 : draw(1000) * 0.25;
            at = k == wrong ? lines + 1 : at;
            snprintf(text + strlen(text), 60, "%s%.10g", k % 4 ? between[draw(ROWS(between))] : around[draw(ROWS(around))], weight[k]);
            if (k == wrong)
                snprintf(text + strlen(text), 20, "%s", bad[draw(ROWS(bad))] );
            if (k % 4 == 3 && ++lines)
                strcat(text, k < 15 || draw(2) ? ends[draw(ROWS(ends))] : "");
        }
        const char *file = put("m", text, strlen(text));
        snprintf(line, sizeof line, "--nodes 4 --matrix %s", file);
        snprintf(want, sizeof want, "%s:%u: ", file, at);
        CHECK_AT(round, finish(line), wrong < 16 ? -1 : 0);
        for (unsigned k = 0; k < 16 && wrong == 16; k++)
            assert_true(s.config.matrix[k] >= weight[k] && s.config.matrix[k] <= weight[k]);
        if (wrong < 16 && strncmp(f.text, want, strlen(want)) != 0)
            fail_msg("not line %u: %s\n%s", at, f.text, text);
        settings_free(&s);
        unlink(file);
    }
}

/* The worms of a trace are those of the co-simulation's stimulus, and as many as carry its bytes. */
static void traces(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 50; round++) {
        char text[4000] = "t_ns,src,dst,bytes\n", line[200];
        unsigned length = 2 + draw(20), most = draw(2) ? 1 + draw(200) : 0, bits = 16 + draw(49), t = 0, worms = 0;
        for (unsigned k = 0; k < 20; k++) {
            unsigned src = draw(16), bytes = draw(3) ? draw(300) : 0, each = bits / 8 * (length - 1);
            unsigned sent = most && bytes > most ? most : bytes;
            worms += sent ? (sent + each - 1) / each : 1;
            t += draw(1000);
            snprintf(text + strlen(text), sizeof text - strlen(text), "%u,%u,%u,%u\n", t, src,
                     (src + 1 + draw(15)) % 16, bytes);
        }
        const char *file = put("t.csv", text, strlen(text));
        struct config c;
        struct stimulus st;
        config_default(&c);
        c.set.config.pattern = FATFLY_MESSAGES;
        c.set.config.length = length;
        c.shape.params.flit_w = bits;
        c.set.max_bytes = most;
        c.set.cycles_per_us = 50;
        snprintf(c.set.trace, sizeof c.set.trace, "%s", file);
        assert_int_equal(stimulus_make(&st, &c, &f), 0);
        snprintf(line, sizeof line, "--nodes 16 --trace %s --length %u --flit-bits %u --cycles-per-us 50 %s%u",
                 file, length, bits, most ? "--max-bytes=" : "--seed=", most);
        if (finish(line))
            fail_msg("%s", f.text);
        CHECK_AT(round, s.runs, 1);
        CHECK_AT(round, s.config.message_count, st.count);
        CHECK_AT(round, st.count, worms);
        for (size_t k = 0; k < st.count; k++) { /* there by source; number is the place here */
            const struct worm *w = &st.worm[k];
            const struct fatfly_message *m = &s.config.messages[w->number - 1];
            CHECK_AT(k, m->ready, w->ready);
            CHECK_AT(k, m->src, w->src);
            CHECK_AT(k, m->dst, w->dst);
            CHECK_AT(k, m->length, w->length);
        }
        stimulus_free(&st);
        settings_free(&s);
        unlink(file);
    }
    assert_int_equal(finish("--nodes 16 --trace x --length 1"), -1);
    assert_string_equal(f.text, "--length 1 with --pattern trace; allowed: 2 to 4096");
}

static void memory(void **state)
{
    static const char text[] = "t_ns,src,dst,bytes\n0,1,2,1099511627775\n";
    char line[200];
    (void)state;
    const char *file = put("t.csv", text, strlen(text));
    snprintf(line, sizeof line, "--nodes 16 --length 2 --trace %s", file);
    assert_int_equal(finish(line), -1);
    CHECK_EQ(f.code, EXIT_SYSTEM);
    assert_non_null(strstr(f.text, "needs 6597.1 GB of memory; "));
    settings_free(&s);
    unlink(file);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int drop_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* A page takes what it shows, and of names those that help lists; where a run takes more, it is said. */
static void in_a_page(void **state)
{
    static const struct { const char *line, *said; } refused[] = {
        {"--waves x.fst", "--waves is no option of fatfly view; allowed: in fatfly run"},
        {"--reply 3", "--reply is no option of fatfly view; allowed: in fatfly run, sweep files"},
        {"--engine fast", "--engine is no option of fatfly view; allowed: in fatfly run"},
        {"--discipline store", "--discipline store; allowed: worm, phased"},
        {"--lengths mix", "--lengths mix; allowed: fixed, uniform, geometric, bimodal"},
        {"--pattern matrix", "--pattern matrix; allowed: random, "}, {"--path walk", "--path walk; allowed: fp, "}};
    char line[100];
    (void)state;
    for (size_t k = 0; k < ROWS(refused); k++) {
        CHECK_AT(k, parse_in(IN_RUN, refused[k].line), 0);
        CHECK_AT(k, parse_in(IN_VIEW, refused[k].line), -1);
        if (strncmp(f.text, refused[k].said, strlen(refused[k].said)) != 0)
            fail_msg("%s", f.text);
    }
    for (unsigned k = 0; k < settings_count; k++)
        for (unsigned n = 0; n < settings_table[k].count && settings_table[k].places & IN_VIEW; n++) {
            snprintf(line, sizeof line, "--%s %s", settings_table[k].name, settings_table[k].names[n]);
            CHECK_AT(n, parse_in(IN_VIEW, line) == 0, row_has_name((enum row)k, IN_VIEW, n));
        }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),     cmocka_unit_test(names),      cmocka_unit_test(ranges),
        cmocka_unit_test(words),     cmocka_unit_test(round_trip), cmocka_unit_test(bad_lines),
        cmocka_unit_test(bad_texts), cmocka_unit_test(any_text),   cmocka_unit_test(derived), cmocka_unit_test(one_run_says_all),
        cmocka_unit_test(files),     cmocka_unit_test(permutations), cmocka_unit_test(sizes_of_cubes), cmocka_unit_test(windows),
        cmocka_unit_test(traces),    cmocka_unit_test(memory),     cmocka_unit_test(in_a_page),
        cmocka_unit_test(lines_of_texts), cmocka_unit_test(both_spellings), cmocka_unit_test(long_texts), cmocka_unit_test(matrices),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, make_folder, drop_folder);
}
