/* SPDX-License-Identifier: Apache-2.0
 * test_results.c - points in an SQLite file: what was committed is there whatever happens next,
 * and what is not ours or not whole is refused.
 */
#include "point.h"
#include "results.h"

#include "unit.h" /* last: cmocka has a macro fail() */

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CELL = 40, MAX_COLUMNS = 160 };

static char folder[] = "/tmp/test_results_XXXXXX";
static char file[64];

/* A row whose values all follow from its number. */
struct made {
    char key[64];
    char cell[MAX_COLUMNS][CELL];
    const char *at[MAX_COLUMNS];
    struct results_row row;
};

static const struct results_row *make(struct made *m, unsigned n, int64_t position)
{
    snprintf(m->key, sizeof m->key, "nodes=%u;colour=0.04;smell=;seed=%u;", 4 * n, n);
    for (unsigned k = 0; k < columns_count; k++) {
        snprintf(m->cell[k], CELL, k % 7 == 3 ? "" : "%u.%u", n, k);
        m->at[k] = m->cell[k];
    }
    m->row = (struct results_row){.position = position, .key = m->key, .cell = m->at};
    return &m->row;
}

static void check_row(const struct results_row *got, unsigned n, int64_t position)
{
    struct made m;
    const struct results_row *want = make(&m, n, position);
    CHECK_AT(n, got->position, position);
    assert_string_equal(got->key, want->key);
    for (unsigned k = 0; k < columns_count; k++)
        assert_string_equal(got->cell[k], want->cell[k]);
}

static void create(struct results *r)
{
    struct fail f = {.text = ""};
    if (results_create(r, file, &f)) {
        print_error("%s\n", f.text);
        assert_true(false);
    }
}

static int add(struct results *r, unsigned n, int64_t position, struct fail *f)
{
    struct made m;
    return results_add(r, make(&m, n, position), 1, f);
}

static void add_some(struct results *r, unsigned from, unsigned to)
{
    struct fail f = {.text = ""};
    for (unsigned n = from; n < to; n++)
        CHECK_AT(n, add(r, n, n, &f), 0);
}

static struct results_table read_all(void)
{
    struct results r;
    struct results_table t = {.count = 0};
    struct fail f = {.text = ""};
    if (results_open(&r, file, &f) || results_read(&r, &t, &f)) {
        print_error("%s\n", f.text);
        assert_true(false);
    }
    results_close(&r);
    return t;
}

static void check_count(size_t count)
{
    struct results_table t = read_all();
    CHECK_EQ(t.count, count);
    for (size_t k = 0; k < t.count; k++)
        check_row(&t.row[k], (unsigned)k, (int64_t)k);
    results_free(&t);
}

/* results_create() and results_open() refuse the file as it is. */
static void refused(enum exit_code code, const char *text, bool reader)
{
    struct results r;
    struct fail f = {.code = EXIT_OK, .text = ""};
    CHECK_EQ(results_create(&r, file, &f), -1);
    CHECK_EQ(f.code, code);
    if (!strstr(f.text, text) || !strstr(f.text, file)) {
        print_error("'%s' has no '%s' or no file name\n", f.text, text);
        assert_true(false);
    }
    if (!reader)
        return;
    CHECK_EQ(results_open(&r, file, &f), -1);
    CHECK_EQ(f.code, code);
    assert_non_null(strstr(f.text, text));
}

