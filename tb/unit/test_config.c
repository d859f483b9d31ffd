/* SPDX-License-Identifier: Apache-2.0
 * test_config.c - the reader of cases: every line that refuses one, word by word, and good cases.
 */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS "nodes for a network, or level and levels for one switch"
#define KEYS                                                                                       \
    "nodes, depth, vcs, flit_bits, path, scan, pattern, hotspot, hotspot_node, length, lengths, "   \
    "length_min, rounds, load, cycles, trace, cycles_per_us, max_bytes, max_messages, seed, level, " \
    "levels, stall, reset_every, verilog"
#define PATTERNS                                                                                   \
    "random, complement, many-to-1, transpose, bit-reversal, bit-complement, shuffle, neighbour, "  \
    "hotspot, trace"

/* Bad cases and the line each gives, without the "c.cfg:" in front. */
static const struct {
    const char *text;
    const char *line;
} bad[] = {
    /* names */
    {"nodes = 16;\n\ndepht = 2;", "3: key 'depht' is unknown; nearest valid name: depth"},
    {"nodes = 16; Length = 2;", "1: key 'Length' is unknown; nearest valid name: length"},
    {"nodes = 16; cycle_per_us = 2;",
     "1: key 'cycle_per_us' is unknown; nearest valid name: cycles_per_us"},
    {"nodes = 16; q = 2;", "1: key 'q' is unknown; allowed: " KEYS},
    {"nodes = 16; something = 2;", "1: key 'something' is unknown; allowed: " KEYS},
    {"nodes = 16; path = \"rpp\";", "1: path = rpp; allowed: fp, rp, gp, rg, rw; nearest: rp"},
    {"nodes = 16; path = \"\";", "1: path = ''; allowed: fp, rp, gp, rg, rw"},
    {"nodes = 16;\nscan = \"fcsf\";",
     "2: scan = fcsf; allowed: rr, fo, ff, rot, fcfs; nearest: fcfs"},
    {"nodes = 16; pattern = \"many-to-one\";",
     "1: pattern = many-to-one; allowed: " PATTERNS "; nearest: many-to-1"},
    {"nodes = 16; pattern = \"packing\";", "1: pattern = packing; allowed: " PATTERNS},
    {"nodes = 16; path = \"e-cube\";", "1: path = e-cube; allowed: fp, rp, gp, rg, rw"},
    {"nodes = 16; lengths = \"bimodal\";", "1: lengths = bimodal; allowed: fixed, uniform"},
    /* where a key is taken that a case does not take */
    {"nodes = 16;\ndiscipline = \"store\";",
     "2: discipline in a case; allowed: in fatfly run, sweep files"},
    {"nodes = 16; threads = 2;", "1: threads in a case; allowed: in fatfly run"},
    {"nodes = 16; path = \"a\\nb\";", "1: path = a?b; allowed: fp, rp, gp, rg, rw"},
    /* types */
    {"nodes = \"16\";", "1: nodes is a string; allowed: a whole number"},
    {"nodes = 16.0;", "1: nodes is a number with a fraction; allowed: a whole number"},
    {"nodes = true;", "1: nodes is true or false; allowed: a whole number"},
    {"nodes = 16; load = \"0.1\";", "1: load is a string; allowed: a number"},
    {"nodes = 16; load = false;", "1: load is true or false; allowed: a number"},
    {"nodes = 16; path = 1;", "1: path is a whole number; allowed: a string"},
    {"nodes = 16;\nseed = [1, 2];", "2: seed is an array; allowed: a whole number"},
    {"nodes = 16;\nseed = (1, 2);", "2: seed is a list; allowed: a whole number"},
    {"nodes = 16;\nseed = { a = 1; };", "2: seed is a group; allowed: a whole number"},
    /* ranges */
    {"nodes = 60;", "1: nodes = 60; allowed: 4^n with n = 1 to 10; nearest: 16 and 64"},
    {"nodes = 0;", "1: nodes = 0; allowed: a whole number, 1 to 16777216"},
    {"nodes = -16;", "1: nodes = -16; allowed: a whole number, 1 to 16777216"},
    {"nodes = 1;", "1: nodes = 1; allowed: 4^n with n = 1 to 10; nearest: 4"},
    {"nodes = 4194304;", "1: nodes = 4194304; allowed: 4^n with n = 1 to 10; nearest: 1048576"},
    {"level = 0; levels = 2;", "1: level = 0; allowed: a whole number, 1 to 10"},
    {"level = 3;\nlevels = 2;", "1: level = 3; allowed: 1 to 2"},
    {"level = 1; levels = 11;", "1: levels = 11; allowed: a whole number, 1 to 10"},
    {"nodes = 16;\nvcs = 0;", "2: vcs = 0; allowed: a whole number, 1 to 129"},
    {"nodes = 16;\nvcs = 3;", "2: vcs = 3; allowed: a whole number, 1, 2 or 4"},
    {"nodes = 16; vcs = 5;", "1: vcs = 5; allowed: a whole number, 1, 2 or 4"},
    {"nodes = 16; depth = 0;", "1: depth = 0; allowed: auto, unbounded, or a whole number, 1 to 16"},
    {"nodes = 16; depth = 17;", "1: depth = 17; allowed: auto, unbounded, or a whole number, 1 to 16"},
    {"nodes = 16; depth = -1;", "1: depth = -1; allowed: auto, unbounded, or a whole number, 1 to 16"},
    {"nodes = 16; depth = 4294967298;", "1: depth = 4294967298; allowed: auto, unbounded, or a whole number, 1 to 16"},
    {"nodes = 16; flit_bits = 15;", "1: flit_bits = 15; allowed: auto, or a whole number, 16 to 64"},
    {"nodes = 16; flit_bits = 65;", "1: flit_bits = 65; allowed: auto, or a whole number, 16 to 64"},
    {"nodes = 16; length = 0;", "1: length = 0; allowed: a whole number, 1 to 4096"},
    {"nodes = 16; length = 4097;", "1: length = 4097; allowed: a whole number, 1 to 4096"},
    {"nodes = 16; length_min = 0;", "1: length_min = 0; allowed: a whole number, 1 to 4096"},
    {"nodes = 16; rounds = 0;", "1: rounds = 0; allowed: a whole number, 1 to 1000000"},
    {"nodes = 16; load = 0;", "1: load = 0; allowed: none, or a number, 0.000001 to 1"},
    {"nodes = 16; load = 1.5;", "1: load = 1.5; allowed: none, or a number, 0.000001 to 1"},
    {"nodes = 16; load = -0.1;", "1: load = -0.1; allowed: none, or a number, 0.000001 to 1"},
    {"nodes = 16; load = 1e999;", "1: load = inf; allowed: none, or a number, 0.000001 to 1"},
    {"nodes = 16; cycles = -1;", "1: cycles = -1; allowed: a whole number, 1 to 1000000000"},
    {"nodes = 16; seed = -1;", "1: seed = -1; allowed: a whole number, 0 to 18446744073709551615"},
    {"nodes = 16; stall = 91;", "1: stall = 91; allowed: a whole number, 0 to 90"},
    {"nodes = 16; cycles_per_us = 0.0;", "1: cycles_per_us = 0; allowed: a number, 0.000001 to 1000000"},
    {"nodes = 16; max_bytes = -1;", "1: max_bytes = -1; allowed: none, or a whole number, 1 to 1099511627776"},
    {"nodes = 16; max_messages = -1;", "1: max_messages = -1; allowed: all, or a whole number, 1 to 1099511627776"},
    {"nodes = 16; trace = \"\"; pattern = \"trace\";",
     "1: trace = ''; allowed: the name of a file"},
    {"nodes = 16; seed = 99999999999999999999;",
     "1: '99999999999999999999'; allowed: whole numbers of up to 18 digits in a file"},
    {"nodes = 16; seed = 99999999999999999999999999999;",
     "1: '999999999999999999999999...'; allowed: whole numbers of up to 18 digits in a file"},
    {"nodes = 16;\nseed = -1234567890123456789;",
     "2: '1234567890123456789'; allowed: whole numbers of up to 18 digits in a file"},
    {"nodes = 16;\nseed = 0x1000000000000000;",
     "2: '0x1000000000000000'; allowed: whole numbers of up to 15 digits in a file"},
    /* contradictions */
    {"", "1: neither nodes nor level; allowed: " WORDS},
    {"seed = 1;", "1: neither nodes nor level; allowed: " WORDS},
    {"nodes = 16;\nlevel = 1;", "2: level together with nodes; allowed: " WORDS},
    {"nodes = 16;\nlevels = 2;", "2: levels together with nodes; allowed: " WORDS},
    {"level = 1;", "1: level without levels; allowed: both, for one switch"},
    {"\nlevels = 1;", "2: levels without level; allowed: both, for one switch"},
    {"level = 1; levels = 2;\npattern = \"shuffle\";",
     "2: shuffle on one switch; allowed: an open loop from every side, load and cycles"},
    {"level = 1; levels = 2;\npattern = \"trace\"; trace = \"t.csv\";",
     "2: trace on one switch; allowed: an open loop from every side, load and cycles"},
    {"level = 1; levels = 2;", "1: an open loop without cycles; allowed: cycles = 1 to 1000000000"},
    {"nodes = 16;\nload = 0.1;",
     "2: an open loop without cycles; allowed: cycles = 1 to 1000000000"},
    {"nodes = 16;\nload = 0.1;\ncycles = 0;",
     "3: cycles = 0; allowed: a whole number, 1 to 1000000000"},
    {"nodes = 16;\ncycles = 9;",
     "2: cycles = 9 without load; allowed: only in an open loop, with load"},
    {"nodes = 16; load = 0.1; cycles = 9;\npattern = \"shuffle\";",
     "2: pattern = shuffle with load = 0.1; allowed: only in a static run, without load"},
    {"nodes = 16;\nlengths = \"uniform\";",
     "2: lengths = uniform without load; allowed: only in an open loop, with load"},
    {"nodes = 16; pattern = \"hotspot\";\nlength_min = 1;",
     "2: length_min = 1 with lengths = fixed; allowed: only with lengths = uniform, geometric or "
     "bimodal"},
    {"nodes = 16; load = 0.1; cycles = 9;\nrounds = 2;",
     "2: rounds = 2 with load = 0.1; allowed: only in a static run, without load"},
    {"nodes = 16; pattern = \"random\";\ntrace = \"t.csv\";",
     "2: trace = t.csv with pattern = random; allowed: only with pattern = trace"},
    {"nodes = 16;\ncycles_per_us = 1.0;",
     "2: cycles_per_us = 1 with pattern = random; allowed: only with pattern = trace"},
    {"nodes = 16;\nmax_bytes = 1;",
     "2: max_bytes = 1 with pattern = random; allowed: only with pattern = trace"},
    {"nodes = 16;\nmax_messages = 1;",
     "2: max_messages = 1 with pattern = random; allowed: only with pattern = trace"},
    {"nodes = 16;\npattern = \"trace\";",
     "2: pattern = trace without its file; allowed: with trace = FILE"},
    {"nodes = 16; pattern = \"trace\"; trace = \"t\";\nlength = 1;",
     "2: length = 1 with pattern = trace; allowed: 2 to 4096"},
    {"nodes = 16; load = 0.1; cycles = 9; length = 4; lengths = \"uniform\";\nlength_min = 5;",
     "2: length_min = 5 with length = 4; allowed: 1 to 4"},
    {"nodes = 16; hotspot = 0.5; pattern = \"hotspot\";\nhotspot_node = 16;",
     "2: hotspot_node = 16 with nodes = 16; allowed: 0 to 15"},
    {"nodes = 16;\ndepth = \"unbounded\";",
     "2: depth = unbounded; allowed on a fat-tree: 1 to 16"},
    /* a head that does not fit */
    {"nodes = 256;\nflit_bits = 18;",
     "2: flit_bits = 18; a head of 256 processors with path = rp needs 19"},
    {"nodes = 256; path = \"fp\";\nflit_bits = 21;",
     "2: flit_bits = 21; a head of 256 processors with path = fp needs 22"},
    {"\nnodes = 65536;", "2: flit_bits = 32; a head of 65536 processors with path = rp needs 36"},
    {"level = 1; cycles = 9;\nlevels = 8;",
     "2: flit_bits = 32; a head of 65536 processors with path = rp needs 36"},
    /* syntax */
    {"nodes = 16;\nnodes = 64;",
     "2: duplicate setting name; allowed: each key once, as key = value;"},
    {"nodes = ;", "1: syntax error; allowed: key = value; with a string in quotes"},
    {"nodes = 16;\n= 3;", "2: syntax error; allowed: key = value; with a string in quotes"},
    {"nodes = 16;\nload = 0,1;", "2: syntax error; allowed: a decimal point, as in 0.1;"},
    {"nodes = 16;\nload = nan;", "2: syntax error; allowed: a finite number, in digits"},
    {"nodes = 16;\nload = -inf;", "2: syntax error; allowed: a finite number, in digits"},
    {"\xef\xbb\xbfnodes = 16;", "1: a byte order mark; allowed: text without one"},
    {"nodes = ((((((((((((((((((1))))))))))))))))));",
     "1: brackets in brackets, 17 deep; allowed: at most 16"},
    {"nodes = 16;\n@include \"/etc/hostname\"\n",
     "2: '@include'; allowed: keys and values, no other files"},
    {"nodes = 16; @seed = 1;", "1: '@'; allowed: keys and values, no other files"},
    {"nodes = 16;\n/* no end\n", "2: a comment without its end; allowed: /* ... */"},
    {"nodes = 16;\npath = \"rp;\n", "2: a string without its end; allowed: \"...\""},
    {"nodes = 16;\npath = \"rp\\", "2: a string without its end; allowed: \"...\""},
};

