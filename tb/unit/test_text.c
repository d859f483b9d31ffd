/* SPDX-License-Identifier: Apache-2.0
 * test_text.c - text as JSON, XML, CSV and a shell have it: what is written is what was meant; and the nearest of several names.
 */
#include "fail.h"
#include "text.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <ctype.h>
#include <string.h>

/* The scalar value that s begins with, by the table of RFC 3629; *bytes: its length, 0 if there is none. */
static uint32_t decoded(const unsigned char *s, size_t *bytes)
{
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } row[] = {{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
    *bytes = 0;
    for (size_t n = 1; n <= 4; n++) {
        if ((s[0] & row[n - 1].mask) != row[n - 1].lead)
            continue;
        uint32_t value = s[0] & (unsigned char)~row[n - 1].mask;
        for (size_t k = 1; k < n; k++) {
            if (s[k] >> 6 != 2)
                return 0;
            value = value << 6 | (s[k] & 0x3f);
        }
        if (value < row[n - 1].least || value > 0x10ffff || value >> 11 == 0x1b)
            return 0;
        *bytes = n;
        return value;
    }
    return 0;
}

/* Every two bytes with every third one; of a fourth its ends. */
static void every_sequence(void **state)
{
    static const unsigned char ends[] = {0x00, 0x7f, 0x80, 0xbf, 0xc0, 0xff};
    (void)state;
    for (unsigned k = 0; k < 0x1000000; k++)
        for (unsigned j = 0; j < ROWS(ends); j += k >> 16 < 0xf0 ? (unsigned)ROWS(ends) : 1u) {
            const unsigned char s[5] = {(unsigned char)(k >> 16), (unsigned char)(k >> 8), (unsigned char)k, ends[j], 0};
            size_t want;
            (void)decoded(s, &want);
            if (text_utf8(s) != want)
                fail_msg("%02x %02x %02x %02x: %zu bytes, not %zu", s[0], s[1], s[2], s[3], text_utf8(s), want);
        }
}

/* What a function writes of a text. */
static void written(void (*write)(FILE *, const char *), const char *s, char *text, size_t size)
{
    memset(text, 0, size); /* some libraries end no empty text */
    FILE *f = fmemopen(text, size, "w");
    assert_non_null(f);
    write(f, s);
    fclose(f);
}

enum { LONG = 12, ROOM = 400 };

/* A text of any bytes, those with a meaning more often. */
static void any(char s[LONG])
{
    static const char odd[] = "abc019$$\"\\\\,'<>&$`! \n\r\t\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\xff\x01";
    unsigned count = draw(LONG);
    for (unsigned k = 0; k < count; k++)
        s[k] = (char)(draw(3) ? odd[draw(sizeof odd - 1)] : (char)(1 + draw(255)));
    s[count] = 0;
}

/* A JSON string, read back: escapes are undone. */
static void from_json(const char *s, char *text)
{
    size_t n = strlen(s);
    assert_true(n >= 2 && s[0] == '"' && s[n - 1] == '"');
    for (size_t k = 1; k < n - 1; k++) {
        assert_true((unsigned char)s[k] >= ' ' && s[k] != '"' && s[k] != '<');
        if (s[k] != '\\') {
            *text++ = s[k];
        } else if (s[++k] == 'u') {
            char *end, digits[5] = {s[k + 1], s[k + 2], s[k + 3], s[k + 4], 0};
            unsigned long code = strtoul(digits, &end, 16);
            assert_true(!*end && (code < 0x80 || code == 0xfffd));
            *text++ = code == 0xfffd ? '\x1a' : (char)code; /* a mark for what is no UTF-8 */
            k += 4;
        } else {
            assert_true(s[k] == '"' || s[k] == '\\');
            *text++ = s[k];
        }
    }
    *text = 0;
}

static void json(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 20000; k++) {
        char s[LONG + 4] = {0}, text[ROOM], back[ROOM], want[ROOM], *w = want;
        size_t n;
        any(s);
        for (const char *at = s; *at; at += n ? n : 1) {
            (void)decoded((const unsigned char *)at, &n);
            if (n)
                memcpy(w, at, n);
            else
                *w = '\x1a';
            w += n ? n : 1;
        }
        *w = 0;
        written(text_json, s, text, sizeof text);
        from_json(text, back);
        assert_string_equal(back, want);
    }
}

/* A cell of RFC 4180: quotes around it, doubled within, where it has a comma, a quote or the end of a line. */
static void csv(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 20000; k++) {
        char s[LONG + 4] = {0}, text[ROOM], back[ROOM], *b = back;
        any(s);
        written(text_csv, s, text, sizeof text);
        size_t n = strlen(text);
        if (!strpbrk(s, ",\"\r\n")) {
            assert_string_equal(text, s);
            continue;
        }
        assert_true(n >= 2 && text[0] == '"' && text[n - 1] == '"');
        for (size_t j = 1; j < n - 1; j++) {
            j += text[j] == '"' && text[j + 1] == '"' && j + 1 < n - 1;
            *b++ = text[j];
        }
        *b = 0;
        assert_string_equal(back, s);
    }
}

