/* SPDX-License-Identifier: Apache-2.0
 * test_sweep.c - sweep files: the product and its order, keys, and what is refused where.
 */
#include "gg.h"
#include "plan.h"

#include "sweeps.h" /* last: cmocka has a macro fail() */

#include <string.h>
#include <unistd.h>

static void one_point(void **state)
{
    (void)state;
    struct sweep s = parse("seed = 1;");
    CHECK_EQ(s.points, 1);
    struct settings p = point(&s, 0), usual;
    settings_default(&usual);
    CHECK_EQ(p.config.nodes, usual.config.nodes);
    assert_string_equal(s.name, "x");
    sweep_free(&s);
    s = parse("name = \"y-1\"; title = \"T\"; nodes = 16;");
    CHECK_EQ(s.points, 1);
    CHECK_EQ(point(&s, 0).config.nodes, 16);
    assert_string_equal(s.name, "y-1");
    assert_string_equal(s.title, "T");
    sweep_free(&s);
}

static void all_kinds_of_values(void **state)
{
    (void)state;
    struct sweep s = parse("seed = 999999999999999999;\nload = (1, 0.1);\nself_traffic = [true, "
                           "false];\npath = \"rg\"; warmup = \"auto\"; cycles = 0x100;");
    CHECK_EQ(s.points, 4);
    struct settings a = point(&s, 0), b = point(&s, 3);
    CHECK_EQ(a.config.seed, UINT64_C(999999999999999999));
    assert_true(a.config.load == 1 && b.config.load == 0.1);
    assert_true(a.config.self_traffic && !b.config.self_traffic);
    CHECK_EQ(a.config.path, FATFLY_RG);
    CHECK_EQ(a.config.detect_warmup, 1);
    CHECK_EQ(a.config.cycles, 256);
    sweep_free(&s);
}

/* Against loops: the first name is the outermost. */
static void first_varies_slowest(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {64, 16, 256};
    static const unsigned depth[] = {1, 4};
    static const enum fatfly_path path[] = {FATFLY_RG, FATFLY_FP, FATFLY_RP, FATFLY_GP};
    struct sweep s = parse("nodes = [64, 16, 256]; depth = (1, 4);\n"
                           "path = [\"rg\", \"fp\", \"rp\", \"gp\"]; length = 7;");
    uint64_t k = 0;
    CHECK_EQ(s.points, 24);
    for (unsigned a = 0; a < 3; a++)
        for (unsigned b = 0; b < 2; b++)
            for (unsigned c = 0; c < 4; c++, k++) {
                struct fatfly_config p = point(&s, k).config;
                CHECK_AT(k, p.nodes, nodes[a]);
                CHECK_AT(k, p.depth, depth[b]);
                CHECK_AT(k, p.path, path[c]);
                CHECK_AT(k, p.length, 7);
            }
    char name[100];
    sweep_point_name(&s, 5, name, sizeof name);
    assert_string_equal(name, "nodes = 64, depth = 4, path = fp");
    sweep_point_name(&s, 5, name, 12); /* cut, not overrun */
    assert_string_equal(name, "nodes = 64,");
    sweep_free(&s);
}

static void groups_stand_for_one_setting(void **state)
{
    (void)state;
    static const struct {
        unsigned depth;
        uint32_t nodes;
        double load;
        unsigned length;
    } want[] = {
        {1, 16, 0.1, 8}, {1, 16, 0.1, 9}, {1, 16, 0.2, 8}, {1, 16, 0.2, 9},
        {1, 64, 0.3, 8}, {1, 64, 0.3, 9},
        {2, 16, 0.1, 8}, {2, 16, 0.1, 9}, {2, 16, 0.2, 8}, {2, 16, 0.2, 9},
        {2, 64, 0.3, 8}, {2, 64, 0.3, 9},
    };
    struct sweep s = parse("depth = [1, 2];\n"
                           "points = ( { nodes = 16; load = [0.1, 0.2]; },\n"
                           "           { nodes = 64; load = 0.3; } );\n"
                           "length = [8, 9];\n");
    CHECK_EQ(s.points, ROWS(want));
    for (unsigned k = 0; k < ROWS(want); k++) {
        struct fatfly_config p = point(&s, k).config;
        CHECK_AT(k, p.depth, want[k].depth);
        CHECK_AT(k, p.nodes, want[k].nodes);
        CHECK_AT(k, p.length, want[k].length);
        assert_true(p.load == want[k].load);
    }
    char name[100];
    sweep_point_name(&s, 5, name, sizeof name);
    assert_string_equal(name, "depth = 1, nodes = 64, load = 0.3, length = 9");
    sweep_free(&s);
}