static void bad_cases(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        struct config c;
        struct fail f = {.code = EXIT_OK};
        char want[400];
        snprintf(want, sizeof want, "c.cfg:%s", bad[k].line);
        assert_int_equal(config_parse(&c, "c.cfg", bad[k].text, &f), -1);
        assert_string_equal(f.text, want);
        assert_int_equal(f.code, EXIT_INPUT);
    }
}

static void bad_names(void **state)
{
    static const char *const names[] = {"a/.cfg", "a b.cfg", "-x.cfg", "a/", "x\n.cfg"};
    static const char *const shown[] = {"a/.cfg: '.cfg'", "a b.cfg: 'a b.cfg'", "-x.cfg: '-x.cfg'",
                                        "a/: ''", "x?.cfg: 'x?.cfg'"};
    struct config c;
    struct fail f;
    char want[400], name[65 + 5];
    (void)state;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(want, sizeof want, "%s as the name of a case; allowed: 1 to 63 letters, digits, "
                 "'.', '_' and '-', the first a letter, a digit or '_'", shown[k]);
        assert_int_equal(config_parse(&c, names[k], "nodes = 16;", &f), -1);
        assert_string_equal(f.text, want);
        assert_int_equal(f.code, EXIT_INPUT);
    }
    for (size_t k = 1; k <= 63; k++) { /* of each length, with .cfg and without */
        memset(name, 'x', sizeof name);
        strcpy(name + k, ".cfg");
        for (unsigned cut = 0; cut < 2; cut++) {
            assert_int_equal(config_parse(&c, name, "nodes = 16;", &f), 0);
            assert_int_equal(strlen(c.name), k);
            name[k] = '\0';
        }
    }
    memset(name, 'x', sizeof name);
    strcpy(name + 64, ".cfg");
    assert_int_equal(config_parse(&c, name, "nodes = 16;", &f), -1);
}