static void xml(void **state)
{
    static const char *const name[] = {"&lt;", "&gt;", "&amp;", "&quot;"};
    (void)state;
    for (unsigned k = 0; k < 20000; k++) {
        char s[LONG + 4] = {0}, text[ROOM], back[ROOM], *b = back;
        any(s);
        written(text_xml, s, text, sizeof text);
        assert_null(strpbrk(text, "<>\""));
        for (const char *at = text; *at;) {
            unsigned j = 0;
            while (*at == '&' && j < ROWS(name) && strncmp(at, name[j], strlen(name[j])) != 0)
                j++;
            assert_true(j < ROWS(name));
            *b++ = *at == '&' ? "<>&\""[j] : *at;
            at += *at == '&' ? strlen(name[j]) : 1;
        }
        *b = 0;
        for (char *at = s; *at; at++)
            if ((unsigned char)*at < ' ' && *at != '\n')
                *at = ' ';
        assert_string_equal(back, s);
    }
}

/* All at once: a shell prints what it takes for each word. */
static void shell(void **state)
{
    enum { WORDS = 400 };
    static char said[WORDS][LONG + 4], command[WORDS * ROOM], want[WORDS * (LONG + 4)], got[sizeof want];
    size_t end = (size_t)snprintf(command, sizeof command, "printf '%%s\\001'"), length = 0;
    (void)state;
    for (unsigned k = 0; k < WORDS; k++) {
        char text[ROOM];
        any(said[k]);
        for (char *at = said[k]; *at; at++)
            if (*at == '\x01')
                *at = 'x';
        written(text_shell, said[k], text, sizeof text);
        end += (size_t)snprintf(command + end, sizeof command - end, " %s", text);
        length += (size_t)snprintf(want + length, sizeof want - length, "%s\x01", said[k]);
    }
    FILE *f = popen(command, "r");
    assert_non_null(f);
    CHECK_EQ(fread(got, 1, sizeof got, f), length);
    CHECK_EQ(pclose(f), 0);
    assert_memory_equal(got, want, length);
}

/* Bytes of all kinds, in buffers of all sizes: lines, cut where they do not fit, are all of them. */
static void lines(void **state)
{
    (void)state;
    for (unsigned k = 0; k < 3000; k++) {
        char text[40], got[40], line[20];
        size_t count = 1 + draw(sizeof text), size = 2 + draw(sizeof line - 1), at = 0, length;
        for (size_t j = 0; j < count; j++)
            text[j] = "\n\n\0\r\xff ax"[draw(8)];
        FILE *f = fmemopen(text, count, "r");
        assert_non_null(f);
        for (; text_line(f, line, size, &length); at += length) {
            size_t rest = count - at, most = rest < size - 1 ? rest : size - 1;
            const char *end = memchr(text + at, '\n', most);
            CHECK_AT(k, length, end ? (size_t)(end - text) - at + 1 : most);
            CHECK_AT(k, line[length], 0);
            memcpy(got + at, line, length);
        }
        CHECK_AT(k, at, count);
        assert_memory_equal(got, text, count);
        fclose(f);
    }
}

/* Letters to insert, drop, change or swap with a neighbour: every way is tried. */
static unsigned apart(const char *a, const char *b)
{
    if (!*a || !*b)
        return (unsigned)(strlen(a) + strlen(b));
    int same = tolower((unsigned char)*a) == tolower((unsigned char)*b);
    unsigned way[] = {apart(a + 1, b) + 1, apart(a, b + 1) + 1, apart(a + 1, b + 1) + !same, UINT32_MAX};
    if (tolower((unsigned char)a[0]) == tolower((unsigned char)b[1]) && tolower((unsigned char)a[1]) == tolower((unsigned char)b[0]))
        way[3] = apart(a + 2, b + 2) + 1;
    for (unsigned k = 1; k < ROWS(way); k++)
        way[0] = way[k] < way[0] ? way[k] : way[0];
    return way[0];
}

/* The nearest name is the first with the fewest letters wrong: a third of those that were read at most, and not all of the name. */
static void nearest_names(void **state)
{
    enum { NAMES = 4 };
    (void)state;
    for (unsigned round = 0; round < 3000; round++) {
        char word[NAMES + 1][6] = {""};
        const char *names[NAMES], *want = NULL;
        unsigned count = draw(NAMES + 1), least = UINT32_MAX;
        for (unsigned k = 0; k <= NAMES; k++)
            for (unsigned n = draw(6); n-- > 0;)
                word[k][n] = "abcA"[draw(4)];
        for (unsigned k = 0; k < count; k++) {
            unsigned d = apart(word[NAMES], names[k] = word[k]);
            if (*word[NAMES] && 3 * d <= strlen(word[NAMES]) + 2 && d < strlen(word[k]) && d < least) {
                least = d;
                want = word[k];
            }
        }
        if (nearest(word[NAMES], names, count) != want)
            fail_msg("'%s': not '%s'", word[NAMES], want ? want : "none");
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_sequence), cmocka_unit_test(json), cmocka_unit_test(csv), cmocka_unit_test(xml), cmocka_unit_test(shell),
        cmocka_unit_test(lines), cmocka_unit_test(nearest_names),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