static void shares_of_the_saturation_load(void **state)
{
    (void)state;
    struct sweep s = parse("load_share = [0.5, 0.9]; nodes = [16, 1024];");
    for (unsigned k = 0; k < 4; k++) {
        double want = (k < 2 ? 0.5 : 0.9) * gg_saturation(k % 2 ? 5 : 2);
        double got = point(&s, k).config.load;
        assert_true(got > 0.99999 * want && got < 1.00001 * want);
    }
    sweep_free(&s);
}

static void key_of(const char *text, char key[SWEEP_MAX_KEY])
{
    struct sweep s = parse(text);
    struct settings p = point(&s, 0);
    struct fail f = {.text = ""};
    CHECK_EQ(sweep_key(&p, key, SWEEP_MAX_KEY, &f), 0);
    settings_free(&p);
    sweep_free(&s);
}

/* Two points have one key exactly if they are one experiment. */
static void keys(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool same;
    } cases[] = {
        {"nodes = 64;", "vcs = 1;", true},
        {"nodes = 64;", "depth = 2; vcs = 1; scan = \"rr\";", true},
        {"nodes = 16; length = 4;", "length = 4; nodes = 16;", true},
        {"load = 0.1;", "load = 0.10;", true},
        {"load = 0.1;", "load = 0.1; runs = 1;", true},
        {"nodes = 64;", "runs = 30;", true},
        {"nodes = 64;", "runs = 31;", false},
        {"nodes = 64;", "load = 0.1;", false},
        {"load = 0.1;", "load = 0.1000001;", false},
        {"seed = 1;", "seed = 2;", false},
        {"discipline = \"store\";", "discipline = \"store\"; depth = 1;", true},
        {"discipline = \"store\";", "discipline = \"store\"; depth = 2;", false},
        {"load = 0.1; warmup = \"auto\";", "load = 0.1;", true},
        {"load = 0.1; warmup = 100;", "load = 0.1;", false},
        {"load = 0.1; arrivals = \"poisson\";", "load = 0.1;", false},
        {"max_cycles = 1000;", "nodes = 64;", false},
    };
    char a[SWEEP_MAX_KEY], b[SWEEP_MAX_KEY];
    for (unsigned k = 0; k < ROWS(cases); k++) {
        key_of(cases[k].a, a);
        key_of(cases[k].b, b);
        CHECK_AT(k, strcmp(a, b) == 0, cases[k].same);
        assert_null(strchr(a, '\n'));
    }
    /* All that decides a result is in it. */
    for (unsigned k = 0; k < settings_count; k++) {
        char want[64];
        snprintf(want, sizeof want, ";%s=", settings_table[k].name);
        for (char *c = want; *c; c++)
            *c = *c == '-' ? '_' : *c;
        bool there = strstr(a, want) || strncmp(a, want + 1, strlen(want + 1)) == 0;
        CHECK_AT(k, there, !!(settings_table[k].places & IN_SWEEP));
    }
}

/* A recorded trace counts by what is in it; its name starts from the sweep file's folder. */
static void files_in_keys(void **state)
{
    (void)state;
    char cfg[64], map[64], key[3][SWEEP_MAX_KEY];
    static const char *const maps[] = {"1\n0\n3\n2\n", "1\n0\n3\n2\n", "0\n1\n3\n2\n"};
    snprintf(cfg, sizeof cfg, "%s/s.cfg", folder);
    snprintf(map, sizeof map, "%s/map;=#", folder); /* ; and = separate in keys */
    write_file(cfg, "nodes = 4; pattern = \"permutation\"; permutation = \"map;=#\";");
    for (unsigned k = 0; k < 3; k++) {
        struct sweep s;
        struct fail f = {.text = ""};
        write_file(map, maps[k]);
        CHECK_AT(k, sweep_load(&s, cfg, &f), 0);
        struct settings p = point(&s, 0);
        CHECK_AT(k, sweep_key(&p, key[k], SWEEP_MAX_KEY, &f), 0);
        CHECK_AT(k, sweep_key(&p, key[k] + 1, 40, &f), -1); /* no room */
        CHECK_AT(k, sweep_key(&p, key[k], SWEEP_MAX_KEY, &f), 0);
        settings_free(&p);
        sweep_free(&s);
    }
    assert_string_equal(key[0], key[1]);
    assert_string_not_equal(key[0], key[2]);
    assert_non_null(strstr(key[0], ";permutation=map:=##"));
    unlink(map);
    unlink(cfg);
}