static void long_text(void **state)
{
    static char text[65538];
    struct config c;
    struct fail f;
    (void)state;
    memset(text, '\n', sizeof text - 1);
    memcpy(text, "nodes = 16;", 11);
    assert_int_equal(config_parse(&c, "c.cfg", text, &f), -1);
    assert_string_equal(f.text, "c.cfg: more than 65536 characters; allowed: at most 65536");
    text[65536] = '\0';
    assert_int_equal(config_parse(&c, "c.cfg", text, &f), 0);
}

static void same_params(const struct switch_params *a, const struct switch_params *b)
{
    assert_int_equal(a->vcs, b->vcs);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->flit_w, b->flit_w);
    assert_int_equal(a->path, b->path);
    assert_int_equal(a->scan, b->scan);
    assert_int_equal(a->level, b->level);
    assert_int_equal(a->levels, b->levels);
}

static void defaults(void **state)
{
    static const struct switch_params want = {.vcs = 1, .depth = 2, .flit_w = 32, .path = PATH_RP,
                                              .scan = SCAN_RR, .level = 1, .levels = 2};
    struct config c;
    struct fail f;
    (void)state;
    assert_int_equal(config_parse(&c, "folder/name.cfg", "nodes = 16;", &f), 0);
    assert_string_equal(c.name, "name");
    assert_true(c.shape.network);
    same_params(&c.shape.params, &want);
    assert_int_equal(c.set.config.pattern, FATFLY_RANDOM);
    assert_int_equal(c.set.config.length, 32);
    assert_int_equal(c.set.config.length_min, 32);
    assert_int_equal(c.set.config.rounds, 1);
    assert_true(c.set.config.load <= 0);
    assert_int_equal(c.set.config.cycles, 0);
    assert_int_equal(c.set.config.seed, 1);
    assert_int_equal(c.set.stall, 0);
    assert_string_equal(c.set.trace, "");
    assert_true(c.set.cycles_per_us > 999.9 && c.set.cycles_per_us < 1000.1);
    assert_int_equal(c.set.max_bytes, 0);
    assert_int_equal(c.set.max_messages, 0);

    assert_int_equal(config_parse(&c, "name.cfg", "level = 1; levels = 2; cycles = 9;", &f), 0);
    assert_false(c.shape.network);
    same_params(&c.shape.params, &want);
    assert_true(c.set.config.load > 0.0999 && c.set.config.load < 0.1001);
    assert_int_equal(c.set.config.length_min, 32);
    assert_int_equal(c.set.config.cycles, 9);
    assert_int_equal(c.set.reset_every, 0);
}

