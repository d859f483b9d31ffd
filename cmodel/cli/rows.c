/* SPDX-License-Identifier: Apache-2.0
 * rows.c - what a user can set for an experiment: one table of names, types and ranges.
 */
#include "rows.h"

#include "args.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const format_names[FORMATS] = {"table", "csv", "json"};
const char *const verilog_names[VERILOGS] = {"fast", "reference", "bare", "bare-reference"};
static const char *const engine_names[] = {"auto", "fast", "cycle", "rtl"};
enum { ENGINE_RTL = FATFLY_ENGINES, NAME_SIZE = 64 };

#define AT(field) .offset = offsetof(struct settings, field), \
                  .size = sizeof(((struct settings *)NULL)->field)
#define OF(list) .names = list, .count = sizeof list / sizeof *list

#define NETWORK "network"
#define WORMS "worms"
#define CLASSES_OF_WORMS "classes of worms, requests and replies"
#define STATIC_RUNS "static runs (without --load)"
#define OPEN_LOOP "open loop (with --load)"
#define TRACES "recorded messages"
#define RUN "runs"
#define RESULTS "output"
#define CASES "cases of the co-simulation"

/* Where most are taken. */
#define POINT (IN_RUN | IN_VIEW | IN_SWEEP)
#define LOOPS (POINT | IN_SATURATION)
#define EVERYWHERE (LOOPS | IN_CASE)
#define NOT_IN_VIEW(places) ((places) & ~(unsigned)IN_VIEW)