/* Three times the work of a point is three times its cost, of whatever it has more; `base` has so much that little else counts. */
static void costs(void **state)
{
    static const struct { const char *base, *more; } row[] = {
        {"length = 4000; rounds = 10;", "runs = [100, 300];"},
        {"length = 4000;", "rounds = [100, 300];"},
        {"rounds = 100;", "length = [1000, 3000];"},
        {"warmup = 0;", "load = 0.3; cycles = [1000000, 3000000];"},
        {"cycles = 64;", "load = 0.3; warmup = [1000000, 3000000];"},
        {"cycles = 1000000;", "load = [0.1, 0.3];"},
        {"trace = \"trace.csv\"; length = 4000;", "max_messages = [100, 300];"},
        {"trace = \"trace.csv\";", "length = [1000, 3000];"},
        {"rounds = 1000; topology = \"mesh\"; path = \"e-cube\"; radix = 4; dimensions = 2;", "length = [1000, 3000];"},
    };
    char cfg[64], trace[64], text[300], rows[8000] = "t_ns,src,dst,bytes\n";
    (void)state;
    for (unsigned k = 0, used = (unsigned)strlen(rows); k < 300; k++)
        used += (unsigned)snprintf(rows + used, sizeof rows - used, "%u,1,2,8\n", k);
    snprintf(cfg, sizeof cfg, "%s/s.cfg", folder);
    snprintf(trace, sizeof trace, "%s/trace.csv", folder);
    write_file(trace, rows);
    for (unsigned k = 0; k < ROWS(row); k++) {
        struct sweep s;
        struct plan p;
        struct fail f = {.text = ""};
        snprintf(text, sizeof text, "nodes = 16; %s %s", row[k].base, row[k].more);
        write_file(cfg, text);
        if (sweep_load(&s, cfg, &f) || plan_make(&p, &s, &f))
            fail_msg("%s: %s", text, f.text);
        CHECK_AT(k, p.count, 2);
        double times = p.item[1].cost / p.item[0].cost;
        if (!(times > 2.9 && times < 3.1))
            fail_msg("%s: %g times the cost", text, times);
        plan_free(&p);
        sweep_free(&s);
    }
    unlink(trace);
    unlink(cfg);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where, *said;
    } cases[] = {
        {"nodes = 16\nlength = ;", "x.cfg:2: ", ""},
        {"nodes = 16;\n\nnods = 16;", "x.cfg:3: ", "nearest valid name: nodes"},
        {"lenght = [1, 2];", "x.cfg:1: ", "nearest valid name: length"},
        {"zzzzzz = 1;", "x.cfg:1: ", "allowed: "},
        {"nodes = 16;\nthreads = 2;", "x.cfg:2: ", "threads in a sweep file; allowed: in fatfly run"},
        {"format = \"csv\";", "x.cfg:1: ", "format in a sweep file; allowed: in fatfly run"},
        {"depth = [1,\n 17];", "x.cfg:2: ", "1 to 16"},
        {"path = [\"rp\", \"rr\"];", "x.cfg:1: ", "allowed: "},
        {"nodes = [16, 0];", "x.cfg:1: ", "1 to 16777216"},
        {"load = [0.1, 2];", "x.cfg:1: ", "allowed: [0.5, 1.0]"},
        {"load = [];", "x.cfg:1: ", "load has no value"},
        {"load = ();", "x.cfg:1: ", "load has no value"},
        {"load = (0.1, (0.2));", "x.cfg:1: ", "a list within load"},
        {"load = { a = 1; };", "x.cfg:1: ", "a group within load"},
        {"load = 0.1;\nload = 0.2;", "x.cfg:2: ", ""},
        {"max_cycles = 5;\nmax-cycles = 5;", "x.cfg:2: ", "it is in line 1, too"},
        {"points = ( { nodes = 4; } );\nnodes = 16;", "x.cfg:1: ", "nodes again"},
        {"nodes = 16;\npoints = ( { length = 4; },\n { nodes = 4; } );", "x.cfg:3: ",
         "it is in line 1, too"},
        {"points = 3;", "x.cfg:1: ", "points is a whole number"},
        {"points = ();", "x.cfg:1: ", "points is empty"},
        {"points = [1];", "x.cfg:1: ", "points is an array"},
        {"points = ( 3 );", "x.cfg:1: ", "points has a whole number"},
        {"points = ( { } );", "x.cfg:1: ", "an empty group"},
        {"points = ( { points = ( { nodes = 4; } ); } );", "x.cfg:1: ", "points"},
        {"points = ( { name = \"a\"; } );", "x.cfg:1: ", "name"},
        {"name = 3;", "x.cfg:1: ", "name is a whole number"},
        {"name = \"a/b\";", "x.cfg:1: ", "as the name of a sweep"},
        {"name = \"\";", "x.cfg:1: ", "as the name of a sweep"},
        {"load_share = 0.5;\nload = 0.1;", "x.cfg:1: ", "load_share together with load"},
        {"load = 0.1;\npoints = ( { load_share = 0.1; } );", "x.cfg:2: ", "together"},
        {"load_share = 0;", "x.cfg:1: ", "above 0"},
        {"load_share = \"nan\";", "x.cfg:1: ", "above 0"},
        {"@include \"/etc/passwd\"", "x.cfg:1: ", ""},
        {"seed = 99999999999999999999;", "x.cfg:1: ", ""},
    };
    for (unsigned k = 0; k < ROWS(cases); k++) {
        struct sweep s;
        struct fail f = {.code = EXIT_OK, .text = ""};
        CHECK_AT(k, sweep_parse(&s, "x.cfg", cases[k].text, &f), -1);
        CHECK_AT(k, f.code, EXIT_INPUT);
        if (strncmp(f.text, cases[k].where, strlen(cases[k].where)) != 0
            || !strstr(f.text, cases[k].said)) {
            print_error("case %u: '%s', want %s %s\n", k, f.text, cases[k].where, cases[k].said);
            assert_true(false);
        }
        CHECK_AT(k, s.points, 0); /* freed */
    }
}

