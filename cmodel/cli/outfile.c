/* SPDX-License-Identifier: Apache-2.0
 * outfile.c - a file that appears under its name when it is whole.
 */
#include "outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- those that are open, for a thread that ends the program ------------------------------------ */

enum { OPEN = 8, PARTS = 1000, LINKS = 40 };
static struct outfile *opened[OPEN];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(struct outfile *from, struct outfile *to)
{
    pthread_mutex_lock(&lock);
    for (unsigned k = 0; k < OPEN; k++)
        if (opened[k] == from) {
            opened[k] = to;
            break;
        }
    pthread_mutex_unlock(&lock);
}

void outfile_forget(const char *file)
{
    pthread_mutex_lock(&lock);
    for (unsigned k = 0; k < OPEN; k++)
        if (opened[k] && opened[k]->part[0] && strcmp(opened[k]->file, file) == 0)
            remove(opened[k]->part);
    pthread_mutex_unlock(&lock);
}

/* -- names --------------------------------------------------------------------------------------- */

/* The descriptor that a name stands for: -1: none. */
static int descriptor_of(const char *file)
{
    static const char *const folder[] = {"/dev/fd/", "/proc/self/fd/"};
    if (strcmp(file, "/dev/stdout") == 0 || strcmp(file, "/dev/stderr") == 0)
        return file[8] == 'o' ? STDOUT_FILENO : STDERR_FILENO;
    for (unsigned k = 0; k < 2; k++) {
        size_t n = strlen(folder[k]);
        const char *digits = file + n;
        if (strncmp(file, folder[k], n) == 0 && *digits && strlen(digits) < 7 &&
            strspn(digits, "0123456789") == strlen(digits))
            return atoi(digits);
    }
    return -1;
}

bool outfile_is_regular(const char *file)
{
    struct stat there;
    return descriptor_of(file) < 0 && (stat(file, &there) != 0 || S_ISREG(there.st_mode));
}

/* The file itself where it is a link, there or not. */
static void follow(const char *file, char name[])
{
    char to[OUTFILE_NAME];
    snprintf(name, OUTFILE_NAME, "%s", file);
    for (unsigned k = 0; k < LINKS; k++) {
        ssize_t n = readlink(name, to, sizeof to - 1);
        const char *slash = strrchr(name, '/');
        size_t folder = slash ? (size_t)(slash - name) + 1 : 0;
        if (n < 0)
            return; /* no link */
        to[n] = '\0';
        if (to[0] == '/')
            folder = 0;
        if (folder + (size_t)n >= OUTFILE_NAME)
            break;
        memcpy(name + folder, to, (size_t)n + 1);
    }
    snprintf(name, OUTFILE_NAME, "%s", file); /* too long, or a circle */
}

/* Its descriptor. */
static int make_part(const char *file, char part[], struct fail *f)
{
    char name[OUTFILE_NAME];
    int at = -1;
    follow(file, name);
    errno = ENAMETOOLONG;
    for (unsigned k = 0; k < PARTS && at < 0 && strlen(file) + 10 < OUTFILE_NAME && strlen(name) + 10 < OUTFILE_NAME;) {
        snprintf(part, OUTFILE_NAME, k ? "%.590s.part%u" : "%.590s.part", name, k);
        at = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (at < 0 && errno != EEXIST && errno != EINTR)
            break;
        k += at < 0 && errno == EEXIST;
    }
    if (at < 0)
        part[0] = '\0';
    return at >= 0 ? at : fail(f, EXIT_SYSTEM, "%s: cannot write: %s", file, strerror(errno));
}

int outfile_beside(const char *file, char part[], struct fail *f)
{
    int at = make_part(file, part, f);
    if (at >= 0)
        close(at); /* nothing was written */
    return at < 0 ? -1 : 0;
}

const char *const outfile_filter[OUTFILE_FILTERS] = {"flit.filter", "hold.filter", "cube.filter", "worm.filter"};

bool outfile_of_waves(const char *waves, unsigned k, char name[])
{
    const char *slash = strrchr(waves, '/'), *dot = strrchr(waves, '.');
    int folder = slash ? (int)(slash + 1 - waves) : 0, stem = dot ? (int)(dot - waves) : (int)strlen(waves);
    if (k == 0)
        snprintf(name, OUTFILE_NAME, "%.*s.gtkw", stem, waves);
    else if (k <= OUTFILE_FILTERS)
        snprintf(name, OUTFILE_NAME, "%.*s%s", folder, waves, outfile_filter[k - 1]);
    return k <= OUTFILE_FILTERS;
}

int outfile_place(const char *part, const char *file)
{
    char name[OUTFILE_NAME];
    follow(file, name);
    return rename(part, name);
}

/* -- a file -------------------------------------------------------------------------------------- */

int outfile_open(struct outfile *o, const char *file, struct fail *f)
{
    int at = descriptor_of(file);
    o->file = file;
    o->part[0] = '\0';
    o->out = NULL;
    if (at >= 0) {
        at = fcntl(at, F_DUPFD_CLOEXEC, 0);
    } else if (outfile_is_regular(file)) {
        at = make_part(file, o->part, f);
        if (at < 0)
            return -1;
    } else {
        do
            at = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        while (at < 0 && errno == EINTR);
    }
    if (at >= 0)
        o->out = fdopen(at, "w");
    if (o->out) {
        note(NULL, o);
        return 0;
    }
    fail(f, EXIT_SYSTEM, "%s: cannot write: %s", file, strerror(errno));
    if (at >= 0)
        close(at);
    if (o->part[0])
        remove(o->part);
    return -1;
}

int outfile_close(struct outfile *o, struct fail *f)
{
    bool bad = fflush(o->out) != 0 || ferror(o->out);
    int error = errno;
    if (fclose(o->out) != 0 && !bad) {
        bad = true;
        error = errno;
    }
    if (!bad && o->part[0] && outfile_place(o->part, o->file) != 0) {
        bad = true;
        error = errno;
    }
    note(o, NULL);
    if (!bad)
        return 0;
    if (o->part[0])
        remove(o->part);
    return fail(f, EXIT_SYSTEM, "%s: cannot write: %s", o->file, strerror(error));
}

void outfile_drop(struct outfile *o)
{
    fclose(o->out);
    if (o->part[0])
        remove(o->part);
    note(o, NULL);
}
