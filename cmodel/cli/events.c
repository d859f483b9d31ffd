/* SPDX-License-Identifier: Apache-2.0
 * events.c - `fatfly events`: what a log of events says, and whether it can be.
 */
#include "commands.h"
#include "event_check.h"
#include "life.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct options {
    uint64_t worm; /* 0: none */
};

static const struct arg args[] = {
    {"worm", "WORM", ARG_WHOLE, offsetof(struct options, worm),
     "also print the life of that worm; 1 is the first of processor 0", "options", 1, UINT32_MAX, NULL, 0,
     NULL, 0},
};

static int play(int argc, char *const argv[], struct fail *f);

const struct command events_command = {
    "events", "sum up and check a log of every move of a run", "FILE [OPTION]...",
    "Reads a log that fatfly run --events wrote, sums it up, and checks that it is consistent: every flit leaves "
    "a node in which it is, no link and no channel carries more than it can, a channel has one worm at a "
    "time, no queue holds more than it can, and the run's counts and latencies follow from the rows.",
    "exit codes: 0 the log agrees with itself and with its run, 1 it does not, 2 usage, 3 no log, or not a whole one, 4 "
    "missing memory", "log", args, sizeof args / sizeof *args, NULL, NULL, .play = play};

/* -- the command --------------------------------------------------------------------------------- */

static void print_sums(const struct event_log_header *h, const struct event_log_totals *t,
                       const struct event_sums *s)
{
    printf("network      %s, %s, %u processors, %u nodes, %u channels a link; engine %s\n", h->topology,
           fatfly_discipline_names[h->discipline], h->processors, h->nodes, h->channels, h->engine);
    printf("run          %s after %" PRIu64 " cycles, digest %s\n", t->end, t->cycles, t->digest);
    printf("rows         %" PRIu64 " worms made, %" PRIu64 " moves, %" PRIu64 " arrived", s->rows[EVENT_READY],
           s->rows[EVENT_MOVE], s->rows[EVENT_ARRIVED]);
    if (s->rows[EVENT_LOST])
        printf(", %" PRIu64 " times flits lost", s->rows[EVENT_LOST]);
    printf("\nflits        %" PRIu64 " over links, %" PRIu64 " arrived\n", s->flit_moves, s->flits);
    if (s->measured)
        printf("latency      mean %.6g, longest %" PRIu64 ", of %" PRIu64 " worms measured\n",
               (double)s->latency_sum / (double)s->measured, s->latency_max, s->measured);
    if (s->busiest)
        printf("busiest      link %u from node %u to %u: %" PRIu64 " flits\n", s->busiest_link,
               h->ends[s->busiest_link].from, h->ends[s->busiest_link].to, s->busiest);
}

static int look(struct event_reader *r, const char *file, const struct options *o, struct event_check *c,
                struct fail *f)
{
    const struct event_log_header *h = event_read_header(r);
    uint32_t switches = strcmp(h->topology, "fat-tree") == 0 ? h->nodes - h->processors : 0;
    struct event_row row;
    bool seen = o->worm == 0;
    int got;

    while ((got = event_read_next(r, &row, f)) > 0) {
        if (!event_check_row(c, &row, event_read_line(r)))
            return fail(f, EXIT_SYSTEM, "no memory to read %s", file);
        if (o->worm && life_has(&row, o->worm)) {
            life_print(&row, switches, stdout);
            seen = true;
        }
    }
    if (got < 0)
        return -1;
    event_check_end(c, event_read_totals(r));
    uint64_t findings = event_check_findings(c);
    if (!seen && !findings)
        return fail(f, EXIT_USAGE, "--worm %" PRIu64 ": no row of %s has that worm", o->worm, file);
    if (o->worm)
        putchar('\n');
    print_sums(h, event_read_totals(r), event_check_sums(c));
    if (!findings) {
        printf("checks       the rows agree with each other and with the run\n");
        return 0;
    }
    for (unsigned k = 0; k < findings && k < EVENT_FINDINGS; k++)
        printf("wrong        %s\n", event_check_text(c, k));
    return fail(f, EXIT_CHECK, "%s: %" PRIu64 " things are wrong", file, findings);
}

static int sum_up(const char *file, const struct options *o, struct fail *f)
{
    struct event_reader *r = event_read_open(file, f);
    if (!r)
        return -1;
    struct event_check *c = event_check_new(event_read_header(r));
    int bad = c ? look(r, file, o, c, f) : fail(f, EXIT_SYSTEM, "no memory to read %s", file);
    event_check_free(c);
    event_read_close(r);
    return bad;
}

static int play(int argc, char *const argv[], struct fail *f)
{
    struct options o = {0};
    const char *file = NULL;
    int bad = args_parse(&events_command, argc, argv, &o, &file, f);
    if (!bad && !file)
        bad = fail(f, EXIT_USAGE, "no log; allowed: fatfly events FILE, of fatfly run --events FILE");
    return bad < 0 || (!bad && sum_up(file, &o, f)) ? -1 : 0;
}