/* A contradiction of two settings names the line of the one that is useless. */
static void contradictions(void **state)
{
    (void)state;
    struct sweep s = parse("discipline = [\"worm\", \"univ\"];\nload = 0.1;");
    struct settings p;
    struct fail f = {.code = EXIT_OK, .text = ""};
    struct settings first = point(&s, 0);
    settings_free(&first);
    CHECK_EQ(sweep_point(&s, 1, &p, &f), 0);
    CHECK_EQ(settings_finish(&p, &f), -1);
    CHECK_EQ(f.code, EXIT_INPUT);
    assert_non_null(strstr(f.text, "dir/x.cfg:2: "));
    sweep_free(&s);
}

static void too_many(void **state)
{
    (void)state;
    struct sweep s;
    struct fail f;
    char text[3000] = "seed = (", *to = text + 8;
    for (unsigned k = 0; k < 100; k++)
        to += sprintf(to, "%s%u", k ? "," : "", k);
    strcpy(to, ");\n");
    size_t one = strlen(text);
    static const char *const more[] = {"max_messages", "max_bytes"};
    for (unsigned k = 0; k < 2; k++) {
        char *copy = text + strlen(text);
        size_t length = (size_t)sprintf(copy, "%s = (1", more[k]);
        for (unsigned j = 2; j <= 100; j++)
            length += (size_t)sprintf(copy + length, ",%u", j);
        strcpy(copy + length, ");\n");
    }
    CHECK_EQ(sweep_parse(&s, "x.cfg", text, &f), 0);
    CHECK_EQ(s.points, SWEEP_MAX_POINTS);
    sweep_free(&s);
    strcat(text, "vcs = [1, 2];");
    CHECK_EQ(sweep_parse(&s, "x.cfg", text, &f), -1);
    CHECK_EQ(f.code, EXIT_INPUT);
    assert_non_null(strstr(f.text, "x.cfg: 2000000 points; allowed: at most 1000000"));
    /* Groups add up. */
    char group[6100];
    text[one] = '\0';
    snprintf(group, sizeof group, "points = ( { %s }, { %s } ); length = [1, 2];", text, text);
    s = parse(group);
    CHECK_EQ(s.points, 400);
    sweep_free(&s);
}

