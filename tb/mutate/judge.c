/* SPDX-License-Identifier: Apache-2.0
 * judge.c - runs mutants through one case of the regression: what `fatfly cosim --case` would find.
 *
 * Usage: judge SIM CASE SIDE OTHER MAX_CYCLES SECONDS.  SIDE (c or rtl) is the side that is mutated
 * and OTHER the true library of the other one (for rtl: - for the C model of this program).  Each
 * line of the input is `ID LIBRARY`; each line of the answer `ID END CYCLE`, END being passed,
 * mismatch, scoreboard, check, deadlock, memory, late, crash or hang.  The traffic is made once; each
 * mutant runs in a process of its own, so that it may crash, or hang for SECONDS of processor time.  A
 * library of Verilog mutants holds many; it takes the ID from FATFLY_MUTANT (sim/dut_rtl.cpp).
 */
#include "cases.h"
#include "library.h"
#include "lockstep.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const ends[] = {
    [END_DONE] = "passed",           [END_CUT] = "passed",        [END_MISMATCH] = "mismatch",
    [END_SCOREBOARD] = "scoreboard", [END_DEADLOCK] = "deadlock", [END_MEMORY] = "memory",
    [END_CHECK] = "check",
};

struct contest {
    const struct cosim_case *item;
    struct stimulus stimulus;
    const struct dut_ops *other;
    bool mutates_rtl;
    uint64_t max_cycles;
    unsigned seconds;
};

/* As run_lockstep() in sim/cosim.c judges a case. */
static const char *outcome(const struct contest *c, const struct lockstep_result *r)
{
    if (r->end == END_CUT && !c->max_cycles)
        return "deadlock";
    if (r->end == END_DONE && c->item->exact && r->totals.last_arrival != c->item->expect)
        return "late";
    return ends[r->end];
}

/* True if there is memory for what is not mutated: then a mutant that gets none asks for too much. */
static bool opens(const struct contest *c)
{
    char why[200];
    const struct dut_ops *ops[2] = {c->other, dut_model(&c->stimulus.shape)};

    for (int k = 0; k < 2; k++) {
        struct dut *d = ops[k]->open(&c->stimulus.shape, why, sizeof why);
        if (!d)
            return false;
        ops[k]->close(d);
    }
    return true;
}

static int run_mutant(const struct contest *c, const char *id, const char *file)
{
    const struct dut_ops *ops[2] = {c->other, c->other};
    struct lockstep_options lo = {.max_cycles = c->max_cycles, .outputs_only = c->item->config.shape.bare};
    struct lockstep_result r;
    struct fail f;
    struct rlimit limit = {c->seconds, c->seconds + 5};

    setrlimit(RLIMIT_CPU, &limit);
    setenv("FATFLY_MUTANT", id, 1);
    if (library_load(file, NULL, &ops[c->mutates_rtl], &f)) {
        fprintf(stderr, "judge: %s\n", f.text);
        return EXIT_SYSTEM;
    }
    /* What the C library says of a heap that a mutant has spoilt is nobody's news. */
    int said = dup(STDERR_FILENO);
    int nowhere = open("/dev/null", O_WRONLY);
    if (said < 0 || nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0) {
        perror("judge");
        return EXIT_SYSTEM;
    }
    lockstep_run(ops, &c->stimulus, &lo, &r);
    dup2(said, STDERR_FILENO);
    if (r.end == END_MEMORY && !opens(c)) {
        fprintf(stderr, "judge: %s: %s\n", file, r.why);
        return EXIT_SYSTEM;
    }
    printf("%s %s %" PRIu64 "\n", id, outcome(c, &r), r.end == END_DONE ? r.cycles : r.cycle);
    fflush(stdout);
    return EXIT_OK;
}

/* Runs one mutant in a child and says how the child ended if it could not. */
static int try_mutant(const struct contest *c, const char *id, const char *file)
{
    int status = 0;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        _exit(run_mutant(c, id, file));
    if (pid < 0 || waitpid(pid, &status, 0) < 0) {
        perror("judge");
        return EXIT_SYSTEM;
    }
    if (WIFSIGNALED(status))
        printf("%s %s 0\n", id, WTERMSIG(status) == SIGXCPU ? "hang" : "crash");
    return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_OK;
}

static int prepare(struct contest *c, struct case_list *list, char *argv[], struct fail *f)
{
    c->mutates_rtl = strcmp(argv[3], "rtl") == 0;
    c->max_cycles = strtoull(argv[5], NULL, 10);
    c->seconds = (unsigned)strtoul(argv[6], NULL, 10);
    if (cases_read(list, argv[1], f))
        return -1;
    c->item = cases_find(list, argv[2], f);
    if (!c->item || stimulus_make(&c->stimulus, &c->item->config, f))
        return -1;
    c->other = dut_model(&c->stimulus.shape);
    return c->mutates_rtl ? 0 : library_load(argv[4], NULL, &c->other, f);
}

int main(int argc, char *argv[])
{
    struct contest c;
    struct case_list list;
    struct fail f;
    char line[1000];
    char id[40];
    char file[900];
    int code = EXIT_OK;

    if (argc != 7) {
        fprintf(stderr, "judge: SIM CASE SIDE OTHER MAX_CYCLES SECONDS\n");
        return EXIT_USAGE;
    }
    if (prepare(&c, &list, argv, &f)) {
        fprintf(stderr, "judge: %s\n", f.text);
        return (int)f.code;
    }
    while (code == EXIT_OK && fgets(line, sizeof line, stdin))
        if (sscanf(line, "%39s %899s", id, file) == 2)
            code = try_mutant(&c, id, file);
    stimulus_free(&c.stimulus);
    cases_free(&list);
    return code;
}