static void every_key(void **state)
{
    static const char network[] =
        "# a comment with @include \"x\"\n"
        "// another\n"
        "/* and\n * @include \"x\"\n */\n"
        "nodes = 0x40; vcs = 4; depth = 16; flit_bits = 64; path = \"fp\"; scan = \"fcfs\";\r\n"
        "pattern : \"trace\", length = 4096; seed = 999999999999999999L; stall = 90;\n"
        "cycles = 1000000000; trace = \"a/t.csv.gz\"; cycles_per_us = 2; max_bytes = 1099511627776;"
        "max_messages = 7";
    static const char sw[] =
        "level = 2; levels = 3; length = 9; lengths = \"uniform\"; length_min = 2; load = 1; cycles = 5000;";
    static const struct switch_params one = {.vcs = 1, .depth = 2, .flit_w = 32, .path = PATH_RP,
                                             .scan = SCAN_RR, .level = 2, .levels = 3};
    static const struct switch_params all = {.vcs = 4, .depth = 16, .flit_w = 64, .path = PATH_FP,
                                             .scan = SCAN_FCFS, .level = 1, .levels = 3};
    struct config c;
    struct fail f;
    (void)state;
    assert_int_equal(config_parse(&c, "c.cfg", network, &f), 0);
    assert_true(c.shape.network);
    same_params(&c.shape.params, &all);
    assert_int_equal(c.set.config.pattern, FATFLY_MESSAGES);
    assert_int_equal(c.set.config.length, 4096);
    assert_true(c.set.config.seed == UINT64_C(999999999999999999));
    assert_int_equal(c.set.stall, 90);
    assert_int_equal(c.set.config.cycles, 1000000000);
    assert_string_equal(c.set.trace, "a/t.csv.gz");
    assert_true(c.set.cycles_per_us > 1.9 && c.set.cycles_per_us < 2.1);
    assert_true(c.set.max_bytes == UINT64_C(1099511627776));
    assert_int_equal(c.set.max_messages, 7);

    assert_int_equal(config_parse(&c, "c.cfg", sw, &f), 0);
    assert_false(c.shape.network);
    same_params(&c.shape.params, &one);
    assert_int_equal(c.set.config.length, 9);
    assert_int_equal(c.set.config.length_min, 2);
    assert_true(c.set.config.load > 0.99);
    assert_int_equal(c.set.config.cycles, 5000);
}

