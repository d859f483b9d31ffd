/* SPDX-License-Identifier: Apache-2.0
 * test_sweep_memory.c - how many points of a sweep run at once in the memory that is there.  A test of its own: the
 * memory of this machine is little for all of it.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "commands.h"

#include "sweeps.h" /* last: cmocka has a macro fail() */

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* -- points at once ----------------------------------------------------------------------------- */

enum { PAGES = 512 }; /* of memory that this machine has */

long sysconf(int name)
{
    static long (*real)(int);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "sysconf");
    return name == _SC_PHYS_PAGES ? PAGES : real(name);
}

/* A point runs in several threads while its worker, who is not the main thread, has started some that it has not joined.
 * The first waits for another point to do so: how many did at once does not depend on the time that runs take. */
static struct {
    pthread_t main;
    pthread_mutex_t mutex;
    pthread_cond_t more;
    unsigned points, most;
    long wait_ms;
} crew = {.mutex = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};
static _Thread_local unsigned helpers;

static void begin_point(void)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += (until.tv_nsec / 1000000 + crew.wait_ms) / 1000;
    until.tv_nsec = (until.tv_nsec / 1000000 + crew.wait_ms) % 1000 * 1000000;
    pthread_mutex_lock(&crew.mutex);
    crew.points++;
    crew.most = crew.points > crew.most ? crew.points : crew.most;
    pthread_cond_broadcast(&crew.more);
    while (crew.most < 2 && pthread_cond_timedwait(&crew.more, &crew.mutex, &until) == 0)
        ;
    pthread_mutex_unlock(&crew.mutex);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*begin)(void *), void *context)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (!pthread_equal(pthread_self(), crew.main) && helpers++ == 0)
        begin_point();
    return real(thread, how, begin, context);
}

int pthread_join(pthread_t thread, void **result)
{
    static int (*real)(pthread_t, void **);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_join");
    if (!pthread_equal(pthread_self(), crew.main) && --helpers == 0) {
        pthread_mutex_lock(&crew.mutex);
        crew.points--;
        pthread_mutex_unlock(&crew.mutex);
    }
    return real(thread, result);
}

/* Two points of so many runs, of so many worms a processor: how many ran at once. */
static unsigned points_at_once(unsigned runs, unsigned rounds, long wait_ms)
{
    char cfg[64], db[64], threads[8], text[200];
    struct fail f = {.code = EXIT_OK, .text = ""};
    snprintf(cfg, sizeof cfg, "%s/s.cfg", folder);
    snprintf(db, sizeof db, "%s/s.sqlite", folder);
    snprintf(threads, sizeof threads, "%u", 2 * runs);
    snprintf(text, sizeof text, "topology = \"torus\"; radix = 4; length = 1; runs = %u; rounds = %u; seed = [1, 2];",
             runs, rounds);
    write_file(cfg, text);
    crew.main = pthread_self();
    crew.points = crew.most = 0;
    crew.wait_ms = wait_ms;
    char *argv[] = {cfg, "--db", db, "--threads", threads, NULL};
    fflush(stdout);
    int out = dup(STDOUT_FILENO), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    int bad = sweep_command.play(5, argv, &f);
    fflush(stdout);
    dup2(out, STDOUT_FILENO);
    close(out);
    close(nowhere);
    unlink(cfg);
    unlink(db);
    if (bad)
        fail_msg("%s", f.text);
    return crew.most;
}

/* A point needs the memory of a run for each of its threads: two are at once exactly if there is that of both. */
static void points_wait_for_memory(void **state)
{
    (void)state;
    for (unsigned runs = 2; runs <= 4; runs++) {
        struct sweep s = parse("topology = \"torus\"; radix = 4; length = 1; rounds = 1;");
        struct fatfly_config c = point(&s, 0).config;
        uint64_t memory = (uint64_t)PAGES * (uint64_t)sysconf(_SC_PAGESIZE);
        while (2 * runs * fatfly_memory(&c) <= memory)
            c.rounds++;
        CHECK_AT(runs, points_at_once(runs, c.rounds - 1, 20000), 2);
        CHECK_AT(runs, points_at_once(runs, c.rounds, 200), 1);
        sweep_free(&s);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_wait_for_memory)};
    unit_args(argc, argv);
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