const struct setting settings_table[] = {
    [TOPOLOGY] = {"topology", "NAME", SET_TEXT, LOOPS, NETWORK,
                  "how switches are connected; default fat-tree", AT(topology)},
    [NODES] = {"nodes", "N", SET_WHOLE, EVERYWHERE, NETWORK,
               "processors: fat-tree 4^n, n = 1 to 10 (worms: 12); torus and mesh radix^dimensions; others rows; "
               "default 64", AT(config.nodes), 1, 16777216,
               .words = "words 4 16 64 256 1024 4096 16384 65536 262144 1048576"},
    [RADIX] = {"radix", "K", SET_WHOLE, LOOPS, NETWORK,
               "torus and mesh: nodes in each dimension, 2 to 64; default 16, or as --nodes requires",
               AT(config.radix), 1, 64},
    [DIMENSIONS] = {"dimensions", "n", SET_WHOLE, LOOPS, NETWORK,
                    "torus and mesh: 1 to 4; default 2", AT(config.dimensions), 1, 4},
    [PROCESSOR_LINKS] = {"processor-links", "", SET_TRUTH, NOT_IN_VIEW(LOOPS), NETWORK,
                         "torus and mesh: a link from each processor into its router and one back; default no",
                         AT(config.processor_links)},
    [DEPTH] = {"depth", "Q|unbounded", SET_WHOLE, EVERYWHERE, NETWORK,
               "flits (store, univ, cmsv-: packets) of a queue, 1 to 16; default 2; store 1; packets elsewhere "
               "unbounded",
               AT(config.depth), 1, 16, .word = "auto", .words = "words 1 2 4 8 16 unbounded"},
    [VCS] = {"vcs", "V", SET_WHOLE, EVERYWHERE, NETWORK,
             "virtual channels of a link: fat-tree 1, 2 or 4, else up to 129; default 1, or what the "
             "path needs", AT(config.vcs), 1, 129, .words = "words 1 2 4"},
    [BANDWIDTH] = {"bandwidth", NULL, SET_NAME, LOOPS, NETWORK,
                   "torus, mesh, ..: how virtual channels share a link; default fixed-share",
                   AT(config.bandwidth), OF(fatfly_bandwidth_names)},
    [INJECTION] = {"injection", NULL, SET_NAME, LOOPS, NETWORK,
                   "torus, mesh, ..: worms wait at a source in one queue, or in one per channel; default "
                   "one-queue",
                   AT(config.injection), OF(fatfly_injection_names)},
    [CHANNEL_RELEASE] = {"channel-release", NULL, SET_NAME, LOOPS, NETWORK,
                         "torus, mesh, ..: a channel is free when a worm's tail has left its queue, or has "
                         "crossed; default tail-gone", AT(config.channel_release), OF(fatfly_release_names)},
    [CHANNELS_IN_TURN] = {"channels-in-turn", "", SET_TRUTH, LOOPS, NETWORK,
                          "torus, mesh, ..: a head takes the next free channel after the last one taken, not the "
                          "lowest; default no", AT(config.channels_in_turn)},
    [LINK_BANDWIDTH] = {"link-bandwidth", "B", SET_WHOLE, NOT_IN_VIEW(LOOPS), NETWORK,
                        "torus, mesh, ..: flits that cross a link in a cycle, 1 to 64; default 1",
                        AT(config.link_bandwidth), 1, 64},
    [INPUT_BANDWIDTH] = {"input-bandwidth", "B", SET_WHOLE, LOOPS, NETWORK,
                         "on-demand: flits that one input can send in a cycle, 1 to 64; default 0: no limit",
                         AT(config.input_bandwidth), 0, 64},
    [LINK_LATENCY] = {"link-latency", "CYCLES", SET_WHOLE, LOOPS, NETWORK,
                      "torus, mesh, ..: cycles that a flit spends on a link, 1 to 64; default 1", AT(config.link_latency), 1, 64},
    [ROUTER_LATENCY] = {"router-latency", "CYCLES", SET_WHOLE, LOOPS, NETWORK,
                        "torus, mesh, ..: cycles from a flit's arrival until it can go on, 0 to 64; default 0",
                        AT(config.router_latency), 0, 64},
    [HEAD_LATENCY] = {"head-latency", "CYCLES", SET_WHOLE, LOOPS, NETWORK,
                      "torus, mesh, ..: cycles at the front of a queue before a head asks for a channel, 0 to 64; default 0",
                      AT(config.head_latency), 0, 64},
    [PLUGIN] = {"plugin", "FILE.so", SET_TEXT, NOT_IN_VIEW(LOOPS), NETWORK,
                "routing, order of heads, destinations or arrivals of your own: fatfly_plugin.h",
                AT(plugin), .words = "files"},
    [PLUGIN_SECONDS] = {"plugin-seconds", "SECONDS", SET_WHOLE, IN_RUN | IN_SATURATION, NETWORK,
                        "time limit of one call into the plugin, after which the run is given up, 1 to 3600; "
                        "default 10", AT(plugin_seconds), 1, 3600},
    [FORCE] = {"force", "", SET_TRUTH, IN_RUN | IN_VIEW | IN_SATURATION, NETWORK,
               "run even if the routing can deadlock; default no", AT(config.force)},
    [FLIT_BITS] = {"flit-bits", "BITS", SET_WHOLE, EVERYWHERE, NETWORK,
                   "payload of a flit, 16 to 64; default 32 if a head fits, else 64",
                   AT(config.flit_bits), 16, 64, .word = "auto"},
    [DISCIPLINE] = {"discipline", NULL, SET_NAME, LOOPS, NETWORK,
                    "how packets move; default worm", AT(config.discipline),
                    OF(fatfly_discipline_names), .view_names = 1u << FATFLY_WORM | 1u << FATFLY_PHASED},
    [PATH] = {"path", NULL, SET_NAME, EVERYWHERE, NETWORK,
              "path selection; fat-tree: fixed, random, greedy; rg: other if blocked; rw: as rg once, then waits; "
              "default rp",
              AT(config.path), OF(fatfly_path_names),
              .case_names = (1u << FATFLY_TREE_PATHS) - 1, .view_names = ~(1u << FATFLY_WALK)},
    [SCAN] = {"scan", NULL, SET_NAME, EVERYWHERE, NETWORK,
              "order of the inputs: random start, fixed, farthest first, after the last winner, first come; "
              "default rr", AT(config.scan), OF(fatfly_scan_names)},
    [START] = {"start", NULL, SET_NAME, NOT_IN_VIEW(LOOPS), NETWORK,
               "store and split: rr and ff start from any input, or from one that holds a packet; "
               "default any", AT(config.start), OF(fatfly_start_names)},
    [PATTERN] = {"pattern", NULL, SET_NAME, EVERYWHERE, WORMS,
                 "where worms go; default random", AT(config.pattern), OF(fatfly_pattern_names),
                 .case_names = 1u << FATFLY_MESSAGES | ((1u << FATFLY_PERMUTATION) - 1),
                 .view_names = ~(1u << FATFLY_PERMUTATION | 1u << FATFLY_MESSAGES | 1u << FATFLY_MATRIX)},
    [SELF_TRAFFIC] = {"self-traffic", "", SET_TRUTH, LOOPS, WORMS,
                      "random and hotspot may draw the source itself; default no",
                      AT(config.self_traffic)},
    [HOTSPOT] = {"hotspot", "SHARE", SET_REAL, EVERYWHERE, WORMS,
                 "pattern hotspot: share that goes to one processor, 0 to 1; default 0.04",
                 AT(config.hotspot), 0, 1},
    [HOTSPOT_NODE] = {"hotspot-node", "A", SET_WHOLE, EVERYWHERE, WORMS,
                      "pattern hotspot: that processor, 0 to N - 1; default 0",
                      AT(config.hotspot_node), 0, 16777215},
    [DENSITY] = {"density", "SHARE", SET_REAL, LOOPS, WORMS,
                 "packing, spreading, monotone: processors that send, 0 to 1; default 0.5",
                 AT(config.density), 0, 1},
    [PERMUTATION] = {"permutation", "FILE", SET_TEXT, NOT_IN_VIEW(LOOPS), WORMS,
                     "pattern permutation: destinations of 0 to N - 1, one a line",
                     AT(permutation)},
    [MATRIX] = {"matrix", "FILE", SET_TEXT, NOT_IN_VIEW(LOOPS), WORMS,
                "pattern matrix: N lines of N weights, line a + 1 those of processor a's destinations",
                AT(matrix)},
    [LENGTH] = {"length", "L", SET_WHOLE, EVERYWHERE, WORMS,
                "flits of a worm, the longest if they vary, 1 to 4096; default 32",
                AT(config.length), 1, 4096},
    [LENGTHS] = {"lengths", NULL, SET_NAME, EVERYWHERE, WORMS,
                 "how lengths vary; default fixed", AT(config.lengths), OF(fatfly_length_names),
                 .case_names = 1u << FATFLY_FIXED | 1u << FATFLY_UNIFORM, .view_names = ~(1u << FATFLY_MIX)},
    [LENGTH_MIN] = {"length-min", "FLITS", SET_WHOLE, EVERYWHERE, WORMS,
                    "the shortest worm of lengths that vary, 1 to L; default 1",
                    AT(config.length_min), 1, 4096},
    [LENGTH_MEAN] = {"length-mean", "FLITS", SET_REAL, LOOPS, WORMS,
                     "lengths geometric: mean before lengths are cut off at L, 1 to 4096; default "
                     "midway from --length-min to L",
                     AT(config.length_mean), 1, 4096, .word = "auto"},
    [SHORT_SHARE] = {"short-share", "SHARE", SET_REAL, LOOPS, WORMS,
                     "lengths bimodal: share of the shortest, 0 to 1; default 0.5",
                     AT(config.short_share), 0, 1},
    [LENGTH_MIX] = {"length-mix", "L:WEIGHT,..", SET_TEXT, NOT_IN_VIEW(LOOPS), WORMS,
                    "lengths mix: flits and share of up to 8 kinds of worms, e.g. 1:4,5:1",
                    AT(length_mix)},
    [CLASSES] = {"classes", "K", SET_WHOLE, NOT_IN_VIEW(LOOPS), CLASSES_OF_WORMS,
                 "classes of worms, 1 to 4, with replies 1 or 2; results are given for each class, too; default 1",
                 AT(config.classes), 1, FATFLY_MAX_CLASSES},
    [CLASS_LENGTH] = {"class-length", "L,..", SET_TEXT, NOT_IN_VIEW(LOOPS), CLASSES_OF_WORMS,
                      "flits of the worms of each class, 1 to 4096; default: all as --length and --lengths say",
                      AT(class_length)},
    [CLASS_PATTERN] = {"class-pattern", "NAME,..", SET_TEXT, NOT_IN_VIEW(LOOPS), CLASSES_OF_WORMS,
                       "where the worms of each class go; default: all as --pattern says",
                       AT(class_pattern)},
    [CLASS_SHARE] = {"class-share", "SHARE,..", SET_TEXT, NOT_IN_VIEW(LOOPS), CLASSES_OF_WORMS,
                     "relative share of the load of each class, its replies included; default equal",
                     AT(class_share)},
    [CLASS_PRIORITY] = {"class-priority", "P,..", SET_TEXT, NOT_IN_VIEW(LOOPS), CLASSES_OF_WORMS,
                        "torus, mesh, ..: priority of each class, then of its replies, 0 to 1000, higher first; default 0",
                        AT(class_priority)},
    [CLASS_CHANNELS] = {"class-channels", NULL, SET_NAME, NOT_IN_VIEW(LOOPS), CLASSES_OF_WORMS,
                        "torus, mesh, ..: reserved: V/K for each class, or half for requests and half for replies",
                        AT(config.class_channels), OF(fatfly_class_channel_names)},
    [REPLY] = {"reply", "L,..", SET_TEXT, NOT_IN_VIEW(LOOPS), CLASSES_OF_WORMS,
               "each worm that arrives is answered by one of L flits, an L for each class; --load counts both",
               AT(reply)},
    [REPLY_DELAY] = {"reply-delay", "CYCLES", SET_WHOLE, NOT_IN_VIEW(LOOPS), CLASSES_OF_WORMS,
                     "cycles between a request's tail and its reply, 0 to 16777216; default 0",
                     AT(config.reply_delay), 0, 16777216},
    [OUTSTANDING] = {"outstanding", "COUNT", SET_WHOLE, NOT_IN_VIEW(POINT), CLASSES_OF_WORMS,
                     "requests that a processor may have unanswered, 1 to 65535; default none: no limit",
                     AT(config.outstanding), 1, FATFLY_MAX_OUTSTANDING, .word = "none"},
    [ROUNDS] = {"rounds", "COUNT", SET_WHOLE, POINT | IN_CASE, STATIC_RUNS,
                "worms that each processor sends, 1 to 1000000; default 1", AT(config.rounds), 1,
                1000000},
    [DELAY_RANGE] = {"delay-range", "R", SET_WHOLE, POINT, STATIC_RUNS,
                     "initial delays 0 to R - 1, univ: ranks 1 to R; 1 to 1000000; default 1, univ "
                     "log2 N, cmsv its own", AT(config.delay_range), 1, 1000000, .word = "auto"},
    [PHASES] = {"phases", "COUNT", SET_WHOLE, POINT, STATIC_RUNS,
                "discipline phased: delays of 0 to COUNT - 1 phases, 1 to 2^32; default 2 c L",
                AT(config.phases), 1, 4294967296.0, .word = "auto"},
    [PHASE_LENGTH] = {"phase-length", "CYCLES", SET_WHOLE, POINT, STATIC_RUNS,
                      "discipline phased: cycles of a phase, 1 to 2^24; default a lone worm's latency, off the fat-tree 1 more",
                      AT(config.phase_length), 1, 16777216, .word = "auto"},
    [OVERHEAD] = {"overhead", "SHARE", SET_REAL, NOT_IN_VIEW(LOOPS), STATIC_RUNS,
                  "discipline split: flits that addresses add, 0 to 100 times L; default 0",
                  AT(config.overhead), 0, 100},
    [LOAD] = {"load", "FLITS_PER_CYCLE_PER_NODE", SET_REAL, POINT | IN_CASE, OPEN_LOOP,
              "worms arrive at random at this rate, in flits per cycle and processor, 0.000001 to 1; "
              "default: a static run", AT(config.load), 1e-6, 1, .word = "none"},
    [ARRIVALS] = {"arrivals", NULL, SET_NAME, LOOPS, OPEN_LOOP,
                  "distribution of the times between worms; default geometric", AT(config.arrivals),
                  OF(fatfly_arrival_names)},
    [BURST_ON] = {"burst-on", "CYCLES", SET_REAL, LOOPS, OPEN_LOOP,
                  "arrivals on-off: mean length of a period with worms, 1 to 10^9; default 100",
                  AT(config.burst_on), 1, 1e9},
    [BURST_OFF] = {"burst-off", "CYCLES", SET_REAL, LOOPS, OPEN_LOOP,
                   "arrivals on-off: mean length of a period without worms, 1 to 10^9; default 100",
                   AT(config.burst_off), 1, 1e9},
    [WARMUP] = {"warmup", "auto|CYCLES", SET_WHOLE, LOOPS, OPEN_LOOP,
                "cycles before the measurement, 0 to 2^40; default auto: until latencies settle",
                AT(config.warmup), 0, 1099511627776.0},
    [CYCLES] = {"cycles", "CYCLES", SET_WHOLE, EVERYWHERE, OPEN_LOOP,
                "cycles of the measurement, 64 to 2^40; default 100000", AT(config.cycles), 64,
                1099511627776.0, .case_low = 1, .case_high = 1e9},
    [WHOLE] = {"whole", "", SET_TRUTH, POINT, OPEN_LOOP,
               "measure saturated networks for all cycles; the worms that wait take memory; default no",
               AT(config.whole)},
    [FAIL_SATURATED] = {"fail-saturated", "", SET_TRUTH, IN_RUN, OPEN_LOOP,
                        "end with exit code 5 if the network is saturated; default no",
                        AT(fail_saturated)},
    [TRACE] = {"trace", "FILE", SET_TEXT, NOT_IN_VIEW(POINT | IN_CASE), TRACES,
               "pattern trace: CSV t_ns,src,dst,bytes, gzip or plain", AT(trace)},
    [CYCLES_PER_US] = {"cycles-per-us", "CYCLES", SET_REAL, NOT_IN_VIEW(POINT | IN_CASE), TRACES,
                       "cycles per recorded microsecond, 0.000001 to 1000000; default 1000",
                       AT(cycles_per_us), 1e-6, 1e6},
    [MAX_BYTES] = {"max-bytes", "BYTES", SET_WHOLE, NOT_IN_VIEW(POINT | IN_CASE), TRACES,
                   "longer messages are cut to this length, 1 to 2^40; default none", AT(max_bytes), 1,
                   1099511627776.0, .word = "none"},
    [MAX_MESSAGES] = {"max-messages", "COUNT", SET_WHOLE, NOT_IN_VIEW(POINT | IN_CASE), TRACES,
                      "read only this many, from the start, 1 to 2^40; default all", AT(max_messages), 1,
                      1099511627776.0, .word = "all"},
    [RUNS] = {"runs", "COUNT", SET_WHOLE, NOT_IN_VIEW(LOOPS), RUN,
              "independent runs, 1 to 100000; default 30; 1 for an open loop, a trace, or where nothing is random", AT(runs), 1,
              100000, .word = "auto"},
    [PRECISION] = {"precision", "SHARE", SET_REAL, NOT_IN_VIEW(LOOPS), RUN,
                   "open loop: run until half the interval of the latency is this share of its mean, 0.0001 to 1; default none",
                   AT(precision), 1e-4, 1, .word = "none"},
    [SEED] = {"seed", "S", SET_WHOLE, EVERYWHERE, RUN,
              "seed of all random numbers, 0 to 2^64 - 1; default 1", AT(config.seed), 0,
              18446744073709551616.0},
    [THREADS] = {"threads", "COUNT", SET_WHOLE, IN_RUN | IN_SATURATION, RUN,
                 "runs at once, 1 to 256; results do not depend on it; default one per core",
                 AT(threads), 1, 256, .word = "auto"},
    [PARTS] = {"parts", "COUNT", SET_WHOLE, IN_RUN, RUN,
               "threads that share one run: 1, 2, 4 .. 64; results do not depend on it; default 1",
               AT(config.parts), 1, 64},
    [MAX_CYCLES] = {"max-cycles", "CYCLES", SET_WHOLE, LOOPS, RUN,
                    "give up a run after this many cycles, 1 to 2^62; default never, with a precision "
                    "400 times --cycles", AT(config.max_cycles),
                    1, 4611686018427387904.0, .word = "never"},
    [ENGINE] = {"engine", NULL, SET_NAME, IN_RUN | IN_SATURATION, RUN,
                "all give the same digest; rtl is the Verilated Verilog; default auto",
                AT(config.engine), OF(engine_names)},
    [CONFIG] = {"config", "FILE", SET_TEXT, IN_RUN | IN_VIEW | IN_SATURATION, RUN,
                "read options from a file of name = value; lines; the command line has precedence",
                AT(config_file)},
    [FORMAT] = {"format", NULL, SET_NAME, IN_RUN | IN_SATURATION, RESULTS,
                "table for people, csv and json for programs; default table", AT(format),
                OF(format_names)},
    [OUTPUT] = {"output", "FILE", SET_TEXT, IN_RUN | IN_VIEW | IN_SATURATION, RESULTS,
                "write to FILE; default standard output", AT(output)},
    [HISTOGRAM] = {"histogram", "FILE", SET_TEXT, IN_RUN, RESULTS,
                   "CSV with the columns latency,count of all measured worms", AT(histogram)},
    [LINKS] = {"links", "FILE", SET_TEXT, IN_RUN, RESULTS,
               "CSV of the worms that crossed each link in the first run", AT(links)},
    [EVENTS] = {"events", "FILE", SET_TEXT, IN_RUN, RESULTS,
                "every move of a flit in the first run, CSV, compressed if FILE ends in .gz", AT(events)},
    [PERFETTO] = {"perfetto", "FILE", SET_TEXT, IN_RUN, RESULTS,
                  "trace of the first run for Perfetto: worms on links, lives of worms", AT(perfetto)},
    [WAVES] = {"waves", "FILE", SET_TEXT, IN_RUN, RESULTS,
               ".fst or .vcd of one run: links and channels; registers of static worms on a fat-tree up to N = 256", AT(waves)},
    [WAVES_FROM] = {"from", "C", SET_WHOLE, IN_RUN, RESULTS,
                    "with --waves of links: first cycle in the file, 0 to 2^40; default 0", AT(waves_from), 0,
                    1099511627776.0},
    [WAVES_TO] = {"to", "C", SET_WHOLE, IN_RUN, RESULTS,
                  "with --waves of links: last cycle in the file, 1 to 2^40; default end, of the run", AT(waves_to), 1, 1099511627776.0,
                  .word = "end"},
    [WATCH] = {"watch", "WORM", SET_WHOLE, IN_RUN, RESULTS,
               "print that worm's life in the first run; 1 is the first of processor 0", AT(watch),
               1, 4294967295.0, .word = "none"},
    [BUILD] = {"build", "DIR", SET_TEXT, IN_RUN | IN_VIEW, RESULTS,
               "engine rtl: Verilated libraries are in DIR/rtl; default build", AT(build)},
    [LEVEL] = {"level", "LEVEL", SET_WHOLE, IN_CASE, CASES,
               "a single switch in place of a network: its level, 1 to levels", AT(level), 1, FATFLY_MAX_LEVELS},
    [LEVELS] = {"levels", "LEVELS", SET_WHOLE, IN_CASE, CASES,
                "levels of the network that the single switch is part of, 1 to 10", AT(levels), 1, FATFLY_MAX_LEVELS},
    [STALL] = {"stall", "PERCENT", SET_WHOLE, IN_CASE, CASES,
               "share of the cycles in which an exit has no room, 0 to 90; default 0", AT(stall), 0, 90},
    [RESET_EVERY] = {"reset-every", "CYCLES", SET_WHOLE, IN_CASE, CASES,
                     "mean time between resets in mid-traffic, 1 to 2^40; default none", AT(reset_every), 1,
                     1099511627776.0, .word = "none"},
    [VERILOG] = {"verilog", NULL, SET_NAME, IN_CASE, CASES,
                 "which switch; bare: without its probe, compared at the links; default fast", AT(verilog),
                 OF(verilog_names)},
};
const unsigned settings_count = ROWS_COUNT;

