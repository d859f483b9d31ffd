/* SPDX-License-Identifier: Apache-2.0
 * test_trace.c - the trace reader: every line that refuses one, word by word, and good traces.
 */
#include "rng.h"
#include "trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#define HEADER "t_ns,src,dst,bytes\n"

static void refused(const char *text, size_t size, const char *line)
{
    struct trace t;
    struct fail f = {.code = EXIT_OK};
    assert_int_equal(trace_parse(&t, "t.csv", text, size, 16, 0, &f), -1);
    assert_string_equal(f.text, line);
    assert_int_equal(f.code, EXIT_INPUT);
    assert_null(t.message);
    assert_int_equal(t.count, 0);
}

/* Bad texts without NUL, and the line each gives. */
static const struct {
    const char *text;
    const char *line;
} bad[] = {
    /* the header */
    {"t_ns,src,dst\n1,2,3\n",
     "t.csv:1: column 'bytes' is missing; allowed: t_ns, src, dst, bytes, once each"},
    {"time,src,dst,bytes\n",
     "t.csv:1: column 'time' is unknown; allowed: t_ns, src, dst, bytes"},
    {"t_ns,src,dest,bytes\n",
     "t.csv:1: column 'dest' is unknown; allowed: t_ns, src, dst, bytes; nearest: dst"},
    {"t_ns,src,dst,bytes,tag\n",
     "t.csv:1: column 'tag' is unknown; allowed: t_ns, src, dst, bytes"},
    {"t_ns,src,dst,bytes_of_a_very_long_name\n",
     "t.csv:1: column 'bytes_of_a_very_long_nam...' is unknown; allowed: t_ns, src, dst, bytes"},
    {"\xef\xbb\xbft_ns,src,dst,bytes\n",
     "t.csv:1: column '\xef\xbb\xbft_ns' is unknown; allowed: t_ns, src, dst, bytes; "
     "nearest: t_ns"},
    {"t_ns,src,src,bytes\n",
     "t.csv:1: column 'src' appears twice; allowed: t_ns, src, dst, bytes, once each"},
    {"\n", "t.csv:1: column '' is unknown; allowed: t_ns, src, dst, bytes"},
    {"1,0,1,4\n", "t.csv:1: column '1' is unknown; allowed: t_ns, src, dst, bytes"},
    /* fields */
    {HEADER "1,2,3\n", "t.csv:2: 3 fields in '1,2,3'; allowed: 4"},
    {HEADER "1,0,1,4\n1,2,3,4,5\n", "t.csv:3: 5 fields in '1,2,3,4,5'; allowed: 4"},
    {HEADER "\n", "t.csv:2: 1 field in ''; allowed: 4"},
    {HEADER "1,0,1,4\n\n", "t.csv:3: 1 field in ''; allowed: 4"},
    {HEADER "one line that is no message at all\n",
     "t.csv:2: 1 field in 'one line that is no mess...'; allowed: 4"},
    /* ranks */
    {HEADER "1,16,1,4\n", "t.csv:2: src = '16'; allowed: 0 to 15"},
    {HEADER "1,0,99999999999999999999,4\n",
     "t.csv:2: dst = '99999999999999999999'; allowed: 0 to 15"},
    {HEADER "1,-1,1,4\n", "t.csv:2: src = '-1'; allowed: 0 to 15"},
    {HEADER "1,,1,4\n", "t.csv:2: src = ''; allowed: 0 to 15"},
    {HEADER "1,3,3,4\n", "t.csv:2: src = dst = 3; allowed: two different ranks"},
    /* sizes */
    {HEADER "1,0,1,-4\n", "t.csv:2: bytes = '-4'; allowed: 0 to 1099511627775"},
    {HEADER "1,0,1,1099511627776\n",
     "t.csv:2: bytes = '1099511627776'; allowed: 0 to 1099511627775"},
    {HEADER "1,0,1,18446744073709551617\n",
     "t.csv:2: bytes = '18446744073709551617'; allowed: 0 to 1099511627775"},
    {HEADER "1,0,1,4k\n", "t.csv:2: bytes = '4k'; allowed: 0 to 1099511627775"},
    {HEADER "1,0,1, 4\n", "t.csv:2: bytes = ' 4'; allowed: 0 to 1099511627775"},
    {HEADER "1,0,1,\x1b[2J\n", "t.csv:2: bytes = '?[2J'; allowed: 0 to 1099511627775"},
    {HEADER "1,0,1,\xff\n", "t.csv:2: bytes = '?'; allowed: 0 to 1099511627775"},
    /* times */
    {HEADER "-1,0,1,4\n", "t.csv:2: t_ns = '-1'; allowed: 0 to 4611686018427387903"},
    {HEADER "1.5,0,1,4\n", "t.csv:2: t_ns = '1.5'; allowed: 0 to 4611686018427387903"},
    {HEADER "1e3,0,1,4\n", "t.csv:2: t_ns = '1e3'; allowed: 0 to 4611686018427387903"},
    {HEADER "4611686018427387904,0,1,4\n",
     "t.csv:2: t_ns = '4611686018427387904'; allowed: 0 to 4611686018427387903"},
    {HEADER "0,0,1,4\n1125899906842624,0,1,4\n",
     "t.csv:3: t_ns = 1125899906842624 after a first t_ns = 0; "
     "allowed: 1125899906842623 later at most"},
    {HEADER "9,0,1,4\n8,0,1,4\n",
     "t.csv:3: t_ns = 8 after t_ns = 9 in the line before; allowed: 9 or more"},
    /* lines and files */
    {"t_ns,src,dst,bytes\r\n1,0,1,4\r\n", "t.csv:1: a line that ends in CR LF; allowed: LF alone"},
    {HEADER "1,0,1,4\r\n", "t.csv:2: a line that ends in CR LF; allowed: LF alone"},
    {"", "t.csv:1: an empty file; allowed: the header t_ns,src,dst,bytes and messages"},
    {HEADER, "t.csv:2: no message; allowed: one or more"},
    {"t_ns,src,dst,bytes", "t.csv:2: no message; allowed: one or more"},
};