static void run_sql(const char *sql)
{
    sqlite3 *db;
    CHECK_EQ(sqlite3_open(file, &db), SQLITE_OK);
    CHECK_EQ(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    CHECK_EQ(sqlite3_close(db), SQLITE_OK);
}

static char *load(size_t *size)
{
    struct stat s;
    FILE *in = fopen(file, "rb");
    assert_non_null(in);
    CHECK_EQ(fstat(fileno(in), &s), 0);
    *size = (size_t)s.st_size;
    char *bytes = malloc(*size + 1);
    assert_non_null(bytes);
    CHECK_EQ(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

static void store(const char *bytes, size_t size)
{
    FILE *out = fopen(file, "wb");
    assert_non_null(out);
    CHECK_EQ(fwrite(bytes, 1, size, out), size);
    CHECK_EQ(fclose(out), 0);
}

/* -- tests ------------------------------------------------------------------------------------ */

static void what_goes_in_comes_out(void **state)
{
    (void)state;
    struct results r;
    struct fail f;
    struct made m[3];
    struct results_row rows[3];
    create(&r);
    for (unsigned n = 0; n < 3; n++) /* places in another order than they come */
        rows[n] = *make(&m[n], n, n);
    const struct results_row turned[] = {rows[2], rows[0], rows[1]};
    CHECK_EQ(results_add(&r, turned, 3, &f), 0);
    add_some(&r, 3, 5);
    check_count(5);                  /* while the writer has it open */
    results_close(&r);
    check_count(5);
    create(&r);
    add_some(&r, 5, 6);
    results_close(&r);
    check_count(6);
}

static void check_pragma(sqlite3 *db, const char *pragma, const char *want)
{
    sqlite3_stmt *q;
    CHECK_EQ(sqlite3_prepare_v2(db, pragma, -1, &q, NULL), SQLITE_OK);
    CHECK_EQ(sqlite3_step(q), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(q, 0), want);
    sqlite3_finalize(q);
}

/* A power cut cannot be had here; what SQLite needs to survive one can be asked for. */
static void what_power_cuts_need(void **state)
{
    (void)state;
    struct results r;
    struct stat s;
    char journal[80];
    for (unsigned k = 0; k < 2; k++) { /* a new file, and one that is there */
        create(&r);
        add_some(&r, k, k + 1);
        check_pragma(r.db, "PRAGMA synchronous", "3"); /* EXTRA */
        check_pragma(r.db, "PRAGMA journal_mode", "delete");
        snprintf(journal, sizeof journal, "%s-journal", file);
        CHECK_AT(k, stat(journal, &s), -1); /* the one file is all there is */
        results_close(&r);
        run_sql("PRAGMA journal_mode = WAL"); /* as another program may leave it */
    }
}

static void names_that_sqlite_takes_otherwise(void **state)
{
    (void)state;
    static const char *const names[] = {":memory:", "file:x?mode=memory"};
    struct results r;
    struct stat s;
    struct fail f = {.text = ""};
    char here[300];
    assert_non_null(getcwd(here, sizeof here));
    CHECK_EQ(chdir(folder), 0);
    for (size_t k = 0; k < ROWS(names); k++) {
        CHECK_AT(k, results_create(&r, names[k], &f), 0);
        results_close(&r);
        CHECK_AT(k, stat(names[k], &s), 0);
        CHECK_AT(k, s.st_size > 0, 1);
        CHECK_AT(k, unlink(names[k]), 0);
    }
    CHECK_EQ(chdir(here), 0);
}

static void places_change(void **state)
{
    (void)state;
    struct results r;
    struct results_table t;
    struct fail f;
    struct results_meta meta = {.name = "n", .title = "a title, 'quoted'", .planned = 7};
    const int64_t position[] = {2, -1, -1, 0};
    create(&r);
    add_some(&r, 0, 4);
    CHECK_EQ(results_read(&r, &t, &f), 0);
    CHECK_EQ(results_plan(&r, &meta, &t, position, &f), 0);
    results_free(&t);
    results_close(&r);
    t = read_all();
    CHECK_EQ(t.count, 4);
    check_row(&t.row[0], 3, 0); /* those in the sweep by place, then the others by key */
    check_row(&t.row[1], 0, 2);
    check_row(&t.row[2], 1, -1);
    check_row(&t.row[3], 2, -1);
    assert_string_equal(t.meta.name, "n");
    assert_string_equal(t.meta.title, "a title, 'quoted'");
    assert_string_equal(t.meta.version, FATFLY_VERSION);
    CHECK_EQ(t.meta.planned, 7);
    results_free(&t);
}

static void values_by_name(void **state)
{
    (void)state;
    struct results r;
    char text[20];
    create(&r);
    add_some(&r, 0, 1);
    results_close(&r);
    struct results_table t = read_all();
    const struct results_row *row = &t.row[0];
    assert_string_equal(results_value(&t, row, columns[0].name, text, sizeof text), "0.0");
    assert_string_equal(results_value(&t, row, columns[3].name, text, sizeof text), "");
    assert_string_equal(results_value(&t, row, "colour", text, sizeof text), "0.04");
    assert_string_equal(results_value(&t, row, "smell", text, sizeof text), "");
    assert_null(results_value(&t, row, "col", text, sizeof text));
    assert_null(results_value(&t, row, "our", text, sizeof text));
    assert_null(results_value(&t, row, "", text, sizeof text));
    results_free(&t);
}

static void view_has_numbers(void **state)
{
    (void)state;
    struct results r;
    sqlite3_stmt *q;
    char sql[200];
    create(&r);
    add_some(&r, 0, 12);
    results_close(&r);
    CHECK_EQ(sqlite3_open(file, &r.db), SQLITE_OK);
    snprintf(sql, sizeof sql, "SELECT count(*) FROM result WHERE %s > 9.5 AND %s IS NULL",
             columns[0].name, columns[3].name);
    CHECK_EQ(sqlite3_prepare_v2(r.db, sql, -1, &q, NULL), SQLITE_OK);
    CHECK_EQ(sqlite3_step(q), SQLITE_ROW);
    CHECK_EQ(sqlite3_column_int(q, 0), 2); /* 10.0 and 11.0; as texts it would be none */
    sqlite3_finalize(q);
    sqlite3_close(r.db);
}

static void one_sweep_at_a_time(void **state)
{
    (void)state;
    struct results first;
    create(&first);
    refused(EXIT_SYSTEM, "another sweep", false);
    add_some(&first, 0, 1); /* and that did not take the lock away */
    check_count(1);
    refused(EXIT_SYSTEM, "another sweep", false);
    results_close(&first);
    create(&first);
    results_close(&first);
}

/* A file that is gone, or another one in its place, even of the same contents, takes no point; one that is back does. */
static void gone_or_replaced(void **state)
{
    char other[80], bytes[1 << 17];
    (void)state;
    snprintf(other, sizeof other, "%s.other", file);
    for (unsigned k = 0; k < 4; k++) {
        struct results r;
        struct fail f = {.text = ""};
        unlink(file);
        create(&r);
        add_some(&r, 0, 2);
        FILE *in = fopen(file, "r");
        assert_non_null(in);
        size_t size = fread(bytes, 1, sizeof bytes, in);
        fclose(in);
        assert_int_equal(rename(file, other), 0);
        if (k == 1 || k == 2)
            store(bytes, k == 1 ? 0 : size);
        if (k == 3)
            assert_int_equal(rename(other, file), 0);
        CHECK_AT(k, add(&r, 2, 2, &f), k < 3 ? -1 : 0);
        CHECK_AT(k, f.code, k < 3 ? EXIT_SYSTEM : EXIT_OK);
        CHECK_AT(k, !!strstr(f.text, "vanished while the sweep was writing it"), k < 3);
        results_close(&r);
        unlink(other);
    }
    check_count(3);
}

static void a_reader_holds_up_nothing_for_good(void **state)
{
    (void)state;
    struct results r;
    struct fail f = {.text = ""};
    sqlite3 *reader;
    create(&r);
    add_some(&r, 0, 2);
    sqlite3_busy_timeout(r.db, 1);
    CHECK_EQ(sqlite3_open(file, &reader), SQLITE_OK);
    CHECK_EQ(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM point", NULL, NULL, NULL), 0);
    CHECK_EQ(add(&r, 2, 2, &f), 1);
    CHECK_EQ(add(&r, 2, 2, &f), 1);
    CHECK_EQ(sqlite3_exec(reader, "COMMIT", NULL, NULL, NULL), 0);
    CHECK_EQ(add(&r, 2, 2, &f), 0);
    CHECK_EQ(sqlite3_exec(reader, "BEGIN EXCLUSIVE", NULL, NULL, NULL), 0);
    CHECK_EQ(add(&r, 3, 3, &f), 1);
    CHECK_EQ(sqlite3_close(reader), 0);
    CHECK_EQ(add(&r, 3, 3, &f), 0);
    results_close(&r);
    check_count(4);
}

static void full_disk(void **state)
{
    (void)state;
    struct results r;
    struct fail f = {.code = EXIT_OK, .text = ""};
    unsigned n = 0;
    create(&r);
    add_some(&r, 0, 3);
    CHECK_EQ(sqlite3_exec(r.db, "PRAGMA max_page_count = 14", NULL, NULL, NULL), SQLITE_OK);
    for (n = 3; n < 1000 && add(&r, n, n, &f) == 0; n++)
        ;
    assert_in_range(n, 4, 999);
    CHECK_EQ(f.code, EXIT_SYSTEM);
    assert_non_null(strstr(f.text, "full"));
    check_count(n); /* all before are there, and only they */
    CHECK_EQ(sqlite3_exec(r.db, "PRAGMA max_page_count = 100000", NULL, NULL, NULL), SQLITE_OK);
    add_some(&r, n, n + 20); /* and it goes on where there is room again */
    results_close(&r);
    check_count(n + 20);
}

static void the_same_point_twice(void **state)
{
    (void)state;
    struct results r;
    struct fail f;
    struct made m[2];
    create(&r);
    add_some(&r, 0, 2);
    const struct results_row rows[] = {*make(&m[0], 2, 2), *make(&m[1], 1, 3)};
    CHECK_EQ(results_add(&r, rows, 2, &f), -1);
    check_count(2); /* the first of the two has not come in either */
    add_some(&r, 2, 3);
    results_close(&r);
    check_count(3);
}

/* Transactions of three rows each, until it is killed. */
static void write_for_ever(void)
{
    struct results r;
    struct fail f;
    struct made m[3];
    struct results_row rows[3];
    if (results_create(&r, file, &f))
        _exit(1);
    for (unsigned n = 0;; n += 3) {
        for (unsigned k = 0; k < 3; k++)
            rows[k] = *make(&m[k], n + k, n + k);
        if (results_add(&r, rows, 3, &f) != 0)
            _exit(1);
    }
}

static void killed_at_any_time(void **state)
{
    (void)state;
    size_t most = 0;
    for (unsigned k = 0; k < 40 || (most == 0 && k < 400); k++) { /* more on a machine that is busy */
        unlink(file);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            write_for_ever();
        struct timespec t = {0, 1000000 + 1000L * (long)draw(60000 * (1 + k / 40))};
        nanosleep(&t, NULL);
        CHECK_AT(k, kill(child, SIGKILL), 0);
        int status;
        CHECK_AT(k, waitpid(child, &status, 0), child);
        CHECK_AT(k, WIFSIGNALED(status), 1);
        /* Whatever was there, the next sweep can go on; whole transactions are there. */
        struct results r;
        create(&r);
        results_close(&r);
        struct results_table table = read_all();
        CHECK_AT(k, table.count % 3, 0);
        for (size_t n = 0; n < table.count; n++)
            check_row(&table.row[n], (unsigned)n, (int64_t)n);
        most = table.count > most ? table.count : most;
        results_free(&table);
    }
    assert_true(most > 0);
}

static void wrong_files(void **state)
{
    (void)state;
    struct results r;
    char sql[100];
    size_t size;

    store("nodes,length\n16,32\n", 19);
    refused(EXIT_INPUT, "not an SQLite file", true);
    char *zeros = calloc(1, 8192);
    assert_non_null(zeros);
    store(zeros, 8192);
    refused(EXIT_INPUT, "not an SQLite file", true);
    free(zeros);

    unlink(file);
    run_sql("CREATE TABLE point(x); INSERT INTO point VALUES(1)");
    char *before = load(&size);
    refused(EXIT_INPUT, "of another program", true);
    size_t after;
    char *now = load(&after);
    CHECK_EQ(after, size); /* not a byte was written */
    assert_memory_equal(before, now, size);
    free(before);
    free(now);

    unlink(file);
    create(&r);
    add_some(&r, 0, 3);
    results_close(&r);
    before = load(&size);
    snprintf(sql, sizeof sql, "PRAGMA user_version = %d", RESULTS_SCHEMA + 1);
    run_sql(sql);
    refused(EXIT_INPUT, "of another version", true);

    store(before, size); /* another version of fatfly may read it, not write */
    run_sql("UPDATE meta SET value = '0.0.9' WHERE name = 'fatfly'");
    refused(EXIT_INPUT, "points of fatfly 0.0.9", false);
    check_count(3);

    store(before, size);
    run_sql("DROP TABLE meta");
    refused(EXIT_INPUT, "damaged", false);
    store(before, size);
    run_sql("DROP VIEW result; DROP TABLE point");
    refused(EXIT_INPUT, "damaged", false);
    store(before, size);
    CHECK_EQ(truncate(file, (off_t)size - 4096), 0);
    refused(EXIT_INPUT, "damaged", true);
    CHECK_EQ(truncate(file, 50), 0);
    refused(EXIT_INPUT, "damaged", true);
    free(before);

    unlink(file);
    CHECK_EQ(mkdir(file, 0777), 0);
    refused(EXIT_SYSTEM, "cannot write", false);
    CHECK_EQ(rmdir(file), 0);
    CHECK_EQ(mkfifo(file, 0666), 0);
    refused(EXIT_SYSTEM, "not a regular file", false); /* and does not wait for another end */
    unlink(file);
    struct fail f;
    CHECK_EQ(results_open(&r, file, &f), -1);
    CHECK_EQ(f.code, EXIT_INPUT);
    CHECK_EQ(results_create(&r, "/nowhere/at/all.sqlite", &f), -1);
    CHECK_EQ(f.code, EXIT_SYSTEM);
}

/* No flipped bit comes out as a result: the rows that are read are right, and what was left out is said. */
static void flipped_bits(void **state)
{
    (void)state;
    struct results r;
    size_t size;
    unsigned refusals = 0, sums = 0;
    create(&r);
    add_some(&r, 0, 12);
    results_close(&r);
    char *whole = load(&size);
    for (unsigned k = 0; k < 600; k++) {
        size_t at = (size_t)(k < 100 ? k : draw((unsigned)size));
        char *bytes = malloc(size);
        assert_non_null(bytes);
        memcpy(bytes, whole, size);
        bytes[at] = (char)(bytes[at] ^ (1 << draw(8)));
        store(bytes, size);
        free(bytes);
        struct results_table t;
        struct fail f = {.code = EXIT_OK, .text = ""};
        int bad = results_open(&r, file, &f);
        if (!bad) {
            bad = results_read(&r, &t, &f);
            results_close(&r);
        }
        if (bad) {
            assert_true(f.code == EXIT_INPUT || f.code == EXIT_SYSTEM);
            assert_null(strchr(f.text, '\n'));
            refusals++;
            sums += strstr(f.text, "its sum") != NULL;
            continue;
        }
        for (size_t j = 0; j < t.count; j++) { /* a place may have changed; it has no sum */
            unsigned n = (unsigned)strtoul(t.row[j].cell[0], NULL, 10);
            check_row(&t.row[j], n, t.row[j].position);
        }
        CHECK_AT(k, results_damaged(&t, file, &f), t.damaged ? -1 : 0);
        if (t.damaged) {
            CHECK_AT(k, t.count + t.damaged, 12);
            CHECK_AT(k, f.code, EXIT_INPUT);
            assert_non_null(strstr(f.text, "its sum"));
            sums++;
        }
        results_free(&t);
    }
    free(whole);
    assert_true(refusals > 60 && sums > 20);
}

static int before_each(void **state)
{
    (void)state;
    unlink(file);
    return 0;
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(file, sizeof file, "%s/r.sqlite", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(file);
    return rmdir(folder);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_goes_in_comes_out, before_each),
        cmocka_unit_test_setup(what_power_cuts_need, before_each),
        cmocka_unit_test_setup(names_that_sqlite_takes_otherwise, before_each),
        cmocka_unit_test_setup(places_change, before_each),
        cmocka_unit_test_setup(values_by_name, before_each),
        cmocka_unit_test_setup(view_has_numbers, before_each),
        cmocka_unit_test_setup(one_sweep_at_a_time, before_each),
        cmocka_unit_test_setup(gone_or_replaced, before_each),
        cmocka_unit_test_setup(a_reader_holds_up_nothing_for_good, before_each),
        cmocka_unit_test_setup(full_disk, before_each),
        cmocka_unit_test_setup(the_same_point_twice, before_each),
        cmocka_unit_test_setup(killed_at_any_time, before_each),
        cmocka_unit_test_setup(wrong_files, before_each),
        cmocka_unit_test_setup(flipped_bits, before_each),
    };
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