size_t args_setting(const char *name, char *text, size_t size)
{
    int row = settings_find(name);
    *text = '\0';
    return row >= 0 ? strlen(settings_where((unsigned)row, text, size)) : 0;
}

_Static_assert(ROWS_COUNT <= 128, "struct settings keeps 128 bits and lines");

/* -- one setting ----------------------------------------------------------------------------- */

void settings_default(struct settings *s)
{
    memset(s, 0, sizeof *s);
    fatfly_defaults(&s->config);
    s->detect_warmup = s->config.detect_warmup;
    s->config.depth = 0; /* what depends on other settings: settings_finish() */
    s->config.delay_range = 0;
    s->config.length_mean = 0;
    s->place = IN_RUN;
    s->plugin_seconds = 10;
    s->cycles_per_us = 1000;
    snprintf(s->build, sizeof s->build, "build");
}

struct origin row_origin(const struct settings *s, enum row row)
{
    struct origin o = {s->line[row] ? s->source : NULL, s->line[row]};
    return o;
}

int row_refuse(struct fail *f, const struct origin *o, const char *format, ...)
{
    char text[sizeof f->text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return o->file ? fail_at(f, o->file, o->line, "%s", text) : fail(f, EXIT_USAGE, "%s", text);
}

const char *row_spell(char text[SPELLED], const struct origin *o, enum row row,
                      const char *value)
{
    char quoted[100];
    size_t n = value ? strlen(value) : 0;
    if (value && ((!n && settings_table[row].kind != SET_TRUTH) || (n && strchr(" \t", value[0])) ||
                  (n && strchr(" \t", value[n - 1])))) { /* what is not seen */
        snprintf(quoted, sizeof quoted, "'%.80s'", value);
        value = quoted;
    }
    if (!o->file) {
        snprintf(text, SPELLED, "--%s%s%.82s", settings_table[row].name, value && *value ? " " : "",
                 value ? value : "");
        return text;
    }
    snprintf(text, SPELLED, "%s%s%.82s", settings_table[row].name, value ? " = " : "",
             value ? value : "");
    for (size_t k = 0; settings_table[row].name[k]; k++)
        if (text[k] == '-')
            text[k] = '_';
    return text;
}

static void *place(struct settings *s, enum row row)
{
    return (char *)s + settings_table[row].offset;
}

const void *row_place(const struct settings *s, enum row row)
{
    return (const char *)s + settings_table[row].offset;
}

static uint64_t whole_of(const struct settings *s, enum row row)
{
    uint64_t value;
    uint32_t word;
    if (settings_table[row].size == sizeof value) {
        memcpy(&value, row_place(s, row), sizeof value);
        return value;
    }
    memcpy(&word, row_place(s, row), sizeof word);
    return word;
}

static void whole_to(struct settings *s, enum row row, uint64_t value)
{
    uint32_t word = (uint32_t)value;
    if (settings_table[row].size == sizeof value)
        memcpy(place(s, row), &value, sizeof value);
    else
        memcpy(place(s, row), &word, sizeof word);
}

static double real_of(const struct settings *s, enum row row)
{
    double x;
    memcpy(&x, row_place(s, row), sizeof x);
    return x;
}

/* What a whole number or a number may be. */
static bool within(const struct settings *s, enum row row, double x)
{
    const struct setting *r = &settings_table[row];
    bool own = s->place == IN_CASE && r->case_high > 0;
    return x >= (own ? r->case_low : r->low) && x <= (own ? r->case_high : r->high);
}

static int refuse_number(const struct settings *s, struct fail *f, const struct origin *o,
                         enum row row, const char *value)
{
    const struct setting *r = &settings_table[row];
    const char *word = row == WARMUP ? "auto" : row == DEPTH ? "auto, unbounded" : r->word;
    bool own = s->place == IN_CASE && r->case_high > 0;
    double low = own ? r->case_low : r->low, high = own ? r->case_high : r->high;
    char read[SPELLED], allowed[SPELLED] = "0 to 18446744073709551615";
    if (row != SEED)
        snprintf(allowed, SPELLED, "%.*f to %.0f", low > 0 && low < 1 ? 6 : 0, low, high);
    return row_refuse(f, o, "%s; allowed: %s%s%s, %s", row_spell(read, o, row, value),
                      word ? word : "", word ? ", or " : "",
                      r->kind == SET_REAL ? "a number" : "a whole number", allowed);
}

static int set_whole(struct settings *s, enum row row, const char *value, const struct origin *o,
                     struct fail *f)
{
    char *end;
    double high = settings_table[row].high;
    errno = 0;
    unsigned long long v = strtoull(value, &end, 10);
    if (!*value || strspn(value, "0123456789") != strlen(value) || errno)
        return refuse_number(s, f, o, row, value);
    if (!within(s, row, (double)v) || (high < 0x1p64 && v > (uint64_t)high)) /* (double)v is rounded */
        return refuse_number(s, f, o, row, value);
    whole_to(s, row, v);
    if (row == WARMUP)
        s->detect_warmup = false;
    return 0;
}

static int set_real(struct settings *s, enum row row, const char *value, const struct origin *o,
                    struct fail *f)
{
    char *end;
    double x = strtod(value, &end);
    /* strtod() takes nan, inf and hexadecimals, too. */
    if (!*value || *end || strspn(value, "0123456789.+-eE") != strlen(value) ||
        !within(s, row, x))
        return refuse_number(s, f, o, row, value);
    x += 0.0; /* -0 is 0 */
    memcpy(place(s, row), &x, sizeof x);
    return 0;
}

/* A word that is none of these. */
static int refuse_word(enum row row, const char *value, const char *const *names, unsigned count,
                       const struct origin *o, struct fail *f)
{
    char read[SPELLED], allowed[400] = "";
    const char *near = nearest(value, names, count);
    if (near && strcmp(near, value) == 0) /* graph, without a file */
        near = "graph:FILE";
    for (unsigned k = 0; k < count; k++) {
        size_t used = strlen(allowed);
        snprintf(allowed + used, sizeof allowed - used, "%s%s%s", k ? ", " : "", names[k],
                 row == TOPOLOGY && strcmp(names[k], "graph") == 0 ? ":FILE" : "");
    }
    return row_refuse(f, o, "%s; allowed: %s%s%s", row_spell(read, o, row, value), allowed,
                      near ? "; nearest: " : "", near ? near : "");
}

bool row_has_name(enum row row, enum place place, unsigned k)
{
    const struct setting *r = &settings_table[row];
    uint32_t names = place == IN_CASE ? r->case_names : place == IN_VIEW ? r->view_names : 0;
    return k < r->count && (!names || names >> k & 1);
}

static int set_name(struct settings *s, enum row row, const char *value, const struct origin *o,
                    struct fail *f)
{
    const struct setting *r = &settings_table[row];
    const char *names[32];
    unsigned count = 0;
    for (unsigned k = 0; k < r->count; k++) {
        if (!row_has_name(row, s->place, k))
            continue;
        if (strcmp(value, r->names[k]) == 0) {
            if (row == ENGINE)
                s->rtl = k == ENGINE_RTL;
            whole_to(s, row, row == ENGINE && k == ENGINE_RTL ? (uint64_t)FATFLY_AUTO : k);
            return 0;
        }
        names[count++] = r->names[k];
    }
    return refuse_word(row, value, names, count, o, f);
}

static int set_truth(struct settings *s, enum row row, const char *value, const struct origin *o,
                     struct fail *f)
{
    char read[SPELLED];
    bool yes = !*value || strcmp(value, "yes") == 0 || strcmp(value, "true") == 0;
    if (!yes && strcmp(value, "no") != 0 && strcmp(value, "false") != 0)
        return row_refuse(f, o, "%s; allowed: %s", row_spell(read, o, row, value),
                          o->file ? "true, false" : "yes, no, or no value at all");
    memcpy(place(s, row), &yes, sizeof yes);
    return 0;
}

/* A topology is a name, or graph:FILE. */
static int refuse_topology(const char *value, const struct origin *o, struct fail *f)
{
    const char *names[16];
    unsigned count = 0;
    while (count < 16 && fatfly_topology_name(count)) {
        names[count] = fatfly_topology_name(count);
        bool file = strcmp(names[count], "graph") == 0;
        if (file ? strncmp(value, "graph:", 6) == 0 && value[6] : strcmp(value, names[count]) == 0)
            return 0;
        count++;
    }
    return refuse_word(TOPOLOGY, value, names, count, o, f);
}

static int set_text(struct settings *s, enum row row, const char *value, const struct origin *o,
                    struct fail *f)
{
    const struct setting *r = &settings_table[row];
    char read[SPELLED];
    size_t length = strlen(value);
    row_spell(read, o, row, value);
    if (!length)
        return row_refuse(f, o, "%s; allowed: the name of a %s", read,
                          row == BUILD ? "folder" : row == TOPOLOGY ? "topology"
                          : row == LENGTH_MIX ? "list, as in 1:4,5:1"
                          : settings_table[row].group == settings_table[CLASSES].group ? "list, as in 1,5" : "file");
    if (length >= r->size)
        return row_refuse(f, o, "%s has a path of %zu characters; allowed: at most %u",
                          row_spell(read, o, row, NULL), length, r->size - 1);
    if (row == WAVES && (length < 5 || (strcmp(value + length - 4, ".fst") != 0 &&
                                        strcmp(value + length - 4, ".vcd") != 0)))
        return row_refuse(f, o, "%s; allowed: a file that ends in .fst or .vcd", read);
    if (row == TOPOLOGY && refuse_topology(value, o, f))
        return -1;
    memcpy(place(s, row), value, length + 1);
    return 0;
}

/* 0, or -1 with f filled and s as it was. */
static int set(struct settings *s, enum row row, const char *value, const struct origin *o,
               struct fail *f)
{
    static int (*const setters[])(struct settings *, enum row, const char *, const struct origin *,
                                  struct fail *) = {
        [SET_WHOLE] = set_whole, [SET_REAL] = set_real, [SET_NAME] = set_name,
        [SET_TRUTH] = set_truth, [SET_TEXT] = set_text};
    const struct setting *r = &settings_table[row];
    bool word = r->word && strcmp(value, r->word) == 0;
    if (row == DEPTH && strcmp(value, "unbounded") == 0) {
        s->config.depth = FATFLY_UNBOUNDED;
    } else if (word) {
        double zero = 0;
        if (r->kind == SET_REAL)
            memcpy(place(s, row), &zero, sizeof zero);
        else
            whole_to(s, row, 0);
    } else if (row == WARMUP && strcmp(value, "auto") == 0) {
        s->detect_warmup = true;
    } else if (setters[r->kind](s, row, value, o, f)) {
        return -1;
    }
    s->given[row / 64] &= ~(UINT64_C(1) << row % 64);
    if (!word)
        s->given[row / 64] |= UINT64_C(1) << row % 64;
    s->line[row] = (uint32_t)o->line;
    return 0;
}

static void hyphens(char *to, size_t size, const char *name, char from, char into)
{
    snprintf(to, size, "%.60s", name);
    for (; *to; to++)
        if (*to == from)
            *to = into;
}

int settings_file(unsigned k, const char *value)
{
    if (k == TOPOLOGY && strncmp(value, "graph:", 6) == 0)
        return 6;
    return (k == TRACE || k == PERMUTATION || k == MATRIX || k == PLUGIN) && *value ? 0 : -1;
}

/* With hyphens or underscores. */
static bool is_name(const char *given, const char *name)
{
    while (*name && *name == (*given == '_' ? '-' : *given)) {
        name++;
        given++;
    }
    return !*name && !*given;
}

int settings_find(const char *name)
{
    for (int row = 0; row < ROWS_COUNT; row++)
        if (is_name(name, settings_table[row].name))
            return row;
    return -1;
}

/* Names of the rows that are taken at a place, as they stand there; how many. */
static unsigned names_at(enum place place, bool file, char (*text)[NAME_SIZE], const char **names)
{
    unsigned count = 0;
    for (int row = 0; row < ROWS_COUNT; row++)
        if (settings_table[row].places & place) {
            hyphens(text[count], NAME_SIZE, settings_table[row].name, '-', file ? '_' : '-');
            names[count] = text[count];
            count++;
        }
    return count;
}

const char *settings_where(unsigned k, char *text, size_t size)
{
    static const char *const said[] = {"fatfly run", "sweep files", "cases of fatfly cosim",
                                       "fatfly saturation"};
    size_t used = 0;
    unsigned places = settings_table[k].places;
    for (unsigned place = 0; place < 4 && used < size; place++)
        if (places >> place & 1 && !(1u << place == IN_SATURATION && places & IN_RUN))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", said[place]);
    return text;
}

const char *settings_command(enum place place)
{
    return place == IN_SATURATION ? "saturation" : place == IN_VIEW ? "view" : "run";
}

int row_find(struct settings *s, const char *name, const struct origin *o, struct fail *f)
{
    static const char *const here[] = {[IN_RUN] = "the configuration of a run",
                                       [IN_SWEEP] = "a sweep file", [IN_CASE] = "a case",
                                       [IN_SATURATION] = "the configuration of a saturation load",
                                       [IN_VIEW] = "the configuration of a page"};
    const char *command = settings_command(s->place);
    const char *names[ROWS_COUNT], *near;
    char text[ROWS_COUNT][NAME_SIZE], plain[NAME_SIZE], list[300] = "", taken[SPELLED];
    int row = settings_find(name);
    if (row >= 0 && settings_table[row].places & s->place)
        return row;
    if (!o->file && *args_where(name, taken, sizeof taken))
        return row_refuse(f, o, "--%.60s is no option of fatfly %s; allowed: in %s", name, command,
                          taken);
    if (row >= 0)
        return row_refuse(f, o, "%.60s in %s; allowed: in %s", name, here[s->place],
                          settings_where((unsigned)row, taken, sizeof taken));
    unsigned count = names_at(s->place, o->file, text, names);
    hyphens(plain, sizeof plain, name, o->file ? '-' : '_', o->file ? '_' : '-');
    near = nearest(plain, names, count);
    if (!o->file)
        return row_refuse(f, o, "--%.60s: no such option%s%s; fatfly %s --help shows all", name,
                          near ? "; nearest: --" : "", near ? near : "", command);
    for (unsigned k = 0, used = 0; s->place == IN_CASE && k < count; k++)
        used += (unsigned)snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", names[k]);
    if (s->place != IN_CASE && (strcmp(name, "points") == 0 || strcmp(name, "title") == 0 || strcmp(name, "load_share") == 0))
        return row_refuse(f, o, "%s in %s; allowed: in a sweep file, for fatfly sweep", name, here[s->place]);
    return row_refuse(f, o, "key '%.40s' is unknown; %s%s", name,
                      near ? "nearest valid name: " : "allowed: ",
                      near ? near : *list ? list : "the options of fatfly run --help");
}

int settings_set(struct settings *s, const char *name, const char *value, struct fail *f)
{
    struct origin o = {NULL, 0};
    int row = row_find(s, name, &o, f);
    return row < 0 ? -1 : set(s, (enum row)row, value, &o, f);
}

int settings_set_at(struct settings *s, const char *file, size_t line, const char *name,
                    const char *value, struct fail *f)
{
    struct origin o = {file, line ? line : 1};
    int row = row_find(s, name, &o, f);
    if (row < 0)
        return -1;
    if (row == CONFIG)
        return row_refuse(f, &o, "key 'config' in a file; allowed: only on the command line");
    if (file != s->source) /* of a long path the end says more; fail_at() shows no more than that */
        snprintf(s->source, sizeof s->source, "%s",
                 strlen(file) < sizeof s->source ? file
                                                 : file + strlen(file) - sizeof s->source + 1);
    return set(s, (enum row)row, value, &o, f);
}

void row_real_text(double x, char *text, size_t size)
{
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, x);
        if (strtod(text, NULL) == x) /* bit for bit: that is what is asked */
            return;
    }
}

