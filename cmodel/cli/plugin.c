/* SPDX-License-Identifier: Apache-2.0
 * plugin.c - `--plugin FILE.so`: opens a shared object, and watches over what it is called for.
 *
 * What a run calls is a guard around each callback, which notes that it is under way.  A thread looks
 * at the notes and ends the program where one stays the same for too long: nothing else can end a
 * function that does not return.
 */
#include "rows.h"

#include "plug.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What a thread is in.  Never freed: threads end without a word. */
struct note {
    struct note *next;
    const char *_Atomic what;   /* "route"; NULL: nothing */
    const char *_Atomic name;
    _Atomic uint64_t calls;
    uint64_t seen;              /* by the watching thread */
    unsigned looks;
};

/* A plug-in and its guard.  Kept until the program ends: a sweep asks for one again and again. */
struct guard {
    struct guard *next;
    const struct fatfly_plugin *inner;
    struct fatfly_plugin outer;
};

enum { LOOKS_PER_SECOND = 10 };

static struct note *_Atomic notes;
static _Thread_local struct note *mine;
static struct guard *guards;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic unsigned limit;

/* -- notes ------------------------------------------------------------------------------------- */

static struct note *my_note(void)
{
    if (!mine && (mine = calloc(1, sizeof *mine))) {
        mine->next = atomic_load(&notes);
        while (!atomic_compare_exchange_weak(&notes, &mine->next, mine))
            ;
    }
    return mine;
}

static void enter(const char *what, const char *name)
{
    struct note *n = my_note();
    if (!n)
        return; /* without memory nobody is watched */
    atomic_store_explicit(&n->name, name, memory_order_relaxed);
    atomic_fetch_add_explicit(&n->calls, 1, memory_order_relaxed);
    atomic_store_explicit(&n->what, what, memory_order_release);
}

static void leave(void)
{
    if (mine)
        atomic_store_explicit(&mine->what, NULL, memory_order_release);
}

static void look_at(struct note *n)
{
    const char *what = atomic_load(&n->what);
    uint64_t calls = atomic_load(&n->calls);
    unsigned seconds = atomic_load(&limit);
    n->looks = what && calls == n->seen ? n->looks + 1 : 0;
    n->seen = calls;
    if (n->looks <= seconds * LOOKS_PER_SECOND)
        return;
    fprintf(stderr, "fatfly: plugin = %s: %s() has not returned for %u seconds; allowed: at most that, "
            "plugin-seconds\n", atomic_load(&n->name), what, seconds);
    _exit(EXIT_INPUT);
}

static void *watch(void *context)
{
    const struct timespec pause = {0, 1000000000 / LOOKS_PER_SECOND};
    (void)context;
    for (;;) {
        nanosleep(&pause, NULL);
        for (struct note *n = atomic_load(&notes); n; n = n->next)
            look_at(n);
    }
    return NULL;
}

/* -- guards ------------------------------------------------------------------------------------ */

/* A callback of the inner plug-in, with its own context, while the watch knows that it is at work. */
#define GUARDED(type, callback, parameters, ...)                    \
    static type callback parameters                                 \
    {                                                               \
        const struct guard *g = n->context;                         \
        struct fatfly_plug_network own = *n;                        \
        own.context = g->inner->context;                            \
        enter(#callback, g->inner->name);                           \
        type answer = g->inner->callback(&own, __VA_ARGS__);        \
        leave();                                                    \
        return answer;                                              \
    }

GUARDED(unsigned, route, (const struct fatfly_plug_network *n, const struct fatfly_plug_place *at, uint32_t dst,
                          struct fatfly_plug_choice choice[FATFLY_PLUG_CHOICES]), at, dst, choice)
GUARDED(bool, before, (const struct fatfly_plug_network *n, const struct fatfly_plug_head *a,
                       const struct fatfly_plug_head *b), a, b)
GUARDED(uint32_t, destination, (const struct fatfly_plug_network *n, uint32_t src, uint64_t index, uint64_t random),
        src, index, random)
GUARDED(uint64_t, gap, (const struct fatfly_plug_network *n, uint32_t src, uint64_t index, uint64_t random),
        src, index, random)

/* Of an inner plug-in whose version is ours, new or as before; NULL if memory is short. */
static const struct fatfly_plugin *guard_of(const struct fatfly_plugin *inner)
{
    struct guard *g;
    pthread_mutex_lock(&lock);
    for (g = guards; g && g->inner != inner;)
        g = g->next;
    if (!g && (g = calloc(1, sizeof *g))) {
        g->inner = inner;
        g->outer = (struct fatfly_plugin){
            .version = inner->version, .name = inner->name, .channels = inner->channels, .context = g,
            .route = inner->route ? route : NULL, .before = inner->before ? before : NULL,
            .destination = inner->destination ? destination : NULL, .gap = inner->gap ? gap : NULL};
        g->next = guards;
        guards = g;
    }
    pthread_mutex_unlock(&lock);
    return g ? &g->outer : NULL;
}

/* -- the shared object ------------------------------------------------------------------------- */

static bool start_watch(unsigned seconds)
{
    static bool watching;
    pthread_t thread;
    atomic_store(&limit, seconds);
    pthread_mutex_lock(&lock);
    if (!watching && pthread_create(&thread, NULL, watch, NULL) == 0) {
        pthread_detach(thread);
        watching = true;
    }
    pthread_mutex_unlock(&lock);
    return watching;
}

/* Its constructors run, too. */
static void *open_object(const char *file, char *why, size_t size)
{
    char path[300];
    snprintf(path, sizeof path, "%s%s", strchr(file, '/') ? "" : "./", file);
    enter("a constructor", file);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    leave();
    if (!object) {
        const char *said = dlerror();
        snprintf(why, size, "%.200s", said ? said : "unknown");
    }
    return object;
}

int settings_plugin(struct settings *s, struct fail *f)
{
    struct origin o = row_origin(s, PLUGIN);
    char why[240], a[SPELLED];
    const struct fatfly_plugin *inner;

    if (row_refuse_missing(s, PLUGIN, f))
        return -1;
    if (access(s->plugin, R_OK))
        return fail_at(f, s->plugin, 0, "%s; allowed: a readable shared object", strerror(errno));
    if (!start_watch((unsigned)s->plugin_seconds))
        return fail(f, EXIT_SYSTEM, "no thread to watch over %s", s->plugin);
    void *object = open_object(s->plugin, why, sizeof why);
    if (!object)
        return fail_at(f, s->plugin, 0, "%s; allowed: a shared object, as cc -shared -fPIC makes", why);
    inner = (const struct fatfly_plugin *)dlsym(object, "fatfly_plugin");
    if (!inner)
        return fail_at(f, s->plugin, 0, "no symbol fatfly_plugin; allowed: a variable `const struct "
                       "fatfly_plugin fatfly_plugin`");
    if (inner->version != FATFLY_PLUGIN_VERSION)
        return fail_at(f, s->plugin, 0, "fatfly_plugin.version = %u; allowed: %u, that of this fatfly's "
                       "fatfly_plugin.h", inner->version, FATFLY_PLUGIN_VERSION);
    if (plug_check(inner, why, sizeof why))
        return fail_at(f, s->plugin, 0, "%s", why);
    s->config.plugin = guard_of(inner);
    if (!s->config.plugin)
        return fail(f, EXIT_SYSTEM, "no memory for %s", row_spell_own(a, &o, s, PLUGIN));
    return 0;
}