static void bad_lines(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        refused(bad[k].text, strlen(bad[k].text), bad[k].line);
}

/* Of times at random those are taken that never go back; the line where they do is named. */
static void times_in_order(void **state)
{
    struct rng r = {1};
    (void)state;
    for (unsigned k = 0; k < 2000; k++) {
        char text[400] = HEADER, line[120];
        unsigned lines = 2 + rng_below(&r, 5), last = 0, wrong = 0;
        for (unsigned n = 0; n < lines; n++) {
            unsigned now = rng_below(&r, 3) ? last + rng_below(&r, 3) : rng_below(&r, 10);
            if (!wrong && n && now < last) {
                wrong = n + 2;
                snprintf(line, sizeof line, "t.csv:%u: t_ns = %u after t_ns = %u in the line before; allowed: %u or more", wrong,
                         now, last, last);
            }
            snprintf(text + strlen(text), sizeof text - strlen(text), "%u,0,1,4\n", now);
            last = now;
        }
        if (wrong) {
            refused(text, strlen(text), line);
            continue;
        }
        struct trace t;
        struct fail f;
        assert_int_equal(trace_parse(&t, "t.csv", text, strlen(text), 16, 0, &f), 0);
        assert_int_equal(t.count, lines);
        trace_free(&t);
    }
}

static void nul_byte(void **state)
{
    static const char text[] = HEADER "1,0,1,4\n1,\0,1,4\n";
    (void)state;
    refused(text, sizeof text - 1, "t.csv:3: a NUL byte; allowed: text");
}

/* A line may have 127 characters; one more is refused, with or without its end in sight. */
static void long_line(void **state)
{
    static const char line[] = "t.csv:2: a line of more than 127 characters; allowed: at most 127";
    char text[70000];
    (void)state;
    memset(text, '1', sizeof text);
    memcpy(text, HEADER, strlen(HEADER));
    refused(text, sizeof text, line);
    text[strlen(HEADER) + 128] = '\n';
    refused(text, strlen(HEADER) + 129, line);
    text[strlen(HEADER) + 127] = '\n';
    refused(text, strlen(HEADER) + 128,
            "t.csv:2: 1 field in '111111111111111111111111...'; allowed: 4");
}

static void check_three(const struct trace *t)
{
    static const struct trace_message want[] = {
        {.t_ns = 5, .src = 0, .dst = 15, .bytes = 0},
        {.t_ns = 5, .src = 1, .dst = 0, .bytes = UINT64_C(1099511627775)},
        {.t_ns = 7, .src = 2, .dst = 3, .bytes = 8},
    };
    assert_int_equal(t->count, 3);
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(t->message[k].t_ns, want[k].t_ns);
        assert_int_equal(t->message[k].src, want[k].src);
        assert_int_equal(t->message[k].dst, want[k].dst);
        assert_int_equal(t->message[k].bytes, want[k].bytes);
    }
}