/* As snprintf() of "%s", which takes longer: a sweep asks for all settings of each point. */
static void copy(char *text, size_t size, const char *from)
{
    size_t length = strnlen(from, size - 1);
    memcpy(text, from, length);
    text[length] = '\0';
}

void settings_get(const struct settings *s, unsigned k, char *text, size_t size)
{
    const struct setting *r = &settings_table[k];
    enum row row = (enum row)k;
    bool truth;
    switch (r->kind) {
    case SET_WHOLE:
        if (row == WARMUP && s->detect_warmup)
            copy(text, size, "auto");
        else if (row == DEPTH && s->config.depth == FATFLY_UNBOUNDED)
            copy(text, size, "unbounded");
        else if (r->word && whole_of(s, row) == 0)
            copy(text, size, r->word);
        else
            snprintf(text, size, "%llu", (unsigned long long)whole_of(s, row));
        break;
    case SET_REAL:
        if (r->word && real_of(s, row) <= 0)
            copy(text, size, r->word);
        else
            row_real_text(real_of(s, row), text, size);
        break;
    case SET_NAME:
        copy(text, size, row == ENGINE && s->rtl ? engine_names[ENGINE_RTL] : r->names[whole_of(s, row)]);
        break;
    case SET_TRUTH:
        memcpy(&truth, row_place(s, row), sizeof truth);
        copy(text, size, truth ? "yes" : "no");
        break;
    case SET_TEXT:
        copy(text, size, (const char *)row_place(s, row));
        break;
    }
}

void settings_cell(const struct settings *s, unsigned k, char *text, size_t size)
{
    const struct setting *r = &settings_table[k];
    enum row row = (enum row)k;
    if (r->kind == SET_WHOLE && !(row == DEPTH && s->config.depth == FATFLY_UNBOUNDED))
        snprintf(text, size, "%llu", (unsigned long long)whole_of(s, row));
    else if (r->kind == SET_REAL)
        snprintf(text, size, "%.10g", real_of(s, row));
    else if (r->kind == SET_TRUTH)
        snprintf(text, size, "%d", *(const bool *)row_place(s, row));
    else
        settings_get(s, k, text, size);
    for (; r->kind == SET_TEXT && *text; text++) /* in a CSV a comma would end the cell */
        *text = *text == ',' ? '/' : *text;
}
