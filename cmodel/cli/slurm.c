/* SPDX-License-Identifier: Apache-2.0
 * slurm.c - the scripts that run a sweep as an array of tasks of Slurm, and merge what they leave.
 *
 * The number of tasks follows from all points, done or not, so that a share is the same in every
 * submission; only tasks with points left are in the array.
 */
#include "slurm.h"

#include "outfile.h"
#include "share.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A core moves about 10^8 flits over links in a second at best (docs/speed.md), so a task takes at least some
 * minutes.  Slurm's arrays end at 1000 unless its MaxArraySize says otherwise. */
enum { TASK_SECONDS = 300, MOST_TASKS = 1000, STEM = 440 };
static const double flits_a_second = 1e8;

static uint32_t tasks_for(const struct plan *p)
{
    double cost = 0;
    for (size_t k = 0; k < p->count; k++)
        cost += p->item[k].cost;
    double tasks = cost / flits_a_second / TASK_SECONDS;
    tasks = tasks > MOST_TASKS ? MOST_TASKS : tasks;
    tasks = tasks > (double)p->count ? (double)p->count : tasks;
    return tasks < 1 ? 1 : (uint32_t)tasks;
}

/* For a shell: 'it'\''s'. */
static void quote(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++)
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, '\0'}, out);
    fputc('\'', out);
}

/* What Slurm must be told in a comment: no quotes there, and its own % signs. */
static int check_name(const char *what, const char *text, struct fail *f)
{
    size_t n = strcspn(text, "%\\\"' \t\n");
    if (!text[n])
        return 0;
    return fail(f, EXIT_USAGE, "%s %.150s has '%c', which Slurm takes for something else; allowed: another name", what,
                text, text[n]);
}

struct script {
    const struct slurm *s;
    const struct sweep *sweep;
    uint32_t tasks;
    bool *left;              /* [tasks + 1] the task has points to run */
    uint32_t first, last, count; /* tasks in the array */
    char stem[STEM + 8];     /* of all files: db without .sqlite, whole */
    char folder[STEM];       /* where it is called */
    char program[STEM];
};

/* "3,7-9" */
static void print_array(FILE *out, const struct script *c)
{
    const char *comma = "";
    for (uint32_t k = 1, end; k <= c->tasks; k = end) {
        for (end = k + 1; c->left[k] && end <= c->tasks && c->left[end];)
            end++;
        if (!c->left[k])
            continue;
        fprintf(out, end > k + 1 ? "%s%" PRIu32 "-%" PRIu32 : "%s%" PRIu32, comma, k, end - 1);
        comma = ",";
    }
}

#define MARK "written by fatfly sweep --slurm"

static void print_head(FILE *out, const struct script *c, const char *what, const char *log)
{
    fprintf(out, "#!/bin/sh\n"
            "# %s of the sweep %s; " MARK " (docs/cluster.md).\n"
            "# What your Slurm needs, such as an account, goes into SBATCH_ACCOUNT and the like, or here.\n"
            "#SBATCH --job-name=fatfly-%s%s\n"
            "#SBATCH --output=%s.%s.log\n", what, c->sweep->name, c->sweep->name, strcmp(log, "merge") ? "" : "-merge",
            c->stem, log);
}

static void print_cd(FILE *out, const struct script *c)
{
    fputs("cd ", out);
    quote(out, c->folder);
    fputs(" || exit 4\n", out);
}

static void print_tasks(FILE *out, const struct script *c)
{
    print_head(out, c, "The tasks", "%a");
    fputs("#SBATCH --array=", out);
    print_array(out, c);
    /* exec makes fatfly what the signal goes to: it puts what is done in its place. */
    fputs("\n#SBATCH --ntasks=1\n#SBATCH --signal=B:TERM@60\n", out);
    print_cd(out, c);
    fputs("exec ", out);
    quote(out, c->program);
    fputs(" sweep ", out);
    quote(out, c->s->sweep);
    fputs(" --db ", out);
    quote(out, c->s->db);
    fprintf(out, " --task \"$SLURM_ARRAY_TASK_ID/%" PRIu32 "\" --threads \"${SLURM_CPUS_PER_TASK:-1}\"\n", c->tasks);
}

static void print_merge(FILE *out, const struct script *c)
{
    print_head(out, c, "The merging job", "merge");
    print_cd(out, c);
    /* Not by a pattern: NAME.* would be the shares of a sweep NAME.2, too. */
    fprintf(out, "set --\nk=1\nwhile [ $k -le %" PRIu32 " ]; do\n  f=", c->tasks);
    quote(out, c->stem);
    fprintf(out, ".$k-of-%" PRIu32 ".sqlite\n  [ ! -e \"$f\" ] || set -- \"$@\" \"$f\"\n  k=$((k + 1))\ndone\n"
            "[ $# -gt 0 ] || { echo 'no task has left a results file' >&2; exit 4; }\nexec ", c->tasks);
    quote(out, c->program);
    fputs(" merge ", out);
    quote(out, c->s->db);
    fputs(" \"$@\"\n", out);
}

/* Whether a file of the script's name was not written here, such as the sweep file itself. */
static bool is_of_another(const char *name)
{
    char line[STEM] = "";
    FILE *in = fopen(name, "r");
    bool another = in != NULL;
    for (unsigned k = 0; in && k < 2 && fgets(line, sizeof line, in); k++)
        another = another && !strstr(line, MARK);
    if (in)
        fclose(in);
    return another;
}