static const char three[] = HEADER "5,0,15,0\n5,1,0,1099511627775\n7,2,3,8\n";

static void good(void **state)
{
    static const char turned[] = "dst,bytes,t_ns,src\n15,0,5,0\n0,1099511627775,5,1\n3,8,7,2\n";
    struct trace t;
    struct fail f;
    (void)state;
    assert_int_equal(trace_parse(&t, "t", three, sizeof three - 1, 16, 0, &f), 0);
    check_three(&t);
    trace_free(&t);
    assert_null(t.message);
    assert_int_equal(t.count, 0);
    /* no newline at the end */
    assert_int_equal(trace_parse(&t, "t", three, sizeof three - 2, 16, 0, &f), 0);
    check_three(&t);
    trace_free(&t);
    /* columns in another order */
    assert_int_equal(trace_parse(&t, "t", turned, sizeof turned - 1, 16, 0, &f), 0);
    check_three(&t);
    trace_free(&t);
}

/* A limit ends the reading: what is wrong further on is not looked at. */
static void limit(void **state)
{
    static const char text[] = HEADER "5,0,15,0\n6,1,0,4\nwrong\n";
    struct trace t;
    struct fail f;
    (void)state;
    assert_int_equal(trace_parse(&t, "t", text, sizeof text - 1, 16, 2, &f), 0);
    assert_int_equal(t.count, 2);
    trace_free(&t);
    assert_int_equal(trace_parse(&t, "t", text, sizeof text - 1, 16, 3, &f), -1);
    assert_string_equal(f.text, "t:4: 1 field in 'wrong'; allowed: 4");
}

static size_t squeeze(const char *text, size_t size, char *out, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (uInt)size;
    z.next_out = (unsigned char *)out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

/* Every way to cut a small gzip file is noticed, whatever it gave before. */
static void truncated_gzip(void **state)
{
    static const char *const lines[] = {
        "t.csv:1: the gzip data end too early; allowed: a whole gzip file",
        "t.csv:2: the gzip data end too early; allowed: a whole gzip file",
        "t.csv:3: the gzip data end too early; allowed: a whole gzip file",
        "t.csv:4: the gzip data end too early; allowed: a whole gzip file",
        "t.csv:5: the gzip data end too early; allowed: a whole gzip file",
    };
    char gz[256];
    size_t size = squeeze(three, sizeof three - 1, gz, sizeof gz);
    size_t at = 0;
    struct trace t;
    struct fail f;
    (void)state;
    assert_int_equal(trace_parse(&t, "t", gz, size, 16, 0, &f), 0);
    check_three(&t);
    trace_free(&t);
    for (size_t cut = 2; cut < size; cut++) {
        assert_int_equal(trace_parse(&t, "t.csv", gz, cut, 16, 0, &f), -1);
        while (at < 4 && strcmp(f.text, lines[at]) != 0)
            at++; /* the longer the piece, the later the line */
        assert_string_equal(f.text, lines[at]);
        assert_int_equal(f.code, EXIT_INPUT);
        assert_null(t.message);
    }
    assert_int_equal(at, 4); /* cut in the checksum, all lines have come */
}

static void corrupt_gzip(void **state)
{
    char gz[256];
    size_t size = squeeze(three, sizeof three - 1, gz, sizeof gz - 1);
    (void)state;
    gz[size - 8] ^= 1; /* the checksum */
    refused(gz, size, "t.csv:5: the gzip data are corrupt; allowed: a whole gzip file");
    gz[size - 8] ^= 1;
    gz[3] = (char)0xe0; /* flags that do not exist */
    refused(gz, size, "t.csv:1: the gzip data are corrupt; allowed: a whole gzip file");
    gz[3] = 0;
    gz[size] = 'x';
    refused(gz, size + 1, "t.csv:5: bytes after the end of the gzip data; allowed: none");
}

/* gzip files one after the other are one text, as gzip -d has it. */
static void gzip_members(void **state)
{
    char gz[512];
    struct trace t;
    struct fail f;
    size_t first = squeeze(three, 30, gz, 256);
    size_t second = squeeze(three + 30, sizeof three - 1 - 30, gz + first, 256);
    (void)state;
    assert_int_equal(trace_parse(&t, "t", gz, first + second, 16, 0, &f), 0);
    check_three(&t);
    trace_free(&t);
}

/* From a pipe, in pieces of any size, one after the other was read: the same as in one piece. */
static void pieces(void **state)
{
    char gz[256], file[40];
    size_t packed = squeeze(three, sizeof three - 1, gz, sizeof gz);
    struct trace t;
    struct fail f;
    (void)state;
    for (unsigned zipped = 0; zipped < 2; zipped++)
        for (size_t piece = 1; piece < 12; piece++) {
            const char *from = zipped ? gz : three;
            size_t size = zipped ? packed : sizeof three - 1;
            int ends[2], left = 0;
            assert_int_equal(pipe(ends), 0);
            pid_t child = fork();
            assert_true(child >= 0);
            for (size_t at = 0; !child && at < size; at += piece) {
                if (write(ends[1], from + at, size - at < piece ? size - at : piece) < 0)
                    _exit(1);
                while (ioctl(ends[1], FIONREAD, &left) == 0 && left > 0)
                    sched_yield();
            }
            if (!child)
                _exit(0);
            close(ends[1]);
            snprintf(file, sizeof file, "/dev/fd/%d", ends[0]);
            assert_int_equal(trace_read(&t, file, 16, 0, &f), 0);
            check_three(&t);
            trace_free(&t);
            close(ends[0]);
            assert_int_equal(waitpid(child, &left, 0), child);
            assert_int_equal(left, 0);
        }
}

static void write_file(const char *file, const void *data, size_t size)
{
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(data, 1, size, out), size);
    assert_int_equal(fclose(out), 0);
}

