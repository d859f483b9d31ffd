/* SPDX-License-Identifier: Apache-2.0
 * mpi.c - build/fatfly-mpi: `fatfly run` shared among the processes of `mpirun -n R` (docs/mpi.md).
 *
 * It fills struct fatfly_ranks with MPI 3: a message to every other process each cycle, and MPI_Allgather().
 * The rest is cmodel/cli/run.c's.
 */
#include "commands.h"
#include "fail.h"
#include "fatfly.h"
#include "shared.h"

#include <limits.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LETTERS = 1, TESTS = 2000, FEW_TESTS = 10, NAP_NS = 1000, PATIENCE_S = 5 };

struct world {
    int rank, count;
    unsigned tests;       /* before a nap */
    MPI_Request *request; /* [2 * count] */
    MPI_Comm leaving;     /* where processes meet at the end, apart from what a run still waits for */
};

/* Waits busily for a moment, as the others are about to come, then leaves the core to who needs it: processes may
 * be more than cores, and cores may have other work. */
static bool wait_all(const struct world *w, int count, MPI_Request *request)
{
    const struct timespec nap = {.tv_nsec = NAP_NS};
    int done = 0;

    for (unsigned k = 0; !done; k++) {
        if (MPI_Testall(count, request, &done, MPI_STATUSES_IGNORE))
            return false;
        if (!done && k >= w->tests)
            nanosleep(&nap, NULL);
    }
    return true;
}

static bool exchange(void *context, const struct fatfly_letter *letter)
{
    struct world *w = context;
    int n = 0;

    for (int k = 0; k < w->count; k++)
        if (k != w->rank && (letter[k].room > INT_MAX || letter[k].size > INT_MAX ||
                             MPI_Irecv(letter[k].in, (int)letter[k].room, MPI_BYTE, k, LETTERS, MPI_COMM_WORLD,
                                       &w->request[n++])))
            return false;
    for (int k = 0; k < w->count; k++)
        if (k != w->rank && MPI_Isend(letter[k].out, (int)letter[k].size, MPI_BYTE, k, LETTERS, MPI_COMM_WORLD,
                                      &w->request[n++]))
            return false;
    return wait_all(w, n, w->request);
}

static bool gather(void *context, const void *mine, void *all, size_t size)
{
    const struct world *w = context;
    const void *own = (const char *)all + (size_t)w->rank * size;
    MPI_Request request;

    return size <= INT_MAX && !MPI_Iallgather(mine == own ? MPI_IN_PLACE : mine, (int)size, MPI_BYTE, all, (int)size,
                                              MPI_BYTE, MPI_COMM_WORLD, &request) && wait_all(w, 1, &request);
}

/* Of a handler, which sees nothing else. */
static int voice;               /* where it speaks */
static volatile pid_t neighbour; /* it speaks only if this one has gone; 0: always */

/* mpirun ends the others when one process has gone: the first speaks, or, if it is the one, the second. */
static void ended(int number)
{
    static const char text[] = "fatfly run: a process of the run has gone, or was interrupted; nothing was written\n";
    (void)number;
    if ((neighbour == 0 || kill(neighbour, 0)) && write(voice, text, sizeof text - 1) < 0)
        _exit(EXIT_SYSTEM);
    _exit(EXIT_SYSTEM);
}

/* The first process speaks for all.  What another says is kept, in case it ends alone. */
static void hush(void)
{
    FILE *kept = tmpfile();

    if (!freopen("/dev/null", "w", stdout) || (kept ? dup2(fileno(kept), STDERR_FILENO) < 0
                                                    : !freopen("/dev/null", "w", stderr)))
        _exit(EXIT_SYSTEM);
}

/* Processes on this machine; sets neighbour, to the first of them. */
static int machine_count(const struct world *w)
{
    MPI_Comm here;
    int count = 1;
    long first = w->rank ? 0 : (long)getpid();

    if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here))
        return 1;
    MPI_Comm_size(here, &count);
    MPI_Bcast(&first, 1, MPI_LONG, 0, here);
    MPI_Comm_free(&here);
    neighbour = w->rank ? (pid_t)first : 0;
    return count;
}

/* Who speaks when the run is ended from outside. */
static void watch(const struct world *w)
{
    voice = dup(STDERR_FILENO);
    if (w->count > 1 && voice >= 0 && (w->rank == 0 || (w->rank == 1 && neighbour)))
        signal(SIGTERM, ended);
}

static int play(int argc, char *argv[])
{
    if (argc >= 2 && strcmp(argv[1], "run") == 0)
        return command_main(&run_command, argc - 2, argv + 2);
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("fatfly %s\n", FATFLY_VERSION);
        return EXIT_OK;
    }
    fprintf(stderr, "fatfly-mpi: %.60s: processes can share a run alone; allowed: run, --version; the other commands are "
            "fatfly's\n", argc < 2 ? "no command" : argv[1]);
    return EXIT_USAGE;
}

/* Of a process other than the first: what it said before. */
static void speak(const struct world *w)
{
    static const char name[] = "fatfly run: ";
    char text[600] = "", *said = text;
    ssize_t size = pread(STDERR_FILENO, text, sizeof text - 1, 0);

    text[size > 0 ? strcspn(text, "\n") : 0] = '\0';
    if (strncmp(said, name, sizeof name - 1) == 0)
        said += sizeof name - 1;
    dprintf(voice, "%sprocess %d has ended alone%s%s\n", name, w->rank, *said ? ": " : "", said);
}

/* All meet here, then MPI ends.  One that has failed waits a moment: the others may be waiting for a message of its
 * run, which never comes. */
static void leave(const struct world *w, int code)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    struct timespec start, now;
    MPI_Request all;
    int met = 0;

    clock_gettime(CLOCK_MONOTONIC, &start);
    MPI_Ibarrier(w->leaving, &all);
    for (;;) {
        if (MPI_Test(&all, &met, MPI_STATUS_IGNORE) || met)
            break;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (code != EXIT_OK && now.tv_sec - start.tv_sec > PATIENCE_S) {
            if (w->rank)
                speak(w);
            MPI_Abort(MPI_COMM_WORLD, code);
        }
        nanosleep(&nap, NULL);
    }
    /* mpirun ends the others where a code is not 0, and what there is to say has been said. */
    signal(SIGTERM, SIG_IGN);
    MPI_Finalize();
}

int main(int argc, char *argv[])
{
    struct world w = {.rank = 0};
    int code = EXIT_SYSTEM;

    /* Open MPI would leave the core at every look for a message where processes are more than cores; wait_all()
     * does, after some. */
    if (setenv("OMPI_MCA_mpi_yield_when_idle", "0", 0) || MPI_Init(&argc, &argv))
        return EXIT_SYSTEM;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_dup(MPI_COMM_WORLD, &w.leaving);
    MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &w.count);
    w.request = calloc(2 * (size_t)w.count, sizeof *w.request);
    const struct fatfly_ranks ranks = {&w, (unsigned)w.rank, exchange, gather};
    shared = (struct shared){&ranks, (unsigned)w.count, (unsigned)machine_count(&w)};
    w.tests = shared.here > sysconf(_SC_NPROCESSORS_ONLN) ? FEW_TESTS : TESTS;
    watch(&w);
    if (w.rank)
        hush();
    if (w.request)
        code = play(argc, argv);
    free(w.request);
    leave(&w, code);
    return code;
}