/* Each size, path, scan and traffic is taken by its name. */
static void every_name(void **state)
{
    struct config c;
    struct fail f;
    char text[200];
    (void)state;
    for (unsigned n = 1; n <= MAX_LEVELS; n++) {
        snprintf(text, sizeof text, "nodes = %u; flit_bits = 64;", 1u << 2 * n);
        assert_int_equal(config_parse(&c, "c.cfg", text, &f), 0);
        assert_int_equal(c.shape.params.levels, n);
    }
    for (unsigned k = 0; k < PATH_COUNT; k++) {
        snprintf(text, sizeof text, "nodes = 16; path = \"%s\";", path_names[k]);
        assert_int_equal(config_parse(&c, "c.cfg", text, &f), 0);
        assert_int_equal(c.shape.params.path, k);
    }
    for (unsigned k = 0; k < SCAN_COUNT; k++) {
        snprintf(text, sizeof text, "nodes = 16; scan = \"%s\";", scan_names[k]);
        assert_int_equal(config_parse(&c, "c.cfg", text, &f), 0);
        assert_int_equal(c.shape.params.scan, k);
    }
    for (unsigned k = 0; k < 4; k++) { /* of the Verilog a switch, with its probe or without */
        const char *which = k % 2 ? "reference" : "fast";
        snprintf(text, sizeof text, "nodes = 16; verilog = \"%s%s\";", k < 2 ? "" : k % 2 ? "bare-" : "bare", k == 2 ? "" : which);
        assert_int_equal(config_parse(&c, "c.cfg", text, &f), 0);
        assert_int_equal(c.shape.reference, k % 2);
        assert_int_equal(c.shape.bare, k > 1);
    }
    for (unsigned k = 0; k < FATFLY_PATTERNS; k++) {
        snprintf(text, sizeof text, "nodes = 16; pattern = \"%s\"; %s", fatfly_pattern_names[k],
                 k == FATFLY_MESSAGES ? "trace = \"t\";" : "");
        int bad_name = k >= FATFLY_PERMUTATION && k != FATFLY_MESSAGES;
        assert_int_equal(config_parse(&c, "c.cfg", text, &f), bad_name ? -1 : 0);
        if (!bad_name)
            assert_int_equal(c.set.config.pattern, k);
    }
}