/* From files, longer than the reader's buffers, plain and gzip. */
static void files(void **state)
{
    enum { MESSAGES = 20000, ROOM = 1 << 20 };
    char *text = malloc(ROOM), *gz = malloc(ROOM);
    char folder[] = "/tmp/test_trace.XXXXXX", file[64], line[512];
    size_t size = (size_t)sprintf(text, HEADER), packed;
    struct trace t;
    struct fail f;
    (void)state;
    for (unsigned k = 0; k < MESSAGES; k++)
        size += (size_t)sprintf(text + size, "%u,%u,%u,%u\n", 1000000 + k / 3, k % 64,
                                (k % 64 + 1 + k % 63) % 64, k * 7919 % 100000);
    packed = squeeze(text, size, gz, ROOM);
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/t.csv", folder);
    for (int pass = 0; pass < 2; pass++) {
        write_file(file, pass ? gz : text, pass ? packed : size);
        assert_int_equal(trace_read(&t, file, 64, 0, &f), 0);
        assert_int_equal(t.count, MESSAGES);
        for (unsigned k = 0; k < MESSAGES; k++) {
            assert_int_equal(t.message[k].t_ns, 1000000 + k / 3);
            assert_int_equal(t.message[k].src, k % 64);
            assert_int_equal(t.message[k].dst, (k % 64 + 1 + k % 63) % 64);
            assert_int_equal(t.message[k].bytes, k * 7919 % 100000);
        }
        trace_free(&t);
    }
    write_file(file, gz, packed - 4);
    assert_int_equal(trace_read(&t, file, 64, 0, &f), -1);
    snprintf(line, sizeof line, "%s:%d: the gzip data end too early; allowed: a whole gzip file",
             file, MESSAGES + 2);
    assert_string_equal(f.text, line);
    write_file(file, "", 0);
    assert_int_equal(trace_read(&t, file, 64, 0, &f), -1);
    snprintf(line, sizeof line,
             "%s:1: an empty file; allowed: the header t_ns,src,dst,bytes and messages", file);
    assert_string_equal(f.text, line);
    unlink(file);
    assert_int_equal(trace_read(&t, file, 64, 0, &f), -1);
    snprintf(line, sizeof line, "%s: No such file or directory; allowed: a readable file", file);
    assert_string_equal(f.text, line);
    assert_int_equal(f.code, EXIT_INPUT);
    assert_int_equal(trace_read(&t, folder, 64, 0, &f), -1);
    snprintf(line, sizeof line, "%s: Is a directory; allowed: a readable file", folder);
    assert_string_equal(f.text, line);
    assert_int_equal(f.code, EXIT_INPUT);
    rmdir(folder);
    free(text);
    free(gz);
}