static int write_script(const struct script *c, const char *end, void (*print)(FILE *, const struct script *),
                        char *name, size_t size, struct fail *f)
{
    struct outfile o;
    snprintf(name, size, "%s%s", c->stem, end);
    if (is_of_another(name))
        return fail(f, EXIT_USAGE, "%s is there and no script of fatfly; allowed: another --db, which names the scripts",
                    name);
    if (outfile_open(&o, name, f))
        return -1;
    print(o.out, c);
    return outfile_close(&o, f);
}

/* Whole names: a job begins in a folder of its own. */
static int find_names(struct script *c, struct fail *f)
{
    const char *db = c->s->db;
    ssize_t n = readlink("/proc/self/exe", c->program, sizeof c->program - 1);
    if (n < 0 || n >= (ssize_t)sizeof c->program - 1 || !getcwd(c->folder, sizeof c->folder))
        return fail(f, EXIT_SYSTEM, "cannot find out what this program and this folder are called: %s",
                    strerror(errno));
    c->program[n] = '\0';
    size_t stem = strlen(db);
    if (stem > 7 && strcmp(db + stem - 7, ".sqlite") == 0)
        stem -= 7;
    if (stem + strlen(c->folder) >= STEM - 2)
        return fail(f, EXIT_USAGE, "file names of %zu characters; allowed: up to %d", stem + strlen(c->folder), STEM - 2);
    snprintf(c->stem, sizeof c->stem, "%.*s%s%.*s", *db == '/' ? 0 : (int)strlen(c->folder), c->folder,
             *db == '/' ? "" : "/", (int)stem, db);
    return check_name("the folder", c->stem, f);
}

/* The tasks that have points left: not merged yet, nor in a share. */
static int find_left(struct script *c, struct plan *p, struct fail *f)
{
    struct share h = {.tasks = c->tasks};
    size_t found = 0;
    if (share_known(p, c->s->db, false, &found, f))
        return -1;
    for (h.task = 1; h.task <= c->tasks; h.task++) {
        if (share_place(&h, c->s->db, f) || share_known(p, h.file, true, &found, f))
            return -1;
    }
    for (size_t k = 0; k < p->count; k++)
        c->left[p->item[k].task] |= !p->item[k].done;
    for (uint32_t k = 1; k <= c->tasks; k++)
        c->count += c->left[k];
    return 0;
}

/* Submits a script; the number of its job. */
static int submit(const char *option, const char *script, char *job, size_t size, struct fail *f)
{
    char command[2 * STEM + 200], line[300] = "", last[300] = "";
    snprintf(command, sizeof command, "command -v sbatch >/dev/null || exit 127; exec sbatch --parsable %s '%s' 2>&1", option,
             script); /* check_name(): there is no quote in it */
    fflush(stdout);
    FILE *in = popen(command, "r");
    if (!in)
        return fail(f, EXIT_SYSTEM, "cannot start sbatch: %s", strerror(errno));
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        snprintf(last, sizeof last, "%s", line);
    }
    int status = pclose(in);
    if (status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return fail(f, EXIT_SYSTEM, "no sbatch here: --submit needs Slurm; %s is written, to be submitted where Slurm is",
                    script);
    size_t digits = strspn(last, "0123456789");
    if (status != 0 || !digits || digits >= size || (last[digits] && last[digits] != ';'))
        return fail(f, EXIT_SYSTEM, "sbatch did not take %.150s: %.150s", script, *last ? last : "it did not say why");
    snprintf(job, size, "%.*s", (int)digits, last);
    return 0;
}

static int submit_both(const char *tasks, const char *merge, struct fail *f)
{
    char job[24], after[24], option[60];
    if (submit("", tasks, job, sizeof job, f))
        return -1;
    snprintf(option, sizeof option, "--dependency=afterany:%s", job);
    if (submit(option, merge, after, sizeof after, f)) {
        struct fail why = *f;
        return fail(f, EXIT_SYSTEM, "job %s runs the tasks, but there is none to merge: %s", job, why.text);
    }
    printf("submitted: job %s, the tasks; job %s, which merges after any end of them\n", job, after);
    return 0;
}

static int write_both(struct script *c, struct plan *p, struct fail *f)
{
    char tasks[STEM + 32], merge[STEM + 32];
    size_t left = 0;
    if (find_left(c, p, f))
        return -1;
    for (size_t k = 0; k < p->count; k++)
        left += !p->item[k].done;
    if (!left) {
        printf("%s: %zu points, none is left to run; fatfly merge joins what the tasks have left\n", c->sweep->name,
               p->count);
        return 0;
    }
    if (write_script(c, ".slurm", print_tasks, tasks, sizeof tasks, f)
        || write_script(c, ".merge.slurm", print_merge, merge, sizeof merge, f))
        return -1;
    printf("%s: %zu points, %zu left to run, by %" PRIu32 " of %" PRIu32 " tasks\n%s\n%s\n", c->sweep->name, p->count, left,
           c->count, c->tasks, tasks, merge);
    return c->s->submit ? submit_both(tasks, merge, f) : 0;
}

int slurm_run(const struct slurm *s, const struct sweep *sweep, struct plan *p, struct fail *f)
{
    struct script c = {.s = s, .sweep = sweep, .tasks = s->tasks ? s->tasks : tasks_for(p)};
    c.left = calloc((size_t)c.tasks + 1, sizeof *c.left);
    if (!c.left)
        return fail(f, EXIT_SYSTEM, "no memory for %" PRIu32 " tasks", c.tasks);
    int bad = find_names(&c, f) || plan_share(p, 1, c.tasks, f) || write_both(&c, p, f);
    free(c.left);
    return bad ? -1 : 0;
}