static void put(const char *file, const char *text, size_t size)
{
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

static void files(void **state)
{
    static const char relative[] = "nodes = 16; pattern = \"trace\"; trace = \"../t.csv\";";
    static const char absolute[] = "nodes = 16; pattern = \"trace\"; trace = \"/t.csv\";";
    char folder[] = "/tmp/test_config.XXXXXX", file[64], want[500], big[400];
    struct config c;
    struct fail f;
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/small.cfg", folder);
    put(file, relative, strlen(relative));
    assert_int_equal(config_load(&c, file, &f), 0);
    assert_string_equal(c.name, "small");
    snprintf(want, sizeof want, "%s/../t.csv", folder);
    assert_string_equal(c.set.trace, want);
    put(file, absolute, strlen(absolute));
    assert_int_equal(config_load(&c, file, &f), 0);
    assert_string_equal(c.set.trace, "/t.csv");

    memset(big, 't', sizeof big);
    memcpy(big, "nodes = 16; pattern = \"trace\";\ntrace = \"", 40);
    memcpy(big + sizeof big - 4, "\";\n", 4);
    put(file, big, strlen(big));
    assert_int_equal(config_load(&c, file, &f), -1);
    snprintf(want, sizeof want, "%s:2: trace has a path of %zu characters; allowed: at most 255",
             file, strlen(folder) + 1 + sizeof big - 44);
    assert_string_equal(f.text, want);

    put(file, "nodes = 16;\nseed\0 = 1;", 21);
    assert_int_equal(config_load(&c, file, &f), -1);
    snprintf(want, sizeof want, "%s:2: a NUL byte; allowed: text", file);
    assert_string_equal(f.text, want);
    assert_int_equal(f.code, EXIT_INPUT);

    put(file, "", 0);
    assert_int_equal(config_load(&c, file, &f), -1);
    snprintf(want, sizeof want, "%s:1: neither nodes nor level; allowed: " WORDS, file);
    assert_string_equal(f.text, want);

    unlink(file);
    assert_int_equal(config_load(&c, file, &f), -1);
    snprintf(want, sizeof want, "%s: No such file or directory; allowed: a readable file", file);
    assert_string_equal(f.text, want);
    assert_int_equal(f.code, EXIT_INPUT);
    assert_int_equal(config_load(&c, folder, &f), -1);
    snprintf(want, sizeof want, "%s: Is a directory; allowed: a readable file", folder);
    assert_string_equal(f.text, want);
    rmdir(folder);
}

static void near_names(void **state)
{
    static const char *const names[] = {"depth", "length", "level", "levels"};
    (void)state;
    assert_string_equal(nearest("depth", names, 4), "depth");
    assert_string_equal(nearest("DEPTH", names, 4), "depth");
    assert_string_equal(nearest("lenght", names, 4), "length"); /* neighbours swapped: one edit */
    assert_string_equal(nearest("levl", names, 4), "level");
    assert_string_equal(nearest("levelss", names, 4), "levels");
    assert_null(nearest("", names, 4));
    assert_null(nearest("x", names, 4));
    assert_null(nearest("throughput", names, 4));
    assert_null(nearest("a name that is longer than any name could be, really", names, 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_cases), cmocka_unit_test(bad_names),  cmocka_unit_test(long_text),
        cmocka_unit_test(defaults),  cmocka_unit_test(every_key),  cmocka_unit_test(every_name),
        cmocka_unit_test(files),     cmocka_unit_test(near_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