/* The beginning of a very long path gives way, what is wrong does not. */
static void long_path(void **state)
{
    char path[600], want[400];
    struct trace t;
    struct fail f;
    (void)state;
    memset(path, 'd', sizeof path);
    memcpy(path + sizeof path - 6, "/t.csv", 6);
    path[sizeof path - 1] = '\0';
    assert_int_equal(trace_parse(&t, path, "", 0, 4, 0, &f), -1);
    snprintf(want, sizeof want,
             "...%s:1: an empty file; allowed: the header t_ns,src,dst,bytes and messages",
             path + sizeof path - 1 - 160);
    assert_string_equal(f.text, want);
}

/* Each number of a line at every power of two to its largest: read as it is written, and cut and placed by all its bits. */
static void every_bit(void **state)
{
    char text[200];
    struct fail f;
    (void)state;
    for (unsigned k = 0; k < TRACE_MAX_TIME_LOG2; k++) {
        struct trace t;
        uint64_t time = UINT64_C(1) << k, bytes = UINT64_C(1) << (k < TRACE_MAX_BYTES_LOG2 ? k : 0);
        uint32_t rank = UINT32_C(1) << k % 20;
        bool far = k >= TRACE_MAX_SPAN_LOG2; /* of a first message that late, too */
        int n = snprintf(text, sizeof text, "t_ns,src,dst,bytes\n%llu,0,%u,1\n%llu,%u,0,%llu\n", far ? (unsigned long long)time : 0ull, rank,
                         (unsigned long long)time + far, rank, (unsigned long long)bytes);
        assert_int_equal(trace_parse(&t, "t.csv", text, (size_t)n, 1u << 20, 0, &f), 0);
        assert_int_equal(t.count, 2);
        assert_int_equal(t.message[1].t_ns, time + far);
        assert_int_equal(t.message[1].src, rank);
        assert_int_equal(t.message[0].dst, rank);
        assert_int_equal(t.message[1].bytes, bytes);
        const struct trace_cut cut = {.cycles_per_us = 1000, .flit_bits = 32, .length = 2};
        assert_true(trace_cycle(&cut, &t, 1) == (double)(far ? 1 : time));
        assert_true(trace_cycle(&cut, &t, 0) == 0);
        assert_int_equal(trace_worms(&cut, &t.message[1]), (bytes + 3) / 4); /* a flit of 4 bytes behind a head */
        trace_free(&t);
    }
}

/* Flits of every width: byte by byte into flits of as many whole bytes as fit, and flits behind the head into worms.  No worm is
 * empty, but that of an empty message. */
static void every_width(void **state)
{
    (void)state;
    for (unsigned bits = 16; bits <= 64; bits++) {
        unsigned flit = 0; /* bytes of one */
        while (8 * (flit + 1) <= bits)
            flit++;
        for (unsigned length = 2; length <= 5; length++) {
            unsigned worms = 1, flits = 1, room = 0; /* of the last worm, and bytes that its last flit has room for */
            for (unsigned bytes = 0; bytes <= 3 * flit * length; bytes++) {
                if (bytes && !room && flits == length)
                    worms++, flits = 1;
                if (bytes && !room)
                    flits++, room = flit;
                room -= bytes > 0;
                static const unsigned more[] = {0, 100, 0, 1}; /* longer messages, too, cut to as many */
                for (unsigned cuts = 0; cuts < 4; cuts++) {
                    const struct trace_cut cut = {.flit_bits = bits, .length = length, .max_bytes = cuts ? bytes : 0};
                    const struct trace_message m = {.bytes = bytes + (bytes ? more[cuts] : 0)};
                    assert_int_equal(trace_worms(&cut, &m), worms);
                    for (unsigned k = 0; k < worms; k++)
                        assert_int_equal(trace_flits(&cut, &m, k), k + 1 < worms ? length : flits);
                }
                assert_true(flits > 1 || bytes == 0);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit),
        cmocka_unit_test(every_width),
        cmocka_unit_test(bad_lines),
        cmocka_unit_test(times_in_order),
        cmocka_unit_test(nul_byte),
        cmocka_unit_test(long_line),
        cmocka_unit_test(good),
        cmocka_unit_test(limit),
        cmocka_unit_test(truncated_gzip),
        cmocka_unit_test(corrupt_gzip),
        cmocka_unit_test(gzip_members),
        cmocka_unit_test(pieces),
        cmocka_unit_test(files),
        cmocka_unit_test(long_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