/* Whatever text comes: refused in one line, or points that can be had. */
static void random_texts(void **state)
{
    (void)state;
    static const char *const words[] = {
        "nodes", "load", "path", "points", "load_share", "name", "title", "=", ";", "(", ")", "{",
        "}", "[", "]", ",", "16", "0.1", "\"rp\"", "1e9", "-1", "true", "\"", "/*", "\n", "length",
        " ", "64", "@include", "depth", "0x10", "seed",
    };
    unsigned good = 0;
    for (unsigned k = 0; k < 20000; k++) {
        char text[400] = "";
        for (unsigned n = draw(16); n > 0; n--)
            strcat(text, words[draw(ROWS(words))]);
        /* Of random words few make a file; so one that is right is spoiled, too. */
        if (k % 2) {
            strcpy(text, "nodes = [16, 64]; points = ( { load = 0.1; }, { load = (0.2, 1); } );");
            for (unsigned n = draw(3); n > 0; n--)
                memcpy(text + draw(60), words[draw(ROWS(words))], 1);
        }
        struct sweep s;
        struct fail f = {.code = EXIT_OK, .text = ""};
        if (sweep_parse(&s, "x.cfg", text, &f)) {
            CHECK_AT(k, f.code, EXIT_INPUT);
            assert_null(strchr(f.text, '\n'));
            assert_true(strncmp(f.text, "x.cfg:", 6) == 0);
            continue;
        }
        good++;
        assert_in_range(s.points, 1, SWEEP_MAX_POINTS);
        for (uint64_t j = 0; j < s.points && j < 10; j++) {
            struct settings p;
            char name[60];
            int bad = sweep_point(&s, j, &p, &f);
            assert_true(!bad || f.code == EXIT_INPUT);
            sweep_point_name(&s, j, name, sizeof name);
            settings_free(&p);
        }
        sweep_free(&s);
    }
    assert_true(good > 100);
}

/* libconfig's scanner drops a string that is followed by a syntax error. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:strbuf_append\nleak:libconfig_yylex\n";
}

const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}

/* Two settings that exclude each other do so wherever each of them stands, outside or in a group. */
static void wherever_it_stands(void **state)
{
    static const char *const pairs[][2] = {{"load_share = 0.5;", "load = 0.1;"}, {"load = 0.1;", "load = 0.2;"},
                                           {"load_share = 0.5;", "load_share = 0.6;"}, {"nodes = 4;", "nodes = [16, 64];"}};
    static const char *const places[] = {"%s %s", "%s points = ( { %s } );", "points = ( { %2$s } ); %1$s",
                                         "points = ( { seed = 1; }, { %s length = 3; %s } );", "%s points = ( { seed = 1; }, { %s } );"};
    (void)state;
    for (unsigned k = 0; k < 2 * ROWS(pairs) * ROWS(places); k++) {
        const char *const *pair = pairs[k / 2 % ROWS(pairs)];
        struct sweep s;
        struct fail f = {.code = EXIT_OK, .text = ""};
        char text[200];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(text, sizeof text, places[k / 2 / ROWS(pairs)], pair[k % 2], pair[1 - k % 2]);
#pragma GCC diagnostic pop
        if (sweep_parse(&s, "x.cfg", text, &f) != -1 || f.code != EXIT_INPUT)
            fail_msg("%s: taken, or refused with code %d", text, (int)f.code);
    }
    struct sweep s = parse("points = ( { load_share = 0.5; }, { load = 0.1; } );"); /* of two groups each is alone */
    CHECK_EQ(s.points, 2);
    sweep_free(&s);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wherever_it_stands),
        cmocka_unit_test(one_point),
        cmocka_unit_test(all_kinds_of_values),
        cmocka_unit_test(first_varies_slowest),
        cmocka_unit_test(groups_stand_for_one_setting),
        cmocka_unit_test(shares_of_the_saturation_load),
        cmocka_unit_test(keys),
        cmocka_unit_test(files_in_keys),
        cmocka_unit_test(costs),
        cmocka_unit_test(refusals),
        cmocka_unit_test(contradictions),
        cmocka_unit_test(too_many),
        cmocka_unit_test(random_texts),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
